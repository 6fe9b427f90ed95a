//! The emitted machines of this repository: against the interpreter, their conformance tests and hosts; and the values of the façade.

#[rustfmt::skip]
#[path = "../drive/mod.rs"]
mod drive;
#[path = "../support/mod.rs"]
mod support;

mod conformance;
mod differential;
mod effects;
mod hosts;
mod reference;
mod values;
