//! Lints about guards that never hold, or are never evaluated.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use super::reason::{Effort, Verdict, World, solve};
use super::{Finding, MachineCx};
use crate::expr::{Expr, Var};
use crate::model::machine::{Constant, Edge, From, Machine, On, Outcome, Trigger};
use crate::model::{EventId, StateId, TransitionId, Type};

/// Groups with more guards than this are only checked for edges without a guard.
pub(super) const MAX_GUARDS: usize = 48;

/// Competing edges: one trigger, and the same rows in the same order, in one or more states.
pub(super) struct Group {
    pub(super) on: On,
    /// The rows, in the order in which they are tried, each with the distance of its source from the leaf.
    pub(super) rows: Vec<(TransitionId, usize)>,
    /// The sources; empty at creation.
    pub(super) from: Vec<StateId>,
}

/// All groups of a machine. States with the same rows share one, so each group is analysed once.
pub(super) fn groups(machine: &Machine) -> Vec<Group> {
    let mut known = BTreeMap::<(On, Vec<(TransitionId, usize)>), usize>::new();
    let mut groups: Vec<Group> = Vec::new();
    let mut put = |edges: &[&Edge]| {
        let rows: Vec<_> = edges.iter().map(|it| (it.transition, distance(machine, it))).collect();
        let on = edges[0].on;
        let idx = *known.entry((on, rows.clone())).or_insert(groups.len());
        if idx == groups.len() {
            groups.push(Group { on, rows, from: Vec::new() });
        }
        groups[idx].from.extend(edges[0].from);
    };
    let mut edges: Vec<&Edge> = machine.edges.iter().chain(&machine.lookup.never).chain(&machine.lookup.passing).collect();
    let is_any = |it: &Edge| matches!(machine.transition(it.transition).trigger, Trigger::AnyOther(_));
    edges.sort_by_key(|it| (it.from, it.on, distance(machine, it), is_any(it), it.transition));
    for chunk in edges.chunk_by(|a, b| a.from == b.from && a.on == b.on) {
        if chunk[0].on != On::Direct {
            put(chunk);
            continue;
        }
        // A direct transition is requested by its target.
        let mut by_outcome = BTreeMap::<Outcome, Vec<&Edge>>::new();
        chunk.iter().for_each(|edge| by_outcome.entry(edge.outcome).or_default().push(edge));
        by_outcome.values().for_each(|it| put(it));
    }
    groups
}

/// The distance from the leaf of an edge to the state that its row names.
fn distance(machine: &Machine, edge: &Edge) -> usize {
    match (&machine.transition(edge.transition).from, edge.from) {
        (From::States(named), Some(leaf)) => machine.ancestors(leaf).position(|it| named.contains(&it)).unwrap_or(0),
        _ => 0,
    }
}

/// The variables of a machine's guards, with an event's payload.
pub(super) struct MachineWorld<'m> {
    pub(super) machine: &'m Machine,
    pub(super) event: Option<EventId>,
    /// The bounds of the context fields, derived from assignments and defaults; applied only where these are
    /// assumed to hold.
    pub(super) bounds: &'m [Bounds],
    pub(super) effort: &'m Effort,
}

/// The least and the greatest value of a field, if known.
pub(super) type Bounds = (Option<Decimal>, Option<Decimal>);

impl<'m> MachineWorld<'m> {
    pub(super) fn new(machine: &'m Machine, event: Option<EventId>, effort: &'m Effort) -> Self {
        MachineWorld { machine, event, bounds: &[], effort }
    }
}

impl World for MachineWorld<'_> {
    fn constants(&self) -> &[Constant] {
        &self.machine.constants
    }

    fn var(&self, var: Var) -> Option<(Type, bool)> {
        let field = match var {
            Var::Context(id) => self.machine.fields.get(id.index()),
            Var::Payload(id) => self.machine.payload_field(self.event?, id),
            _ => None,
        };
        field.map(|it| (it.ty.clone(), it.optional))
    }

    fn n_values(&self, var: Var) -> usize {
        match self.var(var) {
            Some((Type::Enum(id), _)) => self.machine.enums.get(id.index()).map_or(0, |it| it.values.len()),
            _ => 0,
        }
    }

    fn leaves(&self, _: Var) -> Vec<StateId> {
        self.machine.leaves().collect()
    }

    fn is_in(&self, _: Var, state: StateId, whole: StateId) -> bool {
        self.machine.is_in(state, whole)
    }

    fn bounds(&self, var: Var) -> (Option<Decimal>, Option<Decimal>) {
        match var {
            Var::Context(field) => self.bounds.get(field.index()).copied().unwrap_or_default(),
            _ => (None, None),
        }
    }

    fn effort(&self) -> &Effort {
        self.effort
    }
}

pub(super) fn guard(machine: &Machine, row: TransitionId) -> Option<&Expr> {
    machine.transition(row).guard.as_ref()
}

pub(super) fn never_holds(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    let mut findings = Vec::new();
    for row in machine.transitions.iter() {
        let Some(guard) = &row.guard else { continue };
        let world = MachineWorld::new(machine, row.events().first().copied(), &cx.effort);
        if let Verdict::Never = solve(&world, &[(guard, true)]) {
            let finding = Finding::new(guard.span, "this guard holds for no values").within(row.span);
            findings.push(finding.help("fix the guard, or remove the transition: it is never taken"));
        }
    }
    findings
}

pub(super) fn shadowed_edge(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    // For every row, trigger (`None` for any other event) and named state: whether some edge can be taken, and the rows that shadow the others.
    let mut rows = BTreeMap::<(TransitionId, Option<On>, Option<StateId>), (bool, Vec<TransitionId>)>::new();
    for group in &cx.groups {
        let always = group.rows.iter().position(|it| guard(machine, it.0).is_none());
        for (idx, (row, distance)) in group.rows.iter().enumerate() {
            let shadows = match always {
                Some(always) if always < idx => Some(vec![group.rows[always].0]),
                _ => shadows(cx, group, idx),
            };
            let on = Some(group.on).filter(|_| !matches!(machine.transition(*row).trigger, Trigger::AnyOther(_)));
            let mut note = |named: Option<StateId>| {
                let (taken, all) = rows.entry((*row, on, named)).or_default();
                match &shadows {
                    Some(shadows) => all.extend(shadows.iter().filter(|it| !all.contains(it)).copied().collect::<Vec<_>>()),
                    None => *taken = true,
                }
            };
            // A list names every one of its states; `*` and a composite mean the remaining ones.
            match machine.transition(*row).from {
                From::States(_) => group.from.iter().for_each(|leaf| note(machine.ancestors(*leaf).nth(*distance))),
                From::Any { .. } | From::Creation => note(None),
            }
        }
    }
    let mut findings = Vec::new();
    for ((row, on, named), (taken, shadows)) in rows {
        let [first, others @ ..] = shadows.as_slice() else { continue };
        if taken {
            continue;
        }
        let of_event = on.and_then(On::event).map(|it| format!(" for `{}`", machine.event(it).name)).unwrap_or_default();
        let of_state = named.map(|it| format!(" in `{}`", machine.state(it).name)).unwrap_or_default();
        let message = format!("this edge is never taken{of_event}{of_state}: the rows before it cover every case");
        let finding = Finding::new(machine.transition(row).span, message).also(machine.transition(*first).span, "tried before it");
        let finding = others.iter().take(3).fold(finding, |finding, it| finding.also(machine.transition(*it).span, "and this"));
        findings.push(finding.help("move the exception above the rule, or remove the row that is never taken"));
    }
    findings
}

/// The rows, all with guards, that together shadow a row of a group; `None` if it may be taken, or if its guard alone
/// never holds.
fn shadows(cx: &MachineCx<'_>, group: &Group, idx: usize) -> Option<Vec<TransitionId>> {
    let machine = cx.machine;
    if !(1..=MAX_GUARDS).contains(&idx) {
        return None;
    }
    let before: Vec<TransitionId> = group.rows[..idx].iter().map(|it| it.0).collect();
    let world = MachineWorld::new(machine, group.on.event(), &cx.effort);
    let own = guard(machine, group.rows[idx].0).map(|it| (it, true));
    let never = |before: &[TransitionId]| {
        let conditions = own.into_iter().chain(before.iter().filter_map(|it| guard(machine, *it)).map(|it| (it, false)));
        matches!(solve(&world, &conditions.collect::<Vec<_>>()), Verdict::Never)
    };
    if !never(&before) || never(&[]) {
        return None;
    }
    let alone = before.iter().find(|it| never(&[**it]));
    Some(alone.map_or_else(|| before.clone(), |it| vec![*it]))
}
