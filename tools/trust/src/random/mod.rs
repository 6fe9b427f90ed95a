//! Random machines and systems that use every key of the spec language, with hostile names and texts in every place.
//!
//! Every accepted project has to compile: `cargo trust random` writes crates of random projects, as files of the library
//! and as derives, and checks them with warnings denied. With `--behave`, what the files do is compared with the interpreter.

mod attributes;
pub mod behave;
pub mod compile;
pub mod coverage;
mod declarations;
mod derive;
mod dice;
mod expressions;
pub mod forms;
mod invariants;
mod machine;
mod names;
mod orders;
mod rows;
pub mod run;
mod states;
mod system;
mod texts;
mod timers;
mod transactions;
mod values;
mod walkthrough;
mod yaml;

use statespec_codegen::diagnostic::{Level, Style, render};
use statespec_codegen::source::Input;
use statespec_lang::lower::{Loaded, load};
use statespec_lang::names::snake;

use self::coverage::Coverage;
use self::dice::Dice as _;
use self::machine::{Machine, Maker, Use};
use self::names::Names;
use self::yaml::{Map, Yaml, render as render_yaml, text};
use crate::rng::Rng;

/// The subject of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// One machine by itself, and types that derive it.
    Machine,
    /// A system with its machines.
    System,
}

/// A random project.
#[derive(Debug)]
pub struct Project {
    /// Its subject.
    pub subject: Subject,
    /// The seed that reproduces it.
    pub seed: u64,
    /// Its specs.
    pub specs: Vec<Input>,
    /// The result of loading its specs.
    pub loaded: Loaded,
    /// The first machine, for the derives.
    machine: Machine,
}

impl Project {
    /// A random project. Its use of the language is counted, unless it is refused.
    pub fn new(subject: Subject, seed: u64, coverage: &mut Coverage) -> Project {
        // Consecutive seeds would give the same sequence, shifted by one: so the first number of a seed is the actual seed.
        let mut rng = Rng::new(Rng::new(seed.wrapping_mul(2).wrapping_add(subject as u64)).below(usize::MAX) as u64);
        let mut names = Names::new(snake);
        let (n_machines, usage) = match subject {
            Subject::Machine => (1, Use::Alone),
            Subject::System => (rng.between(1, 3), Use::Part),
        };
        let machines: Vec<Machine> = (0..n_machines).map(|number| machine_of(&mut rng, usage, number, &mut names)).collect();
        let mut files: Vec<(&'static str, Map)> = machines.iter().map(|it| ("machine", it.spec.clone())).collect();
        if subject == Subject::System {
            let hostility = *rng.pick(&[0, 10, 60]);
            let name = names.fresh(&mut rng, hostility);
            let others = inputs(&files);
            let (mut system, mut spec) = system::system(&mut rng, &machines, name);
            let wrong = |spec: &Map| -> Vec<(String, Option<String>)> {
                let file = Input { path: "specs/system.yaml".into(), text: render_yaml(spec) };
                let loaded = load(&others.iter().cloned().chain([file]).collect::<Vec<_>>());
                loaded.diagnostics.into_iter().map(|it| (it.message, it.help)).collect()
            };
            invariants::hold(&mut spec, &|spec| wrong(spec).into_iter().map(|it| it.0).collect());
            if system.rng.chance(40) {
                walkthrough::tell(&mut system, &mut spec, &wrong);
            }
            files.push(("system", spec));
        }
        share(&mut Rng::new(seed ^ 0x5ba4), &mut files, if subject == Subject::Machine { 'm' } else { 's' }, seed);
        let specs = inputs(&files);
        let loaded = load(&specs);
        if loaded.model.is_some() {
            files.iter().filter(|it| it.0 != "shared").for_each(|(kind, spec)| coverage.count(kind, spec));
        }
        let machine = machines.into_iter().next().unwrap_or_default();
        Project { subject, seed, specs, loaded, machine }
    }

    /// The reason why the library refuses the specs, if it does.
    pub fn refusal(&self) -> Option<String> {
        let errors: Vec<_> = self.loaded.diagnostics.iter().filter(|it| it.code.level() == Level::Error).cloned().collect();
        self.loaded.model.is_none().then(|| render(&self.loaded.sources, &errors, Style::Plain))
    }

    /// The name in reports, such as `machine 17`.
    pub fn name(&self) -> String {
        let subject = if self.subject == Subject::Machine { "machine" } else { "system" };
        format!("{subject} {}", self.seed)
    }
}

fn machine_of(rng: &mut Rng, usage: Use, number: usize, names: &mut Names) -> Machine {
    let hostility = *rng.pick(&[0, 0, 10, 60]);
    // A machine is a module and a file.
    let bad = *rng.pick(&["crate", "self", "super", "mod", "Self", "lib", "main", "core", "statespec"]);
    let name = if rng.chance(6) && names.accept(bad) { bad.to_owned() } else { names.fresh(rng, hostility) };
    machine::machine(&mut Maker::new(rng, usage), name, number)
}

fn inputs(files: &[(&'static str, Map)]) -> Vec<Input> {
    let mut inputs = Vec::new();
    for (idx, (kind, spec)) in files.iter().enumerate() {
        let path = match (*kind, spec.first()) {
            ("system", _) => "specs/system.yaml".to_owned(),
            ("shared", Some((_, name))) => format!("specs/{}.yaml", plain_text(name)),
            _ => format!("specs/machine_{idx}.yaml"),
        };
        inputs.push(Input { path, text: render_yaml(spec) });
    }
    inputs
}

/// Moves the first declarations of a machine into a file of their own, sometimes.
fn share(rng: &mut Rng, files: &mut Vec<(&'static str, Map)>, letter: char, seed: u64) {
    if !rng.chance(30) {
        return;
    }
    let name = format!("shared_{letter}{seed}");
    let mut shared: Map = vec![("shared".to_owned(), text(name.clone()))];
    let Some((_, machine)) = files.first_mut() else { return };
    for key in ["actors", "enums", "constants"] {
        let Some((_, Yaml::Map(entries))) = machine.iter_mut().find(|(it, _)| it == key) else { continue };
        let n_moved = rng.between(0, entries.len());
        let mut moved: Map = entries.drain(..n_moved).collect();
        if key == "constants" {
            moved.append(&mut named_constants(entries, shared.iter().map(|it| &it.1).chain(moved.iter().map(|it| &it.1))));
        }
        if !moved.is_empty() {
            shared.push((key.to_owned(), Yaml::Map(moved)));
        }
    }
    machine.retain(|(_, value)| !matches!(value, Yaml::Map(entries) if entries.is_empty()));
    machine.push(("use".to_owned(), text(format!("{name}.yaml"))));
    files.push(("shared", shared));
}

/// Takes the constants out of a list that these texts name, and those that the texts of these name: a shared file cannot name the
/// constants of a machine.
fn named_constants<'y>(constants: &mut Map, texts: impl Iterator<Item = &'y Yaml>) -> Map {
    let mut is_named = vec![false; constants.len()];
    for texts in texts {
        constants.iter().zip(&mut is_named).for_each(|((name, _), is_named)| *is_named |= names(texts, name));
    }
    // The doc of a constant names constants before it.
    for idx in (0..constants.len()).rev() {
        let (before, from) = constants.split_at(idx);
        if is_named[idx] {
            before.iter().zip(&mut is_named).for_each(|((name, _), is_named)| *is_named |= names(&from[0].1, name));
        }
    }
    let (named, rest): (Vec<_>, Vec<_>) = std::mem::take(constants).into_iter().zip(is_named).partition(|it| it.1);
    *constants = rest.into_iter().map(|it| it.0).collect();
    named.into_iter().map(|it| it.0).collect()
}

/// Whether a text has this name in braces.
fn names(texts: &Yaml, name: &str) -> bool {
    match texts {
        Yaml::Plain(_) => false,
        Yaml::Text(text) => text.contains(&format!("{{{name}}}")) || text.contains(&format!("{{{name}:%}}")),
        Yaml::List(items) => items.iter().any(|it| names(it, name)),
        Yaml::Map(entries) => entries.iter().any(|(_, it)| names(it, name)),
    }
}

fn plain_text(value: &Yaml) -> String {
    match value {
        Yaml::Plain(it) | Yaml::Text(it) => it.clone(),
        _ => String::new(),
    }
}
