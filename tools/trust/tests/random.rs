//! Random machines and systems use the whole language, and their outputs compile with warnings denied.
//!
//! `cargo trust random` does the same with more of them.

use std::collections::BTreeSet;
use std::path::Path;

use statespec_codegen::changes::changes_of_models;
use statespec_lang::expr::{Var, known};
use trust::random::compile::Workshop;
use trust::random::coverage::{Coverage, NOT_DRAWN};
use trust::random::run::{Bounds, run};
use trust::random::{Project, Subject};

#[test]
fn every_key_of_the_language_occurs_and_hardly_a_spec_is_refused() {
    let mut coverage = Coverage::new();
    let (n_machines, n_systems) = (40, 120);
    let machines = (0..n_machines).map(|seed| Project::new(Subject::Machine, seed, &mut coverage)).collect::<Vec<_>>();
    let systems = (0..n_systems).map(|seed| Project::new(Subject::System, seed, &mut coverage)).collect::<Vec<_>>();
    let refused: Vec<String> = machines.iter().chain(&systems).filter_map(|it| Some(format!("{}: {}", it.name(), it.refusal()?))).collect();
    assert!(refused.len() * 50 <= machines.len() + systems.len(), "{}", refused.join("\n\n"));
    assert_eq!(coverage.missing(), NOT_DRAWN);
}

#[test]
fn a_seed_makes_the_same_project_each_time() {
    for subject in [Subject::Machine, Subject::System] {
        let [first, second] = [(); 2].map(|()| Project::new(subject, 7, &mut Coverage::new()));
        assert_eq!(first.specs, second.specs);
    }
}

#[test]
fn a_project_does_not_differ_from_itself() {
    for subject in [Subject::Machine, Subject::System] {
        for seed in 0..60 {
            let project = Project::new(subject, seed, &mut Coverage::new());
            let Some(model) = project.loaded.model.as_ref() else { continue };
            let side = (&project.loaded.sources, model);
            assert_eq!(changes_of_models(side, side), [], "{}", project.name());
        }
    }
}

#[test]
fn what_is_accepted_compiles() {
    let folder = tempfile::tempdir().expect("a folder for the crate");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().find(|it| it.join("Cargo.lock").exists()).expect("the root");
    let workshop = Workshop {
        root: root.to_owned(),
        folder: folder.path().to_owned(),
        // Other tests share this build of our crates.
        target: Path::new(env!("CARGO_TARGET_TMPDIR")).join("downstream"),
        kept: None,
    };
    let report = run(&[workshop], Bounds { machines: 40, systems: 15, seed: 0, behave: 0 }, &mut |_| {}).expect("cargo runs");
    let failures: Vec<String> =
        report.failures.iter().map(|it| format!("{} as {}: {}", it.project, it.form.word(), it.errors[0])).collect();
    assert!(failures.is_empty(), "{} of {:?} fail\n\n{}", failures.len(), report.compiled, failures.join("\n"));
}

/// Shapes of rows that no key shows.
#[test]
fn rows_share_fields_at_other_positions_and_assign_what_their_guards_test() {
    let (mut n_moved, mut n_narrowed) = (0, 0);
    for seed in 0..200 {
        let project = Project::new(Subject::Machine, seed, &mut Coverage::new());
        for machine in project.loaded.model.iter().flat_map(|it| &it.machines) {
            for row in &machine.transitions {
                let exprs = || row.guard.iter().chain(row.set.iter().map(|it| &it.1));
                let positions = |id| row.events().iter().map(move |it| machine.payload_position(*it, id)).collect::<BTreeSet<_>>();
                let moves = |var: Var| matches!(var, Var::Payload(id) if positions(id).len() > 1);
                n_moved += usize::from(exprs().flat_map(|it| it.vars()).any(moves));
                let known = row.guard.as_ref().map(known).unwrap_or_default();
                n_narrowed += usize::from(row.set.iter().any(|(_, it)| it.vars().iter().any(|var| known.contains(var))));
            }
        }
    }
    assert!(n_moved >= 10 && n_narrowed >= 60, "{n_moved} rows with fields at other positions, {n_narrowed} with tested values");
}
