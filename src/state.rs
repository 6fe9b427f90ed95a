//! What the graph says about states and events.

use crate::{Named, Never, Steps, Transition};

/// A leaf state: what a machine can be in. The whole graph hangs on it as `const` data.
pub trait State: Named {
    /// The events, without their payloads; [`Never`] where there are none.
    type Event: Event;

    /// The effects; [`Never`] where there are none.
    type Effect: Named;

    /// Room for the steps of one change: `[Step<Self>; 1]`, or more where events settle.
    type Steps: Steps<Self>;

    /// The machine's name.
    const MACHINE: &'static str;

    /// Where a machine starts.
    const INITIAL: Self;

    /// The events that bring a machine into being.
    const BIRTH_EVENTS: &'static [Self::Event] = &[];

    /// Entry and exit effects: the leaves in the order of [`Named::ALL`], then the composites.
    /// Empty where no state has any.
    const NODES: &'static [Node<Self::Effect>] = &[];

    /// The rows of the spec, in its order.
    fn transitions() -> &'static [Transition<Self>];

    /// The leaves that an edge leads to, guards aside, in the order of states.
    fn successors(self) -> &'static [Self];

    /// The events that some edge takes here, guards aside.
    fn events(self) -> &'static [Self::Event];

    /// Whether an edge leads there, guards aside.
    fn allows(self, to: Self) -> bool {
        self.successors().contains(&to)
    }

    /// Whether this is an outcome: the work has ended, though there may be a way back.
    fn is_terminal(self) -> bool;

    /// Whether there is no way out.
    fn is_final(self) -> bool {
        self.successors().iter().all(|to| *to == self)
    }
}

/// An event without its payload.
pub trait Event: Named {
    /// The actors; [`Never`] where there are none.
    type Actor: Named;

    /// Who may raise it; anyone when empty.
    fn by(self) -> &'static [Self::Actor] {
        &[]
    }

    /// Who does the work that it starts.
    fn performer(self) -> Option<Self::Actor> {
        None
    }
}

impl Event for Never {
    type Actor = Never;
}

/// The entry and exit effects of one state, leaf or composite.
#[derive(Debug, Clone, Copy)]
pub struct Node<F: 'static> {
    /// The position of the surrounding composite among the nodes.
    pub parent: Option<u32>,
    /// Effects on the way in.
    pub entry: &'static [F],
    /// Effects on the way out.
    pub exit: &'static [F],
}
