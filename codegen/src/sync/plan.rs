//! The plan: the disk compared with the generated outputs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use statespec_lang::limits::OUTPUTS;
use statespec_lang::output::{Blame, Outputs, PendingFile, RenderError, Rendered};
use statespec_lang::parallel;
use statespec_lang::source::{SourceId, Sources, Span};

use super::blame::{self, Drifted, UpToDate};
use super::change::{Action, Change, Seen};
use super::disk::{Disk, Entry, Failure, Found, Reach, objection};
use super::finding::{Finding, Fix, Kind, Place, Texts};
use super::leftover::{Leftover, State};
use super::line_ends::with_lf;
use super::page::{Page, Regions};
use super::text::Text;
use super::unserved::Search;
use super::{Config, header, marker};

/// All findings, and the changes that fix them.
#[derive(Debug)]
pub struct Plan {
    /// All findings, sorted by path and line.
    pub findings: Vec<Finding>,
    /// The failures that prevented parts of the project from being checked.
    pub failures: Vec<Failure>,
    /// Parts that were skipped although a user may expect a check: a path, and the remedy.
    pub warnings: Vec<(String, String)>,
    /// The number of outputs compared: whole files, and regions in pages.
    pub n_checked: usize,
    /// The pages that marker problems refer to.
    pub(crate) pages: Sources,
    pub(super) changes: Vec<Change>,
    /// The command that generates.
    pub(crate) command: String,
    pub(super) root: PathBuf,
    /// Temporary files of other runs, and files with similar names.
    pub(super) leftovers: Vec<Leftover>,
}

impl Plan {
    pub(super) fn new(root: &Path, command: &str) -> Self {
        Plan {
            findings: Vec::new(),
            failures: Vec::new(),
            warnings: Vec::new(),
            n_checked: 0,
            pages: Sources::default(),
            changes: Vec::new(),
            command: command.to_owned(),
            root: root.to_owned(),
            leftovers: Vec::new(),
        }
    }
}

/// A whole file compared with the disk. Only differences are kept.
enum Compared<'a> {
    /// The output cannot be rendered, or the file cannot be read.
    Failed(Vec<Failure>),
    /// Equal except for line ends.
    Same,
    Different(Box<Different<'a>>),
}

struct Different<'a> {
    seen: Option<Vec<u8>>,
    expected: String,
    /// The text is equal, but the file has no header.
    lacks_header: bool,
    /// The specs that the output is generated from.
    specs: BTreeSet<SourceId>,
    blame: Box<dyn FnOnce() -> Blame + Send + 'a>,
}

/// Compares everything that can be generated with the disk. Changes nothing.
///
/// Takes [`Outputs`], or values that convert into them. Each text is rendered, compared and dropped.
pub fn plan<'a>(config: &Config, outputs: impl Into<Outputs<'a>>, sources: &Sources) -> Plan {
    plan_with_texts(config, outputs, Vec::new(), sources)
}

/// The same, with the regions in files of other languages.
pub(super) fn plan_with_texts<'a>(config: &Config, outputs: impl Into<Outputs<'a>>, texts: Vec<Text<'a>>, sources: &Sources) -> Plan {
    let Outputs { files, regions, others } = outputs.into();
    let mut planner = Planner::new(config, sources);
    if !config.root.is_dir() {
        planner.fail(".", "look into", "the project's root is not a folder");
        return planner.plan;
    }
    let expected: BTreeSet<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    planner.check_paths(&files, &expected);
    let checked: Vec<_> = files.iter().map(|(path, pending)| (path, pending, planner.disk.check(path))).collect();
    let limit = OUTPUTS.of(sources.n_bytes());
    let n_bytes = AtomicUsize::new(0);
    let compared = parallel::map(&checked, |(path, pending, checked)| planner.compare(path, pending, checked, &n_bytes, limit));
    if n_bytes.into_inner() > limit {
        planner.too_much(&files, &compared, limit);
        return planner.plan;
    }
    let mut same: BTreeSet<&str> = BTreeSet::new();
    for ((path, pending), (_, compared)) in files.iter().zip(compared) {
        same.extend(matches!(compared, Compared::Same).then_some(path.as_str()));
        planner.file(path, pending.origin, compared);
    }
    let mut found = Found::default();
    for (place, owned) in config.places() {
        planner.disk.walk(place, owned, Reach::Own, &mut found);
    }
    let Found { entries, temporary, links, failures } = found;
    planner.plan.failures.extend(failures);
    planner.leftovers(temporary);
    let is_limited = !others.files.is_empty() || !others.regions.is_empty();
    // Outputs outside the scope of this run are not orphans.
    let is_output = |path: &String| expected.contains(path.as_str()) || others.files.contains(path);
    let rest: Vec<(String, Entry)> = entries.into_iter().filter(|(path, _)| !is_output(path)).collect();
    let regions = Regions::new(regions, others.regions);
    let inspected = parallel::map(&rest, |(path, entry)| inspect(path, entry, &regions));
    for ((path, entry), inspected) in rest.iter().zip(inspected) {
        match inspected {
            Inspected::NoneOfOurs => {}
            Inspected::NotServed => {
                let message = "region markers in MDX are not looked at; put the regions into a `.md` page that it includes";
                planner.plan.warnings.push((path.clone(), message.to_owned()));
            }
            Inspected::Unreadable(failure) => planner.plan.failures.push(failure),
            Inspected::Orphan(bytes) => planner.orphan(path, entry, bytes),
            Inspected::Page(page) => planner.page(path, entry, page, &regions),
        }
    }
    for (path, page) in texts.into_iter().map(Text::compared) {
        let entry = Entry { full: config.root.join(&path), owned: false, plain: true };
        planner.page(&path, &entry, page, &regions);
    }
    // A limited run knows the outputs of other kinds, but not their places.
    if !is_limited {
        let search = Search { config, specs: sources, regions: &regions };
        planner.plan.warnings.extend(search.warnings(&links));
    }
    planner.check_removals(&expected);
    let up_to_date = |specs: &BTreeSet<SourceId>| {
        let mut found = UpToDate::default();
        let is_about = |it: &PendingFile<'_>| it.origin.is_some_and(|it| specs.contains(&it.source));
        for (_, pending) in files.iter().filter(|(path, it)| same.contains(path.as_str()) && is_about(it)) {
            if let Ok(rendered) = pending.render() {
                found.push(&rendered.text, &(rendered.blame)());
            }
        }
        found
    };
    blame::attribute(&planner.drifted, &mut planner.plan.findings, sources, up_to_date);
    planner.plan.findings.sort_by(|a, b| (&a.path, a.line, a.kind, &a.region).cmp(&(&b.path, b.line, b.kind, &b.region)));
    planner.plan.failures.sort();
    planner.plan.failures.dedup();
    planner.plan
}

/// Compares the regions of one page in memory, as [`plan`] does with each page that it finds.
pub fn plan_page<'a>(path: &str, page: Vec<u8>, outputs: impl Into<Outputs<'a>>, sources: &Sources) -> Plan {
    let config = Config { root: PathBuf::new(), owned: Vec::new(), shared: Vec::new(), command: String::new(), remove: Vec::new() };
    let mut planner = Planner::new(&config, sources);
    let entry = Entry { full: path.into(), owned: false, plain: true };
    if marker::mentions(&page) {
        let Outputs { regions, others, .. } = outputs.into();
        let regions = Regions::new(regions, others.regions);
        planner.page(path, &entry, Page::read(page, &regions), &regions);
    }
    blame::attribute(&planner.drifted, &mut planner.plan.findings, sources, |_| UpToDate::default());
    planner.plan
}

struct Planner<'a> {
    config: &'a Config,
    sources: &'a Sources,
    disk: Disk<'a>,
    plan: Plan,
    /// The outdated and edited outputs so far.
    drifted: Vec<Drifted>,
}

impl<'a> Planner<'a> {
    fn new(config: &'a Config, sources: &'a Sources) -> Self {
        Planner { config, sources, disk: Disk::new(&config.root), plan: Plan::new(&config.root, &config.command), drifted: Vec::new() }
    }

    fn fail(&mut self, path: &str, verb: &'static str, why: impl ToString) {
        self.plan.failures.push(Failure::new(path, verb, why));
    }

    /// Classifies files with the names of temporary files.
    fn leftovers(&mut self, temporary: BTreeMap<String, PathBuf>) {
        self.plan.leftovers = temporary.into_iter().map(|(path, full)| Leftover::new(path, full)).collect();
        let unknown = self.plan.leftovers.iter().filter_map(|it| match &it.state {
            State::Unknown(of) => Some((
                it.path.clone(),
                format!("an interrupted run left this copy of `{of}`; it may contain your edit: compare, then delete it"),
            )),
            _ => None,
        });
        let unknown: Vec<_> = unknown.collect();
        unknown.into_iter().for_each(|(path, why)| self.fail(&path, "remove", why));
    }

    /// Explains why a file named for removal is not removed.
    fn check_removals(&mut self, expected: &BTreeSet<&str>) {
        for path in &self.config.remove {
            if !self.plan.findings.iter().any(|it| it.kind == Kind::Orphaned && it.path == *path) {
                let is_output = expected.contains(path.as_str());
                let why = if is_output { "it is an output" } else { "the check does not report it as orphaned" };
                self.plan.failures.push(Failure { is_misuse: true, ..Failure::new(path, "remove", why) });
            }
        }
    }

    /// Checks the constraints on paths.
    fn check_paths<T>(&mut self, files: &[(String, T)], paths: &BTreeSet<&str>) {
        let mut seen = BTreeSet::new();
        for path in files.iter().map(|(path, _)| path.as_str()) {
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
    }

    /// Refuses outputs that have too many bytes together. Nothing else is reported, because some texts were dropped.
    fn too_much(&mut self, files: &[(String, PendingFile<'_>)], compared: &[(usize, Compared<'_>)], limit: usize) {
        let n_bytes: usize = compared.iter().map(|it| it.0).sum();
        let largest = files.iter().zip(compared).max_by_key(|(_, (size, _))| *size);
        let Some(((output, pending), (size, _))) = largest else { return };
        let spec = pending.origin.map_or(output.as_str(), |it| self.sources.get(it.source).path());
        let why = format!("all outputs have {n_bytes} bytes; {limit} are allowed; `{output}` has {size} of them");
        self.fail(spec, "generate the outputs of", why);
    }

    /// Renders a whole file and compares it; the size of the text, and the result. The text is dropped when all texts so
    /// far exceed the limit.
    fn compare<'o>(
        &self,
        path: &str,
        pending: &PendingFile<'o>,
        checked: &Result<(), Failure>,
        n_bytes: &AtomicUsize,
        limit: usize,
    ) -> (usize, Compared<'o>) {
        let rendered = pending.render();
        let size = rendered.as_ref().map_or(0, |it| it.text.len());
        if n_bytes.fetch_add(size, Ordering::Relaxed).saturating_add(size) > limit {
            return (size, Compared::Failed(Vec::new()));
        }
        (size, self.compare_rendered(path, rendered, checked))
    }

    fn compare_rendered<'o>(&self, path: &str, rendered: Result<Rendered<'o>, RenderError>, checked: &Result<(), Failure>) -> Compared<'o> {
        let rendered = rendered.map_err(|error| Failure::not_rust(path, &error));
        let seen = checked.clone().and_then(|()| self.disk.read(path));
        let (rendered, seen) = match (rendered, seen) {
            (Ok(rendered), Ok(seen)) => (rendered, seen),
            (rendered, seen) => return Compared::Failed(rendered.err().into_iter().chain(seen.err()).collect()),
        };
        let Rendered { text, specs, blame } = rendered;
        let Some(expected) = header::stamp(path, &text, &header::paths(&specs, self.sources), &self.config.command) else {
            return Compared::Failed(vec![Failure::new(path, "generate", "there is no place for a header in this kind of file")]);
        };
        match &seen {
            Some(it) if expected.is(it) || expected.is(&with_lf(it)) => Compared::Same,
            _ => {
                let lacks_header = seen.as_deref().is_some_and(|it| *with_lf(it) == *text.as_bytes());
                Compared::Different(Box::new(Different { expected: expected.to_string(), seen, lacks_header, specs, blame }))
            }
        }
    }

    /// Records the comparison of a whole file.
    fn file(&mut self, path: &str, origin: Option<Span>, compared: Compared<'_>) {
        let Different { seen, expected, lacks_header, specs: ids, blame } = match compared {
            Compared::Failed(failures) => return self.plan.failures.extend(failures),
            Compared::Same => return self.plan.n_checked += 1,
            Compared::Different(it) => *it,
        };
        self.plan.n_checked += 1;
        let specs = header::paths(&ids, self.sources);
        let disk = seen.as_deref().map(with_lf);
        let header = disk.as_deref().and_then(header::read);
        let intact = header.as_ref().is_some_and(|it| it.intact);
        let (kind, message) = match (&disk, &header) {
            (None, _) => (Kind::Missing, format!("{path} does not exist")),
            (Some(_), _) if intact => (Kind::Stale, format!("{path} is out of date")),
            // Adding only the header loses nobody's work.
            (Some(_), None) if lacks_header => (Kind::Stale, format!("{path} has no header yet")),
            (Some(_), Some(_)) => (Kind::Edited, format!("{path} was changed by hand (its digest does not match its contents)")),
            (Some(_), None) => (Kind::Edited, format!("{path} was written by hand (it has no header of ours)")),
        };
        let found = String::from_utf8_lossy(disk.as_deref().unwrap_or_default()).into_owned();
        // The digest depends on the text, so it is noise unless it is the only difference.
        let quiet = header.and_then(|it| it.digest).map(|it| header::with_digest(&expected, it)).filter(|it| *it != found);
        let texts = Texts { found, expected: quiet.unwrap_or_else(|| expected.clone()), first_line: 1, origin: header::origin(&specs) };
        let fix = if kind == Kind::Edited { Fix::Force } else { Fix::Command };
        let is_missing = kind == Kind::Missing;
        if !is_missing {
            self.drifted.push(Drifted { finding_idx: self.plan.findings.len(), specs: ids, blame: blame() });
        }
        self.plan.findings.push(Finding {
            kind,
            path: path.to_owned(),
            line: None,
            region: None,
            message,
            places: origin.filter(|_| is_missing).map(|it| (Place::Spec(it, "comes from here"), None)).into_iter().collect(),
            drifted_line: if is_missing { None } else { blame::drifted_line(&texts) },
            shows: None,
            texts: Some(texts),
            fix,
        });
        let full = self.config.root.join(path);
        let action = Action::Write(expected.into_bytes());
        self.plan.changes.push(Change { path: path.to_owned(), full, seen: seen.into(), action, keeps_words: false });
    }

    /// Records the comparison of the regions of a hand-written page.
    fn page(&mut self, path: &str, entry: &Entry, page: Page<'_>, regions: &Regions<'_>) {
        let differences = page.differences(path, entry, regions, self.sources, &mut self.plan.pages);
        self.plan.n_checked += differences.n_checked;
        self.plan.failures.extend(differences.failures);
        let n_before = self.plan.findings.len();
        self.drifted.extend(differences.drifted.into_iter().map(|it| Drifted { finding_idx: n_before + it.finding_idx, ..it }));
        self.plan.findings.extend(differences.findings);
        self.plan.changes.extend(differences.change);
    }

    fn orphan(&mut self, path: &str, entry: &Entry, seen: Seen) {
        if self.sources.find(path).is_some() {
            return self.fail(
                path,
                "remove",
                "it is a spec, and `owned` says that everything in its folder is generated; name the folders of outputs there",
            );
        }
        let disk = match &seen {
            Seen::File(bytes) => Some(with_lf(bytes)),
            _ => None,
        };
        let header = disk.as_deref().and_then(header::read);
        let (message, fix) = match &header {
            Some(it) if it.intact => (format!("{path} has no spec any more (was {})", it.origin), Fix::Command),
            Some(it) => (format!("{path} has no spec any more (was {}), and was changed by hand", it.origin), Fix::Force),
            None => (format!("{path} comes from no spec, and everything in its folder is generated"), Fix::Remove),
        };
        let fix = if self.config.remove.iter().any(|it| it == path) { Fix::Command } else { fix };
        // The spec may still exist and provide other outputs.
        let spec = header.iter().flat_map(|it| it.origin.split(", ")).find_map(|spec| self.sources.find(spec));
        let places = spec.map(|it| (Place::WholeSpec(it), None)).into_iter().collect();
        let origin = header.map_or_else(|| "no spec".to_owned(), |it| it.origin);
        let texts =
            disk.map(|it| Texts { found: String::from_utf8_lossy(&it).into_owned(), expected: String::new(), first_line: 1, origin });
        self.plan.findings.push(Finding {
            kind: Kind::Orphaned,
            path: path.to_owned(),
            line: None,
            region: None,
            message,
            places,
            drifted_line: None,
            shows: None,
            texts,
            fix,
        });
        let full = entry.full.clone();
        self.plan.changes.push(Change { path: path.to_owned(), full, seen, action: Action::Remove, keeps_words: false });
    }
}

/// A file at a path that no output has.
enum Inspected<'a> {
    Orphan(Seen),
    /// A hand-written page that may have regions.
    Page(Page<'a>),
    NoneOfOurs,
    /// It has markers, but its regions are not generated.
    NotServed,
    Unreadable(Failure),
}

/// Whether a path ends in one of the extensions, ignoring ASCII case.
fn has_extension(path: &str, extensions: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, it)| extensions.iter().any(|extension| it.eq_ignore_ascii_case(extension)))
}

fn inspect<'a>(path: &str, entry: &Entry, regions: &Regions<'a>) -> Inspected<'a> {
    if !entry.plain {
        return match Seen::now(&entry.full) {
            _ if !entry.owned => Inspected::NoneOfOurs,
            Ok(seen) => Inspected::Orphan(seen),
            Err(error) => Inspected::Unreadable(Failure::new(path, "read", error)),
        };
    }
    let is_page = has_extension(path, &["md", "markdown"]);
    // MDX has no comments of this form, but a renamed page may still have regions.
    let is_mdx = has_extension(path, &["mdx"]);
    let read = || -> std::io::Result<(bool, Vec<u8>)> {
        let mut file = File::open(&entry.full)?;
        let mut bytes = Vec::new();
        (&mut file).take(header::HEAD_LEN).read_to_end(&mut bytes)?;
        let is_ours = entry.owned || header::begins(&bytes);
        // An image among the pages may be large; its first bytes suffice to skip it.
        if is_ours || is_page || is_mdx {
            file.read_to_end(&mut bytes)?;
        }
        Ok((is_ours, bytes))
    };
    match read() {
        Err(error) => Inspected::Unreadable(Failure::new(path, "read", error)),
        Ok((true, bytes)) => Inspected::Orphan(Seen::File(bytes)),
        Ok((false, bytes)) if is_page && marker::mentions_in_wide_letters(&bytes) => {
            Inspected::Unreadable(Failure::new(path, "read", "it is not UTF-8 but a wider encoding, and has regions; save it as UTF-8"))
        }
        Ok((false, bytes)) if is_mdx && marker::has_marker(&bytes) => Inspected::NotServed,
        Ok((false, bytes)) if is_page && marker::mentions(&bytes) => Inspected::Page(Page::read(bytes, regions)),
        Ok(_) => Inspected::NoneOfOurs,
    }
}
