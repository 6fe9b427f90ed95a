//! Databases with the tables of the tests, one for each test.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use statespec_lang::lower::load;
use statespec_lang::model::{EventId, FieldId, Machine, PayloadId};
use statespec_lang::source::Input;
use statespec_machines::{hop, mission, mysis, order, run_job};
use statespec_sql::{Births, Column as Mapped, Deletes, Engine as SqlEngine, Mapping, Table as SqlTable, guard};
use statespec_store::{Column, Connection as _, Database, Engine, Error, Kind, Lease, Request, Row, Step, Store, Table, TimerColumns};
use tokio_postgres::{Client, NoTls};

use crate::server::{Server, server};

pub(crate) type Jobs = Store<run_job::RunJob, run_job::State>;
pub(crate) type Myses = Store<mysis::Mysis<String>, mysis::State>;
pub(crate) type Orders = Store<order::Order, order::State, order::Timers>;
pub(crate) type Missions = Store<mission::Mission<i64>, mission::State>;
pub(crate) type Hops = Store<hop::Hop<i64>, hop::State>;

/// A database of a test.
pub(crate) trait Kit {
    type Database: Database + 'static;

    const ENGINE: Engine;

    /// A new connection, which waits for a file that is busy.
    async fn open(&self) -> Self::Database {
        self.open_for(Duration::from_secs(20)).await
    }

    /// A new connection, which waits so long for a file that is busy.
    async fn open_for(&self, wait: Duration) -> Self::Database;

    /// Runs statements.
    async fn run(&self, sql: &str);

    /// The rows of a query in a transaction of its own; every column must be a text on PostgreSQL.
    async fn ask(&self, sql: &str) -> Vec<Row> {
        let mut database = self.open().await;
        let mut c = database.begin().await.unwrap();
        let rows = c.query(sql, &[]).await.unwrap();
        Self::Database::commit(c).await.unwrap();
        rows
    }

    /// The error of a request that another transaction is in the way of.
    async fn contended(&self, jobs: &Jobs) -> Error {
        let (mut first, mut second) = (self.open().await, self.open_for(Duration::ZERO).await);
        let mut slow = first.begin().await.unwrap();
        if Self::ENGINE == Engine::Sqlite {
            return second.begin().await.map(drop).unwrap_err();
        }
        let request = || Request::new(1, Step::direct(|job: &mut run_job::RunJob| job.transition_to(run_job::State::Claimed)));
        slow.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", &[]).await.unwrap();
        jobs.load(&mut slow, &1.into()).await.unwrap();
        let mut fast = second.begin().await.unwrap();
        jobs.apply(&mut fast, request()).await.unwrap().applied().unwrap();
        Self::Database::commit(fast).await.unwrap();
        jobs.apply(&mut slow, request()).await.map(drop).unwrap_err()
    }

    /// Waits until the server has noticed that every other client is gone, whose rows it would pass over meanwhile.
    async fn alone(&self, database: &mut Self::Database) {
        if Self::ENGINE == Engine::Sqlite {
            return;
        }
        let others = "SELECT pid::text FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
        loop {
            let mut c = database.begin().await.unwrap();
            if c.query(others, &[]).await.unwrap().is_empty() {
                return;
            }
            Self::Database::commit(c).await.unwrap();
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    fn jobs(&self) -> Jobs {
        const HELD: Lease = Lease { expires: "lease_expires_at", free: &["queued"], held: &["claimed", "running"] };
        const KEY: &[Column] = &[Column::new("id", Kind::Integer)];
        const COLUMNS: &[Column] = &[Column { field: "lease_expires_at", name: "locked_until", kind: Kind::Timestamp }];
        let table = Table::new(Self::ENGINE, "run_job", "jobs", KEY, "status", "rev");
        Store::new(Table { columns: COLUMNS, lease: Some(HELD), journal: true, ..table }).unwrap()
    }

    fn myses(&self) -> Myses {
        const KEY: &[Column] = &[Column::new("id", Kind::Text)];
        let table = Table::new(Self::ENGINE, "mysis", "myses", KEY, "state", "version");
        Store::new(Table { rest: Some("context"), journal: true, ..table }).unwrap()
    }

    fn orders(&self) -> Orders {
        const COLUMNS: &[Column] = &[Column::new("payment_window", Kind::Duration), Column::new("extended", Kind::Bool)];
        const KEY: &[Column] = &[Column::new("shop", Kind::Text), Column::new("number", Kind::Integer)];
        let timers = Some(TimerColumns { started: "timers", next_due: "next_due" });
        let table = Table::new(Self::ENGINE, "order", "orders", KEY, "state", "version");
        Store::new(Table { columns: COLUMNS, timers, journal: true, ..table }).unwrap()
    }

    fn missions(&self) -> Missions {
        const KEY: &[Column] = &[Column::new("id", Kind::Integer)];
        const COLUMNS: &[Column] = &[Column { field: "current_hop_id", name: "current_hop", kind: Kind::Integer }];
        let table = Table::new(Self::ENGINE, "mission", "missions", KEY, "state", "version");
        Store::new(Table { columns: COLUMNS, journal: true, ..table }).unwrap()
    }

    fn hops(&self) -> Hops {
        const KEY: &[Column] = &[Column::new("id", Kind::Integer)];
        const COLUMNS: &[Column] = &[Column::new("mission_id", Kind::Integer), Column::new("is_final", Kind::Bool)];
        let table = Table::new(Self::ENGINE, "hop", "hops", KEY, "state", "version");
        Store::new(Table { columns: COLUMNS, journal: true, ..table }).unwrap()
    }

    /// The tables, their guards, and what the store needs besides.
    async fn prepare(&self) {
        let tables = match Self::ENGINE {
            Engine::Sqlite => {
                "CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT NOT NULL, rev INTEGER NOT NULL, locked_until TEXT);
                 CREATE TABLE myses (id TEXT PRIMARY KEY, state TEXT NOT NULL, version INTEGER NOT NULL, context TEXT NOT NULL);
                 CREATE TABLE orders (shop TEXT, number INTEGER, state TEXT NOT NULL, version INTEGER NOT NULL, timers TEXT, next_due INTEGER,
                   payment_window INTEGER NOT NULL, extended INTEGER NOT NULL, PRIMARY KEY (shop, number));
                 CREATE TABLE missions (id INTEGER PRIMARY KEY, state TEXT NOT NULL, version INTEGER NOT NULL, current_hop INTEGER);
                 CREATE TABLE hops (id INTEGER PRIMARY KEY, state TEXT NOT NULL, version INTEGER NOT NULL, mission_id INTEGER,
                   is_final INTEGER NOT NULL);"
            }
            Engine::Postgres => {
                "CREATE TABLE jobs (id bigint PRIMARY KEY, status text NOT NULL, rev bigint NOT NULL, locked_until timestamptz);
                 CREATE TABLE myses (id text PRIMARY KEY, state text NOT NULL, version integer NOT NULL, context jsonb NOT NULL);
                 CREATE TABLE orders (shop text, number integer, state text NOT NULL, version bigint NOT NULL, timers jsonb,
                   next_due timestamptz, payment_window interval NOT NULL, extended boolean NOT NULL, PRIMARY KEY (shop, number));
                 CREATE TABLE missions (id bigint PRIMARY KEY, state text NOT NULL, version bigint NOT NULL, current_hop bigint);
                 CREATE TABLE hops (id bigint PRIMARY KEY, state text NOT NULL, version bigint NOT NULL, mission_id bigint,
                   is_final boolean NOT NULL);"
            }
        };
        self.run(tables).await;
        let first = [*self.jobs().table(), *self.myses().table(), *self.orders().table()];
        for table in first.into_iter().chain([*self.missions().table(), *self.hops().table()]) {
            self.run(&format!("BEGIN;\n{}COMMIT", guarded(&table))).await;
            // The guard has made these tables, too, with the same text.
            self.run(&table.script()).await;
        }
    }

    /// Runs a statement on the journal of jobs, which is append-only for everybody but its owner.
    async fn forge(&self, statement: &str) {
        match Self::ENGINE {
            Engine::Sqlite => {
                let kept = self.ask("SELECT sql FROM sqlite_schema WHERE name = 'statespec_run_job_append_delete'").await;
                let kept = kept[0][0].clone().unwrap();
                self.run(&format!("DROP TRIGGER statespec_run_job_append_delete; {statement}; {kept}")).await;
            }
            Engine::Postgres => {
                let table = self.own("run_job_journal");
                let all = |what| format!("ALTER TABLE {table} {what} TRIGGER USER");
                self.run(&format!("{}; {statement}; {}", all("DISABLE"), all("ENABLE"))).await;
            }
        }
    }

    /// The name of a table of the store or of the guard.
    fn own(&self, name: &str) -> String {
        match Self::ENGINE {
            Engine::Sqlite => format!("statespec_{name}"),
            Engine::Postgres => format!("statespec.{name}"),
        }
    }
}

/// The guard of a table, from the spec. It is made once: each test has the same tables.
pub(crate) fn guarded(table: &Table) -> String {
    static MADE: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap();
    made.entry(format!("{table:?}")).or_insert_with(|| guard_of(table)).clone()
}

fn guard_of(table: &Table) -> String {
    let path = format!("{}/../../machines/{}.yaml", env!("CARGO_MANIFEST_DIR"), table.machine);
    let text = std::fs::read_to_string(&path).unwrap();
    let model = load(&[Input { path, text }]).model.expect("the spec is right");
    let machine: &Machine = &model.machines[0];
    let field = |name: &str| machine.fields.iter().position(|it| it.name == name).map(FieldId::new);
    let columns = table.columns.iter().filter(|it| it.kind == Kind::Timestamp);
    let columns = columns.filter_map(|it| Some((field(it.field)?, Mapped { name: it.name.to_owned(), unit: None })));
    let clock: BTreeSet<(EventId, PayloadId)> = machine
        .event_named("reclaim")
        .into_iter()
        .flat_map(|event| machine.payload_fields(event).map(move |(id, _)| (event, id)).collect::<Vec<_>>())
        .collect();
    let mapping = Mapping {
        engine: match table.engine {
            Engine::Sqlite => SqlEngine::Sqlite,
            Engine::Postgres => SqlEngine::Postgres,
        },
        table: SqlTable { schema: None, name: table.name.to_owned() },
        key: table.key.iter().map(|it| it.name.to_owned()).collect(),
        unique: Vec::new(),
        state: table.state.to_owned(),
        kind: statespec_sql::Kind::Text,
        values: BTreeMap::new(),
        version: Some(table.version.to_owned()),
        columns: columns.collect(),
        births: Births::Initial,
        deletes: Deletes::Any,
        journal: true,
        payload: BTreeSet::new(),
        timers: BTreeMap::new(),
        store: true,
        clock,
        parts: Vec::new(),
        membership: None,
    };
    guard(machine, &mapping).unwrap().script()
}

/// A file of SQLite in a folder, which is removed by the process that has made it.
pub(crate) struct Sqlite {
    folder: PathBuf,
    _made: Option<tempfile::TempDir>,
}

impl Sqlite {
    pub(crate) fn new() -> Self {
        let made = tempfile::tempdir().unwrap();
        Sqlite { folder: made.path().to_owned(), _made: Some(made) }
    }

    /// The file of another process.
    pub(crate) fn at(folder: &str) -> Self {
        Sqlite { folder: PathBuf::from(folder), _made: None }
    }

    /// Where it is, for another process.
    pub(crate) fn place(&self) -> String {
        self.folder.to_str().unwrap().to_owned()
    }

    fn file(&self) -> PathBuf {
        self.folder.join("test.db")
    }
}

impl Kit for Sqlite {
    type Database = rusqlite::Connection;

    const ENGINE: Engine = Engine::Sqlite;

    async fn open_for(&self, wait: Duration) -> rusqlite::Connection {
        let connection = rusqlite::Connection::open(self.file()).unwrap();
        connection.busy_timeout(wait).unwrap();
        connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF").unwrap();
        connection
    }

    async fn run(&self, sql: &str) {
        self.open().await.execute_batch(sql).unwrap();
    }
}

/// A database of the server of PostgreSQL, which runs until the tests are over.
pub(crate) struct Postgres {
    port: u16,
    name: String,
}

impl Postgres {
    /// A database with the tables of the tests; `None` where PostgreSQL is not installed.
    pub(crate) fn new() -> Option<Self> {
        static TEMPLATE: OnceLock<String> = OnceLock::new();
        let server = server("the store on PostgreSQL")?;
        let template = TEMPLATE.get_or_init(|| {
            let Postgres { name, .. } = Postgres::on(&server);
            name
        });
        Some(Postgres { port: server.port(), name: server.copy(template) })
    }

    /// A database with the tables of the tests on a server of its own.
    pub(crate) fn on(server: &Server) -> Self {
        let (_, name) = server.database();
        let kit = Postgres { port: server.port(), name };
        runtime().block_on(kit.prepare());
        kit
    }

    /// The database of another process.
    pub(crate) fn at(place: &str) -> Self {
        let (port, name) = place.split_once('/').unwrap();
        Postgres { port: port.parse().unwrap(), name: name.to_owned() }
    }

    /// Where it is, for another process.
    pub(crate) fn place(&self) -> String {
        format!("{}/{}", self.port, self.name)
    }

    /// An address for a client in another place.
    pub(crate) fn url(&self) -> String {
        format!("host=127.0.0.1 port={} user=postgres dbname={}", self.port, self.name)
    }
}

/// A connection to an address.
pub(crate) async fn connect(url: &str) -> Result<Client, Error> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

impl Kit for Postgres {
    type Database = Client;

    const ENGINE: Engine = Engine::Postgres;

    async fn open_for(&self, _: Duration) -> Client {
        connect(&self.url()).await.unwrap()
    }

    async fn run(&self, sql: &str) {
        self.open().await.batch_execute(sql).await.unwrap();
    }
}

/// The same file with sqlx.
pub(crate) struct SqlxSqlite(pub(crate) Sqlite);

impl Kit for SqlxSqlite {
    type Database = sqlx::SqliteConnection;

    const ENGINE: Engine = Engine::Sqlite;

    async fn open_for(&self, wait: Duration) -> sqlx::SqliteConnection {
        use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
        let options = SqliteConnectOptions::new().filename(self.0.file()).create_if_missing(true);
        let options = options.journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Off).busy_timeout(wait);
        sqlx::ConnectOptions::connect(&options).await.unwrap()
    }

    async fn run(&self, sql: &str) {
        self.0.run(sql).await;
    }
}

/// The same server with a pool of sqlx.
pub(crate) struct SqlxPostgres(pub(crate) Postgres);

impl Kit for SqlxPostgres {
    type Database = sqlx::PgPool;

    const ENGINE: Engine = Engine::Postgres;

    async fn open_for(&self, _: Duration) -> sqlx::PgPool {
        let Postgres { port, ref name } = self.0;
        let options = sqlx::postgres::PgConnectOptions::new().host("127.0.0.1").port(port).username("postgres").database(name);
        sqlx::postgres::PgPoolOptions::new().max_connections(1).connect_lazy_with(options)
    }

    async fn run(&self, sql: &str) {
        self.0.run(sql).await;
    }
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// Runs a test on PostgreSQL; not where it is not installed.
pub(crate) fn on_postgres(test: impl AsyncFnOnce(&Postgres)) {
    let Some(kit) = Postgres::new() else { return };
    runtime().block_on(test(&kit));
}

/// Runs a test on SQLite.
pub(crate) fn on_sqlite(test: impl AsyncFnOnce(&Sqlite)) {
    let kit = Sqlite::new();
    statespec_store::wait(async {
        kit.prepare().await;
        test(&kit).await;
    });
}

/// Runs a test on PostgreSQL with sqlx; not where it is not installed.
pub(crate) fn on_sqlx_postgres(test: impl AsyncFnOnce(&SqlxPostgres)) {
    let Some(kit) = Postgres::new().map(SqlxPostgres) else { return };
    runtime().block_on(test(&kit));
}

/// Runs a test on SQLite with sqlx.
pub(crate) fn on_sqlx_sqlite(test: impl AsyncFnOnce(&SqlxSqlite)) {
    let kit = SqlxSqlite(Sqlite::new());
    runtime().block_on(async {
        kit.prepare().await;
        test(&kit).await;
    });
}
