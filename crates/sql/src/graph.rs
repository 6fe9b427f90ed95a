//! The graph as a database sees it: which stored state may follow which.
//!
//! A row of the table has the state in which a machine rests. Between two writes, the machine takes one step and the steps that
//! follow by themselves: automatic rows, rows that wait for a composite, raised events. The values of guards are not known here:
//! where a guard is neither certainly true nor certainly false, both is possible, and a [`Way`] remembers which answer it needs.
//!
//! A step that is not stored (`commit: memory_only`) and one whose store may fail after the change (`memory_first`) leave the row
//! behind the machine. The next write of that machine leads from the state that the row has.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;

use statespec_lang::expr::Compare;
use statespec_lang::model::machine::{Branch, Commit, Edge, On, Outcome};
use statespec_lang::model::{Configuration, Literal, Machine, StateId};
use statespec_lang::program::{Expr, Kind, Program};
use statespec_lang::types::TransitionId;

/// The limit on the configurations of a machine with regions.
const MAX_STATES: usize = 256;
/// The limit on pairs of states.
const MAX_PAIRS: usize = 10_000;
/// The limit on the situations in which one call may be.
const MAX_NODES: usize = 20_000;
/// The limit on the ways of one pair; of more, none is kept.
const MAX_WAYS: usize = 24;

/// A state as a row has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The configuration.
    pub configuration: Configuration,
    /// Whether all of its leaves are terminal.
    pub terminal: bool,
}

/// The guards of the first step that must hold, and those that must not.
pub type Way = BTreeMap<TransitionId, bool>;

/// The ways from one state to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ways {
    /// Guards do not decide it.
    Free,
    /// One of these, at least one.
    Of(BTreeSet<Way>),
}

/// What a table may contain, and how it may change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// The stored states, in the order of states.
    pub states: Vec<State>,
    /// The states in which a machine is created, by position.
    pub births: BTreeSet<usize>,
    /// The pairs of different states, by position.
    pub pairs: BTreeMap<(usize, usize), Ways>,
    /// For each row, the pairs that it begins; none that stays or only follows another one.
    pub begun: BTreeMap<TransitionId, BTreeSet<(usize, usize)>>,
}

/// A machine whose graph is too large for a trigger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooLarge {
    what: &'static str,
    limit: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it has more than {} {}", self.limit, self.what)
    }
}

impl Graph {
    /// The graph of a machine.
    ///
    /// # Errors
    ///
    /// The machine is too large.
    pub fn of(program: &Program<'_>) -> Result<Graph, TooLarge> {
        let machine = program.machine;
        let mut calls = Calls::of(program);
        let created = calls.from(None)?;
        let stored = |it: &&Call| it.commit != Commit::MemoryOnly;
        let mut births = BTreeSet::from([machine.initial()]);
        births.extend(created.iter().filter(stored).map(|it| it.to.clone()));
        // A machine that is loaded without its state goes on from there.
        let loaded: Vec<Configuration> = created.iter().filter(|it| it.commit == Commit::MemoryOnly).map(|it| it.to.clone()).collect();

        let mut found: BTreeSet<Configuration> = births.clone();
        if !machine.has_regions() {
            found.extend(machine.leaves().map(Configuration::from));
        }
        let mut open: Vec<Configuration> = found.iter().cloned().collect();
        let mut pairs = BTreeMap::<(Configuration, Configuration), Ways>::new();
        let mut begun = BTreeMap::<TransitionId, BTreeSet<(Configuration, Configuration)>>::new();
        while let Some(from) = open.pop() {
            let mut ahead = BTreeSet::from([from.clone()]);
            let mut next = VecDeque::from([from.clone()]);
            next.extend(loaded.iter().filter(|it| ahead.insert((*it).clone())).cloned());
            while let Some(at) = next.pop_front() {
                for call in calls.from(Some(&at))? {
                    if call.commit != Commit::PersistFirst && ahead.insert(call.to.clone()) {
                        next.push_back(call.to.clone());
                    }
                    if call.commit == Commit::MemoryOnly || call.to == from {
                        continue;
                    }
                    let pair = (from.clone(), call.to.clone());
                    if at == from {
                        call.rows.iter().for_each(|it| _ = begun.entry(*it).or_default().insert(pair.clone()));
                    }
                    let ways = if at == from { call.ways.clone() } else { Ways::Free };
                    pairs.entry(pair).and_modify(|it| it.join(&ways)).or_insert(ways);
                    if found.insert(call.to.clone()) {
                        open.push(call.to.clone());
                    }
                    within("configurations", found.len(), if machine.has_regions() { MAX_STATES } else { usize::MAX })?;
                    within("pairs of states", pairs.len(), MAX_PAIRS)?;
                }
            }
        }
        let position: BTreeMap<&Configuration, usize> = found.iter().enumerate().map(|(idx, it)| (it, idx)).collect();
        let at = |(from, to): &(Configuration, Configuration)| (position[from], position[to]);
        let terminal = |it: &Configuration| it.leaves().all(|leaf| machine.ancestors(leaf).any(|it| machine.state(it).terminal));
        Ok(Graph {
            states: found.iter().map(|it| State { configuration: it.clone(), terminal: terminal(it) }).collect(),
            births: births.iter().map(|it| position[it]).collect(),
            pairs: pairs.iter().map(|(pair, ways)| (at(pair), ways.clone())).collect(),
            begun: begun.iter().map(|(row, pairs)| (*row, pairs.iter().map(at).collect())).collect(),
        })
    }

    /// The states that may follow one, by position, in order.
    pub fn after(&self, from: usize) -> impl Iterator<Item = (usize, &Ways)> {
        self.pairs.range((from, 0)..(from + 1, 0)).map(|((_, to), ways)| (*to, ways))
    }
}

fn within(what: &'static str, found: usize, limit: usize) -> Result<(), TooLarge> {
    if found > limit { Err(TooLarge { what, limit }) } else { Ok(()) }
}

impl Ways {
    /// The ways of a single step.
    fn one(way: Way) -> Ways {
        if way.is_empty() { Ways::Free } else { Ways::Of(BTreeSet::from([way])) }
    }

    /// Adds other ways.
    fn join(&mut self, other: &Ways) {
        match (&mut *self, other) {
            (Ways::Free, _) => {}
            (Ways::Of(ways), Ways::Of(others)) if ways.len() + others.len() <= MAX_WAYS => ways.extend(others.iter().cloned()),
            _ => *self = Ways::Free,
        }
    }
}

/// What one call leads to: a request, and all steps that follow it.
#[derive(Debug, Clone)]
pub struct Call {
    /// The request.
    pub on: On,
    /// The configuration in which the machine rests afterwards.
    pub to: Configuration,
    /// The order of the store and the change.
    pub commit: Commit,
    /// The guards of its first step.
    pub ways: Ways,
    /// The rows of its first step.
    pub rows: BTreeSet<TransitionId>,
}

/// The calls that a machine accepts as far as its guards are not known, computed once for each configuration.
#[derive(Debug)]
pub struct Calls<'p, 'm> {
    program: &'p Program<'m>,
    cache: BTreeMap<Option<Configuration>, Vec<Call>>,
}

/// A situation within one call: after a step, with the events that wait.
type Node = (Configuration, Vec<On>, Commit);

/// Edges that are taken at once, and what their guards must be.
type Choice = (Vec<Edge>, Way);

impl<'p, 'm> Calls<'p, 'm> {
    /// No call of a machine is computed yet.
    pub fn of(program: &'p Program<'m>) -> Self {
        Calls { program, cache: BTreeMap::new() }
    }

    /// The calls that a machine accepts in a configuration, or at its creation.
    ///
    /// # Errors
    ///
    /// One call leads through too many situations.
    pub fn from(&mut self, from: Option<&Configuration>) -> Result<Vec<Call>, TooLarge> {
        if let Some(found) = self.cache.get(&from.cloned()) {
            return Ok(found.clone());
        }
        let machine = self.program.machine;
        let mut calls = BTreeMap::<(On, Configuration, Commit), (Ways, BTreeSet<TransitionId>)>::new();
        for (on, outcome) in self.requests(from) {
            for (edges, way) in self.choices(from, on, outcome) {
                let settles = on.event().is_some_and(|it| machine.event(it).settles);
                let starts = self.steps(from, &edges, Commit::MemoryOnly, Vec::new());
                for (to, commit) in self.run(starts, settles.then_some(on))? {
                    let ways = Ways::one(way.clone());
                    let (known, rows) = calls.entry((on, to, commit)).or_insert_with(|| (ways.clone(), BTreeSet::new()));
                    known.join(&ways);
                    rows.extend(edges.iter().map(|it| it.transition));
                }
            }
        }
        let calls: Vec<Call> = calls.into_iter().map(|((on, to, commit), (ways, rows))| Call { on, to, commit, ways, rows }).collect();
        self.cache.insert(from.cloned(), calls.clone());
        Ok(calls)
    }

    /// The requests that some row is for, with the outcome that a direct one asks for.
    fn requests(&self, from: Option<&Configuration>) -> BTreeSet<(On, Option<Outcome>)> {
        let machine = self.program.machine;
        let raised = |on: On| matches!(on, On::Automatic | On::Done(_));
        let tried = self.leaves(from).into_iter().flat_map(|leaf| match leaf {
            Some(leaf) => machine.tried_in(leaf).concat(),
            None => machine.edges_from(None).to_vec(),
        });
        tried.filter(|it| !raised(it.on)).map(|it| (it.on, (it.on == On::Direct).then_some(it.outcome))).collect()
    }

    /// The leaves that choose edges; `None` at creation.
    fn leaves(&self, at: Option<&Configuration>) -> Vec<Option<StateId>> {
        at.map_or_else(|| vec![None], |it| it.leaves().map(Some).collect())
    }

    /// The edges that may be taken at once: for each leaf the first whose guard holds. Nothing is chosen where a call is refused, or
    /// where no guard holds: see [`Calls::may_rest`].
    fn choices(&self, at: Option<&Configuration>, on: On, outcome: Option<Outcome>) -> Vec<Choice> {
        let chosen = self.all_choices(at, on, outcome).into_iter();
        let (machine, mut choices) = (self.program.machine, Vec::new());
        for (edges, way) in chosen {
            let (refusing, mut selected): (Vec<Edge>, Vec<Edge>) = edges.into_iter().partition(|it| it.outcome == Outcome::Refuse);
            let inside = |inner: Option<StateId>, outer: Option<StateId>| {
                inner.is_some_and(|inner| outer.is_none_or(|outer| inner != outer && machine.is_in(inner, outer)))
            };
            let prevails = |it: &Edge| !selected.iter().any(|inner| inside(inner.source, it.source));
            if selected.is_empty() || refusing.iter().any(prevails) {
                continue;
            }
            let mut once = BTreeSet::new();
            selected.retain(|it| once.insert((it.transition, it.source)));
            choices.push((selected, way));
        }
        choices
    }

    /// The edges that each leaf may choose, with those that refuse.
    fn all_choices(&self, at: Option<&Configuration>, on: On, outcome: Option<Outcome>) -> Vec<Choice> {
        let machine = self.program.machine;
        if let (On::Done(whole), Some(at)) = (on, at)
            && !machine.is_done(at, whole)
        {
            return Vec::new();
        }
        let mut all: Vec<Choice> = vec![(Vec::new(), Way::new())];
        for leaf in self.leaves(at) {
            let of_leaf = self.of_leaf(at, machine.tried(leaf, on).iter().filter(|it| outcome.is_none_or(|wanted| it.outcome == wanted)));
            let mut joined = Vec::new();
            for (edges, way) in &all {
                for (edge, more) in &of_leaf {
                    if more.iter().all(|(row, holds)| way.get(row).is_none_or(|it| it == holds)) {
                        let edges = edges.iter().chain(edge).copied().collect();
                        joined.push((edges, way.iter().chain(more).map(|(row, holds)| (*row, *holds)).collect()));
                    }
                }
            }
            all = joined;
        }
        all
    }

    /// The edges that one leaf may choose, or none.
    fn of_leaf<'e>(&self, at: Option<&Configuration>, tried: impl Iterator<Item = &'e Edge>) -> Vec<(Option<Edge>, Way)> {
        let (mut of_leaf, mut way) = (Vec::new(), Way::new());
        for edge in tried {
            let row = self.program.row(edge.transition);
            let holds = match &row.guard {
                None => Some(true),
                Some(_) if row.guard_divides.is_some() => None,
                Some(guard) => decided(guard, at, self.program),
            };
            match holds {
                Some(false) => continue,
                Some(true) => {
                    of_leaf.push((Some(*edge), way));
                    return of_leaf;
                }
                None => {
                    let mut taken = way.clone();
                    taken.insert(edge.transition, true);
                    of_leaf.push((Some(*edge), taken));
                    way.insert(edge.transition, false);
                }
            }
        }
        of_leaf.push((None, way));
        of_leaf
    }

    /// The situations after some edges are taken: several where a payload or a history decides.
    fn steps(&self, from: Option<&Configuration>, edges: &[Edge], commit: Commit, waiting: Vec<On>) -> Vec<Node> {
        let machine = self.program.machine;
        let mut ends: Vec<Vec<(Edge, Vec<StateId>)>> = vec![Vec::new()];
        for edge in edges {
            let endings = self.endings(edge);
            ends = ends
                .iter()
                .flat_map(|before| endings.iter().map(move |it| before.iter().cloned().chain([(*edge, it.clone())]).collect()))
                .collect();
        }
        let commit = edges.iter().map(|it| self.program.row(it.transition).commit).fold(commit, Commit::min);
        let step = |ends: Vec<(Edge, Vec<StateId>)>| {
            let ends = self.without_conflicts(from, ends);
            let (to, entered) = self.cross(from, &ends)?;
            let mut waiting = waiting.clone();
            if machine.reacts() {
                waiting.extend(ends.iter().flat_map(|(it, _)| &self.program.row(it.transition).raise).map(|it| On::Event(*it)));
                waiting.extend(self.completed(&entered, &to).into_iter().map(On::Done));
            }
            (waiting.len() <= Machine::MAX_WAITING).then_some((to, waiting, commit))
        };
        ends.into_iter().filter_map(step).collect()
    }

    /// The leaves that an edge leads to: several lists if a payload or a history decides, one without a leaf if it stays.
    fn endings(&self, edge: &Edge) -> Vec<Vec<StateId>> {
        let machine = self.program.machine;
        match edge.outcome {
            Outcome::Stay | Outcome::Refuse => vec![Vec::new()],
            Outcome::Fork => machine.branches(edge.transition).iter().fold(vec![Vec::new()], |before: Vec<Vec<StateId>>, branch| {
                let leaves: Vec<Vec<StateId>> = match branch {
                    Branch::To(id) => vec![machine.default_leaves(*id)],
                    Branch::History(to) => machine.leaves_in(to.whole).map(|it| vec![it]).collect(),
                };
                before.iter().flat_map(|before| leaves.iter().map(move |it| [before.as_slice(), it].concat())).collect()
            }),
            _ => machine.endings(edge),
        }
    }

    /// The edges without those that another one preempts.
    fn without_conflicts(&self, from: Option<&Configuration>, ends: Vec<(Edge, Vec<StateId>)>) -> Vec<(Edge, Vec<StateId>)> {
        let Some(from) = from.filter(|_| ends.len() > 1) else { return ends };
        let machine = self.program.machine;
        let mut kept: Vec<(Edge, Vec<StateId>, Vec<StateId>)> = Vec::new();
        'ends: for (edge, to) in ends {
            let exits = self.exits(from, &edge, &to);
            let mut preempted = Vec::new();
            for (idx, (other, _, theirs)) in kept.iter().enumerate() {
                if exits.iter().any(|it| theirs.contains(it)) {
                    let inside = match (edge.source, other.source) {
                        (Some(inner), Some(outer)) => inner != outer && machine.is_in(inner, outer),
                        (inner, outer) => inner.is_some() && outer.is_none(),
                    };
                    match inside {
                        true => preempted.push(idx),
                        false => continue 'ends,
                    }
                }
            }
            preempted.iter().rev().for_each(|idx| _ = kept.remove(*idx));
            kept.push((edge, to, exits));
        }
        kept.into_iter().map(|(edge, to, _)| (edge, to)).collect()
    }

    fn exits(&self, from: &Configuration, edge: &Edge, to: &[StateId]) -> Vec<StateId> {
        let machine = self.program.machine;
        match edge.outcome {
            Outcome::Stay | Outcome::Refuse => Vec::new(),
            _ => machine.exit_set(machine.transition(edge.transition), edge.source, to, from),
        }
    }

    /// The configuration after some edges, and the states that they enter, outermost first.
    fn cross(&self, from: Option<&Configuration>, ends: &[(Edge, Vec<StateId>)]) -> Option<(Configuration, Vec<StateId>)> {
        let machine = self.program.machine;
        if !machine.has_regions() {
            let (edge, to) = ends.first()?;
            let leaf = from.map(Configuration::first);
            return Some(match (edge.outcome, leaf) {
                (Outcome::Stay, Some(leaf)) => (leaf.into(), Vec::new()),
                (_, Some(leaf)) => {
                    let to = *to.first()?;
                    (to.into(), machine.path(leaf, to, machine.reentered(machine.transition(edge.transition))).1)
                }
                (_, None) => ((*to.first()?).into(), machine.creation_path(*to.first()?)),
            });
        }
        let exited: Vec<StateId> = from.iter().flat_map(|at| ends.iter().flat_map(|(edge, to)| self.exits(at, edge, to))).collect();
        let active = from.map(|it| machine.active(it)).unwrap_or_default();
        let staying: Vec<StateId> = active.into_iter().filter(|it| !exited.contains(it)).collect();
        let to: Vec<StateId> = ends.iter().flat_map(|(_, to)| to.iter().copied()).collect();
        let entered = machine.entry_set(&staying, &to);
        let to = machine.configuration_from(staying.into_iter().chain(entered.iter().copied()))?;
        Some((to, entered))
    }

    /// The composites that are done once some states are entered.
    fn completed(&self, entered: &[StateId], to: &Configuration) -> Vec<StateId> {
        let machine = self.program.machine;
        let mut done = Vec::new();
        for (idx, id) in entered.iter().enumerate() {
            done.extend(machine.completes(*id));
            let whole = machine.may_complete(*id).filter(|it| machine.is_done(to, *it));
            done.extend(whole.filter(|it| !entered[idx + 1..].iter().any(|later| machine.may_complete(*later) == Some(*it))));
        }
        done
    }

    /// Whether no guard of these edges may hold, so that the machine goes on with the next event that waits or rests.
    fn may_rest(&self, at: &Configuration, on: On) -> bool {
        let machine = self.program.machine;
        matches!(on, On::Done(whole) if !machine.is_done(at, whole))
            || self.all_choices(Some(at), on, None).iter().any(|it| it.0.is_empty())
    }

    /// Where a call may end that is in one of these situations. An event that `settles` is processed again and again.
    fn run(&self, starts: Vec<Node>, settles: Option<On>) -> Result<BTreeSet<(Configuration, Commit)>, TooLarge> {
        let mut ends = BTreeSet::new();
        let mut seen: BTreeSet<Node> = starts.iter().cloned().collect();
        let mut open: Vec<Node> = seen.iter().cloned().collect();
        let reacts = self.program.machine.reacts();
        while let Some((at, waiting, commit)) = open.pop() {
            within("situations in one call", seen.len(), MAX_NODES)?;
            if settles.is_none() && !reacts {
                ends.insert((at, commit));
                continue;
            }
            let mut reach = |node: Node, open: &mut Vec<Node>| {
                if seen.insert(node.clone()) {
                    open.push(node);
                }
            };
            if let Some(on) = settles {
                for (edges, _) in self.choices(Some(&at), on, None) {
                    self.steps(Some(&at), &edges, commit, waiting.clone()).into_iter().for_each(|it| reach(it, &mut open));
                }
                // Staying ends it, as does a guard that does not hold.
                ends.insert((at, commit));
                continue;
            }
            // Automatic rows come first, then each event that waits; where no guard holds, the next one has its turn.
            let turns = [On::Automatic].into_iter().chain(waiting.iter().copied()).enumerate();
            let mut rests = true;
            for (n_waited, on) in turns {
                for (edges, _) in self.choices(Some(&at), on, None) {
                    let rest = waiting[n_waited..].to_vec();
                    self.steps(Some(&at), &edges, commit, rest).into_iter().for_each(|it| reach(it, &mut open));
                }
                if !self.may_rest(&at, on) {
                    rests = false;
                    break;
                }
            }
            if rests {
                ends.insert((at, commit));
            }
        }
        Ok(ends)
    }
}

/// The value of a condition, as far as constants and the configuration decide it.
fn decided(guard: &Expr, at: Option<&Configuration>, program: &Program<'_>) -> Option<bool> {
    let of = |it: &Expr| decided(it, at, program);
    if let Some(Literal::Bool(value)) = &guard.value {
        return Some(*value);
    }
    match &guard.kind {
        Kind::Not(inner) => of(inner).map(|it| !it),
        Kind::And(a, b) => match (of(a), of(b)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        Kind::Or(a, b) => match (of(a), of(b)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        Kind::Active(state) => at.map(|it| program.machine.is_active(it, *state)),
        Kind::Compare(Compare::Eq, a, b) if a.value.is_some() && b.value.is_some() => Some(a.value == b.value),
        Kind::Compare(Compare::Ne, a, b) if a.value.is_some() && b.value.is_some() => Some(a.value != b.value),
        _ => None,
    }
}
