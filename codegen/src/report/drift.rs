//! Drift as text: the difference, its origin, and the command that fixes it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use annotate_snippets::{Group, Level as Severity, Origin, Renderer};
use statespec_lang::chars::visible;
use statespec_lang::diagnostic::{Diagnostic, Style, render};
use statespec_lang::source::Sources;

use super::cause::{Cause, causes};
use super::diff::{self, BOLD, CYAN, GREEN, RED, paint};
use super::{Annotation, Report, Status};
use crate::sync::{Applied, Failure, Finding, Fix, Kind, Mode, Place, Plan, Refusal, Run};

/// The options of a text report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenderOptions {
    /// Whether diffs are shown in full.
    pub full_diff: bool,
    /// Plain text or colours.
    pub style: Style,
}

/// The length of a diff if both sides have text, and if one side is empty.
const MAX_LINES: usize = 40;
const MAX_LINES_ONE_SIDED: usize = 8;

/// The number of listed files that may be temporary files of other programs.
const MAX_FOREIGN: usize = 8;

/// The number of findings that are drawn; the rest is listed.
const MAX_DRAWN: usize = 100;

impl Report {
    /// A report on outputs that were compared with the disk, and written if the mode was to write.
    pub fn of_run(run: &Run, sources: &Sources, options: RenderOptions) -> Self {
        let report = match (run.mode, &run.applied) {
            (Mode::Write { force }, Some(applied)) => written(&run.plan, applied, sources, force, options),
            (Mode::DryRun { force }, _) => dry_run(&run.plan, sources, force, options),
            (Mode::Check | Mode::Write { .. }, _) => checked(&run.plan, sources, options),
        };
        let line = |(path, message): &(String, String)| {
            format!("{} `{}`: {}\n", paint(options.style, BOLD, "warning:"), visible(path), visible(message))
        };
        let text: String = run.plan.warnings.iter().map(line).collect();
        let mut annotations: Vec<Annotation> =
            run.plan.warnings.iter().map(|(path, message)| Annotation::of_warning(path, message)).collect();
        annotations.extend(report.annotations);
        let made = match &run.applied {
            Some(Ok(applied) | Err(Refusal::Stopped { done: applied, .. })) => run.plan.made(applied),
            Some(Err(Refusal::Blocked | Refusal::Failed(_))) | None => Vec::new(),
        };
        Report { text: text + &report.text, annotations, made, ..report }
    }

    /// A report on a plan that was not applied, or only in part.
    pub fn of_refusal(refusal: &Refusal, style: Style) -> Self {
        let none = (&[][..], Applied::default(), &[][..]);
        let (failures, done, left) = match refusal {
            Refusal::Blocked => none,
            Refusal::Failed(failures) => (failures.as_slice(), Applied::default(), &[][..]),
            Refusal::Stopped { failures, done, left } => (failures.as_slice(), done.clone(), left.as_slice()),
        };
        let mut text = list("wrote", &done.written, style);
        text.push_str(&list("removed", &done.removed, style));
        text.push_str(&describe(failures, style));
        text.push_str(&list("left as it was:", left, style));
        let n_done = done.written.len() + done.removed.len();
        match n_done {
            0 => text.push_str("nothing was written\n"),
            _ => {
                _ = writeln!(text, "{n_done} of {} files were changed before that; run the command again for the rest", n_done + left.len())
            }
        }
        Report { text, ..Report::of_failures(failures, style) }
    }
}

fn checked(plan: &Plan, sources: &Sources, options: RenderOptions) -> Report {
    let foreign = foreign(plan, options.style);
    let status = match (plan.failures.is_empty(), plan.findings.is_empty()) {
        (true, true) => return Report::clean(format!("{foreign}checked {}: all up to date\n", n_outputs(plan.n_checked))),
        (true, false) => Status::Findings,
        (false, _) => super::failed(&plan.failures),
    };
    Report { status, annotations: annotations(plan, sources, |_| true), ..Report::clean(foreign + &plan_text(plan, sources, options)) }
}

fn dry_run(plan: &Plan, sources: &Sources, force: bool, options: RenderOptions) -> Report {
    let mut report = checked(plan, sources, options);
    if report.status != Status::Findings {
        return report;
    }
    if plan.findings.iter().any(|it| it.fix.blocks(force)) {
        report.text.push_str("nothing would be written until the findings above are resolved (dry run)\n");
        return report;
    }
    let changes = plan.changes();
    report.text.push_str(&list("would write", &changes.written, options.style));
    report.text.push_str(&list("would remove", &changes.removed, options.style));
    report.text.push_str("nothing was written (dry run)\n");
    Report { status: Status::Clean, ..report }
}

fn written(plan: &Plan, applied: &Result<Applied, Refusal>, sources: &Sources, force: bool, options: RenderOptions) -> Report {
    match applied {
        Ok(applied) => {
            let mut text = list("wrote", &applied.written, options.style);
            text.push_str(&list("removed", &applied.removed, options.style));
            text.push_str(&swept(applied.n_swept));
            text.push_str(&foreign(plan, options.style));
            let n_changed = applied.written.len() + applied.removed.len();
            let changed = if n_changed == 0 { "all up to date".to_owned() } else { format!("{n_changed} changed") };
            text.push_str(&format!("checked {}: {changed}\n", n_outputs(plan.n_checked)));
            Report::clean(text)
        }
        Err(Refusal::Blocked) => {
            let mut text = text_on(plan, sources, options, |it| it.fix.blocks(force));
            text.push_str("nothing was written\n");
            let annotations = annotations(plan, sources, |it| it.fix.blocks(force));
            Report { status: Status::Findings, annotations, ..Report::clean(text) }
        }
        Err(refusal) => Report::of_refusal(refusal, options.style),
    }
}

/// A note on removed temporary files of interrupted runs.
fn swept(n_swept: usize) -> String {
    match n_swept {
        0 => String::new(),
        1 => "removed a temporary file of a run that was ended in the middle\n".to_owned(),
        n_swept => format!("removed {n_swept} temporary files of runs that were ended in the middle\n"),
    }
}

/// A note on files that look like temporary files and are left to the user.
fn foreign(plan: &Plan, style: Style) -> String {
    let mut text = String::new();
    for path in plan.foreign().take(MAX_FOREIGN) {
        let note = paint(style, CYAN, "note:");
        let _ = writeln!(
            text,
            "{note} `{}` has the name of a temporary file, and no run of this version made it; delete it if nobody needs it",
            visible(path)
        );
    }
    match plan.foreign().count() {
        n_foreign if n_foreign > MAX_FOREIGN => text + &format!("and {} more files of this kind\n", n_foreign - MAX_FOREIGN),
        _ => text,
    }
}

fn n_outputs(n_checked: usize) -> String {
    if n_checked == 1 { "1 output".to_owned() } else { format!("{n_checked} outputs") }
}

/// The whole report: each finding with its place, its diff and its fix, then a summary.
pub fn plan_text(plan: &Plan, sources: &Sources, options: RenderOptions) -> String {
    text_on(plan, sources, options, |_| true)
}

/// A report on some of the findings.
fn text_on(plan: &Plan, sources: &Sources, options: RenderOptions, wanted: impl Fn(&Finding) -> bool) -> String {
    let mut text = describe(&plan.failures, options.style);
    let findings: Vec<&Finding> = plan.findings.iter().filter(|it| wanted(it)).collect();
    let causes = causes(&findings, sources);
    let mut drawn = BTreeSet::new();
    for cause in causes.iter().take(MAX_DRAWN) {
        text.push_str(&draw(plan, cause, sources, options, &mut drawn));
        text.push('\n');
    }
    for cause in causes.iter().skip(MAX_DRAWN) {
        text.push_str(&title(options.style, cause, None, None, &[]));
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
    let _ = writeln!(text, "{n_findings} {need} attention: {} ({} checked)", counts.join(", "), plan.n_checked);
    let _ = writeln!(text, "{} {}", paint(options.style, BOLD, "fix:"), fix(plan, &findings));
    text
}

/// The one command that fixes these findings, and the steps required before it.
fn fix(plan: &Plan, findings: &[&Finding]) -> String {
    let command = &plan.command;
    let needs = |wanted: Fix| findings.iter().any(|it| it.fix == wanted);
    let by_hand = match (needs(Fix::Hand), needs(Fix::Remove)) {
        (true, true) => "mend the markers by hand, move away or delete what comes from no spec, then run ",
        (true, false) => "mend the markers by hand, then run ",
        (false, true) => "move away or delete what comes from no spec, then run ",
        (false, false) => "",
    };
    let force = if needs(Fix::Force) { " --force (it drops what was written by hand)" } else { "" };
    format!("{by_hand}{command}{force}")
}

/// The selected findings, and all failures, as data.
fn annotations(plan: &Plan, sources: &Sources, wanted: impl Fn(&Finding) -> bool) -> Vec<Annotation> {
    let failures = plan.failures.iter().map(Annotation::of_failure);
    let findings: Vec<&Finding> = plan.findings.iter().filter(|it| wanted(it)).collect();
    let causes = causes(&findings, sources);
    failures.chain(causes.iter().map(|it| Annotation::of_cause(plan, sources, it))).collect()
}

/// The command that fixes a finding, unless only a person can.
pub(super) fn command_for(plan: &Plan, finding: &Finding) -> Option<String> {
    match finding.fix {
        Fix::Command => Some(plan.command.clone()),
        Fix::Force => Some(format!("{} --force", plan.command)),
        Fix::Remove => Some(removal(plan, finding)),
        Fix::Hand => None,
    }
}

/// A cause with the diffs of its outputs. A diff is shown once, with the first of its causes.
fn draw<'a>(
    plan: &Plan,
    cause: &Cause<'a>,
    sources: &Sources,
    options: RenderOptions,
    drawn: &mut BTreeSet<(&'a str, Option<usize>)>,
) -> String {
    let (first, _) = cause.findings[0];
    let help = help(plan, first);
    let mut text = match cause.place {
        Some(Place::Spec(span, label)) => {
            let mut diagnostic = Diagnostic::new(cause.kind.code(), *span, visible(&cause.message())).label(*label);
            diagnostic.help = help;
            render(sources, &[diagnostic], options.style)
        }
        Some(Place::WholeSpec(spec)) => title(options.style, cause, help.as_deref(), Some((sources.get(*spec).path(), None)), &[]),
        Some(Place::Page(diagnostic)) => render(&plan.pages, std::slice::from_ref(&**diagnostic), options.style),
        None => {
            let line = first.drifted_line.or(first.line);
            let notes: Vec<String> = first.shows.map(|it| format!("the spec says this at {}", sources.location(it))).into_iter().collect();
            title(options.style, cause, help.as_deref(), line.map(|it| (first.path.as_str(), Some(it))), &notes)
        }
    };
    text.truncate(text.trim_end().len());
    text.push('\n');
    for (finding, _) in &cause.findings {
        let Some(texts) = &finding.texts else { continue };
        let path = visible(&finding.path);
        if !drawn.insert((finding.path.as_str(), finding.line)) {
            let _ = writeln!(text, "  {path}: see above");
            continue;
        }
        let one_sided = texts.found.is_empty() || texts.expected.is_empty();
        let max_lines = if one_sided { MAX_LINES_ONE_SIDED } else { MAX_LINES };
        let old = paint(options.style, RED, &format!("--- {path} (on the disk)"));
        let new = paint(options.style, GREEN, &format!("+++ {path} (from {})", visible(&texts.origin)));
        let _ = write!(text, "  {old}\n  {new}\n");
        text.push_str(&diff::unified(texts, (!options.full_diff).then_some(max_lines), options.style));
    }
    text
}

/// The command that removes one file, with its path quoted if a shell would split it.
fn removal(plan: &Plan, finding: &Finding) -> String {
    let path = &finding.path;
    let is_plain = path.chars().all(|it| it.is_alphanumeric() || "/._-+=@".contains(it)) && !path.starts_with('-');
    let path = if is_plain { path.clone() } else { format!("'{}'", path.replace('\'', "'\\''")) };
    format!("{} --remove {path}", plan.command)
}

/// The remedy of a finding for which the command alone is not enough.
pub(super) fn help(plan: &Plan, finding: &Finding) -> Option<String> {
    let command = &plan.command;
    match (finding.fix, finding.kind) {
        (Fix::Force, Kind::Orphaned) => Some(format!("move it elsewhere, or let `{command} --force` remove it")),
        (Fix::Remove, _) => Some(format!("move it elsewhere, or delete it with `{}`", visible(&removal(plan, finding)))),
        (Fix::Force, _) => Some(format!("bring the edit into the spec, or drop it with `{command} --force`")),
        _ => None,
    }
}

/// The failed operations, one line each.
pub fn describe(failures: &[Failure], style: Style) -> String {
    let line = |it: &Failure| {
        let code = it.code.map_or_else(String::new, |code| format!("[{}]", code.id()));
        format!("{}: {it}\n", paint(style, RED, &format!("error{code}")))
    };
    failures.iter().map(line).collect()
}

/// A cause without a line of a spec: its place is a file, or a line of one.
fn title(style: Style, cause: &Cause<'_>, help: Option<&str>, place: Option<(&str, Option<usize>)>, notes: &[String]) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colour => Renderer::styled(),
    };
    let message = visible(&cause.message());
    let mut group = Group::with_title(Severity::ERROR.primary_title(message.as_str()).id(cause.kind.code().id()));
    if let Some((path, line)) = place {
        let origin = Origin::path(visible(path));
        group = group.element(match line {
            Some(line) => origin.line(line),
            None => origin,
        });
    }
    for note in notes {
        group = group.element(Severity::NOTE.message(visible(note)));
    }
    if let Some(help) = help {
        group = group.element(Severity::HELP.message(help));
    }
    renderer.render(&[group]) + "\n"
}

/// A line for each file, such as `wrote docs/machines/mysis.md`.
fn list(verb: &str, paths: &[String], style: Style) -> String {
    paths.iter().map(|path| format!("{} {}\n", paint(style, CYAN, verb), visible(path))).collect()
}
