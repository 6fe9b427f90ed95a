//! The time for linting is proportional to the time for loading, for many machines and for large ones.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use statespec_codegen::check::check;
use statespec_codegen::diagnostic::Levels;
use statespec_codegen::lower::load;
use statespec_codegen::source::Input;

/// A machine of `n_states` states with four edges each, one of them guarded, and an event that any state takes.
fn spec(name: &str, n_states: usize) -> Input {
    let mut text = format!("machine: {name}\nconstants: {{ limit: 10 }}\ncontext: {{ tries: int }}\nstates:\n  s0: {{ initial: true }}\n");
    for idx in 1..n_states {
        writeln!(text, "  s{idx}: {{ doc: Number {idx}. }}").unwrap();
    }
    text.push_str("events: { next: {}, jump: {}, fail: { payload: { cause: int } } }\nsettle: fail\ntransitions:\n");
    for idx in 0..n_states {
        let (next, jump) = ((idx + 1) % n_states, (idx * 7 + 3) % n_states);
        writeln!(text, "  - {{ from: s{idx}, event: next, when: tries < {idx} + limit, to: s{next}, set: {{ tries: tries + 1 }} }}")
            .unwrap();
        writeln!(text, "  - {{ from: s{idx}, event: next, when: tries >= {idx} + limit, to: s{jump} }}").unwrap();
        writeln!(text, "  - {{ from: s{idx}, event: jump, to: s{jump} }}").unwrap();
        writeln!(text, "  - {{ from: s{idx}, event: fail, when: cause > {idx} }}").unwrap();
    }
    Input { path: format!("machines/{name}.yaml"), text }
}

/// The time for loading and for linting, each as the minimum of two runs.
fn measure(inputs: &[Input]) -> (Duration, Duration) {
    let mut best = (Duration::MAX, Duration::MAX);
    for _ in 0..2 {
        let start = Instant::now();
        let model = load(inputs).model.unwrap();
        let loaded = start.elapsed();
        let start = Instant::now();
        let found = check(&model, &Levels::default());
        best = (best.0.min(loaded), best.1.min(start.elapsed()));
        assert!(found.len() < inputs.len() * 2, "{} findings, such as {:?}", found.len(), found.first());
    }
    best
}

#[test]
fn linting_grows_as_loading_does() {
    let many: Vec<Input> = (0..10).map(|idx| spec(&format!("m{idx}"), 100)).collect();
    for inputs in [vec![spec("large", 1_000)], many] {
        let (load, lint) = measure(&inputs);
        // Without optimisation both take about as long; a quadratic algorithm would take a hundred times as long.
        assert!(lint < load * 4, "load {load:?}, lint {lint:?}");
    }
}
