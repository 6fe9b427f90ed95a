//! This repository as a project for the tests.
#![allow(dead_code, reason = "each test uses its own share")]

#[path = "../../../tests/support/checks.rs"]
pub(crate) mod checks;
#[path = "../../../tests/support/nested.rs"]
pub(crate) mod nested;

use std::path::{Path, PathBuf};

use statespec_codegen::backend::{Configured, Job, json, markdown};
use statespec_codegen::diagnostic::{Diagnostics, Style, render};
use statespec_codegen::model::Model;
use statespec_codegen::registry::BACKENDS;
use statespec_codegen::source::{Input, Sources};
use statespec_lang::lower::load;
use statespec_lang::output::{Generated, Outputs};

/// The project's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A file of the project, with LF line ends.
pub(crate) fn read(path: &str) -> std::io::Result<String> {
    std::fs::read_to_string(root().join(path)).map(|it| it.replace("\r\n", "\n"))
}

/// The specs of the reference machines.
pub(crate) fn inputs() -> Vec<Input> {
    let paths = std::fs::read_dir(root().join("machines")).unwrap().map(|it| it.unwrap().path());
    let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    paths.map(name).map(|name| Input { text: read(&format!("machines/{name}")).unwrap(), path: format!("machines/{name}") }).collect()
}

/// The model of some specs, which must be valid.
pub(crate) fn model(inputs: &[Input]) -> (Sources, Model) {
    let loaded = load(inputs);
    let messages = render(&loaded.sources, &loaded.diagnostics, Style::Plain);
    (loaded.sources, loaded.model.unwrap_or_else(|| panic!("{messages}")))
}

/// All outputs of the reference machines.
pub(crate) fn generate() -> Generated {
    let (sources, model) = model(&inputs());
    emit(&sources, &model)
}

/// The outputs for readers: pages with all sections, regions and JSON.
pub(crate) fn emit(sources: &Sources, model: &Model) -> Generated {
    let pages = markdown::Settings { sections: markdown::Sections::All, ..markdown::Settings::default() };
    emit_by(&[&pages, &json::Settings { out: "generated/model".into() }], sources, model)
}

/// The outputs of some backends, which must not report anything.
pub(crate) fn emit_by(configured: &[&dyn Configured], sources: &Sources, model: &Model) -> Generated {
    let files = Sources::default();
    let mut outputs = Outputs::default();
    let mut diagnostics = Diagnostics::default();
    for it in configured {
        outputs.extend(it.outputs(Job { sources, model, files: &files, backends: BACKENDS }, &mut diagnostics));
    }
    assert_eq!(diagnostics.finish(), []);
    outputs.sort();
    outputs.render().unwrap()
}

/// One generated page.
pub(crate) fn page(path: &str) -> String {
    generate().files.into_iter().find(|it| it.path == path).unwrap_or_else(|| panic!("{path} is not generated")).text
}

/// A text as YAML in double quotes, with doubled braces, so that they are not placeholders.
pub(crate) fn quoted(text: &str) -> String {
    let mut yaml = String::from("\"");
    for character in text.chars() {
        match character {
            '{' | '}' => yaml.extend([character, character]),
            '"' | '\\' => yaml.extend(['\\', character]),
            ' '..='~' => yaml.push(character),
            _ => yaml.push_str(&format!("\\U{:08X}", u32::from(character))),
        }
    }
    yaml + "\""
}
