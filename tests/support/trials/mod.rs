//! Emitted TypeScript, Python and Go in folders of their own, with the tools that accept and run them.
#![allow(dead_code, reason = "each test uses its own share")]

pub(crate) mod golang;
pub(crate) mod python;
pub(crate) mod typescript;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use statespec_codegen::backend::conformance::data::{Extent, machine, numbers, system};
use statespec_lang::model::Model;
use statespec_lang::source::Sources;

use crate::checks;

/// A folder without files, for a trial of a language.
fn folder(language: &str, name: &str) -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(language).join(name);
    let _ = fs::remove_dir_all(&home);
    fs::create_dir_all(&home).unwrap();
    home
}

fn put(home: &Path, path: &str, text: &str) {
    let path = home.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A model under a name, with what its machines and systems do according to the interpreter: the same for all languages.
pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) model: Model,
    /// The conformance data, by machine and system.
    data: BTreeMap<String, String>,
    numbers: String,
}

impl Subject {
    /// A model, and so many random pairs of each type of numbers.
    pub(crate) fn new(name: &str, sources: &Sources, model: Model, extent: Extent, n_numbers: usize) -> Subject {
        let machines = (0..model.machines.len()).map(|idx| (&model.machines[idx].name, machine(&model, idx, sources, extent)));
        let systems = (0..model.systems.len()).map(|idx| (&model.systems[idx].name, system(&model, idx, sources, extent)));
        let data = machines.chain(systems).map(|(name, data)| (name.clone(), data)).collect();
        Subject { name: name.to_owned(), data, numbers: numbers(n_numbers), model }
    }

    /// No machine yet.
    pub(crate) fn empty(name: &str) -> Subject {
        let model = Model { machines: Vec::new(), systems: Vec::new(), documents: Vec::new(), waivers: Vec::new() };
        Subject { name: name.to_owned(), data: BTreeMap::new(), numbers: numbers(1), model }
    }

    /// Adds the machines of a model, under names of their own.
    pub(crate) fn add_machines(&mut self, sources: &Sources, model: &Model, name: &str, extent: Extent) {
        for (idx, it) in model.machines.iter().enumerate() {
            let name = if idx == 0 { name.to_owned() } else { format!("{name}_{idx}") };
            self.data.insert(name.clone(), machine(model, idx, sources, extent));
            let mut renamed = it.clone();
            renamed.name = name;
            self.model.machines.push(renamed);
        }
    }

    /// The number of calls whose results are compared, of the machines, and of the systems if the language has them.
    pub(crate) fn n_calls(&self, with_systems: bool) -> usize {
        let is_system = |name: &String| self.model.systems.iter().any(|it| it.name == *name);
        let data = self.data.iter().filter(|it| with_systems || !is_system(it.0));
        data.map(|it| it.1.matches("\"ok\":{").count() + it.1.matches("\"refused\":{").count()).sum()
    }

    /// The number of calls that are refused for a reason.
    pub(crate) fn n_refused(&self, reason: &str) -> usize {
        self.data.values().map(|it| it.matches(&format!("\"refused\":{{\"reason\":\"{reason}\"")).count()).sum()
    }

    /// Puts the data into a folder, in these files.
    fn put_data(&self, home: &Path, folder: &str, files: &BTreeMap<String, String>) {
        for (name, data) in self.data.iter().filter_map(|(name, data)| Some((files.get(name)?, data))) {
            put(home, &format!("{folder}/{name}.json"), data);
        }
        put(home, &format!("{folder}/numbers.json"), &self.numbers);
    }
}

/// What a program says.
pub(crate) fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Panics with what a program says unless it succeeds.
pub(crate) fn accepted(output: &Output) {
    assert!(output.status.success(), "{}", said(output).chars().take(8_000).collect::<String>());
}

/// What is wrong in a copy of an emitted module: the file, what it has, and what a defective printer would write.
pub(crate) type Defect = (&'static str, &'static str, &'static str);

/// The text of a module in a copy that has this defect.
fn with_defect(module: &str, text: String, (file, sound, wrong): &Defect) -> String {
    if module != *file {
        return text;
    }
    assert!(text.contains(sound), "{file} has no {sound}");
    text.replacen(sound, wrong, 1)
}

/// The numbers of the copies that passed, of those that a program lists in its last line after the sound one, which must pass.
fn missed(output: &Output, copies: &[String]) -> Vec<usize> {
    accepted(output);
    let printed = String::from_utf8_lossy(&output.stdout);
    let mut passed = printed.lines().last().unwrap_or_default().split_whitespace();
    assert_eq!(passed.next(), Some("sound"), "the tests fail without a defect: {printed}");
    passed.map(|it| copies.iter().position(|copy| copy == it).unwrap()).collect()
}

/// The sample of some defects, none of which may be missed.
pub(crate) fn assert_found(defects: &[Defect], planted: impl FnOnce(&[Defect]) -> Vec<usize>) {
    let every = defects.len() / checks::one_in(5, defects.len());
    let sample: Vec<Defect> = defects.iter().step_by(every).copied().collect();
    let missed: Vec<Defect> = planted(&sample).into_iter().map(|it| sample[it]).collect();
    assert!(missed.is_empty(), "{missed:?}");
}
