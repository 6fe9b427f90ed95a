//! Elements of long lists: so plain that they can be written as text, for a file as for the compiler.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;

#[cfg(feature = "files")]
use super::prelude::short_name;

/// An expression of paths, literals and calls.
#[derive(Debug, Clone)]
pub(crate) enum Element {
    /// A path or a literal.
    Word(String),
    /// `&[One, Two]`, of words.
    Slice(Vec<String>),
    /// `function(first, second)`; without a function a tuple.
    Call(String, Vec<Element>),
    /// `first.method(…).method(…)`: a call, and each method with its arguments.
    Chain(Box<Element>, Vec<String>),
}

impl Element {
    pub(crate) fn word(word: impl Into<String>) -> Element {
        Element::Word(word.into())
    }

    pub(crate) fn call(function: &str, arguments: impl IntoIterator<Item = Element>) -> Element {
        Element::Call(function.into(), arguments.into_iter().collect())
    }

    /// Its length on one line.
    #[cfg(feature = "files")]
    pub(super) fn len(&self) -> usize {
        let list = |lens: &mut dyn Iterator<Item = usize>| lens.reduce(|sum, len| sum + ", ".len() + len).unwrap_or(0);
        match self {
            Element::Word(word) => word.len(),
            Element::Slice(words) => "&[]".len() + list(&mut words.iter().map(String::len)),
            Element::Call(function, arguments) => function.len() + "()".len() + list(&mut arguments.iter().map(Element::len)),
            Element::Chain(first, methods) => first.len() + methods.iter().map(String::len).sum::<usize>(),
        }
    }

    /// Writes it on one line.
    pub(super) fn push_flat(&self, text: &mut String) {
        match self {
            Element::Word(word) => text.push_str(word),
            Element::Slice(words) => {
                text.push_str("&[");
                push_list(words, text, |word, text| text.push_str(word));
                text.push(']');
            }
            Element::Call(function, arguments) => {
                text.push_str(function);
                text.push('(');
                push_list(arguments, text, Element::push_flat);
                text.push(')');
            }
            Element::Chain(first, methods) => {
                first.push_flat(text);
                methods.iter().for_each(|it| text.push_str(it));
            }
        }
    }

    /// With the prelude's names, as a file has them.
    #[cfg(feature = "files")]
    pub(super) fn shorten(&mut self) {
        let short = |path: &mut String| short_name(path).into_iter().for_each(|short| *path = short.into());
        match self {
            Element::Word(word) => short(word),
            Element::Slice(words) => words.iter_mut().for_each(short),
            Element::Call(function, arguments) => {
                short(function);
                arguments.iter_mut().for_each(Element::shorten);
            }
            Element::Chain(first, _) => first.shorten(),
        }
    }

    /// For the compiler.
    pub(crate) fn tokens(elements: &[Element]) -> TokenStream {
        let mut text = String::new();
        push_list(elements, &mut text, Element::push_flat);
        text.parse().unwrap_or_default()
    }

    /// What its functions and paths begin with, such as `Row` in `&Row::new(…)`.
    pub(crate) fn starts<'e>(&'e self, starts: &mut BTreeSet<&'e str>) {
        let mut start = |path: &'e str| starts.extend(path.trim_start_matches('&').split_once("::").map(|(start, _)| start));
        match self {
            // A text may hold anything.
            Element::Word(word) if word.starts_with('"') => {}
            Element::Word(word) => start(word),
            Element::Slice(words) => words.iter().for_each(|it| start(it)),
            Element::Call(function, arguments) => {
                start(function);
                arguments.iter().for_each(|it| it.starts(starts));
            }
            Element::Chain(first, _) => first.starts(starts),
        }
    }
}

fn push_list<T>(items: &[T], text: &mut String, push: impl Fn(&T, &mut String)) {
    for (idx, item) in items.iter().enumerate() {
        if idx > 0 {
            text.push_str(", ");
        }
        push(item, text);
    }
}
