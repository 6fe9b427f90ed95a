//! Requests: fences, commands, and whole attempts.

use super::*;

pub(crate) async fn a_fence_tells_who_was_faster<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    new_job(kit, &jobs, 1).await;
    let fenced = |version| Request::new(1, to(run_job::State::Claimed)).fence(version);
    let _ = commit!(*kit, |c| jobs.apply(c, fenced(1))).applied().unwrap();
    let lost = commit!(*kit, |c| jobs.apply(c, fenced(1)));
    let Outcome::LostRace(current) = lost else { panic!("{lost:?}") };
    assert_eq!((current.version, current.machine.state()), (2, run_job::State::Claimed));
}

pub(crate) async fn a_command_is_done_once<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    new_job(kit, &jobs, 1).await;
    let request = || Request::new(1, claim(Duration::from_seconds(9))).command("c-1");
    let _ = commit!(*kit, |c| jobs.apply(c, request())).applied().unwrap();
    for _ in 0..2 {
        let again = commit!(*kit, |c| jobs.apply(c, request()));
        assert!(matches!(again, Outcome::Repeated(it) if it.version == 2 && it.to == "claimed" && it.from.as_deref() == Some("queued")));
    }
    let resolved = commit!(*kit, |c| jobs.resolve(c, "c-1"));
    assert!(matches!(resolved, Resolved::Done(it) if it.entity == "1"));
    // The id of another machine's command.
    new_job(kit, &jobs, 2).await;
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    let error = jobs.apply(&mut c, Request::new(2, to(run_job::State::Claimed)).command("c-1")).await.unwrap_err();
    assert_eq!(error.class(), Class::Constraint);
}

pub(crate) async fn a_command_that_was_given_up_is_refused<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    new_job(kit, &jobs, 1).await;
    assert_eq!(commit!(*kit, |c| jobs.resolve(c, "late")), Resolved::Never);
    assert_eq!(commit!(*kit, |c| jobs.resolve(c, "late")), Resolved::Never);
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    let error = jobs.apply(&mut c, Request::new(1, to(run_job::State::Claimed)).command("late")).await.unwrap_err();
    assert_eq!(error.class(), Class::Constraint, "{error}");
}

pub(crate) async fn contention_is_retryable<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    new_job(kit, &jobs, 1).await;
    let error = kit.contended(&jobs).await;
    assert!(error.is_retryable(), "{error}: {:?}", error.class());
}

pub(crate) async fn an_attempt_is_committed<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    new_job(kit, &jobs, 1).await;
    let request = || Request::new(1, to(run_job::State::Claimed)).command("c");
    let outcome = jobs.attempt(async || Ok(kit.open().await), request).await.unwrap();
    assert_eq!(outcome.applied().unwrap().found.version, 2);
    let again = jobs.attempt(async || Ok(kit.open().await), request).await.unwrap();
    assert!(matches!(again, Outcome::Repeated(_)));
    let error = jobs.attempt(async || Ok(kit.open().await), || Request::new(1, to(run_job::State::Claimed))).await.unwrap_err();
    assert_eq!(error.class(), Class::Unfit);
}

/// The futures of tokio-postgres may be spawned.
#[test]
fn futures_can_be_sent() {
    on_postgres(async |kit| {
        let jobs = kit.jobs();
        new_job(kit, &jobs, 1).await;
        let mut client = kit.open().await;
        let task = tokio::spawn(async move {
            let mut c = client.transaction().await.unwrap();
            let outcome = jobs.apply(&mut c, Request::new(1, to(run_job::State::Claimed))).await.unwrap();
            c.commit().await.unwrap();
            outcome.applied().unwrap().found.version
        });
        assert_eq!(task.await.unwrap(), 2);
    });
}
