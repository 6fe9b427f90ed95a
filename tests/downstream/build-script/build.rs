//! Emits the machines into `OUT_DIR`.

fn main() {
    statespec_codegen::build_script::emit("machines");
}
