//! The transitions of a state: their triggers, targets, guards and actions.

use statespec_lang::source::Span;
use statespec_lang::yaml::{Node, NodeKind};

use super::invoke::ending;
use super::values::{entries, get, is_nothing, items, key_span, named, text};
use super::versions::Way;
use super::{KNOWN, OF_VERSION_4, OF_VERSION_5, Reader, no_parameters, path_of};
use crate::delays::after_micros;
use crate::draft::{Effect, From, Goal, Row, Trigger};
use crate::guard::Guard;

/// The keys of a transition; the last two are of one in a list.
const OF_TRANSITION: &[&str] = &["target", "guard", "cond", "in", "actions", "description", "reenter", "internal", "event", "delay"];

impl<'a> Reader<'a> {
    pub(super) fn body(&mut self, state: Option<usize>, node: &'a Node) {
        let from = state.map_or(From::Any, From::State);
        self.handlers(from, node);
        if let Some(always) = get(node, "always") {
            self.transitions(from, Trigger::Automatic, &[], key_span(node, "always"), always);
        }
        self.delays(from, node);
        if let Some(done) = get(node, "onDone") {
            let span = key_span(node, "onDone");
            match state {
                Some(_) => self.transitions(from, Trigger::Done, &[], span, done),
                None => self.draft.found.loss(span, NEVER_DONE),
            }
        }
        self.invoked(state, node);
        for (key, _) in entries(node) {
            let Some(name) = text(key) else { continue };
            self.is_version_4 |= OF_VERSION_4.contains(&name);
            self.is_version_5 |= OF_VERSION_5.contains(&name);
            if !KNOWN.contains(&name) {
                self.draft.found.loss(key.span, format!("a spec has nothing for `{name}`: it was left out"));
            }
        }
        if state.is_none() {
            for key in ["entry", "exit", "onEntry", "onExit"].into_iter().filter(|it| get(node, it).is_some()) {
                self.draft.found.loss(key_span(node, key), "a machine as a whole is not entered or left: these effects were left out");
            }
        }
    }

    /// The transitions for events: an object by event, or, in version 4, a list.
    fn handlers(&mut self, from: From, node: &'a Node) {
        let Some(on) = get(node, "on").filter(|it| !is_nothing(it)) else { return };
        let NodeKind::List(listed) = &on.kind else {
            if !matches!(on.kind, NodeKind::Map(_)) {
                self.draft.found.loss(on.span, "the transitions of a state are an object or a list: these were left out");
            }
            for (event, value) in entries(on) {
                self.on(from, text(event).unwrap_or_default(), event.span, value);
            }
            return;
        };
        self.is_version_4 = true;
        let event = |it: &'a Node| get(it, "event").and_then(text);
        for (idx, item) in listed.iter().enumerate() {
            let Some(name) = event(item) else {
                self.draft.found.loss(item.span, "this transition names no event: it was left out");
                continue;
            };
            if name == "*" {
                // The order of the list counts; a spec tries the rows that name an event first.
                let later = listed[idx + 1..].iter().filter_map(event).filter(|it| !matches!(*it, "" | "*")).map(str::to_owned);
                let later: Vec<String> = later.collect();
                if !later.is_empty() {
                    self.transitions(from, Trigger::Events, &later, item.span, item);
                }
            }
            self.on(from, name, item.span, item);
        }
    }

    fn on(&mut self, from: From, name: &str, span: Span, value: &'a Node) {
        let trigger = match name {
            "" => {
                self.is_version_4 = true;
                Trigger::Automatic
            }
            "*" => Trigger::AnyOther,
            _ if name.ends_with('*') => {
                return self
                    .draft
                    .found
                    .loss(span, format!("`{name}` stands for every other event, and a spec names each: it was left out"));
            }
            _ => match self.own_event(from, name, span) {
                Some(trigger) => trigger,
                None => return,
            },
        };
        let event = ending(name).filter(|(_, id)| self.is_invoked(id)).map_or_else(|| name.to_owned(), |it| it.0);
        let events: &[String] = if trigger == Trigger::Events { &[event] } else { &[] };
        self.transitions(from, trigger, events, span, value);
    }

    /// What an event triggers: XState itself raises some.
    fn own_event(&mut self, from: From, name: &str, span: Span) -> Option<Trigger> {
        let of_version_4 = ["done.state.", "done.invoke.", "error.platform."];
        self.is_version_4 |= of_version_4.iter().any(|it| name.starts_with(it));
        self.is_version_5 |= ["xstate.done.", "xstate.error."].iter().any(|it| name.starts_with(it));
        match (name.strip_prefix("xstate.").unwrap_or(name).strip_prefix("done.state."), from) {
            (Some(id), From::State(state)) if self.is_id(id, state) && self.draft.may_be_done(state) => {
                return Some(Trigger::Done);
            }
            (Some(id), _) if id == self.id => {
                self.draft.found.loss(span, NEVER_DONE);
                return None;
            }
            (Some(_), _) => self.draft.found.loss(span, crate::ordinary_done(name)),
            // What is said of the invoked is said once.
            _ if ending(name).is_some_and(|(_, id)| self.is_invoked(id)) => {}
            _ if name.starts_with("xstate.") || of_version_4.iter().any(|it| name.starts_with(it)) => {
                let message = format!("`{name}` comes from what runs the chart: it became an event that your code must raise");
                self.draft.found.loss(span, message);
            }
            _ => {}
        }
        Some(Trigger::Events)
    }

    /// Whether XState knows a state by this id.
    fn is_id(&self, id: &str, state: usize) -> bool {
        match self.ids.get(id) {
            Some(known) => *known == state,
            None => id.strip_prefix(&self.id).and_then(|it| it.strip_prefix('.')) == Some(&path_of(&self.draft, &self.keys, state)),
        }
    }

    /// The delayed transitions: an object by delay, or, in version 4, a list.
    fn delays(&mut self, from: From, node: &'a Node) {
        let Some(after) = get(node, "after").filter(|it| !is_nothing(it)) else { return };
        match &after.kind {
            NodeKind::Map(delays) => {
                for (delay, value) in delays {
                    self.after(from, text(delay).unwrap_or_default(), delay.span, value);
                }
            }
            NodeKind::List(listed) => {
                self.is_version_4 = true;
                for item in listed {
                    match get(item, "delay").and_then(text) {
                        Some(delay) => self.after(from, delay, item.span, item),
                        None => {
                            self.draft.found.loss(item.span, "this transition has no delay that is a number or a name: it was left out")
                        }
                    }
                }
            }
            NodeKind::Scalar { .. } => {
                self.draft.found.loss(after.span, "the delayed transitions of a state are an object or a list: these were left out");
            }
        }
    }

    /// What follows a delay in milliseconds, or one with a name.
    fn after(&mut self, from: From, delay: &str, span: Span, value: &'a Node) {
        let before = self.draft.rows.len();
        let is_number = !delay.is_empty() && delay.bytes().all(|it| it.is_ascii_digit() || it == b'.');
        let duration = after_micros(delay, 1_000);
        match (duration, from) {
            (Some(duration), From::State(_)) => {
                self.transitions(from, Trigger::After, &[], span, value);
                self.draft.rows[before..].iter_mut().for_each(|it| it.after.clone_from(&duration));
            }
            (None, From::State(_)) if is_number && delay.bytes().all(|it| matches!(it, b'0' | b'.')) => {
                self.draft.found.assumed(span, "a timer of no duration elapses at once: the step became automatic");
                self.transitions(from, Trigger::Automatic, &[], span, value);
            }
            _ => {
                let unit = if is_number { " ms" } else { "" };
                let why = match from {
                    From::State(_) if is_number => "a timer of a spec cannot last so long",
                    From::State(_) => "the code of the machine knows how long this is",
                    From::Any | From::Creation => "a timer of a spec belongs to a state",
                };
                // Each state has a timer of its own.
                let of = match from {
                    From::State(state) if self.n_delays(delay) > 1 => format!(" of {}", path_of(&self.draft, &self.keys, state)),
                    _ => String::new(),
                };
                let event = format!("after {delay}{unit}{of}");
                self.draft.found.loss(span, format!("{why}: `{event}` became an event that the code must raise"));
                self.transitions(from, Trigger::Events, &[event], span, value);
            }
        }
    }

    /// The number of states with this delay.
    fn n_delays(&self, delay: &str) -> usize {
        let has = |after: &Node| match &after.kind {
            NodeKind::Map(delays) => delays.iter().any(|it| text(&it.0) == Some(delay)),
            NodeKind::List(listed) => listed.iter().any(|it| get(it, "delay").and_then(text) == Some(delay)),
            NodeKind::Scalar { .. } => false,
        };
        self.bodies.iter().filter(|(_, body)| get(body, "after").is_some_and(has)).count()
    }

    /// One transition, a list of them, or the name of a target.
    pub(super) fn transitions(&mut self, from: From, trigger: Trigger, events: &[String], span: Span, value: &'a Node) {
        match &value.kind {
            NodeKind::List(all) => all.iter().for_each(|it| self.transitions(from, trigger, events, it.span, it)),
            _ => self.transition(from, trigger, events, span, value),
        }
    }

    fn transition(&mut self, from: From, trigger: Trigger, events: &[String], span: Span, value: &'a Node) {
        let mut row = Row::new(from, None, span);
        row.trigger = trigger;
        row.events = events.to_vec();
        self.is_version_4 |= ["cond", "internal", "in"].iter().any(|it| get(value, it).is_some());
        self.is_version_5 |= ["guard", "reenter"].iter().any(|it| get(value, it).is_some());
        // Without a target, the event is taken and nothing happens: it does not reach the states around.
        let target = if text(value).is_some() { Some(value) } else { get(value, "target") };
        let targets: Vec<&Node> = target.into_iter().flat_map(items).filter(|it| !is_nothing(it)).collect();
        let mut goals: Vec<Goal> = Vec::new();
        let mut way = Way { is_of_machine: from == From::Any, ..Way::default() };
        for target in targets {
            let name = text(target).unwrap_or_default();
            let Some(found) = self.target(from, name, target.span) else { return };
            way.is_dotted |= name.starts_with('.');
            way.history = way.history.or_else(|| self.history_named(from, name));
            let is_apart = |it: &Goal| goals.iter().all(|other| self.draft.are_in_different_regions(other.0, it.0));
            if found.iter().all(is_apart) {
                goals.extend(found);
            } else {
                self.draft.found.loss(target.span, format!("a step leads to one state of a region: `{name}` was left out"));
            }
        }
        if trigger == Trigger::Automatic && goals.is_empty() {
            let message = "a spec takes this step again as long as its guard holds, and a chart of version 5 only if an action changed the context: what it performs must end that";
            self.draft.found.loss(span, message);
        }
        row.lead_to(&goals);
        let is_true = |key: &str| get(value, key).and_then(text).map(|it| it == "true");
        (way.internal, way.reenter) = (is_true("internal"), is_true("reenter") == Some(true));
        self.ways.insert(span, way);
        for key in ["guard", "cond"] {
            let Some(guard) = get(value, key).filter(|it| !is_nothing(it)) else { continue };
            match self.guard(guard) {
                Some(Guard::Text(text)) => row.guards.push(text),
                Some(guard) => row.composed.push(guard),
                None => return self.draft.found.loss(guard.span, NO_GUARD),
            }
        }
        if let Some(state) = get(value, "in").filter(|it| !is_nothing(it)) {
            match text(state) {
                Some(state) => row.guards.push(self.is_in(from, state)),
                None => return self.draft.found.loss(state.span, NO_GUARD),
            }
        }
        (row.raise, row.effects) = self.actions(get(value, "actions"));
        row.doc = get(value, "description").and_then(text).map(str::to_owned);
        for (key, _) in entries(value) {
            if let Some(name) = text(key).filter(|it| !OF_TRANSITION.contains(it)) {
                self.draft.found.loss(key.span, format!("a spec has nothing for `{name}`: it was left out"));
            }
        }
        self.draft.rows.push(row);
    }

    /// A guard, or a combination of guards; `None` if one of them has no name.
    fn guard(&mut self, node: &Node) -> Option<Guard> {
        let ty = get(node, "type").and_then(text).unwrap_or_default();
        let inner = get(node, "guards").or_else(|| get(get(node, "params")?, "guards"));
        if let Some(NodeKind::List(inner)) = inner.map(|it| &it.kind) {
            let mut all: Vec<Guard> = inner.iter().map(|it| self.guard(it)).collect::<Option<_>>()?;
            match (ty.trim_start_matches("xstate.").trim_start_matches("guard:"), all.len()) {
                ("not", 1) => return all.pop().map(|it| Guard::Not(Box::new(it))),
                ("and", 1..) => return Some(Guard::All(all)),
                ("or", 1..) => return Some(Guard::Any(all)),
                _ => {}
            }
        }
        let name = named(node)?.to_owned();
        let passed = self.passed(node);
        if passed.is_empty() {
            let is_field = self.draft.fields.iter().any(|it| it.name == name);
            return Some(if is_field { Guard::Named(name, passed) } else { Guard::Text(name) });
        }
        let message =
            format!("a predicate of a spec has no parameters: `{name}` with these is a predicate of its own, which your code decides");
        self.draft.found.loss(node.span, message);
        Some(Guard::Named(name, passed))
    }

    /// What an object with a name contains beside it, on one line.
    fn passed(&mut self, node: &Node) -> String {
        self.has_params |= get(node, "params").is_some();
        let rest = entries(node).iter().filter_map(|(key, value)| Some((text(key)?, value)));
        let rest = rest.filter(|(key, value)| !matches!(*key, "type" | "name" | "predicate") && !is_nothing(value));
        rest.map(|(key, value)| format!("{key}: {}", self.source(value))).collect::<Vec<_>>().join(", ")
    }

    /// The condition that a state is active, as in SCXML. A name without `#` is looked up two levels above the transition.
    fn is_in(&self, from: From, state: &str) -> String {
        let parent = |it: usize| self.draft.states[it].parent;
        let around = if let From::State(from) = from { parent(from).and_then(parent) } else { None };
        let known = if state.starts_with('#') { self.resolve(from, state) } else { self.descend(around, state) };
        let id = match known.as_deref() {
            Some([(known, None)]) => Some(&self.draft.states[*known].id),
            _ => None,
        };
        // The condition names a state by its key, which another one may have as well.
        let is_only = |id: &&String| self.draft.states.iter().filter(|it| it.id == **id).count() == 1;
        id.filter(is_only).map_or_else(|| format!("in {state}"), |id| format!("In('{id}')"))
    }

    /// The events that actions raise, and the names of the others: texts, or objects with a `type`.
    pub(super) fn actions(&mut self, value: Option<&Node>) -> (Vec<String>, Vec<Effect>) {
        let (mut raise, mut effects) = (Vec::new(), Vec::new());
        let is_named = |it: &&Node| !is_nothing(it) || text(it) == Some("");
        for item in value.map(items).unwrap_or_default().iter().filter(is_named) {
            let Some(name) = named(item) else {
                self.draft.found.loss(item.span, "an action without a name was left out");
                continue;
            };
            if let Some(event) = raised(item) {
                raise.push(event.to_owned());
                continue;
            }
            let passed = Some(self.passed(item)).filter(|it| !it.is_empty());
            if passed.is_some() {
                self.draft.found.loss(item.span, no_parameters(name));
            }
            effects.push(Effect { text: name.to_owned(), doc: passed });
        }
        (raise, effects)
    }

    /// `sibling`, `sibling.child`, `.child`, `#id`, `#id.child`.
    fn target(&mut self, from: From, name: &str, span: Span) -> Option<Vec<Goal>> {
        let found = self.resolve(from, name);
        if found.is_none() {
            self.draft.found.loss(span, format!("there is no state `{name}` here: the transition was left out"));
        }
        found
    }

    /// The state of a target, or the histories that it means.
    pub(super) fn resolve(&self, from: From, name: &str) -> Option<Vec<Goal>> {
        let from = match from {
            From::State(state) => Some(state),
            _ => None,
        };
        if let Some(path) = name.strip_prefix('#') {
            if let Some(known) = self.ids.get(path) {
                return Some(self.history_of.get(path).cloned().unwrap_or_else(|| vec![(*known, None)]));
            }
            let (id, rest) = path.split_once('.')?;
            let start = self.ids.get(id).copied();
            // The id of the machine itself refers to its root.
            return if start.is_some() || id == self.id { self.descend(start, rest) } else { None };
        }
        if let Some(path) = name.strip_prefix('.') {
            return self.descend(from, path);
        }
        let parent = from.and_then(|it| self.draft.states[it].parent);
        self.descend(parent, name)
    }

    /// The history that a target names, by its position in the list.
    fn history_named(&self, from: From, name: &str) -> Option<usize> {
        let from = if let From::State(state) = from { Some(state) } else { None };
        let join = |start: Option<usize>, rest: &str| match start {
            Some(start) => path_of(&self.draft, &self.keys, start) + "." + rest,
            None => rest.to_owned(),
        };
        let path = match (name.strip_prefix('#'), name.strip_prefix('.')) {
            (Some(id), _) if self.ids.contains_key(id) => id.to_owned(),
            (Some(path), _) => path.split_once('.').map(|(id, rest)| join(self.ids.get(id).copied(), rest))?,
            (None, Some(path)) => join(from, path),
            (None, None) => join(from.and_then(|it| self.draft.states[it].parent), name),
        };
        self.histories.iter().position(|it| it.names.contains(&path))
    }

    /// The state at a path of keys inside another state, or the histories that are meant.
    pub(super) fn descend(&self, start: Option<usize>, path: &str) -> Option<Vec<Goal>> {
        let mut at = start;
        let mut recalled = None;
        for key in path.split('.') {
            let inside = (0..self.draft.states.len()).find(|it| self.draft.states[*it].parent == at && self.keys[*it] == key);
            let path = at.map(|it| path_of(&self.draft, &self.keys, it) + "." + key).filter(|_| inside.is_none());
            recalled = path.as_ref().and_then(|it| self.history_of.get(it)).cloned();
            at = Some(inside.or_else(|| self.ids.get(&path?).copied())?);
        }
        recalled.or_else(|| Some(vec![(at?, None)]))
    }
}

/// The event of an action that raises one at once, without data: `{ "type": "xstate.raise", "event": "GO" }`.
fn raised(action: &Node) -> Option<&str> {
    get(action, "type").and_then(text).filter(|it| *it == "xstate.raise")?;
    let params = get(action, "params").unwrap_or(action);
    let is_plain = |of: &Node, known: &[&str]| {
        entries(of).iter().all(|(key, value)| is_nothing(value) || text(key).is_some_and(|it| known.contains(&it)))
    };
    let event = get(params, "event")?;
    let is_alone = is_plain(action, &["type", "event", "params", "id"]) && is_plain(params, &["type", "event", "id"]);
    let name = text(event).or_else(|| get(event, "type").filter(|_| is_plain(event, &["type"])).and_then(text))?;
    (is_alone && !name.is_empty()).then_some(name)
}

const NEVER_DONE: &str = "a machine as a whole goes nowhere when it is done: this was left out";

const NO_GUARD: &str = "this guard has no name, and without it the step would be taken too often: the transition was left out";
