//! Where nothing of a spec can be read, code that uses the types has no errors of its own.

use statespec::StateMachine;

#[derive(Debug, Clone, StateMachine)]
#[machine("specs/broken.yaml")]
struct Job {
    state: JobState,
    attempts: i64,
}

struct Store;

fn received(event: &JobEvent<String>) -> JobEvent<&str> {
    event.borrowed()
}

fn raise(job: &mut Job, event: JobEvent) -> Result<JobChange, JobRefused> {
    if matches!(event, JobEvent::Start | JobEvent::Finish) && job.state == JobState::Queued {
        job.attempts += 1;
    }
    job.apply_as(JobActor::Worker, event)
}

fn main() {
    let mut job = Job::new("several", 1, ());
    let (other, _) = Job::create(JobEvent::Start).unwrap();
    match job.state {
        JobState::Queued => job.run(JobEvent::Start, &mut Store).unwrap(),
        JobState::Running => job.transition_to(JobState::Done).unwrap(),
        _ => {}
    }
    for (timer, after) in other.timers() {
        println!("{timer} {after}");
    }
    println!("{:?}", raise(&mut job, JobEvent::Start).map(|change| change.to()));
}
