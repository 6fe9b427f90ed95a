//! The sets of states of a schema, and how statements change them.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use sqlparser::ast::{
    AlterTableOperation, AlterTypeAddValuePosition, AlterTypeOperation, BinaryOperator, ColumnDef, ColumnOption, DataType, EnumMember,
    Expr, Ident, InTarget, ObjectName, ObjectType, RenameTableNameKind, Spanned as _, Statement as Sql, TableConstraint,
    UserDefinedTypeRepresentation, Value,
};
use statespec_import::{Kind, Named, Statement};
use statespec_lang::names::snake;
use statespec_lang::source::{Sources, Span};

use super::piece::Piece;
use crate::languages::is_of_states;

/// A name as written; names that differ in case only are the same.
#[derive(Debug, Clone)]
struct Name(String);

impl Name {
    fn key(&self) -> String {
        self.0.to_lowercase()
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Name {}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Name) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Name) -> Ordering {
        self.key().cmp(&other.key())
    }
}

/// What has a set of states.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Holder {
    Type(Name),
    Column(Name, Name),
}

/// A set of states.
#[derive(Debug)]
struct Set {
    span: Span,
    states: Vec<Named>,
    /// The name of the constraint.
    constraint: Option<String>,
}

/// The sets of a schema.
#[derive(Debug, Default)]
pub(super) struct Schema {
    sets: BTreeMap<Holder, Set>,
}

impl Schema {
    /// The sets that hold states, each with two of them at least.
    pub(super) fn statements(self, sources: &Sources) -> Vec<Statement> {
        let named = self.sets.into_iter().map(|(holder, set)| match holder {
            Holder::Type(name) => (snake(&name.0), set),
            Holder::Column(table, column) => (format!("{}_{}", snake(&table.0), snake(&column.0)), set),
        });
        let of_states = named.filter(|(name, set)| is_of_states(name) && set.states.len() > 1);
        of_states.map(|(name, set)| Statement::set(sources.get(set.span.source).path(), Kind::Schema, name, set.span, set.states)).collect()
    }

    /// Changes the sets as a statement does.
    pub(super) fn apply(&mut self, statement: &Sql, piece: &Piece<'_>) {
        match statement {
            Sql::CreateTable(it) => {
                let table = last(&it.name);
                it.columns.iter().for_each(|column| self.column(&table, column, piece));
                it.constraints.iter().for_each(|constraint| self.constraint(&table, constraint, piece));
            }
            Sql::CreateType { name, representation: Some(UserDefinedTypeRepresentation::Enum { labels }) } => {
                let states = labels.iter().map(|it| Named::new(&it.value, place(it, piece))).collect();
                let span = name.span();
                let set = Set { span: piece.place(span.start, span.end), states, constraint: None };
                self.sets.insert(Holder::Type(last(name)), set);
            }
            Sql::AlterType(it) => self.alter_type(&last(&it.name), &it.operation, piece),
            Sql::AlterTable(it) => {
                let table = last(&it.name);
                it.operations.iter().for_each(|operation| self.alter_table(&table, operation, piece));
            }
            Sql::Drop { object_type: ObjectType::Table, names, .. } => {
                let gone: Vec<Name> = names.iter().map(last).collect();
                self.sets.retain(|holder, _| !matches!(holder, Holder::Column(table, _) if gone.contains(table)));
            }
            Sql::Drop { object_type: ObjectType::Type, names, .. } => {
                names.iter().for_each(|it| _ = self.sets.remove(&Holder::Type(last(it))));
            }
            _ => {}
        }
    }

    fn alter_type(&mut self, name: &Name, operation: &AlterTypeOperation, piece: &Piece<'_>) {
        match operation {
            AlterTypeOperation::Rename(it) => {
                if let Some(set) = self.sets.remove(&Holder::Type(name.clone())) {
                    self.sets.insert(Holder::Type(Name(it.new_name.value.clone())), set);
                }
            }
            AlterTypeOperation::AddValue(it) => {
                let Some(set) = self.sets.get_mut(&Holder::Type(name.clone())) else { return };
                if set.states.iter().any(|state| state.name == it.value.value) {
                    return;
                }
                let at = |name: &Ident| set.states.iter().position(|state| state.name == name.value);
                let position = match &it.position {
                    Some(AlterTypeAddValuePosition::Before(name)) => at(name),
                    Some(AlterTypeAddValuePosition::After(name)) => at(name).map(|it| it + 1),
                    None => None,
                };
                set.states.insert(position.unwrap_or(set.states.len()), Named::new(&it.value.value, place(&it.value, piece)));
            }
            AlterTypeOperation::RenameValue(it) => {
                let Some(set) = self.sets.get_mut(&Holder::Type(name.clone())) else { return };
                if let Some(state) = set.states.iter_mut().find(|state| state.name == it.from.value) {
                    *state = Named::new(&it.to.value, place(&it.to, piece));
                }
            }
        }
    }

    fn alter_table(&mut self, table: &Name, operation: &AlterTableOperation, piece: &Piece<'_>) {
        match operation {
            AlterTableOperation::AddConstraint { constraint, .. } => self.constraint(table, constraint, piece),
            AlterTableOperation::AddColumn { column_def, .. } => self.column(table, column_def, piece),
            AlterTableOperation::ModifyColumn { col_name, data_type, .. } => self.data_type(table, col_name, data_type, piece),
            AlterTableOperation::ChangeColumn { old_name, new_name, data_type, .. } => {
                self.sets.remove(&holder(table, old_name));
                self.data_type(table, new_name, data_type, piece);
            }
            AlterTableOperation::DropConstraint { name, .. } => {
                let gone = name.value.to_lowercase();
                let is_gone = |holder: &Holder, set: &Set| match holder {
                    Holder::Column(of, column) => {
                        // PostgreSQL names a constraint that has no name.
                        let own = set.constraint.clone().unwrap_or_else(|| format!("{}_{}_check", of.key(), column.key()));
                        of == table && own == gone
                    }
                    Holder::Type(_) => false,
                };
                self.sets.retain(|holder, set| !is_gone(holder, set));
            }
            AlterTableOperation::DropColumn { column_names, .. } => {
                column_names.iter().for_each(|it| _ = self.sets.remove(&holder(table, it)));
            }
            AlterTableOperation::RenameColumn { old_column_name, new_column_name } => {
                if let Some(set) = self.sets.remove(&holder(table, old_column_name)) {
                    self.sets.insert(holder(table, new_column_name), set);
                }
            }
            AlterTableOperation::RenameTable { table_name: RenameTableNameKind::As(name) | RenameTableNameKind::To(name) } => {
                let new = last(name);
                let sets = std::mem::take(&mut self.sets).into_iter().map(|(holder, set)| match holder {
                    Holder::Column(of, column) if of == *table => (Holder::Column(new.clone(), column), set),
                    other => (other, set),
                });
                self.sets = sets.collect();
            }
            _ => {}
        }
    }

    fn column(&mut self, table: &Name, column: &ColumnDef, piece: &Piece<'_>) {
        self.data_type(table, &column.name, &column.data_type, piece);
        for option in &column.options {
            if let ColumnOption::Check(check) = &option.option {
                let name = option.name.as_ref().or(check.name.as_ref());
                self.check(table, name, &check.expr, piece);
            }
        }
    }

    /// `ENUM('open', 'closed')` of MySQL.
    fn data_type(&mut self, table: &Name, column: &Ident, data_type: &DataType, piece: &Piece<'_>) {
        let DataType::Enum(members, _) = data_type else { return };
        let span = place(column, piece);
        let name = |it: &EnumMember| match it {
            EnumMember::Name(name) | EnumMember::NamedValue(name, _) => Named::new(name, span),
        };
        let set = Set { span, states: members.iter().map(name).collect(), constraint: None };
        self.sets.insert(holder(table, column), set);
    }

    fn constraint(&mut self, table: &Name, constraint: &TableConstraint, piece: &Piece<'_>) {
        if let TableConstraint::Check(check) = constraint {
            self.check(table, check.name.as_ref(), &check.expr, piece);
        }
    }

    fn check(&mut self, table: &Name, name: Option<&Ident>, expr: &Expr, piece: &Piece<'_>) {
        let Some((column, states)) = allowed(expr, piece) else { return };
        let constraint = name.map(|it| it.value.to_lowercase());
        let set = Set { span: place(column, piece), states, constraint };
        self.sets.insert(holder(table, column), set);
    }
}

/// The only values that an expression allows for a column.
fn allowed<'e>(expr: &'e Expr, piece: &Piece<'_>) -> Option<(&'e Ident, Vec<Named>)> {
    match expr {
        Expr::Nested(inner) => allowed(inner, piece),
        Expr::In { expr, target: InTarget::List(list), negated: false, .. } => Some((column(expr)?, texts(list, piece)?)),
        Expr::AnyOp { left, compare_op: BinaryOperator::Eq, right, .. } => Some((column(left)?, texts(array(right)?, piece)?)),
        Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => Some((column(left)?, texts(std::slice::from_ref(&**right), piece)?)),
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => allowed(left, piece).or_else(|| allowed(right, piece)),
        Expr::BinaryOp { left, op: BinaryOperator::Or, right } => match (&**left, &**right) {
            // Where the value may be missing. Where another one is, the list holds under a condition only.
            (Expr::IsNull(missing), other) | (other, Expr::IsNull(missing)) => {
                let is_same = |it: &(&Ident, Vec<Named>)| column(missing).is_some_and(|of| of.value.eq_ignore_ascii_case(&it.0.value));
                allowed(other, piece).filter(is_same)
            }
            (left, right) => {
                let (column, mut states) = allowed(left, piece)?;
                let (other, more) = allowed(right, piece)?;
                // A value may stand in several branches, each with other conditions.
                states.extend(more.into_iter().filter(|it| !states.iter().any(|known| known.name == it.name)).collect::<Vec<_>>());
                (column.value.eq_ignore_ascii_case(&other.value)).then_some((column, states))
            }
        },
        _ => None,
    }
}

fn column(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Identifier(it) => Some(it),
        Expr::CompoundIdentifier(it) => it.last(),
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => column(inner),
        _ => None,
    }
}

fn array(expr: &Expr) -> Option<&[Expr]> {
    match expr {
        Expr::Array(it) => Some(&it.elem),
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => array(inner),
        _ => None,
    }
}

/// The texts of a list; `None` if something else is among them.
fn texts(list: &[Expr], piece: &Piece<'_>) -> Option<Vec<Named>> {
    let text = |expr: &Expr| {
        let mut expr = expr;
        while let Expr::Nested(inner) | Expr::Cast { expr: inner, .. } = expr {
            expr = inner;
        }
        let Expr::Value(it) = expr else { return None };
        match &it.value {
            Value::SingleQuotedString(text) | Value::NationalStringLiteral(text) => {
                Some(Named::new(text, piece.place(it.span.start, it.span.end)))
            }
            _ => None,
        }
    };
    // A text of nothing stands for no state.
    let states: Option<Vec<Named>> = list.iter().map(text).collect();
    states.map(|it| it.into_iter().filter(|it| !it.name.is_empty()).collect())
}

fn place(ident: &Ident, piece: &Piece<'_>) -> Span {
    piece.place(ident.span.start, ident.span.end)
}

fn holder(table: &Name, column: &Ident) -> Holder {
    Holder::Column(table.clone(), Name(column.value.clone()))
}

/// `orders` of `public.orders`
fn last(name: &ObjectName) -> Name {
    Name(name.0.last().and_then(|it| it.as_ident()).map_or_else(|| name.to_string(), |it| it.value.clone()))
}
