//! Reads the configuration of an XState machine, versions 4 and 5, as JSON.
//!
//! JSON is parsed as YAML, of which it is a subset, so that every value has a span. Trailing commas and
//! unquoted keys, as in JavaScript, are accepted.

use std::collections::BTreeMap;

use super::draft::{Draft, Effect, Field, Findings, From, Goal, Row, State, Trigger};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{SourceId, Sources, Span};
use crate::yaml::{self, Node, NodeKind};

/// Reads a machine.
pub(super) fn read(sources: &Sources, id: SourceId, found: &mut Findings) -> Option<Draft> {
    let mut diagnostics = Diagnostics::default();
    let node = yaml::parse(sources, id, &mut diagnostics);
    for problem in diagnostics.finish() {
        let message = problem.message.replace("a spec", "an imported file").replace("YAML", "JSON");
        found.unreadable(problem.primary.0, message);
    }
    let node = node?;
    let stem = super::markdown::stem(sources.get(id).path());
    match machine(&node, &stem) {
        Ok(draft) => Some(draft),
        Err(problem) => {
            found.0.push(problem);
            None
        }
    }
}

fn machine(node: &Node, stem: &str) -> Result<Draft, Diagnostic> {
    let place = Span { end: node.span.start + 1, ..node.span };
    if get(node, "states").is_none() {
        return Err(Diagnostic::new(Code::ImportUnreadable, place, "the configuration of a machine is an object with `states`"));
    }
    let name = get(node, "id").and_then(text).unwrap_or(stem);
    let draft = Draft {
        doc: get(node, "description").and_then(text).map(str::to_owned),
        ..Draft::new(super::Kind::Chart, super::naming::machine_name(name), place)
    };
    let mut reader = Reader {
        draft,
        id: name.to_owned(),
        keys: Vec::new(),
        ids: BTreeMap::new(),
        histories: Vec::new(),
        history_of: BTreeMap::new(),
        bodies: Vec::new(),
        is_version_4: false,
        is_version_5: false,
    };
    if let Some(context) = get(node, "context") {
        reader.context(context);
    }
    reader.states(node, None);
    reader.remember();
    for idx in 0..reader.bodies.len() {
        let (state, body) = reader.bodies[idx];
        reader.body(state, body);
    }
    if reader.draft.states.is_empty() {
        return Err(Diagnostic::new(Code::ImportUnreadable, place, "this machine has no states"));
    }
    reader.own_targets();
    reader.regions();
    Ok(reader.draft)
}

struct Reader<'a> {
    draft: Draft,
    /// The id of the machine.
    id: String,
    /// The key of every state.
    keys: Vec<String>,
    /// States by `id`.
    ids: BTreeMap<String, usize>,
    /// The histories, in document order.
    histories: Vec<History<'a>>,
    /// Where a transition to a history leads, by its ids: to the history of one state, or to those of regions.
    history_of: BTreeMap<String, Vec<Goal>>,
    /// Bodies that are read when all states are known; `None` is the machine.
    bodies: Vec<(Option<usize>, &'a Node)>,
    /// Whether a transition has a key of version 4 only.
    is_version_4: bool,
    /// Whether a transition has a key of version 5 only.
    is_version_5: bool,
}

/// Keys that the importer handles or ignores without a finding.
const KNOWN: &[&str] = &[
    "id",
    "initial",
    "states",
    "on",
    "always",
    "after",
    "entry",
    "exit",
    "type",
    "description",
    "context",
    "onDone",
    "version",
    "key",
    "types",
    "schema",
    "tsTypes",
    "predictableActionArguments",
    "preserveActionOrder",
    "strict",
    "order",
];

impl<'a> Reader<'a> {
    fn context(&mut self, node: &Node) {
        if !matches!(node.kind, NodeKind::Map(_)) {
            self.draft.found.loss(node.span, "the context is no object: it was left out");
        }
        for (key, value) in entries(node) {
            let Some(name) = text(key) else { continue };
            let read = match &value.kind {
                NodeKind::Scalar { text, plain: true } => literal(text),
                NodeKind::Scalar { text, .. } => Some(("text", Some(super::write::quoted(text)))),
                _ => None,
            };
            match read {
                Some((ty, default)) if crate::names::is_name(name) => {
                    self.draft.fields.push(Field { name: name.to_owned(), ty, default, optional: false })
                }
                _ => self.draft.found.loss(key.span, format!("the type of `{name}` cannot be determined: it was left out of the context")),
            }
        }
    }

    /// The states inside a node, depth first; the YAML reader bounds the depth.
    fn states(&mut self, node: &'a Node, parent: Option<usize>) {
        self.bodies.push((parent, node));
        if get(node, "type").and_then(text) == Some("parallel") && get(node, "states").is_some_and(|it| !entries(it).is_empty()) {
            match parent {
                Some(parent) => self.draft.states[parent].parallel = true,
                None => self.draft.parallel = true,
            }
        }
        let initial = get(node, "initial").and_then(text);
        let mut n_initial = 0;
        for (key, body) in get(node, "states").map(entries).unwrap_or_default() {
            let Some(name) = text(key) else { continue };
            let known = self.draft.states.len();
            let mut state = State::new(name, parent, key.span);
            state.initial = initial == Some(name);
            n_initial += usize::from(state.initial);
            self.keys.push(name.to_owned());
            match get(body, "type").and_then(text) {
                Some("final") => state.terminal = entries(get(body, "states").unwrap_or(body)).is_empty() || get(body, "states").is_none(),
                Some("history") => {
                    // An arrow to it leads to its parent.
                    if let Some(parent) = parent {
                        self.keys.pop();
                        let deep = get(body, "history").and_then(text) == Some("deep");
                        let path = path_of(&self.draft, &self.keys, parent) + "." + name;
                        let names = get(body, "id").and_then(text).map(str::to_owned).into_iter().chain([path]);
                        let names: Vec<String> = names.collect();
                        self.ids.extend(names.iter().map(|it| (it.clone(), parent)));
                        self.histories.push(History { state: parent, shallow: !deep, name, names, body, span: key.span });
                        continue;
                    }
                    self.draft.found.loss(key.span, "a machine as a whole has no history");
                }
                _ => {}
            }
            if let Some(doc) = get(body, "description").and_then(text) {
                state.doc.push(doc.to_owned());
            }
            state.entry = self.effects(get(body, "entry"));
            state.exit = self.effects(get(body, "exit"));
            self.draft.states.push(state);
            if let Some(id) = get(body, "id").and_then(text) {
                self.ids.insert(id.to_owned(), known);
            }
            self.states(body, Some(known));
        }
        if let Some(initial) = initial.filter(|_| n_initial == 0) {
            self.draft.found.loss(key_span(node, "initial"), format!("there is no state `{initial}` to start in"));
        }
    }

    /// Gives the states histories, once all states are known.
    fn remember(&mut self) {
        for of in 0..self.histories.len() {
            let History { state, shallow, ref names, span, .. } = self.histories[of];
            match self.draft.remembering(state, shallow) {
                Some(states) => {
                    let goals = self.draft.remember(&states, shallow, of);
                    if !goals.is_empty() {
                        self.history_of.extend(names.iter().map(|it| (it.clone(), goals.clone())));
                    }
                }
                None => {
                    let whole = &self.draft.states[state].id;
                    let message = format!(
                        "the history of `{whole}` would have to remember a state with regions, and a field remembers one leaf: transitions to it lead to where `{whole}` starts"
                    );
                    self.draft.found.loss(span, message);
                }
            }
        }
    }

    /// Leads rows to a history to its target where nothing is remembered.
    fn lead_to_defaults(&mut self) {
        let of_spec = self.draft.starts();
        for of in 0..self.histories.len() {
            let History { state, name, ref names, body, span, .. } = self.histories[of];
            let Some(target) = get(body, "target").and_then(text) else { continue };
            let found = match target.strip_prefix('#') {
                Some(_) => self.resolve(From::State(state), target),
                None => self.descend(Some(state), target.strip_prefix('.').unwrap_or(target)),
            };
            let is_plain = |it: &Vec<Goal>| it.iter().all(|it| it.1.is_none() && it.0 != state && self.draft.is_in(it.0, Some(state)));
            let in_spec = self.draft.entered(&of_spec, Some(state), &[]);
            let there = found.filter(is_plain).map(|it| self.draft.entered(&of_spec, Some(state), &it));
            match there {
                Some(there) if there == in_spec => {}
                Some(there) if names.iter().any(|it| self.history_of.contains_key(it)) => {
                    self.draft.lead_to_default(of, state, |_| Some(there.clone()));
                }
                _ => {
                    let whole = &self.draft.states[state].id;
                    let message =
                        format!("where nothing is remembered, a spec goes to where `{whole}` starts: the target of `{name}` was left out");
                    self.draft.found.loss(span, message);
                }
            }
        }
    }

    fn body(&mut self, state: Option<usize>, node: &'a Node) {
        let from = state.map_or(From::Any, From::State);
        for (event, value) in get(node, "on").map(entries).unwrap_or_default() {
            let name = text(event).unwrap_or_default();
            if name == "*" {
                self.transitions(from, Trigger::AnyOther, &[], event.span, value);
                continue;
            }
            if name.ends_with('*') || name.is_empty() {
                self.draft.found.loss(event.span, format!("`{name}` stands for every other event, and a spec names each: it was left out"));
                continue;
            }
            self.transitions(from, Trigger::Events, &[name.to_owned()], event.span, value);
        }
        if let Some(always) = get(node, "always") {
            self.transitions(from, Trigger::Automatic, &[], key_span(node, "always"), always);
        }
        for (delay, value) in get(node, "after").map(entries).unwrap_or_default() {
            let name = text(delay).unwrap_or_default();
            self.after(from, name, delay.span, value);
        }
        if let Some(done) = get(node, "onDone") {
            let span = key_span(node, "onDone");
            match state {
                Some(_) => self.transitions(from, Trigger::Done, &[], span, done),
                None => self.draft.found.loss(span, "a machine as a whole goes nowhere when it is done: this was left out"),
            }
        }
        for (key, _) in entries(node) {
            let Some(name) = text(key).filter(|it| !KNOWN.contains(it)) else { continue };
            self.draft.found.loss(key.span, format!("a spec has nothing for `{name}`: it was left out"));
        }
        if state.is_none() {
            for key in ["entry", "exit"].into_iter().filter(|it| get(node, it).is_some()) {
                self.draft.found.loss(key_span(node, key), "a machine as a whole is not entered or left");
            }
        }
    }

    /// What follows a delay in milliseconds, or one with a name.
    fn after(&mut self, from: From, delay: &str, span: Span, value: &'a Node) {
        let before = self.draft.rows.len();
        let is_number = !delay.is_empty() && delay.bytes().all(|it| it.is_ascii_digit() || it == b'.');
        let duration = super::delays::after_micros(delay, 1_000);
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
                self.draft.found.loss(span, format!("{why}: `after {delay}{unit}` became an event that the code must raise"));
                self.transitions(from, Trigger::Events, &[format!("after {delay}{unit}")], span, value);
            }
        }
    }

    /// One transition, a list of them, or the name of a target.
    fn transitions(&mut self, from: From, trigger: Trigger, events: &[String], span: Span, value: &'a Node) {
        match &value.kind {
            NodeKind::List(items) => items.iter().for_each(|it| self.transitions(from, trigger, events, it.span, it)),
            NodeKind::Scalar { text, plain } if !(*plain && matches!(text.as_str(), "null" | "undefined" | "")) => {
                let to = self.target(from, text, value.span);
                if let Some(goals) = to {
                    let mut row = Row::new(from, None, span);
                    row.lead_to(&goals);
                    row.trigger = trigger;
                    row.events = events.to_vec();
                    self.check_recalled_now(&row);
                    self.draft.rows.push(row);
                }
            }
            NodeKind::Scalar { .. } => {
                self.draft.found.loss(span, "XState forbids the event here; a spec refuses every event without a row")
            }
            NodeKind::Map(_) => self.transition(from, trigger, events, span, value),
        }
    }

    /// Reports a transition to the history of a state that it may leave itself: the text remembers first, a spec reads first.
    fn check_recalled_now(&mut self, row: &Row) {
        let From::State(from) = row.from else { return };
        let targets = row.targets();
        let stays = !row.reenter && targets.iter().all(|it| self.draft.is_in(it.0, Some(from)));
        let domain = if stays { Some(from) } else { self.draft.domain(from, &targets) };
        let histories = targets.iter().filter_map(|it| it.1).map(|it| self.histories[self.draft.recalls[it].of].state);
        if let Some(whole) = histories.into_iter().find(|it| self.draft.may_leave(from, *it, domain)) {
            let message = super::remembered_first(&self.draft.states[whole].id);
            self.draft.found.loss(row.span, message);
        }
    }

    fn transition(&mut self, from: From, trigger: Trigger, events: &[String], span: Span, value: &'a Node) {
        let mut row = Row::new(from, None, span);
        row.trigger = trigger;
        row.events = events.to_vec();
        if let Some(target) = get(value, "target") {
            let targets: Vec<&Node> = match &target.kind {
                NodeKind::List(items) => items.iter().collect(),
                _ => vec![target],
            };
            let mut goals: Vec<Goal> = Vec::new();
            for name in targets.iter().filter_map(|it| text(it)).filter(|it| !it.is_empty()) {
                let Some(found) = self.target(from, name, target.span) else { return };
                let is_apart = |it: &Goal| goals.iter().all(|other| self.draft.are_in_different_regions(other.0, it.0));
                if found.iter().all(is_apart) {
                    goals.extend(found);
                } else {
                    self.draft.found.loss(target.span, format!("a step leads to one state of a region: `{name}` was left out"));
                }
            }
            row.lead_to(&goals);
        }
        self.is_version_4 |= ["cond", "internal"].iter().any(|it| get(value, it).is_some());
        self.is_version_5 |= ["guard", "reenter"].iter().any(|it| get(value, it).is_some());
        for key in ["guard", "cond"] {
            row.guards.extend(get(value, key).and_then(named).map(str::to_owned));
        }
        if let Some(reenter) = get(value, "reenter").and_then(text) {
            let inside = |state: usize, whole: usize| self.draft.is_in(state, Some(whole));
            // Any other transition leaves its source in any case, but for those to a state without states inside.
            row.reenter =
                reenter == "true" && matches!((from, row.to), (From::State(from), Some(to)) if inside(to, from) || inside(from, to));
        }
        row.effects = self.effects(get(value, "actions"));
        row.doc = get(value, "description").and_then(text).map(str::to_owned);
        for (key, _) in entries(value) {
            let known = ["target", "guard", "cond", "actions", "description", "reenter"];
            if let Some(name) = text(key).filter(|it| !known.contains(it)) {
                self.draft.found.loss(key.span, format!("a spec has nothing for `{name}`: it was left out"));
            }
        }
        self.check_recalled_now(&row);
        self.draft.rows.push(row);
    }

    /// A transition of a state without states inside to itself: version 5 stays, version 4 leaves the state and enters it again.
    fn own_targets(&mut self) {
        let waits = |draft: &Draft, state: usize| draft.rows.iter().any(|it| it.from == From::State(state) && it.trigger == Trigger::After);
        for idx in 0..self.draft.rows.len() {
            let row = &self.draft.rows[idx];
            let From::State(from) = row.from else { continue };
            if row.reenter || row.targets() != [(from, None)] || !self.draft.inside(Some(from)).is_empty() {
                continue;
            }
            let state = &self.draft.states[from];
            match (self.is_version_4, self.is_version_5) {
                (false, true) => self.draft.rows[idx].to = None,
                (true, false) => {}
                _ if state.entry.is_empty() && state.exit.is_empty() && !waits(&self.draft, from) => {}
                _ => {
                    let message = format!(
                        "`{}` is left and entered again, as in version 4; version 5 would stay, and nothing tells the version",
                        state.id
                    );
                    self.draft.found.assumed(row.span, message);
                }
            }
        }
    }

    /// Settles what regions are, once all rows are known.
    fn regions(&mut self) {
        self.lead_to_defaults();
        // A transition into one region starts the others again, unless these contain its source.
        for idx in 0..self.draft.rows.len() {
            let row = &self.draft.rows[idx];
            let From::State(from) = row.from else { continue };
            if row.reenter || row.targets().iter().any(|it| it.1.is_some()) {
                continue;
            }
            let mut targets = row.targets();
            let around: Vec<usize> = targets.iter().flat_map(|it| self.draft.path(it.0).collect::<Vec<_>>()).collect();
            for whole in around.into_iter().filter(|it| self.draft.states[*it].parallel && self.draft.is_in(*it, Some(from))) {
                for region in self.draft.inside(Some(whole)) {
                    if targets.iter().all(|it| self.draft.are_in_different_regions(it.0, region)) {
                        targets.push((region, None));
                    }
                }
            }
            self.draft.rows[idx].lead_to(&targets);
        }
        self.draft.settle_moved_regions();
    }

    /// Names of actions: texts, or objects with a `type`.
    fn effects(&mut self, value: Option<&Node>) -> Vec<Effect> {
        let Some(value) = value else { return Vec::new() };
        let items: Vec<&Node> = match &value.kind {
            NodeKind::List(items) => items.iter().collect(),
            _ => vec![value],
        };
        let mut effects = Vec::new();
        for item in items {
            match named(item) {
                Some(name) => effects.push(Effect::new(name)),
                None => self.draft.found.loss(item.span, "an action without a name was left out"),
            }
            for (key, _) in entries(item) {
                if let Some(name) = text(key).filter(|it| *it != "type") {
                    self.draft.found.loss(key.span, format!("an action is a name in a spec: its `{name}` was left out"));
                }
            }
        }
        effects
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
    fn resolve(&self, from: From, name: &str) -> Option<Vec<Goal>> {
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

    /// The state at a path of keys inside another state, or the histories that are meant.
    fn descend(&self, start: Option<usize>, path: &str) -> Option<Vec<Goal>> {
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

/// A history of the configuration.
struct History<'a> {
    /// The state around it.
    state: usize,
    shallow: bool,
    /// Its key.
    name: &'a str,
    /// The ids by which targets may name it.
    names: Vec<String>,
    body: &'a Node,
    span: Span,
}

/// The keys from the root to a state.
fn path_of(draft: &Draft, keys: &[String], state: usize) -> String {
    let mut path: Vec<&str> = std::iter::successors(Some(state), |it| draft.states[*it].parent).map(|it| keys[it].as_str()).collect();
    path.reverse();
    path.join(".")
}

/// The type of a literal, and the literal in the syntax of the spec.
pub(super) fn literal(text: &str) -> Option<(&'static str, Option<String>)> {
    let text = text.trim();
    let number = text.strip_prefix('-').unwrap_or(text);
    let digits = |it: &str| !it.is_empty() && it.len() <= 15 && it.bytes().all(|it| it.is_ascii_digit());
    if text == "true" || text == "false" {
        return Some(("bool", Some(text.to_owned())));
    }
    if digits(number) {
        return Some(("int", Some(text.to_owned()))).filter(|_| !number.starts_with('0') || number == "0");
    }
    if number.split_once('.').is_some_and(|(whole, part)| digits(whole) && digits(part) && (!whole.starts_with('0') || whole == "0")) {
        return Some(("decimal", Some(text.to_owned())));
    }
    let quoted = ['\'', '"'].into_iter().find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote));
    quoted.map(|it| ("text", Some(super::write::quoted(it))))
}

fn entries(node: &Node) -> &[(Node, Node)] {
    match &node.kind {
        NodeKind::Map(entries) => entries,
        _ => &[],
    }
}

fn get<'a>(node: &'a Node, key: &str) -> Option<&'a Node> {
    entries(node).iter().find(|(it, _)| text(it) == Some(key)).map(|(_, value)| value)
}

fn key_span(node: &Node, key: &str) -> Span {
    entries(node).iter().find(|(it, _)| text(it) == Some(key)).map_or(node.span, |(it, _)| it.span)
}

fn text(node: &Node) -> Option<&str> {
    match &node.kind {
        NodeKind::Scalar { text, .. } => Some(text),
        _ => None,
    }
}

/// A name, or an object with a `type` (`name` in older versions).
fn named(node: &Node) -> Option<&str> {
    text(node).or_else(|| get(node, "type").or_else(|| get(node, "name")).and_then(text)).filter(|it| !it.is_empty())
}
