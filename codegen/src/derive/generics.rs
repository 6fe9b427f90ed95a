//! The type parameters of the user's struct.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericParam, Generics, Type, WherePredicate};

use super::errors::Errors;
use crate::backend::rust::ir::OwnGenerics;

/// The parameters, with the bounds of `where` beside them.
pub(super) fn own_generics(generics: &Generics, errors: &mut Errors) -> OwnGenerics {
    let mut parameters: Vec<GenericParam> = generics.params.iter().cloned().collect();
    for predicate in generics.where_clause.iter().flat_map(|it| &it.predicates) {
        if !merge(&mut parameters, predicate) {
            errors.at(predicate, "a machine has bounds on its parameters only: write `T: …`");
        }
    }
    let mut own = OwnGenerics::default();
    for parameter in &mut parameters {
        let name = match parameter {
            GenericParam::Lifetime(it) => it.lifetime.to_token_stream(),
            GenericParam::Type(it) => {
                it.default = None;
                own.names.push(it.ident.clone());
                it.ident.to_token_stream()
            }
            GenericParam::Const(it) => {
                it.default = None;
                own.names.push(it.ident.clone());
                it.ident.to_token_stream()
            }
        };
        own.parameters.extend(quote! { #parameter, });
        own.arguments.extend(quote! { #name, });
    }
    own
}

/// Adds the bounds of `where T: …` to those of `T`.
fn merge(parameters: &mut [GenericParam], predicate: &WherePredicate) -> bool {
    for parameter in parameters {
        match (parameter, predicate) {
            (GenericParam::Type(parameter), WherePredicate::Type(it))
                if it.lifetimes.is_none() && it.bounded_ty.to_token_stream().to_string() == parameter.ident.to_string() =>
            {
                parameter.bounds.extend(it.bounds.iter().cloned());
                return true;
            }
            (GenericParam::Lifetime(parameter), WherePredicate::Lifetime(it)) if it.lifetime == parameter.lifetime => {
                parameter.bounds.extend(it.bounds.iter().cloned());
                return true;
            }
            _ => {}
        }
    }
    false
}

/// The name of a parameter in a type.
pub(super) fn parameter_in(ty: &Type, generics: &Generics) -> Option<String> {
    let is_parameter = |name: &str| {
        generics.params.iter().any(|it| match it {
            GenericParam::Lifetime(it) => it.lifetime.ident == name,
            GenericParam::Type(it) => it.ident == name,
            GenericParam::Const(it) => it.ident == name,
        })
    };
    let mut open = vec![ty.to_token_stream()];
    while let Some(tokens) = open.pop() {
        for token in tokens {
            match token {
                TokenTree::Group(group) => open.push(group.stream()),
                TokenTree::Ident(ident) if is_parameter(&ident.to_string()) => return Some(ident.to_string()),
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    None
}

/// `<T: Clone>` and `<T>`.
pub(super) fn angled(own: &OwnGenerics) -> (TokenStream, TokenStream) {
    if own.parameters.is_empty() {
        return (quote! {}, quote! {});
    }
    let OwnGenerics { parameters, arguments, .. } = own;
    (quote! { <#parameters> }, quote! { <#arguments> })
}
