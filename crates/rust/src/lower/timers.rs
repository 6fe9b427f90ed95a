//! The timers: in which nodes they run, and their durations.

use statespec_lang::model::{EventId, Timer as SpecTimer};

use super::Lowering;
use super::expr::value;
use super::scope::RowScope;
use crate::ir::Timer;

impl Lowering<'_> {
    pub(super) fn timers(&self) -> Vec<Timer> {
        let timer = |(event, timer): (EventId, &SpecTimer)| Timer {
            event: self.event(event),
            nodes: timer.states.iter().map(|it| self.node_index(*it)).collect(),
            after: value(&timer.after, &RowScope::new(self, None)),
        };
        self.machine.timers().map(timer).collect()
    }
}
