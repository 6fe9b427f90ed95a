//! Limits on the size of a system. A system larger than any person would write is refused before it
//! costs time.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::interpret::system::MAX_FIRED;
use crate::model::system::Walkthrough;
use crate::model::{Literal, Machine, System};
use crate::read::Entries;
use crate::source::Span;
use crate::spec;

const MAX_PARTS: usize = 256;
/// The maximum number of roles that all transactions together may declare.
const MAX_ROLES: usize = 256;
const MAX_RULES: usize = 1_000;
const MAX_TRANSACTIONS: usize = 10_000;
const MAX_STEPS: usize = 10_000;
/// The maximum number of events that all rules together may guard.
const MAX_GUARDED: usize = 1_000_000;
/// The maximum cost of executing all walkthroughs of a system, in edges and expressions evaluated.
const MAX_EFFORT: usize = 20_000_000;
/// The maximum total size of the texts in the contexts of all instances, in bytes.
const MAX_TEXT: usize = 16 << 20;

/// Whether a system as written is small enough to be lowered.
pub(super) fn check(spec: &spec::system::System, machines: &[Machine], diagnostics: &mut Diagnostics) -> bool {
    let n_rules = spec.rules.as_ref().map_or(0, Vec::len);
    let n_events = machines.iter().map(|it| it.events.len()).max().unwrap_or(0);
    let n_steps = spec.walkthroughs.iter().flat_map(Entries::iter).map(|(_, it)| it.steps.len()).sum();
    let n_roles = spec.transactions.iter().flat_map(Entries::iter).filter_map(|(_, it)| it.also.as_ref()).map(|it| it.0.len()).sum();
    let counted = [
        ("parts", spec.parts.0.len(), MAX_PARTS),
        ("roles", n_roles, MAX_ROLES),
        ("rules", n_rules, MAX_RULES.min(MAX_GUARDED / n_events.max(1))),
        ("links", spec.links.as_ref().map_or(0, Vec::len), MAX_RULES),
        ("invariants", spec.invariants.as_ref().map_or(0, Vec::len), MAX_RULES),
        ("transactions", spec.transactions.as_ref().map_or(0, |it| it.0.len()), MAX_TRANSACTIONS),
        ("steps of walkthroughs", n_steps, MAX_STEPS),
    ];
    let mut small = true;
    for (what, found, most) in counted {
        if found > most {
            small = false;
            refuse(format!("the system has {found} {what}; it may have {most}"), "split it", spec.system.span, diagnostics);
        }
    }
    small
}

/// Walkthroughs are executed whenever the specs are read, so they must be short.
pub(super) fn check_effort(told: &[Walkthrough], system: &System, machines: &[Machine], diagnostics: &mut Diagnostics) {
    let machines = || system.parts.iter().map(|it| &machines[it.machine]);
    let n_steps = told.iter().map(|it| it.steps.len()).sum::<usize>();
    // With regions, an edge of each leaf may be taken, and each looks at all active states.
    let n_tried = |it: &Machine| it.edges.len().saturating_mul(if it.has_regions() { it.states.len() } else { 1 });
    let n_edges = machines().map(n_tried).max().unwrap_or(0);
    let n_fired = if system.links.len() > 1 { MAX_FIRED } else { 1 };
    // A step creates at most one instance of a part and of each role, and every instance is checked after every step.
    let n_roles = system.transactions.iter().map(|it| it.roles.len()).max().unwrap_or(0);
    let n_created = n_steps.saturating_mul(1 + n_roles);
    let n_own = n_edges.saturating_mul(1 + n_roles);
    let per_step = n_own + n_fired.saturating_mul(1 + system.rules.len()) + n_created.saturating_mul(system.invariants.len());
    let constants = machines().flat_map(|it| &it.constants).map(|it| &it.value);
    let given = told.iter().flat_map(|it| &it.steps).flat_map(|it| &it.payload);
    let length = |it: &Literal| if let Literal::Text(text) = it { text.len() } else { 0 };
    let longest = constants.chain(given).map(length).max().unwrap_or(0);
    let n_fields = machines().map(|it| it.fields.len()).max().unwrap_or(0);
    let text = n_created.saturating_mul(n_fields).saturating_mul(longest);
    if n_steps.saturating_mul(per_step) > MAX_EFFORT || text > MAX_TEXT {
        let help = "they are executed whenever the specs are read; use fewer steps";
        refuse(format!("{n_steps} steps are too many for walkthroughs of this system"), help, system.span, diagnostics);
    }
}

fn refuse(message: String, help: &str, span: Span, diagnostics: &mut Diagnostics) {
    diagnostics.push(Diagnostic::new(Code::YamlLimit, span, message).help(help));
}
