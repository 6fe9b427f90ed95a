//! Python 3.11: a module for each machine, one support file, and the tests that run conformance data.
//!
//! A module has the types of a machine, its tables and the functions that decide (guards, assignments, effects). The support file
//! executes them as [`Program`] says.

mod api;
mod decide;
mod expr;
mod idents;
mod json;
mod system;
mod tables;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::model::{Machine, Model, System};
use statespec_lang::program::Program;

use crate::names::files as file_names;
use crate::writer::Writer;
use decide::Decide;
use expr::{Exprs, OfMachine};
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
const IMPORTS: [(&str, &[&str]); 5] = [
    ("collections.abc", &["Iterable"]),
    ("dataclasses", &["dataclass", "replace"]),
    ("decimal", &["Decimal"]),
    ("enum", &["StrEnum"]),
    ("typing", &["ClassVar", "Final", "Never", "Protocol", "TypeAlias", "assert_never"]),
];

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

/// The support file, the same for all machines; `with_systems` for modules of systems, too.
pub fn support(with_systems: bool) -> String {
    let systems = [include_str!("support/system.py")].into_iter().filter(|_| with_systems);
    let text = PARTS.into_iter().chain(systems).map(str::trim).collect::<Vec<_>>().join("\n\n\n") + "\n";
    match with_systems {
        true => text.replacen("import Callable, Iterable", "import Callable, Generator, Iterable", 1).replacen(
            "import Final,",
            "import Any, Final,",
            1,
        ),
        false => text,
    }
}

/// The file that runs conformance data, the same for all machines; `with_systems` for data of systems, too.
pub fn subject(with_systems: bool) -> String {
    let machines = include_str!("support/conformance.py").to_owned();
    // The modules of events and effects are found by their classes.
    let found = machines.replacen("import json\n", "import json\nimport sys\n", 1);
    let found = found.replacen("from decimal import Decimal\n", "from decimal import Decimal\nfrom enum import StrEnum\n", 1);
    if with_systems { found + include_str!("support/system_conformance.py") } else { machines }
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
    let code = without_texts(body);
    let words: BTreeSet<&str> = code.split(|it: char| !it.is_alphanumeric() && it != '_').collect();
    let mut text = String::new();
    for (module, names) in IMPORTS {
        // A field and a predicate can have the name of this function.
        let is_used = |it: &&str| words.contains(it) && (*it != "replace" || code.contains("return replace("));
        let used: Vec<&str> = names.iter().copied().filter(is_used).collect();
        if !used.is_empty() {
            text.push_str(&format!("from {module} import {}\n", used.join(", ")));
        }
    }
    text + &format!("\nfrom . import {SUPPORT}\n\n")
}

/// A module without what stands between quotes.
fn without_texts(mut rest: &str) -> String {
    let mut code = String::new();
    while let Some(start) = rest.find('"') {
        code.push_str(&rest[..start]);
        let quotes = if rest[start..].starts_with("\"\"\"") { "\"\"\"" } else { "\"" };
        rest = &rest[start + quotes.len()..];
        while !rest.starts_with(quotes) {
            let n_escapes = usize::from(rest.starts_with('\\'));
            let Some(skipped) = rest.chars().nth(n_escapes) else { return code };
            rest = &rest[n_escapes + skipped.len_utf8()..];
        }
        rest = &rest[quotes.len()..];
    }
    code + rest
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

#[cfg(test)]
mod tests {
    use super::imports;

    #[test]
    fn a_word_of_a_text_or_of_a_spec_needs_no_import() {
        let imported = |body: &str| imports(body).contains("import replace");
        assert!(imported("a = \"\"\"x \\\"\"\"\"\nreturn replace(c)"));
        assert!(!imported("a = \"\"\"\"replace\" \\\"\\\"\\\" replace\"\"\"\nb = \"replace \\\" return replace( \\\\\""));
        assert!(!imported("replace: int"));
    }
}
