//! The scope of the expressions of a system: `mission.state`, `hop.is_final`, `hop.id`, and
//! the payload of the transaction.

use super::Lowering;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::expr::{Expr, ExprKind, Resolved, Scope, Var};
use crate::model::machine::Enum;
use crate::model::system::Input;
use crate::model::{EnumId, FieldId, Literal, PartId, StateId, System, Type};
use crate::source::Spanned;

pub(super) struct SystemScope<'a> {
    pub(super) system: &'a System,
    pub(super) cx: &'a Lowering<'a>,
    /// The payload of the transaction.
    pub(super) inputs: &'a [Input],
    /// The roles that can be read.
    pub(super) roles: &'a [PartId],
    /// The machine that a bare state name refers to if nothing else determines it.
    pub(super) states_of: Option<usize>,
}

impl<'a> SystemScope<'a> {
    pub(super) fn new(system: &'a System, cx: &'a Lowering<'a>, inputs: &'a [Input]) -> Self {
        SystemScope { system, cx, inputs, roles: &[], states_of: None }
    }

    /// The parts and roles that can be read.
    fn parts(&self) -> impl Iterator<Item = PartId> + '_ {
        self.system.part_ids().chain(self.roles.iter().copied())
    }

    /// A type of a part's machine, with the enum ids of the system.
    pub(super) fn shared_type(&self, part: PartId, ty: &Type) -> Type {
        shared_type(self.system, part, ty)
    }

    /// The machine that owns the states of an expression.
    pub(super) fn machine_of(&self, expr: &Expr) -> Option<usize> {
        let (ExprKind::Var(var) | ExprKind::NonNull(var)) = &expr.kind else { return None };
        let part = match var {
            Var::PartState(part) | Var::PartContext(part, _) => *part,
            Var::Input(idx) => self.inputs.get(*idx)?.of?,
            Var::Context(_) | Var::Payload(_) | Var::PartId(_) => return None,
        };
        Some(self.system.part(part).machine)
    }

    /// States of different machines have the same type, but are never equal.
    pub(super) fn check_states(&self, expr: &Expr, diagnostics: &mut Diagnostics) -> bool {
        let mut same = true;
        expr.walk(&mut |it| {
            if let ExprKind::Compare(_, left, right) = &it.kind
                && left.ty == Type::State
                && let (Some(left_machine), Some(right_machine)) = (self.machine_of(left), self.machine_of(right))
                && left_machine != right_machine
            {
                same = false;
                let name = |idx: usize| self.cx.machines[idx].name.as_str();
                let message = format!("a state of `{}` is never a state of `{}`", name(left_machine), name(right_machine));
                diagnostics.push(Diagnostic::new(Code::TypeMismatch, it.span, message));
            }
        });
        if let (Some(expected), Type::State, Some(found)) = (self.states_of, &expr.ty, self.machine_of(expr))
            && expected != found
        {
            same = false;
            let name = |idx: usize| self.cx.machines[idx].name.as_str();
            let message = format!("expected a state of `{}`, found one of `{}`", name(expected), name(found));
            diagnostics.push(Diagnostic::new(Code::TypeMismatch, expr.span, message));
        }
        same
    }

    /// A part with regions is in several states at once: a condition asks for one of them, and no state is its value.
    pub(super) fn check_configurations(&self, expr: &Expr, diagnostics: &mut Diagnostics) -> bool {
        let mut single = true;
        let (mut is_asked, mut compared) = (false, None);
        expr.walk(&mut |it| {
            // The subject follows its condition.
            let was_asked = std::mem::replace(&mut is_asked, matches!(it.kind, ExprKind::In(..)));
            if let ExprKind::Compare(_, left, right) = &it.kind {
                let literal = [left, right].into_iter().find_map(|it| match it.kind {
                    ExprKind::Literal(Literal::State(state)) => Some(state),
                    _ => None,
                });
                compared = literal.filter(|_| [left, right].iter().any(|it| it.part_state().is_some()));
            }
            let Some(part) = it.part_state().filter(|_| !was_asked) else { return };
            let (name, machine) = (&self.system.part(part).name, self.cx.machine(self.system, part));
            let Some(region) = machine.first_region() else { return };
            single = false;
            let message = format!("`{}` has regions, so `{name}.state` is several states at once", machine.name);
            let state = compared.take().map_or("STATE", |it| machine.state(it).name.as_str());
            let diagnostic = Diagnostic::new(Code::TypeMismatch, it.span, message).also(machine.state(region).span, "the first region");
            diagnostics.push(diagnostic.help(match expr.part_state() {
                Some(_) => "name a leaf, or take it from the payload of the transaction".to_owned(),
                None => format!("ask for one of them: `{name}.state in {state}`"),
            }));
        });
        single
    }

    fn states(&self, other: Option<&Expr>) -> Option<usize> {
        other.and_then(|it| self.machine_of(it)).or(self.states_of)
    }
}

/// A type of a part's machine, with the enum ids of the system.
pub(super) fn shared_type(system: &System, part: PartId, ty: &Type) -> Type {
    match ty {
        Type::Enum(id) => {
            let machine = system.part(part).machine;
            let position = system.enum_origins.iter().position(|it| *it == (machine, *id));
            // Every enum of every part's machine is collected with the parts.
            position.map_or(Type::Text, |it| Type::Enum(EnumId::new(it)))
        }
        other => other.clone(),
    }
}

impl Scope for SystemScope<'_> {
    fn name(&self, path: &[Spanned<String>]) -> Option<Resolved> {
        match path {
            [name] => {
                let idx = self.inputs.iter().position(|it| it.field.name == name.value)?;
                let field = &self.inputs[idx].field;
                Some(Resolved { kind: ExprKind::Var(Var::Input(idx)), ty: field.ty.clone(), optional: field.optional })
            }
            [part, name] => {
                let part = self.parts().find(|it| self.system.part(*it).name == part.value)?;
                let resolved = |var, ty, optional| Some(Resolved { kind: ExprKind::Var(var), ty, optional });
                match name.value.as_str() {
                    "state" => resolved(Var::PartState(part), Type::State, false),
                    "id" => resolved(Var::PartId(part), Type::Reference, false),
                    name => {
                        let machine = self.cx.machine(self.system, part);
                        let idx = machine.fields.iter().position(|it| it.name == name)?;
                        let field = &machine.fields[idx];
                        resolved(Var::PartContext(part, FieldId::new(idx)), self.shared_type(part, &field.ty), field.optional)
                    }
                }
            }
            _ => None,
        }
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.inputs.iter().map(|it| it.field.name.clone()).collect();
        for part in self.parts() {
            let fields = self.cx.machine(self.system, part).fields.iter().map(|it| it.name.as_str());
            names.extend(["state", "id"].into_iter().chain(fields).map(|it| format!("{}.{it}", self.system.part(part).name)));
        }
        names
    }

    fn variable_name(&self, var: Var) -> Option<String> {
        let of_part = |part, name: &str| Some(format!("{}.{name}", self.system.part(part).name));
        match var {
            Var::Input(idx) => self.inputs.get(idx).map(|it| it.field.name.clone()),
            Var::PartState(part) => of_part(part, "state"),
            Var::PartId(part) => of_part(part, "id"),
            Var::PartContext(part, field) => of_part(part, &self.cx.machine(self.system, part).fields.get(field.index())?.name),
            _ => None,
        }
    }

    fn has_guard(&self) -> bool {
        false
    }

    fn enums(&self) -> &[Enum] {
        &self.system.enums
    }

    fn state(&self, name: &str, other: Option<&Expr>) -> Option<StateId> {
        let machine = &self.cx.machines[self.states(other)?];
        machine.states.iter().position(|it| it.name == name).map(StateId::new)
    }

    fn is_leaf(&self, state: StateId, other: Option<&Expr>) -> bool {
        self.states(other).is_some_and(|idx| self.cx.machines[idx].is_leaf(state))
    }

    fn is_nowhere(&self) -> Option<&'static str> {
        Some("a system is in no state: write `part.state in STATE`")
    }

    fn state_names(&self, other: Option<&Expr>) -> Vec<String> {
        let machine = self.states(other).map(|idx| &self.cx.machines[idx]);
        machine.into_iter().flat_map(|it| &it.states).map(|it| it.name.clone()).collect()
    }
}
