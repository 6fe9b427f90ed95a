//! The types of machines in a system's module.

use proc_macro2::TokenStream;
use quote::quote;
use statespec_lang::names::ident;

use crate::emit::generics::angled;
use crate::files::system::ir::{Machine, System};

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

    /// `super::hop::Event<&str, U::Key>`; `Recorded` where timers can be fired, too.
    pub(super) fn event_ty(&self, U: &TokenStream) -> TokenStream {
        self.ty_of_event(if self.has_timers { "Recorded" } else { "Event" }, U)
    }

    /// The same for an event that creates a machine: a timer never does.
    pub(super) fn input_ty(&self, U: &TokenStream) -> TokenStream {
        self.ty_of_event("Event", U)
    }

    fn ty_of_event(&self, name: &str, U: &TokenStream) -> TokenStream {
        let (path, Event) = (&self.path, ident(name));
        let text = self.event_text.then(|| quote! { &str, });
        let key = self.event_reference.then(|| quote! { #U::Key, });
        let arguments = angled(quote! { #text #key });
        quote! { #path::#Event #arguments }
    }

    /// `super::hop::Effect<&str, U::Key>`
    pub(super) fn effect_ty(&self, U: &TokenStream) -> TokenStream {
        let path = &self.path;
        let text = self.of_values.text.then(|| quote! { &str, });
        let key = self.of_values.reference.then(|| quote! { #U::Key, });
        let arguments = angled(quote! { #text #key });
        quote! { #path::Effect #arguments }
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
