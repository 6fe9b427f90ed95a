//! The program of one machine.

use std::collections::{BTreeMap, BTreeSet};

use super::expr::Expr;
use crate::expr::{Expr as SpecExpr, ExprKind, Var, divides, divides_where, known};
use crate::interpret::machine::allowed;
use crate::model::machine::{Branch, Commit, Edge, Machine, On, Outcome, Recall, Taken, Transition};
use crate::model::{self, EffectId, EventId, FieldId, PayloadId, StateId, TransitionId};

/// What a machine does, without a rule that is left to decide. Names, descriptions and declarations are those of the machine.
#[derive(Debug)]
pub struct Program<'m> {
    /// The machine.
    pub machine: &'m Machine,
    /// The rows, by [`TransitionId`].
    pub rows: Vec<Row>,
    /// The causes of steps, sorted by source (creation first, then the order of states) and cause.
    pub cases: Vec<Case>,
    /// The causes of steps of a machine that was stored in a leaf in which none rests, in the same order; [`Program::cases`] has none
    /// of them.
    pub passing: Vec<Case>,
    /// The rows that are for a cause in a leaf, or at creation, and are never tried there, in the same order: a row before them always
    /// decides, or their own guard never holds.
    pub hidden: Vec<Case>,
    /// What follows from the nesting of states, by [`StateId`].
    pub nodes: Vec<Node>,
    /// What effects take, by [`EffectId`].
    pub effects: Vec<Effect<'m>>,
    /// The events that some row accepts at creation, guards aside.
    pub accepted_at_creation: Vec<EventId>,
    /// The events that the machine raises itself.
    pub raised: BTreeSet<EventId>,
    /// The timers, in the order of their declaration. The first of several that are due at once elapses first.
    pub timers: Vec<Timer>,
}

/// What causes a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// An event: raised by a caller, by a timer or by the machine itself.
    Event(EventId),
    /// A request for this leaf or parallel state. A request for another composite is one for [`Machine::default_end`] of it.
    Direct(StateId),
    /// Nothing but the state.
    Automatic,
    /// This composite is done.
    Done(StateId),
}

/// A cause in a leaf, or at creation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The leaf; `None` at creation.
    pub from: Option<StateId>,
    /// The cause.
    pub cause: Cause,
    /// The rows that can be taken, in the order in which they are tried. All but the last have a guard.
    pub arms: Vec<Arm>,
}

/// A row in one case. It is taken if its guard holds and none before it does.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arm {
    /// The row.
    pub row: TransitionId,
    /// The state that the row names: the leaf, or the innermost such state around it; none at creation and for `"*"`, which names
    /// the whole machine.
    pub source: Option<StateId>,
    /// What it does.
    pub action: Action,
}

/// What a row does in one case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// The call is refused with the text of the row.
    Refuse,
    /// The machine stays; nothing is left or entered.
    Stay,
    /// The machine goes to these leaves: one, or several in different regions.
    Go(Vec<Destination>),
}

/// A leaf to which a row leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Destination {
    /// This leaf.
    Leaf(StateId),
    /// The leaf that a field of the payload names.
    Payload(PayloadId),
    /// The leaf in a field of the context, if it is inside the composite.
    History {
        /// The field.
        field: FieldId,
        /// The composite.
        whole: StateId,
        /// The leaf if the field is null, or names one elsewhere.
        default: StateId,
    },
}

/// What a row does wherever it is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The condition under which the guard divides by zero. It comes first, and refuses the call.
    pub guard_divides: Option<Expr>,
    /// The guard.
    pub guard: Option<Expr>,
    /// The condition under which an assignment divides by zero, where the guard holds. It refuses the call once the row is taken.
    pub divides: Option<Expr>,
    /// The assignments, in the order of fields. They read the values before the step.
    pub set: Vec<Assignment>,
    /// The variables that the guard tests for null and that assignments read, sorted.
    pub known: Vec<Var>,
    /// Effects that must succeed before any change.
    pub before: Vec<EffectId>,
    /// Effects after the change.
    pub effects: Vec<EffectId>,
    /// Events that the machine raises itself after the step.
    pub raise: Vec<EventId>,
    /// The state that is left and entered again in any case.
    pub reenters: Option<StateId>,
    /// The order of the store and the state change.
    pub commit: Commit,
}

/// An assignment to the context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The field.
    pub field: FieldId,
    /// Its new value.
    pub value: Expr,
    /// Whether the new value is the old one. It matters only among rows that are taken at once, where the last has the last word.
    pub keeps: bool,
}

/// What follows from the place of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The leaves that become active when the state is entered: several if it has regions.
    pub starts: Vec<StateId>,
    /// What the context remembers when the state is left.
    pub memories: Vec<Memory>,
    /// The composite that is done when the state is entered.
    pub completes: Option<StateId>,
    /// The parallel state that is done when the state is entered and its other regions are done.
    pub may_complete: Option<StateId>,
    /// The events that some row accepts in the state, guards and timers aside: for a leaf, what a refusal lists as allowed.
    pub accepted: Vec<EventId>,
}

/// What a field of the context remembers of a composite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// The field. An assignment of a row to it takes precedence.
    pub field: FieldId,
    /// Each leaf inside the composite, and the leaf that is remembered for it: the same one, or for a shallow history the one in
    /// which the child around it starts.
    pub leaves: BTreeMap<StateId, StateId>,
}

/// What an effect takes.
#[derive(Debug, Clone)]
pub struct Effect<'m> {
    /// Its values, in order.
    pub takes: &'m [Taken],
    /// The events of the rows with the effect, each of which carries the fields of payloads that it takes. Without any, an effect that
    /// takes such a field is never performed.
    pub events: BTreeSet<EventId>,
}

/// A timer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timer {
    /// The event with which it ends.
    pub event: EventId,
    /// The states in which it runs, none of them inside another: it starts when one is entered, and ends when that is left.
    pub states: Vec<StateId>,
    /// The duration. It is never null, and neither asks a predicate nor divides by zero.
    pub after: Expr,
}

impl<'m> Program<'m> {
    /// The program of a machine.
    pub fn of(machine: &'m Machine) -> Self {
        let timer = |(event, timer): (EventId, &model::Timer)| Timer {
            event,
            states: timer.states.clone(),
            after: Expr::of(&timer.after, &machine.constants),
        };
        Program {
            machine,
            rows: machine.transitions.iter().map(|it| row(machine, it)).collect(),
            cases: cases(machine, machine.edges.chunk_by(alike)),
            hidden: cases(machine, machine.hidden()),
            passing: cases(machine, machine.passing().filter(|it| machine.candidates(it[0].from, it[0].on).is_empty())),
            nodes: machine.state_ids().map(|it| node(machine, it)).collect(),
            effects: machine.effects.iter().enumerate().map(|(idx, it)| effect(machine, EffectId::new(idx), it)).collect(),
            accepted_at_creation: allowed(machine, None),
            raised: machine.raised(),
            timers: machine.timers().map(timer).collect(),
        }
    }

    /// The row with this id.
    pub fn row(&self, id: TransitionId) -> &Row {
        &self.rows[id.index()]
    }

    /// The node of a state.
    pub fn node(&self, id: StateId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The case of a cause in a leaf, or at creation; `None` if no row is for it.
    pub fn case(&self, from: Option<StateId>, cause: Cause) -> Option<&Case> {
        found(&self.cases, from, cause)
    }

    /// The rows that are for the cause of a case and are never tried in it.
    pub fn hidden_in(&self, case: &Case) -> &[Arm] {
        found(&self.hidden, case.from, case.cause).map_or(&[], |it| &it.arms)
    }

    /// Whether some cause has rows in a leaf, or at creation, and none of them is ever tried.
    pub fn hides_cases(&self) -> bool {
        let is_case = |it: &Case| [&self.cases, &self.passing].iter().any(|cases| found(cases, it.from, it.cause).is_some());
        self.hidden.iter().any(|it| !is_case(it))
    }

    /// The cases of one leaf, or of creation.
    pub fn cases_from(&self, from: Option<StateId>) -> &[Case] {
        of_source(&self.cases, from)
    }

    /// The cases of a leaf in which a machine rests or was stored, sorted by cause: [`Program::cases`] and [`Program::passing`].
    pub fn cases_in(&self, leaf: StateId) -> Vec<&Case> {
        let mut cases: Vec<&Case> = self.cases_from(Some(leaf)).iter().chain(of_source(&self.passing, Some(leaf))).collect();
        cases.sort_by_key(|it| it.cause);
        cases
    }

    /// Whether one of the arms of a case is taken whatever the values are.
    pub fn always_decides(&self, case: &Case) -> bool {
        case.arms.last().is_some_and(|it| self.row(it.row).guard.is_none())
    }
}

impl Case {
    /// The event, if it is the cause.
    pub fn event(&self) -> Option<EventId> {
        match self.cause {
            Cause::Event(event) => Some(event),
            Cause::Direct(_) | Cause::Automatic | Cause::Done(_) => None,
        }
    }
}

/// The case of a source and a cause, of some that are sorted by both.
fn found(cases: &[Case], from: Option<StateId>, cause: Cause) -> Option<&Case> {
    let found = cases.binary_search_by(|it| (it.from, it.cause).cmp(&(from, cause)));
    found.ok().map(|idx| &cases[idx])
}

/// The cases of one source, of some that are sorted by source.
fn of_source(cases: &[Case], from: Option<StateId>) -> &[Case] {
    let start = cases.partition_point(|it| it.from < from);
    let end = cases.partition_point(|it| it.from <= from);
    &cases[start..end]
}

/// Whether two edges have the same source and trigger.
fn alike(a: &Edge, b: &Edge) -> bool {
    (a.from, a.on) == (b.from, b.on)
}

fn cases<'e>(machine: &Machine, tried: impl Iterator<Item = &'e [Edge]>) -> Vec<Case> {
    let mut cases = Vec::new();
    for edges in tried {
        let mut by_cause = BTreeMap::<Cause, Vec<Arm>>::new();
        for edge in edges {
            let Some(cause) = cause(edge) else { continue };
            by_cause.entry(cause).or_default().push(Arm { row: edge.transition, source: edge.source, action: action(machine, edge) });
        }
        cases.extend(by_cause.into_iter().map(|(cause, arms)| Case { from: edges[0].from, cause, arms }));
    }
    cases
}

fn cause(edge: &Edge) -> Option<Cause> {
    Some(match edge.on {
        On::Event(event) => Cause::Event(event),
        On::Automatic => Cause::Automatic,
        On::Done(whole) => Cause::Done(whole),
        // A request names a leaf or a parallel state, and no other target.
        On::Direct => match edge.outcome {
            Outcome::Leaf(to) | Outcome::Parallel(to) => Cause::Direct(to),
            Outcome::Stay | Outcome::Payload(_) | Outcome::History(_) | Outcome::Fork | Outcome::Refuse => return None,
        },
    })
}

fn action(machine: &Machine, edge: &Edge) -> Action {
    let history = |it: Recall| Destination::History { field: it.field, whole: it.whole, default: machine.default_leaf(it.whole) };
    let starts = |it: StateId| machine.default_leaves(it).into_iter().map(Destination::Leaf).collect::<Vec<_>>();
    match edge.outcome {
        Outcome::Refuse => Action::Refuse,
        Outcome::Stay => Action::Stay,
        Outcome::Leaf(to) => Action::Go(vec![Destination::Leaf(to)]),
        Outcome::Payload(id) => Action::Go(vec![Destination::Payload(id)]),
        Outcome::History(to) => Action::Go(vec![history(to)]),
        Outcome::Parallel(whole) => Action::Go(starts(whole)),
        Outcome::Fork => {
            let branch = |it: &Branch| match it {
                Branch::To(id) => starts(*id),
                Branch::History(to) => vec![history(*to)],
            };
            Action::Go(machine.branches(edge.transition).iter().flat_map(branch).collect())
        }
    }
}

fn row(machine: &Machine, row: &Transition) -> Row {
    let constants = &machine.constants;
    let of = |it: &SpecExpr| Expr::of(it, constants);
    let assignment = |(field, value): &(FieldId, SpecExpr)| {
        let value = of(value);
        Assignment { field: *field, keeps: value.is_field(*field), value }
    };
    Row {
        guard_divides: row.guard.as_ref().and_then(|it| divides(it, constants)).as_ref().map(of),
        guard: row.guard.as_ref().map(of),
        divides: divides_where(row.set.iter().map(|(_, value)| value), row.guard.as_ref(), constants).as_ref().map(of),
        set: row.set.iter().map(assignment).collect(),
        known: known_values(machine, row),
        before: row.before.clone(),
        effects: row.effects.clone(),
        raise: row.raise.clone(),
        reenters: machine.reentered(row),
        commit: row.commit,
    }
}

/// The variables that the guard of a row tests for null and whose values its assignments need, sorted.
fn known_values(machine: &Machine, row: &Transition) -> Vec<Var> {
    let tested = row.guard.as_ref().map(known).unwrap_or_default();
    let mut read = BTreeSet::new();
    for (field, value) in &row.set {
        // A field that may be null takes the value as it is.
        if !matches!(value.kind, ExprKind::NonNull(_)) || !machine.fields[field.index()].optional {
            value.walk(&mut |it| {
                if let ExprKind::NonNull(var) = it.kind {
                    read.insert(var);
                }
            });
        }
    }
    tested.into_iter().filter(|it| read.contains(it)).collect()
}

fn node(machine: &Machine, id: StateId) -> Node {
    let state = machine.state(id);
    let leaves = |history| machine.leaves_in(id).map(|leaf| (leaf, machine.remembered(id, history, leaf))).collect();
    Node {
        starts: machine.default_leaves(id),
        memories: state.histories.iter().map(|it| Memory { field: it.field, leaves: leaves(*it) }).collect(),
        completes: machine.completes(id),
        may_complete: machine.may_complete(id),
        accepted: allowed(machine, Some(&id.into())),
    }
}

fn effect<'m>(machine: &'m Machine, id: EffectId, effect: &'m model::machine::Effect) -> Effect<'m> {
    let with = machine.transitions.iter().filter(|row| row.before.contains(&id) || row.effects.contains(&id));
    Effect { takes: &effect.takes, events: with.flat_map(|row| row.events()).copied().collect() }
}
