//! The cases of the SCXML test framework of SCION, through import and interpreter.
//!
//! ```text
//! git clone https://github.com/jbeard4/scxml-test-framework
//! cargo xtask scxml-cases scxml-test-framework/test
//! ```
//!
//! A case is a chart beside a script: `NAME.scxml` and `NAME.json` with the configuration at the start and after each event.
//! The cases without data are run: a spec has neither scripts nor assignments of the chart's language. A step of a script can let
//! time pass, in which timers elapse.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use statespec_codegen::import::{Format, Options, import};
use statespec_codegen::interpret::{Error, Instance, Step};
use statespec_codegen::lower::load;
use statespec_codegen::model::{EventId, Machine};
use statespec_codegen::source::Input;

/// The result of a case.
#[derive(Debug, PartialEq, Eq)]
enum Ran {
    Passed,
    /// It needs data.
    Data,
    Failed(String),
}

/// Runs all cases below a folder, and returns the report and whether all passed.
pub fn run(folder: &Path) -> io::Result<(String, bool)> {
    let mut cases: Vec<PathBuf> = Vec::new();
    for entry in walkdir::WalkDir::new(folder).sort_by_file_name() {
        let path = entry.map_err(io::Error::other)?.into_path();
        // The tests of the W3C need a datamodel.
        let is_chart = path.extension().is_some_and(|it| it == "scxml") && path.with_extension("json").is_file();
        if is_chart && !path.components().any(|it| it.as_os_str() == "w3c-ecma") {
            cases.push(path);
        }
    }
    let (mut n_passed, mut n_data) = (0, 0);
    let mut failed = Vec::new();
    for path in &cases {
        let name = path.strip_prefix(folder).unwrap_or(path).with_extension("").to_string_lossy().replace('\\', "/");
        let (chart, script) = (std::fs::read_to_string(path)?, std::fs::read_to_string(path.with_extension("json"))?);
        match case(&chart, &script) {
            Ran::Passed => n_passed += 1,
            Ran::Data => n_data += 1,
            Ran::Failed(why) => failed.push((name, why)),
        }
    }
    let mut report = String::new();
    let n_run = cases.len() - n_data;
    let _ = writeln!(report, "{} cases, {n_data} with data; of the other {n_run}, {n_passed} pass", cases.len());
    for (name, why) in &failed {
        let _ = writeln!(report, "{name}: {why}");
    }
    Ok((report, failed.is_empty()))
}

fn case(chart: &str, script: &str) -> Ran {
    if needs_data(chart) {
        return Ran::Data;
    }
    match played(chart, script) {
        Ok(()) => Ran::Passed,
        Err(why) => Ran::Failed(why),
    }
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

/// Plays a script; an error is the reason why it does not go as the script says.
fn played(chart: &str, script: &str) -> Result<(), String> {
    let script: serde_json::Value = serde_json::from_str(script).map_err(|it| format!("the script is not JSON: {it}"))?;
    let events = || script["events"].as_array().into_iter().flatten();
    let sent = events().filter_map(|it| it["event"]["name"].as_str().map(str::to_owned)).collect();
    let options = Options { format: Some(Format::Scxml), events: sent, ..Options::default() };
    let imported = import("case.scxml", chart, &options);
    let losses: Vec<String> = imported.findings().iter().map(|it| it.message.clone()).filter(|it| !it.starts_with("`<log>`")).collect();
    let lost = || if losses.is_empty() { String::new() } else { format!(" (import: {})", losses.join("; ")) };
    let Some(spec) = imported.specs.first() else { return Err(format!("not imported{}", lost())) };
    let loaded = load(&[Input { path: "case.yaml".into(), text: spec.yaml.clone() }]);
    let machine = loaded.model.as_ref().and_then(|it| it.machines.first()).ok_or("the spec does not load")?;
    let mut instance = start(machine).map_err(|it| it + &lost())?;
    let mut clock = Clock { now: 0, started: BTreeMap::new() };
    clock.follow(machine, &instance, &[]);
    compare(machine, &instance, &script["initialConfiguration"], "at the start").map_err(|it| it + &lost())?;
    for (idx, step) in events().enumerate() {
        let event = step["event"]["name"].as_str().unwrap_or_default();
        clock.wait(machine, &mut instance, step["after"].as_i64().unwrap_or_default() * 1_000)?;
        if let Some(id) = event_named(machine, event) {
            clock.fire(machine, &mut instance, id)?;
        }
        let place = format!("after event {}, `{event}`", idx + 1);
        compare(machine, &instance, &step["nextConfiguration"], &place).map_err(|it| it + &lost())?;
    }
    Ok(())
}

/// The logical time, and when each running timer has started, in microseconds.
struct Clock {
    now: i64,
    started: BTreeMap<EventId, i64>,
}

impl Clock {
    /// Lets time pass: timers elapse in their order.
    fn wait(&mut self, machine: &Machine, instance: &mut Instance, duration: i64) -> Result<(), String> {
        let end = self.now + duration;
        let due = |clock: &Clock| {
            let running = clock.started.iter().filter_map(|(event, start)| {
                let timer = machine.timer(*event)?;
                Some((start + machine.fixed_duration(timer)?, *event))
            });
            running.filter(|it| it.0 <= end).min()
        };
        while let Some((moment, event)) = due(self) {
            self.now = moment;
            self.started.remove(&event);
            self.fire(machine, instance, event)?;
        }
        self.now = end;
        Ok(())
    }

    fn fire(&mut self, machine: &Machine, instance: &mut Instance, event: EventId) -> Result<(), String> {
        match instance.fire(machine, event, &[], &mut ()) {
            Ok(done) => self.follow(machine, instance, &done.steps),
            // A chart drops an event that nothing takes.
            Err(Error::Refused(_)) => {}
            Err(error) => return Err(error.show(machine)),
        }
        Ok(())
    }

    /// Starts the timers of states that are entered, and ends those of states that are left.
    fn follow(&mut self, machine: &Machine, instance: &Instance, steps: &[Step]) {
        for (event, timer) in machine.timers() {
            let is_active = timer.states.iter().any(|it| machine.is_active(&instance.configuration, *it));
            let is_entered = steps.iter().flat_map(|it| &it.entered).any(|it| timer.states.contains(it));
            if !is_active {
                self.started.remove(&event);
            } else if is_entered || steps.is_empty() {
                self.started.insert(event, self.now);
            }
        }
    }
}

/// The machine at its start: the import names an event for a start with steps.
fn start(machine: &Machine) -> Result<Instance, String> {
    let creation = machine.edges_from(None).first().and_then(|it| it.on.event());
    let started = match creation {
        Some(event) => Instance::create(machine, event, &[], &[], &mut ()).map(|it| it.0),
        None => Instance::start(machine, &[]),
    };
    started.map_err(|it| it.show(machine))
}

fn event_named(machine: &Machine, name: &str) -> Option<EventId> {
    let shown = |id: &EventId| machine.event(*id).label.as_deref().unwrap_or(&machine.event(*id).name) == name;
    (0..machine.events.len()).map(EventId::new).find(shown)
}

fn compare(machine: &Machine, instance: &Instance, expected: &serde_json::Value, place: &str) -> Result<(), String> {
    let expected: BTreeSet<&str> = expected.as_array().into_iter().flatten().filter_map(|it| it.as_str()).collect();
    let leaves = instance.configuration.leaves().map(|it| machine.state(it));
    let found: BTreeSet<&str> = leaves.map(|it| it.label.as_deref().unwrap_or(&it.name)).collect();
    let list = |names: &BTreeSet<&str>| names.iter().copied().collect::<Vec<_>>().join(", ");
    if found == expected { Ok(()) } else { Err(format!("{place} it is in {}, not in {}", list(&found), list(&expected))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHART: &str = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
        <!-- <data id="x"/> -->
        <parallel id="p">
            <state id="a"><transition event="t" cond="In('b2')" target="c"/></state>
            <state id="b"><state id="b1"><transition event="t" target="b2"/></state><state id="b2"/></state>
        </parallel>
        <state id="c"/>
    </scxml>"#;

    #[test]
    fn a_case_passes_if_each_configuration_is_as_the_script_says() {
        let script = |last: &str| {
            format!(
                r#"{{ "initialConfiguration": ["a", "b1"], "events": [
                    {{ "event": {{ "name": "t" }}, "nextConfiguration": ["a", "b2"] }},
                    {{ "event": {{ "name": "t" }}, "nextConfiguration": ["{last}"] }}] }}"#
            )
        };
        assert_eq!(case(CHART, &script("c")), Ran::Passed);
        let Ran::Failed(why) = case(CHART, &script("a")) else { panic!("it passed") };
        assert!(why.starts_with("after event 2, `t` it is in c, not in a"), "{why}");
    }

    #[test]
    fn time_passes_where_a_script_says_so() {
        let chart = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
            <state id="a"><onentry><send event="s" delay="10ms"/></onentry><transition event="s" target="b"/></state>
            <state id="b"/>
        </scxml>"#;
        let script = |after: u32, place: &str| {
            let step = format!(r#"{{ "after": {after}, "event": {{ "name": "t" }}, "nextConfiguration": ["{place}"] }}"#);
            format!(r#"{{ "initialConfiguration": ["a"], "events": [{step}] }}"#)
        };
        assert_eq!((case(chart, &script(9, "a")), case(chart, &script(10, "b"))), (Ran::Passed, Ran::Passed));
    }

    #[test]
    fn cases_with_data_are_left_out() {
        let with = |inside: &str| CHART.replace("<state id=\"c\"/>", inside);
        assert_eq!(case(&with("<state id=\"c\"><onentry><assign location=\"x\" expr=\"1\"/></onentry></state>"), "{}"), Ran::Data);
        assert_eq!(case(&with("<state id=\"c\"><transition cond=\"x > 1 &amp;&amp; In('a')\" target=\"a\"/></state>"), "{}"), Ran::Data);
    }
}
