use statespec::StateMachine;

#[derive(Debug, Clone, StateMachine)]
#[machine("specs/lease.yaml", types(timestmp = "u64"))]
struct Lease {
    state: LeaseState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, StateMachine)]
#[machine("specs/lease.yaml", context, fields(renewal = "u32", "event.by" = "u32", renewals = "u8"))]
enum Status {
    Free,
    Held,
}

#[derive(Debug, Clone, StateMachine)]
#[machine("specs/lease.yaml", prefix = "Second", fields(renewals = "u32"))]
struct Second {
    state: SecondState,
    until: Option<statespec::Timestamp>,
    extra: statespec::Duration,
    renewals: i8,
    holder: Option<u64>,
}

#[derive(Debug, Clone, StateMachine)]
#[machine("specs/lease.yaml", prefix = "Third", typestate)]
struct Third<T: Clone, H: Copy> {
    state: ThirdState,
    until: Option<statespec::Timestamp>,
    extra: statespec::Duration,
    renewals: i64,
    holder: Option<H>,
    payload: T,
}

fn main() {}
