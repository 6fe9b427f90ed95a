//! A lift of seventy floors.
//!
//! So many states are emitted as text.

/// A lift of seventy floors.
///
/// So many states are emitted as text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Lift {
    state: State,
}

impl Lift {
    /// The machine as it was stored.
    #[inline]
    pub const fn restore(state: State) -> Self {
        Lift { state }
    }

    /// What it is in.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }
}

impl Lift {
    /// A new machine, in its initial state.
    pub fn new() -> Self {
        Lift { state: State::INITIAL }
    }
}

impl Default for Lift {
    fn default() -> Self {
        Self::new()
    }
}

impl Lift {
    /// What an event would change; nothing changes.
    #[inline]
    pub fn plan(&self, event: Event) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, &())
    }

    /// Raises an event: the machine moves, or the event is refused and everything is as it was.
    #[inline]
    pub fn apply(&mut self, event: Event) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, &())
    }

    #[inline]
    fn take(&mut self, step: &::statespec::Step<State>, _event: &Event) {
        self.state = step.to();
    }

    /// What going to a state by name would change; nothing changes.
    #[inline]
    pub fn plan_to(&self, to: State) -> Result<Change, Refused> {
        self.way_to(to).map(Change::new)
    }

    /// Goes to a state by name, along an edge that takes no event; or is refused and everything is as it was.
    #[inline]
    pub fn transition_to(&mut self, to: State) -> Result<Change, Refused> {
        let step = self.way_to(to)?;
        self.state = step.to();
        Ok(Change::new(step))
    }

    #[inline]
    fn way_to(&self, to: State) -> Result<::statespec::Step<State>, Refused> {
        const EDGES: &[(u32, u32, ::statespec::Outcome<State>)] = {
            use ::statespec::Outcome;
            &[
                (State::F1 as u32, State::F2 as u32, Outcome::To(State::F2, 160)),
                (State::F1 as u32, State::F69 as u32, Outcome::To(State::F69, 160)),
                (State::F70 as u32, State::F2 as u32, Outcome::To(State::F2, 160)),
                (State::F70 as u32, State::F69 as u32, Outcome::To(State::F69, 160)),
                (
                    State::Jammed as u32,
                    State::Scrapped as u32,
                    Outcome::To(State::Scrapped, 161),
                ),
                (
                    State::Locked as u32,
                    State::Scrapped as u32,
                    Outcome::To(State::Scrapped, 161),
                ),
            ]
        };
        ::statespec::find(EDGES, self.state as usize, to as usize)
            .on_wish(self.state, to)
    }
}

impl ::statespec::Machine<Event> for Lift {
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
    #[allow(clippy::all)]
    fn decide(
        &self,
        event: &Event,
        _predicates: &(),
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::Outcome;
        #[inline]
        const fn table<const STATES: usize, const EVENTS: usize>() -> &'static ::statespec::Table<
            State,
            STATES,
            EVENTS,
        > {
            const {
                &::statespec::__table!(
                    State, EventKind, [(State::Locked, EventKind::Reset, 166)]
                )
            }
        }
        let outcome = match (self.state, *event) {
            (State::F1, Event::Lock { by_hand }) if by_hand => {
                Outcome::To(State::Locked, 164)
            }
            (State::F10, Event::Ride { floors }) if floors > 9 => {
                Outcome::To(State::F20, 19)
            }
            (State::F10, Event::Ride { floors }) if floors < -9 => {
                Outcome::To(State::F70, 20)
            }
            (State::F20, Event::Ride { floors }) if floors > 9 => {
                Outcome::To(State::F30, 42)
            }
            (State::F20, Event::Ride { floors }) if floors < -9 => {
                Outcome::To(State::F10, 43)
            }
            (State::F30, Event::Ride { floors }) if floors > 9 => {
                Outcome::To(State::F40, 65)
            }
            (State::F30, Event::Ride { floors }) if floors < -9 => {
                Outcome::To(State::F20, 66)
            }
            (State::F40, Event::Ride { floors }) if floors > 9 => {
                Outcome::To(State::F50, 89)
            }
            (State::F40, Event::Ride { floors }) if floors < -9 => {
                Outcome::To(State::F30, 90)
            }
            (State::F50, Event::Ride { floors }) if floors > 9 => {
                Outcome::To(State::F60, 112)
            }
            (State::F50, Event::Ride { floors }) if floors < -9 => {
                Outcome::To(State::F40, 113)
            }
            (State::F60, Event::Ride { floors }) if floors > 9 => {
                Outcome::To(State::F70, 135)
            }
            (State::F60, Event::Ride { floors }) if floors < -9 => {
                Outcome::To(State::F50, 136)
            }
            (State::F70, Event::Ride { floors }) if floors > 9 => {
                Outcome::To(State::F1, 157)
            }
            (State::F70, Event::Ride { floors }) if floors < -9 => {
                Outcome::To(State::F60, 158)
            }
            _ => return table::<73, 6>().on_event(self.state, event.kind()),
        };
        outcome.on_event(self.state, event.kind())
    }

    #[inline]
    fn advance(&mut self, step: &::statespec::Step<State>, event: &Event) {
        self.take(step, event);
    }
}

/// What an event changed.
pub type Change = ::statespec::Change<State>;

/// Why an event was turned down.
pub type Refused = ::statespec::Refused<State>;

/// What a `lift` can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Where people come in.
    F1,
    /// The state `f2`.
    F2,
    /// The state `f3`.
    F3,
    /// The state `f4`.
    F4,
    /// The state `f5`.
    F5,
    /// The state `f6`.
    F6,
    /// The state `f7`.
    F7,
    /// The state `f8`.
    F8,
    /// The state `f9`.
    F9,
    /// The state `f10`.
    F10,
    /// The state `f11`.
    F11,
    /// The state `f12`.
    F12,
    /// The state `f13`.
    F13,
    /// The state `f14`.
    F14,
    /// The state `f15`.
    F15,
    /// The state `f16`.
    F16,
    /// The state `f17`.
    F17,
    /// The state `f18`.
    F18,
    /// The state `f19`.
    F19,
    /// The state `f20`.
    F20,
    /// The state `f21`.
    F21,
    /// The state `f22`.
    F22,
    /// The state `f23`.
    F23,
    /// The state `f24`.
    F24,
    /// The state `f25`.
    F25,
    /// The state `f26`.
    F26,
    /// The state `f27`.
    F27,
    /// The state `f28`.
    F28,
    /// The state `f29`.
    F29,
    /// The state `f30`.
    F30,
    /// The state `f31`.
    F31,
    /// The state `f32`.
    F32,
    /// The state `f33`.
    F33,
    /// The state `f34`.
    F34,
    /// The state `f35`.
    F35,
    /// The state `f36`.
    F36,
    /// The state `f37`.
    F37,
    /// The state `f38`.
    F38,
    /// The state `f39`.
    F39,
    /// The state `f40`.
    F40,
    /// The state `f41`.
    F41,
    /// The state `f42`.
    F42,
    /// The state `f43`.
    F43,
    /// The state `f44`.
    F44,
    /// The state `f45`.
    F45,
    /// The state `f46`.
    F46,
    /// The state `f47`.
    F47,
    /// The state `f48`.
    F48,
    /// The state `f49`.
    F49,
    /// The state `f50`.
    F50,
    /// The state `f51`.
    F51,
    /// The state `f52`.
    F52,
    /// The state `f53`.
    F53,
    /// The state `f54`.
    F54,
    /// The state `f55`.
    F55,
    /// The state `f56`.
    F56,
    /// The state `f57`.
    F57,
    /// The state `f58`.
    F58,
    /// The state `f59`.
    F59,
    /// The state `f60`.
    F60,
    /// The state `f61`.
    F61,
    /// The state `f62`.
    F62,
    /// The state `f63`.
    F63,
    /// The state `f64`.
    F64,
    /// The state `f65`.
    F65,
    /// The state `f66`.
    F66,
    /// The state `f67`.
    F67,
    /// The state `f68`.
    F68,
    /// The state `f69`.
    F69,
    /// The state `f70`.
    F70,
    /// The state `jammed`.
    ///
    /// Where `out_of_order` is entered.
    Jammed,
    /// The state `locked`.
    ///
    /// Inside `out_of_order`.
    Locked,
    /// The state `scrapped`.
    ///
    /// An outcome: the work has ended.
    Scrapped,
}

impl State {
    /// Every state, in the order of the spec.
    pub const ALL: [State; 73] = [
        State::F1,
        State::F2,
        State::F3,
        State::F4,
        State::F5,
        State::F6,
        State::F7,
        State::F8,
        State::F9,
        State::F10,
        State::F11,
        State::F12,
        State::F13,
        State::F14,
        State::F15,
        State::F16,
        State::F17,
        State::F18,
        State::F19,
        State::F20,
        State::F21,
        State::F22,
        State::F23,
        State::F24,
        State::F25,
        State::F26,
        State::F27,
        State::F28,
        State::F29,
        State::F30,
        State::F31,
        State::F32,
        State::F33,
        State::F34,
        State::F35,
        State::F36,
        State::F37,
        State::F38,
        State::F39,
        State::F40,
        State::F41,
        State::F42,
        State::F43,
        State::F44,
        State::F45,
        State::F46,
        State::F47,
        State::F48,
        State::F49,
        State::F50,
        State::F51,
        State::F52,
        State::F53,
        State::F54,
        State::F55,
        State::F56,
        State::F57,
        State::F58,
        State::F59,
        State::F60,
        State::F61,
        State::F62,
        State::F63,
        State::F64,
        State::F65,
        State::F66,
        State::F67,
        State::F68,
        State::F69,
        State::F70,
        State::Jammed,
        State::Locked,
        State::Scrapped,
    ];

    /// The name by which the state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 73] = &[
            "f1",
            "f2",
            "f3",
            "f4",
            "f5",
            "f6",
            "f7",
            "f8",
            "f9",
            "f10",
            "f11",
            "f12",
            "f13",
            "f14",
            "f15",
            "f16",
            "f17",
            "f18",
            "f19",
            "f20",
            "f21",
            "f22",
            "f23",
            "f24",
            "f25",
            "f26",
            "f27",
            "f28",
            "f29",
            "f30",
            "f31",
            "f32",
            "f33",
            "f34",
            "f35",
            "f36",
            "f37",
            "f38",
            "f39",
            "f40",
            "f41",
            "f42",
            "f43",
            "f44",
            "f45",
            "f46",
            "f47",
            "f48",
            "f49",
            "f50",
            "f51",
            "f52",
            "f53",
            "f54",
            "f55",
            "f56",
            "f57",
            "f58",
            "f59",
            "f60",
            "f61",
            "f62",
            "f63",
            "f64",
            "f65",
            "f66",
            "f67",
            "f68",
            "f69",
            "f70",
            "jammed",
            "locked",
            "scrapped",
        ];
        NAMES[self as usize]
    }

    /// What the spec says about the state.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 73] = &[
            "Where people come in.",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(State, "state");

::statespec::named_serde!(State);

impl State {
    /// Where a machine starts.
    pub const INITIAL: State = State::F1;

    /// The rows of the spec, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Row, Source, Target, Transition, Trigger};
        const OTHERS: &[(usize, ::statespec::Transition<State>)] = &[
            (
                19,
                Transition::Full(
                    &Row::new(State::F10, EventKind::Ride, State::F20)
                        .guard("floors > 9"),
                ),
            ),
            (
                20,
                Transition::Full(
                    &Row::new(State::F10, EventKind::Ride, State::F70)
                        .guard("floors < -9"),
                ),
            ),
            (
                21,
                Transition::Full(
                    &Row::of(
                            Source::Leaf(State::F10),
                            Trigger::Event(EventKind::Ride),
                            Target::Stay,
                        )
                        .doc("Too short a ride."),
                ),
            ),
            (
                42,
                Transition::Full(
                    &Row::new(State::F20, EventKind::Ride, State::F30)
                        .guard("floors > 9"),
                ),
            ),
            (
                43,
                Transition::Full(
                    &Row::new(State::F20, EventKind::Ride, State::F10)
                        .guard("floors < -9"),
                ),
            ),
            (
                44,
                Transition::Full(
                    &Row::of(
                            Source::Leaf(State::F20),
                            Trigger::Event(EventKind::Ride),
                            Target::Stay,
                        )
                        .doc("Too short a ride."),
                ),
            ),
            (
                65,
                Transition::Full(
                    &Row::new(State::F30, EventKind::Ride, State::F40)
                        .guard("floors > 9"),
                ),
            ),
            (
                66,
                Transition::Full(
                    &Row::new(State::F30, EventKind::Ride, State::F20)
                        .guard("floors < -9"),
                ),
            ),
            (
                67,
                Transition::Full(
                    &Row::of(
                            Source::Leaf(State::F30),
                            Trigger::Event(EventKind::Ride),
                            Target::Stay,
                        )
                        .doc("Too short a ride."),
                ),
            ),
            (
                78,
                Transition::Full(
                    &Row::of(
                        Source::Leaf(State::F35),
                        Trigger::Event(EventKind::Ride),
                        Target::Refuse("nobody rides from here"),
                    ),
                ),
            ),
            (
                89,
                Transition::Full(
                    &Row::new(State::F40, EventKind::Ride, State::F50)
                        .guard("floors > 9"),
                ),
            ),
            (
                90,
                Transition::Full(
                    &Row::new(State::F40, EventKind::Ride, State::F30)
                        .guard("floors < -9"),
                ),
            ),
            (
                91,
                Transition::Full(
                    &Row::of(
                            Source::Leaf(State::F40),
                            Trigger::Event(EventKind::Ride),
                            Target::Stay,
                        )
                        .doc("Too short a ride."),
                ),
            ),
            (
                112,
                Transition::Full(
                    &Row::new(State::F50, EventKind::Ride, State::F60)
                        .guard("floors > 9"),
                ),
            ),
            (
                113,
                Transition::Full(
                    &Row::new(State::F50, EventKind::Ride, State::F40)
                        .guard("floors < -9"),
                ),
            ),
            (
                114,
                Transition::Full(
                    &Row::of(
                            Source::Leaf(State::F50),
                            Trigger::Event(EventKind::Ride),
                            Target::Stay,
                        )
                        .doc("Too short a ride."),
                ),
            ),
            (
                135,
                Transition::Full(
                    &Row::new(State::F60, EventKind::Ride, State::F70)
                        .guard("floors > 9"),
                ),
            ),
            (
                136,
                Transition::Full(
                    &Row::new(State::F60, EventKind::Ride, State::F50)
                        .guard("floors < -9"),
                ),
            ),
            (
                137,
                Transition::Full(
                    &Row::of(
                            Source::Leaf(State::F60),
                            Trigger::Event(EventKind::Ride),
                            Target::Stay,
                        )
                        .doc("Too short a ride."),
                ),
            ),
            (
                157,
                Transition::Full(
                    &Row::new(State::F70, EventKind::Ride, State::F1).guard("floors > 9"),
                ),
            ),
            (
                158,
                Transition::Full(
                    &Row::new(State::F70, EventKind::Ride, State::F60)
                        .guard("floors < -9"),
                ),
            ),
            (
                159,
                Transition::Full(
                    &Row::of(
                            Source::Leaf(State::F70),
                            Trigger::Event(EventKind::Ride),
                            Target::Stay,
                        )
                        .doc("Too short a ride."),
                ),
            ),
            (
                160,
                Transition::Full(
                    &Row::of(
                        Source::In(&[State::F1, State::F70]),
                        Trigger::Wish,
                        Target::OneOf(&[State::F2, State::F69]),
                    ),
                ),
            ),
            (
                161,
                Transition::Full(
                    &Row::of(
                        Source::In(&[State::Jammed, State::Locked]),
                        Trigger::Wish,
                        Target::To(State::Scrapped),
                    ),
                ),
            ),
            (
                162,
                Transition::Full(
                    &Row::of(
                        Source::AnyBut(&[State::Jammed, State::Scrapped]),
                        Trigger::Event(EventKind::Jam),
                        Target::To(State::Jammed),
                    ),
                ),
            ),
            (
                163,
                Transition::Full(
                    &Row::of(
                        Source::Leaf(State::Jammed),
                        Trigger::AnyOf(&[EventKind::Lock, EventKind::Jam]),
                        Target::To(State::Locked),
                    ),
                ),
            ),
            (
                164,
                Transition::Full(
                    &Row::new(State::F1, EventKind::Lock, State::Locked).guard("by_hand"),
                ),
            ),
            (
                165,
                Transition::Full(
                    &Row::of(
                        Source::In(&[State::Jammed, State::Locked]),
                        Trigger::Event(EventKind::Reset),
                        Target::To(State::F1),
                    ),
                ),
            ),
        ];
        #[inline]
        const fn rows<const ROWS: usize>() -> &'static [::statespec::Transition<
            State,
        >; ROWS] {
            const {
                &::statespec::__private::rows(
                    &State::ALL,
                    &EventKind::ALL,
                    "
    0    0    1
    1    0    2
    1    1    0
    2    0    3
    2    1    1
    3    0    4
    3    1    2
    4    0    5
    4    1    3
    5    0    6
    5    1    4
    6    0    7
    6    1    5
    7    0    8
    7    1    6
    8    0    9
    8    1    7
    9    0   10
    9    1    8
   10    0   11
   10    1    9
   11    0   12
   11    1   10
   12    0   13
   12    1   11
   13    0   14
   13    1   12
   14    0   15
   14    1   13
   15    0   16
   15    1   14
   16    0   17
   16    1   15
   17    0   18
   17    1   16
   18    0   19
   18    1   17
   19    0   20
   19    1   18
   20    0   21
   20    1   19
   21    0   22
   21    1   20
   22    0   23
   22    1   21
   23    0   24
   23    1   22
   24    0   25
   24    1   23
   25    0   26
   25    1   24
   26    0   27
   26    1   25
   27    0   28
   27    1   26
   28    0   29
   28    1   27
   29    0   30
   29    1   28
   30    0   31
   30    1   29
   31    0   32
   31    1   30
   32    0   33
   32    1   31
   33    0   34
   33    1   32
   34    0   35
   34    1   33
   35    0   36
   35    1   34
   36    0   37
   36    1   35
   37    0   38
   37    1   36
   38    0   39
   38    1   37
   39    0   40
   39    1   38
   40    0   41
   40    1   39
   41    0   42
   41    1   40
   42    0   43
   42    1   41
   43    0   44
   43    1   42
   44    0   45
   44    1   43
   45    0   46
   45    1   44
   46    0   47
   46    1   45
   47    0   48
   47    1   46
   48    0   49
   48    1   47
   49    0   50
   49    1   48
   50    0   51
   50    1   49
   51    0   52
   51    1   50
   52    0   53
   52    1   51
   53    0   54
   53    1   52
   54    0   55
   54    1   53
   55    0   56
   55    1   54
   56    0   57
   56    1   55
   57    0   58
   57    1   56
   58    0   59
   58    1   57
   59    0   60
   59    1   58
   60    0   61
   60    1   59
   61    0   62
   61    1   60
   62    0   63
   62    1   61
   63    0   64
   63    1   62
   64    0   65
   64    1   63
   65    0   66
   65    1   64
   66    0   67
   66    1   65
   67    0   68
   67    1   66
   68    0   69
   68    1   67
   69    1   68
   71    5    1"
                        .as_bytes(),
                    OTHERS,
                )
            }
        }
        rows::<167>()
    }

    /// The states that an edge leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        #[inline]
        const fn lists<const LISTS: usize, const ITEMS: usize>() -> &'static ::statespec::__private::Lists<
            State,
            LISTS,
            ITEMS,
        > {
            const {
                &::statespec::__private::Lists::read(
                    &State::ALL,
                    "
    1   68   70   71
    0    2   70
    1    3   70
    2    4   70
    3    5   70
    4    6   70
    5    7   70
    6    8   70
    7    9   70
    8   10   19   69   70
    9   11   70
   10   12   70
   11   13   70
   12   14   70
   13   15   70
   14   16   70
   15   17   70
   16   18   70
   17   19   70
    9   18   20   29   70
   19   21   70
   20   22   70
   21   23   70
   22   24   70
   23   25   70
   24   26   70
   25   27   70
   26   28   70
   27   29   70
   19   28   30   39   70
   29   31   70
   30   32   70
   31   33   70
   32   34   70
   33   35   70
   34   36   70
   35   37   70
   36   38   70
   37   39   70
   29   38   40   49   70
   39   41   70
   40   42   70
   41   43   70
   42   44   70
   43   45   70
   44   46   70
   45   47   70
   46   48   70
   47   49   70
   39   48   50   59   70
   49   51   70
   50   52   70
   51   53   70
   52   54   70
   53   55   70
   54   56   70
   55   57   70
   56   58   70
   57   59   70
   49   58   60   69   70
   59   61   70
   60   62   70
   61   63   70
   62   64   70
   63   65   70
   64   66   70
   65   67   70
   66   68   70
   67   69   70
    0    1   59   68   70
    0   71   72
    0    1   70   72
"
                        .as_bytes(),
                )
            }
        }
        lists::<73, 232>().of(self as usize)
    }

    /// Whether an edge leads there, guards aside.
    pub fn allows(self, to: State) -> bool {
        self.successors().contains(&to)
    }

    /// The events that some edge takes here, guards aside.
    #[inline]
    pub const fn events(self) -> &'static [EventKind] {
        #[inline]
        const fn lists<const LISTS: usize, const ITEMS: usize>() -> &'static ::statespec::__private::Lists<
            EventKind,
            LISTS,
            ITEMS,
        > {
            const {
                &::statespec::__private::Lists::read(
                    &EventKind::ALL,
                    "
    0    3    4
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    2    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    2    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    2    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    2    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    2    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    2    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    0    1    3
    1    2    3
    3    4    5
    3    5
"
                        .as_bytes(),
                )
            }
        }
        lists::<73, 221>().of(self as usize)
    }

    /// Whether this is an outcome: the work has ended, though there may be a way back.
    pub const fn is_terminal(self) -> bool {
        matches!(self, State::Scrapped)
    }

    /// Whether there is no way out.
    pub const fn is_final(self) -> bool {
        matches!(self, State::Scrapped)
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 73] = &[
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            Some(Composite::OutOfOrder),
            Some(Composite::OutOfOrder),
            None,
        ];
        PARENTS[self as usize]
    }

    /// The names of the states around this one and its own, outermost first.
    pub const fn path(self) -> &'static str {
        const PATHS: &[&str; 73] = &[
            "f1",
            "f2",
            "f3",
            "f4",
            "f5",
            "f6",
            "f7",
            "f8",
            "f9",
            "f10",
            "f11",
            "f12",
            "f13",
            "f14",
            "f15",
            "f16",
            "f17",
            "f18",
            "f19",
            "f20",
            "f21",
            "f22",
            "f23",
            "f24",
            "f25",
            "f26",
            "f27",
            "f28",
            "f29",
            "f30",
            "f31",
            "f32",
            "f33",
            "f34",
            "f35",
            "f36",
            "f37",
            "f38",
            "f39",
            "f40",
            "f41",
            "f42",
            "f43",
            "f44",
            "f45",
            "f46",
            "f47",
            "f48",
            "f49",
            "f50",
            "f51",
            "f52",
            "f53",
            "f54",
            "f55",
            "f56",
            "f57",
            "f58",
            "f59",
            "f60",
            "f61",
            "f62",
            "f63",
            "f64",
            "f65",
            "f66",
            "f67",
            "f68",
            "f69",
            "f70",
            "out_of_order/jammed",
            "out_of_order/locked",
            "scrapped",
        ];
        PATHS[self as usize]
    }

    /// Whether this state lies inside another.
    pub const fn is_in(self, composite: Composite) -> bool {
        match composite {
            Composite::OutOfOrder => matches!(self, State::Jammed | State::Locked),
        }
    }
}

/// States with states inside; a machine is in one of those.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Composite {
    /// The state `out_of_order`.
    OutOfOrder,
}

impl Composite {
    /// Every composite state, in the order of the spec.
    pub const ALL: [Composite; 1] = [Composite::OutOfOrder];

    /// The name by which the composite state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 1] = &["out_of_order"];
        NAMES[self as usize]
    }
}

::statespec::named!(Composite, "composite state");

::statespec::named_serde!(Composite);

impl Composite {
    /// The state that entering this one ends in.
    pub const fn default_state(self) -> State {
        const DEFAULTS: &[State; 1] = &[State::Jammed];
        DEFAULTS[self as usize]
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 1] = &[None];
        PARENTS[self as usize]
    }
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = ::statespec::Never;

    type Steps = [::statespec::Step<State>; 1];

    const MACHINE: &'static str = "lift";

    const INITIAL: Self = State::INITIAL;

    #[inline]
    fn transitions() -> &'static [::statespec::Transition<Self>] {
        State::transitions()
    }

    #[inline]
    fn successors(self) -> &'static [Self] {
        State::successors(self)
    }

    #[inline]
    fn events(self) -> &'static [Self::Event] {
        State::events(self)
    }

    #[inline]
    fn allows(self, to: Self) -> bool {
        State::allows(self, to)
    }

    #[inline]
    fn is_terminal(self) -> bool {
        State::is_terminal(self)
    }

    #[inline]
    fn is_final(self) -> bool {
        State::is_final(self)
    }
}

/// What can happen, with the data it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The event `up`.
    Up,
    /// The event `down`.
    Down,
    /// The event `ride`.
    Ride {
        /// The field `floors`.
        floors: i64,
    },
    /// The event `jam`.
    Jam,
    /// The event `lock`.
    Lock {
        /// The field `by_hand`.
        by_hand: bool,
    },
    /// The event `reset`.
    Reset,
}

impl Event {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Up => EventKind::Up,
            Event::Down => EventKind::Down,
            Event::Ride { .. } => EventKind::Ride,
            Event::Jam => EventKind::Jam,
            Event::Lock { .. } => EventKind::Lock,
            Event::Reset => EventKind::Reset,
        }
    }
}

/// Which event it is, without its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// The event `up`.
    Up,
    /// The event `down`.
    Down,
    /// The event `ride`.
    Ride,
    /// The event `jam`.
    Jam,
    /// The event `lock`.
    Lock,
    /// The event `reset`.
    Reset,
}

impl EventKind {
    /// Every event, in the order of the spec.
    pub const ALL: [EventKind; 6] = [
        EventKind::Up,
        EventKind::Down,
        EventKind::Ride,
        EventKind::Jam,
        EventKind::Lock,
        EventKind::Reset,
    ];

    /// The name by which the event is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 6] = &["up", "down", "ride", "jam", "lock", "reset"];
        NAMES[self as usize]
    }
}

::statespec::named!(EventKind, "event");

::statespec::named_serde!(EventKind);

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}
