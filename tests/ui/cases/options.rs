use statespec::StateMachine;

#[derive(StateMachine)]
#[machine("specs/job.yaml", prefx = "My")]
struct A {
    state: AState,
}

#[derive(StateMachine)]
#[machine("specs/job.yaml", names(Stat = "Phase"))]
struct B {
    state: BState,
}

#[derive(StateMachine)]
#[machine("specs/job.yaml", skip(runn), prefix = "1st")]
struct C {
    state: CState,
}

#[derive(StateMachine)]
#[machine("specs/door.yaml", allow(dead_ends))]
struct D {
    state: DState,
}

#[derive(StateMachine)]
#[machine("specs/door.yaml")]
#[machine("specs/job.yaml")]
struct E {
    state: EState,
}

#[derive(StateMachine)]
#[machine("specs/door.yaml", context)]
struct F {
    state: FState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, StateMachine)]
#[machine("specs/door.yaml", context)]
enum G {
    Open,
    Closed,
    Locked,
}

#[derive(StateMachine)]
#[machine("specs/job.yaml", async)]
struct H {
    state: HState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, StateMachine)]
#[machine("specs/door.yaml", skip(terminal))]
enum I {
    Open,
    Closed,
    Locked,
}

fn main() {}
