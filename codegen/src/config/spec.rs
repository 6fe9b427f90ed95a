//! The project's own keys of the configuration as written. Every backend has the keys of its section.

use statespec_lang::read::{Entries, OneOrMany, Text, spec_types};

spec_types! {
    /// `statespec.toml`: the paths and options of a project. Every key is optional.
    pub struct Config as "the configuration" {
        /// The folders and files that contain specs; `machines` if omitted.
        specs: Option<OneOrMany<Text>>,
        /// The command that headers and messages name; `cargo statespec gen` if omitted, or `statespec gen` without a `Cargo.toml`.
        command: Option<Text>,
        /// Folders that contain only generated files; any other file there is reported.
        owned: Option<OneOrMany<Text>>,
        /// The folders and files that are searched for `statespec:expect`, `statespec:begin` and `statespec:reviewed`; the whole project if omitted.
        expect: Option<OneOrMany<Text>>,
        /// What `scan` leaves out or takes as given.
        scan: Option<Scan>,
        /// The level of each lint, by its name: `allow`, `warn` or `deny`.
        lints: Option<Entries<Text>>,
    }

    /// What `scan` leaves out or takes as given. A source is named as reports name it: `docs/order.md#order`.
    pub struct Scan as "`[scan]`" {
        /// The files, folders and sources that are not meant: old versions, examples, copies.
        ignore: Option<OneOrMany<Text>>,
        /// The sources that leave something out on purpose: what they lack is no disagreement.
        excerpts: Option<OneOrMany<Text>>,
        /// Lists of sources of the same thing, where `scan` does not see it.
        same: Option<Vec<OneOrMany<Text>>>,
        /// Lists of sources of different things, where `scan` takes them for the same.
        different: Option<Vec<OneOrMany<Text>>>,
    }
}
