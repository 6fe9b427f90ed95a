//! Test cases for one machine: instances and payloads that make a difference, and traces.

use std::collections::BTreeSet;

use statespec_lang::expr::Expr;
use statespec_lang::interpret::{BoundaryValues, Instance, Request};
use statespec_lang::model::machine::{Edge, Field, Transition};
use statespec_lang::model::{Configuration, EventId, FieldId, Machine, Model, PredicateId, Type, Value};

use super::Limits;
use super::machine::MachineSpace;
use super::relevant::Relevant;
use super::search::{Search, search};
use super::space::Space as _;
use super::values::choices;

/// The maximum number of configurations explored, and of instances tried in one leaf. This is enough for every row of
/// any machine that a person writes, and limits the work for others.
const MAX_STATES: usize = 2_000;
const MAX_INSTANCES: usize = 400;
/// The maximum number of configurations of a machine with regions that have cases.
const MAX_CONFIGURATIONS: usize = 200;
/// The maximum size of a machine that is explored: its edges, and the parts of their guards and assignments.
const MAX_SIZE: usize = 3_000;
/// The maximum number of values in all of these instances, and in all payloads of one event.
const MAX_VALUES: usize = 100_000;
/// The maximum number of steps in all traces.
const MAX_STEPS: usize = 20_000;

/// A machine with its exploration.
pub struct Explored<'m> {
    machine: &'m Machine,
    /// `None` if the machine cannot start, or is too large to be explored.
    explored: Option<(MachineSpace<'m>, Search)>,
    model: &'m Model,
    idx: usize,
    relevant: Relevant,
    boundary: BoundaryValues<'m>,
    /// Contexts at the boundaries of guards, reachable or not.
    boundary_contexts: Vec<Vec<Value>>,
}

impl<'m> Explored<'m> {
    /// Explores one machine of a model.
    pub fn new(model: &'m Model, idx: usize) -> Self {
        let machine = &model.machines[idx];
        let explored = (size(machine) <= MAX_SIZE).then(|| MachineSpace::new(model, idx, None)).and_then(|mut space| {
            let search = search(&mut space, &Limits { max_states: MAX_STATES, ..Limits::default() }).ok()?;
            Some((space, search))
        });
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
        let boundary_contexts = first_combinations(&fields.map(of_field).map(few).collect::<Vec<_>>());
        Explored { machine, explored, model, idx, relevant, boundary, boundary_contexts }
    }

    /// The configurations in which the machine may rest, in the order of states: its leaves, or in a machine with regions the first
    /// `MAX_CONFIGURATIONS` that the exploration reached.
    pub fn configurations(&self) -> Vec<Configuration> {
        if !self.machine.has_regions() {
            return self.machine.leaves().filter(|it| self.machine.may_rest(*it)).map(Configuration::from).collect();
        }
        // Which leaves go together, only the exploration tells.
        let mut found = BTreeSet::from([self.machine.initial()]);
        for instance in self.reached() {
            if found.len() == MAX_CONFIGURATIONS {
                break;
            }
            found.insert(instance.configuration.clone());
        }
        found.into_iter().collect()
    }

    /// The instances that the exploration reached.
    fn reached(&self) -> impl Iterator<Item = &Instance> {
        self.explored.iter().flat_map(|(space, _)| space.locals().instances_of(space.slots()[0].machine))
    }

    /// Instances in a configuration: first those that can occur, then those at the boundaries of guards.
    pub fn instances(&self, at: &Configuration) -> Vec<Instance> {
        let mut instances: Vec<Instance> = self.reached().filter(|it| it.configuration == *at).take(MAX_INSTANCES).cloned().collect();
        let fits = |it: &Vec<Value>| self.machine.fields.iter().zip(it).all(|(field, value)| field.optional || *value != Value::Null);
        let contexts = self.boundary_contexts.iter().filter(|it| fits(it));
        instances.extend(contexts.map(|it| Instance { configuration: at.clone(), context: it.clone() }));
        instances.retain(|it| fits(&it.context));
        instances
    }

    /// Payloads of an event that make a difference.
    pub fn payloads(&self, event: EventId) -> Vec<Vec<Value>> {
        payloads(self.model, self.idx, event, &self.relevant, &self.boundary)
    }

    /// A shortest trace to every reachable configuration, in the order of states, while all traces are short: the requests, their payloads,
    /// and the configuration after each. Traces from a context that outside code filled in are omitted.
    #[expect(clippy::type_complexity, reason = "read in one place")]
    pub fn traces(&self) -> Vec<(Configuration, Vec<(Request, Vec<Value>, Vec<PredicateId>, Configuration)>)> {
        let Some((space, search)) = &self.explored else { return Vec::new() };
        let leaf_of =
            |row: usize| space.locals().instance(space.slots()[0].machine, search.states.row(row)[0]).map(|it| it.configuration.clone());
        let mut first = std::collections::BTreeMap::new();
        for state in 0..search.states.len() {
            if let Some(leaf) = leaf_of(state) {
                first.entry(leaf).or_insert(state);
            }
        }
        let mut n_steps = 0;
        let mut traces = Vec::new();
        for (leaf, state) in first {
            let (start, calls) = search.trace(state);
            n_steps += calls.len();
            if n_steps > MAX_STEPS {
                break;
            }
            if let (0, Some(steps)) = (start, space.steps(&calls)) {
                traces.push((leaf, steps));
            }
        }
        traces
    }
}

/// The edges of a machine, and the parts of their guards and assignments.
fn size(machine: &Machine) -> usize {
    let of_row = |row: &Transition| row.guard.iter().chain(row.set.iter().map(|(_, value)| value)).map(Expr::n_nodes).sum::<usize>();
    let sizes: Vec<usize> = machine.transitions.iter().map(of_row).collect();
    machine.edges.iter().map(|edge| 1 + sizes[edge.transition.index()]).sum()
}

fn n_enum_values(machine: &Machine, field: &Field) -> usize {
    match field.ty {
        Type::Enum(id) => machine.enums[id.index()].values.len(),
        _ => 0,
    }
}

/// Payloads of an event that make a difference.
pub fn payloads_of(model: &Model, idx: usize, event: EventId) -> Vec<Vec<Value>> {
    let machine = &model.machines[idx];
    payloads(model, idx, event, &Relevant::of_machine(model, idx), &BoundaryValues::without_extremes(machine))
}

fn payloads(model: &Model, idx: usize, event: EventId, relevant: &Relevant, boundary: &BoundaryValues<'_>) -> Vec<Vec<Value>> {
    let machine = &model.machines[idx];
    let fields = machine.event(event).payload.iter().enumerate();
    let of_field = |(position, field): (usize, &Field)| {
        choices(field, boundary, machine, n_enum_values(machine, field), 2, relevant.payloads.contains(&(idx, event, position)))
    };
    first_combinations(&fields.map(of_field).map(few).collect::<Vec<_>>())
}

/// The values that the first combinations can reach.
fn few(mut values: Vec<Value>) -> Vec<Value> {
    values.truncate(MAX_INSTANCES);
    values
}

/// The first combinations of the choices; the last choice varies fastest.
fn first_combinations(choices: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let n_all = choices.iter().map(Vec::len).try_fold(1_usize, usize::checked_mul).unwrap_or(usize::MAX);
    let n_first = n_all.min(MAX_INSTANCES).min((MAX_VALUES / choices.len().max(1)).max(1));
    let combination = |number: usize| {
        let mut rest = number;
        let digits = choices.iter().rev().map(|values| {
            let digit = rest % values.len();
            rest /= values.len();
            values[digit].clone()
        });
        let mut values: Vec<Value> = digits.collect();
        values.reverse();
        values
    };
    (0..n_first).map(combination).collect()
}

/// The predicates that the rows of some edges read, sorted.
pub fn predicates_asked<'e>(machine: &Machine, edges: impl Iterator<Item = &'e Edge>) -> Vec<PredicateId> {
    let mut found = BTreeSet::new();
    for edge in edges {
        let row = machine.transition(edge.transition);
        for expr in row.guard.iter().chain(row.set.iter().map(|(_, value)| value)) {
            expr.walk(&mut |it| {
                if let statespec_lang::expr::ExprKind::Predicate(id) = it.kind {
                    found.insert(id);
                }
            });
        }
    }
    found.into_iter().collect()
}

/// All subsets of up to six items; of more, only the first six vary.
pub fn subsets<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    let n_varied = items.len().min(6);
    let chosen = |mask: usize| (0..n_varied).filter(move |bit| mask >> bit & 1 == 1).map(|bit| items[bit].clone()).collect();
    (0..1_usize << n_varied).map(chosen).collect()
}
