//! Converts a draft to the text of a spec: names for everything, and defaults for missing parts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::draft::{Draft, Effect, Findings, From, Goal, Row, State, Trigger};
use super::guard::Guards;
use super::naming::Namer;
use super::write::{self, Flow};
use crate::diagnostic::Diagnostic;
use crate::names;

/// The machine's name, the spec, and the findings.
pub(super) fn finish(mut draft: Draft) -> (String, String, Vec<Diagnostic>) {
    let mut found = std::mem::take(&mut draft.found);
    settle_initials(&mut draft, &mut found);
    settle_first_step(&mut draft, &mut found);
    settle_creation(&mut draft);
    let has_events = draft.rows.iter().any(|row| row.from != From::Creation && !row.events.is_empty()) || !draft.events.is_empty();
    let mut may_be_done: BTreeSet<usize> = draft.states.iter().filter(|it| it.terminal).filter_map(|it| it.parent).collect();
    let parallel = (0..draft.states.len()).filter(|it| draft.states[*it].parallel);
    let done: Vec<usize> = parallel.filter(|it| draft.inside(Some(*it)).iter().all(|it| may_be_done.contains(it))).collect();
    may_be_done.extend(done);
    let never = never_other(&draft);
    draft.rows.retain(|row| {
        let why = match row.trigger {
            Trigger::Events if row.from == From::Creation && row.to.is_none() => "a start that leads nowhere has no place in a spec",
            Trigger::Events if row.to.is_none() && row.events.is_empty() => {
                "a step without an event that goes nowhere has no place in a spec"
            }
            Trigger::Automatic if row.to.is_none() && !row.is_guarded() => {
                "this step would be taken forever, because it needs no event and goes nowhere: it was left out"
            }
            Trigger::AnyOther if !has_events => "this is for any other event, and there is none",
            Trigger::AnyOther if matches!(row.from, From::State(of) if never.contains(&of)) => {
                "this is for any other event, and a spec has only those that the chart names: each has a transition here"
            }
            Trigger::Done if !matches!(row.from, From::State(of) if may_be_done.contains(&of)) => {
                "this step is never taken: its source is never done"
            }
            _ => return true,
        };
        found.loss(row.span, why);
        false
    });
    super::order::report_forks(&draft, &mut found);
    super::order::report_order(&draft, &mut found);
    let names = Names::new(&draft, &mut found);
    let yaml = spec(&draft, &names);
    (names.machine, yaml, found.finish())
}

/// The states in which a row for any other event is never taken: every event has a row there.
fn never_other(draft: &Draft) -> BTreeSet<usize> {
    let of_rows = draft.rows.iter().filter(|it| it.from != From::Creation).flat_map(|it| &it.events);
    let events: BTreeSet<&String> = of_rows.chain(&draft.events).collect();
    let has_row = |state: usize, event: &String| {
        draft.rows.iter().any(|it| it.from == From::State(state) && !it.is_guarded() && it.events.contains(event))
    };
    (0..draft.states.len()).filter(|state| events.iter().all(|it| has_row(*state, it))).collect()
}

/// Ensures exactly one initial state among siblings.
fn settle_initials(draft: &mut Draft, found: &mut Findings) {
    let scopes: BTreeSet<Option<usize>> = draft.states.iter().map(|it| it.parent).collect();
    for scope in scopes {
        let inside = draft.inside(scope);
        if draft.is_parallel(scope) {
            // All regions start.
            inside.into_iter().for_each(|it| draft.states[it].initial = false);
            continue;
        }
        let mut marked = inside.iter().copied().filter(|it| draft.states[*it].initial);
        if let Some(first) = marked.next() {
            for other in marked.collect::<Vec<_>>() {
                draft.states[other].initial = false;
            }
            debug_assert!(draft.states[first].initial);
            continue;
        }
        let Some(&first) = inside.first() else { continue };
        let whole = scope.map_or("the machine".to_owned(), |it| format!("`{}`", draft.states[it].id));
        let span = scope.map_or(draft.states[first].span, |it| draft.states[it].span);
        found.added(span, format!("nothing says where {whole} starts: its first state, `{}`, was marked", draft.states[first].id));
        let state = &mut draft.states[first];
        state.initial = true;
        state.inferred.get_or_insert_with(|| "Nothing says where it starts; this is the first state.".to_owned());
    }
}

/// A machine that takes a step by itself at its start is created by an event: a spec takes no step before the first event.
fn settle_first_step(draft: &mut Draft, found: &mut Findings) {
    if draft.rows.iter().any(|row| row.from == From::Creation) {
        return;
    }
    let entered = |scope: Option<usize>| {
        let inside = draft.inside(scope);
        if draft.is_parallel(scope) { inside } else { inside.into_iter().filter(|it| draft.states[*it].initial).collect() }
    };
    let tops = entered(None);
    let Some(&top) = tops.first() else { return };
    let mut starts = tops.clone();
    let mut open = starts.clone();
    while let Some(state) = open.pop() {
        let inner = entered(Some(state));
        starts.extend(&inner);
        open.extend(inner);
    }
    let is_first = |row: &&Row| match row.from {
        From::State(from) => starts.contains(&from),
        From::Any => true,
        From::Creation => false,
    };
    // A composite that starts in a terminal state is done at once.
    let is_done = |from: usize| starts.iter().any(|it| draft.states[*it].terminal && draft.is_in(*it, Some(from)));
    let is_at_once = |row: &&Row| match (row.trigger, row.from) {
        (Trigger::Automatic, _) => true,
        (Trigger::Done, From::State(from)) => is_done(from),
        _ => false,
    };
    let automatic = draft.rows.iter().filter(is_first).find(is_at_once).map(|row| row.span);
    let Some(span) = automatic.or((!draft.raised_at_start.is_empty()).then(|| draft.states[top].span)) else {
        for state in starts.iter().map(|it| &draft.states[*it]).filter(|it| !it.entry.is_empty()) {
            let message = format!(
                "the machine starts in `{}`, and a spec performs nothing at its start: the effects of entering it are for later entries, unless an event creates the machine",
                state.id
            );
            found.assumed(state.span, message);
        }
        return;
    };
    found.assumed(span, "this step is taken at the start, before any event: the spec has an event that creates the machine");
    let mut row = Row::new(From::Creation, Some(top), span);
    row.also = tops[1..].iter().map(|it| (*it, None)).collect();
    row.raise = std::mem::take(&mut draft.raised_at_start);
    row.inferred = Some("The machine takes a step by itself at its start.".to_owned());
    draft.rows.insert(0, row);
}

/// A creation needs an event: a missing one is added, with an empty label.
fn settle_creation(draft: &mut Draft) {
    let mut n_made = 0;
    for row in draft.rows.iter_mut().filter(|it| it.from == From::Creation && it.events.is_empty()) {
        let Some(to) = row.to else { continue };
        let event = if n_made == 0 { "create".to_owned() } else { format!("create {}", draft.states[to].id) };
        n_made += 1;
        row.events = vec![event];
        row.label.get_or_insert_default();
        row.inferred.get_or_insert_with(|| "The text names no event for this start.".to_owned());
    }
}

/// The names of everything, by position.
struct Names {
    machine: String,
    states: Vec<String>,
    /// The events of every row.
    events: Vec<Vec<String>>,
    /// The name of the timer of every row that says it.
    timers: Vec<Option<String>>,
    guards: Vec<Option<String>>,
    effects: Vec<Vec<String>>,
    /// The events that every row raises.
    raise: Vec<Vec<String>>,
    entry: Vec<Vec<String>>,
    exit: Vec<Vec<String>>,
    /// Declarations in the order of the text: the name, and the text if it differs.
    declared_events: Vec<(String, String)>,
    declared_effects: Vec<(String, Effect)>,
    actors: Actors,
    all_guards: Guards,
}

impl Names {
    fn new(draft: &Draft, found: &mut Findings) -> Self {
        let mut namer = Namer::new("machine", names::snake);
        let machine = namer.fresh(&draft.name);
        let states = state_names(&draft.states);
        let texts = draft.rows.iter().flat_map(Row::guard_texts);
        let texts: Vec<String> = texts.map(|it| asked(it, draft, &states)).collect();
        let mut all_guards = Guards::new(draft.fields.clone(), texts.iter().map(String::as_str), draft.span);
        let mut events = Namer::new("on", names::upper_camel);
        let mut effects = Effects { namer: Namer::new("act", names::snake), declared: Vec::new(), known: BTreeMap::new() };
        let mut declared_events: Vec<(String, String)> = Vec::new();
        let states = state_names(&draft.states);
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
                text.push_str(&if name.contains('-') { format!("in('{name}')") } else { format!("in({name})") });
                rest = &call[length..];
            }
            None => {
                text.push_str("In(");
                rest = &call[3..];
            }
        }
    }
    text + rest
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
                _ => Some(events.fresh(&super::naming::slug(&format!("{} after {after}", states[*state]), "after"))),
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
struct Actors {
    declared: Vec<(String, String)>,
    of_events: BTreeMap<String, Vec<String>>,
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
fn state_names(states: &[State]) -> Vec<String> {
    let mut namer = Namer::new("state", names::upper_camel);
    let mut named: Vec<String> = Vec::new();
    for state in states {
        let own = if names::is_name(&state.id) { state.id.clone() } else { super::naming::slug(&state.id, "state") };
        let name = match state.parent.and_then(|it| named.get(it)) {
            Some(parent) if namer.has(&own) => namer.fresh(&format!("{parent}_{own}")),
            _ => namer.fresh(&own),
        };
        named.push(name);
    }
    named
}

fn spec(draft: &Draft, names: &Names) -> String {
    let mut yaml = String::new();
    let mut head = Flow::default();
    head.word("machine", &names.machine);
    if let Some(title) = draft.title.as_deref().filter(|it| *it != names.machine) {
        head.text("title", title);
    }
    if let Some(doc) = &draft.doc {
        head.text("doc", doc);
    }
    head.lines(0, &mut yaml);
    if !names.actors.declared.is_empty() {
        yaml.push_str("actors:\n");
        for (name, text) in &names.actors.declared {
            let _ = writeln!(yaml, "  {}: {}", write::quote(name), write::text(text));
        }
    }
    section("context", &names.all_guards.fields, &mut yaml, |field| {
        let mut flow = Flow::default();
        flow.raw("type", field.ty);
        if let Some(default) = &field.default {
            flow.raw("default", default);
        }
        if field.optional {
            flow.raw("optional", "true");
        }
        (field.name.clone(), flow)
    });
    yaml.push_str(if draft.parallel { "regions:\n" } else { "states:\n" });
    states(draft, names, None, 2, &mut yaml);
    section("events", &names.declared_events, &mut yaml, |(name, text)| {
        let mut flow = Flow::default();
        flow.words("by", names.actors.of_events.get(name).map_or(&[], Vec::as_slice));
        if text != name {
            flow.text("label", text);
        }
        (name.clone(), flow)
    });
    section("predicates", &names.all_guards.predicates, &mut yaml, |(name, doc)| {
        let mut flow = Flow::default();
        if let Some(doc) = doc {
            flow.text("doc", doc);
        }
        (name.clone(), flow)
    });
    section("effects", &names.declared_effects, &mut yaml, |(name, effect)| {
        let mut flow = Flow::default();
        if effect.text != *name {
            flow.text("label", &effect.text);
        }
        if let Some(doc) = &effect.doc {
            flow.text("doc", doc);
        }
        (name.clone(), flow)
    });
    yaml.push_str(if draft.rows.is_empty() { "transitions: []\n" } else { "transitions:\n" });
    for (idx, row) in draft.rows.iter().enumerate() {
        write::comments(&row.comments, 2, &mut yaml);
        let _ = writeln!(yaml, "  - {}", transition(row, idx, draft, names).braced());
    }
    if !draft.notes.is_empty() {
        yaml.push_str("notes:\n");
        for note in &draft.notes {
            let _ = writeln!(yaml, "  - {}", write::text(note));
        }
    }
    write::comments(&draft.comments, 0, &mut yaml);
    yaml
}

/// A map of declarations, one a line; nothing if there are none.
fn section<T>(key: &str, items: &[T], yaml: &mut String, entry: impl Fn(&T) -> (String, Flow)) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(yaml, "{key}:");
    for item in items {
        let (name, flow) = entry(item);
        let _ = writeln!(yaml, "  {}: {}", write::quote(&name), flow.braced());
    }
}

fn states(draft: &Draft, names: &Names, scope: Option<usize>, indent: usize, yaml: &mut String) {
    for (idx, state) in draft.states.iter().enumerate().filter(|(_, it)| it.parent == scope) {
        let name = &names.states[idx];
        let mut flow = Flow::default();
        if state.initial {
            flow.raw("initial", "true");
        }
        if state.terminal {
            flow.raw("terminal", "true");
        }
        // The id is shown to readers if it could not be the name.
        let label = state.label.as_deref().unwrap_or(&state.id);
        if label != name {
            flow.text("label", label);
        }
        if !state.doc.is_empty() {
            flow.text("doc", &state.doc.join("\n\n"));
        }
        let written = |(field, shallow): &(String, bool)| match shallow {
            true => format!("{{ field: {field}, shallow: true }}"),
            false => write::quote(field),
        };
        match state.histories.iter().map(written).collect::<Vec<_>>().as_slice() {
            [] => {}
            [one] => flow.raw("history", one),
            several => flow.raw("history", format!("[{}]", several.join(", "))),
        }
        flow.words("entry", &names.entry[idx]);
        flow.words("exit", &names.exit[idx]);
        if let Some(inferred) = &state.inferred {
            flow.text("inferred", inferred);
        }
        write::comments(&state.comments, indent, yaml);
        let pad = " ".repeat(indent);
        let key = write::quote(name);
        if draft.states.iter().any(|it| it.parent == Some(idx)) {
            let _ = writeln!(yaml, "{pad}{key}:");
            flow.lines(indent + 2, yaml);
            let _ = writeln!(yaml, "{pad}  {}:", if state.parallel { "regions" } else { "states" });
            states(draft, names, Some(idx), indent + 4, yaml);
        } else {
            let _ = writeln!(yaml, "{pad}{key}: {}", flow.braced());
        }
    }
}

fn transition(row: &Row, idx: usize, draft: &Draft, names: &Names) -> Flow {
    let mut flow = Flow::default();
    match row.from {
        From::Creation => flow.raw("from", "\"[*]\""),
        From::Any => flow.raw("from", "\"*\""),
        From::State(from) => flow.word("from", &names.states[from]),
    }
    let except: Vec<String> = row.except.iter().map(|it| names.states[*it].clone()).collect();
    flow.words("except", &except);
    match row.trigger {
        Trigger::Events => flow.words("event", &names.events[idx]),
        Trigger::AnyOther => flow.raw("event", "\"*\""),
        Trigger::Automatic => flow.raw("automatic", "true"),
        Trigger::Done => flow.raw("done", "true"),
        Trigger::After => flow.raw("after", &row.after),
    }
    if let Some(timer) = &names.timers[idx] {
        flow.word("timer", timer);
    }
    if let Some(guard) = &names.guards[idx] {
        flow.word("when", guard);
    }
    let target = |(to, to_history): Goal| match to_history {
        Some(recall) => write::quoted(&format!("{{{}}}", draft.recalls[recall].field)),
        None => write::quote(&names.states[to]),
    };
    let targets: Vec<String> = row.targets().into_iter().map(target).collect();
    match targets.as_slice() {
        [] => {}
        [one] => flow.raw("to", one),
        several => flow.raw("to", format!("[{}]", several.join(", "))),
    }
    flow.list("do", &names.effects[idx]);
    flow.words("raise", &names.raise[idx]);
    if row.reenter {
        flow.raw("reenter", "true");
    }
    if let Some(label) = row.label.as_ref().filter(|it| one_line(it) != shown(row, idx, names)) {
        flow.text("label", label);
    }
    if let Some(doc) = &row.doc {
        flow.text("doc", doc);
    }
    if let Some(inferred) = &row.inferred {
        flow.text("inferred", inferred);
    }
    flow
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The label that diagrams show for a row without one; a different text if that is uncertain.
fn shown(row: &Row, idx: usize, names: &Names) -> String {
    let mut shown = match row.trigger {
        Trigger::Events => one_line(&row.events.join(", ")),
        Trigger::AnyOther => "any other event".to_owned(),
        Trigger::Automatic => String::new(),
        Trigger::Done => "done".to_owned(),
        Trigger::After => format!("after {}", row.after),
    };
    match (&names.guards[idx], row.guards.as_slice()) {
        // A predicate is shown by its name; the display of an expression is decided by the backend.
        (Some(guard), [text]) if guard == text && names::is_name(guard) => {
            shown.push_str(if shown.is_empty() { "" } else { " " });
            let _ = write!(shown, "[{guard}]");
        }
        (Some(_), _) => return "\0".to_owned(),
        _ => {}
    }
    shown
}
