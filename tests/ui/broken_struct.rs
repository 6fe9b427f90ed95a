use statespec::StateMachine;

#[derive(Debug, Clone, StateMachine)]
#[machine("ui/specs/broken.yaml")]
struct Job {
    state: JobState,
}

fn main() {
    let job = Job::new();
    println!("{:?}", job.state());
}
