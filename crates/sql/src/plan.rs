//! What the dialects have in common: a machine, a mapping and a graph, and what follows from them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use statespec_lang::model::Machine;
use statespec_lang::program::Program;
use statespec_lang::show::MachineNames;

use super::condition::{Condition, Conditions};
use super::dialect::Dialect;
use super::graph::{Graph, Ways};
use super::mapping::{Births, Deletes, Mapping};
use super::membership::Membership;

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
    /// The values by position: those of the graph, and after them those that only an earlier revision has.
    pub(crate) stored: &'a [String],
    /// The revision whose program writes, too.
    pub(crate) earlier: Option<Earlier<'a>>,
}

/// An earlier revision beside the one of a plan, while programs of both write.
#[derive(Clone, Copy)]
pub(crate) struct Earlier<'a> {
    pub(crate) plan: &'a Plan<'a>,
    /// The values of one state in the two revisions, where they differ: the earlier one first.
    pub(crate) renamed: &'a [(String, String)],
}

/// The states that may follow a state: those without a condition, and those with one.
type After = (Vec<usize>, Vec<(usize, String)>);

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
    pub(crate) fn after(&self, from: usize, dialect: &'a dyn Dialect) -> After {
        let Some(earlier) = self.earlier else { return self.after_alone(from, dialect) };
        let (mut free, mut guarded) = (BTreeSet::new(), BTreeMap::<usize, BTreeSet<String>>::new());
        let names = self.names(&self.stored[from]);
        for name in &names {
            let newer = self.stored[..self.graph.states.len()].iter().position(|it| it == name).map(|it| (self, it));
            let older = earlier.plan.stored.iter().position(|it| it == name).map(|it| (earlier.plan, it));
            for (plan, at) in newer.into_iter().chain(older) {
                let (without, with) = plan.after_alone(at, dialect);
                let places = |to: usize| self.names(&plan.stored[to]).into_iter().filter_map(|it| self.position(it)).collect::<Vec<_>>();
                free.extend(without.into_iter().flat_map(places));
                for (to, condition) in with {
                    places(to).into_iter().for_each(|it| _ = guarded.entry(it).or_default().insert(condition.clone()));
                }
            }
        }
        // Rows get the name of the other revision.
        free.extend(names.into_iter().filter_map(|it| self.position(it)));
        free.remove(&from);
        guarded.retain(|it, _| *it != from && !free.contains(it));
        let joined = |all: BTreeSet<String>| {
            let all: Vec<String> = all.into_iter().collect();
            if all.len() == 1 { all.concat() } else { format!("(({}))", all.join(") OR (")) }
        };
        (free.into_iter().collect(), guarded.into_iter().map(|(to, all)| (to, joined(all))).collect())
    }

    fn after_alone(&self, from: usize, dialect: &'a dyn Dialect) -> After {
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

    fn position(&self, value: &str) -> Option<usize> {
        self.stored.iter().position(|it| it == value)
    }

    /// The values that a state has in one revision or the other.
    fn names<'v>(&self, value: &'v str) -> Vec<&'v str>
    where
        'a: 'v,
    {
        let renamed: &'a [(String, String)] = self.earlier.map_or(&[], |it| it.renamed);
        let mut names = vec![value];
        for (before, after) in renamed {
            let newer = if before == value { after } else { value };
            let others = renamed.iter().filter(|it| it.1 == newer).map(|it| it.0.as_str());
            if before == value || after == value {
                names.extend(others.chain([newer]));
            }
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    /// What is allowed in a state, for a message: `from running: complete, failed, claimed when …`.
    pub(crate) fn allowed(&self, from: usize, dialect: &'a dyn Dialect) -> String {
        let (free, guarded) = self.after(from, dialect);
        let mut text = format!("from {}: ", self.stored[from]);
        let mut items: Vec<String> = free.iter().map(|it| self.stored[*it].clone()).collect();
        items.extend(guarded.iter().map(|(to, _)| match self.earlier {
            None => format!("{} when {}", self.stored[*to], self.guards(from, *to)),
            Some(_) => format!("{} under a condition", self.stored[*to]),
        }));
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
            Births::Initial => {
                let mut births = self.graph.births.clone();
                let earlier = self.earlier.iter().flat_map(|it| it.plan.births().into_iter().map(|at| &it.plan.stored[at]));
                births.extend(earlier.filter_map(|it| self.position(it)));
                births.into_iter().collect()
            }
            Births::Any => (0..self.stored.len()).collect(),
        }
    }

    /// The positions of the states in which a row may be deleted; `None` if it always may.
    pub(crate) fn deletes(&self) -> Option<Vec<usize>> {
        match self.mapping.deletes {
            Deletes::Any => None,
            Deletes::Never => Some(Vec::new()),
            Deletes::Terminal => {
                let mut ended: BTreeSet<usize> = (0..self.graph.states.len()).filter(|it| self.graph.states[*it].terminal).collect();
                let earlier = self.earlier.iter().flat_map(|it| it.plan.deletes().into_iter().flatten().map(|at| &it.plan.stored[at]));
                ended.extend(earlier.filter_map(|it| self.position(it)));
                Some(ended.into_iter().collect())
            }
        }
    }

    /// The fields of payloads that the journal records: `claim.until`.
    pub(crate) fn payload(&self) -> Vec<String> {
        let mut fields = self.mapping.payload.clone();
        fields.extend(self.earlier.iter().flat_map(|it| it.plan.mapping.payload.iter().cloned()));
        fields.into_iter().map(|(event, field)| format!("{event}.{field}")).collect()
    }

    /// What the tables of the system ask of this one; nothing of it where an earlier revision asks for something else.
    pub(crate) fn membership(&self) -> Option<&'a Membership> {
        let agrees = |it: &&Membership| self.earlier.is_none_or(|earlier| earlier.plan.mapping.membership.as_ref() == Some(*it));
        self.mapping.membership.as_ref().filter(agrees)
    }

    /// The stored values of some states, for a message.
    pub(crate) fn listed(&self, states: &[usize]) -> String {
        match states.is_empty() {
            true => "nothing".to_owned(),
            false => states.iter().map(|it| self.stored[*it].as_str()).collect::<Vec<_>>().join(", "),
        }
    }
}
