//! PostgreSQL 14 or later.
//!
//! The graph is in functions, which a new revision replaces without a lock on the table. The triggers call them after each write:
//! a trigger before it could be followed by one of the user that changes the row. A comparison names its operator in full, because a
//! `search_path` may find another one first, and compares bytes, because a collation may find two texts equal that differ.

use statespec_lang::expr::Compare;
use statespec_lang::types::Type;

use super::dialect::{Dialect, name, sign};
use super::mapping::{Column, Deletes};
use super::objects::{Object, ObjectKind, Timing};
use super::plan::{Plan, QUOTE};
use super::table::Table;

mod journal;
mod system;

/// The schema of all objects but the triggers, on PostgreSQL.
pub const SCHEMA: &str = "statespec";

/// The conditions of PostgreSQL.
pub(crate) struct Postgres;

impl Dialect for Postgres {
    fn column(&self, record: &str, column: &Column, ty: &Type) -> Result<String, String> {
        let old = format!("{record}.{}", name(&column.name));
        Ok(match (ty, column.unit) {
            (Type::Bool, _) => format!("{old}::pg_catalog.bool"),
            (Type::Timestamp | Type::Duration, Some(unit)) => {
                format!("({old}::pg_catalog.numeric OPERATOR(pg_catalog.*) {}::pg_catalog.numeric)", unit.micros())
            }
            (Type::Timestamp | Type::Duration, None) => micros(&old),
            (Type::Int | Type::Decimal, _) => format!("{old}::pg_catalog.numeric"),
            (Type::Text | Type::Enum(_) | Type::State | Type::Reference, _) => bytes(&old),
            (Type::Event | Type::List(_), _) => return Err("SQL has no such value".to_owned()),
        })
    }

    fn number(&self, digits: &str) -> String {
        format!("'{digits}'::pg_catalog.numeric")
    }

    fn text(&self, text: &str) -> String {
        bytes(&literal(text))
    }

    fn is_null(&self, record: &str, column: &Column) -> String {
        format!("{record}.{} IS NULL", name(&column.name))
    }

    fn now(&self) -> String {
        micros("pg_catalog.clock_timestamp()")
    }

    fn compare(&self, operator: Compare, left: &str, right: &str) -> String {
        format!("({left} OPERATOR(pg_catalog.{}) {right})", sign(operator))
    }

    fn truth(&self, value: &str) -> String {
        value.to_owned()
    }

    fn operation(&self, sign: &str, left: &str, right: &str) -> String {
        format!("LEAST(GREATEST({left} OPERATOR(pg_catalog.{sign}) {right}, {}), {})", i64::MIN, i64::MAX)
    }

    fn len(&self, text: &str) -> String {
        format!("pg_catalog.char_length({text})::pg_catalog.numeric")
    }
}

/// The microseconds of a time or of an interval, as a number.
fn micros(time: &str) -> String {
    format!("(EXTRACT(EPOCH FROM {time}) OPERATOR(pg_catalog.*) 1000000::pg_catalog.numeric)")
}

/// A value as a text that is compared byte by byte.
fn bytes(value: &str) -> String {
    format!("({value}::pg_catalog.text COLLATE pg_catalog.\"C\")")
}

/// A text in quotes, whatever the session says about backslashes.
pub(crate) fn literal(text: &str) -> String {
    let quoted = text.replace('\'', "''");
    if !quoted.contains('\\') && !quoted.contains(QUOTE) {
        return format!("'{quoted}'");
    }
    // The end of a function must not stand in a text of it.
    format!("E'{}'", quoted.replace('\\', "\\\\").replace(QUOTE, &QUOTE.replace('$', "\\x24")))
}

/// The table by its whole name.
pub fn table(table: &Table) -> String {
    format!("{}.{}", name(table.schema.as_deref().unwrap_or("public")), name(&table.name))
}

pub(crate) fn objects(plan: &Plan<'_>) -> Vec<Object> {
    let mut objects = vec![
        preparation("lock_timeout", "SET LOCAL lock_timeout = '2s'"),
        preparation("partitions", &partitions(plan)),
        preparation(SCHEMA, &format!("CREATE SCHEMA IF NOT EXISTS {SCHEMA}")),
    ];
    if plan.mapping.journal {
        objects.extend(journal::objects(plan));
    }
    let on = &plan.mapping.table;
    for (what, timing, body) in triggers(plan) {
        let Some(body) = body else {
            objects.push(dropped(plan, what));
            continue;
        };
        objects.push(function(plan, what, body));
        objects.push(trigger(&plan.name(what), on, timing, &function_name(plan, what)));
    }
    objects.extend(system::objects(plan));
    objects
}

fn preparation(name: &str, sql: &str) -> Object {
    Object { name: name.to_owned(), kind: ObjectKind::Preparation, sql: sql.to_owned() }
}

/// A block that runs a statement under a condition.
fn block(condition: &str, then: &str) -> String {
    format!("DO {QUOTE}\nBEGIN\n  IF {condition} THEN\n{then}  END IF;\nEND {QUOTE}")
}

/// Rows that change their partition with their state are deleted and inserted: an edge looks like a birth.
fn partitions(plan: &Plan<'_>) -> String {
    let table = literal(&table(&plan.mapping.table));
    let state = literal(&plan.mapping.state);
    let condition = format!(
        "EXISTS (\n    SELECT FROM pg_catalog.pg_partition_tree({table}::pg_catalog.regclass) AS tree\n    \
         JOIN pg_catalog.pg_partitioned_table AS parts ON parts.partrelid = tree.relid\n    \
         LEFT JOIN pg_catalog.pg_attribute AS columns ON columns.attrelid = parts.partrelid AND columns.attname = {state}\n    \
         WHERE columns.attnum = ANY (parts.partattrs::pg_catalog.int2[]) OR parts.partexprs IS NOT NULL\n  )"
    );
    let refuse = "    RAISE EXCEPTION 'statespec: the table is partitioned by its state or by an expression, so that a change of the state \
                  deletes a row and inserts another one';\n";
    block(&condition, refuse)
}

/// The triggers by their last words, with the texts of their functions; none if the mapping asks for none.
fn triggers(plan: &Plan<'_>) -> [(&'static str, Timing, Option<String>); 4] {
    let truncate = Timing { before: true, each_row: false, on: &["TRUNCATE"], deferred: false };
    [
        ("edge", Timing::after(&["UPDATE"]), Some(edge(plan))),
        ("birth", Timing::after(&["INSERT"]), Some(birth(plan))),
        ("delete", Timing::after(&["DELETE"]), delete(plan)),
        ("truncate", truncate, (plan.mapping.deletes != Deletes::Any || plan.mapping.journal).then(|| no_truncate(plan))),
    ]
}

fn function_name(plan: &Plan<'_>, what: &str) -> String {
    format!("{}_{what}", plan.machine().name)
}

fn function(plan: &Plan<'_>, what: &str, body: String) -> Object {
    // The journal is written with the rights of its owner, so that the program needs none on it.
    function_of(plan, what, body, plan.mapping.journal)
}

fn function_of(plan: &Plan<'_>, what: &str, body: String, definer: bool) -> Object {
    let rights = if definer { "\nSECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = off" } else { "" };
    let function = function_name(plan, what);
    let sql = format!(
        "CREATE OR REPLACE FUNCTION {SCHEMA}.{}() RETURNS trigger LANGUAGE plpgsql{rights} AS {QUOTE}{body}{QUOTE}",
        name(&function)
    );
    Object { name: function, kind: ObjectKind::Function { body, definer }, sql }
}

/// A trigger, which is created only if it is not there: to create it locks the table.
fn trigger(trigger: &str, on: &Table, timing: Timing, function: &str) -> Object {
    let (on_sql, called) = (table(on), format!("{SCHEMA}.{}", name(function)));
    let each = if timing.each_row { "ROW" } else { "STATEMENT" };
    let condition = format!(
        "NOT EXISTS (\n    SELECT FROM pg_catalog.pg_trigger\n    WHERE tgrelid = {}::pg_catalog.regclass AND tgname = {}\n      \
         AND tgfoid = {}::pg_catalog.regprocedure AND tgtype = {} AND tgenabled = 'A' AND tgqual IS NULL AND tgattr = ''\n  )",
        literal(&on_sql),
        literal(trigger),
        literal(&format!("{called}()")),
        timing.bits()
    );
    let (deferrable, create) = match timing.deferred {
        // PostgreSQL replaces no such trigger.
        true => (
            "\n      AND tgdeferrable AND tginitdeferred",
            format!("    DROP TRIGGER IF EXISTS {0} ON {on_sql};\n    CREATE CONSTRAINT TRIGGER {0}", name(trigger)),
        ),
        false => ("", format!("    CREATE OR REPLACE TRIGGER {}", name(trigger))),
    };
    let condition = condition.replacen("AND tgattr = ''", &format!("AND tgattr = ''{deferrable}"), 1);
    let then = format!(
        "{create} {1} ON {on_sql}{2} FOR EACH {each} EXECUTE FUNCTION {called}();\n    \
         ALTER TABLE {on_sql} ENABLE ALWAYS TRIGGER {0};\n",
        name(trigger),
        timing.sql(),
        if timing.deferred { " DEFERRABLE INITIALLY DEFERRED" } else { "" }
    );
    let kind = ObjectKind::Trigger { on: on.clone(), timing, function: Some(function.to_owned()) };
    Object { name: trigger.to_owned(), kind, sql: block(&condition, &then) }
}

/// The trigger of an earlier revision is dropped.
fn dropped(plan: &Plan<'_>, what: &str) -> Object {
    let (on, trigger) = (table(&plan.mapping.table), plan.name(what));
    let condition = format!(
        "EXISTS (SELECT FROM pg_catalog.pg_trigger WHERE tgrelid = {}::pg_catalog.regclass AND tgname = {})",
        literal(&on),
        literal(&trigger)
    );
    let then = format!("    DROP TRIGGER {} ON {on};\n", name(&trigger));
    preparation(&trigger, &block(&condition, &then))
}

/// The names of variables: the state before and after the write.
const O: &str = "o";
const N: &str = "n";

/// The declaration of one of them.
fn declared(plan: &Plan<'_>, variable: &str, record: &str) -> String {
    format!("  {variable} pg_catalog.text COLLATE pg_catalog.\"C\" := {record}.{}::pg_catalog.text;\n", name(&plan.mapping.state))
}

fn is(variable: &str, value: &str) -> String {
    format!("{variable} OPERATOR(pg_catalog.=) {}", literal(value))
}

/// Whether a variable has one of some values.
fn is_one_of(plan: &Plan<'_>, variable: &str, states: &[usize]) -> String {
    match states {
        [] => "false".to_owned(),
        [one] => is(variable, &plan.stored[*one]),
        states => {
            let values: Vec<String> = states.iter().map(|it| literal(&plan.stored[*it])).collect();
            format!("{variable} OPERATOR(pg_catalog.=) ANY (ARRAY[{}]::pg_catalog.text[])", values.join(", "))
        }
    }
}

/// The key of a row, for messages.
fn key(plan: &Plan<'_>, record: &str) -> String {
    let columns: Vec<String> = plan.mapping.key.iter().map(|it| format!("{record}.{}", name(it))).collect();
    match &columns[..] {
        [one] => one.clone(),
        many => format!("pg_catalog.concat('(', pg_catalog.concat_ws(', ', {}), ')')", many.join(", ")),
    }
}

/// The statement that refuses a write.
fn refuse(plan: &Plan<'_>, what: &str, message: &str, values: &[String], hint: &str) -> String {
    let machine = &plan.machine().name;
    let message = format!("{} {message}", machine.replace('%', "%%"));
    format!(
        "    RAISE EXCEPTION {}, {}\n      USING ERRCODE = '23514', CONSTRAINT = {}, COLUMN = {}, TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA,\n        HINT = {hint};\n",
        literal(&message),
        values.join(", "),
        literal(&function_name(plan, what)),
        literal(&plan.mapping.state),
    )
}

fn shown(variable: &str) -> String {
    format!("COALESCE({variable}, 'NULL')")
}

/// Whether a column has the same value before and after the write.
fn same(column: &str) -> String {
    let (old, new) = (format!("OLD.{}", name(column)), format!("NEW.{}", name(column)));
    format!("(({} OPERATOR(pg_catalog.=) {}) IS TRUE OR ({old} IS NULL AND {new} IS NULL))", bytes(&old), bytes(&new))
}

fn edge(plan: &Plan<'_>) -> String {
    let mut body = format!("\nDECLARE\n{}{}BEGIN\n", declared(plan, O, "OLD"), declared(plan, N, "NEW"));
    let keys: Vec<String> = plan.mapping.key.iter().map(|it| same(it)).collect();
    body.push_str(&format!("  IF NOT ({}) THEN\n", keys.join(" AND ")));
    body.push_str(&refuse(plan, "key", "%: the key of a row never changes", &[key(plan, "OLD")], "'insert another row'"));
    body.push_str("  END IF;\n");
    body.push_str(&system::same_owner(plan));
    body.push_str("  -- Nothing moved: a program may write every column.\n");
    body.push_str(&format!("  IF {O} OPERATOR(pg_catalog.=) {N} OR ({O} IS NULL AND {N} IS NULL) THEN\n"));
    if let (true, Some(version)) = (plan.mapping.journal, &plan.mapping.version) {
        body.push_str(&format!("    IF NOT {} THEN\n  {}    END IF;\n", same(version), journal::recorded(plan, "NEW", O, N)));
    }
    body.push_str("    RETURN NULL;\n  END IF;\n  IF (CASE\n");
    let mut hints = String::new();
    for from in 0..plan.stored.len() {
        let (free, guarded) = plan.after(from, &Postgres);
        hints.push_str(&format!("          WHEN {} THEN {}\n", is(O, &plan.stored[from]), literal(&plan.allowed(from, &Postgres))));
        if free.is_empty() && guarded.is_empty() {
            continue;
        }
        let mut any = if free.is_empty() { Vec::new() } else { vec![is_one_of(plan, N, &free)] };
        any.extend(guarded.iter().map(|(to, condition)| format!("({} AND {condition})", is(N, &plan.stored[*to]))));
        body.push_str(&format!("    WHEN {} THEN {}\n", is(O, &plan.stored[from]), any.join(" OR ")));
    }
    body.push_str("    ELSE false END) IS NOT TRUE THEN\n");
    let machine = &plan.machine().name;
    let hint = format!(
        "CASE\n{hints}          ELSE pg_catalog.format({}, {}) END",
        literal(&format!("%s is no state of {}", machine.replace('%', "%%"))),
        shown(O)
    );
    body.push_str(&refuse(plan, "edge", "%: no step from % to %", &[key(plan, "OLD"), shown(O), shown(N)], &hint));
    body.push_str("  END IF;\n");
    if plan.mapping.journal {
        body.push_str(&journal::recorded(plan, "NEW", O, N));
    }
    body.push_str("  RETURN NULL;\nEND ");
    body
}

fn birth(plan: &Plan<'_>) -> String {
    let births = plan.births();
    let mut body = format!("\nDECLARE\n{}BEGIN\n", declared(plan, N, "NEW"));
    body.push_str(&format!("  IF ({}) IS NOT TRUE THEN\n", is_one_of(plan, N, &births)));
    let hint = literal(&format!("a row is inserted in: {}", plan.listed(&births)));
    body.push_str(&refuse(plan, "birth", "%: inserted in %", &[key(plan, "NEW"), shown(N)], &hint));
    body.push_str("  END IF;\n");
    body.push_str(&system::has_owner(plan));
    if plan.mapping.journal {
        body.push_str(&journal::recorded(plan, "NEW", "NULL", N));
    }
    body.push_str("  RETURN NULL;\nEND ");
    body
}

fn delete(plan: &Plan<'_>) -> Option<String> {
    let deletes = plan.deletes();
    if deletes.is_none() && !plan.mapping.journal {
        return None;
    }
    let mut body = format!("\nDECLARE\n{}BEGIN\n", declared(plan, O, "OLD"));
    if let Some(states) = deletes {
        body.push_str(&format!("  IF ({}) IS NOT TRUE THEN\n", is_one_of(plan, O, &states)));
        let hint = literal(&format!("a row is deleted in: {}", plan.listed(&states)));
        body.push_str(&refuse(plan, "delete", "%: deleted in %", &[key(plan, "OLD"), shown(O)], &hint));
        body.push_str("  END IF;\n");
    }
    if plan.mapping.journal {
        body.push_str(&journal::recorded(plan, "OLD", O, "NULL"));
    }
    body.push_str("  RETURN NULL;\nEND ");
    Some(body)
}

fn no_truncate(plan: &Plan<'_>) -> String {
    let message = format!("{}: TRUNCATE deletes rows in every state", plan.machine().name);
    format!("\nBEGIN\n  RAISE EXCEPTION USING ERRCODE = '23514', MESSAGE = {}, HINT = 'delete the rows';\nEND ", literal(&message))
}
