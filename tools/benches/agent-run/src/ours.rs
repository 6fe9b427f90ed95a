//! The contenders that statespec generates from the spec.

use statespec::StateMachine;
use statespec_machines::agent_run as emitted;

use crate::{Ask, Contender, State};

/// The struct of a user: the derive generates the states and events.
mod on_struct {
    #[derive(super::StateMachine)]
    #[machine("../../../machines/agent_run.yaml")]
    pub struct AgentRun {
        pub state: AgentRunState,
    }
}

/// The enum of a user: the derive turns it into a machine.
mod on_enum {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, super::StateMachine)]
    #[machine("../../../machines/agent_run.yaml")]
    pub enum AgentRun {
        Queued,
        Running,
        Correcting,
        Optimizing,
        Validating,
        Complete,
        Failed,
        Cancelled,
    }
}

/// Implements a contender for a machine, where `$state` is the type of its states and `$event` of its events.
macro_rules! contender {
    ($(#[$doc:meta])* $name:ident($machine:ty), $ask:ident, $state:ty, $event:ty, $new:expr, $get:expr) => {
        $(#[$doc])*
        pub struct $name($machine);

        /// A request, in emitted types.
        #[derive(Debug, Clone, Copy)]
        pub enum $ask {
            Go($state),
            Raise($event),
        }

        impl Contender for $name {
            type Event = $ask;

            fn new() -> Self {
                $name($new)
            }

            fn event(ask: Ask) -> $ask {
                match ask {
                    Ask::Go(to) => $ask::Go(<$state>::ALL[to as usize]),
                    Ask::Resume => $ask::Raise(<$event>::Resume),
                }
            }

            #[inline]
            fn raise(&mut self, ask: $ask) -> bool {
                match ask {
                    $ask::Go(to) => self.0.transition_to(to).is_ok(),
                    $ask::Raise(event) => self.0.apply(event).is_ok(),
                }
            }

            fn state(&self) -> State {
                let get: fn(&$machine) -> $state = $get;
                by_position(get(&self.0) as usize)
            }
        }
    };
}

contender! {
    /// The emitted module that is checked in.
    CheckedIn(emitted::AgentRun), CheckedInAsk, emitted::State, emitted::Event, emitted::AgentRun::new(), |it| it.state()
}

contender! {
    /// The derive on a struct.
    OnStruct(on_struct::AgentRun), OnStructAsk, on_struct::AgentRunState, on_struct::AgentRunEvent,
    on_struct::AgentRun { state: on_struct::AgentRunState::INITIAL }, |it| it.state
}

contender! {
    /// The derive on an enum.
    OnEnum(on_enum::AgentRun), OnEnumAsk, on_enum::AgentRun, on_enum::AgentRunEvent, on_enum::AgentRun::INITIAL, |it| *it
}

/// The hand-written state at the same position of the list.
fn by_position(position: usize) -> State {
    use State::*;
    [Queued, Running, Correcting, Optimizing, Validating, Complete, Failed, Cancelled][position]
}
