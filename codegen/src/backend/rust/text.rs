//! Items as the text of a module: short names for the prelude, formatting, blank lines.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use quote::quote;

use super::lists::{Lists, Tree, is_punct};
use super::prelude::PRELUDE;

/// Formats items as the text of a file, with the lists that stand beside them.
///
/// # Errors
///
/// Where the tokens are not Rust, which no spec should bring about.
pub(super) fn format(mut lists: Lists, doc: TokenStream, items: TokenStream) -> Result<String, syn::Error> {
    let items: TokenStream = shorten(items, &mut lists).into_iter().map(Tree::into_tokens).collect();
    let file = syn::parse2(quote! { #doc #items })?;
    Ok(separate(&prettyplease::unparse(&file), &lists))
}

/// Replaces `::core::option::Option` and the like by the prelude's name, and takes out long lists.
fn shorten(tokens: TokenStream, lists: &mut Lists) -> Vec<Tree> {
    let mut tokens = tokens.into_iter().collect::<Vec<_>>().into_iter();
    let mut short = Vec::with_capacity(tokens.len());
    let mut in_enum = false;
    loop {
        let rest = tokens.as_slice();
        // Nearly all tokens are none of these: one look at the first two tells.
        let begins = rest.len() > 2 && is_colon(&rest[0], Spacing::Joint) && matches!(&rest[2], TokenTree::Ident(it) if it == "core");
        let found = if begins { PRELUDE.iter().find(|(path, _)| starts_with(rest, path)) } else { None };
        if let Some((path, name)) = found
            && let Some(last) = tokens.nth(path.len() * 3 - 1)
        {
            short.push(Tree::Token(TokenTree::Ident(proc_macro2::Ident::new(name, last.span()))));
            continue;
        }
        let Some(token) = tokens.next() else { return short };
        in_enum |= matches!(&token, TokenTree::Ident(it) if it == "enum");
        let token = match token {
            TokenTree::Group(group) => {
                let is_body = in_enum && group.delimiter() == Delimiter::Brace;
                in_enum &= !is_body;
                shorten_group(group, short.last(), is_body, lists)
            }
            token => Tree::Token(token),
        };
        short.push(token);
    }
}

fn shorten_group(group: Group, before: Option<&Tree>, is_enum: bool, lists: &mut Lists) -> Tree {
    let (delimiter, span) = (group.delimiter(), group.span());
    // What `quote` groups without a sign stays one expression.
    if delimiter == Delimiter::None {
        return Tree::Token(TokenTree::Group(group));
    }
    // Macros are printed as they stand.
    let in_macro = before.is_some_and(|it| is_punct(it, '!'));
    let is_array = delimiter == Delimiter::Bracket && before.is_some_and(|it| is_punct(it, '&') || is_punct(it, '='));
    let stream = group.stream();
    // The only owner of tokens need not copy them.
    drop(group);
    let inner = if in_macro { shorten(stream, &mut Lists::none()) } else { shorten(stream, lists) };
    let inner = match (is_array, is_enum) {
        (true, _) => lists.take_array(inner),
        (_, true) => lists.take_variants(inner),
        _ => Err(inner),
    };
    Tree::Group(delimiter, span, inner.map_or_else(|inner| inner, |name| vec![name]))
}

fn is_colon(token: &TokenTree, spacing: Spacing) -> bool {
    matches!(token, TokenTree::Punct(it) if it.as_char() == ':' && it.spacing() == spacing)
}

/// Whether tokens begin with `::a::b::c`.
fn starts_with(tokens: &[TokenTree], path: &[&str]) -> bool {
    tokens.len() >= path.len() * 3
        && path.iter().zip(tokens.chunks(3)).all(|(name, tokens)| {
            is_colon(&tokens[0], Spacing::Joint)
                && is_colon(&tokens[1], Spacing::Alone)
                && matches!(&tokens[2], TokenTree::Ident(it) if it == name)
        })
}

/// Puts a blank line between items and between methods, and writes the lists.
fn separate(text: &str, lists: &Lists) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 32);
    let (mut last, mut last_indent) = ("", 0);
    // Statements of free functions stand at the same indent as methods do.
    let mut in_block = false;
    for line in text.lines() {
        if line.starts_with("impl") || line.starts_with("pub trait") || line.starts_with("trait") {
            in_block = true;
        } else if line.starts_with('}') {
            in_block = false;
        }
        let indent = line.bytes().take_while(|it| *it == b' ').count();
        let code_ended = last.ends_with(['}', ';']) && !last[last_indent..].starts_with("//");
        let item_ended = code_ended || last.starts_with("//!") || last.starts_with("#![");
        let goes_on = line[indent..].starts_with('}');
        let at_item = indent == 0 || (indent == 4 && in_block);
        if at_item && indent == last_indent && item_ended && !goes_on && !line.starts_with("//!") && !line.starts_with("#![") {
            out.push('\n');
        }
        if lists.write(line, &mut out).is_none() {
            out.push_str(line);
            out.push('\n');
        }
        (last, last_indent) = (line, indent);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The items of a file with long lists, as they are written and as prettyplease alone writes them.
    fn both(items: &str) -> [String; 2] {
        let tokens = || items.parse::<TokenStream>().unwrap();
        [Lists::default(), Lists::none()].map(|lists| format(lists, TokenStream::new(), tokens()).unwrap())
    }

    #[test]
    fn lists_are_written_as_prettyplease_writes_them() {
        // Elements of every shape, a little longer each time, so that every line breaks somewhere.
        let shapes: &[fn(&str) -> String] = &[
            |name| format!("State::{name}"),
            |name| format!("\"{name} \\n \\\" ä {name}\""),
            |name| format!("&[State::{name}, State::B]"),
            |name| format!("&[\"{name}\", \"b\"]"),
            |name| format!("Transition::Plain(State::{name}, Event::{name}, State::B)"),
            |name| format!("Transition::Full(&Row::new(State::A, Event::B, State::{name}).guard(\"{name}\"))"),
            |name| {
                format!(
                    "Transition::Full(&Row::of(Source::In(&[State::{name}, State::B]), Trigger::Wish, Target::Stay).effects(&[Effect::{name}]).memory_first())"
                )
            },
            |name| format!("Full(&Row::new(A, B, C).guard(\"{name}\").before(&[Effect::{name}, Effect::{name}]).doc(\"{name}\"))"),
            |name| {
                format!("(12, Transition::Full(&Row::new(State::{name}, Event::B, State::{name}).effects(&[Effect::Notify]).guard(\"g\")))")
            },
            |name| format!("Full(&Row::new(\"{name}\", A::{name}).before(&[Effect::{name}]))"),
            |name| format!("&[{}]", vec![format!("State::{name}"); 6].join(", ")),
            |name| format!("(State::{name} as u32, EventKind::B as u32, Outcome::To(State::{name}, 12))"),
            |name| format!("(State::{name}, 1)"),
            |name| format!("Wrapped((State::{name}, 1))"),
            |name| format!("::core::option::Option::Some(State::{name})"),
            |name| format!("Node {{ parent: None, entry: &[Effect::{name}] }}"),
            |name| format!("({name},)"),
            |name| format!("-{}", name.len()),
            |name| format!("{}", name.len()),
            |name| format!("matches!({name}, A)"),
            |name| format!("{name} + 1"),
            |name| format!("{name}.field"),
            |name| format!("{name}(1)(2).call()"),
            |name| format!("{name} as u32"),
        ];
        for shape in shapes {
            for n_letters in 10..90 {
                let name = format!("N{}", "a".repeat(n_letters));
                let elements: Vec<String> = (0..5).map(|_| shape("Short")).chain([shape(&name)]).collect();
                let middle: Vec<String> = [shape(&name)].into_iter().chain((0..5).map(|_| shape("Short"))).collect();
                let (last, first) = (elements.join(", "), middle.join(", "));
                let [written, expected] = both(&format!("const A: A = &[{first}]; impl A {{ const B: &[A] = {{ use x; &[{last}] }}; }}"));
                assert_eq!(written, expected);
            }
        }
    }

    #[test]
    fn variants_are_written_as_prettyplease_writes_them() {
        for body in [
            "A, B",
            "#[doc = \" One.\"] A, #[doc = \" Two \\\" lines.  \"] #[doc = \"\"] #[doc = \" \\u{e4} \\\\.\"] B,",
            "A { x: i64 }, B",
            "#[doc = \"two\\nlines\"] A",
            "#[doc = \"/ slash\"] A",
            "#[default] A, B",
            "A = 1, B",
        ] {
            let [written, expected] = both(&format!("#[derive(Debug)] pub enum E {{ {body} }} impl E {{ fn f() {{}} }}"));
            assert_eq!(written, expected);
        }
    }

    #[test]
    fn lists_of_a_usual_shape_are_taken_out() {
        let long = (0..30).map(|idx| format!("Plain(A::B{idx}, \"\", &[C])")).collect::<Vec<_>>().join(", ");
        let mut lists = Lists::default();
        shorten(format!("const A: A = &[{long}]; pub enum E {{ A, B }}").parse().unwrap(), &mut lists);
        assert_eq!(lists.len(), 2);
    }

    #[test]
    fn what_is_no_list_stays() {
        let long = (0..30).map(|idx| format!("A::B{idx}")).collect::<Vec<_>>().join(", ");
        for item in [
            format!("const A: A = make!(State, &[{long}]);"),
            format!("fn f() {{ g([{long}]) }}"),
            format!("#[allow({long})] fn f() {{}}"),
            format!("const A: &[A; 2] = &[{long}][0];"),
            "const A: A = [0; 100];".to_owned(),
            "const A: A = &[];".to_owned(),
        ] {
            let [written, expected] = both(&item);
            assert_eq!(written, expected);
        }
    }
}
