//! `statespec`: the command without cargo.

#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cargo_statespec::main(cargo_statespec::Caller::Shell)
}
