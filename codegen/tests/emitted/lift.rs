//! A lift of seventy floors.
//!
//! So many states are emitted as text.

::statespec::__emitted!(6);

/// A lift of seventy floors.
///
/// So many states are emitted as text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Lift {
    state: State,
}

impl Lift {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State) -> Self {
        Lift { state }
    }

    /// The current state.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }

    /// A new machine, in its initial state.
    pub fn new() -> Self {
        Lift { state: State::INITIAL }
    }

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

    /// The change that a direct transition to a state would make; nothing changes.
    #[inline]
    pub fn plan_to(&self, to: State) -> Result<Change, Refused> {
        self.direct_step(to).map(Change::new)
    }

    /// Takes the direct transition to a state, which needs no event; or it is refused and nothing changes.
    #[inline]
    pub fn transition_to(&mut self, to: State) -> Result<Change, Refused> {
        let step = self.direct_step(to)?;
        self.state = step.to();
        Ok(Change::new(step))
    }

    #[inline]
    fn direct_step(&self, to: State) -> Result<::statespec::Step<State>, Refused> {
        const EDGES: &[(u32, u32, ::statespec::__private::Outcome<State>)] = {
            use ::statespec::__private::Outcome;
            &[
                (
                    (State::F1 as usize) as u32,
                    (State::F2 as usize) as u32,
                    Outcome::To(State::F2, ROW_F1_OR_F70_TO_F2_OR_F69),
                ),
                (
                    (State::F1 as usize) as u32,
                    (State::F69 as usize) as u32,
                    Outcome::To(State::F69, ROW_F1_OR_F70_TO_F2_OR_F69),
                ),
                (
                    (State::F70 as usize) as u32,
                    (State::F2 as usize) as u32,
                    Outcome::To(State::F2, ROW_F1_OR_F70_TO_F2_OR_F69),
                ),
                (
                    (State::F70 as usize) as u32,
                    (State::F69 as usize) as u32,
                    Outcome::To(State::F69, ROW_F1_OR_F70_TO_F2_OR_F69),
                ),
                (
                    (State::Jammed as usize) as u32,
                    (State::Scrapped as usize) as u32,
                    Outcome::To(State::Scrapped, ROW_OUT_OF_ORDER_TO_SCRAPPED),
                ),
                (
                    (State::Locked as usize) as u32,
                    (State::Scrapped as usize) as u32,
                    Outcome::To(State::Scrapped, ROW_OUT_OF_ORDER_TO_SCRAPPED),
                ),
            ]
        };
        ::statespec::__private::find(EDGES, self.state as usize, to as usize)
            .on_direct(self.state, to)
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
        let planned = ::statespec::__private::copy_after(self, None, &event, &());
        let run = ::statespec::__private::Run::new(self, planned);
        let result = ::statespec::__private::run(
            run,
            host,
            |host, next, change| host.store(next, change),
            |_, _, effect, _| match effect {},
        );
        host.observe(&::statespec::Attempt::of_run(Some(event.kind()), None, &result));
        result
    }

    /// Takes the direct transition to a state with a host; otherwise like `run`.
    pub fn run_to<H: Host + ?Sized>(
        &mut self,
        to: State,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as Host>::Error>> {
        let mut next = Clone::clone(self);
        let planned = next.transition_to(to).map(|change| (next, change));
        let run = ::statespec::__private::Run::new(self, planned);
        let result = ::statespec::__private::run(
            run,
            host,
            |host, next, change| host.store(next, change),
            |_, _, effect, _| match effect {},
        );
        host.observe(&::statespec::Attempt::of_run(None, None, &result));
        result
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub async fn run_async<H: AsyncHost + ?Sized>(
        &mut self,
        event: Event,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as AsyncHost>::Error>> {
        let planned = ::statespec::__private::copy_after(self, None, &event, &());
        let mut run = ::statespec::__private::Run::new(self, planned);
        while let Some(task) = run.task() {
            let outcome = match task {
                ::statespec::__private::Task::Perform(effect, _) => match effect {}
                ::statespec::__private::Task::Store(change) => {
                    host.store(run.after(), &change).await
                }
            };
            run.done(task, outcome);
        }
        let result = run.finish();
        host.observe(&::statespec::Attempt::of_run(Some(event.kind()), None, &result));
        result
    }

    /// Takes the direct transition to a state with a host; otherwise like `run`.
    pub async fn run_to_async<H: AsyncHost + ?Sized>(
        &mut self,
        to: State,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as AsyncHost>::Error>> {
        let mut next = Clone::clone(self);
        let planned = next.transition_to(to).map(|change| (next, change));
        let mut run = ::statespec::__private::Run::new(self, planned);
        while let Some(task) = run.task() {
            let outcome = match task {
                ::statespec::__private::Task::Perform(effect, _) => match effect {}
                ::statespec::__private::Task::Store(change) => {
                    host.store(run.after(), &change).await
                }
            };
            run.done(task, outcome);
        }
        let result = run.finish();
        host.observe(&::statespec::Attempt::of_run(None, None, &result));
        result
    }
}

impl Default for Lift {
    fn default() -> Self {
        Self::new()
    }
}

impl ::statespec::__private::Input<Event> for Lift {
    type Recorded = Event;
}

impl ::statespec::__private::Dispatch<Event, ()> for Lift {
    type State = State;

    #[inline]
    fn kind(event: &Event) -> EventKind {
        event.kind()
    }

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    /// Rows without a guard: `State::transitions()`, from which the compiler makes the table.
    fn decide(
        &self,
        event: &Event,
        _predicates: &(),
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::__private::Outcome;
        let outcome = match (self.state, *event) {
            (State::F1, Event::Lock { by_hand }) if by_hand => {
                Outcome::To(State::Locked, ROW_F1_LOCK)
            }
            (State::F10, Event::Ride { floors }) if floors > 9 => {
                Outcome::To(State::F20, ROW_F10_RIDE_TO_F20)
            }
            (State::F10, Event::Ride { floors }) if floors < -9 => {
                Outcome::To(State::F70, ROW_F10_RIDE_TO_F70)
            }
            (State::F20, Event::Ride { floors }) if floors > 9 => {
                Outcome::To(State::F30, ROW_F20_RIDE_TO_F30)
            }
            (State::F20, Event::Ride { floors }) if floors < -9 => {
                Outcome::To(State::F10, ROW_F20_RIDE_TO_F10)
            }
            (State::F30, Event::Ride { floors }) if floors > 9 => {
                Outcome::To(State::F40, ROW_F30_RIDE_TO_F40)
            }
            (State::F30, Event::Ride { floors }) if floors < -9 => {
                Outcome::To(State::F20, ROW_F30_RIDE_TO_F20)
            }
            (State::F40, Event::Ride { floors }) if floors > 9 => {
                Outcome::To(State::F50, ROW_F40_RIDE_TO_F50)
            }
            (State::F40, Event::Ride { floors }) if floors < -9 => {
                Outcome::To(State::F30, ROW_F40_RIDE_TO_F30)
            }
            (State::F50, Event::Ride { floors }) if floors > 9 => {
                Outcome::To(State::F60, ROW_F50_RIDE_TO_F60)
            }
            (State::F50, Event::Ride { floors }) if floors < -9 => {
                Outcome::To(State::F40, ROW_F50_RIDE_TO_F40)
            }
            (State::F60, Event::Ride { floors }) if floors > 9 => {
                Outcome::To(State::F70, ROW_F60_RIDE_TO_F70)
            }
            (State::F60, Event::Ride { floors }) if floors < -9 => {
                Outcome::To(State::F50, ROW_F60_RIDE_TO_F50)
            }
            (State::F70, Event::Ride { floors }) if floors > 9 => {
                Outcome::To(State::F1, ROW_F70_RIDE_TO_F1)
            }
            (State::F70, Event::Ride { floors }) if floors < -9 => {
                Outcome::To(State::F60, ROW_F70_RIDE_TO_F60)
            }
            _ => {
                return ::statespec::__table!(
                    State, EventKind, Row, [(State::Locked, EventKind::Reset,
                    ROW_LOCKED_RESET)]
                )
                    .on_event(self.state, event.kind());
            }
        };
        outcome.on_event(self.state, event.kind())
    }

    #[inline]
    fn take(
        &mut self,
        step: &::statespec::Step<State>,
        _event: &Event,
        _predicates: &(),
    ) {
        self.state = step.to();
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<State>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<State>;

/// A row of the spec, by its position.
pub type Row = ::statespec::RowNumber;

/// `f10` → `f20` on `ride`, when `floors > 9`
const ROW_F10_RIDE_TO_F20: Row = Row::at(19);

/// `f10` → `f70` on `ride`, when `floors < -9`
const ROW_F10_RIDE_TO_F70: Row = Row::at(20);

/// `f20` → `f30` on `ride`, when `floors > 9`
const ROW_F20_RIDE_TO_F30: Row = Row::at(42);

/// `f20` → `f10` on `ride`, when `floors < -9`
const ROW_F20_RIDE_TO_F10: Row = Row::at(43);

/// `f30` → `f40` on `ride`, when `floors > 9`
const ROW_F30_RIDE_TO_F40: Row = Row::at(65);

/// `f30` → `f20` on `ride`, when `floors < -9`
const ROW_F30_RIDE_TO_F20: Row = Row::at(66);

/// `f40` → `f50` on `ride`, when `floors > 9`
const ROW_F40_RIDE_TO_F50: Row = Row::at(89);

/// `f40` → `f30` on `ride`, when `floors < -9`
const ROW_F40_RIDE_TO_F30: Row = Row::at(90);

/// `f50` → `f60` on `ride`, when `floors > 9`
const ROW_F50_RIDE_TO_F60: Row = Row::at(112);

/// `f50` → `f40` on `ride`, when `floors < -9`
const ROW_F50_RIDE_TO_F40: Row = Row::at(113);

/// `f60` → `f70` on `ride`, when `floors > 9`
const ROW_F60_RIDE_TO_F70: Row = Row::at(135);

/// `f60` → `f50` on `ride`, when `floors < -9`
const ROW_F60_RIDE_TO_F50: Row = Row::at(136);

/// `f70` → `f1` on `ride`, when `floors > 9`
const ROW_F70_RIDE_TO_F1: Row = Row::at(157);

/// `f70` → `f60` on `ride`, when `floors < -9`
const ROW_F70_RIDE_TO_F60: Row = Row::at(158);

/// `f1` or `f70` → `f2` or `f69`, directly
const ROW_F1_OR_F70_TO_F2_OR_F69: Row = Row::at(160);

/// `out_of_order` → `scrapped`, directly
const ROW_OUT_OF_ORDER_TO_SCRAPPED: Row = Row::at(161);

/// `f1` → `out_of_order/locked` on `lock`, when `by_hand`
const ROW_F1_LOCK: Row = Row::at(164);

/// `out_of_order/locked` → `f2` on `reset`
const ROW_LOCKED_RESET: Row = Row::at(166);

/// The states of a `lift`.
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
    /// The default state of `out_of_order`.
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

::statespec::__unit_enum!(
    pub State, "state", 73, [F1("f1"), F2("f2"), F3("f3"), F4("f4"), F5("f5"), F6("f6"),
    F7("f7"), F8("f8"), F9("f9"), F10("f10"), F11("f11"), F12("f12"), F13("f13"),
    F14("f14"), F15("f15"), F16("f16"), F17("f17"), F18("f18"), F19("f19"), F20("f20"),
    F21("f21"), F22("f22"), F23("f23"), F24("f24"), F25("f25"), F26("f26"), F27("f27"),
    F28("f28"), F29("f29"), F30("f30"), F31("f31"), F32("f32"), F33("f33"), F34("f34"),
    F35("f35"), F36("f36"), F37("f37"), F38("f38"), F39("f39"), F40("f40"), F41("f41"),
    F42("f42"), F43("f43"), F44("f44"), F45("f45"), F46("f46"), F47("f47"), F48("f48"),
    F49("f49"), F50("f50"), F51("f51"), F52("f52"), F53("f53"), F54("f54"), F55("f55"),
    F56("f56"), F57("f57"), F58("f58"), F59("f59"), F60("f60"), F61("f61"), F62("f62"),
    F63("f63"), F64("f64"), F65("f65"), F66("f66"), F67("f67"), F68("f68"), F69("f69"),
    F70("f70"), Jammed("jammed"), Locked("locked"), Scrapped("scrapped")], serde
);

impl State {
    /// The description of the state in the spec.
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

impl State {
    /// The state that a machine starts in.
    pub const INITIAL: State = State::F1;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        ::statespec::__packed_rows!(
            State, & EventKind::ALL, 167,
            "\n    0    0    1\n    1    0    2\n    1    1    0\n    2    0    3\n    2    1    1\n    3    0    4\n    3    1    2\n    4    0    5\n    4    1    3\n    5    0    6\n    5    1    4\n    6    0    7\n    6    1    5\n    7    0    8\n    7    1    6\n    8    0    9\n    8    1    7\n    9    0   10\n    9    1    8\n   10    0   11\n   10    1    9\n   11    0   12\n   11    1   10\n   12    0   13\n   12    1   11\n   13    0   14\n   13    1   12\n   14    0   15\n   14    1   13\n   15    0   16\n   15    1   14\n   16    0   17\n   16    1   15\n   17    0   18\n   17    1   16\n   18    0   19\n   18    1   17\n   19    0   20\n   19    1   18\n   20    0   21\n   20    1   19\n   21    0   22\n   21    1   20\n   22    0   23\n   22    1   21\n   23    0   24\n   23    1   22\n   24    0   25\n   24    1   23\n   25    0   26\n   25    1   24\n   26    0   27\n   26    1   25\n   27    0   28\n   27    1   26\n   28    0   29\n   28    1   27\n   29    0   30\n   29    1   28\n   30    0   31\n   30    1   29\n   31    0   32\n   31    1   30\n   32    0   33\n   32    1   31\n   33    0   34\n   33    1   32\n   34    0   35\n   34    1   33\n   35    0   36\n   35    1   34\n   36    0   37\n   36    1   35\n   37    0   38\n   37    1   36\n   38    0   39\n   38    1   37\n   39    0   40\n   39    1   38\n   40    0   41\n   40    1   39\n   41    0   42\n   41    1   40\n   42    0   43\n   42    1   41\n   43    0   44\n   43    1   42\n   44    0   45\n   44    1   43\n   45    0   46\n   45    1   44\n   46    0   47\n   46    1   45\n   47    0   48\n   47    1   46\n   48    0   49\n   48    1   47\n   49    0   50\n   49    1   48\n   50    0   51\n   50    1   49\n   51    0   52\n   51    1   50\n   52    0   53\n   52    1   51\n   53    0   54\n   53    1   52\n   54    0   55\n   54    1   53\n   55    0   56\n   55    1   54\n   56    0   57\n   56    1   55\n   57    0   58\n   57    1   56\n   58    0   59\n   58    1   57\n   59    0   60\n   59    1   58\n   60    0   61\n   60    1   59\n   61    0   62\n   61    1   60\n   62    0   63\n   62    1   61\n   63    0   64\n   63    1   62\n   64    0   65\n   64    1   63\n   65    0   66\n   65    1   64\n   66    0   67\n   66    1   65\n   67    0   68\n   67    1   66\n   68    0   69\n   68    1   67\n   69    1   68\n   71    5    1",
            [(19, Transition::new(State::F10, EventKind::Ride, State::F20)
            .with_guard("floors > 9")), (20, Transition::new(State::F10, EventKind::Ride,
            State::F70).with_guard("floors < -9")), (21,
            Transition::of(Source::Leaf(State::F10), Trigger::Event(EventKind::Ride),
            Target::Stay).with_doc("Too short a ride.")), (42,
            Transition::new(State::F20, EventKind::Ride, State::F30)
            .with_guard("floors > 9")), (43, Transition::new(State::F20, EventKind::Ride,
            State::F10).with_guard("floors < -9")), (44,
            Transition::of(Source::Leaf(State::F20), Trigger::Event(EventKind::Ride),
            Target::Stay).with_doc("Too short a ride.")), (65,
            Transition::new(State::F30, EventKind::Ride, State::F40)
            .with_guard("floors > 9")), (66, Transition::new(State::F30, EventKind::Ride,
            State::F20).with_guard("floors < -9")), (67,
            Transition::of(Source::Leaf(State::F30), Trigger::Event(EventKind::Ride),
            Target::Stay).with_doc("Too short a ride.")), (78,
            Transition::of(Source::Leaf(State::F35), Trigger::Event(EventKind::Ride),
            Target::Refuse("nobody rides from here"))), (89, Transition::new(State::F40,
            EventKind::Ride, State::F50).with_guard("floors > 9")), (90,
            Transition::new(State::F40, EventKind::Ride, State::F30)
            .with_guard("floors < -9")), (91, Transition::of(Source::Leaf(State::F40),
            Trigger::Event(EventKind::Ride), Target::Stay)
            .with_doc("Too short a ride.")), (112, Transition::new(State::F50,
            EventKind::Ride, State::F60).with_guard("floors > 9")), (113,
            Transition::new(State::F50, EventKind::Ride, State::F40)
            .with_guard("floors < -9")), (114, Transition::of(Source::Leaf(State::F50),
            Trigger::Event(EventKind::Ride), Target::Stay)
            .with_doc("Too short a ride.")), (135, Transition::new(State::F60,
            EventKind::Ride, State::F70).with_guard("floors > 9")), (136,
            Transition::new(State::F60, EventKind::Ride, State::F50)
            .with_guard("floors < -9")), (137, Transition::of(Source::Leaf(State::F60),
            Trigger::Event(EventKind::Ride), Target::Stay)
            .with_doc("Too short a ride.")), (157, Transition::new(State::F70,
            EventKind::Ride, State::F1).with_guard("floors > 9")), (158,
            Transition::new(State::F70, EventKind::Ride, State::F60)
            .with_guard("floors < -9")), (159, Transition::of(Source::Leaf(State::F70),
            Trigger::Event(EventKind::Ride), Target::Stay)
            .with_doc("Too short a ride.")), (160, Transition::of(Source::In(&
            [State::F1, State::F70]), Trigger::Direct, Target::OneOf(& [State::F2,
            State::F69]))), (161, Transition::of(Source::In(& [State::Jammed,
            State::Locked]), Trigger::Direct, Target::To(State::Scrapped))), (162,
            Transition::of(Source::AnyBut(& [State::Jammed, State::Scrapped]),
            Trigger::Event(EventKind::Jam), Target::To(State::Jammed))), (163,
            Transition::of(Source::Leaf(State::Jammed), Trigger::AnyOf(&
            [EventKind::Lock, EventKind::Jam]), Target::To(State::Locked))), (164,
            Transition::new(State::F1, EventKind::Lock, State::Locked)
            .with_guard("by_hand")), (165, Transition::of(Source::In(& [State::Jammed,
            State::Locked]), Trigger::Event(EventKind::Reset), Target::To(State::F1)))]
        )
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        ::statespec::__packed_list!(
            State, 73, 231,
            "\n    1   68   70   71\n    0    2   70\n    1    3   70\n    2    4   70\n    3    5   70\n    4    6   70\n    5    7   70\n    6    8   70\n    7    9   70\n    8   10   19   69   70\n    9   11   70\n   10   12   70\n   11   13   70\n   12   14   70\n   13   15   70\n   14   16   70\n   15   17   70\n   16   18   70\n   17   19   70\n    9   18   20   29   70\n   19   21   70\n   20   22   70\n   21   23   70\n   22   24   70\n   23   25   70\n   24   26   70\n   25   27   70\n   26   28   70\n   27   29   70\n   19   28   30   39   70\n   29   31   70\n   30   32   70\n   31   33   70\n   32   34   70\n   33   35   70\n   34   36   70\n   35   37   70\n   36   38   70\n   37   39   70\n   29   38   40   49   70\n   39   41   70\n   40   42   70\n   41   43   70\n   42   44   70\n   43   45   70\n   44   46   70\n   45   47   70\n   46   48   70\n   47   49   70\n   39   48   50   59   70\n   49   51   70\n   50   52   70\n   51   53   70\n   52   54   70\n   53   55   70\n   54   56   70\n   55   57   70\n   56   58   70\n   57   59   70\n   49   58   60   69   70\n   59   61   70\n   60   62   70\n   61   63   70\n   62   64   70\n   63   65   70\n   64   66   70\n   65   67   70\n   66   68   70\n   67   69   70\n    0    1   59   68   70\n    0   71   72\n    1   70   72\n",
            self as usize
        )
    }

    /// Whether a transition leads to this state, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        ::statespec::__contains!(self.successors(), to, [as usize])
    }

    /// The events that a transition accepts here, guards aside.
    #[inline]
    pub const fn events(self) -> &'static [EventKind] {
        ::statespec::__packed_list!(
            EventKind, 73, 221,
            "\n    0    3    4\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    2    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    2    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    2    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    2    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    2    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    2    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    0    1    3\n    1    2    3\n    3    4    5\n    3    5\n",
            self as usize
        )
    }

    /// Whether this is an outcome: the work has ended, although a transition may lead back.
    pub const fn is_terminal(self) -> bool {
        matches!(self, State::Scrapped)
    }

    /// Whether this is a sink: no transition leads to another state.
    pub const fn is_sink(self) -> bool {
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

/// States that contain other states; a machine is in one of the innermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Composite {
    /// The state `out_of_order`.
    OutOfOrder,
}

::statespec::__unit_enum!(
    pub Composite, "composite state", 1, [OutOfOrder("out_of_order")], serde
);

impl Composite {
    /// The state that entering this one leads to.
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

impl ::statespec::__private::Graph<EventKind, ::statespec::Never> for State {
    type Steps = [::statespec::Step<State>; 1];
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = ::statespec::Never;

    type Row = Row;

    const MACHINE: &'static str = "lift";

    const INITIAL: State = State::INITIAL;

    ::statespec::__state!(events, path);
}

/// An event, with the data that it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Event {
    /// The event `up`.
    Up,
    /// The event `down`.
    Down,
    /// The event `ride`.
    Ride {
        /// A whole number.
        floors: i64,
    },
    /// The event `jam`.
    Jam,
    /// The event `lock`.
    Lock {
        /// `true` or `false`.
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

/// The events, without their payloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// See [`Event::Up`].
    Up,
    /// See [`Event::Down`].
    Down,
    /// See [`Event::Ride`].
    Ride,
    /// See [`Event::Jam`].
    Jam,
    /// See [`Event::Lock`].
    Lock,
    /// See [`Event::Reset`].
    Reset,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 6, [Up("up"), Down("down"), Ride("ride"), Jam("jam"),
    Lock("lock"), Reset("reset")], serde
);

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}

/// The host: stores the machine, and performs the effects.
pub trait Host {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Lift, change: &Change) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

/// The asynchronous host: stores the machine, and performs the effects. Implement its methods as `async fn`.
pub trait AsyncHost {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Lift,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}
