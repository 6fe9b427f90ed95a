//! The tables of systems: owners, and invariants that hold when a transaction ends, against the interpreter of systems.

use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

use postgres::Client;
use rusqlite::Connection;
use statespec_lang::interpret::Instance;
use statespec_lang::interpret::system::World;
use statespec_lang::lower::load;
use statespec_lang::model::{Configuration, FieldId, Model, PartId, StateId, System, Value};
use statespec_lang::source::Input;
use statespec_sql::{Births, Column, Engine, Guard, Kind, Mapping, Table, guard, membership};

use crate::oracle::model;
use crate::server::server;
use crate::tables::{Database, mapping};

/// The tables of a system, in the order of its parts; `None` for a part without one.
type Mappings = Vec<Option<Mapping>>;

/// A mapping to a table with columns of these names.
fn table(model: &Model, system: &System, part: usize, engine: Engine, name: &str, columns: &[&str]) -> Mapping {
    let machine = &model.machines[system.parts[part].machine];
    let column = |it: &&str| {
        let field = machine.fields.iter().position(|field| field.name == **it).unwrap();
        (FieldId::new(field), Column { name: (*it).into(), unit: None })
    };
    Mapping { table: Table { schema: None, name: name.into() }, columns: columns.iter().map(column).collect(), ..mapping(engine) }
}

/// The guards of the tables of a system.
fn guards(model: &Model, system: &System, mappings: &Mappings) -> Vec<(usize, Mapping, Guard)> {
    let tables: BTreeMap<PartId, Mapping> =
        mappings.iter().enumerate().filter_map(|(part, it)| Some((PartId::new(part), it.clone()?))).collect();
    let guarded = tables.iter().map(|(part, it)| {
        let mapping = Mapping { membership: Some(membership(model, system, *part, &tables)), ..it.clone() };
        let guard = guard(&model.machines[system.part(*part).machine], &mapping).unwrap();
        (part.index(), mapping, guard)
    });
    guarded.collect()
}

fn attach(database: &mut dyn Database, guards: &[(usize, Mapping, Guard)]) {
    // The second time changes nothing.
    for _ in 0..2 {
        for (_, _, guard) in guards {
            database.run(&format!("BEGIN;\n{}COMMIT", guard.script())).unwrap();
        }
    }
}

/// What is said about the rules of a system.
fn rules(guards: &[(usize, Mapping, Guard)], part: usize, system: &str) -> String {
    let guard = &guards.iter().find(|it| it.0 == part).unwrap().2;
    let rules = guard.rules.iter().filter(|it| it.what.starts_with(&format!("{system}: ")));
    let shown = rules.map(|it| {
        let because = it.because.as_ref().map_or(String::new(), |it| format!(", because {it}"));
        format!("{}: {}{because}\n", it.what, it.verdict.word())
    });
    shown.collect()
}

/// The reference system of missions and hops.
fn missions(engine: Engine) -> (&'static Model, usize, Mappings) {
    let model = model();
    let idx = model.systems.iter().position(|it| it.name == "mission_hop").unwrap();
    let system = &model.systems[idx];
    let of = |part: usize, name: &str, columns: &[&str]| Some(table(model, system, part, engine, name, columns));
    let mappings = vec![of(0, "missions", &["current_hop_id"]), of(1, "hops", &["mission_id", "is_final"])];
    (model, idx, mappings)
}

const MISSIONS: &str = "CREATE TABLE missions (id bigint PRIMARY KEY, status text, current_hop_id bigint);
    CREATE TABLE hops (id bigint PRIMARY KEY, status text, mission_id bigint, is_final boolean NOT NULL DEFAULT false, note text)";

/// A database of PostgreSQL with missions and hops, and its name.
fn with_missions(server: &crate::server::Server) -> (Client, String, Vec<(usize, Mapping, Guard)>) {
    let (mut client, name) = server.database();
    let (model, idx, mappings) = missions(Engine::Postgres);
    client.run(MISSIONS).unwrap();
    let guards = guards(model, &model.systems[idx], &mappings);
    attach(&mut client, &guards);
    (client, name, guards)
}

/// Leaves of a system nothing but its invariants: what a table may have is tried out without the steps that lead there.
fn without_steps(client: &mut Client, machines: &[(&str, &str)]) {
    for (table, machine) in machines {
        for what in ["edge", "birth"] {
            client.run(&format!("ALTER TABLE {table} DISABLE TRIGGER statespec_{machine}_{what}")).unwrap();
        }
    }
}

#[test]
fn every_rule_of_a_system_says_who_keeps_it() {
    let (model, idx, mut mappings) = missions(Engine::Postgres);
    let said = |mappings: &Mappings| rules(&guards(model, &model.systems[idx], mappings), 1, "mission_hop");
    let all = said(&mappings);
    let expected = "mission_hop: each row belongs to one of mission, for good: enforced\n\
        mission_hop: Mission is IN_PROGRESS before creating hops: not, because a write has no event, so that the database does not know which rules apply\n\
        mission_hop: Mission is IN_PROGRESS before updating hops: not, because a write has no event, so that the database does not know which rules apply\n\
        mission_hop: current_hop_id matches the hop being updated: not, because a write has no event, so that the database does not know which rules apply\n\
        mission_hop: A mission awaiting approval has no current hop: enforced\n\
        mission_hop: mission.current_hop_id must reset to null when hop completes: enforced\n\
        mission_hop: Final hop (is_final=true) completion triggers mission completion: enforced\n";
    assert_eq!(all, expected);

    let without = |mappings: &mut Mappings, part: usize, column: &str| {
        let machine = &model.machines[model.systems[idx].parts[part].machine];
        let field = machine.fields.iter().position(|it| it.name == column).unwrap();
        mappings[part].as_mut().unwrap().columns.remove(&FieldId::new(field));
    };
    let mut other = mappings.clone();
    without(&mut other, 1, "is_final");
    assert!(said(&other).contains("completion triggers mission completion: not, because `is_final` has no column\n"));
    let mut other = mappings.clone();
    without(&mut other, 1, "mission_id");
    let text = said(&other);
    assert!(text.contains("belongs to one of mission, for good: not, because `mission_id` has no column\n"), "{text}");
    assert!(text.contains("must reset to null when hop completes: not, because `mission_id` has no column\n"), "{text}");
    let mut other = mappings.clone();
    other[0].as_mut().unwrap().key.push("tenant".into());
    assert!(said(&other).contains("not, because the key of `missions` has several columns, and `mission_id` refers to it with one\n"));
    mappings[0] = None;
    assert!(said(&mappings).contains("not, because no `[[database]]` has `part = \"mission_hop.mission\"`\n"));

    let (model, idx, mappings) = missions(Engine::Sqlite);
    let text = rules(&guards(model, &model.systems[idx], &mappings), 1, "mission_hop");
    assert!(text.starts_with("mission_hop: each row belongs to one of mission, for good: enforced\n"), "{text}");
    assert_eq!(text.matches("not, because SQLite checks nothing when a transaction ends\n").count(), 3, "{text}");
}

#[test]
fn rows_keep_their_owners() {
    let owners = |database: &mut dyn Database, says: [&str; 4]| {
        database.run("INSERT INTO missions (id, status) VALUES (1, 'AWAITING_APPROVAL'), (2, 'AWAITING_APPROVAL')").unwrap();
        database.run("INSERT INTO hops (id, status, mission_id) VALUES (10, 'HOP_PLAN_STARTED', 1)").unwrap();
        for (sql, said) in [
            ("INSERT INTO hops (id, status, mission_id) VALUES (11, 'HOP_PLAN_STARTED', NULL)", says[0]),
            ("INSERT INTO hops (id, status, mission_id) VALUES (11, 'HOP_PLAN_STARTED', 3)", says[1]),
            ("UPDATE hops SET mission_id = 2", says[2]),
            ("DELETE FROM missions WHERE id = 1", says[3]),
        ] {
            let refused = database.attempt(sql).expect_err(sql);
            assert!(refused.contains(said), "{sql}: {refused}");
        }
        database.run("UPDATE hops SET mission_id = 1, note = 'again'; DELETE FROM missions WHERE id = 2").unwrap();
        database.run("DELETE FROM hops; DELETE FROM missions").unwrap();
    };
    let (model, idx, mappings) = missions(Engine::Sqlite);
    let mut sqlite = Connection::open_in_memory().unwrap();
    sqlite.run(MISSIONS).unwrap();
    attach(&mut sqlite, &guards(model, &model.systems[idx], &mappings));
    let without = "hop: a row without its owner; set mission_id to a row of missions";
    owners(&mut sqlite, [without, without, "hop: a row keeps its owner", "mission: other rows belong to this one"]);

    let Some(server) = server("guards in PostgreSQL") else { return };
    let (mut client, _, _) = with_missions(&server);
    owners(&mut client, ["hop 11: a row without its owner", "statespec_hop_owner", "hop 10: a row keeps its owner", "statespec_hop_owner"]);
    // A foreign key that the table has already is as good.
    client.run("ALTER TABLE hops DROP CONSTRAINT statespec_hop_owner, ADD CONSTRAINT own FOREIGN KEY (mission_id) REFERENCES missions ON DELETE CASCADE").unwrap();
    let (model, idx, mappings) = missions(Engine::Postgres);
    attach(&mut client, &guards(model, &model.systems[idx], &mappings));
    assert_eq!(client.ask("SELECT count(*) FROM pg_constraint WHERE conname = 'statespec_hop_owner'"), Some("0".to_owned()));
    client.run("INSERT INTO missions (id, status) VALUES (1, 'AWAITING_APPROVAL')").unwrap();
    client.run("INSERT INTO hops (id, status, mission_id) VALUES (10, 'HOP_PLAN_STARTED', 1)").unwrap();
    client.run("DELETE FROM missions").unwrap();
    assert_eq!(client.ask("SELECT count(*) FROM hops"), Some("0".to_owned()));
}

#[test]
fn what_two_transactions_break_together_is_refused() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    let (mut first, name, _) = with_missions(&server);
    without_steps(&mut first, &[("missions", "mission"), ("hops", "hop")]);
    // Each alone leaves the invariant intact: a completed hop is not the current one of its mission.
    let sides = ["UPDATE missions SET current_hop_id = 10", "UPDATE hops SET status = 'COMPLETED'"];
    let born = ["UPDATE missions SET current_hop_id = 10", "INSERT INTO hops (id, status, mission_id) VALUES (10, 'COMPLETED', 1)"];
    for level in ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"] {
        for (with_hop, sides) in [(true, sides), (false, born)] {
            for order in [[0, 1], [1, 0]] {
                first.run("DELETE FROM hops; DELETE FROM missions; INSERT INTO missions (id, status) VALUES (1, 'IN_PROGRESS')").unwrap();
                if with_hop {
                    first.run("INSERT INTO hops (id, status, mission_id) VALUES (10, 'EXECUTING', 1)").unwrap();
                }
                let mut second = server.connect(&name).unwrap();
                let begin = format!("BEGIN ISOLATION LEVEL {level}; SELECT 1 FROM missions;");
                first.run(&format!("{begin} {}", sides[order[0]])).unwrap();
                second.run(&format!("{begin} {}", sides[order[1]])).unwrap();
                // The first has checked, and has not committed yet.
                first.run("SET CONSTRAINTS ALL IMMEDIATE").unwrap();
                let waits = thread::spawn(move || second.run("COMMIT"));
                thread::sleep(Duration::from_millis(50));
                first.run("COMMIT").unwrap();
                let said = waits.join().unwrap().expect_err("together they break an invariant");
                let expected = if level == "READ COMMITTED" { "23514: mission_hop: mission.current_hop_id must reset" } else { "40001: " };
                assert!(said.starts_with(expected), "{level} {order:?}: {said}");
                assert_eq!(
                    first.ask("SELECT count(*) FROM missions, hops WHERE current_hop_id = hops.id AND hops.status = 'COMPLETED'"),
                    Some("0".into())
                );
            }
        }
    }
}

/// A value as SQL has it; references are numbers.
fn literal(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Bool(it) => it.to_string(),
        Value::Int(it) => it.to_string(),
        Value::Reference(it) => it.to_string(),
        Value::Text(it) => format!("'{it}'"),
        other => panic!("no literal for {other:?}"),
    }
}

/// Writes one instance of each part of a chain, in one transaction, and compares the commit with the interpreter.
struct Tried<'a> {
    model: &'a Model,
    system: &'a System,
    guards: &'a [(usize, Mapping, Guard)],
    n_accepted: usize,
    n_refused: usize,
}

impl Tried<'_> {
    fn attempt(&mut self, client: &mut Client, instances: &[(usize, u64, Instance)]) {
        let mut world = World::new(self.model, self.system).unwrap();
        let mut sql = String::from("BEGIN;");
        for (part, number, instance) in instances {
            world.put(self.model, self.system, PartId::new(*part), *number, instance.clone()).unwrap();
            let (_, mapping, guard) = self.guards.iter().find(|it| it.0 == *part).unwrap();
            let state = guard.graph.states.iter().position(|it| it.configuration == instance.configuration).unwrap();
            let state = match mapping.kind {
                Kind::Integer => guard.stored[state].clone(),
                _ => format!("'{}'", guard.stored[state]),
            };
            let set: Vec<String> = mapping
                .columns
                .iter()
                .map(|(field, column)| format!("\"{}\" = {}", column.name, literal(&instance.context[field.index()])))
                .collect();
            sql += &format!("UPDATE {} SET status = {state}, {} WHERE id = {number};", mapping.table.name, set.join(", "));
        }
        client.run(&sql).unwrap();
        let broken = world.broken_invariant(self.model, self.system);
        match (client.run("SET CONSTRAINTS ALL IMMEDIATE"), broken) {
            (Ok(()), None) => self.n_accepted += 1,
            (Err(said), Some(idx)) => {
                assert!(self.system.invariants.iter().any(|it| said.contains(&it.doc)), "{idx}: {said}");
                self.n_refused += 1;
            }
            (said, broken) => panic!("{sql}: {said:?} {broken:?}"),
        }
        client.run("ROLLBACK").unwrap();
    }
}

#[test]
fn invariants_of_missions_are_those_of_the_interpreter() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    let (mut client, _, guards) = with_missions(&server);
    let (model, idx, _) = missions(Engine::Postgres);
    let system = &model.systems[idx];
    without_steps(&mut client, &[("missions", "mission"), ("hops", "hop")]);
    client.run("INSERT INTO missions (id, status) VALUES (1, 'IN_PROGRESS'); INSERT INTO hops (id, status, mission_id) VALUES (10, 'EXECUTING', 1), (11, 'EXECUTING', 1)").unwrap();
    let (mission, hop) = (&model.machines[system.parts[0].machine], &model.machines[system.parts[1].machine]);
    let mut tried = Tried { model, system, guards: &guards, n_accepted: 0, n_refused: 0 };
    let instance = |state: StateId, context: Vec<Value>| Instance { configuration: state.into(), context };
    for of_mission in mission.leaves() {
        for current in [Value::Null, Value::Reference(10), Value::Reference(11)] {
            for of_hop in hop.leaves() {
                for is_final in [false, true] {
                    let hops = |number: u64, state: StateId, is_final: bool| {
                        (1, number, instance(state, vec![Value::Reference(1), Value::Bool(is_final)]))
                    };
                    let other = hop.leaves().next().unwrap();
                    let all = [(0, 1, instance(of_mission, vec![current.clone()])), hops(10, of_hop, is_final), hops(11, other, false)];
                    tried.attempt(&mut client, &all);
                }
            }
        }
    }
    assert!(tried.n_accepted > 50 && tried.n_refused > 20, "{} {}", tried.n_accepted, tried.n_refused);
}

/// Cars in the bays of depots: three levels, a part with regions, numbers for states, whole numbers, texts and what may be null.
const DEPOTS: [(&str, &str); 4] = [
    (
        "depot",
        "machine: depot\ncontext: { limit: { type: int, optional: true }, kind: { type: text, default: wet } }\n\
         states: { open: { initial: true }, closed: {} }\nevents: { found: {}, close: {}, reopen: {} }\n\
         transitions:\n  - { from: \"[*]\", event: found, to: open }\n  - { from: open, event: close, to: closed }\n  - { from: closed, event: reopen, to: open }\n",
    ),
    (
        "bay",
        "machine: bay\ncontext: { depot_id: { type: reference, optional: true } }\n\
         states:\n  works:\n    initial: true\n    regions:\n      gate: { states: { shut: { initial: true }, up: {} } }\n      cycle: { states: { idle: { initial: true }, busy: {} } }\n\
         events: { build: {}, lift: {}, lower: {}, begin: {}, end: {} }\n\
         transitions:\n  - { from: \"[*]\", event: build, to: works }\n  - { from: shut, event: lift, to: up }\n  - { from: up, event: lower, to: shut }\n  - { from: idle, event: begin, to: busy }\n  - { from: busy, event: end, to: idle }\n",
    ),
    (
        "car",
        "machine: car\ncontext: { bay_id: { type: reference, optional: true }, weight: { type: int, default: 1 }, wants: { type: text, optional: true } }\n\
         states: { waiting: { initial: true }, inside: { states: { washing: { initial: true }, drying: {} } }, gone: { terminal: true } }\n\
         events: { arrive: {}, wash: {}, dry: {}, leave: {} }\n\
         transitions:\n  - { from: \"[*]\", event: arrive, to: waiting }\n  - { from: waiting, event: wash, to: washing }\n  - { from: washing, event: dry, to: drying }\n  - { from: [waiting, inside], event: leave, to: gone }\n",
    ),
    (
        "wash",
        "system: wash\nparts:\n  depot: { machine: depot, many: true }\n  bay: { machine: bay, many: true, of: depot, by: depot_id }\n  car: { machine: car, many: true, of: bay, by: bay_id }\n\
         transactions:\n  found: { fire: depot.found }\n  close: { fire: depot.close }\n  reopen: { fire: depot.reopen }\n  build: { fire: bay.build }\n  lift: { fire: bay.lift }\n  lower: { fire: bay.lower }\n  begin: { fire: bay.begin }\n  end: { fire: bay.end }\n\
         \x20 arrive: { fire: car.arrive }\n  wash: { fire: car.wash }\n  dry: { fire: car.dry }\n  leave: { fire: car.leave }\n\
         invariants:\n  - { require: not (car.state in inside) or bay.state in shut, doc: The gate is down }\n\
         \x20 - { require: depot.limit == null or car.weight <= depot.limit or car.state == gone, doc: The car is not too heavy }\n\
         \x20 - { require: depot.state == open or not (bay.state in busy), doc: Nothing runs in a closed depot }\n\
         \x20 - { require: car.wants == null or car.wants == depot.kind or car.state != drying, doc: The car gets what it wants }\n\
         walkthroughs:\n  one:\n    steps:\n      - { step: \"1\", run: found, instances: { depot: 1 }, trigger: It is founded }\n",
    ),
];

#[test]
fn invariants_over_three_levels_are_those_of_the_interpreter() {
    let inputs: Vec<Input> =
        DEPOTS.iter().map(|(name, text)| Input { path: format!("machines/{name}.yaml"), text: (*text).to_owned() }).collect();
    let loaded = load(&inputs);
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let system = &model.systems[0];
    let engine = Engine::Postgres;
    let of =
        |part: usize, name: &str, columns: &[&str]| Mapping { births: Births::Any, ..table(&model, system, part, engine, name, columns) };
    let car = of(2, "cars", &["bay_id", "weight", "wants"]);
    let numbers = model.machine("car").unwrap().leaves().enumerate().map(|(idx, it)| (it, idx.to_string())).collect();
    let car = Mapping { kind: Kind::Integer, values: numbers, ..car };
    let mappings = vec![Some(of(0, "depots", &["limit", "kind"])), Some(of(1, "bays", &["depot_id"])), Some(car)];
    let guards = guards(&model, system, &mappings);
    let enforced: String = rules(&guards, 1, "wash");
    assert_eq!(enforced.matches(": enforced\n").count(), 5, "{enforced}");

    let Some(server) = server("guards in PostgreSQL") else { return };
    let (mut client, _) = server.database();
    client
        .run(
            "CREATE TABLE depots (id int PRIMARY KEY, status text, \"limit\" int, kind text);
             CREATE TABLE bays (id bigint PRIMARY KEY, status text, depot_id int);
             CREATE TABLE cars (id bigint PRIMARY KEY, status smallint, bay_id bigint, weight int, wants text)",
        )
        .unwrap();
    attach(&mut client, &guards);
    without_steps(&mut client, &[("depots", "depot"), ("bays", "bay"), ("cars", "car")]);
    client
        .run(
            "BEGIN; INSERT INTO depots VALUES (1, 'open', NULL, 'wet'); INSERT INTO bays VALUES (5, 'shut+idle', 1);
             INSERT INTO cars VALUES (7, 0, 5, 1, NULL); COMMIT",
        )
        .unwrap();
    let configurations = |part: usize| -> Vec<Configuration> {
        guards.iter().find(|it| it.0 == part).unwrap().2.graph.states.iter().map(|it| it.configuration.clone()).collect()
    };
    let mut tried = Tried { model: &model, system, guards: &guards, n_accepted: 0, n_refused: 0 };
    let text = |it: &str| Value::Text(it.into());
    for depot in configurations(0) {
        for limit in [Value::Null, Value::Int(2)] {
            for bay in configurations(1) {
                for car in configurations(2) {
                    for weight in [2, 3] {
                        for wants in [Value::Null, text("wet"), text("WET")] {
                            let instance = |configuration: &Configuration, context: Vec<Value>| Instance {
                                configuration: configuration.clone(),
                                context,
                            };
                            tried.attempt(
                                &mut client,
                                &[
                                    (0, 1, instance(&depot, vec![limit.clone(), text("wet")])),
                                    (1, 5, instance(&bay, vec![Value::Reference(1)])),
                                    (2, 7, instance(&car, vec![Value::Reference(5), Value::Int(weight), wants])),
                                ],
                            );
                        }
                    }
                }
            }
        }
    }
    assert!(tried.n_accepted > 50 && tried.n_refused > 50, "{} {}", tried.n_accepted, tried.n_refused);
}

#[test]
fn a_transaction_may_break_an_invariant_while_it_runs() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    let (mut client, name, _) = with_missions(&server);
    client.run("CREATE ROLE program LOGIN; GRANT SELECT, INSERT, UPDATE, DELETE ON missions, hops TO program").unwrap();
    // The program may not read the fence, and the rules are the same for it.
    let url = server.url(&name).replace("user=postgres", "user=program");
    let mut program = Client::connect(&url, postgres::NoTls).unwrap();
    program.run("INSERT INTO missions (id, status) VALUES (1, 'AWAITING_APPROVAL'); UPDATE missions SET status = 'IN_PROGRESS'").unwrap();
    program.run("BEGIN; INSERT INTO hops (id, status, mission_id) VALUES (10, 'HOP_PLAN_STARTED', 1); UPDATE missions SET current_hop_id = 10; COMMIT").unwrap();
    for state in ["HOP_PLAN_PROPOSED", "HOP_PLAN_READY", "HOP_IMPL_STARTED", "HOP_IMPL_PROPOSED", "HOP_IMPL_READY", "EXECUTING"] {
        program.run(&format!("UPDATE hops SET status = '{state}'")).unwrap();
    }
    let said = program.run("UPDATE hops SET status = 'COMPLETED'").unwrap_err();
    assert_eq!(said, "23514: mission_hop: mission.current_hop_id must reset to null when hop completes (broken by 10)");
    // In one transaction, in either order.
    program.run("BEGIN; UPDATE hops SET status = 'COMPLETED'; UPDATE missions SET current_hop_id = NULL; COMMIT").unwrap();
    program.run("INSERT INTO hops (id, status, mission_id) VALUES (11, 'HOP_PLAN_STARTED', 1)").unwrap();
    program.run("SELECT * FROM statespec.mission_hop_fence").unwrap_err();
    client.run("DROP OWNED BY program; DROP ROLE program").unwrap();
}
