//! What the dialects have in common: a machine, a mapping and a graph, and what follows from them.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use statespec_lang::model::Machine;
use statespec_lang::program::Program;
use statespec_lang::show::MachineNames;

use super::condition::{Condition, Conditions};
use super::dialect::Dialect;
use super::graph::{Graph, Ways};
use super::mapping::{Births, Deletes, Mapping};

/// The quotes around functions of PostgreSQL, which no name or value may contain.
pub(crate) const QUOTE: &str = "$statespec$";

/// What the names of all objects of a machine begin with: `statespec_run_job_`.
pub fn prefix(machine: &str) -> String {
    format!("statespec_{machine}_")
}

/// What the dialects print.
pub(crate) struct Plan<'a> {
    pub(crate) program: &'a Program<'a>,
    pub(crate) mapping: &'a Mapping,
    pub(crate) graph: &'a Graph,
    pub(crate) stored: &'a [String],
}

impl<'a> Plan<'a> {
    pub(crate) fn machine(&self) -> &'a Machine {
        self.program.machine
    }

    /// The name of an object: `statespec_run_job_edge`.
    pub(crate) fn name(&self, what: &str) -> String {
        format!("{}{what}", prefix(&self.machine().name))
    }

    pub(crate) fn conditions(&self, dialect: &'a dyn Dialect) -> Conditions<'a> {
        Conditions { program: self.program, mapping: self.mapping, dialect }
    }

    /// The states that may follow a state: first those without a condition, then those with one.
    /// States whose condition never holds are left out.
    pub(crate) fn after(&self, from: usize, dialect: &'a dyn Dialect) -> (Vec<usize>, Vec<(usize, String)>) {
        let (mut free, mut guarded) = (Vec::new(), Vec::new());
        for (to, ways) in self.graph.after(from) {
            match self.conditions(dialect).of(&self.graph.states[from].configuration, ways) {
                Condition::Is(true) => free.push(to),
                Condition::Is(false) => {}
                Condition::Sql(text) => guarded.push((to, text)),
            }
        }
        (free, guarded)
    }

    /// What is allowed in a state, for a message: `from running: complete, failed, claimed when …`.
    pub(crate) fn allowed(&self, from: usize, dialect: &'a dyn Dialect) -> String {
        let (free, guarded) = self.after(from, dialect);
        let mut text = format!("from {}: ", self.stored[from]);
        let mut items: Vec<String> = free.iter().map(|it| self.stored[*it].clone()).collect();
        items.extend(guarded.iter().map(|(to, _)| format!("{} when {}", self.stored[*to], self.guards(from, *to))));
        match items.is_empty() {
            true => text.push_str("nothing"),
            false => _ = write!(text, "{}", items.join(", ")),
        }
        text
    }

    /// The guards that may lead from one state to another, as the spec has them.
    fn guards(&self, from: usize, to: usize) -> String {
        let Some(Ways::Of(ways)) = self.graph.pairs.get(&(from, to)) else { return String::new() };
        let machine = self.machine();
        let mut rows = BTreeSet::new();
        for way in ways {
            let one: Vec<String> = way
                .iter()
                .map(|(row, holds)| {
                    let guard = machine.transition(*row).guard.as_ref().map_or_else(String::new, |it| it.show(&MachineNames::new(machine)));
                    if *holds { guard } else { format!("not ({guard})") }
                })
                .collect();
            rows.insert(one.join(" and "));
        }
        rows.into_iter().collect::<Vec<_>>().join(" or ")
    }

    /// The positions of the states in which a row may be inserted.
    pub(crate) fn births(&self) -> Vec<usize> {
        match self.mapping.births {
            Births::Initial => self.graph.births.iter().copied().collect(),
            Births::Any => (0..self.stored.len()).collect(),
        }
    }

    /// The positions of the states in which a row may be deleted; `None` if it always may.
    pub(crate) fn deletes(&self) -> Option<Vec<usize>> {
        match self.mapping.deletes {
            Deletes::Any => None,
            Deletes::Never => Some(Vec::new()),
            Deletes::Terminal => Some((0..self.stored.len()).filter(|it| self.graph.states[*it].terminal).collect()),
        }
    }

    /// The stored values of some states, for a message.
    pub(crate) fn listed(&self, states: &[usize]) -> String {
        match states.is_empty() {
            true => "nothing".to_owned(),
            false => states.iter().map(|it| self.stored[*it].as_str()).collect::<Vec<_>>().join(", "),
        }
    }
}
