//! Many workers on one table: they die in every state, and stall for longer than their lease. Every job ends, and no result of an old
//! lease is accepted.
//!
//! No worker's clock matters: the store takes the time from the database.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration as Span;

use statespec::Duration;
use statespec_machines::run_job::{Event, RunJob, State};
use statespec_store::{Birth, Database, Outcome, Request, Step};

use crate::checks::sample;
use crate::kit::{Kit, on_postgres, on_sqlite};

const LEASE: Duration = Duration::from_millis(150);

/// The seed of the first worker.
const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// What became of the jobs, as the workers were told.
#[derive(Default)]
struct Told {
    /// The results that were accepted, by job.
    results: Mutex<BTreeMap<String, Vec<String>>>,
    /// The results of old leases that were refused.
    n_late: AtomicU32,
    /// The deaths by state.
    deaths: Mutex<BTreeMap<&'static str, u32>>,
}

/// Numbers from a seed, the same in every run.
struct Dice(u64);

impl Dice {
    fn one_of(&mut self, n: u64) -> bool {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.is_multiple_of(n)
    }
}

fn to(state: State) -> Step<'static, RunJob, State> {
    Step::direct(move |job: &mut RunJob| job.transition_to(state))
}

/// Works until every job has ended.
async fn work<K: Kit>(kit: &K, name: String, seed: u64, told: &Told, pause: impl AsyncFn(Span)) {
    let (jobs, mut dice) = (kit.jobs(), Dice(seed));
    let claim = |_: &RunJob| vec![Step::at(|now| Step::event(Event::Claim { until: now + LEASE }))];
    let over = |_: &RunJob| {
        vec![Step::at(|now| Step::event(Event::Reclaim { now })), Step::at(|now| Step::event(Event::Renew { until: now + LEASE }))]
    };
    let died = |state: &'static str| *told.deaths.lock().unwrap().entry(state).or_default() += 1;
    // Each turn is a process, which is gone when it dies.
    loop {
        let mut database = kit.open().await;
        'process: loop {
            let mut c = database.begin().await.unwrap();
            let mut held: Vec<_> = jobs.reclaim(&mut c, 4, &name, over).await.unwrap().into_iter().map(|it| (it, true)).collect();
            if held.is_empty() {
                held.extend(jobs.claim(&mut c, 8, &name, claim).await.unwrap().into_iter().map(|it| (it, false)));
            }
            K::Database::commit(c).await.unwrap();
            if held.is_empty() {
                let left = kit.ask("SELECT 'x' FROM jobs WHERE status NOT IN ('complete', 'failed') LIMIT 1").await;
                if left.is_empty() {
                    return;
                }
                pause(Span::from_millis(20)).await;
                continue;
            }
            for (held, again) in held {
                let (key, mut fence) = (held.found.key, held.found.version);
                if dice.one_of(24) {
                    died(if again { "reclaimed" } else { "claimed" });
                    break 'process;
                }
                for state in [State::Running, if dice.one_of(5) { State::Failed } else { State::Complete }] {
                    if dice.one_of(60) {
                        // Longer than the lease.
                        pause(Span::from_millis(400)).await;
                    }
                    let mut c = database.begin().await.unwrap();
                    let outcome = jobs.apply(&mut c, Request::new(key.clone(), to(state)).fence(fence).actor(name.as_str())).await.unwrap();
                    K::Database::commit(c).await.unwrap();
                    match outcome {
                        Outcome::Applied(applied) => fence = applied.found.version,
                        Outcome::LostRace(current) => {
                            assert!(current.version > fence);
                            told.n_late.fetch_add(1, Ordering::Relaxed);
                            break;
                        }
                        other => panic!("{other:?}"),
                    }
                    if state != State::Running {
                        told.results.lock().unwrap().entry(key.to_string()).or_default().push(name.clone());
                    } else if dice.one_of(24) {
                        died("running");
                        break 'process;
                    }
                }
            }
        }
    }
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
    for state in ["claimed", "running", "reclaimed"] {
        assert!(deaths.contains_key(state), "nobody died in a job that was {state}: {deaths:?}");
    }
    assert!(told.n_late.load(Ordering::Relaxed) > 0, "nobody was late");
}

#[test]
fn workers_on_postgresql() {
    on_postgres(async |kit| {
        let n_jobs = sample(2000);
        fill(kit, n_jobs).await;
        let told = Told::default();
        std::thread::scope(|scope| {
            for idx in 1..=16 {
                let told = &told;
                scope.spawn(move || {
                    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                    runtime.block_on(work(kit, format!("w-{idx}"), SEED.wrapping_mul(idx), told, tokio::time::sleep));
                });
            }
        });
        check(kit, n_jobs, &told).await;
    });
}

/// One file, and a thread with connections of its own for each worker.
#[test]
fn workers_on_sqlite() {
    on_sqlite(async |kit| {
        let n_jobs = sample(800);
        fill(kit, n_jobs).await;
        let told = Told::default();
        std::thread::scope(|scope| {
            for idx in 1..=4 {
                let told = &told;
                let pause = async |span| std::thread::sleep(span);
                scope.spawn(move || {
                    statespec_store::wait(work(kit, format!("w-{idx}"), SEED.wrapping_mul(idx), told, pause));
                });
            }
        });
        check(kit, n_jobs, &told).await;
    });
}
