/// A value of a context or of a payload. Moments and spans of time are in microseconds, states and
/// values of enums go by the name they are stored under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, dead_code)]
pub enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Decimal(&'static str),
    Text(&'static str),
    Duration(i64),
    Timestamp(i64),
    Reference(u64),
    Name(&'static str),
}

/// Values by the names of their fields.
pub type Fields = &'static [(&'static str, Value)];

/// What is asked of an implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(dead_code)]
pub enum Request {
    /// To take an event with its payload.
    Event(&'static str, Fields),
    /// To take the step of a timer that has elapsed: nobody raises it.
    Elapsed(&'static str),
    /// To go to a state along an edge without an event.
    Direct(&'static str),
}

/// What must come of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(dead_code)]
pub enum Then {
    /// It is taken, and this is the state and the context afterwards.
    Goes(&'static str, Fields),
    /// It is turned down, and nothing changes.
    Refused,
}

/// Your implementation, as far as it is put to the test. A state goes by the name it is stored under.
pub trait Implementation: Sized {
    /// As it is before anything happened: not created yet, or in its initial state.
    fn start() -> Self;

    /// In the middle: in this state, with this context.
    fn at(state: &'static str, context: Fields) -> Self;

    /// Does what is asked while these named predicates hold, and no other. False: it turns it down.
    fn handle(&mut self, request: Request, holds: &[&str]) -> bool;

    /// The state it is in; none before creation.
    fn state(&self) -> Option<String>;

    /// Whether a field of the context has this value. True for one that you do not keep.
    fn has(&self, field: &str, value: Value) -> bool {
        let _ = (field, value);
        true
    }

    /// Whether the graph has an edge between two states, if you can tell.
    fn allows(from: &str, to: &str) -> Option<bool> {
        let _ = (from, to);
        None
    }
}

/// Puts an implementation to every test, and returns what is wrong, in words.
pub fn conformance<I: Implementation>() -> Vec<String> {
    let mut wrong = Vec::new();
    for (from, before, request, holds, then) in CASES {
        wrong.extend(case::<I>(*from, before, *request, holds, *then));
    }
    for (from, before, events) in FORBIDDEN {
        for (_, request) in EVENTS.iter().filter(|it| events.contains(&it.0)) {
            wrong.extend(case::<I>(*from, before, *request, &[], Then::Refused));
        }
    }
    for (from, before, successors) in PAIRS {
        for to in STATES {
            let listed = CASES.iter().any(|it| it.0 == Some(*from) && it.2 == Request::Direct(to));
            if BY_NAME && !listed {
                wrong.extend(case::<I>(Some(*from), before, Request::Direct(to), &[], Then::Refused));
            }
            let expected = successors.contains(to);
            if I::allows(from, to).is_some_and(|it| it != expected) {
                wrong.push(format!("{from} -> {to}: the graph {} such an edge", if expected { "has" } else { "has no" }));
            }
        }
    }
    for (to, steps) in PATHS {
        wrong.extend(path::<I>(to, steps));
    }
    wrong
}

/// Panics unless an implementation passes every test.
pub fn assert_conformance<I: Implementation>() {
    let wrong = conformance::<I>();
    assert!(wrong.is_empty(), "{} does not conform to its graph:\n{}", MACHINE, wrong.join("\n"));
}

fn case<I: Implementation>(from: Option<&'static str>, before: Fields, request: Request, holds: &[&str], then: Then) -> Option<String> {
    let mut it = match from {
        Some(state) => I::at(state, before),
        None => I::start(),
    };
    let at = from.unwrap_or("(not created)");
    let with = if holds.is_empty() { String::new() } else { format!(", {holds:?} hold") };
    let place = format!("{at} {before:?}, {request:?}{with}");
    let taken = it.handle(request, holds);
    let (state, context) = match (taken, then) {
        (true, Then::Refused) => return Some(format!("{place}: must be refused, and was taken")),
        (false, Then::Goes(to, _)) => return Some(format!("{place}: must lead to {to}, and was refused")),
        (true, Then::Goes(to, after)) => (Some(to), after),
        (false, Then::Refused) => (from, before),
    };
    if it.state().as_deref() != state {
        return Some(format!("{place}: must end in {state:?}, not in {:?}", it.state()));
    }
    let other = context.iter().find(|(field, value)| !it.has(field, *value))?;
    Some(format!("{place}: afterwards {} must be {:?}", other.0, other.1))
}

fn path<I: Implementation>(to: &str, steps: &[(Request, &[&str], &'static str)]) -> Option<String> {
    let mut it = I::start();
    for (idx, (request, holds, state)) in steps.iter().enumerate() {
        if !it.handle(*request, holds) || it.state().as_deref() != Some(*state) {
            return Some(format!("the path to {to}: step {} ({request:?}) must lead to {state}", idx + 1));
        }
    }
    None
}
