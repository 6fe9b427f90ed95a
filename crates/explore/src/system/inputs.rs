//! The inputs of transactions that make a difference.
//!
//! Fields, payloads and inputs that are copied to each other form a class. A class that an input belongs to takes one value of
//! every cell between the constants that its members are compared with. This is exact unless its members are also compared
//! with each other or computed with; then the exploration is bounded.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::expr::{Expr, ExprKind, Var, defined, divides, divides_in_row};
use statespec_lang::interpret::BoundaryValues;
use statespec_lang::model::machine::Field;
use statespec_lang::model::system::Fire;
use statespec_lang::model::{EventId, FieldId, Literal, Model, System, Type, Value};
use statespec_lang::source::Span;
use statespec_lang::types::Constant;

use super::super::linear::{Number, Sum, cells, is_number, literal};
use super::super::relevant::Relevant;

/// A place that has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Field(usize, FieldId),
    Payload(usize, EventId, usize),
    Input(usize, usize),
}

/// The classes of places.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    parents: BTreeMap<Place, Place>,
    /// The numbers and texts that members of a class are compared with.
    numbers: BTreeMap<Place, BTreeSet<Number>>,
    texts: BTreeMap<Place, BTreeSet<String>>,
    /// Places that an expression compares with each other or computes with.
    mixed: Vec<(BTreeSet<Place>, Span)>,
}

/// The places that a variable of an expression stands for.
type Places<'a> = &'a dyn Fn(Var) -> Vec<Place>;

impl Inputs {
    pub(super) fn of(model: &Model, system: &System, relevant: &Relevant) -> Self {
        let mut inputs = Inputs::default();
        let machines: BTreeSet<usize> = system.parts.iter().map(|it| it.machine).collect();
        for idx in machines {
            let machine = &model.machines[idx];
            for row in &machine.transitions {
                let places = |var: Var| match var {
                    Var::Context(field) => vec![Place::Field(idx, field)],
                    Var::Payload(id) => {
                        let place = |it: &EventId| Some(Place::Payload(idx, *it, machine.payload_position(*it, id)?));
                        row.events().iter().filter_map(place).collect()
                    }
                    _ => Vec::new(),
                };
                let divides = divides_in_row(row.guard.as_ref(), row.set.iter().map(|it| &it.1), &machine.constants);
                row.guard.iter().chain(&divides).for_each(|it| inputs.condition(it, &machine.constants, &places));
                for (field, value) in row.set.iter().filter(|(field, _)| relevant.fields.contains(&(idx, *field))) {
                    inputs.assignment(Place::Field(idx, *field), value, &machine.constants, &places);
                }
            }
        }
        let of_transaction = |transaction: Option<usize>| {
            move |var: Var| match var {
                Var::PartContext(part, field) => vec![Place::Field(system.part(part).machine, field)],
                Var::Input(position) => transaction.map(|it| Place::Input(it, position)).into_iter().collect(),
                _ => Vec::new(),
            }
        };
        let conditions = system.rules.iter().map(|it| &it.require).chain(system.invariants.iter().map(|it| &it.require));
        for expr in conditions.chain(system.links.iter().filter_map(|it| it.when.as_ref())) {
            inputs.condition(&defined(expr, &[]), &[], &of_transaction(None));
        }
        let fires = system.transactions.iter().enumerate().flat_map(|(idx, it)| it.fire.iter().map(move |fire| (Some(idx), fire)));
        for (transaction, Fire { part, event, payload, .. }) in fires.chain(system.links.iter().map(|it| (None, &it.fire))) {
            let machine = system.part(*part).machine;
            let divides = payload.iter().filter_map(|it| divides(it, &[]));
            divides.for_each(|it| inputs.condition(&it, &[], &of_transaction(transaction)));
            let payload = payload.iter().enumerate().filter(|(idx, _)| relevant.payloads.contains(&(machine, *event, *idx)));
            for (position, expr) in payload {
                inputs.assignment(Place::Payload(machine, *event, position), expr, &[], &of_transaction(transaction));
            }
        }
        inputs
    }

    fn class(&self, mut place: Place) -> Place {
        while let Some(parent) = self.parents.get(&place) {
            place = *parent;
        }
        place
    }

    fn join(&mut self, one: Place, other: Place) {
        let (one, other) = (self.class(one), self.class(other));
        if one != other {
            self.parents.insert(one.max(other), one.min(other));
        }
    }

    fn mix(&mut self, exprs: &[&Expr], more: Option<Place>, places: Places<'_>) {
        let all: BTreeSet<Place> = exprs.iter().flat_map(|it| it.vars()).flat_map(places).chain(more).collect();
        self.mixed.extend(exprs.first().map(|it| (all, it.span)));
    }

    fn condition(&mut self, expr: &Expr, constants: &[Constant], places: Places<'_>) {
        match &expr.kind {
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.condition(left, constants, places);
                self.condition(right, constants, places);
            }
            ExprKind::Not(inner) => self.condition(inner, constants, places),
            ExprKind::Compare(_, left, right) if is_number(&left.ty) => {
                let difference = || Sum::of(left, constants)?.plus(&Sum::of(right, constants)?, &Number::from(-1));
                let null = |it: &Expr| matches!(literal(it, constants), Some(Literal::Null));
                if null(left) || null(right) {
                    return;
                }
                let roots = difference().and_then(|it| {
                    let read: Vec<Var> = it.vars().collect();
                    let &[var] = &read[..] else { return read.is_empty().then_some(Vec::new()) };
                    let roots: Option<Vec<(Var, Number)>> =
                        it.forms(&|_| false)?.iter().map(|it| Some((var, it.root(var, &|_| None)?))).collect();
                    roots
                });
                match roots {
                    None => self.mix(&[expr], None, places),
                    Some(roots) => {
                        for (place, root) in roots.into_iter().flat_map(|(var, root)| places(var).into_iter().map(move |it| (it, root))) {
                            self.numbers.entry(place).or_default().insert(root);
                        }
                    }
                }
            }
            ExprKind::Compare(_, left, right) if matches!(left.ty, Type::Text | Type::Reference) => {
                let text = |it: &Expr| match literal(it, constants) {
                    Some(Literal::Text(text)) => Some(text.clone()),
                    _ => None,
                };
                let read: Vec<Place> = expr.vars().into_iter().flat_map(places).collect();
                match text(left).or_else(|| text(right)) {
                    Some(text) => read.into_iter().for_each(|it| _ = self.texts.entry(it).or_default().insert(text.clone())),
                    // Of two places in one comparison, neither is an identity.
                    None if expr.vars().into_iter().filter(|it| !places(*it).is_empty()).count() > 1 => self.mix(&[expr], None, places),
                    None => {}
                }
            }
            ExprKind::Compare(_, left, right) => {
                self.condition(left, constants, places);
                self.condition(right, constants, places);
            }
            _ => {}
        }
    }

    fn assignment(&mut self, to: Place, value: &Expr, constants: &[Constant], places: Places<'_>) {
        match &value.kind {
            ExprKind::Var(var) | ExprKind::NonNull(var) => places(*var).into_iter().for_each(|it| self.join(to, it)),
            ExprKind::ToDecimal(inner) => self.assignment(to, inner, constants, places),
            _ if value.ty == Type::Bool => self.condition(value, constants, places),
            ExprKind::Arithmetic(..) | ExprKind::Len(_) => self.mix(&[value], Some(to), places),
            _ => {}
        }
    }

    /// The classes of relevant inputs, and of whatever is computed from these.
    fn open(&self, relevant: &Relevant) -> BTreeSet<Place> {
        let mut open: BTreeSet<Place> = relevant.inputs.iter().map(|it| self.class(Place::Input(it.0, it.1))).collect();
        loop {
            let before = open.len();
            for (places, _) in &self.mixed {
                let classes: BTreeSet<Place> = places.iter().map(|it| self.class(*it)).collect();
                if classes.iter().any(|it| open.contains(it)) {
                    open.extend(classes);
                }
            }
            if open.len() == before {
                return open;
            }
        }
    }

    /// The places where relevant inputs are compared with each other or computed with, in order.
    pub(super) fn inexact(&self, relevant: &Relevant) -> Vec<Span> {
        let open = self.open(relevant);
        let mut spans: Vec<Span> = Vec::new();
        for (_, span) in self.mixed.iter().filter(|(places, _)| places.iter().any(|it| open.contains(&self.class(*it)))) {
            if !spans.contains(span) {
                spans.push(*span);
            }
        }
        spans
    }

    /// The numbers and texts at which an input makes a difference, as values of its type. `boundary` are further values to
    /// try if these are not exact.
    pub(super) fn values(&self, transaction: usize, position: usize, field: &Field, boundary: &BoundaryValues<'_>) -> Option<Vec<Value>> {
        let class = self.class(Place::Input(transaction, position));
        let is_mixed = self.mixed.iter().any(|(places, _)| places.iter().any(|it| self.class(*it) == class));
        let mut values: Vec<Value> = if is_number(&field.ty) {
            let points: Vec<Number> =
                self.numbers.iter().filter(|it| self.class(*it.0) == class).flat_map(|it| it.1.iter().copied()).collect();
            cells(&field.ty, &points)
        } else if field.ty == Type::Text {
            let texts: BTreeSet<&String> = self.texts.iter().filter(|it| self.class(*it.0) == class).flat_map(|it| it.1).collect();
            let fresh = (1..).map(|it| if it == 1 { "text".to_owned() } else { format!("text {it}") }).find(|it| !texts.contains(it));
            texts.into_iter().cloned().chain(fresh).map(Value::Text).collect()
        } else {
            return None;
        };
        if is_mixed {
            values.extend(boundary.of(field).into_iter().filter(|it| *it != Value::Null));
        }
        let unique: BTreeSet<Value> = values.into_iter().chain(field.optional.then_some(Value::Null)).collect();
        Some(unique.into_iter().collect())
    }
}
