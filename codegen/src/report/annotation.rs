//! One thing that was found, without any trace of which stage found it.

use serde::{Serialize, Serializer};
use statespec_lang::diagnostic::{Code, Diagnostic, Level};
use statespec_lang::source::{Sources, Span};

use super::cause::Cause;
use crate::sync::{self, Failure, Finding, Plan, Texts};

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Annotation {
    /// The stable code; omitted if the run could not start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// The level: `error` or `warning`.
    pub level: &'static str,
    /// The problem, in one sentence without a full stop at the end.
    pub message: String,
    /// The place to blame: a line of a spec if there is one.
    pub place: Place,
    /// The text shown at that place; may be empty.
    pub label: String,
    /// The suggested fix.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Other places that explain the finding.
    pub related: Vec<Related>,
    /// The steps of a shortest trace to the problem, as texts; empty if there is none.
    pub way: Vec<String>,
    /// The outputs that differ for this reason, sorted; empty if the finding is not about outputs.
    pub outputs: Vec<Drift>,
}

/// A range in a file. Lines and columns count from 1, columns in Unicode characters; the end is after the last character.
/// An empty range at the beginning of a file means the whole file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Place {
    /// The file, relative to the project's root (with several projects, to the top of the repository), with forward slashes.
    pub file: String,
    /// The first line; 1 if the finding is about the whole file, or if the line cannot be told.
    pub line: usize,
    /// The first column.
    pub column: usize,
    /// The line of the end.
    pub end_line: usize,
    /// The column of the end.
    pub end_column: usize,
}

/// Another place, with a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Related {
    /// The place.
    pub place: Place,
    /// The text shown there.
    pub label: String,
}

/// An output that differs from the specs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Drift {
    /// The output, as `place.file` names files.
    pub file: String,
    /// The line of the region or marker in the page, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The first line of the file that differs for this reason; omitted if the file does not exist or should not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drifted_line: Option<usize>,
    /// The region of the page, if the finding is not about the whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// The unified diff from the disk to the expected text, without file names; omitted if one of them is empty.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "unified")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub diff: Option<Texts>,
    /// The command that fixes it; omitted if only a person can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

/// Only the JSON form shows the diff, so other printers do not compute it.
fn unified<S: Serializer>(texts: &Option<Texts>, serializer: S) -> Result<S::Ok, S::Error> {
    texts.as_ref().map(super::diff::diff_of).serialize(serializer)
}

impl Place {
    /// The place of a span.
    pub fn of(sources: &Sources, span: Span) -> Self {
        let source = sources.get(span.source);
        let (line, column) = source.line_column(span.start as usize);
        let (end_line, end_column) = source.line_column((span.end as usize).max(span.start as usize));
        Place { file: source.path().to_owned(), line, column, end_line, end_column }
    }

    /// Whether it means the file as a whole.
    pub fn is_whole_file(&self) -> bool {
        (self.line, self.column, self.end_line, self.end_column) == (1, 1, 1, 1)
    }

    /// A line of a file, or its first one for the whole file.
    pub(super) fn line(file: &str, line: usize) -> Self {
        Place { file: file.to_owned(), line, column: 1, end_line: line, end_column: 1 }
    }
}

impl Annotation {
    /// The same annotation, seen from a folder above the project.
    pub(super) fn below(mut self, project: &str) -> Self {
        let places = std::iter::once(&mut self.place).chain(self.related.iter_mut().map(|it| &mut it.place));
        let files = places.map(|it| &mut it.file).chain(self.outputs.iter_mut().map(|it| &mut it.file));
        for file in files.filter(|_| !project.is_empty()) {
            *file = if file == "." { project.to_owned() } else { format!("{project}/{file}") };
        }
        self
    }

    /// The annotation of a diagnostic about a spec or a page.
    pub fn of_diagnostic(sources: &Sources, diagnostic: &Diagnostic) -> Self {
        let (span, label) = &diagnostic.primary;
        let related = |(span, label): &(Span, String)| Related { place: Place::of(sources, *span), label: label.clone() };
        Annotation {
            code: Some(diagnostic.code.id()),
            level: level(diagnostic.level),
            message: diagnostic.message.clone(),
            place: Place::of(sources, *span),
            label: label.clone(),
            help: diagnostic.help.clone(),
            related: diagnostic.secondary.iter().map(related).collect(),
            way: Vec::new(),
            outputs: Vec::new(),
        }
    }

    /// The annotation of an error without a place in a file.
    pub(super) fn of_error(why: &str) -> Self {
        Annotation {
            code: None,
            level: "error",
            message: why.to_owned(),
            place: Place::line(".", 1),
            label: String::new(),
            help: None,
            related: Vec::new(),
            way: Vec::new(),
            outputs: Vec::new(),
        }
    }

    /// The annotation of a skipped part.
    pub(super) fn of_warning(path: &str, message: &str) -> Self {
        Annotation { level: "warning", place: Place::line(path, 1), ..Annotation::of_error(message) }
    }

    /// The annotation of a failed file operation.
    pub fn of_failure(failure: &Failure) -> Self {
        let annotation = Annotation::of_error(&failure.to_string());
        Annotation { code: failure.code.map(Code::id), place: Place::line(&failure.path, 1), ..annotation }
    }

    /// The problem, the remedy, the command and the trace, one a line.
    pub(super) fn full_message(&self) -> String {
        let mut text = self.message.clone();
        if let Some(help) = &self.help {
            text.push_str(&format!("\nhelp: {help}"));
        }
        if let Some(fix) = self.outputs.first().and_then(|it| it.fix.as_ref()) {
            text.push_str(&format!("\nfix: {fix}"));
        }
        for step in &self.way {
            text.push_str(&format!("\n{step}"));
        }
        text
    }

    /// The annotation of outputs that differ for one reason.
    pub(super) fn of_cause(plan: &Plan, sources: &Sources, cause: &Cause<'_>) -> Self {
        let outputs = cause.findings.iter().map(|(it, line)| Drift::of(plan, it, *line)).collect();
        let (first, _) = cause.findings[0];
        let (place, label) = match cause.place {
            Some(sync::Place::Spec(span, label)) => (Place::of(sources, *span), (*label).to_owned()),
            Some(sync::Place::WholeSpec(spec)) => (Place::line(sources.get(*spec).path(), 1), String::new()),
            Some(sync::Place::Page(diagnostic)) => {
                let annotation = Annotation::of_diagnostic(&plan.pages, diagnostic);
                return Annotation { outputs, ..annotation };
            }
            None => (Place::line(&first.path, first.drifted_line.or(first.line).unwrap_or(1)), String::new()),
        };
        let shown = |span: Span| Related { place: Place::of(sources, span), label: "the spec says this".to_owned() };
        Annotation {
            code: Some(cause.kind.code().id()),
            level: level(cause.kind.code().level()),
            message: cause.message(),
            place,
            label,
            help: super::drift::help(plan, first),
            related: first.shows.map(shown).into_iter().collect(),
            way: Vec::new(),
            outputs,
        }
    }
}

impl Drift {
    fn of(plan: &Plan, finding: &Finding, drifted_line: Option<usize>) -> Self {
        // If one side is empty the diff would only repeat the other side.
        let compared = finding.texts.as_ref().filter(|it| !it.found.is_empty() && !it.expected.is_empty());
        Drift {
            file: finding.path.clone(),
            line: finding.line,
            drifted_line,
            region: finding.region.clone(),
            diff: compared.cloned(),
            fix: super::drift::command_for(plan, finding),
        }
    }

    /// The line of the file to look at, counted from 1.
    pub(super) fn any_line(&self) -> Option<usize> {
        self.drifted_line.or(self.line)
    }
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
    }
}
