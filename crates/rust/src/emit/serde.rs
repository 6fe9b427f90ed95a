//! The attributes of serde, under the condition of the style.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt as _;

use crate::Serde;
use crate::ir::{Env, Field, Optional};

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
        let krate = self.private_path("serde");
        self.serde_attributes(&[quote! { derive(#path::Serialize, #path::Deserialize) }, quote! { serde(crate = #krate #rename) }])
    }

    /// The name and the other names of a variant or a field; empty if serde takes the same name from the identifier.
    pub(super) fn serde_names(&self, usual: &str, name: &str, aliases: &[String]) -> TokenStream {
        let rename = (usual != name).then(|| quote! { rename = #name }).into_iter();
        let options: Vec<_> = rename.chain(aliases.iter().map(|it| quote! { alias = #it })).collect();
        if options.is_empty() { TokenStream::new() } else { self.serde_attributes(&[quote! { serde(#(#options),*) }]) }
    }

    /// The attributes of a field: its name, and how a state of the user's own enum is written.
    pub(super) fn serde_field(&self, field: &Field) -> TokenStream {
        let names = self.serde_names(&field.ident.unraw().to_string(), &field.name, &[]);
        let by_name = field.own_state.map(|Optional(optional)| self.serde_own_state(optional));
        quote! { #names #by_name }
    }

    /// The attribute of a field with a state of the user's own enum: it is written by name, whatever its own traits do.
    pub(super) fn serde_own_state(&self, optional: bool) -> TokenStream {
        let (module, default) = match optional {
            true => (self.private_path("named_option"), Some(quote! { , default })),
            false => (self.private_path("named"), None),
        };
        self.serde_attributes(&[quote! { serde(with = #module #default) }])
    }

    /// The path of an internal item of the façade, as a text: serde takes paths so.
    fn private_path(&self, item: &str) -> String {
        format!("{}::__private::{item}", self.facade.to_string().replace(' ', ""))
    }

    fn serde_attributes(&self, attributes: &[TokenStream]) -> TokenStream {
        match &self.serde {
            Serde::Off => TokenStream::new(),
            Serde::On => quote! { #(#[#attributes])* },
            Serde::Feature(feature) => quote! { #[cfg_attr(feature = #feature, #(#attributes),*)] },
        }
    }
}
