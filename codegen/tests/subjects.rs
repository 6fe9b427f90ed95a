//! The models whose emitted code in other languages is compared with the interpreter. What the interpreter does is computed once for
//! all languages.

use std::sync::LazyLock;

use statespec_codegen::backend::conformance::data::Extent;
use statespec_codegen::source::Input;

use crate::checks::{one_in, sample};
use crate::every_row::{charts, fixtures};
use crate::program::{FOLDERS, specs};
use crate::project::{inputs, model};
use crate::trials::Subject;

fn subject(name: &str, inputs: &[Input], extent: Extent, n_numbers: usize) -> Subject {
    let (sources, model) = model(inputs);
    Subject::new(name, &sources, model, extent, n_numbers)
}

/// The reference machines and systems.
pub(crate) static REFERENCE: LazyLock<Subject> =
    LazyLock::new(|| subject("reference", &inputs(), Extent { walks: one_in(8, 24), steps: 40 }, 600));

/// Machines with every kind of row, and systems of them.
pub(crate) static FIXTURES: LazyLock<Subject> =
    LazyLock::new(|| subject("fixtures", &fixtures(), Extent { walks: one_in(8, 24), steps: 40 }, 10));

/// Random machines with regions.
pub(crate) static CHARTS: LazyLock<Subject> = LazyLock::new(|| subject("charts", &charts(sample(30)), Extent { walks: 6, steps: 25 }, 10));

/// The machines in whose emitted code defects are planted. A defect of a support file runs the tests of all of them.
pub(crate) static PLANTED: LazyLock<Subject> =
    LazyLock::new(|| subject("sound", &machines(["elevator", "media_player", "order", "mission", "mysis"]), Extent::default(), 50));

/// The specs of some reference machines.
fn machines<const N: usize>(names: [&str; N]) -> Vec<Input> {
    inputs().into_iter().filter(|it| names.iter().any(|name| it.path == format!("machines/{name}.yaml"))).collect()
}

/// The other models that have systems.
pub(crate) static SYSTEMS: LazyLock<Vec<Subject>> = LazyLock::new(|| {
    let extent = Extent { walks: one_in(8, 24), steps: 40 };
    let others = FOLDERS.iter().filter(|it| !["machines", "codegen/tests/fixtures/rust"].contains(it));
    let folders = others.enumerate().map(|(idx, it)| (format!("folder{idx}"), specs(it), extent));
    let town = ("town".to_owned(), crate::systems::town_specs(), extent);
    // A call of it changes thousands of instances.
    let multiplying = ("multiplying".to_owned(), crate::systems::multiplying(), Extent { walks: 1, steps: 2 });
    let all = folders.chain([town, multiplying]).filter(|it| !model(&it.1).1.systems.is_empty());
    all.map(|(name, inputs, extent)| subject(&name, &inputs, extent, 10)).collect()
});

/// The systems in whose emitted code defects are planted. In the village, the first cry for help breaks the invariant.
pub(crate) static PLANTED_SYSTEMS: LazyLock<Subject> = LazyLock::new(|| {
    let mut specs = crate::systems::town_specs();
    let village = specs.iter().find(|it| it.path == "town.yaml").expect("a spec of the town");
    let text = village.text.replace("system: town", "system: village").replace("n < 102", "n < 1");
    specs.push(Input { path: "village.yaml".into(), text });
    subject("sound", &specs, Extent { walks: 24, steps: 60 }, 1)
});

/// Machines and systems with hostile names and texts.
pub(crate) static HOSTILE: LazyLock<Vec<Subject>> = LazyLock::new(|| {
    let all = crate::code_hostile::all();
    all.iter().map(|(name, inputs)| subject(name, inputs, Extent { walks: 4, steps: 20 }, 1)).collect()
});
