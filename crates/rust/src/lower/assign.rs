//! The assignments of rows to the context.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Ident;
use statespec_lang::expr::{Expr as SpecExpr, ExprKind, Var};
use statespec_lang::model::machine::{From, History as SpecHistory, Machine, Origin, Transition};
use statespec_lang::model::{EventId, FieldId, Literal, PayloadId, StateId, TransitionId, Type};
use statespec_lang::program::known_values;

use super::expr::{Resolve, optional_value, value};
use super::groups::Groups;
use super::held::store;
use super::scope::RowScope;
use super::{Lowering, payload_field, types};
use crate::ir::{Assignment, Expr, History, KnownValue, Place, TextNeeds};
use crate::names::{LOCALS, UniqueNames};

impl<'m> Lowering<'m> {
    /// The assignments of rows with events; rows with the same reads share them.
    pub(super) fn on_event(&self, referred: &mut BTreeSet<TransitionId>) -> Vec<Assignment> {
        type Key = (Vec<EventId>, Vec<Var>, Vec<(FieldId, String)>);
        let mut groups = Groups::<Key, Assignment>::default();
        for (id, row) in self.assigning(|row| !row.events().is_empty()) {
            referred.insert(id);
            let used: Vec<PayloadId> = changes(self.machine, row).flat_map(|(_, expr)| expr.vars()).filter_map(payload_field).collect();
            // Rows that read no payload need not distinguish their events.
            let events: Vec<EventId> = if used.is_empty() { Vec::new() } else { row.events().to_vec() };
            let set = changes(self.machine, row).map(|(field, expr)| (*field, expr.show(self))).collect();
            let group = groups.get((events.clone(), known_values(self.machine, row), set), || {
                let patterns = events.iter().map(|id| self.event_pattern(*id, &used, row.events()[0]));
                Assignment { events: patterns.collect(), ..self.assignment(row) }
            });
            group.rows.push(self.row_path(id));
        }
        groups.list
    }

    /// The assignments of rows without an event.
    pub(super) fn on_direct(&self, referred: &mut BTreeSet<TransitionId>) -> Vec<Assignment> {
        let rows = self.assigning(|row| row.events().is_empty());
        rows.map(|(id, row)| {
            referred.insert(id);
            Assignment { rows: vec![self.row_path(id)], ..self.assignment(row) }
        })
        .collect()
    }

    /// The fields that remember where the machine was.
    pub(super) fn histories(&self, referred: &mut BTreeSet<TransitionId>) -> Vec<History> {
        let machine = self.machine;
        let composites = machine.composites().flat_map(|id| machine.state(id).histories.iter().map(move |it| (id, *it)));
        let history = |(whole, history): (StateId, SpecHistory)| {
            let rows = machine.transitions.iter().enumerate().filter(|(_, row)| row.set.iter().any(|it| it.0 == history.field));
            let unless: Vec<TransitionId> = rows.map(|(idx, _)| TransitionId::new(idx)).collect();
            referred.extend(unless.iter().copied());
            let children = machine.state(whole).children.iter().filter(|child| history.shallow && !machine.is_leaf(**child));
            let shallow = children.map(|child| {
                let leaves = self.state_idents(machine.leaves_in(*child));
                (leaves, self.state(machine.default_leaf(*child)))
            });
            History {
                field: self.names.fields[history.field.index()].clone(),
                composite: self.state(whole),
                node: (machine.has_regions() || self.reenters()).then(|| self.node_index(whole)),
                shallow: shallow.collect(),
                unless: unless.into_iter().map(|id| self.row_path(id)).collect(),
            }
        };
        composites.map(history).collect()
    }

    fn assigning(&self, wanted: fn(&Transition) -> bool) -> impl Iterator<Item = (TransitionId, &'m Transition)> {
        let rows = self.machine.transitions.iter().enumerate().map(|(idx, row)| (TransitionId::new(idx), row));
        rows.filter(move |(_, row)| changes(self.machine, row).next().is_some() && wanted(row))
    }

    fn assignment(&self, row: &Transition) -> Assignment {
        let mut scope = RowScope::new(self, row.events().first().copied());
        scope.known = self.known_locals(row);
        let known = scope.known.iter().map(|(var, local)| KnownValue {
            place: scope.place(*var),
            by_reference: scope.kept_text(*var).is_some(),
            local: local.clone(),
        });
        let known = known.collect();
        let keeps =
            |field: &FieldId, value: &Expr| matches!(value, Expr::Place(Place::Context(it)) if *it == self.names.fields[field.index()]);
        let set: Vec<&(FieldId, SpecExpr)> = changes(self.machine, row).collect();
        let assigned_before = |idx: usize, expr: &SpecExpr| {
            let vars = expr.vars();
            set[..idx].iter().any(|(field, _)| vars.contains(&Var::Context(*field)))
        };
        // A predicate may read the whole context.
        let looks_back = |idx: usize, expr: &SpecExpr| assigned_before(idx, expr) || (idx > 0 && expr.has_predicate());
        let values: Vec<(Ident, Expr)> = set
            .iter()
            .map(|(field, expr)| (field, self.new_value(*field, expr, &scope)))
            // `flag == true` is `flag`.
            .filter(|(field, value)| self.machine.has_regions() || !keeps(field, value))
            .map(|(field, value)| (self.names.fields[field.index()].clone(), value))
            .collect();
        // Where a value may be out of range, none is assigned before all are known.
        let converts = values.len() > 1 && values.iter().any(|(_, value)| value.converts());
        Assignment {
            rows: Vec::new(),
            events: Vec::new(),
            known,
            simultaneous: converts || set.iter().enumerate().any(|(idx, (_, expr))| looks_back(idx, expr)),
            asks: set.iter().any(|(_, expr)| expr.has_predicate()),
            set: values,
        }
    }

    /// The values that the guard tested against null and that assignments read, with their variables.
    fn known_locals(&self, row: &Transition) -> BTreeMap<Var, Ident> {
        let payload = row.events().first().map(|it| self.payload(&self.machine.event(*it).payload)).unwrap_or_default();
        let mut locals = UniqueNames::besides(LOCALS.iter().copied());
        payload.iter().for_each(|(_, local)| locals.reserve(local));
        let mut local = |var: Var| match var {
            Var::Payload(field) => self.local(*row.events().first()?, field),
            Var::Context(field) => {
                let name = self.names.fields[field.index()].to_string();
                Some(locals.claim(name.trim_start_matches("r#").to_owned()))
            }
            Var::Input(_) | Var::PartState(_) | Var::PartContext(..) | Var::PartId(_) => None,
        };
        known_values(self.machine, row).into_iter().filter_map(|var| Some((var, local(var)?))).collect()
    }

    fn new_value(&self, field: FieldId, expr: &SpecExpr, scope: &RowScope<'_>) -> Expr {
        let held = self.held_field(field);
        let field = &self.machine.fields[field.index()];
        if let Some(held) = held {
            let value = if field.optional { optional_value(expr, scope) } else { value(expr, scope) };
            return store(held, value, field.optional);
        }
        match (&field.ty, field.optional) {
            (Type::Text, optional) => self.kept_text(expr, optional, scope),
            (_, true) => optional_value(expr, scope),
            (_, false) => value(expr, scope),
        }
    }

    /// A text to store in the context, created from a borrowed one.
    fn kept_text(&self, expr: &SpecExpr, optional: bool, scope: &RowScope<'_>) -> Expr {
        let (value, is_option) = match &expr.kind {
            ExprKind::Literal(literal @ (Literal::Null | Literal::Text(_))) => return self.kept_literal(literal, optional),
            ExprKind::Constant(id) => (Expr::KeepLiteral(Box::new(Expr::Path(scope.constant(*id)))), false),
            ExprKind::Var(var @ Var::Context(_)) => (Expr::CloneOf(scope.place(*var)), expr.optional),
            ExprKind::NonNull(var @ Var::Context(_)) => match scope.known(*var) {
                Some(local) => (Expr::CloneOf(Place::Local(local)), false),
                None => (Expr::CloneOf(scope.place(*var)), true),
            },
            // A value that is null nowhere, from a place that may be.
            ExprKind::NonNull(var) if scope.known(*var).is_none() => {
                (Expr::Keep { value: Box::new(optional_value(expr, scope)), optional: true }, true)
            }
            _ => {
                let lent = if expr.optional { optional_value(expr, scope) } else { value(expr, scope) };
                (Expr::Keep { value: Box::new(lent), optional: expr.optional }, expr.optional)
            }
        };
        types::some_if(optional && !is_option, value)
    }

    /// Whether an assignment of a row converts a value, so that the step may be refused.
    pub(super) fn sets_by_conversion(&self, row: &Transition) -> bool {
        self.assignment(row).converts()
    }

    /// The traits that assignments and guards require of `Text`.
    pub(super) fn text_needs(&self) -> TextNeeds {
        let machine = self.machine;
        let mut needs = TextNeeds::default();
        if !self.context_has(&Type::Text) {
            return needs;
        }
        let is_text = |var: &Var| matches!(var, Var::Context(id) if machine.fields[id.index()].ty == Type::Text);
        for row in &machine.transitions {
            for (field, expr) in &row.set {
                if machine.fields[field.index()].ty != Type::Text {
                    needs.as_str |= expr.vars().iter().any(is_text);
                    continue;
                }
                match &expr.kind {
                    ExprKind::Literal(Literal::Null) => {}
                    ExprKind::Literal(_) | ExprKind::Constant(_) => needs.from_literal = true,
                    ExprKind::Var(Var::Context(_)) | ExprKind::NonNull(Var::Context(_)) => needs.clone = true,
                    _ => needs.from_payload = true,
                }
            }
            needs.as_str |= row.guard.as_ref().is_some_and(|guard| guard.vars().iter().any(is_text));
        }
        needs.as_str |= machine.timers().any(|(_, it)| it.after.vars().iter().any(is_text));
        let mut taken = machine.effects.iter().flat_map(|it| &it.takes);
        needs.as_str |= taken.any(|it| matches!(it.origin, Origin::Context(_)) && it.field.ty == Type::Text);
        needs.clone |= machine.events.iter().any(|it| it.settles) || machine.reacts() || machine.has_regions();
        // Creation starts with a context whose defaults are texts of the spec.
        needs.from_literal |= machine.transitions.iter().any(|row| row.from == From::Creation) && self.default_text();
        needs
    }

    /// Whether a field of the context has a text as its default.
    pub(super) fn default_text(&self) -> bool {
        let is_text =
            |it: &statespec_lang::model::machine::Field| it.ty == Type::Text && it.default.as_ref().is_some_and(|it| *it != Literal::Null);
        self.context_has(&Type::Text) && self.machine.fields.iter().any(is_text)
    }
}

/// The assignments of a row, without those of a field to itself: among several rows that are taken at once, such a one has the last
/// word, too.
fn changes<'r>(machine: &Machine, row: &'r Transition) -> impl Iterator<Item = &'r (FieldId, SpecExpr)> + use<'r> {
    let several = machine.has_regions();
    row.set.iter().filter(move |(field, expr)| several || !expr.is_field(*field))
}
