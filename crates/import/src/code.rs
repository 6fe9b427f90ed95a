//! Files of Rust as parts of one program: what each says of the enums of the others.

use statespec_lang::diagnostic::Diagnostic;
use statespec_lang::source::{SourceId, Sources, Span};

use super::draft::Findings;
use super::rust;
use super::statement::{Statement, problems, statement};

/// What a file of Rust says, as one of many.
#[derive(Debug, Default)]
pub struct RustCode {
    /// The machines, in the order of the file.
    pub machines: Vec<RustMachine>,
    /// What could not be read.
    pub problems: Vec<Diagnostic>,
    /// What other files can name in it.
    pub outline: rust::Outline,
    /// The enums of other files that have steps in it, and were not known.
    pub wanted: Vec<rust::Wanted>,
}

/// A machine of a file of Rust.
#[derive(Debug)]
pub struct RustMachine {
    /// What the file states of it.
    pub statement: Statement,
    /// The place of the declaration of its enum.
    pub declaration: Span,
    /// Whether the same file declares it.
    pub is_local: bool,
    /// Whether a list of steps, or a function that tells of them, is among what was read; else code that takes steps.
    pub is_table: bool,
}

/// The machines of a file of Rust, with the enums of other files by the names that they have in it.
pub fn code(sources: &Sources, id: SourceId, known: &rust::Known) -> RustCode {
    let mut found = Findings::default();
    let rust::Parts { parts, outline, wanted } = rust::read_among(sources, id, known, &mut found);
    let path = sources.get(id).path();
    let machines = parts.iter().map(|it| RustMachine {
        statement: statement(path, &it.draft),
        declaration: it.declaration,
        is_local: it.is_local,
        is_table: it.is_table,
    });
    let machines = machines.collect();
    RustCode { machines, problems: problems(found, parts.into_iter().map(|it| it.draft).collect()), outline, wanted }
}
