//! The change that an event makes, as a sequence of steps.

use core::fmt;

use crate::{Commit, Row, State, Target, Transition};

/// One transition that was taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Step<S: State> {
    from: Option<S>,
    to: S,
    row: S::Row,
}

impl<S: State> Step<S> {
    /// A step along a row of the spec.
    #[doc(hidden)]
    #[inline]
    pub const fn new(from: Option<S>, to: S, row: S::Row) -> Self {
        Step { from, to, row }
    }

    /// The state before; `None` if the step creates the machine.
    #[inline]
    pub const fn from(&self) -> Option<S> {
        self.from
    }

    /// The state after.
    #[inline]
    pub const fn to(&self) -> S {
        self.to
    }

    /// The row of the spec, by its name.
    #[inline]
    pub const fn row(&self) -> S::Row {
        self.row
    }

    /// The row of the spec, as data.
    pub fn transition(&self) -> &'static Transition<S> {
        &S::transitions()[self.row.position()]
    }

    /// Whether the machine stayed: no state was left or entered.
    /// A step from a state to itself that leaves and enters it again does not stay.
    pub fn stays(&self) -> bool {
        matches!(self.transition().target, Target::Stay)
    }

    /// Whether the step leaves this leaf.
    pub fn leaves(&self, state: S) -> bool {
        self.from == Some(state) && !self.stays()
    }

    /// Whether the step enters this leaf.
    pub fn enters(&self, state: S) -> bool {
        self.to == state && !self.stays()
    }

    /// Whether the step leaves a composite state; `inside` is true for the leaves in it.
    #[doc(hidden)]
    pub fn leaves_composite(&self, inside: impl Fn(S) -> bool) -> bool {
        self.from.is_some_and(&inside) && (!inside(self.to) || self.reenters(inside))
    }

    /// Whether the step enters a composite state; `inside` is true for the leaves in it.
    #[doc(hidden)]
    pub fn enters_composite(&self, inside: impl Fn(S) -> bool) -> bool {
        inside(self.to) && (!self.from.is_some_and(&inside) || self.reenters(inside))
    }

    /// Whether the row leaves and enters a composite again in any case.
    fn reenters(&self, inside: impl Fn(S) -> bool) -> bool {
        let again = self.transition().reenter.map(|it| it as usize);
        let in_it = |leaf: &&S| ancestors::<S>(Some(leaf.index())).any(|node| Some(node) == again);
        again.is_some() && S::ALL.iter().filter(|it| inside(**it)).all(|it| in_it(&it))
    }

    /// Effects that must succeed before anything changes.
    pub fn before(&self) -> impl Iterator<Item = S::Effect> + use<S> {
        self.transition().before.iter().copied()
    }

    /// Effects after the change: exit (innermost first), entry (outermost first), then the row's own.
    pub fn after(&self) -> impl Iterator<Item = S::Effect> + use<S> {
        let own = self.transition().effects;
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
        let left = self.from.filter(|_| !self.stays()).map(|from| from.index());
        let n_left = left.map_or(0, |from| self.n_crossed(from, Some(self.to.index())));
        ancestors::<S>(left).take(n_left)
    }

    /// The nodes that the step enters, outermost first.
    pub(crate) fn entered(&self) -> impl Iterator<Item = usize> + use<S> {
        let entered = (!self.stays()).then(|| self.to.index());
        let n_entered = entered.map_or(0, |to| self.n_crossed(to, self.from.map(|from| from.index())));
        // There are few levels: walking up once for each is cheaper than storing the path.
        (0..n_entered).rev().filter_map(move |level| ancestors::<S>(entered).nth(level))
    }

    /// The positions of the composites that are done after the step.
    pub(crate) fn completes(&self) -> impl Iterator<Item = usize> + use<S> {
        let of_node = |node: usize| S::COMPLETING.iter().find(|it| it.0 as usize == node).map(|it| it.1 as usize);
        self.entered().filter_map(of_node)
    }

    /// The number of a leaf's nodes that the step leaves or enters.
    fn n_crossed(&self, leaf: usize, other: Option<usize>) -> usize {
        let again = self.transition().reenter.and_then(|again| ancestors::<S>(Some(leaf)).position(|it| it == again as usize));
        n_crossed::<S>(leaf, other).max(again.map_or(0, |it| it + 1))
    }
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
        f.debug_struct("Step").field("from", &self.from).field("to", &self.to).field("row", &self.row).finish()
    }
}

/// Storage for the steps of one change.
pub trait Steps<S: State>: Copy + AsRef<[Step<S>]> + AsMut<[Step<S>]> {
    /// Storage with the first step in every place.
    fn filled(first: Step<S>) -> Self;
}

impl<S: State, const N: usize> Steps<S> for [Step<S>; N] {
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
    pub fn from(&self) -> Option<S> {
        self.steps.as_ref()[0].from
    }

    /// The state after.
    #[inline]
    pub fn to(&self) -> S {
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
        let orders = self.steps().iter().map(|step| step.transition().commit);
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
            Some(from) => write!(f, "{} → {}", from.name(), self.to().name()),
            None => write!(f, "→ {}", self.to().name()),
        }
    }
}
