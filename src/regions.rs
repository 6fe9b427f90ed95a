//! Machines with regions: which rows one event takes at once, and what they leave and enter. Nothing here allocates.
//!
//! The rules are those of appendix D of the SCXML recommendation, in the order in which the generator's interpreter has them:
//! each active leaf chooses a row; of two that leave a state in common, the one whose source lies inside the source of the other is
//! taken, else the one chosen first; all that is to be left is left, then all that is to be entered is entered.

use core::marker::PhantomData;

use crate::change::{Step, Steps, ancestors, completed};
use crate::configuration::{Configuration, Crossed, NoConfiguration, SEPARATOR};
use crate::{OutOfRange, Reason, Refused, Row, State, Target};

/// The configurations of a machine with regions, with the parts of its graph that only such a machine needs. Nodes are named by their
/// positions in `Graph::NODES`, which has all of them.
pub trait Regions<S: State>: Configuration<S> {
    /// All nodes, in the order of the spec.
    const ORDER: &'static [u32];

    /// The regions, in the order of the spec.
    const REGIONS: &'static [Region<S>];

    /// The nodes whose entry may complete the parallel state around their region, and the position of that state among the
    /// composites. Only states that a row waits for.
    const MAY_COMPLETE: &'static [(u32, u32)];

    /// The configuration with these active leaves; `None` if a region has none, or if none is active.
    fn of(is_active: impl Fn(S) -> bool + Copy) -> Option<Self>;
}

/// A region.
#[derive(Debug, Clone, Copy)]
pub struct Region<S: 'static> {
    /// Its node.
    pub node: u32,
    /// The node of the state around it; `None` for the machine.
    pub of: Option<u32>,
    /// The leaves in which it starts.
    pub starts: &'static [S],
}

/// A set of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Nodes<const W: usize>([u64; W]);

impl<const W: usize> Nodes<W> {
    const EMPTY: Self = Nodes([0; W]);

    fn insert(&mut self, node: usize) -> bool {
        let is_new = !self.contains(node);
        self.0[node / 64] |= 1 << (node % 64);
        is_new
    }

    fn contains(&self, node: usize) -> bool {
        self.0[node / 64] & (1 << (node % 64)) != 0
    }

    fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(other.0).any(|(a, b)| a & b != 0)
    }

    fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
    }

    /// The nodes in the order of the spec.
    fn in_order<S: State, C: Regions<S>>(self) -> impl DoubleEndedIterator<Item = usize> + Clone {
        C::ORDER.iter().map(|it| *it as usize).filter(move |it| self.contains(*it))
    }
}

/// What a step of several rows records: the rows, and the nodes that it leaves and enters. `R` is the maximum number of active
/// leaves, `W` the number of words for the nodes.
pub struct Taken<S: State, C, const R: usize, const W: usize> {
    rows: [S::Row; R],
    n_rows: usize,
    left: Nodes<W>,
    entered: Nodes<W>,
    of: PhantomData<fn() -> C>,
}

impl<S: State, C, const R: usize, const W: usize> Clone for Taken<S, C, R, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: State, C, const R: usize, const W: usize> Copy for Taken<S, C, R, W> {}

impl<S: State, C, const R: usize, const W: usize> PartialEq for Taken<S, C, R, W> {
    fn eq(&self, other: &Self) -> bool {
        let parts = |it: &Self| (it.n_rows, it.left, it.entered);
        parts(self) == parts(other) && self.rows[..self.n_rows] == other.rows[..other.n_rows]
    }
}

impl<S: State, C, const R: usize, const W: usize> Eq for Taken<S, C, R, W> {}

impl<S, C, const R: usize, const W: usize> Crossed<S> for Taken<S, C, R, W>
where
    C: Regions<S>,
    S: State<Steps: Steps<S, Configuration = C, Crossed = Self>>,
{
    fn further(self) -> impl Iterator<Item = S::Row> {
        self.rows.into_iter().take(self.n_rows).skip(1)
    }

    fn leaves(step: &Step<S>, leaf: S) -> bool {
        step.crossed().left.contains(leaf.index())
    }

    fn enters(step: &Step<S>, leaf: S) -> bool {
        step.crossed().entered.contains(leaf.index())
    }

    fn left(step: Step<S>) -> impl Iterator<Item = usize> {
        step.crossed().left.in_order::<S, C>().rev()
    }

    fn entered(step: Step<S>) -> impl Iterator<Item = usize> {
        step.crossed().entered.in_order::<S, C>()
    }

    fn completes(step: Step<S>) -> impl Iterator<Item = usize> {
        let entered = step.crossed().entered.in_order::<S, C>();
        let may_complete = |node: usize| C::MAY_COMPLETE.iter().find(|it| it.0 as usize == node).map(|it| it.1 as usize);
        entered.clone().flat_map(move |node| {
            let whole = may_complete(node).filter(|it| is_done::<S, C>(step.to(), *it));
            // The last of its regions to get there completes a parallel state.
            let is_last = |it: &usize| !entered.clone().skip_while(|it| *it != node).skip(1).any(|later| may_complete(later) == Some(*it));
            completed::<S>(node).into_iter().chain(whole.filter(is_last))
        })
    }
}

/// The steps of one change of a machine with regions.
pub struct Microsteps<S: State, C, const N: usize, const R: usize, const W: usize> {
    steps: [Step<S>; N],
    of: PhantomData<fn() -> C>,
}

impl<S: State, C, const N: usize, const R: usize, const W: usize> Clone for Microsteps<S, C, N, R, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: State, C, const N: usize, const R: usize, const W: usize> Copy for Microsteps<S, C, N, R, W> {}

impl<S: State, C, const N: usize, const R: usize, const W: usize> AsRef<[Step<S>]> for Microsteps<S, C, N, R, W> {
    fn as_ref(&self) -> &[Step<S>] {
        &self.steps
    }
}

impl<S: State, C, const N: usize, const R: usize, const W: usize> AsMut<[Step<S>]> for Microsteps<S, C, N, R, W> {
    fn as_mut(&mut self) -> &mut [Step<S>] {
        &mut self.steps
    }
}

impl<S, C, const N: usize, const R: usize, const W: usize> Steps<S> for Microsteps<S, C, N, R, W>
where
    C: Regions<S>,
    S: State<Steps = Self>,
{
    type Configuration = C;
    type Crossed = Taken<S, C, R, W>;

    fn filled(first: Step<S>) -> Self {
        Microsteps { steps: [first; N], of: PhantomData }
    }
}

/// What one active leaf chooses, or creation.
pub enum Choice<S: State, const R: usize> {
    /// No row is there for the event.
    NoTransition,
    /// There are rows, but no guard holds.
    NoGuard,
    /// A guard divides by zero.
    DivisionByZero,
    /// A value of a guard is out of the range of its type.
    OutOfRange(OutOfRange),
    /// A row.
    Edge(Edge<S, R>),
}

/// The row that a leaf chooses.
pub struct Edge<S: State, const R: usize> {
    row: S::Row,
    /// The node that the row names as its source; `None` for the whole machine, and for creation.
    source: Option<u32>,
    targets: [Option<S>; R],
    /// Whether an assignment divides by zero.
    divides: bool,
}

impl<S: State, const R: usize> Clone for Edge<S, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: State, const R: usize> Copy for Edge<S, R> {}

impl<S: State, const R: usize> Choice<S, R> {
    /// A row that leads nowhere, so far.
    pub fn row(row: S::Row, source: Option<u32>) -> Self {
        Choice::Edge(Edge { row, source, targets: [None; R], divides: false })
    }

    /// The row leads to this leaf, too.
    #[must_use]
    pub fn to(mut self, leaf: S) -> Self {
        if let Choice::Edge(edge) = &mut self {
            let place = edge.targets.iter_mut().find(|it| it.is_none());
            *place.expect("a row leads to at most one leaf of each region") = Some(leaf);
        }
        self
    }

    /// Whether an assignment of the row divides by zero.
    #[must_use]
    pub fn divides(mut self, divides: bool) -> Self {
        if let Choice::Edge(edge) = &mut self {
            edge.divides = divides;
        }
        self
    }
}

impl<S: State, const R: usize> Edge<S, R> {
    fn is_same(&self, other: &Self) -> bool {
        self.row == other.row && self.source == other.source
    }

    fn refuses(&self) -> bool {
        matches!(self.target(), Target::Refuse(_))
    }

    fn target(&self) -> Target<S> {
        S::transitions()[self.row.position()].target()
    }

    fn leaves(&self) -> impl Iterator<Item = S> + Clone {
        self.targets.into_iter().flatten()
    }

    /// The active nodes that the row leaves.
    fn exits<C: Regions<S>, const W: usize>(&self, active: &Nodes<W>) -> Nodes<W> {
        let mut left = Nodes::EMPTY;
        if matches!(self.target(), Target::Stay | Target::Refuse(_)) {
            return left;
        }
        let leads_into = |whole: usize| self.leaves().all(|to| is_in::<S>(to.index(), whole));
        let again = S::transitions()[self.row.position()]
            .reenter
            .map(|outer| ancestors::<S>(Some(outer as usize)).skip(1).find(|it| !is_parallel::<S, C>(Some(*it)) && leads_into(*it)));
        let is_inside = |node: usize, domain: Option<usize>| domain.is_none_or(|it| node != it && is_in::<S>(node, it));
        for node in active.in_order::<S, C>() {
            let is_left = match again {
                Some(domain) => is_inside(node, domain),
                None => self.leaves().any(|to| is_inside(node, self.domain::<C, W>(to, active))),
            };
            if is_left {
                left.insert(node);
            }
        }
        left
    }

    /// The innermost active composite around a target that contains the source or lies inside it: nothing around it is left, and
    /// all that is active inside it. `None` is the whole machine.
    fn domain<C: Regions<S>, const W: usize>(&self, to: S, active: &Nodes<W>) -> Option<usize> {
        let source = self.source.map(|it| it as usize);
        let is_related = |it: usize| source.is_none_or(|source| is_in::<S>(source, it) || is_in::<S>(it, source));
        let mut around = ancestors::<S>(Some(to.index())).skip(1);
        around.find(|it| active.contains(*it) && !is_parallel::<S, C>(Some(*it)) && is_related(*it))
    }
}

/// Why there is no step.
pub struct NoStep<S: State> {
    reason: Reason,
    row: Option<S::Row>,
    error: Option<OutOfRange>,
}

impl<S: State> NoStep<S> {
    fn new(reason: Reason) -> Self {
        NoStep { reason, row: None, error: None }
    }

    /// The refusal of an event, or of an automatic transition: its reason and its row, as `refuse` says it.
    pub fn refused(self, refuse: impl FnOnce(Reason, Option<S::Row>) -> Refused<S>) -> Refused<S> {
        let refused = refuse(self.reason, self.row);
        self.error.map_or(refused, |error| refused.out_of_range(error))
    }
}

/// The step of a machine in a configuration: each active leaf chooses, and what is not in conflict is taken at once.
pub fn microstep<S, C, const R: usize, const W: usize>(at: C, choose: impl Fn(S) -> Choice<S, R>) -> Result<Step<S>, NoStep<S>>
where
    C: Regions<S>,
    S: State<Steps: Steps<S, Configuration = C, Crossed = Taken<S, C, R, W>>>,
{
    let mut none = NoStep::new(Reason::NoTransition);
    let (mut chosen, mut refusing) = ([None; R], [None; R]);
    for (idx, leaf) in at.leaves().enumerate() {
        match choose(leaf) {
            Choice::Edge(edge) if edge.refuses() => refusing[idx] = Some(edge),
            Choice::Edge(edge) if chosen.iter().flatten().any(|it: &Edge<S, R>| it.is_same(&edge)) => {}
            Choice::Edge(edge) => chosen[idx] = Some(edge),
            Choice::NoGuard => none = NoStep::new(Reason::Guard),
            Choice::NoTransition => {}
            Choice::DivisionByZero => return Err(NoStep::new(Reason::DivisionByZero)),
            Choice::OutOfRange(error) => return Err(NoStep { error: Some(error), ..NoStep::new(Reason::OutOfRange) }),
        }
    }
    let is_outer = |it: &&Edge<S, R>| !chosen.iter().flatten().any(|inner| is_strictly_inside::<S>(inner.source, it.source));
    if let Some(edge) = refusing.iter().flatten().find(is_outer) {
        return Err(NoStep { row: Some(edge.row), ..NoStep::new(Reason::Text) });
    }
    let active = active_nodes::<S, C, W>(at);
    let taken = without_conflicts::<S, C, R, W>(chosen, &active);
    step(Some(at), taken, none)
}

/// The step that creates a machine.
pub fn create<S, C, const R: usize, const W: usize>(choice: Choice<S, R>) -> Result<Step<S>, NoStep<S>>
where
    C: Regions<S>,
    S: State<Steps: Steps<S, Configuration = C, Crossed = Taken<S, C, R, W>>>,
{
    let edge = match choice {
        Choice::Edge(edge) if edge.refuses() => return Err(NoStep { row: Some(edge.row), ..NoStep::new(Reason::Text) }),
        Choice::Edge(edge) => edge,
        Choice::NoTransition => return Err(NoStep::new(Reason::NoTransition)),
        Choice::NoGuard => return Err(NoStep::new(Reason::Guard)),
        Choice::DivisionByZero => return Err(NoStep::new(Reason::DivisionByZero)),
        Choice::OutOfRange(error) => return Err(NoStep { error: Some(error), ..NoStep::new(Reason::OutOfRange) }),
    };
    let mut taken = [None; R];
    taken[0] = Some((edge, Nodes::EMPTY));
    step(None, taken, NoStep::new(Reason::NoTransition))
}

/// The rows that are taken, each with the nodes that it leaves.
type TakenEdges<S, const R: usize, const W: usize> = [Option<(Edge<S, R>, Nodes<W>)>; R];

fn without_conflicts<S: State, C: Regions<S>, const R: usize, const W: usize>(
    chosen: [Option<Edge<S, R>>; R],
    active: &Nodes<W>,
) -> TakenEdges<S, R, W> {
    let mut kept: TakenEdges<S, R, W> = [None; R];
    for (idx, edge) in chosen.into_iter().enumerate() {
        let Some(edge) = edge else { continue };
        let exits = edge.exits::<C, W>(active);
        let in_conflict = |it: &Option<(Edge<S, R>, Nodes<W>)>| it.is_some_and(|(_, theirs)| exits.meets(&theirs));
        let prevails =
            |it: &Option<(Edge<S, R>, Nodes<W>)>| it.is_some_and(|(other, _)| is_strictly_inside::<S>(edge.source, other.source));
        if kept.iter().all(|it| !in_conflict(it) || prevails(it)) {
            kept.iter_mut().filter(|it| in_conflict(it)).for_each(|it| *it = None);
            kept[idx] = Some((edge, exits));
        }
    }
    kept
}

/// The step along some rows that are not in conflict; `none` is the reason if there are none.
fn step<S, C, const R: usize, const W: usize>(from: Option<C>, taken: TakenEdges<S, R, W>, none: NoStep<S>) -> Result<Step<S>, NoStep<S>>
where
    C: Regions<S>,
    S: State<Steps: Steps<S, Configuration = C, Crossed = Taken<S, C, R, W>>>,
{
    let mut edges = taken.iter().flatten();
    let Some((first, _)) = edges.clone().next() else { return Err(none) };
    if edges.clone().any(|(edge, _)| edge.divides) {
        return Err(NoStep::new(Reason::DivisionByZero));
    }
    let mut rows = [first.row; R];
    let n_rows = edges.clone().zip(&mut rows).map(|((edge, _), place)| *place = edge.row).count();
    let mut left = Nodes::EMPTY;
    edges.clone().for_each(|(_, exits)| left.add(exits));
    let mut active = Nodes::EMPTY;
    let before = from.map(active_nodes::<S, C, W>).unwrap_or(Nodes::EMPTY);
    before.in_order::<S, C>().filter(|it| !left.contains(*it)).for_each(|it| _ = active.insert(it));
    let entered = enter::<S, C, W>(&mut active, edges.by_ref().flat_map(|(edge, _)| edge.leaves()));
    // The rows of a spec that is checked lead to a leaf of each region.
    let to = C::of(|leaf| active.contains(leaf.index())).ok_or(NoStep::new(Reason::NoTransition))?;
    Ok(Step::of_rows(from, to, first.row, Taken { rows, n_rows, left, entered, of: PhantomData }))
}

/// Makes some leaves active, with the states around them and the start of every region that would be left without an active state;
/// returns what is entered.
fn enter<S: State, C: Regions<S>, const W: usize>(active: &mut Nodes<W>, leaves: impl Iterator<Item = S>) -> Nodes<W> {
    let mut entered = Nodes::EMPTY;
    let mut enter = |leaf: S, active: &mut Nodes<W>| {
        for node in ancestors::<S>(Some(leaf.index())) {
            if !active.insert(node) {
                break;
            }
            entered.insert(node);
        }
    };
    leaves.for_each(|it| enter(it, active));
    // Regions that start may contain others, which come later in the order.
    for region in C::REGIONS {
        let is_due = region.of.is_none_or(|it| active.contains(it as usize));
        if is_due && !active.contains(region.node as usize) {
            region.starts.iter().for_each(|it| enter(*it, active));
        }
    }
    entered
}

/// The nodes of the active leaves and those around them.
fn active_nodes<S: State, C: Regions<S>, const W: usize>(at: C) -> Nodes<W> {
    let mut active = Nodes::EMPTY;
    at.leaves().flat_map(|leaf| ancestors::<S>(Some(leaf.index()))).for_each(|it| _ = active.insert(it));
    active
}

/// Whether a node is another one or lies inside it.
fn is_in<S: State>(node: usize, whole: usize) -> bool {
    ancestors::<S>(Some(node)).any(|it| it == whole)
}

/// Whether one source lies inside another one; none is the whole machine.
fn is_strictly_inside<S: State>(inner: Option<u32>, outer: Option<u32>) -> bool {
    inner.is_some_and(|inner| outer.is_none_or(|outer| inner != outer && is_in::<S>(inner as usize, outer as usize)))
}

fn is_parallel<S: State, C: Regions<S>>(whole: Option<usize>) -> bool {
    C::REGIONS.iter().any(|it| it.of.map(|it| it as usize) == whole)
}

/// Whether the composite at this position is done: it is in a terminal child, or each of its regions is.
pub fn is_done<S: State, C: Regions<S>>(at: C, composite: usize) -> bool {
    let whole = S::ALL.len() + composite;
    let in_outcome = |node: usize| at.leaves().any(|leaf| leaf.is_terminal() && S::NODES[leaf.index()].parent == Some(node as u32));
    let mut regions = C::REGIONS.iter().filter(|it| it.of == Some(whole as u32)).peekable();
    match regions.peek() {
        Some(_) => regions.all(|it| in_outcome(it.node as usize)),
        None => in_outcome(whole),
    }
}

/// Reads a configuration from its text, strictly: the name of each active leaf once, in the order of the spec.
pub fn parse<S: State, C: Regions<S>>(text: &str) -> Result<C, NoConfiguration<S>> {
    let leaves = || text.split(SEPARATOR).map(S::parse);
    let mut last: Option<S> = None;
    for leaf in leaves() {
        let leaf = leaf.map_err(NoConfiguration::Unknown)?;
        if let Some(last) = last.filter(|it| it.index() > leaf.index()) {
            return Err(NoConfiguration::Order(last, leaf));
        }
        last = Some(leaf);
    }
    let configuration = C::of(|leaf| leaves().any(|it| it == Ok(leaf))).ok_or(NoConfiguration::Apart)?;
    if configuration.leaves().map(Ok).eq(leaves()) { Ok(configuration) } else { Err(NoConfiguration::Apart) }
}

/// Whether a state is active, by its node.
pub fn is_active_node<S: State>(at: impl Configuration<S>, node: usize) -> bool {
    at.leaves().any(|leaf| is_in::<S>(leaf.index(), node))
}
