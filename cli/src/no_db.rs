//! `db` of a command that was built without drivers.

use statespec_audit::{Options, Outcome};
use statespec_codegen::model::Machine;
use statespec_codegen::project::Project;
use statespec_codegen::report::Report;
use statespec_rust::root::Root;

use crate::args::DbCommand;

/// Says that the command has no drivers.
pub(crate) fn run(_: &Root, _: &DbCommand) -> Result<Report, Report> {
    Err(without_drivers())
}

/// Says that the command has no drivers.
pub(crate) fn journal(_: &Project, _: &Machine, _: &mut Options) -> Result<Outcome, Report> {
    Err(without_drivers())
}

fn without_drivers() -> Report {
    Report::of_misuse("this command was built without the feature `database`")
}
