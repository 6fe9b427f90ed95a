//! The text of a spec.

use std::fmt::Write as _;

use statespec_lang::names::is_name;

use super::Names;
use crate::draft::{Draft, From, Goal, Row, Trigger};
use crate::write::{self, Flow};

pub(super) fn spec(draft: &Draft, names: &Names) -> String {
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
        if let Some(wire) = &state.wire {
            flow.text("wire", wire);
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
    if let Some(label) = own_label(row, idx, draft, names) {
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

/// The label of a row that a diagram would not show by itself.
fn own_label<'a>(row: &'a Row, idx: usize, draft: &Draft, names: &Names) -> Option<&'a String> {
    let label = row.label.as_ref()?;
    let mut shown = shown(row, idx, names);
    // Behind a guard that is shown, so is that none holds.
    let shows_guard = |(at, it): (usize, &Row)| it.is_beside(row) && it.is_guarded() && own_label(it, at, draft, names).is_none();
    if row.otherwise && !row.is_guarded() && draft.rows[..idx].iter().enumerate().any(shows_guard) {
        shown.push_str(if shown.is_empty() { "[else]" } else { " [else]" });
    }
    (one_line(label) != shown).then_some(label)
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
        (Some(guard), [text]) if guard == text && is_name(guard) => {
            shown.push_str(if shown.is_empty() { "" } else { " " });
            let _ = write!(shown, "[{guard}]");
        }
        (Some(_), _) => return "\0".to_owned(),
        _ => {}
    }
    shown
}
