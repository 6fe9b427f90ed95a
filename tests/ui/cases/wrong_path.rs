//! The spec with a similar name suppresses all other errors.
use statespec::StateMachine;

#[derive(Debug, Clone, StateMachine)]
#[machine("specs/doors.yaml")]
struct Door {
    state: DoorState,
}

fn main() {
    let mut door = Door::new();
    door.apply(DoorEvent::Push).unwrap();
    assert_eq!(door.state, DoorState::Closed);
}
