//! What values and cases say about steps.

use std::collections::BTreeSet;

use super::super::eval::{all_of, negated};
use super::super::value::{Case, Flow, Place, Value};

/// What a value says about a step.
pub(super) enum Outcome {
    To(Vec<usize>),
    Refused,
    /// It succeeds without a state: `Ok(None)`.
    Gone,
    /// It depends on the states in a way that cannot be followed.
    Lost,
    /// It is about something else.
    Other,
}

/// What cases say about the steps from one state.
#[derive(Default)]
pub(super) struct Outcomes {
    pub(super) steps: Vec<Leading>,
    /// The places from which code could not be followed; `None` where no place is known.
    pub(super) lost: BTreeSet<Option<Place>>,
    /// Whether they are about something else.
    pub(super) is_other: bool,
    /// Whether one of them succeeds without a state.
    pub(super) is_gone: bool,
}

/// Conditions of which not all hold, several times.
#[derive(Default)]
struct Unless(Vec<Vec<String>>);

impl Unless {
    fn add(&mut self, conditions: Vec<String>) {
        // Where not all of these hold, not all of more hold.
        self.0.retain(|it| !conditions.iter().all(|condition| it.contains(condition)));
        self.0.push(conditions);
    }

    fn guards(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|it| negated(&all_of(it)))
    }
}

/// Where the first of several cases leads whose conditions hold.
pub(super) struct Leading {
    pub(super) guards: Vec<String>,
    pub(super) to: Vec<usize>,
    pub(super) arm: Option<Place>,
}

/// The steps of cases, of which the first whose guards hold is taken.
pub(super) fn outcomes(cases: Vec<Case>, outcome: impl Fn(&Value) -> Outcome) -> Outcomes {
    let mut found = Outcomes::default();
    // The conditions of refusals, and of what cannot be followed, before.
    let mut unless = Unless::default();
    let mut tried: Vec<Vec<String>> = Vec::new();
    for mut case in cases {
        // A condition that is asked twice holds or not, but both cannot be.
        let mut seen = BTreeSet::new();
        case.guards.retain(|it| seen.insert(it.clone()));
        if case.guards.iter().any(|it| seen.contains(&negated(it))) {
            continue;
        }
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
                        let guards = unless.guards().chain(case.guards.clone()).chain([text.clone()]).collect();
                        found.steps.push(Leading { guards, to, arm: case.arm });
                        if case.guards.is_empty() {
                            return found;
                        }
                        unless.add(case.guards.clone());
                        continue;
                    }
                    other => other,
                }
            }
            Flow::Value(value) | Flow::Return(value) => outcome(value),
            Flow::Never => Outcome::Refused,
            Flow::Continue | Flow::Break | Flow::Lost(_) => Outcome::Lost,
        };
        let place = if let Flow::Lost(Some(place)) = case.flow { Some(place) } else { case.arm };
        let certain = case.guards.is_empty();
        match said {
            Outcome::To(to) => {
                let guards = unless.guards().chain(case.guards).collect();
                found.steps.push(Leading { guards, to, arm: case.arm });
            }
            Outcome::Refused | Outcome::Gone | Outcome::Lost => {
                found.is_gone |= matches!(said, Outcome::Gone);
                if matches!(said, Outcome::Lost) {
                    found.lost.insert(place);
                }
                if !certain {
                    unless.add(case.guards);
                }
            }
            Outcome::Other => return Outcomes { is_other: true, ..Outcomes::default() },
        }
        if certain {
            break;
        }
    }
    found
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
        Value::Ok(inner) if **inner == Value::None => Outcome::Gone,
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
        Flow::Continue | Flow::Break | Flow::Lost(_) => false,
    };
    let flow = match (case.flow, case.effects.assigned) {
        (lost @ Flow::Lost(_), _) => lost,
        (_, Some(value)) if !refuses => Flow::Value(value),
        _ => Flow::Value(Value::None),
    };
    Case { guards: case.guards, arm: case.arm, ..Case::of(flow) }
}
