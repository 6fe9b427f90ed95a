//! Machines with regions: what a step leaves, enters and does, told event by event; random ones against the algorithm of SCXML.

mod appendix_d;
pub(crate) mod random;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use statespec_codegen::diagnostic::{Style, render};
use statespec_codegen::model::{ConfigurationError, Machine, StateId};
use statespec_codegen::source::Input;
use statespec_lang::interpret::machine::allowed;
use statespec_lang::interpret::{Done, Error, Instance, Script, Step};
use statespec_lang::lower::load;

fn machine(text: &str) -> Machine {
    let loaded = load(&[Input { path: "m.yaml".into(), text: text.into() }]);
    let complaints = render(&loaded.sources, &loaded.diagnostics, Style::Plain);
    loaded.model.unwrap_or_else(|| panic!("{complaints}\n{text}")).machines.remove(0)
}

/// What some events do, one line for each step: the configuration after it, what it left and entered, and its effects.
fn told(machine: &Machine, events: &[&str]) -> String {
    let mut instance = machine.edges_from(None).is_empty().then(|| Instance::start(machine, &[]).unwrap());
    let mut text = String::new();
    if let Some(instance) = &instance {
        writeln!(text, "{}", machine.configuration_text(&instance.configuration)).unwrap();
    }
    for event in events {
        let done = fire(machine, &mut instance, event);
        match done {
            Ok(done) => {
                done.steps.iter().enumerate().for_each(|(idx, it)| line(&mut text, machine, if idx == 0 { event } else { "then" }, it))
            }
            Err(error) => writeln!(text, "{event}: {}", error.show(machine)).unwrap(),
        }
    }
    text
}

fn fire(machine: &Machine, instance: &mut Option<Instance>, event: &str) -> Result<Done, Error> {
    let mut host = Script::default();
    if let Some(target) = event.strip_prefix("to ") {
        return instance.as_mut().unwrap().transition_to(machine, machine.state_named(target).unwrap(), &mut host);
    }
    let event = machine.event_named(event).unwrap();
    match instance {
        Some(it) => it.fire(machine, event, &[], &mut host),
        None => Instance::create(machine, event, &[], &[], &mut host).map(|(created, done)| {
            *instance = Some(created);
            done
        }),
    }
}

fn line(text: &mut String, machine: &Machine, event: &str, step: &Step) {
    let names = |ids: &[StateId]| ids.iter().map(|it| machine.state(*it).name.as_str()).collect::<Vec<_>>().join(" ");
    write!(text, "{event}: {}", machine.configuration_text(&step.to)).unwrap();
    if !step.exited.is_empty() || !step.entered.is_empty() {
        write!(text, " | {} -> {}", names(&step.exited), names(&step.entered)).unwrap();
    }
    let effects: Vec<&str> = step.effects.iter().map(|it| machine.effect(it.effect).name.as_str()).collect();
    writeln!(text, "{}{}", if effects.is_empty() { "" } else { " | " }, effects.join(" ")).unwrap();
}

const PLAYER: &str = "
machine: player
states:
  off: { initial: true }
  on:
    entry: lamp_on
    exit: lamp_off
    regions:
      power:
        states:
          full: { initial: true, entry: bright, exit: dim }
          low: {}
      playback:
        states:
          stopped: { initial: true }
          playing:
            entry: sound
            exit: silence
            states: { track: { initial: true }, skipping: {} }
          broken: { terminal: true }
events: [toggle, save, play, next, stop, hit, reset, both, drain, ping]
effects: [lamp_on, lamp_off, bright, dim, sound, silence, log, cheer]
transitions:
  - { from: off, event: toggle, to: on }
  - { from: on, event: toggle, to: off, do: log }
  - { from: full, event: save, to: low }
  - { from: [full, playing], event: drain, to: off }
  - { from: stopped, event: play, when: \"not in(low)\", to: playing, do: cheer }
  - { from: stopped, event: play, refuse: not enough power }
  - { from: track, event: next, to: skipping }
  - { from: skipping, event: next, to: track }
  - { from: playing, event: stop, to: stopped }
  - { from: on, event: stop, do: log }
  - { from: playback, event: hit, to: broken }
  - { from: on, event: reset, to: on, reenter: true }
  - { from: on, event: both, to: [low, skipping] }
  - { from: off, event: both, to: [low, playing] }
  - { from: full, event: ping, do: log }
  - { from: on, event: ping, refuse: nobody is there }
";

#[test]
fn a_player_is_in_one_state_of_each_region() {
    let machine = machine(PLAYER);
    let events = ["play", "toggle", "play", "save", "stop", "play", "next", "both", "next", "reset", "hit", "toggle", "both", "drain"];
    assert_eq!(
        told(&machine, &events),
        "off
play: `play` is refused in `off`: allowed here are `toggle` and `both`
toggle: full+stopped | off -> on power full playback stopped | lamp_on bright
play: full+track | stopped -> playing track | sound cheer
save: low+track | full -> low | dim
stop: low+stopped | track playing -> stopped | silence log
play: not enough power
next: `next` is refused in `on/power/low+on/playback/stopped`: allowed here are `toggle`, `play`, `stop`, `hit`, `reset` and `both`
both: low+skipping | stopped low -> low playing skipping | sound
next: low+track | skipping -> track
reset: full+stopped | track playing playback low power on -> on power full playback stopped | silence lamp_off lamp_on bright
hit: full+broken | stopped -> broken
toggle: off | broken playback full power on -> off | dim lamp_off log
both: low+track | off -> on power low playback playing track | lamp_on sound
drain: off | track playing playback low power on -> off | silence lamp_off
"
    );
}

#[test]
fn a_refusal_around_the_regions_gives_way_to_a_row_inside() {
    let machine = machine(PLAYER);
    // `stop` is taken by `playing` and, for the other leaf, by `on`; `ping` by `full`, which lies inside the state that refuses it.
    assert_eq!(
        told(&machine, &["toggle", "ping", "save", "ping"]),
        "off
toggle: full+stopped | off -> on power full playback stopped | lamp_on bright
ping: full+stopped | log
save: low+stopped | full -> low | dim
ping: nobody is there
"
    );
}

/// The conflicts of appendix D: of two transitions that leave a state in common, the inner one is taken, otherwise the first.
const CONFLICTS: &str = "
machine: conflicts
states:
  p:
    initial: true
    regions:
      a: { states: { a1: { initial: true }, a2: {} } }
      b: { states: { b1: { initial: true }, b2: {} } }
      c: { states: { c1: { initial: true }, c2: {} } }
  out: {}
  far: {}
events: [first, inner, any, cross, other]
effects: [one, two, three]
transitions:
  - { from: a1, event: first, to: a2, do: one }
  - { from: b1, event: first, to: out, do: two }
  - { from: c1, event: first, to: c2, do: three }
  - { from: p, event: inner, to: out }
  - { from: b1, event: inner, to: far }
  - { from: '*', event: any, do: one }
  - { from: a1, event: cross, to: b2 }
  - { from: c1, event: other, to: c2 }
  - { from: p, event: other, to: [a2, b2] }
";

#[test]
fn conflicts_are_resolved_as_in_the_recommendation() {
    let machine = machine(CONFLICTS);
    // The first in the order of states comes first; `b1` preempts nothing inside it, and `c1` is as far outside as `b1`.
    assert_eq!(told(&machine, &["first"]), "a1+b1+c1\nfirst: a2+b1+c2 | c1 a1 -> a2 c2 | one three\n");
    // The row of `p` is selected first, and the row of `b1` is inside it.
    assert_eq!(told(&machine, &["inner"]), "a1+b1+c1\ninner: far | c1 c b1 b a1 a p -> far\n");
    // A row of every state is taken once.
    assert_eq!(told(&machine, &["any"]), "a1+b1+c1\nany: a1+b1+c1 | one\n");
    // From one region into another: the state around both is left and entered again.
    assert_eq!(told(&machine, &["cross"]), "a1+b1+c1\ncross: a1+b2+c1 | c1 c b1 b a1 a p -> p a a1 b b2 c c1\n");
    // The row of `p` leaves two regions, the row of `c1` the third one.
    assert_eq!(told(&machine, &["other"]), "a1+b1+c1\nother: a2+b2+c2 | c1 b1 a1 -> a2 b2 c2\n");
}

const DONE: &str = "
machine: shipment
context: { last: int, at: { type: state, optional: true } }
states:
  new: { initial: true }
  work:
    regions:
      pack: { states: { packing: { initial: true }, packed: { terminal: true } } }
      pay:
        history: at
        states: { unpaid: { initial: true }, checking: {}, paid: { terminal: true } }
  sent: { terminal: true }
  held: {}
events: [start, pack, check, pay, all, hold, resume, note]
effects: [receipt, label]
transitions:
  - { from: new, event: start, to: work }
  - { from: packing, event: [pack, all], to: packed, set: { last: 1 } }
  - { from: unpaid, event: check, to: checking }
  - { from: [unpaid, checking], event: [pay, all], to: paid, set: { last: last + 2 } }
  - { from: pack, done: true, do: label }
  - { from: pay, done: true, do: receipt, raise: note }
  - { from: paid, event: note }
  - { from: work, done: true, to: sent }
  - { from: work, event: hold, to: held }
  - { from: held, event: resume, to: [packing, '{at}'] }
";

#[test]
fn a_parallel_state_is_done_when_all_its_regions_are() {
    let machine = machine(DONE);
    assert_eq!(
        told(&machine, &["start", "check", "hold", "resume", "pay", "pack"]),
        "new
start: packing+unpaid | new -> work pack packing pay unpaid
check: packing+checking | unpaid -> checking
hold: held | checking pay packing pack work -> held
resume: packing+checking | held -> work pack packing pay checking
pay: packing+paid | checking -> paid
then: packing+paid | receipt
then: packing+paid
pack: packed+paid | packing -> packed
then: packed+paid | label
then: sent | paid pay packed pack work -> sent
"
    );
    assert_eq!(
        told(&machine, &["start", "all"]),
        "new
start: packing+unpaid | new -> work pack packing pay unpaid
all: packed+paid | unpaid packing -> packed paid
then: packed+paid | label
then: packed+paid | receipt
then: sent | paid pay packed pack work -> sent
"
    );
    // Both rows read the context from before the step, and the later one has the last word.
    let mut instance = Some(Instance::start(&machine, &[]).unwrap());
    for event in ["start", "all"] {
        fire(&machine, &mut instance, event).unwrap();
    }
    assert_eq!(instance.unwrap().context[0], statespec_codegen::model::Value::Int(2));
}

const TOP: &str = "
machine: keys
regions:
  caps: { states: { lower: { initial: true }, upper: {} } }
  num:
    states:
      digits: { initial: true, wire: num-on }
      arrows:
        regions:
          x: { states: [x1, x2] }
          y: { states: [y1, y2] }
events: [caps, num, all]
transitions:
  - { from: lower, event: [caps, all], to: upper }
  - { from: upper, event: caps, to: lower }
  - { from: digits, event: [num, all], to: arrows }
  - { from: arrows, event: num, to: digits }
  - { from: lower, when: in(x2), to: upper }
  - { from: '*', to: x2 }
";

#[test]
fn a_machine_of_regions_has_no_state_around_them() {
    let machine = machine(TOP);
    assert_eq!(
        told(&machine, &["all", "all", "caps", "to upper", "to x2", "to upper", "num"]),
        "lower+num-on
all: upper+x1+y1 | digits lower -> upper arrows x x1 y y1
all: `all` is refused in `caps/upper+num/arrows/x/x1+num/arrows/y/y1`: allowed here are `caps` and `num`
caps: lower+x1+y1 | upper -> lower
to upper: `caps/lower+num/arrows/x/x1+num/arrows/y/y1` does not go to `caps/upper`: no guard holds
to x2: lower+x2+y1 | x1 -> x2
to upper: upper+x2+y1 | lower -> upper
num: upper+num-on | y1 y x2 x arrows -> digits
"
    );
}

#[test]
fn the_text_of_a_configuration_is_read_back_strictly() {
    let machine = machine(TOP);
    let initial = machine.initial();
    assert_eq!(machine.configuration_text(&initial), "lower+num-on");
    assert_eq!(machine.configuration_of("lower+num-on"), Ok(initial.clone()));
    let mut texts = BTreeSet::new();
    for caps in ["lower", "upper"] {
        for num in ["num-on", "x1+y1", "x1+y2", "x2+y1", "x2+y2"] {
            let text = format!("{caps}+{num}");
            let read = machine.configuration_of(&text).unwrap();
            assert_eq!(machine.configuration_text(&read), text);
            let leaves: Vec<StateId> = read.leaves().collect();
            assert_eq!(machine.configuration(&leaves).as_ref(), Ok(&read));
            texts.insert(text);
        }
    }
    assert_eq!(texts.len(), 10);
    let error = |text: &str| machine.configuration_of(text).unwrap_err().to_string();
    assert_eq!(error(""), "there is no state ``");
    assert_eq!(error("lower"), "there is no state of the region `num`");
    assert_eq!(error("num-on"), "there is no state of the region `caps`");
    assert_eq!(error("lower+x1"), "there is no state of the region `y`");
    assert_eq!(error("lower+x1+y1+"), "there is no state ``");
    assert_eq!(error("lower+digits"), "there is no state `digits`");
    assert_eq!(error("lower+arrows"), "there is no state `arrows`");
    assert_eq!(error("num-on+lower"), "`lower` comes before `num-on`");
    assert_eq!(error("lower+upper+num-on"), "a machine is never in `lower` and in `upper` at once");
    assert_eq!(error("lower+num-on+x1"), "a machine is never in `num-on` and in `x1` at once");
    assert_eq!(error("lower+lower+num-on"), "a machine is never in `lower` and in `lower` at once");
    assert_eq!(machine.configuration(&[]), Err(ConfigurationError::Missing("caps".into())));
}

#[test]
fn what_is_permitted_is_what_some_region_takes() {
    let machine = machine(TOP);
    let at = machine.initial();
    let names = |ids: Vec<statespec_codegen::model::EventId>| ids.iter().map(|it| machine.event(*it).name.as_str()).collect::<Vec<_>>();
    assert_eq!(names(allowed(&machine, Some(&at))), ["caps", "num", "all"]);
    let state = |name: &str| machine.state_named(name).unwrap();
    for (name, is_active) in [("caps", true), ("lower", true), ("upper", false), ("num", true), ("arrows", false), ("x", false)] {
        assert_eq!(machine.is_active(&at, state(name)), is_active, "{name}");
    }
    let successors: Vec<&str> = machine.successors(state("digits")).iter().map(|it| machine.state(*it).name.as_str()).collect();
    assert_eq!(successors, ["x1", "x2", "y1"]);
}

#[test]
fn diagrams_and_tables_show_regions() {
    let inputs = [
        Input { path: "machines/fair.yaml".into(), text: include_str!("fixtures/regions.yaml").into() },
        Input { path: "machines/player.yaml".into(), text: PLAYER.into() },
    ];
    let loaded = load(&inputs);
    let model = loaded.model.unwrap();
    let mut shown = String::new();
    for machine in &model.machines {
        let style = statespec_codegen::model::document::DiagramStyle::default();
        let drawn = statespec_codegen::backend::mermaid::diagram(machine, &style).unwrap();
        writeln!(shown, "{}\n{}", drawn.text(), statespec_codegen::backend::dot::graph(machine)).unwrap();
    }
    let pages = crate::project::emit(&loaded.sources, &model);
    let page = pages.files.iter().find(|it| it.path.ends_with("fair.md")).unwrap();
    shown.push_str(&page.text);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots/regions");
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!("pages", shown));
}

#[test]
fn exploration_visits_configurations() {
    use statespec_codegen::diagnostic::Code;
    use statespec_explore::{Limits, Subject, explore};

    let text = include_str!("fixtures/regions.yaml");
    let told = |text: &str| {
        let loaded = load(&[Input { path: "machines/fair.yaml".into(), text: text.into() }]);
        let model = loaded.model.unwrap();
        explore(&model, Subject::Machine("fair"), &Limits::default()).unwrap()
    };

    let report = told(text);
    assert_eq!((report.bounds.as_slice(), report.findings.as_slice()), (&[][..], &[][..]));
    assert!(report.states > 20, "{}", report.states);
    // Without a context, exploration sees the configurations that events lead to, and no others.
    let loaded = load(&[Input { path: "machines/player.yaml".into(), text: PLAYER.into() }]);
    let model = loaded.model.unwrap();
    let machine = &model.machines[0];
    let mut seen = BTreeSet::new();
    let mut open = vec![Instance::start(machine, &[]).unwrap()];
    while let Some(at) = open.pop() {
        if !seen.insert(at.configuration.clone()) {
            continue;
        }
        for event in (0..machine.events.len()).map(statespec_codegen::model::EventId::new) {
            let mut next = at.clone();
            if next.fire(machine, event, &[], &mut ()).is_ok() {
                open.push(next);
            }
        }
    }
    let report = explore(&model, Subject::Machine("player"), &Limits::default()).unwrap();
    assert_eq!((report.states, seen.len()), (9, 9));
    // A ride that nobody can leave, and a guard that never holds.
    let stuck =
        text.replace("  - { from: turning, event: stop, to: still }\n", "").replace("when: in(bright)", "when: in(bright) and in(dark)");
    let findings: Vec<Code> = told(&stuck).findings.iter().map(|it| it.code).collect();
    assert!(findings.contains(&Code::ExploreUntaken) && findings.contains(&Code::ExploreImpossible), "{findings:?}");
}

#[test]
fn a_machine_with_regions_is_played_by_hand() {
    use statespec_codegen::rust_test::RustTests;
    use statespec_explore::Subject;
    use statespec_explore::play::{Answer, Session};

    let loaded = load(&[Input { path: "machines/fair.yaml".into(), text: include_str!("fixtures/regions.yaml").into() }]);
    let model = loaded.model.unwrap();
    let mut session = Session::new(&model, Subject::Machine("fair")).unwrap().with_tests(RustTests::default());
    let mut text = String::new();
    for line in ["", "dusk", "resume", "stop", "turn", "end", "dawn", "test"] {
        text.push_str(&Session::echo(line));
        match session.answer(line) {
            Answer::Said(said) => text.push_str(&said),
            Answer::Quit => break,
        }
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots/regions");
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!("session", text));
}
