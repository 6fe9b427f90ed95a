//! The environment of a system's expressions.

use super::{Chosen, Instance, World};
use crate::expr::{Env, Expr, ExprKind, Var};
use crate::model::machine::Constant;
use crate::model::system::Input;
use crate::model::{EnumId, Machine, Model, PartId, StateId, System, Value};

/// A choice of instances in one world, with the payload of the transaction.
pub(super) struct View<'a> {
    pub(super) model: &'a Model,
    pub(super) system: &'a System,
    pub(super) world: &'a World,
    pub(super) chosen: &'a Chosen,
    pub(super) inputs: &'a [Input],
    pub(super) payload: &'a [Value],
}

impl View<'_> {
    /// A value with the enum ids of the machine that it is intended for.
    pub(super) fn own(&self, value: Value) -> Value {
        match value {
            Value::Enum(id, idx) => match self.system.enum_origins.get(id.index()) {
                Some((_, own)) => Value::Enum(*own, idx),
                None => Value::Null,
            },
            other => other,
        }
    }

    /// A value of a machine's context with the enum ids of the system.
    fn shared(&self, part: PartId, value: Value) -> Value {
        match value {
            Value::Enum(id, idx) => {
                let machine = self.system.part(part).machine;
                let position = self.system.enum_origins.iter().position(|it| *it == (machine, id));
                position.map_or(Value::Null, |it| Value::Enum(EnumId::new(it), idx))
            }
            other => other,
        }
    }

    /// The chosen instance of a part, if it exists.
    fn instance(&self, part: PartId) -> Option<&Instance> {
        self.world.instance(self.system.plays(part), *self.chosen.get(&part)?)
    }

    /// The machine that owns the states of an expression of type `state`.
    fn machine_of(&self, subject: &Expr) -> Option<&Machine> {
        let (ExprKind::Var(var) | ExprKind::NonNull(var)) = &subject.kind else { return None };
        let part = match var {
            Var::PartState(part) | Var::PartContext(part, _) | Var::PartId(part) => Some(*part),
            Var::Input(idx) => self.inputs.get(*idx)?.of,
            Var::Context(_) | Var::Payload(_) => None,
        };
        self.model.machines.get(self.system.part(part?).machine)
    }
}

impl Env for View<'_> {
    /// Only the identity of an instance that does not exist is known. The lowering rejects expressions
    /// that read more, and [`super::Unit::present`] checks the rest.
    fn var(&self, var: Var) -> Value {
        let instance = |part| self.instance(part);
        let value = match var {
            Var::Input(idx) => self.payload.get(idx).cloned(),
            Var::PartId(part) => self.chosen.get(&part).map(|it| Value::Reference(*it)),
            // The lowering accepts the state of a machine with regions only in `part.state in STATE`.
            Var::PartState(part) => instance(part).and_then(|it| it.configuration.only()).map(Value::State),
            Var::PartContext(part, field) => {
                instance(part).and_then(|it| it.context.get(field.index())).map(|it| self.shared(part, it.clone()))
            }
            Var::Context(_) | Var::Payload(_) => None,
        };
        value.unwrap_or(Value::Null)
    }

    fn constants(&self) -> &[Constant] {
        &[]
    }

    fn predicate(&self, _: crate::model::PredicateId) -> bool {
        false
    }

    fn is_active(&self, _: StateId) -> bool {
        // A system is in no state itself.
        false
    }

    fn is_in(&self, subject: &Expr, state: StateId, whole: StateId) -> bool {
        self.machine_of(subject).is_some_and(|it| it.is_in(state, whole))
    }

    fn part_is_in(&self, part: PartId, whole: StateId) -> bool {
        let machine = self.model.machines.get(self.system.part(part).machine);
        self.instance(part).zip(machine).is_some_and(|(it, machine)| machine.is_active(&it.configuration, whole))
    }
}
