//! Compares programs of systems with the interpreter: the same transactions, one after the other.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::interpret::{BoundaryValues, EffectCall, Fired, SystemError, SystemHost, SystemMisuse, SystemReason, World};
use statespec_lang::model::{EffectId, Model, PartId, PredicateId, System, Type, Value};
use statespec_lang::program::SystemProgram;

use super::run_system::{self, Keys, Programs, Stop};

/// How often each outcome occurred.
pub(crate) type Counts = BTreeMap<&'static str, usize>;

/// A random number below another one.
pub(crate) type Below<'a> = &'a mut dyn FnMut(usize) -> usize;

/// Compares random transactions on several worlds, and all walkthroughs.
pub(crate) fn compare(model: &Model, programs: &Programs<'_>, n_worlds: usize, n_calls: usize, below: Below<'_>, counts: &mut Counts) {
    let program = &programs.system;
    let system = program.system;
    for told in &system.walkthroughs {
        let mut pair = Pair::new(model, programs);
        for step in &told.steps {
            let named = |part: &PartId| step.instances.iter().find(|it| it.0 == *part).copied();
            // A walkthrough may leave out an instance that does not matter to the interpreter.
            let Some(keys) = program.transactions[step.transaction].keys.iter().map(named).collect() else { break };
            let payload: Vec<Value> = step.payload.iter().map(|it| it.to_value().unwrap_or(Value::Null)).collect();
            let outside = Outside { holds: step.holds.iter().copied().collect(), ..Outside::default() };
            pair.call(step.transaction, &keys, &payload, &outside, counts);
        }
    }
    let mut succeeded: BTreeMap<usize, usize> = BTreeMap::new();
    for _ in 0..n_worlds {
        let mut pair = Pair::new(model, programs);
        for _ in 0..n_calls {
            let Some((transaction, keys, payload)) = pair.promising(&succeeded, below) else { break };
            let outside = outside(model, system, below);
            let went = pair.call(transaction, &keys, &payload, &outside, counts);
            *succeeded.entry(transaction).or_default() += usize::from(went);
        }
    }
}

/// Everything outside the machines: it answers, fails as planned, and records.
#[derive(Debug, Clone, Default)]
struct Outside {
    holds: BTreeSet<(PartId, PredicateId)>,
    fails: BTreeSet<(PartId, EffectId)>,
    store_fails: bool,
    happened: Vec<Happened>,
}

/// An event outside the machines.
#[derive(Debug, Clone, PartialEq)]
enum Happened {
    Before(PartId, u64, EffectCall),
    Store(Vec<Fired>),
    After(PartId, u64, EffectCall),
}

impl SystemHost for Outside {
    fn predicate(&self, part: PartId, predicate: PredicateId) -> bool {
        self.holds.contains(&(part, predicate))
    }

    fn before(&mut self, part: PartId, number: u64, effect: &EffectCall) -> Result<(), String> {
        self.happened.push(Happened::Before(part, number, effect.clone()));
        if self.fails.contains(&(part, effect.effect)) { Err("told to".to_owned()) } else { Ok(()) }
    }

    fn store(&mut self, fired: &[Fired]) -> Result<(), String> {
        self.happened.push(Happened::Store(fired.to_vec()));
        if self.store_fails { Err("told to".to_owned()) } else { Ok(()) }
    }

    fn effect(&mut self, part: PartId, number: u64, effect: &EffectCall) {
        self.happened.push(Happened::After(part, number, effect.clone()));
    }
}

fn outside(model: &Model, system: &System, below: Below<'_>) -> Outside {
    let mut outside = Outside { store_fails: below(12) == 0, ..Outside::default() };
    for part in system.part_ids() {
        let machine = &model.machines[system.part(part).machine];
        outside.holds.extend((0..machine.predicates.len()).filter(|_| below(4) > 0).map(|it| (part, PredicateId::new(it))));
        outside.fails.extend((0..machine.effects.len()).filter(|_| below(12) == 0).map(|it| (part, EffectId::new(it))));
    }
    outside
}

/// A host for which every predicate is true.
struct Willing;

impl SystemHost for Willing {
    fn predicate(&self, _: PartId, _: PredicateId) -> bool {
        true
    }
}

/// A transaction, the instances that its caller names, and its payload.
type Transacted = (usize, Keys, Vec<Value>);

/// The world of the interpreter, and the same one of the program.
struct Pair<'a> {
    model: &'a Model,
    programs: &'a Programs<'a>,
    program: &'a SystemProgram<'a>,
    expected: World,
    found: run_system::World,
    /// The values to try, by transaction and input.
    inputs: Vec<Vec<Vec<Value>>>,
}

impl<'a> Pair<'a> {
    fn new(model: &'a Model, programs: &'a Programs<'a>) -> Self {
        let program = &programs.system;
        let system = program.system;
        let values = |(input, first): (&statespec_lang::model::system::Input, PartId)| {
            let machine = &model.machines[system.part(input.of.unwrap_or(first)).machine];
            let mut values = match &input.field.ty {
                Type::Enum(id) => (0..system.enums[id.index()].values.len()).map(|it| Value::Enum(*id, it)).collect(),
                _ => BoundaryValues::new(machine).of(&input.field),
            };
            values.extend(input.field.optional.then_some(Value::Null));
            values
        };
        let inputs = system.transactions.iter().map(|it| it.payload.iter().map(|input| values((input, it.fire[0].part))).collect());
        let expected = World::new(model, system).expect("a world");
        let pair = Pair { model, programs, program, expected, found: run_system::start(programs), inputs: inputs.collect() };
        pair.compare("at the start");
        pair
    }

    fn any(&self, below: Below<'_>) -> Option<Transacted> {
        let n_transactions = self.program.transactions.len();
        let transaction = (n_transactions > 0).then(|| below(n_transactions))?;
        let keys = self.program.transactions[transaction].keys.iter().map(|it| (*it, 1 + [0, 0, 0, 1, 2][below(5)])).collect();
        let payload = self.inputs[transaction].iter().map(|it| it[below(it.len())].clone()).collect();
        Some((transaction, keys, payload))
    }

    /// A random call: of several successful ones, the one that has succeeded least often, so that walks reach more states.
    fn promising(&self, succeeded: &BTreeMap<usize, usize>, below: Below<'_>) -> Option<Transacted> {
        let mut best: Option<(usize, Transacted)> = None;
        for _ in 0..below(10) {
            let call = self.any(below)?;
            let rarity = succeeded.get(&call.0).copied().unwrap_or(0);
            if best.as_ref().is_some_and(|it| it.0 <= rarity) {
                continue;
            }
            let chosen: Vec<(PartId, u64)> = call.1.clone().into_iter().collect();
            if self.expected.clone().run(self.model, self.program.system, call.0, &chosen, &call.2, &mut Willing).is_ok() {
                best = Some((rarity, call));
            }
        }
        best.map(|it| it.1).or_else(|| self.any(below))
    }

    /// Compares one transaction; returns whether it is accepted.
    fn call(&mut self, transaction: usize, keys: &Keys, payload: &[Value], outside: &Outside, counts: &mut Counts) -> bool {
        let system = self.program.system;
        let chosen: Vec<(PartId, u64)> = keys.clone().into_iter().collect();
        let (mut theirs, mut ours) = (outside.clone(), outside.clone());
        let expected = self.expected.run(self.model, system, transaction, &chosen, payload, &mut theirs);
        let found = run_system::transact(self.programs, &mut self.found, transaction, keys, payload, &mut ours);
        let place = format!("{} of {} with {keys:?} and {payload:?}", system.transactions[transaction].name, system.name);
        let mut count = |what| *counts.entry(what).or_default() += 1;
        let is_accepted = match (expected, found) {
            (Ok(trace), Ok(done)) => {
                assert_eq!(done.fired, trace.fired, "{place}");
                assert_eq!(done.skipped, trace.passed_over, "{place}");
                assert_eq!(done.unsaved, trace.unsaved, "{place}");
                let other = done.keys.iter().find(|(part, key)| trace.chosen.get(part) != Some(key));
                assert_eq!(other, None, "{place}: {:?}", trace.chosen);
                count("accepted");
                trace.fired.iter().filter(|it| it.link.is_some()).for_each(|_| count("fired by a link"));
                trace.fired.iter().filter(|it| it.before.is_none()).for_each(|_| count("created"));
                trace.passed_over.iter().for_each(|_| count("skipped"));
                trace.unsaved.iter().for_each(|_| count("unsaved"));
                true
            }
            (Err(SystemError::Refused(expected)), Err(Stop::Refused(found))) => {
                assert_eq!(found, expected, "{place}");
                self.compare_texts(&found);
                count(kind(&found));
                false
            }
            (Err(SystemError::Failed(part, failure)), Err(Stop::Failed(found_part, found))) => {
                assert_eq!((found_part, found), (part, failure), "{place}");
                count("failed");
                false
            }
            // The interpreter takes these for mistakes of its caller.
            (Err(SystemError::Misuse(SystemMisuse::Unknown(expected))), Err(Stop::Unknown(part))) => {
                assert_eq!(part, expected, "{place}");
                count("unknown");
                false
            }
            (Err(SystemError::Misuse(SystemMisuse::Apart { part: expected, .. })), Err(Stop::Apart(part))) => {
                assert_eq!(part, expected, "{place}");
                count("apart");
                false
            }
            (Err(SystemError::Misuse(SystemMisuse::Endless)), Err(Stop::Endless)) => {
                count("endless");
                false
            }
            (expected, found) => panic!("{place}: {expected:?}, and by the program {:?}", found.map(|it| it.fired)),
        };
        assert_eq!(ours.happened, theirs.happened, "{place}");
        self.compare(&place);
        is_accepted
    }

    /// The texts that a program has itself.
    fn compare_texts(&self, reason: &SystemReason) {
        let text = match reason {
            SystemReason::Missing(part) => &self.program.part(*part).missing,
            SystemReason::Same(part) => &self.program.part(*part).same,
            SystemReason::Link(_, reason) => return self.compare_texts(reason),
            SystemReason::Rule(_) | SystemReason::Machine { .. } | SystemReason::Invariant(_) | SystemReason::DivisionByZero => return,
        };
        assert_eq!(*text, reason.show(self.model, self.program.system));
    }

    fn compare(&self, place: &str) {
        for part in self.program.system.part_ids() {
            let expected: Vec<_> = self.expected.instances(part).collect();
            let found: Vec<_> = self.found.range((part, 0)..=(part, u64::MAX)).map(|(it, instance)| (it.1, instance)).collect();
            assert_eq!(found, expected, "{}: {place}", self.program.system.part(part).name);
        }
    }
}

fn kind(reason: &SystemReason) -> &'static str {
    match reason {
        SystemReason::Missing(_) => "missing",
        SystemReason::Same(_) => "same",
        SystemReason::Rule(_) => "rule",
        SystemReason::Machine { .. } => "machine",
        SystemReason::Link(..) => "link",
        SystemReason::Invariant(_) => "invariant",
        SystemReason::DivisionByZero => "division",
    }
}
