//! The fuzz targets: functions that take any bytes and panic only on an error in statespec.
//!
//! `tools/fuzz/` runs them under a coverage-guided fuzzer; a test runs them on the seeds and on mutants of these.

mod importing;
mod outputs;
mod readers;
pub mod record;
mod regions;
pub mod seeds;

pub use importing::import;
pub use outputs::outputs;
pub use readers::{expression, spec, yaml};
pub use regions::regions;

/// A check whether a text is a Mermaid diagram; a caller with a Mermaid parser provides it.
pub type Oracle = fn(&str) -> Result<(), String>;

/// A target and its name.
pub type Target = (&'static str, fn(&[u8]));

/// The targets by name, as in `tools/fuzz/`.
pub const TARGETS: &[Target] = &[
    ("yaml", yaml),
    ("spec", spec),
    ("outputs", |it| outputs(it, |_| Ok(()))),
    ("expression", expression),
    ("regions", regions),
    ("import", import),
];

/// Runs a target on its seeds, and then on mutants of them.
///
/// # Panics
///
/// If the target panics: that is a finding.
pub fn run(name: &str, target: fn(&[u8]), n_mutants: usize, seed: u64) {
    let mut mutator = seeds::Mutator::new(name, seed);
    for input in mutator.seeds().to_vec() {
        target(&input);
    }
    for _ in 0..n_mutants {
        let input = mutator.next_mutant();
        let result = std::panic::catch_unwind(|| target(&input));
        assert!(result.is_ok(), "{name} fails for {:?}", String::from_utf8_lossy(&input));
    }
}
