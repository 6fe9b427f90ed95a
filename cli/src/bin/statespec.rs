//! `statespec`: the command without cargo.

fn main() -> std::process::ExitCode {
    cargo_statespec::main(cargo_statespec::Caller::Shell)
}
