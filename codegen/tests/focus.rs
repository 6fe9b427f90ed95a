//! A check of what changed says what a check of everything says: random changes of a project.

use std::collections::BTreeMap;
use std::path::Path;

use statespec_codegen::diagnostic::Style;
use statespec_codegen::focus::Focus;
use statespec_codegen::project::{Extras, Project};
use statespec_codegen::report::{RenderOptions, Report, Status};
use statespec_codegen::sync::Mode;

use crate::play::random::Random;
use crate::project::checks;

const OPTIONS: RenderOptions = RenderOptions { full_diff: false, style: Style::Plain };

fn door(name: &str) -> String {
    format!(
        "machine: {name}\nstates: {{ shut: {{ initial: true }}, open: {{}} }}\nevents: {{ push: {{}}, pull: {{}} }}\ntransitions:\n  \
         - {{ from: shut, event: push, to: open }}\n  - {{ from: open, event: pull, to: shut }}\n"
    )
}

fn files() -> Vec<(&'static str, String)> {
    vec![
        ("statespec.toml", "[rust]\nout = 'src'\n[json]\nout = 'json'\n[conformance]\nout = 'tests'\n".into()),
        ("machines/door.yaml", door("door")),
        ("machines/gate.yaml", door("gate")),
        ("machines/hatch.yaml", door("hatch")),
        ("machines/d.yaml", "document: d\npath: docs/d.md\ntitle: D\nof: door\nsections: [{ heading: H, show: states }]\n".into()),
        ("docs/page.md", "# Page\n\n<!-- statespec:begin gate.states -->\n<!-- statespec:end gate.states -->\n".into()),
    ]
}

fn all(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap().is_dir() {
                true => open.push(entry.path()),
                false => {
                    let path = entry.path().strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                    found.insert(path, std::fs::read(entry.path()).unwrap());
                }
            }
        }
    }
    found
}

fn run(root: &Path, mode: Mode, focus: Option<Focus>) -> Report {
    let mut project = Project::open(root).unwrap();
    project.focus = focus;
    project.run(|_| Ok(Extras::default()), mode, OPTIONS)
}

fn write(root: &Path, path: &str, bytes: &[u8]) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

/// The files of the project with its outputs.
fn generated() -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for (path, text) in files() {
        write(root, path, text.as_bytes());
    }
    let made = run(root, Mode::Write { force: false }, None);
    assert_eq!(made.status, Status::Clean, "{}", made.text);
    all(root)
}

#[test]
fn what_changed_is_checked_as_all_is() {
    let mut random = Random::new(3);
    let n_runs = checks::one_in(10, 200);
    let before = generated();
    let paths: Vec<String> = before.keys().filter(|it| *it != "statespec.toml").cloned().collect();
    let mut n_drifted = 0;
    for _ in 0..n_runs {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for (path, bytes) in &before {
            write(root, path, bytes);
        }
        let mut told = Vec::new();
        for _ in 0..1 + random.below(3) {
            let path = random.pick(&paths).unwrap().clone();
            let full = root.join(&path);
            let Ok(text) = std::fs::read_to_string(&full) else { continue };
            match random.below(3) {
                0 if path != "machines/door.yaml" => {
                    std::fs::remove_file(&full).unwrap();
                    told.push(format!("- {path}"));
                    // A spec goes with its own outputs, as a person would delete it.
                    if let Some(name) = path.strip_prefix("machines/").and_then(|it| it.strip_suffix(".yaml")) {
                        for output in [format!("src/{name}.rs"), format!("json/{name}.json"), format!("docs/machines/{name}.md")] {
                            let _ = std::fs::remove_file(root.join(output));
                        }
                    }
                }
                1 => {
                    std::fs::write(&full, text.replace("open", "ajar")).unwrap();
                    told.push(format!("~ {path}"));
                }
                _ => {
                    std::fs::write(&full, text.clone() + "\n").unwrap();
                    told.push(format!("+ {path}"));
                }
            }
        }
        let after = all(root);
        let changed: Vec<String> = before.keys().chain(after.keys()).filter(|it| before.get(*it) != after.get(*it)).cloned().collect();
        let (whole, part) = (run(root, Mode::Check, None), run(root, Mode::Check, Some(Focus::new(changed))));
        assert_eq!(whole.status, part.status, "{told:?}\n{}\n--- what changed:\n{}", whole.text, part.text);
        n_drifted += usize::from(whole.status != Status::Clean);
    }
    assert!(n_drifted * 2 > n_runs, "{n_drifted} of {n_runs}");
}
