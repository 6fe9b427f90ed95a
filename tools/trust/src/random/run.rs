//! Many random projects, compiled in batches.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use super::compile::{Failure, Workshop, cause};
use super::coverage::Coverage;
use super::forms::{Form, Module, modules};
use super::{Project, Subject};

/// How many projects share a crate.
const BATCH: u64 = 50;

/// How many random projects there are, and which.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Projects of one machine.
    pub machines: u64,
    /// Projects of a system.
    pub systems: u64,
    /// The seed of the first of each; the others follow.
    pub seed: u64,
}

/// How a run ended.
#[derive(Debug)]
pub struct Report {
    /// How many projects were made.
    pub n_projects: u64,
    /// Projects that the library refuses, each with the reason.
    pub refused: Vec<(String, String)>,
    /// How many modules of each form were compiled.
    pub compiled: BTreeMap<Form, usize>,
    /// Those that could not be emitted, or do not compile.
    pub failures: Vec<Failure>,
    /// The keys of the language that occurred.
    pub coverage: Coverage,
}

impl Report {
    /// How many forms fail for each reason; a form that fails for several counts for each.
    pub fn causes(&self) -> Vec<(Form, String, usize)> {
        let mut causes: BTreeMap<(Form, String), usize> = BTreeMap::new();
        for failure in &self.failures {
            for error in &failure.errors {
                *causes.entry((failure.form, cause(error))).or_default() += 1;
            }
        }
        let mut causes: Vec<_> = causes.into_iter().map(|((form, cause), n)| (form, cause, n)).collect();
        causes.sort_by(|a, b| a.0.cmp(&b.0).then(b.2.cmp(&a.2)));
        causes
    }

    /// What was compiled, and the keys that occurred.
    pub fn markdown(&self) -> String {
        let mut text = String::from("| Form | Compiled | Failed |\n| --- | ---: | ---: |\n");
        for form in Form::ALL {
            let n_failed = self.failures.iter().filter(|it| it.form == form).count();
            let n_compiled = self.compiled.get(&form).copied().unwrap_or_default();
            text.push_str(&format!("| {} | {n_compiled} | {n_failed} |\n", form.word()));
        }
        format!("{text}\n{} projects, {} of them refused.\n\n{}", self.n_projects, self.refused.len(), self.coverage.markdown())
    }
}

/// Makes the projects and compiles them. `say` hears of each batch.
///
/// # Errors
///
/// If a crate cannot be written or cargo not be run.
pub fn run(workshop: &Workshop, bounds: Bounds, say: &mut dyn FnMut(String)) -> io::Result<Report> {
    let mut report = Report {
        n_projects: bounds.machines + bounds.systems,
        refused: Vec::new(),
        compiled: BTreeMap::new(),
        failures: Vec::new(),
        coverage: Coverage::new(),
    };
    let machines = (0..bounds.machines).map(|it| (Subject::Machine, it));
    let systems = (0..bounds.systems).map(|it| (Subject::System, it));
    let all: Vec<(Subject, u64)> = machines.chain(systems).collect();
    for batch in all.chunks(BATCH as usize) {
        let mut found = Vec::new();
        for (subject, number) in batch {
            let project = Project::new(*subject, bounds.seed + number, &mut report.coverage);
            if let Some(refusal) = project.refusal() {
                report.refused.push((project.name(), refusal));
                continue;
            }
            let (modules, failed) = modules(&project);
            for (form, error) in failed {
                let failure = Failure { form, project: project.name(), module: String::new(), errors: vec![error] };
                *report.compiled.entry(form).or_default() += 1;
                report.failures.push(failure);
            }
            found.extend(modules);
        }
        found.iter().for_each(|it| *report.compiled.entry(it.form).or_default() += 1);
        let failures = workshop.check(&found)?;
        say(format!("{} modules, {} of them fail", found.len(), failures.len()));
        for failure in &failures {
            keep(workshop, failure, &found)?;
        }
        report.failures.extend(failures);
    }
    Ok(report)
}

/// Keeps the files of a form that fails, for whoever wants to look at it.
fn keep(workshop: &Workshop, failure: &Failure, modules: &[Module]) -> io::Result<()> {
    let Some(module) = modules.iter().find(|it| it.name == failure.module) else { return Ok(()) };
    let Some(kept) = &workshop.kept else { return Ok(()) };
    let errors = ("errors.txt".to_owned(), failure.errors.join("\n"));
    for (path, text) in module.files.iter().map(|(path, text)| (path.clone(), text.clone())).chain([errors]) {
        let path = kept.join(&module.name).join(path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
        fs::write(path, text)?;
    }
    Ok(())
}
