//! What a state invokes: an effect of its entry, and the events that tell how it ended.
//!
//! ```text
//! invoke: { src: fetch, onDone: "ready", onError: "failed" }
//! states:      { loading: { entry: fetch } }
//! transitions: [{ from: loading, event: fetch_done, to: ready }, { from: loading, event: fetch_error, to: failed }]
//! ```

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::source::Span;
use statespec_lang::yaml::Node;

use super::values::{entries, get, is_nothing, items, key_span, named, text};
use super::{Reader, no_parameters, path_of};
use crate::draft::{Effect, From, Goal, Row, Trigger};

const OF_INVOKE: &[&str] = &["id", "src", "onDone", "onError", "input", "data", "description"];

/// The event that tells how something ended, and what ended, from the name that XState gives it.
pub(super) fn ending(name: &str) -> Option<(String, &str)> {
    const DONE: &[&str] = &["done.invoke.", "xstate.done.actor."];
    const ERROR: &[&str] = &["error.platform.", "xstate.error.actor."];
    let of = |prefixes: &[&str]| prefixes.iter().find_map(|it| name.strip_prefix(it)).filter(|it| !it.is_empty());
    let (id, how) = of(DONE).map(|it| (it, "done")).or_else(|| of(ERROR).map(|it| (it, "error")))?;
    Some((format!("{id} {how}"), id))
}

/// What a state invokes.
pub(super) struct Invoked {
    state: usize,
    /// Its code, with the id.
    name: String,
    done: Ending,
    error: Ending,
    /// Whether the state has effects of entering it beside what it invokes.
    is_behind_effects: bool,
    span: Span,
}

/// An event that tells how what is invoked ended.
struct Ending {
    event: String,
    /// Whether a transition of what is invoked takes it.
    is_handled: bool,
}

impl<'a> Reader<'a> {
    /// Whether a state of the chart invokes something under this id.
    pub(super) fn is_invoked(&self, id: &str) -> bool {
        self.n_invoked(id) > 0
    }

    fn n_invoked(&self, name: &str) -> usize {
        let invoked = self.bodies.iter().flat_map(|(_, body)| get(body, "invoke").map(items).unwrap_or_default());
        invoked.filter_map(name_of).filter(|it| *it == name).count()
    }

    pub(super) fn invoked(&mut self, state: Option<usize>, node: &'a Node) {
        let Some(invoke) = get(node, "invoke") else { return };
        let is_behind_effects = state.is_some_and(|it| !self.draft.states[it].entry.is_empty());
        for invoked in items(invoke).iter().filter(|it| !is_nothing(it)) {
            self.is_version_4 |= get(invoked, "data").is_some();
            self.is_version_5 |= ["input", "onSnapshot"].iter().any(|it| get(invoked, it).is_some());
            let Some(state) = state else {
                self.draft.found.loss(key_span(node, "invoke"), "a machine as a whole is not entered: what it invokes was left out");
                continue;
            };
            let Some(name) = name_of(invoked) else {
                self.draft.found.loss(invoked.span, "what is invoked here has no name: it was left out");
                continue;
            };
            let source = get(invoked, "src").and_then(named).unwrap_or(name).to_owned();
            let passed = ["input", "data"].into_iter().filter_map(|it| Some((it, get(invoked, it).filter(|it| !is_nothing(it))?)));
            let mut parts = Vec::new();
            for (key, value) in passed {
                self.draft.found.loss(key_span(invoked, key), no_parameters(&source));
                parts.push(format!("{key}: {}", self.source(value)));
            }
            let doc = Some(parts.join(", ")).filter(|it| !it.is_empty());
            // What two regions invoke ends twice.
            let is_shared = self.draft.has_regions() && self.n_invoked(name) > 1;
            let of = if is_shared { format!(" of {}", path_of(&self.draft, &self.keys, state)) } else { String::new() };
            let id = get(invoked, "id").and_then(text).filter(|it| *it != source).map(|it| format!(" as `{it}`")).unwrap_or_default();
            let code = format!("`{source}` is invoked{id}");
            self.draft.states[state].entry.push(Effect { text: source, doc });
            let done = self.ended(state, invoked, "onDone", format!("{name} done{of}"));
            let error = self.ended(state, invoked, "onError", format!("{name} error{of}"));
            self.invoked.push(Invoked { state, name: code, done, error, is_behind_effects, span: invoked.span });
            for (key, _) in entries(invoked) {
                if let Some(key_name) = text(key).filter(|it| !OF_INVOKE.contains(it)) {
                    self.draft.found.loss(key.span, format!("a spec has nothing for `{key_name}`: it was left out"));
                }
            }
        }
    }

    fn ended(&mut self, state: usize, invoked: &'a Node, key: &str, event: String) -> Ending {
        let handled = get(invoked, key).filter(|it| !is_nothing(it));
        if let Some(value) = handled {
            let span: Span = key_span(invoked, key);
            self.transitions(From::State(state), Trigger::Events, std::slice::from_ref(&event), span, value);
        }
        Ending { event, is_handled: handled.is_some() }
    }

    /// Reports what is invoked, once all rows and the version are known: where no transition of its own takes its end, `*` does.
    /// Version 4 does not offer an error to `*`.
    pub(super) fn report_invoked(&mut self) {
        let (is_version_4, is_version_5) = (self.is_version_4, self.is_version_5);
        let mut timed = BTreeSet::new();
        for Invoked { state, name, done, error, is_behind_effects, span } in std::mem::take(&mut self.invoked) {
            let is_wild = self.has_any_other(state);
            let may_be_lost = is_wild && !error.is_handled;
            if may_be_lost && is_version_4 == is_version_5 {
                let message =
                    format!("version 5 offers an event `{}` to `*`, and version 4 does not: nothing tells the version", error.event);
                self.draft.found.assumed(span, message);
            }
            let endings = [(done, is_wild), (error, is_wild && is_version_5 && !is_version_4)];
            let taken = endings.into_iter().filter(|(it, is_wild)| it.is_handled || *is_wild);
            let events: Vec<String> = taken.map(|(it, _)| it.event).collect();
            let raises = if events.is_empty() { String::new() } else { format!(" raises `{}` when it ends, and", events.join("` or `")) };
            let message = format!("{name}: it became an effect, and your code{raises} stops it when the state is left");
            self.draft.found.assumed(span, message);
            self.draft.events.extend(events);
            if timed.insert(state) {
                self.report_time(state, is_behind_effects, span);
            }
        }
    }

    /// Reports, once for each state, what is invoked at another time than in a spec, or not at all.
    fn report_time(&mut self, state: usize, is_behind_effects: bool, span: Span) {
        let name = self.draft.states[state].id.clone();
        let may_be_version_4 = self.is_version_4 || !self.is_version_5;
        if is_behind_effects && may_be_version_4 && !self.is_predictable() {
            let message = format!(
                "version 4 without `predictableActionArguments` starts what `{name}` invokes before the other effects of entering it, and a spec behind them"
            );
            self.draft.found.assumed(span, message);
        }
        if self.is_left_at_once(state) {
            let message = format!(
                "where a step without an event leaves `{name}` as soon as it is entered, XState does not start what it invokes, and a spec performs the effect"
            );
            self.draft.found.assumed(span, message);
        }
    }

    /// Whether version 4 performs the effects of this machine in their order.
    fn is_predictable(&self) -> bool {
        let machine = self.bodies.first().map(|it| it.1);
        machine.and_then(|it| get(it, "predictableActionArguments")).and_then(text) == Some("true")
    }

    /// Whether a step without an event may leave a state as soon as it is entered.
    fn is_left_at_once(&self, state: usize) -> bool {
        let active = self.active_at_once(state);
        let is_taken = |row: &Row| match row.from {
            From::State(from) => active.contains(&from),
            From::Any | From::Creation => true,
        };
        let leads_out = |row: &Row| row.targets().iter().any(|it| !self.draft.is_in(it.0, Some(state)));
        self.draft.rows.iter().any(|it| it.trigger == Trigger::Automatic && is_taken(it) && leads_out(it))
    }

    /// The states that may be active before the next event where a state is entered, with those around it.
    fn active_at_once(&self, state: usize) -> BTreeSet<usize> {
        let starts = self.draft.starts();
        let rows = &self.draft.rows;
        let mut next: BTreeMap<From, Vec<Goal>> = BTreeMap::new();
        for row in rows.iter().filter(|it| it.trigger == Trigger::Automatic) {
            next.entry(row.from).or_default().extend(row.targets());
        }
        let is_inside = |it: &Goal| self.draft.is_in(it.0, Some(state));
        let is_outside = |row: &&Row| !matches!(row.from, From::State(from) if self.draft.is_in(from, Some(state)));
        let mut open: Vec<Goal> = rows.iter().filter(is_outside).flat_map(Row::targets).filter(is_inside).collect();
        open.push((state, None));
        let mut active = BTreeSet::new();
        while let Some(goal) = open.pop() {
            if let (whole, Some(_)) = goal {
                // What a history remembers may be any state inside.
                open.extend((0..self.draft.states.len()).filter(|it| self.draft.is_in(*it, Some(whole))).map(|it| (it, None)));
                continue;
            }
            for at in self.draft.goals(&starts, goal).into_iter().flat_map(|it| self.draft.path(it.0).collect::<Vec<_>>()) {
                if active.insert(at) {
                    open.extend(next.get(&From::State(at)).into_iter().flatten().copied().filter(is_inside));
                }
            }
        }
        active
    }

    /// Whether a transition for any other event may be taken where the machine is in a state.
    fn has_any_other(&self, state: usize) -> bool {
        let reaches = |row: &Row| match row.from {
            From::State(from) => self.draft.may_be_active(state, from),
            From::Any | From::Creation => true,
        };
        self.draft.rows.iter().any(|it| it.trigger == Trigger::AnyOther && reaches(it))
    }
}

/// The name of what is invoked: its id, or else that of its code.
fn name_of(invoked: &Node) -> Option<&str> {
    text(invoked).or_else(|| get(invoked, "id").and_then(text)).or_else(|| get(invoked, "src").and_then(named))
}
