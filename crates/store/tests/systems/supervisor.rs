//! A supervisor of Myses: nudges that fall due, messages of a commander, tool calls that time out, and effects through the outbox. It
//! is a process, which dies (`SIGKILL`) in the middle of each of these; the next one loads what is stored and relaunches what ran.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::time::{Duration as Span, Instant};

use statespec::Duration;
use statespec_machines::mysis::{Effect, Event, Mysis, NUDGE_LIMIT, State};
use statespec_store::{Connection, Database, Engine, Found, Outcome, Request, Step, create, raise};

use crate::clock::Nudges;
use crate::kit::{Kit, Postgres, Sqlite, on_postgres, on_sqlite};
use crate::processes::{Dice, Post, Then, die, say};

const MYSES: [&str; 2] = ["a", "b"];

/// Where a supervisor dies; the first processes have one of these each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// Nudges were taken and not committed.
    InATransaction,
    /// The tool error is stored, and the Mysis is not errored yet.
    AfterTheToolError,
    /// Effects were claimed, and not performed.
    Claimed,
    /// An effect was performed, and nobody was told.
    Performed,
}

const FATES: [Fate; 4] = [Fate::InATransaction, Fate::AfterTheToolError, Fate::Claimed, Fate::Performed];

/// How long effects are a supervisor's.
const LEASE: Duration = Duration::from_millis(200);

/// What comes of a nudge that fell due.
fn nudge(dice: &mut Dice) -> Step<'static, Mysis<String>, State, Nudges> {
    match dice.below(10) {
        0 => raise!(Event::TurnCompleted),
        1 => raise!(Event::Nudge),
        2 => raise!(Event::Error { cause: "the provider is down" }),
        _ => raise!(Event::NudgeFailed),
    }
}

/// The process.
pub(crate) async fn supervise<K: Kit>(kit: &K, name: &str, process: u64) {
    let (myses, mut database, mut dice) = (kit.nudged(), kit.open().await, Dice::of(process));
    let mut fate = usize::try_from(process).ok().and_then(|it| FATES.get(it)).copied();
    // Whatever was stored, a Mysis is loaded as idle; what ran when the last supervisor died is started from there.
    for id in MYSES {
        loop {
            let mut c = database.begin().await.unwrap();
            let found = myses.load(&mut c, &id.into()).await.unwrap().unwrap();
            if found.machine.state() != State::Running {
                break;
            }
            let (machine, _) = Mysis::create(Event::Load).unwrap();
            let request = Request::ahead(Found { machine, ..found }, raise!(Event::Start)).actor(name);
            let outcome = myses.apply(&mut c, request.command(format!("relaunch-{process}-{id}"))).await.unwrap();
            K::Database::commit(c).await.unwrap();
            match outcome {
                Outcome::Applied(_) => break,
                Outcome::LostRace(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }
    let began = Instant::now();
    for round in 0.. {
        assert!(began.elapsed() < Span::from_secs(90), "nobody says that it is over");
        let mut c = database.begin().await.unwrap();
        let nudged = myses.due(&mut c, 9, name, |_| nudge(&mut dice)).await.unwrap();
        if !nudged.is_empty() && fate == Some(Fate::InATransaction) {
            die(Fate::InATransaction);
        }
        K::Database::commit(c).await.unwrap();
        if fate == Some(Fate::AfterTheToolError) || dice.one_of(12) {
            let id = MYSES[dice.below(2) as usize];
            time_out(kit, &mut database, id, &format!("timeout-{process}-{round}"), &mut fate).await;
        }
        deliver(kit, &mut database, name, &mut fate).await;
        let is_over = !kit.ask("SELECT what FROM notes WHERE what = 'over'").await.is_empty();
        if is_over && kit.ask(&format!("SELECT id FROM {}", kit.own("mysis_outbox"))).await.is_empty() {
            return;
        }
        std::thread::sleep(Span::from_millis(5));
    }
}

/// Notes something once, however often it is done.
async fn note<D: Database>(database: &mut D, what: &str, id: &str, text: &str) {
    let insert = match <D::Transaction<'_> as Connection>::ENGINE {
        Engine::Sqlite => "INSERT INTO notes VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        Engine::Postgres => "INSERT INTO notes VALUES ($1::text, $2::text, $3::text) ON CONFLICT DO NOTHING",
    };
    let mut c = database.begin().await.unwrap();
    c.execute(insert, &[what.into(), id.into(), text.into()]).await.unwrap();
    D::commit(c).await.unwrap();
}

/// A tool call of a Mysis times out: the error is stored for the Mysis that comes back, then the Mysis is errored.
async fn time_out<K: Kit>(kit: &K, database: &mut K::Database, id: &str, command: &str, fate: &mut Option<Fate>) {
    let timed_out = raise!(Event::ToolTimedOut { tool: "mine", cause: "context deadline exceeded" });
    match kit.nudged().plan(database, Request::new(id, timed_out).command(command)).await.unwrap() {
        Ok(planned) => {
            for it in planned.before() {
                let effect: Effect<String> = serde_json::from_str(&it.payload).unwrap();
                note(database, "tool error", command, &effect.borrowed().message().to_string()).await;
            }
            if fate.take_if(|it| *it == Fate::AfterTheToolError).is_some() {
                die(Fate::AfterTheToolError);
            }
            let mut c = database.begin().await.unwrap();
            let outcome = kit.nudged().commit(&mut c, planned).await.unwrap();
            K::Database::commit(c).await.unwrap();
            assert!(matches!(outcome, Outcome::Applied(_) | Outcome::LostRace(_)), "{outcome:?}");
        }
        Err(outcome) => assert!(matches!(outcome, Outcome::Refused(_)), "{outcome:?}"),
    }
}

/// Performs effects, each with its id.
async fn deliver<K: Kit>(kit: &K, database: &mut K::Database, name: &str, fate: &mut Option<Fate>) {
    let mut c = database.begin().await.unwrap();
    let deliveries = kit.nudged().outbox(&mut c, 9, name, LEASE).await.unwrap();
    K::Database::commit(c).await.unwrap();
    for it in &deliveries {
        if *fate == Some(Fate::Claimed) {
            die(Fate::Claimed);
        }
        say(&format!("performs {}", it.id));
        if let Effect::StoreMessage { body } = serde_json::from_str(&it.payload).unwrap() {
            note(database, "message", &it.id, body).await;
        }
        if *fate == Some(Fate::Performed) {
            die(Fate::Performed);
        }
        let mut c = database.begin().await.unwrap();
        let is_told = kit.nudged().acknowledge(&mut c, it).await.unwrap();
        K::Database::commit(c).await.unwrap();
        if is_told {
            say(&format!("acknowledged {}", it.id));
        }
    }
}

/// What the supervisors said.
#[derive(Default)]
struct Told {
    deaths: Mutex<Vec<String>>,
    performed: Mutex<Vec<String>>,
    acknowledged: Mutex<Vec<String>>,
}

/// Talks to the Myses, and starts those that need attention, until every supervisor has died its death. The result is the messages
/// that were accepted.
async fn command<K: Kit>(kit: &K, told: &Told) -> BTreeSet<String> {
    let (myses, mut database, mut accepted, began) = (kit.nudged(), kit.open().await, BTreeSet::new(), Instant::now());
    for n in 0.. {
        for id in MYSES {
            let (body, command) = (format!("{id}-{n}"), format!("commander-{id}-{n}"));
            let mut c = database.begin().await.unwrap();
            let state = myses.load(&mut c, &id.into()).await.unwrap().unwrap().machine.state();
            let event = match state {
                State::Running if n % 9 == 8 => Event::Stop,
                State::Idle | State::Stopped | State::Errored if n % 3 == 0 => Event::Start,
                _ => Event::Message { body: body.as_str() },
            };
            let outcome = myses.apply(&mut c, Request::new(id, raise!(event)).command(command).actor("commander")).await.unwrap();
            K::Database::commit(c).await.unwrap();
            match (outcome, event) {
                (Outcome::Applied(_), Event::Message { .. }) => assert!(accepted.insert(body)),
                // A supervisor was faster: the Mysis runs, or it does not any more.
                (Outcome::Applied(_) | Outcome::Refused(_), Event::Start | Event::Stop) => {}
                (Outcome::Refused(refused), Event::Message { .. }) => {
                    let text = refused.to_string();
                    let texts = ["mysis stopped - press 'r' to relaunch", "mysis errored - press 'r' to relaunch"];
                    assert!(texts.contains(&text.as_str()), "{text}");
                }
                other => panic!("{other:?}"),
            }
        }
        if told.deaths.lock().unwrap().len() == FATES.len() && has_happened(kit).await {
            break;
        }
        assert!(began.elapsed() < Span::from_secs(60), "{:?}", told.deaths.lock().unwrap());
        // Longer than a nudge takes to fall due: each change of a Mysis begins that anew.
        std::thread::sleep(Span::from_millis(40));
    }
    note(&mut database, "over", "", "").await;
    accepted
}

/// Whether the breaker has tripped, and a tool call has timed out.
async fn has_happened<K: Kit>(kit: &K) -> bool {
    let journal = kit.own("mysis_journal");
    let of = |event, to| format!("SELECT 'x' FROM {journal} WHERE event = '{event}' AND to_state = '{to}' LIMIT 1");
    !kit.ask(&of("nudge_failed", "idle")).await.is_empty() && !kit.ask(&of("tool_timed_out", "errored")).await.is_empty()
}

/// The effects of a step.
pub(crate) fn effects(event: &str, from: &str, to: &str) -> usize {
    match (event, from, to) {
        // Messages wait for a Mysis that was idle, as one is that was loaded.
        ("start", "idle" | "running", _) => 2,
        ("start" | "error" | "tool_timed_out", ..) => 1,
        ("stop", ..) | ("nudge_failed", _, "idle") | ("message", "running", _) => 2,
        ("message", ..) => 1,
        _ => 0,
    }
}

async fn check<K: Kit>(kit: &K, told: &Told, accepted: &BTreeSet<String>) {
    let line = "SELECT id, CAST(version AS text), coalesce(from_state, ''), event, to_state FROM";
    let lines = kit.ask(&format!("{line} {} ORDER BY entry", kit.own("mysis_journal"))).await;
    let (mut expected, mut n_failed, mut n_relaunched) = (BTreeSet::new(), BTreeMap::new(), 0);
    for line in lines {
        let [id, version, from, event, to] = <[Option<String>; 5]>::try_from(line).unwrap().map(Option::unwrap);
        expected.extend((0..effects(&event, &from, &to)).map(|it| format!("{id}:{version}:{it}")));
        let n_failed: &mut i64 = n_failed.entry(id).or_default();
        match event.as_str() {
            "nudge_failed" => {
                *n_failed += 1;
                assert_eq!(to == "idle", *n_failed == NUDGE_LIMIT, "the third one in a row, and no other: {n_failed}");
            }
            "start" | "turn_completed" => *n_failed = 0,
            _ => {}
        }
        n_relaunched += usize::from(event == "start" && from == "running");
    }
    // The last process does not die.
    assert!(1 <= n_relaunched && n_relaunched <= (FATES.len() + 1) * MYSES.len(), "{n_relaunched} ran when a supervisor came");
    let (performed, acknowledged) = (told.performed.lock().unwrap().clone(), told.acknowledged.lock().unwrap().clone());
    assert_eq!(performed.iter().cloned().collect::<BTreeSet<_>>(), expected, "each effect of a commit, and no other");
    assert!(performed.len() > expected.len(), "one was performed by a process that died before it said so");
    assert_eq!(acknowledged.iter().cloned().collect::<BTreeSet<_>>(), expected);
    assert_eq!(acknowledged.len(), expected.len(), "each once");
    // What the receiver has, by the id of the effect: each message once, however often it was delivered.
    let notes = async |what: &str| {
        let rows = kit.ask(&format!("SELECT id, text FROM notes WHERE what = '{what}' ORDER BY id")).await;
        rows.into_iter().map(|it| (it[0].clone().unwrap(), it[1].clone().unwrap())).collect::<Vec<_>>()
    };
    let messages: Vec<String> = notes("message").await.into_iter().map(|it| it.1).collect();
    assert_eq!((messages.len(), messages.into_iter().collect()), (accepted.len(), accepted.clone()));
    // The tool error is stored first, whatever becomes of the Mysis then.
    let errors: BTreeMap<String, String> = notes("tool error").await.into_iter().collect();
    let done = kit.ask(&format!("SELECT command FROM {} WHERE command LIKE 'timeout-%'", kit.own("mysis_commands"))).await;
    assert!(done.iter().all(|it| errors[it[0].as_ref().unwrap()] == "Error: tool call mine timed out: context deadline exceeded"));
    assert!(errors.len() > done.len(), "a supervisor died between the two");
    let mut database = kit.open().await;
    assert_eq!(kit.nudged().replay(&mut database.begin().await.unwrap()).await.unwrap(), []);
}

async fn supervisors_die<K: Kit>(kit: &K, place: String, driver: &'static str) {
    kit.run("CREATE TABLE notes (what text, id text, text text, PRIMARY KEY (what, id))").await;
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    for id in MYSES {
        let birth = create!(Mysis::<String>::create, Event::Create).unwrap().unwrap();
        let _ = kit.nudged().create(&mut c, id, birth, None, Some("commander")).await.unwrap();
    }
    K::Database::commit(c).await.unwrap();
    let told = Arc::new(Told::default());
    let kept = {
        let told = Arc::clone(&told);
        std::thread::spawn(move || {
            let post = Post { role: "supervisor", driver, place: &place, name: "supervisor".to_owned(), variables: &[] };
            post.keep(&AtomicU64::new(0), |said| {
                let add = |to: &Mutex<Vec<String>>, it: &str| to.lock().unwrap().push(it.to_owned());
                match said.split_once(' ') {
                    Some(("performs", id)) => add(&told.performed, id),
                    Some(("acknowledged", id)) => add(&told.acknowledged, id),
                    Some(("dies", fate)) => {
                        add(&told.deaths, fate);
                        return Then::Kill;
                    }
                    _ => {}
                }
                Then::Listen
            });
        })
    };
    let accepted = command(kit, &told).await;
    kept.join().unwrap();
    assert_eq!(*told.deaths.lock().unwrap(), FATES.map(|it| format!("{it:?}")));
    check(kit, &told, &accepted).await;
}

#[test]
fn supervisors_on_sqlite() {
    on_sqlite(async |kit: &Sqlite| supervisors_die(kit, kit.place(), "rusqlite").await);
}

#[test]
fn supervisors_on_postgresql() {
    on_postgres(async |kit: &Postgres| supervisors_die(kit, kit.place(), "tokio-postgres").await);
}
