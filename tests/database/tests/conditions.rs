//! Guards over mapped columns, against the interpreter.

use rusqlite::Connection;
use statespec_explore::machine_cases::Explored;
use statespec_lang::interpret::Request;
use statespec_lang::interpret::machine::plan;
use statespec_lang::model::{Configuration, FieldId, Machine, Value};
use statespec_sql::{Column, Engine, Mapping, Unit, Verdict, guard};

use crate::oracle::{machine, model};
use crate::server::server;
use crate::tables::{Database, mapping, quoted};

/// Guards that a trigger can decide.
const GUARDS: &[&str] = &[
    "n + 1 >= most",
    "n - most < 2",
    "n * most != 6 or flag",
    "not flag",
    "flag and not (n < most)",
    "name == 'xyz'",
    "name != 'xyz' and len(name) > 2",
    "name == other or flag",
    "tier == paid",
    "maybe == null",
    "maybe != null and maybe > n",
    "maybe == n",
    "maybe != 3",
    "nick == name",
    "at == null",
    "at != null and at < until",
    "at != null and at + 5m <= until",
    "at != null and until - at > pause",
    "price >= 1.50",
    "price < 2 or price == cost",
];

/// A machine with one guard, so that only the fields that it reads differ between contexts.
fn spec(guard: &str) -> String {
    format!(
        "machine: own\nenums: {{ tier: [free, paid] }}\ncontext:\n  n: int\n  most: {{ type: int, default: 3 }}\n  flag: bool\n  name: text\n  other: text\n  \
         tier: {{ type: tier, default: free }}\n  maybe: {{ type: int, optional: true }}\n  nick: {{ type: text, optional: true }}\n  \
         at: {{ type: timestamp, optional: true }}\n  until: {{ type: timestamp, default: 2026-01-31T12:00:00Z }}\n  pause: {{ type: duration, default: 5m }}\n  \
         price: decimal\n  cost: {{ type: decimal, default: 2.5 }}\nstates:\n  start: {{ initial: true }}\n  end:\nevents:\n  go:\n\
         transitions:\n  - {{ from: start, event: go, when: \"{guard}\", to: end }}\n"
    )
}

/// A value as SQL has it.
fn value(engine: Engine, machine: &Machine, field: usize, value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Bool(it) if engine == Engine::Sqlite => i32::from(*it).to_string(),
        Value::Bool(it) => it.to_string(),
        Value::Int(it) | Value::Duration(it) => it.to_string(),
        Value::Decimal(it) => it.to_string(),
        Value::Text(it) => quoted(Some(it)),
        Value::Enum(id, idx) => quoted(Some(&machine.enums[id.index()].values[*idx].wire)),
        // One of two times is a time of the engine, where it has some to the microsecond.
        Value::Timestamp(it) if engine == Engine::Postgres && machine.fields[field].name == "at" => {
            format!(
                "'epoch'::timestamptz + {} * interval '1 second' + {} * interval '1 microsecond'",
                it.div_euclid(1_000_000),
                it.rem_euclid(1_000_000)
            )
        }
        Value::Timestamp(it) => it.to_string(),
        Value::Reference(_) | Value::State(_) => unreachable!("the context has none"),
    }
}

/// Tries every guard in every context: how many are enforced, and where the database differs from the interpreter.
fn differences(database: &mut dyn Database, types: &[&str]) -> (usize, Vec<String>) {
    let engine = database.engine();
    let (mut n_enforced, mut n_contexts, mut n_refused, mut different) = (0, 0, 0, Vec::new());
    for guard in GUARDS {
        let model = machine(&spec(guard));
        let machine = &model.machines[0];
        let names: Vec<&str> = machine.fields.iter().map(|it| it.name.as_str()).collect();
        let column = |idx: usize| {
            let is_native = engine == Engine::Postgres && names[idx] == "at";
            let is_time = matches!(names[idx], "at" | "until" | "pause");
            (FieldId::new(idx), Column { name: format!("my {}", names[idx]), unit: (is_time && !is_native).then_some(Unit::Micros) })
        };
        let mapping = Mapping { columns: (0..names.len()).map(column).collect(), ..mapping(engine) };
        let columns: Vec<String> = names.iter().zip(types).map(|(name, ty)| format!("\"my {name}\" {ty}")).collect();
        let columns = columns.join(", ");
        database.run(&format!("DROP TABLE IF EXISTS jobs; CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT, {columns})")).unwrap();
        let guard = database.attach(machine, &mapping);
        let rule = guard.rules.iter().find(|it| it.what.starts_with("start → end ")).unwrap();
        n_enforced += usize::from(rule.verdict == Verdict::Enforced);

        let explored = Explored::new(&model, 0);
        let start = Configuration::from(machine.state_named("start").unwrap());
        let go = machine.event_named("go").unwrap();
        for (id, instance) in explored.instances(&start).iter().enumerate() {
            let values: Vec<String> = instance.context.iter().enumerate().map(|(idx, it)| value(engine, machine, idx, it)).collect();
            database.run(&format!("INSERT INTO jobs VALUES ({id}, 'start', {})", values.join(", "))).unwrap();
            let legal = plan(machine, Some(instance), Request::Event(go), &[], &[], &|_| false).is_ok();
            let done = database.attempt(&format!("UPDATE jobs SET status = 'end' WHERE id = {id}"));
            n_contexts += 1;
            n_refused += usize::from(!legal);
            if done.is_ok() != (legal || rule.verdict != Verdict::Enforced) {
                different.push(format!("{engine:?} {} in {:?}: {done:?}", rule.what, instance.context));
            }
        }
    }
    assert!(n_contexts > 150 && n_refused > 50, "{n_contexts} contexts, {n_refused} refused");
    different.truncate(10);
    (n_enforced, different)
}

#[test]
fn sqlite_decides_guards_as_the_interpreter_does() {
    let types =
        ["INTEGER", "INTEGER", "INTEGER", "TEXT", "TEXT", "TEXT", "INTEGER", "TEXT", "INTEGER", "INTEGER", "INTEGER", "TEXT", "TEXT"];
    // SQLite has no exact decimals.
    assert_eq!(differences(&mut Connection::open_in_memory().unwrap(), &types), (GUARDS.len() - 2, Vec::new()));
}

#[test]
fn postgresql_decides_guards_as_the_interpreter_does() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    let types = [
        "integer",
        "bigint",
        "boolean",
        "text",
        "varchar",
        "text",
        "int",
        "text",
        "timestamptz",
        "bigint",
        "bigint",
        "numeric",
        "numeric(10, 2)",
    ];
    assert_eq!(differences(&mut server.database().0, &types), (GUARDS.len(), Vec::new()));
}

/// A job that runs is taken over once its lease has expired, by the clock of the database.
fn leases(database: &mut dyn Database, ty: &str, past: &str, future: &str, unit: Option<Unit>) {
    let model = model();
    let job = model.machines.iter().find(|it| it.name == "run_job").unwrap();
    let lease = FieldId::new(job.fields.iter().position(|it| it.name == "lease_expires_at").unwrap());
    let reclaim = job.event_named("reclaim").unwrap();
    let (now, _) = job.payload_fields(reclaim).find(|(_, it)| it.name == "now").unwrap();
    let mut mapping = mapping(database.engine());
    mapping.columns.insert(lease, Column { name: "locked_until".into(), unit });
    database
        .run(&format!("DROP TABLE IF EXISTS jobs; CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT, locked_until {ty})"))
        .unwrap();
    let attempts = |database: &mut dyn Database| -> Vec<bool> {
        let times = ["NULL", past, future];
        times.iter().map(|it| {
            database.run(&format!("DELETE FROM jobs; INSERT INTO jobs VALUES (1, 'queued', {it}); UPDATE jobs SET status = 'claimed'; UPDATE jobs SET status = 'running'")).unwrap();
            database.attempt("UPDATE jobs SET status = 'claimed', locked_until = NULL").is_ok()
        }).collect()
    };
    // Without the clock the trigger knows only whether there is a lease, and one row is for each.
    let guard_without = database.attach(job, &mapping);
    assert_eq!(attempts(database), [true, true, true], "{ty}");
    let row = |guard: &statespec_sql::Guard| guard.rules.iter().find(|it| it.what.starts_with("running → claimed")).unwrap().clone();
    assert_eq!(row(&guard_without).verdict, Verdict::Statement);
    assert_eq!(
        row(&guard_without).because.as_deref(),
        Some("the edge is enforced, the guard in part: it reads `now`, which the event carries")
    );
    mapping.clock.insert((reclaim, now));
    let guard_with = database.attach(job, &mapping);
    assert_eq!(attempts(database), [true, true, false], "{ty}");
    assert_eq!(row(&guard_with).verdict, Verdict::Enforced);
}

#[test]
fn a_lease_is_compared_with_the_clock_of_the_database() {
    let mut sqlite = Connection::open_in_memory().unwrap();
    leases(&mut sqlite, "TEXT", "'2020-01-01 00:00:00'", "'2100-01-01T00:00:00Z'", None);
    leases(&mut sqlite, "INTEGER", "1577836800", "4102444800", Some(Unit::Seconds));
    leases(&mut sqlite, "INTEGER", "1577836800000", "4102444800000", Some(Unit::Millis));
    let Some(server) = server("guards in PostgreSQL") else { return };
    let mut client = server.database().0;
    leases(&mut client, "timestamptz", "'2020-01-01 00:00:00+00'", "'2100-01-01 00:00:00+00'", None);
    leases(&mut client, "timestamp", "'2020-01-01 00:00:00'", "'2100-01-01 00:00:00'", None);
    leases(&mut client, "bigint", "1577836800", "4102444800", Some(Unit::Seconds));
}

#[test]
fn what_a_trigger_does_not_enforce_is_said() {
    let model = model();
    let rules = |name: &str| {
        let machine = model.machines.iter().find(|it| it.name == name).unwrap();
        let mapping = Mapping { parts: statespec_sql::Part::of(model, machine, None), ..mapping(Engine::Postgres) };
        let rules = guard(machine, &mapping).unwrap().rules;
        rules
            .iter()
            .map(|it| {
                format!("{}: {}{}\n", it.what, it.verdict.word(), it.because.as_ref().map_or(String::new(), |it| format!(", because {it}")))
            })
            .collect::<String>()
    };
    let job = rules("run_job");
    assert!(job.contains("queued → claimed: enforced\n"), "{job}");
    assert!(job.contains("claimed, running → the same state on renew: enforced in the statement, because the state stays"), "{job}");
    assert!(job.contains("a row is deleted once it has ended: not, because `deletes` is `any`\n"), "{job}");
    let hop = rules("hop");
    assert!(
        hop.contains(
            "mission_hop: Mission is IN_PROGRESS before creating hops: not, because the tables of its parts are not known: `part` of `[[database]]` says which part a table has\n"
        ),
        "{hop}"
    );
    let agent = rules("session");
    assert!(agent.contains("BOOTSTRAP → PRESSURE on reasoning_begun when critical: "), "{agent}");
}
