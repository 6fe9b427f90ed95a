//! A type that holds no such values is reported once, at the field or at the option.
use statespec::{Holds, StateMachine};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Moment(u64);

/// Holds numbers, and the field is a time.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Number(i64);

impl Holds<i64> for Number {
    fn load(self) -> Option<i64> {
        Some(self.0)
    }

    fn store(value: i64) -> Option<Self> {
        Some(Number(value))
    }
}

#[derive(Debug, Clone, StateMachine)]
#[machine("specs/lease.yaml")]
struct Lease {
    state: LeaseState,
    until: Option<Moment>,
    extra: Number,
    #[machine(held)]
    renewals: Number,
    holder: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, StateMachine)]
#[machine("specs/lease.yaml", context, types(timestamp = "Moment"))]
enum Status {
    Free,
    Held,
}

#[derive(Debug, Clone, StateMachine)]
#[machine("specs/lease.yaml", prefix = "Std")]
struct StdLease {
    state: StdState,
    // Without the feature `std`.
    until: Option<std::time::SystemTime>,
    extra: std::time::Duration,
    renewals: u32,
    holder: Option<u64>,
}

/// An alias would do, and this may be one.
#[derive(Debug, Clone, StateMachine)]
#[machine("specs/lease.yaml", prefix = "Default")]
struct DefaultLease {
    state: DefaultState,
    until: Option<statespec::Timestamp>,
    extra: statespec::Duration,
    renewals: Number,
    holder: Option<u64>,
}

fn main() {}
