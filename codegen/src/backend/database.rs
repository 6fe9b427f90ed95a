//! Guards in databases: for each `[[database]]` a script of SQL, what it enforces as JSON, and a region for pages.

mod keys;
mod lease;
mod read;
mod resolve;
mod store;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use statespec_lang::diagnostic::{Code, Diagnostic, Diagnostics, suggest};
use statespec_lang::model::{Machine, Model, StateId};
use statespec_lang::output::{Blame, Outputs, Pending, Rendered};
use statespec_lang::read::{Entries, Text};
use statespec_lang::source::Span;
use statespec_lang::yaml::Node;
use statespec_sql::{Births, Deletes, Engine, Guard, Kind, Mapping, Membership, Style, Table, Unit, guard, membership};

use super::{Backend, Configured, Job, Reader, Section, json};
use lease::Lease;

/// The backend of guards in databases.
#[derive(Debug)]
pub struct Databases;

/// The tables of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The tables, in the order of the configuration.
    pub databases: Vec<Database>,
}

/// A table with its guard, as the configuration has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Database {
    /// The machine.
    pub machine: Text,
    /// The system and the part.
    part: Option<Text>,
    /// The engine.
    pub engine: Engine,
    /// The path of the script.
    pub out: Text,
    /// The path of the statements.
    pub statements: Option<Text>,
    /// The path of the report.
    pub report: Option<Text>,
    /// The environment variable with the address.
    pub url_env: Option<Text>,
    /// The role with which the program connects.
    pub role: Option<Text>,
    table: Table,
    key: Vec<Text>,
    unique: Vec<Vec<String>>,
    state: String,
    kind: Kind,
    values: Entries<Text>,
    version: Option<String>,
    columns: Entries<Text>,
    units: Vec<(Text, Unit)>,
    births: Births,
    deletes: Deletes,
    journal: bool,
    payload: Vec<Text>,
    timers: Entries<Text>,
    clock: Vec<Text>,
    lease: Option<Lease>,
    store: Option<store::Store>,
    migrations: Option<(String, Style)>,
}

/// A guard of a machine.
#[derive(Debug)]
pub struct Attached<'a> {
    /// The table as the configuration has it.
    pub database: &'a Database,
    /// The machine.
    pub machine: &'a Machine,
    /// The mapping.
    pub mapping: Mapping,
    /// The guard.
    pub guard: Guard,
}

impl Backend for Databases {
    fn name(&self) -> &'static str {
        "database"
    }

    fn about(&self) -> &'static str {
        "Guards in databases"
    }

    fn section(&self) -> Section {
        Section::array::<keys::Database>("database", "Tables that have the state of a machine, and their guards.")
    }

    fn read(&self, section: Node, reader: &mut Reader<'_>) -> Option<Arc<dyn Configured>> {
        let written: Vec<keys::Database> = reader.keys(section)?;
        let mut databases: Vec<Database> = Vec::new();
        for it in written {
            let it = read::database(it, reader);
            let variable = |it: &Database| it.url_env.as_ref().map(|it| it.value.clone());
            let same = |other: &&Database| {
                other.machine.value == it.machine.value && other.engine == it.engine && variable(other) == variable(&it)
            };
            if databases.iter().any(|other| same(&other)) {
                let message = format!("`{}` has a guard in this database already", it.machine.value);
                reader.error(it.machine.span, message, "name another database with `url_env`, or remove one of the two");
            }
            let part = it.part.as_ref().filter(|part| {
                databases.iter().any(|other| {
                    other.engine == it.engine
                        && variable(other) == variable(&it)
                        && other.part.as_ref().is_some_and(|it| it.value == part.value)
                })
            });
            if let Some(part) = part {
                reader.error(part.span, format!("`{}` has a table in this database already", part.value), "name another part");
            }
            if let Some(path) = paths(&it).find(|path| databases.iter().flat_map(paths).any(|other| other.value == path.value)) {
                reader.error(path.span, format!("two outputs have the path `{}`", path.value), "give each an output of its own");
            }
            databases.push(it);
        }
        Some(Arc::new(Settings { databases }))
    }
}

/// The outputs of a table.
fn paths(database: &Database) -> impl Iterator<Item = &Text> {
    let store = database.store.iter().map(|it| &it.out);
    [&database.out].into_iter().chain(&database.statements).chain(&database.report).chain(store)
}

impl Configured for Settings {
    fn places(&self) -> Vec<String> {
        self.databases.iter().flat_map(paths).map(|it| it.value.clone()).collect()
    }

    /// States that only the holder of a lease leaves.
    fn findings(&self, model: &Model) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        for database in &self.databases {
            let machine = model.machines.iter().find(|it| it.name == database.machine.value);
            let (Some(machine), Some(lease)) = (machine, &database.lease) else { continue };
            // What is wrong with the names is reported with the outputs.
            if let Some(lease) = lease.resolve(machine, &mut |_, _, _| {}) {
                findings.extend(lease.findings());
            }
        }
        // A machine can have a table in several databases.
        let mut once: Vec<Diagnostic> = Vec::new();
        findings.into_iter().for_each(|it| {
            if !once.contains(&it) {
                once.push(it);
            }
        });
        once
    }

    /// The guards are made at once: a machine may not fit into a trigger.
    fn outputs<'a>(&'a self, job: Job<'a>, diagnostics: &mut Diagnostics) -> Outputs<'a> {
        let mut outputs = Outputs::default();
        let mut tables = BTreeMap::<String, (Span, String)>::new();
        for attached in self.guards(job.model, diagnostics) {
            let (database, origin) = (attached.database, Some(attached.machine.span));
            let mut file = |path: &Text, text: String| {
                let render = move || Ok(Rendered::new(text.clone(), origin, Blame::default));
                outputs.files.push((path.value.clone(), Pending::new(origin, render)));
            };
            file(&database.out, text::script(&attached));
            if let Some(path) = &database.statements {
                file(path, text::statements(&attached));
            }
            if let Some(store) = &database.store {
                file(&store.out, store.rust(&attached));
            }
            if let Some(path) = &database.report {
                file(path, json::text(&text::report(&attached)));
            }
            let (_, text) = tables.entry(format!("{}.database", attached.machine.name)).or_insert((attached.machine.span, String::new()));
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&text::page(&attached));
        }
        for (name, (span, text)) in tables {
            let render = move || Some(Rendered::new(text.clone(), Some(span), Blame::default));
            outputs.regions.insert(name, Pending::new(Some(span), render));
        }
        outputs
    }
}

impl Settings {
    /// The guards of the project. What does not fit the model is reported in the configuration.
    pub fn guards<'a>(&'a self, model: &'a Model, diagnostics: &mut Diagnostics) -> Vec<Attached<'a>> {
        self.databases.iter().filter_map(|it| it.attach(self, model, diagnostics)).collect()
    }

    /// The values that the tables of a machine store for its states in columns of numbers.
    pub fn numbers(&self, machine: &Machine) -> Vec<BTreeMap<StateId, String>> {
        let tables = self.databases.iter().filter(|it| it.machine.value == machine.name && it.kind == Kind::Integer);
        tables.map(|it| it.stored(machine, &mut |_, _, _| {})).collect()
    }

    /// What the system of a table asks of it, in a revision of the specs; `mapping` has the mapping of each table to that revision.
    /// Nothing where the revision has no such part.
    pub fn membership(&self, of: &Database, model: &Model, mapping: &dyn Fn(&Database) -> Option<Mapping>) -> Option<Membership> {
        let (system, part) = resolve::system_of(of.part.as_ref()?, model)?;
        let is_beside =
            |it: &&Database| it.engine == of.engine && it.url_env.as_ref().map(|it| &it.value) == of.url_env.as_ref().map(|it| &it.value);
        let mut mappings = BTreeMap::new();
        for it in self.databases.iter().filter(is_beside) {
            let Some((other, part)) = it.part.as_ref().and_then(|it| resolve::system_of(it, model)) else { continue };
            if other.name == system.name && model.machines[system.part(part).machine].name == it.machine.value {
                mappings.extend(mapping(it).map(|it| (part, it)));
            }
        }
        Some(membership(model, system, part, &mappings))
    }
}

impl Database {
    /// The folder of migrations, and the tool that runs them.
    pub fn migrations(&self) -> Option<(&str, Style)> {
        self.migrations.as_ref().map(|(out, style)| (out.as_str(), *style))
    }

    fn attach<'a>(&'a self, settings: &Settings, model: &'a Model, diagnostics: &mut Diagnostics) -> Option<Attached<'a>> {
        let mut errors = Vec::new();
        let mut error = |span: Span, message: String, help: String| {
            errors.push(Diagnostic::new(Code::ConfigInvalid, span, message).help(help));
        };
        let name = &self.machine.value;
        let Some(machine) = model.machines.iter().find(|it| it.name == *name) else {
            match model.systems.iter().find(|it| it.name == *name) {
                Some(system) => {
                    let machines: BTreeSet<&str> = system.parts.iter().map(|it| model.machines[it.machine].name.as_str()).collect();
                    let machines: Vec<String> = machines.into_iter().map(|it| format!("`{it}`")).collect();
                    let message = format!("`{name}` is a system, and a table has the instances of one of its parts");
                    let help = format!("name one of its machines ({}), and say the part: `part = \"{name}.…\"`", machines.join(", "));
                    error(self.machine.span, message, help);
                }
                None => {
                    let help = suggest(name, model.machines.iter().map(|it| it.name.as_str())).unwrap_or_default();
                    error(self.machine.span, format!("there is no machine `{name}`"), help);
                }
            }
            errors.into_iter().for_each(|it| diagnostics.push(it));
            return None;
        };
        let mut mapping = self.mapping(model, machine, &mut error);
        self.check_part(model, &mut error);
        mapping.membership = settings.membership(self, model, &|it| {
            let machine = model.machines.iter().find(|other| other.name == it.machine.value)?;
            // What is wrong with another table is reported there.
            Some(it.mapping(model, machine, &mut |_, _, _| {}))
        });
        if let Some(lease) = &self.lease {
            lease.resolve(machine, &mut error);
        }
        if let Some(store) = &self.store {
            store.check(machine, &mapping, &mut error);
        }
        if errors.is_empty() {
            match guard(machine, &mapping) {
                Ok(guard) => return Some(Attached { database: self, machine, mapping, guard }),
                Err(objections) => {
                    let diagnostic =
                        |it: statespec_sql::Objection| Diagnostic::new(Code::ConfigInvalid, self.machine.span, it.message).help(it.help);
                    errors.extend(objections.into_iter().map(diagnostic));
                }
            }
        }
        errors.into_iter().for_each(|it| diagnostics.push(it));
        None
    }
}
