//! `cargo statespec`: the command as a cargo subcommand.

fn main() -> std::process::ExitCode {
    cargo_statespec::main(cargo_statespec::Caller::Cargo)
}
