//! Two servers of PostgreSQL, with the keys of roots spread over them: missions with their hops, and Myses with their effects.
//!
//! The client places a root by a hash of its key: a partition of the key space, and the server that has it. Each server has the whole
//! script: tables, guards, outboxes. One of them stops at once in the middle of a transaction; meanwhile the other one goes on, and
//! when the first one is back, all work ends.

use std::collections::{BTreeMap, BTreeSet};

use statespec::Duration;
use statespec_machines::mission_hop::{
    Actor, approve_hop_plan, approve_implementation, complete_hop_execution, complete_hop_plan, complete_implementation, request_hop_plan,
    request_implementation, trigger_execution,
};
use statespec_machines::{hop, mission, mysis};
use statespec_store::{Class, Connection, Created, Database as _, Delivery, Error, Ran, Request, Row, Transact as _, create, raise};

use crate::checks::in_full;
use crate::kit::{Kit as _, Postgres, connect, runtime};
use crate::server::private;
use crate::systems::missions::{Run, approved, unit};

const N_PARTITIONS: u64 = 16;

/// The servers of the partitions. To move a partition is to move its rows, and to change this list.
const SERVER_OF: [usize; N_PARTITIONS as usize] = [0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0];

/// The server of a root: the upper bits of its key times an odd number, which neighbours do not share.
fn server_of(root: i64) -> usize {
    let partition = root.cast_unsigned().wrapping_mul(0x9E37_79B9_7F4A_7C15) / (u64::MAX / N_PARTITIONS + 1);
    SERVER_OF[usize::try_from(partition).unwrap()]
}

/// What becomes of the only hop of a mission.
const STEPS: [(Actor, Run); 8] = [
    (Actor::User, |unit| request_hop_plan(unit).map(drop)),
    (Actor::Agent, |unit| complete_hop_plan(unit, unit.hop, true)),
    (Actor::User, |unit| approve_hop_plan(unit, unit.hop)),
    (Actor::User, |unit| request_implementation(unit, unit.hop)),
    (Actor::Agent, |unit| complete_implementation(unit, unit.hop)),
    (Actor::User, |unit| approve_implementation(unit, unit.hop)),
    (Actor::User, |unit| trigger_execution(unit, unit.hop)),
    (Actor::System, |unit| complete_hop_execution(unit, unit.hop)),
];

/// The key of the hop of a mission. A transaction creates it, so that it needs no place of its own.
fn hop_of(mission: i64) -> i64 {
    mission * 10
}

/// Takes a step of a mission, once, whatever became of an earlier attempt.
async fn advance(kit: &Postgres, mission: i64, step: usize) -> Result<(), Error> {
    let (actor, transaction) = STEPS[step];
    let mut client = connect(&kit.url()).await?;
    let mut c = client.begin().await?;
    let mut asked = unit(kit, mission, hop_of(mission), Some(actor));
    asked.system = asked.system.command(*kit.missions().table(), format!("{mission}/{step}"));
    let ran = asked.run(&mut c, transaction).await?;
    assert!(matches!(ran, Ran::Applied { .. } | Ran::Repeated(_)), "{mission}/{step}: {ran:?}");
    tokio_postgres::Client::commit(c).await
}

/// The rows of a statement without parameters.
async fn ask<C: Connection>(c: &mut C, sql: &str) -> Result<Vec<Row>, Error> {
    c.query(sql, &[]).await
}

/// Every shard on its own: its roots, its hops, its effects; guards, journals and outboxes.
async fn inspect(kit: &Postgres, missions: &BTreeSet<i64>) {
    let mut client = kit.open().await;
    let mut c = client.begin().await.unwrap();
    let mut found = BTreeSet::new();
    for row in ask(&mut c, "SELECT id::text FROM missions ORDER BY id").await.unwrap() {
        let id: i64 = row[0].as_deref().unwrap().parse().unwrap();
        let mission = kit.missions().load(&mut c, &id.into()).await.unwrap().unwrap().machine;
        let hop = kit.hops().load(&mut c, &hop_of(id).into()).await.unwrap().unwrap().machine;
        assert_eq!((mission.state(), hop.state(), hop.context().mission_id), (mission::State::Completed, hop::State::Completed, Some(id)));
        found.insert(id);
    }
    assert_eq!(&found, missions, "a root is where its key says");
    let count = |rows: Vec<Row>| rows[0][0].clone().unwrap();
    assert_eq!(count(ask(&mut c, "SELECT count(*)::text FROM hops").await.unwrap()), missions.len().to_string());
    assert_eq!(kit.missions().replay(&mut c).await.unwrap(), []);
    assert_eq!(kit.hops().replay(&mut c).await.unwrap(), []);
    assert_eq!(kit.myses().replay(&mut c).await.unwrap(), []);
    assert_eq!(count(ask(&mut c, "SELECT count(*)::text FROM statespec.mysis_outbox").await.unwrap()), "0");
    let error = ask(&mut c, "UPDATE missions SET state = 'IN_PROGRESS', version = version + 1 RETURNING state").await.unwrap_err();
    assert_eq!(error.class(), Class::Guard, "each shard has its guard");
}

#[test]
fn one_of_two_shards_stops_and_the_other_goes_on() {
    if !in_full("two shards, one of which stops", "it starts a server of its own") {
        return;
    }
    // The first shard is on the server that all tests share.
    let (Some(first), Some(second)) = (Postgres::new(), private("shards")) else { return };
    let shards = [first, Postgres::on(&second)];
    let placed = |server: usize| (1..=20).filter(|it| server_of(*it) == server).collect::<BTreeSet<i64>>();
    let (stays, stops) = (placed(0), placed(1));
    assert!(stays.len() > 5 && stops.len() > 5, "{stays:?} {stops:?}");
    runtime().block_on(async {
        for id in stays.union(&stops) {
            let kit = &shards[server_of(*id)];
            approved(kit, *id).await;
            advance(kit, *id, 0).await.unwrap();
            let mut client = kit.open().await;
            let mut c = client.begin().await.unwrap();
            let birth = create!(mysis::Mysis::create, mysis::Event::Create).unwrap().unwrap();
            let created = kit.myses().create(&mut c, id.to_string(), birth, None, None).await.unwrap();
            assert!(matches!(created, Created::Created(_)));
            let _ = kit.myses().apply(&mut c, Request::new(id.to_string(), raise!(mysis::Event::Start))).await.unwrap().applied().unwrap();
            tokio_postgres::Client::commit(c).await.unwrap();
        }
        // A worker of the second shard has an effect, and another client a transaction, when the server stops.
        let kit = &shards[1];
        let held = {
            let mut client = kit.open().await;
            let mut c = client.begin().await.unwrap();
            let held = kit.myses().outbox(&mut c, 1, "w-1", Duration::from_seconds(-1)).await.unwrap().remove(0);
            tokio_postgres::Client::commit(c).await.unwrap();
            held
        };
        let some = *stops.first().unwrap();
        let mut client = kit.open().await;
        let mut c = client.begin().await.unwrap();
        let open = unit(kit, some, hop_of(some), Some(Actor::Agent)).run(&mut c, STEPS[1].1).await.unwrap();
        assert!(matches!(open, Ran::Applied { n_machines: 1, .. }));
        second.stop();
        let error = loop {
            if let Err(error) = ask(&mut c, "SELECT 'x'").await {
                break error;
            }
        };
        assert_eq!(error.class(), Class::Lost, "{error}");
        // Every mission of the first shard ends meanwhile; one of the second goes no step further.
        let mut next: BTreeMap<i64, usize> = stays.union(&stops).map(|it| (*it, 1)).collect();
        let mut n_lost = 0;
        for id in stays.iter().chain(&stops) {
            while next[id] < STEPS.len() {
                match advance(&shards[server_of(*id)], *id, next[id]).await {
                    Ok(()) => *next.get_mut(id).unwrap() += 1,
                    Err(error) => {
                        assert_eq!((server_of(*id), error.class()), (1, Class::Lost), "{error}");
                        n_lost += 1;
                        break;
                    }
                }
            }
        }
        assert_eq!(n_lost, stops.len());
        deliver(&shards[0]).await;
        inspect(&shards[0], &stays).await;
        // It is back, and goes on where it was: nothing of the open transaction is there.
        second.start();
        for id in &stops {
            while next[id] < STEPS.len() {
                match advance(&shards[1], *id, next[id]).await {
                    Ok(()) => *next.get_mut(id).unwrap() += 1,
                    Err(error) => {
                        assert_eq!(error.class(), Class::Lost, "{error}");
                        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                    }
                }
            }
        }
        let delivered = deliver(&shards[1]).await;
        let again = delivered.iter().find(|it| it.id == held.id).unwrap();
        assert_eq!((again.delivery, delivered.len()), (2, 2 * stops.len()), "the worker had it, and had not said that it was performed");
        inspect(&shards[1], &stops).await;
    });
}

/// A worker of one shard, until its outbox is empty; what was delivered.
async fn deliver(kit: &Postgres) -> Vec<Delivery> {
    let mut all = Vec::new();
    loop {
        let mut client = kit.open().await;
        let mut c = client.begin().await.unwrap();
        let deliveries = kit.myses().outbox(&mut c, 100, "w-2", Duration::from_hours(1)).await.unwrap();
        for it in &deliveries {
            assert!(kit.myses().acknowledge(&mut c, it).await.unwrap(), "once");
        }
        tokio_postgres::Client::commit(c).await.unwrap();
        if deliveries.is_empty() {
            return all;
        }
        all.extend(deliveries);
    }
}
