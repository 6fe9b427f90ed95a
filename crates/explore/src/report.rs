//! The result of an exploration, as data and as text.

use std::fmt::Write as _;
use std::time::Duration;

use statespec_lang::diagnostic::{Code, Level};
use statespec_lang::source::{Sources, Span};

/// The result of an exploration.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The machine or system.
    pub subject: String,
    /// The maximum number of instances of each part; empty for a machine. For a part that belongs
    /// to another: for each owner.
    pub population: Vec<(String, u64)>,
    /// The number of configurations.
    pub states: usize,
    /// The number of successful calls, counted separately in every configuration.
    pub transitions: usize,
    /// The maximum distance of a configuration from the start.
    pub depth: usize,
    /// What was left out; the exploration is complete if there is nothing.
    pub bounds: Vec<Bound>,
    /// The number of configurations in which a further instance could have been created.
    pub cut: usize,
    /// The findings, most severe first.
    pub findings: Vec<Finding>,
    /// The duration of the search.
    pub elapsed: Duration,
}

/// Something that an exploration left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// The limit that was reached.
    pub limit: Limit,
    /// What was left out, in one sentence without a final full stop.
    pub message: String,
    /// A way to include it.
    pub help: Option<String>,
    /// The spec element that is the cause.
    pub span: Span,
}

/// A limit of an exploration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// The number of configurations.
    States,
    /// The length of a trace.
    Depth,
    /// The number of combinations of values or answers at one call.
    Combinations,
    /// The borders of guards that can be computed.
    Values,
}

/// A finding of an exploration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The kind of finding: one of the `explore::` codes. Its level is an error for a fault that can occur,
    /// and a warning for behaviour that never occurs.
    pub code: Code,
    /// The problem, in one sentence without a final full stop.
    pub message: String,
    /// The number of configurations with the problem; 0 if it cannot be counted.
    pub states: usize,
    /// The shortest trace to it, if there is one.
    pub trace: Option<Trace>,
    /// The spec element that the finding is about.
    pub span: Span,
}

/// A trace from the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The fields that start with another value than their default, with this value: code outside the graph gives it.
    pub given: Vec<(String, String)>,
    /// The steps.
    pub steps: Vec<TraceStep>,
    /// Whether it can be pasted into the system's spec as a walkthrough.
    pub pasteable: bool,
}

/// One step of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceStep {
    /// The number, counted from 1.
    pub number: usize,
    /// The transaction or event.
    pub run: String,
    /// The actors and their action, in words.
    pub trigger: String,
    /// The instances it applies to, of parts with several.
    pub instances: Vec<(String, u64)>,
    /// The payload, as a spec writes it.
    pub with: Vec<(String, String)>,
    /// The named predicates that hold.
    pub holds: Vec<String>,
    /// The changes, in words.
    pub changes: Vec<String>,
    /// The text of the refusal.
    pub refused: Option<String>,
}

impl Report {
    /// Whether nothing was left out.
    pub fn is_complete(&self) -> bool {
        self.bounds.is_empty()
    }

    /// Whether any finding is a fault that can occur; behaviour that never occurs is only worth a review.
    pub fn has_faults(&self) -> bool {
        self.findings.iter().any(|it| it.code.level() == Level::Error)
    }

    /// The number of configurations per second.
    pub fn rate(&self) -> f64 {
        self.states as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// The traces that can be pasted into the spec, each as a walkthrough named after its finding; empty if
    /// there is none.
    pub fn walkthroughs(&self) -> String {
        let named = |(idx, finding): (usize, &Finding)| {
            let trace = finding.trace.as_ref().filter(|it| it.pasteable)?;
            Some(format!("\nwalkthroughs:\n{}", trace.walkthrough(&format!("finding_{}", idx + 1), &finding.message)))
        };
        self.findings.iter().enumerate().filter_map(named).collect()
    }

    /// The scope of the verdict, in a sentence.
    pub fn scope(&self) -> String {
        let parts: Vec<String> = self.population.iter().map(|(part, count)| format!("{count} × {part}")).collect();
        let population = if parts.is_empty() { String::new() } else { format!(" of {}", parts.join(", ")) };
        if self.is_complete() {
            format!("complete: every configuration{population} was seen")
        } else {
            format!("bounded: not everything that can happen{population} was seen")
        }
    }

    /// The whole report as text. It omits the duration, so the same specs give the same text.
    /// `sources` are the texts of the model.
    pub fn text(&self, sources: &Sources) -> String {
        let mut text = format!("{}\n", self.subject);
        let _ = writeln!(text, "  {}", self.scope());
        let _ = writeln!(text, "  {} configurations, {} transitions, {} steps deep", self.states, self.transitions, self.depth);
        for bound in &self.bounds {
            let _ = writeln!(text, "  not seen: {} ({})", bound.message, sources.location(bound.span));
            if let Some(help) = &bound.help {
                let _ = writeln!(text, "    {help}");
            }
        }
        if self.cut > 0 {
            let _ = writeln!(text, "  in {} of them one more instance could be created", self.cut);
        }
        if self.findings.is_empty() {
            text.push_str(if self.is_complete() { "  no findings\n" } else { "  no findings in what was seen\n" });
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
        let given: Vec<String> = self.given.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let start = if given.is_empty() { String::new() } else { format!("  starting with {}\n", given.join(", ")) };
        if self.steps.is_empty() {
            return if given.is_empty() { "  from the start\n".into() } else { start };
        }
        self.steps.iter().fold(start, |text, step| text + "  " + &step.text().replace('\n', "\n       ") + "\n")
    }

    /// The trace as a walkthrough for the spec, indented for its place under `walkthroughs:`.
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
    /// The actors and their action, and the resulting changes: a line each.
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

/// A YAML scalar in double quotes, without placeholders.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            // Doubled braces are literal braces.
            '{' | '}' => quoted.extend([c, c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
