//! statig: a method for each state.

use statig::prelude::*;

use super::{flat_event, plain_state};
use crate::{Ask, Contender};

#[derive(Debug, Clone, Copy)]
pub enum Event {
    ToRunning,
    ToCorrecting,
    ToOptimizing,
    ToValidating,
    ToComplete,
    ToFailed,
    ToCancelled,
    Resume,
}

#[derive(Default)]
pub struct AgentRun;

#[state_machine(initial = "State::queued()", state(derive(Debug, Clone, Copy, PartialEq)))]
impl AgentRun {
    #[state]
    fn queued(event: &Event) -> Outcome<State> {
        match event {
            Event::ToRunning => Transition(State::running()),
            Event::ToCancelled => Transition(State::cancelled()),
            Event::ToFailed => Transition(State::failed()),
            _ => Super,
        }
    }

    #[state]
    fn running(event: &Event) -> Outcome<State> {
        match event {
            Event::ToCorrecting => Transition(State::correcting()),
            Event::ToOptimizing => Transition(State::optimizing()),
            Event::ToValidating => Transition(State::validating()),
            Event::ToFailed => Transition(State::failed()),
            Event::ToComplete => Transition(State::complete()),
            Event::ToCancelled => Transition(State::cancelled()),
            _ => Super,
        }
    }

    #[state]
    fn correcting(event: &Event) -> Outcome<State> {
        match event {
            Event::ToRunning => Transition(State::running()),
            Event::ToValidating => Transition(State::validating()),
            Event::ToFailed => Transition(State::failed()),
            Event::ToCancelled => Transition(State::cancelled()),
            _ => Super,
        }
    }

    #[state]
    fn optimizing(event: &Event) -> Outcome<State> {
        match event {
            Event::ToRunning => Transition(State::running()),
            Event::ToValidating => Transition(State::validating()),
            Event::ToFailed => Transition(State::failed()),
            Event::ToComplete => Transition(State::complete()),
            Event::ToCancelled => Transition(State::cancelled()),
            _ => Super,
        }
    }

    #[state]
    fn validating(event: &Event) -> Outcome<State> {
        match event {
            Event::ToRunning => Transition(State::running()),
            Event::ToOptimizing => Transition(State::optimizing()),
            Event::ToFailed => Transition(State::failed()),
            Event::ToComplete => Transition(State::complete()),
            Event::ToCancelled => Transition(State::cancelled()),
            _ => Super,
        }
    }

    #[state]
    fn complete() -> Outcome<State> {
        Super
    }

    #[state]
    fn failed(event: &Event) -> Outcome<State> {
        match event {
            Event::Resume => Transition(State::queued()),
            _ => Super,
        }
    }

    #[state]
    fn cancelled(event: &Event) -> Outcome<State> {
        match event {
            Event::Resume => Transition(State::queued()),
            _ => Super,
        }
    }
}

pub struct Peer(statig::blocking::InitializedStateMachine<AgentRun>);

impl Contender for Peer {
    type Event = Event;

    fn new() -> Self {
        Peer(AgentRun.uninitialized_state_machine().init())
    }

    fn event(ask: Ask) -> Event {
        flat_event!(Event, ask)
    }

    /// `handle` does not return whether the run moved; no edge of the agent run is a self-transition.
    #[inline]
    fn raise(&mut self, event: Event) -> bool {
        let before = *self.0.state();
        self.0.handle(&event);
        *self.0.state() != before
    }

    fn state(&self) -> crate::State {
        plain_state!(State, self.0.state(), {})
    }
}
