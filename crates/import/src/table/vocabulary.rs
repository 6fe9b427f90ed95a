//! The words of tables: what a heading makes of a column, and what a cell says that names no state. This file is all that there is.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::phrase::words;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Column {
    /// The states before a step.
    From,
    /// The states after it.
    To,
    /// What causes it.
    Event,
    /// What must hold for it.
    Guard,
    /// What it does.
    Effect,
    /// Who may cause it.
    Actor,
    /// Whether it is allowed at all.
    Allowed,
    /// Text for readers.
    Doc,
}

impl Column {
    /// All of them.
    pub const ALL: &'static [Column] =
        &[Column::From, Column::To, Column::Event, Column::Guard, Column::Effect, Column::Actor, Column::Allowed, Column::Doc];

    /// The name in `--columns`.
    pub fn name(self) -> &'static str {
        match self {
            Column::From => "from",
            Column::To => "to",
            Column::Event => "event",
            Column::Guard => "guard",
            Column::Effect => "effect",
            Column::Actor => "actor",
            Column::Allowed => "allowed",
            Column::Doc => "doc",
        }
    }
}

/// What a heading says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heading {
    /// The column, and whether the heading itself speaks of states.
    Of(Column, bool),
    /// The states of the machine: before a step, if another column has those after it.
    State,
    /// An event in front of the targets; behind them an effect, if another column has the events.
    Action,
    /// A value of something: a state, where the text around the table speaks of states.
    Value,
    /// The corner of a matrix: the rows are the states before a step.
    Corner,
    /// The rows are about something else: tests, logs, several machines, components.
    Foreign,
}

/// What a cell says that names nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sense {
    /// Every state, or any event.
    Any,
    /// No change of the state.
    Stay,
    /// The state is an end.
    End,
    /// The step is not allowed.
    Refused,
    /// Nothing: no source, no target, no condition.
    Nothing,
    /// The step needs no event.
    Automatic,
    /// What the cell above says.
    Above,
    Yes,
}

const HEADINGS: &[(Heading, &str)] = &[
    (
        Heading::Of(Column::From, true),
        "from state, from status, from phase, current state, current status, current phase, current mode, \
         source state, source status, start state, initial state, previous state, previous status, state before, \
         old state, old status, present state, state from",
    ),
    (Heading::Of(Column::From, false), "from, source, current, before"),
    (
        Heading::Of(Column::To, true),
        "to state, to status, to phase, next state, next states, next status, next statuses, next phase, \
         next mode, target state, target states, target status, new state, new status, resulting state, \
         end state, destination state, state after, can transition to, can go to, allowed transitions, \
         valid transitions, allowed next states, allowed next statuses, valid next states, possible next states, \
         possible transitions, transitions to, valid next statuses, allowed targets, successor states, \
         successors",
    ),
    (Heading::Of(Column::To, false), "to, target, targets, next, after, destination, result, transitions"),
    (Heading::Of(Column::Event, false), "event, events, trigger, triggers, triggered by, on, command, input, transition name, signal"),
    (Heading::Of(Column::Guard, false), "guard, guards, condition, conditions, when, if, precondition, preconditions, requires"),
    (Heading::Of(Column::Effect, false), "effect, effects, side effect, side effects, actions, output, action taken, do"),
    (
        Heading::Of(Column::Actor, false),
        "actor, actors, by, who, role, roles, performed by, raised by, initiator, allowed roles, permitted role, \
         permitted roles",
    ),
    (Heading::Of(Column::Allowed, false), "allowed, valid, permitted, is allowed, legal"),
    (
        Heading::Of(Column::Doc, false),
        "description, meaning, notes, note, comment, comments, remarks, details, explanation, rationale, reason, \
         definition, summary",
    ),
    (Heading::State, "state, states, status, statuses, phase, phases, mode, state name, status name"),
    (Heading::Value, "value, values, name, code, constant, enum value, literal"),
    (Heading::Action, "action"),
    (
        Heading::Corner,
        "from to, from state to state, from to state, state event, state input, current next, \
         from status to status, current state next state, current status next status",
    ),
    (
        Heading::Foreign,
        "date, time, timestamp, day, test, tests, test case, case, scenario, expected, expected result, actual, \
         entity, aggregate, resource, object, machine, state machine, model, component, module, interface, \
         version, url, path, route, field, column, table, file, page, screen, project, implemented, \
         supported, tested, why forbidden, why invalid, why not, why it is forbidden, why not allowed, error, \
         error code, http status, forbidden, not allowed",
    ),
];

const CELLS: &[(Sense, &str)] = &[
    (
        Sense::Any,
        "*, any, any state, any status, all, all states, every state, any event, from any state, anywhere, \
         everywhere",
    ),
    (
        Sense::Stay,
        "stay, stays, unchanged, no change, same, same state, no op, remains, self, stays the same, remains unchanged, current state",
    ),
    (Sense::End, "terminal, terminal state, final state, none terminal, none final, no transitions, [*], none terminal state"),
    (
        Sense::Refused,
        "not allowed, not permitted, forbidden, disallowed, prohibited, illegal, never, never allowed, invalid transition, illegal transition, not possible, impossible, not implemented, not implemented yet, not supported, no, false, ❌, ✗, ✘, ✖, ×, 🚫, ⛔",
    ),
    (
        Sense::Nothing,
        "-, –, —, --, ---, ∅, none, nothing, n a, null, nil, no effect, no effects, no action, no side effect, no side effects, no condition, no conditions, no guard, always, unconditional, unconditionally, ●, ⚫",
    ),
    (Sense::Automatic, "automatic, automatically, immediate, immediately"),
    (Sense::Above, "idem, ditto, 〃, same as above, as above"),
    (Sense::Yes, "yes, true, allowed, permitted, valid, ✓, ✔, ✅, ☑, •, y"),
];

/// Phrases that forbid a step, in front of more text: such a row is not read.
const PROHIBITIONS: &str = "not allowed, not permitted, forbidden, disallowed, prohibited, illegal, never allowed, invalid transition, \
         not possible, impossible, not implemented, not supported, unsupported, \
         verboten, nicht erlaubt, interdit, prohibido, proibido, vietato";

/// More of them, which may begin a description, too.
const REFUSALS: &str = "blocked, rejected, refused, denied, never, not in, cannot, must not";

/// Words that make an effect or an actor depend on something.
const CONDITIONAL: &str = "if, when, while, unless, until, otherwise, else, except, after, before, then, depending";

/// Signs that refuse, in front of more text.
const REFUSING_SIGNS: &[char] = &['❌', '✗', '✘', '✖', '🚫', '⛔', '~'];

/// Words that no name of a state has: with one of them, a text speaks about states.
const PROSE: &str = "any, all, every, each, other, others, non, not, no, never, same, previous, prev, prior, current, \
         original, except, but, unless, if, when, while, otherwise, else, depends, back, again, stays, remains, \
         stay, still, the, a, an, from, to, of, with, without, via, by, for, or, and, is, are, was, be, see, \
         then, after, before, once, until, tbd, todo, varies, various, etc, unchanged, ditto, idem, null, true, \
         false, yes";

/// Words of headings and sentences that speak of states.
const OF_STATES: &str = "state, states, status, statuses, phase, phases, lifecycle, transition, transitions, workflow, fsm";

/// Words that make a text around a table speak of something else than of what happens.
const OF_OTHERS: &str = "forbidden, disallowed, illegal, invalid, prohibited, impossible, disallow, unsupported, cannot, never, \
         not, tested, untested, test, tests, mapping, mappings, migration, migrations, conversion, renaming, \
         renamed, history, log, changelog, example, examples, missing, planned, future, gaps, proposed, rejected, \
         verboten, verbotene, interdites, deprecated, legacy";

/// What stands between the phrases of a list.
const SEPARATOR: &str = ", ";

/// Whether a list has a phrase.
fn has(list: &str, phrase: &str) -> bool {
    list.split(SEPARATOR).any(|it| it == phrase)
}

/// A text as it is looked up: its words, or its signs.
fn key(text: &str) -> String {
    let words = words(text);
    match words.is_empty() {
        true => text.chars().filter(|it| !it.is_whitespace() && *it != '\u{fe0f}' && !matches!(it, '(' | ')')).collect(),
        false => words.join(" "),
    }
}

/// A list by its phrases.
fn by_phrase<T: Copy>(list: &[(T, &'static str)]) -> BTreeMap<&'static str, T> {
    list.iter().flat_map(|(meaning, phrases)| phrases.split(SEPARATOR).map(|it| (it, *meaning))).collect()
}

/// What a heading says; remarks in it are a part of it.
pub(super) fn heading(text: &str) -> Option<Heading> {
    static BY_PHRASE: LazyLock<BTreeMap<&str, Heading>> = LazyLock::new(|| by_phrase(HEADINGS));
    BY_PHRASE.get(key(text).as_str()).copied()
}

/// What a whole cell says, if that is no name.
pub(super) fn sense(text: &str) -> Option<Sense> {
    static BY_PHRASE: LazyLock<BTreeMap<&str, Sense>> = LazyLock::new(|| by_phrase(CELLS));
    BY_PHRASE.get(key(text).as_str()).copied()
}

/// Whether a text begins with a phrase of a list.
fn begins_with(list: &str, text: &str) -> bool {
    let key = key(text);
    list.split(SEPARATOR).any(|it| key.strip_prefix(it).is_some_and(|it| it.is_empty() || it.starts_with(' ')))
}

/// Whether a text begins with words that forbid a step.
pub(super) fn forbids(text: &str) -> bool {
    text.trim_start().starts_with(REFUSING_SIGNS) || begins_with(PROHIBITIONS, text)
}

/// Whether a text begins with a refusal.
pub(super) fn begins_with_refusal(text: &str) -> bool {
    forbids(text) || begins_with(REFUSALS, text)
}

/// Whether a cell of actors says that there are none.
pub(super) fn is_nobody(text: &str) -> bool {
    has("nobody, no one", &key(text))
}

/// Whether a text has a word that makes it depend on something.
pub(super) fn is_conditional(text: &str) -> bool {
    words(text).iter().any(|it| has(CONDITIONAL, it))
}

/// Whether a text has a word that no name of a state has.
pub(super) fn is_prose(text: &str) -> bool {
    words(text).iter().any(|it| has(PROSE, it))
}

/// Whether a text around a table speaks of states.
pub(super) fn speaks_of_states(text: &str) -> bool {
    words(text).iter().any(|it| has(OF_STATES, it))
}

/// Whether a heading asks whether a state is a start or an end.
pub(super) fn speaks_of_ends(text: &str) -> bool {
    words(text).iter().any(|it| has("terminal, final, initial", it))
}

/// The word that makes a text around a table speak of something else.
pub(super) fn speaks_of_others(text: &str) -> Option<String> {
    words(text).into_iter().find(|it| has(OF_OTHERS, it))
}
