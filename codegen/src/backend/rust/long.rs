//! Lists as long as a machine is large: tokens for the compiler, but for a file lines beside the tokens.

#[cfg(feature = "files")]
use std::cell::RefCell;

use proc_macro2::{Ident, Literal, TokenStream};
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

    /// What stands for elements that are never broken, in a file and where they are many.
    fn lines(&self, lines: impl Iterator<Item = String>) -> Option<TokenStream> {
        #[cfg(feature = "files")]
        return Some(self.lists.as_ref()?.borrow_mut().lines(lines.collect())?.into());
        #[cfg(not(feature = "files"))]
        {
            let _ = lines;
            None
        }
    }

    /// `"one", "two"`
    pub(crate) fn texts<'a>(&self, texts: impl Iterator<Item = &'a str> + Clone) -> TokenStream {
        let lines = texts.clone().map(|it| Literal::string(it).to_string());
        self.lines(lines).unwrap_or_else(|| quote! { #(#texts),* })
    }

    /// `State::One, State::Two`
    pub(crate) fn variants<'a>(&self, ty: &Ident, variants: impl Iterator<Item = &'a Ident> + Clone) -> TokenStream {
        let lines = variants.clone().map(|it| format!("{ty}::{it}"));
        self.lines(lines).unwrap_or_else(|| quote! { #(#ty::#variants),* })
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

#[cfg(all(test, feature = "files"))]
mod tests {
    use std::fmt::Write as _;

    use super::super::{Module, Style, expand_module, text};
    use super::*;
    use crate::lower::{Input, load};

    /// States with docs of every kind, more of them each time.
    fn spec(n_states: usize) -> String {
        let docs = [
            "Plain.",
            "With \\\"quotes\\\", a \\\\ and ünïcödé.",
            "/ begins with a slash",
            "two\\nlines",
            "ends in spaces   ",
            "- an item",
            "``` fenced",
        ];
        let mut text = String::from("machine: long\nstates:\n  s0: { initial: true }\n");
        for idx in 1..n_states {
            let doc = docs[idx % docs.len()].repeat(1 + idx % 3);
            let _ = writeln!(text, "  a_state_{}_{idx}: {{ label: \"the {idx}th: {doc}\", doc: \"{doc}\" }}", "x".repeat(idx % 40));
        }
        text.push_str("events:\n");
        (1..n_states).for_each(|idx| _ = writeln!(text, "  go_{idx}: {{ doc: Goes on. }}"));
        text.push_str("transitions:\n");
        for idx in 1..n_states {
            let _ = writeln!(text, "  - {{ from: s0, event: go_{idx}, to: a_state_{}_{idx} }}", "x".repeat(idx % 40));
        }
        text
    }

    #[test]
    fn what_stands_beside_the_tokens_is_what_they_would_have_been() {
        for n_states in [2, 4, 5, 6, 8, 30, 90] {
            let loaded = load(&[Input { path: "machines/long.yaml".into(), text: spec(n_states) }]);
            let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
            let style = Style::default();
            let written = |long: Long, all_tokens: bool| {
                let mut module = Module::new(&model.machines[0], &style);
                module.long = long;
                let items = expand_module(&module);
                let lists = module.long.into_lists();
                text::format(if all_tokens { Lists::none() } else { lists }, TokenStream::new(), items).unwrap()
            };
            let beside = written(Long::of_file(), false);
            assert_eq!(beside, written(Long::default(), false), "{n_states}");
            assert_eq!(beside, written(Long::default(), true), "{n_states}, by prettyplease alone");
        }
    }
}
