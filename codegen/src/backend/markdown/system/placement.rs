//! The rows of tables about the placement of a system.

use statespec_lang::model::PartId;
use statespec_lang::model::document::Fact;
use statespec_lang::model::placement::{Cause, Reason, Root};
use statespec_lang::model::system::Fire;

use super::super::cell::{code, join, prose};
use super::super::rows::Rows;
use super::Whole;

/// The parts with their roots, and the keys by which they are placed.
pub(super) fn parts(it: Whole<'_>, rows: &mut Rows<'_>) {
    let placement = it.system.placement(it.subjects.model);
    let root_of = |id: PartId| placement.roots.iter().find(|root| root.part == id);
    for (part, placed) in it.system.parts.iter().zip(&placement.parts) {
        let spanned = root_of(placed.root).filter(|it| !it.spanning.is_empty());
        rows.push_facts(false, part.span, |cell, fact| match fact {
            Fact::Name => code(cell, &part.name),
            Fact::Root => code(cell, &it.system.part(placed.root).name),
            Fact::Placed if spanned.is_some() => cell.push_str("*nothing*"),
            Fact::Placed if placed.through.is_empty() => cell.push_str("its key"),
            Fact::Placed => join(cell, ", then ", &placed.through, |cell, (owned, field)| {
                code(cell, &format!("{}.{}", it.system.part(*owned).name, it.machine(*owned).fields[field.index()].name));
            }),
            Fact::Reason => {
                if let Some(root) = spanned {
                    spans(it, cell, root);
                } else if placed.through.len() > 1 {
                    cell.push_str("only the last has the key of the root: copy it into the row");
                }
            }
            _ => {}
        });
    }
}

/// Why the key of a root does not keep everything together.
fn spans(it: Whole<'_>, cell: &mut String, root: &Root) {
    join(cell, ", ", &root.spanning, |cell, idx| code(cell, &it.system.transactions[*idx].name));
    cell.push_str(if root.spanning.len() == 1 { " reaches " } else { " reach " });
    join(cell, ", ", &root.others, |cell, id| {
        if *id == root.part {
            cell.push_str("another ");
        }
        code(cell, &it.system.part(*id).name);
    });
    cell.push_str(", too");
}

/// The transactions with the roots that each reaches, and why if there are several.
pub(super) fn transactions(it: Whole<'_>, rows: &mut Rows<'_>) {
    let placement = it.system.placement(it.subjects.model);
    for (transaction, reach) in it.system.transactions.iter().zip(&placement.transactions) {
        rows.push_facts(false, transaction.span, |cell, fact| match fact {
            Fact::Name => code(cell, &transaction.name),
            Fact::Root => join(cell, ", ", &reach.roots, |cell, (root, _)| code(cell, &it.system.part(*root).name)),
            Fact::Reason if !reach.is_local() => {
                join(cell, "<br>", &reach.roots, |cell, (_, why)| reason(it, cell, &transaction.fire, *why));
            }
            _ => {}
        });
    }
}

fn reason(it: Whole<'_>, cell: &mut String, fire: &[Fire], why: Reason) {
    cell.push_str(if why.changes { "changes " } else { "reads " });
    code(cell, &it.system.part(why.part).name);
    match why.cause {
        Cause::Fire(idx) => {
            cell.push_str(": ");
            it.event(cell, fire[idx].part, fire[idx].event);
        }
        Cause::Link(idx) => {
            let link = &it.system.links[idx];
            cell.push_str(": when ");
            it.link(cell, link, Fact::Trigger);
            cell.push_str(", ");
            it.event(cell, link.fire.part, link.fire.event);
        }
        Cause::Rule(idx) => {
            cell.push_str(", as a rule asks: ");
            prose(cell, it.system.rules[idx].doc.as_str());
        }
        Cause::Invariant(idx) => {
            cell.push_str(", as an invariant asks: ");
            prose(cell, it.system.invariants[idx].doc.as_str());
        }
    }
}
