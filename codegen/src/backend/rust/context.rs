//! The data beside the state, and the constants.

use proc_macro2::TokenStream;
use quote::quote;

use super::events::angled;
use super::types::Place;
use super::{Module, docs};
use crate::model::{Literal, Type};

/// `Context`, where the machine has one.
pub(crate) fn expand_context(module: &Module<'_>) -> Option<TokenStream> {
    if !module.has_context() || !matches!(module.shape.form, super::form::Form::Emitted) {
        return None;
    }
    let definition = module.context_definition();
    let fields = module.machine.fields.iter().zip(&module.fields).map(|(field, ident)| {
        let doc = docs::attributes(&[docs::sentence_or(field.doc.as_deref(), || format!("The field {}.", docs::code(&field.name)))]);
        let ty = module.field_ty(field, Place::Context);
        quote! { #doc pub #ident: #ty }
    });
    let doc = docs::line(&format!("What a {} knows beside its state.", docs::code(&module.machine.name)));
    let default = expand_default(module);
    Some(quote! {
        #doc
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub struct Context #definition {
            #(#fields,)*
        }

        #default
    })
}

/// The values at birth.
fn expand_default(module: &Module<'_>) -> TokenStream {
    let arguments = module.context_arguments();
    let text = module.context_has(&Type::Text).then(|| {
        let bound = module.default_bound();
        quote! { Text #bound, }
    });
    let reference = module.context_has(&Type::Reference).then(|| quote! { R, });
    let parameters = angled(quote! { #text #reference });
    let fields = module.machine.fields.iter().zip(&module.fields).map(|(field, ident)| {
        let default = field.default.as_ref().unwrap_or(&Literal::Null);
        let value = module.owned_literal(default, field.optional);
        quote! { #ident: #value }
    });
    quote! {
        // Written out: every value comes from the spec, also where Rust's own default is the same.
        #[allow(clippy::derivable_impls)]
        impl #parameters ::core::default::Default for Context #arguments {
            fn default() -> Self {
                Context { #(#fields,)* }
            }
        }
    }
}

/// The named values of the spec.
pub(crate) fn expand_constants(module: &Module<'_>) -> TokenStream {
    let constants = module.machine.constants.iter().zip(&module.constants).map(|(constant, ident)| {
        let doc =
            docs::attributes(&[docs::sentence_or(constant.doc.as_deref(), || format!("The constant {}.", docs::code(&constant.name)))]);
        let ty = module.ty(&constant.ty, Place::Table);
        let value = module.literal(&constant.value);
        quote! { #doc pub const #ident: #ty = #value; }
    });
    quote! { #(#constants)* }
}

impl Module<'_> {
    /// `<Text = &'static str, R = u64>`, as far as the context needs it.
    pub(crate) fn context_definition(&self) -> TokenStream {
        let text = self.context_has(&Type::Text).then(|| quote! { Text = &'static str, });
        let reference = self.context_has(&Type::Reference).then(|| quote! { R = u64, });
        angled(quote! { #text #reference })
    }

    /// `<Text, R>`
    pub(crate) fn context_arguments(&self) -> TokenStream {
        let text = self.context_has(&Type::Text).then(|| quote! { Text, });
        let reference = self.context_has(&Type::Reference).then(|| quote! { R, });
        angled(quote! { #text #reference })
    }

    /// What a text must be able to do for the context to be born with it.
    pub(crate) fn default_bound(&self) -> Option<TokenStream> {
        let facade = &self.facade;
        let wanted = self.machine.fields.iter().any(|it| it.ty == Type::Text && it.default.as_ref().is_some_and(|it| *it != Literal::Null));
        wanted.then(|| quote! { : #facade::FromLiteral })
    }

    /// A value for the context: texts become `Text`.
    pub(crate) fn owned_literal(&self, literal: &Literal, optional: bool) -> TokenStream {
        let facade = &self.facade;
        let value = match literal {
            Literal::Text(text) => quote! { #facade::FromLiteral::from_literal(#text) },
            literal => self.literal(literal),
        };
        if optional && *literal != Literal::Null {
            quote! { ::core::option::Option::Some(#value) }
        } else {
            value
        }
    }
}
