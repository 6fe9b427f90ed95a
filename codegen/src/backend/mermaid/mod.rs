//! Mermaid diagrams: a machine as a state diagram, its timers as a Gantt chart, a system as a flowchart, a walkthrough as a
//! sequence diagram.
//!
//! ```text
//! stateDiagram-v2
//!     [*] --> idle: create or load
//!     idle --> running: start
//! ```
//!
//! [`relations`] selects the arrows, as data: rows of the spec, with composites and `*`
//! drawn once from the outermost state that represents all sources. All other code here is
//! syntax. Mermaid has no escapes for ids and many reserved words, so a name that is not
//! plainly safe gets a generated id and keeps the name as a label.

mod counted;
mod flow;
mod lines;
mod sequence;
mod timeline;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

pub use counted::{Count, counted};
pub use flow::{TooMany, flow};
pub use lines::Lines;
pub use sequence::{TooLong, sequence};
pub use timeline::timeline;

use statespec_lang::expr::fold;
use statespec_lang::mermaid::{MACHINE, is_harmless, stem};
use statespec_lang::model::document::DiagramStyle;
use statespec_lang::model::machine::{Edge, From, Machine, On, Outcome, Target, Transition, Trigger};
use statespec_lang::model::{EventId, StateId, TransitionId};

use statespec_lang::show::MachineNames;

/// The number of states up to which a diagram is readable and Mermaid is fast.
pub const MAX_STATES: usize = 400;

/// The length up to which Mermaid draws a text.
pub const MAX_CHARACTERS: usize = 50_000;

/// The start or the end of an arrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
    /// `[*]` as the source.
    Start,
    /// A state, leaf or composite.
    State(StateId),
    /// `[*]` as the target.
    End,
}

/// One arrow of a diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation<'a> {
    /// The composite in which it is drawn; `None` at the top level.
    pub scope: Option<StateId>,
    /// The source.
    pub from: Node,
    /// The target.
    pub to: Node,
    /// The label, not yet escaped; empty without labels.
    pub label: Cow<'a, str>,
    /// The row that it represents.
    pub row: Option<TransitionId>,
}

/// The error for a diagram that is too large to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge {
    /// The number of states in the diagram.
    pub n_states: usize,
}

/// A diagram, and the row of each of its lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagram {
    text: String,
    rows: Vec<Option<TransitionId>>,
}

impl Diagram {
    /// The whole text, with a newline at the end.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The lines, without line ends.
    pub fn lines(&self) -> impl Iterator<Item = (&str, Option<TransitionId>)> {
        self.text.lines().zip(self.rows.iter().copied())
    }
}

/// Draws a machine.
pub fn diagram(machine: &Machine, style: &DiagramStyle) -> Result<Diagram, TooLarge> {
    let too_large = TooLarge { n_states: machine.states.len() };
    if machine.states.len() > MAX_STATES {
        return Err(too_large);
    }
    let mut relations = relations(machine, style);
    relations.retain(|it| style.loops || it.from != it.to);
    let mut drawing = Drawing { machine, style, ids: ids(machine), relations: &relations, diagram: Diagram::default() };
    drawing.line(0, &["stateDiagram-v2"], None);
    drawing.machine();
    if drawing.diagram.text.chars().count() > MAX_CHARACTERS { Err(too_large) } else { Ok(drawing.diagram) }
}

/// The arrows from a state to itself that a diagram in this style leaves out.
pub fn left_out<'a>(machine: &'a Machine, style: &DiagramStyle) -> Vec<Relation<'a>> {
    let loops = relations(machine, style).into_iter().filter(|it| it.from == it.to);
    loops.filter(|_| !style.loops).collect()
}

/// The arrows of a diagram, in the order in which they are drawn within their scope.
pub fn relations<'a>(machine: &'a Machine, style: &DiagramStyle) -> Vec<Relation<'a>> {
    let mut edges = BTreeMap::<(TransitionId, StateId), Vec<&Edge>>::new();
    for edge in &machine.edges {
        edge.from.into_iter().for_each(|it| edges.entry((edge.transition, it)).or_default().push(edge));
    }
    let mut drawn = Relations { machine, labels: style.labels, edges, guarded: BTreeSet::new(), seen: BTreeSet::new(), found: Vec::new() };
    drawn.starts(style);
    for (idx, row) in machine.transitions.iter().enumerate().filter(|(_, row)| row.from != From::Creation) {
        for &from in sources(machine, &row.from).iter() {
            for &to in targets(machine, row).iter() {
                drawn.possible(TransitionId::new(idx), from, to, row.events());
            }
        }
    }
    let mut relations = drawn.found;
    let ends =
        machine.leaves().filter(|id| machine.state(*id).terminal && machine.edges_from(Some(*id)).iter().all(|it| !moves(it.outcome)));
    relations.extend(ends.map(|id| Relation {
        scope: machine.state(id).parent,
        from: Node::State(id),
        to: Node::End,
        label: "".into(),
        row: None,
    }));
    if style.sorted {
        // Within a state's group, starts come first and ends last, in the order of `Node`.
        let name = |node: Node| match node {
            Node::State(id) => machine.state(id).name.as_str(),
            Node::Start | Node::End => "",
        };
        let at_end = |node: Node| node == Node::End;
        relations.sort_by(|a, b| (a.from, at_end(a.to), name(a.to), &a.label).cmp(&(b.from, at_end(b.to), name(b.to), &b.label)));
    }
    relations
}

/// Whether no machine rests in a leaf: it only leads on, at once.
fn is_choice(machine: &Machine, id: StateId) -> bool {
    !machine.may_rest(id) && machine.edges_from(Some(id)).iter().all(|it| moves(it.outcome))
}

fn moves(outcome: Outcome) -> bool {
    !matches!(outcome, Outcome::Stay | Outcome::Refuse)
}

/// What causes an arrow, as its label names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    Event(EventId),
    AnyOther,
    Done,
    Automatic,
}

/// What causes a row, for some of its events. A request names its target, so that none of its rows excludes another.
fn causes(row: &Transition, events: &[EventId]) -> Vec<Cause> {
    match &row.trigger {
        Trigger::Events(_) => events.iter().map(|it| Cause::Event(*it)).collect(),
        Trigger::AnyOther(_) => vec![Cause::AnyOther],
        Trigger::Done => vec![Cause::Done],
        Trigger::Automatic => vec![Cause::Automatic],
        Trigger::Direct => Vec::new(),
    }
}

/// The label of an arrow: the row's own label, else some of its events and its guard; `[else]` behind guarded arrows.
fn label<'a>(machine: &'a Machine, row: &'a Transition, events: &[EventId], is_else: bool) -> Cow<'a, str> {
    if let Some(label) = &row.label {
        return label.into();
    }
    let event = |it: &EventId| machine.event(*it).label.as_deref().unwrap_or(&machine.event(*it).name);
    let events = match &row.trigger {
        Trigger::Events(_) => match events {
            [one] => Cow::Borrowed(event(one)),
            several => several.iter().map(event).collect::<Vec<_>>().join(", ").into(),
        },
        Trigger::AnyOther(_) => "any other event".into(),
        Trigger::Done => "done".into(),
        Trigger::Direct | Trigger::Automatic => "".into(),
    };
    let guard = match &row.guard {
        Some(guard) => fold(guard, &machine.constants).show(&MachineNames::new(machine)),
        None if is_else => "else".to_owned(),
        None => return events,
    };
    let space = if events.is_empty() { "" } else { " " };
    format!("{events}{space}[{guard}]").into()
}

/// The states that an arrow is drawn from: as written, and for `*` the outermost states whose
/// leaves are all sources.
fn sources<'a>(machine: &Machine, from: &'a From) -> Cow<'a, [StateId]> {
    match from {
        From::Creation => Cow::default(),
        From::States(states) => states.into(),
        From::Any { except } => {
            let left_out = |id: StateId| except.iter().any(|whole| machine.is_in(id, *whole));
            let whole = |id: StateId| !left_out(id) && !except.iter().any(|inner| machine.is_in(*inner, id));
            let covers = |id: &StateId| whole(*id) && machine.state(*id).parent.is_none_or(|parent| !whole(parent));
            machine.state_ids().filter(covers).collect()
        }
    }
}

fn targets<'a>(machine: &Machine, row: &'a Transition) -> Cow<'a, [StateId]> {
    match &row.target {
        Target::To(states) => states.into(),
        Target::Payload(_) => machine.leaves().collect(),
        Target::History(to) => std::slice::from_ref(&to.whole).into(),
        Target::Fork(branches) => branches.iter().map(|it| it.state()).collect(),
        Target::Stay | Target::Refuse(_) => Cow::default(),
    }
}

struct Relations<'a> {
    machine: &'a Machine,
    labels: bool,
    /// The edges of each row in each leaf.
    edges: BTreeMap<(TransitionId, StateId), Vec<&'a Edge>>,
    /// The sources and causes of the arrows so far whose labels show guards.
    guarded: BTreeSet<(StateId, Cause)>,
    seen: BTreeSet<(Node, Node, Cow<'a, str>)>,
    found: Vec<Relation<'a>>,
}

impl<'a> Relations<'a> {
    /// The arrows out of `[*]`: of creations, and of every composite.
    fn starts(&mut self, style: &DiagramStyle) {
        let machine = self.machine;
        let mut created = false;
        for (idx, row) in machine.transitions.iter().enumerate().filter(|(_, row)| row.from == From::Creation) {
            created = true;
            let label = if style.labels { label(machine, row, row.events(), false) } else { "".into() };
            for &to in targets(machine, row).iter() {
                self.push(Relation {
                    scope: None,
                    from: Node::Start,
                    to: Node::State(outermost(machine, to)),
                    label: label.clone(),
                    row: Some(TransitionId::new(idx)),
                });
            }
        }
        if !created && !machine.parallel {
            self.push(Relation { scope: None, from: Node::Start, to: Node::State(machine.initial_top), label: "".into(), row: None });
        }
        for composite in machine.composites() {
            if let Some(child) = machine.state(composite).default_child {
                let inside = Relation { scope: Some(composite), from: Node::Start, to: Node::State(child), label: "".into(), row: None };
                // Every composite has its own start, so these are distinct.
                self.found.push(inside);
            }
        }
    }

    /// A row from a state to one target, for some of its events: from the state itself for those that lead there from each leaf
    /// inside, or that an arrow inside takes first; for the others, from the states inside.
    fn possible(&mut self, id: TransitionId, from: StateId, to: StateId, events: &[EventId]) {
        let machine = self.machine;
        let row = machine.transition(id);
        let edges = |leaf: StateId| self.edges.get(&(id, leaf)).map_or(&[][..], Vec::as_slice);
        let takes = |leaf: StateId, on: &dyn Fn(On) -> bool| edges(leaf).iter().any(|it| on(it.on) && machine.may_name(it, to));
        // A request names its target: whichever row takes it, it leads there.
        let requests = |leaf: StateId| machine.candidates(Some(leaf), On::Direct).iter().any(|it| machine.may_name(it, to));
        let is_taken_inside = |leaf: StateId, on: &dyn Fn(On) -> bool| {
            let is_inside = |it: &Edge| it.source.is_some_and(|it| it != from && machine.is_in(it, from));
            machine.edges_from(Some(leaf)).iter().any(|it| on(it.on) && is_inside(it) && moves(it.outcome))
        };
        // Where no machine rests, nothing waits for an event.
        let is_passed_over = |leaf: StateId| row.trigger != Trigger::Automatic && !machine.may_rest(leaf);
        let stands = |on: &dyn Fn(On) -> bool| {
            machine.leaves_in(from).any(|it| takes(it, on))
                && machine.leaves_in(from).all(|it| takes(it, on) || is_taken_inside(it, on) || is_passed_over(it))
        };
        let (drawn, others): (Vec<EventId>, Vec<EventId>) = match &row.trigger {
            Trigger::Events(_) => events.iter().partition(|event| stands(&|it| it == On::Event(**event))),
            _ => (Vec::new(), Vec::new()),
        };
        let is_drawn = match &row.trigger {
            Trigger::Events(_) => !drawn.is_empty(),
            Trigger::AnyOther(_) => stands(&|it| it.event().is_some()),
            // Only the leaves in which the state is done lead on.
            Trigger::Done => machine.leaves_in(from).any(|leaf| takes(leaf, &|it| matches!(it, On::Done(_)))),
            Trigger::Direct => {
                machine.leaves_in(from).any(requests) && machine.leaves_in(from).all(|it| requests(it) || is_passed_over(it))
            }
            Trigger::Automatic => stands(&|it| it == On::Automatic),
        };
        if is_drawn {
            self.row(id, from, to, &drawn);
        }
        if !others.is_empty() || !is_drawn && !matches!(row.trigger, Trigger::Events(_) | Trigger::Done) {
            for child in &machine.state(from).children {
                self.possible(id, *child, to, &others);
            }
        }
    }

    /// One row from one state to one target.
    ///
    /// Mermaid's layout fails on an arrow between a composite and a state inside it, so such an
    /// arrow is drawn from or to the corresponding state inside.
    fn row(&mut self, row: TransitionId, from: StateId, to: StateId, events: &[EventId]) {
        let machine = self.machine;
        if !machine.is_leaf(to) && machine.is_in(from, to) {
            // All regions of a parallel state start again.
            let starts = machine.state(to).default_child.map_or_else(|| machine.inside(Some(to)), |it| vec![it].into());
            for child in starts.iter() {
                self.row(row, from, *child, events);
            }
        } else if !machine.is_leaf(from) && machine.is_in(to, from) {
            // A row of a parallel state to a state inside it moves one region.
            let moves = |child: &&StateId| !machine.state(from).parallel || machine.is_in(to, **child);
            for child in machine.state(from).children.iter().filter(moves) {
                self.row(row, *child, to, events);
            }
        } else {
            // Mermaid moves a state into the composite that names it last, but a name outside all composites moves nothing.
            let scope = machine.state(from).parent.filter(|it| machine.state(to).parent == Some(*it) && !machine.state(*it).parallel);
            let label = if self.labels { self.label(row, from, events) } else { "".into() };
            self.push(Relation { scope, from: Node::State(from), to: Node::State(to), label, row: Some(row) });
        }
    }

    fn label(&mut self, id: TransitionId, from: StateId, events: &[EventId]) -> Cow<'a, str> {
        let row = self.machine.transition(id);
        let causes = causes(row, events);
        if row.guard.is_some() && row.label.is_none() {
            self.guarded.extend(causes.iter().map(|it| (from, *it)));
        }
        label(self.machine, row, events, causes.iter().any(|it| self.guarded.contains(&(from, *it))))
    }

    fn push(&mut self, relation: Relation<'a>) {
        if self.seen.insert((relation.from, relation.to, relation.label.clone())) {
            self.found.push(relation);
        }
    }
}

/// The outermost state whose entry leads to the same leaf.
fn outermost(machine: &Machine, mut id: StateId) -> StateId {
    while let Some(parent) = machine.state(id).parent.filter(|it| machine.state(*it).default_child == Some(id)) {
        id = parent;
    }
    id
}

struct Drawing<'a> {
    machine: &'a Machine,
    style: &'a DiagramStyle,
    ids: Vec<Cow<'a, str>>,
    relations: &'a [Relation<'a>],
    diagram: Diagram,
}

impl<'a> Drawing<'a> {
    fn line(&mut self, depth: usize, parts: &[&str], row: Option<TransitionId>) {
        let text = &mut self.diagram.text;
        text.extend(std::iter::repeat_n(' ', self.style.indent * depth));
        text.extend(parts.iter().copied());
        text.push('\n');
        self.diagram.rows.push(row);
    }

    /// The whole machine. Mermaid parts regions only inside a composite, so the regions of a machine get one around them.
    fn machine(&mut self) {
        if !self.machine.parallel {
            return self.scope(None, 1);
        }
        // Creations say where the machine starts.
        if self.machine.edges_from(None).is_empty() {
            self.line(1, &["[*] --> ", MACHINE], None);
        }
        self.starts(None, 1);
        self.line(1, &["state \"", &escape(&self.machine.name), "\" as ", MACHINE, " {"], None);
        self.composites(None, 2);
        self.line(1, &["}"], None);
        self.arrows(None, 1);
    }

    /// The states and arrows of a composite, or of a machine without regions of its own.
    ///
    /// Inside a composite, composites come first: Mermaid's layout fails on a composite behind an arrow in its region.
    fn scope(&mut self, scope: Option<StateId>, depth: usize) {
        if scope.is_some() {
            self.composites(scope, depth);
        }
        self.leaves(scope, depth);
        self.starts(scope, depth);
        if scope.is_none() {
            self.composites(scope, depth);
        }
        self.arrows(scope, depth);
    }

    /// The leaves that an arrow does not name as they are shown.
    fn leaves(&mut self, scope: Option<StateId>, depth: usize) {
        let machine = self.machine;
        // A state without an arrow in its composite is named there by itself.
        let named: BTreeSet<Node> = self.own(scope).flat_map(|it| [it.from, it.to]).collect();
        for &id in machine.inside(scope).iter().filter(|id| machine.is_leaf(**id)) {
            let (name, label, shown) = (&machine.state(id).name, self.label(id), self.ids[id.index()].clone());
            if is_choice(machine, id) && shown == *name && label == name {
                self.line(depth, &["state ", &shown, " <<choice>>"], None);
            } else if shown != *name || label != name {
                self.line(depth, &["state \"", &escape(label), "\" as ", &shown], None);
            } else if !named.contains(&Node::State(id)) {
                self.line(depth, &[&shown], None);
            }
        }
    }

    fn composites(&mut self, scope: Option<StateId>, depth: usize) {
        let machine = self.machine;
        for (idx, &id) in machine.inside(scope).iter().filter(|id| !machine.is_leaf(**id)).enumerate() {
            if idx > 0 && machine.is_parallel(scope) {
                self.line(depth, &["--"], None);
            }
            let (name, label, shown) = (&machine.state(id).name, self.label(id), self.ids[id.index()].clone());
            if shown != *name || label != name {
                self.line(depth, &["state \"", &escape(label), "\" as ", &shown, " {"], None);
            } else {
                self.line(depth, &["state ", &shown, " {"], None);
            }
            self.scope(Some(id), depth + 1);
            self.line(depth, &["}"], None);
        }
    }

    /// The arrows out of `[*]`.
    fn starts(&mut self, scope: Option<StateId>, depth: usize) {
        for relation in self.own(scope).filter(|it| it.from == Node::Start) {
            self.relation(depth, relation);
        }
    }

    /// The other arrows.
    fn arrows(&mut self, scope: Option<StateId>, depth: usize) {
        for relation in self.own(scope).filter(|it| it.from != Node::Start) {
            self.relation(depth, relation);
        }
    }

    /// The arrows that are drawn in a composite, or outside all composites.
    fn own(&self, scope: Option<StateId>) -> impl Iterator<Item = &'a Relation<'a>> + use<'a> {
        self.relations.iter().filter(move |it| it.scope == scope)
    }

    /// The displayed name of a state.
    fn label(&self, id: StateId) -> &'a str {
        let state = self.machine.state(id);
        let label = state.label.as_deref().filter(|it| self.style.labels && !it.trim().is_empty());
        label.unwrap_or(&state.name)
    }

    fn relation(&mut self, depth: usize, relation: &Relation<'_>) {
        let id = |node: Node| match node {
            Node::Start | Node::End => "[*]".into(),
            Node::State(id) => self.ids[id.index()].clone(),
        };
        let (from, to, label) = (id(relation.from), id(relation.to), escape(&relation.label));
        let colon = if label.is_empty() { "" } else { ": " };
        self.line(depth, &[&from, " --> ", &to, colon, &label], relation.row);
    }
}

/// An id for every state: its name if that is safe, else a generated one.
fn ids(machine: &Machine) -> Vec<Cow<'_, str>> {
    let mut made = BTreeMap::<String, usize>::new();
    let mut make = |name: &str| {
        let stem = stem(name);
        let count = made.entry(stem.clone()).or_insert(0);
        loop {
            *count += 1;
            // The last letter avoids `…_start` and `…_end`, which Mermaid generates itself.
            // Different stems yield different ids, so only a name can be equal.
            let id = if *count == 1 { format!("{stem}_s") } else { format!("{stem}_s{count}") };
            if machine.state_named(&id).is_none() {
                return id;
            }
        }
    };
    machine.states.iter().map(|it| if is_harmless(&it.name) { it.name.as_str().into() } else { make(&it.name).into() }).collect()
}

/// A text as a label: one line, with every character that is special in Mermaid, Markdown or
/// HTML replaced by a character code, which Mermaid decodes.
pub fn escape(text: &str) -> Cow<'_, str> {
    // The common case: names.
    if text.split('_').all(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_alphanumeric())) {
        return text.into();
    }
    let text = text.split(|it: char| it.is_whitespace() || it.is_control()).filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" ");
    let words: Vec<char> = text.chars().collect();
    let mut escaped = String::new();
    for (idx, &character) in words.iter().enumerate() {
        let before = idx.checked_sub(1).and_then(|it| words.get(it)).copied();
        let after = words.get(idx + 1).copied();
        let is_word = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
        let harmless = match character {
            ' ' | '(' | ')' | '>' | '=' | ',' | '\'' | '?' | '!' | '/' | '[' | ']' => true,
            '.' | '-' | '+' => !begins_list(&words[..idx], after),
            '_' => is_word(before) && is_word(after),
            // `direction LR` is a statement at any position in a line.
            'd' | 'D' => !begins_direction(&words[idx..]),
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {
                escaped.push('\u{fffd}');
                continue;
            }
            // Mermaid replaces `#59;` by `ﬂ°°59¶ß` while it parses, and decodes that at any position.
            'ﬂ' | '¶' => false,
            other => !other.is_ascii() || other.is_ascii_alphanumeric(),
        };
        if harmless {
            escaped.push(character);
        } else {
            escaped.push_str(&format!("#{};", u32::from(character)));
        }
    }
    escaped.into()
}

/// Mermaid draws "Unsupported markdown: list" for labels such as `1. first` and `- item`.
fn begins_list(before: &[char], after: Option<char>) -> bool {
    after.is_none_or(|it| it == ' ') && before.iter().all(char::is_ascii_digit)
}

fn begins_direction(rest: &[char]) -> bool {
    let start: String = rest.iter().take(12).collect::<String>().to_ascii_lowercase();
    start.strip_prefix("direction ").is_some_and(|it| matches!(it, "tb" | "td" | "bt" | "lr" | "rl"))
}
