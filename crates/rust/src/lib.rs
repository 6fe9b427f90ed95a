//! Rust: one module per machine and system, `no_std`, without allocation; and the derive.
//!
//! ```text
//! model, program ──lower──▶ ir (every name a Rust identifier, every expression typed, every row complete)
//!                ──emit───▶ tokens: the derive passes them to the compiler
//!                ──file───▶ text: a build script and `gen` write it
//! ```
//!
//! This crate is what a derive compiles, besides the language.
//! It knows no project and no other output, and it writes no file; only [`root`] looks at the disk, for the folder of a project.
//!
//! # Entry points
//!
//! | purpose | item |
//! | --- | --- |
//! | a derive | [`mod@derive`] |
//! | the text of a module (feature `files`) | `files::file::machine_text`, `files::system::system_text` |
//! | all modules of a project (feature `files`) | `files::output` |

pub mod derive;
pub mod emit;
#[cfg(feature = "files")]
pub mod files;
#[allow(missing_docs, reason = "the fields of a description say by their names what they hold")]
pub mod ir;
pub mod lower;
pub mod names;
pub mod root;

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::model;
use statespec_lang::model::machine::{Edge, On, Outcome};

use lower::ModuleOptions;
pub use names::Facade;

/// The user's choices about emitted code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// The path of the façade crate.
    pub facade: Facade,
    /// Whether names, events, contexts and machines are serialized and deserialized with serde.
    pub serde: Serde,
    /// Whether a machine has an asynchronous host beside the other one: `AsyncHost`, `run_async`.
    pub async_host: bool,
    /// The Rust types of values, by their type in the spec: `timestamp` → `jiff::Timestamp`.
    pub types: BTreeMap<String, String>,
    /// The Rust types of single fields: `run_job.attempts` → `u32`, and `run_job.event.now` of payloads.
    pub fields: BTreeMap<String, String>,
}

impl Default for Style {
    fn default() -> Self {
        Style {
            facade: Facade::default(),
            serde: Serde::Feature("serde".into()),
            async_host: false,
            types: BTreeMap::new(),
            fields: BTreeMap::new(),
        }
    }
}

/// The condition of serde implementations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Serde {
    /// Never.
    Off,
    /// Always; the façade's feature `serde` must be on.
    On,
    /// If this feature of the crate with the emitted code is enabled.
    Feature(String),
}

/// What emitted Rust cannot do: one diagnostic for each machine.
pub fn unsupported(model: &model::Model) -> Vec<Diagnostic> {
    model.machines.iter().filter_map(unsupported_machine).collect()
}

/// What emitted Rust cannot do of a machine: a direct transition is asked for by its target, which is a leaf.
pub fn unsupported_machine(machine: &model::Machine) -> Option<Diagnostic> {
    let is_wide = |edge: &&Edge| edge.on == On::Direct && matches!(edge.outcome, Outcome::Parallel(_) | Outcome::Fork);
    let span = machine.transition(machine.edges.iter().find(is_wide)?.transition).span;
    let message = format!("a direct transition of `{}` leads to several states at once, and no Rust is emitted for that", machine.name);
    let help = "give it an event, or leave Rust and conformance tests out of the outputs";
    Some(Diagnostic::new(Code::RustRegions, span, message).help(help))
}

/// The items of a machine, for a derive.
pub fn machine_items(machine: &model::Machine, style: &Style, options: &ModuleOptions) -> TokenStream {
    emit::expand(&lower::lower(machine, style, options))
}
