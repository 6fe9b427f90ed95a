//! Random kills: worker processes are killed (`SIGKILL`) at moments by numbers from a seed, and of each ten kills, one is an immediate
//! stop of the server of PostgreSQL. Afterwards, the journals replay to the stored rows, no effect was performed before its commit,
//! none is missing, and none was acknowledged twice.
//!
//! `STATESPEC_STORE_KILLS=200` sets the number.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Child;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration as Span;

use statespec::Duration;
use statespec_machines::mysis::{Event, Mysis};
use statespec_machines::{order, run_job};
use statespec_store::{
    Birth, Class, Clock, Database, Error, Key, Outcome, Part, Request, Step, Store, Stored, StoredState, create, emitted, raise,
};

use crate::checks::is_complete;
use crate::kit::{Kit, Postgres, Sqlite, on_sqlite, runtime};
use crate::processes::{Dice, Post, Then, listen, say};
use crate::server::{Server, private};
use crate::systems::supervisor::effects;

/// The variable with the number of kills, for a measurement.
const KILLS: &str = "STATESPEC_STORE_KILLS";

const WORKERS: usize = 4;

const LEASE: Duration = Duration::from_millis(200);

/// How many Myses there are.
const MYSES: u64 = 6;

/// The process: works on all machines until it is killed.
pub(crate) async fn work<K: Kit>(kit: &K, name: &str, process: u64) {
    let (mut dice, mut database) = (Dice::of(1000 + process), None);
    for n in 0_i64.. {
        let current = match &mut database {
            Some(it) => it,
            None => match kit.reopen().await {
                Ok(new) => database.insert(new),
                Err(error) => {
                    assert_eq!(error.class(), Class::Lost, "{error}");
                    std::thread::sleep(Span::from_millis(20));
                    continue;
                }
            },
        };
        match act(kit, current, name, &mut dice, process as i64 * 1_000_000 + n).await {
            Ok(()) => {}
            // The server has stopped, or starts.
            Err(error) if matches!(error.class(), Class::Lost | Class::Unknown) => database = None,
            Err(error) => assert!(error.is_retryable(), "{error}: {:?}", error.class()),
        }
    }
}

/// One act; `n` is a number that no other one has.
async fn act<K: Kit>(kit: &K, database: &mut K::Database, name: &str, dice: &mut Dice, n: i64) -> Result<(), Error> {
    match dice.below(8) {
        0 => job(kit, database, name, n).await,
        1 => order(kit, database, n).await,
        2 => {
            let mut c = database.begin().await?;
            kit.orders().due(&mut c, 4, name, |_| elapse()).await?;
            K::Database::commit(c).await
        }
        3..6 => mysis(kit, database, dice, n).await,
        _ => {
            deliver(&kit.myses(), database, name, &say).await?;
            deliver(&kit.orders(), database, name, &say).await
        }
    }
}

fn elapse() -> Step<'static, order::Order, order::State, order::Timers> {
    Step::elapse(&(), |it, change, event: order::Recorded| emitted(change.effects_of(it, event)))
}

/// A new job, and one that is claimed or taken over, and done.
async fn job<K: Kit>(kit: &K, database: &mut K::Database, name: &str, n: i64) -> Result<(), Error> {
    let jobs = kit.jobs();
    let claim = |_: &run_job::RunJob| vec![Step::at(|now| Step::event(run_job::Event::Claim { until: now + LEASE }))];
    let over = |_: &run_job::RunJob| {
        let renew = Step::at(|now| Step::event(run_job::Event::Renew { until: now + LEASE }));
        vec![Step::at(|now| Step::event(run_job::Event::Reclaim { now })), renew]
    };
    let mut c = database.begin().await?;
    let _ = jobs.create(&mut c, n, Birth::new(run_job::RunJob::new()), None, None).await?;
    let mut held = jobs.reclaim(&mut c, 1, name, over).await?;
    held.extend(jobs.claim(&mut c, 1, name, claim).await?);
    K::Database::commit(c).await?;
    for held in held {
        let mut fence = held.found.version;
        for state in [run_job::State::Running, run_job::State::Complete] {
            let step = Step::direct(move |it: &mut run_job::RunJob| it.transition_to(state));
            let mut c = database.begin().await?;
            let outcome = jobs.apply(&mut c, Request::new(held.found.key.clone(), step).fence(fence)).await?;
            K::Database::commit(c).await?;
            let Outcome::Applied(applied) = outcome else { break };
            fence = applied.found.version;
        }
        say(&format!("result {}", held.found.key));
    }
    Ok(())
}

async fn order<K: Kit>(kit: &K, database: &mut K::Database, n: i64) -> Result<(), Error> {
    let (orders, key) = (kit.orders(), Key::from(vec![Part::Text("k".into()), Part::Integer(n)]));
    let mut c = database.begin().await?;
    let _ = orders.create(&mut c, key.clone(), Birth::with_timers(order::Order::new()), None, None).await?;
    let place = raise!(order::Event::Place { window: Duration::from_seconds(0) });
    let _ = orders.apply(&mut c, Request::new(key, place)).await?;
    K::Database::commit(c).await
}

async fn mysis<K: Kit>(kit: &K, database: &mut K::Database, dice: &mut Dice, n: i64) -> Result<(), Error> {
    let id = format!("m{}", dice.below(MYSES));
    let event = match dice.below(8) {
        0..3 => Event::Start,
        3 => Event::Stop,
        4 => Event::NudgeFailed,
        5 => Event::Error { cause: "the provider is down" },
        _ => Event::Message { body: "hello" },
    };
    let mut c = database.begin().await?;
    let outcome = kit.myses().apply(&mut c, Request::new(id.as_str(), raise!(event)).command(format!("c-{n}"))).await?;
    K::Database::commit(c).await?;
    if let Outcome::Applied(applied) = outcome {
        say(&format!("applied {id}:{}", applied.found.version));
    }
    Ok(())
}

async fn deliver<M, S, T, D>(store: &Store<M, S, T>, database: &mut D, name: &str, say: &dyn Fn(&str)) -> Result<(), Error>
where
    M: Stored,
    S: StoredState,
    T: Clock<M, S> + Stored,
    D: Database,
{
    let mut c = database.begin().await?;
    let deliveries = store.outbox(&mut c, 20, name, LEASE).await?;
    D::commit(c).await?;
    for it in &deliveries {
        say(&format!("performs {}", it.id));
        let mut c = database.begin().await?;
        let is_told = store.acknowledge(&mut c, it).await?;
        D::commit(c).await?;
        if is_told {
            say(&format!("acknowledged {}", it.id));
        }
    }
    Ok(())
}

/// What the processes said, by the first word.
#[derive(Default)]
struct Told(Mutex<BTreeMap<String, Vec<String>>>);

impl Told {
    fn hear(&self, said: &str) {
        let (word, rest) = said.split_once(' ').unwrap_or((said, ""));
        self.0.lock().unwrap().entry(word.to_owned()).or_default().push(rest.to_owned());
    }

    fn of(&self, word: &str) -> Vec<String> {
        self.0.lock().unwrap().get(word).cloned().unwrap_or_default()
    }
}

/// Kills processes at random, and starts successors; `stop` stops the server, where there is one of the test's own.
fn kill(place: &str, drivers: [&'static str; 2], n_kills: u64, told: &Told, stop: Option<&(dyn Fn() + Sync)>) {
    let (is_over, n_over, n_processes) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let slots = [const { Mutex::new(None::<Child>) }; WORKERS];
    std::thread::scope(|scope| {
        for (idx, slot) in slots.iter().enumerate() {
            let (is_over, n_over, n_processes) = (&is_over, &n_over, &n_processes);
            let post = Post { role: "kills", driver: drivers[idx % 2], place, name: format!("w-{idx}"), variables: &[] };
            scope.spawn(move || {
                while !is_over.load(Ordering::SeqCst) {
                    let mut child = post.start(n_processes.fetch_add(1, Ordering::SeqCst));
                    let said = child.stdout.take().unwrap();
                    *slot.lock().unwrap() = Some(child);
                    listen(said, |said| {
                        told.hear(said);
                        Then::Listen
                    });
                    let status = slot.lock().unwrap().take().unwrap().wait().unwrap();
                    if status.signal() != Some(9) {
                        told.hear(&format!("ended {}: {status}", post.name));
                        break;
                    }
                }
                n_over.fetch_add(1, Ordering::SeqCst);
            });
        }
        let mut dice = Dice::of(7);
        let kill = |idx: usize| slots[idx].lock().unwrap().as_mut().is_some_and(|it| it.kill().is_ok());
        for n in 0..n_kills {
            std::thread::sleep(Span::from_millis(20 + dice.below(120)));
            match stop {
                Some(stop) if n % 10 == 5 => stop(),
                // At times there is none, because the last one died a moment ago.
                _ => {
                    while !kill(dice.below(WORKERS as u64) as usize) && told.of("ended").is_empty() {
                        std::thread::sleep(Span::from_millis(1));
                    }
                }
            }
        }
        is_over.store(true, Ordering::SeqCst);
        while n_over.load(Ordering::SeqCst) < WORKERS as u64 {
            (0..WORKERS).for_each(|idx| _ = kill(idx));
            std::thread::sleep(Span::from_millis(5));
        }
    });
}

/// Another process does what is left; then everything is there, once.
async fn check<K: Kit>(kit: &K, told: &Told) {
    assert_eq!(told.of("ended"), [] as [String; 0], "nobody ended by itself");
    let mut database = loop {
        match kit.reopen().await {
            Ok(it) => break it,
            Err(_) => std::thread::sleep(Span::from_millis(50)),
        }
    };
    let mut c = database.begin().await.unwrap();
    while !kit.orders().due(&mut c, 100, "last", |_| elapse()).await.unwrap().is_empty() {}
    K::Database::commit(c).await.unwrap();
    let left = format!("SELECT id FROM {} UNION ALL SELECT id FROM {} LIMIT 1", kit.own("mysis_outbox"), kit.own("order_outbox"));
    while !kit.ask(&left).await.is_empty() {
        deliver(&kit.myses(), &mut database, "last", &|said| told.hear(said)).await.unwrap();
        deliver(&kit.orders(), &mut database, "last", &|said| told.hear(said)).await.unwrap();
    }
    let mut c = database.begin().await.unwrap();
    assert_eq!(kit.myses().replay(&mut c).await.unwrap(), []);
    assert_eq!(kit.orders().replay(&mut c).await.unwrap(), []);
    assert_eq!(kit.jobs().replay(&mut c).await.unwrap(), []);
    drop(c);
    let (mut expected, mut changes) = (BTreeSet::new(), BTreeSet::new());
    for (machine, id) in [("mysis", "id"), ("order", "'[\"k\",' || CAST(number AS text) || ']'")] {
        let line = "CAST(version AS text), coalesce(from_state, ''), coalesce(event, ''), to_state FROM";
        for line in kit.ask(&format!("SELECT {id}, {line} {}", kit.own(&format!("{machine}_journal")))).await {
            let [id, version, from, event, to] = <[Option<String>; 5]>::try_from(line).unwrap().map(Option::unwrap);
            let n_effects =
                if machine == "mysis" { effects(&event, &from, &to) } else { usize::from(event != "place" && !event.is_empty()) };
            expected.extend((0..n_effects).map(|it| format!("{id}:{version}:{it}")));
            changes.insert(format!("{id}:{version}"));
        }
    }
    let (performed, acknowledged, applied) = (told.of("performs"), told.of("acknowledged"), told.of("applied"));
    let once: BTreeSet<&String> = acknowledged.iter().collect();
    if std::env::var_os(KILLS).is_some() {
        let _ = writeln!(
            std::io::stderr(),
            "{} changes, {} effects, {} deliveries, {} acknowledgements that were told, {} results",
            changes.len(),
            expected.len(),
            performed.len(),
            acknowledged.len(),
            told.of("result").len()
        );
    }
    assert_eq!(performed.into_iter().collect::<BTreeSet<_>>(), expected, "each effect of a commit, and no other");
    assert_eq!(once.len(), acknowledged.len(), "each once");
    let lost: Vec<_> = applied.iter().filter(|it| !changes.contains(*it)).collect();
    assert!(lost.is_empty() && !applied.is_empty(), "told, and not there: {lost:?}");
}

async fn fill<K: Kit>(kit: &K) {
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    for n in 0..MYSES {
        let birth = create!(Mysis::<String>::create, Event::Create).unwrap().unwrap();
        let _ = kit.myses().create(&mut c, format!("m{n}"), birth, None, None).await.unwrap();
    }
    K::Database::commit(c).await.unwrap();
}

/// The number of kills.
fn n_kills(few: u64) -> u64 {
    std::env::var(KILLS).map_or(few, |it| it.parse().unwrap())
}

#[test]
fn kills_on_sqlite() {
    on_sqlite(async |kit: &Sqlite| {
        fill(kit).await;
        let told = Told::default();
        kill(&kit.place(), ["rusqlite", "sqlx-sqlite"], n_kills(6), &told, None);
        check(kit, &told).await;
    });
}

/// On a server of its own if every check runs in full: it is stopped, too.
#[test]
fn kills_on_postgresql() {
    let run = |kit: &Postgres, server: Option<&Server>| {
        let told = Told::default();
        runtime().block_on(fill(kit));
        let stop = server.map(|it| || it.crash());
        kill(&kit.place(), ["tokio-postgres", "sqlx-postgres"], n_kills(10), &told, stop.as_ref().map(|it| it as &(dyn Fn() + Sync)));
        runtime().block_on(check(kit, &told));
    };
    if is_complete() || std::env::var_os(KILLS).is_some() {
        let Some(server) = private("kills of workers and of a server") else { return };
        run(&Postgres::on(&server), Some(&server));
    } else if let Some(kit) = Postgres::new() {
        run(&kit, None);
    }
}
