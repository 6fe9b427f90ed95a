//! Calls of functions, methods and macros.

use super::super::items::Function;
use super::super::names_of_methods::changes;
use super::super::variables::Names;
use super::fields::{MAX_CASES_OF_FIELDS, is_path};
use super::handed::{STATE, outside_of, renamed, renamed_target, written};
use super::*;

/// Whether a function, method or macro of this name never returns: `panic_with_error`.
pub(super) fn panics(name: &str) -> bool {
    name == "panic" || name.starts_with("panic_")
}

/// What a method is called on.
#[derive(Clone, Copy)]
enum Receiver<'x> {
    /// `self`, or nothing.
    Own,
    /// A value that is known: a state.
    Value(&'x Value),
    /// A path whose fields are those of `self` in the method: `guard` of `guard.reset()`.
    Place(&'x str),
}

impl<'x> Receiver<'x> {
    fn value(self) -> Option<&'x Value> {
        if let Receiver::Value(it) = self { Some(it) } else { None }
    }
}

/// The names that a function binds, each as often as it does.
fn names_bound_by(function: &Function<'_>) -> Vec<String> {
    let mut names = Names::default();
    names.visit_signature(function.signature);
    names.visit_block(function.block);
    names.0
}

/// Whether a function only wraps its argument: `Box::new`; `Runtime::new(config)?` fails by itself.
fn wraps(of: Option<&str>, name: &str) -> bool {
    const WRAPPERS: &[&str] =
        &["Arc", "Atomic", "Box", "Cell", "Mutex", "OnceCell", "Pin", "Rc", "RefCell", "Reverse", "RwLock", "UnsafeCell", "Wrapping"];
    match name {
        "new" => of.is_some_and(|it| WRAPPERS.contains(&it)),
        other => matches!(other, "from" | "Borrowed" | "Owned" | "identity"),
    }
}

impl Eval<'_, '_> {
    pub(super) fn call_expr(&mut self, it: &syn::ExprCall, expr: &Expr, scope: &Scope) -> Vec<Case> {
        let Expr::Path(path) = &*it.func else { return Case::value(self.unknown(expr, scope)) };
        let names: Vec<String> = path.path.segments.iter().map(|it| it.ident.to_string()).collect();
        let last = names.last().map(String::as_str).unwrap_or_default();
        if let Some(place) = replaced(it) {
            return self.replace(it, place, scope);
        }
        let arguments = self.all(&it.args, scope, Value::List);
        self.then(arguments, |eval, value| {
            let Value::List(arguments) = value else { return Case::value(value) };
            let first = || Box::new(arguments.first().cloned().unwrap_or(Value::Unit));
            // `Status::Err(error)` is a state.
            let before = names.len().checked_sub(2).map(|it| names[it].as_str());
            let is_own = before.is_some_and(|it| it.starts_with(char::is_uppercase) && !matches!(it, "Option" | "Result"));
            match last {
                _ if is_own => {}
                "Some" => return Case::value(Value::Some(first())),
                "Ok" => return Case::value(Value::Ok(first())),
                "Err" => return Case::value(Value::Err),
                _ => {}
            }
            if let Some(variant @ Value::Variant(..)) = eval.path(&path.path, scope) {
                return Case::value(variant);
            }
            let of = if before == Some("Self") { scope.of.as_deref() } else { before };
            let of = of.filter(|it| it.starts_with(char::is_uppercase));
            match eval.items.function(of, last) {
                Some(function) => eval.call(function, arguments, Receiver::Own, expr, scope),
                None if panics(last) || eval.ends(before, last) => Case::flow(Flow::Never),
                None if wraps(before, last) && arguments.len() == 1 => Case::value(*first()),
                None => {
                    let from_state =
                        |(value, side): (&Value, &Expr)| value.is_of_state() || (matches!(value, Value::Variant(..)) && !is_constant(side));
                    let of_state = arguments.iter().zip(&it.args).any(from_state);
                    let text = eval.text(expr);
                    let of_state = of_state || scope.mentions_state(&text);
                    let cases = Case::value(Value::Unknown { text: eval.distinct(eval.since(text, scope), scope), of_state });
                    // `helper(self)` may change each of its fields.
                    eval.handed_on(cases, it, scope)
                }
            }
        })
    }

    /// `process::exit`, or `exit` because of a `use`.
    fn ends(&self, before: Option<&str>, name: &str) -> bool {
        let imported = || self.items.imported.get(name).is_some_and(|it| it.starts_with("std::process::"));
        matches!(name, "exit" | "abort") && (before == Some("process") || (before.is_none() && imported()))
    }

    /// `mem::replace(&mut self.state, Running)`: its value is the state before.
    fn replace(&mut self, it: &syn::ExprCall, place: &Expr, scope: &Scope) -> Vec<Case> {
        let is_target = self.target.as_ref() == Some(&self.text(bare(place)));
        if is_target {
            self.seen.reached.insert(start_of(&it.func));
        }
        let arguments = self.all(&it.args, scope, Value::List);
        self.then(arguments, |eval, value| {
            let Value::List(arguments) = value else { return Case::value(value) };
            let old = arguments.first().cloned().unwrap_or_else(|| Value::lost(""));
            let new = match (arguments.get(1), &old) {
                (Some(new), _) => new.clone(),
                (None, Value::Variant(of, _)) => eval.default_of(*of).unwrap_or_else(|| Value::lost("")),
                (None, _) => Value::lost(""),
            };
            let effects = match is_target {
                true => Effects { assigned: Some(new), ..Effects::default() },
                false => eval.given(place, new, it.args.get(1).unwrap_or(place), it, scope),
            };
            vec![Case { effects, ..Case::of(Flow::Value(old)) }]
        })
    }

    /// The variant that `Default` gives.
    fn default_of(&self, of: usize) -> Option<Value> {
        let idx = self.items.enums[of].variants.iter().position(|it| it.is_default)?;
        Some(Value::Variant(of, idx))
    }

    /// Calls a function of the file.
    fn call(&mut self, idx: usize, arguments: Vec<Value>, receiver: Receiver<'_>, expr: &Expr, scope: &Scope) -> Vec<Case> {
        self.seen.called.extend(self.about.map(|of| (idx, of)));
        let is_open = self.root == Some(idx) || self.calls.iter().any(|(it, _)| *it == idx);
        if (is_open || scope.depth > MAX_CALLS) && self.setting.contains(&idx) {
            return lost_at(expr);
        }
        let function = &self.items.functions[idx];
        if scope.depth > MAX_CALLS || self.fuel.get() == 0 {
            return Case::value(Value::lost(&function.name));
        }
        let mut inner = Scope::inside(function, scope.depth + 1);
        (inner.is_set, inner.awaited) = (scope.is_set, scope.awaited);
        // `Self::allows(from, to)` hands over the receiver as the first argument.
        let n_typed = function.signature.inputs.iter().filter(|it| matches!(it, syn::FnArg::Typed(_))).count();
        let is_explicit = arguments.len() > n_typed;
        let mut arguments = arguments.into_iter();
        // The names of the function, each with the path of the caller that it stands for.
        let mut handed: Vec<(String, String)> = Vec::new();
        let mut target = self.target.clone();
        let mut written = written(expr).into_iter().skip(usize::from(is_explicit));
        for input in &function.signature.inputs {
            match input {
                syn::FnArg::Receiver(_) if let Receiver::Place(place) = receiver => {
                    scope.behind(place).for_each(|(rest, value)| inner.set(format!("self{rest}"), value.clone()));
                    target = target.map(|it| it.strip_prefix(place).map_or(it.clone(), |rest| format!("self{rest}")));
                    handed.push(("self".to_owned(), place.to_owned()));
                }
                syn::FnArg::Receiver(_) => match receiver.value().cloned().or_else(|| if is_explicit { arguments.next() } else { None }) {
                    Some(value) if !matches!(&value, Value::Unknown { text, .. } if text == "self") => inner.set("self", value),
                    _ => {
                        scope.of_self().for_each(|(key, value)| inner.set(key.clone(), value.clone()));
                        handed.push(("self".to_owned(), "self".to_owned()));
                    }
                },
                syn::FnArg::Typed(it) => {
                    let place = written.next().map(|it| self.text(bare(it))).filter(|it| is_path(it) && !it.is_empty());
                    if let (Some(place), Some(name)) = (&place, name_of(&it.pat)) {
                        let name = name.ident.to_string();
                        // What is known of `job.state` here is known of that of the parameter.
                        scope.behind(place).for_each(|(rest, value)| inner.set(format!("{name}{rest}"), value.clone()));
                        target = renamed_target(target, place, &name, &it.ty);
                    }
                    let value = arguments.next().unwrap_or_else(|| Value::lost(""));
                    if let (Value::Unknown { text, .. }, Some(name)) = (&value, name_of(&it.pat))
                        && is_path(text)
                        && !text.is_empty()
                    {
                        handed.push((name.ident.to_string(), text.clone()));
                    }
                    // What is known of `m.kind()` here is known of the parameter, too.
                    if let (Value::Unknown { text, .. }, Some(name)) = (&value, name_of(&it.pat)) {
                        scope.behind(text).for_each(|(rest, value)| inner.set(format!("{}{rest}", name.ident), value.clone()));
                    }
                    let _ = self.fit(&it.pat, &value, &mut inner);
                }
            }
        }
        for (name, path) in &handed {
            renamed(scope.fields(), path, name).for_each(|(path, value)| inner.give(path, value.clone()));
        }
        // A call inside itself, with the same arguments, never ends.
        if self.calls.iter().any(|(other, scope)| *other == idx && scope.has_same_values(&inner)) {
            return Case::value(Value::lost(&function.name));
        }
        if let Some(state) = self.target.as_ref().and_then(|it| scope.get(it)).or_else(|| scope.get(STATE)) {
            inner.set(STATE, state.clone());
        }
        let sets = target != self.target || self.setting.contains(&idx);
        let before = std::mem::replace(&mut self.target, target);
        self.calls.push((idx, inner.clone()));
        let cases = self.block(function.block, &inner);
        self.calls.pop();
        self.target = before;
        let bound = self.bound_in(idx);
        // The names of the function mean something else in each call.
        let is_own = |text: &str| names(text).any(|it| bound.contains(it) || (it == "self" && matches!(receiver, Receiver::Place(_))));
        let whole = self.since(self.text(expr), scope);
        let given = |fields: &BTreeMap<String, Value>| -> BTreeMap<String, Value> {
            let of = |(name, path): &(String, String)| renamed(fields, name, path).collect::<Vec<_>>();
            handed.iter().flat_map(of).map(|(path, value)| (path, outside_of(value, &is_own, &whole))).collect()
        };
        let outside = |case: Case| Case {
            guards: case.guards.into_iter().map(|it| if is_own(&it) { format!("{it} in {whole}") } else { it }).collect(),
            flow: match case.flow {
                // What it has set before is not where it leads.
                Flow::Lost(place) if sets => Flow::Lost(place),
                Flow::Return(Value::Unknown { text, of_state }) | Flow::Value(Value::Unknown { text, of_state })
                    if text.is_empty() || is_own(&text) =>
                {
                    Flow::Value(Value::Unknown { text: whole.clone(), of_state })
                }
                Flow::Return(value) => Flow::Value(value),
                Flow::Lost(_) => Flow::Value(Value::lost(whole.clone())),
                Flow::Continue | Flow::Break => Flow::Value(Value::lost("")),
                other => other,
            },
            effects: Effects { fields: given(&case.effects.fields), ..case.effects },
            arm: case.arm,
        };
        let cases = merged(self.asked_outside(cases.into_iter().map(outside).collect()));
        if cases.len() > MAX_CASES_OF_FIELDS { self.without_values(cases, expr) } else { cases }
    }

    /// How often a function binds a name.
    pub(super) fn n_bound(&self, idx: usize, name: &str) -> usize {
        names_bound_by(&self.items.functions[idx]).iter().filter(|it| *it == name).count()
    }

    /// The names that a function binds: its parameters and variables.
    fn bound_in(&mut self, idx: usize) -> Rc<BTreeSet<String>> {
        let function = &self.items.functions[idx];
        let find = || Rc::new(names_bound_by(function).into_iter().filter(|it| it != "self").collect());
        self.bound.entry(idx).or_insert_with(find).clone()
    }

    pub(super) fn method(&mut self, it: &syn::ExprMethodCall, expr: &Expr, scope: &Scope) -> Vec<Case> {
        let name = it.method.to_string();
        if let Some(known) = scope.get(&self.text(expr)) {
            return Case::value(known.clone());
        }
        let is_self = matches!(&*it.receiver, Expr::Path(path) if path.path.is_ident("self"));
        let receiver = self.expr(&it.receiver, scope);
        self.then(receiver, |eval, receiver| {
            let own = match &receiver {
                Value::Variant(of, _) => {
                    eval.items.function(Some(&eval.items.enums[*of].name), &name).map(|it| (it, Receiver::Value(&receiver)))
                }
                Value::Unknown { .. } if is_self => eval.items.function(scope.of.as_deref(), &name).map(|it| (it, Receiver::Own)),
                _ => None,
            };
            let set = if own.is_none() { eval.setter_on(it, &name) } else { None };
            if let Some((function, on)) = own.or(set.as_ref().map(|(it, place)| (*it, Receiver::Place(place)))) {
                eval.seen.reached.insert(start_of(&it.receiver));
                let arguments = eval.all(&it.args, scope, Value::List);
                return eval.then(arguments, |eval, arguments| match arguments {
                    Value::List(arguments) => eval.call_on(it, function, arguments, on, expr, scope),
                    other => Case::value(other),
                });
            }
            let cases = eval.known_method(it, &name, receiver, expr, scope);
            eval.touched_by_method(cases, it, scope)
        })
    }

    /// The method that sets the state of a place, and the place, where the state that is followed is in it: `guard.reset()`.
    fn setter_on(&self, it: &syn::ExprMethodCall, name: &str) -> Option<(usize, String)> {
        let place = self.text(bare(&it.receiver));
        let rest = self.target.as_deref()?.strip_prefix(place.as_str())?.strip_prefix('.')?;
        if place == "self" || rest.contains('.') {
            return None;
        }
        let n_inputs = it.args.len() + 1;
        let fits = |it: &usize| self.items.functions[*it].signature.inputs.len() == n_inputs && self.setting_in.contains(it);
        self.items.functions_named(name).find(fits).map(|it| (it, place))
    }

    /// Calls a method of the file: `self` is the state in it where it is called on the state.
    fn call_on(
        &mut self,
        it: &syn::ExprMethodCall,
        function: usize,
        arguments: Vec<Value>,
        on: Receiver<'_>,
        expr: &Expr,
        scope: &Scope,
    ) -> Vec<Case> {
        if !matches!(on, Receiver::Value(_)) {
            return self.call(function, arguments, on, expr, scope);
        }
        let is_target = self.target.as_ref() == Some(&self.text(bare(&it.receiver)));
        let before = std::mem::replace(&mut self.target, is_target.then(|| "self".to_owned()));
        let cases = self.call(function, arguments, on, expr, scope);
        self.target = before;
        cases
    }

    /// Methods of the standard library.
    pub(super) fn known_method(&mut self, it: &syn::ExprMethodCall, name: &str, receiver: Value, expr: &Expr, scope: &Scope) -> Vec<Case> {
        const SAME: &[&str] = &[
            "clone",
            "copied",
            "cloned",
            "iter",
            "into_iter",
            "to_vec",
            "as_ref",
            "as_mut",
            "as_slice",
            "to_owned",
            "borrow",
            "into",
            "deref",
            "collect",
            "as_str",
            "to_string",
            "map_err",
        ];
        let unknown = |eval: &Self| {
            let text = eval.text(expr);
            let from_state = matches!(receiver, Value::Variant(..)) && !is_constant(&it.receiver);
            let of_state = scope.mentions_state(&text) || from_state || receiver.is_of_state();
            Case::value(Value::Unknown { text: eval.distinct(eval.since(text, scope), scope), of_state })
        };
        if panics(name) {
            return Case::flow(Flow::Never);
        }
        match (name, &receiver) {
            ("map_err" | "ok_or" | "ok_or_else" | "ok", Value::Some(inner) | Value::Ok(inner)) if name != "map_err" => {
                return Case::value(if name == "ok" { Value::Some(inner.clone()) } else { Value::Ok(inner.clone()) });
            }
            ("ok_or" | "ok_or_else", Value::None) => return Case::value(Value::Err),
            ("ok", Value::Err) => return Case::value(Value::None),
            ("unwrap" | "expect", Value::Some(inner) | Value::Ok(inner)) => return Case::value((**inner).clone()),
            ("unwrap" | "expect", Value::None | Value::Err) => return Case::flow(Flow::Never),
            ("is_some" | "is_ok", Value::Some(_) | Value::Ok(_)) | ("is_none" | "is_err", Value::None | Value::Err) => {
                return Case::value(Value::Bool(true));
            }
            ("is_some" | "is_ok", Value::None | Value::Err) | ("is_none" | "is_err", Value::Some(_) | Value::Ok(_)) => {
                return Case::value(Value::Bool(false));
            }
            ("is_empty", Value::List(all)) => return Case::value(Value::Bool(all.is_empty())),
            ("eq" | "ne", _) if it.args.len() == 1 => {
                let other = self.expr(&it.args[0], scope);
                let is_eq = name == "eq";
                return self.then(other, |eval, other| match receiver.equals(&other) {
                    Some(equal) => Case::value(Value::Bool(equal == is_eq)),
                    None => unknown(eval),
                });
            }
            ("then_some" | "then", Value::Bool(holds)) if it.args.len() == 1 => {
                if !holds {
                    return Case::value(Value::None);
                }
                let inner = match &it.args[0] {
                    Expr::Closure(closure) => self.expr(&closure.body, scope),
                    other => self.expr(other, scope),
                };
                return self.then(inner, |_, value| Case::value(Value::Some(Box::new(value))));
            }
            ("contains", Value::List(all)) if it.args.len() == 1 => {
                let wanted = self.expr(&it.args[0], scope);
                return self.then(wanted, |eval, wanted| {
                    let mut open = false;
                    for value in all {
                        match value.equals(&wanted) {
                            Some(true) => return Case::value(Value::Bool(true)),
                            Some(false) => {}
                            None => open = true,
                        }
                    }
                    if open { unknown(eval) } else { Case::value(Value::Bool(false)) }
                });
            }
            ("any" | "all", Value::List(all)) => {
                if let [Expr::Closure(closure)] = it.args.iter().collect::<Vec<_>>().as_slice()
                    && let Some(pattern) = closure.inputs.first()
                {
                    let stops = name == "any";
                    let mut whole = Value::Bool(!stops);
                    for value in all {
                        let mut inner = scope.clone();
                        let fit = self.fit(pattern, value, &mut inner);
                        let one = match (fit, self.expr(&closure.body, &inner).as_slice()) {
                            (Fit::Yes, [Case { guards, flow: Flow::Value(value), .. }]) if guards.is_empty() => value.clone(),
                            _ => Value::lost(self.text(expr)),
                        };
                        whole = if stops { or(&whole, &one) } else { and(&whole, &one) };
                    }
                    return Case::value(whole);
                }
            }
            _ if SAME.contains(&name) && !matches!(receiver, Value::Unknown { .. }) => return Case::value(receiver),
            // However a value is looked at, it is the same one.
            ("as_ref" | "as_mut" | "as_deref" | "as_deref_mut", Value::Unknown { text, .. }) if !text.is_empty() => {
                return Case::value(receiver);
            }
            // What the arguments do counts, whatever is done with them.
            _ if it.args.iter().any(|it| self.acts(it, scope)) => {
                let arguments = self.all(&it.args, scope, Value::List);
                return self.then(arguments, |eval, _| unknown(eval));
            }
            _ => {}
        }
        unknown(self)
    }

    /// Whether an expression may leave the function, calls a function of the same type, or changes a value by a method.
    pub(super) fn acts(&self, expr: &Expr, scope: &Scope) -> bool {
        struct Acts<'s>(&'s dyn Fn(&str) -> bool, bool);
        impl<'x> Visit<'x> for Acts<'_> {
            fn visit_expr_try(&mut self, _: &'x syn::ExprTry) {
                self.1 = true;
            }
            fn visit_expr_method_call(&mut self, it: &'x syn::ExprMethodCall) {
                let is_self = matches!(bare(&it.receiver), Expr::Path(path) if path.path.is_ident("self"));
                let name = it.method.to_string();
                self.1 |= (is_self && self.0(&name)) || changes(&name);
                syn::visit::visit_expr_method_call(self, it);
            }
            // A closure runs later.
            fn visit_expr_closure(&mut self, _: &'x syn::ExprClosure) {}
        }
        let is_own = |name: &str| self.items.function(scope.of.as_deref(), name).is_some();
        let mut acts = Acts(&is_own, false);
        acts.visit_expr(expr);
        acts.1
    }
}
