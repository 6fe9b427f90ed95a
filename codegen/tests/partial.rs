//! One file with an error does not keep the others from a model.
//!
//! Every folder under `fixtures/partial` is a project with errors; its snapshot shows the readable part, and what is reported. To
//! add a case, add a folder.

use std::fs;
use std::path::Path;

use statespec_codegen::diagnostic::{Style, render};
use statespec_codegen::source::Input;
use statespec_lang::lower::{Loaded, load};

#[test]
fn files_with_errors_leave_the_others_readable() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/partial");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots/partial");
    settings.set_prepend_module_to_snapshot(false);
    let mut cases: Vec<_> = fs::read_dir(root).unwrap().map(|it| it.unwrap().path()).collect();
    cases.sort();
    assert!(!cases.is_empty());
    settings.bind(|| {
        for case in cases {
            let loaded = load(&inputs(&case));
            insta::assert_snapshot!(case.file_name().unwrap().to_str().unwrap(), shown(&loaded));
        }
    });
}

fn inputs(folder: &Path) -> Vec<Input> {
    let files = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let input =
        |path: &Path| Input { path: path.file_name().unwrap().to_str().unwrap().to_owned(), text: fs::read_to_string(path).unwrap() };
    files.map(|it| input(&it)).collect()
}

fn shown(loaded: &Loaded) -> String {
    assert!(loaded.model.is_none(), "a model with errors is complete");
    let partial = loaded.partial.as_ref().expect("a model is complete or partial");
    let model = &partial.valid;
    let lines = [
        ("machines", model.machines.iter().map(|it| it.name.as_str()).collect::<Vec<_>>()),
        ("systems", model.systems.iter().map(|it| it.name.as_str()).collect()),
        ("documents", model.documents.iter().map(|it| it.name.as_str()).collect()),
        ("broken machines", partial.broken.iter().map(|it| it.name.as_str()).collect()),
        ("names", loaded.names.iter().map(|it| it.value.as_str()).collect()),
    ];
    // The parts of systems are positions in the list of machines.
    for part in model.systems.iter().flat_map(|it| &it.parts) {
        assert_eq!(model.machines[part.machine].name, part.name, "the fixtures name parts after their machines");
    }
    let lines: String = lines.iter().map(|(what, names)| format!("{what}: {}\n", names.join(", "))).collect();
    format!("{lines}\n{}", render(&loaded.sources, &loaded.diagnostics, Style::Plain))
}
