//! Python 3.11: a module for each machine, one support file, and the tests that run conformance data.
//!
//! A module has the types of a machine, its tables and the functions that decide (guards, assignments, effects). The support file
//! executes them as [`Program`] says.

mod api;
mod decide;
mod expr;
mod forms;
mod idents;
mod imports;
mod json;
mod parts;
mod system;
mod tables;
mod types;

use std::collections::BTreeMap;

use statespec_lang::model::{Machine, Model, System};
use statespec_lang::program::Program;

use crate::names::files as file_names;
use crate::writer::Writer;
use decide::Decide;
use expr::{Exprs, OfMachine};
use idents::{Idents, docstring, quoted};
use imports::head;
use types::Types;

pub use parts::{subject, support};

/// The form of the modules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Style {
    /// Whether a stored state that the spec does not have is kept as it is; otherwise reading it is an error.
    pub open: bool,
}

/// The name of the support file, without folder and extension.
pub const SUPPORT: &str = "statespec";

/// The name of the file that runs conformance data, without folder and extension.
pub const SUBJECT: &str = "conformance";

/// The name of the file of tests, without folder and extension.
pub const TESTS: &str = "test_conformance";

/// The files of the machines and systems, without folder and extension, by their names.
pub fn files(model: &Model) -> BTreeMap<String, String> {
    file_names(model, &[idents::KEYWORDS.as_slice(), &[SUPPORT, SUBJECT, TESTS, "__init__", "numbers"]].concat())
}

/// Whether a text is a name that an `import` of Python can have: letters, digits and `_`, and no keyword.
pub fn is_module_name(text: &str) -> bool {
    let starts = text.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_');
    starts && text.chars().all(|it| it.is_ascii_alphanumeric() || it == '_') && !is_keyword(text)
}

/// Whether a text is a keyword of Python, which no module can have as its name.
pub fn is_keyword(text: &str) -> bool {
    idents::KEYWORDS.contains(&text)
}

/// The module of a system, beside those of its machines.
pub fn system(model: &Model, system: &System) -> String {
    system::module(model, system)
}

/// The file that makes a package of the folder.
pub fn package() -> String {
    String::from("\"\"\"Machines.\"\"\"\n")
}

/// The file that tells type checkers of other packages that the modules have types.
pub fn typed() -> String {
    String::new()
}

/// The module of a machine.
pub fn machine(machine: &Machine, style: &Style) -> String {
    let (program, idents) = (Program::of(machine), Idents::of(machine));
    let types = Types { machine, idents: &idents };
    let reads = OfMachine { machine, idents: &idents };
    let exprs = Exprs::of(&reads);
    let mut decide = Decide { program: &program, idents: &idents, exprs, destinations: BTreeMap::new() };
    let mut body = Writer::new("    ");
    types.write(&mut body);
    types.inputs(&mut body);
    // The sets and decimals are known once the functions are written.
    let mut functions = Writer::new("    ");
    decide.rows(&mut functions);
    decide.targets(&mut functions);
    decide.effects(&mut functions);
    if !program.timers.is_empty() {
        decide.durations(&mut functions);
    }
    decide.sets(&mut body);
    body.apart(2);
    body.append(functions);
    tables::chart(&mut body, &decide);
    types.api(&mut body, style.open);
    types.json(&mut body);
    module(&title(&machine.title, machine.doc.as_deref()), body, &[from_package(SUPPORT, None)])
}

/// A module: what it is about, and what is in it; `own` are its imports from the package.
fn module(about: &str, body: Writer, own: &[String]) -> String {
    let head = head(about, body.imports.clone(), own);
    format!("{head}\n\n{}", body.into_text())
}

/// The import of a module of the package, under another name if there is one.
fn from_package(module: &str, alias: Option<&str>) -> String {
    format!("from . import {module}{}", alias.map_or_else(String::new, |it| format!(" as {it}")))
}

/// The docstring of a module.
fn title(title: &str, doc: Option<&str>) -> String {
    docstring(&format!("{}.{}", title.trim_end_matches('.'), doc.map_or_else(String::new, |it| format!("\n\n{it}"))))
}

/// The tests of `unittest` that run the conformance data of the machines, and `with_systems` of the systems, which are in the same
/// folder as the tests. `package` is the package of the modules, such as `worker.machines`.
pub fn tests(model: &Model, package: &str, with_systems: bool) -> String {
    let mut out = Writer::new("    ");
    let systems = if with_systems { model.systems.as_slice() } else { &[] };
    let what = if systems.is_empty() { "machines" } else { "machines and systems" };
    out.line(format!("\"\"\"The conformance tests of the {what}: `python -m unittest` runs them.\"\"\""));
    out.line("\nimport unittest\nfrom pathlib import Path\n");
    let files = files(model);
    let modules: Vec<&str> = model.machines.iter().map(|it| files[&it.name].as_str()).collect();
    out.line(format!("from {package} import {SUBJECT}"));
    // A machine may have the name of something in this file.
    modules.iter().enumerate().for_each(|(idx, it)| out.line(format!("from {package} import {it} as machine_{idx}")));
    systems.iter().enumerate().for_each(|(idx, it)| out.line(format!("from {package} import {} as system_{idx}", files[&it.name])));
    out.line("\nHERE = Path(__file__).parent\n\n\nclass Conformance(unittest.TestCase):");
    out.line("    \"\"\"The data of each machine, and the operators at their limits.\"\"\"");
    out.indented(|out| {
        out.line(format!("\ndef test_numbers(self) -> None:\n    {SUBJECT}.check_numbers(self, HERE / \"numbers.json\")"));
        for (idx, it) in modules.iter().enumerate() {
            out.line(format!("\ndef test_{it}(self) -> None:"));
            out.line(format!("    {SUBJECT}.check(self, HERE / {}, {SUBJECT}.Emitted(machine_{idx}))", quoted(&format!("{it}.json"))));
        }
        for (idx, it) in systems.iter().map(|it| files[&it.name].as_str()).enumerate() {
            out.line(format!("\ndef test_{it}(self) -> None:"));
            let subject = format!("{SUBJECT}.EmittedSystem(system_{idx})");
            out.line(format!("    {SUBJECT}.check_system(self, HERE / {}, {subject})", quoted(&format!("{it}.json"))));
        }
    });
    out.into_text()
}
