//! The configuration as written.

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
        /// The folders and files whose hand-written texts are compared: those with `statespec:expect` or `statespec:reviewed`; the whole project if omitted.
        expect: Option<OneOrMany<Text>>,
        /// What `scan` leaves out or takes as given.
        scan: Option<Scan>,
        /// Pages and regions in Markdown.
        docs: Option<Docs>,
        /// The resolved graphs as JSON; none if omitted.
        json: Option<Json>,
        /// Rust as ordinary files; none if omitted. The derive needs no files.
        rust: Option<Rust>,
        /// Tests for your own implementations; none if omitted.
        conformance: Option<Conformance>,
        /// For repositories that document the spec language itself.
        language: Option<Language>,
        /// The level of each lint, by its name: `allow`, `warn` or `deny`.
        lints: Option<Entries<Text>>,
        /// Your own outputs.
        template: Option<Vec<Template>>,
    }

    /// Pages and regions in Markdown.
    pub struct Docs as "`[docs]`" {
        /// The folder of the pages; `docs/machines` if omitted.
        out: Option<Text>,
        /// Whether statespec writes an index, and a page for each machine and system that no document shows; `true` if omitted.
        pages: Option<Spanned<bool>>,
        /// The folders and files where documents can put pages and where pages can contain regions; `docs` and `README.md` if omitted.
        places: Option<OneOrMany<Text>>,
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

    /// The resolved graphs as JSON.
    pub struct Json as "`[json]`" {
        /// The folder of the files.
        out: Text,
    }

    /// Rust as ordinary files.
    pub struct Rust as "`[rust]`" {
        /// The folder of the modules, such as `src/machines`.
        out: Text,
        /// The file that declares the modules: `mod.rs` if omitted, or `lib.rs` for a separate crate.
        root: Option<Text>,
        /// Serialization with serde: `true`, or the feature of your crate that enables it; none if omitted.
        serde: Option<Text>,
        /// Whether machines have asynchronous hosts, too: `AsyncHost` and `run_async`; `false` if omitted.
        async_host: Option<Spanned<bool>>,
        /// The path of the crate `statespec`; `::statespec` if omitted.
        facade: Option<Text>,
        /// The Rust types of values, by their type in the spec (`int`, `decimal`, `duration`, `timestamp`, `reference`): `timestamp = "jiff::Timestamp"`.
        types: Option<Entries<Text>>,
        /// The Rust types of single fields: `"job.attempts" = "u32"`, or `"job.event.now"` for a field of payloads.
        fields: Option<Entries<Text>>,
    }

    /// Tests for your own implementations.
    pub struct Conformance as "`[conformance]`" {
        /// The folder of the files, such as `tests/conformance`.
        out: Text,
    }

    /// For repositories that document the spec language itself.
    pub struct Language as "`[language]`" {
        /// The folder of the JSON Schemas of spec files, for editors.
        schemas: Option<Text>,
        /// Whether pages may have regions about the language and the command line, such as `keys.machine` and `diagnostics`.
        regions: Option<Spanned<bool>>,
    }

    /// An output of a user-defined template.
    pub struct Template as "`[[template]]`" {
        /// The template, a file of the project.
        file: Text,
        /// The path of the output; it can contain `{{ name }}` and filters.
        out: Text,
        /// One output for each `machine` (if omitted), for each `system`, or for the whole `project`.
        per: Option<Text>,
        /// How values are escaped: `none` (if omitted), `html`, `json`, or `markdown` for cells of tables.
        escape: Option<Text>,
    }
}
