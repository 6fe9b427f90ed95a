//! What values and cases say about steps.

use super::super::eval::{all_of, negated};
use super::super::value::{Case, Flow, Value};

/// What a value says about a step.
pub(super) enum Outcome {
    To(Vec<usize>),
    Refused,
    /// It depends on the states in a way that cannot be followed.
    Lost,
    /// It is about something else.
    Other,
}

/// Guards, and the targets that they lead to.
type Guarded = (Vec<String>, Vec<usize>);

/// The guards and targets of cases, of which the first whose guards hold is taken; whether a case could not be
/// followed, or `None` if they are about something else.
pub(super) fn rows(cases: Vec<Case>, outcome: impl Fn(&Value) -> Outcome) -> (Vec<Guarded>, Option<bool>) {
    let mut found = Vec::new();
    // The conditions of refusals before.
    let mut unless: Vec<String> = Vec::new();
    let mut tried: Vec<Vec<String>> = Vec::new();
    for case in cases {
        // Where all its guards hold, those of a case before do.
        if tried.iter().any(|before| before.iter().all(|it| case.guards.contains(it))) {
            continue;
        }
        tried.push(case.guards.clone());
        let said = match &case.flow {
            Flow::Value(value @ Value::Unknown { text, of_state: false })
            | Flow::Return(value @ Value::Unknown { text, of_state: false }) => {
                match outcome(value) {
                    // The answer is a condition itself.
                    Outcome::To(to) => {
                        let guards = unless.iter().cloned().chain(case.guards.clone()).chain([text.clone()]).collect();
                        found.push((guards, to));
                        if case.guards.is_empty() {
                            return (found, Some(false));
                        }
                        unless.push(negated(&all_of(&case.guards)));
                        continue;
                    }
                    other => other,
                }
            }
            Flow::Value(value) | Flow::Return(value) => outcome(value),
            Flow::Never => Outcome::Refused,
            Flow::Continue | Flow::Break => Outcome::Lost,
        };
        let certain = case.guards.is_empty();
        match said {
            Outcome::To(to) => found.push((unless.iter().cloned().chain(case.guards).collect(), to)),
            Outcome::Refused if !certain => unless.push(negated(&all_of(&case.guards))),
            Outcome::Refused => {}
            Outcome::Lost => return (found, Some(true)),
            Outcome::Other => return (Vec::new(), None),
        }
        if certain {
            break;
        }
    }
    (found, Some(false))
}

/// Whether a value says that a step is allowed.
pub(super) fn allows(value: &Value, to: usize) -> Outcome {
    match value {
        Value::Bool(true) | Value::Unit | Value::Unknown { of_state: false, .. } => Outcome::To(vec![to]),
        Value::Bool(false) | Value::Err | Value::None => Outcome::Refused,
        Value::Ok(inner) | Value::Some(inner) => match &**inner {
            Value::Bool(false) => Outcome::Refused,
            Value::Unknown { of_state: true, .. } => Outcome::Lost,
            _ => Outcome::To(vec![to]),
        },
        Value::Unknown { .. } => Outcome::Lost,
        _ => Outcome::Other,
    }
}

/// The states of an enum that a value leads to.
pub(super) fn leads(value: &Value, of: usize) -> Outcome {
    match value {
        Value::Variant(other, idx) if *other == of => Outcome::To(vec![*idx]),
        Value::Some(inner) | Value::Ok(inner) => leads(inner, of),
        Value::None | Value::Err => Outcome::Refused,
        Value::List(all) => {
            let mut targets = Vec::new();
            for value in all {
                match leads(value, of) {
                    Outcome::To(to) => targets.extend(to),
                    other => return other,
                }
            }
            if targets.is_empty() { Outcome::Refused } else { Outcome::To(targets) }
        }
        // `(next, effects)`
        Value::Tuple(all) => all.first().map_or(Outcome::Other, |it| leads(it, of)),
        Value::Unknown { .. } => Outcome::Lost,
        _ => Outcome::Other,
    }
}

/// The assigned state of a case instead of its value.
///
/// `self.state = Failed; return Err(…)` is a step: the state is `Failed` from then on.
pub(super) fn assigned(case: Case) -> Case {
    let refuses = match &case.flow {
        Flow::Never => true,
        Flow::Value(value) | Flow::Return(value) => {
            matches!(value, Value::Err | Value::None | Value::Bool(false)) && case.effects.assigned.is_none()
        }
        Flow::Continue | Flow::Break => false,
    };
    let is_lost = matches!(&case.flow, Flow::Return(value) if value.is_of_state());
    let flow = match &case.effects.assigned {
        _ if refuses => Flow::Value(Value::None),
        _ if is_lost => case.flow,
        Some(value) => Flow::Value(value.clone()),
        None => Flow::Value(Value::None),
    };
    Case { guards: case.guards, ..Case::of(flow) }
}
