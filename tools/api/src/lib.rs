//! The tests of this crate hold the public API of the published crates against a snapshot.
