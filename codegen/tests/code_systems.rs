//! Emitted systems in TypeScript and Python do what the interpreter does: those of this repository, and the fixtures of systems.

use statespec_code::typescript::{Int, Style};
use statespec_codegen::backend::conformance::data::Extent;
use statespec_codegen::source::Input;

use crate::program::{FOLDERS, specs};
use crate::project::{checks, model};

/// The models that have systems, each under a name.
fn models() -> Vec<(String, Vec<Input>)> {
    let folders = FOLDERS.iter().enumerate().map(|(idx, it)| (format!("folder{idx}"), specs(it)));
    let built = [("town", crate::systems::town_specs()), ("multiplying", crate::systems::multiplying())];
    folders.chain(built.map(|(name, inputs)| (name.to_owned(), inputs))).filter(|it| !model(&it.1).1.systems.is_empty()).collect()
}

fn extent() -> Extent {
    Extent { walks: checks::sample(48), steps: 40 }
}

#[test]
fn typescript_does_what_the_interpreter_does() {
    let Some(trial) = crate::typescript::Trial::new("systems") else { return };
    for (idx, (name, inputs)) in models().iter().enumerate() {
        let (sources, model) = model(inputs);
        let int = if idx % 2 == 0 { Int::Number } else { Int::Bigint };
        trial.emit(name, &sources, &model, &Style { int, ..Style::default() }, extent());
    }
    trial.compile();
    trial.test();
}

#[test]
fn python_does_what_the_interpreter_does() {
    let Some(trial) = crate::python::Trial::new("systems") else { return };
    let mut folders = Vec::new();
    for (name, inputs) in models() {
        let (sources, model) = model(&inputs);
        trial.emit(&name, &sources, &model, extent());
        folders.extend([name.clone(), format!("{name}_tests")]);
    }
    trial.check(&folders.iter().map(String::as_str).collect::<Vec<_>>());
    for tests in folders.iter().filter(|it| it.ends_with("_tests")) {
        crate::python::accepted(&trial.python(&["-m", "unittest", &format!("{tests}.test_conformance")]));
    }
}
