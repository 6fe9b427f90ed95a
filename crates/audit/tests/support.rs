//! Machines, and audits of texts.

use statespec_audit::{Audit, Format, Options, Outcome, Reading};
use statespec_lang::lower::{Loaded, load};
use statespec_lang::source::Input;

/// A spec without errors.
pub(crate) fn spec(text: &str) -> Loaded {
    let loaded = load(&[Input { path: "machines/job.yaml".into(), text: text.into() }]);
    assert!(loaded.model.is_some(), "{:?}", loaded.diagnostics);
    loaded
}

/// The worker's job of the reference machines.
pub(crate) const RUN_JOB: &str = include_str!("../../../machines/run_job.yaml");

/// A job with actors, a context, payloads, guards, a creation and a direct transition.
pub(crate) const JOB: &str = "\
machine: job
actors: { worker: Does the work., clerk: Submits it. }
context: { tries: { type: int, default: 0 }, limit: int }
states:
  queued: { initial: true }
  claimed: {}
  done: { terminal: true }
  failed: { terminal: true }
  cancelled: { terminal: true }
events:
  submit: { by: clerk }
  claim: { by: worker, payload: { until: { type: timestamp, informative: true } } }
  fail: { by: worker }
  finish: { by: worker, payload: { cost: { type: int, informative: true } } }
transitions:
  - { from: \"[*]\", event: submit, to: queued }
  - { from: queued, event: claim, to: claimed }
  - { from: queued, to: cancelled }
  - { from: claimed, event: fail, when: tries + 1 < limit, to: queued, set: { tries: tries + 1 } }
  - { from: claimed, event: fail, to: failed, set: { tries: tries + 1 } }
  - { from: claimed, event: finish, to: done }
";

/// The audit of one text.
pub(crate) fn audit(loaded: &Loaded, format: Format, reading: &Reading, options: Options, text: &[u8]) -> Result<Outcome, String> {
    let machine = &loaded.model.as_ref().unwrap().machines[0];
    let mut audit = Audit::new(machine, options)?;
    audit.read("log", format, reading, text)?;
    Ok(audit.finish())
}

/// The lines and codes of all findings.
pub(crate) fn found(outcome: &Outcome) -> Vec<(u64, &'static str)> {
    assert_eq!(outcome.n_findings(), outcome.findings.len() as u64);
    outcome.findings.iter().map(|it| (it.place.line, it.code.id())).collect()
}

/// Random numbers, the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}
