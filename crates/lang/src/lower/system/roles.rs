//! The roles of transactions: further instances of parts with `many`.
//!
//! ```text
//! also: { target: session }
//! ```
//!
//! Roles are lowered before rules, which may name them. A role has the same part in all transactions.

use super::{Lowering, check_word, is_creation, part_named};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::model::machine::Event;
use crate::model::system::{Part, Role};
use crate::model::{EventId, Machine, PartId, System};
use crate::names;
use crate::read::{Entries, Text};
use crate::spec;
use crate::spec::system::Transaction;

pub(super) fn lower(spec: &spec::system::System, system: &mut System, cx: &Lowering<'_>, diagnostics: &mut Diagnostics) {
    let mut roles: Vec<Declared> = Vec::new();
    for (_, transaction) in spec.transactions.iter().flat_map(Entries::iter) {
        for (name, part) in transaction.also.iter().flat_map(Entries::iter) {
            declare(name, part, transaction, &mut roles, system, cx, diagnostics);
        }
    }
    for Declared { name, plays, is_new } in &roles {
        let id = PartId::new(system.parts.len() + system.roles.len());
        system.roles.push(Role {
            part: Part { span: name.span, ..of_role(name.value.clone(), *plays, system) },
            plays: *plays,
            declared: true,
        });
        add_owners(id, *plays, *is_new, system, cx);
    }
}

/// A role with the part whose instances take it, and whether the transactions create the instance.
struct Declared {
    name: Text,
    plays: PartId,
    is_new: bool,
}

fn declare(
    name: &Text,
    part: &Text,
    transaction: &Transaction,
    roles: &mut Vec<Declared>,
    system: &System,
    cx: &Lowering<'_>,
    diagnostics: &mut Diagnostics,
) {
    check_word(name, "role", diagnostics);
    if let Some(same) = system.parts.iter().find(|it| names::snake(&it.name) == names::snake(&name.value)) {
        let message = format!("`{}` is a part", name.value);
        diagnostics.push(Diagnostic::new(Code::NameCollision, name.span, message).also(same.span, "declared here").help("rename the role"));
        return;
    }
    let Some(plays) = part_named(part, &[], system, diagnostics) else { return };
    if !system.part(plays).many {
        let message = format!("there is only one `{}`", part.value);
        let help = "a role names an additional instance: declare the part with `many: true`, or name the part itself";
        diagnostics.push(Diagnostic::new(Code::BadSystem, part.span, message).help(help));
        return;
    }
    let is_new = creates(&name.value, transaction, cx.machine(system, plays));
    match roles.iter().find(|it| names::snake(&it.name.value) == names::snake(&name.value)) {
        None => roles.push(Declared { name: name.clone(), plays, is_new }),
        Some(same) if same.name.value != name.value => {
            let message = format!("`{}` and `{}` are the same name in code", same.name.value, name.value);
            diagnostics.push(Diagnostic::new(Code::NameCollision, name.span, message).also(same.name.span, "declared here"));
        }
        Some(same) if same.plays != plays => {
            let message = format!("the role `{}` is a `{}` elsewhere, not a `{}`", name.value, system.part(same.plays).name, part.value);
            let diagnostic = Diagnostic::new(Code::BadSystem, part.span, message).also(same.name.span, "declared here");
            diagnostics.push(diagnostic.help("a role has the same part in all transactions; use another name"));
        }
        Some(same) if same.is_new != is_new => {
            let (created, found) = if is_new { ("here", "elsewhere") } else { ("elsewhere", "here") };
            let message = format!("the `{}` is created {created}, and exists {found}", name.value);
            let diagnostic = Diagnostic::new(Code::BadSystem, name.span, message).also(same.name.span, "declared here");
            diagnostics.push(diagnostic.help("use two roles"));
        }
        Some(_) => {}
    }
}

/// Whether a transaction creates the instance of a role.
fn creates(role: &str, transaction: &Transaction, machine: &Machine) -> bool {
    let is_creation = |name: &str| {
        let event = |(idx, event): (usize, &Event)| (event.name == name).then(|| EventId::new(idx));
        machine.events.iter().enumerate().find_map(event).is_some_and(|it| is_creation(it, machine))
    };
    let events = transaction.fire.0.iter().filter_map(|it| it.parts().0.value.split_once('.'));
    events.filter(|(part, _)| *part == role).any(|(_, event)| is_creation(event))
}

/// The part as a role sees it.
fn of_role(name: String, plays: PartId, system: &System) -> Part {
    let part = system.part(plays);
    Part { label: super::capitalised(&name), name, orders: Vec::new(), doc: None, ..part.clone() }
}

/// The owner of the instance in a role takes a role of its own, and so does its owner. Where a transaction creates the instance,
/// or where it begins with its first event, it belongs to the owner that the transaction names.
fn add_owners(mut role: PartId, mut plays: PartId, mut is_new: bool, system: &mut System, cx: &Lowering<'_>) {
    let declared = system.part(role).name.clone();
    while let Some((owner, field)) = system.part(plays).of {
        is_new |= cx.machine(system, plays).edges_from(None).is_empty();
        if is_new || !system.part(owner).many {
            return;
        }
        let id = PartId::new(system.parts.len() + system.roles.len());
        // No part and no other role can have this name.
        let name = format!("{declared}.{}", system.part(owner).name);
        let idx = role.index() - system.parts.len();
        system.roles[idx].part.of = Some((id, field));
        system.roles.push(Role { part: of_role(name, owner, system), plays: owner, declared: false });
        (role, plays) = (id, owner);
    }
}

/// The roles that a transaction declares.
pub(super) fn of_transaction(spec: &Transaction, system: &System) -> Vec<PartId> {
    spec.also.iter().flat_map(Entries::iter).filter_map(|(name, _)| system.role_id(&name.value)).collect()
}
