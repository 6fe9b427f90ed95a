//! The compiler's messages about wrong specs and types.
//!
//! `TRYBUILD=overwrite cargo test -p statespec-ui` rewrites the messages.

/// The messages are those of this compiler version; another version words its own part differently.
const PINNED: &str = "1.95.";

#[test]
fn messages_are_what_is_checked_in() {
    let version = std::process::Command::new("rustc").arg("--version").output().expect("rustc runs");
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    if !version.contains(&format!("rustc {PINNED}")) {
        #[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
        {
            eprintln!("skipped: the messages are those of rustc {PINNED}*, this is {version}");
        }
        return;
    }
    trybuild::TestCases::new().compile_fail("cases/*.rs");
}
