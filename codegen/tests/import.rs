//! The results of imports: specs and reports of fixtures, the seeds' diagrams, and markers.
//!
//! To add a case, add a file to a folder of `fixtures/import`; its snapshot is beside it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use statespec_codegen::diagnostic::{Code, Style, render};
use statespec_codegen::model::machine::{Machine, Outcome};
use statespec_codegen::project::{Extras, Project};
use statespec_codegen::report::{RenderOptions, Status};
use statespec_codegen::source::{Input, Sources};
use statespec_codegen::sync::{self, Mode};
use statespec_import::{Format, Imported, Markers, Options, Statement, TableSpec, columns, import, read_table, statements};
use statespec_lang::interpret::{Instance, Script};

use crate::project::{inputs, model, read};

fn folder(format: Format) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/import").join(format.name())
}

/// The fixtures of a format, without their snapshots.
fn fixtures(format: Format) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder(format)).unwrap().map(|it| it.unwrap().path()).collect();
    paths.retain(|it| it.extension().is_none_or(|it| it != "snap"));
    paths.sort();
    paths
}

fn import_fixture(path: &Path) -> Imported {
    let name = path.file_name().unwrap().to_str().unwrap();
    import(name, &std::fs::read_to_string(path).unwrap(), &Options::default())
}

/// Compares the specs and the report of each fixture of a format with its snapshot. All that differ are named at the end.
fn every_fixture_becomes_specs_and_a_report(format: Format) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder(format));
    settings.set_prepend_module_to_snapshot(false);
    let differs = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let compared = catch_unwind(AssertUnwindSafe(|| {
            let imported = import_fixture(path);
            let mut text = String::new();
            for spec in &imported.specs {
                let _ = writeln!(text, "{}", spec.yaml);
            }
            text.push_str(&render(&imported.sources, &imported.findings(), Style::Plain));
            settings.bind(|| insta::assert_snapshot!(name, text));
        }));
        compared.is_err()
    };
    let fixtures = fixtures(format);
    assert!(fixtures.len() > 5, "{} fixtures of {format}", fixtures.len());
    let differing: Vec<&PathBuf> = fixtures.iter().filter(|it| differs(it)).collect();
    assert!(differing.is_empty(), "{} of {} fixtures differ: {differing:#?}", differing.len(), fixtures.len());
}

#[test]
fn every_fixture_of_mermaid() {
    every_fixture_becomes_specs_and_a_report(Format::Mermaid);
}

#[test]
fn every_fixture_of_plantuml() {
    every_fixture_becomes_specs_and_a_report(Format::PlantUml);
}

#[test]
fn every_fixture_of_markdown() {
    every_fixture_becomes_specs_and_a_report(Format::Markdown);
}

#[test]
fn every_fixture_of_scxml() {
    every_fixture_becomes_specs_and_a_report(Format::Scxml);
}

#[test]
fn every_fixture_of_xstate() {
    every_fixture_becomes_specs_and_a_report(Format::XState);
}

#[test]
fn every_fixture_of_rust() {
    every_fixture_becomes_specs_and_a_report(Format::Rust);
}

#[test]
fn every_code_of_an_import_has_a_fixture() {
    let all = Format::ALL.iter().flat_map(|it| fixtures(*it));
    let seen: BTreeSet<Code> = all.flat_map(|it| import_fixture(&it).findings()).map(|it| it.code).collect();
    let missing: Vec<&str> =
        Code::ALL.iter().filter(|it| it.id().starts_with("import::") && !seen.contains(it)).map(|it| it.id()).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

/// Lines that look like an arrow, a declaration or a note of PlantUML, each behind a diagram of one state: the rows, or the first finding.
#[test]
fn lines_that_only_look_like_plantuml() {
    let lines = [
        "A -- B",
        "A <--> B",
        "A ..> B",
        "A : b --> c",
        "[x] --> B",
        "A --> B C",
        "A-B --> C",
        "--> B",
        "A -->",
        "A <|-- B",
        "-",
        "x",
        "state",
        "stateA",
        "state -> B",
        "state A B",
        "state A { state B }",
        "state A as B",
        "frame A",
        "note over A : text",
    ];
    let read = |line: &str| {
        let imported = import("it.puml", &format!("[*] --> A\n{line}\n"), &Options::default());
        let yaml: String = imported.specs.iter().map(|it| it.yaml.split_once("states:").unwrap().1.to_owned()).collect();
        let findings: String = imported.findings().iter().map(|it| format!("{}: {}\n", it.code.id(), it.message)).collect();
        format!("==== {line}\n{}{findings}", yaml.trim_start_matches('\n'))
    };
    insta::assert_snapshot!("plantuml_other_lines", lines.map(read).concat());
}

/// The model of the only machine of a text.
fn machine_of(imported: &Imported) -> Machine {
    let [spec] = imported.specs.as_slice() else { panic!("{:?}", imported.findings()) };
    let (_, model) = model(&[Input { path: "machines/it.yaml".into(), text: spec.yaml.clone() }]);
    model.machines[0].clone()
}

/// The states with the initial ones, the edges between leaves, and the sinks of a machine.
fn meaning(machine: &Machine) -> impl PartialEq + std::fmt::Debug + use<> {
    let name = |id| machine.state(id).name.clone();
    let mut edges = BTreeSet::new();
    for edge in &machine.edges {
        if let Outcome::Leaf(to) = edge.outcome {
            edges.insert((edge.from.map(name), name(to)));
        }
    }
    let states: Vec<(String, bool)> = machine.state_ids().map(|id| (name(id), machine.is_initial(id))).collect();
    let sinks: Vec<String> = machine.leaves().filter(|id| machine.is_sink(*id)).map(name).collect();
    (states.into_iter().collect::<BTreeSet<_>>(), edges, sinks.into_iter().collect::<BTreeSet<_>>())
}

/// The labels of the rows of a machine, each with its source and target.
fn shown(machine: &Machine) -> BTreeSet<(Option<String>, String, String)> {
    let name = |id| machine.state(id).name.clone();
    let mut rows = BTreeSet::new();
    for edge in &machine.edges {
        let Outcome::Leaf(to) = edge.outcome else { continue };
        let row = machine.transition(edge.transition);
        let events: Vec<String> =
            row.events().iter().map(|it| machine.event(*it)).map(|it| it.label.clone().unwrap_or(it.name.clone())).collect();
        rows.insert((edge.from.map(name), name(to), row.label.clone().unwrap_or(events.join(", "))));
    }
    rows
}

#[test]
fn the_diagrams_of_the_seeds_become_our_machines_up_to_wording() {
    let (_, reference) = model(&inputs());
    for (seed, name) in [("mysis_diagram.md", "mysis"), ("agent_run.md", "agent_run"), ("run_job.md", "run_job")] {
        let page = read(&format!("codegen/tests/fixtures/seeds/{seed}")).unwrap();
        let imported = import(seed, &page, &Options::default());
        assert!(imported.is_whole(), "{}", render(&imported.sources, &imported.findings(), Style::Plain));
        let ours = reference.machine(name).unwrap();
        let theirs = machine_of(&imported);
        assert_eq!(meaning(&theirs), meaning(ours), "{seed}");
        if name == "mysis" {
            // 000 has labels on its arrows: they must be equal.
            assert_eq!(shown(&theirs), shown(ours), "{seed}");
        }
    }
}

/// The edges of each statement of a page, by names.
fn stated(path: &str, page: &str) -> Vec<(String, BTreeSet<(String, String)>)> {
    let mut sources = Sources::default();
    let id = sources.add(path, page);
    let of = |it: &Statement| {
        let name = |idx: usize| it.states[idx].name.clone();
        (it.name.clone(), it.edges.iter().map(|edge| (name(edge.from), name(edge.to))).collect())
    };
    statements(&sources, id).found.iter().map(of).collect()
}

#[test]
fn a_table_beside_its_diagram_is_a_statement_of_its_own() {
    let page = read("codegen/tests/fixtures/seeds/run_job.md").unwrap();
    let [diagram, table] = stated("run_job.md", &page).try_into().unwrap();
    assert_eq!((diagram.0.as_str(), table.0.as_str()), ("run_job", "run_job_2"));
    assert_eq!(diagram.1, table.1);
    let wrong = page.replace("| `queued` | `claimed` |", "| `queued` | `running` |");
    assert_ne!(page, wrong);
    let [diagram, table] = stated("run_job.md", &wrong).try_into().unwrap();
    let step = |from: &str, to: &str| BTreeSet::from([(from.to_owned(), to.to_owned())]);
    assert_eq!(&diagram.1 - &table.1, step("queued", "claimed"));
    assert_eq!(&table.1 - &diagram.1, step("queued", "running"));
    let messages: Vec<String> = import("run_job.md", &wrong, &Options::default()).findings().into_iter().map(|it| it.message).collect();
    let expected =
        "line 1 describes this machine, too, and was imported: `statespec compare run_job.md#run_job run_job.md#run_job_2` compares them";
    assert_eq!(messages, [expected]);
}

#[test]
fn a_list_of_states_is_a_statement() {
    let bullets = "# Job status\n\nThe states:\n\n- `open`: waits\n- `done` – over\n- `lost`\n";
    let table = "# Job\n\nIts phase is one of:\n\nValue | Description\n--- | ---\n`open` | waits\n`done` | over\n`lost` | gone\n";
    for page in [bullets, table] {
        let mut sources = Sources::default();
        let id = sources.add("job.md", page);
        let found = statements(&sources, id).found;
        let [only] = found.as_slice() else { panic!("{found:?}") };
        let names: Vec<&str> = only.states.iter().map(|it| it.name.as_str()).collect();
        assert_eq!((names, only.edges.len()), (vec!["open", "done", "lost"], 0));
    }
    // Not every list of texts in code marks is one.
    for page in ["# Commands\n\n- `open`: opens\n- `done`: ends\n", "# States\n\n- `open` and more\n- `done`\n"] {
        let mut sources = Sources::default();
        let id = sources.add("job.md", page);
        assert_eq!(statements(&sources, id).found, []);
    }
}

#[test]
fn a_table_is_read_as_a_person_says() {
    let page = "| a | b |\n| - | - |\n| c | d |\n\n| Where | What | Then |\n| --- | --- | --- |\n| open | close | shut |\n| shut | burn | gone for good |\n| wherever | paint | as it was |\n";
    assert!(import("door.md", page, &Options::default()).specs.is_empty());
    let spec = TableSpec {
        table: Some(2),
        columns: columns("from=1, event=\"What\", to=Then").unwrap(),
        any: vec!["Wherever".into()],
        stay: vec!["as it was".into()],
        ..TableSpec::default()
    };
    let mut sources = Sources::default();
    let id = sources.add("door.md", page);
    let read = read_table(&sources, id, &spec);
    assert_eq!(read.problems, []);
    let edges: Vec<(usize, usize)> = read.found[0].edges.iter().map(|it| (it.from, it.to)).collect();
    assert_eq!(edges, [(0, 1), (1, 2)]);
    let imported = import("door.md", page, &Options { table: Some(spec.clone()), ..Options::default() });
    assert!(imported.specs[0].yaml.contains("event: paint"), "{}", imported.specs[0].yaml);
    for (wrong, message) in [
        (TableSpec { table: Some(3), ..spec.clone() }, "this page has no table 3: it has 2"),
        (TableSpec { table: None, ..spec.clone() }, "this page has 2 tables: name one with `--table`, or with `table` in `statespec.toml`"),
        (
            TableSpec { columns: columns("from=1,to=9").unwrap(), ..spec.clone() },
            "this table was not read: the table has no column 9; there are: `Where`, `What`, `Then`",
        ),
    ] {
        let messages: Vec<String> = read_table(&sources, id, &wrong).problems.into_iter().map(|it| it.message).collect();
        assert_eq!(messages, [message]);
    }
    for (text, message) in [
        ("from", "`from` is no column: write `from=1,to=2`"),
        ("from=0", "columns are counted from 1"),
        ("from=1,from=2", "`from` is given twice"),
        ("form=1", "there is no column `form`; there are: from, to, event, guard, effect, actor, allowed, doc"),
        ("from=\"a", "a quote is missing behind `a`"),
        ("from=\"a\" to=1", "a comma is missing before `to=1`"),
        ("from=,to=1", "`from` needs a number or a heading"),
    ] {
        assert_eq!(columns(text).unwrap_err(), message);
    }
}

/// On a page that this program made, `after 2m` is a timer; elsewhere it is the name of an event.
#[test]
fn timers_of_generated_pages_are_timers() {
    let diagram = "```mermaid\nstateDiagram-v2\n    [*] --> open\n    open --> shut: after 2m [calm]\n    shut --> open: push\n```\n";
    let table = "| From | To | Event |\n| --- | --- | --- |\n| `open` | `shut` | after 2m |\n| `shut` | `open` | `push` |\n";
    for text in [diagram, table] {
        let page = format!("# Door states\n\n{text}");
        let of = |page: &str| import("door.md", page, &Options::default()).specs.into_iter().map(|it| it.yaml).collect::<String>();
        let own = of(&format!("<!-- @generated by statespec from machines/door.yaml -->\n\n{page}"));
        assert!(own.contains("from: open, after: 2m") && !own.contains("after_2m"), "{own}");
        let other = of(&page);
        assert!(other.contains("from: open, event: after_2m"), "{other}");
    }
}

#[test]
fn one_of_several_machines_can_be_picked() {
    let page = std::fs::read_to_string(folder(Format::Markdown).join("page.md")).unwrap();
    let pick = |name: &str| import("page.md", &page, &Options { only: Some(name.into()), ..Options::default() });
    let names: Vec<String> = pick("ticket").specs.into_iter().map(|it| it.name).collect();
    assert_eq!(names, ["ticket"]);
    assert!(pick("nobody").problems.iter().any(|it| it.message == "this page has no machine `nobody`"));
}

/// The way from a page with a diagram to a page that `check` guards, on the disk.
#[test]
fn a_page_with_markers_is_guarded_from_then_on() {
    let page = "# Parcel\n\nBefore.\n\n```mermaid\nstateDiagram-v2\n  [*] --> packed\n  packed --> sent: send it\n  sent --> [*]\n```\n\nAfter.\n\n> ```mermaid\n> stateDiagram-v2\n> [*] --> quoted\n> ```\n";
    let imported = import(
        "docs/parcel.md",
        page,
        &Options { markers: Some(Markers { read: sync::regions, around: sync::marked }), ..Options::default() },
    );
    let marked = imported.page.clone().expect("there is something to mark");
    assert_eq!(marked.matches("<!-- statespec:begin parcel.diagram -->\n```mermaid\n").count(), 1);
    let without: String = marked.split_inclusive('\n').filter(|it| !it.starts_with("<!-- statespec:")).collect();
    assert_eq!(without, page);
    assert!(imported.findings().iter().any(|it| it.message.contains("it is inside a list, a quote")));

    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("statespec.toml", "[docs]\npages = false\n");
    write("docs/parcel.md", &marked);
    write("machines/parcel.yaml", &imported.specs[0].yaml);
    let run = |mode: Mode| {
        Project::open(folder.path()).unwrap().run(|_| Ok(Extras::default()), mode, RenderOptions { full_diff: false, style: Style::Plain })
    };
    // The region contains the import in the author's spelling; an update keeps the meaning of the diagram.
    assert_eq!(run(Mode::Check).status, Status::Findings);
    assert_eq!(run(Mode::Write { force: false }).status, Status::Clean);
    assert_eq!(run(Mode::Check).status, Status::Clean);
    let filled = std::fs::read_to_string(folder.path().join("docs/parcel.md")).unwrap();
    assert!(
        filled.contains("    packed --> sent: send it\n") && filled.starts_with("# Parcel\n\nBefore.\n") && filled.contains("After."),
        "{filled}"
    );
    // A guarded diagram cannot drift.
    write("docs/parcel.md", &filled.replace("packed --> sent", "packed --> lost"));
    assert_eq!(run(Mode::Check).status, Status::Findings);
    write("docs/parcel.md", &filled);
    write("machines/parcel.yaml", &imported.specs[0].yaml.replace("send it", "send them"));
    assert_eq!(run(Mode::Check).status, Status::Findings);

    // A second import finds the markers.
    let again = import(
        "docs/parcel.md",
        &filled,
        &Options { markers: Some(Markers { read: sync::regions, around: sync::marked }), ..Options::default() },
    );
    assert_eq!(again.page, None);
}

/// The fenced blocks of a page: info string and text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks: Vec<(String, String)> = Vec::new();
    let mut open = false;
    for line in page.split_inclusive('\n') {
        match line.strip_prefix("```") {
            Some(info) if !open => blocks.push((info.trim().to_owned(), String::new())),
            Some(_) => {}
            None if open => blocks.last_mut().unwrap().1.push_str(line),
            None => {}
        }
        open ^= line.starts_with("```");
    }
    blocks
}

/// Every example of the guide is followed by its spec and by its report.
///
/// `UPDATE_IMPORT_GUIDE=1` writes the current results into the page.
#[test]
fn the_guide_shows_what_imports_make() {
    assert_eq!(["docs/guide/import.md", "docs/guide/tables.md", "docs/guide/rust.md"].map(n_examples), [4, 5, 1]);
}

/// The number of the examples of a page, each compared.
fn n_examples(page: &str) -> usize {
    let path = crate::project::root().join(page);
    let mut page = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let blocks = blocks(&page);
    let mut n_examples = 0;
    for (idx, (info, text)) in blocks.iter().enumerate() {
        let names = [
            ("mermaid", "order.mmd"),
            // The book highlights no PlantUML.
            ("txt", "lamp.puml"),
            ("markdown", "ticket.md"),
            ("xml", "player.scxml"),
            ("json", "light.json"),
            ("rust", "job.rs"),
        ];
        let Some((_, name)) = names.iter().find(|(it, _)| it == info) else { continue };
        n_examples += 1;
        let imported = import(name, text, &Options::default());
        let mut made = vec![("text", render(&imported.sources, &imported.findings(), Style::Plain))];
        // A list of states becomes no spec.
        made.splice(0..0, imported.specs.first().map(|it| ("yaml", it.yaml.clone())));
        for ((info, shown), (kind, made)) in blocks[idx + 1..].iter().zip(&made) {
            let made = format!("{}\n", made.trim_end());
            if *info != *kind {
                // An example that is imported completely needs no report.
                assert_eq!((*kind, made.trim()), ("text", ""), "{name}");
            } else if std::env::var_os("UPDATE_IMPORT_GUIDE").is_some() {
                page = page.replace(&format!("```{kind}\n{shown}```"), &format!("```{kind}\n{made}```"));
            } else {
                assert_eq!(*shown, made, "{name}: UPDATE_IMPORT_GUIDE=1 mends it");
            }
        }
    }
    if std::env::var_os("UPDATE_IMPORT_GUIDE").is_some() {
        std::fs::write(&path, page).unwrap();
    }
    n_examples
}

/// The configurations after some events, of a fixture that is imported and played.
fn played(format: Format, fixture: &str, events: &[&str]) -> Vec<String> {
    let machine = machine_of(&import_fixture(&folder(format).join(fixture)));
    let mut instance = Instance::start(&machine, &[]).unwrap();
    let after = |event: &&str| {
        let event = machine.event_named(event).unwrap();
        instance.fire(&machine, event, &[], &mut Script::default()).map_err(|it| it.show(&machine)).unwrap();
        machine.configuration_text(&instance.configuration).into_owned()
    };
    events.iter().map(after).collect()
}

#[test]
fn histories_of_one_state_remember_each_in_its_way() {
    let ways = played(Format::Scxml, "histories.scxml", &["deep", "off", "near", "next", "off", "near", "off", "deep"]);
    assert_eq!(ways, ["bold", "off", "plain", "bold", "off", "plain", "off", "plain"]);
    let ways = played(Format::XState, "histories.json", &["DEEP", "OFF", "NEAR", "OFF", "DEEP"]);
    assert_eq!(ways, ["reading", "off", "reading", "off", "reading"]);
}

#[test]
fn the_deep_history_of_regions_remembers_each_of_them() {
    // Nothing is remembered first, and the default is `bright`.
    let ways = played(Format::Scxml, "histories.scxml", &["all", "next", "off", "start", "off", "all"]);
    let inside = "right_inside+door_inside";
    let expected = ["bright+left_low", "bright+left_high", "off", "bright+left_low", "off", "bright+left_low"];
    assert_eq!(ways, expected.map(|it| if it == "off" { it.to_owned() } else { format!("{it}+{inside}") }));
    let ways = played(Format::Scxml, "histories.scxml", &["start", "next", "off", "all", "off", "both"]);
    let expected = ["dim+left_low", "bright+left_high", "off", "bright+left_high", "off", "bright+left_high"];
    assert_eq!(ways, expected.map(|it| if it == "off" { it.to_owned() } else { format!("{it}+{inside}") }));
    let ways = played(Format::XState, "histories.json", &["HOUSE", "NEXT", "OFF", "HOUSE", "OFF", "BOTH"]);
    let expected = ["bright+low", "bright+high", "off", "bright+high", "off", "bright+high"];
    assert_eq!(ways, expected.map(|it| if it == "off" { it.to_owned() } else { format!("{it}+{inside}") }));
}

#[test]
fn a_deep_start_is_no_event() {
    for (format, fixture) in
        [(Format::Scxml, "deep_start.scxml"), (Format::Scxml, "deep_start_of_regions.scxml"), (Format::Mermaid, "deep_start.mmd")]
    {
        let machine = machine_of(&import_fixture(&folder(format).join(fixture)));
        assert!(machine.event_named("create").is_none(), "{fixture}");
        let instance = Instance::start(&machine, &[]).unwrap();
        let at = machine.configuration_text(&instance.configuration).into_owned();
        assert_eq!(at, if fixture.contains("regions") { "bright+warm" } else { "turning" }, "{fixture}");
    }
    // `active` starts in `idle`, `moving` in `driving`, wherever the machine starts; the history is shallow.
    let events = ["straight", "turn", "pause", "start", "go", "turn", "pause", "resume", "turn", "reset", "pause", "cover"];
    let ways = played(Format::Scxml, "deep_start.scxml", &events);
    let expected = ["driving", "turning", "off", "idle", "driving", "turning", "off", "driving", "turning", "idle", "off", "shut"];
    assert_eq!(ways, expected);
    let ways = played(Format::Scxml, "deep_start_of_regions.scxml", &["dim", "leave", "enter", "leave", "light"]);
    assert_eq!(ways, ["dark+warm", "away", "dark+cold", "away", "bright+cold"]);
}

#[test]
fn what_is_raised_depends_on_the_place() {
    let events = ["call", "shut", "unlock", "end", "full", "shut", "unlock", "ready", "shut"];
    let ways = played(Format::Scxml, "raised_by_place.scxml", &events);
    assert_eq!(ways, ["busy", "dark", "busy", "quiet", "counting", "closed", "counting", "quiet", "dark"]);
    assert_eq!(played(Format::XState, "raised.json", &["SLAM"]), ["locked"]);
    assert_eq!(played(Format::XState, "raised.json", &["PUSH", "SLAM"]), ["heard", "shut"]);
}

#[test]
fn a_sent_event_waits_behind_those_that_are_raised() {
    assert_eq!(played(Format::Scxml, "send_behind_raise.scxml", &["go"]), ["g"]);
}
