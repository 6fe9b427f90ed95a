//! Predicates: conditions that the user's code decides.

use proc_macro2::TokenStream;
use quote::quote;

use super::doc;
use crate::ir::Machine;
use crate::lower::docs;

/// The trait with a method for each predicate.
pub(super) fn expand_predicates(m: &Machine) -> Option<TokenStream> {
    if m.predicates.is_empty() || !m.has_machine() {
        return None;
    }
    let (Predicates, vis, attributes) = (&m.types.predicates, &m.env.visibility, &m.env.attributes);
    let definition = m.generics.definition(m.generics.of_predicates);
    let context = m.has_context().then(|| {
        let ty = m.context_ty();
        quote! { context: &#ty, }
    });
    let methods = m.predicates.iter().map(|predicate| {
        let (docs, method) = (doc(&predicate.doc), &predicate.method);
        let event = predicate.takes_event.then(|| {
            let ty = m.event_ty_for(quote! {});
            quote! { event: &#ty, }
        });
        quote! { #docs fn #method(&self, #context #event) -> bool; }
    });
    let docs = doc(&[format!("The predicates of {}: conditions that the spec leaves to your code.", docs::one(&m.name))]);
    Some(quote! {
        #docs
        #attributes
        #vis trait #Predicates #definition {
            #(#methods)*
        }
    })
}
