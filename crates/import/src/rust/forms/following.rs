//! Functions of a state, and of an event, that return the states that follow.

use super::*;

impl Forms<'_, '_, '_> {
    /// Functions that return what follows a state: `fn next(self, event: Event) -> Option<Self>`.
    pub(super) fn following(&mut self, idx: usize, of: usize, state: Local, seen: &Seen, name: &Range<usize>) {
        let function = &self.items.functions[idx];
        if !self.returns(idx, of) {
            return;
        }
        let event = self.event(idx, of, seen, true);
        let is_step = match &event {
            Some(it) => (it.is_named || names::is_stepping(&function.name)) && !names::is_refused(&function.name),
            None => names::is_onward(&function.name),
        };
        let place = self.machines[of].place(name.clone());
        if !is_step {
            let message =
                format!("nothing says that `{}` is a step: it maps states to states, and nothing was imported from it", function.name);
            self.reads.hints.push((of, name.clone(), message));
            return;
        }
        self.want(of);
        let returns_list = type_is_list(&function.signature.output);
        let is_plain = matches!(&function.signature.output, syn::ReturnType::Type(_, ty) if type_name(ty).is_some_and(|it| it == "Self" || it == self.items.enums[of].name));
        let mut found = Found::default();
        let mut same = BTreeSet::new();
        let mut is_gone = false;
        for from in 0..self.items.enums[of].variants.len() {
            for at in 0..event.as_ref().map_or(1, |it| it.values.len()) {
                let mut values = vec![(state, Value::Variant(of, from))];
                values.extend(event.as_ref().map(|it| (it.local, it.values[at].1.clone())));
                self.eval.about = Some(of);
                let paths = self.run(idx, &values);
                self.eval.about = None;
                for path in paths {
                    let value = match &path.flow {
                        Flow::Next(value) | Flow::Return(value) => value.clone(),
                        Flow::Lost(at) => {
                            found.lost.entry(*at).or_default().insert(from);
                            continue;
                        }
                        _ => continue,
                    };
                    if let Some(at) = path.guards.iter().find_map(|it| it.lost) {
                        found.lost.entry(at).or_default().insert(from);
                        continue;
                    }
                    match targets(&self.eval, &path, &value, of) {
                        Leads::To(all) => {
                            for to in all {
                                if to == from && is_plain {
                                    same.insert(from);
                                    found.stays.push(Step { from, to, event: Some(at), guards: path.guards.clone(), at: name.clone() });
                                } else {
                                    let place = path.arm.map_or(name.clone(), |it| it.0..it.1);
                                    found.steps.push(Step {
                                        from,
                                        to,
                                        event: event.as_ref().map(|_| at),
                                        guards: path.guards.clone(),
                                        at: place,
                                    });
                                }
                            }
                        }
                        Leads::Nowhere => {}
                        Leads::Gone => is_gone = true,
                        Leads::Unknown => {
                            let at = path.arm.unwrap_or((name.start, name.end));
                            found.lost.entry(at).or_default().insert(from);
                        }
                    }
                }
            }
        }
        if found.steps.iter().all(|it| it.from == it.to) && found.lost.is_empty() {
            return;
        }
        self.reads.functions.insert((idx, of));
        if is_gone {
            let message = format!("`{}` returns `Ok(None)`, too: whether the machine ends there, or stays, was left out", function.name);
            self.lost.loss(place, message);
        }
        if !same.is_empty() {
            let states = self.named(of, &same);
            let message = format!("`{}` returns {states} for itself: this is no row, so a spec refuses the event there", function.name);
            self.machines[of].draft.found.assumed(place, message);
        }
        let is_read = found.lost.is_empty();
        let machine = &mut self.machines[of];
        machine.is_table |= returns_list && event.is_none() && is_read;
        machine.draft.complete |= returns_list && event.is_none() && is_read;
        machine.takes_steps |= event.is_none() && !returns_list;
        self.finish(of, event, found, place);
    }

    /// The event among the parameters of a function, by its name, with the values that it can have.
    pub(super) fn event(&self, idx: usize, of: usize, seen: &Seen, returns: bool) -> Option<Event> {
        let parameters: Vec<Local> = self.bodies[idx].parameters.iter().map(|it| it.0).collect();
        let mut found: Option<Event> = None;
        for local in parameters {
            let variable = &self.eval.variables[local];
            let is_named = names::is_event(&variable.name, variable.ty.as_deref().unwrap_or_default());
            let candidate = match (seen.asked.get(&local), seen.texts.get(&local)) {
                (Some(enum_of), _) if *enum_of != of && !self.items.is_of_library(*enum_of) => {
                    let variants = &self.items.enums[*enum_of].variants;
                    let mut values: Vec<(String, Value)> =
                        variants.iter().enumerate().map(|(at, it)| (it.name.clone(), Value::Variant(*enum_of, at))).collect();
                    let n_named = values.len();
                    if !self.items.enums[*enum_of].is_known() {
                        values.push((String::new(), Value::Variant(*enum_of, OTHER)));
                    }
                    Event { local, is_named, values, n_named, of: Some(*enum_of) }
                }
                // A text is an event by its name, or where the function returns what follows it.
                (None, Some(texts)) if matches!(variable.ty.as_deref(), Some("str" | "String")) && (is_named || returns) => {
                    let mut values: Vec<(String, Value)> = texts.iter().map(|it| (it.clone(), Value::Text(it.clone()))).collect();
                    let n_named = values.len();
                    values.push((String::new(), Value::Text("\0".to_owned())));
                    Event { local, is_named, values, n_named, of: None }
                }
                _ => continue,
            };
            if found.as_ref().is_none_or(|it| !it.is_named && candidate.is_named) {
                found = Some(candidate);
            }
        }
        found.filter(|it| it.values.len() <= MAX_STATES)
    }

    pub(super) fn not_followed(&mut self, of: usize, lost: &Lost) {
        let n_states = self.items.enums[of].variants.len();
        self.machines[of].draft.partial |= !lost.is_empty();
        for ((start, end), states) in lost {
            let from = if states.len() < n_states { format!(" from {}", self.named(of, states)) } else { String::new() };
            let at = self.machines[of].place(*start..*end);
            self.lost.loss(at, format!("where this leads{from} was not followed: there is no row"));
        }
    }

    /// Reports what was not followed, and adds the steps.
    pub(super) fn finish(&mut self, of: usize, event: Option<Event>, mut found: Found, place: statespec_lang::source::Span) {
        self.not_followed(of, &found.lost);
        let mut events: Vec<String> = Vec::new();
        if let Some(event) = event {
            let n_before = found.steps.len();
            found.steps.retain(|it| it.event.is_none_or(|it| it < event.n_named));
            if found.steps.len() < n_before {
                self.lost.loss(place, "events that the file does not name lead on, too: they were left out");
                self.machines[of].draft.partial = true;
                event.of.into_iter().for_each(|it| self.want(it));
            }
            events.extend(event.values.into_iter().take(event.n_named).map(|it| it.0));
        } else if let Some(name) = &found.event {
            events.push(name.clone());
        }
        let steps = ordered(found.steps);
        self.add(of, steps, &events);
    }
}

/// Where a value that a function returns leads.
pub(super) fn targets(eval: &Eval<'_, '_>, path: &Path, value: &Value, of: usize) -> Leads {
    match eval.seen_through(path, value.clone()) {
        Value::Variant(other, to) if other == of => Leads::To(vec![to]),
        Value::Wrapped(Wrap::Ok, inner) if *inner == Value::None => Leads::Gone,
        Value::Wrapped(Wrap::Some | Wrap::Ok, inner) => targets(eval, path, &inner, of),
        Value::Wrapped(Wrap::Err, _) | Value::None => Leads::Nowhere,
        Value::Tuple(all) => {
            all.iter().map(|it| targets(eval, path, it, of)).find(|it| matches!(it, Leads::To(_))).unwrap_or(Leads::Unknown)
        }
        Value::List(all) => {
            let mut found = Vec::new();
            for one in all {
                match targets(eval, path, &one, of) {
                    Leads::To(more) => found.extend(more),
                    _ => return Leads::Unknown,
                }
            }
            Leads::To(found)
        }
        _ => Leads::Unknown,
    }
}

/// A condition as a text.
pub(super) fn text(guard: &Guard) -> String {
    let Guard { text, holds, .. } = guard;
    match [("Ok(_)", "Err(_)"), ("Some(_)", "None")].iter().find_map(|(a, b)| Some((text.strip_suffix(a)?, b))) {
        _ if *holds => text.clone(),
        Some((rest, other)) if rest.ends_with(" is ") => format!("{rest}{other}"),
        _ if text.chars().all(|it| it.is_alphanumeric() || it == '_' || it == '.') => format!("!{text}"),
        _ => format!("!({text})"),
    }
}
