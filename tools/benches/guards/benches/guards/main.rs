//! What a guard costs, against the same table without one: `cargo bench --manifest-path tools/benches/Cargo.toml -p guard-bench`.
//!
//! The contenders of a comparison take turns within one run, and a number is the median of the ratios of each turn. Linux only: the
//! processor time of the server comes from `/proc`.

mod lock;
mod page;
mod postgresql;
mod setting;
mod sqlite;

#[path = "../../../../../tests/support/checks.rs"]
mod checks;
#[allow(dead_code, reason = "the tests use all of it")]
#[path = "../../../../../tests/database/tests/server.rs"]
mod server;

use std::path::{Path, PathBuf};

use page::Row;

/// How much is measured.
#[derive(Debug, Clone, Copy)]
struct Effort {
    /// The turns of each comparison.
    n_turns: usize,
    /// The rows of the table, each of which makes one step a turn.
    n_rows: i64,
    /// The rows of the table whose lock is measured.
    n_locked_rows: i64,
    /// The seconds for which clients write in a turn.
    seconds: f64,
}

fn main() {
    let is_quick = std::env::args().any(|it| it == "--quick");
    let effort = match is_quick {
        true => Effort { n_turns: 3, n_rows: 1_000, n_locked_rows: 20_000, seconds: 0.3 },
        false => Effort { n_turns: 15, n_rows: 4_000, n_locked_rows: 1_000_000, seconds: 2.0 },
    };
    let server = server::server("the costs of guards").expect("PostgreSQL is installed");
    let mut rows: Vec<Row> = Vec::new();
    rows.extend(sqlite::measure(effort));
    rows.extend(postgresql::measure(&server, effort));
    rows.extend(lock::measure(&server, effort));
    let path = root().join("docs/evidence/database.md");
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let page = page::fill(&page, &rows, &machine(&server));
    // A trial writes nothing to the page of the repository.
    let out = if is_quick { Path::new(env!("CARGO_TARGET_TMPDIR")).join("database.md") } else { path };
    std::fs::write(&out, page).expect("the page is written");
    println!("see {}", out.display());
}

/// The repository. It is found when the program runs: two checkouts can share a target folder.
fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").expect("Cargo runs the bench");
    Path::new(&package).join("../../..")
}

/// What was measured on: the processor, the versions of the engines, and the load before.
fn machine(server: &server::Server) -> String {
    let read = |path: &str| std::fs::read_to_string(path).expect("Linux has this file");
    let info = read("/proc/cpuinfo");
    let cpu = info.lines().find_map(|it| it.strip_prefix("model name")).map_or("", |it| it.trim_start_matches([' ', '\t', ':']));
    let n_cores = std::thread::available_parallelism().map_or(1, |it| it.get());
    let version: String = server.database().0.query_one("SHOW server_version", &[]).expect("the server answers").get(0);
    let version = version.split(' ').next().unwrap_or_default();
    format!("Measured on: {cpu}, {n_cores} cores; SQLite {}, PostgreSQL {version}.\n", rusqlite::version())
}
