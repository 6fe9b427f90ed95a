//! Where the machine and its composites start.

use roxmltree::Node;

use super::history::Starts;
use super::{Local, Reader, is_content};
use crate::draft::Goal;

impl<'a> Reader<'a> {
    /// Reports what the transition of a start, or of a history's default, cannot have.
    pub(super) fn no_trigger(&mut self, transition: Node<'a, 'a>) {
        self.attributes(transition);
        for key in ["event", "cond"].into_iter().filter(|it| transition.attribute(*it).is_some()) {
            self.loss(transition, format!("a start has no `{key}`: it was left out"));
        }
    }

    /// Reports what a start or a history contains beside its first transition.
    pub(super) fn only_one_transition(&mut self, whole: Node<'a, 'a>) {
        let first = whole.children().find(|it| it.has_tag_name_local("transition"));
        for other in whole.children().filter(|it| Some(*it) != first) {
            self.text_between(other);
            if is_content(other) {
                self.loss(other, format!("`<{}>` was left out", other.tag_name().name()));
            }
        }
    }

    /// The initial state of the chart or a state: `initial`, else the first child.
    pub(super) fn initial(&mut self, node: Node<'a, 'a>, state: Option<usize>, starts: &mut Starts) {
        let mut elements = node.children().filter(|it| it.has_tag_name_local("initial"));
        let element = if node.has_attribute("initial") { None } else { elements.next() };
        for other in elements {
            self.loss(other, "the chart names another start here: this one was left out");
        }
        let transition = element.and_then(|it| it.children().find(|it| it.has_tag_name_local("transition")));
        if let Some(transition) = transition
            && transition.children().any(is_content)
        {
            self.loss(transition, "a start performs nothing in a spec: what it contains was left out");
        }
        for part in [element, transition].into_iter().flatten() {
            self.no_trigger(part);
        }
        element.into_iter().for_each(|it| self.only_one_transition(it));
        let named = node.attribute("initial").or(transition.and_then(|it| it.attribute("target"))).map(str::trim).unwrap_or_default();
        let mut targets: Vec<Goal> = Vec::new();
        let mut unknown = Vec::new();
        for name in self.spaces.states(named) {
            let known = self.by_id.get(name).copied();
            match (self.history_of.get(name), known) {
                (Some(all), _) if all.iter().all(|it| self.draft.is_in(it.0, state)) => targets.extend(all),
                // A history without a default stands for the start of its composite.
                (_, Some(known)) if Some(known) == state => {}
                (_, Some(known)) if self.draft.is_in(known, state) => targets.push((known, None)),
                (_, Some(_)) => unknown.push(format!("`{name}` is not inside, and cannot be the start")),
                (_, None) => unknown.push(format!("there is no state `{name}` to start in")),
            }
        }
        let first = self.draft.inside(state).first().copied();
        if let (true, Some(first)) = (targets.is_empty() && !unknown.is_empty() && !self.draft.is_parallel(state), first) {
            let first = &mut self.draft.states[first];
            let name = first.id.clone();
            first.inferred.get_or_insert_with(|| "The text starts in a state that is not there; this is the first one.".to_owned());
            unknown.iter_mut().for_each(|it| it.push_str(&format!(": it starts in its first state, `{name}`")));
        }
        unknown.into_iter().for_each(|it| self.loss(node, it));
        if self.draft.is_parallel(state) {
            return;
        }
        if targets.is_empty() {
            targets.extend(first.map(|it| (it, None)));
        }
        match state {
            Some(state) => starts.of_state[state] = targets,
            None => starts.of_machine = targets,
        }
    }

    /// Reports the composites that start where they were last: a spec starts them in a state, and rows to them lead to the history.
    pub(super) fn report_recalling(&mut self, starts: &Starts) {
        for (idx, targets) in starts.of_state.iter().enumerate() {
            if targets.iter().all(|it| it.1.is_none()) {
                continue;
            }
            let name = &self.draft.states[idx].id;
            let place = |(id, history): &Goal| match (history.is_some(), *id == idx) {
                (true, true) => "where it was last".to_owned(),
                (true, false) => format!("in `{}`, where it was last", self.draft.states[*id].id),
                (false, _) => format!("in `{}`", self.draft.states[*id].id),
            };
            let there = targets.iter().map(place).collect::<Vec<_>>().join(" and ");
            let message = format!(
                "`{name}` starts {there}, and a composite of a spec starts in a state inside it: transitions to `{name}` lead to {}",
                there.strip_prefix("in ").unwrap_or(&there)
            );
            self.draft.found.loss(self.draft.states[idx].span, message);
        }
    }
}
