//! Other derives have been told other names than the spec's.
use statespec::StateMachine;

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, strum::IntoStaticStr, StateMachine)]
#[machine("specs/job.yaml")]
#[serde(rename_all = "snake_case")]
enum JobState {
    Queued,
    #[serde(rename = "run")]
    Running,
    InReview,
    #[strum(serialize = "finished")]
    Done,
}

fn main() {}
