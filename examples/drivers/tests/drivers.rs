//! Each driver attaches the guard, claims a job once, and is told that a step is illegal.

use std::fs;
use std::path::{Path, PathBuf};

/// The table that a program has.
const TABLE: &str = "CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT NOT NULL, locked_until TEXT)";
const JOB: &str = "INSERT INTO jobs (id, status) VALUES (1, 'queued')";
/// A step that the graph does not have, once the job is claimed.
const ILLEGAL: &str = "UPDATE jobs SET status = 'queued' WHERE id = 1";
const UNTIL: &str = "2030-01-01 00:00:00";

#[test]
fn with_rusqlite() {
    let mut connection = rusqlite::Connection::open_in_memory().expect("a database in memory");
    connection.execute_batch(TABLE).expect("the table is new");
    drivers::rusqlite::attach(&mut connection).expect("the guard is attached");
    connection.execute_batch(JOB).expect("a job is born queued");
    assert_eq!(drivers::rusqlite::claim(&connection, 1, UNTIL), Ok(true));
    assert_eq!(drivers::rusqlite::claim(&connection, 1, UNTIL), Ok(false));
    assert!(is_refusal(&connection.execute_batch(ILLEGAL).expect_err("no such step").to_string()));
}

#[test]
fn with_diesel() {
    use diesel::Connection as _;
    use diesel::connection::SimpleConnection as _;

    let mut connection = diesel::SqliteConnection::establish(":memory:").expect("a database in memory");
    connection.batch_execute(TABLE).expect("the table is new");
    drivers::diesel::attach(&mut connection).expect("the guard is attached");
    connection.batch_execute(JOB).expect("a job is born queued");
    assert_eq!(drivers::diesel::claim(&mut connection, 1, UNTIL), Ok(true));
    assert_eq!(drivers::diesel::claim(&mut connection, 1, UNTIL), Ok(false));
    assert!(is_refusal(&connection.batch_execute(ILLEGAL).expect_err("no such step").to_string()));
}

#[tokio::test]
async fn with_sqlx() {
    use sqlx::Executor as _;

    let options = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1);
    let pool = options.connect("sqlite::memory:").await.expect("a database in memory");
    pool.execute(TABLE).await.expect("the table is new");
    drivers::sqlx::attach(&pool).await.expect("the guard is attached");
    pool.execute(JOB).await.expect("a job is born queued");
    assert!(drivers::sqlx::claim(&pool, 1, UNTIL).await.expect("a legal step"));
    assert!(!drivers::sqlx::claim(&pool, 1, UNTIL).await.expect("no error"));
    assert!(is_refusal(&pool.execute(ILLEGAL).await.expect_err("no such step").to_string()));
}

#[tokio::test]
async fn with_sea_orm() {
    use sea_orm::ConnectionTrait as _;

    let mut options = sea_orm::ConnectOptions::new("sqlite::memory:");
    options.max_connections(1);
    let database = sea_orm::Database::connect(options).await.expect("a database in memory");
    database.execute_unprepared(TABLE).await.expect("the table is new");
    drivers::sea_orm::attach(&database).await.expect("the guard is attached");
    database.execute_unprepared(JOB).await.expect("a job is born queued");
    assert!(drivers::sea_orm::claim(&database, 1, UNTIL).await.expect("a legal step"));
    assert!(!drivers::sea_orm::claim(&database, 1, UNTIL).await.expect("no error"));
    assert!(is_refusal(&database.execute_unprepared(ILLEGAL).await.expect_err("no such step").to_string()));
}

/// Whether a message names what is allowed instead.
fn is_refusal(message: &str) -> bool {
    message.contains("job: no such step; from claimed: running, complete, failed")
}

/// Read when the test runs: two checkouts can share a target folder.
fn package() -> PathBuf {
    PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("Cargo runs the test"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("the file is there").replace("\r\n", "\n")
}

#[test]
fn the_statements_are_those_of_the_files() {
    let of_file = |statement: &str| format!("-- name: claim\n-- parameters: 1 id, 2 until\n{statement};\n");
    let statements = read(&package().join("db/sqlite.statements.sql"));
    assert!(statements.contains(&of_file(drivers::CLAIM)), "{statements}");
    let statements = read(&package().join("db/postgresql.statements.sql"));
    let program = read(&package().join("psycopg_worker.py"));
    let claim = program.split("\nCLAIM = \"\"\"").nth(1).and_then(|it| it.split("\"\"\"").next()).expect("the program has the statement");
    let claim = claim.replace("%(id)s", "$1").replace("%(until)s", "$2");
    assert!(statements.contains(&of_file(&claim)), "{statements}");
}

#[test]
fn the_guide_shows_these_files() {
    let page = read(&package().join("../../docs/guide/database-drivers.md"));
    let mut n_shown = 0;
    for (language, folder) in [("rust", "src"), ("python", ".")] {
        let files = fs::read_dir(package().join(folder)).expect("the folder is there").map(|it| it.expect("a file").path());
        let all: String = files.filter(|it| it.is_file()).map(|it| read(&it)).collect();
        for block in page.split(&format!("```{language}\n")).skip(1) {
            let block = block.split("```").next().expect("a block");
            assert!(all.contains(block), "no file has this:\n{block}");
            n_shown += 1;
        }
    }
    assert_eq!(n_shown, 6);
}
