//! The composite in which PlantUML draws each state.
//!
//! A name means the same state everywhere. A state is where it is named first, unless it is declared inside a composite: newer
//! versions of PlantUML read all declarations before the arrows.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::arrow::{End, Line};
use super::statement::{Mark, State, Statement, What};
use super::text::plain;
use crate::diagram::{MAX_DEPTH, Pseudo, Wrong};

/// A composite, or the diagram, and the number of dividers before a place in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) composite: Option<String>,
    pub(super) n_dividers: usize,
}

/// The place of every state.
#[derive(Debug, Default)]
pub(super) struct Homes {
    /// Where each state is declared first.
    declared: BTreeMap<String, Place>,
    /// Where each state is named first.
    named: BTreeMap<String, Place>,
    /// The composites with regions, and whether the diagram has some.
    divided: BTreeSet<Option<String>>,
    /// The states with a stereotype.
    marks: BTreeMap<String, Mark>,
    /// The states that are marked as what their arrows say they are not.
    pub(super) mismarked: BTreeSet<String>,
    /// The numbers of arrows into and out of each bar.
    bars: BTreeMap<String, (usize, usize)>,
}

/// The composites around a statement, from the outside.
#[derive(Debug)]
pub(super) struct Around {
    open: Vec<(Place, Range<usize>)>,
}

impl Around {
    pub(super) fn new() -> Self {
        Around { open: vec![(Place::default(), 0..0)] }
    }

    /// The place of a statement.
    pub(super) fn place(&self) -> Place {
        self.open.last().map(|it| it.0.clone()).unwrap_or_default()
    }

    /// Goes past a statement; `key` is the key of the composite that it may open.
    pub(super) fn pass(&mut self, what: &What<'_>, key: impl Fn(&str) -> String, range: &Range<usize>) -> Result<(), Wrong> {
        match what {
            What::State(state) if state.opens => {
                if self.open.len() > MAX_DEPTH {
                    return Err(Wrong { range: range.clone(), message: format!("composites are nested deeper than {MAX_DEPTH} levels") });
                }
                self.open.push((Place { composite: Some(key(state.id)), n_dividers: 0 }, range.clone()));
            }
            What::Close if self.open.len() < 2 => {
                return Err(Wrong { range: range.clone(), message: "no composite is open here".into() });
            }
            What::Close => {
                self.open.pop();
            }
            What::Divider => self.open.iter_mut().last().into_iter().for_each(|it| it.0.n_dividers += 1),
            _ => {}
        }
        Ok(())
    }
}

impl Homes {
    /// The homes of the states of a diagram.
    pub(super) fn new(statements: &[Statement<'_>]) -> Result<Self, Wrong> {
        let mut homes = Homes::default();
        let mut around = Around::new();
        let mut opened: BTreeMap<String, usize> = BTreeMap::new();
        for Statement { what, range, .. } in statements {
            if let What::State(state) = what {
                homes.declare(state, around.place());
            }
            around.pass(what, |it| homes.key(it), range)?;
            let Place { composite, .. } = around.place();
            match what {
                What::Divider => homes.divided.extend([composite]),
                What::State(state) if state.opens => *opened.entry(composite.unwrap_or_default()).or_default() += 1,
                _ => {}
            }
        }
        if let Some((_, range)) = around.open.get(1..).and_then(<[_]>::last) {
            return Err(Wrong { range: range.clone(), message: "this composite is never closed".into() });
        }
        let twice = |it: &Statement<'_>| match &it.what {
            What::State(state) if state.opens => {
                let key = homes.key(state.id);
                opened.get(&key).is_some_and(|it| *it > 1) && homes.divided.contains(&Some(key))
            }
            _ => false,
        };
        if let Some(statement) = statements.iter().rev().find(|it| twice(it)) {
            let message = "this composite is written in several parts, and one of them has regions";
            return Err(Wrong { range: statement.range.clone(), message: message.into() });
        }
        homes.name(statements)?;
        Ok(homes)
    }

    fn declare(&mut self, state: &State<'_>, place: Place) {
        let key = self.key(state.id);
        let place = self.inside_outer(state.id).unwrap_or(place);
        if let Some(mark) = state.mark {
            self.marks.entry(key.clone()).or_insert(mark);
        }
        self.declared.entry(key).or_insert(place);
    }

    /// Looks where the states are named.
    fn name(&mut self, statements: &[Statement<'_>]) -> Result<(), Wrong> {
        let mut around = Around::new();
        for Statement { what, range, .. } in statements {
            let ids = match what {
                What::State(state) => [Some(state.id), None],
                What::Description { id, .. } => [Some(*id), None],
                What::Arrow(arrow) => {
                    self.look_at(arrow);
                    [arrow.from.id(), arrow.to.id()]
                }
                _ => [None, None],
            };
            for id in ids.into_iter().flatten() {
                let place = self.inside_outer(id).unwrap_or_else(|| around.place());
                self.named.entry(self.key(id)).or_insert(place);
            }
            around.pass(what, |it| self.key(it), range)?;
        }
        Ok(())
    }

    fn look_at(&mut self, arrow: &Line<'_>) {
        for (end, leads_to_it) in [(arrow.from, false), (arrow.to, true)] {
            match end {
                End::Bar(name) => {
                    let (into, out) = self.bars.entry(name.to_owned()).or_default();
                    *(if leads_to_it { into } else { out }) += 1;
                }
                End::State(id) if !arrow.hidden => {
                    let key = self.key(id);
                    let fits = match self.marks.get(&key) {
                        Some(Mark::Start) => !leads_to_it,
                        Some(Mark::End { .. }) => leads_to_it,
                        _ => true,
                    };
                    if !fits {
                        self.marks.remove(&key);
                        self.mismarked.insert(key);
                    }
                }
                End::Dot | End::State(_) | End::History { .. } => {}
            }
        }
    }

    /// The key of a state: its name, without the composite that `composite.name` has before it.
    pub(super) fn key(&self, id: &str) -> String {
        // A text in quotes may be a name, too.
        if id.contains(['\\', '<', '*']) {
            return plain(id, " ");
        }
        let Some((outer, inner)) = self.outer(id).zip(id.rsplit_once('.').map(|it| it.1)) else { return id.to_owned() };
        match self.declared.get(inner) {
            Some(place) if place.composite.as_ref() != Some(&outer) => id.to_owned(),
            _ => inner.to_owned(),
        }
    }

    /// The key of the composite in `composite.name`, if there is such a state.
    fn outer(&self, id: &str) -> Option<String> {
        let (outer, inner) = id.rsplit_once('.').filter(|it| !it.1.is_empty() && it.0.matches('.').count() < MAX_DEPTH)?;
        let key = self.key(outer);
        (self.declared.contains_key(&key) && key != inner).then_some(key)
    }

    /// The place of `composite.name`, if there is such a composite.
    fn inside_outer(&self, id: &str) -> Option<Place> {
        self.outer(id).map(|it| Place { composite: Some(it), n_dividers: 0 })
    }

    /// Whether older and newer versions of PlantUML draw a state in different places.
    pub(super) fn is_unsettled(&self, key: &str) -> bool {
        let (declared, named) = (self.declared.get(key), self.named.get(key));
        declared.is_some_and(|it| it.composite.is_none()) && named.is_some_and(|it| it.composite.is_some())
    }

    /// The home of a state.
    pub(super) fn home(&self, id: &str) -> Place {
        let key = self.key(id);
        let declared = self.declared.get(&key).filter(|it| it.composite.is_some());
        declared.or(self.named.get(&key)).cloned().unwrap_or_default()
    }

    /// The number of the region of a place, if there are regions.
    pub(super) fn region(&self, place: &Place) -> Option<usize> {
        self.divided.contains(&place.composite).then_some(place.n_dividers + 1)
    }

    pub(super) fn mark(&self, key: &str) -> Option<Mark> {
        self.marks.get(key).copied()
    }

    /// What a bar is, by its arrows.
    pub(super) fn bar(&self, name: &str) -> Pseudo {
        match self.bars.get(name) {
            Some((_, out)) if *out > 1 => Pseudo::Fork,
            Some((into, _)) if *into > 1 => Pseudo::Join,
            _ => Pseudo::Point,
        }
    }
}
