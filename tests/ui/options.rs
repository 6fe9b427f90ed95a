use statespec::StateMachine;

#[derive(StateMachine)]
#[machine("ui/specs/job.yaml", prefx = "My")]
struct A {
    state: AState,
}

#[derive(StateMachine)]
#[machine("ui/specs/job.yaml", names(Stat = "Phase"))]
struct B {
    state: BState,
}

#[derive(StateMachine)]
#[machine("ui/specs/job.yaml", skip(runn), prefix = "1st")]
struct C {
    state: CState,
}

#[derive(StateMachine)]
#[machine("ui/specs/door.yaml", allow(dead_ends))]
struct D {
    state: DState,
}

#[derive(StateMachine)]
#[machine("ui/specs/door.yaml")]
#[machine("ui/specs/job.yaml")]
struct E {
    state: EState,
}

fn main() {}
