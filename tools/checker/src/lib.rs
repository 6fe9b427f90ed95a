//! Systems of this project as hand-written models for stateright, which shares no code with the
//! interpreter: both must count the same states and find the same faults.

pub mod context_os;
pub mod job_queue;
pub mod mission_hop;
pub mod random;
pub mod stock;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use stateright::{Checker as _, Model as Checked, Property};
use statespec_explore::{Limits, Report, Subject, explore};
use statespec_lang::diagnostic::Code;
use statespec_lang::lower::load;
use statespec_lang::source::Input;
use statespec_rust::root::Root;

/// The result of stateright for a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The number of distinct states.
    pub states: usize,
    /// The `always` properties that are violated, sorted, each with the length of its trace.
    pub broken: Vec<(&'static str, usize)>,
    /// The elapsed time.
    pub elapsed: Duration,
}

/// A property that is always true: it makes the search visit all states.
pub(crate) fn everything<M: Checked>() -> Property<M> {
    Property::always("everything is visited", |_, _| true)
}

/// Runs stateright, breadth first and on one thread, so that traces are shortest.
///
/// Its search stops when every property has been discovered. A property that is never discovered makes it
/// visit all states; with several pending properties it may find longer traces, so each has a run of its own.
pub fn check<M>(model: impl Fn(Option<&'static str>) -> M, properties: &[&'static str]) -> Verdict
where
    M: Checked + Send + Sync + 'static,
    M::State: std::hash::Hash + Send + Sync + std::fmt::Debug + Clone + PartialEq,
    M::Action: Send + Sync + std::fmt::Debug + Clone + PartialEq,
{
    let began = Instant::now();
    let states = model(None).checker().threads(1).spawn_bfs().join().unique_state_count();
    let elapsed = began.elapsed();
    let length = |name: &'static str| {
        let checker = model(Some(name)).checker().threads(1).spawn_bfs().join();
        Some((name, checker.discovery(name)?.into_actions().len()))
    };
    let mut broken: Vec<_> = properties.iter().filter_map(|it| length(it)).collect();
    broken.sort_unstable();
    Verdict { states, broken, elapsed }
}

/// Explores a system whose specs are in a folder of this project, with some of their texts replaced.
///
/// # Panics
///
/// If the folder or the specs are not as the caller expects: this function is for tests.
pub fn ours(folder: &str, system: &str, edits: &[(&str, &str, &str)], instances: &[(&str, u64)]) -> Report {
    let path = Root::of_process().expect("there is a current folder").folder.join(folder);
    let mut inputs = Vec::new();
    for entry in std::fs::read_dir(path).expect("the folder is there") {
        let path = entry.expect("its entries can be read").path();
        let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default().to_owned();
        if !name.ends_with(".yaml") || name.ends_with(".doc.yaml") {
            continue;
        }
        let mut text = std::fs::read_to_string(&path).expect("it is a text");
        for (_, old, new) in edits.iter().filter(|it| it.0 == name) {
            assert!(text.contains(old), "{name} has no `{old}` any more");
            text = text.replace(old, new);
        }
        // The walkthroughs would find many faults before the exploration starts.
        text = without(&text, "walkthroughs:");
        inputs.push(Input { path: format!("machines/{name}"), text });
    }
    let loaded = load(&inputs);
    let model = loaded.model.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
    let instances: BTreeMap<String, u64> = instances.iter().map(|(part, count)| ((*part).to_owned(), *count)).collect();
    explore(&model, Subject::System(system), &Limits { instances, max_states: 20_000_000, ..Limits::default() })
        .expect("it can be explored")
}

/// A spec without one of its top-level keys.
fn without(text: &str, key: &str) -> String {
    let mut kept = String::new();
    let mut inside = false;
    for line in text.lines() {
        if !line.starts_with(' ') {
            inside = line == key;
        }
        if !inside {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// The findings of one kind: the invariant or place, and the length of the trace.
pub fn findings(report: &Report, code: Code) -> Vec<(String, usize)> {
    let of_kind = report.findings.iter().filter(|it| it.code == code);
    of_kind.map(|it| (it.message.clone(), it.trace.as_ref().map_or(0, |trace| trace.steps.len()))).collect()
}

/// The states in which something waits and can never end, by brute force: a separate search from
/// each state. Returns their number, and the distance of the first from the initial state.
pub fn stuck<M: Checked>(model: &M, waits: impl Fn(&M::State) -> bool, ends: impl Fn(&M::State) -> bool) -> (usize, Option<usize>)
where
    M::State: Clone + PartialEq,
{
    let next = |state: &M::State| {
        let mut actions = Vec::new();
        model.actions(state, &mut actions);
        actions.into_iter().filter_map(|it| model.next_state(state, it)).collect::<Vec<_>>()
    };
    let all_from = |starts: Vec<M::State>| {
        let mut seen: Vec<(M::State, usize)> = starts.into_iter().map(|it| (it, 0)).collect();
        let mut at = 0;
        while at < seen.len() {
            let depth = seen[at].1 + 1;
            for state in next(&seen[at].0) {
                if seen.iter().all(|(it, _)| *it != state) {
                    seen.push((state, depth));
                }
            }
            at += 1;
        }
        seen
    };
    let waiting = all_from(model.init_states()).into_iter().filter(|(state, _)| waits(state));
    let stuck: Vec<usize> =
        waiting.filter(|(state, _)| !all_from(vec![state.clone()]).iter().any(|(it, _)| ends(it))).map(|it| it.1).collect();
    (stuck.len(), stuck.first().copied())
}
