//! A worker for durable jobs: it claims a job under a lease, runs it, and takes over the jobs of workers that are gone.
//!
//! The spec is `machines/run_job.yaml` of this repository; `table.rs` and `db/run_job.sql` are emitted from it and from
//! `statespec.toml`.

mod table;

use std::thread::sleep;
use std::time::Duration as Span;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use statespec::Duration;
use statespec_machines::run_job::{Event, RunJob, State};
use statespec_store::{Birth, Error, Key, Request, Step, Store, wait};

type Jobs = Store<RunJob, State>;
type Steps = Vec<Step<'static, RunJob, State>>;

const LEASE: Duration = Duration::from_millis(300);

fn claim(_: &RunJob) -> Steps {
    vec![Step::at(|now| Step::event(Event::Claim { until: now + LEASE }))]
}

/// The old lease is gone, and the job has a new one at once.
fn take_over(_: &RunJob) -> Steps {
    vec![Step::at(|now| Step::event(Event::Reclaim { now })), Step::at(|now| Step::event(Event::Renew { until: now + LEASE }))]
}

fn begin(connection: &mut Connection) -> Result<Transaction<'_>, Error> {
    Ok(connection.transaction_with_behavior(TransactionBehavior::Immediate)?)
}

/// Takes a job whose worker is gone, or else one that nobody has. Its version is the fence of this worker.
fn take(connection: &mut Connection, jobs: &Jobs, name: &str) -> Result<Option<(Key, i64)>, Error> {
    let mut transaction = begin(connection)?;
    let mut taken = wait(jobs.reclaim(&mut transaction, 1, name, take_over))?;
    if taken.is_empty() {
        taken = wait(jobs.claim(&mut transaction, 1, name, claim))?;
    }
    transaction.commit()?;
    Ok(taken.pop().map(|it| (it.found.key, it.found.version)))
}

/// Moves a job that this worker has; `None` if another one has it.
fn go(connection: &mut Connection, jobs: &Jobs, name: &str, job: (Key, i64), to: State) -> Result<Option<(Key, i64)>, Error> {
    let mut transaction = begin(connection)?;
    let request = Request::new(job.0, Step::direct(move |it: &mut RunJob| it.transition_to(to))).fence(job.1).actor(name);
    let outcome = wait(jobs.apply(&mut transaction, request))?;
    transaction.commit()?;
    Ok(outcome.applied().map(|it| (it.found.key, it.found.version)))
}

/// Works until every job has ended. A worker that dies stops while it runs a job.
fn work(connection: &mut Connection, jobs: &Jobs, name: &str, dies: bool) -> Result<(), Error> {
    loop {
        let Some(job) = take(connection, jobs, name)? else {
            let open = "SELECT count(*) FROM jobs WHERE state NOT IN ('complete', 'failed')";
            if connection.query_row(open, [], |row| row.get::<_, i64>(0))? == 0 {
                return Ok(());
            }
            sleep(Span::from_millis(10));
            continue;
        };
        let ends = if job.0 == Key::from(2) { State::Failed } else { State::Complete };
        let Some(job) = go(connection, jobs, name, job, State::Running)? else { continue };
        if dies {
            return Ok(());
        }
        // The work of the job would be here.
        go(connection, jobs, name, job, ends)?;
    }
}

/// Two jobs; the first worker dies while it runs one, and a second worker takes over. The result is the journal.
fn run(connection: &mut Connection) -> Result<Vec<String>, Error> {
    let jobs = Jobs::new(table::TABLE)?;
    connection.execute_batch(
        "CREATE TABLE jobs (id INTEGER PRIMARY KEY, state TEXT NOT NULL, version INTEGER NOT NULL, lease_expires_at TEXT)",
    )?;
    connection.execute_batch(include_str!("../db/run_job.sql"))?;
    for id in [1, 2] {
        let mut transaction = begin(connection)?;
        let _ = wait(jobs.create(&mut transaction, id, Birth::new(RunJob::new()), None, Some("program")))?;
        transaction.commit()?;
    }
    work(connection, &jobs, "worker-1", true)?;
    work(connection, &jobs, "worker-2", false)?;
    let line = "'job ' || id || ', version ' || version || ': ' || coalesce(from_state, 'new') || ' → ' || to_state || coalesce(' on ' || event, '') || ', ' || actor";
    let mut journal = connection.prepare(&format!("SELECT {line} FROM statespec_run_job_journal ORDER BY entry"))?;
    let lines = journal.query_map([], |row| row.get(0))?;
    Ok(lines.collect::<Result<_, _>>()?)
}

fn main() -> Result<(), Error> {
    run(&mut Connection::open_in_memory()?)?.iter().for_each(|it| println!("{it}"));
    Ok(())
}

#[cfg(test)]
mod audited;

#[cfg(test)]
mod tests {
    use statespec_store::Outcome;

    use super::*;

    /// A worker that has slept through its lease is refused: the job has another version.
    #[test]
    fn no_result_of_an_old_lease_is_stored() {
        let mut connection = Connection::open_in_memory().expect("memory");
        run(&mut connection).expect("it runs");
        let jobs = Jobs::new(table::TABLE).expect("the table is that of the machine");
        let mut transaction = begin(&mut connection).expect("nobody else is there");
        let old = Request::new(1, Step::direct(|it: &mut RunJob| it.transition_to(State::Complete))).fence(3);
        assert!(matches!(wait(jobs.apply(&mut transaction, old)), Ok(Outcome::LostRace(it)) if it.version == 7));
    }

    /// The guide shows the journal of this program. `UPDATE_GUIDE=1` writes it.
    #[test]
    fn the_journal_is_that_of_the_guide() {
        let mut connection = Connection::open_in_memory().expect("memory");
        let mut journal = run(&mut connection).expect("it runs").join("\n");
        journal.push('\n');
        let states = "SELECT group_concat(state) FROM (SELECT state FROM jobs ORDER BY id)";
        let states: String = connection.query_row(states, [], |row| row.get(0)).expect("there are jobs");
        assert_eq!(states, "complete,failed");

        // Read when the test runs: two checkouts can share a target folder.
        let package = std::env::var("CARGO_MANIFEST_DIR").expect("Cargo runs the test");
        let path = std::path::Path::new(&package).join("../../docs/guide/services.md");
        let page = std::fs::read_to_string(&path).expect("the guide is there").replace("\r\n", "\n");
        let (begin, end) = ("<!-- worker:begin -->\n\n```text\n", "```\n\n<!-- worker:end -->");
        let start = page.find(begin).expect("the guide has a place for the journal") + begin.len();
        let stop = page.find(end).expect("the guide has a place for the journal");
        if std::env::var_os("UPDATE_GUIDE").is_some() {
            std::fs::write(path, format!("{}{journal}{}", &page[..start], &page[stop..])).expect("the guide can be written");
        } else {
            assert_eq!(page[start..stop], journal, "UPDATE_GUIDE=1 writes the journal");
        }
    }
}
