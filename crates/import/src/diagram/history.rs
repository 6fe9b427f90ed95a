//! Histories of composites: arrows to `[H]` lead to where the machine was inside.

use statespec_lang::source::Span;

use super::drawn::End;
use crate::draft::{Draft, From, Goal, Trigger};
use crate::remembered_first;

/// A history to which arrows lead.
pub(super) struct History {
    /// The end of these arrows.
    pub(super) end: End,
    /// The state whose history it is.
    pub(super) state: usize,
    /// Whether it remembers the leaf, and not only the child.
    pub(super) deep: bool,
    /// Where it leads if nothing is remembered; where the state starts, if the diagram does not say.
    pub(super) default: Option<usize>,
    /// The first arrow to it.
    pub(super) span: Span,
}

/// Makes rows lead to histories: each row with its position among the histories. `starts` are those of the diagram.
pub(super) fn resolve(draft: &mut Draft, histories: &[History], rows: &[(usize, usize)], starts: &[Vec<Goal>]) {
    for (of, history) in histories.iter().enumerate() {
        // A start in a history is told, and remembers nothing.
        if rows.iter().all(|it| it.1 != of) {
            continue;
        }
        let name = draft.states[history.state].id.clone();
        if draft.inside(Some(history.state)).is_empty() {
            draft.found.loss(history.span, format!("`{name}` has no states inside, so it has no history"));
            continue;
        }
        let remembers = match draft.remembering(history.state, !history.deep) {
            Some(states) => draft.remember(&states, !history.deep, of),
            None => {
                let message = format!(
                    "the history of `{name}` would have to remember a state with regions, and a field remembers one leaf: transitions to it lead to where `{name}` starts"
                );
                draft.found.loss(history.span, message);
                Vec::new()
            }
        };
        let goals = match history.default {
            _ if !remembers.is_empty() => remembers,
            Some(default) => vec![(default, None)],
            None => continue,
        };
        for (row, _) in rows.iter().filter(|it| it.1 == of) {
            let row = &mut draft.rows[*row];
            let span = row.span;
            if row.trigger == Trigger::Events && row.events.is_empty() && goals.iter().any(|it| it.1.is_some()) {
                let message = format!(
                    "an arrow without an event is a step that names its target, and a history is none: it leads to where `{name}` starts"
                );
                row.lead_to(&[(history.default.unwrap_or(history.state), None)]);
                draft.found.loss(span, message);
                continue;
            }
            row.lead_to(&goals);
            let (from, targets) = (row.from, row.targets());
            let From::State(from) = from else { continue };
            if draft.may_leave(from, history.state, draft.domain(from, &targets)) {
                draft.found.loss(span, remembered_first(&name));
            }
        }
    }
    // Rows are inserted from here on.
    let of_spec = draft.starts();
    for (of, history) in histories.iter().enumerate() {
        let default: Vec<Goal> = history.default.map(|it| (it, None)).into_iter().collect();
        let there = draft.entered(starts, Some(history.state), &default);
        let in_spec = draft.entered(&of_spec, Some(history.state), &[]);
        draft.lead_to_default(of, history.state, &there, |_| Some(there.clone()).filter(|it| *it != in_spec));
    }
}
