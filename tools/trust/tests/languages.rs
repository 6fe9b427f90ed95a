//! Random systems in TypeScript and Python do what the interpreter does.
//!
//! `SYSTEMS=1000 cargo test -p trust --test it languages` compares more of them, with longer walks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use statespec_code::{python, typescript};
use statespec_codegen::backend::conformance::data::{Extent, machine, system};
use statespec_lang::model::Model;
use trust::random::coverage::Coverage;
use trust::random::{Project, Subject};

#[path = "../../../tests/support/checks.rs"]
mod checks;

/// Random projects with a system, each under a name.
fn projects() -> Vec<(String, Project)> {
    let n_seeds = std::env::var("SYSTEMS").ok().map_or_else(|| checks::sample(48), |it| it.parse().expect("a number of systems"));
    let project = |seed| (format!("p{seed}"), Project::new(Subject::System, seed, &mut Coverage::new()));
    (0..n_seeds as u64).map(project).filter(|it| it.1.loaded.model.is_some()).collect()
}

fn extent() -> Extent {
    if std::env::var_os("SYSTEMS").is_some() { Extent { walks: 40, steps: 50 } } else { Extent { walks: 8, steps: 30 } }
}

/// A folder of its own, without files.
fn home(name: &str) -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emitted-systems").join(name);
    let _ = fs::remove_dir_all(&home);
    fs::create_dir_all(&home).unwrap();
    home
}

fn put(home: &Path, path: &str, text: &str) {
    let path = home.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// The data of the machines and systems of a model.
fn data(home: &Path, folder: &str, files: &std::collections::BTreeMap<String, String>, project: &Project, model: &Model) {
    let sources = &project.loaded.sources;
    for (idx, it) in model.machines.iter().enumerate() {
        put(home, &format!("{folder}/{}.json", files[&it.name]), &machine(model, idx, sources, Extent { walks: 1, steps: 5 }));
    }
    for (idx, it) in model.systems.iter().enumerate() {
        put(home, &format!("{folder}/{}.json", files[&it.name]), &system(model, idx, sources, extent()));
    }
    put(home, &format!("{folder}/numbers.json"), "{\"version\": 1, \"vectors\": []}");
}

fn accepted(command: &mut Command) {
    let output = command.output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}", said.chars().take(8_000).collect::<String>());
}

#[test]
fn typescript_of_random_systems_does_what_the_interpreter_does() {
    let Some(packages) = checks::needed("emitted TypeScript", checks::packages("tests/node")) else { return };
    let home = home("typescript");
    put(&home, "package.json", "{ \"type\": \"module\" }\n");
    let mut tests = Vec::new();
    for (name, project) in projects() {
        let Some(model) = &project.loaded.model else { continue };
        let style = typescript::Style { int: typescript::Int::Bigint, ..typescript::Style::default() };
        let files = typescript::files(model);
        for it in &model.machines {
            put(&home, &format!("src/{name}/{}.ts", files[&it.name]), &typescript::machine(it, &style));
        }
        for it in &model.systems {
            put(&home, &format!("src/{name}/{}.ts", files[&it.name]), &typescript::system(model, it, &style));
        }
        put(&home, &format!("src/{name}/statespec.ts"), &typescript::support(&style, true));
        put(&home, &format!("src/{name}/tests/conformance.test.ts"), &typescript::tests(model, "..", &style, true));
        data(&home, &format!("out/{name}/tests"), &files, &project, model);
        tests.push(format!("out/{name}/tests/conformance.test.js"));
    }
    assert!(tests.len() > 5, "{} systems", tests.len());
    let options = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/node/tsconfig.json")).unwrap();
    let types = packages.join("node_modules/@types");
    let roots = format!("\"typeRoots\": [{:?}], \"rootDir\": \"src\",", types.to_str().unwrap());
    put(&home, "tsconfig.json", &options.replace("\"rootDir\": \".\",", &roots));
    accepted(Command::new("node").arg(packages.join("node_modules/typescript/bin/tsc")).arg("--project").arg(&home));
    // One process for all: starting one for each would take longer than the tests.
    let imports: String = tests.iter().map(|it| format!("await import(\"./{it}\");\n")).collect();
    put(&home, "all.test.mjs", &imports);
    accepted(Command::new("node").args(["--test", "all.test.mjs"]).current_dir(&home));
}

#[test]
fn python_of_random_systems_does_what_the_interpreter_does() {
    let Some(mypy) = checks::needed("emitted Python", checks::mypy()) else { return };
    let home = home("python");
    let mut packages = Vec::new();
    for (name, project) in projects() {
        let Some(model) = &project.loaded.model else { continue };
        let files = python::files(model);
        for it in &model.machines {
            put(&home, &format!("{name}/{}.py", files[&it.name]), &python::machine(it, &python::Style::default()));
        }
        for it in &model.systems {
            put(&home, &format!("{name}/{}.py", files[&it.name]), &python::system(model, it));
        }
        put(&home, &format!("{name}/__init__.py"), &python::package());
        put(&home, &format!("{name}/statespec.py"), &python::support(true));
        put(&home, &format!("{name}/conformance.py"), &python::subject(true));
        put(&home, &format!("{name}_tests/__init__.py"), "");
        put(&home, &format!("{name}_tests/test_conformance.py"), &python::tests(model, &name, true));
        data(&home, &format!("{name}_tests"), &files, &project, model);
        packages.push(name);
    }
    assert!(packages.len() > 5, "{} systems", packages.len());
    accepted(Command::new(&mypy).args(["--strict", "--python-version", "3.11"]).args(&packages).current_dir(&home));
    let tests = packages.iter().map(|it| format!("{it}_tests.test_conformance"));
    accepted(Command::new(mypy.with_file_name("python")).args(["-B", "-m", "unittest"]).args(tests).current_dir(&home));
}
