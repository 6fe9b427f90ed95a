//! The exploration of a single machine: events with their payloads, and direct transitions.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::expr::Var;
use statespec_lang::interpret::value::show;
use statespec_lang::interpret::{Error, Instance, Plan, Request, plan};
use statespec_lang::model::{Configuration, EventId, FieldId, Machine, Model, PredicateId, StateId, TransitionId, Value};
use statespec_lang::source::Span;

use super::abstraction::{Abstraction, Choices, Decisions, requests};
use super::answers::each_answer;
use super::atoms::{Atom, Unknown};
use super::choices::combinations;
use super::linear::is_extreme;
use super::report::{Bound, Limit, Trace, TraceStep};
use super::space::{Locals, Outcome, Ran, Slot, Space, by, change, leaves};
use super::values::default_of;
use super::zones::{Clocks, Zone};

/// The maximum number of configurations that moments tell apart. Beyond it, any order of timers is possible.
const MAX_ZONES: usize = 10_000;

/// A machine during its exploration.
pub(super) struct MachineSpace<'m> {
    machine: &'m Machine,
    idx: usize,
    slots: Vec<Slot>,
    locals: Locals,
    abstraction: Abstraction<'m>,
    /// Every request of some edge.
    requests: Vec<Request>,
    /// What the requests depend on, by their position and the configuration; filled when a configuration is reached.
    decisions: BTreeMap<(usize, Option<Configuration>), Decisions>,
    /// The initial values that code outside the graph may give.
    starts: Vec<Given>,
    /// The outcomes of the last call.
    outcomes: Vec<(Outcome, u32, Call)>,
    /// The calls on traces.
    steps: Vec<Call>,
    taken: BTreeSet<(usize, TransitionId)>,
    unknown: BTreeSet<Unknown>,
    cut: BTreeSet<Unknown>,
    /// The clocks of its timers, if their moments make a difference, and the zone of each instance by its number.
    clocks: Option<Clocks<'m>>,
    zones: BTreeMap<u32, Zone>,
}

/// Values for fields at creation.
type Given = Vec<(FieldId, Value)>;

#[derive(Debug, Clone)]
struct Call {
    request: Request,
    payload: Vec<Value>,
    holds: Vec<PredicateId>,
    given: Given,
}

impl<'m> MachineSpace<'m> {
    /// A machine at its start. Without clocks, a timer may elapse whenever its state is active.
    pub(super) fn new(model: &'m Model, idx: usize, clocks: Option<Clocks<'m>>) -> Self {
        let machine = &model.machines[idx];
        let slot = Slot { machine: idx, part: None, number: 1, owner: None, name: machine.name.clone() };
        let events = (0..machine.events.len()).map(|it| Request::Event(EventId::new(it)));
        let targets: BTreeSet<StateId> = machine.leaves().flat_map(|it| requests(machine, Some(it))).filter_map(target).collect();
        let mut space = MachineSpace {
            machine,
            idx,
            slots: vec![slot],
            locals: Locals::default(),
            abstraction: Abstraction::of(machine),
            requests: events.chain(targets.into_iter().map(Request::Direct)).collect(),
            decisions: BTreeMap::new(),
            starts: Vec::new(),
            outcomes: Vec::new(),
            steps: Vec::new(),
            taken: BTreeSet::new(),
            unknown: BTreeSet::new(),
            cut: BTreeSet::new(),
            zones: clocks.iter().map(|it| (0, it.start(None))).collect(),
            clocks,
        };
        space.find_starts();
        space
    }

    fn find_starts(&mut self) {
        if !self.machine.edges_from(None).is_empty() {
            return;
        }
        let Decisions { rows, unknown } = self.abstraction.starts();
        self.unknown.extend(unknown);
        for choices in &rows {
            let (combinations, cut) = combinations(choices, &self.abstraction.vars(None), &|it| self.known(None, it));
            if cut {
                let why = "has too many combinations of initial values to try them all";
                self.cut.insert(Unknown::new(self.machine.span, format!("`{}` {why}", self.machine.name)));
            }
            let starts: Vec<Given> = combinations.iter().map(|it| self.call_of(choices, it).1).collect();
            self.starts.extend(starts);
        }
        // The default values give the simplest traces.
        self.starts.sort_by_key(Vec::len);
    }

    /// The value of a variable that is not chosen.
    fn known(&self, at: Option<&Instance>, var: Var) -> Value {
        let Var::Context(field) = var else { return Value::Null };
        let value = match at {
            Some(it) => it.context.get(field.index()).cloned(),
            None => self.machine.fields.get(field.index()).map(default_of),
        };
        value.unwrap_or(Value::Null)
    }

    /// The payload, and the initial values other than defaults, that these choices name.
    fn call_of(&self, choices: &Choices, chosen: &[Value]) -> (Vec<Value>, Given) {
        let (mut payload, mut given) = (Vec::new(), Vec::new());
        for ((var, _), value) in choices.iter().zip(chosen) {
            match var {
                Var::Context(id) if default_of(&self.machine.fields[id.index()]) == *value => {}
                Var::Context(id) => given.push((*id, value.clone())),
                _ => payload.push(value.clone()),
            }
        }
        (payload, given)
    }

    /// Finds all outcomes of a request.
    fn find_outcomes(&mut self, request: usize, number: u32) -> Result<(), String> {
        self.outcomes.clear();
        let at = self.locals.instance(self.idx, number).cloned();
        let from = at.as_ref().map(|it| it.configuration.clone());
        let asked = self.requests[request];
        if let (Request::Event(event), Some(leaf)) = (asked, from.as_ref().and_then(Configuration::only))
            && !self.machine.may_elapse(event, leaf)
        {
            return Ok(());
        }
        let Some(zone) = self.zone(asked, number)? else { return Ok(()) };
        let decisions = self.decisions.entry((request, from.clone())).or_insert_with(|| self.abstraction.decisions(from.as_ref(), asked));
        let Decisions { rows, unknown } = decisions.clone();
        let mut calls: Vec<(Vec<Value>, Given)> = Vec::new();
        let mut seen = BTreeSet::new();
        // Near the limits of a type, the value that a guard asks for may be none.
        let mut omitted = !unknown.is_empty() || at.as_ref().is_some_and(|it| it.context.iter().any(is_extreme));
        self.unknown.extend(unknown);
        for choices in &rows {
            let vars = self.abstraction.vars(Some(asked));
            let (combinations, cut) = combinations(choices, &vars, &|it| self.known(at.as_ref(), it));
            if cut {
                self.cut.insert(self.too_many(asked, "combinations of payload values"));
                omitted = true;
            }
            let new = combinations.into_iter().filter(|it| seen.insert(it.clone())).map(|it| self.call_of(choices, &it));
            calls.extend(new.collect::<Vec<_>>());
        }
        let timer = self.timer(asked);
        if timer.is_some() && calls.is_empty() {
            // No row is there for it, so it is refused.
            calls.push((Vec::new(), Vec::new()));
        }
        for (payload, given) in calls {
            let mut found = Vec::new();
            let complete = each_answer(&mut |holds| {
                match plan(self.machine, at.as_ref(), asked, &payload, &given, holds) {
                    Ok(plan) => found.push(Some(plan)),
                    Err(Error::Refused(_)) => found.push(None),
                    Err(error) => return Err(error.show(self.machine)),
                }
                Ok(())
            })?;
            if !complete.1 {
                self.cut.insert(self.too_many(asked, "combinations of answers of its predicates"));
                omitted = true;
            }
            for (plan, holds) in found.into_iter().zip(complete.0) {
                let (outcome, end, zone) = match (plan, &self.clocks, timer, &at) {
                    (Some(Plan { steps, end, .. }), clocks, ..) => {
                        let zone = clocks.as_ref().map(|it| it.observe(zone.clone(), &steps)).unwrap_or_default();
                        self.locals.pass(self.idx, &steps);
                        self.taken.extend(steps.iter().flat_map(|it| &it.transitions).map(|it| (self.idx, *it)));
                        (Outcome::Moved, end, zone)
                    }
                    (None, Some(clocks), Some(timer), Some(at)) => (Outcome::Over, at.clone(), clocks.end(zone.clone(), timer)),
                    (None, ..) => continue,
                };
                let number = self.number(end, zone);
                let call = Call { request: asked, payload: payload.clone(), holds, given: given.clone() };
                self.outcomes.push((outcome, number, call));
            }
        }
        if omitted {
            let call = Call { request: asked, payload: Vec::new(), holds: Vec::new(), given: Vec::new() };
            self.outcomes.push((Outcome::Omitted, 0, call));
        }
        Ok(())
    }

    /// The timer that a request lets elapse, where moments make a difference.
    fn timer(&self, request: Request) -> Option<EventId> {
        request.event().filter(|it| self.clocks.is_some() && self.machine.timer(*it).is_some())
    }

    /// The moments at which a request is processed; `None` if it is that of a timer which cannot elapse.
    fn zone(&self, request: Request, number: u32) -> Result<Option<Zone>, String> {
        let Some(clocks) = &self.clocks else { return Ok(Some(Zone::default())) };
        let zone = self.zones.get(&number).cloned().ok_or("an instance has no moments")?;
        Ok(match self.timer(request) {
            Some(timer) => clocks.elapse(zone, timer),
            None => Some(zone),
        })
    }

    fn too_many(&self, request: Request, what: &str) -> Unknown {
        match request {
            Request::Event(event) => {
                let event = self.machine.event(event);
                Unknown::new(event.span, format!("`{}` has too many {what} to try them all", event.name))
            }
            Request::Direct(to) => {
                let state = self.machine.state(to);
                Unknown::new(state.span, format!("the direct transition to `{}` has too many {what} to try them all", state.name))
            }
        }
    }

    /// The number of an instance: the same for all that behave alike.
    fn number(&mut self, instance: Instance, mut zone: Zone) -> u32 {
        let of = |var: Var| self.known(Some(&instance), var);
        let mut key = Vec::new();
        let mut extreme = Vec::new();
        // Several rows may assign at once, which the atoms of single rows do not foresee: only equal contexts behave alike.
        let is_plain = !self.machine.has_regions();
        let is_near = |it: &(usize, &Value)| !is_plain && is_extreme(it.1);
        extreme.extend(instance.context.iter().enumerate().filter(is_near).map(|(idx, _)| Var::Context(FieldId::new(idx))));
        key.extend(instance.context.iter().filter(|_| !is_plain).cloned());
        for atom in self.abstraction.atoms(instance.configuration.first()).filter(|_| is_plain) {
            let value = atom.value(&of);
            if value.is_none() || (matches!(atom, Atom::Sign(_)) && atom.vars().into_iter().any(|it| is_extreme(&of(it)))) {
                extreme.extend(atom.vars());
            }
            key.push(value.unwrap_or(Value::Null));
        }
        for var in extreme {
            if let Var::Context(field) = var {
                let field = &self.machine.fields[field.index()];
                self.unknown.insert(Unknown::new(field.span, format!("`{}` comes near the limits of its type", field.name)));
            }
        }
        let at = instance.configuration.clone();
        let Some(clocks) = &self.clocks else { return self.locals.number(self.idx, &at, key, || instance) };
        if self.zones.len() > MAX_ZONES {
            zone = clocks.forget(zone);
        }
        key.extend(zone.values());
        let number = self.locals.number(self.idx, &at, key, || instance);
        self.zones.insert(number, zone);
        number
    }

    /// The request of each call, and the configuration after it; none if outside code sets initial values.
    #[expect(clippy::type_complexity, reason = "read in one place")]
    pub(super) fn steps(&self, calls: &[usize]) -> Option<Vec<(Request, Vec<Value>, Vec<PredicateId>, Configuration)>> {
        let mut at = if self.machine.edges_from(None).is_empty() { Some(Instance::start(self.machine, &[]).ok()?) } else { None };
        let mut steps = Vec::new();
        for call in calls.iter().map(|it| &self.steps[*it]) {
            if !call.given.is_empty() {
                return None;
            }
            let end = self.plan(call, at.as_ref()).ok()??.end;
            steps.push((call.request, call.payload.clone(), call.holds.clone(), end.configuration.clone()));
            at = Some(end);
        }
        Some(steps)
    }

    fn plan(&self, call: &Call, at: Option<&Instance>) -> Result<Option<Plan>, String> {
        match plan(self.machine, at, call.request, &call.payload, &call.given, &|it| call.holds.contains(&it)) {
            Ok(plan) => Ok(Some(plan)),
            Err(Error::Refused(_)) => Ok(None),
            Err(error) => Err(error.show(self.machine)),
        }
    }
}

fn target(request: Request) -> Option<StateId> {
    match request {
        Request::Direct(to) => Some(to),
        Request::Event(_) => None,
    }
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
        let mut kept = Vec::new();
        for given in std::mem::take(&mut self.starts) {
            let instance = Instance::start(self.machine, &given).map_err(|it| it.show(self.machine))?;
            let zone = self.clocks.as_ref().map(|it| it.start(Some(&instance))).unwrap_or_default();
            let start = vec![self.number(instance, zone)];
            if !starts.contains(&start) {
                starts.push(start);
                kept.push(given);
            }
        }
        self.starts = kept;
        Ok(starts)
    }

    fn broken_at_start(&mut self) -> Result<Option<usize>, String> {
        Ok(None)
    }

    fn n_calls(&self) -> usize {
        self.requests.len()
    }

    fn run(&mut self, call: usize, variant: usize, from: &[u32], next: &mut Vec<u32>) -> Result<Ran, String> {
        if variant == 0 {
            self.find_outcomes(call, from[0])?;
        }
        let Some((outcome, number, _)) = self.outcomes.get(variant) else { return Ok(Ran { outcome: Outcome::Refused, more: false }) };
        next.clear();
        next.push(*number);
        Ok(Ran { outcome: *outcome, more: variant + 1 < self.outcomes.len() })
    }

    fn step(&mut self, _: usize, variant: usize) -> u32 {
        self.steps.extend(self.outcomes.get(variant).map(|it| it.2.clone()));
        self.steps.len() as u32 - 1
    }

    fn transaction(&self, call: usize) -> usize {
        match self.requests[call] {
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

    fn bounds(&self) -> Vec<Bound> {
        let bound = |limit: Limit, it: &Unknown| Bound { limit, message: it.why.clone(), help: None, span: it.span() };
        let unknown = self.unknown.iter().map(|it| bound(Limit::Values, it));
        unknown.chain(self.cut.iter().map(|it| bound(Limit::Combinations, it))).collect()
    }

    fn population(&self) -> Vec<(String, u64)> {
        Vec::new()
    }

    fn replay(&self, start: usize, calls: &[usize], _: Option<usize>) -> Result<Trace, String> {
        let machine = self.machine;
        let mut at = None;
        let mut given: &[(FieldId, Value)] = &[];
        if machine.edges_from(None).is_empty() {
            given = &self.starts[start];
            at = Some(Instance::start(machine, given).map_err(|it| it.show(machine))?);
        } else if let Some(first) = calls.first() {
            given = &self.steps[*first].given;
        }
        let given = given.iter().map(|(field, value)| (machine.fields[field.index()].name.clone(), show(machine, value))).collect();
        let mut steps = Vec::new();
        for (idx, call) in calls.iter().map(|it| &self.steps[*it]).enumerate() {
            let plan = self.plan(call, at.as_ref())?;
            let changes = match (&plan, self.timer(call.request)) {
                (Some(plan), _) => change(machine, &machine.name, at.as_ref(), &plan.end, leaves(&plan.steps)),
                (None, Some(_)) => Some(format!("{}: refuses the timer, which is over", machine.name)),
                (None, None) => return Err("the trace cannot be replayed".into()),
            };
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
                changes: changes.into_iter().collect(),
                refused: None,
            });
            at = plan.map(|it| it.end).or(at);
        }
        Ok(Trace { given, steps, pasteable: false })
    }
}
