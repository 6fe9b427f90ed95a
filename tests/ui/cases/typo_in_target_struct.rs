use statespec::StateMachine;

#[derive(Debug, Clone, StateMachine)]
#[machine("specs/typo_in_target.yaml")]
struct Job {
    state: JobState,
    name: String,
}

fn main() {
    // Nothing else lights up: states and events are there, methods as well.
    let mut job = Job::new("a".to_owned());
    let change = job.apply(JobEvent::Start);
    println!("{} {change:?} {} {:?}", job.name, JobState::Running, job.state());
}
