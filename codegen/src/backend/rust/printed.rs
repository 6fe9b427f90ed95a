//! What was printed before: most items of a module are the same in every machine but for a few words.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use proc_macro2::TokenStream;
use quote::quote;

use super::long::{Arm, Pattern, Site};
use super::{items_text, lists};

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
                return items_text(&[], items).ok();
            }
            let text = items_text(&[], quote! { impl X { #items } }).ok()?;
            let (_, text) = text.split_once('\n')?;
            Some(text.strip_suffix("}\n")?.to_owned())
        })
    }

    /// Head and body of an arm, each on one line; nothing for one that looks into a payload or has a long guard.
    pub(super) fn arm(&self, arm: &Arm) -> Option<lists::Arm> {
        let Pattern::Paths(paths) = &arm.pattern else { return None };
        let mut head = paths.clone();
        if let Some(guard) = &arm.guard {
            head.push_str(" if ");
            head.push_str(&self.guard(guard)?);
        }
        Some((head, arm.outcome.clone()))
    }

    fn guard(&self, guard: &TokenStream) -> Option<Arc<str>> {
        self.text((None, guard.to_string()), || {
            let item = quote! { fn x() { match x { _ if #guard => {} } } };
            let text = items_text(&[], item).ok()?;
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
