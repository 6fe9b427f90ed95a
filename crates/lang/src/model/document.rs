//! A validated document: a page made of sections.

use super::{AttributeId, OrderId, PartId};
use crate::source::{SourceId, Span};

/// A page.
#[derive(Debug, Clone)]
pub struct Document {
    /// The name, unique among machines, systems and documents.
    pub name: String,
    /// The source file.
    pub source: SourceId,
    /// The span of the name.
    pub span: Span,
    /// The path of the page, relative to the project's root. Unique, also when case is ignored.
    pub path: String,
    /// The first heading.
    pub title: String,
    /// The text below the title, in Markdown; placeholders are filled in.
    pub intro: Option<String>,
    /// The sections in order; nested sections directly follow their parent.
    pub sections: Vec<Section>,
}

/// A part of a page under one heading.
#[derive(Debug, Clone)]
pub struct Section {
    /// The heading; without one, the section continues the previous one.
    pub heading: Option<String>,
    /// The heading level, from 2 to 6.
    pub level: usize,
    /// Paragraphs and lists in Markdown; placeholders are filled in.
    pub text: Option<String>,
    /// The views in the section.
    pub views: Vec<View>,
    /// The span of the whole section.
    pub span: Span,
}

/// The subject of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// Position in [`super::Model::machines`].
    Machine(usize),
    /// Position in [`super::Model::systems`].
    System(usize),
}

/// A rendering of one aspect of a machine or system, with its options.
#[derive(Debug, Clone)]
pub struct View {
    /// The subject.
    pub subject: Subject,
    /// The aspect and its presentation.
    pub kind: ViewKind,
    /// The span of the view.
    pub span: Span,
}

/// The presentation of an aspect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ViewKind {
    /// The paragraph that describes the subject.
    About,
    /// A Mermaid diagram: the states of a machine, or the parts of a system.
    Diagram(DiagramStyle),
    /// Walkthroughs of a system as Mermaid sequence diagrams: their positions in [`super::System::walkthroughs`], all when
    /// `None`.
    Sequence(Option<Vec<usize>>),
    /// Thresholds of a machine as a picture beside the page: the events whose guards are shown, all when `None`.
    Ladder(Option<Vec<usize>>),
    /// The timers of a machine with constant durations as a Mermaid Gantt chart: the events with which they end, all when `None`.
    Timeline(Option<Vec<usize>>),
    /// A table, or a list with the same content.
    Table(TableView),
    /// Notes for the page.
    Notes(Lead),
    /// The sources of the facts.
    Sources(Lead),
}

/// The line before a list; `None` for no line.
pub type Lead = Option<String>;

/// The style of a diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramStyle {
    /// The number of spaces before each line.
    pub indent: usize,
    /// Labels on arrows and states.
    pub labels: bool,
    /// Arrows sorted by source state and target name instead of in the order of the spec.
    pub sorted: bool,
    /// Arrows from a state to itself; if `false`, a page lists them below the diagram.
    pub loops: bool,
}

impl DiagramStyle {
    /// The style of pages. Mermaid draws the label of a loop over other labels, so loops are listed below the diagram.
    pub fn of_page() -> Self {
        DiagramStyle { loops: false, ..DiagramStyle::default() }
    }
}

impl Default for DiagramStyle {
    fn default() -> Self {
        DiagramStyle { indent: 4, labels: true, sorted: false, loops: true }
    }
}

/// The contents of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableView {
    /// The aspect that provides the rows.
    pub aspect: Aspect,
    /// The columns. If empty: the columns of [`Aspect::facts`] that have content.
    pub columns: Vec<Column>,
    /// The rows to show, as positions in the list that [`Aspect::items`] names; all when `None`.
    pub only: Option<Vec<usize>>,
    /// A default child is shown under its parent's name: [`super::Machine::display_name`].
    pub display_names: bool,
    /// Shown as a list: the first column in bold, followed by the others.
    pub list: bool,
}

impl TableView {
    /// The default table of an aspect.
    pub fn of(aspect: Aspect) -> Self {
        TableView { aspect, columns: Vec::new(), only: None, display_names: false, list: false }
    }
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The heading.
    pub header: String,
    /// The content of its cells.
    pub content: Content,
}

/// The content of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// A fact that every row of the aspect has.
    Fact(Fact),
    /// An attribute of states.
    Attribute(AttributeId),
    /// The sort keys that a state has in an order.
    Order(OrderId),
    /// The change of a part in a step.
    Part(PartId),
}

/// The items that [`TableView::only`] selects from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Items {
    /// The states of a machine.
    States,
    /// The events of a machine.
    Events,
    /// The walkthroughs of a system.
    Walkthroughs,
    /// The rows of the aspect themselves, by name.
    Own,
    /// Nothing: its rows have no names.
    None,
}

macro_rules! facts {
    ($($(#[doc = $doc:literal])* $name:ident $word:literal,)*) => {
        /// A fact that a column can show.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Fact {
            $($(#[doc = $doc])* $name,)*
        }

        impl Fact {
            /// The keyword in documents.
            pub fn word(self) -> &'static str {
                match self { $(Fact::$name => $word,)* }
            }
        }
    };
}

facts! {
    /// The duration of a timer.
    After "after",
    /// Other names.
    Aliases "aliases",
    /// The outcome of an event in a state.
    Answer "answer",
    /// The states that accept an event.
    Accepted "accepted",
    /// Whether it must be one database transaction.
    Atomic "atomic",
    /// The actors that may raise or trigger it.
    By "by",
    /// The order of the store and the state change.
    Commit "commit",
    /// The value at creation.
    Default "default",
    /// The name in tables: a default child is shown under its parent's name.
    Display "display",
    /// The description.
    Doc "doc",
    /// The effects by name, in the order in which they happen.
    Does "does",
    /// The effects of a step outside the machine.
    Effects "effects",
    /// The enum that a value belongs to.
    Enum "enum",
    /// Effects on entry.
    Entry "entry",
    /// The event.
    Event "event",
    /// The events that an actor raises.
    Events "events",
    /// Effects on exit.
    Exit "exit",
    /// The events that are fired.
    Fire "fire",
    /// The source.
    From "from",
    /// The guard, with constants evaluated.
    Guard "guard",
    /// The kind of a state: initial, terminal, sink.
    Kind "kind",
    /// The sort keys.
    Keys "keys",
    /// The display text.
    Label "label",
    /// The machine of a part.
    Machine "machine",
    /// The number of instances allowed.
    Many "many",
    /// The orders that sort the instances of a part.
    Sorted "sorted",
    /// The text that an effect carries.
    Message "message",
    /// The name.
    Name "name",
    /// The states that can follow.
    Next "next",
    /// A remark.
    Note "note",
    /// The actions that do not happen when a transaction fails.
    OnFailure "on_failure",
    /// The sort order.
    Order "order",
    /// The parent state.
    Parent "parent",
    /// The parts that a step updates.
    Parts "parts",
    /// The name prefixed with the names of its ancestors.
    Path "path",
    /// The data it carries.
    Payload "payload",
    /// The actor that does the work.
    Performer "performer",
    /// The key by which the instances of a part are placed.
    Placed "placed",
    /// The reason for it.
    Reason "reason",
    /// The states that refuse an event with a text.
    Refused "refused",
    /// The condition that must hold.
    Require "require",
    /// The outermost owners.
    Root "root",
    /// The assignments.
    Set "set",
    /// The state.
    State "state",
    /// The number of a step.
    Step "step",
    /// The numbers of several steps.
    Steps "steps",
    /// The place where a user finds it.
    Surface "surface",
    /// The text of a refusal.
    Text "text",
    /// The target.
    To "to",
    /// The trigger.
    Trigger "trigger",
    /// The type.
    Type "type",
    /// The updates.
    Updates "updates",
    /// The value.
    Value "value",
    /// The name in storage and in messages.
    Wire "wire",
}

/// Whether a fact has a column by default, that is, when a document does not list columns.
type Shown = bool;

macro_rules! aspects {
    ($($(#[doc = $doc:literal])* $name:ident $word:literal of $kind:ident picks $items:ident
        [$($fact:ident $header:literal $shown:literal,)*];)*) => {
        /// The kinds of rows in a table. Each is also a region: `<!-- statespec:begin mysis.states -->`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Aspect {
            $($(#[doc = $doc])* $name,)*
        }

        impl Aspect {
            /// All aspects, in the order of a page with all sections.
            pub const ALL: &'static [Aspect] = &[$(Aspect::$name,)*];

            /// The keyword in documents and region names.
            pub fn word(self) -> &'static str {
                match self { $(Aspect::$name => $word,)* }
            }

            /// Whether a subject of this kind has the aspect.
            pub fn is_of(self, subject: Subject) -> bool {
                let of = match self { $(Aspect::$name => Of::$kind,)* };
                matches!(
                    (of, subject),
                    (Of::Both, _) | (Of::Machine, Subject::Machine(_)) | (Of::System, Subject::System(_))
                )
            }

            /// The items that a document can select from it.
            pub fn items(self) -> Items {
                match self { $(Aspect::$name => Items::$items,)* }
            }

            /// The facts of a row: the fact, its usual heading, and whether it is shown by default.
            pub fn facts(self) -> &'static [(Fact, &'static str, Shown)] {
                match self { $(Aspect::$name => &[$((Fact::$fact, $header, $shown),)*],)* }
            }
        }
    };
}

/// The kind of subject that has an aspect.
enum Of {
    Machine,
    System,
    Both,
}

aspects! {
    /// The machines of a system.
    Parts "parts" of System picks Own [
        Name "Part" true, Label "Label" false, Machine "Machine" true, Many "Instances" true, Sorted "Sorted By" true, Doc "Description" true,
    ];
    /// The states.
    States "states" of Machine picks States [
        State "State" true, Name "Name" false, Path "State" false, Display "State" false, Parent "In" false, Label "Label" true, Wire "Stored as" true,
        Kind "Kind" true, Entry "On Entry" true, Exit "On Exit" true, Doc "Description" true,
    ];
    /// The transitions.
    Transitions "transitions" of Machine picks Events [
        From "From" true, To "To" true, Trigger "Trigger" false, Event "Event" true, Label "Label" true, By "Actor" false,
        Guard "When" true, Set "Sets" true, Does "Effects" true, Effects "Side Effects" false, Commit "Commit" true,
        Doc "Description" true,
    ];
    /// The states that can follow each state.
    Adjacency "adjacency" of Machine picks States [
        State "State" true, Name "Name" false, Path "State" false, Display "State" false, Next "Allowed Transitions" true,
    ];
    /// The states that accept each event.
    Acceptance "acceptance" of Machine picks Events [
        Event "Event" true, State "State" false, Answer "Answer" false, Text "Text" false, Accepted "Accepted In" true,
        Refused "Refused In" true,
    ];
    /// The texts of refusals.
    Refusals "refusals" of Machine picks Events [
        State "State" true, Event "Event" true, Guard "When" true, Text "Text" true,
    ];
    /// The transactions of a system.
    Transactions "transactions" of System picks Own [
        Name "Transaction" true, By "Actor" true, Performer "Performed By" true, Surface "Where" true, Payload "Data" true,
        Fire "Fires" true, Atomic "Atomic" true, Steps "Steps" false, OnFailure "On Failure" true, Doc "Description" true,
    ];
    /// The events that each transaction and each link fires in each part.
    Matrix "matrix" of System picks None [
        Name "Transaction" true, By "Actor" true,
    ];
    /// The conditions on firing events.
    Rules "rules" of System picks None [
        Event "Before" true, Require "Requires" true, Doc "Description" true,
    ];
    /// The events that a change of one part raises in another.
    Links "links" of System picks None [
        Trigger "When" true, Guard "If" true, Fire "Fires" true, Kind "If Refused" true, Doc "Description" true,
    ];
    /// The conditions that hold after every transaction.
    Invariants "invariants" of System picks None [
        Require "Always" true, Doc "Description" true,
    ];
    /// The roots of the parts, and the keys by which a system can be spread over several databases.
    Placement "placement" of System picks None [
        Name "Part" true, Root "Root" true, Placed "Placed By" true, Reason "Why" true,
    ];
    /// The roots that each transaction reaches, and by what if there are several.
    Reach "reach" of System picks None [
        Name "Transaction" true, Root "Roots" true, Reason "Reached By" true,
    ];
    /// A walkthrough of a system.
    Walkthrough "walkthrough" of System picks Walkthroughs [
        Step "Step" true, Trigger "Trigger" true, By "Actor" true, Performer "Performed By" false, Updates "Entity Updates" true,
        Note "Notes" true,
    ];
    /// The steps that update each part.
    Updates "updates" of System picks Walkthroughs [
        Parts "Updated" true, Steps "Steps" true, Updates "Entity Updates" true,
    ];
    /// The places where a user finds transactions.
    Surfaces "surfaces" of System picks Walkthroughs [
        Surface "Where" true, Steps "Steps" true, Name "Transaction" false, By "Actor" true, Performer "Performed By" true,
        Doc "Description" true,
    ];
    /// The actors that raise events or trigger transactions.
    Actors "actors" of Both picks Own [
        Name "Actor" true, Doc "Description" true, Events "Raises" true,
    ];
    /// The events.
    Events "events" of Machine picks Events [
        Name "Event" true, Label "Label" true, By "Raised By" true, Performer "Performed By" true, Payload "Payload" true,
        From "From" false, To "To" false, Aliases "Also Called" true, Doc "Description" true,
    ];
    /// The effects of steps.
    Effects "effects" of Machine picks Own [
        Name "Effect" true, Label "Label" false, Payload "Takes" true, Message "Message" true, Doc "Description" true,
    ];
    /// The timers.
    Timers "timers" of Machine picks Events [
        Name "Timer" true, After "Duration" true, State "Runs In" true, To "Leads To" true, Guard "When" true, Does "Effects" false,
        Doc "Description" true,
    ];
    /// Conditions decided by code.
    Predicates "predicates" of Machine picks Own [
        Name "Predicate" true, Doc "Description" true,
    ];
    /// The context: data stored with the state.
    Context "context" of Machine picks Own [
        Name "Field" true, Label "Label" false, Type "Type" true, Default "Initial Value" true, Aliases "Also Called" true,
        Doc "Description" true,
    ];
    /// Named values.
    Constants "constants" of Machine picks Own [
        Name "Constant" true, Type "Type" false, Value "Value" true, Doc "Description" true,
    ];
    /// The guards that compare a value with a constant, with constants evaluated.
    Thresholds "thresholds" of Machine picks Events [
        From "From" true, To "To" true, Event "Event" true, Guard "When" true,
    ];
    /// The attributes of states.
    Attributes "attributes" of Machine picks Own [
        Name "Attribute" true, Label "Label" false, Type "Type" true, Doc "Description" true,
    ];
    /// The values of enumerations.
    Enums "enums" of Machine picks None [
        Enum "Enum" true, Value "Value" true, Label "Label" true, Wire "Stored as" true, Doc "Description" true,
    ];
    /// Sort orders.
    Orders "orders" of Machine picks Own [
        Order "Order" true, State "State" true, Keys "Sorted By" true, Doc "Description" true,
    ];
    /// The facts that the sources do not state.
    Inferred "inferred" of Both picks None [
        Kind "What" true, Name "Which" true, Reason "Reason" true,
    ];
}
