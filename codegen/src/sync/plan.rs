//! The plan: what the disk says, held against what the generator says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;

use super::blame::{self, Case};
use super::disk::{Disk, Entry, Failure, objection};
use super::finding::{Finding, Kind, Mend, Place, Texts};
use super::{Config, header, marker};
use crate::output::{Blame, Generated, Output, Region};
use crate::parallel;
use crate::source::{SourceId, Sources, Span};

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
    pub(super) command: String,
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

/// A whole file beside what the disk has in its place.
enum Compared {
    Unreadable(Failure),
    /// There is no place for a header in this kind of file.
    Headless,
    /// Line ends aside.
    Same,
    Different {
        seen: Option<Vec<u8>>,
        expected: String,
        /// The specs that it speaks of.
        specs: BTreeSet<SourceId>,
    },
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Action {
    Write(Vec<u8>),
    Remove,
}

/// Compares everything that was generated with the disk. Changes nothing.
pub fn plan(config: &Config, generated: &Generated, sources: &Sources) -> Plan {
    let mut planner = Planner::new(config, sources);
    if !config.root.is_dir() {
        planner.fail(".", "look into", "the project's root is not a folder");
        return planner.plan;
    }
    planner.check_generated(generated);
    let checked: Vec<Result<(), Failure>> = generated.files.iter().map(|it| planner.disk.check(&it.path)).collect();
    let outputs: Vec<_> = generated.files.iter().zip(checked).collect();
    let compared = parallel::map(&outputs, |(output, checked)| match checked {
        Ok(()) => planner.compare(output),
        Err(failure) => Compared::Unreadable(failure.clone()),
    });
    for (output, compared) in generated.files.iter().zip(compared) {
        planner.file(output, compared);
    }
    let expected: BTreeSet<&str> = generated.files.iter().map(|it| it.path.as_str()).collect();
    let mut entries = BTreeMap::new();
    for (place, owned) in config.places() {
        planner.disk.walk(place, owned, &mut entries, &mut planner.plan.failures);
    }
    for (path, entry) in entries.iter().filter(|(path, _)| !expected.contains(path.as_str())) {
        planner.other_file(path, entry, &generated.regions);
    }
    blame::agree(&planner.cases, &mut planner.plan.findings, sources);
    planner.plan.findings.sort_by(|a, b| (&a.path, a.line, a.kind, &a.region).cmp(&(&b.path, b.line, b.kind, &b.region)));
    planner.plan.failures.sort();
    planner.plan.failures.dedup();
    planner.plan
}

/// Compares the regions of one page that is in memory, as [`plan`] does with each page that it finds.
pub fn plan_page(path: &str, page: Vec<u8>, regions: &BTreeMap<String, Region>, sources: &Sources) -> Plan {
    let config = Config { root: PathBuf::new(), owned: Vec::new(), shared: Vec::new(), command: String::new() };
    let mut planner = Planner::new(&config, sources);
    let entry = Entry { full: path.into(), owned: false, plain: true };
    if marker::mentions(&page) {
        planner.page(path, &entry, page, regions);
    }
    planner.plan
}

pub(super) struct Planner<'a> {
    config: &'a Config,
    pub(super) sources: &'a Sources,
    disk: Disk<'a>,
    pub(super) plan: Plan,
    /// What is known about who is to blame.
    pub(super) cases: Vec<Case>,
}

impl<'a> Planner<'a> {
    fn new(config: &'a Config, sources: &'a Sources) -> Self {
        Planner {
            config,
            sources,
            disk: Disk::new(&config.root),
            plan: Plan {
                findings: Vec::new(),
                failures: Vec::new(),
                n_checked: 0,
                pages: Sources::default(),
                changes: Vec::new(),
                command: config.command.clone(),
            },
            cases: Vec::new(),
        }
    }

    fn fail(&mut self, path: &str, verb: &'static str, why: impl ToString) {
        self.plan.failures.push(Failure::new(path, verb, why));
    }

    /// The paths of specs, sorted.
    pub(super) fn paths(&self, specs: &BTreeSet<SourceId>) -> Vec<&'a str> {
        let paths: BTreeSet<&str> = specs.iter().map(|id| self.sources.get(*id).path()).collect();
        paths.into_iter().collect()
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
            if let Some(line) = region.text.lines().find(|it| marker::looks_like_marker(it)) {
                self.fail(name, "generate the region", format!("its text has a line that looks like a marker: {line}"));
            }
        }
    }

    /// Compares a whole file.
    fn compare(&self, output: &Output) -> Compared {
        let seen = match self.disk.read(&output.path) {
            Ok(seen) => seen,
            Err(failure) => return Compared::Unreadable(failure),
        };
        let specs = specs_of(output.origin, &output.blame);
        let Some(expected) = header::stamp(&output.path, &output.text, &self.paths(&specs), &self.config.command) else {
            return Compared::Headless;
        };
        let same = seen.as_deref().is_some_and(|it| it == expected.as_bytes() || *with_lf(it) == *expected.as_bytes());
        if same { Compared::Same } else { Compared::Different { seen, expected, specs } }
    }

    /// Notes what became of comparing a whole file.
    fn file(&mut self, output: &Output, compared: Compared) {
        let (seen, expected, ids) = match compared {
            Compared::Unreadable(failure) => return self.plan.failures.push(failure),
            Compared::Headless => return self.fail(&output.path, "generate", "there is no place for a header in this kind of file"),
            Compared::Same => return self.plan.n_checked += 1,
            Compared::Different { seen, expected, specs } => (seen, expected, specs),
        };
        self.plan.n_checked += 1;
        let specs = self.paths(&ids);
        let disk = seen.as_deref().map(with_lf);
        let header = disk.as_deref().and_then(header::read);
        let intact = header.as_ref().is_some_and(|it| it.intact);
        let path = &output.path;
        let (kind, message) = match (&disk, &header) {
            (None, _) => (Kind::Missing, format!("{path} does not exist")),
            (Some(_), _) if intact => (Kind::Stale, format!("{path} is out of date")),
            // Nobody's work is lost when all that is new is the header.
            (Some(it), None) if **it == *output.text.as_bytes() => (Kind::Stale, format!("{path} has no header yet")),
            (Some(_), Some(_)) => (Kind::Edited, format!("{path} was changed by hand (its digest does not match its contents)")),
            (Some(_), None) => (Kind::Edited, format!("{path} was written by hand (it has no header of ours)")),
        };
        let found = String::from_utf8_lossy(disk.as_deref().unwrap_or_default()).into_owned();
        // The digest follows the text, so it is noise unless it is all that differs.
        let quiet = header.and_then(|it| it.digest).map(|it| header::with_digest(&expected, it)).filter(|it| *it != found);
        let texts = Texts { found, expected: quiet.unwrap_or_else(|| expected.clone()), first_line: 1, origin: header::origin(&specs) };
        let suspect = blame::suspect(kind, &texts, output.origin, &output.blame);
        let place = suspect.place();
        let mend = if kind == Kind::Edited { Mend::Force } else { Mend::Command };
        let finding = Finding { kind, path: path.clone(), line: None, region: None, message, place, texts: Some(texts), mend };
        self.cases.push(Case { finding_idx: self.plan.findings.len(), suspect, specs: ids });
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
            Ok((false, bytes)) if is_page && marker::mentions(&bytes) => self.page(path, entry, bytes, regions),
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
        let texts =
            disk.map(|it| Texts { found: String::from_utf8_lossy(&it).into_owned(), expected: String::new(), first_line: 1, origin });
        let finding = Finding { kind: Kind::Orphaned, path: path.to_owned(), line: None, region: None, message, place, texts, mend };
        self.plan.findings.push(finding);
        self.plan.changes.push(Change { path: path.to_owned(), full: entry.full.clone(), seen, action: Action::Remove });
    }
}

/// The text with LF line ends, if it is one that a checkout has converted to CRLF: all of it or nothing.
pub(super) fn with_lf(bytes: &[u8]) -> std::borrow::Cow<'_, [u8]> {
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

/// The specs that an output speaks of.
pub(super) fn specs_of(origin: Option<Span>, blame: &Blame) -> BTreeSet<SourceId> {
    let mut specs: Vec<SourceId> = origin.into_iter().chain(blame.spans()).map(|it| it.source).collect();
    // Nearly always all of them are one.
    specs.dedup();
    specs.into_iter().collect()
}
