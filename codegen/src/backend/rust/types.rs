//! Types and values of the expression language in Rust.

use proc_macro2::{Literal as RustLiteral, TokenStream};
use quote::quote;

use super::Module;
use crate::model::machine::Field;
use crate::model::{Literal, Type};

/// Where a type stands; texts and references differ by that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A field of the context: texts are of the type parameter `Text`.
    Context,
    /// Data that is lent for a while: texts are `&'e str`.
    Payload,
    /// An argument of a method: texts are `&str`.
    Argument,
    /// What a method returns, or a public constant: texts are `&'static str`.
    Static,
    /// The elements of a table, where `'static` goes without saying.
    Table,
}

impl Module<'_> {
    /// The Rust type.
    pub(crate) fn ty(&self, ty: &Type, place: Place) -> TokenStream {
        let facade = &self.facade;
        match ty {
            Type::Bool => quote! { bool },
            Type::Int => quote! { i64 },
            Type::Decimal => quote! { #facade::Decimal },
            Type::Duration => quote! { #facade::Duration },
            Type::Timestamp => quote! { #facade::Timestamp },
            Type::Reference => match self.reference() {
                Some(reference) => reference.clone(),
                None => quote! { R },
            },
            Type::State => quote! { State },
            Type::Event => quote! { EventKind },
            Type::Enum(id) => {
                let ident = &self.enums[id.index()];
                quote! { #ident }
            }
            Type::List(item) => {
                let item = self.ty(item, place);
                if place == Place::Table {
                    quote! { &[#item] }
                } else {
                    quote! { &'static [#item] }
                }
            }
            Type::Text => match place {
                Place::Context => quote! { Text },
                Place::Payload => quote! { &'e str },
                Place::Argument | Place::Table => quote! { &str },
                Place::Static => quote! { &'static str },
            },
        }
    }

    /// The Rust type of a field, `Option` where it may be null.
    pub(crate) fn field_ty(&self, field: &Field, place: Place) -> TokenStream {
        self.optional_ty(&field.ty, field.optional, place)
    }

    pub(crate) fn optional_ty(&self, ty: &Type, optional: bool, place: Place) -> TokenStream {
        let ty = self.ty(ty, place);
        if optional {
            quote! { ::core::option::Option<#ty> }
        } else {
            ty
        }
    }

    /// A value that is not null, in a constant; texts are `&'static str`.
    pub(crate) fn literal(&self, literal: &Literal) -> TokenStream {
        let facade = &self.facade;
        match literal {
            Literal::Null => quote! { ::core::option::Option::None },
            Literal::Bool(it) => quote! { #it },
            Literal::Int(it) => {
                let it = RustLiteral::i64_unsuffixed(*it);
                quote! { #it }
            }
            Literal::Decimal(it) => {
                let mantissa = RustLiteral::i128_unsuffixed(it.mantissa());
                let scale = RustLiteral::u32_unsuffixed(it.scale());
                quote! { #facade::decimal(#mantissa, #scale) }
            }
            Literal::Text(it) => quote! { #it },
            Literal::Duration(it) => {
                let it = RustLiteral::i64_unsuffixed(*it);
                quote! { #facade::Duration::from_micros(#it) }
            }
            Literal::Enum(id, idx) => self.enum_value(*id, *idx),
            Literal::State(id) => self.state(*id),
            Literal::Event(id) => self.event(*id),
            Literal::List(items) => {
                let items = items.iter().map(|it| self.literal(it));
                quote! { &[#(#items),*] }
            }
        }
    }

    /// A value, in `Some` where the type is optional.
    pub(crate) fn optional_literal(&self, literal: &Literal, optional: bool) -> TokenStream {
        let value = self.literal(literal);
        if optional && *literal != Literal::Null {
            quote! { ::core::option::Option::Some(#value) }
        } else {
            value
        }
    }
}
