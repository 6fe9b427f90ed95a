//! Many worker processes on one table. They are killed (`SIGKILL`) in every state, claimed and just reclaimed among them, and in the
//! middle of a transaction; they stall for longer than their lease; and on PostgreSQL, the clocks of two thirds of them are wrong by an
//! hour. Every job ends, and no result of an old lease is accepted.
//!
//! A worker says `result JOB` after a result was committed, `late` when an old lease was refused, and `dies STATE` when it is to be
//! killed there.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration as Span;

use statespec::Duration;
use statespec_machines::run_job::{Event, RunJob, State};
use statespec_store::{Birth, Database, Outcome, Request, Step};

use crate::checks::{Missing, needed, sample};
use crate::kit::{Kit, on_postgres, on_sqlite};
use crate::processes::{Dice, Post, Then, die, say};

const LEASE: Duration = Duration::from_millis(200);

/// Longer than the lease.
const STALL: Span = Span::from_millis(450);

/// The variable with the number of jobs, for a measurement.
const JOBS: &str = "STATESPEC_STORE_JOBS";

/// Where a worker is killed, or stalls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    InATransaction,
    Claimed,
    Reclaimed,
    Running,
    Stalls,
}

const FATES: [Fate; 5] = [Fate::InATransaction, Fate::Claimed, Fate::Stalls, Fate::Running, Fate::Reclaimed];

/// What becomes of a worker: the first ones have a fate each, the rest is by numbers from a seed.
struct Lot {
    fate: Option<Fate>,
    dice: Dice,
}

impl Lot {
    /// The lot of the process with this number.
    fn of(process: u64) -> Self {
        let fate = usize::try_from(process).ok().filter(|it| *it < 3 * FATES.len()).map(|it| FATES[it % FATES.len()]);
        Lot { fate, dice: Dice::of(process) }
    }

    /// Whether this happens here: the fate does so the first time, and by chance one in so many does.
    fn strikes(&mut self, fate: Fate, one_in: u64) -> bool {
        self.fate.take_if(|it| *it == fate).is_some() || self.dice.one_of(one_in)
    }
}

fn to(state: State) -> Step<'static, RunJob, State> {
    Step::direct(move |job: &mut RunJob| job.transition_to(state))
}

/// The clock of this process, in seconds.
fn clock() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    i64::try_from(since.as_secs()).unwrap()
}

/// Works until every job has ended.
pub(crate) async fn work<K: Kit>(kit: &K, name: &str, process: u64) {
    say(&format!("clock {}", clock()));
    let mut lot = Lot::of(process);
    let jobs = kit.jobs();
    let claim = |_: &RunJob| vec![Step::at(|now| Step::event(Event::Claim { until: now + LEASE }))];
    let over = |_: &RunJob| {
        vec![Step::at(|now| Step::event(Event::Reclaim { now })), Step::at(|now| Step::event(Event::Renew { until: now + LEASE }))]
    };
    let mut database = kit.open().await;
    loop {
        let mut c = database.begin().await.unwrap();
        let mut held: Vec<_> = jobs.reclaim(&mut c, 4, name, over).await.unwrap().into_iter().map(|it| (it, true)).collect();
        if held.is_empty() {
            held.extend(jobs.claim(&mut c, 8, name, claim).await.unwrap().into_iter().map(|it| (it, false)));
        }
        if !held.is_empty() && lot.strikes(Fate::InATransaction, 60) {
            die(Fate::InATransaction);
        }
        K::Database::commit(c).await.unwrap();
        if held.is_empty() {
            let left = kit.ask("SELECT 'x' FROM jobs WHERE status NOT IN ('complete', 'failed') LIMIT 1").await;
            if left.is_empty() {
                return;
            }
            std::thread::sleep(Span::from_millis(20));
            continue;
        }
        for (held, again) in held {
            let (key, mut fence) = (held.found.key, held.found.version);
            let (fate, one_in) = if again { (Fate::Reclaimed, 10) } else { (Fate::Claimed, 50) };
            if lot.strikes(fate, one_in) {
                die(fate);
            }
            for state in [State::Running, if lot.dice.one_of(5) { State::Failed } else { State::Complete }] {
                if lot.strikes(Fate::Stalls, 100) {
                    std::thread::sleep(STALL);
                }
                let mut c = database.begin().await.unwrap();
                let outcome = jobs.apply(&mut c, Request::new(key.clone(), to(state)).fence(fence).actor(name)).await.unwrap();
                K::Database::commit(c).await.unwrap();
                match outcome {
                    Outcome::Applied(applied) => fence = applied.found.version,
                    Outcome::LostRace(current) => {
                        assert!(current.version > fence);
                        say("late");
                        break;
                    }
                    other => panic!("{other:?}"),
                }
                if state != State::Running {
                    say(&format!("result {key}"));
                } else if lot.strikes(Fate::Running, 50) {
                    die(Fate::Running);
                }
            }
        }
    }
}

/// What became of the jobs, as the workers said.
#[derive(Default)]
struct Told {
    /// The results that were accepted, by job.
    results: Mutex<BTreeMap<String, Vec<String>>>,
    n_late: AtomicU32,
    /// The kills, by state.
    deaths: Mutex<BTreeMap<String, u32>>,
    n_processes: AtomicU64,
}

/// One place for a worker: each that dies has a successor.
fn place_of_worker(post: &Post<'_>, told: &Told) {
    post.keep(&told.n_processes, |said| {
        if let Some(job) = said.strip_prefix("result ") {
            told.results.lock().unwrap().entry(job.to_owned()).or_default().push(post.name.clone());
        } else if let Some(state) = said.strip_prefix("dies ") {
            *told.deaths.lock().unwrap().entry(state.to_owned()).or_default() += 1;
            return Then::Kill;
        } else if let Some(seconds) = said.strip_prefix("clock ") {
            let wrong_by = (seconds.parse::<i64>().unwrap() - clock()).abs();
            assert_eq!(wrong_by > 3000, !post.variables.is_empty(), "{}: the clock is wrong by {wrong_by} s", post.name);
        } else if said == "late" {
            told.n_late.fetch_add(1, Ordering::Relaxed);
        }
        Then::Listen
    });
}

async fn fill<K: Kit>(kit: &K, n_jobs: usize) {
    let (jobs, mut database) = (kit.jobs(), kit.open().await);
    let mut c = database.begin().await.unwrap();
    for id in 0..n_jobs as i64 {
        let _ = jobs.create(&mut c, id, Birth::new(RunJob::new()), None, None).await.unwrap();
    }
    K::Database::commit(c).await.unwrap();
}

async fn check<K: Kit>(kit: &K, n_jobs: usize, told: &Told) {
    let results = told.results.lock().unwrap().clone();
    assert_eq!(results.len(), n_jobs, "every job ended");
    let twice: Vec<_> = results.iter().filter(|it| it.1.len() != 1).collect();
    assert!(twice.is_empty(), "one result each: {twice:?}");
    // The database tells the same: the actor of the last entry is the one that was told so.
    let journal = kit.own("run_job_journal");
    let ends = kit.ask(&format!("SELECT CAST(id AS text), actor FROM {journal} WHERE to_state IN ('complete', 'failed')")).await;
    let ends: BTreeMap<String, Vec<String>> =
        ends.into_iter().map(|row| (row[0].clone().unwrap(), vec![row[1].clone().unwrap()])).collect();
    assert_eq!(ends, results);
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    assert_eq!(kit.jobs().replay(&mut c).await.unwrap(), []);
    let deaths = told.deaths.lock().unwrap();
    for state in FATES.into_iter().filter(|it| *it != Fate::Stalls) {
        assert!(deaths.contains_key(&format!("{state:?}")), "nobody died {state:?}: {deaths:?}");
    }
    assert!(told.n_late.load(Ordering::Relaxed) > 0, "nobody was late");
}

/// Workers until every job has ended.
async fn run<K: Kit>(kit: &K, place: &str, drivers: [&'static str; 2], n_workers: usize, clocks: &[Vec<(&str, String)>], n_jobs: usize) {
    let n_jobs = std::env::var(JOBS).map_or(n_jobs, |it| it.parse().unwrap());
    fill(kit, n_jobs).await;
    let told = &Told::default();
    std::thread::scope(|scope| {
        for idx in 0..n_workers {
            let variables = &clocks[idx % clocks.len()];
            let post = Post { role: "worker", driver: drivers[idx % 2], place, name: format!("w-{idx}"), variables };
            scope.spawn(move || place_of_worker(&post, told));
        }
    });
    check(kit, n_jobs, told).await;
}

/// The variables of a process whose clock is right, and of two whose clocks are wrong by an hour.
fn clocks() -> Vec<Vec<(&'static str, String)>> {
    let Some(library) = needed("workers whose clocks are wrong", faketime()) else { return vec![Vec::new()] };
    let wrong =
        |by: &str| vec![("LD_PRELOAD", library.to_owned()), ("FAKETIME", by.to_owned()), ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned())];
    vec![Vec::new(), wrong("+1h"), wrong("-1h")]
}

/// The library that makes a clock wrong, where Debian has it. Its command would be what is killed, as the parent of the worker; and it
/// fails where a killed process with the same number has left its shared memory.
fn faketime() -> Result<&'static str, Missing> {
    // The loader knows `$LIB`.
    const LIBRARY: &str = "/usr/$LIB/faketime/libfaketime.so.1";
    let missing = |reason: String| Missing::new(reason, "on Debian, `apt-get install faketime`");
    let tried = Command::new("date").env("LD_PRELOAD", LIBRARY).env("FAKETIME", "1999-12-31 12:00:00").arg("+%Y").output();
    let tried = tried.map_err(|err| missing(format!("`date` does not start: {err}")))?;
    if tried.stdout == b"1999\n" {
        return Ok(LIBRARY);
    }
    Err(missing(format!("{LIBRARY} changes no clock: {}", String::from_utf8_lossy(&tried.stderr).trim())))
}

#[test]
fn worker_processes_on_postgresql() {
    on_postgres(async |kit| run(kit, &kit.place(), ["tokio-postgres", "sqlx-postgres"], 16, &clocks(), sample(2000)).await);
}

/// One file. The clock of the database is that of the process, so that it is right.
#[test]
fn worker_processes_on_sqlite() {
    on_sqlite(async |kit| run(kit, &kit.place(), ["rusqlite", "sqlx-sqlite"], 4, &[Vec::new()], sample(800)).await);
}
