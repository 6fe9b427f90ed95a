//! The command with the feature `database`, for the tests.

use std::process::ExitCode;

use cargo_statespec::Caller;

fn main() -> ExitCode {
    cargo_statespec::main(Caller::Shell)
}
