//! Checks `aka:`, the earlier names of elements: a name belonged to one element at a time.

use std::collections::BTreeMap;

use super::names::{article, check_name};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::read::{OneOrMany, Text};
use crate::source::Span;

/// Reports an earlier name that an element of the list has today, or that another one had as well: what became of an
/// element of that name could not be told.
pub(super) fn check<'a>(
    what: &str,
    elements: impl Iterator<Item = (&'a Text, &'a Option<OneOrMany<Text>>)>,
    diagnostics: &mut Diagnostics,
) {
    let elements: Vec<_> = elements.collect();
    let former = elements.iter().flat_map(|(name, aka)| aka.iter().flat_map(|it| &it.0).map(move |it| (name, it)));
    let mut former = former.peekable();
    if former.peek().is_none() {
        return;
    }
    let today: BTreeMap<&str, Span> = elements.iter().map(|(name, _)| (name.value.as_str(), name.span)).collect();
    let mut seen = BTreeMap::<&str, (&str, Span)>::new();
    for (name, aka) in former {
        check_name(aka, what, diagnostics);
        let earlier = aka.value.as_str();
        if let Some(span) = today.get(earlier) {
            let message = format!("`{earlier}` is still the name of {} {what}, so it cannot be an earlier name", article(what));
            let help = "remove it from `aka`: it names what the element was called before";
            diagnostics.push(Diagnostic::new(Code::NameCollision, aka.span, message).also(*span, "here").help(help));
        } else if let Some((other, span)) = seen.insert(earlier, (&name.value, aka.span)) {
            let message = format!("two {what}s were called `{earlier}`: `{other}` and `{}`", name.value);
            let help = "keep it where the old meaning went; the other one is new";
            diagnostics.push(Diagnostic::new(Code::NameCollision, aka.span, message).also(span, "first here").help(help));
        }
    }
}
