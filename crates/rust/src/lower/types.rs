//! Types and values of the expression language in Rust.

use proc_macro2::TokenStream;
use quote::quote;
use statespec_lang::model::machine::Field;
use statespec_lang::model::{Literal, Type};

use super::Lowering;
use crate::ir::Expr;

/// The position of a type; the types of texts and lists depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Position {
    /// A field of the context or of a payload: texts have the type parameter `Text`.
    Field,
    /// A field of an item that is compared: texts are `&'e str`.
    Item,
    /// An argument of a method: texts are `&str`.
    Argument,
    /// The result of a method: texts are `&'static str`.
    Static,
    /// The elements of a table or a constant, where `'static` is implied.
    Table,
}

impl Lowering<'_> {
    /// The Rust type.
    pub(crate) fn ty(&self, ty: &Type, position: Position) -> TokenStream {
        let facade = &self.env.facade;
        match ty {
            Type::Bool => quote! { bool },
            Type::Int => quote! { i64 },
            Type::Decimal => quote! { #facade::Decimal },
            Type::Duration => quote! { #facade::Duration },
            Type::Timestamp => quote! { #facade::Timestamp },
            Type::Reference => match self.own_reference() {
                Some(reference) => reference.clone(),
                None => {
                    let parameter = &self.params.reference;
                    quote! { #parameter }
                }
            },
            Type::State => {
                let state = &self.types.state;
                quote! { #state }
            }
            Type::Event => {
                let kind = &self.types.event_kind;
                quote! { #kind }
            }
            Type::Enum(id) => {
                let ident = &self.names.enums[id.index()];
                quote! { #ident }
            }
            Type::List(item) => {
                let item = self.ty(item, position);
                if position == Position::Table {
                    quote! { &[#item] }
                } else {
                    quote! { &'static [#item] }
                }
            }
            Type::Text => match position {
                Position::Field => {
                    let parameter = &self.params.text;
                    quote! { #parameter }
                }
                Position::Item => quote! { &'e str },
                Position::Argument | Position::Table => quote! { &str },
                Position::Static => quote! { &'static str },
            },
        }
    }

    /// The Rust type of a field, an option where it may be null.
    pub(crate) fn field_ty(&self, field: &Field, position: Position) -> TokenStream {
        self.optional_ty(&field.ty, field.optional, position)
    }

    pub(crate) fn optional_ty(&self, ty: &Type, optional: bool, position: Position) -> TokenStream {
        self.option_of(self.ty(ty, position), optional)
    }

    /// The type, or an option of it.
    pub(crate) fn option_of(&self, ty: TokenStream, optional: bool) -> TokenStream {
        if optional {
            quote! { __Option<#ty> }
        } else {
            ty
        }
    }

    /// A value that is not null; texts are `&'static str`.
    pub(crate) fn literal(&self, literal: &Literal) -> Expr {
        match literal {
            Literal::Null => Expr::Null,
            Literal::Bool(it) => Expr::Bool(*it),
            Literal::Int(it) => Expr::Int(*it),
            Literal::Decimal(it) => Expr::Decimal { mantissa: it.mantissa(), scale: it.scale() },
            Literal::Text(it) => Expr::Text(it.clone()),
            Literal::Duration(it) => Expr::Duration(*it),
            Literal::Timestamp(it) => Expr::Timestamp(*it),
            Literal::Enum(id, idx) => Expr::Path(self.enum_value(*id, *idx)),
            Literal::State(id) => Expr::Path(self.state_path(*id)),
            Literal::Event(id) => Expr::Path(self.event_path(*id)),
            Literal::List(items) => Expr::List(items.iter().map(|it| self.literal(it)).collect()),
        }
    }

    /// A value, in `Some` if the type is optional.
    pub fn optional_literal(&self, literal: &Literal, optional: bool) -> Expr {
        some_if(optional && *literal != Literal::Null, self.literal(literal))
    }

    /// A value to store in the context: texts become `Text`.
    pub(crate) fn kept_literal(&self, literal: &Literal, optional: bool) -> Expr {
        let value = match literal {
            Literal::Text(_) => Expr::KeepLiteral(Box::new(self.literal(literal))),
            literal => self.literal(literal),
        };
        some_if(optional && *literal != Literal::Null, value)
    }
}

/// The value, in `Some` if `wanted`.
pub fn some_if(wanted: bool, value: Expr) -> Expr {
    if wanted { Expr::Some(Box::new(value)) } else { value }
}
