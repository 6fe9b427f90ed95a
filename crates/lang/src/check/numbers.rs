//! Lints about numbers: what a message with numbers relies on.

use std::collections::BTreeMap;

use super::{Finding, MachineCx};
use crate::source::Span;

/// An element of a list: its name, its number, and its place.
type Numbered<'m> = (&'m str, Option<i32>, Span);

/// The lists whose elements may have numbers.
fn lists<'m>(cx: &MachineCx<'m>) -> Vec<Vec<Numbered<'m>>> {
    let machine = cx.machine;
    let states = machine.leaves().map(|it| machine.state(it)).map(|it| (it.name.as_str(), it.number, it.span));
    let events = machine.events.iter().filter(|it| it.timer.is_none()).map(|it| (it.name.as_str(), it.number, it.span));
    let values = machine.enums.iter().map(|it| it.values.iter().map(|it| (it.name.as_str(), it.number, it.span)).collect());
    [states.collect(), events.collect()].into_iter().chain(values).collect()
}

pub(super) fn missing_number(cx: &MachineCx<'_>) -> Vec<Finding> {
    let has_numbers = |list: &Vec<Numbered<'_>>| list.iter().any(|it| it.1.is_some());
    let missing = lists(cx).into_iter().filter(has_numbers).flatten().filter(|it| it.1.is_none());
    let finding = |(name, _, span): Numbered<'_>| {
        Finding::new(span, format!("`{name}` has no number, and others beside it have"))
            .help("give it one that was never in use: `number: …`")
    };
    missing.map(finding).collect()
}

pub(super) fn shared_number(cx: &MachineCx<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for list in lists(cx) {
        let mut first_of: BTreeMap<i32, (&str, Span)> = BTreeMap::new();
        for (name, number, span) in list {
            let Some(number) = number else { continue };
            let (first, first_span) = *first_of.entry(number).or_insert((name, span));
            if first_span != span {
                let message = format!("`{name}` has the number {number} of `{first}`");
                found.push(Finding::new(span, message).also(first_span, "the first with it").help("give it one that was never in use"));
            }
        }
    }
    found
}
