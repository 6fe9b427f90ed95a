//! No spec has a similar name: the one with the name of the type suppresses all other errors.
use statespec::StateMachine;

#[derive(Debug, Clone, StateMachine)]
#[machine("machines/work-item.yaml")]
struct Door {
    state: DoorState,
}

fn main() {
    let mut door = Door::new();
    door.apply(DoorEvent::Push).unwrap();
    assert_eq!(door.state, DoorState::Closed);
}
