//! One attribute names every variant otherwise than the spec stores the states: that is one error.
use statespec::StateMachine;

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, StateMachine)]
#[machine("specs/job.yaml", foreign_names)]
#[serde(rename_all = "UPPERCASE")]
enum Meant {
    Queued,
    Running,
    InReview,
    Done,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, strum::IntoStaticStr, StateMachine)]
#[machine("specs/job.yaml")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "lowercase")]
enum Drifted {
    Queued,
    Running,
    InReview,
    Done,
}

fn main() {}
