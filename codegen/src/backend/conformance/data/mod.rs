//! Conformance tests as data, for implementations in any language: `MACHINE.json`, `SYSTEM.json` and `numbers.json`, version 1.
//!
//! A file has the calls of one machine with their results, as the interpreter computes them: the cases of every configuration and
//! request, the events that no row accepts, the states that each state leads to, a shortest path to every state, and random walks
//! with timers. Machines, events and effects have the JSON that Rust's serde writes for emitted modules.
//!
//! ```json
//! { "now": 0, "call": { "event": "pay" }, "ok": { "machine": { "state": "paid" }, "steps": [], "effects": [], "commit": "persist_first" } }
//! ```

mod calls;
mod numbers;
mod systems;
mod values;
mod walks;

pub use numbers::numbers;
pub use systems::system;
pub use walks::Extent;

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};
use statespec_lang::interpret::Request;
use statespec_lang::model::{EventId, Machine, Model, System};
use statespec_lang::output::{Blame, Pending, PendingFile, Rendered};
use statespec_lang::source::Sources;

use super::cases::TestCases;
use crate::backend::Job;
use calls::{Attempt, attempt, call};
use values::{event, machine_of};

/// The version of the files.
pub const VERSION: u32 = 1;

/// The number of random pairs of each type among the operators at their limits.
const RANDOM_NUMBERS: usize = 50;

/// The files of a folder of tests: one for each machine, and `with_systems` for each system, named as in `files`, and the operators at
/// their limits.
pub(in crate::backend) fn outputs<'a>(
    job: Job<'a>,
    folder: &str,
    files: &BTreeMap<String, String>,
    with_systems: bool,
) -> Vec<(String, PendingFile<'a>)> {
    let Job { model, sources, .. } = job;
    let of_machine = |(idx, it): (usize, &'a Machine)| {
        let render = move || Ok(Rendered::new(machine(model, idx, sources, Extent::default()), Some(it.span), Blame::default));
        (format!("{folder}/{}.json", files[&it.name]), Pending::new(Some(it.span), render))
    };
    let mut outputs: Vec<_> = model.machines.iter().enumerate().map(of_machine).collect();
    let of_system = |(idx, it): (usize, &'a System)| {
        let render = move || Ok(Rendered::new(system(model, idx, sources, Extent::default()), Some(it.span), Blame::default));
        (format!("{folder}/{}.json", files[&it.name]), Pending::new(Some(it.span), render))
    };
    if with_systems {
        outputs.extend(model.systems.iter().enumerate().map(of_system));
    }
    let limits = move || Ok(Rendered::blaming(numbers(RANDOM_NUMBERS), None, Blame::of_specs(model.machines.iter().map(|it| it.source))));
    outputs.push((format!("{folder}/numbers.json"), Pending::new(None, limits)));
    outputs
}

/// The tests of a machine as JSON, with one case per line.
pub fn machine(model: &Model, idx: usize, sources: &Sources, extent: Extent) -> String {
    let machine = &model.machines[idx];
    let tests = TestCases::of(model, idx, machine);
    let names = |events: &[EventId]| events.iter().map(|it| machine.event(*it).name.clone()).collect::<Vec<_>>();
    let line = |span: statespec_lang::source::Span| sources.get(span.source).line_column(span.start as usize).0;
    let rows = machine.transitions.iter().map(|it| json!(line(it.span)));
    let may_raise = machine.events.iter().filter(|it| it.timer.is_none());
    let actors = |by: &[statespec_lang::model::ActorId]| match by {
        [] => machine.actors.iter().map(|it| it.name.clone()).collect::<Vec<_>>(),
        by => by.iter().map(|it| machine.actors[it.index()].name.clone()).collect(),
    };
    let cases = tests.cases.iter().map(|it| {
        let (request, payload, holds) = it.call.parts();
        attempt(machine, it.before.as_ref(), Attempt { request, payload, given: &[], holds }).0
    });
    let forbidden = tests.forbidden.iter().flat_map(|(at, events)| events.iter().map(move |id| (at.as_ref(), *id)));
    let forbidden = forbidden.map(|(at, id)| {
        let payload = &tests.payloads[id.index()];
        attempt(machine, at, Attempt { request: Request::Event(id), payload, given: &[], holds: &[] }).0
    });
    let pairs = machine.leaves().map(|it| {
        let to: Vec<&str> = machine.successors(it).into_iter().map(|it| machine.state(it).wire.as_str()).collect();
        json!([machine.state(it).wire, to])
    });
    let paths = tests.traces.iter().map(|(to, steps)| {
        let step = |(made, at): &(super::case::Call, statespec_lang::model::Configuration)| {
            let (request, payload, holds) = made.parts();
            json!({ "call": call(machine, request, payload), "holds": calls::predicates(machine, holds), "to": values::state(machine, at) })
        };
        json!({ "to": values::state(machine, to), "steps": steps.iter().map(step).collect::<Vec<_>>() })
    });
    let events = machine.events.iter().zip(&tests.payloads).map(|(it, payload)| event(machine, it, payload));
    let states: Vec<&str> = machine.leaves().map(|it| machine.state(it).wire.as_str()).collect();
    let start = statespec_lang::interpret::Instance::start(machine, &[]).ok().filter(|_| machine.edges_from(None).is_empty());
    let lists: [(&str, Vec<Json>); 6] = [
        ("events", events.collect()),
        ("cases", cases.collect()),
        ("forbidden", forbidden.collect()),
        ("pairs", pairs.collect()),
        ("paths", paths.collect()),
        ("walks", walks::walks(model, idx, extent)),
    ];
    let mut head = json!({
        "version": VERSION,
        "machine": machine.name,
        "spec": sources.get(machine.source).path(),
        "states": states,
        "timers": names(&machine.timers().map(|it| it.0).collect::<Vec<_>>()),
        "actors": machine.actors.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(),
        "may_raise": may_raise.map(|it| json!([it.name, actors(&it.by)])).collect::<Vec<_>>(),
        "rows": rows.collect::<Vec<_>>(),
    });
    head["start"] = start.map_or(Json::Null, |it| machine_of(machine, &it));
    printed(&head, &lists)
}

/// An object: the members of `head`, a line each, and the lists, a line for each item.
fn printed(head: &Json, lists: &[(&str, Vec<Json>)]) -> String {
    let members = head.as_object().into_iter().flatten().map(|(key, value)| format!("  {}: {value}", json!(key)));
    let lists = lists.iter().map(|(key, items)| {
        let items: Vec<String> = items.iter().map(|it| format!("\n    {it}")).collect();
        let end = if items.is_empty() { "" } else { "\n  " };
        format!("  {}: [{}{end}]", json!(key), items.join(","))
    });
    format!("{{\n{}\n}}\n", members.chain(lists).collect::<Vec<_>>().join(",\n"))
}
