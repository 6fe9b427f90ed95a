//! The reference interpreter of one machine, rule by rule of the step semantics.

use statespec_codegen::diagnostic::{Style, render};
use statespec_codegen::model::{ActorId, EffectId, EventId, FieldId, Machine, PredicateId, StateId, Value};
use statespec_codegen::source::Input;
use statespec_lang::interpret::{Done, EffectCall, Error, Failure, Instance, Reason, Script, may_raise};
use statespec_lang::lower::load;

#[test]
fn emitted_code_lets_as_many_events_wait_as_the_interpreter() {
    assert_eq!(statespec::__private::MAX_WAITING, Machine::MAX_WAITING);
}

/// Two levels of states, and an effect on every border.
const HOUSE: &str = "
machine: house
actors: { owner: Who holds the key., guest: Who does not. }
enums: { kind: [bolt, latch] }
context: { n: int, who: { type: text, optional: true }, kind: { type: kind, default: bolt } }
states:
  outside: { initial: true, entry: wave, exit: knock }
  inside:
    entry: wipe_feet
    exit: say_goodbye
    states:
      hall: { initial: true, entry: hang_coat, exit: take_coat }
      upstairs:
        entry: climb
        exit: descend
        states: { attic: { initial: true, entry: duck, exit: stretch }, bath: {} }
events:
  enter: { by: owner, payload: { name: text, times: int } }
  climb: {}
  wash: {}
  leave: {}
  stay: {}
  again: {}
  count: {}
  jump: { payload: { where: state } }
  pick: { payload: { wanted: kind, maybe: { type: int, optional: true } } }
predicates: { has_key: {} }
effects:
  wave: {}
  knock: {}
  wipe_feet: {}
  say_goodbye: {}
  hang_coat: {}
  take_coat: {}
  climb: {}
  descend: {}
  duck: {}
  stretch: {}
  turn_key: { message: the key turns }
  greet: { payload: [times, name], message: \"Hello, {name}! ({times} times, {{not}} {{n}})\" }
transitions:
  - { from: outside, event: enter, when: has_key and times > 0, to: inside, before: turn_key, set: { who: name, n: n + times }, do: greet }
  - { from: outside, event: enter, when: times > 0, refuse: no key }
  - { from: inside, event: climb, to: upstairs }
  - { from: attic, event: climb, refuse: this is the top }
  - { from: attic, event: wash, to: bath }
  - { from: inside, event: leave, to: outside }
  - { from: inside, event: stay, set: { n: n + 1 } }
  - { from: hall, event: again, to: hall }
  - { from: attic, event: again, to: inside }
  - { from: attic, event: count, when: n >= 2, to: bath }
  - { from: upstairs, event: count, when: n >= 1, to: hall }
  - { from: \"*\", event: count, when: n < 0, refuse: less than nothing }
  - { from: \"*\", except: bath, event: jump, to: \"{where}\" }
  - { from: \"*\", event: pick, set: { kind: wanted } }
  - { from: outside, to: [hall, bath] }
  - { from: hall, when: has_key, to: outside }
";

fn machine(text: &str) -> Machine {
    let loaded = load(&[Input { path: "m.yaml".into(), text: text.into() }]);
    let complaints = render(&loaded.sources, &loaded.diagnostics, Style::Plain);
    loaded.model.unwrap_or_else(|| panic!("{complaints}")).machines.remove(0)
}

struct Run {
    machine: Machine,
    instance: Instance,
    host: Script,
}

impl Run {
    fn new(text: &str) -> Run {
        let machine = machine(text);
        let instance = Instance::start(&machine, &[]).unwrap();
        Run { machine, instance, host: Script::default() }
    }

    fn at(mut self, state: &str) -> Run {
        self.instance.configuration = self.state_id(state).into();
        self
    }

    fn holding(mut self, predicate: &str) -> Run {
        let idx = self.machine.predicates.iter().position(|it| it.name == predicate).unwrap();
        self.host.holds.insert(PredicateId::new(idx));
        self
    }

    fn event_id(&self, name: &str) -> EventId {
        EventId::new(self.machine.events.iter().position(|it| it.name == name).unwrap())
    }

    fn state_id(&self, name: &str) -> StateId {
        StateId::new(self.machine.states.iter().position(|it| it.name == name).unwrap())
    }

    fn effect_id(&self, name: &str) -> EffectId {
        EffectId::new(self.machine.effects.iter().position(|it| it.name == name).unwrap())
    }

    fn field(&self, name: &str) -> &Value {
        &self.instance.context[self.machine.fields.iter().position(|it| it.name == name).unwrap()]
    }

    fn state(&self) -> &str {
        &self.machine.state(self.instance.configuration.first()).name
    }

    fn fire(&mut self, event: &str, payload: &[Value]) -> Result<Done, Error> {
        let event = self.event_id(event);
        self.instance.fire(&self.machine, event, payload, &mut self.host)
    }

    fn go(&mut self, state: &str) -> Result<Done, Error> {
        let state = self.state_id(state);
        self.instance.transition_to(&self.machine, state, &mut self.host)
    }

    /// The text of a refusal, after a check that nothing changed.
    fn refusal(&mut self, event: &str, payload: &[Value]) -> String {
        let before = self.instance.clone();
        self.host.log.clear();
        let error = self.fire(event, payload).unwrap_err();
        assert_eq!(self.instance, before);
        assert_eq!(self.host.log, []);
        assert!(matches!(error, Error::Refused(_)), "{error:?}");
        error.show(&self.machine)
    }

    fn names(&self, done: &Done) -> Vec<&str> {
        let effects: Vec<&EffectCall> = done.steps.iter().flat_map(|it| &it.effects).collect();
        effects.iter().map(|it| self.machine.effect(it.effect).name.as_str()).collect()
    }
}

fn enter(times: i64) -> [Value; 2] {
    [Value::Text("Ada".into()), Value::Int(times)]
}

#[test]
fn effects_come_in_order_before_exit_entry_do() {
    let mut run = Run::new(HOUSE).holding("has_key");
    let done = run.fire("enter", &enter(2)).unwrap();
    assert_eq!(run.names(&done), ["turn_key", "knock", "wipe_feet", "hang_coat", "greet"]);
    assert_eq!(run.state(), "hall", "a composite enters its default child");
    assert_eq!((run.field("n"), run.field("who")), (&Value::Int(2), &Value::Text("Ada".into())));
    let greet = done.steps[0].effects.last().unwrap();
    assert_eq!(greet.taken, [Value::Int(2), Value::Text("Ada".into())], "taken by name, in the effect's order");
    assert_eq!(greet.message.as_deref(), Some("Hello, Ada! (2 times, {not} {n})"));
}

#[test]
fn states_around_both_ends_are_neither_left_nor_entered() {
    let mut run = Run::new(HOUSE).at("hall");
    let done = run.fire("climb", &[]).unwrap();
    assert_eq!(run.names(&done), ["take_coat", "climb", "duck"], "innermost out, outermost in");
    let done = run.fire("wash", &[]).unwrap();
    assert_eq!(run.names(&done), ["stretch"]);
    let done = run.fire("leave", &[]).unwrap();
    assert_eq!(run.names(&done), ["descend", "say_goodbye", "wave"]);
}

#[test]
fn staying_leaves_nothing_and_coming_back_leaves_and_enters() {
    let mut run = Run::new(HOUSE).at("hall");
    let done = run.fire("stay", &[]).unwrap();
    assert_eq!((run.names(&done), run.field("n")), (vec![], &Value::Int(1)));
    let done = run.fire("again", &[]).unwrap();
    assert_eq!(run.names(&done), ["take_coat", "hang_coat"]);
    assert_eq!((done.steps[0].exited.len(), done.steps[0].entered.len()), (1, 1));
}

#[test]
fn a_composite_target_that_surrounds_the_source_is_not_left() {
    let mut run = Run::new(HOUSE).at("attic");
    let done = run.fire("again", &[]).unwrap();
    assert_eq!((run.names(&done), run.state()), (vec!["stretch", "descend", "hang_coat"], "hall"));
}

#[test]
fn a_childs_row_beats_its_parents() {
    let mut run = Run::new(HOUSE).at("attic");
    assert_eq!(run.refusal("climb", &[]), "this is the top", "a refusal counts as a row");
    run.instance.context[0] = Value::Int(2);
    run.fire("count", &[]).unwrap();
    assert_eq!(run.state(), "bath");
    let mut run = Run::new(HOUSE).at("attic");
    run.instance.context[0] = Value::Int(1);
    run.fire("count", &[]).unwrap();
    assert_eq!(run.state(), "hall", "where the child's guard does not hold, the parent's row is tried");
}

#[test]
fn refusals_say_why_and_what_is_allowed() {
    let mut run = Run::new(HOUSE);
    assert_eq!(run.refusal("enter", &enter(1)), "no key");
    assert_eq!(run.refusal("enter", &enter(0)), "`enter` is refused in `outside`: no guard holds");
    assert_eq!(run.refusal("wash", &[]), "`wash` is refused in `outside`: allowed here are `enter`, `jump` and `pick`");
    let Err(Error::Refused(refused)) = run.fire("count", &[]) else { panic!() };
    assert_eq!(refused.reason, Reason::Guard, "a row that could only refuse is still a row");
    let Err(Error::Refused(refused)) = run.fire("wash", &[]) else { panic!() };
    assert_eq!((refused.reason, refused.from), (Reason::NoTransition, Some(run.instance.configuration.clone())));
}

#[test]
fn wrong_calls_are_errors_of_the_caller() {
    let mut run = Run::new(HOUSE).holding("has_key");
    let composite = run.state_id("inside");
    for (event, payload) in [
        ("enter", vec![]),
        ("enter", vec![Value::Int(1), Value::Int(1)]),
        ("enter", vec![Value::Null, Value::Int(1)]),
        ("climb", vec![Value::Int(1)]),
        ("jump", vec![Value::State(composite)]),
        ("jump", vec![Value::State(StateId::new(99))]),
        ("pick", vec![Value::Enum(statespec_codegen::model::EnumId::new(0), 2), Value::Null]),
        ("pick", vec![Value::Enum(statespec_codegen::model::EnumId::new(1), 0), Value::Null]),
    ] {
        let before = run.instance.clone();
        let error = run.fire(event, &payload).unwrap_err();
        assert!(matches!(error, Error::Misuse(_)), "{event} {payload:?}: {error:?}");
        assert_eq!(run.instance, before);
    }
    let unknown = EventId::new(99);
    assert!(matches!(run.instance.fire(&run.machine, unknown, &[], &mut ()), Err(Error::Misuse(_))));
    assert!(matches!(run.instance.transition_to(&run.machine, StateId::new(99), &mut ()), Err(Error::Misuse(_))));
    let kind = Value::Enum(statespec_codegen::model::EnumId::new(0), 1);
    run.fire("pick", &[kind, Value::Null]).unwrap();
}

#[test]
fn a_target_can_come_with_the_event() {
    let mut run = Run::new(HOUSE);
    let bath = run.state_id("bath");
    run.fire("jump", &[Value::State(bath)]).unwrap();
    assert_eq!(run.state(), "bath");
    let text = run.refusal("jump", &[Value::State(bath)]);
    assert_eq!(text, "`jump` is refused in `inside/upstairs/bath`: allowed here are `climb`, `leave`, `stay`, `count` and `pick`");
}

#[test]
fn naming_a_target_takes_rows_without_event_only() {
    let mut run = Run::new(HOUSE);
    run.go("bath").unwrap();
    assert_eq!(run.state(), "bath");
    let error = run.go("outside").unwrap_err();
    assert_eq!(error.show(&run.machine), "`inside/upstairs/bath` does not go to `outside`: that takes an event");
    let mut run = Run::new(HOUSE);
    run.go("inside").unwrap();
    assert_eq!(run.state(), "hall", "a composite stands for its default leaf");
    assert_eq!(run.go("outside").unwrap_err().show(&run.machine), "`inside/hall` does not go to `outside`: no guard holds");
    let mut run = run.holding("has_key");
    run.go("outside").unwrap();
    assert_eq!(run.state(), "outside");
}

#[test]
fn a_failing_before_leaves_everything_as_it_was() {
    let mut run = Run::new(HOUSE).holding("has_key");
    run.host.fails.insert(run.effect_id("turn_key"));
    let before = run.instance.clone();
    let error = run.fire("enter", &enter(1)).unwrap_err();
    assert_eq!(error, Error::Failed(Failure::Before(run.effect_id("turn_key"), "told to".into())));
    assert_eq!(run.instance, before);
    assert_eq!(run.host.log, [Some(run.effect_id("turn_key"))], "neither the store nor another effect");
}

const COMMITS: &str = "
machine: m
states: { a: { initial: true }, b: {} }
events: { careful: {}, hasty: {} }
effects: { first: {}, last: {} }
transitions:
  - { from: a, event: careful, to: b, before: first, do: last }
  - { from: a, event: hasty, to: b, commit: memory_first, before: first, do: last }
";

#[test]
fn persist_first_stores_and_then_moves() {
    let mut run = Run::new(COMMITS);
    let done = run.fire("careful", &[]).unwrap();
    assert_eq!(run.host.log, [Some(run.effect_id("first")), None, Some(run.effect_id("last"))]);
    assert_eq!(done.unsaved, None);
    let mut run = Run::new(COMMITS);
    run.host.store_fails = true;
    let error = run.fire("careful", &[]).unwrap_err();
    assert_eq!(error, Error::Failed(Failure::Store("told to".into())));
    assert_eq!(run.state(), "a");
    assert_eq!(run.host.log, [Some(run.effect_id("first")), None]);
}

#[test]
fn memory_first_moves_and_reports_the_failing_store() {
    let mut run = Run::new(COMMITS);
    run.host.store_fails = true;
    let done = run.fire("hasty", &[]).unwrap();
    assert_eq!((run.state(), done.unsaved.as_deref()), ("b", Some("told to")));
    assert_eq!(run.host.log, [Some(run.effect_id("first")), None, Some(run.effect_id("last"))], "the effects happen all the same");
    let mut run = Run::new(COMMITS);
    run.host.fails.insert(run.effect_id("first"));
    run.fire("hasty", &[]).unwrap_err();
    assert_eq!(run.state(), "a", "a failing `before` stops both");
}

const SETTLING: &str = "
machine: m
context: { n: int }
states: { a: { initial: true, exit: leave }, b: { entry: arrive }, c: {} }
events: { up: {}, fall: {}, spin: {}, down: { payload: { x: int } } }
effects: { leave: {}, arrive: {}, count: {}, ask: {} }
settle: [up, fall, spin, down]
transitions:
  - { from: a, event: up, to: b, set: { n: n + 1 }, before: ask, commit: memory_first }
  - { from: b, event: up, when: n == 1, to: c, set: { n: n + 1 } }
  - { from: c, event: up, set: { n: n * 10 }, do: count }
  - { from: c, event: fall, to: b }
  - { from: b, event: fall, refuse: no further }
  - { from: a, event: spin, to: b }
  - { from: b, event: spin, to: c }
  - { from: c, event: spin, to: a }
  - { from: c, event: down, when: x < 2, to: b }
  - { from: b, event: down, when: x < 1, to: a }
";

#[test]
fn settling_goes_on_until_an_edge_stays() {
    let mut run = Run::new(SETTLING);
    let done = run.fire("up", &[]).unwrap();
    assert_eq!((run.state(), run.field("n"), done.steps.len()), ("c", &Value::Int(20), 3), "every step reads what the one before left");
    assert_eq!(run.names(&done), ["ask", "leave", "arrive", "count"]);
    // The store is written once for the whole call, and every `before` effect comes first.
    assert_eq!(run.host.log.iter().filter(|it| it.is_none()).count(), 1);
    assert_eq!(run.host.log[1], None);
}

#[test]
fn settling_stops_where_nothing_is_enabled_or_a_row_refuses() {
    let mut run = Run::new(SETTLING).at("c");
    run.fire("fall", &[]).unwrap();
    assert_eq!(run.state(), "b");
    assert_eq!(run.refusal("fall", &[]), "no further", "the first answer decides about the call");
    let mut run = Run::new(SETTLING).at("c");
    run.fire("down", &[Value::Int(1)]).unwrap();
    assert_eq!(run.state(), "b");
    let mut run = Run::new(SETTLING).at("c");
    run.fire("down", &[Value::Int(0)]).unwrap();
    assert_eq!(run.state(), "a");
}

#[test]
fn settling_that_never_ends_is_refused_and_changes_nothing() {
    let mut run = Run::new(SETTLING);
    assert_eq!(run.refusal("spin", &[]), "`spin` is refused in `a`: it does not settle");
}

#[test]
fn a_settled_call_is_stored_first_unless_every_step_says_otherwise() {
    let mut run = Run::new(SETTLING);
    run.host.store_fails = true;
    let error = run.fire("up", &[]).unwrap_err();
    assert!(matches!(error, Error::Failed(Failure::Store(_))));
    assert_eq!((run.state(), run.field("n")), ("a", &Value::Int(0)));
}

const CREATION: &str = "
machine: m
context: { owner: { type: reference, optional: true }, n: { type: int, default: 7 } }
states: { a: { states: { inner: { initial: true, entry: cry } }, initial: true, entry: breathe }, b: {} }
events: { create: { payload: { size: int } }, load: {} }
effects: { cry: {}, breathe: {}, hug: {} }
transitions:
  - { from: \"[*]\", event: create, when: size > 0, to: a, set: { n: size }, do: hug }
  - { from: \"[*]\", event: create, refuse: too small }
  - { from: \"[*]\", event: load, to: b }
";

#[test]
fn creation_starts_from_the_defaults_and_enters_from_the_outside() {
    let machine = machine(CREATION);
    let (create, load) = (EventId::new(0), EventId::new(1));
    let given = [(FieldId::new(0), Value::Reference(5))];
    let (instance, done) = Instance::create(&machine, create, &[Value::Int(3)], &given, &mut ()).unwrap();
    assert_eq!(machine.configuration_path(&instance.configuration), "a/inner");
    assert_eq!(instance.context, [Value::Reference(5), Value::Int(3)]);
    let names: Vec<&str> = done.steps[0].effects.iter().map(|it| machine.effect(it.effect).name.as_str()).collect();
    assert_eq!((names, done.steps[0].from.clone()), (vec!["breathe", "cry", "hug"], None));
    let (instance, _) = Instance::create(&machine, load, &[], &[], &mut ()).unwrap();
    assert_eq!(instance.context, [Value::Null, Value::Int(7)]);
    let error = Instance::create(&machine, create, &[Value::Int(0)], &[], &mut ()).unwrap_err();
    assert_eq!(error.show(&machine), "too small");
    let mut living = instance;
    let error = living.fire(&machine, create, &[Value::Int(1)], &mut ()).unwrap_err();
    assert_eq!(error.show(&machine), "`create` is refused in `b`: nothing is allowed here", "nothing is created twice");
    let wrong = [(FieldId::new(1), Value::Null)];
    assert!(matches!(Instance::create(&machine, load, &[], &wrong, &mut ()), Err(Error::Misuse(_))));
}

#[test]
fn who_may_raise_an_event_is_a_question_of_its_own() {
    let mut run = Run::new(HOUSE).holding("has_key");
    let (owner, guest) = (ActorId::new(0), ActorId::new(1));
    assert!(may_raise(&run.machine, run.event_id("enter"), owner));
    assert!(!may_raise(&run.machine, run.event_id("enter"), guest));
    assert!(may_raise(&run.machine, run.event_id("climb"), guest), "anyone may where the event names nobody");
    run.fire("enter", &enter(1)).unwrap();
}

#[test]
fn of_several_states_that_a_step_completes_the_one_entered_first_is_done_first() {
    let text = "machine: m
context: { said: { type: text, default: '' } }
effects: { told: {} }
states:
  off: { initial: true }
  on:
    regions:
      b: { states: { b1: { initial: true }, b2: { terminal: true } } }
      a: { states: { a1: { initial: true }, a2: { terminal: true } } }
events: [start, finish]
transitions:
  - { from: off, event: start, to: on }
  - { from: a1, event: finish, to: a2 }
  - { from: b1, event: finish, to: b2 }
  - { from: a, done: true, label: a is done }
  - { from: on, done: true, label: all are done }
  - { from: b, done: true, label: b is done }
";
    let mut run = Run::new(text);
    run.fire("start", &[]).unwrap();
    let labels = |machine: &Machine, done: &Done| -> Vec<String> {
        let rows = done.steps.iter().flat_map(|it| &it.transitions);
        rows.filter_map(|it| machine.transition(*it).label.clone()).collect()
    };
    let done = run.fire("finish", &[]).unwrap();
    assert_eq!(labels(&run.machine, &done), ["b is done", "a is done", "all are done"]);
}

#[test]
fn a_row_that_reenters_a_history_leaves_the_state_that_has_it() {
    let text = |reenter: &str| {
        format!(
            "machine: m
context: {{ last: {{ type: state, optional: true }} }}
effects: [into, out]
states:
  w: {{ initial: true, history: last, entry: into, exit: out, states: {{ p: {{ initial: true }}, q: {{}}, r: {{}} }} }}
  away: {{}}
events: [go, on, leave, back]
transitions:
  - {{ from: p, event: go, to: q }}
  - {{ from: w, event: leave, to: away }}
  - {{ from: away, event: back, to: p }}
  - {{ from: p, event: on, to: r }}
  - {{ from: r, event: back, to: \"{{last}}\"{reenter} }}
"
        )
    };
    for (reenter, crossed, remembered) in [(", reenter: true", &["w"][..], "r"), ("", &[], "q")] {
        let mut run = Run::new(&text(reenter));
        for event in ["go", "leave", "back", "on"] {
            run.fire(event, &[]).unwrap();
        }
        let done = run.fire("back", &[]).unwrap();
        assert_eq!(run.state(), "q", "where it was when it was left before");
        let composites = |states: &[StateId]| -> Vec<String> {
            states.iter().filter(|it| !run.machine.is_leaf(**it)).map(|it| run.machine.state(*it).name.clone()).collect()
        };
        assert_eq!(
            (composites(&done.steps[0].exited), composites(&done.steps[0].entered)),
            (crossed.iter().map(|it| it.to_string()).collect(), crossed.iter().map(|it| it.to_string()).collect())
        );
        assert_eq!(*run.field("last"), Value::State(run.state_id(remembered)), "{reenter}");
    }
}
