//! Effects: their names, the trait that performs them, and running a machine with a host.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::events::angled;
use super::form::Part;
use super::long::fixed;
use super::types::Place;
use super::vocabulary::{Vocabulary, Word};
use super::{Module, docs};
use crate::model::machine::{Effect, Piece};
use crate::model::{EffectId, Type};
use crate::names::ident;

/// `Effect`, `Effects` and `Effect::perform`.
pub(crate) fn expand_effects(module: &Module<'_>) -> Option<TokenStream> {
    if !module.has_effects() {
        return None;
    }
    let words = module.machine.effects.iter().zip(&module.effects).map(|(effect, ident)| Word {
        ident: ident.clone(),
        name: effect.name.clone(),
        label: effect.label.clone(),
        text: effect.doc.clone(),
        doc: vec![effect_doc(effect)],
        aliases: Vec::new(),
    });
    let vocabulary = Vocabulary {
        ident: ident("Effect"),
        kind: "effect".into(),
        doc: vec!["What a step makes happen outside the machine.".into()],
        words: words.collect(),
        ignore_case: false,
    };
    let vocabulary = module.expand_vocabulary(&vocabulary);
    // Without a machine there is nothing to store.
    let (host, perform) = (module.has_machine().then(|| expand_trait(module)), module.has_machine().then(|| expand_perform(module)));
    Some(quote! { #vocabulary #host #perform })
}

fn effect_doc(effect: &Effect) -> String {
    let text = effect.doc.as_deref().or(effect.label.as_deref());
    docs::sentence_or(text, || format!("The effect {}.", docs::code(&effect.name)))
}

fn expand_trait(module: &Module<'_>) -> TokenStream {
    let definition = module.effects_definition();
    let (machine, machine_arguments) = (&module.ident, module.context_arguments());
    let methods = module.machine.effects.iter().zip(&module.effect_methods).map(|(effect, method)| {
        let mut paragraphs = vec![effect_doc(effect)];
        if let Some(pieces) = &effect.message {
            paragraphs.push(format!("The message is {}.", docs::code(&message_text(effect, pieces))));
        }
        let doc = docs::attributes(&paragraphs);
        let idents = module.field_idents(&effect.payload);
        let parameters = effect.payload.iter().zip(&idents).map(|(field, ident)| {
            let (ident, ty) = (module.local(ident), module.field_ty(field, Place::Argument));
            quote! { #ident: #ty }
        });
        let message = effect.message.is_some().then(|| quote! { message: ::core::fmt::Arguments<'_> });
        let parameters = parameters.chain(message);
        quote! {
            #doc
            fn #method(&mut self, #(#parameters),*) -> ::core::result::Result<(), Self::Error>;
        }
    });
    quote! {
        /// What performs the effects, and the store.
        pub trait Effects #definition {
            /// Why an effect or the store failed.
            type Error;

            /// Stores the machine as it is after a change.
            fn store(&mut self, next: &#machine #machine_arguments, change: &Change) -> ::core::result::Result<(), Self::Error>;

            #(#methods)*
        }
    }
}

fn message_text(effect: &Effect, pieces: &[Piece]) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Payload(idx) => format!("{{{}}}", effect.payload[*idx].name),
    };
    pieces.iter().map(piece).collect()
}

fn expand_perform(module: &Module<'_>) -> TokenStream {
    let arguments = module.effects_arguments();
    let parameters = module.perform_parameters();
    let takes_event = module.effects_take_event();
    let event = takes_event.then(|| {
        let event = module.perform_event_ty();
        quote! { event: #event, }
    });
    let mut total = true;
    let arms: Vec<_> = module
        .machine
        .effects
        .iter()
        .enumerate()
        .map(|(idx, effect)| {
            let (pattern, complete) = expand_pattern(module, EffectId::new(idx), effect);
            total &= complete;
            let call = expand_call(module, effect, &module.effect_methods[idx]);
            quote! { #pattern => #call }
        })
        .collect();
    let subject = match takes_event {
        true if module.has_wishes() => quote! { (self, event.copied()) },
        true => quote! { (self, *event) },
        false => quote! { self },
    };
    // An effect with a payload only goes with events that carry it.
    let others = (!total).then(|| quote! { _ => ::core::result::Result::Ok(()), });
    quote! {
        impl Effect {
            /// Performs the effect: calls its method with what it takes from the event.
            pub fn perform #parameters (self, #event host: &mut H) -> ::core::result::Result<(), <H as Effects #arguments>::Error> {
                match #subject {
                    #(#arms,)*
                    #others
                }
            }
        }
    }
}

/// The effect with the events that carry its payload, and whether these are all there are.
fn expand_pattern(module: &Module<'_>, id: EffectId, effect: &Effect) -> (TokenStream, bool) {
    let variant = module.effect(id);
    if !module.effects_take_event() {
        return (variant, true);
    }
    if effect.payload.is_empty() {
        return (quote! { (#variant, _) }, true);
    }
    let events = module.events_with(id);
    let patterns = events.iter().map(|(event_id, event)| {
        let position = |name: &str| event.payload.iter().position(|it| it.name == name);
        let used: Vec<usize> = effect.payload.iter().filter_map(|it| position(&it.name)).collect();
        let pattern = module.event_pattern(*event_id, &used);
        if module.has_wishes() {
            quote! { ::core::option::Option::Some(#pattern) }
        } else {
            pattern
        }
    });
    let complete = events.len() == module.machine.events.len() && !module.has_wishes();
    if events.is_empty() {
        // Declared, but on no transition.
        return (quote! { (#variant, _) if false }, true);
    }
    (quote! { (#variant, #(#patterns)|*) }, complete)
}

fn expand_call(module: &Module<'_>, effect: &Effect, method: &Ident) -> TokenStream {
    let locals: Vec<_> = module.field_idents(&effect.payload).iter().map(|it| module.local(it)).collect();
    let message = effect.message.as_ref().map(|pieces| expand_message(module, effect, pieces, &locals));
    let arguments = locals.iter().map(|it| quote! { #it }).chain(message);
    quote! { host.#method(#(#arguments),*) }
}

fn expand_message(module: &Module<'_>, effect: &Effect, pieces: &[Piece], locals: &[Ident]) -> TokenStream {
    let facade = &module.facade;
    let mut format = String::new();
    let mut arguments = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => format.push_str(&text.replace('{', "{{").replace('}', "}}")),
            Piece::Payload(idx) => {
                format.push_str("{}");
                let local = &locals[*idx];
                arguments.push(if effect.payload[*idx].optional {
                    quote! { #facade::OrNull(#local) }
                } else {
                    quote! { #local }
                });
            }
        }
    }
    quote! { ::core::format_args!(#format, #(#arguments),*) }
}

/// `run`, and `run_to` where edges are taken by naming their target.
pub(crate) fn expand_run(module: &Module<'_>) -> Option<TokenStream> {
    if !module.has_effects() || !module.has_part(Part::Run) {
        return None;
    }
    let facade = &module.facade;
    let arguments = module.effects_arguments();
    let bound = quote! { H: Effects #arguments + ?::core::marker::Sized };
    let text = module.context_has(&Type::Text).then(|| quote! { Text: ::core::clone::Clone, });
    let displayed = module.shows_references().then(|| quote! { R: ::core::fmt::Display, });
    let needs = [text, displayed].into_iter().flatten().collect::<TokenStream>();
    let bounds = (!needs.is_empty()).then(|| quote! { where #needs });
    let error = quote! { <H as Effects #arguments>::Error };
    let (predicates_parameter, predicates_argument, predicates_bound) = module.predicates_pieces();
    let reference = module.method_reference();
    let event_ty = module.event_ty();
    let store = quote! { |host, next, change| host.store(next, change) };
    let perform = |event: TokenStream| match module.effects_take_event() {
        true => quote! { |host, effect| effect.perform(#event, host) },
        false => quote! { |host, effect| effect.perform(host) },
    };
    let run = module.has_dispatch().then(|| {
        let perform = perform(if module.has_wishes() {
            quote! { ::core::option::Option::Some(&event) }
        } else {
            quote! { &event }
        });
        let parameters = angled(quote! { #reference #predicates_bound #bound });
        fixed!(module.long, members(facade, parameters, event_ty, predicates_parameter, predicates_argument, error, bounds, store, perform) => {
            /// Raises an event with a host: performs `before` effects, stores, moves, performs the other effects.
            ///
            /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
            /// where the spec says to store first.
            pub fn run #parameters (&mut self, event: #event_ty, #predicates_parameter host: &mut H)
                -> ::core::result::Result<Change, #facade::RunError<State, #error>>
            #bounds
            {
                let mut next = ::core::clone::Clone::clone(self);
                let change = next.apply(event, #predicates_argument)?;
                #facade::commit(self, next, change, host, #store, #perform)
            }
        })
    });
    let run_to = module.has_wishes().then(|| {
        let perform = match module.effects_take_event() {
            true => quote! { |host, effect| effect.perform(::core::option::Option::None, host) },
            false => perform(quote! {}),
        };
        let parameters = angled(quote! { #predicates_bound #bound });
        fixed!(module.long, members(facade, parameters, predicates_parameter, predicates_argument, error, bounds, store, perform) => {
            /// Goes to a state by name, with a host; otherwise like `run`.
            pub fn run_to #parameters (&mut self, to: State, #predicates_parameter host: &mut H)
                -> ::core::result::Result<Change, #facade::RunError<State, #error>>
            #bounds
            {
                let mut next = ::core::clone::Clone::clone(self);
                let change = next.transition_to(to, #predicates_argument)?;
                #facade::commit(self, next, change, host, #store, #perform)
            }
        })
    });
    Some(quote! { #run #run_to })
}

impl Module<'_> {
    /// Whether some effect takes something from the payload.
    pub(crate) fn effects_take_event(&self) -> bool {
        self.machine.effects.iter().any(|it| !it.payload.is_empty())
    }

    pub(crate) fn effects_need_reference(&self) -> bool {
        self.context_has(&Type::Reference) || self.machine.effects.iter().flat_map(|it| &it.payload).any(|it| it.ty == Type::Reference)
    }

    fn effects_definition(&self) -> TokenStream {
        let text = self.context_has(&Type::Text).then(|| quote! { Text = &'static str, });
        let reference = self.effects_need_reference().then(|| quote! { R = u64, });
        angled(quote! { #text #reference })
    }

    /// `<Text, R>`
    pub(crate) fn effects_arguments(&self) -> TokenStream {
        let text = self.context_has(&Type::Text).then(|| quote! { Text, });
        let reference = self.effects_need_reference().then(|| quote! { R, });
        angled(quote! { #text #reference })
    }

    /// Whether some message holds a reference.
    fn shows_references(&self) -> bool {
        self.machine.effects.iter().any(|effect| {
            let shown = |piece: &Piece| matches!(piece, Piece::Payload(idx) if effect.payload[*idx].ty == Type::Reference);
            effect.message.iter().flatten().any(shown)
        })
    }

    fn perform_parameters(&self) -> TokenStream {
        let arguments = self.effects_arguments();
        let text = self.context_has(&Type::Text).then(|| quote! { Text, });
        let display = self.shows_references().then(|| quote! { + ::core::fmt::Display });
        let event_reference = self.effects_take_event() && self.payload_has(&Type::Reference);
        let reference = (event_reference || self.effects_need_reference()).then(|| quote! { R: ::core::marker::Copy #display, });
        angled(quote! { #text #reference H: Effects #arguments + ?::core::marker::Sized })
    }

    fn perform_event_ty(&self) -> TokenStream {
        let arguments = self.event_arguments_elided();
        let event = quote! { &Event #arguments };
        if self.has_wishes() {
            quote! { ::core::option::Option<#event> }
        } else {
            event
        }
    }
}
