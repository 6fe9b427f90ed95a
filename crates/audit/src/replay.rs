//! One attempt by the interpreter: from the recorded state, context and payload to what the machine does.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher as _, Hash as _, Hasher as _};

use foldhash::fast::FixedState;
use serde_json::value::RawValue;
use statespec_lang::interpret::machine::plan;
use statespec_lang::interpret::value::read;
use statespec_lang::interpret::{Error, Instance, Request};
use statespec_lang::model::machine::Field;
use statespec_lang::model::{Configuration, EventId, FieldId, Machine, PredicateId, StateId, Type, Value};
use statespec_lang::types::TransitionId;

use super::shown::quoted;

/// The number of predicates whose answers are tried; an attempt that may ask more is not replayed.
const MAX_PREDICATES: usize = 10;

/// What a replay needs.
pub(crate) struct Recorded<'a> {
    pub(crate) from: Option<&'a Configuration>,
    /// `None` for a direct transition.
    pub(crate) event: Option<EventId>,
    pub(crate) payload: Option<&'a str>,
    pub(crate) context: Option<&'a str>,
    /// The state after, if the attempt changed something.
    pub(crate) to: Option<&'a Configuration>,
    pub(crate) is_refused: bool,
}

/// The result of a replay.
#[derive(Debug)]
pub(crate) enum Replayed {
    /// Not everything was recorded.
    Incomplete,
    /// A recorded value is none of its field.
    Misfit(String),
    /// The machine does what was recorded; with the hash of the context before, and after if that is known.
    Agrees { rows: Rows, before: u32, after: Option<u32> },
    /// The machine does something else.
    Differs { message: String, before: u32 },
}

/// The rows that a machine takes. Answers of predicates are not recorded, so that several lists of rows may explain an attempt.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    /// The rows that all of them have.
    pub(crate) certain: Vec<TransitionId>,
    /// The rows that some of them have.
    pub(crate) possible: Vec<TransitionId>,
    /// The row with which all of them begin.
    pub(crate) first: Option<TransitionId>,
}

impl Rows {
    fn of(mut lists: Vec<Vec<TransitionId>>) -> Rows {
        if lists.len() == 1 {
            let certain = lists.pop().unwrap_or_default();
            return Rows { first: certain.first().copied(), certain, possible: Vec::new() };
        }
        let all: BTreeSet<TransitionId> = lists.iter().flatten().copied().collect();
        let (certain, possible) = all.into_iter().partition(|row| lists.iter().all(|it| it.contains(row)));
        let firsts: BTreeSet<Option<TransitionId>> = lists.iter().map(|it| it.first().copied()).collect();
        let first = if firsts.len() == 1 { firsts.into_iter().next().flatten() } else { None };
        Rows { certain, possible, first }
    }
}

/// The interpreter with what it needs of a machine, computed once.
#[derive(Debug)]
pub(crate) struct Replay<'m> {
    machine: &'m Machine,
    predicates: Vec<PredicateId>,
}

impl<'m> Replay<'m> {
    pub(crate) fn of(machine: &'m Machine) -> Self {
        let asks = |it: &PredicateId| machine.transitions.iter().any(|row| row.guard.as_ref().is_some_and(|guard| guard.asks(*it)));
        Replay { machine, predicates: (0..machine.predicates.len()).map(PredicateId::new).filter(asks).collect() }
    }

    /// Replays one attempt.
    pub(crate) fn attempt(&self, recorded: &Recorded<'_>) -> Replayed {
        let machine = self.machine;
        let payload = match recorded.event.map(|it| machine.event(it).payload.as_slice()) {
            None | Some([]) => Vec::new(),
            Some(fields) => match self.values(fields, recorded.payload, "payload", false) {
                Ok(Some(values)) => values,
                Ok(None) => return Replayed::Incomplete,
                Err(why) => return Replayed::Misfit(why),
            },
        };
        let is_created = recorded.from.is_none();
        let context = match machine.fields.as_slice() {
            [] => Vec::new(),
            fields => match self.values(fields, recorded.context, "context", is_created) {
                Ok(Some(values)) => values,
                Ok(None) => return Replayed::Incomplete,
                Err(why) => return Replayed::Misfit(why),
            },
        };
        let before = hash(&context);
        let instance = recorded.from.map(|it| Instance { configuration: it.clone(), context: context.clone() });
        let given: Vec<(FieldId, Value)> = match is_created {
            true => self.given(recorded.context, &context),
            false => Vec::new(),
        };
        let mut first: Option<String> = None;
        let mut lists: Vec<Vec<TransitionId>> = Vec::new();
        let mut afters: Vec<Option<u32>> = Vec::new();
        for request in self.requests(recorded) {
            let predicates = self.asked(recorded.from, request);
            if predicates.len() > MAX_PREDICATES {
                return Replayed::Incomplete;
            }
            for answers in 0..1_usize << predicates.len() {
                let holds = |it: PredicateId| predicates.iter().position(|other| *other == it).is_some_and(|idx| answers >> idx & 1 == 1);
                let planned = plan(machine, instance.as_ref(), request, &payload, &given, &holds);
                match self.compare(recorded, planned) {
                    Ok((rows, end)) => {
                        let after = end.map(|it| hash(&it.context)).or(Some(before).filter(|_| !is_created));
                        if !lists.contains(&rows) {
                            lists.push(rows);
                        }
                        if !afters.contains(&after) {
                            afters.push(after);
                        }
                    }
                    Err(why) => first = first.or(Some(why)),
                }
            }
        }
        if !lists.is_empty() {
            let after = if afters.len() == 1 { afters[0] } else { None };
            return Replayed::Agrees { rows: Rows::of(lists), before, after };
        }
        match first {
            Some(message) => Replayed::Differs { message, before },
            None => Replayed::Incomplete,
        }
    }

    /// The requests that the record may mean: a direct transition may have named a composite around the state.
    fn requests(&self, recorded: &Recorded<'_>) -> Vec<Request> {
        match (recorded.event, recorded.to) {
            (Some(event), _) => vec![Request::Event(event)],
            (None, Some(to)) => {
                let mut targets: Vec<StateId> = to.leaves().flat_map(|it| self.machine.ancestors(it)).collect();
                targets.dedup();
                targets.into_iter().map(Request::Direct).collect()
            }
            // The target that was refused is not recorded.
            (None, None) => Vec::new(),
        }
    }

    /// The predicates that the guards of a request may ask.
    fn asked(&self, from: Option<&Configuration>, request: Request) -> Vec<PredicateId> {
        let machine = self.machine;
        let leads_on = machine.reacts() || request.event().is_some_and(|it| machine.event(it).settles);
        if leads_on || self.predicates.is_empty() {
            return self.predicates.clone();
        }
        let leaves: Vec<Option<StateId>> = from.map_or_else(|| vec![None], |it| it.leaves().map(Some).collect());
        let edges = leaves.into_iter().flat_map(|leaf| machine.tried(leaf, request.on()));
        let guards: Vec<_> = edges.filter_map(|it| machine.transition(it.transition).guard.as_ref()).collect();
        self.predicates.iter().copied().filter(|it| guards.iter().any(|guard| guard.asks(*it))).collect()
    }

    fn compare(
        &self,
        recorded: &Recorded<'_>,
        planned: Result<statespec_lang::interpret::Plan, Error>,
    ) -> Result<(Vec<TransitionId>, Option<Instance>), String> {
        let machine = self.machine;
        let rows = |it: &statespec_lang::interpret::Plan| it.steps.iter().flat_map(|it| it.transitions.iter().copied()).collect();
        match planned {
            Ok(plan) if recorded.is_refused => Err(format!(
                "the machine accepts this and goes to {}, but the record says that it refused",
                quoted(&machine.configuration_name(&plan.end.configuration))
            )),
            Ok(plan) => match recorded.to {
                Some(to) if *to != plan.end.configuration => Err(format!(
                    "with this payload and context the machine goes to {}, not to {}",
                    quoted(&machine.configuration_name(&plan.end.configuration)),
                    quoted(&machine.configuration_name(to))
                )),
                _ => Ok((rows(&plan), Some(plan.end))),
            },
            Err(Error::Refused(refused)) if recorded.is_refused => {
                let text = match refused.reason {
                    statespec_lang::interpret::Reason::Text(row) => vec![row],
                    _ => Vec::new(),
                };
                Ok((text, None))
            }
            Err(error) => Err(format!("with this payload and context the machine refuses: {}", error.show(machine))),
        }
    }

    /// The values of fields; `None` if one is missing. At creation, fields with a default and optional ones need none.
    fn values(&self, fields: &[Field], text: Option<&str>, what: &str, is_created: bool) -> Result<Option<Vec<Value>>, String> {
        let object: BTreeMap<String, &RawValue> = match text {
            None if is_created => BTreeMap::new(),
            None => return Ok(None),
            Some(text) => serde_json::from_str(text).map_err(|_| format!("the {what} is no JSON object"))?,
        };
        if let Some(unknown) = object.keys().find(|key| fields.iter().all(|it| it.name != **key)) {
            return Err(format!("the {what} has {}, which is no field of it", quoted(unknown)));
        }
        let mut values = Vec::with_capacity(fields.len());
        for field in fields {
            let value = match object.get(&field.name) {
                Some(raw) => self.value(field, raw.get()).map_err(|why| format!("the {what} does not fit: {why}"))?,
                None if is_created => field.default.as_ref().and_then(|it| it.to_value()).unwrap_or(Value::Null),
                None => return Ok(None),
            };
            values.push(value);
        }
        Ok(Some(values))
    }

    fn value(&self, field: &Field, raw: &str) -> Result<Value, String> {
        let machine = self.machine;
        if raw == "null" {
            return match field.optional {
                true => Ok(Value::Null),
                false => Err(format!("`{}` is not optional, and `null`", field.name)),
            };
        }
        let text: String = if raw.starts_with('"') { serde_json::from_str(raw).map_err(|it| it.to_string())? } else { raw.to_owned() };
        let is_text = raw.starts_with('"');
        match field.ty {
            Type::Text if is_text => Ok(Value::Text(text)),
            Type::Text => Err(format!("`{}` takes a text, not {}", field.name, quoted(&text))),
            Type::Bool | Type::Int if is_text => Err(format!("`{}` takes no text such as {}", field.name, quoted(&text))),
            Type::Timestamp => match super::time::parse(&text) {
                Some(micros) if is_text => Ok(Value::Timestamp(micros)),
                _ => Err(format!("`{}` takes a time such as `2026-07-01T12:00:00Z`, not {}", field.name, quoted(&text))),
            },
            // The text goes through the reader for typed texts, which shows it as it is.
            _ => read(machine, &machine.enums, field, &text).map_err(|why| super::shown::plain(&why)),
        }
    }

    /// The values that were given at creation, by field.
    fn given(&self, text: Option<&str>, context: &[Value]) -> Vec<(FieldId, Value)> {
        let object: BTreeMap<String, &RawValue> = text.and_then(|it| serde_json::from_str(it).ok()).unwrap_or_default();
        let is_given = |it: &(usize, &Field)| object.contains_key(&it.1.name);
        self.machine.fields.iter().enumerate().filter(is_given).map(|(idx, _)| (FieldId::new(idx), context[idx].clone())).collect()
    }
}

/// A hash of a context that is never 0.
fn hash(context: &[Value]) -> u32 {
    let mut hasher = FixedState::with_seed(3).build_hasher();
    for value in context {
        match value {
            Value::Null => 0_u8.hash(&mut hasher),
            Value::Bool(it) => (1_u8, it).hash(&mut hasher),
            Value::Int(it) => (2_u8, it).hash(&mut hasher),
            // `1.0` and `1.00` are one number.
            Value::Decimal(it) => (3_u8, it.normalize().to_string()).hash(&mut hasher),
            Value::Text(it) => (4_u8, it).hash(&mut hasher),
            Value::Duration(it) => (5_u8, it).hash(&mut hasher),
            Value::Timestamp(it) => (6_u8, it).hash(&mut hasher),
            Value::Reference(it) => (7_u8, it).hash(&mut hasher),
            Value::State(it) => (8_u8, it.index()).hash(&mut hasher),
            Value::Enum(id, idx) => (9_u8, id.index(), idx).hash(&mut hasher),
        }
    }
    (hasher.finish() as u32).max(1)
}
