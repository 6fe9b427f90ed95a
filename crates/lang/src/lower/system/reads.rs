//! What an expression about an event may read: instances that the event determines, and that exist before it.

use super::{Lowering, is_creation};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::expr::{Expr, Var};
use crate::model::{EventId, PartId, System};
use crate::source::Span;

/// An expression about an event of one part may only read instances that this part determines.
pub(super) fn check_reach(expr: &Expr, from: PartId, span: Span, system: &System, diagnostics: &mut Diagnostics) {
    for part in expr.parts() {
        if !reaches(from, part, system) {
            let (from, read) = (&system.part(from).name, &system.part(part).name);
            let message = format!("ambiguous: a `{from}` does not determine one of many `{read}`");
            let help = match system.plays(part) != part {
                true => format!("write a rule before the event of the role: `before: {read}.…`"),
                false => format!("only parts without `many`, and those that a `{from}` belongs to (`of`, `by`), can be read here"),
            };
            diagnostics.push(Diagnostic::new(Code::BadSystem, span, message).help(help));
        }
    }
}

/// Whether the instance of `from` determines that of `to`. Where a transaction has a role, it names the instance of the part
/// itself and those of its other roles.
fn reaches(from: PartId, to: PartId, system: &System) -> bool {
    let plays = system.plays(from);
    system.determines(plays, to) || (from != plays && system.plays(to) != to)
}

/// Only the identity of an instance that is about to be created is known.
pub(super) fn check_not_created(
    expr: &Expr,
    fired: &[(PartId, EventId)],
    help: fn(&str, &str) -> String,
    system: &System,
    cx: &Lowering<'_>,
    diagnostics: &mut Diagnostics,
) {
    for var in expr.vars() {
        let (Var::PartState(part) | Var::PartContext(part, _)) = var else { continue };
        let machine = cx.machine(system, part);
        let creation = fired.iter().find(|(it, event)| *it == part && is_creation(*event, machine));
        if let Some((_, event)) = creation {
            let part = &system.part(part).name;
            let event = &machine.event(*event).name;
            let message = format!("`{part}.{event}` creates the {part}: before it, only `{part}.id` can be read");
            diagnostics.push(Diagnostic::new(Code::BadSystem, expr.span, message).help(help(part, event)));
        }
    }
}

/// The help for an event's payload that reads an instance before it exists.
pub(super) fn read_elsewhere(part: &str, _event: &str) -> String {
    format!("give a literal, take it from the transaction's payload, or read another part than `{part}`")
}
