//! The module of a system: requests, the protocol of a store, and the tables that the support file executes.

mod api;
mod names;
mod tables;

use statespec_lang::model::{Model, System};
use statespec_lang::program::SystemProgram;

use super::expr::Exprs;
use super::{SUPPORT, from_package, title};
use crate::writer::Writer;
use names::{Names, Scope};

/// The module of a system.
pub(super) fn module(model: &Model, system: &System) -> String {
    let program = SystemProgram::of(model, system);
    let names = Names::of(model, &program);
    let mut body = Writer::new("    ");
    api::types(&mut body, &names);
    tables::write(&mut body, &names);
    api::functions(&mut body, &names);
    let machines = names.modules().map(|(alias, file)| from_package(file, Some(alias)));
    let own: Vec<String> = std::iter::once(from_package(SUPPORT, None)).chain(machines).collect();
    super::module(&title(&system.title, system.doc.as_deref()), body, &own)
}

/// A printer of expressions of a transaction, or of those outside of transactions.
fn exprs<'a>(scope: &'a Scope<'a>) -> Exprs<'a> {
    Exprs::of(scope)
}
