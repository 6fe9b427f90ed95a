//! What is stated as possible is possible, and the other way round: random machines, the edges that everything states, and all steps
//! that the interpreter takes.
//!
//! Each guard asks a predicate of its own, or what is decided before a machine runs: a constant, the state that a payload names. A
//! guard that asks where the machine is stands apart: it is stated beside its row.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use statespec_codegen::backend::conformance::outputs;
use statespec_codegen::backend::mermaid::diagram;
use statespec_codegen::diagnostic::Levels;
use statespec_codegen::diagnostic::{Style, render};
use statespec_codegen::model::document::DiagramStyle;
use statespec_codegen::model::machine::{Edge, Outcome};
use statespec_codegen::model::{Configuration, EventId, Machine, PredicateId, StateId, TransitionId, Value};
use statespec_codegen::source::Input;
use statespec_lang::check::check;
use statespec_lang::expr::ExprKind;
use statespec_lang::interpret::{Error, Instance, Reason, Request, plan};
use statespec_lang::lower::load;
use statespec_lang::model::machine::On;

use crate::play::random::Random;

/// A random machine as text: leaves alone, in composites, or in regions.
fn text(random: &mut Random) -> String {
    let mut states = String::new();
    let mut context = String::new();
    let mut leaves: Vec<String> = Vec::new();
    // Composites that a terminal state inside completes, and the fields of histories.
    let (mut completed, mut remembered): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let mut composites: Vec<String> = Vec::new();
    let has_regions = random.below(3) == 0;
    let (top, n_groups) = if has_regions { ("regions", 2) } else { ("states", 2 + random.below(3)) };
    for group in 0..n_groups {
        let is_composite = has_regions || random.below(3) == 0;
        let initial = if group == 0 && !has_regions { "initial: true" } else { "" };
        if !is_composite {
            writeln!(states, "  l{group}: {{ {initial} }}").unwrap();
            leaves.push(format!("l{group}"));
            continue;
        }
        composites.push(format!("g{group}"));
        let comma = if initial.is_empty() { "" } else { ", " };
        let mut history = String::new();
        if random.below(3) == 0 {
            writeln!(context, "  h{group}: {{ type: state, optional: true }}").unwrap();
            let shallow = random.below(2) == 0;
            history = if shallow { format!("history: {{ field: h{group}, shallow: true }}, ") } else { format!("history: h{group}, ") };
            remembered.push(format!("h{group}"));
        }
        write!(states, "  g{group}: {{ {initial}{comma}{history}states: {{ ").unwrap();
        let n_children = 2 + random.below(2);
        let is_completed = random.below(3) == 0;
        if is_completed {
            completed.push(format!("g{group}"));
        }
        for child in 0..n_children {
            let first = match child {
                0 => "initial: true",
                _ if is_completed && child + 1 == n_children => "terminal: true",
                _ => "",
            };
            write!(states, "{}l{group}_{child}: {{ {first} }}", if child == 0 { "" } else { ", " }).unwrap();
            leaves.push(format!("l{group}_{child}"));
        }
        writeln!(states, " }} }}").unwrap();
    }
    let all: Vec<String> = leaves.iter().chain(&composites).cloned().collect();
    let mut rows = String::new();
    let n_rows = 3 + random.below(9);
    let mut predicates = Vec::new();
    for row in 0..n_rows {
        let from = match random.below(8) {
            0 => "\"*\"".to_owned(),
            1 => format!("\"*\", except: {}", random.pick(&leaves).unwrap()),
            2 => format!("[{}, {}]", leaves[0], leaves[1]),
            3..=4 => random.pick(&all).unwrap().clone(),
            _ => random.pick(&leaves).unwrap().clone(),
        };
        // An automatic row leads on to a later leaf, so that the steps end.
        if random.below(12) == 0 && !has_regions {
            let from = 1 + random.below(leaves.len() - 1);
            if from + 1 < leaves.len() {
                predicates.push(row);
                let when = if random.below(2) == 0 { format!("when: p{row}, ") } else { String::new() };
                let to = from + 1 + random.below(leaves.len() - from - 1);
                writeln!(rows, "  - {{ from: {}, automatic: true, {when}to: {} }}", leaves[from], leaves[to]).unwrap();
                continue;
            }
        }
        if random.below(3) == 0
            && let Some(whole) = random.pick(&completed)
        {
            predicates.push(row);
            let when = if random.below(2) == 0 { format!("when: p{row}, ") } else { String::new() };
            let target = if random.below(4) == 0 { "label: stays".to_owned() } else { format!("to: {}", random.pick(&all).unwrap()) };
            writeln!(rows, "  - {{ from: {whole}, done: true, {when}{target} }}").unwrap();
            continue;
        }
        let timer = format!("after: {}s", 1 + row);
        let (event, named) = match random.below(7) {
            6 => (timer.as_str(), false),
            0 => ("event: named", true),
            1 => ("event: [e0, e1]", false),
            2 => ("event: \"*\"", false),
            3 => ("event: e2", false),
            4 => ("event: e1", false),
            _ => ("event: e0", false),
        };
        let mut when = match random.below(8) {
            0..=2 => String::new(),
            3 => format!("in({})", random.pick(&all).unwrap()),
            4 => format!("not in({}) and p{row}", random.pick(&all).unwrap()),
            5 => format!("limit {} 10", random.pick(&["<", ">="]).unwrap()),
            _ => format!("p{row}"),
        };
        if named && random.below(2) == 0 {
            let (a, b) = (random.pick(&leaves).unwrap(), random.pick(&all).unwrap());
            when = match random.below(3) {
                0 => format!("to_be == {a} or to_be in {b}"),
                1 => format!("to_be != {a}"),
                _ => format!("not (to_be in {b}) and p{row}"),
            };
        }
        if when.contains(&format!("p{row}")) {
            predicates.push(row);
        }
        let when = if when.is_empty() { String::new() } else { format!("when: {when}, ") };
        let target = match random.below(8) {
            0 => "refuse: no".to_owned(),
            1 => "label: stays".to_owned(),
            2..=4 if named => "to: \"{to_be}\"".to_owned(),
            2 if !remembered.is_empty() => format!("to: \"{{{}}}\"", random.pick(&remembered).unwrap()),
            _ => format!("to: {}", random.pick(&all).unwrap()),
        };
        let raise = if target.starts_with("to:") && random.below(10) == 0 { ", raise: e2" } else { "" };
        writeln!(rows, "  - {{ from: {from}, {event}, {when}{target}{raise} }}").unwrap();
    }
    let declared: Vec<String> = predicates.iter().map(|it| format!("p{it}: {{}}")).collect();
    format!(
        "machine: m\ncontext:\n{context}constants: {{ limit: 5 }}\npredicates: {{ {} }}\n{top}:\n{states}events: {{ e0: {{}}, e1: {{}}, e2: {{}}, named: {{ \
         payload: {{ to_be: state }} }} }}\ntransitions:\n{rows}",
        declared.join(", ")
    )
}

fn machine(text: &str) -> Option<Machine> {
    let loaded = load(&[Input { path: "m.yaml".into(), text: text.into() }]);
    let refused = render(&loaded.sources, &loaded.diagnostics, Style::Plain);
    let machine = loaded.model.map(|mut it| it.machines.remove(0));
    // Some combinations are none of the language.
    assert!(machine.is_some() || !refused.is_empty());
    machine
}

/// What a machine can do.
#[derive(Default)]
struct Done {
    /// The leaves in which it may be.
    active: BTreeSet<StateId>,
    /// The rows that some step takes from a leaf, by trigger.
    taken: BTreeSet<(StateId, On, TransitionId)>,
    /// The rows that refuse, by leaf and event.
    refused: BTreeSet<(StateId, On, TransitionId)>,
    /// The leaves that one row leaves and enters.
    moved: BTreeSet<(StateId, StateId)>,
    /// The rows of steps that leave one leaf and enter another, whichever of the rows of the step does.
    moving: BTreeSet<(StateId, StateId, TransitionId)>,
}

/// All steps of a machine: every event, every state that a payload names, every answer of every predicate.
fn explored(machine: &Machine) -> Option<Done> {
    let mut done = Done::default();
    let start = Instance::start(machine, &[]).ok()?;
    let mut seen = BTreeSet::from([(start.configuration.clone(), start.context.clone())]);
    let mut open = vec![start];
    let n_predicates = machine.predicates.len();
    if n_predicates > 7 {
        return None;
    }
    while let Some(instance) = open.pop() {
        let at = &instance.configuration;
        done.active.extend(at.leaves());
        for event in (0..machine.events.len()).map(EventId::new) {
            let payloads: Vec<Vec<Value>> = match machine.event(event).payload.len() {
                0 => vec![Vec::new()],
                _ => machine.leaves().map(|it| vec![Value::State(it)]).collect(),
            };
            for (payload, answers) in payloads.iter().flat_map(|it| (0..1_usize << n_predicates).map(move |answers| (it, answers))) {
                let holds = |it: PredicateId| answers >> it.index() & 1 == 1;
                match plan(machine, Some(&instance), Request::Event(event), payload, &[], &holds) {
                    Ok(plan) => {
                        for step in &plan.steps {
                            let from = step.from.as_ref().unwrap();
                            note(machine, &mut done, from, step);
                        }
                        if seen.insert((plan.end.configuration.clone(), plan.end.context.clone())) {
                            open.push(plan.end);
                        }
                    }
                    Err(Error::Refused(refused)) => match refused.reason {
                        Reason::Text(row) => {
                            let of =
                                |leaf: &StateId| machine.candidates(Some(*leaf), On::Event(event)).iter().any(|it| it.transition == row);
                            done.refused.extend(at.leaves().filter(|it| of(it)).map(|it| (it, On::Event(event), row)));
                        }
                        // A circle of steps.
                        Reason::Unsettled => return None,
                        _ => {}
                    },
                    Err(error) => panic!("{error:?}"),
                }
            }
        }
    }
    Some(done)
}

fn note(machine: &Machine, done: &mut Done, from: &Configuration, step: &statespec_lang::interpret::Step) {
    done.active.extend(from.leaves());
    let leaves = |states: &[StateId]| states.iter().copied().filter(|it| machine.is_leaf(*it)).collect::<Vec<_>>();
    for row in &step.transitions {
        let of = |leaf: &StateId| machine.candidates(Some(*leaf), step.on).iter().any(|it| it.transition == *row);
        done.taken.extend(from.leaves().filter(of).map(|it| (it, step.on, *row)));
    }
    for (left, entered) in leaves(&step.exited).into_iter().flat_map(|left| leaves(&step.entered).into_iter().map(move |it| (left, it))) {
        done.moving.extend(step.transitions.iter().map(|row| (left, entered, *row)));
        // Of several rows, none alone leads from what one leaves to what another enters.
        if step.transitions.len() == 1 {
            done.moved.insert((left, entered));
        }
    }
}

#[test]
fn what_is_stated_is_possible_and_what_is_possible_is_stated() {
    let n_machines = crate::project::checks::one_in(50, 5_000);
    let mut random = Random::new(7);
    let (mut n_compared, mut counts) = (0, BTreeMap::<&str, usize>::new());
    while n_compared < n_machines {
        let text = text(&mut random);
        let Some(machine) = machine(&text) else {
            *counts.entry("refused").or_default() += 1;
            continue;
        };
        let Some(done) = explored(&machine) else {
            *counts.entry("skipped").or_default() += 1;
            continue;
        };
        n_compared += 1;
        compare(&machine, &done, &text, &mut counts);
    }
    for (what, least) in [("edges", 3), ("pairs", 3)] {
        assert!(counts[what] > least * n_machines, "{counts:?}");
    }
    // Which rows of regions always beat others depends on whole configurations, and what waits when a state is entered on what came
    // before: nothing but exploration knows them.
    for (beaten, of) in [("edges that something else always beats", "edges"), ("pairs that something else always beats", "pairs")] {
        assert!(counts.get(beaten).is_none_or(|it| it * 10 < counts[of]), "{counts:?}");
    }
}

fn compare(machine: &Machine, done: &Done, text: &str, counts: &mut BTreeMap<&'static str, usize>) {
    let name = |it: StateId| machine.state(it).name.as_str();
    // What is possible is stated.
    for (left, entered) in &done.moved {
        assert!(machine.allows(*left, *entered), "{} -> {} is possible\n{text}", name(*left), name(*entered));
    }
    // What is stated is possible.
    for leaf in done.active.iter().copied() {
        for edge in machine.edges_from(Some(leaf)) {
            let stated = (leaf, edge.on, edge.transition);
            let can = done.taken.contains(&stated) || edge.outcome == Outcome::Refuse && done.refused.contains(&stated);
            *counts.entry("edges").or_default() += 1;
            if can || asks_place(machine, edge) {
                continue;
            }
            // A row of another region may refuse the event, or leave the state first, whenever this one is found; and what a row raises
            // may lead on whenever the state is entered.
            assert!(is_open(machine), "{} on {:?}, row {} is stated\n{text}", name(leaf), edge.on, edge.transition.index());
            *counts.entry("edges that something else always beats").or_default() += 1;
        }
        for to in machine.successors(leaf) {
            *counts.entry("pairs").or_default() += 1;
            let mut leading = machine.edges_leaving(leaf).filter(|it| machine.targets_out_of(it, leaf).contains(&to));
            if leading.clone().any(|it| done.moving.contains(&(leaf, to, it.transition)))
                || leading.all(|it| asks_place(machine, it) || is_remembered(it))
            {
                continue;
            }
            assert!(is_open(machine), "{} -> {} is stated\n{text}", name(leaf), name(to));
            *counts.entry("pairs that something else always beats").or_default() += 1;
        }
    }
}

/// Whether more than the rows of one leaf decides what happens there: those of other regions, or what rows raise.
fn is_open(machine: &Machine) -> bool {
    machine.has_regions() || machine.transitions.iter().any(|it| !it.raise.is_empty())
}

/// Whether an edge leads to where the machine was. Whether it was there depends on values, as a guard does.
fn is_remembered(edge: &Edge) -> bool {
    matches!(edge.outcome, Outcome::History(_))
}

/// Whether the guard of an edge, or one before it that takes all else, asks where the machine is.
fn asks_place(machine: &Machine, edge: &Edge) -> bool {
    machine.candidates(edge.from, edge.on).iter().any(|it| {
        let mut asks = false;
        machine.transition(it.transition).guard.iter().for_each(|it| it.walk(&mut |it| asks |= matches!(it.kind, ExprKind::Active(_))));
        asks
    })
}

fn names(machine: &Machine, states: &[StateId]) -> Vec<String> {
    states.iter().map(|it| machine.state(*it).name.clone()).collect()
}

fn successors(machine: &Machine, state: &str) -> Vec<String> {
    names(machine, &machine.successors(machine.state_named(state).unwrap()))
}

const LOAN: &str = "machine: loan
states: { open: { initial: true }, frozen: {}, closed: { terminal: true } }
events: { freeze: {}, thaw: {}, close: {} }
transitions:
  - { from: open, event: freeze, to: frozen }
  - { from: frozen, event: thaw, to: open }
  - { from: frozen, event: close, refuse: a frozen loan cannot be closed }
  - { from: \"*\", except: closed, event: close, to: closed }
";

#[test]
fn a_row_behind_one_that_always_decides_is_stated_nowhere() {
    let loaded = load(&[Input { path: "m.yaml".into(), text: LOAN.into() }]);
    let model = loaded.model.unwrap();
    let machine = &model.machines[0];
    let frozen = machine.state_named("frozen").unwrap();
    assert_eq!(successors(machine, "frozen"), ["open"]);
    assert_eq!(machine.events_in(frozen), [machine.event_named("thaw").unwrap()]);
    let drawn = diagram(machine, &DiagramStyle::default()).unwrap();
    assert!(drawn.text().contains("open --> closed: close") && !drawn.text().contains("frozen --> closed"), "{}", drawn.text());
    let tests = outputs(&model, "c").files.into_iter().find(|it| it.0 == "c/loan.rs").unwrap().1.render().unwrap();
    assert!(tests.text.contains("(\"frozen\", &[], &[\"open\"])"), "{}", tests.text);
    assert!(check(&model, &Levels::default()).is_empty());
}

#[test]
fn a_guard_that_may_divide_by_zero_cuts_nothing_off() {
    let text = |guard: &str| {
        format!(
            "machine: m\nconstants: {{ limit: 5 }}\nstates: {{ a: {{ initial: true }}, b: {{}}, c: {{ terminal: true }} }}\n\
             events: {{ e: {{ payload: {{ n: int }} }}, f: {{}} }}\ntransitions:\n  - {{ from: a, event: e, when: '{guard}', to: b }}\n  \
             - {{ from: a, event: e, to: c }}\n  - {{ from: b, event: f, to: c }}\n"
        )
    };
    for (guard, expected) in [
        ("limit > 1", &["b"][..]),
        ("limit > 9", &["c"]),
        // The call is refused where `n` is zero; nothing is said about a guard with such a division.
        ("limit > 1 or 1 / n > 2", &["b", "c"]),
        ("1 / n > 2 or limit > 1", &["b", "c"]),
        ("1 / n > 2 and limit > 9", &["b", "c"]),
        ("n != 0 and 1 / n > 2 and limit > 9", &["c"]),
    ] {
        assert_eq!(successors(&machine(&text(guard)).unwrap(), "a"), expected, "{guard}");
    }
}

#[test]
fn a_state_in_which_no_machine_rests_takes_nothing_else() {
    let text = |row: &str, more: &str| {
        format!(
            "machine: m\npredicates: {{ p: {{}} }}\nstates:\n  open: {{ initial: true }}\n  review:\n    states: {{ reading: {{ initial: true }}, \
             decided: {{ terminal: true }} }}\n  paid: {{ terminal: true }}\n  held: {{}}\nevents: [begin, decide, ask, keep, go]\ntransitions:\n  \
             - {{ from: open, event: begin, to: review }}\n  - {{ from: reading, event: decide, to: decided{more} }}\n  \
             - {{ from: review, event: ask, to: open }}\n  - {{ from: review, event: keep, to: held }}\n  \
             - {{ from: held, event: go, to: review }}\n  - {{ from: review, done: true, {row} }}\n"
        )
    };
    let all = ["open", "paid", "held"];
    for (row, more, expected) in
        [("to: paid", "", &["paid"][..]), ("when: p, to: paid", "", &all), ("to: paid", ", raise: keep", &["paid", "held"])]
    {
        let machine = machine(&text(row, more)).unwrap();
        assert_eq!(successors(&machine, "decided"), expected, "{row} {more}");
        let drawn = diagram(&machine, &DiagramStyle::default()).unwrap();
        assert!(drawn.text().contains("review --> open: ask"), "{row} {more}: {}", drawn.text());
    }
    // A machine that an earlier version of the spec left there can still be moved.
    let stored = machine(&text("to: paid", "")).unwrap();
    let at = Instance { configuration: stored.state_named("decided").unwrap().into(), context: Vec::new() };
    let ask = Request::Event(stored.event_named("ask").unwrap());
    let plan = plan(&stored, Some(&at), ask, &[], &[], &|_| false).unwrap();
    assert_eq!(plan.end.configuration, stored.state_named("open").unwrap().into());
    // A row that stays does not lead on.
    assert_eq!(successors(&machine(&text("label: noted", "")).unwrap(), "decided"), ["open", "held"]);
}

#[test]
fn an_arrow_of_a_composite_is_drawn_from_the_states_that_take_it() {
    let text = "machine: m
states: { a: { initial: true, states: { b: { initial: true }, c: {}, e: {} } }, d: { terminal: true } }
events: [x, y, z]
transitions:
  - { from: b, event: x, refuse: not yet }
  - { from: c, event: y, to: e }
  - { from: a, event: [x, y], to: d }
  - { from: b, event: z, to: c }
";
    let machine = machine(text).unwrap();
    let drawn = diagram(&machine, &DiagramStyle::default()).unwrap();
    // `y` in `c` has an arrow inside, as in every state chart; `x` in `b` has none.
    for arrow in ["a --> d: y", "c --> d: x", "e --> d: x"] {
        assert!(drawn.text().contains(arrow), "{}", drawn.text());
    }
    assert!(!drawn.text().contains("b --> d") && !drawn.text().contains("a --> d: x"), "{}", drawn.text());
}

#[test]
fn a_payload_names_the_states_that_the_guards_let_through() {
    let text = |rows: &str| {
        format!(
            "machine: d\nstates: {{ draft: {{ initial: true }}, moderated: {{}}, published: {{ terminal: true }}, rejected: {{ terminal: true }} }}\n\
             events: {{ submit: {{}}, moderate: {{ payload: {{ verdict: state }} }} }}\ntransitions:\n  - {{ from: draft, event: submit, to: moderated }}\n{rows}"
        )
    };
    let verdict = "  - { from: moderated, event: moderate, when: verdict == published or verdict == rejected, to: \"{verdict}\" }\n";
    assert_eq!(successors(&machine(&text(verdict)).unwrap(), "moderated"), ["published", "rejected"]);
    // What an earlier row takes, a later one does not.
    let rows = "  - { from: moderated, event: moderate, when: verdict == draft, refuse: no }\n  - { from: moderated, event: moderate, to: \"{verdict}\" }\n";
    assert_eq!(successors(&machine(&text(rows)).unwrap(), "moderated"), ["moderated", "published", "rejected"]);
}

#[test]
fn a_row_of_another_region_leads_out_of_a_leaf() {
    let text = "machine: x
regions:
  job: { states: { wait: { initial: true }, run: {} } }
  look: { states: { light: { initial: true }, dark: {} } }
events: { dim: {}, lit: {}, go: {}, stop: {} }
transitions:
  - { from: wait, event: go, to: run }
  - { from: run, event: stop, to: wait }
  - { from: wait, event: dim, to: dark }
  - { from: run, event: lit, to: light }
";
    let model = load(&[Input { path: "m.yaml".into(), text: text.into() }]).model.unwrap();
    assert_eq!(check(&model, &Levels::default()).iter().map(|it| &it.message).collect::<Vec<_>>(), [] as [&String; 0]);
    let machine = &model.machines[0];
    assert_eq!(successors(machine, "light"), ["wait", "light", "dark"]);
    // A row of the whole machine that moves one region leads out of no leaf of the others.
    let moved = text.replace("{ from: wait, event: dim", "{ from: \"*\", event: dim");
    let machine = self::machine(&moved).unwrap();
    assert_eq!(successors(&machine, "wait"), ["wait", "run", "light"].map(String::from)[1..2]);
}
