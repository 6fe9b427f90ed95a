//! Every lint finds the problem of its fixture, and nothing else.
//!
//! `fixtures/lints/<lint>` contains a spec that triggers the lint (`hit.yaml`) and one that nearly does
//! (`miss.yaml`), and the machines that both need under `with`. All lints run on all of them,
//! and on everything else that is accepted, so that a false alarm is found.

use std::path::{Path, PathBuf};

use statespec_codegen::diagnostic::{Code, Diagnostic, Level, Levels, LintLevel, Style, render};
use statespec_codegen::model::Model;
use statespec_codegen::source::{Input, Sources};
use statespec_lang::check::check;
use statespec_lang::lower::load;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|it| it.unwrap().path()).collect();
    paths.sort();
    paths
}

fn input(path: &Path) -> Input {
    let name = path.file_name().unwrap().to_str().unwrap();
    Input { path: format!("machines/{name}"), text: std::fs::read_to_string(path).unwrap().replace("\r\n", "\n") }
}

fn model(inputs: &[Input]) -> (Sources, Model) {
    let loaded = load(inputs);
    let messages = render(&loaded.sources, &loaded.diagnostics, Style::Plain);
    (loaded.sources, loaded.model.unwrap_or_else(|| panic!("{messages}")))
}

/// The spec of a lint's fixture with the machines that it needs.
fn fixture(lint: Code, name: &str) -> (Sources, Model) {
    let folder = fixtures().join("lints").join(lint.short());
    let mut inputs = vec![input(&folder.join(name))];
    inputs.extend(files(&folder.join("with")).iter().map(|it| input(it)));
    model(&inputs)
}

/// All lints, including those that are off by default.
fn all_on() -> Levels {
    let off = Code::lints().filter(|it| it.lint_level() == Some(LintLevel::Allow));
    Levels::from_pairs(off.map(|it| (it.short(), "warn"))).unwrap()
}

/// The lint of a fixture, turned on if it is off by default.
fn own_on(lint: Code) -> Levels {
    let off = Some(lint).filter(|it| it.lint_level() == Some(LintLevel::Allow));
    Levels::from_pairs(off.map(|it| (it.short(), "warn"))).unwrap()
}

fn lines(sources: &Sources, found: &[Diagnostic]) -> String {
    let line = |it: &Diagnostic| format!("{}: {}: {}\n", sources.location(it.primary.0), it.code.id(), it.message);
    found.iter().map(line).collect()
}

#[test]
fn every_lint_finds_what_its_fixture_does_wrong_and_no_other_does() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots/lints");
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| {
        for lint in Code::lints() {
            let (sources, model) = fixture(lint, "hit.yaml");
            let found = check(&model, &own_on(lint));
            let messages = render(&sources, &found, Style::Plain);
            assert!(found.iter().any(|it| it.code == lint), "{} finds nothing in its fixture\n{messages}", lint.id());
            assert!(found.iter().all(|it| it.code == lint), "false alarm in the fixture of {}\n{messages}", lint.id());
            for diagnostic in &found {
                assert!(diagnostic.help.is_some() && !diagnostic.message.ends_with('.'), "{messages}");
                let level = own_on(lint).of(lint).unwrap();
                assert_eq!(diagnostic.level, if level == LintLevel::Deny { Level::Error } else { Level::Warning });
            }
            insta::assert_snapshot!(lint.short(), messages);
        }
    });
}

#[test]
fn no_lint_finds_anything_in_a_near_miss() {
    for lint in Code::lints() {
        let (sources, model) = fixture(lint, "miss.yaml");
        let found = check(&model, &own_on(lint));
        assert!(found.is_empty(), "{}\n{}", lint.id(), render(&sources, &found, Style::Plain));
    }
}

/// The page of lints is an output, so it has what the generator makes.
#[test]
fn the_page_shows_the_fixtures_of_every_lint() {
    let page = crate::project::read("docs/reference/lints.md").unwrap();
    let sections: Vec<&str> = page.split("\n### ").skip(1).collect();
    let names: Vec<&str> = sections.iter().map(|it| it.lines().next().unwrap()).collect();
    assert_eq!(names, Code::lints().map(Code::short).collect::<Vec<_>>());
    for (lint, section) in Code::lints().zip(sections) {
        let example = |name: &str| input(&fixtures().join("lints").join(lint.short()).join(name)).text;
        let examples =
            format!("\nReported:\n\n```yml\n{}```\n\nNot reported:\n\n```yml\n{}```\n", example("hit.yaml"), example("miss.yaml"));
        assert_eq!((section.matches(&examples).count(), section.matches("\nReported:\n").count()), (1, 1), "{}", lint.short());
    }
}

#[test]
fn every_fixture_belongs_to_a_lint() {
    for folder in files(&fixtures().join("lints")) {
        let name = folder.file_name().unwrap().to_str().unwrap();
        assert!(Code::lint(name).is_some(), "{name}");
    }
}

#[test]
fn the_reference_machines_are_clean() {
    let inputs: Vec<Input> = files(&fixtures().join("../../../machines")).iter().map(|it| input(it)).collect();
    let (sources, model) = model(&inputs);
    let found = check(&model, &Levels::default());
    assert!(found.is_empty(), "{}", render(&sources, &found, Style::Plain));
    // Their findings without waivers and with every lint on.
    let bare = Model { waivers: Vec::new(), ..model };
    insta::assert_snapshot!("reference_machines", lines(&sources, &check(&bare, &all_on())));
}

#[test]
fn what_the_lints_say_of_the_fixtures_of_other_tests() {
    let inputs: Vec<Input> = files(&fixtures().join("rust")).iter().map(|it| input(it)).collect();
    let (sources, model) = model(&inputs);
    insta::assert_snapshot!("other_fixtures", lines(&sources, &check(&model, &all_on())));
}

/// The codes found in one machine.
fn found_in(text: &str) -> Vec<&'static str> {
    let (_, model) = model(&[Input { path: "machines/m.yaml".into(), text: text.into() }]);
    check(&model, &Levels::default()).iter().map(|it| it.code.short()).collect()
}

#[test]
fn a_waiver_covers_its_element_and_what_lies_inside() {
    let spec = |machine: &str, whole: &str, leaf: &str| {
        format!(
            "machine: m\nallow: {{ {machine} }}\nstates:\n  a: {{ initial: true }}\n  whole:\n    allow: {{ {whole} }}\n    states:\n      \
             b: {{ initial: true, allow: {{ {leaf} }} }}\n      c: {{ terminal: true }}\nevents: {{ go: {{}}, end: {{}} }}\ntransitions:\n  \
             - {{ from: a, event: go, to: whole }}\n  - {{ from: a, event: end, to: c }}\n"
        )
    };
    let reason = "dead-end: It is meant.";
    assert_eq!(found_in(&spec("", "", "")), ["dead-end"]);
    for (machine, whole, leaf) in [(reason, "", ""), ("", reason, ""), ("", "", reason)] {
        assert_eq!(found_in(&spec(machine, whole, leaf)), Vec::<&str>::new());
    }
    // The waiver of another lint has no effect, and is reported.
    assert_eq!(found_in(&spec("", "", "self-edge: It is meant.")), ["dead-end", "unneeded-waiver"]);
    assert_eq!(found_in(&spec("unneeded-waiver: Kept for later.", "", "dead-end: Yes., self-edge: No.")), Vec::<&str>::new());
    assert_eq!(found_in(&spec("unneeded-waiver: There is none.", "", reason)), ["unneeded-waiver"]);
}

#[test]
fn a_fork_reads_the_histories_that_it_leads_to() {
    let spec = |target: &str| {
        format!(
            "machine: m\ncontext: {{ a_was: {{ type: state, optional: true }} }}\nstates:\n  off: {{ initial: true }}\n  on:\n    \
             regions:\n      a: {{ history: a_was, states: {{ a1: {{ initial: true }}, a2: {{}} }} }}\n      \
             b: {{ states: {{ b1: {{ initial: true }}, b2: {{}} }} }}\nevents: [go, press]\ntransitions:\n  \
             - {{ from: off, event: press, to: {target} }}\n  - {{ from: on, event: press, to: off }}\n  \
             - {{ from: a1, event: go, to: a2 }}\n  - {{ from: b1, event: go, to: b2 }}\n"
        )
    };
    assert_eq!(found_in(&spec("['{a_was}', b2]")), Vec::<&str>::new());
    assert_eq!(found_in(&spec("[a1, b2]")), ["context-never-read"]);
}

#[test]
fn a_parallel_state_that_is_done_goes_on() {
    let spec = |row: &str| {
        format!(
            "machine: m\nstates:\n  on:\n    initial: true\n    regions:\n      \
             a: {{ states: {{ a1: {{ initial: true }}, a2: {{ terminal: true }} }} }}\n      \
             b: {{ states: {{ b1: {{ initial: true }}, b2: {{ terminal: true }} }} }}\n  off: {{}}\nevents: [go, press]\n\
             transitions:\n  - {{ from: a1, event: go, to: a2 }}\n  - {{ from: b1, event: go, to: b2 }}\n  \
             - {{ from: off, event: press, to: on }}\n{row}"
        )
    };
    let (done, press) = ("  - { from: on, done: true, to: off }\n", "  - { from: on, event: press, to: off }\n");
    assert_eq!(found_in(&spec(done)), Vec::<&str>::new());
    assert_eq!(found_in(&spec(&format!("{done}{press}"))), Vec::<&str>::new());
    // No row waits for the state to be done, so its outcomes are left without being named.
    assert_eq!(found_in(&spec(press)), ["terminal-edge"]);
}

#[test]
fn a_region_of_one_state_is_no_dead_end() {
    let spec = |more: &str| {
        format!(
            "machine: m\nregions:\n  listener: {{ states: {{ listening: {{ initial: true }}{more} }} }}\n  \
             lamp: {{ states: {{ dark: {{ initial: true }}, bright: {{}} }} }}\nevents: [press]\neffects: [beep]\ntransitions:\n  \
             - {{ from: listening, event: press, do: beep }}\n  - {{ from: dark, event: press, to: bright }}\n  \
             - {{ from: bright, event: press, to: dark }}\n"
        )
    };
    assert_eq!(found_in(&spec("")), Vec::<&str>::new());
    assert_eq!(found_in(&spec(", deaf: {}")), ["dead-end", "unreachable-state"]);
}

#[test]
fn a_row_that_starts_a_timer_again_has_an_effect() {
    let spec = |source: &str, row: &str| {
        format!(
            "machine: m\nstates:\n  on: {{ initial: true, states: {{ a: {{ initial: true }}, b: {{}} }} }}\n  off: {{}}\nevents: [go, touch]\n\
             transitions:\n  - {{ from: a, event: go, to: b }}\n  - {{ from: b, event: go, to: a }}\n  - {{ from: off, event: go, to: on }}\n  \
             - {{ from: {source}, after: 5s, to: off }}\n  - {{ {row} }}\n"
        )
    };
    assert_eq!(found_in(&spec("a", "from: a, event: touch, to: a")), Vec::<&str>::new());
    assert_eq!(found_in(&spec("on", "from: a, event: touch, to: a")), ["self-edge"]);
    assert_eq!(found_in(&spec("b", "from: a, event: touch, to: a")), ["self-edge"]);
}

#[test]
fn what_the_lints_say_of_the_examples_in_the_docs() {
    let mut told = String::new();
    for page in files(&fixtures().join("../../../docs/reference")) {
        let text = std::fs::read_to_string(&page).unwrap().replace("\r\n", "\n");
        let page = page.file_name().unwrap().to_str().unwrap().to_owned();
        let blocks = || text.split("\n```yaml\n").skip(1).filter_map(|it| it.split("\n```").next());
        let shared = blocks().filter_map(|it| Some((it.strip_prefix("shared: ")?.lines().next()?, it)));
        let shared: Vec<Input> = shared.map(|(name, it)| Input { path: format!("{name}.yaml"), text: it.to_owned() }).collect();
        for block in blocks().filter(|it| it.starts_with("machine:")) {
            let example = Input { path: page.clone(), text: block.to_owned() };
            let (sources, model) = model(&[&shared[..], &[example]].concat());
            told.push_str(&lines(&sources, &check(&model, &Levels::default())));
        }
    }
    insta::assert_snapshot!("examples", told);
}

#[test]
fn a_level_of_allow_silences_and_of_deny_makes_errors() {
    for lint in Code::lints() {
        let (_, model) = fixture(lint, "hit.yaml");
        assert!(check(&model, &Levels::from_pairs([(lint.short(), "allow")]).unwrap()).is_empty(), "{}", lint.id());
        let denied = check(&model, &Levels::from_pairs([(lint.id(), "deny")]).unwrap());
        assert!(denied.iter().all(|it| it.level == Level::Error) && !denied.is_empty(), "{}", lint.id());
    }
}
