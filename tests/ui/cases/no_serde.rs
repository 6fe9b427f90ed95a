//! The feature of the façade is missing.
use statespec::StateMachine;

#[derive(Debug, Clone, StateMachine)]
#[machine("specs/door.yaml", serde)]
struct Door {
    state: DoorState,
}

fn main() {
    Door::new().apply(DoorEvent::Push).unwrap();
}
