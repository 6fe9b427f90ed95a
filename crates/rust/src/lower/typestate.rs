//! A type for each state, on request: an event that is refused there does not compile.

use std::collections::BTreeSet;

use statespec_lang::model::machine::{Edge, On, Outcome};
use statespec_lang::model::{EventId, StateId, TransitionId, Type};
use statespec_lang::names::{ident, snake};

use super::{Lowering, docs};
use crate::ir::{Typestate, TypestateMethod, TypestateState};
use crate::lower::types::Position;
use crate::names::UniqueNames;

impl Lowering<'_> {
    pub(super) fn typestate(&self, referred: &mut BTreeSet<TransitionId>) -> Option<Typestate> {
        // The derive reports the option where a machine has regions.
        if !self.options.typestate || self.machine.has_regions() {
            return None;
        }
        let prefix = &self.options.prefix;
        let states = self.leaves.iter().map(|id| {
            let state = self.machine.state(*id);
            TypestateState {
                variant: self.state(*id),
                doc: vec![docs::sentence_or(state.doc.as_deref(), || format!("The state {}.", docs::code(&state.name)))],
                methods: self.typestate_methods(*id, referred),
            }
        });
        let states = states.collect();
        Some(Typestate { module: ident(&if prefix.is_empty() { "states".to_owned() } else { snake(prefix) + "_states" }), states })
    }

    fn typestate_methods(&self, from: StateId, referred: &mut BTreeSet<TransitionId>) -> Vec<TypestateMethod> {
        let mut names = UniqueNames::besides(["check", "machine", "into_machine", "change"]);
        let mut methods = Vec::new();
        for edges in self.machine.edges_from(Some(from)).chunk_by(|a, b| a.on == b.on) {
            match edges[0].on {
                On::Event(event) => methods.extend(self.event_method(from, event, &edges[0], &mut names)),
                On::Direct => self.direct_methods(edges, &mut names, &mut methods),
                On::Automatic | On::Done(_) => {}
            }
        }
        // Methods that take a step themselves refer to their rows.
        let own = self.machine.edges_from(Some(from)).iter().map(|it| it.transition);
        referred.extend(own.filter(|id| methods.iter().any(|it| it.row.to_string() == self.row_path(*id).to_string())));
        methods
    }

    /// The target of an edge that is always taken.
    fn certain(&self, from: StateId, edge: &Edge) -> Option<StateId> {
        let row = self.machine.transition(edge.transition);
        let sets = row.set.iter().any(|(_, expr)| expr.has_predicate()) || self.sets_by_conversion(row);
        if row.guard.is_some() || self.divides(edge) || sets {
            return None;
        }
        match edge.outcome {
            Outcome::Leaf(to) => Some(to),
            Outcome::Stay => Some(from),
            Outcome::Payload(_) | Outcome::History(_) | Outcome::Parallel(_) | Outcome::Fork | Outcome::Refuse => None,
        }
    }

    /// The method of an event; none for a timer, which nobody raises.
    fn event_method(&self, from: StateId, id: EventId, edge: &Edge, names: &mut UniqueNames) -> Option<TypestateMethod> {
        let event = self.machine.event(id);
        if event.timer.is_some() {
            return None;
        }
        // Where further steps follow, the target is uncertain; steps need predicates if any assignment of the machine asks them.
        let asks = self.machine.transitions.iter().any(|row| row.set.iter().any(|(_, expr)| expr.has_predicate()));
        let to = self.certain(from, edge).filter(|_| !event.settles && !asks && !self.machine.reacts())?;
        Some(TypestateMethod {
            method: names.claim(snake(&event.name)),
            doc: vec![docs::sentence_or(event.doc.as_deref(), || format!("The event {}.", docs::code(&event.name)))],
            to: self.state(to),
            row: self.row_path(edge.transition),
            event: Some((self.event(id), self.payload_fields(&event.payload, Position::Argument))),
            takes_reference: event.payload.iter().any(|it| it.ty == Type::Reference),
        })
    }

    /// Direct transitions, by their targets. None if further steps may follow, or if the machine has predicates, which guards
    /// elsewhere may ask.
    fn direct_methods(&self, edges: &[Edge], names: &mut UniqueNames, methods: &mut Vec<TypestateMethod>) {
        if !self.machine.predicates.is_empty() || self.machine.reacts() {
            return;
        }
        let mut seen = BTreeSet::new();
        for edge in edges {
            let Outcome::Leaf(to) = edge.outcome else { continue };
            let row = self.machine.transition(edge.transition);
            if !seen.insert(to) || row.guard.is_some() || self.divides(edge) || self.sets_by_conversion(row) {
                continue;
            }
            let name = &self.machine.state(to).name;
            methods.push(TypestateMethod {
                method: names.claim(format!("to_{}", snake(name))),
                doc: vec![format!("Goes to {}.", docs::code(name))],
                to: self.state(to),
                row: self.row_path(edge.transition),
                event: None,
                takes_reference: false,
            });
        }
    }
}
