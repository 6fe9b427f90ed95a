//! The type parameters of the user's struct.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericParam, Generics, Type, WherePredicate};

use super::errors::Errors;
use crate::ir::OwnGenerics;

/// The parameters, with the bounds of `where` beside them.
pub(super) fn own_generics(generics: &Generics, errors: &mut Errors) -> OwnGenerics {
    let mut own = OwnGenerics::default();
    for parameter in &generics.params {
        let name = match parameter {
            GenericParam::Lifetime(it) => it.lifetime.to_token_stream(),
            GenericParam::Type(it) => it.ident.to_token_stream(),
            GenericParam::Const(it) => it.ident.to_token_stream(),
        };
        let bounds: Vec<TokenStream> = bounds_of(parameter).chain(bounds_in_where(generics, &name)).collect();
        let bounds = (!bounds.is_empty()).then(|| quote! { : #(#bounds)+* });
        own.parameters.extend(match parameter {
            GenericParam::Const(it) => {
                let ty = &it.ty;
                quote! { const #name: #ty, }
            }
            GenericParam::Lifetime(_) | GenericParam::Type(_) => quote! { #name #bounds, },
        });
        own.arguments.extend(quote! { #name, });
        match parameter {
            GenericParam::Lifetime(_) => {}
            GenericParam::Type(it) => own.names.push(it.ident.clone()),
            GenericParam::Const(it) => own.names.push(it.ident.clone()),
        }
    }
    let names: Vec<String> = own.arguments.to_string().split(',').map(|it| it.trim().to_owned()).collect();
    for predicate in predicates(generics) {
        if bounded(predicate).is_none_or(|it| !names.contains(&it)) {
            errors.at(predicate, "a machine has bounds on its parameters only: write `T: …`");
        }
    }
    own
}

fn predicates(generics: &Generics) -> impl Iterator<Item = &WherePredicate> {
    generics.where_clause.iter().flat_map(|it| &it.predicates)
}

/// The parameter or type that a predicate is about; `None` for a higher-ranked one.
fn bounded(predicate: &WherePredicate) -> Option<String> {
    match predicate {
        WherePredicate::Type(it) => it.lifetimes.is_none().then(|| it.bounded_ty.to_token_stream().to_string()),
        WherePredicate::Lifetime(it) => Some(it.lifetime.to_token_stream().to_string()),
        _ => None,
    }
}

/// The bounds beside a parameter.
fn bounds_of(parameter: &GenericParam) -> Box<dyn Iterator<Item = TokenStream> + '_> {
    match parameter {
        GenericParam::Lifetime(it) => Box::new(it.bounds.iter().map(ToTokens::to_token_stream)),
        GenericParam::Type(it) => Box::new(it.bounds.iter().map(ToTokens::to_token_stream)),
        GenericParam::Const(_) => Box::new(std::iter::empty()),
    }
}

/// The bounds of a parameter in `where`.
fn bounds_in_where(generics: &Generics, name: &TokenStream) -> Vec<TokenStream> {
    let name = name.to_string();
    let about = predicates(generics).filter(|it| bounded(it).is_some_and(|it| it == name));
    let bounds = about.flat_map(|it| match it {
        WherePredicate::Type(it) => it.bounds.iter().map(ToTokens::to_token_stream).collect::<Vec<_>>(),
        WherePredicate::Lifetime(it) => it.bounds.iter().map(ToTokens::to_token_stream).collect(),
        _ => Vec::new(),
    });
    bounds.collect()
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
