//! statum: a type for each state; a hand-written enum around them stores the state at run time.

use statum::{machine, state, transition};

use crate::{Ask, Contender, State};

#[state]
pub enum RunState {
    Queued,
    Running,
    Correcting,
    Optimizing,
    Validating,
    Complete,
    Failed,
    Cancelled,
}

#[machine]
pub struct Run<RunState> {}

#[transition]
impl Run<Queued> {
    fn running(self) -> Run<Running> {
        self.transition()
    }

    fn cancelled(self) -> Run<Cancelled> {
        self.transition()
    }

    fn failed(self) -> Run<Failed> {
        self.transition()
    }
}

#[transition]
impl Run<Running> {
    fn correcting(self) -> Run<Correcting> {
        self.transition()
    }

    fn optimizing(self) -> Run<Optimizing> {
        self.transition()
    }

    fn validating(self) -> Run<Validating> {
        self.transition()
    }

    fn failed(self) -> Run<Failed> {
        self.transition()
    }

    fn complete(self) -> Run<Complete> {
        self.transition()
    }

    fn cancelled(self) -> Run<Cancelled> {
        self.transition()
    }
}

#[transition]
impl Run<Correcting> {
    fn running(self) -> Run<Running> {
        self.transition()
    }

    fn validating(self) -> Run<Validating> {
        self.transition()
    }

    fn failed(self) -> Run<Failed> {
        self.transition()
    }

    fn cancelled(self) -> Run<Cancelled> {
        self.transition()
    }
}

#[transition]
impl Run<Optimizing> {
    fn running(self) -> Run<Running> {
        self.transition()
    }

    fn validating(self) -> Run<Validating> {
        self.transition()
    }

    fn failed(self) -> Run<Failed> {
        self.transition()
    }

    fn complete(self) -> Run<Complete> {
        self.transition()
    }

    fn cancelled(self) -> Run<Cancelled> {
        self.transition()
    }
}

#[transition]
impl Run<Validating> {
    fn running(self) -> Run<Running> {
        self.transition()
    }

    fn optimizing(self) -> Run<Optimizing> {
        self.transition()
    }

    fn failed(self) -> Run<Failed> {
        self.transition()
    }

    fn complete(self) -> Run<Complete> {
        self.transition()
    }

    fn cancelled(self) -> Run<Cancelled> {
        self.transition()
    }
}

#[transition]
impl Run<Failed> {
    fn resume(self) -> Run<Queued> {
        self.transition()
    }
}

#[transition]
impl Run<Cancelled> {
    fn resume(self) -> Run<Queued> {
        self.transition()
    }
}

/// A run whose state is known only at run time.
enum Any {
    Queued(Run<Queued>),
    Running(Run<Running>),
    Correcting(Run<Correcting>),
    Optimizing(Run<Optimizing>),
    Validating(Run<Validating>),
    Complete(Run<Complete>),
    Failed(Run<Failed>),
    Cancelled(Run<Cancelled>),
}

impl Any {
    /// The run after the request, and whether it moved.
    #[inline]
    fn ask(self, ask: Ask) -> (Self, bool) {
        use Ask::{Go, Resume};
        let moved = match (self, ask) {
            (Any::Queued(it), Go(State::Running)) => Any::Running(it.running()),
            (Any::Queued(it), Go(State::Cancelled)) => Any::Cancelled(it.cancelled()),
            (Any::Queued(it), Go(State::Failed)) => Any::Failed(it.failed()),
            (Any::Running(it), Go(State::Correcting)) => Any::Correcting(it.correcting()),
            (Any::Running(it), Go(State::Optimizing)) => Any::Optimizing(it.optimizing()),
            (Any::Running(it), Go(State::Validating)) => Any::Validating(it.validating()),
            (Any::Running(it), Go(State::Failed)) => Any::Failed(it.failed()),
            (Any::Running(it), Go(State::Complete)) => Any::Complete(it.complete()),
            (Any::Running(it), Go(State::Cancelled)) => Any::Cancelled(it.cancelled()),
            (Any::Correcting(it), Go(State::Running)) => Any::Running(it.running()),
            (Any::Correcting(it), Go(State::Validating)) => Any::Validating(it.validating()),
            (Any::Correcting(it), Go(State::Failed)) => Any::Failed(it.failed()),
            (Any::Correcting(it), Go(State::Cancelled)) => Any::Cancelled(it.cancelled()),
            (Any::Optimizing(it), Go(State::Running)) => Any::Running(it.running()),
            (Any::Optimizing(it), Go(State::Validating)) => Any::Validating(it.validating()),
            (Any::Optimizing(it), Go(State::Failed)) => Any::Failed(it.failed()),
            (Any::Optimizing(it), Go(State::Complete)) => Any::Complete(it.complete()),
            (Any::Optimizing(it), Go(State::Cancelled)) => Any::Cancelled(it.cancelled()),
            (Any::Validating(it), Go(State::Running)) => Any::Running(it.running()),
            (Any::Validating(it), Go(State::Optimizing)) => Any::Optimizing(it.optimizing()),
            (Any::Validating(it), Go(State::Failed)) => Any::Failed(it.failed()),
            (Any::Validating(it), Go(State::Complete)) => Any::Complete(it.complete()),
            (Any::Validating(it), Go(State::Cancelled)) => Any::Cancelled(it.cancelled()),
            (Any::Failed(it), Resume) => Any::Queued(it.resume()),
            (Any::Cancelled(it), Resume) => Any::Queued(it.resume()),
            (same, _) => return (same, false),
        };
        (moved, true)
    }
}

/// A typed run moves by value: it is taken out of the option during a request.
pub struct Peer(Option<Any>);

impl Contender for Peer {
    type Event = Ask;

    fn new() -> Self {
        Peer(Some(Any::Queued(Run::<Queued>::builder().build())))
    }

    fn event(ask: Ask) -> Ask {
        ask
    }

    #[inline]
    fn raise(&mut self, ask: Ask) -> bool {
        let Some(run) = self.0.take() else { return false };
        let (run, moved) = run.ask(ask);
        self.0 = Some(run);
        moved
    }

    fn state(&self) -> State {
        match &self.0 {
            Some(Any::Queued(_)) => State::Queued,
            Some(Any::Running(_)) => State::Running,
            Some(Any::Correcting(_)) => State::Correcting,
            Some(Any::Optimizing(_)) => State::Optimizing,
            Some(Any::Validating(_)) => State::Validating,
            Some(Any::Complete(_)) => State::Complete,
            Some(Any::Failed(_)) => State::Failed,
            Some(Any::Cancelled(_)) => State::Cancelled,
            None => unreachable!("it is only out while it is asked"),
        }
    }
}
