//! A function of two states, which says whether the step is allowed.

use quote::ToTokens;

use super::outcome::{allows, outcomes};
use super::*;
use crate::rust::items::names_in;

impl Reader<'_, '_, '_> {
    /// A function of two states, which says whether the step is allowed.
    pub(super) fn pairs(&mut self, function: &Function<'_>, first: &Variable, second: &Variable) {
        let sense = words::sense(&function.name);
        let of = first.of;
        let name = range(&function.signature.ident);
        if sense == Sense::Open {
            let enum_ = &self.items.enums[of].name;
            if first.is_parameter && second.is_parameter && following::returned(function).contains(enum_) {
                let message = format!(
                    "`{}` gets two `{enum_}` and returns one: nothing says which is the state, and nothing was imported from it",
                    function.name
                );
                self.hint(of, name, message);
            }
            return;
        }
        if !words::is_about_steps(&function.name, &first.key, &second.key) {
            let message = format!("nothing says that `{}` is about steps: nothing was imported from it", function.name);
            self.hint(of, name, message);
            return;
        }
        if let Some(open) = open_answer(function, &self.items.enums[of].name) {
            let message = format!("nothing says for which `{open}` of `{}` a step is allowed: nothing was imported from it", function.name);
            self.lost.loss(self.machines[of].place(name), message);
            return;
        }
        if sense == Sense::Allowed {
            self.want(of);
        }
        let before = self.eval.seen.clone();
        self.eval.about = Some(of);
        // A function that sets one of the two, and returns nothing, allows a step where it sets it.
        let is_silent = matches!(function.signature.output, syn::ReturnType::Default);
        let set = [first, second].into_iter().find(|it| is_silent && self.setters.assigns(self.at, &it.key));
        self.eval.target = set.map(|it| it.key.clone());
        let forward = match set {
            Some(set) => Some(set.key == first.key),
            None => words::is_forward(&function.name, &first.key, &second.key),
        };
        let n_states = self.items.enums[of].variants.len();
        let mut steps = Vec::new();
        let mut unclear: BTreeSet<(usize, usize)> = BTreeSet::new();
        let (mut n_allowed, mut is_other) = (0, false);
        for a in 0..n_states {
            for b in 0..n_states {
                let mut scope = self.scope(function);
                scope.set(first.key.as_str(), Value::Variant(of, a));
                scope.set(second.key.as_str(), Value::Variant(of, b));
                let (from, to) = if forward == Some(false) { (b, a) } else { (a, b) };
                let mut cases = self.eval.block(function.block, &scope);
                if set.is_some() {
                    cases.iter_mut().for_each(refuse_unset);
                }
                let found = outcomes(cases, |value| allows(value, to));
                is_other |= found.is_other;
                if !found.lost.is_empty() {
                    unclear.insert((from, to));
                    continue;
                }
                n_allowed += usize::from(found.steps.iter().any(|it| it.guards.is_empty()));
                let step = |it: Leading| Step { from, to, event: None, guards: it.guards, place: place_of(it.arm, &name) };
                steps.extend(found.steps.into_iter().map(step));
            }
        }
        self.eval.target = None;
        if is_other || n_allowed == n_states * n_states || (steps.is_empty() && unclear.is_empty()) {
            self.eval.seen = before;
            return;
        }
        let place = self.machines[of].place(name);
        self.reads.functions.insert((self.at, of));
        self.reads.pairs.insert((self.at, of));
        if sense == Sense::Forbidden {
            self.eval.seen = before;
            self.lost.loss(place, format!("`{}` tells which steps are not allowed: nothing was imported from it", function.name));
            return;
        }
        let variants = &self.items.enums[of].variants;
        if let Some((from, to)) = unclear.first() {
            let (from, to) = (&variants[*from].name, &variants[*to].name);
            let n_pairs = unclear.len();
            let message = format!(
                "whether {n_pairs} of the steps are allowed cannot be followed, such as `{from}` to `{to}`: `{}` gives no rows for them",
                function.name
            );
            self.lost.loss(place, message);
        }
        if forward.is_none() && !steps.is_empty() {
            let message =
                format!("the names do not tell the direction: `{}` is assumed to be the source, `{}` the target", first.key, second.key);
            self.machines[of].draft.found.assumed(place, message);
        }
        // A function beside the declaration tells of the enum; one elsewhere may tell of a part of it.
        let is_whole = self.is_general(&function.name, of);
        self.machines[of].draft.complete |= unclear.is_empty() && (is_whole || self.items.enums[of].is_local());
        self.machines[of].draft.partial |= !unclear.is_empty();
        self.machines[of].is_table |= is_whole;
        self.machines[of].sets |= set.is_some();
        self.add(of, steps, &[]);
    }
}

/// The type that a function returns, if its values can mean either: `Decision`, and `Option` of a `Denial`.
fn open_answer(function: &Function<'_>, of: &str) -> Option<String> {
    let syn::ReturnType::Type(_, ty) = &function.signature.output else { return None };
    let names = names_in(ty.to_token_stream());
    let is_answer = |it: &String| matches!(it.as_str(), "bool" | "Self" | "Transition" | "Step" | "Edge") || it == of;
    let outer = type_name(ty)?;
    match outer.as_str() {
        "Option" if names.len() > 1 && !names.iter().any(is_answer) => Some("Option".to_owned()),
        "Option" => None,
        name if name.ends_with("Result") || names.iter().any(is_answer) => None,
        _ => Some(outer),
    }
}

/// Refuses a step where nothing is set: `if self.state == to { return; }`.
fn refuse_unset(case: &mut Case) {
    let is_known = matches!(&case.flow, Flow::Value(value) | Flow::Return(value) if !value.is_of_state());
    if is_known && case.effects.assigned.is_none() {
        case.flow = Flow::Value(Value::Bool(false));
    }
}
