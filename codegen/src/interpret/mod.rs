//! The step semantics, written down as a program.
//!
//! [`machine`] is one step of one machine, [`system`] one transaction of several,
//! [`mod@walkthrough`] a told way through a system. Emitted code is held against these.

pub mod machine;
pub mod refusal;
pub mod system;
pub mod value;
pub mod walkthrough;

pub use machine::{Asked, Done, Host, Instance, Phase, Plan, Raised, Script, Step, may_raise, plan};
pub use refusal::{Error, Failure, Reason, Refused};
pub use system::{Chosen, Fired, SystemError, SystemHost, SystemReason, Trace, World, may_trigger};
pub use walkthrough::{Cell, StepTrace, Update, walkthrough};
