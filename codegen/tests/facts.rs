//! Every fact of the five source documents is in the specs, in their outputs, or covered by a test.
//!
//! `facts.txt` gives, for each fact, the text that contains it: the row of a spec if there is one; a row of a
//! generated page or of an emitted table, which the drift check compares with the specs, if the fact is about the
//! rendering or says "only"; the name of a test if the fact is about behaviour or the absence of something.
//! The documents themselves are not in this repository: `facts.txt` gives their line numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use statespec_codegen::model::machine::{Machine, On};

/// The numbers in the list of facts that were extracted from the documents, line by line: M-1 to M-231.
const FACTS: RangeInclusive<u32> = 1..=231;

/// The documents and their numbers of lines.
const DOCUMENTS: [(&str, u32); 5] = [("000", 73), ("001", 245), ("002", 97), ("003", 319), ("004", 79)];

/// Facts without a text, because they are about the past of a document; `facts.txt` gives the reasons.
const UNCARRIED: [u32; 1] = [80];

/// A line of `facts.txt`.
struct Row {
    fact: u32,
    lines: String,
    file: String,
    text: String,
}

fn rows() -> Vec<Row> {
    let facts = crate::project::read("codegen/tests/facts.txt").unwrap();
    facts.lines().filter(|it| !it.starts_with('#')).map(row).collect()
}

fn row(line: &str) -> Row {
    let [fact, lines, file, text] = line.splitn(4, " | ").collect::<Vec<_>>()[..] else { panic!("not four columns: {line}") };
    let fact = fact.strip_prefix("M-").and_then(|it| it.parse().ok()).unwrap_or_else(|| panic!("not M- and a number: {line}"));
    assert!(text == text.trim() && !text.is_empty(), "no text: {line}");
    Row { fact, lines: lines.to_owned(), file: file.to_owned(), text: text.to_owned() }
}

impl Row {
    /// The documents it refers to, each with its lines.
    fn places(&self) -> impl Iterator<Item = (&str, RangeInclusive<u32>)> {
        self.lines.split(", ").map(|place| {
            let (document, lines) = place.split_once(':').unwrap_or_else(|| panic!("M-{}: no document: {place}", self.fact));
            let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
            (document, first.parse().unwrap()..=last.parse().unwrap())
        })
    }

    /// The text that must be in the file; a name in the code of tests must be the name of a test.
    fn needle(&self) -> String {
        if self.file.ends_with(".rs") && self.file.split('/').any(|it| it == "tests") {
            assert!(self.text.starts_with("fn ") && self.text.ends_with("()"), "M-{}: no test: {}", self.fact, self.text);
            format!("#[test] {}", self.text)
        } else {
            self.text.clone()
        }
    }
}

/// The text with all white space as one blank, so that a match may span lines.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_fact_is_traced() {
    let rows = rows();
    assert!(rows.is_sorted_by_key(|it| it.fact), "sorted by number");
    assert_eq!(rows.iter().map(|it| it.fact).collect::<BTreeSet<_>>(), FACTS.collect());
    let uncarried: Vec<u32> = rows.iter().filter(|it| it.file == "none").map(|it| it.fact).collect();
    assert_eq!(uncarried, UNCARRIED);
    let mut seen = BTreeSet::new();
    for row in &rows {
        assert!(seen.insert((row.fact, &row.file, &row.text)), "M-{} stands there twice with {}", row.fact, row.text);
        for (document, lines) in row.places() {
            let (_, n_lines) = DOCUMENTS.iter().find(|it| it.0 == document).unwrap_or_else(|| panic!("M-{}: which {document}?", row.fact));
            assert!(!lines.is_empty() && *lines.start() > 0 && lines.end() <= n_lines, "M-{}: {document}:{lines:?}", row.fact);
        }
    }
}

#[test]
fn every_carrier_says_so_in_one_place() {
    let mut files = BTreeMap::new();
    let mut wrong = Vec::new();
    for row in rows().iter().filter(|it| it.file != "none") {
        let written = files.entry(row.file.clone()).or_insert_with_key(|path| {
            let text = crate::project::read(path).unwrap_or_else(|error| panic!("M-{}: {path}: {error}", row.fact));
            flat(&text)
        });
        // The text must occur once: a text with several occurrences would remain if the fact were removed.
        match written.matches(&row.needle()).count() {
            1 => {}
            n => wrong.push(format!("M-{}: {} has `{}` {n} times", row.fact, row.file, row.text)),
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn specs_name_the_documents_of_their_facts() {
    let (_, model) = crate::project::model(&crate::project::inputs());
    let machines = model.machines.iter().map(|it| (&it.name, &it.sources));
    let sources: BTreeMap<String, &Vec<String>> = machines
        .chain(model.systems.iter().map(|it| (&it.name, &it.sources)))
        .map(|(name, it)| (format!("machines/{name}.yaml"), it))
        .collect();
    // Pages have no sources of their own: they show machines and systems.
    for row in rows().iter().filter(|it| it.file.starts_with("machines/") && !it.file.ends_with(".doc.yaml")) {
        for (document, _) in row.places() {
            let named = sources[&row.file].iter().any(|it| it == document);
            assert!(named, "M-{}: {} does not name {document} under `sources`", row.fact, row.file);
        }
    }
}

#[test]
fn machines_end_where_the_documents_say() {
    let (_, model) = crate::project::model(&crate::project::inputs());
    for (name, terminal, last) in [
        ("mysis", &[][..], &[][..]),
        ("mysis_activity", &[], &[]),
        ("mission", &["COMPLETED"], &["COMPLETED"]),
        ("hop", &["COMPLETED"], &["COMPLETED"]),
        ("resource", &[], &[]),
        ("pressure", &[], &[]),
        ("session", &["ENDED"], &["ENDED"]),
        ("eviction_policy", &[], &[]),
        ("agent_run", &["complete", "failed", "cancelled"], &["complete"]),
        ("run_job", &["complete", "failed"], &["complete", "failed"]),
    ] {
        let machine = model.machine(name).unwrap();
        let names = |holds: &dyn Fn(&Machine, _) -> bool| -> Vec<&str> {
            machine.leaves().filter(|id| holds(machine, *id)).map(|id| machine.state(id).name.as_str()).collect()
        };
        assert_eq!(names(&|machine, id| machine.state(id).terminal), terminal, "{name}: terminal");
        assert_eq!(names(&|machine, id| machine.is_sink(id)), last, "{name}: no way out");
    }
}

#[test]
fn a_run_has_25_ways_from_state_to_state() {
    let (_, model) = crate::project::model(&crate::project::inputs());
    let run = model.machine("agent_run").unwrap();
    let ways: Vec<usize> = run.leaves().map(|id| run.successors(id).len()).collect();
    assert_eq!(ways, [3, 6, 4, 5, 5, 0, 1, 1]);
    assert_eq!(ways.iter().sum::<usize>(), 25);
}

#[test]
fn the_activity_gates_nothing() {
    // A machine cannot read another one; only a rule, a link or an invariant of the system of both can.
    let (_, model) = crate::project::model(&crate::project::inputs());
    let runtime = model.systems.iter().find(|it| it.name == "mysis_runtime").unwrap();
    assert!(runtime.part_id("mysis").is_some() && runtime.part_id("activity").is_some());
    assert_eq!((runtime.rules.len(), runtime.links.len(), runtime.invariants.len()), (0, 0, 0));
    let mysis = model.machine("mysis").unwrap();
    let (running, nudge) = (mysis.state_named("running").unwrap(), mysis.event_named("nudge").unwrap());
    let nudges = mysis.candidates(Some(running), On::Event(nudge));
    assert_eq!(nudges.len(), 1);
    assert!(mysis.transition(nudges[0].transition).guard.is_none(), "a running Mysis is nudged, whatever else holds");
}

#[test]
fn pages_end_in_one_newline() {
    for page in ["agent-lifecycle", "context-os", "mission-hop", "mysis"] {
        let text = crate::project::page(&format!("docs/machines/{page}.md"));
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{page}");
    }
}
