//! The rows of the spec: names, descriptions, and data.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use statespec_lang::model::machine::{Commit, From, Target as SpecTarget, Transition, Trigger as SpecTrigger};
use statespec_lang::model::{EventId, StateId, TransitionId};
use statespec_lang::names::{shouty, upper_camel};

use super::{Lowering, docs};
use crate::ir::{Row, Rows, Source, Target, Trigger};
use crate::names::UniqueNames;

/// The number of states up to which every row has a name and a line of its own; more would slow the compiler down.
const MAX_NAMED_STATES: usize = 64;

impl Lowering<'_> {
    /// Whether rows have names of their own.
    pub(super) fn is_named(&self) -> bool {
        self.leaves.len() <= MAX_NAMED_STATES
    }

    /// The rows; `referred` contains those that code refers to.
    pub(super) fn rows(&self, referred: &BTreeSet<TransitionId>) -> Rows {
        let rows = self.machine.transitions.iter().zip(&self.names.rows).enumerate();
        let list = rows.map(|(idx, (row, ident))| self.row(TransitionId::new(idx), row, ident, referred)).collect();
        Rows { list, named: self.is_named() }
    }

    /// `Row::IdleStart`
    pub(super) fn row_path(&self, id: TransitionId) -> TokenStream {
        let (ty, ident) = (&self.types.row, &self.names.rows[id.index()]);
        if self.is_named() {
            quote! { #ty::#ident }
        } else {
            quote! { #ident }
        }
    }

    fn row(&self, id: TransitionId, row: &Transition, ident: &Ident, referred: &BTreeSet<TransitionId>) -> Row {
        Row {
            ident: ident.clone(),
            words: self.words(row),
            source: self.source(&row.from),
            trigger: match &row.trigger {
                SpecTrigger::Direct => Trigger::Direct,
                SpecTrigger::Automatic => Trigger::Automatic,
                SpecTrigger::Done => Trigger::Done,
                SpecTrigger::Events(events) | SpecTrigger::AnyOther(events) => match events.as_slice() {
                    [event] => Trigger::Event(self.event(*event)),
                    events => Trigger::AnyOf(events.iter().map(|id| self.event(*id)).collect()),
                },
            },
            target: match &row.target {
                SpecTarget::Stay => Target::Stay,
                SpecTarget::To(states) if states.len() == 1 && !self.machine.is_leaf(self.machine.default_end(states[0])) => {
                    Target::All(self.state_idents(self.machine.default_leaves(states[0])))
                }
                SpecTarget::To(states) => {
                    let leaves = self.state_idents(states.iter().map(|it| self.machine.default_leaf(*it)));
                    match <[Ident; 1]>::try_from(leaves) {
                        Ok([only]) => Target::To(only),
                        Err(several) => Target::OneOf(several),
                    }
                }
                SpecTarget::Fork(branches) => {
                    Target::All(self.state_idents(branches.iter().flat_map(|it| self.machine.default_leaves(it.state()))))
                }
                SpecTarget::Payload(id) => Target::Payload(self.machine.payload_name(*id).to_owned()),
                SpecTarget::History(to) => Target::History(self.state(self.machine.default_leaf(to.whole))),
                SpecTarget::Refuse(text) => Target::Refuse(text.clone()),
            },
            guard: self.guard_text(row),
            before: row.before.iter().map(|id| self.names.effects[id.index()].clone()).collect(),
            effects: row.effects.iter().map(|id| self.names.effects[id.index()].clone()).collect(),
            raise: row.raise.iter().map(|id| self.event(*id)).collect(),
            reenter: self.program.row(id).reenters.map(|it| self.node_index(it)),
            commit: (row.commit != Commit::PersistFirst).then(|| row.commit.name()),
            label: row.label.clone(),
            doc: row.doc.clone().or_else(|| row.summary.clone()),
            inferred: row.inferred.clone(),
            plain: self.plain(row),
            referred: referred.contains(&id),
        }
    }

    fn source(&self, from: &From) -> Source {
        let leaves = |states: &[StateId]| {
            let leaves: BTreeSet<StateId> = states.iter().flat_map(|it| self.leaves_in(*it)).collect();
            self.state_idents(leaves)
        };
        match from {
            From::Creation => Source::Creation,
            From::States(states) => match <[Ident; 1]>::try_from(leaves(states)) {
                Ok([only]) => Source::Leaf(only),
                Err(several) => Source::In(several),
            },
            From::Any { except } => Source::AnyBut(leaves(except)),
        }
    }

    /// The positions of source, event and target, if the row has no other data.
    fn plain(&self, row: &Transition) -> Option<[usize; 3]> {
        let says_more = row.guard.is_some()
            || !row.before.is_empty()
            || !row.effects.is_empty()
            || !row.raise.is_empty()
            || row.reenter
            || row.commit != Commit::PersistFirst
            || [&row.label, &row.doc, &row.summary, &row.inferred].iter().any(|it| it.is_some());
        let (From::States(from), [event], SpecTarget::To(to)) = (&row.from, row.events(), &row.target) else { return None };
        let ([from], [to], false) = (from.as_slice(), to.as_slice(), says_more) else { return None };
        let to = self.leaf_index(self.machine.default_leaf(*to));
        self.machine.is_leaf(*from).then(|| [self.leaf_index(*from), event.index(), to])
    }

    /// The guard of a row as written in the spec.
    fn guard_text(&self, row: &Transition) -> Option<String> {
        row.guard.as_ref().map(|guard| guard.show(self))
    }

    /// "`running` → `idle` on `nudge_failed`, when `nudge_failures + 1 >= nudge_limit`: 3 nudges failed"
    fn words(&self, row: &Transition) -> String {
        let names = |ids: &[StateId]| self.code_list(ids, "or");
        let from = match &row.from {
            From::Creation => "Creation".to_owned(),
            From::States(states) => names(states),
            From::Any { except } if except.is_empty() => "Any state".to_owned(),
            From::Any { except } => format!("Any state except {}", self.code_list(except, "and")),
        };
        let to = match &row.target {
            SpecTarget::Stay => " stays".to_owned(),
            SpecTarget::To(states) => format!(" → {}", names(states)),
            SpecTarget::Fork(branches) => {
                let states: Vec<StateId> = branches.iter().map(|it| it.state()).collect();
                format!(" → {}", self.code_list(&states, "and"))
            }
            SpecTarget::Payload(id) => format!(" → the state in {}", docs::code(self.machine.payload_name(*id))),
            SpecTarget::History(to) => {
                let field = self.machine.distinguishing_field(*to).map(|it| format!(" in {}", docs::code(it))).unwrap_or_default();
                format!(" → {}, where it was last{field}", docs::code(&self.machine.path_name(to.whole)))
            }
            SpecTarget::Refuse(_) => " refuses".to_owned(),
        };
        let on = if matches!(row.target, SpecTarget::Refuse(_)) { "" } else { " on" };
        let trigger = match &row.trigger {
            SpecTrigger::Direct => ", directly".to_owned(),
            SpecTrigger::Automatic => ", automatically".to_owned(),
            SpecTrigger::Done => ", when done".to_owned(),
            SpecTrigger::AnyOther(_) => format!("{on} any other event"),
            SpecTrigger::Events(events) => {
                let events = docs::code_list(events.iter().map(|id| self.machine.event(*id).name.as_str()), "or");
                format!("{on} {events}")
            }
        };
        let guard = self.guard_text(row).map(|it| format!(", when {}", docs::code(&it))).unwrap_or_default();
        let words = match (&row.target, &row.label) {
            (SpecTarget::Refuse(text), _) => format!(": {}", docs::markdown(text).replace('\n', " ")),
            (_, Some(label)) => format!(": {}", docs::markdown(label).replace('\n', " ")),
            _ => String::new(),
        };
        format!("{from}{to}{trigger}{guard}{words}")
    }

    fn code_list(&self, ids: &[StateId], last: &str) -> String {
        let names: Vec<_> = ids.iter().map(|id| self.machine.path_name(*id)).collect();
        docs::code_list(names.iter().map(AsRef::as_ref), last)
    }

    /// A name for each row: source and event, and also the target if another row has the same name. Rows that differ only in
    /// their guards are numbered: a name made of a guard would change with it, and its doc line has the guard.
    pub(super) fn row_idents(&self) -> Vec<Ident> {
        let rows = &self.machine.transitions;
        let short: Vec<String> = rows.iter().map(|row| self.short_name(row)).collect();
        let long: Vec<String> = rows.iter().zip(&short).map(|(row, short)| short.clone() + &self.target_name(row)).collect();
        let (n_short, n_long) = (counts(&short), counts(&long));
        let mut unique = UniqueNames::besides(["ALL", "Self"]);
        if !self.is_named() {
            self.names.constants.iter().for_each(|it| unique.reserve(it));
        }
        let mut ordinals: BTreeMap<&String, usize> = BTreeMap::new();
        let names = short.iter().zip(&long).map(|(short, long)| {
            if n_short[short] == 1 {
                return short.clone();
            }
            if n_long[long] == 1 {
                return long.clone();
            }
            let ordinal = ordinals.entry(long).or_default();
            *ordinal += 1;
            if *ordinal == 1 { long.clone() } else { format!("{long}{ordinal}") }
        });
        let case = |name: String| if self.is_named() { upper_camel(&name) } else { format!("ROW_{}", shouty(&name)) };
        names.collect::<Vec<_>>().into_iter().map(|it| unique.claim(case(it))).collect()
    }

    fn short_name(&self, row: &Transition) -> String {
        let from = match &row.from {
            From::Creation => String::new(),
            From::States(states) => self.joined_states(states),
            From::Any { except } if except.is_empty() => "Any".to_owned(),
            From::Any { except } => format!("AnyBut{}", self.joined_states(except)),
        };
        match &row.trigger {
            SpecTrigger::Direct => from + &self.target_name(row),
            SpecTrigger::Automatic => from + "Automatically",
            SpecTrigger::Done => from + "Done",
            SpecTrigger::AnyOther(_) => from + "AnyOther",
            SpecTrigger::Events(events) if self.is_timer_of(&row.from, events) => upper_camel(&self.machine.event(events[0]).name),
            SpecTrigger::Events(events) => {
                from + &joined(events.iter().map(|id: &EventId| upper_camel(&self.machine.event(*id).name)).collect())
            }
        }
    }

    /// Whether the only event is a timer that is named after the source, such as `red_timeout`.
    fn is_timer_of(&self, from: &From, events: &[EventId]) -> bool {
        let (From::States(states), [event]) = (from, events) else { return false };
        let ([state], event) = (states.as_slice(), self.machine.event(*event)) else { return false };
        event.timer.is_some() && event.name.strip_prefix(&self.machine.state(*state).name).is_some_and(|it| it.starts_with('_'))
    }

    fn target_name(&self, row: &Transition) -> String {
        match &row.target {
            SpecTarget::Stay => "Stays".to_owned(),
            SpecTarget::To(states) => format!("To{}", self.joined_states(states)),
            SpecTarget::Fork(branches) => format!("To{}", self.joined_states(&branches.iter().map(|it| it.state()).collect::<Vec<_>>())),
            SpecTarget::Payload(_) => "ToPayload".to_owned(),
            SpecTarget::History(_) => "ToHistory".to_owned(),
            SpecTarget::Refuse(_) => "Refused".to_owned(),
        }
    }

    fn joined_states(&self, states: &[StateId]) -> String {
        joined(states.iter().map(|id| upper_camel(&self.machine.state(*id).name)).collect())
    }
}

/// `AOrB`; for more than two names, the first one and a suffix.
fn joined(names: Vec<String>) -> String {
    match names.as_slice() {
        [first, second] => format!("{first}Or{second}"),
        [first, _, _, ..] => format!("{first}OrOthers"),
        _ => names.concat(),
    }
}

fn counts(names: &[String]) -> BTreeMap<&String, usize> {
    let mut counts = BTreeMap::new();
    names.iter().for_each(|it| *counts.entry(it).or_default() += 1);
    counts
}
