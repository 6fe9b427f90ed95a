//! The acts, in their order.

use std::collections::BTreeSet;
use std::error::Error;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::stage::Stage;
use crate::task::Revision;
use crate::workers::Worker;

type Done = Result<(), Box<dyn Error>>;

/// The jobs of the table that exists: the last five are running in a program that ended long ago, and a hundred wait.
const N_JOBS: i64 = 1000;

pub(crate) fn all(stage: &mut Stage) -> Done {
    table(stage)?;
    attach(stage)?;
    let first = work(stage)?;
    let last = roll_out(stage, first, &mut |_, running| running.iter_mut().try_for_each(|it| it.until("ended", 10).map(drop)))?;
    settle(stage, last)?;
    kill(stage)?;
    forge(stage)
}

/// The table as it is before statespec.
pub(crate) fn table(stage: &Stage) -> Done {
    let (key, time) = if stage.place.is_postgres() { ("bigint", "timestamptz") } else { ("INTEGER", "text") };
    stage.place.run(&format!("CREATE TABLE jobs (id {key} PRIMARY KEY, status text NOT NULL, locked_until {time})"))?;
    let numbers = format!("WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {N_JOBS})");
    let status = format!(
        "CASE WHEN n > {} THEN 'running' WHEN n > {} THEN 'queued' WHEN n % 10 = 0 THEN 'failed' ELSE 'complete' END",
        N_JOBS - 5,
        N_JOBS - 105
    );
    Ok(stage.place.run(&format!("INSERT INTO jobs (id, status) {numbers} SELECT n, {status} FROM numbers"))?)
}

fn journal(stage: &Stage) -> &'static str {
    if stage.place.is_postgres() { "statespec.job_journal" } else { "statespec_job_journal" }
}

pub(crate) fn attach(stage: &Stage) -> Done {
    stage.act("An existing table is attached");
    let now = if stage.place.is_postgres() { "now()" } else { "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')" };
    stage.transaction(&[
        "ALTER TABLE jobs ADD COLUMN version bigint NOT NULL DEFAULT 1",
        &format!("-- the file before/db/{}.sql", stage.place.engine()),
        &format!(
            "INSERT INTO {} (id, version, to_state, at, actor) SELECT id, version, status, {now}, 'attached' FROM jobs",
            journal(stage)
        ),
    ])?;
    stage.check(Revision::Before, 0)?;
    stage.replay(Revision::Before, 0)
}

pub(crate) fn work(stage: &mut Stage) -> Result<Vec<Worker>, Box<dyn Error>> {
    stage.act("Workers run");
    let mut workers = vec![stage.worker(Revision::Before, true, false)?, stage.worker(Revision::Before, true, false)?];
    for it in &mut workers {
        it.until("ended", 10)?;
    }
    let over = format!(
        "SELECT CAST(count(DISTINCT id) AS text) FROM {} WHERE event = 'reclaim' AND id > {} AND id <= {N_JOBS}",
        journal(stage),
        N_JOBS - 5
    );
    println!("{} jobs that were running without a worker are taken over", stage.place.ask(&over)?.concat());
    Ok(workers)
}

/// Waits after a step, of which it gets the name and the workers that run.
type Between<'a> = &'a mut dyn FnMut(&str, &mut [Worker]) -> Result<(), String>;

/// The next revision, while workers of both run.
pub(crate) fn roll_out(stage: &mut Stage, first: Vec<Worker>, between: Between<'_>) -> Result<Vec<Worker>, Box<dyn Error>> {
    stage.act("The next revision rolls out");
    let mut running = first;
    between("two workers", &mut running)?;
    stage.migrate("0001_job_expand")?;
    between("expand", &mut running)?;
    for _ in 0..2 {
        running.push(stage.worker(Revision::After, true, false)?);
    }
    between("both revisions", &mut running)?;
    for it in running.drain(..2) {
        let name = it.name.clone();
        it.stop()?;
        println!("{name} has ended, and was refused nothing");
    }
    between("the later one", &mut running)?;
    stage.migrate("0002_job_move")?;
    between("move", &mut running)?;
    stage.migrate("0003_job_contract")?;
    between("contract", &mut running)?;
    Ok(running)
}

/// The workers go on until every job has ended.
fn settle(stage: &Stage, mut workers: Vec<Worker>) -> Done {
    for it in &mut workers {
        it.drain()?;
    }
    for it in workers {
        let name = it.name.clone();
        it.end()?;
        println!("{name} has ended, and was refused nothing");
    }
    stage.check(Revision::After, 0)?;
    ended_once(stage)
}

/// Every job has ended once, by the words of the workers and by the journal; each mail was acknowledged.
fn ended_once(stage: &Stage) -> Done {
    let place = &stage.place;
    let told: Vec<String> = stage.told.after("ended").into_iter().map(|it| format!("{} {}", it.line, it.worker)).collect();
    let told_once: BTreeSet<String> = told.iter().cloned().collect();
    let ends = format!("FROM {} WHERE to_state IN ('complete', 'failed')", journal(stage));
    let recorded = place.ask(&format!("SELECT id || ' ' || actor {ends} AND actor <> 'attached'"))?;
    if told_once.len() != told.len() || told_once != recorded.iter().cloned().collect() || recorded.len() != told.len() {
        return Err(format!("the workers say {told:?}, and the journal {recorded:?}").into());
    }
    let wrong = place
        .ask(&format!("SELECT CAST(id AS text) FROM jobs WHERE (SELECT count(*) {ends} AND {0}.id = jobs.id) <> 1", journal(stage)))?;
    if !wrong.is_empty() {
        return Err(format!("these jobs have ended not once: {wrong:?}").into());
    }
    println!("every job has ended once");
    let sent: BTreeSet<String> = stage.told.after("mail").into_iter().map(|it| it.line).collect();
    let wanted = place.ask(&format!("SELECT id || ':' || version || ':0' {ends} AND event = 'finish'"))?.into_iter().collect();
    let left = if place.is_postgres() { "statespec.job_outbox" } else { "statespec_job_outbox" };
    let left = place.ask(&format!("SELECT id FROM {left}"))?;
    if sent != wanted || !left.is_empty() {
        return Err(format!("mails were sent for {sent:?}, wanted for {wanted:?}, and are left for {left:?}").into());
    }
    println!("every mail was sent");
    stage.replay(Revision::After, 0)
}

fn kill(stage: &mut Stage) -> Done {
    stage.act("A worker is killed");
    let mut victim = stage.worker(Revision::After, true, true)?;
    let job = victim.until("holds", 1)?;
    println!("{} runs job {job}", victim.name);
    println!("$ kill -9 {}", victim.name);
    victim.kill()?;
    stage.worker(Revision::After, false, false)?.end()?;
    let line = "'version ' || version || ': ' || coalesce(from_state, 'new') || ' → ' || to_state || coalesce(' on ' || event, '') || ', ' || actor";
    let lines = stage.place.ask(&format!("SELECT {line} FROM {} WHERE id = {job} ORDER BY entry", journal(stage)))?;
    lines.iter().for_each(|it| println!("{it}"));
    ended_once(stage)
}

/// Two rows are changed by hand, with the guard off.
fn forge(stage: &Stage) -> Done {
    stage.act("A row is changed by hand");
    let off: &[&str] = match stage.place.is_postgres() {
        true => &["ALTER TABLE jobs DISABLE TRIGGER statespec_job_edge"],
        false => &["DROP TRIGGER statespec_job_edge", "DROP TRIGGER statespec_job_record_update"],
    };
    for it in off {
        stage.by_hand(it)?;
    }
    stage.by_hand("UPDATE jobs SET status = 'runing' WHERE id = 42")?;
    stage.by_hand("UPDATE jobs SET status = 'waiting' WHERE id = 43")?;
    stage.check(Revision::After, 100)?;
    stage.replay(Revision::After, 2)?;
    stage.by_hand("UPDATE jobs SET status = 'complete' WHERE id IN (42, 43)")?;
    match stage.place.is_postgres() {
        // The script replaces functions: a trigger that exists stays as it is.
        true => stage.by_hand("ALTER TABLE jobs ENABLE ALWAYS TRIGGER statespec_job_edge")?,
        false => stage.transaction(&["-- the file db/sqlite.sql"])?,
    }
    stage.check(Revision::After, 0)?;
    stage.replay(Revision::After, 0)
}

/// The steps of a rollout with their moments, each after so long; at its end, one without a name.
pub(crate) fn timed(stage: &mut Stage, pause: Duration) -> Result<Vec<(Instant, String)>, Box<dyn Error>> {
    table(stage)?;
    attach(stage)?;
    let first = work(stage)?;
    let mut steps = Vec::new();
    let last = roll_out(stage, first, &mut |step, _| {
        steps.push((Instant::now(), step.to_owned()));
        sleep(pause);
        Ok(())
    })?;
    steps.push((Instant::now(), String::new()));
    settle(stage, last)?;
    Ok(steps)
}
