//! A process of the service, the same text for each revision of the spec.
//!
//! It says on its output what it did: `holds KEY`, `ended KEY`, `mail ID`. Its input says what it is to do: `drain`, to accept no more
//! jobs and go on until every job has ended; the end of the input, to end after the job that it has.

use std::io::{Write as _, stdin, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{sleep, spawn};
use std::time::Duration;

use statespec_store::{Database, Deviation, Error, Table, wait};

use super::machines::job::Event;
use super::service::{Held, Service};
use super::{ON_ERROR, postgresql, sqlite};
use crate::place::{Opened, Place};
use crate::task::Task;

/// What a job takes.
const WORK: Duration = Duration::from_millis(4);

/// Works until it is told to end.
pub(crate) fn start(place: &Place, task: &Task) -> Result<(), Error> {
    match place.open()? {
        Opened::Sqlite(database) => wait(work(database, sqlite::TABLE, task)),
        Opened::Postgres(runtime, database) => runtime.block_on(work(database, postgresql::TABLE, task)),
    }
}

/// Where the rows and the journal differ.
pub(crate) fn replay(place: &Place) -> Result<Vec<Deviation>, Error> {
    match place.open()? {
        Opened::Sqlite(database) => wait(Service::new(database, sqlite::TABLE, "replay")?.replay()),
        Opened::Postgres(runtime, database) => runtime.block_on(Service::new(database, postgresql::TABLE, "replay")?.replay()),
    }
}

struct Orders {
    drain: AtomicBool,
    stop: AtomicBool,
}

impl Orders {
    fn listen(drain: bool) -> Arc<Orders> {
        let orders = Arc::new(Orders { drain: drain.into(), stop: false.into() });
        let heard = Arc::clone(&orders);
        spawn(move || {
            for _ in stdin().lines().map_while(Result::ok).filter(|it| it == "drain") {
                heard.drain.store(true, Ordering::Relaxed);
            }
            heard.stop.store(true, Ordering::Relaxed);
        });
        orders
    }

    fn drain(&self) -> bool {
        self.drain.load(Ordering::Relaxed)
    }

    fn stop(&self) -> bool {
        !self.drain() && self.stop.load(Ordering::Relaxed)
    }
}

async fn work<D: Database>(database: D, table: Table, task: &Task) -> Result<(), Error> {
    let (orders, mut service) = (Orders::listen(task.accept.is_none()), Service::new(database, table, &task.name)?);
    let mut accepted = task.accept;
    while !orders.stop() {
        if let Some(id) = accepted.as_mut().filter(|_| !orders.drain()) {
            service.accept(*id).await?;
            *id += 1;
        }
        match service.take().await? {
            Some(job) => run(&mut service, job, task.holds.then_some(&*orders)).await?,
            None if orders.drain() && !service.has_open().await? => return Ok(()),
            None => sleep(WORK),
        }
    }
    Ok(())
}

/// Runs a job; with orders, it stays in the middle of it until it is killed, or told to end.
async fn run<D: Database>(service: &mut Service<D>, job: Held, holds: Option<&Orders>) -> Result<(), Error> {
    // The first attempt of each tenth job does not succeed.
    let fails = job.version == 2 && job.key.to_string().ends_with('0');
    let Some(job) = service.raise(job, Event::Start).await? else { return Ok(()) };
    if let Some(orders) = holds {
        say(&format!("holds {}", job.key));
        while !orders.stop() {
            sleep(WORK);
        }
    }
    sleep(WORK);
    let event = if fails { ON_ERROR } else { Event::Finish };
    let Some(job) = service.raise(job, event).await? else { return Ok(()) };
    if job.has_ended {
        say(&format!("ended {}", job.key));
    }
    for mail in service.mails().await? {
        say(&format!("mail {}", mail.id));
        service.sent(&mail).await?;
    }
    Ok(())
}

fn say(what: &str) {
    let mut out = stdout().lock();
    writeln!(out, "{what}").and_then(|()| out.flush()).expect("somebody reads the output");
}
