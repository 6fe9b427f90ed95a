//! Random machines and systems in TypeScript, Python and Go do what the interpreter does.
//!
//! `LANGUAGE_MACHINES=1000 LANGUAGE_SYSTEMS=200 cargo test -p trust --test it languages` compares so many of them, and the reference
//! machines, in walks of 50 steps, of which `LANGUAGE_WALKS` says how many each has: 200 if it is not set. The result is a table of
//! `docs/evidence/languages.md`. Without the variables, it is a sample that the type checkers read, too.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::Output;
use std::thread;

use statespec_code::typescript::{Int, Style};
use statespec_codegen::backend::conformance::data::Extent;
use statespec_codegen::source::Input;
use statespec_lang::lower::load;
use trust::measured;
use trust::random::coverage::Coverage;
use trust::random::{Project, Subject as Kind};

use crate::checks;
use crate::trials::{Subject, golang, python, said, typescript};

/// The page with the result.
const PAGE: &str = "docs/evidence/languages.md";

/// The machines of a batch: their data is in memory.
const BATCH: usize = 25;

/// How much is compared.
struct Bounds {
    machines: usize,
    systems: usize,
    extent: Extent,
}

impl Bounds {
    /// What the variables ask for; `None` if they ask for nothing.
    fn asked() -> Option<Bounds> {
        let number = |name: &str| std::env::var(name).ok().map(|it| it.parse().unwrap_or_else(|_| panic!("{name} is a number")));
        let (machines, systems) = (number("LANGUAGE_MACHINES"), number("LANGUAGE_SYSTEMS"));
        let extent = Extent { walks: number("LANGUAGE_WALKS").unwrap_or(200), steps: 50 };
        (machines.is_some() || systems.is_some()).then(|| Bounds {
            machines: machines.unwrap_or_default(),
            systems: systems.unwrap_or_default(),
            extent,
        })
    }
}

/// The result for a language.
#[derive(Default)]
struct Row {
    machines: usize,
    systems: usize,
    calls: usize,
    /// The tests that failed, with what they say.
    differences: BTreeSet<String>,
}

#[test]
fn random_machines_and_systems_do_what_the_interpreter_does() {
    let asked = Bounds::asked();
    let usual = Bounds { machines: checks::sample(20), systems: checks::sample(12), extent: Extent { walks: 4, steps: 25 } };
    let bounds = asked.as_ref().unwrap_or(&usual);
    let mut rows = [("TypeScript", Row::default()), ("Python", Row::default()), ("Go", Row::default())];
    let mut batches = Vec::new();
    if asked.is_some() {
        batches.push(vec![reference(bounds.extent)]);
    }
    let seeds = |n: usize| (0..n as u64).collect::<Vec<_>>();
    let machines = seeds(bounds.machines);
    let systems = seeds(bounds.systems);
    let batches = batches
        .into_iter()
        .chain(machines.chunks(BATCH).map(|it| vec![machines_of(it, bounds.extent)]))
        .chain(systems.chunks(BATCH).map(|it| it.iter().filter_map(|it| system_of(*it, bounds.extent)).collect()));
    let is_sample = asked.is_none();
    for (number, batch) in batches.enumerate() {
        let [typescript, python, go] = &mut rows;
        thread::scope(|threads| {
            let both = threads.spawn(|| {
                in_typescript(&mut typescript.1, &batch);
                in_go(&mut go.1, &batch, is_sample);
            });
            in_python(&mut python.1, &batch, is_sample);
            both.join().unwrap();
        });
        if !is_sample {
            // Not `eprintln!`, which the test runner would capture.
            let _ = writeln!(io::stderr(), "batch {number}\n{}", table(&rows));
        }
    }
    if !is_sample {
        measured::write(&checks::root().join(PAGE), "random", &table(&rows)).unwrap();
    }
    for (language, Row { differences, .. }) in &rows {
        let shown: String = differences.iter().take(10).map(|it| format!("{it}\n")).collect();
        assert!(differences.is_empty(), "{language}: {} tests fail\n{shown}", differences.len());
    }
    let is_whole = |it: &Row| it.machines == 0 || it.calls > 100 * (bounds.machines + bounds.systems);
    assert!(rows.iter().all(|it| is_whole(&it.1)), "{}", table(&rows));
}

/// The reference machines and systems.
fn reference(extent: Extent) -> Subject {
    let folder = checks::root().join("machines");
    let mut inputs: Vec<Input> = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).map(|it| input(&it)).collect();
    inputs.sort_by(|a, b| a.path.cmp(&b.path));
    let loaded = load(&inputs);
    Subject::new("reference", &loaded.sources, loaded.model.expect("the reference machines are valid"), extent, 600)
}

fn input(path: &Path) -> Input {
    let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    Input { path: format!("machines/{name}"), text: std::fs::read_to_string(path).unwrap() }
}

/// Random machines, each of a project of its own, as one model: one support file is enough for all.
fn machines_of(seeds: &[u64], extent: Extent) -> Subject {
    let mut all = Subject::empty("machines");
    for seed in seeds {
        let project = Project::new(Kind::Machine, *seed, &mut Coverage::new());
        let Some(model) = project.loaded.model else { continue };
        all.add_machines(&project.loaded.sources, &model, &format!("m{seed}"), extent);
    }
    all
}

/// A random system and its machines.
fn system_of(seed: u64, extent: Extent) -> Option<Subject> {
    let project = Project::new(Kind::System, seed, &mut Coverage::new());
    Some(Subject::new(&format!("p{seed}"), &project.loaded.sources, project.loaded.model?, extent, 1))
}

fn in_typescript(row: &mut Row, batch: &[Subject]) {
    let Some(trial) = typescript::Trial::new("random") else { return };
    for it in batch {
        trial.emit(&it.name, it, &Style { int: Int::Bigint, ..Style::default() });
        row.count(it, &it.model.machines, it.model.systems.len());
    }
    row.judge(&trial.compiled(&[]), &[") : error ", "error TS"]);
    row.judge(&trial.tested(), &["not ok "]);
}

fn in_python(row: &mut Row, batch: &[Subject], with_checker: bool) {
    let Some(trial) = python::Trial::new("random") else { return };
    batch.iter().for_each(|it| trial.emit(it));
    batch.iter().for_each(|it| row.count(it, &it.model.machines, it.model.systems.len()));
    let names: Vec<&str> = batch.iter().map(|it| it.name.as_str()).collect();
    if with_checker {
        row.judge(&trial.checked(&names), &[": error: "]);
    }
    row.judge(&trial.tested(&names), &["FAIL: ", "ERROR: "]);
}

fn in_go(row: &mut Row, batch: &[Subject], with_checker: bool) {
    // Go has no systems; their machines alone are simpler than the others.
    let machines: Vec<&Subject> = batch.iter().filter(|it| it.name.starts_with(['m', 'r'])).collect();
    if machines.is_empty() {
        return;
    }
    let Some(trial) = golang::Trial::new("random") else { return };
    for it in machines {
        trial.emit(it);
        row.count(it, &it.model.machines, 0);
    }
    if with_checker {
        // A guard such as `a or a` is redundant in the spec.
        row.judge(&trial.go(&["vet", "-bools=false", "./..."]), &[".go:"]);
    }
    row.judge(&trial.go(&["test", "-vet=off", "./..."]), &["--- FAIL: ", ".go:"]);
}

impl Row {
    fn count(&mut self, subject: &Subject, machines: &[statespec_lang::model::Machine], n_systems: usize) {
        self.machines += machines.len();
        self.systems += n_systems;
        self.calls += subject.n_calls(n_systems > 0);
    }

    /// Keeps the lines of a program that failed which say what failed: those with one of these marks, or else all of them.
    fn judge(&mut self, output: &Output, marks: &[&str]) {
        if output.status.success() {
            return;
        }
        let said = said(output);
        let marked: Vec<String> = said.lines().filter(|it| marks.iter().any(|mark| it.contains(mark))).map(str::to_owned).collect();
        match marked.is_empty() {
            true => _ = self.differences.insert(said),
            false => self.differences.extend(marked),
        }
    }
}

/// The table of the page.
fn table(rows: &[(&str, Row)]) -> String {
    let mut text = "| Language | Machines | Systems | Calls | Failed tests |\n| --- | ---: | ---: | ---: | ---: |\n".to_owned();
    for (language, Row { machines, systems, calls, differences }) in rows {
        writeln!(text, "| {language} | {machines} | {systems} | {calls} | {} |", differences.len()).unwrap();
    }
    text.trim_end().to_owned()
}
