//! SQLite 3.35 or later. No table is rebuilt.
//!
//! REPLACE deletes the row that is in its way without firing a trigger for it. So a trigger before the write notes that there is one,
//! and the trigger after the write, which an upsert and OR IGNORE do not reach, finds the note.
//!
//! The texts of messages are literals: SQLite takes no others before 3.47.

use statespec_lang::expr::Compare;
use statespec_lang::types::Type;

use super::dialect::{Dialect, name, sign};
use super::mapping::{Column, Kind};
use super::objects::{Object, ObjectKind, Timing};
use super::plan::Plan;
use super::table::Table;

/// The table in which a statement says its event and its actor.
const STATEMENT: &str = "statespec_statement";
/// The table in which a statement says the payload of its event.
const PAYLOAD: &str = "statespec_payload";

/// The conditions of SQLite.
pub(crate) struct Sqlite;

impl Dialect for Sqlite {
    fn column(&self, record: &str, column: &Column, ty: &Type) -> Result<String, String> {
        let old = format!("{record}.{}", name(&column.name));
        Ok(match (ty, column.unit) {
            (Type::Decimal, _) => return Err("SQLite has no exact decimals".to_owned()),
            (Type::Timestamp | Type::Duration, Some(unit)) => format!("({old} * {})", unit.micros()),
            (Type::Timestamp, None) => micros(&old),
            (Type::Duration, None) => return Err("SQLite has no durations, and the column has no unit".to_owned()),
            (Type::Text | Type::Enum(_) | Type::State, _) => format!("{old} COLLATE BINARY"),
            (Type::Bool | Type::Int | Type::Reference, _) => old,
            (Type::Event | Type::List(_), _) => return Err("SQL has no such value".to_owned()),
        })
    }

    fn number(&self, digits: &str) -> String {
        digits.to_owned()
    }

    fn text(&self, text: &str) -> String {
        literal(text)
    }

    fn is_null(&self, record: &str, column: &Column) -> String {
        format!("{record}.{} IS NULL", name(&column.name))
    }

    fn now(&self) -> String {
        micros("'now'")
    }

    fn compare(&self, operator: Compare, left: &str, right: &str) -> String {
        format!("({left} {} {right})", sign(operator))
    }

    fn truth(&self, value: &str) -> String {
        format!("({value} <> 0)")
    }

    fn operation(&self, sign: &str, left: &str, right: &str) -> String {
        // Beyond 64 bits the result is a REAL, which the limits replace.
        format!("min(max({left} {sign} {right}, -9223372036854775807 - 1), {})", i64::MAX)
    }

    fn len(&self, text: &str) -> String {
        format!("length({text})")
    }
}

/// The microseconds of a time that is a text, to the millisecond.
pub(crate) fn micros(time: &str) -> String {
    format!("(CAST(round((julianday({time}) - 2440587.5) * 86400000) AS INTEGER) * 1000)")
}

pub(crate) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

pub(crate) fn objects(plan: &Plan<'_>) -> Vec<Object> {
    let mut objects = Vec::new();
    let table = &plan.mapping.table;
    let mut add = |object: Object| {
        if let ObjectKind::Trigger { .. } = object.kind {
            let sql = format!("DROP TRIGGER IF EXISTS {}", name(&object.name));
            objects.push(Object { name: object.name.clone(), kind: ObjectKind::Preparation, sql });
        }
        objects.push(object);
    };
    if plan.mapping.journal {
        journal(plan).into_iter().for_each(&mut add);
    }
    let column = name(&plan.mapping.state);
    let moved = format!("OLD.{column} COLLATE BINARY IS NOT NEW.{column}");
    add(edge(plan, &moved));
    let keys: Vec<String> = plan.mapping.key.iter().map(|it| format!("OLD.{0} IS NOT NEW.{0}", name(it))).collect();
    let machine = &plan.machine().name;
    add(trigger(
        plan,
        "key",
        table,
        Timing::after(&["UPDATE"]),
        &keys.join(" OR "),
        &raise(&format!("{machine}: the key of a row never changes")),
    ));
    let births = plan.births();
    let message = format!("{machine}: a row is inserted in: {}", plan.listed(&births));
    add(trigger(
        plan,
        "birth",
        table,
        Timing::after(&["INSERT"]),
        &format!("({}) IS NOT 1", is_one_of(plan, "NEW", &births)),
        &raise(&message),
    ));
    match plan.deletes() {
        Some(states) => {
            let message = format!("{machine}: a row is deleted in: {}", plan.listed(&states));
            let when = format!("({}) IS NOT 1", is_one_of(plan, "OLD", &states));
            add(trigger(plan, "delete", table, Timing::after(&["DELETE"]), &when, &raise(&message)));
        }
        None => add(dropped(&plan.name("delete"))),
    }
    belongs(plan).into_iter().for_each(&mut add);
    for (idx, unique) in [&plan.mapping.key].into_iter().chain(&plan.mapping.unique).enumerate() {
        replaced(plan, idx, unique).into_iter().for_each(&mut add);
    }
    if plan.mapping.journal {
        records(plan, &moved).into_iter().for_each(&mut add);
    }
    objects
}

fn trigger(plan: &Plan<'_>, what: &str, on: &Table, timing: Timing, when: &str, body: &str) -> Object {
    let trigger = plan.name(what);
    let when = if when.is_empty() { String::new() } else { format!("\nWHEN {when}") };
    let sql = format!("CREATE TRIGGER {} {} ON {}{when}\nBEGIN\n{body}END", name(&trigger), timing.sql(), name(&on.name));
    Object { name: trigger, kind: ObjectKind::Trigger { on: on.clone(), timing, function: None }, sql }
}

fn raise(message: &str) -> String {
    format!("  SELECT RAISE(ABORT, {});\n", literal(message))
}

/// A stored value as a literal.
fn value(plan: &Plan<'_>, state: usize) -> String {
    match plan.mapping.kind {
        Kind::Integer => plan.stored[state].clone(),
        Kind::Text | Kind::Enum => literal(&plan.stored[state]),
    }
}

/// Whether a row has one of some states. `IN` would make a table of the values for each row that is written.
fn is_one_of(plan: &Plan<'_>, record: &str, states: &[usize]) -> String {
    let state = format!("{record}.{} COLLATE BINARY", name(&plan.mapping.state));
    let all: Vec<String> = states.iter().map(|it| format!("{state} = {}", value(plan, *it))).collect();
    match &all[..] {
        [] => "0".to_owned(),
        [one] => one.clone(),
        _ => format!("({})", all.join(" OR ")),
    }
}

fn edge(plan: &Plan<'_>, moved: &str) -> Object {
    let column = name(&plan.mapping.state);
    let (mut when, mut branches) = (String::new(), String::new());
    let mut body = format!("  SELECT CASE OLD.{column} COLLATE BINARY\n");
    let machine = &plan.machine().name;
    for from in 0..plan.stored.len() {
        let (free, guarded) = plan.after(from, &Sqlite);
        let message = format!("{machine}: no such step; {}", plan.allowed(from, &Sqlite));
        body.push_str(&format!("    WHEN {} THEN RAISE(ABORT, {})\n", value(plan, from), literal(&message)));
        if free.is_empty() && guarded.is_empty() {
            continue;
        }
        let mut any = if free.is_empty() { Vec::new() } else { vec![is_one_of(plan, "NEW", &free)] };
        any.extend(guarded.iter().map(|(to, condition)| format!("({} AND {condition})", is_one_of(plan, "NEW", &[*to]))));
        branches.push_str(&format!("  WHEN {} THEN {}\n", value(plan, from), any.join(" OR ")));
    }
    match branches.is_empty() {
        // A CASE needs a branch.
        true => when.push_str(moved),
        false => when.push_str(&format!("{moved} AND (CASE OLD.{column} COLLATE BINARY\n{branches}  ELSE 0 END) IS NOT 1")),
    }
    body.push_str(&format!("    ELSE RAISE(ABORT, {}) END;\n", literal(&format!("{machine}: the row has no state of the graph"))));
    trigger(plan, "edge", &plan.mapping.table, Timing::after(&["UPDATE"]), &when, &body)
}

/// The triggers that keep a row with its owner: SQLite gives a table that exists no foreign key.
fn belongs(plan: &Plan<'_>) -> Vec<Object> {
    let Some(membership) = plan.membership() else { return Vec::new() };
    let (on, machine) = (&plan.mapping.table, &plan.machine().name);
    let mut triggers = Vec::new();
    if let Some(owner) = &membership.owner {
        let column = name(&owner.column);
        let found = format!("EXISTS (SELECT 1 FROM {} AS o WHERE o.{} = NEW.{column})", name(&owner.table.name), name(&owner.key));
        let message = format!("{machine}: a row without its owner; set {} to a row of {}", owner.column, owner.table);
        triggers.push(trigger(plan, "owner_insert", on, Timing::after(&["INSERT"]), &format!("NOT {found}"), &raise(&message)));
        let when = format!("OLD.{column} IS NOT NEW.{column}");
        let message = raise(&format!("{machine}: a row keeps its owner"));
        triggers.push(trigger(plan, "owner_update", on, Timing::after(&["UPDATE"]), &when, &message));
    }
    if let ([key], false) = (&plan.mapping.key[..], membership.owned.is_empty()) {
        let exists = |(table, column): &(Table, String)| {
            format!("EXISTS (SELECT 1 FROM {} AS o WHERE o.{} = OLD.{})", name(&table.name), name(column), name(key))
        };
        let any: Vec<String> = membership.owned.iter().map(exists).collect();
        let message = raise(&format!("{machine}: other rows belong to this one"));
        triggers.push(trigger(plan, "owned", on, Timing::after(&["DELETE"]), &any.join(" OR "), &message));
    }
    triggers
}

/// The triggers that find a row which was replaced over a key.
fn replaced(plan: &Plan<'_>, idx: usize, unique: &[String]) -> Vec<Object> {
    let suffix = if idx == 0 { String::new() } else { format!("_{}", idx + 1) };
    let table = name(&plan.mapping.table.name);
    let notes = plan.name(&format!("replaced{suffix}"));
    let columns: Vec<String> = unique.iter().map(|it| name(it)).collect();
    let new: Vec<String> = columns.iter().map(|it| format!("NEW.{it}")).collect();
    let all = |of: &str| columns.iter().map(|it| format!("{of}.{it} = NEW.{it}")).collect::<Vec<_>>().join(" AND ");
    let changed: Vec<String> = columns.iter().map(|it| format!("OLD.{it} IS NOT NEW.{it}")).collect();
    let changed = format!("({})", changed.join(" OR "));
    let other: Vec<String> = plan.mapping.key.iter().map(|it| format!("t.{0} IS OLD.{0}", name(it))).collect();
    let row = |others: &str| format!("EXISTS (SELECT 1 FROM {table} AS t WHERE {}{others})", all("t"));
    let noted = format!("EXISTS (SELECT 1 FROM {} AS n WHERE {})", name(&notes), all("n"));
    let forget: Vec<String> = columns.iter().map(|it| format!("{it} = NEW.{it}")).collect();
    let note = |row: &str| {
        format!(
            "  DELETE FROM {0} WHERE {1};\n  INSERT INTO {0} SELECT {2} WHERE {row};\n",
            name(&notes),
            forget.join(" AND "),
            new.join(", ")
        )
    };
    let not_itself = format!(" AND NOT ({})", other.join(" AND "));
    let message = raise(&format!("{}: a row is never replaced", plan.machine().name));
    let create = format!("CREATE TABLE IF NOT EXISTS {0} ({1}, PRIMARY KEY ({1}))", name(&notes), columns.join(", "));
    let on = &plan.mapping.table;
    let of = |what: &str| format!("{what}{suffix}");
    let mut objects = vec![
        Object { name: notes.clone(), kind: ObjectKind::Table, sql: create },
        trigger(plan, &of("note_insert"), on, Timing::before(&["INSERT"]), &format!("{} OR {noted}", row("")), &note(&row(""))),
        trigger(plan, &of("no_insert"), on, Timing::after(&["INSERT"]), &noted, &message),
    ];
    let update = [
        trigger(
            plan,
            &of("note_update"),
            on,
            Timing::before(&["UPDATE"]),
            &format!("{changed} AND ({} OR {noted})", row(&not_itself)),
            &note(&row(&not_itself)),
        ),
        trigger(plan, &of("no_update"), on, Timing::after(&["UPDATE"]), &format!("{changed} AND {noted}"), &message),
    ];
    match idx {
        // An update over the key changes it, which is refused: such a trigger would cost every update, and refuse nothing more.
        0 => objects.extend(update.map(|it| dropped(&it.name))),
        _ => objects.extend(update),
    }
    objects
}

/// The trigger of an earlier revision is dropped.
fn dropped(trigger: &str) -> Object {
    Object { name: trigger.to_owned(), kind: ObjectKind::Preparation, sql: format!("DROP TRIGGER IF EXISTS {}", name(trigger)) }
}

fn journal_name(plan: &Plan<'_>) -> String {
    plan.name("journal")
}

/// The journal, the table in which a statement says its event, and the triggers that keep what the journal has.
fn journal(plan: &Plan<'_>) -> Vec<Object> {
    let journal = journal_name(plan);
    let mut columns: Vec<String> = plan.mapping.key.iter().map(|it| name(it)).collect();
    columns.extend(plan.mapping.version.iter().map(|_| "version".to_owned()));
    columns.extend(["from_state", "to_state", "at TEXT NOT NULL", "event TEXT", "actor TEXT"].map(str::to_owned));
    let create = format!("CREATE TABLE IF NOT EXISTS {} (entry INTEGER PRIMARY KEY, {})", name(&journal), columns.join(", "));
    let statement =
        format!("CREATE TABLE IF NOT EXISTS {STATEMENT} (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), event TEXT, actor TEXT)");
    let on = Table { schema: None, name: journal.clone() };
    let mut of_payload = Vec::new();
    if !plan.payload().is_empty() {
        let (of, machine) = (plan.name("payload"), &plan.machine().name);
        let said = format!("CREATE TABLE IF NOT EXISTS {PAYLOAD} (name TEXT PRIMARY KEY, value)");
        let kept = format!("CREATE TABLE IF NOT EXISTS {} (entry INTEGER, name TEXT, value, PRIMARY KEY (entry, name))", name(&of));
        let on = Table { schema: None, name: of.clone() };
        let refuse = raise(&format!("the journal of {machine} is append-only"));
        let taken = format!("EXISTS (SELECT 1 FROM {} WHERE entry = NEW.entry AND name = NEW.name)", name(&of));
        of_payload = vec![
            Object { name: PAYLOAD.to_owned(), kind: ObjectKind::Table, sql: said },
            Object { name: of, kind: ObjectKind::Table, sql: kept },
            trigger(plan, "payload_update", &on, Timing::before(&["UPDATE"]), "", &refuse),
            trigger(plan, "payload_delete", &on, Timing::before(&["DELETE"]), "", &refuse),
            trigger(plan, "payload_insert", &on, Timing::before(&["INSERT"]), &taken, &refuse),
        ];
    }
    // REPLACE over an entry fires no trigger for the entry.
    let taken = format!("EXISTS (SELECT 1 FROM {} WHERE entry = NEW.entry)", name(&journal));
    let refuse = raise(&format!("the journal of {} is append-only", plan.machine().name));
    let mut objects = vec![
        Object { name: STATEMENT.to_owned(), kind: ObjectKind::Table, sql: statement },
        Object { name: journal, kind: ObjectKind::Table, sql: create },
        trigger(plan, "append_update", &on, Timing::before(&["UPDATE"]), "", &refuse),
        trigger(plan, "append_delete", &on, Timing::before(&["DELETE"]), "", &refuse),
        trigger(plan, "append_insert", &on, Timing::before(&["INSERT"]), &taken, &refuse),
    ];
    objects.extend(of_payload);
    objects
}

/// The triggers that record changes.
fn records(plan: &Plan<'_>, moved: &str) -> Vec<Object> {
    let state = name(&plan.mapping.state);
    let fields: Vec<String> = plan.payload().iter().map(|it| literal(it)).collect();
    let payload = match fields.is_empty() {
        true => String::new(),
        false => format!(
            "  INSERT INTO {} SELECT last_insert_rowid(), p.name, p.value FROM {PAYLOAD} AS p\n  \
             WHERE (SELECT event FROM {STATEMENT}) || '.' || p.name IN ({});\n",
            name(&plan.name("payload")),
            fields.join(", ")
        ),
    };
    let record = |of: &str, from: &str, to: &str| {
        let mut columns: Vec<String> = plan.mapping.key.iter().map(|it| name(it)).collect();
        let mut values: Vec<String> = columns.iter().map(|it| format!("{of}.{it}")).collect();
        if let Some(version) = &plan.mapping.version {
            columns.push("version".to_owned());
            values.push(format!("{of}.{}", name(version)));
        }
        columns.extend(["from_state", "to_state", "at", "event", "actor"].map(str::to_owned));
        let said = |it: &str| format!("(SELECT {it} FROM {STATEMENT})");
        let now = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')".to_owned();
        values.extend([from.to_owned(), to.to_owned(), now, said("event"), said("actor")]);
        let entry = format!("  INSERT INTO {} ({})\n  VALUES ({});\n", name(&journal_name(plan)), columns.join(", "), values.join(", "));
        entry + &payload
    };
    let (old, new) = (format!("OLD.{state}"), format!("NEW.{state}"));
    let newer = plan.mapping.version.iter().map(|it| format!(" OR OLD.{0} IS NOT NEW.{0}", name(it))).collect::<String>();
    let on = &plan.mapping.table;
    vec![
        trigger(plan, "record_update", on, Timing::after(&["UPDATE"]), &format!("{moved}{newer}"), &record("NEW", &old, &new)),
        trigger(plan, "record_insert", on, Timing::after(&["INSERT"]), "", &record("NEW", "NULL", &new)),
        trigger(plan, "record_delete", on, Timing::after(&["DELETE"]), "", &record("OLD", &old, "NULL")),
    ]
}
