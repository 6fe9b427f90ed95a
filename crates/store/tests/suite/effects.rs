//! Effects: plans for those that come first, and the outbox for the others.

use super::*;

pub(crate) async fn effects_and_the_change_are_one_commit<K: Kit>(kit: &K) {
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

pub(crate) async fn before_effects_have_no_transaction<K: Kit>(kit: &K) {
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

pub(crate) async fn a_plan_loses_against_a_faster_one<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    new_job(kit, &jobs, 1).await;
    let mut database = kit.open().await;
    let plan = || Request::new(1, to(run_job::State::Claimed));
    let (first, second) =
        (jobs.plan(&mut database, plan()).await.unwrap().unwrap(), jobs.plan(&mut database, plan()).await.unwrap().unwrap());
    let _ = commit!(*kit, |c| jobs.commit(c, first)).applied().unwrap();
    assert!(matches!(commit!(*kit, |c| jobs.commit(c, second)), Outcome::LostRace(it) if it.version == 2));
}

pub(crate) async fn the_outbox_is_in_order_and_acknowledged_once<K: Kit>(kit: &K) {
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
