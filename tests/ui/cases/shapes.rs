use statespec::StateMachine;

#[derive(StateMachine)]
#[machine("specs/job.yaml")]
struct Tuple(u8);

#[derive(StateMachine)]
#[machine("specs/job.yaml")]
struct Generic<T> {
    state: GenericState,
    inner: T,
}

#[derive(StateMachine)]
#[machine("specs/job.yaml")]
union Union {
    state: u8,
}

fn main() {}
