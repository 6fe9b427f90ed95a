//! The types of machines in a system's module.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::generics::angled;
use crate::system::ir::{Machine, System};

impl System {
    /// Whether some transaction names the actors that may trigger it.
    pub(super) fn has_actor_checks(&self) -> bool {
        self.transactions.iter().any(|it| !it.by.is_empty())
    }
}

impl Machine {
    /// `super::hop::Hop<U::Text, U::Key>`, where `U` is the unit of work.
    pub(super) fn ty(&self, U: &TokenStream) -> TokenStream {
        let (path, Machine) = (&self.path, &self.ident);
        let text = self.text.then(|| quote! { #U::Text, });
        let key = self.reference.then(|| quote! { #U::Key, });
        let arguments = angled(quote! { #text #key });
        quote! { #path::#Machine #arguments }
    }

    /// `super::hop::Event<&str, U::Key>`
    pub(super) fn event_ty(&self, U: &TokenStream) -> TokenStream {
        let path = &self.path;
        let text = self.event_text.then(|| quote! { &str, });
        let key = self.event_reference.then(|| quote! { #U::Key, });
        let arguments = angled(quote! { #text #key });
        quote! { #path::Event #arguments }
    }

    /// `super::hop::Predicates<U::Text, U::Key>`
    pub(super) fn predicates_bound(&self, U: &TokenStream) -> TokenStream {
        let path = &self.path;
        let text = self.text.then(|| quote! { #U::Text, });
        let key = self.predicates_reference.then(|| quote! { #U::Key, });
        let arguments = angled(quote! { #text #key });
        quote! { #path::Predicates #arguments }
    }
}
