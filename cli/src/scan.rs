//! `scan`: the state machines of a repository, and which of them may be one; and the part of `check` that compares those that are
//! confirmed as one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use statespec_codegen::config::Lacks;
use statespec_codegen::diagnostic::{Code, Diagnostic, Style};
use statespec_codegen::expect::watched;
use statespec_codegen::project::Project;
use statespec_codegen::report::{Annotation, Report, diff_of_draft};
use statespec_codegen::source::{Sources, Span};
use statespec_codegen::sync::{self, Failure, Made, Refusal, plan_files};
use statespec_codegen::walk;
use statespec_lang::read::Text;
use statespec_rust::root::{FILE, Root};
use statespec_scan::compare::Fact;
use statespec_scan::{Confirmed, Found, Meant, Scan, Unfound, read, scan};

use crate::args::ScanArgs;
use crate::offer::{Offer, offers};
use crate::pointed::pointed;

/// The number of candidate groups that are shown without `--all`.
const N_SHOWN: usize = 20;

/// What follows a list of candidates.
const HINT: &str = "`scan --confirm` records which sources are one; `check` compares these, and exits with 100 if they differ\n";

/// What was read, and what was found in it.
pub(crate) struct Scanned {
    pub(crate) sources: Sources,
    pub(crate) found: Scan,
    pub(crate) n_files: usize,
    problems: Vec<Diagnostic>,
    unread: Vec<Failure>,
    /// The findings about `[[source]]`, with places in the configuration.
    not_pointed: Vec<Diagnostic>,
}

/// Scans the files and folders, or the whole project.
pub(crate) fn read_all(project: &Project, paths: &[PathBuf]) -> Result<Scanned, Report> {
    Ok(scanned(project, &places(&project.root, paths)?))
}

/// The candidates for people. Nothing of it is a finding: whether two sources are one, a person says.
pub(crate) fn report(project: &Project, scanned: &Scanned, all: bool) -> Report {
    let Scanned { sources, found, n_files, problems, unread, not_pointed } = scanned;
    let mut text = found.text(sources, if all { usize::MAX } else { N_SHOWN });
    text.extend(unread.iter().map(|it| format!("{it}\n")));
    text.push_str(&found.summary(*n_files));
    if !found.candidates.is_empty() {
        text.push_str(HINT);
    }
    let problems: &[Diagnostic] = if all { problems } else { &[] };
    let report = Report::clean(text).after(sources, problems, Style::Colour);
    let status = report.status;
    // `check` makes a finding of them.
    Report { status, ..report.after(&project.files, not_pointed, Style::Colour) }
}

/// The help for a file that gets no markers although its texts agree with a spec.
const UNMARKED: &str = "change what the message names, then run the command again; or write the markers by hand";

/// Markers for the texts that agree with a spec: a diff for each file, or the markers in the files themselves. A file that
/// cannot be marked does not keep the others from being marked.
pub(crate) fn guard(root: &Root, args: &ScanArgs) -> Result<Report, Report> {
    let project = crate::open(root)?;
    let loaded = crate::load(&project)?;
    let model = crate::model(&loaded)?;
    let (folder, config) = (&project.root.folder, &project.config);
    let places = places(root, &args.paths)?;
    // The specs are read in any case: the texts are compared with them.
    let Scanned { sources, found, unread, .. } = scanned(&project, &[&places[..], &config.specs].concat());
    let mut watched = watched(folder, config.expect.as_deref());
    watched.retain(|path| places.iter().any(|it| is_below(path, it)));
    let (mut text, mut made, mut failures) = (String::new(), Vec::new(), Vec::new());
    let (mut n_files, mut n_texts) = (0, 0);
    for offer in offers(&found, &sources, model, &project.own_forms(&loaded.sources), &watched) {
        match mark(&offer, folder, &sources, args.write) {
            Ok((diff, written)) => {
                text.push_str(&format!("{offer}{diff}"));
                made.extend(written);
                n_files += 1;
                n_texts += offer.pairs.len();
            }
            Err(why) => failures.extend(why),
        }
    }
    let what = format!("markers around {} in {}", count(n_texts, "text"), count(n_files, "file"));
    text.push_str(&match (n_files, args.write) {
        (0, _) if failures.is_empty() => "no text without markers agrees with a spec of the project\n".to_owned(),
        (0, _) => String::new(),
        (_, true) => format!("wrote {what}; from now on, `check` compares them\n"),
        (_, false) => format!("`scan --guard --write` writes {what}; from then on, `check` compares them\n"),
    });
    text.extend(unread.iter().map(|it| format!("{it}\n")));
    if failures.is_empty() {
        return Ok(Report { made, ..Report::clean(text) });
    }
    let failed = Report::of_failures(&failures, Style::Colour);
    let helped = |it: Annotation| Annotation { help: Some(UNMARKED.to_owned()), ..it };
    let annotations = failed.annotations.into_iter().map(helped).collect();
    Ok(Report { text: format!("{text}{}help: {UNMARKED}\n", failed.text), annotations, made, ..failed })
}

/// Writes the markers into one file; or only makes the diff, which a run that writes does not show.
fn mark(offer: &Offer, folder: &Path, sources: &Sources, write: bool) -> Result<(String, Vec<Made>), Vec<Failure>> {
    let draft = offer.draft(folder, sources).map_err(|it| vec![it])?;
    let diff = if write { String::new() } else { diff_of_draft(&draft, Style::Colour) };
    let plan = plan_files(folder, vec![draft]);
    if write {
        let applied = plan.apply(false).map_err(Refusal::failures)?;
        return Ok((diff, plan.made(&applied)));
    }
    if plan.failures.is_empty() { Ok((diff, Vec::new())) } else { Err(plan.failures) }
}

/// The part of `check` about sources that are confirmed as one: every difference that is not meant, and every source that is gone.
pub(crate) fn check(project: &Project) -> Report {
    let confirmed = confirmed(project);
    let files = files(project);
    let is_about = |it: &String| project.focus.as_ref().is_none_or(|focus| focus.has(it) || focus.has(FILE));
    if !files.iter().any(is_about) {
        return Report::clean("");
    }
    // A source can depend on other files of its language: enums of Rust that another file declares, migrations.
    let together = |path: &str| [".rs", ".sql"].into_iter().find(|it| path.ends_with(it));
    let needed: BTreeSet<&str> = files.iter().filter_map(|it| together(it)).collect();
    let mut paths = walk::files(&project.root.folder, "");
    paths.retain(|path| files.contains(path) || together(path).is_some_and(|it| needed.contains(it)));
    let (found, not_pointed) = read_paths(project, paths, &|_| true);
    let (enforced, not_needed) = confirmed.enforce(&found.statements);
    let enforced: Vec<_> = enforced.into_iter().filter(|it| it.members.iter().any(|it| is_about(&found.statements[*it].path))).collect();
    let findings: Vec<Diagnostic> = enforced.iter().flat_map(|it| it.findings()).collect();
    let mut in_configuration = not_pointed;
    let mut told = BTreeSet::new();
    for name in names(project) {
        if let Err(unfound) = confirmed.find(&found.statements, &name.value)
            && told.insert(&name.value)
        {
            in_configuration.push(gone(project, name.span, &unfound, &found));
        }
    }
    let meant = not_needed.into_iter().map(|idx| {
        let written = &project.config.scan.meant[idx];
        let (Lacks::State(what) | Lacks::Edge(what) | Lacks::Start(what)) = &written.lacks;
        let message = format!("`{}` does not lack `{}`: this entry is not needed any more", written.source.value, what.value);
        Diagnostic::new(Code::CompareMeant, what.span, message).help("remove the table")
    });
    in_configuration.extend(meant.filter(|_| project.focus.is_none()));
    let n_sources: usize = enforced.iter().map(|it| it.members.len()).sum();
    let n_in_part = enforced.iter().flat_map(|it| &it.members).filter(|it| found.statements[**it].partial).count();
    let mut text = String::new();
    if n_sources > 0 {
        let result = if findings.is_empty() { "all agree".to_owned() } else { count(findings.len(), "difference") };
        text = format!("compared {n_sources} sources in {}: {result}\n", count(enforced.len(), "confirmed group"));
    }
    if n_in_part > 0 {
        text.push_str(&format!(
            "{n_in_part} of them read in part: what these lack is no difference; `scan --all` tells what is not read\n"
        ));
    }
    Report::clean(text).after(&found.sources, &findings, Style::Colour).after(&project.files, &in_configuration, Style::Colour)
}

/// The finding about a name that stands for no source.
fn gone(project: &Project, span: Span, unfound: &Unfound, found: &Found) -> Diagnostic {
    let Unfound { name, others, is_ambiguous } = unfound;
    let path = name.rsplit_once('#').map_or(name.as_str(), |it| it.0);
    let listed = || others.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
    let unread = found.unread.iter().find(|it| it.0 == path);
    let problem = || found.problems.iter().find(|it| found.sources.get(it.primary.0.source).path() == path);
    let message = match (unread, others.is_empty()) {
        _ if *is_ambiguous => format!("`{path}` has several sources that `{name}` can mean: {}", listed()),
        (Some((_, error)), _) => format!("`{path}` cannot be read: {error}"),
        (None, false) => format!("there is no source `{name}` any more; the file has {}", listed()),
        (None, true) if !project.root.folder.join(path).exists() => format!("there is no file `{path}` any more"),
        (None, true) => match problem() {
            Some(problem) => format!("nothing is read of `{path}` any more: {}", problem.message),
            None => format!("nothing is read of `{path}` any more"),
        },
    };
    Diagnostic::new(Code::CompareGone, span, message).help("correct the name, point at the source with `[[source]]`, or remove the name")
}

/// The files with sources that the configuration names.
fn files(project: &Project) -> BTreeSet<String> {
    let path = |it: &Text| it.value.rsplit_once('#').map_or(it.value.clone(), |it| it.0.to_owned());
    let pointed = project.config.scan.sources.iter().map(|it| it.file.value.clone());
    names(project).map(path).chain(pointed).collect()
}

/// Whether a file has a source that the configuration names.
pub(crate) fn is_confirmed(project: &Project, path: &str) -> bool {
    files(project).contains(path)
}

/// The names of sources in the configuration.
fn names(project: &Project) -> impl Iterator<Item = &Text> {
    let it = &project.config.scan;
    let lists = it.same.iter().chain(&it.different).flatten();
    lists.chain(&it.excerpts).chain(it.meant.iter().map(|it| &it.source))
}

/// What the configuration confirms.
pub(crate) fn confirmed(project: &Project) -> Confirmed {
    let config = &project.config.scan;
    let texts = |list: &Vec<Text>| list.iter().map(|it| it.value.clone()).collect::<Vec<String>>();
    let meant = config.meant.iter().map(|it| {
        let (fact, words) = match &it.lacks {
            Lacks::State(it) => (Fact::State, it),
            Lacks::Edge(it) => (Fact::Edge, it),
            Lacks::Start(it) => (Fact::Start, it),
        };
        Meant { source: it.source.value.clone(), fact, words: words.value.clone() }
    });
    Confirmed {
        excerpts: texts(&config.excerpts),
        same: config.same.iter().map(texts).collect(),
        different: config.different.iter().map(texts).collect(),
        meant: meant.collect(),
    }
}

fn scanned(project: &Project, places: &[String]) -> Scanned {
    let paths = places.iter().flat_map(|it| walk::files(&project.root.folder, it)).collect();
    let is_in = |path: &str| places.iter().any(|place| is_below(path, place));
    let (Found { sources, statements, problems, n_files, unread }, not_pointed) = read_paths(project, paths, &is_in);
    let unread = unread.into_iter().map(|(path, error)| Failure::new(&path, "read", error)).collect();
    let found = scan(statements, &sources, &confirmed(project));
    Scanned { sources, found, n_files, problems, unread, not_pointed }
}

/// The sources of files, those included at which the configuration points, and findings about the latter.
fn read_paths(project: &Project, paths: Vec<String>, is_meant: &dyn Fn(&str) -> bool) -> (Found, Vec<Diagnostic>) {
    let (folder, config) = (&project.root.folder, &project.config.scan);
    let ignored = |path: &str| {
        config.ignore.iter().any(|it| path.strip_prefix(it.as_str()).is_some_and(|it| it.is_empty() || it.starts_with(['/', '#'])))
    };
    let mut found = read(folder, paths, &ignored, sync::regions);
    let mut findings = Vec::new();
    for it in config.sources.iter().filter(|it| is_meant(&it.file.value)) {
        let failed = match pointed(it) {
            Ok(pointed) => found.point(folder, &[pointed]).pop().map(|it| it.1),
            Err(why) => Some(why),
        };
        let finding = |why: String| {
            let help = "`scan --source` shows what is read of it";
            Diagnostic::new(Code::CompareGone, it.file.span, format!("this source cannot be read: {why}")).help(help)
        };
        findings.extend(failed.map(finding));
    }
    (found, findings)
}

/// Whether a path is a place or below it; the empty place is the root.
fn is_below(path: &str, place: &str) -> bool {
    path.strip_prefix(place).is_some_and(|it| place.is_empty() || it.is_empty() || it.starts_with('/'))
}

/// The paths from the root of the project.
fn places(root: &Root, paths: &[PathBuf]) -> Result<Vec<String>, Report> {
    if paths.is_empty() {
        return Ok(vec![String::new()]);
    }
    let place = |path: &PathBuf| match crate::in_project(root, path).filter(|_| path.exists()) {
        Some(place) => Ok(place),
        None => Err(Report::of_misuse(&format!("`{}` is no file or folder of the project; {}", path.display(), root.note()))),
    };
    paths.iter().map(place).collect()
}

pub(crate) fn count(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}
