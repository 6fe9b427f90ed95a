//! Whether conditions of a machine can hold together, for other modules.

use std::collections::BTreeMap;

use super::guards::MachineWorld;
use super::reason::{Effort, Verdict, solve};
use super::show;
use crate::expr::{Expr, Var};
use crate::model::{EventId, Machine, PredicateId, Value};

/// Reasons about the guards of one machine, with a limit on its work.
pub struct Reasoner<'m> {
    machine: &'m Machine,
    effort: Effort,
}

/// Whether conditions can hold together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Possible {
    /// They never do, for any values.
    Never,
    /// They do with these values, as a message shows them.
    With(String),
    /// Neither could be proved.
    Unknown,
}

impl<'m> Reasoner<'m> {
    /// For the guards of this machine.
    pub fn new(machine: &'m Machine) -> Self {
        Reasoner { machine, effort: Effort::new(machine.transitions.len()) }
    }

    /// Whether the conditions can have these truth values at once. `event` is the one whose payload they read.
    pub fn possible(&self, event: Option<EventId>, conditions: &[(&Expr, bool)]) -> Possible {
        match solve(&MachineWorld::new(self.machine, event, &self.effort), conditions) {
            Verdict::Never => Possible::Never,
            Verdict::With(witness) => Possible::With(show::witness(self.machine, &witness)),
            Verdict::Unknown => Possible::Unknown,
        }
    }

    /// The values and answers with which the conditions have these truth values, for the test that the interpreter agrees.
    #[doc(hidden)]
    pub fn values(
        &self,
        event: Option<EventId>,
        conditions: &[(&Expr, bool)],
    ) -> Option<(BTreeMap<Var, Value>, BTreeMap<PredicateId, bool>)> {
        match solve(&MachineWorld::new(self.machine, event, &self.effort), conditions) {
            Verdict::With(witness) => Some((witness.values, witness.answers)),
            Verdict::Never | Verdict::Unknown => None,
        }
    }
}
