//! Measures the store against the same statements by hand, on SQLite and on a server of PostgreSQL of its own, and writes the page of
//! the evidence: `cargo bench -p statespec-store`. `cargo bench -p statespec-store -- small` takes seconds, and says what it would
//! write; its numbers mean nothing.
//!
//! Both sides take turns within one run, so that ratios compare what one machine did at one time.

#[path = "../../../tests/support/checks.rs"]
mod checks;
#[path = "../../../tests/database/tests/server.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod server;

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration as Span, Instant};

use statespec::{Duration, Timestamp};
use statespec_machines::run_job::{Event, RunJob, State};
use statespec_store::{Column, Database, Engine, Kind, Lease, Outcome, Request, Step, Store, Table, wait};
use tokio_postgres::types::Type;
use tokio_postgres::{Client, NoTls};

type Jobs = Store<RunJob, State>;
type Failed = Box<dyn std::error::Error + Send + Sync>;

const HELD: Lease = Lease { expires: "lease_expires_at", free: &["queued"], held: &["claimed", "running"] };
const KEY: &[Column] = &[Column::new("id", Kind::Integer)];
const COLUMNS: &[Column] = &[Column { field: "lease_expires_at", name: "locked_until", kind: Kind::Timestamp }];
const LEASE: Duration = Duration::from_seconds(60);

/// How long it takes.
struct Size {
    n_rounds: usize,
    /// Steps of one side in a round.
    n_steps: usize,
    /// How long the clients of one side claim in a round.
    claims: Span,
    /// How long the transaction elsewhere is open.
    open: Span,
}

const WHOLE: Size = Size { n_rounds: 10, n_steps: 1000, claims: Span::from_secs(3), open: Span::from_secs(60) };
const SMALL: Size = Size { n_rounds: 2, n_steps: 50, claims: Span::from_millis(200), open: Span::from_secs(2) };

fn jobs(engine: Engine) -> Result<Jobs, Failed> {
    let table = Table::new(engine, "run_job", "jobs", KEY, "status", "rev");
    Ok(Store::new(Table { columns: COLUMNS, lease: Some(HELD), ..table })?)
}

fn renew() -> Step<'static, RunJob, State> {
    Step::at(|now| Step::event(Event::Renew { until: now + LEASE }))
}

fn claim() -> Step<'static, RunJob, State> {
    Step::at(|now| Step::event(Event::Claim { until: now + LEASE }))
}

/// Steps of one side in a second, in the best round, and the other one's.
fn best(times: &[Span], n: usize) -> f64 {
    times.iter().map(|it| n as f64 / it.as_secs_f64()).fold(0.0, f64::max)
}

/// Steps in a second on one file of SQLite: by the store, and by hand.
fn sqlite(size: &Size) -> Result<(f64, f64), Failed> {
    let folder = tempfile::tempdir()?;
    let mut connection = rusqlite::Connection::open(folder.path().join("measure.db"))?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
         CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT NOT NULL, rev INTEGER NOT NULL, locked_until TEXT);
         INSERT INTO jobs VALUES (1, 'claimed', 1, NULL), (2, 'claimed', 1, NULL);",
    )?;
    let jobs = jobs(Engine::Sqlite)?;
    let (mut store, mut hand) = (Vec::new(), Vec::new());
    for _ in 0..size.n_rounds {
        let start = Instant::now();
        for _ in 0..size.n_steps {
            let mut c = wait(connection.begin())?;
            let outcome = wait(jobs.apply(&mut c, Request::new(1, renew())))?;
            if !matches!(outcome, Outcome::Applied(_)) {
                return Err("the store did not renew".into());
            }
            c.commit()?;
        }
        store.push(start.elapsed());
        let start = Instant::now();
        for _ in 0..size.n_steps {
            let c = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            let read = "SELECT status, rev, locked_until, CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER) FROM jobs WHERE id = ?1";
            let (status, rev, _, now): (String, i64, Option<String>, i64) =
                c.prepare_cached(read)?.query_row([2], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
            if status != "claimed" {
                return Err("the row was not claimed".into());
            }
            let until = (Timestamp::from_micros(now * 1000) + LEASE).to_string();
            let update = "UPDATE jobs SET status = 'claimed', rev = rev + 1, locked_until = ?1 WHERE id = ?2 AND rev = ?3";
            if c.prepare_cached(update)?.execute((until, 2, rev))? != 1 {
                return Err("somebody was faster".into());
            }
            c.commit()?;
        }
        hand.push(start.elapsed());
    }
    Ok((best(&store, size.n_steps), best(&hand, size.n_steps)))
}

async fn connect(url: &str) -> Result<Client, Failed> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

/// Steps in a second on PostgreSQL, by one client: by the store, and by hand.
async fn postgres(url: &str, size: &Size) -> Result<(f64, f64), Failed> {
    let (jobs, mut client) = (jobs(Engine::Postgres)?, connect(url).await?);
    client.batch_execute("INSERT INTO jobs VALUES (-1, 'claimed', 1, NULL), (-2, 'claimed', 1, NULL)").await?;
    let (mut store, mut hand) = (Vec::new(), Vec::new());
    for _ in 0..size.n_rounds {
        let start = Instant::now();
        for _ in 0..size.n_steps {
            let mut c = client.begin().await?;
            let outcome = jobs.apply(&mut c, Request::new(-1, renew())).await?;
            if !matches!(outcome, Outcome::Applied(_)) {
                return Err("the store did not renew".into());
            }
            c.commit().await?;
        }
        store.push(start.elapsed());
        let start = Instant::now();
        for _ in 0..size.n_steps {
            let c = client.transaction().await?;
            let read = "SELECT status, rev, locked_until, (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint FROM jobs WHERE id = $1 FOR NO KEY UPDATE";
            let rows = c.query_typed(read, &[(&-2_i64, Type::INT8)]).await?;
            let row = rows.first().ok_or("there is no row")?;
            let (status, rev, now): (String, i64, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(3)?);
            if status != "claimed" {
                return Err("the row was not claimed".into());
            }
            let until = (Timestamp::from_micros(now) + LEASE).to_string();
            let update =
                "UPDATE jobs SET status = 'claimed', rev = rev + 1, locked_until = $1::text::timestamptz WHERE id = $2 AND rev = $3";
            if c.execute_typed(update, &[(&until, Type::TEXT), (&-2_i64, Type::INT8), (&rev, Type::INT8)]).await? != 1 {
                return Err("somebody was faster".into());
            }
            c.commit().await?;
        }
        hand.push(start.elapsed());
    }
    Ok((best(&store, size.n_steps), best(&hand, size.n_steps)))
}

/// Who claims and completes.
#[derive(Debug, Clone, Copy)]
enum Side {
    Store,
    /// The same in a transaction each: the row is selected, locked and passed over, and then updated.
    Hand,
    /// One statement each, without a transaction around it: nothing of the program can be in the same commit.
    OneStatement,
}

/// Claims and completes one job; `false` if there is none.
async fn one(client: &mut Client, jobs: &Jobs, side: Side) -> Result<bool, Failed> {
    const FIRST: &str = "SELECT id, rev FROM jobs WHERE status = 'queued' ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED";
    const COMPLETE: &str = "UPDATE jobs SET status = 'complete', rev = rev + 1 WHERE id = $1 AND rev = $2 AND status = 'claimed'";
    match side {
        Side::Store => {
            let mut c = client.begin().await?;
            let held = jobs.claim(&mut c, 1, "w", |_| vec![claim()]).await?;
            c.commit().await?;
            let Some(held) = held.into_iter().next() else { return Ok(false) };
            let mut c = client.begin().await?;
            let done = Step::direct(|it: &mut RunJob| it.transition_to(State::Complete));
            let outcome = jobs.apply(&mut c, Request::new(held.found.key, done).fence(held.found.version)).await?;
            c.commit().await?;
            matches!(outcome, Outcome::Applied(_)).then_some(true).ok_or_else(|| "the job was not completed".into())
        }
        Side::Hand => {
            let c = client.transaction().await?;
            let rows = c.query_typed(FIRST, &[]).await?;
            let Some(row) = rows.first() else { return Ok(false) };
            let (id, rev): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
            let update = "UPDATE jobs SET status = 'claimed', rev = rev + 1, locked_until = clock_timestamp() + interval '60 s' WHERE id = $1 AND rev = $2";
            c.execute_typed(update, &[(&id, Type::INT8), (&rev, Type::INT8)]).await?;
            c.commit().await?;
            let c = client.transaction().await?;
            let read = "SELECT status, rev FROM jobs WHERE id = $1 FOR NO KEY UPDATE";
            c.query_typed(read, &[(&id, Type::INT8)]).await?;
            let done = c.execute_typed(COMPLETE, &[(&id, Type::INT8), (&(rev + 1), Type::INT8)]).await?;
            c.commit().await?;
            (done == 1).then_some(true).ok_or_else(|| "the job was not completed".into())
        }
        Side::OneStatement => {
            let claim = format!(
                "WITH first AS ({FIRST}) UPDATE jobs SET status = 'claimed', rev = jobs.rev + 1, locked_until = clock_timestamp() + interval '60 s' \
                 FROM first WHERE jobs.id = first.id RETURNING jobs.id, jobs.rev"
            );
            let rows = client.query_typed(&claim, &[]).await?;
            let Some(row) = rows.first() else { return Ok(false) };
            let (id, rev): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
            let done = client.execute_typed(COMPLETE, &[(&id, Type::INT8), (&rev, Type::INT8)]).await?;
            (done == 1).then_some(true).ok_or_else(|| "the job was not completed".into())
        }
    }
}

/// Jobs in a second with so many clients, for so long, on new jobs.
async fn claims(url: &str, side: Side, n_clients: usize, time: Span) -> Result<f64, Failed> {
    // More than any side does in this time.
    let n_jobs = 10_000 + 8 * time.as_millis();
    let fill = format!("INSERT INTO jobs SELECT it, 'queued', 1, NULL FROM generate_series(1, {n_jobs}) AS it");
    connect(url).await?.batch_execute(&format!("TRUNCATE jobs; {fill}; ANALYZE jobs")).await?;
    let is_over = Arc::new(AtomicBool::new(false));
    let mut clients = Vec::new();
    for _ in 0..n_clients {
        let (mut client, jobs, is_over) = (connect(url).await?, jobs(Engine::Postgres)?, Arc::clone(&is_over));
        clients.push(tokio::spawn(async move {
            let mut n = 0_u32;
            while !is_over.load(Ordering::Relaxed) {
                if !one(&mut client, &jobs, side).await? {
                    return Err(Failed::from("there are too few jobs"));
                }
                n += 1;
            }
            Ok(n)
        }));
    }
    let start = Instant::now();
    tokio::time::sleep(time).await;
    is_over.store(true, Ordering::Relaxed);
    let mut n = 0;
    for it in clients {
        n += it.await??;
    }
    Ok(f64::from(n) / start.elapsed().as_secs_f64())
}

/// The page, measured on a database without tables.
async fn page(url: &str, size: &Size) -> Result<String, Failed> {
    let table = "CREATE TABLE jobs (id bigint PRIMARY KEY, status text NOT NULL, rev bigint NOT NULL, locked_until timestamptz);
        CREATE INDEX ON jobs (id) WHERE status = 'queued'";
    connect(url).await?.batch_execute(table).await?;
    let mut page = "# The store, measured\n\n\
        `cargo bench -p statespec-store` measures everything here and writes this page.\n\
        Both sides take turns in one run, on a server (without `fsync`) and a file that nobody else uses, so that their ratio counts, and nothing else.\n\
        What was tried against faults is in [the guide](../guide/store.md#what-was-tried).\n\n\
        | What | Store, per second | By hand, per second | Ratio | Aim |\n| --- | --: | --: | --: | --: |\n"
        .to_owned();
    let mut line = |what: &str, store: f64, hand: f64, aim: &str| {
        let _ = writeln!(page, "| {what} | {store:.0} | {hand:.0} | {:.2} | {aim} |", store / hand);
    };
    let (store, hand) = sqlite(size)?;
    line("`apply` on SQLite: read, renew, write, commit", store, hand, "0.8");
    let (store, hand) = postgres(url, size).await?;
    line("`apply` on PostgreSQL: read and lock, renew, write, commit", store, hand, "0.9");
    for n_clients in [1, 4, 16] {
        let mut most = [0.0_f64; 3];
        for _ in 0..size.n_rounds.div_ceil(5) {
            for (idx, side) in [Side::Store, Side::Hand, Side::OneStatement].into_iter().enumerate() {
                most[idx] = most[idx].max(claims(url, side, n_clients, size.claims).await?);
            }
        }
        let what = format!("claim and complete on PostgreSQL, clients: {n_clients}");
        line(&format!("{what}, against two transactions"), most[0], most[1], "0.9");
        line(&format!("{what}, against two statements without a transaction"), most[0], most[2], "");
    }
    let alone = claims(url, Side::Store, 4, size.open).await?;
    // It has a snapshot and an id: nothing that dies meanwhile can be cleaned up.
    let mut elsewhere = connect(url).await?;
    let open = elsewhere.transaction().await?;
    open.batch_execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SELECT pg_current_xact_id()").await?;
    let beside = claims(url, Side::Store, 4, size.open).await?;
    open.rollback().await?;
    let seconds = size.open.as_secs();
    line(
        &format!("claim and complete, 4 clients, for {seconds} s: with a transaction open elsewhere, against itself"),
        beside,
        alone,
        "0.5",
    );
    page.push_str(
        "\nA claim and a completion are two transactions with two statements each, on both sides.\n\
        No statement is prepared, so that a pooler may give each transaction another connection: the server parses and plans each one anew, \
        and the parser and the planner lead its profile.\n\
        The statement of the store is longer: it reads all that a machine has, each column as a text, and the time.\n\
        On SQLite, where statements are kept, the rest is the machine, which becomes JSON and comes from it.\n\
        Beside a transaction that stays open, no row that a claim has left can be cleaned up, and each claim walks over all of them.\n",
    );
    Ok(page)
}

fn main() -> Result<(), Failed> {
    // Cargo says `--bench`.
    let is_small = match &std::env::args().skip(1).filter(|it| it != "--bench").collect::<Vec<_>>()[..] {
        [] => false,
        [it] if it == "small" => true,
        other => return Err(format!("expected nothing or `small`: {other:?}").into()),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let server = server::server("the store, measured").ok_or("there is no PostgreSQL")?;
    let (_, name) = server.database();
    let page = runtime.block_on(page(&server.url(&name), if is_small { &SMALL } else { &WHOLE }))?;
    if is_small {
        return Ok(std::io::Write::write_all(&mut std::io::stdout(), page.as_bytes())?);
    }
    Ok(std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/evidence/store.md"), page)?)
}
