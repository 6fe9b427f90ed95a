//! The list of backends, and what one line more in it gives: the backend in `registry/checklist.rs` is unknown to statespec.

#[path = "registry/checklist.rs"]
mod checklist;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use statespec_codegen::backend::markdown::Docs;
use statespec_codegen::backend::{Backend, Job};
use statespec_codegen::config::{self, Config, Role};
use statespec_codegen::diagnostic::{Diagnostics, Style, render};
use statespec_codegen::language::Language;
use statespec_codegen::project::{Extras, Project};
use statespec_codegen::registry::BACKENDS;
use statespec_codegen::report::{RenderOptions, Report, Status};
use statespec_codegen::schema;
use statespec_codegen::source::{Input, Sources};
use statespec_codegen::sync::Mode;

use crate::project::model;
use checklist::Checklist;

const DOOR: &str = "machine: door\nstates: { open: { initial: true }, shut: { terminal: true } }\nevents: { push: }\n\
                    transitions: [{ from: open, event: push, to: shut }]\n";

const WRITE: Mode = Mode::Write { force: false };

/// The standard list, and one line.
fn backends() -> Vec<&'static dyn Backend> {
    BACKENDS.iter().copied().chain([&Checklist as &dyn Backend]).collect()
}

/// A configuration, or its errors as a person reads them.
fn read(text: &str) -> Result<Config, String> {
    let mut sources = Sources::default();
    let id = sources.add(config::FILE, text);
    let mut diagnostics = Diagnostics::default();
    let config = config::read(&sources, id, &backends(), &mut diagnostics);
    let diagnostics = diagnostics.finish();
    assert_eq!(config.is_some(), diagnostics.is_empty());
    config.ok_or_else(|| render(&sources, &diagnostics, Style::Plain))
}

/// A project with the machine `door` and these files besides.
fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in [("machines/door.yaml", DOOR)].iter().chain(files) {
        let full = folder.path().join(path);
        fs::create_dir_all(full.parent().unwrap()).unwrap();
        fs::write(full, text).unwrap();
    }
    folder
}

fn open(folder: &Path) -> Project {
    Project::open_with(folder, &backends()).unwrap()
}

fn run(project: &Project, mode: Mode) -> Report {
    project.run(|_| Ok(Extras::default()), mode, RenderOptions { full_diff: false, style: Style::Plain })
}

#[track_caller]
fn assert_clean(report: &Report) {
    assert!(report.status == Status::Clean, "{}", report.text);
}

#[test]
fn every_backend_makes_what_its_own_section_asks_for() {
    let (sources, model) = model(&[Input { path: "machines/door.yaml".into(), text: DOOR.into() }]);
    let mut files = Sources::default();
    files.add("a.txt", "{{ name }}\n");
    let sections = [
        ("docs", "[docs]\n"),
        ("json", "[json]\nout = \"model\"\n"),
        ("rust", "[rust]\nout = \"src/machines\"\n"),
        ("typescript", "[typescript]\nout = \"web/machines\"\ntests = \"web/tests\"\n"),
        ("python", "[python]\nout = \"worker/machines\"\ntests = \"worker/tests\"\n"),
        ("go", "[go]\nout = \"shop/machines\"\npackage = \"example.com/shop/machines\"\ntests = \"shop/tests\"\n"),
        ("conformance", "[conformance]\nout = \"tests/machines\"\n"),
        ("json-schema", "[json-schema]\nout = \"schemas\"\n"),
        ("openapi", "[openapi]\nout = \"api/states.yaml\"\n"),
        ("schemas", "[language]\nschemas = \"schema\"\n"),
        ("templates", "[[template]]\nfile = \"a.txt\"\nout = \"web/{{ name }}.txt\"\n"),
        ("forms", "[[form]]\nname = \"list\"\nfile = \"a.txt\"\n"),
        (
            "database",
            "[[database]]\nmachine = \"door\"\nengine = \"sqlite\"\nout = \"db/door.sql\"\ntable = \"doors\"\nkey = \"id\"\nstate = \"state\"\n",
        ),
        ("lists", "[checklist]\nout = \"lists\"\n"),
    ];
    assert_eq!(sections.map(|it| it.0), backends().iter().map(|it| it.name()).collect::<Vec<_>>()[..]);
    for (name, section) in sections {
        let config = read(section).unwrap();
        // Pages need no section.
        assert_eq!(config.settings.keys().copied().collect::<BTreeSet<_>>(), BTreeSet::from(["docs", name]));
        let mut diagnostics = Diagnostics::default();
        let job = Job { sources: &sources, model: &model, files: &files, backends: &config.backends };
        let outputs = config.settings[name].outputs(job, &mut diagnostics);
        assert_eq!(diagnostics.finish(), []);
        let places = config.settings[name].places();
        // The text of a form is where its marker is.
        assert_eq!(outputs.files.is_empty(), name == "forms", "{name}");
        for (path, _) in &outputs.files {
            assert!(places.iter().any(|it| path == it || path.starts_with(&format!("{it}/"))), "{path} is in none of {places:?}");
        }
    }
    let usual: Vec<&str> = Config::usual(&backends()).settings.into_keys().collect();
    assert_eq!(usual, ["docs"]);
}

#[test]
fn names_and_keys_are_unique() {
    let all = backends();
    assert_eq!(all.iter().map(|it| it.name()).collect::<BTreeSet<_>>().len(), all.len());
    let keys = config::keys(&all);
    assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len());
}

#[test]
fn errors_in_a_section_are_reported_at_their_places() {
    let errors = read("[checklst]\nout = \"lists\"\n").unwrap_err();
    assert!(errors.contains("--> statespec.toml:1:2") && errors.contains("the configuration has no key `checklst`"), "{errors}");
    assert!(errors.contains("did you mean `checklist`?"), "{errors}");

    let errors = read("[checklist]\nsgn = \"star\"\n").unwrap_err();
    assert!(errors.contains("`[checklist]` has no key `sgn`") && errors.contains("did you mean `sign`?"), "{errors}");
    assert!(errors.contains("`[checklist]` needs the key `out`"), "{errors}");

    let errors = read("[checklist]\nout = \"../lists\"\nsign = \"stra\"\n[rust]\nout = \"src\"\nroot = \"main.rs\"\n").unwrap_err();
    for (place, message) in
        [("2:7", "`../lists` is no path in the project"), ("3:8", "`sign` cannot be `stra`"), ("6:8", "`root` cannot be")]
    {
        assert!(errors.contains(&format!("--> statespec.toml:{place}")) && errors.contains(message), "{message}\n{errors}");
    }

    let errors = read("[go]\nout = \"machines\"\npackage = \"./machines\"\n").unwrap_err();
    assert!(errors.contains("--> statespec.toml:3:11") && errors.contains("`./machines` is no import path of Go"), "{errors}");

    let errors = read("[docs]\nsections = [\"states\", \"stats\", \"all\"]\n").unwrap_err();
    for message in ["`stats` is no section of a page", "did you mean `states`?", "write it alone: `sections = \"all\"`"] {
        assert!(errors.contains(message), "{message}\n{errors}");
    }
    // Without the line in the list, the section is unknown.
    let mut sources = Sources::default();
    let id = sources.add(config::FILE, "[checklist]\nout = \"lists\"\n");
    let mut diagnostics = Diagnostics::default();
    assert!(config::read(&sources, id, BACKENDS, &mut diagnostics).is_none());
    assert_eq!(diagnostics.finish()[0].message, "the configuration has no key `checklist`");
}

#[test]
fn what_does_not_fit_the_model_is_reported_in_the_configuration() {
    let folder = project(&[("statespec.toml", "[checklist]\nout = \"lists\"\nexcept = \"dor\"\n")]);
    let report = run(&open(folder.path()), Mode::Check);
    assert_eq!(report.status, Status::CouldNotRun);
    assert!(report.text.contains("there is no machine `dor`") && report.text.contains("--> statespec.toml:3:10"), "{}", report.text);

    fs::write(folder.path().join("statespec.toml"), "[checklist]\nout = \"lists\"\nhead = \"head.txt\"\n").unwrap();
    let unusable = Project::open_with(folder.path(), &backends()).unwrap_err().to_string();
    assert!(unusable.contains("there is no file `head.txt`") && unusable.contains("--> statespec.toml:3:8"), "{unusable}");
}

#[test]
fn the_schema_and_the_tables_of_keys_have_the_section() {
    let schema: serde_json::Value = serde_json::from_str(&schema::schema("config", &backends()).unwrap()).unwrap();
    let keys: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    let order = "specs command owned expect scan docs json rust typescript python go conformance json-schema openapi language checklist lints template form database source audit";
    assert_eq!(keys, order.split(' ').collect::<Vec<_>>());
    assert_eq!(schema["properties"]["checklist"]["description"], "Lists of states; none if omitted.");
    assert_eq!(schema["definitions"]["Checklist"]["required"], serde_json::json!(["out"]));
    let validator = jsonschema::draft7::new(&schema).unwrap();
    assert!(validator.is_valid(&serde_json::json!({ "checklist": { "out": "lists", "sign": "star" } })));
    assert!(!validator.is_valid(&serde_json::json!({ "checklist": { "sign": "star" } })));

    let folder = project(&[
        ("statespec.toml", "[language]\nschemas = \"schema\"\nregions = true\n"),
        ("docs/keys.md", "<!-- statespec:begin keys.checklist -->\n<!-- statespec:end keys.checklist -->\n"),
    ]);
    assert_clean(&run(&open(folder.path()), WRITE));
    let read = |path: &str| fs::read_to_string(folder.path().join(path)).unwrap();
    assert!(read("docs/keys.md").contains("\n| `out` | text, required | The folder of the lists. |\n| `sign` | text |"));
    assert!(read("schema/config.json").contains("\"#/definitions/Checklist\""));
}

#[test]
fn its_outputs_are_written_checked_and_chosen_by_name() {
    let configuration =
        "owned = [\"lists\"]\n[checklist]\nout = \"lists\"\nsign = \"star\"\nhead = \"head.txt\"\n[language]\nregions = true\n";
    let page = "<!-- statespec:begin keys.checklist -->\n<!-- statespec:end keys.checklist -->\n";
    let folder = project(&[("statespec.toml", configuration), ("head.txt", "# States\n\n"), ("docs/keys.md", page)]);
    let all = open(folder.path());
    assert_eq!(all.config.role("lists/door.md"), Some(Role::Output));
    assert_eq!(all.config.role("head.txt"), Some(Role::Input));
    let read = |path: &str| fs::read_to_string(folder.path().join(path)).unwrap();
    let limited = |backends: &[&dyn Backend]| {
        let mut project = open(folder.path());
        project.config = project.config.only(backends);
        project
    };

    // Only the lists: no page is written, and no region.
    assert_clean(&run(&limited(&[&Checklist]), WRITE));
    assert!(read("lists/door.md").ends_with("# States\n\n* open\n* shut\n"), "{}", read("lists/door.md"));
    assert!(!folder.path().join("docs/machines/door.md").exists());
    assert_eq!(read("docs/keys.md"), page);

    assert_clean(&run(&all, WRITE));
    assert!(folder.path().join("docs/machines/door.md").exists() && read("docs/keys.md") != page);
    assert_clean(&run(&all, Mode::Check));

    fs::write(folder.path().join("lists/door.md"), "mine\n").unwrap();
    fs::write(folder.path().join("lists/other.md"), "mine\n").unwrap();
    let report = run(&limited(&[&Checklist]), Mode::Check);
    assert!(report.text.contains("lists/door.md") && report.text.contains("lists/other.md"), "{}", report.text);
    // Outputs of a backend outside the scope are neither compared nor taken for orphans, and its folder is not searched.
    assert_clean(&run(&limited(&[&Docs, &Language]), Mode::Check));
}
