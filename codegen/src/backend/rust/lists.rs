//! Long lists, written straight from their tokens.
//!
//! Most of a large machine's module is a few lists with a line or two for each element: variants,
//! names, rows. Parsing and printing all of it would take most of the time, so what is formatted is
//! a file with one name in the place of each such list, and the elements are written in there
//! afterwards, to the letter as prettyplease would have written them: the tests hold one against the
//! other. A list with anything in it that is not known here is left to prettyplease.

use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};

/// What fits on a line, as prettyplease has it: so many bytes, but that many behind any indent.
const MARGIN: usize = 89;
const MIN_SPACE: usize = 60;
const INDENT: usize = 4;

/// Names of lists are too long for any line, so that what is around them breaks as it would around the list.
const NAME: &str = "__LIST__";

/// Shorter lists are left to prettyplease.
const MIN_COMMAS: usize = 4;

/// Whether a list has no room on one line.
fn is_long(flat: &[String]) -> bool {
    flat.len() > MIN_COMMAS && flat.iter().map(String::len).sum::<usize>() > MARGIN
}

/// Tokens whose groups can be looked into: those of the compiler's kind copy everything for each look.
pub(super) enum Tree {
    /// A token that is no group.
    Token(TokenTree),
    /// What stands in brackets.
    Group(Delimiter, Span, Vec<Tree>),
}

impl Tree {
    /// The same for the compiler and the parser.
    pub(super) fn into_tokens(self) -> TokenTree {
        match self {
            Tree::Token(token) => token,
            Tree::Group(delimiter, span, inner) => {
                let mut group = Group::new(delimiter, inner.into_iter().map(Tree::into_tokens).collect());
                group.set_span(span);
                TokenTree::Group(group)
            }
        }
    }

    fn tokens(&self) -> TokenTree {
        match self {
            Tree::Token(token) => token.clone(),
            Tree::Group(delimiter, _, inner) => TokenTree::Group(Group::new(*delimiter, inner.iter().map(Tree::tokens).collect())),
        }
    }
}

/// The lists taken out of a file.
#[derive(Default)]
pub(super) struct Lists {
    taken: Vec<List>,
    /// All lists stay where they are.
    none: bool,
}

enum List {
    /// The elements of an array.
    Elements(Vec<Element>),
    /// Elements that are never broken.
    Lines(Vec<String>),
    /// The variants of an enum, each with its doc lines.
    Variants(Vec<(Vec<String>, String)>),
}

struct Element {
    /// On one line.
    flat: String,
    trees: Vec<Tree>,
}

impl Lists {
    /// Leaves every list where it is.
    pub(super) fn none() -> Self {
        Lists { none: true, ..Lists::default() }
    }

    /// What stands for elements that are never broken, unless there may be room for them on one line.
    pub(super) fn lines(&mut self, lines: Vec<String>) -> Option<TokenTree> {
        is_long(&lines).then(|| self.add(List::Lines(lines)).into_tokens())
    }

    /// What stands for variants, each with its doc lines; nothing where a line is more than a line.
    pub(super) fn declared(&mut self, mut variants: Vec<(Vec<String>, String)>) -> Option<TokenTree> {
        for line in variants.iter_mut().flat_map(|(doc, _)| doc) {
            *line = doc_text(line)?.to_owned();
        }
        (!variants.is_empty()).then(|| self.add(List::Variants(variants)).into_tokens())
    }

    /// Takes out the elements of a long array; leaves anything else.
    pub(super) fn take_array(&mut self, mut tokens: Vec<Tree>) -> Result<Tree, Vec<Tree>> {
        if self.none || tokens.iter().filter(|it| is_punct(it, ',')).count() < MIN_COMMAS {
            return Err(tokens);
        }
        // A list around one that was taken out is left to prettyplease: the name breaks it where the list would.
        let plain = |it: &[Tree]| flat(it).filter(|flat| !is_packed(it) && !flat.contains(NAME));
        let flat: Option<Vec<String>> = split(&tokens).map(plain).collect();
        match flat {
            Some(flat) if is_long(&flat) => {
                // From the end, as elements are cut off there.
                let starts: Vec<usize> = split(&tokens).scan(0, |next, it| Some(std::mem::replace(next, *next + it.len() + 1))).collect();
                let mut elements = Vec::with_capacity(flat.len());
                for (start, flat) in starts.into_iter().zip(flat).rev() {
                    let mut trees = tokens.split_off(start);
                    if trees.last().is_some_and(|it| is_punct(it, ',')) {
                        trees.pop();
                    }
                    elements.push(Element { flat, trees });
                }
                elements.reverse();
                Ok(self.add(List::Elements(elements)))
            }
            _ => Err(tokens),
        }
    }

    /// Takes out the variants of an enum without payloads; leaves anything else.
    pub(super) fn take_variants(&mut self, tokens: Vec<Tree>) -> Result<Tree, Vec<Tree>> {
        match split(&tokens).map(variant).collect::<Option<Vec<_>>>() {
            // A list that was put there before is none of ours.
            Some(variants) if !variants.is_empty() && !self.none && !variants[0].1.starts_with(NAME) => {
                Ok(self.add(List::Variants(variants)))
            }
            _ => Err(tokens),
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.taken.len()
    }

    fn add(&mut self, list: List) -> Tree {
        let name = format!("{NAME}{:_<MARGIN$}", self.taken.len());
        self.taken.push(list);
        Tree::Token(TokenTree::Ident(proc_macro2::Ident::new(&name, Span::call_site())))
    }

    /// Writes the list that a line stands for; nothing for a line that is just a line.
    pub(super) fn write(&self, line: &str, out: &mut String) -> Option<()> {
        let indent = line.len() - line.trim_start().len();
        let number = line[indent..].strip_prefix(NAME)?.strip_suffix(',')?.trim_end_matches('_');
        let list = self.taken.get(number.parse::<usize>().ok()?)?;
        match list {
            List::Elements(elements) => {
                for (idx, element) in elements.iter().enumerate() {
                    element.write(indent, idx + 1 == elements.len(), out);
                }
            }
            List::Lines(lines) => lines.iter().for_each(|it| push_line(indent, &[it, ","], out)),
            List::Variants(variants) => {
                for (doc, name) in variants {
                    doc.iter().for_each(|it| push_line(indent, &["///", it], out));
                    push_line(indent, &[name, ","], out);
                }
            }
        }
        Some(())
    }
}

impl Element {
    fn write(&self, indent: usize, is_last: bool, out: &mut String) {
        let start = out.len();
        let fits = self.flat.len() + usize::from(!is_last) <= space(indent);
        if fits {
            push_line(indent, &[&self.flat, ","], out);
        } else if broken(&self.trees, &self.flat, indent, is_last, out).is_none() {
            out.truncate(start);
            out.push_str(&by_prettyplease(&self.trees, indent, is_last));
        }
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

/// An element that is too long for its line, with a comma behind; nothing for a shape that is not known.
fn broken(tokens: &[Tree], flat: &str, indent: usize, is_last: bool, out: &mut String) -> Option<()> {
    if tokens.iter().all(is_path_or_text) {
        push_line(indent, &[flat, ","], out);
        return Some(());
    }
    if !tokens.iter().any(|it| is_punct(it, '.')) {
        // A call or a tuple: its arguments on lines of their own.
        let (Tree::Group(Delimiter::Parenthesis, _, arguments), function) = tokens.split_last()? else { return None };
        if !function.iter().all(|it| is_path_or_text(it) || is_punct(it, '&')) {
            return None;
        }
        let split: Vec<&[Tree]> = split(arguments).collect();
        if let [[Tree::Group(..)]] | [] = split.as_slice() {
            return None;
        }
        let is_tuple = function.is_empty();
        if is_tuple && split.len() < 2 {
            return None;
        }
        let function = if is_tuple { String::new() } else { self::flat(function)? };
        push_line(indent, &[&function, "("], out);
        for (idx, argument) in split.iter().enumerate() {
            let (flat, is_last) = (self::flat(argument)?, idx + 1 == split.len());
            if flat.len() + usize::from(!is_last) <= space(indent + INDENT) {
                push_line(indent + INDENT, &[&flat, ","], out);
            } else {
                broken(argument, &flat, indent + INDENT, is_last, out)?;
            }
        }
        push_line(indent, &["),"], out);
        return Some(());
    }
    // A chain of calls: each method on a line of its own.
    let mut calls = tokens.chunk_by(|_, next| !is_punct(next, '.'));
    let first = calls.next()?;
    let calls = calls.map(|it| Some(format!(".{}", self::flat(it.get(1..)?)?))).collect::<Option<Vec<_>>>()?;
    let (last, others) = calls.split_last()?;
    let indented = indent + INDENT;
    let fit = others.iter().all(|it| it.len() <= space(indented))
        && last.len() + usize::from(!is_last) <= space(indented)
        && calls.iter().all(|it| it.ends_with(')'));
    if !fit {
        return None;
    }
    let flat_first = self::flat(first)?;
    if !flat_first.ends_with(')') {
        return None;
    }
    if flat_first.len() <= space(indent) {
        push_line(indent, &[&flat_first], out);
    } else {
        // The arguments of the first call stand further to the right than the methods.
        let (Tree::Group(Delimiter::Parenthesis, _, arguments), function) = first.split_last()? else { return None };
        let plain = |it: &[Tree]| it.iter().all(is_path_or_text);
        if split(arguments).count() < 2
            || !split(arguments).all(plain)
            || !function.iter().all(|it| is_path_or_text(it) || is_punct(it, '&'))
        {
            return None;
        }
        push_line(indent, &[&self::flat(function)?, "("], out);
        for argument in split(arguments) {
            push_line(indented + INDENT, &[&self::flat(argument)?, ","], out);
        }
        push_line(indented, &[")"], out);
    }
    others.iter().for_each(|it| push_line(indented, &[it], out));
    push_line(indented, &[last, ","], out);
    Some(())
}

/// An element as prettyplease writes it in an array at this indent.
fn by_prettyplease(trees: &[Tree], indent: usize, is_last: bool) -> String {
    let long: TokenStream = format!("{NAME}{:_<MARGIN$}", "").parse().unwrap_or_default();
    let element: TokenStream = trees.iter().map(Tree::tokens).collect();
    let next = (!is_last).then_some(&long);
    let mut items = quote::quote! { const X: X = [#long, #element, #next]; };
    for _ in 1..indent / INDENT {
        items = quote::quote! { mod x { #items } };
    }
    // Elements are expressions: whatever cannot be parsed fails with the whole file.
    let Ok(file) = syn::parse2(items) else { return String::new() };
    let text = prettyplease::unparse(&file);
    let lines = text.lines().skip_while(|it| !it.trim_start().starts_with(NAME)).skip(1);
    let closing = format!("{}];", " ".repeat(indent - INDENT));
    lines.take_while(|it| !it.trim_start().starts_with(NAME) && *it != closing).map(|it| format!("{it}\n")).collect()
}

/// The parts between commas; one comma may follow the last.
fn split(tokens: &[Tree]) -> impl Iterator<Item = &[Tree]> {
    let tokens = match tokens.split_last() {
        Some((last, rest)) if is_punct(last, ',') => rest,
        _ => tokens,
    };
    tokens.split(|it| is_punct(it, ',')).filter(move |_| !tokens.is_empty())
}

pub(super) fn is_punct(token: &Tree, sign: char) -> bool {
    matches!(token, Tree::Token(TokenTree::Punct(it)) if it.as_char() == sign)
}

/// What no line is broken in.
fn is_path_or_text(token: &Tree) -> bool {
    match token {
        Tree::Token(TokenTree::Ident(it)) => it != "as",
        Tree::Token(TokenTree::Punct(it)) => it.as_char() == ':',
        Tree::Token(TokenTree::Literal(_)) => true,
        Tree::Token(TokenTree::Group(_)) | Tree::Group(..) => false,
    }
}

/// Whether prettyplease puts several such elements on one line.
fn is_packed(element: &[Tree]) -> bool {
    match element {
        [Tree::Token(TokenTree::Literal(it))] => !it.to_string().starts_with('"'),
        [Tree::Token(TokenTree::Ident(it))] => it == "true" || it == "false",
        _ => false,
    }
}

/// Tokens on one line: paths, literals, references, calls and casts; nothing where there is anything else.
fn flat(tokens: &[Tree]) -> Option<String> {
    let mut text = String::new();
    push_flat(tokens, &mut text)?;
    (!text.is_empty()).then_some(text)
}

fn push_flat(tokens: &[Tree], text: &mut String) -> Option<()> {
    use std::fmt::Write as _;
    let mut previous: Option<&Tree> = None;
    for (idx, token) in tokens.iter().enumerate() {
        match token {
            Tree::Token(word @ (TokenTree::Ident(_) | TokenTree::Literal(_))) => {
                if matches!(previous, Some(Tree::Token(TokenTree::Ident(_) | TokenTree::Literal(_)))) {
                    text.push(' ');
                }
                let _ = write!(text, "{word}");
            }
            Tree::Token(TokenTree::Punct(it)) => match it.as_char() {
                // Two of them, which is a path.
                ':' => {
                    let is_colon = |idx: usize| tokens.get(idx).is_some_and(|it| is_punct(it, ':'));
                    let is_second = idx > 0 && is_colon(idx - 1);
                    if is_second == is_colon(idx + 1) {
                        return None;
                    }
                    text.push(':');
                }
                '.' if matches!(previous, Some(Tree::Group(..))) => text.push('.'),
                '&' if previous.is_none_or(|it| is_punct(it, ',')) => text.push('&'),
                ',' if idx + 1 < tokens.len() && previous.is_some_and(|it| !is_punct(it, ',')) => text.push_str(", "),
                _ => return None,
            },
            Tree::Group(delimiter, _, inner) => {
                let (open, close) = match delimiter {
                    Delimiter::Parenthesis => ('(', ')'),
                    Delimiter::Bracket => ('[', ']'),
                    Delimiter::Brace | Delimiter::None => return None,
                };
                text.push(open);
                push_flat(inner, text)?;
                text.push(close);
            }
            Tree::Token(TokenTree::Group(_)) => return None,
        }
        previous = Some(token);
    }
    Some(())
}

/// The doc lines of a variant without payload, and its name.
fn variant(mut tokens: &[Tree]) -> Option<(Vec<String>, String)> {
    let mut doc = Vec::new();
    while let [hash, Tree::Group(_, _, attribute), rest @ ..] = tokens {
        let [Tree::Token(TokenTree::Ident(word)), equals, Tree::Token(TokenTree::Literal(text))] = attribute.as_slice() else {
            return None;
        };
        if !is_punct(hash, '#') || word != "doc" || !is_punct(equals, '=') {
            return None;
        }
        doc.push(doc_line(text)?);
        tokens = rest;
    }
    match tokens {
        [Tree::Token(TokenTree::Ident(name))] => Some((doc, name.to_string())),
        _ => None,
    }
}

/// What stands behind the slashes.
fn doc_line(literal: &Literal) -> Option<String> {
    let written = literal.to_string();
    let plain = written.strip_prefix('"').and_then(|it| it.strip_suffix('"')).filter(|it| !it.contains('\\'));
    // Most texts have nothing escaped in them.
    let text = match plain {
        Some(text) => text.to_owned(),
        None => match syn::Lit::new(literal.clone()) {
            syn::Lit::Str(it) => it.value(),
            _ => return None,
        },
    };
    doc_text(&text).map(str::to_owned)
}

/// A doc line as prettyplease writes it behind the slashes; nothing where it would write it otherwise.
fn doc_text(text: &str) -> Option<&str> {
    let plain = !text.contains('\n') && !text.starts_with('/');
    plain.then(|| text.trim_end_matches(' '))
}
