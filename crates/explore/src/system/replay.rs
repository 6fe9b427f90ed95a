//! Replays a trace through a system on a whole world, and describes it in words.

use statespec_lang::interpret::value::show;
use statespec_lang::interpret::{Instance, SystemError, SystemReason, World};
use statespec_lang::model::system::{Input, Transaction};
use statespec_lang::model::{Model, System, Value};

use super::super::report::{Trace, TraceStep};
use super::super::space::{by, change};
use super::{Asked, Call, Holds, SystemSpace};

impl SystemSpace<'_> {
    /// Replays the steps one after another. The last is refused if `broken` names the invariant that
    /// it violates. The success of all others confirms the result of the search.
    pub(super) fn walk(&self, taken: &[usize], broken: Option<usize>) -> Result<Trace, String> {
        let (model, system) = (self.model, self.system);
        let mut world = World::new(model, system).map_err(|it| it.show(model, system))?;
        let mut steps = Vec::new();
        let mut pasteable = true;
        for (idx, (call, holds)) in taken.iter().map(|it| &self.steps[*it]).enumerate() {
            let call = &self.calls[*call];
            let before = world.clone();
            let answer = |it| holds.contains(&it);
            let outcome = world.run(model, system, call.transaction, &call.named, &call.payload, &mut Asked(&answer));
            let refused = match outcome {
                Ok(_) => None,
                Err(SystemError::Refused(reason @ SystemReason::Invariant(_))) if broken.is_some() && idx + 1 == taken.len() => {
                    Some(reason.show(model, system))
                }
                Err(error) => return Err(format!("the trace cannot be replayed: {}", error.show(model, system))),
            };
            let (step, as_written) = self.trace_step(idx + 1, (call, holds), &before, &world, refused);
            pasteable &= as_written;
            steps.push(step);
        }
        Ok(Trace { given: Vec::new(), steps, pasteable })
    }

    /// One step in words, and whether a spec can express it.
    fn trace_step(
        &self,
        number: usize,
        (call, holds): (&Call, &Holds),
        before: &World,
        after: &World,
        refused: Option<String>,
    ) -> (TraceStep, bool) {
        let transaction = &self.system.transactions[call.transaction];
        let mut changes = Vec::new();
        for slot in &self.slots {
            let Some(part) = slot.part else { continue };
            let machine = &self.model.machines[slot.machine];
            let (old, new) = (before.instance(part, slot.number), after.instance(part, slot.number));
            if let Some(new) = new
                && old != Some(new)
            {
                // An instance that no event creates existed before its first use.
                let started = Instance::start(machine, &[]).ok().filter(|_| machine.edges_from(None).is_empty());
                changes.extend(change(machine, &slot.name, old.or(started.as_ref()), new, false));
            }
        }
        let mut as_written = true;
        let mut with = Vec::new();
        for (input, value) in transaction.payload.iter().zip(&call.payload) {
            let (text, known) = literal(self.model, self.system, input, value);
            as_written &= known;
            if *value != Value::Null {
                with.push((input.field.name.clone(), text));
            }
        }
        let mut instances = Vec::new();
        for (part, number) in &call.named {
            let declared = self.original.part(*part);
            as_written &= declared.many || *number == 1;
            // The owner of an existing instance is known.
            let head = call.named.iter().all(|(other, number)| {
                let owner = self.system.owners(*other).any(|it| it == *part);
                !owner || before.instance(self.system.plays(*other), *number).is_none()
            });
            if head && (declared.many || *number > 1) {
                instances.push((declared.name.clone(), *number));
            }
        }
        let holds = holds.iter().map(|(part, predicate)| {
            let declared = self.system.part(*part);
            format!("{}.{}", declared.name, self.model.machines[declared.machine].predicates[predicate.index()].name)
        });
        let step = TraceStep {
            number,
            run: transaction.name.clone(),
            trigger: trigger(self.system, transaction),
            instances,
            with,
            holds: holds.collect(),
            changes,
            refused,
        };
        (step, as_written)
    }
}

/// The actors and their action, in words.
pub fn trigger(system: &System, transaction: &Transaction) -> String {
    let actors = transaction.by.iter().map(|it| system.actors[it.index()].name.as_str()).collect();
    let doc = transaction.doc.clone().unwrap_or_else(|| transaction.name.replace(['_', '-'], " "));
    format!("{}{doc}", by(actors))
}

/// A value as a spec writes it, and whether it can be written.
pub fn literal(model: &Model, system: &System, input: &Input, value: &Value) -> (String, bool) {
    let part = input.of.or_else(|| system.part_ids().next());
    let machine = part.and_then(|it| model.machines.get(system.part(it).machine));
    match (value, machine) {
        (Value::Enum(id, idx), _) => (system.enums[id.index()].values[*idx].name.clone(), true),
        (Value::Text(it), _) => (format!("{it:?}"), true),
        (Value::State(id), Some(machine)) => (machine.state(*id).name.clone(), true),
        (value, Some(machine)) => (show(machine, value), !matches!(value, Value::Timestamp(_) | Value::Reference(_))),
        (_, None) => (String::new(), false),
    }
}
