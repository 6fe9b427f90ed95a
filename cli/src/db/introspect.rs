//! `db introspect`: the columns whose values fit a machine, and the section of `statespec.toml` for each.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use statespec_codegen::backend::database::Settings;
use statespec_codegen::model::{Machine, StateId};
use statespec_codegen::report::Report;
use statespec_lang::program::Program;
use statespec_rust::root::Root;
use statespec_sql::{Engine, Graph, Kind};
use toml_edit::{Array, InlineTable, Value};

use super::{Candidate, connect, counted};

/// The number of different values up to which a column may be one of a state, unless a machine has more states.
const MAX_VALUES: usize = 100;

/// The stored values of the states of a machine, in a column of one kind.
struct Values<'m> {
    machine: &'m Machine,
    is_number: bool,
    stored: BTreeSet<String>,
    /// The number of each state by its name, where `values` of the section must have them.
    written: Vec<(&'m str, String)>,
}

pub(super) fn run(root: &Root, variable: &str) -> Result<Report, Report> {
    let project = crate::open(root)?;
    let loaded = crate::load(&project)?;
    let model = crate::model(&loaded)?;
    let (engine, mut connection) = connect(variable).map_err(|why| Report::of_error(&why))?;
    let settings = project.config.get::<Settings>();
    let (mut known, mut notes) = (Vec::new(), String::new());
    for machine in &model.machines {
        match texts(machine) {
            Ok(stored) => known.push(Values { machine, is_number: false, stored, written: Vec::new() }),
            Err(why) => _ = writeln!(notes, "# {} is not looked for: {why}.", machine.name),
        }
        known.extend(numbers(machine, settings));
    }
    let max_values = known.iter().map(|it| 2 * it.stored.len()).fold(MAX_VALUES, usize::max);
    let candidates = connection.columns(max_values).map_err(|why| Report::of_error(&why))?;
    let mut fitting: Vec<(usize, String)> = Vec::new();
    let mut unread = Vec::new();
    for candidate in &candidates {
        let is_number = candidate.kind == Kind::Integer;
        let before = fitting.len();
        for values in known.iter().filter(|it| it.is_number == is_number) {
            if let Some(n_common) = fit(candidate, &values.stored) {
                fitting.push((n_common, block(engine, variable, values, candidate, n_common)));
            }
        }
        // A key has a number for each row.
        let may_be_state =
            candidate.values.len() >= 2 && candidate.values.iter().any(|it| it.1 > 1) && !candidate.key.contains(&candidate.column);
        if is_number && may_be_state && fitting.len() == before {
            unread.push(format!("{}.{}", candidate.table, candidate.column));
        }
    }
    if !unread.is_empty() {
        _ = writeln!(
            notes,
            "# Columns of numbers, which no spec explains: {}. Give states a `number`, or write a section with `kind = \"integer\"` and `values`.",
            unread.join(", ")
        );
    }
    fitting.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    if fitting.is_empty() {
        let text = format!("no column of {} has the states of a machine\n", counted(candidates.len() as i64, "candidate"));
        return Ok(Report::clean(text + &notes));
    }
    let mut blocks: Vec<String> = fitting.into_iter().map(|it| it.1).collect();
    blocks.extend((!notes.is_empty()).then_some(notes));
    Ok(Report::clean(blocks.join("\n")))
}

/// The texts of the states of a machine; or why a row has none of them.
fn texts(machine: &Machine) -> Result<BTreeSet<String>, String> {
    if !machine.has_regions() {
        return Ok(machine.leaves().map(|it| machine.state(it).wire.clone()).collect());
    }
    let graph = Graph::of(&Program::of(machine)).map_err(|it| it.to_string())?;
    Ok(graph.states.iter().map(|it| machine.configuration_text(&it.configuration).into_owned()).collect())
}

/// The numbers of the states: those of the spec, and those of the sections about the machine.
fn numbers<'m>(machine: &'m Machine, settings: Option<&Settings>) -> Vec<Values<'m>> {
    if machine.has_regions() {
        return Vec::new();
    }
    let of_spec = |it: StateId| machine.state(it).number.map(|number| (it, number.to_string()));
    let of_spec: BTreeMap<StateId, String> = machine.leaves().filter_map(of_spec).collect();
    let mut all = vec![of_spec.clone()];
    all.extend(settings.iter().flat_map(|it| it.numbers(machine)));
    all.retain(|it| it.len() == machine.leaves().count());
    all.dedup();
    let values = |numbers: BTreeMap<StateId, String>| {
        let written = numbers.iter().filter(|(id, it)| of_spec.get(*id) != Some(*it));
        let written = written.map(|(id, it)| (machine.state(*id).name.as_str(), it.clone())).collect();
        Values { machine, is_number: true, stored: numbers.into_values().collect(), written }
    };
    all.into_iter().map(values).collect()
}

/// The number of states that a column has, if most of its values are states. A single value may be anything, and so may numbers
/// some of which are no states.
fn fit(candidate: &Candidate, stored: &BTreeSet<String>) -> Option<usize> {
    let n_common = candidate.values.iter().filter(|it| stored.contains(&it.0)).count();
    let fits = match candidate.kind {
        Kind::Integer => n_common == candidate.values.len(),
        Kind::Text | Kind::Enum => 2 * n_common > candidate.values.len(),
    };
    (n_common >= 2 && fits).then_some(n_common)
}

/// The section, with a comment that says how well it fits.
fn block(engine: Engine, variable: &str, values: &Values<'_>, candidate: &Candidate, n_common: usize) -> String {
    let Values { machine, stored, written, .. } = values;
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
    match candidate.kind {
        Kind::Text => {}
        Kind::Enum => pairs.push(("kind", "enum".into())),
        Kind::Integer => pairs.push(("kind", "integer".into())),
    }
    if !written.is_empty() {
        let mut numbers = InlineTable::new();
        for (state, number) in written {
            // A number of the spec, or of a section: both are whole.
            numbers.insert(*state, number.parse::<i64>().map_or_else(|_| number.as_str().into(), Value::from));
        }
        pairs.push(("values", Value::InlineTable(numbers)));
    }
    text.push_str("[[database]]\n");
    for (key, value) in pairs {
        _ = writeln!(text, "{key} = {}", value.decorated("", ""));
    }
    text
}
