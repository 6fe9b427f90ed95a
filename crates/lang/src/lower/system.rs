//! Lowers one system: its parts, then everything that connects them.

mod limits;
mod orders;
mod reads;
mod roles;
mod rules;
mod scope;
mod transactions;
mod walkthroughs;

use super::name_table::NameTable;
use super::names::{check_distinct, check_file_name, check_name, check_word, unknown};
use super::text::{fill, fill_opt, fill_or, label, sub_span};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::expr::{self, Expr};
use crate::model::machine::Actor;
use crate::model::system::Part;
use crate::model::{ActorId, EnumId, EventId, FieldId, Machine, PartId, StateId, System, Type};
use crate::names;
use crate::read::{Entries, Text};
use crate::spec;
use scope::SystemScope;

/// Lowers a system as far as possible and reports the rest. `None` if its parts are unknown: every
/// further error would be a follow-on error.
pub(super) fn lower(spec: &spec::system::System, machines: &[Machine], names: &NameTable, diagnostics: &mut Diagnostics) -> Option<System> {
    check_file_name(&spec.system, "system", diagnostics);
    if !limits::check(spec, machines, diagnostics) {
        return None;
    }
    let name = spec.system.value.clone();
    let mut system = System {
        title: fill_or(&spec.title, &[], diagnostics, || name.clone()),
        doc: fill_opt(&spec.doc, &[], diagnostics),
        source: spec.span.source,
        span: spec.system.span,
        sources: spec.sources.iter().flatten().map(|it| it.value.clone()).collect(),
        actors: Vec::new(),
        parts: Vec::new(),
        roles: Vec::new(),
        enums: Vec::new(),
        enum_origins: Vec::new(),
        rules: Vec::new(),
        transactions: Vec::new(),
        links: Vec::new(),
        invariants: Vec::new(),
        walkthroughs: Vec::new(),
        notes: spec.notes.iter().flatten().map(|it| fill(it, &[], diagnostics)).collect(),
        name,
    };
    for (name, doc) in spec.actors.iter().flat_map(Entries::iter) {
        check_name(name, "actor", diagnostics);
        system.actors.push(Actor { name: name.value.clone(), doc: fill(doc, &[], diagnostics), span: name.span });
    }
    check_distinct("actors", system.actors.iter().map(|it| (it.name.as_str(), it.span)), names::upper_camel, diagnostics);
    parts(spec, &mut system, machines, names, diagnostics)?;
    let cx = Lowering { machines };
    owners(spec, &mut system, &cx, diagnostics);
    orders::lower(spec, &mut system, &cx, diagnostics);
    roles::lower(spec, &mut system, &cx, diagnostics);
    // From here on, every name that an expression can use is known.
    system.rules = spec.rules.iter().flatten().filter_map(|it| rules::rule(it, &system, &cx, diagnostics)).collect();
    system.transactions = transactions::lower(spec, &system, &cx, diagnostics);
    system.links = spec.links.iter().flatten().filter_map(|it| rules::link(it, &system, &cx, diagnostics)).collect();
    rules::check_cycles(&system, diagnostics);
    system.invariants = spec.invariants.iter().flatten().filter_map(|it| rules::invariant(it, &system, &cx, diagnostics)).collect();
    system.walkthroughs = walkthroughs::lower(spec, &system, &cx, diagnostics);
    Some(system)
}

/// The inputs for lowering a system, besides the system itself.
struct Lowering<'a> {
    machines: &'a [Machine],
}

impl<'a> Lowering<'a> {
    fn machine(&self, system: &System, part: PartId) -> &'a Machine {
        &self.machines[system.part(part).machine]
    }
}

fn parts(
    spec: &spec::system::System,
    system: &mut System,
    machines: &[Machine],
    known: &NameTable,
    diagnostics: &mut Diagnostics,
) -> Option<()> {
    let mut complete = true;
    for (name, part) in spec.parts.iter() {
        check_word(name, "part", diagnostics);
        let Some(machine_idx) = machines.iter().position(|it| it.name == part.machine.value) else {
            unknown("machine", &part.machine, known.machines(), diagnostics);
            complete = false;
            continue;
        };
        let machine = &machines[machine_idx];
        if let Some(field) = machine.fields.iter().find(|it| it.name == "state" || it.name == "id") {
            let message = format!("`{}.{}` already has a meaning of its own", name.value, field.name);
            diagnostics
                .push(Diagnostic::new(Code::NameCollision, name.span, message).also(field.span, "this field").help("rename the field"));
        }
        for (idx, shared) in machine.enums.iter().enumerate() {
            let origin = (machine_idx, EnumId::new(idx));
            if !system.enum_origins.contains(&origin) {
                system.enum_origins.push(origin);
                system.enums.push(shared.clone());
            }
        }
        system.parts.push(Part {
            name: name.value.clone(),
            label: label(&part.label, &[], diagnostics).filter(|it| !it.trim().is_empty()).unwrap_or_else(|| capitalised(&name.value)),
            machine: machine_idx,
            many: part.many.as_ref().is_some_and(|it| it.value),
            of: None,
            orders: Vec::new(),
            doc: fill_opt(&part.doc, &[], diagnostics),
            span: name.span,
        });
    }
    check_distinct("parts", system.parts.iter().map(|it| (it.name.as_str(), it.span)), names::snake, diagnostics);
    if spec.parts.0.is_empty() {
        diagnostics.push(Diagnostic::new(Code::BadSystem, spec.system.span, format!("the system `{}` has no parts", system.name)));
        complete = false;
    }
    complete.then_some(())
}

fn capitalised(name: &str) -> String {
    let mut characters = name.chars();
    let first = characters.next().map(|it| it.to_uppercase().collect::<String>()).unwrap_or_default();
    first + characters.as_str()
}

/// The owner of each part, and the field that identifies the owning instance.
fn owners(spec: &spec::system::System, system: &mut System, cx: &Lowering<'_>, diagnostics: &mut Diagnostics) {
    for (idx, (_, part)) in spec.parts.iter().enumerate() {
        let (of, by) = match (&part.of, &part.by) {
            (None, None) => continue,
            (Some(of), Some(by)) => (of, by),
            (Some(given), None) => {
                let message = format!("the field that refers to the `{}` is missing", given.value);
                diagnostics.push(Diagnostic::new(Code::MissingKey, given.span, message).help("name it with `by`"));
                continue;
            }
            (None, Some(given)) => {
                let message = format!("`{}` refers to an owner, but `of` does not name the part", given.value);
                diagnostics.push(Diagnostic::new(Code::MissingKey, given.span, message).help("name the part with `of`"));
                continue;
            }
        };
        let owner = part_named(of, &[], system, diagnostics);
        let field = owner_field(by, cx.machine(system, PartId::new(idx)), diagnostics);
        let (Some(owner), Some(field)) = (owner, field) else { continue };
        if owner.index() == idx || system.owners(owner).any(|it| it.index() == idx) {
            let message = format!("`{}` would belong to itself", system.parts[idx].name);
            diagnostics.push(Diagnostic::new(Code::BadSystem, of.span, message));
            continue;
        }
        let (own, whole) = (&system.parts[idx], system.part(owner));
        if whole.many && !own.many && cx.machine(system, PartId::new(idx)).edges_from(None).is_empty() {
            let message = format!("`{}` exists from the start, before any `{}` that it could belong to", own.name, whole.name);
            let help = format!("declare it with `many: true`, or add a creation event to `{}`", part.machine.value);
            diagnostics.push(Diagnostic::new(Code::BadSystem, of.span, message).help(help));
            continue;
        }
        system.parts[idx].of = Some((owner, field));
    }
}

fn owner_field(by: &Text, machine: &Machine, diagnostics: &mut Diagnostics) -> Option<FieldId> {
    let Some(idx) = machine.fields.iter().position(|it| it.name == by.value) else {
        unknown("context field", by, machine.fields.iter().map(|it| it.name.as_str()), diagnostics);
        return None;
    };
    let field = &machine.fields[idx];
    if field.ty != Type::Reference {
        let ty = expr::type_name(&field.ty, &machine.enums);
        let message = format!("`by` needs a field of type `reference`, `{}` is `{ty}`", by.value);
        diagnostics.push(Diagnostic::new(Code::TypeMismatch, by.span, message).also(field.span, "declared here"));
        return None;
    }
    let assigned = machine.transitions.iter().find(|row| row.set.iter().any(|(it, _)| it.index() == idx));
    if let Some(row) = assigned {
        let message = format!("the owner of an instance never changes, but `{}` is assigned", by.value);
        diagnostics.push(Diagnostic::new(Code::BadSystem, by.span, message).also(row.span, "by this transition"));
        return None;
    }
    Some(FieldId::new(idx))
}

/// The part with this name, or one of these roles.
fn part_named(name: &Text, roles: &[PartId], system: &System, diagnostics: &mut Diagnostics) -> Option<PartId> {
    let found = system.part_ids().chain(roles.iter().copied()).find(|it| system.part(*it).name == name.value);
    if found.is_none() {
        let what = if roles.is_empty() { "part" } else { "part or role" };
        let known = system.parts.iter().chain(roles.iter().map(|it| system.part(*it)));
        unknown(what, name, known.map(|it| it.name.as_str()), diagnostics);
    }
    found
}

/// The two sides of `part.something`, each with its span.
fn dotted(text: &Text, what: &str, roles: &[PartId], system: &System, diagnostics: &mut Diagnostics) -> Option<(PartId, Text)> {
    let Some((part, rest)) = text.value.split_once('.') else {
        let message = format!("`{}` does not name its part", text.value);
        diagnostics.push(Diagnostic::new(Code::BadSystem, text.span, message).help(format!("write `part.{what}`")));
        return None;
    };
    let name = Text::new(part.to_owned(), sub_span(text, 0..part.len()));
    let part_id = part_named(&name, roles, system, diagnostics)?;
    Some((part_id, Text::new(rest.to_owned(), sub_span(text, part.len() + 1..text.value.len()))))
}

/// The event that `part.event` names.
fn dotted_event(
    text: &Text,
    roles: &[PartId],
    system: &System,
    cx: &Lowering<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<(PartId, EventId)> {
    let (part, name) = dotted(text, "event", roles, system, diagnostics)?;
    super::names::event(&name, cx.machine(system, part), diagnostics).map(|event| (part, event))
}

/// The state that `part.STATE` names.
fn dotted_state(text: &Text, system: &System, cx: &Lowering<'_>, diagnostics: &mut Diagnostics) -> Option<(PartId, StateId)> {
    let (part, name) = dotted(text, "STATE", &[], system, diagnostics)?;
    super::names::state(&name, cx.machine(system, part), diagnostics).map(|state| (part, state))
}

fn actor(name: &Text, system: &System, diagnostics: &mut Diagnostics) -> Option<ActorId> {
    let found = system.actors.iter().position(|it| it.name == name.value).map(ActorId::new);
    if found.is_none() {
        unknown("actor", name, system.actors.iter().map(|it| it.name.as_str()), diagnostics);
    }
    found
}

/// Parses and checks an expression; states are only compared with states of the same machine, and never with the state of a
/// machine with regions.
fn expression(text: &Text, ty: &Type, optional: bool, scope: &SystemScope<'_>, diagnostics: &mut Diagnostics) -> Option<Expr> {
    let ast = match expr::parse(&text.value, text.span) {
        Ok(ast) => ast,
        Err(diagnostic) => {
            diagnostics.push(diagnostic);
            return None;
        }
    };
    let expr = expr::check(&ast, ty, optional, &[], scope, diagnostics)?;
    (scope.check_configurations(&expr, diagnostics) && scope.check_states(&expr, diagnostics)).then_some(expr)
}

/// Whether an event only creates an instance. Events that also do something else cannot be told apart
/// from outside, so a system does not fire them.
fn is_creation(event: EventId, machine: &Machine) -> bool {
    machine.is_creation_event(event)
}
