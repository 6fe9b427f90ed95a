//! The tables of a module.

use statespec_lang::model::machine::Commit;
use statespec_lang::model::{EffectId, EventId, Machine, StateId};
use statespec_lang::program::{Action, Arm, Destination, Memory, Node, Program, Row};

use super::decide::{Decide, NOTHING};
use super::forms::define;
use super::idents::{Idents, quoted, tuple};
use super::imports::FINAL;
use crate::idents::{Signature, cause};
use crate::writer::Writer;

/// Keyword arguments that are not the usual ones.
#[derive(Default)]
struct Arguments(Vec<String>);

impl Arguments {
    fn push(&mut self, name: &str, value: String) {
        self.0.push(format!("{name}={value}"));
    }

    fn tuple(&mut self, name: &str, items: Vec<String>) {
        if !items.is_empty() {
            self.push(name, tuple(items));
        }
    }
}

/// The table of a machine.
pub(super) fn chart(out: &mut Writer, decide: &Decide<'_>) {
    let (program, idents) = (decide.program, decide.idents);
    let machine = program.machine;
    let Signature { context, predicates } = Signature::of(machine, NOTHING);
    let fixed = out.imports.name(FINAL);
    define(out, format!("CHART: {fixed}[statespec.Chart[{context}, _Event, {predicates}, Effect, State, EventKind]] = statespec.Chart("));
    out.indented(|out| {
        out.line(format!("{},", quoted(&machine.name)));
        out.block("nodes=(", "),", |out| machine.state_ids().for_each(|id| out.line(format!("{},", node(decide, id)))));
        out.block("rows=(", "),", |out| {
            program.rows.iter().enumerate().for_each(|(idx, it)| out.line(format!("{},", row(decide, idx, it))));
        });
        out.block("cases={", "},", |out| cases(out, decide));
        out.block("effects={", "},", |out| {
            (0..machine.effects.len()).for_each(|it| out.line(format!("{}: _effect_{it},", quoted(&machine.effects[it].name))));
        });
        let kinds = |events: &[EventId]| tuple(events.iter().map(|it| kind(idents, *it)));
        if !program.accepted_at_creation.is_empty() {
            out.line(format!("created_by={},", kinds(&program.accepted_at_creation)));
        }
        if machine.parallel {
            out.line("parallel=True,");
        }
        let settling: Vec<String> = machine.events.iter().filter(|it| it.settles).map(|it| quoted(&it.name)).collect();
        if !settling.is_empty() {
            out.line(format!("settling=frozenset({{{}}}),", settling.join(", ")));
        }
        if machine.reacts() {
            out.line(format!("reacts=True,\nmax_steps={},\nmax_waiting={},", Machine::MAX_STEPS, Machine::MAX_WAITING));
        }
        if !program.timers.is_empty() {
            out.block("timers={", "},", |out| {
                for it in &program.timers {
                    let states = it.states.iter().map(|it| quoted(&machine.state(*it).wire));
                    out.line(format!("{}: {},", quoted(&machine.event(it.event).name), tuple(states)));
                }
            });
        }
        if !machine.events.is_empty() {
            out.block("by={", "},", |out| {
                for (idx, event) in machine.events.iter().enumerate() {
                    let by = event.by.iter().map(|it| format!("Actor.{}", idents.actor(*it)));
                    out.line(format!("{}: {},", kind(idents, EventId::new(idx)), tuple(by)));
                }
            });
        }
        if !machine.predicates.is_empty() {
            out.block("predicates={", "},", |out| {
                for (idx, it) in machine.predicates.iter().enumerate() {
                    let ident = idents.predicate(statespec_lang::model::PredicateId::new(idx));
                    out.line(format!("{}: {},", quoted(&it.name), quoted(ident)));
                }
            });
        }
    });
    out.line(")\n\"\"\"What the machine does, as data.\"\"\"");
}

fn kind(idents: &Idents, id: EventId) -> String {
    format!("EventKind.{}", idents.kind(id))
}

fn node(decide: &Decide<'_>, id: StateId) -> String {
    let (machine, idents) = (decide.program.machine, decide.idents);
    let (state, Node { starts, memories, completes, may_complete, accepted }) = (machine.state(id), decide.program.node(id));
    let wire = |id: StateId| quoted(&machine.state(id).wire);
    let is_leaf = machine.is_leaf(id);
    let mut arguments = Arguments::default();
    let leaf = if is_leaf { idents.leaf(id) } else { String::from("None") };
    arguments.0.extend([wire(id), quoted(&machine.refused_name(id)), leaf]);
    if let Some(parent) = state.parent {
        arguments.push("parent", wire(parent));
    }
    if state.parallel {
        arguments.push("parallel", String::from("True"));
    }
    if state.terminal {
        arguments.push("terminal", String::from("True"));
    }
    if !is_leaf {
        arguments.tuple("starts", starts.iter().map(|it| idents.leaf(*it)).collect());
        arguments.push("end", wire(machine.default_end(id)));
    }
    if let Some(whole) = completes {
        arguments.push("completes", wire(*whole));
    }
    if let Some(whole) = may_complete {
        arguments.push("may_complete", wire(*whole));
    }
    if is_leaf {
        arguments.tuple("accepted", accepted.iter().map(|it| kind(idents, *it)).collect());
        arguments.tuple("successors", machine.successors(id).into_iter().map(|it| idents.leaf(it)).collect());
    }
    let names = |effects: &[EffectId]| effects.iter().map(|it| quoted(&machine.effect(*it).name)).collect();
    arguments.tuple("entry", names(&state.entry));
    arguments.tuple("exit", names(&state.exit));
    arguments.tuple("memories", memories.iter().map(|it| memory(idents, it)).collect());
    format!("statespec.Node({})", arguments.0.join(", "))
}

fn memory(idents: &Idents, memory: &Memory) -> String {
    let leaves = memory.leaves.iter().map(|(from, to)| format!("{}: {}", idents.leaf(*from), idents.leaf(*to)));
    let field = idents.field(memory.field);
    format!("statespec.Memory({}, {{{}}}, _remember_{field})", quoted(field), leaves.collect::<Vec<_>>().join(", "))
}

fn row(decide: &Decide<'_>, idx: usize, row: &Row) -> String {
    let (machine, idents) = (decide.program.machine, decide.idents);
    let mut arguments = Arguments::default();
    let conditions = [("guard", &row.guard), ("guard_divides", &row.guard_divides), ("divides", &row.divides)];
    for (name, _) in conditions.iter().filter(|(_, it)| it.is_some()) {
        arguments.push(name, format!("_{name}_{idx}"));
    }
    if !row.set.is_empty() {
        arguments.push("put", format!("_put_{idx}"));
        let fields: Vec<String> = row.set.iter().map(|it| quoted(idents.field(it.field))).collect();
        arguments.push("fields", format!("frozenset({{{}}})", fields.join(", ")));
    }
    let names = |effects: &[EffectId]| effects.iter().map(|it| quoted(&machine.effect(*it).name)).collect();
    arguments.tuple("before", names(&row.before));
    arguments.tuple("do", names(&row.effects));
    arguments.tuple("raises", row.raise.iter().map(|it| quoted(&machine.event(*it).name)).collect());
    if let Some(id) = row.reenters {
        arguments.push("reenters", quoted(&machine.state(id).wire));
    }
    match row.commit {
        Commit::PersistFirst => {}
        Commit::MemoryFirst => arguments.push("commit", String::from("statespec.Commit.MEMORY_FIRST")),
        Commit::MemoryOnly => arguments.push("commit", String::from("statespec.Commit.MEMORY_ONLY")),
    }
    if let statespec_lang::model::machine::Target::Refuse(text) = &machine.transitions[idx].target {
        arguments.push("refusal", quoted(text));
    }
    format!("statespec.Row({})", arguments.0.join(", "))
}

fn cases(out: &mut Writer, decide: &Decide<'_>) {
    let program: &Program<'_> = decide.program;
    let sources = std::iter::once(None).chain(program.machine.leaves().map(Some));
    for from in sources {
        // A machine may have been stored in a leaf in which none rests.
        let passing = program.passing.iter().filter(|it| it.from == from);
        let cases: Vec<_> = program.cases_from(from).iter().chain(passing).collect();
        if cases.is_empty() {
            continue;
        }
        let source = from.map_or_else(|| String::from("None"), |it| decide.idents.leaf(it));
        out.block(format!("{source}: {{"), "},", |out| {
            for case in cases {
                let arms = case.arms.iter().map(|it| arm(decide, it));
                out.line(format!("{}: {},", quoted(&cause(program.machine, case.cause)), tuple(arms)));
            }
        });
    }
}

fn arm(decide: &Decide<'_>, arm: &Arm) -> String {
    let mut arguments = Arguments(vec![arm.row.index().to_string()]);
    if let Some(source) = arm.source {
        arguments.0.push(quoted(&decide.program.machine.state(source).wire));
    }
    if let Action::Go(to) = &arm.action {
        let target = |it: &Destination| match it {
            Destination::Leaf(id) => decide.idents.leaf(*id),
            computed => decide.destinations[computed].clone(),
        };
        arguments.push("to", tuple(to.iter().map(target)));
    }
    format!("statespec.Arm({})", arguments.0.join(", "))
}
