//! What the store promises, with each driver.

use statespec::{Duration, Timestamp};
use statespec_machines::{mysis, order, run_job};
use statespec_store::{Birth, Class, Connection, Created, Database, Key, Outcome, Part, Request, Resolved, Step, create, emitted, raise};

use crate::faults::{a_database_that_only_reads_takes_no_writes, a_full_disk_takes_no_writes, an_older_schema_is_told};
use crate::kit::{Jobs, Kit, Orders, on_postgres, on_sqlite, on_sqlx_postgres, on_sqlx_sqlite};
use crate::regions::{machines_with_regions_live_in_rows, what_is_no_configuration_is_refused};
use crate::systems::{a_command_of_a_system_is_done_once, a_mission_with_two_hops_lives, a_transaction_is_refused_whole};

macro_rules! each_driver {
    ($($test:ident),* $(,)?) => {
        mod sqlite {
            $(#[test] fn $test() { super::on_sqlite(super::$test) })*
        }
        mod postgresql {
            $(#[test] fn $test() { super::on_postgres(super::$test) })*
        }
        mod sqlx_sqlite {
            $(#[test] fn $test() { super::on_sqlx_sqlite(super::$test) })*
        }
        mod sqlx_postgresql {
            $(#[test] fn $test() { super::on_sqlx_postgres(super::$test) })*
        }
    };
}

each_driver![
    a_machine_is_created_once,
    a_step_is_applied_or_refused,
    effects_and_the_change_are_one_commit,
    a_fence_tells_who_was_faster,
    a_command_is_done_once,
    a_command_that_was_given_up_is_refused,
    before_effects_have_no_transaction,
    a_plan_loses_against_a_faster_one,
    the_guard_refuses_what_the_graph_lacks,
    contention_is_retryable,
    timers_are_fired_once_and_when_due,
    a_timer_that_was_started_again_is_not_fired,
    a_lease_is_claimed_renewed_and_taken_over,
    claims_are_in_the_order_of_keys,
    the_outbox_is_in_order_and_acknowledged_once,
    the_journal_has_events_and_actors_and_replays,
    a_row_that_was_changed_by_hand_is_found,
    a_replay_reads_pages,
    misfits_are_errors,
    an_attempt_is_committed,
    a_mission_with_two_hops_lives,
    a_transaction_is_refused_whole,
    a_command_of_a_system_is_done_once,
    machines_with_regions_live_in_rows,
    what_is_no_configuration_is_refused,
    a_database_that_only_reads_takes_no_writes,
    a_full_disk_takes_no_writes,
    an_older_schema_is_told,
];

type Job = run_job::RunJob;
type Mysis = mysis::Mysis<String>;

fn to(state: run_job::State) -> Step<'static, Job, run_job::State> {
    Step::direct(move |job: &mut Job| job.transition_to(state))
}

fn claim(lease: Duration) -> Step<'static, Job, run_job::State> {
    Step::at(move |now| Step::event(run_job::Event::Claim { until: now + lease }))
}

fn elapse() -> Step<'static, order::Order, order::State, order::Timers> {
    Step::elapse(&(), |machine, change, event: order::Recorded| emitted(change.effects_of(machine, event)))
}

fn new_mysis() -> Birth<Mysis, mysis::State> {
    create!(Mysis::create, mysis::Event::Create).unwrap().unwrap()
}

/// Commits one operation of the store.
macro_rules! commit {
    ($kit:expr, |$c:ident| $operation:expr) => {{
        let mut database = $kit.open().await;
        let mut transaction = database.begin().await.unwrap();
        let $c = &mut transaction;
        let result = $operation.await.unwrap();
        commit_of(&$kit, transaction).await;
        result
    }};
}

async fn commit_of<'c, K: Kit>(_: &K, transaction: <K::Database as Database>::Transaction<'c>)
where
    K::Database: 'c,
{
    K::Database::commit(transaction).await.unwrap();
}

async fn new_job<K: Kit>(kit: &K, jobs: &Jobs, id: i64) {
    let created = commit!(*kit, |c| jobs.create(c, id, Birth::new(Job::new()), None, None));
    assert!(matches!(created, Created::Created(_)));
}

async fn a_machine_is_created_once<K: Kit>(kit: &K) {
    let myses = kit.myses();
    let Created::Created(applied) = commit!(*kit, |c| myses.create(c, "a", new_mysis(), Some("first"), None)) else { panic!("it is new") };
    assert_eq!((applied.found.version, applied.n_effects), (1, 0));
    let again = commit!(*kit, |c| myses.create(c, "a", new_mysis(), Some("first"), None));
    assert!(matches!(again, Created::Repeated(it) if it.to == "idle" && it.from.is_none() && it.version == 1 && it.entity == "a"));
    let other = commit!(*kit, |c| myses.create(c, "a", new_mysis(), Some("second"), None));
    assert!(matches!(other, Created::Exists(it) if it.version == 1));
    let found = commit!(*kit, |c| myses.load(c, &"a".into())).unwrap();
    assert_eq!((found.machine.state(), found.version, found.key), (mysis::State::Idle, 1, Key::from("a")));
    assert!(commit!(*kit, |c| myses.load(c, &"b".into())).is_none());
}

async fn a_step_is_applied_or_refused<K: Kit>(kit: &K) {
    let myses = kit.myses();
    let _ = commit!(*kit, |c| myses.create(c, "a", new_mysis(), None, None));
    let applied = commit!(*kit, |c| myses.apply(c, Request::new("a", raise!(mysis::Event::Start)))).applied().unwrap();
    assert_eq!((applied.found.machine.state(), applied.found.version, applied.n_effects), (mysis::State::Running, 2, 2));
    let cause = "it's \\ \"bad\" $1 ?1 — π";
    let _ = commit!(*kit, |c| myses.apply(c, Request::new("a", raise!(mysis::Event::Error { cause }))));
    let found = commit!(*kit, |c| myses.load(c, &"a".into())).unwrap();
    assert_eq!((found.machine.state(), found.machine.context().last_error.as_deref()), (mysis::State::Errored, Some(cause)));
    let refused = commit!(*kit, |c| myses.apply(c, Request::new("a", raise!(mysis::Event::Message { body: "hello" }))));
    let Outcome::Refused(refused) = refused else { panic!("{refused:?}") };
    assert_eq!(refused.to_string(), "mysis errored - press 'r' to relaunch");
    assert_eq!(refused.allowed().collect::<Vec<_>>(), [mysis::EventKind::Start]);
    assert_eq!(commit!(*kit, |c| myses.load(c, &"a".into())).unwrap(), found);
    let missing = commit!(*kit, |c| myses.apply(c, Request::new("b", raise!(mysis::Event::Start))));
    assert!(matches!(missing, Outcome::Missing));
    // An actor may do what the spec lets it do.
    let step = raise!(mysis::Event::Start).by(mysis::Actor::Runtime);
    let by = commit!(*kit, |c| myses.apply(c, Request::new("a", step)));
    assert!(matches!(by, Outcome::Refused(it) if it.reason().name() == "actor"), "the runtime starts nothing");
}

async fn effects_and_the_change_are_one_commit<K: Kit>(kit: &K) {
    let myses = kit.myses();
    let _ = commit!(*kit, |c| myses.create(c, "a", new_mysis(), None, None));
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    // A row of the program, in the same transaction.
    c.execute(&format!("INSERT INTO {} (command) VALUES ('own')", kit.own("order_commands")), &[]).await.unwrap();
    myses.apply(&mut c, Request::new("a", raise!(mysis::Event::Start))).await.unwrap().applied().unwrap();
    // It is not committed.
    drop(c);
    drop(database);
    assert_eq!(commit!(*kit, |c| myses.load(c, &"a".into())).unwrap().version, 1);
    assert!(commit!(*kit, |c| myses.outbox(c, 9, "w", Duration::from_seconds(9))).is_empty());
    assert!(kit.ask(&format!("SELECT command FROM {}", kit.own("order_commands"))).await.is_empty());
    let _ = commit!(*kit, |c| myses.apply(c, Request::new("a", raise!(mysis::Event::Start))));
    let [first] = &commit!(*kit, |c| myses.outbox(c, 9, "w", Duration::from_seconds(9)))[..] else { panic!("one machine has effects") };
    assert_eq!((first.id.as_str(), first.effect.as_str(), first.delivery), ("a:2:0", "emit_state_changed", 1));
    let effect: mysis::Effect<String> = serde_json::from_str(&first.payload).unwrap();
    assert_eq!(effect, mysis::Effect::EmitStateChanged { from: Some(mysis::State::Idle), to: mysis::State::Running });
}

async fn a_fence_tells_who_was_faster<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    new_job(kit, &jobs, 1).await;
    let fenced = |version| Request::new(1, to(run_job::State::Claimed)).fence(version);
    let _ = commit!(*kit, |c| jobs.apply(c, fenced(1))).applied().unwrap();
    let lost = commit!(*kit, |c| jobs.apply(c, fenced(1)));
    let Outcome::LostRace(current) = lost else { panic!("{lost:?}") };
    assert_eq!((current.version, current.machine.state()), (2, run_job::State::Claimed));
}

async fn a_command_is_done_once<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    new_job(kit, &jobs, 1).await;
    let request = || Request::new(1, claim(Duration::from_seconds(9))).command("c-1");
    let _ = commit!(*kit, |c| jobs.apply(c, request())).applied().unwrap();
    for _ in 0..2 {
        let again = commit!(*kit, |c| jobs.apply(c, request()));
        assert!(matches!(again, Outcome::Repeated(it) if it.version == 2 && it.to == "claimed" && it.from.as_deref() == Some("queued")));
    }
    let resolved = commit!(*kit, |c| jobs.resolve(c, "c-1"));
    assert!(matches!(resolved, Resolved::Done(it) if it.entity == "1"));
    // The id of another machine's command.
    new_job(kit, &jobs, 2).await;
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    let error = jobs.apply(&mut c, Request::new(2, to(run_job::State::Claimed)).command("c-1")).await.unwrap_err();
    assert_eq!(error.class(), Class::Constraint);
}

async fn a_command_that_was_given_up_is_refused<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    new_job(kit, &jobs, 1).await;
    assert_eq!(commit!(*kit, |c| jobs.resolve(c, "late")), Resolved::Never);
    assert_eq!(commit!(*kit, |c| jobs.resolve(c, "late")), Resolved::Never);
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    let error = jobs.apply(&mut c, Request::new(1, to(run_job::State::Claimed)).command("late")).await.unwrap_err();
    assert_eq!(error.class(), Class::Constraint, "{error}");
}

async fn before_effects_have_no_transaction<K: Kit>(kit: &K) {
    let myses = kit.myses();
    let _ = commit!(*kit, |c| myses.create(c, "a", new_mysis(), None, None));
    let _ = commit!(*kit, |c| myses.apply(c, Request::new("a", raise!(mysis::Event::Start))));
    let timed_out = || Request::new("a", raise!(mysis::Event::ToolTimedOut { tool: "mine", cause: "30 s" })).command("t");
    let outcome = commit!(*kit, |c| myses.apply(c, timed_out()));
    let Outcome::Before(planned) = outcome else { panic!("{outcome:?}") };
    assert_eq!(planned.before().map(|it| it.effect.as_str()).collect::<Vec<_>>(), ["store_timeout_result"]);
    assert_eq!(commit!(*kit, |c| myses.load(c, &"a".into())).unwrap().version, 2);
    // Both ways lead to the same plan; this one has no transaction at all in the hands of the caller.
    let mut database = kit.open().await;
    let planned = myses.plan(&mut database, timed_out()).await.unwrap().unwrap();
    assert_eq!((planned.key(), planned.machine().state()), (&Key::from("a"), mysis::State::Errored));
    let applied = commit!(*kit, |c| myses.commit(c, planned)).applied().unwrap();
    assert_eq!((applied.found.version, applied.n_effects), (3, 1), "the effect that was performed is not in the outbox");
    let again = myses.plan(&mut database, timed_out()).await.unwrap();
    assert!(matches!(again, Err(Outcome::Repeated(it)) if it.version == 3));
}

async fn a_plan_loses_against_a_faster_one<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    new_job(kit, &jobs, 1).await;
    let mut database = kit.open().await;
    let plan = || Request::new(1, to(run_job::State::Claimed));
    let (first, second) =
        (jobs.plan(&mut database, plan()).await.unwrap().unwrap(), jobs.plan(&mut database, plan()).await.unwrap().unwrap());
    let _ = commit!(*kit, |c| jobs.commit(c, first)).applied().unwrap();
    assert!(matches!(commit!(*kit, |c| jobs.commit(c, second)), Outcome::LostRace(it) if it.version == 2));
}

async fn the_guard_refuses_what_the_graph_lacks<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    new_job(kit, &jobs, 1).await;
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    let step = Step::direct(|job: &mut Job| {
        let change = job.transition_to(run_job::State::Claimed)?;
        *job = Job::restore(run_job::State::Complete, job.context().clone());
        Ok(change)
    });
    let error = jobs.apply(&mut c, Request::new(1, step)).await.unwrap_err();
    assert_eq!(error.class(), Class::Guard, "{error}");
}

async fn contention_is_retryable<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    new_job(kit, &jobs, 1).await;
    let error = kit.contended(&jobs).await;
    assert!(error.is_retryable(), "{error}: {:?}", error.class());
}

async fn new_order<K: Kit>(kit: &K, orders: &Orders, key: &Key, window: Duration) {
    let _ = commit!(*kit, |c| orders.create(c, key.clone(), Birth::with_timers(order::Order::new()), None, None));
    let _ = commit!(*kit, |c| orders.apply(c, Request::new(key.clone(), raise!(order::Event::Place { window })))).applied().unwrap();
}

fn order_key(number: i64) -> Key {
    Key::from(vec![Part::Text("a".into()), Part::Integer(number)])
}

async fn timers_are_fired_once_and_when_due<K: Kit>(kit: &K) {
    let orders = kit.orders();
    let (soon, later) = (order_key(1), order_key(2));
    new_order(kit, &orders, &soon, Duration::from_seconds(0)).await;
    new_order(kit, &orders, &later, Duration::from_hours(30)).await;
    let mut fired = Vec::new();
    // Two timers of the first order are due at once: one call lets one elapse.
    for _ in 0..4 {
        for it in commit!(*kit, |c| orders.due(c, 10, "clock", |_| elapse())) {
            fired.push((it.found.key.to_string(), it.found.machine.state(), it.n_effects));
        }
    }
    assert_eq!(fired, [(r#"["a",1]"#.to_owned(), order::State::AwaitingPayment, 1), (r#"["a",1]"#.to_owned(), order::State::Expired, 1)]);
    let found = commit!(*kit, |c| orders.load(c, &later)).unwrap();
    assert_eq!(found.machine.context().payment_window, Duration::from_hours(30));
    assert_eq!(found.timers.started().count(), 2);
    let nothing = commit!(*kit, |c| orders.apply(c, Request::new(later.clone(), elapse())));
    assert!(matches!(nothing, Outcome::Nothing));
}

async fn a_timer_that_was_started_again_is_not_fired<K: Kit>(kit: &K) {
    let orders = kit.orders();
    let key = order_key(1);
    new_order(kit, &orders, &key, Duration::from_seconds(0)).await;
    // The customer asks for more time before a worker comes: the moment moves, and nothing is due.
    let _ = commit!(*kit, |c| orders.apply(c, Request::new(key.clone(), raise!(order::Event::Extend)))).applied().unwrap();
    assert!(commit!(*kit, |c| orders.due(c, 10, "clock", |_| elapse())).is_empty());
    let refused = commit!(*kit, |c| orders.apply(c, Request::new(key.clone(), raise!(order::Event::Extend))));
    assert!(matches!(refused, Outcome::Refused(it) if it.to_string() == "An order is extended only once."));
    let _ = commit!(*kit, |c| orders.apply(c, Request::new(key.clone(), raise!(order::Event::Pay)))).applied().unwrap();
    let found = commit!(*kit, |c| orders.load(c, &key)).unwrap();
    assert_eq!(found.timers.started().map(|it| it.0).collect::<Vec<_>>(), [order::EventKind::ShippingDeadline]);
}

async fn a_lease_is_claimed_renewed_and_taken_over<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    for id in 1..=3 {
        new_job(kit, &jobs, id).await;
    }
    let long = Duration::from_hours(1);
    let [first, second] = &commit!(*kit, |c| jobs.claim(c, 2, "w-1", |_| vec![claim(long)]))[..] else { panic!("two are claimed") };
    assert_eq!((&first.found.key, &second.found.key, first.found.version), (&Key::from(1), &Key::from(2), 2));
    // The second worker's lease has ended already.
    let ended = Duration::from_seconds(-1);
    let [third] = &commit!(*kit, |c| jobs.claim(c, 2, "w-2", |_| vec![claim(ended), to(run_job::State::Running)]))[..] else {
        panic!("one is left")
    };
    assert_eq!((third.found.machine.state(), third.found.version), (run_job::State::Running, 3));
    let over = move |_: &Job| {
        let reclaim = Step::at(|now| Step::event(run_job::Event::Reclaim { now }));
        vec![reclaim, Step::at(move |now| Step::event(run_job::Event::Renew { until: now + long }))]
    };
    let taken = commit!(*kit, |c| jobs.reclaim(c, 9, "w-1", over));
    assert_eq!(taken.iter().map(|it| (it.found.key.clone(), it.found.version)).collect::<Vec<_>>(), [(Key::from(3), 5)]);
    assert!(commit!(*kit, |c| jobs.reclaim(c, 9, "w-3", over)).is_empty(), "everybody holds a lease");
    // The one that slept is refused, whatever it does.
    for state in [run_job::State::Complete, run_job::State::Failed] {
        let late = commit!(*kit, |c| jobs.apply(c, Request::new(3, to(state)).fence(third.found.version)));
        assert!(matches!(late, Outcome::LostRace(it) if it.version == 5 && it.machine.state() == run_job::State::Claimed));
    }
    let done = commit!(*kit, |c| jobs.apply(c, Request::new(3, to(run_job::State::Complete)).fence(5)));
    assert_eq!(done.applied().unwrap().found.version, 6);
    let lease: Option<Timestamp> = commit!(*kit, |c| jobs.load(c, &1.into())).unwrap().machine.context().lease_expires_at;
    assert_eq!(lease, first.found.machine.context().lease_expires_at);
}

async fn claims_are_in_the_order_of_keys<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    for id in [10, 9, 100, -1] {
        new_job(kit, &jobs, id).await;
    }
    let held = commit!(*kit, |c| jobs.claim(c, 3, "w", |_| vec![claim(Duration::from_seconds(-1))]));
    assert_eq!(held.into_iter().map(|it| it.found.key).collect::<Vec<_>>(), [-1, 9, 10].map(Key::from));
}

async fn the_outbox_is_in_order_and_acknowledged_once<K: Kit>(kit: &K) {
    let myses = kit.myses();
    for id in ["a", "b"] {
        let _ = commit!(*kit, |c| myses.create(c, id, new_mysis(), None, None));
        let _ = commit!(*kit, |c| myses.apply(c, Request::new(id, raise!(mysis::Event::Start))));
        let _ = commit!(*kit, |c| myses.apply(c, Request::new(id, raise!(mysis::Event::Message { body: "hello" }))));
    }
    let (long, ended) = (Duration::from_hours(1), Duration::from_seconds(-1));
    // One claim has the first effect of each machine; a second worker gets nothing before these are acknowledged.
    let claimed = commit!(*kit, |c| myses.outbox(c, 9, "w-1", long));
    assert_eq!(claimed.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(), ["a:2:0", "b:2:0"]);
    assert!(commit!(*kit, |c| myses.outbox(c, 9, "w-2", long)).is_empty());
    assert!(commit!(*kit, |c| myses.acknowledge(c, &claimed[0])));
    assert!(!commit!(*kit, |c| myses.acknowledge(c, &claimed[0])), "once");
    // The second worker goes on with the first machine, and dies.
    let [dead] = &commit!(*kit, |c| myses.outbox(c, 9, "w-2", ended))[..] else { panic!("only `a` has an effect that nobody has") };
    assert_eq!((dead.id.as_str(), dead.delivery), ("a:2:1", 1));
    let [again] = &commit!(*kit, |c| myses.outbox(c, 9, "w-3", long))[..] else { panic!("it is delivered again") };
    assert_eq!((&again.id, again.delivery), (&dead.id, 2));
    assert!(!commit!(*kit, |c| myses.acknowledge(c, dead)), "another worker has it");
    assert!(!commit!(*kit, |c| myses.release(c, dead)));
    assert!(commit!(*kit, |c| myses.release(c, again)));
    let mut order = Vec::new();
    assert!(commit!(*kit, |c| myses.release(c, &claimed[1])));
    loop {
        let claimed = commit!(*kit, |c| myses.outbox(c, 1, "w-4", long));
        let Some(it) = claimed.first() else { break };
        order.push(it.id.clone());
        assert!(commit!(*kit, |c| myses.acknowledge(c, it)));
    }
    let of = |entity: &str| order.iter().filter(|it| it.starts_with(entity)).cloned().collect::<Vec<_>>();
    assert_eq!(of("a"), ["a:2:1", "a:3:0", "a:3:1"]);
    assert_eq!(of("b"), ["b:2:0", "b:2:1", "b:3:0", "b:3:1"]);
}

async fn the_journal_has_events_and_actors_and_replays<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    new_job(kit, &jobs, 1).await;
    let _ = commit!(*kit, |c| jobs.apply(c, Request::new(1, claim(Duration::from_hours(1))).actor("w-1")));
    let _ = commit!(*kit, |c| jobs.apply(c, Request::new(1, to(run_job::State::Running)).actor("it's w-2")));
    let line = "coalesce(from_state, '-') || ' ' || to_state || ' ' || coalesce(event, '-') || ' ' || coalesce(actor, '-')";
    let lines = kit.ask(&format!("SELECT {line} FROM {} ORDER BY entry", kit.own("run_job_journal"))).await;
    let lines: Vec<String> = lines.into_iter().flatten().flatten().collect();
    assert_eq!(lines, ["- queued - -", "queued claimed claim w-1", "claimed running - it's w-2"]);
    assert_eq!(commit!(*kit, |c| jobs.replay(c)), []);
}

async fn a_row_that_was_changed_by_hand_is_found<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    new_job(kit, &jobs, 1).await;
    // Without a version, and so without an entry that continues the last one.
    kit.run("UPDATE jobs SET status = 'claimed'").await;
    let found = commit!(*kit, |c| jobs.replay(c));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].what, "an entry leads from queued to claimed in version 1, and follows on queued in version 1");
}

async fn a_replay_reads_pages<K: Kit>(kit: &K) {
    let (jobs, orders) = (kit.jobs(), kit.orders());
    let long = Duration::from_hours(1);
    for id in 1..=7 {
        new_job(kit, &jobs, id).await;
        new_order(kit, &orders, &order_key(id), long).await;
    }
    let _ = commit!(*kit, |c| jobs.claim(c, 3, "w", |_| vec![claim(long), to(run_job::State::Running)]));
    // One row is gone, one is back, one was changed without a version, and two were never in the journal: before, and after.
    let journal = kit.own("run_job_journal");
    kit.run("DELETE FROM jobs WHERE id IN (2, 6)").await;
    new_job(kit, &jobs, 6).await;
    kit.run("UPDATE jobs SET status = 'claimed' WHERE id = 5").await;
    kit.run("INSERT INTO jobs VALUES (0, 'queued', 1, NULL); INSERT INTO jobs VALUES (8, 'queued', 1, NULL)").await;
    // No guard lets this through: the journal is the table of its owner.
    let forgotten = format!("DELETE FROM {journal} WHERE id IN (0, 8) OR (id = 2 AND to_state IS NULL)");
    kit.forge(&forgotten).await;
    let whole = commit!(*kit, |c| jobs.replay(c));
    let shown: Vec<String> = whole.iter().map(|it| format!("{} {}", it.key, it.what)).collect();
    assert_eq!(
        shown,
        [
            "5 an entry leads from queued to claimed in version 1, and follows on queued in version 1",
            "0 the row has queued in version 1, and the journal has no entry",
            "8 the row has queued in version 1, and the journal has no entry",
            "2 the journal has a row that is not there",
        ]
    );
    // However few are in memory at once, the same is found.
    for page in [1, 2, 3, 5, 100] {
        let mut paged = commit!(*kit, |c| jobs.replay_by(c, page));
        let mut whole = whole.clone();
        paged.sort_by(|a, b| (&a.key, &a.what).cmp(&(&b.key, &b.what)));
        whole.sort_by(|a, b| (&a.key, &a.what).cmp(&(&b.key, &b.what)));
        assert_eq!(paged, whole, "{page}");
        assert_eq!(commit!(*kit, |c| orders.replay_by(c, page)), [], "a key of two columns, {page}");
    }
}

async fn misfits_are_errors<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    let error = jobs.load(&mut c, &order_key(1)).await.unwrap_err();
    assert_eq!(
        (error.class(), error.to_string().as_str()),
        (Class::Unfit, "the key `[\"a\",1]` has 2 values, and that of table jobs has 1")
    );
    let table = *kit.myses().table();
    let error = statespec_store::Store::<Job, run_job::State>::new(table).unwrap_err();
    assert_eq!(error.to_string(), "table myses: it is of the machine `mysis`: expected `run_job`");
    let without = statespec_store::Table { columns: &[], lease: None, ..*jobs.table() };
    let without = Jobs::new(without).unwrap();
    let error = without.create(&mut c, 9, Birth::new(Job::new()), None, None).await.unwrap_err();
    assert_eq!(error.to_string(), "run_job does not fit table jobs: field `lease_expires_at` has no column");
    drop(c);
    kit.run("INSERT INTO jobs VALUES (7, 'queued', 1, NULL)").await;
    let orders = statespec_store::Table { timers: None, ..*kit.orders().table() };
    let error = Orders::new(orders).unwrap_err();
    assert_eq!(error.to_string(), "table orders: its machine has timers: expected the columns `timers`");
    let text = statespec_store::Table { values: &[("complete", "queued")], ..*jobs.table() };
    let found = commit!(*kit, |c| Jobs::new(text).unwrap().load(c, &7.into())).unwrap();
    assert_eq!(found.machine.state(), run_job::State::Complete, "a stored value of its own");
}

async fn an_attempt_is_committed<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    new_job(kit, &jobs, 1).await;
    let request = || Request::new(1, to(run_job::State::Claimed)).command("c");
    let outcome = jobs.attempt(async || Ok(kit.open().await), request).await.unwrap();
    assert_eq!(outcome.applied().unwrap().found.version, 2);
    let again = jobs.attempt(async || Ok(kit.open().await), request).await.unwrap();
    assert!(matches!(again, Outcome::Repeated(_)));
    let error = jobs.attempt(async || Ok(kit.open().await), || Request::new(1, to(run_job::State::Claimed))).await.unwrap_err();
    assert_eq!(error.class(), Class::Unfit);
}

/// The futures of tokio-postgres may be spawned.
#[test]
fn futures_can_be_sent() {
    on_postgres(async |kit| {
        let jobs = kit.jobs();
        new_job(kit, &jobs, 1).await;
        let mut client = kit.open().await;
        let task = tokio::spawn(async move {
            let mut c = client.transaction().await.unwrap();
            let outcome = jobs.apply(&mut c, Request::new(1, to(run_job::State::Claimed))).await.unwrap();
            c.commit().await.unwrap();
            outcome.applied().unwrap().found.version
        });
        assert_eq!(task.await.unwrap(), 2);
    });
}
