//! `import` from the outside: files, streams, exit codes.

use std::fs;
use std::process::Command;

use tempfile::TempDir;

/// A cargo project in a folder of its own.
struct Project(TempDir);

/// How a run ended and what it said.
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Project {
    fn new() -> Self {
        let project = Project(tempfile::tempdir().unwrap());
        project.put("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
        project
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn get(&self, path: &str) -> String {
        fs::read_to_string(self.0.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn run(&self, args: &[&str]) -> Run {
        let done = Command::new(env!("CARGO_BIN_EXE_statespec")).args(args).current_dir(self.0.path()).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace("\r\n", "\n");
        Run { code: done.status.code(), stdout: text(done.stdout), stderr: text(done.stderr) }
    }
}

const PAGE: &str =
    "# Parcel\n\nBefore.\n\n```mermaid\nstateDiagram-v2\n  [*] --> packed\n  packed --> sent: send it\n  sent --> [*]\n```\n\nAfter.\n";

#[test]
fn a_page_becomes_a_spec_that_check_guards() {
    let project = Project::new();
    project.put("docs/parcel.md", PAGE);
    let run = project.run(&["import", "docs/parcel.md", "--markers"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stderr, "wrote machines/parcel.yaml\nwrote docs/parcel.md: markers stand around what was read\n");
    assert!(project.get("machines/parcel.yaml").contains("- { from: packed, event: send_it, to: sent }"));
    assert!(project.get("docs/parcel.md").contains("<!-- statespec:begin parcel.diagram -->\n```mermaid\n"));
    // The markers say that nobody edited the diagram since: no force is needed.
    let run = project.run(&["gen"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(project.run(&["check"]).code, Some(0));
    project.put("docs/parcel.md", &project.get("docs/parcel.md").replace("packed --> sent", "packed --> lost"));
    assert_eq!(project.run(&["check"]).code, Some(100));
}

#[test]
fn losses_are_told_and_end_with_100() {
    let project = Project::new();
    project.put("door.mmd", "stateDiagram-v2\n  [*] --> shut\n  shut --> open\n  state open {\n    wide --> ajar\n  }\n");
    let run = project.run(&["import", "door.mmd", "--stdout"]);
    assert_eq!(run.code, Some(100), "{}", run.stderr);
    assert!(run.stdout.starts_with("machine: door\n"), "{}", run.stdout);
    assert!(run.stderr.contains("import::assumed") && run.stderr.contains("door.mmd:3:12"), "{}", run.stderr);
    assert!(!project.0.path().join("machines").exists(), "nothing was to be written");
    let json = project.run(&["import", "door.mmd", "--to", "graphs", "--format", "json"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&json.stdout).unwrap()["status"], "findings");
    assert!(project.get("graphs/door.yaml").contains("machine: door"));
}

#[test]
fn nothing_is_overwritten_and_nothing_unreadable_is_written() {
    let project = Project::new();
    project.put("docs/parcel.md", PAGE);
    project.put("machines/parcel.yaml", "mine");
    let run = project.run(&["import", "docs/parcel.md"]);
    assert_eq!((run.code, project.get("machines/parcel.yaml").as_str()), (Some(1), "mine"), "{}", run.stderr);
    assert!(run.stderr.contains("machines/parcel.yaml") && run.stderr.contains("--force"), "{}", run.stderr);
    assert_eq!(project.run(&["import", "docs/parcel.md", "--force"]).code, Some(0));
    assert!(project.get("machines/parcel.yaml").starts_with("machine: parcel\n"));

    for (file, text) in [("x.mmd", "stateDiagram-v2\n a --> b-c\n"), ("x.txt", "words"), ("x.json", "[")] {
        project.put(file, text);
        let run = project.run(&["import", file]);
        assert_eq!(run.code, Some(1), "{file}: {}", run.stderr);
        assert!(run.stderr.contains("import::unreadable"), "{file}: {}", run.stderr);
    }
    assert_eq!(project.run(&["import", "nowhere.md"]).code, Some(1));
    assert_eq!(project.run(&["import", "docs/parcel.md", "--only", "nobody"]).code, Some(1));
    assert_eq!(project.run(&["import", "docs/parcel.md", "--stdout", "--markers"]).code, Some(2));
}
