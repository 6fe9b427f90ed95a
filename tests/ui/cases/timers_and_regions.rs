//! A mistake in a spec with timers, or with regions, has one error: functions that return iterators have no others.

use statespec::{StateMachine, Timestamp};

#[derive(Debug, Clone, StateMachine)]
#[machine("specs/timed.yaml", async_host)]
struct Job {
    state: JobState,
    attempts: i64,
}

struct Mail;

impl JobHost for Mail {
    type Error = ();

    fn store(&mut self, _: &Job, _: &JobChange) -> Result<(), ()> {
        Ok(())
    }

    fn mail(&mut self, _: i64, _: Option<JobState>, _: JobState, _: core::fmt::Arguments<'_>) -> Result<(), ()> {
        Ok(())
    }
}

#[derive(Debug, Clone, StateMachine)]
#[machine("specs/typo_in_region.yaml")]
struct Fair {
    state: FairState,
    last: Option<FairLeaf>,
}

fn main() {
    let (mut job, fair) = (Job::new(), Fair::new());
    let mut timers = JobTimers::start(job.state(), Timestamp::EPOCH);
    job.timers().for_each(|(timer, _)| println!("{timer}"));
    timers.elapse(&mut job, Timestamp::EPOCH);
    job.run_due(&mut timers, Timestamp::EPOCH, &mut Mail);
    let change = job.apply(JobEvent::Start).unwrap();
    change.effects_of(&job, JobEvent::Start).for_each(|it| println!("{it:?}"));
    fair.state().leaves().for_each(|leaf| println!("{leaf}"));
    fair.state().events().for_each(|event| println!("{event}"));
}
