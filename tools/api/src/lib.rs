//! The tests of this crate compare the public API of the published crates with a snapshot.
