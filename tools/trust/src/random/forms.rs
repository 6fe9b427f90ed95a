//! The forms of a project: emitted modules, and types that derive its machine.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use statespec_codegen::backend::Backend as _;
use statespec_codegen::backend::rust::{Rust, Settings};
use statespec_codegen::config::Config;
use statespec_codegen::project::Project as Emitting;
use statespec_codegen::registry::BACKENDS;
use statespec_rust::files::output::Root;
use statespec_rust::{Serde, Style};

use super::dice::Dice as _;
use super::{Project, Subject, derive};
use crate::rng::Rng;

/// The way from a spec to Rust.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// Emitted files.
    Files,
    /// A struct that derives the machine.
    Struct,
    /// An enum that derives it.
    Enum,
    /// A struct that derives it, with an enum that does.
    Both,
}

impl Form {
    /// All forms.
    pub const ALL: [Form; 4] = [Form::Files, Form::Struct, Form::Enum, Form::Both];

    /// Its name in a report.
    pub fn word(self) -> &'static str {
        match self {
            Form::Files => "files",
            Form::Struct => "struct",
            Form::Enum => "enum",
            Form::Both => "both",
        }
    }
}

/// One form of one project: a module of the crate.
#[derive(Debug, Clone)]
pub struct Module {
    /// The form.
    pub form: Form,
    /// The project, such as `machine 17`.
    pub project: String,
    /// The name of the module.
    pub name: String,
    /// Its files, by their paths in the crate.
    pub files: BTreeMap<String, String>,
    /// Whether it is private, so that the compiler would report it as dead code.
    pub is_hidden: bool,
}

/// The forms of a project, and those that could not be emitted, each with the reason.
pub fn modules(project: &Project) -> (Vec<Module>, Vec<(Form, String)>) {
    let mut rng = Rng::new(Rng::new(project.seed ^ 0x5eed).below(usize::MAX) as u64);
    let letter = if project.subject == Subject::Machine { 'm' } else { 's' };
    let named = |form: Form| format!("{letter}{}_{}", project.seed, form.word());
    let module = |form, files, is_hidden| Module { form, project: project.name(), name: named(form), files, is_hidden };
    let mut modules = Vec::new();
    let mut failed = Vec::new();
    let emitted = emit(project, &format!("src/{}", named(Form::Files)), &mut rng);
    let text = emitted.as_ref().ok().and_then(|files| files.iter().find(|(path, _)| !path.ends_with("/mod.rs")));
    let text = text.map(|(_, text)| text.clone()).unwrap_or_default();
    let specs = project.specs.iter().map(|it| (format!("specs/{}/{}", named(Form::Files), it.path), it.text.clone()));
    match emitted {
        Ok(files) => modules.push(module(Form::Files, files.into_iter().chain(specs).collect(), false)),
        Err(reason) => failed.push((Form::Files, reason)),
    }
    if project.subject == Subject::Machine {
        // An enum of states cannot be in several at once.
        let forms = if project.machine.has_regions() { &[Form::Struct][..] } else { &[Form::Struct, Form::Enum] };
        for form in forms.iter().copied() {
            let name = named(form);
            let spec = format!("specs/{name}.yaml");
            let derived = match form {
                Form::Struct => derive::structure(&mut rng, &project.machine, &spec, &text),
                _ => derive::enumeration(&mut rng, &project.machine, &spec),
            };
            // A shared file has the path that the machine names.
            let read = project.specs.iter().enumerate();
            let read = read.map(|(idx, it)| (if idx == 0 { spec.clone() } else { it.path.clone() }, it.text.clone()));
            let files = read.chain([(format!("src/{name}.rs"), derived.text)]).collect();
            modules.push(module(form, files, derived.is_hidden));
        }
    }
    (modules, failed)
}

/// The files of the library's emitter for a project.
fn emit(project: &Project, folder: &str, rng: &mut Rng) -> Result<BTreeMap<String, String>, String> {
    let Some(model) = &project.loaded.model else { return Err("the specs are refused".to_owned()) };
    let serde = rng.pick(&[Serde::Off, Serde::On, Serde::Feature("serde".into())]).clone();
    let style = Style { serde, async_host: rng.chance(30), ..Style::default() };
    let rust = Settings { out: folder.to_owned(), root: Root::Module, style, chosen: Vec::new() };
    let mut config = Config::usual(BACKENDS);
    config.settings = BTreeMap::from([(Rust.name(), Arc::new(rust) as _)]);
    let emitting = Emitting::new(".", config);
    let generated = catch_unwind(AssertUnwindSafe(|| emitting.generate(&project.loaded.sources, model)))
        .map_err(|_| "the library panics while it emits".to_owned())?
        .map_err(|error| error.to_string())?;
    let mut files = BTreeMap::new();
    for file in generated.files {
        if files.insert(file.path.clone(), file.text).is_some() {
            return Err(format!("two outputs are called `{}`", file.path.trim_start_matches(folder)));
        }
    }
    Ok(files)
}
