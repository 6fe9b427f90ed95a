//! Generated specs of any size, the same in every run.

use std::fmt::Write as _;
use std::path::Path;

use statespec_codegen::backend::{golang, python, rust, typescript};
use statespec_codegen::config;
use statespec_codegen::diagnostic::Diagnostics;
use statespec_codegen::project::Project;
use statespec_codegen::registry::BACKENDS;
use statespec_codegen::source::{Input, Sources};

/// The size of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    /// The number of machines.
    pub(crate) n_machines: usize,
    /// The number of states of each machine.
    pub(crate) n_states: usize,
    /// The number of edges of each machine.
    pub(crate) n_edges: usize,
    /// The number of parts of its system, if it has one: each part is one of the first machines.
    pub(crate) n_parts: usize,
}

/// What a project generates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Emits {
    /// Every output of machines and systems.
    All,
    /// The Rust.
    Rust,
    /// The machines in TypeScript, Python and Go.
    Languages,
}

const CONFIG: &str = r#"
[json]
out = "generated/model"
[rust]
out = "generated/src"
"#;

const LANGUAGES: &str = r#"
[typescript]
out = "typescript"
systems = false
[python]
out = "python"
systems = false
[go]
out = "go"
package = "example.com/go"
systems = false
"#;

/// A project that generates this.
pub(crate) fn configured(root: &Path, emits: Emits) -> Project {
    let (mut sources, mut diagnostics) = (Sources::default(), Diagnostics::default());
    let text = if emits == Emits::Languages { LANGUAGES } else { CONFIG };
    let id = sources.add(config::FILE, text);
    let config = config::read(&sources, id, BACKENDS, &mut diagnostics).expect("the configuration is valid");
    Project::new(
        root,
        match emits {
            Emits::All => config,
            Emits::Rust => config.only(&[&rust::Rust]),
            Emits::Languages => config.only(&[&typescript::TypeScript, &python::Python, &golang::Go]),
        },
    )
}

/// The specs of a project.
pub(crate) fn project(size: Size) -> Vec<Input> {
    let mut specs: Vec<Input> = (0..size.n_machines).map(|idx| machine(idx, size)).collect();
    if size.n_parts > 0 {
        specs.push(system(size.n_parts.min(size.n_machines)));
    }
    specs
}

/// The number of different events of a machine.
const N_EVENTS: usize = 24;

/// A machine in which every state leads to the next one, and to others further round the ring.
///
/// One edge in eight has a guard and counts, another one in eight has an effect; every state has a doc of one sentence.
fn machine(idx: usize, size: Size) -> Input {
    let Size { n_states, n_edges, .. } = size;
    let name = format!("machine_{idx:04}");
    let mut text = String::new();
    let mut line = |it: String| _ = writeln!(text, "{it}");
    line(format!("machine: {name}"));
    line(format!("title: Machine {idx}"));
    line("doc: One of many, made to be counted.".into());
    line("actors: { operator: Whoever is there. }".into());
    line("context: { attempts: { type: int, doc: How often it was tried. } }".into());
    line("states:".into());
    for state in 0..n_states {
        let more = match state {
            0 => "initial: true, ",
            it if it + 1 == n_states => "terminal: true, ",
            _ => "",
        };
        line(format!("  {}: {{ {more}doc: Step {state} of the work is what happens here. }}", state_name(state)));
    }
    line("events:".into());
    for event in 0..N_EVENTS {
        line(format!("  {}: {{ by: operator, doc: The operator asks for number {event}. }}", event_name(event)));
    }
    line("effects:".into());
    line("  notify: { doc: Tells whoever waits. }".into());
    line("transitions:".into());
    // The last state is the terminal one.
    let n_sources = n_states.saturating_sub(1).max(1);
    for edge in 0..n_edges {
        let (from, turn) = (edge % n_sources, edge / n_sources);
        let to = if turn == 0 { from + 1 } else { from + 1 + turn * 17 + edge % 5 } % n_states;
        // The events of one state differ: it has `N_EVENTS` edges or fewer.
        let event = event_name((from + turn * 5) % N_EVENTS);
        let more = match edge % 8 {
            3 if turn > 0 => ", when: attempts < 7, set: { attempts: attempts + 1 }",
            5 => ", do: [notify]",
            _ => "",
        };
        line(format!("  - {{ from: {}, event: {event}, to: {}{more} }}", state_name(from), state_name(to)));
    }
    Input { path: format!("machines/{name}.yaml"), text }
}

fn state_name(idx: usize) -> String {
    format!("state_{idx:03}")
}

fn event_name(idx: usize) -> String {
    format!("event_{idx:02}")
}

/// A system whose parts pass the work on: the first step of each part triggers the first step of the next one.
fn system(n_parts: usize) -> Input {
    let mut text = String::from("system: line\ntitle: A line of parts\nactors: { operator: Whoever is there. }\nparts:\n");
    let mut line = |it: String| _ = writeln!(text, "{it}");
    for part in 0..n_parts {
        line(format!("  part_{part:02}: {{ machine: machine_{part:04}, doc: Number {part} of the line. }}"));
    }
    line("rules:".into());
    for part in 1..n_parts {
        let before = part - 1;
        line(format!(
            "  - {{ before: part_{part:02}.event_01, require: part_{before:02}.state != state_000, doc: Part {before} has begun before part {part} goes on }}"
        ));
    }
    line("transactions:".into());
    for part in 0..n_parts {
        for event in 0..4 {
            line(format!("  part_{part:02}_event_{event:02}: {{ by: operator, fire: part_{part:02}.event_{event:02} }}"));
        }
    }
    line("links:".into());
    for part in 1..n_parts {
        let before = part - 1;
        line(format!("  - {{ enter: part_{before:02}.state_001, fire: part_{part:02}.event_00, doc: Part {before} starts part {part}. }}"));
    }
    line("invariants:".into());
    for part in 1..n_parts {
        let before = part - 1;
        line(format!(
            "  - {{ require: part_{part:02}.state == state_000 or part_{before:02}.state != state_000, doc: Part {part} begins after part {before} }}"
        ));
    }
    line("walkthroughs:\n  down_the_line:\n    steps:".into());
    let last = n_parts - 1;
    line(format!(
        "      - {{ step: \"1\", run: part_00_event_00, trigger: The first part begins, then: {{ part_{last:02}: state_001 }} }}"
    ));
    line("      - { step: \"2\", run: part_00_event_01, trigger: The first part goes on, then: { part_00: state_002 } }".into());
    Input { path: "machines/line.yaml".into(), text }
}
