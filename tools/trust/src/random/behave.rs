//! A program of many projects, which holds their emitted code against the interpreter.
//!
//! The harness is that of this repository's own tests: `tests/support`, and the glue of `statespec-drive`.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use serde_json::Value;
use statespec_codegen::model::Model;
use statespec_drive as drive;

use super::compile::{Failure, Workshop};
use super::forms::Module;

/// What one project did.
#[derive(Debug, Default)]
pub struct Behaviour {
    /// The number of transactions that succeeded.
    pub n_succeeded: u64,
    /// The first difference from the interpreter.
    pub failures: Vec<Failure>,
}

/// Builds and runs a program of emitted projects, each with its model.
///
/// # Errors
///
/// If the program cannot be written or built, or if it ends before the last project.
pub fn compare(workshop: &Workshop, projects: &[(&Module, &Model)]) -> io::Result<Behaviour> {
    let files = files(&workshop.root, projects)?;
    workshop.write(&manifest(&workshop.root), files.iter().map(|(path, text)| (path.as_str(), text.as_str())))?;
    let output = workshop.cargo().args(["run", "--offline", "--quiet"]).output()?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    let mut behaviour = Behaviour::default();
    let mut lines = stdout.lines();
    for (module, _) in projects {
        let ended =
            || io::Error::other(format!("the comparison ends before {}:\n{}", module.project, String::from_utf8_lossy(&output.stderr)));
        let line: Value = serde_json::from_str(lines.next().ok_or_else(ended)?)?;
        if line["project"] != module.project.as_str() {
            return Err(io::Error::other(format!("expected the result of {}, found {line}", module.project)));
        }
        let succeeded = || io::Error::other(format!("no number of transactions in {line}"));
        behaviour.n_succeeded += line["succeeded"].as_u64().ok_or_else(succeeded)?;
        if let Some(difference) = line["difference"].as_str() {
            let errors = vec![difference.to_owned()];
            behaviour.failures.push(Failure { form: module.form, project: module.project.clone(), module: module.name.clone(), errors });
        }
    }
    Ok(behaviour)
}

/// The files of the program.
fn files(root: &Path, projects: &[(&Module, &Model)]) -> io::Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::from([
        ("src/main.rs".to_owned(), include_str!("../../behave/main.rs").to_owned()),
        ("src/projects.rs".to_owned(), list(projects)),
    ]);
    for entry in fs::read_dir(root.join("tests/support"))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        files.insert(format!("src/support/{name}"), fs::read_to_string(&path)?);
    }
    for (module, model) in projects {
        files.extend(module.files.clone());
        let path = format!("src/drive_{}.rs", module.name);
        let glue =
            drive::file(model, &path, &format!("crate::projects::{}", module.name)).map_err(|it| io::Error::other(it.to_string()))?;
        files.insert(path, glue.text);
    }
    Ok(files)
}

fn manifest(root: &Path) -> String {
    let root = root.display().to_string();
    format!(
        "[package]\nname = \"statespec-behaviour\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [features]\ndefault = [\"serde\"]\nserde = []\n\n\
         [dependencies]\nserde_json = \"1\"\nstatespec = {{ path = {root:?}, default-features = false, features = [\"decimal\", \"serde\"] }}\n\
         statespec-codegen = {{ path = \"{root}/codegen\", default-features = false, features = [\"systems\"] }}\n\n\
         [profile.dev.package.\"*\"]\nopt-level = 1\n\n[workspace]\n"
    )
}

/// The modules of the projects, and a table of them.
fn list(projects: &[(&Module, &Model)]) -> String {
    let mut text = String::from("//! The random projects.\n\nuse crate::{Comparing, Project};\n");
    for (module, _) in projects {
        let name = &module.name;
        text.push_str(&format!("\n#[path = \"{name}/mod.rs\"]\npub mod {name};\n#[path = \"drive_{name}.rs\"]\nmod drive_{name};\n"));
    }
    text.push_str("\n/// All projects.\npub const ALL: &[Project] = &[\n");
    for (module, model) in projects {
        let (name, project) = (&module.name, &module.project);
        let specs = module.files.keys().filter(|it| it.starts_with("specs/"));
        let specs = specs.map(|path| format!("({path:?}, include_str!(\"../{path}\"))")).collect::<Vec<_>>().join(", ");
        let systems = if model.systems.is_empty() { String::new() } else { format!(" drive_{name}::each_system(it);") };
        text.push_str(&format!(
            "    Project {{\n        name: {project:?},\n        specs: &[{specs}],\n        \
             compare: |it: &mut Comparing<'_>| {{ drive_{name}::each_machine(it);{systems} }},\n    }},\n"
        ));
    }
    text.push_str("];\n");
    text
}
