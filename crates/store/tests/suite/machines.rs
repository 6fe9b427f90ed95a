//! Machines as rows: created once, changed by steps, and refused where a row or a table does not fit.

use super::*;

pub(crate) async fn a_machine_is_created_once<K: Kit>(kit: &K) {
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

pub(crate) async fn a_step_is_applied_or_refused<K: Kit>(kit: &K) {
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

pub(crate) async fn the_guard_refuses_what_the_graph_lacks<K: Kit>(kit: &K) {
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

pub(crate) async fn misfits_are_errors<K: Kit>(kit: &K) {
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
