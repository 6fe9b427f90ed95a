//! The folder of the emitted modules: a file for each machine and system, and the one that declares them.

use std::sync::Arc;

use quote::quote;

use super::lists::Lists;
use super::printed::Printed;
use super::{Style, docs, introspect, machine_text_after, system_text, text};
use crate::model::machine::{From, Target};
use crate::model::{Machine, Model, StateId, System};
use crate::names::{ident, snake};
use crate::output::{Blame, Outputs, Pending, Rendered};
use crate::source::Span;

/// The file that declares the modules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Root {
    /// `mod.rs`: the folder is a module of a crate.
    Module,
    /// `lib.rs`: the folder is the source of a crate of its own.
    Crate,
}

impl Root {
    fn file(self) -> &'static str {
        match self {
            Root::Module => "mod.rs",
            Root::Crate => "lib.rs",
        }
    }
}

/// All modules in `folder`, such as `src/machines`, and the file that declares them.
pub fn outputs<'a>(model: &'a Model, folder: &str, root: Root, style: &'a Style) -> Outputs<'a> {
    let mut outputs = Outputs::default();
    let printed = Arc::new(Printed::default());
    for machine in &model.machines {
        let origin = Some(machine.span);
        let printed = Arc::clone(&printed);
        let make = move || Ok(Rendered::new(machine_text_after(&printed, machine, style)?, origin, move || machine_blame(machine)));
        outputs.files.push((format!("{folder}/{}.rs", snake(&machine.name)), Pending::new(origin, make)));
    }
    for system in &model.systems {
        let origin = Some(system.span);
        let make = move || Ok(Rendered::new(system_text(model, system, style)?, origin, move || system_blame(system)));
        outputs.files.push((format!("{folder}/{}.rs", snake(&system.name)), Pending::new(origin, make)));
    }
    let make = move || Ok(Rendered::blaming(root_text(model, root)?, None, root_blame(model)));
    outputs.files.push((format!("{folder}/{}", root.file()), Pending::new(None, make)));
    outputs
}

/// The doc of a machine's module.
pub(super) fn machine_doc(machine: &Machine) -> Vec<String> {
    let mut doc = vec![docs::sentence(&machine.title), machine.doc.as_deref().map(docs::sentence).unwrap_or_default()];
    doc.extend(transition_table(machine));
    doc.push(docs::bullets(&machine.notes));
    doc
}

/// The rows as a table, as long as a person would read it.
fn transition_table(machine: &Machine) -> Option<String> {
    const MAX_ROWS: usize = 60;
    if machine.transitions.is_empty() || machine.transitions.len() > MAX_ROWS {
        return None;
    }
    let style = Style::default();
    let module = super::Module::new(machine, &style);
    let path = |id: &StateId| machine.path_name(*id);
    let names = |ids: &[StateId]| docs::code_list(ids.iter().map(path).collect::<Vec<_>>().iter().map(AsRef::as_ref), "or");
    let mut table = "| From | On | To | When |\n| --- | --- | --- | --- |".to_owned();
    for row in &machine.transitions {
        let from = match &row.from {
            From::Creation => "birth".to_owned(),
            From::States(states) => names(states),
            From::Any { except } if except.is_empty() => "anywhere".to_owned(),
            From::Any { except } => format!("anywhere but {}", names(except)),
        };
        let on = docs::code_list(row.events.iter().map(|id| machine.event(*id).name.as_str()), "or");
        let to = match &row.target {
            Target::Stay => "stays".to_owned(),
            Target::To(states) => names(states),
            Target::Payload(idx) => format!("what {} names", docs::code(&introspect::payload_name(&module, row, *idx))),
            Target::Refuse(text) => format!("refused: {}", docs::markdown(text).replace('\n', " ")),
        };
        let when = introspect::guard_text(&module, row).map(|it| docs::code(&it)).unwrap_or_default();
        // Nothing in a cell may end it.
        let cells = [from, on, to, when].map(|it| it.replace("\\|", "|").replace('|', "\\|"));
        table.push_str(&format!("\n| {} |", cells.join(" | ")));
    }
    Some(table)
}

fn root_text(model: &Model, root: Root) -> Result<String, syn::Error> {
    let modules = names(model).map(|(name, _)| {
        let module = ident(&snake(name));
        quote! {
            #[rustfmt::skip]
            pub mod #module;
        }
    });
    let doc = docs::inner_attributes(&[
        "The state machines of this project, as Rust.".into(),
        "One module for each machine and each system.".into(),
    ]);
    let items = quote! { #(#modules)* };
    let strict = (root == Root::Crate).then(|| quote! { #![no_std] #![deny(warnings, missing_docs)] });
    text::format(Lists::default(), quote! { #doc #strict }, items)
}

/// Which lines of a module speak of what.
fn machine_blame(machine: &Machine) -> Blame {
    let style = Style::default();
    let module = super::Module::new(machine, &style);
    let path = |of: &str, variants: &[proc_macro2::Ident]| -> Vec<String> { variants.iter().map(|it| format!("{of}::{it}")).collect() };
    let (states, kinds) = (path("State", &module.states), path("EventKind", &module.events));
    let (events, effects) = (path("Event", &module.events), path("Effect", &module.effects));
    let mut blame = Blame::default();
    for (state, word) in machine.states.iter().zip(&states) {
        blame.push([word], state.span);
    }
    for (event, (kind, word)) in machine.events.iter().zip(kinds.iter().zip(&events)) {
        blame.push([kind], event.span);
        blame.push([word], event.span);
    }
    for (effect, word) in machine.effects.iter().zip(&effects) {
        blame.push([word], effect.span);
    }
    for edge in &machine.edges {
        if let (Some(from), Some(event)) = (edge.from, edge.event) {
            blame.push([&states[from.index()], &kinds[event.index()]], machine.transition(edge.transition).span);
        }
    }
    blame
}

fn root_blame(model: &Model) -> Blame {
    names(model).map(|(name, span)| ([format!("mod {}", ident(&snake(name)))], span)).collect()
}

/// The names of all modules, with the specs they come from.
fn names(model: &Model) -> impl Iterator<Item = (&str, Span)> {
    let machines = model.machines.iter().map(|it| (it.name.as_str(), it.span));
    machines.chain(model.systems.iter().map(|it| (it.name.as_str(), it.span)))
}

/// Which lines of a system's module speak of what.
fn system_blame(system: &System) -> Blame {
    let mut blame = Blame::default();
    system.transactions.iter().for_each(|it| blame.push([format!("fn {}", snake(&it.name))], it.span));
    system.parts.iter().for_each(|it| blame.push([format!("world.{}", snake(&it.name))], it.span));
    system.rules.iter().for_each(|it| blame.push([&it.doc], it.span));
    system.invariants.iter().for_each(|it| blame.push([&it.doc], it.span));
    blame
}
