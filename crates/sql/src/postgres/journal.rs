//! The journal of a guard in PostgreSQL.

use super::super::dialect::name;
use super::super::objects::{Object, ObjectKind, Timing};
use super::super::plan::Plan;
use super::super::table::Table;
use super::{SCHEMA, block, function, function_name, literal, preparation, table, trigger};

fn journal_name(plan: &Plan<'_>) -> String {
    format!("{SCHEMA}.{}", name(&function_name(plan, "journal")))
}

/// The statement that records a change.
pub(super) fn recorded(plan: &Plan<'_>, record: &str, from: &str, to: &str) -> String {
    let mut columns: Vec<String> = plan.mapping.key.iter().map(|it| name(it)).collect();
    let mut values: Vec<String> = plan.mapping.key.iter().map(|it| format!("{record}.{}", name(it))).collect();
    if let Some(version) = &plan.mapping.version {
        columns.push("version".to_owned());
        values.push(format!("{record}.{}", name(version)));
    }
    columns.extend(["from_state", "to_state", "at", "event", "actor"].map(str::to_owned));
    let setting = |it: &str| format!("NULLIF(pg_catalog.current_setting('statespec.{it}', true), '')");
    values.extend([from.to_owned(), to.to_owned(), "pg_catalog.clock_timestamp()".to_owned(), setting("event"), setting("actor")]);
    let fields = plan.payload();
    if !fields.is_empty() {
        let fields: Vec<String> = fields.iter().map(|it| literal(it)).collect();
        columns.push("payload".to_owned());
        values.push(format!(
            "(SELECT pg_catalog.jsonb_object_agg(p.key, p.value) FROM pg_catalog.jsonb_each({}::pg_catalog.jsonb) AS p\n      \
             WHERE pg_catalog.concat({}, '.', p.key) OPERATOR(pg_catalog.=) ANY (ARRAY[{}]::pg_catalog.text[]))",
            setting("payload"),
            setting("event"),
            fields.join(", ")
        ));
    }
    format!("  INSERT INTO {} ({})\n    VALUES ({});\n", journal_name(plan), columns.join(", "), values.join(", "))
}

/// The journal, whose columns have the types of the table, and the trigger that keeps what it has.
pub(super) fn objects(plan: &Plan<'_>) -> Vec<Object> {
    let journal = journal_name(plan);
    let mut columns: Vec<String> = plan.mapping.key.iter().map(|it| name(it)).collect();
    columns.extend(plan.mapping.version.iter().map(|it| format!("{} AS version", name(it))));
    let others = ["from_state", "to_state", "event", "actor"].map(|it| format!("NULL::pg_catalog.text AS {it}"));
    columns.extend(others);
    columns.push("NULL::pg_catalog.timestamptz AS at".to_owned());
    let then = format!(
        "    CREATE TABLE {journal} AS SELECT {} FROM {} WITH NO DATA;\n    \
         ALTER TABLE {journal} ADD COLUMN entry bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ALTER COLUMN at SET NOT NULL;\n",
        columns.join(", "),
        table(&plan.mapping.table)
    );
    let create = block(&format!("pg_catalog.to_regclass({}) IS NULL", literal(&journal)), &then);
    let column = format!(
        "NOT EXISTS (SELECT FROM pg_catalog.pg_attribute WHERE attrelid = {}::pg_catalog.regclass AND attname = 'payload')",
        literal(&journal)
    );
    let column = block(&column, &format!("    ALTER TABLE {journal} ADD COLUMN payload pg_catalog.jsonb;\n"));
    let what = "append";
    let message = format!("the journal of {} is append-only", plan.machine().name);
    let body = format!("\nBEGIN\n  RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = {};\nEND ", literal(&message));
    let on = Table { schema: Some(SCHEMA.to_owned()), name: function_name(plan, "journal") };
    let timing = Timing { before: true, each_row: false, on: &["UPDATE", "DELETE", "TRUNCATE"], deferred: false };
    let mut objects = vec![Object { name: on.name.clone(), kind: ObjectKind::Table, sql: create }];
    objects.extend((!plan.payload().is_empty()).then(|| preparation("payload", &column)));
    objects.push(function(plan, what, body));
    objects.push(trigger(&plan.name(what), &on, timing, &function_name(plan, what)));
    objects
}
