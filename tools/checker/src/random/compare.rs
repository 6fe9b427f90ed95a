//! Compares the report on a machine with enumerated values.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rust_decimal::Decimal;
use statespec_codegen::diagnostic::Code;
use statespec_codegen::explore::{Finding, Report};
use statespec_codegen::interpret::value::read;
use statespec_codegen::interpret::{Instance, Request, plan};
use statespec_codegen::model::machine::{Field, Outcome, Target};
use statespec_codegen::model::{EventId, FieldId, Machine, PredicateId, StateId, TransitionId, Type, Value};

use super::Rng;

/// What an enumeration contradicts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement(pub String);

/// The width of an enumeration: the numbers that it tries.
#[derive(Debug, Clone, Copy)]
struct Width {
    numbers: i64,
    steps: i64,
}

/// For many configurations.
const NARROW: Width = Width { numbers: 9, steps: 2 };
/// For a single one: no guard of a random machine has a border outside.
const WIDE: Width = Width { numbers: 90, steps: 2 };

/// The maximum number of configurations of an enumeration, of calls in one, and of steps of a random walk.
const MAX_CONFIGURATIONS: usize = 80;
const MAX_CALLS: usize = 150;
const MAX_WIDE_CALLS: usize = 40_000;
const MAX_SUSPECTS: usize = 3;
const N_WALKS: usize = 12;
const MAX_STEPS: usize = 15;

type Configuration = (Option<StateId>, Vec<Value>);

struct Enumeration<'m> {
    machine: &'m Machine,
    /// The initial values of fields that no row assigns.
    given: Vec<FieldId>,
    n_predicates: usize,
}

pub(super) fn compare(machine: &Machine, report: &Report, rng: &mut Rng) -> Vec<Disagreement> {
    let written: BTreeSet<FieldId> = machine.transitions.iter().flat_map(|it| it.set.iter().map(|(field, _)| *field)).collect();
    let given = (0..machine.fields.len()).map(FieldId::new).filter(|it| !written.contains(it)).collect();
    let enumeration = Enumeration { machine, given, n_predicates: machine.predicates.len() };
    let mut found = Vec::new();
    for finding in &report.findings {
        found.extend(enumeration.refute(finding, rng));
    }
    let (taken, succeeded, leaves) = enumeration.walk(rng);
    let findings = |code: Code| report.findings.iter().filter(move |it| it.code == code);
    for row in taken {
        let row = machine.transition(row);
        if findings(Code::ExploreUntaken).any(|it| it.span == row.span) && !matches!(row.target, Target::Refuse(_)) && report.is_complete()
        {
            found.push("a row that is said never to be taken is taken".to_owned());
        }
    }
    for event in succeeded {
        if findings(Code::ExploreImpossible).any(|it| it.span == machine.event(event).span) && report.is_complete() {
            found.push(format!("`{}` is said to be impossible, but succeeds", machine.event(event).name));
        }
    }
    for leaf in leaves {
        if findings(Code::ExploreUnreachable).any(|it| it.span == machine.state(leaf).span) && report.is_complete() {
            found.push(format!("{} is said to be unreachable, but is reached", machine.path_name(leaf)));
        }
    }
    if report.is_complete() {
        let told = |code| findings(code).next().is_some();
        if !told(Code::ExploreDeadlock) || !told(Code::ExploreStuck) {
            found.extend(enumeration.missed(told(Code::ExploreDeadlock), told(Code::ExploreStuck), rng));
        }
    }
    found.dedup();
    found.into_iter().map(Disagreement).collect()
}

impl Enumeration<'_> {
    fn start(&self, given: &[Value]) -> Configuration {
        let mut context: Vec<Value> =
            self.machine.fields.iter().map(|it| it.default.as_ref().and_then(|it| it.to_value()).unwrap_or(Value::Null)).collect();
        for (field, value) in self.given.iter().zip(given) {
            context[field.index()] = value.clone();
        }
        let created = !self.machine.edges_from(None).is_empty();
        (if created { None } else { Some(self.machine.initial()) }, context)
    }

    fn values(&self, field: &Field, width: Width) -> Vec<Value> {
        let numbers = -width.numbers..=width.numbers;
        let mut values: Vec<Value> = match &field.ty {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Int => numbers.map(Value::Int).collect(),
            Type::Duration => numbers.map(Value::Duration).collect(),
            Type::Timestamp => numbers.map(Value::Timestamp).collect(),
            Type::Decimal => {
                let step = Decimal::ONE / Decimal::from(width.steps);
                (-width.numbers * width.steps..=width.numbers * width.steps).map(|it| Value::Decimal(step * Decimal::from(it))).collect()
            }
            Type::Text => ["a", "b", "c", "d", "e", "text"].map(|it| Value::Text(it.into())).into(),
            Type::Reference => (1..7).map(Value::Reference).collect(),
            Type::Enum(id) => (0..self.machine.enums[id.index()].values.len()).map(|it| Value::Enum(*id, it)).collect(),
            Type::State => self.machine.leaves().map(Value::State).collect(),
            _ => Vec::new(),
        };
        if field.optional {
            values.push(Value::Null);
        }
        values
    }

    /// All products of these choices, or `limit` random ones.
    fn products(choices: &[Vec<Value>], limit: usize, rng: &mut Rng) -> Vec<Vec<Value>> {
        let n_all = choices.iter().try_fold(1_usize, |all, it| all.checked_mul(it.len())).unwrap_or(usize::MAX);
        if n_all > limit {
            return (0..limit).map(|_| choices.iter().map(|it| rng.pick(it).clone()).collect()).collect();
        }
        let mut all = vec![Vec::new()];
        for values in choices {
            all = all
                .into_iter()
                .flat_map(|it: Vec<Value>| values.iter().map(move |value| [it.as_slice(), std::slice::from_ref(value)].concat()))
                .collect();
        }
        all
    }

    fn requests(&self) -> Vec<Request> {
        let events = (0..self.machine.events.len()).map(|it| Request::Event(EventId::new(it)));
        let direct: BTreeSet<StateId> = self
            .machine
            .edges
            .iter()
            .filter(|it| it.event.is_none())
            .filter_map(|it| match it.outcome {
                Outcome::Leaf(to) => Some(to),
                _ => None,
            })
            .collect();
        events.chain(direct.into_iter().map(Request::Direct)).collect()
    }

    /// The calls to try in one configuration: requests with payloads and the predicates that hold, as a mask.
    fn calls(&self, at: &Configuration, width: Width, limit: usize, rng: &mut Rng) -> Vec<(Request, Vec<Value>, usize)> {
        let mut calls = Vec::new();
        for request in self.requests() {
            let has_edge = match request {
                Request::Event(event) => !self.machine.candidates(at.0, Some(event)).is_empty(),
                Request::Direct(_) => !self.machine.candidates(at.0, None).is_empty(),
            };
            if !has_edge {
                continue;
            }
            let fields = match request {
                Request::Event(event) => self.machine.event(event).payload.as_slice(),
                Request::Direct(_) => &[],
            };
            let choices: Vec<Vec<Value>> = fields.iter().map(|it| self.values(it, width)).collect();
            let n_masks = 1_usize << self.n_predicates;
            for payload in Self::products(&choices, (limit / n_masks).max(4), rng) {
                calls.extend((0..n_masks).map(|mask| (request, payload.clone(), mask)));
            }
        }
        calls
    }

    fn run(&self, at: &Configuration, request: Request, payload: &[Value], mask: usize) -> Option<(Configuration, Vec<TransitionId>)> {
        let holds = |it: PredicateId| mask >> it.index() & 1 == 1;
        let before = at.0.map(|state| Instance { state, context: at.1.clone() });
        let given: Vec<(FieldId, Value)> = match at.0 {
            None => self.given.iter().map(|it| (*it, at.1[it.index()].clone())).collect(),
            Some(_) => Vec::new(),
        };
        let plan = plan(self.machine, before.as_ref(), request, payload, &given, &holds).ok()?;
        Some(((Some(plan.end.state), plan.end.context), plan.steps.iter().map(|it| it.transition).collect()))
    }

    /// Whether some call succeeds.
    fn goes_on(&self, at: &Configuration, rng: &mut Rng) -> bool {
        self.calls(at, WIDE, MAX_WIDE_CALLS, rng).iter().any(|(request, payload, mask)| self.run(at, *request, payload, *mask).is_some())
    }

    /// Whether a terminal state can be reached, as far as walks and a small enumeration show.
    fn ends(&self, at: &Configuration, rng: &mut Rng) -> bool {
        let is_end = |it: &Configuration| it.0.is_some_and(|it| self.machine.state(it).terminal);
        let mut seen = BTreeSet::from([key(at)]);
        let mut open = VecDeque::from([at.clone()]);
        while let Some(at) = open.pop_front() {
            if is_end(&at) {
                return true;
            }
            for (request, payload, mask) in self.calls(&at, WIDE, 1_000, rng) {
                if let Some((next, _)) = self.run(&at, request, &payload, mask) {
                    if is_end(&next) {
                        return true;
                    }
                    if seen.len() < 30 && seen.insert(key(&next)) {
                        open.push_back(next);
                    }
                }
            }
        }
        false
    }

    /// Replays the trace of a finding, and searches for what it denies.
    fn refute(&self, finding: &Finding, rng: &mut Rng) -> Option<String> {
        let trace = finding.trace.as_ref()?;
        let values: BTreeMap<&str, &str> = trace.given.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let machine = self.machine;
        let parse = |field: &Field, text: &str| read(machine, &machine.enums, field, text);
        let mut at = self.start(&[]);
        for (field, value) in machine.fields.iter().enumerate().filter_map(|(idx, it)| Some((idx, values.get(it.name.as_str())?))) {
            at.1[field] = parse(&machine.fields[field], value).ok()?;
        }
        for step in &trace.steps {
            let (request, payload) = match step.run.strip_prefix("to ") {
                Some(to) => (Request::Direct(machine.state_named(to)?), Vec::new()),
                None => {
                    let event = machine.event_named(&step.run)?;
                    let fields = machine.event(event).payload.iter().zip(&step.with);
                    (Request::Event(event), fields.map(|(field, (_, text))| parse(field, text)).collect::<Result<_, _>>().ok()?)
                }
            };
            let holds = |name: &String| machine.predicates.iter().position(|it| it.name == *name);
            let mask = step.holds.iter().filter_map(holds).fold(0, |mask, bit| mask | 1 << bit);
            match self.run(&at, request, &payload, mask) {
                Some((next, _)) => at = next,
                None => return Some(format!("the trace of {} is refused", finding.code.id())),
            }
        }
        match finding.code {
            Code::ExploreDeadlock if self.goes_on(&at, rng) => Some(format!("a deadlock is reported where a step is possible: {at:?}")),
            Code::ExploreStuck if self.ends(&at, rng) => Some(format!("stuck is reported where an end can be reached: {at:?}")),
            _ => None,
        }
    }

    /// Random walks: the rows taken, the events that succeed, and the leaves.
    fn walk(&self, rng: &mut Rng) -> (BTreeSet<TransitionId>, BTreeSet<EventId>, BTreeSet<StateId>) {
        let (mut taken, mut succeeded, mut leaves) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let given: Vec<Vec<Value>> = self.given.iter().map(|it| self.values(&self.machine.fields[it.index()], NARROW)).collect();
        for _ in 0..N_WALKS {
            let given: Vec<Value> = given.iter().map(|it| rng.pick(it).clone()).collect();
            let mut at = self.start(&given);
            for _ in 0..MAX_STEPS {
                let calls = self.calls(&at, NARROW, 40, rng);
                let next = (0..30).find_map(|_| {
                    if calls.is_empty() {
                        return None;
                    }
                    let (request, payload, mask) = rng.pick(&calls).clone();
                    self.run(&at, request, &payload, mask).map(|it| (request, it))
                });
                let Some((request, (next, rows))) = next else { break };
                taken.extend(rows);
                leaves.extend(next.0);
                if let Request::Event(event) = request {
                    succeeded.insert(event);
                }
                at = next;
            }
        }
        (taken, succeeded, leaves)
    }

    /// Enumerates configurations, and returns a dead one or one that cannot end, of which nothing was reported.
    fn missed(&self, deadlock_told: bool, stuck_told: bool, rng: &mut Rng) -> Option<String> {
        let choices: Vec<Vec<Value>> = self.given.iter().map(|it| self.values(&self.machine.fields[it.index()], NARROW)).collect();
        let mut seen = BTreeSet::new();
        let mut open = VecDeque::new();
        for given in Self::products(&choices, 60, rng) {
            let start = self.start(&given);
            if seen.insert(key(&start)) {
                open.push_back(start);
            }
        }
        let mut suspects = Vec::new();
        let has_terminal = self.machine.states.iter().any(|it| it.terminal);
        while let Some(at) = open.pop_front() {
            if at.0.is_some_and(|it| self.machine.state(it).terminal) {
                continue;
            }
            let mut next = BTreeMap::new();
            for (request, payload, mask) in self.calls(&at, NARROW, MAX_CALLS, rng) {
                if let Some((to, _)) = self.run(&at, request, &payload, mask) {
                    next.insert(key(&to), to);
                }
            }
            // Before creation nothing waits.
            if next.keys().all(|it| *it == key(&at)) && at.0.is_some() {
                suspects.push(at.clone());
            }
            for (key, to) in next {
                if seen.len() < MAX_CONFIGURATIONS && seen.insert(key) {
                    open.push_back(to);
                }
            }
        }
        let wide = |at: &Configuration, rng: &mut Rng| {
            let calls = self.calls(at, WIDE, MAX_WIDE_CALLS, rng);
            calls.iter().any(|(request, payload, mask)| self.run(at, *request, payload, *mask).is_some_and(|(to, _)| key(&to) != key(at)))
        };
        for at in suspects.into_iter().take(MAX_SUSPECTS) {
            if !deadlock_told && has_terminal && !wide(&at, rng) && !self.goes_on(&at, rng) {
                return Some(format!("complete, but no deadlock is reported: {at:?}"));
            }
            if !stuck_told && has_terminal && !wide(&at, rng) {
                return Some(format!("complete, but nothing is reported as stuck: {at:?}"));
            }
        }
        None
    }
}

fn key(at: &Configuration) -> (Option<StateId>, Vec<Value>) {
    at.clone()
}
