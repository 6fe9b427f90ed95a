//! Random small machines: what exploration and the lints say about each is compared with an enumeration of values by
//! the interpreter, which knows nothing of borders.

mod compare;
mod enumerate;
mod machine;

use std::collections::BTreeMap;

use statespec_explore::{Limits, Report, Subject, explore};
use statespec_lang::check::check;
use statespec_lang::diagnostic::Levels;
use statespec_lang::lower::load;
use statespec_lang::source::Input;

pub use compare::Claim;

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
    /// The number of verdicts of each kind.
    pub tried: BTreeMap<Claim, usize>,
    /// What the enumeration contradicts.
    pub disagreements: Vec<Disagreement>,
}

/// A verdict that the enumeration contradicts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// The kind of verdict.
    pub claim: Claim,
    /// The seed of the machine.
    pub seed: u64,
    /// What was found.
    pub what: String,
    /// The spec of the machine.
    pub spec: String,
}

impl Outcome {
    /// The numbers, and the first machines about which something false is said.
    pub fn text(&self) -> String {
        let Outcome { machines, refused, complete, disagreements, .. } = self;
        let mut text = format!(
            "{machines} machines: {} refused, {complete} explorations complete, {} disagreements\n",
            refused.len(),
            disagreements.len()
        );
        for Disagreement { claim, seed, what, spec } in disagreements.iter().take(5) {
            text.push_str(&format!("\nseed {seed}: {}: {what}\n{spec}", claim.texts().0));
        }
        text
    }

    /// A table of all kinds of verdicts, in Markdown.
    pub fn markdown(&self) -> String {
        let mut table = "| Verdict | Contradicted if | Tried | Contradicted |\n| --- | --- | ---: | ---: |\n".to_owned();
        for claim in Claim::ALL {
            let (verdict, contradiction) = claim.texts();
            let tried = self.tried.get(claim).copied().unwrap_or(0);
            let wrong = self.disagreements.iter().filter(|it| it.claim == *claim).count();
            table.push_str(&format!("| {verdict} | {contradiction} | {tried} | {wrong} |\n"));
        }
        table
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
        let tally = compare::compare(&model.machines[0], &report, &check(&model, &Levels::default()), &mut rng);
        for (claim, n) in tally.tried {
            *outcome.tried.entry(claim).or_default() += n;
        }
        let disagreement = |(claim, what)| Disagreement { claim, seed, what, spec: text.clone() };
        outcome.disagreements.extend(tally.wrong.into_iter().map(disagreement));
    }
    outcome
}
