//! Variables that `let` declares.

use super::*;

impl Eval<'_, '_> {
    /// `let PATTERN = value else { … };`, and the statements behind it.
    pub(super) fn behind_local(
        &mut self,
        local: &syn::Local,
        init: &syn::LocalInit,
        mut value: Value,
        rest: &[Stmt],
        mut scope: Scope,
    ) -> Vec<Case> {
        if let Some(it) = name_of(&local.pat)
            && let Some(state) = self.state_of(&it.ident.to_string(), &value, init, &mut scope)
        {
            return state;
        }
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
        let fit = self.fit(&local.pat, &value, &mut scope);
        if let (Some(it), Expr::Reference(reference)) = (name_of(&local.pat), &*init.expr)
            && reference.mutability.is_some()
        {
            scope.refer(it.ident.to_string());
        }
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
}
