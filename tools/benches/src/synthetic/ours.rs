//! The machine as a spec, and the code that statespec generates from it.

use statespec_lang::lower::load;
use statespec_lang::source::Input;
use statespec_rust::{Serde, Style, files::file::machine_text};

use super::{N_EVENTS, Shape, drive, edge_lines, lines};

/// The emitted module, as a checked-in file.
pub fn checked_in(shape: Shape) -> String {
    let loaded = load(&[Input { path: "machine.yaml".into(), text: spec(shape) }]);
    let model = loaded.model.expect("the synthetic spec is right");
    let style = Style { serde: Serde::Off, ..Style::default() };
    let text = machine_text(&model.machines[0], &style).expect("what is emitted is Rust");
    text + &drive("Event", "Synthetic::new()", "machine.apply(event).is_ok()")
}

/// A struct with the derive, and its spec.
pub fn on_struct(shape: Shape) -> Vec<(String, String)> {
    let text = "//! A machine.

/// A machine.
#[derive(Debug, Clone, PartialEq, Eq, Hash, statespec::StateMachine)]
#[machine(\"machine.yaml\")]
pub struct Machine {
    pub state: MachineState,
}
"
    .to_owned()
        + &drive("MachineEvent", "Machine { state: MachineState::INITIAL }", "machine.apply(event).is_ok()");
    vec![("machine.yaml".into(), spec(shape)), ("src/lib.rs".into(), text)]
}

/// An enum with the derive, and its spec.
pub fn on_enum(shape: Shape) -> Vec<(String, String)> {
    let states = lines(0..shape.n_states, "    /// The state number @.\n    S@,");
    let text = format!(
        "//! A machine.

/// What it can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, statespec::StateMachine)]
#[machine(\"machine.yaml\")]
pub enum State {{
{states}}}
{}",
        drive("StateEvent", "State::INITIAL", "machine.apply(event).is_ok()"),
    );
    vec![("machine.yaml".into(), spec(shape)), ("src/lib.rs".into(), text)]
}

/// The spec.
fn spec(shape: Shape) -> String {
    format!(
        "machine: synthetic\nstates:\n  s0: {{ initial: true, doc: The state number 0. }}\n{}events:\n{}transitions:\n{}",
        lines(1..shape.n_states, "  s@: { doc: \"The state number @.\" }"),
        lines(0..N_EVENTS, "  e@: { doc: \"The event number @.\" }"),
        edge_lines(shape.edges(), "  - { from: s#from, event: e#event, to: s#to }"),
    )
}
