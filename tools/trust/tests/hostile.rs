//! Hostile specs are refused where necessary, with a location, in little memory. `cargo trust hostile` measures
//! their time, and runs the large ones that are accepted, and more of the random ones, too.

use peak_alloc::PeakAlloc;
use trust::hostile::{Case, cases, measure, run, spec};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The largest spec that a debug build reads in a moment, and the largest random one.
const QUICK: usize = 8 << 10;
const QUICK_RANDOM: usize = 3 << 10;

// The only test of its program: memory is counted for the whole process.
#[test]
fn hostile_specs_are_refused_with_a_place_and_in_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let mut objections = Vec::new();
    let is_quick = |case: &&Case| !case.accepted || (case.make)().len() < QUICK;
    for case in cases().filter(is_quick) {
        let outcome = run(*case, folder.path(), &ALLOCATOR).unwrap();
        objections.extend(outcome.objection().map(|it| format!("{}: {it}", case.name)));
    }
    let (mut n_read, mut n_refused) = (0, 0);
    for (seed, spec) in (0..200).map(|seed| (seed, spec(seed))).filter(|(_, it)| it.len() < QUICK_RANDOM) {
        let run = measure(spec.as_bytes(), Vec::new(), folder.path(), &ALLOCATOR).unwrap();
        *(if run.accepted() { &mut n_read } else { &mut n_refused }) += 1;
        objections.extend(run.objection_to_numbers().map(|it| format!("random {seed}: {it}")));
    }
    assert!(objections.is_empty(), "\n{}", objections.join("\n\n"));
    assert!(n_read >= 5, "{n_read} read, {n_refused} refused");
}
