//! The service with the later revision of its spec.

#[path = "machines/mod.rs"]
#[rustfmt::skip]
mod machines;
#[path = "../db/postgresql.rs"]
mod postgresql;
#[path = "service.rs"]
mod service;
#[path = "../db/sqlite.rs"]
mod sqlite;
#[path = "worker.rs"]
mod worker;

use machines::job::Event;

pub(crate) use worker::{replay, start};

/// What a worker says of a job whose first attempt does not succeed.
const ON_ERROR: Event = Event::GiveBack;
