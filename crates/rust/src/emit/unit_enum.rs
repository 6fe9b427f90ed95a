//! Fieldless enums whose variants have names.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{doc, doc_line, number};
use crate::ir::{Env, UnitEnum, Variant};

/// The enum, its names, `FromStr` and `Display`.
pub(crate) fn expand_unit_enum(it: &UnitEnum, env: &Env) -> TokenStream {
    let definition = expand_definition(it, env);
    let inherent = expand_inherent(it, env, &quote! { self as usize });
    let named = expand_named(it, env);
    quote! { #definition #inherent #named }
}

fn expand_definition(it: &UnitEnum, env: &Env) -> TokenStream {
    let (Enum, vis, attributes, own) = (&it.ident, &env.visibility, &env.attributes, &it.attributes);
    let docs = doc(&it.doc);
    let variants = it.variants.iter().map(|variant| {
        let (docs, ident) = (doc(&variant.doc), &variant.ident);
        quote! { #docs #ident }
    });
    quote! {
        #docs
        #attributes
        #own
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #vis enum #Enum {
            #(#variants,)*
        }
    }
}

/// `ALL`, `name`, `label` and `doc`; `index` is the position of `self`.
pub(super) fn expand_inherent(it: &UnitEnum, env: &Env, index: &TokenStream) -> TokenStream {
    let UnitEnum { ident: Enum, kind, variants, .. } = it;
    let (vis, attributes) = (&env.visibility, &env.attributes);
    let n_variants = number(variants.len());
    let idents = variants.iter().map(|it| &it.ident);
    let names = variants.iter().map(|it| &it.name);
    let name_doc = doc_line(&format!("The name of the {kind} that is stored and sent."));
    let label = variants.iter().any(|it| it.label.is_some()).then(|| {
        let text: fn(&Variant) -> &str = |it| it.label.as_deref().unwrap_or(&it.name);
        expand_text(it, env, index, &statespec_lang::names::ident("label"), &format!("The name of the {kind} that a person reads."), text)
    });
    let text = variants.iter().any(|it| it.text.is_some()).then(|| {
        let text: fn(&Variant) -> &str = |it| it.text.as_deref().unwrap_or("");
        expand_text(it, env, index, &statespec_lang::names::ident("doc"), &format!("The description of the {kind} in the spec."), text)
    });
    quote! {
        #attributes
        impl #Enum {
            /// In the order of the spec.
            #vis const ALL: [#Enum; #n_variants] = [#(#Enum::#idents),*];

            #name_doc
            #[inline]
            #vis const fn name(self) -> &'static str {
                const NAMES: &[&str; #n_variants] = &[#(#names),*];
                NAMES[#index]
            }

            #label
            #text
        }
    }
}

/// A method that returns a text of the variant.
fn expand_text(it: &UnitEnum, env: &Env, index: &TokenStream, method: &Ident, docs: &str, text: fn(&Variant) -> &str) -> TokenStream {
    let (vis, n_variants) = (&env.visibility, number(it.variants.len()));
    let texts = it.variants.iter().map(text);
    let docs = doc_line(docs);
    quote! {
        #docs
        #vis const fn #method(self) -> &'static str {
            const TEXTS: &[&str; #n_variants] = &[#(#texts),*];
            TEXTS[#index]
        }
    }
}

/// `FromStr`, `Display` and, on request, serde.
fn expand_named(it: &UnitEnum, env: &Env) -> TokenStream {
    let UnitEnum { ident: Enum, kind, variants, ignore_case, .. } = it;
    let facade = &env.facade;
    let pairs = variants.iter().flat_map(|variant| variant.aliases.iter().map(move |alias| (alias, &variant.ident)));
    let aliases: Vec<_> = pairs.map(|(alias, variant)| quote! { (#alias, #Enum::#variant) }).collect();
    let details = (*ignore_case || !aliases.is_empty()).then(|| quote! { , ignore_case = #ignore_case, aliases = [#(#aliases),*] });
    let serde = env.serde_condition().map(|condition| quote! { #condition #facade::named_serde!(#Enum); });
    quote! {
        #facade::named!(#Enum, #kind #details);
        #serde
    }
}
