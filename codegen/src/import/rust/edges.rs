//! The steps that functions and lists tell of.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::Machine;
use super::eval::{Eval, all_of, negated};
use super::items::{Function, Items, Origin, range, type_name};
use super::setters::Setters;
use super::value::{Case, Flow, Scope, Value};
use super::variables::{Variable, Variables};
use super::words::{self, Sense};
use crate::import::draft::{Findings, From, Row};
use crate::import::span;

/// The largest enum whose pairs of states are tried.
const MAX_STATES: usize = 300;

/// Adds the steps to the machines.
pub(super) fn read(eval: Eval<'_, '_>, variables: &[Variables], machines: &mut [Machine], lost: &mut Findings) -> Reads {
    let items = eval.items;
    let mut reader = Reader {
        items,
        eval,
        variables,
        setters: Setters::new(items, variables),
        machines,
        lost,
        hints: Findings::default(),
        wanted: BTreeSet::new(),
        at: 0,
        read: BTreeSet::new(),
    };
    for (idx, function) in items.functions.iter().enumerate().filter(|(_, it)| !it.is_test) {
        reader.at = idx;
        reader.function(function);
    }
    for (idx, constant) in items.constants.iter().enumerate() {
        if constant.is_test || reader.eval.read.contains(&idx) {
            continue;
        }
        let scope = Scope::new(constant.of.as_ref(), &constant.module, 0);
        let cases = reader.eval.expr(constant.value, &scope);
        reader.list(&constant.name, &cases, constant.value, constant.range.clone(), constant.is_local);
    }
    if reader.machines.iter().all(|it| it.draft.rows.is_empty()) {
        reader.lost.0.append(&mut reader.hints.0);
    }
    Reads { wanted: reader.wanted, functions: reader.read, called: reader.eval.called }
}

/// What was read of the code.
pub(super) struct Reads {
    /// The enums of other files whose declarations would tell more.
    pub(super) wanted: BTreeSet<usize>,
    /// The functions, each with an enum whose steps it tells of, or whose steps were reported.
    pub(super) functions: BTreeSet<(usize, usize)>,
    /// The functions that others call.
    pub(super) called: BTreeSet<usize>,
}

struct Reader<'r, 'e, 'a> {
    items: &'e Items<'a>,
    eval: Eval<'e, 'a>,
    /// The variables of every function.
    variables: &'r [Variables],
    setters: Setters<'r>,
    machines: &'r mut [Machine],
    lost: &'r mut Findings,
    /// What only matters if no steps are found.
    hints: Findings,
    /// The enums of other files that have steps here.
    wanted: BTreeSet<usize>,
    /// The function that is read.
    at: usize,
    /// The functions, each with an enum, of which all is imported or reported.
    read: BTreeSet<(usize, usize)>,
}

/// What a value says about a step.
enum Outcome {
    To(Vec<usize>),
    Refused,
    /// It depends on the states in a way that cannot be followed.
    Lost,
    /// It is about something else.
    Other,
}

/// A step: source, target, event and guards.
struct Step {
    from: usize,
    to: usize,
    event: Option<usize>,
    guards: Vec<String>,
    place: Range<usize>,
}

impl Reader<'_, '_, '_> {
    fn function(&mut self, function: &Function<'_>) {
        let variables = &self.variables[self.at];
        let name = range(&function.signature.ident);
        if variables.all.is_empty() && function.signature.inputs.is_empty() {
            // Whatever else it returns is not about steps, and its code may be long.
            if !is_start(&function.name) && !returns_list(function) {
                return;
            }
            let cases = self.eval.block(function.block, &self.scope(function));
            self.start(function, &cases);
            if let Some(syn::Stmt::Expr(value, None)) = function.block.stmts.last() {
                self.list(&function.name, &cases, value, name, false);
            }
            return;
        }
        let mut enums: BTreeMap<usize, Option<Variable>> = variables.all.iter().map(|it| (it.of, None)).collect();
        for (key, of) in self.setters.assigned(self.at, function.of.as_deref()) {
            // A function that it calls may compare the state: `self.expect(State::Idle)?`.
            let field = Variable { key: key.to_owned(), of, is_parameter: false };
            enums.entry(of).or_insert(Some(field));
        }
        for (of, field) in enums {
            if self.items.enums[of].variants.len() > MAX_STATES {
                continue;
            }
            if let Some(field) = field {
                self.following(function, &field, variables, true);
                continue;
            }
            match variables.of(of).as_slice() {
                [one] => {
                    self.ends(function, one);
                    self.following(function, one, variables, false);
                }
                [first, second] => self.pairs(function, first, second),
                _ => {}
            }
        }
    }

    /// Notes that an enum has steps here, whose variants are known only in part.
    fn want(&mut self, of: usize) {
        if !self.items.enums[of].is_known() {
            self.wanted.insert(of);
        }
    }

    /// Whether a name tells of all steps of an enum.
    fn is_general(&self, name: &str, of: usize) -> bool {
        let of = &self.items.enums[of];
        let full = if let Origin::Elsewhere(declared) = &of.origin { &declared.machine } else { &of.name };
        words::is_general(name, &[&of.name, full])
    }

    fn scope(&self, function: &Function<'_>) -> Scope {
        Scope::new(function.of.as_ref(), &function.module, 0)
    }

    /// `fn default() -> Self { Self::Open }`
    fn start(&mut self, function: &Function<'_>, cases: &[Case]) {
        if !is_start(&function.name) {
            return;
        }
        let [Case { guards, flow: Flow::Value(Value::Variant(of, idx)), .. }] = cases else { return };
        let draft = &mut self.machines[*of].draft;
        if guards.is_empty() && draft.states.iter().all(|it| !it.initial) {
            draft.states[*idx].initial = true;
        }
    }

    /// `fn is_terminal(self) -> bool`
    fn ends(&mut self, function: &Function<'_>, variable: &Variable) {
        if !matches!(function.name.as_str(), "is_terminal" | "is_final" | "terminal") || !self.items.enums[variable.of].is_known() {
            return;
        }
        for idx in 0..self.items.enums[variable.of].variants.len() {
            let mut scope = self.scope(function);
            scope.set(&variable.key, Value::Variant(variable.of, idx));
            if let [Case { flow: Flow::Value(Value::Bool(true)) | Flow::Return(Value::Bool(true)), guards, .. }] =
                self.eval.block(function.block, &scope).as_slice()
                && guards.is_empty()
            {
                self.machines[variable.of].draft.states[idx].terminal = true;
            }
        }
    }

    /// A function of two states, which says whether the step is allowed.
    fn pairs(&mut self, function: &Function<'_>, first: &Variable, second: &Variable) {
        let sense = words::sense(&function.name);
        if sense == Sense::Open {
            return;
        }
        let of = first.of;
        let name = range(&function.signature.ident);
        if !words::is_about_steps(&function.name, &first.key, &second.key) {
            let message = format!("nothing says that `{}` is about steps: nothing was imported from it", function.name);
            self.hints.loss(self.machines[of].place(name), message);
            return;
        }
        if sense == Sense::Allowed {
            self.want(of);
        }
        let before = self.eval.read.clone();
        let forward = words::is_forward(&function.name, &first.key, &second.key);
        let n_states = self.items.enums[of].variants.len();
        let mut steps = Vec::new();
        let mut unclear: BTreeSet<(usize, usize)> = BTreeSet::new();
        let (mut n_allowed, mut is_other) = (0, false);
        for a in 0..n_states {
            for b in 0..n_states {
                let mut scope = self.scope(function);
                scope.set(&first.key, Value::Variant(of, a));
                scope.set(&second.key, Value::Variant(of, b));
                let (from, to) = if forward == Some(false) { (b, a) } else { (a, b) };
                self.eval.arm = None;
                let cases = self.eval.block(function.block, &scope);
                let place = self.eval.arm.clone().unwrap_or_else(|| name.clone());
                let (guards, is_lost) = rows(cases, |value| allows(value, to));
                is_other |= is_lost.is_none();
                if is_lost == Some(true) {
                    unclear.insert((from, to));
                    continue;
                }
                n_allowed += usize::from(guards.iter().any(|(it, _)| it.is_empty()));
                steps.extend(guards.into_iter().map(|(guards, _)| Step { from, to, event: None, guards, place: place.clone() }));
            }
        }
        if is_other || n_allowed == n_states * n_states || (steps.is_empty() && unclear.is_empty()) {
            self.eval.read = before;
            return;
        }
        let place = self.machines[of].place(name);
        self.read.insert((self.at, of));
        if sense == Sense::Forbidden {
            self.eval.read = before;
            self.lost.loss(place, format!("`{}` tells which steps are not allowed: nothing was imported from it", function.name));
            return;
        }
        let variants = &self.items.enums[of].variants;
        if let Some((from, to)) = unclear.first() {
            let (from, to) = (&variants[*from].name, &variants[*to].name);
            let n_pairs = unclear.len();
            let message =
                format!("whether {n_pairs} of the steps are allowed cannot be followed, such as `{from}` to `{to}`: they were left out");
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
        self.add(of, steps, &[]);
    }

    /// A function of a state, and of an event, that returns or assigns what follows.
    ///
    /// One that does not compare the state itself is `blind`: nothing says in which states it is called, unless it refuses some.
    fn following(&mut self, function: &Function<'_>, state: &Variable, variables: &Variables, blind: bool) {
        let of = state.of;
        let is_assigned = self.setters.assigns(self.at, &state.key);
        // A parameter first, and of several the one that is called an event. What else is compared is a condition.
        let is_event = |it: &Variable| words::is_event(&self.items.enums[it.of].name, &it.key);
        let is_step_of = |it: &Variable| words::is_step(&function.name, &self.items.enums[it.of].name, &it.key);
        let event = variables.all.iter().filter(|it| it.of != of && (it.is_parameter || is_event(it)));
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
        let before = self.eval.read.clone();
        self.eval.target = is_assigned.then(|| state.key.clone());
        let returns_state = match &function.signature.output {
            syn::ReturnType::Type(_, ty) => type_name(ty).is_some_and(|it| it == self.items.enums[of].name || it == "Self"),
            syn::ReturnType::Default => false,
        };
        let (mut steps, mut unclear, mut others) = (Vec::new(), BTreeSet::new(), false);
        let (mut n_same, mut is_other) = (0, false);
        for from in 0..self.items.enums[of].variants.len() {
            for (idx, (_, value)) in events.iter().enumerate() {
                let mut scope = self.scope(function);
                scope.set(&state.key, Value::Variant(of, from));
                if let (Some(key), Some(value)) = (key, value) {
                    scope.set(key, value.clone());
                }
                self.eval.arm = None;
                let cases = self.eval.block(function.block, &scope);
                let place = self.eval.arm.clone().unwrap_or_else(|| name.clone());
                let cases = if is_assigned { cases.into_iter().map(assigned).collect() } else { cases };
                let (found, is_lost) = rows(cases, |value| leads(value, of));
                is_other |= is_lost.is_none();
                if is_lost == Some(true) {
                    unclear.insert((place.start, place.end));
                }
                let last = found.len().saturating_sub(1);
                for (at, (guards, targets)) in found.into_iter().enumerate() {
                    // Where a condition keeps the state, what follows happens only without it.
                    let keeps = !guards.is_empty() && at < last;
                    for to in targets {
                        if to == from && returns_state && !keeps {
                            n_same += 1;
                        } else if idx >= n_named {
                            others = true;
                        } else {
                            steps.push(Step {
                                from,
                                to,
                                event: events[idx].0.as_ref().map(|_| idx),
                                guards: guards.clone(),
                                place: place.clone(),
                            });
                        }
                    }
                }
            }
        }
        self.eval.target = None;
        let place = self.machines[of].place(name);
        let n_states = self.items.enums[of].variants.len();
        if blind && (!unclear.is_empty() || others || is_same_everywhere(&steps, n_states)) {
            self.eval.read = before;
            return;
        }
        if is_other || steps.is_empty() || !is_step {
            self.eval.read = before;
            if !is_other && is_step && !unclear.is_empty() {
                self.read.insert((self.at, of));
                self.machines[of].draft.partial = true;
                self.lost.loss(place, format!("where `{}` leads cannot be followed: it was left out", function.name));
            }
            if !is_other && !steps.is_empty() {
                let message =
                    format!("nothing says that `{}` is a step: it maps states to states, and nothing was imported from it", function.name);
                self.hints.loss(place, message);
            }
            return;
        }
        self.read.insert((self.at, of));
        let is_read = unclear.is_empty() && !others;
        self.machines[of].draft.partial |= !is_read;
        self.machines[of].takes_steps |= is_assigned;
        for (start, end) in unclear {
            let place = self.machines[of].place(start..end);
            self.lost.loss(place, "where this leads cannot be followed: it was left out");
        }
        if others {
            self.lost.loss(place, "events that the file does not name lead on, too: they were left out");
            event.into_iter().for_each(|it| self.want(it.of));
        }
        let is_table = returns_list(function) && event.is_none() && !is_assigned && self.is_general(&function.name, of);
        self.machines[of].is_table |= is_table;
        // The function lists all that follows each of the states.
        self.machines[of].draft.complete |= is_table && is_read;
        if n_same > 0 {
            let message = format!("`{}` returns the same state where nothing happens: a spec refuses the event there", function.name);
            self.machines[of].draft.found.assumed(place, message);
        }
        let mut names: Vec<String> = events.into_iter().filter_map(|(name, _)| name).collect();
        if is_assigned && !is_open && event.is_some() && does_not_matter(&steps, n_named) {
            steps.retain(|it| it.event == Some(0));
            names = vec![self.event_of(function, of)];
        }
        self.add(of, steps, &names);
    }

    /// The event that a function is: its name, with its type if a function of another type has the same name.
    fn event_of(&self, function: &Function<'_>, of: usize) -> String {
        let is_same = |it: &Function<'_>| !it.is_test && it.name == function.name && it.of != function.of;
        let is_taken = self.items.functions.iter().enumerate().any(|(idx, it)| is_same(it) && self.setters.sets(idx, of, |_| false));
        match &function.of {
            Some(of) if is_taken => format!("{}_{}", crate::names::snake(of), function.name),
            _ => function.name.clone(),
        }
    }

    /// Adds steps; one that leads from every state to one target is a single row.
    fn add(&mut self, of: usize, steps: Vec<Step>, events: &[String]) {
        let n_states = self.items.enums[of].variants.len();
        let everywhere = |step: &Step| {
            let same = |it: &&Step| it.to == step.to && it.event == step.event;
            let sources: BTreeSet<usize> = steps.iter().filter(same).filter(|it| it.guards.is_empty()).map(|it| it.from).collect();
            sources.len() == n_states && n_states > 2
        };
        let mut whole: BTreeSet<(usize, Option<usize>)> = BTreeSet::new();
        let mut known: BTreeSet<(usize, Option<usize>)> = BTreeSet::new();
        for step in &steps {
            if known.insert((step.to, step.event)) && everywhere(step) {
                whole.insert((step.to, step.event));
            }
        }
        let machine = &mut self.machines[of];
        for step in &steps {
            let from = if whole.contains(&(step.to, step.event)) { From::Any } else { From::State(step.from) };
            let mut row = Row::new(from, Some(step.to), machine.place(step.place.clone()));
            row.events = step.event.and_then(|it| events.get(it)).cloned().into_iter().collect();
            row.guards.clone_from(&step.guards);
            machine.add(row);
        }
    }

    /// A list of pairs, of triples with an event, or of states with their successors.
    fn list(&mut self, name: &str, cases: &[Case], expr: &syn::Expr, whole: Range<usize>, is_local: bool) {
        let [Case { guards, flow: Flow::Value(Value::List(list)) | Flow::Return(Value::List(list)), .. }] = cases else { return };
        if !guards.is_empty() {
            return;
        }
        let read: Vec<Option<Listed>> = list.iter().map(listed).collect();
        let Some(of) = read.iter().flatten().map(|it| it.of).next() else { return };
        let place = self.machines[of].place(whole.clone());
        let mut sense = words::sense(name);
        if sense == Sense::Open && read.iter().flatten().any(|it| it.event.is_some()) {
            sense = Sense::Allowed;
        }
        if sense == Sense::Forbidden {
            self.lost.loss(place, format!("`{name}` lists steps that are not allowed: nothing was imported from it"));
            return;
        }
        if sense == Sense::Open && is_local {
            self.lost.loss(place, format!("nothing says whether the pairs of `{name}` are allowed: nothing was imported from them"));
            return;
        }
        self.want(of);
        self.machines[of].is_table |= self.is_general(name, of);
        let n_other = read.iter().filter(|it| it.as_ref().is_none_or(|it| it.of != of)).count();
        if n_other > 0 {
            self.machines[of].draft.partial = true;
            self.lost.loss(place, format!("{n_other} of the entries cannot be read as steps: they were left out"));
        }
        if sense == Sense::Open && self.items.enums[of].is_known() {
            let message = format!("nothing says that the pairs of `{name}` are allowed: they were read as steps");
            self.machines[of].draft.found.assumed(place, message);
        }
        let places = elements(expr);
        for (idx, listed) in read.into_iter().enumerate() {
            let Some(listed) = listed.filter(|it| it.of == of) else { continue };
            let place = if places.len() == list.len() { places[idx].clone() } else { whole.clone() };
            for to in listed.to {
                let mut row = Row::new(From::State(listed.from), Some(to), span(self.machines[of].id, place.clone()));
                row.events = listed.event.iter().map(|it| it.show_event(self.items)).collect();
                self.machines[of].add(row);
            }
        }
    }
}

/// Whether the same steps lead from every state.
fn is_same_everywhere(steps: &[Step], n_states: usize) -> bool {
    let of = |from: usize| -> BTreeSet<_> { steps.iter().filter(|it| it.from == from).map(|it| (it.to, it.event, &it.guards)).collect() };
    let first = of(0);
    (1..n_states).all(|it| of(it) == first)
}

/// Whether every event has the same steps.
fn does_not_matter(steps: &[Step], n_events: usize) -> bool {
    let of = |event: usize| -> BTreeSet<_> {
        steps.iter().filter(|it| it.event == Some(event)).map(|it| (it.from, it.to, &it.guards)).collect()
    };
    let first = of(0);
    n_events > 1 && (1..n_events).all(|it| of(it) == first)
}

impl Value {
    fn show_event(&self, items: &Items<'_>) -> String {
        match self {
            Value::Variant(of, idx) => items.enums[*of].variants[*idx].name.clone(),
            Value::Text(text) => text.clone(),
            other => other.show(items),
        }
    }
}

/// Whether a function of this name returns the first state.
fn is_start(name: &str) -> bool {
    matches!(name, "default" | "initial" | "start" | "initial_state")
}

/// The names in the type that a function returns.
fn returned(function: &Function<'_>) -> Vec<String> {
    match &function.signature.output {
        syn::ReturnType::Type(_, ty) => words_of(ty),
        syn::ReturnType::Default => Vec::new(),
    }
}

fn returns_list(function: &Function<'_>) -> bool {
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

/// An entry of a list.
struct Listed {
    of: usize,
    from: usize,
    to: Vec<usize>,
    event: Option<Value>,
}

fn listed(entry: &Value) -> Option<Listed> {
    let event = |value: &Value, of: usize| match value {
        Value::Variant(other, _) if *other == of => None,
        Value::Variant(..) => Some(value.clone()),
        Value::Text(text) if !text.trim().is_empty() => Some(value.clone()),
        Value::Some(inner) => Some((**inner).clone()),
        _ => None,
    };
    let targets = |value: &Value, of: usize| -> Option<Vec<usize>> {
        match value {
            Value::Variant(other, idx) if *other == of => Some(vec![*idx]),
            Value::List(all) => {
                let one = |it: &Value| match it {
                    Value::Variant(other, idx) if *other == of => Some(*idx),
                    _ => None,
                };
                all.iter().map(one).collect()
            }
            _ => None,
        }
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
        Value::Struct(fields) => {
            let field = |names: &[&str]| fields.iter().find(|(it, _)| names.contains(&it.as_str())).map(|(_, value)| value);
            let Value::Variant(of, from) = *field(&["from", "source", "src", "current"])? else { return None };
            let to = targets(field(&["to", "target", "dest", "destination", "next"])?, of)?;
            let event = field(&["event", "on", "trigger", "action", "command"]).and_then(|it| event(it, of));
            Some(Listed { of, from, to, event })
        }
        _ => None,
    }
}

/// The places of the entries of a list.
fn elements(expr: &syn::Expr) -> Vec<Range<usize>> {
    match expr {
        syn::Expr::Array(it) => it.elems.iter().map(range).collect(),
        syn::Expr::Reference(it) => elements(&it.expr),
        _ => Vec::new(),
    }
}

/// Guards, and the targets that they lead to.
type Guarded = (Vec<String>, Vec<usize>);

/// The guards and targets of cases, of which the first whose guards hold is taken; whether a case could not be
/// followed, or `None` if they are about something else.
fn rows(cases: Vec<Case>, outcome: impl Fn(&Value) -> Outcome) -> (Vec<Guarded>, Option<bool>) {
    let mut found = Vec::new();
    // The conditions of refusals before.
    let mut unless: Vec<String> = Vec::new();
    for case in cases {
        let said = match &case.flow {
            Flow::Value(value @ Value::Unknown { text, of_state: false })
            | Flow::Return(value @ Value::Unknown { text, of_state: false }) => {
                match outcome(value) {
                    // The answer is a condition itself.
                    Outcome::To(to) => {
                        let guards = unless.iter().cloned().chain(case.guards.clone()).chain([text.clone()]).collect();
                        found.push((guards, to));
                        if case.guards.is_empty() {
                            return (found, Some(false));
                        }
                        unless.push(negated(&all_of(&case.guards)));
                        continue;
                    }
                    other => other,
                }
            }
            Flow::Value(value) | Flow::Return(value) => outcome(value),
            Flow::Never => Outcome::Refused,
            Flow::Continue | Flow::Break => Outcome::Lost,
        };
        let certain = case.guards.is_empty();
        match said {
            Outcome::To(to) => found.push((unless.iter().cloned().chain(case.guards).collect(), to)),
            Outcome::Refused if !certain => unless.push(negated(&all_of(&case.guards))),
            Outcome::Refused => {}
            Outcome::Lost => return (found, Some(true)),
            Outcome::Other => return (Vec::new(), None),
        }
        if certain {
            break;
        }
    }
    (found, Some(false))
}

/// Whether a value says that a step is allowed.
fn allows(value: &Value, to: usize) -> Outcome {
    match value {
        Value::Bool(true) | Value::Unit | Value::Unknown { of_state: false, .. } => Outcome::To(vec![to]),
        Value::Bool(false) | Value::Err | Value::None => Outcome::Refused,
        Value::Ok(inner) | Value::Some(inner) => match &**inner {
            Value::Bool(false) => Outcome::Refused,
            Value::Unknown { of_state: true, .. } => Outcome::Lost,
            _ => Outcome::To(vec![to]),
        },
        Value::Unknown { .. } => Outcome::Lost,
        _ => Outcome::Other,
    }
}

/// The states of an enum that a value leads to.
fn leads(value: &Value, of: usize) -> Outcome {
    match value {
        Value::Variant(other, idx) if *other == of => Outcome::To(vec![*idx]),
        Value::Some(inner) | Value::Ok(inner) => leads(inner, of),
        Value::None | Value::Err => Outcome::Refused,
        Value::List(all) => {
            let mut targets = Vec::new();
            for value in all {
                match leads(value, of) {
                    Outcome::To(to) => targets.extend(to),
                    other => return other,
                }
            }
            if targets.is_empty() { Outcome::Refused } else { Outcome::To(targets) }
        }
        // `(next, effects)`
        Value::Tuple(all) => all.first().map_or(Outcome::Other, |it| leads(it, of)),
        Value::Unknown { .. } => Outcome::Lost,
        _ => Outcome::Other,
    }
}

/// The assigned state of a case instead of its value.
///
/// `self.state = Failed; return Err(…)` is a step: the state is `Failed` from then on.
fn assigned(case: Case) -> Case {
    let refuses = match &case.flow {
        Flow::Never => true,
        Flow::Value(value) | Flow::Return(value) => {
            matches!(value, Value::Err | Value::None | Value::Bool(false)) && case.assigned.is_none()
        }
        Flow::Continue | Flow::Break => false,
    };
    let is_lost = matches!(&case.flow, Flow::Return(value) if value.is_of_state());
    let flow = match &case.assigned {
        _ if refuses => Flow::Value(Value::None),
        _ if is_lost => case.flow,
        Some(value) => Flow::Value(value.clone()),
        None => Flow::Value(Value::None),
    };
    Case { flow, ..case }
}
