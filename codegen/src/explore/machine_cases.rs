//! Test cases for one machine: instances and payloads that make a difference, and traces.

use std::collections::BTreeSet;

use super::Limits;
use super::machine::MachineSpace;
use super::relevant::Relevant;
use super::search::{Search, search};
use super::space::Space as _;
use super::values::{choices, combinations};
use crate::interpret::{BoundaryValues, Instance, Request};
use crate::model::machine::{Edge, Field};
use crate::model::{EventId, FieldId, Machine, Model, PredicateId, StateId, Type, Value};

/// The maximum number of configurations explored, and of instances tried in one leaf. This is enough for every row of
/// any machine that a person writes, and limits the work for others.
const MAX_STATES: usize = 2_000;
const MAX_INSTANCES: usize = 400;

/// A machine with its exploration.
pub(crate) struct Explored<'m> {
    machine: &'m Machine,
    space: MachineSpace<'m>,
    /// `None` if the machine cannot start.
    search: Option<Search>,
    /// Contexts at the boundaries of guards, reachable or not.
    boundary_contexts: Vec<Vec<Value>>,
}

impl<'m> Explored<'m> {
    pub(crate) fn new(model: &'m Model, idx: usize) -> Self {
        let machine = &model.machines[idx];
        let mut space = MachineSpace::new(model, idx);
        let search = search(&mut space, &Limits { max_states: MAX_STATES, ..Limits::default() }).ok();
        let relevant = Relevant::of_machine(model, idx);
        let boundary = BoundaryValues::without_extremes(machine);
        let fields = machine.fields.iter().enumerate();
        let of_field = |(position, field): (usize, &Field)| {
            let default = field.default.as_ref().and_then(|it| it.to_value());
            match (relevant.fields.contains(&(idx, FieldId::new(position))), default) {
                (false, Some(default)) if default != Value::Null || field.optional => vec![default],
                (relevant, _) => choices(field, &boundary, machine, n_enum_values(machine, field), 2, relevant),
            }
        };
        let (mut boundary_contexts, _) = combinations(&fields.map(of_field).collect::<Vec<_>>());
        boundary_contexts.truncate(MAX_INSTANCES);
        Explored { machine, space, search, boundary_contexts }
    }

    /// Instances in a leaf: first those that can occur, then those at the boundaries of guards.
    pub(crate) fn instances(&self, leaf: StateId) -> Vec<Instance> {
        let mut instances: Vec<Instance> = self.space.locals().instances_in(self.space.slots()[0].machine, leaf).cloned().collect();
        instances.truncate(MAX_INSTANCES);
        let fits = |it: &Vec<Value>| self.machine.fields.iter().zip(it).all(|(field, value)| field.optional || *value != Value::Null);
        instances.extend(self.boundary_contexts.iter().filter(|it| fits(it)).map(|it| Instance { state: leaf, context: it.clone() }));
        instances.retain(|it| fits(&it.context));
        instances
    }

    /// A shortest trace to every reachable leaf, in the order of states: the requests, their payloads,
    /// and the leaf after each. Traces from a context that outside code filled in are omitted.
    #[expect(clippy::type_complexity, reason = "read in one place")]
    pub(crate) fn traces(&self) -> Vec<(StateId, Vec<(Request, Vec<Value>, Vec<PredicateId>, StateId)>)> {
        let Some(search) = &self.search else { return Vec::new() };
        let leaf_of =
            |row: usize| self.space.locals().instance(self.space.slots()[0].machine, search.states.row(row)[0]).map(|it| it.state);
        let mut traces = Vec::new();
        for leaf in self.machine.leaves() {
            let Some(state) = (0..search.states.len()).find(|it| leaf_of(*it) == Some(leaf)) else { continue };
            let (start, calls) = search.trace(state);
            if let (0, Some(steps)) = (start, self.space.steps(&calls)) {
                traces.push((leaf, steps));
            }
        }
        traces
    }
}

fn n_enum_values(machine: &Machine, field: &Field) -> usize {
    match field.ty {
        Type::Enum(id) => machine.enums[id.index()].values.len(),
        _ => 0,
    }
}

/// Payloads of an event that make a difference.
pub(crate) fn payloads_of(model: &Model, idx: usize, event: EventId) -> Vec<Vec<Value>> {
    let machine = &model.machines[idx];
    let relevant = Relevant::of_machine(model, idx);
    let boundary = BoundaryValues::without_extremes(machine);
    let fields = machine.event(event).payload.iter().enumerate();
    let of_field = |(position, field): (usize, &Field)| {
        choices(field, &boundary, machine, n_enum_values(machine, field), 2, relevant.payloads.contains(&(idx, event, position)))
    };
    let (mut payloads, _) = combinations(&fields.map(of_field).collect::<Vec<_>>());
    payloads.truncate(MAX_INSTANCES);
    payloads
}

/// The predicates that the rows of some edges read, sorted.
pub(crate) fn predicates_asked(machine: &Machine, of: impl Fn(&Edge) -> bool) -> Vec<PredicateId> {
    let mut found = BTreeSet::new();
    for edge in machine.edges.iter().filter(|it| of(it)) {
        let row = machine.transition(edge.transition);
        for expr in row.guard.iter().chain(row.set.iter().map(|(_, value)| value)) {
            expr.walk(&mut |it| {
                if let crate::expr::ExprKind::Predicate(id) = it.kind {
                    found.insert(id);
                }
            });
        }
    }
    found.into_iter().collect()
}

/// All subsets of up to six items; of more, only the first six vary.
pub(crate) fn subsets<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    let n_varied = items.len().min(6);
    let chosen = |mask: usize| (0..n_varied).filter(move |bit| mask >> bit & 1 == 1).map(|bit| items[bit].clone()).collect();
    (0..1_usize << n_varied).map(chosen).collect()
}
