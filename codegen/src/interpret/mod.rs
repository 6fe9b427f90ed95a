//! The step semantics, defined as a program.
//!
//! [`machine`] is one step of one machine, [`system`] one transaction of several,
//! [`mod@walkthrough`] a walkthrough of a system. Emitted code is tested against these.

pub mod boundary;
#[cfg(feature = "systems")]
pub mod clock;
#[cfg(feature = "systems")]
pub mod machine;
#[cfg(feature = "systems")]
mod microstep;
#[cfg(feature = "systems")]
pub mod refusal;
#[cfg(feature = "systems")]
pub mod system;
pub mod value;
#[cfg(feature = "systems")]
pub mod walkthrough;

pub use boundary::BoundaryValues;
#[cfg(feature = "systems")]
pub use clock::{Clock, SystemClock};
#[cfg(feature = "systems")]
pub use machine::{Done, EffectCall, Host, Instance, Phase, Plan, Request, Script, Step, may_raise, plan};
#[cfg(feature = "systems")]
pub use refusal::{Error, Failure, Reason, Refused};
#[cfg(feature = "systems")]
pub use system::{Chosen, Fired, SystemError, SystemHost, SystemReason, Trace, World, may_trigger};
#[cfg(feature = "systems")]
pub use walkthrough::{Cell, StepTrace, Update, walkthrough};
