//! From one revision of a machine to the next one, while programs of both write.
//!
//! ```text
//! expand    the guard of both revisions: what one of them allows, and a state under its earlier and its later name
//! move      rows get the later names of their states
//! contract  nothing may be left in a state that the later revision lacks; then its guard alone
//! ```
//!
//! The graph of a guard is in functions and triggers, so that no step adds a constraint to the table or rewrites it.

use std::collections::BTreeSet;

use statespec_lang::model::{Machine, StateId, Type};
use statespec_lang::program::Program;

use super::dialect::name;
use super::guard::{Guard, Objection, guard, objects, unfit};
use super::mapping::{Engine, Kind, Mapping};
use super::objects::ObjectKind;
use super::plan::{Earlier, Plan, prefix};
use super::{postgres, sqlite};

/// One revision: a machine and its mapping to the table.
#[derive(Debug, Clone, Copy)]
pub struct Revision<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// The mapping.
    pub mapping: &'a Mapping,
}

/// A step of a migration. Each is a file, and runs in one transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The name: `expand`, `move` or `contract`, or `attach`.
    pub name: &'static str,
    /// When it may run, for readers: a sentence.
    pub when: &'static str,
    /// The statements, each without its semicolon.
    pub up: Vec<String>,
    /// The statements that undo it.
    pub down: Vec<String>,
}

/// Values that must be gone before the later revision stands alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// The column: that of the state, or of a field that has a state.
    pub column: String,
    /// The values that no state has in the other revision.
    pub values: Vec<String>,
}

/// The way from one revision to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Migration {
    /// The steps, in their order; none if the database need not change.
    pub steps: Vec<Step>,
    /// The values that rows may have no more.
    pub removed: Vec<Removed>,
    /// The values that rows get, by those that they have.
    pub renamed: Vec<(String, String)>,
}

/// The way from one revision to another one. `states` has for each state of the earlier machine the one of the later machine.
///
/// # Errors
///
/// One of the two has no guard, the column differs, or a value means another state than before.
pub fn migration(old: Revision<'_>, new: Revision<'_>, states: &[Option<StateId>]) -> Result<Migration, Vec<Objection>> {
    let (before, after) = (guard(old.machine, old.mapping)?, guard(new.machine, new.mapping)?);
    let later = |guard: &Guard, idx: usize| -> Option<Vec<StateId>> {
        guard.graph.states[idx].configuration.leaves().map(|it| states.get(it.index()).copied().flatten()).collect()
    };
    let mut renamed: Vec<(String, String)> = Vec::new();
    let mut objections = Vec::new();
    for (idx, value) in before.stored.iter().enumerate() {
        let same = later(&before, idx).and_then(|leaves| {
            let leaves: BTreeSet<StateId> = leaves.into_iter().collect();
            after.graph.states.iter().position(|it| it.configuration.leaves().collect::<BTreeSet<_>>() == leaves)
        });
        let Some(same) = same.map(|it| &after.stored[it]) else { continue };
        if same != value {
            renamed.push((value.clone(), same.clone()));
            if after.stored.contains(value) || before.stored.contains(same) {
                let message = format!("`{value}` and `{same}` are states of both revisions, and rows change from one to the other");
                objections
                    .push(Objection { message, help: "rename a state in one revision, and use its name again in a later one".to_owned() });
            }
        }
    }
    if !objections.is_empty() {
        return Err(objections);
    }
    let removed_from = |old: &Guard, new: &Guard| -> Vec<String> {
        let is_moved = |it: &String| renamed.iter().any(|(a, b)| a == it || b == it);
        old.stored.iter().filter(|it| !new.stored.contains(it) && !is_moved(it)).cloned().collect()
    };
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    let note = |list: &mut Vec<Removed>, column: &str, values: Vec<String>| {
        if !values.is_empty() {
            list.push(Removed { column: column.to_owned(), values });
        }
    };
    note(&mut removed, &new.mapping.state, removed_from(&before, &after));
    note(&mut added, &new.mapping.state, removed_from(&after, &before));
    let histories = histories(old, new, states);
    // With numbers in the column of the state, only a history has the names in storage.
    let written = histories.iter().flat_map(|it| {
        let renamed = it.renamed.iter().flat_map(|(before, after)| [before, after]);
        renamed.chain(&it.removed).chain(&it.added)
    });
    let unfit: Vec<Objection> = written.filter_map(|it| unfit(it)).collect();
    if !unfit.is_empty() {
        return Err(unfit);
    }
    for it in &histories {
        note(&mut removed, &it.column, it.removed.clone());
        note(&mut added, &it.column, it.added.clone());
    }

    let both = both(old, new, (&before, &after), &renamed);
    let mut steps = Vec::new();
    if both != after.script_statements() || before.script_statements() != after.script_statements() {
        let mut up = enum_values(new.mapping, &before, &after);
        up.extend(both.iter().cloned());
        let mut down = preflight(old, &added);
        down.extend(before.script_statements());
        steps.push(Step { name: "expand", when: "Run it before the first program of the later revision writes.", up, down });
    }
    let (mut up, mut down) = (Vec::new(), Vec::new());
    for (column, renamed, kind) in histories
        .iter()
        .map(|it| (&it.column, &it.renamed, Kind::Text))
        .chain([(&new.mapping.state, &renamed, new.mapping.kind)])
        .filter(|it| !it.1.is_empty())
    {
        for (before, after) in renamed {
            up.push(set(new.mapping, column, kind, before, after));
            down.push(set(new.mapping, column, kind, after, before));
        }
    }
    if !up.is_empty() {
        let timeout = timeout(new.mapping.engine);
        up.splice(0..0, timeout.clone());
        down.splice(0..0, timeout);
        let when = "Run it once no program of the earlier revision writes, and before the last step.";
        steps.push(Step { name: "move", when, up, down });
    }
    if both != after.script_statements() {
        let mut gone = removed.clone();
        let old_names: Vec<String> = renamed.iter().map(|it| it.0.clone()).collect();
        match gone.iter_mut().find(|it| it.column == new.mapping.state) {
            Some(it) => it.values.extend(old_names),
            None => note(&mut gone, &new.mapping.state, old_names),
        }
        let mut up = preflight(new, &gone);
        up.extend(after.script_statements());
        let when = "Run it once no program of the earlier revision writes.";
        steps.push(Step { name: "contract", when, up, down: both });
    }
    Ok(Migration { steps, removed, renamed })
}

/// The way from a table without a guard.
pub fn attach(guard: &Guard, mapping: &Mapping) -> Migration {
    let mut down = timeout(mapping.engine);
    let own = guard.triggers().filter_map(|it| match &it.kind {
        ObjectKind::Trigger { on, .. } if *on == mapping.table => Some(&it.name),
        _ => None,
    });
    down.extend(own.map(|it| match mapping.engine {
        Engine::Postgres => format!("DROP TRIGGER IF EXISTS {} ON {}", name(it), table(mapping)),
        Engine::Sqlite => format!("DROP TRIGGER IF EXISTS {}", name(it)),
    }));
    let when = "Run it once every row is in a state of the graph: `statespec db check` lists the others.";
    let step = Step { name: "attach", when, up: guard.script_statements(), down };
    Migration { steps: vec![step], removed: Vec::new(), renamed: Vec::new() }
}

impl Guard {
    fn script_statements(&self) -> Vec<String> {
        self.objects.iter().map(|it| it.sql.clone()).collect()
    }
}

/// The guard of both revisions.
fn both(old: Revision<'_>, new: Revision<'_>, (before, after): (&Guard, &Guard), renamed: &[(String, String)]) -> Vec<String> {
    let (of_old, of_new) = (Program::of(old.machine), Program::of(new.machine));
    let mut stored = after.stored.clone();
    stored.extend(before.stored.iter().filter(|it| !after.stored.contains(it)).cloned());
    let earlier = Plan { program: &of_old, mapping: old.mapping, graph: &before.graph, stored: &before.stored, earlier: None };
    let earlier = Earlier { plan: &earlier, renamed };
    let plan = Plan { program: &of_new, mapping: new.mapping, graph: &after.graph, stored: &stored, earlier: Some(earlier) };
    objects(&plan).into_iter().map(|it| it.sql).collect()
}

/// A column with the state of a history, and what becomes of its values.
struct History {
    column: String,
    renamed: Vec<(String, String)>,
    removed: Vec<String>,
    added: Vec<String>,
}

fn histories(old: Revision<'_>, new: Revision<'_>, states: &[Option<StateId>]) -> Vec<History> {
    let columns = |it: Revision<'_>| -> BTreeSet<String> {
        let fields = it.mapping.columns.iter().filter(|(field, _)| it.machine.fields[field.index()].ty == Type::State);
        fields.map(|(_, column)| column.name.clone()).collect()
    };
    let after = columns(new);
    let wires = |machine: &Machine| -> BTreeSet<String> { machine.leaves().map(|it| machine.state(it).wire.clone()).collect() };
    let (olds, news) = (wires(old.machine), wires(new.machine));
    let mut renamed: Vec<(String, String)> = Vec::new();
    for leaf in old.machine.leaves() {
        let (was, is) = (&old.machine.state(leaf).wire, states[leaf.index()].map(|it| &new.machine.state(it).wire));
        renamed.extend(is.filter(|it| *it != was).map(|it| (was.clone(), it.clone())));
    }
    let other = |values: &BTreeSet<String>, known: &BTreeSet<String>| -> Vec<String> {
        values.difference(known).filter(|it| !renamed.iter().any(|(a, b)| a == *it || b == *it)).cloned().collect()
    };
    let (removed, added) = (other(&olds, &news), other(&news, &olds));
    let of = |column: String| History { column, renamed: renamed.clone(), removed: removed.clone(), added: added.clone() };
    columns(old).into_iter().filter(|it| after.contains(it)).map(of).collect()
}

fn timeout(engine: Engine) -> Vec<String> {
    match engine {
        Engine::Postgres => vec!["SET LOCAL lock_timeout = '2s'".to_owned()],
        Engine::Sqlite => Vec::new(),
    }
}

/// An enum of the database gets the values that only the later revision has. No value of an enum can be removed.
fn enum_values(mapping: &Mapping, before: &Guard, after: &Guard) -> Vec<String> {
    if mapping.kind != Kind::Enum {
        return Vec::new();
    }
    let statement = |value: &String| {
        let ty = format!(
            "SELECT a.atttypid::pg_catalog.regtype FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid \
             WHERE a.attrelid = {}::pg_catalog.regclass AND a.attname = {} AND t.typtype = 'e'",
            postgres::literal(&postgres::table(&mapping.table)),
            postgres::literal(&mapping.state)
        );
        format!(
            "DO $statespec$\nDECLARE\n  ty pg_catalog.regtype := ({ty});\nBEGIN\n  IF ty IS NOT NULL THEN\n    \
             EXECUTE pg_catalog.format('ALTER TYPE %s ADD VALUE IF NOT EXISTS %L', ty, {});\n  END IF;\nEND $statespec$",
            postgres::literal(value)
        )
    };
    after.stored.iter().filter(|it| !before.stored.contains(it)).map(statement).collect()
}

fn literal(mapping: &Mapping, kind: Kind, value: &str) -> String {
    match (mapping.engine, kind) {
        (_, Kind::Integer) => value.to_owned(),
        (Engine::Postgres, _) => postgres::literal(value),
        (Engine::Sqlite, _) => sqlite::literal(value),
    }
}

fn table(mapping: &Mapping) -> String {
    match mapping.engine {
        Engine::Postgres => postgres::table(&mapping.table),
        Engine::Sqlite => name(&mapping.table.name),
    }
}

fn set(mapping: &Mapping, column: &str, kind: Kind, from: &str, to: &str) -> String {
    let column = name(column);
    let (from, to) = (literal(mapping, kind, from), literal(mapping, kind, to));
    // A version grows with each write, as a journal has it.
    let version = mapping.version.as_ref().map(|it| format!(", {0} = {0} + 1", name(it))).unwrap_or_default();
    format!("UPDATE {} SET {column} = {to}{version} WHERE {column} = {from}", table(mapping))
}

/// Stops the migration, before it changed anything, if a row has one of these values.
///
/// On PostgreSQL writers wait until the transaction ends: a row that another transaction writes meanwhile would not be seen.
fn preflight(of: Revision<'_>, removed: &[Removed]) -> Vec<String> {
    let (machine, mapping) = (&of.machine.name, of.mapping);
    let mut statements = Vec::new();
    if removed.is_empty() {
        return statements;
    }
    if mapping.engine == Engine::Postgres {
        statements.extend(timeout(mapping.engine));
        statements.push(format!("LOCK TABLE {} IN SHARE ROW EXCLUSIVE MODE", table(mapping)));
    }
    for (idx, it) in removed.iter().enumerate() {
        let column = name(&it.column);
        let shown = it.values.join(", ");
        match mapping.engine {
            Engine::Postgres => {
                let values: Vec<String> = it.values.iter().map(|it| postgres::literal(it)).collect();
                let condition =
                    format!("{column}::pg_catalog.text COLLATE pg_catalog.\"C\" = ANY (ARRAY[{}]::pg_catalog.text[])", values.join(", "));
                let keys: Vec<String> = mapping.key.iter().map(|it| name(it)).collect();
                let escaped = |it: &str| it.replace('%', "%%");
                let message = format!("{machine}: % rows have a removed value of {}: {}", escaped(&it.column), escaped(&shown));
                statements.push(format!(
                    "DO $statespec$\nDECLARE\n  n_rows pg_catalog.int8;\n  first_keys pg_catalog.text;\nBEGIN\n  \
                     SELECT pg_catalog.count(*) INTO n_rows FROM {0} WHERE {condition};\n  IF n_rows > 0 THEN\n    \
                     SELECT pg_catalog.string_agg(k, '; ') INTO first_keys FROM (SELECT pg_catalog.concat_ws(', ', {1}) AS k FROM {0} WHERE {condition} ORDER BY {1} LIMIT 10) AS first;\n    \
                     RAISE EXCEPTION {2}, n_rows USING ERRCODE = '23514', HINT = 'move them on first; keys: ' || first_keys;\n  END IF;\nEND $statespec$",
                    table(mapping),
                    keys.join(", "),
                    postgres::literal(&message)
                ));
            }
            Engine::Sqlite => {
                // A script of SQLite cannot raise an error by itself; the name of a constraint is the text of this one.
                let values: Vec<String> = it.values.iter().map(|it| sqlite::literal(it)).collect();
                let probe = name(&format!("{}removed_{}", prefix(machine), idx + 1));
                let message = format!("{machine}: rows have a removed value of {} ({shown}); statespec db plan lists them", it.column);
                // A driver may create it outside of the transaction, so that it stays if the check fails.
                statements.push(format!("DROP TABLE IF EXISTS {probe}"));
                statements.push(format!("CREATE TABLE {probe} (n_rows INTEGER CONSTRAINT {} CHECK (n_rows = 0))", name(&message)));
                statements.push(format!(
                    "INSERT INTO {probe} SELECT count(*) FROM {} WHERE CAST({column} AS TEXT) COLLATE BINARY IN ({})",
                    table(mapping),
                    values.join(", ")
                ));
                statements.push(format!("DROP TABLE {probe}"));
            }
        }
    }
    statements
}
