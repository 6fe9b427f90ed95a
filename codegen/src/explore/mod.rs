//! Everything that can happen: the configurations of a machine or a system, gone through breadth
//! first by the interpreter, and what is wrong with them.
//!
//! A **configuration** is the state and the relevant context of every instance. Payload values are
//! taken at the boundaries of guards ([`crate::interpret::BoundaryValues`]), named predicates are tried both
//! ways, and a system has a **population**: how many instances of each part there may be, by
//! default two of a part with `many`, two for each owner where the part belongs to another.
//! Instances of one part come into being in the order of their numbers, since numbers mean nothing.
//!
//! What one transaction does depends on nothing but the instances it speaks of. So the interpreter
//! is asked once for each combination of them that comes up, and the rest is looking up.

mod findings;
mod graph;
mod machine;
#[cfg(feature = "files")]
pub(crate) mod machine_cases;
mod relevant;
mod report;
mod search;
mod space;
mod system;
mod table;
mod values;

use std::collections::BTreeMap;

#[cfg(feature = "project")]
pub(crate) use space::{by, change};
#[cfg(feature = "project")]
pub(crate) use system::{literal, payloads_of, trigger};

pub use report::{Bound, Finding, Report, Trace, TraceStep};

use crate::model::{Model, System};

/// What is explored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject<'a> {
    /// A machine by its name, all by itself.
    Machine(&'a str),
    /// A system by its name.
    System(&'a str),
}

/// How far an exploration goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// No more configurations than this.
    pub max_states: usize,
    /// No ways longer than this.
    pub max_depth: usize,
    /// How many instances there may be, by part; of each owner's where the part belongs to another.
    /// More than one of a part without `many` stands for that many systems side by side.
    pub instances: BTreeMap<String, u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { max_states: 1_000_000, max_depth: usize::MAX, instances: BTreeMap::new() }
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

/// Goes through everything that can happen to a machine or a system.
///
/// # Errors
///
/// In words: no such machine, system or part, or a population that the system cannot have.
///
/// ```
/// use statespec_codegen::diagnostic::Code;
/// use statespec_codegen::explore::{Bound, Limits, Subject, explore};
/// use statespec_codegen::lower::load;
/// use statespec_codegen::source::Input;
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
/// assert_eq!((report.states, report.bound), (4, Bound::Complete));
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
            let mut space = machine::MachineSpace::new(model, idx);
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

/// The system with as many instances of its parts as are asked for.
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
