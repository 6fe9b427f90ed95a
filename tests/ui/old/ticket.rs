// Emitted code of format 4; without its header, since no spec of this repository has it as an output.

//! Ticket.
//!
//! A ticket of a help desk.

::statespec::__emitted!(4);

/// Ticket.
///
/// A ticket of a help desk.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Ticket {
    state: State,
    context: Context,
}

impl Ticket {
    /// The machine as it was stored.
    #[inline]
    pub const fn restore(state: State, context: Context) -> Self {
        Ticket { state, context }
    }

    /// The current state.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }

    /// The context: data stored with the state.
    #[inline]
    pub const fn context(&self) -> &Context {
        &self.context
    }

    /// The context, to be changed by hand.
    #[inline]
    pub const fn context_mut(&mut self) -> &mut Context {
        &mut self.context
    }
}

impl Ticket {
    /// A new machine, in its initial state.
    pub fn new() -> Self {
        Ticket {
            state: State::INITIAL,
            context: Default::default(),
        }
    }
}

impl Default for Ticket {
    fn default() -> Self {
        Self::new()
    }
}

impl Ticket {
    /// The change that an event would make; nothing changes.
    #[inline]
    pub fn plan(&self, event: Event) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, &())
    }

    /// Raises an event: the machine changes, or the event is refused and nothing changes.
    #[inline]
    pub fn apply(&mut self, event: Event) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, &())
    }

    #[inline]
    #[allow(clippy::single_match)]
    fn take(&mut self, step: &::statespec::Step<State>, _event: &Event) {
        match step.row() {
            Row::OpenAnswer => {
                self.context.answers = self.context.answers.saturating_add(1);
            }
            _ => {}
        }
        self.state = step.to();
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub fn run<H: Host + ?Sized>(
        &mut self,
        event: Event,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as Host>::Error>> {
        let mut next = Clone::clone(self);
        let planned = next.apply(event);
        let result = ::statespec::__private::run(
            planned,
            host,
            |host, change| host.store(&next, change),
            |_, effect, _| match effect {},
            || Clone::clone_from(self, &next),
        );
        host.observe(&::statespec::Attempt::of_run(Some(event.kind()), None, &result));
        result
    }
}

impl ::statespec::Machine<Event> for Ticket {
    type State = State;

    #[inline]
    fn kind(event: &Event) -> EventKind {
        event.kind()
    }

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    #[inline]
    fn decide(
        &self,
        event: &Event,
        _predicates: &(),
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::__private::Outcome;
        let outcome = match (self.state, *event) {
            (State::Open, Event::Solve) if self.context.answers > 0 => {
                Outcome::To(State::Solved, Row::OpenSolveToSolved)
            }
            _ => {
                return ::statespec::__table!(State, EventKind, Row, [])
                    .on_event(self.state, event.kind());
            }
        };
        outcome.on_event(self.state, event.kind())
    }

    #[inline]
    fn advance(
        &mut self,
        step: &::statespec::Step<State>,
        event: &Event,
        _predicates: &(),
    ) {
        self.take(step, event);
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<State>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<State>;

/// The context of a `ticket`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Context {
    /// Answers so far.
    pub answers: i64,
}

#[allow(clippy::derivable_impls)]
impl Default for Context {
    fn default() -> Self {
        Context { answers: 0 }
    }
}

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// `open` stays on `answer`
    OpenAnswer,
    /// `open` → `solved` on `solve`, when `answers > 0`
    OpenSolveToSolved,
    /// `open` refuses `solve`: nobody has answered yet
    OpenSolveRefused,
    /// `solved` → `open` on `reopen`
    SolvedReopen,
}

impl Row {
    /// Every row, in the order of the spec.
    pub const ALL: [Row; 4] = [
        Row::OpenAnswer,
        Row::OpenSolveToSolved,
        Row::OpenSolveRefused,
        Row::SolvedReopen,
    ];
}

::statespec::__row!(Row);

/// The states of a `ticket`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Somebody waits for an answer.
    Open,
    /// The customer is content.
    ///
    /// An outcome: the work has ended.
    Solved,
}

impl State {
    /// Every state, in the order of the spec.
    pub const ALL: [State; 2] = [State::Open, State::Solved];

    /// The name of the state that is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 2] = &["open", "solved"];
        NAMES[self as usize]
    }

    /// The description of the state in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &[
            "Somebody waits for an answer.",
            "The customer is content.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(State, "state");

impl State {
    /// The state that a machine starts in.
    pub const INITIAL: State = State::Open;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::of(
                Source::Leaf(State::Open),
                Trigger::Event(EventKind::Answer),
                Target::Stay,
            ),
            Transition::new(State::Open, EventKind::Solve, State::Solved)
                .guard("answers > 0"),
            Transition::of(
                Source::Leaf(State::Open),
                Trigger::Event(EventKind::Solve),
                Target::Refuse("nobody has answered yet"),
            ),
            Transition::new(State::Solved, EventKind::Reopen, State::Open),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const LISTS: &[&[State]; 2] = &[&[State::Solved], &[State::Open]];
        LISTS[self as usize]
    }

    /// Whether a transition leads to this state, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        ::statespec::__contains!(self.successors(), to, [as usize])
    }

    /// The events that a transition accepts here, guards aside.
    #[inline]
    pub const fn events(self) -> &'static [EventKind] {
        const LISTS: &[&[EventKind]; 2] = &[
            &[EventKind::Answer, EventKind::Solve],
            &[EventKind::Reopen],
        ];
        LISTS[self as usize]
    }

    /// Whether this is an outcome: the work has ended, although a transition may lead back.
    pub const fn is_terminal(self) -> bool {
        matches!(self, State::Solved)
    }

    /// Whether this is a sink: no transition leads to another state.
    pub const fn is_sink(self) -> bool {
        false
    }
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = ::statespec::Never;

    type Row = Row;

    type Steps = [::statespec::Step<State>; 1];

    const MACHINE: &'static str = "ticket";

    const INITIAL: State = State::INITIAL;

    #[inline]
    fn transitions() -> &'static [::statespec::Transition<State>] {
        State::transitions()
    }

    #[inline]
    fn successors(self) -> &'static [State] {
        State::successors(self)
    }

    #[inline]
    fn events(self) -> &'static [EventKind] {
        State::events(self)
    }

    #[inline]
    fn allows(self, to: State) -> bool {
        State::allows(self, to)
    }

    #[inline]
    fn is_terminal(self) -> bool {
        State::is_terminal(self)
    }

    #[inline]
    fn is_sink(self) -> bool {
        State::is_sink(self)
    }
}

/// An event. No event carries data, so an event is its kind.
pub type Event = EventKind;

impl EventKind {
    /// The event without its payload: itself.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        *self
    }
}

/// The events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// A reply was sent.
    Answer,
    /// The customer says thanks.
    Solve,
    /// The customer comes back.
    Reopen,
}

impl EventKind {
    /// Every event, in the order of the spec.
    pub const ALL: [EventKind; 3] = [
        EventKind::Answer,
        EventKind::Solve,
        EventKind::Reopen,
    ];

    /// The name of the event that is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 3] = &["answer", "solve", "reopen"];
        NAMES[self as usize]
    }

    /// The description of the event in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 3] = &[
            "A reply was sent.",
            "The customer says thanks.",
            "The customer comes back.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(EventKind, "event");

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}

/// The host: stores the machine, and performs the effects.
pub trait Host {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Ticket, change: &Change) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}
