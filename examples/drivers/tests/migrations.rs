//! The tools that run migrations run what `statespec db migrate` writes for them: a table, the guard of one revision, and the way to
//! the next one.

use std::path::PathBuf;

use rusqlite::Connection;

/// Read when the test runs: two checkouts can share a target folder.
fn folder(style: &str) -> PathBuf {
    PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("Cargo runs the test")).join("migrations").join(style)
}

/// The guard of the later revision is there: `queued` is `waiting`.
fn is_later(path: &std::path::Path) {
    let connection = Connection::open(path).expect("the database is there");
    connection.execute("INSERT INTO jobs VALUES (1, 'waiting')", []).expect("a job is born waiting");
    let said = connection.execute("INSERT INTO jobs VALUES (2, 'queued')", []).expect_err("no such state");
    assert!(said.to_string().contains("a row is inserted in: waiting"), "{said}");
    let said = connection.execute("UPDATE jobs SET status = 'running'", []).expect_err("no such step");
    assert!(said.to_string().contains("from waiting: claimed"), "{said}");
    connection.execute("DELETE FROM jobs", []).expect("a job is deleted");
}

/// The guard of the earlier revision is there.
fn is_earlier(path: &std::path::Path) {
    let connection = Connection::open(path).expect("the database is there");
    connection.execute("INSERT INTO jobs VALUES (2, 'queued')", []).expect("a job is born queued");
}

/// A job is in a state that the later revision lacks.
fn strand(path: &std::path::Path) {
    let connection = Connection::open(path).expect("the database is there");
    connection
        .execute_batch("INSERT INTO jobs VALUES (9, 'waiting'); UPDATE jobs SET status = 'claimed'; UPDATE jobs SET status = 'failed'")
        .expect("the guard of both revisions");
}

/// The last step stopped before it changed anything: the guard of both revisions is there. Then the row is removed.
fn is_stopped(path: &std::path::Path, said: &str) {
    assert!(said.contains("rows have a removed value of status"), "{said}");
    let connection = Connection::open(path).expect("the database is there");
    connection.execute_batch("INSERT INTO jobs VALUES (8, 'queued'); DELETE FROM jobs").expect("the guard of both revisions");
}

#[tokio::test]
async fn sqlx_runs_them() {
    let files = tempfile::tempdir().expect("a folder");
    let path = files.path().join("app.db");
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path).create_if_missing(true);
    let pool = sqlx::SqlitePool::connect_with(options).await.expect("a new database");
    let migrator = sqlx::migrate::Migrator::new(folder("sqlx")).await.expect("the files are read");
    let versions: Vec<i64> = migrator.iter().map(|it| it.version).collect::<std::collections::BTreeSet<_>>().into_iter().collect();
    let [_, attached, _, moved, _] = versions[..] else { panic!("{versions:?}") };
    migrator.run_to(moved, &pool).await.expect("all files but the last run");
    strand(&path);
    is_stopped(&path, &migrator.run(&pool).await.expect_err("a row is stranded").to_string());
    migrator.run(&pool).await.expect("all files run");
    migrator.run(&pool).await.expect("nothing is left to run");
    is_later(&path);
    migrator.undo(&pool, attached).await.expect("they are undone");
    is_earlier(&path);
}

#[test]
fn refinery_runs_them() {
    let files = tempfile::tempdir().expect("a folder");
    let path = files.path().join("app.db");
    let mut connection = Connection::open(&path).expect("a new database");
    let migrations = refinery::load_sql_migrations(folder("refinery")).expect("the files are read");
    let runner = || refinery::Runner::new(&migrations);
    runner().set_target(refinery::Target::Version(4)).run(&mut connection).expect("all files but the last run");
    strand(&path);
    is_stopped(&path, &format!("{:?}", runner().run(&mut connection).expect_err("a row is stranded")));
    runner().run(&mut connection).expect("all files run");
    assert_eq!(runner().run(&mut connection).expect("nothing is left to run").applied_migrations().len(), 0);
    is_later(&path);
}

#[test]
fn diesel_runs_them() {
    use diesel::Connection as _;
    use diesel_migrations::{FileBasedMigrations, MigrationHarness as _};

    let files = tempfile::tempdir().expect("a folder");
    let path = files.path().join("app.db");
    let mut connection = diesel::SqliteConnection::establish(&path.to_string_lossy()).expect("a new database");
    let migrations = FileBasedMigrations::from_path(folder("diesel")).expect("the files are read");
    for _ in 0..4 {
        connection.run_next_migration(migrations.clone()).expect("all files but the last run");
    }
    strand(&path);
    is_stopped(&path, &connection.run_pending_migrations(migrations.clone()).expect_err("a row is stranded").to_string());
    assert_eq!(connection.run_pending_migrations(migrations.clone()).expect("all files run").len(), 1);
    is_later(&path);
    // The table and its first guard stay.
    for _ in 0..3 {
        connection.revert_last_migration(migrations.clone()).expect("it is undone");
    }
    is_earlier(&path);
}
