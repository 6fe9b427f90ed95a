//! Rows of numbers, stored contiguously, each once.

use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// A set of rows of one width, numbered in order of insertion.
///
/// The hash table contains only positions and is never iterated, so its order has no effect.
#[derive(Debug, Clone)]
pub(super) struct Table {
    width: usize,
    words: Vec<u32>,
    n_rows: usize,
    positions: HashTable<u32>,
    hasher: FixedState,
}

impl Table {
    pub(super) fn new(width: usize) -> Self {
        Table { width, words: Vec::new(), n_rows: 0, positions: HashTable::new(), hasher: FixedState::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.n_rows
    }

    pub(super) fn row(&self, idx: usize) -> &[u32] {
        &self.words[idx * self.width..(idx + 1) * self.width]
    }

    pub(super) fn find(&self, row: &[u32]) -> Option<usize> {
        let same = |idx: &u32| self.row(*idx as usize) == row;
        self.positions.find(self.hasher.hash_one(row), same).map(|idx| *idx as usize)
    }

    /// Adds a row that is not in the table yet, and returns its number.
    pub(super) fn push(&mut self, row: &[u32]) -> usize {
        let Table { width, words, positions, hasher, .. } = self;
        let idx = self.n_rows;
        words.extend_from_slice(row);
        let hash_of = |idx: &u32| hasher.hash_one(&words[*idx as usize * *width..(*idx as usize + 1) * *width]);
        positions.insert_unique(hasher.hash_one(row), idx as u32, hash_of);
        self.n_rows += 1;
        idx
    }
}
