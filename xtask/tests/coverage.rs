//! The page about the rows that tests take has the rows of the specs.

use std::collections::BTreeMap;

use xtask::coverage::{PAGE, model, page};

#[test]
fn the_page_of_coverage_has_each_row_of_the_specs() {
    let root = xtask::root();
    // The numbers come from a run; all else follows from the specs.
    let expected = page(&model(&root).unwrap(), &BTreeMap::new());
    let found = std::fs::read_to_string(root.join(PAGE)).unwrap().replace("\r\n", "\n");
    let rows = |text: &str| -> Vec<String> {
        let rows = text.lines().filter(|it| it.starts_with("## ") || it.starts_with("| `"));
        rows.map(|it| it.rsplit_once(" | ").map_or(it, |it| it.0).to_owned()).collect()
    };
    assert_eq!(rows(&found), rows(&expected), "run `cargo xtask coverage`");
    assert!(rows(&found).len() > 100);
}
