//! The command finds its project in any folder below the root.

use crate::support::Project;

const SPEC: &str = "machine: door\ntitle: Door\nstates: { shut: { initial: true }, open: {} }\n\
                    events: { pull: {}, push: {} }\n\
                    transitions:\n  - { from: shut, event: pull, to: open }\n  - { from: open, event: push, to: shut }\n";

/// A workspace with one member.
fn workspace() -> Project {
    let project = Project::empty();
    project.put("Cargo.toml", "[workspace]\nmembers = [\"app\"]\nresolver = \"3\"\n");
    project.put("app/Cargo.toml", "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    project.put("app/src/lib.rs", "");
    project
}

/// The models that `export` prints in a folder.
fn machines(project: &Project, folder: &str) -> Vec<String> {
    let run = project.statespec_in(folder, &["export"]);
    assert_eq!(run.code, Some(0), "{folder}: {}", run.stderr);
    let model: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    model["machines"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn any_folder_below_works() {
    let project = workspace();
    project.put("machines/door.yaml", SPEC);
    for folder in ["", "machines", "docs/deep/below", "app", "app/src"] {
        assert_eq!(machines(&project, folder), ["door"], "{folder}");
    }
    // Modules and pages in folders of the same name are no specs.
    project.put("app/src/machines/mod.rs", "");
    assert_eq!(machines(&project, "app/src"), ["door"]);
}

#[test]
fn specs_in_the_current_folder_come_before_a_package_above() {
    let project = workspace();
    project.put("parts/machines/door.yaml", SPEC);
    assert_eq!(machines(&project, "parts"), ["door"]);
    // A configuration comes before specs.
    project.put("statespec.toml", "specs = \"graphs\"\n");
    project.put("graphs/gate.yaml", &SPEC.replace("door", "gate"));
    assert_eq!(machines(&project, "parts"), ["gate"]);
}

#[test]
fn the_search_ends_at_the_top_of_the_repository() {
    let project = Project::empty();
    project.put("machines/door.yaml", SPEC);
    project.put("other/.git/HEAD", "");
    let run = project.statespec_in("other/src", &["check"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("the top of the repository"), "{}", run.stderr);
}

#[test]
fn a_new_machine_of_a_member_belongs_to_the_workspace() {
    for specs in [None, Some("machines/door.yaml")] {
        let project = workspace();
        specs.iter().for_each(|it| project.put(it, SPEC));
        assert_eq!(project.statespec_in("app/src", &["new", "ticket"]).code, Some(0));
        assert!(project.path().join("machines/ticket.yaml").exists() && !project.path().join("app/machines").exists());
    }
    // An empty folder waits for specs.
    let project = workspace();
    assert_eq!(project.statespec_in("app/machines", &["new", "ticket"]).code, Some(0));
    assert!(project.path().join("app/machines/ticket.yaml").exists());
}

#[test]
fn what_is_not_found_comes_with_the_root_and_how_it_was_found() {
    let project = workspace();
    let root = std::fs::canonicalize(project.path()).unwrap();
    let shown = |folder: &str, how: &str| {
        format!("the project's root is `{}`, {how}", root.join(folder).components().collect::<std::path::PathBuf>().display())
    };
    let misses = |folder: &str, args: &[&str], expected: &str| {
        let run = project.statespec_in(folder, args);
        assert!(run.stderr.contains(expected), "{args:?} in {folder} does not say {expected}\n{}", run.stderr);
    };
    misses("app/src", &["check"], &shown("", "the root of the Cargo workspace"));
    misses("", &["check", "--root", "app"], &shown("app", "the folder that was named"));
    project.put("machines/door.yaml", SPEC);
    for args in [&["explore", "gate"][..], &["export", "gate"], &["play", "gate"]] {
        misses("app", args, &shown("", "the nearest folder upwards with specs in `machines`"));
    }
    project.put("app/statespec.toml", "specs = [\"graphs\"]\n");
    misses("app/src", &["lint"], &shown("app", "the nearest folder upwards with `statespec.toml`"));
    project.put("app/statespec.toml", "[[template]]\nfile = \"list.txt\"\nout = \"lists/{{ name }}.txt\"\n");
    let of_template = format!("`{}`, the nearest folder upwards with `statespec.toml`", root.join("app").display());
    misses("app/src", &["lint"], &of_template);
    // A root that does not exist is invalid usage.
    assert_eq!(project.statespec_in("", &["check", "--root", "nowhere"]).code, Some(2));
}

#[test]
fn several_projects_are_checked_at_once() {
    let project = Project::empty();
    project.put(".git/HEAD", "");
    project.put("shop/machines/door.yaml", SPEC);
    project.put("bank/statespec.toml", "specs = \"parts/machines\"\n");
    project.put("bank/parts/machines/gate.yaml", &SPEC.replace("door", "gate"));
    project.put("other/.git", "");
    project.put("other/machines/hatch.yaml", SPEC);
    let json = |run: &crate::support::Run| serde_json::from_str::<serde_json::Value>(&run.stdout).unwrap();
    let files = |run: &crate::support::Run| {
        let report = json(run);
        let outputs = report["annotations"].as_array().unwrap().iter().flat_map(|it| it["outputs"].as_array().unwrap());
        let mut files: Vec<String> = outputs.map(|it| it["file"].as_str().unwrap().to_owned()).collect();
        files.sort();
        files
    };
    let all = project.statespec_in("shop", &["check", "--all", "--format", "json"]);
    assert_eq!(all.code, Some(100), "{}{}", all.stdout, all.stderr);
    let expected =
        ["bank/docs/machines/README.md", "bank/docs/machines/gate.md", "shop/docs/machines/README.md", "shop/docs/machines/door.md"];
    assert_eq!(files(&all), expected);
    let named = project.statespec_in("", &["check", "--root", "bank", "--root", "shop", "--format", "json"]);
    assert_eq!(named.stdout, all.stdout);
    // The text names each project.
    let written = project.statespec_in("", &["gen", "--all"]);
    assert_eq!(written.code, Some(0));
    assert!(written.stderr.contains("project bank:\n") && written.stderr.contains("project shop:\n"), "{}", written.stderr);
    assert_eq!(project.statespec_in("bank", &["check", "--all"]).code, Some(0));
    // One broken project does not hide the others.
    project.put("bank/statespec.toml", "specs = \"nowhere\"\n");
    project.put("shop/machines/door.yaml", &SPEC.replace("Door", "Gate"));
    let both = project.statespec_in("", &["check", "--all"]);
    assert_eq!(both.code, Some(1));
    assert!(both.stderr.contains("cannot find a spec in `nowhere`") && both.stderr.contains("docs/machines/door.md"), "{}", both.stderr);
    // Other commands are about one project.
    let new = project.statespec_in("", &["new", "ticket", "--root", "bank", "--root", "shop"]);
    assert_eq!(new.code, Some(2), "{}", new.stderr);
    assert!(new.stderr.contains("this command is about one project"), "{}", new.stderr);
    // No project at all.
    let empty = Project::empty();
    let run = empty.statespec_in("", &["check", "--all"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("there is no project in"), "{}", run.stderr);
}
