//! The parts of the context pager: their tables, and the unit of work of its transactions.

use statespec_machines::context_os::UnitOfWork;
use statespec_machines::eviction_policy::{self, EvictionPolicy};
use statespec_machines::pressure::{self, Pressure};
use statespec_machines::resource::{self, Resource};
use statespec_machines::session::{self, Session};
use statespec_store::{Column, Engine, Error, Kind, Shelf, Store, System, Table, unit};

use crate::kit::Kit;

type Sessions = Store<Session, session::State>;
type Pressures = Store<Pressure, pressure::State>;
type Policies = Store<EvictionPolicy, eviction_policy::State>;
type Resources = Store<Resource, resource::State>;

type Parts = (
    Shelf<Session, session::State>,
    Shelf<Pressure, pressure::State>,
    Shelf<EvictionPolicy, eviction_policy::State>,
    Shelf<Resource, resource::State>,
);

pub(super) struct Stores {
    pub(super) sessions: Sessions,
    pub(super) pressures: Pressures,
    pub(super) policies: Policies,
    pub(super) resources: Resources,
}

impl Stores {
    pub(super) fn of<K: Kit>() -> Self {
        const KEY: &[Column] = &[Column::new("id", Kind::Integer)];
        const UTILIZATION: &[Column] = &[Column::new("utilization", Kind::Decimal)];
        const RESOURCE: &[Column] = &[
            Column::new("attention_weight", Kind::Decimal),
            Column::new("last_accessed", Kind::Timestamp),
            Column::new("size_tokens", Kind::Integer),
            Column::new("category", Kind::Text),
        ];
        let table = |machine, name, columns| {
            let table = Table::new(K::ENGINE, machine, name, KEY, "state", "version");
            Table { columns, journal: true, ..table }
        };
        Stores {
            sessions: Store::new(table("session", "sessions", &[])).unwrap(),
            pressures: Store::new(table("pressure", "pressures", UTILIZATION)).unwrap(),
            policies: Store::new(table("eviction_policy", "policies", &[])).unwrap(),
            resources: Store::new(table("resource", "resources", RESOURCE)).unwrap(),
        }
    }

    pub(super) async fn make<K: Kit>(&self, kit: &K) {
        let of = [*self.sessions.table(), *self.pressures.table(), *self.policies.table(), *self.resources.table()];
        let columns = "(id bigint PRIMARY KEY, state text NOT NULL, version bigint NOT NULL";
        let (decimal, time) = if K::ENGINE == Engine::Sqlite { ("text", "text") } else { ("numeric", "timestamptz") };
        let tables = format!(
            "CREATE TABLE sessions {columns}); CREATE TABLE pressures {columns}, utilization {decimal} NOT NULL); CREATE TABLE policies {columns}); \
             CREATE TABLE resources {columns}, attention_weight {decimal} NOT NULL, last_accessed {time}, size_tokens bigint NOT NULL, category text NOT NULL)"
        );
        kit.make(&tables, &of).await;
    }

    /// Those of a session.
    pub(super) fn work(&self, session: i64) -> Work {
        let shelves = (
            Shelf::new(self.sessions.clone()).unwrap(),
            Shelf::new(self.pressures.clone()).unwrap(),
            Shelf::new(self.policies.clone()).unwrap(),
            Shelf::new(self.resources.clone()).unwrap(),
        );
        Work { session, system: System::new(shelves) }
    }
}

/// A session has the key of its pressure and of its policy; resources outlive it.
pub(super) struct Work {
    pub(super) session: i64,
    system: System<Parts>,
}

unit!(Work, system: Parts);

impl UnitOfWork for Work {
    fn load_session(&mut self) -> Result<Option<Session>, Error> {
        self.system.parts.0.load(self.session)
    }

    fn save_session(&mut self, _: Option<&Session>, after: &Session) -> Result<(), Error> {
        self.system.parts.0.save(self.session, after)
    }

    fn perform_session(&mut self, effect: session::Effect<&str>) -> Result<(), Error> {
        self.system.parts.0.perform(self.session, effect)
    }

    fn load_pressure(&mut self) -> Result<Option<Pressure>, Error> {
        self.system.parts.1.load(self.session)
    }

    fn save_pressure(&mut self, _: Option<&Pressure>, after: &Pressure) -> Result<(), Error> {
        self.system.parts.1.save(self.session, after)
    }

    fn perform_pressure(&mut self, effect: pressure::Effect) -> Result<(), Error> {
        self.system.parts.1.perform(self.session, effect)
    }

    fn load_policy(&mut self) -> Result<Option<EvictionPolicy>, Error> {
        self.system.parts.2.load(self.session)
    }

    fn save_policy(&mut self, _: Option<&EvictionPolicy>, after: &EvictionPolicy) -> Result<(), Error> {
        self.system.parts.2.save(self.session, after)
    }

    fn load_resource(&mut self, key: i64) -> Result<Option<Resource>, Error> {
        self.system.parts.3.load(key)
    }

    fn save_resource(&mut self, key: i64, _: Option<&Resource>, after: &Resource) -> Result<(), Error> {
        self.system.parts.3.save(key, after)
    }

    fn perform_resource(&mut self, key: i64, effect: resource::Effect<&str>) -> Result<(), Error> {
        self.system.parts.3.perform(key, effect)
    }
}
