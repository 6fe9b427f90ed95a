//! A page made of sections, known to be true.

use crate::source::{SourceId, Span};

/// A page.
#[derive(Debug, Clone)]
pub struct Document {
    /// The name, unique among machines, systems and documents.
    pub name: String,
    /// The file it was read from.
    pub source: SourceId,
    /// Where the name is written.
    pub span: Span,
    /// Where the page goes, relative to the project's root.
    pub path: String,
    /// The first heading.
    pub title: String,
    /// The paragraph under it; may hold Markdown. `{spec}` stands for the path of this file.
    pub intro: Option<String>,
    /// What follows.
    pub sections: Vec<Section>,
}

/// A stretch of a page under one heading.
#[derive(Debug, Clone)]
pub struct Section {
    /// The heading; none continues the one before.
    pub heading: Option<String>,
    /// A paragraph in Markdown.
    pub text: Option<String>,
    /// What is shown.
    pub views: Vec<View>,
    /// The whole section.
    pub span: Span,
}

/// What a view shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// Position in [`super::Model::machines`].
    Machine(usize),
    /// Position in [`super::Model::systems`].
    System(usize),
}

/// A rendering of one aspect of a machine or system, with its options.
#[derive(Debug, Clone)]
pub struct View {
    /// Of what.
    pub subject: Subject,
    /// Which aspect, and how it looks.
    pub kind: ViewKind,
    /// Where it is asked for.
    pub span: Span,
}

/// The aspects. Each is also a region name: `<!-- statespec:begin mysis.diagram -->`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ViewKind {
    /// A Mermaid diagram.
    Diagram(DiagramStyle),
}

/// How a diagram looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramStyle {
    /// Spaces before each line.
    pub indent: usize,
    /// Events, labels and guards on the arrows.
    pub labels: bool,
    /// Arrows sorted by source state and target name instead of in the order of the spec.
    pub sorted: bool,
}
