//! The tables of a package.

use statespec_lang::model::machine::{Commit, Target};
use statespec_lang::model::{EffectId, EventId, Machine, StateId};
use statespec_lang::program::{Action, Arm, Destination, Memory, Node, Row};

use super::decide::{Decide, NOTHING};
use super::idents::{quoted, slice};
use crate::idents::{Signature, cause};
use crate::writer::Writer;

/// The members of a literal that are not the usual ones.
#[derive(Default)]
struct Members(Vec<String>);

impl Members {
    fn push(&mut self, name: &str, value: impl AsRef<str>) {
        self.0.push(format!("{name}: {}", value.as_ref()));
    }

    fn is(&mut self, name: &str, value: bool) {
        if value {
            self.push(name, "true");
        }
    }

    fn texts<'t>(&mut self, name: &str, items: impl IntoIterator<Item = &'t str>) {
        let items: Vec<String> = items.into_iter().map(quoted).collect();
        if !items.is_empty() {
            self.push(name, slice("string", items));
        }
    }

    fn literal(&self) -> String {
        format!("{{{}}}", self.0.join(", "))
    }
}

/// A variable that is a list, one element a line.
fn list(out: &mut Writer, name: &str, ty: &str, items: Vec<String>) -> bool {
    if items.is_empty() {
        return false;
    }
    out.block(format!("\nvar {name} = []{ty}{{"), "}", |out| items.iter().for_each(|it| out.line(format!("{it},"))));
    true
}

/// The tables of a machine, and the chart of them.
pub(super) fn chart(out: &mut Writer, decide: &Decide<'_>) {
    let program = decide.program;
    let machine = program.machine;
    let Signature { context, predicates } = Signature::of(machine, NOTHING);
    let numbered = |name: &str, count: usize| (0..count).map(|it| format!("{name}{it}")).collect::<Vec<_>>();
    let effects = machine.effects.iter().enumerate();
    let effects = effects.map(|(idx, it)| format!("{{Name: {}, Make: effect{idx}}}", quoted(&it.name))).collect();
    let mut targets: Vec<usize> = decide.destinations.values().copied().collect();
    targets.sort_unstable();
    let cases = program.cases.iter().chain(&program.passing);
    let function = |result: &str| format!("func(c *{context}, e Event) {result}");
    let tables = [
        ("Nodes", "nodes", "statespec.Node".to_owned(), machine.state_ids().map(|it| node(decide, it)).collect()),
        ("Events", "events", "statespec.EventNode".to_owned(), machine.events.iter().enumerate().map(|it| event(machine, it)).collect()),
        (
            "Rows",
            "rows",
            format!("statespec.Row[{context}, Event, {predicates}, State]"),
            program.rows.iter().enumerate().map(|(idx, it)| row(machine, idx, it)).collect(),
        ),
        (
            "Cases",
            "cases",
            "statespec.Case".to_owned(),
            cases
                .map(|it| {
                    let mut members = Members::default();
                    if let Some(from) = it.from {
                        members.push("From", quoted(&machine.state(from).wire));
                    }
                    members.push("On", quoted(&cause(machine, it.cause)));
                    members.push("Arms", slice("statespec.Arm", it.arms.iter().map(|it| arm(decide, it))));
                    members.literal()
                })
                .collect(),
        ),
        ("Targets", "targets", function("State"), targets.iter().map(|it| format!("target{it}")).collect()),
        ("Effects", "effects", format!("statespec.EffectNode[{context}, Event, Effect, State]"), effects),
        ("Durations", "durations", format!("func(c *{context}) statespec.Duration"), numbered("duration", program.timers.len())),
    ];
    let mut members: Vec<(&str, String)> = vec![("Machine", quoted(&machine.name))];
    if machine.parallel {
        members.push(("Parallel", "true".to_owned()));
    }
    for (member, name, ty, items) in tables {
        if list(out, name, &ty, items) {
            members.push((member, name.to_owned()));
        }
    }
    if !program.accepted_at_creation.is_empty() {
        let events = program.accepted_at_creation.iter().map(|it| quoted(&machine.event(*it).name));
        members.push(("Created", slice("string", events)));
    }
    if machine.reacts() {
        members.push(("Reacts", "true".to_owned()));
    }
    if decide.compares() {
        members.push(("Same", "same".to_owned()));
    }
    if !decide.remembering().is_empty() {
        members.push(("Remember", "remember".to_owned()));
    }
    let width = members.iter().map(|(name, _)| name.len() + 1).max().unwrap_or_default();
    out.line("\n// chart is what the machine does, as data.");
    let types = format!("{context}, Event, {predicates}, Effect, State");
    out.block(format!("var chart = statespec.NewChart[{types}, EventKind](statespec.Parts[{types}]{{"), "})", |out| {
        members.iter().for_each(|(name, value)| out.line(format!("{:width$} {value},", format!("{name}:"))));
    });
}

fn event(machine: &Machine, (idx, event): (usize, &statespec_lang::model::machine::Event)) -> String {
    let mut members = Members::default();
    members.push("Name", quoted(&event.name));
    members.texts("By", event.by.iter().map(|it| machine.actors[it.index()].name.as_str()));
    members.is("Settles", event.settles);
    if let Some((_, timer)) = machine.timers().find(|(id, _)| *id == EventId::new(idx)) {
        members.texts("Timer", timer.states.iter().map(|it| machine.state(*it).wire.as_str()));
    }
    members.literal()
}

fn node(decide: &Decide<'_>, id: StateId) -> String {
    let machine = decide.program.machine;
    let (state, Node { starts, memories, completes, may_complete, accepted }) = (machine.state(id), decide.program.node(id));
    let wire = |id: StateId| machine.state(id).wire.as_str();
    let is_leaf = machine.is_leaf(id);
    let mut members = Members::default();
    members.push("Name", quoted(wire(id)));
    members.push("Path", quoted(&machine.refused_name(id)));
    members.is("Leaf", is_leaf);
    let places = [("Parent", state.parent), ("Completes", *completes), ("MayComplete", *may_complete)];
    places.iter().filter_map(|(name, it)| Some((name, (*it)?))).for_each(|(name, it)| members.push(name, quoted(wire(it))));
    members.is("Parallel", state.parallel);
    members.is("Terminal", state.terminal);
    if is_leaf {
        members.texts("Accepted", accepted.iter().map(|it| machine.event(*it).name.as_str()));
        let successors = machine.successors(id);
        members.texts("Successors", successors.into_iter().map(wire));
    } else {
        members.texts("Starts", starts.iter().map(|it| wire(*it)));
        members.push("End", quoted(wire(machine.default_end(id))));
    }
    for (name, effects) in [("Entry", &state.entry), ("Exit", &state.exit)] {
        members.texts(name, effect_names(machine, effects));
    }
    if !memories.is_empty() {
        members.push("Memories", slice("statespec.Memory", memories.iter().map(|it| memory(machine, it))));
    }
    members.literal()
}

fn effect_names<'m>(machine: &'m Machine, effects: &'m [EffectId]) -> impl Iterator<Item = &'m str> {
    effects.iter().map(|it| machine.effect(*it).name.as_str())
}

fn memory(machine: &Machine, memory: &Memory) -> String {
    let wire = |id: StateId| quoted(&machine.state(id).wire);
    let leaves = memory.leaves.iter().map(|(from, to)| format!("{{Leaf: {}, As: {}}}", wire(*from), wire(*to)));
    format!("{{Field: {}, Leaves: {}}}", memory.field.index(), slice("statespec.Remembered", leaves))
}

fn row(machine: &Machine, idx: usize, row: &Row) -> String {
    let mut members = Members::default();
    let functions = [
        ("Guard", "guard", row.guard.is_some()),
        ("GuardDivides", "guardDivides", row.guard_divides.is_some()),
        ("Divides", "divides", row.divides.is_some()),
        ("Put", "put", !row.set.is_empty()),
    ];
    functions.iter().filter(|it| it.2).for_each(|(name, function, _)| members.push(name, format!("{function}{idx}")));
    if !row.set.is_empty() {
        members.push("Fields", slice("int", row.set.iter().map(|it| it.field.index().to_string())));
    }
    members.texts("Before", effect_names(machine, &row.before));
    members.texts("Do", effect_names(machine, &row.effects));
    members.texts("Raises", row.raise.iter().map(|it| machine.event(*it).name.as_str()));
    if let Some(id) = row.reenters {
        members.push("Reenters", quoted(&machine.state(id).wire));
    }
    match row.commit {
        Commit::PersistFirst => {}
        Commit::MemoryFirst => members.push("Commit", "statespec.MemoryFirst"),
        Commit::MemoryOnly => members.push("Commit", "statespec.MemoryOnly"),
    }
    if let Target::Refuse(text) = &machine.transitions[idx].target {
        members.is("Refuses", true);
        members.push("Refusal", quoted(text));
    }
    members.literal()
}

fn arm(decide: &Decide<'_>, arm: &Arm) -> String {
    let machine = decide.program.machine;
    let mut members = Members::default();
    members.push("Row", arm.row.index().to_string());
    if let Some(source) = arm.source {
        members.push("Source", quoted(&machine.state(source).wire));
    }
    if let Action::Go(to) = &arm.action {
        let target = |it: &Destination| match it {
            Destination::Leaf(id) => format!("{{Leaf: {}}}", quoted(&machine.state(*id).wire)),
            computed => format!("{{Computed: {}}}", decide.destinations[computed]),
        };
        members.push("To", slice("statespec.To", to.iter().map(target)));
    }
    members.literal()
}
