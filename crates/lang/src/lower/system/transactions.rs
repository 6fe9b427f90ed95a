//! Lowers transactions: their inputs, and the events they fire.

use super::reads::{check_not_created, read_elsewhere};
use super::roles;
use super::scope::shared_type;
use super::{
    Lowering, SystemScope, actor, check_distinct, check_name, check_word, dotted, dotted_event, expression, fill_opt, is_creation, unknown,
};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, suggest};
use crate::lower::fields::{check_aliases, parse_type};
use crate::model::machine::{Field, On};
use crate::model::system::{Fire, Input, Transaction};
use crate::model::{EnumId, PartId, System, Type};
use crate::names;
use crate::read::{Entries, Text};
use crate::spec;

pub(super) fn lower(spec: &spec::system::System, system: &System, cx: &Lowering<'_>, diagnostics: &mut Diagnostics) -> Vec<Transaction> {
    let declared = || spec.transactions.iter().flat_map(Entries::iter);
    check_distinct("transactions", declared().map(|(name, _)| (name.value.as_str(), name.span)), names::snake, diagnostics);
    declared().filter_map(|(name, body)| transaction(name, body, system, cx, diagnostics)).collect()
}

fn transaction(
    name: &Text,
    spec: &spec::system::Transaction,
    system: &System,
    cx: &Lowering<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Transaction> {
    check_name(name, "transaction", diagnostics);
    let by: Vec<_> = spec.by.iter().flat_map(|it| &it.0).filter_map(|it| actor(it, system, diagnostics)).collect();
    let performer = spec.performer.as_ref().and_then(|it| actor(it, system, diagnostics));
    let payload = inputs(&spec.payload, system, cx, diagnostics);
    let written = spec.fire.0.len();
    let roles = roles::of_transaction(spec, system);
    let fired: Vec<Fire> = match &payload {
        Some(payload) => {
            let scope = SystemScope { roles: &roles, ..SystemScope::new(system, cx, payload) };
            spec.fire.0.iter().filter_map(|it| fire(it, &scope, diagnostics)).collect()
        }
        // Without its payload, every further error in the transaction would be a false one.
        None => Vec::new(),
    };
    if written == 0 {
        let message = format!("the transaction `{}` fires nothing", name.value);
        diagnostics.push(Diagnostic::new(Code::BadSystem, name.span, message));
    }
    check_fired(&fired, system, cx, diagnostics);
    let transaction = Transaction {
        name: name.value.clone(),
        by,
        performer,
        surface: fill_opt(&spec.surface, &[], diagnostics),
        atomic: spec.atomic.as_ref().is_some_and(|it| it.value),
        doc: fill_opt(&spec.doc, &[], diagnostics),
        on_failure: fill_opt(&spec.on_failure, &[], diagnostics),
        inferred: fill_opt(&spec.inferred, &[], diagnostics),
        span: name.span,
        fire: fired,
        payload: payload?,
        roles,
    };
    if transaction.fire.len() == written {
        check_roles(&transaction, system, diagnostics);
    }
    check_actors(&transaction, system, cx, diagnostics);
    (transaction.fire.len() == written).then_some(transaction)
}

fn check_fired(fired: &[Fire], system: &System, cx: &Lowering<'_>, diagnostics: &mut Diagnostics) {
    for (idx, fire) in fired.iter().enumerate() {
        if let Some(first) = fired[..idx].iter().find(|it| it.part == fire.part) {
            let message = format!("two events for the same `{}` in one transaction", system.part(fire.part).name);
            let diagnostic = Diagnostic::new(Code::BadSystem, fire.span, message).also(first.span, "first here");
            diagnostics.push(diagnostic.help(match system.part(fire.part).many {
                true => "for another instance, declare a role with `also`; for the same one, write two transactions",
                false => "both would read the state before the transaction; write two transactions",
            }));
        }
    }
    let events: Vec<_> = fired.iter().map(|it| (it.part, it.event)).collect();
    for expr in fired.iter().flat_map(|it| &it.payload) {
        check_not_created(expr, &events, read_elsewhere, system, cx, diagnostics);
    }
}

/// A role takes part, and the rules read no role but those of the transaction.
fn check_roles(transaction: &Transaction, system: &System, diagnostics: &mut Diagnostics) {
    let used = system.parts_of(transaction);
    for role in transaction.roles.iter().filter(|it| !used.contains(it)) {
        let role = &system.part(*role).name;
        let message = format!("`{}` neither fires an event of `{role}` nor reads it", transaction.name);
        let diagnostic = Diagnostic::new(Code::BadSystem, transaction.span, message);
        diagnostics.push(diagnostic.help(format!("fire an event, such as `{role}.…`, or remove the role")));
    }
    for fire in &transaction.fire {
        for (_, rule) in system.rules_for(fire.part, fire.event) {
            let unknown = |it: &PartId| system.plays(*it) != *it && !transaction.roles.contains(it);
            for role in rule.require.parts().into_iter().filter(unknown) {
                let (name, role) = (&transaction.name, &system.part(role).name);
                let message = format!("a rule before this event reads `{role}`, and `{name}` has no such role");
                let diagnostic = Diagnostic::new(Code::BadSystem, fire.span, message).also(rule.span, "this rule");
                diagnostics.push(diagnostic.help(format!("declare it: `also: {{ {role}: … }}`")));
            }
        }
    }
}

/// The actors that trigger a transaction must be allowed to raise its events.
fn check_actors(transaction: &Transaction, system: &System, cx: &Lowering<'_>, diagnostics: &mut Diagnostics) {
    for fire in &transaction.fire {
        let machine = cx.machine(system, fire.part);
        let event = machine.event(fire.event);
        let may: Vec<&str> = event.by.iter().filter_map(|it| machine.actors.get(it.index())).map(|it| it.name.as_str()).collect();
        for actor in transaction.by.iter().filter_map(|it| system.actors.get(it.index())) {
            if !may.is_empty() && !may.contains(&actor.name.as_str()) {
                let message = format!(
                    "`{}` triggers `{}`, but `{}.{}` is raised by {} only",
                    actor.name,
                    transaction.name,
                    system.part(fire.part).name,
                    event.name,
                    may.join(", ")
                );
                diagnostics.push(Diagnostic::new(Code::BadSystem, fire.span, message).also(event.span, "by these"));
            }
        }
    }
}

fn inputs(
    spec: &Option<Entries<spec::machine::Field>>,
    system: &System,
    cx: &Lowering<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Input>> {
    let mut inputs = Vec::new();
    let mut complete = true;
    for (name, field) in spec.iter().flat_map(Entries::iter) {
        check_word(name, "payload field", diagnostics);
        let (ty, body) = match field {
            spec::machine::Field::Type(ty) => (ty, None),
            spec::machine::Field::Full(body) => (&body.r#type, Some(body)),
        };
        if let Some(default) = body.and_then(|it| it.default.as_ref()) {
            let message = "a payload field cannot have a default: the caller gives every value";
            diagnostics
                .push(Diagnostic::new(Code::UnknownKey, default.0.span, message).help("make it `optional: true` if it may be missing"));
        }
        let Some((ty, of)) = input_type(ty, system, cx, diagnostics) else {
            complete = false;
            continue;
        };
        let field = Field {
            name: name.value.clone(),
            ty,
            optional: body.and_then(|it| it.optional.as_ref()).is_some_and(|it| it.value),
            informative: body.and_then(|it| it.informative.as_ref()).is_some_and(|it| it.value),
            default: None,
            doc: body.and_then(|it| fill_opt(&it.doc, &[], diagnostics)),
            label: body.and_then(|it| super::super::text::label(&it.label, &[], diagnostics)),
            aliases: body.map(|it| crate::lower::names::texts(&it.aliases)).unwrap_or_default(),
            former: body.map(|it| crate::lower::names::texts(&it.aka)).unwrap_or_default(),
            span: name.span,
        };
        inputs.push(Input { field, of });
    }
    check_distinct("payload fields", inputs.iter().map(|it| (it.field.name.as_str(), it.field.span)), names::snake, diagnostics);
    check_aliases("payload field", inputs.iter().map(|it| &it.field), diagnostics);
    complete.then_some(inputs)
}

/// `bool` and the like, `part.state`, or `part.enum`.
fn input_type(text: &Text, system: &System, cx: &Lowering<'_>, diagnostics: &mut Diagnostics) -> Option<(Type, Option<PartId>)> {
    if !text.value.contains('.') {
        if text.value == "state" {
            let diagnostic = Diagnostic::new(Code::BadType, text.span, "the part of the state is missing");
            diagnostics.push(diagnostic.help("write `part.state`"));
            return None;
        }
        return parse_type(text, &[], false, diagnostics).map(|ty| (ty, None));
    }
    let (part, name) = dotted(text, "state", &[], system, diagnostics)?;
    if name.value == "state" {
        return Some((Type::State, Some(part)));
    }
    let machine = cx.machine(system, part);
    match machine.enums.iter().position(|it| it.name == name.value) {
        Some(idx) => Some((shared_type(system, part, &Type::Enum(EnumId::new(idx))), Some(part))),
        None => {
            let known: Vec<&str> = ["state"].into_iter().chain(machine.enums.iter().map(|it| it.name.as_str())).collect();
            unknown("type", &name, known, diagnostics);
            None
        }
    }
}

/// One event of a transaction or link, with one expression for every field of its payload.
pub(super) fn fire(spec: &spec::system::Fire, scope: &SystemScope<'_>, diagnostics: &mut Diagnostics) -> Option<Fire> {
    let (system, cx) = (scope.system, scope.cx);
    let (name, given) = spec.parts();
    let (part, event) = dotted_event(name, scope.roles, system, cx, diagnostics)?;
    let machine = cx.machine(system, part);
    let declared = &machine.event(event).payload;
    let shown = format!("{}.{}", system.part(part).name, machine.event(event).name);
    let mut complete = true;
    if is_creation(event, machine) && machine.edges.iter().any(|it| it.from.is_some() && it.on == On::Event(event)) {
        let message = format!("`{shown}` both creates an instance and moves an existing one; a transaction cannot distinguish the two");
        diagnostics.push(Diagnostic::new(Code::BadSystem, name.span, message).help("use two events"));
        complete = false;
    }
    for (unknown, _) in given.iter().filter(|(it, _)| declared.iter().all(|field| field.name != it.value)) {
        let diagnostic = Diagnostic::new(Code::UnknownName, unknown.span, format!("`{shown}` carries no `{}`", unknown.value));
        let known: Vec<&str> = declared.iter().map(|it| it.name.as_str()).collect();
        diagnostics.push(match suggest(&unknown.value, known) {
            Some(help) => diagnostic.help(help),
            None => diagnostic.help("it has no payload"),
        });
        complete = false;
    }
    let mut payload = Vec::new();
    for field in declared {
        let Some((_, text)) = given.iter().find(|(it, _)| it.value == field.name) else {
            let message = format!("`{shown}` needs a value for `{}`", field.name);
            let help = format!("write `{{ {shown}: {{ {}: … }} }}`", field.name);
            diagnostics.push(Diagnostic::new(Code::MissingKey, name.span, message).also(field.span, "declared here").help(help));
            complete = false;
            continue;
        };
        let states_of = (field.ty == Type::State).then(|| system.part(part).machine);
        let scope = SystemScope { states_of, ..*scope };
        let ty = shared_type(system, part, &field.ty);
        match expression(text, &ty, field.optional, &scope, diagnostics) {
            Some(expr) => payload.push(expr),
            None => complete = false,
        }
    }
    complete.then_some(Fire { part, event, payload, span: name.span })
}
