use statespec::StateMachine;

#[derive(Debug, Clone, Copy, PartialEq, Eq, StateMachine)]
#[machine("specs/dead_end.yaml")]
enum JobState {
    Queued,
    Running,
    Done,
    Lost,
}

fn main() {
    // Nothing else lights up.
    let state = JobState::Queued;
    println!("{state} {:?} {}", JobState::ALL, state.allows(JobState::Running));
}
