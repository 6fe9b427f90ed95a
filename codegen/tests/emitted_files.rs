//! The emitted Rust of specs that use every feature equals the checked-in files byte for byte.
//!
//! `UPDATE_EMITTED=1 cargo test -p statespec-codegen --test it emitted_files` writes the files. The test program `rust`
//! compiles them.

use std::path::Path;

use statespec_codegen::model::Model;
use statespec_codegen::source::Input;
use statespec_lang::lower::load;
use statespec_rust as rust;

fn model() -> Model {
    model_in("rust")
}

fn model_in(folder: &str) -> Model {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(folder);
    let paths = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let inputs = paths.map(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        Input { path: format!("fixtures/{name}"), text: std::fs::read_to_string(&path).unwrap() }
    });
    load(&inputs.collect::<Vec<_>>()).model.unwrap()
}

fn style() -> rust::Style {
    rust::Style { serde: rust::Serde::On, async_host: true, ..rust::Style::default() }
}

/// Types of a user that hold all values.
fn own_style() -> rust::Style {
    let types =
        [("int", "i128"), ("decimal", "crate::Exact"), ("duration", "jiff::SignedDuration"), ("timestamp", "std::time::SystemTime")];
    let fields = [("account.balance", "i64"), ("vault.event.at", "statespec::Timestamp")];
    let owned = |pairs: &[(&str, &str)]| pairs.iter().map(|(key, ty)| ((*key).to_owned(), (*ty).to_owned())).collect();
    rust::Style { serde: rust::Serde::Off, types: owned(&types), fields: owned(&fields), ..style() }
}

#[test]
fn emitted_files_are_what_is_checked_in() {
    compare("rust", "emitted", &style());
    compare("own", "own_types", &own_style());
}

fn compare(fixtures: &str, folder: &str, style: &rust::Style) {
    let model = model_in(fixtures);
    let mut files = rust::files::output::outputs(&model, "emitted/src", rust::files::output::Root::Crate, style).render().unwrap().files;
    files.retain(|it| it.path != "emitted/src/lib.rs");
    files.push(statespec_drive::file_of(&model, "emitted/src/drive.rs", "crate::emitted", style).unwrap());
    let mut stale = Vec::new();
    for file in files {
        let name = file.path.rsplit('/').next().unwrap();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder).join(name);
        if std::fs::read_to_string(&path).is_ok_and(|it| it.replace("\r\n", "\n") == file.text) {
            continue;
        }
        if std::env::var_os("UPDATE_EMITTED").is_some() {
            std::fs::write(&path, &file.text).unwrap();
        }
        stale.push(name.to_owned());
    }
    assert!(stale.is_empty(), "{stale:?} in {folder} say something else than the emitters: run with UPDATE_EMITTED=1");
}

#[test]
fn a_second_run_emits_the_same() {
    let text = || rust::files::output::outputs(&model(), "emitted/src", rust::files::output::Root::Crate, &style()).render().unwrap().files;
    assert_eq!(text(), text());
}
