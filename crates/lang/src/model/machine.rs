//! A validated state machine.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::expr::Expr;
use crate::source::{SourceId, Span};
pub use crate::types::{Constant, Enum, EnumValue, Reserved, Retired};

/// A state machine.
#[derive(Debug, Clone)]
pub struct Machine {
    /// The name, unique among machines, systems and documents.
    pub name: String,
    /// The source file.
    pub source: SourceId,
    /// The span of the name.
    pub span: Span,
    /// The title of its page.
    pub title: String,
    /// The description.
    pub doc: Option<String>,
    /// The shared files that it uses.
    pub uses: Vec<SourceId>,
    /// The sources of the facts.
    pub sources: Vec<String>,
    /// The actors that raise events.
    pub actors: Vec<Actor>,
    /// Named values.
    pub constants: Vec<Constant>,
    /// Enumerations.
    pub enums: Vec<Enum>,
    /// The context.
    pub fields: Vec<Field>,
    /// The attributes of states.
    pub attributes: Vec<Attribute>,
    /// All states, every composite directly before its children.
    pub states: Vec<State>,
    /// The top-level state in which the machine starts; the first one if the top states are regions.
    pub initial_top: StateId,
    /// Whether the top states are regions.
    pub parallel: bool,
    /// The events: those declared, then one for each timer.
    pub events: Vec<Event>,
    /// The names of the fields in their payloads, each once.
    pub payload_names: Vec<String>,
    /// Conditions decided by the user's code.
    pub predicates: Vec<Predicate>,
    /// The effects of steps.
    pub effects: Vec<Effect>,
    /// The rows as written, with placeholders filled in. A row with `after` and without the name of its timer is one for each
    /// of its states.
    pub transitions: Vec<Transition>,
    /// The rows expanded to leaf states and single events, sorted by source (creation first, then
    /// the order of states), trigger (the order of events, then [`On`]), priority. Where a row before always decides, a row has no
    /// edge: every edge can be taken, as far as this follows without the values of guards.
    pub edges: Vec<Edge>,
    /// What must not be used for a state again.
    pub reserved_states: Vec<Reserved>,
    /// What must not be used for an event again.
    pub reserved_events: Vec<Reserved>,
    /// Sort orders.
    pub orders: Vec<Order>,
    /// Notes for the page.
    pub notes: Vec<String>,
    /// What follows from the rest and is asked often; needed for machines with thousands of states.
    pub(crate) lookup: Lookup,
}

/// What follows from the rest of a machine: ids by name, and which ideas of the language it uses.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lookup {
    pub(crate) states: ByName,
    pub(crate) events: ByName,
    pub(crate) effects: ByName,
    pub(crate) reacts: bool,
    pub(crate) has_history: bool,
    pub(crate) has_regions: bool,
    /// The edges that are never taken, in the order of [`Machine::edges`].
    pub(crate) never: Vec<Edge>,
    /// The leaves that a payload may name, for each edge with such a target whose guard excludes some.
    pub(crate) named: BTreeMap<(Option<StateId>, On, TransitionId), Vec<StateId>>,
    /// The edges that only a machine takes that was stored where none rests, in the order of [`Machine::edges`].
    pub(crate) passing: Vec<Edge>,
    /// The leaves in which no machine rests.
    pub(crate) transient: BTreeSet<StateId>,
    /// For each leaf, the edges of leaves in other regions that leave it.
    pub(crate) beside: BTreeMap<StateId, Vec<Edge>>,
    /// The timers and leaves in which they never elapse, each with the timer that does before.
    pub(crate) outrun: BTreeMap<(EventId, StateId), EventId>,
}

/// The positions in a list, sorted by name.
#[derive(Debug, Clone, Default)]
pub(crate) struct ByName(Vec<usize>);

impl ByName {
    pub(crate) fn new(names: &[&str]) -> Self {
        let mut positions: Vec<usize> = (0..names.len()).collect();
        positions.sort_by(|a, b| names[*a].cmp(names[*b]));
        ByName(positions)
    }

    /// The position of a name; the last one if there are several.
    pub(super) fn find<'a>(&self, wanted: &str, name: impl Fn(usize) -> &'a str) -> Option<usize> {
        let end = self.0.partition_point(|idx| name(*idx) <= wanted);
        self.0[..end].last().copied().filter(|idx| name(*idx) == wanted)
    }
}

/// An actor that raises events or does the work.
#[derive(Debug, Clone)]
pub struct Actor {
    /// The name.
    pub name: String,
    /// The description.
    pub doc: String,
    /// The span of the declaration.
    pub span: Span,
}

/// A field of the context, of a payload or of sorted items.
#[derive(Debug, Clone)]
pub struct Field {
    /// The name.
    pub name: String,
    /// Its type; never a list.
    pub ty: Type,
    /// Whether it may be null.
    pub optional: bool,
    /// Whether it is there for people, so that nothing in the machine need read it.
    pub informative: bool,
    /// The value at creation: every context field has one (null where optional, else as given or the
    /// type's zero: `false`, `0`, empty), payload and item fields have none.
    pub default: Option<Literal>,
    /// The description.
    pub doc: Option<String>,
    /// The heading in tables.
    pub label: Option<String>,
    /// Other names that texts use.
    pub aliases: Vec<String>,
    /// Earlier names, none of which a sibling has or had.
    pub former: Vec<String>,
    /// The span of the declaration.
    pub span: Span,
}

/// An attribute of states.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// The name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// States may omit it.
    pub optional: bool,
    /// The value of states that omit it.
    pub default: Option<Literal>,
    /// The description.
    pub doc: Option<String>,
    /// The heading in tables.
    pub label: Option<String>,
    /// The span of the declaration.
    pub span: Span,
}

/// A state, leaf or composite.
#[derive(Debug, Clone)]
pub struct State {
    /// The name, unique in the whole machine.
    pub name: String,
    /// The name in storage and in messages; unique.
    pub wire: String,
    /// The number in messages that carry numbers; none of a composite.
    pub number: Option<i32>,
    /// Earlier names, none of which a sibling has or had.
    pub former: Vec<String>,
    /// The display text.
    pub label: Option<String>,
    /// The description.
    pub doc: Option<String>,
    /// The parent state.
    pub parent: Option<StateId>,
    /// The child states; empty for a leaf.
    pub children: Vec<StateId>,
    /// The child that is entered with this composite; none if its children are regions, which are all entered.
    pub default_child: Option<StateId>,
    /// Whether its children are regions: in a parallel state, the machine is in one leaf of each at once.
    pub parallel: bool,
    /// What the context remembers when this composite is left: each in a field of its own.
    pub histories: Vec<History>,
    /// Terminal: an outcome of the machine.
    pub terminal: bool,
    /// A value for every attribute of the machine ([`Literal::Null`] where an optional one is omitted).
    /// Children have their own value or inherit their parent's.
    pub attributes: Vec<Literal>,
    /// Effects on entry.
    pub entry: Vec<EffectId>,
    /// Effects on exit.
    pub exit: Vec<EffectId>,
    /// The reason for it, if the source text does not state it.
    pub inferred: Option<String>,
    /// The span of the name.
    pub span: Span,
}

/// What the context remembers of a composite that is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct History {
    /// The field: of type `state`, optional, and no other history.
    pub field: FieldId,
    /// Whether it remembers only the child: then the leaf that entering this child leads to.
    pub shallow: bool,
}

/// A history as a target: the leaf inside a composite that a field remembers; the default of the composite if it remembers none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Recall {
    /// The composite.
    pub whole: StateId,
    /// The field of one of its histories.
    pub field: FieldId,
}

/// An event.
#[derive(Debug, Clone)]
pub struct Event {
    /// The name.
    pub name: String,
    /// The number in messages that carry numbers.
    pub number: Option<i32>,
    /// The actors that may raise it; any actor if empty.
    pub by: Vec<ActorId>,
    /// The actor that does the work that it starts.
    pub performer: Option<ActorId>,
    /// The data it carries.
    pub payload: Vec<Field>,
    /// The name of each field of the payload and its position, sorted.
    pub(crate) positions: Vec<(PayloadId, usize)>,
    /// The text in diagrams and tables.
    pub label: Option<String>,
    /// The description.
    pub doc: Option<String>,
    /// Other names that texts use.
    pub aliases: Vec<String>,
    /// Earlier names, none of which a sibling has or had.
    pub former: Vec<String>,
    /// Fires repeatedly until an edge stays or none is enabled.
    pub settles: bool,
    /// The timer whose end the event is; `None` for an event that something outside raises.
    pub timer: Option<Timer>,
    /// The span of the declaration.
    pub span: Span,
}

/// A timer. It starts when one of its states is entered, ends when that state is left, and elapses once the state has been active
/// for the duration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timer {
    /// The states in which it runs, none of them inside another.
    pub states: Vec<StateId>,
    /// The duration, which reads the context and constants. It is never null, asks no predicate and divides by nothing that may be
    /// zero.
    pub after: Expr,
}

/// A condition that the user's code decides.
#[derive(Debug, Clone)]
pub struct Predicate {
    /// The name.
    pub name: String,
    /// The description.
    pub doc: Option<String>,
    /// The span of the declaration.
    pub span: Span,
}

/// An effect of a step.
#[derive(Debug, Clone)]
pub struct Effect {
    /// The name.
    pub name: String,
    /// The description.
    pub doc: Option<String>,
    /// The text in tables.
    pub label: Option<String>,
    /// The values that it takes: payload fields, context fields, then states, each in the order declared.
    pub takes: Vec<Taken>,
    /// The message that it carries.
    pub message: Option<Vec<Piece>>,
    /// The span of the declaration.
    pub span: Span,
}

/// A value that an effect takes. The names of the values of one effect are distinct.
#[derive(Debug, Clone)]
pub struct Taken {
    /// The origin of the value.
    pub origin: Origin,
    /// Its name, type and description.
    pub field: Field,
}

/// The origin of a value that an effect takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The payload field of this name. Every event of every transition with the effect carries it, with the same type.
    /// Entry and exit effects have none.
    Payload(PayloadId),
    /// The context, as it is after the change.
    Context(FieldId),
    /// The leaf before the step; null if the step creates the machine.
    From,
    /// The leaf after the step.
    To,
}

impl Effect {
    /// The payload fields that it takes.
    pub fn payload(&self) -> impl Iterator<Item = &Field> + Clone {
        self.takes.iter().filter(|it| matches!(it.origin, Origin::Payload(_))).map(|it| &it.field)
    }
}

/// A piece of a message; constants are already text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Literal text.
    Text(String),
    /// A value of [`Effect::takes`], by position.
    Taken(usize),
}

/// The source of a transition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum From {
    /// At creation.
    Creation,
    /// Any of these states, leaves or composites.
    States(Vec<StateId>),
    /// Every leaf except these (which may name composites).
    Any {
        /// The states that `*` excludes.
        except: Vec<StateId>,
    },
}

/// The target of a transition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The machine stays in its leaf; nothing is left or entered.
    Stay,
    /// A state (a composite enters its default child); several for a direct transition to one of them.
    To(Vec<StateId>),
    /// Several at once, each in another region of one parallel state.
    Fork(Vec<Branch>),
    /// The state that a field of the event's payload names.
    Payload(PayloadId),
    /// The leaf that a history remembers.
    History(Recall),
    /// The event is refused with this text.
    Refuse(String),
}

/// One of the targets of a fork.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Branch {
    /// A state; a composite enters its default child.
    To(StateId),
    /// The leaf that a history remembers.
    History(Recall),
}

impl Branch {
    /// The state, or the composite with the history.
    pub fn state(self) -> StateId {
        match self {
            Branch::To(id) | Branch::History(Recall { whole: id, .. }) => id,
        }
    }
}

/// The order of the store and the state change. Several steps have the least of their orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Commit {
    /// The store is written before the state changes: a failing store leaves everything as it was.
    PersistFirst,
    /// The store is written after the state changes: a failing store is reported.
    MemoryFirst,
    /// The store is not written.
    MemoryOnly,
}

impl Commit {
    /// All orders.
    pub const ALL: [Commit; 3] = [Commit::PersistFirst, Commit::MemoryFirst, Commit::MemoryOnly];

    /// The name in specs.
    pub fn name(self) -> &'static str {
        match self {
            Commit::PersistFirst => "persist_first",
            Commit::MemoryFirst => "memory_first",
            Commit::MemoryOnly => "memory_only",
        }
    }
}

/// The trigger of a transition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trigger {
    /// Any of these events.
    Events(Vec<EventId>),
    /// Any event for which the source has no other row whose guard holds. The events are all that happen after creation.
    AnyOther(Vec<EventId>),
    /// A request that names the target: a direct transition.
    Direct,
    /// None: the transition is taken as soon as its guard holds.
    Automatic,
    /// The source, a composite, enters a terminal child.
    Done,
}

/// One row of the spec.
#[derive(Debug, Clone)]
pub struct Transition {
    /// The source.
    pub from: From,
    /// The trigger.
    pub trigger: Trigger,
    /// The guard.
    pub guard: Option<Expr>,
    /// The target.
    pub target: Target,
    /// Assignments to the context, in field order; right-hand sides read the values before the step.
    pub set: Vec<(FieldId, Expr)>,
    /// Effects that must succeed before any change.
    pub before: Vec<EffectId>,
    /// Effects after the change.
    pub effects: Vec<EffectId>,
    /// The events that the machine raises itself once the step is taken, in order. None of them has a payload.
    pub raise: Vec<EventId>,
    /// Whether the source or the target, whichever contains the other, is left and entered again.
    pub reenter: bool,
    /// The order of the store and the state change.
    pub commit: Commit,
    /// The text in diagrams and tables, in place of the event.
    pub label: Option<String>,
    /// A short summary of the step.
    pub summary: Option<String>,
    /// The full description.
    pub doc: Option<String>,
    /// The reason for it, if the source text does not state it.
    pub inferred: Option<String>,
    /// The span of the whole row.
    pub span: Span,
}

impl Transition {
    /// The events that trigger it; none for other triggers.
    pub fn events(&self) -> &[EventId] {
        match &self.trigger {
            Trigger::Events(events) | Trigger::AnyOther(events) => events,
            Trigger::Direct | Trigger::Automatic | Trigger::Done => &[],
        }
    }

    /// The fields of the histories that it leads to.
    pub fn recalls(&self) -> impl Iterator<Item = FieldId> + '_ {
        let (alone, branches) = match &self.target {
            Target::History(to) => (Some(to.field), &[][..]),
            Target::Fork(branches) => (None, branches.as_slice()),
            _ => (None, &[][..]),
        };
        let field = |it: &Branch| if let Branch::History(to) = it { Some(to.field) } else { None };
        alone.into_iter().chain(branches.iter().filter_map(field))
    }

    /// Whether it is a direct transition.
    pub fn is_direct(&self) -> bool {
        self.trigger == Trigger::Direct
    }
}

/// The trigger of one edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum On {
    /// An event.
    Event(EventId),
    /// A request that names the target.
    Direct,
    /// None: the edge is taken as soon as its guard holds.
    Automatic,
    /// This composite has entered a terminal child.
    Done(StateId),
}

impl On {
    /// The event, if it is one.
    pub fn event(self) -> Option<EventId> {
        match self {
            On::Event(event) => Some(event),
            On::Direct | On::Automatic | On::Done(_) => None,
        }
    }
}

/// One row for one leaf source and one trigger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The source leaf; `None` at creation.
    pub from: Option<StateId>,
    /// The trigger.
    pub on: On,
    /// The row.
    pub transition: TransitionId,
    /// The state that the row names: the leaf or the innermost such state around it; none at creation, and for `"*"`, which
    /// names the whole machine.
    pub source: Option<StateId>,
    /// The outcome of the edge.
    pub outcome: Outcome,
}

/// The outcome of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The machine stays; nothing is left or entered.
    Stay,
    /// This leaf. If it is the source, it is left and entered again.
    Leaf(StateId),
    /// The leaf that a payload field names.
    Payload(PayloadId),
    /// The leaf that a history remembers.
    History(Recall),
    /// This parallel state: every region of it starts.
    Parallel(StateId),
    /// The targets of the row, a [`Target::Fork`].
    Fork,
    /// Refused; the text is in the row.
    Refuse,
}

/// A sort order.
#[derive(Debug, Clone)]
pub struct Order {
    /// The name.
    pub name: String,
    /// The description.
    pub doc: Option<String>,
    /// The fields of the sorted items.
    pub item: Vec<Field>,
    /// The keys that come first in every state.
    pub keys: Vec<Key>,
    /// The keys that follow, one list for every state of [`Machine::states`] (a composite's is its children's default).
    pub state_keys: Vec<Vec<Key>>,
    /// The span of the declaration.
    pub span: Span,
}

/// A sort key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// By the value of a field (nulls first when ascending).
    Field {
        /// Position in [`Order::item`].
        field: usize,
        /// Greatest first.
        descending: bool,
    },
    /// By the list that contains an enum value: `first`, neither, `last`. Values within a list are unordered.
    Rank {
        /// Position in [`Order::item`]; the field is of an enum type and not optional.
        field: usize,
        /// Values that sort first.
        first: Vec<usize>,
        /// Values that sort last.
        last: Vec<usize>,
        /// The text in tables.
        label: Option<String>,
    },
}
