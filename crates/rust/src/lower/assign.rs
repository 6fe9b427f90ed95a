//! The assignments of rows to the context.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Ident;
use statespec_lang::expr::Var;
use statespec_lang::model::machine::{From, Origin};
use statespec_lang::model::{EventId, FieldId, Literal, PayloadId, StateId, TransitionId, Type};
use statespec_lang::program::{self, Kind};

use super::expr::{Resolve, optional_value, value};
use super::groups::Groups;
use super::held::store;
use super::scope::RowScope;
use super::{Lowering, payload_fields, types};
use crate::ir::{Assignment, Expr, History, KnownValue, Place, TextNeeds};
use crate::names::{LOCALS, UniqueNames};

impl Lowering<'_> {
    /// The assignments of rows with events; rows with the same reads share them.
    pub(super) fn on_event(&self, referred: &mut BTreeSet<TransitionId>) -> Vec<Assignment> {
        type Key<'k> = (&'k [EventId], &'k [Var], Vec<(FieldId, String)>);
        let mut groups = Groups::<Key<'_>, Assignment>::default();
        for (id, row, events) in self.assigning().filter(|(_, _, events)| !events.is_empty()) {
            referred.insert(id);
            let used: Vec<PayloadId> = self.changes(row).flat_map(|it| payload_fields(&it.value)).collect();
            // Rows that read no payload need not distinguish their events.
            let read: &[EventId] = if used.is_empty() { &[] } else { events };
            let written = &self.machine.transition(id).set;
            let set = row.set.iter().zip(written).filter(|(it, _)| self.is_change(it));
            let set = set.map(|(it, (_, expr))| (it.field, expr.show(self))).collect();
            let group = groups.get((read, &row.known, set), || {
                let patterns = read.iter().map(|id| self.event_pattern(*id, &used, events[0]));
                Assignment { events: patterns.collect(), ..self.assignment(row, events.first().copied()) }
            });
            group.rows.push(self.row_path(id));
        }
        groups.list
    }

    /// The assignments of rows without an event.
    pub(super) fn on_direct(&self, referred: &mut BTreeSet<TransitionId>) -> Vec<Assignment> {
        let rows = self.assigning().filter(|(_, _, events)| events.is_empty());
        rows.map(|(id, row, _)| {
            referred.insert(id);
            Assignment { rows: vec![self.row_path(id)], ..self.assignment(row, None) }
        })
        .collect()
    }

    /// The fields that remember where the machine was.
    pub(super) fn histories(&self, referred: &mut BTreeSet<TransitionId>) -> Vec<History> {
        let machine = self.machine;
        let memories = machine.state_ids().flat_map(|id| self.program.node(id).memories.iter().map(move |it| (id, it)));
        let history = |(whole, memory): (StateId, &program::Memory)| {
            let assigns = |row: &program::Row| row.set.iter().any(|it| it.field == memory.field);
            let unless: Vec<TransitionId> = self.rows_of_program().filter(|it| assigns(it.1)).map(|it| it.0).collect();
            referred.extend(unless.iter().copied());
            let mut shallow = Groups::<StateId, (Vec<StateId>, StateId)>::default();
            for (leaf, last) in &memory.leaves {
                shallow.get(*last, || (Vec::new(), *last)).0.push(*leaf);
            }
            let shallow = shallow.list.into_iter().filter(|(leaves, last)| *leaves != [*last]);
            History {
                field: self.names.fields[memory.field.index()].clone(),
                composite: self.state(whole),
                node: (machine.has_regions() || self.reenters()).then(|| self.node_index(whole)),
                shallow: shallow.map(|(leaves, last)| (self.state_idents(leaves), self.state(last))).collect(),
                unless: unless.into_iter().map(|id| self.row_path(id)).collect(),
            }
        };
        memories.map(history).collect()
    }

    /// The rows that change the context.
    fn assigning(&self) -> impl Iterator<Item = (TransitionId, &program::Row, &[EventId])> {
        self.rows_of_program().filter(|(_, row, _)| self.changes(row).next().is_some())
    }

    /// The assignments of a row that matter.
    fn changes<'p>(&self, row: &'p program::Row) -> impl Iterator<Item = &'p program::Assignment> {
        row.set.iter().filter(|it| self.is_change(it))
    }

    /// Whether an assignment matters: that of a field to itself does among several rows that are taken at once, where it has the last
    /// word, too.
    fn is_change(&self, assignment: &program::Assignment) -> bool {
        !assignment.keeps || self.machine.has_regions()
    }

    fn assignment(&self, row: &program::Row, event: Option<EventId>) -> Assignment {
        let mut scope = RowScope::new(self, event);
        scope.known = self.known_locals(row, event);
        let known = scope.known.iter().map(|(var, local)| KnownValue {
            place: scope.place(*var),
            by_reference: scope.kept_text(*var).is_some(),
            local: local.clone(),
        });
        let known = known.collect();
        let set: Vec<&program::Assignment> = self.changes(row).collect();
        let asks = |it: &program::Assignment| !it.value.predicates().is_empty();
        let assigned_before = |idx: usize, it: &program::Assignment| {
            let vars = it.value.vars();
            set[..idx].iter().any(|it| vars.contains(&Var::Context(it.field)))
        };
        // A predicate may read the whole context.
        let looks_back = |(idx, it): (usize, &&program::Assignment)| assigned_before(idx, it) || (idx > 0 && asks(it));
        let value = |it: &&program::Assignment| (self.names.fields[it.field.index()].clone(), self.new_value(it.field, &it.value, &scope));
        let values: Vec<(Ident, Expr)> = set.iter().map(value).collect();
        // Where a value may be out of range, none is assigned before all are known.
        let converts = values.len() > 1 && values.iter().any(|(_, value)| value.converts());
        Assignment {
            rows: Vec::new(),
            events: Vec::new(),
            known,
            simultaneous: converts || set.iter().enumerate().any(looks_back),
            asks: set.iter().any(|it| asks(it)),
            set: values,
        }
    }

    /// The values that the guard tested against null and that assignments read, with their variables.
    fn known_locals(&self, row: &program::Row, event: Option<EventId>) -> BTreeMap<Var, Ident> {
        let payload = event.map(|it| self.payload(&self.machine.event(it).payload)).unwrap_or_default();
        let mut locals = UniqueNames::besides(LOCALS.iter().copied());
        payload.iter().for_each(|(_, local)| locals.reserve(local));
        let mut local = |var: Var| match var {
            Var::Payload(field) => self.local(event?, field),
            Var::Context(field) => {
                let name = self.names.fields[field.index()].to_string();
                Some(locals.claim(name.trim_start_matches("r#").to_owned()))
            }
            Var::Input(_) | Var::PartState(_) | Var::PartContext(..) | Var::PartId(_) => None,
        };
        row.known.iter().filter_map(|var| Some((*var, local(*var)?))).collect()
    }

    fn new_value(&self, field: FieldId, expr: &program::Expr, scope: &RowScope<'_>) -> Expr {
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
    fn kept_text(&self, expr: &program::Expr, optional: bool, scope: &RowScope<'_>) -> Expr {
        let (value, is_option) = match &expr.kind {
            Kind::Literal(literal @ (Literal::Null | Literal::Text(_))) => return self.kept_literal(literal, optional),
            Kind::Constant(id) => (Expr::KeepLiteral(Box::new(Expr::Path(scope.constant(*id)))), false),
            Kind::Read(var @ Var::Context(_)) => (Expr::CloneOf(scope.place(*var)), expr.nullable),
            Kind::Known(var @ Var::Context(_)) => match scope.known(*var) {
                Some(local) => (Expr::CloneOf(Place::Local(local)), false),
                None => (Expr::CloneOf(scope.place(*var)), true),
            },
            // A value that is null nowhere, from a place that may be.
            Kind::Known(var) if scope.known(*var).is_none() => {
                (Expr::Keep { value: Box::new(optional_value(expr, scope)), optional: true }, true)
            }
            _ => {
                let lent = if expr.nullable { optional_value(expr, scope) } else { value(expr, scope) };
                (Expr::Keep { value: Box::new(lent), optional: expr.nullable }, expr.nullable)
            }
        };
        types::some_if(optional && !is_option, value)
    }

    /// Whether an assignment of a row converts a value, so that the step may be refused.
    pub(super) fn sets_by_conversion(&self, row: &program::Row, event: Option<EventId>) -> bool {
        self.assignment(row, event).converts()
    }

    /// The traits that assignments and guards require of `Text`.
    pub(super) fn text_needs(&self) -> TextNeeds {
        let machine = self.machine;
        let mut needs = TextNeeds::default();
        if !self.context_has(&Type::Text) {
            return needs;
        }
        let is_text = |var: &Var| matches!(var, Var::Context(id) if machine.fields[id.index()].ty == Type::Text);
        for row in &self.program.rows {
            for program::Assignment { field, value, .. } in &row.set {
                if machine.fields[field.index()].ty != Type::Text {
                    needs.as_str |= value.vars().iter().any(is_text);
                    continue;
                }
                match &value.kind {
                    Kind::Literal(Literal::Null) => {}
                    Kind::Literal(_) | Kind::Constant(_) => needs.from_literal = true,
                    Kind::Read(Var::Context(_)) | Kind::Known(Var::Context(_)) => needs.clone = true,
                    _ => needs.from_payload = true,
                }
            }
            needs.as_str |= row.guard.iter().flat_map(|it| it.vars()).any(|it| is_text(&it));
        }
        needs.as_str |= self.program.timers.iter().flat_map(|it| it.after.vars()).any(|it| is_text(&it));
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
