//! The output of a build script: its messages to Cargo and its files. `tests/downstream` builds crates that use one.

use std::fs;
use std::path::Path;

use statespec_codegen::build_script::Build;
use statespec_codegen::diagnostic::Levels;

const DOOR: &str = "machine: door
states: { open: { initial: true }, shut: {} }
events: { push: {} }
transitions:
  - { from: open, event: push, to: shut }
  - { from: shut, event: push, to: open }
";

/// A package in a temporary folder, with one spec.
fn package(spec: &str) -> tempfile::TempDir {
    let package = tempfile::tempdir().unwrap();
    fs::create_dir(package.path().join("machines")).unwrap();
    fs::write(package.path().join("machines/door.yaml"), spec).unwrap();
    package
}

fn run(build: &Build, package: &Path) -> Result<Vec<String>, (Vec<String>, String)> {
    let hide = |lines: Vec<String>| lines.iter().map(|it| it.replace(&package.display().to_string(), "PACKAGE")).collect();
    let done = build.run(package, Path::new("machines"), &package.join("out"));
    done.map(hide).map_err(|it| (hide(it.instructions), it.report))
}

#[test]
fn it_writes_modules_and_tells_cargo_what_to_watch() {
    let package = package(DOOR);
    assert_eq!(run(&Build::default(), package.path()).unwrap(), ["cargo::rerun-if-changed=PACKAGE/machines"]);
    let root = fs::read_to_string(package.path().join("out/machines.rs")).unwrap();
    let module = package.path().join("out/machines/door.rs");
    assert_eq!(root, format!("#[allow(dead_code)]\n#[path = {:?}]\npub mod door;\n", module.display().to_string()));
    assert!(fs::read_to_string(&module).unwrap().contains("pub enum State {"));

    // An unchanged module is not written again, so that it is not compiled again.
    let written = || fs::metadata(&module).unwrap().modified().unwrap();
    let before = written();
    run(&Build::default(), package.path()).unwrap();
    assert_eq!(written(), before);
}

#[test]
fn what_lints_find_is_a_warning_or_an_error_of_the_build() {
    let package = package(&DOOR.replace("  - { from: shut, event: push, to: open }\n", ""));
    let (instructions, report) = run(&Build::default(), package.path()).unwrap_err();
    assert_eq!(instructions, ["cargo::rerun-if-changed=PACKAGE/machines"]);
    assert!(report.starts_with("error[lint::dead-end]: "), "{report}");
    assert!(!package.path().join("out").exists());

    let levels = Levels::from_pairs([("dead-end", "warn")]).unwrap();
    let instructions = run(&Build { levels, ..Build::default() }, package.path()).unwrap();
    assert!(instructions[1].starts_with("cargo::warning=machines/door.yaml:2:36: "), "{instructions:?}");
    assert!(instructions[1].ends_with(" [lint::dead-end]"), "{instructions:?}");
}

#[test]
fn a_wrong_spec_leaves_what_was_there() {
    let package = package(DOOR);
    run(&Build::default(), package.path()).unwrap();
    let before = fs::read_to_string(package.path().join("out/machines/door.rs")).unwrap();
    fs::write(package.path().join("machines/door.yaml"), DOOR.replace("to: shut", "to: shutt")).unwrap();
    let (_, report) = run(&Build::default(), package.path()).unwrap_err();
    assert!(report.contains("machines/door.yaml:5:") && report.contains("did you mean `shut`?"), "{report}");
    assert_eq!(fs::read_to_string(package.path().join("out/machines/door.rs")).unwrap(), before);

    fs::remove_file(package.path().join("machines/door.yaml")).unwrap();
    let (instructions, report) = run(&Build::default(), package.path()).unwrap_err();
    assert_eq!(instructions, ["cargo::rerun-if-changed=PACKAGE/machines"], "a spec that comes back runs the script again");
    assert!(report.starts_with("error: cannot find a spec in `machines`: there is no `.yaml` file"), "{report}");
}

#[test]
fn specs_beside_the_workspace_are_those_of_a_member() {
    let workspace = package(DOOR);
    let member = workspace.path().join("app");
    fs::create_dir(&member).unwrap();
    let done = Build::default().run(&member, Path::new("machines"), &member.join("out")).unwrap();
    assert_eq!(done, [format!("cargo::rerun-if-changed={}", workspace.path().join("machines").display())]);
    assert!(member.join("out/machines/door.rs").exists());
}
