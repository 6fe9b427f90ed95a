//! The places that code may change which is not followed: calls, methods, macros, loops and closures.

use super::super::names_of_methods::{changes, reads};
use super::super::value::{is_shared, mentions};
use super::super::variables::Names;
use super::fields::{carried, is_known, is_path, list_of, overlaps, unknown_after, with_fields};
use super::operators::assigning;
use super::*;

impl Eval<'_, '_> {
    /// Cases of code that gets places which it may change: `refill(self)`, `&mut self.left`.
    pub(super) fn touched(&self, cases: Vec<Case>, places: &[&Expr], whole: &impl ToTokens, scope: &Scope) -> Vec<Case> {
        if scope.fields().is_empty() {
            return cases;
        }
        let places: Vec<String> = places.iter().map(|it| self.text(bare(it))).collect();
        with_fields(cases, &self.after(scope, whole, |path| places.iter().any(|it| overlaps(path, it))))
    }

    /// Cases of a call that is not followed, and gets places which it may change.
    pub(super) fn handed_on(&self, cases: Vec<Case>, it: &syn::ExprCall, scope: &Scope) -> Vec<Case> {
        let handed: Vec<&Expr> = it.args.iter().filter(|it| matches!(it, Expr::Path(_))).collect();
        let mut cases = self.touched(cases, &handed, it, scope);
        for argument in &it.args {
            let place = match argument {
                Expr::Reference(inner) if inner.mutability.is_some() => Some(self.text(bare(&inner.expr))),
                Expr::Path(_) => Some(self.text(argument)).filter(|it| scope.is_mutable(it)),
                _ => None,
            };
            cases = place.into_iter().fold(cases, |cases, place| self.changed_by(cases, &place, it, scope));
        }
        cases
    }

    /// Cases of code that changes a place, of which nothing was known before.
    fn changed_by(&self, mut cases: Vec<Case>, place: &str, code: &impl ToTokens, scope: &Scope) -> Vec<Case> {
        if !is_path(place) || self.is_state(place) || scope.get(place).is_some_and(is_known) || !(place == "self" || self.is_asked(place)) {
            return cases;
        }
        let remark = self.remark(code);
        let value = |of_state: bool| unknown_after(place, &remark, of_state);
        for case in &mut cases {
            let of_state = scope.get(place).is_some_and(Value::is_of_state);
            case.effects.fields.entry(place.to_owned()).or_insert_with(|| value(of_state));
        }
        cases
    }

    /// Cases of a method that is not followed: of `self`, or of a field.
    pub(super) fn touched_by_method(&self, cases: Vec<Case>, it: &syn::ExprMethodCall, scope: &Scope) -> Vec<Case> {
        let receiver = self.text(bare(&it.receiver));
        let may_change = self.may_change(it, &receiver, scope);
        let cases = match may_change {
            true if changes(&it.method.to_string()) => self.changed_by(cases, &receiver, it, scope),
            true if receiver != "self" && self.is_declared_mutable(it) => self.changed_by_method(cases, &receiver, it, scope),
            _ => cases,
        };
        let is_copied = |path: &str| path == receiver && matches!(scope.get(path), Some(Value::Int(_) | Value::Bool(_)));
        let mut changed = self.after(scope, it, |path| may_change && overlaps(path, &receiver) && !is_copied(path));
        for argument in &it.args {
            changed.extend(self.changed_inside(argument, it, scope));
        }
        with_fields(cases, &changed)
    }

    /// Cases of a method that is called for its effect, and whose name does not say what it does: `self.round.vote(it)?;`.
    pub(super) fn done(&self, cases: Vec<Case>, code: &Expr, scope: &Scope) -> Vec<Case> {
        match code {
            Expr::Try(it) => self.done(cases, &it.expr, scope),
            Expr::Await(it) => self.done(cases, &it.base, scope),
            Expr::MethodCall(it) => {
                let receiver = self.text(bare(&it.receiver));
                let is_own = receiver == "self" && self.items.function(scope.of.as_deref(), &it.method.to_string()).is_some();
                // A variable is mostly a value that others made: `admin.require_auth();`. A parameter `&mut X`, and the data of
                // a state, are there to be changed.
                let is_there = || scope.is_mutable(&receiver) || scope.has(&carried(&receiver)) || self.is_declared_mutable(it);
                let is_variable = receiver != "self" && !receiver.contains('.') && !is_there();
                if is_own || is_variable || !self.may_change(it, &receiver, scope) {
                    cases
                } else {
                    self.changed_by_method(cases, &receiver, it, scope)
                }
            }
            _ => cases,
        }
    }

    /// Cases of a method that changes its receiver: if the file declares it, only what it sets.
    fn changed_by_method(&self, cases: Vec<Case>, receiver: &str, it: &syn::ExprMethodCall, scope: &Scope) -> Vec<Case> {
        let mut declared = self.items.functions_named(&it.method.to_string());
        let (Some(function), None) = (declared.next(), declared.next()) else { return self.changed_by(cases, receiver, it, scope) };
        let changes = self.changes(|it| it.visit_block(self.items.functions[function].block));
        let places: BTreeSet<String> = changes.all.union(&changes.certain).cloned().collect();
        if places.contains("self") {
            return self.changed_by(cases, receiver, it, scope);
        }
        let fields = places.iter().filter_map(|it| it.strip_prefix("self."));
        fields.fold(cases, |cases, field| self.changed_by(cases, &format!("{receiver}.{field}"), it, scope))
    }

    /// Whether every method of this name in the file is one of `&mut self`.
    fn is_declared_mutable(&self, it: &syn::ExprMethodCall) -> bool {
        let mut declared = self.items.functions_named(&it.method.to_string()).peekable();
        let is_mutable = |it: usize| self.items.functions[it].signature.receiver().is_some_and(|it| !is_shared(it));
        declared.peek().is_some() && declared.all(is_mutable)
    }

    /// Whether a method may change a place: not by its name, nor by how the file declares it, nor behind `&`.
    fn may_change(&self, it: &syn::ExprMethodCall, receiver: &str, scope: &Scope) -> bool {
        let name = it.method.to_string();
        // `self.data.write()` is a lock.
        let locks = it.args.is_empty() && matches!(name.as_str(), "lock" | "read" | "write" | "borrow_mut");
        let takes_shared = |function: usize| {
            let receiver = self.items.functions[function].signature.receiver();
            receiver.is_some_and(is_shared)
        };
        let mut declared = self.items.functions_named(&name).peekable();
        let is_declared = declared.peek().is_some() && declared.all(takes_shared);
        !(reads(&name) || locks || is_declared || scope.is_shared(receiver))
    }

    /// Cases of code that is not followed.
    pub(super) fn unfollowed(&self, cases: Vec<Case>, code: &Expr, scope: &Scope) -> Vec<Case> {
        with_fields(cases, &self.changed_inside(code, code, scope))
    }

    /// Cases of a macro that is not followed, and whose arguments may be no Rust.
    pub(super) fn unfollowed_macro(&self, cases: Vec<Case>, code: &syn::Macro, arguments: Option<&[Expr]>, scope: &Scope) -> Vec<Case> {
        if scope.fields().is_empty() {
            return cases;
        }
        let changed = match arguments {
            Some(all) => all.iter().flat_map(|it| self.changed_inside(it, code, scope)).collect(),
            None => {
                let text = self.text_of(&code.tokens);
                self.after(scope, code, |path| text.contains('=') && mentions(&text, path))
            }
        };
        with_fields(cases, &changed)
    }

    /// The places that code changes.
    fn changes(&self, look: impl FnOnce(&mut Changes<'_>)) -> Places {
        let mut changes = Changes { text: &|it| self.text(bare(it)), found: Places::default() };
        look(&mut changes);
        changes.found
    }

    /// The fields that a part of some code may change, whenever it runs.
    fn changed_inside(&self, part: &Expr, code: &impl ToTokens, scope: &Scope) -> BTreeMap<String, Value> {
        let changes = self.changes(|it| it.visit_expr(part));
        let mut changed = self.after(scope, code, |path| changes.all.iter().any(|it| overlaps(path, it)));
        // The field of a new value: `tally.failed += 1` behind `let mut tally = Tally { failed: 0 }`.
        let is_known = |place: &str| matches!(place.split_once('.').and_then(|it| scope.get(it.0)), Some(Value::Struct(_)));
        let is_set = |place: &String| (changes.certain.contains(place) || scope.is_mutable(place)) && self.is_asked(place);
        let is_new = |place: &String| is_known(place) || is_set(place);
        for place in changes.all.union(&changes.certain).filter(|it| is_path(it) && is_new(it) && !self.is_state(it)) {
            changed.entry(place.clone()).or_insert_with(|| unknown_after(place, &self.remark(code), false));
        }
        changed
    }
}

/// The places that code sets, or hands on to be set.
#[derive(Default)]
struct Places {
    all: BTreeSet<String>,
    /// Those of them that it sets by itself; of an element, the list.
    certain: BTreeSet<String>,
}

/// Finds the places.
struct Changes<'t> {
    text: &'t dyn Fn(&Expr) -> String,
    found: Places,
}

impl Changes<'_> {
    fn set(&mut self, place: &Expr) {
        let place = (self.text)(place);
        self.found.certain.insert(list_of(&place).unwrap_or(&place).to_owned());
        self.found.all.insert(place);
    }
}

impl<'x> Visit<'x> for Changes<'_> {
    // The parameters of a closure are other variables.
    fn visit_expr_closure(&mut self, it: &'x syn::ExprClosure) {
        let mut own = Names::default();
        it.inputs.iter().for_each(|it| own.visit_pat(it));
        let before = std::mem::take(&mut self.found);
        self.visit_expr(&it.body);
        let found = std::mem::replace(&mut self.found, before);
        let is_outside = |place: &String| !own.0.iter().any(|it| overlaps(place, it));
        self.found.all.extend(found.all.into_iter().filter(is_outside));
        self.found.certain.extend(found.certain.into_iter().filter(is_outside));
    }

    fn visit_expr_assign(&mut self, it: &'x syn::ExprAssign) {
        self.set(&it.left);
        syn::visit::visit_expr_assign(self, it);
    }

    fn visit_expr_binary(&mut self, it: &'x syn::ExprBinary) {
        if assigning(&it.op).is_some() {
            self.set(&it.left);
        }
        syn::visit::visit_expr_binary(self, it);
    }

    fn visit_expr_reference(&mut self, it: &'x syn::ExprReference) {
        if it.mutability.is_some() {
            self.set(&it.expr);
        }
        syn::visit::visit_expr_reference(self, it);
    }

    fn visit_expr_call(&mut self, it: &'x syn::ExprCall) {
        self.found.all.extend(it.args.iter().filter(|it| matches!(it, Expr::Path(_))).map(self.text));
        syn::visit::visit_expr_call(self, it);
    }

    fn visit_expr_method_call(&mut self, it: &'x syn::ExprMethodCall) {
        let name = it.method.to_string();
        if changes(&name) {
            self.set(&it.receiver);
        } else if !reads(&name) {
            self.found.all.insert((self.text)(&it.receiver));
        }
        syn::visit::visit_expr_method_call(self, it);
    }
}
