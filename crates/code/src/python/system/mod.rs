//! The module of a system: requests, the protocol of a store, and the tables that the support file executes.

mod api;
mod names;
mod tables;

use statespec_lang::model::{Model, System};
use statespec_lang::program::SystemProgram;

use super::expr::Exprs;
use super::idents::docstring;
use crate::writer::Writer;
use names::{Names, Scope};

/// The module of a system.
pub(super) fn module(model: &Model, system: &System) -> String {
    let program = SystemProgram::of(model, system);
    let names = Names::of(model, &program);
    let mut body = Writer::new("    ");
    api::types(&mut body, &names);
    let mut functions = Writer::new("    ");
    let decimals = tables::write(&mut functions, &names);
    for (text, name) in &decimals {
        body.line(format!("{name}: Final = Decimal(\"{text}\")"));
    }
    body.line(functions.into_text().trim_end());
    api::functions(&mut body, &names);
    let body = body.into_text();
    let notes = system.doc.iter().map(|it| format!("\n\n{it}"));
    let title = docstring(&format!("{}.{}", system.title.trim_end_matches('.'), notes.collect::<String>()));
    let modules = names.modules().map(|(alias, file)| format!("from . import {file} as {alias}\n"));
    let imports = format!("{}{}", super::imports(&body).trim_end_matches('\n'), "\n");
    let text = format!("{title}\n\nfrom __future__ import annotations\n\n{imports}{}\n\n{}\n", modules.collect::<String>(), body.trim());
    // Between two definitions are two empty lines.
    text.replace("\n\n\n\n\n", "\n\n\n").replace("\n\n\n\n", "\n\n\n")
}

/// A printer of expressions of a transaction, or of those outside of transactions.
fn exprs<'a>(scope: &'a Scope<'a>) -> Exprs<'a> {
    Exprs::of(scope)
}
