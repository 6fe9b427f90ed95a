//! `gen --watch` of a command that was built without it.

use std::path::Path;

use statespec_codegen::report::{Report, Status};
use statespec_codegen::sync::Made;
use statespec_rust::root::Root;

/// Says that the command does not watch.
pub(crate) fn run(_: &Root, _: Option<&Path>, _: &mut dyn FnMut() -> Vec<Made>) -> Status {
    crate::tell(&Report::of_misuse("this command was built without the feature `watch`"))
}
