//! Guards as conditions of SQL, as far as a trigger knows their values: the columns of the row before the write, constants, and the
//! database's clock.
//!
//! What SQL cannot say is replaced by what lets the write pass, so that no legal write is refused: by true where the condition asks
//! for it, by false where the condition asks for its contrary. The reasons are collected.

use std::collections::BTreeSet;

use statespec_lang::expr::{Compare, Var};
use statespec_lang::model::machine::Enum;
use statespec_lang::model::{Configuration, ConstantId, EnumId, EventId, FieldId, Literal, PayloadId, StateId, Type};
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
    pub(crate) fn in_sql(why: String) -> Self {
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

/// What the names in a condition are in SQL; an error is the reason why there is no such text.
pub(crate) trait Scope {
    /// The dialect.
    fn dialect(&self) -> &dyn Dialect;

    /// The value of a variable.
    fn value(&self, var: Var) -> Result<String, String>;

    /// Whether a variable is null.
    fn is_null(&self, var: Var) -> Result<String, String>;

    /// The value of a constant.
    fn constant(&self, id: ConstantId) -> &Literal;

    /// An enum.
    fn values_of(&self, id: EnumId) -> &Enum;

    /// A state as the value beside it has it.
    fn state(&self, beside: &Expr, id: StateId) -> Result<String, String>;

    /// The leaves of a state, as the value that is asked for has them.
    fn leaves(&self, subject: &Expr, whole: StateId) -> Result<Vec<String>, String>;

    /// A condition of another kind: a predicate, or a state that is active.
    fn other(&self, kind: &Kind) -> Result<Condition, Lost>;

    /// Whether two values are stored alike, so that they can be compared; else the reason.
    fn comparable(&self, a: &Expr, b: &Expr) -> Result<(), String> {
        let _ = (a, b);
        Ok(())
    }
}

/// A guard of a row, read in a configuration.
struct Row<'a> {
    of: Conditions<'a>,
    at: &'a Configuration,
    row: TransitionId,
}

/// A condition that is read, and what could not be said.
pub(crate) struct Reading<'a> {
    pub(crate) scope: &'a dyn Scope,
    pub(crate) lost: &'a mut BTreeSet<Lost>,
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
        let condition = Reading { scope: &Row { of: *self, at, row }, lost }.condition(guard, holds);
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

impl Scope for Row<'_> {
    fn dialect(&self) -> &dyn Dialect {
        self.of.dialect
    }

    fn value(&self, var: Var) -> Result<String, String> {
        match var {
            Var::Context(field) => {
                let ty = &self.of.program.machine.fields[field.index()].ty;
                self.of.dialect.column("OLD", self.mapped(field)?, ty)
            }
            Var::Payload(id) if self.is_clock(id) => Ok(self.of.dialect.now()),
            Var::Payload(id) => Err(self.payload(id)),
            _ => Err("SQL has no such value".to_owned()),
        }
    }

    fn is_null(&self, var: Var) -> Result<String, String> {
        match var {
            Var::Context(field) => Ok(self.of.dialect.is_null("OLD", self.mapped(field)?)),
            Var::Payload(id) => Err(self.payload(id)),
            _ => Err("it reads a system".to_owned()),
        }
    }

    fn constant(&self, id: ConstantId) -> &Literal {
        &self.of.program.machine.constants[id.index()].value
    }

    fn values_of(&self, id: EnumId) -> &Enum {
        &self.of.program.machine.enums[id.index()]
    }

    fn state(&self, _: &Expr, id: StateId) -> Result<String, String> {
        Ok(self.of.program.machine.state(id).wire.clone())
    }

    fn leaves(&self, _: &Expr, whole: StateId) -> Result<Vec<String>, String> {
        let machine = self.of.program.machine;
        Ok(machine.leaves_in(whole).map(|it| machine.state(it).wire.clone()).collect())
    }

    fn other(&self, kind: &Kind) -> Result<Condition, Lost> {
        match kind {
            Kind::Active(state) => Ok(Condition::Is(self.of.program.machine.is_active(self.at, *state))),
            Kind::Predicate(id) => {
                let why = format!("the program decides `{}`", self.of.program.machine.predicates[id.index()].name);
                Err(Lost { why, is_predicate: true })
            }
            _ => Err(Lost::in_sql("it reads a system".to_owned())),
        }
    }
}

impl Row<'_> {
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
}

impl Reading<'_> {
    /// The condition: at least as often true as what is read if `over`, else at most as often.
    pub(crate) fn condition(&mut self, guard: &Expr, over: bool) -> Condition {
        if let Some(Literal::Bool(value)) = guard.value {
            return Condition::Is(value);
        }
        let found = match &guard.kind {
            Kind::Not(inner) => return not(self.condition(inner, !over)),
            Kind::And(a, b) => return both(self.condition(a, over), self.condition(b, over), false, " AND "),
            Kind::Or(a, b) => return both(self.condition(a, over), self.condition(b, over), true, " OR "),
            Kind::Active(_) | Kind::Predicate(_) | Kind::PartIn(..) => match self.scope.other(&guard.kind) {
                Ok(condition) => return condition,
                Err(lost) => {
                    self.lost.insert(lost);
                    return Condition::Is(over);
                }
            },
            Kind::IsNull(var) => self.scope.is_null(*var),
            Kind::Compare(operator, a, b) => self.compare(*operator, a, b),
            Kind::In(subject, whole) => self.inside(subject, *whole),
            _ => self.value(guard, None).map(|it| self.scope.dialect().truth(&it)),
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
            && self.scope.values_of(id).ignore_case
        {
            return Err(format!("the values of `{}` are read in any case", self.scope.values_of(id).name));
        }
        self.scope.comparable(a, b)?;
        let (left, right) = (self.value(a, Some(b))?, self.value(b, Some(a))?);
        let equal = self.scope.dialect().compare(if is_plain { Compare::Eq } else { operator }, &left, &right);
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
        let value = self.value(subject, None)?;
        let dialect = self.scope.dialect();
        let leaves = self.scope.leaves(subject, whole)?;
        let any = joined(leaves.iter().map(|it| dialect.compare(Compare::Eq, &value, &dialect.text(it))).collect(), " OR ");
        Ok(if subject.nullable { format!("(CASE WHEN {value} IS NULL THEN {value} IS NOT NULL ELSE {any} END)") } else { any })
    }

    /// A value; `beside` is what it is compared with.
    fn value(&mut self, expr: &Expr, beside: Option<&Expr>) -> Result<String, String> {
        if let Some(value) = &expr.value {
            return self.literal(value, beside);
        }
        match &expr.kind {
            Kind::Literal(value) => self.literal(value, beside),
            Kind::Constant(id) => self.literal(self.scope.constant(*id), beside),
            Kind::Read(var) | Kind::Known(var) => self.scope.value(*var),
            Kind::Operation(operation, a, b) if a.ty != Type::Decimal => {
                let (left, right) = (self.value(a, None)?, self.value(b, None)?);
                let sign = match operation {
                    Operation::Add | Operation::Later => "+",
                    Operation::Sub | Operation::Earlier | Operation::Since => "-",
                    Operation::Mul | Operation::Times => "*",
                    Operation::Div | Operation::Rem => return Err("it divides".to_owned()),
                };
                Ok(self.scope.dialect().operation(sign, &left, &right))
            }
            Kind::Operation(..) => Err("SQL computes with decimals of another precision".to_owned()),
            Kind::ToDecimal(inner) => self.value(inner, None),
            Kind::Len(inner) => self.value(inner, None).map(|it| self.scope.dialect().len(&it)),
            _ => Err("SQL has no such value".to_owned()),
        }
    }

    fn literal(&self, value: &Literal, beside: Option<&Expr>) -> Result<String, String> {
        let dialect = self.scope.dialect();
        Ok(match value {
            Literal::Int(it) | Literal::Duration(it) | Literal::Timestamp(it) => dialect.number(&it.to_string()),
            Literal::Decimal(it) => dialect.number(&it.normalize().to_string()),
            Literal::Text(it) => dialect.text(it),
            Literal::Enum(id, idx) => dialect.text(&self.scope.values_of(*id).values[*idx].wire),
            Literal::State(it) => {
                let beside = beside.ok_or_else(|| "SQL has no such value".to_owned())?;
                dialect.text(&self.scope.state(beside, *it)?)
            }
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
