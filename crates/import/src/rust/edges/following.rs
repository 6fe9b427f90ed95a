//! A function of a state, and of an event, that returns or assigns what follows.

use std::rc::Rc;

use super::super::eval::{all_of, merged, negated};
use super::outcome::{assigned, leads, outcomes};
use super::*;

impl Reader<'_, '_, '_> {
    /// A function of a state, and of an event, that returns or assigns what follows.
    ///
    /// One that does not compare the state itself is `blind`: nothing says in which states it is called, unless it refuses some.
    pub(super) fn following(&mut self, function: &Function<'_>, state: &Variable, variables: &Variables, blind: bool) {
        let of = state.of;
        let is_assigned = self.setters.assigns(self.at, &state.key);
        // Its steps are those of the functions that call it.
        if is_assigned && !function.is_public && self.eval.seen.called.contains(&(self.at, of)) {
            return;
        }
        if !is_assigned && !function.is_public && self.is_assigned_elsewhere(function, of) {
            return;
        }
        // A parameter first, and of several the one that is called an event. What else is compared is a condition.
        let is_event = |it: &Variable| words::is_event(&self.items.enums[it.of].name, &it.key);
        let is_step_of = |it: &Variable| words::is_step(&function.name, &self.items.enums[it.of].name, &it.key);
        let event = variables.all.iter().filter(|it| it.of != of && !self.items.is_of_library(it.of));
        let is_taken = |it: &Variable| is_event(it) && variables.takes(it) && is_there_from_the_start(function, variables, &it.key);
        let event = event.filter(|it| if it.is_parameter { self.decides(self.at, &it.key) } else { is_taken(it) });
        let event = event.max_by_key(|it| (it.is_parameter, is_event(it))).filter(|it| !is_assigned || is_step_of(it));
        let text = variables.texts.first().filter(|_| event.is_none() && !variables.literals.is_empty());
        let is_step = match (event, text) {
            (Some(event), _) => is_step_of(event),
            (None, Some(text)) => words::is_step(&function.name, "", text),
            (None, None) if is_assigned => {
                let is_seen = !state.is_parameter || variables.through.contains(&state.key);
                is_seen && words::sense(&function.name) != Sense::Forbidden
            }
            (None, None) => words::is_onward(&function.name),
        };
        let returned = returned(function);
        let returns_it = returned.iter().any(|it| *it == self.items.enums[of].name || it == "Self" || it == "Output");
        let is_mapping = event.is_none() && text.is_none() && !is_assigned;
        if !(returns_it || is_assigned) || !(is_step || is_mapping) {
            return;
        }
        if is_step {
            self.want(of);
            event.filter(|_| !self.items.enums[of].is_local()).into_iter().for_each(|it| self.want(it.of));
        }
        // The events by name; the last one stands for every other.
        let mut events: Vec<(Option<String>, Option<Value>)> = match (event, text) {
            (Some(event), _) => {
                let variants = self.items.enums[event.of].variants.iter().enumerate();
                variants.map(|(idx, it)| (Some(it.name.clone()), Some(Value::Variant(event.of, idx)))).collect()
            }
            (None, Some(_)) => variables.literals.iter().map(|it| (Some(it.clone()), Some(Value::Text(it.clone())))).collect(),
            (None, None) => vec![(is_assigned.then(|| self.event_of(function, of)), None)],
        };
        if events.len() > MAX_STATES {
            return;
        }
        let n_named = events.len();
        let is_open = text.is_some() || event.is_some_and(|it| !self.items.enums[it.of].is_known());
        events.extend(is_open.then(|| (None, Some(Value::Text("\0".to_owned())))));
        let key = event.map(|it| &it.key).or(text);

        let name = range(&function.signature.ident);
        let before = self.eval.seen.clone();
        self.eval.target = is_assigned.then(|| state.key.clone());
        self.eval.about = Some(of);
        if is_assigned {
            self.eval.setting = self.setting(&state.key);
            let field = state.key.rsplit_once('.').map(|(_, field)| self.setting(&format!("self.{field}")));
            self.eval.setting_in = field.unwrap_or_default();
            self.eval.shared = shared(&state.key, variables);
        }
        let returns_state = match &function.signature.output {
            syn::ReturnType::Type(_, ty) => type_name(ty).is_some_and(|it| it == self.items.enums[of].name || it == "Self"),
            syn::ReturnType::Default => false,
        };
        // The places that cannot be followed, each with the states in which they are reached.
        let mut unclear: BTreeMap<Place, BTreeSet<usize>> = BTreeMap::new();
        let (mut steps, mut others, mut is_gone) = (Vec::new(), false, false);
        let mut of_others = BTreeSet::new();
        let (mut is_other, mut is_optional) = (false, false);
        // The states that the function returns for themselves.
        let mut same = BTreeSet::new();
        for from in 0..self.items.enums[of].variants.len() {
            for (idx, (_, value)) in events.iter().enumerate() {
                let mut scope = self.scope(function);
                scope.set(state.key.as_str(), Value::Variant(of, from));
                if let (Some(key), Some(value)) = (key, value) {
                    scope.set(key.as_str(), value.clone());
                }
                let cases = self.eval.block(function.block, &scope);
                is_optional |= cases.iter().any(|it| matches!(it.effects.assigned, Some(Value::Some(_))));
                // What the function returns besides makes no difference.
                let cases = if is_assigned { merged(cases.into_iter().map(assigned).collect()) } else { cases };
                let found = outcomes(cases, |value| leads(value, of));
                is_other |= found.is_other;
                is_gone |= found.is_gone && !is_assigned;
                for place in found.lost {
                    unclear.entry(place.unwrap_or((name.start, name.end))).or_default().insert(from);
                }
                let mut leading = found.steps;
                if events[idx].0.is_none() {
                    exclude(&mut leading);
                }
                // Where a condition keeps the state, what follows happens only without it.
                let leaves = |it: &Leading| it.to.iter().any(|to| *to != from);
                let last = leading.iter().rposition(leaves).unwrap_or(0);
                for (at, Leading { guards, to: targets, arm }) in leading.into_iter().enumerate() {
                    let keeps = !guards.is_empty() && at < last;
                    for to in targets {
                        if to == from && returns_state && !keeps {
                            same.insert(from);
                        } else if idx >= n_named {
                            others = true;
                            of_others.insert((from, to, guards.clone()));
                        } else {
                            steps.push(Step {
                                from,
                                to,
                                event: events[idx].0.as_ref().map(|_| idx),
                                guards: guards.clone(),
                                place: place_of(arm, &name),
                            });
                        }
                    }
                }
            }
        }
        self.eval.target = None;
        self.eval.about = None;
        self.eval.setting = Rc::default();
        self.eval.setting_in = Rc::default();
        self.eval.shared = None;
        let place = self.machines[of].place(name);
        let n_states = self.items.enums[of].variants.len();
        // An event that does not decide where the steps lead is none; of an enum of another file, the variants are not all known.
        let is_event = event.is_some() && !does_not_matter(&steps, n_named, is_open.then_some(&of_others));
        if is_assigned && event.is_some() && !is_event {
            others = false;
            steps.retain(|it: &Step| it.event == Some(0));
            events = vec![(Some(self.event_of(function, of)), None)];
        }
        // `fn step(outcome: Outcome) -> Outcome { outcome }` leads nowhere.
        let is_other = is_other || (!is_assigned && steps.iter().all(|it| it.from == it.to));
        if blind && (!unclear.is_empty() || others || is_same_everywhere(&steps, n_states)) {
            self.eval.seen = before;
            let targets: BTreeSet<usize> = steps.iter().map(|it| it.to).collect();
            let is_certain = unclear.is_empty() && !others && steps.iter().all(|it| it.guards.is_empty());
            if let (true, Some(only), 1) = (is_certain, targets.first(), targets.len()) {
                self.reads.everywhere.insert((self.at, of), *only);
            }
            return;
        }
        if is_other || steps.is_empty() || !is_step {
            self.eval.seen = before;
            if !is_other && is_step && !unclear.is_empty() {
                self.reads.functions.insert((self.at, of));
                self.machines[of].draft.partial = true;
                self.lost.loss(
                    place,
                    format!("where `{}` leads a `{}` cannot be followed: it was left out", function.name, self.items.enums[of].name),
                );
            }
            if !is_other && !steps.is_empty() {
                let message =
                    format!("nothing says that `{}` is a step: it maps states to states, and nothing was imported from it", function.name);
                self.hints.push((of, place, message));
            }
            return;
        }
        self.reads.functions.insert((self.at, of));
        if !is_assigned {
            self.reads.returning.insert((self.at, of));
        }
        let is_read = unclear.is_empty() && !others;
        self.machines[of].draft.partial |= !is_read;
        self.machines[of].sets |= is_assigned;
        self.machines[of].takes_steps |= is_assigned || words::has_own_purpose(&function.name);
        self.reads.lost.extend(unclear.keys());
        for ((start, end), states) in unclear {
            let place = self.machines[of].place(start..end);
            let from = if states.len() < n_states { format!(" from {}", self.named(of, &states)) } else { String::new() };
            self.lost.loss(place, format!("where this leads{from} cannot be followed: it was left out"));
        }
        if is_gone {
            let message = format!("`{}` returns `Ok(None)`, too: whether the machine ends there, or stays, was left out", function.name);
            self.lost.loss(place, message);
        }
        for (start, end) in self.eval.seen.between.difference(&before.between) {
            let message = "the state is set before this `.await`, and again behind it: what others see in between was left out";
            self.lost.loss(self.machines[of].place(*start..*end), message);
        }
        if let Some(event) = event.filter(|_| is_assigned && is_event && is_read) {
            let without: BTreeSet<usize> = (0..n_named).filter(|it| steps.iter().all(|step| step.event != Some(*it))).collect();
            if !without.is_empty() {
                self.reads.silent.push((self.at, of, self.named(event.of, &without)));
            }
        }
        if others {
            self.lost.loss(place, "events that the file does not name lead on, too: they were left out");
            event.into_iter().for_each(|it| self.want(it.of));
        }
        let is_table = returns_list(function) && event.is_none() && !is_assigned && self.is_general(&function.name, of);
        self.machines[of].is_table |= is_table;
        // The function lists all that follows each of the states.
        self.machines[of].draft.complete |= is_table && is_read;
        if is_optional {
            let message = format!("`{}` can be without a `{}`: a spec has no such state", state.key, self.items.enums[of].name);
            self.lost.loss(place, message);
        }
        if !same.is_empty() {
            let states = self.named(of, &same);
            let message = format!("`{}` returns {states} for itself: this is no row, so a spec refuses the event there", function.name);
            self.machines[of].draft.found.assumed(place, message);
        }
        let names: Vec<String> = events.into_iter().filter_map(|(name, _)| name).collect();
        self.add(of, steps, &names);
    }

    /// Whether a function that was read sets the state to what a private function returns: its steps are those of the two.
    fn is_assigned_elsewhere(&self, function: &Function<'_>, of: usize) -> bool {
        let takes = |idx: usize| self.reads.functions.contains(&(idx, of)) && self.variables[idx].assigned_from.contains(&function.name);
        self.eval.seen.called.contains(&(self.at, of)) && (0..self.variables.len()).any(takes)
    }

    /// The names of states in a sentence: `A`, `B`, `C` or one of 4 others.
    fn named(&self, of: usize, states: &BTreeSet<usize>) -> String {
        let n_shown = if states.len() > 4 { 3 } else { states.len() };
        let name = |it: &usize| format!("`{}`", self.items.enums[of].variants[*it].name);
        let mut names: Vec<String> = states.iter().take(n_shown).map(name).collect();
        let n_others = states.len() - n_shown;
        names.extend((n_others > 0).then(|| format!("one of {n_others} others")));
        match names.split_last() {
            Some((last, first)) if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            Some((only, _)) => only.clone(),
            None => String::new(),
        }
    }

    /// The functions that may set a state by its path.
    fn setting(&mut self, key: &str) -> Rc<BTreeSet<usize>> {
        if let Some(known) = self.settings.get(key) {
            return Rc::clone(known);
        }
        let all = Rc::new((0..self.variables.len()).filter(|it| self.setters.may_assign(*it, key)).collect());
        self.settings.insert(key.to_owned(), Rc::clone(&all));
        all
    }

    /// Whether a function, or one that it calls, compares a parameter; one that is only handed on is data.
    fn decides(&self, function: usize, key: &str) -> bool {
        let mut seen = BTreeSet::from([(function, key.to_owned())]);
        let mut open = vec![(function, key.to_owned())];
        while let Some((function, key)) = open.pop() {
            let variables = &self.variables[function];
            if variables.compared.contains(&key) || variables.matched.contains(&key) {
                return true;
            }
            for handed in variables.handed.iter().filter(|it| it.place == key) {
                let named = self.items.functions_named(&handed.to).filter(|it| handed.own.is_none_or(|own| own == *it));
                for called in named {
                    let next = self.items.functions[called].parameter(handed.at).map(|it| (called, it));
                    open.extend(next.filter(|it| seen.insert(it.clone())));
                }
            }
        }
        false
    }

    /// The event that a function is: its name, with its type if a function of another type has the same name.
    fn event_of(&self, function: &Function<'_>, of: usize) -> String {
        let is_same = |it: &Function<'_>| it.name == function.name && it.of != function.of;
        let is_taken = self.items.functions.iter().enumerate().any(|(idx, it)| is_same(it) && self.setters.sets(idx, of, |_| false));
        match &function.of {
            Some(of) if is_taken => format!("{}_{}", statespec_lang::names::snake(of), function.name),
            _ => function.name.clone(),
        }
    }
}

/// Adds to each row without an event that no row before it with another target holds: such rows are requested by their target,
/// and their order counts for nothing.
fn exclude(leading: &mut [Leading]) {
    for at in (1..leading.len()).rev() {
        let (before, rest) = leading.split_at_mut(at);
        let others = before.iter().filter(|it| it.to != rest[0].to && !it.guards.is_empty());
        let without: Vec<String> = others.map(|it| negated(&all_of(&it.guards))).collect();
        rest[0].guards.splice(0..0, without);
    }
}

/// The code of the variable that a path begins with, where each of its functions may get the same one from `self`.
fn shared(key: &str, variables: &Variables) -> Option<(String, String)> {
    let (name, rest) = key.split_at(key.find('.')?);
    let mut values = variables.lets.iter().filter(|it| it.0 == name).map(|it| &it.1);
    let first = values.next().filter(|it| it.starts_with("self."))?;
    values.all(|it| it == first).then(|| (first.clone(), rest.to_owned()))
}

/// Whether a value belongs to a parameter, a field or a variable, and not to what one arm of a `match` binds.
fn is_there_from_the_start(function: &Function<'_>, variables: &Variables, key: &str) -> bool {
    let name = key.trim_start_matches("let ").split(['.', '(']).next().unwrap_or_default();
    let is_parameter = |it: &syn::FnArg| match it {
        syn::FnArg::Receiver(_) => name == "self",
        syn::FnArg::Typed(it) => matches!(&*it.pat, syn::Pat::Ident(it) if it.ident == name),
    };
    function.signature.inputs.iter().any(is_parameter) || variables.lets.iter().any(|(it, _)| it == name)
}

/// Whether the same steps lead from every state.
fn is_same_everywhere(steps: &[Step], n_states: usize) -> bool {
    let of = |from: usize| -> BTreeSet<_> { steps.iter().filter(|it| it.from == from).map(|it| (it.to, it.event, &it.guards)).collect() };
    let first = of(0);
    (1..n_states).all(|it| of(it) == first)
}

/// Whether every event has the same steps, and so have the others, which the file does not name.
fn does_not_matter(steps: &[Step], n_events: usize, others: Option<&BTreeSet<(usize, usize, Vec<String>)>>) -> bool {
    let of = |event: usize| -> BTreeSet<_> {
        steps.iter().filter(|it| it.event == Some(event)).map(|it| (it.from, it.to, it.guards.clone())).collect()
    };
    let first = of(0);
    (n_events > 1 || others.is_some()) && (1..n_events).all(|it| of(it) == first) && others.is_none_or(|it| *it == first)
}

/// The names in the type that a function returns.
pub(super) fn returned(function: &Function<'_>) -> Vec<String> {
    match &function.signature.output {
        syn::ReturnType::Type(_, ty) => words_of(ty),
        syn::ReturnType::Default => Vec::new(),
    }
}

pub(super) fn returns_list(function: &Function<'_>) -> bool {
    returned(function).iter().any(|it| matches!(it.as_str(), "Vec" | "Iterator" | "IntoIterator")) || returns_slice(function)
}

/// `&[State]`, `[State; 2]`
fn returns_slice(function: &Function<'_>) -> bool {
    fn is_slice(ty: &syn::Type) -> bool {
        match ty {
            syn::Type::Reference(it) => is_slice(&it.elem),
            syn::Type::Paren(it) => is_slice(&it.elem),
            syn::Type::Group(it) => is_slice(&it.elem),
            other => matches!(other, syn::Type::Slice(_) | syn::Type::Array(_)),
        }
    }
    matches!(&function.signature.output, syn::ReturnType::Type(_, ty) if is_slice(ty))
}

/// The names in a type.
fn words_of(ty: &syn::Type) -> Vec<String> {
    let text = quote::ToTokens::to_token_stream(ty).to_string();
    text.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|it| !it.is_empty()).map(str::to_owned).collect()
}
