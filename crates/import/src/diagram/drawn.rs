//! States and arrows as drawn.

use std::ops::Range;

use indexmap::IndexMap;
use statespec_lang::diagnostic::{Code, Diagnostic};

use super::Block;
use crate::draft::Findings;

/// The maximum nesting of composites; the spec's YAML also has limits.
pub(crate) const MAX_DEPTH: usize = 20;

/// A diagram as drawn.
#[derive(Debug, Default)]
pub(crate) struct Diagram {
    /// The name of the machine, if the diagram says it.
    pub(crate) name: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) doc: Option<String>,
    /// Whether a slash in the text of an arrow is that of UML: `event / effect`.
    pub(crate) is_uml: bool,
    /// Whether dividers part the states outside all composites.
    pub(crate) parallel: bool,
    /// The nodes by id, in the order of their first mention.
    pub(crate) nodes: IndexMap<String, Node>,
    pub(crate) arrows: Vec<Arrow>,
    pub(crate) notes: Vec<String>,
    /// Trailing comments.
    pub(crate) comments: Vec<String>,
    pub(crate) found: Findings,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Node {
    /// The enclosing composite.
    pub(crate) scope: Option<usize>,
    /// Its place among the mentions of nodes: the first one in the enclosing composite.
    pub(crate) mention: usize,
    /// Whether dividers part the states inside.
    pub(crate) parallel: bool,
    /// Whether it is what a divider parts: a region, which has no name in a diagram.
    pub(crate) region: bool,
    /// The displayed name, then further texts.
    pub(crate) texts: Vec<String>,
    pub(crate) notes: Vec<String>,
    pub(crate) entry: Vec<String>,
    pub(crate) exit: Vec<String>,
    pub(crate) pseudo: Option<Pseudo>,
    pub(crate) comments: Vec<String>,
    pub(crate) range: Range<usize>,
}

/// Pseudo-states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pseudo {
    Fork,
    Join,
    Choice,
    /// A point on the border of a composite through which arrows lead.
    Point,
}

impl Pseudo {
    /// Whether what leaves it needs no event.
    pub(crate) fn is_passed(self) -> bool {
        matches!(self, Pseudo::Choice | Pseudo::Point)
    }
}

/// An end of an arrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
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
pub(crate) struct Arrow {
    pub(crate) from: End,
    pub(crate) to: End,
    pub(crate) text: Option<String>,
    /// A note beside the arrow.
    pub(crate) doc: Option<String>,
    /// The composite in which it is written.
    pub(crate) scope: Option<usize>,
    pub(crate) comments: Vec<String>,
    pub(crate) range: Range<usize>,
}

impl Diagram {
    /// The id of a node, and nothing for what is outside all composites.
    pub(crate) fn id(&self, node: usize) -> &str {
        self.nodes.get_index(node).map_or("", |(id, _)| id.as_str())
    }

    /// A node and the composites around it, from the inside.
    pub(crate) fn path(&self, node: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(node, |it| self.nodes[*it].scope)
    }
}

/// A text that cannot be read, and its place.
#[derive(Debug)]
pub(crate) struct Wrong {
    pub(crate) range: Range<usize>,
    pub(crate) message: String,
}

impl Wrong {
    /// The finding.
    pub(crate) fn at(self, block: &Block) -> Diagnostic {
        let text = block.text();
        let range = statespec_lang::source::floor_char_boundary(text, self.range.start)..self.range.end.min(text.len());
        Diagnostic::new(Code::ImportUnreadable, block.span(range), self.message)
    }
}
