//! Derives the findings from a completed search.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::diagnostic::Code;
use statespec_lang::model::machine::{Outcome, Target};
use statespec_lang::model::{Configuration, Machine, Model, StateId, TransitionId};
use statespec_lang::source::Span;

use super::report::{Bound, Finding, Limit, Report, Trace};
use super::search::Search;
use super::space::{Slot, Space};
use super::values::reachable;

pub(super) fn report(model: &Model, space: &dyn Space, search: &Search) -> Result<Report, String> {
    let bounds = bounds(model, space, search);
    let view = Seen { model, space, search, complete: bounds.is_empty() };
    let mut findings = view.invariants()?;
    findings.extend(view.deadlock()?);
    findings.extend(view.stuck()?);
    findings.extend(view.never());
    let cut: BTreeSet<usize> = search.cut.iter().map(|(state, _)| *state).collect();
    Ok(Report {
        subject: space.name().to_owned(),
        population: space.population(),
        states: search.states.len(),
        transitions: search.transitions,
        depth: search.depth,
        bounds,
        cut: cut.len(),
        findings,
        elapsed: search.elapsed,
    })
}

struct Seen<'a> {
    model: &'a Model,
    space: &'a dyn Space,
    search: &'a Search,
    complete: bool,
}

/// What the search left out: the limit that stopped it, and what its calls left out.
fn bounds(model: &Model, space: &dyn Space, search: &Search) -> Vec<Bound> {
    let mut bounds = Vec::new();
    match search.stopped {
        Some(Limit::States) => bounds.push(too_many_states(model, space, search)),
        Some(limit) => {
            let message = format!("traces longer than {} steps were not followed", search.depth);
            bounds.push(Bound { limit, message, help: None, span: space.span() });
        }
        None => {}
    }
    bounds.extend(space.bounds());
    bounds
}

/// The limit of configurations, with the fields that have the most values.
fn too_many_states(model: &Model, space: &dyn Space, search: &Search) -> Bound {
    const MAX_FIELDS: usize = 3;
    let mut fields: Vec<((usize, usize), usize)> = space.locals().n_values().into_iter().filter(|(_, n_values)| *n_values > 2).collect();
    fields.sort_by_key(|(_, n_values)| std::cmp::Reverse(*n_values));
    fields.truncate(MAX_FIELDS);
    let field = |(machine, field): (usize, usize)| &model.machines[machine].fields[field];
    let name = |&((machine, idx), n_values): &((usize, usize), usize)| {
        format!("`{}.{}` has {n_values} values", model.machines[machine].name, field((machine, idx)).name)
    };
    let largest: Vec<String> = fields.iter().map(name).collect();
    let help = if largest.is_empty() {
        "`--max-states` sets another limit, `--instances` another population".to_owned()
    } else {
        let advice = "a guard that limits what is assigned to a field makes it smaller";
        format!("{}; {advice}; `--max-states` sets another limit", largest.join(", "))
    };
    Bound {
        limit: Limit::States,
        message: format!("there are more than {} configurations", search.states.len()),
        help: Some(help),
        span: fields.first().map_or(space.span(), |(it, _)| field(*it).span),
    }
}

impl Seen<'_> {
    fn machine(&self, slot: &Slot) -> &Machine {
        &self.model.machines[slot.machine]
    }

    /// The configuration in which the instance of a slot is.
    fn at(&self, state: usize, slot: usize) -> Option<&Configuration> {
        let number = self.search.states.row(state)[slot];
        self.space.locals().instance(self.space.slots()[slot].machine, number).map(|it| &it.configuration)
    }

    fn invariants(&self) -> Result<Vec<Finding>, String> {
        let mut findings = Vec::new();
        for (invariant, (first, states)) in &self.search.broken {
            let (doc, span) = self.space.invariant(*invariant).ok_or("there is no such invariant")?;
            let (start, mut steps) = self.search.trace(first.map_or(0, |(state, _)| state));
            steps.extend(first.map(|(_, step)| step));
            let trace = self.space.replay(start, &steps, first.map(|_| *invariant))?;
            let message = format!("only this invariant prevents a step that violates it: {doc}");
            findings.push(Finding { code: Code::ExploreInvariant, message, states: *states, trace: Some(trace), span });
        }
        findings.sort_by_key(|it| it.trace.as_ref().map(|trace| trace.steps.len()));
        Ok(findings)
    }

    fn trace(&self, state: usize) -> Result<Trace, String> {
        let (start, steps) = self.search.trace(state);
        self.space.replay(start, &steps, None)
    }

    /// Reports a configuration without a successor in which some instance has not ended.
    fn deadlock(&self) -> Result<Option<Finding>, String> {
        let cut: BTreeSet<usize> = self.search.cut.iter().map(|(state, _)| *state).collect();
        let waits = |state: usize| (0..self.space.slots().len()).filter(move |slot| self.waits(state, *slot));
        let goes_on = |state: &usize| cut.contains(state) || self.search.omitted.contains(state) || self.search.staying.contains(state);
        let dead = |state: &usize| self.search.graph.is_dead_end(*state) && !goes_on(state) && waits(*state).next().is_some();
        let dead: Vec<usize> = (0..self.search.n_expanded).filter(dead).collect();
        let Some(first) = dead.first() else { return Ok(None) };
        let waiting: Vec<String> = waits(*first).map(|it| self.place(*first, it)).collect();
        let trace = self.trace(*first)?;
        let message = format!("no further step is possible, but not every instance has ended: {}", waiting.join(", "));
        Ok(Some(Finding { code: Code::ExploreDeadlock, message, states: dead.len(), trace: Some(trace), span: self.space.span() }))
    }

    /// Whether the instance exists, in a leaf that is not terminal, of a machine with terminal states or with
    /// a way out of one of its leaves.
    fn waits(&self, state: usize, slot: usize) -> bool {
        let machine = self.machine(&self.space.slots()[slot]);
        let has_outcomes = can_end(machine, None);
        self.at(state, slot).is_some_and(|at| !has_ended(machine, at) && (has_outcomes || !at.leaves().all(|it| machine.is_sink(it))))
    }

    fn place(&self, state: usize, slot: usize) -> String {
        let declared = &self.space.slots()[slot];
        let machine = self.machine(declared);
        let place = self.at(state, slot).map_or_else(String::new, |it| machine.configuration_path(it).into_owned());
        format!("{} is in {place}", declared.name)
    }

    /// Instances that have not ended and can never end, one finding for each part.
    fn stuck(&self) -> Result<Vec<Finding>, String> {
        let n_states = self.search.states.len();
        let mut first_of_part = BTreeMap::new();
        for (slot, declared) in self.space.slots().iter().enumerate() {
            let machine = self.machine(declared);
            if !can_end(machine, None) {
                continue;
            }
            let ended = |state: usize| self.at(state, slot).is_none_or(|it| has_ended(machine, it));
            // Configurations that were not expanded may lead to an end.
            let mut good: Vec<bool> = (0..n_states).map(|state| state >= self.search.n_expanded).collect();
            // So may what was left out.
            self.search.omitted.iter().for_each(|it| good[*it] = true);
            // So may a call that creates an instance beyond the population and touches this one.
            for (state, call) in &self.search.cut {
                good[*state] |= self.space.touched(*call).contains(&slot);
            }
            // A configuration without the instance counts neither as ended nor as stuck.
            for (state, good) in good.iter_mut().enumerate() {
                *good |= self.at(state, slot).is_some() && ended(state);
            }
            let good = self.search.graph.can_reach(good);
            let bad: Vec<usize> = (0..n_states).filter(|state| !good[*state] && self.at(*state, slot).is_some()).collect();
            if let Some(first) = bad.first() {
                let entry = first_of_part.entry((declared.part, declared.machine)).or_insert((*first, slot, bad.len()));
                if *first < entry.0 {
                    *entry = (*first, slot, bad.len());
                }
            }
        }
        let finding = |(state, slot, states): &(usize, usize, usize)| {
            let trace = self.trace(*state)?;
            let message = format!("{} and can never reach a terminal state", self.place(*state, *slot));
            let leaf = self.at(*state, *slot).map(|it| self.machine(&self.space.slots()[*slot]).state(it.first()).span);
            let span = leaf.unwrap_or_else(|| self.space.span());
            Ok(Finding { code: Code::ExploreStuck, message, states: *states, trace: Some(trace), span })
        };
        first_of_part.values().map(finding).collect()
    }

    /// Reports elements of the specs that are never reached.
    fn never(&self) -> Vec<Finding> {
        let finding = |code, message: String, span: Span| Finding { code, message, states: 0, trace: None, span };
        let mut findings = Vec::new();
        let machine_alone = self.space.slots().iter().all(|it| it.part.is_none());
        let word = if machine_alone { "event" } else { "transaction" };
        for (idx, (name, span)) in self.space.transactions().into_iter().enumerate() {
            if !self.search.possible[idx] {
                let message = match self.complete {
                    true => format!("the {word} `{name}` is always refused"),
                    false => format!("the {word} `{name}` was refused in every configuration that was seen"),
                };
                findings.push(finding(Code::ExploreImpossible, message, span));
            }
        }
        let machines: BTreeSet<usize> = self.space.slots().iter().map(|it| it.machine).collect();
        for idx in machines {
            let machine = &self.model.machines[idx];
            let seen = self.space.locals().leaves(idx);
            for leaf in reachable(machine).difference(&seen) {
                let name = machine.path_name(*leaf);
                let message = match self.complete {
                    true => format!("the graph of `{}` leads to {name}, but the guards prevent it", machine.name),
                    false => format!("the graph of `{}` leads to {name}, but no configuration that was seen is there", machine.name),
                };
                findings.push(finding(Code::ExploreUnreachable, message, machine.state(*leaf).span));
            }
            // A machine in a system need not use all of its behaviour.
            if machine_alone {
                let message = if self.complete { "this row is never taken" } else { "this row was not taken in what was seen" };
                let rows = self.untaken(idx, machine);
                findings.extend(rows.map(|row| finding(Code::ExploreUntaken, message.into(), machine.transition(row).span)));
            }
        }
        findings
    }

    fn untaken<'a>(&'a self, idx: usize, machine: &'a Machine) -> impl Iterator<Item = TransitionId> + 'a {
        let rows = (0..machine.transitions.len()).map(TransitionId::new);
        let refuses = |row: &TransitionId| matches!(machine.transition(*row).target, Target::Refuse(_));
        let spread = move |row: &TransitionId| machine.edges.iter().any(|it| it.transition == *row && it.outcome != Outcome::Refuse);
        rows.filter(move |row| !refuses(row) && spread(row) && !self.space.taken().contains(&(idx, *row)))
    }
}

/// Whether a machine can end inside a state, or at all: in an outcome, and where there are regions in one of each.
fn can_end(machine: &Machine, whole: Option<StateId>) -> bool {
    let inside = machine.inside(whole);
    match whole {
        Some(leaf) if inside.is_empty() => machine.state(leaf).terminal,
        _ if machine.is_parallel(whole) => inside.iter().all(|it| can_end(machine, Some(*it))),
        _ => inside.iter().any(|it| can_end(machine, Some(*it))),
    }
}

/// Whether a machine has ended: every active leaf is an outcome.
fn has_ended(machine: &Machine, at: &Configuration) -> bool {
    at.leaves().all(|it| machine.state(it).terminal)
}
