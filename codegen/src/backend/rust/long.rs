//! What is large, or the same in most machines: tokens for the compiler, but for a file text beside the tokens.
//!
//! To parse and print tokens takes far longer than to make them, and most of a module is either a list as long as the
//! machine is large, or the same as in the last machine but for a few words.

#[cfg(feature = "files")]
use std::cell::RefCell;

use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::quote;

use super::element::Element;
#[cfg(feature = "files")]
use super::lists::Lists;
#[cfg(feature = "files")]
use super::printed::Printed;
use super::{docs, vocabulary::Word};

/// Where long lists and repeated items go.
#[derive(Default)]
pub(crate) struct Long<'p> {
    #[cfg(feature = "files")]
    file: Option<File<'p>>,
    #[cfg(not(feature = "files"))]
    compiler: std::marker::PhantomData<&'p ()>,
}

/// What stands beside the tokens of a file.
#[cfg(feature = "files")]
struct File<'p> {
    lists: RefCell<Lists>,
    printed: &'p Printed,
}

/// An arm of a match.
pub(crate) struct Arm {
    pub(crate) pattern: Pattern,
    /// Without the `if`.
    pub(crate) guard: Option<TokenStream>,
    pub(crate) outcome: String,
}

/// The pattern of an arm.
pub(crate) enum Pattern {
    /// Paths on one line.
    Paths(String),
    /// One that looks into a payload.
    Other(TokenStream),
}

impl Arm {
    /// For the compiler, each with a comma behind.
    pub(crate) fn tokens<'a>(arms: impl Iterator<Item = &'a Arm> + Clone) -> TokenStream {
        let text = |arm: &Arm| match &arm.pattern {
            Pattern::Paths(paths) => format!("({paths}) ({})", arm.outcome),
            Pattern::Other(_) => format!("() ({})", arm.outcome),
        };
        // All at once: each parsing is a source file of its own to the compiler.
        let parsed: TokenStream = arms.clone().map(text).collect::<String>().parse().unwrap_or_default();
        let mut parsed = parsed.into_iter().map(|it| if let TokenTree::Group(group) = it { group.stream() } else { it.into() });
        let arms = arms.map(|arm| {
            let (paths, outcome) = (parsed.next(), parsed.next());
            let pattern = if let Pattern::Other(pattern) = &arm.pattern { Some(pattern.clone()) } else { paths };
            let guard = arm.guard.as_ref().map(|guard| quote! { if #guard });
            quote! { #pattern #guard => #outcome, }
        });
        arms.collect()
    }
}

impl<'p> Long<'p> {
    /// Beside the tokens of a file.
    #[cfg(feature = "files")]
    pub(crate) fn of_file(printed: &'p Printed) -> Self {
        Long { file: Some(File { lists: RefCell::default(), printed }) }
    }

    /// The lists that were put beside the tokens.
    #[cfg(feature = "files")]
    pub(super) fn into_lists(self) -> Lists {
        self.file.map(|it| it.lists.into_inner()).unwrap_or_default()
    }

    /// What stands for elements that are never broken, in a file and where they are many.
    fn lines(&self, lines: impl Iterator<Item = String>) -> Option<TokenStream> {
        #[cfg(feature = "files")]
        return self.file.as_ref()?.lists.borrow_mut().lines(lines.collect());
        #[cfg(not(feature = "files"))]
        {
            let _ = lines;
            None
        }
    }

    /// `"one", "two"`
    pub(crate) fn texts<'a>(&self, texts: impl Iterator<Item = &'a str> + Clone) -> TokenStream {
        let lines = texts.clone().map(literal);
        self.lines(lines).unwrap_or_else(|| quote! { #(#texts),* })
    }

    /// `State::One, State::Two`
    pub(crate) fn variants<'a>(&self, ty: &Ident, variants: impl Iterator<Item = &'a Ident> + Clone) -> TokenStream {
        let lines = variants.clone().map(|it| format!("{ty}::{it}"));
        self.lines(lines).unwrap_or_else(|| quote! { #(#ty::#variants),* })
    }

    /// The elements of an array.
    pub(crate) fn elements(&self, elements: Vec<Element>) -> TokenStream {
        #[cfg(feature = "files")]
        let elements = match &self.file {
            Some(file) => match file.lists.borrow_mut().elements(elements) {
                Ok(list) => return list,
                Err(elements) => elements,
            },
            None => elements,
        };
        Element::tokens(&elements)
    }

    /// A literal of many lines.
    pub(crate) fn literal(&self, literal: String) -> TokenStream {
        #[cfg(feature = "files")]
        if let Some(file) = &self.file {
            return file.lists.borrow_mut().literal(literal);
        }
        literal.parse().unwrap_or_default()
    }

    /// The body of an enum, each variant with its doc.
    pub(crate) fn declared(&self, words: &[Word]) -> TokenStream {
        #[cfg(feature = "files")]
        if let Some(file) = &self.file {
            let variants = words.iter().map(|it| (docs::lines(&it.doc), it.ident.to_string())).collect();
            if let Some(list) = file.lists.borrow_mut().variants(variants) {
                return list;
            }
        }
        let variants = words.iter().map(|word| {
            let (ident, doc) = (&word.ident, docs::attributes(&word.doc));
            quote! { #doc #ident }
        });
        quote! { #(#variants,)* }
    }

    /// Arms of a match, each with a comma behind.
    pub(crate) fn arms(&self, arms: &[Arm]) -> TokenStream {
        #[cfg(feature = "files")]
        if let Some(file) = &self.file {
            // One after the other: the order of arms has a meaning.
            let texts: Vec<_> = arms.iter().map(|it| (it, file.printed.arm(it))).collect();
            let runs = texts.chunk_by(|a, b| a.1.is_some() == b.1.is_some()).map(|run| {
                let text: Vec<_> = run.iter().filter_map(|(_, text)| text.clone()).collect();
                if text.is_empty() {
                    return Arm::tokens(run.iter().map(|(arm, _)| *arm));
                }
                file.lists.borrow_mut().arms(text)
            });
            return runs.collect();
        }
        Arm::tokens(arms.iter())
    }

    /// Items or members that `items` makes of `words` and of nothing else; `site` is the place in the source where they stand.
    pub(crate) fn fixed(&self, site: Site, words: &[&TokenStream], items: impl Fn() -> TokenStream) -> TokenStream {
        #[cfg(feature = "files")]
        if let Some(file) = &self.file
            && let Some(text) = file.printed.items(site, words, &items)
        {
            return file.lists.borrow_mut().items(text);
        }
        let _ = (site, words);
        items()
    }
}

/// A text as a literal of Rust.
pub(crate) fn literal(text: &str) -> String {
    // Nearly all texts need nothing but the quotes.
    let is_plain = text.bytes().all(|it| matches!(it, b' '..=b'~') && it != b'"' && it != b'\\');
    if is_plain { format!("\"{text}\"") } else { Literal::string(text).to_string() }
}

/// Where fixed items stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Site {
    /// They are members of an `impl`.
    pub(crate) members: bool,
    /// In the source of this crate.
    pub(crate) file: &'static str,
    pub(crate) line: u32,
}

/// Items that are the same in every machine but for some words: `fixed!(module.long, items(facade) => { … #facade … })`.
///
/// Members of an `impl` are `members(…)`. The function around the tokens sees nothing but the words, so that these tell all.
macro_rules! fixed {
    ($long:expr, items($($word:ident),*) => { $($tokens:tt)* }) => {
        fixed!(@ $long, false, ($($word),*), { $($tokens)* })
    };
    ($long:expr, members($($word:ident),*) => { $($tokens:tt)* }) => {
        fixed!(@ $long, true, ($($word),*), { $($tokens)* })
    };
    (@ $long:expr, $members:literal, ($($word:ident),*), { $($tokens:tt)* }) => {{
        #[allow(clippy::too_many_arguments, reason = "a word is an argument")]
        fn make($($word: &::proc_macro2::TokenStream),*) -> ::proc_macro2::TokenStream {
            ::quote::quote! { $($tokens)* }
        }
        $(let $word = &::quote::ToTokens::to_token_stream(&$word);)*
        let site = $crate::backend::rust::long::Site { members: $members, file: file!(), line: line!() };
        $long.fixed(site, &[$($word),*], || make($($word),*))
    }};
}
pub(crate) use fixed;

#[cfg(all(test, feature = "files"))]
mod tests {
    use std::fmt::Write as _;

    use super::super::{Module, Style, expand_module, text};
    use super::*;
    use crate::lower::load;
    use crate::source::Input;

    /// States with docs of every kind, more of them each time, and rows with guards and without.
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
        let guards =
            ["tries < 3", "tries + 1 <= limit and not (tries == 7)", "why == 'because' or tries > 100000 and limit >= tries * 2 + 5"];
        let mut text =
            String::from("machine: long\nactors: { user: A user. }\ncontext: { tries: int, limit: { type: int, default: 3 } }\n");
        text.push_str("states:\n  s0: { initial: true }\n");
        let state = |idx: usize| if idx == 0 { "s0".to_owned() } else { format!("a_state_{}_{idx}", "x".repeat(idx % 40)) };
        for idx in 1..n_states {
            let doc = docs[idx % docs.len()].repeat(1 + idx % 3);
            let _ = writeln!(text, "  {}: {{ label: \"the {idx}th: {doc}\", doc: \"{doc}\" }}", state(idx));
        }
        text.push_str("events:\n");
        for idx in 1..n_states {
            let payload = if idx % 3 == 2 { ", payload: { why: text }" } else { "" };
            let _ = writeln!(text, "  go_{idx}: {{ doc: Goes on., by: user{payload} }}");
        }
        text.push_str("effects: { notify: {} }\ntransitions:\n");
        for idx in 1..n_states {
            let guard = &guards[..if idx % 3 == 2 { 3 } else { 2 }][idx % if idx % 3 == 2 { 3 } else { 2 }];
            let from = state(idx / 2);
            let _ = writeln!(text, "  - {{ from: {from}, event: go_{idx}, to: {}, when: \"{guard}\", do: [notify] }}", state(idx));
            let _ = writeln!(text, "  - {{ from: {from}, event: go_{idx}, to: s0, set: {{ tries: tries + 1 }} }}");
            if idx % 4 == 0 {
                let _ = writeln!(text, "  - {{ from: {from}, to: [{}, s0], when: tries < limit }}", state(idx));
            }
        }
        text
    }

    #[test]
    fn what_stands_beside_the_tokens_is_what_they_would_have_been() {
        let printed = Printed::default();
        for n_states in [2, 4, 5, 6, 8, 30, 90] {
            let loaded = load(&[Input { path: "machines/long.yaml".into(), text: spec(n_states) }]);
            let model = loaded.model.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
            let style = Style::default();
            let written = |long: Long<'_>| {
                let mut module = Module::new(&model.machines[0], &style);
                module.long = long;
                let items = expand_module(&module);
                text::format(module.long.into_lists(), TokenStream::new(), items).unwrap()
            };
            let alone = written(Long::default());
            assert_eq!(written(Long::of_file(&Printed::default())), alone, "{n_states}");
            assert_eq!(written(Long::of_file(&printed)), alone, "{n_states}, after others");
        }
    }
}
