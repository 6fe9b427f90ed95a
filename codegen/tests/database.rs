//! `[[database]]`: its outputs, and what does not fit the model. What the scripts do in a database is tested in `tests/database`.

use std::fs;
use std::path::Path;

use statespec_codegen::project::{Extras, Project};
use statespec_codegen::report::{RenderOptions, Report, Status};
use statespec_codegen::sync::Mode;
use statespec_lang::diagnostic::Style;

/// A project with the reference machines and this configuration.
fn project(configuration: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("machines")).unwrap();
    for name in ["run_job", "elevator", "hop", "mission", "mission_hop", "mysis"] {
        let file = format!("machines/{name}.yaml");
        fs::copy(format!("{}/../{file}", env!("CARGO_MANIFEST_DIR")), folder.path().join(file)).unwrap();
    }
    fs::write(folder.path().join("statespec.toml"), configuration).unwrap();
    folder
}

fn run(folder: &tempfile::TempDir, mode: Mode) -> Report {
    let options = RenderOptions { full_diff: false, style: Style::Plain };
    match Project::open(folder.path()) {
        Ok(project) => project.run(|_| Ok(Extras::default()), mode, options),
        Err(problem) => problem.report(options.style),
    }
}

/// A section about `run_job`, with other keys.
fn section(more: &str) -> String {
    format!(
        "[[database]]\nmachine = \"run_job\"\nengine = \"postgresql\"\nout = \"db/job.sql\"\ntable = \"jobs\"\nkey = \"id\"\nstate = \"status\"\n{more}"
    )
}

#[test]
fn the_script_the_report_and_the_region_follow_the_spec() {
    let more = "statements = \"db/job.statements.sql\"\nreport = \"db/job.json\"\nversion = \"rev\"\njournal = true\ndeletes = \"terminal\"\ncolumns = { lease_expires_at = \"locked_until\" }\nclock = \"reclaim.now\"\n";
    let sqlite = "[[database]]\nmachine = \"run_job\"\nengine = \"sqlite\"\nout = \"db/job_sqlite.sql\"\ntable = \"jobs\"\nkey = [\"tenant\", \"id\"]\n\
                  unique = [[\"dedupe\"]]\nstate = \"status\"\nkind = \"integer\"\nvalues = { queued = 0, claimed = 1, running = 2, complete = 3, failed = 4 }\n\
                  columns = { lease_expires_at = \"locked_until\" }\nunits = { lease_expires_at = \"ms\" }\nclock = [\"reclaim.now\"]\n";
    let folder = project(&format!("[docs]\nplaces = [\"docs\"]\n{}{sqlite}", section(more)));
    fs::create_dir(folder.path().join("docs")).unwrap();
    let page = "# Jobs\n\n<!-- statespec:begin run_job.database -->\n<!-- statespec:end run_job.database -->\n";
    fs::write(folder.path().join("docs/jobs.md"), page).unwrap();
    let report = run(&folder, Mode::Write { force: false });
    assert_eq!(report.status, Status::Clean, "{}", report.text);
    for (name, path) in [
        ("postgresql", "db/job.sql"),
        ("sqlite", "db/job_sqlite.sql"),
        ("report", "db/job.json"),
        ("statements", "db/job.statements.sql"),
        ("page", "docs/jobs.md"),
    ] {
        let text = fs::read_to_string(folder.path().join(path)).unwrap().replace("\r\n", "\n");
        insta::assert_snapshot!(name, text);
    }
    assert_eq!(run(&folder, Mode::Check).status, Status::Clean);
    // An edge less, and the script is out of date.
    let spec = folder.path().join("machines/run_job.yaml");
    let text = fs::read_to_string(&spec).unwrap();
    fs::write(&spec, text.replace("to: [running, complete, failed]", "to: [running, failed]")).unwrap();
    let report = run(&folder, Mode::Check);
    assert!(report.status == Status::Findings && report.text.contains("db/job.sql"), "{}", report.text);
}

#[test]
fn the_table_of_a_store_is_a_constant() {
    let more = "version = \"rev\"\njournal = true\ncolumns = { lease_expires_at = \"locked_until\" }\nvalues = { queued = \"pending\" }\n\
                store = { out = \"src/jobs.rs\", key = [\"uuid\"] }\n";
    let order = "[[database]]\nmachine = \"order\"\nengine = \"sqlite\"\nout = \"db/order.sql\"\ntable = \"orders\"\nkey = [\"shop\", \"number\"]\n\
                 state = \"state\"\nversion = \"version\"\ncolumns = { extended = \"extended\" }\n\
                 store = { out = \"src/orders.rs\", key = [\"text\", \"integer\"], rest = \"rest\", timers = \"timers\", next_due = \"next_due\" }\n";
    let elevator = "[[database]]\nmachine = \"elevator\"\nengine = \"postgresql\"\nout = \"db/elevator.sql\"\ntable = \"elevators\"\nkey = \"id\"\n\
                    state = \"state\"\nkind = \"enum\"\nversion = \"version\"\ncolumns = { floor = \"floor\" }\n\
                    store = { out = \"src/elevators.rs\", rest = \"rest\", timers = \"timers\", next_due = \"next_due\" }\n";
    let folder = project(&format!("{}{LEASE}{order}{elevator}", section(more)));
    let machine = "machines/order.yaml";
    fs::copy(format!("{}/../{machine}", env!("CARGO_MANIFEST_DIR")), folder.path().join(machine)).unwrap();
    let report = run(&folder, Mode::Write { force: false });
    assert_eq!(report.status, Status::Clean, "{}", report.text);
    for (name, path) in [
        ("store", "src/jobs.rs"),
        ("store_with_timers", "src/orders.rs"),
        ("store_with_regions", "src/elevators.rs"),
        ("store_script", "db/order.sql"),
    ] {
        let text = fs::read_to_string(folder.path().join(path)).unwrap().replace("\r\n", "\n");
        // Of the script, what the store needs.
        let text = if name == "store_script" {
            text[text.find("CREATE TABLE IF NOT EXISTS \"statespec_order_outbox\"").unwrap()..].to_owned()
        } else {
            text
        };
        insta::assert_snapshot!(name, text);
    }
}

/// The tests of the store compile these constants, and run these scripts. `UPDATE_EMITTED=1` writes them.
#[test]
fn the_tables_of_the_tests_of_the_store_are_emitted() {
    let mut configuration = String::new();
    for engine in ["sqlite", "postgresql"] {
        configuration.push_str(&format!(
            "[[database]]\nmachine = \"elevator\"\nengine = \"{engine}\"\nout = \"elevator_{engine}.sql\"\ntable = \"elevators\"\nkey = \"id\"\n\
             state = \"state\"\nversion = \"version\"\ncolumns = {{ floor = \"floor\", destination = \"destination\" }}\njournal = true\n\
             store = {{ out = \"elevator_{engine}.rs\", timers = \"timers\", next_due = \"next_due\" }}\n"
        ));
    }
    let folder = project(&configuration);
    let report = run(&folder, Mode::Write { force: false });
    assert_eq!(report.status, Status::Clean, "{}", report.text);
    let checked_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/store/tests/tables");
    let mut stale = Vec::new();
    for name in ["elevator_sqlite.rs", "elevator_sqlite.sql", "elevator_postgresql.rs", "elevator_postgresql.sql"] {
        let text = fs::read_to_string(folder.path().join(name)).unwrap().replace("\r\n", "\n");
        // Without the header: no output of this repository has the path.
        let (_, text) = text.split_once("\n\n").unwrap();
        let path = checked_in.join(name);
        if std::env::var_os("UPDATE_EMITTED").is_some() {
            fs::write(&path, text).unwrap();
        }
        if fs::read_to_string(&path).is_ok_and(|it| it.replace("\r\n", "\n") == text) {
            continue;
        }
        stale.push(name);
    }
    assert!(stale.is_empty(), "{stale:?} say something else than the emitter: run with UPDATE_EMITTED=1");
}

#[test]
fn what_does_not_fit_the_model_is_reported_in_the_configuration() {
    for (configuration, place, message, help) in [
        (section("").replace("run_job", "run_jobs"), "2:11", "there is no machine `run_jobs`", "did you mean `run_job`?"),
        (
            section("").replace("run_job", "mission_hop"),
            "2:11",
            "`mission_hop` is a system, and a table has the instances of one of its parts",
            "name one of its machines (`hop`, `mission`), and say the part: `part = \"mission_hop.…\"`",
        ),
        (section("columns = { lease = \"a\" }"), "8:13", "the context of `run_job` has no field `lease`", "lease_expires_at"),
        (section("units = { lease_expires_at = \"s\" }"), "8:11", "`lease_expires_at` has no column", "write `columns"),
        (section("values = { queud = \"a\" }"), "8:12", "a row of `run_job` is in no state `queud`", "did you mean `queued`?"),
        (section("values = { queued = \"failed\" }"), "2:11", "two states are stored as `failed`", "give each state a value of its own"),
        (
            section("kind = \"integer\""),
            "2:11",
            "`queued` is no whole number, and the column has numbers",
            "write the number of each state",
        ),
        (section("clock = \"reclaim.time\""), "8:9", "no event of `run_job` carries `reclaim.time`", "such as `reclaim.now`"),
        (
            section("journal = true").replace("\"id\"", "\"event\""),
            "2:11",
            "the journal has a column `event` of its own",
            "rename the column",
        ),
        (
            section("part = \"mission_hop.hop\""),
            "8:8",
            "`mission_hop.hop` is no part of a system with the machine `run_job`",
            "remove `part`: no system has this machine",
        ),
        (
            section("part = \"mission_hop.hop\"").replace("run_job", "mission"),
            "8:8",
            "`mission_hop.hop` is no part of a system with the machine `mission`",
            "write the system and the part: `mission_hop.mission`",
        ),
        (section("payload = \"claim.until\""), "8:11", "only a journal records a payload", "write `journal = true`"),
        (
            section("journal = true\npayload = [\"claim.until\", \"claim.til\"]"),
            "9:27",
            "no event of `run_job` carries `claim.til`",
            "such as `claim.until`",
        ),
        (section("timers = { claim = \"due_at\" }"), "8:12", "`run_job` has no timer `claim`", ""),
        (section("version = \"a\\u0007\""), "2:11", "cannot stand in a script of SQL", "use letters, digits and signs"),
        (
            section("store = { out = \"a.rs\", rest = \"rest\" }"),
            "8:17",
            "a store compares versions, and the table has none",
            "write `version",
        ),
        (
            section("version = \"rev\"\nstore = { out = \"a.rs\" }"),
            "9:17",
            "no column has the field `lease_expires_at` of `run_job`",
            "write `rest = \"…\"` in `store`, or `columns = { lease_expires_at",
        ),
        (
            section("version = \"rev\"\nstore = { out = \"a.rs\", rest = \"r\", timers = \"t\" }"),
            "9:46",
            "`run_job` has no timers",
            "remove `timers`",
        ),
        (
            section("version = \"rev\"\nstore = { out = \"a.rs\", rest = \"r\", key = [\"text\", \"text\"] }"),
            "9:44",
            "`key` has 2 kinds, and the key 1 columns",
            "name the kind of each column",
        ),
    ] {
        let report = run(&project(&configuration), Mode::Check);
        assert_eq!(report.status, Status::CouldNotRun, "{}", report.text);
        assert!(report.text.contains(&format!("statespec.toml:{place}")), "{place}: {}", report.text);
        assert!(report.text.contains(message) && report.text.contains(help), "{message}: {}", report.text);
    }
}

/// The names of a lease, as `statespec.toml` has them.
const LEASE: &str = "lease = { expires = \"lease_expires_at\", claim = \"claim\", renew = \"renew\", reclaim = \"reclaim\" }\n";

/// What a check says about `run_job` with a lease, once the spec is changed.
fn leased(edits: &[(&str, &str)]) -> String {
    let folder = project(&section(LEASE));
    let spec = folder.path().join("machines/run_job.yaml");
    let mut text = fs::read_to_string(&spec).unwrap();
    for (old, new) in edits {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    fs::write(&spec, text).unwrap();
    run(&folder, Mode::Write { force: false }).text
}

/// The states that only their holder leaves, in the words of the warnings.
fn stranded(said: &str) -> Vec<&str> {
    said.lines().filter_map(|it| it.strip_prefix("warning[database::stranded]: ")).collect()
}

#[test]
fn states_that_only_the_holder_of_a_lease_leaves_are_found() {
    assert_eq!(stranded(&leased(&[])), [""; 0]);
    let nobody = ": if the holder dies there, nobody takes over";
    let claimed = "only its holder leaves `claimed`";
    let running = "only its holder leaves `running`";
    let from_claimed = (
        "from: claimed, event: reclaim, when: lease_expires_at == null or lease_expires_at < now, set",
        "from: running, event: reclaim, when: lease_expires_at == null or lease_expires_at < now, set",
    );
    let gone = (
        "from: running, event: reclaim, when: lease_expires_at == null, to",
        "from: running, event: reclaim, when: lease_expires_at != null and lease_expires_at > now and lease_expires_at < now, to",
    );
    // A worker dies before it runs the job; and after a reclaim, which takes the lease away that the guard asks for.
    assert_eq!(stranded(&leased(&[from_claimed])), [format!("{claimed}{nobody}")]);
    let said =
        leased(&[gone, ("lease_expires_at == null or lease_expires_at < now", "lease_expires_at != null and lease_expires_at < now")]);
    assert_eq!(
        stranded(&said),
        [format!("{claimed} once `lease_expires_at` is null{nobody}"), format!("{running} once `lease_expires_at` is null{nobody}")]
    );
    assert!(said.contains("let a row of `reclaim` lead from `claimed` where `lease_expires_at == null`"), "{said}");
    let said = leased(&[("lease_expires_at == null or lease_expires_at < now", "lease_expires_at == null")]);
    assert_eq!(stranded(&said), [format!("{claimed} while `lease_expires_at` is set{nobody}")]);
    // A row that refuses comes first.
    let refuse = "  - { from: running, event: reclaim, when: lease_expires_at != null and lease_expires_at < now";
    let first = format!("  - {{ from: running, event: reclaim, refuse: never }}\n{refuse}");
    assert_eq!(stranded(&leased(&[(refuse, &first)])), [format!("{running}{nobody}")]);
    // A timer, an automatic row or a claim leads on without the holder.
    let row = "  - { from: claimed, to: [running, complete, failed] }";
    let timer = ("events:\n", "events:\n  give_up: { timer: { in: claimed, after: 1h } }\n");
    let given = format!("{row}\n  - {{ from: claimed, event: give_up, to: failed }}");
    assert_eq!(stranded(&leased(&[from_claimed, timer, (row, &given)])), [""; 0]);
    let free = format!("{row}\n  - {{ from: claimed, event: claim, set: {{ lease_expires_at: until }} }}");
    assert_eq!(stranded(&leased(&[from_claimed, (row, &free)])), [""; 0]);
}

#[test]
fn names_of_a_lease_that_do_not_fit_are_reported_at_their_places() {
    let lease = |old: &str, new: &str| section(&LEASE.replace(old, new));
    for (configuration, place, message, help) in [
        (lease("\"lease_expires_at\"", "\"lease\""), "8:21", "the context of `run_job` has no field `lease`", "lease_expires_at"),
        (lease("claim = \"claim\"", "claim = \"claims\""), "8:49", "`run_job` has no event `claims`", "did you mean `claim`?"),
        (
            lease("renew = \"renew\"", "renew = [\"renew\", \"claim\"]"),
            "8:76",
            "`claim` stands in `lease` already",
            "claims, renews or reclaims",
        ),
        (section(LEASE).replace("run_job", "elevator"), "8:21", "the context of `elevator` has no field `lease_expires_at`", ""),
        (
            section("lease = { expires = \"nudge_failures\", claim = \"start\", reclaim = \"stop\" }").replace("run_job", "mysis"),
            "8:21",
            "`nudge_failures` is no timestamp",
            "name the field that says when a lease ends",
        ),
        (
            section("lease = { expires = \"nudge_failures\", claim = \"nudge\", reclaim = \"stop\" }").replace("run_job", "mysis"),
            "8:47",
            "no row of `nudge` sets `nudge_failures`",
            "or remove it from `claim`",
        ),
        (section("lease = { expires = \"lease_expires_at\", claim = \"claim\" }"), "8:11", "`lease` needs the key `reclaim`", ""),
        (section("lease = \"lease_expires_at\""), "8:9", "expected `lease` (a map), found a text", ""),
        (section("migrations = { out = \"m\", style = \"flywy\" }"), "8:35", "`style` cannot be `flywy`", "did you mean `flyway`?"),
        (section("migrations = { out = \"../m\" }"), "8:22", "`../m` is no path in the project", "from the project's root on"),
        (section("migrations = { style = \"sqlx\" }"), "8:16", "`migrations` needs the key `out`", ""),
        (section("migrations = \"m\""), "8:14", "expected `migrations` (a map), found a text", ""),
    ] {
        let report = run(&project(&configuration), Mode::Check);
        assert_eq!(report.status, Status::CouldNotRun, "{}", report.text);
        assert!(report.text.contains(&format!("statespec.toml:{place}")), "{place}: {}", report.text);
        assert!(report.text.contains(message) && report.text.contains(help), "{message}: {}", report.text);
    }
    let folder = project(&section(LEASE));
    let spec = folder.path().join("machines/run_job.yaml");
    let text = fs::read_to_string(&spec).unwrap();
    fs::write(
        &spec,
        text.replace("from: [claimed, running], event: renew, set: { lease_expires_at: until }", "from: [claimed, running], event: renew"),
    )
    .unwrap();
    let report = run(&folder, Mode::Check);
    assert!(report.status == Status::CouldNotRun && report.text.contains("no row of `renew` sets `lease_expires_at`"), "{}", report.text);
}
