//! One machine, known to be true.

use std::borrow::Cow;

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
    /// The file it was read from.
    pub source: SourceId,
    /// Where the name is written.
    pub span: Span,
    /// The heading of its page.
    pub title: String,
    /// What it is about.
    pub doc: Option<String>,
    /// Where the facts come from.
    pub sources: Vec<String>,
    /// Who raises events.
    pub actors: Vec<Actor>,
    /// Named values.
    pub constants: Vec<Constant>,
    /// Enumerations.
    pub enums: Vec<Enum>,
    /// The context.
    pub fields: Vec<Field>,
    /// What states state about themselves.
    pub attributes: Vec<Attribute>,
    /// All states, every composite directly before its children.
    pub states: Vec<State>,
    /// The top-level state the machine starts in.
    pub initial_top: StateId,
    /// The events.
    pub events: Vec<Event>,
    /// Conditions decided by the user's code.
    pub predicates: Vec<Predicate>,
    /// What steps make happen.
    pub effects: Vec<Effect>,
    /// The rows as written, texts filled in.
    pub transitions: Vec<Transition>,
    /// The rows spread over leaf states and single events, sorted by source (creation first, then
    /// the order of states), event (the order of events, edges without one last), priority.
    pub edges: Vec<Edge>,
    /// Sort orders.
    pub orders: Vec<Order>,
    /// Sentences for the page.
    pub notes: Vec<String>,
    /// Names to ids, for machines of thousands of states.
    pub(crate) lookup: Lookup,
}

/// Names to ids.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lookup {
    pub(crate) states: ByName,
    pub(crate) events: ByName,
    pub(crate) effects: ByName,
}

/// The positions in a list, in the order of the names that stand there.
#[derive(Debug, Clone, Default)]
pub(crate) struct ByName(Vec<usize>);

impl ByName {
    pub(crate) fn new(names: &[&str]) -> Self {
        let mut positions: Vec<usize> = (0..names.len()).collect();
        positions.sort_by(|a, b| names[*a].cmp(names[*b]));
        ByName(positions)
    }

    /// Where a name stands, the last place if several.
    fn find<'a>(&self, wanted: &str, name: impl Fn(usize) -> &'a str) -> Option<usize> {
        let end = self.0.partition_point(|idx| name(*idx) <= wanted);
        self.0[..end].last().copied().filter(|idx| name(*idx) == wanted)
    }
}

/// Who raises events or does the work.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Actor {
    /// The name.
    pub name: String,
    /// Who that is.
    pub doc: String,
    /// Where it is declared.
    pub span: Span,
}

/// A field of the context, of a payload or of sorted items.
#[derive(Debug, Clone)]
pub struct Field {
    /// The name.
    pub name: String,
    /// Its type; never a list.
    pub ty: Type,
    /// May be null.
    pub optional: bool,
    /// The value at creation: every context field has one (null where optional, else as given or the
    /// type's zero: `false`, `0`, empty), payload and item fields have none.
    pub default: Option<Literal>,
    /// What it holds.
    pub doc: Option<String>,
    /// The heading in tables.
    pub label: Option<String>,
    /// Other names that texts use.
    pub aliases: Vec<String>,
    /// Where it is declared.
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
    /// States need not have it.
    pub optional: bool,
    /// The value of states that do not say.
    pub default: Option<Literal>,
    /// What it says.
    pub doc: Option<String>,
    /// The heading in tables.
    pub label: Option<String>,
    /// Where it is declared.
    pub span: Span,
}

/// A state, leaf or composite.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct State {
    /// The name, unique in the whole machine.
    pub name: String,
    /// How it is stored and sent; unique.
    pub wire: String,
    /// What a person reads.
    pub label: Option<String>,
    /// What being here means.
    pub doc: Option<String>,
    /// The surrounding state.
    pub parent: Option<StateId>,
    /// States inside; empty for a leaf.
    pub children: Vec<StateId>,
    /// The child that entering this composite enters.
    pub default_child: Option<StateId>,
    /// An outcome.
    pub terminal: bool,
    /// A value for every attribute of the machine ([`Literal::Null`] where an optional one is left out).
    /// Children have their own or inherit their parent's.
    pub attributes: Vec<Literal>,
    /// Effects on the way in.
    pub entry: Vec<EffectId>,
    /// Effects on the way out.
    pub exit: Vec<EffectId>,
    /// Why it is here although the source text did not say so.
    pub inferred: Option<String>,
    /// Where the name is written.
    pub span: Span,
}

/// Something that can happen.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Event {
    /// The name.
    pub name: String,
    /// Who may raise it; anyone when empty.
    pub by: Vec<ActorId>,
    /// Who does the work it starts.
    pub performer: Option<ActorId>,
    /// The data it carries.
    pub payload: Vec<Field>,
    /// What diagrams and tables show.
    pub label: Option<String>,
    /// What it means.
    pub doc: Option<String>,
    /// Other names that texts use.
    pub aliases: Vec<String>,
    /// Goes on firing until an edge stays or none is enabled.
    pub settles: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A condition that the user's code decides.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Predicate {
    /// The name.
    pub name: String,
    /// What it asks.
    pub doc: Option<String>,
    /// Where it is declared.
    pub span: Span,
}

/// Something that a step makes happen.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Effect {
    /// The name.
    pub name: String,
    /// What it does.
    pub doc: Option<String>,
    /// What tables show.
    pub label: Option<String>,
    /// The payload fields it takes, in the order declared. Every event of every transition with
    /// this effect carries them, with the same type; they are empty for entry and exit effects.
    pub payload: Vec<Field>,
    /// The text it carries.
    pub message: Option<Vec<Piece>>,
    /// Where it is declared.
    pub span: Span,
}

/// A piece of a message: constants are already text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Piece {
    /// As is.
    Text(String),
    /// A field of [`Effect::payload`], by position.
    Payload(usize),
}

/// Where a transition starts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum From {
    /// At creation.
    Creation,
    /// In any of these, leaves or composites.
    States(Vec<StateId>),
    /// In every leaf but these (which may name composites).
    Any {
        /// What `*` leaves out.
        except: Vec<StateId>,
    },
}

/// What a transition is aimed at.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// The machine stays in the leaf it is in; nothing is left or entered.
    Stay,
    /// To a state (a composite enters its default child), or by name to one of several.
    To(Vec<StateId>),
    /// To the state that a field of the event's payload names, by position.
    Payload(usize),
    /// The event is turned down with this text.
    Refuse(String),
}

/// When the store is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Commit {
    /// Before the state moves: a failing store leaves everything as it was.
    PersistFirst,
    /// After the state moved: a failing store is reported.
    MemoryFirst,
}

/// One row of the spec.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Transition {
    /// Where it starts.
    pub from: From,
    /// What triggers it; empty when it is taken by naming its target.
    pub events: Vec<EventId>,
    /// What must hold.
    pub guard: Option<Expr>,
    /// What it is aimed at.
    pub target: Target,
    /// Assignments to the context, in field order; right sides read the values before the step.
    pub set: Vec<(FieldId, Expr)>,
    /// Effects that must succeed before anything changes.
    pub before: Vec<EffectId>,
    /// Effects after the change.
    pub effects: Vec<EffectId>,
    /// When the store is written.
    pub commit: Commit,
    /// What diagrams and tables show instead of the event.
    pub label: Option<String>,
    /// What the step does, in a few words.
    pub summary: Option<String>,
    /// More about it.
    pub doc: Option<String>,
    /// Why it is here although the source text did not say so.
    pub inferred: Option<String>,
    /// The whole row.
    pub span: Span,
}

/// One row for one leaf source and one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edge {
    /// The leaf it starts in; `None` at creation.
    pub from: Option<StateId>,
    /// The event; `None` when taken by naming the target.
    pub event: Option<EventId>,
    /// The row.
    pub transition: TransitionId,
    /// The outcome of the edge.
    pub outcome: Outcome,
}

/// The outcome of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// Stays; nothing is left or entered.
    Stay,
    /// This leaf. May be the source: then it is left and entered again.
    Leaf(StateId),
    /// The leaf that a payload field names, by position.
    Payload(usize),
    /// Turned down; the text is in the row.
    Refuse,
}

/// A sort order.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Order {
    /// The name.
    pub name: String,
    /// What it is for.
    pub doc: Option<String>,
    /// The fields of the sorted items.
    pub item: Vec<Field>,
    /// The keys that come first in every state.
    pub keys: Vec<Key>,
    /// The keys that follow, one list for every state of [`Machine::states`] (a composite's is its children's default).
    pub state_keys: Vec<Vec<Key>>,
    /// Where it is declared.
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
    /// By which list an enum value is in: `first`, neither, `last`. Within a list there is no order.
    Rank {
        /// Position in [`Order::item`]; the field is of an enum type and not optional.
        field: usize,
        /// Values that come first.
        first: Vec<usize>,
        /// Values that come last.
        last: Vec<usize>,
        /// What tables show.
        label: Option<String>,
    },
}

impl Machine {
    /// The state with this id.
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.index()]
    }

    /// The event with this id.
    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
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

    /// The leaves, in order: what a machine can be in.
    pub fn leaves(&self) -> impl Iterator<Item = StateId> + '_ {
        self.state_ids().filter(|id| self.is_leaf(*id))
    }

    /// The composites, in order.
    pub fn composites(&self) -> impl Iterator<Item = StateId> + '_ {
        self.state_ids().filter(|id| !self.is_leaf(*id))
    }

    /// Whether a state has no states inside.
    pub fn is_leaf(&self, id: StateId) -> bool {
        self.state(id).children.is_empty()
    }

    /// The leaf a machine starts in.
    pub fn initial(&self) -> StateId {
        self.default_leaf(self.initial_top)
    }

    /// Whether the spec marks the state as initial among its siblings.
    pub fn is_initial(&self, id: StateId) -> bool {
        match self.state(id).parent {
            Some(parent) => self.state(parent).default_child == Some(id),
            None => self.initial_top == id,
        }
    }

    /// The leaf that entering `id` ends in.
    pub fn default_leaf(&self, mut id: StateId) -> StateId {
        while let Some(child) = self.state(id).default_child {
            id = child;
        }
        id
    }

    /// `id` and everything around it, innermost first.
    pub fn ancestors(&self, id: StateId) -> impl Iterator<Item = StateId> + '_ {
        std::iter::successors(Some(id), |id| self.state(*id).parent)
    }

    /// Whether `id` is `whole` or lies inside it.
    pub fn is_in(&self, id: StateId, whole: StateId) -> bool {
        self.ancestors(id).any(|it| it == whole)
    }

    /// The states left and entered on the way between two leaves: left ones innermost first,
    /// entered ones outermost first. A leaf that goes to itself is left and entered.
    pub fn path(&self, from: StateId, to: StateId) -> (Vec<StateId>, Vec<StateId>) {
        let stays = |id: StateId| from != to && self.is_in(from, id) && self.is_in(to, id);
        let stays_self = |id: StateId| from == to && id != from;
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

    /// The edges of one (source, event) pair, in the order in which they are tried.
    pub fn candidates(&self, from: Option<StateId>, event: Option<EventId>) -> &[Edge] {
        let key = |edge: &Edge| edge_key(edge.from, edge.event);
        let wanted = edge_key(from, event);
        let start = self.edges.partition_point(|edge| key(edge) < wanted);
        let end = self.edges.partition_point(|edge| key(edge) <= wanted);
        &self.edges[start..end]
    }

    /// The edges that leave one source, whatever triggers them.
    pub fn edges_from(&self, from: Option<StateId>) -> &[Edge] {
        let start = self.edges.partition_point(|edge| edge.from < from);
        let end = self.edges.partition_point(|edge| edge.from <= from);
        &self.edges[start..end]
    }

    /// Whether the graph has an edge between two leaves, guards aside. Staying is no edge.
    pub fn allows(&self, from: StateId, to: StateId) -> bool {
        self.successors(from).contains(&to)
    }

    /// The leaves that an edge leads to, in the order of states, each once.
    pub fn successors(&self, from: StateId) -> Vec<StateId> {
        let mut targets = Vec::new();
        for edge in self.edges_from(Some(from)) {
            match edge.outcome {
                Outcome::Leaf(to) => targets.push(to),
                Outcome::Payload(_) => targets.extend(self.leaves()),
                Outcome::Stay | Outcome::Refuse => {}
            }
        }
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// No way out: no edge leads from this leaf to another.
    pub fn is_sink(&self, id: StateId) -> bool {
        self.successors(id).iter().all(|to| *to == id)
    }

    /// The events that some edge takes in a state (guards aside), refusals left out.
    pub fn events_in(&self, id: StateId) -> Vec<EventId> {
        let mut events: Vec<_> =
            self.edges_from(Some(id)).iter().filter(|edge| edge.outcome != Outcome::Refuse).filter_map(|edge| edge.event).collect();
        events.dedup();
        events
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

    /// What tables show: a default child goes by the name of what surrounds it, `ACTIVE` for
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

    /// The events that only bring a machine into being.
    pub fn is_creation_event(&self, id: EventId) -> bool {
        self.edges_from(None).iter().any(|edge| edge.event == Some(id))
    }
}

/// Sorts edges by source (creation first), then event (none last).
pub(crate) fn edge_key(from: Option<StateId>, event: Option<EventId>) -> (Option<StateId>, u32) {
    (from, event.map_or(u32::MAX, |it| it.0))
}
