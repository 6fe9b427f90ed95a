//! What the graph does not allow does not compile.
use statespec::StateMachine;

#[derive(Debug, Clone, Copy, PartialEq, Eq, StateMachine)]
#[machine("specs/door.yaml", typestate)]
enum Door {
    Open,
    Closed,
    Locked,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, StateMachine)]
#[machine("specs/job.yaml", typestate)]
enum Job {
    Queued,
    Running,
    InReview,
    Done,
}

fn main() {
    let open = DoorIn::<door_states::Open>::check(Door::Open).unwrap();
    open.turn();
    let locked = open.push().turn();
    locked.push().push().turn();
}
