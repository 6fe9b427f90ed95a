//! The arms of `match`, in their order.

use super::fields::forget_bound;
use super::*;

impl Eval<'_, '_> {
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
}
