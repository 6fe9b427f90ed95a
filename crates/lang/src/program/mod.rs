//! What machines and systems do, as programs that another language can print: typed expressions, ordered arms, and no rule of
//! the spec language that is left to decide.
//!
//! The [interpreter](crate::interpret) defines the behaviour. A program follows from the model; executed as its items say, it does
//! the same.
//!
//! One step of a machine:
//!
//! 1. The [`Case`] of the cause and the leaf gives the arms. For each in order: if [`Row::guard_divides`] holds, the call is
//!    refused; if [`Row::guard`] holds or there is none, the arm is chosen. No case means that there is no transition; a case
//!    without an arm that holds means that no guard holds.
//! 2. In a machine with regions, each active leaf chooses an arm. Two leaves that choose the same row of the same source choose it
//!    once. An arm that refuses wins, unless an arm of a state inside its source is chosen. Of two arms that leave a state in
//!    common, the one whose source is inside the other's is taken, otherwise the earlier one.
//! 3. If [`Row::divides`] holds for an arm that is taken, the call is refused. The assignments of all arms read the values before
//!    the step; of several to one field, the last has the last word. Then [`Node::memories`] of the states that are left are set.
//! 4. States are left from the inside out and entered from the outside in.
//!
//! [`system`] describes one transaction of a system.

mod expr;
mod machine;
pub mod system;

pub use expr::{Expr, Kind, Operation};
pub use machine::{Action, Arm, Assignment, Case, Cause, Destination, Effect, Memory, Node, Program, Row, Timer};
pub use system::SystemProgram;
