//! TypeScript: a module for each machine, the support file, and the tests.

use std::sync::Arc;

use statespec_code::typescript::{self, Int, SUPPORT, Style, TESTS};
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
        /// TypeScript modules.
        pub struct Typescript as "`[typescript]`" {
            /// The folder of the modules, such as `web/src/machines`.
            out: Text,
            /// The type of whole numbers and times: `number`, where a value beyond 2^53 - 1 refuses the call, or `bigint`; `number` if omitted.
            int: Option<Text>,
            /// Whether a stored state that the spec does not have is kept as unknown; `false` if omitted, and reading it is an error.
            open: Option<Spanned<bool>>,
            /// Whether there are modules of systems, too; `true` if omitted, and `false` is for the machines alone.
            systems: Option<Spanned<bool>>,
            /// The extension in imports: `.js`, or `.ts` for programs that run TypeScript as it is; `.js` if omitted.
            imports: Option<Text>,
            /// The folder of the conformance tests for `node --test`, such as `web/tests/machines`; none if omitted.
            tests: Option<Text>,
        }
    }
}

/// The backend of TypeScript modules.
#[derive(Debug)]
pub struct TypeScript;

/// The modules of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The folder of the modules.
    pub out: String,
    /// Whether there are modules of systems.
    pub systems: bool,
    /// The folder of the tests.
    pub tests: Option<String>,
    /// The form of the modules.
    pub style: Style,
}

impl Backend for TypeScript {
    fn name(&self) -> &'static str {
        "typescript"
    }

    fn about(&self) -> &'static str {
        "TypeScript modules"
    }

    fn section(&self) -> Section {
        Section::table::<keys::Typescript>("typescript", "TypeScript modules of the machines; none if omitted.")
    }

    fn read(&self, section: Node, reader: &mut Reader<'_>) -> Option<Arc<dyn Configured>> {
        let keys: keys::Typescript = reader.keys(section)?;
        let int = keys.int.map_or(Int::Number, |it| reader.choice("int", &it, &[("number", Int::Number), ("bigint", Int::Bigint)]));
        let extension = keys.imports.map_or(".js", |it| reader.choice("imports", &it, &[(".js", ".js"), (".ts", ".ts")]));
        let style = Style { int, open: keys.open.is_some_and(|it| it.value), extension: extension.to_owned() };
        let systems = keys.systems.is_none_or(|it| it.value);
        Some(Arc::new(Settings { out: reader.path(keys.out), systems, tests: keys.tests.map(|it| reader.path(it)), style }))
    }
}

impl Configured for Settings {
    fn places(&self) -> Vec<String> {
        [Some(self.out.clone()), self.tests.clone()].into_iter().flatten().collect()
    }

    fn unsupported(&self, model: &Model) -> Vec<Diagnostic> {
        typescript::unsupported(model, &self.style)
    }

    fn outputs<'a>(&'a self, job: Job<'a>, diagnostics: &mut Diagnostics) -> Outputs<'a> {
        let mut outputs = Outputs::default();
        let (model, files) = (job.model, typescript::files(job.model));
        if model.machines.is_empty() || (self.tests.is_some() && refuse_large(job, "tests", diagnostics)) {
            return outputs;
        }
        for machine in &model.machines {
            let render = || Ok(Rendered::new(typescript::machine(machine, &self.style), Some(machine.span), Blame::default));
            let path = format!("{}/{}.ts", self.out, files[&machine.name]);
            outputs.files.push((path, Pending::new(Some(machine.span), render)));
        }
        let systems = if self.systems { model.systems.as_slice() } else { &[] };
        for system in systems {
            let render = || Ok(Rendered::new(typescript::system(model, system, &self.style), Some(system.span), Blame::default));
            outputs.files.push((format!("{}/{}.ts", self.out, files[&system.name]), Pending::new(Some(system.span), render)));
        }
        let with_systems = !systems.is_empty();
        // What is the same for all machines names all of their specs.
        let shared = move |text: String| Ok(Rendered::blaming(text, None, Blame::of_specs(model.machines.iter().map(|it| it.source))));
        outputs.files.push((
            format!("{}/{SUPPORT}.ts", self.out),
            Pending::new(None, move || shared(typescript::support(&self.style, with_systems))),
        ));
        let Some(tests) = &self.tests else { return outputs };
        outputs.files.extend(data::outputs(job, tests, &files, with_systems));
        let modules = way(tests, &self.out);
        let runner = move || shared(typescript::tests(model, &modules, &self.style, with_systems));
        outputs.files.push((format!("{tests}/{TESTS}.ts"), Pending::new(None, runner)));
        outputs
    }
}

/// The way from one folder of a project to another, for imports: `../../src/machines`.
fn way(from: &str, to: &str) -> String {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split('/').collect(), to.split('/').collect());
    let n_common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[n_common..].iter().map(|_| "..");
    let steps: Vec<&str> = up.chain(to[n_common..].iter().copied()).collect();
    if from.len() == n_common { format!("./{}", steps.join("/")).trim_end_matches('/').to_owned() } else { steps.join("/") }
}
