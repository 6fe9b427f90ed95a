//! Lowering of texts to the model. `pipeline.rs` lists the stages; each stage has a file of its own.

mod document;
mod documents;
mod each;
mod edges;
mod execute;
mod fields;
mod files;
mod former;
mod limits;
mod machine;
mod machines;
mod name_table;
mod names;
mod numbers;
mod orders;
mod pipeline;
mod placeholders;
mod possible;
mod regions;
mod scope;
mod shared;
mod states;
mod system;
mod systems;
mod text;
mod timers;
mod transitions;
mod waivers;

pub use pipeline::{Loaded, Partial, load, load_sources, used_files};
