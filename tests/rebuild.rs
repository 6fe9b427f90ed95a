//! An edited spec alone triggers a rebuild of a crate with a derive; a missing spec is searched for.

use std::path::{Path, PathBuf};

#[path = "support/nested.rs"]
mod nested;

const SPEC: &str = "machine: door\nstates: { open: { initial: true }, closed: }\nevents: { push: }\ntransitions:\n  - { from: open, event: push, to: closed }\n  - { from: closed, event: push, to: open }\n";

const MAIN: &str = r#"
#[derive(Debug, statespec::StateMachine)]
#[machine("machines/door.yaml")]
struct Door {
    state: DoorState,
}

fn main() {
    println!("{:?}", DoorState::ALL.map(DoorState::name));
}
"#;

/// A workspace with one member; the specs are beside the workspace, not in the member.
struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new(parent: &Path) -> Project {
        let folder = tempfile::tempdir_in(parent).expect("a folder");
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let project = Project { folder };
        project.write("Cargo.toml", "[workspace]\nmembers = [\"door\"]\nresolver = \"3\"\n");
        let package = "[package]\nname = \"door\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n";
        let dependency = format!("serde = {{ version = \"1\", features = [\"derive\"] }}\nstatespec = {{ path = {root:?} }}\n");
        project.write("door/Cargo.toml", &(package.to_owned() + &dependency));
        project.write("door/src/main.rs", MAIN);
        // The same versions, so that nothing is looked up.
        std::fs::copy(root.join("Cargo.lock"), project.path("Cargo.lock")).expect("a copy");
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    /// Builds and runs, in a target folder that is kept; returns the output, or the errors of the compiler.
    fn run(&self) -> Result<String, String> {
        let output = nested::cargo(&self.path("door")).args(["run", "--quiet", "--offline"]).output().expect("cargo runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    }
}

#[test]
fn editing_the_spec_alone_builds_again() {
    // A spec of another project lies beside this one; it is not suggested.
    let beside = tempfile::tempdir().expect("a folder");
    std::fs::write(beside.path().join("door.yaml"), SPEC).expect("a file");
    let project = Project::new(beside.path());
    let message = project.run().expect_err("there is no spec yet");
    assert!(message.contains("there is no file `machines/door.yaml`; looked for"), "{message}");
    for folder in ["door/machines", "door/src/machines", "machines"] {
        let looked = project.path(folder).join("door.yaml");
        assert!(message.contains(&looked.display().to_string()), "{folder}: {message}");
    }
    project.write("machines/door.yaml", SPEC);
    assert_eq!(project.run().as_deref(), Ok("[\"open\", \"closed\"]\n"));
    project.write("machines/door.yaml", &SPEC.replace("closed", "shut"));
    assert_eq!(project.run().as_deref(), Ok("[\"open\", \"shut\"]\n"));
    project.write("machines/door.yaml", &SPEC.replace("to: closed", "to: closd"));
    let message = project.run().expect_err("the target is misspelt");
    assert!(message.contains("there is no state `closd`") && message.contains("did you mean `closed`?"), "{message}");
    // The fixed spec is read, although the last build failed.
    project.write("machines/door.yaml", SPEC);
    assert_eq!(project.run().as_deref(), Ok("[\"open\", \"closed\"]\n"));
    // So is a file that the spec uses, and an edit of it.
    project.write(
        "machines/door.yaml",
        &SPEC
            .replace("machine: door\n", "machine: door\nuse: shared/words.yaml\n")
            .replace("closed:", "closed: { wire: shut, doc: \"{why}\" }"),
    );
    let message = project.run().expect_err("there is no shared file yet");
    assert!(message.contains("there is no file `machines/shared/words.yaml`"), "{message}");
    project.write("machines/shared/words.yaml", "shared: words\nconstants: { why: closed }\n");
    assert_eq!(project.run().as_deref(), Ok("[\"open\", \"shut\"]\n"));
    project.write("machines/shared/words.yaml", "shared: words\nconstants: { because: closed }\n");
    let message = project.run().expect_err("the constant has another name");
    assert!(message.contains("`{why}`") && message.contains("`because`"), "{message}");
}
