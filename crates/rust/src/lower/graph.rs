//! The facts about states that methods of `State` return.

use proc_macro2::Ident;
use statespec_lang::model::machine::{Machine, Trigger};
use statespec_lang::model::{EventId, StateId};

use super::types::Position;
use super::{Lowering, docs};
use crate::ir::{Attribute, Graph, Lists, Nesting, Node};

impl Lowering<'_> {
    pub(super) fn graph(&self) -> Graph {
        let machine = self.machine;
        let successors: Vec<Vec<StateId>> = self.leaves.iter().map(|id| machine.successors(*id)).collect();
        let is_sink = |(from, to): &(&StateId, &Vec<StateId>)| to.iter().all(|it| it == *from);
        let settles = machine.events.iter().any(|it| it.settles);
        Graph {
            initial: self.state(machine.initial().first()),
            terminal: self.state_idents(self.leaves.iter().copied().filter(|id| machine.state(*id).terminal)),
            sinks: self.state_idents(self.leaves.iter().zip(&successors).filter(is_sink).map(|(id, _)| *id)),
            successors: self.successors(&successors),
            events: (!machine.events.is_empty()).then(|| self.permitted()),
            nesting: (!self.composites.is_empty()).then(|| self.nesting()),
            attributes: (0..machine.attributes.len()).map(|idx| self.attribute(idx)).collect(),
            nodes: self.nodes(),
            completing: self.completing(),
            n_steps: match (machine.reacts(), settles) {
                (true, _) => Machine::MAX_STEPS,
                // A settling event moves at most once for each state, and may stay at the end.
                (false, true) => self.leaves.len() + 1,
                (false, false) => 1,
            },
        }
    }

    fn successors(&self, lists: &[Vec<StateId>]) -> Lists {
        let n_leaves = self.leaves.len();
        // A payload can lead from any state to any state: that needs no list.
        let anywhere = n_leaves > 1 && lists.iter().any(|it| it.len() == n_leaves);
        if self.is_named() || anywhere {
            let slice = |list: &Vec<StateId>| (!(anywhere && list.len() == n_leaves)).then(|| self.state_idents(list.iter().copied()));
            return Lists::Slices(lists.iter().map(slice).collect());
        }
        packed(lists.iter().map(|list| list.iter().map(|it| self.leaf_index(*it)).collect()))
    }

    fn permitted(&self) -> Lists {
        let lists: Vec<Vec<EventId>> = self.leaves.iter().map(|id| self.machine.events_in(*id)).collect();
        if self.is_named() {
            return Lists::Slices(lists.iter().map(|list| Some(list.iter().map(|id| self.event(*id)).collect())).collect());
        }
        packed(lists.iter().map(|list| list.iter().map(|it| it.index()).collect()))
    }

    fn nesting(&self) -> Nesting {
        let machine = self.machine;
        let parent = |id: &StateId| machine.state(*id).parent.map(|it| self.state(it));
        Nesting {
            parents: self.leaves.iter().map(parent).collect(),
            paths: self.leaves.iter().map(|id| machine.path_name(*id).into_owned()).collect(),
            inside: self.composites.iter().map(|id| self.state_idents(self.leaves_in(*id))).collect(),
            composite_parents: self.composites.iter().map(parent).collect(),
            defaults: self.composites.iter().map(|id| self.state(machine.default_leaf(*id))).collect(),
        }
    }

    fn attribute(&self, idx: usize) -> Attribute {
        let attribute = &self.machine.attributes[idx];
        let values = self.leaves.iter().map(|id| self.optional_literal(&self.machine.state(*id).attributes[idx], attribute.optional));
        Attribute {
            method: self.names.attributes[idx].clone(),
            doc: vec![docs::sentence_or(attribute.doc.as_deref(), || format!("The attribute {}.", docs::code(&attribute.name)))],
            ty: self.optional_ty(&attribute.ty, attribute.optional, Position::Static),
            element: self.optional_ty(&attribute.ty, attribute.optional, Position::Table),
            values: values.collect(),
        }
    }

    /// Whether a row leaves and enters a composite again: then two leaves do not tell what a step between them crosses.
    pub(crate) fn reenters(&self) -> bool {
        self.program.rows.iter().any(|it| it.reenters.is_some())
    }

    /// The position of a state among the nodes: the leaves come first.
    pub(crate) fn node_index(&self, id: StateId) -> usize {
        match self.machine.is_leaf(id) {
            true => self.leaf_index(id),
            false => self.leaves.len() + self.composites.partition_point(|it| *it < id),
        }
    }

    /// The nodes whose entry completes a composite that a row waits for, and that composite.
    fn completing(&self) -> Vec<(usize, Ident)> {
        let completed = self.machine.state_ids().filter_map(|id| Some((id, self.program.node(id).completes?)));
        completed.map(|(id, of)| (self.node_index(id), self.state(of))).collect()
    }

    /// Entry and exit effects, if any state has some; and the nesting, if steps depend on it.
    fn nodes(&self) -> Vec<Node> {
        let machine = self.machine;
        let has_effects = machine.states.iter().any(|it| !it.entry.is_empty() || !it.exit.is_empty());
        let has_timers = machine.timers().next().is_some();
        if !has_effects
            && !has_timers
            && !machine.has_regions()
            && !machine.transitions.iter().any(|row| row.reenter || row.trigger == Trigger::Done)
        {
            return Vec::new();
        }
        let effects = |ids: &[statespec_lang::model::EffectId]| ids.iter().map(|id| self.names.effects[id.index()].clone()).collect();
        let order = self.leaves.iter().chain(&self.composites);
        order
            .map(|id| {
                let state = machine.state(*id);
                let parent = state.parent.map(|parent| self.node_index(parent));
                Node { parent, entry: effects(&state.entry), exit: effects(&state.exit) }
            })
            .collect()
    }
}

/// A line for each list, with five characters for each position.
fn packed(lists: impl Iterator<Item = Vec<usize>>) -> Lists {
    let (mut text, mut n_items) = (String::new(), 0);
    for list in lists {
        text.push('\n');
        n_items += list.len();
        list.iter().for_each(|position| text.push_str(&format!("{position:5}")));
    }
    Lists::Packed { text, n_items }
}
