//! The test cases: for every configuration and every request there, each possible outcome of the
//! interpreter, with one context and payload that lead to it.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::expr::Expr;
use statespec_lang::interpret::machine::Plan;
use statespec_lang::interpret::{Error, Instance, Reason, Request, plan};
use statespec_lang::model::machine::{Edge, On, Outcome};
use statespec_lang::model::{Configuration, EventId, Machine, Model, PredicateId, StateId, TransitionId, Value};

use super::case::{Call, TestCase};
use super::sides::Sides;
use statespec_explore::machine_cases::{Explored, predicates_asked, subsets};

/// The maximum effort for all calls that are tried to find the outcomes; see [`Effort`].
const MAX_EFFORT: usize = 12_000_000;
/// The minimum number of calls of one step that are tried for one state and one request.
const MIN_TRIES: usize = 16;

/// All cases of one machine.
pub(super) struct TestCases {
    pub(super) cases: Vec<TestCase>,
    /// The events without a row, for each configuration (first: before creation).
    pub(super) forbidden: Vec<(Option<Instance>, Vec<EventId>)>,
    /// One payload for every event.
    pub(super) payloads: Vec<Vec<Value>>,
    /// One instance in every configuration.
    pub(super) examples: Vec<Instance>,
    /// A shortest trace to every reachable configuration.
    pub(super) traces: Vec<(Configuration, Vec<(Call, Configuration)>)>,
    pub(super) by_name: bool,
}

/// The outcome of a request, as far as cases distinguish outcomes: the rows taken and the final state,
/// or the row that refuses, or the fact that guards or settling refuse.
type Answer = (Vec<TransitionId>, Option<Configuration>, Option<Option<TransitionId>>);

impl TestCases {
    pub(super) fn of(model: &Model, idx: usize, machine: &Machine) -> TestCases {
        let explored = Explored::new(model, idx);
        let events = || (0..machine.events.len()).map(EventId::new);
        let all_payloads: Vec<Vec<Vec<Value>>> = events().map(|it| explored.payloads(it)).collect();
        // The predicates that the edges of each event read, and those of each target that is requested directly.
        let mut of_event = BTreeMap::<EventId, Vec<&Edge>>::new();
        let mut of_target = BTreeMap::<Outcome, Vec<&Edge>>::new();
        for edge in &machine.edges {
            match edge.on {
                On::Event(event) => of_event.entry(event).or_default().push(edge),
                On::Direct => of_target.entry(edge.outcome).or_default().push(edge),
                On::Automatic | On::Done(_) => {}
            }
        }
        // What may follow the first step of any call.
        let reactions: Vec<&Edge> = machine.reactions().collect();
        let asked = |edges: &Vec<&Edge>| subsets(&predicates_asked(machine, edges.iter().chain(&reactions).copied()));
        let of_event: BTreeMap<EventId, Vec<Vec<PredicateId>>> = of_event.iter().map(|(event, edges)| (*event, asked(edges))).collect();
        let of_target: BTreeMap<Outcome, Vec<Vec<PredicateId>>> = of_target.iter().map(|(to, edges)| (*to, asked(edges))).collect();
        let is_created = !machine.edges_from(None).is_empty();
        let configurations = explored.configurations();
        let effort = Effort::of(machine, configurations.len());
        let places = is_created.then_some(None).into_iter().chain(configurations.iter().map(Some));

        let mut cases = Vec::new();
        let mut forbidden = Vec::new();
        for at in places {
            let instances: Vec<Option<Instance>> = match at {
                Some(configuration) => explored.instances(configuration).into_iter().map(Some).collect(),
                None => vec![None],
            };
            let leaves: Vec<Option<StateId>> = at.map_or_else(|| vec![None], |it| it.leaves().map(Some).collect());
            let candidates = |on: On| leaves.iter().flat_map(move |it| machine.candidates(*it, on));
            let (taken, other): (Vec<EventId>, Vec<EventId>) = events().partition(|it| candidates(On::Event(*it)).next().is_some());
            for event in taken {
                let holds = &of_event[&event];
                let call =
                    |payload: &Vec<Value>, holds: &Vec<PredicateId>| Call::Event { event, payload: payload.clone(), holds: holds.clone() };
                let calls: Vec<Call> =
                    holds.iter().flat_map(|holds| all_payloads[event.index()].iter().map(move |payload| call(payload, holds))).collect();
                cases.extend(each_answer(machine, &instances, &calls, effort));
            }
            if at.is_some() {
                let outcomes: BTreeSet<Outcome> = candidates(On::Direct).map(|it| it.outcome).collect();
                for outcome in outcomes {
                    let Outcome::Leaf(to) = outcome else { continue };
                    let calls: Vec<Call> =
                        of_target[&outcome].iter().map(|holds| Call::Direct { state: to, holds: holds.clone() }).collect();
                    cases.extend(each_answer(machine, &instances, &calls, effort));
                }
            }
            if !other.is_empty() {
                forbidden.push((instances.into_iter().next().flatten(), other));
            }
        }
        TestCases {
            cases,
            forbidden,
            payloads: all_payloads.into_iter().map(|it| it.into_iter().next().unwrap_or_default()).collect(),
            examples: configurations.iter().filter_map(|it| explored.instances(it).into_iter().next()).collect(),
            traces: explored.traces().into_iter().map(|(to, steps)| (to, steps.into_iter().map(call_of).collect())).collect(),
            by_name: machine.edges.iter().any(|it| it.on == On::Direct),
        }
    }
}

/// The effort for one state and one request, in values that steps read or write. One call is always tried.
#[derive(Clone, Copy)]
struct Effort {
    limit: usize,
    /// The effort of a step.
    step: usize,
    /// The steps of a call that does not settle.
    unsettled: usize,
}

impl Effort {
    fn of(machine: &Machine, n_configurations: usize) -> Self {
        // A machine with regions may take any of its events in any configuration.
        let requests = match machine.has_regions() {
            true => machine.events.len() * n_configurations,
            false => machine.edges.chunk_by(|a, b| a.from == b.from && a.on == b.on).count(),
        };
        let n_leaves = machine.leaves().count().max(1);
        // After each step, every region looks at what may follow by itself.
        let is_alone = !machine.has_regions() && !machine.reacts();
        let n_asked: usize = machine.reactions().map(|it| n_parts(machine.transition(it.transition).guard.as_ref())).sum();
        let beside = if is_alone { 0 } else { machine.initial().leaves().count() * (10 + n_asked / n_leaves) };
        let step = machine.fields.len() + 10 + beside;
        let unsettled = if machine.reacts() { Machine::MAX_STEPS } else { n_leaves };
        Effort { limit: (MAX_EFFORT / requests.max(1)).max(MIN_TRIES * step), step, unsettled }
    }

    /// The effort of a call with this outcome.
    fn of_call(self, outcome: &Result<Plan, Error>) -> usize {
        let n_steps = match outcome {
            Ok(plan) => plan.steps.len(),
            Err(Error::Refused(refused)) if refused.reason == Reason::Unsettled => self.unsettled,
            Err(_) => 1,
        };
        self.step * n_steps.max(1)
    }
}

/// The number of parts of a guard.
fn n_parts(guard: Option<&Expr>) -> usize {
    let mut n = 0;
    guard.into_iter().for_each(|it| it.walk(&mut |_| n += 1));
    n
}

fn call_of((request, payload, holds, at): (Request, Vec<Value>, Vec<PredicateId>, Configuration)) -> (Call, Configuration) {
    let call = match request {
        Request::Event(event) => Call::Event { event, payload, holds },
        Request::Direct(state) => Call::Direct { state, holds },
    };
    (call, at)
}

/// One case for every outcome that occurs, and next to the boundary one on each side of every comparison that decides.
fn each_answer(machine: &Machine, instances: &[Option<Instance>], calls: &[Call], effort: Effort) -> Vec<TestCase> {
    let mut tried = Tried { machine, effort, left: effort.limit, found: BTreeMap::new(), sides: Sides::default() };
    for (before, call) in instances.iter().flat_map(|before| calls.iter().map(move |call| (before, call))) {
        tried.call(before, call);
    }
    for (before, call) in tried.sides.between(machine) {
        tried.call(&before, &call);
    }
    let mut cases: Vec<TestCase> = tried.found.into_values().collect();
    for side in tried.sides.cases() {
        if cases.iter().all(|it| (&it.before, &it.call) != (&side.before, &side.call)) {
            cases.push(side);
        }
    }
    cases
}

/// The calls of one state and one request that were tried.
struct Tried<'m> {
    machine: &'m Machine,
    effort: Effort,
    /// What is left of the effort.
    left: usize,
    found: BTreeMap<Answer, TestCase>,
    sides: Sides,
}

impl Tried<'_> {
    /// Tries a call, unless the effort is used up.
    fn call(&mut self, before: &Option<Instance>, call: &Call) {
        if self.left == 0 {
            return;
        }
        let (request, payload, holds) = call.parts();
        let outcome = plan(self.machine, before.as_ref(), request, payload, &[], &|it| holds.contains(&it));
        self.left = self.left.saturating_sub(self.effort.of_call(&outcome));
        let (answer, after) = match outcome {
            Ok(plan) => (
                (plan.steps.iter().flat_map(|it| it.transitions.clone()).collect(), Some(plan.end.configuration.clone()), None),
                Some(plan.end),
            ),
            Err(Error::Refused(refused)) => match refused.reason {
                Reason::Text(row) => ((Vec::new(), None, Some(Some(row))), None),
                _ => ((Vec::new(), None, Some(None)), None),
            },
            // A context field without a value at creation: the case cannot occur for a user.
            Err(_) => return,
        };
        let case = TestCase { before: before.clone(), call: call.clone(), after };
        self.sides.put(self.machine, &case);
        match self.found.entry(answer) {
            Entry::Vacant(place) => _ = place.insert(case),
            // A reset is only visible if the field has a value to reset.
            Entry::Occupied(mut place) if case.n_changes() > place.get().n_changes() => _ = place.insert(case),
            Entry::Occupied(_) => {}
        }
    }
}
