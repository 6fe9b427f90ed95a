//! A clock of the program: the spec of a Mysis has no timers.

use serde::{Deserialize, Serialize};
use statespec::Timestamp;
use statespec_machines::mysis;
use statespec_store::Clock;

/// When the next nudge of a running Mysis falls due.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Nudges(pub(crate) Option<Timestamp>);

/// The time between two nudges.
pub(crate) const NUDGE: statespec::Duration = statespec::Duration::from_millis(10);

impl Clock<mysis::Mysis<String>, mysis::State> for Nudges {
    fn observe(&mut self, change: &mysis::Change, now: Timestamp) {
        self.0 = (change.to() == mysis::State::Running).then(|| now + NUDGE);
    }

    fn next_due(&self, _: &mysis::Mysis<String>) -> Option<Timestamp> {
        self.0
    }
}
