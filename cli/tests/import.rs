//! `import` as a command: files, streams, exit codes.

use crate::support::Project;

const PAGE: &str =
    "# Parcel\n\nBefore.\n\n```mermaid\nstateDiagram-v2\n  [*] --> packed\n  packed --> sent: send it\n  sent --> [*]\n```\n\nAfter.\n";

#[test]
fn a_page_becomes_a_spec_that_check_guards() {
    let project = Project::cargo();
    project.put("docs/parcel.md", PAGE);
    let run = project.statespec(&["import", "docs/parcel.md", "--markers"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stderr, "wrote machines/parcel.yaml\nwrote docs/parcel.md: markers stand around what was read\n");
    assert!(project.get("machines/parcel.yaml").contains("- { from: packed, event: send_it, to: sent }"));
    assert!(project.get("docs/parcel.md").contains("<!-- statespec:begin parcel.diagram -->\n```mermaid\n"));
    // The markers show that the diagram was not edited since: `--force` is not needed.
    let run = project.statespec(&["gen"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(project.statespec(&["check"]).code, Some(0));
    project.put("docs/parcel.md", &project.get("docs/parcel.md").replace("packed --> sent", "packed --> lost"));
    assert_eq!(project.statespec(&["check"]).code, Some(100));
}

#[test]
fn losses_are_told_and_end_with_100() {
    let project = Project::cargo();
    project.put("door.mmd", "stateDiagram-v2\n  [*] --> shut\n  shut --> open\n  open --> [*]: burn\n  open --> shut\n");
    let run = project.statespec(&["import", "door.mmd", "--stdout"]);
    assert_eq!(run.code, Some(100), "{}", run.stderr);
    assert!(run.stdout.starts_with("machine: door\n"), "{}", run.stdout);
    assert!(run.stderr.contains("import::assumed") && run.stderr.contains("door.mmd:4:3"), "{}", run.stderr);
    assert!(!project.path().join("machines").exists(), "nothing was to be written");
    let json = project.statespec(&["import", "door.mmd", "--to", "graphs", "--format", "json"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&json.stdout).unwrap()["status"], "findings");
    assert!(project.get("graphs/door.yaml").contains("machine: door"));
}

#[test]
fn nothing_is_overwritten_and_nothing_unreadable_is_written() {
    let project = Project::cargo();
    project.put("docs/parcel.md", PAGE);
    project.put("machines/parcel.yaml", "mine");
    let run = project.statespec(&["import", "docs/parcel.md"]);
    assert_eq!((run.code, project.get("machines/parcel.yaml").as_str()), (Some(1), "mine"), "{}", run.stderr);
    assert!(run.stderr.contains("machines/parcel.yaml") && run.stderr.contains("--force"), "{}", run.stderr);
    assert_eq!(project.statespec(&["import", "docs/parcel.md", "--force"]).code, Some(0));
    assert!(project.get("machines/parcel.yaml").starts_with("machine: parcel\n"));

    for (file, text) in [("x.mmd", "stateDiagram-v2\n a --> b-c\n"), ("x.txt", "words"), ("x.json", "[")] {
        project.put(file, text);
        let run = project.statespec(&["import", file]);
        assert_eq!(run.code, Some(1), "{file}: {}", run.stderr);
        assert!(run.stderr.contains("import::unreadable"), "{file}: {}", run.stderr);
    }
    assert_eq!(project.statespec(&["import", "nowhere.md"]).code, Some(1));
    assert_eq!(project.statespec(&["import", "docs/parcel.md", "--only", "nobody"]).code, Some(1));
    assert_eq!(project.statespec(&["import", "docs/parcel.md", "--stdout", "--markers"]).code, Some(2));
}

#[test]
fn markers_go_only_where_a_check_finds_them() {
    let project = Project::cargo();
    project.put("notes/parcel.md", PAGE);
    let run = project.statespec(&["import", "notes/parcel.md", "--markers"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    let place = "places = [\"docs\", \"README.md\", \"notes/parcel.md\"]";
    assert!(run.stderr.contains(place), "{}", run.stderr);
    assert!(!project.path().join("machines").exists() && project.get("notes/parcel.md") == PAGE, "nothing was written");
    // The line that it asks for is the right one.
    project.put("statespec.toml", &format!("[docs]\n{place}\n"));
    assert_eq!(project.statespec_in("notes", &["import", "parcel.md", "--markers"]).code, Some(0));
    assert_eq!(project.statespec(&["gen"]).code, Some(0));
    project.edit("notes/parcel.md", "packed --> sent", "packed --> lost");
    assert_eq!(project.statespec(&["check"]).code, Some(100));
    // A page outside the project, and no page at all.
    let other = Project::empty();
    other.put("parcel.md", PAGE);
    let run = project.statespec(&["import", other.path().join("parcel.md").to_str().unwrap(), "--markers"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("is outside the project"), "{}", run.stderr);
    assert_eq!(project.statespec(&["import", "-", "--markers"]).code, Some(2));
}

#[test]
fn a_table_is_pointed_at() {
    let project = Project::cargo();
    project.put("door.md", "| Where | What | Then |\n| --- | --- | --- |\n| open | close | shut |\n| shut | burn | ashes |\n| wherever | paint | as it was |\n");
    assert_eq!(project.statespec(&["import", "door.md"]).code, Some(1));
    let said = ["--table", "1", "--columns", "from=1,event=\"What\",to=3", "--any", "wherever", "--stay", "as it was"];
    let run = project.statespec(&[&["import", "door.md", "--stdout"], &said[..]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("- { from: shut, event: burn, to: ashes }"), "{}", run.stdout);
    assert!(run.stdout.contains("event: paint"), "{}", run.stdout);
    let run = project.statespec(&["import", "door.md", "--columns", "form=1"]);
    assert!(run.code == Some(2) && run.stderr.contains("there is no column `form`"), "{}", run.stderr);
    let run = project.statespec(&["import", "door.md", "--columns", "from=1", "--from", "rust"]);
    assert!(run.code == Some(2) && run.stderr.contains("--from markdown"), "{}", run.stderr);
}
