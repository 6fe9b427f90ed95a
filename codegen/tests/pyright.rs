//! Emitted Python is clean in the strict mode of pyright: reference machines and systems with their tests, and hostile names and texts.
//! mypy reads all that other tests emit.

use std::process::Command;

use statespec_code::python::Style;

use crate::checks;
use crate::subjects::{FIXTURES, HOSTILE, REFERENCE};
use crate::trials::accepted;
use crate::trials::python::Trial;

const CONFIG: &str = "{ \"typeCheckingMode\": \"strict\", \"pythonVersion\": \"3.11\" }\n";

#[test]
fn emitted_python_is_clean_in_the_strict_mode_of_pyright() {
    let check = "emitted Python in the strict mode of pyright";
    if !checks::in_full(check, "it reads much") {
        return;
    }
    let Some(packages) = checks::needed(check, checks::packages("tests/pyright")) else { return };
    let Some(trial) = Trial::new("pyright") else { return };
    trial.emit(&REFERENCE);
    // It takes a second for each few modules.
    for it in HOSTILE.iter().skip(4).step_by(4) {
        trial.modules(&it.name, &it.model, &Style::default());
    }
    // A machine that nothing calls.
    let mut uncalled = FIXTURES.model.clone();
    uncalled.systems.clear();
    uncalled.machines.retain(|it| it.events.is_empty() && !it.has_direct());
    assert!(!uncalled.machines.is_empty());
    trial.modules("uncalled", &uncalled, &Style::default());
    trial.put("pyrightconfig.json", CONFIG);
    let program = packages.join("node_modules/pyright/index.js");
    accepted(&Command::new("node").arg(program).current_dir(&trial.home).output().unwrap());
}
