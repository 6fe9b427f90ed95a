//! The values that code gives to fields, so that a condition behind it is about these and not about the values before.
//!
//! ```text
//! self.failures = 0;
//! if self.is_stuck() { … }
//! ```
//!
//! Here `is_stuck` asks about 0. Where the value is not known, the condition has its code: `self.left > 0` behind
//! `self.left = self.size` is `self.size > 0`, and behind `refill(self)` it is `self.left > 0 after refill(self)`.

use super::super::names_of_methods::{changes, reads};
use super::super::value::{is_behind, is_shared, mentions, occurrences};
use super::super::variables::Names;
use super::operators::assigning;
use super::*;

/// The longest text of code in a condition, and in a remark such as `after refill(self)`.
const MAX_REMARK: usize = 60;
/// The maximum number of outcomes of a call that the values of fields tell apart.
pub(super) const MAX_CASES_OF_FIELDS: usize = 4;

impl Eval<'_, '_> {
    fn is_asked(&self, path: &str) -> bool {
        (path == "self" && !self.later.is_empty()) || self.later.iter().any(|it| it.contains(last_name(path)))
    }

    /// Cases without the fields that nothing behind asks about: these do not tell cases apart.
    pub(super) fn asked_behind(&mut self, cases: Vec<Case>, rest: &[Stmt]) -> Vec<Case> {
        let asked = self.asked_in(rest);
        if let Some(own) = self.later.last_mut() {
            *own = asked;
        }
        self.asked_outside(cases)
    }

    /// The same behind the statements that are followed.
    pub(super) fn asked_outside(&self, mut cases: Vec<Case>) -> Vec<Case> {
        cases.iter_mut().for_each(|case| case.effects.fields.retain(|path, _| self.is_asked(path)));
        cases
    }

    /// The effects of giving a place a value, whose code is `right`.
    pub(super) fn given(&self, place: &Expr, value: Value, right: &Expr, whole: &impl ToTokens, scope: &Scope) -> Effects {
        let path = self.text(bare(place));
        let mut fields = self.after(scope, whole, |it| it != path && overlaps(it, &path));
        if let Some(list) = list_of(&path).filter(|it| self.is_asked(it)) {
            fields.insert(list.to_owned(), unknown_after(list, &self.remark(whole), false));
        }
        if is_path(&path) && (path.contains('.') || scope.has(&path)) && self.is_asked(&path) {
            fields.insert(path, self.kept(value, right));
        }
        Effects { fields, ..Effects::default() }
    }

    /// `self.failures += 1`
    pub(super) fn changed(&mut self, it: &syn::ExprBinary, (op, sign): (BinOp, &str), scope: &Scope) -> Vec<Case> {
        let both = self.all([&*it.left, &*it.right], scope, Value::List);
        self.then(both, |eval, both| {
            let Value::List(both) = both else { return Case::value(both) };
            let [old, new] = both.as_slice() else { return Case::value(Value::Unit) };
            let value = operators::arithmetic(&op, old, new).unwrap_or_else(|| {
                let text = format!("{} {sign} {}", eval.text(bare(&it.left)), eval.text(&it.right));
                Value::Unknown { of_state: scope.mentions_state(&text), text: eval.since(text, scope) }
            });
            vec![Case { effects: eval.given(&it.left, value, &it.right, it, scope), ..Case::of(Flow::Value(Value::Unit)) }]
        })
    }

    /// A value as it is kept for a field: what is known of lists and structs is their code, because methods change them.
    fn kept(&self, value: Value, right: &Expr) -> Value {
        match value {
            Value::Some(inner) => Value::Some(Box::new(self.kept(*inner, right))),
            Value::Bool(_) | Value::Int(_) | Value::Text(_) | Value::Variant(..) | Value::None => value,
            Value::Unknown { text, of_state } if !text.is_empty() => Value::Unknown { text, of_state },
            other => Value::Unknown { text: self.text(right), of_state: other.is_of_state() },
        }
    }

    /// The fields with known values that code may have changed: what they are is not known behind it.
    fn after(&self, scope: &Scope, code: &impl ToTokens, is_changed: impl Fn(&str) -> bool) -> BTreeMap<String, Value> {
        let mut changed = scope.fields().keys().filter(|it| is_changed(it)).peekable();
        if changed.peek().is_none() {
            return BTreeMap::new();
        }
        let code = self.remark(code);
        // A variable that code which is not followed has computed goes by its name, until more such code changes it.
        let is_computed = |path: &str| !path.contains('.') && scope.get(path).is_some_and(is_known);
        let value = |path: &String| match is_computed(path) {
            true => Value::Unknown { text: path.clone(), of_state: false },
            false => unknown_after(path, &code, false),
        };
        changed.map(|path| (path.clone(), value(path))).collect()
    }

    /// The cases of code without what it has given to fields in each of them, where that makes fewer of them.
    ///
    /// Every field that tells cases apart doubles the cases behind them, and a function has hundreds of fields.
    pub(super) fn without_values(&self, mut cases: Vec<Case>, code: &impl ToTokens) -> Vec<Case> {
        let paths: BTreeSet<String> = cases.iter().flat_map(|it| it.effects.fields.keys().cloned()).collect();
        let code = self.remark(code);
        for case in &mut cases {
            let of_state = |path: &String| case.effects.fields.get(path).is_some_and(Value::is_of_state);
            let unknown = |path: &String| unknown_after(path, &code, of_state(path));
            case.effects.fields = paths.iter().map(|path| (path.clone(), unknown(path))).collect();
        }
        merged(cases)
    }

    /// Code in one line that is not too long.
    fn remark(&self, code: &impl ToTokens) -> String {
        let code = self.text_of(code);
        match code.char_indices().nth(MAX_REMARK) {
            Some((end, _)) => format!("{}…", &code[..end]),
            None => code,
        }
    }

    /// A text with the values of its fields, as far as the code before has set them.
    pub(super) fn since(&self, text: String, scope: &Scope) -> String {
        // The receiver of a call is the same, whatever its fields are.
        if text == "self" {
            return text;
        }
        let mut places: Vec<(usize, &str, String)> = Vec::new();
        let mut remarks = String::new();
        for (path, value) in scope.fields().iter().filter(|(path, _)| mentions(&text, path)) {
            let value = value.show(self.items);
            match code_after(path, &value) {
                // `self.left` and `self` may have changed by the same call.
                Some(code) if remarks.ends_with(&format!(" after {code}")) => {}
                Some(code) => remarks.push_str(&format!(" after {code}")),
                None if value.len() > MAX_REMARK => remarks.push_str(&format!(" with {path} = {value}")),
                None => places.extend(occurrences(&text, path).map(|at| (at, path.as_str(), in_brackets(&value)))),
            }
        }
        // `save(&self.db)` behind `self.db.actions.push(…)`
        for (path, value) in scope.fields().iter().filter(|(path, _)| !mentions(&text, path) && has_whole(&text, path)) {
            let value = value.show(self.items);
            if let Some(code) = code_after(path, &value).filter(|it| !remarks.ends_with(&format!(" after {it}"))) {
                remarks.push_str(&format!(" after {code}"));
            }
        }
        // Of two paths at one place, the longer one comes first.
        places.sort_by_key(|(at, path, _)| (*at, std::cmp::Reverse(path.len())));
        let (mut whole, mut end) = (String::new(), 0);
        for (at, path, value) in places.into_iter() {
            if at >= end {
                whole.push_str(&text[end..at]);
                whole.push_str(&value);
                end = at + path.len();
            }
        }
        whole + &text[end..] + &remarks
    }

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
        let cases = if changes(&it.method.to_string()) && may_change { self.changed_by(cases, &receiver, it, scope) } else { cases };
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
                    self.changed_by(cases, &receiver, it, scope)
                }
            }
            _ => cases,
        }
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

    /// The fields that a part of some code may change, whenever it runs.
    fn changed_inside(&self, part: &Expr, code: &impl ToTokens, scope: &Scope) -> BTreeMap<String, Value> {
        let mut changes = Changes { text: &|it| self.text(bare(it)), places: BTreeSet::new(), certain: BTreeSet::new() };
        changes.visit_expr(part);
        let mut changed = self.after(scope, code, |path| changes.places.iter().any(|it| overlaps(path, it)));
        // The field of a new value: `tally.failed += 1` behind `let mut tally = Tally { failed: 0 }`.
        let is_known = |place: &str| matches!(place.split_once('.').and_then(|it| scope.get(it.0)), Some(Value::Struct(_)));
        let is_set = |place: &String| changes.certain.contains(place) && place.contains('.') && self.is_asked(place);
        let is_new = |place: &String| is_known(place) || is_set(place);
        for place in changes.places.union(&changes.certain).filter(|it| is_path(it) && is_new(it) && !self.is_state(it)) {
            changed.entry(place.clone()).or_insert_with(|| unknown_after(place, &self.remark(code), false));
        }
        changed
    }

    /// Whether a place is the state, or has it.
    fn is_state(&self, place: &str) -> bool {
        self.target.as_deref().is_some_and(|it| it == place || is_behind(place, it))
    }
}

/// Cases that have set fields as well.
fn with_fields(mut cases: Vec<Case>, fields: &BTreeMap<String, Value>) -> Vec<Case> {
    for case in &mut cases {
        case.effects.fields.extend(fields.iter().map(|(path, value)| (path.clone(), value.clone())));
    }
    cases
}

/// The name by which a scope knows that a variable is data of a state; no code has this name.
pub(in crate::import::rust) fn carried(name: &str) -> String {
    format!("of {name}")
}

/// Whether code cannot change a value by a method: it is a copy.
fn is_known(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Bool(_) | Value::None | Value::Variant(..) | Value::Text(_))
}

/// Forgets the fields of what a pattern binds: outside of its code, the name means something else.
pub(super) fn forget_bound(cases: &mut [Case], pattern: &Pat) {
    if cases.iter().all(|it| it.effects.fields.is_empty()) {
        return;
    }
    let mut bound = Names::default();
    bound.visit_pat(pattern);
    for case in cases {
        case.effects.fields.retain(|path, _| !bound.0.iter().any(|it| path == it || is_behind(path, it)));
    }
}

/// A value of which only the code is known that may have changed a place.
fn unknown_after(path: &str, code: &str, of_state: bool) -> Value {
    Value::Unknown { text: format!("{path} after {code}"), of_state }
}

/// Whether a text is one of a value that code may have changed.
pub(super) fn is_after(text: &str) -> bool {
    text.contains(" after ")
}

/// The code of such a value.
pub(super) fn code_after<'v>(path: &str, value: &'v str) -> Option<&'v str> {
    value.strip_prefix(path)?.strip_prefix(" after ")
}

/// Whether a text uses as a whole what a path is a part of: `save(&self.db)` or `self.db.len()`, and not `self.db.name`.
fn has_whole(text: &str, path: &str) -> bool {
    let Some((base, _)) = path.rsplit_once('.') else { return false };
    let is_whole = |at: usize| match text[at + base.len()..].strip_prefix('.') {
        Some(rest) => rest.trim_start_matches(|it: char| it.is_alphanumeric() || it == '_').starts_with('('),
        None => true,
    };
    occurrences(text, base).any(is_whole) || has_whole(text, base)
}

/// The code of a value in the place of a name.
fn in_brackets(value: &str) -> String {
    let is_one = value.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '.' | ':' | '\''));
    if is_one { value.to_owned() } else { format!("({value})") }
}

/// The last name of a path: `failures` of `self.failures`.
fn last_name(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The list of which a place is an element: `self.cells` of `self.cells[x].mine`.
fn list_of(place: &str) -> Option<&str> {
    let (list, _) = place.split_once('[')?;
    (is_path(list) && list.contains('.')).then_some(list)
}

/// Whether a text is names with dots between them.
pub(super) fn is_path(text: &str) -> bool {
    text.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '.'))
}

/// Whether one of two places is the other, or a part of it.
pub(super) fn overlaps(one: &str, other: &str) -> bool {
    let is_part = |it: &str, of: &str| it.strip_prefix(of).is_some_and(|it| it.is_empty() || it.starts_with(['.', '[']));
    is_part(one, other) || is_part(other, one)
}

/// The places that code sets, or hands on to be set.
struct Changes<'t> {
    text: &'t dyn Fn(&Expr) -> String,
    places: BTreeSet<String>,
    /// Those of them that it sets by itself.
    certain: BTreeSet<String>,
}

impl Changes<'_> {
    fn set(&mut self, place: &Expr) {
        let place = (self.text)(place);
        self.certain.insert(list_of(&place).unwrap_or(&place).to_owned());
        self.places.insert(place);
    }
}

impl<'x> Visit<'x> for Changes<'_> {
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
        self.places.extend(it.args.iter().filter(|it| matches!(it, Expr::Path(_))).map(self.text));
        syn::visit::visit_expr_call(self, it);
    }

    fn visit_expr_method_call(&mut self, it: &'x syn::ExprMethodCall) {
        let name = it.method.to_string();
        if changes(&name) {
            self.set(&it.receiver);
        } else if !reads(&name) {
            self.places.insert((self.text)(&it.receiver));
        }
        syn::visit::visit_expr_method_call(self, it);
    }
}
