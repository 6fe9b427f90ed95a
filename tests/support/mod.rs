//! The shared parts of the tests: emitted machines driven by name, and compared with the interpreter.
// Every test is a crate of its own and uses a part of this module.
#![allow(dead_code, unused_imports, unreachable_pub, clippy::type_complexity)]

#[path = "checks.rs"]
mod checks;
mod compare;
mod log;
mod random;
mod reachable;
mod record;
mod side;
mod systems;
mod timers;
mod values;

use statespec::{Change, ConfigurationOf, Refused, RunError, State};
use statespec_lang::lower::load;
use statespec_lang::model::{Machine, Model, Value};
use statespec_lang::source::Input;

pub(crate) use checks::{one_in, sample};
pub use compare::{Comparison, compare_everywhere, compare_on_walks};
pub use log::{Effect, Entry, Holds, Log};
pub use random::Random;
pub use reachable::compare_worlds;
pub use statespec_lang::interpret::BoundaryValues;
pub use systems::{DriveSystem, Instances, Kept, Numbers, Pair, VisitSystems, compare_transactions, compare_walkthroughs};
pub use timers::timers_after;
pub use values::{FromValue, SystemValues, ToValue, Values, choice_value, joined, state_value, value};

/// Names of timers with moments, in microseconds.
pub type Started = Vec<(String, i64)>;

/// An emitted machine, driven by name. The implementations are generated.
pub trait Drive: Clone + std::fmt::Debug + PartialEq + 'static {
    /// Its states.
    type State: State;
    /// Its events.
    type Event<'v>: Copy;

    /// The event with this name.
    fn event<'v>(name: &str, payload: &Values<'v>) -> Option<Self::Event<'v>>;

    /// A machine in these leaves, with this context.
    fn at(leaves: &[Self::State], context: &Values<'_>) -> Self;

    /// The current state.
    fn state_now(&self) -> ConfigurationOf<Self::State>;

    /// The values of its context.
    fn context_now(&self, _machine: &Machine) -> Vec<Value> {
        Vec::new()
    }

    /// A new machine, if no event is needed to create one.
    fn start() -> Option<Self> {
        None
    }

    /// A machine created by an event.
    fn create(_event: Self::Event<'_>, _holds: &Holds) -> Result<(Self, Change<Self::State>), Refused<Self::State>> {
        panic!("no event creates this machine")
    }

    /// Raises an event.
    fn raise(&mut self, _event: Self::Event<'_>, _holds: &Holds) -> Result<Change<Self::State>, Refused<Self::State>> {
        panic!("this machine takes no events")
    }

    /// Takes the direct transition to a state.
    fn transition_to(&mut self, _to: Self::State, _holds: &Holds) -> Result<Change<Self::State>, Refused<Self::State>> {
        panic!("this machine has no direct transitions")
    }

    /// The timers that run, and their durations in microseconds.
    fn running_timers(&self) -> Vec<(String, i64)> {
        Vec::new()
    }

    /// The timers that start with a machine in this state.
    fn start_timers(_state: ConfigurationOf<Self::State>, _now: i64) -> Started {
        Started::new()
    }

    /// The timers after a change.
    fn observe_timers(_before: &Started, _change: &Change<Self::State>, _now: i64) -> Started {
        Started::new()
    }

    /// The timers without one that was refused.
    fn end_timer(_before: &Started, _timer: &str) -> Started {
        Started::new()
    }

    /// The running timers with the moments at which they are due, and the one that is due next.
    fn due_timers(&self, _started: &Started) -> (Started, Option<(String, i64)>) {
        (Started::new(), None)
    }

    /// Lets the timer elapse that is due first, if one is due: the timers afterwards, and what came of it.
    fn elapse(
        &mut self,
        started: &Started,
        _holds: &Holds,
        _now: i64,
    ) -> (Started, Option<(String, Result<Change<Self::State>, Refused<Self::State>>)>) {
        (started.clone(), None)
    }

    /// Raises an event with a host.
    fn run_event(
        &mut self,
        _event: Self::Event<'_>,
        _holds: &Holds,
        _log: &mut Log,
    ) -> Result<Change<Self::State>, RunError<Self::State, String>> {
        panic!("this machine takes no events")
    }

    /// Takes the direct transition to a state, with a host.
    fn run_to(&mut self, _to: Self::State, _holds: &Holds, _log: &mut Log) -> Result<Change<Self::State>, RunError<Self::State, String>> {
        panic!("this machine has no direct transitions")
    }
}

/// An operation on every machine.
pub trait VisitMachines {
    /// Executes the operation on one machine.
    fn machine<D: Drive>(&mut self);
}

/// The model of all specs in a folder of the repository.
pub fn model_of(folder: &str) -> Model {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut inputs = Vec::new();
    for entry in std::fs::read_dir(&root).expect("the folder is there") {
        let path = entry.expect("readable").path();
        if path.extension().is_some_and(|it| it == "yaml") {
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            inputs.push(Input { path: format!("{folder}/{name}"), text: std::fs::read_to_string(&path).expect("readable") });
        }
    }
    model_of_files(&inputs)
}

/// The model of some specs.
pub fn model_of_files(inputs: &[Input]) -> Model {
    let loaded = load(inputs);
    loaded.model.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics))
}
