//! The states and events of a graph, as traits.

use crate::change::Steps;
use crate::timers::Timer;
use crate::{Named, Never, Row, Transition};

/// The leaf states of a machine, with its graph as `const` data.
///
/// Only emitted code and the derive implement it.
pub trait State: Named + Graph<<Self as State>::Event, <Self as State>::Effect> {
    /// The events, without their payloads; [`Never`] if there are none.
    type Event: Event;

    /// The effects; [`Never`] if there are none.
    type Effect: Named;

    /// The names of the rows of the spec.
    type Row: Row;

    /// The machine's name.
    const MACHINE: &'static str;

    /// The initial state of a machine.
    const INITIAL: Self;

    /// The events that create a machine.
    const CREATION_EVENTS: &'static [Self::Event] = &[];

    /// The name in refusals: in a machine with nested states the path from the outermost state, such as `ACTIVE/HOT`, as the
    /// machine's page shows it; else the [name](Named::name).
    fn path(self) -> &'static str {
        self.name()
    }

    /// The rows of the spec, in its order.
    fn transitions() -> &'static [Transition<Self>];

    /// The leaves that a transition leads to, regardless of guards, in the order of states.
    fn successors(self) -> &'static [Self];

    /// The events that some transition accepts in this state, regardless of guards; timers included.
    fn events(self) -> &'static [Self::Event] {
        &[]
    }

    /// Whether a transition leads to `to`, regardless of guards.
    fn allows(self, to: Self) -> bool {
        self.successors().contains(&to)
    }

    /// Whether this state is an outcome: the work has ended, although a transition may lead back.
    fn is_terminal(self) -> bool;

    /// Whether this state is a sink: no transition leads to another state.
    fn is_sink(self) -> bool {
        self.successors().iter().all(|to| *to == self)
    }
}

/// The facts of the graph that only the façade reads; emitted code implements it for the leaf states.
pub trait Graph<E: 'static, F: 'static>: Sized {
    /// Storage for the steps of one change: `[Step<Self>; 1]`, or more if events settle or the machine reacts.
    type Steps: Steps<Self>
    where
        Self: State;

    /// The names of the fields that types of the user [hold](crate::Holds).
    const CONVERTED: &'static [&'static str] = &[];

    /// Entry and exit effects: the leaves in the order of [`Named::ALL`], then the composites.
    /// Empty if nothing depends on them.
    const NODES: &'static [Node<F>] = &[];

    /// The nodes whose entry completes the composite around them, and the position of that composite. Only composites that a row
    /// waits for.
    const COMPLETING: &'static [(u32, u32)] = &[];

    /// The timers, in the order of the spec.
    const TIMERS: &'static [Timer<E>] = &[];
}

/// Implements the methods of [`State`] by inherent ones of the same names: those that each emitted `State` has, and the listed ones.
#[doc(hidden)]
#[macro_export]
macro_rules! __state {
    (only $($further:ident),* $(,)?) => {
        #[inline]
        fn transitions() -> &'static [$crate::Transition<Self>] {
            Self::transitions()
        }

        #[inline]
        fn successors(self) -> &'static [Self] {
            self.successors()
        }

        $($crate::__state_further!($further);)*
    };
    ($($further:ident),*) => {
        $crate::__state!(only allows, is_terminal, is_sink, $($further),*);
    };
}

/// Implements one of the methods of [`State`] that not every emitted `State` has, or that a user may have in another form.
#[doc(hidden)]
#[macro_export]
macro_rules! __state_further {
    (allows) => {
        #[inline]
        fn allows(self, to: Self) -> bool {
            self.allows(to)
        }
    };
    (is_terminal) => {
        #[inline]
        fn is_terminal(self) -> bool {
            self.is_terminal()
        }
    };
    (is_sink) => {
        #[inline]
        fn is_sink(self) -> bool {
            self.is_sink()
        }
    };
    (events) => {
        #[inline]
        fn events(self) -> &'static [Self::Event] {
            self.events()
        }
    };
    (path) => {
        #[inline]
        fn path(self) -> &'static str {
            self.path()
        }
    };
}

/// An event without its payload.
pub trait Event: Named {
    /// The actors; [`Never`] if there are none.
    type Actor: Named;

    /// Whether this is a timer, which elapses and which nobody raises.
    fn is_timer(self) -> bool {
        false
    }

    /// The actors that may raise the event; empty if every actor may, or if it is a timer.
    fn by(self) -> &'static [Self::Actor] {
        &[]
    }

    /// The actor that does the work that the event starts.
    fn performer(self) -> Option<Self::Actor> {
        None
    }

    /// Whether this actor may raise the event.
    fn may_be_raised_by(self, actor: Self::Actor) -> bool {
        !self.is_timer() && (self.by().is_empty() || self.by().contains(&actor))
    }
}

/// Implements the listed methods of [`Event`] by inherent ones of the same names.
#[doc(hidden)]
#[macro_export]
macro_rules! __event {
    ($($method:ident),*) => {
        $($crate::__event_method!($method);)*
    };
}

/// Implements one of the methods of [`Event`].
#[doc(hidden)]
#[macro_export]
macro_rules! __event_method {
    (is_timer) => {
        #[inline]
        fn is_timer(self) -> bool {
            self.is_timer()
        }
    };
    (by) => {
        #[inline]
        fn by(self) -> &'static [Self::Actor] {
            self.by()
        }
    };
    (performer) => {
        #[inline]
        fn performer(self) -> $crate::__private::Option<Self::Actor> {
            self.performer()
        }
    };
}

/// Writes the methods of an emitted `EventKind` that are the same in every machine with actors: whether an actor may raise the event
/// and, if no event is carried out by another actor than the one that raises it, that there is none.
#[doc(hidden)]
#[macro_export]
macro_rules! __raised_by {
    ($vis:vis $actor:ident) => {
        /// Whether this actor may raise the event.
        $vis fn may_be_raised_by(self, actor: $actor) -> bool {
            $crate::Event::may_be_raised_by(self, actor)
        }
    };
    ($vis:vis $actor:ident, no performer) => {
        /// The actor that does the work which the event starts, where that is another one: in this machine, there is none.
        $vis const fn performer(self) -> $crate::__private::Option<$actor> {
            $crate::__private::Option::None
        }

        $crate::__raised_by!($vis $actor);
    };
}

impl Event for Never {
    type Actor = Never;
}

/// The entry and exit effects of one state, leaf or composite.
#[derive(Debug, Clone, Copy)]
pub struct Node<F: 'static> {
    /// The position of the surrounding composite among the nodes.
    pub parent: Option<u32>,
    /// Effects on entry.
    pub entry: &'static [F],
    /// Effects on exit.
    pub exit: &'static [F],
}

/// Fails to compile if an enum has the states of another machine than the one with this name, or if one of its variants has the
/// usual name of another state. `indices` are the positions of the variants with the usual names.
pub const fn follows(states_of: &str, machine: &str, indices: &[usize]) {
    let (a, b) = (states_of.as_bytes(), machine.as_bytes());
    let mut same = a.len() == b.len();
    let mut idx = 0;
    while same && idx < a.len() {
        same = a[idx] == b[idx];
        idx += 1;
    }
    assert!(same, "this enum has the states of another machine");
    let mut idx = 0;
    while idx < indices.len() {
        assert!(indices[idx] == idx, "a variant of this enum has the name of another state");
        idx += 1;
    }
}
