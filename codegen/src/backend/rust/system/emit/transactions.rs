//! A function for each transaction.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::emit::expr::{Scope, allow_conditions};
use crate::backend::rust::emit::{doc, number};
use crate::backend::rust::ir::Env;
use crate::backend::rust::system::ir::{Fire, LoadCall, System, Transaction};

pub(super) fn expand_transactions(system: &System) -> TokenStream {
    system.transactions.iter().map(|it| expand_transaction(system, it)).collect()
}

/// `plan`: tries a transaction out.
pub(super) fn expand_plan(system: &System) -> Option<TokenStream> {
    let (facade, vis) = (&system.env.facade, &system.env.visibility);
    (!system.transactions.is_empty()).then(|| {
        quote! {
            /// Tries transactions out: each one loads and checks everything, performs no effect, and is rolled back.
            ///
            /// It fails as it would fail now, so a refusal says why it is not enabled.
            #vis fn plan<'u, U: UnitOfWork, T>(unit: &'u mut U, transaction: impl FnOnce(&mut #facade::Planning<'u, U>) -> T) -> T {
                transaction(&mut #facade::Planning::new(unit))
            }
        }
    })
}

fn expand_transaction(system: &System, transaction: &Transaction) -> TokenStream {
    let (facade, prelude, vis) = (&system.env.facade, &system.env.prelude, &system.env.visibility);
    let (result, ok) = (&prelude.result, &prelude.ok);
    let (docs, ident) = (doc(&transaction.doc), &transaction.ident);
    let keys = transaction.keys.iter().map(|(_, key)| quote! { #key: U::Key, });
    let inputs = transaction.inputs.iter().map(|(input, ty)| quote! { #input: #ty, });
    let parameters: TokenStream = keys.chain(inputs).collect();
    let new_keys = transaction.new.iter().map(|(part, key)| {
        let method = &system.parts[*part].methods.new;
        quote! { let #key = unit.#method().map_err(Failure::store)?; }
    });
    let created: Vec<_> = transaction.new.iter().map(|(_, key)| key).collect();
    let actor = (!transaction.by.is_empty()).then(|| {
        let variant = &transaction.variant;
        quote! { Transaction::#variant.require(unit.actor())?; }
    });
    let unused = transaction.unused.iter().map(|input| quote! { let _ = #input; });
    let load = expand_load(&system.env, &transaction.loads);
    let plan = expand_steps(system, transaction);
    let run = quote! { #facade::__private::transact(unit, #load, #plan, World::save) };
    let (returned, body) = match created.as_slice() {
        [] => (quote! { () }, run),
        [only] => (quote! { U::Key }, quote! { #run?; #ok(#only) }),
        several => {
            let keys = several.iter().map(|_| quote! { U::Key });
            (quote! { (#(#keys),*) }, quote! { #run?; #ok((#(#several),*)) })
        }
    };
    let payloads = transaction.fires.iter().flat_map(|it| &it.payload).map(|(_, value)| value);
    let conditions = allow_conditions(payloads, &system.env);
    let n_parameters = 1 + transaction.keys.len() + transaction.inputs.len();
    // The spec determines the number of inputs.
    let arguments = (n_parameters > 7).then(|| quote! { #[allow(clippy::too_many_arguments)] });
    let keys = (created.len() > 1).then(|| quote! { #[allow(clippy::type_complexity)] });
    quote! {
        #docs
        #conditions
        #arguments
        #keys
        #vis fn #ident<U: UnitOfWork>(unit: &mut U, #parameters) -> #result<#returned, Failure<U::Error>> {
            #(#unused)*
            #actor
            #(#new_keys)*
            #body
        }
    }
}

/// The closure that loads the parts: `|unit| World::empty().load_hop(unit, hop_id)?.load_mission(unit)`.
fn expand_load(env: &Env, loads: &[LoadCall]) -> TokenStream {
    let ok = &env.prelude.ok;
    let mut chain = quote! { World::empty() };
    for (idx, LoadCall { method, key, asks }) in loads.iter().enumerate() {
        let key = key.as_ref().map(|it| quote! { #it });
        let arguments = asks.then(|| quote! { unit }).into_iter().chain(key);
        let question = (*asks && idx + 1 < loads.len()).then(|| quote! { ? });
        chain = quote! { #chain.#method(#(#arguments),*) #question };
    }
    if !loads.last().is_some_and(|it| it.asks) {
        chain = quote! { #ok(#chain) };
    }
    let unit = if loads.iter().any(|it| it.asks) {
        quote! { unit }
    } else {
        quote! { _ }
    };
    quote! { |#unit| #chain }
}

/// The closure that checks the rules and raises the events.
fn expand_steps(system: &System, transaction: &Transaction) -> TokenStream {
    let (ok, used) = (&system.env.prelude.ok, |used: bool, name: TokenStream| {
        if used {
            name
        } else {
            quote! { _ }
        }
    });
    let takes_phase = |it: &Fire| it.takes_phase || it.follow.as_ref().is_some_and(|(_, follow)| follow.takes_phase);
    let before = used(transaction.reads, quote! { before });
    let phase = used(transaction.fires.iter().any(takes_phase), quote! { phase });
    let present = transaction.present.iter().map(|get| quote! { before.#get()?; });
    let rules = transaction.rules.iter().map(|rule| quote! { before.require(Rule::#rule)?; });
    let calls: Vec<TokenStream> = transaction.fires.iter().map(|fire| expand_fire(&system.env, fire, &quote! { after })).collect();
    let follows: Vec<TokenStream> = transaction.fires.iter().filter_map(|fire| expand_follow(fire, &quote! { after })).collect();
    let checks = quote! { #(#present)* #(#rules)* };
    let body = match (calls.as_slice(), follows.split_last()) {
        // If the last call ends the body, its value is the result.
        ([first @ .., last], None) if checks.is_empty() && first.is_empty() => return quote! { |#before, after, #phase| #last },
        ([first @ .., last], None) => quote! { #(#first?;)* #last },
        (calls, Some((last, first))) => {
            let statements = transaction.fires.iter().zip(calls).map(|(fire, call)| match &fire.follow {
                Some((change, _)) => quote! { let #change = #call?; },
                None => quote! { #call?; },
            });
            quote! { #(#statements)* #(#first?;)* #last }
        }
        // A transaction always has an event.
        ([], None) => quote! { #ok(()) },
    };
    quote! { |#before, after, #phase| { #checks #body } }
}

/// `after.fire_hop(super::hop::Event::CompletePlan { is_final }, phase)`
pub(super) fn expand_fire(env: &Env, fire: &Fire, world: &TokenStream) -> TokenStream {
    let (method, event, scope) = (&fire.method, &fire.event, Scope::constant(env));
    let fields = fire.payload.iter().map(|(field, value)| {
        let value = scope.expand(value);
        if *field == value.to_string() {
            value
        } else {
            quote! { #field: #value }
        }
    });
    let payload = (!fire.payload.is_empty()).then(|| quote! { { #(#fields),* } });
    let phase = fire.takes_phase.then(|| quote! { , phase });
    quote! { #world.#method(#event #payload #phase) }
}

/// `after.follow_hop(&hop_change, phase)`
pub(super) fn expand_follow(fire: &Fire, world: &TokenStream) -> Option<TokenStream> {
    let (change, follow) = fire.follow.as_ref()?;
    let (method, phase) = (&follow.method, follow.takes_phase.then(|| quote! { , phase }));
    Some(quote! { #world.#method(&#change #phase) })
}

/// The actors of transactions, and whether these must be atomic.
pub(super) fn expand_who(system: &System) -> Option<TokenStream> {
    let (transactions, prelude) = (&system.transactions, &system.env.prelude);
    let (option, some, none, matches) = (&prelude.option, &prelude.some, &prelude.none, &prelude.matches);
    let vis = &system.env.visibility;
    if transactions.is_empty() {
        return None;
    }
    let n_transactions = number(transactions.len());
    let actors = system.actors.is_some().then(|| {
        let by = transactions.iter().map(|it| {
            let by = &it.by;
            quote! { &[#(Actor::#by),*] }
        });
        let performers = transactions.iter().map(|it| match &it.performer {
            Some(actor) => quote! { #some(Actor::#actor) },
            None => none.clone(),
        });
        let performers: Vec<_> = performers.collect();
        let performer = match transactions.iter().any(|it| it.performer.is_some()) {
            true => quote! {
                const PERFORMERS: &[#option<Actor>; #n_transactions] = &[#(#performers),*];
                PERFORMERS[self as usize]
            },
            false => none.clone(),
        };
        let (result, ok, err) = (&prelude.result, &prelude.ok, &prelude.err);
        let require = system.has_actor_checks().then(|| {
            quote! {
                /// Refuses an actor that may not trigger the transaction.
                fn require(self, actor: #option<Actor>) -> #result<(), Refused> {
                    match actor {
                        #some(actor) if !self.may_be_triggered_by(actor) => #err(Refused::Actor(self)),
                        _ => #ok(()),
                    }
                }
            }
        });
        quote! {
            /// The actors that may trigger the transaction; any actor when empty.
            #vis const fn by(self) -> &'static [Actor] {
                const BY: &[&[Actor]; #n_transactions] = &[#(#by),*];
                BY[self as usize]
            }

            /// The actor that does the work which the transaction starts, where that is another one.
            #vis const fn performer(self) -> #option<Actor> {
                #performer
            }

            /// Whether this actor may trigger the transaction.
            #vis fn may_be_triggered_by(self, actor: Actor) -> bool {
                self.by().is_empty() || self.by().contains(&actor)
            }

            #require
        }
    });
    let atomic: Vec<_> = transactions.iter().filter(|it| it.atomic).map(|it| &it.variant).collect();
    let atomic = match atomic.len() {
        0 => quote! { false },
        n_atomic if n_atomic == transactions.len() => quote! { true },
        _ => quote! { #matches(self, #(Transaction::#atomic)|*) },
    };
    Some(quote! {
        impl Transaction {
            #actors

            /// Whether the spec asks for one database transaction.
            #vis const fn is_atomic(self) -> bool {
                #atomic
            }
        }
    })
}
