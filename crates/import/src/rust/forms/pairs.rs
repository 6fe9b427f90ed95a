//! Functions of two states that say whether a step is allowed.

use super::*;

impl Forms<'_, '_, '_> {
    /// Functions of two states: `fn can_become(self, to: State) -> bool`, or one that sets the second where it may.
    pub(super) fn pairs(&mut self, idx: usize, of: usize, [first, second]: [Local; 2], set: Option<&Place>, name: &Range<usize>) {
        let function = &self.items.functions[idx];
        let n_states = self.items.enums[of].variants.len();
        let key = |it: Local| self.eval.variables[it].name.clone();
        let about = names::check(&function.name, &key(first), &key(second));
        let place = self.machines[of].place(name.clone());
        let answer = self.answer(idx, of);
        if n_states * n_states > MAX_PAIRS || (set.is_none() && answer == Answer::None) {
            return;
        }
        let Some(direction) = about.or(set.map(|_| Some(true))) else {
            let message = format!("nothing says that `{}` is about steps: nothing was imported from it", function.name);
            self.reads.hints.push((of, name.clone(), message));
            return;
        };
        if names::is_refused(&function.name) {
            self.reads.functions.insert((idx, of));
            self.lost.loss(place, format!("`{}` tells which steps are not allowed: nothing was imported from it", function.name));
            return;
        }
        if answer == Answer::Open && set.is_none() {
            self.reads.functions.insert((idx, of));
            self.machines[of].draft.partial = true;
            let message =
                format!("nothing says for which values that `{}` returns a step is allowed: nothing was imported from it", function.name);
            self.lost.loss(place, message);
            return;
        }
        let (from, to) = if direction == Some(false) { (second, first) } else { (first, second) };
        let (mut steps, mut unclear, mut n_allowed) = (Vec::new(), Vec::new(), 0);
        for a in 0..n_states {
            for b in 0..n_states {
                let mut values = vec![(to, Value::Variant(of, b))];
                self.eval.about = Some(of);
                match set {
                    Some(place) => self.eval.seed = Some((place.clone(), Value::Variant(of, a))),
                    None => values.push((from, Value::Variant(of, a))),
                }
                let paths = self.run(idx, &values);
                self.collect_sites(of, set);
                let mut is_free = false;
                for path in paths {
                    let allowed = match set {
                        Some(_) => match self.eval.state_of(&path) {
                            _ if matches!(path.flow, Flow::Never) || !self.eval.is_set(&path) => Some(false),
                            Some(Value::Variant(_, it)) if it == b => Some(true),
                            _ => None,
                        },
                        None => allowed(&path.flow),
                    };
                    let is_lost = path.guards.iter().any(|it| it.lost.is_some()) || matches!(path.flow, Flow::Lost(_));
                    match allowed {
                        Some(false) if !is_lost => {}
                        Some(true) if !is_lost => {
                            is_free |= path.guards.is_empty();
                            let at = path.arm.filter(|_| set.is_none()).map_or(name.clone(), |it| it.0..it.1);
                            steps.push(Step { from: a, to: b, event: None, guards: path.guards.clone(), at });
                        }
                        _ => unclear.push((a, b)),
                    }
                }
                n_allowed += usize::from(is_free);
            }
        }
        (self.eval.seed, self.eval.about) = (None, None);
        unclear.dedup();
        let pending = std::mem::take(&mut self.pending);
        if n_allowed == n_states * n_states && set.is_some() {
            return;
        }
        if steps.is_empty() && unclear.is_empty() || n_allowed == n_states * n_states {
            return;
        }
        self.reads.functions.insert((idx, of));
        self.want(of);
        let variants = &self.items.enums[of].variants;
        if let Some((a, b)) = unclear.first() {
            let (a, b, n_pairs) = (&variants[*a].name, &variants[*b].name, unclear.len());
            let message = format!(
                "whether {n_pairs} of the steps are allowed was not followed, such as `{a}` to `{b}`: `{}` gives no rows for them",
                function.name
            );
            self.lost.loss(place, message);
        }
        if direction.is_none() && !steps.is_empty() {
            let message =
                format!("the names do not tell the direction: `{}` is assumed to be the source, `{}` the target", key(first), key(second));
            self.machines[of].draft.found.assumed(place, message);
        }
        steps.retain(|it| !unclear.contains(&(it.from, it.to)));
        let machine = &mut self.machines[of];
        machine.draft.partial |= !unclear.is_empty();
        // A setter allows what it gets; others may set the state beside it.
        machine.draft.complete |= set.is_none() && unclear.is_empty() && self.items.enums[of].is_local();
        machine.is_table |= set.is_none() && !steps.is_empty();
        machine.takes_steps |= set.is_some();
        machine.sets |= set.is_some();
        self.reads.sites.extend(pending);
        self.add(of, steps, &[]);
    }

    /// What the values that a function of two states returns say.
    pub(super) fn answer(&self, idx: usize, of: usize) -> Answer {
        let syn::ReturnType::Type(_, ty) = &self.items.functions[idx].signature.output else { return Answer::None };
        let outer = type_name(ty).unwrap_or_default();
        let returned = self.returned(idx);
        let is_state = self.returns(idx, of);
        match outer.as_str() {
            "bool" => Answer::Says,
            name if name.ends_with("Result") => Answer::Says,
            "Option" if is_state || returned.len() == 1 => Answer::Says,
            "Option" => Answer::Open,
            _ if is_state => Answer::None,
            _ if self.items.enum_named(&outer, &[]).is_some() || outer.ends_with("Decision") => Answer::Open,
            _ => Answer::None,
        }
    }
}

/// Whether a function of two states allows a step; `None` if that is not known.
fn allowed(flow: &Flow) -> Option<bool> {
    match flow {
        Flow::Never => Some(false),
        Flow::Next(value) | Flow::Return(value) => match value {
            Value::Bool(it) => Some(*it),
            Value::Wrapped(Wrap::Err, _) | Value::None => Some(false),
            Value::Wrapped(Wrap::Ok | Wrap::Some, _) => Some(true),
            _ => None,
        },
        _ => None,
    }
}
