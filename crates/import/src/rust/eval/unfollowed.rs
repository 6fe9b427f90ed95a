//! Code that is not followed: whether that matters.

use super::calls::panics;
use super::fields::overlaps;
use super::macros::returns;
use super::*;

impl Eval<'_, '_> {
    /// The outcome of code that is not followed, such as a loop: its value, or nothing known at all.
    pub(super) fn not_followed(&self, code: &[&Expr], value: Value, at: &impl ToTokens, scope: &Scope) -> Vec<Case> {
        if code.iter().any(|it| self.leaves(it)) {
            return lost_at(at);
        }
        code.iter().fold(Case::value(value), |cases, it| self.unfollowed(cases, it, scope))
    }

    /// Whether code can leave the function, set the state, or call a function that may do so.
    fn leaves(&self, code: &Expr) -> bool {
        let calls = |name: &str| self.items.functions_named(name).any(|it| self.setting.contains(&it));
        let sets = |place: &Expr| self.target.as_deref().is_some_and(|it| overlaps(it, &self.text(bare(place))));
        let calls_in =
            |receiver: &Expr, name: &str| sets(receiver) && self.items.functions_named(name).any(|it| self.setting_in.contains(&it));
        let mut found = Leaves { calls: &calls, calls_in: &calls_in, sets: &sets, loops: 0, found: false };
        found.visit_expr(code);
        found.found
    }
}

/// Whether code leaves the function or sets the state, by its syntax: `{:?}` in a text is no `?`.
struct Leaves<'s> {
    calls: &'s dyn Fn(&str) -> bool,
    calls_in: &'s dyn Fn(&Expr, &str) -> bool,
    sets: &'s dyn Fn(&Expr) -> bool,
    /// The number of loops around, which a `break` can end.
    loops: usize,
    found: bool,
}

impl Leaves<'_> {
    fn inside_loop(&mut self, look: impl FnOnce(&mut Self)) {
        self.loops += 1;
        look(self);
        self.loops -= 1;
    }
}

impl<'x> Visit<'x> for Leaves<'_> {
    fn visit_expr_return(&mut self, _: &'x syn::ExprReturn) {
        self.found = true;
    }

    fn visit_expr_break(&mut self, it: &'x syn::ExprBreak) {
        self.found |= self.loops == 0 || it.label.is_some();
        syn::visit::visit_expr_break(self, it);
    }

    fn visit_expr_continue(&mut self, it: &'x syn::ExprContinue) {
        self.found |= self.loops == 0 || it.label.is_some();
    }

    fn visit_expr_while(&mut self, it: &'x syn::ExprWhile) {
        self.inside_loop(|inner| syn::visit::visit_expr_while(inner, it));
    }

    fn visit_expr_loop(&mut self, it: &'x syn::ExprLoop) {
        self.inside_loop(|inner| syn::visit::visit_expr_loop(inner, it));
    }

    fn visit_expr_for_loop(&mut self, it: &'x syn::ExprForLoop) {
        self.inside_loop(|inner| syn::visit::visit_expr_for_loop(inner, it));
    }

    fn visit_expr_try(&mut self, _: &'x syn::ExprTry) {
        self.found = true;
    }

    fn visit_expr_assign(&mut self, it: &'x syn::ExprAssign) {
        self.found |= (self.sets)(&it.left);
        syn::visit::visit_expr_assign(self, it);
    }

    fn visit_expr_reference(&mut self, it: &'x syn::ExprReference) {
        self.found |= it.mutability.is_some() && (self.sets)(&it.expr);
        syn::visit::visit_expr_reference(self, it);
    }

    fn visit_expr_method_call(&mut self, it: &'x syn::ExprMethodCall) {
        let is_self = matches!(bare(&it.receiver), Expr::Path(path) if path.path.is_ident("self"));
        let name = it.method.to_string();
        self.found |= if is_self { (self.calls)(&name) } else { (self.calls_in)(&it.receiver, &name) };
        syn::visit::visit_expr_method_call(self, it);
    }

    fn visit_expr_call(&mut self, it: &'x syn::ExprCall) {
        if let Expr::Path(path) = &*it.func {
            self.found |= path.path.segments.last().is_some_and(|it| (self.calls)(&it.ident.to_string()));
        }
        syn::visit::visit_expr_call(self, it);
    }

    fn visit_macro(&mut self, it: &'x syn::Macro) {
        let ends =
            |name: &str| matches!(name, "ensure" | "ready" | "unreachable" | "todo" | "unimplemented") || returns(name) || panics(name);
        let by_name = it.path.segments.last().is_some_and(|it| ends(&it.ident.to_string()));
        self.found |= by_name || leaves(it.tokens.clone());
    }
}

/// Whether the words of a macro have `return`, or `?` behind a value; in `debug!(state = ?self.state)`, it is none.
fn leaves(tokens: TokenStream) -> bool {
    let mut is_value = false;
    tokens.into_iter().any(|it| {
        let behind_value = std::mem::replace(&mut is_value, !matches!(it, TokenTree::Punct(_)));
        match it {
            TokenTree::Group(it) => leaves(it.stream()),
            TokenTree::Ident(it) => it == "return",
            TokenTree::Punct(it) => it.as_char() == '?' && behind_value,
            TokenTree::Literal(_) => false,
        }
    })
}
