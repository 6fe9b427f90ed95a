//! What was printed before: most items of a module are the same in every machine but for a few words.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::quote;

use super::long::{Arm, Site};
use super::{lists, text};

/// The texts of items that several modules hold, by where they stand in the source of this crate and by their words.
///
/// They are what they would have been without it: it only saves time.
#[derive(Debug, Default)]
pub(crate) struct Printed {
    texts: RwLock<BTreeMap<Key, Option<Arc<str>>>>,
}

/// Where it stands in the source of this crate, unless it is the guard of an arm, and its words.
type Key = (Option<Site>, String);

impl Printed {
    /// The text of fixed items, at the indent at which they stand; nothing where they are no Rust.
    pub(super) fn items(&self, site: Site, words: &[&TokenStream], items: &dyn Fn() -> TokenStream) -> Option<Arc<str>> {
        let words = words.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        self.text((Some(site), words), || {
            let items = items();
            if !site.members {
                return text::format(lists::Lists::default(), TokenStream::new(), items).ok();
            }
            let text = text::format(lists::Lists::default(), TokenStream::new(), quote! { impl X { #items } }).ok()?;
            let (_, text) = text.split_once('\n')?;
            Some(text.strip_suffix("}\n")?.to_owned())
        })
    }

    /// Head and body of an arm, each on one line; nothing for one that is more complicated.
    pub(super) fn arm(&self, arm: &Arm) -> Option<lists::Arm> {
        let (mut head, mut body) = (String::new(), String::new());
        push_flat(arm.pattern.clone(), &mut head)?;
        push_flat(arm.outcome.clone(), &mut body)?;
        if let Some(guard) = &arm.guard {
            head.push_str(" if ");
            head.push_str(&self.guard(guard)?);
        }
        Some((head, body))
    }

    fn guard(&self, guard: &TokenStream) -> Option<Arc<str>> {
        self.text((None, guard.to_string()), || {
            let item = quote! { fn x() { match x { _ if #guard => {} } } };
            let text = text::format(lists::Lists::default(), TokenStream::new(), item).ok()?;
            let line = text.lines().nth(2)?;
            Some(line.trim_start().strip_prefix("_ if ")?.strip_suffix(" => {}")?.to_owned())
        })
    }

    fn text(&self, key: Key, print: impl FnOnce() -> Option<String>) -> Option<Arc<str>> {
        if let Some(text) = self.texts.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return text.clone();
        }
        let text = print().map(Arc::from);
        self.texts.write().unwrap_or_else(PoisonError::into_inner).insert(key, text.clone());
        text
    }
}

/// Paths, literals, calls, tuples and alternatives on one line; nothing where there is anything else.
fn push_flat(tokens: TokenStream, text: &mut String) -> Option<()> {
    use std::fmt::Write as _;
    let mut after_comma = false;
    for token in tokens {
        if std::mem::take(&mut after_comma) {
            text.push(' ');
        }
        match token {
            TokenTree::Ident(it) => _ = write!(text, "{it}"),
            TokenTree::Literal(it) => _ = write!(text, "{it}"),
            TokenTree::Punct(it) => match (it.as_char(), it.spacing()) {
                (':', _) => text.push(':'),
                (',', _) => {
                    text.push(',');
                    after_comma = true;
                }
                ('|', Spacing::Alone) => text.push_str(" | "),
                _ => return None,
            },
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                text.push('(');
                push_flat(group.stream(), text)?;
                text.push(')');
            }
            TokenTree::Group(_) => return None,
        }
    }
    // A comma behind the last would not be written.
    (!after_comma).then_some(())
}
