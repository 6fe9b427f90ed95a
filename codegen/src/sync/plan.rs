//! The plan: what the disk says, held against what the generator says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;

use super::disk::{Disk, Entry, Failure, objection};
use super::{Config, diff, header, region};
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::output::{Blame, Generated, Output, Region};
use crate::source::{Sources, Span};

/// Everything that is not as it should be, and what would make it so.
#[derive(Debug)]
pub struct Plan {
    /// All findings, sorted by path and line.
    pub findings: Vec<Finding>,
    /// What kept parts of the project from being looked at.
    pub failures: Vec<Failure>,
    /// How many outputs were compared: whole files, and regions in pages.
    pub n_checked: usize,
    /// The pages that marker problems point into.
    pub(super) pages: Sources,
    pub(super) changes: Vec<Change>,
    pub(super) root: PathBuf,
    pub(super) command: String,
}

/// One output that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The kind.
    pub kind: Kind,
    /// The file, relative to the project's root.
    pub path: String,
    /// The line of the page where the region or the marker stands, counted from 1.
    pub line: Option<usize>,
    /// The region of the page, if it is not about the whole file.
    pub region: Option<String>,
    /// What is wrong, in one sentence without a final full stop.
    pub message: String,
    /// The place to blame.
    pub place: Option<Place>,
    /// What is and what should be, where there is something to compare.
    pub texts: Option<Texts>,
    /// What mends it.
    pub mend: Mend,
}

/// Two texts to compare. Where they differ anyway, the digests are made equal: they would be noise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    /// What is on the disk: the whole file, or a region with a few lines around it.
    pub found: String,
    /// What should be.
    pub expected: String,
    /// The line of the file that both begin with, counted from 1.
    pub first_line: usize,
    /// The specs it comes from, as headers name them.
    pub origin: String,
}

/// What a finding points at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A line of a spec, with what is said there.
    Spec(Span, &'static str),
    /// A marker in a page.
    Page(Box<Diagnostic>),
}

/// How an output can be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It is not there, or the region is still empty.
    Missing,
    /// It is as it was generated, and the spec has changed since.
    Stale,
    /// Someone edited it.
    Edited,
    /// No spec provides it any more.
    Orphaned,
    /// The markers of a region do not fit together.
    Marker,
    /// A region names nothing that the generator provides.
    UnknownRegion,
}

impl Kind {
    /// Every kind, in the order of summaries.
    pub const ALL: [Kind; 6] = [Kind::Missing, Kind::Stale, Kind::Edited, Kind::Orphaned, Kind::Marker, Kind::UnknownRegion];

    /// The code that messages show.
    pub fn code(self) -> Code {
        match self {
            Kind::Missing => Code::DriftMissing,
            Kind::Stale => Code::DriftStale,
            Kind::Edited => Code::DriftEdited,
            Kind::Orphaned => Code::DriftOrphaned,
            Kind::Marker => Code::DriftMarker,
            Kind::UnknownRegion => Code::DriftUnknownRegion,
        }
    }

    /// What a summary counts.
    pub fn noun(self) -> &'static str {
        match self {
            Kind::Missing => "missing",
            Kind::Stale => "stale",
            Kind::Edited => "edited by hand",
            Kind::Orphaned => "orphaned",
            Kind::Marker => "with broken markers",
            Kind::UnknownRegion => "with an unknown name",
        }
    }
}

/// What mends a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mend {
    /// The command.
    Command,
    /// The command with `--force`: someone's work is lost.
    Force,
    /// Only a person.
    Hand,
}

impl Mend {
    /// Whether such a finding keeps the whole plan from being carried out.
    pub fn blocks(self, force: bool) -> bool {
        match self {
            Mend::Command => false,
            Mend::Force => !force,
            Mend::Hand => true,
        }
    }
}

/// What must happen to one file.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) path: String,
    pub(super) full: PathBuf,
    /// What the plan was made for; if the file says something else by now, nothing is done to it.
    pub(super) seen: Option<Vec<u8>>,
    pub(super) action: Action,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Action {
    Write(Vec<u8>),
    Remove,
}

/// Compares everything that was generated with the disk. Changes nothing.
pub fn plan(config: &Config, generated: &Generated, sources: &Sources) -> Plan {
    let mut planner = Planner {
        config,
        sources,
        disk: Disk::new(&config.root),
        plan: Plan {
            findings: Vec::new(),
            failures: Vec::new(),
            n_checked: 0,
            pages: Sources::default(),
            changes: Vec::new(),
            root: config.root.clone(),
            command: config.command.clone(),
        },
    };
    if !config.root.is_dir() {
        planner.fail(".", "look into", "the project's root is not a folder");
        return planner.plan;
    }
    planner.check_generated(generated);
    for output in &generated.files {
        planner.file(output);
    }
    let expected: BTreeSet<&str> = generated.files.iter().map(|it| it.path.as_str()).collect();
    let mut entries = BTreeMap::new();
    for (place, owned) in config.places() {
        planner.disk.walk(place, owned, &mut entries, &mut planner.plan.failures);
    }
    for (path, entry) in entries.iter().filter(|(path, _)| !expected.contains(path.as_str())) {
        planner.other_file(path, entry, &generated.regions);
    }
    planner.plan.findings.sort_by(|a, b| (&a.path, a.line, a.kind, &a.region).cmp(&(&b.path, b.line, b.kind, &b.region)));
    planner.plan.failures.sort();
    planner.plan.failures.dedup();
    planner.plan
}

struct Planner<'a> {
    config: &'a Config,
    sources: &'a Sources,
    disk: Disk<'a>,
    plan: Plan,
}

impl Planner<'_> {
    fn fail(&mut self, path: &str, verb: &'static str, why: impl ToString) {
        self.plan.failures.push(Failure::new(path, verb, why));
    }

    /// What the generator must have got right for a plan to make sense.
    fn check_generated(&mut self, generated: &Generated) {
        let paths: BTreeSet<&str> = generated.files.iter().map(|it| it.path.as_str()).collect();
        let mut seen = BTreeSet::new();
        for path in generated.files.iter().map(|it| it.path.as_str()) {
            if !seen.insert(path) {
                self.fail(path, "generate", "two outputs have this path");
            }
            let mut folders = path.match_indices('/').map(|(idx, _)| &path[..idx]);
            if let Some(file) = folders.find(|it| paths.contains(it)) {
                self.fail(path, "generate", format!("`{file}` is an output as well, and cannot be file and folder"));
            }
            if objection(path).is_none() && !self.config.watches(path) {
                self.fail(path, "generate", "it lies outside of all places for outputs, where nobody would miss it");
            }
        }
        for (name, region) in &generated.regions {
            if !region.text.is_empty() && !region.text.ends_with('\n') {
                self.fail(name, "generate the region", "its text does not end in a newline");
            }
            if let Some(line) = region.text.lines().find(|it| region::looks_like_marker(it)) {
                self.fail(name, "generate the region", format!("its text has a line that looks like a marker: {line}"));
            }
        }
    }

    /// Compares a whole file.
    fn file(&mut self, output: &Output) {
        let seen = match self.disk.read(&output.path) {
            Ok(seen) => seen,
            Err(failure) => return self.plan.failures.push(failure),
        };
        let specs = specs_of(self.sources, output.origin, &output.blame);
        let Some(expected) = header::stamp(&output.path, &output.text, &specs, &self.config.command) else {
            return self.fail(&output.path, "generate", "there is no place for a header in this kind of file");
        };
        self.plan.n_checked += 1;
        let disk = seen.as_deref().map(with_lf);
        if seen.as_deref() == Some(expected.as_bytes()) || disk.as_deref() == Some(expected.as_bytes()) {
            return;
        }
        let header = disk.as_deref().and_then(header::read);
        let intact = header.as_ref().is_some_and(|it| it.intact);
        let path = &output.path;
        let (kind, message) = match (&disk, &header) {
            (None, _) => (Kind::Missing, format!("{path} does not exist")),
            (Some(_), _) if intact => (Kind::Stale, format!("{path} is out of date")),
            (Some(_), Some(_)) => (Kind::Edited, format!("{path} was changed by hand (its digest does not match its contents)")),
            (Some(_), None) => (Kind::Edited, format!("{path} was written by hand (it has no header of ours)")),
        };
        let found = String::from_utf8_lossy(disk.as_deref().unwrap_or_default()).into_owned();
        // The digest follows the text, so it is noise unless it is all that differs.
        let quiet = header.and_then(|it| it.digest).map(|it| header::with_digest(&expected, it)).filter(|it| *it != found);
        let texts = Texts { found, expected: quiet.unwrap_or_else(|| expected.clone()), first_line: 1, origin: header::origin(&specs) };
        let place = blame(kind, &texts, output.origin, &output.blame);
        let mend = if kind == Kind::Edited { Mend::Force } else { Mend::Command };
        let finding = Finding { kind, path: path.clone(), line: None, region: None, message, place, texts: Some(texts), mend };
        self.plan.findings.push(finding);
        let full = self.config.root.join(path);
        self.plan.changes.push(Change { path: path.clone(), full, seen, action: Action::Write(expected.into_bytes()) });
    }

    /// Looks at a file that no output has the path of: an orphan, a hand-written page, or none of our business.
    fn other_file(&mut self, path: &str, entry: &Entry, regions: &BTreeMap<String, Region>) {
        if !entry.plain {
            if entry.owned {
                self.orphan(path, entry, None);
            }
            return;
        }
        let is_page = path.ends_with(".md");
        let read = || -> std::io::Result<(bool, Vec<u8>)> {
            let mut file = File::open(&entry.full)?;
            let mut bytes = Vec::new();
            (&mut file).take(header::HEAD_LEN).read_to_end(&mut bytes)?;
            let is_ours = entry.owned || header::begins(&bytes);
            // A picture among the pages may be large; its head is enough to leave it alone.
            if is_ours || is_page {
                file.read_to_end(&mut bytes)?;
            }
            Ok((is_ours, bytes))
        };
        match read() {
            Err(error) => self.fail(path, "read", error),
            Ok((true, bytes)) => self.orphan(path, entry, Some(bytes)),
            Ok((false, bytes)) if is_page && region::mentions(&bytes) => self.page(path, entry, bytes, regions),
            Ok(_) => {}
        }
    }

    fn orphan(&mut self, path: &str, entry: &Entry, seen: Option<Vec<u8>>) {
        let disk = seen.as_deref().map(with_lf);
        let header = disk.as_deref().and_then(header::read);
        let (message, mend) = match &header {
            Some(it) if it.intact => (format!("{path} has no spec any more (was {})", it.origin), Mend::Command),
            Some(it) => (format!("{path} has no spec any more (was {}), and was changed by hand", it.origin), Mend::Force),
            None => (format!("{path} comes from no spec, and everything in its folder is generated"), Mend::Force),
        };
        // The spec may still be there and provide something else now.
        let place = header.iter().flat_map(|it| it.origin.split(", ")).find_map(|spec| {
            let id = self.sources.find(spec)?;
            Some(Place::Spec(Span::new(id, 0..0), "provides no such file"))
        });
        let origin = header.map_or_else(|| "no spec".to_owned(), |it| it.origin);
        let texts = disk.map(|it| Texts { found: String::from_utf8_lossy(&it).into_owned(), expected: String::new(), first_line: 1, origin });
        let finding = Finding { kind: Kind::Orphaned, path: path.to_owned(), line: None, region: None, message, place, texts, mend };
        self.plan.findings.push(finding);
        self.plan.changes.push(Change { path: path.to_owned(), full: entry.full.clone(), seen, action: Action::Remove });
    }

    /// Compares the regions of a hand-written page.
    fn page(&mut self, path: &str, entry: &Entry, bytes: Vec<u8>, regions: &BTreeMap<String, Region>) {
        // Lines are what the bytes and the text have in common, whatever the line ends are.
        let raw_lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let line_starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(idx, _)| idx + 1)).collect();
        let page = region::read(text);
        let mut source = None;
        let mut place = |pages: &mut Sources, kind: Kind, line: usize, message: &str| {
            let id = *source.get_or_insert_with(|| pages.add(path, text));
            let length = |line: usize| lines.get(line).map_or(0, |it| it.trim_end().len());
            let span = |line: usize| Span::new(id, line_starts[line]..line_starts[line] + length(line));
            (Diagnostic::new(kind.code(), span(line), message), span)
        };
        for problem in &page.problems {
            let (diagnostic, span) = place(&mut self.plan.pages, Kind::Marker, problem.line, &problem.message);
            let mut diagnostic = diagnostic.label(problem.label).help(&problem.help);
            if let Some((line, label)) = problem.also {
                diagnostic = diagnostic.also(span(line), label);
            }
            self.plan.findings.push(marker_finding(Kind::Marker, path, problem.line, None, diagnostic));
        }
        let mut written: Vec<u8> = Vec::new();
        let mut next_line = 0;
        for found in &page.regions {
            self.plan.n_checked += 1;
            let Some(region) = regions.get(&found.name) else {
                let message = format!("no spec provides region `{}`", found.name);
                let (mut diagnostic, _) = place(&mut self.plan.pages, Kind::UnknownRegion, found.begin, &message);
                diagnostic.help = suggest(&found.name, regions.keys().map(String::as_str));
                self.plan.findings.push(marker_finding(Kind::UnknownRegion, path, found.begin, Some(&found.name), diagnostic));
                continue;
            };
            let block = Block::new(found, region, &raw_lines);
            if block.is_right() {
                continue;
            }
            let specs = specs_of(self.sources, region.origin, &region.blame);
            self.plan.findings.push(block.finding(path, region, &lines, header::origin(&specs)));
            written.extend(raw_lines[next_line..found.begin].concat());
            written.extend_from_slice(&block.expected);
            next_line = found.end + 1;
        }
        if next_line > 0 {
            written.extend(raw_lines[next_line..].concat());
            let full = entry.full.clone();
            self.plan.changes.push(Change { path: path.to_owned(), full, seen: Some(bytes), action: Action::Write(written) });
        }
    }
}

fn marker_finding(kind: Kind, path: &str, line: usize, region: Option<&str>, diagnostic: Diagnostic) -> Finding {
    let message = diagnostic.message.clone();
    let place = Some(Place::Page(Box::new(diagnostic)));
    let region = region.map(str::to_owned);
    Finding { kind, path: path.to_owned(), line: Some(line + 1), region, message, place, texts: None, mend: Mend::Hand }
}

/// A region together with its markers, as it is and as it should be.
struct Block<'a> {
    at: &'a region::Found,
    /// The text between the markers on the disk, with LF line ends where all are CRLF.
    body: Vec<u8>,
    digest: Option<String>,
    found: Vec<u8>,
    expected: Vec<u8>,
}

impl<'a> Block<'a> {
    fn new(at: &'a region::Found, region: &Region, raw_lines: &[&[u8]]) -> Self {
        let lines = raw_lines.get(at.begin..=at.end).unwrap_or_default();
        let is_crlf = lines.first().is_some_and(|it| it.ends_with(b"\r\n"));
        let body = lines.get(1..lines.len().saturating_sub(1)).unwrap_or_default().concat();
        let body = if is_crlf { with_lf(&body).into_owned() } else { body };
        let end_line = String::from_utf8_lossy(lines.last().copied().unwrap_or_default());
        let digest = region::digest_on(end_line.trim_end()).map(str::to_owned);
        let right_digest = region::digest_of(&at.name, region.text.as_bytes());
        let mut expected = written(at, region, &right_digest);
        if end_line.ends_with('\n') {
            expected.push('\n');
        }
        if is_crlf {
            expected = expected.replace('\n', "\r\n");
        }
        Block { at, body, digest, found: lines.concat(), expected: expected.into_bytes() }
    }

    fn is_right(&self) -> bool {
        self.found == self.expected
    }

    fn finding(&self, path: &str, region: &Region, page_lines: &[&str], origin: String) -> Finding {
        let name = &self.at.name;
        let at = format!("region `{name}` in {path}, line {},", self.at.begin + 1);
        let is_empty = self.body.iter().all(u8::is_ascii_whitespace);
        let digest_fits = self.digest.as_deref() == Some(region::digest_of(name, &self.body).as_str());
        let (kind, message) = match &self.digest {
            None if is_empty => (Kind::Missing, format!("{at} is not filled yet")),
            None if self.body == region.text.as_bytes() => (Kind::Stale, format!("{at} has no digest yet")),
            None => (Kind::Edited, format!("{at} was written by hand (its end marker has no digest)")),
            Some(_) if digest_fits && self.body != region.text.as_bytes() => (Kind::Stale, format!("{at} is out of date")),
            Some(_) if digest_fits => (Kind::Edited, format!("{at} was changed by hand (its line ends are mixed)")),
            Some(_) => (Kind::Edited, format!("{at} was changed by hand (its digest does not match its contents)")),
        };
        let right_digest = region::digest_of(name, region.text.as_bytes());
        // As for files: the digest is noise unless it is all that differs.
        let shown_digest = self.digest.as_ref().filter(|_| self.body != region.text.as_bytes()).unwrap_or(&right_digest);
        let first_line = self.at.begin.saturating_sub(diff::CONTEXT);
        let before = page_lines.get(first_line..self.at.begin).unwrap_or_default().concat();
        let after: String = page_lines.iter().skip(self.at.end + 1).take(diff::CONTEXT).copied().collect();
        let newline = if self.expected.ends_with(b"\n") { "\n" } else { "" };
        let block = written(self.at, region, shown_digest);
        let found = String::from_utf8_lossy(&self.found);
        let found = if self.is_crlf_throughout() { found.replace("\r\n", "\n") } else { found.into_owned() };
        let expected = format!("{before}{block}{newline}{after}");
        let texts = Texts { found: format!("{before}{found}{after}"), expected, first_line: first_line + 1, origin };
        let place = blame(kind, &texts, region.origin, &region.blame);
        let mend = if kind == Kind::Edited { Mend::Force } else { Mend::Command };
        let (line, region) = (Some(self.at.begin + 1), Some(name.clone()));
        Finding { kind, path: path.to_owned(), line, region, message, place, texts: Some(texts), mend }
    }

    fn is_crlf_throughout(&self) -> bool {
        with_lf(&self.found).len() < self.found.len()
    }
}

/// A region as it should stand in a page with LF line ends, without the last of them.
fn written(at: &region::Found, region: &Region, digest: &str) -> String {
    format!("{}\n{}{}", region::begin_line(&at.name), region.text, region::end_line(&at.name, Some(digest)))
}

/// The text with LF line ends, if it is one that a checkout has converted to CRLF: all of it or nothing.
fn with_lf(bytes: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    let n_lf = bytes.iter().filter(|byte| **byte == b'\n').count();
    let n_crlf = bytes.windows(2).filter(|it| it == b"\r\n").count();
    if n_lf == 0 || n_lf != n_crlf {
        return bytes.into();
    }
    let mut converted = Vec::with_capacity(bytes.len() - n_crlf);
    for (idx, byte) in bytes.iter().enumerate() {
        if *byte != b'\r' || bytes.get(idx + 1) != Some(&b'\n') {
            converted.push(*byte);
        }
    }
    converted.into()
}

/// The paths of the specs that an output speaks of, sorted.
fn specs_of<'a>(sources: &'a Sources, origin: Option<Span>, blame: &Blame) -> Vec<&'a str> {
    let spans = origin.into_iter().chain(blame.0.iter().map(|(_, span)| *span));
    let ids: BTreeSet<_> = spans.map(|span| span.source).collect();
    let paths: BTreeSet<&str> = ids.into_iter().map(|id| sources.get(id).path()).collect();
    paths.into_iter().collect()
}

/// The spec line to blame: that of the first line that differs, and failing that, of the whole output.
fn blame(kind: Kind, texts: &Texts, origin: Option<Span>, blame: &Blame) -> Option<Place> {
    let whole = || origin.map(|span| Place::Spec(span, "comes from here"));
    if kind == Kind::Missing {
        return whole();
    }
    let changed = diff::changed(&texts.found, &texts.expected);
    let find = |lines: Vec<&str>| lines.into_iter().filter(|it| !is_ours(it)).find_map(|line| blame.find(line));
    if let Some(span) = find(changed.expected) {
        let label = if kind == Kind::Stale { "the file does not say this yet" } else { "the file says something else here" };
        return Some(Place::Spec(span, label));
    }
    find(changed.found).map(|span| Place::Spec(span, "the file says more than this")).or_else(whole)
}

/// Lines that no spec is to blame for.
fn is_ours(line: &str) -> bool {
    line.contains(header::MARK) || line.contains(header::PLEA) || region::looks_like_marker(line)
}
