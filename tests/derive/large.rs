//! Machines with too many states to be emitted one by one: the derive on a struct and on enums, against the interpreter.

use statespec::{Change, Refused, RunError};
use statespec_lang::source::Input;

use crate::support::{Drive, Holds, Log, Values, compare_everywhere, compare_on_walks, model_of_files, sample};

/// The spec whose checked-in module the tests of the emitters compare with the interpreter.
const SPEC: &str = "codegen/tests/fixtures/rust/lift.yaml";

mod on_struct {
    #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
    #[machine("codegen/tests/fixtures/rust/lift.yaml", prefix = "")]
    pub(crate) struct Lift {
        pub(crate) state: State,
    }
}

mod in_order {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, statespec::StateMachine)]
    #[machine("codegen/tests/fixtures/rust/lift.yaml", prefix = "")]
    pub(crate) enum State {
        F1,
        F2,
        F3,
        F4,
        F5,
        F6,
        F7,
        F8,
        F9,
        F10,
        F11,
        F12,
        F13,
        F14,
        F15,
        F16,
        F17,
        F18,
        F19,
        F20,
        F21,
        F22,
        F23,
        F24,
        F25,
        F26,
        F27,
        F28,
        F29,
        F30,
        F31,
        F32,
        F33,
        F34,
        F35,
        F36,
        F37,
        F38,
        F39,
        F40,
        F41,
        F42,
        F43,
        F44,
        F45,
        F46,
        F47,
        F48,
        F49,
        F50,
        F51,
        F52,
        F53,
        F54,
        F55,
        F56,
        F57,
        F58,
        F59,
        F60,
        F61,
        F62,
        F63,
        F64,
        F65,
        F66,
        F67,
        F68,
        F69,
        F70,
        Jammed,
        Locked,
        Scrapped,
    }
}

/// Enums whose positions are not their discriminants.
mod reversed {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, statespec::StateMachine)]
    #[machine("codegen/tests/fixtures/rust/lift.yaml", prefix = "")]
    pub(crate) enum State {
        Scrapped,
        Locked,
        Jammed,
        F70,
        F69,
        F68,
        F67,
        F66,
        F65,
        F64,
        F63,
        F62,
        F61,
        F60,
        F59,
        F58,
        F57,
        F56,
        F55,
        F54,
        F53,
        F52,
        F51,
        F50,
        F49,
        F48,
        F47,
        F46,
        F45,
        F44,
        F43,
        F42,
        F41,
        F40,
        F39,
        F38,
        F37,
        F36,
        F35,
        F34,
        F33,
        F32,
        F31,
        F30,
        F29,
        F28,
        F27,
        F26,
        F25,
        F24,
        F23,
        F22,
        F21,
        F20,
        F19,
        F18,
        F17,
        F16,
        F15,
        F14,
        F13,
        F12,
        F11,
        F10,
        F9,
        F8,
        F7,
        F6,
        F5,
        F4,
        F3,
        F2,
        F1,
    }
}

/// Implements `Drive` for a type; a machine starts as `$new`, is in `$state` as `$at`, and `$now` is the state of `$it`.
macro_rules! drive {
    ($place:ident::$machine:ident, $new:expr, $state:ident => $at:expr, $it:ident => $now:expr) => {
        impl $place::Host for Log {
            type Error = String;

            fn store(&mut self, _: &$place::$machine, _: &Change<$place::State>) -> Result<(), String> {
                self.write()
            }
        }

        impl Drive for $place::$machine {
            type State = $place::State;
            type Event<'v> = $place::Event;

            fn event<'v>(name: &str, payload: &Values<'v>) -> Option<Self::Event<'v>> {
                Some(match name {
                    "up" => $place::Event::Up,
                    "down" => $place::Event::Down,
                    "ride" => $place::Event::Ride { floors: payload.get(0) },
                    "jam" => $place::Event::Jam,
                    "lock" => $place::Event::Lock { by_hand: payload.get(0) },
                    "reset" => $place::Event::Reset,
                    _ => return None,
                })
            }

            fn at(leaves: &[Self::State], _context: &Values<'_>) -> Self {
                let $state = leaves[0];
                $at
            }

            fn state_now(&self) -> Self::State {
                let $it = self;
                $now
            }

            fn start() -> Option<Self> {
                Some($new)
            }

            fn raise(&mut self, event: Self::Event<'_>, _holds: &Holds) -> Result<Change<Self::State>, Refused<Self::State>> {
                self.apply(event)
            }

            fn transition_to(&mut self, to: Self::State, _holds: &Holds) -> Result<Change<Self::State>, Refused<Self::State>> {
                self.transition_to(to)
            }

            fn run_event(
                &mut self,
                event: Self::Event<'_>,
                _holds: &Holds,
                log: &mut Log,
            ) -> Result<Change<Self::State>, RunError<Self::State, String>> {
                self.run(event, log)
            }

            fn run_to(
                &mut self,
                to: Self::State,
                _holds: &Holds,
                log: &mut Log,
            ) -> Result<Change<Self::State>, RunError<Self::State, String>> {
                self.run_to(to, log)
            }
        }
    };
}

drive!(on_struct::Lift, on_struct::Lift::new(), state => on_struct::Lift { state }, lift => lift.state);
drive!(in_order::State, in_order::State::INITIAL, state => state, state => *state);
drive!(reversed::State, reversed::State::INITIAL, state => state, state => *state);

fn compare<D: Drive>() {
    let text = std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(SPEC)).expect("readable");
    let model = model_of_files(&[Input { path: SPEC.to_owned(), text }]);
    let machine = &model.machines[0];
    assert!(machine.leaves().count() > 64, "above 64 states the graph is emitted as text");
    compare_everywhere::<D>(machine, sample(60));
    compare_on_walks::<D>(machine, sample(10) as u64, 200);
}

#[test]
fn a_struct_does_what_the_interpreter_does() {
    compare::<on_struct::Lift>();
}

#[test]
fn enums_do_what_the_interpreter_does() {
    compare::<in_order::State>();
    compare::<reversed::State>();
}
