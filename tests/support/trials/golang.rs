//! Emitted Go in a folder of its own, with the tools of Go.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use statespec_code::golang::{self, Style};
use statespec_lang::model::Model;

use super::{Defect, Subject, accepted, folder, put, said, with_defect};
use crate::checks;

/// The packages of some models, each in a folder of its own of one module, `example.com`.
pub(crate) struct Trial {
    pub(crate) home: PathBuf,
}

impl Trial {
    /// `None` if the tools are missing.
    pub(crate) fn new(name: &str) -> Option<Trial> {
        checks::needed("emitted Go", checks::go())?;
        let trial = Trial { home: folder("emitted-go", name) };
        trial.put("go.mod", "module example.com\n\ngo 1.19\n");
        Some(trial)
    }

    pub(crate) fn put(&self, path: &str, text: &str) {
        put(&self.home, path, text);
    }

    /// The packages of the machines of a model in a folder.
    pub(crate) fn packages(&self, name: &str, model: &Model, open: bool) -> Style {
        let style = Style { path: format!("example.com/{name}"), open };
        let files = golang::files(model);
        for machine in &model.machines {
            let package = &files[&machine.name];
            self.put(&format!("{name}/{package}/{package}.go"), &golang::machine(machine, package, &style));
        }
        self.put(&format!("{name}/statespec/statespec.go"), &golang::support());
        style
    }

    /// The packages of the machines of a model and their tests, in the folders `NAME` and `NAME/tests`.
    pub(crate) fn emit(&self, subject: &Subject) {
        let Subject { name, model, .. } = subject;
        let style = self.packages(name, model, false);
        subject.put_data(&self.home, &format!("{name}/tests"), &golang::files(model));
        self.put(&format!("{name}/conformance/conformance.go"), &golang::subject(&style));
        self.put(&format!("{name}/tests/conformance_test.go"), &golang::tests(model, &style));
    }

    pub(crate) fn go(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("go");
        // No module is needed but this one, and no newer toolchain.
        command.args(arguments).envs([("GOFLAGS", "-mod=mod"), ("GOPROXY", "off"), ("GOTOOLCHAIN", "local")]);
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("go-build");
        command.env("GOCACHE", cache).current_dir(&self.home).output().unwrap()
    }

    /// gofmt has nothing to change, and `go vet` has nothing to say about some packages.
    pub(crate) fn check(&self, packages: &str) {
        let changed = Command::new("gofmt").args(["-l", "."]).current_dir(&self.home).output().unwrap();
        accepted(&changed);
        assert_eq!(String::from_utf8_lossy(&changed.stdout), "");
        accepted(&self.go(&["vet", packages]));
    }

    /// Emits a subject, and copies of its packages for each defect: a file, what it has, and what a defective printer would write.
    /// Returns the numbers of those whose tests find nothing. One program tries all copies: linking one for each takes longer than
    /// the tests.
    pub(crate) fn planted(&self, subject: &Subject, defects: &[Defect]) -> Vec<usize> {
        let model = &subject.model;
        let (style, files) = (self.packages(&subject.name, model, false), golang::files(model));
        self.put(&format!("{}/conformance/conformance.go", subject.name), &golang::subject(&style));
        subject.put_data(&self.home, "planted", &files);
        let package = |it: &str| fs::read_to_string(self.home.join(format!("{}/{it}/{it}.go", subject.name))).unwrap();
        let mut copies = vec![subject.name.clone()];
        self.put(&format!("{}/run/run.go", subject.name), &runner(golang::tests(model, &style), &subject.name));
        for (idx, defect) in defects.iter().enumerate() {
            let (name, mut of) = (format!("d{idx}"), model.clone());
            // The other packages do not depend on a machine.
            if defect.0 != golang::SUPPORT {
                of.machines.retain(|it| files[&it.name] == defect.0);
            }
            let mut changed: Vec<&str> = of.machines.iter().map(|it| files[&it.name].as_str()).collect();
            if defect.0 == golang::SUPPORT {
                changed.extend([golang::SUPPORT, golang::SUBJECT]);
            }
            let import = |it: &str, of: &str| format!("\"example.com/{of}/{it}\"");
            let own = |text: String| changed.iter().fold(text, |text, it| text.replace(&import(it, &subject.name), &import(it, &name)));
            for it in &changed {
                self.put(&format!("{name}/{it}/{it}.go"), &own(with_defect(it, package(it), defect)));
            }
            self.put(&format!("{name}/run/run.go"), &own(runner(golang::tests(&of, &style), &name)));
            copies.push(name);
        }
        self.put("planted/planted_test.go", &self.program(&copies));
        let output = self.go(&["test", "-vet=off", "-v", "./planted"]);
        let printed = said(&output);
        let passed = |it: &str| printed.contains(&format!("--- PASS: Test_{it} "));
        let failed = |it: &str| printed.contains(&format!("--- FAIL: Test_{it} "));
        assert!(passed(&subject.name), "the tests fail without a defect: {}", printed.chars().take(8_000).collect::<String>());
        assert!(copies.iter().all(|it| passed(it) || failed(it)), "{}", printed.chars().take(8_000).collect::<String>());
        copies.iter().skip(1).enumerate().filter(|it| passed(it.1)).map(|it| it.0).collect()
    }

    /// A test for each copy, which runs all tests of it.
    fn program(&self, copies: &[String]) -> String {
        let imports: String =
            copies.iter().map(|it| format!("\t\"example.com/{it}/run\"\n").replacen("\"", &format!("{it} \""), 1)).collect();
        let mut text = format!("package planted\n\nimport (\n\t\"testing\"\n\n{imports})\n{GUARDED}");
        for it in copies {
            let run = fs::read_to_string(self.home.join(format!("{it}/run/run.go"))).unwrap();
            let tests = run.lines().filter_map(|it| it.strip_prefix("func Test")?.split_once('(')).map(|found| found.0);
            let tests: String = tests.map(|test| format!("\tt.Run(\"{test}\", guarded({it}.Test{test}))\n")).collect();
            text.push_str(&format!("\nfunc Test_{it}(t *testing.T) {{\n{tests}}}\n"));
        }
        text
    }
}

/// The tests as a package that a program can import.
fn runner(tests: String, package: &str) -> String {
    tests.replacen("package conformance_test", &format!("package {package}"), 1)
}

/// A copy that panics has failed, and the next one runs.
const GUARDED: &str = "
func guarded(test func(*testing.T)) func(*testing.T) {
	return func(t *testing.T) {
		defer func() {
			if it := recover(); it != nil {
				t.Error(it)
			}
		}()
		test(t)
	}
}
";
