//! A walkthrough as a Mermaid sequence diagram. The walkthrough is executed; the diagram shows its trace.
//!
//! ```text
//! sequenceDiagram
//!     actor by0 as user
//!     participant part0 as Mission
//!     by0->>part0: 1.2 approve_mission
//!     Note over part0: AWAITING_APPROVAL → IN_PROGRESS
//!     by0-xpart0: 3 approve_mission
//!     Note over by0,part0: refused: …
//! ```
//!
//! A transaction that fires several events is a frame: all of them happen, or none.

use std::collections::BTreeSet;

use statespec_lang::interpret::system::Fired;
use statespec_lang::interpret::walkthrough::StepTrace;
use statespec_lang::model::system::{Step, Transaction, Walkthrough};
use statespec_lang::model::{ActorId, Configuration, Machine, Model, PartId, System};

use super::lines::{Lines, label};

/// The number of steps up to which a reader can follow the diagram.
const MAX_STEPS: usize = 60;

/// The error for a walkthrough that is too long to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong {
    /// The number of steps.
    pub n_steps: usize,
}

/// Draws an executed walkthrough.
pub fn sequence(model: &Model, system: &System, walkthrough: &Walkthrough, traces: &[StepTrace]) -> Result<Lines, TooLong> {
    let too_long = TooLong { n_steps: walkthrough.steps.len() };
    if too_long.n_steps > MAX_STEPS {
        return Err(too_long);
    }
    let steps: Vec<(&Step, &StepTrace)> = walkthrough.steps.iter().zip(traces).collect();
    let callers = callers(system, &steps);
    let mut drawing = Drawing { model, system, callers, lines: Lines::default() };
    drawing.participants(&steps);
    for (step, trace) in steps {
        drawing.step(step, trace);
    }
    if drawing.lines.fits() { Ok(drawing.lines) } else { Err(too_long) }
}

/// Who triggers the steps: each list of actors, in the order of the steps.
fn callers<'a>(system: &'a System, steps: &[(&Step, &StepTrace)]) -> Vec<&'a [ActorId]> {
    let mut callers: Vec<&[ActorId]> = Vec::new();
    for (step, _) in steps {
        let by = system.transactions[step.transaction].by.as_slice();
        if !callers.contains(&by) {
            callers.push(by);
        }
    }
    callers
}

struct Drawing<'a> {
    model: &'a Model,
    system: &'a System,
    callers: Vec<&'a [ActorId]>,
    lines: Lines,
}

impl Drawing<'_> {
    fn participants(&mut self, steps: &[(&Step, &StepTrace)]) {
        self.lines.push(0, &["sequenceDiagram"], None);
        for idx in 0..self.callers.len() {
            let names: Vec<&str> =
                self.callers[idx].iter().filter_map(|it| Some(self.system.actors.get(it.index())?.name.as_str())).collect();
            let name = if names.is_empty() { "anybody".to_owned() } else { names.join(" or ") };
            self.lines.push(1, &[&format!("actor by{idx} as "), &label(&name)], None);
        }
        let fired = |(step, trace): &(&Step, &StepTrace)| {
            let own = self.system.transactions[step.transaction].fire.iter().map(|it| self.system.plays(it.part));
            own.chain(fired(trace).iter().map(|it| it.part)).collect::<Vec<_>>()
        };
        let used: BTreeSet<PartId> = steps.iter().flat_map(fired).collect();
        for part in used {
            self.lines.push(1, &[&format!("participant part{} as ", part.index()), &label(&self.system.part(part).label)], None);
        }
    }

    fn step(&mut self, step: &Step, trace: &StepTrace) {
        let transaction = &self.system.transactions[step.transaction];
        let caller = self.callers.iter().position(|it| *it == transaction.by).unwrap_or_default();
        let title = label(&format!("{} {}", step.number, transaction.name));
        match (&trace.outcome, fired(trace)) {
            (Err(reason), _) => {
                let text = step.refused.clone().unwrap_or_else(|| reason.show(self.model, self.system));
                self.refusal(transaction, caller, &title, &text);
            }
            (Ok(_), [one]) => self.fired(1, one, caller, &title),
            (Ok(_), several) => {
                self.lines.push(1, &["critical ", &title], None);
                for fired in several {
                    let event = label(&self.machine(fired.part).event(fired.event).name);
                    self.fired(2, fired, caller, &event);
                }
                self.lines.push(1, &["end"], None);
            }
        }
    }

    /// A message to a part, and what it changed.
    fn fired(&mut self, depth: usize, fired: &Fired, caller: usize, text: &str) {
        let from = match fired.link.and_then(|it| self.system.links.get(it)) {
            Some(link) => format!("part{}", link.part.index()),
            None => format!("by{caller}"),
        };
        let to = fired.part.index();
        self.lines.push(depth, &[&format!("{from}->>part{to}: {text}")], None);
        let machine = self.machine(fired.part);
        let state = |it: &Configuration| machine.configuration_path(it).into_owned();
        let after = state(&fired.after.configuration);
        let change = match fired.before.as_ref().map(|it| &it.configuration) {
            None => format!("created in {after}"),
            Some(before) if *before == fired.after.configuration => format!("stays in {after}"),
            Some(before) => format!("{} \u{2192} {after}", state(before)),
        };
        let part = self.system.part(fired.part);
        let number = if part.many { format!("{} {}: ", part.label, fired.number) } else { String::new() };
        self.lines.push(depth, &[&format!("Note over part{to}: "), &label(&format!("{number}{change}"))], None);
    }

    fn refusal(&mut self, transaction: &Transaction, caller: usize, title: &str, text: &str) {
        let Some(fire) = transaction.fire.first() else { return };
        let to = self.system.plays(fire.part).index();
        self.lines.push(1, &[&format!("by{caller}-xpart{to}: {title}")], None);
        self.lines.push(1, &[&format!("Note over by{caller},part{to}: "), &label(&format!("refused: {text}"))], None);
    }

    fn machine(&self, part: PartId) -> &Machine {
        &self.model.machines[self.system.part(part).machine]
    }
}

/// The events of a step, none if it was refused.
fn fired(trace: &StepTrace) -> &[Fired] {
    trace.outcome.as_ref().map_or(&[], |it| &it.fired)
}
