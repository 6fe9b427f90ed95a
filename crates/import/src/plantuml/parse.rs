//! From statements to states and arrows, as drawn.

use std::collections::BTreeSet;
use std::ops::Range;

use statespec_lang::names::is_name;

use super::arrow::{self, Line};
use super::homes::{Around, Homes, Place};
use super::lines::{self, note_name, statements, uncommented};
use super::statement::{Mark, Of, State, Statement, What};
use super::text::{Moment, action, plain};
use crate::diagram::{Arrow, Block, Diagram, End, MAX_DEPTH, Node, Pseudo, Wrong};
use crate::label;

/// Whether a text reads as a state diagram: it has an arrow from or to `[*]`, or it declares states and has no other statements.
pub(super) fn is_state_diagram(block: &Block) -> bool {
    let source = uncommented(block.text());
    lines::has_dots(&source) || (lines::has_states(&source) && parse(block).is_ok_and(|it| !it.arrows.is_empty()))
}

/// Reads a diagram.
pub(super) fn parse(block: &Block) -> Result<Diagram, Wrong> {
    let source = uncommented(block.text());
    let (statements, comments) = statements(&source)?;
    let homes = Homes::new(&statements)?;
    let named_notes = statements.iter().filter_map(|it| note_name(&it.what)).collect();
    let diagram = Diagram { comments, is_uml: true, ..Diagram::default() };
    let mut builder = Builder {
        block,
        homes,
        diagram,
        place: Place::default(),
        named_notes,
        told: BTreeSet::new(),
        n_mentions: 0,
        at_home: BTreeSet::new(),
        last: Last::default(),
        notes: Vec::new(),
    };
    let mut around = Around::new();
    for statement in statements {
        builder.place = around.place();
        around.pass(&statement.what, |it| builder.homes.key(it), &statement.range)?;
        builder.statement(statement);
    }
    let diagram = builder.finish();
    let is_deep = |it: &usize| diagram.path(Some(*it)).take(MAX_DEPTH + 2).count() > MAX_DEPTH + 1;
    if let Some(deep) = (0..diagram.nodes.len()).find(is_deep) {
        let message = format!("composites are nested deeper than {MAX_DEPTH} levels");
        return Err(Wrong { range: diagram.nodes[deep].range.clone(), message });
    }
    Ok(diagram)
}

/// Whether a mark makes a dot of a state.
fn is_dot(mark: Mark) -> bool {
    matches!(mark, Mark::Start | Mark::End { named: false } | Mark::History { .. })
}

struct Builder<'a> {
    block: &'a Block,
    homes: Homes,
    diagram: Diagram,
    /// The place of the statement.
    place: Place,
    named_notes: BTreeSet<&'a str>,
    /// The states about which something was told.
    told: BTreeSet<String>,
    /// The number of mentions of states up to here.
    n_mentions: usize,
    /// The nodes that were named where they are drawn.
    at_home: BTreeSet<usize>,
    last: Last,
    /// The notes of states, by key: a note may precede its state.
    notes: Vec<(String, String)>,
}

/// What a note without a name belongs to.
#[derive(Debug, Default)]
struct Last {
    /// The state of the statement before.
    state: Option<String>,
    /// The last arrow, if it was drawn.
    arrow: Option<usize>,
}

impl<'a> Builder<'a> {
    fn statement(&mut self, statement: Statement<'_>) {
        let Statement { what, range, comments } = statement;
        let span = self.block.span(range.clone());
        let found = &mut self.diagram.found;
        match what {
            What::Look(what) => found.ignored(span, format!("{what} has no place in a spec")),
            What::Lost(message) => found.loss(span, message),
            What::Title(text) => self.diagram.title = Some(text.trim_matches('"').to_owned()).filter(|it| !it.is_empty()),
            What::Text(text) => self.diagram.notes.extend(Some(text).filter(|it| !it.is_empty())),
            What::Note { of, text } => self.note(of, text),
            What::State(state) => self.state(&state, comments, range),
            What::Description { id, text } => self.description(id, text, comments, range),
            What::Arrow(line) => self.arrow(&line, comments, range),
            What::Divider => {
                let region = Place { n_dividers: self.place.n_dividers + 1, ..self.place.clone() };
                self.scope(&self.place.clone(), &range);
                self.scope(&region, &range);
            }
            What::Close => {}
        }
    }

    /// The node around a place: its composite, or the region of it.
    fn scope(&mut self, place: &Place, range: &Range<usize>) -> Option<usize> {
        let composite = place.composite.as_ref().map(|key| {
            let home = self.homes.home(key);
            self.node_at(key, &home, range)
        });
        let Some(number) = self.homes.region(place) else { return composite };
        match composite {
            Some(composite) => self.diagram.nodes[composite].parallel = true,
            None => self.diagram.parallel = true,
        }
        let id = match composite {
            Some(composite) => format!("{} {number}", self.diagram.id(composite)),
            None => format!("region {number}"),
        };
        let region = self.diagram.nodes.entry(id);
        let region_idx = region.index();
        let mention = self.n_mentions;
        region.or_insert_with(|| Node { scope: composite, mention, region: true, range: range.clone(), ..Node::default() });
        Some(region_idx)
    }

    /// The node with this key, which is drawn in a place.
    fn node_at(&mut self, key: &str, home: &Place, range: &Range<usize>) -> usize {
        if let Some(known) = self.diagram.nodes.get_index_of(key) {
            return known;
        }
        let scope = self.scope(home, range);
        let node = Node { scope, mention: self.n_mentions, range: range.clone(), ..Node::default() };
        self.diagram.nodes.insert_full(key.to_owned(), node).0
    }

    /// The node that a statement names.
    fn node(&mut self, id: &str, is_declared: bool, range: &Range<usize>) -> usize {
        let key = self.homes.key(id);
        let home = self.homes.home(id);
        self.n_mentions += 1;
        let node = self.node_at(&key, &home, range);
        // A composite starts with the state that its own text names first.
        if home == self.place && self.at_home.insert(node) {
            self.diagram.nodes[node].mention = self.n_mentions;
        }
        self.tell_two_homes(&key, node, is_declared, range);
        if key == id && id.contains('.') && self.told.insert(key) {
            let message = format!("newer versions of PlantUML draw `{id}` inside another state: it was read as one name");
            self.diagram.found.assumed(self.block.span(range.clone()), message);
        }
        node
    }

    /// Tells that a state is named in a composite, and drawn in another one that has nothing to do with it; or that it is
    /// declared in a composite, and drawn anywhere else.
    fn tell_two_homes(&mut self, key: &str, node: usize, is_declared: bool, range: &Range<usize>) {
        let here = self.scope(&self.place.clone(), range);
        let home = self.diagram.nodes[node].scope;
        let Some(here) = here.filter(|it| Some(*it) != home) else { return };
        let is_in = |inner: usize, outer: usize| self.diagram.path(Some(inner)).any(|it| it == outer);
        let apart = |home: usize| !is_in(here, home) && !is_in(home, here);
        // Inside a composite, its own name means the composite.
        if is_in(here, node) || !(is_declared || home.is_some_and(apart)) || !self.told.insert(key.to_owned()) {
            return;
        }
        let new = self.diagram.id(here);
        let message = match home.map(|it| self.diagram.id(it)) {
            Some(before) => format!(
                "`{key}` is named in `{before}` and in `{new}`, and a name is one state: it was put into `{before}`, where PlantUML draws it"
            ),
            None => {
                format!("`{key}` is named outside `{new}` first, and a name is one state: it was left outside, where PlantUML draws it")
            }
        };
        self.diagram.found.assumed(self.block.span(range.clone()), message);
    }

    fn state(&mut self, state: &State<'_>, comments: Vec<String>, range: Range<usize>) {
        let span = self.block.span(range.clone());
        if state.has_style {
            self.diagram.found.ignored(span, "the colour or the class of a state has no place in a spec");
        }
        if state.has_link {
            self.diagram.found.loss(span, "a state of a spec has no link");
        }
        let key = self.homes.key(state.id);
        let mark = self.homes.mark(&key);
        if self.homes.mismarked.contains(&key) && state.mark.is_some() {
            let message = format!("`{key}` is marked as a start or an end, and its arrows say otherwise: it became an ordinary state");
            self.diagram.found.loss(span, message);
        }
        // These are no states: arrows to and from them are those to and from `[*]` and `[H]`.
        if mark.is_some_and(is_dot) {
            return;
        }
        let node = self.node(state.id, true, &range);
        if self.homes.is_unsettled(&key)
            && let Some(home) = self.diagram.nodes[node].scope
            && self.told.insert(key.clone())
        {
            let message = format!(
                "versions of PlantUML differ in where they draw `{key}`: it was put into `{}`, where it is named first",
                self.diagram.id(home)
            );
            self.diagram.found.assumed(span, message);
        }
        if state.is_frame {
            self.diagram.found.assumed(span, format!("the frame `{key}` was read as a composite state"));
        }
        if let Some(Mark::End { .. }) = mark {
            let scope = self.diagram.nodes[node].scope;
            let arrow =
                Arrow { from: End::Node(node), to: End::Dot, text: None, doc: None, scope, comments: Vec::new(), range: range.clone() };
            self.diagram.arrows.push(arrow);
        }
        let drawn = &mut self.diagram.nodes[node];
        drawn.pseudo = drawn.pseudo.or(match mark {
            Some(Mark::Choice) => Some(Pseudo::Choice),
            Some(Mark::Fork) => Some(Pseudo::Fork),
            Some(Mark::Join) => Some(Pseudo::Join),
            Some(Mark::Point) => Some(Pseudo::Point),
            _ => None,
        });
        drawn.comments.extend(comments);
        if let Some(label) = state.label.map(|it| plain(it, " ")).filter(|it| !it.is_empty() && *it != key) {
            // The name that is displayed comes before further texts.
            drawn.texts.insert(0, label);
        }
        self.last.state = Some(key);
        if let Some(text) = state.text {
            self.text(node, text, &range);
        }
    }

    fn description(&mut self, id: &str, text: &str, comments: Vec<String>, range: Range<usize>) {
        let key = self.homes.key(id);
        if self.homes.mark(&key).is_some_and(is_dot) {
            let message = "what is no state has no text in a spec: it was left out";
            self.diagram.found.loss(self.block.span(range), message);
            return;
        }
        let node = self.node(id, false, &range);
        self.diagram.nodes[node].comments.extend(comments);
        self.last.state = Some(key);
        self.text(node, text, &range);
    }

    /// A line below the name of a state.
    fn text(&mut self, node: usize, text: &str, range: &Range<usize>) {
        let text = plain(text, "\n");
        if text.is_empty() {
            return;
        }
        let drawn = &mut self.diagram.nodes[node];
        if let Some((moment, effects)) = action(&text) {
            let effects = label::effects(&effects.replace('\n', " "));
            (if moment == Moment::Entry { &mut drawn.entry } else { &mut drawn.exit }).extend(effects);
            return;
        }
        let parsed = label::parse(&text);
        let what = match (parsed.events.as_slice(), parsed.effects.is_empty()) {
            ([event], false) if event.eq_ignore_ascii_case("do") => Some("an activity of a state has no place in a spec"),
            ([event], false) if is_name(event) => Some("this may be a step that stays in the state"),
            _ => None,
        };
        if let Some(what) = what {
            self.diagram.found.assumed(self.block.span(range.clone()), format!("{what}: the text was kept as its description"));
        }
        drawn.notes.push(text);
    }

    fn arrow(&mut self, line: &Line<'_>, comments: Vec<String>, range: Range<usize>) {
        self.last = Last::default();
        let span = self.block.span(range.clone());
        let is_note = |it: arrow::End<'_>| matches!(it, arrow::End::State(id) if self.named_notes.contains(id));
        if is_note(line.from) || is_note(line.to) {
            self.diagram.found.ignored(span, "a line to a note has no place in a spec");
            return;
        }
        let ends = self.end(line.from, &range).zip(self.end(line.to, &range));
        if line.hidden {
            self.diagram.found.ignored(span, "an arrow that is not drawn only places the states");
            return;
        }
        let Some(((from, of_start), (to, of_end))) = ends else {
            self.diagram.found.loss(span, "a machine as a whole has no history: the arrow was left out");
            return;
        };
        let place = of_start.or(of_end).unwrap_or(self.place.clone());
        let scope = self.scope(&place, &range);
        let text = Some(plain(line.text, " ")).filter(|it| !it.is_empty());
        self.last.arrow = Some(self.diagram.arrows.len());
        self.diagram.arrows.push(Arrow { from, to, text, doc: None, scope, comments, range });
    }

    /// An end of an arrow, and the place of a dot with a name. `None` for a history outside all composites.
    fn end(&mut self, end: arrow::End<'_>, range: &Range<usize>) -> Option<(End, Option<Place>)> {
        Some(match end {
            arrow::End::Dot => (End::Dot, None),
            arrow::End::History { of: Some(id), deep } => (End::History { of: self.node(id, false, range), deep }, None),
            arrow::End::History { of: None, deep } => (End::History { of: self.scope(&self.place.clone(), range)?, deep }, None),
            arrow::End::Bar(name) => {
                let key = format!("bar {name}");
                let node = self.node_at(&key, &self.place.clone(), range);
                self.diagram.nodes[node].pseudo = Some(self.homes.bar(name));
                (End::Node(node), None)
            }
            arrow::End::State(id) => {
                let key = self.homes.key(id);
                let home = self.homes.home(id);
                match self.homes.mark(&key).filter(|it| is_dot(*it)) {
                    Some(Mark::History { deep }) => (End::History { of: self.scope(&home, range)?, deep }, None),
                    Some(_) => (End::Dot, Some(home)),
                    None => (End::Node(self.node(id, false, range)), None),
                }
            }
        })
    }

    fn note(&mut self, of: Of<'_>, text: String) {
        if text.is_empty() {
            return;
        }
        let state = match of {
            Of::State(id) => Some(self.homes.key(id)),
            Of::Before => self.last.state.clone(),
            Of::Arrow => match self.last.arrow.and_then(|it| self.diagram.arrows.get_mut(it)) {
                Some(arrow) => {
                    arrow.doc = Some(text);
                    return;
                }
                None => None,
            },
            Of::Nothing(_) => None,
        };
        match state {
            Some(state) => self.notes.push((state, text)),
            None => self.diagram.notes.push(text),
        }
    }

    fn finish(mut self) -> Diagram {
        for (key, text) in self.notes {
            match self.diagram.nodes.get_mut(&key) {
                Some(node) => node.notes.push(text),
                None => self.diagram.notes.push(text),
            }
        }
        self.diagram
    }
}
