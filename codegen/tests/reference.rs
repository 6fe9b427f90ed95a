//! The reference machines are read without findings, in any order of files.

use statespec_codegen::diagnostic::{Style, render};
use statespec_codegen::source::Input;
use statespec_lang::lower::load;

fn inputs() -> Vec<Input> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../machines");
    let mut inputs: Vec<Input> = std::fs::read_dir(root)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            Input { path: format!("machines/{name}"), text: std::fs::read_to_string(&path).unwrap() }
        })
        .collect();
    inputs.sort();
    inputs
}

#[test]
fn the_reference_machines_are_true() {
    let loaded = load(&inputs());
    assert!(loaded.model.is_some(), "{}", render(&loaded.sources, &loaded.diagnostics, Style::Plain));
    assert_eq!(loaded.diagnostics, []);
}

#[test]
fn the_order_of_files_makes_no_difference() {
    let forwards = load(&inputs());
    let mut reversed = inputs();
    reversed.reverse();
    let backwards = load(&reversed);
    assert_eq!(format!("{:?}", forwards.model), format!("{:?}", backwards.model));
}
