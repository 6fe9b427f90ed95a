//! The regions of a hand-written page, compared with the generated text.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use statespec_lang::diagnostic::{Diagnostic, suggest};
use statespec_lang::output::{PendingRegion, Rendered};
use statespec_lang::parallel;
use statespec_lang::source::{SourceId, Sources, Span};

use super::blame::{self, Drifted};
use super::change::{Action, Change, Seen};
use super::disk::{Entry, Failure};
use super::finding::{Finding, Fix, Kind, Place, Texts};
use super::line_ends::with_lf;
use super::region::Markers;
use super::{diff, header, marker, region};

/// The regions that pages can refer to.
pub(super) struct Regions<'a> {
    pending: BTreeMap<String, PendingRegion<'a>>,
    /// Regions outside the scope of this run.
    others: BTreeMap<String, PendingRegion<'a>>,
    /// The names of the non-empty regions; computed when a page refers to an unknown or empty region.
    known: OnceLock<Vec<String>>,
}

impl<'a> Regions<'a> {
    pub(super) fn new(pending: BTreeMap<String, PendingRegion<'a>>, others: BTreeMap<String, PendingRegion<'a>>) -> Self {
        Regions { pending, others, known: OnceLock::new() }
    }

    /// Whether a region with this name may have text.
    pub(super) fn provide(&self, name: &str) -> bool {
        self.pending.contains_key(name)
    }

    fn known(&self) -> impl Iterator<Item = &str> + Clone {
        let all = || {
            let all: Vec<_> = self.pending.iter().chain(&self.others).collect();
            parallel::map(&all, |(name, pending)| pending.render().map(|_| (*name).clone())).into_iter().flatten().collect()
        };
        self.known.get_or_init(all).iter().map(String::as_str)
    }

    /// Generates the region that a page refers to, and compares it.
    fn compare(&self, found: &region::Found, raw_lines: &[&[u8]]) -> Compared<'a> {
        let Some(pending) = self.pending.get(&found.name) else {
            let is_other = self.others.get(&found.name).is_some_and(|it| it.render().is_some());
            return if is_other { Compared::Other } else { Compared::Unknown };
        };
        let Some(rendered) = pending.render() else { return Compared::Unknown };
        compare(found, rendered, raw_lines)
    }
}

/// Compares a region with its text.
fn compare<'a>(found: &region::Found, rendered: Rendered<'a>, raw_lines: &[&[u8]]) -> Compared<'a> {
    let failures = unfit(&found.name, &rendered.text);
    if !failures.is_empty() {
        return Compared::Unfit(failures);
    }
    if Block::new(found, &rendered.text, raw_lines).is_right() { Compared::Same } else { Compared::Different(rendered) }
}

/// The errors in the text of a region, independent of the page.
fn unfit(name: &str, text: &str) -> Vec<Failure> {
    let mut failures = Vec::new();
    let mut fail = |why: String| failures.push(Failure::new(name, "generate the region", why));
    if !text.is_empty() && !text.ends_with('\n') {
        fail("its text does not end in a newline".to_owned());
    }
    if let Some(line) = text.lines().find(|it| marker::looks_like_marker(it)) {
        fail(format!("its text has a line that looks like a marker: {line}"));
    }
    failures
}

/// A region compared with its text in the page.
enum Compared<'a> {
    /// No spec provides it.
    Unknown,
    /// The region is outside the scope of this run.
    Other,
    /// The text is invalid in every page.
    Unfit(Vec<Failure>),
    Same,
    Different(Rendered<'a>),
}

/// A page, with the comparison of each of its regions.
pub(super) struct Page<'a> {
    bytes: Vec<u8>,
    page: region::Page,
    compared: Vec<Compared<'a>>,
}

/// What a page adds to a plan.
#[derive(Default)]
pub(super) struct Differences {
    /// The number of regions compared.
    pub(super) n_checked: usize,
    pub(super) failures: Vec<Failure>,
    pub(super) findings: Vec<Finding>,
    /// The outdated and edited regions, by the positions of their findings among these.
    pub(super) drifted: Vec<Drifted>,
    /// The change that fills the regions, if any differs.
    pub(super) change: Option<Change>,
}

impl<'a> Page<'a> {
    pub(super) fn read(bytes: Vec<u8>, regions: &Regions<'a>) -> Self {
        let page = region::read(&text(&bytes));
        let raw_lines = raw_lines(&bytes);
        let compared = page.regions.iter().map(|it| regions.compare(it, &raw_lines)).collect();
        Page { bytes, page, compared }
    }

    /// A file in another language, with the expected text of each of its regions.
    pub(super) fn of_text(bytes: Vec<u8>, regions: Vec<(region::Found, Rendered<'a>)>) -> Self {
        let raw_lines = raw_lines(&bytes);
        let compared = |(found, rendered): (region::Found, Rendered<'a>)| {
            let compared = compare(&found, rendered, &raw_lines);
            (found, compared)
        };
        let (regions, compared) = regions.into_iter().map(compared).unzip();
        Page { page: region::Page { regions, problems: Vec::new() }, bytes, compared }
    }

    /// The findings about the page, and its change. If a finding is about a marker, the page is added to `pages`.
    pub(super) fn differences(
        self,
        path: &str,
        entry: &Entry,
        regions: &Regions<'_>,
        sources: &Sources,
        pages: &mut Sources,
    ) -> Differences {
        let Page { bytes, page, compared } = self;
        let (raw_lines, text) = (raw_lines(&bytes), text(&bytes));
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let line_starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(idx, _)| idx + 1)).collect();
        let mut source: Option<SourceId> = None;
        let mut span_of = |line: usize| {
            let id = *source.get_or_insert_with(|| pages.add(path, &text));
            let length = lines.get(line).map_or(0, |it| it.trim_end().len());
            Span::new(id, line_starts[line]..line_starts[line] + length)
        };
        let mut differences = Differences::default();
        for problem in &page.problems {
            let span = span_of(problem.line);
            let mut diagnostic = Diagnostic::new(Kind::Marker.code(), span, &problem.message).label(problem.label).help(&problem.help);
            if let Some((line, label)) = problem.also {
                diagnostic = diagnostic.also(span_of(line), label);
            }
            differences.findings.push(marker_finding(Kind::Marker, path, problem.line, None, diagnostic));
        }
        let mut written: Vec<u8> = Vec::new();
        let mut next_line = 0;
        for (found, compared) in page.regions.iter().zip(compared) {
            differences.n_checked += usize::from(!matches!(compared, Compared::Other));
            let Rendered { text, specs, blame } = match compared {
                Compared::Same | Compared::Other => continue,
                Compared::Different(rendered) => rendered,
                Compared::Unfit(failures) => {
                    differences.failures.extend(failures);
                    continue;
                }
                Compared::Unknown => {
                    let message = format!("no spec provides region `{}`", found.name);
                    let mut diagnostic = Diagnostic::new(Kind::UnknownRegion.code(), span_of(found.begin), &message);
                    diagnostic.help = suggest(&found.name, regions.known());
                    let finding = marker_finding(Kind::UnknownRegion, path, found.begin, Some(&found.name), diagnostic);
                    differences.findings.push(finding);
                    continue;
                }
            };
            let block = Block::new(found, &text, &raw_lines);
            let origin = header::origin(&header::paths(&specs, sources));
            let finding = block.finding(path, &lines, origin);
            if finding.kind != Kind::Missing {
                differences.drifted.push(Drifted { finding_idx: differences.findings.len(), specs, blame: blame() });
            }
            differences.findings.push(finding);
            written.extend(raw_lines[next_line..found.begin].concat());
            written.extend_from_slice(&block.expected);
            next_line = found.end + 1;
        }
        if next_line > 0 {
            written.extend(raw_lines[next_line..].concat());
            let full = entry.full.clone();
            let action = Action::Write(written);
            differences.change = Some(Change { path: path.to_owned(), full, seen: Seen::File(bytes), action, keeps_words: true });
        }
        differences
    }
}

/// The text of a page outside its regions, if none of the regions was edited.
pub(super) fn by_hand(bytes: &[u8]) -> Option<Vec<u8>> {
    let page = region::read(&text(bytes));
    let raw_lines = raw_lines(bytes);
    let mut words = Vec::new();
    let mut next_line = 0;
    for found in &page.regions {
        if !Block::new(found, "", &raw_lines).is_generated() {
            return None;
        }
        words.extend(raw_lines.get(next_line..=found.begin)?.concat());
        next_line = found.end + 1;
    }
    words.extend(raw_lines.get(next_line..)?.concat());
    page.problems.is_empty().then_some(words)
}

/// The lines of a page. Bytes and text have the same lines, whatever the line ends are.
fn raw_lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').collect()
}

/// A page with LF line ends.
pub(super) fn text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)
}

fn marker_finding(kind: Kind, path: &str, line: usize, region: Option<&str>, diagnostic: Diagnostic) -> Finding {
    let message = diagnostic.message.clone();
    Finding {
        kind,
        path: path.to_owned(),
        line: Some(line + 1),
        region: region.map(str::to_owned),
        message,
        places: vec![(Place::Page(Box::new(diagnostic)), None)],
        drifted_line: None,
        shows: None,
        texts: None,
        fix: Fix::Hand,
    }
}

/// A region together with its markers: actual and expected.
struct Block<'a> {
    at: &'a region::Found,
    /// The expected text between the markers.
    text: &'a str,
    /// The text between the markers on the disk, with LF line ends where all are CRLF.
    body: Vec<u8>,
    digest: Option<String>,
    /// The blank lines before the second marker, which formatters of some languages add.
    n_blank: usize,
    found: Vec<u8>,
    expected: Vec<u8>,
}

impl<'a> Block<'a> {
    fn new(at: &'a region::Found, text: &'a str, raw_lines: &[&[u8]]) -> Self {
        let lines = raw_lines.get(at.begin..=at.end).unwrap_or_default();
        let is_crlf = lines.first().is_some_and(|it| it.ends_with(b"\r\n"));
        let body = lines.get(1..lines.len().saturating_sub(1)).unwrap_or_default().concat();
        let body = if is_crlf { with_lf(&body).into_owned() } else { body };
        let end_line = String::from_utf8_lossy(lines.last().copied().unwrap_or_default());
        let (body, digest, n_blank) = match &at.markers {
            Markers::Page => (body, marker::digest_on(end_line.trim_end()).map(str::to_owned), 0),
            Markers::Comments { indent, digest, .. } => {
                let (body, n_blank) = without_blank_end(without_indent(body, indent));
                (body, digest.clone(), n_blank)
            }
        };
        let right_digest = region::digest_of(&at.name, text.as_bytes());
        let mut expected = written(at, text, &right_digest, n_blank);
        if end_line.ends_with('\n') {
            expected.push('\n');
        }
        if is_crlf {
            expected = expected.replace('\n', "\r\n");
        }
        Block { at, text, body, digest, n_blank, found: lines.concat(), expected: expected.into_bytes() }
    }

    /// Whether the text between the markers is unedited.
    fn is_generated(&self) -> bool {
        match &self.digest {
            None => self.is_empty(),
            Some(digest) => *digest == region::digest_of(&self.at.name, &self.body),
        }
    }

    fn is_empty(&self) -> bool {
        self.body.iter().all(u8::is_ascii_whitespace)
    }

    fn is_right(&self) -> bool {
        self.found == self.expected
    }

    fn finding(&self, path: &str, page_lines: &[&str], origin: String) -> Finding {
        let name = &self.at.name;
        let at = format!("region `{name}` in {path}, line {},", self.at.begin + 1);
        let digest_fits = self.digest.is_some() && self.is_generated();
        let (kind, message) = match &self.digest {
            None if self.is_empty() => (Kind::Missing, format!("{at} is not filled yet")),
            None if self.body == self.text.as_bytes() => (Kind::Stale, format!("{at} has no digest yet")),
            None => (Kind::Edited, format!("{at} was written by hand (its end marker has no digest)")),
            Some(_) if digest_fits && self.body != self.text.as_bytes() => (Kind::Stale, format!("{at} is out of date")),
            Some(_) if digest_fits => (Kind::Edited, format!("{at} was changed by hand (its line ends are mixed)")),
            Some(_) => (Kind::Edited, format!("{at} was changed by hand (its digest does not match its contents)")),
        };
        let right_digest = region::digest_of(name, self.text.as_bytes());
        // As for files: the digest is noise unless it is the only difference.
        let shown_digest = self.digest.as_ref().filter(|_| self.body != self.text.as_bytes()).unwrap_or(&right_digest);
        let first_line = self.at.begin.saturating_sub(diff::CONTEXT);
        let before = page_lines.get(first_line..self.at.begin).unwrap_or_default().concat();
        let after: String = page_lines.iter().skip(self.at.end + 1).take(diff::CONTEXT).copied().collect();
        let newline = if self.expected.ends_with(b"\n") { "\n" } else { "" };
        let block = written(self.at, self.text, shown_digest, self.n_blank);
        let found = String::from_utf8_lossy(&self.found);
        let found = if self.is_crlf_throughout() { found.replace("\r\n", "\n") } else { found.into_owned() };
        let expected = format!("{before}{block}{newline}{after}");
        let texts = Texts { found: format!("{before}{found}{after}"), expected, first_line: first_line + 1, origin };
        Finding {
            kind,
            path: path.to_owned(),
            line: Some(self.at.begin + 1),
            region: Some(name.clone()),
            message,
            places: Vec::new(),
            drifted_line: blame::drifted_line(&texts),
            shows: None,
            texts: Some(texts),
            fix: if kind == Kind::Edited { Fix::Force } else { Fix::Command },
        }
    }

    fn is_crlf_throughout(&self) -> bool {
        with_lf(&self.found).len() < self.found.len()
    }
}

/// The expected form of a region in a file with LF line ends, without the last line end.
fn written(at: &region::Found, text: &str, digest: &str, n_blank: usize) -> String {
    match &at.markers {
        Markers::Page => format!("{}\n{}{}", marker::begin_line(&at.name), text, marker::end_line(&at.name, Some(digest))),
        Markers::Comments { begin, indent, before_end, behind_end, .. } => {
            let line = |it: &str| if it == "\n" { it.to_owned() } else { format!("{indent}{it}") };
            let text: String = text.split_inclusive('\n').map(line).collect();
            let blank = "\n".repeat(n_blank);
            format!("{begin}\n{text}{blank}{before_end}statespec:end {digest}{behind_end}")
        }
    }
}

/// A text without the blank lines at its end, and their number. In a text of nothing else, they are no lines that anything added.
fn without_blank_end(mut body: Vec<u8>) -> (Vec<u8>, usize) {
    let mut n_blank = 0;
    while body.ends_with(b"\n\n") {
        body.pop();
        n_blank += 1;
    }
    if body.iter().all(u8::is_ascii_whitespace) { (body, 0) } else { (body, n_blank) }
}

/// A text without the blanks that its region has; as it is, if a line lacks them.
fn without_indent(body: Vec<u8>, indent: &str) -> Vec<u8> {
    let lines = body.split_inclusive(|it| *it == b'\n');
    let stripped: Option<Vec<&[u8]>> = lines.map(|it| if it == b"\n" { Some(it) } else { it.strip_prefix(indent.as_bytes()) }).collect();
    stripped.map_or_else(|| body.clone(), |it| it.concat())
}
