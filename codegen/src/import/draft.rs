//! A machine as an importer reads it: texts that are not yet names.

use std::collections::BTreeSet;

use super::guard::Guard;
use crate::diagnostic::{Code, Diagnostic};
use crate::names;
use crate::source::Span;

/// Why a state is there that the text does not have.
const AROUND: &str = "A region has states inside it.";

/// A machine to be written as a spec.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) kind: super::Kind,
    /// Whether the text decides every pair of states: an edge that it does not have is refused.
    pub(super) complete: bool,
    /// Whether rows of the text, or steps of the code, could not be read.
    pub(super) partial: bool,
    /// Whether it is code that tells other programs what they see.
    pub(super) interface: bool,
    /// Whether other files cannot use it.
    pub(super) local: bool,
    /// The text that the name is derived from.
    pub(super) name: String,
    pub(super) title: Option<String>,
    pub(super) doc: Option<String>,
    /// The context, if the text declares it.
    pub(super) fields: Vec<Field>,
    /// Whether the top states are regions.
    pub(super) parallel: bool,
    /// The states, each after its parent.
    pub(super) states: Vec<State>,
    pub(super) rows: Vec<Row>,
    /// What targets that are histories stand for.
    pub(super) recalls: Vec<Recall>,
    /// Events that no row need name.
    pub(super) events: Vec<String>,
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
            interface: false,
            local: false,
            name: name.into(),
            title: None,
            doc: None,
            fields: Vec::new(),
            parallel: false,
            states: Vec::new(),
            rows: Vec::new(),
            recalls: Vec::new(),
            events: Vec::new(),
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

    /// Whether any state, or the machine, has regions.
    pub(super) fn has_regions(&self) -> bool {
        self.parallel || self.states.iter().any(|it| it.parallel)
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

    /// Makes regions of the states inside parallel ones: a region has states inside it, so a single state and a parallel one get
    /// a state between, and a single region is none.
    pub(super) fn settle_regions(&mut self) {
        let all: Vec<Option<usize>> = std::iter::once(None).chain((0..self.states.len()).map(Some)).collect();
        for whole in all.into_iter().filter(|it| self.is_parallel(*it)).collect::<Vec<_>>() {
            let regions = self.inside(whole);
            if regions.len() < 2 {
                if let Some(only) = regions.first() {
                    self.states[*only].initial = true;
                }
                match whole {
                    Some(whole) => self.states[whole].parallel = false,
                    None => self.parallel = false,
                }
                continue;
            }
            for region in regions {
                self.states[region].initial = false;
                if self.inside(Some(region)).is_empty() {
                    let outer = &mut self.states[region];
                    let inner = State {
                        label: Some(outer.label.clone().unwrap_or_else(|| outer.id.clone())),
                        initial: true,
                        terminal: std::mem::take(&mut outer.terminal),
                        inferred: Some(AROUND.to_owned()),
                        ..State::new(format!("{} inside", outer.id), Some(region), outer.span)
                    };
                    self.states.push(inner);
                }
            }
        }
    }

    /// Puts a state around each region that is parallel itself. Returns the new positions of the regions that moved inside.
    pub(super) fn surround_parallel_regions(&mut self) -> Vec<(usize, usize)> {
        let mut moved = Vec::new();
        for idx in 0..self.states.len() {
            if !self.states[idx].parallel || !self.is_parallel(self.states[idx].parent) {
                continue;
            }
            if self.inside(self.states[idx].parent).len() < 2 {
                continue;
            }
            let inner = self.states.len();
            let around = State {
                inferred: Some(AROUND.to_owned()),
                ..State::new(format!("{} region", self.states[idx].id), self.states[idx].parent, self.states[idx].span)
            };
            let mut state = std::mem::replace(&mut self.states[idx], around);
            state.parent = Some(idx);
            state.initial = true;
            self.states.push(state);
            for child in 0..inner {
                if self.states[child].parent == Some(idx) {
                    self.states[child].parent = Some(inner);
                }
            }
            moved.push((idx, inner));
        }
        moved
    }

    /// Whether two states lie in different regions of one state.
    pub(super) fn are_in_different_regions(&self, a: usize, b: usize) -> bool {
        if self.is_in(a, Some(b)) || self.is_in(b, Some(a)) {
            return false;
        }
        self.is_parallel(self.path(a).find(|it| self.is_in(b, Some(*it))))
    }

    /// Whether a state is in the spec only because a region has states inside it.
    pub(super) fn is_added(&self, state: usize) -> bool {
        self.states[state].inferred.as_deref() == Some(AROUND)
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

    /// The states whose histories together are the history of a state: itself, or the regions inside that have more than one
    /// leaf and no regions inside. `None` if no fields express it.
    pub(super) fn remembering(&self, state: usize, shallow: bool) -> Option<Vec<usize>> {
        let is_parallel_inside = |it: usize| self.states[it].parallel && self.is_in(it, Some(state));
        match (0..self.states.len()).any(is_parallel_inside) {
            false => Some(vec![state]),
            // All regions are entered in any case.
            true if shallow => self.states[state].parallel.then(Vec::new),
            true => self.remembering_regions(state),
        }
    }

    fn remembering_regions(&self, state: usize) -> Option<Vec<usize>> {
        let children = self.inside(Some(state));
        if self.states[state].parallel {
            let all: Option<Vec<Vec<usize>>> = children.into_iter().map(|it| self.remembering_regions(it)).collect();
            return all.map(|it| it.concat());
        }
        let inside: Vec<usize> = (0..self.states.len()).filter(|it| self.is_in(*it, Some(state))).collect();
        if inside.iter().any(|it| self.states[*it].parallel) {
            // Of several states, a field would have to remember which it was, beside those of the regions.
            return if let [only] = children[..] { self.remembering_regions(only) } else { None };
        }
        let n_leaves = inside.iter().filter(|it| self.inside(Some(**it)).is_empty()).count();
        Some(if n_leaves > 1 { vec![state] } else { Vec::new() })
    }

    /// Gives these states a history each, with a field of its own, unless they have one of this kind; a target for each. What
    /// `of` numbers is the history of the text.
    pub(super) fn remember(&mut self, states: &[usize], shallow: bool, of: usize) -> Vec<Goal> {
        let mut goals = Vec::new();
        for state in states {
            let known = self.states[*state].histories.iter().find(|it| it.1 == shallow).map(|it| it.0.clone());
            let field = known.unwrap_or_else(|| self.add_history(*state, shallow));
            self.recalls.push(Recall { field, of });
            goals.push((*state, Some(self.recalls.len() - 1)));
        }
        goals
    }

    fn add_history(&mut self, state: usize, shallow: bool) -> String {
        let slug = super::naming::slug(&self.states[state].id, "state");
        let stem = match (self.states[state].histories.is_empty(), shallow) {
            (true, _) => format!("last_{slug}"),
            (false, true) => format!("last_{slug}_child"),
            (false, false) => format!("last_{slug}_leaf"),
        };
        let mut name = stem.clone();
        let mut number = 1;
        while self.fields.iter().any(|it| it.name == name) {
            number += 1;
            name = format!("{stem}_{number}");
        }
        self.fields.push(Field { name: name.clone(), ty: "state", default: None, optional: true });
        self.states[state].histories.push((name.clone(), shallow));
        name
    }

    /// Puts a row before each that leads to a history of the text, for the case that nothing is remembered. `default` is what the
    /// text leads to there. `elsewhere` is what this enters, for a source inside the state and for any other; `None` if what the
    /// spec enters.
    pub(super) fn lead_to_default(&mut self, of: usize, whole: usize, default: &[Goal], elsewhere: impl Fn(bool) -> Option<Vec<Goal>>) {
        let is_of = |draft: &Draft, it: &Goal| it.1.is_some_and(|it| draft.recalls[it].of == of);
        for idx in (0..self.rows.len()).rev() {
            let row = &self.rows[idx];
            let targets = row.targets();
            let Some(recalled) = targets.iter().find(|it| is_of(self, it)).filter(|_| row.from != From::Creation) else { continue };
            let is_inside = match row.from {
                From::State(from) => self.is_in(from, Some(whole)),
                From::Any | From::Creation => true,
            };
            let (Some(there), Some(recall)) = (elsewhere(is_inside), recalled.1) else { continue };
            let mut first = row.clone();
            let instead = |of_recalled: &[Goal]| {
                let of = |it: &Goal| if it == recalled { of_recalled.to_vec() } else { vec![*it] };
                targets.iter().filter(|it| *it == recalled || !is_of(self, it)).flat_map(of).collect::<Vec<_>>()
            };
            first.lead_to(&instead(&there));
            // What the text leaves depends on what it leads to, but for a step that stays inside its source.
            if let From::State(from) = row.from
                && row.domain != Some(from)
            {
                first.domain = self.domain(from, &instead(default));
            }
            first.when.push(format!("{} == null", self.recalls[recall].field));
            self.rows.insert(idx, first);
        }
    }

    /// Whether a target is a shallow history: a state directly inside, which starts anew.
    pub(super) fn recalls_a_child(&self, target: Goal) -> bool {
        let field = target.1.map(|it| &self.recalls[it].field);
        self.states[target.0].histories.iter().any(|(name, shallow)| *shallow && Some(name) == field)
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

    /// [`Draft::settle_regions`] once all rows are known, which follow what moves.
    pub(super) fn settle_moved_regions(&mut self) {
        for (before, now) in self.surround_parallel_regions() {
            self.renumber(|it| if it == before { now } else { it });
        }
        self.settle_regions();
    }

    /// Gives the states that rows name other positions.
    fn renumber(&mut self, now: impl Fn(usize) -> usize) {
        for row in &mut self.rows {
            if let From::State(from) = &mut row.from {
                *from = now(*from);
            }
            row.except.iter_mut().for_each(|it| *it = now(*it));
            let targets: Vec<Goal> = row.targets().into_iter().map(|it| (now(it.0), it.1)).collect();
            row.lead_to(&targets);
        }
    }

    /// Removes a state without states inside, which no row names.
    fn remove(&mut self, state: usize) {
        self.states.remove(state);
        let now = |it: usize| if it > state { it - 1 } else { it };
        self.states.iter_mut().filter_map(|it| it.parent.as_mut()).for_each(|it| *it = now(*it));
        self.renumber(now);
    }

    /// Makes the rows through a fork lead to all its targets at once; false if these are not in different regions.
    pub(super) fn resolve_fork(&mut self, fork: usize) -> bool {
        let (out, rest): (Vec<Row>, Vec<Row>) = self.rows.iter().cloned().partition(|it| it.from == From::State(fork));
        let targets: Vec<Goal> = out.iter().flat_map(Row::targets).collect();
        let apart = |(idx, a): (usize, &Goal)| targets[..idx].iter().all(|b| self.are_in_different_regions(a.0, b.0));
        let is_plain = out.iter().all(|it| it.events.is_empty() && it.guards.is_empty() && it.effects.is_empty());
        if targets.len() < 2 || !is_plain || !targets.iter().enumerate().all(apart) || !rest.iter().any(|it| it.to == Some(fork)) {
            return false;
        }
        self.rows = rest;
        self.rows.iter_mut().filter(|it| it.to == Some(fork)).for_each(|it| it.lead_to(&targets));
        self.remove(fork);
        true
    }

    /// Makes an automatic row of a join: it is taken when all regions are where their arrows begin.
    pub(super) fn resolve_join(&mut self, join: usize) -> bool {
        let (out, rest): (Vec<Row>, Vec<Row>) = self.rows.iter().cloned().partition(|it| it.from == From::State(join));
        let (into, rest): (Vec<Row>, Vec<Row>) = rest.into_iter().partition(|it| it.to == Some(join));
        let from = |it: &Row| if let From::State(from) = it.from { Some(from) } else { None };
        let sources: Vec<usize> = into.iter().filter_map(from).collect();
        let apart = |(idx, a): (usize, &usize)| sources[..idx].iter().all(|b| self.are_in_different_regions(*a, *b));
        let is_plain = |it: &Row| it.events.is_empty() && it.guards.is_empty() && it.effects.is_empty();
        let [only] = out.as_slice() else { return false };
        if sources.len() < 2
            || sources.len() != into.len()
            || !into.iter().all(is_plain)
            || !only.events.is_empty()
            || !sources.iter().enumerate().all(apart)
        {
            return false;
        }
        let mut row = Row { from: From::State(sources[0]), trigger: Trigger::Automatic, ..only.clone() };
        row.guards.extend(sources[1..].iter().map(|it| format!("In('{}')", self.states[*it].id)));
        self.rows = rest;
        self.rows.push(row);
        self.remove(join);
        true
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

/// A context field, with its default as YAML.
#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) ty: &'static str,
    pub(super) default: Option<String>,
    pub(super) optional: bool,
}

#[derive(Debug, Clone)]
pub(super) struct State {
    /// The text that the name is derived from.
    pub(super) id: String,
    /// The label, if it differs from the id.
    pub(super) label: Option<String>,
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
    pub(super) effects: Vec<Effect>,
    /// The events that the machine raises itself.
    pub(super) raise: Vec<String>,
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
            effects: Vec::new(),
            raise: Vec::new(),
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

    /// Adds the parts of a label.
    pub(super) fn with_label(mut self, text: &str) -> Self {
        let label = super::label::parse(text);
        self.events = label.events;
        self.guards = label.guard.into_iter().collect();
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
