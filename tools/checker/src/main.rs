//! `cargo run --release -p statespec-checker`: the table of the page on exploration.

use std::fmt::Write as _;
use std::time::Duration;

use statespec_checker::context_os::ContextOs;
use statespec_checker::job_queue::Queue;
use statespec_checker::mission_hop::Missions;
use statespec_checker::{Verdict, check, ours};
use statespec_explore::Report;
use statespec_rust::root::Root;

const BEGIN: &str = "<!-- begin of what `cargo run --release -p statespec-checker` wrote -->\n";
const END: &str = "<!-- end of what it wrote -->\n";
const PAGE: &str = "docs/evidence/exploration.md";

fn main() -> std::io::Result<()> {
    let fixtures = "codegen/tests/fixtures/explore";
    let mut table = "\n| System | Population | Configurations | Here | Each second | stateright | Each second |\n| --- | --- | --- | --- | --- | --- | --- |\n".to_owned();
    for hops in [1, 2] {
        let instances = [("mission", 3), ("hop", hops)];
        let theirs = check(|_| Missions::right(3, hops as usize), &[]);
        row(&mut table, &ours("machines", "mission_hop", &[], &instances), &format!("3 missions, hops for each: {hops}"), &theirs);
    }
    for resources in [2, 3] {
        let theirs = check(|_| ContextOs { resources }, &[]);
        row(
            &mut table,
            &ours("machines", "context_os", &[], &[("resource", resources as u64)]),
            &format!("{resources} resources"),
            &theirs,
        );
    }
    for (workers, jobs) in [(2, 2), (3, 2), (4, 2), (3, 3)] {
        let instances = [("worker", workers as u64), ("job", jobs as u64)];
        let theirs = check(|_| Queue { workers, jobs, reclaims_claimed: false }, &[]);
        row(&mut table, &ours(fixtures, "job_queue", &[], &instances), &format!("{workers} workers, {jobs} jobs"), &theirs);
    }
    let path = Root::of_process()?.folder.join(PAGE);
    let page = std::fs::read_to_string(&path)?;
    let places = page.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let Some((before, after)) = places else {
        return Err(std::io::Error::other(format!("{PAGE} has lost the marks around the table")));
    };
    std::fs::write(path, format!("{before}{BEGIN}{table}\n{END}{after}"))
}

fn row(table: &mut String, report: &Report, population: &str, theirs: &Verdict) {
    let rate = |states: usize, elapsed: Duration| format!("{:.0}", states as f64 / elapsed.as_secs_f64().max(1e-9));
    assert_eq!(theirs.states, report.states, "the checkers disagree about {} with {population}", report.subject);
    let _ = writeln!(
        table,
        "| {} | {population} | {} | {:.2} s | {} | {:.2} s | {} |",
        report.subject,
        report.states,
        report.elapsed.as_secs_f64(),
        rate(report.states, report.elapsed),
        theirs.elapsed.as_secs_f64(),
        rate(theirs.states, theirs.elapsed),
    );
}
