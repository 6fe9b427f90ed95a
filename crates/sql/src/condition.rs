//! Guards as conditions of SQL, as far as a trigger knows their values: the columns of the row before the write, constants, and the
//! database's clock.
//!
//! What SQL cannot say is replaced by what lets the write pass, so that no legal write is refused: by true where the condition asks
//! for it, by false where the condition asks for its contrary. The reasons are collected.

use std::collections::BTreeSet;

use statespec_lang::expr::{Compare, Var};
use statespec_lang::model::{Configuration, EventId, FieldId, Literal, PayloadId, StateId, Type};
use statespec_lang::program::{Expr, Kind, Operation, Program};
use statespec_lang::types::TransitionId;

use super::dialect::Dialect;
use super::graph::{Way, Ways};
use super::mapping::Mapping;

/// A condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Condition {
    /// It always has this value.
    Is(bool),
    /// A text of SQL.
    Sql(String),
}

/// Why a trigger does not know a condition.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Lost {
    pub(crate) why: String,
    /// Whether it is a predicate, which only the program can decide.
    pub(crate) is_predicate: bool,
}

impl Lost {
    fn in_sql(why: String) -> Self {
        Lost { why, is_predicate: false }
    }
}

/// What turns guards into conditions.
#[derive(Clone, Copy)]
pub(crate) struct Conditions<'a> {
    pub(crate) program: &'a Program<'a>,
    pub(crate) mapping: &'a Mapping,
    pub(crate) dialect: &'a dyn Dialect,
}

/// Where a guard is read, and what could not be said.
struct Reading<'a> {
    of: Conditions<'a>,
    at: &'a Configuration,
    row: TransitionId,
    lost: &'a mut BTreeSet<Lost>,
}

impl Conditions<'_> {
    /// The condition under which a row of the table may go one of some ways.
    pub(crate) fn of(&self, at: &Configuration, ways: &Ways) -> Condition {
        let Ways::Of(ways) = ways else { return Condition::Is(true) };
        let mut any: Vec<BTreeSet<String>> = Vec::new();
        for way in ways {
            match self.way(at, way) {
                None => {}
                Some(all) if all.is_empty() => return Condition::Is(true),
                Some(all) => any.push(all),
            }
        }
        // A way that needs more than another one adds nothing.
        any.sort_by_key(BTreeSet::len);
        let mut needed: Vec<BTreeSet<String>> = Vec::new();
        for all in any {
            if !needed.iter().any(|it| it.is_subset(&all)) {
                needed.push(all);
            }
        }
        let all = |it: &BTreeSet<String>| joined(it.iter().cloned().collect(), " AND ");
        match needed.is_empty() {
            true => Condition::Is(false),
            false => Condition::Sql(joined(needed.iter().map(all).collect(), " OR ")),
        }
    }

    /// The conditions that must all hold for one way; `None` if one never does.
    fn way(&self, at: &Configuration, way: &Way) -> Option<BTreeSet<String>> {
        let mut all = BTreeSet::new();
        for (row, holds) in way {
            match self.guard(at, *row, *holds, &mut BTreeSet::new()) {
                Condition::Is(true) => {}
                Condition::Is(false) => return None,
                Condition::Sql(text) => _ = all.insert(text),
            }
        }
        Some(all)
    }

    /// The condition under which the guard of a row may hold, or may not hold, and the reasons for which it is only "may".
    pub(crate) fn guard(&self, at: &Configuration, row: TransitionId, holds: bool, lost: &mut BTreeSet<Lost>) -> Condition {
        let stated = self.program.row(row);
        let Some(guard) = &stated.guard else { return Condition::Is(holds) };
        if stated.guard_divides.is_some() {
            lost.insert(Lost::in_sql("it divides".to_owned()));
            return Condition::Is(true);
        }
        let condition = Reading { of: *self, at, row, lost }.condition(guard, holds);
        if holds { condition } else { not(condition) }
    }
}

fn not(condition: Condition) -> Condition {
    match condition {
        Condition::Is(value) => Condition::Is(!value),
        Condition::Sql(text) => Condition::Sql(format!("NOT {text}")),
    }
}

/// Conditions in parentheses, with an operator between them.
fn joined(mut conditions: Vec<String>, operator: &str) -> String {
    match conditions.len() {
        1 => conditions.swap_remove(0),
        _ => format!("({})", conditions.join(operator)),
    }
}

impl Reading<'_> {
    /// The condition: at least as often true as the guard if `over`, else at most as often.
    fn condition(&mut self, guard: &Expr, over: bool) -> Condition {
        if let Some(Literal::Bool(value)) = guard.value {
            return Condition::Is(value);
        }
        let found = match &guard.kind {
            Kind::Not(inner) => return not(self.condition(inner, !over)),
            Kind::And(a, b) => return both(self.condition(a, over), self.condition(b, over), false, " AND "),
            Kind::Or(a, b) => return both(self.condition(a, over), self.condition(b, over), true, " OR "),
            Kind::Active(state) => return Condition::Is(self.of.program.machine.is_active(self.at, *state)),
            Kind::IsNull(var) => self.is_null(*var),
            Kind::Predicate(id) => {
                let why = format!("the program decides `{}`", self.of.program.machine.predicates[id.index()].name);
                self.lost.insert(Lost { why, is_predicate: true });
                return Condition::Is(over);
            }
            Kind::Compare(operator, a, b) => self.compare(*operator, a, b),
            Kind::In(subject, whole) => self.inside(subject, *whole),
            _ => self.value(guard).map(|it| self.of.dialect.truth(&it)),
        };
        found.map_or_else(
            |why| {
                self.lost.insert(Lost::in_sql(why));
                Condition::Is(over)
            },
            Condition::Sql,
        )
    }

    fn compare(&mut self, operator: Compare, a: &Expr, b: &Expr) -> Result<String, String> {
        let is_plain = matches!(operator, Compare::Eq | Compare::Ne);
        if let (false, Type::Enum(_) | Type::State | Type::Bool | Type::Reference) = (is_plain, &a.ty) {
            return Err("SQL has another order of these values".to_owned());
        }
        if let Type::Enum(id) = a.ty
            && self.of.program.machine.enums[id.index()].ignore_case
        {
            return Err(format!("the values of `{}` are read in any case", self.of.program.machine.enums[id.index()].name));
        }
        let (left, right) = (self.value(a)?, self.value(b)?);
        let equal = self.of.dialect.compare(if is_plain { Compare::Eq } else { operator }, &left, &right);
        if !a.nullable && !b.nullable {
            return Ok(if operator == Compare::Ne { format!("NOT {equal}") } else { equal });
        }
        // Null equals null alone.
        let null = format!("{left} IS NULL AND {right} IS NULL");
        let known = format!("(CASE WHEN {left} IS NULL OR {right} IS NULL THEN {null} ELSE {equal} END)");
        Ok(if operator == Compare::Ne { format!("NOT {known}") } else { known })
    }

    /// Whether the state in a field is inside another one.
    fn inside(&mut self, subject: &Expr, whole: StateId) -> Result<String, String> {
        let value = self.value(subject)?;
        let machine = self.of.program.machine;
        let leaf = |id: StateId| self.of.dialect.compare(Compare::Eq, &value, &self.of.dialect.text(&machine.state(id).wire));
        let any = joined(machine.leaves_in(whole).map(leaf).collect(), " OR ");
        Ok(if subject.nullable { format!("(CASE WHEN {value} IS NULL THEN {value} IS NOT NULL ELSE {any} END)") } else { any })
    }

    fn is_null(&mut self, var: Var) -> Result<String, String> {
        match var {
            Var::Context(field) => Ok(self.of.dialect.is_null(self.mapped(field)?)),
            Var::Payload(id) => Err(self.payload(id)),
            _ => Err("it reads a system".to_owned()),
        }
    }

    fn mapped(&self, field: FieldId) -> Result<&super::mapping::Column, String> {
        let name = &self.of.program.machine.fields[field.index()].name;
        self.of.mapping.columns.get(&field).ok_or_else(|| format!("`{name}` has no column"))
    }

    fn payload(&self, id: PayloadId) -> String {
        format!("it reads `{}`, which the event carries", self.of.program.machine.payload_path(id))
    }

    /// Whether every event of the row carries the time of the database in this field.
    fn is_clock(&self, id: PayloadId) -> bool {
        let events: &[EventId] = self.of.program.machine.transition(self.row).events();
        !events.is_empty() && events.iter().all(|it| self.of.mapping.clock.contains(&(*it, id)))
    }

    fn value(&mut self, expr: &Expr) -> Result<String, String> {
        let dialect = self.of.dialect;
        if let Some(value) = &expr.value {
            return self.literal(value);
        }
        let machine = self.of.program.machine;
        match &expr.kind {
            Kind::Literal(value) => self.literal(value),
            Kind::Constant(id) => self.literal(&machine.constants[id.index()].value),
            Kind::Read(Var::Context(field)) | Kind::Known(Var::Context(field)) => {
                let column = self.mapped(*field)?;
                dialect.column(column, &machine.fields[field.index()].ty)
            }
            Kind::Read(Var::Payload(id)) | Kind::Known(Var::Payload(id)) => match self.is_clock(*id) {
                true => Ok(dialect.now()),
                false => Err(self.payload(*id)),
            },
            Kind::Operation(operation, a, b) if a.ty != Type::Decimal => {
                let (left, right) = (self.value(a)?, self.value(b)?);
                let sign = match operation {
                    Operation::Add | Operation::Later => "+",
                    Operation::Sub | Operation::Earlier | Operation::Since => "-",
                    Operation::Mul | Operation::Times => "*",
                    Operation::Div | Operation::Rem => return Err("it divides".to_owned()),
                };
                Ok(dialect.operation(sign, &left, &right))
            }
            Kind::Operation(..) => Err("SQL computes with decimals of another precision".to_owned()),
            Kind::ToDecimal(inner) => self.value(inner),
            Kind::Len(inner) => self.value(inner).map(|it| dialect.len(&it)),
            _ => Err("SQL has no such value".to_owned()),
        }
    }

    fn literal(&self, value: &Literal) -> Result<String, String> {
        let (machine, dialect) = (self.of.program.machine, self.of.dialect);
        Ok(match value {
            Literal::Int(it) | Literal::Duration(it) | Literal::Timestamp(it) => dialect.number(&it.to_string()),
            Literal::Decimal(it) => dialect.number(&it.normalize().to_string()),
            Literal::Text(it) => dialect.text(it),
            Literal::Enum(id, idx) => dialect.text(&machine.enums[id.index()].values[*idx].wire),
            Literal::State(it) => dialect.text(&machine.state(*it).wire),
            Literal::Null => "NULL".to_owned(),
            Literal::Bool(_) | Literal::Event(_) | Literal::List(_) => return Err("SQL has no such value".to_owned()),
        })
    }
}

/// Two conditions; `decides` is the value that decides alone.
fn both(a: Condition, b: Condition, decides: bool, operator: &str) -> Condition {
    match (a, b) {
        (Condition::Is(it), other) | (other, Condition::Is(it)) => {
            if it == decides {
                Condition::Is(decides)
            } else {
                other
            }
        }
        (Condition::Sql(a), Condition::Sql(b)) => Condition::Sql(format!("({a}{operator}{b})")),
    }
}
