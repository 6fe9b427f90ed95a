//! The input of a form: the items of a subject. And its result: lines, some of which show one item.

use std::collections::BTreeMap;

use statespec_lang::chars::is_forbidden;
use statespec_lang::model::machine::{Enum, Machine, Reserved};
use statespec_lang::output::Blame;
use statespec_lang::source::Span;

use super::Objection;
use crate::subject;

/// The kinds of subjects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `order.states`: the leaves.
    States,
    /// `order.events`: all events that are raised from outside, so no timers.
    Events,
    /// `order.enums.channel`: the values of an enum.
    Values,
    /// `order.labels`: the leaves with their labels.
    Labels,
    /// `order.edges`: the leaves with those that one step leads to.
    Edges,
}

impl Kind {
    /// The kinds with a name for each item and nothing else.
    pub const NAMES: &[Kind] = &[Kind::States, Kind::Events, Kind::Values];
    /// The kinds with something for each state.
    pub const TABLES: &[Kind] = &[Kind::Labels, Kind::Edges];
    /// All kinds.
    pub const ALL: &[Kind] = &[Kind::States, Kind::Events, Kind::Values, Kind::Labels, Kind::Edges];

    /// The items, in messages.
    pub(super) fn plural(self) -> &'static str {
        if self == Kind::Values { "values of enums" } else { self.word() }
    }

    /// The word after the name of the machine.
    pub fn word(self) -> &'static str {
        match self {
            Kind::States => "states",
            Kind::Events => "events",
            Kind::Values => "enums",
            Kind::Labels => "labels",
            Kind::Edges => "edges",
        }
    }
}

/// An item of a subject: a state, an event or a value of an enum.
#[derive(Debug)]
pub(super) struct Item<'m> {
    pub(super) name: &'m str,
    /// The name in storage and in messages.
    pub(super) wire: &'m str,
    pub(super) label: Option<&'m str>,
    pub(super) doc: Option<&'m str>,
    pub(super) number: Option<i32>,
    pub(super) span: Span,
}

impl<'m> Item<'m> {
    /// The text for people.
    pub(super) fn shown(&self) -> &'m str {
        self.label.unwrap_or(self.name)
    }
}

/// The item of a state, an event or a value of an enum, which have these fields alike; `wire` is the field that is stored and sent.
macro_rules! item {
    ($it:expr, $wire:ident) => {{
        let it = $it;
        let (label, doc) = (it.label.as_deref(), it.doc.as_deref());
        Item { name: &it.name, wire: &it.$wire, label, doc, number: it.number, span: it.span }
    }};
}

/// The items of a subject.
#[derive(Debug)]
pub(super) struct Subject<'m> {
    pub(super) machine: &'m Machine,
    pub(super) kind: Kind,
    pub(super) of: Option<&'m Enum>,
    pub(super) items: Vec<Item<'m>>,
    /// For edges: the positions of the targets of each state, in the order of the states.
    pub(super) targets: Vec<Vec<usize>>,
}

impl<'m> Subject<'m> {
    /// The leaves of a machine, with their labels, or with their edges.
    pub(super) fn states(machine: &'m Machine, kind: Kind) -> Self {
        let leaves = machine.leaves().map(|id| machine.state(id));
        let items: Vec<Item<'m>> = leaves.map(|it| item!(it, wire)).collect();
        let mut targets = vec![Vec::new(); items.len()];
        if kind == Kind::Edges {
            subject::edges(machine).into_iter().for_each(|((from, to), _)| targets[from].push(to));
            targets.iter_mut().for_each(|it| it.sort_unstable());
        }
        Subject { machine, kind, of: None, items, targets }
    }

    /// The events of a machine that something outside raises.
    pub(super) fn events(machine: &'m Machine) -> Self {
        Subject {
            machine,
            kind: Kind::Events,
            of: None,
            items: machine.events.iter().filter(|it| it.timer.is_none()).map(|it| item!(it, name)).collect(),
            targets: Vec::new(),
        }
    }

    /// The values of an enum.
    pub(super) fn values(machine: &'m Machine, of: &'m Enum) -> Self {
        Subject {
            machine,
            kind: Kind::Values,
            of: Some(of),
            items: of.values.iter().map(|it| item!(it, wire)).collect(),
            targets: Vec::new(),
        }
    }

    /// What must not be used for an item again.
    pub(super) fn reserved(&self) -> &'m [Reserved] {
        match (self.kind, self.of) {
            (Kind::Values, Some(of)) => &of.reserved,
            (Kind::Events, _) => &self.machine.reserved_events,
            _ => &self.machine.reserved_states,
        }
    }

    /// What the subject is called, in snake case: `state` for a column, `order_state` for a type.
    pub(super) fn stem(&self) -> (&'m str, &'m str) {
        let last = match (self.kind, self.of) {
            (Kind::Values, Some(of)) => of.name.as_str(),
            (Kind::Events, _) => "event",
            (Kind::Labels, _) => "state_labels",
            (Kind::Edges, _) => "edges",
            _ => "state",
        };
        (&self.machine.name, last)
    }
}

/// A subject, the name of the type, and the number of columns of a line.
#[derive(Debug)]
pub(super) struct List<'a, 'm> {
    pub(super) subject: &'a Subject<'m>,
    pub(super) name: &'a str,
    pub(super) width: usize,
}

impl<'a, 'm> List<'a, 'm> {
    /// The items.
    pub(super) fn items(&self) -> &'a [Item<'m>] {
        &self.subject.items
    }

    /// Whether a line has room.
    pub(super) fn fits(&self, line: &str) -> bool {
        line.chars().count() <= self.width
    }

    /// Each item with its identifier in a language. Two items with one identifier are an objection.
    pub(super) fn named(&self, language: &str, ident: impl Fn(&Item<'m>) -> String) -> Result<Vec<(String, &'a Item<'m>)>, Objection> {
        let mut seen = BTreeMap::<String, &Item<'_>>::new();
        let mut named = Vec::new();
        for item in self.items() {
            let ident = ident(item);
            if let Some(first) = seen.insert(ident.clone(), item) {
                return Err(Objection {
                    message: format!("`{}` and `{}` would both be `{ident}` in {language}", first.name, item.name),
                    help: "rename one of them; `aka` keeps its earlier name, `wire` the name in storage".to_owned(),
                    also: Some((item.span, "the second of the two".to_owned())),
                });
            }
            named.push((ident, item));
        }
        Ok(named)
    }

    /// Each state with the texts of its targets.
    pub(super) fn rows(&self, quote: impl Fn(&str) -> String) -> impl Iterator<Item = (&'a Item<'m>, Vec<String>)> {
        let items = self.items();
        items
            .iter()
            .zip(&self.subject.targets)
            .map(move |(item, targets)| (item, targets.iter().map(|it| quote(items[*it].wire)).collect()))
    }
}

/// A text in the making.
#[derive(Debug, Default)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) blame: Blame,
}

impl Text {
    /// A text of one line.
    pub(super) fn of(line: impl AsRef<str>) -> Self {
        let mut text = Text::default();
        text.line(line);
        text
    }

    /// Adds a line.
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    /// Adds a line, or several, that show one item.
    pub(super) fn item(&mut self, item: &Item<'_>, lines: impl AsRef<str>) {
        let shown = lines.as_ref().lines().filter(|it| it.contains(char::is_alphanumeric));
        shown.for_each(|it| self.blame.push(it, item.span));
        self.line(lines);
    }
}

/// A text in quotes, for languages with escapes as in C.
pub(super) fn quoted(text: &str, quote: char, also: &[char], code: fn(u32) -> String) -> String {
    let mut quoted = String::from(quote);
    for it in text.chars() {
        match it {
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\\' => quoted.push_str("\\\\"),
            it if it == quote || also.contains(&it) => quoted.extend(['\\', it]),
            it if is_forbidden(it) => quoted.push_str(&code(u32::from(it))),
            it => quoted.push(it),
        }
    }
    quoted.push(quote);
    quoted
}

/// `\u202e`. All characters that are written so have four digits.
pub(super) fn four_digits(code: u32) -> String {
    format!("\\u{code:04x}")
}

/// The quote that formatters prefer: double, unless that needs more escapes.
pub(super) fn preferred_quote(text: &str) -> char {
    let n = |quote: char| text.chars().filter(|it| *it == quote).count();
    if n('"') > n('\'') { '\'' } else { '"' }
}
