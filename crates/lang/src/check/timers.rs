//! Lints about timers.

use super::{Finding, MachineCx};
use crate::model::StateId;
use crate::model::machine::From;

pub(super) fn never_elapses(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    let mut findings = Vec::new();
    for row in &machine.transitions {
        let (From::States(states), [event]) = (&row.from, row.events()) else { continue };
        let leaves: Vec<StateId> = states.iter().flat_map(|it| machine.leaves_in(*it)).collect();
        let Some(faster) = leaves.first().and_then(|leaf| machine.outrun_by(*event, *leaf)) else { continue };
        if leaves.iter().any(|leaf| machine.may_elapse(*event, *leaf)) {
            continue;
        }
        let names: Vec<&str> = states.iter().map(|it| machine.state(*it).name.as_str()).collect();
        let label = |event| machine.event(event).label.as_deref().unwrap_or_default();
        let state = names.join("` and `");
        let message = format!("this is never taken: `{state}` is left before, {}", label(faster));
        let first = machine.transitions.iter().find(|it| it.events() == [faster]);
        let mut finding = Finding::new(row.span, message);
        if let Some(first) = first {
            finding = finding.also(first.span, "by this");
        }
        findings.push(finding.help("shorten its duration, give the other transition a guard, or remove this one"));
    }
    findings
}
