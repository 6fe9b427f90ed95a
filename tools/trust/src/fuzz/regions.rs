//! Regions: any page is unchanged outside of them, and filling them twice gives the same page.

use std::collections::BTreeMap;

use statespec_codegen::diagnostic::Style;
use statespec_codegen::report::{RenderOptions, plan_text};
use statespec_codegen::source::Sources;
use statespec_codegen::sync::plan_page;
use statespec_lang::output::{Blame, Generated, Region};

/// A page of any bytes.
pub fn regions(data: &[u8]) {
    let region = |text: &str| Region { text: text.into(), origin: None, blame: Blame::default() };
    let regions =
        BTreeMap::from([("a".into(), region("| x |\n| --- |\n")), ("b.c".into(), region("")), ("d".into(), region("```\ncode\n```\n"))]);
    let (sources, generated) = (Sources::default(), Generated { regions, ..Generated::default() });
    let plan = plan_page("page.md", data.to_vec(), &generated, &sources);
    let _ = plan_text(&plan, &sources, RenderOptions { full_diff: true, style: Style::Plain });
    let Some((_, page)) = plan.texts().next() else { return };
    let marker = b"<!-- statespec:begin ";
    let first = data.windows(marker.len()).position(|it| it == marker).unwrap_or(data.len());
    assert_eq!(page.get(..first), data.get(..first), "what stands before the first region");
    let again = plan_page("page.md", page.to_vec(), &generated, &sources);
    let rewritten: Vec<_> = again.texts().collect();
    assert!(rewritten.is_empty(), "{:?} became {:?}", String::from_utf8_lossy(page), String::from_utf8_lossy(rewritten[0].1));
}
