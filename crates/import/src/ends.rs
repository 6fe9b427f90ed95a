//! What a table says as a whole, once its rows are read: its ends, and the states that rows of every state leave out.

use std::collections::BTreeSet;

use super::cell::Cell;
use super::draft::{From, Row};
use super::phrase::{self, End};
use super::row::Reader;
use super::span;
use super::table::Reading;

impl Reader<'_, '_> {
    /// Reports what a cell says besides that a state is an end: `(terminal — prints a receipt)`.
    pub(super) fn tell_end(&mut self, cell: &Cell) {
        if phrase::end(&cell.text) == Some(End::WithRemark) {
            let message = format!("`{}` was read as an end: what else it says was left out", cell.text);
            self.loss(span(self.edges.id, cell.range.clone()), message);
        }
    }

    pub(super) fn mark_ends(&mut self, ends: &[usize], doc: &[String]) {
        for idx in ends {
            self.reading.draft.states[*idx].terminal = true;
            doc.iter().for_each(|it| self.describe(*idx, it.clone()));
        }
    }

    /// Marks the states that lead to a dash only. Beside another way out, a dash is the target of something that happens.
    fn settle_dashes(&mut self) {
        let leads = |row: &Row| match row.from {
            From::State(from) if row.to.is_some_and(|it| it != from) => Some(from),
            _ => None,
        };
        let left: BTreeSet<usize> = self.reading.draft.rows.iter().filter_map(leads).collect();
        for dash in std::mem::take(&mut self.dashes) {
            if dash.sources.iter().any(|it| left.contains(it)) {
                self.loss(dash.place, "whether this row changes nothing or is refused cannot be told: it was left out");
                self.unclear(dash.left);
            } else {
                self.mark_ends(&dash.sources, &dash.doc);
            }
        }
    }

    pub(super) fn finish(mut self) -> Reading {
        self.settle_dashes();
        self.leave_out_ends();
        if let Some(place) = self.idle_actors {
            self.loss(place, "the actors of a spec raise events: those of the rows without an event, from this one on, were left out");
        }
        let draft = &mut self.reading.draft;
        // A row of every state does not mean the states that refuse its step.
        for left in &self.refused {
            let position = |name: &String| draft.states.iter().position(|it| it.id == *name);
            let states = |names: &Option<Vec<String>>| names.as_ref().map(|it| it.iter().filter_map(position).collect::<Vec<_>>());
            let (Some(from), to) = (states(&left.from), states(&left.to)) else { continue };
            for row in draft.rows.iter_mut().filter(|it| it.from == From::Any) {
                let same_event = left.events.is_empty() || row.events.iter().any(|it| left.events.contains(it));
                let same_target = to.as_ref().is_none_or(|it| row.to.is_some_and(|to| it.contains(&to)));
                if same_event && same_target {
                    row.except.extend(from.iter().filter(|it| !row.except.contains(it)).copied().collect::<Vec<_>>());
                }
            }
        }
        for row in draft.rows.iter().filter(|it| it.from == From::Any) {
            let mut ends =
                draft.states.iter().enumerate().filter(|(idx, it)| it.terminal && !row.except.contains(idx) && row.to != Some(*idx));
            if let Some((_, end)) = ends.next() {
                draft.found.assumed(row.span, format!("every state includes ends such as `{}`", end.id));
            }
        }
        for (text, range) in self.edges.more_forbidden() {
            draft.found.loss(span(self.edges.id, range), format!("`{text}` in the column of forbidden steps was left out"));
        }
        for (from, to, range) in self.edges.forbidden() {
            let of = |name: &str| draft.states.iter().position(|it| it.id == name);
            let (Some(from_idx), Some(to_idx)) = (of(&from), of(&to)) else { continue };
            if draft.rows.iter().any(|it| it.from == From::State(from_idx) && it.to == Some(to_idx)) {
                let message = format!("the table allows and forbids the step from `{from}` to `{to}`: it was imported");
                draft.found.loss(span(self.edges.id, range), message);
            }
        }
        self.reading
    }

    /// Leaves the ends out of the rows of every state that is none.
    fn leave_out_ends(&mut self) {
        let draft = &mut self.reading.draft;
        let terminal: Vec<usize> = (0..draft.states.len()).filter(|it| draft.states[*it].terminal).collect();
        let unclear: Vec<&String> = self.reading.unclear.iter().filter_map(|it| it.from.as_ref()).flatten().collect();
        let has_way_out =
            |it: &usize| draft.rows.iter().any(|row| row.from == From::State(*it)) || unclear.contains(&&draft.states[*it].id);
        // Where no row says which states are terminal, those are that no row leads out of.
        let ends = match terminal.is_empty() {
            true => (0..draft.states.len()).filter(|it| !has_way_out(it)).collect(),
            false => terminal.clone(),
        };
        let names: Vec<String> = ends.iter().map(|it| format!("`{}`", draft.states[*it].id)).collect();
        for idx in std::mem::take(&mut self.but_terminal) {
            let row = &mut draft.rows[idx];
            row.except.clone_from(&ends);
            if terminal.is_empty() && !ends.is_empty() {
                draft
                    .found
                    .assumed(row.span, format!("the terminal states are assumed to be those without a way out: {}", names.join(", ")));
            }
        }
    }
}
