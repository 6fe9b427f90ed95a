//! The tests of the library, one module each, in one program: linking thirty programs takes longer than running them.
//!
//! `cargo test -p statespec-codegen --test it NAME` runs the tests of one module.

mod project;
#[path = "../../tests/support/trials/mod.rs"]
mod trials;

use project::checks;

mod blame;
mod boundary;
mod build_script;
mod changes;
mod changes_oracle;
mod code_hostile;
mod code_systems;
mod compare;
mod database;
mod derive;
mod diagnostics;
mod docs;
mod emitted_files;
mod every_row;
mod expect;
mod explore;
mod explore_timers;
mod explore_values;
mod expressions;
mod facts;
mod focus;
mod foreign;
mod forms;
mod golang;
mod graph;
mod hostile_pages;
mod hostile_texts;
mod import;
mod import_properties;
mod ladder;
mod language;
mod languages;
mod layers;
mod lints;
mod lists;
mod marks;
mod mermaid;
mod model_json;
mod page_tables;
mod pages;
mod partial;
mod play;
mod possible;
mod program;
mod pyright;
mod python;
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
mod subjects;
mod sync;
mod system_regions;
mod systems;
mod tables;
mod typescript;
mod xstate;
mod yaml;
