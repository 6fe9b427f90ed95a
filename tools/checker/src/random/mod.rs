//! Random small machines: what exploration claims about each is compared with an enumeration of values by the
//! interpreter, which knows nothing of borders.

mod compare;
mod machine;

use std::collections::BTreeMap;

use statespec_codegen::explore::{Limits, Report, Subject, explore};
use statespec_codegen::lower::load;
use statespec_codegen::source::Input;

pub use compare::Disagreement;

/// The name of every random machine.
pub(crate) const NAME: &str = "subject";

/// The maximum number of configurations of one exploration.
const MAX_STATES: usize = 3_000;

/// Random numbers that are the same on every machine: SplitMix64.
#[derive(Debug, Clone)]
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        let mut rng = Rng(seed);
        // Consecutive seeds would give the same sequence, shifted by one.
        let first = rng.next();
        Rng(first)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 if there is none.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        let next = self.next();
        if n == 0 { 0 } else { (next % n as u64) as usize }
    }

    /// True in this percentage of cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// What became of a number of random machines.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The number of machines.
    pub machines: usize,
    /// The machines that the library refuses, each with the reason.
    pub refused: Vec<(u64, String)>,
    /// The number of explorations that say that they are complete.
    pub complete: usize,
    /// The number of findings of each code.
    pub findings: BTreeMap<&'static str, usize>,
    /// What the enumeration contradicts, with the seed of the machine and its spec.
    pub disagreements: Vec<(u64, Disagreement, String)>,
}

impl Outcome {
    /// The numbers, and the first machines about which something false is said.
    pub fn text(&self) -> String {
        let findings: Vec<String> = self.findings.iter().map(|(code, n)| format!("{n} {code}")).collect();
        let Outcome { machines, refused, complete, disagreements, .. } = self;
        let mut text = format!(
            "{machines} machines: {} refused, {complete} explorations complete, findings: {}; {} disagreements\n",
            refused.len(),
            findings.join(", "),
            disagreements.len()
        );
        for (seed, what, spec) in disagreements.iter().take(5) {
            text.push_str(&format!("\nseed {seed}: {}\n{spec}", what.0));
        }
        text
    }
}

/// Compares the machines of these seeds.
///
/// # Panics
///
/// If a machine cannot be explored at all: this function is for tests.
pub fn compare(seeds: std::ops::Range<u64>) -> Outcome {
    let mut outcome = Outcome::default();
    for seed in seeds {
        outcome.machines += 1;
        let mut rng = Rng::new(seed);
        let text = machine::machine(&mut rng);
        let loaded = load(&[Input { path: "machines/subject.yaml".into(), text: text.clone() }]);
        let Some(model) = loaded.model else {
            let errors = loaded.diagnostics.into_iter().map(|it| it.message).collect::<Vec<_>>().join("; ");
            outcome.refused.push((seed, errors));
            continue;
        };
        let limits = Limits { max_states: MAX_STATES, ..Limits::default() };
        let report: Report = explore(&model, Subject::Machine(NAME), &limits).unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"));
        outcome.complete += usize::from(report.is_complete());
        for finding in &report.findings {
            *outcome.findings.entry(finding.code.id()).or_default() += 1;
        }
        for disagreement in compare::compare(&model.machines[0], &report, &mut rng) {
            outcome.disagreements.push((seed, disagreement, text.clone()));
        }
    }
    outcome
}
