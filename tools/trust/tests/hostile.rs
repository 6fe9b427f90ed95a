//! Hostile specs are refused where necessary, with a location, in little memory. `cargo trust hostile` measures
//! their time, and runs the large ones that are accepted, too.

use peak_alloc::PeakAlloc;
use trust::hostile::{Case, cases, run};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

// The only test of its program: memory is counted for the whole process.
#[test]
fn hostile_specs_are_refused_with_a_place_and_in_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let mut objections = Vec::new();
    let is_quick = |case: &&Case| !case.accepted || (case.make)().len() < 8 << 10;
    for case in cases().filter(is_quick) {
        let outcome = run(*case, folder.path(), &ALLOCATOR).unwrap();
        objections.extend(outcome.objection().map(|it| format!("{}: {it}", case.name)));
    }
    assert!(objections.is_empty(), "\n{}", objections.join("\n\n"));
}
