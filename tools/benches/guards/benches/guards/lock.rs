//! How long a table of PostgreSQL is locked: from the first statement that locks it to the end of the transaction.

use std::time::Instant;

use postgres::Client;
use statespec_lang::model::{Model, StateId};
use statespec_sql::{Engine, Revision, Step, attach, guard, migration};

use crate::Effort;
use crate::page::Row;
use crate::server::Server;
use crate::setting::{mapping, model};

/// Whether this transaction has a lock on the table that lets no writer pass.
const IS_LOCKED: &str = "SELECT EXISTS (SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND relation = 'jobs'::regclass \
                         AND mode IN ('ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'))";

/// Runs a step in a transaction; the milliseconds for which writers wait.
fn run(client: &mut Client, statements: &[String]) -> f64 {
    // The first time shows which statement locks, and is undone.
    client.batch_execute("BEGIN").expect("a transaction");
    let mut first = statements.len();
    for (idx, sql) in statements.iter().enumerate() {
        client.batch_execute(sql).expect("the step runs");
        if client.query_one(IS_LOCKED, &[]).expect("the server answers").get(0) {
            first = idx;
            break;
        }
    }
    client.batch_execute("ROLLBACK").expect("it is undone");
    let text = |some: &[String]| some.iter().map(|it| format!("{it};\n")).collect::<String>();
    client.batch_execute(&format!("BEGIN;\n{}", text(&statements[..first]))).expect("the step runs");
    let begin = Instant::now();
    client.batch_execute(&format!("{}COMMIT", text(&statements[first..]))).expect("the step runs");
    let took = begin.elapsed().as_secs_f64() * 1e3;
    if first == statements.len() { 0.0 } else { took }
}

/// The state of the later machine for each one of the earlier machine.
fn states(old: &Model, new: &Model) -> Vec<Option<StateId>> {
    let (old, new) = (&old.machines[0], &new.machines[0]);
    let name = |it: &str| if it == "queued" { "waiting" } else { it }.to_owned();
    let same = |name: String| new.leaves().find(|it| new.state(*it).name == name);
    old.states.iter().map(|it| same(name(&it.name))).collect()
}

pub(crate) fn measure(server: &Server, effort: Effort) -> Vec<Row> {
    let (old, new) = (model("examples/show/machines/job.yaml"), model("examples/show/next/job.yaml"));
    let mapping = mapping(Engine::Postgres, false);
    let first = attach(&guard(&old.machines[0], &mapping).expect("a guard"), &mapping);
    let revision = |model| Revision { machine: model, mapping: &mapping };
    let way = migration(revision(&old.machines[0]), revision(&new.machines[0]), &states(&old, &new)).expect("a way");
    let n_rows = effort.n_locked_rows;
    let (mut client, _) = server.database();
    let table = format!(
        "CREATE TABLE jobs (id bigint PRIMARY KEY, status text NOT NULL, payload text NOT NULL) WITH (autovacuum_enabled = false);
         INSERT INTO jobs SELECT i, (ARRAY['queued', 'claimed', 'running', 'complete', 'failed'])[i % 5 + 1], repeat('x', 80)
         FROM generate_series(1, {n_rows}) AS i;"
    );
    client.batch_execute(&table).expect("the table is made");
    let steps: Vec<&Step> = first.steps.iter().chain(&way.steps).collect();
    let mut took = vec![Vec::new(); steps.len()];
    for _ in 0..effort.n_turns.min(5) {
        client.batch_execute("VACUUM ANALYZE jobs").expect("it runs");
        for (step, took) in steps.iter().zip(&mut took) {
            took.push(run(&mut client, &step.up));
        }
        for step in steps.iter().rev() {
            run(&mut client, &step.down);
        }
    }
    let rows = steps.iter().zip(took).map(|(step, values)| {
        let what = format!("PostgreSQL, {n_rows} rows, writers wait for `{}`", step.name);
        Row { what, reach: "100 ms", unit: " ms", values }
    });
    rows.collect()
}
