//! Items as the text of a module: short names for the prelude, formatting, blank lines.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use quote::quote;

use super::prelude::PRELUDE;

/// Formats items as the text of a file.
///
/// # Errors
///
/// Where the tokens are not Rust, which no spec should bring about.
pub(crate) fn format(doc: TokenStream, items: TokenStream) -> Result<String, syn::Error> {
    let items = shorten(items);
    let file = syn::parse2(quote! { #doc #items })?;
    Ok(separate(&prettyplease::unparse(&file)))
}

/// Replaces `::core::option::Option` and the like by the prelude's name.
fn shorten(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut short = Vec::with_capacity(tokens.len());
    let mut idx = 0;
    while idx < tokens.len() {
        // Nearly all tokens are none of these: one look at the first two tells.
        let begins = is_colon(&tokens[idx], Spacing::Joint) && matches!(tokens.get(idx + 2), Some(TokenTree::Ident(it)) if it == "core");
        let found = if begins { PRELUDE.iter().find(|(path, _)| starts_with(&tokens[idx..], path)) } else { None };
        match found {
            Some((path, name)) => {
                let last = &tokens[idx + path.len() * 3 - 1];
                short.push(TokenTree::Ident(proc_macro2::Ident::new(name, last.span())));
                idx += path.len() * 3;
            }
            None => {
                short.push(match &tokens[idx] {
                    TokenTree::Group(group) => TokenTree::Group(shorten_group(group)),
                    other => other.clone(),
                });
                idx += 1;
            }
        }
    }
    short.into_iter().collect()
}

fn shorten_group(group: &Group) -> Group {
    let inner = shorten(group.stream());
    match group.delimiter() {
        // What `quote` groups without a sign stays one expression.
        Delimiter::None => group.clone(),
        delimiter => Group::new(delimiter, inner),
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

/// Puts a blank line between items and between methods.
fn separate(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 32);
    let mut last = "";
    // Statements of free functions stand at the same indent as methods do.
    let mut in_block = false;
    for line in text.lines() {
        if line.starts_with("impl") || line.starts_with("pub trait") || line.starts_with("trait") {
            in_block = true;
        } else if line.starts_with('}') {
            in_block = false;
        }
        let indent = line.len() - line.trim_start().len();
        let last_indent = last.len() - last.trim_start().len();
        let code_ended = !last.trim_start().starts_with("//") && last.ends_with(['}', ';']);
        let item_ended = code_ended || last.starts_with("//!") || last.starts_with("#![");
        let goes_on = line.trim_start().starts_with('}');
        let at_item = indent == 0 || (indent == 4 && in_block);
        if at_item && indent == last_indent && item_ended && !goes_on && !line.starts_with("//!") && !line.starts_with("#![") {
            out.push('\n');
        }
        out.push_str(line);
        out.push('\n');
        last = line;
    }
    out
}
