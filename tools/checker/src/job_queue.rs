//! Workers and jobs as an independent model.

use stateright::{Model, Property};

use crate::everything;

/// The size of the model, and its variant.
#[derive(Debug, Clone)]
pub struct Queue {
    /// The number of workers.
    pub workers: usize,
    /// The number of jobs.
    pub jobs: usize,
    /// Whether a claimed job whose lease has expired can also be taken over before it runs.
    pub reclaims_claimed: bool,
}

/// The state of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub enum Worker {
    Idle,
    Busy,
    Dead,
}

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub enum At {
    Queued,
    Claimed,
    Running,
    Complete,
    Failed,
}

/// A job that was submitted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Job {
    /// Its state.
    pub at: At,
    /// The worker that claimed it.
    pub holder: Option<usize>,
    /// Whether its lease has expired.
    pub expired: bool,
    /// The number of claims.
    pub tries: u8,
}

/// All workers and jobs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    /// The workers.
    pub workers: Vec<Worker>,
    /// The jobs; `None` for a job that is not submitted yet.
    pub jobs: Vec<Option<Job>>,
}

/// An action; workers and jobs are given by their positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs)]
pub enum Action {
    Submit(usize),
    Expire(usize),
    Crash(usize),
    Restart(usize),
    Claim(usize, usize),
    Run(usize, usize),
    Finish(usize, usize),
    Fail(usize, usize),
    Reclaim(usize, usize),
}

const MAX_TRIES: u8 = 3;

impl Model for Queue {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State { workers: vec![Worker::Idle; self.workers], jobs: vec![None; self.jobs] }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        actions.extend(state.jobs.iter().position(Option::is_none).map(Action::Submit));
        actions.extend((0..self.jobs).map(Action::Expire));
        for worker in 0..self.workers {
            actions.extend([Action::Crash(worker), Action::Restart(worker)]);
            for job in 0..self.jobs {
                let all = [Action::Claim, Action::Run, Action::Finish, Action::Fail, Action::Reclaim];
                actions.extend(all.map(|it| it(worker, job)));
            }
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut next = last.clone();
        match action {
            Action::Submit(job) => next.jobs[job] = Some(Job { at: At::Queued, holder: None, expired: false, tries: 0 }),
            Action::Expire(job) => {
                let job = next.jobs[job].as_mut()?;
                if job.expired || !matches!(job.at, At::Claimed | At::Running) {
                    return None;
                }
                job.expired = true;
            }
            Action::Crash(worker) if next.workers[worker] != Worker::Dead => next.workers[worker] = Worker::Dead,
            Action::Restart(worker) if next.workers[worker] == Worker::Dead => next.workers[worker] = Worker::Idle,
            Action::Crash(_) | Action::Restart(_) => return None,
            Action::Claim(worker, job) | Action::Reclaim(worker, job) => {
                let takes_over = matches!(action, Action::Reclaim(..));
                let job = next.jobs[job].as_mut()?;
                let open = match job.at {
                    At::Queued => !takes_over,
                    At::Running => takes_over && job.expired,
                    At::Claimed => takes_over && job.expired && self.reclaims_claimed,
                    At::Complete | At::Failed => false,
                };
                if !open || next.workers[worker] != Worker::Idle {
                    return None;
                }
                next.workers[worker] = Worker::Busy;
                *job = match takes_over && job.tries >= MAX_TRIES {
                    true => Job { at: At::Failed, holder: None, ..job.clone() },
                    false => Job { at: At::Claimed, holder: Some(worker), expired: false, tries: job.tries + 1 },
                };
            }
            Action::Run(worker, job) | Action::Finish(worker, job) | Action::Fail(worker, job) => {
                let job = next.jobs[job].as_mut()?;
                let needed = if matches!(action, Action::Run(..)) { At::Claimed } else { At::Running };
                if job.at != needed || job.expired || job.holder != Some(worker) || next.workers[worker] != Worker::Busy {
                    return None;
                }
                job.at = match action {
                    Action::Run(..) => At::Running,
                    Action::Finish(..) => At::Complete,
                    _ if job.tries < MAX_TRIES => At::Queued,
                    _ => At::Failed,
                };
                if job.at != At::Running {
                    job.holder = None;
                    next.workers[worker] = Worker::Idle;
                }
            }
        }
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![everything()]
    }
}
