//! `compare`: two sources of the same machine, side by side.

use std::fs;
use std::path::Path;

use statespec_codegen::diagnostic::{Diagnostic, Level, Style};
use statespec_codegen::report::{Report, Status};
use statespec_codegen::source::Sources;
use statespec_scan::compare::{Statement, compare, is_same};
use statespec_scan::read_source;

use crate::args::CompareArgs;

/// Compares two sources: the facts of both for people, and each disagreement as a finding.
pub(crate) fn run(args: &CompareArgs) -> Report {
    let mut sources = Sources::default();
    match [&args.first, &args.second].map(|it| find(it, &mut sources)) {
        [Ok((first, mut problems)), Ok((second, more))] => {
            let comparison = compare(&[&first, &second]);
            problems.extend(more);
            let agrees = comparison.disagreements().next().is_none();
            problems.extend(comparison.findings());
            let report = Report::clean(comparison.text(&sources)).after(&sources, &problems, Style::Colour);
            Report { status: if agrees { Status::Clean } else { Status::Findings }, ..report }
        }
        [Err(problem), _] | [_, Err(problem)] => problem,
    }
}

/// The machine of `PATH` or `PATH#NAME`, and what of its source a comparison could miss.
fn find(named: &str, sources: &mut Sources) -> Result<(Statement, Vec<Diagnostic>), Report> {
    let (path, name) = match named.rsplit_once('#') {
        Some((path, name)) if fs::metadata(named).is_err() => (path, Some(name)),
        _ => (named, None),
    };
    let text = crate::read_text(path)?;
    let id = sources.add(path, &text);
    let read = read_source(Path::new(""), sources, id);
    if read.problems.iter().any(|it| it.code.level() == Level::Error) {
        return Err(Report::stopped("").after(sources, &read.problems, Style::Colour));
    }
    let choices: Vec<String> = read.found.iter().map(|it| format!("`{}`", it.place())).collect();
    let mut found: Vec<Statement> = read.found.into_iter().filter(|it| name.is_none_or(|name| is_same(&it.name, name))).collect();
    // What a page says once more is compared where it is named.
    if name.is_none() && found.iter().any(|it| !it.again) {
        found.retain(|it| !it.again);
    }
    match (found.len(), choices.as_slice()) {
        (1, _) => Ok((found.remove(0), read.problems)),
        (_, []) => Err(Report::of_error(&format!("`{path}` states no machine"))),
        (0, choices) => Err(Report::of_misuse(&format!("`{path}` has no machine of that name; there are: {}", choices.join(", ")))),
        (_, choices) => Err(Report::of_misuse(&format!("`{path}` has several machines; name one of {}", choices.join(", ")))),
    }
}
