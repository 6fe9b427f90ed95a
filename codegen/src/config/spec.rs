//! The project's own keys of the configuration as written. Every backend has the keys of its section.

use statespec_lang::read::{Entries, OneOrMany, Text, spec_types};
use statespec_lang::source::Spanned;

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
        /// What `scan` leaves out, and what a person confirmed of its sources: `check` compares those that are one.
        scan: Option<Scan>,
        /// The level of each lint, by its name: `allow`, `warn` or `deny`.
        lints: Option<Entries<Text>>,
        /// Sources that no reader knows: a part of a file, and how it is read.
        source: Option<Vec<Source>>,
        /// Histories of machines, which `audit` compares with the graph.
        audit: Option<Vec<Audit>>,
    }

    /// Histories of one machine, and how they are read.
    pub struct Audit as "`[[audit]]`" {
        /// The machine.
        machine: Text,
        /// The files.
        files: OneOrMany<Text>,
        /// The format: `jsonl`, `csv`, `django-fsm-log`, `statesman`, `paper-trail`, `xes` or `ocel`; that of the name of the file if omitted.
        from: Option<Text>,
        /// The columns: `entity=order_id,from=old_state,to=new_state,at=created_at`; those that the format has usually if omitted.
        columns: Option<Text>,
        /// The records that count: those in which each of these columns has this value.
        only: Option<Entries<Text>>,
        /// The stored values of states that are stored neither by name nor by `wire`: `{ queued = "pending" }`.
        values: Option<Entries<Text>>,
        /// The unit of times that are whole numbers: `s`, `ms` or `us`.
        unit: Option<Text>,
        /// Whether histories may begin in any state, as their first records were deleted; `false` if omitted.
        cut: Option<Spanned<bool>>,
    }

    /// What `scan` leaves out, and what a person confirmed of its sources. A source is named as reports name it:
    /// `docs/order.md#order`.
    pub struct Scan as "`[scan]`" {
        /// The files, folders and sources that are not meant: old versions, examples, copies.
        ignore: Option<OneOrMany<Text>>,
        /// The sources that leave something out on purpose: what they lack is no difference.
        excerpts: Option<OneOrMany<Text>>,
        /// Lists of sources of the same thing: `check` compares them.
        same: Option<Vec<OneOrMany<Text>>>,
        /// Lists of sources of different things, which `scan` does not propose as one.
        different: Option<Vec<OneOrMany<Text>>>,
        /// Differences that are meant.
        meant: Option<Vec<Meant>>,
    }

    /// A difference that is meant: a source lacks a state, an edge or a start, or has another number, on purpose.
    pub struct Meant as "`[[scan.meant]]`" {
        /// The source that lacks it.
        source: Text,
        /// The state that it lacks.
        state: Option<Text>,
        /// The edge that it lacks: `paid -> closed`.
        edge: Option<Text>,
        /// The start that it lacks, by its state.
        start: Option<Text>,
        /// The number that it states in another way: `paid = 2`.
        number: Option<Text>,
        /// The reason, for readers.
        reason: Text,
    }

    /// A source that no reader knows: a part of a file, and how it is read.
    pub struct Source as "`[[source]]`" {
        /// The file.
        file: Text,
        /// The name of the machine; that of the heading, of the symbol or of the file if omitted.
        name: Option<Text>,
        /// The part below this heading of a page.
        heading: Option<Text>,
        /// The part in the brackets behind this word, or in the lines below it that are indented deeper.
        symbol: Option<Text>,
        /// The part between these two texts.
        between: Option<OneOrMany<Text>>,
        /// How the part is read: `list`, `headings`, `pairs`, `dot`, `mermaid-flowchart` or `table`.
        kind: Option<Text>,
        /// The columns of the table, by number or heading: `from=1,event=2,to="Goes to"`; by the rules of tables if omitted.
        columns: Option<Text>,
        /// The table of the part, counted from 1; it can be omitted for the only one.
        table: Option<Spanned<i32>>,
        /// Texts of the table that stand for every state.
        any: Option<OneOrMany<Text>>,
        /// Texts of the table that say that the state stays.
        stay: Option<OneOrMany<Text>>,
        /// Texts of the table that say that the state is an end.
        end: Option<OneOrMany<Text>>,
        /// Texts of the table that stand for nothing: no source, target or condition.
        none: Option<OneOrMany<Text>>,
        /// A regular expression with the captures `state` and `number`, or `from`, `to` and `event`.
        pattern: Option<Text>,
    }
}
