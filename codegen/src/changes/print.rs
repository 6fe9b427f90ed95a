//! Changes for people, for programs, and for the comment of a pull request.

use std::fmt::Write as _;

use serde::Serialize;
use statespec_lang::chars::{plain_json, printable, visible};
use statespec_lang::source::{Sources, Span};

use super::{Audience, Change, Class};
use crate::backend::markdown::escape;
use crate::report::Place;

/// The version of the JSON form. It increases when a key changes its meaning or is removed; new keys do not increase it.
const VERSION: u32 = 1;

/// The form of a list of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A person at a terminal.
    Text,
    /// A program.
    Json,
    /// A comment of a pull request.
    Markdown,
}

impl Format {
    /// Every format, in the order of the docs.
    pub const ALL: [Format; 3] = [Format::Text, Format::Json, Format::Markdown];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Json => "json",
            Format::Markdown => "markdown",
        }
    }

    /// The reader, for the help of the command line.
    pub fn about(self) -> &'static str {
        match self {
            Format::Text => "A person",
            Format::Json => "A program",
            Format::Markdown => "The comment of a pull request",
        }
    }
}

/// One of the two versions.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// Its name: a path or a revision.
    pub name: &'a str,
    /// Its files.
    pub sources: &'a Sources,
}

impl Side<'_> {
    fn place(self, span: Option<Span>) -> Option<Place> {
        span.map(|it| Place::of(self.sources, it))
    }
}

/// The changes in one of the forms, as they concern some audiences.
pub fn print(changes: &[Change], sides: [Side<'_>; 2], audiences: &[Audience], format: Format) -> String {
    match format {
        Format::Text => printable(&text(changes, sides, audiences)),
        Format::Json => json(changes, sides, audiences),
        Format::Markdown => markdown(changes, audiences),
    }
}

/// "2 breaking, 1 to review, 3 informational"
fn summary(changes: &[Change], audiences: &[Audience]) -> String {
    let count = |class: Class| changes.iter().filter(|it| it.class(audiences) == class).count();
    let words = [(Class::Breaking, "breaking"), (Class::Review, "to review"), (Class::Informational, "informational")];
    let parts: Vec<String> =
        words.iter().map(|(class, word)| (count(*class), word)).filter(|it| it.0 > 0).map(|(n, word)| format!("{n} {word}")).collect();
    if parts.is_empty() { "no changes".to_owned() } else { parts.join(", ") }
}

/// The machines and systems, each with its changes, the most severe first.
fn by_whole<'c>(changes: &'c [Change], audiences: &[Audience]) -> Vec<(&'c str, Vec<&'c Change>)> {
    let mut wholes: Vec<(&str, Vec<&Change>)> = Vec::new();
    for change in changes {
        match wholes.last_mut().filter(|it| it.0 == change.whole) {
            Some((_, all)) => all.push(change),
            None => wholes.push((&change.whole, vec![change])),
        }
    }
    for (_, all) in &mut wholes {
        all.sort_by_key(|it| (std::cmp::Reverse(it.class(audiences)), it.rule));
    }
    wholes
}

fn text(changes: &[Change], [old, new]: [Side<'_>; 2], audiences: &[Audience]) -> String {
    let mut text = String::new();
    let width = Class::Informational.name().len() + 2;
    for (whole, changes) in by_whole(changes, audiences) {
        let _ = writeln!(text, "{}", visible(whole));
        for change in changes {
            let _ = writeln!(text, "  {:width$}{}", change.class(audiences).name(), visible(&change.message));
            let place = match (new.place(change.new), old.place(change.old)) {
                (Some(it), _) => format!("{}:{}", visible(&it.file), it.line),
                (None, Some(it)) => format!("{}:{} (old version)", visible(&it.file), it.line),
                (None, None) => String::new(),
            };
            let of = |class: Class| -> Option<String> {
                let names: Vec<&str> = audiences.iter().filter(|it| change.rule.class(**it) == class).map(|it| it.name()).collect();
                (!names.is_empty()).then(|| format!("{class} for {}", names.join(", ")))
            };
            let classes: Vec<String> = [Class::Breaking, Class::Review].into_iter().filter_map(of).collect();
            let of_classes = if classes.is_empty() { String::new() } else { format!("; {}", classes.join("; ")) };
            let _ = writeln!(text, "  {:width$}{place}: {}{of_classes}", "", change.rule.id());
        }
    }
    let _ = writeln!(text, "{}", summary(changes, audiences));
    text
}

fn markdown(changes: &[Change], audiences: &[Audience]) -> String {
    let mut text = format!("<!-- statespec diff -->\n### State machines: {}\n", summary(changes, audiences));
    let of = |change: &Change| capital(&escape::label(&change.message, escape::Place::Cell));
    for (whole, changes) in by_whole(changes, audiences) {
        let told: Vec<&&Change> = changes.iter().filter(|it| it.class(audiences) > Class::Informational).collect();
        let _ = writeln!(text, "\n#### {}", escape::code(whole, escape::Place::Line));
        if !told.is_empty() {
            let heads: Vec<&str> = audiences.iter().map(|it| it.heading()).collect();
            let _ = writeln!(text, "\n| Change | {} |\n| --- |{}", heads.join(" | "), " --- |".repeat(heads.len()));
            for change in told {
                let classes: Vec<&str> = audiences.iter().map(|it| change.rule.class(*it).in_table()).collect();
                let _ = writeln!(text, "| {} | {} |", of(change), classes.join(" | "));
            }
        }
        let rest: Vec<&&Change> = changes.iter().filter(|it| it.class(audiences) == Class::Informational).collect();
        if !rest.is_empty() {
            let _ = writeln!(text, "\n<details><summary>{} informational</summary>\n", rest.len());
            rest.iter().for_each(|it| _ = writeln!(text, "- {}", of(it)));
            let _ = writeln!(text, "\n</details>");
        }
    }
    text
}

/// The text with a capital letter.
fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map(|it| it.to_ascii_uppercase()).into_iter().chain(rest).collect()
}

/// The JSON form of a list of changes.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Json<'a> {
    /// The version of this format.
    version: u32,
    /// The name of the old version, as given: a path or a revision.
    old: &'a str,
    /// The name of the new version.
    new: &'a str,
    /// The audiences that the run was about: `stored`, `callers`, `histories`, `readers`.
    audiences: Vec<&'static str>,
    /// The greatest class of all changes for these audiences: `breaking`, `review`, `informational`; omitted without changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<&'static str>,
    /// The changes, by machine or system, then by rule.
    changes: Vec<MachineChange<'a>>,
}

/// A change.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MachineChange<'a> {
    /// The kind of change.
    rule: &'static str,
    /// The machine or system.
    machine: &'a str,
    /// The change, in one sentence without a full stop at the end.
    message: &'a str,
    /// The greatest class for the audiences of the run.
    class: &'static str,
    /// The class for each audience.
    classes: ChangeClasses,
    /// The place in the old version; omitted for what is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<Place>,
    /// The place in the new version; omitted for what is removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<Place>,
}

/// The class of a change for each audience: `breaking`, `review` or `informational`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ChangeClasses {
    /// State values, enum values and contexts in a store or in messages.
    stored: &'static str,
    /// Code that uses the emitted Rust.
    callers: &'static str,
    /// Events and steps that were recorded under the old machine.
    histories: &'static str,
    /// People who know the docs.
    readers: &'static str,
}

fn json(changes: &[Change], [old, new]: [Side<'_>; 2], audiences: &[Audience]) -> String {
    let change = |it| {
        let change: &Change = it;
        let [stored, callers, histories, readers] = change.rule.classes().map(Class::name);
        MachineChange {
            rule: change.rule.id(),
            machine: &change.whole,
            message: &change.message,
            class: change.class(audiences).name(),
            classes: ChangeClasses { stored, callers, histories, readers },
            old: old.place(change.old),
            new: new.place(change.new),
        }
    };
    let json = Json {
        version: VERSION,
        old: old.name,
        new: new.name,
        audiences: audiences.iter().map(|it| it.name()).collect(),
        class: changes.iter().map(|it| it.class(audiences)).max().map(Class::name),
        changes: changes.iter().map(change).collect(),
    };
    let json = serde_json::to_string_pretty(&json).expect("all map keys are texts and no impl fails, so serializing cannot fail");
    plain_json(&json) + "\n"
}
