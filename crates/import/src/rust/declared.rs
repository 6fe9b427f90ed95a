//! Enums, imported names and modules, as other files see them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use statespec_lang::source::{SourceId, Span};

use crate::{Kind, Named, Statement, span};

/// The enums of other files, by the names that they have in a file.
pub type Known = BTreeMap<String, Arc<Declared>>;

/// An enum of another file.
#[derive(Debug)]
pub struct Declared {
    /// The name of the enum.
    pub name: String,
    /// The name of the machine: that of the enum, with its module if it is only `State`.
    pub(super) machine: String,
    pub(crate) source: SourceId,
    /// The module inside its file.
    pub module: Vec<String>,
    /// The keyword and the name.
    pub(super) head: Range<usize>,
    pub(super) variants: Vec<Variant>,
}

impl Declared {
    /// The place of its keyword and name.
    pub fn place(&self) -> Span {
        span(self.source, self.head.clone())
    }

    /// The variants, as a set of states.
    pub fn statement(&self, path: &str) -> Statement {
        let state = |it: &Variant| {
            let number = it.number.flatten().and_then(|it| i64::try_from(it).ok());
            Named { label: it.wire.clone(), number, ..Named::new(&it.name, span(self.source, it.range.clone())) }
        };
        let states = self.variants.iter().map(state).collect();
        Statement::set(path, Kind::Code, statespec_lang::names::snake(&self.machine), self.place(), states)
    }

    /// Whether it has all of some variants.
    pub fn has_all(&self, names: &BTreeSet<String>) -> bool {
        names.iter().all(|name| self.variants.iter().any(|it| it.name == *name))
    }
}

/// A name that `use` or `type` binds.
#[derive(Debug, Clone)]
pub struct Binding {
    /// The module inside its file.
    pub module: Vec<String>,
    /// The name; `None` for all names, `use path::*`.
    pub name: Option<String>,
    /// The path; the first part is empty for `::path`.
    pub path: Vec<String>,
    /// Whether only the body of a function sees it.
    pub in_body: bool,
    /// Whether only tests see it.
    pub is_test: bool,
}

/// A module that a file declares.
#[derive(Debug, Clone)]
pub struct Module {
    /// The module inside its file that declares it.
    pub module: Vec<String>,
    pub name: String,
    /// `#[path = "…"]`
    pub path: Option<String>,
    /// Whether its items are in the same file.
    pub is_inline: bool,
    pub is_test: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Variant {
    pub(super) name: String,
    /// The name in storage and in messages, if an attribute gives another one.
    pub(super) wire: Option<String>,
    pub(super) doc: String,
    pub(super) range: Range<usize>,
    pub(super) has_fields: bool,
    /// The number behind `=`; `Some(None)` if it is no literal.
    pub(super) number: Option<Option<i128>>,
    pub(super) is_default: bool,
}
