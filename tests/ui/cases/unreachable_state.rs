use statespec::StateMachine;

#[derive(Debug, Clone, Copy, PartialEq, Eq, StateMachine)]
#[machine("specs/unreachable_state.yaml")]
enum JobState {
    Queued,
    Running,
    Paused,
    Done,
}

fn main() {
    // Nothing else lights up.
    let state = JobState::Queued;
    println!("{state} {:?} {}", JobState::ALL, state.allows(JobState::Running));
}
