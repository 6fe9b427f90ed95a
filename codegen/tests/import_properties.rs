//! The properties of every import: nothing panics, every spec loads and parses back as written, and an
//! import of a drawn machine gives the same diagram and the same graph.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use statespec_codegen::backend::mermaid::diagram;
use statespec_codegen::diagnostic::{Code, Level, Levels, Style, render};
use statespec_codegen::model::document::DiagramStyle;
use statespec_codegen::model::machine::{Machine, Outcome};
use statespec_codegen::source::{Input, Sources};
use statespec_codegen::sync;
use statespec_import::{Format, Imported, Markers, Options, import};
use statespec_lang::check::check;
use statespec_lang::lower::load;

use crate::project::{emit, inputs, model, quoted};

#[path = "../../tests/support/hostile_imports.rs"]
mod hostile_imports;

const STYLES: [DiagramStyle; 2] = [
    DiagramStyle { indent: 4, labels: true, sorted: false, loops: true },
    DiagramStyle { indent: 2, labels: false, sorted: true, loops: true },
];

/// Imports any text, and checks the properties of every import.
fn checked(path: &str, text: &str, format: Option<Format>, markers: bool) -> Imported {
    let markers = markers.then_some(Markers { read: sync::regions, around: sync::marked });
    let imported = import(path, text, &Options { format, markers, ..Options::default() });
    for finding in imported.findings() {
        let source = imported.sources.get(finding.primary.0.source).text();
        assert!(finding.primary.0.end as usize <= source.len() + 1, "{finding:?} in {text:?}");
        assert!(!finding.message.ends_with('.'), "{}", finding.message);
    }
    let _ = render(&imported.sources, &imported.findings(), Style::Plain);
    assert!(!imported.specs.is_empty() || imported.has_errors(), "nothing was read, and nothing said: {text:?}");
    for spec in &imported.specs {
        let loaded = load(&[Input { path: "machines/it.yaml".into(), text: spec.yaml.clone() }]);
        let messages = render(&loaded.sources, &loaded.diagnostics, Style::Plain);
        assert!(loaded.model.is_some(), "{text:?}\n{}\n{messages}", spec.yaml);
        // An independent parser reads every text in the same way.
        let theirs: serde_yaml::Value = serde_yaml::from_str(&spec.yaml).unwrap_or_else(|error| panic!("{error}\n{}", spec.yaml));
        assert_eq!(theirs["machine"], serde_yaml::Value::from(spec.name.as_str()));
        // The style of specs: one edge for each line, and one line break at the end of the file.
        assert!(spec.yaml.ends_with('\n') && !spec.yaml.ends_with("\n\n"), "{:?}", spec.yaml);
    }
    imported
}

/// The lines of a diagram, each with its surrounding composites, in no order.
fn picture(text: &str) -> BTreeSet<(Vec<String>, String)> {
    let mut scope: Vec<String> = Vec::new();
    let mut lines = BTreeSet::new();
    for line in text.lines().map(str::trim) {
        if line == "}" {
            scope.pop();
            continue;
        }
        lines.insert((scope.clone(), line.to_owned()));
        if line.ends_with('{') {
            scope.push(line.to_owned());
        }
    }
    lines
}

/// The edges between leaves, by names; creation has no source.
fn graph(machine: &Machine) -> BTreeSet<(Option<String>, String)> {
    let name = |id| machine.state(id).name.clone();
    let mut edges = BTreeSet::new();
    for edge in &machine.edges {
        edges.extend(machine.targets(edge).into_iter().map(|to| (edge.from.map(name), name(to))));
    }
    if machine.edges_from(None).is_empty() {
        edges.insert((None, name(machine.initial().first())));
    }
    edges
}

/// Leaves and composites by path, and the initial states of composites.
fn tree(machine: &Machine) -> BTreeSet<(String, bool)> {
    let starts = |id| machine.state(id).parent.is_some() && machine.is_initial(id);
    machine.state_ids().map(|id| (machine.path_name(id).into_owned(), starts(id))).collect()
}

/// The outcomes without an outgoing edge: the final states of a diagram.
fn ends(machine: &Machine) -> BTreeSet<String> {
    let moves = |it: &Outcome| matches!(it, Outcome::Leaf(_) | Outcome::Payload(_));
    let is_end = |id: &_| machine.state(*id).terminal && !machine.edges_from(Some(*id)).iter().any(|it| moves(&it.outcome));
    machine.leaves().filter(is_end).map(|it| machine.state(it).name.clone()).collect()
}

/// Draws a machine, imports the drawing, and compares the two.
fn there_and_back(machine: &Machine, names_too: bool) {
    for style in STYLES {
        let drawn = diagram(machine, &style).unwrap().text().to_owned();
        let imported = checked("it.mmd", &drawn, None, false);
        assert_eq!(imported.problems, [], "{drawn}");
        let [spec] = imported.specs.as_slice() else { panic!("{drawn}") };
        // A guard may use a field whose type the diagram does not contain, and a payload may name the target;
        // nothing else may be assumed.
        // A slash inside of a word may have been meant as the beginning of an effect.
        let said = ["is assumed to be a field of type", "a spec takes the first row", "the `/` has no spaces around it"];
        let is_open = |it: &str| said.iter().any(|said| it.contains(said));
        assert!(spec.losses.iter().all(|it| is_open(&it.message)), "{:?}\n{drawn}\n{}", spec.losses, spec.yaml);
        let loaded = load(&[Input { path: "machines/it.yaml".into(), text: spec.yaml.clone() }]);
        let model = loaded.model.unwrap();
        let again = &model.machines[0];
        let redrawn = diagram(again, &style).unwrap().text().to_owned();
        // Of several arrows for one event, the spec takes the first or the inner one, so that no other is drawn again. A state whose
        // only arrow that was is declared instead.
        let is_shadowed = check(&model, &Levels::default()).iter().any(|it| it.code == Code::LintShadowedEdge);
        let (before, after) = (picture(&drawn), picture(&redrawn));
        let arrows_come_from = || after.iter().filter(|it| it.1.contains(" --> ")).all(|it| before.contains(it));
        assert!(if is_shadowed { arrows_come_from() } else { after == before }, "{drawn}\n{}\n{redrawn}", spec.yaml);
        if names_too {
            let (before, after) = (graph(machine), graph(again));
            assert!(if is_shadowed { after.is_subset(&before) } else { after == before }, "{drawn}\n{}", spec.yaml);
            assert_eq!(tree(machine), tree(again), "{drawn}\n{}", spec.yaml);
            assert_eq!(ends(machine), ends(again), "{drawn}\n{}", spec.yaml);
        }
    }
}

#[test]
fn the_diagrams_of_the_reference_machines_come_back() {
    let (_, model) = model(&inputs());
    for machine in &model.machines {
        // A diagram does not tell a history from the state that it belongs to, nor what is done from an event of this name.
        there_and_back(machine, !machine.has_regions());
    }
}

/// A machine with regions at its top, and with names that the composite around them might be taken for.
const WHOLE: [&str; 4] = [
    "machine: y\nregions:\n  heat:\n    states: { cold: { initial: true }, warm: {} }\n  lamp:\n    states: { dark: { initial: true }, bright: {} }\n\
     events: { warm_up: {}, cool: {}, light: {}, dim: {} }\ntransitions:\n  - { from: cold, event: warm_up, to: warm }\n  - { from: warm, event: cool, to: cold }\n\
     \x20 - { from: dark, event: light, to: bright }\n  - { from: bright, event: dim, to: dark }\n",
    "machine: machine\nregions:\n  machine:\n    states: { y: { initial: true }, s_machine_s: { states: { z: { initial: true }, x: {} } } }\n  lamp:\n    states: { dark: { initial: true }, bright: { terminal: true } }\n\
     events: { go: {}, back: {} }\ntransitions:\n  - { from: y, event: go, to: s_machine_s }\n  - { from: z, event: go, to: x }\n  - { from: machine, event: back, to: y }\n\
     \x20 - { from: dark, event: go, when: in(y), to: bright }\n  - { from: lamp, event: back, to: bright }\n",
    // A state, not a machine, has the regions.
    "machine: machine\nstates:\n  machine:\n    initial: true\n    regions:\n      heat:\n        states: { cold: { initial: true }, warm: {} }\n      lamp:\n        states: { dark: { initial: true }, bright: {} }\n\
     events: { warm_up: {}, light: {} }\ntransitions:\n  - { from: cold, event: warm_up, to: warm }\n  - { from: dark, event: light, to: bright }\n",
    "machine: made\nregions:\n  heat:\n    states: { cold: { initial: true }, warm: {} }\n  lamp:\n    states: { dark: { initial: true }, bright: {} }\n\
     events: { make: {}, light: {}, flip: {} }\ntransitions:\n  - { from: \"[*]\", event: make, to: warm }\n  - { from: dark, event: light, to: bright }\n\
     \x20 - { from: cold, event: flip, to: [warm, bright] }\n",
];

#[test]
fn regions_of_a_machine_come_back() {
    for text in WHOLE {
        let (_, model) = model(&[Input { path: "machines/it.yaml".into(), text: text.into() }]);
        let machine = &model.machines[0];
        there_and_back(machine, !text.contains("flip"));
        let drawn = diagram(machine, &STYLES[0]).unwrap().text().to_owned();
        let again = checked("other.mmd", &drawn, None, false).specs.remove(0);
        let (_, model) = self::model(&[Input { path: "machines/it.yaml".into(), text: again.yaml }]);
        assert_eq!(model.machines[0].parallel, machine.parallel, "{drawn}");
        // The composite around the regions says the name of the machine.
        assert_eq!(again.name, if machine.parallel { machine.name.as_str() } else { "other" });
    }
}

/// Keywords of Mermaid as names, and plain names.
const NAMES: &[&str] = &[
    "a",
    "b",
    "idle",
    "Running",
    "IN_PROGRESS",
    "in-progress",
    "state",
    "end",
    "note",
    "default",
    "x_start",
    "état",
    "状態",
    "direction",
    "s_state_s",
    "e2",
];

const TEXTS: &[&str] = &[
    "go",
    "start it",
    "3 failed",
    "a: b",
    "a::b",
    "x; y",
    "#59;",
    "{brace}",
    "[*]",
    "--> b",
    "[ready]",
    "go [n < 3] / log()",
    "yes/no",
    "\"quoted\"",
    "<b>",
    "é…🙂",
    "end note",
    "direction LR",
    "@startuml\n",
    "@enduml\n",
    "```plantuml\n",
    "a.b",
    "[H*]",
    "a[H]",
    " -[hidden]down-> ",
    " <- ",
    "==a==",
    "state a {\n",
    "state a <<end>>\n",
    "state a <<start>>\n",
    "state a <<history>>\n",
    "frame a {\n",
    "||\n",
    "note on link",
    "note as a\n",
    "!define a b\n",
    "!if\n",
    "!endif\n",
    "/'",
    "'/",
    "\\n",
    "<b>",
    "</b>",
    "a, b",
    "null",
    "1.0",
    "%% c",
    "- item",
    "tab\tand\nline",
    "\\n",
    "else",
    "  ",
];

#[derive(Debug, Clone)]
struct Random {
    /// Name, position of the parent among the earlier ones if any, label, terminal.
    states: Vec<(usize, Option<usize>, Option<usize>, bool)>,
    /// From (none: creation), to, event or label, whether it has an event.
    rows: Vec<(Option<usize>, usize, usize, bool)>,
}

fn random() -> impl Strategy<Value = Random> {
    let state = (0..NAMES.len(), prop::option::of(0..6usize), prop::option::weighted(0.2, 0..TEXTS.len()), any::<bool>());
    let row = (prop::option::weighted(0.9, 0..12usize), 0..12usize, 0..TEXTS.len(), any::<bool>());
    (prop::collection::vec(state, 1..9), prop::collection::vec(row, 0..10)).prop_map(|(states, rows)| Random { states, rows })
}

impl Random {
    /// The machine's spec, and whether all states keep their names in a diagram.
    fn yaml(&self) -> (String, bool) {
        // Names that also differ in emitted code.
        let mut seen = BTreeSet::new();
        let mut states: Vec<(&str, Option<usize>, Option<&str>, bool)> = Vec::new();
        for (name, parent, label, terminal) in &self.states {
            let name = NAMES[*name];
            if seen.insert(statespec_lang::names::upper_camel(name)) {
                states.push((name, parent.filter(|it| *it < states.len()), label.map(|it| TEXTS[it]), *terminal));
            }
        }
        fn write(yaml: &mut String, states: &[(&str, Option<usize>, Option<&str>, bool)], whole: Option<usize>, indent: usize) {
            let inside: Vec<usize> = (0..states.len()).filter(|it| states[*it].1 == whole).collect();
            for (idx, state) in inside.iter().enumerate() {
                let (name, _, label, terminal) = states[*state];
                let has_children = states.iter().any(|it| it.1 == Some(*state));
                let mut keys = vec![format!("initial: {}", idx == 0)];
                keys.extend(label.map(|it| format!("label: {}", quoted(it))));
                keys.extend((terminal && !has_children).then(|| "terminal: true".to_owned()));
                let pad = " ".repeat(indent);
                let _ = writeln!(yaml, "{pad}\"{name}\":\n{pad}  {}", keys.join(&format!("\n{pad}  ")));
                if has_children {
                    let _ = writeln!(yaml, "{pad}  states:");
                    write(yaml, states, Some(*state), indent + 4);
                }
            }
        }
        let mut yaml = String::from("machine: it\nstates:\n");
        write(&mut yaml, &states, None, 2);
        let mut events = String::new();
        let mut rows = String::new();
        for (idx, (from, to, text, has_event)) in self.rows.iter().enumerate() {
            let to = states[to % states.len()].0;
            let from = from.map(|it| states[it % states.len()].0);
            let text = quoted(TEXTS[*text]);
            if *has_event || from.is_none() {
                let _ = writeln!(events, "  e{idx}: {{ label: {text} }}");
                let _ = writeln!(rows, "  - {{ from: \"{}\", event: e{idx}, to: \"{to}\" }}", from.unwrap_or("[*]"));
            } else {
                let _ = writeln!(rows, "  - {{ from: \"{}\", to: \"{to}\", label: {text} }}", from.unwrap_or_default());
            }
        }
        if !events.is_empty() {
            let _ = write!(yaml, "events:\n{events}");
        }
        yaml.push_str(if rows.is_empty() { "transitions: []\n" } else { "transitions:\n" });
        (yaml + &rows, states.iter().all(|(_, _, label, _)| label.is_none()))
    }
}

const DIAGRAM: &str = "---\ntitle: Order\n---\nstateDiagram-v2\n  direction LR\n  %% how it goes\n  [*] --> open: create\n  state \"Being paid\" as paying\n  open: Waits\n  open --> paying: pay [amount > 0] / notify()\n  state c <<choice>>\n  paying --> c\n  c --> done: ok\n  c --> open: else\n  state done {\n    [*] --> fresh\n    fresh --> old: age\n    --\n    [*] --> cold\n  }\n  note right of open\n    hello\n  end note\n  note left of paying : soon\n  state f <<fork>>\n  done --> f\n  f --> open\n  done --> [*]\n  class open x\n  classDef x fill:#fff\n  open:::x --> open\n";

const PLANTUML: &str = "@startuml order\n!theme plain\nskinparam state {\n  A b\n}\ntitle Order\n' how it goes\n[*] -r-> open : create\nstate \"Being paid\" as paying #red : a\nopen : Waits\nopen : entry / begin()\nopen -[#red]-> paying : pay [amount > 0] / notify()\nnote on link : hello\nstate c <<choice>>\npaying --> c\nc --> done : ok\nc --> open : else\nstate done {\n  [*] --> fresh\n  fresh --> old : age\n  --\n  [*] --> cold\n  cold --> done.old\n}\nopen --> done[H*]\n[*] <-- done\nstate e <<end>>\nopen --> e\nnote right of open\n  hello\nend note\nlegend\n  soon\nend legend\n==b== --> open\n/' no '/\n@enduml\n";

const PAGE: &str = "# Order\n\n```mermaid\nstateDiagram\n  [*] --> a\n  a --> b: go\n  b --> [*]\n```\n\n| State | Allowed Transitions |\n| --- | --- |\n| `a` | `b` |\n| `b` | (terminal) |\n\n## Hop\n\n| From | To | Trigger | Guard | Cost |\n|---|---|---|---|---|\n| — | x | born | | 1 |\n| x | y, z | go | ready | 2 |\n| any | z | stop | | 3 |\n";

const SCXML: &str = "<?xml version=\"1.0\"?>\n<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" initial=\"a\" name=\"m\">\n  <datamodel><data id=\"n\" expr=\"3\"/></datamodel>\n  <!-- first -->\n  <state id=\"a\"><onentry><log label=\"hi\"/></onentry><transition event=\"go stop\" cond=\"n &lt; 3\" target=\"b\"><send event=\"x\"/></transition></state>\n  <state id=\"b\"><initial><transition target=\"c\"/></initial><state id=\"c\"/><history id=\"h\"/><transition target=\"h\"/></state>\n  <parallel id=\"p\"><state id=\"q\"/></parallel>\n  <final id=\"end\"><documentation>Over.</documentation></final>\n</scxml>\n";

const XSTATE: &str = "{\n  \"id\": \"light\", \"initial\": \"green\", \"context\": { \"n\": 0, \"who\": \"me\", \"list\": [] },\n  \"states\": {\n    \"green\": { \"on\": { \"TIMER\": { \"target\": \"yellow\", \"guard\": \"isReady\", \"actions\": [\"log\", { \"type\": \"mail\" }] }, \"STAY\": {} }, \"entry\": \"a\" },\n    \"yellow\": { \"after\": { \"1000\": \"red\" }, \"always\": [{ \"target\": \"#red\" }] },\n    \"red\": { \"id\": \"red\", \"initial\": \"walk\", \"states\": { \"walk\": { \"on\": { \"X\": \"wait\" } }, \"wait\": { \"type\": \"final\" } }, \"onDone\": \"green\", \"invoke\": {} }\n  },\n  \"on\": { \"RESET\": \".green\" }\n}\n";

const RUST: &str = "/// A job.\n#[derive(Default)]\nenum Job { /// Waits.\n #[default] Queued, Running { pid: u32 }, Done = 3 }\nconst EDGES: &[(Job, Job)] = &[(Job::Queued, Job::Running)];\nimpl Job {\n  fn next(&self, e: E) -> Option<Job> { match (self, e) { (Job::Running { .. }, E::Finish) if ok => Some(Job::Done), (_, E::Stop) => Some(Self::Done), _ => None } }\n}\n// Done -> Queued: again\n";

/// Random machines without regions whose names and labels look like syntax, the same in every run.
pub(crate) fn hostile_specs() -> impl Iterator<Item = String> {
    let mut runner = TestRunner::deterministic();
    std::iter::repeat_with(move || random().new_tree(&mut runner).unwrap().current().yaml().0)
}

fn sample(format: Format) -> &'static str {
    match format {
        Format::Mermaid => DIAGRAM,
        Format::PlantUml => PLANTUML,
        Format::Markdown => PAGE,
        Format::Scxml => SCXML,
        Format::XState => XSTATE,
        Format::Rust => RUST,
    }
}

#[test]
fn the_samples_are_read() {
    for format in Format::ALL {
        let imported = checked("it", sample(*format), Some(*format), true);
        assert!(!imported.has_errors(), "{format}: {}", render(&imported.sources, &imported.findings(), Style::Plain));
        assert_eq!(Format::detect("it", sample(*format)), Some(*format));
    }
}

/// Pieces of every format, for texts that look almost right.
const PIECES: &[&str] = &[
    "stateDiagram-v2\n",
    "stateDiagram",
    "state ",
    " as ",
    "\"",
    "{",
    "}",
    "{\n",
    "}\n",
    "[*]",
    " --> ",
    "--\n",
    ":",
    "::",
    ":::",
    ";",
    "#",
    "#59;",
    "%%",
    "%%{",
    "}%%",
    "\n",
    " ",
    "a",
    "b",
    "ä",
    "<<choice>>",
    "<<fork>>",
    "<<join>>",
    "note right of ",
    "note left of a",
    "note \"x\" as n",
    "end note",
    "direction LR",
    "class a b",
    "classDef x y",
    "style a b",
    "click a",
    "accTitle: x",
    "accDescr {",
    "scale 3 width",
    "hide empty description",
    "default",
    "```mermaid\n",
    "```\n",
    "| From | To |\n|---|---|\n",
    "| a | b |\n",
    "# H\n",
    "> ",
    "- ",
    "<scxml>",
    "</scxml>",
    "<state id=\"a\">",
    "</state>",
    "<transition target=\"a\"/>",
    "<!--",
    "-->",
    "<![CDATA[",
    "&lt;",
    "{\"states\":{",
    "\"on\":{",
    "\"target\":",
    "[",
    "]",
    ",",
    "\"#a.b\"",
    "\".\"",
    "enum A { B, C }",
    "match x {",
    "(A::B, A::C)",
    " => ",
    "=> true,",
    "matches!(",
    ")",
    "// B -> C",
    "_",
    "r#\"",
    "'a",
    "/*",
    "*/",
    "\u{0}",
    "\u{1}",
    "\u{2}",
    "\u{feff}",
    "\u{202e}",
    "\r\n",
    "🙂",
];

/// Compares the page of each machine of a spec with the spec.
fn page_agrees(inputs: &[Input]) {
    let (sources, model) = model(inputs);
    let pages = emit(&sources, &model).files;
    for machine in &model.machines {
        let path = format!("docs/machines/{}.md", machine.name.replace('_', "-"));
        let page = pages.iter().find(|it| it.path == path).unwrap_or_else(|| panic!("{path} is not generated"));
        let mut texts = Sources::default();
        // The header is added where the page is written.
        let drawn = texts.add(path.as_str(), &format!("<!-- @generated by statespec from machines/it.yaml -->\n\n{}", page.text));
        let drawn = statespec_scan::compare::read(&texts, drawn).found;
        let [drawn] = drawn.as_slice() else { panic!("{drawn:?}\n{}", page.text) };
        for input in inputs {
            let id = texts.add(input.path.as_str(), &input.text);
            let stated = statespec_scan::compare::read(&texts, id).found;
            let Some(spec) = stated.iter().find(|it| it.name == machine.name) else { continue };
            let comparison = statespec_scan::compare::compare(&[spec, drawn]);
            let findings = render(&texts, &comparison.findings(), Style::Plain);
            assert_eq!(comparison.disagreements().count(), 0, "{findings}\n{}", page.text);
        }
    }
}

#[test]
fn the_page_of_nested_states_agrees_with_its_spec() {
    let text = "machine: s\nstates: { idle: { initial: true }, busy: { entry: begin, states: { soft: { initial: true }, hard: {} } } }\n\
        effects: { begin: {} }\nevents: { go: {}, again: {}, press: {}, stop: {} }\ntransitions:\n  - { from: idle, event: go, to: busy }\n\
        \x20 - { from: soft, event: press, to: hard }\n  - { from: hard, event: press, to: soft }\n\
        \x20 - { from: busy, event: again, to: busy, reenter: true }\n  - { from: busy, event: stop, to: idle }\n";
    page_agrees(&[Input { path: "machines/s.yaml".into(), text: text.into() }]);
}

#[test]
fn the_pages_of_random_machines_agree_with_their_specs() {
    for text in hostile_specs().take(200) {
        page_agrees(&[Input { path: "machines/it.yaml".into(), text }]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_machines_come_back(random in random()) {
        let (yaml, names_too) = random.yaml();
        let (_, model) = model(&[Input { path: "machines/it.yaml".into(), text: yaml }]);
        there_and_back(&model.machines[0], names_too);
    }

    #[test]
    fn no_text_is_too_strange(text in "(?s).{0,200}", format in prop::sample::select(Format::ALL)) {
        checked("it", &text, Some(format), true);
        checked("it", &text, None, false);
    }

    #[test]
    fn no_mixture_is_too_strange(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40), format in prop::sample::select(Format::ALL)) {
        checked("it", &pieces.concat(), Some(format), true);
    }

    #[test]
    fn no_change_of_a_diagram_is_too_strange(
        format in prop::sample::select(Format::ALL),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..12usize, prop::sample::select(PIECES)), 1..6),
    ) {
        let mut text = sample(format).to_owned();
        for (at, n_dropped, piece) in cuts {
            let starts: Vec<usize> = text.char_indices().map(|(idx, _)| idx).chain([text.len()]).collect();
            let start = at.index(starts.len());
            let end = (start + n_dropped).min(starts.len() - 1);
            text.replace_range(starts[start]..starts[end], piece);
        }
        checked("it", &text, Some(format), true);
    }

    #[test]
    fn mutated_labels_load(label in "\\PC{0,60}", id in "[^\\s:{}\\-]{1,12}") {
        let text = format!("stateDiagram-v2\n  [*] --> a\n  a --> {id}: {label}\n  {id} --> a: [{label}] / {label}\n");
        checked("it", &text, Some(Format::Mermaid), false);
    }
}

/// No text overflows the stack or runs forever. A test of `tools/scale` counts that none costs the square of its length.
#[test]
fn hostile_texts_end() {
    for (format, text) in hostile_imports::texts(2) {
        let imported = import("it", &text, &Options { format: Some(format), ..Options::default() });
        assert!(
            imported.findings().iter().all(|it| it.code.level() == Level::Error || !imported.specs.is_empty() || !it.message.is_empty())
        );
    }
}
