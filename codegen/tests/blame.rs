//! The line that an annotation blames. A case is a spec in `fixtures/blame`: what `before.yaml` was changed to.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use statespec_codegen::diagnostic::Style;
use statespec_codegen::project::{Extras, Project};
use statespec_codegen::report::{Format, RenderOptions, Report, Status};
use statespec_codegen::sync::Mode;

use crate::project::root;

const OPTIONS: RenderOptions = RenderOptions { full_diff: false, style: Style::Plain };

/// The kinds of projects: all outputs, only regions of a page, only Rust, a page that a document lays out.
const PROJECTS: [(&str, &str); 4] = [
    ("everything", "command = 'statespec gen'\n[json]\nout = 'generated/model'\n[rust]\nout = 'generated/src'\n"),
    ("regions", "command = 'statespec gen'\n[docs]\npages = false\n"),
    ("rust", "command = 'statespec gen'\n[docs]\npages = false\nplaces = []\n[rust]\nout = 'generated/src'\n"),
    ("document", "command = 'statespec gen'\n"),
];

const README: &str = "# Lamps\n\n<!-- statespec:begin lamp.diagram -->\n<!-- statespec:end lamp.diagram -->\n\nText.\n\n\
    <!-- statespec:begin lamp.transitions -->\n<!-- statespec:end lamp.transitions -->\n";

const DOCUMENT: &str = "document: lamps\npath: docs/lamps.md\ntitle: All Lamps\nof: lamp\nsections:\n  - heading: Rows\n    \
    show: [transitions]\n  - heading: What they are\n    show: [states, notes]\n";

fn fixture(name: &str) -> String {
    let path = root().join("codegen/tests/fixtures/blame").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).replace("\r\n", "\n")
}

/// A project whose outputs fit `before.yaml`.
fn project(kind: &str, config: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    put("statespec.toml", config);
    put("machines/lamp.yaml", &fixture("before.yaml"));
    match kind {
        "everything" | "regions" => put("README.md", README),
        "document" => put("machines/lamps.doc.yaml", DOCUMENT),
        _ => {}
    }
    let report = run(folder.path(), Mode::Write { force: false });
    assert_eq!(report.status, Status::Clean, "{kind}: {}", report.text);
    folder
}

fn run(folder: &Path, mode: Mode) -> Report {
    Project::open(folder).unwrap().run(|_| Ok(Extras::default()), mode, OPTIONS)
}

/// The annotations about outputs: where they point, what is there, and their outputs.
fn annotations(folder: &Path) -> String {
    let mut shown = String::new();
    for it in run(folder, Mode::Check).annotations.iter().filter(|it| !it.outputs.is_empty()) {
        let text = fs::read_to_string(folder.join(&it.place.file)).unwrap_or_default();
        let line = text.lines().nth(it.place.line - 1).unwrap_or_default();
        let end = if it.place.end_line == it.place.line { it.place.end_column - 1 } else { usize::MAX };
        let marked: String = line.chars().take(end).skip(it.place.column - 1).collect();
        let place =
            if it.place.is_whole_file() { it.place.file.clone() } else { format!("{}:{} `{marked}`", it.place.file, it.place.line) };
        writeln!(shown, "  {}: {}\n    at {place}", it.code.unwrap_or_default(), it.message).unwrap();
        for related in &it.related {
            writeln!(shown, "    {} at {}:{}", related.label, related.place.file, related.place.line).unwrap();
        }
        for output in &it.outputs {
            let line = output.drifted_line.map_or_else(String::new, |it| format!(":{it}"));
            let region = output.region.as_ref().map_or_else(String::new, |it| format!(" ({it})"));
            writeln!(shown, "    - {}{line}{region}", output.file).unwrap();
        }
    }
    shown
}

#[test]
fn a_changed_line_is_blamed_once() {
    let folder = root().join("codegen/tests/fixtures/blame");
    let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    for name in names.iter().filter(|it| *it != "before.yaml") {
        let mut shown = String::new();
        for (kind, config) in PROJECTS {
            let folder = project(kind, config);
            fs::write(folder.path().join("machines/lamp.yaml"), fixture(name)).unwrap();
            writeln!(shown, "{kind}:\n{}", annotations(folder.path())).unwrap();
        }
        insta::with_settings!({ snapshot_path => "snapshots/blame", prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(name.trim_end_matches(".yaml"), shown);
        });
    }
}

/// Changes beside the spec: an edited output, a document that shows more, another command.
#[test]
fn other_changes_blame_no_line_of_the_machine() {
    let mut shown = String::new();
    let mut check = |what: &str, kind: usize, path: &str, old: &str, new: &str| {
        let (kind, config) = PROJECTS[kind];
        let folder = project(kind, config);
        let path = folder.path().join(path);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(old), "{what}: {text}");
        fs::write(path, text.replacen(old, new, 1)).unwrap();
        writeln!(shown, "{what}:\n{}", annotations(folder.path())).unwrap();
    };
    check("an edited page", 0, "docs/machines/lamp.md", "`lit` | `press` |", "`lit` | `touch` |");
    check("an edited region", 1, "README.md", "lit --> dark: press", "lit --> dark: touch");
    check("edited Rust", 0, "generated/src/lamp.rs", "It gives light.", "It is bright.");
    check("a document that shows more", 3, "machines/lamps.doc.yaml", "[states, notes]", "[states, notes, events]");
    check("a document that shows less", 3, "machines/lamps.doc.yaml", "[states, notes]", "[notes]");
    check("a document with another heading", 3, "machines/lamps.doc.yaml", "What they are", "The states");
    check("another command", 0, "statespec.toml", "command = 'statespec gen'", "command = 'make gen'");
    insta::assert_snapshot!("blame_other", shown);
}

#[test]
fn the_report_shows_a_cause_with_all_its_outputs() {
    let (kind, config) = PROJECTS[1];
    let folder = project(kind, config);
    fs::write(folder.path().join("machines/lamp.yaml"), fixture("changed-target.yaml")).unwrap();
    let report = run(folder.path(), Mode::Check);
    insta::assert_snapshot!("blame_report", format!("{}\n{}", report.print(Format::Text), report.print(Format::Github)));
}
