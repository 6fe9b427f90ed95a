//! pgbouncer in transaction mode: each transaction has the session that is free, and another client has it next.

use std::collections::BTreeSet;
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration as Span;

use statespec_store::{Connection as _, Database, Error};

use crate::checks::{Missing, needed};
use crate::kit::{Kit, Postgres, SqlxPostgres, runtime};
use crate::server::user;

/// Runs it until the input ends, as it does when the tests are over, however they end.
const UNTIL_THE_END: &str = r#""$@" <&- & pooler=$!; read -r _; kill -KILL $pooler; wait $pooler"#;

struct Pooler {
    port: u16,
    shell: Child,
    _folder: tempfile::TempDir,
}

impl Drop for Pooler {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }
}

/// The program: in `PATH`, or where Debian has it.
fn program() -> Result<PathBuf, Missing> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    let found = folders.find_map(|it| Some(it.join("pgbouncer")).filter(|it| it.is_file()));
    found.ok_or_else(|| Missing::new("there is no `pgbouncer`", "on Debian, `apt-get install pgbouncer`"))
}

/// A pooler in front of a server.
fn pooler(program: &PathBuf, server: u16) -> Pooler {
    let folder = tempfile::tempdir().unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let file = folder.path().join("pgbouncer.ini");
    let text = format!(
        "[databases]\n* = host=127.0.0.1 port={server} user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
         unix_socket_dir =\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 3\nserver_round_robin = 1\n\
         ignore_startup_parameters = extra_float_digits\n"
    );
    std::fs::write(&file, text).unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", UNTIL_THE_END, "sh"]).arg(program).arg("--quiet").arg(&file);
    // It refuses to be run by root.
    if let Some((user, group)) = user() {
        for path in [folder.path(), &file] {
            std::os::unix::fs::chown(path, Some(user), Some(group)).unwrap();
        }
        command.uid(user).gid(group);
    }
    let shell = command.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let pooler = Pooler { port, shell, _folder: folder };
    for _ in 0..200 {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return pooler;
        }
        std::thread::sleep(Span::from_millis(20));
    }
    panic!("pgbouncer did not start");
}

/// A client that notes its session in each transaction.
struct Noting<D> {
    database: D,
    sessions: BTreeSet<String>,
    n_transactions: usize,
}

impl<D: Database> Database for Noting<D> {
    type Transaction<'c>
        = D::Transaction<'c>
    where
        Self: 'c;

    async fn begin(&mut self) -> Result<Self::Transaction<'_>, Error> {
        self.n_transactions += 1;
        let mut c = self.database.begin().await?;
        let session = c.query("SELECT pg_backend_pid()::text", &[]).await?;
        self.sessions.extend(session[0][0].clone());
        Ok(c)
    }

    async fn commit<'c>(c: Self::Transaction<'c>) -> Result<(), Error>
    where
        Self: 'c,
    {
        D::commit(c).await
    }
}

/// Lives through a pooler, while other clients take sessions as well.
async fn lives_through_a_pooler<K: Kit>(kit: &K, pooled: &Postgres) {
    let others = [pooled.open().await, pooled.open().await].map(|other| {
        tokio::spawn(async move {
            while other.batch_execute("BEGIN; SELECT pg_sleep(0.002); COMMIT").await.is_ok() {
                tokio::time::sleep(Span::from_millis(1)).await;
            }
        })
    });
    let mut database = Noting { database: kit.open().await, sessions: BTreeSet::new(), n_transactions: 0 };
    crate::crash::lives(kit, &mut database).await;
    others.iter().for_each(tokio::task::JoinHandle::abort);
    assert!(database.n_transactions > 20 && database.sessions.len() > 1, "{:?}", database.sessions);
}

#[test]
fn pgbouncer_may_give_another_session() {
    let Some(program) = needed("the store through pgbouncer", program()) else { return };
    let Some((first, second)) = Postgres::new().zip(Postgres::new()) else { return };
    let pooler = pooler(&program, first.port());
    runtime().block_on(async {
        let pooled = first.through(pooler.port);
        lives_through_a_pooler(&pooled, &pooled).await;
        let pooled = second.through(pooler.port);
        lives_through_a_pooler(&SqlxPostgres(second.through(pooler.port)), &pooled).await;
    });
}
