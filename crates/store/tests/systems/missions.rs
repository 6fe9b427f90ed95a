//! Missions and hops with three actors: each transaction of the system is one call, inside of a transaction of the caller. `suite`
//! runs these tests with each driver.

use statespec::Phase;
use statespec_machines::mission_hop::{
    Actor, Failure, UnitOfWork, approve_hop_plan, approve_implementation, approve_mission, complete_hop_execution, complete_hop_plan,
    complete_implementation, propose_mission, request_hop_plan, request_implementation, trigger_execution,
};
use statespec_machines::{hop, mission, mission_hop};
use statespec_store::{Class, Connection as _, Database, Error, Ran, Shelf, System, Transact as _, unit};

use crate::kit::Kit;

pub(crate) type Parts = (Shelf<mission::Mission<i64>, mission::State>, Shelf<hop::Hop<i64>, hop::State>);

/// Which mission, the key of the next hop, and who asks.
pub(crate) struct Unit {
    mission: i64,
    pub(crate) hop: i64,
    actor: Option<Actor>,
    pub(crate) system: System<Parts>,
}

unit!(Unit, system: Parts);

impl UnitOfWork for Unit {
    fn actor(&self) -> Option<Actor> {
        self.actor
    }

    fn mission_key(&mut self) -> Result<i64, Error> {
        Ok(self.mission)
    }

    fn load_mission(&mut self) -> Result<Option<mission::Mission<i64>>, Error> {
        self.system.parts.0.load(self.mission)
    }

    fn save_mission(&mut self, _: Option<&mission::Mission<i64>>, after: &mission::Mission<i64>) -> Result<(), Error> {
        self.system.parts.0.save(self.mission, after)
    }

    fn perform_mission(&mut self, effect: mission::Effect) -> Result<(), Error> {
        self.system.parts.0.perform(self.mission, effect)
    }

    fn new_hop(&mut self) -> Result<i64, Error> {
        Ok(self.hop)
    }

    fn load_hop(&mut self, key: i64) -> Result<Option<hop::Hop<i64>>, Error> {
        self.system.parts.1.load(key)
    }

    fn save_hop(&mut self, key: i64, _: Option<&hop::Hop<i64>>, after: &hop::Hop<i64>) -> Result<(), Error> {
        self.system.parts.1.save(key, after)
    }

    fn next_hop(&mut self, after: Option<i64>) -> Result<Option<(i64, hop::Hop<i64>)>, Error> {
        self.system.parts.1.next(after)
    }
}

pub(crate) fn unit<K: Kit>(kit: &K, mission: i64, hop: i64, actor: Option<Actor>) -> Unit {
    let hops = Shelf::of(kit.hops(), "mission_id", mission).unwrap();
    Unit { mission, hop, actor, system: System::new((Shelf::new(kit.missions()).unwrap(), hops)) }
}

pub(crate) type Run = fn(&mut Unit) -> Result<(), Failure<Error>>;

/// Commits a transaction of the system.
async fn run<K: Kit>(kit: &K, unit: Unit, transaction: Run) -> Ran<(), mission_hop::Refused> {
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    let ran = unit.run(&mut c, transaction).await.unwrap();
    K::Database::commit(c).await.unwrap();
    ran
}

/// A mission that was proposed and approved. The assets are created while no transaction is open.
pub(crate) async fn approved<K: Kit>(kit: &K, id: i64) {
    let Ran::Before(assets) = run(kit, unit(kit, id, 0, Some(Actor::Agent)), propose_mission).await else {
        panic!("there are assets first")
    };
    assert_eq!(assets.iter().map(|it| (it.phase, it.effect.as_str())).collect::<Vec<_>>(), [(Phase::Before, "create_assets")]);
    let mut again = unit(kit, id, 0, Some(Actor::Agent));
    again.system = again.system.performed(assets);
    assert!(matches!(run(kit, again, propose_mission).await, Ran::Applied { n_machines: 1, n_effects: 0, .. }));
    let approve = run(kit, unit(kit, id, 0, Some(Actor::User)), approve_mission).await;
    assert!(matches!(approve, Ran::Applied { n_machines: 1, .. }), "{approve:?}");
}

pub(crate) async fn a_mission_with_two_hops_lives<K: Kit>(kit: &K) {
    // Another mission with a hop of its own, which no transaction of the first one reads.
    approved(kit, 2).await;
    let _ = run(kit, unit(kit, 2, 9, Some(Actor::User)), |unit| request_hop_plan(unit).map(drop)).await;
    approved(kit, 1).await;
    let plan: [(Actor, Run); 2] =
        [(Actor::User, |unit| request_hop_plan(unit).map(drop)), (Actor::Agent, |unit| complete_hop_plan(unit, unit.hop, unit.hop == 12))];
    let rest: [(Actor, Run); 6] = [
        (Actor::User, |unit| approve_hop_plan(unit, unit.hop)),
        (Actor::User, |unit| request_implementation(unit, unit.hop)),
        (Actor::Agent, |unit| complete_implementation(unit, unit.hop)),
        (Actor::User, |unit| approve_implementation(unit, unit.hop)),
        (Actor::User, |unit| trigger_execution(unit, unit.hop)),
        (Actor::System, |unit| complete_hop_execution(unit, unit.hop)),
    ];
    for hop in [11, 12] {
        for (idx, (actor, transaction)) in plan.into_iter().chain(rest).enumerate() {
            let Ran::Applied { n_machines, .. } = run(kit, unit(kit, 1, hop, Some(actor)), transaction).await else { panic!("{idx}") };
            // The first and the last change the mission, too.
            assert_eq!(n_machines, if idx == 0 || idx == 7 { 2 } else { 1 }, "{idx}");
        }
    }
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    let mission = kit.missions().load(&mut c, &1.into()).await.unwrap().unwrap();
    assert_eq!(
        (mission.machine.state(), mission.machine.context().current_hop_id, mission.version),
        (mission::State::Completed, Some(12), 6)
    );
    for (hop, is_final) in [(11, false), (12, true)] {
        let hop = kit.hops().load(&mut c, &hop.into()).await.unwrap().unwrap();
        assert_eq!((hop.machine.state(), hop.machine.context().is_final, hop.version), (hop::State::Completed, is_final, 8));
        assert_eq!(hop.machine.context().mission_id, Some(1));
    }
    assert_eq!(kit.missions().replay(&mut c).await.unwrap(), []);
    assert_eq!(kit.hops().replay(&mut c).await.unwrap(), []);
    drop(c);
    let line = "to_state || ' ' || coalesce(event, '-') || ' ' || coalesce(actor, '-')";
    let lines = kit.ask(&format!("SELECT {line} FROM {} WHERE id = 1 ORDER BY entry", kit.own("mission_journal"))).await;
    assert_eq!(
        lines.into_iter().flatten().flatten().collect::<Vec<_>>(),
        [
            "AWAITING_APPROVAL propose agent",
            "IN_PROGRESS approve user",
            "IN_PROGRESS link_hop user",
            "IN_PROGRESS hop_completed system",
            "IN_PROGRESS link_hop user",
            "COMPLETED hop_completed system",
        ]
    );
}

pub(crate) async fn a_transaction_is_refused_whole<K: Kit>(kit: &K) {
    let nobody = run(kit, unit(kit, 1, 0, None), approve_mission).await;
    assert!(matches!(nobody, Ran::Refused(it) if it.to_string() == "there is no mission"));
    approved(kit, 1).await;
    let by = run(kit, unit(kit, 1, 11, Some(Actor::System)), |unit| request_hop_plan(unit).map(drop)).await;
    assert!(matches!(by, Ran::Refused(_)), "the system requests nothing: {by:?}");
    let _ = run(kit, unit(kit, 1, 11, None), |unit| request_hop_plan(unit).map(drop)).await;
    // The second hop is not created, because the mission refuses the link.
    let second = run(kit, unit(kit, 1, 12, None), |unit| request_hop_plan(unit).map(drop)).await;
    assert!(matches!(second, Ran::Refused(it) if it.to_string() == "the mission has a current hop"));
    let early = run(kit, unit(kit, 1, 11, None), |unit| complete_hop_execution(unit, 11)).await;
    assert!(matches!(early, Ran::Refused(_)), "the mission is not told");
    // What the caller writes and what the system writes are one transaction, which is not committed.
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    c.execute(&format!("INSERT INTO {} (command) VALUES ('own')", kit.own("hop_commands")), &[]).await.unwrap();
    let ran = unit(kit, 1, 11, None).run(&mut c, |unit| complete_hop_plan(unit, 11, false)).await.unwrap();
    assert!(matches!(ran, Ran::Applied { n_machines: 1, .. }));
    drop(c);
    drop(database);
    let rows = kit.ask("SELECT CAST(id AS text), state, CAST(version AS text) FROM hops").await;
    assert_eq!(rows.concat().into_iter().flatten().collect::<Vec<_>>(), ["11", "HOP_PLAN_STARTED", "1"]);
    assert!(kit.ask(&format!("SELECT command FROM {}", kit.own("hop_commands"))).await.is_empty());
    // A row that the mission's guard would refuse takes the hop's write with it.
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    let unknown = unit(kit, 1, 11, None).run(&mut c, |unit| {
        complete_hop_plan(unit, 11, false)?;
        // Back to the beginning: no transaction does this.
        unit.system.parts.0.save(1, &mission::Mission::restore(mission::State::AwaitingApproval, mission::Context::default())).unwrap();
        Ok::<_, Failure<Error>>(())
    });
    assert_eq!(unknown.await.unwrap_err().class(), Class::Guard);
    drop(c);
    drop(database);
    let rows = kit.ask("SELECT state FROM hops UNION ALL SELECT state FROM missions").await;
    assert_eq!(rows.concat().into_iter().flatten().collect::<Vec<_>>(), ["HOP_PLAN_STARTED", "IN_PROGRESS"]);
}

pub(crate) async fn a_command_of_a_system_is_done_once<K: Kit>(kit: &K) {
    approved(kit, 1).await;
    let _ = run(kit, unit(kit, 1, 11, None), |unit| request_hop_plan(unit).map(drop)).await;
    let root = *kit.missions().table();
    let asked = || {
        let unit = unit(kit, 1, 11, None);
        Unit { system: unit.system.command(root, "c-1"), ..unit }
    };
    let plan: Run = |unit| complete_hop_plan(unit, 11, false);
    assert!(matches!(run(kit, asked(), plan).await, Ran::Applied { .. }));
    for _ in 0..2 {
        let again = run(kit, asked(), plan).await;
        assert!(matches!(again, Ran::Repeated(it) if it.entity == "mission_hop.complete_hop_plan"));
    }
    assert_eq!(kit.ask("SELECT CAST(version AS text) FROM hops").await, [[Some("2".to_owned())]]);
    let mut database = kit.open().await;
    let mut c = database.begin().await.unwrap();
    let other = asked().run(&mut c, |unit| approve_hop_plan(unit, 11)).await.unwrap_err();
    assert_eq!(other.class(), Class::Constraint, "another transaction's command: {other}");
}
