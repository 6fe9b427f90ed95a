//! The service and its database, the same text for each revision of the spec.

use statespec::Duration;
use statespec_store::{
    Applied, Birth, Class, Connection as _, Database, Delivery, Deviation, Error, Key, Outcome, Request, Step, Store, Table, raise,
};

use super::machines::job::{Event, Job, State};

const LEASE: Duration = Duration::from_millis(500);

/// A job that this worker has: the version is its fence.
pub struct Held {
    pub key: Key,
    pub version: i64,
    pub has_ended: bool,
}

impl From<Applied<Job, State>> for Held {
    fn from(it: Applied<Job, State>) -> Self {
        Held { has_ended: it.found.machine.state().is_terminal(), key: it.found.key, version: it.found.version }
    }
}

pub struct Service<D> {
    jobs: Store<Job, State>,
    database: D,
    name: String,
}

impl<D: Database> Service<D> {
    pub fn new(database: D, table: Table, name: &str) -> Result<Self, Error> {
        Ok(Service { jobs: Store::new(table)?, database, name: name.to_owned() })
    }

    /// Accepts a job.
    pub async fn accept(&mut self, id: i64) -> Result<(), Error> {
        let mut c = self.database.begin().await?;
        let _ = self.jobs.create(&mut c, id, Birth::new(Job::new()), None, Some(&self.name)).await?;
        D::commit(c).await
    }

    /// Takes a job whose worker is gone, or else one that nobody has.
    pub async fn take(&mut self) -> Result<Option<Held>, Error> {
        let claim = |_: &Job| vec![Step::at(|now| raise!(Event::Claim { until: now + LEASE }))];
        let over =
            |_: &Job| vec![Step::at(|now| raise!(Event::Reclaim { now })), Step::at(|now| raise!(Event::Renew { until: now + LEASE }))];
        let mut c = self.database.begin().await?;
        let mut taken = self.jobs.reclaim(&mut c, 1, &self.name, over).await?;
        if taken.is_empty() {
            taken = self.jobs.claim(&mut c, 1, &self.name, claim).await?;
        }
        D::commit(c).await?;
        Ok(taken.pop().map(Held::from))
    }

    /// Raises an event of a job; `None` if another worker has it.
    pub async fn raise(&mut self, job: Held, event: Event) -> Result<Option<Held>, Error> {
        let mut c = self.database.begin().await?;
        let request = Request::new(job.key, raise!(event)).fence(job.version).actor(&self.name);
        let outcome = self.jobs.apply(&mut c, request).await?;
        D::commit(c).await?;
        match outcome {
            Outcome::Applied(it) => Ok(Some(it.into())),
            Outcome::LostRace(_) => Ok(None),
            other => Err(Error::new(Class::Other, format!("{other:?}"))),
        }
    }

    /// Mails that this worker is to send.
    pub async fn mails(&mut self) -> Result<Vec<Delivery>, Error> {
        let mut c = self.database.begin().await?;
        let mails = self.jobs.outbox(&mut c, 10, &self.name, LEASE).await?;
        D::commit(c).await?;
        Ok(mails)
    }

    /// A mail was sent.
    pub async fn sent(&mut self, mail: &Delivery) -> Result<bool, Error> {
        let mut c = self.database.begin().await?;
        let is_first = self.jobs.acknowledge(&mut c, mail).await?;
        D::commit(c).await?;
        Ok(is_first)
    }

    /// Whether a job has not ended.
    pub async fn has_open(&mut self) -> Result<bool, Error> {
        let mut c = self.database.begin().await?;
        let open = c.query("SELECT 'x' FROM jobs WHERE status NOT IN ('complete', 'failed') LIMIT 1", &[]).await?;
        Ok(!open.is_empty())
    }

    /// Where the rows and the journal differ.
    pub async fn replay(&mut self) -> Result<Vec<Deviation>, Error> {
        self.jobs.replay(&mut self.database.begin().await?).await
    }
}
