//! Holds the emitted code of random projects against the interpreter, and writes what differs: a JSON object a line.
//!
//! `cargo trust random` copies this file into a crate, beside the test support of this repository and the emitted code.

// What the compiler says of the emitted code is checked in a crate without the glue.
#![allow(warnings)]

mod projects;
mod support;

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::sync::{Arc, Mutex};

use statespec::State;
use statespec_lang::model::Model;
use statespec_lang::source::Input;

use support::{
    Drive, DriveSystem, VisitMachines, VisitSystems, compare_everywhere, compare_on_walks, compare_transactions, compare_walkthroughs,
    compare_worlds, model_of_files,
};

/// A random project.
pub struct Project {
    /// Its name in reports.
    name: &'static str,
    /// Its specs: paths and texts.
    specs: &'static [(&'static str, &'static str)],
    /// Compares its machines and its system.
    compare: fn(&mut Comparing<'_>),
}

/// Compares the machines and the system of one project.
pub struct Comparing<'m> {
    model: &'m Model,
    /// The number of calls of transactions that succeeded.
    n_succeeded: usize,
}

impl VisitMachines for Comparing<'_> {
    fn machine<D: Drive>(&mut self) {
        let machine = self.model.machine(D::State::MACHINE).expect("a machine");
        compare_everywhere::<D>(machine, 20);
        compare_on_walks::<D>(machine, 20, 50);
    }
}

impl VisitSystems for Comparing<'_> {
    fn system<D: DriveSystem>(&mut self) {
        compare_walkthroughs::<D>(self.model);
        self.n_succeeded += compare_transactions::<D>(self.model, 20, 40).values().sum::<usize>();
        compare_worlds::<D>(self.model, 20);
    }
}

fn main() {
    let message = Arc::new(Mutex::new(String::new()));
    let last = Arc::clone(&message);
    set_hook(Box::new(move |it| *last.lock().expect("one thread") = it.to_string()));
    for project in projects::ALL {
        let specs: Vec<Input> = project.specs.iter().map(|(path, text)| Input { path: (*path).into(), text: (*text).into() }).collect();
        let compared = catch_unwind(AssertUnwindSafe(|| {
            let model = model_of_files(&specs);
            let mut comparing = Comparing { model: &model, n_succeeded: 0 };
            (project.compare)(&mut comparing);
            comparing.n_succeeded
        }));
        let difference = compared.is_err().then(|| message.lock().expect("one thread").clone());
        let line = serde_json::json!({ "project": project.name, "succeeded": compared.unwrap_or(0), "difference": difference });
        println!("{line}");
    }
}
