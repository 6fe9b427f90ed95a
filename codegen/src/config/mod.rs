//! `statespec.toml`: the places of specs, docs and code, and the selection of outputs.
//!
//! The conventional layout, [`Config::default`], needs no such file. The keys are
//! defined in `spec.rs`; their reader, their JSON Schema and their tables in the docs are generated from that list.

mod spec;
mod toml;

pub use spec::Config as Written;
pub use statespec_rust::root::FILE;

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::diagnostic::{Code, Diagnostic, Diagnostics, Levels, suggest};
use statespec_lang::read::{Entries, OneOrMany, Read as _, Text};
use statespec_lang::source::{SourceId, Sources, Span, Spanned};

use statespec_rust::lower::held::HELD;
use statespec_rust::output::Root;
use statespec_rust::root::{SPECS, is_ignored};
use statespec_rust::{Facade, Serde, Style};

/// The selection of outputs and their places. Paths are relative to the project's root, with forward slashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Folders and files with specs.
    pub specs: Vec<String>,
    /// The command in headers and messages, if it is not the default.
    pub command: Option<String>,
    /// Folders in which every file is generated.
    pub owned: Vec<String>,
    /// The kinds of outputs in the scope of a run. Other outputs are still known, so they are not taken for orphans.
    pub parts: BTreeSet<Part>,
    /// Folders and files with hand-written texts that are compared; `None` means the whole project.
    pub expect: Option<Vec<String>>,
    /// What `scan` leaves out or takes as given.
    pub scan: Scan,
    /// Pages and regions, if there are any.
    pub docs: Option<Docs>,
    /// The folder of the resolved graphs as JSON.
    pub json: Option<String>,
    /// The folder of the conformance tests.
    pub conformance: Option<String>,
    /// Rust as ordinary files.
    pub rust: Option<Rust>,
    /// The folder of the JSON Schemas of the spec language.
    pub schemas: Option<String>,
    /// Whether regions about the language itself are available.
    pub language_regions: bool,
    /// The level of each lint.
    pub levels: Levels,
    /// User-defined outputs.
    pub templates: Vec<Template>,
}

/// What `scan` leaves out or takes as given. Sources are named as in reports: `docs/order.md#order`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scan {
    /// The files, folders and sources that are not meant.
    pub ignore: Vec<String>,
    /// The sources that leave something out on purpose.
    pub excerpts: Vec<String>,
    /// Sources of the same thing.
    pub same: Vec<Vec<String>>,
    /// Sources of different things.
    pub different: Vec<Vec<String>>,
}

/// Pages and regions in Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Docs {
    /// The folder of the pages.
    pub out: String,
    /// Whether pages for subjects without a document, and an index, are generated.
    pub pages: bool,
    /// The places that are searched for documents' pages and for regions.
    pub places: Vec<String>,
}

/// Rust as ordinary files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rust {
    /// The folder of the modules.
    pub out: String,
    /// The file that declares them.
    pub root: Root,
    /// The style of the code.
    pub style: Style,
    /// The keys of `types` and `fields`, for messages.
    pub chosen: Vec<Spanned<String>>,
}

/// A user-defined output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// The template, a file of the project.
    pub file: Spanned<String>,
    /// The path of the output, itself a template.
    pub out: Spanned<String>,
    /// The subject of each output.
    pub per: Per,
    /// The escaping of values.
    pub escape: Escape,
}

/// The subject that a template is rendered for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Per {
    /// Each machine.
    Machine,
    /// Each system.
    System,
    /// The whole project, once.
    Project,
}

/// The escaping of values in a template's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escape {
    /// Not at all.
    None,
    /// For HTML and XML.
    Html,
    /// As JSON literals.
    Json,
    /// For cells of Markdown tables.
    Markdown,
}

/// A kind of output, for runs with a limited scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Pages and regions.
    Docs,
    /// Resolved graphs.
    Json,
    /// Rust modules.
    Rust,
    /// Tests for a user's own implementations.
    Conformance,
    /// JSON Schemas of the language.
    Schemas,
    /// User-defined outputs.
    Templates,
}

/// The role of a file in a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// In a place of outputs: generated, or a page with regions.
    Output,
    /// Outputs are generated from it: a spec, a template or the configuration.
    Input,
}

impl Part {
    /// Every kind, in the order of the docs.
    pub const ALL: [Part; 6] = [Part::Docs, Part::Json, Part::Rust, Part::Conformance, Part::Schemas, Part::Templates];
}

impl Default for Docs {
    fn default() -> Self {
        Docs { out: "docs/machines".into(), pages: true, places: vec!["docs".into(), "README.md".into()] }
    }
}

impl Default for Config {
    fn default() -> Self {
        Config {
            specs: vec![SPECS.into()],
            command: None,
            owned: Vec::new(),
            parts: Part::ALL.into(),
            expect: None,
            scan: Scan::default(),
            docs: Some(Docs::default()),
            json: None,
            conformance: None,
            rust: None,
            schemas: None,
            language_regions: false,
            levels: Levels::default(),
            templates: Vec::new(),
        }
    }
}

impl Config {
    /// The same configuration with the scope limited to some kinds of outputs.
    pub fn only(mut self, parts: &[Part]) -> Self {
        self.parts = parts.iter().copied().collect();
        let shared = self.shared();
        // A folder without outputs of this run is outside its scope.
        self.owned.retain(|owned| shared.iter().any(|it| is_within(owned, it) || is_within(it, owned)));
        self
    }

    /// Folders and files with both generated and hand-written files, for the kinds of outputs in the scope of the run.
    pub fn shared(&self) -> Vec<String> {
        let has = |part: Part| self.parts.contains(&part);
        let docs = self.docs.iter().filter(|_| has(Part::Docs)).flat_map(|it| std::iter::once(&it.out).chain(&it.places)).cloned();
        let json = self.json.iter().filter(|_| has(Part::Json));
        let conformance = self.conformance.iter().filter(|_| has(Part::Conformance));
        let rust = self.rust.iter().filter(|_| has(Part::Rust)).map(|it| &it.out);
        let schemas = self.schemas.iter().filter(|_| has(Part::Schemas));
        let folders = json.chain(conformance).chain(rust).chain(schemas).cloned();
        let templates = self.templates.iter().filter(|_| has(Part::Templates)).filter_map(|it| place(&it.out.value));
        let mut shared: Vec<String> = docs.chain(folders).chain(templates).collect();
        shared.sort();
        shared.dedup();
        shared
    }
}

impl Config {
    /// The role of the file at a path; `None` if a run does not read it. Ignored files have no role, such as those in `target`.
    pub fn role(&self, path: &str) -> Option<Role> {
        let templates = self.templates.iter().map(|it| it.file.value.as_str());
        let mut inputs = self.specs.iter().map(String::as_str).chain(templates).chain([FILE]);
        if inputs.any(|it| finds(it, path)) {
            return Some(Role::Input);
        }
        let shared = self.shared();
        self.owned.iter().chain(&shared).any(|it| finds(it, path)).then_some(Role::Output)
    }
}

/// Whether a search of a place finds a path: no folder between the two is ignored.
fn finds(place: &str, path: &str) -> bool {
    let mut inside = path.strip_prefix(place).unwrap_or_default().split('/').rev();
    is_within(path, place) && inside.next().is_some_and(|it| !is_ignored(it, false)) && !inside.any(|it| is_ignored(it, true))
}

/// Whether a path is a folder or inside it.
fn is_within(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The folder of a template's outputs, or the output itself if it is in the root.
fn place(out: &str) -> Option<String> {
    let fixed = &out[..out.find("{{").or(out.find("{%")).unwrap_or(out.len())];
    match fixed.rsplit_once('/') {
        Some((folder, _)) => Some(folder.to_owned()),
        None => (fixed.len() == out.len()).then(|| out.to_owned()),
    }
}

/// Reads a configuration. If it is invalid there is at least one diagnostic; all mistakes are reported at once.
///
/// ```
/// use statespec_codegen::config;
/// use statespec_codegen::diagnostic::Diagnostics;
/// use statespec_codegen::source::Sources;
///
/// let mut sources = Sources::default();
/// let file = sources.add(config::FILE, "spec = \"graphs\"\n");
/// let mut diagnostics = Diagnostics::default();
/// assert_eq!(config::read(&sources, file, &mut diagnostics), None);
/// assert_eq!(diagnostics.finish()[0].help.as_deref(), Some("did you mean `specs`?"));
/// ```
pub fn read(sources: &Sources, id: SourceId, diagnostics: &mut Diagnostics) -> Option<Config> {
    let node = toml::parse(sources, id, diagnostics)?;
    let written = Written::read(node, diagnostics)?;
    let mut lowering = Lowering { diagnostics, ok: true };
    let config = lowering.config(written);
    // A key that is not one was read as the one that was meant.
    let valid = lowering.ok && !diagnostics.has_errors_in(id);
    valid.then_some(config)
}

/// Lowers the written configuration.
/// The lists of `[scan]`.
fn scan(written: spec::Scan) -> Scan {
    let texts = |it: OneOrMany<Text>| it.0.into_iter().map(|it| it.value).collect::<Vec<String>>();
    let list = |it: Option<OneOrMany<Text>>| it.map_or_else(Vec::new, texts);
    let lists = |it: Option<Vec<OneOrMany<Text>>>| it.into_iter().flatten().map(texts).collect();
    Scan { ignore: list(written.ignore), excerpts: list(written.excerpts), same: lists(written.same), different: lists(written.different) }
}

struct Lowering<'a> {
    diagnostics: &'a mut Diagnostics,
    ok: bool,
}

impl Lowering<'_> {
    fn config(&mut self, written: Written) -> Config {
        let usual = Config::default();
        let docs = Docs::default();
        let owned = written.owned.clone();
        let config = Config {
            specs: self.paths(written.specs, usual.specs),
            command: written.command.map(|it| self.command(it)),
            owned: self.paths(written.owned, usual.owned),
            parts: usual.parts,
            expect: written.expect.map(|it| it.0.into_iter().map(|it| self.path(it)).collect()),
            scan: written.scan.map_or_else(Scan::default, scan),
            docs: Some(match written.docs {
                None => docs,
                Some(it) => Docs {
                    out: it.out.map_or(docs.out, |it| self.path(it)),
                    pages: it.pages.is_none_or(|it| it.value),
                    places: self.paths(it.places, docs.places),
                },
            }),
            json: written.json.map(|it| self.path(it.out)),
            conformance: written.conformance.map(|it| self.path(it.out)),
            rust: written.rust.map(|it| self.rust(it)),
            schemas: written.language.as_ref().and_then(|it| it.schemas.clone()).map(|it| self.path(it)),
            language_regions: written.language.and_then(|it| it.regions).is_some_and(|it| it.value),
            levels: self.levels(written.lints.unwrap_or_default()),
            templates: written.template.unwrap_or_default().into_iter().map(|it| self.template(it)).collect(),
        };
        owned.iter().flat_map(|it| &it.0).for_each(|it| self.owned(it, &config));
        config
    }

    /// In an owned folder every file that is not generated is an orphan, so no hand-written file may be there.
    fn owned(&mut self, owned: &Text, config: &Config) {
        let folder = owned.value.trim_end_matches('/');
        let holds = |path: &str| is_within(path, folder);
        let template = config.templates.iter().map(|it| it.file.value.as_str()).find(|it| holds(it));
        let (what, path) = match (config.specs.iter().find(|it| holds(it)), template) {
            _ if holds(FILE) => ("the configuration", FILE),
            (Some(specs), _) => ("specs", specs.as_str()),
            (None, Some(template)) => ("a template", template),
            (None, None) => return,
        };
        let what = if path == folder { what.to_owned() } else { format!("{what}, `{path}`") };
        let help = "name folders here that hold outputs and nothing else, such as `docs/machines`";
        self.error(owned.span, format!("`{folder}` holds {what}, so not everything in it is generated"), help);
    }

    fn error(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.ok = false;
        self.diagnostics.push(Diagnostic::new(Code::ConfigInvalid, span, message).help(help));
    }

    fn path(&mut self, path: Text) -> String {
        let tidy = path.value.trim_end_matches('/').to_owned();
        if let Some(objection) = crate::sync::objection(&tidy) {
            let help = "write it from the project's root on, with forward slashes";
            self.error(path.span, format!("`{}` is no path in the project: {objection}", path.value), help);
        }
        tidy
    }

    fn paths(&mut self, written: Option<OneOrMany<Text>>, usual: Vec<String>) -> Vec<String> {
        written.map_or(usual, |it| it.0.into_iter().map(|it| self.path(it)).collect())
    }

    /// Headers quote the command in backticks, in comments of every kind.
    fn command(&mut self, command: Text) -> String {
        let plain = |it: char| it.is_alphanumeric() || " ./_-+=:@".contains(it);
        if command.value.trim().is_empty()
            || command.value.contains("--") && command.value.contains('>')
            || !command.value.chars().all(plain)
        {
            self.error(command.span, "the command cannot stand in a comment", "write it with letters, digits, spaces and `./_-+=:@`");
        }
        command.value
    }

    fn rust(&mut self, rust: spec::Rust) -> Rust {
        let root = match rust.root {
            None => Root::Module,
            Some(it) => self.choice("root", &it, &[("mod.rs", Root::Module), ("lib.rs", Root::Crate)]),
        };
        let serde = match rust.serde.as_ref().map(|it| it.value.as_str()) {
            None | Some("false") => Serde::Off,
            Some("true") => Serde::On,
            Some(feature) => Serde::Feature(feature.to_owned()),
        };
        let facade = rust.facade.map_or_else(Facade::default, |it| {
            Facade::parse(&it.value).unwrap_or_else(|message| {
                self.error(it.span, message, "write it as in code, such as `::statespec`");
                Facade::default()
            })
        });
        let async_host = rust.async_host.is_some_and(|it| it.value);
        let (types, fields) = (rust.types.unwrap_or_default(), rust.fields.unwrap_or_default());
        for (name, _) in types.iter() {
            let known = || HELD.iter().copied().chain(["reference"]);
            if !known().any(|it| it == name.value) {
                let help = suggest(&name.value, known()).unwrap_or_else(|| format!("there are {}", known().collect::<Vec<_>>().join(", ")));
                self.error(name.span, format!("`{}` is no type of values that a type of yours holds", name.value), help);
            }
        }
        let chosen = types.iter().chain(fields.iter()).map(|(name, _)| name.clone()).collect();
        let style = Style { facade, serde, async_host, types: self.rust_types(types), fields: self.rust_types(fields) };
        Rust { out: self.path(rust.out), root, style, chosen }
    }

    fn rust_types(&mut self, types: Entries<Text>) -> BTreeMap<String, String> {
        for (_, ty) in types.iter() {
            if let Err(error) = syn::parse_str::<syn::Type>(&ty.value) {
                let help = "write it as in code, with its path: `jiff::Timestamp`";
                self.error(ty.span, format!("`{}` is no type of Rust: {error}", ty.value), help);
            }
        }
        types.iter().map(|(name, ty)| (name.value.clone(), ty.value.clone())).collect()
    }

    fn levels(&mut self, lints: Entries<Text>) -> Levels {
        let mut levels = Levels::default();
        for (lint, level) in lints.iter() {
            if let Err(error) = levels.set(&lint.value, &level.value) {
                let span = if error.is_level { level.span } else { lint.span };
                self.error(span, error.message, error.help.unwrap_or_default());
            }
        }
        levels
    }

    fn template(&mut self, template: spec::Template) -> Template {
        const PER: &[(&str, Per)] = &[("machine", Per::Machine), ("system", Per::System), ("project", Per::Project)];
        const ESCAPE: &[(&str, Escape)] =
            &[("none", Escape::None), ("html", Escape::Html), ("json", Escape::Json), ("markdown", Escape::Markdown)];
        let per = template.per.map_or(Per::Machine, |it| self.choice("per", &it, PER));
        let escape = template.escape.map_or(Escape::None, |it| self.choice("escape", &it, ESCAPE));
        let out = template.out;
        if place(&out.value).is_none() {
            let help = "begin the path with a folder, such as `web/{{ name }}.ts`";
            self.error(out.span, "outputs that are named after machines need a folder", help);
        } else if per != Per::Project && !out.value.contains("{{") {
            let help = "name the output after what it shows, such as `web/{{ name }}.ts`, or say `per = \"project\"`";
            self.error(out.span, "every machine would go into the same file", help);
        }
        let span = template.file.span;
        Template { file: Spanned::new(self.path(template.file), span), out, per, escape }
    }

    /// One of several words; the first replaces an unknown one.
    fn choice<T: Copy>(&mut self, key: &str, written: &Text, choices: &[(&str, T)]) -> T {
        if let Some((_, choice)) = choices.iter().find(|(word, _)| *word == written.value) {
            return *choice;
        }
        let help = suggest(&written.value, choices.iter().map(|(word, _)| *word)).unwrap_or_default();
        self.error(written.span, format!("`{key}` cannot be `{}`", written.value), help);
        choices[0].1
    }
}
