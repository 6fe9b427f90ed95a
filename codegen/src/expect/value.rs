//! The value of a constant in a text.

use std::ops::Range;

use rust_decimal::Decimal;
use statespec_lang::expr::show_duration;
use statespec_lang::model::Literal;
use statespec_lang::model::machine::Constant;

use super::text::{Language, code, words};

/// What a text says of a value.
pub(super) enum Read {
    /// The value, and no other one.
    Same,
    /// No value of its kind.
    Missing,
    /// Other values.
    Other(Vec<Range<usize>>),
}

/// The value as a message shows it.
pub(super) fn shown(constant: &Constant) -> String {
    match &constant.value {
        Literal::Bool(it) => it.to_string(),
        Literal::Int(it) => it.to_string(),
        Literal::Decimal(it) => it.normalize().to_string(),
        Literal::Text(it) => it.clone(),
        Literal::Duration(it) => show_duration(*it),
        // A constant has no other values.
        _ => String::new(),
    }
}

/// Finds the values of the constant's kind.
pub(super) fn read(text: &str, language: Language, value: &Literal) -> Read {
    // Numbers in prose can be in quotes or in code as well.
    let code = code(text, language);
    match value {
        Literal::Int(it) => numbers(&code.bare, |number, _| number == Decimal::from(*it)),
        Literal::Decimal(it) => numbers(&code.bare, |number, unit| number == *it || unit == "%" && number == *it * Decimal::from(100)),
        Literal::Duration(micros) => numbers(&code.bare, |number, unit| is_duration(number, unit, *micros)),
        Literal::Bool(it) => {
            let found =
                words(&code.unquoted()).into_iter().filter_map(|word| Some((word.text.to_lowercase().parse::<bool>().ok()?, word.range)));
            judge(found.map(|(value, range)| (value == *it, range)))
        }
        Literal::Text(it) => judge(code.quoted.iter().map(|quoted| (text[quoted.inside.clone()] == **it, quoted.inside.clone()))),
        _ => Read::Missing,
    }
}

fn judge(found: impl Iterator<Item = (bool, Range<usize>)>) -> Read {
    let found: Vec<(bool, Range<usize>)> = found.collect();
    if found.is_empty() {
        return Read::Missing;
    }
    let others: Vec<Range<usize>> = found.into_iter().filter(|it| !it.0).map(|it| it.1).collect();
    if others.is_empty() { Read::Same } else { Read::Other(others) }
}

/// Judges each number of a text with the word or sign behind it: `1_000`, `0.7`, `70%`, `30 seconds`.
fn numbers(text: &str, is_right: impl Fn(Decimal, &str) -> bool) -> Read {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let is_part = |idx: usize| bytes.get(idx).is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_');
        if !bytes[at].is_ascii_digit() || at > 0 && (is_part(at - 1) || bytes[at - 1] >= 0x80) {
            at += 1;
            continue;
        }
        let digit = |idx: usize| bytes.get(idx).is_some_and(u8::is_ascii_digit);
        let mut end = at;
        while digit(end) || matches!(bytes.get(end), Some(b'_' | b'.' | b',' | b'\'')) && digit(end + 1) && end > at {
            end += 1;
        }
        let is_negative = at > 0 && bytes[at - 1] == b'-' && !(at > 1 && is_part(at - 2));
        let start = if is_negative { at - 1 } else { at };
        let plain: String = text[start..end].chars().filter(|it| !matches!(it, '_' | ',' | '\'')).collect();
        let unit: String =
            text[end..].trim_start_matches([' ', '_', '*']).chars().take_while(|it| it.is_alphabetic() || *it == '%').collect();
        match plain.parse::<Decimal>() {
            Ok(number) => found.push((is_right(number, &unit), start..end)),
            Err(_) => found.push((false, start..end)),
        }
        at = end;
    }
    judge(found.into_iter())
}

/// Whether a number is a duration: in its unit, or without a known one in any of those that programs use.
fn is_duration(number: Decimal, unit: &str, micros: i64) -> bool {
    const UNITS: &[(&[&str], i64)] = &[
        (&["us", "µs", "micros", "microseconds"], 1),
        (&["ms", "millis", "milliseconds", "Millisecond", "Milliseconds"], 1_000),
        (&["s", "sec", "secs", "second", "seconds", "Second", "Seconds"], 1_000_000),
        (&["m", "min", "mins", "minute", "minutes", "Minute", "Minutes"], 60_000_000),
        (&["h", "hour", "hours", "Hour", "Hours"], 3_600_000_000),
        (&["d", "day", "days", "Day", "Days"], 86_400_000_000),
    ];
    let fits = |scale: i64| number.checked_mul(Decimal::from(scale)) == Some(Decimal::from(micros));
    match UNITS.iter().find(|it| it.0.contains(&unit)) {
        Some((_, scale)) => fits(*scale),
        None => UNITS[..4].iter().any(|it| fits(it.1)),
    }
}
