//! The time to compile a machine of any size, with `cargo check` and as a release build.

use std::fs;
use std::path::{Path, PathBuf};

use crate::dependencies::dependency;
use crate::results::{Compile, Seconds};
use crate::synthetic::{FLOOR, Shape, WRITINGS, Writing};
use crate::{benches, rustc, target};

/// A contender that takes longer for one compilation is not measured at larger sizes.
const PATIENCE: f64 = 60.0;

/// The extent of the measurement.
#[derive(Debug, Clone, Copy)]
pub struct Effort<'a> {
    /// Whether this is a short trial run, whose results are not written into the page.
    pub quick: bool,
    /// The size of the largest machine.
    pub max_states: usize,
    /// The number of compilations of each contender; half as many as release builds.
    pub rounds: usize,
    /// The peers to compile besides the hand-written contenders and ours.
    pub peers: Peers<'a>,
    /// Whether only `cargo check` is measured.
    pub skip_release: bool,
}

/// The selection of peers.
#[derive(Debug, Clone, Copy)]
pub enum Peers<'a> {
    All,
    /// These, by the names of their packages; the others are reported as left out.
    Only(&'a [String]),
    /// None, and none is reported.
    None,
}

/// The reason that is reported for a contender that was not selected.
pub const LEFT_OUT: &str = "not measured, left out of this run for lack of time";

impl<'a> Peers<'a> {
    /// All peers, unless some are named.
    pub fn of(named: &'a [String]) -> Self {
        if named.is_empty() { Peers::All } else { Peers::Only(named) }
    }

    /// Whether this package of a peer is measured.
    pub fn include(self, package: &str) -> bool {
        match self {
            Peers::All => true,
            Peers::Only(named) => named.iter().any(|it| it == package),
            Peers::None => false,
        }
    }
}

/// Measures all contenders at all sizes; `save` gets the results after each size, so that an interrupted run keeps them.
pub fn measure(effort: Effort<'_>, mut save: impl FnMut(&[Compile]) -> Result<(), String>) -> Result<(), String> {
    let sizes = [10, 100, 500, 2000].into_iter().filter(|it| *it <= effort.max_states);
    let rounds = effort.rounds;
    let folder = target().join("synthetic");
    let _ = fs::remove_dir_all(&folder);
    let mut measured = Vec::new();
    for n_states in sizes {
        let mut field = Field::new(&folder, n_states, effort.peers)?;
        field.prepare(&measured);
        field.take_turns("check", &["check"], rounds, |it| &mut it.check)?;
        let release_rounds = if effort.skip_release { 0 } else { rounds.div_ceil(2) };
        field.take_turns("release build", &["build", "--release"], release_rounds, |it| &mut it.release)?;
        measured.extend(field.runners.into_iter().map(|it| it.result));
        save(&measured)?;
    }
    Ok(())
}

/// All contenders at one size, each a package of one workspace.
struct Field {
    folder: PathBuf,
    runners: Vec<Runner>,
}

struct Runner {
    package: String,
    result: Compile,
}

impl Field {
    fn new(folder: &Path, n_states: usize, peers: Peers<'_>) -> Result<Self, String> {
        let wanted = |it: &&Writing| it.max_states >= n_states && !(it.is_peer() && matches!(peers, Peers::None));
        let writings = || [&FLOOR].into_iter().chain(WRITINGS).filter(wanted);
        let mut members = Vec::new();
        for writing in writings() {
            write_package(folder, writing, n_states)?;
            members.push(writing.slug);
        }
        let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n");
        write(&folder.join("Cargo.toml"), &manifest)?;
        let lock = benches().join("Cargo.lock");
        fs::copy(lock, folder.join("Cargo.lock")).map_err(|it| it.to_string())?;
        let runners = writings().filter(|it| it.slug != FLOOR.slug).map(|it| Runner {
            package: it.slug.to_owned(),
            result: Compile {
                name: it.name.to_owned(),
                n_states,
                check: None,
                release: None,
                reason: (it.is_peer() && !peers.include(it.slug)).then(|| LEFT_OUT.to_owned()),
            },
        });
        Ok(Field { folder: folder.to_owned(), runners: runners.collect() })
    }

    /// Builds the common dependencies, and leaves out contenders that cannot compile or were too slow before.
    fn prepare(&mut self, measured: &[Compile]) {
        for runner in self.runners.iter_mut().filter(|it| it.result.reason.is_none()) {
            let before = measured.iter().rfind(|it| it.name == runner.result.name);
            if let Some(smaller) =
                before.filter(|it| it.reason.is_some() || [it.check, it.release].iter().flatten().any(|it| it.least > PATIENCE))
            {
                let took = smaller
                    .reason
                    .clone()
                    .unwrap_or_else(|| format!("one compilation took more than {PATIENCE} s at {} states", smaller.n_states));
                runner.result.reason = Some(took);
                continue;
            }
            let built = self.folder.join("target");
            if let Err(error) = rustc::compile(&self.folder, &built, &["check", "--package", &format!("{}-machine", runner.package)]) {
                runner.result.reason = Some(first_error(&error));
            }
        }
    }

    /// The minimum time of every contender that compiles; the floor is measured alternately with them.
    fn take_turns(
        &mut self,
        what: &str,
        words: &[&str],
        rounds: usize,
        slot: impl Fn(&mut Compile) -> &mut Option<Seconds>,
    ) -> Result<(), String> {
        let mut floor = f64::INFINITY;
        for round in 0..rounds {
            eprintln!("{what} of {} states, {} of {rounds}", self.runners[0].result.n_states, round + 1);
            floor = floor.min(self.once(FLOOR.slug, words)?);
            for idx in 0..self.runners.len() {
                if self.runners[idx].result.reason.is_some() {
                    continue;
                }
                let before = *slot(&mut self.runners[idx].result);
                // Three rounds are enough for slow contenders.
                if round >= 3 && before.is_some_and(|it| it.least > 3.0) || round >= 1 && before.is_some_and(|it| it.least > PATIENCE) {
                    continue;
                }
                match self.once(&self.runners[idx].package.clone(), words) {
                    Ok(seconds) => {
                        let least = before.map_or(seconds, |it| it.least.min(seconds));
                        *slot(&mut self.runners[idx].result) = Some(Seconds { least, floor: 0.0 });
                    }
                    Err(error) => self.runners[idx].result.reason = Some(first_error(&error)),
                }
            }
        }
        for runner in &mut self.runners {
            if let Some(seconds) = slot(&mut runner.result) {
                seconds.floor = floor;
            }
        }
        Ok(())
    }

    /// Compiles one package again, and nothing else.
    fn once(&self, package: &str, words: &[&str]) -> Result<f64, String> {
        let source = self.folder.join(package).join("src/lib.rs");
        let text = fs::read_to_string(&source).map_err(|it| it.to_string())?;
        // Cargo recompiles files that were written after its last build.
        write(&source, &text)?;
        let full_name = format!("{package}-machine");
        let words: Vec<&str> = words.iter().copied().chain(["--package", &full_name]).collect();
        let compilations = rustc::compile(&self.folder, &self.folder.join("target"), &words)?;
        let own = compilations.iter().rfind(|it| it.name == package.replace('-', "_") + "_machine");
        own.map(|it| it.cpu_seconds).ok_or_else(|| format!("cargo did not compile {package}"))
    }
}

fn write_package(folder: &Path, writing: &Writing, n_states: usize) -> Result<(), String> {
    let package = folder.join(writing.slug);
    // The library has a name of its own, which no dependency has.
    let name = writing.slug.replace('-', "_") + "_machine";
    let dependency = writing.dependency.map(|(package, options)| dependency(package, options)).transpose()?;
    let manifest = format!(
        "[package]\nname = \"{}-machine\"\nedition = \"2024\"\n\n[lib]\nname = \"{name}\"\n\n[dependencies]\n{}",
        writing.slug,
        dependency.unwrap_or_default(),
    );
    fs::create_dir_all(package.join("src")).map_err(|it| it.to_string())?;
    write(&package.join("Cargo.toml"), &manifest)?;
    for (path, text) in (writing.files)(Shape { n_states }) {
        write(&package.join(path), &text)?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|it| format!("{}: {it}", path.display()))
}

/// The most informative line of cargo's errors.
fn first_error(text: &str) -> String {
    text.lines().find(|it| it.starts_with("error")).unwrap_or("it does not build").to_owned()
}
