//! What `db migrate` writes for alembic, run by alembic.

use std::process::Command;

use rusqlite::Connection;
use statespec_sql::{Engine, File, Step, Style};

use crate::checks::{alembic, needed};
use crate::drivers::migrated;
use crate::tables::Database;

#[test]
fn alembic_runs_what_is_written_for_it() {
    let Some(program) = needed("alembic", alembic()) else { return };
    let first = "from alembic import op\n\nrevision = \"0001\"\ndown_revision = None\n\n\ndef upgrade():\n    op.execute(\"CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT NOT NULL)\")\n\n\ndef downgrade():\n    op.execute(\"DROP TABLE jobs\")\n";
    let beside = |revision: &str, before: &str| {
        format!("revision = \"{revision}\"\ndown_revision = {before}\n\n\ndef upgrade():\n    pass\n\n\ndef downgrade():\n    pass\n")
    };
    // Two branches, and the revision that merges them.
    let (left, right, merge) =
        (beside("left", "\"0001\""), beside("right", "\"0001\""), beside("merge", "(\n    \"left\",\n    \"right\",\n)"));
    let project = migrated(
        "alembic",
        "migrations/versions",
        &[("0001_jobs.py", first), ("left.py", &left), ("right.py", &right), ("merge.py", &merge)],
    );
    project.put("alembic.ini", "[alembic]\nscript_location = migrations\n");
    project.put(
        "migrations/env.py",
        "from alembic import context\nfrom sqlalchemy import create_engine\n\nwith create_engine(\"sqlite:///app.db\").connect() as connection:\n    \
         context.configure(connection=connection, transaction_per_migration=True)\n    with context.begin_transaction():\n        context.run_migrations()\n",
    );
    let alembic = |words: &str| {
        let done = Command::new(&program).args(words.split(' ')).current_dir(project.folder.path()).output().unwrap();
        (done.status.success(), String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr))
    };
    let run = |words: &str| {
        let (is_done, said) = alembic(words);
        assert!(is_done, "{words}: {said}");
    };
    let sqlite = || Connection::open(project.folder.path().join("app.db")).unwrap();
    run("upgrade merge");
    run("upgrade +1");
    sqlite().run("INSERT INTO jobs VALUES (1, 'queued'), (2, 'queued'); UPDATE jobs SET status = 'claimed' WHERE id = 2").unwrap();
    run("upgrade +2");
    // A row in a removed state stops the last step.
    sqlite().run("UPDATE jobs SET status = 'failed' WHERE id = 2").unwrap();
    let (is_done, said) = alembic("upgrade head");
    assert!(!is_done && said.contains("rows have a removed value of status"), "{said}");
    sqlite().run("DELETE FROM jobs WHERE id = 2").unwrap();
    run("upgrade head");
    assert_eq!(sqlite().ask("SELECT status FROM jobs"), Some("waiting".to_owned()));
    sqlite().run("INSERT INTO jobs VALUES (3, 'queued')").unwrap_err();
    run("downgrade -3");
    sqlite().run("INSERT INTO jobs VALUES (3, 'queued')").unwrap();
}

/// The revision before the one that is written, as its file has it; the other files of the folder have these texts.
fn before(texts: &[&str]) -> Result<String, String> {
    let step = Step { name: "move", when: "At once.", up: Vec::new(), down: Vec::new() };
    let present: Vec<File> = texts.iter().enumerate().map(|(idx, it)| (format!("{idx}.py"), (*it).to_owned())).collect();
    let files = Style::Alembic.files(Engine::Sqlite, "job", &[step], &present)?;
    Ok(files[0].1.lines().find_map(|it| it.strip_prefix("down_revision = ")).unwrap().to_owned())
}

#[test]
fn a_revision_that_no_other_one_follows_is_the_head() {
    let beside = |of: &str| before(&["revision = 'a'\ndown_revision = None\n", "revision = \"b\"\ndown_revision = 'a'\n", of]);
    let follows = |down: &str| beside(&format!("revision: str = 'c'\ndown_revision{down}\n")).unwrap_or_else(|it| it);
    let two = |heads: &str| format!("alembic has 2 heads ({heads}): merge them first");
    assert_eq!(before(&[]).as_deref(), Ok("None"));
    assert_eq!(follows(" = 'b'  # 'a'"), "\"c\"");
    assert_eq!(follows(" = 'a'  # 'b'"), two("b, c"));
    assert_eq!(follows(": Union[str, None] = \"b\""), "\"c\"");
    assert_eq!(follows(" = None\nx = 'b'"), two("b, c"));
    assert_eq!(follows(": tuple[str, ...] = (\n    'a',\n    \"b\",\n)\nx = 'c'"), "\"c\"");
    assert_eq!(follows(" = ['a', 'b']"), "\"c\"");
    assert_eq!(beside("nothing = 'c'\n").as_deref(), Ok("\"b\""));
}
