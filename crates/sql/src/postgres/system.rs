//! The rows of a system on PostgreSQL: a foreign key to the owner, and a trigger that checks the invariants when a transaction ends.
//!
//! The trigger reads the rows as they are then. In READ COMMITTED each of its statements sees what has been committed meanwhile, so
//! that a transaction which waited at the fence sees what it waited for.

use super::super::dialect::name;
use super::super::objects::{Object, ObjectKind, Timing};
use super::super::plan::Plan;
use super::{SCHEMA, block, dropped, function_name, function_of, key, literal, refuse, same, table, trigger};

/// The last word of the names of the trigger and its function.
const INVARIANTS: &str = "invariants";

pub(super) fn objects(plan: &Plan<'_>) -> Vec<Object> {
    if plan.mapping.membership.is_none() {
        return Vec::new();
    }
    let membership = plan.membership().filter(|it| !it.invariants.is_empty());
    let mut objects: Vec<Object> = reference(plan).into_iter().collect();
    let Some(membership) = membership else {
        objects.push(dropped(plan, INVARIANTS));
        return objects;
    };
    if let Some(fence) = membership.fence() {
        let sql =
            format!("CREATE TABLE IF NOT EXISTS {SCHEMA}.{} (part text, id text, n bigint NOT NULL, PRIMARY KEY (part, id))", name(&fence));
        objects.push(Object { name: fence, kind: ObjectKind::Table, sql });
    }
    // It reads other tables, and all of their rows, whatever the program may read.
    objects.push(function_of(plan, INVARIANTS, body(plan), true));
    let timing = Timing { deferred: true, ..Timing::after(&["INSERT", "UPDATE"]) };
    objects.push(trigger(&plan.name(INVARIANTS), &plan.mapping.table, timing, &function_name(plan, INVARIANTS)));
    objects
}

/// The foreign key to the owner, unless the table has one. It is valid for new rows; `db check` reports what is left to validate.
fn reference(plan: &Plan<'_>) -> Option<Object> {
    let owner = plan.membership()?.owner.as_ref()?;
    let (on, to, reference) = (table(&plan.mapping.table), table(&owner.table), plan.name("owner"));
    let position = |table: &str, column: &str| {
        format!(
            "ARRAY[(SELECT attnum FROM pg_catalog.pg_attribute WHERE attrelid = {}::pg_catalog.regclass AND attname = {})]",
            literal(table),
            literal(column)
        )
    };
    let condition = format!(
        "NOT EXISTS (\n    SELECT FROM pg_catalog.pg_constraint WHERE contype = 'f' AND conrelid = {}::pg_catalog.regclass\n      \
         AND confrelid = {}::pg_catalog.regclass\n      AND conkey = {}\n      AND confkey = {}\n  )",
        literal(&on),
        literal(&to),
        position(&on, &owner.column),
        position(&to, &owner.key)
    );
    let then = format!(
        "    ALTER TABLE {on} ADD CONSTRAINT {} FOREIGN KEY ({}) REFERENCES {to} ({}) NOT VALID;\n",
        name(&reference),
        name(&owner.column),
        name(&owner.key)
    );
    let kind = ObjectKind::Reference {
        on: plan.mapping.table.clone(),
        column: owner.column.clone(),
        to: owner.table.clone(),
        key: owner.key.clone(),
    };
    Some(Object { name: reference, kind, sql: block(&condition, &then) })
}

/// A row keeps its owner.
pub(super) fn same_owner(plan: &Plan<'_>) -> String {
    let Some(owner) = plan.membership().and_then(|it| it.owner.as_ref()) else { return String::new() };
    let refuse = refuse(plan, "owner", "%: a row keeps its owner", &[key(plan, "OLD")], "'insert another row'");
    format!("  IF NOT {} THEN\n{refuse}  END IF;\n", same(&owner.column))
}

/// A row has an owner.
pub(super) fn has_owner(plan: &Plan<'_>) -> String {
    let Some(owner) = plan.membership().and_then(|it| it.owner.as_ref()) else { return String::new() };
    let hint = literal(&format!("set {} to a row of {}", owner.column, owner.table));
    let refuse = refuse(plan, "owner", "%: a row without its owner", &[key(plan, "NEW")], &hint);
    format!("  IF NEW.{} IS NULL THEN\n{refuse}  END IF;\n", name(&owner.column))
}

fn body(plan: &Plan<'_>) -> String {
    let Some(membership) = plan.membership() else { return String::new() };
    let mut body = "\nDECLARE\n  k text;\nBEGIN\n".to_owned();
    let unchanged: Vec<String> = membership.read.iter().map(|it| same(it)).collect();
    let unchanged = if unchanged.is_empty() { "true".to_owned() } else { unchanged.join(" AND ") };
    body.push_str("  -- Nothing that an invariant reads: a program may write every column.\n");
    body.push_str(&format!("  IF TG_OP = 'UPDATE' THEN\n    IF {unchanged} THEN\n      RETURN NULL;\n    END IF;\n  END IF;\n"));
    let mut fences: Vec<&(String, String)> = membership.invariants.iter().filter_map(|it| it.fence.as_ref()).collect();
    fences.sort();
    fences.dedup();
    if let (false, Some(fence)) = (fences.is_empty(), membership.fence()) {
        body.push_str("  -- Of two transactions about the same rows, the second waits here until the first has ended.\n");
        for (part, key) in fences {
            body.push_str(&format!(
                "  k := ({key});\n  IF k IS NOT NULL THEN\n    INSERT INTO {SCHEMA}.{} AS f (part, id, n) VALUES ({}, k, 1)\n      \
                 ON CONFLICT (part, id) DO UPDATE SET n = f.n + 1;\n  END IF;\n",
                name(&fence),
                literal(part)
            ));
        }
    }
    for it in &membership.invariants {
        let message = literal(&format!("{}: %", membership.system.replace('%', "%%")));
        body.push_str(&format!(
            "  {} AND {} LIMIT 1 INTO k;\n  IF FOUND THEN\n    RAISE EXCEPTION {message}, {}\n      \
             USING ERRCODE = '23514', CONSTRAINT = {}, TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA, HINT = 'broken by ' || k;\n  END IF;\n",
            it.broken,
            it.about,
            literal(&it.doc),
            literal(&function_name(plan, INVARIANTS)),
        ));
    }
    body.push_str("  RETURN NULL;\nEND ");
    body
}
