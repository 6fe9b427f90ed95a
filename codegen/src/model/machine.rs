//! A validated state machine.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

pub use super::timers::Timer;
use super::*;
use crate::expr::Expr;
use crate::source::{SourceId, Span};
pub use crate::types::{Constant, Enum, EnumValue};

/// A state machine.
#[derive(Debug, Clone)]
#[non_exhaustive]
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
    /// the order of states), trigger (the order of events, then [`On`]), priority.
    pub edges: Vec<Edge>,
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
    fn find<'a>(&self, wanted: &str, name: impl Fn(usize) -> &'a str) -> Option<usize> {
        let end = self.0.partition_point(|idx| name(*idx) <= wanted);
        self.0[..end].last().copied().filter(|idx| name(*idx) == wanted)
    }
}

/// An actor that raises events or does the work.
#[derive(Debug, Clone)]
#[non_exhaustive]
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
#[non_exhaustive]
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
#[non_exhaustive]
pub struct State {
    /// The name, unique in the whole machine.
    pub name: String,
    /// The name in storage and in messages; unique.
    pub wire: String,
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
#[non_exhaustive]
pub struct History {
    /// The field: of type `state`, optional, and no other history.
    pub field: FieldId,
    /// Whether it remembers only the child: then the leaf that entering this child leads to.
    pub shallow: bool,
}

/// A history as a target: the leaf inside a composite that a field remembers; the default of the composite if it remembers none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Recall {
    /// The composite.
    pub whole: StateId,
    /// The field of one of its histories.
    pub field: FieldId,
}

/// An event.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Event {
    /// The name.
    pub name: String,
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

/// A condition that the user's code decides.
#[derive(Debug, Clone)]
#[non_exhaustive]
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
#[non_exhaustive]
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
#[non_exhaustive]
pub struct Taken {
    /// The origin of the value.
    pub origin: Origin,
    /// Its name, type and description.
    pub field: Field,
}

/// The origin of a value that an effect takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// The payload field of this name. Every event of every transition with the effect carries it, with the same type.
    /// Entry and exit effects have none.
    Payload,
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
        self.takes.iter().filter(|it| it.origin == Origin::Payload).map(|it| &it.field)
    }
}

/// A piece of a message; constants are already text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Piece {
    /// Literal text.
    Text(String),
    /// A value of [`Effect::takes`], by position.
    Taken(usize),
}

/// The source of a transition.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
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
#[non_exhaustive]
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
#[non_exhaustive]
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
#[non_exhaustive]
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
#[non_exhaustive]
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
#[non_exhaustive]
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
#[non_exhaustive]
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
#[non_exhaustive]
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
#[non_exhaustive]
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

impl Machine {
    /// The maximum number of steps of one call to a machine that reacts.
    pub const MAX_STEPS: usize = 64;

    /// The maximum number of events that wait within one call. The façade has the same limit.
    pub const MAX_WAITING: usize = 64;

    /// The state with this id.
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.index()]
    }

    /// The event with this id.
    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
    }

    /// The name of a payload field.
    pub fn payload_name(&self, id: PayloadId) -> &str {
        &self.payload_names[id.index()]
    }

    /// A payload field as guards and assignments write it: `event.NAME` where a context field has the same name.
    pub fn payload_path(&self, id: PayloadId) -> Cow<'_, str> {
        let name = self.payload_name(id);
        match self.fields.iter().any(|it| it.name == name) {
            true => format!("event.{name}").into(),
            false => name.into(),
        }
    }

    /// The position of a field in the payload of an event; `None` if the event does not carry it.
    pub fn payload_position(&self, event: EventId, field: PayloadId) -> Option<usize> {
        let positions = &self.event(event).positions;
        positions.binary_search_by_key(&field, |it| it.0).ok().map(|it| positions[it].1)
    }

    /// The fields in the payload of an event, in its order.
    pub(crate) fn payload_fields(&self, event: EventId) -> impl Iterator<Item = (PayloadId, &Field)> {
        let event = self.event(event);
        let mut positions: Vec<(usize, PayloadId)> = event.positions.iter().map(|(id, position)| (*position, *id)).collect();
        positions.sort_unstable();
        positions.into_iter().map(|(position, id)| (id, &event.payload[position]))
    }

    /// A field in the payload of an event; `None` if the event does not carry it.
    pub(crate) fn payload_field(&self, event: EventId, field: PayloadId) -> Option<&Field> {
        Some(&self.event(event).payload[self.payload_position(event, field)?])
    }

    /// The effect with this id.
    pub fn effect(&self, id: EffectId) -> &Effect {
        &self.effects[id.index()]
    }

    /// The row with this id.
    pub fn transition(&self, id: TransitionId) -> &Transition {
        &self.transitions[id.index()]
    }

    /// The state with this name, leaf or composite.
    pub fn state_named(&self, name: &str) -> Option<StateId> {
        self.lookup.states.find(name, |idx| &self.states[idx].name).map(StateId::new)
    }

    /// The event with this name.
    pub fn event_named(&self, name: &str) -> Option<EventId> {
        self.lookup.events.find(name, |idx| &self.events[idx].name).map(EventId::new)
    }

    /// The effect with this name.
    pub fn effect_named(&self, name: &str) -> Option<EffectId> {
        self.lookup.effects.find(name, |idx| &self.effects[idx].name).map(EffectId::new)
    }

    /// All state ids, in order.
    pub fn state_ids(&self) -> impl DoubleEndedIterator<Item = StateId> + use<> {
        (0..self.states.len()).map(StateId::new)
    }

    /// The leaves, in order: the states in which a machine can be.
    pub fn leaves(&self) -> impl Iterator<Item = StateId> + '_ {
        self.state_ids().filter(|id| self.is_leaf(*id))
    }

    /// The leaves inside a state, in order; a leaf contains itself.
    pub fn leaves_in(&self, whole: StateId) -> impl Iterator<Item = StateId> + '_ {
        let inside = (whole.index()..self.states.len()).map(StateId::new).take_while(move |it| self.is_in(*it, whole));
        inside.filter(|it| self.is_leaf(*it))
    }

    /// The history that this field is.
    pub(crate) fn recall(&self, field: FieldId) -> Option<Recall> {
        let whole = self.state_ids().find(|it| self.state(*it).histories.iter().any(|it| it.field == field))?;
        Some(Recall { whole, field })
    }

    /// The name of the field of a history, if its composite has several: else the composite says which one is meant.
    pub(crate) fn distinguishing_field(&self, recall: Recall) -> Option<&str> {
        let is_one_of_several = self.state(recall.whole).histories.len() > 1;
        is_one_of_several.then(|| self.fields[recall.field.index()].name.as_str())
    }

    /// The leaf that the history of a composite remembers once `leaf`, which is inside it, is left.
    pub fn remembered(&self, whole: StateId, history: History, leaf: StateId) -> StateId {
        let child = self.ancestors(leaf).find(|it| self.state(*it).parent == Some(whole));
        if history.shallow { child.map_or(leaf, |it| self.default_leaf(it)) } else { leaf }
    }

    /// Whether some composite has a history.
    pub fn has_history(&self) -> bool {
        self.lookup.has_history
    }

    /// What a step remembers that leaves a configuration and with it these states: a field and a leaf for each history of the
    /// composites among them. What a row itself assigns takes precedence.
    pub fn remembers(&self, from: &Configuration, left: &[StateId]) -> Vec<(FieldId, StateId)> {
        if !self.has_history() {
            return Vec::new();
        }
        let fields = |whole: StateId| {
            let histories = self.state(whole).histories.as_slice();
            let leaf = if histories.is_empty() { None } else { from.leaves().find(|it| self.is_in(*it, whole)) };
            leaf.into_iter().flat_map(move |leaf| histories.iter().map(move |it| (it.field, self.remembered(whole, *it, leaf))))
        };
        left.iter().copied().flat_map(fields).collect()
    }

    /// The composites, in order.
    pub fn composites(&self) -> impl Iterator<Item = StateId> + '_ {
        self.state_ids().filter(|id| !self.is_leaf(*id))
    }

    /// Whether a state has no child states.
    pub fn is_leaf(&self, id: StateId) -> bool {
        self.state(id).children.is_empty()
    }

    /// Whether the spec marks the state as initial among its siblings.
    pub fn is_initial(&self, id: StateId) -> bool {
        match self.state(id).parent {
            Some(parent) => self.state(parent).default_child == Some(id),
            None => self.initial_top == id && !self.parallel,
        }
    }

    /// The leaf that entering `id` ends in; the first of them if there are several (see [`Machine::default_leaves`]).
    pub fn default_leaf(&self, id: StateId) -> StateId {
        let mut leaf = self.default_end(id);
        while let Some(region) = self.state(leaf).children.first() {
            leaf = self.default_end(*region);
        }
        leaf
    }

    /// `id` and its ancestors, innermost first.
    pub fn ancestors(&self, id: StateId) -> impl Iterator<Item = StateId> + '_ {
        std::iter::successors(Some(id), |id| self.state(*id).parent)
    }

    /// Whether `id` is `whole` or a descendant of it.
    pub fn is_in(&self, id: StateId, whole: StateId) -> bool {
        self.ancestors(id).any(|it| it == whole)
    }

    /// The states left and entered between two leaves: left ones innermost first, entered ones
    /// outermost first. A self-transition leaves and enters the leaf. `again` and all states inside it are left in any case.
    pub fn path(&self, from: StateId, to: StateId, again: Option<StateId>) -> (Vec<StateId>, Vec<StateId>) {
        let again = |id: StateId| again.is_some_and(|it| self.is_in(id, it));
        let stays = |id: StateId| from != to && self.is_in(from, id) && self.is_in(to, id) && !again(id);
        let stays_self = |id: StateId| from == to && id != from && !again(id);
        let exits = self.ancestors(from).filter(|id| !stays(*id) && !stays_self(*id)).collect();
        let mut entries: Vec<_> = self.ancestors(to).filter(|id| !stays(*id) && !stays_self(*id)).collect();
        entries.reverse();
        (exits, entries)
    }

    /// The states entered at creation, outermost first.
    pub fn creation_path(&self, to: StateId) -> Vec<StateId> {
        let mut entries: Vec<_> = self.ancestors(to).collect();
        entries.reverse();
        entries
    }

    /// The edges of one source and trigger, in the order in which they are tried.
    pub fn candidates(&self, from: Option<StateId>, on: On) -> &[Edge] {
        let key = |edge: &Edge| (edge.from, edge.on);
        let wanted = (from, on);
        let start = self.edges.partition_point(|edge| key(edge) < wanted);
        let end = self.edges.partition_point(|edge| key(edge) <= wanted);
        &self.edges[start..end]
    }

    /// The state that a row leaves and enters again in any case: its source or its target, whichever contains the other.
    pub fn reentered(&self, row: &Transition) -> Option<StateId> {
        let From::States(states) = &row.from else { return None };
        let [from] = states[..] else { return None };
        match &row.target {
            _ if !row.reenter => None,
            Target::To(targets) => targets.first().map(|to| if self.is_in(from, *to) { *to } else { from }),
            Target::History(Recall { whole, .. }) => Some(if self.is_in(from, *whole) { *whole } else { from }),
            Target::Fork(branches) => branches.iter().map(|it| it.state()).find(|to| self.is_in(from, *to)).or(Some(from)),
            _ => Some(from),
        }
    }

    /// The edges from one source, for any trigger.
    pub fn edges_from(&self, from: Option<StateId>) -> &[Edge] {
        let start = self.edges.partition_point(|edge| edge.from < from);
        let end = self.edges.partition_point(|edge| edge.from <= from);
        &self.edges[start..end]
    }

    /// Whether the graph has an edge between two leaves, guards aside. Staying is not an edge.
    pub fn allows(&self, from: StateId, to: StateId) -> bool {
        self.successors(from).contains(&to)
    }

    /// The leaves that edges lead to, in the order of states, each once. An edge that enters a parallel state leads to a leaf of
    /// each of its regions.
    pub fn successors(&self, from: StateId) -> Vec<StateId> {
        let mut targets: Vec<StateId> = self.edges_from(Some(from)).iter().flat_map(|it| self.targets(it)).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// The leaves that an edge may lead to, guards aside, with those of the regions that it enters on the way. Staying leads nowhere.
    pub fn targets(&self, edge: &Edge) -> Vec<StateId> {
        let targets = match edge.outcome {
            Outcome::Leaf(to) => vec![to],
            Outcome::Payload(_) => return self.leaves().collect(),
            Outcome::History(to) => self.leaves_in(to.whole).collect(),
            Outcome::Parallel(whole) => self.default_leaves(whole),
            Outcome::Fork => {
                let leaves = |it: &Branch| match it {
                    Branch::To(id) => self.default_leaves(*id),
                    Branch::History(to) => self.leaves_in(to.whole).collect(),
                };
                self.branches(edge.transition).iter().flat_map(leaves).collect()
            }
            Outcome::Stay | Outcome::Refuse => return Vec::new(),
        };
        self.with_regions(edge, targets)
    }

    /// The leaves that one edge may enter if no history remembers another one; none if a payload names the leaf.
    pub fn starts_in(&self, edge: &Edge) -> Vec<StateId> {
        let targets = match edge.outcome {
            Outcome::History(to) => vec![self.default_leaf(to.whole)],
            Outcome::Fork => self.branches(edge.transition).iter().flat_map(|it| self.default_leaves(it.state())).collect(),
            Outcome::Payload(_) => return Vec::new(),
            _ => return self.targets(edge),
        };
        self.with_regions(edge, targets)
    }

    /// The targets of a fork; none if the row is another one.
    pub fn branches(&self, row: TransitionId) -> &[Branch] {
        match &self.transition(row).target {
            Target::Fork(branches) => branches,
            _ => &[],
        }
    }

    /// Some targets of an edge, and the leaves in which the other regions start that are entered with them.
    fn with_regions(&self, edge: &Edge, mut targets: Vec<StateId>) -> Vec<StateId> {
        if !self.has_regions() {
            return targets;
        }
        let reenters = self.transition(edge.transition).reenter;
        // The parallel state stays where it is active, and the source contains it or lies in the same region as the target.
        let stays = |whole: Option<StateId>, region: StateId| match (edge.from, edge.source) {
            (Some(from), source) if !reenters => {
                let is_active = whole.is_none_or(|it| self.is_in(from, it));
                let contains = |source: StateId| whole.is_some_and(|it| self.is_in(it, source));
                is_active && source.is_none_or(|it| self.is_in(it, region) || contains(it))
            }
            _ => false,
        };
        let mut others = Vec::new();
        for region in targets.iter().flat_map(|it| self.ancestors(*it)).filter(|it| self.is_region(*it)) {
            let whole = self.state(region).parent;
            if !stays(whole, region) {
                others.extend(self.inside(whole).iter().filter(|it| **it != region).flat_map(|it| self.default_leaves(*it)));
            }
        }
        targets.extend(others);
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Whether no edge leads from this leaf to another.
    pub fn is_sink(&self, id: StateId) -> bool {
        self.successors(id).iter().all(|to| *to == id)
    }

    /// The events that some edge accepts in a state (guards aside), without refusals.
    pub fn events_in(&self, id: StateId) -> Vec<EventId> {
        self.accepted_from(Some(id))
    }

    /// [`Machine::events_in`] of a leaf, or of creation.
    pub fn accepted_from(&self, from: Option<StateId>) -> Vec<EventId> {
        let takes = self.edges_from(from).iter().filter(|edge| edge.outcome != Outcome::Refuse);
        let mut events: Vec<_> = takes.filter_map(|edge| edge.on.event()).collect();
        events.dedup();
        events
    }

    /// The events that some edge accepts in a configuration: those of all its leaves.
    pub fn accepted(&self, configuration: &Configuration) -> Vec<EventId> {
        let mut events: Vec<_> = configuration.leaves().flat_map(|it| self.accepted_from(Some(it))).collect();
        events.sort_unstable();
        events.dedup();
        events
    }

    /// The outcome of an edge that names this state as its target.
    pub fn entering(&self, id: StateId) -> Outcome {
        let end = self.default_end(id);
        if self.is_leaf(end) { Outcome::Leaf(end) } else { Outcome::Parallel(end) }
    }

    /// The path of a state's name from the top: `ACTIVE/HOT`.
    pub fn path_name(&self, id: StateId) -> Cow<'_, str> {
        let state = self.state(id);
        if state.parent.is_none() {
            return state.name.as_str().into();
        }
        let mut names: Vec<_> = self.ancestors(id).map(|it| self.state(it).name.as_str()).collect();
        names.reverse();
        names.join("/").into()
    }

    /// The name in refusals: the path in a machine with nested states, as its page shows it; else the name in storage.
    pub fn refused_name(&self, id: StateId) -> Cow<'_, str> {
        let is_nested = self.states.iter().any(|it| it.parent.is_some());
        if is_nested { self.path_name(id) } else { self.state(id).wire.as_str().into() }
    }

    /// The name in tables: a default child is shown under its parent's name, `ACTIVE` for
    /// `ACTIVE/LOADED` (A-40 of the readings).
    pub fn display_name(&self, mut id: StateId) -> Cow<'_, str> {
        while let Some(parent) = self.state(id).parent {
            if self.state(parent).default_child != Some(id) {
                break;
            }
            id = parent;
        }
        self.path_name(id)
    }

    /// Whether a step may cause further ones: some row is automatic, waits for a composite to be done, or raises an event.
    pub fn reacts(&self) -> bool {
        self.lookup.reacts
    }

    /// The edges that may follow the first step of any call, in the order of [`Machine::edges`].
    pub fn reactions(&self) -> impl Iterator<Item = &Edge> {
        let raised: BTreeSet<EventId> = self.transitions.iter().flat_map(|row| row.raise.iter().copied()).collect();
        self.edges.iter().filter(move |edge| match edge.on {
            On::Event(event) => raised.contains(&event),
            On::Automatic | On::Done(_) => true,
            On::Direct => false,
        })
    }

    /// The composite that is done once `entered` is entered: its parent, if it is terminal and a row waits for the parent.
    pub fn completes(&self, entered: StateId) -> Option<StateId> {
        let state = self.state(entered);
        state.parent.filter(|parent| state.terminal && self.waits_for(*parent))
    }

    /// The parallel state that may be done once `entered` is entered, if its other regions are: the one around the composite
    /// that is done then, if a row waits for it.
    pub fn may_complete(&self, entered: StateId) -> Option<StateId> {
        let state = self.state(entered);
        let whole = self.state(state.parent.filter(|_| state.terminal)?).parent?;
        (self.state(whole).parallel && self.waits_for(whole)).then_some(whole)
    }

    /// Whether a row waits for a state to be done.
    fn waits_for(&self, id: StateId) -> bool {
        let waits = |row: &Transition| row.trigger == Trigger::Done && matches!(&row.from, From::States(states) if states.contains(&id));
        self.transitions.iter().any(waits)
    }

    /// Whether a composite is done: it is in a terminal child, or each of its regions is.
    pub fn is_done(&self, configuration: &Configuration, whole: StateId) -> bool {
        let in_outcome = |it: StateId| configuration.leaves().any(|leaf| self.state(leaf).terminal && self.state(leaf).parent == Some(it));
        match self.state(whole) {
            state if state.parallel => state.children.iter().all(|it| in_outcome(*it)),
            _ => in_outcome(whole),
        }
    }

    /// Whether an event only creates a machine.
    pub fn is_creation_event(&self, id: EventId) -> bool {
        self.edges_from(None).iter().any(|edge| edge.on == On::Event(id))
    }

    /// Whether an event creates a machine in memory only: a machine that is stored is no obstacle.
    pub fn is_creation_in_memory(&self, id: EventId) -> bool {
        let edges = self.edges_from(None).iter().filter(|edge| edge.on == On::Event(id) && edge.outcome != Outcome::Refuse);
        let mut orders = edges.map(|edge| self.transition(edge.transition).commit).peekable();
        orders.peek().is_some() && orders.all(|it| it == Commit::MemoryOnly)
    }
}
