//! What a store needs besides the table: an outbox of effects, and the commands that were done. `statespec-store` makes the same tables.

use super::dialect::name;
use super::mapping::Engine;
use super::objects::{Object, ObjectKind};
use super::plan::Plan;
use super::{postgres, sqlite};

pub(crate) fn objects(plan: &Plan<'_>) -> Vec<Object> {
    let engine = plan.mapping.engine;
    let called = |what: &str| match engine {
        Engine::Sqlite => plan.name(what),
        Engine::Postgres => format!("{}_{what}", plan.machine().name),
    };
    let whole = |what: &str| match engine {
        Engine::Sqlite => name(&called(what)),
        Engine::Postgres => format!("{}.{}", postgres::SCHEMA, name(&called(what))),
    };
    let (number, time, json, now) = match engine {
        Engine::Sqlite => ("INTEGER", "INTEGER", "TEXT", sqlite::micros("'now'")),
        Engine::Postgres => ("bigint", "timestamptz", "jsonb", "clock_timestamp()".to_owned()),
    };
    let outbox = format!(
        "CREATE TABLE IF NOT EXISTS {} (\n  id text PRIMARY KEY,\n  aggregatetype text NOT NULL,\n  aggregateid text NOT NULL,\n  \
         type text NOT NULL,\n  payload {json} NOT NULL,\n  version {number} NOT NULL,\n  position {number} NOT NULL,\n  \
         at {time} NOT NULL DEFAULT {now},\n  holder text,\n  until {time},\n  deliveries {number} NOT NULL DEFAULT 0\n)",
        whole("outbox")
    );
    let index = plan.name("outbox_entity");
    let unique = format!("CREATE UNIQUE INDEX IF NOT EXISTS {} ON {} (aggregateid, version, position)", name(&index), whole("outbox"));
    let commands = format!(
        "CREATE TABLE IF NOT EXISTS {} (\n  command text PRIMARY KEY,\n  entity text,\n  version {number},\n  from_state text,\n  \
         to_state text,\n  at {time} NOT NULL DEFAULT {now}\n)",
        whole("commands")
    );
    vec![
        Object { name: called("outbox"), kind: ObjectKind::Table, sql: outbox },
        Object { name: index, kind: ObjectKind::Preparation, sql: unique },
        Object { name: called("commands"), kind: ObjectKind::Table, sql: commands },
    ]
}
