//! Blocks, branches and loops.

use super::*;

impl Eval<'_, '_> {
    pub(in crate::import::rust) fn block(&mut self, block: &syn::Block, scope: &Scope) -> Vec<Case> {
        self.statements(&block.stmts, &mut scope.clone())
    }

    pub(super) fn statements(&mut self, statements: &[Stmt], scope: &mut Scope) -> Vec<Case> {
        let Some((first, rest)) = statements.split_first() else { return Case::value(Value::Unit) };
        let asked = self.asked_in(statements);
        self.later.push(asked);
        let cases = self.statement(first, rest, scope);
        self.later.pop();
        // Only at the end of the whole function, nothing asks about its fields: `return` leads there as well.
        if self.later.is_empty() { merged(self.asked_outside(cases)) } else { cases }
    }

    fn statement(&mut self, first: &Stmt, rest: &[Stmt], scope: &mut Scope) -> Vec<Case> {
        let mut cases = match first {
            Stmt::Item(_) => return self.statements(rest, scope),
            Stmt::Local(local) => {
                let Some(init) = &local.init else { return self.statements(rest, scope) };
                let cases = self.expr(&init.expr, scope);
                let cases = self.asked_behind(cases, rest);
                let behind = cases.into_iter().flat_map(|case| {
                    let scope = self.behind(&case, scope);
                    self.then(vec![case], |eval, value| eval.behind_local(local, init, value, rest, scope.clone()))
                });
                let mut behind = bounded(behind.collect(), first);
                forget_bound(&mut behind, &local.pat);
                place_lost(&mut behind, first);
                return behind;
            }
            Stmt::Expr(expr, semicolon) => {
                let mut cases = self.expr(expr, scope);
                if rest.is_empty() && semicolon.is_none() {
                    place_lost(&mut cases, first);
                    return merged(self.asked_behind(cases, rest));
                }
                self.done(cases, expr, scope)
            }
            Stmt::Macro(it) => {
                let mut cases = self.macro_(&it.mac, &it.mac, scope);
                if rest.is_empty() && it.semi_token.is_none() {
                    place_lost(&mut cases, first);
                    return cases;
                }
                cases
            }
        };
        place_lost(&mut cases, first);
        // A statement for its effect.
        let unused = |case: Case| match case.flow {
            Flow::Value(_) => Case { flow: Flow::Value(Value::Unit), ..case },
            _ => case,
        };
        let cases = merged(self.asked_behind(cases.into_iter().map(unused).collect(), rest));
        let all = self.behind_each(&cases, rest, scope);
        if all.len() <= MAX_CASES || cases.iter().all(|it| it.effects.fields.is_empty()) {
            return bounded(all, first);
        }
        let fewer = self.without_values(cases, first);
        bounded(self.behind_each(&fewer, rest, scope), first)
    }

    /// The statements behind each outcome of the first one.
    fn behind_each(&mut self, cases: &[Case], rest: &[Stmt], scope: &Scope) -> Vec<Case> {
        let mut all = Vec::new();
        for case in cases {
            if !matches!(case.flow, Flow::Value(_)) {
                all.push(case.clone());
                continue;
            }
            let mut inner = self.behind(case, scope);
            all.extend(self.statements(rest, &mut inner).into_iter().map(|behind| case.before(behind)));
        }
        merged(all)
    }

    /// What is known behind a case: the state that it assigned, and the fields.
    pub(super) fn behind(&self, case: &Case, scope: &Scope) -> Scope {
        let mut scope = scope.clone();
        self.give(&case.effects, &mut scope);
        scope
    }

    fn give(&self, effects: &Effects, scope: &mut Scope) {
        if let (Some(assigned), Some(target)) = (&effects.assigned, &self.target) {
            scope.set(target.clone(), assigned.clone());
        }
        scope.is_set |= effects.assigned.is_some();
        scope.awaited = effects.awaited.or(scope.awaited);
        effects.fields.iter().for_each(|(path, value)| scope.give(path.clone(), value.clone()));
    }

    /// `let PATTERN = value else { … };`, and the statements behind it.
    fn behind_local(&mut self, local: &syn::Local, init: &syn::LocalInit, mut value: Value, rest: &[Stmt], mut scope: Scope) -> Vec<Case> {
        let mut variable = None;
        if let Some(it) = name_of(&local.pat) {
            let name = it.ident.to_string();
            // What cannot be followed may be a variable whose states are tried: `let current = self.load();`.
            if let (Value::Unknown { .. }, Some(known)) = (&value, scope.get(&format!("let {name}"))) {
                value = known.clone();
            }
            // A variable that is assigned later is not what it is at first.
            if it.mutability.is_some() && self.assigned.contains(&name) {
                if matches!(value, Value::Bool(_) | Value::Int(_) | Value::None) {
                    variable = Some(name);
                } else {
                    let of_state = value.is_of_state() || matches!(value, Value::Variant(..));
                    value = Value::Unknown { text: name, of_state };
                }
            }
        }
        if let Some(it) = name_of(&local.pat)
            && let Some(state) = self.state_of(&it.ident.to_string(), &value, init, &mut scope)
        {
            return state;
        }
        let fit = self.fit(&local.pat, &value, &mut scope);
        if let Some(it) = name_of(&local.pat).filter(|it| it.mutability.is_some()) {
            scope.set(texts::mutable(&it.ident.to_string()), Value::Unit);
        }
        // A variable that begins with a value of the code, and is assigned later, is followed like a field.
        if let Some(name) = variable {
            scope.give(name, value);
        }
        match (fit, &init.diverge) {
            (Fit::Yes, _) | (_, None) => self.statements(rest, &mut scope),
            (Fit::No, Some((_, other))) => self.expr(other, &scope),
            (Fit::Maybe(guards, false), Some((_, other))) => {
                let mut cases: Vec<Case> = self.statements(rest, &mut scope);
                cases.iter_mut().for_each(|it| it.guards.splice(0..0, guards.iter().cloned()).for_each(drop));
                cases.extend(self.expr(other, &scope));
                cases
            }
            (Fit::Maybe(..), Some(_)) => lost_at(&init.expr),
        }
    }

    /// What the value of a variable says of the state in it; the cases if it is another state than the one that is tried.
    fn state_of(&mut self, name: &str, value: &Value, init: &syn::LocalInit, scope: &mut Scope) -> Option<Vec<Case>> {
        // The same variable again, in a called function: `let mut inner = self.inner.lock();`.
        if let Some((code, rest)) = &self.shared
            && scope.depth > 0
            && self.text(&init.expr) == *code
            && let Some(state) = scope.get(handed::STATE).cloned()
        {
            // Until the called function ends, the state has the name that it has there.
            let key = format!("{name}{rest}");
            self.target = Some(key.clone());
            scope.set(key, state);
            return None;
        }
        // `let mut data = Data::default();`
        let rest = self.target.as_deref()?.strip_prefix(name)?.strip_prefix('.')?;
        let Value::Struct(fields) = value else { return None };
        let new = &fields.iter().find(|(it, _)| it == rest)?.1;
        // The name of the state is that of another value, too: this one is new.
        if self.root.is_some_and(|it| self.n_bound(it, name) > 1) {
            return Some(lost_at(&init.expr));
        }
        let tried = scope.get(self.target.as_deref()?)?;
        (scope.depth == 0 && tried.equals(new) == Some(false)).then(|| Case::flow(Flow::Never))
    }

    pub(super) fn match_(&mut self, it: &syn::ExprMatch, scope: &Scope) -> Vec<Case> {
        let value = self.expr(&it.expr, scope);
        self.then_in(value, scope, |eval, value, scope| {
            let arms = it.arms.iter().map(|arm| match &arm.pat {
                Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard), &*arm.body),
                other => (other, None, &*arm.body),
            });
            eval.arms(arms, &value, scope)
        })
    }

    /// The arms of a `match`, in their order.
    pub(super) fn arms<'x>(
        &mut self,
        arms: impl Iterator<Item = (&'x Pat, Option<&'x Expr>, &'x Expr)>,
        value: &Value,
        scope: &Scope,
    ) -> Vec<Case> {
        let mut all = Vec::new();
        let mut arms = arms.peekable();
        let mut tried = scope.clone();
        'arms: while let Some((pattern, guard, body)) = arms.next() {
            tried.forget_behind(scope);
            let guards = match self.fit(pattern, value, &mut tried) {
                Fit::No => continue,
                Fit::Yes => Vec::new(),
                // The arms cover every value: where no other one matches, the last one does.
                Fit::Maybe(..) if arms.peek().is_none() && guard.is_none() && !all.is_empty() => Vec::new(),
                Fit::Maybe(_, true) => {
                    let arm = self.arm_of(pattern, value, scope);
                    all.extend(self.not_followed_arms(body, arms, pattern, scope).into_iter().map(|it| Case { arm, ..it }));
                    return all;
                }
                Fit::Maybe(guards, false) => guards,
            };
            let arm = self.arm_of(pattern, value, scope);
            let conditions = match guard {
                Some(guard) => self.condition(guard, &tried),
                None => vec![Holds { holds: Value::Bool(true), scope: tried.clone(), ..Holds::default() }],
            };
            for condition in conditions {
                let is_certain = condition.guards.is_empty();
                let mut before: Vec<String> = guards.iter().cloned().chain(condition.guards).collect();
                let falls_through = match condition.holds {
                    Value::Bool(true) => false,
                    Value::Bool(false) if is_certain => continue 'arms,
                    Value::Unknown { text, of_state: false } => {
                        before.push(text);
                        true
                    }
                    // A guard that does not hold sometimes, and leads to the next arm then.
                    _ => {
                        all.extend(self.not_followed_arms(body, arms, pattern, scope).into_iter().map(|it| Case { arm, ..it }));
                        return all;
                    }
                };
                let mut body = self.expr(body, &condition.scope);
                forget_bound(&mut body, pattern);
                let certain = before.is_empty();
                let before = Case { guards: before, flow: Flow::Never, effects: condition.effects, arm };
                all.extend(body.into_iter().map(|it| before.before(it)));
                if certain {
                    return all;
                }
                if falls_through {
                    continue 'arms;
                }
            }
        }
        all.extend(Case::flow(Flow::Never));
        all
    }

    /// The arms that are left where it is not known whether one of them matches.
    fn not_followed_arms<'x>(
        &self,
        body: &'x Expr,
        others: impl Iterator<Item = (&'x Pat, Option<&'x Expr>, &'x Expr)>,
        pattern: &Pat,
        scope: &Scope,
    ) -> Vec<Case> {
        let left: Vec<&Expr> = [body].into_iter().chain(others.map(|it| it.2)).collect();
        self.not_followed(&left, Value::lost(self.text_of(pattern)), pattern, scope)
    }

    pub(super) fn if_(&mut self, it: &syn::ExprIf, whole: &Expr, scope: &Scope) -> Vec<Case> {
        let mut all = Vec::new();
        for condition in self.condition(&it.cond, scope) {
            let before = Case { guards: condition.guards, flow: Flow::Never, effects: condition.effects, arm: condition.arm };
            if let Some(flow) = condition.exit {
                all.push(Case { flow, ..before });
                continue;
            }
            let then = |eval: &mut Self| eval.block(&it.then_branch, &condition.scope);
            let other = |eval: &mut Self| match &it.else_branch {
                Some((_, other)) => eval.expr(other, &eval.behind(&before, scope)),
                None => Case::value(Value::Unit),
            };
            let cases = match &condition.holds {
                Value::Bool(true) => then(self),
                Value::Bool(false) => other(self),
                Value::Unknown { text, of_state: false } => {
                    let mut cases = then(self);
                    cases.iter_mut().for_each(|case| case.guards.insert(0, text.clone()));
                    cases.extend(other(self));
                    cases
                }
                _ => self.not_followed(&[whole], Value::lost(self.text(&it.cond)), &it.cond, scope),
            };
            all.extend(cases.into_iter().map(|it| before.before(it)));
        }
        all
    }

    /// A condition, which may bind names: `if let`.
    pub(super) fn condition(&mut self, expr: &Expr, scope: &Scope) -> Vec<Holds> {
        match expr {
            Expr::Paren(it) => self.condition(&it.expr, scope),
            Expr::Let(it) => {
                let cases = self.expr(&it.expr, scope);
                let mut all = Vec::new();
                for case in cases {
                    let mut inner = self.behind(&case, scope);
                    let holds = match &case.flow {
                        Flow::Value(value) => match self.fit(&it.pat, value, &mut inner) {
                            Fit::Yes => Value::Bool(true),
                            Fit::No => Value::Bool(false),
                            Fit::Maybe(guards, of_state) => Value::Unknown { text: guards.join(" && "), of_state },
                        },
                        _ => Value::lost(self.text(expr)),
                    };
                    let exit = Some(case.flow).filter(|it| !matches!(it, Flow::Value(_)));
                    all.push(Holds { guards: case.guards, effects: case.effects, holds, scope: inner, exit, arm: case.arm });
                }
                all
            }
            Expr::Binary(it) if matches!(it.op, BinOp::And(_)) => {
                let mut all = Vec::new();
                for left in self.condition(&it.left, scope) {
                    if left.exit.is_some() || left.holds == Value::Bool(false) {
                        all.push(left);
                        continue;
                    }
                    let right = self.condition(&it.right, &left.scope);
                    all.extend(both(left, right));
                }
                all
            }
            _ => {
                let cases = self.expr(expr, scope);
                let holds = |case: Case| {
                    let scope = self.behind(&case, scope);
                    let (holds, exit) = match case.flow {
                        Flow::Value(value) => (value, None),
                        other => (Value::lost(""), Some(other)),
                    };
                    Holds { guards: case.guards, effects: case.effects, holds, scope, exit, arm: case.arm }
                };
                cases.into_iter().map(holds).collect()
            }
        }
    }

    /// An assignment, also one of a tuple: `(self.state, self.count) = (State::Open, 0)`.
    pub(super) fn assignment(&mut self, it: &syn::ExprAssign, scope: &Scope) -> Vec<Case> {
        let places: Vec<&Expr> = match &*it.left {
            Expr::Tuple(tuple) => tuple.elems.iter().collect(),
            one => vec![one],
        };
        let right = self.expr(&it.right, scope);
        for place in &places {
            let key = self.text(bare(place));
            if self.target.as_ref() == Some(&key) {
                self.seen.reached.insert(start_of(&it.left));
                self.seen.between.extend(scope.awaited);
                continue;
            }
            // `self.job().state = …` may be the state by another way.
            let last = |it: &str| it.rsplit('.').next().map(str::to_owned);
            if key.contains("()") && self.target.as_deref().is_some_and(|it| last(it) == last(&key)) {
                return lost_at(it);
            }
        }
        self.then(right, |eval, value| {
            let mut effects = Effects::default();
            for (idx, place) in places.iter().enumerate() {
                let (value, code) = match (&*it.left, &value, &*it.right) {
                    (Expr::Tuple(_), Value::Tuple(all), code) => {
                        let code = if let Expr::Tuple(code) = code { code.elems.get(idx) } else { None };
                        (all.get(idx).cloned().unwrap_or_else(|| Value::lost("")), code.unwrap_or(&it.right))
                    }
                    (Expr::Tuple(_), ..) => (Value::lost(""), &*it.right),
                    _ => (value.clone(), &*it.right),
                };
                let one = match eval.target.as_ref() == Some(&eval.text(bare(place))) {
                    true => Effects { assigned: Some(value), ..Effects::default() },
                    false => eval.given(place, value, code, it, scope),
                };
                effects = effects.then(one);
            }
            vec![Case { effects, ..Case::of(Flow::Value(Value::Unit)) }]
        })
    }

    pub(super) fn for_(&mut self, it: &syn::ExprForLoop, whole: &Expr, scope: &Scope) -> Vec<Case> {
        let list = self.expr(&it.expr, scope);
        self.then(list, |eval, list| {
            let Value::List(all) = list else { return eval.not_followed(&[whole], Value::Unit, whole, scope) };
            let mut open = Case::value(Value::Unit);
            for value in all {
                open = eval.then_in(open, scope, |eval, _, scope| {
                    let mut inner = scope.clone();
                    match eval.fit(&it.pat, &value, &mut inner) {
                        Fit::Yes => {}
                        _ => return lost_at(&it.pat),
                    }
                    let mut cases = eval.block(&it.body, &inner);
                    forget_bound(&mut cases, &it.pat);
                    for case in &mut cases {
                        case.flow = match std::mem::replace(&mut case.flow, Flow::Never) {
                            Flow::Continue => Flow::Value(Value::Unit),
                            Flow::Break => Flow::Lost(None),
                            other => other,
                        };
                    }
                    cases
                });
            }
            open
        })
    }
}

/// Gives what is lost somewhere in a statement its place.
fn place_lost(cases: &mut [Case], statement: &Stmt) {
    for case in cases.iter_mut().filter(|it| it.flow == Flow::Lost(None)) {
        case.flow = Flow::Lost(Some(place(statement)));
    }
}

/// The outcomes of statements, the first of which is given, if they are few.
fn bounded(cases: Vec<Case>, first: &Stmt) -> Vec<Case> {
    let cases = merged(cases);
    if cases.len() > MAX_CASES { lost_at(first) } else { cases }
}

/// A condition, and another one that is asked only where the first one holds.
fn both(left: Holds, right: Vec<Holds>) -> Vec<Holds> {
    let sets = right.iter().any(|it| !it.effects.is_none());
    let (guards, rest) = match &left.holds {
        // Where the first one does not hold, the other one sets nothing.
        Value::Unknown { text, of_state: false } if sets => {
            let guards: Vec<String> = left.guards.iter().cloned().chain([text.clone()]).collect();
            (guards, Some(Holds { holds: Value::Bool(false), ..left.clone() }))
        }
        _ => (left.guards.clone(), None),
    };
    let joined = right.into_iter().map(|right| Holds {
        guards: guards.iter().cloned().chain(right.guards).collect(),
        effects: left.effects.then(right.effects),
        holds: if rest.is_some() { right.holds } else { and(&left.holds, &right.holds) },
        scope: right.scope,
        exit: right.exit,
        arm: right.arm.or(left.arm),
    });
    let mut all: Vec<Holds> = joined.collect();
    all.extend(rest);
    all
}
