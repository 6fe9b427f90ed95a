//! Emitted TypeScript compiles with the strictest options, and does what the interpreter does: for the machines of this repository,
//! and for random charts.
//!
//! `TYPESCRIPT_MACHINES=1000 cargo test -p statespec-codegen --test it typescript` compares more random machines, with longer walks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use statespec_code::typescript::{self, Int, Style};
use statespec_codegen::backend::conformance::data::{self, Extent};
use statespec_codegen::source::Input;
use statespec_lang::model::Model;
use statespec_lang::source::Sources;

use crate::project::{checks, inputs, model, root};

/// Compiles and runs what is emitted for some models, each in a folder of its own; returns what `node --test` says.
struct Trial {
    home: PathBuf,
    packages: PathBuf,
}

impl Trial {
    /// `None` if the tools are missing.
    fn new(name: &str) -> Option<Trial> {
        let packages = checks::needed("emitted TypeScript", checks::packages("tests/node"))?;
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emitted-typescript").join(name);
        let _ = fs::remove_dir_all(&home);
        fs::create_dir_all(&home).unwrap();
        fs::write(home.join("package.json"), "{ \"type\": \"module\" }\n").unwrap();
        Some(Trial { home, packages })
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.home.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The modules of a model and their tests, in `src/NAME` and `out/NAME/tests`.
    fn emit(&self, name: &str, sources: &Sources, model: &Model, style: &Style, extent: Extent) {
        let files = typescript::files(model);
        for (idx, machine) in model.machines.iter().enumerate() {
            let file = &files[&machine.name];
            self.put(&format!("src/{name}/{file}.ts"), &typescript::machine(machine, style));
            self.put(&format!("out/{name}/tests/{file}.json"), &data::machine(model, idx, sources, extent));
        }
        self.put(&format!("src/{name}/statespec.ts"), &typescript::support(style));
        self.put(&format!("src/{name}/tests/conformance.test.ts"), &typescript::tests(model, "..", style));
        self.put(&format!("out/{name}/tests/numbers.json"), &data::numbers(50));
    }

    /// Compiles `src` to `out`; the compiler must have nothing to say.
    fn compile(&self) {
        let options = fs::read_to_string(root().join("tests/node/tsconfig.json")).unwrap();
        let types = self.packages.join("node_modules/@types");
        let roots = format!("\"typeRoots\": [{:?}], \"rootDir\": \"src\",", types.to_str().unwrap());
        self.put("tsconfig.json", &options.replace("\"rootDir\": \".\",", &roots));
        let compiler = self.packages.join("node_modules/typescript/bin/tsc");
        let output = Command::new("node").arg(compiler).arg("--project").arg(&self.home).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{} lines:\n{}", said.lines().count(), said.lines().take(40).collect::<Vec<_>>().join("\n"));
    }

    /// Runs the tests; panics with what failed.
    fn test(&self) {
        let mut files: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(self.home.join("out")).unwrap() {
            files.push(entry.unwrap().path().join("tests/conformance.test.js"));
        }
        files.sort();
        let output = Command::new("node").arg("--test").args(files).current_dir(&self.home).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{}", said.chars().take(8_000).collect::<String>());
    }
}

/// The specs of the emitted machines of the tests of Rust, which have every kind of row.
fn fixtures() -> Vec<Input> {
    let folder = root().join("codegen/tests/fixtures/rust");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "yaml"));
    paths.sort();
    let input = |it: PathBuf| Input {
        path: format!("machines/{}", it.file_name().unwrap().to_str().unwrap()),
        text: fs::read_to_string(it).unwrap(),
    };
    paths.into_iter().map(input).collect()
}

#[test]
fn emitted_machines_do_what_the_interpreter_does() {
    let Some(trial) = Trial::new("machines") else { return };
    let extent = Extent { walks: 12, steps: 30 };
    for (name, int, inputs) in [
        ("reference", Int::Number, inputs()),
        ("fixtures", Int::Bigint, fixtures()),
        ("fixtures_number", Int::Number, fixtures()),
    ] {
        let (sources, model) = model(&inputs);
        let style = Style { int, ..Style::default() };
        trial.emit(name, &sources, &model, &style, extent);
    }
    trial.compile();
    trial.test();
}
