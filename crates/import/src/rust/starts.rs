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
use super::names;

/// Marks the initial states of machines whose enums do not mark one, and reports where a marked one differs. `alone` is the enum that
/// is imported without steps.
pub(super) fn mark(items: &Items<'_>, looks: impl Fn(usize, usize) -> bool, machines: &mut [Machine], alone: Option<usize>) {
    for (of, machine) in machines.iter_mut().enumerate() {
        if (machine.draft.rows.is_empty() && alone != Some(of)) || !items.enums[of].is_known() {
            continue;
        }
        let code = |idx: usize| Code { items, function: &items.functions[idx], of };
        let functions = 0..items.functions.len();
        let mut found: BTreeSet<_> = functions.clone().flat_map(|it| code(it).of_constructor()).collect();
        let mut who = "constructors";
        if found.is_empty() {
            // A new value that a function makes which looks at none.
            found = functions.flat_map(|it| code(it).starts(!looks(it, of))).collect();
            who = "new values";
            if found.len() != 1 || found.contains(&None) {
                continue;
            }
        }
        let is_known = found.len() == 1 && !found.contains(&None);
        if let Some(marked) = machine.draft.states.iter().find(|it| it.initial) {
            let others: Vec<usize> = found.into_iter().flatten().collect();
            if let ([only], true) = (others.as_slice(), is_known)
                && machine.draft.states[*only].id != marked.id
            {
                let (marked, other, place) = (&marked.id, &machine.draft.states[*only].id, marked.span);
                let message =
                    format!("`{marked}` is marked as the default, and the constructors of this file begin in `{other}`: the mark was kept");
                machine.draft.found.assumed(place, message);
            }
            continue;
        }
        // Where no constructor names a state, the first one of the enum.
        let first = found.into_iter().flatten().next().unwrap_or(0);
        let Some(state) = machine.draft.states.get_mut(first) else { continue };
        state.initial = true;
        if is_known {
            let message = format!("the machine is assumed to start in `{}`, because {who} of this file begin there", state.id);
            machine.draft.found.assumed(state.span, message);
        } else {
            let message =
                format!("the constructors of this file begin in several states, or it is not known where: `{}` was marked", state.id);
            machine.draft.found.added(state.span, message);
            state.inferred = Some("Constructors begin in several states, or it is not known where.".to_owned());
        }
    }
}

fn is_named_constructor(name: &str) -> bool {
    matches!(name, "new" | "default") || ["new_", "with_", "create"].iter().any(|it| name.starts_with(it))
}

/// Whether a function returns a value of its own type: `fn temporary() -> Self`.
fn makes_its_type(function: &Function<'_>) -> bool {
    let syn::ReturnType::Type(_, ty) = &function.signature.output else { return false };
    names_in(ty.to_token_stream()).iter().any(|it| it == "Self" || Some(it) == function.of.as_ref())
}

/// Whether a function makes a new value, so that what it sets is where the value begins.
fn is_constructor(function: &Function<'_>) -> bool {
    function.signature.receiver().is_none() && (is_named_constructor(&function.name) || makes_its_type(function))
}

/// A function, and the enum whose states it may name.
#[derive(Clone, Copy)]
struct Code<'s, 'a> {
    items: &'s Items<'a>,
    function: &'s Function<'a>,
    of: usize,
}

impl Code<'_, '_> {
    /// The states that it begins with if it is a constructor; one that is not named as one counts where it names a state.
    fn of_constructor(self) -> BTreeSet<Option<usize>> {
        let mut found = self.starts(is_constructor(self.function));
        if !is_named_constructor(&self.function.name) {
            found.retain(Option::is_some);
        }
        found
    }

    /// The states that it begins with; `None` for one that is not known. What is no constructor has variables only.
    fn starts(self, is_constructor: bool) -> BTreeSet<Option<usize>> {
        let mut starts = Starts { code: self, is_constructor, found: BTreeSet::new() };
        starts.visit_block(self.function.block);
        let is_of_enum = self.function.of.as_ref() == Some(&self.items.enums[self.of].name) && self.function.signature.receiver().is_none();
        if let (true, Some(syn::Stmt::Expr(value, None))) =
            (is_constructor && is_of_enum && is_named_constructor(&self.function.name), self.function.block.stmts.last())
        {
            starts.tail(value);
        }
        starts.found
    }

    /// The variant that a value is.
    fn variant(&self, value: &Expr) -> Option<usize> {
        let path = match bare(value) {
            Expr::Path(it) => &it.path,
            Expr::Struct(it) => &it.path,
            // `Mutex::new(State::Queued)`
            Expr::Call(it) => match (&*it.func, it.args.first()) {
                (Expr::Path(func), Some(inner))
                    if func.path.segments.last().is_some_and(|it| it.ident == "new" || it.ident == "Ok" || it.ident == "Some") =>
                {
                    return self.variant(inner);
                }
                (Expr::Path(it), _) => &it.path,
                _ => return None,
            },
            _ => return None,
        };
        if let Some(name) = path.get_ident() {
            let bare = self.items.bare_variant(name, self.function.of.as_deref(), &self.function.module);
            return bare.filter(|it| it.0 == self.of).map(|it| it.1);
        }
        let names: Vec<String> = path.segments.iter().map(|it| it.ident.to_string()).collect();
        let [.., of, name] = names.as_slice() else { return None };
        let of = if of == "Self" { self.function.of.as_deref()? } else { of };
        let is_it = self.items.enum_named(of, &self.function.module) == Some(self.of);
        self.items.variant(self.of, name).filter(|_| is_it).map(|(_, idx)| idx)
    }

    fn holds_in_own(&self, field: &syn::Member) -> bool {
        self.holds(self.function.of.as_deref(), &field.to_token_stream().to_string())
    }

    /// Whether a field of a type holds the enum, and is no list.
    fn holds(&self, of: Option<&str>, field: &str) -> bool {
        let Some(ty) = of.and_then(|of| self.items.field_type(of, field)) else { return false };
        let names = names_in(ty.to_token_stream());
        let is_one = !begins_empty(&names) && names.iter().all(|it| it != "Option");
        is_one && names.iter().any(|it| self.items.enum_named(it, &self.function.module) == Some(self.of))
    }
}

/// Finds the states that a function begins with.
struct Starts<'s, 'a> {
    code: Code<'s, 'a>,
    is_constructor: bool,
    found: BTreeSet<Option<usize>>,
}

impl Starts<'_, '_> {
    /// `fn new() -> Self { Self::Accepted }`, in the enum itself.
    fn tail(&mut self, value: &Expr) {
        let of_block = |inner: &mut Self, block: &syn::Block| {
            if let Some(syn::Stmt::Expr(value, None)) = block.stmts.last() {
                inner.tail(value);
            }
        };
        match value {
            Expr::Block(it) => of_block(self, &it.block),
            Expr::If(it) => {
                of_block(self, &it.then_branch);
                it.else_branch.iter().for_each(|(_, other)| self.tail(other));
            }
            Expr::Match(it) => it.arms.iter().for_each(|arm| self.tail(&arm.body)),
            other => {
                let start = self.code.variant(other);
                self.found.insert(start);
            }
        }
    }
}

impl<'x> Visit<'x> for Starts<'_, '_> {
    fn visit_item(&mut self, _: &'x syn::Item) {}

    fn visit_expr_struct(&mut self, it: &'x syn::ExprStruct) {
        let of = it.path.segments.last().map(|it| it.ident.to_string());
        let of = if of.as_deref() == Some("Self") { self.code.function.of.clone() } else { of };
        // `Job { id, ..other }` is another one in part.
        for field in it.fields.iter().filter(|_| self.is_constructor && it.rest.is_none()) {
            if self.code.holds(of.as_deref(), &field.member.to_token_stream().to_string()) {
                let start = self.code.variant(&field.expr);
                self.found.insert(start);
            }
        }
        visit::visit_expr_struct(self, it);
    }

    // `let mut it = Self::new(); it.state = State::Open; it`
    fn visit_expr_assign(&mut self, it: &'x syn::ExprAssign) {
        // A value in the place of another one is no start.
        if !is_constructor(self.code.function) {
            return;
        }
        if let (true, Expr::Field(field)) = (self.is_constructor, bare(&it.left))
            && self.code.holds_in_own(&field.member)
        {
            let start = self.code.variant(&it.right);
            self.found.insert(start);
        }
        visit::visit_expr_assign(self, it);
    }

    // `let mut state = State::Queued;` at the beginning of a loop over events.
    fn visit_local(&mut self, it: &'x syn::Local) {
        if let (syn::Pat::Ident(name), Some(init)) = (&it.pat, &it.init)
            && name.mutability.is_some()
            && names::is_of_states(&name.ident.to_string())
            && let Some(variant) = self.code.variant(&init.expr)
        {
            self.found.insert(Some(variant));
        }
        visit::visit_local(self, it);
    }
}

/// An expression without parentheses.
fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(it) => bare(&it.expr),
        Expr::Group(it) => bare(&it.expr),
        Expr::Reference(it) => bare(&it.expr),
        Expr::Unary(it) if matches!(it.op, syn::UnOp::Deref(_)) => bare(&it.expr),
        other => other,
    }
}
