//! A first spec from a history: every state, event and step that was recorded, with its number.
//!
//! Where one event leads from one state to several others, no record knows the guard: each row but the last gets a predicate, which the
//! program decides.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::BufRead;

use super::attempt::{Attempt, Ended, Item};
use super::columns::Reading;
use super::entities::Entities;
use super::format::Format;
use super::shown::{counted, entities, plain};
use super::spelling::{collide, event_line, fresh, names, quote, spelled};

/// The limit on states and on events.
const MAX_NAMES: usize = 1_000;
/// The limit on different steps.
const MAX_STEPS: usize = 10_000;

/// A first spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The name of the machine.
    pub name: String,
    /// The spec.
    pub yaml: String,
    /// The number of records that were read.
    pub n_records: u64,
    /// The lines that were not read, with the reasons; the first hundred.
    pub broken: Vec<(u64, String)>,
    /// The number of all lines that were not read.
    pub n_broken: u64,
}

/// What a history has.
#[derive(Debug, Default)]
struct History {
    states: Numbered,
    events: Numbered,
    /// The number of each step, by the numbers of state, event and state. State 0 is none; event 0 is not recorded, and 1 is none.
    steps: BTreeMap<(u16, u16, u16), u64>,
    births: BTreeMap<u16, u64>,
    n_records: u64,
    n_entities: u64,
    broken: Vec<(u64, String)>,
    n_broken: u64,
    full: Option<&'static str>,
    /// The machines that records name.
    machines: BTreeSet<String>,
}

#[derive(Debug, Default)]
struct Numbered {
    texts: Vec<String>,
    numbers: BTreeMap<String, u16>,
    /// Whether `back again` and `back_again` are one.
    are_identifiers: bool,
}

impl Numbered {
    fn number(&mut self, text: &str) -> Option<u16> {
        if let Some(number) = self.numbers.get(text) {
            return Some(*number);
        }
        // Words that are one name to the audit.
        if let Some(number) = self.are_identifiers.then(|| self.texts.iter().position(|it| collide(it, text))).flatten() {
            self.numbers.insert(text.to_owned(), number as u16);
            return Some(number as u16);
        }
        if self.texts.len() >= MAX_NAMES {
            return None;
        }
        let number = self.texts.len() as u16;
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        Some(number)
    }
}

/// The name of no state.
const NONE: u16 = u16::MAX;
/// The event of a record that has none.
const UNTOLD: u16 = u16::MAX;
/// A direct transition.
const DIRECT: u16 = u16::MAX - 1;

/// Makes a first spec of a history. `only` is the machine whose records count, if records name machines; `name` is the name of a machine
/// that neither this nor a record names.
///
/// # Errors
///
/// The history cannot be read, has no states, or too many different ones.
pub fn draft(only: Option<&str>, name: &str, format: Format, reading: &Reading, input: impl BufRead) -> Result<Draft, String> {
    let events = Numbered { are_identifiers: true, ..Numbered::default() };
    let mut history = History { events, ..History::default() };
    let mut known = Entities::new();
    super::read::read(format, reading, input, &mut |item| match item {
        Item::Attempt(_, attempt) => {
            if let Some(machine) = attempt.machine
                && only.is_none()
                && history.machines.len() < 10
            {
                history.machines.insert(machine.to_owned());
            }
            if attempt.machine.is_none() || only.is_none() || attempt.machine == only {
                history.add(&attempt, &mut known);
            }
        }
        Item::Broken { line, why, .. } => {
            history.n_broken += 1;
            if history.broken.len() < 100 {
                history.broken.push((line, why));
            }
        }
        Item::Skipped => {}
    })?;
    if let Some(full) = history.full {
        return Err(format!("the history has too many different {full}: is the right column named?"));
    }
    if history.machines.len() > 1 {
        let names: Vec<String> = history.machines.iter().map(|it| super::shown::quoted(it)).collect();
        return Err(format!("the history is one of several machines, {}: choose one with `--only`", names.join(", ")));
    }
    let name = only.or(history.machines.first().map(String::as_str)).unwrap_or(name).to_owned();
    if history.states.texts.is_empty() {
        return Err("the history has no record with a state: name the column with `--columns to=…`".to_owned());
    }
    history.n_entities = known.len() as u64;
    Ok(Draft {
        yaml: history.yaml(&name),
        name: spelled(&name),
        n_records: history.n_records,
        broken: history.broken,
        n_broken: history.n_broken,
    })
}

impl History {
    fn add(&mut self, attempt: &Attempt<'_>, known: &mut Entities) {
        self.n_records += 1;
        let mut state = |text: Option<&str>| text.map_or(Some(NONE), |it| self.states.number(it));
        let position = known.position(attempt.entity);
        let mut entity = known.at(position);
        // Beside the audit, the small number of an entity is its state and one more; 0 is a new one.
        let current = entity.set().checked_sub(1).map_or(NONE, |it| if it as usize >= MAX_NAMES { NONE } else { it });
        let is_new = entity.set() == 0;
        let Some(from) = attempt.from.map_or(Some(current), &mut state) else { return self.full = Some("states") };
        let to = match (attempt.ended, attempt.to) {
            (Ended::Changed, Some(to)) => match state(to) {
                Some(to) => to,
                None => return self.full = Some("states"),
            },
            _ => from,
        };
        let event = match attempt.event {
            None => UNTOLD,
            Some(None) => DIRECT,
            Some(Some(text)) => match self.events.number(text) {
                Some(event) => event,
                None => return self.full = Some("events"),
            },
        };
        if is_new && from != NONE {
            *self.births.entry(from).or_insert(0) += 1;
        }
        let changed = attempt.ended == Ended::Changed && to != NONE;
        if changed && from == NONE && matches!(event, UNTOLD | DIRECT) {
            *self.births.entry(to).or_insert(0) += 1;
        } else if changed && !(from == to && event == UNTOLD) {
            *self.steps.entry((from, event, to)).or_insert(0) += 1;
            if self.steps.len() > MAX_STEPS {
                self.full = Some("steps");
            }
        }
        entity.set_set(if to == NONE { MAX_NAMES as u16 + 1 } else { to + 1 });
        known.put(position, entity);
    }

    fn yaml(&self, machine: &str) -> String {
        let states = names(&self.states.texts);
        let events = names(&self.events.texts);
        let mut text = String::new();
        let _ = writeln!(text, "machine: {}", spelled(machine));
        let _ = writeln!(
            text,
            "doc: {}",
            quote(&format!("A first spec, from {} of {}.", counted(self.n_records, "record"), entities(self.n_entities)))
        );
        let leaving: BTreeSet<u16> = self.steps.keys().filter(|it| it.0 != it.2).map(|it| it.0).collect();
        // The state in which most instances begin; else the first one of the history.
        let begun = self.births.iter().max_by_key(|(state, n)| (**n, std::cmp::Reverse(**state))).map(|it| *it.0);
        let initial = begun.unwrap_or(0);
        text.push_str("states:\n");
        for (number, name) in states.iter().enumerate() {
            let number = number as u16;
            let mut keys = Vec::new();
            if number == initial {
                keys.push("initial: true".to_owned());
            }
            if !leaving.contains(&number) && states.len() > 1 {
                keys.push("terminal: true".to_owned());
            }
            if *name != self.states.texts[number as usize] {
                keys.push(format!("wire: {}", quote(&self.states.texts[number as usize])));
            }
            let keys = if keys.is_empty() { String::new() } else { format!(" {} ", keys.join(", ")) };
            let _ = writeln!(text, "  {name}: {{{keys}}}");
        }
        let others: Vec<u16> = self.births.keys().copied().filter(|it| *it != initial).collect();
        let creations: Vec<String> =
            others.iter().map(|it| fresh(&spelled(&format!("begin_in_{}", states[*it as usize])), &events)).collect();
        if !events.is_empty() || !creations.is_empty() {
            text.push_str("events:\n");
            for (name, recorded) in events.iter().zip(&self.events.texts) {
                let _ = writeln!(text, "{}", event_line(name, recorded));
            }
            creations.iter().for_each(|it| _ = writeln!(text, "  {it}: {{}}"));
        }
        let rows = self.rows(&states, &events, &creations, &others);
        let predicates: BTreeSet<&str> = rows.iter().filter_map(|it| it.predicate.as_deref()).collect();
        if !predicates.is_empty() {
            text.push_str("predicates:\n");
            predicates.iter().for_each(|it| _ = writeln!(text, "  {it}: {{ doc: \"TODO: no record says when.\" }}"));
        }
        match rows.is_empty() {
            true => text.push_str("transitions: []\n"),
            false => text.push_str("transitions:\n"),
        }
        rows.iter().for_each(|it| _ = writeln!(text, "  - {}", it.text));
        text.push_str("notes:\n");
        for (birth, n) in &self.births {
            let _ = writeln!(text, "  - {}", quote(&format!("{} began in {}.", entities(*n), states[*birth as usize])));
        }
        for row in &rows {
            let _ = writeln!(text, "  - {}", quote(&row.note));
        }
        if rows.is_empty() && self.births.is_empty() {
            let _ = writeln!(text, "  - {}", quote(&format!("{}, and no step.", counted(self.n_records, "record"))));
        }
        text
    }

    fn rows(&self, states: &[String], events: &[String], creations: &[String], others: &[u16]) -> Vec<Row> {
        let mut rows = Vec::new();
        for (event, to) in creations.iter().zip(others) {
            let to = &states[*to as usize];
            rows.push(Row {
                text: format!("{{ from: \"[*]\", event: {event}, to: {to}, inferred: \"Some histories begin there.\" }}"),
                note: format!("[*] to {to}: the event is not recorded."),
                predicate: None,
            });
        }
        // A predicate says of an event that it leads to a state, wherever it comes from.
        let mut predicates = BTreeMap::<(u16, u16), String>::new();
        let mut groups = BTreeMap::<(u16, u16), Vec<(u16, u64)>>::new();
        for ((from, event, to), n) in &self.steps {
            let event = if *event == UNTOLD { DIRECT } else { *event };
            let targets = groups.entry((*from, event)).or_default();
            match targets.iter_mut().find(|it| it.0 == *to) {
                Some(known) => known.1 += n,
                None => targets.push((*to, *n)),
            }
        }
        for ((from, event), targets) in groups {
            let from_text = if from == NONE { "\"[*]\"".to_owned() } else { states[from as usize].clone() };
            let shown = if from == NONE { "[*]" } else { &states[from as usize] };
            let n_targets = targets.len();
            for (idx, (to, n)) in targets.into_iter().enumerate() {
                let target = &states[to as usize];
                let times = counted(n, "time");
                // A direct transition is named by its target, so that several are told apart.
                let predicate = (event != DIRECT && idx + 1 < n_targets).then(|| {
                    let taken: Vec<String> = predicates.values().cloned().collect();
                    let wanted = spelled(&format!("{}_leads_to_{target}", events[event as usize])).replace('-', "_");
                    predicates.entry((event, to)).or_insert_with(|| fresh(&wanted, &taken)).clone()
                });
                let when = predicate.as_ref().map_or_else(String::new, |it| format!("when: {it}, "));
                let on = if event == DIRECT { String::new() } else { format!("event: {}, ", events[event as usize]) };
                let stays = from == to && event != DIRECT;
                let to_text = if stays { String::new() } else { format!("to: {target}") };
                let row = format!("{{ from: {from_text}, {on}{when}{to_text} }}").replace(",  }", " }");
                let on = if event == DIRECT { String::new() } else { format!(" by {}", events[event as usize]) };
                rows.push(Row { text: row, note: plain(&format!("{shown} to {target}{on}: {times}.")), predicate });
            }
        }
        rows
    }
}

struct Row {
    text: String,
    note: String,
    predicate: Option<String>,
}
