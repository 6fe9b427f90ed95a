//! Each act of the life happens as the page of the guide shows it, on SQLite and on PostgreSQL.
//!
//! `UPDATE_GUIDE=1` writes the page. `statespec` is the program in the variable STATESPEC, such as `target/debug/statespec-with-database`.

#[path = "../../../tests/support/checks.rs"]
mod checks;
#[path = "../../../tests/database/tests/server.rs"]
mod server;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use checks::{Missing, needed};
use server::server;

/// Read when the test runs: two checkouts can share a target folder.
fn package() -> PathBuf {
    PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("Cargo runs the test"))
}

fn page() -> (PathBuf, String) {
    let path = package().join("../../docs/guide/life.md");
    let text = std::fs::read_to_string(&path).expect("the guide is there").replace("\r\n", "\n");
    (path, text)
}

fn statespec() -> Option<PathBuf> {
    let missing = Missing::new("STATESPEC names no `statespec`", "`cargo build -p statespec-database`, and name `statespec-with-database`");
    let program = std::env::var_os("STATESPEC").map(PathBuf::from).filter(|it| it.is_file()).ok_or(missing);
    needed("the life of a service", program)
}

/// Runs the program; what it prints.
fn life(statespec: &Path, words: &[&str], url: Option<&str>) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_life"));
    command.args(words).env("STATESPEC", statespec).env_remove("LIFE_URL").envs(url.map(|it| ("LIFE_URL", it)));
    let done = command.output().expect("the program runs");
    let said = String::from_utf8(done.stdout).expect("it prints texts").replace("\r\n", "\n");
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    said
}

/// The acts by their titles.
fn acts(said: &str) -> Vec<(&str, &str)> {
    said.split("## ").skip(1).map(|it| it.split_once('\n').expect("a title is a line")).collect()
}

/// The block of the page below a title.
fn block<'p>(page: &'p str, title: &str) -> &'p str {
    let part = page.split("\n## ").find(|it| it.starts_with(&format!("{title}\n"))).unwrap_or_else(|| panic!("no part `{title}`"));
    part.split("\n```text\n").nth(1).and_then(|it| it.split("```\n").next()).unwrap_or_else(|| panic!("no block in `{title}`"))
}

/// What the program prints on SQLite; `None` where `statespec` is not there.
fn on_sqlite() -> Option<&'static str> {
    static SAID: OnceLock<Option<String>> = OnceLock::new();
    let said = SAID.get_or_init(|| {
        let said = life(&statespec()?, &[], None);
        if std::env::var_os("UPDATE_GUIDE").is_some() {
            let (path, mut text) = page();
            for (title, act) in acts(&said) {
                let old = format!("```text\n{}```\n", block(&text, title));
                let part = text.find(&format!("\n## {title}\n")).expect("the page has the part");
                let begin = part + text[part..].find(&old).expect("the part has the block");
                text.replace_range(begin..begin + old.len(), &format!("```text\n{act}```\n"));
            }
            std::fs::write(path, text).expect("the guide can be written");
        }
        Some(said)
    });
    said.as_deref()
}

/// An act is what the page shows.
fn is_shown(title: &str) {
    let Some(said) = on_sqlite() else { return };
    let act = acts(said).into_iter().find(|it| it.0 == title).unwrap_or_else(|| panic!("no act `{title}`")).1;
    assert_eq!(act, block(&page().1, title), "UPDATE_GUIDE=1 writes the page");
}

#[test]
fn a_table_is_attached() {
    is_shown("An existing table is attached");
}

#[test]
fn workers_run() {
    is_shown("Workers run");
}

#[test]
fn a_revision_rolls_out() {
    is_shown("The next revision rolls out");
}

#[test]
fn a_worker_is_killed() {
    is_shown("A worker is killed");
}

#[test]
fn a_row_is_changed_by_hand() {
    is_shown("A row is changed by hand");
}

/// The statements differ, and nothing else.
#[test]
fn the_same_on_postgresql() {
    let (Some(statespec), Some(on_sqlite)) = (statespec(), on_sqlite()) else { return };
    let Some(server) = server("the life of a service on PostgreSQL") else { return };
    let said = life(&statespec, &[], Some(&server.uri(&server.database().1)));
    let said = said.replace("PostgreSQL `public.jobs`", "SQLite `jobs`");
    let (here, there) = (acts(&said), acts(on_sqlite));
    assert_eq!(here.len(), there.len());
    let lines = |it: &str| it.lines().filter(|it| !it.starts_with("sql> ")).map(str::to_owned).collect::<Vec<_>>();
    for ((title, here), (_, there)) in here.iter().zip(&there).take(4) {
        assert_eq!(lines(here), lines(there), "{title}");
    }
    let forged = here[4].1;
    for it in ["42 has `runing`", "job 42: the row has runing in version 1", "job 43: the row has waiting in version 1"] {
        assert!(forged.contains(it), "{forged}");
    }
}

/// The graph has jobs of the earlier revision at first, and of the later one at the end.
#[test]
fn the_rollout_is_a_graph() {
    let Some(statespec) = statespec() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("life.svg");
    life(&statespec, &["graph", path.to_str().expect("a text"), "0.5"], None);
    let graph = std::fs::read_to_string(path).expect("it was written");
    let bottom = ",240.0";
    let curves: Vec<Vec<bool>> = graph
        .split("points=\"")
        .skip(1)
        .map(|it| it.split('"').next().expect("it ends").split(' ').map(|it| !it.ends_with(bottom)).collect())
        .collect();
    let [_, earlier, later] = &curves[..] else { panic!("three curves: {graph}") };
    let third = earlier.len() / 3;
    let works = |it: &[bool]| it.contains(&true);
    assert!(works(&earlier[..third]) && !works(&earlier[earlier.len() - third..]), "{graph}");
    assert!(!works(&later[..third]) && works(&later[later.len() - third..]), "{graph}");
}

/// The rows of the graph that the page shows are those of the two revisions.
#[test]
fn the_page_shows_the_specs() {
    let spec = |path: &str| std::fs::read_to_string(package().join(path)).expect("the spec is there").replace("\r\n", "\n");
    let (before, after) = (spec("before/machines/job.yaml"), spec("machines/job.yaml"));
    let page = page().1;
    let blocks: Vec<&str> = page.split("```yaml\n").skip(1).filter_map(|it| it.split("```").next()).collect();
    assert!(matches!(&blocks[..], [first, rest @ ..] if before.contains(first) && rest.iter().all(|it| after.contains(it))), "{blocks:?}");
}

/// The numbers of lines in the page are those of the files.
#[test]
fn the_lines_of_persistence_are_counted() {
    let read = |path: &str| std::fs::read_to_string(package().join(path)).expect("the file is there");
    let is_code = |it: &&str| !it.trim().is_empty() && !it.trim_start().starts_with("//");
    let of_life = read("src/service.rs").lines().filter(is_code).count();
    let service = read("../service/src/main.rs");
    let service = service.split("#[cfg(test)]").next().expect("the first part");
    let of_service = service.lines().filter(|it| ["wait(", "transaction", "connection"].iter().any(|word| it.contains(word))).count();
    let page = page().1;
    for it in [format!("| `examples/service` | {of_service} |"), format!("| `examples/life` | {of_life} |")] {
        assert!(page.contains(&it), "the page lacks {it}");
    }
}
