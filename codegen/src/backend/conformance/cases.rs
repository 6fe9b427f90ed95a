//! The cases: for every state and everything that can be asked there, each way in which the
//! interpreter answers, with one context and payload that make it answer so.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::explore::machine_cases::{Explored, payloads_of, predicates_asked, subsets};
use crate::interpret::{Asked, Error, Instance, Reason, plan};
use crate::model::{EventId, Machine, Model, PredicateId, StateId, TransitionId, Value};

/// What is asked, and under which predicates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Asking {
    /// An event.
    Event { event: EventId, payload: Vec<Value>, holds: Vec<PredicateId> },
    /// A target by name.
    To { state: StateId, holds: Vec<PredicateId> },
}

/// One case.
pub(super) struct Case {
    /// The machine before; none before birth.
    pub(super) before: Option<Instance>,
    pub(super) asking: Asking,
    /// The machine after; none where it refuses.
    pub(super) after: Option<Instance>,
}

impl Case {
    /// The fields of the context that it changes.
    fn n_changes(&self) -> usize {
        let (Some(before), Some(after)) = (&self.before, &self.after) else { return 0 };
        before.context.iter().zip(&after.context).filter(|(old, new)| old != new).count()
    }
}

/// All cases of one machine.
pub(super) struct Cases {
    pub(super) cases: Vec<Case>,
    /// The events without a row, for each state (first: before birth).
    pub(super) forbidden: Vec<(Option<Instance>, Vec<EventId>)>,
    /// One payload for every event.
    pub(super) payloads: Vec<Vec<Value>>,
    /// One instance in every leaf.
    pub(super) examples: Vec<Instance>,
    /// A shortest way to every leaf that can be reached.
    pub(super) ways: Vec<(StateId, Vec<(Asking, StateId)>)>,
    pub(super) by_name: bool,
}

/// What the interpreter answers, as far as cases tell answers apart: the rows taken and the end,
/// or the row that refuses, or only that guards or settling do.
type Answer = (Vec<TransitionId>, Option<StateId>, Option<Option<TransitionId>>);

impl Cases {
    pub(super) fn of(model: &Model, idx: usize, machine: &Machine) -> Cases {
        let explored = Explored::new(model, idx);
        let events = || (0..machine.events.len()).map(EventId::new);
        let all_payloads: Vec<Vec<Vec<Value>>> = events().map(|it| payloads_of(model, idx, it)).collect();
        let born = !machine.edges_from(None).is_empty();
        let places = || born.then_some(None).into_iter().chain(machine.leaves().map(Some));

        let mut cases = Vec::new();
        let mut forbidden = Vec::new();
        for at in places() {
            let instances: Vec<Option<Instance>> = match at {
                Some(leaf) => explored.instances(leaf).into_iter().map(Some).collect(),
                None => vec![None],
            };
            let (taken, other): (Vec<EventId>, Vec<EventId>) = events().partition(|it| !machine.candidates(at, Some(*it)).is_empty());
            for event in taken {
                let holds = subsets(&predicates_asked(machine, |it| it.event == Some(event)));
                let asking = |payload: &Vec<Value>, holds: &Vec<PredicateId>| Asking::Event {
                    event,
                    payload: payload.clone(),
                    holds: holds.clone(),
                };
                let askings: Vec<Asking> =
                    holds.iter().flat_map(|holds| all_payloads[event.index()].iter().map(move |payload| asking(payload, holds))).collect();
                cases.extend(each_answer(machine, &instances, &askings));
            }
            if !other.is_empty() {
                forbidden.push((instances.into_iter().next().flatten(), other));
            }
            let Some(leaf) = at else { continue };
            for to in machine.leaves() {
                let outcome = crate::model::machine::Outcome::Leaf(to);
                if machine.candidates(Some(leaf), None).iter().any(|it| it.outcome == outcome) {
                    let holds = subsets(&predicates_asked(machine, |it| it.event.is_none() && it.outcome == outcome));
                    let askings: Vec<Asking> = holds.into_iter().map(|holds| Asking::To { state: to, holds }).collect();
                    let instances: Vec<Option<Instance>> = explored.instances(leaf).into_iter().map(Some).collect();
                    cases.extend(each_answer(machine, &instances, &askings));
                }
            }
        }
        Cases {
            cases,
            forbidden,
            payloads: all_payloads.into_iter().map(|it| it.into_iter().next().unwrap_or_default()).collect(),
            examples: machine.leaves().filter_map(|it| explored.instances(it).into_iter().next()).collect(),
            ways: explored.ways().into_iter().map(|(to, steps)| (to, steps.into_iter().map(told).collect())).collect(),
            by_name: machine.edges.iter().any(|it| it.event.is_none()),
        }
    }
}

fn told((asked, payload, holds, state): (Asked, Vec<Value>, Vec<PredicateId>, StateId)) -> (Asking, StateId) {
    let asking = match asked {
        Asked::Event(event) => Asking::Event { event, payload, holds },
        Asked::To(state) => Asking::To { state, holds },
    };
    (asking, state)
}

/// One case for every answer that comes up.
fn each_answer(machine: &Machine, instances: &[Option<Instance>], askings: &[Asking]) -> Vec<Case> {
    let mut found: BTreeMap<Answer, Case> = BTreeMap::new();
    for before in instances {
        for asking in askings {
            let (asked, payload, holds) = match asking {
                Asking::Event { event, payload, holds } => (Asked::Event(*event), payload.as_slice(), holds),
                Asking::To { state, holds } => (Asked::To(*state), &[][..], holds),
            };
            let (answer, after) = match plan(machine, before.as_ref(), asked, payload, &[], &|it| holds.contains(&it)) {
                Ok(plan) => ((plan.steps.iter().map(|it| it.transition).collect(), Some(plan.end.state), None), Some(plan.end)),
                Err(Error::Refused(refused)) => match refused.reason {
                    Reason::Text(row) => ((Vec::new(), None, Some(Some(row))), None),
                    _ => ((Vec::new(), None, Some(None)), None),
                },
                // A context field without a value at birth: no case that a user could meet.
                Err(_) => continue,
            };
            let case = Case { before: before.clone(), asking: asking.clone(), after };
            match found.entry(answer) {
                Entry::Vacant(place) => _ = place.insert(case),
                // A reset shows only where there is something to be reset.
                Entry::Occupied(mut place) if case.n_changes() > place.get().n_changes() => _ = place.insert(case),
                Entry::Occupied(_) => {}
            }
        }
    }
    found.into_values().collect()
}
