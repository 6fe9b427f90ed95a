//! Functions that set a state, and whose steps were not read.
//!
//! ```text
//! fn abort(&mut self) { self.phase = Phase::Aborted; }
//! ```
//!
//! Where the steps of an enum are read from such code, and not from a table of all of them, a spec without this
//! step would say less than the code.

use super::Machine;
use super::edges::Reads;
use super::items::{Function, Items, range, type_name};
use super::setters::Setters;
use super::variables::Variables;
use super::words;
use crate::import::draft::Findings;

/// Reports functions that set a state of a machine, and that neither were read nor are called by those that were.
pub(super) fn report(items: &Items<'_>, variables: &[Variables], reads: &Reads, machines: &[Machine], lost: &mut Findings) {
    let setters = Setters::new(items, variables);
    for (of, machine) in machines.iter().enumerate() {
        // A table says which steps are allowed, whatever the code does.
        if machine.draft.rows.is_empty() || machine.is_table || machine.draft.complete {
            continue;
        }
        let is_read = |idx: usize| reads.functions.contains(&(idx, of));
        for (idx, function) in items.functions.iter().enumerate() {
            if function.is_test || is_read(idx) || reads.called.contains(&idx) {
                continue;
            }
            if setters.sets(idx, of, is_read) || tries(function, &items.enums[of].name) {
                let place = machine.place(range(&function.signature.ident));
                let name = &items.enums[of].name;
                lost.loss(place, format!("`{}` sets a `{name}`, too, and could not be followed: its steps are missing", function.name));
            }
        }
    }
}

/// `fn poll(&self, state: &State) -> Result<State, Error>`, `fn step(&mut self) -> Result<State, Error>`
fn tries(function: &Function<'_>, name: &str) -> bool {
    let is_it = |ty: &syn::Type| {
        let found = type_name(ty);
        found.as_deref() == Some(name) || (found.as_deref() == Some("Self") && function.of.as_deref() == Some(name))
    };
    let takes = function.signature.inputs.iter().any(|it| match it {
        syn::FnArg::Receiver(_) => function.of.as_deref() == Some(name) || words::is_step(&function.name, "", ""),
        syn::FnArg::Typed(it) => is_it(&it.ty),
    });
    let syn::ReturnType::Type(_, output) = &function.signature.output else { return false };
    let syn::Type::Path(output) = &**output else { return false };
    let Some(last) = output.path.segments.last().filter(|it| it.ident == "Result") else { return false };
    let syn::PathArguments::AngleBracketed(of) = &last.arguments else { return false };
    takes && of.args.iter().any(|it| matches!(it, syn::GenericArgument::Type(ty) if is_it(ty)))
}
