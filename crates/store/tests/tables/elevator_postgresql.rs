//! The table of `elevator`, for `statespec_store::Store`.

use statespec_store::{Column, Engine, Kind, Layout, Table, TimerColumns};

/// The table of `elevator` in PostgreSQL.
#[rustfmt::skip]
pub const TABLE: Table = Table {
    machine: "elevator",
    engine: Engine::Postgres,
    schema: None,
    name: "elevators",
    key: &[Column::new("id", Kind::Integer)],
    state: "state",
    kind: Kind::Text,
    values: &[],
    version: "version",
    columns: &[Column { field: "floor", name: "floor", kind: Kind::Integer }, Column { field: "destination", name: "destination", kind: Kind::Integer }],
    rest: None,
    timers: Some(TimerColumns { started: "timers", next_due: "next_due" }),
    lease: None,
    journal: true,
    layout: Layout::Emitted,
};
