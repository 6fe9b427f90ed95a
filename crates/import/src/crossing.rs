//! What a step leaves and enters again. A chart leaves all that is active inside one state, its domain; a spec leaves what is inside
//! the innermost active state around each target, or, with `reenter`, the outer one of source and target as well.
//!
//! ```text
//! row of the spec ─────┐
//! domain of the text ──┼──cross──▶ `reenter`, regions that start again, and what none of these expresses
//! states that show it ─┘
//! ```

use std::collections::BTreeSet;

use super::draft::{Draft, From, Goal, Row, Trigger};

/// What the text leaves with a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Domain {
    /// All that is active inside this state, or inside the machine.
    pub(super) inside: Option<usize>,
    /// Whether the regions of a parallel state that contain no target start again.
    pub(super) restarts: bool,
    /// Whether the row says `reenter` even where nothing shows it.
    pub(super) always: bool,
}

/// How a row is written, so that it leaves what the text does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Crossed {
    pub(super) targets: Vec<Goal>,
    pub(super) reenter: bool,
    /// A state that the text leaves and enters again, which shows; a spec stays inside.
    pub(super) kept: Option<usize>,
    /// A state that a spec leaves and enters again, which shows; the text stays inside.
    pub(super) left: Option<usize>,
}

impl Crossed {
    /// Reports what the row does not express.
    pub(super) fn report(&self, row: usize, draft: &mut Draft) {
        let span = draft.rows[row].span;
        if let Some(kept) = self.kept {
            let name = &draft.states[kept].id;
            let message = format!(
                "where `{name}` is active, the chart leaves it and enters it again here, with its effects, timers, raised events and history; a spec stays inside: give this row what has to happen"
            );
            draft.found.loss(span, message);
        }
        if let Some(left) = self.left {
            let name = &draft.states[left].id;
            let message = format!(
                "a spec leaves `{name}` and enters it again here, with its effects, timers and history; the chart stays in it: move these to the rows that lead to it"
            );
            draft.found.loss(span, message);
        }
    }
}

/// A state that a row of the spec does not leave, with all around it.
struct Stop {
    /// `None` is the machine.
    at: Option<usize>,
    /// Whether it is active in any case. Otherwise, a state around it is the stop where it is not.
    is_certain: bool,
}

/// The crossings of a machine.
pub(super) struct Crossing<'a> {
    draft: &'a Draft,
    /// The states of which it shows that they are left and entered.
    shows: &'a BTreeSet<usize>,
    starts: Vec<Vec<Goal>>,
}

impl Draft {
    /// The states of which it shows that they are left and entered: those with effects or timers, those that raise events, and those
    /// with a history that is read inside them.
    pub(super) fn showing(&self) -> BTreeSet<usize> {
        let has_effects = |it: &usize| !self.states[*it].entry.is_empty() || !self.states[*it].exit.is_empty();
        let waits = |row: &Row| match row.from {
            From::State(from) if row.trigger == Trigger::After => Some(from),
            _ => None,
        };
        let reads = |row: &Row| {
            let is_inside = |whole: &usize| if let From::State(from) = row.from { self.may_be_active(from, *whole) } else { true };
            row.targets().into_iter().filter(|it| it.1.is_some()).map(|it| it.0).filter(is_inside).collect::<Vec<_>>()
        };
        let of_rows = self.rows.iter().flat_map(|it| waits(it).into_iter().chain(reads(it)));
        (0..self.states.len()).filter(has_effects).chain(of_rows).chain(self.raising.iter().map(|it| it.state)).collect()
    }

    /// The state that `reenter` leaves and enters again, if a row can say it.
    pub(super) fn reentered(&self, from: From, targets: &[Goal]) -> Option<usize> {
        let From::State(from) = from else { return None };
        let around = targets.iter().map(|it| it.0).find(|it| self.is_in(from, Some(*it)));
        around.or_else(|| Some(from).filter(|_| !targets.is_empty() && targets.iter().all(|it| self.is_in(it.0, Some(from)))))
    }

    /// The crossings of a machine, of which these states show that they are left and entered.
    pub(super) fn crossing<'a>(&'a self, shows: &'a BTreeSet<usize>) -> Crossing<'a> {
        Crossing { draft: self, shows, starts: self.starts() }
    }
}

impl Crossing<'_> {
    /// How a row is written, so that it leaves what the text does.
    pub(super) fn cross(&self, row: &Row, domain: Domain) -> Crossed {
        let targets = row.targets();
        let plain = self.crossed(row.from, &targets, domain, None);
        let Some(outer) = self.draft.reentered(row.from, &targets) else { return plain };
        let mut again = self.crossed(row.from, &targets, domain, Some(outer));
        if self.draft.reentered(row.from, &again.targets) != Some(outer) {
            // Regions around the source start again, and with them all is left.
            again = self.crossed(row.from, &again.targets, domain, None);
        }
        let is_better = plain.kept.is_some() && again.kept.is_none() && again.left.is_none();
        if domain.always || (is_better && self.restarts_alike(row, domain, outer)) { again } else { plain }
    }

    /// A state that shows, which a row enters inside another one: a leaf, or also those around it.
    pub(super) fn entered(&self, row: &Row, whole: Option<usize>, with_around: bool) -> Option<usize> {
        let (ends, _) = self.ends(row.from, &row.targets(), None);
        let n_of_end = if with_around { usize::MAX } else { 1 };
        let of_end = |end: Goal| self.draft.path(end.0).filter(|it| !self.draft.is_added(*it)).take(n_of_end);
        let is_inside = |it: &usize| Some(*it) != whole && self.draft.is_in(*it, whole);
        ends.into_iter().flat_map(of_end).find(|it| is_inside(it) && self.shows.contains(it))
    }

    /// Whether the regions that `reenter` starts again do so in the text.
    fn restarts_alike(&self, row: &Row, domain: Domain, outer: usize) -> bool {
        let stop = self.stop_around(outer, &row.targets());
        let around = self.draft.path(outer).skip(1).take_while(|it| Some(*it) != stop).filter(|it| self.draft.states[*it].parallel);
        let of_target = |it: Goal| self.draft.path(it.0).skip(1).take_while(move |it| self.draft.is_in(*it, Some(outer)));
        let mut inside = row.targets().into_iter().flat_map(of_target).filter(|it| self.draft.states[*it].parallel);
        let mut around = around.map(Some).chain((stop.is_none() && self.draft.parallel).then_some(None)).peekable();
        match domain.restarts {
            true => around.all(|it| it.map_or(domain.inside.is_none(), |it| self.draft.is_in(it, domain.inside))),
            false => around.peek().is_none() && inside.next().is_none(),
        }
    }

    /// The innermost state around another one and the targets that is no parallel state: `reenter` leaves what is inside.
    fn stop_around(&self, outer: usize, targets: &[Goal]) -> Option<usize> {
        self.draft
            .path(outer)
            .skip(1)
            .find(|it| !self.draft.states[*it].parallel && targets.iter().all(|target| self.draft.is_in(target.0, Some(*it))))
    }

    fn crossed(&self, from: From, targets: &[Goal], domain: Domain, outer: Option<usize>) -> Crossed {
        let mut targets = targets.to_vec();
        let (mut ends, mut stops) = self.ends(from, &targets, outer);
        let parallel = self.kept(domain, &ends, &stops).into_iter().filter(|it| self.draft.is_parallel(*it));
        let mut others: Vec<usize> = Vec::new();
        for region in parallel.flat_map(|it| self.draft.inside(it)) {
            let mut reached = targets.iter().map(|it| it.0).chain(others.iter().copied());
            if reached.all(|it| self.draft.are_in_different_regions(it, region)) {
                others.push(region);
            }
        }
        if domain.restarts {
            targets.extend(others.drain(..).map(|it| (it, None)));
            (ends, stops) = self.ends(from, &targets, outer);
        }
        let others =
            others.into_iter().flat_map(|region| (0..self.draft.states.len()).filter(move |it| self.draft.is_in(*it, Some(region))));
        let kept = self.kept(domain, &ends, &stops).into_iter().flatten();
        let inside = |whole: usize| (0..self.draft.states.len()).filter(move |it| *it != whole && self.draft.is_in(*it, Some(whole)));
        // A history may lead to any state inside, and stay in those around it. So does the text, where it stays inside the state of
        // the history and the leaf that was remembered is the target.
        let is_alike = |it: &Goal| domain.inside == Some(it.0) && from != From::State(it.0) && !self.draft.recalls_a_child(*it);
        let recalled = ends.iter().filter(|it| it.1.is_some() && !is_alike(it)).map(|it| it.0);
        let recalled: Vec<usize> = recalled.filter(|it| self.kept(domain, &ends, &stops).contains(&Some(*it))).flat_map(inside).collect();
        let recalled = recalled.into_iter().filter(|it| !self.draft.inside(Some(*it)).is_empty());
        let kept = kept.filter(|it| Some(*it) != domain.inside).chain(recalled).chain(others).find(|it| self.shows.contains(it));
        let left = stops.iter().filter(|it| it.is_certain).flat_map(|it| self.left_up_to(domain, it.at)).find(|it| self.shows.contains(it));
        Crossed { targets, reenter: outer.is_some(), kept, left }
    }

    /// The leaves and histories that targets end in, and for each of them where a row of the spec stops to leave.
    fn ends(&self, from: From, targets: &[Goal], outer: Option<usize>) -> (Vec<Goal>, Vec<Stop>) {
        let ends: Vec<Goal> = targets.iter().flat_map(|it| self.draft.goals(&self.starts, *it)).collect();
        let source = if let From::State(from) = from { Some(from) } else { None };
        let is_related = |it: usize| source.is_none_or(|source| self.draft.is_in(source, Some(it)) || self.draft.is_in(it, Some(source)));
        let stop = |end: &Goal| match outer {
            Some(outer) => Stop { at: self.stop_around(outer, &ends), is_certain: true },
            None => {
                let at = self.around(*end).find(|it| !self.draft.states[*it].parallel && is_related(*it));
                Stop { at, is_certain: at.is_none_or(|at| source.is_some_and(|it| self.draft.is_in(it, Some(at)))) }
            }
        };
        let stops = ends.iter().map(stop).collect();
        (ends, stops)
    }

    /// The states around what is entered: a history is inside its own state.
    fn around(&self, end: Goal) -> impl Iterator<Item = usize> + '_ {
        self.draft.path(end.0).skip(usize::from(end.1.is_none()))
    }

    /// What the text leaves, or starts again, and a row of the spec does not, wherever the machine is inside; the domain is last.
    fn kept(&self, domain: Domain, ends: &[Goal], stops: &[Stop]) -> Vec<Option<usize>> {
        let is_in = |inner: Option<usize>, whole: Option<usize>| inner.map_or(whole.is_none(), |it| self.draft.is_in(it, whole));
        let is_left = |it: Option<usize>| stops.iter().any(|stop| stop.is_certain && stop.at != it && is_in(it, stop.at));
        // The machine itself is never left, but all inside it may be.
        let is_restarted = |it: Option<usize>| it.is_none() && stops.iter().any(|stop| stop.is_certain && stop.at.is_none());
        let mut kept: Vec<Option<usize>> = Vec::new();
        for (end, stop) in ends.iter().zip(stops) {
            let around = self.around(*end).map(Some).chain([None]);
            for it in around.filter(|it| is_in(*it, domain.inside) && is_in(stop.at, *it) && !is_left(*it) && !is_restarted(*it)) {
                if !kept.contains(&it) {
                    kept.push(it);
                }
            }
        }
        kept
    }

    /// What a row of the spec leaves around the domain of the text, where it stops only further out.
    fn left_up_to(&self, domain: Domain, stop: Option<usize>) -> Vec<usize> {
        let Some(inside) = domain.inside.filter(|it| Some(*it) != stop && self.draft.is_in(*it, stop)) else { return Vec::new() };
        self.draft.path(inside).take_while(|it| Some(*it) != stop).collect()
    }
}
