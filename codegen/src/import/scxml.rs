//! Reads State Chart XML, as standardized by the W3C.

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::{Document, Node, ParsingOptions};

use super::delays::Delays;
use super::draft::{Draft, Effect, Field, Findings, From, Goal, Row, State, Trigger};
use super::span;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Sources, Span};

/// The maximum nesting of elements.
const MAX_DEPTH: usize = 20;

/// Reads a chart.
pub(super) fn read(sources: &Sources, id: SourceId, events: &[String], found: &mut Findings) -> Option<Draft> {
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
    let mut draft = Draft::new(super::Kind::Chart, super::naming::machine_name(&name), head(root, text, id));
    draft.events = events.to_vec();
    let mut reader = Reader {
        text,
        id,
        draft,
        by_id: BTreeMap::new(),
        transitions: Vec::new(),
        initials: Vec::new(),
        histories: Vec::new(),
        history_of: BTreeMap::new(),
        composites: BTreeSet::new(),
        events: named_events(root).into_iter().chain(events.iter().cloned()).collect(),
        raising: Vec::new(),
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
fn named_events(root: Node<'_, '_>) -> BTreeSet<String> {
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
    /// Where a transition to a history leads, by its id: to the history of one state, or to those of regions.
    history_of: BTreeMap<String, Vec<Goal>>,
    /// The states that contain others.
    composites: BTreeSet<usize>,
    /// The names of all events, without wildcards.
    events: BTreeSet<String>,
    /// The events that entering a state raises, or leaving it; with the place.
    raising: Vec<(Node<'a, 'a>, usize, Vec<String>)>,
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
        if state.is_none() {
            self.attributes(whole);
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

    /// Reports the attributes that SCXML does not have, such as a misspelt one.
    fn attributes(&mut self, node: Node<'a, 'a>) {
        let known: &[&str] = match node.tag_name().name() {
            "scxml" => &["name", "initial", "version", "datamodel", "binding", "xmlns"],
            "state" => &["id", "initial"],
            "parallel" | "final" => &["id"],
            "transition" => &["event", "cond", "target", "type"],
            "history" => &["id", "type"],
            _ => return,
        };
        // Those of another namespace are of an editor.
        for attribute in node.attributes().filter(|it| it.namespace().is_none() && !known.contains(&it.name())) {
            self.loss(node, format!("`{}` is no attribute of `<{}>`: it was left out", attribute.name(), node.tag_name().name()));
        }
    }

    fn element(&mut self, node: Node<'a, 'a>, state: Option<usize>, depth: usize) -> Result<(), Diagnostic> {
        self.attributes(node);
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
                let (raised, effects) = match state {
                    Some(_) => self.content(node, |child| delays.replaces(child)),
                    None => (Vec::new(), self.effects(node, |child| delays.replaces(child))),
                };
                self.delays = delays;
                // Several blocks of a state are one after the other.
                let is_same = |it: &(Node<'_, '_>, usize, Vec<String>)| Some(it.1) == state && it.0.tag_name() == node.tag_name();
                match self.raising.iter_mut().find(|it| is_same(it)) {
                    Some(before) => before.2.extend(raised),
                    None if raised.is_empty() => {}
                    None => self.raising.extend(state.map(|it| (node, it, raised))),
                }
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
        self.draft.states[known].parallel = node.tag_name().name() == "parallel"
            && node.children().any(|it| ["state", "parallel"].iter().any(|tag| it.has_tag_name_local(tag)));
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
    fn content(&mut self, node: Node<'a, 'a>, left_out: impl Fn(Node<'_, '_>) -> bool) -> (Vec<String>, Vec<Effect>) {
        let mut raised = Vec::new();
        for child in node.children().filter(|it| it.is_element() && !left_out(*it)) {
            raised.extend(self.raised(child));
        }
        let is_raised =
            |child: Node<'_, '_>| child.has_tag_name_local("raise") || raised.iter().any(|it| child.attribute("event") == Some(it));
        let effects = self.effects(node, |child| is_raised(child) || left_out(child));
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
        self.settle_regions();
        self.composites = self.draft.states.iter().filter_map(|it| it.parent).collect();
        let histories = self.histories();
        let mut starts = Starts { of_machine: Vec::new(), of_state: vec![Vec::new(); self.draft.states.len()] };
        for (node, state) in std::mem::take(&mut self.initials) {
            self.initial(node, state, &histories, &mut starts);
        }
        for (from, node, comments) in std::mem::take(&mut self.transitions) {
            self.transition(from, node, comments);
        }
        let fresh = starts.fresh(&histories, &self.draft);
        histories.iter().for_each(|it| self.check_default(it, &fresh));
        self.lead_deep(root, &starts, &fresh);
        self.lead_to_defaults(&histories, &starts, &fresh);
        self.raise(&fresh);
        // A composite cannot be terminal.
        for idx in &self.composites {
            self.draft.states[*idx].terminal = false;
        }
        self.draft.comments = std::mem::take(&mut self.comments);
        Ok(())
    }

    /// What each history remembers, and what it leads to where it remembers nothing.
    fn histories(&mut self) -> Vec<History<'a>> {
        let mut found = Vec::new();
        for (of, (node, state)) in std::mem::take(&mut self.histories).into_iter().enumerate() {
            let is_shallow = node.attribute("type") != Some("deep");
            let mut remembers = Vec::new();
            match self.draft.remembering(state, is_shallow) {
                Some(states) => remembers = self.draft.remember(&states, is_shallow, of),
                None => {
                    let name = self.draft.states[state].id.clone();
                    let message = format!(
                        "the history of `{name}` would have to remember a state with regions, and a field remembers one leaf: transitions to it lead to its default, else to where `{name}` starts"
                    );
                    self.loss(node, message);
                }
            }
            if let Some(id) = node.attribute("id") {
                self.by_id.insert(id.to_owned(), state);
                if !remembers.is_empty() {
                    self.history_of.insert(id.to_owned(), remembers.clone());
                }
            }
            found.push(History { node, state, shallow: is_shallow, remembers, default: Vec::new() });
        }
        // A default may be another history.
        for history in &mut found {
            let transition = history.node.children().find(|it| it.has_tag_name_local("transition"));
            if let Some(transition) = transition.filter(|it| it.children().any(|it| it.is_element())) {
                self.loss(transition, "a history performs nothing in a spec: what its default contains was left out");
            }
            let default = transition.and_then(|it| it.attribute("target"));
            for name in default.unwrap_or_default().split_whitespace() {
                match (self.history_of.get(name), self.by_id.get(name)) {
                    (Some(all), _) => history.default.extend(all.iter().filter(|it| !history.remembers.contains(it))),
                    (None, Some(known)) => history.default.push((*known, None)),
                    (None, None) => {}
                }
            }
            let state = history.state;
            history.default.retain(|it| self.draft.is_in(it.0, Some(state)) && (it.0 != state || it.1.is_some()));
        }
        // What remembers nothing is its default.
        for history in found.iter().filter(|it| it.remembers.is_empty() && !it.default.is_empty()) {
            self.history_of.extend(history.node.attribute("id").map(|it| (it.to_owned(), history.default.clone())));
        }
        found
    }

    /// Reports the shallow history of a parallel state with a default that is not where its regions start: the spec remembers
    /// nothing of it.
    fn check_default(&mut self, history: &History<'a>, fresh: &Starts) {
        let whole = Some(history.state);
        let Some((default, _)) = history.default.first().filter(|_| history.shallow && self.draft.is_parallel(whole)) else { return };
        let entered = |targets: &[Goal]| self.draft.entered(&fresh.of_state, whole, targets);
        if entered(&history.default) != entered(&[]) {
            let (name, there) = (&self.draft.states[history.state].id, &self.draft.states[*default].id);
            let message = format!("once `{name}` was left, the chart goes to where its regions start, and a spec to `{there}`");
            self.loss(history.node, message);
        }
    }

    /// A spec leads to the start of a state where it remembers nothing, a chart to the default of its history.
    fn lead_to_defaults(&mut self, histories: &[History<'a>], starts: &Starts, fresh: &Starts) {
        let of_spec = self.draft.starts();
        let mut outermost_first: Vec<usize> = (0..histories.len()).collect();
        outermost_first.sort_by_key(|it| self.draft.path(histories[*it].state).count());
        for of in outermost_first {
            let History { state, default, .. } = &histories[of];
            if default.is_empty() {
                continue;
            }
            let draft = &self.draft;
            // From outside, nothing is remembered of the states inside, either.
            let from_outside = draft.entered(&fresh.of_state, Some(*state), &forgotten(default, histories, draft));
            let of_own = |it: &Goal| if it.0 == *state { forgotten(&[*it], histories, draft) } else { vec![*it] };
            let from_inside = draft.entered(&starts.of_state, Some(*state), &default.iter().flat_map(of_own).collect::<Vec<_>>());
            let in_spec = draft.entered(&of_spec, Some(*state), &[]);
            let there = |is_inside: bool| if is_inside { &from_inside } else { &from_outside };
            let elsewhere = |is_inside: bool| Some(there(is_inside).clone()).filter(|it| *it != in_spec);
            self.draft.lead_to_default(of, *state, elsewhere);
        }
    }

    /// The initial state of the chart or a state: `initial`, else the first child.
    fn initial(&mut self, node: Node<'a, 'a>, state: Option<usize>, histories: &[History<'a>], starts: &mut Starts) {
        let element = node.children().find(|it| it.has_tag_name_local("initial"));
        let transition = element.and_then(|it| it.children().find(|it| it.has_tag_name_local("transition")));
        if let Some(transition) = transition
            && transition.children().any(|it| it.is_element())
        {
            self.loss(transition, "a start performs nothing in a spec: what it contains was left out");
        }
        let named = node.attribute("initial").or(transition.and_then(|it| it.attribute("target"))).map(str::trim).unwrap_or_default();
        let mut targets: Vec<Goal> = Vec::new();
        for name in named.split_whitespace() {
            let known = self.by_id.get(name).copied();
            match (self.history_of.get(name), known) {
                (Some(all), _) if all.iter().all(|it| self.draft.is_in(it.0, state)) => targets.extend(all),
                // A history without a default stands for the start of its composite.
                (_, Some(known)) if Some(known) == state => {}
                (_, Some(known)) if self.draft.is_in(known, state) => targets.push((known, None)),
                (_, Some(_)) => self.loss(node, format!("`{name}` is not inside: it cannot be the start")),
                (_, None) => self.loss(node, format!("there is no state `{name}` to start in")),
            }
        }
        if self.draft.is_parallel(state) {
            return;
        }
        let first = self.draft.inside(state).first().copied();
        if targets.is_empty() {
            targets.extend(first.map(|it| (it, None)));
        }
        // A start in its own history is where it was last; a spec begins with the default of that.
        let child = forgotten(&targets, histories, &self.draft).first().map(|it| it.0).filter(|it| Some(*it) != state).or(first);
        let child = child.and_then(|it| self.draft.path(it).find(|it| self.draft.states[*it].parent == state));
        if let Some(child) = child {
            self.draft.states[child].initial = true;
        }
        match state {
            Some(state) => starts.of_state[state] = targets,
            None => starts.of_machine = targets,
        }
    }

    /// Whether a state is inside another one; everything is inside the machine.
    fn is_in(&self, state: usize, whole: Option<usize>) -> bool {
        self.draft.is_in(state, whole)
    }

    /// Gives every region states inside it, and follows what moves.
    fn settle_regions(&mut self) {
        for (before, now) in self.draft.surround_parallel_regions() {
            let follow = |it: &mut usize| {
                if *it == before {
                    *it = now;
                }
            };
            self.by_id.values_mut().for_each(follow);
            self.histories.iter_mut().for_each(|it| follow(&mut it.1));
            self.raising.iter_mut().for_each(|it| follow(&mut it.1));
            self.initials.iter_mut().filter_map(|it| it.1.as_mut()).for_each(follow);
            for (from, ..) in &mut self.transitions {
                if let From::State(from) = from {
                    follow(from);
                }
            }
        }
        self.draft.settle_regions();
    }

    /// Leads rows to the leaf where the chart starts a composite, if the spec would start it in another one: a spec
    /// names a child as a start, a chart any state inside.
    fn lead_deep(&mut self, root: Node<'a, 'a>, starts: &Starts, fresh: &Starts) {
        let of_spec = self.draft.starts();
        let deep = |draft: &Draft, target: Goal| {
            Some(draft.goals(&starts.of_state, target)).filter(|there| *there != draft.goals(&of_spec, target))
        };
        for idx in 0..self.draft.states.len() {
            let Some(there) = deep(&self.draft, (idx, None)) else { continue };
            // Told where it starts so itself, or where the state inside does.
            let is_own = |it: &usize| {
                starts.of_state[*it].iter().any(|(to, history)| history.is_some() || self.draft.states[*to].parent != Some(*it))
            };
            if !is_own(&idx) && self.draft.inside(Some(idx)).iter().any(|it| deep(&self.draft, (*it, None)).is_some()) {
                continue;
            }
            let name = &self.draft.states[idx].id;
            let place = |(id, history): &Goal| match (history.is_some(), *id == idx) {
                (true, true) => "where it was last".to_owned(),
                (true, false) => format!("`{}`, where it was last", self.draft.states[*id].id),
                (false, _) => format!("`{}`", self.draft.states[*id].id),
            };
            let there = there.iter().map(place).collect::<Vec<_>>().join(" and ");
            let at = if there == "where it was last" { "" } else { "in " };
            let message = format!(
                "`{name}` starts {at}{there}, and a composite of a spec starts in a state directly inside it: transitions to `{name}` lead to {there}"
            );
            self.draft.found.loss(self.draft.states[idx].span, message);
        }
        let mut rows = std::mem::take(&mut self.draft.rows);
        for row in &mut rows {
            let after: Vec<Goal> = row
                .targets()
                .into_iter()
                .flat_map(|it| match it {
                    (_, Some(_)) => vec![it],
                    _ => deep(&self.draft, it).unwrap_or_else(|| vec![it]),
                })
                .collect();
            row.lead_to(&after);
        }
        self.draft.rows = rows;
        let Some(top) = self.draft.inside(None).into_iter().find(|it| self.draft.states[*it].initial) else { return };
        // Nothing is remembered at creation.
        let there = self.draft.entered(&fresh.of_state, None, &fresh.of_machine);
        if there != self.draft.goals(&of_spec, (top, None)) {
            let Some(to) = there.first().map(|it| it.0) else { return };
            let mut row = Row::new(From::Creation, Some(to), self.place(root));
            row.lead_to(&there);
            let (name, whole) = (&self.draft.states[to].id, &self.draft.states[top].id);
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
        let delays = std::mem::take(&mut self.delays);
        (row.raise, row.effects) = self.content(node, |child| delays.replaces(child));
        self.delays = delays;
        row.guards.extend(node.attribute("cond").map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()));
        let named_targets: Vec<&str> = node.attribute("target").unwrap_or_default().split_whitespace().collect();
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
            if !delay.ends_with_state {
                let message = format!("`{event}` ends with its state; the chart sends it even if the state was left and entered again");
                self.draft.found.assumed(row.span, message);
            }
        }
        if row.trigger == Trigger::Events {
            for event in named {
                if event.starts_with("done.state") {
                    let message =
                        format!("`{event}` is an ordinary event here: in a spec, only the state itself takes a step when it is done");
                    self.loss(node, message);
                }
                if event == "*" {
                    self.loss(node, "`*` stands for every event, and stands alone in a spec: the transition was left out");
                    return;
                }
                row.events.extend(self.meant(event, node).into_iter().filter(|it| !row.events.contains(it)).collect::<Vec<_>>());
            }
        }
        let mut goals: Vec<Goal> = Vec::new();
        for target in &named_targets {
            match (self.history_of.get(*target), self.by_id.get(*target)) {
                (Some(all), _) => goals.extend(all),
                (None, Some(known)) => goals.push((*known, None)),
                (None, None) => {
                    self.loss(node, format!("there is no state `{target}`: the transition was left out"));
                    return;
                }
            }
        }
        let apart = |a: usize, b: usize| self.draft.are_in_different_regions(a, b);
        if let Some((_, other)) = (1..goals.len()).flat_map(|b| (0..b).map(move |a| (a, b))).find(|(a, b)| !apart(goals[*a].0, goals[*b].0))
        {
            let name = self.draft.states[goals[other].0].id.clone();
            self.loss(node, format!("a transition leads to one state of a region: `{name}` was left out"));
            let mut kept: Vec<Goal> = Vec::new();
            for goal in goals {
                if kept.iter().all(|it| self.draft.are_in_different_regions(it.0, goal.0)) {
                    kept.push(goal);
                }
            }
            goals = kept;
        }
        row.lead_to(&goals);
        if let From::State(from) = from {
            self.reenter(&mut row, from, node);
            let recalled: Vec<&str> = named_targets.into_iter().filter(|it| self.history_of.contains_key(*it)).collect();
            recalled.into_iter().for_each(|it| self.check_recalled_now(&row, from, it, node));
        }
        // A spec tries the rows that name an event before those for any other, a chart all in order.
        if row.trigger == Trigger::AnyOther {
            let later = node.next_siblings().skip(1).filter(|it| it.has_tag_name_local("transition"));
            let named: Vec<&str> = later.flat_map(|it| it.attribute("event").unwrap_or_default().split_whitespace()).collect();
            let mut first = Row { trigger: Trigger::Events, ..row.clone() };
            for event in named.into_iter().filter(|it| !it.starts_with(['*', '.']) && !it.starts_with("done.state.")) {
                first.events.extend(self.meant(event, node).into_iter().filter(|it| !first.events.contains(it)).collect::<Vec<_>>());
            }
            if !first.events.is_empty() {
                self.draft.rows.push(first);
            }
        }
        self.draft.rows.push(row);
    }

    /// Reports a transition to the history of a state that it may leave itself: the chart remembers first, a spec reads first.
    fn check_recalled_now(&mut self, row: &Row, from: usize, history: &str, node: Node<'_, '_>) {
        let Some(whole) = self.by_id.get(history).copied() else { return };
        let targets = row.targets();
        let is_internal = node.attribute("type") == Some("internal") && !self.draft.states[from].parallel;
        let domain = match is_internal && targets.iter().all(|it| self.draft.is_inside(*it, from)) {
            true => Some(from),
            false => self.draft.domain(from, &targets),
        };
        if self.draft.may_leave(from, whole, domain) {
            let name = self.draft.states[whole].id.clone();
            self.loss(node, super::remembered_first(&name));
        }
    }

    /// Adds to each row the events that its exits and entries raise.
    fn raise(&mut self, fresh: &Starts) {
        let of_spec = self.draft.starts();
        for (node, state, events) in std::mem::take(&mut self.raising) {
            let is_entry = node.tag_name().name() == "onentry";
            let mut unclear = false;
            let mut rows = std::mem::take(&mut self.draft.rows);
            for row in rows.iter_mut().filter(|it| it.to.is_some()) {
                let targets = row.targets();
                let domain = match row.from {
                    From::Creation => None,
                    From::Any => {
                        unclear = true;
                        continue;
                    }
                    // A state without states inside is left and entered again by a step to itself.
                    From::State(from) if row.reenter || !self.is_in(targets[0].0, Some(from)) || !self.composites.contains(&from) => {
                        self.draft.domain(from, &targets)
                    }
                    From::State(from) => Some(from),
                };
                let goals = self.draft.entered(&of_spec, domain, &targets);
                let inside = state_is_inside(&self.draft, state, domain);
                let enters = inside && goals.iter().any(|it| self.is_in(it.0, Some(state)));
                // What a history leads to depends on what it remembers.
                let may_enter = |it: &Goal| it.1.is_some() && state_is_inside(&self.draft, state, Some(it.0));
                unclear |= is_entry && !enters && targets.iter().any(may_enter);
                match (is_entry, row.from) {
                    (true, _) if enters => row.raise.extend(events.iter().cloned()),
                    (false, From::State(from)) if inside && self.is_in(from, Some(state)) => {
                        row.raise.splice(0..0, events.iter().cloned());
                    }
                    // Whether it is left depends on where the machine is.
                    (false, From::State(from))
                        if inside && (self.is_in(state, Some(from)) || self.draft.are_in_different_regions(from, state)) =>
                    {
                        unclear = true;
                    }
                    _ => {}
                }
            }
            self.draft.rows = rows;
            let at_start = self.draft.entered(&fresh.of_state, None, &fresh.of_machine).iter().any(|it| self.is_in(it.0, Some(state)));
            if is_entry && at_start && self.draft.rows.iter().all(|it| it.from != From::Creation) {
                self.draft.raised_at_start.extend(events.iter().cloned());
            }
            if unclear {
                let message =
                    format!("whether `{}` is raised depends on where the machine is: rows that may raise it do not", events.join("`, `"));
                self.loss(node, message);
            }
        }
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

    /// Marks a row that leaves its source or its target and enters it again, where a spec would stay inside.
    fn reenter(&mut self, row: &mut Row, from: usize, node: Node<'_, '_>) {
        let Some(to) = row.to else { return };
        let is_internal = node.attribute("type") == Some("internal");
        if self.draft.has_regions() {
            // What is left decides what else is taken, so effects are not all that matters.
            let all: Vec<usize> = std::iter::once(to).chain(row.also.iter().map(|it| it.0)).collect();
            let all_inside = all.iter().all(|it| self.is_in(*it, Some(from)));
            let is_own = |it: usize| it == from && !self.composites.contains(&it);
            let is_related = |it: usize| !is_own(it) && (self.is_in(it, Some(from)) || self.is_in(from, Some(it)));
            let stays = is_internal
                && all_inside
                && !self.draft.states[from].parallel
                && row.targets().iter().all(|it| it.0 != from || it.1.is_some());
            row.reenter = all.iter().any(|it| is_related(*it)) && !stays && (all_inside || all.len() == 1);
            return;
        }
        if let Some(entered) = self.entered_again(from, (to, row.to_history), is_internal) {
            let outer = if self.is_in(from, Some(to)) { to } else { from };
            if outer == entered || self.is_in(entered, Some(outer)) {
                row.reenter = true;
            } else {
                let name = self.draft.states[entered].id.clone();
                let message = format!("the chart leaves `{name}` and enters it again here, with its effects; a spec stays inside");
                self.loss(node, message);
            }
        }
    }

    /// A composite with effects that the chart leaves and enters again, although it contains both the old and the new leaf.
    fn entered_again(&self, from: usize, (to, to_history): Goal, internal: bool) -> Option<usize> {
        let has_effects = |state: &State| !state.entry.is_empty() || !state.exit.is_empty();
        let stays_in = |state: usize| {
            // An internal transition stays in its source; any other stays in what is around both.
            let is_inside = |it: usize| it != state && self.is_in(it, Some(state));
            if internal && state == from { is_inside(to) || to_history.is_some() } else { is_inside(from) && is_inside(to) }
        };
        let related = |state: usize| self.is_in(state, Some(from)) || self.is_in(from, Some(state));
        self.draft
            .path(to)
            .take_while(|it| !stays_in(*it))
            .find(|it| related(*it) && has_effects(&self.draft.states[*it]) && self.composites.contains(it))
    }
}

/// A history of a chart.
struct History<'a> {
    node: Node<'a, 'a>,
    /// The state around it.
    state: usize,
    shallow: bool,
    /// The histories of the spec that it is together; none if there is nothing to remember, or no field for it.
    remembers: Vec<Goal>,
    /// Where it leads if nothing is remembered; none if to the start of its state.
    default: Vec<Goal>,
}

/// Targets where nothing is remembered: each history leads to its default.
fn forgotten(targets: &[Goal], histories: &[History<'_>], draft: &Draft) -> Vec<Goal> {
    let mut plain = Vec::new();
    let mut seen = BTreeSet::new();
    let mut open: Vec<Goal> = targets.iter().rev().copied().collect();
    while let Some((state, history)) = open.pop() {
        let Some(of) = history.map(|it| draft.recalls[it].of) else {
            plain.push((state, None));
            continue;
        };
        match histories[of].default.as_slice() {
            [] => plain.push((state, None)),
            default if seen.insert(of) => open.extend(default.iter().rev()),
            // Another region of the same history.
            _ => {}
        }
    }
    plain
}

/// Where the chart starts the machine and each of its composites, at any depth: states, or histories of these. Several are in
/// different regions.
struct Starts {
    of_machine: Vec<Goal>,
    of_state: Vec<Vec<Goal>>,
}

impl Starts {
    /// The same where nothing is remembered.
    fn fresh(&self, histories: &[History<'_>], draft: &Draft) -> Starts {
        let of = |whole: usize| forgotten(&self.of_state[whole], histories, draft).into_iter().filter(|it| it.0 != whole).collect();
        Starts { of_machine: forgotten(&self.of_machine, histories, draft), of_state: (0..self.of_state.len()).map(of).collect() }
    }
}

/// Whether a state lies inside another one, and is not it; everything is inside the machine.
fn state_is_inside(draft: &Draft, state: usize, whole: Option<usize>) -> bool {
    whole != Some(state) && draft.is_in(state, whole)
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
