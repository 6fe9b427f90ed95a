//! What decisions depend on: signs of sums, equality of names, nulls, and whole values.

use std::collections::{BTreeMap, BTreeSet};

use num_traits::{Signed as _, Zero as _};
use statespec_lang::expr::{Expr, ExprKind, Var, fold};
use statespec_lang::model::machine::Field;
use statespec_lang::model::{EventId, FieldId, Literal, Machine, Type, Value};
use statespec_lang::source::{SourceId, Span};
use statespec_lang::types::Constant;

use super::linear::{Form, Number, Sum, is_number, is_whole, literal, number_of};
use super::ranges::Ranges;

/// One thing that decisions depend on. Two configurations in which all of them are the same behave alike.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Atom {
    /// Whether a sum is negative, zero or positive.
    Sign(Form),
    /// Whether a text or a reference equals another.
    Same(Var, Term),
    /// Whether the length of a text is below, at or above a number.
    Length(Var, i64),
    /// Whether a variable is null.
    Null(Var),
    /// The value of a variable.
    Value(Var),
}

/// The other side of an equality.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Term {
    Var(Var),
    Value(Value),
}

/// The variables of one machine, for the event that carries the payload.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vars<'m> {
    pub(super) machine: &'m Machine,
    pub(super) event: Option<EventId>,
    pub(super) ranges: &'m Ranges,
}

/// A set of atoms, and the expressions that no atom describes.
#[derive(Debug, Clone, Default)]
pub(super) struct Atoms {
    pub(super) all: BTreeSet<Atom>,
    /// Expressions with a variable of the payload, whose borders are not known.
    pub(super) unknown: BTreeSet<Unknown>,
}

/// An expression whose borders are not known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Unknown {
    source: SourceId,
    start: u32,
    end: u32,
    /// The consequence, in one sentence without a final full stop.
    pub(super) why: String,
}

impl Unknown {
    pub(super) fn new(span: Span, why: String) -> Self {
        Unknown { source: span.source, start: span.start, end: span.end, why }
    }

    pub(super) fn span(&self) -> Span {
        Span { source: self.source, start: self.start, end: self.end }
    }
}

impl Atom {
    pub(super) fn vars(&self) -> Vec<Var> {
        match self {
            Atom::Sign(form) => form.vars().collect(),
            Atom::Same(a, Term::Var(b)) => vec![*a, *b],
            Atom::Same(var, Term::Value(_)) | Atom::Length(var, _) | Atom::Null(var) | Atom::Value(var) => vec![*var],
        }
    }

    pub(super) fn reads(&self, var: Var) -> bool {
        self.vars().contains(&var)
    }

    /// The atom's value in a configuration, as a value that can be compared. `None` if a number is too large.
    pub(super) fn value(&self, of: &dyn Fn(Var) -> Value) -> Option<Value> {
        Some(match self {
            _ if !matches!(self, Atom::Null(_)) && self.vars().iter().any(|it| of(*it) == Value::Null) => Value::Null,
            Atom::Sign(form) => {
                let value = form.value(&|it| number_of(&of(it)))?;
                Value::Int(if value.is_zero() { 0 } else { value.signum().to_integer() as i64 })
            }
            Atom::Same(a, Term::Var(b)) => Value::Bool(of(*a) == of(*b)),
            Atom::Same(var, Term::Value(value)) => Value::Bool(of(*var) == *value),
            Atom::Length(var, with) => match of(*var) {
                Value::Text(text) => Value::Int((text.chars().count() as i64 - with).signum()),
                _ => Value::Null,
            },
            Atom::Null(var) => Value::Bool(of(*var) == Value::Null),
            Atom::Value(var) => of(*var),
        })
    }
}

impl<'m> Vars<'m> {
    pub(super) fn field(&self, var: Var) -> Option<&'m Field> {
        match var {
            Var::Context(field) => self.machine.fields.get(field.index()),
            Var::Payload(id) => self.machine.payload_field(self.event?, id),
            Var::Input(_) | Var::PartState(_) | Var::PartContext(..) | Var::PartId(_) => None,
        }
    }

    fn is_whole(&self, var: Var) -> bool {
        self.field(var).is_some_and(|it| is_whole(&it.ty))
    }

    fn is_number(&self, var: Var) -> bool {
        self.field(var).is_some_and(|it| is_number(&it.ty))
    }

    fn is_text(&self, var: Var) -> bool {
        self.field(var).is_some_and(|it| it.ty == Type::Text)
    }

    fn optional(&self, var: Var) -> bool {
        self.field(var).is_some_and(|it| it.optional)
    }
}

impl Atoms {
    pub(super) fn extend(&mut self, other: Atoms) {
        self.all.extend(other.all);
        self.unknown.extend(other.unknown);
    }

    /// Adds the signs that determine the sign of a sum. False if it is too large.
    pub(super) fn add_sum(&mut self, sum: &Sum, vars: &Vars<'_>) -> bool {
        let Some(forms) = sum.forms(&|it| vars.is_whole(it)) else { return false };
        for form in forms {
            if vars.ranges.has_both_signs(&form) {
                self.add(Atom::Sign(form), vars);
            }
        }
        true
    }

    /// Adds an atom; of an optional variable, also whether it is null.
    fn add(&mut self, atom: Atom, vars: &Vars<'_>) {
        let optional = atom.vars().into_iter().filter(|it| vars.optional(*it));
        if !matches!(atom, Atom::Value(_)) {
            self.all.extend(optional.map(Atom::Null));
        }
        self.all.insert(atom);
    }

    pub(super) fn add_same(&mut self, a: Term, b: Term, vars: &Vars<'_>) {
        match (a, b) {
            (Term::Var(a), Term::Var(b)) if a != b => self.add(Atom::Same(a.min(b), Term::Var(a.max(b))), vars),
            (Term::Var(var), Term::Value(value)) | (Term::Value(value), Term::Var(var)) if value != Value::Null => {
                self.add(Atom::Same(var, Term::Value(value)), vars);
            }
            (Term::Var(var), _) | (_, Term::Var(var)) if vars.optional(var) => self.add(Atom::Null(var), vars),
            _ => {}
        }
    }

    pub(super) fn add_length(&mut self, var: Var, with: i64, vars: &Vars<'_>) {
        self.add(Atom::Length(var, with), vars);
    }

    /// Adds the values of all variables of an expression whose borders are not known.
    fn add_values(&mut self, read: impl IntoIterator<Item = Var>, span: Span, why: String, vars: &Vars<'_>) {
        let mut from_outside = false;
        for var in read {
            from_outside |= matches!(var, Var::Payload(_)) && (vars.is_number(var) || vars.is_text(var));
            self.add(Atom::Value(var), vars);
        }
        if from_outside {
            self.unknown.insert(Unknown::new(span, why));
        }
    }

    /// Adds what a condition depends on.
    pub(super) fn add_condition(&mut self, expr: &Expr, vars: &Vars<'_>) {
        let constants = &vars.machine.constants;
        match &expr.kind {
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.add_condition(left, vars);
                self.add_condition(right, vars);
            }
            ExprKind::Not(inner) | ExprKind::In(inner, _) => self.add_condition(inner, vars),
            ExprKind::Var(var) | ExprKind::NonNull(var) => self.add(Atom::Value(*var), vars),
            ExprKind::Compare(_, left, right) => {
                let null = |it: &Expr| matches!(literal(it, constants), Some(Literal::Null));
                if null(left) || null(right) {
                    let vars_read = if null(left) { right.vars() } else { left.vars() };
                    vars_read.into_iter().for_each(|it| self.add(Atom::Null(it), vars));
                } else if let Some((var, with)) = length_and_number(left, right, constants) {
                    self.add_length(var, with, vars);
                } else if is_number(&left.ty) {
                    let difference = || Sum::of(left, constants)?.plus(&Sum::of(right, constants)?, &Number::from(-1));
                    if difference().is_none_or(|it| !self.add_sum(&it, vars)) {
                        let why = "the borders of this comparison are not computed, so only some values of its payload were tried";
                        self.add_values(expr.vars(), expr.span, why.into(), vars);
                    }
                    // Null equals no number, so equality depends on null even where the difference has one sign.
                    expr.vars().into_iter().filter(|it| vars.optional(*it)).for_each(|it| _ = self.all.insert(Atom::Null(it)));
                } else if matches!(left.ty, Type::Text | Type::Reference)
                    && let (Some(left), Some(right)) = (term(left, vars), term(right, vars))
                {
                    self.add_same(left, right, vars);
                } else {
                    self.add_condition(left, vars);
                    self.add_condition(right, vars);
                }
            }
            ExprKind::Arithmetic(..) | ExprKind::Len(_) | ExprKind::ToDecimal(_) => {
                self.add_values(expr.vars(), expr.span, "the borders of this expression are not computed".into(), vars);
            }
            // Where the machine is, is known without an atom.
            ExprKind::Literal(_) | ExprKind::Constant(_) | ExprKind::Predicate(_) | ExprKind::Active(_) => {}
        }
    }

    /// Adds what an atom depends on before these assignments.
    pub(super) fn add_before(&mut self, atom: &Atom, set: &BTreeMap<FieldId, &Expr>, span: Span, vars: &Vars<'_>) {
        let assigned = |var: Var| match var {
            Var::Context(field) => set.get(&field).copied(),
            _ => None,
        };
        let constants = &vars.machine.constants;
        let is_null = |it: &Expr| matches!(literal(it, constants), Some(Literal::Null));
        let read = atom.vars();
        if read.iter().all(|it| assigned(*it).is_none()) {
            self.all.insert(atom.clone());
            return;
        }
        match atom {
            Atom::Null(var) => {
                if let Some((ExprKind::Var(var), true)) = assigned(*var).map(|it| (&it.kind, it.optional)) {
                    self.add(Atom::Null(*var), vars);
                }
            }
            // The atom has no value then.
            Atom::Sign(_) | Atom::Same(..) | Atom::Length(..) if read.iter().any(|it| assigned(*it).is_some_and(is_null)) => {}
            Atom::Sign(form) => {
                let sums: Option<BTreeMap<Var, Sum>> = read
                    .iter()
                    .filter_map(|it| Some((*it, assigned(*it)?)))
                    .map(|(var, it)| Some((var, Sum::of(it, constants)?)))
                    .collect();
                let sum = sums.and_then(|sums| form.replace(&|it| sums.get(&it).cloned()));
                if sum.is_none_or(|it| !self.add_sum(&it, vars)) {
                    let exprs: Vec<&Expr> = read.iter().filter_map(|it| assigned(*it)).collect();
                    let names: Vec<String> = read.iter().filter_map(|it| Some(format!("`{}`", vars.field(*it)?.name))).collect();
                    let why =
                        format!("the values of {} that this row leads to are not computed, so only some were tried", names.join(", "));
                    let kept = read.iter().copied().filter(|it| assigned(*it).is_none());
                    self.add_values(exprs.iter().flat_map(|it| it.vars()).chain(kept), span, why, vars);
                }
                let copied = read.iter().filter_map(|it| assigned(*it)).flat_map(|it| it.vars());
                self.all.extend(copied.filter(|it| vars.optional(*it)).map(Atom::Null));
            }
            Atom::Same(a, b) => {
                let of = |var: Var| assigned(var).map_or(Some(Term::Var(var)), |it| term(it, vars));
                let b = match b {
                    Term::Var(var) => of(*var),
                    Term::Value(value) => Some(Term::Value(value.clone())),
                };
                if let (Some(a), Some(b)) = (of(*a), b) {
                    self.add_same(a, b, vars);
                }
            }
            Atom::Length(var, with) => {
                if let Some(Term::Var(var)) = assigned(*var).and_then(|it| term(it, vars)) {
                    self.add_length(var, *with, vars);
                }
            }
            Atom::Value(var) => {
                let Some(expr) = assigned(*var) else { return };
                if vars.is_number(*var) {
                    let name = vars.field(*var).map_or("", |it| it.name.as_str());
                    let why =
                        format!("`{name}` takes more values than its guards distinguish, so only some that this row gives it were tried");
                    self.add_values(expr.vars(), span, why, vars);
                } else {
                    self.add_condition(expr, vars);
                }
            }
        }
    }
}

/// The side of an equality.
fn term(expr: &Expr, vars: &Vars<'_>) -> Option<Term> {
    match &expr.kind {
        ExprKind::Var(var) | ExprKind::NonNull(var) => Some(Term::Var(*var)),
        _ => literal(expr, &vars.machine.constants)?.to_value().map(Term::Value),
    }
}

/// The greatest number with which the length of a text is compared.
const MAX_LENGTH: i64 = 1_000;

/// The text and the number, if a comparison is of the length of a text with a number.
fn length_and_number(left: &Expr, right: &Expr, constants: &[Constant]) -> Option<(Var, i64)> {
    let (inner, number) = match (&left.kind, &right.kind) {
        (ExprKind::Len(inner), _) => (inner, right),
        (_, ExprKind::Len(inner)) => (inner, left),
        _ => return None,
    };
    match (&inner.kind, &fold(number, constants).kind) {
        (ExprKind::Var(var) | ExprKind::NonNull(var), ExprKind::Literal(Literal::Int(number))) if (-1..=MAX_LENGTH).contains(number) => {
            Some((*var, *number))
        }
        _ => None,
    }
}
