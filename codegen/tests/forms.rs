//! The forms of regions in source files: each as a text, and as what the compiler or interpreter of its language makes of it.
//!
//! Go, Kotlin, C#, GraphQL and PostgreSQL are compared as texts only.

#![allow(unused)]
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use serde_json::{Value, json};
use statespec_codegen::backend::code::own::{OwnForm, Settings};
use statespec_codegen::backend::code::schema::{Components, Schemas};
use statespec_codegen::backend::code::{self, Form, Kind, Objection, forms};
use statespec_codegen::backend::{Backend as _, Configured};
use statespec_codegen::model::Model;
use statespec_codegen::registry::BACKENDS;
use statespec_codegen::source::{Input, Sources};

use crate::project::{checks, emit_by, model, read, root};

/// Names and labels with everything that a language may trip over.
fn awkward() -> (Sources, Model) {
    let text = read("codegen/tests/fixtures/forms/awkward.yaml").unwrap();
    model(&[Input { path: "machines/awkward.yaml".into(), text }])
}

fn parsed(text: &str) -> Model {
    model(&[Input { path: "machines/m.yaml".into(), text: text.into() }]).1
}

/// The text that a marker asks for, with all the columns of its language.
fn fill(words: &str, model: &Model) -> Result<String, Objection> {
    let request = code::request(words, model, &[])?;
    Ok(request.render(request.columns())?.text.into_owned())
}

#[track_caller]
fn filled(words: &str, model: &Model) -> String {
    fill(words, model).unwrap_or_else(|it| panic!("{words}: {it:?}"))
}

/// The subjects of the fixture of one kind.
fn subjects(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::States => &["awkward.states"],
        Kind::Events => &["awkward.events"],
        Kind::Values => &["awkward.enums.channel", "awkward.enums.flag"],
        Kind::Labels => &["awkward.labels"],
        Kind::Edges => &["awkward.edges"],
    }
}

/// The markers of all subjects that a form can show.
fn markers(form: &Form) -> impl Iterator<Item = String> + '_ {
    form.kinds.iter().flat_map(|it| subjects(*it)).map(|it| format!("{it} {}", form.name))
}

fn form(name: &str) -> &'static Form {
    forms().find(|it| it.name == name).unwrap()
}

/// All that a form makes of the fixture, without objections.
fn all(name: &str, model: &Model) -> String {
    markers(form(name)).map(|it| filled(&it, model)).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_form_as_text() {
    let (_, model) = awkward();
    for form in forms() {
        let mut text = String::new();
        for words in markers(form) {
            match fill(&words, &model) {
                Ok(filled) => writeln!(text, "== {words}\n{filled}").unwrap(),
                Err(it) => writeln!(text, "== {words}\nobjection: {}\nhelp: {}\n", it.message, it.help).unwrap(),
            }
        }
        insta::assert_snapshot!(form.name, text);
    }
}
