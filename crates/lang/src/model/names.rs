//! The names of a machine in expressions for readers, with mathematical signs.

use super::machine::{Enum, Machine};
use super::{ConstantId, EventId, PredicateId, StateId};
use crate::expr::{Compare, Expr, Names, Var};

/// `>=` as `≥`.
pub(crate) fn sign(operator: Compare) -> &'static str {
    match operator {
        Compare::Eq => "=",
        Compare::Ne => "≠",
        Compare::Lt => "<",
        Compare::Le => "≤",
        Compare::Gt => ">",
        Compare::Ge => "≥",
    }
}

/// Whether a bare name in an expression of a machine stands for a variable, a constant or a predicate.
pub fn is_variable(machine: &Machine, name: &str) -> bool {
    machine.fields.iter().any(|it| it.name == name)
        || machine.payload_names.iter().any(|it| it == name)
        || machine.constants.iter().any(|it| it.name == name)
        || machine.predicates.iter().any(|it| it.name == name)
}

/// The names in the guards and assignments of a machine.
pub struct MachineNames<'a> {
    machine: &'a Machine,
}

impl<'a> MachineNames<'a> {
    /// The names in all rows.
    pub fn new(machine: &'a Machine) -> Self {
        MachineNames { machine }
    }
}

impl Names for MachineNames<'_> {
    fn var(&self, var: Var) -> String {
        match var {
            Var::Context(id) => self.machine.fields[id.index()].name.clone(),
            Var::Payload(id) => self.machine.payload_path(id).into_owned(),
            // Only systems have these variables.
            Var::Input(_) | Var::PartState(_) | Var::PartContext(..) | Var::PartId(_) => String::new(),
        }
    }

    fn constant(&self, constant: ConstantId) -> String {
        self.machine.constants.get(constant.index()).map_or_else(String::new, |it| it.name.clone())
    }

    fn predicate(&self, predicate: PredicateId) -> String {
        self.machine.predicates.get(predicate.index()).map_or_else(String::new, |it| it.name.clone())
    }

    fn state(&self, _subject: Option<&Expr>, state: StateId) -> String {
        self.machine.state(state).name.clone()
    }

    fn event(&self, event: EventId) -> String {
        self.machine.event(event).name.clone()
    }

    fn enums(&self) -> &[Enum] {
        &self.machine.enums
    }

    fn is_variable(&self, name: &str) -> bool {
        is_variable(self.machine, name)
    }

    fn compare(&self, operator: Compare) -> &'static str {
        sign(operator)
    }
}
