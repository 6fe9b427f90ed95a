//! A plan as text: a small letter to whoever must act.

use std::fmt::Write as _;

use annotate_snippets::{Group, Level as Severity, Renderer};

use super::diff::{self, BOLD, CYAN, GREEN, RED, paint};
use super::disk::{Failure, visible};
use super::finding::{Finding, Kind, Mend, Place};
use super::plan::Plan;
use crate::diagnostic::{Diagnostic, Style, render};
use crate::report::Annotation;
use crate::source::Sources;

/// How a report looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Whether diffs are shown to their last line.
    pub full_diff: bool,
    /// Plain text or colours.
    pub style: Style,
}

/// How long a diff gets where both sides have something to say, and where one side is empty.
const MAX_LINES: usize = 40;
const MAX_LINES_ONE_SIDED: usize = 8;

/// How many findings are drawn; the rest is listed.
const MAX_DRAWN: usize = 100;

impl Plan {
    /// Everything there is to say: each finding with its place, its diff and what mends it, then a summary.
    pub fn report(&self, sources: &Sources, look: Look) -> String {
        self.report_on(sources, look, |_| true)
    }

    /// A report on some of the findings.
    pub(super) fn report_on(&self, sources: &Sources, look: Look, wanted: impl Fn(&Finding) -> bool) -> String {
        let mut text = describe(&self.failures, look.style);
        let findings: Vec<&Finding> = self.findings.iter().filter(|it| wanted(it)).collect();
        for finding in findings.iter().take(MAX_DRAWN) {
            text.push_str(&self.draw(finding, sources, look));
            text.push('\n');
        }
        for finding in findings.iter().skip(MAX_DRAWN) {
            text.push_str(&title(look.style, finding, None));
        }
        if findings.is_empty() {
            return text;
        }
        let counts: Vec<String> = Kind::ALL
            .iter()
            .map(|kind| (findings.iter().filter(|it| it.kind == *kind).count(), kind.noun()))
            .filter(|(n_found, _)| *n_found > 0)
            .map(|(n_found, noun)| format!("{n_found} {noun}"))
            .collect();
        let n_findings = findings.len();
        let need = if n_findings == 1 { "output needs" } else { "outputs need" };
        let _ = writeln!(text, "{n_findings} {need} attention: {} ({} checked)", counts.join(", "), self.n_checked);
        let _ = writeln!(text, "{} {}", paint(look.style, BOLD, "fix:"), self.fix(&findings));
        text
    }

    /// The one command that mends these findings, and what must come before it.
    fn fix(&self, findings: &[&Finding]) -> String {
        let command = &self.command;
        let needs = |mend: Mend| findings.iter().any(|it| it.mend == mend);
        let by_hand = if needs(Mend::Hand) { "mend the markers by hand, then run " } else { "" };
        let force = if needs(Mend::Force) { " --force (it drops what was written by hand)" } else { "" };
        format!("{by_hand}{command}{force}")
    }

    /// The findings that are wanted, and all failures, as data.
    pub(super) fn annotations(&self, sources: &Sources, wanted: impl Fn(&Finding) -> bool) -> Vec<Annotation> {
        let failures = self.failures.iter().map(Annotation::of_failure);
        let findings = self.findings.iter().filter(|it| wanted(it)).map(|it| Annotation::of_finding(self, sources, it));
        failures.chain(findings).collect()
    }

    /// The command that mends a finding, unless only a person can.
    pub(crate) fn command_for(&self, finding: &Finding) -> Option<String> {
        match finding.mend {
            Mend::Command => Some(self.command.clone()),
            Mend::Force => Some(format!("{} --force", self.command)),
            Mend::Hand => None,
        }
    }

    /// The pages that findings about markers point into.
    pub(crate) fn pages(&self) -> &Sources {
        &self.pages
    }

    fn draw(&self, finding: &Finding, sources: &Sources, look: Look) -> String {
        let help = self.help(finding);
        let mut text = match &finding.place {
            Some(Place::Spec(span, label)) => {
                let mut diagnostic = Diagnostic::new(finding.kind.code(), *span, visible(&finding.message)).label(*label);
                diagnostic.help = help;
                render(sources, &[diagnostic], look.style)
            }
            Some(Place::Page(diagnostic)) => render(&self.pages, std::slice::from_ref(&**diagnostic), look.style),
            None => title(look.style, finding, help.as_deref()),
        };
        text.truncate(text.trim_end().len());
        text.push('\n');
        if let Some(texts) = &finding.texts {
            let path = visible(&finding.path);
            let one_sided = texts.found.is_empty() || texts.expected.is_empty();
            let max_lines = if one_sided { MAX_LINES_ONE_SIDED } else { MAX_LINES };
            let old = paint(look.style, RED, &format!("--- {path} (on the disk)"));
            let new = paint(look.style, GREEN, &format!("+++ {path} (from {})", visible(&texts.origin)));
            let _ = write!(text, "  {old}\n  {new}\n");
            text.push_str(&diff::unified(texts, (!look.full_diff).then_some(max_lines), look.style));
        }
        text
    }

    pub(crate) fn help(&self, finding: &Finding) -> Option<String> {
        let command = &self.command;
        match (finding.mend, finding.kind) {
            (Mend::Force, Kind::Orphaned) => Some(format!("move it elsewhere, or let `{command} --force` remove it")),
            (Mend::Force, _) => Some(format!("bring the edit into the spec, or drop it with `{command} --force`")),
            _ => None,
        }
    }
}

/// What could not be done, one line each.
pub fn describe(failures: &[Failure], style: Style) -> String {
    let line = |it: &Failure| {
        let code = it.code.map_or_else(String::new, |code| format!("[{}]", code.id()));
        format!("{}: {it}\n", paint(style, RED, &format!("error{code}")))
    };
    failures.iter().map(line).collect()
}

/// A finding without a place.
fn title(style: Style, finding: &Finding, help: Option<&str>) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colour => Renderer::styled(),
    };
    let message = visible(&finding.message);
    let group = Group::with_title(Severity::ERROR.primary_title(message.as_str()).id(finding.kind.code().id()));
    let group = match help {
        Some(help) => group.element(Severity::HELP.message(help)),
        None => group,
    };
    renderer.render(&[group]) + "\n"
}

/// A line for each file, such as `wrote docs/machines/mysis.md`.
pub(super) fn list(verb: &str, paths: &[String], style: Style) -> String {
    paths.iter().map(|path| format!("{} {}\n", paint(style, CYAN, verb), visible(path))).collect()
}
