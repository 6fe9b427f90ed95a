//! Raising events in the parts, and following their links.

use proc_macro2::TokenStream;
use quote::quote;

use super::place::expand_place;
use super::transactions::{expand_fire, expand_follow, expand_rule_check};
use crate::emit::expr::{Scope, allow_conditions};
use crate::emit::{doc, doc_line};
use crate::files::system::ir::{Create, Crossed, FollowMethod, Link, LinkCall, Part, Slot, System, World};
use crate::lower::docs;

pub(super) fn expand_events(system: &System, world: &World) -> TokenStream {
    let methods = world.slots.iter().map(|slot| {
        let fire = slot.fire.as_ref().map(|_| expand_fire_method(system, slot));
        let create = slot.create.as_ref().map(|create| expand_create(system, slot, create));
        let follow = slot.follow.as_ref().map(|follow| expand_follow_method(system, slot, follow));
        quote! { #fire #create #follow }
    });
    let links = world.links.iter().map(|link| expand_link(system, link));
    quote! { #(#methods)* #(#links)* }
}

/// `, phase: &mut Phase<'_, U>`
fn expand_phase(system: &System, name: TokenStream) -> TokenStream {
    let facade = &system.env.facade;
    quote! { , #name: &mut #facade::__private::Phase<'_, U> }
}

/// The parameters and the result of a method that raises an event.
fn expand_signature(system: &System, slot: &Slot, part: &Part, event_ty: TokenStream, phase: TokenStream) -> TokenStream {
    let path = &part.machine.path;
    let phase = expand_phase(system, phase);
    // Only links read the change.
    let change = if slot.follow.is_some() {
        quote! { #path::Change }
    } else {
        quote! { () }
    };
    quote! { (&mut self, event: #event_ty #phase) -> __Result<#change, Failure<U::Error>> }
}

fn expand_fire_method(system: &System, slot: &Slot) -> TokenStream {
    let part = &system.parts[slot.part];
    let facade = &system.env.facade;
    let (method, get, variant, path) = (&slot.fire, &slot.get, &part.variant, &part.machine.path);
    let docs = doc_line(&format!("Raises an event in the {}.", docs::code(&slot.name)));
    if !part.machine.has_dispatch {
        let signature = expand_signature(system, slot, part, part.machine.event_ty(&quote! { U }), quote! { _phase });
        return quote! {
            #docs
            fn #method #signature {
                let state = self.#get()?.state();
                let reason = #facade::Reason::NoTransition;
                __Err(Refused::#variant(#path::Refused::of_event(__Some(state), event.kind(), reason, __None)).into())
            }
        };
    }
    let event_ty = part.machine.event_ty(&quote! { U });
    let (signature, predicates) = (expand_signature(system, slot, part, event_ty, quote! { phase }), expand_predicates(slot, part));
    let end = expand_end(system, slot, part);
    // A transaction may fire a timer, which no caller of the machine can raise.
    let apply = if part.machine.has_timers {
        quote! { replay }
    } else {
        quote! { apply }
    };
    let argument = predicates.as_ref().map(|_| quote! { , predicates });
    quote! {
        #docs
        fn #method #signature {
            #predicates
            let mut next = __Clone::clone(self.#get()?);
            let change = next.#apply(event #argument).map_err(Refused::#variant)?;
            #end
        }
    }
}

fn expand_create(system: &System, slot: &Slot, create: &Create) -> TokenStream {
    let part = &system.parts[slot.part];
    let (method, variant) = (&create.method, &part.variant);
    let (path, Machine) = (&part.machine.path, &part.machine.ident);
    let event_ty = part.machine.input_ty(&quote! { U });
    let (signature, predicates) = (expand_signature(system, slot, part, event_ty, quote! { phase }), expand_predicates(slot, part));
    let argument = predicates.as_ref().map(|_| quote! { , predicates });
    let into = part.machine.has_timers.then(|| quote! { .into() });
    // Effects take the event as one of all that can happen.
    let recorded =
        (part.machine.has_timers && part.methods.perform.is_some()).then(|| quote! { let event = #path::Recorded::from(event); });
    let created = match &create.owner {
        Some(owner) => {
            let (owner_field, by) = (&owner.field, &owner.by);
            let rest = owner.rest.then(|| quote! { , ..__Default::default() });
            quote! { #path::#Machine::create_with(#path::Context { #by: self.#owner_field.key() #rest }, event #argument) }
        }
        None => quote! { #path::#Machine::create(event #argument) },
    };
    let anew = (!create.in_memory.is_empty()).then(|| {
        let events = &create.in_memory;
        quote! { && !__Matches!(event.kind(), #(#path::EventKind::#events)|*) }
    });
    let there = create.or_fire.as_ref().map(|fire| {
        let place = expand_place(slot, false);
        quote! {
            if #place.now().is_some() #anew {
                return self.#fire(event #into, phase);
            }
        }
    });
    let docs = doc_line(&match &there {
        Some(_) if anew.is_some() => {
            let events: Vec<String> = create.in_memory.iter().map(ToString::to_string).collect();
            let events = docs::code_list(events.iter().map(String::as_str), "or");
            format!("Creates the {}; one that is there gets the event, but {events} creates it anew.", docs::code(&slot.name))
        }
        Some(_) => format!("Creates the {}; one that is there gets the event.", docs::code(&slot.name)),
        None => format!("Creates {}.", docs::one(&slot.name)),
    });
    let end = expand_end(system, slot, part);
    quote! {
        #docs
        fn #method #signature {
            #there
            #predicates
            let (next, change) = #created.map_err(Refused::#variant)?;
            #recorded
            #end
        }
    }
}

/// The predicates, which were requested when the part was loaded.
fn expand_predicates(slot: &Slot, part: &Part) -> Option<TokenStream> {
    let (field, variant) = (slot.predicates.as_ref()?, &part.variant);
    Some(quote! { let predicates = self.#field.as_ref().ok_or(Refused::Missing(Part::#variant))?; })
}

/// The effects that are due, and the change.
fn expand_end(system: &System, slot: &Slot, part: &Part) -> TokenStream {
    let place = expand_place(slot, true);
    let (key, key_argument) = match (&slot.id, part.many && part.methods.perform.is_some()) {
        (Some(id), true) => (Some(quote! { let key = self.#id()?; }), Some(quote! { key, })),
        _ => (None, None),
    };
    let facade = &system.env.facade;
    let perform = match &part.methods.perform {
        Some(perform) => quote! {
            |unit, effect, step| #facade::Effects::effect(&next, effect, step, __Some(&event)).map_or(__Ok(()), |it| unit.#perform(#key_argument it))
        },
        None => quote! { |_, effect, _| match effect {} },
    };
    let change = if slot.follow.is_some() {
        quote! { change }
    } else {
        quote! { () }
    };
    quote! {
        #key
        phase.end(event.kind(), &change, #perform)?;
        #place.put(next, change.commit());
        __Ok(#change)
    }
}

fn expand_follow_method(system: &System, slot: &Slot, follow: &FollowMethod) -> TokenStream {
    let part = &system.parts[slot.part];
    let (path, method) = (&part.machine.path, &follow.method);
    let phase = expand_phase(system, quote! { phase });
    let blocks = follow.crossings.iter().map(|(crossed, calls)| {
        let (crossed, calls) = (expand_crossed(crossed), calls.iter().map(|it| expand_link_call(system, it)));
        quote! { if #crossed { #(#calls)* } }
    });
    // A crossing with one optional link is an `if` inside an `if`.
    let nested = follow.crossings.iter().any(|(_, calls)| matches!(calls.as_slice(), [only] if only.follow.is_some()));
    let allow = nested.then(|| quote! { #[allow(clippy::collapsible_if)] });
    let docs = doc_line(&format!("Raises the events of the links that watch the {}.", docs::code(&slot.name)));
    quote! {
        #docs
        #allow
        fn #method(&mut self, change: &#path::Change #phase) -> __Result<(), Failure<U::Error>> {
            for step in change.steps() {
                #(#blocks)*
            }
            __Ok(())
        }
    }
}

fn expand_crossed(crossed: &Crossed) -> TokenStream {
    match crossed {
        Crossed::Enters(state) => quote! { step.enters(#state) },
        Crossed::Leaves(state) => quote! { step.leaves(#state) },
        Crossed::EntersNode(composite) => quote! { step.enters_node(#composite.node()) },
        Crossed::LeavesNode(composite) => quote! { step.leaves_node(#composite.node()) },
        Crossed::EntersComposite(composite) => quote! { step.enters_composite(|it| it.is_in(#composite)) },
        Crossed::LeavesComposite(composite) => quote! { step.leaves_composite(|it| it.is_in(#composite)) },
    }
}

fn expand_link_call(system: &System, call: &LinkCall) -> TokenStream {
    let (facade, method) = (&system.env.facade, &call.method);
    match (call.optional, &call.follow) {
        (false, _) => quote! { self.#method(phase)?; },
        (true, None) => quote! { #facade::__private::optional(self.#method(phase))?; },
        (true, Some(follow)) => quote! {
            if let __Some(change) = #facade::__private::optional(self.#method(phase))? {
                self.#follow(&change, phase)?;
            }
        },
    }
}

/// One link; it has no effect if its condition does not hold.
fn expand_link(system: &System, link: &Link) -> TokenStream {
    let (docs, method) = (doc(&link.doc), &link.method);
    let phase = expand_phase(system, quote! { phase });
    let (ty, nothing) = match &link.change {
        Some(Change) => (quote! { __Option<#Change> }, quote! { __Ok(__None) }),
        None => (quote! { () }, quote! { __Ok(()) }),
    };
    let when = link.when.as_ref().map(|(present, condition)| {
        let condition = Scope::constant(&system.env).expand(condition);
        quote! {
            #(self.#present()?;)*
            let fires = #condition;
            if !fires {
                return #nothing;
            }
        }
    });
    let (present, rules) = (&link.present, link.rules.iter().map(|it| expand_rule_check(it, &quote! { self })));
    let copy = link.copies.then(|| quote! { let before = __Clone::clone(self); });
    let call = expand_fire(&system.env, &link.fire, &quote! { self });
    let body = match (&link.change, &link.fire.follow, expand_follow(&link.fire, &quote! { self })) {
        (Some(_), ..) => quote! { #call.map(__Some) },
        (None, Some((change, _)), Some(follow)) => quote! { let #change = #call?; #follow },
        (None, ..) => call,
    };
    let values = link.fire.payload.iter().map(|(_, value)| value).chain(link.when.as_ref().map(|(_, condition)| condition));
    let allow = allow_conditions(values, &system.env);
    quote! {
        #docs
        #allow
        fn #method(&mut self #phase) -> __Result<#ty, Failure<U::Error>> {
            #when
            #(self.#present()?;)*
            #(#rules)*
            #copy
            #body
        }
    }
}
