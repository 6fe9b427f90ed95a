//! The agent run, written in the style of each peer's own documentation.
//!
//! A peer without direct transitions has an event for each target state instead.

pub mod finny;
pub mod fsmentry;
pub mod ironstate;
pub mod rust_fsm;
pub mod smlang;
pub mod state_machines;
pub mod statig;
pub mod statum;

/// The event of the peer's type, whose variants have these names.
macro_rules! flat_event {
    ($event:ident, $ask:expr) => {
        match $ask {
            crate::Ask::Go(crate::State::Running) => $event::ToRunning,
            crate::Ask::Go(crate::State::Correcting) => $event::ToCorrecting,
            crate::Ask::Go(crate::State::Optimizing) => $event::ToOptimizing,
            crate::Ask::Go(crate::State::Validating) => $event::ToValidating,
            crate::Ask::Go(crate::State::Complete) => $event::ToComplete,
            crate::Ask::Go(crate::State::Failed) => $event::ToFailed,
            crate::Ask::Go(crate::State::Cancelled) => $event::ToCancelled,
            crate::Ask::Resume => $event::Resume,
            crate::Ask::Go(crate::State::Queued) => unreachable!("no state grants it, so nobody asks"),
        }
    };
}

/// The hand-written state for a state of the peer's type; the rest of the pattern may follow.
macro_rules! plain_state {
    ($state:ident, $value:expr $(, $rest:tt)*) => {
        match $value {
            $state::Queued $($rest)* => crate::State::Queued,
            $state::Running $($rest)* => crate::State::Running,
            $state::Correcting $($rest)* => crate::State::Correcting,
            $state::Optimizing $($rest)* => crate::State::Optimizing,
            $state::Validating $($rest)* => crate::State::Validating,
            $state::Complete $($rest)* => crate::State::Complete,
            $state::Failed $($rest)* => crate::State::Failed,
            $state::Cancelled $($rest)* => crate::State::Cancelled,
        }
    };
}

use {flat_event, plain_state};
