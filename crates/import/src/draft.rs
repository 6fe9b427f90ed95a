//! A machine as an importer reads it: texts that are not yet names.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::names;
use statespec_lang::source::Span;

use super::field::Field;
use super::guard::Guard;
use super::phrase;

/// A machine to be written as a spec.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) kind: super::Kind,
    /// Whether the text decides every pair of states: an edge that it does not have is refused.
    pub(super) complete: bool,
    /// Whether rows of the text, or steps of the code, could not be read.
    pub(super) partial: bool,
    /// The text that the name is derived from.
    pub(super) name: String,
    pub(super) title: Option<String>,
    pub(super) doc: Option<String>,
    /// The context, if the text declares it.
    pub(super) fields: Vec<Field>,
    /// Fields that the text declares without a type: only conditions can tell it.
    pub(super) untyped: Vec<(String, Span)>,
    /// Whether the top states are regions.
    pub(super) parallel: bool,
    /// The states, each after its parent.
    pub(super) states: Vec<State>,
    pub(super) rows: Vec<Row>,
    /// What targets that are histories stand for.
    pub(super) recalls: Vec<Recall>,
    /// Events that no row need name.
    pub(super) events: Vec<String>,
    /// The events that entering a state raises, or leaving it, until the rows raise them.
    pub(super) raising: Vec<Raising>,
    /// Events that the machine raises itself at its start.
    pub(super) raised_at_start: Vec<String>,
    pub(super) notes: Vec<String>,
    /// Trailing comments.
    pub(super) comments: Vec<String>,
    /// The place of the machine in the imported text.
    pub(super) span: Span,
    pub(super) found: Findings,
}

impl Draft {
    /// A machine of which only the name is known.
    pub(super) fn new(kind: super::Kind, name: impl Into<String>, span: Span) -> Self {
        Draft {
            kind,
            complete: kind == super::Kind::Chart,
            partial: false,
            name: name.into(),
            title: None,
            doc: None,
            fields: Vec::new(),
            untyped: Vec::new(),
            parallel: false,
            states: Vec::new(),
            rows: Vec::new(),
            recalls: Vec::new(),
            events: Vec::new(),
            raising: Vec::new(),
            raised_at_start: Vec::new(),
            notes: Vec::new(),
            comments: Vec::new(),
            span,
            found: Findings::default(),
        }
    }
}

impl Draft {
    /// Whether a state, or the machine, has regions.
    pub(super) fn is_parallel(&self, whole: Option<usize>) -> bool {
        whole.map_or(self.parallel, |it| self.states[it].parallel)
    }

    /// The state with a path, as in `outer/inner`; those of its parts that are missing are added.
    pub(super) fn state_at(&mut self, path: &str, span: Span) -> usize {
        let (parent, name) = match path.rsplit_once('/') {
            Some((around, name)) => (Some(self.state_at(around, span)), name),
            None => (None, path),
        };
        self.states.iter().position(|it| it.id == name && it.parent == parent).unwrap_or_else(|| {
            self.states.push(State::new(name, parent, span));
            self.states.len() - 1
        })
    }

    /// Moves each row that is taken if no guard holds behind the guarded ones of its source and events: diagrams have no order.
    pub(super) fn settle_otherwise(&mut self) {
        let mut last: BTreeMap<(From, Option<String>), usize> = BTreeMap::new();
        // A row without an event is beside those without one.
        let keys = |row: &Row| -> Vec<(From, Option<String>)> {
            let events = row.events.iter().map(|it| Some(it.clone()));
            if row.events.is_empty() { vec![(row.from, None)] } else { events.map(|it| (row.from, it)).collect() }
        };
        for (idx, row) in self.rows.iter().enumerate().filter(|(_, it)| !it.otherwise) {
            last.extend(keys(row).into_iter().map(|it| (it, idx)));
        }
        let place = |(idx, row): (usize, &Row)| match row.otherwise {
            true => keys(row).iter().filter_map(|it| last.get(it)).copied().max().map_or(idx, |it| it.max(idx)),
            false => idx,
        };
        let places: Vec<usize> = self.rows.iter().enumerate().map(place).collect();
        let mut rows: Vec<(usize, Row)> = places.into_iter().zip(std::mem::take(&mut self.rows)).collect();
        rows.sort_by_key(|(place, row)| (*place, row.otherwise));
        self.rows = rows.into_iter().map(|it| it.1).collect();
    }

    /// The states directly inside a state, or the top states.
    pub(super) fn inside(&self, whole: Option<usize>) -> Vec<usize> {
        (0..self.states.len()).filter(|it| self.states[*it].parent == whole).collect()
    }

    /// The state and its ancestors.
    pub(super) fn path(&self, state: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(state), |it| self.states[*it].parent)
    }

    /// Whether a state is inside another one, or is it; everything is inside the machine.
    pub(super) fn is_in(&self, state: usize, whole: Option<usize>) -> bool {
        whole.is_none_or(|whole| self.path(state).any(|it| it == whole))
    }

    /// Adds a field of the context, under another name if a spec cannot have this one. `all` are those that the text declares.
    pub(super) fn declare(&mut self, text: &str, all: &BTreeSet<&str>, ty: &'static str, default: Option<String>, span: Span) {
        let alike = |a: &str, b: &str| names::snake(a) == names::snake(b);
        let is_taken = |name: &str| {
            self.fields.iter().any(|it| alike(&it.name, name)) || (name != text && all.iter().any(|it| *it != text && alike(it, name)))
        };
        let name = super::naming::field_name(text, is_taken);
        if name != text {
            let message =
                format!("a spec cannot have a field `{text}` here: it is `{name}`, and a condition that names `{text}` became a predicate");
            self.found.loss(span, message);
        }
        self.fields.push(Field { name, ty, default, optional: false });
    }

    /// Where each state starts in the spec: in the state inside it that is marked.
    pub(super) fn starts(&self) -> Vec<Vec<Goal>> {
        let mut starts = vec![Vec::new(); self.states.len()];
        for (idx, state) in self.states.iter().enumerate().filter(|(_, it)| it.initial) {
            if let Some(parent) = state.parent {
                starts[parent].push((idx, None));
            }
        }
        starts
    }

    /// The leaves, and the histories, that entering a target ends in, where each composite starts as given.
    pub(super) fn goals(&self, starts: &[Vec<Goal>], target: Goal) -> Vec<Goal> {
        match target {
            (_, Some(_)) => vec![target],
            (state, None) => self.entered(starts, Some(state), &[]),
        }
    }

    /// The leaves, and the histories, that entering a state ends in, with these targets inside it.
    pub(super) fn entered(&self, starts: &[Vec<Goal>], whole: Option<usize>, targets: &[Goal]) -> Vec<Goal> {
        if let Some(whole) = whole
            && let Some(own) = targets.iter().find(|it| it.0 == whole)
        {
            return if own.1.is_some() { vec![*own] } else { self.entered(starts, Some(whole), &[]) };
        }
        let children = self.inside(whole);
        let own = whole.map_or(&[][..], |it| starts[it].as_slice());
        let targets = if targets.is_empty() { own } else { targets };
        let of = |child: usize| targets.iter().copied().filter(|it| self.is_in(it.0, Some(child))).collect::<Vec<_>>();
        // A start in its own history.
        if let Some(start) = targets.iter().find(|it| Some(it.0) == whole && it.1.is_some()) {
            return vec![*start];
        }
        match whole {
            _ if self.is_parallel(whole) => children.into_iter().flat_map(|it| self.entered(starts, Some(it), &of(it))).collect(),
            _ => match (children.iter().find(|it| !of(**it).is_empty()).or(children.first()), whole) {
                (Some(child), _) => self.entered(starts, Some(*child), &of(*child)),
                (None, Some(leaf)) => vec![(leaf, None)],
                (None, None) => Vec::new(),
            },
        }
    }

    /// Whether a target lies inside a state; its history does.
    pub(super) fn is_inside(&self, target: Goal, whole: usize) -> bool {
        self.is_in(target.0, Some(whole)) && (target.0 != whole || target.1.is_some())
    }

    /// Whether a row from a state to the history of another one may leave that one itself, where it leaves what is active inside
    /// `domain`: the text then remembers first, and a spec reads first.
    pub(super) fn may_leave(&self, from: usize, whole: usize, domain: Option<usize>) -> bool {
        self.may_be_active(from, whole) && domain != Some(whole) && self.is_in(whole, domain)
    }

    /// Whether a state may be done: it has a terminal state directly inside, or is parallel, and all its regions have.
    pub(super) fn may_be_done(&self, state: usize) -> bool {
        let is_end = |it: usize| self.states[it].terminal && self.inside(Some(it)).is_empty();
        let has_end = |whole: usize| self.inside(Some(whole)).into_iter().any(is_end);
        has_end(state) || (self.states[state].parallel && self.inside(Some(state)).into_iter().all(has_end))
    }

    /// Whether a machine that is in one state may be in the other one, too.
    pub(super) fn may_be_active(&self, from: usize, whole: usize) -> bool {
        self.is_in(from, Some(whole)) || self.is_in(whole, Some(from)) || self.are_in_different_regions(from, whole)
    }

    /// The innermost state around a source and its targets that is no parallel state, as SCXML has it for what is left.
    pub(super) fn domain(&self, from: usize, targets: &[Goal]) -> Option<usize> {
        let contains = |whole: usize| targets.iter().all(|it| self.is_inside(*it, whole));
        // What was put around a parallel region is no state of the text.
        self.path(from).skip(1).find(|it| !self.states[*it].parallel && !self.is_added(*it) && contains(*it))
    }
}

/// A target: a state, or its history, by its position in [`Draft::recalls`].
pub(super) type Goal = (usize, Option<usize>);

/// A history as a target.
#[derive(Debug, Clone)]
pub(super) struct Recall {
    /// The context field.
    pub(super) field: String,
    /// The history of the text.
    pub(super) of: usize,
}

#[derive(Debug, Clone)]
pub(super) struct State {
    /// The text that the name is derived from.
    pub(super) id: String,
    /// The label, if it differs from the id.
    pub(super) label: Option<String>,
    /// The name in storage and in messages, if it differs from the id.
    pub(super) wire: Option<String>,
    /// The description, as paragraphs.
    pub(super) doc: Vec<String>,
    pub(super) parent: Option<usize>,
    pub(super) initial: bool,
    pub(super) terminal: bool,
    /// Whether the states inside are regions.
    pub(super) parallel: bool,
    /// The fields that remember where the machine was inside, each with whether only the child.
    pub(super) histories: Vec<(String, bool)>,
    pub(super) entry: Vec<Effect>,
    pub(super) exit: Vec<Effect>,
    pub(super) inferred: Option<String>,
    pub(super) comments: Vec<String>,
    pub(super) span: Span,
}

impl State {
    pub(super) fn new(id: impl Into<String>, parent: Option<usize>, span: Span) -> Self {
        State {
            id: id.into(),
            label: None,
            wire: None,
            doc: Vec::new(),
            parent,
            initial: false,
            terminal: false,
            parallel: false,
            histories: Vec::new(),
            entry: Vec::new(),
            exit: Vec::new(),
            inferred: None,
            comments: Vec::new(),
            span,
        }
    }
}

/// An action of a step: its text and its description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Effect {
    pub(super) text: String,
    pub(super) doc: Option<String>,
}

impl Effect {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Effect { text: text.into(), doc: None }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum From {
    Creation,
    Any,
    State(usize),
}

/// The trigger of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trigger {
    /// Its events; without any, a request that names the target.
    Events,
    /// Any other event.
    AnyOther,
    /// None: the step is taken as soon as its guards hold.
    Automatic,
    /// The source is done.
    Done,
    /// The source has been active for [`Row::after`].
    After,
}

#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) from: From,
    /// The states that [`From::Any`] leaves out.
    pub(super) except: Vec<usize>,
    /// The target; `None` stays in the current state.
    pub(super) to: Option<usize>,
    /// The history of `to` that is the target, by its position in [`Draft::recalls`].
    pub(super) to_history: Option<usize>,
    /// Further targets in other regions.
    pub(super) also: Vec<Goal>,
    pub(super) trigger: Trigger,
    pub(super) events: Vec<String>,
    /// The duration of a timer, in the syntax of a spec.
    pub(super) after: String,
    /// The text that the name of the timer is derived from, if the text has a name for it.
    pub(super) timer: Option<String>,
    /// The guards, all of which must hold.
    pub(super) guards: Vec<String>,
    /// Further guards, made of others.
    pub(super) composed: Vec<Guard>,
    /// Further guards, in the language of specs.
    pub(super) when: Vec<String>,
    /// Whether the text says `[else]`: it is taken if no guard before it holds.
    pub(super) otherwise: bool,
    pub(super) effects: Vec<Effect>,
    /// The events that the machine raises itself.
    pub(super) raise: Vec<String>,
    /// Events that wait behind all that the step raises; they become the last of these.
    pub(super) sent: Vec<String>,
    /// The state inside which SCXML leaves all that is active; the machine if none.
    pub(super) domain: Option<usize>,
    /// Whether the source or the target, whichever contains the other, is left and entered again.
    pub(super) reenter: bool,
    /// Who may raise the events; anyone if empty.
    pub(super) by: Vec<String>,
    /// The label of the arrow; kept if the spec would show another text.
    pub(super) label: Option<String>,
    pub(super) doc: Option<String>,
    pub(super) inferred: Option<String>,
    pub(super) comments: Vec<String>,
    pub(super) span: Span,
}

impl Row {
    pub(super) fn new(from: From, to: Option<usize>, span: Span) -> Self {
        Row {
            from,
            except: Vec::new(),
            to,
            to_history: None,
            also: Vec::new(),
            trigger: Trigger::Events,
            events: Vec::new(),
            after: String::new(),
            timer: None,
            guards: Vec::new(),
            composed: Vec::new(),
            when: Vec::new(),
            otherwise: false,
            effects: Vec::new(),
            raise: Vec::new(),
            sent: Vec::new(),
            domain: None,
            reenter: false,
            by: Vec::new(),
            label: None,
            doc: None,
            inferred: None,
            comments: Vec::new(),
            span,
        }
    }

    /// Whether a guard decides whether it is taken.
    pub(super) fn is_guarded(&self) -> bool {
        !self.guards.is_empty() || !self.composed.is_empty() || !self.when.is_empty()
    }

    /// Whether both are rows of one source and trigger, or of an event that both name.
    pub(super) fn is_beside(&self, other: &Row) -> bool {
        let is_shared = self.events.iter().any(|it| other.events.contains(it)) || (self.events.is_empty() && other.events.is_empty());
        self.from == other.from && self.trigger == other.trigger && is_shared
    }

    /// The texts of guards that may be expressions.
    pub(super) fn guard_texts(&self) -> impl Iterator<Item = &str> {
        self.guards.iter().map(String::as_str).chain(self.composed.iter().flat_map(Guard::texts))
    }

    /// The targets.
    pub(super) fn targets(&self) -> Vec<Goal> {
        self.to.map(|it| (it, self.to_history)).into_iter().chain(self.also.iter().copied()).collect()
    }

    /// Replaces the targets, unless there are none.
    pub(super) fn lead_to(&mut self, targets: &[Goal]) {
        if let Some(((to, to_history), also)) = targets.split_first() {
            (self.to, self.to_history, self.also) = (Some(*to), *to_history, also.to_vec());
        }
    }

    /// Adds guards; `else` is none.
    pub(super) fn with_guards(&mut self, guards: Vec<String>) {
        let (others, guards): (Vec<String>, Vec<String>) = guards.into_iter().partition(|it| phrase::is_else(it));
        self.otherwise |= !others.is_empty();
        self.guards.extend(guards);
    }

    /// Adds the parts of a label.
    pub(super) fn with_label(mut self, text: &str) -> Self {
        let label = super::label::parse(text);
        self.events = label.events;
        self.with_guards(label.guards);
        self.effects = label.effects.into_iter().map(Effect::new).collect();
        self.label = Some(text.to_owned());
        self
    }
}

/// The findings of an import.
#[derive(Debug, Clone, Default)]
pub(super) struct Findings(pub(super) Vec<Diagnostic>);

impl Findings {
    /// Adds a construct that the spec language cannot express.
    pub(super) fn loss(&mut self, span: Span, message: impl Into<String>) {
        self.0.push(Diagnostic::new(Code::ImportLoss, span, message));
    }

    /// Adds an assumption: the spec requires a value that the text does not state.
    pub(super) fn assumed(&mut self, span: Span, message: impl Into<String>) {
        self.0.push(Diagnostic::new(Code::ImportAssumed, span, message));
    }

    /// Adds a start that the text leaves out.
    pub(super) fn added(&mut self, span: Span, message: impl Into<String>) {
        self.0.push(Diagnostic::new(Code::ImportAdded, span, message));
    }

    /// Adds ignored layout and colour.
    pub(super) fn ignored(&mut self, span: Span, message: impl Into<String>) {
        self.0.push(Diagnostic::new(Code::ImportLook, span, message));
    }

    /// Adds a text that cannot be read.
    pub(super) fn unreadable(&mut self, span: Span, message: impl Into<String>) {
        self.0.push(Diagnostic::new(Code::ImportUnreadable, span, message));
    }

    /// [`Findings::unreadable`], with a remedy.
    pub(super) fn unreadable_help(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.0.push(Diagnostic::new(Code::ImportUnreadable, span, message).help(help));
    }

    /// All of them, sorted by place, each once.
    pub(super) fn finish(self) -> Vec<Diagnostic> {
        let mut found = self.0;
        found.sort_by(|a, b| (a.primary.0, a.code, &a.message).cmp(&(b.primary.0, b.code, &b.message)));
        found.dedup();
        found
    }
}

/// The events that entering a state raises, or leaving it.
#[derive(Debug, Clone)]
pub(super) struct Raising {
    pub(super) state: usize,
    pub(super) is_entry: bool,
    pub(super) raise: Vec<String>,
    /// Events that wait behind all that are raised.
    pub(super) sent: Vec<String>,
    pub(super) span: Span,
}
