//! `scan`: the state machines of a repository, and where their sources disagree.

use std::path::PathBuf;

use statespec_codegen::diagnostic::{Diagnostic, Style};
use statespec_codegen::report::{Report, Status};
use statespec_codegen::root::{FILE, Root};
use statespec_codegen::scan::{Found, Known, read, scan};

use crate::args::ScanArgs;

/// Scans files and folders: a table for each group of sources that disagree, and each disagreement as a finding.
pub(crate) fn run(root: &Root, args: &ScanArgs) -> Report {
    let config = match crate::open(root) {
        Ok(project) => project.config.scan,
        Err(problem) => return problem,
    };
    let places = match places(root, &args.paths) {
        Ok(places) => places,
        Err(problem) => return problem,
    };
    let ignored = |path: &str| {
        config.ignore.iter().any(|it| path.strip_prefix(it.as_str()).is_some_and(|it| it.is_empty() || it.starts_with(['/', '#'])))
    };
    let Found { sources, statements, problems, n_files, unread } = read(&root.folder, &places, &ignored);
    let known = Known { excerpts: config.excerpts, same: config.same, different: config.different };
    let found = scan(statements, &sources, &known);
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
