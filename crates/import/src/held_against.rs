//! The machine that a table is held against: its states by the names of the table, its steps, and what they say.

use std::collections::BTreeSet;

use super::cell::Cell;
use super::draft::{Draft, From, Row, State, Trigger};
use super::phrase::split_remark;
use super::table::Left;

/// A text without differences in spelling: `In Progress`, `in_progress` and `InProgress` are one state.
pub(super) fn bare(text: &str) -> String {
    text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The state of a draft with this id or label, ignoring differences in spelling; else the only one that differs in a remark in
/// brackets: of `done`, `done (by hand)`.
pub(super) fn state_of(draft: &Draft, name: &str) -> Option<usize> {
    let all = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let has = |it: &State| fits(&it.id) || it.label.as_deref().is_some_and(fits);
        draft.states.iter().enumerate().filter(|(_, it)| has(it)).map(|(idx, _)| idx).collect()
    };
    let own = bare(name);
    let same = all(&|it| bare(it) == own);
    if let Some(first) = same.first() {
        return Some(*first);
    }
    let alike = match without_remark(name).map(bare) {
        Some(own) => all(&|it| bare(it) == own),
        None => all(&|it| without_remark(it).is_some_and(|it| bare(it) == own)),
    };
    if let [only] = alike.as_slice() { Some(*only) } else { None }
}

/// The states of a draft that a cell names: the one of its whole text, `` `2` (settled) ``, or those that it begins with.
pub(super) fn states_of(draft: &Draft, cell: &Cell) -> Vec<usize> {
    match state_of(draft, &cell.text) {
        Some(whole) => vec![whole],
        None => cell.leading_names().iter().filter_map(|it| state_of(draft, it)).collect(),
    }
}

/// The name before a remark in brackets; `None` if there is no remark.
pub(super) fn without_remark(name: &str) -> Option<&str> {
    let (name, remark) = split_remark(name);
    remark.filter(|_| !bare(name).is_empty()).map(|_| name)
}

/// Whether a row has this event, or its label says it: `pay(amount)` is `pay`.
pub(super) fn says(row: &Row, event: &str) -> bool {
    let call = |it: &str| bare(it.split('(').next().unwrap_or(it));
    let mut texts = row.events.iter().chain(&row.label);
    row.events.is_empty() && row.label.is_none() || texts.any(|it| bare(it) == bare(event) || call(it) == call(event))
}

/// Whether a row of a diagram has the text of an event behind its slash, where the table has the event before the slash, too: in
/// `push / kick` of a table, both may be events.
pub(super) fn performs(drawn: &Row, row: &Row, event: &str) -> bool {
    drawn.effects.iter().any(|it| bare(&it.text) == bare(event)) && row.events.iter().any(|it| says(drawn, it))
}

/// Whether a row of a diagram has each event of a row of a table.
pub(super) fn says_all(drawn: &Row, row: &Row) -> bool {
    row.events.iter().all(|it| says(drawn, it) || performs(drawn, row, it)) || says_whole(drawn, row)
}

/// Whether two rows have the same text.
pub(super) fn says_whole(row: &Row, other: &Row) -> bool {
    row.label.as_ref().zip(other.label.as_ref()).is_some_and(|(a, b)| bare(a) == bare(b))
}

/// Whether two rows may be about the same event: a row without one does not tell.
pub(super) fn says_same(row: &Row, other: &Row) -> bool {
    row.events.is_empty() || other.events.is_empty() || other.events.iter().any(|it| says(row, it)) || says_whole(row, other)
}

/// The machine that a table is held against.
#[derive(Clone, Copy)]
pub(super) struct Shape<'a> {
    pub(super) draft: &'a Draft,
}

impl<'a> Shape<'a> {
    pub(super) fn name(&self, state: usize, table: &Draft) -> String {
        let n_states = self.draft.states.len();
        if state < n_states { self.draft.states[state].id.clone() } else { table.states[state - n_states].id.clone() }
    }

    /// The state of this name; a number behind all states if there is none.
    pub(super) fn place(&self, name: &str) -> usize {
        state_of(self.draft, name).unwrap_or(self.draft.states.len())
    }

    pub(super) fn is_in(&self, state: usize, whole: usize) -> bool {
        state == whole || (state < self.draft.states.len() && self.draft.is_in(state, Some(whole)))
    }

    /// Whether a row applies in a state.
    pub(super) fn starts(&self, row: &Row, state: usize) -> bool {
        match row.from {
            From::Creation => false,
            From::Any => !row.except.iter().any(|it| self.is_in(state, *it)),
            From::State(from) => self.is_in(state, from),
        }
    }

    /// Whether a target is another one: the composite that starts in it, or the other way round.
    pub(super) fn is_same(&self, a: usize, b: usize) -> bool {
        let n_states = self.draft.states.len();
        let starts = |whole: usize, inner: usize| {
            whole < n_states && inner < n_states && self.draft.entered(&self.draft.starts(), Some(whole), &[]).contains(&(inner, None))
        };
        a == b || starts(a, b) || starts(b, a)
    }

    /// The states where the machine says that it starts.
    pub(super) fn starts_of_machine(&self) -> Vec<usize> {
        let created = self.draft.rows.iter().filter(|it| it.from == From::Creation).filter_map(|it| it.to);
        let marked = self.draft.inside(None).into_iter().filter(|it| self.draft.states[*it].initial);
        created.chain(marked).flat_map(|it| self.through_choices(it)).collect()
    }

    /// Whether every way out of a state needs no event.
    pub(super) fn is_choice(&self, state: usize) -> bool {
        let mut out = self.draft.rows.iter().filter(|row| row.from == From::State(state)).peekable();
        out.peek().is_some() && out.all(|row| row.trigger == Trigger::Automatic)
    }

    /// The states that a target leads to, through choices.
    pub(super) fn through_choices(&self, target: usize) -> Vec<usize> {
        let (mut reached, mut seen, mut open) = (Vec::new(), BTreeSet::new(), vec![target]);
        while let Some(at) = open.pop() {
            if !self.is_choice(at) {
                reached.push(at);
            } else if seen.insert(at) {
                open.extend(self.draft.rows.iter().filter(|it| it.from == From::State(at)).filter_map(|it| it.to));
            }
        }
        reached
    }

    /// The rows of a state that lead nowhere.
    pub(super) fn stays(self, state: usize) -> impl Iterator<Item = &'a Row> {
        self.draft.rows.iter().filter(move |row| row.to.is_none() && self.starts(row, state))
    }

    /// The rows from a state to another one.
    pub(super) fn steps(self, from: usize, to: usize) -> impl Iterator<Item = &'a Row> {
        let leads = move |row: &&Row| row.to.is_some_and(|it| self.through_choices(it).into_iter().any(|it| self.is_same(it, to)));
        self.draft.rows.iter().filter(move |row| self.starts(row, from)).filter(leads)
    }

    /// The states where a machine rests, and that have a way out or are no ends.
    pub(super) fn resting(&self) -> Vec<usize> {
        let has_way_out = |state: usize| self.draft.rows.iter().any(|it| matches!(it.from, From::State(from) if self.is_in(state, from)));
        let rests = |it: &usize| self.draft.inside(Some(*it)).is_empty() && !self.is_choice(*it);
        let is_end = |it: usize| self.draft.states[it].terminal && !has_way_out(it);
        (0..self.draft.states.len()).filter(rests).filter(|it| !is_end(*it)).collect()
    }

    /// The states that a row of a table is about. A diagram need not draw what leads back to the same state.
    pub(super) fn sources(&self, row: &Row) -> Vec<usize> {
        match row.from {
            From::Creation => Vec::new(),
            From::State(from) => vec![from],
            From::Any => self.resting().into_iter().filter(|it| Some(*it) != row.to && self.starts(row, *it)).collect(),
        }
    }

    /// The states that an arrow is about: its source, or the states inside it if the table names those only.
    pub(super) fn drawn_sources(&self, row: &Row, is_told: impl Fn(usize) -> bool) -> Vec<usize> {
        match row.from {
            From::State(from) if self.draft.inside(Some(from)).is_empty() || is_told(from) => vec![from],
            From::State(from) => self.resting().into_iter().filter(|it| self.is_in(*it, from)).collect(),
            _ => self.sources(row),
        }
    }

    /// Whether a row of the table that could not be read may say the same as an arrow.
    pub(super) fn may_mean(&self, left: &Left, step: &Row, from: usize, to: usize) -> bool {
        let has = |names: &Option<Vec<String>>, fits: &dyn Fn(usize) -> bool| {
            names.as_ref().is_none_or(|it| it.iter().filter_map(|it| state_of(self.draft, it)).any(fits))
        };
        // A row of which a side could not be read may have the event in other words, too.
        let is_vague = left.from.is_none() || left.to.is_none();
        let same_event = is_vague || step.events.is_empty() || left.events.is_empty() || left.events.iter().any(|it| says(step, it));
        same_event && has(&left.from, &|it| self.is_in(from, it)) && has(&left.to, &|it| self.is_same(it, to))
    }
}
