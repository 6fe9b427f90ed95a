//! A document file as written: a page made of sections.

use crate::diagnostic::Diagnostics;
use crate::read::{Entries, OneOrMany, Read, Text, spec_types};
use crate::source::Spanned;
use crate::yaml::{Node, NodeKind};

spec_types! {
    /// A page: its content and its layout. The facts come from machines and systems.
    pub struct Document as "a document" {
        /// The document's name.
        document: Text,
        /// The file of the page, relative to the project's root; ends in `.md`.
        path: Text,
        /// The first heading.
        title: Text,
        /// The paragraph under it, in Markdown. `{spec}` lists the specs that the page shows.
        intro: Option<Text>,
        /// The machine or system that a section shows if it names none.
        of: Option<Text>,
        /// The sections of the page.
        sections: Option<Vec<Section>>,
    }

    /// A part of a page under one heading.
    pub struct Section as "a section" {
        /// The heading; if omitted, the section continues the one before.
        heading: Option<Text>,
        /// The machine or system that it shows.
        of: Option<Text>,
        /// Paragraphs and lists in Markdown. `{name}` shows a constant of the machine, `{spec}` lists the specs that the page shows.
        text: Option<Text>,
        /// The views to show, in this order: names of views, or views with options.
        show: Option<OneOrMany<View>>,
        /// Sections inside this one, one heading level down.
        sections: Option<Vec<Section>>,
    }

    /// One view with its options.
    pub struct ViewBody as "a view" {
        /// The machine or system that this view shows; that of the section if omitted.
        of: Option<Text>,
        /// A Mermaid diagram: the states of a machine, or the parts of a system with their transactions and links.
        diagram: Option<Diagram>,
        /// The states.
        states: Option<Table>,
        /// The transitions, a row each, with those that refuse an event.
        transitions: Option<Table>,
        /// The states that can follow each state.
        adjacency: Option<Table>,
        /// The states that accept an event, and those that refuse it.
        acceptance: Option<Table>,
        /// The texts of refusals.
        refusals: Option<Table>,
        /// The attributes of states.
        attributes: Option<Table>,
        /// The actors who raise events or trigger transactions.
        actors: Option<Table>,
        /// The events.
        events: Option<Table>,
        /// The effects of steps.
        effects: Option<Table>,
        /// The timers, with the states in which they run.
        timers: Option<Table>,
        /// The timers on a line of time, from the moment at which their state is entered: a Mermaid Gantt chart. Durations that the context decides are left out.
        timeline: Option<Timeline>,
        /// The conditions that user code decides.
        predicates: Option<Table>,
        /// The context: data stored with the state.
        context: Option<Table>,
        /// Named values.
        constants: Option<Table>,
        /// The values of enumerations.
        enums: Option<Table>,
        /// The guards that compare a value with a constant, with the values of constants filled in.
        thresholds: Option<Table>,
        /// Thresholds with their hysteresis as a picture, where guards compare one value with constants: an SVG file beside the page.
        ladder: Option<Ladder>,
        /// Sort orders.
        orders: Option<Table>,
        /// The machines of a system.
        parts: Option<Table>,
        /// The transactions of a system.
        transactions: Option<Table>,
        /// The events that each transaction and each link fires in each part.
        matrix: Option<Table>,
        /// The conditions that must hold before an event.
        rules: Option<Table>,
        /// The events that a change of one part raises in another.
        links: Option<Table>,
        /// The conditions that hold after every transaction.
        invariants: Option<Table>,
        /// The roots of the parts, and the keys by which a system can be spread over several databases.
        placement: Option<Table>,
        /// The roots that each transaction reaches, and by what if there are several.
        reach: Option<Table>,
        /// An example run of a system, executed.
        walkthrough: Option<Table>,
        /// Example runs of a system as Mermaid sequence diagrams, executed.
        sequence: Option<Sequence>,
        /// The parts that each step of the walkthroughs updates.
        updates: Option<Table>,
        /// The place of each transaction in the user interface, and its steps.
        surfaces: Option<Table>,
        /// The notes.
        notes: Option<Notes>,
        /// Everything that the sources do not contain, with the reason for adding it.
        inferred: Option<Table>,
        /// The sources of the facts.
        sources: Option<Notes>,
    }

    /// The layout of a machine's diagram; that of a system has no options.
    pub struct Diagram as "a diagram" {
        /// Spaces before each line; 4 if omitted.
        indent: Option<Text>,
        /// Labels on arrows and states; `true` if omitted.
        labels: Option<Spanned<bool>>,
        /// Arrows sorted by source state and target name, instead of in the order of the spec.
        sorted: Option<Spanned<bool>>,
        /// Arrows from a state back to itself; if omitted or `false`, they are listed below the diagram: Mermaid draws their labels over others.
        loops: Option<Spanned<bool>>,
    }

    /// The choice of timers.
    pub struct Timeline as "a timeline" {
        /// The timers to show, by their events; all if omitted.
        only: Option<OneOrMany<Text>>,
    }

    /// The choice of sequence diagrams.
    pub struct Sequence as "a sequence" {
        /// The walkthroughs to show; all if omitted.
        only: Option<OneOrMany<Text>>,
    }

    /// The choice of ladders.
    pub struct Ladder as "a ladder" {
        /// The events whose guards are shown; all if omitted.
        only: Option<OneOrMany<Text>>,
    }

    /// The layout of a table.
    pub struct Table as "a table" {
        /// The columns: each heading with its content.
        columns: Option<Entries<Text>>,
        /// The states, events, … to show; all if omitted.
        only: Option<OneOrMany<Text>>,
        /// The names of nested states: `path` (`ACTIVE/LOADED`) if omitted, or `display`, which shows a default child under its parent's name (`ACTIVE`).
        names: Option<Text>,
        /// `table`, or `list`: the first column in bold, followed by the others.
        r#as: Option<Text>,
    }

    /// The layout of a list of sentences.
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
