//! Markers for hand-written texts that agree with a spec today, so that a check holds them to it from now on: of a region where
//! the text is what would be generated, of an expectation otherwise.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::path::Path;

use statespec_codegen::backend::code::{OwnForm, forms, request};
use statespec_codegen::sync::{self, Draft, Failure, read_bytes};
use statespec_codegen::{expect, marks};
use statespec_lang::chars::visible;
use statespec_lang::model::Model;
use statespec_lang::source::{SourceId, Sources, Span};
use statespec_scan::compare::{Kind, Statement, compare};
use statespec_scan::{Scan, read_source};

/// The markers for one file: at least one pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The path of the file.
    pub path: String,
    /// The pairs of markers, in the order of the file.
    pub pairs: Vec<Pair>,
    source: SourceId,
}

/// Markers around one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// What the text names, `order.states`, or what it is generated from, `order.states ts-union`.
    pub words: String,
    /// The words of the marker that ends a region; none of an expectation.
    region_end: Option<String>,
    /// The lines that the markers enclose, from 0. Unlike bytes they are the same whatever the line ends of the file.
    lines: Range<usize>,
}

/// The markers for every text of a group that agrees with the spec of the group, sorted by file and line. Each pair is tried
/// before it is offered: a check of the marked file finds nothing, and the text still states the same.
///
/// What a program made, what has markers already, and files in which a check looks for no markers are left out.
pub fn offers(found: &Scan, sources: &Sources, model: &Model, own: &[OwnForm<'_>], watched: &BTreeSet<String>) -> Vec<Offer> {
    let mut offers: BTreeMap<SourceId, Offer> = BTreeMap::new();
    let groups = found.candidates.iter().map(|it| &it.members).chain(found.confirmed.iter().map(|it| &it.members));
    for members in groups {
        let of_group: Vec<&Statement> = members.iter().map(|it| &found.statements[*it]).collect();
        let specs: Vec<_> = of_group.iter().filter(|it| it.kind == Kind::Spec && model.machine(&it.name).is_some()).collect();
        let [spec] = specs[..] else { continue };
        let texts = of_group.iter().filter(|it| it.kind != Kind::Spec && !it.generated);
        for text in texts.filter(|it| compare(&[*spec, *it]).disagreements().next().is_none()) {
            let source = text.span.source;
            let path = sources.get(source).path();
            if !watched.contains(path) {
                continue;
            }
            let edges: Vec<Span> = text.edges.iter().map(|it| it.span).collect();
            let states: Vec<Span> = text.states.iter().map(|it| it.span).collect();
            for (subject, places) in [("edges", edges), ("states", states)] {
                let before = offers.get(&source).map_or(&[][..], |it| it.pairs.as_slice());
                let subject = format!("{}.{subject}", spec.name);
                let pairs = with_region(before, &subject, text, &places, sources, (model, own))
                    .or_else(|| with_expectation(before, subject, text, &places, sources, model));
                if let Some(pairs) = pairs {
                    offers.insert(source, Offer { path: path.to_owned(), pairs, source });
                }
            }
        }
    }
    let mut offers: Vec<Offer> = offers.into_values().collect();
    offers.sort_by(|a, b| a.path.cmp(&b.path));
    offers
}

impl Pair {
    /// The words of the two markers.
    fn markers(&self) -> (String, &str) {
        match &self.region_end {
            Some(end) => (format!("statespec:begin {}", self.words), end),
            None => (format!("statespec:expect {}", self.words), "statespec:end"),
        }
    }
}

/// The pairs of a file and one more, in their order.
fn with(before: &[Pair], pair: Pair) -> Vec<Pair> {
    let mut pairs = before.to_vec();
    pairs.push(pair);
    pairs.sort_by_key(|it| it.lines.start);
    pairs
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// The line of a position, counted from 0.
fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count()
}

/// The pairs of a file and one more, around lines that are what would be generated; `None` if there are none.
fn with_region(
    before: &[Pair],
    subject: &str,
    statement: &Statement,
    places: &[Span],
    sources: &Sources,
    (model, own): (&Model, &[OwnForm<'_>]),
) -> Option<Vec<Pair>> {
    /// The lines before the first name that a form may have.
    const HEAD: usize = 4;
    let source = statement.span.source;
    let (path, text) = (sources.get(source).path(), sources.get(source).text());
    if marks::is_page(path) {
        return None;
    }
    let Range { start: first, end } = lines(path, text, &of_source(places, source))?;
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').split_inclusive('\n').collect();
    let starts = first.saturating_sub(HEAD)..=first;
    // Texts with markers already.
    let marked = marks::read(path, text);
    let regions = marked.regions.iter().map(|it| it.lines.0..it.lines.1 + 1);
    let expectations = marked.expectations.iter().map(|it| line_of(text, it.body.start)..line_of(text, it.body.end) + 1);
    let taken: Vec<Range<usize>> = regions.chain(expectations).chain(before.iter().map(|it| it.lines.clone())).collect();
    // The text may have another name than the usual one: any word up to the first of the items.
    let words = lines.get(starts.clone())?.iter().flat_map(|it| it.split(|it: char| !it.is_alphanumeric() && it != '_'));
    let names: BTreeSet<&str> = words.filter(|it| !it.is_empty()).collect();
    let markers = forms().flat_map(|form| {
        let usual = format!("{subject} {}", form.name);
        let named: Vec<String> = names.iter().map(|it| format!("{usual} {it}")).collect();
        std::iter::once(usual).chain(named)
    });
    for words in markers {
        let Ok(request) = request(&words, model, own) else { continue };
        for start in starts.clone() {
            let indent: String = lines[start].chars().take_while(|it| matches!(it, ' ' | '\t')).collect();
            let Ok(rendered) = request.render_at(&indent) else { continue };
            let body = start..start + rendered.text.lines().count();
            let is_there =
                |(line, expected): (&&str, &str)| line.trim_end_matches(['\r', '\n']) == format!("{indent}{expected}").trim_end();
            let fits = lines.get(body.clone()).is_some_and(|it| it.iter().zip(rendered.text.lines()).all(is_there));
            if !fits || body.end < end || taken.iter().any(|it| overlap(it, &body)) {
                continue;
            }
            let region_end = Some(sync::end_words(&words, &rendered.text));
            return Some(with(before, Pair { words, region_end, lines: body }));
        }
    }
    None
}

/// The pairs of a file and one more, for the part of a text with these places; `None` if they do not do what they should.
fn with_expectation(
    before: &[Pair],
    subject: String,
    statement: &Statement,
    places: &[Span],
    sources: &Sources,
    model: &Model,
) -> Option<Vec<Pair>> {
    let source = statement.span.source;
    let (path, text) = (sources.get(source).path(), sources.get(source).text());
    let lines = lines(path, text, &of_source(places, source))?;
    // Markers do not nest: of two texts that overlap, the first one gets them.
    if before.iter().any(|it| overlap(&it.lines, &lines)) {
        return None;
    }
    let pairs = with(before, Pair { words: subject, region_end: None, lines });
    let mut tried = Sources::default();
    let id = tried.add(path, &marked(path, text, &pairs)?);
    // Other texts of the file may have markers already.
    let (unmarked, marked) = (expect::check(sources, source, model), expect::check(&tried, id, model));
    let n_expectations = pairs.iter().filter(|it| it.region_end.is_none()).count();
    if marked.n_checked != unmarked.n_checked + n_expectations || marked.findings.len() != unmarked.findings.len() {
        return None;
    }
    // A marker within a text in quotes would change the text.
    let states = |it: &Statement| it.states.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
    let again = read_source(Path::new(""), &mut tried, id).found;
    again.iter().any(|it| it.name == statement.name && states(it) == states(statement)).then_some(pairs)
}

/// The places in one file.
fn of_source(places: &[Span], source: SourceId) -> Vec<Range<usize>> {
    places.iter().filter(|it| it.source == source).map(|it| it.range()).collect()
}

/// The lines from the first place to the last one; in a page, all of their table or block of code.
fn lines(path: &str, text: &str, places: &[Range<usize>]) -> Option<Range<usize>> {
    let start = places.iter().map(|it| it.start).min()?;
    let end = places.iter().map(|it| it.end).max()?;
    let block = expect::block(path, text, start);
    let (start, end) = (start.min(block.start), end.max(block.end));
    // A block ends behind its last line end.
    let n_before_end = if text[..end].ends_with('\n') { line_of(text, end) } else { line_of(text, end) + 1 };
    Some(line_of(text, start)..n_before_end)
}

/// A text with markers, which keeps its line ends, its byte order mark and the end of its last line; `None` if its language has
/// no comments that are known.
fn marked(path: &str, text: &str, pairs: &[Pair]) -> Option<String> {
    let bom = if text.starts_with('\u{feff}') { "\u{feff}" } else { "" };
    let lines: Vec<&str> = text[bom.len()..].split_inclusive('\n').collect();
    let mut marked = String::with_capacity(text.len() + 100);
    marked.push_str(bom);
    let mut at = 0;
    for pair in pairs {
        let (body, (begin, end)) = (&pair.lines, pair.markers());
        let (first, last) = (lines.get(body.start)?, lines.get(body.end.checked_sub(1)?)?);
        let indent: &str = first.split(|it: char| !matches!(it, ' ' | '\t')).next()?;
        let comment = |words: &str| Some(format!("{indent}{}", expect::comment(path, words)?));
        marked.extend(lines[at..body.start].iter().copied());
        marked.push_str(&comment(&begin)?);
        marked.push_str(line_end(first).or_else(|| line_end(lines.first()?)).unwrap_or("\n"));
        marked.extend(lines[body.clone()].iter().copied());
        match line_end(last) {
            Some(line_end) => marked.push_str(&(comment(end)? + line_end)),
            // The last line of the file stays one without an end.
            None => marked.push_str(&(line_end(lines.first()?).unwrap_or("\n").to_owned() + &comment(end)?)),
        }
        at = body.end;
    }
    marked.extend(lines[at..].iter().copied());
    Some(marked)
}

/// The end of a line; `None` for the last line of a file that ends without one.
fn line_end(line: &str) -> Option<&'static str> {
    match line {
        _ if line.ends_with("\r\n") => Some("\r\n"),
        _ if line.ends_with('\n') => Some("\n"),
        _ => None,
    }
}

/// A line for each text: `web/order.ts:4 agrees with order.states`, or `is order.states ts-union`.
impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = visible(&self.path);
        self.pairs.iter().try_for_each(|it| {
            let how = if it.region_end.is_some() { "is" } else { "agrees with" };
            writeln!(f, "{path}:{} {how} `{}`", it.lines.start + 1, it.words)
        })
    }
}

impl Offer {
    /// The file with its markers, byte by byte as it is on the disk.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is another one than the scan has read, or is none in which a check finds markers.
    pub fn draft(&self, root: &Path, sources: &Sources) -> Result<Draft, Failure> {
        let fail = |why: &str| Failure::new(&self.path, "write", why);
        let bytes = read_bytes(root, &self.path)?.ok_or_else(|| fail("it does not exist any more"))?;
        let text = std::str::from_utf8(&bytes).ok();
        // The scan reads texts without a byte order mark and with one kind of line ends.
        let mut now = Sources::default();
        let is_as_scanned = |it: &&str| {
            let id = now.add(&*self.path, it);
            now.get(id).text() == sources.get(self.source).text()
        };
        let text = text.filter(is_as_scanned).ok_or_else(|| fail("it has changed while this ran; run the command again"))?;
        let marked = marked(&self.path, text, &self.pairs).ok_or_else(|| fail("it is not known how it writes comments"))?;
        if !expect::is_examined(marked.as_bytes()) {
            return Err(fail("a check would not look for markers in it: it is larger than 4 MiB, or has a NUL at its beginning"));
        }
        Ok(Draft { path: self.path.clone(), text: marked, replaces: Some(bytes) })
    }
}
