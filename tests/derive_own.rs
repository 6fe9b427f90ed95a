//! The derive on structs whose fields have types of their own for numbers and times, against the interpreter.
#![cfg(feature = "std")]

#[rustfmt::skip]
#[path = "drive_derived/structs.rs"]
mod drive;
#[path = "derive/own_structs.rs"]
mod structs;
mod support;

use std::time::SystemTime;

use statespec::State;
use statespec_lang::model::{Model, Value};

use support::{Drive, FromValue, ToValue, VisitMachines, compare_everywhere, compare_on_walks, model_of, sample};

/// Types that hold values, for the comparison with the interpreter.
macro_rules! compared {
    ($($own:ty: $value:ty),*) => {$(
        impl FromValue<'_> for $own {
            fn from_value(value: &Value) -> Option<Self> {
                statespec::Holds::<$value>::store(<$value as FromValue>::from_value(value)?)
            }
        }

        impl ToValue for $own {
            fn to_value(&self) -> Value {
                statespec::Holds::<$value>::load(*self).expect("a value of the interpreter").to_value()
            }
        }
    )*};
}

compared!(i128: i64, SystemTime: statespec::Timestamp);

struct Compare(Model);

impl VisitMachines for Compare {
    fn machine<D: Drive>(&mut self) {
        let machine = self.0.machine(D::State::MACHINE).expect("a machine");
        compare_everywhere::<D>(machine, sample(60));
        compare_on_walks::<D>(machine, sample(10) as u64, 200);
    }
}

#[test]
fn structs_with_types_of_their_own_do_what_the_interpreter_does() {
    drive::each_machine(&mut Compare(model_of("machines")));
}
