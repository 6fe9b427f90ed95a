//! Changes that are kept in memory only: no operation writes them, and the next step that is stored leads on from the machine in memory.

use super::*;
use crate::clock::Nudges;
use crate::kit::Nudged;

const REFUSED: &str = "mysis: `load` from nothing to `idle` is kept in memory only (`commit: memory_only`), so no store writes it: take it \
     on the machine in memory, and the next step that is stored with `Request::ahead`";

/// Loads the machine, whatever it was before.
fn load() -> Step<'static, Mysis, mysis::State, Nudges> {
    Step::direct(|machine: &mut Mysis| {
        let (loaded, change) = Mysis::create(mysis::Event::Load)?;
        *machine = loaded;
        Ok(change)
    })
}

/// The error of an operation in a transaction, of which everything that it wrote is committed.
macro_rules! refused {
    ($kit:expr, |$c:ident| $operation:expr) => {{
        let mut database = $kit.open().await;
        let mut transaction = database.begin().await.unwrap();
        let $c = &mut transaction;
        let error = $operation.await.map(drop).unwrap_err();
        commit_of(&*$kit, transaction).await;
        assert_eq!(error.class(), Class::Unfit);
        error.to_string()
    }};
}

pub(crate) async fn changes_kept_in_memory_are_not_stored<K: Kit>(kit: &K) {
    let nudged: Nudged = kit.nudged();
    let new = || Birth::<_, _, Nudges>::created(Mysis::create(mysis::Event::Create).unwrap().0, change(), mysis::EventKind::Create, vec![]);
    let _ = commit!(*kit, |c| nudged.create(c, "a", new(), None, None));
    let _ = commit!(*kit, |c| nudged.apply(c, Request::new("a", raise!(mysis::Event::Start)))).applied().unwrap();
    let before = everything(kit).await;

    let birth = create!(Mysis::create, mysis::Event::Load).unwrap().unwrap();
    assert_eq!(refused!(kit, |c| nudged.create(c, "b", birth, Some("c-1"), Some("w"))), REFUSED);
    let direct = REFUSED.replace("`load`", "the step");
    assert_eq!(refused!(kit, |c| nudged.apply(c, Request::new("a", load()).command("c-2"))), direct);
    let mut database = kit.open().await;
    let planned = nudged.plan(&mut database, Request::new("a", load()).command("c-3")).await;
    assert_eq!(planned.map(drop).unwrap_err().to_string(), direct);
    // Its nudge is due at once: what a worker takes is not stored either. A claim is the same.
    kit.run("UPDATE myses SET next_due = NULL").await;
    kit.run(&format!("UPDATE myses SET next_due = {}", if K::ENGINE == Engine::Sqlite { "0" } else { "'epoch'" })).await;
    assert_eq!(refused!(kit, |c| nudged.due(c, 9, "w", |_| load())), direct);
    assert_eq!(everything(kit).await, before);
}

/// The change of a creation that is stored.
fn change() -> mysis::Change {
    Mysis::create(mysis::Event::Create).unwrap().1
}

/// Whatever the store has written.
async fn everything<K: Kit>(kit: &K) -> Vec<statespec_store::Row> {
    let [outbox, commands, journal] = ["outbox", "commands", "journal"].map(|it| kit.own(&format!("mysis_{it}")));
    let rows = "SELECT id || ' ' || state || ' ' || CAST(version AS text) FROM myses";
    kit.ask(&format!("{rows} UNION ALL SELECT id FROM {outbox} UNION ALL SELECT command FROM {commands} UNION ALL SELECT to_state FROM {journal} ORDER BY 1"))
        .await
}

pub(crate) async fn a_step_leads_on_from_the_machine_in_memory<K: Kit>(kit: &K) {
    let myses = kit.myses();
    let _ = commit!(*kit, |c| myses.create(c, "a", new_mysis(), None, None));
    let _ = commit!(*kit, |c| myses.apply(c, Request::new("a", raise!(mysis::Event::Start)))).applied().unwrap();
    // The process died, and another one loads the Mysis: in memory it is idle, and the row says what it was.
    let load = async || {
        let found = commit!(*kit, |c| myses.load(c, &"a".into())).unwrap();
        Found { machine: Mysis::create(mysis::Event::Load).unwrap().0, ..found }
    };
    let first = load().await;
    assert_eq!((first.machine.state(), first.version), (mysis::State::Idle, 2));
    let stop = commit!(*kit, |c| myses.apply(c, Request::ahead(first.clone(), raise!(mysis::Event::Stop))));
    assert!(
        matches!(stop, Outcome::Refused(it) if it.to_string() == "`stop` is refused in `idle`: allowed here are `start` and `message`")
    );
    let start = || Request::ahead(first.clone(), raise!(mysis::Event::Start));
    let started = commit!(*kit, |c| myses.apply(c, start())).applied().unwrap();
    assert_eq!((started.found.machine.state(), started.found.version, started.n_effects), (mysis::State::Running, 3, 2));
    assert!(matches!(commit!(*kit, |c| myses.apply(c, start())), Outcome::LostRace(it) if it.version == 3), "the row has moved");
    // A message to one that was stopped, after a restart: it is idle in memory, and takes it.
    let _ = commit!(*kit, |c| myses.apply(c, Request::new("a", raise!(mysis::Event::Stop)))).applied().unwrap();
    let message = mysis::Event::Message { body: "hello" };
    let second = load().await;
    let said = commit!(*kit, |c| myses.apply(c, Request::ahead(second, raise!(message)))).applied().unwrap();
    assert_eq!((said.found.machine.state(), said.found.version, said.n_effects), (mysis::State::Idle, 5, 1));
    assert_eq!(commit!(*kit, |c| myses.replay(c)), []);
}
