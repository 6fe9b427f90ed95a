//! Two sources of the same machine: what they agree on, and each disagreement with its place.

use std::path::Path;

use statespec_codegen::diagnostic::{Level, Style, render};
use statespec_codegen::source::{SourceId, Sources};
use statespec_scan::compare::{Statement, compare, read};

fn add(sources: &mut Sources, file: &str) -> SourceId {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/compare").join(file);
    sources.add(file, &std::fs::read_to_string(path).unwrap())
}

fn only(sources: &Sources, id: SourceId) -> Statement {
    let mut read = read(sources, id);
    assert!(read.problems.iter().all(|it| it.code.level() != Level::Error), "{:?}", read.problems);
    assert_eq!(read.found.len(), 1);
    read.found.remove(0)
}

fn shown(first: &str, second: &str) -> String {
    let mut sources = Sources::default();
    let ids = [first, second].map(|it| add(&mut sources, it));
    let [a, b] = ids.map(|it| only(&sources, it));
    let comparison = compare(&[&a, &b]);
    format!("{}\n{}", comparison.text(&sources), render(&sources, &comparison.findings(), Style::Plain))
}

#[test]
fn sources_that_agree() {
    insta::assert_snapshot!("compare__agreement", shown("order.yaml", "agrees.md"));
}

#[test]
fn states_edges_and_starts_that_differ() {
    let pairs = [("order.yaml", "order.rs"), ("order.rs", "agrees.md"), ("order.yaml", "drawn.mmd")];
    let all: Vec<String> = pairs.into_iter().map(|(first, second)| shown(first, second)).collect();
    insta::assert_snapshot!("compare__disagreements", all.join("\n"));
}

#[test]
fn the_order_of_the_sources_does_not_matter() {
    for (first, second) in [("order.yaml", "order.rs"), ("order.rs", "agrees.md"), ("order.yaml", "drawn.mmd"), ("order.yaml", "agrees.md")]
    {
        let mut sources = Sources::default();
        let ids = [first, second].map(|it| add(&mut sources, it));
        let [a, b] = ids.map(|it| only(&sources, it));
        let places = |a: &Statement, b: &Statement| {
            let mut places: Vec<_> = compare(&[a, b]).findings().into_iter().map(|it| (it.code, it.primary.0)).collect();
            places.sort();
            places
        };
        assert_eq!(places(&a, &b), places(&b, &a));
        assert_eq!(compare(&[&a, &a]).disagreements().count(), 0, "a source agrees with itself");
    }
}
