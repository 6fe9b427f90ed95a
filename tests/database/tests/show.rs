//! The life of a table with a state, as one command shows it, and the page of the guide about it.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checks::{needed, psycopg, python};
use crate::server::server;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What the command prints: the title of each step, and what follows it.
fn show(python: &Path, url: Option<&str>) -> Vec<(String, String)> {
    let done = Command::new(python)
        .arg(root().join("examples/show/show.py"))
        .args(url)
        .env("STATESPEC", env!("CARGO_BIN_EXE_statespec-with-database"))
        .output()
        .unwrap();
    let said = String::from_utf8(done.stdout).unwrap().replace("\r\n", "\n");
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    let steps = said.split("## ").skip(1).map(|it| it.split_once('\n').unwrap());
    steps.map(|(title, text)| (title.to_owned(), text.to_owned())).collect()
}

/// The parts of the page with blocks: the title of each, and its blocks.
fn parts(page: &str) -> Vec<(String, Vec<String>)> {
    let blocks = |text: &str| text.split("\n```text\n").skip(1).map(|it| it.split_once("```\n").unwrap().0.to_owned()).collect();
    let parts = page.split("\n## ").skip(1).map(|it| it.split_once('\n').unwrap());
    parts.map(|(title, text)| (title.to_owned(), blocks(text))).filter(|it: &(String, Vec<String>)| !it.1.is_empty()).collect()
}

#[test]
fn the_page_is_what_the_command_shows() {
    let path = root().join("docs/guide/database-show.md");
    let page = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let parts = parts(&page);
    let Some(python) = needed("the life of a table", python()) else { return };
    let steps = show(&python, None);
    assert_eq!(steps.len(), 5, "{steps:?}");
    let (of_sqlite, of_postgres) = parts.split_at(steps.len());
    if std::env::var_os("UPDATE_EMITTED").is_some() {
        let mut new = page.clone();
        for ((_, shown), (_, said)) in of_sqlite.iter().zip(&steps) {
            new = new.replace(&format!("```text\n{}```\n", shown[0]), &format!("```text\n{said}```\n"));
        }
        std::fs::write(path, new).unwrap();
        return;
    }
    for ((title, shown), said) in of_sqlite.iter().zip(&steps) {
        assert_eq!((title, &shown.concat()), (&said.0, &said.1), "UPDATE_EMITTED=1 writes the page");
    }
    // PostgreSQL says some of it in another way.
    let Some(server) = server("guards in PostgreSQL") else { return };
    let Some(python) = needed("psycopg", psycopg()) else { return };
    let steps = show(&python, Some(&server.uri(&server.database().1)));
    assert_eq!(steps.len(), of_sqlite.len());
    let said: String = steps.into_iter().map(|it| it.1).collect();
    let [(_, shown)] = of_postgres else { panic!("one part of the page is about PostgreSQL") };
    for block in shown {
        assert!(said.contains(block.as_str()), "{block} is not in {said}");
    }
}
