//! Programs of random systems do what the interpreter does.

use trust::random::coverage::Coverage;
use trust::random::{Project, Subject};
use trust::rng::Rng;

// Requests of states are for machines by themselves.
#[allow(dead_code)]
#[path = "../../../tests/support/program.rs"]
mod run;
#[path = "../../../tests/support/system_program.rs"]
mod run_system;
#[path = "../../../tests/support/system_walks.rs"]
mod system_walks;

#[test]
fn programs_of_random_systems_do_what_the_interpreter_does() {
    let mut counts = system_walks::Counts::new();
    for seed in 0..200 {
        let project = Project::new(Subject::System, seed, &mut Coverage::new());
        let Some(model) = &project.loaded.model else { continue };
        let mut rng = Rng::new(seed);
        for system in &model.systems {
            system_walks::compare(model, &run_system::Programs::of(model, system), 4, 50, &mut |it| rng.below(it), &mut counts);
        }
    }
    // Changes that could not be stored and optional links that pass over are too rare here; the test over the systems of this
    // repository has them.
    let kinds = ["missing", "rule", "machine", "link", "invariant", "unknown", "failed"];
    for kind in kinds.iter().chain(&["accepted", "created", "fired by a link"]) {
        assert!(counts.get(kind).is_some_and(|it| *it >= 10), "{kind} of {counts:?}");
    }
}
