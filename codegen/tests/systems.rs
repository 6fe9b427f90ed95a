//! The reference interpreter of systems: transactions, rules, links, invariants, walkthroughs.

use std::fmt::Write as _;

use statespec_codegen::diagnostic::{Style, render};
use statespec_codegen::model::{ActorId, Literal, Model, PartId, StateId, System, Value};
use statespec_codegen::source::Input;
use statespec_lang::interpret::{
    Cell, EffectCall, Failure, Fired, Reason, SystemError, SystemHost, SystemReason, Trace, World, may_trigger, walkthrough,
};
use statespec_lang::lower::load;

fn reference() -> Model {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../machines");
    let files = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let yaml = files.filter(|it| it.extension().is_some_and(|it| it == "yaml"));
    let name = |path: &std::path::Path| format!("machines/{}", path.file_name().unwrap().to_str().unwrap());
    model(yaml.map(|path| Input { path: name(&path), text: std::fs::read_to_string(&path).unwrap() }).collect())
}

fn model(inputs: Vec<Input>) -> Model {
    let loaded = load(&inputs);
    let complaints = render(&loaded.sources, &loaded.diagnostics, Style::Plain);
    loaded.model.unwrap_or_else(|| panic!("{complaints}"))
}

/// A system under test, its world, and a host that fails on request.
struct Run {
    model: Model,
    system: System,
    world: World,
    host: Host,
}

#[derive(Default)]
struct Host {
    fails: Option<String>,
    store_fails: bool,
    n_stored: usize,
    happened: Vec<String>,
    names: Vec<Vec<String>>,
}

impl SystemHost for Host {
    fn predicate(&self, _: PartId, _: statespec_codegen::model::PredicateId) -> bool {
        true
    }

    fn before(&mut self, part: PartId, _: u64, effect: &EffectCall) -> Result<(), String> {
        let name = &self.names[part.index()][effect.effect.index()];
        self.happened.push(format!("before {name}"));
        if self.fails.as_ref() == Some(name) { Err("told to".into()) } else { Ok(()) }
    }

    fn store(&mut self, fired: &[Fired]) -> Result<(), String> {
        self.n_stored += 1;
        self.happened.push(format!("store {}", fired.len()));
        if self.store_fails { Err("told to".into()) } else { Ok(()) }
    }

    fn effect(&mut self, part: PartId, number: u64, effect: &EffectCall) {
        let name = &self.names[part.index()][effect.effect.index()];
        self.happened.push(format!("{name} of {number}"));
    }
}

/// A transaction, its instances, and its payload.
type Call<'a> = (&'a str, &'a [(&'a str, u64)], &'a [Value]);

impl Run {
    fn new(model: Model, name: &str) -> Run {
        let system = model.systems.iter().find(|it| it.name == name).unwrap().clone();
        let world = World::new(&model, &system).unwrap();
        let effects = |part: PartId| model.machines[system.part(part).machine].effects.iter().map(|it| it.name.clone()).collect();
        let host = Host { names: system.part_ids().map(effects).collect(), ..Host::default() };
        Run { model, system, world, host }
    }

    fn part(&self, name: &str) -> PartId {
        self.system.part_id(name).unwrap()
    }

    fn run(&mut self, transaction: &str, chosen: &[(&str, u64)], payload: &[Value]) -> Result<Trace, SystemError> {
        let transaction = self.system.transactions.iter().position(|it| it.name == transaction).unwrap();
        let chosen: Vec<_> = chosen.iter().map(|(part, number)| (self.part(part), *number)).collect();
        let before = self.world.clone();
        let outcome = self.world.run(&self.model, &self.system, transaction, &chosen, payload, &mut self.host);
        if outcome.is_err() {
            assert_eq!(self.world, before, "all or nothing");
        }
        outcome
    }

    /// Runs transactions that must succeed.
    fn go(&mut self, transactions: &[Call<'_>]) -> &mut Self {
        for (transaction, chosen, payload) in transactions {
            if let Err(error) = self.run(transaction, chosen, payload) {
                panic!("{transaction}: {}", error.show(&self.model, &self.system));
            }
        }
        self
    }

    fn refusal(&mut self, transaction: &str, chosen: &[(&str, u64)], payload: &[Value]) -> String {
        let error = self.run(transaction, chosen, payload).unwrap_err();
        assert!(matches!(error, SystemError::Refused(_)), "{error:?}");
        error.show(&self.model, &self.system)
    }

    fn state(&self, part: &str, number: u64) -> String {
        let id = self.part(part);
        let machine = &self.model.machines[self.system.part(id).machine];
        self.world.instance(id, number).map_or("none".into(), |it| machine.configuration_path(&it.configuration).into_owned())
    }

    fn field(&self, part: &str, number: u64, name: &str) -> Value {
        let id = self.part(part);
        let machine = &self.model.machines[self.system.part(id).machine];
        let idx = machine.fields.iter().position(|it| it.name == name).unwrap();
        self.world.instance(id, number).unwrap().context[idx].clone()
    }

    fn state_id(&self, part: &str, name: &str) -> StateId {
        let machine = &self.model.machines[self.system.part(self.part(part)).machine];
        StateId::new(machine.states.iter().position(|it| it.name == name).unwrap())
    }
}

/// A walkthrough as in the docs, without emphasis.
fn table(model: &Model, system: &System, idx: usize) -> String {
    let told = &system.walkthroughs[idx];
    let traces = walkthrough(model, system, idx).unwrap();
    let mut text = String::new();
    for (step, trace) in told.steps.iter().zip(&traces) {
        let transaction = &system.transactions[step.transaction];
        let actors: Vec<&str> = transaction.by.iter().map(|it| system.actors[it.index()].name.as_str()).collect();
        write!(text, "{} | {} | {}", step.number, step.trigger, actors.join(", ")).unwrap();
        for (part, cell) in system.part_ids().zip(&trace.cells) {
            let machine = &model.machines[system.part(part).machine];
            let name = |at: &statespec_codegen::model::Configuration| machine.display_name(at.first());
            let shown = |cell: &Cell| match cell {
                Cell::Absent => "None".to_owned(),
                Cell::Unchanged(state) => format!("{} (no change)", name(state)),
                Cell::Changed { before: None, after } => format!("None → {}", name(after)),
                Cell::Changed { before: Some(before), after } => format!("{} → {}", name(before), name(after)),
                Cell::Several(_) => panic!("no instance of several"),
            };
            match cell {
                Cell::Several(cells) => {
                    let cells: Vec<String> = cells.iter().map(|(number, it)| format!("#{number} {}", shown(it))).collect();
                    write!(text, " | {}", cells.join(", ")).unwrap();
                }
                only => write!(text, " | {}", shown(only)).unwrap(),
            }
        }
        write!(text, " | {}", trace.update_lines(system).join("; ")).unwrap();
        if let Some(refused) = &step.refused {
            write!(text, " | refused: {refused}").unwrap();
        }
        writeln!(text, " | {}", step.note.as_deref().unwrap_or_default()).unwrap();
    }
    text
}

#[test]
fn every_walkthrough_goes_as_written() {
    let model = reference();
    for system in &model.systems {
        for (idx, told) in system.walkthroughs.iter().enumerate() {
            insta::assert_snapshot!(format!("walkthrough_{}_{}", system.name, told.name), table(&model, system, idx));
        }
    }
}

/// A mission in progress, with a new first hop.
fn mission() -> Run {
    let mut run = Run::new(reference(), "mission_hop");
    run.go(&[("propose_mission", &[], &[]), ("approve_mission", &[], &[]), ("request_hop_plan", &[("hop", 1)], &[])]);
    run
}

const TO_EXECUTING: [&str; 5] =
    ["approve_hop_plan", "request_implementation", "complete_implementation", "approve_implementation", "trigger_execution"];

/// A hop in the last state before its completion.
fn executing(run: &mut Run, number: u64, last: bool) {
    let hop: &[(&str, u64)] = &[("hop", number)];
    run.go(&[("complete_hop_plan", hop, &[Value::Bool(last)])]);
    for transaction in TO_EXECUTING {
        run.go(&[(transaction, hop, &[])]);
    }
}

#[test]
fn a_second_hop_beside_the_first_is_refused() {
    // A-14 of the list of readings.
    let mut run = mission();
    assert_eq!(run.refusal("request_hop_plan", &[("hop", 2)], &[]), "the mission has a current hop");
    assert_eq!(run.state("hop", 2), "none");
    assert_eq!(run.field("mission", 1, "current_hop_id"), Value::Reference(1));
}

#[test]
fn the_final_hop_completes_the_mission_and_stays_its_current_one() {
    // the first hop may be the final one.
    let mut run = mission();
    executing(&mut run, 1, true);
    let trace = run.run("complete_hop_execution", &[("hop", 1)], &[]).unwrap();
    assert_eq!((run.state("mission", 1), run.state("hop", 1)), ("COMPLETED".into(), "COMPLETED".into()));
    assert_eq!(run.field("mission", 1, "current_hop_id"), Value::Reference(1));
    assert_eq!(trace.fired.len(), 2);
    assert_eq!(run.refusal("request_hop_plan", &[("hop", 2)], &[]), "Mission is IN_PROGRESS before creating hops");
}

#[test]
fn any_number_of_hops_may_come_before_the_final_one() {
    let mut run = mission();
    for number in 1..=5 {
        executing(&mut run, number, false);
        run.go(&[("complete_hop_execution", &[("hop", number)], &[])]);
        assert_eq!((run.state("mission", 1), run.field("mission", 1, "current_hop_id")), ("IN_PROGRESS".into(), Value::Null));
        // Without a number the new hop gets the next one.
        let trace = run.run("request_hop_plan", &[], &[]).unwrap();
        assert_eq!(trace.chosen[&run.part("hop")], number + 1);
    }
}

#[test]
fn a_hop_that_is_not_current_is_not_updated() {
    let mut run = mission();
    executing(&mut run, 1, false);
    run.go(&[("complete_hop_execution", &[("hop", 1)], &[]), ("request_hop_plan", &[("hop", 2)], &[])]);
    assert_eq!(run.refusal("approve_hop_plan", &[("hop", 1)], &[]), "current_hop_id matches the hop being updated");
}

#[test]
fn hops_need_a_mission_in_progress() {
    // put back by hand, because no transaction does so.
    let mut run = mission();
    let (mission, waiting) = (run.part("mission"), run.state_id("mission", "AWAITING_APPROVAL"));
    let mut instance = run.world.instance(mission, 1).unwrap().clone();
    instance.configuration = waiting.into();
    run.world.put(&run.model, &run.system, mission, 1, instance).unwrap();
    for transaction in TO_EXECUTING {
        assert_eq!(run.refusal(transaction, &[("hop", 1)], &[]), "Mission is IN_PROGRESS before updating hops");
    }
}

#[test]
fn all_rules_and_guards_read_the_snapshot_before_the_transaction() {
    // the completion checks current_hop_id and clears it, in either order.
    for reversed in [false, true] {
        let mut run = mission();
        executing(&mut run, 1, false);
        let idx = run.system.transactions.iter().position(|it| it.name == "complete_hop_execution").unwrap();
        if reversed {
            run.system.transactions[idx].fire.reverse();
        }
        run.go(&[("complete_hop_execution", &[("hop", 1)], &[])]);
        assert_eq!((run.state("hop", 1), run.field("mission", 1, "current_hop_id")), ("COMPLETED".into(), Value::Null));
    }
}

#[test]
fn a_transaction_that_fails_anywhere_leaves_everything() {
    // M-123 and M-124; `run` compares the whole world before and after.
    let mut run = mission();
    let text = run.refusal("complete_hop_execution", &[("hop", 1)], &[]);
    assert_eq!(text, "`complete` is refused in `HOP_PLAN_STARTED`: allowed here is `complete_plan`");
    assert_eq!(run.field("mission", 1, "current_hop_id"), Value::Reference(1), "not reset");

    executing(&mut run, 1, false);
    run.host.store_fails = true;
    let error = run.run("complete_hop_execution", &[("hop", 1)], &[]).unwrap_err();
    assert_eq!(error, SystemError::Failed(None, Failure::Store("told to".into())));
    run.host.store_fails = false;
    run.go(&[("complete_hop_execution", &[("hop", 1)], &[])]);
    run.host.store_fails = true;
    run.run("request_hop_plan", &[("hop", 2)], &[]).unwrap_err();
    assert_eq!((run.state("hop", 2), run.field("mission", 1, "current_hop_id")), ("none".into(), Value::Null));
}

#[test]
fn nothing_but_the_final_hop_completes_a_mission() {
    // a mission in progress stays there on every call except a final completion.
    let model = reference();
    let machine = model.machine("mission").unwrap();
    let completed = machine.states.iter().position(|it| it.name == "COMPLETED").map(StateId::new).unwrap();
    let ways: Vec<_> =
        machine.edges.iter().filter(|it| it.outcome == statespec_codegen::model::machine::Outcome::Leaf(completed)).collect();
    assert_eq!(ways.len(), 1);
    let hop = model.machine("hop").unwrap();
    for state in hop.leaves() {
        assert!(hop.successors(state).len() <= 1, "no rejections, failures or cancellations");
    }
}

#[test]
fn who_may_trigger_is_a_question_of_its_own() {
    let run = mission();
    let request = run.system.transactions.iter().find(|it| it.name == "request_hop_plan").unwrap();
    let actor = |name: &str| ActorId::new(run.system.actors.iter().position(|it| it.name == name).unwrap());
    assert!(may_trigger(request, actor("user")) && !may_trigger(request, actor("agent")));
    assert_eq!(request.performer, Some(actor("agent")), "A-16: the agent does the work");
}

#[test]
fn wrong_calls_are_errors_of_the_caller() {
    let mut run = mission();
    for (transaction, chosen, payload) in [
        ("approve_hop_plan", vec![], vec![]),
        ("approve_hop_plan", vec![("hop", 1), ("hop", 2)], vec![]),
        ("approve_hop_plan", vec![("hop", 1), ("mission", 2)], vec![]),
        ("approve_hop_plan", vec![("hop", 1)], vec![Value::Null]),
        ("complete_hop_plan", vec![("hop", 1)], vec![]),
        ("complete_hop_plan", vec![("hop", 1)], vec![Value::Null]),
        ("complete_hop_plan", vec![("hop", 1)], vec![Value::Int(1)]),
    ] {
        let error = run.run(transaction, &chosen, &payload).unwrap_err();
        assert!(matches!(error, SystemError::Misuse(_)), "{transaction}: {error:?}");
    }
    assert_eq!(run.refusal("approve_hop_plan", &[("hop", 7)], &[]), "there is no hop");
    let unknown = run.system.transactions.len();
    let error = run.world.run(&run.model, &run.system, unknown, &[], &[], &mut ());
    assert!(matches!(error, Err(SystemError::Misuse(_))));
}

/// A session in normal operation.
fn session() -> Run {
    let mut run = Run::new(reference(), "context_os");
    run.go(&[("start_session", &[], &[]), ("finish_loading", &[], &[]), ("begin_reasoning", &[], &[])]);
    run
}

fn sample(text: &str) -> Value {
    let literal = text.parse().map(Literal::Decimal).unwrap();
    literal.to_value().unwrap()
}

#[test]
fn pressure_moves_the_session_both_ways() {
    // one sample leads over several levels, and the session follows.
    let mut run = session();
    for (given, level, state) in [
        ("0.849999", "HIGH", "ACTIVE/NORMAL"),
        ("0.85", "CRITICAL", "ACTIVE/PRESSURE"),
        ("0.80", "CRITICAL", "ACTIVE/PRESSURE"),
        ("0.799999", "HIGH", "ACTIVE/NORMAL"),
        ("2", "CRITICAL", "ACTIVE/PRESSURE"),
        ("0", "LOW", "ACTIVE/NORMAL"),
        ("0.90", "CRITICAL", "ACTIVE/PRESSURE"),
        ("0.65", "HIGH", "ACTIVE/NORMAL"),
        ("0.45", "MEDIUM", "ACTIVE/NORMAL"),
    ] {
        run.go(&[("observe", &[], &[sample(given)])]);
        assert_eq!((run.state("pressure", 1), run.state("session", 1)), (level.into(), state.into()), "at {given}");
    }
}

#[test]
fn the_way_into_pressure_has_its_effects() {
    let mut run = session();
    run.host.happened.clear();
    let trace = run.run("observe", &[], &[sample("0.9")]).unwrap();
    assert_eq!(trace.fired.iter().map(|it| it.link).collect::<Vec<_>>(), [None, Some(0)]);
    assert_eq!(trace.fired[0].steps.len(), 4, "three moves, and the row that stays");
    // One sample leads over every level, then the session responds.
    let pressure = [
        "recommend_dense_format",
        "monitor_closely",
        "recommend_paging",
        "provide_eviction_candidates",
        "summarize_in_emergency",
        "require_eviction",
        "warn_agent",
    ];
    let effects = pressure.iter().chain(&["compress_map", "recommend_evictions"]).map(|it| format!("{it} of 1"));
    assert_eq!(run.host.happened, std::iter::once("store 2".to_owned()).chain(effects).collect::<Vec<_>>());
}

#[test]
fn operations_work_in_the_whole_of_active_and_nowhere_else() {
    // under pressure, too.
    let operations: [Call<'_>; 3] = [
        ("get_context", &[("resource", 1)], &[]),
        ("set_attention", &[("resource", 1)], &[sample("2")]),
        ("page_out", &[("resource", 1)], &[]),
    ];
    let mut run = session();
    run.go(&[("discover", &[("resource", 1)], &[]), ("observe", &[], &[sample("0.9")])]);
    for (operation, chosen, payload) in operations {
        run.go(&[(operation, chosen, payload)]);
        assert_eq!(run.state("session", 1), "ACTIVE/PRESSURE");
    }
    run.go(&[("annotate", &[], &[Value::Text("x".into())]), ("page_in", &[("resource", 1)], &[])]);
    assert_eq!(run.state("resource", 1), "ACTIVE/LOADED", "A-25: also after HOT");
    run.go(&[("reset_session", &[], &[])]);
    for (operation, chosen, payload) in operations {
        let text = run.refusal(operation, chosen, payload);
        assert_eq!(text, format!("`{operation}` is refused in `PERSISTING`: allowed here is `state_saved`"));
    }
    assert_eq!(run.state("resource", 1), "ACTIVE/LOADED");
}

#[test]
fn an_operation_that_its_resource_refuses_does_not_reach_the_session() {
    //
    let mut run = session();
    run.go(&[("discover", &[("resource", 1)], &[])]);
    run.host.n_stored = 0;
    let text = run.refusal("page_out", &[("resource", 1)], &[]);
    assert_eq!(text, "`page_out` is refused in `COLD`: allowed here are `page_in`, `load` and `error`");
    assert_eq!(run.host.n_stored, 0);
    assert_eq!(
        run.refusal("discover", &[("resource", 1)], &[]),
        "`discover` is refused in `COLD`: allowed here are `page_in`, `load` and `error`"
    );
}

#[test]
fn resources_are_told_apart_by_their_numbers() {
    let mut run = session();
    run.go(&[("discover", &[("resource", 1)], &[]), ("discover", &[("resource", 2)], &[]), ("page_in", &[("resource", 2)], &[])]);
    assert_eq!((run.state("resource", 1), run.state("resource", 2)), ("COLD".into(), "ACTIVE/LOADED".into()));
    run.go(&[("fail", &[("resource", 3)], &[Value::Text("gone".into())])]);
    assert_eq!(run.state("resource", 3), "OFFLINE", "A-24: from UNKNOWN, too");
    let error = run.run("page_in", &[], &[]).unwrap_err();
    assert_eq!(error.show(&run.model, &run.system), "which `resource`?");
}

#[test]
fn the_policy_is_any_to_any() {
    //
    let mut run = Run::new(reference(), "context_os");
    let names = ["LRU", "SIZE_FIRST", "KEEP_RELATIONAL", "KEEP_TECHNICAL"];
    for from in names {
        for to in names {
            run.go(&[("set_priority", &[], &[Value::State(run.state_id("policy", from))])]);
            run.go(&[("set_priority", &[], &[Value::State(run.state_id("policy", to))])]);
            assert_eq!(run.state("policy", 1), to);
        }
    }
    assert_eq!(run.host.happened.iter().filter(|it| !it.starts_with("store")).count(), 0, "without effect");
}

#[test]
fn a_running_mysis_is_nudged_whatever_its_activity() {
    // M-76 to M-79: an activity that ends in the future changes nothing.
    let mut run = Run::new(reference(), "mysis_runtime");
    run.go(&[("create", &[], &[]), ("start", &[], &[])]);
    for activity in ["none", "llm_call", "traveling", "cooldown"] {
        let state = Value::State(run.state_id("activity", activity));
        run.go(&[("show_activity", &[], &[state, Value::Timestamp(i64::MAX)]), ("nudge", &[], &[])]);
        assert_eq!((run.state("activity", 1).as_str(), run.state("mysis", 1).as_str()), (activity, "running"));
    }
}

#[test]
fn stopping_is_stored_afterwards_and_starting_before() {
    // as in the machine itself.
    let mut run = Run::new(reference(), "mysis_runtime");
    run.go(&[("create", &[], &[])]);
    run.host.store_fails = true;
    let error = run.run("start", &[], &[]).unwrap_err();
    assert_eq!(error.show(&run.model, &run.system), "the store failed: told to");
    run.host.store_fails = false;
    run.go(&[("start", &[], &[])]);
    run.host.store_fails = true;
    let trace = run.run("stop", &[], &[]).unwrap();
    assert_eq!((trace.unsaved.as_deref(), run.state("mysis", 1).as_str()), (Some("told to"), "stopped"));
}

#[test]
fn the_tool_error_is_stored_first() {
    // M-67
    let mut run = Run::new(reference(), "mysis_runtime");
    run.go(&[("create", &[], &[]), ("start", &[], &[])]);
    run.host.happened.clear();
    let payload = [Value::Text("mine".into()), Value::Text("deadline".into())];
    let trace = run.run("time_out_tool", &[], &payload).unwrap();
    let message = trace.fired[0].steps[0].effects[0].message.as_deref();
    assert_eq!(message, Some("Error: tool call mine timed out: deadline"));
    assert_eq!(run.host.happened, ["before store_timeout_result", "store 1", "emit_state_changed of 1"]);
    let mut run = Run::new(reference(), "mysis_runtime");
    run.go(&[("create", &[], &[]), ("start", &[], &[])]);
    run.host.fails = Some("store_timeout_result".into());
    let error = run.run("time_out_tool", &[], &payload).unwrap_err();
    assert_eq!(error.show(&run.model, &run.system), "`store_timeout_result` failed: told to");
    assert_eq!(run.state("mysis", 1), "running");
}

fn town() -> Run {
    Run::new(town_model(), "town")
}

/// Two levels of ownership, several owners, required and optional links, enums of two machines.
pub(crate) fn town_model() -> Model {
    model(town_specs())
}

/// The specs of [`town_model`].
pub(crate) fn town_specs() -> Vec<Input> {
    let machine = |name: &str, text: &str| Input { path: format!("{name}.yaml"), text: format!("machine: {name}\n{text}") };
    let house = "
enums: { kind: [brick, wood] }
context: { kind: { type: kind, default: brick }, n_open: int }
states: { sound: { initial: true, exit: crack }, broken: { states: { bad: { initial: true, entry: fall }, worse: {} } } }
events: { build: { payload: { of_kind: kind } }, open_one: {}, break: {}, wake: {} }
effects: { crack: {}, fall: {}, permit: {} }
transitions:
  - { from: \"[*]\", event: build, to: sound, set: { kind: of_kind } }
  - { from: sound, event: open_one, when: n_open < 2, set: { n_open: n_open + 1 } }
  - { from: sound, event: open_one, refuse: no more doors }
  - { from: sound, event: break, to: broken, before: permit }
";
    let door = "
enums: { size: [small, large], kind: [wood, brick] }
context: { house_id: { type: reference, optional: true }, kind: { type: kind, default: wood } }
states: { shut: { initial: true }, open: {} }
events: { hang: { payload: { of_kind: kind } }, open: {}, slam: {} }
transitions:
  - { from: \"[*]\", event: hang, to: shut, set: { kind: of_kind } }
  - { from: shut, event: open, to: open }
  - { from: open, event: slam, to: shut }
";
    let siren = "
context: { n: int }
states: { quiet: { initial: true }, loud: {} }
events: { howl: { payload: { times: int } }, hush: {} }
transitions:
  - { from: quiet, event: howl, to: loud, set: { n: n + times } }
  - { from: loud, event: hush, to: quiet }
";
    let town = "
system: town
parts:
  house: { machine: house, many: true }
  door: { machine: door, many: true, of: house, by: house_id }
  siren: { machine: siren }
rules:
  - { before: door.slam, require: house.state == sound and house.kind == brick, doc: only doors of sound brick houses are slammed }
transactions:
  build: { payload: { kind: house.kind }, fire: { house.build: { of_kind: kind } } }
  hang: { payload: { kind: door.kind }, fire: { door.hang: { of_kind: kind } } }
  open: { fire: door.open }
  slam: { fire: door.slam }
  break: { fire: house.break }
  hush: { fire: siren.hush }
links:
  - { enter: door.open, fire: house.open_one, doc: The house counts its open doors. }
  - { enter: house.broken, fire: { siren.howl: { times: house.n_open } }, when: house.n_open > 0, optional: true, doc: A house with open doors calls for help. }
  - { exit: house.sound, fire: { siren.howl: { times: 100 } }, when: house.n_open > 1, optional: true, doc: Very loudly. }
invariants:
  - { require: siren.state == quiet or siren.n < 102, doc: enough is enough }
  - { require: door.state == shut or house.n_open > 0, doc: an open door is counted }
";
    vec![
        machine("house", house),
        machine("door", door),
        machine("siren", siren),
        Input { path: "town.yaml".into(), text: town.trim_start().into() },
    ]
}

impl Run {
    /// A value of the system's enum that is the type of a payload field of a transaction.
    fn kind(&self, transaction: &str, name: &str) -> Value {
        let transaction = self.system.transactions.iter().find(|it| it.name == transaction).unwrap();
        let statespec_codegen::model::Type::Enum(id) = transaction.payload[0].field.ty else { panic!() };
        let values = &self.system.enums[id.index()].values;
        Value::Enum(id, values.iter().position(|it| it.name == name).unwrap())
    }
}

#[test]
fn enums_of_different_machines_are_kept_apart() {
    let mut run = town();
    let (brick_house, brick_door) = (run.kind("build", "brick"), run.kind("hang", "brick"));
    assert_ne!(brick_house, brick_door);
    run.go(&[("build", &[("house", 1)], &[brick_house]), ("hang", &[("house", 1), ("door", 1)], std::slice::from_ref(&brick_door))]);
    let brick = |run: &Run, part: &str| {
        let Value::Enum(id, idx) = run.field(part, 1, "kind") else { panic!() };
        let machine = &run.model.machines[run.system.part(run.part(part)).machine];
        machine.enums[id.index()].values[idx].name.clone()
    };
    assert_eq!((brick(&run, "house"), brick(&run, "door")), ("brick".into(), "brick".into()));
    assert!(matches!(run.run("build", &[("house", 2)], &[brick_door]), Err(SystemError::Misuse(_))));
}

#[test]
fn what_an_instance_belongs_to_follows_from_it() {
    let mut run = town();
    let (brick, wood) = (run.kind("build", "brick"), run.kind("build", "wood"));
    let door = run.kind("hang", "wood");
    run.go(&[
        ("build", &[("house", 1)], &[brick]),
        ("build", &[("house", 2)], &[wood]),
        ("hang", &[("house", 1), ("door", 1)], std::slice::from_ref(&door)),
        ("hang", &[("house", 2), ("door", 2)], std::slice::from_ref(&door)),
        ("open", &[("door", 2)], &[]),
    ]);
    assert_eq!((run.field("house", 1, "n_open"), run.field("house", 2, "n_open")), (Value::Int(0), Value::Int(1)));
    assert_eq!(run.refusal("slam", &[("door", 2)], &[]), "only doors of sound brick houses are slammed");
    run.go(&[("open", &[("door", 1)], &[]), ("slam", &[("door", 1)], &[])]);
    let error = run.run("slam", &[("door", 1), ("house", 2)], &[]).unwrap_err();
    assert_eq!(error.show(&run.model, &run.system), "which `house`: 1 or 2?");
    let error = run.run("hang", &[("door", 3)], &[door]).unwrap_err();
    assert_eq!(error.show(&run.model, &run.system), "which `house`?");
}

#[test]
fn a_link_that_is_refused_undoes_everything_unless_it_is_optional() {
    let mut run = town();
    let (brick, door) = (run.kind("build", "brick"), run.kind("hang", "wood"));
    run.go(&[("build", &[("house", 1)], &[brick])]);
    for number in 1..=3 {
        run.go(&[("hang", &[("house", 1), ("door", number)], std::slice::from_ref(&door))]);
    }
    run.go(&[("open", &[("door", 1)], &[]), ("open", &[("door", 2)], &[])]);
    let error = run.run("open", &[("door", 3)], &[]).unwrap_err();
    let SystemError::Refused(SystemReason::Link(0, reason)) = &error else { panic!("{error:?}") };
    assert!(matches!(&**reason, SystemReason::Machine { refused, .. } if matches!(refused.reason, Reason::Text(_))));
    assert_eq!(error.show(&run.model, &run.system), "no more doors");
    assert_eq!(run.state("door", 3), "shut");

    // Leaving `sound` comes before entering `broken`; the second howl is refused and ignored.
    run.host.happened.clear();
    let trace = run.run("break", &[("house", 1)], &[]).unwrap();
    assert_eq!(trace.fired.iter().map(|it| it.link).collect::<Vec<_>>(), [None, Some(2)]);
    assert_eq!(trace.passed_over.iter().map(|it| it.0).collect::<Vec<_>>(), [1]);
    assert_eq!(run.field("siren", 1, "n"), Value::Int(100));
    assert_eq!(run.host.happened, ["before permit", "store 2", "crack of 1", "fall of 1"]);
}

#[test]
fn a_link_waits_for_its_condition_and_reads_after_the_change() {
    let mut run = town();
    let (brick, door) = (run.kind("build", "brick"), run.kind("hang", "wood"));
    run.go(&[("build", &[("house", 1)], std::slice::from_ref(&brick)), ("break", &[("house", 1)], &[])]);
    assert_eq!(run.state("siren", 1), "quiet");
    run.go(&[
        ("build", &[("house", 2)], &[brick]),
        ("hang", &[("house", 2), ("door", 1)], &[door]),
        ("open", &[("door", 1)], &[]),
        ("break", &[("house", 2)], &[]),
    ]);
    assert_eq!((run.state("siren", 1), run.field("siren", 1, "n")), ("loud".into(), Value::Int(1)));
}

#[test]
fn an_invariant_that_would_break_undoes_everything() {
    let mut run = town();
    let (brick, door) = (run.kind("build", "brick"), run.kind("hang", "wood"));
    for house in 1..=2 {
        run.go(&[("build", &[("house", house)], std::slice::from_ref(&brick))]);
        for number in 1..=2 {
            let number = house * 10 + number;
            run.go(&[("hang", &[("house", house), ("door", number)], std::slice::from_ref(&door)), ("open", &[("door", number)], &[])]);
        }
    }
    run.go(&[("break", &[("house", 1)], &[]), ("hush", &[], &[])]);
    assert_eq!(run.refusal("break", &[("house", 2)], &[]), "enough is enough");
    assert_eq!(run.state("house", 2), "sound");
}

#[test]
fn a_failing_before_of_one_part_stops_all() {
    let mut run = town();
    let brick = run.kind("build", "brick");
    run.go(&[("build", &[("house", 1)], &[brick])]);
    run.host.fails = Some("permit".into());
    run.host.happened.clear();
    let error = run.run("break", &[("house", 1)], &[]).unwrap_err();
    assert!(matches!(error, SystemError::Failed(Some(_), Failure::Before(..))));
    assert_eq!(run.host.happened, ["before permit"]);
}

/// A chain of parts whose links fire twice as many events in each next part.
pub(crate) fn multiplying() -> Vec<Input> {
    let machine = "machine: m\nstates: { a: { initial: true } }\nevents: { go: {} }\ntransitions: [{ from: a, event: go, to: a }]\n";
    let mut text = String::from("system: s\nparts:\n");
    for part in 0..30 {
        writeln!(text, "  p{part}: {{ machine: m }}").unwrap();
    }
    text.push_str("links:\n");
    for part in 0..29 {
        let next = part + 1;
        writeln!(text, "  - {{ enter: p{part}.a, fire: p{next}.go }}\n  - {{ exit: p{part}.a, fire: p{next}.go }}").unwrap();
    }
    text.push_str("transactions: { go: { fire: p0.go } }\n");
    vec![Input { path: "m.yaml".into(), text: machine.into() }, Input { path: "s.yaml".into(), text }]
}

#[test]
fn links_that_multiply_are_stopped() {
    let mut inputs = multiplying();
    let mut run = Run::new(model(inputs.clone()), "s");
    let error = run.run("go", &[], &[]).unwrap_err();
    assert_eq!(error.show(&run.model, &run.system), "the links set off more than 1000 events");
    inputs[1].text.push_str("walkthroughs: { w: { steps: [{ step: 1, run: go, trigger: x }] } }\n");
    assert!(load(&inputs).diagnostics[0].message.starts_with("step 1 cannot run"));
}

#[test]
fn walkthroughs_that_take_too_long_are_not_executed() {
    let machine = "machine: m\nstates: { a: { initial: true } }\nevents: { go: {} }\ntransitions: [{ from: a, event: go, to: a }]\n";
    let mut text = String::from(
        "system: s\nparts: { p: { machine: m, many: true } }\ntransactions: { go: { fire: p.go } }\n\
         invariants: [{ require: p.state == a, doc: x }]\nwalkthroughs:\n  w:\n    steps:\n",
    );
    let n_steps = 9_000;
    for step in 1..=n_steps {
        writeln!(text, "      - {{ step: {step}, run: go, instances: {{ p: {step} }}, trigger: x }}").unwrap();
    }
    let loaded = load(&[Input { path: "m.yaml".into(), text: machine.into() }, Input { path: "s.yaml".into(), text }]);
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(messages, ["9000 steps are too many for walkthroughs of this system"]);
}

#[test]
fn a_system_with_one_thing_changed_is_read_or_refused() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../machines");
    let read = |name: &str| std::fs::read_to_string(format!("{root}/{name}.yaml")).unwrap();
    let input = |name: &str, text: String| Input { path: format!("machines/{name}.yaml"), text };
    let every = if crate::project::checks::is_complete() { 3 } else { 48 };
    for (system, machines) in [("mission_hop", vec!["mission", "hop"]), ("mysis_runtime", vec!["mysis", "mysis_activity"])] {
        let text = read(system);
        let others: Vec<Input> = machines.iter().map(|it| input(it, read(it))).collect();
        let words: Vec<(usize, &str)> = text
            .match_indices(|it: char| it.is_alphabetic())
            .filter(|(idx, _)| {
                let before = text[..*idx].chars().next_back();
                before.is_none_or(|it| !it.is_alphanumeric() && it != '_')
            })
            .collect();
        for (idx, _) in words.into_iter().step_by(every) {
            let end = text[idx..].find(|it: char| !it.is_alphanumeric() && it != '_').map_or(text.len(), |it| idx + it);
            for other in ["", "hop"] {
                let mut inputs = others.clone();
                inputs.push(input(system, format!("{}{other}{}", &text[..idx], &text[end..])));
                let loaded = load(&inputs);
                assert_eq!(
                    loaded.model.is_none(),
                    loaded.diagnostics.iter().any(|it| it.level == statespec_codegen::diagnostic::Level::Error)
                );
                render(&loaded.sources, &loaded.diagnostics, Style::Plain);
            }
        }
    }
}
