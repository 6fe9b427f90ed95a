//! Configurations and calls, in the words of messages.

use statespec_lang::model::EventId;

use super::Audit;
use crate::possible::{At, Call, Set, begins};
use crate::shown::plain;

/// The number of states and calls that a message lists.
const MAX_LISTED: usize = 12;

impl Audit<'_> {
    /// The name of the spec that is most like another name.
    pub(super) fn near(&self, what: &str, name: &str) -> Option<String> {
        let machine = self.machine;
        let names: Vec<&str> = match what {
            "state" => machine.leaves().map(|it| machine.state(it).wire.as_str()).collect(),
            "event" => machine.events.iter().map(|it| it.name.as_str()).collect(),
            _ => machine.actors.iter().map(|it| it.name.as_str()).collect(),
        };
        statespec_lang::diagnostic::suggest(name, names)
    }

    /// The text of a configuration, or of a state that the machine does not have.
    pub(super) fn name(&self, at: At) -> String {
        match self.possible.configurations.get(at as usize) {
            Some(it) => self.machine.configuration_name(it).into_owned(),
            None => plain(self.states.unknown(at).unwrap_or("another state")),
        }
    }

    /// A set of configurations for readers.
    pub(super) fn shown(&self, set: Set) -> String {
        let names: Vec<String> = self.possible.members(set).iter().take(MAX_LISTED).map(|it| format!("`{}`", self.name(*it))).collect();
        match (set, names.as_slice()) {
            (set, []) if begins(set) => "nothing".to_owned(),
            (_, names) => names.join(" or "),
        }
    }

    /// What the graph allows, for a message.
    pub(super) fn allowed(&self, from: Set, stored_only: bool) -> String {
        let machine = self.machine;
        let line = |event: Option<EventId>, to: At| match event {
            Some(event) => format!("`{}` to `{}`", machine.event(event).name, self.name(to)),
            None => format!("`{}` without an event", self.name(to)),
        };
        let of = |calls: &mut dyn Iterator<Item = &Call>| {
            let mut lines: Vec<String> = Vec::new();
            for call in calls.filter(|it| stored_only || !it.is_chain) {
                let text = line(call.event, call.to);
                if !lines.contains(&text) {
                    lines.push(text);
                }
            }
            let n_more = lines.len().saturating_sub(MAX_LISTED);
            lines.truncate(MAX_LISTED);
            match (lines.as_slice(), n_more) {
                ([], _) => "nothing".to_owned(),
                (lines, 0) => lines.join(", "),
                (lines, n) => format!("{} and {n} more", lines.join(", ")),
            }
        };
        if begins(from) {
            let initial: Vec<String> = self.possible.initial.iter().map(|it| format!("`{}`", self.name(*it))).collect();
            let created = of(&mut self.possible.created.iter());
            return match self.possible.created.is_empty() {
                true => format!("a machine begins in {}", initial.join(" or ")),
                false => format!("a machine begins in {}, or with {created}", initial.join(" or ")),
            };
        }
        let members = self.possible.members(from);
        let each = members.iter().take(3).map(|it| format!("from `{}`: {}", self.name(*it), of(&mut self.possible.from(*it).iter())));
        format!("allowed {}", each.collect::<Vec<_>>().join("; "))
    }
}
