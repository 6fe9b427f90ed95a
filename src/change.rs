//! The change that an event makes, as a sequence of steps.

use core::fmt;

use crate::configuration::{Configuration, ConfigurationOf, Crossed, names};
use crate::state::Graph;
use crate::{Commit, Row, State, Target, Transition};

/// Storage for the steps of one change.
pub(crate) type StepsOf<S> = <S as Graph<<S as State>::Event, <S as State>::Effect>>::Steps;

/// What a step of a machine records beside its first row.
type CrossedOf<S> = <StepsOf<S> as Steps<S>>::Crossed;

/// One transition that was taken, or in a machine with regions the transitions that were taken at once.
pub struct Step<S: State> {
    from: Option<ConfigurationOf<S>>,
    to: ConfigurationOf<S>,
    row: S::Row,
    crossed: CrossedOf<S>,
}

impl<S: State> Clone for Step<S> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: State> Copy for Step<S> {}

impl<S: State> PartialEq for Step<S> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        (self.from, self.to, self.row, self.crossed) == (other.from, other.to, other.row, other.crossed)
    }
}

impl<S: State> Eq for Step<S> {}

impl<S: State> Step<S> {
    /// A step along a row of the spec.
    #[doc(hidden)]
    #[inline]
    pub const fn new(from: Option<S>, to: S, row: S::Row) -> Self
    where
        S: Plain,
    {
        Step { from, to, row, crossed: () }
    }

    /// A step along several rows at once.
    pub(crate) const fn of_rows(from: Option<ConfigurationOf<S>>, to: ConfigurationOf<S>, row: S::Row, crossed: CrossedOf<S>) -> Self {
        Step { from, to, row, crossed }
    }

    /// The state before; `None` if the step creates the machine.
    #[inline]
    pub const fn from(&self) -> Option<ConfigurationOf<S>> {
        self.from
    }

    /// The state after.
    #[inline]
    pub const fn to(&self) -> ConfigurationOf<S> {
        self.to
    }

    /// The row of the spec, by its name; the first of several.
    #[inline]
    pub const fn row(&self) -> S::Row {
        self.row
    }

    /// The rows of the spec: one, or in a machine with regions those that were taken at once, in the order of the states that took them.
    pub fn rows(&self) -> impl Iterator<Item = S::Row> + use<S> {
        core::iter::once(self.row).chain(self.crossed.further())
    }

    /// The row of the spec, as data; the first of several.
    pub fn transition(&self) -> &'static Transition<S> {
        &S::transitions()[self.row.position()]
    }

    /// The rows of the spec, as data.
    pub fn transitions(&self) -> impl Iterator<Item = &'static Transition<S>> + use<S> {
        self.rows().map(|row| &S::transitions()[row.position()])
    }

    /// Whether the machine stayed: no state was left or entered.
    /// A step from a state to itself that leaves and enters it again does not stay.
    pub fn stays(&self) -> bool {
        self.transitions().all(|it| matches!(it.target(), Target::Stay))
    }

    /// Whether the step leaves this leaf.
    pub fn leaves(&self, state: S) -> bool {
        CrossedOf::<S>::leaves(self, state)
    }

    /// Whether the step enters this leaf.
    pub fn enters(&self, state: S) -> bool {
        CrossedOf::<S>::enters(self, state)
    }

    /// Whether the step leaves a composite state of a machine without regions whose rows leave and enter no composite again; `inside`
    /// is true for the leaves in it.
    #[doc(hidden)]
    pub fn leaves_composite(&self, inside: impl Fn(S) -> bool) -> bool {
        self.leaf_before().is_some_and(&inside) && !self.leaf_after().is_some_and(&inside)
    }

    /// Whether the step enters such a composite state; `inside` is true for the leaves in it.
    #[doc(hidden)]
    pub fn enters_composite(&self, inside: impl Fn(S) -> bool) -> bool {
        self.leaf_after().is_some_and(&inside) && !self.leaf_before().is_some_and(&inside)
    }

    /// Whether the step leaves the state at this position among the nodes.
    #[doc(hidden)]
    pub fn leaves_node(&self, node: u32) -> bool {
        self.left().any(|it| it == node as usize)
    }

    /// Whether the step enters the state at this position among the nodes.
    #[doc(hidden)]
    pub fn enters_node(&self, node: u32) -> bool {
        self.entered().any(|it| it == node as usize)
    }

    /// Effects that must succeed before anything changes.
    pub fn before(&self) -> impl Iterator<Item = S::Effect> + use<S> {
        self.transitions().flat_map(|it| it.before()).copied()
    }

    /// Effects after the change: exit (innermost first), entry (outermost first), then those of the rows.
    pub fn after(&self) -> impl Iterator<Item = S::Effect> + use<S> {
        let own = self.transitions().flat_map(|it| it.effects());
        self.exits().chain(self.entries()).chain(own).copied()
    }

    fn exits(&self) -> impl Iterator<Item = &'static S::Effect> + use<S> {
        self.left().flat_map(|node| S::NODES[node].exit)
    }

    fn entries(&self) -> impl Iterator<Item = &'static S::Effect> + use<S> {
        self.entered().flat_map(|node| S::NODES[node].entry)
    }

    /// The nodes that the step leaves, innermost first.
    pub(crate) fn left(&self) -> impl Iterator<Item = usize> + use<S> {
        CrossedOf::<S>::left(*self)
    }

    /// The nodes that the step enters, outermost first.
    pub(crate) fn entered(&self) -> impl Iterator<Item = usize> + use<S> {
        CrossedOf::<S>::entered(*self)
    }

    /// The positions of the composites that are done after the step.
    pub(crate) fn completes(&self) -> impl Iterator<Item = usize> + use<S> {
        CrossedOf::<S>::completes(*self)
    }

    /// What the step records beside its first row.
    pub(crate) const fn crossed(&self) -> CrossedOf<S> {
        self.crossed
    }

    /// The leaf before, in a machine without regions.
    fn leaf_before(&self) -> Option<S> {
        self.from.and_then(|it| it.leaves().next())
    }

    /// The leaf after, in a machine without regions.
    fn leaf_after(&self) -> Option<S> {
        self.to.leaves().next()
    }

    /// The number of a leaf's nodes that the step leaves or enters.
    fn n_crossed(&self, leaf: usize, other: Option<usize>) -> usize {
        let again = self.transition().reenter.and_then(|again| ancestors::<S>(Some(leaf)).position(|it| it == again as usize));
        n_crossed::<S>(leaf, other).max(again.map_or(0, |it| it + 1))
    }
}

/// A step from one leaf to one leaf: what it leaves and enters follows from them.
impl<S: State> Crossed<S> for () {
    #[inline]
    fn further(self) -> impl Iterator<Item = S::Row> {
        core::iter::empty()
    }

    fn leaves(step: &Step<S>, leaf: S) -> bool {
        step.leaf_before() == Some(leaf) && !step.stays()
    }

    fn enters(step: &Step<S>, leaf: S) -> bool {
        step.leaf_after() == Some(leaf) && !step.stays()
    }

    fn left(step: Step<S>) -> impl Iterator<Item = usize> {
        let left = step.leaf_before().filter(|_| !step.stays()).map(|from| from.index());
        let n_left = left.map_or(0, |from| step.n_crossed(from, step.leaf_after().map(|to| to.index())));
        ancestors::<S>(left).take(n_left)
    }

    fn entered(step: Step<S>) -> impl Iterator<Item = usize> {
        let entered = step.leaf_after().filter(|_| !step.stays()).map(|to| to.index());
        let n_entered = entered.map_or(0, |to| step.n_crossed(to, step.leaf_before().map(|from| from.index())));
        // There are few levels: walking up once for each is cheaper than storing the path.
        (0..n_entered).rev().filter_map(move |level| ancestors::<S>(entered).nth(level))
    }

    fn completes(step: Step<S>) -> impl Iterator<Item = usize> {
        step.entered().filter_map(completed::<S>)
    }
}

/// The position of the composite that is done once a node is entered.
pub(crate) fn completed<S: State>(node: usize) -> Option<usize> {
    S::COMPLETING.iter().find(|it| it.0 as usize == node).map(|it| it.1 as usize)
}

/// A node and its ancestors, innermost first; empty if nothing depends on the nodes.
pub(crate) fn ancestors<S: State>(node: Option<usize>) -> impl Iterator<Item = usize> {
    core::iter::successors(node.filter(|_| !S::NODES.is_empty()), |node| S::NODES[*node].parent.map(|it| it as usize))
}

/// The number of a leaf's ancestors (including the leaf) that do not contain the other leaf.
/// A transition from a leaf to itself crosses the border of the leaf only.
fn n_crossed<S: State>(leaf: usize, other: Option<usize>) -> usize {
    if other == Some(leaf) {
        return 1;
    }
    ancestors::<S>(Some(leaf)).take_while(|node| ancestors::<S>(other).all(|it| it != *node)).count()
}

impl<S: State> fmt::Debug for Step<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Step");
        fields.field("from", &self.from).field("to", &self.to).field("row", &self.row);
        self.crossed.further().for_each(|row| _ = fields.field("row", &row));
        if self.before().next().is_some() {
            fields.field("before", &Listed(|| self.before()));
        }
        if self.after().next().is_some() {
            fields.field("after", &Listed(|| self.after()));
        }
        fields.finish()
    }
}

/// The items that a function makes, formatted as a list.
struct Listed<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: fmt::Debug>> fmt::Debug for Listed<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries((self.0)()).finish()
    }
}

/// Storage for the steps of one change, and what they are steps of.
pub trait Steps<S: State>: Copy + AsRef<[Step<S>]> + AsMut<[Step<S>]> {
    /// What a machine is in: a leaf, or a configuration of several.
    type Configuration: Configuration<S>;

    /// What a step records beside its first row.
    #[doc(hidden)]
    type Crossed: Crossed<S>;

    /// Storage with the first step in every place.
    fn filled(first: Step<S>) -> Self;
}

/// The leaves of a machine without regions.
pub trait Plain: State<Steps: Steps<Self, Configuration = Self, Crossed = ()>> {}

impl<S: State<Steps: Steps<S, Configuration = S, Crossed = ()>>> Plain for S {}

/// The steps of a machine without regions.
impl<S: State, const N: usize> Steps<S> for [Step<S>; N] {
    type Configuration = S;
    type Crossed = ();

    #[inline]
    fn filled(first: Step<S>) -> Self {
        [first; N]
    }
}

/// The change that an event makes: one step, or several if the event settles or the machine reacts.
#[derive(Clone, Copy)]
pub struct Change<S: State> {
    steps: S::Steps,
    len: u32,
}

impl<S: State> Change<S> {
    /// A change of one step.
    #[doc(hidden)]
    #[inline]
    pub fn new(step: Step<S>) -> Self {
        Change { steps: S::Steps::filled(step), len: 1 }
    }

    /// Adds a step; `false` if there is no room for it.
    pub(crate) fn push(&mut self, step: Step<S>) -> bool {
        match self.steps.as_mut().get_mut(self.len as usize) {
            Some(place) => {
                *place = step;
                self.len += 1;
                true
            }
            None => false,
        }
    }

    /// The steps, at least one.
    pub fn steps(&self) -> &[Step<S>] {
        &self.steps.as_ref()[..self.len as usize]
    }

    /// The state before; `None` if the change creates the machine.
    #[inline]
    pub fn from(&self) -> Option<ConfigurationOf<S>> {
        self.steps.as_ref()[0].from
    }

    /// The state after.
    #[inline]
    pub fn to(&self) -> ConfigurationOf<S> {
        self.steps.as_ref()[self.len as usize - 1].to
    }

    /// Whether every step stayed: no state was left or entered.
    pub fn stays(&self) -> bool {
        self.steps().iter().all(Step::stays)
    }

    /// Effects that must succeed before anything changes.
    pub fn before(&self) -> impl Iterator<Item = S::Effect> {
        self.before_by_step().map(|(effect, _)| effect)
    }

    /// The same, each with its step: effects may take the states of their step.
    pub fn before_by_step(&self) -> impl Iterator<Item = (S::Effect, Step<S>)> {
        self.steps().iter().flat_map(|step| step.before().map(|effect| (effect, *step)))
    }

    /// Effects after the change, in order.
    pub fn after(&self) -> impl Iterator<Item = S::Effect> {
        self.after_by_step().map(|(effect, _)| effect)
    }

    /// The same, each with its step.
    pub fn after_by_step(&self) -> impl Iterator<Item = (S::Effect, Step<S>)> {
        self.steps().iter().flat_map(|step| step.after().map(|effect| (effect, *step)))
    }

    /// All effects, in order.
    pub fn effects(&self) -> impl Iterator<Item = S::Effect> {
        self.before().chain(self.after())
    }

    /// The commit order: the least of all steps.
    pub fn commit(&self) -> Commit {
        let orders = self.steps().iter().flat_map(Step::transitions).map(|it| it.commit());
        orders.min().unwrap_or(Commit::MemoryOnly)
    }
}

impl<S: State> PartialEq for Change<S> {
    fn eq(&self, other: &Self) -> bool {
        self.steps() == other.steps()
    }
}

impl<S: State> Eq for Change<S> {}

impl<S: State> fmt::Debug for Change<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.steps()).finish()
    }
}

impl<S: State> fmt::Display for Change<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.from() {
            Some(from) => write!(f, "{} → {}", names::<S>(from), names::<S>(self.to())),
            None => write!(f, "→ {}", names::<S>(self.to())),
        }
    }
}
