//! Rows of a state around regions of which one has a row for the same event: what a chart does not try, and a spec does.

use std::collections::{BTreeMap, BTreeSet};

use super::draft::{Draft, From, Row, Trigger};

/// Such a row, with rows of one state in a region inside.
pub(super) struct Around {
    outer: usize,
    /// Whether one of the two leaves nothing, so that neither gives way to the other.
    pub(super) stays: bool,
    /// Whether a state in another region has a row for the event, too. In a spec, this one may give way to the outer row.
    pub(super) has_third: bool,
}

impl Draft {
    /// Such rows.
    fn around_regions(&self) -> Vec<Around> {
        let mut found = Vec::new();
        if !self.has_regions() {
            return found;
        }
        let by_source = self.rows_by_source();
        for (inner, events) in by_source.iter().filter_map(|(inner, events)| Some(((*inner)?, events))) {
            // A row around a state is tried by the other regions of what lies between.
            let around = self.path(inner).skip(1).map(Some).chain([None]).skip_while(|it| !self.is_parallel(*it));
            let around: Vec<_> = around.filter_map(|it| by_source.get(&it)).collect();
            for (event, of_inner) in events {
                let is_alike = |other: &&str| *event == "*" || [*event, "*"].contains(other);
                let outers: Vec<usize> =
                    around.iter().flat_map(|it| it.iter()).filter(|it| is_alike(it.0)).flat_map(|it| it.1).copied().collect();
                if outers.is_empty() {
                    continue;
                }
                let is_apart = |source: usize| self.are_in_different_regions(inner, source);
                let has_third = by_source.iter().any(|(source, events)| source.is_some_and(is_apart) && events.keys().any(is_alike));
                let inner_stays = of_inner.iter().any(|it| self.rows[*it].to.is_none());
                let around = |outer: usize| Around { outer, stays: inner_stays || self.rows[outer].to.is_none(), has_third };
                found.extend(outers.into_iter().map(around));
            }
        }
        found
    }

    /// The rows for events by their sources and events; the machine is the source of rows that lead from every state.
    fn rows_by_source(&self) -> BTreeMap<Option<usize>, BTreeMap<&str, Vec<usize>>> {
        let source = |row: &Row| if let From::State(from) = row.from { Some(from) } else { None };
        let mut by_source: BTreeMap<Option<usize>, BTreeMap<&str, Vec<usize>>> = BTreeMap::new();
        for (idx, row) in self.rows.iter().enumerate().filter(|it| it.1.from != From::Creation) {
            let mut add = |event| by_source.entry(source(row)).or_default().entry(event).or_default().push(idx);
            match row.trigger {
                Trigger::Events => row.events.iter().for_each(|it| add(it)),
                Trigger::AnyOther => add("*"),
                _ => {}
            }
        }
        by_source
    }

    /// Reports the rows around regions that are of this kind, once each.
    pub(super) fn report_around(&mut self, is_reported: impl Fn(&Around) -> bool) {
        let rows: BTreeSet<usize> = self.around_regions().into_iter().filter(is_reported).map(|it| it.outer).collect();
        for row in rows {
            let message = "where a region inside takes the event, the chart does not take this transition, and a spec may: give it a guard that says when no region takes the event";
            self.found.loss(self.rows[row].span, message);
        }
    }
}
