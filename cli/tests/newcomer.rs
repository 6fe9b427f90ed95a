//! The first steps of a new user: the way from an empty project to a green check, and common mistakes.
//!
//! Each mistake is made in a project that was green before; the snapshot contains all output of the command.

mod support;

use support::Project;

#[test]
fn from_nothing_to_a_green_check() {
    let project = Project::cargo();
    let steps =
        ["cargo statespec check", "cargo statespec new ticket", "cargo statespec gen", "cargo statespec check", "cargo statespec lint"];
    insta::assert_snapshot!(project.transcript(&steps));
    insta::assert_snapshot!("new_ticket.yaml", project.get("machines/ticket.yaml"));
    insta::assert_snapshot!("new_ticket.md", project.get("docs/machines/ticket.md"));
    project.put("src/deep/down/x.rs", "");
    let run = project.cargo_statespec(&["--root", "src/../.", "check"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn a_repository_of_docs_needs_no_cargo() {
    let project = Project::empty();
    let new = [
        "statespec new door --state open,closed,locked --transition open->closed:close --transition closed->open:open --transition closed->locked",
        "statespec new lamp --state off,on --page docs/lamp.md --title Lamp",
        "statespec gen",
        "statespec check",
        "statespec new lamp",
    ];
    insta::assert_snapshot!(project.transcript(&new));
    insta::assert_snapshot!("new_door.yaml", project.get("machines/door.yaml"));
    insta::assert_snapshot!("new_lamp.md", project.get("docs/lamp.md"));
}

#[test]
fn new_refuses_what_makes_no_machine() {
    let project = Project::cargo();
    let wrong = [
        "cargo statespec new",
        "cargo statespec new 1st",
        "cargo statespec new door --state open,open",
        "cargo statespec new door --state in-progress,InProgress",
        "cargo statespec new door --state open,closed --transition open->close --transition open:closed",
    ];
    insta::assert_snapshot!(project.transcript(&wrong));
    assert!(!project.path().join("machines").exists(), "nothing was made");
}

/// A mistake: its name, the edit, and the command that reports it.
type Mistake = (&'static str, fn(&Project), &'static str);

const MISTAKES: &[Mistake] = &[
    ("typo_in_a_target", |it| it.edit("machines/ticket.yaml", "to: running", "to: runing"), "cargo statespec gen"),
    ("missing_initial", |it| it.edit("machines/ticket.yaml", "initial: true, ", ""), "cargo statespec gen"),
    ("tab", |it| it.edit("machines/ticket.yaml", "  running:", "\trunning:"), "cargo statespec gen"),
    (
        "unknown_key",
        |it| it.edit("machines/ticket.yaml", "{ from: running, event: finish", "{ from: running, on: finish"),
        "cargo statespec gen",
    ),
    ("wrong_type_in_a_guard", |it| it.edit("machines/ticket.yaml", "event: start, ", "event: start, when: 1 + 1, "), "cargo statespec gen"),
    ("spec_path_wrong", |it| it.put("statespec.toml", "specs = \"machine\"\n"), "cargo statespec gen"),
    (
        "marker_misspelt",
        |it| it.put("README.md", "# Shop\n\n<!-- statespec:begin ticket.digram -->\n<!-- statespec:end ticket.diagram -->\n"),
        "cargo statespec gen",
    ),
    (
        "region_misspelt",
        |it| it.put("README.md", "# Shop\n\n<!-- statespec:begin ticket.digram -->\n<!-- statespec:end ticket.digram -->\n"),
        "cargo statespec gen",
    ),
    ("edited_generated_page", |it| it.edit("docs/machines/ticket.md", "# Ticket", "# My Ticket"), "cargo statespec gen"),
    ("stale_page", |it| it.edit("machines/ticket.yaml", "title: \"Ticket\"", "title: \"Support Ticket\""), "cargo statespec check"),
    ("no_machines_at_all", |it| std::fs::remove_dir_all(it.path().join("machines")).unwrap(), "cargo statespec check"),
    (
        "misspelt_key_in_the_configuration",
        |it| it.put("statespec.toml", "spec = \"machines\"\n[lints]\ndead-ends = \"allow\"\n"),
        "cargo statespec check",
    ),
];

#[test]
fn every_usual_mistake_is_told_with_a_way_out() {
    for (name, make, command) in MISTAKES {
        let project = Project::cargo();
        assert_eq!(project.cargo_statespec(&["new", "ticket"]).code, Some(0));
        assert_eq!(project.cargo_statespec(&["gen"]).code, Some(0));
        make(&project);
        insta::assert_snapshot!(format!("mistake_{name}"), project.transcript(&[command]));
    }
}
