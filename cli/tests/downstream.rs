//! The crates of `tests/downstream`, built from a copy as their owners would build them.
//!
//! Only the paths of our own crates are rewritten. Then the YAML of each is edited, and its next build or check fails
//! or follows, as the guide says. The one with checked-in modules is a member of this repository's workspace, so that its own test
//! runs with all others. The command that updates its outputs is
//! `cargo run -p cargo-statespec -- --root tests/downstream/checked-in gen`.

use std::fs;
use std::path::{Path, PathBuf};

use statespec_codegen::project::assert_in_sync;

use crate::checks;
use crate::support::Project;

/// The root of this repository.
fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap()
}

/// A copy of one of the crates in a folder of its own.
fn copy(name: &str) -> Project {
    let project = Project::empty();
    let from = root().join("tests/downstream").join(name);
    for entry in walk(&from) {
        let path = entry.strip_prefix(&from).unwrap().to_str().unwrap().replace('\\', "/");
        let text = fs::read_to_string(&entry).unwrap();
        let ours = format!("path = \"{}", root().display());
        project.put(&path, &if path == "Cargo.toml" { text.replace("path = \"../../..", &ours) } else { text });
    }
    if from.join("Cargo.toml").exists() {
        project.put("Cargo.toml", &format!("{}\n[workspace]\n", project.get("Cargo.toml")));
        // The versions that this repository is tested with.
        fs::copy(root().join("Cargo.lock"), project.path().join("Cargo.lock")).unwrap();
    }
    project
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).filter(|it| !it.ends_with("target"));
    entries.flat_map(|it| if it.is_dir() { walk(&it) } else { vec![it] }).collect()
}

/// Runs cargo in a crate; all of them share the build of our crates.
fn cargo(project: &Project, command: &str) -> (bool, String, String) {
    cargo_with(project, &[command, "--quiet"])
}

fn cargo_with(project: &Project, args: &[&str]) -> (bool, String, String) {
    let output = crate::nested::cargo(project.path()).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace("\r\n", "\n");
    (output.status.success(), text(output.stdout), text(output.stderr))
}

#[track_caller]
fn prints(project: &Project, expected: &str) {
    let (ok, stdout, stderr) = cargo(project, "run");
    assert!(ok, "{stderr}");
    assert_eq!((stdout.as_str(), stderr.as_str()), (expected, ""), "the compiler has nothing to say");
}

/// Expects the next build to fail with all of these messages.
#[track_caller]
fn fails(project: &Project, command: &str, expected: &[&str]) {
    let (ok, stdout, stderr) = cargo(project, command);
    assert!(!ok, "`cargo {command}` passes");
    for expected in expected {
        assert!(stderr.contains(expected) || stdout.contains(expected), "`{expected}` is not in\n{stdout}\n{stderr}");
    }
}

#[test]
fn a_struct_with_the_derive() {
    let project = copy("derive-struct");
    prints(&project, "nobody has answered yet\nAda is solved after 1 answers\n");
    // The code contains the new text of the spec, and the compiler checks the struct against its fields.
    project.edit("machines/ticket.yaml", "nobody has answered yet", "there is no answer");
    prints(&project, "there is no answer\nAda is solved after 1 answers\n");
    project.edit("machines/ticket.yaml", "{ type: int, default: 0, doc: answers so far }", "{ type: bool, default: false }");
    project.edit("machines/ticket.yaml", "set: { answers: answers + 1 }", "set: { answers: true }");
    project.edit("machines/ticket.yaml", "when: answers > 0", "when: answers");
    fails(&project, "build", &["error", "`answers`", "machines/ticket.yaml", "src/main.rs"]);
}

#[test]
fn an_enum_with_the_derive() {
    let project = copy("derive-enum");
    prints(&project, "\"red\" -> green\n\"green\" -> amber\n\"amber\" -> red\n");
    project.edit("machines/light.yaml", "{ from: amber, event: turn, to: red }", "{ from: amber, event: turn, to: [red, green] }");
    fails(&project, "build", &["error", "machines/light.yaml:11:"]);
    project.edit("machines/light.yaml", "to: [red, green]", "to: red");
    project.edit("machines/light.yaml", "  amber: {}", "  yellow: {}");
    project.edit("machines/light.yaml", "to: amber", "to: yellow");
    project.edit("machines/light.yaml", "from: amber", "from: yellow");
    fails(&project, "build", &["Amber", "yellow", "src/main.rs"]);
}

#[test]
fn a_build_script() {
    if !checks::in_full("a crate with a build script", "it builds much") {
        return;
    }
    let project = copy("build-script");
    prints(&project, "2 states; nobody has answered yet\n");
    project.edit("machines/ticket.yaml", "  solved: { terminal", "  closed: { terminal: true }\n  solved: { terminal");
    project.edit("machines/ticket.yaml", "transitions:\n", "transitions:\n  - { from: solved, to: closed }\n");
    prints(&project, "3 states; nobody has answered yet\n");
    project.edit("machines/ticket.yaml", "to: closed", "to: clsoed");
    fails(&project, "build", &["there is no state `clsoed`", "machines/ticket.yaml:14:25", "did you mean `closed`?"]);
}

/// A build script compiles the language, the Rust backend, and what writes files; nothing of a project.
#[test]
fn a_build_script_needs_few_crates() {
    let args = ["tree", "--edges", "normal,build", "--prefix", "none", "--offline"];
    let (ok, tree, stderr) = cargo_with(&copy("build-script"), &args);
    assert!(ok, "{stderr}");
    let of = |name: &str| tree.lines().any(|it| it.split(' ').next() == Some(name));
    for name in ["statespec", "statespec-codegen", "statespec-lang", "statespec-rust"] {
        assert!(of(name), "{name} is not in\n{tree}");
    }
    for name in [
        "statespec-record",
        "statespec-audit",
        "statespec-code",
        "statespec-explore",
        "statespec-import",
        "statespec-macros",
        "statespec-scan",
        "statespec-sql",
        "statespec-store",
        "minijinja",
        "schemars",
        "toml",
    ] {
        assert!(!of(name), "{name} is in\n{tree}");
    }
}

/// The copy without its own test, whose library takes long to build; the workspace runs that test.
fn checked_in() -> Project {
    let project = copy("checked-in");
    project.edit("Cargo.toml", "\n[dev-dependencies]\nstatespec-codegen = ", "\n# statespec-codegen = ");
    let program = project.get("src/main.rs");
    project.put("src/main.rs", program.split_once("\n#[cfg(test)]\n").unwrap().0);
    project
}

#[test]
fn checked_in_modules_with_a_test() {
    let project = checked_in();
    assert_in_sync(project.path());
    prints(&project, "nobody has answered yet\n");
    project.edit("machines/ticket.yaml", "nobody has answered yet", "there is no answer");
    let panic = std::panic::catch_unwind(|| assert_in_sync(project.path())).unwrap_err();
    let report = panic.downcast::<String>().unwrap();
    for expected in ["error[drift::stale]: ", "--- src/machines/ticket.rs (on the disk)", "fix: cargo statespec gen"] {
        assert!(report.contains(expected), "`{expected}` is not in\n{report}");
    }
    assert_eq!(project.cargo_statespec(&["gen"]).code, Some(0));
    assert_in_sync(project.path());
    prints(&project, "there is no answer\n");
}

/// Plays a few steps in a crate, puts the printed test into a file, and runs it. Returns the first lines of the test.
#[track_caller]
fn played(project: &Project, lines: &str, kind: &str, file: &str) -> String {
    let run = project.statespec_with_input(&["play"], &format!("{lines}\ntest {kind}\n"));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let test = run.stdout.rsplit_once(&format!("> {}\n", format!("test {kind}").trim_end())).unwrap().1;
    project.put(file, &format!("{}\n{test}", project.get(file)));
    let (ok, stdout, stderr) = cargo(project, "test");
    assert!(ok && stderr.is_empty(), "{test}\n{stdout}\n{stderr}");
    let n_passed = stdout.lines().filter_map(|it| it.strip_prefix("test result: ok. ")?.split(' ').next()?.parse::<usize>().ok());
    assert!(n_passed.sum::<usize>() > 0, "{stdout}");
    test.lines().take(4).collect::<Vec<_>>().join("\n")
}

#[test]
fn play_prints_a_test_for_the_form_that_a_crate_uses() {
    let ticket = "solve\nanswer\nsolve\nreopen";
    let project = copy("derive-struct");
    insta::assert_snapshot!(played(&project, ticket, "", "src/main.rs"), @r"
    // In src/main.rs, where `Ticket` is.
    #[test]
    fn a_way_through_ticket() {
        use crate::*;
    ");
    // The type is private, in a module of a module.
    let project = copy("derive-enum");
    let light = project.get("src/main.rs").replace("enum Light", "#[allow(dead_code)]\nenum Light");
    project.put("src/way/lamp.rs", light.split("fn main").next().unwrap());
    project.put("src/way/mod.rs", "//! Of a way.\nmod lamp;\n");
    project.put("src/main.rs", "//! Lights.\nmod way;\n\nfn main() {}\n");
    insta::assert_snapshot!(played(&project, "turn\nto red\nturn", "", "src/way/lamp.rs"), @r"
    // In src/way/lamp.rs, where `Light` is: `crate::way::lamp`.
    #[test]
    fn a_way_through_light() {
        use crate::way::lamp::*;
    ");
    let project = copy("build-script");
    insta::assert_snapshot!(played(&project, ticket, "", "src/main.rs"), @r"
    // In the crate of src/main.rs, which includes the modules.
    #[test]
    fn a_way_through_ticket() {
        use crate::machines::ticket::*;
    ");
    let project = checked_in();
    insta::assert_snapshot!(played(&project, ticket, "checked-in", "src/main.rs"), @r"
    // In the crate of src/machines.
    #[test]
    fn a_way_through_ticket() {
        use crate::machines::ticket::*;
    ");
}

#[test]
fn a_repository_of_docs_with_regions() {
    let project = copy("docs-only");
    let check = project.statespec(&["check"]);
    assert_eq!(check.code, Some(0), "{}", check.stderr);
    project.edit(
        "machines/ticket.yaml",
        "{ from: solved, event: reopen, to: open }",
        "{ from: solved, event: reopen, to: open, label: again }",
    );
    let check = project.statespec(&["check", "--format", "github"]);
    assert_eq!(check.code, Some(100), "{}", check.stderr);
    // The table has a new column, so all its rows differ; the diagram differs in the one edge.
    let at = |place: &str| check.stdout.lines().filter(|it| it.starts_with(&format!("::error file=machines/ticket.yaml,{place}"))).count();
    assert_eq!((at(""), at("line=16,")), (1, 1), "{}", check.stdout);
    assert_eq!(project.statespec(&["gen"]).code, Some(0));
    assert_eq!(project.statespec(&["check"]).code, Some(0));
    assert!(project.get("docs/tickets.md").contains("solved --> open: again"));
}
