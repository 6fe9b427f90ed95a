use statespec::StateMachine;

#[derive(Debug, Clone, StateMachine)]
struct Job {
    state: JobState,
}

#[derive(Debug, Clone, StateMachine)]
#[machine(prefix = "Other")]
struct OtherJob {
    state: OtherState,
}

fn main() {}
