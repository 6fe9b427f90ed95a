//! Emitted Rust in which types of a user hold numbers and times: it does what the interpreter does.
//!
//! The module `emitted_files` of the test program `it` holds the files against the emitters, and writes them.
#![deny(warnings)]

use statespec::State;
use statespec_codegen::model::{Model, Value};

use support::{
    Drive, DriveSystem, FromValue, ToValue, VisitMachines, VisitSystems, compare_everywhere, compare_on_walks, compare_transactions,
    model_of, one_in, sample,
};

#[path = "own_types/drive.rs"]
#[rustfmt::skip]
mod drive;
/// The emitted modules, as in a user's crate.
#[deny(missing_docs, unreachable_pub)]
#[rustfmt::skip]
pub mod emitted {
    #[path = "../own_types/account.rs"]
    pub mod account;
    #[path = "../own_types/bank.rs"]
    pub mod bank;
    #[path = "../own_types/lease.rs"]
    pub mod lease;
    #[path = "../own_types/vault.rs"]
    pub mod vault;
}
#[path = "../../tests/support/mod.rs"]
mod support;

/// A decimal of the user's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Exact(statespec::Decimal);

impl statespec::Holds<statespec::Decimal> for Exact {
    fn load(self) -> Option<statespec::Decimal> {
        Some(self.0)
    }

    fn store(value: statespec::Decimal) -> Option<Self> {
        Some(Exact(value))
    }
}

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

compared!(i128: i64, Exact: statespec::Decimal, std::time::SystemTime: statespec::Timestamp, jiff::SignedDuration: statespec::Duration);

struct Machines(Model);

impl VisitMachines for Machines {
    fn machine<D: Drive>(&mut self) {
        let machine = self.0.machine(D::State::MACHINE).unwrap();
        compare_everywhere::<D>(machine, sample(60));
        compare_on_walks::<D>(machine, one_in(8, 60) as u64, 150);
    }
}

#[test]
fn machines_do_what_the_interpreter_does() {
    drive::each_machine(&mut Machines(model_of("tests/fixtures/own")));
}

struct Systems(Model);

impl VisitSystems for Systems {
    fn system<D: DriveSystem>(&mut self) {
        let went_through = compare_transactions::<D>(&self.0, one_in(6, 100) as u64, 80);
        assert!(went_through.values().all(|it| *it > 0), "{went_through:?}");
    }
}

#[test]
fn systems_do_what_the_interpreter_does() {
    drive::each_system(&mut Systems(model_of("tests/fixtures/own")));
}
