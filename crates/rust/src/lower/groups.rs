//! Groups of items with equal keys.

use std::collections::BTreeMap;

/// Groups by key, in the order of the first occurrence of each key.
pub(crate) struct Groups<K, G> {
    places: BTreeMap<K, usize>,
    pub(crate) list: Vec<G>,
}

impl<K, G> Default for Groups<K, G> {
    fn default() -> Self {
        Groups { places: BTreeMap::new(), list: Vec::new() }
    }
}

impl<K: Ord, G> Groups<K, G> {
    /// The group of a key; created at the first occurrence.
    pub(crate) fn get(&mut self, key: K, new: impl FnOnce() -> G) -> &mut G {
        let place = *self.places.entry(key).or_insert_with(|| {
            self.list.push(new());
            self.list.len() - 1
        });
        &mut self.list[place]
    }
}
