//! The guards and assignments of a machine: the names that they may use, and how they are read.

use crate::diagnostic::Diagnostics;
use crate::expr::{Expr, ExprKind, Names, Resolved, Scope, Var, check, parse};
use crate::model::machine::{Enum, Field, Machine};
use crate::model::names::MachineNames;
use crate::model::{ConstantId, EventId, FieldId, PayloadId, PredicateId, StateId, Type};
use crate::read::Text;
use crate::source::Spanned;

/// The context, the payload that all events of a row share, the constants and the predicates.
pub(super) struct MachineScope<'a> {
    machine: &'a Machine,
    /// The fields that all events of the row carry, at any position; in the order of the first event.
    payload: Vec<(PayloadId, &'a Field)>,
    /// The row creates the machine.
    is_creation: bool,
    has_guard: bool,
}

impl<'a> MachineScope<'a> {
    /// The scope of a row with these events.
    pub(super) fn new(machine: &'a Machine, events: &[EventId], is_creation: bool) -> Self {
        let mut payload = Vec::new();
        if let Some((first, others)) = events.split_first() {
            let same = |a: &Field, b: &Field| a.ty.agrees_with(&b.ty) && a.optional == b.optional;
            let carries = |event: EventId, id: PayloadId, field: &Field| machine.payload_field(event, id).is_some_and(|it| same(it, field));
            let fields = machine.payload_fields(*first);
            payload.extend(fields.filter(|(id, field)| others.iter().all(|it| carries(*it, *id, field))));
        }
        MachineScope { machine, payload, is_creation, has_guard: true }
    }

    /// The scope of durations, which no guard protects.
    pub(super) fn of_timers(machine: &'a Machine) -> Self {
        MachineScope { has_guard: false, ..MachineScope::new(machine, &[], false) }
    }

    /// A payload field.
    pub(super) fn payload(&self, name: &str) -> Option<(PayloadId, &'a Field)> {
        self.payload.iter().copied().find(|(_, field)| field.name == name)
    }

    /// The names of the payload fields.
    pub(super) fn payload_names(&self) -> Vec<&'a str> {
        self.payload.iter().map(|(_, field)| field.name.as_str()).collect()
    }

    /// All variables that may be null.
    pub(super) fn optional(&self) -> Vec<Var> {
        let payload = self.payload.iter().filter(|(_, field)| field.optional).map(|(id, _)| Var::Payload(*id));
        let context = self.machine.fields.iter().enumerate().filter(|(_, field)| field.optional);
        payload.chain(context.map(|(idx, _)| Var::Context(FieldId::new(idx)))).collect()
    }
}

impl Scope for MachineScope<'_> {
    fn name(&self, path: &[Spanned<String>]) -> Option<Resolved> {
        let machine = self.machine;
        let payload = |name: &str| {
            let (id, field) = self.payload(name)?;
            Some(Resolved { kind: ExprKind::Var(Var::Payload(id)), ty: field.ty.clone(), optional: field.optional })
        };
        let name = match path {
            [name] => name.value.as_str(),
            [event, name] if event.value == "event" => return payload(&name.value),
            _ => return None,
        };
        // A payload field may have the name of a context field: then the name alone is the context field's.
        if let Some(idx) = machine.fields.iter().position(|it| it.name == name) {
            let field = &machine.fields[idx];
            return Some(Resolved { kind: ExprKind::Var(Var::Context(FieldId::new(idx))), ty: field.ty.clone(), optional: field.optional });
        }
        if let Some(resolved) = payload(name) {
            return Some(resolved);
        }
        if let Some(idx) = machine.constants.iter().position(|it| it.name == name) {
            return Some(Resolved {
                kind: ExprKind::Constant(ConstantId::new(idx)),
                ty: machine.constants[idx].ty.clone(),
                optional: false,
            });
        }
        let idx = machine.predicates.iter().position(|it| it.name == name)?;
        Some(Resolved { kind: ExprKind::Predicate(PredicateId::new(idx)), ty: Type::Bool, optional: false })
    }

    fn names(&self) -> Vec<String> {
        let machine = self.machine;
        let payload = self.payload.iter().map(|(id, _)| machine.payload_path(*id).into_owned());
        let fields = machine.fields.iter().map(|it| &it.name);
        let others = machine.constants.iter().map(|it| &it.name).chain(machine.predicates.iter().map(|it| &it.name));
        payload.chain(fields.chain(others).cloned()).collect()
    }

    fn variable_name(&self, var: Var) -> Option<String> {
        match var {
            Var::Context(_) | Var::Payload(_) => Some(MachineNames::new(self.machine).var(var)),
            _ => None,
        }
    }

    fn has_guard(&self) -> bool {
        self.has_guard
    }

    fn enums(&self) -> &[Enum] {
        &self.machine.enums
    }

    fn state(&self, name: &str, _other: Option<&Expr>) -> Option<StateId> {
        self.machine.state_named(name)
    }

    fn is_nowhere(&self) -> Option<&'static str> {
        self.is_creation.then_some("before its creation it is nowhere: remove the condition")
    }

    fn is_leaf(&self, state: StateId, _other: Option<&Expr>) -> bool {
        self.machine.is_leaf(state)
    }

    fn state_names(&self, _other: Option<&Expr>) -> Vec<String> {
        self.machine.states.iter().map(|it| it.name.clone()).collect()
    }
}

/// Parses and checks an expression in which the variables in `known` are never null.
pub(super) fn expression(
    text: &Text,
    ty: &Type,
    optional: bool,
    known: &[Var],
    scope: &MachineScope<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Expr> {
    match parse(&text.value, text.span) {
        Ok(ast) => check(&ast, ty, optional, known, scope, diagnostics),
        Err(diagnostic) => {
            diagnostics.push(diagnostic);
            None
        }
    }
}
