//! Processes of a test: this program, started again in a role. One says what it does on its output; its parent kills it (`SIGKILL`),
//! and starts a successor.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration as Span;

use crate::kit::{Kit, Postgres, Sqlite, SqlxPostgres, SqlxSqlite, runtime};

/// The variable that makes this program a process of a test: its role, the driver, where the database is, its name, and its number.
const ROLE: &str = "STATESPEC_STORE_ROLE";

/// What a process is for, and where.
pub(crate) struct Post<'a> {
    pub(crate) role: &'static str,
    pub(crate) driver: &'static str,
    pub(crate) place: &'a str,
    pub(crate) name: String,
    /// Variables of the process.
    pub(crate) variables: &'a [(&'a str, String)],
}

/// What a parent does after it has heard a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    Listen,
    /// Kills the process, and starts a successor.
    Kill,
}

/// Numbers from a seed.
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn of(seed: u64) -> Self {
        Dice(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed + 1))
    }

    /// A number below this one.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    /// By chance, once in so many times.
    pub(crate) fn one_of(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

/// Says something to the parent.
pub(crate) fn say(what: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "process: {what}").and_then(|()| out.flush()).unwrap();
}

/// Waits for the kill.
pub(crate) fn die(fate: impl std::fmt::Debug) -> ! {
    say(&format!("dies {fate:?}"));
    loop {
        std::thread::sleep(Span::from_secs(60));
    }
}

impl Post<'_> {
    /// Starts a process with this number.
    pub(crate) fn start(&self, process: u64) -> Child {
        let Post { role, driver, place, name, variables } = self;
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "processes::process", "--nocapture"]).env(ROLE, format!("{role} {driver} {place} {name} {process}"));
        command.envs(variables.iter().map(|it| (it.0, it.1.as_str())));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap()
    }

    /// Keeps the post: each process that is killed has a successor, until one ends by itself. `heard` gets what is said.
    pub(crate) fn keep(&self, n_processes: &AtomicU64, heard: impl Fn(&str) -> Then) {
        loop {
            let mut child = self.start(n_processes.fetch_add(1, Ordering::Relaxed));
            if listen(child.stdout.take().unwrap(), &heard) == Then::Listen {
                let status = child.wait().unwrap();
                assert!(status.success(), "{}: {status}", self.name);
                return;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            sweep(child.id());
        }
    }
}

/// Removes the shared memory of a killed process whose clock was wrong.
fn sweep(process: u32) {
    for left in [format!("/dev/shm/faketime_shm_{process}"), format!("/dev/shm/sem.faketime_sem_{process}")] {
        match std::fs::remove_file(&left) {
            Err(err) if err.kind() != std::io::ErrorKind::NotFound => panic!("{left}: {err}"),
            _ => {}
        }
    }
}

/// Hears what a process says, to its end or until it is to be killed. A line that the kill has cut off was not said.
pub(crate) fn listen(said: ChildStdout, heard: impl Fn(&str) -> Then) -> Then {
    for line in BufReader::new(said).lines() {
        let line = line.unwrap();
        // The runner of tests writes before the first line without an end.
        if let Some((_, said)) = line.split_once("process: ")
            && heard(said) == Then::Kill
        {
            return Then::Kill;
        }
    }
    Then::Listen
}

/// What a process does; nothing where none was asked for.
#[test]
fn process() {
    let Ok(asked) = std::env::var(ROLE) else { return };
    let [role, driver, place, name, process] = asked.split(' ').collect::<Vec<_>>()[..] else { panic!("{asked}") };
    let process = process.parse().unwrap();
    match driver {
        "rusqlite" => statespec_store::wait(act(&Sqlite::at(place), role, name, process)),
        "sqlx-sqlite" => runtime().block_on(act(&SqlxSqlite(Sqlite::at(place)), role, name, process)),
        "tokio-postgres" => runtime().block_on(act(&Postgres::at(place), role, name, process)),
        "sqlx-postgres" => runtime().block_on(act(&SqlxPostgres(Postgres::at(place)), role, name, process)),
        other => panic!("{other}"),
    }
    say("done");
}

async fn act<K: Kit>(kit: &K, role: &str, name: &str, process: u64) {
    match role {
        "worker" => crate::workers::work(kit, name, process).await,
        "kills" => crate::kills::work(kit, name, process).await,
        "pool" => crate::systems::pool::work(kit, name, process).await,
        "supervisor" => crate::systems::supervisor::supervise(kit, name, process).await,
        other => panic!("{other}"),
    }
}
