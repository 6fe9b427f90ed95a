//! The tests of the library, one module each, in one program: linking thirty programs takes longer than running them.
//!
//! `cargo test -p statespec-codegen --test it NAME` runs the tests of one module.

mod project;

mod blame;
mod build_script;
mod changes;
mod changes_oracle;
mod compare;
mod derive;
mod diagnostics;
mod docs;
mod emitted_files;
mod expect;
mod explore;
mod explore_timers;
mod explore_values;
mod expressions;
mod facts;
mod forms;
mod graph;
mod hostile_pages;
mod hostile_texts;
mod import;
mod import_properties;
mod ladder;
mod language;
mod layers;
mod lints;
mod lists;
mod marks;
mod mermaid;
mod model_json;
mod pages;
mod partial;
mod play;
mod program;
mod races;
mod reason;
mod reference;
mod regions;
mod registry;
mod rendered;
mod report;
mod reviewed;
mod roles;
mod rust_names;
mod scan;
mod seeds;
mod session;
mod step;
mod sync;
mod system_regions;
mod systems;
mod xstate;
mod yaml;
