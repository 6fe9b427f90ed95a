//! A misspelt key is read as the key that was meant: it is the only error.
use statespec::StateMachine;

#[derive(Debug, Clone, StateMachine)]
#[machine("specs/misspelt_key.yaml")]
struct Door {
    state: DoorState,
}

fn main() {
    let mut door = Door::new();
    door.apply(DoorEvent::Push).unwrap();
    assert_eq!(door.state, DoorState::Closed);
}
