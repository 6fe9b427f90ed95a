//! Random choices, based on the random numbers of this crate.

use crate::rng::Rng;

/// The random choices of a generator.
pub(super) trait Dice {
    /// True in this percentage of cases.
    fn chance(&mut self, percent: usize) -> bool;
    /// A number from `low` to `high`, both included.
    fn between(&mut self, low: usize, high: usize) -> usize;
    /// One of the items.
    ///
    /// # Panics
    ///
    /// If there are none.
    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T;
    /// One of the items, if there are any.
    fn maybe<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T>;
    /// At most `n` of the items, in their order, at least one if there are any.
    fn several<T: Clone>(&mut self, items: &[T], n: usize) -> Vec<T>;
    /// The items in a random order.
    fn shuffle<T>(&mut self, items: &mut [T]);
}

impl Dice for Rng {
    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        self.maybe(items).expect("a choice needs items to choose from")
    }

    fn maybe<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let idx = self.below(items.len());
        items.get(idx)
    }

    fn several<T: Clone>(&mut self, items: &[T], n: usize) -> Vec<T> {
        let n = self.between(1, n.max(1));
        self.some(items.to_vec(), n)
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for idx in (1..items.len()).rev() {
            let other = self.below(idx + 1);
            items.swap(idx, other);
        }
    }
}
