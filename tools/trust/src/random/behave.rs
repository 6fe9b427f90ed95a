//! A program of many projects, which holds their emitted code against the interpreter.
//!
//! The harness is that of this repository's own tests: `tests/support`, and the glue of `statespec-drive`.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use serde_json::Value;
use statespec_codegen::model::Model;
use statespec_codegen::model::machine::Machine;
use statespec_drive as drive;
use statespec_lang::names::upper_camel;
use statespec_lang::output::RenderError;

use super::compile::{Failure, Workshop};
use super::derive::denied;
use super::forms::{Form, Module};

/// What the projects did.
#[derive(Debug, Default)]
pub struct Behaviour {
    /// The number of projects of each form.
    pub compared: BTreeMap<Form, usize>,
    /// The number of transactions that succeeded.
    pub n_succeeded: u64,
    /// The first difference of each from the interpreter.
    pub failures: Vec<Failure>,
}

/// One form of one project in the program.
struct Entry<'a> {
    form: Form,
    module: &'a Module,
    model: &'a Model,
    /// The file with the glue, without its folder.
    glue: String,
}

impl Entry<'_> {
    /// The forms of a project that can be held against the interpreter: emitted files, and for a single machine both derives.
    fn of<'a>(module: &'a Module, model: &'a Model) -> impl Iterator<Item = Entry<'a>> {
        let entry = |form: Form| Entry { form, module, model, glue: format!("drive_{}_{}", module.name, form.word()) };
        let is_single =
            matches!(model.machines.as_slice(), [only] if model.systems.is_empty() && only.fields.iter().all(|it| it.name != "state"));
        // The names in the glue are those of a struct alone: they must not be those of the enum beside it.
        let is_free = |machine: &Machine| {
            let own = upper_camel(&machine.name);
            own != "Status" && machine.enums.iter().map(|it| upper_camel(&it.name)).all(|it| it != own && it != "Status")
        };
        // An enum of states cannot be in several at once.
        let has_enum = is_single && !model.machines[0].has_regions();
        let has_both = has_enum && !model.machines[0].fields.is_empty() && is_free(&model.machines[0]);
        [(Form::Files, true), (Form::Struct, is_single), (Form::Enum, has_enum), (Form::Both, has_both)]
            .into_iter()
            .filter(|it| it.1)
            .map(move |(form, _)| entry(form))
    }

    /// The module with the types.
    fn types(&self) -> String {
        match self.form {
            Form::Files => self.module.name.clone(),
            Form::Struct | Form::Enum | Form::Both => format!("types_{}_{}", self.module.name, self.form.word()),
        }
    }

    /// The name of the result.
    fn result(&self) -> String {
        format!("{} as {}", self.module.project, self.form.word())
    }

    /// The specs: paths and texts.
    fn specs(&self) -> impl Iterator<Item = &String> {
        self.module.files.keys().filter(|it| it.starts_with("specs/"))
    }

    /// The types, unless they are emitted files, and the glue.
    fn files(&self) -> io::Result<Vec<(String, String)>> {
        let other = |it: RenderError| io::Error::other(format!("{}: {it}", self.result()));
        let (glue, types) = (format!("src/{}.rs", self.glue), format!("crate::projects::{}", self.types()));
        let kind = match self.form {
            Form::Files => {
                let files = self.module.files.iter().map(|(path, text)| (path.clone(), text.clone()));
                let driven = drive::file(self.model, &glue, &types).map_err(other)?;
                return Ok(files.chain([(glue, driven.text)]).collect());
            }
            Form::Struct => drive::Types::Structs,
            Form::Enum => drive::Types::Enums,
            Form::Both => drive::Types::Both,
        };
        let spec = |_: &Machine| self.specs().next().cloned().unwrap_or_else(|| panic!("{} has no spec", self.result()));
        let text = drive::derived_types(self.model, kind, &spec, &denied()).map_err(other)?;
        let driven = drive::derived_file(self.model, &glue, &types, kind).map_err(other)?;
        Ok(vec![(format!("src/{}.rs", self.types()), text), (glue, driven.text)])
    }
}

/// Builds and runs a program of projects, each with its model, in every form that can be held against the interpreter.
///
/// # Errors
///
/// If the program cannot be written or built, or if it ends before the last project.
pub fn compare(workshop: &Workshop, projects: &[(&Module, &Model)]) -> io::Result<Behaviour> {
    let entries: Vec<Entry<'_>> = projects.iter().flat_map(|(module, model)| Entry::of(module, model)).collect();
    let files = files(&workshop.root, &entries)?;
    workshop.write(&manifest(&workshop.root), files.iter().map(|(path, text)| (path.as_str(), text.as_str())))?;
    let output = workshop.cargo().args(["run", "--offline", "--quiet"]).output()?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    let mut behaviour = Behaviour::default();
    let mut lines = stdout.lines();
    for entry in &entries {
        let ended =
            || io::Error::other(format!("the comparison ends before {}:\n{}", entry.result(), String::from_utf8_lossy(&output.stderr)));
        let line: Value = serde_json::from_str(lines.next().ok_or_else(ended)?)?;
        if line["project"] != entry.result() {
            return Err(io::Error::other(format!("expected the result of {}, found {line}", entry.result())));
        }
        let succeeded = || io::Error::other(format!("no number of transactions in {line}"));
        behaviour.n_succeeded += line["succeeded"].as_u64().ok_or_else(succeeded)?;
        *behaviour.compared.entry(entry.form).or_default() += 1;
        if let Some(difference) = line["difference"].as_str() {
            let (project, module, errors) = (entry.module.project.clone(), entry.module.name.clone(), vec![difference.to_owned()]);
            behaviour.failures.push(Failure { form: entry.form, project, module, errors });
        }
    }
    Ok(behaviour)
}

/// The files of the program.
fn files(root: &Path, entries: &[Entry<'_>]) -> io::Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::from([
        ("src/main.rs".to_owned(), include_str!("../../behave/main.rs").to_owned()),
        ("src/projects.rs".to_owned(), list(entries)),
    ]);
    for entry in fs::read_dir(root.join("tests/support"))? {
        let entry = entry?;
        files.insert(format!("src/support/{}", entry.file_name().to_string_lossy()), fs::read_to_string(entry.path())?);
    }
    for entry in entries {
        files.extend(entry.files()?);
    }
    Ok(files)
}

fn manifest(root: &Path) -> String {
    let root = root.display().to_string();
    format!(
        "[package]\nname = \"statespec-behaviour\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [features]\ndefault = [\"serde\"]\nserde = []\n\n\
         [dependencies]\nserde_json = \"1\"\nstatespec = {{ path = {root:?}, default-features = false, features = [\"decimal\", \"derive\", \"serde\"] }}\n\
         statespec-lang = {{ path = \"{root}/crates/lang\" }}\n\n\
         [profile.dev.package.\"*\"]\nopt-level = 1\n\n[workspace]\n"
    )
}

/// The modules of the projects, and a table of them.
fn list(entries: &[Entry<'_>]) -> String {
    let mut text = String::from("//! The random projects.\n\nuse crate::{Comparing, Project};\n");
    for entry in entries {
        let (types, glue) = (entry.types(), &entry.glue);
        let path = if entry.form == Form::Files { format!("{types}/mod.rs") } else { format!("{types}.rs") };
        text.push_str(&format!("\n#[path = \"{path}\"]\npub mod {types};\n#[path = \"{glue}.rs\"]\nmod {glue};\n"));
    }
    text.push_str("\n/// All projects.\npub const ALL: &[Project] = &[\n");
    for entry in entries {
        let (glue, result) = (&entry.glue, entry.result());
        let specs = entry.specs().map(|path| format!("({path:?}, include_str!(\"../{path}\"))")).collect::<Vec<_>>().join(", ");
        let systems = if entry.model.systems.is_empty() { String::new() } else { format!(" {glue}::each_system(it);") };
        text.push_str(&format!(
            "    Project {{\n        name: {result:?},\n        specs: &[{specs}],\n        \
             compare: |it: &mut Comparing<'_>| {{ {glue}::each_machine(it);{systems} }},\n    }},\n"
        ));
    }
    text.push_str("];\n");
    text
}
