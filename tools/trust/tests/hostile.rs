//! Hostile specs are refused where necessary, with a location, in little memory. `cargo trust hostile` measures
//! their time.

use peak_alloc::PeakAlloc;
use trust::hostile::{cases, run};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

// The only test of its program: memory is counted for the whole process.
#[test]
fn hostile_specs_are_refused_with_a_place_and_in_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let mut objections = Vec::new();
    for case in cases() {
        let outcome = run(*case, folder.path(), &ALLOCATOR).unwrap();
        objections.extend(outcome.objection().map(|it| format!("{}: {it}", case.name)));
    }
    assert!(objections.is_empty(), "\n{}", objections.join("\n\n"));
}
