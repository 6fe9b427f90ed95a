//! The journal, and what it finds.

use super::*;

pub(crate) async fn the_journal_has_events_and_actors_and_replays<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    new_job(kit, &jobs, 1).await;
    let _ = commit!(*kit, |c| jobs.apply(c, Request::new(1, claim(Duration::from_hours(1))).actor("w-1")));
    let _ = commit!(*kit, |c| jobs.apply(c, Request::new(1, to(run_job::State::Running)).actor("it's w-2")));
    let line = "coalesce(from_state, '-') || ' ' || to_state || ' ' || coalesce(event, '-') || ' ' || coalesce(actor, '-')";
    let lines = kit.ask(&format!("SELECT {line} FROM {} ORDER BY entry", kit.own("run_job_journal"))).await;
    let lines: Vec<String> = lines.into_iter().flatten().flatten().collect();
    assert_eq!(lines, ["- queued - -", "queued claimed claim w-1", "claimed running - it's w-2"]);
    assert_eq!(commit!(*kit, |c| jobs.replay(c)), []);
}

pub(crate) async fn a_row_that_was_changed_by_hand_is_found<K: Kit>(kit: &K) {
    let jobs = kit.jobs();
    new_job(kit, &jobs, 1).await;
    // Without a version, and so without an entry that continues the last one.
    kit.run("UPDATE jobs SET status = 'claimed'").await;
    let found = commit!(*kit, |c| jobs.replay(c));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].what, "an entry leads from queued to claimed in version 1, and follows on queued in version 1");
}

pub(crate) async fn a_replay_reads_pages<K: Kit>(kit: &K) {
    let (jobs, orders) = (kit.jobs(), kit.orders());
    let long = Duration::from_hours(1);
    for id in 1..=7 {
        new_job(kit, &jobs, id).await;
        new_order(kit, &orders, &order_key(id), long).await;
    }
    let _ = commit!(*kit, |c| jobs.claim(c, 3, "w", |_| vec![claim(long), to(run_job::State::Running)]));
    // One row is gone, one is back, one was changed without a version, and two were never in the journal: before, and after.
    let journal = kit.own("run_job_journal");
    kit.run("DELETE FROM jobs WHERE id IN (2, 6)").await;
    new_job(kit, &jobs, 6).await;
    kit.run("UPDATE jobs SET status = 'claimed' WHERE id = 5").await;
    kit.run("INSERT INTO jobs VALUES (0, 'queued', 1, NULL); INSERT INTO jobs VALUES (8, 'queued', 1, NULL)").await;
    // No guard lets this through: the journal is the table of its owner.
    let forgotten = format!("DELETE FROM {journal} WHERE id IN (0, 8) OR (id = 2 AND to_state IS NULL)");
    kit.forge(&forgotten).await;
    let whole = commit!(*kit, |c| jobs.replay(c));
    let shown: Vec<String> = whole.iter().map(|it| format!("{} {}", it.key, it.what)).collect();
    assert_eq!(
        shown,
        [
            "5 an entry leads from queued to claimed in version 1, and follows on queued in version 1",
            "0 the row has queued in version 1, and the journal has no entry",
            "8 the row has queued in version 1, and the journal has no entry",
            "2 the journal has a row that is not there",
        ]
    );
    // However few are in memory at once, the same is found.
    for page in [1, 2, 3, 5, 100] {
        let mut paged = commit!(*kit, |c| jobs.replay_by(c, page));
        let mut whole = whole.clone();
        paged.sort_by(|a, b| (&a.key, &a.what).cmp(&(&b.key, &b.what)));
        whole.sort_by(|a, b| (&a.key, &a.what).cmp(&(&b.key, &b.what)));
        assert_eq!(paged, whole, "{page}");
        assert_eq!(commit!(*kit, |c| orders.replay_by(c, page)), [], "a key of two columns, {page}");
    }
}
