//! Fieldless enums whose variants have names.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::{doc, doc_line, number};
use crate::ir::{Env, UnitEnum, Variant};

/// The enum, its names and its texts.
pub(crate) fn expand_unit_enum(it: &UnitEnum, env: &Env) -> TokenStream {
    let definition = expand_definition(it, env);
    let texts = expand_texts(it, env, &quote! { self as usize });
    let serde = env.serde_condition().map(|condition| quote! { , #condition serde });
    let names = expand_names(it, env, serde);
    quote! { #definition #names #texts }
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

/// `ALL` and `name` of an enum of the user whose other names are not all emitted; `index` makes the position of a value of it.
pub(super) fn expand_own_names(it: &UnitEnum, env: &Env, index: &TokenStream) -> TokenStream {
    let UnitEnum { ident: Enum, kind, .. } = it;
    let (facade, vis, (n_variants, names)) = (&env.facade, &env.visibility, expand_list(it));
    quote! { #facade::__names!(#vis #Enum, #kind, #index, #n_variants, #names); }
}

/// `4, [Idle("idle"), …]`
fn expand_list(it: &UnitEnum) -> (Literal, TokenStream) {
    let names = it.variants.iter().map(|Variant { ident, name, .. }| quote! { #ident(#name) });
    (number(it.variants.len()), quote! { [#(#names),*] })
}

/// `label` and `doc`, where variants have them; `index` is the position of `self`.
pub(super) fn expand_texts(it: &UnitEnum, env: &Env, index: &TokenStream) -> Option<TokenStream> {
    let UnitEnum { ident: Enum, kind, variants, .. } = it;
    let attributes = &env.attributes;
    let label = variants.iter().any(|it| it.label.is_some()).then(|| {
        let text: fn(&Variant) -> &str = |it| it.label.as_deref().unwrap_or(&it.name);
        expand_text(it, env, index, &statespec_lang::names::ident("label"), &format!("The name of the {kind} that a person reads."), text)
    });
    let text = variants.iter().any(|it| it.text.is_some()).then(|| {
        let text: fn(&Variant) -> &str = |it| it.text.as_deref().unwrap_or("");
        expand_text(it, env, index, &statespec_lang::names::ident("doc"), &format!("The description of the {kind} in the spec."), text)
    });
    (label.is_some() || text.is_some()).then(|| quote! { #attributes impl #Enum { #label #text } })
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

/// `ALL`, `name`, `FromStr`, `Display` and, on request, serde.
pub(super) fn expand_names(it: &UnitEnum, env: &Env, serde: Option<TokenStream>) -> TokenStream {
    let UnitEnum { ident: Enum, kind, variants, ignore_case, .. } = it;
    let (facade, vis, (n_variants, names)) = (&env.facade, &env.visibility, expand_list(it));
    let pairs = variants.iter().flat_map(|variant| variant.aliases.iter().map(move |alias| (alias, &variant.ident)));
    let aliases: Vec<_> = pairs.map(|(alias, variant)| quote! { (#alias, #Enum::#variant) }).collect();
    let details = (*ignore_case || !aliases.is_empty()).then(|| quote! { , ignore_case = #ignore_case, aliases = [#(#aliases),*] });
    quote! { #facade::__unit_enum!(#vis #Enum, #kind, #n_variants, #names #details #serde); }
}
