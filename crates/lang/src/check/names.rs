//! Lints about names and docs.

pub(super) mod lookalike;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::{Finding, MachineCx};
use crate::model::machine::{Field, Machine, State};
use crate::source::Span;

/// A name without case and separators.
fn sound(name: &str) -> String {
    name.chars().filter(|it| !matches!(it, '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// What a name is for. The order is that of reports: of two names, the first one stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    /// The name in the spec.
    Spec,
    /// The name in storage and in messages.
    Wire,
    /// Another name in texts, which emitted code reads as well.
    Alias,
}

/// One of the names of an element of a list.
#[derive(Clone, Copy)]
struct Called<'m> {
    /// The position of the element in its list.
    element: usize,
    /// Its name in the spec.
    name: &'m str,
    text: &'m str,
    r#use: Use,
    span: Span,
}

impl<'m> Called<'m> {
    fn new(element: usize, name: &'m str, span: Span) -> Self {
        Called { element, name, text: name, r#use: Use::Spec, span }
    }

    /// "`open`", or "`open` (stored as `OPEN`)"
    fn shown(&self) -> String {
        match self.r#use {
            Use::Spec => format!("`{}`", self.name),
            Use::Wire => format!("`{}` (stored as `{}`)", self.name, self.text),
            Use::Alias => format!("`{}` (also called `{}`)", self.name, self.text),
        }
    }

    /// The name that the spec should change.
    fn remedy(&self) -> &'static str {
        match self.r#use {
            Use::Spec => "give one of them another name",
            Use::Wire => "give it another `wire`",
            Use::Alias => "give it another alias",
        }
    }
}

/// The names in each list of a machine: names in the spec first, then wire names and aliases.
fn lists(machine: &Machine) -> Vec<(&'static str, Vec<Called<'_>>)> {
    macro_rules! names {
        ($items:expr) => {
            $items.iter().enumerate().map(|(idx, it)| Called::new(idx, &it.name, it.span)).collect::<Vec<_>>()
        };
    }
    macro_rules! with_aliases {
        ($items:expr) => {{
            let items = $items;
            let aliases = names!(items)
                .into_iter()
                .zip(items)
                .flat_map(|(called, it)| it.aliases.iter().map(move |alias| Called { text: alias, r#use: Use::Alias, ..called }));
            names!(items).into_iter().chain(aliases).collect::<Vec<_>>()
        }};
    }
    fn fields(fields: &[Field]) -> Vec<Called<'_>> {
        with_aliases!(fields)
    }
    let mut states = names!(machine.states);
    let wires = machine.leaves().map(|id| (machine.state(id), states[id.index()])).filter(|(state, _)| state.wire != state.name);
    let wires: Vec<_> = wires.map(|(state, called)| Called { text: &state.wire, r#use: Use::Wire, ..called }).collect();
    states.extend(wires);
    let mut lists = vec![
        ("states", states),
        ("events", with_aliases!(&machine.events)),
        ("effects", names!(machine.effects)),
        ("predicates", names!(machine.predicates)),
        ("context fields", fields(&machine.fields)),
        ("constants", names!(machine.constants)),
        ("attributes", names!(machine.attributes)),
        ("actors", names!(machine.actors)),
        ("enums", names!(machine.enums)),
        ("orders", names!(machine.orders)),
    ];
    lists.extend(machine.enums.iter().map(|it| {
        let mut values = names!(it.values);
        let wires = it.values.iter().zip(&values).filter(|(value, _)| value.wire != value.name);
        let wires: Vec<_> = wires.map(|(value, called)| Called { text: &value.wire, r#use: Use::Wire, ..*called }).collect();
        values.extend(wires);
        ("values", values)
    }));
    lists.extend(machine.events.iter().map(|it| ("payload fields", fields(&it.payload))));
    lists.extend(machine.orders.iter().map(|it| ("fields", fields(&it.item))));
    lists
}

/// Pairs of names of different elements with the same key; one pair for two elements.
fn pairs<'m>(list: &[Called<'m>], key: fn(&str) -> String) -> Vec<(Called<'m>, Called<'m>)> {
    let mut seen = BTreeMap::<String, Called<'m>>::new();
    let mut told = BTreeSet::new();
    let mut pairs = Vec::new();
    for called in list {
        match seen.entry(key(called.text)) {
            Entry::Occupied(first) => {
                let first = *first.get();
                let elements = (first.element.min(called.element), first.element.max(called.element));
                if first.element != called.element && told.insert(elements) {
                    pairs.push((first, *called));
                }
            }
            Entry::Vacant(place) => _ = place.insert(*called),
        }
    }
    pairs
}

pub(super) fn confusable_names(cx: &MachineCx<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (what, list) in lists(cx.machine) {
        for (first, second) in pairs(&list, sound) {
            let how = if first.text == second.text { "have the same name" } else { "differ only in case and separators" };
            let message = format!("the {what} {} and {} {how}", first.shown(), second.shown());
            findings.push(Finding::new(second.span, message).also(first.span, "the other one").help(second.remedy()));
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

pub(super) fn todo(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    let states = machine.states.iter().map(|it| (it.doc.as_deref(), it.span));
    let events = machine.events.iter().map(|it| (it.doc.as_deref(), it.span));
    let fields = machine.fields.iter().chain(machine.events.iter().flat_map(|it| &it.payload)).map(|it| (it.doc.as_deref(), it.span));
    let asked = machine.predicates.iter().map(|it| (it.doc.as_deref(), it.span));
    let done = machine.effects.iter().map(|it| (it.doc.as_deref(), it.span));
    let actors = machine.actors.iter().map(|it| (Some(it.doc.as_str()), it.span));
    let rows = machine.transitions.iter().map(|it| (it.doc.as_deref(), it.span));
    let all = states.chain(events).chain(fields).chain(asked).chain(done).chain(actors).chain(rows);
    let whole = (machine.doc.as_deref(), machine.span);
    let open = [whole].into_iter().chain(all).filter(|(doc, _)| doc.is_some_and(|it| it.starts_with("TODO")));
    // One finding for all of them: who has just begun, knows.
    let places: BTreeSet<Span> = open.map(|(_, span)| span).collect();
    let Some(first) = places.first() else { return Vec::new() };
    let message = match places.len() {
        1 => "a description is still to be written".to_owned(),
        n_open => format!("{n_open} descriptions are still to be written"),
    };
    vec![Finding::new(*first, message).help("replace the text behind `TODO`, which stands on the page of the machine")]
}
