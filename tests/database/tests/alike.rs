//! Tables that only look different: `db check` has nothing to report about them, once the guard is attached.
//!
//! Each file of `alike/` begins with the keys of its section, then makes its table, and writes to it after the guard.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use crate::commands::Project;
use crate::server::server;
use crate::tables::Database;

/// The section of a file, and what runs before the guard and after it.
fn parts(text: &str) -> (String, &str, &str) {
    let n_keys = text.lines().take_while(|it| it.starts_with("-- ")).map(|it| it.len() + 1).sum();
    let (keys, sql) = text.split_at(n_keys);
    let keys: String = keys.lines().map(|it| format!("{}\n", it.trim_start_matches("-- "))).collect();
    let (before, after) = sql.split_once("-- after the guard\n").unwrap_or((sql, ""));
    (format!("[[database]]\nmachine = \"job\"\nout = \"db/job.sql\"\n{keys}"), before, after)
}

#[test]
fn nothing_is_found_in_tables_that_only_look_different() {
    let server = server("guards in PostgreSQL");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/alike");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 25, "{paths:?}");
    let mut failed = String::new();
    for path in paths {
        let text = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
        let (section, before, after) = parts(&text);
        let files = tempfile::tempdir().unwrap();
        let url = match (section.contains("engine = \"sqlite\""), &server) {
            (true, _) => format!("sqlite:{}", files.path().join("app.db").display()),
            (false, Some(server)) => server.url(&server.database().1),
            (false, None) => continue,
        };
        // Each connection begins with the settings of the database.
        let connect = || -> Box<dyn Database> {
            match (url.strip_prefix("sqlite:"), &server) {
                (None, Some(_)) => Box::new(postgres::Client::connect(&url, postgres::NoTls).unwrap()),
                (file, _) => Box::new(Connection::open(file.unwrap()).unwrap()),
            }
        };
        let project = Project::new(url.clone());
        project.put("statespec.toml", &section);
        let all = || -> Result<(), String> {
            connect().run(before).map_err(|it| format!("before: {it}"))?;
            let (code, said) = project.statespec("gen");
            if code != Some(0) {
                return Err(said);
            }
            let script = format!("BEGIN;\n{}COMMIT", project.get("db/job.sql"));
            for _ in 0..2 {
                connect().run(&script).map_err(|it| format!("guard: {it}"))?;
            }
            connect().run(after).map_err(|it| format!("after: {it}"))?;
            match project.statespec("db check") {
                (Some(0), _) => Ok(()),
                (_, said) => Err(said),
            }
        };
        let name = path.file_stem().unwrap().to_string_lossy();
        if let Err(why) = all() {
            failed += &format!("{name}: {why}\n");
        }
    }
    assert_eq!(failed, "");
}
