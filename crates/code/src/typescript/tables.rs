//! The tables of a machine: its graph, its rows, and the arms of its cases.

use std::collections::BTreeMap;

use statespec_lang::model::machine::{Commit, Target};
use statespec_lang::model::{EffectId, EventId, StateId, TransitionId};
use statespec_lang::program::{Action, Arm, Destination, Program};

use super::idents::{Idents, quoted};
use crate::writer::Writer;

/// The arms of all cases, each once.
#[derive(Default)]
pub(super) struct Arms {
    positions: BTreeMap<Key, usize>,
    lines: Vec<String>,
}

/// What distinguishes arms: the row, the source and where it leads.
type Key = (TransitionId, Option<StateId>, Option<Vec<Destination>>);

impl Arms {
    /// The position of an arm.
    pub(super) fn position(&mut self, program: &Program<'_>, idents: &Idents, arm: &Arm) -> usize {
        let to = match &arm.action {
            Action::Refuse => None,
            Action::Stay => Some(Vec::new()),
            Action::Go(destinations) => Some(destinations.clone()),
        };
        let state = |id: StateId| quoted(&program.machine.state(id).wire);
        let destination = |it: &Destination| match *it {
            Destination::Leaf(leaf) => format!("{{ leaf: {} }}", state(leaf)),
            Destination::Payload(id) => format!("{{ payload: {} }}", quoted(&idents.payload[id.index()])),
            Destination::History { field, whole, default } => {
                let field = quoted(&program.machine.fields[field.index()].name);
                format!("{{ history: {field}, whole: {}, start: {} }}", state(whole), state(default))
            }
        };
        let shown = match &to {
            None => "null".to_owned(),
            Some(to) => format!("[{}]", to.iter().map(destination).collect::<Vec<_>>().join(", ")),
        };
        let source = arm.source.map_or_else(String::new, |it| format!(", source: {}", state(it)));
        let line = format!("{{ row: {}{source}, to: {shown} }},", arm.row.index());
        let next = self.lines.len();
        let position = *self.positions.entry((arm.row, arm.source, to)).or_insert(next);
        if position == next {
            self.lines.push(line);
        }
        position
    }

    pub(super) fn write(&self, out: &mut Writer) {
        out.blank();
        out.block("const ARMS: readonly s.Arm[] = [", "];", |out| self.lines.iter().for_each(|it| out.line(it)));
    }
}

/// The graph: what follows from the names and the nesting of states.
pub(super) fn graph(out: &mut Writer, program: &Program<'_>) {
    let machine = program.machine;
    let wire = |id: StateId| quoted(&machine.state(id).wire);
    let list = |items: Vec<String>| format!("[{}]", items.join(", "));
    let effects = |ids: &[EffectId]| list(ids.iter().map(|it| quoted(&machine.effect(*it).name)).collect());
    let events = |ids: &[EventId]| list(ids.iter().map(|it| quoted(&machine.event(*it).name)).collect());
    out.blank();
    out.block("const GRAPH: s.Graph = s.graph({", "});", |out| {
        out.line(format!("name: {},", quoted(&machine.name)));
        out.line(format!("parallel: {},", machine.parallel));
        out.line(format!("initial: {},", list(machine.initial().leaves().map(wire).collect())));
        out.line(format!("reacts: {},", machine.reacts()));
        out.line(format!("created: {},", events(&program.accepted_at_creation)));
        out.block("states: [", "],", |out| {
            for id in machine.state_ids() {
                let (state, node) = (machine.state(id), program.node(id));
                let mut parts = vec![format!("name: {}", wire(id)), format!("path: {}", quoted(&machine.refused_name(id)))];
                let mut part = |key: &str, value: Option<String>| parts.extend(value.map(|it| format!("{key}: {it}")));
                part("parent", state.parent.map(wire));
                part("parallel", state.parallel.then(|| "true".into()));
                part("terminal", state.terminal.then(|| "true".into()));
                part("initial", state.default_child.map(wire));
                part("entry", (!state.entry.is_empty()).then(|| effects(&state.entry)));
                part("exit", (!state.exit.is_empty()).then(|| effects(&state.exit)));
                let memories = node.memories.iter().map(|it| {
                    let leaves = it.leaves.iter().map(|(leaf, remembered)| format!("[{}, {}]", wire(*leaf), wire(*remembered)));
                    let field = quoted(&machine.fields[it.field.index()].name);
                    format!("[{field}, new Map([{}])]", leaves.collect::<Vec<_>>().join(", "))
                });
                part("memories", (!node.memories.is_empty()).then(|| list(memories.collect())));
                part("completes", node.completes.map(wire));
                part("mayComplete", node.may_complete.map(wire));
                part("accepts", (!node.accepted.is_empty() && machine.is_leaf(id)).then(|| events(&node.accepted)));
                let leads = if machine.is_leaf(id) { machine.successors(id) } else { Vec::new() };
                part("leads", (!leads.is_empty()).then(|| list(leads.into_iter().map(wire).collect())));
                out.line(format!("{{ {} }},", parts.join(", ")));
            }
        });
        out.block("events: [", "],", |out| {
            for it in &machine.events {
                let mut parts = vec![format!("name: {}", quoted(&it.name))];
                if !it.by.is_empty() {
                    parts.push(format!("by: {}", list(it.by.iter().map(|it| quoted(&machine.actors[it.index()].name)).collect())));
                }
                parts.extend(it.settles.then(|| "settles: true".to_owned()));
                parts.extend(it.timer.is_some().then(|| "timer: true".to_owned()));
                out.line(format!("{{ {} }},", parts.join(", ")));
            }
        });
    });
}

/// What each row does wherever it is taken.
pub(super) fn rows(out: &mut Writer, program: &Program<'_>) {
    let machine = program.machine;
    let names = |ids: &[EffectId]| ids.iter().map(|it| quoted(&machine.effect(*it).name)).collect::<Vec<_>>().join(", ");
    out.blank();
    out.block("const ROWS: readonly s.RowParts[] = [", "];", |out| {
        for (row, stated) in program.rows.iter().zip(&machine.transitions) {
            let mut parts = Vec::new();
            let mut part = |key: &str, value: Option<String>| parts.extend(value.map(|it| format!("{key}: {it}")));
            part("before", (!row.before.is_empty()).then(|| format!("[{}]", names(&row.before))));
            part("effects", (!row.effects.is_empty()).then(|| format!("[{}]", names(&row.effects))));
            let raised = row.raise.iter().map(|it| quoted(&machine.event(*it).name)).collect::<Vec<_>>().join(", ");
            part("raise", (!row.raise.is_empty()).then(|| format!("[{raised}]")));
            part("reenters", row.reenters.map(|it| quoted(&machine.state(it).wire)));
            part("commit", (row.commit != Commit::PersistFirst).then(|| quoted(row.commit.name())));
            part("refuses", if let Target::Refuse(text) = &stated.target { Some(quoted(text)) } else { None });
            out.line(if parts.is_empty() { "{},".to_owned() } else { format!("{{ {} }},", parts.join(", ")) });
        }
    });
}
