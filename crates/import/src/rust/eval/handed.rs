//! What a called function gets, and gives back: the names of the caller, and its own.

use super::*;

/// The state while a function is followed that names it in another way; no code has this name.
pub(super) const STATE: &str = "\0state";

/// The arguments of a call, as they are written.
pub(super) fn written(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Call(it) => it.args.iter().collect(),
        Expr::MethodCall(it) => it.args.iter().collect(),
        _ => Vec::new(),
    }
}

/// The path of the state in a function that gets a place as a parameter: `job.state` of `run(&mut self.job)`.
pub(super) fn renamed_target(target: Option<String>, place: &str, name: &str, ty: &syn::Type) -> Option<String> {
    let is_mutable = matches!(ty, syn::Type::Reference(it) if it.mutability.is_some());
    let rest = target.as_deref().and_then(|it| it.strip_prefix(place)).filter(|it| it.is_empty() || it.starts_with('.'));
    match rest {
        Some(rest) if is_mutable => Some(format!("{name}{rest}")),
        _ => target,
    }
}

/// The fields of a path, as those of another one.
pub(super) fn renamed<'f>(
    fields: &'f BTreeMap<String, Value>,
    from: &str,
    to: &str,
) -> impl Iterator<Item = (String, &'f Value)> + use<'f> {
    let (from, to) = (from.to_owned(), to.to_owned());
    let rest = move |path: &str| path.strip_prefix(&from).filter(|it| it.is_empty() || it.starts_with('.')).map(str::to_owned);
    fields.iter().filter_map(move |(path, value)| Some((format!("{to}{}", rest(path)?), value)))
}

/// A value of a call as the caller sees it: the names of the function mean something else there.
pub(super) fn outside_of(value: &Value, is_own: &dyn Fn(&str) -> bool, call: &str) -> Value {
    match value {
        Value::Unknown { text, of_state } if is_own(text) => Value::Unknown { text: format!("{text} in {call}"), of_state: *of_state },
        Value::Some(inner) => Value::Some(Box::new(outside_of(inner, is_own, call))),
        other => other.clone(),
    }
}
