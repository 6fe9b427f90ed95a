//! Parts of a system with regions: pages, JSON, play, exploration, lints, and what links see of a step.
//!
//! The test program `rust` compares the emitted code of the same fixture with the interpreter.

use statespec_codegen::changes::{Rule, changes_of_models};
use statespec_codegen::diagnostic::{Levels, Style, render};
use statespec_codegen::model::{Model, PartId};
use statespec_codegen::source::{Input, Sources};
use statespec_explore::play::{Answer, Session};
use statespec_explore::{Limits, Subject, explore};
use statespec_lang::check::check;
use statespec_lang::interpret::World;
use statespec_lang::lower::load;

use crate::project::{emit, model};

const FIXTURES: [(&str, &str); 4] = [
    ("machines/bay.yaml", include_str!("fixtures/rust/bay.yaml")),
    ("machines/car_wash.yaml", include_str!("fixtures/rust/car_wash.yaml")),
    ("machines/hall.yaml", include_str!("fixtures/rust/hall.yaml")),
    ("machines/voucher.yaml", include_str!("fixtures/rust/voucher.yaml")),
];

fn inputs(edits: &[(&str, &str)]) -> Vec<Input> {
    let edited = |text: &str| edits.iter().fold(text.to_owned(), |text, (old, new)| text.replace(old, new));
    FIXTURES.map(|(path, text)| Input { path: path.into(), text: edited(text) }).into()
}

fn car_wash(edits: &[(&str, &str)]) -> (Sources, Model) {
    model(&inputs(edits))
}

/// The lint findings.
fn findings(edits: &[(&str, &str)]) -> String {
    let mut all = inputs(edits);
    // Another rule would refuse their steps.
    let told = all[1].text.find("walkthroughs:").unwrap();
    all[1].text.truncate(told);
    let loaded = load(&all);
    let model = loaded.model.unwrap();
    render(&loaded.sources, &check(&model, &Levels::default()), Style::Plain)
}

#[test]
fn the_page_shows_configurations() {
    let (sources, model) = car_wash(&[]);
    let files = emit(&sources, &model).files;
    let page = files.iter().find(|it| it.path == "docs/machines/car_wash.md").unwrap();
    insta::assert_snapshot!("system_regions_page", page.text);
}

#[test]
fn play_shows_configurations_and_waits() {
    let (_, model) = car_wash(&[]);
    let mut session = Session::new(&model, Subject::System("car_wash")).unwrap();
    let mut text = String::new();
    let lines = [
        "unlock bay=1",
        "buy bay=1 voucher=1 number=7 member=true by=card",
        "lift bay=1",
        "wash voucher=1",
        "clear bay=1",
        "wash voucher=1",
        "soaped bay=1",
        "wait 2m",
        "jam bay=1",
        "state",
        "trace",
    ];
    for line in lines {
        text.push_str(&Session::echo(line));
        match session.answer(line) {
            Answer::Said(said) => text.push_str(&said),
            Answer::Quit => panic!("nobody left"),
        }
    }
    insta::assert_snapshot!("system_regions_play", text);
}

/// A bay whose links only count.
const WATCHED: &str = "
system: watched
parts: { hall: { machine: hall }, bay: { machine: bay, many: true } }
transactions:
  morning: { fire: hall.morning }
  unlock: { fire: bay.unlock }
  lift: { fire: bay.lift }
  clear: { fire: bay.clear }
  jam: { fire: bay.jam }
  repair: { fire: bay.repair }
links:
  - { enter: bay.idle, fire: hall.count }
  - { enter: bay.shut, fire: hall.count }
  - { enter: bay.gate, fire: hall.count }
  - { enter: bay.in_use, fire: hall.count }
  - { enter: bay.brushes, fire: hall.count }
  - { exit: bay.in_use, fire: hall.count }
  - { exit: bay.gate, fire: hall.count }
  - { exit: bay.idle, fire: hall.count }
  - { exit: bay.raised, fire: hall.count }
";

#[test]
fn a_link_sees_every_region_once_for_each_step() {
    let mut all = inputs(&[]);
    all[1].text = WATCHED.into();
    let (_, model) = model(&all);
    let system = &model.systems[0];
    let mut world = World::new(&model, system).unwrap();
    let bay = system.part_id("bay").unwrap();
    let mut fired = String::new();
    let mut run = |name: &str| {
        let transaction = system.transactions.iter().position(|it| it.name == name).unwrap();
        let chosen: &[(PartId, u64)] = if name == "morning" { &[] } else { &[(bay, 1)] };
        let trace = world.run(&model, system, transaction, chosen, &[], &mut ()).unwrap_or_else(|it| panic!("{}", it.show(&model, system)));
        fired.push_str(&format!("{name}:"));
        for link in trace.fired.iter().filter_map(|it| it.link) {
            let link = &system.links[link];
            let state = &model.machine("bay").unwrap().state(link.state).name;
            fired.push_str(&format!(" {:?} {state}", link.on));
        }
        fired.push('\n');
    };
    ["morning", "unlock", "lift", "clear", "jam", "repair"].into_iter().for_each(&mut run);
    insta::assert_snapshot!("system_regions_links", fired);
}

#[test]
fn exploration_sees_every_configuration() {
    let (sources, model) = car_wash(&[]);
    let limits = Limits { instances: [("bay".to_owned(), 1), ("voucher".to_owned(), 1)].into(), ..Limits::default() };
    let report = explore(&model, Subject::System("car_wash"), &limits).unwrap();
    insta::assert_snapshot!("system_regions_explored", report.text(&sources));
}

#[test]
fn lints_know_which_states_exclude_each_other() {
    let with = |condition: &str| {
        let rule = format!("rules:\n  - {{ before: bay.lift, require: {condition}, doc: A rule }}");
        let found = findings(&[("rules:", &rule)]);
        found.lines().filter(|it| it.contains("lint::rule-never")).collect::<Vec<_>>().join("\n")
    };
    let told = [
        "bay.state in raised and bay.state in soaping",
        "bay.state in raised and bay.state in shut",
        "bay.state in gate and bay.state in jammed",
        "bay.state in locked",
        "bay.state in idle",
        "bay.state in shut or not (bay.state in shut)",
        "not (bay.state in gate) or not (bay.state in jammed)",
        "hall.state in lit or hall.state in dark",
    ]
    .map(|condition| format!("{condition}: {}\n", with(condition)));
    insta::assert_snapshot!("system_regions_lints", told.concat());
}

#[test]
fn another_state_of_a_link_is_a_change_of_the_system() {
    let rules = |edits: &[(&str, &str)]| {
        let (old, new) = (car_wash(&[]), car_wash(edits));
        changes_of_models((&old.0, &old.1), (&new.0, &new.1)).iter().map(|it| it.rule).collect::<Vec<_>>()
    };
    assert_eq!(rules(&[]), []);
    assert_eq!(rules(&[("exit: bay.gate", "exit: bay.brushes")]), [Rule::SystemChanged]);
    assert_eq!(rules(&[("hall.state in lit or hall.state in closed", "hall.state in lit or hall.state in till")]), [Rule::SystemChanged]);
}
