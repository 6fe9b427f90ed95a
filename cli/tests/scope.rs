//! `check` about some files, and where a report goes.

use std::collections::BTreeSet;
use std::process::Command;

use crate::support::{Project, Run};

fn machine(name: &str) -> String {
    format!(
        "machine: {name}\nstates: [open, shut]\nevents: [push, pull]\ntransitions:\n  - {{ from: open, event: push, to: shut }}\n  \
         - {{ from: shut, event: pull, to: open }}\n"
    )
}

/// Two machines, a system of one of them, a document, and a page with regions; all up to date.
fn green() -> Project {
    let project = Project::cargo();
    project.put("machines/door.yaml", &machine("door"));
    project.put("machines/lamp.yaml", &machine("lamp"));
    project.put("machines/house.yaml", "system: house\nparts: { door: { machine: door } }\ntransactions: { enter: { fire: door.push } }\n");
    project.put("README.md", "# House\n\n<!-- statespec:begin lamp.states -->\n<!-- statespec:end lamp.states -->\n");
    // With the table of constants, whose lines are blamed on their declarations.
    project.put("statespec.toml", "[json]\nout = \"model\"\n\n[docs]\nsections = \"all\"\n");
    let run = project.statespec(&["gen"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    project
}

/// The outputs that a report names.
fn outputs(run: &Run) -> Vec<String> {
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}{}", run.stdout, run.stderr));
    let outputs = report["annotations"].as_array().unwrap().iter().filter_map(|it| it["outputs"].as_array()).flatten();
    let files: BTreeSet<&str> = outputs.filter_map(|it| it["file"].as_str()).collect();
    files.into_iter().map(str::to_owned).collect()
}

fn check(project: &Project, args: &[&str]) -> Vec<String> {
    outputs(&project.statespec(&[&["check", "--format", "json"], args].concat()))
}

#[test]
fn a_check_of_a_file_reports_what_it_touches() {
    let project = green();
    for name in ["door", "lamp"] {
        project.edit(&format!("machines/{name}.yaml"), "[open, shut]", "[open, { shut: { doc: Closed. } }]");
    }
    let of_door = ["docs/machines/door.md", "model/door.json"];
    let of_lamp = ["README.md", "docs/machines/lamp.md", "model/lamp.json"];
    let all = ["README.md", "docs/machines/door.md", "docs/machines/lamp.md", "model/door.json", "model/lamp.json"];
    assert_eq!(check(&project, &[]), all);
    assert_eq!(check(&project, &["machines/door.yaml"]), of_door);
    assert_eq!(check(&project, &["machines/lamp.yaml"]), of_lamp);
    assert_eq!(check(&project, &["machines/house.yaml"]), Vec::<String>::new());
    assert_eq!(check(&project, &["machines/lamp.yaml", "machines/door.yaml"]), all);
    // A page or an output by itself.
    assert_eq!(check(&project, &["README.md"]), ["README.md"]);
    assert_eq!(check(&project, &["model/lamp.json"]), ["model/lamp.json"]);
    assert_eq!(check(&project, &["model/house.json"]), Vec::<String>::new());
    // The configuration touches everything.
    assert_eq!(check(&project, &["statespec.toml"]), all);
    assert_eq!(project.statespec(&["check", "machines/house.yaml"]).code, Some(0));
    // A change of a machine touches the systems that use it.
    let project = green();
    project.edit("model/house.json", "\"enter\"", "\"entre\"");
    assert_eq!(check(&project, &["machines/door.yaml"]), ["model/house.json"]);
    assert_eq!(check(&project, &["machines/lamp.yaml"]), Vec::<String>::new());
    // The project is that of the file.
    let run = project.statespec_in("src", &["check", "../machines/door.yaml"]);
    assert_eq!(run.code, Some(100), "{}", run.stderr);
    for wrong in ["src/lib.rs", "nowhere.md"] {
        assert_eq!(project.statespec(&["check", wrong]).code, Some(2), "{wrong}");
    }
}

#[test]
fn a_shared_file_touches_the_machines_that_use_it() {
    let project = green();
    project.put("machines/shared/limits.yaml", "shared: limits\nconstants: { n_max: 3 }\n");
    for name in ["door", "lamp"] {
        project.edit(&format!("machines/{name}.yaml"), "states:", "doc: It opens.\nstates:");
    }
    project.edit("machines/door.yaml", "doc: It opens.", "use: shared/limits.yaml\ndoc: It opens {n_max} times.");
    assert_eq!(project.statespec(&["gen"]).code, Some(0));
    assert_eq!(check(&project, &[]), Vec::<String>::new());
    project.edit("machines/shared/limits.yaml", "n_max: 3", "n_max: 4");
    let of_door = ["docs/machines/door.md", "model/door.json"];
    assert_eq!(check(&project, &[]), of_door);
    assert_eq!(check(&project, &["machines/shared/limits.yaml"]), of_door);
    assert_eq!(check(&project, &["machines/lamp.yaml"]), Vec::<String>::new());
    // The line of the shared file is to blame.
    let run = project.statespec(&["check"]);
    assert!(run.stderr.contains("machines/shared/limits.yaml:2"), "{}", run.stderr);
    // An error, too, is reported where it is written.
    project.edit("machines/shared/limits.yaml", "n_max: 4", "n_min: 4");
    let run = project.statespec(&["check"]);
    assert!(run.stderr.contains("machines/door.yaml:3") && run.stderr.contains("`n_min`"), "{}", run.stderr);
    project.edit("machines/shared/limits.yaml", "n_min: 4", "n_max: 3");
    assert_eq!(project.statespec(&["check"]).code, Some(0));
}

#[test]
fn findings_of_lints_belong_to_their_files() {
    let project = green();
    project.edit("machines/lamp.yaml", "[push, pull]", "[push, pull, unused]");
    assert_eq!(project.statespec(&["gen"]).code, Some(0));
    let told = |args: &[&str]| project.statespec(args).stderr.contains("unused-event");
    assert!(told(&["check"]) && told(&["check", "machines/lamp.yaml"]));
    assert!(!told(&["check", "machines/door.yaml"]));
}

#[test]
fn a_check_of_changes_reports_what_they_touch() {
    let project = green();
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(project.path()).args(["-c", "user.name=A", "-c", "user.email=a@b.c"]).args(args);
        let output = command.output().expect("git is there");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    // Without a repository nothing can be told.
    assert_eq!(project.statespec(&["check", "--changed"]).code, Some(2));
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "All."]);
    assert_eq!(check(&project, &["--changed"]), Vec::<String>::new());
    // An old mistake is not reported, a new one is.
    project.edit("machines/lamp.yaml", "[open, shut]", "[open, { shut: { doc: Closed. } }]");
    git(&["commit", "--quiet", "--all", "-m", "Lamp."]);
    project.edit("machines/door.yaml", "[open, shut]", "[open, { shut: { doc: Closed. } }]");
    project.put("machines/new.yaml", &machine("new"));
    let of_new = ["docs/machines/README.md", "docs/machines/door.md", "docs/machines/new.md", "model/door.json", "model/new.json"];
    assert_eq!(check(&project, &["--changed"]), of_new);
    assert_eq!(check(&project, &["--changed", "HEAD~1"]).len(), of_new.len() + 3);
    // What a deleted spec leaves behind belongs to the change.
    std::fs::remove_file(project.path().join("machines/new.yaml")).unwrap();
    std::fs::remove_file(project.path().join("machines/lamp.yaml")).unwrap();
    project.put("README.md", "# House\n");
    let changed = check(&project, &["--changed"]);
    assert!(changed.contains(&"model/lamp.json".to_owned()), "{changed:?}");
    assert_eq!(project.statespec(&["check", "--changed", "nothing"]).code, Some(2));
}

#[test]
fn a_report_goes_into_a_file_beside_the_log() {
    let project = green();
    project.edit("machines/door.yaml", "[open, shut]", "[open, { shut: { doc: Closed. } }]");
    let run = project.statespec(&["check", "--format", "sarif", "--output", "report.sarif"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(100), ""));
    assert!(run.stderr.contains("drift::stale"), "{}", run.stderr);
    let report: serde_json::Value = serde_json::from_str(&project.get("report.sarif")).unwrap();
    assert_eq!(report["runs"][0]["results"].as_array().unwrap().len(), 1);
    // The text of a file has no colours.
    let run = project.statespec(&["check", "--output", "report.txt", "--color", "always"]);
    assert!(run.stderr.contains('\u{1b}') && !project.get("report.txt").contains('\u{1b}'));
    assert!(project.get("report.txt").contains("drift::stale"));
    let run = project.statespec(&["lint", "--format", "json", "--output", "nowhere/report.json"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let run = project.statespec(&["explore", "door", "--format", "json", "--output", "found.json"]);
    assert!(run.code == Some(0) && run.stdout.contains("door") && project.get("found.json").contains("\"clean\""), "{}", run.stdout);
}

#[test]
fn a_quiet_run_says_only_what_there_is_to_report() {
    let project = green();
    let said = |args: &[&str]| {
        let run = project.statespec(args);
        (run.code, run.stdout + &run.stderr)
    };
    for args in [&["check", "-q"][..], &["gen", "--quiet"], &["lint", "-q"], &["explore", "-q", "door"]] {
        assert_eq!(said(args), (Some(0), String::new()), "{args:?}");
    }
    project.edit("machines/door.yaml", "[open, shut]", "[open, { shut: { doc: Closed. } }]");
    let (code, text) = said(&["-q", "check"]);
    assert!(code == Some(100) && text.contains("drift::stale"), "{text}");
    assert!(!text.contains('\u{1b}') && said(&["check", "--color", "always"]).1.contains('\u{1b}'));
    assert_eq!(said(&["check", "--color", "sometimes"]).0, Some(2));
}
