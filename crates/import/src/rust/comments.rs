//! Comments of the form `// From -> To: event`.

use std::collections::BTreeSet;
use std::ops::Range;

use statespec_lang::source::Span;

use super::Machine;
use super::items::Items;
use crate::draft::{Findings, From, Row};
use crate::{phrase, span};

pub(super) fn read(items: &Items<'_>, text: &str, machines: &mut [Machine], lost: &mut Findings) {
    let mut offset = 0;
    // The lines of the block of comments since the last step.
    let mut before: Vec<&str> = Vec::new();
    // Whether the block says that it lists what is not allowed.
    let mut forbids = false;
    // The machines that have other steps in comments, and the steps from every state.
    let mut lists = BTreeSet::new();
    let mut from_any = Vec::new();
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let range = offset..offset + line.trim_end().len();
        offset += line.len();
        let Some(comment) = comment_in(line) else {
            before.clear();
            forbids = false;
            continue;
        };
        let Some((from, rest)) = comment.split_once("->").or_else(|| comment.split_once('→')) else {
            before.push(comment);
            continue;
        };
        for comment in before.drain(..) {
            forbids = phrase::is_negative(comment) || (forbids && !comment.is_empty());
        }
        let (to, label) = rest.split_once(':').map_or((rest, None), |(to, label)| (to, Some(label.trim())));
        let name = |text: &str| {
            let name = text.trim().trim_start_matches(['-', '*', ' ']).trim_end_matches('.').trim_matches('`').trim_end_matches('-');
            name.rsplit("::").next().unwrap_or(name).trim().to_owned()
        };
        let (from, to) = (name(from), name(to));
        // `Armed -> Watch (signal lost)`
        let (to, remark) = match to.split_once('(').and_then(|(to, text)| Some((to.trim(), text.trim_end().strip_suffix(')')?))) {
            Some((to, text)) if label.is_none() => (to.to_owned(), Some(text.trim())),
            _ => (to, None),
        };
        // A bracket that the next line closes.
        let is_open = remark.is_none() && to.contains('(') && !to.contains(')');
        let to = to.split_once('(').filter(|_| is_open).map_or(to.clone(), |(to, _)| to.trim().to_owned());
        let states = |it: &Machine| {
            let of = |name: &str| it.draft.states.iter().position(|it| it.id == name);
            Some((of(&from)?, of(&to)?))
        };
        let mut fit: Vec<usize> =
            (0..machines.len()).filter(|it| items.enums[*it].is_local() && states(&machines[*it]).is_some()).collect();
        if items.tests.iter().any(|it| it.contains(&range.start)) {
            continue;
        }
        if fit.is_empty() {
            let is_negative = forbids || label.or(remark).is_some_and(phrase::is_negative);
            if is_any(comment) && !is_negative {
                let label = label.or(remark).unwrap_or_default().to_owned();
                from_any.push(FromAny { to, label, range });
            } else if let Some(machine) =
                (0..machines.len()).find(|it| items.enums[*it].is_local() && has_several(&from, &to, &machines[*it]))
            {
                lost.loss(machines[machine].place(range), "this comment names several states: it was left out");
            }
            continue;
        }
        let place = span(machines[fit[0]].id, range.clone());
        if forbids || label.or(remark).is_some_and(phrase::is_negative) {
            lost.loss(place, "this comment tells of a forbidden step: nothing was imported from it");
            continue;
        }
        if fit.len() > 1 {
            fit.retain(|it| items.enums[*it].whole.contains(&range.start));
        }
        let [machine_idx] = *fit.as_slice() else {
            lost.loss(place, "several enums have these variants: nothing was imported from this comment");
            continue;
        };
        let machine = &mut machines[machine_idx];
        let Some((from_idx, to_idx)) = states(machine) else { continue };
        lists.insert(machine_idx);
        let row = Row::new(From::State(from_idx), Some(to_idx), place);
        let is_known =
            machine.draft.rows.iter().any(|it| matches!(it.from, From::Any) && it.to == row.to || (it.from, it.to) == (row.from, row.to));
        if machine.draft.complete && !is_known {
            lost.loss(place, format!("this comment leads from `{from}` to `{to}`, which the code does not allow: it was left out"));
            continue;
        }
        // Prose that goes on in the next line names no event.
        let goes_on = is_open || (label.or(remark).is_some_and(|it| !it.is_empty()) && lines.peek().is_some_and(|it| is_more(it)));
        // The code says on which event: the comment beside it is not another step.
        if goes_on && is_known {
            continue;
        }
        if goes_on {
            lost.loss(place, "this comment goes on in the next line: its step has no event");
            machine.add(row);
            continue;
        }
        if label.is_none() && machine.draft.rows.iter().any(|it| !it.events.is_empty() && (it.from, it.to) == (row.from, row.to)) {
            continue;
        }
        machine.add(match (label, remark) {
            (Some(label), _) if !label.is_empty() => row.with_label(label),
            // Prose in brackets has no effects behind a slash.
            (None, Some(remark)) if remark.contains('/') => Row { events: vec![remark.to_owned()], ..row },
            (None, Some(remark)) if ["if ", "when "].iter().any(|it| remark.starts_with(it)) => {
                Row { guards: vec![remark.to_owned()], ..row }
            }
            (None, Some(remark)) if !remark.is_empty() => row.with_label(remark),
            _ => row,
        });
    }
    for step in from_any {
        let has_state = |it: &usize| machines[*it].draft.states.iter().any(|state| state.id == step.to);
        // Elsewhere, it may be prose.
        if let [machine] = *lists.iter().copied().filter(has_state).collect::<Vec<_>>() {
            step.add(&mut machines[machine], lost);
        }
    }
}

/// `Any -> Idle (timeout)`, which is a step only among comments that are steps.
struct FromAny {
    to: String,
    label: String,
    range: Range<usize>,
}

impl FromAny {
    fn add(self, machine: &mut Machine, lost: &mut Findings) {
        let Some(to) = machine.draft.states.iter().position(|it| it.id == self.to) else { return };
        let place = machine.place(self.range.clone());
        if machine.draft.rows.iter().any(|it| matches!(it.from, From::Any) && it.to == Some(to)) {
            return;
        }
        if !machine.draft.complete {
            machine.add(self.row(From::Any, to, place));
            return;
        }
        // The code says from which states, which may be all but the target and the terminal ones.
        let rows = &machine.draft.rows;
        let leads = |from: &usize| rows.iter().any(|it| matches!(it.from, From::State(it) if it == *from) && it.to == Some(to));
        let others = (0..machine.draft.states.len()).filter(|it| *it != to && !machine.draft.states[*it].terminal);
        let (sources, missing): (Vec<usize>, Vec<usize>) = others.partition(leads);
        if missing.is_empty() {
            let events = sources.iter().filter(|_| !self.label.is_empty());
            events.for_each(|from| machine.add(self.row(From::State(*from), to, place)));
            return;
        }
        let missing: Vec<String> = missing.iter().map(|it| format!("`{}`", machine.draft.states[*it].id)).collect();
        let message = format!("this comment leads to `{}` from every state, but the code does not from {}", self.to, missing.join(", "));
        lost.loss(place, format!("{message}: it was left out"));
    }

    fn row(&self, from: From, to: usize, place: Span) -> Row {
        let row = Row::new(from, Some(to), place);
        if self.label.is_empty() { row } else { row.with_label(&self.label) }
    }
}

/// The text of a line that is a comment.
fn comment_in(line: &str) -> Option<&str> {
    Some(line.trim().strip_prefix("//")?.trim_start_matches(['/', '!']).trim())
}

/// Whether a line goes on with the sentence of a comment: it is one that begins with a lower case letter or a quote, and has no arrow.
fn is_more(line: &str) -> bool {
    let Some(comment) = comment_in(line) else { return false };
    let begins = comment.starts_with(|it: char| it.is_lowercase() || it == '`');
    begins && !comment.contains("->") && !comment.contains('→')
}

/// Whether the two sides of a comment are states of a machine, and more than two: `Idle/Busy -> Closing`.
fn has_several(from: &str, to: &str, machine: &Machine) -> bool {
    let one_sign = [" or ", " and ", "->", "→", "|", ","].iter().fold(format!("{from}/{to}"), |text, sign| text.replace(sign, "/"));
    let names: Vec<&str> = one_sign.split('/').map(|it| it.trim().trim_matches('`')).collect();
    names.len() > 2 && names.iter().all(|name| machine.draft.states.iter().any(|it| it.id == *name))
}

/// Whether the source of a comment is every state: `Any`, `*`.
fn is_any(comment: &str) -> bool {
    let from = comment.split("->").next().unwrap_or_default().split('→').next().unwrap_or_default();
    let from = from.trim().trim_start_matches("- ").trim_end_matches('-').trim_matches(['`', ' ']).to_lowercase();
    matches!(from.as_str(), "*" | "any" | "any state" | "all" | "all states" | "every state" | "_")
}
