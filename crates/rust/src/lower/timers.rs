//! The timers: in which nodes they run, and their durations.

use statespec_lang::program;

use super::Lowering;
use super::expr::value;
use super::scope::RowScope;
use crate::ir::Timer;

impl Lowering<'_> {
    pub(super) fn timers(&self) -> Vec<Timer> {
        let timer = |timer: &program::Timer| Timer {
            event: self.event(timer.event),
            nodes: timer.states.iter().map(|it| self.node_index(*it)).collect(),
            after: value(&timer.after, &RowScope::new(self, None)),
        };
        self.program.timers.iter().map(timer).collect()
    }
}
