//! `statespec.toml`: the places of specs and hand-written texts, and the sections of the backends.
//!
//! The conventional layout, [`Config::usual`], needs no such file. A project's own keys are
//! defined in `spec.rs`, those of a section by its backend; their reader, their JSON Schema and their tables in the docs are
//! generated from these lists.

mod spec;
mod toml;

pub use spec::Config as Written;
pub use spec::{Audit, Source};
pub use statespec_rust::root::FILE;

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use statespec_lang::diagnostic::{Diagnostics, Levels};
use statespec_lang::read::{Entries, Fields, Literal, OneOrMany, Text};
use statespec_lang::source::{SourceId, Sources};
use statespec_lang::yaml::{Node, NodeKind};
use statespec_rust::root::{SPECS, is_ignored};

use crate::backend::{Backend, Configured, Reader};

/// The file, in messages about its keys.
const WHAT: &str = "the configuration";

/// The paths, options and outputs of a project. Paths are relative to the project's root, with forward slashes.
#[derive(Debug, Clone)]
pub struct Config {
    /// Folders and files with specs.
    pub specs: Vec<String>,
    /// The command in headers and messages, if it is not the default.
    pub command: Option<String>,
    /// Folders in which every file is generated.
    pub owned: Vec<String>,
    /// Folders and files with hand-written texts that are compared; `None` means the whole project.
    pub expect: Option<Vec<String>>,
    /// What `scan` leaves out, and what a person confirmed of its sources.
    pub scan: Scan,
    /// The histories of machines.
    pub audits: Vec<Audit>,
    /// The level of each lint.
    pub levels: Levels,
    /// All backends that the project can have.
    pub backends: Vec<&'static dyn Backend>,
    /// The backends that the project has, by their names.
    pub settings: BTreeMap<&'static str, Arc<dyn Configured>>,
    /// The names of the backends in the scope of a run. Other outputs are still known, so they are not taken for orphans.
    pub scope: BTreeSet<&'static str>,
}

/// What `scan` leaves out, and what a person confirmed of its sources. Sources are named as in reports: `docs/order.md#order`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scan {
    /// The files, folders and sources that are not meant.
    pub ignore: Vec<String>,
    /// The sources that leave something out on purpose.
    pub excerpts: Vec<Text>,
    /// Sources of the same thing.
    pub same: Vec<Vec<Text>>,
    /// Sources of different things.
    pub different: Vec<Vec<Text>>,
    /// Differences that are meant.
    pub meant: Vec<Meant>,
    /// Sources that no reader knows.
    pub sources: Vec<Source>,
}

/// A difference that is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meant {
    /// The source that lacks something.
    pub source: Text,
    /// What it lacks.
    pub lacks: Lacks,
    /// The reason, for readers.
    pub reason: String,
}

/// What a source lacks on purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lacks {
    /// A state.
    State(Text),
    /// An edge: `paid -> closed`.
    Edge(Text),
    /// The start in a state.
    Start(Text),
    /// The number of a state: `paid = 2`.
    Number(Text),
}

/// The role of a file in a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// In a place of outputs: generated, or a page with regions.
    Output,
    /// Outputs are generated from it: a spec, a template or the configuration.
    Input,
}

impl Config {
    /// The conventional layout, for a project without a configuration.
    pub fn usual(backends: &[&'static dyn Backend]) -> Config {
        Config {
            specs: vec![SPECS.into()],
            command: None,
            owned: Vec::new(),
            expect: None,
            scan: Scan::default(),
            audits: Vec::new(),
            levels: Levels::default(),
            backends: backends.to_vec(),
            settings: backends.iter().filter_map(|it| Some((it.name(), it.usual()?))).collect(),
            scope: backends.iter().map(|it| it.name()).collect(),
        }
    }

    /// The same configuration with the scope limited to some backends.
    pub fn only(mut self, backends: &[&dyn Backend]) -> Self {
        self.scope = backends.iter().map(|it| it.name()).collect();
        let shared = self.shared();
        // A folder without outputs of this run is outside its scope.
        self.owned.retain(|owned| shared.iter().any(|it| is_within(owned, it) || is_within(it, owned)));
        self
    }

    /// Whether the run is limited to some backends.
    pub fn is_limited(&self) -> bool {
        self.scope.len() < self.backends.len()
    }

    /// The settings of one type, if the project has them.
    pub fn get<T: Configured>(&self) -> Option<&T> {
        self.settings.values().find_map(|it| (it.as_ref() as &dyn Any).downcast_ref())
    }

    /// The backends that the project has, in their order, with their settings.
    pub fn configured(&self) -> impl Iterator<Item = (&'static dyn Backend, &dyn Configured)> {
        self.backends.iter().filter_map(|it| Some((*it, self.settings.get(it.name())?.as_ref())))
    }

    /// Those in the scope of the run.
    pub fn in_scope(&self) -> impl Iterator<Item = (&'static dyn Backend, &dyn Configured)> {
        self.configured().filter(|(it, _)| self.scope.contains(it.name()))
    }

    /// Whether the regions in hand-written pages are in the scope of the run.
    pub fn has_pages(&self) -> bool {
        self.in_scope().any(|(_, it)| it.pages().is_some())
    }

    /// The templates of all backends: files of the project.
    pub fn templates(&self) -> impl Iterator<Item = &Text> {
        self.configured().flat_map(|(_, it)| it.templates())
    }

    /// Folders and files with both generated and hand-written files, of the backends in the scope of the run.
    pub fn shared(&self) -> Vec<String> {
        let mut shared: Vec<String> = self.in_scope().flat_map(|(_, it)| it.places()).collect();
        shared.sort();
        shared.dedup();
        shared
    }

    /// The role of the file at a path; `None` if a run does not read it. Ignored files have no role, such as those in `target`.
    pub fn role(&self, path: &str) -> Option<Role> {
        let templates = self.templates().map(|it| it.value.as_str());
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

/// Reads a configuration. If it is invalid there is at least one diagnostic; all mistakes are reported at once.
///
/// ```
/// use statespec_codegen::config;
/// use statespec_codegen::diagnostic::Diagnostics;
/// use statespec_codegen::registry::BACKENDS;
/// use statespec_codegen::source::Sources;
///
/// let mut sources = Sources::default();
/// let file = sources.add(config::FILE, "spec = \"graphs\"\n");
/// let mut diagnostics = Diagnostics::default();
/// assert!(config::read(&sources, file, BACKENDS, &mut diagnostics).is_none());
/// assert_eq!(diagnostics.finish()[0].help.as_deref(), Some("did you mean `specs`?"));
/// ```
pub fn read(sources: &Sources, id: SourceId, backends: &[&'static dyn Backend], diagnostics: &mut Diagnostics) -> Option<Config> {
    let Node { kind, span } = toml::parse(sources, id, diagnostics)?;
    let mut fields = Fields::open(Node { kind, span }, WHAT, &keys(backends), diagnostics)?;
    let mut take = |key: &str| fields.take::<Option<Literal>>(key, WHAT, diagnostics).flatten().map(|it| it.0);
    let own = Written::KEYS.iter().filter_map(|key| Some((Node { kind: word(key), span }, take(key)?))).collect();
    let sections: Vec<_> = backends.iter().map(|it| (*it, take(it.section().key))).collect();

    let mut reader = Reader::new(diagnostics);
    let written = reader.keys::<Written>(Node { kind: NodeKind::Map(own), span });
    let mut settings = BTreeMap::new();
    let mut is_valid = true;
    for (backend, section) in sections {
        let configured = match section {
            None => backend.usual(),
            Some(section) => {
                let read = backend.read(section, &mut reader);
                is_valid &= read.is_some();
                read
            }
        };
        settings.extend(configured.map(|it| (backend.name(), it)));
    }
    // After this point all keys are valid.
    let config = config(written.filter(|_| is_valid)?, settings, backends, &mut reader);
    reader.finish();
    // A key that is not one was read as the one that was meant.
    (!diagnostics.has_errors_in(id)).then_some(config)
}

/// The keys of a configuration, in the order of the docs: the project's own ones, the tables of the backends, the lints, and
/// the arrays of tables.
pub fn keys(backends: &[&'static dyn Backend]) -> Vec<&'static str> {
    let sections = |is_array| backends.iter().map(|it| it.section()).filter(move |it| it.is_array == is_array).map(|it| it.key);
    // The keys behind the tables of the backends.
    let (last, own): (Vec<&str>, Vec<&str>) = Written::KEYS.iter().partition(|it| ["lints", "source", "audit"].contains(it));
    let (lints, arrays): (Vec<&str>, Vec<&str>) = last.into_iter().partition(|it| *it == "lints");
    own.into_iter().chain(sections(false)).chain(lints).chain(sections(true)).chain(arrays).collect()
}

fn word(text: &str) -> NodeKind {
    NodeKind::Scalar { text: text.to_owned(), plain: true }
}

/// The configuration with the project's own keys and the settings of its backends.
fn config(
    written: Written,
    settings: BTreeMap<&'static str, Arc<dyn Configured>>,
    backends: &[&'static dyn Backend],
    reader: &mut Reader<'_>,
) -> Config {
    let usual = Config::usual(backends);
    let owned = written.owned.clone();
    let config = Config {
        specs: reader.paths(written.specs, usual.specs),
        command: written.command.map(|it| command(it, reader)),
        owned: reader.paths(written.owned, usual.owned),
        expect: written.expect.map(|it| reader.paths(Some(it), Vec::new())),
        scan: scan(written.scan, written.source, reader),
        audits: audits(written.audit.unwrap_or_default(), reader),
        levels: levels(written.lints.unwrap_or_default(), reader),
        settings,
        ..usual
    };
    owned.iter().flat_map(|it| &it.0).for_each(|it| check_owned(it, &config, reader));
    config
}

/// The histories, whose files are in the project.
fn audits(written: Vec<Audit>, reader: &mut Reader<'_>) -> Vec<Audit> {
    written.iter().flat_map(|it| &it.files.0).for_each(|it| _ = reader.path(it.clone()));
    written
}

/// What is told of sources.
fn scan(written: Option<spec::Scan>, sources: Option<Vec<Source>>, reader: &mut Reader<'_>) -> Scan {
    let sources = sources.unwrap_or_default();
    for it in &sources {
        if it.kind.is_some() == it.pattern.is_some() {
            reader.error(it.span, "a source has either a `kind` or a `pattern`", "write one of the two");
        }
        let words = [&it.any, &it.stay, &it.end, &it.none].into_iter().flatten().filter_map(|it| it.0.first().map(|it| it.span));
        let of_tables = it.columns.as_ref().map(|it| it.span).into_iter().chain(it.table.as_ref().map(|it| it.span)).chain(words).next();
        if let Some(span) = of_tables.filter(|_| it.kind.as_ref().is_none_or(|it| it.value != "table")) {
            reader.error(span, "`table`, `columns`, `any`, `stay`, `end` and `none` are of a table", "write `kind = \"table\"`");
        }
        let parts = [it.heading.as_ref().map(|it| it.span), it.symbol.as_ref().map(|it| it.span)];
        let between = it.between.as_ref().and_then(|it| it.0.first()).map(|it| it.span);
        if let [_, second, ..] = parts.into_iter().flatten().chain(between).collect::<Vec<_>>()[..] {
            reader.error(second, "a source has one of `heading`, `symbol` and `between`", "remove the others");
        }
        if let Some(OneOrMany(texts)) = it.between.as_ref().filter(|it| it.0.len() != 2) {
            let span = texts.first().map_or(it.span, |it| it.span);
            reader.error(span, "`between` has two texts", "write the text before the part and the text behind it");
        }
        reader.path(it.file.clone());
    }
    let Some(written) = written else { return Scan { sources, ..Scan::default() } };
    let list = |it: Option<OneOrMany<Text>>| it.map_or_else(Vec::new, |it| it.0);
    let lists = |it: Option<Vec<OneOrMany<Text>>>| it.into_iter().flatten().map(|it| it.0).collect();
    let meant = written.meant.into_iter().flatten().filter_map(|it| {
        let lacks = [it.state.map(Lacks::State), it.edge.map(Lacks::Edge), it.start.map(Lacks::Start), it.number.map(Lacks::Number)];
        let mut lacks = lacks.into_iter().flatten();
        match (lacks.next(), lacks.next()) {
            (Some(lacks), None) => Some(Meant { source: it.source, lacks, reason: it.reason.value }),
            _ => {
                reader.error(
                    it.span,
                    "a difference is one `state`, one `edge`, one `start` or one `number`",
                    "write a table for each difference",
                );
                None
            }
        }
    });
    let meant = meant.collect();
    Scan {
        ignore: list(written.ignore).into_iter().map(|it| it.value).collect(),
        excerpts: list(written.excerpts),
        same: lists(written.same),
        different: lists(written.different),
        meant,
        sources,
    }
}

/// In an owned folder every file that is not generated is an orphan, so no hand-written file may be there.
fn check_owned(owned: &Text, config: &Config, reader: &mut Reader<'_>) {
    let folder = owned.value.trim_end_matches('/');
    let holds = |path: &str| is_within(path, folder);
    let template = config.templates().map(|it| it.value.as_str()).find(|it| holds(it));
    let (what, path) = match (config.specs.iter().find(|it| holds(it)), template) {
        _ if holds(FILE) => ("the configuration", FILE),
        (Some(specs), _) => ("specs", specs.as_str()),
        (None, Some(template)) => ("a template", template),
        (None, None) => return,
    };
    let what = if path == folder { what.to_owned() } else { format!("{what}, `{path}`") };
    let help = "name folders here that hold outputs and nothing else, such as `docs/machines`";
    reader.error(owned.span, format!("`{folder}` holds {what}, so not everything in it is generated"), help);
}

/// Headers quote the command in backticks, in comments of every kind.
fn command(command: Text, reader: &mut Reader<'_>) -> String {
    let plain = |it: char| it.is_alphanumeric() || " ./_-+=:@".contains(it);
    if command.value.trim().is_empty() || command.value.contains("--") && command.value.contains('>') || !command.value.chars().all(plain) {
        reader.error(command.span, "the command cannot stand in a comment", "write it with letters, digits, spaces and `./_-+=:@`");
    }
    command.value
}

fn levels(lints: Entries<Text>, reader: &mut Reader<'_>) -> Levels {
    let mut levels = Levels::default();
    for (lint, level) in lints.iter() {
        if let Err(error) = levels.set(&lint.value, &level.value) {
            let span = if error.is_level { level.span } else { lint.span };
            reader.error(span, error.message, error.help.unwrap_or_default());
        }
    }
    levels
}
