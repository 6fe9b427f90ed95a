//! Lists as long as a machine is large: tokens for the compiler, but for a file lines beside the tokens.

#[cfg(feature = "files")]
use std::cell::RefCell;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

#[cfg(feature = "files")]
use super::lists::Lists;
use super::{docs, vocabulary::Word};

/// What long lists become.
#[derive(Default)]
pub(crate) struct Long {
    /// The lists of a file, which go into its text without having been tokens.
    #[cfg(feature = "files")]
    lists: Option<RefCell<Lists>>,
}

impl Long {
    /// Beside the tokens of a file.
    #[cfg(feature = "files")]
    pub(crate) fn of_file() -> Self {
        Long { lists: Some(RefCell::default()) }
    }

    /// The lists that were put beside the tokens.
    #[cfg(feature = "files")]
    pub(super) fn into_lists(self) -> Lists {
        self.lists.map(RefCell::into_inner).unwrap_or_default()
    }

    /// `"one", "two"`
    pub(crate) fn texts<'a>(&self, texts: impl Iterator<Item = &'a str> + Clone) -> TokenStream {
        #[cfg(feature = "files")]
        if let Some(lists) = &self.lists {
            let lines = texts.clone().map(|it| proc_macro2::Literal::string(it).to_string()).collect();
            if let Some(list) = lists.borrow_mut().lines(lines) {
                return list.into();
            }
        }
        quote! { #(#texts),* }
    }

    /// `State::One, State::Two`
    pub(crate) fn variants<'a>(&self, ty: &Ident, variants: impl Iterator<Item = &'a Ident> + Clone) -> TokenStream {
        #[cfg(feature = "files")]
        if let Some(lists) = &self.lists {
            let lines = variants.clone().map(|it| format!("{ty}::{it}")).collect();
            if let Some(list) = lists.borrow_mut().lines(lines) {
                return list.into();
            }
        }
        quote! { #(#ty::#variants),* }
    }

    /// The body of an enum, each variant with its doc.
    pub(crate) fn declared(&self, words: &[Word]) -> TokenStream {
        #[cfg(feature = "files")]
        if let Some(lists) = &self.lists {
            let declared = words.iter().map(|it| (docs::lines(&it.doc), it.ident.to_string())).collect();
            if let Some(list) = lists.borrow_mut().declared(declared) {
                return list.into();
            }
        }
        let variants = words.iter().map(|word| {
            let (ident, doc) = (&word.ident, docs::attributes(&word.doc));
            quote! { #doc #ident }
        });
        quote! { #(#variants,)* }
    }
}
