//! What stands behind a name only the compiler knows: it says so at the very type.
use statespec::StateMachine;

type Count = u32;
type Wide = i64;

#[derive(Debug, Clone, StateMachine)]
#[machine("specs/job.yaml")]
struct Job {
    state: JobState,
    attempts: Wide,
    last_error: Option<String>,
    ratio: Ratio,
    lane: JobLane,
}

type Ratio = Count;

fn main() {}
