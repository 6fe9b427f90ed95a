//! The folder of the emitted modules: a file for each machine and system, and the file that declares them.

use quote::quote;
use statespec_lang::model::{Machine, Model};
use statespec_lang::output::{Blame, Outputs, Pending, RenderError, Rendered};
use statespec_lang::source::Span;

use super::file::{items_text, machine_text};
use super::system::system_text;
use crate::lower::ModuleOptions;
use crate::names::ModuleNames;
use crate::{Style, lower};

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
    let modules = ModuleNames::of(model);
    for machine in &model.machines {
        let origin = Some(machine.span);
        let make = move || Ok(Rendered::new(machine_text(machine, style)?, origin, move || machine_blame(machine, style)));
        outputs.files.push((format!("{folder}/{}.rs", modules.file(&machine.name)), Pending::new(origin, make)));
    }
    for system in &model.systems {
        let origin = Some(system.span);
        let make = move || Ok(Rendered::new(system_text(model, system, style)?, origin, Blame::default));
        outputs.files.push((format!("{folder}/{}.rs", modules.file(&system.name)), Pending::new(origin, make)));
    }
    let make = move || Ok(Rendered::blaming(root_text(model, root)?, None, root_blame(model)));
    outputs.files.push((format!("{folder}/{}", root.file()), Pending::new(None, make)));
    outputs
}

fn root_text(model: &Model, root: Root) -> Result<String, RenderError> {
    let names = ModuleNames::of(model);
    // A program need not call every method of a module of its own.
    let allow = (root == Root::Module).then(|| quote! { #[allow(dead_code)] });
    let modules = modules(model).map(|(name, _)| {
        let module = names.of_name(name);
        // Rust only finds the file of a module by itself if the name is ASCII.
        let path = format!("{}.rs", names.file(name));
        let path = (!path.is_ascii()).then(|| quote! { #[path = #path] });
        quote! {
            #[rustfmt::skip]
            #allow
            #path
            pub mod #module;
        }
    });
    let doc = ["The state machines of this project, as Rust.".into(), "One module for each machine and each system.".into()];
    let strict = (root == Root::Crate).then(|| quote! { #![no_std] #![deny(warnings, missing_docs)] });
    items_text(&doc, quote! { #strict #(#modules)* })
}

/// The lines of a module that show one element of the spec.
fn machine_blame(machine: &Machine, style: &Style) -> Blame {
    lower::lower(machine, style, &ModuleOptions::default()).blame.into_iter().collect()
}

fn root_blame(model: &Model) -> Blame {
    let names = ModuleNames::of(model);
    modules(model).map(|(name, span)| (format!("pub mod {};", names.of_name(name)), span)).collect()
}

/// The names of all modules, with their specs.
fn modules(model: &Model) -> impl Iterator<Item = (&str, Span)> {
    let machines = model.machines.iter().map(|it| (it.name.as_str(), it.span));
    machines.chain(model.systems.iter().map(|it| (it.name.as_str(), it.span)))
}
