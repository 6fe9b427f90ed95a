//! The attributes of serde, under the condition of the style.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::Serde;
use crate::backend::rust::ir::Env;

impl Env {
    /// The condition of an item; `None` if nothing is serialized.
    pub(super) fn serde_condition(&self) -> Option<TokenStream> {
        match &self.serde {
            Serde::Off => None,
            Serde::On => Some(quote! {}),
            Serde::Feature(feature) => Some(quote! { #[cfg(feature = #feature)] }),
        }
    }

    /// The attributes of a type that is serialized field by field; the variants of an enum by their names.
    pub(super) fn serde_derive(&self, is_enum: bool) -> TokenStream {
        let facade = &self.facade;
        let path = quote! { #facade::__private::serde };
        let rename = is_enum.then(|| quote! { , rename_all = "snake_case" });
        let krate = path.to_string().replace(' ', "");
        self.serde_attributes(&[quote! { derive(#path::Serialize, #path::Deserialize) }, quote! { serde(crate = #krate #rename) }])
    }

    /// The name and the other names of a variant or a field; empty if serde takes the same name from the identifier.
    pub(super) fn serde_names(&self, usual: &str, name: &str, aliases: &[String]) -> TokenStream {
        let rename = (usual != name).then(|| quote! { rename = #name }).into_iter();
        let options: Vec<_> = rename.chain(aliases.iter().map(|it| quote! { alias = #it })).collect();
        if options.is_empty() { TokenStream::new() } else { self.serde_attributes(&[quote! { serde(#(#options),*) }]) }
    }

    fn serde_attributes(&self, attributes: &[TokenStream]) -> TokenStream {
        match &self.serde {
            Serde::Off => TokenStream::new(),
            Serde::On => quote! { #(#[#attributes])* },
            Serde::Feature(feature) => quote! { #[cfg_attr(feature = #feature, #(#attributes),*)] },
        }
    }
}
