//! Machines with regions: a row has the text of a configuration. `suite` runs these tests with each driver.
//!
//! The tables are made for these tests alone. That of the elevators is emitted, the constant and the script: a test of
//! `statespec-codegen` writes and compares them.

use statespec::{Duration, Failure};
use statespec_machines::elevator::{self, Elevator};
use statespec_machines::media_player::{self, MediaPlayer};
use statespec_store::{
    Applied, Birth, Class, Column, Connection as _, Created, Database, Deviation, Engine, Error, Found, Kind, Lease, Outcome, Ran, Request,
    Shelf, Step, Store, System, Table, TimerColumns, Transact as _, emitted, raise, unit,
};

use crate::guards::guarded;
use crate::kit::Kit;

#[allow(unreachable_pub, reason = "a program has the constant where it wants")]
#[path = "tables/elevator_postgresql.rs"]
mod elevator_postgres;
#[allow(unreachable_pub, reason = "a program has the constant where it wants")]
#[path = "tables/elevator_sqlite.rs"]
mod elevator_sqlite;

type Elevators = Store<Elevator, elevator::Leaf, elevator::Timers>;
type Players = Store<MediaPlayer, media_player::Leaf, media_player::Timers>;

fn elevators<K: Kit>(_: &K) -> Elevators {
    let table = match K::ENGINE {
        Engine::Sqlite => elevator_sqlite::TABLE,
        Engine::Postgres => elevator_postgres::TABLE,
    };
    Store::new(table).unwrap()
}

/// Players, whose context is one column.
fn players<K: Kit>(_: &K) -> Players {
    const KEY: &[Column] = &[Column::new("id", Kind::Text)];
    let timers = Some(TimerColumns { started: "timers", next_due: "next_due" });
    let table = Table::new(K::ENGINE, "media_player", "players", KEY, "at", "rev");
    Store::new(Table { rest: Some("context"), timers, journal: true, ..table }).unwrap()
}

/// The tables with their guards, and one of elevators without a guard.
async fn prepare<K: Kit>(kit: &K) {
    let (number, json, time) = match K::ENGINE {
        Engine::Sqlite => ("INTEGER", "TEXT", "INTEGER"),
        Engine::Postgres => ("bigint", "jsonb", "timestamptz"),
    };
    for name in ["elevators", "unguarded"] {
        kit.run(&format!(
            "CREATE TABLE {name} (id {number} PRIMARY KEY, state text NOT NULL, version {number} NOT NULL, floor {number} NOT NULL,
               destination {number} NOT NULL, timers {json}, next_due {time})"
        ))
        .await;
    }
    kit.run(&format!(
        "CREATE TABLE players (id text PRIMARY KEY, at text NOT NULL, rev {number} NOT NULL, context {json} NOT NULL, timers {json},
           next_due {time})"
    ))
    .await;
    let script = match K::ENGINE {
        Engine::Sqlite => include_str!("tables/elevator_sqlite.sql"),
        Engine::Postgres => include_str!("tables/elevator_postgresql.sql"),
    };
    for script in [script, &guarded(players(kit).table())] {
        kit.run(&format!("BEGIN;\n{script}COMMIT")).await;
    }
}

/// Commits one operation of the store.
macro_rules! commit {
    ($kit:expr, |$c:ident| $operation:expr) => {{
        let mut database = $kit.open().await;
        let mut transaction = database.begin().await.unwrap();
        let $c = &mut transaction;
        let result = $operation.await.unwrap();
        commit_of($kit, transaction).await;
        result
    }};
}

async fn commit_of<'c, K: Kit>(_: &K, transaction: <K::Database as Database>::Transaction<'c>)
where
    K::Database: 'c,
{
    K::Database::commit(transaction).await.unwrap();
}

async fn new_elevator<K: Kit>(kit: &K, id: i64) {
    let created = commit!(kit, |c| elevators(kit).create(c, id, Birth::with_timers(Elevator::new()), None, None));
    assert!(matches!(created, Created::Created(_)));
}

async fn ride<K: Kit>(kit: &K, id: i64, event: elevator::Event) -> Applied<Elevator, elevator::Leaf, elevator::Timers> {
    commit!(kit, |c| elevators(kit).apply(c, Request::new(id, raise!(event)))).applied().unwrap()
}

async fn play<K: Kit>(kit: &K, event: media_player::Event) -> String {
    let applied = commit!(kit, |c| players(kit).apply(c, Request::new("p", raise!(event)))).applied().unwrap();
    applied.found.machine.state().to_string()
}

/// Lets the time of an elevator pass, by what its row says of the timers.
async fn wait<K: Kit>(kit: &K, found: &Found<Elevator, elevator::Timers>, time: Duration) {
    let started = found.timers.started().map(|(timer, since)| (timer, since - time));
    let timers = elevator::Timers::restore(started);
    let due = timers.next_due(&found.machine).unwrap().1;
    let due = if K::ENGINE == Engine::Sqlite { due.as_micros().to_string() } else { format!("'{due}'") };
    let timers = serde_json::to_string(&timers).unwrap();
    kit.run(&format!("UPDATE elevators SET timers = '{timers}', next_due = {due} WHERE id = {}", found.key)).await;
}

/// What the database says of a write by hand, which is not committed.
async fn by_hand<K: Kit>(kit: &K, sql: &str) -> Result<u64, Error> {
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    c.execute(sql, &[]).await
}

/// The states of a table, and those of its journal.
async fn states<K: Kit>(kit: &K, machine: &str, table: &Table) -> (String, Vec<String>) {
    let rows = kit.ask(&format!("SELECT {} FROM {}", table.state, table.name)).await;
    let entries = kit.ask(&format!("SELECT to_state FROM {} ORDER BY entry", kit.own(&format!("{machine}_journal")))).await;
    let texts = |rows: Vec<Vec<Option<String>>>| rows.into_iter().flatten().flatten().collect::<Vec<_>>();
    (texts(rows).join(" "), texts(entries))
}

pub(crate) async fn machines_with_regions_live_in_rows<K: Kit>(kit: &K) {
    prepare(kit).await;
    an_elevator_lives_in_a_row(kit).await;
    a_player_goes_on_where_it_was(kit).await;
    a_part_with_regions_is_in_a_system(kit).await;
}

pub(crate) async fn what_is_no_configuration_is_refused<K: Kit>(kit: &K) {
    prepare(kit).await;
    a_configuration_that_cannot_be_is_refused(kit).await;
    a_text_that_is_no_configuration_is_unfit(kit).await;
}

async fn an_elevator_lives_in_a_row<K: Kit>(kit: &K) {
    use elevator::Event;
    let store = elevators(kit);
    new_elevator(kit, 1).await;
    let called = ride(kit, 1, Event::Call { to: 2 }).await;
    // The step in one region, and the automatic one that follows; its effects are in the outbox.
    assert_eq!((called.found.machine.state().to_string().as_str(), called.found.version, called.n_effects), ("up+shut", 2, 1));
    let refused = commit!(kit, |c| store.apply(c, Request::new(1, raise!(Event::Call { to: 5 }))));
    assert!(matches!(&refused, Outcome::Refused(it) if it.to_string() == "The elevator is in use."), "{refused:?}");
    let lost = commit!(kit, |c| store.apply(c, Request::new(1, raise!(Event::FloorReached)).fence(1)));
    assert!(matches!(&lost, Outcome::LostRace(it) if it.version == 2 && it.machine == called.found.machine), "{lost:?}");
    let request = || Request::new(1, raise!(Event::FloorReached)).command("first floor");
    let _ = commit!(kit, |c| store.apply(c, request())).applied().unwrap();
    let again = commit!(kit, |c| store.apply(c, request()));
    let Outcome::Repeated(recorded) = again else { panic!("{again:?}") };
    assert_eq!((recorded.from.as_deref(), recorded.to.as_str()), (Some("up+shut"), "up+shut"));
    // It arrives, and the event that is raised moves the door, which is the other region.
    let arrived = ride(kit, 1, Event::FloorReached).await;
    assert_eq!((arrived.found.machine.state().to_string().as_str(), arrived.n_effects), ("standing+opening", 3));
    let open = ride(kit, 1, Event::DoorMoved).await.found;
    assert!(commit!(kit, |c| store.due(c, 9, "clock", |_| elapse())).is_empty());
    wait(kit, &open, Duration::from_seconds(6)).await;
    let [closing] = &commit!(kit, |c| store.due(c, 9, "clock", |_| elapse()))[..] else { panic!("the door closes") };
    assert_eq!(closing.found.machine.state().to_string(), "standing+closing");
    let shut = ride(kit, 1, Event::DoorMoved).await.found;
    wait(kit, &shut, Duration::from_seconds(200)).await;
    let [down] = &commit!(kit, |c| store.due(c, 9, "clock", |_| elapse()))[..] else { panic!("it goes back") };
    assert_eq!(down.found.machine.state().to_string(), "down+shut");
    let found = commit!(kit, |c| store.load(c, &1.into())).unwrap();
    assert_eq!((&found, found.machine.context().floor), (&down.found, 2));
    let (row, entries) = states(kit, "elevator", store.table()).await;
    assert_eq!(row, "down+shut");
    let all =
        ["standing+shut", "up+shut", "up+shut", "standing+opening", "standing+open", "standing+closing", "standing+shut", "down+shut"];
    assert_eq!(entries, all);
    assert_eq!(commit!(kit, |c| store.replay(c)), []);
}

async fn a_player_goes_on_where_it_was<K: Kit>(kit: &K) {
    use media_player::Event;
    let store = players(kit);
    let _ = commit!(kit, |c| store.create(c, "p", Birth::with_timers(MediaPlayer::new()), None, None));
    assert_eq!(play(kit, Event::Open).await, "stopped+audible+window");
    assert_eq!(play(kit, Event::Play).await, "playing+audible+window");
    assert_eq!(play(kit, Event::ToggleSound).await, "playing+muted+window");
    assert_eq!(play(kit, Event::ToggleScreen).await, "playing+muted+controls");
    // One leaf, and the histories of three regions in the context.
    assert_eq!(play(kit, Event::Interrupt).await, "interrupted");
    let found = commit!(kit, |c| store.load(c, &"p".into())).unwrap();
    assert_eq!(found.machine.context().sound_was, Some(media_player::Leaf::Muted));
    assert_eq!(found.timers.started().count(), 0);
    let resumed = commit!(kit, |c| store.apply(c, Request::new("p", raise!(Event::Resume)).actor("phone"))).applied().unwrap().found;
    assert_eq!(resumed.machine.state().to_string(), "playing+muted+controls");
    assert_eq!(resumed.timers.started().map(|it| it.0).collect::<Vec<_>>(), [media_player::EventKind::ControlsTimeout]);
    let deliveries = commit!(kit, |c| store.outbox(c, 9, "w", Duration::from_seconds(9)));
    assert_eq!(deliveries.iter().map(|it| (it.id.as_str(), it.effect.as_str())).collect::<Vec<_>>(), [("p:2:0", "rewind")]);
    let (row, entries) = states(kit, "media_player", store.table()).await;
    assert_eq!((row.as_str(), entries.len()), ("playing+muted+controls", 7));
    assert_eq!(commit!(kit, |c| store.replay(c)), []);
}

async fn a_configuration_that_cannot_be_is_refused<K: Kit>(kit: &K) {
    let store = elevators(kit);
    new_elevator(kit, 1).await;
    // Two leaves of one region, a region without a leaf, the wrong order, no step from here, and none of the machine.
    for state in ["standing+up", "standing", "shut+standing", "up+open", "STANDING+SHUT"] {
        let error = by_hand(kit, &format!("UPDATE elevators SET state = '{state}', version = 2")).await.unwrap_err();
        assert_eq!(error.class(), Class::Guard, "{state}: {error}");
        let insert = format!("INSERT INTO elevators (id, state, version, floor, destination) VALUES (2, '{state}', 1, 0, 0)");
        let error = by_hand(kit, &insert).await.unwrap_err();
        assert_eq!(error.class(), Class::Guard, "{state}: {error}");
    }
    // A step by hand is one of the graph; the replay says that no version came with it.
    kit.run("UPDATE elevators SET state = 'maintenance'").await;
    let [Deviation { what, .. }] = &commit!(kit, |c| store.replay(c))[..] else { panic!("one row") };
    assert_eq!(what, "an entry leads from standing+shut to maintenance in version 1, and follows on standing+shut in version 1");
}

async fn a_text_that_is_no_configuration_is_unfit<K: Kit>(kit: &K) {
    let table = Table { name: "unguarded", journal: false, ..*elevators(kit).table() };
    let store = Elevators::new(table).unwrap();
    let unknown = "`flying` is no state: expected `standing`, `waiting`";
    for (text, why) in [
        ("up+down", "a machine `elevator` is never in these states at once"),
        ("standing", "a machine `elevator` is never in these states at once"),
        ("shut+standing", "`standing` comes before `shut`"),
        ("flying+shut", unknown),
    ] {
        kit.run("DELETE FROM unguarded").await;
        kit.run(&format!("INSERT INTO unguarded VALUES (1, '{text}', 1, 0, 0, NULL, NULL)")).await;
        let mut database = kit.open().await;
        let mut c = database.begin().await.unwrap();
        let error = store.load(&mut c, &1.into()).await.unwrap_err();
        assert_eq!(error.class(), Class::Unfit);
        let shown = error.to_string();
        assert!(shown.starts_with(&format!("column state of unguarded has `{text}`: {why}")), "{shown}");
    }
    // What a table of such a machine cannot have is refused before anything is read.
    let lease = Some(Lease { expires: "floor", free: &["standing"], held: &["up"] });
    for (table, what) in [
        (Table { lease, ..table }, "it has a lease, which is about states of which one is active"),
        (Table { values: &[("up", "1")], ..table }, "`values` has `up`"),
        (Table { kind: Kind::Integer, ..table }, "its state is a number"),
    ] {
        let error = Elevators::new(table).unwrap_err();
        let expected = format!("table unguarded: {what}, and `elevator` has regions: a row has the text of its configuration");
        assert_eq!(error.to_string(), expected);
    }
}

type Parts = (Shelf<Elevator, elevator::Leaf>, Shelf<MediaPlayer, media_player::Leaf, i64>);

/// The elevator of a house, and the film that it shows.
struct House {
    system: System<Parts>,
}

unit!(House, system: Parts);

async fn a_part_with_regions_is_in_a_system<K: Kit>(kit: &K) {
    kit.run("INSERT INTO unguarded VALUES (1, 'standing+shut', 1, 0, 0, NULL, NULL)").await;
    let (number, json) = if K::ENGINE == Engine::Sqlite { ("INTEGER", "TEXT") } else { ("bigint", "jsonb") };
    kit.run(&format!("CREATE TABLE films (id {number} PRIMARY KEY, at text NOT NULL, rev {number} NOT NULL, context {json} NOT NULL)"))
        .await;
    kit.run("INSERT INTO films VALUES (1, 'empty', 1, '{\"volume\":5,\"playback_was\":null,\"sound_was\":null,\"screen_was\":null}')")
        .await;
    let house = || {
        let elevators = Table { name: "unguarded", journal: false, timers: None, ..*elevators(kit).table() };
        const KEY: &[Column] = &[Column::new("id", Kind::Integer)];
        let films = Table { rest: Some("context"), ..Table::new(K::ENGINE, "media_player", "films", KEY, "at", "rev") };
        let (elevators, films) = (Store::new(elevators).unwrap(), Store::new(films).unwrap());
        House { system: System::new((Shelf::new(elevators).unwrap(), Shelf::new(films).unwrap())) }
    };
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    let ran = house().run(&mut c, |unit| {
        let (elevators, films) = (&mut unit.system.parts.0, &mut unit.system.parts.1);
        let mut moved = || {
            let (mut elevator, mut film) = (elevators.load(1)?.unwrap(), films.load(1)?.unwrap());
            elevator.apply(elevator::Event::Call { to: 3 }).unwrap();
            film.apply(media_player::Event::Open).unwrap();
            elevators.save(1, &elevator)?;
            films.save(1, &film)
        };
        moved().map_err(Failure::<elevator::Refused, Error>::store)
    });
    assert!(matches!(ran.await.unwrap(), Ran::Applied { n_machines: 2, .. }));
    K::Database::commit(c).await.unwrap();
    let rows = kit.ask("SELECT state FROM unguarded UNION ALL SELECT at FROM films").await;
    assert_eq!(rows.concat().into_iter().flatten().collect::<Vec<_>>(), ["up+shut", "stopped+audible+window"]);
}

fn elapse() -> Step<'static, Elevator, elevator::Leaf, elevator::Timers> {
    Step::elapse(&(), |machine, change, event: elevator::Recorded| emitted(change.effects_of(machine, event)))
}
