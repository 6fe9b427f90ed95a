//! The generated pages have the content of the seed documents.
//!
//! `fixtures/seeds` contains the diagrams, tables and lists of the documents that this project began
//! with. Page 004 is declared as generated, and 000's diagram is given exactly: these are compared
//! byte for byte. The tables of 002 and 003 are compared cell by cell, without emphasis and
//! backticks; further rows are allowed if they are marked as inferred.

use crate::project::{generate, page, read};

fn fixture(name: &str) -> String {
    read(&format!("codegen/tests/fixtures/seeds/{name}")).unwrap()
}

/// The tables of a page, each a list of rows, header first.
fn tables(page: &str) -> Vec<Vec<Vec<String>>> {
    let mut tables: Vec<Vec<Vec<String>>> = Vec::new();
    let mut in_table = false;
    for line in page.lines() {
        match cells(line) {
            Some(cells) if in_table => tables.last_mut().unwrap().push(cells),
            Some(cells) => tables.push(vec![cells]),
            None => {}
        }
        in_table = line.starts_with('|');
    }
    for table in &mut tables {
        // The delimiter row.
        table.remove(1);
    }
    tables
}

/// The cells of a row without emphasis and backticks.
fn cells(line: &str) -> Option<Vec<String>> {
    let inside = line.strip_prefix('|')?.strip_suffix('|')?;
    Some(inside.split('|').map(|cell| cell.replace(['*', '`'], "").trim().to_owned()).collect())
}

/// The rows of the page's table with the header of the seed's.
fn same_table<'a>(page: &'a [Vec<Vec<String>>], seed: &[Vec<String>]) -> &'a [Vec<String>] {
    page.iter().find(|it| it[0] == seed[0]).unwrap_or_else(|| panic!("no table with the header {:?}", seed[0]))
}

fn check_table(page_path: &str, seed: &str) {
    let seed_tables = tables(&fixture(seed));
    let page_tables = tables(&page(page_path));
    let seed = &seed_tables[0];
    let (inferred, rows): (Vec<_>, Vec<_>) = same_table(&page_tables, seed).iter().cloned().partition(|row| row[0].ends_with("(inferred)"));
    assert_eq!(&rows, seed, "{page_path}");
    assert!(inferred.len() < rows.len());
}

#[test]
fn the_agent_lifecycle_page_holds_the_blocks_of_004_byte_for_byte() {
    let page = page("docs/machines/agent-lifecycle.md");
    for seed in ["agent_run.md", "run_job.md"] {
        assert!(page.contains(&fixture(seed)), "{seed} is not in:\n{page}");
    }
    assert!(page.contains("generated from `machines/agent_run.yaml` and `machines/run_job.yaml`"));
}

#[test]
fn the_mysis_page_holds_the_diagram_of_000_byte_for_byte() {
    let page = page("docs/machines/mysis.md");
    assert!(page.contains(&fixture("mysis_diagram.md")), "{page}");
    for refusal in ["mysis stopped - press 'r' to relaunch", "mysis errored - press 'r' to relaunch"] {
        assert!(page.contains(refusal), "{refusal}");
    }
}

#[test]
fn the_mission_hop_page_holds_the_table_of_002() {
    check_table("docs/machines/mission-hop.md", "mission_hop_table.md");
    let plain = |text: &str| text.replace(['*', '`'], "");
    let page = plain(&page("docs/machines/mission-hop.md"));
    for line in fixture("mission_hop_states.md").lines() {
        assert!(page.contains(&plain(line)), "{line}");
    }
}

#[test]
fn the_context_os_page_holds_the_tables_of_003() {
    for seed in ["resource_states.md", "resource_transitions.md", "pressure_levels.md", "session_states.md", "policies.md"] {
        check_table("docs/machines/context-os.md", seed);
    }
}

#[test]
fn thresholds_are_exact_decimals() {
    let page = page("docs/machines/context-os.md");
    for threshold in ["≥ 0.50", "≥ 0.70", "≥ 0.85", "< 0.80", "< 0.65", "< 0.45"] {
        assert!(page.contains(&format!("`sample {threshold}`")), "{threshold}");
    }
}

#[test]
fn every_machine_and_system_is_shown_on_some_page_and_in_regions() {
    let generated = generate();
    for spec in ["agent_run", "hop", "mysis_activity", "pressure", "context_os"] {
        assert!(generated.regions.contains_key(&format!("{spec}.about")), "{spec}");
    }
    let index = &generated.regions["index"].text;
    for page in ["agent-lifecycle", "context-os", "mission-hop", "mysis"] {
        assert!(index.contains(&format!("(docs/machines/{page}.md)")), "{index}");
        assert!(generated.regions["summary"].text.contains(&format!("(machines/{page}.md)")));
    }
}
