//! Names and values in messages.

use super::reason::Witness;
use crate::expr::{Names, show_literal};
use crate::model::machine::Edge;
use crate::model::{Literal, Machine, Value};
use crate::show::MachineNames;

/// "`a`", "`a` and `b`", "`a`, `b` and 3 more".
pub(super) fn names<'a>(names: impl IntoIterator<Item = &'a str>, limit: usize) -> String {
    let names: Vec<String> = names.into_iter().map(|it| format!("`{it}`")).collect();
    let n_shown = if names.len() > limit { limit.saturating_sub(1).max(1) } else { names.len() };
    match (&names[..n_shown], names.len() - n_shown) {
        ([], _) => String::new(),
        ([only], 0) => only.clone(),
        ([firsts @ .., last], 0) => format!("{} and {last}", firsts.join(", ")),
        (some, more) => format!("{} and {more} more", some.join(", ")),
    }
}

/// The states along a circle of edges: "a → b → a", cut after six.
pub(super) fn circle(machine: &Machine, edges: &[Edge]) -> String {
    const LIMIT: usize = 6;
    let names = edges.iter().filter_map(|it| it.from).map(|it| machine.state(it).name.as_str());
    let last = if edges.len() > LIMIT { Some("…") } else { names.clone().next() };
    names.take(LIMIT).chain(last).collect::<Vec<_>>().join(" → ")
}

/// Values with the names that expressions use: "`sample = 0.72` and `urgent = true`".
pub(super) fn witness(machine: &Machine, witness: &Witness) -> String {
    let shown = MachineNames::new(machine);
    let values = witness.values.iter().map(|(var, it)| format!("{} = {}", shown.var(*var), value(machine, &shown, it)));
    let answers = witness.answers.iter().map(|(id, it)| format!("{} = {it}", shown.predicate(*id)));
    let all: Vec<String> = values.chain(answers).collect();
    names(all.iter().map(String::as_str), 6)
}

/// A value as written in an expression.
fn value(machine: &Machine, names: &dyn Names, value: &Value) -> String {
    match value {
        Value::Enum(id, idx) => show_literal(&Literal::Enum(*id, *idx), names, None),
        Value::State(id) => machine.states.get(id.index()).map_or_else(String::new, |it| it.name.clone()),
        Value::Text(it) => format!("'{it}'"),
        other => crate::interpret::value::show(machine, other),
    }
}
