//! The compiler's messages about wrong specs and types.
//!
//! `TRYBUILD=overwrite cargo test -p statespec-ui` rewrites the messages.

#[path = "../../support/checks.rs"]
mod checks;

/// The messages are those of this compiler version; another version words its own part differently.
const PINNED: &str = "1.95.";

#[test]
fn messages_are_what_is_checked_in() {
    let version = std::process::Command::new("rustc").arg("--version").output().expect("rustc runs");
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    if !version.contains(&format!("rustc {PINNED}")) {
        let reason = format!("they are those of rustc {PINNED}*, this is {}", version.trim());
        let remedy = format!("run `cargo +{} test -p statespec-ui`", PINNED.trim_end_matches('.'));
        checks::skip("the compiler's messages", &checks::Missing::new(reason, remedy));
        return;
    }
    trybuild::TestCases::new().compile_fail("cases/*.rs");
}
