//! Calls of functions, methods and macros.

use super::super::variables::Names;
use super::*;

/// Whether a function, method or macro of this name never returns: `panic_with_error`.
fn panics(name: &str) -> bool {
    name == "panic" || name.starts_with("panic_")
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
            match last {
                "Some" => return Case::value(Value::Some(first())),
                "Ok" => return Case::value(Value::Ok(first())),
                "Err" => return Case::value(Value::Err),
                _ => {}
            }
            if let Some(variant @ Value::Variant(..)) = eval.path(&path.path, scope) {
                return Case::value(variant);
            }
            let before = names.len().checked_sub(2).map(|it| names[it].as_str());
            let of = if before == Some("Self") { scope.of.as_deref() } else { before };
            let of = of.filter(|it| it.starts_with(char::is_uppercase));
            match eval.items.function(of, last) {
                Some(function) => eval.call(function, arguments, None, expr, scope),
                None if panics(last) || matches!((before, last), (Some("process"), "exit" | "abort")) => Case::flow(Flow::Never),
                None if matches!(last, "new" | "from" | "Borrowed" | "Owned" | "identity") && arguments.len() == 1 => Case::value(*first()),
                None => {
                    let from_state =
                        |(value, side): (&Value, &Expr)| value.is_of_state() || (matches!(value, Value::Variant(..)) && !is_constant(side));
                    let of_state = arguments.iter().zip(&it.args).any(from_state);
                    let text = eval.text(expr);
                    let of_state = of_state || scope.mentions_state(&text);
                    Case::value(Value::Unknown { text, of_state })
                }
            }
        })
    }

    /// `mem::replace(&mut self.state, Running)`: its value is the state before.
    fn replace(&mut self, it: &syn::ExprCall, place: &Expr, scope: &Scope) -> Vec<Case> {
        let is_target = self.target.as_ref() == Some(&self.text(bare(place)));
        if is_target {
            self.seen.reached.insert(range(it).start);
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
            vec![Case { guards: Vec::new(), flow: Flow::Value(old), assigned: is_target.then_some(new) }]
        })
    }

    /// The variant that `Default` gives.
    fn default_of(&self, of: usize) -> Option<Value> {
        let idx = self.items.enums[of].variants.iter().position(|it| it.is_default)?;
        Some(Value::Variant(of, idx))
    }

    /// Calls a function of the file.
    fn call(&mut self, idx: usize, arguments: Vec<Value>, receiver: Option<Value>, expr: &Expr, scope: &Scope) -> Vec<Case> {
        self.seen.called.insert(idx);
        let function = &self.items.functions[idx];
        if scope.depth > MAX_CALLS || self.fuel.get() == 0 {
            return Case::value(Value::lost(&function.name));
        }
        let mut inner = Scope::inside(function, scope.depth + 1);
        // `Self::allows(from, to)` hands over the receiver as the first argument.
        let n_typed = function.signature.inputs.iter().filter(|it| matches!(it, syn::FnArg::Typed(_))).count();
        let is_explicit = arguments.len() > n_typed;
        let mut arguments = arguments.into_iter();
        let mut receiver = receiver;
        for input in &function.signature.inputs {
            match input {
                syn::FnArg::Receiver(_) => match receiver.take().or_else(|| if is_explicit { arguments.next() } else { None }) {
                    Some(value) => inner.set("self", value),
                    None => scope.of_self().for_each(|(key, value)| inner.set(key.clone(), value.clone())),
                },
                syn::FnArg::Typed(it) => {
                    let value = arguments.next().unwrap_or_else(|| Value::lost(""));
                    // What is known of `m.kind()` here is known of the parameter, too.
                    if let (Value::Unknown { text, .. }, Some(name)) = (&value, name_of(&it.pat)) {
                        scope.behind(text).for_each(|(rest, value)| inner.set(format!("{}{rest}", name.ident), value.clone()));
                    }
                    let _ = self.fit(&it.pat, &value, &mut inner);
                }
            }
        }
        // A call inside itself, with the same arguments, never ends.
        if self.calls.iter().any(|(other, scope)| *other == idx && scope.has_same_values(&inner)) {
            return Case::value(Value::lost(&function.name));
        }
        self.calls.push((idx, inner.clone()));
        let cases = self.block(function.block, &inner);
        self.calls.pop();
        let bound = self.bound_in(idx);
        // The names of the function mean something else in each call.
        let is_own = |text: &str| names(text).any(|it| bound.contains(it));
        let whole = self.text(expr);
        let outside = |case: Case| Case {
            guards: case.guards.into_iter().map(|it| if is_own(&it) { format!("{it} in {whole}") } else { it }).collect(),
            flow: match case.flow {
                Flow::Return(Value::Unknown { text, of_state }) | Flow::Value(Value::Unknown { text, of_state })
                    if text.is_empty() || is_own(&text) =>
                {
                    Flow::Value(Value::Unknown { text: whole.clone(), of_state })
                }
                Flow::Return(value) => Flow::Value(value),
                Flow::Continue | Flow::Break => Flow::Value(Value::lost("")),
                other => other,
            },
            assigned: case.assigned,
        };
        cases.into_iter().map(outside).collect()
    }

    /// The names that a function binds: its parameters and variables.
    fn bound_in(&mut self, idx: usize) -> Rc<BTreeSet<String>> {
        let function = &self.items.functions[idx];
        let find = || {
            let mut names = Names::default();
            names.visit_signature(function.signature);
            names.visit_block(function.block);
            Rc::new(names.0.into_iter().filter(|it| it != "self").collect())
        };
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
                    eval.items.function(Some(&eval.items.enums[*of].name), &name).map(|it| (it, Some(receiver.clone())))
                }
                Value::Unknown { .. } if is_self => eval.items.function(scope.of.as_deref(), &name).map(|it| (it, None)),
                _ => None,
            };
            if let Some((function, bound)) = own {
                eval.seen.reached.insert(range(it).start);
                let arguments = eval.all(&it.args, scope, Value::List);
                return eval.then(arguments, |eval, arguments| match arguments {
                    Value::List(arguments) => eval.call(function, arguments, bound.clone(), expr, scope),
                    other => Case::value(other),
                });
            }
            eval.known_method(it, &name, receiver, expr, scope)
        })
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
            Case::value(Value::Unknown { text, of_state })
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
            // What the arguments do counts, whatever is done with them.
            _ if it.args.iter().any(|it| self.acts(it, scope)) => {
                let arguments = self.all(&it.args, scope, Value::List);
                return self.then(arguments, |eval, _| unknown(eval));
            }
            _ => {}
        }
        unknown(self)
    }

    /// The arguments of a macro, if they are expressions; parsed once.
    fn listed_in(&mut self, mac: &syn::Macro) -> Option<Rc<Vec<Expr>>> {
        let parse = || syn::parse2::<Elements>(mac.tokens.clone()).ok().map(|it| Rc::new(it.0));
        self.lists.entry(range(&mac.tokens).start).or_insert_with(parse).clone()
    }

    pub(super) fn macro_(&mut self, mac: &syn::Macro, whole: &impl ToTokens, scope: &Scope) -> Vec<Case> {
        let name = mac.path.segments.last().map(|it| it.ident.to_string()).unwrap_or_default();
        match name.as_str() {
            "matches" => {
                let place = range(&mac.tokens).start;
                let parse = || syn::parse2::<Matches>(mac.tokens.clone()).ok().map(Rc::new);
                let Some(arguments) = self.parsed.entry(place).or_insert_with(parse).clone() else {
                    return Case::value(Value::lost(self.text(whole)));
                };
                let value = self.expr(&arguments.value, scope);
                self.then(value, |eval, value| {
                    let mut inner = scope.clone();
                    let guards = match eval.fit(&arguments.pattern, &value, &mut inner) {
                        Fit::No => return Case::value(Value::Bool(false)),
                        Fit::Yes => Vec::new(),
                        Fit::Maybe(guards, false) => guards,
                        Fit::Maybe(..) => return Case::value(Value::lost(eval.text(whole))),
                    };
                    if scope.depth == 0 {
                        eval.arm = Some(eval.place_of_fit(&arguments.pattern, &value, scope));
                    }
                    let mut holds = match &arguments.guard {
                        Some(guard) => match eval.condition(guard, &inner).as_slice() {
                            [one] if one.guards.is_empty() => one.holds.clone(),
                            _ => Value::lost(eval.text(whole)),
                        },
                        None => Value::Bool(true),
                    };
                    for guard in guards {
                        holds = and(&Value::Unknown { text: guard, of_state: false }, &holds);
                    }
                    Case::value(holds)
                })
            }
            "vec" => match self.listed_in(mac) {
                Some(all) => self.all(all.iter(), scope, Value::List),
                None => Case::value(Value::lost(self.text(whole))),
            },
            "unreachable" | "todo" | "unimplemented" => Case::flow(Flow::Never),
            _ if panics(&name) => Case::flow(Flow::Never),
            "bail" => Case::flow(Flow::Return(Value::Err)),
            "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" => {
                let Some(arguments) = self.listed_in(mac) else { return Case::value(Value::Unit) };
                let cases = self.all(arguments.iter().take(2), scope, Value::List);
                let is_eq = name.ends_with("_eq");
                self.then(cases, |_, value| match &value {
                    Value::List(both) if both.len() == 2 => match both[0].equals(&both[1]) {
                        Some(equal) if equal != is_eq => Case::flow(Flow::Never),
                        _ => Case::value(Value::Unit),
                    },
                    _ => Case::value(Value::Unit),
                })
            }
            "assert" | "ensure" | "debug_assert" => {
                let parse = || syn::parse2::<First>(mac.tokens.clone()).ok().map(|it| Rc::new(vec![it.0]));
                let Some(arguments) = self.lists.entry(range(&mac.tokens).start).or_insert_with(parse).clone() else {
                    return Case::value(Value::Unit);
                };
                let refused = || if name == "ensure" { Flow::Return(Value::Err) } else { Flow::Never };
                let Some(condition) = arguments.first() else { return Case::value(Value::Unit) };
                let cases = self.expr(condition, scope);
                self.then(cases, |_, value| match value {
                    Value::Bool(true) => Case::value(Value::Unit),
                    Value::Bool(false) => Case::flow(refused()),
                    Value::Unknown { text, of_state: false } => {
                        let holds = Case { guards: vec![text], flow: Flow::Value(Value::Unit), assigned: None };
                        vec![holds, Case { guards: Vec::new(), flow: refused(), assigned: None }]
                    }
                    _ => Case::flow(Flow::Return(Value::lost(""))),
                })
            }
            _ => match self.listed_in(mac).filter(|all| all.iter().any(|it| self.acts(it, scope))) {
                Some(arguments) => {
                    let arguments = self.all(arguments.iter(), scope, Value::List);
                    self.then(arguments, |eval, _| Case::value(eval.unknown(whole, scope)))
                }
                None => Case::value(self.unknown(whole, scope)),
            },
        }
    }

    /// Whether an expression may leave the function, or calls a function of the same type.
    fn acts(&self, expr: &Expr, scope: &Scope) -> bool {
        struct Acts<'s>(&'s dyn Fn(&str) -> bool, bool);
        impl<'x> Visit<'x> for Acts<'_> {
            fn visit_expr_try(&mut self, _: &'x syn::ExprTry) {
                self.1 = true;
            }
            fn visit_expr_method_call(&mut self, it: &'x syn::ExprMethodCall) {
                let is_self = matches!(bare(&it.receiver), Expr::Path(path) if path.path.is_ident("self"));
                self.1 |= is_self && self.0(&it.method.to_string());
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
