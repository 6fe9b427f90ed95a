//! Both checkers count the same states and find the same faults.

use statespec_checker::context_os::ContextOs;
use statespec_checker::job_queue::{At, Queue};
use statespec_checker::mission_hop::{Missions, NO_OPEN_HOP, RESET};
use statespec_checker::stock::{NOT_FULL, Stock};
use statespec_checker::{check, findings, ours, stuck};
use statespec_lang::diagnostic::Code;

const QUEUE: &str = "codegen/tests/fixtures/explore";

/// The edits of the specs that plant a fault; the invariant is not part of the specs.
const NO_RESET: (&str, &str, &str) =
    ("mission.yaml", "when: not is_final, to: IN_PROGRESS, set: { current_hop_id: null }", "when: not is_final, to: IN_PROGRESS");
const TWO_CURRENT: (&str, &str, &str) = ("mission.yaml", "event: link_hop, when: current_hop_id == null,", "event: link_hop,");
const NO_MATCH: (&str, &str, &str) =
    ("mission_hop.yaml", "require: mission.current_hop_id == hop.id, doc: current", "require: mission.state == IN_PROGRESS, doc: current");
const INVARIANT: (&str, &str, &str) = (
    "mission_hop.yaml",
    "invariants:\n",
    "invariants:\n  - { require: mission.state != COMPLETED or hop.state == COMPLETED, doc: A completed mission has no open hop }\n",
);

#[test]
fn missions_have_as_many_configurations() {
    for (missions, hops) in [(1, 1), (1, 2), (1, 4), (2, 2), (3, 2)] {
        let theirs = check(|property| Missions { property, ..Missions::right(missions, hops) }, &[RESET, NO_OPEN_HOP]);
        let report = ours("machines", "mission_hop", &[INVARIANT], &[("mission", missions as u64), ("hop", hops as u64)]);
        assert_eq!((report.states, report.is_complete()), (theirs.states, true), "{missions} missions of {hops} hops");
        assert_eq!(theirs.broken, []);
        assert_eq!(report.findings, []);
    }
}

#[test]
fn sessions_have_as_many_configurations() {
    for resources in [1, 2, 3] {
        let theirs = check(|_| ContextOs { resources }, &[]);
        let report = ours("machines", "context_os", &[], &[("resource", resources as u64)]);
        assert_eq!((report.states, report.is_complete()), (theirs.states, true), "{resources} resources");
        assert_eq!(report.findings, []);
    }
}

#[test]
fn queues_have_as_many_configurations() {
    for (workers, jobs) in [(1, 1), (2, 1), (2, 2), (3, 2)] {
        for reclaims_claimed in [false, true] {
            let theirs = check(|_| Queue { workers, jobs, reclaims_claimed }, &[]);
            let mended = ("job.yaml", "from: running, event: reclaim", "from: [claimed, running], event: reclaim");
            let edits: &[_] = if reclaims_claimed { &[mended] } else { &[] };
            let report = ours(QUEUE, "job_queue", edits, &[("worker", workers as u64), ("job", jobs as u64)]);
            assert_eq!((report.states, report.is_complete()), (theirs.states, true), "{workers} workers, {jobs} jobs");
            // A job whose lease expires between claim and run is lost, unless it can be taken over.
            assert_eq!(findings(&report, Code::ExploreStuck).len(), usize::from(!reclaims_claimed));
        }
    }
}

#[test]
fn several_instances_in_one_transaction_have_as_many_configurations() {
    for bins in [1, 2, 3, 4] {
        let theirs = check(|property| Stock { bins, property }, &[NOT_FULL]);
        let report = ours(QUEUE, "stock", &[], &[("bin", bins as u64)]);
        assert_eq!((report.states, report.is_complete()), (theirs.states, true), "{bins} bins");
        assert_eq!(findings(&report, Code::ExploreInvariant).iter().map(|it| it.1).collect::<Vec<_>>(), {
            theirs.broken.iter().map(|it| it.1).collect::<Vec<_>>()
        });
    }
}

#[test]
fn planted_faults_are_found_on_ways_of_the_same_length() {
    type Case = (Missions, &'static str, &'static [(&'static str, &'static str, &'static str)]);
    let right = Missions::right(1, 2);
    let cases: [Case; 2] = [
        (Missions { no_reset: true, ..right.clone() }, RESET, &[NO_RESET]),
        (Missions { no_match: true, two_current: true, ..right.clone() }, NO_OPEN_HOP, &[NO_MATCH, TWO_CURRENT, INVARIANT]),
    ];
    for (model, property, edits) in cases {
        let theirs = check(|property| Missions { property, ..model.clone() }, &[property]);
        let report = ours("machines", "mission_hop", edits, &[("hop", 2)]);
        let found = findings(&report, Code::ExploreInvariant);
        let (_, length) = found.iter().find(|it| it.0.contains(property)).unwrap_or_else(|| panic!("{property}: {found:?}"));
        assert_eq!(theirs.broken, [(property, *length)]);
    }
}

#[test]
fn what_is_stuck_is_stuck_by_brute_force_as_well() {
    let model = Missions { two_current: true, ..Missions::right(1, 2) };
    let waits = |state: &Vec<_>| state.iter().any(|it: &statespec_checker::mission_hop::Mission| (1..8).contains(&it.hops[0].0));
    let ends = |state: &Vec<_>| state.iter().any(|it: &statespec_checker::mission_hop::Mission| it.hops[0].0 == 8);
    let theirs = stuck(&model, waits, ends);
    let report = ours("machines", "mission_hop", &[TWO_CURRENT], &[("hop", 2)]);
    let finding = report.findings.iter().find(|it| it.code == Code::ExploreStuck).expect("the first hop is stuck");
    assert_eq!((finding.states, finding.trace.as_ref().map(|it| it.steps.len())), theirs);

    let model = Queue { workers: 1, jobs: 1, reclaims_claimed: false };
    let job = |state: &statespec_checker::job_queue::State| state.jobs[0].as_ref().map(|it| it.at);
    let ended = move |state: &_| matches!(job(state), Some(At::Complete | At::Failed));
    let theirs = stuck(&model, move |state| job(state).is_some() && !ended(state), ended);
    let report = ours(QUEUE, "job_queue", &[], &[("worker", 1), ("job", 1)]);
    let finding = report.findings.iter().find(|it| it.code == Code::ExploreStuck).expect("a job is stuck");
    assert_eq!((finding.states, finding.trace.as_ref().map(|it| it.steps.len())), theirs);
}
