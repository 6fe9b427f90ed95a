use statespec::StateMachine;

#[derive(Debug, Clone, StateMachine)]
#[machine("specs/job.yaml")]
struct Job {
    state: JobState,
    attempts: u32,
    last_eror: Option<String>,
    ratio: f64,
    lane: Option<JobLane>,
}

#[derive(Debug, Clone, StateMachine)]
#[machine("specs/job.yaml", prefix = "Second")]
struct SecondJob {
    state: String,
    attempts: i64,
    last_error: String,
    ratio: statespec::Decimal,
}

#[derive(Debug, Clone, StateMachine)]
#[machine("specs/job.yaml", prefix = "Third")]
struct ThirdJob {
    attempts: i64,
    last_error: Option<String>,
    ratio: statespec::Decimal,
    #[machine(renam = "lane")]
    line: ThirdLane,
}

fn main() {
    let mut job = Job::new();
    let _ = job.apply(JobEvent::Start);
}
