//! Timers and leases, by the clock of the database.

use super::*;

pub(crate) async fn timers_are_fired_once_and_when_due<K: Kit>(kit: &K) {
    let orders = kit.orders();
    let (soon, later) = (order_key(1), order_key(2));
    new_order(kit, &orders, &soon, Duration::from_seconds(0)).await;
    new_order(kit, &orders, &later, Duration::from_hours(30)).await;
    let mut fired = Vec::new();
    // Two timers of the first order are due at once: one call lets one elapse.
    for _ in 0..4 {
        for it in commit!(*kit, |c| orders.due(c, 10, "clock", |_| elapse())) {
            fired.push((it.found.key.to_string(), it.found.machine.state(), it.n_effects));
        }
    }
    assert_eq!(fired, [(r#"["a",1]"#.to_owned(), order::State::AwaitingPayment, 1), (r#"["a",1]"#.to_owned(), order::State::Expired, 1)]);
    let found = commit!(*kit, |c| orders.load(c, &later)).unwrap();
    assert_eq!(found.machine.context().payment_window, Duration::from_hours(30));
    assert_eq!(found.timers.started().count(), 2);
    let nothing = commit!(*kit, |c| orders.apply(c, Request::new(later.clone(), elapse())));
    assert!(matches!(nothing, Outcome::Nothing));
}

pub(crate) async fn a_timer_that_was_started_again_is_not_fired<K: Kit>(kit: &K) {
    let orders = kit.orders();
    let key = order_key(1);
    new_order(kit, &orders, &key, Duration::from_seconds(0)).await;
    // The customer asks for more time before a worker comes: the moment moves, and nothing is due.
    let _ = commit!(*kit, |c| orders.apply(c, Request::new(key.clone(), raise!(order::Event::Extend)))).applied().unwrap();
    assert!(commit!(*kit, |c| orders.due(c, 10, "clock", |_| elapse())).is_empty());
    let refused = commit!(*kit, |c| orders.apply(c, Request::new(key.clone(), raise!(order::Event::Extend))));
    assert!(matches!(refused, Outcome::Refused(it) if it.to_string() == "An order is extended only once."));
    let _ = commit!(*kit, |c| orders.apply(c, Request::new(key.clone(), raise!(order::Event::Pay)))).applied().unwrap();
    let found = commit!(*kit, |c| orders.load(c, &key)).unwrap();
    assert_eq!(found.timers.started().map(|it| it.0).collect::<Vec<_>>(), [order::EventKind::ShippingDeadline]);
}

pub(crate) async fn a_lease_is_claimed_renewed_and_taken_over<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    for id in 1..=3 {
        new_job(kit, &jobs, id).await;
    }
    let long = Duration::from_hours(1);
    let [first, second] = &commit!(*kit, |c| jobs.claim(c, 2, "w-1", |_| vec![claim(long)]))[..] else { panic!("two are claimed") };
    assert_eq!((&first.found.key, &second.found.key, first.found.version), (&Key::from(1), &Key::from(2), 2));
    // The second worker's lease has ended already.
    let ended = Duration::from_seconds(-1);
    let [third] = &commit!(*kit, |c| jobs.claim(c, 2, "w-2", |_| vec![claim(ended), to(run_job::State::Running)]))[..] else {
        panic!("one is left")
    };
    assert_eq!((third.found.machine.state(), third.found.version), (run_job::State::Running, 3));
    let over = move |_: &Job| {
        let reclaim = Step::at(|now| Step::event(run_job::Event::Reclaim { now }));
        vec![reclaim, Step::at(move |now| Step::event(run_job::Event::Renew { until: now + long }))]
    };
    let taken = commit!(*kit, |c| jobs.reclaim(c, 9, "w-1", over));
    assert_eq!(taken.iter().map(|it| (it.found.key.clone(), it.found.version)).collect::<Vec<_>>(), [(Key::from(3), 5)]);
    assert!(commit!(*kit, |c| jobs.reclaim(c, 9, "w-3", over)).is_empty(), "everybody holds a lease");
    // The one that slept is refused, whatever it does.
    for state in [run_job::State::Complete, run_job::State::Failed] {
        let late = commit!(*kit, |c| jobs.apply(c, Request::new(3, to(state)).fence(third.found.version)));
        assert!(matches!(late, Outcome::LostRace(it) if it.version == 5 && it.machine.state() == run_job::State::Claimed));
    }
    let done = commit!(*kit, |c| jobs.apply(c, Request::new(3, to(run_job::State::Complete)).fence(5)));
    assert_eq!(done.applied().unwrap().found.version, 6);
    let lease: Option<Timestamp> = commit!(*kit, |c| jobs.load(c, &1.into())).unwrap().machine.context().lease_expires_at;
    assert_eq!(lease, first.found.machine.context().lease_expires_at);
}

pub(crate) async fn claims_are_in_the_order_of_keys<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    for id in [10, 9, 100, -1] {
        new_job(kit, &jobs, id).await;
    }
    let held = commit!(*kit, |c| jobs.claim(c, 3, "w", |_| vec![claim(Duration::from_seconds(-1))]));
    assert_eq!(held.into_iter().map(|it| it.found.key).collect::<Vec<_>>(), [-1, 9, 10].map(Key::from));
}
