//! A function for each transaction.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::expr::{Scope, allow_conditions};
use crate::emit::{doc, number};
use crate::files::system::ir::{Distinct, Fire, LoadCall, NewKey, RuleCheck, System, Transaction};
use crate::ir::Env;

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
    let (facade, vis) = (&system.env.facade, &system.env.visibility);
    let (docs, ident) = (doc(&transaction.doc), &transaction.ident);
    let keys = transaction.keys.iter().map(|(_, key)| quote! { #key: U::Key, });
    let inputs = transaction.inputs.iter().map(|(input, ty)| quote! { #input: #ty, });
    let parameters: TokenStream = keys.chain(inputs).collect();
    let new_keys = transaction.new.iter().map(|NewKey { part, key, .. }| {
        let method = &system.parts[*part].methods.new;
        quote! { let #key = unit.#method().map_err(Failure::store)?; }
    });
    let created: Vec<_> = transaction.new.iter().map(|it| &it.key).collect();
    let unused = transaction.unused.iter().map(|input| quote! { let _ = #input; });
    let load = expand_load(&transaction.loads);
    let plan = expand_steps(system, transaction);
    let variant = &transaction.variant;
    let (returned, body) = match created.as_slice() {
        [] => (quote! { () }, quote! { Transaction::#variant.transact(unit, #load, #plan) }),
        created => {
            let keys: Vec<_> = created.iter().map(|_| quote! { U::Key }).collect();
            let (returned, value) = match created {
                [only] => (quote! { U::Key }, quote! { #only }),
                created => (quote! { (#(#keys),*) }, quote! { (#(#created),*) }),
            };
            let run = quote! { #facade::__private::transact(unit, #load, #plan, World::save)?; };
            (returned, quote! { Transaction::#variant.attempt(unit, |unit| { #(#new_keys)* #run __Ok(#value) }) })
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
        #vis fn #ident<U: UnitOfWork>(unit: &mut U, #parameters) -> __Result<#returned, Failure<U::Error>> {
            #(#unused)*
            #body
        }
    }
}

/// The closure that loads the parts: `|unit| World::empty().load_hop(unit, hop_id)?.load_mission(unit)`.
fn expand_load(loads: &[LoadCall]) -> TokenStream {
    let mut chain = quote! { World::empty() };
    for (idx, LoadCall { method, key, asks }) in loads.iter().enumerate() {
        let key = key.as_ref().map(|it| quote! { #it });
        let arguments = asks.then(|| quote! { unit }).into_iter().chain(key);
        let question = (*asks && idx + 1 < loads.len()).then(|| quote! { ? });
        chain = quote! { #chain.#method(#(#arguments),*) #question };
    }
    if !loads.last().is_some_and(|it| it.asks) {
        chain = quote! { __Ok(#chain) };
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
    let before = if transaction.reads {
        quote! { before }
    } else {
        quote! { _ }
    };
    let present = transaction.present.iter().map(|get| quote! { before.#get()?; });
    let rules = transaction.rules.iter().map(|it| expand_rule_check(it, &quote! { before }));
    let distinct = transaction.distinct.iter().map(|Distinct { variant, slots }| {
        let facade = &system.env.facade;
        quote! {
            if !#facade::__private::distinct(&[#(before.#slots.key()),*]) {
                return __Err(Refused::Same(Part::#variant).into());
            }
        }
    });
    let calls: Vec<TokenStream> = transaction.fires.iter().map(|fire| expand_fire(&system.env, fire, &quote! { after })).collect();
    let follows: Vec<TokenStream> = transaction.fires.iter().filter_map(|fire| expand_follow(fire, &quote! { after })).collect();
    let checks = quote! { #(#distinct)* #(#present)* #(#rules)* };
    let body = match (calls.as_slice(), follows.split_last()) {
        // If the last call ends the body, its value is the result.
        ([first @ .., last], None) if checks.is_empty() && first.is_empty() => return quote! { |#before, after, phase| #last },
        ([first @ .., last], None) => quote! { #(#first?;)* #last },
        (calls, Some((last, first))) => {
            let statements = transaction.fires.iter().zip(calls).map(|(fire, call)| match &fire.follow {
                Some((change, _)) => quote! { let #change = #call?; },
                None => quote! { #call?; },
            });
            quote! { #(#statements)* #(#first?;)* #last }
        }
        // A transaction always has an event.
        ([], None) => quote! { __Ok(()) },
    };
    quote! { |#before, after, phase| { #checks #body } }
}

/// `before.require(Rule::HopIdIsMissionCurrentHopId)?;`
pub(super) fn expand_rule_check(check: &RuleCheck, world: &TokenStream) -> TokenStream {
    match check {
        RuleCheck::Rule(rule) => quote! { #world.require(Rule::#rule)?; },
        RuleCheck::Method(method) => quote! { #world.#method()?; },
    }
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
    quote! { #world.#method(#event #payload, phase) }
}

/// `after.follow_hop(&hop_change, phase)`
pub(super) fn expand_follow(fire: &Fire, world: &TokenStream) -> Option<TokenStream> {
    let (change, method) = fire.follow.as_ref()?;
    Some(quote! { #world.#method(&#change, phase) })
}

/// `Transaction::attempt`: what all transactions have in common.
fn expand_attempt(system: &System) -> TokenStream {
    let facade = &system.env.facade;
    let name = &system.name;
    let (actor, run) = match system.has_actor_checks() {
        true => (
            quote! { unit.actor().map(Actor::name) },
            quote! {
                match self.require(unit.actor()) {
                    __Ok(()) => run(unit),
                    __Err(refused) => __Err(refused.into()),
                }
            },
        ),
        false => (quote! { __None }, quote! { run(unit) }),
    };
    let transact = system.transactions.iter().any(|it| it.new.is_empty()).then(|| {
        quote! {
            /// Runs the transaction: loads, plans, and saves what changed.
            fn transact<U: UnitOfWork>(
                self,
                unit: &mut U,
                load: impl FnOnce(&mut U) -> __Result<World<U>, U::Error>,
                plan: impl Fn(&World<U>, &mut World<U>, &mut #facade::__private::Phase<'_, U>) -> __Result<(), Failure<U::Error>>,
            ) -> __Result<(), Failure<U::Error>> {
                self.attempt(unit, |unit| #facade::__private::transact(unit, load, plan, World::save))
            }
        }
    });
    quote! {
        #transact

        /// Runs the transaction, unless its actor may not, and shows the attempt to the unit of work.
        fn attempt<U: UnitOfWork, T>(
            self,
            unit: &mut U,
            run: impl FnOnce(&mut U) -> __Result<T, Failure<U::Error>>,
        ) -> __Result<T, Failure<U::Error>> {
            let result = #run;
            let actor = #actor;
            unit.observe_transaction(&#facade::Transacted::new(#name, self.name(), actor, &result, Refused::reason));
            result
        }
    }
}

/// The actors of transactions, and whether these must be atomic.
pub(super) fn expand_who(system: &System) -> Option<TokenStream> {
    let transactions = &system.transactions;
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
            Some(actor) => quote! { __Some(Actor::#actor) },
            None => quote! { __None },
        });
        let performers: Vec<_> = performers.collect();
        let performer = match transactions.iter().any(|it| it.performer.is_some()) {
            true => quote! {
                const PERFORMERS: &[__Option<Actor>; #n_transactions] = &[#(#performers),*];
                PERFORMERS[self as usize]
            },
            false => quote! { __None },
        };
        let require = system.has_actor_checks().then(|| {
            quote! {
                /// Refuses an actor that may not trigger the transaction.
                fn require(self, actor: __Option<Actor>) -> __Result<(), Refused> {
                    match actor {
                        __Some(actor) if !self.may_be_triggered_by(actor) => __Err(Refused::Actor(self)),
                        _ => __Ok(()),
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

            /// The actor that carries out the work, if not the one that runs the transaction.
            #vis const fn performer(self) -> __Option<Actor> {
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
        _ => quote! { __Matches!(self, #(Transaction::#atomic)|*) },
    };
    let attempt = expand_attempt(system);
    Some(quote! {
        impl Transaction {
            #attempt
            #actors

            /// Whether the spec asks for one database transaction.
            #vis const fn is_atomic(self) -> bool {
                #atomic
            }
        }
    })
}
