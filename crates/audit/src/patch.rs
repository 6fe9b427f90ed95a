//! The rows that the spec lacks, as lines of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use statespec_lang::model::Machine;
use statespec_lang::names::is_name;

use super::outcome::{Outcome, Step};
use super::shown::plain;

/// The lines to add to the spec, so that it has every recorded step; empty if it has. The number of each follows as a comment.
///
/// A row for an event that has an unguarded row from the same state already needs a guard, which no record knows: the comment says so.
pub(crate) fn patch(machine: &Machine, outcome: &Outcome) -> String {
    let missing: Vec<&Step> = outcome.steps.iter().filter(|it| !it.is_allowed && it.to.is_some()).collect();
    if missing.is_empty() {
        return String::new();
    }
    let states: BTreeSet<&str> = missing.iter().flat_map(|it| [it.from.as_deref(), it.to.as_deref()]).flatten().collect();
    let is_single = |it: &str| !it.contains(" or ") && !it.contains('+');
    let known = |it: &str| machine.state_named(it).is_some();
    let unknown: Vec<&str> = states.into_iter().filter(|it| is_single(it) && !known(it)).collect();
    let mut text = String::new();
    if !unknown.is_empty() {
        text.push_str("states:\n");
        for name in unknown {
            match is_name(name) {
                true => _ = writeln!(text, "  {name}: {{}}"),
                false => _ = writeln!(text, "  {}: {{ wire: {} }}", spelled(name), quote(name)),
            }
        }
    }
    let events: BTreeSet<&str> =
        missing.iter().filter_map(|it| it.event.as_ref()?.as_deref()).filter(|it| machine.event_named(it).is_none()).collect();
    if !events.is_empty() {
        text.push_str("events:\n");
        events.iter().for_each(|it| _ = writeln!(text, "  {}: {{}}", spelled(it)));
    }
    // Records with and without an event may lack the same row.
    let mut rows = BTreeMap::<String, (u64, &Step)>::new();
    for step in missing {
        let from = step.from.as_deref().map_or_else(|| "\"[*]\"".to_owned(), spelled);
        let (Some(to), true) = (&step.to, step.from.as_deref().is_none_or(is_single)) else { continue };
        if !is_single(to) {
            continue;
        }
        let row = match (&step.event, step.from.is_some()) {
            (Some(Some(event)), _) => format!("{{ from: {from}, event: {}, to: {} }}", spelled(event), spelled(to)),
            (_, true) => format!("{{ from: {from}, to: {} }}", spelled(to)),
            // Only an event creates a machine in another state than the initial one.
            (_, false) => format!("{{ from: {from}, event: create_{}, to: {} }}", spelled(to), spelled(to)),
        };
        rows.entry(row).or_insert((0, step)).0 += step.n;
    }
    if !rows.is_empty() {
        text.push_str("transitions:\n");
    }
    for (row, (n, step)) in rows {
        let times = super::shown::counted(n, "time");
        let _ = write!(text, "  - {row} # {times}, first at {}:{}", plain(&step.first.file), step.first.line);
        if leads_elsewhere(machine, step) {
            text.push_str("; the event leads elsewhere from there: both rows need a guard");
        }
        text.push('\n');
    }
    text
}

/// Whether the event of a step has a row without a guard from its state.
fn leads_elsewhere(machine: &Machine, step: &Step) -> bool {
    let (Some(Some(event)), Some(from)) = (&step.event, &step.ends.0) else { return false };
    let Some(event) = machine.event_named(event) else { return false };
    let on = statespec_lang::model::machine::On::Event(event);
    from.leaves().any(|leaf| machine.tried(Some(leaf), on).iter().any(|it| machine.transition(it.transition).guard.is_none()))
}

/// A text of a log as a name of the spec.
pub(crate) fn spelled(text: &str) -> String {
    if is_name(text) {
        return text.to_owned();
    }
    let mut name: String = text.chars().take(60).map(|it| if unicode(it) { it } else { '_' }).collect();
    if !is_name(&name) {
        name = format!("x{name}");
    }
    if is_name(&name) { name } else { "unnamed".to_owned() }
}

fn unicode(it: char) -> bool {
    it.is_ascii_alphanumeric() || it == '_' || it == '-'
}

/// A text in quotes of YAML.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for it in text.chars() {
        match it {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            it if it.is_control() || statespec_lang::chars::is_forbidden(it) => quoted.push('_'),
            it => quoted.push(it),
        }
    }
    quoted.push('"');
    quoted
}
