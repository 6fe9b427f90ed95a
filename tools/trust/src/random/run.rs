//! Many random projects, compiled and run in batches.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::{fs, io, thread};

use super::behave;
use super::compile::{Failure, Workshop, cause};
use super::coverage::Coverage;
use super::forms::{Form, Module, modules};
use super::{Project, Subject};

/// The number of projects in a crate.
const BATCH: u64 = 50;

/// The numbers of random projects, and their seeds.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// The number of projects of one machine.
    pub machines: u64,
    /// The number of projects of a system.
    pub systems: u64,
    /// The seed of the first of each; the others follow.
    pub seed: u64,
    /// The number of machines, and of systems, whose emitted files are held against the interpreter, too.
    pub behave: u64,
}

/// The result of a run, or of a batch of it.
#[derive(Debug, Default)]
pub struct Report {
    /// The number of generated projects.
    pub n_projects: u64,
    /// Projects that the library refuses, each with the reason.
    pub refused: Vec<(String, String)>,
    /// The number of compiled modules of each form.
    pub compiled: BTreeMap<Form, usize>,
    /// The forms that could not be emitted, do not compile or differ from the interpreter.
    pub failures: Vec<Failure>,
    /// The number of projects of each form that were held against the interpreter.
    pub compared: BTreeMap<Form, usize>,
    /// The number of their transactions that succeeded.
    pub n_succeeded: u64,
    /// The keys of the language that occurred.
    pub coverage: Coverage,
}

impl Report {
    /// This result and that of a later batch.
    fn and(mut self, later: Report) -> Report {
        let add = |sums: &mut BTreeMap<Form, usize>, more: BTreeMap<Form, usize>| {
            more.into_iter().for_each(|(form, n)| *sums.entry(form).or_default() += n);
        };
        self.n_projects += later.n_projects;
        self.refused.extend(later.refused);
        add(&mut self.compiled, later.compiled);
        self.failures.extend(later.failures);
        add(&mut self.compared, later.compared);
        self.n_succeeded += later.n_succeeded;
        self.coverage.add(later.coverage);
        self
    }

    /// The number of failing forms for each reason; a form with several reasons counts for each.
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

    /// The compiled forms, and the keys that occurred.
    pub fn markdown(&self) -> String {
        let mut text = String::from("| Form | Compiled | Held against the interpreter | Failed |\n| --- | ---: | ---: | ---: |\n");
        for form in Form::ALL {
            let n_failed = self.failures.iter().filter(|it| it.form == form).count();
            let [n_compiled, n_compared] = [&self.compiled, &self.compared].map(|it| it.get(&form).copied().unwrap_or(0));
            text.push_str(&format!("| {} | {n_compiled} | {n_compared} | {n_failed} |\n", form.word()));
        }
        text.push_str(&format!("\n{} projects, {} of them refused.\n", self.n_projects, self.refused.len()));
        if self.n_succeeded > 0 {
            text.push_str(&format!("{} transactions succeeded.\n", self.n_succeeded));
        }
        format!("{text}\n{}", self.coverage.markdown())
    }
}

/// Generates the projects and compiles them, a batch at a time in each workshop. `say` is called for each batch; the
/// report is the same for any number of workshops.
///
/// # Errors
///
/// If a crate cannot be written or cargo cannot be run.
pub fn run(workshops: &[Workshop], bounds: Bounds, say: &mut dyn FnMut(String)) -> io::Result<Report> {
    let machines = (0..bounds.machines).map(|it| (Subject::Machine, it));
    let systems = (0..bounds.systems).map(|it| (Subject::System, it));
    let all: Vec<(Subject, u64)> = machines.chain(systems).collect();
    let (batches, next) = (all.chunks(BATCH as usize).collect::<Vec<_>>(), AtomicUsize::new(0));
    let mut reports = BTreeMap::new();
    thread::scope(|scope| {
        let (done, results) = mpsc::channel();
        for workshop in workshops {
            let (done, batches, next) = (done.clone(), &batches, &next);
            scope.spawn(move || {
                loop {
                    let idx = next.fetch_add(1, Ordering::Relaxed);
                    let Some(batch) = batches.get(idx) else { return };
                    // A receiver that is gone has seen an error.
                    if done.send((idx, run_batch(workshop, bounds, batch))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(done);
        for (idx, report) in results {
            let report = report?;
            say(format!("{} modules, {} of them fail", report.compiled.values().sum::<usize>(), report.failures.len()));
            reports.insert(idx, report);
        }
        io::Result::Ok(())
    })?;
    Ok(reports.into_values().fold(Report::default(), Report::and))
}

fn run_batch(workshop: &Workshop, bounds: Bounds, batch: &[(Subject, u64)]) -> io::Result<Report> {
    let mut report = Report { n_projects: batch.len() as u64, ..Report::default() };
    let mut found = Vec::new();
    let mut projects = Vec::new();
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
        projects.push(project);
    }
    found.iter().for_each(|it| *report.compiled.entry(it.form).or_default() += 1);
    let mut failures = workshop.check(&found)?;
    projects.retain(|it| it.seed - bounds.seed < bounds.behave);
    if !projects.is_empty() {
        let model = |name: &str| projects.iter().find(|it| it.name() == name).and_then(|it| it.loaded.model.as_ref());
        let compiles = |module: &&Module| failures.iter().all(|it| it.module != module.name);
        let files = found.iter().filter(|it| it.form == Form::Files).filter(compiles);
        let compared: Vec<_> = files.filter_map(|it| Some((it, model(&it.project)?))).collect();
        let behaviour = behave::compare(workshop, &compared)?;
        report.compared = behaviour.compared;
        report.n_succeeded = behaviour.n_succeeded;
        failures.extend(behaviour.failures);
    }
    for failure in &failures {
        keep(workshop, failure, &found)?;
    }
    report.failures.extend(failures);
    Ok(report)
}

/// Stores the files of a form that fails, for inspection.
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
