//! The files that are the same for all machines: parts, each with what it imports.

use super::idents::docstring;
use super::imports::{
    ANY, CALLABLE, CAST, DATACLASS, DATACLASSES, DATETIME, DECIMAL, DEQUE, FIELD, FINAL, GENERATOR, GENERIC, ITERABLE, JSON, MAPPING,
    MODULE_TYPE, NO_RETURN, PATH, PROTOCOL, SEQUENCE, STR_ENUM, SYS, TIMEDELTA, TIMEZONE, TYPE_ALIAS, TYPE_VAR, UNITTEST, head,
};
use super::{SUPPORT, from_package};
use crate::writer::{Import, Imports};

/// A part of a file.
#[derive(Clone, Copy)]
struct Part {
    text: &'static str,
    imports: &'static [Import],
}

/// The parts of the support file.
const PARTS: [Part; 7] = [
    Part { text: include_str!("support/head.py"), imports: &[TYPE_ALIAS] },
    Part {
        text: include_str!("support/numbers.py"),
        imports: &[DATETIME, DECIMAL, FINAL, NO_RETURN, TIMEDELTA, TIMEZONE, TYPE_ALIAS, TYPE_VAR],
    },
    Part {
        text: include_str!("support/values.py"),
        imports: &[CALLABLE, CAST, DATACLASS, DECIMAL, FINAL, ITERABLE, MAPPING, STR_ENUM, TYPE_VAR],
    },
    Part { text: include_str!("support/steps.py"), imports: &[CALLABLE, DATACLASS, FIELD, FINAL, GENERIC, MAPPING, STR_ENUM, TYPE_VAR] },
    Part { text: include_str!("support/tables.py"), imports: &[CALLABLE, DATACLASS, FINAL, GENERIC, ITERABLE, MAPPING, SEQUENCE] },
    Part { text: include_str!("support/chart.py"), imports: &[DEQUE, FINAL, ITERABLE] },
    Part { text: include_str!("support/timers.py"), imports: &[DATACLASS, FIELD, GENERIC, ITERABLE, MAPPING, STR_ENUM, TYPE_VAR] },
];

/// The part of the support file that executes systems.
const SYSTEM_PART: Part = Part {
    text: include_str!("support/system.py"),
    imports: &[ANY, CALLABLE, CAST, DATACLASS, FINAL, GENERATOR, GENERIC, ITERABLE, MAPPING, NO_RETURN, STR_ENUM, TYPE_ALIAS, TYPE_VAR],
};

/// The part of [`subject`] that runs the data of machines.
const SUBJECT_PART: Part = Part {
    text: include_str!("support/conformance.py"),
    imports: &[ANY, CALLABLE, DATACLASSES, DECIMAL, FINAL, JSON, MAPPING, MODULE_TYPE, PATH, PROTOCOL, UNITTEST],
};

/// The part of [`subject`] that runs the data of systems. It finds the modules of events and effects by their classes.
const SYSTEM_SUBJECT_PART: Part = Part {
    text: include_str!("support/system_conformance.py"),
    imports: &[ANY, FINAL, MODULE_TYPE, PATH, PROTOCOL, STR_ENUM, SYS, UNITTEST],
};

/// The support file, the same for all machines; `with_systems` for modules of systems, too.
pub fn support(with_systems: bool) -> String {
    let about = docstring("What the machines of this package have in common: steps, refusals, timers, numbers and JSON.");
    joined(&about, &[PARTS.as_slice(), &[SYSTEM_PART][..usize::from(with_systems)]].concat(), &[])
}

/// The file that runs conformance data, the same for all machines; `with_systems` for data of systems, too.
pub fn subject(with_systems: bool) -> String {
    let about = "Runs conformance data: calls of a machine with the results that the spec has for them.\n\n`Emitted` is a module of this \
        package as a subject; a hand-written implementation is one that has the methods of `Subject`.\n";
    let parts = [SUBJECT_PART, SYSTEM_SUBJECT_PART];
    joined(&format!("\"\"\"{about}\"\"\""), &parts[..1 + usize::from(with_systems)], &[from_package(SUPPORT, None)])
}

/// A file of parts; `own` are its imports from the package.
fn joined(about: &str, parts: &[Part], own: &[String]) -> String {
    let mut imports = Imports::default();
    parts.iter().for_each(|it| imports.extend(it.imports.iter().copied()));
    let texts: Vec<&str> = parts.iter().map(|it| it.text.trim()).collect();
    format!("{}\n{}\n", head(about, imports, own), texts.join("\n\n\n"))
}
