//! Emitted Rust of specs that use every feature: equal to the checked-in files byte for byte, compiled
//! without warnings, and compared with the interpreter.
//!
//! `UPDATE_EMITTED=1 cargo test -p statespec-codegen --test rust` writes the files.
#![deny(warnings)]

use std::path::Path;

use statespec::State;
use statespec_codegen::backend::rust;
use statespec_codegen::model::Model;
use statespec_codegen::source::Input;
use support::{
    Drive, DriveSystem, VisitMachines, VisitSystems, compare_everywhere, compare_on_walks, compare_transactions, model_of_files,
};

#[path = "emitted/drive.rs"]
#[rustfmt::skip]
mod drive;
/// The emitted modules, as in a user's crate.
#[deny(missing_docs, unreachable_pub)]
#[rustfmt::skip]
pub mod emitted {
    #[path = "creation.rs"]
    pub mod creation;
    #[path = "desk.rs"]
    pub mod desk;
    #[path = "option.rs"]
    pub mod option;
    #[path = "outcome.rs"]
    pub mod outcome;
    #[path = "single_state.rs"]
    pub mod single_state;
    #[path = "direct.rs"]
    pub mod direct;
    #[path = "payload_target.rs"]
    pub mod payload_target;
    #[path = "lease.rs"]
    pub mod lease;
    #[path = "lift.rs"]
    pub mod lift;
    #[path = "job.rs"]
    pub mod job;
    #[path = "plant.rs"]
    pub mod plant;
    #[path = "showcase.rs"]
    pub mod showcase;
    #[path = "step.rs"]
    pub mod step;
    #[path = "workshop.rs"]
    pub mod workshop;
}
#[path = "../../tests/support/mod.rs"]
mod support;

fn model() -> Model {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/rust");
    let mut inputs = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        inputs.push(Input { path: format!("fixtures/{name}"), text: std::fs::read_to_string(&path).unwrap() });
    }
    model_of_files(&inputs)
}

fn style() -> rust::Style {
    rust::Style { serde: rust::Serde::On, ..rust::Style::default() }
}

#[test]
fn emitted_files_are_what_is_checked_in() {
    let model = model();
    let style = style();
    let mut files = rust::output::outputs(&model, "emitted/src", rust::output::Root::Crate, &style).render().unwrap().files;
    files.retain(|it| it.path != "emitted/src/lib.rs");
    files.push(statespec_drive::file(&model, "emitted/src/drive.rs", "crate::emitted").unwrap());
    let mut stale = Vec::new();
    for file in files {
        let name = file.path.rsplit('/').next().unwrap();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/emitted").join(name);
        if std::fs::read_to_string(&path).is_ok_and(|it| it.replace("\r\n", "\n") == file.text) {
            continue;
        }
        if std::env::var_os("UPDATE_EMITTED").is_some() {
            std::fs::write(&path, &file.text).unwrap();
        }
        stale.push(name.to_owned());
    }
    assert!(stale.is_empty(), "{stale:?} say something else than the emitters: run with UPDATE_EMITTED=1");
}

#[test]
fn a_second_run_emits_the_same() {
    let text = || rust::output::outputs(&model(), "emitted/src", rust::output::Root::Crate, &style()).render().unwrap().files;
    assert_eq!(text(), text());
}

#[test]
fn serde_speaks_of_names() {
    use emitted::showcase::{Kind, State};
    let text = serde_json::to_string(&(State::InProgress, State::Crawling, Kind::DailyLogs)).unwrap();
    assert_eq!(text, r#"["in-progress","slow | <down>","daily-logs"]"#);
    assert_eq!(serde_json::from_str::<(State, State, Kind)>(&text).unwrap(), (State::InProgress, State::Crawling, Kind::DailyLogs));
    let error = serde_json::from_str::<Kind>("\"x\"").unwrap_err();
    assert_eq!(error.to_string(), "`x` is no kind: expected `Self`, `type` or `daily-logs` at line 1 column 3");
}

struct Machines(Model);

impl VisitMachines for Machines {
    fn machine<D: Drive>(&mut self) {
        let machine = self.0.machine(D::State::MACHINE).unwrap();
        compare_everywhere::<D>(machine, 60);
        compare_on_walks::<D>(machine, 60, 150);
    }
}

#[test]
fn emitted_machines_do_what_the_interpreter_does() {
    drive::each_machine(&mut Machines(model()));
}

struct Systems(Model);

impl VisitSystems for Systems {
    fn system<D: DriveSystem>(&mut self) {
        let went_through = compare_transactions::<D>(&self.0, 100, 80);
        assert!(went_through.values().all(|it| *it > 0), "{went_through:?}");
    }
}

#[test]
fn emitted_systems_do_what_the_interpreter_does() {
    drive::each_system(&mut Systems(model()));
}
