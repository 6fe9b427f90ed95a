//! A server of PostgreSQL for the tests: on the loopback, in a folder of its own, as a user without rights.

use std::io::Read as _;
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use postgres::{Client, NoTls};

use crate::checks::{Missing, needed};

/// A running server. It ends with the process of the tests, however that ends.
pub(crate) struct Server {
    /// The shell around the server: it waits until its input ends, as it does when the tests are over.
    shell: Child,
    port: u16,
    n_databases: Mutex<u32>,
}

/// Runs a server until the input ends. A line of the input stops it at once, starts it, or does both; nothing of it must reach the disk.
const UNTIL_THE_END: &str = r#"folder=$1; shift; "$@" <&- & server=$!
while read -r what; do
  [ $what = start ] || { kill -QUIT $server; wait $server; }
  [ $what = stop ] || { "$@" <&- & server=$!; }
done
kill -QUIT $server; wait $server; rm -rf "$folder""#;

/// The server, which all tests share; `None` where PostgreSQL is not installed.
pub(crate) fn server(check: &str) -> Option<Arc<Server>> {
    static RUNNING: OnceLock<Arc<Server>> = OnceLock::new();
    let programs = needed(check, programs())?;
    Some(Arc::clone(RUNNING.get_or_init(|| Arc::new(start(&programs)))))
}

/// A server of one test, which may stop it; `None` where PostgreSQL is not installed.
#[allow(dead_code, reason = "not every program of tests asks")]
pub(crate) fn private(check: &str) -> Option<Server> {
    Some(start(&needed(check, programs())?))
}

impl Server {
    /// Stops the server at once, as a crash does, and starts it again.
    #[allow(dead_code, reason = "not every program of tests asks")]
    pub(crate) fn crash(&self) {
        self.tell("again");
    }

    /// Stops the server at once.
    #[allow(dead_code, reason = "not every program of tests asks")]
    pub(crate) fn stop(&self) {
        self.tell("stop");
    }

    /// Starts the server that was stopped.
    #[allow(dead_code, reason = "not every program of tests asks")]
    pub(crate) fn start(&self) {
        self.tell("start");
    }

    fn tell(&self, what: &str) {
        use std::io::Write as _;
        writeln!(self.shell.stdin.as_ref().unwrap(), "{what}").unwrap();
    }

    /// A connection to a new database.
    pub(crate) fn database(&self) -> (Client, String) {
        let mut n_databases = self.n_databases.lock().unwrap();
        *n_databases += 1;
        let name = format!("test_{n_databases}");
        self.connect("postgres").unwrap().batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
        (self.connect(&name).unwrap(), name)
    }

    /// The name of a new database with what another one has, to which nobody is connected.
    #[allow(dead_code, reason = "not every program of tests asks")]
    pub(crate) fn copy(&self, of: &str) -> String {
        let mut n_databases = self.n_databases.lock().unwrap();
        *n_databases += 1;
        let name = format!("test_{n_databases}");
        self.connect("postgres").unwrap().batch_execute(&format!("CREATE DATABASE {name} TEMPLATE {of}")).unwrap();
        name
    }

    /// A connection to a database.
    pub(crate) fn connect(&self, database: &str) -> Result<Client, postgres::Error> {
        Client::connect(&self.url(database), NoTls)
    }

    #[allow(dead_code, reason = "not every program of tests asks")]
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn url(&self, database: &str) -> String {
        format!("host=127.0.0.1 port={} user=postgres dbname={database}", self.port)
    }

    /// The same address as one word.
    #[allow(dead_code, reason = "not every program of tests asks")]
    pub(crate) fn uri(&self, database: &str) -> String {
        format!("postgresql://postgres@127.0.0.1:{}/{database}", self.port)
    }
}

/// The folder of the programs: that of `PATH`, or the newest of Debian's.
fn programs() -> Result<PathBuf, Missing> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let debian = (14..=30).rev().map(|it| PathBuf::from(format!("/usr/lib/postgresql/{it}/bin")));
    let found = std::env::split_paths(&path).chain(debian).find(|it| it.join("initdb").is_file() && it.join("postgres").is_file());
    found.ok_or_else(|| Missing::new("there is no server of PostgreSQL", "on Debian, `apt-get install postgresql`"))
}

/// The user that runs the server: the server refuses to be run by root.
pub(crate) fn user() -> Option<(u32, u32)> {
    let id = Command::new("id").arg("-u").output().unwrap().stdout;
    if String::from_utf8_lossy(&id).trim() != "0" {
        return None;
    }
    let users = std::fs::read_to_string("/etc/passwd").unwrap();
    let fields = users.lines().map(|it| it.split(':').collect::<Vec<_>>()).find(|it| it[0] == "nobody").unwrap();
    Some((fields[2].parse().unwrap(), fields[3].parse().unwrap()))
}

fn start(programs: &Path) -> Server {
    let folder = tempfile::tempdir().unwrap();
    let user = user();
    if let Some((user, group)) = user {
        std::os::unix::fs::chown(folder.path(), Some(user), Some(group)).unwrap();
    }
    let home = folder.path().to_owned();
    let command = |program: &Path| {
        let mut command = Command::new(program);
        if let Some((user, group)) = user {
            command.uid(user).gid(group);
        }
        command.current_dir(&home).stdin(Stdio::null());
        command
    };
    let data = home.join("data");
    let made = command(&programs.join("initdb"))
        .args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--pgdata"])
        .arg(&data)
        .output()
        .unwrap();
    assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    // The shell removes the folder.
    let folder = folder.keep();
    let shell = command(Path::new("sh"))
        .args(["-c", UNTIL_THE_END, "sh"])
        .arg(&folder)
        .arg(programs.join("postgres"))
        .arg("-D")
        .arg(&data)
        .args(["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off", "-c"])
        .arg(format!("port={port}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut server = Server { shell, port, n_databases: Mutex::new(0) };
    let mut log = server.shell.stderr.take().unwrap();
    for _ in 0..300 {
        if server.connect("postgres").is_ok() {
            // It logs every refused write: nobody reads that, and a full pipe would stop it.
            std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
            return server;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    drop(server);
    let mut said = String::new();
    let _ = log.read_to_string(&mut said);
    panic!("the server did not start: {said}");
}
