//! Every wrong spec gets its messages: all of them, in the right place, as a person reads them.
//!
//! Every fixture has a snapshot; to add a case, add a file under `fixtures/bad`.
//! A folder there is one project of several files; a folder with a `statespec.toml` is read as a project on the disk.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use statespec_codegen::config;
use statespec_codegen::diagnostic::{Code, Diagnostics, Style, render};
use statespec_codegen::project::Project;
use statespec_codegen::registry::BACKENDS;
use statespec_codegen::source::{Input, Sources};
use statespec_lang::lower::{Loaded, load};

fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/bad");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(root).unwrap().map(|it| it.unwrap().path()).collect();
    paths.sort();
    paths
}

fn load_fixture(path: &Path) -> Loaded {
    if path.extension().is_some_and(|it| it == "toml") {
        let mut sources = Sources::default();
        let id = sources.add(config::FILE, &std::fs::read_to_string(path).unwrap());
        let mut diagnostics = Diagnostics::default();
        assert!(config::read(&sources, id, BACKENDS, &mut diagnostics).is_none(), "{} was accepted", path.display());
        return Loaded { sources, names: Vec::new(), model: None, partial: None, diagnostics: diagnostics.finish() };
    }
    if path.join(config::FILE).exists() {
        let generated = Project::open(path).and_then(|project| {
            let loaded = project.load().unwrap();
            project.generate(&loaded.sources, &loaded.model.unwrap())
        });
        let unusable = generated.unwrap_err();
        assert_eq!(unusable.failures, []);
        return Loaded { sources: unusable.files, names: Vec::new(), model: None, partial: None, diagnostics: unusable.diagnostics };
    }
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
            let shown = render(&loaded.sources, &loaded.diagnostics, Style::Plain);
            insta::assert_snapshot!(name, shown.replace(env!("CARGO_MANIFEST_DIR"), "/project"));
        }
    });
}

#[test]
fn every_code_of_the_spec_language_has_a_fixture() {
    let seen: BTreeSet<Code> = fixtures().iter().flat_map(|path| load_fixture(path).diagnostics).map(|it| it.code).collect();
    // Other tests cover the limits that need a huge file, findings that need the disk, an exploration or another text, and lints.
    let by_family = |code: &Code| {
        ["audit::", "compare::", "database::", "drift::", "expect::", "explore::", "import::"]
            .iter()
            .any(|family| code.id().starts_with(family))
    };
    let elsewhere = |code: &Code| matches!(code, Code::NotUtf8) || by_family(code) || code.lint_level().is_some();
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
