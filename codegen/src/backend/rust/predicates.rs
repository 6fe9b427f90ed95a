//! Conditions that the user's code decides.

use proc_macro2::TokenStream;
use quote::quote;

use super::module::asks;
use super::{Module, docs, events::angled};
use crate::model::{PredicateId, Type};

/// The trait with a method for each predicate.
pub(crate) fn expand_predicates(module: &Module<'_>) -> Option<TokenStream> {
    if !module.has_predicates() || !module.has_machine() {
        return None;
    }
    let definition = module.predicates_definition();
    let context = module.has_context().then(|| {
        let ty = module.context_ty();
        quote! { context: &#ty, }
    });
    let methods = module.machine.predicates.iter().zip(&module.predicates).enumerate().map(|(idx, (predicate, method))| {
        let doc =
            docs::attributes(&[docs::sentence_or(predicate.doc.as_deref(), || format!("The predicate {}.", docs::code(&predicate.name)))]);
        let event = module.predicate_takes_event(PredicateId::new(idx)).then(|| {
            let arguments = module.event_arguments_elided();
            quote! { event: &Event #arguments, }
        });
        quote! { #doc fn #method(&self, #context #event) -> bool; }
    });
    let doc = docs::line(&format!("What the guards of {} ask and the spec leaves open.", docs::code(&module.machine.name)));
    Some(quote! {
        #doc
        pub trait Predicates #definition {
            #(#methods)*
        }
    })
}

impl Module<'_> {
    /// Whether a predicate gets the event: there is one wherever it is asked.
    pub(crate) fn predicate_takes_event(&self, predicate: PredicateId) -> bool {
        let mut asking = self.machine.transitions.iter().filter(|row| row.guard.as_ref().is_some_and(|guard| asks(guard, predicate)));
        self.has_events() && asking.all(|row| !row.events.is_empty())
    }

    fn predicates_take_event(&self) -> bool {
        (0..self.machine.predicates.len()).any(|idx| self.predicate_takes_event(PredicateId::new(idx)))
    }

    pub(crate) fn predicates_need_reference(&self) -> bool {
        self.context_has(&Type::Reference) || (self.predicates_take_event() && self.payload_has(&Type::Reference))
    }

    /// `<Text = &'static str, R = u64>`
    fn predicates_definition(&self) -> TokenStream {
        let text = self.context_has(&Type::Text).then(|| quote! { Text = &'static str, });
        let reference = self.predicates_need_reference().then(|| quote! { R = u64, });
        angled(quote! { #text #reference })
    }

    /// `<Text, R>`
    pub(crate) fn predicates_arguments(&self) -> TokenStream {
        let text = self.context_has(&Type::Text).then(|| quote! { Text, });
        let reference = self.predicates_need_reference().then(|| quote! { R, });
        angled(quote! { #text #reference })
    }
}
