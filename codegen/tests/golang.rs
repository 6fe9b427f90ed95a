//! Emitted Go is laid out as gofmt does it, passes `go vet`, and does what the interpreter does: for the machines of this repository,
//! and for random charts.
//!
//! `GO_MACHINES=1000 cargo test -p statespec-codegen --test it golang` compares more random machines, with longer walks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use statespec_code::golang::{self, Style};
use statespec_codegen::backend::conformance::data::{self, Extent};
use statespec_codegen::diagnostic::{Style as RenderStyle, render};
use statespec_lang::model::Model;
use statespec_lang::source::Sources;

use crate::every_row::{charts, fixtures};
use crate::project::{checks, inputs, model};

/// What is emitted for some models, each in a folder of its own of one module, `example.com`.
struct Trial {
    home: PathBuf,
}

impl Trial {
    /// `None` if the tools are missing.
    fn new(name: &str) -> Option<Trial> {
        checks::needed("emitted Go", checks::go())?;
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emitted-go").join(name);
        let _ = fs::remove_dir_all(&home);
        fs::create_dir_all(&home).unwrap();
        fs::write(home.join("go.mod"), "module example.com\n\ngo 1.19\n").unwrap();
        Some(Trial { home })
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.home.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The packages of a model in a folder.
    fn packages(&self, name: &str, model: &Model, open: bool) -> Style {
        let style = Style { path: format!("example.com/{name}"), open };
        let files = golang::files(model);
        for machine in &model.machines {
            let package = &files[&machine.name];
            self.put(&format!("{name}/{package}/{package}.go"), &golang::machine(machine, package, &style));
        }
        self.put(&format!("{name}/statespec/statespec.go"), &golang::support());
        style
    }

    /// The packages of a model and their tests, in the folders `NAME` and `NAME/tests`.
    fn emit(&self, name: &str, sources: &Sources, model: &Model, extent: Extent, n_numbers: usize) {
        let style = self.packages(name, model, false);
        let files = golang::files(model);
        for (idx, machine) in model.machines.iter().enumerate() {
            self.put(&format!("{name}/tests/{}.json", files[&machine.name]), &data::machine(model, idx, sources, extent));
        }
        self.put(&format!("{name}/conformance/conformance.go"), &golang::subject(&style));
        self.put(&format!("{name}/tests/conformance_test.go"), &golang::tests(model, &style));
        self.put(&format!("{name}/tests/numbers.json"), &data::numbers(n_numbers));
    }

    fn go(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("go");
        // No module is needed but this one, and no newer toolchain.
        command.args(arguments).envs([("GOFLAGS", "-mod=mod"), ("GOPROXY", "off"), ("GOTOOLCHAIN", "local")]);
        command.current_dir(&self.home).output().unwrap()
    }

    /// gofmt has nothing to change, and `go vet` has nothing to say.
    fn check(&self) {
        let changed = Command::new("gofmt").args(["-l", "."]).current_dir(&self.home).output().unwrap();
        accepted(&changed);
        assert_eq!(String::from_utf8_lossy(&changed.stdout), "");
        accepted(&self.go(&["vet", "./..."]));
    }
}

/// Panics with what a program says unless it succeeds.
fn accepted(output: &Output) {
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}", said.chars().take(8_000).collect::<String>());
}

#[test]
fn emitted_machines_do_what_the_interpreter_does() {
    let Some(trial) = Trial::new("machines") else { return };
    for (name, inputs, n_numbers) in [("reference", inputs(), 600), ("fixtures", fixtures(), 10)] {
        let (sources, model) = model(&inputs);
        trial.emit(name, &sources, &model, Extent { walks: checks::sample(12), steps: 30 }, n_numbers);
    }
    let (sources, model) = model(&charts(checks::sample(30)));
    trial.emit("charts", &sources, &model, Extent { walks: 6, steps: 25 }, 10);
    trial.check();
    accepted(&trial.go(&["test", "./..."]));
}

#[test]
fn the_packages_are_as_they_were_read() {
    let (_, model) = model(&inputs());
    let style = Style { path: "example.com/shop/machines".to_owned(), open: false };
    for name in ["order", "elevator"] {
        insta::assert_snapshot!(format!("go-{name}"), golang::machine(model.machine(name).unwrap(), name, &style));
    }
}

#[test]
fn a_system_is_refused_unless_the_machines_are_wanted_alone() {
    let (sources, model) = model(&inputs());
    let refused = golang::unsupported(&model, true);
    assert_eq!(refused.len(), model.systems.len());
    let shown = render(&sources, &refused, RenderStyle::Plain);
    assert!(shown.contains("no Go is emitted for systems such as"), "{shown}");
    assert!(shown.contains("write `systems = false` in `[go]` for the machines alone"), "{shown}");
    assert!(golang::unsupported(&model, false).is_empty());
}

/// More random machines than one run has time for.
#[test]
fn random_charts_do_what_the_interpreter_does() {
    let Ok(asked) = std::env::var("GO_MACHINES") else { return };
    let all = charts(asked.parse().expect("a number of machines"));
    // In modules of fifty, because the data of all is large.
    for (idx, inputs) in all.chunks(50).enumerate() {
        let Some(trial) = Trial::new(&format!("charts{idx}")) else { return };
        let (sources, model) = model(inputs);
        trial.emit("charts", &sources, &model, Extent { walks: 200, steps: 50 }, 10);
        trial.check();
        accepted(&trial.go(&["test", "./..."]));
        fs::remove_dir_all(&trial.home).unwrap();
    }
}
