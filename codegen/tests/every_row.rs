//! Specs with every kind of row, for the machines of other languages.

use std::fs;
use std::path::PathBuf;

use statespec_codegen::source::Input;

use crate::project::root;

/// The specs of the emitted machines of the tests of Rust, which have every kind of row.
pub(crate) fn fixtures() -> Vec<Input> {
    let folder = root().join("codegen/tests/fixtures/rust");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "yaml"));
    paths.sort();
    let input = |it: PathBuf| Input {
        path: format!("machines/{}", it.file_name().unwrap().to_str().unwrap()),
        text: fs::read_to_string(it).unwrap(),
    };
    paths.into_iter().map(input).collect()
}

/// The machines of random charts with regions, each under a name of its own.
pub(crate) fn charts(n: usize) -> Vec<Input> {
    let named = |(idx, text): (usize, String)| {
        let text = text.replacen("machine: chart\n", &format!("machine: chart{idx}\n"), 1);
        assert!(text.contains(&format!("machine: chart{idx}\n")), "{text}");
        Input { path: format!("machines/chart{idx}.yaml"), text }
    };
    crate::regions::random::specs().take(n).enumerate().map(named).collect()
}
