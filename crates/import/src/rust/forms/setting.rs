//! Functions that set the state.

use super::*;

impl Forms<'_, '_, '_> {
    /// Functions that set a state: `self.state = State::Open`.
    pub(super) fn setting(&mut self, idx: usize, of: usize, set: &BTreeSet<(Place, At)>, own: &[Local], seen: &Seen, name: &Range<usize>) {
        let function = &self.items.functions[idx];
        let places: BTreeSet<&Place> = set.iter().map(|it| &it.0).collect();
        let body = &self.bodies[idx];
        let is_own = |it: &&&Place| (body.locals.0..body.locals.1).contains(&it.local);
        let is_new = |it: &Local| seen.made.contains(it) && !seen.given.contains(it);
        let fresh = |it: &&&Place| (!it.fields.is_empty() && !is_new(&it.local)) || self.eval.variables[it.local].is_parameter;
        let candidates: Vec<&&Place> = places.iter().filter(is_own).filter(fresh).collect();
        // What a function sets in places that it made itself are new values; in several others, which is the state is not known.
        let [place] = candidates.as_slice() else { return };
        let place: Place = (**place).clone();
        if places.iter().any(|it| **it != place && !(body.locals.0..body.locals.1).contains(&it.local)) {
            return;
        }
        // A parameter that is the new state: the pairs that it allows.
        let given: Vec<Local> = own.iter().copied().filter(|it| Place::local(*it) != place).collect();
        if let [given] = given.as_slice() {
            let is_asked = seen.asked.get(given) == Some(&of) || self.sets_parameter(idx, of, &place, *given);
            if is_asked {
                self.pairs(idx, of, [place.local, *given], Some(&place), name);
                return;
            }
        }
        let event = self.event(idx, of, seen, false);
        let mut found = Found::default();
        let n_states = self.items.enums[of].variants.len();
        let n_events = event.as_ref().map_or(1, |it| it.values.len());
        let mut is_whole = true;
        let mut sites = BTreeSet::new();
        let is_optional = self.is_optional(&place);
        for from in 0..n_states {
            for at in 0..n_events {
                let value = Value::Variant(of, from);
                let value = if is_optional { Value::Wrapped(Wrap::Some, value.into()) } else { value };
                (self.eval.seed, self.eval.about) = (Some((place.clone(), value)), Some(of));
                let values: Vec<(Local, Value)> = event.iter().map(|it| (it.local, it.values[at].1.clone())).collect();
                let paths = self.run(idx, &values);
                sites.extend(self.eval.seen.sites.iter().copied());
                let mut outcomes: Vec<Step> = Vec::new();
                for path in paths {
                    let lost = match &path.flow {
                        Flow::Lost(at) => Some(*at),
                        Flow::Never => continue,
                        _ => None,
                    };
                    let is_set = self.eval.is_set(&path);
                    let state = self.eval.state_of(&path);
                    let state = match state {
                        Some(Value::Wrapped(Wrap::Some, inner)) if is_optional => Some((*inner).clone()),
                        other => other,
                    };
                    let to = match state {
                        Some(Value::Variant(other, to)) if other == of => Some(to),
                        _ => None,
                    };
                    let of_state = match self.eval.state_of(&path) {
                        Some(Value::Open(it)) => it.lost.or(path.arm).or(Some((name.start, name.end))),
                        _ => path.arm.or(Some((name.start, name.end))),
                    };
                    if lost.is_none() && !is_set {
                        outcomes.push(Step { from, to: from, event: None, guards: path.guards.clone(), at: usize::MAX..usize::MAX });
                        continue;
                    }
                    let lost = lost.or(path.guards.iter().find_map(|it| it.lost)).or(if to.is_none() { of_state } else { None });
                    if let Some(at) = lost {
                        found.lost.entry(at).or_default().insert(from);
                        is_whole = false;
                        continue;
                    }
                    let place = path.arm.map_or(name.clone(), |it| it.0..it.1);
                    let to = to.unwrap_or(from);
                    outcomes.push(Step { from, to, event: event.as_ref().map(|_| at), guards: path.guards.clone(), at: place });
                }
                for step in outcomes {
                    if step.at.start == usize::MAX {
                        found.stays.push(Step { event: event.as_ref().map(|_| at).or(Some(0)), ..step });
                    } else {
                        found.steps.push(Step { event: step.event.or(Some(0)), ..step });
                    }
                }
            }
        }
        (self.eval.seed, self.eval.about) = (None, None);
        let span = self.machines[of].place(name.clone());
        // The event does not decide: it is data.
        let event = event.filter(|it| !is_same_on_all(&found.steps, it.values.len()));
        if event.is_none() && n_events > 1 {
            found.steps.retain(|it| it.event == Some(0));
            found.stays.retain(|it| it.event == Some(0));
        }
        if event.is_none() {
            found.event = Some(self.event_name(idx, of));
            if is_whole && is_same_from_all(&found.steps, n_states) && found.stays.is_empty() {
                self.reads.functions.insert((idx, of));
                let targets: BTreeSet<usize> = found.steps.iter().map(|it| it.to).collect();
                let states = self.named(of, &targets);
                let message = format!(
                    "`{}` sets a `{}` to {states}, whatever it was: set here, not followed, because nothing says in which states it is called",
                    function.name, self.items.enums[of].name
                );
                self.reads.sites.extend(sites.into_iter().map(|it| (it, of)));
                self.machines[of].set_here.push((name.clone(), message));
                return;
            }
        }
        if found.steps.is_empty() && !found.lost.is_empty() && found.lost.values().all(|it| it.len() == n_states) {
            // Nothing is known of it: its places are reported, unless another function is read that goes through them.
            self.unknown.push((of, found.lost, sites));
            return;
        }
        if found.steps.is_empty() && found.lost.is_empty() {
            return;
        }
        self.want(of);
        self.reads.functions.insert((idx, of));
        self.reads.sites.extend(sites.into_iter().map(|it| (it, of)));
        self.machines[of].sets = true;
        self.machines[of].takes_steps = true;
        if is_optional {
            let message =
                format!("`{}` can be without a `{}`: a spec has no such state", self.eval.name_of(&place), self.items.enums[of].name);
            self.lost.loss(span, message);
        }
        self.finish(of, event, found, span);
    }

    pub(super) fn is_optional(&self, place: &Place) -> bool {
        !place.fields.is_empty() && self.eval.declared_type(place.local, &place.fields).is_some_and(|it| it == "Option")
    }

    /// Whether a function sets the state to what it gets.
    pub(super) fn sets_parameter(&mut self, idx: usize, of: usize, place: &Place, given: Local) -> bool {
        (self.eval.seed, self.eval.about) = (Some((place.clone(), Value::Variant(of, 0))), Some(of));
        let n_states = self.items.enums[of].variants.len();
        let mut seen = BTreeSet::new();
        for to in 0..n_states.min(2) {
            for path in self.run(idx, &[(given, Value::Variant(of, to))]) {
                if let Some(Value::Variant(_, it)) = self.eval.state_of(&path).filter(|_| self.eval.is_set(&path)) {
                    seen.insert((to, it));
                }
            }
        }
        (self.eval.seed, self.eval.about) = (None, None);
        seen.iter().any(|(to, it)| to == it) && seen.iter().all(|(to, it)| to == it)
    }

    pub(super) fn collect_sites(&mut self, of: usize, set: Option<&Place>) {
        if set.is_some() {
            let sites: Vec<At> = self.eval.seen.sites.iter().copied().collect();
            self.pending.extend(sites.into_iter().map(|it| (it, of)));
        }
    }

    /// The name of a function as an event; with its type, if another type has such a function.
    pub(super) fn event_name(&self, idx: usize, of: usize) -> String {
        let function = &self.items.functions[idx];
        let is_same = |it: &Function<'_>| it.name == function.name && it.of != function.of;
        let is_two = self.items.functions.iter().enumerate().any(|(other, it)| is_same(it) && self.setters.contains(&(other, of)));
        match &function.of {
            Some(of) if is_two => format!("{}_{}", statespec_lang::names::snake(of), function.name),
            _ => function.name.clone(),
        }
    }
}
