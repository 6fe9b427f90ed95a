//! `db introspect` and `db check`, and the page of the guide.

use std::fs;
use std::process::Command;

use rusqlite::Connection;
use tempfile::TempDir;

use crate::server::server;
use crate::tables::Database;

/// A fenced block of the guide, by the language after the fence.
pub(crate) fn guide(language: &str, position: usize) -> String {
    let page = include_str!("../../../docs/guide/database.md").replace("\r\n", "\n");
    let start = format!("\n```{language}\n");
    let found = page.match_indices(&start).nth(position);
    let begin = found.unwrap_or_else(|| panic!("the guide has no block {position} of {language}")).0 + start.len();
    let end = page[begin..].find("\n```\n").unwrap() + begin + 1;
    page[begin..end].to_owned()
}

/// A project with the machine of the guide.
pub(crate) struct Project {
    pub(crate) folder: TempDir,
    pub(crate) url: String,
}

/// The exit code, and what is printed.
pub(crate) type Run = (Option<i32>, String);

impl Project {
    pub(crate) fn new(url: String) -> Project {
        let project = Project { folder: tempfile::tempdir().unwrap(), url };
        project.put("machines/job.yaml", &guide("yaml", 0));
        project
    }

    pub(crate) fn put(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn get(&self, path: &str) -> String {
        fs::read_to_string(self.folder.path().join(path)).unwrap()
    }

    pub(crate) fn statespec(&self, words: &str) -> Run {
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
    pub(crate) fn finds(&self, text: &str) {
        let (code, said) = self.statespec("db check");
        assert!(code == Some(100) && said.contains(text), "{text}: {code:?} {said}");
    }

    #[track_caller]
    pub(crate) fn is_clean(&self) {
        let (code, said) = self.statespec("db check");
        assert_eq!(code, Some(0), "{said}");
    }

    /// Runs the script of the guard.
    pub(crate) fn attach(&self, database: &mut dyn Database) {
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
    project.put("statespec.toml", &format!("{more}{}", guide("text", 9)));
    let (_, said) = project.statespec("lint");
    assert!(said.contains(guide("text", 10).trim_end()), "{said}");
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
fn columns_of_numbers_are_read_with_the_numbers_of_the_spec_or_of_a_section() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("app.db");
    let mut sqlite = Connection::open(&file).unwrap();
    sqlite.run("CREATE TABLE jobs (id INTEGER PRIMARY KEY, status INTEGER, is_late BOOLEAN, n_tries INTEGER)").unwrap();
    sqlite.run("INSERT INTO jobs VALUES (1, 10, 0, 1), (2, 11, 1, 1), (3, 12, 0, 1), (4, 10, 1, 1)").unwrap();
    let mut project = Project::new(format!("sqlite:{}", file.display()));
    let (code, said) = project.statespec("db introspect");
    let none = "no column of 4 candidates has the states of a machine\n# Columns of numbers, which no spec explains: jobs.status, jobs.is_late. \
                Give states a `number`, or write a section with `kind = \"integer\"` and `values`.\n";
    assert_eq!((code, said.as_str()), (Some(0), none));
    // The numbers of a section, which is about another table.
    let values = "{ queued = 10, claimed = 11, running = 12, complete = 13, failed = 14 }";
    let section = |table: &str, more: &str| {
        format!(
            "[[database]]\nmachine = \"job\"\nengine = \"sqlite\"\nout = \"db/{table}.sql\"\nurl_env = \"{}\"\ntable = \"{table}\"\nkey = \"id\"\nstate = \"status\"\nkind = \"integer\"\n{more}",
            if table == "jobs" { "DATABASE_URL" } else { "OTHER" }
        )
    };
    project.put("statespec.toml", &section("others", &format!("values = {values}\n")));
    let found =
        format!("# jobs.status has 3 of the 5 states of job.\n{}values = {values}\n", section("jobs", "").replace("db/jobs", "db/job"));
    let unread = "# Columns of numbers, which no spec explains: jobs.is_late. Give states a `number`, or write a section with `kind = \"integer\"` and `values`.\n";
    assert_eq!(project.statespec("db introspect"), (Some(0), format!("{found}\n{unread}")));
    // Numbers of the spec need no `values`.
    project.put("statespec.toml", "");
    let mut spec = guide("yaml", 0);
    for (idx, state) in
        ["queued: { initial: true", "claimed:", "running:", "complete: { terminal: true", "failed: { terminal: true"].iter().enumerate()
    {
        let numbered = match state.ends_with(':') {
            true => format!("{state} {{ number: {} }}", 10 + idx),
            false => format!("{state}, number: {}", 10 + idx),
        };
        spec = spec.replacen(&format!("  {state}"), &format!("  {numbered}"), 1);
    }
    project.put("machines/job.yaml", &spec);
    let found = format!("# jobs.status has 3 of the 5 states of job.\n{}", section("jobs", "").replace("db/jobs", "db/job"));
    assert_eq!(project.statespec("db introspect"), (Some(0), format!("{found}\n{unread}")));

    let Some(server) = server("guards in PostgreSQL") else { return };
    let (mut client, name) = server.database();
    client.run("CREATE DOMAIN code AS smallint; CREATE TABLE jobs (id int PRIMARY KEY, status code, is_late boolean)").unwrap();
    client.run("INSERT INTO jobs SELECT n, 10 + n % 3, n % 2 = 0 FROM generate_series(1, 9) AS n").unwrap();
    project.url = server.url(&name);
    let (code, said) = project.statespec("db introspect");
    assert!(code == Some(0) && said.contains("table = \"public.jobs\"\nkey = \"id\"\nstate = \"status\"\nkind = \"integer\"\n"), "{said}");
    assert!(said.contains("which no spec explains: public.jobs.is_late."), "{said}");
}

#[test]
fn a_machine_that_is_too_large_is_not_looked_for() {
    let regions: String = (0..9).map(|it| format!("      r{it}: {{ states: {{ a{it}: {{ initial: true }}, b{it}: }} }}\n")).collect();
    let rows: String = (0..9).map(|it| format!("  - {{ from: a{it}, to: b{it} }}\n")).collect();
    let spec = format!("machine: large\nstates:\n  works:\n    initial: true\n    regions:\n{regions}transitions:\n{rows}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("app.db");
    Connection::open(&file)
        .unwrap()
        .run("CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT); INSERT INTO t VALUES (1, 'a1'), (2, 'b1')")
        .unwrap();
    let project = Project::new(format!("sqlite:{}", file.display()));
    project.put("machines/large.yaml", &spec);
    let (code, said) = project.statespec("db introspect");
    assert!(code == Some(0) && said.contains("# large is not looked for: it has more than 256 configurations.\n"), "{said}");
    assert!(!said.contains("[[database]]"), "{said}");
}

#[test]
fn what_lets_the_role_of_the_program_past_the_guard_is_found() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    let (mut client, name) = server.database();
    client.run(&guide("sql", 0)).unwrap();
    // A role belongs to the whole server.
    let role = format!("program_{name}");
    client
        .run(&format!("CREATE ROLE {role}; GRANT SELECT, INSERT, UPDATE, DELETE ON jobs TO {role}; GRANT USAGE ON SCHEMA public TO {role}"))
        .unwrap();
    let project = Project::new(server.url(&name));
    project.put("statespec.toml", &guide("toml", 0).replace("state = ", &format!("role = \"{role}\"\njournal = true\nstate = ")));
    project.attach(&mut client);
    project.is_clean();
    for (sql, finding, undo) in [
        (
            "ALTER TABLE jobs OWNER TO ROLE",
            "owns `public.jobs`, so that it can drop or disable the triggers",
            // With the ownership go the rights.
            "ALTER TABLE jobs OWNER TO postgres; GRANT SELECT, INSERT, UPDATE, DELETE ON jobs TO ROLE",
        ),
        (
            "ALTER FUNCTION statespec.job_edge() OWNER TO ROLE",
            "owns `statespec.job_edge()`, so that it can replace the function",
            "ALTER FUNCTION statespec.job_edge() OWNER TO postgres",
        ),
        (
            "GRANT INSERT, DELETE ON statespec.job_journal TO PUBLIC",
            "has rights on `statespec.job_journal`, and needs none: INSERT, DELETE",
            "REVOKE ALL ON statespec.job_journal FROM PUBLIC",
        ),
        (
            "CREATE ROLE ROLE_owner; GRANT ROLE_owner TO ROLE; ALTER TABLE jobs OWNER TO ROLE_owner",
            "owns `public.jobs`",
            "ALTER TABLE jobs OWNER TO postgres",
        ),
        ("ALTER ROLE ROLE SUPERUSER", "is a superuser: it can do everything", "ALTER ROLE ROLE NOSUPERUSER"),
        ("ALTER ROLE ROLE RENAME TO ROLE_2", "there is no role", "ALTER ROLE ROLE_2 RENAME TO ROLE"),
    ] {
        let named = |it: &str| {
            it.replace("ROLE", &role).replace(&format!("CREATE {role} "), "CREATE ROLE ").replace(&format!("ALTER {role} "), "ALTER ROLE ")
        };
        client.run(&named(sql)).unwrap();
        project.finds(finding);
        client.run(&named(undo)).unwrap();
    }
    project.is_clean();
    // A role that sees a part of the rows says so.
    client.run("ALTER TABLE jobs ENABLE ROW LEVEL SECURITY; ALTER TABLE jobs FORCE ROW LEVEL SECURITY").unwrap();
    client.run(&format!("ALTER ROLE {role} LOGIN; GRANT USAGE ON SCHEMA statespec TO {role}")).unwrap();
    let reader = Project { url: server.url(&name).replace("user=postgres", &format!("user={role}")), folder: project.folder };
    reader.finds("row-level security of `public.jobs` hides rows from the role of this check");
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
        (format!("{secret}?sslmode=require"), "asks for TLS (`sslmode=require`), which `statespec db` does not speak"),
        (format!("{secret}?sslmode=verify-ca&connect_timeout=1"), "asks for TLS (`sslmode=verify-ca`)"),
        (format!("{secret}?sslmode=verify-full"), "asks for TLS (`sslmode=verify-full`)"),
        ("host=db.invalid user=me password=password sslmode=verify-full dbname=db".to_owned(), "asks for TLS (`sslmode=verify-full`)"),
        // Nobody is connected without TLS who did not ask for it.
        ("postgres://me:password@db.invalid/db".to_owned(), "is on another machine, and `statespec db` does not speak TLS"),
        ("host=db.invalid user=me password=password sslmode=prefer".to_owned(), "is on another machine"),
        ("hostaddr=192.0.2.1 user=me password=password".to_owned(), "is on another machine"),
        ("host=localhost hostaddr=192.0.2.1 user=me password=password".to_owned(), "is on another machine"),
        ("postgres://me:password@localhost:1,db.invalid:1/db".to_owned(), "is on another machine"),
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
pub(crate) fn later(text: &str) -> String {
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
