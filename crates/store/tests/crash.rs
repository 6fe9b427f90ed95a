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
    Birth, Class, Connection, Database, Engine, Error, Key, Outcome, Part, Request, Row, Step, Value, create, emitted, raise,
};

use crate::kit::{Kit, on_postgres, on_sqlite};

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

/// One run: a Mysis, an order and a job through their lives, and a worker for their effects. Every step can be made again: commands
/// are done once, the rest asks the database what is left.
async fn work<K: Kit, D: Database>(kit: &K, database: &mut D, run: i64, world: &mut World) -> Result<(), Error> {
    let (myses, orders, jobs) = (kit.myses(), kit.orders(), kit.jobs());
    let mysis_key = format!("m{run}");
    let id = |what: &str| format!("{run}-{what}");

    let mut c = database.begin().await?;
    let birth = create!(mysis::Mysis::<String>::create, mysis::Event::Create)?.expect("it is created");
    let _ = myses.create(&mut c, mysis_key.as_str(), birth, Some(&id("create")), None).await?;
    D::commit(c).await?;
    for (command, event) in [("start", mysis::Event::Start), ("message", mysis::Event::Message { body: "hello" })] {
        let mut c = database.begin().await?;
        let _ = myses.apply(&mut c, Request::new(mysis_key.as_str(), raise!(event)).command(id(command))).await?;
        D::commit(c).await?;
    }
    // An effect that must succeed first, with no transaction meanwhile.
    let timed_out = raise!(mysis::Event::ToolTimedOut { tool: "mine", cause: "30 s" });
    if let Ok(planned) = myses.plan(database, Request::new(mysis_key.as_str(), timed_out).command(id("timeout"))).await? {
        let mut c = database.begin().await?;
        let _ = myses.commit(&mut c, planned).await?;
        D::commit(c).await?;
    }

    let order_key = Key::from(vec![Part::Text("crash".into()), Part::Integer(run)]);
    let mut c = database.begin().await?;
    let _ = orders.create(&mut c, order_key.clone(), Birth::with_timers(order::Order::new()), Some(&id("order")), None).await?;
    D::commit(c).await?;
    let mut c = database.begin().await?;
    let place = raise!(order::Event::Place { window: Duration::from_seconds(0) });
    let _ = orders.apply(&mut c, Request::new(order_key.clone(), place).command(id("place"))).await?;
    D::commit(c).await?;
    loop {
        let mut c = database.begin().await?;
        let step = |_: &order::Order| Step::elapse(&(), |it, change, event: order::Recorded| emitted(change.effects_of(it, event)));
        let fired = orders.due(&mut c, 10, "clock", step).await?;
        D::commit(c).await?;
        if fired.is_empty() {
            break;
        }
    }

    let mut c = database.begin().await?;
    let _ = jobs.create(&mut c, run, Birth::new(run_job::RunJob::new()), Some(&id("job")), None).await?;
    D::commit(c).await?;
    // A lease that has ended when the next worker comes.
    let ended = Duration::from_seconds(-1);
    let mut c = database.begin().await?;
    let claim = |_: &run_job::RunJob| vec![Step::at(move |now| Step::event(run_job::Event::Claim { until: now + ended }))];
    let mut held = jobs.claim(&mut c, 10, "first", claim).await?;
    let reclaim = |_: &run_job::RunJob| {
        let reclaim = Step::at(|now| Step::event(run_job::Event::Reclaim { now }));
        vec![reclaim, Step::at(move |now| Step::event(run_job::Event::Renew { until: now + ended }))]
    };
    if held.is_empty() {
        held = jobs.reclaim(&mut c, 10, "second", reclaim).await?;
    }
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

    loop {
        let mut c = database.begin().await?;
        let mut deliveries = myses.outbox(&mut c, 10, "w", Duration::from_seconds(-1)).await?;
        let of_myses = deliveries.len();
        deliveries.extend(orders.outbox(&mut c, 10, "w", Duration::from_seconds(-1)).await?);
        D::commit(c).await?;
        if deliveries.is_empty() {
            return Ok(());
        }
        for (idx, it) in deliveries.iter().enumerate() {
            world.performed.push(it.id.clone());
            let mut c = database.begin().await?;
            let told = if idx < of_myses { myses.acknowledge(&mut c, it).await? } else { orders.acknowledge(&mut c, it).await? };
            D::commit(c).await?;
            if told {
                world.acknowledged.push(it.id.clone());
            }
        }
    }
}

/// The effects that the journal asks for, by id: those after each change.
async fn expected<K: Kit>(kit: &K, run: i64) -> BTreeSet<String> {
    let text = |it: &str| if K::ENGINE == Engine::Postgres { format!("{it}::text") } else { it.to_owned() };
    let version = text("version");
    let mut expected = BTreeSet::new();
    let journal = kit.own("mysis_journal");
    let mysis = format!("m{run}");
    let n_effects = BTreeMap::from([("create", 0), ("start", 2), ("message", 2), ("tool_timed_out", 1)]);
    for row in kit.ask(&format!("SELECT {version}, event FROM {journal} WHERE id = '{mysis}'")).await {
        let [Some(version), Some(event)] = &row[..] else { panic!("{row:?}") };
        expected.extend((0..n_effects[event.as_str()]).map(|it| format!("{mysis}:{version}:{it}")));
    }
    let journal = kit.own("order_journal");
    let n_effects = BTreeMap::from([("place", 0), ("reminder", 1), ("payment_deadline", 1)]);
    for row in kit.ask(&format!("SELECT {version}, event FROM {journal} WHERE number = {run} AND event IS NOT NULL")).await {
        let [Some(version), Some(event)] = &row[..] else { panic!("{row:?}") };
        expected.extend((0..n_effects[event.as_str()]).map(|it| format!("[\"crash\",{run}]:{version}:{it}")));
    }
    expected
}

/// Checks a run after its end.
async fn check<K: Kit>(kit: &K, run: i64, world: &World, what: &str) {
    let expected = expected(kit, run).await;
    assert_eq!(expected.len(), 7, "{what}: the whole life was lived: {expected:?}");
    let performed: BTreeSet<String> = world.performed.iter().cloned().collect();
    assert_eq!(performed, expected, "{what}: each effect of a committed change, and no other");
    let once: BTreeSet<&String> = world.acknowledged.iter().collect();
    assert_eq!(once.len(), world.acknowledged.len(), "{what}: acknowledged once: {:?}", world.acknowledged);
    // Within a machine, the first deliveries are in order.
    let mut firsts = Vec::<&String>::new();
    world.performed.iter().for_each(|it| {
        if !firsts.contains(&it) {
            firsts.push(it)
        }
    });
    let of = |entity: &str| firsts.iter().filter(|it| it.starts_with(entity)).map(|it| it.as_str()).collect::<Vec<_>>();
    let mysis = of("m");
    assert!(mysis.is_sorted(), "{what}: {mysis:?}");
    for own in ["mysis_outbox", "order_outbox"] {
        assert!(kit.ask(&format!("SELECT id FROM {}", kit.own(own))).await.is_empty(), "{what}: {own} is empty");
    }
    let states = [format!("SELECT state FROM myses WHERE id = 'm{run}'"), format!("SELECT state FROM orders WHERE number = {run}")];
    let mut ended = Vec::new();
    for sql in states.iter().chain([&format!("SELECT status FROM jobs WHERE id = {run}")]) {
        ended.extend(kit.ask(sql).await.into_iter().flatten().flatten());
    }
    assert_eq!(ended, ["errored", "expired", "complete"], "{what}");
}

async fn crashes<K: Kit>(kit: &K) {
    let mut boundaries = None;
    let mut run: i64 = 0;
    loop {
        let cut = (run > 0).then(|| run - 1);
        let trace = Arc::new(Mutex::new(Trace { cut: cut.map(|it| it as usize), ..Trace::default() }));
        let mut world = World::default();
        let mut database = Cutting::new(kit.open().await, &trace);
        let result = work(kit, &mut database, run, &mut world).await;
        // The process is gone, and with it the connection.
        drop(database);
        let Trace { seen, is_cut, .. } = &*trace.lock().unwrap();
        let what = seen.last().filter(|_| *is_cut).cloned().unwrap_or_else(|| "no crash".to_owned());
        assert_eq!(result.is_err(), *is_cut, "{what}: {result:?}");
        assert_eq!(cut.is_some(), *is_cut, "boundary {cut:?} of {} was not reached", seen.len());
        work(kit, &mut kit.open().await, run, &mut world).await.unwrap();
        check(kit, run, &world, &what).await;
        let n_boundaries = *boundaries.get_or_insert(seen.len() as i64);
        if run == n_boundaries {
            break;
        }
        run += 1;
    }
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    assert_eq!(kit.myses().replay(&mut c).await.unwrap(), []);
    assert_eq!(kit.orders().replay(&mut c).await.unwrap(), []);
    assert_eq!(kit.jobs().replay(&mut c).await.unwrap(), []);
    // Every kind of statement was among them.
    assert!(run > 150, "{run} boundaries");
}

#[test]
fn sqlite_survives_a_crash_at_every_boundary() {
    on_sqlite(crashes);
}

#[test]
fn postgresql_survives_a_crash_at_every_boundary() {
    on_postgres(crashes);
}
