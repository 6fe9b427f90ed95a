//! The lists of names in a chart: spaces separate names, unless the names of the chart have spaces themselves.

use std::collections::BTreeSet;

use roxmltree::{Document, Node};

/// How a chart uses spaces.
pub(super) struct Spaces<'a> {
    /// The ids of its states and histories.
    ids: BTreeSet<&'a str>,
    /// Whether names have spaces.
    in_names: bool,
}

impl<'a> Spaces<'a> {
    /// How a chart uses spaces. An id with a space is no id of the standard, and a target of which no word is an id is no list.
    pub(super) fn of(document: &'a Document<'a>) -> Self {
        let is = |node: Node<'_, '_>, tags: &[&str]| tags.contains(&node.tag_name().name());
        let all = || document.descendants().filter(Node::is_element);
        let states = all().filter(|it| is(*it, &["state", "parallel", "final", "history"]));
        let ids: BTreeSet<&str> = states.filter_map(|it| it.attribute("id")).map(str::trim).filter(|it| !it.is_empty()).collect();
        let targets = all().filter(|it| is(*it, &["transition"])).filter_map(|it| it.attribute("target"));
        let is_name = |it: &str| has_space(it) && !it.split_whitespace().any(|word| ids.contains(word));
        let in_names = ids.iter().any(|it| has_space(it)) || targets.map(str::trim).any(is_name);
        Spaces { ids, in_names }
    }

    /// The names of a list of states.
    pub(super) fn states<'b>(&self, list: &'b str) -> Vec<&'b str> {
        let whole = list.trim();
        let words: Vec<&str> = whole.split_whitespace().collect();
        let is_list = !self.ids.contains(whole) && words.iter().any(|it| self.ids.contains(it));
        if self.is_name(whole) && !is_list { vec![whole] } else { words }
    }

    /// The names of a list of events.
    pub(super) fn events<'b>(&self, list: &'b str) -> Vec<&'b str> {
        let whole = list.trim();
        if self.is_name(whole) { vec![whole] } else { whole.split_whitespace().collect() }
    }

    /// Whether a list is read as one name, which the standard would not do.
    pub(super) fn is_name(&self, list: &str) -> bool {
        self.in_names && has_space(list.trim())
    }
}

fn has_space(text: &str) -> bool {
    text.contains(char::is_whitespace)
}
