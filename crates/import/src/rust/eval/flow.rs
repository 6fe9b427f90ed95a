//! Blocks, branches and loops.

use super::*;

impl Eval<'_, '_> {
    pub(in crate::rust) fn block(&mut self, block: &syn::Block, scope: &Scope) -> Vec<Case> {
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
            let n_before = all.len();
            all.extend(self.statements(rest, &mut inner).into_iter().map(|behind| case.before(behind)));
            // What many cases hold takes memory.
            self.burn(all[n_before..].iter().map(Case::n_bytes).sum::<usize>() / 32);
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
