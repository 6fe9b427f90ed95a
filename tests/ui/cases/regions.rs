//! A machine with regions is in several states at once.

use statespec::StateMachine;

#[derive(Debug, Clone, Copy, PartialEq, Eq, StateMachine)]
#[machine("specs/fair.yaml")]
enum Fair {
    Dark,
    Bright,
    Shut,
    Open,
}

#[derive(Debug, Clone, PartialEq, StateMachine)]
#[machine("specs/fair.yaml", typestate)]
struct Site {
    state: SiteState,
    last: Option<SiteState>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Light {
    Dark,
}

#[derive(Debug, Clone, PartialEq, StateMachine)]
#[machine("specs/fair.yaml")]
struct Place {
    #[machine(state)]
    state: Light,
    last: Option<LightLeaf>,
}

fn main() {}
