//! The cases of the SCXML test framework of SCION, through import, interpreter and emitted Rust.
//!
//! ```text
//! git clone https://github.com/jbeard4/scxml-test-framework
//! cargo xtask scxml-cases scxml-test-framework/test
//! ```
//!
//! A case is a chart beside a script: `NAME.scxml` and `NAME.json` with the configuration at the start and after each event.
//! The cases without data are run: a spec has neither scripts nor assignments of the chart's language. A step of a script can let
//! time pass, in which timers elapse.

mod emitted;
mod interpreted;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use statespec_codegen::model::{Configuration, EventId, Machine, Model};
use statespec_codegen::source::Input;
use statespec_import::{Format, Options, import};
use statespec_lang::lower::load;

/// The names of the active leaves.
type Leaves = BTreeSet<String>;

/// A case whose chart is imported.
struct Case {
    /// The path without its extension.
    name: String,
    /// The name of its module, which no other case has.
    module: String,
    model: Model,
    turns: Vec<Turn>,
    /// What the script says about the start, and about each turn.
    expected: Vec<Leaves>,
    /// What the import could not express.
    losses: String,
}

/// A step of a script.
struct Turn {
    /// The time that passes before it, in microseconds.
    after: i64,
    /// The event; `None` if the chart has none of this name.
    event: Option<EventId>,
    name: String,
}

impl Case {
    fn machine(&self) -> &Machine {
        &self.model.machines[0]
    }

    /// The names of the chart for the active leaves.
    fn leaves(&self, configuration: &Configuration) -> Leaves {
        let states = configuration.leaves().map(|it| self.machine().state(it));
        states.map(|it| it.label.as_ref().unwrap_or(&it.name).clone()).collect()
    }

    /// The first difference between what is expected and what was found.
    fn compare(&self, found: &[Leaves]) -> Result<(), String> {
        let list = |names: &Leaves| names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        for (idx, expected) in self.expected.iter().enumerate() {
            let place = match idx.checked_sub(1).and_then(|it| self.turns.get(it)) {
                Some(turn) => format!("after event {idx}, `{}`", turn.name),
                None => "at the start".to_owned(),
            };
            match found.get(idx) {
                Some(leaves) if leaves == expected => {}
                Some(leaves) => {
                    return Err(format!("{place} it is in {}, not in {}{}", list(leaves), list(expected), self.losses));
                }
                None => return Err(format!("{place} it has stopped{}", self.losses)),
            }
        }
        Ok(())
    }
}

/// A chart and its script.
struct Source {
    name: String,
    chart: String,
    script: String,
}

/// The cases below a folder, as far as they are without data.
struct Cases {
    n_data: usize,
    n_run: usize,
    cases: Vec<Case>,
    /// The cases that are not imported, each with the reason.
    failed: Vec<(String, String)>,
}

fn cases(folder: &Path) -> io::Result<Cases> {
    let (of_data, run): (Vec<Source>, Vec<Source>) = sources(folder)?.into_iter().partition(|it| needs_data(&it.chart));
    let mut cases = Cases { n_data: of_data.len(), n_run: run.len(), cases: Vec::new(), failed: Vec::new() };
    for (idx, source) in run.iter().enumerate() {
        match case(source, &format!("case_{}", idx + 1)) {
            Ok(case) => cases.cases.push(case),
            Err(why) => cases.failed.push((source.name.clone(), why)),
        }
    }
    Ok(cases)
}

/// The name of a case, and whether it passed.
pub type Outcome = (String, Result<(), String>);

/// Runs all cases below a folder in the interpreter. Returns the number of cases with data, which are left out, and the outcomes of the
/// others.
pub fn run_interpreted(folder: &Path) -> io::Result<(usize, Vec<Outcome>)> {
    let Cases { n_data, cases, failed, .. } = cases(folder)?;
    let played = cases.iter().map(|case| (case.name.clone(), interpreted::play(case).and_then(|it| case.compare(&it))));
    let mut all: Vec<_> = played.chain(failed.into_iter().map(|(name, why)| (name, Err(why)))).collect();
    all.sort();
    Ok((n_data, all))
}

/// Runs all cases below a folder, and returns the report and whether all passed. `crate_folder` gets the crate with the emitted Rust.
pub fn run(folder: &Path, crate_folder: &Path) -> io::Result<(String, bool)> {
    let Cases { n_data, n_run, cases, mut failed } = cases(folder)?;
    let played = emitted::play(&cases, crate_folder)?;
    let (mut n_interpreted, mut n_emitted) = (0, 0);
    for case in &cases {
        let interpreted = interpreted::play(case).and_then(|it| case.compare(&it));
        let emitted = played.get(&case.module).ok_or_else(|| "it did not run".to_owned()).and_then(|it| case.compare(it));
        n_interpreted += usize::from(interpreted.is_ok());
        n_emitted += usize::from(emitted.is_ok());
        match (interpreted, emitted) {
            (Err(a), Err(b)) if a == b => failed.push((case.name.clone(), a)),
            (interpreted, emitted) => {
                failed.extend(interpreted.err().map(|it| (format!("{} (interpreter)", case.name), it)));
                failed.extend(emitted.err().map(|it| (format!("{} (emitted Rust)", case.name), it)));
            }
        }
    }
    failed.sort();
    let mut report = String::new();
    let _ = writeln!(
        report,
        "{} cases, {n_data} with data; of the other {n_run}, {n_interpreted} pass in the interpreter and {n_emitted} in emitted Rust",
        n_run + n_data,
    );
    for (name, why) in &failed {
        let _ = writeln!(report, "{name}: {why}");
    }
    Ok((report, failed.is_empty()))
}

fn sources(folder: &Path) -> io::Result<Vec<Source>> {
    let mut charts: Vec<PathBuf> = Vec::new();
    for entry in walkdir::WalkDir::new(folder).sort_by_file_name() {
        let path = entry.map_err(io::Error::other)?.into_path();
        // The tests of the W3C need a datamodel.
        let is_chart = path.extension().is_some_and(|it| it == "scxml") && path.with_extension("json").is_file();
        if is_chart && !path.components().any(|it| it.as_os_str() == "w3c-ecma") {
            charts.push(path);
        }
    }
    let source = |path: PathBuf| {
        let name = path.strip_prefix(folder).unwrap_or(&path).with_extension("").to_string_lossy().replace('\\', "/");
        Ok(Source { name, chart: std::fs::read_to_string(&path)?, script: std::fs::read_to_string(path.with_extension("json"))? })
    };
    charts.into_iter().map(source).collect()
}

/// Whether a chart has elements of a datamodel, or conditions other than where it is.
fn needs_data(chart: &str) -> bool {
    let chart = without_comments(chart);
    let has_element = |name: &str| {
        chart
            .match_indices(&format!("<{name}"))
            .any(|(idx, found)| chart[idx + found.len()..].starts_with(|it: char| it.is_whitespace() || it == '>' || it == '/'))
    };
    let elements = ["datamodel", "data", "assign", "script", "foreach", "if", "param", "content", "donedata"];
    elements.into_iter().any(has_element) || chart.split("cond=\"").skip(1).filter_map(|it| it.split('"').next()).any(reads_data)
}

/// Whether a condition is more than questions where the chart is.
fn reads_data(condition: &str) -> bool {
    let mut rest = condition.to_owned();
    while let Some(start) = rest.find("In(") {
        let Some(length) = rest[start..].find(')') else { return true };
        rest.replace_range(start..=start + length, "");
    }
    rest.contains(|it: char| it.is_alphanumeric())
}

fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!--") {
        kept.push_str(before);
        rest = after.split_once("-->").map_or("", |it| it.1);
    }
    kept + rest
}

/// Imports a chart, and reads its script.
fn case(source: &Source, module: &str) -> Result<Case, String> {
    let script: serde_json::Value = serde_json::from_str(&source.script).map_err(|it| format!("the script is not JSON: {it}"))?;
    let steps: Vec<&serde_json::Value> = script["events"].as_array().into_iter().flatten().collect();
    let sent = steps.iter().filter_map(|it| it["event"]["name"].as_str().map(str::to_owned)).collect();
    let options = Options { format: Some(Format::Scxml), events: sent, ..Options::default() };
    let imported = import("case.scxml", &source.chart, &options);
    let losses: Vec<String> = imported.findings().iter().map(|it| it.message.clone()).filter(|it| !it.starts_with("`<log>`")).collect();
    let losses = if losses.is_empty() { String::new() } else { format!(" (import: {})", losses.join("; ")) };
    let Some(spec) = imported.specs.first() else { return Err(format!("not imported{losses}")) };
    let loaded = load(&[Input { path: "case.yaml".into(), text: spec.yaml.clone() }]);
    let model = loaded.model.filter(|it| it.machines.len() == 1).ok_or("the spec does not load")?;
    let mut expected = vec![names(&script["initialConfiguration"])?];
    let mut turns = Vec::new();
    for (idx, step) in steps.into_iter().enumerate() {
        let name = step["event"]["name"].as_str().ok_or_else(|| format!("step {} of the script names no event", idx + 1))?;
        turns.push(Turn { after: delay(step)?, event: event_named(&model.machines[0], name), name: name.to_owned() });
        expected.push(names(&step["nextConfiguration"])?);
    }
    Ok(Case { name: source.name.clone(), module: module.to_owned(), model, turns, expected, losses })
}

/// A list of names in a script.
fn names(list: &serde_json::Value) -> Result<Leaves, String> {
    let names = list.as_array().and_then(|it| it.iter().map(|name| name.as_str().map(str::to_owned)).collect());
    names.ok_or_else(|| format!("the script has no configuration but {list}"))
}

/// The time that passes before a step, in microseconds.
fn delay(step: &serde_json::Value) -> Result<i64, String> {
    match step.get("after") {
        None => Ok(0),
        Some(it) => it.as_i64().map(|it| it * 1_000).ok_or_else(|| format!("`after` is no number of milliseconds: {it}")),
    }
}

fn event_named(machine: &Machine, name: &str) -> Option<EventId> {
    let shown = |id: &EventId| machine.event(*id).label.as_deref().unwrap_or(&machine.event(*id).name) == name;
    (0..machine.events.len()).map(EventId::new).find(shown)
}
