//! Checks `reserved:`, the numbers and names that were in use once: none of them is in use today.

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::names::is_name;
use crate::read::{OneOrMany, Text, whole_number};
use crate::source::Span;
use crate::types::{Reserved, Retired};

/// What a list reserves. `used` are the names, numbers and places of its elements.
pub(super) fn reserved<'a>(
    written: &Option<OneOrMany<Text>>,
    used: impl Iterator<Item = (&'a str, Option<i32>, Span)> + Clone,
    diagnostics: &mut Diagnostics,
) -> Vec<Reserved> {
    let names = used.clone().map(|(name, _, span)| (Retired::Name(name.to_owned()), span));
    let numbers = used.filter_map(|(_, number, span)| Some((Retired::Number(number?), span)));
    let used: BTreeMap<Retired, Span> = names.chain(numbers).collect();
    let mut seen = BTreeMap::new();
    let mut reserved = Vec::new();
    for it in written.iter().flat_map(|it| &it.0) {
        let of = match whole_number(&it.value) {
            Some(number) => Retired::Number(number),
            None if is_name(&it.value) => Retired::Name(it.value.clone()),
            None => {
                let message = format!("`{}` is neither a whole number of 32 bits nor a name", it.value);
                let help = "list the numbers and names that were in use, such as `[3, parked]`";
                diagnostics.push(Diagnostic::new(Code::WrongShape, it.span, message).help(help));
                continue;
            }
        };
        if let Some(element) = used.get(&of) {
            let message = format!("`{}` is reserved, and is in use", it.value);
            let help = "give the element one that was never in use; if the old one is back, remove it from `reserved`";
            diagnostics.push(Diagnostic::new(Code::NameCollision, it.span, message).also(*element, "here").help(help));
        }
        if let Some(first) = seen.insert(of.clone(), it.span) {
            let message = format!("`{}` is reserved twice", it.value);
            diagnostics
                .push(Diagnostic::new(Code::NameCollision, it.span, message).also(first, "first here").help("remove one of the two"));
        }
        reserved.push(Reserved { of, span: it.span });
    }
    reserved
}
