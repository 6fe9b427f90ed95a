//! Mermaid draws random machines and all diagrams of the pages: in a browser, with old and new versions.
//!
//! What the parser reads is not always drawn: the layout may fail. `tests/render/render.mjs` draws; its package.json names the versions.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::import_properties::hostile_specs;
use crate::project::{checks, root};
use crate::regions::random;
use statespec_codegen::backend::mermaid::diagram;
use statespec_codegen::load;
use statespec_codegen::model::document::DiagramStyle;
use statespec_codegen::source::Input;

/// Machines of each kind: more where every check runs in full; `RENDERED_MACHINES=300` draws that number.
fn n_machines() -> usize {
    match std::env::var("RENDERED_MACHINES") {
        Ok(wanted) => wanted.parse().expect("`RENDERED_MACHINES` is a number"),
        Err(_) if checks::is_complete() => 25,
        Err(_) => 3,
    }
}

/// The versions of Mermaid: all where every check runs in full, or else the oldest and the newest.
fn n_versions() -> usize {
    if checks::is_complete() { 5 } else { 2 }
}

/// The nesting up to which Mermaid 11 draws. The layout fails on some deeper diagrams whose arrows cross several composites,
/// in whatever order these are written.
const MAX_NESTING: usize = 4;

#[test]
fn every_diagram_is_drawn() {
    const CHECK: &str = "diagrams drawn by Mermaid in a browser";
    let Some(browser) = checks::needed(CHECK, checks::browser()) else { return };
    let Some(home) = checks::needed(CHECK, checks::packages("tests/render")) else { return };

    let mut diagrams: Vec<Value> = pages().iter().flat_map(|it| on_page(it)).collect();
    assert!(diagrams.len() > 30, "the pages have {} diagrams", diagrams.len());
    for (kind, specs) in kinds() {
        diagrams.extend(drawn(kind, specs, n_machines()));
    }
    let said = render(&home, &browser, "all", &diagrams).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(said.matches(" 0 not drawn").count(), n_versions(), "{said}");
}

/// The check finds a diagram that no version draws, and one on which the layout of all but the newest fails.
#[test]
fn a_diagram_that_is_not_drawn_is_found() {
    const CHECK: &str = "the check of drawn diagrams";
    let Some(browser) = checks::needed(CHECK, checks::browser()) else { return };
    let Some(home) = checks::needed(CHECK, checks::packages("tests/render")) else { return };
    let behind = "stateDiagram-v2\n    state on {\n        state left {\n            [*] --> a\n            a --> inner\n            state inner {\n\
        \x20               [*] --> b\n                b --> c\n            }\n        }\n        --\n        state right {\n            [*] --> d\n        }\n    }\n";
    let diagrams = [
        json!({ "place": "good", "text": "stateDiagram-v2\n    [*] --> a\n" }),
        json!({ "place": "unreadable", "text": "stateDiagram-v2\n    a -> b\n" }),
        json!({ "place": "behind", "text": behind }),
    ];
    let problems = render(&home, &browser, "wrong", &diagrams).unwrap_err();
    let count = |place: &str| problems.matches(&format!(", {place}: ")).count();
    assert_eq!((count("good"), count("unreadable")), (0, n_versions()), "{problems}");
    assert_eq!(count("behind"), n_versions() - 1, "{problems}");
}

/// The kinds of random machines, each without an end.
fn kinds() -> [(&'static str, Box<dyn Iterator<Item = String>>); 4] {
    let timed = random::specs().map(|it| it.replace("event: e3", "after: 3m"));
    [
        // Nesting, regions, histories, forks, automatic rows, `done`.
        ("chart", Box::new(random::specs())),
        ("timed", Box::new(timed)),
        ("whole", Box::new(pairs().map(|(left, right)| side_by_side(&left, &right)))),
        ("hostile", Box::new(hostile_specs())),
    ]
}

/// Two charts with at most three composites around a state: the machine and the region are two more.
fn pairs() -> impl Iterator<Item = (String, String)> {
    let deepest = " ".repeat(18);
    let mut specs = random::specs().filter(move |it| !it.lines().any(|line| line.starts_with(&deepest)));
    std::iter::from_fn(move || Some((specs.next()?, specs.next()?)))
}

/// Two charts as the regions of one machine.
pub(crate) fn side_by_side(left: &str, right: &str) -> String {
    // Every name of the charts is a letter and numbers; those of the second one get another letter.
    let right = renamed(right);
    let part = |text: &str, from: &str, to: &str| {
        let start = text.find(from).unwrap() + from.len();
        text[start..start + text[start..].find(to).unwrap()].to_owned()
    };
    let context = |it: &str| part(it, "context:\n  last: int\n", "states:\n");
    let states = |it: &str| part(it, "\nstates:\n", "events:").lines().map(|it| format!("    {it}\n")).collect::<String>();
    // Without the creation, which names one state.
    let rows = |it: &str| it.split("\n  - ").skip(2).map(|it| format!("  - {}\n", it.trim_end())).collect::<String>();
    format!(
        "machine: chart\ncontext:\n  last: int\n{}{}regions:\n  left:\n    states:\n{}  right:\n    states:\n{}events: [e0, e1, e2, e3]\ntransitions:\n{}{}",
        context(left),
        context(&right),
        states(left),
        states(&right),
        rows(left),
        rows(&right)
    )
}

fn renamed(text: &str) -> String {
    let mut renamed = String::new();
    let characters: Vec<char> = text.chars().collect();
    for (idx, character) in characters.iter().enumerate() {
        let begins = idx.checked_sub(1).is_none_or(|it| !characters[it].is_alphanumeric() && characters[it] != '_');
        let is_number = characters.get(idx + 1).is_some_and(char::is_ascii_digit);
        renamed.push(match character {
            's' if begins && is_number => 't',
            'h' if begins && is_number => 'i',
            other => *other,
        });
    }
    renamed
}

/// The composites around the innermost state.
fn nesting(diagram: &str) -> usize {
    let mut open = 0_usize;
    let depths = diagram.lines().map(|line| {
        open = if line.ends_with('{') { open + 1 } else { open - usize::from(line.trim() == "}") };
        open
    });
    depths.max().unwrap_or_default()
}

/// The diagrams of the first specs that the language accepts, and that are not nested too deeply.
fn drawn(kind: &str, specs: impl Iterator<Item = String>, n_machines: usize) -> Vec<Value> {
    let mut diagrams = Vec::new();
    for (idx, text) in specs.take(20 * n_machines).enumerate() {
        let Some(model) = load(&[Input { path: "m.yaml".into(), text }]).model else { continue };
        let style = DiagramStyle { loops: true, ..DiagramStyle::default() };
        let text = diagram(&model.machines[0], &style).unwrap().text().to_owned();
        if nesting(&text) <= MAX_NESTING {
            diagrams.push(json!({ "place": format!("{kind} {idx}"), "text": text }));
        }
        if diagrams.len() == n_machines {
            break;
        }
    }
    assert_eq!(diagrams.len(), n_machines, "too few machines: {kind}");
    diagrams
}

/// The pages of this repository, without the inputs of tests.
fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(|it| it.unwrap()) {
            let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
            let is_other = name.starts_with('.') || ["target", "node_modules", "fixtures", "templates"].contains(&name.as_str());
            if entry.file_type().unwrap().is_dir() && !is_other {
                folders.push(path);
            } else if name.ends_with(".md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// The Mermaid blocks of a page. Those in quoted reports are indented.
fn on_page(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    let place = path.strip_prefix(root()).unwrap().display().to_string();
    let mut diagrams = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (idx, line) in text.lines().enumerate() {
        match &mut open {
            Some((start, block)) if line == "```" => {
                diagrams.push(json!({ "place": format!("{place}:{start}"), "text": block }));
                open = None;
            }
            Some((_, block)) => {
                block.push_str(line);
                block.push('\n');
            }
            None if line == "```mermaid" => open = Some((idx + 1, String::new())),
            None => {}
        }
    }
    diagrams
}

/// Runs `render.mjs`.
fn render(home: &Path, browser: &Path, name: &str, diagrams: &[Value]) -> Result<String, String> {
    let list = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("rendered-{name}.json"));
    std::fs::write(&list, serde_json::to_string(diagrams).unwrap()).unwrap();
    let mut command = Command::new("node");
    command.arg(home.join("render.mjs")).arg(browser).arg(list).args((!checks::is_complete()).then_some("--ends"));
    let done = command.output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&done.stderr), String::from_utf8_lossy(&done.stdout));
    if done.status.success() { Ok(said) } else { Err(said) }
}
