//! The report of an audit, for people.

use std::fmt::Write as _;

use statespec_lang::model::Machine;
use statespec_lang::model::machine::{From, Target, Trigger};
use statespec_lang::source::Sources;
use statespec_lang::types::TransitionId;

use super::outcome::{Level, Outcome};
use super::patch::patch;
use super::shown::{counted, entities, plain};

/// The findings that the text shows.
const MAX_SHOWN: usize = 50;
/// The kinds of steps that the text shows.
const MAX_STEPS: usize = 200;

impl Outcome {
    /// The report for people.
    pub fn text(&self, sources: &Sources, machine: &Machine) -> String {
        let mut text = String::new();
        for finding in self.findings.iter().take(MAX_SHOWN) {
            let place = |it: &super::findings::Place| format!("{}:{}", plain(&it.file), it.line);
            let _ = writeln!(text, "error[{}]: {}\n  --> {}", finding.code.id(), finding.message, place(&finding.place));
            if let Some((at, label)) = &finding.related {
                let _ = writeln!(text, "  = {}: {label}", place(at));
            }
            if let Some(help) = &finding.help {
                let _ = writeln!(text, "  = help: {help}");
            }
            text.push('\n');
        }
        let n_more = self.n_findings().saturating_sub(self.findings.len().min(MAX_SHOWN) as u64);
        if n_more > 0 {
            let _ = writeln!(text, "and {}\n", counted(n_more, "more finding"));
        }
        text + &self.summary(sources, machine)
    }

    /// The report for people without the findings.
    pub fn summary(&self, sources: &Sources, machine: &Machine) -> String {
        let mut text = String::new();
        self.head(&mut text);
        self.steps(&mut text);
        self.rows(&mut text, sources, machine);
        self.times(&mut text);
        let patch = patch(machine, self);
        if !patch.is_empty() {
            let _ = write!(text, "\nrows that the spec lacks:\n{patch}");
        }
        text
    }

    /// The lines that the spec lacks, as YAML; empty if it lacks none.
    pub fn patch(&self, machine: &Machine) -> String {
        patch(machine, self)
    }

    fn head(&self, text: &mut String) {
        let _ = writeln!(text, "audited {} of {} of `{}`", counted(self.n_records, "record"), entities(self.n_entities), self.machine);
        let levels = Level::ALL.iter().zip(self.levels).rev().filter(|it| it.1 > 0);
        let levels: Vec<String> = levels.map(|(level, n)| format!("{} ({})", level.name(), counted(n, "record"))).collect();
        if !levels.is_empty() {
            let _ = writeln!(text, "level: {}", levels.join(", "));
        }
        for (n, what) in [(self.n_others, "of other machines"), (self.n_skipped, "about something else")] {
            if n > 0 {
                let _ = writeln!(text, "skipped {} {what}", counted(n, "record"));
            }
        }
        match self.n_findings() {
            0 => text.push_str("no findings\n"),
            n => {
                let counts: Vec<String> = self.counts.iter().map(|(code, n)| format!("{n} {}", code.id())).collect();
                let _ = writeln!(text, "{}: {}", counted(n, "finding"), counts.join(", "));
            }
        }
    }

    fn steps(&self, text: &mut String) {
        if self.steps.is_empty() {
            return;
        }
        text.push_str("\nsteps:\n");
        let width = self.steps.iter().map(|it| it.n.to_string().len()).max().unwrap_or(0);
        for step in self.steps.iter().take(MAX_STEPS) {
            let mark = if step.is_allowed { "" } else { "  not in the graph" };
            let _ = writeln!(text, "  {:>width$}  {}{mark}", step.n, step.text());
        }
        if self.steps.len() > MAX_STEPS {
            let _ = writeln!(text, "  and {} more kinds", self.steps.len() - MAX_STEPS);
        }
    }

    fn rows(&self, text: &mut String, sources: &Sources, machine: &Machine) {
        if !self.unseen.is_empty() {
            text.push_str("\nrows never seen:\n");
        }
        for row in &self.unseen {
            let span = machine.transition(*row).span;
            let source = sources.get(span.source);
            let (line, _) = source.line_column(span.start as usize);
            let _ = writeln!(text, "  {}:{line}: {}", source.path(), row_text(machine, *row));
        }
        if self.n_hidden > 0 {
            let _ =
                writeln!(text, "\nnot shown by these records: {} that follow other rows, refuse or stay", counted(self.n_hidden, "row"));
        }
    }

    fn times(&self, text: &mut String) {
        if self.dwell.is_empty() {
            return;
        }
        text.push_str("\ntime in states:\n");
        let width = self.dwell.keys().map(|it| it.chars().count()).max().unwrap_or(0);
        for (state, it) in &self.dwell {
            let _ = writeln!(
                text,
                "  {state:width$}  {}, mean {}, half within {}, 95 % within {}, longest {}",
                counted(it.n, "stay"),
                duration(it.mean()),
                duration(it.quantile(0.5)),
                duration(it.quantile(0.95)),
                duration(it.longest)
            );
        }
    }
}

/// A row of the spec for readers: `claimed --fail [tries < limit]--> queued`.
pub fn row_text(machine: &Machine, id: TransitionId) -> String {
    let row = machine.transition(id);
    let names =
        |states: &[statespec_lang::model::StateId]| states.iter().map(|it| machine.state(*it).name.as_str()).collect::<Vec<_>>().join(", ");
    let from = match &row.from {
        From::Creation => "[*]".to_owned(),
        From::States(states) => names(states),
        From::Any { .. } => "*".to_owned(),
    };
    let on = match &row.trigger {
        Trigger::Events(events) => events.iter().map(|it| machine.event(*it).name.as_str()).collect::<Vec<_>>().join(", "),
        Trigger::AnyOther(_) => "any other event".to_owned(),
        Trigger::Direct => String::new(),
        Trigger::Automatic => "at once".to_owned(),
        Trigger::Done => "done".to_owned(),
    };
    let guard =
        row.guard.as_ref().map_or_else(String::new, |it| format!(" [{}]", it.show(&statespec_lang::show::MachineNames::new(machine))));
    let to = match &row.target {
        Target::Stay => "stays".to_owned(),
        Target::To(states) => names(states),
        Target::Fork(branches) => branches.iter().map(|it| machine.state(it.state()).name.as_str()).collect::<Vec<_>>().join(" and "),
        Target::Payload(field) => format!("the state in {}", machine.payload_name(*field)),
        Target::History(to) => format!("where {} was left", machine.state(to.whole).name),
        Target::Refuse(_) => "refused".to_owned(),
    };
    match (on.as_str(), guard.as_str()) {
        ("", "") => format!("{from} --> {to}"),
        _ => format!("{from} --{on}{guard}--> {to}"),
    }
}

/// A time with two or three digits that count.
fn duration(micros: f64) -> String {
    let units = [(86_400e6, "d"), (3_600e6, "h"), (60e6, "min"), (1e6, "s"), (1e3, "ms")];
    match units.iter().find(|it| micros >= it.0) {
        Some((size, unit)) => format!("{} {unit}", digits(micros / size)),
        None => format!("{} us", digits(micros)),
    }
}

fn digits(number: f64) -> String {
    if number >= 10.0 || number.fract() == 0.0 { format!("{number:.0}") } else { format!("{number:.1}") }
}
