//! `cargo statespec`: the command as a part of cargo.

fn main() -> std::process::ExitCode {
    cargo_statespec::main(cargo_statespec::Caller::Cargo)
}
