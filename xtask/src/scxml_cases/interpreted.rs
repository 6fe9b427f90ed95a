//! A case in the interpreter.

use statespec_codegen::model::{EventId, Machine};
use statespec_lang::interpret::{Clock, Error, Instance};

use super::{Case, Leaves};

/// Plays the script: the active leaves at the start, and after each turn.
pub(super) fn play(case: &Case) -> Result<Vec<Leaves>, String> {
    let machine = case.machine();
    let instance = start(machine)?;
    let mut game = Game { machine, clock: Clock::start(machine, &instance, 0), instance, now: 0 };
    let mut all = vec![case.leaves(&game.instance.configuration)];
    for turn in &case.turns {
        game.wait(turn.after)?;
        if let Some(event) = turn.event {
            game.fire(event)?;
        }
        all.push(case.leaves(&game.instance.configuration));
    }
    Ok(all)
}

/// A machine with its timers, and the logical time in microseconds.
struct Game<'m> {
    machine: &'m Machine,
    instance: Instance,
    clock: Clock,
    now: i64,
}

impl Game<'_> {
    /// Lets time pass: timers elapse in their order.
    fn wait(&mut self, duration: i64) -> Result<(), String> {
        let end = self.now + duration;
        while let Some((timer, moment)) = self.clock.next_due(self.machine, &self.instance).filter(|it| it.1 <= end) {
            self.now = moment;
            self.fire(timer)?;
        }
        self.now = end;
        Ok(())
    }

    fn fire(&mut self, event: EventId) -> Result<(), String> {
        match self.instance.fire(self.machine, event, &[], &mut ()) {
            Ok(done) => self.clock.observe(self.machine, &done.steps, self.now),
            // A chart drops an event that nothing takes; a timer is then over.
            Err(Error::Refused(_)) => self.clock.end(event),
            Err(error) => return Err(error.show(self.machine)),
        }
        Ok(())
    }
}

/// The machine at its start: the import names an event for a start with steps.
fn start(machine: &Machine) -> Result<Instance, String> {
    let creation = machine.edges_from(None).first().and_then(|it| it.on.event());
    let started = match creation {
        Some(event) => Instance::create(machine, event, &[], &[], &mut ()).map(|it| it.0),
        None => Instance::start(machine, &[]),
    };
    started.map_err(|it| it.show(machine))
}
