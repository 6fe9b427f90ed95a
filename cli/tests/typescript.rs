//! The template in the docs: TypeScript of `agent_run`, which the real compiler must accept.
//!
//! The compiler is npm's `typescript`. If node or npm is missing, or the package cannot be installed,
//! that part says so on stderr and is skipped; `STATESPEC_REQUIRE_TYPESCRIPT=1` makes that a failure.

mod support;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::Project;

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
    let home = match compiler() {
        Ok(home) => home,
        Err(reason) => {
            assert!(std::env::var_os("STATESPEC_REQUIRE_TYPESCRIPT").is_none(), "the TypeScript check cannot run: {reason}");
            // Not `eprintln!`, which the test runner would capture.
            let _ = writeln!(std::io::stderr(), "\nskipped: the TypeScript was not read by the real compiler, because {reason}\n");
            return;
        }
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

/// The folder where the compiler is installed.
fn compiler() -> Result<PathBuf, String> {
    let home = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("typescript");
    fs::create_dir_all(&home).map_err(|error| format!("{} cannot be made: {error}", home.display()))?;
    Command::new("node").arg("--version").output().map_err(|_| "there is no `node`")?;
    let lock = |path: PathBuf| fs::read(path).ok();
    if lock(home.join("installed.json")).is_some_and(|it| Some(it) == lock(Path::new(HERE).join("package-lock.json"))) {
        return Ok(home);
    }
    for name in ["package.json", "package-lock.json"] {
        fs::copy(Path::new(HERE).join(name), home.join(name)).map_err(|error| format!("{name} cannot be copied: {error}"))?;
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    let done = Command::new(npm).args(arguments).current_dir(&home).output().map_err(|_| "there is no `npm`")?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        let last: Vec<_> = said.lines().filter(|it| it.contains("npm error")).take(3).collect();
        return Err(format!("`npm ci` failed: {}", last.join(" | ")));
    }
    fs::copy(home.join("package-lock.json"), home.join("installed.json")).map_err(|error| error.to_string())?;
    Ok(home)
}
