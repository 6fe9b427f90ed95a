//! Public event logs, against pm4py as a process of its own: `STATESPEC_LOGS` names a folder with logs in XES, compressed or not, or
//! in CSV with the columns of XES. Nothing of pm4py and no log is a part of this repository.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use statespec_audit::{Audit, Format, Item, Options, Outcome, Reading, columns, draft, read};

use statespec_lang::lower::Loaded;

use crate::checks::{asked_for, needed, pm4py};
use crate::support::spec;

/// The seconds for the alignments of one log.
const SECONDS: u64 = 20;

/// The answer of pm4py.
#[derive(serde::Deserialize)]
struct Answer {
    edges: BTreeSet<(String, String, u64)>,
    starts: BTreeSet<(String, u64)>,
    fits: BTreeMap<String, bool>,
    costs: BTreeMap<String, u64>,
}

/// The states of each trace, in the order of the log.
type Traces = Vec<(String, Vec<String>)>;

fn traces(path: &Path) -> Traces {
    let name = path.to_str().unwrap();
    let format = Format::detect(name).unwrap();
    let columns = match format {
        Format::Csv => columns("entity=case:concept:name,to=concept:name").unwrap(),
        _ => Vec::new(),
    };
    let (mut traces, mut places) = (Traces::new(), BTreeMap::<String, usize>::new());
    let reading = Reading { columns, ..Reading::default() };
    let mut each = |item: Item<'_>| match item {
        Item::Attempt(_, attempt) => {
            let idx = *places.entry(attempt.entity.to_owned()).or_insert_with(|| {
                traces.push((attempt.entity.to_owned(), Vec::new()));
                traces.len() - 1
            });
            traces[idx].1.push(attempt.to.unwrap().unwrap().to_owned());
        }
        Item::Broken { line, why, .. } => panic!("{name}:{line}: {why}"),
        Item::Skipped => {}
    };
    read(format, &reading, BufReader::new(std::fs::File::open(path).unwrap()), &mut each).unwrap();
    traces
}

/// Traces as JSON lines.
fn lines<'t>(traces: impl Iterator<Item = &'t (String, Vec<String>)>) -> String {
    let mut text = String::new();
    for (entity, states) in traces {
        for state in states {
            let _ = writeln!(text, "{}", serde_json::json!({ "v": 1, "entity": entity, "to": state }));
        }
    }
    text
}

fn audited(loaded: &Loaded, text: &str) -> Outcome {
    let mut audit = Audit::new(&loaded.model.as_ref().unwrap().machines[0], Options::default()).unwrap();
    audit.read("log", Format::Jsonl, &Reading::default(), text.as_bytes()).unwrap();
    audit.finish()
}

fn first_spec(traces: &[&(String, Vec<String>)]) -> String {
    draft(None, "log", Format::Jsonl, &Reading::default(), lines(traces.iter().copied()).as_bytes()).unwrap().yaml
}

fn ask(python: &Path, request: &serde_json::Value) -> Answer {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ask_pm4py.py");
    let mut child = Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(request.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The pairs that these traces have. Without events, a record may repeat a state: somebody wrote all columns of a row again.
fn pairs<'t>(traces: &[&'t (String, Vec<String>)]) -> BTreeSet<(&'t str, &'t str)> {
    let steps = traces.iter().flat_map(|it| it.1.windows(2)).map(|it| (it[0].as_str(), it[1].as_str()));
    steps.chain(traces.iter().flat_map(|it| &it.1).map(|it| (it.as_str(), it.as_str()))).collect()
}

/// The states in which a history may begin: those of the traces, and those behind the initial one, whose own record may be missing.
fn births<'t>(loaded: &Loaded, traces: &[&'t (String, Vec<String>)]) -> BTreeSet<&'t str> {
    let machine = &loaded.model.as_ref().unwrap().machines[0];
    let initial = machine.state(machine.initial().first()).wire.clone();
    let behind = pairs(traces).into_iter().filter(|it| it.0 == initial).map(|it| it.1);
    traces.iter().map(|it| it.1[0].as_str()).chain(behind).collect()
}

#[test]
fn public_logs_give_what_pm4py_gives() {
    const CHECK: &str = "public logs against pm4py";
    let Some(folder) = asked_for(CHECK, "STATESPEC_LOGS") else { return };
    let Some(python) = needed(CHECK, pm4py()) else { return };
    let is_log = |it: &std::path::PathBuf| it.to_str().and_then(Format::detect).is_some_and(|it| matches!(it, Format::Xes | Format::Csv));
    let mut logs: Vec<_> = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).filter(is_log).collect();
    logs.sort();
    assert!(!logs.is_empty());
    for path in logs {
        let traces = traces(&path);
        // The steps of the whole log, against its directly-follows graph.
        let whole = spec(&first_spec(&traces.iter().collect::<Vec<_>>()));
        let outcome = audited(&whole, &lines(traces.iter()));
        assert_eq!(outcome.n_findings(), 0, "{}", path.display());
        let machine = &whole.model.as_ref().unwrap().machines[0];
        let state = |it: &Option<String>| machine.state(machine.state_named(it.as_ref().unwrap()).unwrap()).wire.clone();
        let of = |is_birth: bool| outcome.steps.iter().filter(move |it| it.from.is_none() == is_birth);
        let edges: BTreeSet<(String, String, u64)> = of(false).map(|it| (state(&it.from), state(&it.to), it.n)).collect();
        let starts: BTreeSet<(String, u64)> = of(true).map(|it| (state(&it.to), it.n)).collect();
        // All traces, against a spec of every second one.
        let half: Vec<&(String, Vec<String>)> = traces.iter().step_by(2).collect();
        let half_spec = spec(&first_spec(&half));
        let found = audited(&half_spec, &lines(traces.iter()));
        let entities: Vec<&str> = traces.iter().flat_map(|(entity, states)| states.iter().map(|_| entity.as_str())).collect();
        let illegal: BTreeSet<&str> = found.findings.iter().map(|it| entities[it.place.line as usize - 1]).collect();
        assert_eq!(found.n_findings(), found.findings.len() as u64);
        let request = serde_json::json!({ "log": path, "pairs": pairs(&half), "births": births(&half_spec, &half), "seconds": SECONDS });
        let answer = ask(&python, &request);
        assert_eq!((&edges, &starts), (&answer.edges, &answer.starts), "{}", path.display());
        assert_eq!(answer.fits.len(), traces.len());
        for (entity, fits) in &answer.fits {
            assert_eq!(*fits, !illegal.contains(entity.as_str()), "{}: {entity}", path.display());
        }
        for (entity, cost) in &answer.costs {
            assert_eq!(*cost == 0, !illegal.contains(entity.as_str()), "{}: {entity}", path.display());
        }
        let _ = writeln!(
            std::io::stderr(),
            "{}: {} records, {} edges; {} of {} traces are legal, {} alignments compared",
            path.file_name().unwrap().to_string_lossy(),
            outcome.n_records,
            edges.len(),
            traces.len() - illegal.len(),
            traces.len(),
            answer.costs.len()
        );
    }
}
