//! What may be wrong with a database: a file that takes no writes, an older schema, a session that ends, transactions that wait for
//! each other, a pooler that gives each transaction another session, and transactions that commit out of order.

use std::pin::{Pin, pin};
use std::task::Poll;

use statespec::Duration;
use statespec_machines::{mysis, run_job};
use statespec_store::{Birth, Class, Connection, Database, Engine, Error, Outcome, Request, Step, create, raise};

use crate::checks::in_full;
use crate::kit::{Kit, Postgres, on_postgres, on_sqlx_postgres, runtime};
use crate::server::private;

fn to(state: run_job::State) -> Step<'static, run_job::RunJob, run_job::State> {
    Step::direct(move |job: &mut run_job::RunJob| job.transition_to(state))
}

/// Two jobs, and a Mysis that runs.
async fn filled<K: Kit>(kit: &K) {
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    for id in 1..=2 {
        let _ = kit.jobs().create(&mut c, id, Birth::new(run_job::RunJob::new()), None, None).await.unwrap();
    }
    let birth = create!(mysis::Mysis::<String>::create, mysis::Event::Create).unwrap().unwrap();
    let _ = kit.myses().create(&mut c, "a", birth, None, None).await.unwrap();
    K::Database::commit(c).await.unwrap();
}

/// Each write fails with this class, after a statement of the session; then the database is as it was, and the same works.
async fn fails_as<K: Kit>(kit: &K, class: Class, begin: &[&str]) {
    filled(kit).await;
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    for statement in begin {
        c.query(statement, &[]).await.unwrap();
    }
    // Long enough for another page of a file.
    let body = "hello ".repeat(4000);
    let mut errors = Vec::new();
    // On PostgreSQL, one error is the last one of a transaction.
    for _ in 0..if K::ENGINE == Engine::Sqlite { 2 } else { 1 } {
        let start = async |c: &mut _| {
            let outcome = kit.myses().apply(c, Request::new("a", raise!(mysis::Event::Start))).await?;
            let said = kit.myses().apply(c, Request::new("a", raise!(mysis::Event::Message { body: body.as_str() }))).await?;
            Ok::<_, Error>((outcome, said))
        };
        errors.push(start(&mut c).await.map(drop).unwrap_err());
    }
    assert!(errors.iter().all(|it| it.class() == class && !it.is_retryable()), "{errors:?}");
    drop(c);
    drop(database);
    let rows = kit.ask("SELECT state FROM myses").await;
    assert_eq!(rows, [[Some("idle".to_owned())]]);
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    let outcome = kit.myses().apply(&mut c, Request::new("a", raise!(mysis::Event::Start))).await.unwrap();
    K::Database::commit(c).await.unwrap();
    assert!(outcome.applied().is_some());
}

pub(crate) async fn a_database_that_only_reads_takes_no_writes<K: Kit>(kit: &K) {
    match K::ENGINE {
        Engine::Sqlite => fails_as(kit, Class::Unwritable, &["PRAGMA query_only = 1"]).await,
        Engine::Postgres => fails_as(kit, Class::Unwritable, &["SET TRANSACTION READ ONLY"]).await,
    }
}

/// On SQLite, the file may have no further page. A server whose disk is full is made by a trigger that says what it says.
pub(crate) async fn a_full_disk_takes_no_writes<K: Kit>(kit: &K) {
    if K::ENGINE == Engine::Sqlite {
        return fails_as(kit, Class::Unwritable, &["PRAGMA max_page_count = 1"]).await;
    }
    let full = "CREATE FUNCTION pg_temp.no_space() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$";
    fails_as(
        kit,
        Class::Unwritable,
        &[full, "CREATE TRIGGER no_space BEFORE INSERT ON statespec.mysis_outbox EXECUTE FUNCTION pg_temp.no_space()"],
    )
    .await;
}

pub(crate) async fn an_older_schema_is_told<K: Kit>(kit: &K) {
    fails_as(kit, Class::Schema, &[&format!("DROP TABLE {}", kit.own("mysis_outbox"))]).await;
    let table = statespec_store::Table { version: "lacks", ..*kit.jobs().table() };
    let jobs = crate::kit::Jobs::new(table).unwrap();
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    let error = jobs.load(&mut c, &1.into()).await.unwrap_err();
    // SQLite takes a name in double quotes that it does not know for a text.
    assert!(
        matches!((K::ENGINE, error.class()), (Engine::Postgres, Class::Schema) | (Engine::Sqlite, Class::Unfit | Class::Schema)),
        "{error}"
    );
}

/// Two transactions that take two jobs in opposite orders: the server ends one, which is tried again.
async fn a_deadlock_is_retryable<K: Kit>(kit: &K) {
    filled(kit).await;
    let jobs = kit.jobs();
    let (mut first, mut second) = (kit.open().await, kit.open().await);
    let (mut a, mut b) = (first.begin().await.unwrap(), second.begin().await.unwrap());
    for c in [&mut a, &mut b] {
        c.query("SELECT set_config('deadlock_timeout', '10ms', true)", &[]).await.unwrap();
    }
    let claim = |id| Request::new(id, to(run_job::State::Claimed));
    jobs.apply(&mut a, claim(1)).await.unwrap().applied().unwrap();
    jobs.apply(&mut b, claim(2)).await.unwrap().applied().unwrap();
    let one = async {
        let result = jobs.apply(&mut a, claim(2)).await;
        drop(a);
        result
    };
    let other = async {
        let result = jobs.apply(&mut b, claim(1)).await;
        drop(b);
        result
    };
    let (mut one, mut other) = (pin!(one), pin!(other));
    let (mut n_done, mut is_done, mut errors) = (0, [false; 2], Vec::new());
    std::future::poll_fn(|context| {
        for (idx, future) in [one.as_mut() as Pin<&mut dyn Future<Output = _>>, other.as_mut()].into_iter().enumerate() {
            if !is_done[idx]
                && let Poll::Ready(result) = future.poll(context)
            {
                (n_done, is_done[idx]) = (n_done + 1, true);
                errors.extend(result.err());
            }
        }
        if n_done == 2 { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    assert_eq!(errors.len(), 1, "one of them goes on: {errors:?}");
    assert!(errors[0].is_retryable(), "{}", errors[0]);
}

/// The server ends every session, as it does when it restarts: what was not committed is gone, and the same command is done once.
async fn a_session_that_ends_is_lost<K: Kit>(kit: &K) {
    filled(kit).await;
    let jobs = kit.jobs();
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    jobs.apply(&mut c, Request::new(1, to(run_job::State::Claimed)).command("c")).await.unwrap().applied().unwrap();
    // `open` would wait for nobody: this session ends all others of the database.
    kit.run("DO $$ BEGIN PERFORM pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid(); END $$")
        .await;
    let error = jobs.apply(&mut c, Request::new(2, to(run_job::State::Claimed))).await.map(drop).unwrap_err();
    assert_eq!(error.class(), Class::Lost, "{error}");
    drop(c);
    let request = || Request::new(1, to(run_job::State::Claimed)).command("c");
    let outcome = jobs.attempt(async || Ok(kit.open().await), request).await.unwrap();
    assert!(matches!(outcome, Outcome::Applied(it) if it.found.version == 2));
}

/// A pooler in transaction mode: each transaction has another session, of which nobody knows what others left in it.
struct Pooled<D> {
    sessions: Vec<D>,
    n_transactions: usize,
}

impl<D: Database> Database for Pooled<D> {
    type Transaction<'c>
        = D::Transaction<'c>
    where
        Self: 'c;

    async fn begin(&mut self) -> Result<Self::Transaction<'_>, Error> {
        self.n_transactions += 1;
        let idx = self.n_transactions % self.sessions.len();
        let mut c = self.sessions[idx].begin().await?;
        // What `DISCARD ALL` does, which no transaction may do.
        for forget in ["DEALLOCATE ALL", "DISCARD PLANS", "DISCARD SEQUENCES", "DISCARD TEMP", "RESET ALL", "CLOSE ALL", "UNLISTEN *"] {
            c.execute(forget, &[]).await?;
        }
        let prepared = c.query("SELECT name FROM pg_prepared_statements", &[]).await?;
        assert!(prepared.is_empty(), "no statement is prepared by name: {prepared:?}");
        Ok(c)
    }

    async fn commit<'c>(c: Self::Transaction<'c>) -> Result<(), Error>
    where
        Self: 'c,
    {
        let mut c = c;
        let prepared = c.query("SELECT name FROM pg_prepared_statements", &[]).await?;
        assert!(prepared.is_empty(), "no statement is prepared by name: {prepared:?}");
        D::commit(c).await
    }
}

/// Lives under a pooler: nothing that the store says depends on its session.
async fn a_pooler_may_give_another_session<K: Kit>(kit: &K) {
    let mut pooled = Pooled { sessions: vec![kit.open().await, kit.open().await, kit.open().await], n_transactions: 0 };
    crate::crash::lives(kit, &mut pooled).await;
    assert!(pooled.n_transactions > 20, "{}", pooled.n_transactions);
}

/// The effects of a transaction that began first and commits last are not passed over.
async fn a_late_commit_is_delivered<K: Kit>(kit: &K) {
    let myses = kit.myses();
    let new = || create!(mysis::Mysis::<String>::create, mysis::Event::Create).unwrap().unwrap();
    let (mut first, mut second, mut reader) = (kit.open().await, kit.open().await, kit.open().await);
    let mut late = first.begin().await.unwrap();
    let mut seen = Vec::new();
    for (step, key) in ["b", "c", "late", "d"].into_iter().enumerate() {
        if step == 2 {
            let _ = myses.create(&mut late, key, new(), None, None).await.unwrap();
            myses.apply(&mut late, Request::new(key, raise!(mysis::Event::Start))).await.unwrap().applied().unwrap();
            continue;
        }
        let mut c = second.begin().await.unwrap();
        let _ = myses.create(&mut c, key, new(), None, None).await.unwrap();
        myses.apply(&mut c, Request::new(key, raise!(mysis::Event::Start))).await.unwrap().applied().unwrap();
        K::Database::commit(c).await.unwrap();
        drained::<K>(kit, &mut reader, &mut seen).await;
    }
    let ids = |keys: &[&str]| keys.iter().flat_map(|it| [format!("{it}:2:0"), format!("{it}:2:1")]).collect::<Vec<_>>();
    assert_eq!(seen, ids(&["b", "c", "d"]), "what is not committed is not seen");
    K::Database::commit(late).await.unwrap();
    drained::<K>(kit, &mut reader, &mut seen).await;
    assert_eq!(seen, ids(&["b", "c", "d", "late"]), "each once, the late ones too");
}

async fn drained<K: Kit>(kit: &K, reader: &mut K::Database, seen: &mut Vec<String>) {
    loop {
        let mut c = reader.begin().await.unwrap();
        let deliveries = kit.myses().outbox(&mut c, 1, "reader", Duration::from_seconds(60)).await.unwrap();
        for it in &deliveries {
            assert!(kit.myses().acknowledge(&mut c, it).await.unwrap());
            seen.push(it.id.clone());
        }
        K::Database::commit(c).await.unwrap();
        if deliveries.is_empty() {
            return;
        }
    }
}

/// A server of its own stops at once in the middle of the work, six times, and starts again: what was committed is there, each
/// command was done once, and the journal replays.
#[test]
fn a_server_that_stops_and_starts_again_has_what_was_committed() {
    // A sample has the end of a session, above.
    let check = "the store on a server that stops";
    if !in_full(check, "it starts a server of its own") {
        return;
    }
    let Some(server) = private(check) else { return };
    let kit = Postgres::on(&server);
    runtime().block_on(async {
        filled(&kit).await;
        let jobs = kit.jobs();
        let connect = async || {
            let connected = crate::kit::connect(&kit.url()).await;
            if connected.is_err() {
                // It starts again meanwhile.
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            }
            connected
        };
        let claim = || Request::new(1, to(run_job::State::Claimed)).command("claim");
        let _ = jobs.attempt(connect, claim).await.unwrap().applied().unwrap();
        let mut n_errors = 0;
        for n in 0..300 {
            if n % 100 == 50 {
                // A transaction that is open when the server stops.
                let mut client = kit.open().await;
                let mut c = client.begin().await.unwrap();
                let _ = jobs.apply(&mut c, Request::new(2, to(run_job::State::Claimed))).await.unwrap().applied().unwrap();
                server.crash();
                let error = loop {
                    if let Err(error) = jobs.load(&mut c, &1.into()).await {
                        break error;
                    }
                };
                assert_eq!(error.class(), Class::Lost, "{error}");
            }
            if n % 100 == 75 {
                // It stops while commands are done.
                server.crash();
            }
            let renew = || {
                let renew = move |now| Step::event(run_job::Event::Renew { until: now + Duration::from_hours(1) });
                Request::new(1, Step::at(renew)).command(format!("renew-{n}"))
            };
            loop {
                match jobs.attempt(connect, renew).await {
                    Ok(Outcome::Applied(_) | Outcome::Repeated(_)) => break,
                    Ok(other) => panic!("{other:?}"),
                    Err(error) => {
                        assert!(matches!(error.class(), Class::Lost | Class::Unknown), "{error}");
                        n_errors += 1;
                        assert!(n_errors < 100, "the server does not come back: {error}");
                    }
                }
            }
        }
        let mut client = kit.open().await;
        let mut c = client.begin().await.unwrap();
        assert_eq!(jobs.load(&mut c, &1.into()).await.unwrap().unwrap().version, 302, "each command was done once");
        assert_eq!(jobs.load(&mut c, &2.into()).await.unwrap().unwrap().version, 1, "it was not committed");
        assert_eq!(jobs.replay(&mut c).await.unwrap(), []);
    });
}

/// These need a server.
macro_rules! on_servers {
    ($($test:ident),* $(,)?) => {
        mod postgresql {
            $(#[test] fn $test() { super::on_postgres(super::$test) })*
        }
        mod sqlx_postgresql {
            $(#[test] fn $test() { super::on_sqlx_postgres(super::$test) })*
        }
    };
}

on_servers![a_deadlock_is_retryable, a_session_that_ends_is_lost, a_pooler_may_give_another_session, a_late_commit_is_delivered];
