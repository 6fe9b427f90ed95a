//! A document file as written: a page made of sections.

use crate::diagnostic::Diagnostics;
use crate::read::{Entries, OneOrMany, Read, Text, spec_types};
use crate::source::Spanned;
use crate::yaml::{Node, NodeKind};

spec_types! {
    /// A page: what stands on it and how it looks. The facts come from machines and systems.
    pub struct Document as "a document" {
        /// The document's name.
        document: Text,
        /// Where the page goes, relative to the project's root; ends in `.md`.
        path: Text,
        /// The first heading.
        title: Text,
        /// The paragraph under it, in Markdown. `{spec}` lists the specs that the page shows.
        intro: Option<Text>,
        /// The machine or system that sections show which name none themselves.
        of: Option<Text>,
        /// What follows.
        sections: Option<Vec<Section>>,
    }

    /// A stretch of a page under one heading.
    pub struct Section as "a section" {
        /// The heading; left out, the section goes on under the one before.
        heading: Option<Text>,
        /// The machine or system that it shows.
        of: Option<Text>,
        /// Paragraphs and lists in Markdown. `{name}` shows a constant of the machine, `{spec}` lists the specs that the page shows.
        text: Option<Text>,
        /// What is shown, in this order: the names of views, or views with options.
        show: Option<OneOrMany<View>>,
        /// Sections inside this one, one heading level down.
        sections: Option<Vec<Section>>,
    }

    /// One view with its options.
    pub struct ViewBody as "a view" {
        /// The machine or system that this view shows, where it is not the section's.
        of: Option<Text>,
        /// A Mermaid diagram.
        diagram: Option<Diagram>,
        /// The states.
        states: Option<Table>,
        /// The transitions, a row each.
        transitions: Option<Table>,
        /// Which states can follow which.
        adjacency: Option<Table>,
        /// Which states take an event, and which turn it down.
        acceptance: Option<Table>,
        /// What refusals say.
        refusals: Option<Table>,
        /// What states state about themselves.
        attributes: Option<Table>,
        /// Who raises events or triggers transactions.
        actors: Option<Table>,
        /// What can happen.
        events: Option<Table>,
        /// What steps make happen.
        effects: Option<Table>,
        /// Conditions decided by code.
        predicates: Option<Table>,
        /// The data beside the state.
        context: Option<Table>,
        /// Named values.
        constants: Option<Table>,
        /// The values of enumerations.
        enums: Option<Table>,
        /// The guards, with constants worked out.
        thresholds: Option<Table>,
        /// Sort orders.
        orders: Option<Table>,
        /// The machines of a system.
        parts: Option<Table>,
        /// What can be done to a system.
        transactions: Option<Table>,
        /// What must hold before.
        rules: Option<Table>,
        /// What one part's change raises in another.
        links: Option<Table>,
        /// What holds after every transaction.
        invariants: Option<Table>,
        /// A told way through a system, executed.
        walkthrough: Option<Table>,
        /// Which steps of the walkthroughs update which parts.
        updates: Option<Table>,
        /// Where a person finds a transaction, and its steps.
        surfaces: Option<Table>,
        /// Sentences.
        notes: Option<Notes>,
        /// Everything that the sources do not say, with the reason it is here.
        inferred: Option<Table>,
        /// Where the facts come from.
        sources: Option<Notes>,
    }

    /// How a diagram looks.
    pub struct Diagram as "a diagram" {
        /// Spaces before each line; 4 when left out.
        indent: Option<Text>,
        /// Labels on arrows and states; `true` when left out.
        labels: Option<Spanned<bool>>,
        /// Arrows by source state and target name instead of in the order of the spec.
        sorted: Option<Spanned<bool>>,
    }

    /// How a table looks.
    pub struct Table as "a table" {
        /// The columns: each heading with what stands under it.
        columns: Option<Entries<Text>>,
        /// The states, events, … to show; all when left out.
        only: Option<OneOrMany<Text>>,
        /// What inner states are called: `path` (`ACTIVE/LOADED`) when left out, or `display`, where a default child goes by its parent's name (`ACTIVE`).
        names: Option<Text>,
        /// `table`, or `list`: the first column in bold, the others behind it.
        r#as: Option<Text>,
    }

    /// How a list of sentences looks.
    pub struct Notes as "notes" {
        /// The line before the list, such as `Notes:`; none when empty.
        lead: Option<Text>,
    }
}

/// A view: its name alone, or with options.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(untagged))]
pub enum View {
    /// The name alone.
    Name(Text),
    /// With options.
    Full(Box<ViewBody>),
}

impl Read for View {
    fn read(node: Node, diagnostics: &mut Diagnostics) -> Option<Self> {
        match node.kind {
            NodeKind::Map(_) => ViewBody::read(node, diagnostics).map(|it| View::Full(Box::new(it))),
            _ => Text::read(node, diagnostics).map(View::Name),
        }
    }
}
