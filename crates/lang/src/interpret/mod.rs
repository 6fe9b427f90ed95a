//! The step semantics, defined as a program.
//!
//! [`machine`] is one step of one machine, [`system`] one transaction of several,
//! [`mod@walkthrough`] a walkthrough of a system. Emitted code is tested against these.

pub mod boundary;
pub mod clock;
pub mod machine;
mod microstep;
pub mod refusal;
mod request;
mod snapshot;
pub mod system;
pub mod value;
pub mod walkthrough;

pub use boundary::BoundaryValues;
pub use clock::{Clock, SystemClock};
pub use machine::{Done, EffectCall, Host, Instance, Phase, Plan, Script, Step, may_raise, plan};
pub use refusal::{Error, Failure, Reason, Refused};
pub use request::Request;
pub use system::{Chosen, Fired, SystemError, SystemHost, SystemMisuse, SystemReason, Trace, World, may_trigger};
pub use walkthrough::{Cell, StepTrace, Update, walkthrough};
