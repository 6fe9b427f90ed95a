//! Statements that a program prepares: for each event and each direct transition an update that compares before it sets, and
//! queries of the rows that go on and of those that have ended.
//!
//! No row is changed in two cases: the row has another state or version than the program believes, or there is no such row.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::expr::Var;
use statespec_lang::model::machine::Outcome;
use statespec_lang::model::{EventId, FieldId, Literal};
use statespec_lang::program::{Expr, Kind};
use statespec_lang::types::TransitionId;

use super::dialect::name;
use super::mapping::{self, Engine};
use super::plan::Plan;
use super::{postgres, sqlite};

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The name: the event, `to_STATE` of a direct transition, `active`, `ended`, or `due_TIMER`.
    pub name: String,
    /// The meaning of each parameter, in their order.
    pub parameters: Vec<String>,
    /// The text, without its semicolon.
    pub sql: String,
    /// The fields of the context that the program sets besides.
    pub others: Vec<String>,
}

/// A statement before it has a text: the rows of the spec, and the pairs of states.
#[derive(Default)]
struct Step {
    rows: BTreeSet<TransitionId>,
    from: BTreeSet<usize>,
}

pub(crate) fn statements(plan: &Plan<'_>) -> Vec<Statement> {
    let machine = plan.machine();
    let mut statements = Vec::new();
    for event in (0..machine.events.len()).map(EventId::new) {
        let rows = (0..machine.transitions.len()).map(TransitionId::new).filter(|it| machine.transition(*it).events().contains(&event));
        let rows: BTreeSet<TransitionId> = rows.collect();
        let steps = moves(plan, &rows);
        let name = &machine.event(event).name;
        for (to, step) in &steps {
            let name = if steps.len() == 1 { name.clone() } else { format!("{name}_to_{}", state_name(plan, *to)) };
            statements.push(update(plan, name, Some(*to), step));
        }
        let stay = stays(plan, &rows);
        if !stay.from.is_empty() {
            let name = if steps.is_empty() { name.clone() } else { format!("{name}_stays") };
            let statement = update(plan, name, None, &stay);
            statements.extend((!statement.sql.contains(" SET  WHERE")).then_some(statement));
        }
    }
    let direct = (0..machine.transitions.len()).map(TransitionId::new).filter(|it| machine.transition(*it).is_direct()).collect();
    for (to, step) in moves(plan, &direct) {
        statements.push(update(plan, format!("to_{}", state_name(plan, to)), Some(to), &step));
    }
    for (name, ended) in [("active", false), ("ended", true)] {
        let states: Vec<usize> = (0..plan.stored.len()).filter(|it| plan.graph.states[*it].terminal == ended).collect();
        if !states.is_empty() {
            let sql = format!("SELECT * FROM {} WHERE {}", table(plan), is_one_of(plan, &states));
            statements.push(Statement { name: name.to_owned(), parameters: Vec::new(), sql, others: Vec::new() });
        }
    }
    statements.extend(plan.mapping.timers.iter().map(|(event, column)| due(plan, *event, column)));
    statements
}

/// The rows in which a timer is due at a time.
fn due(plan: &Plan<'_>, event: EventId, column: &str) -> Statement {
    let machine = plan.machine();
    let runs = |it: &usize| {
        let at = &plan.graph.states[*it].configuration;
        machine.timer(event).is_some_and(|timer| timer.states.iter().any(|whole| machine.is_active(at, *whole)))
    };
    let states: Vec<usize> = (0..plan.stored.len()).filter(runs).collect();
    let mark = if plan.mapping.engine == Engine::Postgres { "$1" } else { "?1" };
    let sql = format!("SELECT * FROM {} WHERE {} AND {} <= {mark}", table(plan), is_one_of(plan, &states), name(column));
    Statement { name: format!("due_{}", machine.event(event).name), parameters: vec!["now".to_owned()], sql, others: Vec::new() }
}

/// The steps that some rows begin, by the state to which they lead.
fn moves(plan: &Plan<'_>, rows: &BTreeSet<TransitionId>) -> BTreeMap<usize, Step> {
    let mut steps = BTreeMap::<usize, Step>::new();
    for row in rows {
        for (from, to) in plan.graph.begun.get(row).into_iter().flatten() {
            let step = steps.entry(*to).or_default();
            step.rows.insert(*row);
            step.from.insert(*from);
        }
    }
    steps
}

/// The states in which some rows stay.
fn stays(plan: &Plan<'_>, rows: &BTreeSet<TransitionId>) -> Step {
    let machine = plan.machine();
    let mut step = Step::default();
    for edge in machine.edges.iter().filter(|it| it.outcome == Outcome::Stay && rows.contains(&it.transition)) {
        let from = (0..plan.stored.len()).filter(|it| edge.from.is_some_and(|leaf| plan.graph.states[*it].configuration.contains(leaf)));
        step.from.extend(from);
        step.rows.insert(edge.transition);
    }
    step
}

fn state_name(plan: &Plan<'_>, state: usize) -> String {
    plan.machine().configuration_name(&plan.graph.states[state].configuration).replace('+', "_and_")
}

fn table(plan: &Plan<'_>) -> String {
    match plan.mapping.engine {
        Engine::Postgres => postgres::table(&plan.mapping.table),
        Engine::Sqlite => name(&plan.mapping.table.name),
    }
}

fn value(plan: &Plan<'_>, state: usize) -> String {
    match plan.mapping.kind {
        mapping::Kind::Integer => plan.stored[state].clone(),
        mapping::Kind::Text | mapping::Kind::Enum => text(plan, &plan.stored[state]),
    }
}

fn text(plan: &Plan<'_>, text: &str) -> String {
    match plan.mapping.engine {
        Engine::Postgres => postgres::literal(text),
        Engine::Sqlite => sqlite::literal(text),
    }
}

fn is_one_of(plan: &Plan<'_>, states: &[usize]) -> String {
    let column = name(&plan.mapping.state);
    match states {
        [one] => format!("{column} = {}", value(plan, *one)),
        many => format!("{column} IN ({})", many.iter().map(|it| value(plan, *it)).collect::<Vec<_>>().join(", ")),
    }
}

/// The update of a step; of one that stays if there is no state to set.
fn update(plan: &Plan<'_>, name_of_it: String, to: Option<usize>, step: &Step) -> Statement {
    let mut parameters: Vec<String> = Vec::new();
    let mut parameter = |meaning: &str| {
        parameters.push(meaning.to_owned());
        format!("{}{}", if plan.mapping.engine == Engine::Postgres { '$' } else { '?' }, parameters.len())
    };
    let mut conditions: Vec<String> = plan.mapping.key.iter().map(|it| format!("{} = {}", name(it), parameter(it))).collect();
    let mut set: Vec<String> = to.iter().map(|to| format!("{} = {}", name(&plan.mapping.state), value(plan, *to))).collect();
    if let Some(version) = &plan.mapping.version {
        conditions.push(format!("{} = {}", name(version), parameter(version)));
        set.push(format!("{0} = {0} + 1", name(version)));
    }
    let (assigned, others) = assigned(plan, step);
    for (field, expr) in assigned {
        let column = name(&plan.mapping.columns[&field].name);
        let value = match payload(&expr) {
            Some(id) => parameter(plan.machine().payload_name(id)),
            None => literal(plan, &expr).unwrap_or_default(),
        };
        set.push(format!("{column} = {value}"));
    }
    let from: Vec<usize> = step.from.iter().copied().collect();
    conditions.push(is_one_of(plan, &from));
    let sql = format!("UPDATE {} SET {} WHERE {}", table(plan), set.join(", "), conditions.join(" AND "));
    Statement { name: name_of_it, parameters, sql, others }
}

/// The assignments of all rows of a step that a statement can have: they agree, and are to a column, of a payload or of a literal.
/// And the names of the other fields that some row sets.
fn assigned(plan: &Plan<'_>, step: &Step) -> (Vec<(FieldId, Expr)>, Vec<String>) {
    let mut values = BTreeMap::<FieldId, Vec<Expr>>::new();
    for row in &step.rows {
        for it in plan.program.row(*row).set.iter().filter(|it| !it.keeps) {
            values.entry(it.field).or_default().push(it.value.clone());
        }
    }
    let (mut assigned, mut others) = (Vec::new(), Vec::new());
    for (field, all) in values {
        let agree = all.len() == step.rows.len() && all.iter().all(|it| it.kind == all[0].kind);
        let is_plain = payload(&all[0]).is_some() || literal(plan, &all[0]).is_some();
        match agree && is_plain && plan.mapping.columns.contains_key(&field) {
            true => assigned.push((field, all[0].clone())),
            false => others.push(plan.machine().fields[field.index()].name.clone()),
        }
    }
    (assigned, others)
}

fn payload(expr: &Expr) -> Option<statespec_lang::model::PayloadId> {
    match expr.kind {
        Kind::Read(Var::Payload(id)) | Kind::Known(Var::Payload(id)) => Some(id),
        _ => None,
    }
}

/// A value that all engines write alike.
fn literal(plan: &Plan<'_>, expr: &Expr) -> Option<String> {
    let value = match (&expr.value, &expr.kind) {
        (Some(value), _) | (None, Kind::Literal(value)) => value,
        _ => return None,
    };
    Some(match value {
        Literal::Null => "NULL".to_owned(),
        Literal::Int(it) => it.to_string(),
        Literal::Text(it) => text(plan, it),
        Literal::Bool(it) if plan.mapping.engine == Engine::Postgres => it.to_string(),
        Literal::Bool(it) => i32::from(*it).to_string(),
        _ => return None,
    })
}
