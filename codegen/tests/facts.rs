//! What the source documents say stands in the specs: `facts.txt` names, fact by fact, the text that carries it.
//!
//! The documents themselves are not part of this repository; `facts.txt` gives their lines. It covers the resource,
//! pressure, session, run and job machines; what it leaves out is not traced.

use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_traced_fact_is_in_its_spec() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let facts = std::fs::read_to_string(root.join("tests/facts.txt")).unwrap();
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for line in facts.lines().filter(|it| !it.starts_with('#')) {
        let [fact, lines, spec, text] = line.splitn(4, " | ").collect::<Vec<_>>()[..] else { panic!("not four columns: {line}") };
        let written = std::fs::read_to_string(root.join("..").join(spec)).unwrap();
        if !written.contains(text) {
            wrong.push(format!("{fact}: {spec} does not say `{text}`"));
        }
        // The spec names the document that it was taken from.
        let documents: BTreeSet<&str> = lines.split(", ").map(|it| it.split(':').next().unwrap()).collect();
        for document in documents {
            if !written.lines().any(|it| it.starts_with("sources:") && it.contains(document)) {
                wrong.push(format!("{fact}: {spec} does not name {document} under `sources`"));
            }
        }
        assert!(seen.insert((fact, text)), "{fact} stands there twice");
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(!seen.is_empty());
}
