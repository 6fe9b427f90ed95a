//! Several instances of one part in one transaction: pages, JSON, play, exploration, changes, and what is refused.
//!
//! The test program `rust` holds the emitted code of the same fixture against the interpreter.

use statespec_codegen::changes::{Rule, changes_of_models};
use statespec_codegen::model::{Model, PartId, System, Value};
use statespec_codegen::source::{Input, Sources};
use statespec_explore::play::{Answer, Session};
use statespec_explore::{Limits, Subject, explore};
use statespec_lang::interpret::{EffectCall, Fired, SystemError, SystemHost, World};

use crate::project::{emit, model};

const FIXTURES: [(&str, &str); 5] = [
    ("machines/badge.yaml", include_str!("fixtures/rust/badge.yaml")),
    ("machines/crew.yaml", include_str!("fixtures/rust/crew.yaml")),
    ("machines/dispatch.yaml", include_str!("fixtures/rust/dispatch.yaml")),
    ("machines/hand.yaml", include_str!("fixtures/rust/hand.yaml")),
    ("machines/yard.yaml", include_str!("fixtures/rust/yard.yaml")),
];

fn dispatch(edits: &[(&str, &str)]) -> (Sources, Model) {
    let edited = |text: &str| edits.iter().fold(text.to_owned(), |text, (old, new)| text.replace(old, new));
    model(&FIXTURES.map(|(path, text)| Input { path: path.into(), text: edited(text) }))
}

#[test]
fn the_page_shows_every_instance() {
    let (sources, model) = dispatch(&[]);
    let files = emit(&sources, &model).files;
    let page = files.iter().find(|it| it.path == "docs/machines/dispatch.md").unwrap();
    insta::assert_snapshot!("roles_page", page.text);
}

#[test]
fn play_takes_an_instance_for_every_role() {
    let (_, model) = dispatch(&[]);
    let mut session = Session::new(&model, Subject::System("dispatch")).unwrap();
    let mut text = String::new();
    let lines = [
        "found crew=1",
        "hire_two crew=1 hand=1 mate=2 load=0",
        "hire crew=1 hand=3 load=0",
        "holds hand.fit",
        "take hand=1 load=3",
        "hand_over hand=1 other=1 third=3",
        "hand_over hand=1 other=2 third=3",
        "hand_over hand=2",
        "greet hand=1 othr=2",
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
    insta::assert_snapshot!("roles_play", text);
}

#[test]
fn a_trace_names_the_instance_of_every_role() {
    let read = |name: &str, text: &str| Input { path: format!("machines/{name}"), text: text.into() };
    let stock = include_str!("fixtures/explore/stock.yaml");
    let (sources, explored) = model(&[read("bin.yaml", include_str!("fixtures/explore/bin.yaml")), read("stock.yaml", stock)]);
    let limits = Limits { instances: [("bin".to_owned(), 3)].into(), ..Limits::default() };
    let report = explore(&explored, Subject::System("stock"), &limits).unwrap();
    let text = report.text(&sources);
    insta::assert_snapshot!("roles_explored", text);
    // The trace is a walkthrough that goes as written.
    let trace = report.findings.iter().find_map(|it| it.trace.as_ref()).unwrap();
    let told = format!("{stock}walkthroughs:\n{}", trace.walkthrough("found", "A trace."));
    model(&[read("bin.yaml", include_str!("fixtures/explore/bin.yaml")), read("stock.yaml", &told)]);
}

#[test]
fn another_role_is_a_change_of_the_system() {
    let rules = |edits: &[(&str, &str)]| {
        let (old, new) = (dispatch(&[]), dispatch(edits));
        changes_of_models((&old.0, &old.1), (&new.0, &new.1)).iter().map(|it| it.rule).collect::<Vec<_>>()
    };
    assert_eq!(rules(&[]), []);
    let edits = [("also: { other: hand }, fire: [other.note]", "also: { third: hand }, fire: [third.note]")];
    assert_eq!(rules(&edits), [Rule::SystemChanged]);
}

/// A host with an effect or a store that fails.
#[derive(Default)]
struct Failing {
    before_fails: bool,
    store_fails: bool,
    stored: Vec<(PartId, u64)>,
    effects: Vec<u64>,
}

impl SystemHost for Failing {
    fn predicate(&self, _: PartId, _: statespec_codegen::model::PredicateId) -> bool {
        true
    }

    fn before(&mut self, _: PartId, _: u64, _: &EffectCall) -> Result<(), String> {
        if self.before_fails { Err("told to".into()) } else { Ok(()) }
    }

    fn store(&mut self, fired: &[Fired]) -> Result<(), String> {
        self.stored = fired.iter().map(|it| (it.part, it.number)).collect();
        if self.store_fails { Err("told to".into()) } else { Ok(()) }
    }

    fn effect(&mut self, _: PartId, number: u64, _: &EffectCall) {
        self.effects.push(number);
    }
}

fn run(
    model: &Model,
    system: &System,
    world: &mut World,
    call: (&str, &[(&str, u64)], &[Value]),
    host: &mut Failing,
) -> Result<Option<String>, SystemError> {
    let transaction = system.transactions.iter().position(|it| it.name == call.0).unwrap();
    let id = |name: &str| system.part_id(name).or_else(|| system.role_id(name)).unwrap();
    let chosen: Vec<(PartId, u64)> = call.1.iter().map(|(name, number)| (id(name), *number)).collect();
    world.run(model, system, transaction, &chosen, call.2, host).map(|it| it.unsaved)
}

#[test]
fn all_instances_change_or_none() {
    let (_, model) = dispatch(&[]);
    let system = &model.systems[0];
    let mut world = World::new(&model, system).unwrap();
    let mut go = |call| run(&model, system, &mut world, call, &mut Failing::default()).unwrap();
    go(("found", &[], &[]));
    go(("hire_two", &[("crew", 1)], &[Value::Int(0)]));
    go(("hire", &[("crew", 1)], &[Value::Int(0)]));
    go(("take", &[("hand", 1)], &[Value::Int(3), Value::Null]));

    let hand_over = ("hand_over", &[("hand", 1), ("other", 2), ("third", 3)][..], &[][..]);
    let start = world.clone();
    let failed = run(&model, system, &mut world, hand_over, &mut Failing { before_fails: true, ..Failing::default() });
    assert!(matches!(failed, Err(SystemError::Failed(..))), "{failed:?}");
    assert_eq!(world, start, "an effect of one instance fails, and none changes");

    let twice = ("hand_over", &[("hand", 1), ("other", 2), ("third", 1)][..], &[][..]);
    let refused = run(&model, system, &mut world, twice, &mut Failing::default()).unwrap_err();
    assert_eq!(refused.show(&model, system), "the same hand takes two roles");
    assert_eq!(world, start, "a refusal changes nothing");

    // `give` stores after the change and `take` before it: the first of both orders applies to both.
    let mut broken = Failing { store_fails: true, ..Failing::default() };
    let failed = run(&model, system, &mut world, hand_over, &mut broken);
    assert!(matches!(failed, Err(SystemError::Failed(..))), "{failed:?}");
    assert_eq!((world == start, broken.effects), (true, Vec::new()));

    let mut host = Failing::default();
    assert_eq!(run(&model, system, &mut world, hand_over, &mut host).unwrap(), None);
    let (crew, hand) = (system.part_id("crew").unwrap(), system.part_id("hand").unwrap());
    // The links of both hands change the same crew, one after the other.
    assert_eq!(host.stored, [(hand, 1), (hand, 2), (hand, 3), (crew, 1), (crew, 1)]);
    assert_eq!(world.instance(crew, 1).unwrap().context[0], Value::Int(1));
}

const LAMP: &str = "
machine: lamp
states: { off: { initial: true }, lit: {} }
events: [press]
transitions:
  - { from: off, event: press, to: lit }
  - { from: lit, after: 5s, to: off }
";

const LAMPS: &str = "
system: lamps
parts: { lamp: { machine: lamp, many: true } }
transactions:
  press: { fire: lamp.press }
  dim: { also: { spare: lamp }, fire: spare.lit_timeout }
";

#[test]
fn a_timer_elapses_in_a_role() {
    let (_, model) =
        model(&[("lamp", LAMP), ("lamps", LAMPS)].map(|(name, text)| Input { path: format!("machines/{name}.yaml"), text: text.into() }));
    let mut session = Session::new(&model, Subject::System("lamps")).unwrap();
    let mut said = |line: &str| match session.answer(line) {
        Answer::Said(said) => said,
        Answer::Quit => panic!("nobody left"),
    };
    said("press lamp=1");
    insta::assert_snapshot!(said("wait 5s"), @r"
    2026-01-01T00:00:05Z: dim spare=1
    lamp 1: lit -> off
    now is 2026-01-01T00:00:05Z
    ");
}
