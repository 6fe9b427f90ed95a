//! A short run of every fuzz target, with a fixed seed; longer with `FUZZ_MUTANTS=1000000`, or under `tools/fuzz/`.

use trust::fuzz::{TARGETS, run};

/// The number of mutants of each target, unless the environment sets another one.
fn n_mutants(usual: usize) -> usize {
    std::env::var("FUZZ_MUTANTS").ok().and_then(|it| it.parse().ok()).unwrap_or(usual)
}

#[test]
fn no_mutant_of_a_seed_brings_a_target_down() {
    for (name, target) in TARGETS {
        // The targets differ in cost.
        let usual = match *name {
            "outputs" => 60,
            "spec" => 400,
            _ => 2_000,
        };
        run(name, *target, n_mutants(usual), 1);
    }
}
