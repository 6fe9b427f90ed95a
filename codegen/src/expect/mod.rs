//! Guards for hand-written text: what stands between two markers names exactly what a machine has.
//!
//! ```text
//! file ──marks──▶ expectations ──names | edges | value──▶ what the text names ──▶ what is missing, what is too much
//! ```
//!
//! The text is compared by meaning and never rewritten. A marker of the other kind, `statespec:reviewed`, records that a
//! person has read a text that was true of a machine; it has a digest of the machine's meaning.

mod accept;
mod edges;
mod find;
mod known;
mod markdown;
mod meaning;
mod names;
mod normal;
mod subject;
mod text;
mod value;

use std::ops::Range;

use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::model::{Machine, Model};
use statespec_lang::source::{SourceId, Sources, Span};

pub(crate) use accept::accept;
pub(crate) use find::{Guarded, guarded, is_wide};
pub use find::{has_marker, is_examined, watched};
pub use meaning::digest;
use subject::{Subject, Wanted};
use text::Language;

use crate::marks::{self, Expectation};

/// What the comparison of a file found.
#[derive(Debug, Default)]
pub struct Checked {
    /// The number of texts compared: expectations and reviews.
    pub n_checked: usize,
    /// The disagreements. Their places are in the file, and in specs.
    pub findings: Vec<Diagnostic>,
}

/// What encloses a place of a page, a table or a block of code; in other files, the place alone.
pub fn block(path: &str, text: &str, at: usize) -> Range<usize> {
    match Language::of(path) {
        Language::Markdown => markdown::block(text, at),
        _ => at..at,
    }
}

/// The words of a marker as a comment of a file, alone on its line; `None` if it is not known how the file writes comments.
pub fn comment(path: &str, words: &str) -> Option<String> {
    Language::of(path).comment(words)
}

/// Compares what a file states with the machines that it names.
pub fn check(sources: &Sources, id: SourceId, model: &Model) -> Checked {
    let source = sources.get(id);
    let language = Language::of(source.path());
    let marked = marks::read(source.path(), source.text());
    let span = |range: &Range<usize>| Span::new(id, range.clone());
    let mistakes = marked.mistakes.iter().map(|it| {
        let mistake = Diagnostic::new(Code::ExpectMarker, span(&it.place), &it.message).help(it.help);
        it.also.iter().fold(mistake, |mistake, (place, why)| mistake.also(span(place), *why))
    });
    let reviews = marked.reviews.iter().filter_map(|it| reviewed(span(&it.marker), it.words, model));
    let expectations = marked.expectations.iter().flat_map(|it| expectation(sources, id, language, it, model));
    let mut findings: Vec<Diagnostic> = mistakes.chain(reviews).chain(expectations).collect();
    findings.sort_by_key(|it| it.primary.0.start);
    Checked { n_checked: marked.expectations.len() + marked.reviews.len(), findings }
}

/// One place where a review of a machine is recorded.
struct Review {
    /// The machine and the digest as written.
    range: Range<usize>,
    machine: String,
    /// The digest; none before the first review.
    digest: Option<String>,
}

/// The reviews that a text records.
fn reviews(path: &str, text: &str) -> Vec<Review> {
    let reviews = marks::read(path, text).reviews.into_iter().map(|it| {
        let (machine, digest) = review(it.words);
        let range = it.marker.end - it.words.len()..it.marker.end;
        Review { range, machine: machine.to_owned(), digest: digest.map(str::to_owned) }
    });
    reviews.collect()
}

/// The machine and the digest of `order@49731d4f8c21101f`.
fn review(words: &str) -> (&str, Option<&str>) {
    words.split_once('@').map_or((words, None), |(machine, digest)| (machine, Some(digest)))
}

fn reviewed(span: Span, words: &str, model: &Model) -> Option<Diagnostic> {
    let (name, digest) = review(words);
    let machine = match subject::machine(name, model) {
        Ok(machine) => machine,
        Err((message, help)) => return Some(Diagnostic::new(Code::ExpectMarker, span, message).help(help)),
    };
    if digest == Some(meaning::digest(machine).as_str()) {
        return None;
    }
    let message = match digest {
        Some(_) => format!("`{name}` means something else than when this text was reviewed"),
        None => format!("it is not recorded which version of `{name}` this text was reviewed with"),
    };
    let diagnostic = Diagnostic::new(Code::ExpectReread, span, message).also(machine.span, "the machine as it is now");
    let help =
        "read the text again, correct it, and record that with `gen --accept`; `diff` with the revision of the review shows what changed";
    Some(diagnostic.help(help))
}

/// Compares the text between two markers with what the first one names.
fn expectation(sources: &Sources, id: SourceId, language: Language, found: &Expectation<'_>, model: &Model) -> Vec<Diagnostic> {
    let Expectation { words, marker, body } = found;
    let span = Span::new(id, marker.clone());
    let (machine, subject) = match subject::find(words, model) {
        Ok(found) => found,
        Err((message, help)) => return vec![Diagnostic::new(Code::ExpectMarker, span, message).help(help)],
    };
    let text = &sources.get(id).text()[body.clone()];
    let place = |range: Range<usize>| Span::new(id, body.start + range.start..body.start + range.end);
    match &subject {
        Subject::Names { what, wanted } => match names::read(text, language, wanted) {
            Ok(read) => compare(machine, span, what, wanted, &read, &place),
            Err(why) => vec![unreadable(span, machine.span, why)],
        },
        Subject::Edges { states, wanted } => match edges::read(text, language, states) {
            Ok(read) => compare_edges(machine, span, states, wanted, &read, &place),
            Err(why) => vec![unreadable(span, machine.span, why)],
        },
        Subject::Constant(constant) => {
            let name = &constant.name;
            let expected = value::shown(constant);
            match value::read(text, language, &constant.value) {
                value::Read::Same => Vec::new(),
                value::Read::Missing => {
                    let message = format!("the value of `{name}`, `{expected}`, is missing between here and `statespec:end`");
                    vec![Diagnostic::new(Code::ExpectMissing, span, message).also(constant.span, "it is declared here")]
                }
                value::Read::Other(others) => {
                    let other = |range: Range<usize>| {
                        let message = format!("`{}` is not the value of `{name}`, which is `{expected}`", &text[range.clone()]);
                        Diagnostic::new(Code::ExpectExtra, place(range), message).also(constant.span, "it is declared here")
                    };
                    others.into_iter().map(other).collect()
                }
            }
        }
    }
}

fn unreadable(span: Span, spec: Span, why: &str) -> Diagnostic {
    let message = format!("the text between here and `statespec:end` cannot be compared: {why}");
    let help = "put the markers close around the names, or write the names as code or in quotes";
    Diagnostic::new(Code::ExpectMarker, span, message).also(spec, "the machine").help(help)
}

/// Names that are missing in a text, and names that are too much.
fn compare(
    machine: &Machine,
    span: Span,
    what: &str,
    wanted: &[Wanted],
    read: &names::Read,
    place: &dyn Fn(Range<usize>) -> Span,
) -> Vec<Diagnostic> {
    let missing = wanted.iter().zip(&read.found).filter(|(_, found)| !**found).map(|(it, _)| {
        let message = format!("the {what} `{}` is missing between here and `statespec:end`", it.names[0]);
        Diagnostic::new(Code::ExpectMissing, span, message).also(it.span, "it is declared here")
    });
    // A composite is no state that a machine can be in, but a text may speak of it.
    let is_composite = |name: &str| what == "state" && machine.composites().any(|it| known::is_same(&machine.state(it).name, name));
    let extra = read.extra.iter().filter(|(name, _)| !is_composite(name)).map(|(name, range)| {
        let message = format!("`{}` has no {what} `{name}`", machine.name);
        let help = statespec_lang::diagnostic::suggest(name, wanted.iter().flat_map(|it| it.names.iter().map(String::as_str)));
        let mut diagnostic = Diagnostic::new(Code::ExpectExtra, place(range.clone()), message).also(machine.span, "the machine");
        diagnostic.help = help.filter(|it| it.starts_with("did"));
        diagnostic
    });
    missing.chain(extra).collect()
}

/// Edges that are missing in a text, and edges that are too much.
fn compare_edges(
    machine: &Machine,
    span: Span,
    states: &[Wanted],
    wanted: &[((usize, usize), Span)],
    read: &edges::Read,
    place: &dyn Fn(Range<usize>) -> Span,
) -> Vec<Diagnostic> {
    let shown = |(from, to): (usize, usize)| format!("{} → {}", states[from].names[0], states[to].names[0]);
    let has = |edge: &(usize, usize)| read.edges.iter().any(|it| it.0 == *edge);
    let mut told = Vec::new();
    let missing = wanted.iter().filter(|(edge, _)| !has(edge)).map(|(edge, declared)| {
        let message = format!("the edge `{}` is missing between here and `statespec:end`", shown(*edge));
        Diagnostic::new(Code::ExpectMissing, span, message).also(*declared, "it is declared here")
    });
    told.extend(missing);
    for (edge, range) in read.edges.iter().filter(|(edge, _)| wanted.iter().all(|it| it.0 != *edge)) {
        let message = format!("`{}` has no edge `{}`", machine.name, shown(*edge));
        let from = states[edge.0].span;
        told.push(Diagnostic::new(Code::ExpectExtra, place(range.clone()), message).also(from, "the state"));
    }
    for (name, range) in &read.extra {
        let message = format!("`{}` has no state `{name}`", machine.name);
        told.push(Diagnostic::new(Code::ExpectExtra, place(range.clone()), message).also(machine.span, "the machine"));
    }
    told
}
