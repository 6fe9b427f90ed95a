// States are compared: an enum that cannot be is told what to add.
#[derive(Debug, Clone, Copy, statespec::StateMachine)]
#[machine("specs/door.yaml")]
enum Door {
    Open,
    Closed,
    Locked,
}

fn main() {
    let _ = (Door::Open, Door::Closed, Door::Locked);
}
