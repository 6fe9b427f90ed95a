//! The page: hand-written prose with marked tables, which are generated from the results.

use std::fmt::Write as _;
use std::fs;

use crate::Place;
use crate::plot;
use crate::results::{Compile, Results, Seconds};

/// Writes the tables into the page, and the plots beside it.
pub fn write(results: &Results, place: &Place) -> Result<(), String> {
    let page = fs::read_to_string(&place.page).map_err(|it| format!("{}: {it}", place.page.display()))?;
    for (path, text) in plot::plots(results)?.into_iter().map(|(name, text)| (place.plots.join(name), text)) {
        fs::write(&path, text).map_err(|it| format!("{}: {it}", path.display()))?;
    }
    fs::write(&place.page, fill(&page, results)?).map_err(|it| format!("{}: {it}", place.page.display()))
}

/// The page with its tables.
pub fn fill(page: &str, results: &Results) -> Result<String, String> {
    let mut page = page.to_owned();
    for (name, text) in [
        ("machine", machine(results)),
        ("dispatch", dispatch(results)),
        ("check", compile(results, |it| it.check)),
        ("release", compile(results, |it| it.release)),
        ("dependencies", dependencies(results)),
    ] {
        let (begin, end) = (format!("<!-- benches:begin {name} -->\n"), format!("<!-- benches:end {name} -->\n"));
        let start = page.find(&begin).ok_or_else(|| format!("the page has no `{}`", begin.trim()))? + begin.len();
        let stop = page.find(&end).filter(|it| *it >= start).ok_or_else(|| format!("the page has no `{}` after it", end.trim()))?;
        page.replace_range(start..stop, &format!("\n{text}\n"));
    }
    Ok(page)
}

fn machine(results: &Results) -> String {
    let Results { cpu, load, rustc, valgrind, versions, .. } = results;
    let peers = versions.iter().filter(|(name, _)| !name.starts_with("statespec") && *name != "fastrand");
    let peers: Vec<String> = peers.map(|(name, version)| format!("{name} {version}")).collect();
    // The load also includes the builds for the measurement itself, so that it says little about other work.
    format!(
        "Measured on: {cpu}; {rustc}; {valgrind}; a load average of {load:.1}, builds of its own included.\nPeers: {}.\n",
        peers.join(", ")
    )
}

fn dispatch(results: &Results) -> String {
    let mut table =
        "| | instructions per event | relative to the `match` | time relative to the `match` |\n| --- | ---: | ---: | ---: |\n".to_owned();
    let Some(first) = results.run.first() else { return table };
    for run in &results.run {
        let (instructions, time) = (run.instructions / first.instructions, run.nanoseconds / first.nanoseconds);
        let _ = writeln!(table, "| {} | {:.1} | {instructions:.2} | {time:.2} |", run.name, run.instructions);
    }
    table
}

/// A row for each contender, a column for each size: milliseconds over the floor, and the ratio to the hand-written `match`.
fn compile(results: &Results, what: fn(&Compile) -> Option<Seconds>) -> String {
    let mut sizes: Vec<usize> = results.compile.iter().map(|it| it.n_states).collect();
    sizes.dedup();
    if !results.compile.iter().any(|it| what(it).is_some()) {
        return "Not measured yet; the command above fills in this table.\n".into();
    }
    let mut names: Vec<&str> = Vec::new();
    for it in &results.compile {
        if !names.contains(&it.name.as_str()) {
            names.push(&it.name);
        }
    }
    let heads: String = sizes.iter().map(|it| format!(" {it} states |")).collect();
    let mut table = format!("| |{heads}\n| --- |{}\n", " ---: |".repeat(sizes.len()));
    let mut reasons = String::new();
    for name in &names {
        let _ = write!(table, "| {name} |");
        for &n_states in &sizes {
            let _ = write!(table, " {} |", cell(results, name, n_states, what));
        }
        table.push('\n');
        let first_failure = results.compile.iter().find(|it| it.name == *name && it.reason.is_some());
        if let Some(Compile { n_states, reason: Some(reason), .. }) = first_failure {
            let _ = writeln!(reasons, "- {name}, from {n_states} states: {reason}.");
        }
    }
    if reasons.is_empty() { table } else { format!("{table}\n{reasons}") }
}

fn cell(results: &Results, name: &str, n_states: usize, what: fn(&Compile) -> Option<Seconds>) -> String {
    let find = |name: &str| results.compile.iter().find(|it| it.name == name && it.n_states == n_states);
    let by_hand = results.compile.first().and_then(|it| find(&it.name)).and_then(what);
    match (find(name), by_hand) {
        (Some(it), _) if it.reason.is_some() => "–".into(),
        (Some(it), Some(by_hand)) => match what(it) {
            Some(seconds) => format!("{:.0} ms, {:.2}", seconds.over_floor() * 1e3, seconds.over_floor() / by_hand.over_floor()),
            None => "–".into(),
        },
        _ => String::new(),
    }
}

fn dependencies(results: &Results) -> String {
    if results.dependencies.is_empty() {
        return "Not measured yet; the command above fills in this table.\n".into();
    }
    let mut table = "| | crates | CPU seconds |\n| --- | ---: | ---: |\n".to_owned();
    for it in &results.dependencies {
        let _ = writeln!(table, "| {} | {} | {:.1} |", it.name, it.n_crates, it.cpu_seconds);
    }
    let measured = |name: &str| results.dependencies.iter().any(|it| it.name == name);
    let missing: Vec<&str> = crate::dependencies::names().filter(|it| !measured(it)).collect();
    if !missing.is_empty() {
        let _ = writeln!(table, "\n{}: {}.", missing.join(", "), crate::compile::LEFT_OUT);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_and_plots_are_those_of_the_results() {
        let place = Place::of_results(&crate::root().join("docs/evidence"));
        let results = Results::read(&place.results).unwrap();
        let page = fs::read_to_string(&place.page).unwrap();
        assert!(fill(&page, &results).unwrap() == page, "the tables are not of these results: run the command `render`");
        for (name, text) in plot::plots(&results).unwrap() {
            assert!(
                fs::read_to_string(place.plots.join(&name)).unwrap() == text,
                "{name} is not of these results: run the command `render`"
            );
        }
    }
}
