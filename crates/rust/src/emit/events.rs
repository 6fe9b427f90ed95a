//! The events, with and without their payloads.

use proc_macro2::TokenStream;
use quote::quote;
use statespec_lang::names::snake_by_capitals;

use super::dispatch::expand_binding;
use super::unit_enum::expand_unit_enum;
use super::{doc, number};
use crate::ir::{Events, Machine, Optional};

/// `EventKind`, and `Event` with the payloads.
pub(super) fn expand_events(m: &Machine) -> Option<TokenStream> {
    let events = m.events.as_ref()?;
    let event = if m.has_payload() { expand_event(m, events) } else { expand_plain_event(m) };
    let kinds = expand_unit_enum(&events.kinds, &m.env);
    let actors = expand_actors(m, events);
    Some(quote! { #event #kinds #actors })
}

/// Without payloads, an event is equal to its kind.
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

fn expand_event(m: &Machine, events: &Events) -> TokenStream {
    let (Event, EventKind, vis, attributes) = (&m.types.event, &m.types.event_kind, &m.env.visibility, &m.env.attributes);
    let (definition, arguments) = (m.generics.definition(m.generics.of_event), m.generics.arguments(m.generics.of_event));
    let (own, serde) = (&events.attributes, m.env.serde_derive(true));
    let borrowed = m.generics.of_event.text.then(|| expand_borrowed(m, events));
    let variants = events.kinds.variants.iter().zip(&events.payloads).map(|(variant, fields)| {
        let (docs, ident) = (doc(&variant.doc), &variant.ident);
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
    let arms = events.kinds.variants.iter().zip(&events.payloads).map(|(variant, fields)| {
        let (ident, rest) = (&variant.ident, (!fields.is_empty()).then(|| quote! { { .. } }));
        quote! { #Event::#ident #rest => #EventKind::#ident }
    });
    quote! {
        /// An event, with the data that it carries.
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
            #vis const fn kind(&self) -> #EventKind {
                match self {
                    #(#arms,)*
                }
            }
        }

        #borrowed
    }
}

/// `borrowed`: machines take events whose texts are `&str`.
fn expand_borrowed(m: &Machine, events: &Events) -> TokenStream {
    let (Event, Text, R, vis, attributes) = (&m.types.event, &m.generics.text, &m.generics.reference, &m.env.visibility, &m.env.attributes);
    let (prelude, of_event) = (&m.env.prelude, m.generics.of_event);
    let (as_ref, option, copy) = (&prelude.as_ref, &prelude.option, &prelude.copy);
    let reference = of_event.reference.then(|| quote! { #R: #copy, });
    let (arguments, borrowed) = (m.generics.arguments(of_event), m.event_ty_for(quote! {}));
    let arms = events.kinds.variants.iter().zip(&events.payloads).map(|(variant, fields)| {
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

/// The actors that may raise an event, and the one that does its work.
fn expand_actors(m: &Machine, events: &Events) -> TokenStream {
    let (EventKind, Actor, facade, vis) = (&m.types.event_kind, &m.types.actor, &m.env.facade, &m.env.visibility);
    let (attributes, impl_attributes, prelude) = (&m.env.attributes, &m.env.impl_attributes, &m.env.prelude);
    let (option, some, none) = (&prelude.option, &prelude.some, &prelude.none);
    let Some(actors) = &events.actors else {
        return quote! {
            #impl_attributes
            impl #facade::Event for #EventKind {
                type Actor = #facade::Never;
            }
        };
    };
    let n_events = number(actors.len());
    let by = actors.iter().map(|(by, _)| quote! { &[#(#Actor::#by),*] });
    let performers = actors.iter().map(|(_, performer)| match performer {
        Some(performer) => quote! { #some(#Actor::#performer) },
        None => none.clone(),
    });
    let performers: Vec<_> = performers.collect();
    // If no event has a separate performer, there is no method for it.
    let performer = match actors.iter().any(|(_, performer)| performer.is_some()) {
        true => quote! {
            const PERFORMERS: &[#option<#Actor>; #n_events] = &[#(#performers),*];
            PERFORMERS[self as usize]
        },
        false => none.clone(),
    };
    quote! {
        #attributes
        impl #EventKind {
            /// The actors that may raise the event; any actor when empty.
            #vis const fn by(self) -> &'static [#Actor] {
                const BY: &[&[#Actor]; #n_events] = &[#(#by),*];
                BY[self as usize]
            }

            /// The actor that does the work which the event starts, where that is another one.
            #vis const fn performer(self) -> #option<#Actor> {
                #performer
            }

            /// Whether this actor may raise the event.
            #vis fn may_be_raised_by(self, actor: #Actor) -> bool {
                self.by().is_empty() || self.by().contains(&actor)
            }
        }

        #impl_attributes
        impl #facade::Event for #EventKind {
            type Actor = #Actor;

            fn by(self) -> &'static [#Actor] {
                #EventKind::by(self)
            }

            fn performer(self) -> #option<#Actor> {
                #EventKind::performer(self)
            }
        }
    }
}
