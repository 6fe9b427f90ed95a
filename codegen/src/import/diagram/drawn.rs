//! States and arrows as drawn.

use std::ops::Range;

use indexmap::IndexMap;
use statespec_lang::diagnostic::{Code, Diagnostic};

use super::Block;
use crate::import::draft::Findings;

/// The maximum nesting of composites; the spec's YAML also has limits.
pub(in crate::import) const MAX_DEPTH: usize = 20;

/// A diagram as drawn.
#[derive(Debug, Default)]
pub(in crate::import) struct Diagram {
    pub(in crate::import) title: Option<String>,
    pub(in crate::import) doc: Option<String>,
    /// Whether a slash in the text of an arrow is that of UML: `event / effect`.
    pub(in crate::import) is_uml: bool,
    /// Whether dividers part the states outside all composites.
    pub(in crate::import) parallel: bool,
    /// The nodes by id, in the order of their first mention.
    pub(in crate::import) nodes: IndexMap<String, Node>,
    pub(in crate::import) arrows: Vec<Arrow>,
    pub(in crate::import) notes: Vec<String>,
    /// Trailing comments.
    pub(in crate::import) comments: Vec<String>,
    pub(in crate::import) found: Findings,
}

#[derive(Debug, Clone, Default)]
pub(in crate::import) struct Node {
    /// The enclosing composite.
    pub(in crate::import) scope: Option<usize>,
    /// Its place among the mentions of nodes: the first one in the enclosing composite.
    pub(in crate::import) mention: usize,
    /// Whether dividers part the states inside.
    pub(in crate::import) parallel: bool,
    /// Whether it is what a divider parts: a region, which has no name in a diagram.
    pub(in crate::import) region: bool,
    /// The displayed name, then further texts.
    pub(in crate::import) texts: Vec<String>,
    pub(in crate::import) notes: Vec<String>,
    pub(in crate::import) entry: Vec<String>,
    pub(in crate::import) exit: Vec<String>,
    pub(in crate::import) pseudo: Option<Pseudo>,
    pub(in crate::import) comments: Vec<String>,
    pub(in crate::import) range: Range<usize>,
}

/// Pseudo-states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::import) enum Pseudo {
    Fork,
    Join,
    Choice,
    /// A point on the border of a composite through which arrows lead.
    Point,
}

impl Pseudo {
    /// Whether what leaves it needs no event.
    pub(in crate::import) fn is_passed(self) -> bool {
        matches!(self, Pseudo::Choice | Pseudo::Point)
    }
}

/// An end of an arrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::import) enum End {
    /// `[*]`
    Dot,
    Node(usize),
    /// The history of a composite, or of its leaves.
    History {
        of: usize,
        deep: bool,
    },
}

#[derive(Debug, Clone)]
pub(in crate::import) struct Arrow {
    pub(in crate::import) from: End,
    pub(in crate::import) to: End,
    pub(in crate::import) text: Option<String>,
    /// A note beside the arrow.
    pub(in crate::import) doc: Option<String>,
    /// The composite in which it is written.
    pub(in crate::import) scope: Option<usize>,
    pub(in crate::import) comments: Vec<String>,
    pub(in crate::import) range: Range<usize>,
}

impl Diagram {
    /// The id of a node, and nothing for what is outside all composites.
    pub(in crate::import) fn id(&self, node: usize) -> &str {
        self.nodes.get_index(node).map_or("", |(id, _)| id.as_str())
    }

    /// A node and the composites around it, from the inside.
    pub(in crate::import) fn path(&self, node: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(node, |it| self.nodes[*it].scope)
    }
}

/// A text that cannot be read, and its place.
#[derive(Debug)]
pub(in crate::import) struct Wrong {
    pub(in crate::import) range: Range<usize>,
    pub(in crate::import) message: String,
}

impl Wrong {
    /// The finding.
    pub(in crate::import) fn at(self, block: &Block) -> Diagnostic {
        let text = block.text();
        let range = statespec_lang::source::floor_char_boundary(text, self.range.start)..self.range.end.min(text.len());
        Diagnostic::new(Code::ImportUnreadable, block.span(range), self.message)
    }
}
