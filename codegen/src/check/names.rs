//! Lints about names and docs.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::{Finding, MachineCx};
use crate::model::machine::{Machine, State};
use crate::source::Span;

/// A name without case and separators.
fn sound(name: &str) -> String {
    name.chars().filter(|it| !matches!(it, '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// The names in each list of a machine.
fn lists(machine: &Machine) -> Vec<(&'static str, Vec<(&str, Span)>)> {
    let mut lists = vec![
        ("states", machine.states.iter().map(|it| (it.name.as_str(), it.span)).collect()),
        ("events", machine.events.iter().map(|it| (it.name.as_str(), it.span)).collect()),
        ("effects", machine.effects.iter().map(|it| (it.name.as_str(), it.span)).collect()),
        ("predicates", machine.predicates.iter().map(|it| (it.name.as_str(), it.span)).collect()),
        ("context fields", machine.fields.iter().map(|it| (it.name.as_str(), it.span)).collect()),
        ("constants", machine.constants.iter().map(|it| (it.name.as_str(), it.span)).collect()),
        ("attributes", machine.attributes.iter().map(|it| (it.name.as_str(), it.span)).collect()),
        ("actors", machine.actors.iter().map(|it| (it.name.as_str(), it.span)).collect()),
    ];
    lists.extend(machine.enums.iter().map(|it| ("values", it.values.iter().map(|it| (it.name.as_str(), it.span)).collect())));
    lists.extend(machine.events.iter().map(|it| ("payload fields", it.payload.iter().map(|it| (it.name.as_str(), it.span)).collect())));
    lists
}

pub(super) fn confusable_names(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    let mut findings = Vec::new();
    for (what, list) in lists(machine) {
        let mut seen = BTreeMap::<String, (&str, Span)>::new();
        for (name, span) in list {
            match seen.entry(sound(name)) {
                Entry::Occupied(first) => {
                    let (first, first_span) = first.get();
                    let message = format!("the {what} `{first}` and `{name}` differ only in case and separators");
                    findings.push(Finding::new(span, message).also(*first_span, "the other one").help("give one of them another name"));
                }
                Entry::Vacant(place) => _ = place.insert((name, span)),
            }
        }
    }
    let names: BTreeMap<String, &State> = machine.leaves().map(|it| machine.state(it)).map(|it| (it.name.to_lowercase(), it)).collect();
    let mut wires = BTreeMap::<String, &State>::new();
    for state in machine.leaves().map(|it| machine.state(it)) {
        let wire = state.wire.to_lowercase();
        if let Some(other) = names.get(&wire).filter(|it| it.span != state.span) {
            let message = format!("`{}` is stored as `{}`, which reads like the state `{}`", state.name, state.wire, other.name);
            findings.push(Finding::new(state.span, message).also(other.span, "this one").help("give it another `wire`"));
        }
        if let Some(other) = wires.insert(wire, state) {
            let message = format!(
                "`{}` and `{}` are stored as `{}` and `{}`, which differ only in case",
                other.name, state.name, other.wire, state.wire
            );
            findings.push(Finding::new(state.span, message).also(other.span, "the other one").help("give one of them another `wire`"));
        }
    }
    findings
}

/// The appearance of a name: the same text for all names that look alike.
#[cfg(feature = "confusables")]
fn look(name: &str) -> String {
    sound(&unicode_security::skeleton(&sound(name)).collect::<String>())
}

#[cfg(feature = "confusables")]
pub(super) fn lookalike_names(cx: &MachineCx<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (what, list) in lists(cx.machine) {
        // Within one script, `modern` and `modem` are different words; and most lists contain only Latin letters.
        if list.iter().all(|(name, _)| name.is_ascii()) {
            continue;
        }
        let mut seen = BTreeMap::<String, (&str, Span)>::new();
        for (name, span) in list {
            let (first, first_span) = *seen.entry(look(name)).or_insert((name, span));
            if sound(first) == sound(name) || (first.is_ascii() && name.is_ascii()) {
                continue;
            }
            let other = |name: &str, than: &str| {
                let odd = name.chars().filter(|it| !it.is_ascii() && !than.contains(*it));
                odd.map(|it| format!("U+{:04X}", u32::from(it))).collect::<Vec<_>>()
            };
            let letters = [other(first, name), other(name, first)].concat().join(", ");
            let message = format!("the {what} `{first}` and `{name}` look the same, but their letters differ: {letters}");
            let help = "write both in the letters of one script, or give one of them another name";
            findings.push(Finding::new(span, message).also(first_span, "the other one").help(help));
        }
    }
    findings
}

pub(super) fn wire_case(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    let cased = machine.leaves().map(|it| machine.state(it)).filter(|it| it.wire != it.name && sound(&it.wire) == sound(&it.name));
    let finding = |state: &State| {
        let message = format!("`{}` is stored as `{}`: two spellings of one name", state.name, state.wire);
        Finding::new(state.span, message).help("use the wire name as the name, and a `label` for the text shown to people")
    };
    cased.map(finding).collect()
}

pub(super) fn undocumented_state(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    let is_documented = |it: &&State| it.doc.is_some() || it.inferred.is_some();
    // A spec that documents few states does so on purpose; one that documents most has probably forgotten the rest.
    if machine.states.iter().filter(is_documented).count() * 2 <= machine.states.len() {
        return Vec::new();
    }
    let finding = |state: &State| {
        Finding::new(state.span, format!("the state `{}` has no description", state.name)).help("add a `doc`, as the other states have")
    };
    machine.states.iter().filter(|it| !is_documented(it)).map(finding).collect()
}
