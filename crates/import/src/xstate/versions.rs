//! What a transition leaves and enters again: versions 4 and 5 differ.
//!
//! Version 5 leaves all that is active inside the innermost state around source and targets, parallel or not, or inside the source
//! if this contains the targets. Version 4 leaves what the new states replace, and the source as well unless it is internal: unless
//! a target begins with a dot.

use std::collections::BTreeSet;

use super::Reader;
use crate::crossing::{Crossed, Crossing, Domain};
use crate::draft::{Draft, From, Row, Trigger};
use crate::remembered_first;

/// What a transition says about it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Way {
    /// Whether a target begins with a dot.
    pub(super) is_dotted: bool,
    /// Of version 4.
    pub(super) internal: Option<bool>,
    /// Of version 5.
    pub(super) reenter: bool,
    /// Whether it belongs to the machine, whatever state the row names.
    pub(super) is_of_machine: bool,
    /// The history that a target names, also where the row leads to a state instead: its position in the list of the reader.
    pub(super) history: Option<usize>,
}

/// A row as one version has it.
struct Reading {
    crossed: Crossed,
    /// All that is active inside this state is left.
    domain: Option<usize>,
    /// Whether nothing is left or entered.
    stays: bool,
}

impl Reader<'_> {
    /// Puts the rows of the machine behind those of all states: XState tries them last. A row from `*` is one of each leaf, and comes
    /// before those of the composites around; where this matters, each top state has the row.
    fn place_rows_of_machine(&mut self) {
        let (of_machine, mut rows): (Vec<Row>, Vec<Row>) =
            std::mem::take(&mut self.draft.rows).into_iter().partition(|it| it.from == From::Any);
        let shows = self.draft.showing();
        let crossing = self.draft.crossing(&shows);
        // A machine that is done takes no event.
        let (ends, tops): (Vec<usize>, Vec<usize>) = self.draft.inside(None).into_iter().partition(|it| self.draft.states[*it].terminal);
        let n_of_states = rows.len();
        let mut late = Vec::new();
        let mut never = Vec::new();
        let is_leaf = |state: usize| self.draft.inside(Some(state)).is_empty();
        for mut row in of_machine {
            for event in self.always_taken(&rows[..n_of_states], &row) {
                row.events.retain(|it| *it != event);
                never.push((row.span, event));
            }
            if row.trigger == Trigger::Events && row.events.is_empty() {
                continue;
            }
            if let Some(region) = self.only_region(&rows[..n_of_states], &row) {
                rows.push(Row { from: From::State(region), ..row });
                continue;
            }
            let comes_first = |other: &Row| match (other.from, row.trigger) {
                (From::State(from), Trigger::Events) => match other.trigger {
                    Trigger::Events => !is_leaf(from) && other.events.iter().any(|it| row.events.contains(it)),
                    trigger => trigger == Trigger::AnyOther,
                },
                (From::State(from), Trigger::AnyOther) => !is_leaf(from) && matches!(other.trigger, Trigger::Events | Trigger::AnyOther),
                (From::State(from), trigger) => !is_leaf(from) && other.trigger == trigger,
                _ => false,
            };
            // From one state, a row can leave it and enter it again.
            let leaves_more = |way: &Way| match (self.is_version_4, self.is_version_5) {
                (false, true) => in_version_5(&self.draft, &crossing, &row, *way).crossed.kept.is_some(),
                _ => in_version_4(&self.draft, &crossing, &row, *way).crossed.kept.is_some(),
            };
            let comes_late = rows.iter().any(comes_first);
            let way = self.ways.get(&row.span).filter(|_| row.to.is_some());
            if !self.draft.parallel && (comes_late || way.is_some_and(leaves_more)) {
                let of_top = |top: &usize| {
                    let mut row = Row { from: From::State(*top), ..row.clone() };
                    let is_any = |other: &&Row| other.from == row.from && other.trigger == Trigger::AnyOther;
                    let takes_events = matches!(row.trigger, Trigger::Events | Trigger::AnyOther);
                    if takes_events && rows[..n_of_states].iter().filter(is_any).any(|it| !it.is_guarded()) {
                        return None;
                    }
                    // What the state itself always takes does not reach the machine.
                    let takes = |other: &&Row| other.from == row.from && other.trigger == row.trigger && !other.is_guarded();
                    let taken: Vec<&Row> = rows[..n_of_states].iter().filter(takes).collect();
                    row.events.retain(|event| taken.iter().all(|it| !it.events.contains(event)));
                    let is_reached = if row.trigger == Trigger::Events { !row.events.is_empty() } else { taken.is_empty() };
                    is_reached.then_some(row)
                };
                let of_tops: Vec<Row> = tops.iter().filter_map(of_top).collect();
                // A spec tries a row for an event before one for any other event, whatever their order is.
                let is_any = |it: &Row| rows[..n_of_states].iter().any(|other| other.from == it.from && other.trigger == Trigger::AnyOther);
                if row.trigger == Trigger::Events && of_tops.iter().any(is_any) {
                    late.push(row.span);
                }
                rows.extend(of_tops);
                continue;
            }
            if comes_late {
                late.push(row.span);
            }
            rows.push(Row { except: if self.draft.parallel { Vec::new() } else { ends.clone() }, ..row });
        }
        for (span, event) in never {
            let message = format!("a region takes `{event}` wherever it is, so that the machine never does: it was left out here");
            self.draft.found.loss(span, message);
        }
        for span in late {
            let message = "the chart tries this after the transitions of all states, a spec before those of states with states inside: give each region the row";
            self.draft.found.loss(span, message);
        }
        self.draft.rows = rows;
    }

    /// The events of a row of the machine that a region takes wherever it is: XState tries the row only where no region takes them.
    fn always_taken(&self, of_states: &[Row], row: &Row) -> Vec<String> {
        let is_region = |it: &Row| matches!(it.from, From::State(from) if self.draft.parallel && self.draft.states[from].parent.is_none());
        let always = |it: &&Row| it.trigger == Trigger::Events && !it.is_guarded() && is_region(it);
        let taken: Vec<&String> = of_states.iter().filter(always).flat_map(|it| &it.events).collect();
        row.events.iter().filter(|it| taken.contains(it)).cloned().collect()
    }

    /// The only region of the machine with transitions for the events of a row of the machine that stays: there, behind those
    /// transitions, the row is taken where XState takes it.
    fn only_region(&self, of_states: &[Row], row: &Row) -> Option<usize> {
        if !self.draft.parallel || row.trigger != Trigger::Events || row.to.is_some() {
            return None;
        }
        let takes = |it: &&Row| it.events.iter().any(|it| row.events.contains(it));
        let top = |it: &Row| if let From::State(from) = it.from { self.draft.path(from).last() } else { None };
        let mut taking = of_states.iter().filter(takes);
        let region = top(taking.next()?)?;
        let is_only = taking.all(|it| top(it) == Some(region));
        // A spec tries a row for an event before one for any other event.
        let has_any = of_states.iter().any(|it| it.trigger == Trigger::AnyOther);
        (is_only && !has_any).then_some(region)
    }

    /// Writes the rows so that they leave and enter what XState does, and reports what a row cannot say.
    pub(super) fn cross(&mut self) {
        self.place_rows_of_machine();
        let shows = self.draft.showing();
        let crossing = self.draft.crossing(&shows);
        let read = |row: &Row| {
            row.to?;
            let way = self.ways.get(&row.span)?;
            Some((in_version_4(&self.draft, &crossing, row, *way), in_version_5(&self.draft, &crossing, row, *way)))
        };
        let readings: Vec<Option<(Reading, Reading)>> = self.draft.rows.iter().map(read).collect();
        for (idx, readings) in readings.into_iter().enumerate() {
            if let Some((four, five)) = readings {
                let reading = match (self.is_version_4, self.is_version_5) {
                    (false, true) => five,
                    (true, false) => self.known(idx, four, five),
                    _ => self.unknown(idx, four, five, &shows),
                };
                self.write(idx, &reading);
            }
        }
        // XState tries no row around regions of which one takes the event, even where they could both be taken.
        self.draft.report_around(|it| it.stays || it.has_third);
    }

    /// What version 4 does, with a report of what only version 5 and a spec do.
    fn known(&mut self, idx: usize, four: Reading, five: Reading) -> Reading {
        let Some((name, whole)) = self.other_region(idx) else { return four };
        let message =
            format!("version 4 moves the region of `{name}` alone; a spec leaves {whole} and enters it again, where all regions start");
        self.draft.found.loss(self.draft.rows[idx].span, message);
        // The message says all that is left.
        Reading { crossed: Crossed { left: None, ..five.crossed }, ..five }
    }

    /// What version 4 does, with a report if version 5 does something else.
    fn unknown(&mut self, idx: usize, four: Reading, five: Reading, shows: &BTreeSet<usize>) -> Reading {
        let row = &self.draft.rows[idx];
        let (span, from) = (row.span, row.from);
        if let Some((name, whole)) = self.other_region(idx) {
            let message = format!(
                "version 4 moves the region of `{name}` alone, version 5 starts all regions of {whole} again: so does the spec, and nothing tells the version"
            );
            self.draft.found.assumed(span, message);
            return five;
        }
        match from {
            From::State(from) if five.stays != four.stays && shows.contains(&from) => {
                let message = format!(
                    "`{}` is left and entered again, as in version 4; version 5 would stay, and nothing tells the version",
                    self.draft.states[from].id
                );
                self.draft.found.assumed(span, message);
            }
            _ if five.stays == four.stays && four.crossed != five.crossed => {
                let message = "version 5 leaves and enters other states here than version 4: it is read as in version 4, and nothing tells the version";
                self.draft.found.assumed(span, message);
            }
            _ => {}
        }
        four
    }

    /// A target in another region than the source, and the state with these regions.
    fn other_region(&self, idx: usize) -> Option<(String, String)> {
        let row = &self.draft.rows[idx];
        let From::State(from) = row.from else { return None };
        let (target, _) = row.targets().into_iter().find(|it| self.draft.are_in_different_regions(from, it.0))?;
        let whole = self.draft.path(from).find(|it| self.draft.is_in(target, Some(*it)));
        let name = |it: usize| self.draft.states[it].id.clone();
        Some((name(target), whole.map_or("the machine".to_owned(), |it| format!("`{}`", name(it)))))
    }

    fn write(&mut self, idx: usize, reading: &Reading) {
        if reading.stays {
            let row = &mut self.draft.rows[idx];
            (row.to, row.to_history) = (None, None);
            return;
        }
        reading.crossed.report(idx, &mut self.draft);
        let row = &mut self.draft.rows[idx];
        row.lead_to(&reading.crossed.targets);
        row.reenter = reading.crossed.reenter;
        row.domain = reading.domain;
        let (from, span) = (row.from, row.span);
        let way = self.ways.get(&span).copied().unwrap_or_default();
        let recalls = row.targets().into_iter().filter_map(|it| it.1).map(|it| self.draft.recalls[it].of);
        let mut recalled = recalls.chain(way.history).map(|it| self.histories[it].state);
        if let Some(message) = recalled.find_map(|it| self.recalled_otherwise(from, way, it, reading.domain)) {
            self.draft.found.loss(span, message);
        }
    }

    /// What a row to the history of a state does otherwise than the chart, where the machine may be in this state.
    fn recalled_otherwise(&self, from: From, way: Way, whole: usize, domain: Option<usize>) -> Option<String> {
        let name = &self.draft.states[whole].id;
        let is_version_5 = self.is_version_5 && !self.is_version_4;
        let goes_elsewhere = match from {
            From::Creation => false,
            From::Any => true,
            // A transition of the machine leaves all that is active.
            From::State(from) if way.is_of_machine => self.draft.may_be_active(from, whole),
            // Version 5 has what is remembered for the targets, and leaves no more than they take.
            From::State(from) if is_version_5 && from == whole && !way.reenter => {
                return Some(format!(
                    "the chart goes to where `{name}` was when it left it before, and a spec may have left it at other times"
                ));
            }
            From::State(from) if is_version_5 && from != whole && self.draft.is_in(from, Some(whole)) => {
                return Some(format!(
                    "what the chart leaves here depends on what `{name}` remembers, and a spec leaves and remembers the same in any case"
                ));
            }
            // The chart remembers where it is before it goes there, a spec reads where it was.
            From::State(from) if is_version_5 => self.draft.may_leave(from, whole, domain),
            // Version 4 remembers with every step, whether the state is left or not.
            From::State(from) => self.draft.may_be_active(from, whole),
        };
        goes_elsewhere.then(|| remembered_first(name))
    }
}

/// The state, or the machine, that a transition belongs to, and whether all targets are inside.
fn source(draft: &Draft, row: &Row, way: Way) -> (Option<usize>, bool) {
    let source = if let (From::State(from), false) = (row.from, way.is_of_machine) { Some(from) } else { None };
    (source, row.targets().iter().all(|it| draft.is_in(it.0, source)))
}

/// Whether a transition leads from a state without states inside to itself.
fn is_own(draft: &Draft, row: &Row, way: Way) -> bool {
    !way.is_of_machine
        && matches!(row.from, From::State(from) if row.targets() == [(from, None)] && draft.inside(Some(from)).iter().all(|it| draft.is_added(*it)))
}

fn in_version_4(draft: &Draft, crossing: &Crossing<'_>, row: &Row, way: Way) -> Reading {
    let is_internal = way.internal.unwrap_or(way.is_dotted);
    let (source, all_inside) = source(draft, row, way);
    let targets = row.targets();
    let around = source.and_then(|source| targets.iter().map(|it| it.0).find(|it| draft.is_in(source, Some(*it))));
    // What is left beside that which the new states replace.
    let outer = match (around, source) {
        _ if is_internal => None,
        (Some(around), _) => Some(Some(around)),
        (None, source) => Some(source).filter(|_| all_inside),
    };
    match outer {
        Some(outer) => {
            let inside = outer.and_then(|it| draft.states[it].parent);
            let crossed = crossing.cross(row, Domain { inside, restarts: false, always: false });
            // Other regions stay where they are.
            let is_apart = |it: &usize| outer.is_some_and(|outer| draft.are_in_different_regions(*it, outer));
            let crossed = Crossed { kept: crossed.kept.filter(|it| !is_apart(it)), ..crossed };
            Reading { crossed, domain: inside, stays: false }
        }
        None => {
            let stays = is_own(draft, row, way);
            // A leaf that is active already is not left: it may be one inside the source.
            let left = crossing.entered(row, around.or(source), around.is_some()).filter(|_| is_internal && !stays);
            let crossed = Crossed { targets: targets.clone(), reenter: false, kept: None, left };
            let domain = match source {
                Some(source) if !all_inside => draft.domain(source, &targets),
                source => source,
            };
            Reading { crossed, domain, stays }
        }
    }
}

fn in_version_5(draft: &Draft, crossing: &Crossing<'_>, row: &Row, way: Way) -> Reading {
    let (source, all_inside) = source(draft, row, way);
    let targets = row.targets();
    let contains = |whole: usize| {
        let mut others = targets.iter().skip(1);
        others.all(|it| draft.is_inside(*it, whole)) && source.is_some_and(|it| it != whole && draft.is_in(it, Some(whole)))
    };
    let mut around = targets.first().into_iter().flat_map(|it| draft.path(it.0).skip(usize::from(it.1.is_none())));
    let inside = if !way.reenter && all_inside { source } else { around.find(|it| contains(*it)) };
    // What was put around a parallel region is no state of the chart.
    let inside = inside.and_then(|it| draft.path(it).find(|it| !draft.is_added(*it)));
    let crossed = crossing.cross(row, Domain { inside, restarts: true, always: way.reenter });
    Reading { crossed, domain: inside, stays: !way.reenter && is_own(draft, row, way) }
}
