//! Reads State Chart XML, as standardized by the W3C.

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::{Document, Node, ParsingOptions};

use super::delays::Delays;
use super::draft::{Draft, Effect, Field, Findings, From, Row, State, Trigger};
use super::span;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Sources, Span};

/// The maximum nesting of elements.
const MAX_DEPTH: usize = 20;

/// Reads a chart.
pub(super) fn read(sources: &Sources, id: SourceId, found: &mut Findings) -> Option<Draft> {
    let source = sources.get(id);
    let text = source.text();
    let options = ParsingOptions { nodes_limit: 200_000, ..ParsingOptions::default() };
    let document = match Document::parse_with_options(text, options) {
        Ok(document) => document,
        Err(error) => {
            let place = offset(text, error.pos().row, error.pos().col);
            found.unreadable(span(id, place..place + 1), format!("this is not XML: {error}"));
            return None;
        }
    };
    let root = document.root_element();
    if root.tag_name().name() != "scxml" {
        found.unreadable(head(root, text, id), format!("a chart begins with `<scxml>`, this with `<{}>`", root.tag_name().name()));
        return None;
    }
    let name = root.attribute("name").map_or_else(|| super::markdown::stem(source.path()), str::to_owned);
    let draft = Draft::new(super::Kind::Chart, super::naming::machine_name(&name), head(root, text, id));
    let mut reader = Reader {
        text,
        id,
        draft,
        by_id: BTreeMap::new(),
        transitions: Vec::new(),
        initials: Vec::new(),
        histories: Vec::new(),
        history_of: BTreeMap::new(),
        history_defaults: Vec::new(),
        composites: BTreeSet::new(),
        events: events(root),
        delays: Delays::of(&document),
        comments: Vec::new(),
    };
    let whole = reader.inside(root, None, 0).and_then(|()| reader.finish(root));
    match whole {
        Ok(()) => Some(reader.draft),
        Err(problem) => {
            found.0.push(problem);
            None
        }
    }
}

/// The names of all events of a chart, without wildcards.
fn events(root: Node<'_, '_>) -> BTreeSet<String> {
    let of = |it: Node<'_, '_>| {
        let names = it.attribute("event").unwrap_or_default().split_whitespace();
        names.filter(|it| !it.contains('*') && !it.ends_with('.')).map(str::to_owned).collect::<Vec<_>>()
    };
    root.descendants().filter(|it| ["transition", "raise", "send"].iter().any(|tag| it.has_tag_name_local(tag))).flat_map(of).collect()
}

/// The byte at a row and column counted from one, columns in characters.
fn offset(text: &str, row: u32, column: u32) -> usize {
    let start: usize = text.split_inclusive('\n').take(row.saturating_sub(1) as usize).map(str::len).sum();
    let line = text[start..].split('\n').next().unwrap_or_default();
    start + line.char_indices().nth(column.saturating_sub(1) as usize).map_or(line.len(), |(idx, _)| idx)
}

/// The first line of an element.
fn head(node: Node<'_, '_>, text: &str, id: SourceId) -> Span {
    let range = node.range();
    let length = text[range.clone()].find('\n').unwrap_or(range.len());
    span(id, range.start..range.start + length)
}

struct Reader<'a> {
    text: &'a str,
    id: SourceId,
    draft: Draft,
    by_id: BTreeMap<String, usize>,
    /// Transitions, which are read when all states are known.
    transitions: Vec<(From, Node<'a, 'a>, Vec<String>)>,
    /// Elements that may declare an initial state, and their states.
    initials: Vec<(Node<'a, 'a>, Option<usize>)>,
    /// Histories, and the states that they are in.
    histories: Vec<(Node<'a, 'a>, usize)>,
    /// The state of each history, by its id.
    history_of: BTreeMap<String, usize>,
    /// Histories with a default, their states, and the defaults.
    history_defaults: Vec<(Node<'a, 'a>, usize, usize)>,
    /// The states that contain others.
    composites: BTreeSet<usize>,
    /// The names of all events, without wildcards.
    events: BTreeSet<String>,
    /// The delayed events that are timers.
    delays: Delays,
    comments: Vec<String>,
}

impl<'a> Reader<'a> {
    fn place(&self, node: Node<'_, '_>) -> Span {
        head(node, self.text, self.id)
    }

    fn loss(&mut self, node: Node<'_, '_>, message: impl Into<String>) {
        let place = self.place(node);
        self.draft.found.loss(place, message);
    }

    fn inside<'b: 'a>(&mut self, whole: Node<'b, 'b>, state: Option<usize>, depth: usize) -> Result<(), Diagnostic>
    where
        'a: 'b,
    {
        if depth > MAX_DEPTH {
            let message = format!("states are nested deeper than {MAX_DEPTH} levels");
            return Err(Diagnostic::new(Code::ImportUnreadable, self.place(whole), message));
        }
        self.initials.push((whole, state));
        for node in whole.children() {
            if node.is_comment() {
                let comment = node.text().unwrap_or_default().trim().to_owned();
                self.comments.extend(Some(comment).filter(|it| !it.is_empty()));
                continue;
            }
            if !node.is_element() {
                if node.text().is_some_and(|it| !it.trim().is_empty()) {
                    self.loss(node, "text between elements has no place in a spec");
                }
                continue;
            }
            self.element(node, state, depth)?;
        }
        Ok(())
    }

    fn element(&mut self, node: Node<'a, 'a>, state: Option<usize>, depth: usize) -> Result<(), Diagnostic> {
        match node.tag_name().name() {
            "state" | "parallel" | "final" => {
                let known = self.state(node, state);
                self.inside(node, Some(known), depth + 1)?;
            }
            "transition" => {
                let from = state.map_or(From::Any, From::State);
                let comments = std::mem::take(&mut self.comments);
                self.transitions.push((from, node, comments));
            }
            "onentry" | "onexit" => {
                let delays = std::mem::take(&mut self.delays);
                let effects = self.effects(node, |child| delays.replaces(child));
                self.delays = delays;
                match state {
                    Some(state) if node.tag_name().name() == "onentry" => self.draft.states[state].entry.extend(effects),
                    Some(state) => self.draft.states[state].exit.extend(effects),
                    None => self.loss(node, "a machine as a whole is not entered or left"),
                }
            }
            "initial" => {}
            "datamodel" => self.datamodel(node),
            "documentation" | "description" | "desc" | "doc" => {
                let words: Vec<&str> = node.descendants().filter(Node::is_text).filter_map(|it| it.text()).map(str::trim).collect();
                let words = words.join(" ").trim().to_owned();
                match state {
                    _ if words.is_empty() => {}
                    Some(state) => self.draft.states[state].doc.push(words),
                    None => self.draft.doc = Some(words),
                }
            }
            "history" => {
                self.histories.extend(state.map(|it| (node, it)));
            }
            "invoke" => self.loss(node, "a machine of a spec starts nothing: what is invoked was left out"),
            "donedata" => self.loss(node, "the data that a final state returns was left out"),
            "script" => self.loss(node, "a script was left out"),
            other => {
                let message = format!("`<{other}>` was left out");
                self.loss(node, message);
            }
        }
        Ok(())
    }

    fn state(&mut self, node: Node<'a, 'a>, parent: Option<usize>) -> usize {
        let known = self.draft.states.len();
        let id = node.attribute("id").map_or_else(|| format!("state {}", known + 1), str::to_owned);
        let mut state = State::new(id.clone(), parent, self.place(node));
        state.comments = std::mem::take(&mut self.comments);
        state.terminal = node.tag_name().name() == "final";
        if node.attribute("id").is_none() {
            state.inferred = Some("The state has no id.".to_owned());
        }
        self.draft.states.push(state);
        if self.by_id.insert(id.clone(), known).is_some() {
            self.loss(node, format!("two states have the id `{id}`: transitions go to the second"));
        }
        if node.tag_name().name() == "parallel" {
            let message = format!("the states inside `{id}` are active side by side, and a spec has one state at a time");
            self.loss(node, message);
        }
        known
    }

    fn datamodel(&mut self, node: Node<'a, 'a>) {
        for data in node.children().filter(Node::is_element) {
            let name = data.attribute("id").unwrap_or_default().to_owned();
            let value = data.attribute("expr").unwrap_or_else(|| data.text().unwrap_or_default()).trim().to_owned();
            match super::xstate::literal(&value) {
                Some((ty, default)) if crate::names::is_name(&name) && self.draft.fields.iter().all(|it| it.name != name) => {
                    self.draft.fields.push(Field { name, ty, default, optional: false });
                }
                _ => self.loss(data, format!("the type of `{name}` cannot be determined: it was left out")),
            }
        }
    }

    /// The event of executable content that the machine raises itself.
    fn raised(&mut self, child: Node<'a, 'a>) -> Option<String> {
        let event = child.attribute("event").filter(|it| !it.trim().is_empty())?.trim().to_owned();
        match child.tag_name().name() {
            "raise" => Some(event),
            // To itself, at once, and with nothing else.
            "send" if child.attributes().all(|it| ["event", "id"].contains(&it.name())) && !child.children().any(|it| it.is_element()) => {
                let place = self.place(child);
                let message = format!("`{event}` is raised after this step; in the chart, events that are raised before it come first");
                self.draft.found.assumed(place, message);
                Some(event)
            }
            _ => None,
        }
    }

    /// Executable content: the events that it raises, and each other element as an effect.
    fn content(&mut self, node: Node<'a, 'a>) -> (Vec<String>, Vec<Effect>) {
        let mut raised = Vec::new();
        for child in node.children().filter(Node::is_element) {
            raised.extend(self.raised(child));
        }
        let effects =
            self.effects(node, |child| child.has_tag_name_local("raise") || raised.iter().any(|it| child.attribute("event") == Some(it)));
        (raised, effects)
    }

    /// Executable content, each element that is not left out as an effect.
    fn effects(&mut self, node: Node<'a, 'a>, left_out: impl Fn(Node<'_, '_>) -> bool) -> Vec<Effect> {
        let mut effects = Vec::new();
        for child in node.children() {
            if child.is_comment() {
                self.comments.extend(child.text().map(|it| it.trim().to_owned()));
                continue;
            }
            if !child.is_element() {
                continue;
            }
            if left_out(child) {
                continue;
            }
            let tag = child.tag_name().name();
            let words = ["event", "label", "location", "target", "id", "expr"];
            let what = words.iter().find_map(|it| child.attribute(*it)).unwrap_or_default();
            let source = &self.text[child.range()];
            let doc = source.split_whitespace().collect::<Vec<_>>().join(" ");
            effects.push(Effect { text: format!("{tag} {what}").trim().to_owned(), doc: Some(doc) });
            if tag != "log" {
                let message = format!("`<{tag}>` became an effect: your code must perform it");
                self.loss(child, message);
            }
        }
        effects
    }

    fn finish(&mut self, root: Node<'a, 'a>) -> Result<(), Diagnostic> {
        if self.draft.states.is_empty() {
            return Err(Diagnostic::new(Code::ImportUnreadable, self.place(root), "this chart has no states"));
        }
        self.composites = self.draft.states.iter().filter_map(|it| it.parent).collect();
        for (node, state) in std::mem::take(&mut self.histories) {
            let default = node.children().find(|it| it.has_tag_name_local("transition")).and_then(|it| it.attribute("target"));
            let target = default.and_then(|it| self.by_id.get(it.trim()).copied());
            if self.draft.remember(state, node.attribute("type") != Some("deep")) {
                self.history_of.extend(node.attribute("id").map(|it| (it.to_owned(), state)));
                self.history_defaults.extend(target.map(|it| (node, state, it)));
            } else {
                let name = self.draft.states[state].id.clone();
                self.loss(
                    node,
                    format!(
                        "`{name}` has another history already: transitions to this one lead to its default, else to where `{name}` starts"
                    ),
                );
            }
            if let Some(id) = node.attribute("id") {
                self.by_id.insert(id.to_owned(), target.unwrap_or(state));
            }
        }
        let mut starts = Starts { of_machine: 0, of_state: vec![None; self.draft.states.len()] };
        for (node, state) in std::mem::take(&mut self.initials) {
            self.initial(node, state, &mut starts);
        }
        for (from, node, comments) in std::mem::take(&mut self.transitions) {
            self.transition(from, node, comments);
        }
        for (node, state, target) in std::mem::take(&mut self.history_defaults) {
            if starts.leaf(target) != starts.leaf(state) {
                let (name, there) = (self.draft.states[state].id.clone(), self.draft.states[target].id.clone());
                let message = format!("where nothing is remembered, the chart goes to `{there}`, and a spec to where `{name}` starts");
                self.loss(node, message);
            }
        }
        self.lead_deep(root, &starts);
        // A composite cannot be terminal.
        for idx in &self.composites {
            self.draft.states[*idx].terminal = false;
        }
        self.draft.comments = std::mem::take(&mut self.comments);
        Ok(())
    }

    /// The initial state of the chart or a state: `initial`, else the first child.
    fn initial(&mut self, node: Node<'a, 'a>, state: Option<usize>, starts: &mut Starts) {
        let element = node.children().find(|it| it.has_tag_name_local("initial"));
        let transition = element.and_then(|it| it.children().find(|it| it.has_tag_name_local("transition")));
        if let Some(transition) = transition
            && transition.children().any(|it| it.is_element())
        {
            self.loss(transition, "a start performs nothing in a spec: what it contains was left out");
        }
        let named = node.attribute("initial").or(transition.and_then(|it| it.attribute("target"))).map(str::trim).unwrap_or_default();
        let mut target = None;
        for (idx, name) in named.split_whitespace().enumerate() {
            match self.by_id.get(name) {
                // A history without a default stands for the start of its composite.
                Some(known) if Some(*known) == state => {}
                Some(known) if idx == 0 && self.is_in(*known, state) => target = Some(*known),
                Some(_) if idx == 0 => self.loss(node, format!("`{name}` is not inside: it cannot be the start")),
                Some(_) => self.loss(node, format!("a machine starts in one state: `{name}` was left out")),
                None => self.loss(node, format!("there is no state `{name}` to start in")),
            }
        }
        let first = self.draft.states.iter().position(|it| it.parent == state);
        let Some(target) = target.or(first) else { return };
        match state {
            Some(state) => starts.of_state[state] = Some(target),
            None => starts.of_machine = target,
        }
        let child = self.path(target).find(|it| self.draft.states[*it].parent == state);
        if let Some(child) = child {
            self.draft.states[child].initial = true;
        }
    }

    /// The state and its ancestors.
    fn path(&self, state: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(state), |it| self.draft.states[*it].parent)
    }

    /// Whether a state is inside another one; everything is inside the machine.
    fn is_in(&self, state: usize, whole: Option<usize>) -> bool {
        whole.is_none_or(|whole| self.path(state).any(|it| it == whole))
    }

    /// Leads rows to the leaf where the chart starts a composite, if the spec would start it in another one: a spec
    /// names a child as a start, a chart any state inside.
    fn lead_deep(&mut self, root: Node<'a, 'a>, starts: &Starts) {
        let of_spec: Vec<Option<usize>> = {
            let mut children = vec![None; self.draft.states.len()];
            for (idx, state) in self.draft.states.iter().enumerate().filter(|(_, it)| it.initial) {
                if let Some(parent) = state.parent {
                    children[parent] = Some(idx);
                }
            }
            children
        };
        let deep: Vec<Option<usize>> =
            (0..self.draft.states.len()).map(|it| Some(starts.leaf(it)).filter(|there| *there != leaf(&of_spec, it))).collect();
        for (idx, there) in deep.iter().enumerate() {
            let Some(there) = *there else { continue };
            let (name, there) = (&self.draft.states[idx].id, &self.draft.states[there].id);
            let message = format!(
                "`{name}` starts in `{there}`, and a composite of a spec starts in a state directly inside it: transitions to `{name}` lead to `{there}`"
            );
            self.draft.found.loss(self.draft.states[idx].span, message);
        }
        for row in &mut self.draft.rows {
            row.to = row.to.map(|it| deep[it].filter(|_| !row.to_history).unwrap_or(it));
        }
        let there = starts.leaf(starts.of_machine);
        let top = self.path(starts.of_machine).last().unwrap_or(starts.of_machine);
        if there != leaf(&of_spec, top) {
            let mut row = Row::new(From::Creation, Some(there), self.place(root));
            let (name, whole) = (&self.draft.states[there].id, &self.draft.states[top].id);
            let message =
                format!("the chart starts in `{name}`, deep inside `{whole}`: the spec has an event that creates the machine there");
            self.draft.found.assumed(row.span, message);
            row.inferred = Some("The chart starts deep inside a composite, and names no event for it.".to_owned());
            self.draft.rows.insert(0, row);
        }
    }

    fn transition(&mut self, from: From, node: Node<'a, 'a>, comments: Vec<String>) {
        let mut row = Row::new(from, None, self.place(node));
        row.comments = comments;
        (row.raise, row.effects) = self.content(node);
        row.guards.extend(node.attribute("cond").map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()));
        if row.guards.iter().any(|it| calls_in(it)) {
            self.loss(node, "`In(…)` asks which state is active: it became a predicate, which your code decides");
        }
        let targets: Vec<&str> = node.attribute("target").unwrap_or_default().split_whitespace().collect();
        let named: Vec<&str> = node.attribute("event").unwrap_or_default().split_whitespace().collect();
        match (named.as_slice(), from) {
            ([], _) => row.trigger = Trigger::Automatic,
            (["*" | ".*"], _) => row.trigger = Trigger::AnyOther,
            ([done], From::State(of)) if done.strip_prefix("done.state.") == Some(self.draft.states[of].id.as_str()) => {
                row.trigger = Trigger::Done;
            }
            _ => {}
        }
        if let [event] = named.as_slice()
            && let Some(delay) = self.delays.of_event(event).cloned()
        {
            (row.trigger, row.after, row.timer) = (Trigger::After, delay.after, Some((*event).to_owned()));
            if !delay.cancelled {
                let message = format!("`{event}` ends with its state; the chart sends it even if the state was left and entered again");
                self.draft.found.assumed(row.span, message);
            }
        }
        if row.trigger == Trigger::Events {
            for event in named {
                if event == "*" {
                    self.loss(node, "`*` stands for every event, and stands alone in a spec: the transition was left out");
                    return;
                }
                row.events.extend(self.meant(event, node).into_iter().filter(|it| !row.events.contains(it)).collect::<Vec<_>>());
            }
        }
        for other in targets.iter().skip(1) {
            self.loss(node, format!("a transition leads to one state: `{other}` was left out"));
        }
        if let Some(target) = targets.first() {
            let Some(known) = self.by_id.get(*target) else {
                self.loss(node, format!("there is no state `{target}`: the transition was left out"));
                return;
            };
            let known = *known;
            row.to = Some(known);
            if let Some(state) = self.history_of.get(*target) {
                row.to = Some(*state);
                row.to_history = true;
            }
            if let From::State(from) = from
                && let Some(entered) = self.entered_again(from, known, node.attribute("type") == Some("internal"))
            {
                let outer = if self.is_in(from, Some(known)) { known } else { from };
                if outer == entered || self.is_in(entered, Some(outer)) {
                    row.reenter = true;
                } else {
                    let name = self.draft.states[entered].id.clone();
                    let message = format!("the chart leaves `{name}` and enters it again here, with its effects; a spec stays inside");
                    self.loss(node, message);
                }
            }
        }
        self.draft.rows.push(row);
    }

    /// The events that a descriptor matches: the one of this name, and those whose names begin with it and a dot.
    fn meant(&mut self, descriptor: &str, node: Node<'a, 'a>) -> Vec<String> {
        let name = descriptor.trim_end_matches(".*").trim_end_matches('.');
        let longer = |it: &&String| it.strip_prefix(name).is_some_and(|it| it.starts_with('.'));
        let mut meant: Vec<String> = self.events.iter().filter(longer).cloned().collect();
        if name.contains('*') || name.is_empty() {
            self.loss(node, format!("`{descriptor}` is no event: it was left out"));
            return Vec::new();
        }
        if descriptor.ends_with('*') {
            let message =
                format!("`{descriptor}` stands for every event that begins so, and a spec names each: those of this chart are named");
            self.loss(node, message);
        }
        meant.insert(0, name.to_owned());
        meant
    }

    /// A composite with effects that the chart leaves and enters again, although it contains both the old and the new leaf.
    fn entered_again(&self, from: usize, to: usize, internal: bool) -> Option<usize> {
        let has_effects = |state: &State| !state.entry.is_empty() || !state.exit.is_empty();
        let stays_in = |state: usize| {
            // An internal transition stays in its source; any other stays in what is around both.
            let is_inside = |it: usize| it != state && self.is_in(it, Some(state));
            if internal && state == from { is_inside(to) } else { is_inside(from) && is_inside(to) }
        };
        let related = |state: usize| self.is_in(state, Some(from)) || self.is_in(from, Some(state));
        self.path(to)
            .take_while(|it| !stays_in(*it))
            .find(|it| related(*it) && has_effects(&self.draft.states[*it]) && self.composites.contains(it))
    }
}

/// Where the chart starts the machine and each of its composites, at any depth.
struct Starts {
    of_machine: usize,
    of_state: Vec<Option<usize>>,
}

impl Starts {
    /// Where the chart gets to when it enters a state.
    fn leaf(&self, state: usize) -> usize {
        leaf(&self.of_state, state)
    }
}

/// The innermost start.
fn leaf(starts: &[Option<usize>], state: usize) -> usize {
    std::iter::successors(Some(state), |it| starts[*it]).last().unwrap_or(state)
}

/// Whether a condition calls `In`.
fn calls_in(condition: &str) -> bool {
    condition.match_indices("In(").any(|(idx, _)| !condition[..idx].ends_with(|it: char| it.is_alphanumeric() || it == '_'))
}

/// Tag names without their namespace.
trait Local {
    fn has_tag_name_local(&self, name: &str) -> bool;
}

impl Local for Node<'_, '_> {
    fn has_tag_name_local(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}
