//! Where a machine starts, as constructors tell.
//!
//! ```text
//! fn new() -> Self { Job { state: State::Queued } }
//! ```
//!
//! Constructors that disagree, or that get the state from elsewhere, are reported.

use std::collections::BTreeSet;

use quote::ToTokens;
use syn::Expr;
use syn::visit::{self, Visit};

use super::Machine;
use super::items::{Function, Items, begins_empty, names_in};
use super::variables::bare;
use super::words;

/// Marks the initial states of machines whose enums do not mark one.
pub(super) fn mark(items: &Items<'_>, machines: &mut [Machine]) {
    for (of, machine) in machines.iter_mut().enumerate() {
        let is_open = machine.draft.states.iter().all(|it| !it.initial) && !machine.draft.rows.is_empty();
        if !is_open || !items.enums[of].is_known() {
            continue;
        }
        let mut found: BTreeSet<Option<usize>> = BTreeSet::new();
        for function in &items.functions {
            let mut starts = Starts { items, function, of, found: &mut found };
            starts.visit_block(function.block);
        }
        if found.is_empty() {
            continue;
        }
        let is_known = found.len() == 1 && !found.contains(&None);
        // Where no constructor names a state, the first one of the enum.
        let first = found.into_iter().flatten().next().unwrap_or(0);
        let Some(state) = machine.draft.states.get_mut(first) else { continue };
        state.initial = true;
        if is_known {
            let message = format!("the machine is assumed to start in `{}`, because the constructors of this file begin there", state.id);
            machine.draft.found.assumed(state.span, message);
        } else {
            let message =
                format!("the constructors of this file begin in several states, or it is not known where: `{}` was marked", state.id);
            machine.draft.found.added(state.span, message);
            state.inferred = Some("Constructors begin in several states, or it is not known where.".to_owned());
        }
    }
}

/// Finds the states that a function without a receiver begins with; `None` for one that is not known.
struct Starts<'s, 'a> {
    items: &'s Items<'a>,
    function: &'s Function<'a>,
    of: usize,
    found: &'s mut BTreeSet<Option<usize>>,
}

impl Starts<'_, '_> {
    /// The variant that a value is.
    fn variant(&self, value: &Expr) -> Option<usize> {
        let path = match bare(value) {
            Expr::Path(it) => &it.path,
            Expr::Struct(it) => &it.path,
            // `Mutex::new(State::Queued)`
            Expr::Call(it) => match (&*it.func, it.args.first()) {
                (Expr::Path(func), Some(inner)) if func.path.segments.last().is_some_and(|it| it.ident == "new") => {
                    return self.variant(inner);
                }
                (Expr::Path(it), _) => &it.path,
                _ => return None,
            },
            _ => return None,
        };
        let names: Vec<String> = path.segments.iter().map(|it| it.ident.to_string()).collect();
        let [.., of, name] = names.as_slice() else { return None };
        let is_it = self.items.enum_named(of, &self.function.module) == Some(self.of);
        self.items.variant(self.of, name).filter(|_| is_it).map(|(_, idx)| idx)
    }

    fn is_constructor(&self) -> bool {
        let name = self.function.name.as_str();
        let is_named = matches!(name, "new" | "default") || ["new_", "with_", "create"].iter().any(|it| name.starts_with(it));
        is_named && self.function.signature.receiver().is_none()
    }
}

impl<'x> Visit<'x> for Starts<'_, '_> {
    fn visit_item(&mut self, _: &'x syn::Item) {}

    fn visit_expr_struct(&mut self, it: &'x syn::ExprStruct) {
        let of = it.path.segments.last().map(|it| it.ident.to_string());
        let of = if of.as_deref() == Some("Self") { self.function.of.clone() } else { of };
        let fields = it.fields.iter().take(if self.is_constructor() { it.fields.len() } else { 0 });
        for field in fields {
            let name = field.member.to_token_stream().to_string();
            let Some(ty) = of.as_deref().and_then(|of| self.items.field_type(of, &name)) else { continue };
            let names = names_in(ty.to_token_stream());
            let is_one = !begins_empty(&names) && names.iter().all(|it| it != "Option");
            if is_one && names.iter().any(|it| self.items.enum_named(it, &self.function.module) == Some(self.of)) {
                let start = self.variant(&field.expr);
                self.found.insert(start);
            }
        }
        visit::visit_expr_struct(self, it);
    }

    // `let mut state = State::Queued;` at the beginning of a loop over events.
    fn visit_local(&mut self, it: &'x syn::Local) {
        if let (syn::Pat::Ident(name), Some(init)) = (&it.pat, &it.init)
            && name.mutability.is_some()
            && words::is_of_states(&name.ident.to_string())
            && let Some(variant) = self.variant(&init.expr)
        {
            self.found.insert(Some(variant));
        }
        visit::visit_local(self, it);
    }
}
