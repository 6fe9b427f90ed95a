//! Thresholds as pictures: which guards make a ladder, and what is drawn of it.

use statespec_codegen::diagnostic::Style;
use statespec_codegen::project::{Extras, Project};
use statespec_codegen::report::{RenderOptions, Status};
use statespec_codegen::sync::Mode;

use crate::project::quoted;

/// Three states and one event, with these transitions.
fn machine(transitions: &str) -> String {
    format!(
        "machine: tank\nconstants: {{ full: 90, gap: 5 }}\ncontext: {{ last: {{ type: int, default: 0 }} }}\n\
         states:\n  low: {{ initial: true }}\n  middle: {{}}\n  high: {{}}\n\
         events: {{ see: {{ payload: {{ level: int, other: int }} }} }}\ntransitions:\n{transitions}"
    )
}

/// The generated pictures by path, and the lines of the page that show them.
fn pictures(spec: &str) -> (Vec<(String, String)>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("machines")).unwrap();
    // Two hyphens, which an XML comment must not have.
    std::fs::write(folder.path().join("statespec.toml"), "command = 'npm run gen -- --all'\n[docs]\nsections = 'all'\n").unwrap();
    std::fs::write(folder.path().join("machines/tank.yaml"), spec).unwrap();
    let options = RenderOptions { full_diff: false, style: Style::Plain };
    let run = |mode| Project::open(folder.path()).unwrap().run(|_| Ok(Extras::default()), mode, options);
    let report = run(Mode::Write { force: false });
    // Lints may find something, but the outputs are written and right.
    assert_ne!(report.status, Status::CouldNotRun, "{}", report.text);
    assert!(!report.made.is_empty() && run(Mode::Check).annotations.iter().all(|it| it.outputs.is_empty()));
    let read = |path: &std::path::Path| std::fs::read_to_string(path).unwrap();
    let mut pictures = Vec::new();
    let mut links = Vec::new();
    for entry in std::fs::read_dir(folder.path().join("docs/machines")).unwrap().map(|it| it.unwrap().path()) {
        let name = entry.file_name().unwrap().to_str().unwrap().to_owned();
        if name.ends_with(".svg") {
            let text = read(&entry);
            let parsed = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!(parsed.root_element().tag_name().name(), "svg");
            pictures.push((name, text));
        } else {
            links.extend(read(&entry).lines().filter(|it| it.starts_with("![")).map(str::to_owned));
        }
    }
    pictures.sort();
    (pictures, links)
}

const LADDER: &str = "  - { from: low, event: see, when: level >= 50, to: middle }\n  \
    - { from: middle, event: see, when: full < level, to: high }\n  \
    - { from: high, event: see, when: level <= full - gap, to: middle }\n  \
    - { from: middle, event: see, when: level < 40, to: low }\n";

#[test]
fn guards_of_one_value_make_a_ladder() {
    let (pictures, links) = pictures(&machine(LADDER));
    let [(name, svg)] = pictures.as_slice() else { panic!("{pictures:?}") };
    assert_eq!(name, "tank-ladder.svg");
    insta::assert_snapshot!("ladder", format!("{}\n\n{svg}", links.join("\n")));
}

#[test]
fn no_picture_is_drawn_of_a_part_of_the_guards() {
    let row = |from: &str, guard: &str, to: &str| format!("  - {{ from: {from}, event: see, when: {guard}, to: {to} }}\n");
    let cases = [
        ("without a way back", row("low", "level > 5", "middle") + &row("middle", "level > 9", "high")),
        ("a jump over a state", LADDER.to_owned() + &row("high", "level < 3", "low")),
        ("two ways up", LADDER.to_owned() + &row("low", "level > 60", "high")),
        ("thresholds that do not rise", LADDER.replace("level >= 50", "level >= 99")),
        ("a threshold downward above the one upward", LADDER.replace("level < 40", "level < 60")),
        ("a round trip", LADDER.to_owned() + &row("high", "level > 99", "low")),
        ("values that are not constant", LADDER.replace("level < 40", "level < other")),
        ("another way without a guard", LADDER.to_owned() + "  - { from: high, event: see, to: low }\n"),
        ("another way from everywhere", format!("  - {{ from: \"*\", event: see, when: level == 7, to: low }}\n{LADDER}")),
        ("more than one comparison", LADDER.replace("level < 40", "level < 40 and other < 3")),
        ("no guards", "  - { from: low, event: see, to: high }\n  - { from: high, event: see, to: middle }\n".to_owned()),
    ];
    for (what, transitions) in cases {
        let drawn = pictures(&machine(&transitions));
        assert!(drawn.0.is_empty() && drawn.1.is_empty(), "{what}: {drawn:?}");
    }
    // Each event has a ladder of its own; rows that refuse or stay do not disturb it.
    let other = LADDER.replace("level", "other").replace("see", "look");
    let refused = "  - { from: \"*\", event: see, when: level < 0, refuse: no }\n";
    let both = machine(&format!("{refused}{LADDER}{other}  - {{ from: \"*\", event: see, set: {{ last: level }} }}\n"))
        .replace("events: { see", "events: { look: { payload: { other: int } }, see");
    let names: Vec<String> = pictures(&both).0.into_iter().map(|it| it.0).collect();
    assert_eq!(names, ["tank-ladder.svg", "tank-ladder2.svg"]);
}

#[test]
fn names_of_all_scripts_are_drawn() {
    for name in ["_x", "a--b", "\u{e9}tat", "\u{72b6}\u{614b}"] {
        let spec = machine(LADDER).replace("middle", &quoted(name));
        let (pictures, links) = pictures(&spec);
        assert_eq!((pictures.len(), links.len()), (1, 1), "{name:?}");
    }
}
