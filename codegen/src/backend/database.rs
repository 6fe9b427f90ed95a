//! Guards in databases: for each `[[database]]` a script of SQL, what it enforces as JSON, and a region for pages.

mod lease;
mod store;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::json;
use statespec_lang::diagnostic::{Code, Diagnostic, Diagnostics, suggest};
use statespec_lang::model::{EventId, FieldId, Machine, Model, PartId, PayloadId, StateId, System, Type};
use statespec_lang::output::{Blame, Outputs, Pending, Rendered};
use statespec_lang::read::{Entries, Text};
use statespec_lang::source::Span;
use statespec_lang::yaml::Node;
use statespec_sql::{Births, Column, Deletes, Engine, Guard, Kind, Mapping, Membership, Part, Style, Table, Unit, guard, membership};

use super::markdown::escape::{Place, plain};
use super::{Backend, Configured, Job, Reader, Section, json};
use lease::Lease;

mod keys {
    use statespec_lang::read::{Entries, OneOrMany, Text, spec_types};
    use statespec_lang::source::Spanned;

    spec_types! {
        /// A table that has the state of a machine, and the guard that holds it to the graph.
        pub struct Database as "`[[database]]`" {
            /// The machine.
            machine: Text,
            /// The part of a system whose instances the table has, such as `shop.parcel`: with the tables of the other parts, rows have owners and invariants are enforced.
            part: Option<Text>,
            /// The engine: `sqlite` or `postgresql`.
            engine: Text,
            /// The script of the guard, such as `db/run_job.sql`.
            out: Text,
            /// A file of statements that a program may use, such as `db/run_job.statements.sql`; none if omitted.
            statements: Option<Text>,
            /// A file, in JSON, of what the guard enforces and what not; none if omitted.
            report: Option<Text>,
            /// The environment variable with the address of the database, for `statespec db`.
            url_env: Option<Text>,
            /// The role of PostgreSQL with which the program connects: `statespec db check` reports what lets it past the guard.
            role: Option<Text>,
            /// The table, which exists already: `jobs`, or with its schema `public.jobs`.
            table: Text,
            /// The column of the key, or several.
            key: OneOrMany<Text>,
            /// Further unique keys, over which SQLite may replace a row: `[["dedupe"], ["tenant", "number"]]`.
            unique: Option<Vec<OneOrMany<Text>>>,
            /// The column of the state.
            state: Text,
            /// Its kind: `text` (if omitted), `enum` or `integer`.
            kind: Option<Text>,
            /// The stored values of states that are stored neither by name nor by `wire`: `{ queued = "pending" }`.
            values: Option<Entries<Text>>,
            /// The column of a version that grows with each write.
            version: Option<Text>,
            /// The columns of fields of the context, `{ lease_expires_at = "locked_until" }`: guards that read only these are enforced.
            columns: Option<Entries<Text>>,
            /// The units of times that are stored as whole numbers, by field: `s`, `ms` or `us`.
            units: Option<Entries<Text>>,
            /// The states in which a row may be inserted: `initial` (if omitted), or `any` for imports.
            births: Option<Text>,
            /// The states in which a row may be deleted: `any` (if omitted), `terminal` or `never`.
            deletes: Option<Text>,
            /// Whether each change is recorded in a journal; `false` if omitted.
            journal: Option<Spanned<bool>>,
            /// The fields of payloads that the journal records, such as `claim.until`; none if omitted.
            payload: Option<OneOrMany<Text>>,
            /// The columns that say when timers are due, by timer: `{ payment_deadline = "due_at" }`.
            timers: Option<Entries<Text>>,
            /// The fields of payloads that are the time of the database, such as `reclaim.now`.
            clock: Option<OneOrMany<Text>>,
            /// The lease under which a holder has a row: `{ expires = "lease_expires_at", claim = "claim", reclaim = "reclaim" }`.
            lease: Option<Lease>,
            /// The table for `statespec-store`, as Rust: `{ out = "src/jobs/table.rs", rest = "context" }`; the script has what the store needs besides.
            store: Option<Store>,
            /// The folder of migrations, to which `statespec db migrate` adds: `{ out = "migrations", style = "sqlx" }`.
            migrations: Option<Migrations>,
        }

        /// The table for `statespec-store`, as Rust.
        pub struct Store as "`store`" {
            /// The file, such as `src/jobs/table.rs`.
            out: Text,
            /// The kind of the column of the key, or of each: `integer` (if omitted), `text` or `uuid`.
            key: Option<OneOrMany<Text>>,
            /// The column of all fields that `columns` does not name, as JSON; none if omitted.
            rest: Option<Text>,
            /// The column of running timers, as JSON; a machine with timers has one.
            timers: Option<Text>,
            /// The column of the moment at which the next timer is due; a machine with timers has one.
            next_due: Option<Text>,
        }

        /// The folder of migrations, to which `statespec db migrate` adds.
        pub struct Migrations as "`migrations`" {
            /// The folder.
            out: Text,
            /// The tool that runs them: `plain` (if omitted), `sqlx`, `refinery`, `diesel`, `flyway`, `golang-migrate` or `alembic`.
            style: Option<Text>,
        }

        /// The lease under which a holder has a row.
        pub struct Lease as "`lease`" {
            /// The field of the context that says when a lease ends.
            expires: Text,
            /// The events with which a holder takes a row that nobody has.
            claim: OneOrMany<Text>,
            /// The events with which a holder prolongs its lease.
            renew: Option<OneOrMany<Text>>,
            /// The events with which another one takes a row over.
            reclaim: OneOrMany<Text>,
        }
    }
}

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
            let it = database(it, reader);
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

fn database(written: keys::Database, reader: &mut Reader<'_>) -> Database {
    let engine = reader.choice("engine", &written.engine, &Engine::ALL.map(|it| (it.key(), it)));
    let mut path = |it: Text, ending: &str| {
        if !it.value.ends_with(ending) {
            reader.error(it.span, format!("`{}` does not end in `{ending}`", it.value), "name a file of this kind");
        }
        let span = it.span;
        Text::new(reader.path(it), span)
    };
    let out = path(written.out, ".sql");
    let statements = written.statements.map(|it| path(it, ".sql"));
    let report = written.report.map(|it| path(it, ".json"));
    let store_out = written.store.as_ref().map(|it| path(it.out.clone(), ".rs"));
    if written.url_env.as_ref().is_some_and(|it| !is_variable(&it.value)) {
        // It may be an address with a password: neither the message nor the line that it shows repeats it.
        reader.error(
            written.machine.span,
            "`url_env` is no name of an environment variable",
            "write the name of a variable, such as `DATABASE_URL`",
        );
    }
    let kinds = [("text", Kind::Text), ("enum", Kind::Enum), ("integer", Kind::Integer)];
    let kind = written.kind.as_ref().map_or(Kind::Text, |it| reader.choice("kind", it, &kinds));
    if let (Kind::Enum, Engine::Sqlite, Some(written)) = (kind, engine, &written.kind) {
        reader.error(written.span, "SQLite has no enums", "write `text` or `integer`");
    }
    if let (Some(role), Engine::Sqlite) = (&written.role, engine) {
        reader.error(role.span, "SQLite has no roles", "remove `role`: it is for PostgreSQL");
    }
    let unique = written.unique.unwrap_or_default();
    if let (Engine::Postgres, Some(first)) = (engine, unique.iter().find_map(|it| it.0.first())) {
        reader.error(first.span, "PostgreSQL replaces no row over a unique key", "remove `unique`: it is for SQLite");
    }
    let units = [("s", Unit::Seconds), ("ms", Unit::Millis), ("us", Unit::Micros)];
    let units = written.units.unwrap_or_default().0.into_iter().map(|(field, unit)| (field, reader.choice("units", &unit, &units)));
    let units = units.collect();
    let births = [("initial", Births::Initial), ("any", Births::Any)];
    let deletes = [("any", Deletes::Any), ("terminal", Deletes::Terminal), ("never", Deletes::Never)];
    let migrations = written.migrations.map(|it| {
        let style = it.style.as_ref().map_or(Style::Plain, |it| reader.choice("style", it, &Style::ALL));
        (reader.path(it.out), style)
    });
    if let (Some(first), false) =
        (written.payload.as_ref().and_then(|it| it.0.first()), written.journal.as_ref().is_some_and(|it| it.value))
    {
        reader.error(first.span, "only a journal records a payload", "write `journal = true`, or remove `payload`");
    }
    let store = written.store.zip(store_out).map(|(it, out)| store::Store {
        out,
        key: store::kinds(it.key.unwrap_or_default().0, reader),
        rest: it.rest,
        timers: it.timers,
        next_due: it.next_due,
    });
    let key = written.key.0;
    if key.is_empty() {
        reader.error(written.machine.span, "a table has at least one column of its key", "write `key = \"id\"`");
    }
    Database {
        table: table(&written.table, engine, reader),
        births: written.births.as_ref().map_or(Births::Initial, |it| reader.choice("births", it, &births)),
        deletes: written.deletes.as_ref().map_or(Deletes::Any, |it| reader.choice("deletes", it, &deletes)),
        machine: written.machine,
        part: written.part,
        engine,
        out,
        statements,
        report,
        url_env: written.url_env,
        role: written.role,
        key,
        unique: unique.into_iter().map(|it| it.0.into_iter().map(|it| it.value).collect()).collect(),
        state: written.state.value,
        kind,
        values: written.values.unwrap_or_default(),
        version: written.version.map(|it| it.value),
        columns: written.columns.unwrap_or_default(),
        units,
        journal: written.journal.is_some_and(|it| it.value),
        payload: written.payload.unwrap_or_default().0,
        timers: written.timers.unwrap_or_default(),
        clock: written.clock.unwrap_or_default().0,
        lease: written.lease.map(|it| Lease {
            expires: it.expires,
            claim: it.claim.0,
            renew: it.renew.unwrap_or_default().0,
            reclaim: it.reclaim.0,
        }),
        store,
        migrations,
    }
}

/// Whether a text is the name of an environment variable.
fn is_variable(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_') && text.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
}

fn table(written: &Text, engine: Engine, reader: &mut Reader<'_>) -> Table {
    let parts: Vec<&str> = written.value.split('.').collect();
    let (schema, name) = match (&parts[..], engine) {
        ([name], _) => (None, *name),
        ([schema, name], Engine::Postgres) => (Some((*schema).to_owned()), *name),
        _ => {
            let help = match engine {
                Engine::Postgres => "write `jobs`, or the schema and the table: `public.jobs`",
                Engine::Sqlite => "write the name of the table alone: `jobs`",
            };
            reader.error(written.span, format!("`{}` is no table of {}", written.value, engine.name()), help);
            (None, written.value.as_str())
        }
    };
    Table { schema, name: name.to_owned() }
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
            file(&database.out, script(&attached));
            if let Some(path) = &database.statements {
                file(path, statements(&attached));
            }
            if let Some(store) = &database.store {
                file(&store.out, store.rust(&attached));
            }
            if let Some(path) = &database.report {
                file(path, json::text(&report(&attached)));
            }
            let (_, text) = tables.entry(format!("{}.database", attached.machine.name)).or_insert((attached.machine.span, String::new()));
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&page(&attached));
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
        let (system, part) = system_of(of.part.as_ref()?, model)?;
        let is_beside =
            |it: &&Database| it.engine == of.engine && it.url_env.as_ref().map(|it| &it.value) == of.url_env.as_ref().map(|it| &it.value);
        let mut mappings = BTreeMap::new();
        for it in self.databases.iter().filter(is_beside) {
            let Some((other, part)) = it.part.as_ref().and_then(|it| system_of(it, model)) else { continue };
            if other.name == system.name && model.machines[system.part(part).machine].name == it.machine.value {
                mappings.extend(mapping(it).map(|it| (part, it)));
            }
        }
        Some(membership(model, system, part, &mappings))
    }
}

/// The system and the part of `shop.parcel`.
fn system_of<'m>(written: &Text, model: &'m Model) -> Option<(&'m System, PartId)> {
    let (system, part) = written.value.split_once('.')?;
    let system = model.systems.iter().find(|it| it.name == system)?;
    Some((system, system.part_id(part)?))
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

    fn mapping(&self, model: &Model, machine: &Machine, error: &mut dyn FnMut(Span, String, String)) -> Mapping {
        let fields = || machine.fields.iter().map(|it| it.name.as_str());
        let field = |name: &Text, error: &mut dyn FnMut(Span, String, String)| {
            let found = machine.fields.iter().position(|it| it.name == name.value).map(FieldId::new);
            if found.is_none() {
                let message = format!("the context of `{}` has no field `{}`", machine.name, name.value);
                error(name.span, message, suggest(&name.value, fields()).unwrap_or_default());
            }
            found
        };
        let mut columns = BTreeMap::new();
        for (name, column) in self.columns.iter() {
            if let Some(id) = field(name, error) {
                columns.insert(id, Column { name: column.value.clone(), unit: None });
            }
        }
        for (name, unit) in &self.units {
            let Some(id) = field(name, error) else { continue };
            match columns.get_mut(&id) {
                _ if !matches!(machine.fields[id.index()].ty, Type::Timestamp | Type::Duration) => {
                    error(name.span, format!("`{}` is no time", name.value), "remove it from `units`".to_owned());
                }
                Some(column) => column.unit = Some(*unit),
                None => {
                    error(name.span, format!("`{}` has no column", name.value), format!("write `columns = {{ {} = \"…\" }}`", name.value))
                }
            }
        }
        Mapping {
            engine: self.engine,
            table: self.table.clone(),
            key: self.key.iter().map(|it| it.value.clone()).collect(),
            unique: self.unique.clone(),
            state: self.state.clone(),
            kind: self.kind,
            values: self.stored(machine, error),
            version: self.version.clone(),
            columns,
            births: self.births,
            deletes: self.deletes,
            journal: self.journal,
            payload: self.payload.iter().filter_map(|it| recorded(it, machine, error)).collect(),
            timers: self.due(machine, error),
            store: self.store.is_some(),
            clock: self.clock.iter().filter_map(|it| clock(it, machine, error)).collect(),
            parts: Part::of(model, machine, self.part.as_ref().and_then(|it| system_of(it, model)).map(|it| it.0.name.as_str())),
            membership: None,
        }
    }

    /// The columns that say when timers are due.
    fn due(&self, machine: &Machine, error: &mut dyn FnMut(Span, String, String)) -> BTreeMap<EventId, String> {
        let mut due = BTreeMap::new();
        for (name, column) in self.timers.iter() {
            match machine.event_named(&name.value).filter(|it| machine.timer(*it).is_some()) {
                Some(event) => _ = due.insert(event, column.value.clone()),
                None => {
                    let timers: Vec<&str> = machine.timers().map(|(event, _)| machine.event(event).name.as_str()).collect();
                    let help = suggest(&name.value, timers.iter().copied()).unwrap_or_default();
                    error(name.span, format!("`{}` has no timer `{}`", machine.name, name.value), help);
                }
            }
        }
        due
    }

    /// The part is one of a system, and has the machine.
    fn check_part(&self, model: &Model, error: &mut dyn FnMut(Span, String, String)) {
        let Some(written) = &self.part else { return };
        let named = |machine: usize| model.machines[machine].name == self.machine.value;
        let parts: Vec<String> = model
            .systems
            .iter()
            .flat_map(|system| system.parts.iter().filter(|it| named(it.machine)).map(|it| format!("{}.{}", system.name, it.name)))
            .collect();
        if parts.contains(&written.value) {
            return;
        }
        let message = format!("`{}` is no part of a system with the machine `{}`", written.value, self.machine.value);
        let help = match parts.is_empty() {
            true => "remove `part`: no system has this machine".to_owned(),
            false => format!("write the system and the part: {}", parts.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")),
        };
        error(written.span, message, help);
    }

    /// The values of states: those of the configuration, and for a column of numbers those of the spec.
    fn stored(&self, machine: &Machine, error: &mut dyn FnMut(Span, String, String)) -> BTreeMap<StateId, String> {
        let number = |id: StateId| Some((id, machine.state(id).number?.to_string()));
        let mut values: BTreeMap<StateId, String> = match self.kind {
            Kind::Integer => machine.leaves().filter_map(number).collect(),
            Kind::Text | Kind::Enum => BTreeMap::new(),
        };
        for (name, value) in self.values.iter() {
            match machine.state_named(&name.value).filter(|it| machine.is_leaf(*it)) {
                Some(id) => _ = values.insert(id, value.value.clone()),
                None => {
                    let leaves: Vec<&str> = machine.leaves().map(|it| machine.state(it).name.as_str()).collect();
                    let message = format!("a row of `{}` is in no state `{}`", machine.name, name.value);
                    error(name.span, message, suggest(&name.value, leaves.iter().copied()).unwrap_or_default());
                }
            }
        }
        values
    }
}

/// A field of a payload: `claim.until`.
fn field_of<'t>(written: &'t Text, machine: &Machine) -> Option<(EventId, PayloadId, Type, &'t str, &'t str)> {
    let (event, name) = written.value.split_once('.')?;
    let id = machine.event_named(event)?;
    let (payload, field) = machine.payload_fields(id).find(|(_, field)| field.name == name)?;
    Some((id, payload, field.ty.clone(), event, name))
}

/// A field of a payload that the journal records.
fn recorded(written: &Text, machine: &Machine, error: &mut dyn FnMut(Span, String, String)) -> Option<(String, String)> {
    let found = field_of(written, machine);
    if found.is_none() {
        not_carried(written, machine, "claim.until", error);
    }
    found.map(|(_, _, _, event, name)| (event.to_owned(), name.to_owned()))
}

fn not_carried(written: &Text, machine: &Machine, example: &str, error: &mut dyn FnMut(Span, String, String)) {
    let message = format!("no event of `{}` carries `{}`", machine.name, written.value);
    error(written.span, message, format!("write the event and the field of its payload, such as `{example}`"));
}

/// The field of a payload that is the time of the database: `reclaim.now`.
fn clock(written: &Text, machine: &Machine, error: &mut dyn FnMut(Span, String, String)) -> Option<(EventId, PayloadId)> {
    match field_of(written, machine) {
        Some((event, id, Type::Timestamp, ..)) => Some((event, id)),
        Some(_) => {
            error(written.span, format!("`{}` is no timestamp", written.value), "remove it from `clock`".to_owned());
            None
        }
        None => {
            not_carried(written, machine, "reclaim.now", error);
            None
        }
    }
}

/// The script, with what a person needs to run it.
fn script(attached: &Attached<'_>) -> String {
    let Attached { machine, mapping, guard, .. } = attached;
    let (table, engine) = (mapping.table.to_string(), mapping.engine.name());
    let mut text =
        format!("-- The guard of {} in {engine}: column {} of {}.\n", one_line(&machine.name), one_line(&mapping.state), one_line(&table));
    text.push_str("-- Run it in one transaction. Run it again for each revision of the spec.\n\n");
    text.push_str(&guard.script());
    text
}

/// The statements, each with its name and its parameters before it.
fn statements(attached: &Attached<'_>) -> String {
    let mut text =
        format!("-- Statements about {}, for drivers of {}.\n", one_line(&attached.machine.name), attached.mapping.engine.name());
    text.push_str("-- An update that changes no row: the row has another state or version, or does not exist.\n");
    for it in &attached.guard.statements {
        let parameters: Vec<String> = it.parameters.iter().enumerate().map(|(idx, it)| format!("{} {}", idx + 1, one_line(it))).collect();
        text.push_str(&format!("\n-- name: {}\n", one_line(&it.name)));
        if !parameters.is_empty() {
            text.push_str(&format!("-- parameters: {}\n", parameters.join(", ")));
        }
        if !it.others.is_empty() {
            text.push_str(&format!("-- the program sets besides: {}\n", it.others.join(", ")));
        }
        text.push_str(&format!("{};\n", it.sql));
    }
    text
}

/// A name in a comment.
fn one_line(name: &str) -> String {
    name.escape_debug().to_string()
}

/// What a guard enforces, as JSON.
fn report(attached: &Attached<'_>) -> serde_json::Value {
    let Attached { machine, mapping, guard, .. } = attached;
    let graph = &guard.graph;
    let rules = guard.rules.iter().map(|it| json!({ "rule": it.what, "enforced": it.verdict.word(), "because": it.because }));
    let pairs = graph.pairs.keys().map(|(from, to)| json!([guard.stored[*from], guard.stored[*to]]));
    let statements =
        guard.statements.iter().map(|it| json!({ "name": it.name, "parameters": it.parameters, "sql": it.sql, "others": it.others }));
    json!({
        "version": 1,
        "kind": "database",
        "machine": machine.name,
        "engine": mapping.engine.key(),
        "table": mapping.table.to_string(),
        "key": mapping.key,
        "state": mapping.state,
        "states": guard.stored,
        "births": graph.births.iter().map(|it| &guard.stored[*it]).collect::<Vec<_>>(),
        "pairs": pairs.collect::<Vec<_>>(),
        "statements": statements.collect::<Vec<_>>(),
        "rules": rules.collect::<Vec<_>>(),
    })
}

/// What a guard enforces, as a section of a page.
fn page(attached: &Attached<'_>) -> String {
    let Attached { mapping, guard, .. } = attached;
    let cell = |it: &str| plain(it, Place::Cell);
    let mut text =
        format!("{}, table {}:\n\n| Rule | Enforced |\n| --- | --- |\n", mapping.engine.name(), cell(&mapping.table.to_string()));
    for rule in &guard.rules {
        let because = rule.because.as_ref().map_or_else(String::new, |it| format!(", because {}", cell(it)));
        text.push_str(&format!("| {} | {}{because} |\n", cell(&rule.what), rule.verdict.word()));
    }
    text
}
