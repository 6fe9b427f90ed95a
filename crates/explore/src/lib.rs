//! State space exploration: a breadth-first search over the configurations of a machine or a
//! system, run by the interpreter, and the problems that it finds.
//!
//! A **configuration** is the state and the relevant context of every instance, and in a machine by itself whose timers run together
//! the moments at which they are due. Payload values are
//! taken at the boundaries of guards ([`statespec_lang::interpret::BoundaryValues`]). Named predicates are tried with both
//! answers. A system has a **population**: the maximum number of instances of each part, by
//! default two of a part with `many`, or two for each owner if the part belongs to another.
//! Instances of one part are created in the order of their numbers, since the numbers have no meaning.
//!
//! The outcome of a transaction depends only on the instances that it refers to. So the interpreter
//! runs once for each combination of them that occurs, and later results are looked up.
//!
//! This crate knows the language and nothing else: no disk, no project, no output.
//! Its entry point is [`explore`]; conformance tests also use [`machine_cases`].

mod abstraction;
mod answers;
mod atoms;
mod choices;
mod findings;
mod graph;
mod linear;
mod machine;
pub mod machine_cases;
pub mod play;
mod ranges;
mod relevant;
mod report;
mod search;
mod space;
mod system;
mod table;
mod values;
mod zones;

use std::collections::BTreeMap;

pub use space::{by, change};
pub use system::{literal, payloads_of, trigger};

pub use report::{Bound, Finding, Limit, Report, Trace, TraceStep};

use statespec_lang::model::{Model, System};

/// The subject of an exploration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject<'a> {
    /// A single machine, by name.
    Machine(&'a str),
    /// A system, by name.
    System(&'a str),
}

/// The limits of an exploration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of configurations.
    pub max_states: usize,
    /// The maximum length of a trace.
    pub max_depth: usize,
    /// The maximum number of instances, by part; for each owner if the part belongs to another.
    /// More than one of a part without `many` means that number of systems side by side.
    pub instances: BTreeMap<String, u64>,
    /// Whether a program may let timers elapse later than they are due. This counts in a machine by itself only.
    pub late_timers: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { max_states: 1_000_000, max_depth: usize::MAX, instances: BTreeMap::new(), late_timers: false }
    }
}

/// Every machine and every system, in the order of their names.
pub fn subjects(model: &Model) -> Vec<Subject<'_>> {
    let machines = model.machines.iter().map(|it| Subject::Machine(&it.name));
    machines.chain(model.systems.iter().map(|it| Subject::System(&it.name))).collect()
}

/// The subject with this name.
pub fn subject<'a>(model: &'a Model, name: &str) -> Option<Subject<'a>> {
    subjects(model).into_iter().find(|it| it.name() == name)
}

impl<'a> Subject<'a> {
    /// Its name.
    pub fn name(self) -> &'a str {
        match self {
            Subject::Machine(name) | Subject::System(name) => name,
        }
    }
}

/// Explores all behaviour of a machine or a system.
///
/// # Errors
///
/// A message: no such machine, system or part, or an invalid population for the system.
///
/// ```
/// use statespec_lang::diagnostic::Code;
/// use statespec_explore::{Limits, Subject, explore};
/// use statespec_lang::lower::load;
/// use statespec_lang::source::Input;
///
/// let text = "machine: door
/// states: { open: { initial: true }, shut: {}, gone: { terminal: true }, lost: {} }
/// events: { push: {}, smash: {}, lose: {} }
/// transitions:
///   - { from: open, event: push, to: shut }
///   - { from: shut, event: push, to: open }
///   - { from: open, event: smash, to: gone }
///   - { from: open, event: lose, to: lost }
/// ";
/// let loaded = load(&[Input { path: "machines/door.yaml".into(), text: text.into() }]);
/// let model = loaded.model.expect("the spec is right");
/// let report = explore(&model, Subject::Machine("door"), &Limits::default()).expect("there is a door");
/// assert!(report.is_complete());
/// assert_eq!(report.states, 4);
/// assert_eq!(report.findings[0].code, Code::ExploreDeadlock);
/// assert_eq!(report.findings[0].trace.as_ref().map(|it| it.steps.len()), Some(1));
/// ```
pub fn explore(model: &Model, subject: Subject<'_>, limits: &Limits) -> Result<Report, String> {
    match subject {
        Subject::Machine(name) => {
            let Some(idx) = model.machines.iter().position(|it| it.name == name) else {
                return Err(format!("there is no machine `{name}`"));
            };
            if let Some(part) = limits.instances.keys().next() {
                return Err(format!("a machine has no parts, so there cannot be several of `{part}`"));
            }
            let mut space = machine::MachineSpace::new(model, idx, zones::Clocks::of(&model.machines[idx], limits.late_timers));
            let search = search::search(&mut space, limits)?;
            findings::report(model, &space, &search)
        }
        Subject::System(name) => {
            let Some(system) = model.systems.iter().find(|it| it.name == name) else {
                return Err(format!("there is no system `{name}`"));
            };
            let populated = populated(system, limits)?;
            let mut space = system::SystemSpace::new(model, system, &populated, limits)?;
            let search = search::search(&mut space, limits)?;
            findings::report(model, &space, &search)
        }
    }
}

/// The system with the requested number of instances of its parts.
fn populated(system: &System, limits: &Limits) -> Result<System, String> {
    let mut populated = system.clone();
    for (name, count) in &limits.instances {
        let Some(part) = populated.parts.iter_mut().find(|it| it.name == *name) else {
            let known: Vec<String> = system.parts.iter().map(|it| format!("`{}`", it.name)).collect();
            return Err(format!("the system `{}` has no part `{name}`; it has {}", system.name, known.join(", ")));
        };
        if *count == 0 || *count > 64 {
            return Err(format!("from 1 to 64 instances of `{name}` can be explored, not {count}"));
        }
        part.many |= *count > 1;
    }
    Ok(populated)
}
