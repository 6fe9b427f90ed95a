//! A worker for durable jobs: it claims a job under a lease, runs it, and takes over the jobs of workers that are gone.
//!
//! The spec is `machines/run_job.yaml` of this repository.

use std::collections::BTreeMap;
use std::sync::Arc;

use statespec::{Attempt, Duration, Observer as _, RunError, StateMachine, Timestamp, Tracing};
use tokio::sync::Mutex;
use tokio::time::{Duration as Span, sleep, timeout};

const LEASE: Duration = Duration::from_millis(50);

#[derive(Debug, Clone, StateMachine)]
#[machine("../../machines/run_job.yaml", async_host)]
struct Job {
    id: u32,
    state: JobState,
    lease_expires_at: Option<Timestamp>,
}

/// The jobs with their versions, and the version of the job that this worker has read or stored last. A service would have a table
/// with a column for the version.
#[derive(Debug, Clone)]
struct Store(Arc<Mutex<BTreeMap<u32, (u64, Job)>>>, u64);

/// Another worker was faster.
struct Lost;

impl JobAsyncHost for Store {
    type Error = Lost;

    /// Stores the job if nobody has stored it since it was read: `UPDATE … WHERE id = $1 AND version = $2`.
    async fn store(&mut self, next: &Job, _: &JobChange) -> Result<(), Lost> {
        let Store(jobs, version) = self;
        let mut jobs = jobs.lock().await;
        if jobs.get(&next.id).map(|it| it.0) != Some(*version) {
            return Err(Lost);
        }
        *version += 1;
        jobs.insert(next.id, (*version, next.clone()));
        Ok(())
    }

    fn observe(&mut self, attempt: &Attempt<'_, JobState>) {
        Tracing.observe(attempt);
    }
}

/// Claims a job, and runs it to its outcome; its span says in the log which job it is. A job whose lease has not expired refuses to be reclaimed.
#[tracing::instrument(name = "job", skip_all, fields(id = job.id))]
async fn work_on(job: &mut Job, store: &mut Store) -> Result<JobChange, RunError<JobState, Lost>> {
    let now = Timestamp::now();
    let reclaims = job.state != JobState::Queued;
    job.run_async(if reclaims { JobEvent::Reclaim { now } } else { JobEvent::Claim { until: now + LEASE } }, store).await?;
    if reclaims {
        job.run_async(JobEvent::Renew { until: now + LEASE }, store).await?;
    }
    job.run_to_async(JobState::Running, store).await?;
    // The work of the job would be here.
    sleep(Span::from_millis(20)).await;
    job.run_to_async(if job.id == 2 { JobState::Failed } else { JobState::Complete }, store).await
}

/// Works until every job has its outcome.
async fn work(mut store: Store) {
    loop {
        let open = store.0.lock().await.values().find(|it| !it.1.state.is_terminal()).cloned();
        let Some((version, mut job)) = open else { return };
        store.1 = version;
        if work_on(&mut job, &mut store).await.is_err() {
            sleep(Span::from_millis(60)).await;
        }
    }
}

/// Two jobs; the first worker dies while it runs one, and a second worker takes over.
async fn run() -> Store {
    let store = Store(Arc::new(Mutex::new([1, 2].map(|id| (id, (0, Job::new(id)))).into())), 0);
    timeout(Span::from_millis(10), work(store.clone())).await.expect_err("a job takes longer");
    work(store.clone()).await;
    store
}

#[tokio::main]
async fn main() {
    tracing_subscriber::fmt().without_time().init();
    run().await;
}

#[cfg(test)]
mod audited;

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    pub(crate) struct Log(pub(crate) Arc<Mutex<Vec<u8>>>);

    impl Write for Log {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("nobody panicked").write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// A lease can be renewed without another state: of two workers that read the same job, one is told that it has lost.
    #[tokio::test]
    async fn no_update_is_lost() {
        let mut job = Job::new(7);
        job.state = JobState::Claimed;
        let mut first = Store(Arc::new(tokio::sync::Mutex::new([(7, (4, job.clone()))].into())), 4);
        let (mut second, mut other) = (first.clone(), job.clone());
        let (soon, later) = (Timestamp::now() + LEASE, Timestamp::now() + LEASE + LEASE);
        assert!(job.run_async(JobEvent::Renew { until: soon }, &mut first).await.is_ok());
        let lost = other.run_async(JobEvent::Renew { until: later }, &mut second).await;
        assert!(matches!(lost, Err(RunError::Store { error: Lost, .. })));
        // Whoever stored may go on.
        assert!(job.run_async(JobEvent::Renew { until: later }, &mut first).await.is_ok());
        let jobs = first.0.lock().await;
        assert_eq!((jobs[&7].0, jobs[&7].1.lease_expires_at), (6, Some(later)));
    }

    /// The guide shows the log of this program. `UPDATE_GUIDE=1` writes it.
    #[tokio::test]
    async fn the_log_is_that_of_the_guide() {
        let log = Log::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt().without_time().with_ansi(false).with_writer(move || writer.clone()).finish();
        let _guard = tracing::subscriber::set_default(subscriber);
        let store = run().await;
        let states: Vec<_> = store.0.lock().await.values().map(|it| it.1.state).collect();
        assert_eq!(states, [JobState::Complete, JobState::Failed]);

        let log = String::from_utf8(log.0.lock().expect("nobody panicked").clone()).expect("a log is text");
        // Read when the test runs: two checkouts can share a target folder.
        let package = std::env::var("CARGO_MANIFEST_DIR").expect("Cargo runs the test");
        let path = std::path::Path::new(&package).join("../../docs/guide/services.md");
        let page = std::fs::read_to_string(&path).expect("the guide is there").replace("\r\n", "\n");
        let (begin, end) = ("<!-- worker:begin -->\n\n```text\n", "```\n\n<!-- worker:end -->");
        let start = page.find(begin).expect("the guide has a place for the log") + begin.len();
        let stop = page.find(end).expect("the guide has a place for the log");
        if std::env::var_os("UPDATE_GUIDE").is_some() {
            std::fs::write(path, format!("{}{log}{}", &page[..start], &page[stop..])).expect("the guide can be written");
        } else {
            assert_eq!(page[start..stop], log, "UPDATE_GUIDE=1 writes the log");
        }
    }
}
