//! A Mysis and its activity: the transactions of the system, each a commit of the caller.

use statespec_machines::mysis::{self, Mysis};
use statespec_machines::mysis_activity::{self, MysisActivity};
use statespec_machines::mysis_runtime::{self as runtime, Failure, UnitOfWork};
use statespec_store::{
    Birth, Class, Column, Connection as _, Database, Error, Found, Id, Key, Kind, Ran, Request, Shelf, Store, System, Table, Transact as _,
    raise, unit,
};

use crate::kit::{Kit, on_postgres, on_sqlite};

/// A key that is a text. Nothing asks for all Myses, so that no key is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Name(&'static str);

impl Id for Name {
    fn key(self) -> Key {
        Key::from(self.0)
    }

    fn of(_: &Key) -> Option<Self> {
        None
    }
}

type Activities = Store<MysisActivity, mysis_activity::State>;

type Parts = (Shelf<Mysis<String>, mysis::State, Name>, Shelf<MysisActivity, mysis_activity::State, Name>);

struct Work {
    mysis: Name,
    system: System<Parts>,
}

unit!(Work, system: Parts);

impl UnitOfWork for Work {
    type Text = String;

    fn load_mysis(&mut self) -> Result<Option<Mysis<String>>, Error> {
        self.system.parts.0.load(self.mysis)
    }

    fn save_mysis(&mut self, _: Option<&Mysis<String>>, after: &Mysis<String>) -> Result<(), Error> {
        self.system.parts.0.save(self.mysis, after)
    }

    fn perform_mysis(&mut self, effect: mysis::Effect<&str>) -> Result<(), Error> {
        self.system.parts.0.perform(self.mysis, effect)
    }

    fn load_activity(&mut self) -> Result<Option<MysisActivity>, Error> {
        self.system.parts.1.load(self.mysis)
    }

    fn save_activity(&mut self, _: Option<&MysisActivity>, after: &MysisActivity) -> Result<(), Error> {
        self.system.parts.1.save(self.mysis, after)
    }
}

type Run = fn(&mut Work) -> Result<(), Failure<Error>>;

fn activities<K: Kit>() -> Activities {
    const KEY: &[Column] = &[Column::new("id", Kind::Text)];
    const COLUMNS: &[Column] = &[Column::new("activity_until", Kind::Timestamp)];
    let table = Table::new(K::ENGINE, "mysis_activity", "activities", KEY, "state", "version");
    Store::new(Table { columns: COLUMNS, journal: true, ..table }).unwrap()
}

/// Commits a transaction; effects that come first are performed while none is open. The result is the states, or the refusal.
async fn run<K: Kit>(kit: &K, transaction: Run) -> Result<String, String> {
    let (mut database, mut performed) = (kit.open().await, Vec::new());
    loop {
        let shelves = (Shelf::new(kit.myses()).unwrap(), Shelf::new(activities::<K>()).unwrap());
        let work = Work { mysis: Name("a"), system: System::new(shelves).performed(performed) };
        let mut c = database.begin().await.unwrap();
        match work.run(&mut c, transaction).await.unwrap() {
            Ran::Applied { .. } => K::Database::commit(c).await.unwrap(),
            Ran::Refused(refused) => return Err(refused.to_string()),
            Ran::Before(effects) => {
                assert_eq!(effects[0].effect, "store_timeout_result");
                performed = effects;
                continue;
            }
            other @ Ran::Repeated(_) => panic!("{other:?}"),
        }
        let rows = kit.ask("SELECT m.state || ' ' || a.state FROM myses AS m LEFT JOIN activities AS a ON a.id = m.id").await;
        return Ok(rows[0][0].clone().unwrap());
    }
}

async fn a_mysis_is_nudged_while_it_travels<K: Kit>(kit: &K) {
    let time = if K::ENGINE == statespec_store::Engine::Sqlite { "text" } else { "timestamptz" };
    let table =
        format!("CREATE TABLE activities (id text PRIMARY KEY, state text NOT NULL, version bigint NOT NULL, activity_until {time})");
    kit.make(&table, &[*activities::<K>().table()]).await;
    // The row of the activity, which the system begins with its first event, is inserted in its initial state.
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    let _ = activities::<K>().create(&mut c, "a", Birth::new(MysisActivity::new()), None, None).await.unwrap();
    K::Database::commit(c).await.unwrap();

    let message: Run = |unit| runtime::message(unit, "hello");
    let steps: [(Run, Result<&str, &str>); 14] = [
        (runtime::create, Ok("idle none")),
        (message, Ok("idle none")),
        (runtime::start, Ok("running none")),
        (|unit| runtime::show_activity(unit, mysis_activity::State::Traveling, None), Ok("running traveling")),
        (runtime::nudge, Ok("running traveling")),
        (runtime::stop, Ok("stopped traveling")),
        (message, Err("mysis stopped - press 'r' to relaunch")),
        (runtime::start, Ok("running traveling")),
        (runtime::count_failed_nudge, Ok("running traveling")),
        (runtime::count_failed_nudge, Ok("running traveling")),
        (runtime::count_failed_nudge, Ok("idle traveling")),
        (runtime::nudge, Err("`nudge` is refused in `idle`: allowed here are `start` and `message`")),
        (runtime::start, Ok("running traveling")),
        (|unit| runtime::time_out_tool(unit, "mine", "context deadline exceeded"), Ok("errored traveling")),
    ];
    for (idx, (transaction, expected)) in steps.into_iter().enumerate() {
        assert_eq!(run(kit, transaction).await, expected.map(str::to_owned).map_err(str::to_owned), "{idx}");
    }

    // The next startup: what is kept in memory only is refused here, too, and goes on in memory.
    let work = || {
        let shelves = (Shelf::new(kit.myses()).unwrap(), Shelf::new(activities::<K>()).unwrap());
        Work { mysis: Name("a"), system: System::new(shelves) }
    };
    let mut c = database.begin().await.unwrap();
    let error = work().run(&mut c, runtime::load).await.unwrap_err();
    let text = "mysis: `load` from nothing to `idle` is kept in memory only (`commit: memory_only`), so no store writes it";
    assert!(error.class() == Class::Unfit && error.to_string().starts_with(text), "{error}");
    assert!(c.query("SELECT id FROM myses WHERE state <> 'errored'", &[]).await.unwrap().is_empty());
    let found = kit.myses().load(&mut c, &"a".into()).await.unwrap().unwrap();
    let loaded = Found { machine: Mysis::create(mysis::Event::Load).unwrap().0, ..found };
    let started = kit.myses().apply(&mut c, Request::ahead(loaded, raise!(mysis::Event::Start))).await.unwrap().applied().unwrap();
    assert_eq!((started.found.machine.state(), started.n_effects), (mysis::State::Running, 2));
    K::Database::commit(c).await.unwrap();

    // A run has room for one transaction: what the first one has saved would be forgotten.
    let mut c = database.begin().await.unwrap();
    let two = work().run(&mut c, |unit| {
        runtime::nudge(unit)?;
        runtime::stop(unit)
    });
    let error = two.await.unwrap_err();
    assert!(error.to_string().starts_with("a second transaction of the system began in one `run`"), "{error}");
    assert_eq!(kit.myses().replay(&mut c).await.unwrap(), []);
    assert_eq!(activities::<K>().replay(&mut c).await.unwrap(), []);
}

#[test]
fn a_mysis_on_sqlite() {
    on_sqlite(a_mysis_is_nudged_while_it_travels);
}

#[test]
fn a_mysis_on_postgresql() {
    on_postgres(a_mysis_is_nudged_while_it_travels);
}
