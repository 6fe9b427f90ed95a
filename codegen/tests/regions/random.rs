//! Random charts with regions, in the spec language and as the recommendation describes them: both must do the same.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use statespec_codegen::model::Machine;
use statespec_lang::interpret::{Error, Instance, Reason};

use crate::project::checks::sample;

use super::appendix_d::{Chart, Endless, Event, Id, Kind, Microstep, Session, State, Target, Transition};

const EVENTS: usize = 4;

/// A generator of random numbers: the same charts in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// A chart, and which transitions leave the outer one of source and target.
struct Made {
    chart: Chart,
    reenter: Vec<bool>,
}

fn make(random: &mut Random) -> Made {
    let root = State { kind: Kind::Compound, parent: None, children: Vec::new(), initial: None, histories: Vec::new() };
    let mut chart = Chart { states: vec![root], transitions: Vec::new() };
    grow(&mut chart, 0, 0, random);
    let n_transitions = 4 + random.below(16);
    let mut reenter = Vec::new();
    for _ in 0..n_transitions {
        if let Some((transition, again)) = transition(&chart, random) {
            chart.transitions.push(transition);
            reenter.push(again);
        }
    }
    Made { chart, reenter }
}

/// Fills a compound state with two or three children.
fn grow(chart: &mut Chart, parent: Id, depth: usize, random: &mut Random) {
    let n_children = 2 + random.below(2);
    for idx in 0..n_children {
        let is_last = idx + 1 == n_children;
        let kind = match random.below(100) {
            0..25 if depth < 4 => Kind::Parallel,
            25..45 if depth < 4 => Kind::Compound,
            45..60 if is_last && parent != 0 => Kind::Final,
            _ => Kind::Atomic,
        };
        let id = add(chart, parent, kind);
        match kind {
            Kind::Compound => grow(chart, id, depth + 1, random),
            Kind::Parallel => {
                for _ in 0..2 + random.below(2) {
                    let region = add(chart, id, Kind::Compound);
                    grow(chart, region, depth + 2, random);
                }
            }
            Kind::Atomic | Kind::Final => {}
        }
    }
    let children = chart.states[parent].children.clone();
    chart.states[parent].initial = Some(random.pick(&children));
    let has_parallel = (parent + 1..chart.states.len()).any(|it| chart.states[it].kind == Kind::Parallel);
    if parent != 0 && !has_parallel && random.chance(40) {
        let n_histories = if random.chance(40) { 2 } else { 1 };
        chart.states[parent].histories = (0..n_histories).map(|_| random.chance(50)).collect();
    }
}

fn add(chart: &mut Chart, parent: Id, kind: Kind) -> Id {
    let id = chart.states.len();
    chart.states.push(State { kind, parent: Some(parent), children: Vec::new(), initial: None, histories: Vec::new() });
    chart.states[parent].children.push(id);
    id
}

fn transition(chart: &Chart, random: &mut Random) -> Option<(Transition, bool)> {
    let states: Vec<Id> = (1..chart.states.len()).collect();
    let source = random.pick(&states);
    let event = match random.below(100) {
        0..12 => Event::None,
        12..24 => {
            let can_end = |id: &Id| {
                has_final(chart, *id) || is_parallel(chart, *id) && chart.states[*id].children.iter().all(|it| has_final(chart, *it))
            };
            let ending: Vec<Id> = states.iter().copied().filter(can_end).collect();
            let source = if ending.is_empty() { return None } else { random.pick(&ending) };
            return finish(chart, source, Event::Done(source), random);
        }
        _ => Event::Named(random.below(EVENTS)),
    };
    finish(chart, source, event, random)
}

fn finish(chart: &Chart, source: Id, event: Event, random: &mut Random) -> Option<(Transition, bool)> {
    let states: Vec<Id> = (1..chart.states.len()).collect();
    let cond = random.chance(if event == Event::None { 70 } else { 25 }).then(|| (random.pick(&states), random.chance(70)));
    let raise = if random.chance(15) { vec![random.below(EVENTS)] } else { Vec::new() };
    let mut targets: Vec<Target> = Vec::new();
    if !random.chance(15) {
        let n_targets = if random.chance(35) { 1 + random.below(3) } else { 1 };
        for _ in 0..n_targets {
            let id = random.pick(&states);
            let n_histories = chart.states[id].histories.len();
            // Of the history of a state that the transition may leave itself, the algorithm remembers first, the machine reads first.
            let may_be_active = is_in(chart, source, id) || is_in(chart, id, source) || in_different_regions(chart, source, id);
            let target = match n_histories > 0 && !may_be_active && random.chance(80) {
                true => Target::History(id, random.below(n_histories)),
                false => Target::State(id),
            };
            if targets.iter().all(|it| in_different_regions(chart, state_of(*it), id)) {
                targets.push(target);
            }
        }
    }
    if targets.is_empty() && cond.is_none() && event == Event::None {
        return None;
    }
    let inside = targets.iter().filter(|it| is_in(chart, state_of(**it), source)).count();
    let around = targets.iter().filter(|it| is_in(chart, source, state_of(**it))).count();
    let reenter = inside + around > 0;
    // Of several targets, `reenter` is for those that all lie inside the source.
    if reenter && targets.len() > 1 && inside < targets.len() {
        return None;
    }
    Some((Transition { source, event, cond, targets, raise }, reenter))
}

fn state_of(target: Target) -> Id {
    match target {
        Target::State(id) | Target::History(id, _) => id,
    }
}

fn has_final(chart: &Chart, id: Id) -> bool {
    chart.states[id].children.iter().any(|it| chart.states[*it].kind == Kind::Final)
}

fn is_parallel(chart: &Chart, id: Id) -> bool {
    chart.states[id].kind == Kind::Parallel
}

fn path(chart: &Chart, id: Id) -> Vec<Id> {
    std::iter::successors(Some(id), |it| chart.states[*it].parent).collect()
}

fn is_in(chart: &Chart, id: Id, whole: Id) -> bool {
    path(chart, id).contains(&whole)
}

fn in_different_regions(chart: &Chart, a: Id, b: Id) -> bool {
    let common = path(chart, a).into_iter().find(|it| is_in(chart, b, *it)).unwrap();
    common != a && common != b && is_parallel(chart, common)
}

/// The chart in the spec language.
fn spec(made: &Made) -> String {
    let chart = &made.chart;
    let mut text = String::from("machine: chart\ncontext:\n  last: int\n");
    for (id, state) in chart.states.iter().enumerate() {
        for idx in 0..state.histories.len() {
            writeln!(text, "  h{id}_{idx}: {{ type: state, optional: true }}").unwrap();
        }
    }
    text.push_str("states:\n");
    chart.states[0].children.iter().for_each(|it| write_state(&mut text, chart, *it, 1));
    text.push_str("events: [create, e0, e1, e2, e3]\ntransitions:\n");
    let initial = chart.states[0].initial.unwrap();
    writeln!(text, "  - {{ from: '[*]', event: create, to: s{initial} }}").unwrap();
    for (idx, transition) in chart.transitions.iter().enumerate() {
        write!(text, "  - {{ from: s{}", transition.source).unwrap();
        match transition.event {
            Event::None => text.push_str(", automatic: true"),
            Event::Done(_) => text.push_str(", done: true"),
            Event::Named(event) => write!(text, ", event: e{event}").unwrap(),
        }
        if let Some((state, wanted)) = transition.cond {
            write!(text, ", when: {}in(s{state})", if wanted { "" } else { "not " }).unwrap();
        }
        let target = |it: &Target| match it {
            Target::State(id) => format!("s{id}"),
            Target::History(id, idx) => format!("'{{h{id}_{idx}}}'"),
        };
        match transition.targets.as_slice() {
            [] => {}
            [one] => write!(text, ", to: {}", target(one)).unwrap(),
            several => write!(text, ", to: [{}]", several.iter().map(target).collect::<Vec<_>>().join(", ")).unwrap(),
        }
        if made.reenter[idx] {
            text.push_str(", reenter: true");
        }
        let raised: Vec<String> = transition.raise.iter().map(|it| format!("e{it}")).collect();
        writeln!(text, ", set: {{ last: {idx} }}, raise: [{}] }}", raised.join(", ")).unwrap();
    }
    text
}

fn write_state(text: &mut String, chart: &Chart, id: Id, depth: usize) {
    let state = &chart.states[id];
    let pad = "  ".repeat(depth);
    let parent = state.parent.unwrap();
    write!(text, "{pad}s{id}:").unwrap();
    let mut lines = Vec::new();
    if chart.states[parent].initial == Some(id) {
        lines.push("initial: true".to_owned());
    }
    if state.kind == Kind::Final {
        lines.push("terminal: true".to_owned());
    }
    let history = |(idx, deep): (usize, &bool)| format!("{{ field: h{id}_{idx}, shallow: {} }}", !deep);
    match state.histories.iter().enumerate().map(history).collect::<Vec<_>>().as_slice() {
        [] => {}
        [one] => lines.push(format!("history: {one}")),
        several => lines.push(format!("history: [{}]", several.join(", "))),
    }
    text.push('\n');
    lines.iter().for_each(|it| writeln!(text, "{pad}  {it}").unwrap());
    if !state.children.is_empty() {
        writeln!(text, "{pad}  {}:", if state.kind == Kind::Parallel { "regions" } else { "states" }).unwrap();
        state.children.iter().for_each(|it| write_state(text, chart, *it, depth + 2));
    }
}

/// Random charts in the spec language, the same in every run.
pub(crate) fn specs() -> impl Iterator<Item = String> {
    let mut random = Random(17);
    std::iter::repeat_with(move || spec(&make(&mut random)))
}

/// The steps of a call as the recommendation counts them: the ids of both are in document order.
fn steps(done: &[statespec_lang::interpret::Step]) -> Vec<Microstep> {
    let ids = |ids: &[statespec_codegen::model::StateId]| ids.iter().map(|it| it.index() + 1).collect();
    // The first row is the creation.
    let rows = |it: &statespec_lang::interpret::Step| it.transitions.iter().filter_map(|it| it.index().checked_sub(1)).collect();
    done.iter().map(|it| Microstep { taken: rows(it), exited: ids(&it.exited), entered: ids(&it.entered) }).collect()
}

fn active(machine: &Machine, instance: &Instance) -> Vec<Id> {
    let mut active: Vec<Id> = machine.active(&instance.configuration).into_iter().map(|it| it.index() + 1).collect();
    active.sort_unstable();
    active
}

#[test]
fn random_charts_do_what_the_recommendation_says() {
    let mut random = Random(16);
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut n_charts, n_wanted) = (0, sample(600));
    while n_charts < n_wanted {
        let made = make(&mut random);
        if !made.chart.states.iter().any(|it| it.kind == Kind::Parallel) {
            continue;
        }
        n_charts += 1;
        let text = spec(&made);
        let machine = super::machine(&text);
        let mut session = Session::new(&made.chart);
        let create = machine.event_named("create").unwrap();
        let created = Instance::create(&machine, create, &[], &[], &mut ());
        let (mut instance, done) = match (session.start(), created) {
            (Ok(expected), Ok((instance, done))) => {
                assert_eq!(steps(&done.steps), expected, "{text}");
                (instance, done)
            }
            (Err(Endless), Err(Error::Refused(refused))) => {
                assert_eq!(refused.reason, Reason::Unsettled);
                *seen.entry("endless").or_default() += 1;
                continue;
            }
            (expected, created) => panic!("{expected:?} {created:?}\n{text}"),
        };
        assert!(!done.steps.is_empty());
        for _ in 0..60 {
            let event = random.below(EVENTS);
            let (before, was) = (session.clone(), instance.clone());
            let id = machine.event_named(&format!("e{event}")).unwrap();
            match (session.send(event), instance.fire(&machine, id, &[], &mut ())) {
                (Ok(expected), Ok(done)) => {
                    assert_eq!(steps(&done.steps), expected, "e{event} in {:?}\n{text}", before.configuration);
                    *seen.entry("taken").or_default() += 1;
                    *seen.entry("several steps").or_default() += usize::from(expected.len() > 1);
                    *seen.entry("several rows").or_default() += usize::from(expected.iter().any(|it| it.taken.len() > 1));
                    for row in expected.iter().flat_map(|it| &it.taken).map(|it| &made.chart.transitions[*it]) {
                        *seen.entry("fork").or_default() += usize::from(row.targets.len() > 1);
                        *seen.entry("history").or_default() += usize::from(row.targets.iter().any(|it| matches!(it, Target::History(..))));
                        let is_one_of_two =
                            |it: &Target| matches!(it, Target::History(id, _) if made.chart.states[*id].histories.len() > 1);
                        *seen.entry("one of two histories").or_default() += usize::from(row.targets.iter().any(is_one_of_two));
                        *seen.entry("done").or_default() += usize::from(matches!(row.event, Event::Done(_)));
                    }
                }
                (Ok(expected), Err(Error::Refused(refused))) => {
                    assert!(expected.is_empty() && matches!(refused.reason, Reason::Guard | Reason::NoTransition), "{refused:?}\n{text}");
                    *seen.entry("refused").or_default() += 1;
                }
                (Err(Endless), Err(Error::Refused(refused))) => {
                    assert_eq!(refused.reason, Reason::Unsettled);
                    *seen.entry("endless").or_default() += 1;
                    session = before;
                    assert_eq!(instance, was);
                }
                (expected, done) => panic!("{expected:?} {done:?}\n{text}"),
            }
            assert_eq!(active(&machine, &instance), session.configuration.iter().copied().collect::<Vec<_>>(), "{text}");
        }
    }
    let often = |name: &str| seen.get(name).copied().unwrap_or_default();
    for (name, least) in [
        ("taken", 2_000),
        ("refused", 2_000),
        ("several steps", 200),
        ("several rows", 200),
        ("fork", 50),
        ("history", 50),
        ("one of two histories", 20),
        ("done", 50),
        ("endless", 20),
    ] {
        assert!(often(name) * 600 >= least * n_wanted, "{name}: {seen:?}");
    }
}
