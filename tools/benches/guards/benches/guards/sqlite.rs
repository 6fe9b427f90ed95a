//! SQLite: a file with a write-ahead log, as `synchronous = NORMAL` has it.

use rusqlite::{Connection, params};
use rustix::time::{ClockId, clock_gettime};
use statespec_sql::Engine;

use crate::Effort;
use crate::page::Row;
use crate::setting::{Contender, STATES, ratios};

/// The processor time of this thread, in seconds.
fn cpu() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn open(path: &std::path::Path, contender: Contender, n_rows: i64) -> Connection {
    let connection = Connection::open(path).expect("a new file");
    let rows = format!(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
         CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT NOT NULL, priority INTEGER NOT NULL, payload TEXT NOT NULL);
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {n_rows})
         INSERT INTO jobs SELECT i, '{}', 0, printf('%080d', i) FROM n;",
        STATES[0]
    );
    connection.execute_batch(&rows).expect("the table is made");
    connection.execute_batch(&format!("BEGIN; {} COMMIT", contender.script(Engine::Sqlite))).expect("the guard is attached");
    connection
}

/// A step of every row; the processor time of it.
fn turn(connection: &Connection, contender: Contender, n_rows: i64, at: usize, is_one: bool) -> f64 {
    let (from, to) = (STATES[at % 2], STATES[(at + 1) % 2]);
    let begin = |is: bool, sql: &str| {
        if is {
            connection.prepare_cached(sql).expect("it is SQL").execute([]).expect("the transaction goes on");
        }
    };
    let before = cpu();
    begin(is_one, "BEGIN IMMEDIATE");
    for id in 1..=n_rows {
        let has_own = !is_one && contender.has_several();
        begin(has_own, "BEGIN IMMEDIATE");
        let run = |sql: &str, values: &[&dyn rusqlite::ToSql]| {
            connection.prepare_cached(sql).expect("it is SQL").execute(values).expect("a legal step")
        };
        if contender == Contender::ToldJournal {
            run("INSERT INTO statespec_statement VALUES (1, ?1, ?2)", params!["claim", "worker-1"]);
        }
        let n_changed = run("UPDATE jobs SET status = ?1 WHERE id = ?2 AND status = ?3", params![to, id, from]);
        assert_eq!(n_changed, 1);
        match contender {
            Contender::OwnJournal => {
                let sql = "INSERT INTO history (id, from_state, to_state, at, event, actor) VALUES (?1, ?2, ?3, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), ?4, ?5)";
                run(sql, params![id, from, to, "claim", "worker-1"]);
            }
            Contender::ToldJournal => _ = run("DELETE FROM statespec_statement", params![]),
            _ => {}
        }
        begin(has_own, "COMMIT");
    }
    begin(is_one, "COMMIT");
    cpu() - before
}

pub(crate) fn measure(effort: Effort) -> Vec<Row> {
    let folder = tempfile::tempdir().expect("a folder");
    let all = Contender::ALL;
    let mut rows = Vec::new();
    for (is_one, each) in [(false, "each step a transaction"), (true, "all steps in a transaction")] {
        let open = |it: Contender| open(&folder.path().join(format!("{it:?}-{is_one}.db")), it, effort.n_rows);
        let connections = all.map(open);
        let mut seconds = all.map(|_| Vec::new());
        for at in 0..=effort.n_turns {
            // Nobody is always the first.
            for idx in (0..all.len()).map(|it| (it + at) % all.len()) {
                let took = turn(&connections[idx], all[idx], effort.n_rows, at, is_one);
                // The first turn fills caches.
                if at > 0 {
                    seconds[idx].push(took);
                }
            }
        }
        let mut row = |what: &str, reach, these: usize, those: usize| {
            let what = format!("SQLite, {what}, processor time, {each}");
            rows.push(Row { what, reach, unit: "", values: ratios(&seconds[these], &seconds[those]) });
        };
        // What a program usually does.
        let reach = |it| if is_one { "" } else { it };
        row("guard against the bare update", reach("1.10"), 1, 0);
        row("guard and journal against a journal of the program", reach("0.90"), 3, 2);
        row("the same, told the event and the actor", "", 4, 2);
    }
    rows
}
