//! The machine as a spec, and what statespec makes of it.

use statespec_codegen::backend::rust::{Serde, Style, machine_text};
use statespec_codegen::lower::{Input, load};

use super::{N_EVENTS, Shape, drive, edge_lines, lines};

/// The emitted module, as it would be checked in.
pub fn checked_in(shape: Shape) -> String {
    let loaded = load(&[Input { path: "machine.yaml".into(), text: spec(shape) }]);
    let model = loaded.model.expect("the synthetic spec is right");
    let style = Style { serde: Serde::Off, ..Style::default() };
    let text = machine_text(&model.machines[0], &style).expect("what is emitted is Rust");
    text + &drive("Event", "Synthetic::new()", "machine.apply(event).is_ok()")
}

/// The spec.
pub fn spec(shape: Shape) -> String {
    format!(
        "machine: synthetic\nstates:\n  s0: {{ initial: true, doc: The state number 0. }}\n{}events:\n{}transitions:\n{}",
        lines(1..shape.n_states, "  s@: { doc: \"The state number @.\" }"),
        lines(0..N_EVENTS, "  e@: { doc: \"The event number @.\" }"),
        edge_lines(shape.edges(), "  - { from: s#from, event: e#event, to: s#to }"),
    )
}
