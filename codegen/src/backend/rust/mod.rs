//! Rust: one module per machine and system, `no_std`, without allocation.
//!
//! [`emit_machine`] returns the items of a module; [`machine_text`] makes a file of them. The
//! pieces are functions called `expand_…`, each of which returns one emitted item.

mod assign;
mod birth;
mod context;
mod dispatch;
pub(crate) mod docs;
mod effects;
mod element;
mod events;
mod expr;
pub(crate) mod form;
mod groups;
mod introspect;
#[cfg(feature = "files")]
pub mod krate;
mod listed;
#[cfg(feature = "files")]
mod lists;
mod long;
mod machine;
mod module;
mod orders;
mod predicates;
mod prelude;
#[cfg(feature = "files")]
mod printed;
pub(crate) mod rename;
mod states;
#[cfg(feature = "files")]
pub(crate) mod system;
#[cfg(feature = "files")]
mod text;
pub(crate) mod types;
mod typestate;
mod vocabulary;

use proc_macro2::TokenStream;
use quote::quote;

pub use module::Module;
#[cfg(feature = "files")]
pub use system::{emit_system, system_text};

#[cfg(feature = "files")]
use self::long::Long;
#[cfg(feature = "files")]
use self::printed::Printed;
use crate::model;

/// What emitted code looks like where that is for the user to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// The path of the façade crate.
    pub facade: String,
    /// Whether names are written and read with serde.
    pub serde: Serde,
}

impl Default for Style {
    fn default() -> Self {
        Style { facade: "::statespec".into(), serde: Serde::Feature("serde".into()) }
    }
}

impl Style {
    fn facade_path(&self) -> TokenStream {
        self.facade.parse().unwrap_or_else(|_| quote! { ::statespec })
    }

    /// What stands before a serde implementation, if there is to be one.
    fn serde_attribute(&self) -> Option<TokenStream> {
        match &self.serde {
            Serde::Off => None,
            Serde::On => Some(quote! {}),
            Serde::Feature(feature) => Some(quote! { #[cfg(feature = #feature)] }),
        }
    }
}

/// When serde implementations are there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Serde {
    /// Never.
    Off,
    /// Always; the façade's feature `serde` must be on.
    On,
    /// With this feature of the crate that holds the emitted code.
    Feature(String),
}

/// The items of a machine's module, in reading order.
pub fn emit_machine(machine: &model::Machine, style: &Style) -> TokenStream {
    expand_module(&Module::new(machine, style))
}

/// The items of a machine, whatever their form.
pub(crate) fn expand_module(module: &Module<'_>) -> TokenStream {
    let items = [
        Some(machine::expand_machine(module)),
        context::expand_context(module),
        Some(context::expand_constants(module)),
        Some(states::expand_states(module)),
        events::expand_events(module),
        effects::expand_effects(module),
        predicates::expand_predicates(module),
        vocabulary::expand_actors(module),
        Some(vocabulary::expand_enums(module)),
        Some(orders::expand_orders(module)),
        typestate::expand_typestate(module),
    ];
    // `quote` would copy them.
    items.into_iter().flatten().collect()
}

/// The text of a machine's module, without the header of a generated file.
///
/// # Errors
///
/// Where the tokens are not Rust, which no spec should bring about.
#[cfg(feature = "files")]
pub fn machine_text(machine: &model::Machine, style: &Style) -> Result<String, syn::Error> {
    machine_text_after(&Printed::default(), machine, style)
}

/// The same, where other modules were printed before.
#[cfg(feature = "files")]
fn machine_text_after(printed: &Printed, machine: &model::Machine, style: &Style) -> Result<String, syn::Error> {
    let mut module = Module::new(machine, style);
    module.long = Long::of_file(printed);
    let items = expand_module(&module);
    text::format(module.long.into_lists(), docs::inner_attributes(&krate::machine_doc(machine)), items)
}

/// The text of other items, formatted alike.
///
/// # Errors
///
/// Where the tokens are not Rust.
#[cfg(feature = "files")]
pub(crate) fn items_text(doc: &[String], items: TokenStream) -> Result<String, syn::Error> {
    text::format(lists::Lists::default(), docs::inner_attributes(doc), items)
}
