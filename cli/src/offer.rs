//! Markers for hand-written texts that agree with a spec today, so that a check holds them to it from now on.

use std::ops::Range;
use std::path::Path;

use statespec_codegen::{expect, sync};
use statespec_lang::model::Model;
use statespec_lang::source::{SourceId, Sources, Span};
use statespec_scan::compare::{Kind, Statement, compare};
use statespec_scan::{Scan, read_source};

/// Markers around one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Offer {
    /// What the text names: `order.states`.
    pub(crate) subject: String,
    /// The path of the file.
    pub(crate) path: String,
    /// The number of the line before which the first marker goes, from 1.
    pub(crate) line: usize,
    /// The lines that the markers enclose.
    body: Range<usize>,
    source: SourceId,
}

/// The markers for every text of a group that agrees with the spec of the group, sorted by file and line. Each is tried before
/// it is offered: a check of the marked text finds nothing, and the text still states the same.
///
/// What a program made, and what has markers already, is left out.
pub(crate) fn offers(found: &Scan, sources: &Sources, model: &Model) -> Vec<Offer> {
    let mut offers: Vec<Offer> = Vec::new();
    for group in &found.groups {
        let of_group: Vec<&Statement> = group.members.iter().map(|it| &found.statements[*it]).collect();
        let specs: Vec<_> = of_group.iter().filter(|it| it.kind == Kind::Spec && model.machine(&it.name).is_some()).collect();
        let [spec] = specs[..] else { continue };
        let texts = of_group.iter().filter(|it| it.kind != Kind::Spec && !it.generated);
        for text in texts.filter(|it| compare(&[*spec, *it]).disagreements().next().is_none()) {
            let edges = text.edges.iter().map(|it| it.span).collect();
            let states = text.states.iter().map(|it| it.span).collect();
            for (subject, places) in [("edges", edges), ("states", states)] {
                let offer = offer(format!("{}.{subject}", spec.name), text, places, sources, model);
                // Markers do not nest: of two texts that overlap, the first one gets them.
                let overlap = |a: &Offer, b: &Offer| a.source == b.source && a.body.start < b.body.end && b.body.start < a.body.end;
                offers.extend(offer.filter(|a| !offers.iter().any(|b| overlap(a, b))));
            }
        }
    }
    offers.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    offers
}

/// The markers for the part of a text with these places, if they do what they should.
fn offer(subject: String, statement: &Statement, places: Vec<Span>, sources: &Sources, model: &Model) -> Option<Offer> {
    let source = statement.span.source;
    let text = sources.get(source).text();
    let places: Vec<Range<usize>> = places.into_iter().filter(|it| it.source == source).map(|it| it.range()).collect();
    let body = lines(&statement.path, text, &places)?;
    let line = text[..body.start].matches('\n').count() + 1;
    let offer = Offer { subject, path: statement.path.clone(), line, body, source };
    let marked = marked(sources, &[&offer])?;
    let mut tried = Sources::default();
    let id = tried.add(statement.path.as_str(), &marked);
    // Other texts of the file may have markers already.
    let (before, after) = (expect::check(sources, statement.span.source, model), expect::check(&tried, id, model));
    if after.n_checked != before.n_checked + 1 || after.findings.len() != before.findings.len() {
        return None;
    }
    // A marker within a text in quotes would change the text.
    let states = |it: &Statement| it.states.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
    let again = read_source(Path::new(""), &mut tried, id).found;
    again.iter().any(|it| it.name == statement.name && states(it) == states(statement)).then_some(offer)
}

/// The whole lines from the first place to the last one; in a page, all of their table or block of code.
fn lines(path: &str, text: &str, places: &[Range<usize>]) -> Option<Range<usize>> {
    let start = places.iter().map(|it| it.start).min()?;
    let end = places.iter().map(|it| it.end).max()?;
    let block = expect::block(path, text, start);
    let (start, end) = (start.min(block.start), end.max(block.end));
    let line_start = text[..start].rfind('\n').map_or(0, |it| it + 1);
    let ends_line = text[..end].ends_with('\n');
    let line_end = if ends_line { end } else { text[end..].find('\n').map_or(text.len(), |it| end + it + 1) };
    Some(line_start..line_end)
}

/// A text with markers; `None` if its language has no comments that are known.
fn marked(sources: &Sources, offers: &[&Offer]) -> Option<String> {
    let text = sources.get(offers.first()?.source).text();
    let mut marked = String::with_capacity(text.len() + 100);
    let mut at = 0;
    for Offer { subject, path, body, .. } in offers {
        let indent: &str = text[body.clone()].split(|it: char| !matches!(it, ' ' | '\t')).next()?;
        let newline = if text[body.clone()].ends_with("\r\n") { "\r\n" } else { "\n" };
        marked.push_str(&text[at..body.start]);
        let line = |words: &str| Some(format!("{indent}{}{newline}", expect::comment(path, words)?));
        marked.push_str(&line(&format!("statespec:expect {subject}"))?);
        marked.push_str(&text[body.clone()]);
        if !text[body.clone()].ends_with('\n') {
            marked.push_str(newline);
        }
        marked.push_str(&line("statespec:end")?);
        at = body.end;
    }
    marked.push_str(&text[at..]);
    Some(marked)
}

/// The offers as a patch that `git apply` and `patch -p1` read.
pub(crate) fn patch(offers: &[Offer], sources: &Sources) -> String {
    let mut patch = String::new();
    for of_file in offers.chunk_by(|a, b| a.source == b.source) {
        let Some(first) = of_file.first() else { continue };
        // Each offer was tried, so its language has comments.
        let Some(marked) = marked(sources, &of_file.iter().collect::<Vec<_>>()) else { continue };
        patch.push_str(&sync::patch(&first.path, sources.get(first.source).text(), &marked));
    }
    patch
}
