//! Sets of values: of a few choices, of numbers, of texts.

use std::collections::BTreeSet;

use rust_decimal::Decimal;

use crate::expr::Compare;

/// The number of exceptions of a range whose neighbours are samples.
const MAX_HOLES: usize = 16;

/// A set of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Domain {
    /// A subset of a finite set of values, by number; a truth value is 0 or 1.
    Few(BTreeSet<usize>),
    /// Numbers.
    Range(Range),
    /// This text only.
    Only(String),
    /// Any text except these.
    Not(BTreeSet<String>),
}

/// The numbers between two ends, with exceptions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Range {
    /// Whole numbers only. The ends always belong to the range.
    pub(super) whole: bool,
    pub(super) from: End,
    pub(super) to: End,
    pub(super) without: BTreeSet<Decimal>,
}

/// An end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    pub(super) at: Decimal,
    /// Whether the end belongs to the range.
    pub(super) closed: bool,
}

impl End {
    pub(super) fn closed(at: Decimal) -> Self {
        End { at, closed: true }
    }
}

impl Domain {
    /// A known truth value.
    pub(super) fn truth(value: bool) -> Self {
        Domain::Few(BTreeSet::from([usize::from(value)]))
    }

    /// The size in memory: the number of listed values, and one.
    pub(super) fn size(&self) -> usize {
        1 + match self {
            Domain::Few(values) => values.len(),
            Domain::Range(range) => range.without.len(),
            Domain::Only(_) => 0,
            Domain::Not(texts) => texts.len(),
        }
    }

    pub(super) fn meet(&self, other: &Domain) -> Domain {
        match (self, other) {
            (Domain::Few(a), Domain::Few(b)) => Domain::Few(a & b),
            (Domain::Range(a), Domain::Range(b)) => Domain::Range(a.meet(b)),
            (Domain::Only(a), Domain::Only(b)) if a != b => Domain::Few(BTreeSet::new()),
            (Domain::Only(a), Domain::Not(without)) | (Domain::Not(without), Domain::Only(a)) if without.contains(a) => {
                Domain::Few(BTreeSet::new())
            }
            (Domain::Only(a), _) | (_, Domain::Only(a)) => Domain::Only(a.clone()),
            (Domain::Not(a), Domain::Not(b)) => Domain::Not(a | b),
            // One key always has one kind of domain.
            (a, _) => a.clone(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        match self {
            Domain::Few(values) => values.is_empty(),
            Domain::Range(range) => range.is_empty(),
            Domain::Only(_) | Domain::Not(_) => false,
        }
    }
}

impl Range {
    /// The numbers of a range that compare with a number as required.
    pub(super) fn compare(mut self, operator: Compare, with: Decimal) -> Range {
        let (floor, ceil) = (with.floor(), with.ceil());
        match operator {
            Compare::Eq if self.whole && floor != with => {
                self.from = End::closed(Decimal::ONE);
                self.to = End::closed(Decimal::ZERO);
            }
            Compare::Eq => {
                self.lower(End::closed(with));
                self.upper(End::closed(with));
            }
            Compare::Ne => {
                self.without.insert(with);
            }
            Compare::Lt if self.whole => self.upper(End::closed(ceil - Decimal::ONE)),
            Compare::Le if self.whole => self.upper(End::closed(floor)),
            Compare::Gt if self.whole => self.lower(End::closed(floor + Decimal::ONE)),
            Compare::Ge if self.whole => self.lower(End::closed(ceil)),
            Compare::Lt => self.upper(End { at: with, closed: false }),
            Compare::Le => self.upper(End::closed(with)),
            Compare::Gt => self.lower(End { at: with, closed: false }),
            Compare::Ge => self.lower(End::closed(with)),
        }
        self
    }

    fn lower(&mut self, end: End) {
        if (end.at, !end.closed) > (self.from.at, !self.from.closed) {
            self.from = end;
        }
    }

    fn upper(&mut self, end: End) {
        if (end.at, end.closed) < (self.to.at, self.to.closed) {
            self.to = end;
        }
    }

    fn meet(&self, other: &Range) -> Range {
        let mut met = self.clone();
        met.lower(other.from);
        met.upper(other.to);
        met.without.extend(other.without.iter().copied());
        met
    }

    fn is_empty(&self) -> bool {
        if self.whole {
            // Excluded values at an end move the end.
            let mut from = self.from.at;
            while from <= self.to.at && self.without.contains(&from) {
                from += Decimal::ONE;
            }
            return from > self.to.at;
        }
        let point = self.from.at == self.to.at;
        self.from.at > self.to.at || (point && !(self.from.closed && self.to.closed && !self.without.contains(&self.from.at)))
    }

    fn has(&self, value: Decimal) -> bool {
        let above = value > self.from.at || (self.from.closed && value == self.from.at);
        let below = value < self.to.at || (self.to.closed && value == self.to.at);
        above && below && !self.without.contains(&value)
    }

    /// Sample values of the range, starting with those that a person would name first.
    pub(super) fn samples(&self) -> Vec<Decimal> {
        let mut samples = Vec::new();
        let mut add = |value: Option<Decimal>| {
            if let Some(value) = value.map(|it| it.normalize()).filter(|it| self.has(*it) && (!self.whole || it.is_integer()))
                && !samples.contains(&value)
            {
                samples.push(value);
            }
        };
        let (from, to) = (self.from.at, self.to.at);
        let step = if self.whole { Decimal::ONE } else { Decimal::new(1, (from.scale().max(to.scale()) + 1).min(27)) };
        let unbounded = |it: Decimal| it.abs() >= Decimal::from(i64::MAX);
        if !unbounded(from) {
            add(Some(from));
        }
        if !unbounded(to) {
            add(Some(to));
        }
        if !unbounded(from) && !unbounded(to) {
            let middle = from.checked_add(to).and_then(|it| it.checked_div(Decimal::TWO));
            add(middle.map(|it| if self.whole { it.floor() } else { it }));
            add(middle.and_then(|it| it.checked_add(step)));
        }
        add(Some(Decimal::ZERO));
        add(Some(Decimal::ONE));
        if !unbounded(from) {
            let mut value = from.checked_add(step);
            // Skips excluded values at the end.
            while value.is_some_and(|it| self.without.contains(&it)) {
                value = value.and_then(|it| it.checked_add(step));
            }
            add(value);
            add(from.checked_add(Decimal::ONE));
        }
        if !unbounded(to) {
            let mut value = to.checked_sub(step);
            while value.is_some_and(|it| self.without.contains(&it)) {
                value = value.and_then(|it| it.checked_sub(step));
            }
            add(value);
            add(to.checked_sub(Decimal::ONE));
        }
        for hole in self.without.iter().take(MAX_HOLES) {
            add(hole.checked_add(step));
            add(hole.checked_sub(step));
        }
        add(Some(to));
        add(Some(from));
        samples
    }
}
