//! The scope of the guards and assignments of a machine.

use crate::expr::{Expr, ExprKind, Resolved, Scope, Var};
use crate::model::machine::{Enum, Field, Machine};
use crate::model::{ConstantId, FieldId, PredicateId, StateId, Type};
use crate::source::Spanned;

/// The context, the payload that all events of a row share, the constants and the predicates.
pub(super) struct MachineScope<'a> {
    machine: &'a Machine,
    /// By position; `None` where the events of the row differ.
    payload: Vec<Option<&'a Field>>,
}

impl<'a> MachineScope<'a> {
    /// The scope of a row with these events.
    pub(super) fn new(machine: &'a Machine, events: &[crate::model::EventId]) -> Self {
        let mut events = events.iter().map(|it| machine.event(*it));
        let mut payload: Vec<_> = events.next().map(|it| it.payload.iter().map(Some).collect()).unwrap_or_default();
        for event in events {
            for (idx, slot) in payload.iter_mut().enumerate() {
                let same = |a: &Field, b: &Field| a.name == b.name && a.ty == b.ty && a.optional == b.optional;
                *slot = slot.filter(|it: &&Field| event.payload.get(idx).is_some_and(|other| same(it, other)));
            }
        }
        MachineScope { machine, payload }
    }

    /// The position of a payload field, and the field.
    pub(super) fn payload(&self, name: &str) -> Option<(usize, &'a Field)> {
        let field = |slot: &Option<&'a Field>| slot.filter(|it| it.name == name);
        self.payload.iter().enumerate().find_map(|(idx, slot)| field(slot).map(|it| (idx, it)))
    }

    /// The names of the payload fields.
    pub(super) fn payload_names(&self) -> Vec<&'a str> {
        self.payload.iter().flatten().map(|it| it.name.as_str()).collect()
    }
}

impl Scope for MachineScope<'_> {
    fn name(&self, path: &[Spanned<String>]) -> Option<Resolved> {
        let [name] = path else { return None };
        let name = name.value.as_str();
        let machine = self.machine;
        if let Some((idx, field)) = self.payload(name) {
            return Some(Resolved { kind: ExprKind::Var(Var::Payload(idx)), ty: field.ty.clone(), optional: field.optional });
        }
        if let Some(idx) = machine.fields.iter().position(|it| it.name == name) {
            let field = &machine.fields[idx];
            return Some(Resolved { kind: ExprKind::Var(Var::Context(FieldId::new(idx))), ty: field.ty.clone(), optional: field.optional });
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
        self.payload_names()
            .into_iter()
            .chain(machine.fields.iter().map(|it| it.name.as_str()))
            .chain(machine.constants.iter().map(|it| it.name.as_str()))
            .chain(machine.predicates.iter().map(|it| it.name.as_str()))
            .map(str::to_owned)
            .collect()
    }

    fn enums(&self) -> &[Enum] {
        &self.machine.enums
    }

    fn state(&self, name: &str, _other: Option<&Expr>) -> Option<StateId> {
        self.machine.state_named(name)
    }

    fn is_leaf(&self, state: StateId, _other: Option<&Expr>) -> bool {
        self.machine.is_leaf(state)
    }

    fn state_names(&self, _other: Option<&Expr>) -> Vec<String> {
        self.machine.states.iter().map(|it| it.name.clone()).collect()
    }
}
