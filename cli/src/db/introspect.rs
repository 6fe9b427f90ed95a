//! `db introspect`: the columns whose values fit a machine, and the section of `statespec.toml` for each.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use statespec_codegen::model::Machine;
use statespec_codegen::report::Report;
use statespec_lang::program::Program;
use statespec_rust::root::Root;
use statespec_sql::{Engine, Graph};
use toml_edit::{Array, Value};

use super::{Candidate, connect, counted};

pub(super) fn run(root: &Root, variable: &str) -> Result<Report, Report> {
    let project = crate::open(root)?;
    let loaded = crate::load(&project)?;
    let model = crate::model(&loaded)?;
    let (engine, mut connection) = connect(variable).map_err(|why| Report::of_error(&why))?;
    let candidates = connection.columns().map_err(|why| Report::of_error(&why))?;
    let mut fitting: Vec<(usize, String)> = Vec::new();
    for machine in &model.machines {
        let stored = stored(machine);
        for candidate in &candidates {
            if let Some(n_common) = fit(candidate, &stored) {
                fitting.push((n_common, block(engine, variable, machine, candidate, &stored, n_common)));
            }
        }
    }
    fitting.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    if fitting.is_empty() {
        return Ok(Report::clean(format!("no column of {} has the states of a machine\n", counted(candidates.len() as i64, "candidate"))));
    }
    Ok(Report::clean(fitting.into_iter().map(|it| it.1).collect::<Vec<_>>().join("\n")))
}

/// The texts of the states of a machine.
fn stored(machine: &Machine) -> BTreeSet<String> {
    let leaves = || machine.leaves().map(|it| machine.state(it).wire.clone()).collect();
    if !machine.has_regions() {
        return leaves();
    }
    let graph = Graph::of(&Program::of(machine));
    graph.map_or_else(|_| leaves(), |it| it.states.iter().map(|it| machine.configuration_text(&it.configuration).into_owned()).collect())
}

/// The number of states that a column has, if most of its values are states. A single value may be anything.
fn fit(candidate: &Candidate, stored: &BTreeSet<String>) -> Option<usize> {
    let n_common = candidate.values.iter().filter(|it| stored.contains(&it.0)).count();
    (n_common >= 2 && 2 * n_common > candidate.values.len()).then_some(n_common)
}

/// The section, with a comment that says how well it fits.
fn block(engine: Engine, variable: &str, machine: &Machine, candidate: &Candidate, stored: &BTreeSet<String>, n_common: usize) -> String {
    let others: Vec<&(String, i64)> = candidate.values.iter().filter(|it| !stored.contains(&it.0)).collect();
    let mut text =
        format!("# {}.{} has {n_common} of the {} states of {}.\n", candidate.table, candidate.column, stored.len(), machine.name);
    if !others.is_empty() {
        let n_rows = others.iter().map(|it| it.1).sum();
        let values: Vec<String> = others.iter().take(5).map(|it| format!("`{}`", it.0.escape_debug())).collect();
        _ = writeln!(text, "# {} with other values: {}.", counted(n_rows, "row"), values.join(", "));
    }
    if let Some(why) = &candidate.objection {
        _ = writeln!(text, "# No guard can be attached: {why}.");
    }
    if candidate.key.is_empty() {
        text.push_str("# The table has no primary key: name the columns that identify a row.\n");
    }
    let list = |it: &[String]| match it {
        [one] => Value::from(one.as_str()),
        many => Value::Array(many.iter().map(String::as_str).collect::<Array>()),
    };
    let mut pairs: Vec<(&str, Value)> = vec![
        ("machine", machine.name.as_str().into()),
        ("engine", engine.key().into()),
        ("out", format!("db/{}.sql", machine.name).into()),
        ("url_env", variable.into()),
        ("table", candidate.table.as_str().into()),
        ("key", list(&candidate.key)),
    ];
    if !candidate.unique.is_empty() {
        let keys = candidate.unique.iter().map(|it| Value::Array(it.iter().map(String::as_str).collect::<Array>()));
        pairs.push(("unique", Value::Array(keys.collect::<Array>())));
    }
    pairs.push(("state", candidate.column.as_str().into()));
    if candidate.is_enum {
        pairs.push(("kind", "enum".into()));
    }
    text.push_str("[[database]]\n");
    for (key, value) in pairs {
        _ = writeln!(text, "{key} = {}", value.decorated("", ""));
    }
    text
}
