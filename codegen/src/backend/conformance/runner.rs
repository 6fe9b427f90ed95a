//! What implementations of the machines of this project must do: every legal edge, every forbidden event and target in every
//! state, a shortest path to every state.
//!
//! There is a module of tests for each machine, `TESTS`, which this module runs.
//! Implement [`Implementation`] for the type to be tested, and call [`assert_conformance`] with the tests of its machine.
#![allow(dead_code, unused_imports, unreachable_pub)]

/// A value of a context or of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// No value.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A decimal, as its digits.
    Decimal(&'static str),
    /// A text.
    Text(&'static str),
    /// A span of time, in microseconds.
    Duration(i64),
    /// A moment, in microseconds since 1970.
    Timestamp(i64),
    /// The key of an object outside the machine.
    Reference(u64),
    /// A state or a value of an enum, by the name that is stored.
    Name(&'static str),
}

/// Values by the names of their fields.
pub type Fields = &'static [(&'static str, Value)];

/// Names of events, states or predicates.
pub type Names = &'static [&'static str];

/// A request to an implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// To take an event with its payload.
    Event(&'static str, Fields),
    /// To take the step of a timer that has elapsed: nobody raises it.
    Elapsed(&'static str),
    /// To go to a state along an edge without an event.
    Direct(&'static str),
}

/// The implementation that is tested. States have the names that are stored.
pub trait Implementation: Sized {
    /// The machine before anything happened: not created yet, or in its initial state.
    fn start() -> Self;

    /// The machine in this state, with this context.
    fn at(state: &'static str, context: Fields) -> Self;

    /// Handles a request while these named predicates hold, and no other. False: it is refused.
    fn handle(&mut self, request: Request, holds: &[&str]) -> bool;

    /// The current state; none before creation.
    fn state(&self) -> Option<String>;

    /// Whether a field of the context has this value. True for a field that is not stored.
    fn has(&self, field: &str, value: Value) -> bool {
        let _ = (field, value);
        true
    }

    /// Whether the graph has an edge between two states; `None` if that is not known.
    fn allows(from: &str, to: &str) -> Option<bool> {
        let _ = (from, to);
        None
    }
}

/// The tests of one machine.
#[derive(Debug)]
pub struct Tests {
    /// The name of the machine.
    pub machine: &'static str,
    /// The states.
    pub states: Names,
    /// Whether some transitions are direct: requested by their target.
    pub is_direct: bool,
    /// The events, each with a payload, and the timers.
    pub events: &'static [Request],
    /// The result of each step.
    pub cases: &'static [At],
    /// The events that no row accepts in a state, whatever the context; `None` is the machine before its creation.
    pub forbidden: &'static [(Option<&'static str>, Fields, Names)],
    /// The states that each state leads to; every other pair is forbidden.
    pub successors: &'static [(&'static str, Fields, Names)],
    /// A shortest path to every state that can be reached, from the start. The cases say what becomes of the context.
    pub paths: &'static [(&'static str, &'static [Case])],
}

/// Cases that begin in one state, with one context.
#[derive(Debug)]
pub struct At {
    state: Option<&'static str>,
    context: Fields,
    cases: &'static [Case],
}

/// Cases that begin in this state, with this context.
pub const fn at(state: &'static str, context: Fields, cases: &'static [Case]) -> At {
    At { state: Some(state), context, cases }
}

/// Cases that begin before the machine is created.
pub const fn not_created(cases: &'static [Case]) -> At {
    At { state: None, context: &[], cases }
}

/// A request, and its expected result.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    request: Request,
    holds: Names,
    to: Option<&'static str>,
    sets: Fields,
}

impl Request {
    /// The request is taken and leads to this state.
    pub const fn to(self, state: &'static str) -> Case {
        Case { request: self, holds: &[], to: Some(state), sets: &[] }
    }

    /// The request is refused, and nothing changes.
    pub const fn refused(self) -> Case {
        Case { request: self, holds: &[], to: None, sets: &[] }
    }

    const fn name(&self) -> &'static str {
        match self {
            Request::Event(name, _) | Request::Elapsed(name) | Request::Direct(name) => name,
        }
    }
}

impl Case {
    /// While these named predicates hold, and no other.
    pub const fn when(self, holds: Names) -> Case {
        Case { holds, ..self }
    }

    /// These fields of the context have these values afterwards; the others keep theirs.
    pub const fn sets(self, sets: Fields) -> Case {
        Case { sets, ..self }
    }
}

/// Runs all tests, and returns the failures in words.
pub fn conformance<I: Implementation>(tests: &Tests) -> Vec<String> {
    let mut wrong = Vec::new();
    for at in tests.cases {
        wrong.extend(at.cases.iter().filter_map(|it| failure::<I>(at.state, at.context, it)));
    }
    for (from, context, events) in tests.forbidden {
        let forbidden = tests.events.iter().filter(|it| events.contains(&it.name()));
        wrong.extend(forbidden.filter_map(|it| failure::<I>(*from, context, &it.refused())));
    }
    for (from, context, successors) in tests.successors {
        for to in tests.states {
            let request = Request::Direct(to);
            let here = tests.cases.iter().filter(|it| it.state == Some(*from));
            let is_case = here.flat_map(|it| it.cases).any(|it| it.request == request);
            if tests.is_direct && !is_case {
                wrong.extend(failure::<I>(Some(*from), context, &request.refused()));
            }
            let expected = successors.contains(to);
            if I::allows(from, to).is_some_and(|it| it != expected) {
                wrong.push(format!("{from} -> {to}: the graph {} such an edge", if expected { "has" } else { "has no" }));
            }
        }
    }
    wrong.extend(tests.paths.iter().filter_map(|(to, steps)| failure_of_path::<I>(to, steps)));
    wrong
}

/// Panics unless an implementation passes every test.
pub fn assert_conformance<I: Implementation>(tests: &Tests) {
    let wrong = conformance::<I>(tests);
    assert!(wrong.is_empty(), "{} does not conform to its graph:\n{}", tests.machine, wrong.join("\n"));
}

fn failure<I: Implementation>(from: Option<&'static str>, before: Fields, case: &Case) -> Option<String> {
    let mut it = match from {
        Some(state) => I::at(state, before),
        None => I::start(),
    };
    let place = format!("{} {before:?}, {}", from.unwrap_or("(not created)"), in_words(case));
    let state = match (it.handle(case.request, case.holds), case.to) {
        (true, None) => return Some(format!("{place}: must be refused, and was taken")),
        (false, Some(to)) => return Some(format!("{place}: must lead to {to}, and was refused")),
        (true, to) => to,
        (false, None) => from,
    };
    if it.state().as_deref() != state {
        return Some(format!("{place}: must end in {state:?}, not in {:?}", it.state()));
    }
    if let Some((field, value)) = case.sets.iter().find(|(field, value)| !it.has(field, *value)) {
        return Some(format!("{place}: afterwards {field} must be {value:?}"));
    }
    let is_kept = |field: &str| case.sets.iter().all(|it| it.0 != field);
    let (field, value) = before.iter().find(|(field, value)| is_kept(field) && !it.has(field, *value))?;
    Some(format!("{place}: afterwards {field} must still be {value:?}"))
}

fn failure_of_path<I: Implementation>(to: &str, steps: &[Case]) -> Option<String> {
    let mut it = I::start();
    for (idx, step) in steps.iter().enumerate() {
        let taken = it.handle(step.request, step.holds);
        if !taken || it.state().as_deref() != step.to {
            let (expected, state) = (step.to.unwrap_or("(nothing)"), it.state().unwrap_or("(not created)".to_owned()));
            let result = if taken { format!("led to {state}") } else { "was refused".to_owned() };
            return Some(format!("the path to {to}: step {} ({}) must lead to {expected}, and {result}", idx + 1, in_words(step)));
        }
    }
    None
}

/// `Event("press", []), ["is_open"] hold`
fn in_words(case: &Case) -> String {
    let Case { request, holds, .. } = case;
    if holds.is_empty() { format!("{request:?}") } else { format!("{request:?}, {holds:?} hold") }
}
