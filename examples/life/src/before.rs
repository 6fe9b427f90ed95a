//! The service with the earlier revision of its spec.

#[path = "../before/src/mod.rs"]
#[rustfmt::skip]
mod machines;
#[path = "../before/db/postgresql.rs"]
mod postgresql;
#[path = "service.rs"]
mod service;
#[path = "../before/db/sqlite.rs"]
mod sqlite;
#[path = "worker.rs"]
mod worker;

use machines::job::Event;

pub(crate) use worker::{replay, start};

/// What a worker says of a job whose first attempt does not succeed.
const ON_ERROR: Event = Event::Fail;
