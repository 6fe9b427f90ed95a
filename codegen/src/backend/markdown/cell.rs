//! Cells of tables: every function appends to the text of the cell.

use statespec_lang::expr::show_literal;
use statespec_lang::model::Literal;
use statespec_lang::model::machine::{Field, Machine};
use statespec_lang::show::MachineNames;

use super::escape::{self, Place};

/// A name as code.
pub(super) fn code(cell: &mut String, name: &str) {
    escape::push_code(cell, name, Place::Cell);
}

/// A text that may hold `code`, if there is one.
pub(super) fn label<'a>(cell: &mut String, text: impl Into<Option<&'a str>>) {
    if let Some(text) = text.into() {
        escape::push_label(cell, text, Place::Cell);
    }
}

/// A text that may hold code, emphasis and links, if there is one.
pub(super) fn prose<'a>(cell: &mut String, text: impl Into<Option<&'a str>>) {
    if let Some(text) = text.into() {
        escape::push_prose(cell, text, Place::Cell);
    }
}

/// A text in which nothing is Markdown.
pub(super) fn plain(cell: &mut String, text: &str) {
    escape::push_plain(cell, text, Place::Cell);
}

/// The label if there is one, else the name.
pub(super) fn named(cell: &mut String, label: Option<&str>, name: &str) {
    match label {
        Some(text) => self::label(cell, text),
        None => code(cell, name),
    }
}

/// An actor in a table: `run_loop` is "Run loop".
pub(super) fn actor(cell: &mut String, name: &str) {
    let mut characters = name.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    let words: String = first.chain(characters).map(|it| if it == '_' { ' ' } else { it }).collect();
    plain(cell, &words);
}

/// A field of a payload: its name, type and description.
pub(super) fn payload(cell: &mut String, field: &Field, ty: &str) {
    code(cell, &format!("{}: {ty}{}", field.name, if field.optional { "?" } else { "" }));
    let before = cell.len();
    prose(cell, field.doc.as_deref());
    if cell.len() > before {
        cell.insert_str(before, " – ");
    }
}

/// Several items, with `between` between any two.
pub(super) fn join<I: IntoIterator>(cell: &mut String, between: &str, items: I, mut write: impl FnMut(&mut String, I::Item)) {
    for (idx, item) in items.into_iter().enumerate() {
        if idx > 0 {
            cell.push_str(between);
        }
        write(cell, item);
    }
}

/// A value of a machine.
pub(super) fn literal(cell: &mut String, machine: &Machine, literal: &Literal) {
    match literal {
        Literal::Null => {}
        Literal::Text(text) => label(cell, text.as_str()),
        Literal::List(items) => join(cell, ", ", items, |cell, it| self::literal(cell, machine, it)),
        Literal::Enum(id, idx) => {
            if let Some(value) = machine.enums.get(id.index()).and_then(|it| it.values.get(*idx)) {
                named(cell, value.label.as_deref(), &value.name);
            }
        }
        other => code(cell, &show_literal(other, &MachineNames::new(machine), None)),
    }
}
