//! The real Mermaid parser reads the diagrams, and must find the edges of the model in them.
//!
//! The parser is npm's `mermaid` under jsdom, driven by `tests/mermaid/check.mjs`.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

use statespec_codegen::backend::json;
use statespec_codegen::backend::mermaid::diagram;
use statespec_codegen::model::Model;
use statespec_codegen::model::document::DiagramStyle;
use statespec_codegen::source::{Input, Sources};

use crate::project::{checks, emit, emit_by, inputs, model, quoted, root};

/// Keywords of Mermaid, in lower case, and names of properties of JavaScript objects.
const KEYWORDS: &[&str] = &[
    "state",
    "gantt",
    "section",
    "note",
    "class",
    "classDef",
    "default",
    "style",
    "click",
    "scale",
    "end",
    "direction",
    "hide",
    "as",
    "fork",
    "join",
    "choice",
    "title",
    "accTitle",
    "accDescr",
    "left",
    "right",
    "of",
    "over",
    "TB",
    "LR",
    "TD",
    "BT",
    "RL",
    "root",
    "constructor",
    "toString",
    "hasOwnProperty",
    "valueOf",
    "prototype",
    "__proto__",
    "href",
    "call",
    "graph",
    "subgraph",
    "linkStyle",
    "stateDiagram",
    "stateDiagram-v2",
    "root_start",
    "root_end",
    "x_start",
    "x_end",
    "undefined",
    "null",
    "NaN",
    "true",
    "stateful",
    "ending",
    "notes",
    "classy",
    "in-progress",
    "_",
    "_x",
    "état",
    "状態",
    "s_in_progress_s",
    "e",
    "o",
    "width",
    "empty",
    "description",
    "interpolate",
    "divider",
    "v2",
];

/// Texts with a special meaning in Mermaid, Markdown, HTML or a template engine.
const LABELS: &[&str] = &[
    ";",
    "a;b",
    ":",
    "::",
    "a :: b",
    "#",
    "#59;",
    "&amp;",
    "\"",
    "a\"b",
    "'",
    "%",
    "%%",
    "%%{init: {}}%%",
    "{",
    "}",
    "{{ x }}",
    "<",
    ">",
    "<b>",
    "<<fork>>",
    "<script>alert(1)</script>",
    "-->",
    "a --> b",
    "[*]",
    "[*] --> [*]",
    "end note",
    "state x {",
    "}\nstate y",
    "note right of a",
    "1. first",
    "- item",
    "+ item",
    "1)",
    "# heading",
    "a   b",
    " padded ",
    "direction LR",
    "Direction  tb",
    "as",
    "```",
    "`code`",
    "$$x$$",
    "**bold**",
    "_x_",
    "__proto__",
    "~~~",
    "\\n",
    "a\\nb",
    "two\nlines",
    "tab\there",
    "≥ 1",
    "→",
    "🙂",
    "日本語",
    "e\u{301}",
    "|",
    "||",
    "@",
    "^",
    "https://example.org/?a=b&c=d#e",
    "ﬂ°°59¶ß",
    "",
    "accTitle: x",
    "style a fill:red",
    "classDef x",
    "click a href \"b\"",
    "%7B",
];

#[test]
fn the_real_parser_reads_the_model() {
    let Some(checker) = Checker::find() else { return };

    // The pages of this repository on the disk.
    let (sources, reference) = model(&inputs());
    checker.write_models("reference", &sources, &reference);
    checker.accepts("reference", &[], &pages_on_disk());

    // The same pages as generated now, and every reference machine in every style.
    let generated = emit(&sources, &reference);
    let pages: Vec<PathBuf> = generated
        .files
        .iter()
        .filter(|it| it.path.ends_with(".md"))
        .map(|it| checker.write("reference", &it.path.replace('/', "-"), &it.text))
        .collect();
    checker.accepts("reference", &["--all"], &pages);
    checker.accepts("reference", &["--all", "--cover"], &[checker.write("reference", "styles.md", &every_style(&reference, &STYLES))]);

    // Every kind of difference between diagram and model is found.
    let mysis = generated.regions["mysis.diagram"].text.clone();
    let wrong = [
        ("idle --> running: start", "idle --> stopped: start"),
        ("    running --> errored: error\n", ""),
        ("running --> stopped: stop", "running --> stopped: halt"),
        ("[*] --> idle", "[*] --> running"),
        ("    stopped --> running: relaunch\n", "    stopped --> running: relaunch\n    stopped --> errored\n"),
        ("    idle --> running", "    state lost\n    idle --> running"),
        ("idle --> running: start", "idle --> running: start; then wait"),
        ("stateDiagram-v2", "stateDiagram-v3"),
    ];
    let page = |(idx, (from, to)): (usize, &(&str, &str))| checker.write("reference", &format!("wrong{idx}.md"), &mysis.replace(from, to));
    let pages: Vec<PathBuf> = wrong.iter().enumerate().map(page).collect();
    let said = checker.run("reference", &["--all"], &pages).unwrap_err();
    for (idx, change) in wrong.iter().enumerate() {
        assert!(said.contains(&format!("wrong{idx}.md:")), "{change:?} went unnoticed:\n{said}");
    }

    // So is a statement that only looks like one of a system's diagram.
    let mut pages = Vec::new();
    for (region, from, to) in [
        ("mission_hop.sequence", "by0->>part0: 1.1", "by0->>other: 1.1"),
        ("mission_hop.sequence", "Note over part0: created in AWAITING", "by0--)part0: AWAITING"),
        ("mission_hop.diagram", "actor1 --> run1", "actor1 --> other"),
    ] {
        let text = &generated.regions[region].text;
        assert!(text.contains(from), "{text}");
        let name = format!("system{}.md", pages.len());
        pages.push(checker.write("reference", &name, &text.replacen(from, to, 1)));
    }
    let said = checker.run("reference", &["--all"], &pages).unwrap_err();
    for page in &pages {
        assert!(said.contains(&format!("{}:", page.file_name().unwrap().display())), "{} went unnoticed:\n{said}", page.display());
    }

    // Names and labels with a special meaning in Mermaid.
    let (sources, hostile) = model(&hostile());
    checker.write_models("hostile", &sources, &hostile);
    checker.accepts("hostile", &["--all", "--cover"], &[checker.write("hostile", "styles.md", &every_style(&hostile, &STYLES[..2]))]);
    let generated = emit(&sources, &hostile);
    let beside = &generated.regions["beside.diagram"].text;
    for (from, to) in
        [("[*] --> machine\n", "machine\n"), ("\"beside\" as", "\"another\" as"), ("cold --> s_machine_s: go", "cold --> machine: go")]
    {
        assert!(beside.contains(from), "{beside}");
        let text =
            format!("<!-- statespec:begin beside.diagram -->\n{}<!-- statespec:end beside.diagram -->\n", beside.replacen(from, to, 1));
        let page = checker.write("hostile", "wrong.md", &text);
        assert!(checker.run("hostile", &["--all"], &[page]).is_err(), "{to} went unnoticed");
    }
    let is_picture = |name: &str| {
        name.ends_with(".timeline") || (name.starts_with("system") && (name.ends_with(".sequence") || name.ends_with(".diagram")))
    };
    let regions = generated.regions.iter();
    let pictures: String = regions
        .filter(|(name, _)| is_picture(name))
        .map(|(name, it)| format!("<!-- statespec:begin {name} -->\n{}<!-- statespec:end {name} -->\n", it.text))
        .collect();
    assert_eq!(pictures.matches("\ngantt\n").count(), taken(&words()).count());
    assert_eq!(pictures.matches("```mermaid").count() - pictures.matches("\ngantt\n").count(), taken(LABELS).count() * 2);
    checker.accepts("hostile", &["--all"], &[checker.write("hostile", "pictures.md", &pictures)]);
}

/// The styles with and without labels, in both directions.
const STYLES: [DiagramStyle; 4] = [
    DiagramStyle { indent: 4, labels: true, sorted: false, loops: true },
    DiagramStyle { indent: 2, labels: false, sorted: true, loops: true },
    DiagramStyle { indent: 0, labels: true, sorted: true, loops: true },
    DiagramStyle { indent: 1, labels: false, sorted: false, loops: true },
];

/// Every machine of a model in several styles, as one page.
fn every_style(model: &Model, styles: &[DiagramStyle]) -> String {
    let mut page = String::new();
    for machine in &model.machines {
        for style in styles {
            let drawn = diagram(machine, style).unwrap();
            // The markers name the machine of the diagram.
            let name = &machine.name;
            let text = drawn.text();
            writeln!(page, "<!-- statespec:begin {name}.diagram -->\n```mermaid\n{text}```\n<!-- statespec:end {name}.diagram -->")
                .unwrap();
        }
    }
    page
}

/// The hand-written and generated pages of the project.
fn pages_on_disk() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// The keywords that are names.
fn words() -> Vec<&'static str> {
    KEYWORDS.iter().copied().filter(|it| it.chars().any(char::is_alphanumeric)).collect()
}

/// Texts by position; one in five unless every check runs in full.
fn taken<'a>(all: &'a [&'static str]) -> impl Iterator<Item = (usize, &'static str)> + 'a {
    all.iter().copied().enumerate().step_by(if checks::is_complete() { 1 } else { 5 })
}

/// Machines whose names and labels look like other syntax.
fn hostile() -> Vec<Input> {
    let mut specs = Vec::new();
    let mut add = |name: &str, text: String| specs.push(Input { path: format!("machines/{name}.yaml"), text });

    // Every keyword as a state, as a composite, and as a nested state.
    for (idx, word) in taken(&words()) {
        add(
            &format!("word{idx}"),
            format!(
                "machine: word{idx}\nstates:\n  first: {{ initial: true }}\n  \"{word}\": {{}}\n  last: {{ terminal: true }}\nevents: {{ go: {{}} }}\n\
                 transitions:\n  - {{ from: first, event: go, to: \"{word}\" }}\n  - {{ from: \"{word}\", event: go, to: last }}\n"
            ),
        );
        add(
            &format!("whole{idx}"),
            format!(
                "machine: whole{idx}\nstates:\n  first: {{ initial: true }}\n  \"{word}\":\n    states:\n      inner: {{ initial: true }}\n      other: {{}}\n\
                 events: {{ go: {{}}, back: {{}} }}\ntransitions:\n  - {{ from: first, event: go, to: \"{word}\" }}\n  - {{ from: \"{word}\", event: back, to: first }}\n\
                 \x20 - {{ from: inner, event: go, to: other }}\n  - {{ from: \"*\", event: back, to: \"{word}\" }}\n"
            ),
        );
    }
    // Every keyword as a state beside the bars of timers, and in them.
    for (idx, word) in taken(&words()) {
        add(
            &format!("waits{idx}"),
            format!(
                "machine: waits{idx}\nstates:\n  first: {{ initial: true }}\n  \"{word}\": {{}}\n  last: {{ terminal: true }}\n\
                 transitions:\n  - {{ from: first, after: 1m, to: \"{word}\" }}\n  - {{ from: \"{word}\", after: 3s, timer: ends, to: last }}\n"
            ),
        );
    }
    // All keywords side by side, where generated ids could collide.
    let states: String = words().into_iter().enumerate().fold(String::new(), |mut text, (idx, word)| {
        let initial = if idx == 0 { "initial: true" } else { "" };
        writeln!(text, "  \"{word}\": {{ wire: w{idx}, {initial} }}").unwrap();
        text
    });
    add(
        "all_words",
        format!(
            "machine: all_words\nstates:\n{states}events: {{ pick: {{ payload: {{ target: state }} }} }}\ntransitions:\n  - {{ from: state, event: pick, to: \"{{target}}\" }}\n"
        ),
    );
    // Labels of states, rows and events.
    for (idx, text) in taken(LABELS) {
        let text = quoted(text);
        add(
            &format!("label{idx}"),
            format!(
                "machine: label{idx}\nstates:\n  a: {{ initial: true, label: {text} }}\n  b: {{}}\n  c: {{ terminal: true }}\nevents: {{ go: {{ label: {text} }} }}\n\
                 transitions:\n  - {{ from: a, event: go, to: b, label: {text} }}\n  - {{ from: b, event: go, to: c }}\n  - {{ from: b, to: a, label: {text} }}\n"
            ),
        );
    }
    // Labels of parts, and texts of refusals, in the diagrams of systems.
    for (idx, text) in taken(LABELS) {
        let text = quoted(text);
        add(
            &format!("part{idx}"),
            format!(
                "machine: part{idx}\nstates: {{ a: {{ initial: true }}, b: {{}} }}\nevents: {{ go: {{}} }}\ntransitions:\n  - {{ from: a, event: go, to: b }}\n\
                 \x20 - {{ from: b, event: go, refuse: {text} }}\n"
            ),
        );
        add(
            &format!("system{idx}"),
            format!(
                "system: system{idx}\nactors: {{ end: Somebody. }}\nparts: {{ one: {{ machine: part{idx}, label: {text} }}, two: {{ machine: part{idx}, label: {text} }} }}\n\
                 transactions:\n  end: {{ by: end, fire: one.go }}\nlinks: [{{ enter: one.b, fire: two.go }}]\n\
                 walkthroughs:\n  tale:\n    steps:\n      - {{ step: \"1\", run: end, trigger: It goes }}\n\
                 \x20     - {{ step: \"2\", run: end, trigger: It goes again, refused: {text} }}\n"
            ),
        );
    }
    // Rows that Mermaid's layout cannot draw as written, and `*` with exceptions inside a composite.
    add(
        "nested",
        "machine: nested\nstates:\n  off: { initial: true }\n  on:\n    states:\n      slow: { initial: true }\n      fast:\n        states: { steady: { initial: true }, turbo: {} }\n\
         \x20 dead: { terminal: true }\nevents: { go: {}, up: {}, reset: {}, kill: {}, pick: { payload: { target: state } } }\ntransitions:\n\
         \x20 - { from: off, event: go, to: on }\n  - { from: on, event: reset, to: on }\n  - { from: on, event: up, to: fast }\n  - { from: turbo, event: up, to: fast }\n\
         \x20 - { from: \"*\", except: [turbo, dead], event: kill, to: dead }\n  - { from: fast, event: go, to: off }\n  - { from: [slow, turbo], event: pick, to: \"{target}\" }\n\
         \x20 - { from: turbo, to: [slow, off, dead] }\n"
            .into(),
    );
    // Regions of a machine, and a state of the name that the composite around them has.
    let regions = "regions:\n  heat:\n    states: { cold: { initial: true }, machine: { states: { warm: { initial: true }, hot: {} } } }\n\
        \x20 lamp:\n    states: { dark: { initial: true }, bright: {} }\nevents: { go: {}, make: {} }\ntransitions:\n\
        \x20 - { from: cold, event: go, to: machine }\n  - { from: dark, event: go, to: bright }\n  - { from: machine, event: make, to: cold }\n";
    add("beside", format!("machine: beside\n{regions}"));
    add("made", format!("machine: made\n{regions}  - {{ from: \"[*]\", event: make, to: bright }}\n"));
    add("alone", "machine: alone\nstates: { here: { initial: true }, there: {} }\nevents: { poke: {} }\ntransitions:\n  - { from: here, event: poke }\n".into());
    add(
        "creation",
        "machine: creation\nstates: { a: { initial: true }, b: { states: { c: { initial: true }, d: {} } } }\nevents: { one: {}, two: {} }\ntransitions:\n\
         \x20 - { from: \"[*]\", event: one, to: c }\n  - { from: \"[*]\", event: two, to: d }\n  - { from: d, event: one, to: a }\n"
            .into(),
    );
    specs
}

/// The script with its packages as a process that answers: loading the parser takes longer than reading the diagrams of a page.
struct Checker {
    process: Child,
    asked: Mutex<(ChildStdin, BufReader<ChildStdout>)>,
    /// A folder of its own under `target`.
    scratch: PathBuf,
}

impl Checker {
    fn find() -> Option<Checker> {
        let script = checks::needed("diagrams in Mermaid's own parser", checks::packages("tests/mermaid"))?.join("check.mjs");
        let mut command = Command::new("node");
        let command = command.arg(script).arg("--lines").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut process = command.spawn().unwrap();
        let asked = Mutex::new((process.stdin.take().unwrap(), BufReader::new(process.stdout.take().unwrap())));
        Some(Checker { process, asked, scratch: PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mermaid") })
    }

    fn write(&self, folder: &str, name: &str, text: &str) -> PathBuf {
        let path = self.scratch.join(folder).join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    fn write_models(&self, folder: &str, sources: &Sources, model: &Model) {
        let _ = std::fs::remove_dir_all(self.scratch.join(folder));
        for file in emit_by(&[&json::Settings { out: String::new() }], sources, model).files {
            self.write(&format!("{folder}/models"), &file.path, &file.text);
        }
    }

    fn accepts(&self, folder: &str, flags: &[&str], pages: &[PathBuf]) {
        if let Err(problems) = self.run(folder, flags, pages) {
            panic!("{problems}");
        }
    }

    fn run(&self, folder: &str, flags: &[&str], pages: &[PathBuf]) -> Result<(), String> {
        let models: Vec<PathBuf> =
            std::fs::read_dir(self.scratch.join(folder).join("models")).unwrap().map(|it| it.unwrap().path()).collect();
        let flags = flags.iter().map(|it| (*it).to_owned());
        let paths = models.iter().chain(pages).map(|it| it.to_str().unwrap().to_owned());
        let arguments: Vec<String> = flags.chain(paths).collect();
        let (input, output) = &mut *self.asked.lock().unwrap();
        writeln!(input, "{}", serde_json::to_string(&arguments).unwrap()).unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let problems: Vec<String> = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
    }
}

impl Drop for Checker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
