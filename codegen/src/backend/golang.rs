//! Go: a package for each machine, the support package, and the tests.

use std::sync::Arc;

use statespec_code::golang::{self, SUBJECT, SUPPORT, Style, TESTS};
use statespec_lang::diagnostic::{Diagnostic, Diagnostics};
use statespec_lang::model::Model;
use statespec_lang::output::{Blame, Outputs, Pending, Rendered};
use statespec_lang::yaml::Node;

use super::conformance::{data, refuse_large};
use super::{Backend, Configured, Job, Reader, Section};

mod keys {
    use statespec_lang::read::{Text, spec_types};
    use statespec_lang::source::Spanned;

    spec_types! {
        /// Go packages.
        pub struct Go as "`[go]`" {
            /// The folder of the packages, such as `internal/machines`.
            out: Text,
            /// The import path of that folder: the path of the module in `go.mod` and the folder in it, such as `example.com/shop/internal/machines`.
            package: Text,
            /// Whether a stored state that the spec does not have is kept as unknown; `false` if omitted, and reading it is an error.
            open: Option<Spanned<bool>>,
            /// Whether systems are wanted, which have no Go: `false` is for the machines alone; `true` if omitted, and a system is an error.
            systems: Option<Spanned<bool>>,
            /// The folder of the conformance tests for `go test`, such as `internal/machines/tests`; none if omitted.
            tests: Option<Text>,
        }
    }
}

/// The backend of Go packages.
#[derive(Debug)]
pub struct Go;

/// The packages of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The folder of the packages.
    pub out: String,
    /// Whether a system is an error.
    pub systems: bool,
    /// The folder of the tests.
    pub tests: Option<String>,
    /// The form of the packages.
    pub style: Style,
}

impl Backend for Go {
    fn name(&self) -> &'static str {
        "go"
    }

    fn about(&self) -> &'static str {
        "Go packages"
    }

    fn section(&self) -> Section {
        Section::table::<keys::Go>("go", "Go packages of the machines; none if omitted.")
    }

    fn read(&self, section: Node, reader: &mut Reader<'_>) -> Option<Arc<dyn Configured>> {
        let keys: keys::Go = reader.keys(section)?;
        let path = keys.package.value;
        if !golang::is_import_path(&path) {
            let help =
                "write the path of the module in `go.mod` and the folder in it, such as `package = \"example.com/shop/internal/machines\"`";
            reader.error(keys.package.span, format!("`{path}` is no import path of Go"), help);
        }
        let style = Style { path, open: keys.open.is_some_and(|it| it.value) };
        let systems = keys.systems.is_none_or(|it| it.value);
        let (out, tests) = (reader.path(keys.out), keys.tests.map(|it| reader.path(it)));
        Some(Arc::new(Settings { out, systems, tests, style }))
    }
}

impl Configured for Settings {
    fn places(&self) -> Vec<String> {
        [Some(self.out.clone()), self.tests.clone()].into_iter().flatten().collect()
    }

    fn unsupported(&self, model: &Model) -> Vec<Diagnostic> {
        golang::unsupported(model, self.systems)
    }

    fn outputs<'a>(&'a self, job: Job<'a>, diagnostics: &mut Diagnostics) -> Outputs<'a> {
        let mut outputs = Outputs::default();
        let (model, files) = (job.model, golang::files(job.model));
        if model.machines.is_empty() || (self.tests.is_some() && refuse_large(job, "tests", diagnostics)) {
            return outputs;
        }
        for machine in &model.machines {
            let package = files[&machine.name].clone();
            let path = format!("{}/{package}/{package}.go", self.out);
            let render = move || Ok(Rendered::new(golang::machine(machine, &package, &self.style), Some(machine.span), Blame::default));
            outputs.files.push((path, Pending::new(Some(machine.span), render)));
        }
        // What is the same for all machines names all of their specs.
        let mut shared = |path: String, text: fn(&Settings, &Model) -> String| {
            let render = move || Ok(Rendered::blaming(text(self, model), None, Blame::of_specs(model.machines.iter().map(|it| it.source))));
            outputs.files.push((path, Pending::new(None, render)));
        };
        shared(format!("{}/{SUPPORT}/{SUPPORT}.go", self.out), |_, _| golang::support());
        let Some(tests) = &self.tests else { return outputs };
        shared(format!("{}/{SUBJECT}/{SUBJECT}.go", self.out), |it, _| golang::subject(&it.style));
        shared(format!("{tests}/{TESTS}.go"), |it, model| golang::tests(model, &it.style));
        outputs.files.extend(data::outputs(job, tests, &files, false));
        outputs
    }
}
