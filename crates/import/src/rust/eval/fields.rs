//! The values that code gives to fields, so that a condition behind it is about these and not about the values before.
//!
//! ```text
//! self.failures = 0;
//! if self.is_stuck() { … }
//! ```
//!
//! Here `is_stuck` asks about 0. Where the value is not known, the condition has its code: `self.left > 0` behind
//! `self.left = self.size` is `self.size > 0`, and behind `refill(self)` it is `self.left > 0 after refill(self)`.

use super::super::value::{is_behind, mentions, occurrences};
use super::super::variables::Names;
use super::*;

/// The longest text of code in a condition, and in a remark such as `after refill(self)`.
const MAX_REMARK: usize = 60;
/// The maximum number of outcomes of a call that the values of fields tell apart.
pub(super) const MAX_CASES_OF_FIELDS: usize = 4;

impl Eval<'_, '_> {
    pub(super) fn is_asked(&self, path: &str) -> bool {
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
    pub(super) fn after(&self, scope: &Scope, code: &impl ToTokens, is_changed: impl Fn(&str) -> bool) -> BTreeMap<String, Value> {
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
    pub(super) fn remark(&self, code: &impl ToTokens) -> String {
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

    /// Whether a place is the state, or has it.
    pub(super) fn is_state(&self, place: &str) -> bool {
        self.target.as_deref().is_some_and(|it| it == place || is_behind(place, it))
    }
}

/// Cases that have set fields as well.
pub(super) fn with_fields(mut cases: Vec<Case>, fields: &BTreeMap<String, Value>) -> Vec<Case> {
    for case in &mut cases {
        case.effects.fields.extend(fields.iter().map(|(path, value)| (path.clone(), value.clone())));
    }
    cases
}

/// The name by which a scope knows that a variable is data of a state; no code has this name.
pub(in crate::rust) fn carried(name: &str) -> String {
    format!("of {name}")
}

/// Whether code cannot change a value by a method: it is a copy.
pub(super) fn is_known(value: &Value) -> bool {
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
pub(super) fn unknown_after(path: &str, code: &str, of_state: bool) -> Value {
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
pub(super) fn list_of(place: &str) -> Option<&str> {
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
