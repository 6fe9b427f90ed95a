//! Executable content: the events that a step raises, and each other element as an effect.

use roxmltree::Node;

use super::start::Starts;
use super::{Local, Reader, is_drawing};
use crate::draft::{Draft, Effect, From, Goal};

impl<'a> Reader<'a> {
    /// The event of executable content that the machine raises itself.
    fn raised(&mut self, child: Node<'a, 'a>) -> Option<String> {
        let tag = child.tag_name().name();
        let written = child.attribute("event").map(str::trim).filter(|it| !it.is_empty() && ["raise", "send"].contains(&tag))?;
        let event = match written.strip_prefix('\'').and_then(|it| it.strip_suffix('\'')) {
            Some(quoted) if !quoted.is_empty() && !quoted.contains('\'') => {
                let message = format!("`{written}` was read as the event `{quoted}`: some engines take an expression here");
                self.draft.found.assumed(self.place(child), message);
                quoted.to_owned()
            }
            _ => written.to_owned(),
        };
        match tag {
            "raise" => Some(event),
            // To itself, at once, and with nothing else.
            "send" if child.attributes().all(|it| ["event", "id"].contains(&it.name())) && !child.children().any(|it| it.is_element()) => {
                let place = self.place(child);
                let message = format!(
                    "the chart puts `{event}` behind the events that wait outside, and behind those that it raises; a spec raises it with the others, in their order"
                );
                self.draft.found.assumed(place, message);
                Some(event)
            }
            _ => None,
        }
    }

    /// Executable content: the events that it raises, and each other element as an effect.
    pub(super) fn content(&mut self, node: Node<'a, 'a>, left_out: impl Fn(Node<'_, '_>) -> bool) -> (Vec<String>, Vec<Effect>) {
        let mut raised = Vec::new();
        let mut raising = Vec::new();
        for child in node.children().filter(|it| it.is_element() && !left_out(*it)) {
            if let Some(event) = self.raised(child) {
                raised.push(event);
                raising.push(child.id());
            }
        }
        for child in
            node.children().filter(|it| it.has_tag_name_local("raise") && it.attribute("event").is_none_or(|it| it.trim().is_empty()))
        {
            self.loss(child, "this raises no event: it was left out");
        }
        let is_raised = |child: Node<'_, '_>| child.has_tag_name_local("raise") || raising.contains(&child.id());
        let is_no_effect = |it: &Node<'_, '_>| it.is_element() && (is_raised(*it) || left_out(*it));
        node.children().filter(is_no_effect).for_each(|it| self.comments_in(it));
        let effects = self.effects(node, |child| is_raised(child) || left_out(child));
        (raised, effects)
    }

    /// Executable content, each element that is not left out as an effect.
    pub(super) fn effects(&mut self, node: Node<'a, 'a>, left_out: impl Fn(Node<'_, '_>) -> bool) -> Vec<Effect> {
        let mut effects = Vec::new();
        for child in node.children() {
            if child.is_comment() {
                self.comments.extend(child.text().map(|it| it.trim().to_owned()));
                continue;
            }
            if !child.is_element() {
                self.text_between(child);
                continue;
            }
            if left_out(child) || is_drawing(child.tag_name().namespace()) {
                continue;
            }
            let tag = child.tag_name().name();
            let words = ["event", "label", "location", "target", "id", "expr"];
            let what = words.iter().find_map(|it| child.attribute(*it)).unwrap_or_default();
            let doc = dedented(&self.text[child.range()]);
            effects.push(Effect { text: format!("{tag} {what}").trim().to_owned(), doc: Some(doc) });
            if tag != "log" {
                let message = format!("`<{tag}>` became an effect: your code must perform it");
                self.loss(child, message);
            }
        }
        effects
    }

    /// Adds to each row the events that its exits and entries raise.
    pub(super) fn raise(&mut self, fresh: &Starts) {
        let of_spec = self.draft.starts();
        for (node, state, events) in std::mem::take(&mut self.raising) {
            let is_entry = node.tag_name().name() == "onentry";
            let mut unclear = false;
            let mut rows = std::mem::take(&mut self.draft.rows);
            for row in rows.iter_mut().filter(|it| it.to.is_some()) {
                let targets = row.targets();
                let domain = match row.from {
                    From::Creation => None,
                    From::Any => {
                        unclear = true;
                        continue;
                    }
                    From::State(_) => row.domain,
                };
                let goals = self.draft.entered(&of_spec, domain, &targets);
                let inside = state_is_inside(&self.draft, state, domain);
                let enters = inside && goals.iter().any(|it| self.is_in(it.0, Some(state)));
                // What a history leads to depends on what it remembers.
                let may_enter = |it: &Goal| it.1.is_some() && state_is_inside(&self.draft, state, Some(it.0));
                unclear |= is_entry && !enters && targets.iter().any(may_enter);
                match (is_entry, row.from) {
                    (true, _) if enters => row.raise.extend(events.iter().cloned()),
                    (false, From::State(from)) if inside && self.is_in(from, Some(state)) => {
                        row.raise.splice(0..0, events.iter().cloned());
                    }
                    // Whether it is left depends on where the machine is.
                    (false, From::State(from))
                        if inside && (self.is_in(state, Some(from)) || self.draft.are_in_different_regions(from, state)) =>
                    {
                        unclear = true;
                    }
                    _ => {}
                }
            }
            self.draft.rows = rows;
            let at_start = self.draft.entered(&fresh.of_state, None, &fresh.of_machine).iter().any(|it| self.is_in(it.0, Some(state)));
            if is_entry && at_start && self.draft.rows.iter().all(|it| it.from != From::Creation) {
                self.draft.raised_at_start.extend(events.iter().cloned());
            }
            if unclear {
                let message =
                    format!("whether `{}` is raised depends on where the machine is: rows that may raise it do not", events.join("`, `"));
                self.loss(node, message);
            }
        }
    }
}

/// An element as it is written, without the indentation of its lines: a script needs the ends of lines.
fn dedented(source: &str) -> String {
    let indentation = |it: &&str| it.len() - it.trim_start().len();
    let behind = source.lines().skip(1).filter(|it| !it.trim().is_empty());
    let common = behind.map(|it| indentation(&it)).min().unwrap_or_default();
    let line = |(idx, it): (usize, &str)| {
        if idx == 0 { it.trim_end().to_owned() } else { it.get(common..).unwrap_or_default().trim_end().to_owned() }
    };
    source.lines().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// Whether a state lies inside another one, and is not it; everything is inside the machine.
fn state_is_inside(draft: &Draft, state: usize, whole: Option<usize>) -> bool {
    whole != Some(state) && draft.is_in(state, whole)
}
