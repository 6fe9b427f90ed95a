//! PostgreSQL: the processor time of the server, and the steps that several clients make in a second.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use postgres::{Client, Statement};
use statespec_sql::Engine;

use crate::Effort;
use crate::page::Row;
use crate::server::Server;
use crate::setting::{Contender, STATES, ratios};

/// The processor time of the server in seconds: of the process of this connection, and of those that all connections share.
fn cpu(client: &mut Client) -> f64 {
    let sql = "SELECT pid FROM pg_stat_activity WHERE pid = pg_backend_pid() OR backend_type IN \
               ('walwriter', 'background writer', 'checkpointer')";
    let of = |pid: i32| {
        let text = std::fs::read_to_string(format!("/proc/{pid}/schedstat")).expect("the kernel counts the time of processes");
        text.split(' ').next().and_then(|it| it.parse::<f64>().ok()).expect("its first word is a number")
    };
    client.query(sql, &[]).expect("the server answers").iter().map(|row| of(row.get(0))).sum::<f64>() / 1e9
}

/// A database of its own for a contender; its name.
fn made(server: &Server, contender: Contender, n_rows: i64) -> String {
    let (mut client, name) = server.database();
    let table = format!(
        "CREATE TABLE jobs (id bigint PRIMARY KEY, status text NOT NULL, priority int NOT NULL, payload text NOT NULL)
         WITH (fillfactor = 50, autovacuum_enabled = false);
         INSERT INTO jobs SELECT i, '{}', 0, repeat('x', 80) FROM generate_series(1, {n_rows}) AS i;",
        STATES[0]
    );
    client.batch_execute(&table).expect("the table is made");
    client.batch_execute(&format!("BEGIN; {} COMMIT", contender.script(Engine::Postgres))).expect("the guard is attached");
    name
}

/// A connection of a contender, with its statements.
struct Session {
    contender: Contender,
    client: Client,
    update: Statement,
    /// What runs before the update, or after it.
    other: Option<Statement>,
}

impl Session {
    fn new(server: &Server, contender: Contender, database: &str) -> Session {
        let mut client = server.connect(database).expect("the server is there");
        let mut prepare = |sql: &str| client.prepare(sql).expect("it is SQL");
        let update = prepare("UPDATE jobs SET status = $1 WHERE id = $2 AND status = $3");
        let other = match contender {
            Contender::OwnJournal => {
                Some(prepare("INSERT INTO history (id, from_state, to_state, event, actor) VALUES ($1, $2, $3, 'claim', 'worker-1')"))
            }
            Contender::ToldJournal => {
                Some(prepare("SELECT set_config('statespec.event', 'claim', true), set_config('statespec.actor', 'worker-1', true)"))
            }
            _ => None,
        };
        Session { contender, client, update, other }
    }

    fn run(&mut self, sql: &str) {
        self.client.batch_execute(sql).expect("it runs");
    }

    fn step(&mut self, id: i64, from: &str, to: &str) {
        if let (Contender::ToldJournal, Some(told)) = (self.contender, &self.other) {
            self.client.query(told, &[]).expect("the transaction is told");
        }
        assert_eq!(self.client.execute(&self.update, &[&to, &id, &from]).expect("a legal step"), 1);
        if let (Contender::OwnJournal, Some(insert)) = (self.contender, &self.other) {
            self.client.execute(insert, &[&id, &from, &to]).expect("the journal is written");
        }
    }

    /// A step of every row; the processor time of the server.
    fn turn(&mut self, n_rows: i64, at: usize, is_one: bool) -> f64 {
        let (from, to) = (STATES[at % 2], STATES[(at + 1) % 2]);
        let has_own = !is_one && self.contender.has_several();
        let before = cpu(&mut self.client);
        if is_one {
            self.run("BEGIN");
        }
        for id in 1..=n_rows {
            if has_own {
                self.run("BEGIN");
            }
            self.step(id, from, to);
            if has_own {
                self.run("COMMIT");
            }
        }
        if is_one {
            self.run("COMMIT");
        }
        let took = cpu(&mut self.client) - before;
        self.run("VACUUM jobs");
        took
    }
}

pub(crate) fn measure(server: &Server, effort: Effort) -> Vec<Row> {
    let all = Contender::ALL;
    let mut rows = Vec::new();
    for (is_one, each, reach) in [(false, "each step a transaction", "1.60"), (true, "all steps in a transaction", "1.15")] {
        let mut sessions = all.map(|it| Session::new(server, it, &made(server, it, effort.n_rows)));
        let mut seconds = all.map(|_| Vec::new());
        for at in 0..=effort.n_turns {
            // Nobody is always the first.
            for idx in (0..all.len()).map(|it| (it + at) % all.len()) {
                let took = sessions[idx].turn(effort.n_rows, at, is_one);
                // The first turn fills caches.
                if at > 0 {
                    seconds[idx].push(took);
                }
            }
        }
        let mut row = |what: &str, reach, these: usize, those: usize| {
            let what = format!("PostgreSQL, {what}, processor time of the server, {each}");
            rows.push(Row { what, reach, unit: "", values: ratios(&seconds[these], &seconds[those]) });
        };
        row("guard against the bare update", reach, 1, 0);
        row("guard and journal against a journal of the program", "0.90", 3, 2);
        row("the same, told the event and the actor", "", 4, 2);
    }
    rows.extend([4, 16].map(|n_clients| throughput(server, effort, n_clients)));
    rows
}

/// The steps that some clients make, with the guard against without.
fn throughput(server: &Server, effort: Effort, n_clients: i64) -> Row {
    let both = [Contender::Bare, Contender::Guard];
    let databases = both.map(|it| made(server, it, effort.n_rows));
    let mut steps = both.map(|_| Vec::new());
    for at in 0..effort.n_turns.min(9) {
        for idx in [at % 2, (at + 1) % 2] {
            steps[idx].push(clients(server, both[idx], &databases[idx], effort, n_clients));
        }
    }
    let what = format!("PostgreSQL, steps in a second of {n_clients} clients, with the guard against without");
    Row { what, reach: "at least 0.80", unit: "", values: ratios(&steps[1], &steps[0]) }
}

/// The steps in a second. Each client has its share of the rows, and each step is a transaction.
fn clients(server: &Server, contender: Contender, database: &str, effort: Effort, n_clients: i64) -> f64 {
    let first = Session::new(server, contender, database);
    let mut client = first.client;
    client.batch_execute(&format!("UPDATE jobs SET status = '{0}' WHERE status <> '{0}'", STATES[0])).expect("all begin alike");
    client.batch_execute("VACUUM jobs").expect("it runs");
    let ready = Barrier::new(usize::try_from(n_clients).expect("a small number"));
    let n_steps: u64 = std::thread::scope(|scope| {
        let all: Vec<_> = (0..n_clients)
            .map(|client| {
                let ready = &ready;
                scope.spawn(move || {
                    let mut session = Session::new(server, contender, database);
                    ready.wait();
                    let begin = Instant::now();
                    let (mut n_steps, mut at) = (0, 0);
                    loop {
                        for id in (1..=effort.n_rows).filter(|it| it % n_clients == client) {
                            if begin.elapsed() >= Duration::from_secs_f64(effort.seconds) {
                                return n_steps;
                            }
                            session.step(id, STATES[at % 2], STATES[(at + 1) % 2]);
                            n_steps += 1;
                        }
                        at += 1;
                    }
                })
            })
            .collect();
        all.into_iter().map(|it| it.join().expect("the client ends")).sum()
    });
    n_steps as f64 / effort.seconds
}
