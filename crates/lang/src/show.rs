//! Expressions for readers: mathematical signs, constants replaced by their values.

use crate::expr::{Compare, Expr, ExprKind, Names, Var};
use crate::model::machine::{Enum, Machine};
use crate::model::names::sign;
use crate::model::{ConstantId, EventId, Model, PartId, PredicateId, StateId, System};

pub use crate::model::names::MachineNames;

/// The names in the rules, links and transactions of a system.
pub struct SystemNames<'a> {
    model: &'a Model,
    system: &'a System,
    inputs: &'a [crate::model::system::Input],
    /// The part of which a state alone is one.
    states_of: Option<PartId>,
}

impl<'a> SystemNames<'a> {
    /// The names where these inputs are in scope.
    pub fn new(model: &'a Model, system: &'a System, inputs: &'a [crate::model::system::Input]) -> Self {
        SystemNames { model, system, inputs, states_of: None }
    }

    /// The names in the payload of an event of this part: a state alone is one of the part.
    pub fn for_event_of(self, part: PartId) -> Self {
        SystemNames { states_of: Some(part), ..self }
    }

    fn machine(&self, part: PartId) -> &'a Machine {
        &self.model.machines[self.system.part(part).machine]
    }

    /// The part whose states an expression refers to.
    fn part(&self, subject: Option<&Expr>) -> Option<PartId> {
        match &subject?.kind {
            ExprKind::Var(var) | ExprKind::NonNull(var) => match var {
                Var::PartState(part) | Var::PartContext(part, _) | Var::PartId(part) => Some(*part),
                Var::Input(idx) => self.inputs.get(*idx)?.of,
                Var::Context(_) | Var::Payload(_) => None,
            },
            _ => None,
        }
    }
}

impl Names for SystemNames<'_> {
    fn var(&self, var: Var) -> String {
        let part = |id: PartId| self.system.part(id).name.as_str();
        match var {
            Var::PartState(id) => format!("{}.state", part(id)),
            Var::PartId(id) => format!("{}.id", part(id)),
            Var::PartContext(id, field) => format!("{}.{}", part(id), self.machine(id).fields[field.index()].name),
            Var::Input(idx) => self.inputs.get(idx).map_or_else(String::new, |it| it.field.name.clone()),
            Var::Context(_) | Var::Payload(_) => String::new(),
        }
    }

    fn constant(&self, _: ConstantId) -> String {
        String::new()
    }

    fn predicate(&self, _: PredicateId) -> String {
        String::new()
    }

    fn state(&self, subject: Option<&Expr>, state: StateId) -> String {
        self.part(subject).or(self.states_of).map_or_else(String::new, |it| self.machine(it).state(state).name.clone())
    }

    fn event(&self, _: EventId) -> String {
        String::new()
    }

    fn enums(&self) -> &[Enum] {
        &self.system.enums
    }

    fn is_variable(&self, name: &str) -> bool {
        self.inputs.iter().any(|it| it.field.name == name)
    }

    fn compare(&self, operator: Compare) -> &'static str {
        sign(operator)
    }
}
