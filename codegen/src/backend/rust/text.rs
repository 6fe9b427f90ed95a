//! Items as the text of a module: short names for the prelude, formatting, blank lines.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use quote::quote;

use super::lists::Lists;
use super::prelude::PRELUDE;

/// Formats items as the text of a file, with the lists that stand beside them.
///
/// # Errors
///
/// Where the tokens are not Rust, which no spec should bring about.
pub(super) fn format(lists: Lists, doc: TokenStream, items: TokenStream) -> Result<String, syn::Error> {
    let items = shorten(items);
    let file = syn::parse2(quote! { #doc #items })?;
    Ok(separate(&prettyplease::unparse(&file), &lists))
}

/// Replaces `::core::option::Option` and the like by the prelude's name.
fn shorten(tokens: TokenStream) -> TokenStream {
    let mut tokens = tokens.into_iter().collect::<Vec<_>>().into_iter();
    let mut short = Vec::with_capacity(tokens.len());
    loop {
        let rest = tokens.as_slice();
        // Nearly all tokens are none of these: one look at the first two tells.
        let begins = rest.len() > 2 && is_colon(&rest[0], Spacing::Joint) && matches!(&rest[2], TokenTree::Ident(it) if it == "core");
        let found = if begins { PRELUDE.iter().find(|(path, _)| starts_with(rest, path)) } else { None };
        if let Some((path, name)) = found
            && let Some(last) = tokens.nth(path.len() * 3 - 1)
        {
            short.push(TokenTree::Ident(proc_macro2::Ident::new(name, last.span())));
            continue;
        }
        match tokens.next() {
            None => return short.into_iter().collect(),
            // What `quote` groups without a sign stays one expression.
            Some(TokenTree::Group(group)) if group.delimiter() != Delimiter::None => {
                let (delimiter, span, inner) = (group.delimiter(), group.span(), group.stream());
                // The only owner of tokens need not copy them.
                drop(group);
                let mut shorter = Group::new(delimiter, shorten(inner));
                shorter.set_span(span);
                short.push(TokenTree::Group(shorter));
            }
            Some(token) => short.push(token),
        }
    }
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
        lists.write(line, &mut out);
        (last, last_indent) = (line, indent);
    }
    out
}
