//! What goes into a file as text, without having been parsed.
//!
//! Most of a large machine's module is a few lists with a line or two for each element: variants,
//! names, rows. Parsing and printing all of it would take most of the time, so what is formatted is
//! a file with one name in the place of each such list, and the lines are written in there
//! afterwards, to the letter as prettyplease would have written them: the tests hold one against the
//! other. An element that has another shape than those known here is left to prettyplease.

use std::sync::Arc;

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::element::Element;

/// What fits on a line, as prettyplease has it: so many bytes, but that many behind any indent.
const MARGIN: usize = 89;
const MIN_SPACE: usize = 60;
const INDENT: usize = 4;

/// Names of lists are too long for any line, so that what is around them breaks as it would around the list.
const NAME: &str = "__LIST__";

/// Shorter lists are left to prettyplease.
const MIN_ELEMENTS: usize = 5;

/// The lists beside a file.
#[derive(Default)]
pub(super) struct Lists(Vec<List>);

enum List {
    /// The elements of an array.
    Elements(Vec<Element>),
    /// Elements that are never broken.
    Lines(Vec<String>),
    /// The variants of an enum, each with its doc lines.
    Variants(Vec<(Vec<String>, String)>),
    /// Arms of a match.
    Arms(Vec<Arm>),
    /// Whole items, at the indent at which they stand; they may hold other lists.
    Items(Arc<str>),
    /// A literal of many lines, as written.
    Literal(String),
}

/// An arm of a match: the pattern, with the guard where there is one, and what it comes to, which is no block.
pub(super) type Arm = (String, String);

/// Whether elements of such lengths have no room on one line.
fn is_long(lens: impl ExactSizeIterator<Item = usize>) -> bool {
    lens.len() >= MIN_ELEMENTS && lens.sum::<usize>() > MARGIN
}

impl Lists {
    /// What stands for the elements of an array, unless there may be room for them on one line.
    pub(super) fn elements(&mut self, mut elements: Vec<Element>) -> Result<TokenStream, Vec<Element>> {
        elements.iter_mut().for_each(Element::shorten);
        if is_long(elements.iter().map(Element::len)) { Ok(self.add(List::Elements(elements))) } else { Err(elements) }
    }

    /// The same for elements that are never broken.
    pub(super) fn lines(&mut self, lines: Vec<String>) -> Option<TokenStream> {
        is_long(lines.iter().map(String::len)).then(|| self.add(List::Lines(lines)))
    }

    /// What stands for variants, each with its doc lines; nothing where a line is more than a line.
    pub(super) fn variants(&mut self, mut variants: Vec<(Vec<String>, String)>) -> Option<TokenStream> {
        for line in variants.iter_mut().flat_map(|(doc, _)| doc) {
            // Behind slashes prettyplease writes only such lines.
            if line.contains('\n') || line.starts_with('/') {
                return None;
            }
            line.truncate(line.trim_end_matches(' ').len());
        }
        (!variants.is_empty()).then(|| self.add(List::Variants(variants)))
    }

    /// What stands for arms of a match.
    pub(super) fn arms(&mut self, arms: Vec<Arm>) -> TokenStream {
        let name = self.add(List::Arms(arms));
        quote! { #name => {} }
    }

    /// What stands for whole items.
    pub(super) fn items(&mut self, items: Arc<str>) -> TokenStream {
        let name = self.add(List::Items(items));
        quote! { #name! {} }
    }

    /// What stands for a literal of many lines.
    pub(super) fn literal(&mut self, literal: String) -> TokenStream {
        let name = self.add(List::Literal(literal)).to_string();
        quote! { #name }
    }

    fn add(&mut self, list: List) -> TokenStream {
        let name = proc_macro2::Ident::new(&format!("{NAME}{:_<MARGIN$}", self.0.len()), Span::call_site());
        self.0.push(list);
        quote! { #name }
    }

    /// Writes a line of the formatted file, or what it stands for.
    pub(super) fn write(&self, line: &str, out: &mut String) {
        let Some((indent, list)) = self.of_line(line) else { return push_line(0, &[line], out) };
        match list {
            List::Elements(elements) => {
                for (idx, element) in elements.iter().enumerate() {
                    let is_last = idx + 1 == elements.len();
                    let start = out.len();
                    if write_element(element, indent, is_last, out).is_none() {
                        out.truncate(start);
                        element_by_prettyplease(element, indent, is_last, out);
                    }
                }
            }
            List::Lines(lines) => lines.iter().for_each(|it| push_line(indent, &[it, ","], out)),
            List::Variants(variants) => {
                for (doc, name) in variants {
                    doc.iter().for_each(|it| push_line(indent, &["///", it], out));
                    push_line(indent, &[name, ","], out);
                }
            }
            List::Arms(arms) => arms.iter().for_each(|it| write_arm(it, indent, out)),
            List::Items(items) => items.lines().for_each(|it| self.write(it, out)),
            List::Literal(literal) => {
                let rest = line.rsplit('"').next().unwrap_or_default();
                push_line(indent, &[literal, rest], out);
            }
        }
    }

    /// The list that a line stands for, and the line's indent.
    fn of_line(&self, line: &str) -> Option<(usize, &List)> {
        let indent = line.bytes().take_while(|it| *it == b' ').count();
        let name = &line[indent..];
        let number = name.strip_prefix('"').unwrap_or(name).strip_prefix(NAME)?.split('_').next()?;
        Some((indent, self.0.get(number.parse::<usize>().ok()?)?))
    }
}

fn space(indent: usize) -> usize {
    MARGIN.saturating_sub(indent).max(MIN_SPACE)
}

fn push_line(indent: usize, parts: &[&str], out: &mut String) {
    out.extend(std::iter::repeat_n(' ', indent));
    parts.iter().for_each(|it| out.push_str(it));
    out.push('\n');
}

fn push_flat(element: &Element, indent: usize, behind: &str, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', indent));
    element.push_flat(out);
    out.push_str(behind);
    out.push('\n');
}

/// An element with a comma behind; nothing for a shape that is not known.
fn write_element(element: &Element, indent: usize, is_last: bool, out: &mut String) -> Option<()> {
    // Behind the last of what is broken a comma is written, but on a line of its own it has none.
    if element.len() + usize::from(!is_last) <= space(indent) {
        push_flat(element, indent, ",", out);
        return Some(());
    }
    match element {
        Element::Word(_) => push_flat(element, indent, ",", out),
        Element::Slice(words) => {
            push_line(indent, &["&["], out);
            words.iter().for_each(|it| push_line(indent + INDENT, &[it, ","], out));
            push_line(indent, &["],"], out);
        }
        Element::Call(function, arguments) => {
            let is_tuple = |it: &Element| matches!(it, Element::Call(function, _) if function.is_empty());
            let known = match arguments.as_slice() {
                [] => false,
                [only] => !is_tuple(element) && !is_tuple(only),
                _ => true,
            };
            if !known {
                return None;
            }
            push_line(indent, &[function, "("], out);
            for (idx, argument) in arguments.iter().enumerate() {
                write_element(argument, indent + INDENT, idx + 1 == arguments.len(), out)?;
            }
            push_line(indent, &["),"], out);
        }
        Element::Chain(first, methods) => write_chain(first, methods, indent, is_last, out)?,
    }
    Some(())
}

/// A chain of calls: each method on a line of its own.
fn write_chain(first: &Element, methods: &[String], indent: usize, is_last: bool, out: &mut String) -> Option<()> {
    let indented = indent + INDENT;
    let (last, others) = methods.split_last()?;
    let fit = others.iter().all(|it| it.len() <= space(indented)) && last.len() + usize::from(!is_last) <= space(indented);
    let Element::Call(function, arguments) = first else { return None };
    if !fit {
        return None;
    }
    if first.len() <= space(indent) {
        push_flat(first, indent, "", out);
    } else {
        // The arguments of the first call stand further to the right than the methods.
        if arguments.len() < 2 || !arguments.iter().all(|it| matches!(it, Element::Word(_))) {
            return None;
        }
        push_line(indent, &[function, "("], out);
        arguments.iter().for_each(|it| push_flat(it, indented + INDENT, ",", out));
        push_line(indented, &[")"], out);
    }
    others.iter().for_each(|it| push_line(indented, &[it], out));
    push_line(indented, &[last, ","], out);
    Some(())
}

/// An arm; one that is too long for its line has its body in braces.
fn write_arm((head, body): &Arm, indent: usize, out: &mut String) {
    // The comma behind may stick out.
    if head.len() + " => ".len() + body.len() <= space(indent) {
        push_line(indent, &[head, " => ", body, ","], out);
    } else if head.len() + " => {".len() <= space(indent) && body.len() <= space(indent + INDENT) {
        push_line(indent, &[head, " => {"], out);
        push_line(indent + INDENT, &[body], out);
        push_line(indent, &["}"], out);
    } else {
        let arm = format!("{head} => {body}");
        by_prettyplease(&format!("fn x() {{ match x {{ {OTHER} => {{}} {arm}, {OTHER} => {{}} }} }}"), &arm, indent, 2, out);
    }
}

/// An element as prettyplease writes it in an array at this indent.
fn element_by_prettyplease(element: &Element, indent: usize, is_last: bool, out: &mut String) {
    let mut flat = String::new();
    element.push_flat(&mut flat);
    let next = if is_last { "" } else { OTHER };
    by_prettyplease(&format!("const X: X = [{OTHER}, {flat}, {next}];"), &flat, indent, 1, out);
}

/// What breaks the list around an element.
const OTHER: &str = "__LIST_________________________________________________________________________________________";

/// The lines between one mention of the others and the next one, or the end of the item; `depth` is how deep the item indents them.
fn by_prettyplease(item: &str, flat: &str, indent: usize, depth: usize, out: &mut String) {
    let n_modules = (indent / INDENT).saturating_sub(depth);
    let file = syn::parse_file(&format!("{}{item}{}", "mod x {".repeat(n_modules), "}".repeat(n_modules)));
    // What is no Rust was none before, either; the compiler says so.
    let Ok(file) = file else { return push_line(indent, &[flat, ","], out) };
    let text = prettyplease::unparse(&file);
    let lines = text.lines().skip_while(|it| !it.trim_start().starts_with(OTHER)).skip(1);
    let inside = |line: &&str| line.starts_with(&" ".repeat(indent)) && !line.trim_start().starts_with(OTHER);
    lines.take_while(inside).for_each(|it| push_line(0, &[it], out));
}

#[cfg(test)]
mod tests {
    use super::super::text::format;
    use super::*;

    fn word(word: &str) -> Element {
        Element::word(word)
    }

    /// The same items with what is beside them, and by prettyplease alone.
    fn both(beside: TokenStream, lists: Lists, plain: TokenStream, items: impl Fn(TokenStream) -> TokenStream) -> [String; 2] {
        let none = Lists::default();
        [(lists, beside), (none, plain)].map(|(lists, list)| format(lists, TokenStream::new(), items(list)).unwrap())
    }

    #[test]
    fn elements_are_written_as_prettyplease_writes_them() {
        let row = |name: &str| Element::call("&Row::new", [word("State::A"), word("Event::B"), word(&format!("State::{name}"))]);
        let methods = |methods: &[&str]| methods.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        // Elements of every shape, a little longer each time, so that every line breaks somewhere.
        let shapes: &[&dyn Fn(&str) -> Element] = &[
            &|name| word(&format!("State::{name}")),
            &|name| word(&format!("\"{name} \\n \\\" ä {name}\"")),
            &|name| Element::Slice(vec![format!("State::{name}"), "State::B".into()]),
            &|name| Element::Slice(vec![format!("State::{name}")]),
            &|name| Element::Slice(vec![format!("State::{name}"); 6]),
            &|name| {
                Element::call("Transition::Plain", [word(&format!("State::{name}")), word(&format!("Event::{name}")), word("State::B")])
            },
            &|name| Element::call("Transition::Full", [row(name)]),
            &|name| {
                let chain = Element::Chain(Box::new(row(name)), methods(&[&format!(".guard(\"{name}\")")]));
                Element::call("Transition::Full", [chain])
            },
            &|name| {
                let from = Element::call("Source::In", [Element::Slice(vec![format!("State::{name}"), "State::B".into()])]);
                let row = Element::call("&Row::of", [from, word("Trigger::Wish"), word("Target::Stay")]);
                let chain = Element::Chain(Box::new(row), methods(&[&format!(".effects(&[Effect::{name}])"), ".memory_first()"]));
                Element::call("Transition::Full", [chain])
            },
            &|name| {
                let effects = format!(".before(&[Effect::{name}, Effect::{name}])");
                let chain = Element::Chain(Box::new(row("B")), methods(&[".guard(\"g\")", &effects, &format!(".doc(\"{name}\")")]));
                Element::call("Full", [chain])
            },
            &|name| {
                let chain = Element::Chain(Box::new(row(name)), methods(&[".effects(&[Effect::Notify])", ".guard(\"g\")"]));
                Element::call("", [word("12"), Element::call("Transition::Full", [chain])])
            },
            &|name| Element::call("", [word(&format!("State::{name}")), word("1")]),
            &|name| Element::call("Wrapped", [Element::call("", [word(&format!("State::{name}")), word("1")])]),
            &|name| Element::call(name, []),
        ];
        for shape in shapes {
            for n_letters in 10..90 {
                let long = format!("N{}", "a".repeat(n_letters));
                for elements in [["Short", "Short", "Short", "Short", "Short", &long], [&long, "Short", "Short", "Short", "Short", "Short"]]
                {
                    let elements: Vec<Element> = elements.iter().map(|it| shape(it)).collect();
                    let plain = Element::tokens(&elements);
                    for items in [
                        (|list| quote! { const A: A = &[#list]; }) as fn(TokenStream) -> TokenStream,
                        |list| quote! { impl A { const B: &[A] = { use x; &[#list] }; } },
                    ] {
                        let mut lists = Lists::default();
                        let Ok(beside) = lists.elements(elements.clone()) else { continue };
                        let [written, expected] = both(beside, lists, plain.clone(), items);
                        assert_eq!(written, expected);
                    }
                }
            }
        }
    }

    #[test]
    fn arms_are_written_as_prettyplease_writes_them() {
        for n_letters in 1..100 {
            let long = "a".repeat(n_letters);
            for (head, body) in [
                (format!("(State::{long}, Event::B) if self.a < 7"), "Outcome::To(State::B, 1)".to_owned()),
                ("State::B".to_owned(), format!("Outcome::To(State::{long}, 1)")),
                (format!("(State::A | State::{long}, Event::B)"), format!("Outcome::To(State::{long}, 1)")),
            ] {
                let plain: TokenStream = format!("{head} => {body},").parse().unwrap();
                for items in [
                    (|list| quote! { fn f() { match x { #list _ => {} } } }) as fn(TokenStream) -> TokenStream,
                    |list| quote! { impl A { fn f(&self) { let outcome = match x { #list }; outcome } } },
                ] {
                    let mut lists = Lists::default();
                    let beside = lists.arms(vec![(head.clone(), body.clone()), (head.clone(), body.clone())]);
                    let [written, expected] = both(beside, lists, quote! { #plain #plain }, items);
                    assert_eq!(written, expected);
                }
            }
        }
    }

    #[test]
    fn variants_are_written_as_prettyplease_writes_them() {
        for docs in [vec![], vec![" One."], vec![" Two \" lines.  ", "", " ä \\."]] {
            let docs: Vec<String> = docs.into_iter().map(str::to_owned).collect();
            let mut lists = Lists::default();
            let beside = lists.variants(vec![(docs.clone(), "A".into()), (vec![], "B".into())]).unwrap();
            let plain = quote! { #(#[doc = #docs])* A, B, };
            let [written, expected] =
                both(beside, lists, plain, |list| quote! { #[derive(Debug)] pub enum E { #list } impl E { fn f() {} } });
            assert_eq!(written, expected);
        }
        for doc in ["two\nlines", "/ slash"] {
            assert!(Lists::default().variants(vec![(vec![doc.into()], "A".into())]).is_none());
        }
    }

    #[test]
    fn short_lists_are_left_to_prettyplease() {
        let mut lists = Lists::default();
        let words = |n_words: usize, text: &str| vec![word(text); n_words];
        assert!(lists.elements(words(4, &"a".repeat(40))).is_err());
        assert!(lists.elements(words(5, "a")).is_err());
        assert!(lists.elements(words(5, &"a".repeat(40))).is_ok());
    }
}
