//! The transitions of a chart.

use roxmltree::Node;

use super::content::Content;
use super::history::History;
use super::{Local, Reader, stem};
use crate::crossing::Domain;
use crate::draft::{From, Goal, Row, Trigger};
use crate::{ordinary_done, remembered_first};

impl<'a> Reader<'a> {
    pub(super) fn transition(&mut self, from: From, node: Node<'a, 'a>, comments: Vec<String>) {
        let mut row = Row::new(from, None, self.place(node));
        row.comments = comments;
        let delays = std::mem::take(&mut self.delays);
        Content { raise: row.raise, sent: row.sent, effects: row.effects } = self.content(node, |child| delays.replaces(child));
        self.delays = delays;
        row.comments.extend(std::mem::take(&mut self.comments));
        if from == From::Any {
            row.except = self.draft.inside(None).into_iter().filter(|it| self.draft.states[*it].terminal).collect();
        }
        if node.attribute("cond").is_some_and(changes_something) {
            self.loss(node, "this condition changes something, and one of a spec does not: your code must change it");
        }
        row.guards.extend(node.attribute("cond").map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()));
        let named_targets = self.spaces.states(node.attribute("target").unwrap_or_default());
        let named = self.spaces.events(node.attribute("event").unwrap_or_default());
        if let [event] = named.as_slice()
            && self.spaces.is_name(event)
        {
            let message = format!("names of this chart have spaces: `{event}` was read as one event, and not as a list of events");
            self.draft.found.assumed(row.span, message);
        }
        let of_ends = named.iter().find(|it| ["*", ".*", "done", "done.", "done.*"].contains(it));
        if let Some(event) = of_ends.filter(|_| node.parent_element().is_some_and(ends_inside)) {
            let message = format!(
                "`{event}` stands for the end of a state, too; in a spec it stands for events alone: give the state a row with `done: true`"
            );
            self.loss(node, message);
        }
        match (named.as_slice(), from) {
            ([], _) => row.trigger = Trigger::Automatic,
            (all, _) if all.iter().any(|it| matches!(*it, "*" | ".*")) => row.trigger = Trigger::AnyOther,
            ([done], _) if self.is_own_end(done, from) => row.trigger = Trigger::Done,
            _ => {}
        }
        let timers = self.delays.of_transition(node, &named);
        if row.trigger == Trigger::Events {
            for event in named {
                if event.starts_with("done.state") {
                    self.loss(node, ordinary_done(event));
                }
                row.events.extend(self.meant(event, node).into_iter().filter(|it| !row.events.contains(it)).collect::<Vec<_>>());
            }
            row.events.retain(|it| !self.delays.is_timer(it));
            if row.events.is_empty() && timers.is_empty() {
                self.loss(node, "no event is left: the transition was left out");
                return;
            }
        }
        let mut goals: Vec<Goal> = Vec::new();
        for target in &named_targets {
            match (self.history_of.get(*target), self.by_id.get(*target)) {
                (Some(all), _) => goals.extend(all),
                (None, Some(known)) => goals.push((*known, None)),
                (None, None) => {
                    self.loss(node, format!("there is no state `{target}`: the transition was left out"));
                    return;
                }
            }
        }
        let apart = |a: usize, b: usize| self.draft.are_in_different_regions(a, b);
        if let Some((_, other)) = (1..goals.len()).flat_map(|b| (0..b).map(move |a| (a, b))).find(|(a, b)| !apart(goals[*a].0, goals[*b].0))
        {
            let name = self.draft.states[goals[other].0].id.clone();
            self.loss(node, format!("a transition leads to one state of a region: `{name}` was left out"));
            let mut kept: Vec<Goal> = Vec::new();
            for goal in goals {
                if kept.iter().all(|it| self.draft.are_in_different_regions(it.0, goal.0)) {
                    kept.push(goal);
                }
            }
            goals = kept;
        }
        row.lead_to(&goals);
        if let (From::State(from), true) = (from, row.to.is_some()) {
            let targets = row.targets();
            let is_internal = node.attribute("type") == Some("internal") && !self.draft.states[from].parallel;
            let stays = is_internal && targets.iter().all(|it| self.draft.is_inside(*it, from));
            row.domain = if stays { Some(from) } else { self.draft.domain(from, &targets) };
        }
        let is_only_timer = row.trigger == Trigger::Events && row.events.is_empty() && !timers.is_empty();
        for (event, delay) in timers {
            if !delay.ends_with_state {
                let message = format!("`{event}` ends with its state; the chart sends it even if the state was left and entered again");
                self.draft.found.assumed(row.span, message);
            }
            let (events, trigger) = (Vec::new(), Trigger::After);
            self.draft.rows.push(Row { trigger, events, after: delay.after, timer: Some(event), ..row.clone() });
        }
        if is_only_timer {
            return;
        }
        // A spec tries the rows that name an event before those for any other, a chart all in order.
        if row.trigger == Trigger::AnyOther {
            let later = node.next_siblings().skip(1).filter(|it| it.has_tag_name_local("transition"));
            let named = later.flat_map(|it| self.spaces.events(it.attribute("event").unwrap_or_default()));
            let named: Vec<&str> = named.filter(|it| !it.starts_with(['*', '.']) && !self.is_own_end(it, from)).collect();
            let mut first = Row { trigger: Trigger::Events, ..row.clone() };
            for event in named {
                first.events.extend(self.meant(event, node).into_iter().filter(|it| !first.events.contains(it)).collect::<Vec<_>>());
            }
            first.events.retain(|it| !self.delays.is_timer(it));
            if !first.events.is_empty() {
                self.draft.rows.push(first);
            }
        }
        self.draft.rows.push(row);
    }

    /// Whether an event says that the source itself is done, which it can be.
    fn is_own_end(&self, event: &str, from: From) -> bool {
        let From::State(of) = from else { return false };
        event.strip_prefix("done.state.") == Some(self.draft.states[of].id.as_str()) && self.draft.may_be_done(of)
    }

    /// Writes the rows so that they leave and enter what the chart does, and reports what a row cannot say.
    pub(super) fn cross(&mut self, histories: &[History<'a>]) {
        let shows = self.draft.showing();
        let has_regions = self.draft.has_regions();
        let crossing = self.draft.crossing(&shows);
        let of_row = |row: &Row| {
            let From::State(from) = row.from else { return None };
            row.to?;
            // With regions, what a row leaves decides what else is taken. A leaf is left in any case.
            let is_own = row.targets() == [(from, None)] && !self.composites.contains(&from);
            let domain = Domain { inside: row.domain, restarts: true, always: has_regions && row.domain != Some(from) && !is_own };
            let states = row.targets().into_iter().filter_map(|it| it.1).map(|it| histories[self.draft.recalls[it].of].state);
            // The chart remembers where it is before it goes there, a spec reads where it was.
            let recalled = states.into_iter().find(|it| self.draft.may_leave(from, *it, row.domain));
            Some((crossing.cross(row, domain), recalled))
        };
        let crossed: Vec<_> = self.draft.rows.iter().map(of_row).collect();
        for (idx, crossed) in crossed.into_iter().enumerate() {
            let Some((crossed, recalled)) = crossed else { continue };
            crossed.report(idx, &mut self.draft);
            let row = &mut self.draft.rows[idx];
            row.lead_to(&crossed.targets);
            row.reenter = crossed.reenter;
            if let Some(recalled) = recalled {
                let message = remembered_first(&self.draft.states[recalled].id);
                self.draft.found.loss(row.span, message);
            }
        }
    }

    /// The events that a descriptor matches: the one of this name, and those whose names begin with it and a dot.
    fn meant(&mut self, descriptor: &str, node: Node<'a, 'a>) -> Vec<String> {
        let name = stem(descriptor);
        let longer = |it: &&String| it.strip_prefix(name).is_some_and(|it| it.starts_with('.'));
        let mut meant: Vec<String> = self.events.iter().filter(longer).cloned().collect();
        if name.contains('*') || name.is_empty() {
            self.loss(node, format!("`{descriptor}` is no event: it was left out"));
            return Vec::new();
        }
        // The chart itself says that longer names come, where it asks which one came or names one.
        let is_longer = ["'", "&quot;"].iter().any(|quote| self.text.contains(&format!("{quote}{name}.")));
        let is_asked = (is_longer || self.text.contains("_event.name")) && self.prefixes.insert(name.to_owned());
        if !name.starts_with("done.state") && (descriptor.ends_with(['*', '.']) || is_asked) {
            let message =
                format!("`{descriptor}` stands for every event that begins so, and a spec names each: those of this chart are named");
            self.loss(node, message);
        }
        meant.insert(0, name.to_owned());
        meant
    }
}

/// Whether a state inside another one, or the other one itself, can be done.
fn ends_inside(state: Node<'_, '_>) -> bool {
    state.descendants().any(|it| it.has_tag_name_local("final") && it.parent_element().is_some_and(|it| !it.has_tag_name_local("scxml")))
}

/// Whether a condition assigns something, or counts up or down.
fn changes_something(condition: &str) -> bool {
    let mut code = String::new();
    let mut quote = None;
    for it in condition.chars() {
        match quote {
            Some(open) if it == open => quote = None,
            Some(_) => {}
            None if matches!(it, '\'' | '"') => quote = Some(it),
            None => code.push(it),
        }
    }
    let is_assignment = |(idx, _): (usize, &str)| {
        let (before, after) = (code[..idx].chars().next_back(), code[idx + 1..].chars().next());
        !before.is_some_and(|it| "=!<>~".contains(it)) && !after.is_some_and(|it| "=>~".contains(it))
    };
    code.contains("++") || code.contains("--") || code.match_indices('=').any(is_assignment)
}
