//! The exploration of a single machine: events with their payloads, and direct transitions.

use std::collections::BTreeSet;

use super::relevant::Relevant;
use super::report::{Trace, TraceStep};
use super::space::{Locals, Outcome, Slot, Space, by, change, trace};
use super::values::{choices, combinations};
use crate::interpret::value::show;
use crate::interpret::{BoundaryValues, Error, Instance, Request, plan};
#[cfg(feature = "files")]
use crate::model::StateId;
use crate::model::machine::Edge;
use crate::model::{FieldId, Machine, Model, PredicateId, TransitionId, Type, Value};
use crate::source::Span;

/// A machine during its exploration.
pub(super) struct MachineSpace<'m> {
    model: &'m Model,
    machine: &'m Machine,
    idx: usize,
    slots: Vec<Slot>,
    locals: Locals,
    calls: Vec<Call>,
    /// The initial values that code outside the graph may give to the fields that no row assigns.
    given: Vec<Vec<(FieldId, Value)>>,
    taken: BTreeSet<(usize, TransitionId)>,
    sampled: bool,
}

struct Call {
    request: Request,
    payload: Vec<Value>,
    holds: Vec<PredicateId>,
    /// At creation: position in [`MachineSpace::given`].
    given: usize,
}

impl<'m> MachineSpace<'m> {
    pub(super) fn new(model: &'m Model, idx: usize) -> Self {
        let machine = &model.machines[idx];
        let slot = Slot { machine: idx, part: None, number: 1, owner: None, name: machine.name.clone() };
        let locals = Locals::new(Relevant::of_machine(model, idx));
        let mut space = MachineSpace {
            model,
            machine,
            idx,
            slots: vec![slot],
            locals,
            calls: Vec::new(),
            given: Vec::new(),
            taken: BTreeSet::new(),
            sampled: false,
        };
        space.find_given();
        space.find_calls();
        space
    }

    fn find_given(&mut self) {
        let machine = self.machine;
        let boundary = BoundaryValues::without_extremes(machine);
        let written: BTreeSet<FieldId> = machine.transitions.iter().flat_map(|it| it.set.iter().map(|(field, _)| *field)).collect();
        let fields = (0..machine.fields.len()).map(FieldId::new);
        let open: Vec<FieldId> =
            fields.filter(|it| !written.contains(it) && self.locals.relevant().fields.contains(&(self.idx, *it))).collect();
        let of_field = |id: &FieldId| {
            let field = &machine.fields[id.index()];
            choices(field, &boundary, machine, n_enum_values(machine, &field.ty), 2, true)
        };
        let (combinations, cut) = combinations(&open.iter().map(of_field).collect::<Vec<_>>());
        self.sampled |= cut;
        self.given = combinations.into_iter().map(|values| open.iter().copied().zip(values).collect()).collect();
        // The default values come first: they give the simplest traces.
        let default = |(field, value): &(FieldId, Value)| {
            machine.fields[field.index()].default.as_ref().and_then(|it| it.to_value()).as_ref() == Some(value)
        };
        self.given.sort_by_key(|it| !it.iter().all(default));
    }

    fn find_calls(&mut self) {
        let machine = self.machine;
        let boundary = BoundaryValues::without_extremes(machine);
        for (idx, event) in machine.events.iter().enumerate() {
            let event_id = crate::model::EventId::new(idx);
            let relevant = |position| self.locals.relevant().payloads.contains(&(self.idx, event_id, position));
            let of_field = |(position, field): (usize, &crate::model::machine::Field)| {
                choices(field, &boundary, machine, n_enum_values(machine, &field.ty), 2, relevant(position))
            };
            let fields: Vec<Vec<Value>> = event.payload.iter().enumerate().map(of_field).collect();
            let (payloads, cut) = combinations(&fields);
            self.sampled |= cut;
            let rows = machine.edges.iter().filter(|it| it.event == Some(event_id));
            for holds in subsets(&predicates(machine, rows)) {
                for payload in &payloads {
                    let n_given = if machine.is_creation_event(event_id) { self.given.len() } else { 1 };
                    for given in 0..n_given {
                        self.calls.push(Call { request: Request::Event(event_id), payload: payload.clone(), holds: holds.clone(), given });
                    }
                }
            }
        }
        for target in machine.leaves() {
            let to = crate::model::machine::Outcome::Leaf(target);
            let rows: Vec<&Edge> = machine.edges.iter().filter(|it| it.event.is_none() && it.outcome == to).collect();
            if rows.is_empty() {
                continue;
            }
            for holds in subsets(&predicates(machine, rows.into_iter())) {
                self.calls.push(Call { request: Request::Direct(target), payload: Vec::new(), holds, given: 0 });
            }
        }
    }

    /// The request of each call, and the leaf after it; none if outside code sets initial values.
    #[cfg(feature = "files")]
    #[expect(clippy::type_complexity, reason = "read in one place")]
    pub(super) fn steps(&self, calls: &[usize]) -> Option<Vec<(Request, Vec<Value>, Vec<PredicateId>, StateId)>> {
        let creations = !self.machine.edges_from(None).is_empty();
        let mut at = if creations { None } else { Some(Instance::start(self.machine, &[]).ok()?) };
        let mut steps = Vec::new();
        for call in calls.iter().map(|it| &self.calls[*it]) {
            let end = self.plan(call, at.as_ref()).ok()??.end;
            if call.given != 0 {
                return None;
            }
            steps.push((call.request, call.payload.clone(), call.holds.clone(), end.state));
            at = Some(end);
        }
        Some(steps)
    }

    fn plan(&self, call: &Call, at: Option<&Instance>) -> Result<Option<crate::interpret::Plan>, String> {
        if at.is_some() && call.given > 0 {
            return Ok(None);
        }
        match plan(self.machine, at, call.request, &call.payload, &self.given[call.given], &|it| call.holds.contains(&it)) {
            Ok(plan) => Ok(Some(plan)),
            Err(Error::Refused(_)) => Ok(None),
            Err(error) => Err(error.show(self.machine)),
        }
    }
}

fn n_enum_values(machine: &Machine, ty: &Type) -> usize {
    match ty {
        Type::Enum(id) => machine.enums[id.index()].values.len(),
        _ => 0,
    }
}

/// The predicates that the guards of these edges read, sorted.
pub(super) fn predicates<'e>(machine: &Machine, edges: impl Iterator<Item = &'e Edge>) -> Vec<PredicateId> {
    let mut found = BTreeSet::new();
    for edge in edges {
        if let Some(guard) = &machine.transition(edge.transition).guard {
            guard.walk(&mut |it| {
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

impl Space for MachineSpace<'_> {
    fn name(&self) -> &str {
        &self.machine.name
    }

    fn span(&self) -> Span {
        self.machine.span
    }

    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn locals(&self) -> &Locals {
        &self.locals
    }

    fn starts(&mut self) -> Result<Vec<Vec<u32>>, String> {
        if !self.machine.edges_from(None).is_empty() {
            return Ok(vec![vec![0]]);
        }
        let mut starts = Vec::new();
        for given in &self.given {
            let instance = Instance::start(self.machine, given).map_err(|it| it.show(self.machine))?;
            starts.push(vec![self.locals.number(self.model, self.idx, &instance)]);
        }
        Ok(starts)
    }

    fn broken_at_start(&mut self) -> Result<Option<usize>, String> {
        Ok(None)
    }

    fn n_calls(&self) -> usize {
        self.calls.len()
    }

    fn run(&mut self, call: usize, from: &[u32], next: &mut Vec<u32>) -> Result<Outcome, String> {
        let at = self.locals.instance(self.idx, from[0]);
        let Some(plan) = self.plan(&self.calls[call], at)? else { return Ok(Outcome::Refused) };
        self.taken.extend(plan.steps.iter().map(|it| (self.idx, it.transition)));
        next.clear();
        next.push(self.locals.number(self.model, self.idx, &plan.end));
        Ok(Outcome::Moved)
    }

    fn transaction(&self, call: usize) -> usize {
        match self.calls[call].request {
            Request::Event(event) => event.index(),
            Request::Direct(_) => self.machine.events.len(),
        }
    }

    fn transactions(&self) -> Vec<(String, Span)> {
        self.machine.events.iter().map(|it| (it.name.clone(), it.span)).collect()
    }

    fn touched(&self, _: usize) -> &[usize] {
        &[0]
    }

    fn invariant(&self, _: usize) -> Option<(&str, Span)> {
        None
    }

    fn taken(&self) -> &BTreeSet<(usize, TransitionId)> {
        &self.taken
    }

    fn sampled(&self) -> bool {
        self.sampled
    }

    fn population(&self) -> Vec<(String, u64)> {
        Vec::new()
    }

    fn replay(&self, start: usize, calls: &[usize], _: Option<usize>) -> Result<Trace, String> {
        let machine = self.machine;
        let creations = !machine.edges_from(None).is_empty();
        let mut at = if creations { None } else { Some(Instance::start(machine, &self.given[start]).map_err(|it| it.show(machine))?) };
        let mut steps = Vec::new();
        for (idx, call) in calls.iter().map(|it| &self.calls[*it]).enumerate() {
            let plan = self.plan(call, at.as_ref())?.ok_or("the trace cannot be replayed")?;
            let (run, actors, doc, fields) = match call.request {
                Request::Event(event) => {
                    let event = machine.event(event);
                    let actors = event.by.iter().map(|it| machine.actors[it.index()].name.as_str()).collect();
                    (event.name.clone(), actors, event.doc.clone(), event.payload.as_slice())
                }
                Request::Direct(to) => (format!("to {}", machine.path_name(to)), Vec::new(), None, &[][..]),
            };
            let with = fields.iter().zip(&call.payload).map(|(field, value)| (field.name.clone(), show(machine, value)));
            steps.push(TraceStep {
                number: idx + 1,
                trigger: format!("{}{}", by(actors), doc.unwrap_or_else(|| run.clone())),
                run,
                instances: Vec::new(),
                with: with.collect(),
                holds: call.holds.iter().map(|it| machine.predicates[it.index()].name.clone()).collect(),
                changes: change(machine, &machine.name, at.as_ref(), &plan.end).into_iter().collect(),
                refused: None,
            });
            at = Some(plan.end);
        }
        Ok(trace(steps, false))
    }
}
