use statespec::StateMachine;

#[derive(Debug, Clone, StateMachine)]
#[machine("specs/broken.yaml")]
struct Job {
    state: JobState,
}

fn main() {
    let job = Job::new();
    println!("{:?}", job.state());
}
