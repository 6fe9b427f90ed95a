//! The configuration as written.

use crate::read::{Entries, OneOrMany, Text, spec_types};
use crate::source::Spanned;

spec_types! {
    /// `statespec.toml`: where things lie. Every key may be left out.
    pub struct Config as "the configuration" {
        /// The folders and files that hold specs; `machines` when left out.
        specs: Option<OneOrMany<Text>>,
        /// The command that headers and messages name; `cargo statespec gen` when left out, `statespec gen` where there is no `Cargo.toml`.
        command: Option<Text>,
        /// Folders in which every file is generated, so that any other file there is reported.
        owned: Option<OneOrMany<Text>>,
        /// Pages and regions in Markdown.
        docs: Option<Docs>,
        /// The resolved graphs as JSON; none when left out.
        json: Option<Json>,
        /// Rust as ordinary files; none when left out, as the derive needs none.
        rust: Option<Rust>,
        /// Tests for implementations of your own; none when left out.
        conformance: Option<Conformance>,
        /// For repositories that document the spec language itself.
        language: Option<Language>,
        /// How bad each lint is, by its name: `allow`, `warn` or `deny`.
        lints: Option<Entries<Text>>,
        /// Outputs of your own.
        template: Option<Vec<Template>>,
    }

    /// Pages and regions in Markdown.
    pub struct Docs as "`[docs]`" {
        /// The folder of the pages; `docs/machines` when left out.
        out: Option<Text>,
        /// Whether every machine and system that no document shows gets a page, and all of them an index; `true` when left out.
        pages: Option<Spanned<bool>>,
        /// Where documents may put pages and regions are looked for: folders and files; `docs` and `README.md` when left out.
        places: Option<OneOrMany<Text>>,
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
        /// The file that declares the modules: `mod.rs` when left out, or `lib.rs` for a crate of their own.
        root: Option<Text>,
        /// Names written and read with serde: `true`, or the feature of your crate that switches it on; never when left out.
        serde: Option<Text>,
        /// The path of the crate `statespec`; `::statespec` when left out.
        facade: Option<Text>,
    }

    /// Tests for implementations of your own.
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

    /// An output of your own.
    pub struct Template as "`[[template]]`" {
        /// The template, a file of the project.
        file: Text,
        /// Where the output goes: a path that may itself hold `{{ name }}` and filters.
        out: Text,
        /// An output for each `machine` (when left out), for each `system`, or one for the whole `project`.
        per: Option<Text>,
        /// How values are escaped: `none` (when left out), `html`, `json`, or `markdown` for cells of tables.
        escape: Option<Text>,
    }
}
