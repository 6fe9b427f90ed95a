//! `scan`: the state machines of a repository, and where their sources disagree.

use std::path::{Path, PathBuf};

use statespec_codegen::diagnostic::{Diagnostic, Style};
use statespec_codegen::expect::watched;
use statespec_codegen::project::Project;
use statespec_codegen::report::{Annotation, Report, Status, diff_of_draft};
use statespec_codegen::source::Sources;
use statespec_codegen::sync::{self, Failure, Made, Refusal, plan_files};
use statespec_codegen::walk;
use statespec_rust::root::{FILE, Root};
use statespec_scan::{Found, Known, Scan, read, scan};

use crate::args::ScanArgs;
use crate::offer::{Offer, offers};

/// Scans files and folders: a table for each group of sources that disagree, and each disagreement as a finding.
pub(crate) fn run(root: &Root, args: &ScanArgs) -> Report {
    let project = match crate::open(root) {
        Ok(project) => project,
        Err(problem) => return problem,
    };
    let Scanned { sources, found, known, problems, n_files, unread } = match places(root, &args.paths).map(|it| scanned(&project, &it)) {
        Ok(scanned) => scanned,
        Err(problem) => return problem,
    };
    let mut text = found.tables(&sources, args.all);
    text.extend(unread.iter().map(|it| format!("{it}\n")));
    for name in known.unknown(&found.statements) {
        text.push_str(&format!("`{name}` in `[scan]` of {FILE} is no machine that was found\n"));
    }
    text.push_str(&found.summary(n_files));
    let status = if found.n_sure() > 0 { Status::Findings } else { Status::Clean };
    let mut findings: Vec<Diagnostic> = found.findings();
    findings.extend(problems.into_iter().filter(|_| args.all));
    Report { status, ..Report::clean(text).after(&sources, &findings, Style::Colour) }
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
    let is_in =
        |path: &str, place: &str| path.strip_prefix(place).is_some_and(|it| place.is_empty() || it.is_empty() || it.starts_with('/'));
    let mut watched = watched(folder, config.expect.as_deref());
    watched.retain(|path| places.iter().any(|it| is_in(path, it)));
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
    let count = |n: usize, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
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

/// What was read, and what was found in it.
struct Scanned {
    sources: Sources,
    found: Scan,
    known: Known,
    problems: Vec<Diagnostic>,
    n_files: usize,
    unread: Vec<Failure>,
}

fn scanned(project: &Project, places: &[String]) -> Scanned {
    let (root, config) = (&project.root, &project.config.scan);
    let ignored = |path: &str| {
        config.ignore.iter().any(|it| path.strip_prefix(it.as_str()).is_some_and(|it| it.is_empty() || it.starts_with(['/', '#'])))
    };
    let paths = places.iter().flat_map(|it| walk::files(&root.folder, it)).collect();
    let Found { sources, statements, problems, n_files, unread } = read(&root.folder, paths, &ignored, sync::regions);
    let unread = unread.into_iter().map(|(path, error)| Failure::new(&path, "read", error)).collect();
    let known = Known { excerpts: config.excerpts.clone(), same: config.same.clone(), different: config.different.clone() };
    let found = scan(statements, &sources, &known);
    Scanned { sources, found, known, problems, n_files, unread }
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
