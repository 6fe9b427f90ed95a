//! A page made of sections, known to be true.

use super::{AttributeId, OrderId, PartId};
use crate::source::{SourceId, Span};

/// A page.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Document {
    /// The name, unique among machines, systems and documents.
    pub name: String,
    /// The file it was read from.
    pub source: SourceId,
    /// Where the name is written.
    pub span: Span,
    /// Where the page goes, relative to the project's root; unique, also where case is ignored.
    pub path: String,
    /// The first heading.
    pub title: String,
    /// The text under it, in Markdown; placeholders are filled in.
    pub intro: Option<String>,
    /// What follows, in order; sections inside others come right behind them.
    pub sections: Vec<Section>,
}

/// A stretch of a page under one heading.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Section {
    /// The heading; none continues the one before.
    pub heading: Option<String>,
    /// How deep the heading is, from 2 to 6.
    pub level: usize,
    /// Paragraphs and lists in Markdown; placeholders are filled in.
    pub text: Option<String>,
    /// What is shown.
    pub views: Vec<View>,
    /// The whole section.
    pub span: Span,
}

/// What a view shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// Position in [`super::Model::machines`].
    Machine(usize),
    /// Position in [`super::Model::systems`].
    System(usize),
}

/// A rendering of one aspect of a machine or system, with its options.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct View {
    /// Of what.
    pub subject: Subject,
    /// Which aspect, and how it looks.
    pub kind: ViewKind,
    /// Where it is asked for.
    pub span: Span,
}

/// How an aspect is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ViewKind {
    /// The paragraph that says what the subject is about.
    About,
    /// A Mermaid diagram.
    Diagram(DiagramStyle),
    /// A table, or a list that says the same.
    Table(TableView),
    /// Sentences for the page.
    Notes(Lead),
    /// Where the facts come from.
    Sources(Lead),
}

/// The line before a list; none where `None`.
pub type Lead = Option<String>;

/// How a diagram looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramStyle {
    /// Spaces before each line.
    pub indent: usize,
    /// Labels on arrows and states.
    pub labels: bool,
    /// Arrows sorted by source state and target name instead of in the order of the spec.
    pub sorted: bool,
}

impl Default for DiagramStyle {
    fn default() -> Self {
        DiagramStyle { indent: 4, labels: true, sorted: false }
    }
}

/// How a table looks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableView {
    /// What its rows are.
    pub aspect: Aspect,
    /// The columns; empty: those of [`Aspect::facts`] that have something to say.
    pub columns: Vec<Column>,
    /// The rows to show, as positions in the list that [`Aspect::items`] names; all when `None`.
    pub only: Option<Vec<usize>>,
    /// A default child goes by its parent's name: [`super::Machine::display_name`].
    pub display_names: bool,
    /// A list: the first column in bold, the others behind it.
    pub list: bool,
}

impl TableView {
    /// The table that an aspect has without options.
    pub fn of(aspect: Aspect) -> Self {
        TableView { aspect, columns: Vec::new(), only: None, display_names: false, list: false }
    }
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// The heading.
    pub header: String,
    /// What stands under it.
    pub content: Content,
}

/// What a column shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// A fact that every row of the aspect has.
    Fact(Fact),
    /// An attribute of states.
    Attribute(AttributeId),
    /// The sort keys that a state has in an order.
    Order(OrderId),
    /// What becomes of a part in a step.
    Part(PartId),
}

/// What [`TableView::only`] picks from.
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
            /// The word for it in documents.
            pub fn word(self) -> &'static str {
                match self { $(Fact::$name => $word,)* }
            }
        }
    };
}

facts! {
    /// Other names.
    Aliases "aliases",
    /// What becomes of an event in a state.
    Answer "answer",
    /// The states that take an event.
    Accepted "accepted",
    /// Whether it must be one database transaction.
    Atomic "atomic",
    /// Who may raise or trigger it.
    By "by",
    /// When the store is written.
    Commit "commit",
    /// The value at creation.
    Default "default",
    /// The name in tables: a default child goes by its parent's.
    Display "display",
    /// What it means.
    Doc "doc",
    /// The effects by name, in the order in which they happen.
    Does "does",
    /// What follows from a step outside the machine.
    Effects "effects",
    /// The enum that a value belongs to.
    Enum "enum",
    /// Effects on the way in.
    Entry "entry",
    /// The event.
    Event "event",
    /// The events an actor raises.
    Events "events",
    /// Effects on the way out.
    Exit "exit",
    /// What is fired.
    Fire "fire",
    /// Where it starts.
    From "from",
    /// The condition, with constants worked out.
    Guard "guard",
    /// Initial, terminal, sink.
    Kind "kind",
    /// The sort keys.
    Keys "keys",
    /// What a person reads.
    Label "label",
    /// The machine of a part.
    Machine "machine",
    /// How many instances there may be.
    Many "many",
    /// The text that an effect carries.
    Message "message",
    /// The name.
    Name "name",
    /// The states that can follow.
    Next "next",
    /// A remark.
    Note "note",
    /// What does not happen when a transaction fails.
    OnFailure "on_failure",
    /// The sort order.
    Order "order",
    /// The state around it.
    Parent "parent",
    /// The parts that a step updates.
    Parts "parts",
    /// The name with those of the states around it.
    Path "path",
    /// The data it carries.
    Payload "payload",
    /// Who does the work.
    Performer "performer",
    /// Why it is there.
    Reason "reason",
    /// The states that turn an event down with a text.
    Refused "refused",
    /// What must hold.
    Require "require",
    /// What is assigned.
    Set "set",
    /// The state.
    State "state",
    /// The number of a step.
    Step "step",
    /// The numbers of several steps.
    Steps "steps",
    /// Where a person finds it.
    Surface "surface",
    /// The text of a refusal.
    Text "text",
    /// Where it leads.
    To "to",
    /// What sets it off.
    Trigger "trigger",
    /// Its type.
    Type "type",
    /// What was updated.
    Updates "updates",
    /// Its value.
    Value "value",
    /// How it is stored and sent.
    Wire "wire",
}

/// Whether a fact has a column when a document does not list columns.
type Shown = bool;

macro_rules! aspects {
    ($($(#[doc = $doc:literal])* $name:ident $word:literal of $kind:ident picks $items:ident
        [$($fact:ident $header:literal $shown:literal,)*];)*) => {
        /// What the rows of a table are. Each is also a region: `<!-- statespec:begin mysis.states -->`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Aspect {
            $($(#[doc = $doc])* $name,)*
        }

        impl Aspect {
            /// All of them, in the order of a default page.
            pub const ALL: &'static [Aspect] = &[$(Aspect::$name,)*];

            /// The word for it in documents and region names.
            pub fn word(self) -> &'static str {
                match self { $(Aspect::$name => $word,)* }
            }

            /// Whether machines have it, and whether systems do.
            pub fn is_of(self, subject: Subject) -> bool {
                let of = match self { $(Aspect::$name => Of::$kind,)* };
                matches!(
                    (of, subject),
                    (Of::Both, _) | (Of::Machine, Subject::Machine(_)) | (Of::System, Subject::System(_))
                )
            }

            /// What a document can pick from it.
            pub fn items(self) -> Items {
                match self { $(Aspect::$name => Items::$items,)* }
            }

            /// The facts of a row: the fact, its usual heading, and whether it is shown unasked.
            pub fn facts(self) -> &'static [(Fact, &'static str, Shown)] {
                match self { $(Aspect::$name => &[$((Fact::$fact, $header, $shown),)*],)* }
            }
        }
    };
}

/// What has an aspect.
enum Of {
    Machine,
    System,
    Both,
}

aspects! {
    /// The machines of a system.
    Parts "parts" of System picks Own [
        Name "Part" true, Label "Label" false, Machine "Machine" true, Many "Instances" true, Doc "Description" true,
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
    /// Which states can follow which.
    Adjacency "adjacency" of Machine picks States [
        State "State" true, Name "Name" false, Path "State" false, Display "State" false, Next "Allowed Transitions" true,
    ];
    /// Which states take an event.
    Acceptance "acceptance" of Machine picks Events [
        Event "Event" true, State "State" false, Answer "Answer" false, Text "Text" false, Accepted "Accepted In" true,
        Refused "Refused In" true,
    ];
    /// What refusals say.
    Refusals "refusals" of Machine picks Events [
        State "State" true, Event "Event" true, Guard "When" true, Text "Text" true,
    ];
    /// What can be done to a system.
    Transactions "transactions" of System picks Own [
        Name "Transaction" true, By "Actor" true, Performer "Performed By" true, Surface "Where" true, Payload "Data" true,
        Fire "Fires" true, Atomic "Atomic" true, Steps "Steps" false, OnFailure "On Failure" true, Doc "Description" true,
    ];
    /// What must hold before.
    Rules "rules" of System picks None [
        Event "Before" true, Require "Requires" true, Doc "Description" true,
    ];
    /// What one part's change raises in another.
    Links "links" of System picks None [
        Trigger "When" true, Guard "If" true, Fire "Fires" true, Kind "If Refused" true, Doc "Description" true,
    ];
    /// What holds after every transaction.
    Invariants "invariants" of System picks None [
        Require "Always" true, Doc "Description" true,
    ];
    /// A told way through a system.
    Walkthrough "walkthrough" of System picks Walkthroughs [
        Step "Step" true, Trigger "Trigger" true, By "Actor" true, Performer "Performed By" false, Updates "Entity Updates" true,
        Note "Notes" true,
    ];
    /// Which steps update which parts.
    Updates "updates" of System picks Walkthroughs [
        Parts "Updated" true, Steps "Steps" true, Updates "Entity Updates" true,
    ];
    /// Where a person finds transactions.
    Surfaces "surfaces" of System picks Walkthroughs [
        Surface "Where" true, Steps "Steps" true, Name "Transaction" false, By "Actor" true, Performer "Performed By" true,
        Doc "Description" true,
    ];
    /// Who raises events or triggers transactions.
    Actors "actors" of Both picks Own [
        Name "Actor" true, Doc "Description" true, Events "Raises" true,
    ];
    /// What can happen.
    Events "events" of Machine picks Events [
        Name "Event" true, Label "Label" true, By "Raised By" true, Performer "Performed By" true, Payload "Payload" true,
        From "From" false, To "To" false, Aliases "Also Called" true, Doc "Description" true,
    ];
    /// What steps make happen.
    Effects "effects" of Machine picks Own [
        Name "Effect" true, Label "Label" false, Payload "Takes" true, Message "Message" true, Doc "Description" true,
    ];
    /// Conditions decided by code.
    Predicates "predicates" of Machine picks Own [
        Name "Predicate" true, Doc "Description" true,
    ];
    /// The data beside the state.
    Context "context" of Machine picks Own [
        Name "Field" true, Label "Label" false, Type "Type" true, Default "Initial Value" true, Aliases "Also Called" true,
        Doc "Description" true,
    ];
    /// Named values.
    Constants "constants" of Machine picks Own [
        Name "Constant" true, Type "Type" false, Value "Value" true, Doc "Description" true,
    ];
    /// The guards, with constants worked out.
    Thresholds "thresholds" of Machine picks Events [
        From "From" true, To "To" true, Event "Event" true, Guard "When" true,
    ];
    /// What states state about themselves.
    Attributes "attributes" of Machine picks Own [
        Name "Attribute" true, Label "Label" false, Type "Type" true, Doc "Description" true,
    ];
    /// The values of enumerations.
    Enums "enums" of Machine picks None [
        Enum "Enum" true, Value "Value" true, Label "Label" true, Doc "Description" true,
    ];
    /// Sort orders.
    Orders "orders" of Machine picks Own [
        Order "Order" true, State "State" true, Keys "Sorted By" true, Doc "Description" true,
    ];
    /// What the sources do not say.
    Inferred "inferred" of Both picks None [
        Kind "What" true, Name "Which" true, Reason "Reason" true,
    ];
}
