//! `db check` of several tables: owners, invariants that hold when a transaction ends, and names that begin alike.

use crate::commands::Project;
use crate::server::server;
use crate::tables::Database;

/// The sections of the tables of the reference system.
fn sections() -> String {
    let section = |machine: &str, table: &str, columns: &str| {
        format!(
            "[[database]]\nmachine = \"{machine}\"\npart = \"mission_hop.{machine}\"\nengine = \"postgresql\"\nout = \"db/{machine}.sql\"\n\
             table = \"{table}\"\nkey = \"id\"\nstate = \"status\"\ncolumns = {{ {columns} }}\n\n"
        )
    };
    section("mission", "missions", "current_hop_id = \"current_hop_id\"")
        + &section("hop", "hops", "mission_id = \"mission_id\", is_final = \"is_final\"")
}

#[test]
fn a_check_finds_what_became_of_owners_and_invariants() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    let (mut client, name) = server.database();
    client
        .run(
            "CREATE TABLE missions (id bigint PRIMARY KEY, status text, current_hop_id bigint);
             CREATE TABLE hops (id bigint PRIMARY KEY, status text, mission_id bigint, is_final boolean NOT NULL DEFAULT false);
             INSERT INTO missions (id, status) VALUES (1, 'AWAITING_APPROVAL')",
        )
        .unwrap();
    let project = Project::new(server.url(&name));
    let machines = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../machines");
    for file in ["mission.yaml", "hop.yaml", "mission_hop.yaml"] {
        project.put(&format!("machines/{file}"), &std::fs::read_to_string(machines.join(file)).unwrap());
    }
    project.put("statespec.toml", &sections());
    let (code, said) = project.statespec("gen");
    assert_eq!(code, Some(0), "{said}");
    let script = format!("BEGIN;\n{}{}COMMIT", project.get("db/mission.sql"), project.get("db/hop.sql"));
    client.run(&script).unwrap();
    // The key does not look at the rows that were there.
    project.finds("the foreign key from `mission_id` to `missions` is not validated");
    client.run("ALTER TABLE hops VALIDATE CONSTRAINT statespec_hop_owner").unwrap();
    project.is_clean();
    client.run("ALTER TABLE hops DROP CONSTRAINT statespec_hop_owner").unwrap();
    project.finds("the foreign key from `mission_id` to `missions` is missing");
    client.run(&format!("{script}; ALTER TABLE hops VALIDATE CONSTRAINT statespec_hop_owner")).unwrap();
    project.is_clean();

    // An invariant that is checked with each write, and rows from a time without guards.
    let deferred = client.ask("SELECT tgname FROM pg_trigger WHERE tgrelid = 'hops'::regclass AND tginitdeferred ORDER BY 1").unwrap();
    client
        .run(&format!(
            "DO $$ BEGIN EXECUTE replace(replace(pg_get_triggerdef((SELECT oid FROM pg_trigger WHERE tgname = '{deferred}' AND tgrelid = 'hops'::regclass)),
               'DEFERRABLE INITIALLY DEFERRED', ''), 'CREATE CONSTRAINT TRIGGER {deferred}', 'DROP TRIGGER {deferred} ON hops; CREATE CONSTRAINT TRIGGER {deferred}'); END $$;
             ALTER TABLE hops ENABLE ALWAYS TRIGGER {deferred}"
        ))
        .unwrap();
    project.finds(&format!("the trigger `{deferred}` does not fire at the end of a transaction"));
    client.run(&script).unwrap();
    project.is_clean();
    client
        .run(
            "ALTER TABLE missions DISABLE TRIGGER ALL; ALTER TABLE hops DISABLE TRIGGER ALL;
             UPDATE missions SET current_hop_id = 10, status = 'IN_PROGRESS'; INSERT INTO hops VALUES (10, 'COMPLETED', 1)",
        )
        .unwrap();
    client.run("ALTER TABLE missions ENABLE TRIGGER ALL; ALTER TABLE hops ENABLE TRIGGER ALL").unwrap();
    client.run(&script).unwrap();
    project.finds("breaks an invariant: mission.current_hop_id must reset to null when hop completes: 10");
}

#[test]
fn machines_whose_names_begin_alike_have_guards_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("app.db");
    let mut sqlite = rusqlite::Connection::open(&file).unwrap();
    let project = Project::new(format!("sqlite://{}", file.display()));
    let job = project.get("machines/job.yaml");
    let mut sections = String::new();
    for machine in ["job", "job_run"] {
        project.put(&format!("machines/{machine}.yaml"), &job.replace("machine: job", &format!("machine: {machine}")));
        sqlite.run(&format!("CREATE TABLE {machine}s (id INTEGER PRIMARY KEY, status TEXT)")).unwrap();
        sections += &format!(
            "[[database]]\nmachine = \"{machine}\"\nengine = \"sqlite\"\nout = \"db/{machine}.sql\"\ntable = \"{machine}s\"\nkey = \"id\"\n\
             state = \"status\"\n\n"
        );
    }
    project.put("statespec.toml", &sections);
    project.attach(&mut sqlite);
    sqlite.run(&format!("BEGIN;\n{}COMMIT", project.get("db/job_run.sql"))).unwrap();
    project.is_clean();
    sqlite.run("CREATE TRIGGER statespec_job_run_old AFTER UPDATE ON job_runs WHEN 0 BEGIN SELECT 1; END").unwrap();
    project.finds("job_runs`: 1 finding");
    project.finds("`statespec_job_run_old` is of another revision");
}
