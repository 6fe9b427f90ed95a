//! Every wrong spec gets its messages: all of them, in the right place, as a person reads them.
//!
//! A fixture goes in, a snapshot comes out; adding a case is adding a file under `fixtures/bad`.
//! A folder there is one project of several files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use statespec_codegen::diagnostic::{Code, Style, render};
use statespec_codegen::lower::{Input, Loaded, load};

fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/bad");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(root).unwrap().map(|it| it.unwrap().path()).collect();
    paths.sort();
    paths
}

fn load_fixture(path: &Path) -> Loaded {
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        files = std::fs::read_dir(path).unwrap().map(|it| it.unwrap().path()).collect();
    }
    let input = |path: &PathBuf| Input {
        path: format!("machines/{}", path.file_name().unwrap().to_str().unwrap()),
        text: String::from_utf8(std::fs::read(path).unwrap()).unwrap(),
    };
    load(&files.iter().map(input).collect::<Vec<_>>())
}

#[test]
fn every_wrong_spec_gets_its_messages() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots/diagnostics");
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| {
        for path in fixtures() {
            let loaded = load_fixture(&path);
            assert!(loaded.model.is_none(), "{} was accepted", path.display());
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            insta::assert_snapshot!(name, render(&loaded.sources, &loaded.diagnostics, Style::Plain));
        }
    });
}

#[test]
fn every_code_of_the_spec_language_has_a_fixture() {
    let seen: BTreeSet<Code> = fixtures().iter().flat_map(|path| load_fixture(path).diagnostics).map(|it| it.code).collect();
    // Read by other tests: limits that take a huge file, what only the disk can show, and lints.
    let elsewhere = |code: &Code| matches!(code, Code::NotUtf8) || code.id().starts_with("drift::") || code.lint_level().is_some();
    let missing: Vec<&str> = Code::ALL.iter().filter(|it| !seen.contains(it) && !elsewhere(it)).map(|it| it.id()).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn every_message_points_into_its_file_and_says_what_to_do() {
    for path in fixtures() {
        let loaded = load_fixture(&path);
        for diagnostic in &loaded.diagnostics {
            let text = loaded.sources.get(diagnostic.primary.0.source).text();
            assert!(diagnostic.primary.0.end as usize <= text.len() + 1, "{}: {}", path.display(), diagnostic.message);
            assert!(!diagnostic.message.ends_with('.'), "{}", diagnostic.message);
        }
    }
}
