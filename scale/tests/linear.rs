//! Twice the spec, twice the work: counted in allocations, which are the same on every machine.
//!
//! Loops that allocate nothing are not seen here; `cargo scale` times those.

#![allow(missing_docs, reason = "a test")]

use std::alloc::System;

use statespec_codegen::lower::load;
use statespec_codegen::project;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[path = "../src/specs.rs"]
mod specs;

use specs::Size;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Allocations and their bytes, on the way from the texts to all outputs.
fn work(size: Size) -> [usize; 2] {
    let specs = specs::project(size);
    let region = Region::new(ALLOCATOR);
    let loaded = load(&specs);
    let generated = project::generate(&loaded.sources, loaded.model.as_ref().unwrap()).unwrap();
    let change = region.change();
    assert!(!generated.files.is_empty());
    [change.allocations, change.bytes_allocated]
}

/// Twice the spec may be a little more than twice the work: lists grow in steps. The only test here: others would allocate meanwhile.
#[test]
fn twice_the_spec_is_twice_the_work() {
    let size = |n_machines, n_states, n_parts| Size { n_machines, n_states, n_edges: 4 * n_states, n_parts };
    // The first run fills what is made once.
    work(size(1, 10, 0));
    for (what, half, whole) in [
        ("machines", size(4, 100, 0), size(8, 100, 0)),
        ("states", size(1, 250, 0), size(1, 500, 0)),
        ("parts", size(5, 20, 5), size(10, 20, 10)),
    ] {
        for (half, whole) in work(half).into_iter().zip(work(whole)) {
            let ratio = whole as f64 / half as f64;
            assert!(ratio < 2.3, "{what}: from {half} to {whole}, {ratio:.2} times as much");
        }
    }
}
