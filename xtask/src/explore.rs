//! `cargo xtask explore`: everything that can happen to the reference machines and systems.

use std::collections::BTreeMap;
use std::path::Path;

use statespec_codegen::diagnostic::{Style, render};
use statespec_codegen::explore::{Limits, explore, subject, subjects};
use statespec_codegen::lower::load;
use statespec_codegen::sync::{self, Status};

/// What is asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ask {
    /// The machine or system; all of them when left out.
    pub name: Option<String>,
    /// How many instances of which part.
    pub instances: BTreeMap<String, u64>,
    /// No more configurations than this.
    pub max_states: Option<usize>,
    /// Ways as walkthroughs for the spec, and times.
    pub verbose: bool,
}

/// Explores, and returns how it ended and what to tell the user.
pub fn run(root: &Path, ask: &Ask) -> (Status, String) {
    let specs = match sync::read_specs(root, super::SPECS) {
        Ok(specs) => specs,
        Err(failures) => return (Status::CouldNotRun, sync::describe(&failures, Style::Plain)),
    };
    let loaded = load(&specs);
    let mut text = render(&loaded.sources, &loaded.diagnostics, Style::Plain);
    let Some(model) = &loaded.model else { return (Status::CouldNotRun, text) };
    let wanted = match &ask.name {
        None => subjects(model),
        Some(name) => match subject(model, name) {
            Some(it) => vec![it],
            None => return (Status::CouldNotRun, format!("{text}there is no machine or system `{name}`\n")),
        },
    };
    let mut limits = Limits { instances: ask.instances.clone(), ..Limits::default() };
    limits.max_states = ask.max_states.unwrap_or(limits.max_states);
    let mut status = Status::Clean;
    for subject in wanted {
        match explore(model, subject, &limits) {
            Err(error) => return (Status::CouldNotRun, format!("{text}{}: {error}\n", subject.name())),
            Ok(report) => {
                if report.has_faults() {
                    status = Status::Findings;
                }
                text.push_str(&report.text());
                if ask.verbose {
                    text.push_str(&format!("  {:.3} s, {:.0} configurations a second\n", report.elapsed.as_secs_f64(), report.rate()));
                    text.push_str(&report.walkthroughs());
                }
                text.push('\n');
            }
        }
    }
    (status, text)
}
