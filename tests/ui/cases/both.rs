//! A struct whose states are an enum of the user: the two must follow one machine.
use statespec::StateMachine;

mod states {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, statespec::StateMachine)]
    #[machine("specs/door.yaml")]
    pub enum Door {
        Open,
        Closed,
        Locked,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq, statespec::StateMachine)]
    #[machine("specs/job.yaml")]
    pub enum Job {
        Queued,
        Done,
        Running,
        #[machine(rename = "in-review")]
        Review,
    }
}

use states::*;

#[derive(Debug, Clone, StateMachine)]
#[machine("specs/door.yaml")]
struct House {
    #[machine(state)]
    door: Door,
}

#[derive(Debug, Clone, StateMachine)]
#[machine("specs/job.yaml")]
struct Work {
    #[machine(state)]
    job: states::Job,
    attempts: i64,
    last_error: Option<String>,
    ratio: statespec::Decimal,
    lane: JobLane,
}

fn main() {}
