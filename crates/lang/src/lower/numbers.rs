//! Numbers of states, events and values, and what must not be used again.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::names::is_name;
use crate::read::{OneOrMany, Text};
use crate::source::Span;
use crate::types::{Reserved, Retired};

/// The number of an element.
pub(super) fn number(written: &Option<Text>, diagnostics: &mut Diagnostics) -> Option<i32> {
    let written = written.as_ref()?;
    let number = written.value.parse().ok();
    if number.is_none() {
        let message = format!("`{}` is not a number from {} to {}", written.value, i32::MIN, i32::MAX);
        diagnostics.push(Diagnostic::new(Code::WrongShape, written.span, message).help("write a whole number, such as `number: 1`"));
    }
    number
}

/// What is reserved. `used` are the names, numbers and places of the elements that are there.
pub(super) fn reserved<'a>(
    written: &Option<OneOrMany<Text>>,
    used: impl Iterator<Item = (&'a str, Option<i32>, Span)> + Clone,
    diagnostics: &mut Diagnostics,
) -> Vec<Reserved> {
    let mut reserved = Vec::new();
    for it in written.iter().flat_map(|it| &it.0) {
        let of = match it.value.parse() {
            Ok(number) => Retired::Number(number),
            Err(_) if is_name(&it.value) => Retired::Name(it.value.clone()),
            Err(_) => {
                let message = format!("`{}` is neither a number nor a name", it.value);
                diagnostics.push(Diagnostic::new(Code::WrongShape, it.span, message).help("reserve what was in use once: `[3, parked]`"));
                continue;
            }
        };
        let is_used = |(name, number, _): &(&str, Option<i32>, Span)| match &of {
            Retired::Number(reserved) => *number == Some(*reserved),
            Retired::Name(reserved) => name == reserved,
        };
        if let Some((_, _, span)) = used.clone().find(is_used) {
            let message = format!("`{}` is reserved, and is in use", it.value);
            let diagnostic = Diagnostic::new(Code::NameCollision, it.span, message).also(span, "here");
            diagnostics.push(diagnostic.help("use another one, or remove it from `reserved`"));
        }
        reserved.push(Reserved { of, span: it.span });
    }
    reserved
}
