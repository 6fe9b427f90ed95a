//! Random specs are accepted, use the whole language, and compile.

use std::path::Path;

use trust::random::compile::{Failure, Workshop};
use trust::random::coverage::Coverage;
use trust::random::forms::modules;
use trust::random::{Project, Subject};

#[test]
fn x() {
    let mut coverage = Coverage::new();
    let mut n = 0;
    for subject in [Subject::Machine, Subject::System] {
        for seed in 0..300 {
            let project = Project::new(subject, seed, &mut coverage);
            if let Some(refusal) = project.refusal() {
                n += 1;
                let name = project.name();
                eprintln!("{name}: {}", refusal.chars().take(900).collect::<String>());
            }
        }
    }
    eprintln!("{n}\n{}", coverage.markdown());
    eprintln!("{:?}", coverage.missing());
}
#[test]
fn y() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("downstream");
    let workshop = Workshop { root, folder: folder.path().to_owned(), target };
    let mut coverage = Coverage::new();
    let mut all = Vec::new();
    for (subject, n) in [(Subject::Machine, 40), (Subject::System, 15)] {
        for seed in 0..n {
            let project = Project::new(subject, seed, &mut coverage);
            if project.refusal().is_some() {
                continue;
            }
            let (found, failed) = modules(&project);
            all.extend(found);
            for it in failed { eprintln!("{it:?}"); }
        }
    }
    let failures = workshop.check(&all).unwrap();
    for Failure { form, project, error } in failures {
        eprintln!("{project} {form:?}: {}", error.chars().take(600).collect::<String>());
    }
}
