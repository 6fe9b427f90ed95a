//! Functions that set a state, and whose steps were not read.
//!
//! ```text
//! fn abort(&mut self) { self.phase = Phase::Aborted; }
//! ```
//!
//! Where the steps of an enum are read from such code, and not from a table of all of them, a spec without this
//! step would say less than the code.

use syn::visit::{self, Visit};

use super::Machine;
use super::edges::Reads;
use super::items::{Function, Items, range, type_name};
use crate::import::draft::Findings;

/// Reports functions that set a state of a machine, and that neither were read nor are called by those that were.
pub(super) fn report(items: &Items<'_>, reads: &Reads, machines: &[Machine], lost: &mut Findings) {
    for (of, machine) in machines.iter().enumerate() {
        // A table says which steps are allowed, whatever the code does.
        if machine.draft.rows.is_empty() || machine.is_table || machine.draft.complete {
            continue;
        }
        for (idx, function) in items.functions.iter().enumerate() {
            if function.is_test || reads.functions.contains(&(idx, of)) || reads.called.contains(&idx) {
                continue;
            }
            let mut sets = Sets { function, items, of, found: false };
            sets.visit_block(function.block);
            if sets.found || tries(function, &items.enums[of].name) {
                let place = machine.place(range(&function.signature.ident));
                let name = &items.enums[of].name;
                lost.loss(place, format!("`{}` sets a `{name}`, too, and could not be followed: its steps are missing", function.name));
            }
        }
    }
}

/// `fn poll(&self, state: &State) -> Result<State, Error>`
fn tries(function: &Function<'_>, name: &str) -> bool {
    let is_it = |ty: &syn::Type| {
        let found = type_name(ty);
        found.as_deref() == Some(name) || (found.as_deref() == Some("Self") && function.of.as_deref() == Some(name))
    };
    let takes = function.signature.inputs.iter().any(|it| match it {
        syn::FnArg::Receiver(_) => function.of.as_deref() == Some(name),
        syn::FnArg::Typed(it) => is_it(&it.ty),
    });
    let syn::ReturnType::Type(_, output) = &function.signature.output else { return false };
    let syn::Type::Path(output) = &**output else { return false };
    let Some(last) = output.path.segments.last().filter(|it| it.ident == "Result") else { return false };
    let syn::PathArguments::AngleBracketed(of) = &last.arguments else { return false };
    takes && of.args.iter().any(|it| matches!(it, syn::GenericArgument::Type(ty) if is_it(ty)))
}

/// Looks for `… = State::Variant`.
struct Sets<'f, 'a> {
    function: &'f Function<'a>,
    items: &'f Items<'a>,
    of: usize,
    found: bool,
}

impl<'x> Visit<'x> for Sets<'_, '_> {
    fn visit_expr_assign(&mut self, it: &'x syn::ExprAssign) {
        let path = match &*it.right {
            syn::Expr::Path(it) => Some(&it.path),
            syn::Expr::Struct(it) => Some(&it.path),
            syn::Expr::Call(it) => match &*it.func {
                syn::Expr::Path(it) => Some(&it.path),
                _ => None,
            },
            _ => None,
        };
        let is_place = matches!(&*it.left, syn::Expr::Field(_) | syn::Expr::Unary(_));
        self.found |= is_place && path.is_some_and(|it| self.is_variant(it));
        visit::visit_expr_assign(self, it);
    }
}

impl Sets<'_, '_> {
    fn is_variant(&self, path: &syn::Path) -> bool {
        let names: Vec<String> = path.segments.iter().map(|it| it.ident.to_string()).collect();
        let (own, module) = (self.function.of.as_deref(), &self.function.module);
        let found = match names.as_slice() {
            [name] => self.items.bare_variant(name, own, module),
            [.., of, name] => {
                let of = if of == "Self" { own.unwrap_or_default() } else { of };
                self.items.enum_named(of, module).and_then(|it| self.items.variant(it, name))
            }
            [] => None,
        };
        found.is_some_and(|(of, _)| of == self.of)
    }
}
