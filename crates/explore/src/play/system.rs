//! A session with a system.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use statespec_lang::diagnostic::suggest;
use statespec_lang::interpret::value::show;
use statespec_lang::interpret::{EffectCall, SystemClock, SystemError, SystemHost, SystemReason, Trace, World};
use statespec_lang::model::system::{Input, Transaction};
use statespec_lang::model::{Machine, Model, PartId, PredicateId, System, Type, Value};
use statespec_lang::show::SystemNames;

use super::clock::Clock;
use super::slot::Slot;
use super::text::{Ink, Text};
use super::{Game, Settings, Tests, Undone, actors, line};
use crate::{TraceStep, change, literal, payloads_of, trigger};

/// The number of combinations of instances and payloads tried to decide whether a transaction is permitted.
const MAX_TRIES: usize = 2_000;

pub(super) struct SystemGame<'m> {
    model: &'m Model,
    system: &'m System,
    world: World,
    /// The running timers.
    timers: SystemClock,
    past: Vec<Past>,
}

/// A requested step, taken or refused.
struct Past {
    before: World,
    timers: SystemClock,
    clock: Clock,
    line: String,
    step: TraceStep,
    pasteable: bool,
    has_changed_something: bool,
}

/// The environment: predicates set by hand, effects only recorded.
struct Outside<'a> {
    game: &'a SystemGame<'a>,
    holds: &'a BTreeSet<String>,
    raised: Vec<(PartId, u64, EffectCall)>,
}

impl SystemHost for Outside<'_> {
    fn predicate(&self, part: PartId, predicate: PredicateId) -> bool {
        self.holds.contains(&self.game.predicate(part, predicate))
    }

    fn before(&mut self, part: PartId, number: u64, effect: &EffectCall) -> Result<(), String> {
        self.raised.push((part, number, effect.clone()));
        Ok(())
    }

    fn effect(&mut self, part: PartId, number: u64, effect: &EffectCall) {
        self.raised.push((part, number, effect.clone()));
    }
}

impl<'m> SystemGame<'m> {
    pub(super) fn new(model: &'m Model, system: &'m System) -> Self {
        // The world is empty if a part needs values at creation; the first step reports which.
        let world = World::new(model, system).unwrap_or_default();
        let timers = SystemClock::start(model, system, &world, Clock::default().micros());
        SystemGame { model, system, world, timers, past: Vec::new() }
    }

    fn machine(&self, part: PartId) -> &'m Machine {
        &self.model.machines[self.system.part(part).machine]
    }

    fn predicate(&self, part: PartId, predicate: PredicateId) -> String {
        format!("{}.{}", self.system.part(part).name, self.machine(part).predicates[predicate.index()].name)
    }

    fn name(&self, part: PartId, number: u64) -> String {
        let part = self.system.part(part);
        if part.many { format!("{} {number}", part.name) } else { part.name.clone() }
    }

    /// A line that runs the transaction.
    fn usage(&self, transaction: &Transaction) -> String {
        format!("{}{}", transaction.name, self.slots_of(transaction).iter().map(Slot::usage).collect::<String>())
    }

    /// The instances and inputs of a transaction.
    fn slots_of(&self, transaction: &Transaction) -> Vec<Slot> {
        let parts = self.heads(transaction).into_iter().map(|it| Slot {
            name: self.system.part(it).name.clone(),
            kind: "number".into(),
            values: self.numbers(it).iter().map(ToString::to_string).collect(),
            is_optional: false,
        });
        let inputs = transaction.payload.iter().map(|it| {
            let part = it.of.or_else(|| self.system.part_ids().next());
            Slot::new(part.map(|it| self.machine(it)), &self.system.enums, &it.field)
        });
        parts.chain(inputs).collect()
    }

    /// The instances of a part, and one that does not exist yet.
    fn numbers(&self, part: PartId) -> Vec<u64> {
        let mut numbers: Vec<u64> = self.world.instances(self.system.plays(part)).map(|it| it.0).collect();
        numbers.push(numbers.last().map_or(1, |it| it.saturating_add(1)));
        numbers
    }

    /// The parts with several instances that must be named; their owners follow from them.
    fn heads(&self, transaction: &Transaction) -> Vec<PartId> {
        let parts = self.system.parts_of(transaction);
        let follows = |part: PartId| parts.iter().any(|it| *it != part && self.system.owners(*it).any(|owner| owner == part));
        parts.iter().copied().filter(|it| self.system.part(*it).many && !follows(*it)).collect()
    }

    /// Every combination of existing instances, and of one that does not exist yet.
    fn choices(&self, transaction: &Transaction) -> Vec<Vec<(PartId, u64)>> {
        let mut all = vec![Vec::new()];
        for head in self.heads(transaction) {
            let numbers = self.numbers(head);
            let longer = all
                .iter()
                .flat_map(|it: &Vec<(PartId, u64)>| numbers.iter().map(move |number| [it.as_slice(), &[(head, *number)]].concat()));
            all = longer.take(MAX_TRIES).collect();
        }
        all
    }

    /// The combinations of instances accepted with some payload, or else the refusal.
    fn permitted(&self, idx: usize, holds: &BTreeSet<String>) -> Result<Vec<Vec<(PartId, u64)>>, Vec<String>> {
        let transaction = &self.system.transactions[idx];
        let payloads = payloads_of(self.model, self.system, transaction);
        let (mut permitted, mut refusals) = (Vec::new(), Vec::new());
        let choices = self.choices(transaction);
        let n_payloads = (MAX_TRIES / choices.len().max(1)).max(1);
        for chosen in choices {
            let mut said = None;
            let goes = payloads.iter().take(n_payloads).any(|payload| {
                let mut outside = Outside { game: self, holds, raised: Vec::new() };
                match self.world.clone().run(self.model, self.system, idx, &chosen, payload, &mut outside) {
                    Ok(_) => true,
                    Err(error) => {
                        said.get_or_insert_with(|| error.show(self.model, self.system));
                        false
                    }
                }
            });
            match said.filter(|_| !goes) {
                None => permitted.push(chosen),
                Some(said) if !refusals.contains(&said) => refusals.push(said),
                Some(_) => {}
            }
        }
        if permitted.is_empty() { Err(refusals) } else { Ok(permitted) }
    }

    fn instances(&self, chosen: &[(PartId, u64)]) -> String {
        chosen.iter().map(|(part, number)| format!("{}={number}", self.system.part(*part).name)).collect::<Vec<_>>().join(" ")
    }

    /// The events that a transaction raises, and the rules checked before.
    fn conditions(&self, transaction: &Transaction) -> String {
        let mut text = String::new();
        let event = |part: PartId, event: statespec_lang::model::EventId| {
            format!("{}.{}", self.system.part(part).name, self.machine(part).event(event).name)
        };
        let fires: Vec<String> = transaction.fire.iter().map(|it| event(it.part, it.event)).collect();
        let _ = writeln!(text, "      fires {}", fires.join(", "));
        let mut seen = BTreeSet::new();
        for fire in &transaction.fire {
            for (idx, require) in self.system.conditions_for(fire.part, fire.event) {
                let require = require.show(&SystemNames::new(self.model, self.system, &[]));
                if !seen.contains(&(idx, require.clone())) {
                    let _ = writeln!(text, "      requires {require}");
                    seen.insert((idx, require));
                }
            }
        }
        text
    }

    /// The named instances and the payload in a line.
    #[expect(clippy::type_complexity, reason = "taken apart at once")]
    fn arguments(
        &self,
        transaction: &Transaction,
        values: &[(String, String)],
        clock: Clock,
    ) -> Result<(Vec<(PartId, u64)>, Vec<Value>), String> {
        let mut chosen = Vec::new();
        for (name, text) in values {
            if transaction.payload.iter().any(|it| it.field.name == *name) {
                continue;
            }
            let mut parts = self.system.part_ids().chain(transaction.roles.iter().copied());
            let Some(part) = parts.find(|it| self.system.part(*it).name == *name) else {
                let inputs = transaction.payload.iter().map(|it| it.field.name.as_str());
                let roles = transaction.roles.iter().map(|it| self.system.part(*it));
                let known: Vec<&str> = inputs.chain(self.system.parts.iter().chain(roles).map(|it| it.name.as_str())).collect();
                let help = suggest(name, known.iter().copied()).map_or_else(String::new, |it| format!("; {it}"));
                return Err(format!("`{}` takes no `{name}`{help}", transaction.name));
            };
            let number: u64 = text.parse().map_err(|_| format!("`{name}` takes the number of an instance, not `{text}`"))?;
            if !self.system.part(part).many && number != 1 {
                return Err(format!("there is only one {name}"));
            }
            chosen.push((part, number));
        }
        let value = |input: &Input| match values.iter().find(|it| it.0 == input.field.name) {
            Some((_, text)) => {
                let part = input.of.or_else(|| self.system.part_ids().next()).ok_or("the system has no parts")?;
                clock.read(self.machine(part), &self.system.enums, &input.field, text)
            }
            None if input.field.optional => Ok(Value::Null),
            None => Err(format!("`{}` needs `{}`: write {}", transaction.name, input.field.name, self.usage(transaction))),
        };
        let payload = transaction.payload.iter().map(value).collect::<Result<_, String>>()?;
        Ok((chosen, payload))
    }

    /// The description of an executed transaction.
    fn describe(&self, before: &World, trace: &Trace, raised: &[(PartId, u64, EffectCall)]) -> Vec<String> {
        let mut did = Vec::new();
        let changed: BTreeMap<(PartId, u64), ()> = trace.fired.iter().map(|it| ((it.part, it.number), ())).collect();
        for (part, number) in changed.into_keys() {
            let (machine, name) = (self.machine(part), self.name(part, number));
            if let Some(after) = self.world.instance(part, number) {
                let stays = || format!("{name}: stays in {}", machine.configuration_path(&after.configuration));
                let again = trace.fired.iter().any(|it| (it.part, it.number) == (part, number) && crate::space::leaves(&it.steps));
                did.push(change(machine, &name, before.instance(part, number), after, again).unwrap_or_else(stays));
            }
        }
        for fired in &trace.fired {
            if let Some(link) = fired.link.and_then(|it| self.system.links.get(it)) {
                let doc = link.doc.as_ref().map_or_else(String::new, |it| format!(": {it}"));
                did.push(format!(
                    "  set off {}.{}{doc}",
                    self.name(fired.part, fired.number),
                    self.machine(fired.part).event(fired.event).name
                ));
            }
        }
        for (part, number, raised) in raised {
            let machine = self.machine(*part);
            let effect = machine.effect(raised.effect);
            let payload = effect.takes.iter().zip(&raised.taken).map(|(it, value)| format!(" {}={}", it.field.name, show(machine, value)));
            let message = raised.message.as_ref().map_or_else(String::new, |it| format!(": {it}"));
            did.push(format!("  does {}.{}{}{message}", self.name(*part, *number), effect.name, payload.collect::<String>()));
        }
        for (_, reason) in &trace.passed_over {
            did.push(format!("  passed over: {}", reason.show(self.model, self.system)));
        }
        did
    }
}

/// A transaction that was run.
struct Made<'a> {
    transaction: &'a Transaction,
    chosen: &'a [(PartId, u64)],
    payload: &'a [Value],
    holds: &'a BTreeSet<String>,
    /// The line with the request.
    line: String,
    clock: Clock,
}

impl SystemGame<'_> {
    /// Keeps a transaction, of which the world has already come, and describes it.
    fn record(
        &mut self,
        before: World,
        timers: SystemClock,
        made: Made<'_>,
        outcome: Result<Trace, SystemReason>,
        raised: &[(PartId, u64, EffectCall)],
    ) -> Text {
        let (model, system) = (self.model, self.system);
        let Made { transaction, chosen, payload, holds, line, clock } = made;
        let (changes, refused) = match outcome {
            Ok(trace) => (self.describe(&before, &trace, raised), None),
            Err(reason) => (Vec::new(), Some(reason.show(model, system))),
        };
        let text = match &refused {
            None => Text::of(Ink::Good, changes.join("\n")),
            Some(why) => Text::of(Ink::Bad, format!("refused: {why}")),
        };
        let has_changed_something = before != self.world || !raised.is_empty();
        let written: Vec<(String, (String, bool))> = transaction
            .payload
            .iter()
            .zip(payload)
            .filter(|it| *it.1 != Value::Null)
            .map(|(input, value)| (input.field.name.clone(), literal(model, system, input, value)))
            .collect();
        let step = TraceStep {
            number: 0,
            run: transaction.name.clone(),
            trigger: trigger(system, transaction),
            instances: chosen
                .iter()
                .filter(|it| system.part(it.0).many)
                .map(|(part, number)| (system.part(*part).name.clone(), *number))
                .collect(),
            with: written.iter().map(|(name, (text, _))| (name.clone(), text.clone())).collect(),
            holds: holds.iter().cloned().collect(),
            changes,
            refused,
        };
        let pasteable = written.iter().all(|(_, (_, known))| *known);
        self.past.push(Past { before, timers, clock, line, step, pasteable, has_changed_something });
        text
    }

    /// Nobody raises a timer: a transaction that fires one runs when it is due.
    fn fires_what_is_due(&self, transaction: &Transaction, chosen: &[(PartId, u64)], clock: Clock) -> Result<(), String> {
        for fire in &transaction.fire {
            let part = self.system.plays(fire.part);
            if self.machine(part).timer(fire.event).is_none() {
                continue;
            }
            let number = chosen.iter().find(|it| it.0 == fire.part).map_or(0, |it| it.1);
            let due = self.timers.due(self.model, self.system, &self.world, part, number).into_iter().find(|it| it.0 == fire.event);
            let name = format!("{}.{}", self.system.part(part).name, self.machine(part).event(fire.event).name);
            match due {
                Some((_, moment)) if moment <= clock.micros() => {}
                Some((_, moment)) => {
                    let due = clock.due(moment);
                    return Err(format!("`{name}` is a timer, due {due}; `{}` reaches that moment", clock.wait(moment)));
                }
                // A timer that does not run is refused like every event.
                None => {}
            }
        }
        Ok(())
    }
}

impl Game for SystemGame<'_> {
    fn names(&self) -> Vec<String> {
        self.system.transactions.iter().map(|it| it.name.clone()).collect()
    }

    fn predicates(&self) -> Vec<(String, Option<String>)> {
        let of = |part: PartId| {
            let predicates = self.machine(part).predicates.iter().enumerate();
            predicates.map(move |(idx, it)| (self.predicate(part, PredicateId::new(idx)), it.doc.clone()))
        };
        self.system.part_ids().flat_map(of).collect()
    }

    fn slots(&self, name: &str) -> Vec<Slot> {
        let transaction = self.system.transactions.iter().find(|it| it.name == name);
        transaction.map(|it| self.slots_of(it)).unwrap_or_default()
    }

    fn targets_of(&self, _: &str) -> Vec<String> {
        Vec::new()
    }

    fn given_slots(&self) -> Vec<Slot> {
        Vec::new()
    }

    fn has_moments(&self) -> bool {
        self.system.transactions.iter().flat_map(|it| &it.payload).any(|it| it.field.ty == Type::Timestamp)
    }

    fn has_timers(&self) -> bool {
        self.system.part_ids().any(|it| self.machine(it).timers().next().is_some())
    }

    fn elapse(&mut self, until: Clock, settings: Settings<'_>) -> Result<Option<(Clock, Text)>, String> {
        let (model, system) = (self.model, self.system);
        let (before, timers) = (self.world.clone(), self.timers.clone());
        let mut world = before.clone();
        let mut next = timers.clone();
        next.now = settings.clock.micros();
        let mut outside = Outside { game: self, holds: settings.holds, raised: Vec::new() };
        let elapsed = next.elapse(model, system, &mut world, until.micros(), &mut outside);
        let raised = outside.raised;
        let elapsed = elapsed.map_err(|it| it.show(model, system))?;
        self.timers = next;
        let Some(elapsed) = elapsed else { return Ok(None) };
        let (transaction, clock) = (&system.transactions[elapsed.transaction], Clock::at(self.timers.now));
        let instances = self.instances(&elapsed.instances);
        let line = if instances.is_empty() { transaction.name.clone() } else { format!("{} {instances}", transaction.name) };
        let mut text = Text::of(Ink::Dim, format!("{}: {line}", clock.show()));
        self.world = world;
        let done = Made { transaction, chosen: &elapsed.instances, payload: &[], holds: settings.holds, line, clock };
        text.append(self.record(before, timers, done, elapsed.outcome, &raised));
        Ok(Some((clock, text)))
    }

    fn state(&self, Settings { holds, clock }: Settings<'_>) -> Text {
        let mut text = Text::of(Ink::Head, &self.system.name);
        for part in self.system.part_ids() {
            let machine = self.machine(part);
            if self.world.instances(part).next().is_none() {
                text.line(Ink::Dim, format!("  {}: none", self.system.part(part).name));
            }
            for (number, instance) in self.world.instances(part) {
                let context = machine.fields.iter().zip(&instance.context);
                let context: String = context.map(|(field, value)| format!("; {} = {}", field.name, show(machine, value))).collect();
                text.line(
                    Ink::Plain,
                    format!("  {}: {}{context}", self.name(part, number), machine.configuration_path(&instance.configuration)),
                );
                for (timer, moment) in self.timers.due(self.model, self.system, &self.world, part, number) {
                    text.line(Ink::Plain, format!("    {} is due {}", machine.event(timer).name, clock.due(moment)));
                }
            }
        }
        let (mut can, mut cannot) = (Text::default(), Text::default());
        for (idx, transaction) in self.system.transactions.iter().enumerate() {
            let by = actors(transaction.by.iter().map(|it| self.system.actors[it.index()].name.as_str()).collect());
            match self.permitted(idx, holds) {
                Ok(chosen) => {
                    can.line(Ink::Plain, format!("  {}{by}", self.usage(transaction)));
                    let chosen: Vec<String> = chosen.iter().map(|it| self.instances(it)).filter(|it| !it.is_empty()).collect();
                    if !chosen.is_empty() {
                        can.line(Ink::Dim, format!("      for {}", chosen.join(" or ")));
                    }
                    can.line(Ink::Dim, self.conditions(transaction));
                }
                Err(refusals) => {
                    cannot.line(Ink::Plain, format!("  {}", transaction.name));
                    refusals.iter().for_each(|it| cannot.line(Ink::Bad, format!("      {it}")));
                }
            }
        }
        text.line(Ink::Head, if can.is_empty() { "nothing can be asked" } else { "can be asked:" });
        text.append(can);
        if !cannot.is_empty() {
            text.line(Ink::Head, "refused:");
            text.append(cannot);
        }
        text
    }

    fn objection(&self, _: &str, _: Clock) -> Option<String> {
        None
    }

    fn call(&mut self, words: &[String], Settings { holds, clock }: Settings<'_>) -> Result<Text, String> {
        let (model, system) = (self.model, self.system);
        let Some(idx) = system.transactions.iter().position(|it| it.name == words[0]) else { return Ok(Text::default()) };
        let transaction = &system.transactions[idx];
        let values = line::values(&words[1..]).map_err(|it| format!("{it}: write {}", self.usage(transaction)))?;
        let (chosen, payload) = self.arguments(transaction, &values, clock)?;
        self.fires_what_is_due(transaction, &chosen, clock)?;
        let (before, timers) = (self.world.clone(), self.timers.clone());
        let mut world = before.clone();
        let mut outside = Outside { game: self, holds, raised: Vec::new() };
        let outcome = world.run(model, system, idx, &chosen, &payload, &mut outside);
        let raised = outside.raised;
        let outcome = match outcome {
            Ok(trace) => Ok(trace),
            Err(SystemError::Refused(reason)) => Err(reason),
            Err(error) => return Err(format!("{}: write {}", error.show(model, system), self.usage(transaction))),
        };
        if let Ok(trace) = &outcome {
            self.world = world;
            self.timers.now = clock.micros();
            self.timers.observe(model, system, trace);
        }
        let done = Made { transaction, chosen: &chosen, payload: &payload, holds, line: line::join(words), clock };
        Ok(self.record(before, timers, done, outcome, &raised))
    }

    fn given(&mut self, _: &[(String, String)], _: Clock) -> Result<String, String> {
        Err("in a system the transactions say what a new instance is given".into())
    }

    fn undo(&mut self) -> Option<Undone> {
        let last = self.past.iter().rposition(|it| it.has_changed_something)?;
        // Later requests were made in a world that is not there any more.
        let mut undone = self.past.drain(last..);
        let Past { before, timers, clock, line, .. } = undone.next()?;
        let n_without_change = undone.len();
        drop(undone);
        (self.world, self.timers) = (before, timers);
        Some(Undone { line, n_without_change, clock: self.has_timers().then_some(clock) })
    }

    fn trace(&self) -> String {
        if self.past.is_empty() {
            return "nothing has happened yet\n".into();
        }
        let numbered = self.past.iter().enumerate().map(|(idx, it)| TraceStep { number: idx + 1, ..it.step.clone() });
        let trace = crate::Trace { given: Vec::new(), steps: numbered.collect(), pasteable: self.past.iter().all(|it| it.pasteable) };
        let note = if trace.pasteable { "" } else { "# A spec cannot write moments and references: these values have to be left out.\n" };
        format!("{note}walkthroughs:\n{}", trace.walkthrough("played", "A way that was played."))
    }

    fn test(&self, _: Option<&str>, _: &dyn Tests) -> Result<String, String> {
        Err("a system's way is tested by its walkthrough: `trace` prints it for the spec, and `check` runs it".into())
    }
}
