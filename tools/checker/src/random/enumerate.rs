//! The interpreter on enumerated values. It knows nothing of borders.

use std::collections::{BTreeSet, VecDeque};

use rust_decimal::Decimal;
use statespec_lang::expr::{Expr, Var};
use statespec_lang::interpret::{Instance, Request, plan};
use statespec_lang::model::machine::{Field, On, Outcome};
use statespec_lang::model::{EventId, FieldId, Machine, PredicateId, StateId, TransitionId, Type, Value};

use super::Rng;

/// The width of an enumeration: the largest whole number and the largest decimal that it tries, and the decimals between two
/// numbers.
#[derive(Debug, Clone, Copy)]
struct Width {
    whole: i64,
    numbers: i64,
    steps: i64,
}

/// For many configurations.
const NARROW: Width = Width { whole: 9, numbers: 9, steps: 2 };
/// For a single one. Guards of random machines compare multiples (by 2 and 3) of halves, so their borders are multiples
/// of 1/12, and a decimal lies between any two of them. Three times a number beyond the largest constant, 21, is beyond 50.
const WIDE: Width = Width { whole: 100, numbers: 50, steps: 24 };
/// The largest number in a configuration for which [`WIDE`] has every border: a guard adds two numbers, or one of them
/// and a constant of at most 21.
const MAX_NUMBER: i64 = 25;

/// The maximum number of starts and of configurations of an enumeration, of calls in one, and of steps of a random walk.
const MAX_STARTS: usize = 60;
const MAX_CONFIGURATIONS: usize = 80;
const MAX_CALLS: usize = 150;
const MAX_WIDE_CALLS: usize = 500_000;
const MAX_SUSPECTS: usize = 3;
const N_WALKS: usize = 12;
const MAX_STEPS: usize = 15;

pub(super) type Configuration = (Option<StateId>, Vec<Value>);

/// A request with its payload and the predicates that hold, as a mask.
type Call = (Request, Vec<Value>, usize);

/// What the calls in a configuration come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leads {
    /// All are refused.
    Nowhere,
    /// Some succeed, but change nothing.
    Back,
    /// One leads to another configuration.
    Elsewhere,
}

/// The calls to try in one configuration.
struct Calls {
    calls: Vec<Call>,
    /// Whether they are all that can make a difference, and not a sample.
    all: bool,
}

/// What happened on random walks.
#[derive(Debug, Default)]
pub(super) struct Walked {
    pub(super) rows: BTreeSet<TransitionId>,
    pub(super) succeeded: BTreeSet<EventId>,
    pub(super) entered: BTreeSet<StateId>,
    pub(super) left: BTreeSet<StateId>,
}

/// The enumeration of one machine.
pub(super) struct Enumeration<'m> {
    pub(super) machine: &'m Machine,
    /// The initial values of fields that no row assigns.
    given: Vec<FieldId>,
    n_predicates: usize,
}

impl<'m> Enumeration<'m> {
    pub(super) fn new(machine: &'m Machine) -> Self {
        let written: BTreeSet<FieldId> = machine.transitions.iter().flat_map(|it| it.set.iter().map(|(field, _)| *field)).collect();
        let given = (0..machine.fields.len()).map(FieldId::new).filter(|it| !written.contains(it)).collect();
        Enumeration { machine, given, n_predicates: machine.predicates.len() }
    }

    /// The configuration before the first step, with these initial values of the fields that no row assigns.
    pub(super) fn start(&self, given: &[Value]) -> Configuration {
        let mut context: Vec<Value> =
            self.machine.fields.iter().map(|it| it.default.as_ref().and_then(|it| it.to_value()).unwrap_or(Value::Null)).collect();
        for (field, value) in self.given.iter().zip(given) {
            context[field.index()] = value.clone();
        }
        let created = !self.machine.edges_from(None).is_empty();
        (if created { None } else { Some(self.machine.initial().first()) }, context)
    }

    fn values(&self, field: &Field, width: Width) -> Vec<Value> {
        let numbers = -width.whole..=width.whole;
        let mut values: Vec<Value> = match &field.ty {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Int => numbers.map(Value::Int).collect(),
            Type::Duration => numbers.map(Value::Duration).collect(),
            Type::Timestamp => numbers.map(Value::Timestamp).collect(),
            Type::Decimal => {
                let steps = -width.numbers * width.steps..=width.numbers * width.steps;
                steps.map(|it| Value::Decimal(Decimal::from(it) / Decimal::from(width.steps))).collect()
            }
            Type::Text => ["", "a", "b", "c", "d", "e", "xx", "xxx", "text", "xxxxx", "xxxxxx"].map(|it| Value::Text(it.into())).into(),
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

    /// All products of these choices, or `limit` random ones, and whether they are all.
    fn products(choices: &[Vec<Value>], limit: usize, rng: &mut Rng) -> (Vec<Vec<Value>>, bool) {
        let n_all = choices.iter().try_fold(1_usize, |all, it| all.checked_mul(it.len()));
        if n_all.is_none_or(|it| it > limit) {
            return ((0..limit).map(|_| choices.iter().map(|it| rng.pick(it).clone()).collect()).collect(), false);
        }
        let mut all = vec![Vec::new()];
        for values in choices {
            all = all
                .into_iter()
                .flat_map(|it: Vec<Value>| values.iter().map(move |value| [it.as_slice(), std::slice::from_ref(value)].concat()))
                .collect();
        }
        (all, true)
    }

    fn requests(&self) -> Vec<Request> {
        let events = (0..self.machine.events.len()).map(|it| Request::Event(EventId::new(it)));
        let direct: BTreeSet<StateId> = self
            .machine
            .edges
            .iter()
            .filter(|it| it.on == On::Direct)
            .filter_map(|it| match it.outcome {
                Outcome::Leaf(to) => Some(to),
                _ => None,
            })
            .collect();
        events.chain(direct.into_iter().map(Request::Direct)).collect()
    }

    /// The calls to try in one configuration. What no row of a request reads has one value only.
    fn calls(&self, at: &Configuration, width: Width, limit: usize, rng: &mut Rng) -> Calls {
        let machine = self.machine;
        let mut found = Calls { calls: Vec::new(), all: true };
        for request in self.requests() {
            let fields = match request {
                Request::Event(event) => machine.event(event).payload.as_slice(),
                Request::Direct(_) => &[],
            };
            let elapses = |event: EventId| at.0.is_none_or(|leaf| machine.may_elapse(event, leaf));
            if machine.candidates(at.0, request.on()).is_empty() || !request.event().is_none_or(elapses) {
                continue;
            }
            let (read, asked) = self.reads(at.0, request.on());
            let choices: Vec<Vec<Value>> = fields
                .iter()
                .enumerate()
                .map(|(idx, field)| {
                    let mut values = self.values(field, width);
                    if !read.contains(&idx) {
                        values.truncate(1);
                    }
                    values
                })
                .collect();
            let masks: Vec<usize> = (0..1_usize << self.n_predicates).filter(|it| it & !asked == 0).collect();
            let (payloads, all) = Self::products(&choices, (limit / masks.len()).max(4), rng);
            found.all &= all;
            for payload in payloads {
                found.calls.extend(masks.iter().map(|mask| (request, payload.clone(), *mask)));
            }
        }
        found
    }

    /// The positions in the payload that rows of a request read, and the predicates that they ask, as a mask.
    fn reads(&self, from: Option<StateId>, on: On) -> (BTreeSet<usize>, usize) {
        let machine = self.machine;
        let event = on.event();
        // An event that settles goes on from where it leads, and a machine that reacts takes further steps.
        let settles = event.is_some_and(|it| machine.event(it).settles);
        let later = machine.edges.iter().filter(|it| settles && it.on == on).chain(machine.reactions());
        let (mut read, mut asked) = (BTreeSet::new(), 0);
        for edge in machine.candidates(from, on).iter().chain(later) {
            let row = machine.transition(edge.transition);
            for expr in row.guard.iter().chain(row.set.iter().map(|(_, it)| it)) {
                asked |= self.asked(expr);
                read.extend(expr.vars().into_iter().filter_map(|it| match it {
                    Var::Payload(field) => machine.payload_position(event?, field),
                    _ => None,
                }));
            }
        }
        (read, asked)
    }

    /// The predicates that an expression asks, as a mask.
    fn asked(&self, expr: &Expr) -> usize {
        (0..self.n_predicates).filter(|it| expr.asks(PredicateId::new(*it))).fold(0, |mask, bit| mask | 1 << bit)
    }

    pub(super) fn run(
        &self,
        at: &Configuration,
        request: Request,
        payload: &[Value],
        mask: usize,
    ) -> Option<(Configuration, Vec<TransitionId>)> {
        let holds = |it: PredicateId| mask >> it.index() & 1 == 1;
        let before = at.0.map(|state| Instance { configuration: state.into(), context: at.1.clone() });
        let given: Vec<(FieldId, Value)> = match at.0 {
            None => self.given.iter().map(|it| (*it, at.1[it.index()].clone())).collect(),
            Some(_) => Vec::new(),
        };
        let plan = plan(self.machine, before.as_ref(), request, payload, &given, &holds).ok()?;
        Some(((Some(plan.end.configuration.first()), plan.end.context), plan.steps.iter().map(|it| it.transitions[0]).collect()))
    }

    /// Whether some call succeeds.
    pub(super) fn goes_on(&self, at: &Configuration, rng: &mut Rng) -> bool {
        self.calls(at, WIDE, MAX_WIDE_CALLS, rng)
            .calls
            .iter()
            .any(|(request, payload, mask)| self.run(at, *request, payload, *mask).is_some())
    }

    /// Whether a terminal state can be reached, as far as walks and a small enumeration show.
    pub(super) fn ends(&self, at: &Configuration, rng: &mut Rng) -> bool {
        let is_end = |it: &Configuration| it.0.is_some_and(|it| self.machine.state(it).terminal);
        let mut seen = BTreeSet::from([at.clone()]);
        let mut open = VecDeque::from([at.clone()]);
        while let Some(at) = open.pop_front() {
            if is_end(&at) {
                return true;
            }
            for (request, payload, mask) in self.calls(&at, WIDE, 1_000, rng).calls {
                if let Some((next, _)) = self.run(&at, request, &payload, mask) {
                    if is_end(&next) {
                        return true;
                    }
                    if seen.len() < 30 && seen.insert(next.clone()) {
                        open.push_back(next);
                    }
                }
            }
        }
        false
    }

    /// Takes random steps from the start, several times.
    pub(super) fn walk(&self, rng: &mut Rng) -> Walked {
        let mut walked = Walked::default();
        let given: Vec<Vec<Value>> = self.given.iter().map(|it| self.values(&self.machine.fields[it.index()], NARROW)).collect();
        for _ in 0..N_WALKS {
            let given: Vec<Value> = given.iter().map(|it| rng.pick(it).clone()).collect();
            let mut at = self.start(&given);
            for _ in 0..MAX_STEPS {
                let calls = self.calls(&at, NARROW, 40, rng).calls;
                let next = (0..30).find_map(|_| {
                    if calls.is_empty() {
                        return None;
                    }
                    let (request, payload, mask) = rng.pick(&calls).clone();
                    self.run(&at, request, &payload, mask).map(|it| (request, it))
                });
                let Some((request, (next, rows))) = next else { break };
                walked.rows.extend(rows);
                walked.entered.extend(next.0);
                if next.0 != at.0 {
                    walked.left.extend(at.0);
                }
                if let Request::Event(event) = request {
                    walked.succeeded.insert(event);
                }
                at = next;
            }
        }
        walked
    }

    /// What the calls in a configuration come to; `None` if there are too many to try them all, or its numbers are so
    /// large that the borders lie outside of the width.
    pub(super) fn leads(&self, at: &Configuration, rng: &mut Rng) -> Option<Leads> {
        let small = at.1.iter().all(|it| match it {
            Value::Int(it) | Value::Duration(it) | Value::Timestamp(it) => it.unsigned_abs() <= MAX_NUMBER.unsigned_abs(),
            Value::Decimal(it) => it.abs() <= Decimal::from(MAX_NUMBER),
            _ => true,
        });
        let Calls { calls, all } = self.calls(at, WIDE, MAX_WIDE_CALLS, rng);
        let mut leads = Leads::Nowhere;
        for (request, payload, mask) in &calls {
            match self.run(at, *request, payload, *mask) {
                Some((to, _)) if to != *at => return Some(Leads::Elsewhere),
                Some(_) => leads = Leads::Back,
                None => {}
            }
        }
        (small && all).then_some(leads)
    }

    /// Some configurations in which a few values lead nowhere else.
    pub(super) fn suspects(&self, rng: &mut Rng) -> Vec<Configuration> {
        let choices: Vec<Vec<Value>> = self.given.iter().map(|it| self.values(&self.machine.fields[it.index()], NARROW)).collect();
        let starts = Self::products(&choices, MAX_STARTS, rng).0.into_iter().map(|it| self.start(&it));
        let mut seen: BTreeSet<Configuration> = starts.collect();
        let mut open: VecDeque<Configuration> = seen.iter().cloned().collect();
        let mut suspects = Vec::new();
        while let Some(at) = open.pop_front() {
            if at.0.is_some_and(|it| self.machine.state(it).terminal) {
                continue;
            }
            let calls = self.calls(&at, NARROW, MAX_CALLS, rng).calls;
            let next: BTreeSet<Configuration> =
                calls.iter().filter_map(|(request, payload, mask)| Some(self.run(&at, *request, payload, *mask)?.0)).collect();
            // Before creation nothing waits.
            if next.iter().all(|it| *it == at) && at.0.is_some() {
                suspects.push(at);
                if suspects.len() == MAX_SUSPECTS {
                    break;
                }
            }
            for to in next {
                if seen.len() < MAX_CONFIGURATIONS && seen.insert(to.clone()) {
                    open.push_back(to);
                }
            }
        }
        suspects
    }
}
