//! The parts as a transaction sees them: loading, reading and saving.

use proc_macro2::TokenStream;
use quote::quote;

use super::events;
use super::place::expand_place;
use crate::emit::doc_line;
use crate::emit::expr::{Scope, allow_conditions};
use crate::files::system::ir::{LoadOwner, Owner, Part, RoleRule, Slot, System, World};
use crate::lower::docs;

/// `struct World`, its methods and its `Clone`.
pub(super) fn expand_world(system: &System, world: &World) -> TokenStream {
    let facade = &system.env.facade;
    let fields: Vec<_> = world.slots.iter().map(|it| &it.field).collect();
    let types = world.slots.iter().map(|it| system.parts[it.part].machine.ty(&quote! { U }));
    let predicates: Vec<_> = world.slots.iter().filter_map(|it| it.predicates.as_ref()).collect();
    let asking = world.slots.iter().filter(|it| it.predicates.is_some());
    let predicate_types = asking.filter_map(|it| system.parts[it.part].methods.predicates.as_ref()).map(|(Answers, _)| Answers);
    let loads = world.slots.iter().map(|it| expand_loads(system, it));
    let reads = world.slots.iter().map(|it| expand_reads(system, it));
    let (require, role_rules) = (expand_require(system, world), expand_role_rules(system, world));
    let events = events::expand_events(system, world);
    let save = expand_save(system, world);
    quote! {
        /// The parts as a transaction sees them.
        struct World<U: UnitOfWork> {
            #(#fields: #facade::__private::Slot<#types, U::Key>,)*
            #(#predicates: __Option<U::#predicate_types>,)*
        }

        impl<U: UnitOfWork> World<U> {
            /// Nothing is loaded.
            const fn empty() -> Self {
                World {
                    #(#fields: #facade::__private::Slot::empty(),)*
                    #(#predicates: __None,)*
                }
            }

            #(#loads)*
            #(#reads)*
            #require
            #role_rules
            #events
            #save
        }

        impl<U: UnitOfWork> __Clone for World<U> {
            fn clone(&self) -> Self {
                World {
                    #(#fields: __Clone::clone(&self.#fields),)*
                    #(#predicates: __Clone::clone(&self.#predicates),)*
                }
            }
        }
    }
}

/// `load_hop`, `load_mission_of_hop` and `new_hop`.
fn expand_loads(system: &System, slot: &Slot) -> TokenStream {
    let part = &system.parts[slot.part];
    let load = slot.load.as_ref().map(|method| {
        let (parameter, key) = if part.many { (Some(quote! { , key: U::Key }), Some(quote! { key })) } else { (None, None) };
        let (slot_value, docs) = (expand_slot(system, slot, part, key), doc_line(&format!("Loads the {}.", docs::code(&slot.name))));
        expand_load(slot, part, quote! { #docs fn #method(mut self, unit: &mut U #parameter) }, slot_value)
    });
    let load_owner = slot.load_owner.iter().map(|it| expand_load_owner(system, slot, part, it));
    let make = slot.make.as_ref().map(|method| {
        let facade = &system.env.facade;
        let docs = doc_line(&format!("Makes place for a new {}.", docs::code(&slot.name)));
        let value = quote! { #facade::__private::Slot::new(__Some(key), __None) };
        if slot.predicates.is_some() {
            return expand_load(slot, part, quote! { #docs fn #method(mut self, unit: &mut U, key: U::Key) }, value);
        }
        let field = &slot.field;
        quote! {
            #docs
            fn #method(mut self, key: U::Key) -> Self {
                self.#field = #value;
                self
            }
        }
    });
    quote! { #load #(#load_owner)* #make }
}

/// A method that stores a value in a slot, and requests the predicates.
fn expand_load(slot: &Slot, part: &Part, signature: TokenStream, value: TokenStream) -> TokenStream {
    let field = &slot.field;
    let predicates = expand_ask(slot, part);
    quote! {
        #signature -> __Result<Self, U::Error> {
            self.#field = #value;
            #predicates
            __Ok(self)
        }
    }
}

fn expand_ask(slot: &Slot, part: &Part) -> Option<TokenStream> {
    let field = slot.predicates.as_ref()?;
    let (_, method) = part.methods.predicates.as_ref()?;
    Some(quote! { self.#field = __Some(unit.#method()?); })
}

/// The slot of the instance with this key, or of the single instance.
fn expand_slot(system: &System, slot: &Slot, part: &Part, key: Option<TokenStream>) -> TokenStream {
    let (facade, load) = (&system.env.facade, &part.methods.load);
    let found = quote! { unit.#load(#key)? };
    let key = match (&key, &part.methods.key) {
        (Some(key), _) => quote! { __Some(#key) },
        (None, Some(method)) => quote! { __Some(unit.#method()?) },
        (None, None) => quote! { __None },
    };
    if part.machine.has_creation {
        return quote! { #facade::__private::Slot::new(#key, #found) };
    }
    let begin = expand_begin(slot, part);
    match &slot.owner {
        Some(Owner { field, by, .. }) => {
            let belongs = quote! { |it| it.context().#by == self.#field.key() };
            quote! { #facade::__private::Slot::owned_or(#key, #found, #belongs, #begin) }
        }
        None => quote! { #facade::__private::Slot::found_or(#key, #found, #begin) },
    }
}

/// The creation of a machine without a creation event, with its owner.
fn expand_begin(slot: &Slot, part: &Part) -> TokenStream {
    let (path, Machine) = (&part.machine.path, &part.machine.ident);
    let Some(owner) = &slot.owner else { return quote! { #path::#Machine::new } };
    let (field, by, rest) = (&owner.field, &owner.by, owner.rest.then(|| quote! { , ..__Default::default() }));
    quote! { || #path::#Machine::restore(#path::State::INITIAL, #path::Context { #by: self.#field.key() #rest }) }
}

fn expand_load_owner(system: &System, slot: &Slot, part: &Part, load: &LoadOwner) -> TokenStream {
    let (method, field, (owned, owned_field), by) = (&load.method, &slot.field, &load.owned, &load.by);
    let docs = doc_line(&format!("Loads the {} that the {} belongs to.", docs::code(&slot.name), docs::code(owned)));
    let (value, predicates) = (expand_slot(system, slot, part, Some(quote! { key })), expand_ask(slot, part));
    quote! {
        #docs
        fn #method(mut self, unit: &mut U) -> __Result<Self, U::Error> {
            if let __Some(key) = self.#owned_field.now().and_then(|it| it.context().#by) {
                self.#field = #value;
            }
            #predicates
            __Ok(self)
        }
    }
}

/// `hop` and `hop_id`.
fn expand_reads(system: &System, slot: &Slot) -> TokenStream {
    let (part, field) = (&system.parts[slot.part], &slot.field);
    let (variant, ty, name) = (&part.variant, part.machine.ty(&quote! { U }), docs::code(&slot.name));
    let place = expand_place(slot, false);
    let get = slot.get.as_ref().map(|method| {
        let docs = doc_line(&format!("The {name}, which must be there."));
        quote! {
            #docs
            fn #method(&self) -> __Result<&#ty, Refused> {
                #place.now().ok_or(Refused::Missing(Part::#variant))
            }
        }
    });
    let id = slot.id.as_ref().map(|method| {
        let docs = doc_line(&format!("The key of the {name}."));
        quote! {
            #docs
            fn #method(&self) -> __Result<U::Key, Refused> {
                self.#field.key().ok_or(Refused::Missing(Part::#variant))
            }
        }
    });
    quote! { #get #id }
}

/// The conditions of rules about parts, for roles of these.
fn expand_role_rules(system: &System, world: &World) -> TokenStream {
    let methods = world.role_rules.iter().map(|RoleRule { method, rule, role, condition }| {
        let docs = doc_line(&format!("Returns an error if the rule does not hold for the {}.", docs::code(role)));
        let allow = allow_conditions(std::iter::once(condition), &system.env);
        let condition = Scope::constant(&system.env).expand(condition);
        quote! {
            #docs
            #allow
            fn #method(&self) -> __Result<(), Refused> {
                let holds = #condition;
                if holds { __Ok(()) } else { __Err(Refused::Rule(Rule::#rule)) }
            }
        }
    });
    methods.collect()
}

/// The conditions of the rules.
fn expand_require(system: &System, world: &World) -> Option<TokenStream> {
    if world.rules.is_empty() {
        return None;
    }
    let scope = Scope::constant(&system.env);
    let arms = world.rules.iter().map(|(rule, condition)| {
        let condition = scope.expand(condition);
        quote! { Rule::#rule => #condition }
    });
    let allow = allow_conditions(world.rules.iter().map(|(_, condition)| condition), &system.env);
    Some(quote! {
        /// Returns an error if the rule does not hold.
        #allow
        fn require(&self, rule: Rule) -> __Result<(), Refused> {
            let holds = match rule {
                #(#arms,)*
            };
            if holds { __Ok(()) } else { __Err(Refused::Rule(rule)) }
        }
    })
}

/// Saving, and checking the invariants that a change may break.
fn expand_save(system: &System, world: &World) -> TokenStream {
    let facade = &system.env.facade;
    let changing: Vec<&Slot> = world.slots.iter().filter(|it| it.fire.is_some() || it.create.is_some()).collect();
    let saves = changing.iter().map(|slot| {
        let (part, field) = (&system.parts[slot.part], &slot.field);
        let save = &part.methods.save;
        if part.many {
            quote! { self.#field.save_by_key(|key, before, after| unit.#save(key, before, after)).map_err(Failure::store)?; }
        } else {
            quote! { self.#field.save(|before, after| unit.#save(before, after)).map_err(Failure::store)?; }
        }
    });
    let checks = world.checks.chunk_by(|a, b| a.0 == b.0).map(|alike| {
        let (fields, invariants) = (&alike[0].0, alike.iter().map(|(_, invariant)| invariant));
        quote! {
            if #(self.#fields.is_changed())||* {
                #(Invariant::#invariants.check(unit)?;)*
            }
        }
    });
    let orders = changing.iter().map(|it| &it.field).map(|field| quote! { self.#field.order() });
    let order = orders.reduce(|least, order| quote! { #least.min(#order) });
    let docs = if world.checks.is_empty() {
        doc_line("Saves the parts that changed, and says when the store is written.")
    } else {
        doc_line("Saves the parts that changed, checks the invariants that read these, and says when the store is written.")
    };
    quote! {
        #docs
        fn save(&self, unit: &mut U) -> __Result<#facade::Commit, Failure<U::Error>> {
            #(#saves)*
            #(#checks)*
            __Ok(#order)
        }
    }
}
