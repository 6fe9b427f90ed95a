//! A type for each state, on request: an event that is refused there does not compile.

use std::collections::BTreeSet;

use statespec_lang::model::{EventId, StateId, TransitionId, Type};
use statespec_lang::names::{ident, snake};
use statespec_lang::program::{self, Action};

use super::dispatch::by_request;
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
        // Of several rows, the first is not always taken.
        let mut add = |arm: &program::Arm, method: Option<TypestateMethod>| {
            // Methods that take a step themselves refer to their rows.
            referred.extend(method.is_some().then_some(arm.row));
            methods.extend(method);
        };
        let cases = self.program.cases_from(Some(from));
        for case in cases {
            let Some(event) = case.event() else { continue };
            add(&case.arms[0], self.event_method(from, event, &case.arms[0], &mut names));
        }
        for (case, to) in by_request(cases) {
            add(&case.arms[0], self.direct_method(from, to, &case.arms[0], &mut names));
        }
        methods
    }

    /// The target of a row that is always taken.
    fn certain(&self, from: StateId, arm: &program::Arm, event: Option<EventId>) -> Option<StateId> {
        let row = self.program.row(arm.row);
        if row.guard.is_some() || self.divides(row) || self.asks_in_values(row) || self.sets_by_conversion(row, event) {
            return None;
        }
        match &arm.action {
            Action::Stay => Some(from),
            Action::Go(to) => match to.as_slice() {
                [program::Destination::Leaf(to)] => Some(*to),
                _ => None,
            },
            Action::Refuse => None,
        }
    }

    fn asks_in_values(&self, row: &program::Row) -> bool {
        row.set.iter().any(|it| !it.value.predicates().is_empty())
    }

    /// The method of an event; none for a timer, which nobody raises.
    fn event_method(&self, from: StateId, id: EventId, arm: &program::Arm, names: &mut UniqueNames) -> Option<TypestateMethod> {
        let event = self.machine.event(id);
        if event.timer.is_some() {
            return None;
        }
        // Where further steps follow, the target is uncertain; steps need predicates if any assignment of the machine asks them.
        let asks = self.program.rows.iter().any(|row| self.asks_in_values(row));
        let to = self.certain(from, arm, Some(id)).filter(|_| !event.settles && !asks && !self.machine.reacts())?;
        Some(TypestateMethod {
            method: names.claim(snake(&event.name)),
            doc: vec![docs::sentence_or(event.doc.as_deref(), || format!("The event {}.", docs::code(&event.name)))],
            to: self.state(to),
            row: self.row_path(arm.row),
            event: Some((self.event(id), self.payload_fields(&event.payload, Position::Argument))),
            takes_reference: event.payload.iter().any(|it| it.ty == Type::Reference),
        })
    }

    /// The method of a direct transition. None if further steps may follow, or if the machine has predicates, which guards elsewhere
    /// may ask.
    fn direct_method(&self, from: StateId, to: StateId, arm: &program::Arm, names: &mut UniqueNames) -> Option<TypestateMethod> {
        if !self.machine.predicates.is_empty() || self.machine.reacts() {
            return None;
        }
        self.certain(from, arm, None)?;
        let name = &self.machine.state(to).name;
        Some(TypestateMethod {
            method: names.claim(format!("to_{}", snake(name))),
            doc: vec![format!("Goes to {}.", docs::code(name))],
            to: self.state(to),
            row: self.row_path(arm.row),
            event: None,
            takes_reference: false,
        })
    }
}
