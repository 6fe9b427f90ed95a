//! Calls with their results.

use serde_json::{Value as Json, json};
use statespec_lang::interpret::{EffectCall, Error, Instance, Phase, Plan, Reason, Request, Step, plan};
use statespec_lang::model::machine::Commit;
use statespec_lang::model::{Configuration, FieldId, Machine, PredicateId, Value};

use super::values::{effect, event, machine_of, state, value};

/// A call.
pub(super) struct Attempt<'a> {
    pub(super) request: Request,
    pub(super) payload: &'a [Value],
    pub(super) given: &'a [(FieldId, Value)],
    pub(super) holds: &'a [PredicateId],
}

/// A call in a machine (`None` is creation) with its result, and what it changes.
pub(super) fn attempt(machine: &Machine, at: Option<&Instance>, attempt: Attempt<'_>) -> (Json, Option<Plan>) {
    let Attempt { request, payload, given, holds } = attempt;
    let outcome = plan(machine, at, request, payload, given, &|it| holds.contains(&it));
    let mut case = json!({ "at": at.map(|it| machine_of(machine, it)), "call": call(machine, request, payload) });
    if !given.is_empty() {
        case["given"] = Json::Object(given.iter().map(|(id, it)| (machine.fields[id.index()].name.clone(), value(machine, it))).collect());
    }
    if !holds.is_empty() {
        case["holds"] = predicates(machine, holds);
    }
    match &outcome {
        Ok(plan) => case["ok"] = accepted(machine, plan),
        Err(Error::Refused(refused)) => {
            let allowed: Vec<&str> = refused.allowed.iter().map(|it| machine.event(*it).name.as_str()).collect();
            let message = refused.show(machine).to_string();
            case["refused"] = json!({ "reason": reason(refused.reason), "message": message, "allowed": allowed });
            if let Reason::Text(row) = refused.reason {
                case["refused"]["row"] = json!(row.index());
            }
        }
        // A caller that passes what the machine does not take: no case is made of it.
        Err(Error::Misuse(message)) => case["misuse"] = json!(message),
        Err(Error::Failed(_)) => {}
    }
    (case, outcome.ok())
}

/// A request: an event, or the target of a direct transition.
pub(super) fn call(machine: &Machine, request: Request, payload: &[Value]) -> Json {
    match request {
        Request::Event(id) => json!({ "event": event(machine, machine.event(id), payload) }),
        Request::Direct(to) => json!({ "to": machine.state(to).wire }),
    }
}

pub(super) fn predicates(machine: &Machine, holds: &[PredicateId]) -> Json {
    json!(holds.iter().map(|it| machine.predicates[it.index()].name.as_str()).collect::<Vec<_>>())
}

fn accepted(machine: &Machine, plan: &Plan) -> Json {
    let effects = |it: &Step| it.effects.iter().map(|it| performed(machine, it)).collect::<Vec<_>>();
    json!({
        "machine": machine_of(machine, &plan.end),
        "steps": plan.steps.iter().map(|it| step(machine, it)).collect::<Vec<_>>(),
        "effects": plan.steps.iter().flat_map(effects).collect::<Vec<_>>(),
        "commit": Commit::name(plan.commit),
    })
}

fn step(machine: &Machine, step: &Step) -> Json {
    let wires = |ids: &[statespec_lang::model::StateId]| ids.iter().map(|it| machine.state(*it).wire.clone()).collect::<Vec<_>>();
    let at = |it: &Configuration| state(machine, it);
    json!({
        "rows": step.transitions.iter().map(|it| it.index()).collect::<Vec<_>>(),
        "from": step.from.as_ref().map(at),
        "to": at(&step.to),
        "exited": wires(&step.exited),
        "entered": wires(&step.entered),
    })
}

/// An effect: when, what with which values, and its message.
pub(super) fn performed(machine: &Machine, call: &EffectCall) -> Json {
    let phase = match call.phase {
        Phase::Before => "before",
        Phase::Exit => "exit",
        Phase::Entry => "entry",
        Phase::Do => "do",
    };
    json!([phase, effect(machine, call), call.message])
}

/// The names of the façade.
pub(super) fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::NoTransition => "no_transition",
        Reason::Guard => "guard",
        Reason::Text(_) => "text",
        Reason::Unsettled => "unsettled",
        Reason::DivisionByZero => "division_by_zero",
    }
}
