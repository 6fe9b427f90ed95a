//! A section as it is written becomes a table of the configuration.

use statespec_lang::read::Text;
use statespec_sql::{Births, Deletes, Engine, Kind, Style, Table, Unit};

use super::lease::Lease;
use super::{Database, keys, store};
use crate::backend::Reader;

/// The table of a section; what cannot be is reported.
pub(super) fn database(written: keys::Database, reader: &mut Reader<'_>) -> Database {
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
