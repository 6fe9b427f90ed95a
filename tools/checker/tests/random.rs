//! What is said about random machines is true. `cargo trust verdicts` compares more of them.

use statespec_checker::random::compare;

#[test]
fn nothing_false_is_said_about_random_machines() {
    let outcome = compare(0..120);
    assert!(outcome.disagreements.is_empty(), "{}", outcome.text());
    assert!(outcome.complete * 2 > outcome.machines, "most of them are simple: {}", outcome.text());
}
