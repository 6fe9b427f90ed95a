//! A store for machines of statespec, inside of your transaction.
//!
//! A [`Table`] says where a machine lies; a [`Store`] of it loads machines, creates them and takes steps, each in a transaction that you
//! begin and commit, so that an order and its state are one commit. With each change it writes the effects into an outbox, the moment of
//! the next timer into a column, and the command that asked for it into a table, so that nothing is lost or done twice.
//!
//! ```
//! use statespec_machines::mysis::{Event, Mysis, State};
//! use statespec_store::{Birth, Column, Created, Engine, Kind, Outcome, Request, Store, Table, create, raise, wait};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! const KEY: &[Column] = &[Column::new("id", Kind::Integer)];
//! const TABLE: Table = Table { rest: Some("context"), ..Table::new(Engine::Sqlite, "mysis", "myses", KEY, "state", "version") };
//! let store = Store::<Mysis<String>, State>::new(TABLE)?;
//! let mut connection = rusqlite::Connection::open_in_memory()?;
//! connection.execute_batch("CREATE TABLE myses (id INTEGER PRIMARY KEY, state TEXT NOT NULL, version INTEGER NOT NULL, context TEXT NOT NULL)")?;
//! connection.execute_batch(&store.table().script())?;
//!
//! let mut c = connection.transaction()?;
//! let birth = create!(Mysis::create, Event::Create)??;
//! assert!(matches!(wait(store.create(&mut c, 1, birth, None, None))?, Created::Created(_)));
//! let outcome = wait(store.apply(&mut c, Request::new(1, raise!(Event::Start))))?;
//! assert_eq!(outcome.applied().map(|it| it.found.machine.state()), Some(State::Running));
//! let outcome = wait(store.apply(&mut c, Request::new(1, raise!(Event::Start))))?;
//! assert!(matches!(outcome, Outcome::Refused(refused) if refused.to_string().contains("`start` is refused in `running`")));
//! c.commit()?;
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//!
//! - `rusqlite`: transactions of rusqlite 0.39. Whether SQLite is compiled with the program, and how, is the program's choice.
//! - `tokio-postgres`: transactions of tokio-postgres 0.7.
//! - `sqlx-postgres`, `sqlx-sqlite`: transactions of sqlx 0.9, of its connections and of its pools, with each of its runtimes. sqlx
//!   needs Rust 1.94, and compiles SQLite with the program.
//!
//! None is on by default. Another driver implements [`Connection`] and [`Database`].
#![forbid(unsafe_code)]

mod blocking;
#[cfg(any(feature = "rusqlite", feature = "tokio-postgres", feature = "sqlx-sqlite", feature = "sqlx-postgres"))]
mod class;
mod command;
mod commands;
mod configuration;
mod connection;
#[cfg(feature = "rusqlite")]
mod driver_rusqlite;
#[cfg(any(feature = "sqlx-sqlite", feature = "sqlx-postgres"))]
mod driver_sqlx;
#[cfg(feature = "sqlx-postgres")]
mod driver_sqlx_postgres;
#[cfg(feature = "sqlx-sqlite")]
mod driver_sqlx_sqlite;
#[cfg(feature = "tokio-postgres")]
mod driver_tokio_postgres;
mod error;
mod lease;
mod memory;
mod outbox;
mod outcome;
mod plan;
mod replay;
mod row;
mod shelf;
mod sql;
mod step;
mod store;
mod system;
mod table;
mod value;

pub use blocking::wait;
pub use configuration::StoredState;
pub use connection::{Connection, Database};
pub use error::{Class, Error};
pub use outbox::Delivery;
pub use outcome::{Applied, Created, Found, Outcome, Planned, Recorded, Request, Resolved};
pub use replay::Deviation;
pub use shelf::{Id, Shelf, Shelves};
pub use step::{Birth, Clock, Emitted, Step, emitted};
pub use store::{Store, Stored};
pub use system::{Ran, System, Transact};
pub use table::{Column, Engine, Kind, Layout, Lease, Table, TimerColumns};
pub use value::{Key, Part, Row, Value};

/// For the macros of this crate.
#[doc(hidden)]
pub mod __private {
    pub use statespec::{Attempt, Commit, State, Transacted, Unit};
}

/// The examples of the guide, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/store.md")]
struct StoreGuide;
