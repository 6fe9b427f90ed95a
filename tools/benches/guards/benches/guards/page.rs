//! The page: hand-written prose with a marked table.

use std::fmt::Write as _;

/// A number of the page.
#[derive(Debug)]
pub(crate) struct Row {
    /// What was measured.
    pub(crate) what: String,
    /// What it should reach.
    pub(crate) reach: &'static str,
    /// The unit after a number; empty for a ratio.
    pub(crate) unit: &'static str,
    /// The value of each turn.
    pub(crate) values: Vec<f64>,
}

/// The page with its table.
pub(crate) fn fill(page: &str, rows: &[Row], machine: &str) -> String {
    const BEGIN: &str = "<!-- guards:begin numbers -->\n";
    const END: &str = "<!-- guards:end numbers -->\n";
    let start = page.find(BEGIN).expect("the page has the first mark") + BEGIN.len();
    let stop = page.find(END).filter(|it| *it >= start).expect("the page has the second mark after it");
    let mut table = "| What | Reach | Median | Lowest to highest | Turns |\n| --- | ---: | ---: | ---: | ---: |\n".to_owned();
    for Row { what, reach, unit, values } in rows {
        let mut values = values.clone();
        values.sort_by(f64::total_cmp);
        let shown = |it: f64| format!("{}{unit}", if unit.is_empty() { format!("{it:.2}") } else { format!("{it:.0}") });
        let (median, lowest, highest) = (values[values.len() / 2], values[0], values[values.len() - 1]);
        let _ = writeln!(table, "| {what} | {reach} | {} | {} to {} | {} |", shown(median), shown(lowest), shown(highest), values.len());
    }
    format!("{}\n{machine}\n{table}\n{}", &page[..start], &page[stop..])
}
