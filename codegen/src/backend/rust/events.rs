//! The events, with and without their payloads.

use proc_macro2::TokenStream;
use quote::quote;

use super::element::Element;
use super::long::fixed;
use super::module::number;
use super::types::Place;
use super::vocabulary::{Vocabulary, Word};
use super::{Module, docs};
use crate::model::Type;
use crate::model::machine::{Event, Field};
use crate::names::ident;

/// `EventKind`, and `Event` with the payloads.
pub(crate) fn expand_events(module: &Module<'_>) -> Option<TokenStream> {
    if !module.has_events() {
        return None;
    }
    let kinds = module.expand_vocabulary(&kinds(module));
    let actors = expand_actors(module);
    let event = if module.has_payload() { expand_event(module) } else { expand_plain_event(module) };
    Some(quote! { #event #kinds #actors })
}

fn kinds(module: &Module<'_>) -> Vocabulary {
    let words = module.machine.events.iter().zip(&module.events).map(|(event, ident)| Word {
        ident: ident.clone(),
        name: event.name.clone(),
        label: event.label.clone(),
        text: event.doc.clone(),
        doc: event_doc(module, event),
        aliases: event.aliases.clone(),
    });
    let what = if module.has_payload() { "Which event it is, without its payload." } else { "What can happen." };
    Vocabulary { ident: ident("EventKind"), kind: "event".into(), doc: vec![what.into()], words: words.collect(), ignore_case: false }
}

fn event_doc(module: &Module<'_>, event: &Event) -> Vec<String> {
    let actor = |id: &crate::model::ActorId| module.machine.actors[id.index()].name.as_str();
    let mut doc = vec![docs::sentence_or(event.doc.as_deref(), || format!("The event {}.", docs::code(&event.name)))];
    if !event.by.is_empty() {
        doc.push(format!("Raised by {}.", docs::code_list(event.by.iter().map(actor), "or")));
    }
    if let Some(performer) = &event.performer {
        doc.push(format!("The work is done by {}.", docs::code(actor(performer))));
    }
    if event.settles {
        doc.push("Goes on firing until an edge stays or none is enabled.".into());
    }
    doc
}

/// Who may raise an event, and who does the work.
fn expand_actors(module: &Module<'_>) -> TokenStream {
    let facade = &module.facade;
    let machine = module.machine;
    if machine.actors.is_empty() {
        return quote! {
            impl #facade::Event for EventKind {
                type Actor = #facade::Never;
            }
        };
    }
    let n_events = number(machine.events.len());
    let by = machine.events.iter().map(|event| {
        let actors = event.by.iter().map(|id| format!("Actor::{}", module.actors[id.index()]));
        Element::Slice(actors.collect())
    });
    let by = module.long.elements(by.collect());
    let performers = machine.events.iter().map(|event| match event.performer {
        Some(id) => Element::call("::core::option::Option::Some", [Element::Word(format!("Actor::{}", module.actors[id.index()]))]),
        None => Element::word("::core::option::Option::None"),
    });
    let performers = module.long.elements(performers.collect());
    fixed!(module.long, items(facade, n_events, by, performers) => {
        impl EventKind {
            /// Who may raise the event; anyone when empty.
            pub const fn by(self) -> &'static [Actor] {
                const BY: &[&[Actor]; #n_events] = &[#by];
                BY[self as usize]
            }

            /// Who does the work that the event starts, where that is somebody else.
            pub const fn performer(self) -> ::core::option::Option<Actor> {
                const PERFORMERS: &[::core::option::Option<Actor>; #n_events] = &[#performers];
                PERFORMERS[self as usize]
            }

            /// Whether this actor may raise the event.
            pub fn may_be_raised_by(self, actor: Actor) -> bool {
                self.by().is_empty() || self.by().contains(&actor)
            }
        }

        impl #facade::Event for EventKind {
            type Actor = Actor;

            fn by(self) -> &'static [Actor] {
                EventKind::by(self)
            }

            fn performer(self) -> ::core::option::Option<Actor> {
                EventKind::performer(self)
            }
        }
    })
}

/// Without payloads there is nothing to add to the kind.
fn expand_plain_event(module: &Module<'_>) -> TokenStream {
    fixed!(module.long, items() => {
        /// What can happen. No event carries data, so an event is its kind.
        pub type Event = EventKind;

        impl EventKind {
            /// The event without its payload: itself.
            #[inline]
            pub const fn kind(&self) -> EventKind {
                *self
            }
        }
    })
}

fn expand_event(module: &Module<'_>) -> TokenStream {
    let (definition, arguments) = (module.event_definition(), module.event_arguments());
    let variants = module.machine.events.iter().zip(&module.events).map(|(event, variant)| {
        let doc = docs::attributes(&event_doc(module, event));
        let fields = expand_fields(module, &event.payload);
        quote! { #doc #variant #fields }
    });
    let arms = module.machine.events.iter().zip(&module.events).map(|(event, variant)| {
        let rest = (!event.payload.is_empty()).then(|| quote! { { .. } });
        quote! { Event::#variant #rest => EventKind::#variant }
    });
    let implementation = module.event_parameters();
    quote! {
        /// What can happen, with the data it carries.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Event #definition {
            #(#variants,)*
        }

        impl #implementation Event #arguments {
            /// The event without its payload.
            #[inline]
            pub const fn kind(&self) -> EventKind {
                match self {
                    #(#arms,)*
                }
            }
        }
    }
}

fn expand_fields(module: &Module<'_>, fields: &[Field]) -> Option<TokenStream> {
    if fields.is_empty() {
        return None;
    }
    let idents = module.field_idents(fields);
    let fields = fields.iter().zip(&idents).map(|(field, ident)| {
        let doc = docs::attributes(&[docs::sentence_or(field.doc.as_deref(), || format!("The field {}.", docs::code(&field.name)))]);
        let ty = module.field_ty(field, Place::Payload);
        quote! { #doc #ident: #ty }
    });
    Some(quote! { { #(#fields,)* } })
}

impl Module<'_> {
    /// `<'e, R = u64>`, as far as payloads need it.
    pub(crate) fn event_definition(&self) -> TokenStream {
        let lifetime = self.payload_has(&Type::Text).then(|| quote! { 'e, });
        let reference = self.payload_has(&Type::Reference).then(|| quote! { R = u64, });
        angled(quote! { #lifetime #reference })
    }

    /// `<'e, R>`
    pub(crate) fn event_arguments(&self) -> TokenStream {
        let lifetime = self.payload_has(&Type::Text).then(|| quote! { 'e, });
        let reference = self.payload_has(&Type::Reference).then(|| quote! { R, });
        angled(quote! { #lifetime #reference })
    }

    /// As in `impl<'e, R>`.
    pub(crate) fn event_parameters(&self) -> TokenStream {
        self.event_arguments()
    }

    /// `<'_, R>`
    pub(crate) fn event_arguments_elided(&self) -> TokenStream {
        let lifetime = self.payload_has(&Type::Text).then(|| quote! { '_, });
        let reference = self.payload_has(&Type::Reference).then(|| quote! { R, });
        angled(quote! { #lifetime #reference })
    }
}

/// Puts parameters into `<…>`, and nothing into nothing.
pub(crate) fn angled(parameters: TokenStream) -> TokenStream {
    if parameters.is_empty() {
        parameters
    } else {
        quote! { < #parameters > }
    }
}
