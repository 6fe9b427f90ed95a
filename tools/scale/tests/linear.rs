//! The cost of an edge is the same in small and large specs, and no text to import costs the square of its length: counted in
//! allocations, which do not depend on the machine.
//!
//! Loops without allocations are not covered here; `cargo scale` measures their time.

#![allow(missing_docs, reason = "a test")]

use std::alloc::System;
use std::sync::Mutex;

use statespec_codegen::diagnostic::Levels;
use statespec_import::{Format, Options, import};
use statespec_lang::check::check;
use statespec_lang::lower::load;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[path = "../../../tests/support/hostile_imports.rs"]
mod hostile_imports;
#[path = "../src/specs.rs"]
#[allow(dead_code, reason = "the measurement uses the rest")]
mod specs;

use specs::{Emits, Size};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Only one test allocates at a time.
static COUNTING: Mutex<()> = Mutex::new(());

/// The number of allocations and of their bytes, from the texts to the lints and all outputs.
fn work(size: Size) -> [usize; 2] {
    let specs = specs::project(size);
    let region = Region::new(ALLOCATOR);
    let loaded = load(&specs);
    let model = loaded.model.as_ref().unwrap();
    let findings = check(model, &Levels::default());
    let generated = specs::configured(std::path::Path::new("."), Emits::All).generate(&loaded.sources, model).unwrap();
    let change = region.change();
    assert!(!generated.files.is_empty());
    drop(findings);
    [change.allocations, change.bytes_allocated]
}

fn size(n_machines: usize, n_states: usize, n_parts: usize) -> Size {
    Size { n_machines, n_states, n_edges: 4 * n_states, n_parts }
}

/// Lists grow in steps, so that bytes may differ more than allocations.
#[test]
fn every_edge_costs_the_same() {
    let _one = COUNTING.lock().unwrap();
    // The first run fills the caches.
    work(size(1, 10, 0));
    for (what, few, many, most) in [
        ("machines", size(4, 100, 0), size(16, 100, 0), 1.05),
        // Above 400 states there are no diagrams.
        ("states", size(1, 500, 0), size(1, 2000, 0), 1.05),
        // The emitted code of a transaction names all parts that its links can reach, here the later ones in the line.
        ("parts", size(5, 20, 5), size(20, 20, 20), 1.35),
    ] {
        let n_times = (many.n_machines * many.n_edges) as f64 / (few.n_machines * few.n_edges) as f64;
        let (many, few) = (work(many), work(few));
        let [allocations, bytes] = [0, 1].map(|idx| many[idx] as f64 / few[idx] as f64 / n_times);
        assert!(allocations < most, "{what}: an edge takes {allocations:.2} times the allocations where there are {n_times} times as many");
        assert!(bytes < most * 1.2, "{what}: an edge takes {bytes:.2} times the memory where there are {n_times} times as many");
    }
}

/// Twice the text costs twice as much, or somewhat more where lists grow in steps; work by the square would cost four times as much.
#[test]
fn no_text_to_import_costs_the_square_of_its_length() {
    let _one = COUNTING.lock().unwrap();
    let work = |scale: usize| {
        let cost = |(format, text): (Format, String)| {
            let region = Region::new(ALLOCATOR);
            let imported = import("it", &text, &Options { format: Some(format), ..Options::default() });
            let change = region.change();
            drop(imported);
            [change.allocations, change.bytes_allocated]
        };
        hostile_imports::texts(scale).into_iter().map(cost).collect::<Vec<_>>()
    };
    // The first run fills the caches.
    work(1);
    let costs = work(1).into_iter().zip(work(2)).zip(hostile_imports::texts(2));
    let grown = costs.filter_map(|((once, twice), (format, text))| {
        let [allocations, bytes] = [0, 1].map(|idx| twice[idx] as f64 / once[idx] as f64);
        let start: String = text.chars().take(80).collect();
        (allocations > 3.3 || bytes > 3.3)
            .then(|| format!("{format}, {start:?}: {allocations:.2} times the allocations, {bytes:.2} times the bytes"))
    });
    let grown: Vec<String> = grown.collect();
    assert!(grown.is_empty(), "{}", grown.join("\n"));
}
