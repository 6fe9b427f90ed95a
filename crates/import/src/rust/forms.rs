//! The forms that are read: lists of steps, functions that say which steps are allowed, that return what follows, or that set a state.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::flow::{Eval, Flow, Guard, Path, Seen, Value};
use super::ir::{At, Body, Expr, Kind, Local, Place, Wrap};
use super::items::{Function, Items, Origin, names_in, type_name};
use super::{Machine, names};
use crate::draft::{Findings, From, Row};
use quote::ToTokens;

/// The largest enum whose states are tried.
const MAX_STATES: usize = 300;
/// The largest number of pairs that are tried.
const MAX_PAIRS: usize = 10_000;
/// An event that has none of the names of the file.
const OTHER: usize = usize::MAX;

/// The places that were not followed, each with the states in which they are reached.
type Lost = BTreeMap<At, BTreeSet<usize>>;

/// What was read of the code.
#[derive(Default)]
pub(super) struct Reads {
    /// The enums of other files whose declarations would tell more.
    pub(super) wanted: BTreeSet<usize>,
    /// The functions that were read or reported, each with the enum.
    pub(super) functions: BTreeSet<(usize, usize)>,
    /// The places that set a state and that are a part of what was read, each with the enum.
    pub(super) sites: BTreeSet<(At, usize)>,
    /// The names of functions that set a state, each with the enum.
    pub(super) setters: BTreeSet<(String, usize)>,
    /// What is only of interest where an enum has no steps.
    pub(super) hints: Vec<(usize, Range<usize>, String)>,
}

/// A step: source, target, event and guards.
#[derive(Debug, Clone, PartialEq)]
struct Step {
    from: usize,
    to: usize,
    event: Option<usize>,
    guards: Vec<Guard>,
    at: Range<usize>,
}

pub(super) struct Forms<'r, 'e, 'a> {
    pub(super) items: &'e Items<'a>,
    pub(super) eval: Eval<'e, 'a>,
    pub(super) bodies: &'e [Body],
    pub(super) machines: &'r mut [Machine],
    pub(super) lost: &'r mut Findings,
    pub(super) reads: Reads,
    /// The functions that set a state, each with the enum.
    pub(super) setters: BTreeSet<(usize, usize)>,
    /// What was not followed at all, with its assignments.
    unknown: Vec<(usize, Lost, BTreeSet<At>)>,
    /// The functions that were followed for the one that is tried.
    called: BTreeSet<usize>,
    /// The places of assignments in the function that is tried.
    pub(super) pending: BTreeSet<(At, usize)>,
}

impl<'r, 'e, 'a> Forms<'r, 'e, 'a> {
    pub(super) fn new(
        items: &'e Items<'a>,
        eval: Eval<'e, 'a>,
        bodies: &'e [Body],
        machines: &'r mut [Machine],
        lost: &'r mut Findings,
    ) -> Self {
        let (reads, setters, called, pending) = (Reads::default(), BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        Forms { items, eval, bodies, machines, lost, reads, setters, unknown: Vec::new(), called, pending }
    }

    pub(super) fn read(&mut self) {
        // A private function that is called by one that is read has no steps of its own.
        let mut calls: BTreeMap<usize, Seen> = BTreeMap::new();
        let concerned = self.concerned();
        for idx in 0..self.items.functions.len() {
            self.eval.seen = Seen::default();
            (self.eval.seed, self.eval.about) = (None, None);
            if concerned.contains(&idx) {
                self.eval.is_survey = true;
                self.eval.run(idx, &[]);
                self.eval.is_survey = false;
            }
            let seen = std::mem::take(&mut self.eval.seen);
            self.setters.extend(seen.set.keys().map(|it| (idx, *it)));
            calls.insert(idx, seen);
        }
        self.reads.setters = self.setters.iter().map(|(idx, of)| (self.items.functions[*idx].name.clone(), *of)).collect();
        let mut called: BTreeSet<usize> = calls.values().flat_map(|it| it.called.iter().copied()).collect();
        // Of a method, the type that it is called on may not be known yet.
        let mut methods = BTreeSet::new();
        self.bodies
            .iter()
            .for_each(|it| it.block.all(&mut |it| methods.extend(if let Kind::Method(name, ..) = &it.kind { Some(name) } else { None })));
        called.extend((0..self.items.functions.len()).filter(|it| methods.contains(&self.items.functions[*it].name)));
        let mut order: Vec<usize> = (0..self.items.functions.len()).collect();
        order.sort_by_key(|it| called.contains(it) && !self.items.functions[*it].is_public);
        let mut followed: BTreeSet<(usize, usize)> = BTreeSet::new();
        for idx in order {
            self.function(idx, &calls[&idx], &called, &mut followed);
        }
        for (of, lost, sites) in std::mem::take(&mut self.unknown) {
            if sites.iter().all(|it| self.reads.sites.contains(&(*it, of))) {
                self.not_followed(of, &lost);
            }
        }
        for idx in 0..self.items.constants.len() {
            let constant = &self.items.constants[idx];
            if let Some(Value::List(all)) = self.eval.constant(idx) {
                let name = constant.name.clone();
                let (range, is_local) = (constant.range.clone(), constant.is_local);
                self.list(&name, &all, self.eval.constants.get(idx), range, is_local);
            }
        }
    }

    /// The functions that name a variant or a place of an enum, and those that call one of these. Others say nothing of states.
    fn concerned(&self) -> BTreeSet<usize> {
        let mut concerned = BTreeSet::new();
        let mut callers: Vec<(usize, BTreeSet<usize>)> = Vec::new();
        for (idx, body) in self.bodies.iter().enumerate() {
            let mut is_it = !self.states(idx).is_empty();
            let mut called = BTreeSet::new();
            body.block.all(&mut |it| match &it.kind {
                Kind::Variant(..) | Kind::Constant(_) | Kind::Unread(..) => is_it = true,
                Kind::Place(place) => is_it |= self.eval.declared_enum(place).is_some(),
                Kind::Field(_, symbol) => is_it |= !self.items.enums_of_field(&self.eval.symbols.names[*symbol as usize]).is_empty(),
                Kind::Call(called_one, _) => called.extend(*called_one),
                Kind::Method(name, ..) => called.extend(self.items.functions_named(name)),
                _ => {}
            });
            if is_it {
                concerned.insert(idx);
            } else {
                callers.push((idx, called));
            }
        }
        loop {
            let before = concerned.len();
            callers.retain(|(idx, called)| called.is_disjoint(&concerned) || !concerned.insert(*idx));
            if concerned.len() == before {
                return concerned;
            }
        }
    }

    fn function(&mut self, idx: usize, seen: &Seen, called: &BTreeSet<usize>, followed: &mut BTreeSet<(usize, usize)>) {
        let function = &self.items.functions[idx];
        let name = super::range::range(&function.signature.ident);
        let states = self.states(idx);
        if self.bodies[idx].parameters.is_empty() {
            self.without_parameters(idx, &name);
        }
        let mut enums: BTreeSet<usize> = seen.set.keys().copied().collect();
        enums.extend(states.iter().map(|it| it.1));
        for of in enums {
            let n_states = self.items.enums[of].variants.len();
            if n_states > MAX_STATES || self.items.is_of_library(of) || n_states == 0 {
                continue;
            }
            let own: Vec<Local> = states.iter().filter(|it| it.1 == of).map(|it| it.0).collect();
            self.ends(idx, of, &own);
            let is_private = !function.is_public && called.contains(&idx);
            if is_private && followed.contains(&(idx, of)) {
                self.reads.functions.insert((idx, of));
                continue;
            }
            let set = seen.set.get(&of);
            self.called.clear();
            let before = self.reads.functions.len();
            match (set, own.as_slice()) {
                (Some(set), _) => self.setting(idx, of, set, &own, seen, &name),
                (None, [first, second]) => self.pairs(idx, of, [*first, *second], None, &name),
                (None, [one]) => self.following(idx, of, *one, seen, &name),
                (None, _) => {}
            }
            if self.reads.functions.len() > before {
                followed.extend(self.called.iter().map(|it| (*it, of)));
            }
        }
    }

    /// The parameters that are states, each with its enum.
    fn states(&self, idx: usize) -> Vec<(Local, usize)> {
        let function = &self.items.functions[idx];
        let of_type = |local: Local| {
            let variable = &self.eval.variables[local];
            self.items.enum_named(variable.ty.as_deref()?, &function.module)
        };
        self.bodies[idx].parameters.iter().filter_map(|(local, _)| Some((*local, of_type(*local)?))).collect()
    }

    fn returned(&self, idx: usize) -> Vec<String> {
        match &self.items.functions[idx].signature.output {
            syn::ReturnType::Type(_, ty) => names_in(ty.to_token_stream()),
            syn::ReturnType::Default => Vec::new(),
        }
    }

    fn returns(&self, idx: usize, of: usize) -> bool {
        let function = &self.items.functions[idx];
        let is_it = |it: &String| {
            let name = if it == "Self" { function.of.as_deref().unwrap_or_default() } else { it };
            self.items.enum_named(name, &function.module) == Some(of)
        };
        self.returned(idx).iter().any(is_it)
    }

    /// `fn default() -> Self`, and a list that a function without parameters returns.
    fn without_parameters(&mut self, idx: usize, name: &Range<usize>) {
        let function = &self.items.functions[idx];
        let is_start = matches!(function.name.as_str(), "default" | "initial" | "initial_state" | "start");
        let is_list = matches!(&function.signature.output, syn::ReturnType::Type(_, ty) if names_in(ty.to_token_stream()).len() > 1 || ty.to_token_stream().to_string().contains('['));
        if !is_start && !is_list {
            return;
        }
        let paths = self.run(idx, &[]);
        let [Path { guards, flow: Flow::Next(value) | Flow::Return(value), .. }] = paths.as_slice() else { return };
        match value {
            Value::Variant(of, state) if is_start && guards.is_empty() => {
                let draft = &mut self.machines[*of].draft;
                if draft.states.iter().all(|it| !it.initial) {
                    draft.states[*state].initial = true;
                }
            }
            Value::List(all) if guards.is_empty() => {
                let fn_name = function.name.clone();
                self.list(&fn_name, &all.clone(), None, name.clone(), false);
            }
            _ => {}
        }
    }

    /// `fn is_terminal(self) -> bool`
    fn ends(&mut self, idx: usize, of: usize, own: &[Local]) {
        let function = &self.items.functions[idx];
        let [one] = own else { return };
        if !matches!(function.name.as_str(), "is_terminal" | "is_final" | "terminal") || !self.items.enums[of].is_known() {
            return;
        }
        for state in 0..self.items.enums[of].variants.len() {
            let paths = self.run(idx, &[(*one, Value::Variant(of, state))]);
            if let [Path { guards, flow: Flow::Next(Value::Bool(true)) | Flow::Return(Value::Bool(true)), .. }] = paths.as_slice()
                && guards.is_empty()
            {
                self.machines[of].draft.states[state].terminal = true;
            }
        }
    }

    fn run(&mut self, idx: usize, values: &[(Local, Value)]) -> Vec<Path> {
        self.eval.seen = Seen::default();
        let paths = self.eval.run(idx, values);
        self.called.extend(&self.eval.seen.called);
        paths
    }

    /// Functions of two states: `fn can_become(self, to: State) -> bool`, or one that sets the second where it may.
    fn pairs(&mut self, idx: usize, of: usize, [first, second]: [Local; 2], set: Option<&Place>, name: &Range<usize>) {
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
    fn answer(&self, idx: usize, of: usize) -> Answer {
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

    /// The event among the parameters of a function, by its name, with the values that it can have.
    fn event(&self, idx: usize, of: usize, seen: &Seen, returns: bool) -> Option<Event> {
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

    /// Functions that return what follows a state: `fn next(self, event: Event) -> Option<Self>`.
    fn following(&mut self, idx: usize, of: usize, state: Local, seen: &Seen, name: &Range<usize>) {
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

    fn not_followed(&mut self, of: usize, lost: &Lost) {
        let n_states = self.items.enums[of].variants.len();
        self.machines[of].draft.partial |= !lost.is_empty();
        for ((start, end), states) in lost {
            let from = if states.len() < n_states { format!(" from {}", self.named(of, states)) } else { String::new() };
            let at = self.machines[of].place(*start..*end);
            self.lost.loss(at, format!("where this leads{from} was not followed: there is no row"));
        }
    }

    /// Reports what was not followed, and adds the steps.
    fn finish(&mut self, of: usize, event: Option<Event>, mut found: Found, place: statespec_lang::source::Span) {
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

    /// Functions that set a state: `self.state = State::Open`.
    fn setting(&mut self, idx: usize, of: usize, set: &BTreeSet<(Place, At)>, own: &[Local], seen: &Seen, name: &Range<usize>) {
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

    fn is_optional(&self, place: &Place) -> bool {
        !place.fields.is_empty() && self.eval.declared_type(place.local, &place.fields).is_some_and(|it| it == "Option")
    }

    /// Whether a function sets the state to what it gets.
    fn sets_parameter(&mut self, idx: usize, of: usize, place: &Place, given: Local) -> bool {
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

    fn collect_sites(&mut self, of: usize, set: Option<&Place>) {
        if set.is_some() {
            let sites: Vec<At> = self.eval.seen.sites.iter().copied().collect();
            self.pending.extend(sites.into_iter().map(|it| (it, of)));
        }
    }

    /// The name of a function as an event; with its type, if another type has such a function.
    fn event_name(&self, idx: usize, of: usize) -> String {
        let function = &self.items.functions[idx];
        let is_same = |it: &Function<'_>| it.name == function.name && it.of != function.of;
        let is_two = self.items.functions.iter().enumerate().any(|(other, it)| is_same(it) && self.setters.contains(&(other, of)));
        match &function.of {
            Some(of) if is_two => format!("{}_{}", statespec_lang::names::snake(of), function.name),
            _ => function.name.clone(),
        }
    }

    /// A list of pairs, of pairs with an event, or of states with those that follow.
    fn list(&mut self, name: &str, all: &[Value], expr: Option<&Expr>, whole: Range<usize>, is_local: bool) {
        let read: Vec<Option<Listed>> = all.iter().map(|it| self.listed(it)).collect();
        let Some(of) = read.iter().flatten().map(|it| it.of).next() else { return };
        let place = self.machines[of].place(whole.clone());
        if names::is_refused(name) {
            self.lost.loss(place, format!("`{name}` lists steps that are not allowed: nothing was imported from it"));
            return;
        }
        let is_named = names::is_of_steps(name) || read.iter().flatten().any(|it| it.event.is_some());
        if is_local && !is_named {
            self.lost.loss(place, format!("nothing says whether the pairs of `{name}` are allowed: nothing was imported from them"));
            return;
        }
        self.want(of);
        self.machines[of].is_table = true;
        let n_other = read.iter().filter(|it| it.as_ref().is_none_or(|it| it.of != of)).count();
        if n_other > 0 {
            self.machines[of].draft.partial = true;
            self.lost.loss(place, format!("{n_other} of the entries cannot be read as steps: they were left out"));
        }
        if !is_named && self.items.enums[of].is_known() {
            let message = format!("nothing says that the pairs of `{name}` are allowed: they were read as steps");
            self.machines[of].draft.found.assumed(place, message);
        }
        let places = expr.map(entries).unwrap_or_default();
        for (idx, listed) in read.into_iter().enumerate() {
            let Some(listed) = listed.filter(|it| it.of == of) else { continue };
            let at = if places.len() == all.len() { places[idx].0..places[idx].1 } else { whole.clone() };
            for to in listed.to {
                let mut row = Row::new(From::State(listed.from), Some(to), self.machines[of].place(at.clone()));
                row.events = listed.event.iter().cloned().collect();
                self.machines[of].add(row);
            }
        }
    }

    fn listed(&self, entry: &Value) -> Option<Listed> {
        let event = |value: &Value, of: usize| match value {
            Value::Variant(other, idx) if *other != of => Some(self.items.enums[*other].variants[*idx].name.clone()),
            Value::Text(text) if !text.trim().is_empty() => Some(text.clone()),
            Value::Wrapped(Wrap::Some, inner) => match &**inner {
                Value::Variant(other, idx) => Some(self.items.enums[*other].variants[*idx].name.clone()),
                Value::Text(text) => Some(text.clone()),
                _ => None,
            },
            _ => None,
        };
        let one = |it: &Value, of: usize| match it {
            Value::Variant(other, idx) if *other == of => Some(*idx),
            _ => None,
        };
        let targets = |value: &Value, of: usize| match value {
            Value::List(all) => all.iter().map(|it| one(it, of)).collect::<Option<Vec<usize>>>(),
            other => one(other, of).map(|it| vec![it]),
        };
        match entry {
            Value::Tuple(all) => {
                let Value::Variant(of, from) = *all.first()? else { return None };
                match &all[1..] {
                    [to] => Some(Listed { of, from, to: targets(to, of)?, event: None }),
                    [a, b] => match (targets(a, of), targets(b, of)) {
                        (Some(to), None) => Some(Listed { of, from, to, event: Some(event(b, of)?) }),
                        (None, Some(to)) => Some(Listed { of, from, to, event: Some(event(a, of)?) }),
                        _ => None,
                    },
                    _ => None,
                }
            }
            Value::Struct(_, fields) => {
                let field =
                    |is_it: fn(&str) -> bool| fields.iter().find(|it| is_it(&self.eval.symbols.names[*it.0 as usize])).map(|it| it.1);
                let Value::Variant(of, from) = *field(names::is_field_of_source)? else { return None };
                let to = targets(field(names::is_field_of_target)?, of)?;
                Some(Listed { of, from, to, event: field(names::is_field_of_event).and_then(|it| event(it, of)) })
            }
            _ => None,
        }
    }

    /// Notes that an enum has steps here, whose variants are known only in part.
    fn want(&mut self, of: usize) {
        if matches!(self.items.enums[of].origin, Origin::Unknown) {
            self.reads.wanted.insert(of);
        }
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

    /// Adds steps; one that leads from every state to one target is a single row, behind those with a condition.
    fn add(&mut self, of: usize, steps: Vec<Step>, events: &[String]) {
        let n_states = self.items.enums[of].variants.len();
        let mut sources: BTreeMap<(usize, Option<usize>), BTreeSet<usize>> = BTreeMap::new();
        for step in steps.iter().filter(|it| it.guards.is_empty()) {
            sources.entry((step.to, step.event)).or_default().insert(step.from);
        }
        let is_whole = |it: &Step| it.guards.is_empty() && n_states > 2 && sources[&(it.to, it.event)].len() == n_states;
        let (last, first): (Vec<&Step>, Vec<&Step>) = steps.iter().partition(|it| is_whole(it));
        let machine = &mut self.machines[of];
        for step in first.into_iter().chain(last) {
            let from = if is_whole(step) { From::Any } else { From::State(step.from) };
            let mut row = Row::new(from, Some(step.to), machine.place(step.at.clone()));
            row.events = step.event.and_then(|it| events.get(it)).cloned().into_iter().collect();
            row.guards = step.guards.iter().map(text).collect();
            machine.add(row);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// It says yes or no.
    Says,
    /// Its values can mean either.
    Open,
    None,
}

struct Event {
    local: Local,
    is_named: bool,
    values: Vec<(String, Value)>,
    /// The values behind stand for all others.
    n_named: usize,
    of: Option<usize>,
}

#[derive(Default)]
struct Found {
    steps: Vec<Step>,
    /// What keeps the state.
    stays: Vec<Step>,
    /// What was not followed, each with the states in which it is reached.
    lost: Lost,
    event: Option<String>,
}

struct Listed {
    of: usize,
    from: usize,
    to: Vec<usize>,
    event: Option<String>,
}

enum Leads {
    To(Vec<usize>),
    Nowhere,
    Gone,
    Unknown,
}

/// Where a value that a function returns leads.
fn targets(eval: &Eval<'_, '_>, path: &Path, value: &Value, of: usize) -> Leads {
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

/// A condition as a text.
fn text(guard: &Guard) -> String {
    let Guard { text, holds, .. } = guard;
    match [("Ok(_)", "Err(_)"), ("Some(_)", "None")].iter().find_map(|(a, b)| Some((text.strip_suffix(a)?, b))) {
        _ if *holds => text.clone(),
        Some((rest, other)) if rest.ends_with(" is ") => format!("{rest}{other}"),
        _ if text.chars().all(|it| it.is_alphanumeric() || it == '_' || it == '.') => format!("!{text}"),
        _ => format!("!({text})"),
    }
}

/// Steps without the conditions that their order says: that what an earlier step asks does not hold.
fn ordered(steps: Vec<Step>) -> Vec<Step> {
    let mut done: Vec<Step> = Vec::new();
    for mut step in merged(steps) {
        let mut at = 0;
        while at < step.guards.len() {
            let (guard, of) = (&step.guards[at], &step.guards);
            let is_opposite = |it: &Guard| it.text == guard.text && it.holds != guard.holds;
            let is_before = |it: &Step| {
                let is_same = it.from == step.from && it.event == step.event && (step.event.is_some() || it.to == step.to);
                is_same && it.guards.iter().all(|it| is_opposite(it) || (it != guard && of.contains(it)))
            };
            if done.iter().any(is_before) {
                step.guards.remove(at);
            } else {
                at += 1;
            }
        }
        // What an earlier step with the same target asks besides, says nothing.
        let is_same = |it: &Step| (it.from, it.event) == (step.from, step.event);
        while let Some(last) = done.iter().rposition(is_same)
            && done[last].to == step.to
            && step.guards.iter().all(|it| done[last].guards.contains(it))
        {
            done.remove(last);
        }
        if !done.iter().any(|it| (it.from, it.to, it.event, &it.guards) == (step.from, step.to, step.event, &step.guards)) {
            done.push(step);
        }
    }
    done
}

/// One step for two that differ in whether a condition holds.
fn merged(mut steps: Vec<Step>) -> Vec<Step> {
    let same = |a: &Step, b: &Step| {
        let is_same = (a.from, a.to, a.event, a.guards.len()) == (b.from, b.to, b.event, b.guards.len());
        let mut differ = a.guards.iter().zip(&b.guards).enumerate().filter(|(_, (a, b))| a != b);
        let (at, (x, y)) = differ.next().filter(|_| is_same)?;
        (differ.next().is_none() && x.text == y.text && x.holds != y.holds).then_some(at)
    };
    let find = |steps: &[Step]| (0..steps.len()).find_map(|a| (a + 1..steps.len()).find_map(|b| Some((a, b, same(&steps[a], &steps[b])?))));
    while let Some((a, b, at)) = find(&steps) {
        steps.remove(b);
        steps[a].guards.remove(at);
    }
    steps
}

/// Whether the steps are the same on every event.
fn is_same_on_all(steps: &[Step], n_events: usize) -> bool {
    let on = |event: usize| -> Vec<(usize, usize, &Vec<Guard>)> {
        steps.iter().filter(|it| it.event == Some(event)).map(|it| (it.from, it.to, &it.guards)).collect()
    };
    (1..n_events).all(|it| on(it) == on(0))
}

/// Whether the steps are the same from every state.
fn is_same_from_all(steps: &[Step], n_states: usize) -> bool {
    let of =
        |from: usize| -> Vec<(usize, &Vec<Guard>)> { steps.iter().filter(|it| it.from == from).map(|it| (it.to, &it.guards)).collect() };
    n_states > 1 && (1..n_states).all(|it| of(it) == of(0))
}

fn type_is_list(output: &syn::ReturnType) -> bool {
    match output {
        syn::ReturnType::Type(_, ty) => {
            let text = ty.to_token_stream().to_string();
            text.contains('[') || text.starts_with("Vec <")
        }
        syn::ReturnType::Default => false,
    }
}

/// The places of the entries of a list.
fn entries(expr: &Expr) -> Vec<At> {
    match &expr.kind {
        Kind::List(all) => all.iter().map(|it| it.at).collect(),
        Kind::Borrow(_, inner) => entries(inner),
        _ => Vec::new(),
    }
}
