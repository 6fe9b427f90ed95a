use statespec::StateMachine;

#[derive(Debug, Clone, Copy, PartialEq, Eq, StateMachine)]
#[machine("specs/job.yaml")]
enum JobState {
    Queued,
    Runing,
    Done,
    Archived(u32),
    #[machine(rename = "done")]
    Finished,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, StateMachine)]
#[machine("specs/door.yaml", allow(dead_end))]
enum DoorState {
    Open,
    Shut,
}

fn main() {
    println!("{} {:?}", JobState::Queued, JobState::ALL);
}
