//! The rows that the spec lacks, as lines of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use statespec_lang::model::machine::On;
use statespec_lang::model::{Configuration, Machine, StateId};
use statespec_lang::names::upper_camel;

use super::outcome::{End, Outcome, Step};
use super::shown::{counted, plain};
use super::spelling::{event_line, fresh, quote, spelled};

/// The lines to add to the spec, so that it has every recorded step; empty if it has. The number of each follows as a comment.
///
/// A row for an event that has an unguarded row from the same state already needs a guard, which no record knows: the comment says so.
/// A step that no row follows from is a comment alone, with the reason.
pub(crate) fn patch(machine: &Machine, outcome: &Outcome) -> String {
    let missing: Vec<&Step> = outcome.steps.iter().filter(|it| !it.is_allowed).collect();
    let mut lines = Lines::of(machine);
    // Records with and without an event may lack the same row.
    let mut rows = BTreeMap::<String, (u64, &Step)>::new();
    let mut others = Vec::new();
    for step in missing {
        match lines.row(step) {
            Ok(row) => rows.entry(row).or_insert((0, step)).0 += step.n,
            Err(why) => others.push((step, why)),
        }
    }
    let mut text = String::new();
    for (head, declared) in [("states:\n", lines.states.lines()), ("events:\n", lines.events.lines())] {
        if !declared.is_empty() {
            text.push_str(head);
            text.push_str(&declared);
        }
    }
    if !rows.is_empty() {
        text.push_str("transitions:\n");
    }
    for (row, (n, step)) in rows {
        let _ = write!(text, "  - {row} # {}", times(n, step));
        if leads_elsewhere(machine, step) {
            text.push_str("; the event leads elsewhere from there: both rows need a guard");
        }
        text.push('\n');
    }
    for (step, why) in others {
        let _ = writeln!(text, "# no row for {}, {}: {why}", step.text(), times(step.n, step));
    }
    text
}

fn times(n: u64, step: &Step) -> String {
    format!("{}, first at {}:{}", counted(n, "time"), plain(&step.first.file), step.first.line)
}

/// Names that the spec lacks, and the lines that declare them.
struct Declared {
    /// Those that it has, and those that are declared here.
    taken: Vec<String>,
    /// By the word of the log.
    found: BTreeMap<String, (String, String)>,
}

impl Declared {
    fn new(taken: impl Iterator<Item = String>) -> Self {
        Declared { taken: taken.collect(), found: BTreeMap::new() }
    }

    /// The name for a word of the log; `wanted` is the name that it would like.
    fn name(&mut self, word: &str, wanted: &str, line: impl Fn(&str) -> String) -> String {
        if let Some((name, _)) = self.found.get(word) {
            return name.clone();
        }
        let name = fresh(wanted, &self.taken);
        self.taken.push(name.clone());
        self.found.insert(word.to_owned(), (name.clone(), line(&name)));
        name
    }

    fn lines(&self) -> String {
        self.found.values().map(|(_, line)| format!("{line}\n")).collect()
    }
}

struct Lines<'m> {
    machine: &'m Machine,
    states: Declared,
    events: Declared,
}

impl<'m> Lines<'m> {
    fn of(machine: &'m Machine) -> Self {
        let states = machine.state_ids().map(|it| machine.state(it).name.clone());
        let events = machine.events.iter().flat_map(|it| it.aliases.iter().chain([&it.name]).cloned());
        Lines { machine, states: Declared::new(states), events: Declared::new(events) }
    }

    /// The row for a step, or why none follows from it.
    fn row(&mut self, step: &Step) -> Result<String, &'static str> {
        const REGIONS: &str = "several regions change at once, or are entered or left, and no record says by which rows";
        let (from, to) = match (&step.ends.0, &step.ends.1) {
            (End::Several, _) => return Err("no record says in which of these states it was"),
            (_, End::Several) => return Err("no record says the state after"),
            (_, End::Nothing) => return Err("it happened before the creation"),
            (End::At(from), End::At(to)) => match one_leaf(from, to) {
                Some((from, to)) => (Some(self.state(from)), self.state(to)),
                None => return Err(REGIONS),
            },
            (from, to) => (self.single(from).ok_or(REGIONS)?, self.single(to).ok_or(REGIONS)?.unwrap_or_default()),
        };
        let event = match &step.event {
            Some(Some(event)) => match self.machine.event_named(event) {
                Some(_) => Some(event.clone()),
                // Words that are one name to the audit are one event.
                None => Some(self.events.name(&upper_camel(event), &spelled(event), |name| event_line(name, event))),
            },
            // Only an event creates a machine in another state than the initial one; its word is none of a log.
            _ if from.is_none() => {
                Some(self.events.name(&format!("\0{to}"), &spelled(&format!("create_{to}")), |name| format!("  {name}: {{}}")))
            }
            _ => None,
        };
        let from = from.unwrap_or_else(|| "\"[*]\"".to_owned());
        Ok(match event {
            Some(event) => format!("{{ from: {from}, event: {event}, to: {to} }}"),
            None => format!("{{ from: {from}, to: {to} }}"),
        })
    }

    fn state(&self, id: StateId) -> String {
        self.machine.state(id).name.clone()
    }

    /// The name of an end that is one state, and `None` inside at creation.
    fn single(&mut self, end: &End) -> Option<Option<String>> {
        match end {
            End::Nothing => Some(None),
            End::At(it) => it.only().map(|it| Some(self.state(it))),
            End::Foreign(word) => Some(Some(self.states.name(word, &spelled(word), |name| match name == word {
                true => format!("  {name}: {{}}"),
                false => format!("  {name}: {{ wire: {} }}", quote(word)),
            }))),
            End::Several => None,
        }
    }
}

/// The only leaf that a step leaves, and the one that it enters in its place.
fn one_leaf(from: &Configuration, to: &Configuration) -> Option<(StateId, StateId)> {
    if let (Some(from), Some(to)) = (from.only(), to.only()) {
        return Some((from, to));
    }
    let left: Vec<StateId> = from.leaves().filter(|it| !to.contains(*it)).collect();
    let entered: Vec<StateId> = to.leaves().filter(|it| !from.contains(*it)).collect();
    match (left.as_slice(), entered.as_slice()) {
        ([left], [entered]) => Some((*left, *entered)),
        _ => None,
    }
}

/// Whether the event of a step has a row without a guard from its state.
fn leads_elsewhere(machine: &Machine, step: &Step) -> bool {
    let (Some(Some(event)), End::At(from)) = (&step.event, &step.ends.0) else { return false };
    let Some(event) = machine.event_named(event) else { return false };
    from.leaves().any(|leaf| machine.tried(Some(leaf), On::Event(event)).iter().any(|it| machine.transition(it.transition).guard.is_none()))
}
