//! Bins and the things in them as an independent model: transactions with several instances of one part.

use stateright::{Model, Property};

use crate::everything;

/// The property that no bin is full.
pub const NOT_FULL: &str = "No bin is full";

/// The size of the model, and its property.
#[derive(Debug, Clone)]
pub struct Stock {
    /// The number of bins.
    pub bins: usize,
    /// The property to check; all states are visited without one.
    pub property: Option<&'static str>,
}

/// An action; bins are given by their positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs)]
pub enum Action {
    Make,
    MakeTwo,
    Move(usize, usize),
    Mix { left: usize, right: usize, middle: usize },
}

impl Model for Stock {
    /// The number of things in each bin; `None` for a bin that is not made yet.
    type State = Vec<Option<u8>>;
    type Action = Action;

    fn init_states(&self) -> Vec<Self::State> {
        vec![vec![None; self.bins]]
    }

    fn actions(&self, _: &Self::State, actions: &mut Vec<Action>) {
        actions.extend([Action::Make, Action::MakeTwo]);
        let all = || 0..self.bins;
        actions.extend(all().flat_map(|from| all().map(move |to| Action::Move(from, to))));
        let mix = |left: usize, right: usize| all().map(move |middle| Action::Mix { left, right, middle });
        actions.extend(all().flat_map(|left| all().flat_map(move |right| mix(left, right))));
    }

    fn next_state(&self, last: &Self::State, action: Action) -> Option<Self::State> {
        let mut next = last.clone();
        let n = |bin: usize| last[bin];
        match action {
            Action::Make => *next.iter_mut().find(|it| it.is_none())? = Some(1),
            Action::MakeTwo => {
                for _ in 0..2 {
                    *next.iter_mut().find(|it| it.is_none())? = Some(1);
                }
            }
            Action::Move(from, to) => {
                if from == to || n(from)? == 0 || n(to)? == 3 || n(from)? < n(to)? {
                    return None;
                }
                (next[from], next[to]) = (Some(n(from)? - 1), Some(n(to)? + 1));
            }
            Action::Mix { left, right, middle } => {
                let same = left == right || left == middle || right == middle;
                if same || n(left)? == 0 || n(right)? == 3 || n(middle)? == 3 {
                    return None;
                }
                (next[left], next[right], next[middle]) = (Some(n(left)? - 1), Some(n(right)? + 1), Some(n(middle)? + 1));
            }
        }
        // A transaction that breaks the invariant is undone, and reported.
        if self.property.is_none() && next.contains(&Some(3)) {
            return None;
        }
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        match self.property {
            Some(NOT_FULL) => vec![Property::always(NOT_FULL, |_, state: &Self::State| !state.contains(&Some(3)))],
            _ => vec![everything()],
        }
    }
}
