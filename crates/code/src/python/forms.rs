//! The forms of definitions.

use super::idents::{docstring, quoted};
use super::imports::{DATACLASS, DECIMAL, FINAL, NEVER, STR_ENUM, TYPE_ALIAS};
use crate::writer::Writer;
use statespec_lang::model::Type;

/// The first lines of a definition: two empty lines are above them.
pub(super) fn define(out: &mut Writer, text: impl AsRef<str>) {
    out.apart(2);
    out.line(text);
}

/// The first lines of a class of values; `options` are those besides the usual ones.
pub(super) fn data_class(out: &mut Writer, name: &str, options: &str) {
    let decorator = out.imports.name(DATACLASS);
    define(out, format!("@{decorator}(frozen=True, slots=True{options})\nclass {name}:"));
}

/// Another name of a type.
pub(super) fn alias(out: &mut Writer, name: &str, ty: &str) {
    let alias = out.imports.name(TYPE_ALIAS);
    out.line(format!("{name}: {alias} = {ty}"));
}

/// A union of classes.
pub(super) fn union<'c>(out: &mut Writer, name: &str, classes: impl IntoIterator<Item = &'c str>) {
    let classes: Vec<&str> = classes.into_iter().collect();
    let ty = if classes.is_empty() { out.imports.name(NEVER).to_owned() } else { classes.join(" | ") };
    out.apart(2);
    alias(out, name, &ty);
}

/// The decimals that functions read, by their texts.
pub(super) fn decimals<'d>(out: &mut Writer, decimals: impl IntoIterator<Item = (&'d String, &'d String)>) {
    for (text, name) in decimals {
        let [fixed, decimal] = [FINAL, DECIMAL].map(|it| out.imports.name(it));
        out.line(format!("{name}: {fixed} = {decimal}(\"{text}\")"));
    }
}

/// A class of names: identifier, text, and description of each.
pub(super) fn names<'n>(out: &mut Writer, class: &str, doc: &str, members: impl Iterator<Item = (&'n str, &'n str, Option<&'n str>)>) {
    let base = out.imports.name(STR_ENUM);
    define(out, format!("class {class}({base}):"));
    out.indented(|out| {
        out.line(docstring(doc));
        out.apart(1);
        for (ident, wire, doc) in members {
            out.line(format!("{ident} = {}", quoted(wire)));
            if let Some(doc) = doc {
                out.line(docstring(doc));
            }
        }
    });
}

/// The method of a class that refuses numbers beyond their limits; the fields are identifiers with names and types.
pub(super) fn checks<'f>(out: &mut Writer, fields: impl IntoIterator<Item = (&'f str, &'f str, &'f Type)>) {
    let checks = fields.into_iter().filter_map(|(ident, name, ty)| {
        let check = match ty {
            Type::Int | Type::Duration | Type::Timestamp => "check_int",
            Type::Decimal => "check_decimal",
            _ => return None,
        };
        Some(format!("statespec.{check}(self.{ident}, {})", quoted(name)))
    });
    let checks: Vec<String> = checks.collect();
    if !checks.is_empty() {
        out.line("\ndef __post_init__(self) -> None:");
        out.indented(|out| checks.iter().for_each(|it| out.line(it)));
    }
}
