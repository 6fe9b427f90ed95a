//! Names in specs: whether they are well formed, distinct and known.

use std::collections::BTreeMap;

use crate::confusables::read_by_rust;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, suggest};
use crate::model::machine::Machine;
use crate::model::{ActorId, EventId, StateId};
use crate::names;
use crate::read::{OneOrMany, Text};
use crate::source::Span;

/// The actor with this name.
pub(super) fn actor(name: &Text, machine: &Machine, diagnostics: &mut Diagnostics) -> Option<ActorId> {
    let found = machine.actors.iter().position(|it| it.name == name.value).map(ActorId::new);
    if found.is_none() {
        unknown("actor", name, machine.actors.iter().map(|it| it.name.as_str()), diagnostics);
    }
    found
}

/// The event with this name.
pub(super) fn event(name: &Text, machine: &Machine, diagnostics: &mut Diagnostics) -> Option<EventId> {
    let found = machine.event_named(&name.value);
    if found.is_none() {
        unknown("event", name, machine.events.iter().map(|it| it.name.as_str()), diagnostics);
    }
    found
}

/// The state with this name, leaf or composite.
pub(super) fn state(name: &Text, machine: &Machine, diagnostics: &mut Diagnostics) -> Option<StateId> {
    let found = machine.state_named(&name.value);
    if found.is_none() {
        unknown("state", name, machine.states.iter().map(|it| it.name.as_str()), diagnostics);
    }
    found
}

/// Reports an unknown name.
pub(super) fn unknown<'a>(what: &str, name: &Text, known: impl IntoIterator<Item = &'a str> + Clone, diagnostics: &mut Diagnostics) {
    let diagnostic = Diagnostic::new(Code::UnknownName, name.span, format!("there is no {what} `{}`", name.value));
    diagnostics.push(match suggest(&name.value, known) {
        Some(help) => diagnostic.help(help),
        None => diagnostic.help(format!("declare {} {what} with this name first", article(what))),
    });
}

pub(super) fn article(what: &str) -> &'static str {
    if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

/// Reports a name that is not well formed.
pub(super) fn check_name(name: &Text, what: &str, diagnostics: &mut Diagnostics) {
    if !names::is_name(&name.value) {
        let message = format!("`{}` cannot be the name of {} {what}", name.value.escape_debug(), article(what));
        let help = "a name starts with a letter or `_` and continues with letters, digits, `_` and `-`; other texts can be a `label`";
        diagnostics.push(Diagnostic::new(Code::BadName, name.span, message).help(help));
    }
    if let Some(read) = read_by_rust(&name.value) {
        let message = format!("`{}` is read as `{read}` by Rust, which warns about it", name.value);
        diagnostics.push(Diagnostic::new(Code::BadName, name.span, message).help(format!("write `{read}`")));
    }
}

/// [`check_name`] for names of files: of machines, systems and documents.
pub(super) fn check_file_name(name: &Text, what: &str, diagnostics: &mut Diagnostics) {
    check_name(name, what, diagnostics);
    if names::is_device(&name.value) || names::is_device(&names::snake(&name.value)) {
        let message = format!("`{}` cannot be the name of {} {what}: its files would name a device on Windows", name.value, article(what));
        diagnostics.push(Diagnostic::new(Code::BadName, name.span, message).help("choose another word, or add one"));
    }
}

/// [`check_name`] for names in expressions: no `-`, and no keyword of the language.
pub(super) fn check_word(name: &Text, what: &str, diagnostics: &mut Diagnostics) {
    check_name(name, what, diagnostics);
    let reserved = matches!(name.value.as_str(), "and" | "or" | "not" | "in" | "true" | "false" | "null");
    if reserved || (names::is_name(&name.value) && name.value.contains('-')) {
        let message = format!("`{}` cannot be the name of {} {what}", name.value, article(what));
        diagnostics.push(
            Diagnostic::new(Code::BadName, name.span, message)
                .help("in an expression it would read as an operator: use `_` or another word"),
        );
    }
}

/// Reports names that are equal, or become equal in emitted code.
pub(super) fn check_distinct<'a>(
    what: &str,
    names: impl Iterator<Item = (&'a str, Span)>,
    casing: fn(&str) -> String,
    diagnostics: &mut Diagnostics,
) {
    let mut seen = BTreeMap::<String, (&str, Span)>::new();
    for (name, span) in names {
        let cased = casing(name);
        if let Some((first, first_span)) = seen.get(&cased) {
            let message = if *first == name {
                format!("two {what} are called `{name}`")
            } else {
                format!("the {what} `{first}` and `{name}` both become `{cased}` in emitted code")
            };
            diagnostics
                .push(Diagnostic::new(Code::NameCollision, span, message).also(*first_span, "first here").help("rename one of the two"));
        } else {
            seen.insert(cased, (name, span));
        }
    }
}

/// A list of texts as written.
pub(super) fn texts(texts: &Option<OneOrMany<Text>>) -> Vec<String> {
    texts.iter().flat_map(|it| &it.0).map(|it| it.value.clone()).collect()
}
