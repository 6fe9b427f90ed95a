//! Emitted systems in TypeScript and Python do what the interpreter does: those of this repository, and the fixtures of systems.
//! `tools/trust/tests/` compares random systems.

use statespec_code::typescript::{Int, Style};

use crate::subjects::SYSTEMS;
use crate::trials::{python, typescript};

#[test]
fn typescript_does_what_the_interpreter_does() {
    let Some(trial) = typescript::Trial::new("systems") else { return };
    for (idx, it) in SYSTEMS.iter().enumerate() {
        let int = if idx % 2 == 0 { Int::Number } else { Int::Bigint };
        trial.emit(&it.name, it, &Style { int, ..Style::default() });
    }
    trial.compile();
    trial.test();
}

#[test]
fn python_does_what_the_interpreter_does() {
    let Some(trial) = python::Trial::new("systems") else { return };
    SYSTEMS.iter().for_each(|it| trial.emit(it));
    trial.check_and_test(&SYSTEMS);
}
