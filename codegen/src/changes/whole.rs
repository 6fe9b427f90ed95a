//! The changes from one version of a project to another: machines by meaning, systems as wholes.

use serde_json::Value;
use statespec_lang::model::{Machine, Model, System};
use statespec_lang::parallel;
use statespec_lang::source::{Sources, Span};

use super::{Change, Rule, changes};
use crate::backend::json;

/// The changes from one model to another, by the names of machines and systems, then in the order of [`Rule::ALL`].
///
/// Machines are paired by name; two models with one machine each are versions of it, whatever its name.
pub fn changes_of_models((old_sources, old): (&Sources, &Model), (new_sources, new): (&Sources, &Model)) -> Vec<Change> {
    let one = |rule: Rule, name: &str, what: &str, old: Option<Span>, new: Option<Span>| {
        vec![Change { rule, whole: name.to_owned(), message: what.to_owned(), old, new }]
    };
    if let ([a], [b]) = (old.machines.as_slice(), new.machines.as_slice())
        && a.name != b.name
    {
        let mut found =
            one(Rule::MachineRenamed, &b.name, &format!("the machine `{}` is now called `{}`", a.name, b.name), Some(a.span), Some(b.span));
        found.extend(changes(a, b));
        found.sort_by_key(|it| it.rule);
        return found;
    }
    let both: Vec<(&Machine, &Machine)> = old.machines.iter().filter_map(|a| Some((a, new.machine(&a.name)?))).collect();
    let mut found: Vec<Vec<Change>> = parallel::map(&both, |(a, b)| changes(a, b));
    for a in old.machines.iter().filter(|it| new.machine(&it.name).is_none()) {
        found.push(one(Rule::MachineRemoved, &a.name, "the machine is removed", Some(a.span), None));
    }
    for b in new.machines.iter().filter(|it| old.machine(&it.name).is_none()) {
        found.push(one(Rule::MachineAdded, &b.name, "the machine is new", None, Some(b.span)));
    }
    for a in &old.systems {
        match new.systems.iter().find(|it| it.name == a.name) {
            None => found.push(one(Rule::SystemRemoved, &a.name, "the system is removed", Some(a.span), None)),
            Some(b) => {
                let (x, y) = (meaning(old_sources, old, a), meaning(new_sources, new, b));
                let changed: Vec<&str> = y.iter().filter(|(key, it)| x.get(*key) != Some(*it)).map(|(key, _)| key.as_str()).collect();
                if changed.is_empty() && texts(old_sources, old, a) != texts(new_sources, new, b) {
                    found.push(one(Rule::Wording, &a.name, "the system: other texts", Some(a.span), Some(b.span)));
                } else if !changed.is_empty() {
                    let what = format!("the system has other {}", changed.join(", "));
                    found.push(one(Rule::SystemChanged, &a.name, &what, Some(a.span), Some(b.span)));
                }
            }
        }
    }
    for b in new.systems.iter().filter(|b| old.systems.iter().all(|a| a.name != b.name)) {
        found.push(one(Rule::SystemAdded, &b.name, "the system is new", None, Some(b.span)));
    }
    let mut found = found.concat();
    found.sort_by(|a, b| (&a.whole, a.rule).cmp(&(&b.whole, b.rule)));
    found
}

/// A system's model, wherever its file is.
fn texts(sources: &Sources, model: &Model, system: &System) -> serde_json::Map<String, Value> {
    let text = json::text(&json::system(sources, model, system));
    let mut all = match serde_json::from_str(&text) {
        Ok(Value::Object(it)) => it,
        _ => serde_json::Map::new(),
    };
    all.remove("spec");
    all
}

/// The keys of a system's model that are not texts for people.
fn meaning(sources: &Sources, model: &Model, system: &System) -> serde_json::Map<String, Value> {
    let mut keys = texts(sources, model, system);
    keys.retain(|_, value| {
        without_texts(value);
        value.is_array()
    });
    ["sources", "notes", "actors"].iter().for_each(|key| _ = keys.remove(*key));
    keys
}

fn without_texts(value: &mut Value) {
    match value {
        Value::Object(map) => {
            ["doc", "label", "inferred", "title", "aliases"].iter().for_each(|key| _ = map.remove(*key));
            map.values_mut().for_each(without_texts);
        }
        Value::Array(items) => items.iter_mut().for_each(without_texts),
        _ => {}
    }
}
