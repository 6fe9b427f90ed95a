//! The context, and the constants.

use proc_macro2::TokenStream;
use quote::quote;

use super::doc;
use super::expr::Scope;
use crate::ir::{Form, Machine};
use crate::lower::docs;

/// `Context`, if the machine has its own context type.
pub(super) fn expand_context(m: &Machine) -> Option<TokenStream> {
    if !m.has_context() || !matches!(m.form, Form::Module | Form::Around(_)) {
        return None;
    }
    let (Context, vis) = (&m.types.context, &m.env.visibility);
    let definition = m.generics.definition(m.generics.of_context);
    let fields = m.fields.iter().map(|field| {
        let (docs, ident, ty) = (doc(&field.doc), &field.ident, &field.ty);
        let serde = m.env.serde_field(field);
        quote! { #docs #serde #vis #ident: #ty }
    });
    let serde = m.env.serde_derive(false);
    let docs = doc(&[format!("The context of {}: data stored with the state.", docs::one(&m.name))]);
    let (default, attributes, traits) = (expand_default(m), &m.env.attributes, m.data_traits());
    Some(quote! {
        #docs
        #attributes
        #[derive(#traits)]
        #serde
        #vis struct #Context #definition {
            #(#fields,)*
        }

        #default
    })
}

/// The implementation of `Default`: the values at creation.
fn expand_default(m: &Machine) -> TokenStream {
    let Context = &m.types.context;
    let (parameters, arguments, attributes) = (m.default_parameters(), m.arguments(), &m.env.impl_attributes);
    let fields = expand_initial_fields(m);
    if m.starts_by_conversion() {
        let vis = &m.env.visibility;
        let (facade, attributes) = (&m.env.facade, &m.env.attributes);
        let body = m.env.body(quote! { __Ok(#Context { #fields }) });
        return quote! {
            #attributes
            impl #parameters #Context #arguments {
                /// The context with the values of the spec; an error where a value is out of the range of its type.
                #vis fn initial() -> __Result<Self, #facade::OutOfRange> {
                    #body
                }
            }
        };
    }
    quote! {
        // Every value comes from the spec, also where Rust's own default is the same.
        #[allow(clippy::derivable_impls)]
        #attributes
        impl #parameters __Default for #Context #arguments {
            fn default() -> Self {
                #Context { #fields }
            }
        }
    }
}

/// The fields of the context with their values at creation.
pub(super) fn expand_initial_fields(m: &Machine) -> TokenStream {
    let scope = Scope::constant(&m.env);
    let fields = m.fields.iter().filter_map(|field| {
        let (ident, value) = (&field.ident, scope.expand(field.default.as_ref()?));
        Some(quote! { #ident: #value, })
    });
    fields.collect()
}

/// The constants of the spec.
pub(super) fn expand_constants(m: &Machine) -> TokenStream {
    let (vis, attributes, scope) = (&m.env.visibility, &m.env.attributes, Scope::constant(&m.env));
    let constants = m.constants.iter().map(|constant| {
        let (docs, ident, ty, value) = (doc(&constant.doc), &constant.ident, &constant.ty, scope.expand(&constant.value));
        quote! { #docs #attributes #vis const #ident: #ty = #value; }
    });
    constants.collect()
}
