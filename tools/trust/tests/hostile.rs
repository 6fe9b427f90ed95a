//! Hostile specs are refused where they must be, with a place, in little memory. How long it takes is measured by
//! `cargo trust hostile`.

use peak_alloc::PeakAlloc;
use trust::hostile::{CASES, read};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

// One test, alone in its program: the memory that is counted is everybody's.
#[test]
fn hostile_specs_are_refused_with_a_place_and_in_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let mut objections = Vec::new();
    for case in CASES {
        let outcome = read(*case, folder.path(), &ALLOCATOR).unwrap();
        objections.extend(outcome.objection().map(|it| format!("{}: {it}", case.name)));
    }
    assert!(objections.is_empty(), "\n{}", objections.join("\n\n"));
}
