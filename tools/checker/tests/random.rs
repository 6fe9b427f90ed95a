//! What is said about random machines is true.

use statespec_checker::random::compare;

#[test]
fn nothing_false_is_said_about_random_machines() {
    let n_machines = std::env::var("RANDOM_MACHINES").ok().and_then(|it| it.parse().ok()).unwrap_or(300);
    let outcome = compare(0..n_machines);
    eprintln!("{} machines, {} refused, {} complete, {:?}", outcome.machines, outcome.refused.len(), outcome.complete, outcome.findings);
    for (seed, why) in outcome.refused.iter().take(5) {
        eprintln!("refused {seed}: {why}");
    }
    for (seed, what, text) in outcome.disagreements.iter().take(6) {
        eprintln!("seed {seed}: {}\n{text}", what.0);
    }
    assert_eq!(outcome.disagreements.len(), 0);
    assert!(outcome.complete * 2 > outcome.machines, "most of them are simple");
}
