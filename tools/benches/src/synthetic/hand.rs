//! Hand-written code for the synthetic machine.

use super::{N_EVENTS, Shape, drive, edge_lines, lines};

/// Documented enums, a machine, and one `match` over state and event.
pub fn match_only(shape: Shape) -> String {
    let (states, events) = (lines(0..shape.n_states, STATE), lines(0..N_EVENTS, EVENT));
    let arms = edge_lines(shape.edges(), "            (State::S#from, Event::E#event) => State::S#to,");
    format!(
        "//! A machine.

/// What it can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {{
{states}}}

/// What can happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Event {{
{events}}}

/// The event is not for this state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused {{
    pub from: State,
    pub event: Event,
}}

impl std::fmt::Display for Refused {{
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{
        write!(f, \"{{:?}} is refused in {{:?}}\", self.event, self.from)
    }}
}}

impl std::error::Error for Refused {{}}

/// A machine.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Machine {{
    state: State,
}}

impl Machine {{
    /// A machine in its initial state.
    pub fn new() -> Self {{
        Machine {{ state: State::S0 }}
    }}

    /// What it is in.
    pub fn state(&self) -> State {{
        self.state
    }}

    /// Moves, or refuses the event.
    pub fn apply(&mut self, event: Event) -> Result<State, Refused> {{
        self.state = match (self.state, event) {{
{arms}            (from, event) => return Err(Refused {{ from, event }}),
        }};
        Ok(self.state)
    }}
}}

impl Default for Machine {{
    fn default() -> Self {{
        Self::new()
    }}
}}
{drive}",
        drive = drive("Event", "Machine::new()", "machine.apply(event).is_ok()"),
    )
}

const STATE: &str = "    /// The state number @.\n    S@,";
const EVENT: &str = "    /// The event number @.\n    E@,";

/// The same code with the other features of emitted code: names both ways, lists, docs, and the graph as data.
pub fn all_features(shape: Shape) -> String {
    match_only(shape) + &names("State", "S", "s", "state", shape.n_states) + &names("Event", "E", "e", "event", N_EVENTS) + &graph(shape)
}

fn names(ty: &str, variant: &str, wire: &str, word: &str, n: usize) -> String {
    let list = lines(0..n, &format!("        {ty}::{variant}@,"));
    let to_name = lines(0..n, &format!("            {ty}::{variant}@ => \"{wire}@\","));
    let from_name = lines(0..n, &format!("            \"{wire}@\" => {ty}::{variant}@,"));
    let docs = lines(0..n, &format!("            {ty}::{variant}@ => \"The {word} number @.\","));
    format!(
        "
impl {ty} {{
    /// All of them.
    pub const ALL: [{ty}; {n}] = [
{list}    ];

    /// The name by which it is stored and sent.
    pub const fn name(self) -> &'static str {{
        match self {{
{to_name}        }}
    }}

    /// What it means.
    pub const fn doc(self) -> &'static str {{
        match self {{
{docs}        }}
    }}
}}

impl std::fmt::Display for {ty} {{
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{
        f.pad(self.name())
    }}
}}

/// There is no {word} of this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown{ty}(pub String);

impl std::fmt::Display for Unknown{ty} {{
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{
        write!(f, \"`{{}}` is no {word}\", self.0)
    }}
}}

impl std::error::Error for Unknown{ty} {{}}

impl std::str::FromStr for {ty} {{
    type Err = Unknown{ty};

    fn from_str(name: &str) -> Result<Self, Unknown{ty}> {{
        Ok(match name {{
{from_name}            _ => return Err(Unknown{ty}(name.to_owned())),
        }})
    }}
}}
"
    )
}

fn graph(shape: Shape) -> String {
    let list = |from: usize, item: &dyn Fn((usize, usize, usize)) -> String| {
        let items: Vec<String> = shape.edges_of(from).map(item).collect();
        items.join(", ")
    };
    let mut successors = String::new();
    let mut events = String::new();
    for from in 0..shape.n_states {
        successors += &format!("            State::S{from} => &[{}],\n", list(from, &|(_, _, to)| format!("State::S{to}")));
        events += &format!("            State::S{from} => &[{}],\n", list(from, &|(_, event, _)| format!("Event::E{event}")));
    }
    let rows = edge_lines(shape.edges(), "    Transition { from: State::S#from, event: Event::E#event, to: State::S#to },");
    format!(
        "
impl State {{
    /// The states that an edge leads to.
    pub const fn successors(self) -> &'static [State] {{
        match self {{
{successors}        }}
    }}

    /// The events that some edge takes here.
    pub const fn events(self) -> &'static [Event] {{
        match self {{
{events}        }}
    }}

    /// Whether an edge leads there.
    pub fn allows(self, to: State) -> bool {{
        self.successors().contains(&to)
    }}
}}

/// An edge of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition {{
    pub from: State,
    pub event: Event,
    pub to: State,
}}

/// The graph.
pub const TRANSITIONS: &[Transition] = &[
{rows}];
"
    )
}
