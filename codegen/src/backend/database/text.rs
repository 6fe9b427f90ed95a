//! The texts about a guard: its script, its statements, what it enforces as JSON and as a section of a page.

use serde_json::json;

use super::Attached;
use crate::backend::markdown::escape::{Place, plain};

/// The script, with what a person needs to run it.
pub(super) fn script(attached: &Attached<'_>) -> String {
    let Attached { machine, mapping, guard, .. } = attached;
    let (table, engine) = (mapping.table.to_string(), mapping.engine.name());
    let mut text =
        format!("-- The guard of {} in {engine}: column {} of {}.\n", one_line(&machine.name), one_line(&mapping.state), one_line(&table));
    text.push_str("-- Run it in one transaction. Run it again for each revision of the spec.\n\n");
    text.push_str(&guard.script());
    text
}

/// The statements, each with its name and its parameters before it.
pub(super) fn statements(attached: &Attached<'_>) -> String {
    let mut text =
        format!("-- Statements about {}, for drivers of {}.\n", one_line(&attached.machine.name), attached.mapping.engine.name());
    text.push_str("-- An update that changes no row: the row has another state or version, or does not exist.\n");
    for it in &attached.guard.statements {
        let parameters: Vec<String> = it.parameters.iter().enumerate().map(|(idx, it)| format!("{} {}", idx + 1, one_line(it))).collect();
        text.push_str(&format!("\n-- name: {}\n", one_line(&it.name)));
        if !parameters.is_empty() {
            text.push_str(&format!("-- parameters: {}\n", parameters.join(", ")));
        }
        if !it.others.is_empty() {
            text.push_str(&format!("-- the program sets besides: {}\n", it.others.join(", ")));
        }
        text.push_str(&format!("{};\n", it.sql));
    }
    text
}

/// A name in a comment.
fn one_line(name: &str) -> String {
    name.escape_debug().to_string()
}

/// What a guard enforces, as JSON.
pub(super) fn report(attached: &Attached<'_>) -> serde_json::Value {
    let Attached { machine, mapping, guard, .. } = attached;
    let graph = &guard.graph;
    let rules = guard.rules.iter().map(|it| json!({ "rule": it.what, "enforced": it.verdict.word(), "because": it.because }));
    let pairs = graph.pairs.keys().map(|(from, to)| json!([guard.stored[*from], guard.stored[*to]]));
    let statements =
        guard.statements.iter().map(|it| json!({ "name": it.name, "parameters": it.parameters, "sql": it.sql, "others": it.others }));
    json!({
        "version": 1,
        "kind": "database",
        "machine": machine.name,
        "engine": mapping.engine.key(),
        "table": mapping.table.to_string(),
        "key": mapping.key,
        "state": mapping.state,
        "states": guard.stored,
        "births": graph.births.iter().map(|it| &guard.stored[*it]).collect::<Vec<_>>(),
        "pairs": pairs.collect::<Vec<_>>(),
        "statements": statements.collect::<Vec<_>>(),
        "rules": rules.collect::<Vec<_>>(),
    })
}

/// What a guard enforces, as a section of a page.
pub(super) fn page(attached: &Attached<'_>) -> String {
    let Attached { mapping, guard, .. } = attached;
    let cell = |it: &str| plain(it, Place::Cell);
    let mut text =
        format!("{}, table {}:\n\n| Rule | Enforced |\n| --- | --- |\n", mapping.engine.name(), cell(&mapping.table.to_string()));
    for rule in &guard.rules {
        let because = rule.because.as_ref().map_or_else(String::new, |it| format!(", because {}", cell(it)));
        text.push_str(&format!("| {} | {}{because} |\n", cell(&rule.what), rule.verdict.word()));
    }
    text
}
