//! The context pager under pressure: an agent pages resources in and out by chance, the system watches how full the context is, and
//! under critical pressure the agent evicts by the order of its policy. The invariants hold after each commit, and what is refused or
//! rolled back changes nothing.

mod asked;
mod parts;

use std::collections::BTreeMap;

use statespec::{Decimal, decimal};
use statespec_machines::context_os::{self, Failure, eviction_of_resource};
use statespec_machines::eviction_policy::{self, EvictionPolicy};
use statespec_machines::pressure::{self, Pressure};
use statespec_machines::resource::{self, Resource};
use statespec_machines::session;
use statespec_store::{Birth, Class, Connection as _, Database, Error, Ran, Row, Transact as _};

use self::asked::{act, effects};
use self::parts::{Stores, Work};
use crate::kit::{Kit, on_postgres, on_sqlite};
use crate::processes::Dice;

const RESOURCES: i64 = 9;

/// How many tokens the context takes.
const WINDOW: i64 = 1000;

/// The pager, with the effects in the order of their deliveries: `resource 3:4:0 update_region`.
struct Pager<'k, K: Kit> {
    kit: &'k K,
    stores: Stores,
    database: K::Database,
    session: i64,
    n_accesses: u32,
    delivered: Vec<String>,
    sample: Decimal,
}

/// What is stored of a session.
struct Seen {
    session: Option<session::State>,
    pressure: Pressure,
    policy: eviction_policy::State,
    resources: Vec<Resource>,
}

/// A refusal by its text.
type Outcome = Result<(), String>;

impl<K: Kit> Pager<'_, K> {
    /// Runs a transaction, which is committed or rolled back; afterwards the system watches the pressure.
    async fn run(&mut self, is_committed: bool, transaction: impl FnMut(&mut Work) -> Result<(), Failure<Error>>) -> Outcome {
        let before = self.rows().await;
        let mut c = self.database.begin().await.unwrap();
        let ran = self.stores.work(self.session).run(&mut c, transaction).await.unwrap();
        let outcome = match ran {
            Ran::Applied { .. } => Ok(()),
            Ran::Refused(refused) => Err(refused.to_string()),
            other => panic!("{other:?}"),
        };
        if is_committed {
            K::Database::commit(c).await.unwrap();
        } else {
            drop(c);
        }
        let after = self.rows().await;
        assert!(
            after == before || is_committed && outcome.is_ok(),
            "what was refused or rolled back changes nothing: {before:?}, {after:?}"
        );
        outcome
    }

    /// The states and versions of all rows.
    async fn rows(&mut self) -> Vec<Row> {
        let rows = ["sessions", "pressures", "policies", "resources"]
            .map(|it| format!("SELECT '{it} ' || CAST(id AS text) || ' ' || state || ' ' || CAST(version AS text) FROM {it}"));
        let mut c = self.database.begin().await.unwrap();
        c.query(&format!("{} ORDER BY 1", rows.join(" UNION ALL ")), &[]).await.unwrap()
    }

    async fn seen(&mut self) -> Seen {
        let (stores, session) = (&self.stores, self.session.into());
        let mut c = self.database.begin().await.unwrap();
        let mut resources = Vec::new();
        for id in 1..=RESOURCES {
            resources.push(stores.resources.load(&mut c, &id.into()).await.unwrap().unwrap().machine);
        }
        Seen {
            session: stores.sessions.load(&mut c, &session).await.unwrap().map(|it| it.machine.state()),
            pressure: stores.pressures.load(&mut c, &session).await.unwrap().unwrap().machine,
            policy: stores.policies.load(&mut c, &session).await.unwrap().unwrap().machine.state(),
            resources,
        }
    }

    /// Takes a sample of the context as it is stored.
    async fn observe(&mut self) {
        let tokens: i64 = in_context(&self.seen().await.resources).map(|it| it.1.context().size_tokens).sum();
        let sample = decimal(i128::from(tokens * 1000 / WINDOW), 3);
        self.run(true, |unit| context_os::observe(unit, sample)).await.unwrap();
        self.sample = sample;
    }

    /// The invariants of the system.
    async fn check(&mut self) {
        let Seen { session, pressure, resources, .. } = self.seen().await;
        let is_critical = pressure.state() == pressure::State::Critical;
        match session {
            Some(session::State::Normal) => assert!(!is_critical),
            Some(session::State::Pressure) => assert!(is_critical),
            _ => {}
        }
        let used = pressure.context().utilization;
        assert_eq!(used, self.sample, "the last sample");
        // The thresholds, and the buffer of 5% on the way down.
        let (low, high) = match pressure.state() {
            pressure::State::Low => (0, 500),
            pressure::State::Medium => (450, 700),
            pressure::State::High => (650, 850),
            pressure::State::Critical => (800, i128::MAX),
        };
        assert!(decimal(low, 3) <= used && (high == i128::MAX || used < decimal(high, 3)), "{used} is {:?}", pressure.state());
        for it in resources.iter().filter(|it| it.state() == resource::State::Hot) {
            assert!(it.context().attention_weight > resource::HOT_ABOVE, "{it:?}");
        }
    }

    /// The agent decides what to page out, by its policy, until the pressure is relieved. The result is how many it evicted.
    async fn evict(&mut self) -> usize {
        let mut n_evicted = 0;
        while let Seen { session: Some(session::State::Pressure), policy, resources, .. } = self.seen().await {
            let (first, evicted) = in_context(&resources).min_by(|a, b| eviction_of_resource(policy, a.1, b.1)).unwrap();
            for (_, other) in in_context(&resources) {
                let (it, other) = (evicted.context(), other.context());
                assert!(it.attention_weight <= other.attention_weight, "low attention first, whatever the policy");
                let are_equals = it.attention_weight == other.attention_weight;
                let is_first = match policy {
                    eviction_policy::State::Lru => it.last_accessed <= other.last_accessed,
                    eviction_policy::State::SizeFirst => it.size_tokens >= other.size_tokens,
                    _ => true,
                };
                assert!(!are_equals || is_first, "{policy:?}: {it:?} before {other:?}");
            }
            self.run(true, |unit| context_os::page_out(unit, first)).await.unwrap();
            self.observe().await;
            self.check().await;
            n_evicted += 1;
        }
        n_evicted
    }

    /// Performs the effects. What `update_access_time` writes is one commit with its acknowledgement.
    async fn deliver(&mut self) {
        let lease = statespec::Duration::from_seconds(60);
        loop {
            let (stores, mut n_deliveries) = (&self.stores, 0);
            let mut c = self.database.begin().await.unwrap();
            macro_rules! of {
                ($store:expr) => {
                    for it in $store.outbox(&mut c, 99, "host", lease).await.unwrap() {
                        if it.effect == "update_access_time" {
                            self.n_accesses += 1;
                            let at = format!("2026-01-01T00:{:02}:{:02}Z", self.n_accesses / 60, self.n_accesses % 60);
                            let update = format!("UPDATE resources SET last_accessed = '{at}' WHERE id = {}", it.entity);
                            c.execute(&update, &[]).await.unwrap();
                        }
                        assert!($store.acknowledge(&mut c, &it).await.unwrap());
                        self.delivered.push(format!("{} {} {}", $store.table().machine, it.id, it.effect));
                        n_deliveries += 1;
                    }
                };
            }
            of!(stores.sessions);
            of!(stores.pressures);
            of!(stores.resources);
            K::Database::commit(c).await.unwrap();
            if n_deliveries == 0 {
                return;
            }
        }
    }
}

fn in_context(resources: &[Resource]) -> impl Iterator<Item = (i64, &Resource)> {
    let is_active = |it: &(i64, &Resource)| matches!(it.1.state(), resource::State::Loaded | resource::State::Hot);
    (1..).zip(resources).filter(is_active)
}

/// The parts that a session finds: a guard lets nobody insert a row in the state after its first event.
async fn rows<K: Kit>(stores: &Stores, database: &mut K::Database, dice: &mut Dice) {
    let mut c = database.begin().await.unwrap();
    for session in [1, 2] {
        let _ = stores.pressures.create(&mut c, session, Birth::new(Pressure::new()), None, None).await.unwrap();
        let _ = stores.policies.create(&mut c, session, Birth::new(EvictionPolicy::new()), None, None).await.unwrap();
    }
    for id in 1..=RESOURCES {
        let category = resource::Category::ALL[dice.below(10) as usize];
        let context = resource::Context { size_tokens: 60 + dice.below(240) as i64, category, ..resource::Context::default() };
        let unknown = Birth::new(Resource::restore(resource::State::Unknown, context));
        let _ = stores.resources.create(&mut c, id, unknown, None, None).await.unwrap();
    }
    K::Database::commit(c).await.unwrap();
}

async fn a_pager_lives_under_pressure<K: Kit>(kit: &K) {
    let (stores, mut database, mut dice) = (Stores::of::<K>(), kit.open().await, Dice::of(41));
    stores.make(kit).await;
    rows::<K>(&stores, &mut database, &mut dice).await;
    let mut pager = Pager { kit, stores, database, session: 1, n_accesses: 0, delivered: Vec::new(), sample: decimal(0, 0) };
    for id in 1..=RESOURCES {
        pager.run(true, |unit| context_os::discover(unit, id)).await.unwrap();
    }
    let refused = async |pager: &mut Pager<'_, K>| pager.run(true, |unit| context_os::page_in(unit, 1)).await.unwrap_err();
    assert_eq!(refused(&mut pager).await, "there is no session");
    pager.run(true, context_os::start_session).await.unwrap();
    pager.run(true, context_os::finish_loading).await.unwrap();
    assert_eq!(refused(&mut pager).await, "`page_in` is refused in `BOOTSTRAP`: allowed here is `reasoning_begun`");
    pager.run(true, context_os::begin_reasoning).await.unwrap();

    let (mut n_done, mut n_refused, mut n_evicted) = (0, 0, 0);
    while n_evicted < 6 || n_done < 30 {
        // A transaction runs again for each machine that it asks for, and does the same each time.
        let (is_committed, asked) = (!dice.one_of(8), dice.below(1000));
        let outcome = pager.run(is_committed, |unit| act(unit, &mut Dice::of(asked))).await;
        if outcome.is_ok() {
            n_done += 1
        } else {
            n_refused += 1
        }
        pager.deliver().await;
        pager.observe().await;
        pager.check().await;
        n_evicted += pager.evict().await;
        pager.deliver().await;
        assert!(n_done + n_refused < 400, "{n_done} done, {n_refused} refused, {n_evicted} evicted");
    }
    assert!(n_refused > 5, "{n_refused}");
    pager.run(true, context_os::reset_session).await.unwrap();
    pager.run(true, context_os::finish_saving).await.unwrap();
    assert!(refused(&mut pager).await.starts_with("`page_in` is refused in `ENDED`"));

    // The next session begins under critical pressure, and responds at once.
    pager.session = 2;
    pager.run(true, context_os::start_session).await.unwrap();
    pager.run(true, context_os::finish_loading).await.unwrap();
    pager.run(true, |unit| context_os::observe(unit, decimal(90, 2))).await.unwrap();
    pager.sample = decimal(90, 2);
    pager.run(true, context_os::begin_reasoning).await.unwrap();
    pager.check().await;
    assert_eq!(pager.seen().await.session, Some(session::State::Pressure));
    pager.deliver().await;
    told(&mut pager).await;

    // A row that begins with its first event is not in the initial state.
    let mut c = pager.database.begin().await.unwrap();
    let error = pager.stores.work(3).run(&mut c, |unit| context_os::observe(unit, decimal(90, 2))).await.unwrap_err();
    assert_eq!(error.class(), Class::Guard, "{error}");
}

/// The effects that each entry of the journals asks for were delivered, in order, and the journals replay.
async fn told<K: Kit>(pager: &mut Pager<'_, K>) {
    let mut expected = BTreeMap::<String, Vec<String>>::new();
    for machine in ["session", "pressure", "resource"] {
        let line = "SELECT CAST(id AS text), CAST(version AS text), coalesce(from_state, ''), coalesce(event, ''), to_state FROM ";
        let lines = pager.kit.ask(&format!("{line} {} ORDER BY entry", pager.kit.own(&format!("{machine}_journal")))).await;
        for line in lines {
            let [id, version, from, event, to] = <[Option<String>; 5]>::try_from(line).unwrap().map(Option::unwrap);
            for (position, effect) in effects(machine, &from, &event, &to).into_iter().enumerate() {
                expected.entry(format!("{machine} {id}")).or_default().push(format!("{version}:{position} {effect}"));
            }
        }
    }
    let mut delivered = BTreeMap::<String, Vec<String>>::new();
    for it in &pager.delivered {
        let (id, rest) = it.split_once(':').unwrap();
        delivered.entry(id.to_owned()).or_default().push(rest.to_owned());
    }
    assert_eq!(delivered, expected);
    let mut c = pager.database.begin().await.unwrap();
    assert_eq!(pager.stores.sessions.replay(&mut c).await.unwrap(), []);
    assert_eq!(pager.stores.pressures.replay(&mut c).await.unwrap(), []);
    assert_eq!(pager.stores.policies.replay(&mut c).await.unwrap(), []);
    assert_eq!(pager.stores.resources.replay(&mut c).await.unwrap(), []);
}

#[test]
fn a_pager_on_sqlite() {
    on_sqlite(a_pager_lives_under_pressure);
}

#[test]
fn a_pager_on_postgresql() {
    on_postgres(a_pager_lives_under_pressure);
}
