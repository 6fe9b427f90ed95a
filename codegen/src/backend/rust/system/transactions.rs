//! A function for each transaction.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::docs;
use super::super::expr::{optional_value, value};
use super::super::module::number;
use super::reads::SystemReads;
use super::scope::{Locals, Scope};
use super::{invariants, links};
use crate::expr::{Expr, Var};
use crate::model::PartId;
use crate::model::system::{Fire, Input, Transaction};

pub(super) fn expand_transactions(scope: &Scope<'_>) -> TokenStream {
    let functions = scope.system.transactions.iter().zip(&scope.transactions).map(|(it, ident)| expand_transaction(scope, it, ident));
    quote! { #(#functions)* }
}

/// What a transaction means, who does it and where.
pub(super) fn doc(scope: &Scope<'_>, transaction: &Transaction) -> Vec<String> {
    let actor = |id: &crate::model::ActorId| scope.system.actors[id.index()].name.as_str();
    let mut doc = vec![docs::sentence_or(transaction.doc.as_deref(), || format!("The transaction {}.", docs::code(&transaction.name)))];
    if !transaction.by.is_empty() {
        doc.push(format!("Triggered by {}.", docs::code_list(transaction.by.iter().map(actor), "or")));
    }
    if let Some(performer) = &transaction.performer {
        doc.push(format!("The work is done by {}.", docs::code(actor(performer))));
    }
    if let Some(text) = &transaction.on_failure {
        doc.push(docs::sentence(text));
    }
    if let Some(reason) = &transaction.inferred {
        doc.push(format!("Inferred: {}", docs::sentence(reason)));
    }
    doc
}

fn expand_transaction(scope: &Scope<'_>, transaction: &Transaction, function: &Ident) -> TokenStream {
    let facade = &scope.facade;
    let locals = scope.locals(&transaction.payload);
    let doc = docs::attributes(&doc(scope, transaction));
    let instances = Instances::of(scope, transaction);
    let keys = instances.named.iter().map(|part| &locals.keys[part.index()]);
    let inputs = transaction.payload.iter().zip(&locals.inputs).map(|(input, ident)| {
        let ty = scope.input_ty(input);
        quote! { #ident: #ty }
    });
    let born: Vec<_> = instances.born.iter().map(|part| &locals.keys[part.index()]).collect();
    let new_keys = instances.born.iter().map(|part| {
        let (key, method) = (&locals.keys[part.index()], scope.method("new", *part));
        quote! { let #key = unit.#method().map_err(Failure::store)?; }
    });
    let (returned, result) = match born.as_slice() {
        [] => (quote! { () }, quote! { () }),
        [only] => (quote! { U::Key }, quote! { #only }),
        several => {
            let keys = several.iter().map(|_| quote! { U::Key });
            (quote! { (#(#keys),*) }, quote! { (#(#several),*) })
        }
    };
    let load = expand_load(scope, &instances, &locals);
    let plan = expand_plan(scope, transaction, &instances, &locals);
    let checks = invariants::after(scope, transaction);
    let passes = |fire: &Fire| scope.machine(fire.part).has_effects() || scope.links_of(fire.part).next().is_some();
    let pass = if transaction.fire.iter().any(passes) {
        quote! { pass }
    } else {
        quote! { _pass }
    };
    // A rule or a payload may say in two conditions what one could.
    let odd =
        transaction.fire.iter().any(|fire| !fire.payload.is_empty() || scope.system.rules_for(fire.part, fire.event).next().is_some());
    let allow = odd.then(|| quote! { #[allow(clippy::all)] });
    let run = quote! {
        #facade::transact(
            unit,
            |unit| { #load },
            |world: &mut World<U>, #pass| { #plan },
            |unit, world| {
                let order = save(unit, world).map_err(Failure::store)?;
                #(#checks)*
                ::core::result::Result::Ok(order)
            },
        )
    };
    let body = if born.is_empty() {
        run
    } else {
        quote! {
            #run?;
            ::core::result::Result::Ok(#result)
        }
    };
    quote! {
        #doc
        #allow
        pub fn #function<U: UnitOfWork>(
            unit: &mut U,
            #(#keys: U::Key,)*
            #(#inputs,)*
        ) -> ::core::result::Result<#returned, Failure<U::Error>> {
            #(#new_keys)*
            #body
        }
    }
}

/// Which instances a transaction speaks of.
pub(crate) struct Instances {
    /// Of these the caller names one.
    pub(crate) named: Vec<PartId>,
    /// Of these one is born, with a key of its own.
    pub(crate) born: Vec<PartId>,
    /// These are loaded: first what is named, then what that belongs to.
    loaded: Vec<PartId>,
}

impl Instances {
    pub(crate) fn of(scope: &Scope<'_>, transaction: &Transaction) -> Self {
        let needed = scope.needed(transaction);
        let is_many = |part: &PartId| scope.part(*part).many;
        let birth = |part: &PartId| transaction.fire.iter().any(|fire| fire.part == *part && scope.is_birth(fire));
        let born: Vec<PartId> = needed.iter().copied().filter(|part| is_many(part) && birth(part)).collect();
        // What an instance belongs to is told by the instance, if that is there before.
        let told: BTreeSet<PartId> = needed
            .iter()
            .filter(|part| !born.contains(part) && scope.machine(**part).has_birth())
            .flat_map(|part| scope.system.owners(*part))
            .collect();
        let named: Vec<PartId> =
            needed.iter().copied().filter(|part| is_many(part) && !born.contains(part) && !told.contains(part)).collect();
        let mut loaded: Vec<PartId> = needed.iter().copied().filter(|part| !born.contains(part)).collect();
        // Owners after what they own: the longer the way up, the earlier.
        loaded.sort_by_key(|part| (std::cmp::Reverse(scope.system.owners(*part).count()), *part));
        Instances { named, born, loaded }
    }
}

/// Finds the instances.
fn expand_load(scope: &Scope<'_>, instances: &Instances, locals: &Locals) -> TokenStream {
    let facade = &scope.facade;
    let store = quote! { .map_err(Failure::store)? };
    let mut statements = Vec::new();
    let mut fields = Vec::new();
    for part in &instances.born {
        let (ident, key) = (&scope.parts[part.index()], &locals.keys[part.index()]);
        fields.push(quote! { #ident: #facade::Slot::new(::core::option::Option::Some(#key), ::core::option::Option::None) });
    }
    // A key that is known while loading, and whether it may be missing.
    for part in &instances.loaded {
        let (ident, key, load) = (&scope.parts[part.index()], &locals.keys[part.index()], scope.method("load", *part));
        let slot = ident;
        fields.push(quote! { #ident });
        let named = instances.named.contains(part);
        if scope.part(*part).many && !named {
            let owned = instances.loaded.iter().find(|it| scope.part(**it).of.is_some_and(|(owner, _)| owner == *part));
            let Some((owned_slot, field, optional)) = owned.and_then(|it| {
                let (_, ident, field) = scope.owner_field(*it)?;
                Some((&scope.parts[it.index()], ident, field.optional))
            }) else {
                continue;
            };
            let pick = if optional {
                quote! { and_then }
            } else {
                quote! { map }
            };
            statements.push(quote! {
                let #slot = match #owned_slot.now().#pick(|it| it.context().#field) {
                    ::core::option::Option::Some(#key) => #facade::Slot::new(::core::option::Option::Some(#key), unit.#load(#key)#store),
                    ::core::option::Option::None => #facade::Slot::empty(),
                };
            });
            continue;
        }
        let (key_tokens, argument) = if named {
            (quote! { ::core::option::Option::Some(#key) }, Some(quote! { #key }))
        } else if scope.needs_key(*part) {
            let method = scope.part_method(*part, "key");
            (quote! { ::core::option::Option::Some(unit.#method()#store) }, None)
        } else {
            (quote! { ::core::option::Option::None }, None)
        };
        let found = quote! { unit.#load(#argument)#store };
        statements.push(if scope.machine(*part).has_birth() {
            quote! { let #slot = #facade::Slot::new(#key_tokens, #found); }
        } else {
            let begin = expand_begin(scope, *part, locals);
            quote! { let #slot = #facade::Slot::found_or(#key_tokens, #found, #begin); }
        });
    }
    let needed: Vec<PartId> = instances.born.iter().chain(&instances.loaded).copied().collect();
    for part in needed.iter().filter(|part| scope.machine(**part).has_predicates()) {
        let method = scope.part_method(*part, "predicates");
        fields.push(quote! { #method: ::core::option::Option::Some(unit.#method()#store) });
    }
    let n_fields = scope.system.part_ids().map(|it| 1 + usize::from(scope.machine(it).has_predicates())).sum::<usize>();
    let rest = (fields.len() < n_fields).then(|| quote! { ..World::empty() });
    quote! {
        #(#statements)*
        ::core::result::Result::Ok(World { #(#fields,)* #rest })
    }
}

/// How a machine that needs no event begins when it is first spoken of.
fn expand_begin(scope: &Scope<'_>, part: PartId, locals: &Locals) -> TokenStream {
    let (path, machine) = (scope.path(part), &scope.machine(part).ident);
    match scope.owner_field(part) {
        Some((owner, field, declared)) => {
            let key = match scope.part(owner).many {
                true => {
                    let key = &locals.keys[owner.index()];
                    quote! { #key }
                }
                // The unit is of one owner.
                false => quote! { owner },
            };
            let key = if declared.optional {
                quote! { ::core::option::Option::Some(#key) }
            } else {
                key
            };
            let method = scope.part_method(owner, "key");
            let owner_key = (!scope.part(owner).many).then(|| quote! { let owner = unit.#method().map_err(Failure::store)?; });
            quote! {{
                #owner_key
                move || {
                    let mut machine = #path::#machine::new();
                    machine.context_mut().#field = #key;
                    machine
                }
            }}
        }
        None => quote! { #path::#machine::new },
    }
}

/// Rules, events and links.
fn expand_plan(scope: &Scope<'_>, transaction: &Transaction, instances: &Instances, locals: &Locals) -> TokenStream {
    let mut known: BTreeSet<PartId> = instances.named.iter().chain(&instances.born).copied().collect();
    let firing = Firing { scope, locals, inputs: &transaction.payload };
    let parts = scope.system.parts_of(transaction);
    let fires: Vec<&Fire> = transaction.fire.iter().collect();
    let present = firing.expand_present(&parts, &fires, &[], &mut known);
    let rules = fires.iter().map(|fire| firing.expand_rules(fire));
    let events = fires.iter().map(|fire| firing.expand_event(fire));
    let steps = fires.iter().map(|fire| firing.expand_step(fire));
    let effects = fires.iter().map(|fire| firing.expand_effects(fire));
    let puts = fires.iter().map(|fire| firing.expand_put(fire));
    let follows = fires.iter().map(|fire| {
        let change = &locals.changes[fire.part.index()];
        links::follow(scope, fire.part, &quote! { &#change })
    });
    quote! {
        #present
        #(#rules)*
        #(#events)*
        #(#steps)*
        #(#effects)*
        #(#puts)*
        #(#follows)*
        ::core::result::Result::Ok(())
    }
}

/// What transactions and links do alike: fire an event of a part, in locals.
pub(super) struct Firing<'a> {
    pub(super) scope: &'a Scope<'a>,
    pub(super) locals: &'a Locals,
    pub(super) inputs: &'a [Input],
}

impl Firing<'_> {
    fn reads(&self, taker: Option<PartId>) -> SystemReads<'_> {
        SystemReads { scope: self.scope, locals: self.locals, inputs: self.inputs, taker }
    }

    /// A condition in Rust.
    pub(super) fn condition(&self, expr: &Expr) -> TokenStream {
        value(expr, &self.reads(None))
    }

    /// Looks the parts up: they must be there, unless the event brings them into being.
    pub(super) fn expand_present(
        &self,
        parts: &[PartId],
        fires: &[&Fire],
        conditions: &[&Expr],
        known: &mut BTreeSet<PartId>,
    ) -> TokenStream {
        let scope = self.scope;
        let rules = fires.iter().flat_map(|fire| scope.system.rules_for(fire.part, fire.event)).map(|(_, rule)| &rule.require);
        let expressions: Vec<&Expr> = conditions.iter().copied().chain(fires.iter().flat_map(|fire| &fire.payload)).chain(rules).collect();
        let vars: BTreeSet<Var> = expressions.iter().flat_map(|it| it.vars()).collect();
        let fired = |part: PartId| fires.iter().find(|fire| fire.part == part);
        let statements = parts.iter().map(|part| {
            let (field, variant) = (&scope.parts[part.index()], &scope.part_variants[part.index()]);
            let missing = quote! { .ok_or(Refused::Missing(Part::#variant))? };
            let birth = fired(*part).is_some_and(|fire| scope.is_birth(fire));
            let read = vars.iter().any(|var| matches!(var, Var::PartState(it) | Var::PartContext(it, _) if it == part));
            let now = match (birth, read || fired(*part).is_some()) {
                (true, _) => None,
                (false, true) => {
                    let now = &self.locals.now[part.index()];
                    Some(quote! { let #now = world.#field.now()#missing; })
                }
                (false, false) => Some(quote! { world.#field.now()#missing; }),
            };
            let owns = fires.iter().any(|fire| scope.is_birth(fire) && scope.part(fire.part).of.is_some_and(|(owner, _)| owner == *part));
            let performs = fired(*part).is_some() && scope.part(*part).many && scope.machine(*part).has_effects();
            let needs_key = (vars.contains(&Var::PartId(*part)) || owns || performs) && known.insert(*part);
            let key = needs_key.then(|| {
                let key = &self.locals.keys[part.index()];
                quote! { let #key = world.#field.key()#missing; }
            });
            quote! { #now #key }
        });
        let statements: Vec<_> = statements.collect();
        quote! { #(#statements)* }
    }

    /// What must hold before the event.
    pub(super) fn expand_rules(&self, fire: &Fire) -> TokenStream {
        let rules = self.scope.system.rules_for(fire.part, fire.event).map(|(idx, rule)| {
            let (condition, idx) = (self.condition(&rule.require), number(idx));
            quote! {
                if !(#condition) {
                    return ::core::result::Result::Err(Refused::Rule(#idx).into());
                }
            }
        });
        quote! { #(#rules)* }
    }

    /// The event with its payload.
    pub(super) fn expand_event(&self, fire: &Fire) -> TokenStream {
        let module = self.scope.machine(fire.part);
        let path = self.scope.path(fire.part);
        let event = module.machine.event(fire.event);
        let (local, variant) = (&self.locals.events[fire.part.index()], &module.events[fire.event.index()]);
        let idents = module.field_idents(&event.payload);
        let reads = self.reads(Some(fire.part));
        let fields = event.payload.iter().zip(&idents).zip(&fire.payload).map(|((field, ident), expr)| {
            let value = if field.optional { optional_value(expr, &reads) } else { value(expr, &reads) };
            if *ident == value.to_string() {
                value
            } else {
                quote! { #ident: #value }
            }
        });
        let fields = (!event.payload.is_empty()).then(|| quote! { { #(#fields),* } });
        quote! { let #local = #path::Event::#variant #fields; }
    }

    /// The machine after the event, and the change.
    pub(super) fn expand_step(&self, fire: &Fire) -> TokenStream {
        let (scope, locals, idx) = (self.scope, self.locals, fire.part.index());
        let module = scope.machine(fire.part);
        let (event, now, next, change) = (&locals.events[idx], &locals.now[idx], &locals.next[idx], &locals.changes[idx]);
        let (field, variant) = (&scope.parts[idx], &scope.part_variants[idx]);
        let asking = module.has_predicates().then(|| {
            let method = scope.part_method(fire.part, "predicates");
            quote! { world.#method.as_ref().ok_or(Refused::Missing(Part::#variant))?, }
        });
        let refuse = quote! { .map_err(Refused::#variant)? };
        if !scope.is_birth(fire) {
            return quote! {
                let mut #next = ::core::clone::Clone::clone(#now);
                let #change = #next.apply(#event, #asking)#refuse;
            };
        }
        let born = self.expand_born(fire, &asking);
        if scope.part(fire.part).many {
            return quote! { let (#next, #change) = #born #refuse; };
        }
        let path = scope.path(fire.part);
        let facade = &scope.facade;
        let again = if module.has_dispatch() {
            quote! {
                let mut next = ::core::clone::Clone::clone(now);
                let change = next.apply(#event, #asking)#refuse;
                (next, change)
            }
        } else {
            quote! {
                let refused = #path::Refused::event_in(::core::option::Option::Some(now.state()), #event.kind(), #facade::Why::NoTransition);
                return ::core::result::Result::Err(Refused::#variant(refused).into());
            }
        };
        quote! {
            let (#next, #change) = match world.#field.now() {
                ::core::option::Option::Some(now) => { #again }
                ::core::option::Option::None => #born #refuse,
            };
        }
    }

    /// The birth of an instance, with what it belongs to.
    fn expand_born(&self, fire: &Fire, asking: &Option<TokenStream>) -> TokenStream {
        let (scope, locals) = (self.scope, self.locals);
        let module = scope.machine(fire.part);
        let (path, machine, event) = (scope.path(fire.part), &module.ident, &locals.events[fire.part.index()]);
        let Some((owner, field, declared)) = scope.owner_field(fire.part) else {
            return quote! { #path::#machine::born(#event, #asking) };
        };
        let key = &locals.keys[owner.index()];
        let key = if declared.optional {
            quote! { ::core::option::Option::Some(#key) }
        } else {
            quote! { #key }
        };
        let rest = (module.fields.len() > 1).then(|| quote! { ..::core::default::Default::default() });
        quote! { #path::#machine::born_with(#path::Context { #field: #key, #rest }, #event, #asking) }
    }

    /// The effects that are due in this pass.
    pub(super) fn expand_effects(&self, fire: &Fire) -> Option<TokenStream> {
        let (scope, locals, idx) = (self.scope, self.locals, fire.part.index());
        let module = scope.machine(fire.part);
        if !module.has_effects() {
            return None;
        }
        let (change, event, method) = (&locals.changes[idx], &locals.events[idx], scope.method("perform", fire.part));
        let key = scope.part(fire.part).many.then(|| {
            let key = &locals.keys[idx];
            quote! { #key, }
        });
        let event = module.effects_take_event().then(|| quote! { &#event, });
        Some(quote! { pass.perform(&#change, |unit, effect| unit.#method(#key #event effect))?; })
    }

    pub(super) fn expand_put(&self, fire: &Fire) -> TokenStream {
        let (field, next, change) =
            (&self.scope.parts[fire.part.index()], &self.locals.next[fire.part.index()], &self.locals.changes[fire.part.index()]);
        quote! { world.#field.put(#next, #change.commit()); }
    }
}

/// Who triggers a transaction, who does the work, and whether it must be atomic.
pub(super) fn expand_who(scope: &Scope<'_>) -> Option<TokenStream> {
    let transactions = &scope.system.transactions;
    if transactions.is_empty() {
        return None;
    }
    let n_transactions = number(transactions.len());
    let actors = (!scope.system.actors.is_empty()).then(|| {
        let by = transactions.iter().map(|it| {
            let actors = it.by.iter().map(|id| &scope.actors[id.index()]);
            quote! { &[#(Actor::#actors),*] }
        });
        let performers = transactions.iter().map(|it| match it.performer {
            Some(id) => {
                let actor = &scope.actors[id.index()];
                quote! { ::core::option::Option::Some(Actor::#actor) }
            }
            None => quote! { ::core::option::Option::None },
        });
        quote! {
            /// Who may trigger the transaction; anyone when empty.
            pub const fn by(self) -> &'static [Actor] {
                const BY: &[&[Actor]; #n_transactions] = &[#(#by),*];
                BY[self as usize]
            }

            /// Who does the work that the transaction starts, where that is somebody else.
            pub const fn performer(self) -> ::core::option::Option<Actor> {
                const PERFORMERS: &[::core::option::Option<Actor>; #n_transactions] = &[#(#performers),*];
                PERFORMERS[self as usize]
            }

            /// Whether this actor may trigger the transaction.
            pub fn may_be_triggered_by(self, actor: Actor) -> bool {
                self.by().is_empty() || self.by().contains(&actor)
            }
        }
    });
    let atomic: Vec<_> = transactions.iter().zip(&scope.transaction_variants).filter(|(it, _)| it.atomic).map(|(_, ident)| ident).collect();
    let atomic = match atomic.len() {
        0 => quote! { false },
        n_atomic if n_atomic == transactions.len() => quote! { true },
        _ => quote! { ::core::matches!(self, #(Transaction::#atomic)|*) },
    };
    Some(quote! {
        impl Transaction {
            #actors

            /// Whether the spec asks for one database transaction.
            pub const fn is_atomic(self) -> bool {
                #atomic
            }
        }
    })
}
