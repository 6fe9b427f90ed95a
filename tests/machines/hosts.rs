//! Hosts and observers of emitted machines, and units of work that know their actor.

use statespec::{Attempt, Commit, Counter, Ended, Labels, Machine, Observer, RunError, State, Transacted, Unit};
use statespec_machines::{hop, mission, mission_hop, mysis, mysis_activity, mysis_runtime, run_job};

/// A host that writes down what it stores and what it sees.
#[derive(Default, Clone, PartialEq, Debug)]
struct Journal {
    lines: Vec<String>,
    store_fails: bool,
}

impl Journal {
    fn store(&mut self, change: &impl std::fmt::Display) -> Result<(), String> {
        self.lines.push(format!("store {change}"));
        if self.store_fails { Err("disk full".into()) } else { Ok(()) }
    }

    fn see<S: State>(&mut self, attempt: &Attempt<'_, S>) {
        Counter(|labels: Labels| {
            let Labels { machine, from, to, event, ended, error_type, .. } = labels;
            let [from, to, event, error] = [from, to, event, error_type].map(|it| it.unwrap_or("-"));
            self.lines.push(format!("{machine}: {event} from {from} to {to} {}, {error}", ended.name()));
        })
        .observe(attempt);
    }
}

impl run_job::Host for Journal {
    type Error = String;

    fn store(&mut self, _: &run_job::RunJob, change: &run_job::Change) -> Result<(), String> {
        self.store(change)
    }

    fn observe(&mut self, attempt: &Attempt<'_, run_job::State>) {
        self.see(attempt);
    }
}

impl hop::Host for Journal {
    type Error = String;

    fn store(&mut self, _: &hop::Hop, change: &hop::Change) -> Result<(), String> {
        self.store(change)
    }

    fn observe(&mut self, attempt: &Attempt<'_, hop::State>) {
        self.see(attempt);
    }
}

#[test]
fn a_machine_without_effects_is_stored() {
    let (mut job, mut host) = (run_job::RunJob::new(), Journal::default());
    job.run_to(run_job::State::Claimed, &mut host).unwrap();
    host.store_fails = true;
    let error = job.run_to(run_job::State::Running, &mut host).unwrap_err();
    assert_eq!((error.moved(), job.state()), (false, run_job::State::Claimed));
    job.run_to(run_job::State::Queued, &mut host).unwrap_err();
    assert_eq!(
        host.lines,
        [
            "store queued → claimed",
            "run_job: - from queued to claimed changed, -",
            "store claimed → running",
            "run_job: - from claimed to running failed, store",
            "run_job: - from claimed to queued refused, no_transition",
        ]
    );
}

#[test]
fn a_creation_is_stored_and_seen() {
    let (hop, change) = hop::Hop::<u64>::create(hop::Event::Create).unwrap();
    let mut host = Journal::default();
    hop.run_created(change, hop::Event::Create, &mut host).unwrap();
    assert_eq!(host.lines, ["store → HOP_PLAN_STARTED", "hop: create from - to HOP_PLAN_STARTED changed, -"]);
    host.store_fails = true;
    let error = hop.run_created(change, hop::Event::Create, &mut host).unwrap_err();
    assert_eq!(error, RunError::Store { change, moved: false, error: "disk full".into() });
}

#[test]
fn an_observer_sees_steps_without_a_host() {
    let mut seen = Vec::new();
    let mut observer = Counter(|labels: Labels| seen.push((labels.event, labels.ended, labels.error_type)));
    let (mut hop, _) = hop::Hop::<u64>::create(hop::Event::Create).unwrap();
    hop.apply_observed(&hop::Event::Create, &(), &mut observer).unwrap_err();
    hop.apply_observed(&hop::Event::CompletePlan { r#final: false }, &(), &mut observer).unwrap();
    assert_eq!(seen, [(Some("create"), Ended::Refused, Some("no_transition")), (Some("complete_plan"), Ended::Changed, None)]);
}

/// A store in memory, in the name of an actor. What is saved in a transaction is kept when it commits.
#[derive(Default, Clone, PartialEq, Debug)]
struct Memory {
    actor: Option<mission_hop::Actor>,
    kept: (Option<mission::Mission<u64>>, Vec<hop::Hop<u64>>),
    open: (Option<mission::Mission<u64>>, Vec<hop::Hop<u64>>),
    performed: usize,
    journal: Journal,
}

impl Unit for Memory {
    type Key = u64;
    type Error = String;

    fn begin(&mut self) -> Result<(), String> {
        self.open = self.kept.clone();
        Ok(())
    }

    fn commit(&mut self, _: Commit) -> Result<(), String> {
        self.kept = self.open.clone();
        Ok(())
    }

    fn rollback(&mut self) {
        self.open = self.kept.clone();
    }

    fn observe<S: State>(&mut self, attempt: &Attempt<'_, S>) {
        self.journal.see(attempt);
    }

    fn observe_transaction(&mut self, attempt: &Transacted<'_>) {
        let refused = attempt.refused().map_or_else(String::new, |it| format!(": {it}"));
        let (actor, error) = (attempt.actor().unwrap_or("-"), attempt.error_type().unwrap_or("-"));
        let (system, transaction) = (attempt.system(), attempt.transaction());
        self.journal.lines.push(format!("{system}: {transaction} by {actor} {}, {error}{refused}", attempt.ended().name()));
    }
}

impl mission_hop::UnitOfWork for Memory {
    fn actor(&self) -> Option<mission_hop::Actor> {
        self.actor
    }

    fn mission_key(&mut self) -> Result<u64, String> {
        Ok(1)
    }

    fn load_mission(&mut self) -> Result<Option<mission::Mission<u64>>, String> {
        Ok(self.open.0.clone())
    }

    fn save_mission(&mut self, _: Option<&mission::Mission<u64>>, after: &mission::Mission<u64>) -> Result<(), String> {
        self.open.0 = Some(after.clone());
        Ok(())
    }

    fn perform_mission(&mut self, _: mission::Effect) -> Result<(), String> {
        self.performed += 1;
        Ok(())
    }

    fn new_hop(&mut self) -> Result<u64, String> {
        Ok(self.kept.1.len() as u64)
    }

    fn load_hop(&mut self, key: u64) -> Result<Option<hop::Hop<u64>>, String> {
        Ok(self.open.1.get(key as usize).cloned())
    }

    fn save_hop(&mut self, key: u64, _: Option<&hop::Hop<u64>>, after: &hop::Hop<u64>) -> Result<(), String> {
        self.open.1.truncate(key as usize);
        self.open.1.push(after.clone());
        Ok(())
    }

    fn next_hop(&mut self, after: Option<u64>) -> Result<Option<(u64, hop::Hop<u64>)>, String> {
        let next = after.map_or(0, |it| it + 1);
        Ok(self.open.1.get(next as usize).map(|it| (next, it.clone())))
    }
}

#[test]
fn a_unit_of_work_refuses_an_actor_that_may_not() {
    let mut unit = Memory { actor: Some(mission_hop::Actor::User), ..Memory::default() };
    let failure = mission_hop::propose_mission(&mut unit).unwrap_err();
    assert_eq!(failure, mission_hop::Failure::Refused(mission_hop::Refused::Actor(mission_hop::Transaction::ProposeMission)));
    assert_eq!(failure.to_string(), "only `agent` may trigger `propose_mission`");
    unit.actor = Some(mission_hop::Actor::Agent);
    mission_hop::propose_mission(&mut unit).unwrap();
    unit.actor = None;
    mission_hop::approve_mission(&mut unit).unwrap();
}

#[test]
fn a_unit_of_work_sees_transactions_and_the_changes_of_their_machines() {
    let mut unit = Memory { actor: Some(mission_hop::Actor::User), ..Memory::default() };
    mission_hop::propose_mission(&mut unit).unwrap_err();
    unit.actor = Some(mission_hop::Actor::Agent);
    mission_hop::propose_mission(&mut unit).unwrap();
    unit.actor = None;
    mission_hop::request_hop_plan(&mut unit).unwrap_err();
    mission_hop::plan(&mut unit, mission_hop::approve_mission).unwrap();
    mission_hop::approve_mission(&mut unit).unwrap();
    mission_hop::request_hop_plan(&mut unit).unwrap();
    mission_hop::approve_mission(&mut unit).unwrap_err();
    assert_eq!(
        unit.journal.lines,
        [
            "mission_hop: propose_mission by user refused, actor: only `agent` may trigger `propose_mission`",
            "mission: propose from - to AWAITING_APPROVAL changed, -",
            "mission_hop: propose_mission by agent changed, -",
            "mission_hop: request_hop_plan by - refused, rule: Mission is IN_PROGRESS before creating hops",
            "mission: approve from AWAITING_APPROVAL to IN_PROGRESS changed, -",
            "mission_hop: approve_mission by - changed, -",
            "hop: create from - to HOP_PLAN_STARTED changed, -",
            "mission: link_hop from IN_PROGRESS to IN_PROGRESS changed, -",
            "mission_hop: request_hop_plan by - changed, -",
            "mission_hop: approve_mission by - refused, no_transition: `approve` is refused in `IN_PROGRESS`: allowed here are `link_hop` and `hop_completed`",
        ]
    );
}

/// The Mysis of a store, and the one in memory.
#[derive(Default)]
struct Runtime {
    stored: Option<mysis::Mysis<String>>,
    memory: Option<mysis::Mysis<String>>,
    open: Option<mysis::Mysis<String>>,
    orders: Vec<Commit>,
}

impl Unit for Runtime {
    type Key = u64;
    type Error = String;

    fn begin(&mut self) -> Result<(), String> {
        self.open = self.memory.clone().or_else(|| self.stored.clone());
        Ok(())
    }

    fn commit(&mut self, order: Commit) -> Result<(), String> {
        self.orders.push(order);
        self.memory = self.open.clone();
        if order != Commit::MemoryOnly {
            self.stored = self.open.clone();
        }
        Ok(())
    }

    fn rollback(&mut self) {
        self.open = None;
    }
}

impl mysis_runtime::UnitOfWork for Runtime {
    type Text = String;

    fn load_mysis(&mut self) -> Result<Option<mysis::Mysis<String>>, String> {
        Ok(self.open.clone())
    }

    fn save_mysis(&mut self, _: Option<&mysis::Mysis<String>>, after: &mysis::Mysis<String>) -> Result<(), String> {
        self.open = Some(after.clone());
        Ok(())
    }

    fn perform_mysis(&mut self, _: mysis::Effect<&str>) -> Result<(), String> {
        Ok(())
    }

    fn load_activity(&mut self) -> Result<Option<mysis_activity::MysisActivity>, String> {
        Ok(None)
    }

    fn save_activity(&mut self, _: Option<&mysis_activity::MysisActivity>, _: &mysis_activity::MysisActivity) -> Result<(), String> {
        Ok(())
    }
}

#[test]
fn a_stored_mysis_is_loaded_as_idle_and_not_written() {
    let mut unit = Runtime::default();
    mysis_runtime::create(&mut unit).unwrap();
    mysis_runtime::start(&mut unit).unwrap();
    let stored = unit.stored.clone();
    // The process ends, and starts again.
    unit = Runtime { stored: stored.clone(), ..Runtime::default() };
    mysis_runtime::load(&mut unit).unwrap();
    assert_eq!(unit.memory.as_ref().map(mysis::Mysis::state), Some(mysis::State::Idle));
    assert_eq!((&unit.stored, unit.orders.as_slice()), (&stored, [Commit::MemoryOnly].as_slice()));
    mysis_runtime::start(&mut unit).unwrap();
    assert_eq!(unit.memory.as_ref().map(mysis::Mysis::state), Some(mysis::State::Running));
}

#[test]
fn a_planned_transaction_changes_nothing_and_says_why_it_is_not_enabled() {
    let mut unit = Memory::default();
    let plan = |unit: &mut Memory| mission_hop::plan(unit, mission_hop::propose_mission);
    plan(&mut unit).unwrap();
    assert_eq!(unit, Memory::default(), "planning keeps nothing");
    let too_early = mission_hop::plan(&mut unit, |unit| mission_hop::trigger_execution(unit, 0)).unwrap_err();
    assert_eq!(too_early.to_string(), "there is no mission");

    mission_hop::propose_mission(&mut unit).unwrap();
    mission_hop::approve_mission(&mut unit).unwrap();
    let before = unit.clone();
    let hop = mission_hop::plan(&mut unit, mission_hop::request_hop_plan).unwrap();
    assert_eq!(unit, before, "no effect was performed, and nothing is kept");
    let missing = mission_hop::plan(&mut unit, |unit| mission_hop::trigger_execution(unit, hop)).unwrap_err();
    assert_eq!(missing.to_string(), "there is no hop");
    mission_hop::request_hop_plan(&mut unit).unwrap();
    let too_early = mission_hop::plan(&mut unit, |unit| mission_hop::trigger_execution(unit, hop)).unwrap_err();
    assert_eq!(too_early.to_string(), "`execute` is refused in `HOP_PLAN_STARTED`: allowed here is `complete_plan`");
}
