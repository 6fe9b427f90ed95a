//! Reads State Chart XML, as standardized by the W3C.
//!
//! ```text
//! XML ──mod──▶ states ──content──▶ effects, raised events ──history, start──▶ where each is entered ──transition──▶ rows
//! ```

mod content;
mod history;
mod start;
mod transition;

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::{Document, Node, ParsingOptions};
use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::source::{SourceId, Sources, Span};

use super::delays::Delays;
use super::draft::{Draft, Findings, From, Goal, Raising, State, Trigger};
use super::spaces::Spaces;
use super::span;
use content::Content;
use history::Starts;

/// The length of a word that is none: data of an editor.
const MAX_WORD: usize = 60;

/// The maximum nesting of elements.
const MAX_DEPTH: usize = 20;

/// Reads a chart.
pub(super) fn read(sources: &Sources, id: SourceId, events: &[String], found: &mut Findings) -> Option<Draft> {
    let source = sources.get(id);
    let text = source.text();
    let options = ParsingOptions { nodes_limit: 200_000, allow_dtd: true, ..ParsingOptions::default() };
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
    let name = root.attribute("name").map_or_else(|| super::naming::stem(source.path()), str::to_owned);
    let mut draft = Draft::new(super::Kind::Chart, super::naming::machine_name(&name), head(root, text, id));
    draft.events = events.to_vec();
    let spaces = Spaces::of(&document);
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
        events: named_events(root, &spaces).into_iter().chain(events.iter().cloned()).collect(),
        delays: Delays::of(&document, &spaces),
        spaces,
        data: BTreeSet::new(),
        prefixes: BTreeSet::new(),
        namespaces: BTreeSet::new(),
        comments: Vec::new(),
    };
    // Those before the chart, and behind it, where an editor keeps its data.
    let around = document.root().children().filter(|it| it.is_comment()).filter_map(|it| it.text());
    reader.draft.comments.extend(around.filter(|it| is_prose(it)).map(|it| it.trim().to_owned()));
    let whole = reader.inside(root, None, 0).and_then(|()| reader.finish(root));
    match whole {
        Ok(()) => Some(reader.draft),
        Err(problem) => {
            found.0.push(problem);
            None
        }
    }
}

/// Whether a comment is more than the data of an editor, in base64.
fn is_prose(comment: &str) -> bool {
    let (data, words): (Vec<&str>, Vec<&str>) = comment.split_whitespace().partition(|it| is_data(it));
    let length = |all: Vec<&str>| all.into_iter().map(str::len).sum::<usize>();
    length(data) <= length(words)
}

/// Whether a word is a line of base64. An address is none, and neither is a row of dashes, nor a sentence without spaces.
fn is_data(word: &str) -> bool {
    let digits = word.trim_end_matches('=');
    let n_alphanumeric = digits.bytes().filter(u8::is_ascii_alphanumeric).count();
    let is_digit = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'+' | b'/');
    word.len() >= MAX_WORD && digits.bytes().all(is_digit) && 2 * n_alphanumeric > digits.len()
}

/// The names of all events of a chart: `a` for `a.*`.
fn named_events(root: Node<'_, '_>, spaces: &Spaces<'_>) -> BTreeSet<String> {
    let of = |it: Node<'_, '_>| {
        let written = spaces.events(it.attribute("event").unwrap_or_default()).into_iter();
        // The machine itself raises `done.state.x`.
        let names = written.filter(|it| stem(it) == *it || !it.starts_with("done.state")).map(stem);
        names.filter(|it| !it.contains('*') && !it.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    root.descendants().filter(|it| ["transition", "raise", "send"].iter().any(|tag| it.has_tag_name_local(tag))).flat_map(of).collect()
}

/// The name that a descriptor of events begins with: `a` for `a`, `a.` and `a.*`.
fn stem(descriptor: &str) -> &str {
    descriptor.strip_suffix(".*").unwrap_or(descriptor).trim_end_matches('.')
}

/// Whether a part of a chart is an element, and not one of an editor.
pub(super) fn is_content(node: Node<'_, '_>) -> bool {
    node.is_element() && !is_drawing(node.tag_name().namespace())
}

/// Whether a namespace is that of an editor, which says where it draws something: a spec need not know.
fn is_drawing(namespace: Option<&str>) -> bool {
    namespace.is_some_and(|it| ["qt", "visual", "editor", "sketch", "layout"].iter().any(|word| it.contains(word)))
}

/// The events that a chart sends to itself, or raises.
fn sent_events(root: Node<'_, '_>) -> BTreeSet<String> {
    let is_own = |it: &Node<'_, '_>| {
        let leads_here = it.attribute("target").is_none_or(|it| it == "#_internal") && it.attribute("targetexpr").is_none();
        it.has_tag_name_local("raise") || (it.has_tag_name_local("send") && leads_here)
    };
    let events = root.descendants().filter(is_own).filter_map(|it| it.attribute("event"));
    events.map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect()
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
    /// The delayed events that are timers.
    delays: Delays,
    /// How lists of names are written.
    spaces: Spaces<'a>,
    /// The data that are declared.
    data: BTreeSet<String>,
    /// The names of events of which the report says that they stand for longer names, too.
    prefixes: BTreeSet<String>,
    /// The namespaces of attributes that were reported.
    namespaces: BTreeSet<&'a str>,
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

    /// Reports a text where only elements count.
    fn text_between(&mut self, node: Node<'_, '_>) {
        if node.is_text() && node.text().is_some_and(|it| !it.trim().is_empty()) {
            self.loss(node, "text between elements has no place in a spec");
        }
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
                self.comment(node, state);
                continue;
            }
            if !node.is_element() {
                self.text_between(node);
                continue;
            }
            self.element(node, state, depth)?;
        }
        self.keep_comments(state);
        Ok(())
    }

    /// Keeps a comment for what follows it; behind an element, in its line, it is about this one.
    fn comment(&mut self, node: Node<'a, 'a>, state: Option<usize>) {
        let comment = node.text().unwrap_or_default().trim().to_owned();
        if comment.is_empty() {
            return;
        }
        let is_same_line = |from: usize| !self.text[from..node.range().start].contains('\n');
        let before = node.prev_sibling_element().filter(|it| is_same_line(it.range().end));
        let whole = node.parent_element().filter(|it| node.prev_sibling_element().is_none() && is_same_line(it.range().start));
        if whole.is_some() {
            self.comments.push(comment);
            self.keep_comments(state);
            return;
        }
        let known = |it: Node<'_, '_>| it.attribute("id").and_then(|it| self.by_id.get(it).copied());
        match (before.map(|it| it.tag_name().name()), before.and_then(known)) {
            (Some("transition"), _) => match self.transitions.last_mut() {
                Some(last) => last.2.push(comment),
                None => self.comments.push(comment),
            },
            (Some("state" | "parallel" | "final"), Some(known)) => self.draft.states[known].comments.push(comment),
            (Some("onentry" | "onexit" | "datamodel" | "initial" | "history"), _) => {
                self.comments.push(comment);
                self.keep_comments(state);
            }
            _ => self.comments.push(comment),
        }
    }

    /// Gives the comments that no element follows to the state around them, or to the machine.
    fn keep_comments(&mut self, state: Option<usize>) {
        let comments = std::mem::take(&mut self.comments);
        match state {
            Some(state) => self.draft.states[state].comments.extend(comments),
            None => self.draft.comments.extend(comments),
        }
    }

    /// Keeps the comments directly inside an element for what is around it.
    fn comments_in(&mut self, node: Node<'a, 'a>) {
        let comments = node.children().filter(Node::is_comment).filter_map(|it| it.text());
        self.comments.extend(comments.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()));
    }

    /// Gives the comments in a start or a history, and in its transition, to the state around it.
    fn comments_of_start(&mut self, node: Node<'a, 'a>, state: Option<usize>) {
        self.comments_in(node);
        node.children().filter(|it| it.has_tag_name_local("transition")).for_each(|it| self.comments_in(it));
        self.keep_comments(state);
    }

    /// Reports the attributes that SCXML does not have, such as a misspelt one.
    fn attributes(&mut self, node: Node<'a, 'a>) {
        let known: &[&str] = match node.tag_name().name() {
            "scxml" => &["name", "initial", "version", "datamodel", "binding", "xmlns"],
            "state" => &["id", "initial"],
            "parallel" | "final" => &["id"],
            "transition" => &["event", "cond", "target", "type"],
            "history" => &["id", "type"],
            "data" => &["id", "expr", "src"],
            "initial" | "onentry" | "onexit" => &[],
            _ => return,
        };
        let types: &[&str] = if node.has_tag_name_local("history") { &["shallow", "deep"] } else { &["internal", "external"] };
        if let Some(ty) = node.attribute("type").filter(|it| known.contains(&"type") && !types.contains(it)) {
            let message = format!(
                "`{ty}` is no type of a `<{}>`: it was read as `{}`",
                node.tag_name().name(),
                if types[0] == "shallow" { "shallow" } else { "external" }
            );
            self.loss(node, message);
        }
        let is_known = |name: &str| known.contains(&name) || (name == "type" && truth(node).is_some());
        for attribute in node.attributes().filter(|it| it.namespace().is_none() && !is_known(it.name())) {
            self.loss(node, format!("`{}` is no attribute of `<{}>`: it was left out", attribute.name(), node.tag_name().name()));
        }
        for namespace in node.attributes().filter_map(|it| it.namespace()) {
            if !is_drawing(Some(namespace)) && namespace != "http://www.w3.org/XML/1998/namespace" && self.namespaces.insert(namespace) {
                self.loss(node, format!("a spec has nothing for the attributes of `{namespace}`: they were left out"));
            }
        }
    }

    fn element(&mut self, node: Node<'a, 'a>, state: Option<usize>, depth: usize) -> Result<(), Diagnostic> {
        if is_drawing(node.tag_name().namespace()) {
            return Ok(());
        }
        self.attributes(node);
        match node.tag_name().name() {
            "state" | "parallel" | "final" => {
                let known = self.state(node, state);
                self.inside(node, Some(known), depth + 1)?;
            }
            "transition" => {
                let from = state.map_or(From::Any, From::State);
                if state.is_none() {
                    let place = self.place(node);
                    let message = "a chart as a whole has no transitions: this was read as one of every state but its final ones, which does not leave the state around its target";
                    self.draft.found.assumed(place, message);
                }
                let comments = std::mem::take(&mut self.comments);
                self.transitions.push((from, node, comments));
            }
            "onentry" | "onexit" => {
                let delays = std::mem::take(&mut self.delays);
                let is_entry = node.tag_name().name() == "onentry";
                let span = self.place(node);
                let effects = match state {
                    Some(state) => {
                        let Content { raise, sent, effects } = self.content(node, |child| delays.replaces(child));
                        // Several blocks of a state are one after the other.
                        match self.draft.raising.iter_mut().find(|it| (it.state, it.is_entry) == (state, is_entry)) {
                            Some(before) => {
                                before.raise.extend(raise);
                                before.sent.extend(sent);
                            }
                            None if raise.is_empty() && sent.is_empty() => {}
                            None => self.draft.raising.push(Raising { state, is_entry, raise, sent, span }),
                        }
                        effects
                    }
                    None => self.effects(node, |child| delays.replaces(child)),
                };
                self.delays = delays;
                self.keep_comments(state);
                match state {
                    Some(state) if is_entry => self.draft.states[state].entry.extend(effects),
                    Some(state) => self.draft.states[state].exit.extend(effects),
                    None => self.loss(node, "a machine as a whole is not entered or left: these effects were left out"),
                }
            }
            "initial" => self.comments_of_start(node, state),
            "datamodel" => {
                self.datamodel(node);
                self.keep_comments(state);
            }
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
                self.comments_of_start(node, state);
            }
            "invoke" => {
                self.loss(node, "a machine of a spec starts nothing: what is invoked was left out");
                for finalize in node.children().filter(|it| it.has_tag_name_local("finalize")) {
                    self.loss(finalize, "`<finalize>` was left out: your code must perform it");
                }
            }
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
            && node.children().any(|it| ["state", "parallel", "final"].iter().any(|tag| it.has_tag_name_local(tag)));
        known
    }

    fn datamodel(&mut self, node: Node<'a, 'a>) {
        let all = node.document().descendants().filter(|it| it.has_tag_name_local("data")).filter_map(|it| it.attribute("id")).collect();
        for data in node.children() {
            if !data.is_element() {
                self.comments.extend(data.text().filter(|_| data.is_comment()).map(|it| it.trim().to_owned()));
                self.text_between(data);
                continue;
            }
            self.attributes(data);
            self.comments_in(data);
            let name = data.attribute("id").unwrap_or_default().to_owned();
            let written = || data.children().filter(Node::is_text).filter_map(|it| it.text()).collect();
            let value = data.attribute("expr").map_or_else(written, str::to_owned).trim().to_owned();
            match truth(data).map(|it| ("bool", Some(it.to_owned()))).or_else(|| super::xstate::literal(&value)) {
                _ if name.is_empty() => self.loss(data, "this has no `id`: it was left out"),
                _ if !self.data.insert(name.clone()) => self.loss(data, format!("`{name}` is declared twice: the second one was left out")),
                Some((ty, default)) => {
                    let place = self.place(data);
                    self.draft.declare(&name, &all, ty, default, place);
                }
                None => self.draft.untyped.push((name, self.place(data))),
            }
        }
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
            self.initial(node, state, &mut starts);
        }
        let fresh = starts.fresh(&histories, &self.draft);
        self.draft.mark_starts(&fresh.of_machine, &fresh.of_state);
        for (from, node, comments) in std::mem::take(&mut self.transitions) {
            self.transition(from, node, comments);
        }
        histories.iter().for_each(|it| self.check_default(it, &fresh));
        self.report_recalling(&starts);
        self.draft.lead_to_starts(&starts.of_state);
        self.draft.lead_children_to_starts(&starts.of_state);
        self.lead_to_defaults(&histories, &starts, &fresh);
        self.cross(&histories);
        self.draft.report_around(|it| it.has_third && !it.stays);
        // The regions that start again with a row do so where the chart starts them.
        self.draft.lead_to_starts(&starts.of_state);
        self.draft.raise_on_the_way(&fresh.of_machine, &fresh.of_state);
        let ends = self.draft.states.iter().filter(|it| it.parent.is_none() && it.terminal && !it.exit.is_empty());
        for (span, name) in ends.map(|it| (it.span, it.id.clone())).collect::<Vec<_>>() {
            let message =
                format!("the chart leaves `{name}` when it ends, and a spec never does: the effects of leaving it are not performed");
            self.draft.found.loss(span, message);
        }
        // A composite cannot be terminal.
        for idx in &self.composites {
            self.draft.states[*idx].terminal = false;
        }
        // `*` stands for what an effect sends, too.
        if self.draft.rows.iter().any(|it| it.trigger == Trigger::AnyOther) {
            let sent = sent_events(root).into_iter().filter(|it| !self.delays.is_timer(it));
            self.draft.events.extend(sent);
        }
        self.keep_comments(None);
        Ok(())
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
            self.draft.raising.iter_mut().for_each(|it| follow(&mut it.state));
            self.initials.iter_mut().filter_map(|it| it.1.as_mut()).for_each(follow);
            for (from, ..) in &mut self.transitions {
                if let From::State(from) = from {
                    follow(from);
                }
            }
        }
        self.draft.settle_regions();
    }
}

/// The truth value of data that is declared as one: `<data type="bool" expr="False"/>`.
fn truth(data: Node<'_, '_>) -> Option<&'static str> {
    let is_bool = data.has_tag_name_local("data") && matches!(data.attribute("type"), Some("bool" | "boolean"));
    match data.attribute("expr").filter(|_| is_bool)?.trim() {
        "true" | "True" => Some("true"),
        "false" | "False" => Some("false"),
        _ => None,
    }
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
