//! `db introspect` and `db check`, and the page of the guide.

use std::fs;
use std::process::Command;

use rusqlite::Connection;
use tempfile::TempDir;

use crate::server::server;
use crate::tables::Database;

/// A fenced block of the guide, by the language after the fence.
fn guide(language: &str, position: usize) -> String {
    let page = include_str!("../../../docs/guide/database.md").replace("\r\n", "\n");
    let start = format!("\n```{language}\n");
    let found = page.match_indices(&start).nth(position);
    let begin = found.unwrap_or_else(|| panic!("the guide has no block {position} of {language}")).0 + start.len();
    let end = page[begin..].find("\n```\n").unwrap() + begin + 1;
    page[begin..end].to_owned()
}

/// A project with the machine of the guide.
struct Project {
    folder: TempDir,
    url: String,
}

/// The exit code, and what is printed.
type Run = (Option<i32>, String);

impl Project {
    fn new(url: String) -> Project {
        let project = Project { folder: tempfile::tempdir().unwrap(), url };
        project.put("machines/job.yaml", &guide("yaml", 0));
        project
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn get(&self, path: &str) -> String {
        fs::read_to_string(self.folder.path().join(path)).unwrap()
    }

    fn statespec(&self, words: &str) -> Run {
        let output = Command::new(env!("CARGO_BIN_EXE_statespec-with-database"))
            .args(words.split(' '))
            .current_dir(self.folder.path())
            .env("DATABASE_URL", &self.url)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        assert!(!text.contains("password") && !text.contains("127.0.0.1"), "{text}");
        (output.status.code(), text)
    }

    /// Runs `db check`, which finds something that has this text.
    #[track_caller]
    fn finds(&self, text: &str) {
        let (code, said) = self.statespec("db check");
        assert!(code == Some(100) && said.contains(text), "{text}: {code:?} {said}");
    }

    #[track_caller]
    fn is_clean(&self) {
        let (code, said) = self.statespec("db check");
        assert_eq!(code, Some(0), "{said}");
    }

    /// Runs the script of the guard.
    fn attach(&self, database: &mut dyn Database) {
        let (code, said) = self.statespec("gen");
        assert_eq!(code, Some(0), "{said}");
        database.run(&format!("BEGIN;\n{}COMMIT", self.get("db/job.sql"))).unwrap();
    }
}

/// A hundred thousand rows, three of them bad.
const ROWS: &str = "INSERT INTO jobs (id, status) SELECT n, CASE n % 5 WHEN 0 THEN 'queued' WHEN 1 THEN 'claimed' WHEN 2 THEN 'running' \
                    WHEN 3 THEN 'complete' ELSE 'failed' END FROM numbers;
                    UPDATE jobs SET status = 'QUEUED' WHERE id IN (7, 4711); UPDATE jobs SET status = 'runing' WHERE id = 99999;";

#[test]
fn the_page_of_the_guide_is_what_happens() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    let (mut client, name) = server.database();
    client.run(&guide("sql", 0)).unwrap();
    client.run(&format!("CREATE TEMP TABLE numbers AS SELECT generate_series(1, 100000) AS n; {ROWS}")).unwrap();
    let project = Project::new(server.url(&name));
    assert_eq!(project.statespec("db introspect"), (Some(0), guide("toml", 0)));
    project.put("statespec.toml", &guide("toml", 0));
    let (code, said) = project.statespec("gen");
    assert_eq!(code, Some(0), "{said}");
    assert!(project.get("db/job.sql").contains(&guide("sql", 1)), "{}", project.get("db/job.sql"));
    let (code, said) = project.statespec("db check");
    assert_eq!(code, Some(100));
    assert!(said.contains(&guide("text", 0)), "{said}");

    client
        .run("UPDATE jobs SET status = 'queued' WHERE status = 'QUEUED'; UPDATE jobs SET status = 'running' WHERE status = 'runing'")
        .unwrap();
    project.attach(&mut client);
    assert_eq!(project.statespec("db check"), (Some(0), guide("text", 1)));
    // A program that knows nothing of the guard runs on.
    for id in (5..2000).step_by(5) {
        client.run(&format!("UPDATE jobs SET status = 'claimed' WHERE id = {id} AND status = 'queued'")).unwrap();
        client.run(&format!("UPDATE jobs SET status = 'running', id = id WHERE id = {id}")).unwrap();
        client.run(&format!("UPDATE jobs SET status = 'complete' WHERE id = {id}")).unwrap();
    }
    let said = client.run(&guide("sql", 2)).unwrap_err();
    let shown = guide("text", 2);
    let mut lines = shown.lines().map(|it| it.split_once(": ").unwrap().1.trim());
    assert_eq!(said, format!("23514: {} ({})", lines.next().unwrap(), lines.next().unwrap()));

    // The columns of the context, and the clock.
    let more = format!("{}{}", guide("toml", 0), guide("toml", 1));
    project.put("statespec.toml", &more);
    project.finds("the function `statespec.job_edge` is another one");
    project.attach(&mut client);
    project.is_clean();
    client.run("UPDATE jobs SET locked_until = now() + interval '1 hour' WHERE id = 2002; UPDATE jobs SET locked_until = now() - interval '1 hour' WHERE id = 2007").unwrap();
    client.attempt("UPDATE jobs SET status = 'claimed' WHERE id = 2002").unwrap_err();
    client.attempt("UPDATE jobs SET status = 'claimed' WHERE id = 2007").unwrap();
    // A lease makes states visible that only its holder leaves.
    project.put("statespec.toml", &format!("{more}{}", guide("text", 7)));
    let (_, said) = project.statespec("lint");
    assert!(said.contains(guide("text", 8).trim_end()), "{said}");
    // `check` covers the script, without a database.
    project.put("db/job.sql", &project.get("db/job.sql").replace("'failed'", "'zombie'"));
    assert_eq!(project.statespec("check").0, Some(100));
}

#[test]
fn a_check_finds_what_became_of_the_guard_in_postgresql() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    let (mut client, name) = server.database();
    client.run(&guide("sql", 0)).unwrap();
    let project = Project::new(server.url(&name));
    project.put("statespec.toml", &guide("toml", 0).replace("state = ", "deletes = \"never\"\njournal = true\nstate = "));
    project.attach(&mut client);
    project.is_clean();
    let restore = format!("BEGIN;\n{}COMMIT", project.get("db/job.sql"));
    for (sql, finding) in [
        ("DROP TRIGGER statespec_job_edge ON jobs", "the trigger `statespec_job_edge` is missing"),
        ("ALTER TABLE jobs DISABLE TRIGGER statespec_job_birth", "the trigger `statespec_job_birth` is disabled"),
        ("ALTER TABLE jobs ENABLE TRIGGER statespec_job_edge", "the trigger `statespec_job_edge` does not fire in every session"),
        (
            "CREATE OR REPLACE TRIGGER statespec_job_edge BEFORE UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION statespec.job_edge()",
            "the trigger `statespec_job_edge` does not fire AFTER UPDATE for each row",
        ),
        (
            "CREATE OR REPLACE TRIGGER statespec_job_edge AFTER UPDATE OF status ON jobs FOR EACH ROW EXECUTE FUNCTION statespec.job_edge()",
            "the trigger `statespec_job_edge` has a condition",
        ),
        (
            "CREATE OR REPLACE TRIGGER statespec_job_edge AFTER UPDATE ON jobs FOR EACH ROW WHEN (false) EXECUTE FUNCTION statespec.job_edge()",
            "the trigger `statespec_job_edge` has a condition",
        ),
        (
            "CREATE OR REPLACE TRIGGER statespec_job_edge AFTER UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION statespec.job_birth()",
            "the trigger `statespec_job_edge` has a condition, or calls another function",
        ),
        (
            "CREATE OR REPLACE FUNCTION statespec.job_edge() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
            "the function `statespec.job_edge` is another one",
        ),
        ("ALTER FUNCTION statespec.job_edge() SECURITY INVOKER", "the function `statespec.job_edge` is another one"),
        ("DROP TABLE statespec.job_journal", "the table `statespec.job_journal` is missing"),
        (
            "CREATE TRIGGER statespec_job_old AFTER UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION statespec.job_edge()",
            "the trigger `statespec_job_old` is of another revision",
        ),
    ] {
        client.run(sql).unwrap();
        project.finds(finding);
        client.run(&format!("DROP TRIGGER IF EXISTS statespec_job_old ON jobs;{restore}")).unwrap();
        project.is_clean();
    }
    client.run("ALTER TABLE jobs DISABLE TRIGGER ALL; INSERT INTO jobs VALUES (1, 'zombie', NULL)").unwrap();
    client.run(&restore).unwrap();
    project.finds("1 row is in no state of the graph: 1 has `zombie`");
    client.run("ALTER TABLE jobs RENAME TO tasks").unwrap();
    project.finds("there is no table `public.jobs`");
    // Nothing is created or changed by a check.
    assert!(client.ask("SELECT count(*) FROM pg_class WHERE relname = 'jobs'") == Some("0".to_owned()));
}

#[test]
fn sqlite_is_introspected_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("app.db");
    let mut sqlite = Connection::open(&file).unwrap();
    sqlite.run("CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT, dedupe TEXT UNIQUE); CREATE TABLE other (a TEXT, b TEXT)").unwrap();
    sqlite.run("CREATE TABLE numbers (n); WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 100000) INSERT INTO numbers SELECT n FROM c").unwrap();
    sqlite.run(ROWS).unwrap();
    sqlite.run("INSERT INTO other VALUES ('queued', 'x'), ('y', 'z')").unwrap();
    let project = Project::new(format!("sqlite://{}", file.display()));
    let (code, section) = project.statespec("db introspect");
    assert_eq!(
        (code, section.as_str()),
        (
            Some(0),
            "# jobs.status has 5 of the 5 states of job.\n# 3 rows with other values: `QUEUED`, `runing`.\n[[database]]\nmachine = \"job\"\n\
             engine = \"sqlite\"\nout = \"db/job.sql\"\nurl_env = \"DATABASE_URL\"\ntable = \"jobs\"\nkey = \"id\"\nunique = [[\"dedupe\"]]\nstate = \"status\"\n"
        )
    );
    project.put("statespec.toml", &section);
    project.attach(&mut sqlite);
    project.finds("3 rows are in no state of the graph: 7 has `QUEUED`, 4711 has `QUEUED`, 99999 has `runing`");
    // Rows from before the guard are corrected past it: without the trigger, in the transaction that makes it anew.
    let correct = "DROP TRIGGER statespec_job_edge; UPDATE jobs SET status = 'queued' WHERE id IN (7, 4711, 99999);";
    sqlite.run(&format!("BEGIN; {correct}\n{}COMMIT", project.get("db/job.sql"))).unwrap();
    project.is_clean();
    let restore = project.get("db/job.sql");
    for (sql, finding) in [
        ("DROP TRIGGER statespec_job_edge", "`statespec_job_edge` is missing"),
        ("DROP TABLE statespec_job_replaced", "`statespec_job_replaced` is missing"),
        (
            "DROP TRIGGER statespec_job_key; CREATE TRIGGER statespec_job_key AFTER UPDATE ON jobs WHEN 0 BEGIN SELECT 1; END",
            "`statespec_job_key` is another one",
        ),
        ("CREATE TRIGGER statespec_job_old AFTER UPDATE ON jobs WHEN 0 BEGIN SELECT 1; END", "`statespec_job_old` is of another revision"),
        ("CREATE UNIQUE INDEX later ON jobs (status, dedupe)", "over the unique key (status, dedupe), which `unique` does not name"),
    ] {
        sqlite.run(sql).unwrap();
        project.finds(finding);
        sqlite.run(&format!("DROP TRIGGER IF EXISTS statespec_job_old; DROP INDEX IF EXISTS later;\n{restore}")).unwrap();
        project.is_clean();
    }
}

#[test]
fn an_address_is_never_repeated() {
    let secret = "postgres://me:password@127.0.0.1:1/db";
    let project = Project::new(secret.to_owned());
    project.put("statespec.toml", &guide("toml", 0));
    for words in ["db introspect", "db check"] {
        let (code, said) = project.statespec(words);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("there is no connection to the server of the address in `DATABASE_URL`"), "{said}");
    }
    for (url, text) in [
        (format!("{secret}?sslmode=require"), "asks for TLS"),
        (format!("{secret}?sslmode=password"), "is none that can be read"),
        ("password/no.db".to_owned(), "names no file of SQLite"),
    ] {
        let (code, said) = Project { url, folder: tempfile::tempdir().unwrap() }.introspects();
        assert!(code == Some(1) && said.contains(text), "{text}: {said}");
    }
    let address = guide("toml", 0).replace("url_env = \"DATABASE_URL\"", &format!("url_env = \"{secret}\""));
    project.put("statespec.toml", &address);
    let (code, said) = project.statespec("lint");
    assert!(code == Some(1) && said.contains("`url_env` is no name of an environment variable"), "{code:?} {said}");
}

impl Project {
    fn introspects(&self) -> Run {
        self.put("machines/job.yaml", &guide("yaml", 0));
        self.statespec("db introspect")
    }
}

/// The next revision of the machine of the guide: `queued` has another name, and no job is claimed twice.
fn later(text: &str) -> String {
    let renamed =
        text.replace("  queued: { initial: true }", "  waiting: { initial: true, aka: [queued] }").replace("from: queued", "from: waiting");
    renamed.replace("  failed: { terminal: true }", "  given_up: { terminal: true }").replace("failed]", "given_up]")
}

#[test]
fn migrations_are_new_files_that_lead_to_the_guard_of_the_later_revision() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("app.db");
    let mut sqlite = Connection::open(&file).unwrap();
    sqlite.run("CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT)").unwrap();
    sqlite.run("INSERT INTO jobs VALUES (1, 'queued'), (2, 'running'), (3, 'failed'), (4, 'failed')").unwrap();
    let project = Project::new(format!("sqlite:{}", file.display()));
    let section = "[[database]]\nmachine = \"job\"\nengine = \"sqlite\"\nout = \"db/job.sql\"\nurl_env = \"DATABASE_URL\"\ntable = \"jobs\"\nkey = \"id\"\nstate = \"status\"\n";
    project.put("statespec.toml", &format!("{section}migrations = {{ out = \"migrations\", style = \"sqlx\" }}\n"));
    project.attach(&mut sqlite);
    let old = project.get("machines/job.yaml");
    project.put("old/job.yaml", &old);
    project.put("machines/job.yaml", &later(&old));
    project.put("migrations/20260101000000_jobs.sql", "CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT);\n");

    let (code, said) = project.statespec("db plan old/job.yaml machines/job.yaml");
    assert!(code == Some(100) && said.contains("2 rows have a removed value in `status`: 3 has `failed`, 4 has `failed`"), "{said}");
    assert!(said.contains("job: 1 row with `queued` will have `waiting`"), "{said}");
    let (code, said) = project.statespec("db migrate old/job.yaml machines/job.yaml");
    let names = ["20260101000001_job_expand", "20260101000002_job_move", "20260101000003_job_contract"];
    let wrote: String = names.iter().map(|it| format!("wrote migrations/{it}.up.sql\nwrote migrations/{it}.down.sql\n")).collect();
    assert_eq!((code, said), (Some(0), wrote));
    // Another run adds further files, and changes none.
    let first = project.get(&format!("migrations/{}.up.sql", names[0]));
    let (code, said) = project.statespec("db migrate old/job.yaml machines/job.yaml");
    assert!(code == Some(0) && said.starts_with("wrote migrations/20260101000004_job_expand.up.sql"), "{said}");
    assert_eq!(project.get(&format!("migrations/{}.up.sql", names[0])), first);

    let up = |name: &str, database: &mut Connection| {
        let done = database.run(&format!("BEGIN;\n{}", project.get(&format!("migrations/{name}.up.sql"))));
        database.run(if done.is_ok() { "COMMIT" } else { "ROLLBACK" }).unwrap();
        done
    };
    up(names[0], &mut sqlite).unwrap();
    up(names[1], &mut sqlite).unwrap();
    let said = up(names[2], &mut sqlite).unwrap_err();
    assert!(said.contains("rows have a removed value of status (failed, queued); statespec db plan lists them"), "{said}");
    sqlite.run("DELETE FROM jobs WHERE status = 'failed'").unwrap();
    up(names[2], &mut sqlite).unwrap();
    let (code, said) = project.statespec("db plan old/job.yaml machines/job.yaml");
    assert!(code == Some(0) && said.contains("job: no row stops the 3 steps"), "{said}");
    project.is_clean();
    // Nothing changes from a revision to itself.
    let (code, said) = project.statespec("db migrate machines/job.yaml machines/job.yaml");
    assert_eq!((code, said.as_str()), (Some(0), "job: nothing changes for its table\n"));
    project.put("statespec.toml", section);
    let (code, said) = project.statespec("db migrate old/job.yaml machines/job.yaml");
    assert!(code == Some(1) && said.contains("the `[[database]]` of `job` has no `migrations`"), "{said}");
}

#[test]
fn the_files_of_a_folder_make_the_guard() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    for (engine, table, ty, style) in
        [("sqlite", "jobs", "TEXT", "plain"), ("postgresql", "public.jobs", "text", "refinery"), ("sqlite", "jobs", "TEXT", "diesel")]
    {
        let mut project = Project::new(server.url(&server.database().1));
        let section = format!(
            "[[database]]\nmachine = \"job\"\nengine = \"{engine}\"\nout = \"db/job.sql\"\ntable = \"{table}\"\nkey = \"id\"\nstate = \"status\"\n"
        );
        project.put("statespec.toml", &format!("{section}migrations = {{ out = \"migrations\", style = \"{style}\" }}\n"));
        let old = project.get("machines/job.yaml");
        project.put("old/none.yaml", &old.replace("machine: job", "machine: task"));
        project.put("old/job.yaml", &old);
        project.put("new/job.yaml", &later(&old));
        let first = match style {
            "refinery" => "V1__jobs.sql",
            "diesel" => "2026-01-01-000000_jobs/up.sql",
            _ => "0001_jobs.sql",
        };
        project.put(&format!("migrations/{first}"), &format!("CREATE TABLE jobs (id INTEGER PRIMARY KEY, status {ty});\n"));
        for words in ["db migrate old/none.yaml old/job.yaml", "db migrate old/job.yaml new/job.yaml"] {
            let (code, said) = project.statespec(words);
            assert_eq!(code, Some(0), "{said}");
        }
        // The specs are not those that the files lead to.
        let replay = "db check --replay --replay-env DATABASE_URL";
        let (code, said) = project.statespec(replay);
        assert!(
            code == Some(100) && said.contains("after the files of `migrations`: ") && said.contains("job_edge` is another one"),
            "{said}"
        );
        project.put("machines/job.yaml", &later(&old));
        if engine == "postgresql" {
            let (code, said) = project.statespec(replay);
            assert!(code == Some(1) && said.contains("is not empty, and the files would change it"), "{said}");
        }
        project.url = server.url(&server.database().1);
        let (code, said) = project.statespec(replay);
        assert!(code == Some(0) && said.contains("the migrations make the guard"), "{said}");
        project.url = server.url(&server.database().1);
        project.put(&format!("migrations/{first}"), "CREATE TABLE others (id INTEGER);\n");
        let (code, said) = project.statespec(replay);
        assert!(code == Some(100) && said.contains("does not run in an empty database"), "{said}");
    }
}
