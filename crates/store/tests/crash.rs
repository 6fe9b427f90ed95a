//! A crash at every boundary: before and after each statement, and before and after each COMMIT.
//!
//! The connection counts its boundaries by itself: no test lists them. A first run has no crash, and tells how many there are. Each
//! further run is cut at one of them; then another process does what is left, on new connections. Afterwards, the journal replays to
//! the rows, each effect of a committed change was performed, none of any other, and none was acknowledged twice.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use statespec::Duration;
use statespec_machines::{mysis, order, run_job};
use statespec_store::{
    Birth, Class, Clock, Connection, Database, Engine, Error, Key, Outcome, Part, Request, Row, Step, Store, Stored, StoredState, Value,
    create, emitted, raise,
};

use crate::checks::is_complete;
use crate::kit::{Kit, on_postgres, on_sqlite, on_sqlx_postgres, on_sqlx_sqlite};

/// What a run sees of its boundaries.
#[derive(Default)]
struct Trace {
    /// The boundary at which it is cut; none if omitted.
    cut: Option<usize>,
    seen: Vec<String>,
    is_cut: bool,
}

impl Trace {
    /// Passes a boundary, or is cut there. After that, nothing is possible on this connection.
    fn pass(trace: &Arc<Mutex<Trace>>, name: impl FnOnce() -> String) -> Result<(), Error> {
        let mut trace = trace.lock().unwrap();
        if !trace.is_cut {
            trace.is_cut = trace.cut == Some(trace.seen.len());
            trace.seen.push(name());
        }
        if trace.is_cut { Err(Error::new(Class::Lost, "cut")) } else { Ok(()) }
    }
}

/// A connection that is cut.
struct Cutting<D> {
    database: D,
    trace: Arc<Mutex<Trace>>,
}

struct Cut<C> {
    connection: C,
    trace: Arc<Mutex<Trace>>,
}

/// The beginning of a statement, for messages.
fn short(sql: &str) -> String {
    sql.chars().take(60).collect()
}

impl<C: Connection> Connection for Cut<C> {
    const ENGINE: Engine = C::ENGINE;

    async fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<u64, Error> {
        Trace::pass(&self.trace, || format!("before {}", short(sql)))?;
        let done = self.connection.execute(sql, parameters).await?;
        Trace::pass(&self.trace, || format!("after {}", short(sql)))?;
        Ok(done)
    }

    async fn query(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Row>, Error> {
        Trace::pass(&self.trace, || format!("before {}", short(sql)))?;
        let rows = self.connection.query(sql, parameters).await?;
        Trace::pass(&self.trace, || format!("after {}", short(sql)))?;
        Ok(rows)
    }
}

impl<D> Cutting<D> {
    fn new(database: D, trace: &Arc<Mutex<Trace>>) -> Self {
        Cutting { database, trace: Arc::clone(trace) }
    }
}

impl<D: Database> Database for Cutting<D> {
    type Transaction<'c>
        = Cut<D::Transaction<'c>>
    where
        Self: 'c;

    async fn begin(&mut self) -> Result<Self::Transaction<'_>, Error> {
        Trace::pass(&self.trace, || "before BEGIN".to_owned())?;
        let cut = Cut { connection: self.database.begin().await?, trace: Arc::clone(&self.trace) };
        Trace::pass(&self.trace, || "after BEGIN".to_owned())?;
        Ok(cut)
    }

    async fn commit<'c>(transaction: Self::Transaction<'c>) -> Result<(), Error>
    where
        Self: 'c,
    {
        let Cut { connection, trace } = transaction;
        Trace::pass(&trace, || "before COMMIT".to_owned())?;
        D::commit(connection).await?;
        Trace::pass(&trace, || "after COMMIT".to_owned())
    }
}

/// What the outside world saw: the effects that were performed, each time, and those whose acknowledgement was told.
#[derive(Default)]
struct World {
    performed: Vec<String>,
    acknowledged: Vec<String>,
}

/// The machine of a run.
#[derive(Debug, Clone, Copy)]
enum Life {
    /// Commands, a plan with an effect that comes first, and the outbox.
    Mysis,
    /// Timers, and the outbox.
    Order,
    /// A lease, which is taken over.
    Job,
}

/// One run: a machine through its life. Every step can be made again: commands are done once, the rest asks the database what is left.
async fn work<K: Kit, D: Database>(kit: &K, database: &mut D, life: Life, run: i64, world: &mut World) -> Result<(), Error> {
    match life {
        Life::Mysis => mysis(kit, database, run, world).await,
        Life::Order => order(kit, database, run, world).await,
        Life::Job => job(kit, database, run).await,
    }
}

async fn mysis<K: Kit, D: Database>(kit: &K, database: &mut D, run: i64, world: &mut World) -> Result<(), Error> {
    let (myses, key) = (kit.myses(), format!("m{run}"));
    let id = |what: &str| format!("{run}-{what}");
    let mut c = database.begin().await?;
    let birth = create!(mysis::Mysis::<String>::create, mysis::Event::Create)?.expect("it is created");
    let _ = myses.create(&mut c, key.as_str(), birth, Some(&id("create")), None).await?;
    D::commit(c).await?;
    for (command, event) in [("start", mysis::Event::Start), ("message", mysis::Event::Message { body: "hello" })] {
        let mut c = database.begin().await?;
        let _ = myses.apply(&mut c, Request::new(key.as_str(), raise!(event)).command(id(command))).await?;
        D::commit(c).await?;
    }
    // An effect that must succeed first, with no transaction meanwhile.
    let timed_out = raise!(mysis::Event::ToolTimedOut { tool: "mine", cause: "30 s" });
    if let Ok(planned) = myses.plan(database, Request::new(key.as_str(), timed_out).command(id("timeout"))).await? {
        let mut c = database.begin().await?;
        let _ = myses.commit(&mut c, planned).await?;
        D::commit(c).await?;
    }
    deliver(&myses, database, world).await
}

async fn order<K: Kit, D: Database>(kit: &K, database: &mut D, run: i64, world: &mut World) -> Result<(), Error> {
    let orders = kit.orders();
    let id = |what: &str| format!("{run}-{what}");
    let key = Key::from(vec![Part::Text("crash".into()), Part::Integer(run)]);
    let mut c = database.begin().await?;
    let _ = orders.create(&mut c, key.clone(), Birth::with_timers(order::Order::new()), Some(&id("order")), None).await?;
    D::commit(c).await?;
    let mut c = database.begin().await?;
    let place = raise!(order::Event::Place { window: Duration::from_seconds(0) });
    let _ = orders.apply(&mut c, Request::new(key, place).command(id("place"))).await?;
    D::commit(c).await?;
    loop {
        let mut c = database.begin().await?;
        let step = |_: &order::Order| Step::elapse(&(), |it, change, event: order::Recorded| emitted(change.effects_of(it, event)));
        let fired = orders.due(&mut c, 10, "clock", step).await?;
        D::commit(c).await?;
        if fired.is_empty() {
            return deliver(&orders, database, world).await;
        }
    }
}

async fn job<K: Kit, D: Database>(kit: &K, database: &mut D, run: i64) -> Result<(), Error> {
    let jobs = kit.jobs();
    let mut c = database.begin().await?;
    let _ = jobs.create(&mut c, run, Birth::new(run_job::RunJob::new()), Some(&format!("{run}-job")), None).await?;
    D::commit(c).await?;
    // A lease that has ended when the next worker comes: so each job is claimed by one, and taken over by another one.
    let ended = Duration::from_seconds(-1);
    let claim = |_: &run_job::RunJob| vec![Step::at(move |now| Step::event(run_job::Event::Claim { until: now + ended }))];
    let reclaim = |_: &run_job::RunJob| {
        let reclaim = Step::at(|now| Step::event(run_job::Event::Reclaim { now }));
        vec![reclaim, Step::at(move |now| Step::event(run_job::Event::Renew { until: now + ended }))]
    };
    let mut c = database.begin().await?;
    jobs.claim(&mut c, 10, "first", claim).await?;
    D::commit(c).await?;
    let mut c = database.begin().await?;
    let held = jobs.reclaim(&mut c, 10, "second", reclaim).await?;
    D::commit(c).await?;
    for held in held {
        let mut version = held.found.version;
        for to in [run_job::State::Running, run_job::State::Complete] {
            let step = Step::direct(move |it: &mut run_job::RunJob| it.transition_to(to));
            let mut c = database.begin().await?;
            let outcome = jobs.apply(&mut c, Request::new(held.found.key.clone(), step).fence(version)).await?;
            D::commit(c).await?;
            let Outcome::Applied(applied) = outcome else { break };
            version = applied.found.version;
        }
    }
    Ok(())
}

/// A worker for the effects of one store.
async fn deliver<M, S, T, D>(store: &Store<M, S, T>, database: &mut D, world: &mut World) -> Result<(), Error>
where
    M: Stored,
    S: StoredState,
    T: Clock<M, S> + Stored,
    D: Database,
{
    loop {
        let mut c = database.begin().await?;
        let deliveries = store.outbox(&mut c, 10, "w", Duration::from_seconds(-1)).await?;
        D::commit(c).await?;
        if deliveries.is_empty() {
            return Ok(());
        }
        for it in &deliveries {
            world.performed.push(it.id.clone());
            let mut c = database.begin().await?;
            let told = store.acknowledge(&mut c, it).await?;
            D::commit(c).await?;
            if told {
                world.acknowledged.push(it.id.clone());
            }
        }
    }
}

async fn ask<D: Database>(database: &mut D, sql: &str) -> Vec<Row> {
    let mut c = database.begin().await.unwrap();
    c.query(sql, &[]).await.unwrap()
}

/// The effects that the journal asks for, by id: those after each change.
async fn expected<K: Kit, D: Database>(kit: &K, database: &mut D, life: Life, run: i64) -> BTreeSet<String> {
    let n_effects = BTreeMap::from([
        ("create", 0),
        ("start", 2),
        ("message", 2),
        ("tool_timed_out", 1),
        ("place", 0),
        ("reminder", 1),
        ("payment_deadline", 1),
    ]);
    let (machine, condition, entity) = match life {
        Life::Mysis => ("mysis", format!("id = 'm{run}'"), format!("m{run}")),
        Life::Order => ("order", format!("number = {run}"), format!("[\"crash\",{run}]")),
        Life::Job => return BTreeSet::new(),
    };
    let version = if K::ENGINE == Engine::Postgres { "version::text" } else { "version" };
    let journal = kit.own(&format!("{machine}_journal"));
    let sql = format!("SELECT {version}, event FROM {journal} WHERE {condition} AND event IS NOT NULL");
    let mut expected = BTreeSet::new();
    for row in ask(database, &sql).await {
        let [Some(version), Some(event)] = &row[..] else { panic!("{row:?}") };
        expected.extend((0..n_effects[event.as_str()]).map(|it| format!("{entity}:{version}:{it}")));
    }
    expected
}

/// Checks a run after its end.
async fn check<K: Kit, D: Database>(kit: &K, database: &mut D, life: Life, run: i64, world: &World, what: &str) {
    let expected = expected(kit, database, life, run).await;
    let (n_effects, outbox, state, ended) = match life {
        Life::Mysis => (5, "mysis_outbox", format!("SELECT state FROM myses WHERE id = 'm{run}'"), "errored"),
        Life::Order => (2, "order_outbox", format!("SELECT state FROM orders WHERE number = {run}"), "expired"),
        Life::Job => (0, "run_job_outbox", format!("SELECT status FROM jobs WHERE id = {run}"), "complete"),
    };
    assert_eq!(ask(database, &state).await, [[Some(ended.to_owned())]], "{what}");
    assert_eq!(expected.len(), n_effects, "{what}: the whole life was lived: {expected:?}");
    let performed: BTreeSet<String> = world.performed.iter().cloned().collect();
    assert_eq!(performed, expected, "{what}: each effect of a committed change, and no other");
    let once: BTreeSet<&String> = world.acknowledged.iter().collect();
    assert_eq!(once.len(), world.acknowledged.len(), "{what}: acknowledged once: {:?}", world.acknowledged);
    let mut firsts = Vec::<&String>::new();
    for it in &world.performed {
        if !firsts.contains(&it) {
            firsts.push(it);
        }
    }
    assert!(firsts.is_sorted(), "{what}: in order: {firsts:?}");
    assert_eq!(ask(database, &format!("SELECT id FROM {}", kit.own(outbox))).await, [] as [Row; 0], "{what}: the outbox is empty");
}

/// Each life without a crash.
pub(crate) async fn lives<K: Kit, D: Database>(kit: &K, database: &mut D) {
    for (run, life) in [Life::Mysis, Life::Order, Life::Job].into_iter().enumerate() {
        let (mut world, run) = (World::default(), run as i64);
        work(kit, database, life, run, &mut world).await.unwrap();
        check(kit, database, life, run, &world, "no crash").await;
    }
}

/// Cuts at every boundary; in a sample, at each fourth.
async fn crashes<K: Kit>(kit: &K, step: usize) {
    let (mut second, mut n_boundaries, mut run) = (kit.open().await, 0, 0);
    for life in [Life::Mysis, Life::Order, Life::Job] {
        let mut all = None;
        let mut cuts = std::iter::once(None).chain((0..).step_by(step).map(Some));
        loop {
            let cut = cuts.next().flatten();
            if cut.is_some_and(|it| Some(it) >= all) {
                break;
            }
            let trace = Arc::new(Mutex::new(Trace { cut, ..Trace::default() }));
            let mut world = World::default();
            let mut database = Cutting::new(kit.open().await, &trace);
            let result = work(kit, &mut database, life, run, &mut world).await;
            // The process is gone, and with it the connection.
            drop(database);
            let Trace { seen, is_cut, .. } = std::mem::take(&mut *trace.lock().unwrap());
            let what = format!("{life:?}, {}", seen.last().filter(|_| is_cut).map_or("no crash", String::as_str));
            assert_eq!(result.is_err(), is_cut, "{what}: {result:?}");
            assert_eq!(cut.is_some(), is_cut, "{what}: boundary {cut:?} of {} was not reached", seen.len());
            kit.alone(&mut second).await;
            work(kit, &mut second, life, run, &mut world).await.unwrap();
            check(kit, &mut second, life, run, &world, &what).await;
            all.get_or_insert(seen.len());
            run += 1;
        }
        n_boundaries += all.unwrap_or_default();
    }
    let mut c = second.begin().await.unwrap();
    assert_eq!(kit.myses().replay(&mut c).await.unwrap(), []);
    assert_eq!(kit.orders().replay(&mut c).await.unwrap(), []);
    assert_eq!(kit.jobs().replay(&mut c).await.unwrap(), []);
    // The connection has counted them; a life that lost its steps would have fewer.
    assert!(n_boundaries > 200, "{n_boundaries} boundaries");
}

#[test]
fn sqlite_survives_a_crash_at_every_boundary() {
    on_sqlite(async |kit| crashes(kit, 1).await);
}

#[test]
fn postgresql_survives_a_crash_at_every_boundary() {
    on_postgres(async |kit| crashes(kit, if is_complete() { 1 } else { 4 }).await);
}

/// The drivers of sqlx say what the others say: they are cut at some of the boundaries.
#[test]
fn sqlx_on_sqlite_survives_a_crash() {
    on_sqlx_sqlite(async |kit| crashes(kit, if is_complete() { 4 } else { 16 }).await);
}

#[test]
fn sqlx_on_postgresql_survives_a_crash() {
    on_sqlx_postgres(async |kit| crashes(kit, if is_complete() { 4 } else { 16 }).await);
}
