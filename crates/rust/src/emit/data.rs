//! Enums whose variants carry data: events, and effects.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use statespec_lang::names::snake_by_capitals;

use super::arm::expand_binding;
use super::{doc, doc_line};
use crate::ir::{Field, Machine, Optional, Params, Variant};

/// An enum whose variants carry data.
pub(super) struct Data<'m> {
    pub(super) ident: &'m Ident,
    /// The enum of its variants without their data.
    pub(super) kind: &'m Ident,
    pub(super) params: Params,
    pub(super) words: Words,
    /// Attributes added by the user.
    pub(super) attributes: &'m TokenStream,
    pub(super) variants: Vec<DataVariant<'m>>,
}

/// The documentation of such an enum and of its methods.
#[derive(Clone, Copy)]
pub(super) struct Words {
    pub(super) ty: &'static str,
    pub(super) kind: &'static str,
    pub(super) borrowed: &'static str,
}

/// A variant with its data.
pub(super) struct DataVariant<'m> {
    pub(super) variant: &'m Variant,
    pub(super) doc: Vec<String>,
    pub(super) fields: Vec<&'m Field>,
}

impl Data<'_> {
    /// The enum with its methods.
    pub(super) fn expand(&self, m: &Machine) -> TokenStream {
        let (Enum, vis, attributes, own) = (self.ident, &m.env.visibility, &m.env.attributes, self.attributes);
        let (definition, arguments) = (m.generics.definition(self.params), m.generics.arguments(self.params));
        let (serde, docs) = (m.env.serde_derive(true), doc_line(self.words.ty));
        let (kind, kind_doc) = (self.expand_kind(), doc_line(self.words.kind));
        let borrowed = self.params.text.then(|| self.expand_borrowed(m));
        let variants = self.variants.iter().map(|DataVariant { variant, doc: docs, fields }| {
            let (docs, ident) = (doc(docs), &variant.ident);
            let fields = fields.iter().map(|field| {
                let (docs, ident, ty) = (doc(&field.doc), &field.ident, &field.ty);
                let serde = m.env.serde_field(field);
                quote! { #docs #serde #ident: #ty, }
            });
            let fields: TokenStream = fields.collect();
            let fields = (!fields.is_empty()).then(|| quote! { { #fields } });
            let names = m.env.serde_names(&snake_by_capitals(&ident.to_string()), &variant.name, &variant.aliases);
            quote! { #docs #names #ident #fields }
        });
        quote! {
            #docs
            #attributes
            #own
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            #serde
            #vis enum #Enum #definition {
                #(#variants,)*
            }

            #attributes
            impl #arguments #Enum #arguments {
                #kind_doc
                #[inline]
                #vis const fn kind(&self) -> #kind
            }

            #borrowed
        }
    }

    /// `EventKind { match … }`: the result and the body of `kind`.
    pub(super) fn expand_kind(&self) -> TokenStream {
        let (Enum, Kind) = (self.ident, self.kind);
        let arms = self.variants.iter().map(|DataVariant { variant, fields, .. }| {
            let (ident, rest) = (&variant.ident, (!fields.is_empty()).then(|| quote! { { .. } }));
            quote! { #Enum::#ident #rest => #Kind::#ident }
        });
        // A reference to a type without values could still be matched.
        let subject = if self.variants.is_empty() {
            quote! { *self }
        } else {
            quote! { self }
        };
        quote! { #Kind { match #subject { #(#arms,)* } } }
    }

    /// `borrowed`: machines and hosts take values whose texts are `&str`.
    fn expand_borrowed(&self, m: &Machine) -> TokenStream {
        let (Enum, Text, R, vis, attributes) = (self.ident, &m.generics.text, &m.generics.reference, &m.env.visibility, &m.env.attributes);
        let reference = self.params.reference.then(|| quote! { #R: __Copy, });
        let arguments = m.generics.arguments(self.params);
        let (borrowed, docs) = (m.ty_of_data(Enum, self.params, quote! {}, quote! { #R }), doc_line(self.words.borrowed));
        let arms = self.variants.iter().map(|DataVariant { variant, fields, .. }| {
            let ident = &variant.ident;
            if fields.is_empty() {
                return quote! { #Enum::#ident => #Enum::#ident };
            }
            let patterns = fields.iter().map(|field| expand_binding(&field.ident, &field.local));
            let values = fields.iter().map(|field| {
                let (ident, local) = (&field.ident, &field.local);
                let value = match field.text {
                    Some(Optional(false)) => quote! { __AsRef::as_ref(#local) },
                    Some(Optional(true)) => quote! { __Option::as_ref(#local).map(__AsRef::as_ref) },
                    None => quote! { *#local },
                };
                quote! { #ident: #value }
            });
            quote! { #Enum::#ident { #(#patterns),* } => #Enum::#ident { #(#values),* } }
        });
        quote! {
            #attributes
            impl<#Text: __AsRef<str>, #reference> #Enum #arguments {
                #docs
                #vis fn borrowed(&self) -> #borrowed {
                    match self {
                        #(#arms,)*
                    }
                }
            }
        }
    }
}
