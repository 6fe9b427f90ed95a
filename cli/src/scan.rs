//! `scan`: the state machines of a repository, and where their sources disagree.

use std::io;
use std::path::PathBuf;

use statespec_codegen::diagnostic::{Diagnostic, Style};
use statespec_codegen::project::Project;
use statespec_codegen::report::{Report, Status};
use statespec_codegen::source::Sources;
use statespec_codegen::{sync, walk};
use statespec_rust::root::{FILE, Root};
use statespec_scan::{Found, Known, Scan, read, scan};

use crate::args::ScanArgs;
use crate::offer::{Offer, offers, patch};

/// Scans files and folders: a table for each group of sources that disagree, and each disagreement as a finding.
pub(crate) fn run(root: &Root, args: &ScanArgs) -> Report {
    let project = match crate::open(root) {
        Ok(project) => project,
        Err(problem) => return problem,
    };
    let Scanned { sources, found, known, problems, n_files, unread } = match scanned(&project, args) {
        Ok(scanned) => scanned,
        Err(problem) => return problem,
    };
    let mut text = found.tables(&sources, args.all);
    for (path, error) in &unread {
        text.push_str(&format!("cannot read `{path}`: {error}\n"));
    }
    for name in known.unknown(&found.statements) {
        text.push_str(&format!("`{name}` in `[scan]` of {FILE} is no machine that was found\n"));
    }
    text.push_str(&found.summary(n_files));
    let status = if found.n_sure() > 0 { Status::Findings } else { Status::Clean };
    let mut findings: Vec<Diagnostic> = found.findings();
    findings.extend(problems.into_iter().filter(|_| args.all));
    Report { status, ..Report::clean(text).after(&sources, &findings, Style::Colour) }
}

/// Offers markers for the texts that agree with a spec: the patch, and what it does.
pub(crate) fn guard(root: &Root, args: &ScanArgs) -> Result<(String, Report), Report> {
    let project = crate::open(root)?;
    let loaded = crate::load(&project)?;
    let model = crate::model(&loaded)?;
    let Scanned { sources, found, .. } = scanned(&project, args)?;
    let offers = offers(&found, &sources, model);
    let mut text = String::new();
    for Offer { subject, path, line, .. } in &offers {
        text.push_str(&format!("{path}:{line} agrees with `{subject}`\n"));
    }
    text.push_str(match offers.len() {
        0 => "no text without markers agrees with a spec of the project\n",
        _ => "apply the patch with `git apply`; from then on, `check` compares these texts\n",
    });
    Ok((patch(&offers, &sources), Report::clean(text)))
}

/// What was read, and what was found in it.
struct Scanned {
    sources: Sources,
    found: Scan,
    known: Known,
    problems: Vec<Diagnostic>,
    n_files: usize,
    unread: Vec<(String, io::Error)>,
}

fn scanned(project: &Project, args: &ScanArgs) -> Result<Scanned, Report> {
    let (root, config) = (&project.root, &project.config.scan);
    let paths = places(root, &args.paths)?.iter().flat_map(|it| walk::files(&root.folder, it)).collect();
    let ignored = |path: &str| {
        config.ignore.iter().any(|it| path.strip_prefix(it.as_str()).is_some_and(|it| it.is_empty() || it.starts_with(['/', '#'])))
    };
    let Found { sources, statements, problems, n_files, unread } = read(&root.folder, paths, &ignored, sync::regions);
    let known = Known { excerpts: config.excerpts.clone(), same: config.same.clone(), different: config.different.clone() };
    let found = scan(statements, &sources, &known);
    Ok(Scanned { sources, found, known, problems, n_files, unread })
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
