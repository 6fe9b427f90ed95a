//! finny: a type for each state and event, and a builder that a macro reads.

use finny::decl::{BuiltFsm, FsmBuilder};
use finny::inspect::null::InspectNull;
use finny::timers::std::TimersStd;
use finny::{FsmCurrentState, FsmEventQueueVec, FsmFactory, FsmFrontend, finny_fsm};

use super::plain_state;
use crate::{Ask, Contender, State};

macro_rules! unit_structs {
    ($($name:ident)*) => { $(#[derive(Debug, Clone, Copy, Default)] pub struct $name;)* };
}

unit_structs! { Nothing Queued Running Correcting Optimizing Validating Complete Failed Cancelled }
unit_structs! { ToRunning ToCorrecting ToOptimizing ToValidating ToComplete ToFailed ToCancelled Resume }

#[finny_fsm]
fn agent_run(mut fsm: FsmBuilder<AgentRun, Nothing>) -> BuiltFsm {
    fsm.state::<Queued>().on_event::<ToRunning>().transition_to::<Running>();
    fsm.state::<Queued>().on_event::<ToCancelled>().transition_to::<Cancelled>();
    fsm.state::<Queued>().on_event::<ToFailed>().transition_to::<Failed>();
    fsm.state::<Running>().on_event::<ToCorrecting>().transition_to::<Correcting>();
    fsm.state::<Running>().on_event::<ToOptimizing>().transition_to::<Optimizing>();
    fsm.state::<Running>().on_event::<ToValidating>().transition_to::<Validating>();
    fsm.state::<Running>().on_event::<ToFailed>().transition_to::<Failed>();
    fsm.state::<Running>().on_event::<ToComplete>().transition_to::<Complete>();
    fsm.state::<Running>().on_event::<ToCancelled>().transition_to::<Cancelled>();
    fsm.state::<Correcting>().on_event::<ToRunning>().transition_to::<Running>();
    fsm.state::<Correcting>().on_event::<ToValidating>().transition_to::<Validating>();
    fsm.state::<Correcting>().on_event::<ToFailed>().transition_to::<Failed>();
    fsm.state::<Correcting>().on_event::<ToCancelled>().transition_to::<Cancelled>();
    fsm.state::<Optimizing>().on_event::<ToRunning>().transition_to::<Running>();
    fsm.state::<Optimizing>().on_event::<ToValidating>().transition_to::<Validating>();
    fsm.state::<Optimizing>().on_event::<ToFailed>().transition_to::<Failed>();
    fsm.state::<Optimizing>().on_event::<ToComplete>().transition_to::<Complete>();
    fsm.state::<Optimizing>().on_event::<ToCancelled>().transition_to::<Cancelled>();
    fsm.state::<Validating>().on_event::<ToRunning>().transition_to::<Running>();
    fsm.state::<Validating>().on_event::<ToOptimizing>().transition_to::<Optimizing>();
    fsm.state::<Validating>().on_event::<ToFailed>().transition_to::<Failed>();
    fsm.state::<Validating>().on_event::<ToComplete>().transition_to::<Complete>();
    fsm.state::<Validating>().on_event::<ToCancelled>().transition_to::<Cancelled>();
    fsm.state::<Complete>();
    fsm.state::<Failed>().on_event::<Resume>().transition_to::<Queued>();
    fsm.state::<Cancelled>().on_event::<Resume>().transition_to::<Queued>();
    fsm.initial_state::<Queued>();
    fsm.build()
}

pub struct Peer(FsmFrontend<AgentRun, FsmEventQueueVec<AgentRun>, InspectNull, TimersStd<AgentRun>>);

impl Contender for Peer {
    type Event = AgentRunEvents;

    fn new() -> Self {
        let mut run = AgentRun::new(Nothing).expect("it has an initial state");
        run.start().expect("entering it does nothing");
        Peer(run)
    }

    fn event(ask: Ask) -> AgentRunEvents {
        match ask {
            Ask::Go(State::Running) => ToRunning.into(),
            Ask::Go(State::Correcting) => ToCorrecting.into(),
            Ask::Go(State::Optimizing) => ToOptimizing.into(),
            Ask::Go(State::Validating) => ToValidating.into(),
            Ask::Go(State::Complete) => ToComplete.into(),
            Ask::Go(State::Failed) => ToFailed.into(),
            Ask::Go(State::Cancelled) => ToCancelled.into(),
            Ask::Resume => Resume.into(),
            Ask::Go(State::Queued) => unreachable!("no state grants it, so nobody asks"),
        }
    }

    #[inline]
    fn raise(&mut self, event: AgentRunEvents) -> bool {
        self.0.dispatch(event).is_ok()
    }

    fn state(&self) -> State {
        match self.0.get_current_states() {
            [FsmCurrentState::State(state)] => plain_state!(AgentRunCurrentState, state),
            [FsmCurrentState::Stopped] => unreachable!("it was started"),
        }
    }
}
