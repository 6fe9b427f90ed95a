//! The derive on types of a user: all machines of this repository on structs and enums, and what the options do.

#[rustfmt::skip]
#[path = "../drive_derived/enums.rs"]
mod drive_enums;
#[rustfmt::skip]
#[path = "../drive_derived/structs.rs"]
mod drive_structs;
mod enums;
mod structs;
#[path = "../support/mod.rs"]
mod support;

mod both;
mod large;
mod on_enum;
mod on_struct;
mod own_types;
mod random;
