//! Emitted Python in a folder of its own, with the type checker and the interpreter.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

use statespec_code::python::{self, Style};
use statespec_lang::model::Model;

use super::{Defect, Subject, accepted, folder, missed, put, with_defect};
use crate::checks;

/// The modules of some models, each in a package of its own.
pub(crate) struct Trial {
    pub(crate) home: PathBuf,
    mypy: PathBuf,
}

impl Trial {
    /// `None` if the tools are missing.
    pub(crate) fn new(name: &str) -> Option<Trial> {
        let mypy = checks::needed("emitted Python", checks::mypy())?;
        Some(Trial { home: folder("emitted-python", name), mypy })
    }

    pub(crate) fn put(&self, path: &str, text: &str) {
        put(&self.home, path, text);
    }

    /// The modules of a model, in the package `NAME`.
    pub(crate) fn modules(&self, name: &str, model: &Model, style: &Style) {
        let files = python::files(model);
        for it in &model.machines {
            self.put(&format!("{name}/{}.py", files[&it.name]), &python::machine(it, style));
        }
        for it in &model.systems {
            self.put(&format!("{name}/{}.py", files[&it.name]), &python::system(model, it));
        }
        self.put(&format!("{name}/__init__.py"), &python::package());
        self.put(&format!("{name}/statespec.py"), &python::support(!model.systems.is_empty()));
    }

    /// The modules of a model and their tests, in the packages `NAME` and `NAME_tests`.
    pub(crate) fn emit(&self, subject: &Subject) {
        let Subject { name, model, .. } = subject;
        self.modules(name, model, &Style::default());
        let with_systems = !model.systems.is_empty();
        subject.put_data(&self.home, &format!("{name}_tests"), &python::files(model));
        self.put(&format!("{name}/conformance.py"), &python::subject(with_systems));
        self.put(&format!("{name}_tests/__init__.py"), "");
        self.put(&format!("{name}_tests/test_conformance.py"), &python::tests(model, name, with_systems));
    }

    /// What the strict checker says of some packages. What it knows of Python's library is kept for the next check, one at a time.
    pub(crate) fn checked(&self, folders: &[&str]) -> Output {
        static CHECKING: Mutex<()> = Mutex::new(());
        let _one = CHECKING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut command = Command::new(&self.mypy);
        command.args(["--strict", "--python-version", "3.11", "--cache-dir"]).arg(checks::mypy_cache());
        command.args(folders).current_dir(&self.home).output().unwrap()
    }

    /// The strict checker must have nothing to say.
    pub(crate) fn check(&self, folders: &[&str]) {
        accepted(&self.checked(folders));
    }

    /// The tests of some packages must pass.
    pub(crate) fn test(&self, names: &[&str]) {
        accepted(&self.tested(names));
    }

    /// What the tests of some packages say, in one process.
    pub(crate) fn tested(&self, names: &[&str]) -> Output {
        let tests: Vec<String> = names.iter().map(|it| format!("{it}_tests.test_conformance")).collect();
        self.python(&["-m", "unittest"].into_iter().chain(tests.iter().map(String::as_str)).collect::<Vec<_>>())
    }

    /// The packages of some subjects and their tests must be accepted, and the tests must pass.
    pub(crate) fn check_and_test(&self, subjects: &[Subject]) {
        let names: Vec<&str> = subjects.iter().map(|it| it.name.as_str()).collect();
        let tests: Vec<String> = names.iter().map(|it| format!("{it}_tests")).collect();
        self.check(&names.iter().copied().chain(tests.iter().map(String::as_str)).collect::<Vec<_>>());
        self.test(&names);
    }

    pub(crate) fn python(&self, arguments: &[&str]) -> Output {
        Command::new(self.mypy.with_file_name("python")).arg("-B").args(arguments).current_dir(&self.home).output().unwrap()
    }

    /// Emits a subject, and a copy of the package for each defect: a file, what it has, and what a defective printer would write.
    /// Returns the numbers of those whose tests find nothing. One process tries all copies.
    pub(crate) fn planted(&self, subject: &Subject, defects: &[Defect]) -> Vec<usize> {
        let files = python::files(&subject.model);
        self.emit(subject);
        let mut modules = vec!["__init__", "conformance", "statespec"];
        modules.extend(files.values().map(String::as_str));
        let mut copies = Vec::new();
        for (idx, defect) in defects.iter().enumerate() {
            for module in &modules {
                let text = fs::read_to_string(self.home.join(format!("{}/{module}.py", subject.name))).unwrap();
                self.put(&format!("d{idx}/{module}.py"), &with_defect(module, text, defect));
            }
            copies.push(format!("d{idx}"));
        }
        self.put("run.py", RUN);
        let names = files.values().cloned().collect::<Vec<_>>().join(",");
        let data = format!("{}_tests", subject.name);
        let tried = copies.iter().map(String::as_str);
        missed(&self.python(&["run.py", &data, &names, &subject.name].into_iter().chain(tried).collect::<Vec<_>>()), &copies)
    }
}

/// Prints the copies whose tests find nothing.
const RUN: &str = r#"
import importlib
import sys
import unittest
from pathlib import Path

data, names, *copies = sys.argv[1:]


def passes(package: str) -> bool:
    try:
        runner = importlib.import_module(f"{package}.conformance")
        test = unittest.TestCase()
        runner.check_numbers(test, Path(data) / "numbers.json")
        for name in names.split(","):
            module, path = importlib.import_module(f"{package}.{name}"), Path(data) / f"{name}.json"
            if hasattr(module, "SYSTEM"):
                runner.check_system(test, path, runner.EmittedSystem(module))
            else:
                runner.check(test, path, runner.Emitted(module))
    except Exception:
        return False
    return True


print(*[it for it in copies if passes(it)])
"#;
