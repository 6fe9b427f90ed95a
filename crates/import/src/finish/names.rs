//! The names of everything in a spec.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::names;

use crate::draft::{Draft, Effect, Findings, From, Row, State, Trigger};
use crate::guard::Guards;
use crate::naming::{self, Namer};

/// The names of everything, by position.
pub(super) struct Names {
    pub(super) machine: String,
    pub(super) states: Vec<String>,
    /// The events of every row.
    pub(super) events: Vec<Vec<String>>,
    /// The name of the timer of every row that says it.
    pub(super) timers: Vec<Option<String>>,
    pub(super) guards: Vec<Option<String>>,
    pub(super) effects: Vec<Vec<String>>,
    /// The events that every row raises.
    pub(super) raise: Vec<Vec<String>>,
    pub(super) entry: Vec<Vec<String>>,
    pub(super) exit: Vec<Vec<String>>,
    /// Declarations in the order of the text: the name, and the text if it differs.
    pub(super) declared_events: Vec<(String, String)>,
    pub(super) declared_effects: Vec<(String, Effect)>,
    pub(super) actors: Actors,
    pub(super) all_guards: Guards,
}

impl Names {
    pub(super) fn new(draft: &Draft, found: &mut Findings) -> Self {
        let mut namer = Namer::new("machine", names::snake);
        let machine = namer.fresh(&draft.name);
        let states = state_names(&draft.states);
        let texts = draft.rows.iter().flat_map(Row::guard_texts);
        let texts: Vec<String> = texts.map(|it| asked(it, draft, &states)).collect();
        let mut all_guards = Guards::new(draft.fields.clone(), texts.iter().map(String::as_str), draft.span);
        let mut events = Namer::new("on", names::upper_camel);
        let mut effects = Effects { namer: Namer::new("act", names::snake), declared: Vec::new(), known: BTreeMap::new() };
        let mut declared_events: Vec<(String, String)> = Vec::new();
        let timers = timers(&draft.rows, &states, &mut events);
        let mut of_rows = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let entry = draft.states.iter().map(|it| effects.names(&it.entry)).collect();
        let exit = draft.states.iter().map(|it| effects.names(&it.exit)).collect();
        for row in &draft.rows {
            let mut named = |texts: &[String]| -> Vec<String> {
                let name = |text: &String| {
                    let name = events.name(text);
                    if !declared_events.iter().any(|(it, _)| *it == name) {
                        declared_events.push((name.clone(), text.clone()));
                    }
                    name
                };
                texts.iter().map(name).collect()
            };
            of_rows.0.push(named(&row.events));
            of_rows.3.push(named(&row.raise));
            let mut of_text = |all_guards: &mut Guards, text: &str| {
                let mut asked = asked(text, draft, &states);
                if !all_guards.reads(&asked, row.span) {
                    asked = text.to_owned();
                }
                if calls_in(&asked) {
                    found.loss(row.span, "`In(…)` asks which state is active: it became a predicate, which your code decides");
                }
                let (guard, inferred) = all_guards.guard(&asked, row.span);
                inferred.into_iter().for_each(|it| found.assumed(row.span, it));
                guard
            };
            let mut guards: Vec<String> = row.guards.iter().map(|it| of_text(&mut all_guards, it)).collect();
            guards.extend(row.composed.iter().map(|it| all_guards.composed(it, &mut of_text)));
            guards.extend(row.when.iter().cloned());
            of_rows.1.push(all_of(guards));
            of_rows.2.push(effects.names(&row.effects));
        }
        for text in &draft.events {
            let name = events.name(text);
            if !declared_events.iter().any(|(it, _)| *it == name) {
                declared_events.push((name, text.clone()));
            }
        }
        let actors = Actors::new(&draft.rows, &of_rows.0, found);
        Names {
            machine,
            states,
            timers,
            events: of_rows.0,
            guards: of_rows.1,
            effects: of_rows.2,
            raise: of_rows.3,
            entry,
            exit,
            declared_events,
            declared_effects: effects.declared,
            actors,
            all_guards,
        }
    }
}

/// A guard with `In('id')` as `in(name)`, where there is such a state and the rest can be read.
fn asked(guard: &str, draft: &Draft, names: &[String]) -> String {
    let text = with_names(guard, draft, names);
    if Guards::can_read(&text, draft.span) { text } else { guard.to_owned() }
}

fn with_names(guard: &str, draft: &Draft, names: &[String]) -> String {
    let mut text = String::new();
    let mut rest = guard;
    while let Some(idx) = rest.find("In(") {
        let (before, call) = rest.split_at(idx);
        let is_word = before.ends_with(|it: char| it.is_alphanumeric() || it == '_' || it == '.');
        let inside = call[3..].find(')').map(|end| (&call[3..3 + end], end + 4));
        let state = inside.filter(|_| !is_word).and_then(|(id, length)| {
            let id = id.trim().trim_matches(['\'', '"']);
            Some((draft.states.iter().position(|it| it.id == id)?, length))
        });
        text.push_str(before);
        match state {
            Some((state, length)) => {
                let name = &names[state];
                let (is_refused, behind) = compared(&call[length..]).unwrap_or((false, &call[length..]));
                text.push_str(if is_refused { "not " } else { "" });
                text.push_str(&if name.contains('-') { format!("in('{name}')") } else { format!("in({name})") });
                rest = behind;
            }
            None => {
                text.push_str("In(");
                rest = &call[3..];
            }
        }
    }
    text + rest
}

/// A comparison with a truth value, as behind `In('a') == false`: whether it negates, and what follows.
fn compared(text: &str) -> Option<(bool, &str)> {
    let text = text.trim_start();
    let (is_equal, text) = [("===", true), ("!==", false), ("==", true), ("!=", false)]
        .into_iter()
        .find_map(|(sign, is_equal)| Some((is_equal, text.strip_prefix(sign)?.trim_start())))?;
    let (is_true, behind) = text.strip_prefix("true").map(|it| (true, it)).or_else(|| Some((false, text.strip_prefix("false")?)))?;
    let is_word = behind.starts_with(|it: char| it.is_alphanumeric() || it == '_' || it == '.');
    (!is_word).then_some((is_equal != is_true, behind))
}

/// Whether a condition calls `In`.
fn calls_in(condition: &str) -> bool {
    condition.match_indices("In(").any(|(idx, _)| !condition[..idx].ends_with(|it: char| it.is_alphanumeric() || it == '_'))
}

/// The names of the timers of rows. A state with one timer has the usual name for it, which a row does not say.
fn timers(rows: &[Row], states: &[String], events: &mut Namer) -> Vec<Option<String>> {
    let mut durations: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for row in rows.iter().filter(|it| it.trigger == Trigger::After && it.timer.is_none()) {
        if let From::State(from) = row.from {
            durations.entry(from).or_default().insert(&row.after);
        }
    }
    let mut named: BTreeMap<(usize, &str), Option<String>> = BTreeMap::new();
    for (state, of_state) in &durations {
        for after in of_state {
            let usual = format!("{}_timeout", states[*state]);
            let name = match of_state.len() {
                1 => Some(events.fresh(&usual)).filter(|it| *it != usual),
                _ => Some(events.fresh(&naming::slug(&format!("{} after {after}", states[*state]), "after"))),
            };
            named.insert((*state, after), name);
        }
    }
    let name = |row: &Row| match (row.trigger, &row.timer, row.from) {
        (Trigger::After, Some(text), _) => Some(events.name(text)),
        (Trigger::After, None, From::State(from)) => named.get(&(from, row.after.as_str())).cloned().flatten(),
        _ => None,
    };
    rows.iter().map(name).collect()
}

/// The actors, and those of each event.
pub(super) struct Actors {
    pub(super) declared: Vec<(String, String)>,
    pub(super) of_events: BTreeMap<String, Vec<String>>,
}

impl Actors {
    /// A spec names the actors of an event, a row those of one step: where these differ, it is reported.
    fn new(rows: &[Row], events: &[Vec<String>], found: &mut Findings) -> Self {
        let mut actors = Actors { declared: Vec::new(), of_events: BTreeMap::new() };
        if rows.iter().all(|it| it.by.is_empty()) {
            return actors;
        }
        let mut namer = Namer::new("actor", names::snake);
        let mut seen: BTreeMap<&str, (&Row, BTreeSet<String>)> = BTreeMap::new();
        for (row, events) in rows.iter().zip(events) {
            let mut named: BTreeSet<String> = BTreeSet::new();
            for text in row.by.iter().filter(|_| !events.is_empty()) {
                let name = namer.name(text);
                if !actors.declared.iter().any(|(it, _)| *it == name) {
                    actors.declared.push((name.clone(), text.clone()));
                }
                named.insert(name);
            }
            for event in events {
                let Some((first, known)) = seen.get_mut(event.as_str()) else {
                    seen.insert(event, (row, named.clone()));
                    continue;
                };
                if *known == named {
                    continue;
                }
                // An empty set means anyone.
                let anyone = known.is_empty() || named.is_empty();
                let whom = if anyone { "anyone" } else { "the actors of all rows" };
                let message =
                    format!("the actors of `{event}` differ between its rows, and a spec names them for the event: {whom} may raise it");
                found.loss(if first.by.is_empty() { first.span } else { row.span }, message);
                if anyone { known.clear() } else { known.extend(named.clone()) }
            }
        }
        actors.of_events = seen.into_iter().map(|(event, (_, by))| (event.to_owned(), by.into_iter().collect())).collect();
        actors
    }
}

/// One guard that requires all guards.
fn all_of(guards: Vec<String>) -> Option<String> {
    let several = guards.len() > 1;
    let whole = |it: String| if several && it.contains(" or ") { format!("({it})") } else { it };
    (!guards.is_empty()).then(|| guards.into_iter().map(whole).collect::<Vec<_>>().join(" and "))
}

struct Effects {
    namer: Namer,
    declared: Vec<(String, Effect)>,
    /// The names by text and source: `x = 1` and `x = 2` are two effects, although both assign `x`.
    known: BTreeMap<(String, Option<String>), String>,
}

impl Effects {
    fn names(&mut self, effects: &[Effect]) -> Vec<String> {
        let mut named: Vec<String> = Vec::new();
        for effect in effects {
            let key = (effect.text.clone(), effect.doc.clone());
            let name = self.known.entry(key).or_insert_with(|| {
                let name = self.namer.fresh(&effect.text);
                self.declared.push((name.clone(), effect.clone()));
                name
            });
            named.push(name.clone());
        }
        named
    }
}

/// Names in the order of the text; a duplicate name is qualified with the parent's name.
pub(crate) fn state_names(states: &[State]) -> Vec<String> {
    let mut namer = Namer::new("state", names::upper_camel);
    let mut named: Vec<String> = Vec::new();
    for state in states {
        let own = if names::is_name(&state.id) { state.id.clone() } else { naming::slug(&state.id, "state") };
        let name = match state.parent.and_then(|it| named.get(it)) {
            Some(parent) if namer.has(&own) => namer.fresh(&format!("{parent}_{own}")),
            _ => namer.fresh(&own),
        };
        named.push(name);
    }
    named
}
