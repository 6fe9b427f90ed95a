//! The runtime of statespec, which generates code and docs from one state graph in YAML.
//!
//! This crate is the runtime of the Rust code that statespec emits: traits with `const` tables, the outcome
//! of a step, and the reason of a refusal. It needs neither `std` nor an allocator.
//!
//! The types of an emitted module implement these traits:
//!
//! | emitted | here |
//! | --- | --- |
//! | `State`, `EventKind`, `EffectKind`, `Actor`, enums | [`Named`]: all values, names, parsing |
//! | `State` | [`State`]: successors, permitted events, the transitions as data |
//! | `EventKind` | [`Event`]: the actors that may raise it, the actor that does the work |
//! | the machine itself | [`Machine`]: `plan`, `apply` |
//! | `Effect` | an effect with its data: [`Change::effects_of`] |
//! | `Timers` | [`Timers`]: which timers run, which is due next, and `elapse` |
//! | `Recorded` | what histories record: events and timers; `replay` takes it again |
//! | `Change`, `Refused` | [`Change`], [`Refused`] |
//!
//! ```
//! use statespec_machines::mysis::{Event, Mysis, State};
//!
//! let (mut mysis, _) = Mysis::<String>::create(Event::Create)?;
//! let change = mysis.apply(Event::Start)?;
//! assert_eq!((change.from(), change.to()), (Some(State::Idle), State::Running));
//! mysis.apply(Event::Stop)?;
//!
//! let refused = mysis.apply(Event::Message { body: "hello" }).unwrap_err();
//! assert_eq!(refused.to_string(), "mysis stopped - press 'r' to relaunch");
//! assert_eq!("errored".parse(), Ok(State::Errored));
//! # Ok::<(), statespec_machines::mysis::Refused>(())
//! ```
//!
//! The derive turns a type of yours into such a machine at compile time:
//!
//! ```
//! # #[cfg(feature = "derive")] {
//! use statespec::StateMachine;
//!
//! #[derive(Debug, Clone, StateMachine)]
//! #[machine("machines/hop.yaml")]
//! struct Hop {
//!     state: HopState,
//!     mission_id: Option<u64>,
//!     is_final: bool,
//! }
//!
//! let (mut hop, _) = Hop::create(HopEvent::Create).unwrap();
//! hop.apply(HopEvent::CompletePlan { r#final: true }).unwrap();
//! assert!(hop.is_final && hop.state == HopState::HopPlanProposed);
//! # }
//! ```
//!
//! # Features
//!
//! - `derive` (on by default): `#[derive(StateMachine)]`.
//! - `decimal` (on by default): exact decimals in contexts and payloads.
//! - `serde`: serde implementations for names, times, events, contexts, machines, changes and refusals.
//! - `std`: `Timestamp::now`, and conversions from and to [`SystemTime`](https://doc.rust-lang.org/std/time/struct.SystemTime.html).
//! - `observe`: observers, which see the attempts to change any machine, one that counts them, and one that records them; with `std`,
//!   one that appends to a file.
//! - `tracing`: an observer for the crate of that name.
//! - `chrono`, `jiff`: conversions from and to the times of these crates, which then [hold](Holds) times of specs.
#![cfg_attr(not(test), no_std)]

#[cfg(feature = "std")]
extern crate std;

mod attempt;
mod change;
mod configuration;
mod dispatch;
mod effects;
mod hold;
mod machine;
mod named;
mod number;
#[cfg(feature = "observe")]
mod observe;
mod packed;
mod react;
#[cfg(feature = "observe")]
mod record;
mod refused;
mod regions;
mod run;
mod state;
mod system;
mod text;
mod time;
mod timers;
mod transition;

#[cfg(feature = "decimal")]
mod decimal;
#[cfg(feature = "serde")]
mod serde_impls;
#[cfg(feature = "tracing")]
mod traced;

pub use attempt::{Attempt, Ended, Transacted};
pub use change::{Change, Step};
pub use configuration::{Configuration, ConfigurationOf, NoConfiguration};
#[cfg(feature = "decimal")]
pub use decimal::{Decimal, decimal};
pub use effects::{Effects, Phase};
pub use hold::{Holds, OutOfRange};
pub use machine::Machine;
pub use named::{Named, Never, UnknownName};
#[cfg(feature = "observe")]
pub use observe::{Counter, Labels, Observer};
#[cfg(feature = "observe")]
pub use record::Record;
#[cfg(all(feature = "observe", feature = "std"))]
pub use record::Recording;
pub use refused::{Reason, Refused};
pub use run::RunError;
pub use state::{Event, State};
#[cfg(feature = "derive")]
pub use statespec_macros::StateMachine;
pub use system::{Failure, Planning, Unit};
pub use text::FromLiteral;
pub use time::{Duration, TimeError, Timestamp};
pub use timers::{Elapse, Elapsed, Timed, Timers};
#[cfg(feature = "tracing")]
pub use traced::Tracing;
pub use transition::{Commit, Row, RowNumber, Source, Target, Transition, Trigger};

/// Items for emitted code; not part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::change::Steps;
    pub use crate::configuration::names;
    pub use crate::dispatch::{DirectTable, Outcome, Table, find};
    pub use crate::hold::{Is, Shown};
    pub use crate::machine::{Dispatch, Followed, Input, apply_on_copy, copy_after, plan_on_copy, settle};
    pub use crate::named::write_actors;
    pub use crate::number::{len, quotient, remainder};
    pub use crate::packed::{Lists, rows};
    pub use crate::react::{Cause, MAX_WAITING, react};
    pub use crate::refused::permit;
    pub use crate::regions::{Choice, Microsteps, Region, Regions, create, is_active_node, is_done, microstep, parse};
    pub use crate::run::{Run, Task, run};
    pub use crate::state::{Graph, Node, follows};
    pub use crate::system::{Phase, Slot, distinct, optional, transact};
    pub use crate::text::{Message, OrNull};
    pub use crate::timers::{Durations, Elapses, Timer, running};
    pub use core::option::Option;

    #[cfg(feature = "serde")]
    pub use crate::serde_impls::{named, named_option};
    #[cfg(feature = "serde")]
    pub use serde;
}

/// In place of the macro with this name, which the feature `serde` has.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! named_serde {
    ($ty:ident) => {
        ::core::compile_error!("names are serialized by the feature `serde` of the crate `statespec`: enable it in Cargo.toml");
    };
}

/// Checks that a module was emitted for this version of the façade.
#[doc(hidden)]
#[macro_export]
macro_rules! __emitted {
    (6) => {};
    // A call that no rule matches ends the compilation at once; after `compile_error!`, every item of the module has errors of its own.
    ($other:literal) => {
        $crate::__emitted!(
            error: "this module was emitted by an incompatible version of statespec: run the command in its first line again, or `cargo statespec gen`"
        );
    };
    (error:) => {};
}

/// The examples of the guide, as tests.
#[cfg(all(doctest, feature = "derive", feature = "decimal"))]
#[doc = include_str!("../docs/guide/derive.md")]
struct DeriveGuide;

/// The examples of the reference, as tests.
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../docs/reference/rust.md")]
struct RustReference;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
