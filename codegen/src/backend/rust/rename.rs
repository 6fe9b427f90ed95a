//! Emitted items under other names: a derive puts them beside the user's own types.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;

/// Stands for the user's struct; no name of a spec becomes this.
pub(crate) const MACHINE: &str = "__Machine";

/// What the types of every module are called.
pub(crate) const TYPES: &[&str] =
    &[MACHINE, "Actor", "Change", "Composite", "Effect", "Effects", "Event", "EventKind", "In", "Marker", "Predicates", "Refused", "State"];

/// What becomes of emitted items.
pub(crate) struct Rename {
    /// New names, by those of [`TYPES`].
    pub(crate) types: BTreeMap<String, Ident>,
    /// What stands for `pub`.
    pub(crate) visibility: TokenStream,
    /// Attributes to go before the definitions of types, by those of [`TYPES`].
    pub(crate) attributes: BTreeMap<String, TokenStream>,
    /// Whether functions lose their bodies: something is wrong that they would only repeat.
    pub(crate) stub: bool,
}

/// Where tokens stand: what an identifier means depends on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Between items.
    Items,
    /// In an `impl` or a trait: `type State = …` is an associated type.
    Members,
    /// In an enum: what stands alone is a variant.
    Variants,
    /// Anywhere else.
    Code,
}

impl Rename {
    /// Renames types, which are never behind a `::` where they are used.
    pub(crate) fn apply(&self, items: TokenStream) -> TokenStream {
        self.walk(items, Place::Items)
    }

    fn walk(&self, tokens: TokenStream, place: Place) -> TokenStream {
        let mut out = Vec::new();
        // The tokens of one item or member, and the place that its braces open.
        let mut item = Item::default();
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => self.ident(ident, place, &mut item),
                // Something of the user's.
                TokenTree::Group(group) if group.delimiter() == Delimiter::None => item.push(TokenTree::Group(group)),
                TokenTree::Group(group) => {
                    let is_body = group.delimiter() == Delimiter::Brace;
                    item.push(TokenTree::Group(self.group(&group, place, &item)));
                    if is_body {
                        self.finish(&mut item, place, &mut out);
                    }
                }
                other => {
                    let ends = matches!(&other, TokenTree::Punct(it) if it.as_char() == ';');
                    item.push(other);
                    if ends {
                        self.finish(&mut item, place, &mut out);
                    }
                }
            }
        }
        self.finish(&mut item, place, &mut out);
        out.into_iter().collect()
    }

    fn ident(&self, ident: Ident, place: Place, item: &mut Item) {
        let name = ident.to_string();
        let follows = |text: &str| item.last.as_deref() == Some(text);
        let keeps = follows(":") && item.path || (place == Place::Members && follows("type")) || place == Place::Variants;
        if name == "pub" && place != Place::Code {
            item.tokens.extend(self.visibility.clone());
            item.last = Some(name);
            return;
        }
        if matches!(name.as_str(), "impl" | "trait" | "enum" | "struct" | "fn" | "mod") && item.keyword.is_none() && place != Place::Code {
            item.keyword = Some(name.clone());
        }
        if name == "for" {
            item.for_trait = true;
        }
        let renamed = self.types.get(&name).filter(|_| !keeps);
        if item.keyword.as_deref() == item.last.as_deref() && renamed.is_some() {
            item.defined = Some(name);
        }
        let token = renamed.map_or(ident, |it| it.clone());
        item.push(TokenTree::Ident(token));
    }

    fn group(&self, group: &Group, place: Place, item: &Item) -> Group {
        let is_body = group.delimiter() == Delimiter::Brace;
        let inside = match (place, item.keyword.as_deref()) {
            (Place::Items, Some("impl" | "trait")) if is_body => Place::Members,
            (Place::Items, Some("enum")) if is_body => Place::Variants,
            _ => Place::Code,
        };
        let stream = if self.stub && place == Place::Members && item.keyword.as_deref() == Some("fn") && is_body {
            quote! { ::core::panic!("the spec and this type disagree") }
        } else if item.keyword.as_deref() == Some("mod") {
            // Its names are nobody else's.
            group.stream()
        } else {
            self.walk(group.stream(), inside)
        };
        let mut renamed = Group::new(group.delimiter(), stream);
        renamed.set_span(group.span());
        renamed
    }

    /// An item is complete: attributes go in front of it.
    fn finish(&self, item: &mut Item, place: Place, out: &mut Vec<TokenTree>) {
        let item = std::mem::take(item);
        if place == Place::Items && !item.tokens.is_empty() && !item.is_macro {
            // Nobody calls everything that a graph knows.
            out.extend(if self.stub {
                quote! { #[allow(unused)] }
            } else {
                quote! { #[allow(dead_code)] }
            });
            if item.keyword.as_deref() == Some("impl") && item.for_trait {
                out.extend(quote! { #[automatically_derived] });
            }
            let extra = item.defined.as_ref().filter(|_| item.keyword.as_deref() == Some("enum")).and_then(|it| self.attributes.get(it));
            out.extend(extra.cloned().into_iter().flatten());
        }
        out.extend(item.tokens);
    }
}

/// One item or member so far.
#[derive(Default)]
struct Item {
    tokens: Vec<TokenTree>,
    /// The text of the last token, where that is a name or a sign.
    last: Option<String>,
    /// Whether the last two tokens are `::`.
    path: bool,
    /// `impl`, `enum`, `fn` …
    keyword: Option<String>,
    /// `impl … for …`
    for_trait: bool,
    /// The type that it defines.
    defined: Option<String>,
    /// It begins with a path: a macro is called.
    is_macro: bool,
}

impl Item {
    fn push(&mut self, token: TokenTree) {
        let text = match &token {
            TokenTree::Ident(ident) => ident.to_string(),
            TokenTree::Punct(punct) => punct.as_char().to_string(),
            TokenTree::Group(_) | TokenTree::Literal(_) => String::new(),
        };
        self.is_macro |= self.tokens.is_empty() && text == ":";
        self.path = text == ":" && self.last.as_deref() == Some(":");
        self.last = Some(text);
        self.tokens.push(token);
    }
}

/// Keeps what the user has written from being renamed.
pub(crate) fn keep(tokens: TokenStream) -> TokenStream {
    TokenTree::Group(Group::new(Delimiter::None, tokens)).into()
}

/// `RunJobState` for `State`.
pub(crate) fn prefixed(prefix: &str, name: &str) -> Ident {
    Ident::new(&format!("{prefix}{name}"), Span::call_site())
}
