//! Transactions of systems with their results: `SYSTEM.json`, version 1.
//!
//! A file has the walkthroughs of the spec and random walks. Each begins without any instance; an instance is `[part, key, machine]`.
//! A step is a request for a transaction, the predicates that hold by part, and its result:
//!
//! ```json
//! { "call": { "complete_hop_plan": { "hop_id": 1, "final": true } }, "refused": { "reason": "missing", "message": "there is no hop" } }
//! ```

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json, json};
use statespec_code::systems::{RequestField, RequestValue, request};
use statespec_lang::interpret::{BoundaryValues, Fired, SystemError, SystemHost, SystemMisuse, SystemReason, Trace, World};
use statespec_lang::model::machine::Commit;
use statespec_lang::model::system::Input;
use statespec_lang::model::{Machine, Model, PartId, PredicateId, System, Type, Value};
use statespec_lang::program::SystemProgram;
use statespec_lang::source::Sources;

use super::calls::{performed, reason};
use super::values::{event, machine_of, value};
use super::walks::Random;
use super::{Extent, VERSION, printed};

/// The tests of a system as JSON, with one walk per line.
pub fn system(model: &Model, idx: usize, sources: &Sources, extent: Extent) -> String {
    let system = &model.systems[idx];
    let program = SystemProgram::of(model, system);
    let spec =
        Spec { model, system, program: &program, requests: (0..system.transactions.len()).map(|it| request(&program, it)).collect() };
    let line = |span: statespec_lang::source::Span| sources.get(span.source).line_column(span.start as usize).0;
    let lines = system.transactions.iter().map(|it| (it.name.clone(), json!(line(it.span))));
    let head = json!({
        "version": VERSION,
        "system": system.name,
        "spec": sources.get(system.source).path(),
        "lines": Json::Object(lines.collect()),
    });
    let told = (0..system.walkthroughs.len()).map(|it| spec.walkthrough(it));
    let walks = told.chain((0..extent.walks).map(|seed| spec.walk(seed, extent.steps)));
    printed(&head, &[("walks", walks.filter(|it| it["steps"].as_array().is_some_and(|it| !it.is_empty())).collect())])
}

/// A system, and how its requests are written.
struct Spec<'m> {
    model: &'m Model,
    system: &'m System,
    program: &'m SystemProgram<'m>,
    requests: Vec<Vec<RequestField>>,
}

/// A transaction, the keys that its caller names, its payload, and the predicates that hold.
#[derive(Clone)]
struct Call {
    transaction: usize,
    keys: BTreeMap<PartId, u64>,
    payload: Vec<Value>,
    holds: BTreeSet<(PartId, PredicateId)>,
}

/// What comes of a call, as far as walks choose by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// This transaction succeeds.
    Succeeded(usize),
    /// This rule refuses it.
    Rule(usize),
    /// This invariant refuses it.
    Invariant(usize),
    /// Something else refuses it.
    Refused,
}

impl Outcome {
    fn of(reason: &SystemReason) -> Outcome {
        match reason {
            SystemReason::Rule(idx) => Outcome::Rule(*idx),
            SystemReason::Invariant(idx) => Outcome::Invariant(*idx),
            SystemReason::Link(_, reason) => Outcome::of(reason),
            SystemReason::Missing(_) | SystemReason::Same(_) | SystemReason::Machine { .. } | SystemReason::DivisionByZero => {
                Outcome::Refused
            }
        }
    }
}

/// Predicates that hold if they are in the set.
struct Holds<'a>(&'a BTreeSet<(PartId, PredicateId)>);

impl SystemHost for Holds<'_> {
    fn predicate(&self, part: PartId, predicate: PredicateId) -> bool {
        self.0.contains(&(part, predicate))
    }
}

impl Spec<'_> {
    fn machine(&self, part: PartId) -> &Machine {
        &self.model.machines[self.system.part(part).machine]
    }

    fn name(&self, part: PartId) -> &str {
        &self.system.part(part).name
    }

    fn world(&self) -> World {
        // A system whose instances cannot begin is refused before.
        World::new(self.model, self.system).unwrap_or_default()
    }

    fn walkthrough(&self, idx: usize) -> Json {
        let told = &self.system.walkthroughs[idx];
        let (mut world, mut steps) = (self.world(), Vec::new());
        for step in &told.steps {
            let named = |part: &PartId| step.instances.iter().find(|it| it.0 == *part).copied();
            // A walkthrough may leave out an instance that does not matter to the interpreter.
            let Some(keys) = self.program.transactions[step.transaction].keys.iter().map(named).collect() else { break };
            let payload = step.payload.iter().map(|it| it.to_value().unwrap_or(Value::Null)).collect();
            let call = Call { transaction: step.transaction, keys, payload, holds: step.holds.iter().copied().collect() };
            steps.push(self.step(&mut world, &call));
        }
        json!({ "name": told.name, "steps": steps })
    }

    fn walk(&self, seed: usize, n_steps: usize) -> Json {
        let mut random = Random::new(seed);
        let (mut world, mut steps) = (self.world(), Vec::new());
        let mut seen = BTreeMap::new();
        let inputs = self.inputs(seed % 4 == 3);
        for _ in 0..n_steps {
            let Some((call, outcome)) = self.promising(&world, &seen, &inputs, &mut random) else { break };
            steps.push(self.step(&mut world, &call));
            *seen.entry(outcome).or_insert(0) += 1;
        }
        json!({ "name": seed.to_string(), "steps": steps })
    }

    /// The values to try, by transaction and input.
    fn inputs(&self, extreme: bool) -> Vec<Vec<Vec<Value>>> {
        let values = |input: &Input, first: PartId| {
            let machine = self.machine(input.of.unwrap_or(first));
            let of = if extreme { BoundaryValues::new(machine) } else { BoundaryValues::without_extremes(machine) };
            let mut values = match &input.field.ty {
                Type::Enum(id) => (0..self.system.enums[id.index()].values.len()).map(|it| Value::Enum(*id, it)).collect(),
                _ => of.of(&input.field),
            };
            values.extend(input.field.optional.then_some(Value::Null));
            values
        };
        let transactions = self.system.transactions.iter();
        transactions.map(|it| it.payload.iter().map(|input| values(input, it.fire[0].part)).collect()).collect()
    }

    fn call(&self, inputs: &[Vec<Vec<Value>>], random: &mut Random) -> Option<Call> {
        let n_transactions = self.system.transactions.len();
        let transaction = (n_transactions > 0).then(|| random.below(n_transactions))?;
        let keys = self.program.transactions[transaction].keys.iter().map(|it| (*it, 1 + [0, 0, 0, 1, 2][random.below(5)])).collect();
        let payload = inputs[transaction].iter().map(|it| random.pick(it).clone()).collect();
        let mut holds = BTreeSet::new();
        for part in self.system.part_ids() {
            let all = (0..self.machine(part).predicates.len()).map(PredicateId::new);
            holds.extend(all.filter(|_| random.below(4) > 0).map(|it| (part, it)));
        }
        Some(Call { transaction, keys, payload, holds })
    }

    /// A random call and its outcome. Of several that succeed, it is the one whose transaction has succeeded least often, so that walks
    /// reach more states. Every fourth call is one that a rule or an invariant refuses, if one is found: the one that has refused least
    /// often.
    fn promising(
        &self,
        world: &World,
        seen: &BTreeMap<Outcome, usize>,
        inputs: &[Vec<Vec<Value>>],
        random: &mut Random,
    ) -> Option<(Call, Outcome)> {
        let wants_refusal = random.below(4) == 0;
        let (mut success, mut refusal) = (None, None);
        for _ in 0..if wants_refusal { 16 } else { random.below(8) } {
            let (call, outcome) = self.any(world, inputs, random)?;
            let best = match outcome {
                Outcome::Succeeded(_) => &mut success,
                Outcome::Rule(_) | Outcome::Invariant(_) => &mut refusal,
                Outcome::Refused => continue,
            };
            let n_seen = seen.get(&outcome).copied().unwrap_or_default();
            if best.as_ref().is_none_or(|it: &(usize, _)| n_seen < it.0) {
                *best = Some((n_seen, (call, outcome)));
            }
        }
        let found = refusal.filter(|_| wants_refusal).or(success);
        found.map(|it| it.1).or_else(|| self.any(world, inputs, random))
    }

    /// A random call, and what would come of it.
    fn any(&self, world: &World, inputs: &[Vec<Vec<Value>>], random: &mut Random) -> Option<(Call, Outcome)> {
        let call = self.call(inputs, random)?;
        let outcome = self.outcome(world, &call);
        Some((call, outcome))
    }

    /// What would come of a call.
    fn outcome(&self, world: &World, call: &Call) -> Outcome {
        match self.run(&mut world.clone(), call) {
            Ok(_) => Outcome::Succeeded(call.transaction),
            Err(SystemError::Refused(reason)) => Outcome::of(&reason),
            Err(_) => Outcome::Refused,
        }
    }

    fn run(&self, world: &mut World, call: &Call) -> Result<Trace, SystemError> {
        let chosen: Vec<(PartId, u64)> = call.keys.iter().map(|(part, key)| (*part, *key)).collect();
        world.run(self.model, self.system, call.transaction, &chosen, &call.payload, &mut Holds(&call.holds))
    }

    fn step(&self, world: &mut World, call: &Call) -> Json {
        let mut step = json!({ "call": self.request(call) });
        let mut holds = Map::new();
        for (part, predicate) in &call.holds {
            let names = holds.entry(self.name(*part).to_owned()).or_insert_with(|| json!([]));
            if let Some(names) = names.as_array_mut() {
                names.push(json!(self.machine(*part).predicates[predicate.index()].name));
            }
        }
        if !holds.is_empty() {
            step["holds"] = Json::Object(holds);
        }
        match self.run(world, call) {
            Ok(trace) => step["ok"] = self.accepted(&trace),
            Err(error) => step["refused"] = self.refused(&error),
        }
        step
    }

    fn request(&self, call: &Call) -> Json {
        let declared = &self.system.transactions[call.transaction];
        let field = |RequestField { name, value }: &RequestField| {
            let given = match *value {
                RequestValue::Key(part) => json!(call.keys[&part]),
                RequestValue::Input(idx) => self.input(&declared.payload[idx], declared.fire[0].part, &call.payload[idx]),
            };
            (name.clone(), given)
        };
        let fields: Map<String, Json> = self.requests[call.transaction].iter().map(field).collect();
        if fields.is_empty() { json!(declared.name) } else { Json::Object(Map::from_iter([(declared.name.clone(), Json::Object(fields))])) }
    }

    /// A value of an input, whose enums are those of the system.
    fn input(&self, input: &Input, first: PartId, given: &Value) -> Json {
        match given {
            Value::Enum(id, idx) => json!(self.system.enums[id.index()].values[*idx].wire),
            other => value(self.machine(input.of.unwrap_or(first)), other),
        }
    }

    fn accepted(&self, trace: &Trace) -> Json {
        let mut writes: Vec<((PartId, u64), &Fired)> = Vec::new();
        for fired in &trace.fired {
            let of = (fired.part, fired.number);
            match writes.iter_mut().find(|it| it.0 == of) {
                Some(write) => write.1 = fired,
                None => writes.push((of, fired)),
            }
        }
        let writes = writes.iter().map(|((part, key), it)| json!([self.name(*part), key, machine_of(self.machine(*part), &it.after)]));
        let changes = trace.fired.iter().map(|it| {
            let machine = self.machine(it.part);
            let rows = it.steps.iter().map(|it| it.transitions.iter().map(|it| it.index()).collect::<Vec<_>>());
            json!({
                "part": self.name(it.part),
                "key": it.number,
                "event": event(machine, machine.event(it.event), &it.payload),
                "link": it.link,
                "created": it.before.is_none(),
                "rows": rows.collect::<Vec<_>>(),
            })
        });
        let effects = trace.fired.iter().flat_map(|fired| {
            let machine = self.machine(fired.part);
            fired.steps.iter().flat_map(|it| &it.effects).map(move |call| {
                let mut effect = vec![json!(self.name(fired.part)), json!(fired.number)];
                effect.extend(performed(machine, call).as_array().into_iter().flatten().cloned());
                Json::Array(effect)
            })
        });
        let commit = trace.fired.iter().map(|it| it.commit).min().unwrap_or(Commit::MemoryOnly);
        let skipped = trace.passed_over.iter().map(|(link, reason)| {
            let shown = self.refused(&SystemError::Refused(reason.clone()));
            json!([link, shown["reason"], shown["message"]])
        });
        json!({
            "writes": writes.collect::<Vec<_>>(),
            "changes": changes.collect::<Vec<_>>(),
            "effects": effects.collect::<Vec<_>>(),
            "commit": commit.name(),
            "skipped": skipped.collect::<Vec<_>>(),
        })
    }

    fn refused(&self, error: &SystemError) -> Json {
        let reason = match error {
            SystemError::Refused(reason) => reason,
            // The interpreter takes these for mistakes of its caller.
            SystemError::Misuse(SystemMisuse::Unknown(_)) => return json!({ "reason": "unknown" }),
            SystemError::Misuse(SystemMisuse::Apart { .. }) => return json!({ "reason": "apart" }),
            SystemError::Misuse(SystemMisuse::Endless) => return json!({ "reason": "endless" }),
            // No call here is such a mistake, and no host here fails; a program has no such reason.
            SystemError::Misuse(SystemMisuse::Other(message)) => return json!({ "reason": "misuse", "message": message }),
            SystemError::Failed(..) => return json!({ "reason": "failed" }),
        };
        let (link, reason) = match reason {
            SystemReason::Link(link, reason) => (Some(*link), reason.as_ref()),
            other => (None, other),
        };
        let (name, part, index) = match reason {
            SystemReason::Missing(part) => ("missing", Some(*part), None),
            SystemReason::Same(part) => ("same", Some(*part), None),
            SystemReason::Rule(idx) => ("rule", None, Some(*idx)),
            SystemReason::Invariant(idx) => ("invariant", None, Some(*idx)),
            SystemReason::DivisionByZero => ("division_by_zero", None, None),
            SystemReason::Machine { part, refused, .. } => (self::reason(refused.reason), Some(*part), None),
            SystemReason::Link(..) => ("link", None, None),
        };
        let part = part.map(|it| self.name(self.system.plays(it)));
        json!({ "reason": name, "message": error.show(self.model, self.system), "part": part, "index": index, "link": link })
    }
}
