//! Executable content: the events that a step raises, and each other element as an effect.

use roxmltree::Node;

use super::{Local, Reader, is_drawing};
use crate::draft::Effect;

/// What executable content does.
pub(super) struct Content {
    /// The events that it raises.
    pub(super) raise: Vec<String>,
    /// The events that it sends to the machine itself: they wait behind all that are raised.
    pub(super) sent: Vec<String>,
    pub(super) effects: Vec<Effect>,
}

impl<'a> Reader<'a> {
    /// The event of executable content that the machine raises itself, or sends to itself.
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
                    "the chart puts `{event}` behind all events that wait; a spec raises it behind the others of this step, and takes it before those that later steps raise and before those from outside"
                );
                self.draft.found.assumed(place, message);
                Some(event)
            }
            _ => None,
        }
    }

    /// Executable content: the events that it raises or sends, and each other element as an effect.
    pub(super) fn content(&mut self, node: Node<'a, 'a>, left_out: impl Fn(Node<'_, '_>) -> bool) -> Content {
        let (mut raise, mut sent) = (Vec::new(), Vec::new());
        let mut raising = Vec::new();
        for child in node.children().filter(|it| it.is_element() && !left_out(*it)) {
            if let Some(event) = self.raised(child) {
                (if child.has_tag_name_local("raise") { &mut raise } else { &mut sent }).push(event);
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
        Content { raise, sent, effects }
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
