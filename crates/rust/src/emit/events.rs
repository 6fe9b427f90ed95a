//! The events, with and without their payloads.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use statespec_lang::names::{ident, snake_by_capitals};

use super::dispatch::expand_binding;
use super::unit_enum::expand_unit_enum;
use super::{doc, doc_line, number};
use crate::ir::{Events, Field, Machine, Optional, UnitEnum, Variant};

/// `EventKind`, `Event` with the payloads and, in a machine with timers, `Recorded`.
pub(super) fn expand_events(m: &Machine) -> Option<TokenStream> {
    let events = m.events.as_ref()?;
    let event = match (m.has_payload(), m.has_timers()) {
        (true, false) => expand_event(m, events, &Variants::all(m, events)),
        (false, false) => expand_plain_event(m),
        (true, true) => {
            let recorded = expand_event(m, events, &Variants::all(m, events));
            let input = expand_event(m, events, &Variants::inputs(m, events));
            let from = expand_from_input(m, events);
            quote! { #input #recorded #from }
        }
        (false, true) => {
            let recorded = expand_event(m, events, &Variants::all(m, events));
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
    let (ty, from) = (m.event_ty_for(quote! {}), &m.env.prelude.from);
    m.has_timers().then(|| quote! { let event: #ty = #from::from(event); })
}

/// The variants of one of the types of events, with their payloads.
struct Variants<'m> {
    ident: &'m Ident,
    doc: &'static str,
    list: Vec<(&'m Variant, &'m [Field])>,
}

impl<'m> Variants<'m> {
    /// Everything that can happen.
    fn all(m: &'m Machine, events: &'m Events) -> Self {
        let doc = match m.has_timers() {
            true => "What has happened, as a history records it: an event with the data that it carries, or a timer that has elapsed.",
            false => "An event, with the data that it carries.",
        };
        // Without payloads, there is no list of them.
        let payload = |idx: usize| events.payloads.get(idx).map_or(&[][..], Vec::as_slice);
        let list = events.kinds.variants.iter().enumerate().map(|(idx, it)| (it, payload(idx)));
        Variants { ident: &m.types.event, doc, list: list.collect() }
    }

    /// What a caller can raise.
    fn inputs(m: &'m Machine, events: &'m Events) -> Self {
        let mut inputs = Self::all(m, events);
        inputs.list.retain(|(variant, _)| !m.is_timer(&variant.ident));
        Variants { ident: &m.types.input, doc: "An event that a caller can raise, with the data that it carries.", ..inputs }
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
    let inputs = Variants::inputs(m, events);
    if inputs.list.is_empty() {
        return expand_event(m, events, &inputs);
    }
    let definition = UnitEnum {
        ident: Input.clone(),
        kind: events.kinds.kind.clone(),
        doc: vec!["The events that a caller can raise.".into()],
        variants: inputs.list.iter().map(|(variant, _)| (*variant).clone()).collect(),
        ignore_case: events.kinds.ignore_case,
        attributes: events.attributes.clone(),
    };
    let (definition, kind) = (expand_unit_enum(&definition, &m.env), expand_kind(m, &inputs));
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
    let (Event, Input, from, attributes) = (&m.types.event, &m.types.input, &m.env.prelude.from, &m.env.impl_attributes);
    let arguments = m.generics.arguments(m.generics.of_event);
    let inputs = Variants::inputs(m, events);
    let arms = inputs.list.iter().map(|(variant, fields)| {
        let ident = &variant.ident;
        let bindings: Vec<_> = fields.iter().map(|field| expand_binding(&field.ident, &field.local)).collect();
        let payload = (!bindings.is_empty()).then(|| quote! { { #(#bindings),* } });
        quote! { #Input::#ident #payload => #Event::#ident #payload }
    });
    quote! {
        #attributes
        impl #arguments #from<#Input #arguments> for #Event #arguments {
            #[inline]
            fn from(event: #Input #arguments) -> Self {
                match event {
                    #(#arms,)*
                }
            }
        }
    }
}

/// `EventKind { match … }`: the result and the body of `kind`.
fn expand_kind(m: &Machine, variants: &Variants<'_>) -> TokenStream {
    let (Event, EventKind) = (variants.ident, &m.types.event_kind);
    let arms = variants.list.iter().map(|(variant, fields)| {
        let (ident, rest) = (&variant.ident, (!fields.is_empty()).then(|| quote! { { .. } }));
        quote! { #Event::#ident #rest => #EventKind::#ident }
    });
    // A reference to a type without values could still be matched.
    let subject = if variants.list.is_empty() {
        quote! { *self }
    } else {
        quote! { self }
    };
    quote! { #EventKind { match #subject { #(#arms,)* } } }
}

/// `is_timer`
fn expand_is_timer(m: &Machine) -> Option<TokenStream> {
    let (EventKind, vis, matches) = (&m.types.event_kind, &m.env.visibility, &m.env.prelude.matches);
    let timers = m.timers.iter().map(|it| &it.event);
    m.has_timers().then(|| {
        quote! {
            /// Whether this is a timer: it elapses, and nobody raises it.
            #vis const fn is_timer(self) -> bool {
                #matches(self, #(#EventKind::#timers)|*)
            }
        }
    })
}

fn expand_event(m: &Machine, events: &Events, variants: &Variants<'_>) -> TokenStream {
    let (Event, vis, attributes) = (variants.ident, &m.env.visibility, &m.env.attributes);
    let (definition, arguments) = (m.generics.definition(m.generics.of_event), m.generics.arguments(m.generics.of_event));
    let (own, serde, docs) = (&events.attributes, m.env.serde_derive(true), doc_line(variants.doc));
    let borrowed = m.generics.of_event.text.then(|| expand_borrowed(m, variants));
    let kind = expand_kind(m, variants);
    let variants = variants.list.iter().map(|(variant, fields)| {
        let is_elsewhere = m.has_timers() && *Event != m.types.input;
        let docs = if is_elsewhere { doc(&doc_elsewhere(m, variant)) } else { doc(&variant.doc) };
        let ident = &variant.ident;
        let fields = fields.iter().map(|field| {
            let (docs, ident, ty) = (doc(&field.doc), &field.ident, &field.ty);
            let serde = m.env.serde_field(field);
            quote! { #docs #serde #ident: #ty, }
        });
        let fields: TokenStream = fields.collect();
        let fields = (!fields.is_empty()).then(|| quote! { { #fields } });
        let names = m.env.serde_names(&snake_by_capitals(&ident.to_string()), &variant.name, &variant.aliases);
        quote! { #docs #names #ident #fields }
    });
    quote! {
        #docs
        #attributes
        #own
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #serde
        #vis enum #Event #definition {
            #(#variants,)*
        }

        #attributes
        impl #arguments #Event #arguments {
            /// The event without its payload.
            #[inline]
            #vis const fn kind(&self) -> #kind
        }

        #borrowed
    }
}

/// `borrowed`: machines take events whose texts are `&str`.
fn expand_borrowed(m: &Machine, variants: &Variants<'_>) -> TokenStream {
    let (Event, Text, R, vis, attributes) = (variants.ident, &m.generics.text, &m.generics.reference, &m.env.visibility, &m.env.attributes);
    let (prelude, of_event) = (&m.env.prelude, m.generics.of_event);
    let (as_ref, option, copy) = (&prelude.as_ref, &prelude.option, &prelude.copy);
    let reference = of_event.reference.then(|| quote! { #R: #copy, });
    let (arguments, borrowed) = (m.generics.arguments(of_event), m.ty_of_event(Event, quote! {}, quote! { #R }));
    let arms = variants.list.iter().map(|(variant, fields)| {
        let ident = &variant.ident;
        if fields.is_empty() {
            return quote! { #Event::#ident => #Event::#ident };
        }
        let patterns = fields.iter().map(|field| expand_binding(&field.ident, &field.local));
        let values = fields.iter().map(|field| {
            let (ident, local) = (&field.ident, &field.local);
            let value = match field.text {
                Some(Optional(false)) => quote! { #as_ref::as_ref(#local) },
                Some(Optional(true)) => quote! { #option::as_ref(#local).map(#as_ref::as_ref) },
                None => quote! { *#local },
            };
            quote! { #ident: #value }
        });
        quote! { #Event::#ident { #(#patterns),* } => #Event::#ident { #(#values),* } }
    });
    quote! {
        #attributes
        impl<#Text: #as_ref<str>, #reference> #Event #arguments {
            /// The event with its texts borrowed, as a machine takes it: a stored or received event owns them.
            #vis fn borrowed(&self) -> #borrowed {
                match self {
                    #(#arms,)*
                }
            }
        }
    }
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
    let (option, some, none) = (&m.env.prelude.option, &m.env.prelude.some, &m.env.prelude.none);
    let n_events = number(actors.len());
    let by = actors.iter().map(|(by, _)| quote! { &[#(#Actor::#by),*] });
    // If no event has a separate performer, there is no table of them.
    let is_performed = actors.iter().any(|(_, performer)| performer.is_some());
    let performer = is_performed.then(|| {
        let performers = actors.iter().map(|(_, performer)| match performer {
            Some(performer) => quote! { #some(#Actor::#performer) },
            None => none.clone(),
        });
        quote! {
            /// The actor that carries out the work, if not the one that raises the event.
            #vis const fn performer(self) -> #option<#Actor> {
                const PERFORMERS: &[#option<#Actor>; #n_events] = &[#(#performers),*];
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
