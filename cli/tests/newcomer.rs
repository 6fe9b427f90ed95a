//! The first steps of a new user: the way from an empty project to a green check, and common mistakes.
//!
//! Each mistake is made in a project that was green before; the snapshot contains all output of the command.

use crate::support::Project;

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

#[test]
fn new_takes_no_name_that_is_taken() {
    let project = Project::cargo();
    assert_eq!(project.cargo_statespec(&["new", "ticket"]).code, Some(0));
    let before = project.get("machines/ticket.yaml");
    project.put("machines/shop.yaml", "system: shop\nparts: { ticket: { machine: ticket } }\n");
    for name in ["ticket", "Ticket", "TICKET", "Shop", "shop", "README", "readme"] {
        let run = project.cargo_statespec(&["new", name]);
        assert_eq!(run.code, Some(2), "{name}: {}", run.stderr);
        assert!(run.stderr.contains("choose another name"), "{name}: {}", run.stderr);
    }
    let files = std::fs::read_dir(project.path().join("machines")).unwrap().count();
    assert_eq!((files, project.get("machines/ticket.yaml")), (2, before), "nothing was made");
    // What is given is refused before the first question, even where answers are missing.
    for args in [&["new", "lamp", "--state", "on,on"][..], &["new", "lamp", "--state", "on,off", "--transition", "on->of"]] {
        assert_eq!(project.cargo_statespec(args).code, Some(2), "{args:?}");
    }
}

#[test]
fn new_reports_nothing_about_other_files() {
    let project = Project::cargo();
    project.put("machines/broken.yaml", "machine: broken\nstates: { a: {} }\ntransitions: []\n");
    let run = project.cargo_statespec(&["new", "ticket"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(!run.stderr.contains("broken") && run.stderr.contains("its page was not generated"), "{}", run.stderr);
    assert!(project.path().join("machines/ticket.yaml").exists());
    // A name of a spec with errors is taken as well.
    assert_eq!(project.cargo_statespec(&["new", "Broken"]).code, Some(2));
}

#[test]
fn a_new_spec_names_the_schema_of_the_project() {
    let project = Project::cargo();
    project.put("statespec.toml", "specs = \"specs/machines\"\n[language]\nschemas = \"docs/schema\"\n");
    assert_eq!(project.cargo_statespec(&["new", "ticket"]).code, Some(0));
    let spec = project.get("specs/machines/ticket.yaml");
    assert!(spec.starts_with("# yaml-language-server: $schema=../../docs/schema/machine.json\nmachine: ticket\n"), "{spec}");
    assert_eq!(project.cargo_statespec(&["gen"]).code, Some(0));
    assert_eq!(project.cargo_statespec(&["check"]).code, Some(0));
}

#[test]
fn no_machine_takes_the_place_of_another_output() {
    let machine = |name: &str| {
        format!(
            "machine: {name}\nstates: [a, b]\nevents: [go, back]\ntransitions:\n  - {{ from: a, event: go, to: b }}\n  \
             - {{ from: b, event: back, to: a }}\n"
        )
    };
    for (name, config) in [
        ("README", ""),
        ("readme", "[json]\nout = \"model\"\n"),
        ("door", "[[template]]\nfile = \"a.txt\"\nout = \"docs/machines/{{ name }}.md\"\n"),
    ] {
        let project = Project::cargo();
        project.put("a.txt", "A\n");
        project.put("statespec.toml", config);
        project.put("machines/one.yaml", &machine(name));
        project.put("machines/other.yaml", &machine("other"));
        for command in ["gen", "check"] {
            let run = project.cargo_statespec(&[command]);
            assert_eq!(run.code, Some(1), "{name}: {}", run.stderr);
            assert!(run.stderr.contains("name::collision") && run.stderr.contains("one.yaml:1:10"), "{name}: {}", run.stderr);
            assert!(run.stderr.contains("which is the place of another output"), "{name}: {}", run.stderr);
        }
        assert!(!project.path().join("docs").exists(), "nothing was written");
    }
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
        project.new_ticket();
        make(&project);
        insta::assert_snapshot!(format!("mistake_{name}"), project.transcript(&[command]));
    }
}
