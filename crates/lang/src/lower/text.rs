//! Texts with placeholders: `{nudge_limit} nudges failed` becomes `3 nudges failed`.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use super::limits;
use super::placeholders::placeholder;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, suggest};
use crate::expr::{show_duration, show_timestamp};
use crate::model::Literal;
use crate::model::machine::{Constant, Piece, Taken};
use crate::read::Text;
use crate::source::Span;

/// Fills in constants.
pub(super) fn fill(text: &Text, constants: &[Constant], diagnostics: &mut Diagnostics) -> String {
    // Most texts have no placeholders.
    if !text.value.contains(['{', '}']) {
        return text.value.clone();
    }
    let mut filled = String::new();
    for piece in pieces(text, constants, &[], diagnostics) {
        if let Piece::Text(text) = piece {
            filled.push_str(&text);
        }
    }
    filled
}

/// [`fill`] for an optional key.
pub(super) fn fill_opt(text: &Option<Text>, constants: &[Constant], diagnostics: &mut Diagnostics) -> Option<String> {
    text.as_ref().map(|it| fill(it, constants, diagnostics))
}

/// The filled text; the fallback if there is none, or only white space.
pub(super) fn fill_or(
    text: &Option<Text>,
    constants: &[Constant],
    diagnostics: &mut Diagnostics,
    fallback: impl FnOnce() -> String,
) -> String {
    fill_opt(text, constants, diagnostics).filter(|it| !it.trim().is_empty()).unwrap_or_else(fallback)
}

/// [`fill_opt`] for a label, which is limited in length: it is repeated wherever its element is shown.
pub(super) fn label(text: &Option<Text>, constants: &[Constant], diagnostics: &mut Diagnostics) -> Option<String> {
    let filled = fill_opt(text, constants, diagnostics);
    limits::label(filled.as_deref(), text.as_ref(), diagnostics);
    filled
}

/// Fills in constants and returns the values that an effect takes as separate pieces.
pub(super) fn pieces(text: &Text, constants: &[Constant], takes: &[Taken], diagnostics: &mut Diagnostics) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text.value.as_str();
    let mut known = Known { constants, index: None, n_lookups: 0, n_suggestions: 0 };
    while let Some(at) = rest.find(['{', '}']) {
        plain.push_str(&rest[..at]);
        let offset = text.value.len() - rest.len() + at;
        let brace = &rest[at..at + 1];
        rest = &rest[at + 1..];
        if let Some(behind) = rest.strip_prefix(brace) {
            plain.push_str(brace);
            rest = behind;
            continue;
        }
        let Some((name, percent, length)) = placeholder(brace, rest) else {
            plain.push_str(brace);
            continue;
        };
        rest = &rest[length..];
        let span = sub_span(text, offset..offset + 1 + length);
        if let Some(idx) = takes.iter().position(|it| it.field.name == name) {
            if !plain.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut plain)));
            }
            pieces.push(Piece::Taken(idx));
        } else if let Some(constant) = known.find(name) {
            plain.push_str(&show(constant, percent, span, diagnostics));
        } else {
            let hint = known.suggest(name, takes).map(|it| format!("{it} ")).unwrap_or_default();
            let message = format!("`{{{name}}}` names no constant");
            diagnostics.push(Diagnostic::new(Code::BadText, span, message).help(format!("{hint}(for a brace write `{{{{`)")));
        }
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    pieces
}

/// The constants that one text may name. The cost of a placeholder must not grow with their number.
struct Known<'a> {
    constants: &'a [Constant],
    index: Option<BTreeMap<&'a str, &'a Constant>>,
    n_lookups: usize,
    n_suggestions: usize,
}

impl<'a> Known<'a> {
    /// Most texts have one or two placeholders; the index is for the others.
    fn find(&mut self, name: &str) -> Option<&'a Constant> {
        self.n_lookups += 1;
        if self.n_lookups <= 8 {
            return self.constants.iter().find(|it| it.name == name);
        }
        let index = self.index.get_or_insert_with(|| self.constants.iter().rev().map(|it| (it.name.as_str(), it)).collect());
        index.get(name).copied()
    }

    /// The nearest name, for the first unknown names of a text.
    fn suggest(&mut self, name: &str, takes: &[Taken]) -> Option<String> {
        self.n_suggestions += 1;
        let known = self.constants.iter().map(|it| it.name.as_str()).chain(takes.iter().map(|it| it.field.name.as_str()));
        if self.n_suggestions <= 8 { suggest(name, known) } else { None }
    }
}

fn show(constant: &Constant, percent: bool, span: Span, diagnostics: &mut Diagnostics) -> String {
    match (&constant.value, percent) {
        (Literal::Int(value), true) => value.saturating_mul(100).to_string(),
        (Literal::Decimal(value), true) => value.saturating_mul(Decimal::ONE_HUNDRED).normalize().to_string(),
        (_, true) => {
            let message = format!("`{}` is not a number, `:%` shows numbers in hundredths", constant.name);
            diagnostics.push(Diagnostic::new(Code::BadText, span, message));
            String::new()
        }
        (Literal::Int(value), false) => value.to_string(),
        (Literal::Decimal(value), false) => value.to_string(),
        (Literal::Bool(value), false) => value.to_string(),
        (Literal::Text(value), false) => value.clone(),
        (Literal::Duration(value), false) => show_duration(*value),
        (Literal::Timestamp(value), false) => show_timestamp(*value),
        _ => String::new(),
    }
}

/// A part of a text's span, if the text is written without escapes; else the whole span.
pub(super) fn sub_span(text: &Text, range: std::ops::Range<usize>) -> Span {
    let width = (text.span.end - text.span.start) as usize;
    match width.checked_sub(text.value.len()) {
        Some(0) => text.span.part(range),
        Some(2) => text.span.part(range.start + 1..range.end + 1),
        _ => text.span,
    }
}
