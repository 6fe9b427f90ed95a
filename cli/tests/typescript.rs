//! The template in the docs: TypeScript of `agent_run`, which the real compiler must accept.
//!
//! The compiler is npm's `typescript`.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::Project;

const HERE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/typescript");

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap().replace("\r\n", "\n")
}

/// A project whose configuration generates TypeScript of `agent_run` and `elevator`.
fn project() -> Project {
    let project = Project::empty();
    project.put("machines/agent_run.yaml", &read(Path::new(HERE).join("../../../machines/agent_run.yaml")));
    project.put("machines/elevator.yaml", &read(Path::new(HERE).join("../../../machines/elevator.yaml")));
    project.put("templates/machine.ts.jinja", &read(Path::new(HERE).join("machine.ts.jinja")));
    project.put("statespec.toml", "[[template]]\nfile = \"templates/machine.ts.jinja\"\nout = \"web/{{ name }}.ts\"\n");
    let run = project.statespec(&["gen"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    project
}

#[test]
fn a_template_makes_typescript() {
    let project = project();
    insta::assert_snapshot!("agent_run.ts", project.get("web/agent_run.ts"));
    insta::assert_snapshot!("elevator.ts", project.get("web/elevator.ts"));
    assert_eq!(project.statespec(&["check"]).code, Some(0));
    // A new edge makes the output stale, and the finding is reported at the spec. The changed line of the template shows
    // several names, so it does not tell the row.
    project.edit("machines/agent_run.yaml", "to: [running, cancelled, failed]", "to: [running, cancelled, failed, complete]");
    let run = project.statespec(&["check", "--only", "templates"]);
    assert_eq!(run.code, Some(100));
    assert!(run.stderr.contains("error[drift::stale]: web/agent_run.ts is out of date\n"), "{}", run.stderr);
    assert!(run.stderr.contains("--> machines/agent_run.yaml\n"), "{}", run.stderr);
}

#[test]
fn the_real_compiler_accepts_it() {
    let Some(home) = crate::checks::needed("emitted TypeScript in the real compiler", crate::checks::packages("cli/tests/typescript"))
    else {
        return;
    };
    let project = project();
    project.put("web/use.ts", &read(Path::new(HERE).join("use.ts")));
    let compile = || {
        let script = home.join("node_modules/typescript/lib/tsc.js");
        let options =
            ["--strict", "--noEmit", "--noUnusedLocals", "--target", "es2022", "--module", "nodenext", "web/use.ts", "web/elevator.ts"];
        let done = Command::new("node").arg(script).args(options).current_dir(project.path()).output().unwrap();
        (done.status.success(), String::from_utf8(done.stdout).unwrap())
    };
    project.edit("web/use.ts", "./agent_run\"", "./agent_run.js\"");
    let (accepts, said) = compile();
    assert!(accepts, "{said}");
    // The compiler checks the types: without one state, the table does not fit its type.
    project.edit("web/agent_run.ts", "  \"failed\",\n", "");
    assert!(!compile().0, "a state that the table names and the type does not have");
}
