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

/// The store; a service would have a database here.
#[derive(Debug, Clone)]
struct Store(Arc<Mutex<BTreeMap<u32, Job>>>);

/// Another worker was faster.
struct Lost;

impl JobAsyncHost for Store {
    type Error = Lost;

    /// Stores the job if nobody has moved it since it was read.
    async fn store(&mut self, next: &Job, change: &JobChange) -> Result<(), Lost> {
        let mut jobs = self.0.lock().await;
        if jobs.get(&next.id).map(|it| it.state) != change.from() {
            return Err(Lost);
        }
        jobs.insert(next.id, next.clone());
        Ok(())
    }

    fn observe(&mut self, attempt: &Attempt<'_, JobState>) {
        Tracing.observe(attempt);
    }
}

/// Claims a job, and runs it to its outcome. A job whose lease has not expired refuses to be reclaimed.
async fn work_on(job: &mut Job, store: &mut Store) -> Result<JobChange, RunError<JobState, Lost>> {
    let now = Timestamp::now();
    if job.state == JobState::Queued {
        job.run_async(JobEvent::Claim { until: now + LEASE }, store).await?;
    } else {
        job.run_async(JobEvent::Reclaim { now }, store).await?;
        job.run_async(JobEvent::Renew { until: now + LEASE }, store).await?;
    }
    job.run_to_async(JobState::Running, store).await?;
    // The work of the job would be here.
    sleep(Span::from_millis(20)).await;
    let outcome = if job.id == 2 { JobState::Failed } else { JobState::Complete };
    job.run_to_async(outcome, store).await
}

/// Works until every job has its outcome.
async fn work(mut store: Store) {
    loop {
        let open = store.0.lock().await.values().find(|it| !it.state.is_terminal()).cloned();
        let Some(mut job) = open else { return };
        if work_on(&mut job, &mut store).await.is_err() {
            sleep(Span::from_millis(60)).await;
        }
    }
}

/// Two jobs; the first worker dies while it runs one, and a second worker takes over.
async fn run() -> Store {
    let store = Store(Arc::new(Mutex::new([1, 2].map(|id| (id, Job::new(id))).into())));
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
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl Write for Log {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("nobody panicked").write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// The guide shows the log of this program. `UPDATE_GUIDE=1` writes it.
    #[tokio::test]
    async fn the_log_is_that_of_the_guide() {
        let log = Log::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt().without_time().with_ansi(false).with_writer(move || writer.clone()).finish();
        let _guard = tracing::subscriber::set_default(subscriber);
        let store = run().await;
        let states: Vec<_> = store.0.lock().await.values().map(|it| it.state).collect();
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
