//! TypeScript: a module for each machine, one support file, and the tests that run conformance data.
//!
//! A module has the types of a machine, its tables and the functions that decide (guards, assignments, effects). The support file
//! executes them as [`Program`] says.

mod decide;
mod expr;
mod functions;
mod idents;
mod system;
mod tables;
mod types;
mod used;

use std::collections::BTreeMap;

use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::model::{Literal, Machine, Model, System};
use statespec_lang::program::Program;

use crate::names::files as file_names;
use crate::writer::Writer;
use decide::Decide;
use expr::is_safe;
use functions::Functions;
use idents::Idents;
use tables::Arms;
use types::Types;

/// The type of whole numbers, durations and moments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Int {
    /// `number`: a value beyond ±(2^53 - 1) refuses the call with `out_of_range`.
    #[default]
    Number,
    /// `bigint`: all of the 64 bits.
    Bigint,
}

/// The form of the modules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// The type of whole numbers.
    pub int: Int,
    /// Whether a stored state that the spec does not have is kept as it is; otherwise reading it is an error.
    pub open: bool,
    /// The extension of imports: `.js`, which compilers and bundlers resolve, or `.ts` for programs that run TypeScript as it is.
    pub extension: String,
}

impl Default for Style {
    fn default() -> Self {
        Style { int: Int::default(), open: false, extension: ".js".to_owned() }
    }
}

/// The name of the support file, without folder and extension.
pub const SUPPORT: &str = "statespec";

/// The name of the file of tests, without folder and extension.
pub const TESTS: &str = "conformance.test";

/// The parts of the support file that do not depend on the style.
const PARTS: [&str; 9] = [
    include_str!("support/numbers.ts"),
    include_str!("support/decimal.ts"),
    include_str!("support/text.ts"),
    include_str!("support/json.ts"),
    include_str!("support/graph.ts"),
    include_str!("support/step.ts"),
    include_str!("support/timers.ts"),
    include_str!("support/calls.ts"),
    include_str!("support/subject.ts"),
];

/// The parts of the support file that execute systems.
const SYSTEM_PARTS: [&str; 2] = [include_str!("support/system.ts"), include_str!("support/system_subject.ts")];

/// The files of the machines and systems, without folder and extension, by their names.
pub fn files(model: &Model) -> BTreeMap<String, String> {
    file_names(model, &[SUPPORT, TESTS, "numbers"])
}

/// The support file, the same for all machines; `with_systems` for modules of systems, too.
pub fn support(style: &Style, with_systems: bool) -> String {
    let int = match style.int {
        Int::Number => include_str!("support/int_number.ts"),
        Int::Bigint => include_str!("support/int_bigint.ts"),
    };
    let systems = SYSTEM_PARTS.into_iter().filter(|_| with_systems);
    let parts = [include_str!("support/head.ts"), int].into_iter().chain(PARTS).chain(systems);
    parts.map(|it| it.trim_end()).collect::<Vec<_>>().join("\n\n") + "\n"
}

/// The module of a machine.
pub fn machine(machine: &Machine, style: &Style) -> String {
    let (program, idents) = (Program::of(machine), Idents::of(machine));
    let types = Types { machine, idents: &idents, style };
    let decide = Decide { program: &program, idents: &idents, types: &types, style };
    let functions = Functions { machine, idents: &idents, types: &types, style };
    let mut out = Writer::new("  ");
    types::doc(&mut out, Some(machine.doc.as_deref().unwrap_or(&machine.title)));
    out.blank();
    out.line(format!("import * as s from \"./{SUPPORT}{}\";", style.extension));
    types.write(&mut out);
    functions.types(&mut out);
    functions.api(&mut out);
    tables::graph(&mut out, &program);
    tables::rows(&mut out, &program);
    // The arms are known once the functions are written.
    let (mut arms, mut choices) = (Arms::default(), Writer::new("  "));
    decide.choices(&mut choices, &mut arms);
    arms.write(&mut out);
    functions.definition(&mut out, |out| {
        out.append(choices);
        decide.assign(out);
        decide.effects(out);
        decide.timers(out);
    });
    out.into_text()
}

/// The module of a system, beside those of its machines.
pub fn system(model: &Model, system: &System, style: &Style) -> String {
    system::module(model, system, style)
}

/// The tests of `node:test` that run the conformance data of the machines, and `with_systems` of the systems, which are in the same
/// folder as the tests. `modules` is the path from there to the folder of the modules, such as `../src/machines`.
pub fn tests(model: &Model, modules: &str, style: &Style, with_systems: bool) -> String {
    let extension = &style.extension;
    let systems = if with_systems { model.systems.as_slice() } else { &[] };
    let mut out = Writer::new("  ");
    let what = if systems.is_empty() { "machines" } else { "machines and systems" };
    out.line(format!("// The conformance tests of the {what}: `node --test` runs them."));
    out.blank();
    out.line("import { readFileSync } from \"node:fs\";");
    out.line("import { test } from \"node:test\";");
    out.line(format!("import * as s from \"{modules}/{SUPPORT}{extension}\";"));
    let files = files(model);
    for (idx, it) in model.machines.iter().enumerate() {
        out.line(format!("import {{ MACHINE as machine{idx} }} from \"{modules}/{}{extension}\";", files[&it.name]));
    }
    for (idx, it) in systems.iter().enumerate() {
        out.line(format!("import {{ SYSTEM as system{idx} }} from \"{modules}/{}{extension}\";", files[&it.name]));
    }
    out.blank();
    out.line("const data = (name: string): s.Json => s.parseJson(readFileSync(new URL(`./${name}.json`, import.meta.url), \"utf8\"));");
    out.blank();
    out.line("test(\"numbers\", () => void s.assertNumbers(data(\"numbers\")));");
    for (idx, it) in model.machines.iter().enumerate() {
        let name = idents::quoted(&files[&it.name]);
        out.line(format!("test({name}, () => void s.assertConformance(s.subject(machine{idx}), data({name})));"));
    }
    for (idx, it) in systems.iter().enumerate() {
        let name = idents::quoted(&files[&it.name]);
        out.line(format!("test({name}, () => void s.assertSystemConformance(s.systemSubject(system{idx}), data({name})));"));
    }
    out.into_text()
}

/// What TypeScript cannot express of a model: with [`Int::Number`], values at creation that a `number` does not hold.
pub fn unsupported(model: &Model, style: &Style) -> Vec<Diagnostic> {
    let fields = model.machines.iter().flat_map(|it| it.fields.iter().map(move |field| (it, field)));
    let is_beyond = |literal: &Literal| {
        style.int == Int::Number && matches!(literal, Literal::Int(it) | Literal::Duration(it) | Literal::Timestamp(it) if !is_safe(*it))
    };
    let refused = fields.filter(|(_, field)| field.default.as_ref().is_some_and(is_beyond));
    let diagnostic = |(machine, field): (&Machine, &statespec_lang::model::machine::Field)| {
        let message =
            format!("the default of `{}` of `{}` is beyond the whole numbers of a `number` of TypeScript", field.name, machine.name);
        Diagnostic::new(Code::ConfigInvalid, field.span, message).help("write `int = \"bigint\"` in `[typescript]`")
    };
    refused.map(diagnostic).collect()
}
