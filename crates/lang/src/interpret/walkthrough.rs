//! Executes the walkthroughs of a system. Walkthrough tables are generated from the results.

use std::collections::BTreeMap;

use super::system::{Fired, SystemError, SystemHost, SystemReason, Trace, World};
use super::{Instance, Reason, Step as TakenStep, SystemClock};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::system::{Step, Walkthrough};
use crate::model::{Configuration, EventId, Machine, Model, PartId, PredicateId, System, Value};
use crate::source::Span;

/// The result of one walkthrough step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepTrace {
    /// The trace, or the reason for the expected refusal.
    pub outcome: Result<Trace, SystemReason>,
    /// The change of every part, in the order of parts.
    pub cells: Vec<Cell>,
    /// The updates, in the order of parts.
    pub updates: Vec<Update>,
}

/// The change of one part in one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// It does not exist yet.
    Absent,
    /// It took no part in the step. For a `many` part: the instance used last.
    Unchanged(Configuration),
    /// It took part; the state before and after may be the same.
    Changed {
        /// The state before; `None` if the step created it.
        before: Option<Configuration>,
        /// The state after.
        after: Configuration,
    },
    /// Several instances took part: the number of each, with its change.
    Several(Vec<(u64, Cell)>),
}

/// A summary of one part's update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    /// The part.
    pub part: PartId,
    /// The number of the instance.
    pub number: u64,
    /// The change: the summary of the row, else the labels of its effects, else "updated".
    pub summary: String,
}

impl StepTrace {
    /// The updates as sentences: `Hop #1 updated` if the summary is one word, else
    /// `Mission: current_hop_id set`.
    pub fn update_lines(&self, system: &System) -> Vec<String> {
        let line = |update: &Update| {
            let part = system.part(update.part);
            let subject = if part.many { format!("{} #{}", part.label, update.number) } else { part.label.clone() };
            let colon = if update.summary.contains(' ') { ":" } else { "" };
            format!("{subject}{colon} {}", update.summary)
        };
        self.updates.iter().map(line).collect()
    }
}

/// Executes a walkthrough. The diagnostic names the step that did not go as written.
pub fn walkthrough(model: &Model, system: &System, idx: usize) -> Result<Vec<StepTrace>, Diagnostic> {
    let Some(told) = system.walkthroughs.get(idx) else {
        return Err(Diagnostic::new(Code::Walkthrough, system.span, "the system has no such walkthrough"));
    };
    run(model, system, told)
}

fn run(model: &Model, system: &System, told: &Walkthrough) -> Result<Vec<StepTrace>, Diagnostic> {
    let mut world = World::new(model, system).map_err(|error| {
        Diagnostic::new(Code::Walkthrough, told.span, format!("the walkthrough cannot start: {}", error.show(model, system)))
    })?;
    // The instance of each `many` part that was used last.
    let mut last: BTreeMap<PartId, u64> = BTreeMap::new();
    let mut clock = SystemClock::start(model, system, &world, 0);
    let mut traces = Vec::new();
    for step in &told.steps {
        let payload: Vec<Value> = step.payload.iter().map(|it| it.to_value().unwrap_or(Value::Null)).collect();
        let until = clock.now.saturating_add(step.wait.unwrap_or(0));
        let due = wait(model, system, step, &world, &mut clock, until)?;
        let outcome = world.run(model, system, step.transaction, &step.instances, &payload, &mut Answers(step));
        match (&outcome, due) {
            (Ok(trace), _) => clock.observe(model, system, trace),
            (Err(_), Some((part, number, timer))) => clock.end(part, number, timer),
            (Err(_), None) => {}
        }
        if let Some((part, _, timer, _)) = clock.next_due(model, system, &world).filter(|it| step.wait.is_some() && it.3 <= until) {
            return Err(not_waited(model, system, step, part, timer, "is due in this time, too"));
        }
        clock.now = until;
        let outcome = judge(model, system, step, outcome)?;
        use_instances(system, step.instances.iter().copied(), &mut last);
        if let Ok(trace) = &outcome {
            use_instances(system, trace.chosen.iter().map(|(part, number)| (*part, *number)), &mut last);
            check_then(model, system, step, &world, trace)?;
        }
        traces.push(trace(model, system, &world, &last, outcome));
    }
    Ok(traces)
}

/// Records the instances of a step; that of a part itself counts as used after those in roles.
fn use_instances(system: &System, instances: impl Iterator<Item = (PartId, u64)> + Clone, last: &mut BTreeMap<PartId, u64>) {
    let in_roles = instances.clone().filter(|(part, _)| system.plays(*part) != *part);
    last.extend(in_roles.map(|(role, number)| (system.plays(role), number)));
    last.extend(instances.filter(|(part, _)| system.plays(*part) == *part));
}

/// Lets the time before a step pass: a timer that becomes due is the one that the step fires. Without `wait`, no time passes.
fn wait(
    model: &Model,
    system: &System,
    step: &Step,
    world: &World,
    clock: &mut SystemClock,
    until: i64,
) -> Result<Option<(PartId, u64, EventId)>, Diagnostic> {
    let fire = &system.transactions[step.transaction].fire;
    let is_timer = |part: PartId, event: EventId| model.machines[system.part(part).machine].timer(event).is_some();
    if step.wait.is_none() {
        return match fire.iter().find(|it| is_timer(it.part, it.event)) {
            Some(it) => Err(not_waited(model, system, step, it.part, it.event, "is not due, because no time passes without `wait`")),
            None => Ok(None),
        };
    }
    let Some((part, number, timer, moment)) = clock.next_due(model, system, world).filter(|it| it.3 <= until) else {
        clock.now = until;
        return match fire.iter().find(|it| is_timer(it.part, it.event)) {
            Some(it) => Err(not_waited(model, system, step, it.part, it.event, "is not due in this time")),
            None => Ok(None),
        };
    };
    // In a role, it is an instance of its part.
    let is_named = !system.part(part).many || step.instances.iter().any(|it| (system.plays(it.0), it.1) == (part, number));
    if !is_named || fire.iter().all(|it| (system.plays(it.part), it.event) != (part, timer)) {
        return Err(not_waited(model, system, step, part, timer, "is due before"));
    }
    clock.now = clock.now.max(moment);
    Ok(Some((part, number, timer)))
}

fn not_waited(model: &Model, system: &System, step: &Step, part: PartId, timer: EventId, what: &str) -> Diagnostic {
    let part = system.part(part);
    let timer = &model.machines[part.machine].event(timer).name;
    let message = format!("step {}: the timer `{}.{timer}` {what}", step.number, part.name);
    Diagnostic::new(Code::Walkthrough, step.span, message)
        .help("write a step for each timer that becomes due, with the transaction that fires it, or wait for another time")
}

/// The predicates that the step declares to hold.
struct Answers<'a>(&'a Step);

impl SystemHost for Answers<'_> {
    fn predicate(&self, part: PartId, predicate: PredicateId) -> bool {
        self.0.holds.contains(&(part, predicate))
    }
}

/// Whether the step went as written.
fn judge(
    model: &Model,
    system: &System,
    step: &Step,
    outcome: Result<Trace, SystemError>,
) -> Result<Result<Trace, SystemReason>, Diagnostic> {
    let wrong = |message: String| Diagnostic::new(Code::Walkthrough, step.span, message);
    match (outcome, &step.refused) {
        (Ok(trace), None) => Ok(Ok(trace)),
        (Ok(_), Some(text)) => {
            let message = format!("step {} succeeds; it should be refused with `{text}`", step.number);
            Err(wrong(message).help("remove `refused`, or fix the graph"))
        }
        (Err(SystemError::Refused(reason)), Some(text)) => {
            let found = reason.show(model, system);
            if found == *text {
                return Ok(Err(reason));
            }
            Err(wrong(format!("step {} is refused with another text", step.number)).help(format!("it says: {found}")))
        }
        (Err(SystemError::Refused(reason)), None) => {
            let said = reason.show(model, system);
            let mut diagnostic = wrong(format!("step {} is refused: {said}", step.number));
            if let Some(span) = blame(model, system, &reason) {
                diagnostic = diagnostic.also(span, "by this");
            }
            Err(diagnostic.help("if that is intended, add `refused` with this text"))
        }
        (Err(error), _) => Err(wrong(format!("step {} cannot run: {}", step.number, error.show(model, system)))
            .help("`instances` says which one, as in `instances: { hop: 1 }`")),
    }
}

/// The place in the specs that refused a step, if there is one.
fn blame(model: &Model, system: &System, reason: &SystemReason) -> Option<Span> {
    match reason {
        SystemReason::Rule(idx) => system.rules.get(*idx).map(|it| it.span),
        SystemReason::Link(idx, _) => system.links.get(*idx).map(|it| it.span),
        SystemReason::Invariant(idx) => system.invariants.get(*idx).map(|it| it.span),
        SystemReason::Machine { part, refused, .. } => {
            let Reason::Text(row) = refused.reason else { return None };
            let machine = model.machines.get(system.parts.get(part.index())?.machine)?;
            machine.transitions.get(row.index()).map(|it| it.span)
        }
        SystemReason::Missing(_) | SystemReason::Same(_) | SystemReason::DivisionByZero => None,
    }
}

fn check_then(model: &Model, system: &System, step: &Step, world: &World, trace: &Trace) -> Result<(), Diagnostic> {
    for (part, wanted) in &step.then {
        let declared = system.part(*part);
        let Some(machine) = model.machines.get(declared.machine) else { continue };
        let instance = trace.chosen.get(part).and_then(|number| world.instance(system.plays(*part), *number));
        if instance.is_some_and(|it| machine.is_active(&it.configuration, *wanted)) {
            continue;
        }
        let found = match instance {
            Some(it) => format!("is in {}", machine.configuration_path(&it.configuration)),
            None => "is not there".into(),
        };
        let message = format!("after step {} the {} {found}, not in {}", step.number, declared.name, machine.path_name(*wanted));
        return Err(Diagnostic::new(Code::Walkthrough, step.span, message).help("change `then`, or fix the graph"));
    }
    Ok(())
}

fn trace(model: &Model, system: &System, world: &World, last: &BTreeMap<PartId, u64>, outcome: Result<Trace, SystemReason>) -> StepTrace {
    let fired: &[Fired] = outcome.as_ref().map_or(&[], |it| &it.fired);
    let mut cells = Vec::new();
    let mut updates = Vec::new();
    for part in system.part_ids() {
        let own: Vec<&Fired> = fired.iter().filter(|it| it.part == part).collect();
        cells.push(match changed(&own).as_slice() {
            [] => match last.get(&part).and_then(|number| world.instance(part, *number)) {
                Some(instance) => Cell::Unchanged(instance.configuration.clone()),
                None => Cell::Absent,
            },
            [(_, only)] => only.clone(),
            several => Cell::Several(several.to_vec()),
        });
        let Some(machine) = model.machines.get(system.part(part).machine) else { continue };
        for fired in own {
            updates.extend(summary(machine, fired).map(|summary| Update { part, number: fired.number, summary }));
        }
    }
    StepTrace { outcome, cells, updates }
}

/// The changes of a part's instances, by number.
fn changed(own: &[&Fired]) -> Vec<(u64, Cell)> {
    let mut changed: BTreeMap<u64, (Option<Configuration>, Configuration)> = BTreeMap::new();
    for fired in own {
        let before = fired.before.as_ref().map(|it: &Instance| it.configuration.clone());
        let after = fired.after.configuration.clone();
        changed.entry(fired.number).and_modify(|it| it.1 = after.clone()).or_insert((before, after));
    }
    changed.into_iter().map(|(number, (before, after))| (number, Cell::Changed { before, after })).collect()
}

/// A summary of the effect of firing one event; none if nothing changed.
fn summary(machine: &Machine, fired: &Fired) -> Option<String> {
    let label = |step: &TakenStep| {
        let effects = || {
            let effects = step.effects.iter().map(|it| machine.effect(it.effect));
            let labels: Vec<_> = effects.map(|it| it.label.as_deref().or(it.doc.as_deref()).unwrap_or(&it.name)).collect();
            (!labels.is_empty()).then(|| labels.join(", "))
        };
        let summaries: Vec<&str> = step.transitions.iter().filter_map(|it| machine.transition(*it).summary.as_deref()).collect();
        if summaries.is_empty() { effects() } else { Some(summaries.join(", ")) }
    };
    let mut words: Vec<String> = fired.steps.iter().filter_map(label).collect();
    words.dedup();
    if words.is_empty() && fired.before.as_ref() != Some(&fired.after) {
        words.push("updated".into());
    }
    (!words.is_empty()).then(|| words.join(", "))
}
