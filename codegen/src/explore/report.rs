//! What an exploration found, as data and as text.

use std::fmt::Write as _;
use std::time::Duration;

use crate::diagnostic::{Code, Level};
use crate::source::{Sources, Span};

/// What an exploration found.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The machine or system.
    pub subject: String,
    /// How many instances of each part there may be; empty for a machine. Of a part that belongs
    /// to another: for each owner.
    pub population: Vec<(String, u64)>,
    /// The configurations seen.
    pub states: usize,
    /// The calls that went through, each counted in every configuration.
    pub transitions: usize,
    /// The length of the longest shortest way.
    pub depth: usize,
    /// Whether that is all.
    pub bound: Bound,
    /// A further instance could have come into being in this many configurations.
    pub cut: usize,
    /// What is wrong, gravest first.
    pub findings: Vec<Finding>,
    /// The time that the search took.
    pub elapsed: Duration,
}

/// Whether everything was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Every configuration of this population, with payloads at the borders of guards.
    Complete,
    /// The search stopped at the limit of configurations.
    States,
    /// The search stopped at the limit of depth.
    Depth,
    /// There were too many combinations of payload values to try them all.
    Payloads,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What kind of thing: one of the `explore::` codes. Its level says whether it is about what happens, an error,
    /// or about what never does.
    pub code: Code,
    /// What is wrong, in one sentence without a final full stop.
    pub message: String,
    /// In how many configurations; 0 where that cannot be counted.
    pub states: usize,
    /// The shortest way there, where there is one.
    pub trace: Option<Trace>,
    /// The spec element to blame.
    pub span: Span,
}

/// A way from the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The steps.
    pub steps: Vec<TraceStep>,
    /// It can stand as a walkthrough in the system's spec as it is.
    pub pasteable: bool,
}

/// One step of a way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceStep {
    /// Counted from 1.
    pub number: usize,
    /// The transaction or event.
    pub run: String,
    /// Who does what, in words.
    pub trigger: String,
    /// The instances it is done to, of parts with several.
    pub instances: Vec<(String, u64)>,
    /// The payload, as a spec writes it.
    pub with: Vec<(String, String)>,
    /// The named predicates that hold.
    pub holds: Vec<String>,
    /// What changes, in words.
    pub changes: Vec<String>,
    /// The text it is turned down with.
    pub refused: Option<String>,
}

impl Report {
    /// Whether anything is wrong that happens; what never happens is only worth a look.
    pub fn has_faults(&self) -> bool {
        self.findings.iter().any(|it| it.code.level() == Level::Error)
    }

    /// Configurations for each second.
    pub fn rate(&self) -> f64 {
        self.states as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// The ways that can stand in the spec, each as a walkthrough named after its finding; empty where there is none.
    pub fn walkthroughs(&self) -> String {
        let named = |(idx, finding): (usize, &Finding)| {
            let trace = finding.trace.as_ref().filter(|it| it.pasteable)?;
            Some(format!("\nwalkthroughs:\n{}", trace.walkthrough(&format!("finding_{}", idx + 1), &finding.message)))
        };
        self.findings.iter().enumerate().filter_map(named).collect()
    }

    /// How far the verdict goes, in a sentence.
    pub fn scope(&self) -> String {
        let parts: Vec<String> = self.population.iter().map(|(part, count)| format!("{count} × {part}")).collect();
        let population = if parts.is_empty() { String::new() } else { format!(" of {}", parts.join(", ")) };
        match self.bound {
            Bound::Complete => format!("complete: every configuration{population} was seen"),
            Bound::States => format!("bounded: stopped at the limit of {} configurations{population}", self.states),
            Bound::Depth => format!("bounded: stopped after {} steps{population}", self.depth),
            Bound::Payloads => format!("bounded: too many payloads to try them all{population}"),
        }
    }

    /// The whole report as text. It says nothing of the time it took, so the same specs give the same text.
    /// `sources` are the texts that the model came from.
    pub fn text(&self, sources: &Sources) -> String {
        let mut text = format!("{}\n", self.subject);
        let _ = writeln!(text, "  {}", self.scope());
        let _ = writeln!(text, "  {} configurations, {} transitions, {} steps deep", self.states, self.transitions, self.depth);
        if self.cut > 0 {
            let _ = writeln!(text, "  in {} of them one more instance could be created", self.cut);
        }
        if self.findings.is_empty() {
            text.push_str("  no findings\n");
        }
        for finding in &self.findings {
            let _ = write!(text, "\n{}: {}\n  at {}\n", finding.code.id(), finding.message, sources.location(finding.span));
            if finding.states > 1 {
                let _ = writeln!(text, "  in {} configurations", finding.states);
            }
            if let Some(trace) = &finding.trace {
                text.push_str(&trace.text());
            }
        }
        text
    }
}

impl Trace {
    /// The steps as a numbered list.
    pub fn text(&self) -> String {
        if self.steps.is_empty() {
            return "  from the start\n".into();
        }
        self.steps.iter().fold(String::new(), |text, step| text + "  " + &step.text().replace('\n', "\n       ") + "\n")
    }

    /// The same as a walkthrough for the spec, indented to stand under `walkthroughs:`.
    pub fn walkthrough(&self, name: &str, doc: &str) -> String {
        let mut text = format!("  {name}:\n    doc: {}\n    steps:\n", quoted(doc));
        for step in &self.steps {
            let map =
                |entries: &[(String, String)]| entries.iter().map(|(key, value)| format!("{key}: {value}")).collect::<Vec<_>>().join(", ");
            let mut keys = vec![format!("step: \"{}\"", step.number), format!("run: {}", step.run)];
            if !step.instances.is_empty() {
                let instances: Vec<_> = step.instances.iter().map(|(part, number)| (part.clone(), number.to_string())).collect();
                keys.push(format!("instances: {{ {} }}", map(&instances)));
            }
            if !step.with.is_empty() {
                keys.push(format!("with: {{ {} }}", map(&step.with)));
            }
            if !step.holds.is_empty() {
                keys.push(format!("holds: [{}]", step.holds.join(", ")));
            }
            keys.push(format!("trigger: {}", quoted(&step.trigger)));
            keys.extend(step.refused.as_ref().map(|it| format!("refused: {}", quoted(it))));
            let _ = writeln!(text, "      - {{ {} }}", keys.join(", "));
        }
        text
    }
}

impl TraceStep {
    /// Who does what, and what changes by it: a line each.
    pub fn text(&self) -> String {
        let mut text = format!("{}. {} ({})", self.number, self.trigger.trim_end_matches('.'), self.call());
        let refused = self.refused.as_ref().map(|it| format!("refused only by the invariant: {it}"));
        for line in self.changes.iter().chain(&refused) {
            text.push('\n');
            text.push_str(line);
        }
        text
    }

    fn call(&self) -> String {
        let instances = self.instances.iter().map(|(part, number)| format!("{part} {number}"));
        let with = self.with.iter().map(|(field, value)| format!("{field} = {value}"));
        let holds = self.holds.iter().map(|it| format!("{it} holds"));
        let words: Vec<String> = instances.chain(with).chain(holds).collect();
        if words.is_empty() { format!("`{}`", self.run) } else { format!("`{}`: {}", self.run, words.join(", ")) }
    }
}

/// A YAML scalar in double quotes that fills in nothing.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            // Doubled braces stand for themselves.
            '{' | '}' => quoted.extend([c, c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
