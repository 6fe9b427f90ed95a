//! The pool of run jobs: runs of an agent, each done by durable jobs that workers hold under a lease. A step of a run and that of its
//! job are one commit. Workers are processes that die (`SIGKILL`) and stall; runs fail and are retried, and a user cancels and resumes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration as Span, Instant};

use statespec::Duration;
use statespec_machines::agent_run::{AgentRun, Event, State};
use statespec_machines::run_job::{self, RunJob};
use statespec_store::{Applied, Birth, Column, Connection, Database, Found, Kind, Outcome, Request, Step, Store, Table};

use crate::kit::{Kit, Postgres, Sqlite, on_postgres, on_sqlite, runtime};
use crate::processes::{Dice, Post, Then, die, say};

type Runs = Store<AgentRun, State>;

/// How often a process has died, by its fate.
type Deaths = Mutex<BTreeMap<String, u32>>;

const RUNS: i64 = 16;

const LEASE: Duration = Duration::from_millis(200);

/// Longer than the lease.
const STALL: Span = Span::from_millis(450);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Claimed,
    Stalls,
    Running,
    /// The run has ended, and nothing is committed.
    AtTheEnd,
}

const FATES: [Fate; 4] = [Fate::Claimed, Fate::Stalls, Fate::Running, Fate::AtTheEnd];

fn runs<K: Kit>() -> Runs {
    const KEY: &[Column] = &[Column::new("id", Kind::Integer)];
    Store::new(Table { journal: true, ..Table::new(K::ENGINE, "agent_run", "runs", KEY, "state", "version") }).unwrap()
}

async fn query<C: Connection>(c: &mut C, sql: &str) -> Vec<i64> {
    let rows = c.query(sql, &[]).await.unwrap();
    rows.into_iter().map(|it| it[0].as_ref().unwrap().parse().unwrap()).collect()
}

fn to(state: State) -> Step<'static, AgentRun, State> {
    Step::direct(move |run: &mut AgentRun| run.transition_to(state))
}

fn job_to(state: run_job::State) -> Step<'static, RunJob, run_job::State> {
    Step::direct(move |job: &mut RunJob| job.transition_to(state))
}

fn renew() -> Step<'static, RunJob, run_job::State> {
    Step::at(|now| Step::event(run_job::Event::Renew { until: now + LEASE }))
}

/// A new job for a run, in the transaction of the caller.
async fn enqueue<K: Kit, C: Connection>(kit: &K, c: &mut C, run: i64) {
    let job = query(c, "SELECT CAST(coalesce(max(job), 0) + 1 AS text) FROM attempts").await[0];
    let _ = kit.jobs().create(c, job, Birth::new(RunJob::new()), None, Some("user")).await.unwrap();
    c.execute(&format!("INSERT INTO attempts VALUES ({job}, {run})"), &[]).await.unwrap();
}

/// The process: a worker.
pub(crate) async fn work<K: Kit>(kit: &K, name: &str, process: u64) {
    let (jobs, mut database, mut dice, began) = (kit.jobs(), kit.open().await, Dice::of(process), Instant::now());
    let mut fate = usize::try_from(process).ok().filter(|it| *it < 2 * FATES.len()).map(|it| FATES[it % FATES.len()]);
    let claim = |_: &RunJob| vec![Step::at(|now| Step::event(run_job::Event::Claim { until: now + LEASE }))];
    let over = |_: &RunJob| vec![Step::at(|now| Step::event(run_job::Event::Reclaim { now })), renew()];
    loop {
        assert!(began.elapsed() < Span::from_secs(90), "nobody says that it is over");
        let mut c = database.begin().await.unwrap();
        let mut held = jobs.reclaim(&mut c, 1, name, over).await.unwrap();
        if held.is_empty() {
            held = jobs.claim(&mut c, 1, name, claim).await.unwrap();
        }
        K::Database::commit(c).await.unwrap();
        if !held.is_empty() && fate == Some(Fate::Claimed) {
            die(Fate::Claimed);
        }
        for Applied { found, .. } in &held {
            do_run(kit, &mut database, name, found, &mut dice, &mut fate).await;
        }
        if held.is_empty() {
            if !kit.ask("SELECT what FROM ended").await.is_empty() {
                return;
            }
            std::thread::sleep(Span::from_millis(25));
        }
    }
}

/// Does what is left of a run: another worker may have done some of it.
async fn do_run<K: Kit>(kit: &K, database: &mut K::Database, name: &str, job: &Found<RunJob>, dice: &mut Dice, fate: &mut Option<Fate>) {
    let (jobs, runs, mut fence, mut at) = (kit.jobs(), runs::<K>(), job.version, job.machine.state());
    loop {
        let mut c = database.begin().await.unwrap();
        let run = query(&mut c, &format!("SELECT CAST(run AS text) FROM attempts WHERE job = {}", job.key)).await[0];
        let state = runs.load(&mut c, &run.into()).await.unwrap().unwrap().machine.state();
        let onward: Vec<State> = state.successors().iter().copied().filter(|it| *it != State::Cancelled).collect();
        let mut next = if state.is_terminal() { None } else { Some(onward[dice.below(onward.len() as u64) as usize]) };
        if let Some(to_state) = next {
            match runs.apply(&mut c, Request::new(run, to(to_state)).actor(name)).await.unwrap() {
                Outcome::Applied(_) => {}
                // The user has cancelled it meanwhile.
                Outcome::Refused(_) => next = None,
                other => panic!("{other:?}"),
            }
        }
        let step = match next {
            Some(State::Complete) => job_to(run_job::State::Complete),
            // A run that is over needs no job.
            None | Some(State::Failed) => job_to(run_job::State::Failed),
            Some(_) if at == run_job::State::Claimed => job_to(run_job::State::Running),
            Some(_) => renew(),
        };
        let outcome = jobs.apply(&mut c, Request::new(job.key.clone(), step).fence(fence).actor(name)).await.unwrap();
        match outcome {
            Outcome::Applied(applied) => (fence, at) = (applied.found.version, applied.found.machine.state()),
            Outcome::LostRace(_) => {
                // Another worker has the job: the step of the run is not committed either.
                say("late");
                return;
            }
            other => panic!("{other:?}"),
        }
        let is_over = at != run_job::State::Running;
        if at == run_job::State::Complete {
            c.execute(&format!("INSERT INTO results VALUES ({run}, {}, '{name}')", job.key), &[]).await.unwrap();
        }
        if is_over && *fate == Some(Fate::AtTheEnd) {
            die(Fate::AtTheEnd);
        }
        K::Database::commit(c).await.unwrap();
        if is_over {
            return;
        }
        match *fate {
            Some(Fate::Running) => die(Fate::Running),
            Some(Fate::Stalls) => {
                *fate = None;
                std::thread::sleep(STALL);
            }
            _ => {}
        }
    }
}

/// The user: cancels runs by chance, retries those that failed, and resumes half of those that were cancelled, until all have ended.
async fn use_pool<K: Kit>(kit: &K, deaths: &Deaths) {
    let (runs, mut database, mut dice, began) = (runs::<K>(), kit.open().await, Dice::of(4), Instant::now());
    loop {
        let mut c = database.begin().await.unwrap();
        let run = 1 + dice.below(RUNS as u64) as i64;
        let state = runs.load(&mut c, &run.into()).await.unwrap().unwrap().machine.state();
        let step = match state {
            State::Failed => Some(Step::event(Event::Resume)),
            State::Cancelled if run % 2 == 0 => Some(Step::event(Event::Resume)),
            State::Complete | State::Cancelled => None,
            _ => dice.one_of(6).then(|| to(State::Cancelled)),
        };
        if let Some(step) = step {
            // Whatever it is by now: what it may do, it does.
            let outcome = runs.apply(&mut c, Request::new(run, step).actor("user")).await.unwrap();
            if matches!(&outcome, Outcome::Applied(it) if it.found.machine.state() == State::Queued) {
                let live = format!(
                    "SELECT CAST(job AS text) FROM attempts JOIN jobs ON id = job WHERE run = {run} AND status NOT IN ('complete', 'failed')"
                );
                // A worker that has not seen that the run was cancelled goes on with it.
                if query(&mut c, &live).await.is_empty() {
                    enqueue(kit, &mut c, run).await;
                }
            }
        }
        K::Database::commit(c).await.unwrap();
        let open = "SELECT id FROM runs WHERE state NOT IN ('complete', 'cancelled') OR (state = 'cancelled' AND id % 2 = 0) LIMIT 1";
        let open = kit.ask(&open.replace("SELECT id", "SELECT CAST(id AS text)")).await;
        let live = kit.ask("SELECT status FROM jobs WHERE status NOT IN ('complete', 'failed') LIMIT 1").await;
        if open.is_empty() && live.is_empty() {
            return kit.run("INSERT INTO ended VALUES ('all')").await;
        }
        assert!(began.elapsed() < Span::from_secs(60), "{open:?}, {live:?}, {:?}", deaths.lock().unwrap());
        std::thread::sleep(Span::from_millis(5));
    }
}

async fn check<K: Kit>(kit: &K) {
    let texts = async |sql: String| {
        let rows = kit.ask(&sql).await;
        rows.into_iter().map(|it| it.into_iter().flatten().collect::<Vec<_>>().join(" ")).collect::<BTreeSet<_>>()
    };
    // One result for each run that is complete, by the job that is complete and the worker that completed it; none for another one.
    let journal = kit.own("run_job_journal");
    let done = texts("SELECT CAST(id AS text) FROM runs WHERE state = 'complete'".to_owned()).await;
    let results = texts("SELECT CAST(run AS text) FROM results".to_owned()).await;
    assert_eq!(done, results);
    assert!(done.len() > 4 && done.len() < RUNS as usize, "some are complete, and some cancelled: {done:?}");
    let by_job = texts("SELECT CAST(run AS text), CAST(job AS text), worker FROM results".to_owned()).await;
    let by_journal = format!(
        "SELECT CAST(run AS text), CAST(job AS text), actor FROM attempts JOIN {journal} AS j ON j.id = job WHERE to_state = 'complete'"
    );
    assert_eq!(by_job, texts(by_journal).await);
    // Runs come back by `resume` alone, and each job but the first of a run is one of these.
    let runs_journal = kit.own("agent_run_journal");
    let back = format!("SELECT DISTINCT from_state, event, actor FROM {runs_journal} WHERE to_state = 'queued' AND from_state IS NOT NULL");
    assert_eq!(texts(back).await, ["cancelled resume user", "failed resume user"].map(str::to_owned).into());
    let n = async |sql: String| kit.ask(&sql).await[0][0].as_ref().unwrap().parse::<i64>().unwrap();
    let n_resumed = n(format!("SELECT CAST(count(*) AS text) FROM {runs_journal} WHERE event = 'resume'")).await;
    let n_jobs = n("SELECT CAST(count(*) AS text) FROM jobs".to_owned()).await;
    assert!(RUNS < n_jobs && n_jobs <= RUNS + n_resumed, "{n_jobs} jobs, {n_resumed} resumed");
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    assert_eq!(runs::<K>().replay(&mut c).await.unwrap(), []);
    assert_eq!(kit.jobs().replay(&mut c).await.unwrap(), []);
}

async fn a_pool_ends_its_runs<K: Kit>(kit: &K, place: &str, driver: &'static str, user: impl Fn(&Deaths) + Sync) {
    let tables = "CREATE TABLE runs (id bigint PRIMARY KEY, state text NOT NULL, version bigint NOT NULL);
        CREATE TABLE attempts (job bigint PRIMARY KEY, run bigint NOT NULL); CREATE TABLE ended (what text);
        CREATE TABLE results (run bigint PRIMARY KEY, job bigint NOT NULL, worker text NOT NULL)";
    kit.make(tables, &[*runs::<K>().table()]).await;
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    for run in 1..=RUNS {
        let _ = runs::<K>().create(&mut c, run, Birth::new(AgentRun::new()), None, Some("user")).await.unwrap();
        enqueue(kit, &mut c, run).await;
    }
    // One of these is resumed.
    for run in [1, 2] {
        runs::<K>().apply(&mut c, Request::new(run, to(State::Cancelled)).actor("user")).await.unwrap().applied().unwrap();
    }
    K::Database::commit(c).await.unwrap();
    let (deaths, n_late, n_processes) = (&Deaths::default(), &AtomicU64::new(0), &AtomicU64::new(0));
    std::thread::scope(|scope| {
        for idx in 0..4 {
            let post = Post { role: "pool", driver, place, name: format!("w-{idx}"), variables: &[] };
            scope.spawn(move || {
                post.keep(n_processes, |said| {
                    n_late.fetch_add(u64::from(said == "late"), Ordering::Relaxed);
                    let Some(fate) = said.strip_prefix("dies ") else { return Then::Listen };
                    *deaths.lock().unwrap().entry(fate.to_owned()).or_default() += 1;
                    Then::Kill
                });
            });
        }
        user(deaths);
    });
    let deaths = deaths.lock().unwrap().clone();
    assert!(deaths.len() == FATES.len() - 1 && n_late.load(Ordering::Relaxed) > 0, "{deaths:?}, {n_late:?}");
    check(kit).await;
}

#[test]
fn a_pool_on_sqlite() {
    on_sqlite(async |kit: &Sqlite| {
        let place = kit.place();
        a_pool_ends_its_runs(kit, &place, "rusqlite", |deaths| statespec_store::wait(use_pool(&Sqlite::at(&place), deaths))).await;
    });
}

#[test]
fn a_pool_on_postgresql() {
    on_postgres(async |kit: &Postgres| {
        let place = kit.place();
        let user =
            |deaths: &_| std::thread::scope(|scope| scope.spawn(|| runtime().block_on(use_pool(&Postgres::at(&place), deaths))).join());
        a_pool_ends_its_runs(kit, &place, "tokio-postgres", |deaths| user(deaths).unwrap()).await;
    });
}
