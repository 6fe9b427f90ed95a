//! Python: a module for each machine, the support file, and the tests.

use std::sync::Arc;

use statespec_code::python::{self, SUBJECT, SUPPORT, Style, TESTS};
use statespec_lang::diagnostic::Diagnostics;
use statespec_lang::model::Model;
use statespec_lang::output::{Blame, Outputs, Pending, Rendered};
use statespec_lang::yaml::Node;

use super::conformance::{data, refuse_large};
use super::{Backend, Configured, Job, Reader, Section};

mod keys {
    use statespec_lang::read::{Text, spec_types};
    use statespec_lang::source::Spanned;

    spec_types! {
        /// Python modules.
        pub struct Python as "`[python]`" {
            /// The folder of the modules, such as `src/worker/machines`. It is a package of its own.
            out: Text,
            /// Whether a stored state that the spec does not have is kept as unknown; `false` if omitted, and reading it is an error.
            open: Option<Spanned<bool>>,
            /// Whether there are modules of systems, too; `true` if omitted, and `false` is for the machines alone.
            systems: Option<Spanned<bool>>,
            /// The folder of the conformance tests for `python -m unittest`, such as `tests/machines`; none if omitted.
            tests: Option<Text>,
            /// The name by which tests import the package, such as `worker.machines`; the path of the folder without `src` if omitted.
            package: Option<Text>,
        }
    }
}

/// The backend of Python modules.
#[derive(Debug)]
pub struct Python;

/// The modules of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The folder of the modules.
    pub out: String,
    /// Whether there are modules of systems.
    pub systems: bool,
    /// The folder of the tests.
    pub tests: Option<String>,
    /// The name by which tests import the package.
    pub package: String,
    /// The form of the modules.
    pub style: Style,
}

impl Backend for Python {
    fn name(&self) -> &'static str {
        "python"
    }

    fn about(&self) -> &'static str {
        "Python modules"
    }

    fn section(&self) -> Section {
        Section::table::<keys::Python>("python", "Python modules of the machines; none if omitted.")
    }

    fn read(&self, section: Node, reader: &mut Reader<'_>) -> Option<Arc<dyn Configured>> {
        let keys: keys::Python = reader.keys(section)?;
        let (span, out) = (keys.out.span, reader.path(keys.out));
        let usual = out.strip_prefix("src/").unwrap_or(&out).replace('/', ".");
        let (span, package) = keys.package.map_or((span, usual), |it| (it.span, it.value));
        let keyword = package.split('.').find(|it| python::is_keyword(it));
        if let Some(keyword) = keyword {
            let help = "no `import` of Python has a keyword as its name: rename the folder, or write in `package` how programs import it";
            reader.error(span, format!("`{package}` has the keyword `{keyword}`"), help);
        } else if keys.tests.is_some() && !package.split('.').all(python::is_module_name) {
            let help = "write in `package` how tests import the folder, such as `package = \"worker.machines\"`";
            reader.error(span, format!("`{package}` is no name of a package of Python"), help);
        }
        let style = Style { open: keys.open.is_some_and(|it| it.value) };
        let systems = keys.systems.is_none_or(|it| it.value);
        Some(Arc::new(Settings { out, systems, tests: keys.tests.map(|it| reader.path(it)), package, style }))
    }
}

impl Configured for Settings {
    fn places(&self) -> Vec<String> {
        [Some(self.out.clone()), self.tests.clone()].into_iter().flatten().collect()
    }

    fn outputs<'a>(&'a self, job: Job<'a>, diagnostics: &mut Diagnostics) -> Outputs<'a> {
        let mut outputs = Outputs::default();
        let (model, files) = (job.model, python::files(job.model));
        if model.machines.is_empty() || (self.tests.is_some() && refuse_large(job, "tests", diagnostics)) {
            return outputs;
        }
        for machine in &model.machines {
            let render = || Ok(Rendered::new(python::machine(machine, &self.style), Some(machine.span), Blame::default));
            let path = format!("{}/{}.py", self.out, files[&machine.name]);
            outputs.files.push((path, Pending::new(Some(machine.span), render)));
        }
        let systems = if self.systems { model.systems.as_slice() } else { &[] };
        for system in systems {
            let render = || Ok(Rendered::new(python::system(model, system), Some(system.span), Blame::default));
            outputs.files.push((format!("{}/{}.py", self.out, files[&system.name]), Pending::new(Some(system.span), render)));
        }
        let with_systems = !systems.is_empty();
        // What is the same for all machines names all of their specs.
        let mut shared = |path: String, text: fn(&Settings, &Model, bool) -> String| {
            let render = move || {
                Ok(Rendered::blaming(text(self, model, with_systems), None, Blame::of_specs(model.machines.iter().map(|it| it.source))))
            };
            outputs.files.push((path, Pending::new(None, render)));
        };
        shared(format!("{}/__init__.py", self.out), |_, _, _| python::package());
        shared(format!("{}/py.typed", self.out), |_, _, _| python::typed());
        shared(format!("{}/{SUPPORT}.py", self.out), |_, _, with_systems| python::support(with_systems));
        let Some(tests) = &self.tests else { return outputs };
        shared(format!("{}/{SUBJECT}.py", self.out), |_, _, with_systems| python::subject(with_systems));
        shared(format!("{tests}/{TESTS}.py"), |it, model, with_systems| python::tests(model, &it.package, with_systems));
        outputs.files.extend(data::outputs(job, tests, &files, with_systems));
        outputs
    }
}
