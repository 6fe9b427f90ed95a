//! Python 3.11: a module for each machine, one support file, and the tests that run conformance data.
//!
//! A module has the types of a machine, its tables and the functions that decide (guards, assignments, effects). The support file
//! executes them as [`Program`] says.

mod api;
mod decide;
mod expr;
mod idents;
mod json;
mod tables;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::diagnostic::Diagnostic;
use statespec_lang::model::{Machine, Model};
use statespec_lang::program::Program;

use crate::names::files as file_names;
use crate::systems;
use crate::writer::Writer;
use decide::Decide;
use expr::Exprs;
use idents::{Idents, docstring, quoted};
use types::Types;

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

/// The parts of the support file.
const PARTS: [&str; 7] = [
    include_str!("support/head.py"),
    include_str!("support/numbers.py"),
    include_str!("support/values.py"),
    include_str!("support/steps.py"),
    include_str!("support/tables.py"),
    include_str!("support/chart.py"),
    include_str!("support/timers.py"),
];

/// What a module may import, each with the names that it uses.
const IMPORTS: [(&str, &[&str]); 4] = [
    ("dataclasses", &["dataclass", "replace"]),
    ("decimal", &["Decimal"]),
    ("enum", &["StrEnum"]),
    ("typing", &["Final", "Never", "Protocol", "TypeAlias", "assert_never"]),
];

/// The files of the machines, without folder and extension, by the name of the machine.
pub fn files(model: &Model) -> BTreeMap<String, String> {
    file_names(model, &[idents::KEYWORDS.as_slice(), &[SUPPORT, SUBJECT, TESTS, "__init__", "numbers"]].concat())
}

/// The support file, the same for all machines.
pub fn support() -> String {
    PARTS.map(|it| it.trim()).join("\n\n\n") + "\n"
}

/// The file that runs conformance data, the same for all machines.
pub fn subject() -> String {
    include_str!("support/conformance.py").to_owned()
}

/// The file that makes a package of the folder.
pub fn package() -> String {
    String::from("\"\"\"Machines.\"\"\"\n")
}

/// The module of a machine.
pub fn machine(machine: &Machine, style: &Style) -> String {
    let (program, idents) = (Program::of(machine), Idents::of(machine));
    let types = Types { machine, idents: &idents };
    let exprs = Exprs { machine, idents: &idents, wholes: BTreeSet::new(), decimals: BTreeMap::new() };
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
    body.line(functions.into_text().trim_end());
    body.line("\n");
    tables::chart(&mut body, &decide);
    types.api(&mut body, style.open);
    types.json(&mut body);
    let body = body.into_text();
    let text = format!("{}\n\nfrom __future__ import annotations\n\n{}\n{}\n", title(machine), imports(&body), body.trim());
    // Between two definitions are two empty lines.
    text.replace("\n\n\n\n\n", "\n\n\n").replace("\n\n\n\n", "\n\n\n")
}

fn title(machine: &Machine) -> String {
    let notes = machine.doc.iter().map(|it| format!("\n\n{it}"));
    docstring(&format!("{}.{}", machine.title.trim_end_matches('.'), notes.collect::<String>()))
}

/// The imports that a module uses.
fn imports(body: &str) -> String {
    let words: BTreeSet<&str> = body.split(|it: char| !it.is_alphanumeric() && it != '_').collect();
    let mut text = String::new();
    for (module, names) in IMPORTS {
        let used: Vec<&str> = names.iter().copied().filter(|it| words.contains(it)).collect();
        if !used.is_empty() {
            text.push_str(&format!("from {module} import {}\n", used.join(", ")));
        }
    }
    text + &format!("\nfrom . import {SUPPORT}\n\n")
}

/// The tests of `unittest` that run the conformance data of the machines, which are in the same folder as the tests. `package` is
/// the package of the modules, such as `worker.machines`.
pub fn tests(model: &Model, package: &str) -> String {
    let mut out = Writer::new("    ");
    out.line("\"\"\"The conformance tests of the machines: `python -m unittest` runs them.\"\"\"");
    out.line("\nimport unittest\nfrom pathlib import Path\n");
    let files = files(model);
    let modules: Vec<&str> = model.machines.iter().map(|it| files[&it.name].as_str()).collect();
    out.line(format!("from {package} import {SUBJECT}"));
    // A machine may have the name of something in this file.
    modules.iter().enumerate().for_each(|(idx, it)| out.line(format!("from {package} import {it} as machine_{idx}")));
    out.line("\nHERE = Path(__file__).parent\n\n\nclass Conformance(unittest.TestCase):");
    out.line("    \"\"\"The data of each machine, and the operators at their limits.\"\"\"");
    out.indented(|out| {
        out.line(format!("\ndef test_numbers(self) -> None:\n    {SUBJECT}.check_numbers(self, HERE / \"numbers.json\")"));
        for (idx, it) in modules.iter().enumerate() {
            out.line(format!("\ndef test_{it}(self) -> None:"));
            out.line(format!("    {SUBJECT}.check(self, HERE / {}, {SUBJECT}.Emitted(machine_{idx}))", quoted(&format!("{it}.json"))));
        }
    });
    out.into_text()
}

/// What Python cannot express of a model: systems, unless the machines are wanted alone.
pub fn unsupported(model: &Model, with_systems: bool) -> Vec<Diagnostic> {
    if with_systems { systems::refused(model, "Python", "python") } else { Vec::new() }
}
