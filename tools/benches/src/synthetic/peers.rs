//! The machine in the style of each peer's documentation, with the code that raises an event.

use super::{N_EVENTS, Shape, drive, edge_lines, lines};

pub fn rust_fsm(shape: Shape) -> String {
    let states: String = (0..shape.n_states)
        .map(|from| format!("    S{from} => {{\n{}    }},\n", edge_lines(shape.edges_of(from), "        E#event => S#to,")))
        .collect();
    format!(
        "rust_fsm::state_machine! {{\n    #[derive(Debug, Clone, Copy, PartialEq, Eq)]\n    pub machine(S0)\n\n{states}}}\n{}",
        drive("machine::Input", "machine::StateMachine::new()", "machine.consume(&event).is_ok()"),
    )
}

pub fn fsmentry(shape: Shape) -> String {
    format!(
        "fsmentry::fsmentry! {{
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Machine {{
{edges}    }}
}}

{events}
/// Moves, or refuses the event.
pub fn apply(machine: &mut Machine, event: Event) -> Result<(), Event> {{
    match (machine.entry(), event) {{
{arms}        (_, event) => return Err(event),
    }}
    Ok(())
}}
{drive}",
        edges = edge_lines(shape.edges(), "        S#from -e#event-> S#to,"),
        events = event_enum("Debug, Clone, Copy, PartialEq, Eq"),
        arms = edge_lines(shape.edges(), "        (MachineEntry::S#from(it), Event::E#event) => it.e#event(),"),
        drive = drive("Event", "Machine::S0", "apply(&mut machine, event).is_ok()"),
    )
}

/// ironstate needs a terminal state, so there is an additional one, which no edge reaches.
pub fn ironstate(shape: Shape) -> String {
    format!(
        "use ironstate::prelude::*;

#[derive(StateMachine, Clone, Copy, Debug, PartialEq)]
#[state_machine(initial = S0, terminal = [Unreached])]
pub enum State {{
{states}    Unreached,
}}

{events}
impl TransitionRules for State {{
    type Event = Event;

    fn transition(&self, event: &Event) -> Option<State> {{
        Some(match (self, event) {{
{arms}            _ => return None,
        }})
    }}
}}
{drive}",
        states = lines(0..shape.n_states, "    S@,"),
        events = event_enum("Event, Clone, Copy, Debug, PartialEq"),
        arms = edge_lines(shape.edges(), "            (State::S#from, Event::E#event) => State::S#to,"),
        drive = drive("Event", "Machine::<State>::new()", "machine.apply(event).is_ok()"),
    )
}

pub fn smlang(shape: Shape) -> String {
    let edges = edge_lines(shape.edges(), "        S#from + E#event = S#to,").replacen("S0", "*S0", 1);
    format!(
        "smlang::statemachine! {{
    transitions: {{
{edges}    }}
}}

pub struct Nothing;

impl StateMachineContext for Nothing {{}}
{}",
        drive("Events", "StateMachine::new(Nothing)", "machine.process_event(event).is_ok()"),
    )
}

pub fn statum(shape: Shape) -> String {
    let impls: String = (0..shape.n_states)
        .map(|from| {
            let methods = edge_lines(shape.edges_of(from), "    fn e#event(self) -> Machine<S#to> {\n        self.transition()\n    }");
            format!("\n#[transition]\nimpl Machine<S{from}> {{\n{methods}}}\n")
        })
        .collect();
    format!(
        "use statum::{{machine, state, transition}};

#[state]
pub enum MachineState {{
{states}}}

#[machine]
pub struct Machine<MachineState> {{}}
{impls}
{events}
/// A machine whose state is only known at run time.
pub enum Any {{
{any}}}

impl Any {{
    /// The machine after the event, and whether it moved.
    pub fn apply(self, event: Event) -> (Self, bool) {{
        let moved = match (self, event) {{
{arms}            (same, _) => return (same, false),
        }};
        (moved, true)
    }}
}}

/// A typed machine moves by value: it is taken out while an event is raised.
pub fn raise(machine: &mut Option<Any>, event: Event) -> bool {{
    let Some((machine_then, moved)) = machine.take().map(|it| it.apply(event)) else {{ return false }};
    *machine = Some(machine_then);
    moved
}}
{drive}",
        states = lines(0..shape.n_states, "    S@,"),
        events = event_enum("Debug, Clone, Copy, PartialEq, Eq"),
        any = lines(0..shape.n_states, "    S@(Machine<S@>),"),
        arms = edge_lines(shape.edges(), "            (Any::S#from(it), Event::E#event) => Any::S#to(it.e#event()),"),
        drive = drive("Event", "Some(Any::S0(Machine::<S0>::builder().build()))", "raise(&mut machine, event)"),
    )
}

pub fn state_machines(shape: Shape) -> String {
    let states: Vec<String> = (0..shape.n_states).map(|it| format!("S{it}")).collect();
    let events: String = (0..N_EVENTS)
        .map(|event| {
            let edges = shape.edges().filter(|it| it.1 == event);
            format!("        e{event} {{\n{}        }}\n", edge_lines(edges, "            transition: { from: S#from, to: S#to }"))
        })
        .collect();
    format!(
        "state_machines::state_machine! {{
    name: Machine,
    dynamic: true,
    initial: S0,
    states: [{}],
    events {{
{events}    }}
}}
{}",
        states.join(", "),
        drive("MachineEvent", "DynamicMachine::new(())", "machine.handle(event).is_ok()"),
    )
}

pub fn statig(shape: Shape) -> String {
    let states: String = (0..shape.n_states)
        .map(|from| {
            let arms = edge_lines(shape.edges_of(from), "            Event::E#event => Transition(State::s#to()),");
            format!(
                "
    #[state]
    fn s{from}(event: &Event) -> Outcome<State> {{
        match event {{
{arms}            _ => Super,
        }}
    }}
"
            )
        })
        .collect();
    format!(
        "use statig::prelude::*;

{events}
#[derive(Default)]
pub struct Machine;

#[state_machine(initial = \"State::s0()\", state(derive(Debug, Clone, Copy, PartialEq)))]
impl Machine {{{states}}}

/// `handle` does not say whether it did anything.
pub fn raise(machine: &mut statig::blocking::InitializedStateMachine<Machine>, event: Event) -> bool {{
    let before = *machine.state();
    machine.handle(&event);
    *machine.state() != before
}}
{drive}",
        events = event_enum("Debug, Clone, Copy, PartialEq, Eq"),
        drive = drive("Event", "Machine.uninitialized_state_machine().init()", "raise(&mut machine, event)"),
    )
}

pub fn finny(shape: Shape) -> String {
    format!(
        "use finny::decl::{{BuiltFsm, FsmBuilder}};
use finny::{{FsmFactory, finny_fsm}};

#[derive(Debug, Default)]
pub struct Nothing;
{states}{events}
#[finny_fsm]
fn machine(mut fsm: FsmBuilder<Machine, Nothing>) -> BuiltFsm {{
{edges}    fsm.initial_state::<S0>();
    fsm.build()
}}

fn event(byte: u8) -> MachineEvents {{
    match byte % {N_EVENTS} {{
{arms}        _ => E{last}.into(),
    }}
}}

/// How many of these events moved a new machine.
pub fn drive(bytes: &[u8]) -> usize {{
    let mut machine = Machine::new(Nothing).unwrap();
    machine.start().unwrap();
    bytes.iter().filter(|byte| machine.dispatch(event(**byte)).is_ok()).count()
}}
",
        states = lines(0..shape.n_states, "#[derive(Debug, Default)]\npub struct S@;"),
        events = lines(0..N_EVENTS, "#[derive(Debug, Clone)]\npub struct E@;"),
        edges = edge_lines(shape.edges(), "    fsm.state::<S#from>().on_event::<E#event>().transition_to::<S#to>();"),
        arms = lines(0..N_EVENTS - 1, "        @ => E@.into(),"),
        last = N_EVENTS - 1,
    )
}

fn event_enum(derives: &str) -> String {
    format!("#[derive({derives})]\npub enum Event {{\n{}}}\n", lines(0..N_EVENTS, "    E@,"))
}
