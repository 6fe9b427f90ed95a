//! The events, with and without their payloads.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use statespec_lang::names::ident;

use super::arm::expand_binding;
use super::data::{Data, DataVariant, Words};
use super::unit_enum::expand_unit_enum;
use super::{doc_line, number};
use crate::ir::{Events, Machine, UnitEnum, Variant};

const WORDS: Words = Words {
    ty: "An event, with the data that it carries.",
    kind: "The event without its payload.",
    borrowed: "The event with its texts borrowed, as a machine takes it: a stored or received event owns them.",
};

/// `EventKind`, `Event` with the payloads and, in a machine with timers, `Recorded`.
pub(super) fn expand_events(m: &Machine) -> Option<TokenStream> {
    let events = m.events.as_ref()?;
    let event = match (m.has_payload(), m.has_timers()) {
        (true, false) => all(m, events).expand(m),
        (false, false) => expand_plain_event(m),
        (true, true) => {
            let recorded = all(m, events).expand(m);
            let input = inputs(m, events).expand(m);
            let from = expand_from_input(m, events);
            quote! { #input #recorded #from }
        }
        (false, true) => {
            let recorded = all(m, events).expand(m);
            let (input, from) = (expand_plain_input(m, events), expand_from_input(m, events));
            quote! { #input #recorded #from }
        }
    };
    let (kinds, facts) = (expand_kinds(m, events), expand_facts(m, events));
    Some(quote! { #event #kinds #facts })
}

/// `EventKind`. Where `Event` is another type, each event is described there, and each timer here.
fn expand_kinds(m: &Machine, events: &Events) -> TokenStream {
    if !m.has_payload() && !m.has_timers() {
        return expand_unit_enum(&events.kinds, &m.env);
    }
    let variants = events.kinds.variants.iter().map(|it| Variant { doc: doc_elsewhere(m, it), ..it.clone() });
    expand_unit_enum(&UnitEnum { variants: variants.collect(), ..events.kinds.clone() }, &m.env)
}

/// The description of an event in a type beside `Event`, which has it.
fn doc_elsewhere(m: &Machine, event: &Variant) -> Vec<String> {
    let Input = &m.types.input;
    match m.is_timer(&event.ident) {
        true => event.doc.clone(),
        false => vec![format!("See [`{Input}::{}`].", event.ident)],
    }
}

/// `let event: Recorded = event.into();`, where these are two types.
pub(super) fn expand_recorded(m: &Machine) -> Option<TokenStream> {
    let ty = m.event_ty_for(quote! {});
    m.has_timers().then(|| quote! { let event: #ty = __From::from(event); })
}

/// Everything that can happen.
fn all<'m>(m: &'m Machine, events: &'m Events) -> Data<'m> {
    let ty = match m.has_timers() {
        true => "What has happened, as a history records it: an event with the data that it carries, or a timer that has elapsed.",
        false => WORDS.ty,
    };
    // Without payloads, there is no list of them.
    let payload = |idx: usize| events.payloads.get(idx).into_iter().flatten().collect();
    let variants = events.kinds.variants.iter().enumerate().map(|(idx, variant)| DataVariant {
        variant,
        doc: if m.has_timers() { doc_elsewhere(m, variant) } else { variant.doc.clone() },
        fields: payload(idx),
    });
    Data {
        ident: &m.types.event,
        kind: &m.types.event_kind,
        params: m.generics.of_event,
        words: Words { ty, ..WORDS },
        attributes: &events.attributes,
        variants: variants.collect(),
    }
}

/// What a caller can raise.
fn inputs<'m>(m: &'m Machine, events: &'m Events) -> Data<'m> {
    let mut inputs = all(m, events);
    inputs.variants.retain(|it| !m.is_timer(&it.variant.ident));
    inputs.variants.iter_mut().for_each(|it| it.doc.clone_from(&it.variant.doc));
    Data {
        ident: &m.types.input,
        words: Words { ty: "An event that a caller can raise, with the data that it carries.", ..WORDS },
        ..inputs
    }
}

impl Machine {
    /// Whether an event is a timer.
    fn is_timer(&self, event: &Ident) -> bool {
        self.timers.iter().any(|it| it.event == *event)
    }
}

/// Without payloads and timers, an event is equal to its kind.
fn expand_plain_event(m: &Machine) -> TokenStream {
    let (Event, EventKind, vis, attributes) = (&m.types.event, &m.types.event_kind, &m.env.visibility, &m.env.attributes);
    quote! {
        /// An event. No event carries data, so an event is its kind.
        #attributes
        #vis type #Event = #EventKind;

        #attributes
        impl #EventKind {
            /// The event without its payload: itself.
            #[inline]
            #vis const fn kind(&self) -> #EventKind {
                *self
            }
        }
    }
}

/// The events that a caller can raise, none of which carries data.
fn expand_plain_input(m: &Machine, events: &Events) -> TokenStream {
    let (Input, vis, attributes) = (&m.types.input, &m.env.visibility, &m.env.attributes);
    let inputs = inputs(m, events);
    if inputs.variants.is_empty() {
        return inputs.expand(m);
    }
    let definition = UnitEnum {
        ident: Input.clone(),
        kind: events.kinds.kind.clone(),
        doc: vec!["The events that a caller can raise.".into()],
        variants: inputs.variants.iter().map(|it| it.variant.clone()).collect(),
        ignore_case: events.kinds.ignore_case,
        attributes: events.attributes.clone(),
    };
    let (definition, kind) = (expand_unit_enum(&definition, &m.env), inputs.expand_kind());
    quote! {
        #definition

        #attributes
        impl #Input {
            /// The name of the event.
            #[inline]
            #vis const fn kind(&self) -> #kind
        }
    }
}

/// `From<Event> for Recorded`: what a caller raises happens.
fn expand_from_input(m: &Machine, events: &Events) -> TokenStream {
    let (Event, Input, attributes) = (&m.types.event, &m.types.input, &m.env.impl_attributes);
    let arguments = m.generics.arguments(m.generics.of_event);
    let arms = inputs(m, events).variants.into_iter().map(|DataVariant { variant, fields, .. }| {
        let ident = &variant.ident;
        let bindings: Vec<_> = fields.iter().map(|field| expand_binding(&field.ident, &field.local)).collect();
        let payload = (!bindings.is_empty()).then(|| quote! { { #(#bindings),* } });
        quote! { #Input::#ident #payload => #Event::#ident #payload }
    });
    quote! {
        #attributes
        impl #arguments __From<#Input #arguments> for #Event #arguments {
            #[inline]
            fn from(event: #Input #arguments) -> Self {
                match event {
                    #(#arms,)*
                }
            }
        }
    }
}

/// `is_timer`
fn expand_is_timer(m: &Machine) -> Option<TokenStream> {
    let (EventKind, vis) = (&m.types.event_kind, &m.env.visibility);
    let timers = m.timers.iter().map(|it| &it.event);
    m.has_timers().then(|| {
        quote! {
            /// Whether this is a timer: it elapses, and nobody raises it.
            #vis const fn is_timer(self) -> bool {
                __Matches!(self, #(#EventKind::#timers)|*)
            }
        }
    })
}

/// The facts about each event: whether it is a timer, the actors that may raise it, and the one that does its work.
fn expand_facts(m: &Machine, events: &Events) -> TokenStream {
    let (EventKind, Actor, facade) = (&m.types.event_kind, &m.types.actor, &m.env.facade);
    let (attributes, impl_attributes) = (&m.env.attributes, &m.env.impl_attributes);
    let is_timer = expand_is_timer(m);
    let actors = events.actors.as_ref().map(|it| expand_actors(m, it));
    let methods = (is_timer.is_some() || actors.is_some()).then(|| {
        quote! {
            #attributes
            impl #EventKind {
                #is_timer
                #actors
            }
        }
    });
    let actor = match actors {
        Some(_) => quote! { #Actor },
        None => quote! { #facade::Never },
    };
    let listed = [("is_timer", is_timer.is_some()), ("by", actors.is_some()), ("performer", actors.is_some())];
    let listed: Vec<_> = listed.into_iter().filter(|it| it.1).map(|it| ident(it.0)).collect();
    let forwarded = (!listed.is_empty()).then(|| quote! { #facade::__event!(#(#listed),*); });
    quote! {
        #methods

        #impl_attributes
        impl #facade::Event for #EventKind {
            type Actor = #actor;
            #forwarded
        }
    }
}

/// `by`, `performer` and `may_be_raised_by`.
fn expand_actors(m: &Machine, actors: &[(Vec<Ident>, Option<Ident>)]) -> TokenStream {
    let (Actor, facade, vis) = (&m.types.actor, &m.env.facade, &m.env.visibility);
    let n_events = number(actors.len());
    let by = actors.iter().map(|(by, _)| quote! { &[#(#Actor::#by),*] });
    // If no event has a separate performer, there is no table of them.
    let is_performed = actors.iter().any(|(_, performer)| performer.is_some());
    let performer = is_performed.then(|| {
        let performers = actors.iter().map(|(_, performer)| match performer {
            Some(performer) => quote! { __Some(#Actor::#performer) },
            None => quote! { __None },
        });
        quote! {
            /// The actor that carries out the work, if not the one that raises the event.
            #vis const fn performer(self) -> __Option<#Actor> {
                const PERFORMERS: &[__Option<#Actor>; #n_events] = &[#(#performers),*];
                PERFORMERS[self as usize]
            }
        }
    });
    let without = (!is_performed).then(|| quote! { , no performer });
    let by_doc = doc_line(match m.has_timers() {
        true => "The actors that may raise the event; any actor when empty, and none if this is a timer.",
        false => "The actors that may raise the event; any actor when empty.",
    });
    quote! {
        #by_doc
        #vis const fn by(self) -> &'static [#Actor] {
            const BY: &[&[#Actor]; #n_events] = &[#(#by),*];
            BY[self as usize]
        }

        #performer

        #facade::__raised_by!(#vis #Actor #without);
    }
}
