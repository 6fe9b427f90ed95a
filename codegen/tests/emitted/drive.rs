//! Drives every emitted machine and system by name.

use crate::support::*;

/// Visits every machine.
pub(crate) fn each_machine(visit: &mut impl VisitMachines) {
    visit.machine::<crate::emitted::badge::Badge<u64>>();
    visit.machine::<crate::emitted::bay::Bay>();
    visit.machine::<crate::emitted::bookmark::Bookmark>();
    visit.machine::<crate::emitted::consignment::Consignment<String, u64>>();
    visit.machine::<crate::emitted::creation::Creation>();
    visit.machine::<crate::emitted::crew::Crew<u64>>();
    visit.machine::<crate::emitted::deck::Deck<String>>();
    visit.machine::<crate::emitted::direct::Direct<String, u64>>();
    visit.machine::<crate::emitted::failing::Failing>();
    visit.machine::<crate::emitted::fair::Fair>();
    visit.machine::<crate::emitted::ferry::Ferry>();
    visit.machine::<crate::emitted::r#fn::Fn>();
    visit.machine::<crate::emitted::hall::Hall>();
    visit.machine::<crate::emitted::hand::Hand<String, u64>>();
    visit.machine::<crate::emitted::job::Job<String>>();
    visit.machine::<crate::emitted::kiln::Kiln<String>>();
    visit.machine::<crate::emitted::knot::Knot>();
    visit.machine::<crate::emitted::lease::Lease<String, u64>>();
    visit.machine::<crate::emitted::lift::Lift>();
    visit.machine::<crate::emitted::option::Option_>();
    visit.machine::<crate::emitted::outcome::Outcome_<u64>>();
    visit.machine::<crate::emitted::payload_target::PayloadTarget<u64>>();
    visit.machine::<crate::emitted::plant::Plant<String, u64>>();
    visit.machine::<crate::emitted::purse::Purse<String>>();
    visit.machine::<crate::emitted::shelf::Shelf<u64>>();
    visit.machine::<crate::emitted::showcase::Showcase<String, u64>>();
    visit.machine::<crate::emitted::single_state::SingleState>();
    visit.machine::<crate::emitted::slot::Slot<String>>();
    visit.machine::<crate::emitted::step::Step<String, u64>>();
    visit.machine::<crate::emitted::studio::Studio>();
    visit.machine::<crate::emitted::voucher::Voucher<u64>>();
    visit.machine::<crate::emitted::yard::Yard>();
}

/// Visits every system.
pub(crate) fn each_system(visit: &mut impl VisitSystems) {
    visit.system::<CarWashInMemory>();
    visit.system::<DeskInMemory>();
    visit.system::<DispatchInMemory>();
    visit.system::<FailuresInMemory>();
    visit.system::<RackInMemory>();
    visit.system::<TillInMemory>();
    visit.system::<WorkshopInMemory>();
}

impl Drive for crate::emitted::badge::Badge<u64> {
    type State = crate::emitted::badge::State;

    type Event<'v> = crate::emitted::badge::Event;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "flip" => {
                    crate::emitted::badge::Event::Flip {
                        n: payload.get(0),
                    }
                }
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::badge::Context {
                crew_id: context.get(0),
                n_flips: context.get(1),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![value(&self.context().crew_id), value(&self.context().n_flips)]
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, log)
    }
}

impl crate::emitted::badge::Host<u64> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::badge::Badge<u64>,
        _: &crate::emitted::badge::Change,
    ) -> Result<(), String> {
        self.write()
    }
}

impl Drive for crate::emitted::bay::Bay {
    type State = crate::emitted::bay::Leaf;

    type Event<'v> = crate::emitted::bay::Recorded;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "unlock" => crate::emitted::bay::Recorded::Unlock,
                "lift" => crate::emitted::bay::Recorded::Lift,
                "drop" => crate::emitted::bay::Recorded::Drop,
                "begin" => {
                    crate::emitted::bay::Recorded::Begin {
                        to: payload.get(0),
                    }
                }
                "soaped" => crate::emitted::bay::Recorded::Soaped,
                "clear" => crate::emitted::bay::Recorded::Clear,
                "jam" => crate::emitted::bay::Recorded::Jam,
                "repair" => crate::emitted::bay::Recorded::Repair,
                "rinsed" => crate::emitted::bay::Recorded::Rinsed,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let state = joined(leaves).parse().expect("a configuration");
        Self::restore(
            state,
            crate::emitted::bay::Context {
                washed: context.get(0),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![value(&self.context().washed)]
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        match input_of_bay(event) {
            Some(event) => self.apply(event),
            None => self.replay(event),
        }
    }

    fn running_timers(&self) -> Vec<(String, i64)> {
        self.timers()
            .map(|(timer, after)| (
                ::statespec::Named::name(timer).to_owned(),
                after.as_micros(),
            ))
            .collect()
    }

    fn start_timers(
        state: ::statespec::ConfigurationOf<<Self as Drive>::State>,
        now: i64,
    ) -> Started {
        let timers = ::statespec::Timers::<
            <Self as Drive>::State,
            1,
        >::start(state, ::statespec::Timestamp::from_micros(now));
        timers
            .started()
            .map(|(timer, moment)| (
                ::statespec::Named::name(timer).to_owned(),
                moment.as_micros(),
            ))
            .collect()
    }

    fn observe_timers(
        started: &Started,
        change: &::statespec::Change<<Self as Drive>::State>,
        now: i64,
    ) -> Started {
        let before = started
            .iter()
            .map(|(name, moment)| (
                <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse(
                        name,
                    )
                    .expect("a timer"),
                ::statespec::Timestamp::from_micros(*moment),
            ));
        let mut timers = ::statespec::Timers::<
            <Self as Drive>::State,
            1,
        >::restore(before);
        timers.observe(change, ::statespec::Timestamp::from_micros(now));
        timers
            .started()
            .map(|(timer, moment)| (
                ::statespec::Named::name(timer).to_owned(),
                moment.as_micros(),
            ))
            .collect()
    }

    fn end_timer(started: &Started, timer: &str) -> Started {
        let before = started
            .iter()
            .map(|(name, moment)| (
                <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse(
                        name,
                    )
                    .expect("a timer"),
                ::statespec::Timestamp::from_micros(*moment),
            ));
        let mut timers = ::statespec::Timers::<
            <Self as Drive>::State,
            1,
        >::restore(before);
        timers
            .end(
                <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse(
                        timer,
                    )
                    .expect("a timer"),
            );
        timers
            .started()
            .map(|(timer, moment)| (
                ::statespec::Named::name(timer).to_owned(),
                moment.as_micros(),
            ))
            .collect()
    }

    fn due_timers(&self, started: &Started) -> (Started, Option<(String, i64)>) {
        let before = started
            .iter()
            .map(|(name, moment)| (
                <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse(
                        name,
                    )
                    .expect("a timer"),
                ::statespec::Timestamp::from_micros(*moment),
            ));
        let timers = ::statespec::Timers::<<Self as Drive>::State, 1>::restore(before);
        let named = |(timer, due): (_, ::statespec::Timestamp)| (
            ::statespec::Named::name(timer).to_owned(),
            due.as_micros(),
        );
        (timers.due(self).map(named).collect(), timers.next_due(self).map(named))
    }

    fn elapse(
        &mut self,
        started: &Started,
        _holds: &Holds,
        now: i64,
    ) -> (
        Started,
        Option<
            (
                String,
                Result<
                    ::statespec::Change<<Self as Drive>::State>,
                    ::statespec::Refused<<Self as Drive>::State>,
                >,
            ),
        >,
    ) {
        let before = started
            .iter()
            .map(|(name, moment)| (
                <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse(
                        name,
                    )
                    .expect("a timer"),
                ::statespec::Timestamp::from_micros(*moment),
            ));
        let mut timers = ::statespec::Timers::<
            <Self as Drive>::State,
            1,
        >::restore(before);
        let elapsed = timers
            .elapse_with(self, &(), ::statespec::Timestamp::from_micros(now));
        (
            timers
                .started()
                .map(|(timer, moment)| (
                    ::statespec::Named::name(timer).to_owned(),
                    moment.as_micros(),
                ))
                .collect(),
            elapsed.map(|it| (::statespec::Named::name(it.timer).to_owned(), it.result)),
        )
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        if let Some(event) = input_of_bay(event) {
            return self.run(event, log);
        }
        let long_ago = [(event.kind(), ::statespec::Timestamp::MIN)];
        let mut timers = ::statespec::Timers::<
            <Self as Drive>::State,
            1,
        >::restore(long_ago);
        let before = timers;
        let result = self.run_due(&mut timers, ::statespec::Timestamp::MAX, log);
        match result {
            Some(result) => {
                assert_eq!(
                    timers,
                    timers_after(before, event.kind(), &result),
                    "the timers after a run",
                );
                result
            }
            None => Err(self.clone().replay(event).expect_err("it does not run").into()),
        }
    }
}

/// The event, if a caller can raise it.
fn input_of_bay(
    event: crate::emitted::bay::Recorded,
) -> Option<crate::emitted::bay::Event> {
    match event {
        crate::emitted::bay::Recorded::Unlock => Some(crate::emitted::bay::Event::Unlock),
        crate::emitted::bay::Recorded::Lift => Some(crate::emitted::bay::Event::Lift),
        crate::emitted::bay::Recorded::Drop => Some(crate::emitted::bay::Event::Drop),
        crate::emitted::bay::Recorded::Begin { to } => {
            Some(crate::emitted::bay::Event::Begin {
                to,
            })
        }
        crate::emitted::bay::Recorded::Soaped => Some(crate::emitted::bay::Event::Soaped),
        crate::emitted::bay::Recorded::Clear => Some(crate::emitted::bay::Event::Clear),
        crate::emitted::bay::Recorded::Jam => Some(crate::emitted::bay::Event::Jam),
        crate::emitted::bay::Recorded::Repair => Some(crate::emitted::bay::Event::Repair),
        _ => None,
    }
}

impl crate::emitted::bay::Host for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::bay::Bay,
        _: &crate::emitted::bay::Change,
    ) -> Result<(), String> {
        self.write()
    }

    fn lamp_on(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "lamp_on",
            payload: vec![],
            message: None,
        })
    }

    fn lamp_off(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "lamp_off",
            payload: vec![],
            message: None,
        })
    }

    fn pump(&mut self, washed: i64) -> Result<(), String> {
        self.perform(Effect {
            name: "pump",
            payload: vec![ToValue::to_value(&washed)],
            message: None,
        })
    }

    fn beep(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "beep",
            payload: vec![],
            message: None,
        })
    }
}

impl Drive for crate::emitted::bookmark::Bookmark {
    type State = crate::emitted::bookmark::State;

    type Event<'v> = crate::emitted::bookmark::Event;

    fn event<'v>(
        name: &str,
        _payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "open_page" => crate::emitted::bookmark::Event::OpenPage,
                "open_part" => crate::emitted::bookmark::Event::OpenPart,
                "turn" => crate::emitted::bookmark::Event::Turn,
                "skip" => crate::emitted::bookmark::Event::Skip,
                "again" => crate::emitted::bookmark::Event::Again,
                "close" => crate::emitted::bookmark::Event::Close,
                "tear" => crate::emitted::bookmark::Event::Tear,
                "forget" => crate::emitted::bookmark::Event::Forget,
                "lose" => crate::emitted::bookmark::Event::Lose,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::bookmark::Context {
                page: context.optional_state(0),
                part: context.optional_state(1),
                opened: context.get(2),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![
            state_value(machine, self.context().page),
            state_value(machine, self.context().part),
            value(&self.context().opened),
        ]
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, log)
    }
}

impl crate::emitted::bookmark::Host for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::bookmark::Bookmark,
        _: &crate::emitted::bookmark::Change,
    ) -> Result<(), String> {
        self.write()
    }
}

impl Drive for crate::emitted::consignment::Consignment<String, u64> {
    type State = crate::emitted::consignment::State;

    type Event<'v> = crate::emitted::consignment::Event<u64>;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "create" => {
                    crate::emitted::consignment::Event::Create {
                        weight: payload.get(0),
                        carrier: payload.get(1),
                    }
                }
                "check" => crate::emitted::consignment::Event::Check,
                "again" => crate::emitted::consignment::Event::Again,
                "box" => crate::emitted::consignment::Event::Box,
                "wrap" => crate::emitted::consignment::Event::Wrap,
                "tear" => crate::emitted::consignment::Event::Tear,
                "retry" => crate::emitted::consignment::Event::Retry,
                "unload" => crate::emitted::consignment::Event::Unload,
                "fly" => crate::emitted::consignment::Event::Fly,
                "land" => crate::emitted::consignment::Event::Land,
                "deliver" => {
                    crate::emitted::consignment::Event::Deliver {
                        by: payload.get(0),
                        now: payload.get(1),
                    }
                }
                "refuse" => crate::emitted::consignment::Event::Refuse,
                "count" => {
                    crate::emitted::consignment::Event::Count {
                        upto: payload.get(0),
                    }
                }
                "tick" => crate::emitted::consignment::Event::Tick,
                "pause" => crate::emitted::consignment::Event::Pause,
                "resume" => crate::emitted::consignment::Event::Resume,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::consignment::Context {
                weight: context.get(0),
                tries: context.get(1),
                note: context.get(2),
                carrier: context.get(3),
                packed_at: context.optional_state(4),
                moved_at: context.optional_state(5),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![
            value(&self.context().weight),
            value(&self.context().tries),
            value(&self.context().note),
            value(&self.context().carrier),
            state_value(machine, self.context().packed_at),
            state_value(machine, self.context().moved_at),
        ]
    }

    fn create(
        event: <Self as Drive>::Event<'_>,
        holds: &Holds,
    ) -> Result<
        (Self, ::statespec::Change<<Self as Drive>::State>),
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        Self::create(event, holds)
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event, holds)
    }

    fn transition_to(
        &mut self,
        to: <Self as Drive>::State,
        holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.transition_to(to, holds)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, holds, log)
    }

    fn run_to(
        &mut self,
        to: <Self as Drive>::State,
        holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run_to(to, holds, log)
    }
}

impl crate::emitted::consignment::Predicates<String, u64> for Holds {
    fn insured(&self, _: &crate::emitted::consignment::Context<String, u64>) -> bool {
        self.holds("insured")
    }
}

impl crate::emitted::consignment::Host<String, u64> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::consignment::Consignment<String, u64>,
        _: &crate::emitted::consignment::Change,
    ) -> Result<(), String> {
        self.write()
    }

    fn weigh(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "weigh",
            payload: vec![],
            message: None,
        })
    }

    fn label(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "label",
            payload: vec![],
            message: None,
        })
    }

    fn ship(
        &mut self,
        weight: i64,
        from: Option<crate::emitted::consignment::State>,
        to: crate::emitted::consignment::State,
    ) -> Result<(), String> {
        self.perform(Effect {
            name: "ship",
            payload: vec![
                ToValue::to_value(&weight),
                ToValue::to_value(&from.map(|it| ToString::to_string(&it))),
                ToValue::to_value(&ToString::to_string(&to)),
            ],
            message: None,
        })
    }

    fn wake(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "wake",
            payload: vec![],
            message: None,
        })
    }

    fn sleep(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "sleep",
            payload: vec![],
            message: None,
        })
    }

    fn tell(
        &mut self,
        by: u64,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), String> {
        self.perform(Effect {
            name: "tell",
            payload: vec![ToValue::to_value(&by)],
            message: Some(message.to_string()),
        })
    }
}

impl Drive for crate::emitted::creation::Creation {
    type State = crate::emitted::creation::State;

    type Event<'v> = crate::emitted::creation::Event;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "make" => {
                    crate::emitted::creation::Event::Make {
                        level: payload.get(0),
                    }
                }
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], _context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(state)
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn create(
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        (Self, ::statespec::Change<<Self as Drive>::State>),
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        Self::create(event)
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, log)
    }
}

impl crate::emitted::creation::Host for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::creation::Creation,
        _: &crate::emitted::creation::Change,
    ) -> Result<(), String> {
        self.write()
    }
}

impl Drive for crate::emitted::crew::Crew<u64> {
    type State = crate::emitted::crew::State;

    type Event<'v> = crate::emitted::crew::Event;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "found" => crate::emitted::crew::Event::Found,
                "gain" => crate::emitted::crew::Event::Gain,
                "lose" => crate::emitted::crew::Event::Lose,
                "count" => {
                    crate::emitted::crew::Event::Count {
                        n: payload.get(0),
                    }
                }
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::crew::Context {
                n_busy: context.get(0),
                n_counted: context.get(1),
                yard_id: context.get(2),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![
            value(&self.context().n_busy),
            value(&self.context().n_counted),
            value(&self.context().yard_id),
        ]
    }

    fn create(
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        (Self, ::statespec::Change<<Self as Drive>::State>),
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        Self::create(event)
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, log)
    }
}

impl crate::emitted::crew::Host<u64> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::crew::Crew<u64>,
        _: &crate::emitted::crew::Change,
    ) -> Result<(), String> {
        self.write()
    }

    fn announce(&mut self, n_busy: i64) -> Result<(), String> {
        self.perform(Effect {
            name: "announce",
            payload: vec![ToValue::to_value(&n_busy)],
            message: None,
        })
    }
}

impl Drive for crate::emitted::deck::Deck<String> {
    type State = crate::emitted::deck::Leaf;

    type Event<'v> = crate::emitted::deck::Recorded<&'v str>;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "press" => crate::emitted::deck::Recorded::Press,
                "resume" => crate::emitted::deck::Recorded::Resume,
                "insert" => {
                    crate::emitted::deck::Recorded::Insert {
                        label: payload.get(0),
                    }
                }
                "play" => crate::emitted::deck::Recorded::Play,
                "stop" => crate::emitted::deck::Recorded::Stop,
                "eject" => crate::emitted::deck::Recorded::Eject,
                "show" => crate::emitted::deck::Recorded::Show,
                "cycle" => crate::emitted::deck::Recorded::Cycle,
                "split" => {
                    crate::emitted::deck::Recorded::Split {
                        parts: payload.get(0),
                    }
                }
                "drop" => crate::emitted::deck::Recorded::Drop,
                "finish" => crate::emitted::deck::Recorded::Finish,
                "tune" => crate::emitted::deck::Recorded::Tune,
                "go" => {
                    crate::emitted::deck::Recorded::Go {
                        place: payload.state(0),
                    }
                }
                "fix" => crate::emitted::deck::Recorded::Fix,
                "chime" => crate::emitted::deck::Recorded::Chime,
                "dark_timeout" => crate::emitted::deck::Recorded::DarkTimeout,
                "on_timeout" => crate::emitted::deck::Recorded::OnTimeout,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let state = joined(leaves).parse().expect("a configuration");
        Self::restore(
            state,
            crate::emitted::deck::Context {
                last: context.optional_state(0),
                screen: context.optional_state(1),
                title: context.get(2),
                volume: context.get(3),
                share: context.get(4),
                plays: context.get(5),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![
            state_value(machine, self.context().last),
            state_value(machine, self.context().screen),
            value(&self.context().title),
            value(&self.context().volume),
            value(&self.context().share),
            value(&self.context().plays),
        ]
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        match input_of_deck(event) {
            Some(event) => self.apply(event, holds),
            None => self.replay(event, holds),
        }
    }

    fn transition_to(
        &mut self,
        to: <Self as Drive>::State,
        holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.transition_to(to, holds)
    }

    fn running_timers(&self) -> Vec<(String, i64)> {
        self.timers()
            .map(|(timer, after)| (
                ::statespec::Named::name(timer).to_owned(),
                after.as_micros(),
            ))
            .collect()
    }

    fn start_timers(
        state: ::statespec::ConfigurationOf<<Self as Drive>::State>,
        now: i64,
    ) -> Started {
        let timers = ::statespec::Timers::<
            <Self as Drive>::State,
            2,
        >::start(state, ::statespec::Timestamp::from_micros(now));
        timers
            .started()
            .map(|(timer, moment)| (
                ::statespec::Named::name(timer).to_owned(),
                moment.as_micros(),
            ))
            .collect()
    }

    fn observe_timers(
        started: &Started,
        change: &::statespec::Change<<Self as Drive>::State>,
        now: i64,
    ) -> Started {
        let before = started
            .iter()
            .map(|(name, moment)| (
                <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse(
                        name,
                    )
                    .expect("a timer"),
                ::statespec::Timestamp::from_micros(*moment),
            ));
        let mut timers = ::statespec::Timers::<
            <Self as Drive>::State,
            2,
        >::restore(before);
        timers.observe(change, ::statespec::Timestamp::from_micros(now));
        timers
            .started()
            .map(|(timer, moment)| (
                ::statespec::Named::name(timer).to_owned(),
                moment.as_micros(),
            ))
            .collect()
    }

    fn end_timer(started: &Started, timer: &str) -> Started {
        let before = started
            .iter()
            .map(|(name, moment)| (
                <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse(
                        name,
                    )
                    .expect("a timer"),
                ::statespec::Timestamp::from_micros(*moment),
            ));
        let mut timers = ::statespec::Timers::<
            <Self as Drive>::State,
            2,
        >::restore(before);
        timers
            .end(
                <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse(
                        timer,
                    )
                    .expect("a timer"),
            );
        timers
            .started()
            .map(|(timer, moment)| (
                ::statespec::Named::name(timer).to_owned(),
                moment.as_micros(),
            ))
            .collect()
    }

    fn due_timers(&self, started: &Started) -> (Started, Option<(String, i64)>) {
        let before = started
            .iter()
            .map(|(name, moment)| (
                <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse(
                        name,
                    )
                    .expect("a timer"),
                ::statespec::Timestamp::from_micros(*moment),
            ));
        let timers = ::statespec::Timers::<<Self as Drive>::State, 2>::restore(before);
        let named = |(timer, due): (_, ::statespec::Timestamp)| (
            ::statespec::Named::name(timer).to_owned(),
            due.as_micros(),
        );
        (timers.due(self).map(named).collect(), timers.next_due(self).map(named))
    }

    fn elapse(
        &mut self,
        started: &Started,
        holds: &Holds,
        now: i64,
    ) -> (
        Started,
        Option<
            (
                String,
                Result<
                    ::statespec::Change<<Self as Drive>::State>,
                    ::statespec::Refused<<Self as Drive>::State>,
                >,
            ),
        >,
    ) {
        let before = started
            .iter()
            .map(|(name, moment)| (
                <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse(
                        name,
                    )
                    .expect("a timer"),
                ::statespec::Timestamp::from_micros(*moment),
            ));
        let mut timers = ::statespec::Timers::<
            <Self as Drive>::State,
            2,
        >::restore(before);
        let elapsed = timers
            .elapse_with(self, holds, ::statespec::Timestamp::from_micros(now));
        (
            timers
                .started()
                .map(|(timer, moment)| (
                    ::statespec::Named::name(timer).to_owned(),
                    moment.as_micros(),
                ))
                .collect(),
            elapsed.map(|it| (::statespec::Named::name(it.timer).to_owned(), it.result)),
        )
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        if let Some(event) = input_of_deck(event) {
            return self.run(event, holds, log);
        }
        let long_ago = [(event.kind(), ::statespec::Timestamp::MIN)];
        let mut timers = ::statespec::Timers::<
            <Self as Drive>::State,
            2,
        >::restore(long_ago);
        let before = timers;
        let result = self.run_due(&mut timers, ::statespec::Timestamp::MAX, holds, log);
        match result {
            Some(result) => {
                assert_eq!(
                    timers,
                    timers_after(before, event.kind(), &result),
                    "the timers after a run",
                );
                result
            }
            None => {
                Err(
                    self
                        .clone()
                        .replay(event, holds)
                        .expect_err("it does not run")
                        .into(),
                )
            }
        }
    }

    fn run_to(
        &mut self,
        to: <Self as Drive>::State,
        holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run_to(to, holds, log)
    }
}

/// The event, if a caller can raise it.
fn input_of_deck(
    event: crate::emitted::deck::Recorded<&str>,
) -> Option<crate::emitted::deck::Event<&str>> {
    match event {
        crate::emitted::deck::Recorded::Press => Some(crate::emitted::deck::Event::Press),
        crate::emitted::deck::Recorded::Resume => {
            Some(crate::emitted::deck::Event::Resume)
        }
        crate::emitted::deck::Recorded::Insert { label } => {
            Some(crate::emitted::deck::Event::Insert {
                label,
            })
        }
        crate::emitted::deck::Recorded::Play => Some(crate::emitted::deck::Event::Play),
        crate::emitted::deck::Recorded::Stop => Some(crate::emitted::deck::Event::Stop),
        crate::emitted::deck::Recorded::Eject => Some(crate::emitted::deck::Event::Eject),
        crate::emitted::deck::Recorded::Show => Some(crate::emitted::deck::Event::Show),
        crate::emitted::deck::Recorded::Cycle => Some(crate::emitted::deck::Event::Cycle),
        crate::emitted::deck::Recorded::Split { parts } => {
            Some(crate::emitted::deck::Event::Split {
                parts,
            })
        }
        crate::emitted::deck::Recorded::Drop => Some(crate::emitted::deck::Event::Drop),
        crate::emitted::deck::Recorded::Finish => {
            Some(crate::emitted::deck::Event::Finish)
        }
        crate::emitted::deck::Recorded::Tune => Some(crate::emitted::deck::Event::Tune),
        crate::emitted::deck::Recorded::Go { place } => {
            Some(crate::emitted::deck::Event::Go {
                place,
            })
        }
        crate::emitted::deck::Recorded::Fix => Some(crate::emitted::deck::Event::Fix),
        crate::emitted::deck::Recorded::Chime => Some(crate::emitted::deck::Event::Chime),
        _ => None,
    }
}

impl crate::emitted::deck::Predicates<String> for Holds {
    fn is_clean(
        &self,
        _: &crate::emitted::deck::Context<String>,
        _: &crate::emitted::deck::Recorded<&str>,
    ) -> bool {
        self.holds("is_clean")
    }
}

impl crate::emitted::deck::Host<String> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::deck::Deck<String>,
        _: &crate::emitted::deck::Change,
    ) -> Result<(), String> {
        self.write()
    }

    fn click(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "click",
            payload: vec![],
            message: None,
        })
    }

    fn rewind(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "rewind",
            payload: vec![],
            message: None,
        })
    }

    fn light(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "light",
            payload: vec![],
            message: None,
        })
    }

    fn beep(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "beep",
            payload: vec![],
            message: None,
        })
    }
}

impl Drive for crate::emitted::direct::Direct<String, u64> {
    type State = crate::emitted::direct::State;

    type Event<'v> = ::statespec::Never;

    fn event<'v>(
        _name: &str,
        _payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        None
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::direct::Context {
                text: context.get(0),
                who: context.get(1),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![value(&self.context().text), value(&self.context().who)]
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn transition_to(
        &mut self,
        to: <Self as Drive>::State,
        holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.transition_to(to, holds)
    }

    fn run_to(
        &mut self,
        to: <Self as Drive>::State,
        holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run_to(to, holds, log)
    }
}

impl crate::emitted::direct::Predicates<String, u64> for Holds {
    fn may(&self, _: &crate::emitted::direct::Context<String, u64>) -> bool {
        self.holds("may")
    }

    fn must(&self, _: &crate::emitted::direct::Context<String, u64>) -> bool {
        self.holds("must")
    }
}

impl crate::emitted::direct::Host<String, u64> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::direct::Direct<String, u64>,
        _: &crate::emitted::direct::Change,
    ) -> Result<(), String> {
        self.write()
    }

    fn leave(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "leave",
            payload: vec![],
            message: None,
        })
    }

    fn arrive(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "arrive",
            payload: vec![],
            message: None,
        })
    }
}

impl Drive for crate::emitted::failing::Failing {
    type State = crate::emitted::failing::State;

    type Event<'v> = crate::emitted::failing::Event;

    fn event<'v>(
        name: &str,
        _payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "store_first" => crate::emitted::failing::Event::StoreFirst,
                "move_first" => crate::emitted::failing::Event::MoveFirst,
                "move_only" => crate::emitted::failing::Event::MoveOnly,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], _context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(state)
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, log)
    }
}

impl crate::emitted::failing::Host for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::failing::Failing,
        _: &crate::emitted::failing::Change,
    ) -> Result<(), String> {
        self.write()
    }

    fn prepare(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "prepare",
            payload: vec![],
            message: None,
        })
    }

    fn tell(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "tell",
            payload: vec![],
            message: None,
        })
    }
}

impl Drive for crate::emitted::fair::Fair {
    type State = crate::emitted::fair::Leaf;

    type Event<'v> = crate::emitted::fair::Event;

    fn event<'v>(
        name: &str,
        _payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "dusk" => crate::emitted::fair::Event::Dusk,
                "dawn" => crate::emitted::fair::Event::Dawn,
                "unlock" => crate::emitted::fair::Event::Unlock,
                "lock" => crate::emitted::fair::Event::Lock,
                "resume" => crate::emitted::fair::Event::Resume,
                "turn" => crate::emitted::fair::Event::Turn,
                "push" => crate::emitted::fair::Event::Push,
                "stop" => crate::emitted::fair::Event::Stop,
                "end" => crate::emitted::fair::Event::End,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let state = joined(leaves).parse().expect("a configuration");
        Self::restore(
            state,
            crate::emitted::fair::Context {
                last: context.optional_state(0),
                n_turns: context.get(1),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![state_value(machine, self.context().last), value(&self.context().n_turns)]
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, log)
    }
}

impl crate::emitted::fair::Host for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::fair::Fair,
        _: &crate::emitted::fair::Change,
    ) -> Result<(), String> {
        self.write()
    }

    fn bell(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "bell",
            payload: vec![],
            message: None,
        })
    }
}

impl Drive for crate::emitted::ferry::Ferry {
    type State = crate::emitted::ferry::State;

    type Event<'v> = crate::emitted::ferry::Recorded<&'v str, u64>;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "board" => {
                    crate::emitted::ferry::Recorded::Board {
                        passenger: payload.get(0),
                        name: payload.get(1),
                    }
                }
                "moored_timeout" => crate::emitted::ferry::Recorded::MooredTimeout,
                "crossing_timeout" => crate::emitted::ferry::Recorded::CrossingTimeout,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], _context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(state)
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        match input_of_ferry(event) {
            Some(event) => self.apply(event),
            None => self.replay(event),
        }
    }

    fn running_timers(&self) -> Vec<(String, i64)> {
        self.timers()
            .map(|(timer, after)| (
                ::statespec::Named::name(timer).to_owned(),
                after.as_micros(),
            ))
            .collect()
    }

    fn start_timers(
        state: ::statespec::ConfigurationOf<<Self as Drive>::State>,
        now: i64,
    ) -> Started {
        let timers = ::statespec::Timers::<
            <Self as Drive>::State,
            2,
        >::start(state, ::statespec::Timestamp::from_micros(now));
        timers
            .started()
            .map(|(timer, moment)| (
                ::statespec::Named::name(timer).to_owned(),
                moment.as_micros(),
            ))
            .collect()
    }

    fn observe_timers(
        started: &Started,
        change: &::statespec::Change<<Self as Drive>::State>,
        now: i64,
    ) -> Started {
        let before = started
            .iter()
            .map(|(name, moment)| (
                <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse(
                        name,
                    )
                    .expect("a timer"),
                ::statespec::Timestamp::from_micros(*moment),
            ));
        let mut timers = ::statespec::Timers::<
            <Self as Drive>::State,
            2,
        >::restore(before);
        timers.observe(change, ::statespec::Timestamp::from_micros(now));
        timers
            .started()
            .map(|(timer, moment)| (
                ::statespec::Named::name(timer).to_owned(),
                moment.as_micros(),
            ))
            .collect()
    }

    fn end_timer(started: &Started, timer: &str) -> Started {
        let before = started
            .iter()
            .map(|(name, moment)| (
                <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse(
                        name,
                    )
                    .expect("a timer"),
                ::statespec::Timestamp::from_micros(*moment),
            ));
        let mut timers = ::statespec::Timers::<
            <Self as Drive>::State,
            2,
        >::restore(before);
        timers
            .end(
                <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse(
                        timer,
                    )
                    .expect("a timer"),
            );
        timers
            .started()
            .map(|(timer, moment)| (
                ::statespec::Named::name(timer).to_owned(),
                moment.as_micros(),
            ))
            .collect()
    }

    fn due_timers(&self, started: &Started) -> (Started, Option<(String, i64)>) {
        let before = started
            .iter()
            .map(|(name, moment)| (
                <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse(
                        name,
                    )
                    .expect("a timer"),
                ::statespec::Timestamp::from_micros(*moment),
            ));
        let timers = ::statespec::Timers::<<Self as Drive>::State, 2>::restore(before);
        let named = |(timer, due): (_, ::statespec::Timestamp)| (
            ::statespec::Named::name(timer).to_owned(),
            due.as_micros(),
        );
        (timers.due(self).map(named).collect(), timers.next_due(self).map(named))
    }

    fn elapse(
        &mut self,
        started: &Started,
        _holds: &Holds,
        now: i64,
    ) -> (
        Started,
        Option<
            (
                String,
                Result<
                    ::statespec::Change<<Self as Drive>::State>,
                    ::statespec::Refused<<Self as Drive>::State>,
                >,
            ),
        >,
    ) {
        let before = started
            .iter()
            .map(|(name, moment)| (
                <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse(
                        name,
                    )
                    .expect("a timer"),
                ::statespec::Timestamp::from_micros(*moment),
            ));
        let mut timers = ::statespec::Timers::<
            <Self as Drive>::State,
            2,
        >::restore(before);
        let elapsed = timers
            .elapse_with(self, &(), ::statespec::Timestamp::from_micros(now));
        (
            timers
                .started()
                .map(|(timer, moment)| (
                    ::statespec::Named::name(timer).to_owned(),
                    moment.as_micros(),
                ))
                .collect(),
            elapsed.map(|it| (::statespec::Named::name(it.timer).to_owned(), it.result)),
        )
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        if let Some(event) = input_of_ferry(event) {
            return self.run(event, log);
        }
        let long_ago = [(event.kind(), ::statespec::Timestamp::MIN)];
        let mut timers = ::statespec::Timers::<
            <Self as Drive>::State,
            2,
        >::restore(long_ago);
        let before = timers;
        let result = self.run_due(&mut timers, ::statespec::Timestamp::MAX, log);
        match result {
            Some(result) => {
                assert_eq!(
                    timers,
                    timers_after(before, event.kind(), &result),
                    "the timers after a run",
                );
                result
            }
            None => Err(self.clone().replay(event).expect_err("it does not run").into()),
        }
    }
}

/// The event, if a caller can raise it.
fn input_of_ferry(
    event: crate::emitted::ferry::Recorded<&str, u64>,
) -> Option<crate::emitted::ferry::Event<&str, u64>> {
    match event {
        crate::emitted::ferry::Recorded::Board { passenger, name } => {
            Some(crate::emitted::ferry::Event::Board {
                passenger,
                name,
            })
        }
        _ => None,
    }
}

impl crate::emitted::ferry::Host for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::ferry::Ferry,
        _: &crate::emitted::ferry::Change,
    ) -> Result<(), String> {
        self.write()
    }
}

impl Drive for crate::emitted::r#fn::Fn {
    type State = crate::emitted::r#fn::State;

    type Event<'v> = crate::emitted::r#fn::Event;

    fn event<'v>(
        name: &str,
        _payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "plan" => crate::emitted::r#fn::Event::Plan,
                "do" => crate::emitted::r#fn::Event::Do,
                "write" => crate::emitted::r#fn::Event::Write,
                "again" => crate::emitted::r#fn::Event::Again,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::r#fn::Context {
                last: context.optional_state(0),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![state_value(machine, self.context().last)]
    }

    fn create(
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        (Self, ::statespec::Change<<Self as Drive>::State>),
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        Self::create(event)
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, log)
    }
}

impl crate::emitted::r#fn::Host for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::r#fn::Fn,
        _: &crate::emitted::r#fn::Change,
    ) -> Result<(), String> {
        self.write()
    }
}

impl Drive for crate::emitted::hall::Hall {
    type State = crate::emitted::hall::Leaf;

    type Event<'v> = crate::emitted::hall::Event;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "morning" => crate::emitted::hall::Event::Morning,
                "evening" => crate::emitted::hall::Event::Evening,
                "pay" => {
                    crate::emitted::hall::Event::Pay {
                        by: payload.state(0),
                    }
                }
                "count" => crate::emitted::hall::Event::Count,
                "alarm" => crate::emitted::hall::Event::Alarm,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let state = joined(leaves).parse().expect("a configuration");
        Self::restore(
            state,
            crate::emitted::hall::Context {
                sold: context.get(0),
                finished: context.get(1),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![value(&self.context().sold), value(&self.context().finished)]
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, log)
    }
}

impl crate::emitted::hall::Host for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::hall::Hall,
        _: &crate::emitted::hall::Change,
    ) -> Result<(), String> {
        self.write()
    }
}

impl Drive for crate::emitted::hand::Hand<String, u64> {
    type State = crate::emitted::hand::State;

    type Event<'v> = crate::emitted::hand::Event<&'v str>;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "hire" => {
                    crate::emitted::hand::Event::Hire {
                        load: payload.get(0),
                    }
                }
                "take" => {
                    crate::emitted::hand::Event::Take {
                        load: payload.get(0),
                        held: payload.get(1),
                    }
                }
                "give" => crate::emitted::hand::Event::Give,
                "note" => crate::emitted::hand::Event::Note,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::hand::Context {
                crew_id: context.get(0),
                load: context.get(1),
                held: context.get(2),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![
            value(&self.context().crew_id),
            value(&self.context().load),
            value(&self.context().held),
        ]
    }

    fn create(
        event: <Self as Drive>::Event<'_>,
        holds: &Holds,
    ) -> Result<
        (Self, ::statespec::Change<<Self as Drive>::State>),
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        Self::create(event, holds)
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event, holds)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, holds, log)
    }
}

impl crate::emitted::hand::Predicates<String, u64> for Holds {
    fn fit(
        &self,
        _: &crate::emitted::hand::Context<String, u64>,
        _: &crate::emitted::hand::Event<&str>,
    ) -> bool {
        self.holds("fit")
    }
}

impl crate::emitted::hand::Host<String, u64> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::hand::Hand<String, u64>,
        _: &crate::emitted::hand::Change,
    ) -> Result<(), String> {
        self.write()
    }

    fn check(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "check",
            payload: vec![],
            message: None,
        })
    }

    fn greet(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "greet",
            payload: vec![],
            message: None,
        })
    }

    fn report(&mut self, load: i64) -> Result<(), String> {
        self.perform(Effect {
            name: "report",
            payload: vec![ToValue::to_value(&load)],
            message: None,
        })
    }
}

impl Drive for crate::emitted::job::Job<String> {
    type State = crate::emitted::job::State;

    type Event<'v> = crate::emitted::job::Event<&'v str>;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "create" => {
                    crate::emitted::job::Event::Create {
                        title: payload.get(0),
                        n_steps: payload.get(1),
                        kind: payload.choice(2),
                    }
                }
                "begin" => crate::emitted::job::Event::Begin,
                "progress" => {
                    crate::emitted::job::Event::Progress {
                        why: payload.get(0),
                    }
                }
                "abandon" => crate::emitted::job::Event::Abandon,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::job::Context {
                n_done: context.get(0),
                wanted: context.get(1),
                name: context.get(2),
                size: context.choice(3),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![
            value(&self.context().n_done),
            value(&self.context().wanted),
            value(&self.context().name),
            choice_value(0, Some(self.context().size)),
        ]
    }

    fn create(
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        (Self, ::statespec::Change<<Self as Drive>::State>),
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        Self::create(event)
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, log)
    }
}

impl crate::emitted::job::Host<String> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::job::Job<String>,
        _: &crate::emitted::job::Change,
    ) -> Result<(), String> {
        self.write()
    }

    fn greet(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "greet",
            payload: vec![],
            message: None,
        })
    }

    fn note(&mut self, why: &str) -> Result<(), String> {
        self.perform(Effect {
            name: "note",
            payload: vec![ToValue::to_value(&why)],
            message: None,
        })
    }
}

impl Drive for crate::emitted::kiln::Kiln<String> {
    type State = crate::emitted::kiln::State;

    type Event<'v> = crate::emitted::kiln::Recorded<&'v str>;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "fire" => {
                    crate::emitted::kiln::Recorded::Fire {
                        ramp: payload.get(0),
                        cone: payload.get(1),
                    }
                }
                "slow_down" => crate::emitted::kiln::Recorded::SlowDown,
                "open" => crate::emitted::kiln::Recorded::Open,
                "heating_timeout" => crate::emitted::kiln::Recorded::HeatingTimeout,
                "soaking_timeout" => crate::emitted::kiln::Recorded::SoakingTimeout,
                "cooled" => crate::emitted::kiln::Recorded::Cooled,
                "watchdog" => crate::emitted::kiln::Recorded::Watchdog,
                "reminder" => crate::emitted::kiln::Recorded::Reminder,
                "venting_timeout" => crate::emitted::kiln::Recorded::VentingTimeout,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::kiln::Context {
                ramp: context.get(0),
                firings: context.get(1),
                cone: context.get(2),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![
            value(&self.context().ramp),
            value(&self.context().firings),
            value(&self.context().cone),
        ]
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        match input_of_kiln(event) {
            Some(event) => self.apply(event),
            None => self.replay(event),
        }
    }

    fn running_timers(&self) -> Vec<(String, i64)> {
        self.timers()
            .map(|(timer, after)| (
                ::statespec::Named::name(timer).to_owned(),
                after.as_micros(),
            ))
            .collect()
    }

    fn start_timers(
        state: ::statespec::ConfigurationOf<<Self as Drive>::State>,
        now: i64,
    ) -> Started {
        let timers = ::statespec::Timers::<
            <Self as Drive>::State,
            6,
        >::start(state, ::statespec::Timestamp::from_micros(now));
        timers
            .started()
            .map(|(timer, moment)| (
                ::statespec::Named::name(timer).to_owned(),
                moment.as_micros(),
            ))
            .collect()
    }

    fn observe_timers(
        started: &Started,
        change: &::statespec::Change<<Self as Drive>::State>,
        now: i64,
    ) -> Started {
        let before = started
            .iter()
            .map(|(name, moment)| (
                <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse(
                        name,
                    )
                    .expect("a timer"),
                ::statespec::Timestamp::from_micros(*moment),
            ));
        let mut timers = ::statespec::Timers::<
            <Self as Drive>::State,
            6,
        >::restore(before);
        timers.observe(change, ::statespec::Timestamp::from_micros(now));
        timers
            .started()
            .map(|(timer, moment)| (
                ::statespec::Named::name(timer).to_owned(),
                moment.as_micros(),
            ))
            .collect()
    }

    fn end_timer(started: &Started, timer: &str) -> Started {
        let before = started
            .iter()
            .map(|(name, moment)| (
                <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse(
                        name,
                    )
                    .expect("a timer"),
                ::statespec::Timestamp::from_micros(*moment),
            ));
        let mut timers = ::statespec::Timers::<
            <Self as Drive>::State,
            6,
        >::restore(before);
        timers
            .end(
                <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse(
                        timer,
                    )
                    .expect("a timer"),
            );
        timers
            .started()
            .map(|(timer, moment)| (
                ::statespec::Named::name(timer).to_owned(),
                moment.as_micros(),
            ))
            .collect()
    }

    fn due_timers(&self, started: &Started) -> (Started, Option<(String, i64)>) {
        let before = started
            .iter()
            .map(|(name, moment)| (
                <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse(
                        name,
                    )
                    .expect("a timer"),
                ::statespec::Timestamp::from_micros(*moment),
            ));
        let timers = ::statespec::Timers::<<Self as Drive>::State, 6>::restore(before);
        let named = |(timer, due): (_, ::statespec::Timestamp)| (
            ::statespec::Named::name(timer).to_owned(),
            due.as_micros(),
        );
        (timers.due(self).map(named).collect(), timers.next_due(self).map(named))
    }

    fn elapse(
        &mut self,
        started: &Started,
        _holds: &Holds,
        now: i64,
    ) -> (
        Started,
        Option<
            (
                String,
                Result<
                    ::statespec::Change<<Self as Drive>::State>,
                    ::statespec::Refused<<Self as Drive>::State>,
                >,
            ),
        >,
    ) {
        let before = started
            .iter()
            .map(|(name, moment)| (
                <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse(
                        name,
                    )
                    .expect("a timer"),
                ::statespec::Timestamp::from_micros(*moment),
            ));
        let mut timers = ::statespec::Timers::<
            <Self as Drive>::State,
            6,
        >::restore(before);
        let elapsed = timers
            .elapse_with(self, &(), ::statespec::Timestamp::from_micros(now));
        (
            timers
                .started()
                .map(|(timer, moment)| (
                    ::statespec::Named::name(timer).to_owned(),
                    moment.as_micros(),
                ))
                .collect(),
            elapsed.map(|it| (::statespec::Named::name(it.timer).to_owned(), it.result)),
        )
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        if let Some(event) = input_of_kiln(event) {
            return self.run(event, log);
        }
        let long_ago = [(event.kind(), ::statespec::Timestamp::MIN)];
        let mut timers = ::statespec::Timers::<
            <Self as Drive>::State,
            6,
        >::restore(long_ago);
        let before = timers;
        let result = self.run_due(&mut timers, ::statespec::Timestamp::MAX, log);
        match result {
            Some(result) => {
                assert_eq!(
                    timers,
                    timers_after(before, event.kind(), &result),
                    "the timers after a run",
                );
                result
            }
            None => Err(self.clone().replay(event).expect_err("it does not run").into()),
        }
    }
}

/// The event, if a caller can raise it.
fn input_of_kiln(
    event: crate::emitted::kiln::Recorded<&str>,
) -> Option<crate::emitted::kiln::Event<&str>> {
    match event {
        crate::emitted::kiln::Recorded::Fire { ramp, cone } => {
            Some(crate::emitted::kiln::Event::Fire {
                ramp,
                cone,
            })
        }
        crate::emitted::kiln::Recorded::SlowDown => {
            Some(crate::emitted::kiln::Event::SlowDown)
        }
        crate::emitted::kiln::Recorded::Open => Some(crate::emitted::kiln::Event::Open),
        _ => None,
    }
}

impl crate::emitted::kiln::Host<String> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::kiln::Kiln<String>,
        _: &crate::emitted::kiln::Change,
    ) -> Result<(), String> {
        self.write()
    }

    fn beep(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "beep",
            payload: vec![],
            message: None,
        })
    }

    fn tell(
        &mut self,
        firings: i64,
        cone: &str,
        from: Option<crate::emitted::kiln::State>,
        to: crate::emitted::kiln::State,
    ) -> Result<(), String> {
        self.perform(Effect {
            name: "tell",
            payload: vec![
                ToValue::to_value(&firings),
                ToValue::to_value(&cone),
                ToValue::to_value(&from.map(|it| ToString::to_string(&it))),
                ToValue::to_value(&ToString::to_string(&to)),
            ],
            message: None,
        })
    }
}

impl Drive for crate::emitted::knot::Knot {
    type State = crate::emitted::knot::State;

    type Event<'v> = ::statespec::Never;

    fn event<'v>(
        _name: &str,
        _payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        None
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::knot::Context {
                n: context.get(0),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![value(&self.context().n)]
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn transition_to(
        &mut self,
        to: <Self as Drive>::State,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.transition_to(to)
    }

    fn run_to(
        &mut self,
        to: <Self as Drive>::State,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run_to(to, log)
    }
}

impl crate::emitted::knot::Host for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::knot::Knot,
        _: &crate::emitted::knot::Change,
    ) -> Result<(), String> {
        self.write()
    }
}

impl Drive for crate::emitted::lease::Lease<String, u64> {
    type State = crate::emitted::lease::State;

    type Event<'v> = crate::emitted::lease::Event<&'v str, u64>;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "take" => {
                    crate::emitted::lease::Event::Take {
                        who: payload.get(0),
                        at: payload.get(1),
                        span: payload.get(2),
                    }
                }
                "retake" => {
                    crate::emitted::lease::Event::Retake {
                        span: payload.get(0),
                        at: payload.get(1),
                        who: payload.get(2),
                    }
                }
                "renew" => {
                    crate::emitted::lease::Event::Renew {
                        by: payload.get(0),
                        text: payload.get(1),
                    }
                }
                "extend" => {
                    crate::emitted::lease::Event::Extend {
                        self_: payload.get(0),
                        text: payload.get(1),
                        by: payload.get(2),
                    }
                }
                "rest" => crate::emitted::lease::Event::Rest,
                "send" => {
                    crate::emitted::lease::Event::Send {
                        to: payload.state(0),
                        why: payload.get(1),
                    }
                }
                "bring" => {
                    crate::emitted::lease::Event::Bring {
                        why: payload.get(0),
                        event: payload.get(1),
                        to: payload.state(2),
                    }
                }
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::lease::Context {
                expires_at: context.get(0),
                length: context.get(1),
                n_renewals: context.get(2),
                note: context.get(3),
                last_note: context.get(4),
                share: context.get(5),
                total: context.get(6),
                holder: context.get(7),
                former: context.get(8),
                tier: context.optional_choice(9),
                best: context.choice(10),
                back: context.optional_state(11),
                place: context.state(12),
                urgent: context.get(13),
                flag: context.get(14),
                r#type: context.get(15),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![
            value(&self.context().expires_at),
            value(&self.context().length),
            value(&self.context().n_renewals),
            value(&self.context().note),
            value(&self.context().last_note),
            value(&self.context().share),
            value(&self.context().total),
            value(&self.context().holder),
            value(&self.context().former),
            choice_value(0, self.context().tier),
            choice_value(0, Some(self.context().best)),
            state_value(machine, self.context().back),
            state_value(machine, Some(self.context().place)),
            value(&self.context().urgent),
            value(&self.context().flag),
            value(&self.context().r#type),
        ]
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event)
    }

    fn transition_to(
        &mut self,
        to: <Self as Drive>::State,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.transition_to(to)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, log)
    }

    fn run_to(
        &mut self,
        to: <Self as Drive>::State,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run_to(to, log)
    }
}

impl crate::emitted::lease::Host<String, u64> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::lease::Lease<String, u64>,
        _: &crate::emitted::lease::Change,
    ) -> Result<(), String> {
        self.write()
    }

    fn tell(
        &mut self,
        why: &str,
        to: crate::emitted::lease::State,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), String> {
        self.perform(Effect {
            name: "tell",
            payload: vec![
                ToValue::to_value(&why),
                ToValue::to_value(&ToString::to_string(&to)),
            ],
            message: Some(message.to_string()),
        })
    }
}

impl Drive for crate::emitted::lift::Lift {
    type State = crate::emitted::lift::State;

    type Event<'v> = crate::emitted::lift::Event;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "up" => crate::emitted::lift::Event::Up,
                "down" => crate::emitted::lift::Event::Down,
                "ride" => {
                    crate::emitted::lift::Event::Ride {
                        floors: payload.get(0),
                    }
                }
                "jam" => crate::emitted::lift::Event::Jam,
                "lock" => {
                    crate::emitted::lift::Event::Lock {
                        by_hand: payload.get(0),
                    }
                }
                "reset" => crate::emitted::lift::Event::Reset,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], _context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(state)
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event)
    }

    fn transition_to(
        &mut self,
        to: <Self as Drive>::State,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.transition_to(to)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, log)
    }

    fn run_to(
        &mut self,
        to: <Self as Drive>::State,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run_to(to, log)
    }
}

impl crate::emitted::lift::Host for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::lift::Lift,
        _: &crate::emitted::lift::Change,
    ) -> Result<(), String> {
        self.write()
    }
}

impl Drive for crate::emitted::option::Option_ {
    type State = crate::emitted::option::State;

    type Event<'v> = crate::emitted::option::Event;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "Ok" => {
                    crate::emitted::option::Event::Ok {
                        err: payload.choice(0),
                        host: payload.get(1),
                        step: payload.get(2),
                    }
                }
                "Err" => crate::emitted::option::Event::Err,
                "From" => {
                    crate::emitted::option::Event::From {
                        to: payload.state(0),
                    }
                }
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::option::Context {
                ok: context.choice(0),
                state: context.choice(1),
                r: context.choice(2),
                u8: context.get(3),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![
            choice_value(0, Some(self.context().ok)),
            choice_value(1, Some(self.context().state)),
            choice_value(3, Some(self.context().r)),
            value(&self.context().u8),
        ]
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, log)
    }
}

impl crate::emitted::option::Host for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::option::Option_,
        _: &crate::emitted::option::Change,
    ) -> Result<(), String> {
        self.write()
    }

    fn store_(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "store",
            payload: vec![],
            message: None,
        })
    }

    fn perform(
        &mut self,
        host_: i64,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), String> {
        self.perform(Effect {
            name: "perform",
            payload: vec![ToValue::to_value(&host_)],
            message: Some(message.to_string()),
        })
    }

    fn r#type(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "type",
            payload: vec![],
            message: None,
        })
    }
}

impl Drive for crate::emitted::outcome::Outcome_<u64> {
    type State = crate::emitted::outcome::State;

    type Event<'v> = crate::emitted::outcome::Event;

    fn event<'v>(
        name: &str,
        _payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "make" => crate::emitted::outcome::Event::Make,
                "close" => crate::emitted::outcome::Event::Close,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::outcome::Context {
                owner: context.get(0),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![value(&self.context().owner)]
    }

    fn create(
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        (Self, ::statespec::Change<<Self as Drive>::State>),
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        Self::create(event)
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, log)
    }
}

impl crate::emitted::outcome::Host<u64> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::outcome::Outcome_<u64>,
        _: &crate::emitted::outcome::Change,
    ) -> Result<(), String> {
        self.write()
    }
}

impl Drive for crate::emitted::payload_target::PayloadTarget<u64> {
    type State = crate::emitted::payload_target::State;

    type Event<'v> = crate::emitted::payload_target::Event;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "make" => crate::emitted::payload_target::Event::Make,
                "fix" => crate::emitted::payload_target::Event::Fix,
                "turn" => {
                    crate::emitted::payload_target::Event::Turn {
                        self_: payload.state(0),
                    }
                }
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::payload_target::Context {
                step_id: context.get(0),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![value(&self.context().step_id)]
    }

    fn create(
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        (Self, ::statespec::Change<<Self as Drive>::State>),
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        Self::create(event)
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, log)
    }
}

impl crate::emitted::payload_target::Host<u64> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::payload_target::PayloadTarget<u64>,
        _: &crate::emitted::payload_target::Change,
    ) -> Result<(), String> {
        self.write()
    }
}

impl Drive for crate::emitted::plant::Plant<String, u64> {
    type State = crate::emitted::plant::State;

    type Event<'v> = crate::emitted::plant::Event<&'v str, u64>;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "take" => {
                    crate::emitted::plant::Event::Take {
                        job: payload.get(0),
                        name: payload.get(1),
                    }
                }
                "release" => {
                    crate::emitted::plant::Event::Release {
                        name: payload.get(0),
                    }
                }
                "check" => crate::emitted::plant::Event::Check,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::plant::Context {
                load: context.get(0),
                last_job: context.get(1),
                label: context.get(2),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![
            value(&self.context().load),
            value(&self.context().last_job),
            value(&self.context().label),
        ]
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event, holds)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, holds, log)
    }
}

impl crate::emitted::plant::Predicates<String, u64> for Holds {
    fn powered(
        &self,
        _: &crate::emitted::plant::Context<String, u64>,
        _: &crate::emitted::plant::Event<&str, u64>,
    ) -> bool {
        self.holds("powered")
    }
}

impl crate::emitted::plant::Host<String, u64> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::plant::Plant<String, u64>,
        _: &crate::emitted::plant::Change,
    ) -> Result<(), String> {
        self.write()
    }

    fn wake(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "wake",
            payload: vec![],
            message: None,
        })
    }

    fn hum(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "hum",
            payload: vec![],
            message: None,
        })
    }

    fn quiet(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "quiet",
            payload: vec![],
            message: None,
        })
    }

    fn announce(
        &mut self,
        name: &str,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), String> {
        self.perform(Effect {
            name: "announce",
            payload: vec![ToValue::to_value(&name)],
            message: Some(message.to_string()),
        })
    }
}

impl Drive for crate::emitted::purse::Purse<String> {
    type State = crate::emitted::purse::State;

    type Event<'v> = crate::emitted::purse::Event<&'v str>;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "make" => {
                    crate::emitted::purse::Event::Make {
                        by: payload.get(0),
                        paid: payload.get(1),
                    }
                }
                "find" => {
                    crate::emitted::purse::Event::Find {
                        to: payload.state(0),
                        by: payload.get(1),
                    }
                }
                "put" => {
                    crate::emitted::purse::Event::Put {
                        by: payload.get(0),
                    }
                }
                "halve" => {
                    crate::emitted::purse::Event::Halve {
                        by: payload.get(0),
                        paid: payload.get(1),
                    }
                }
                "spend" => {
                    crate::emitted::purse::Event::Spend {
                        by: payload.get(0),
                    }
                }
                "write" => {
                    crate::emitted::purse::Event::Write {
                        text: payload.get(0),
                        more: payload.get(1),
                    }
                }
                "tick" => {
                    crate::emitted::purse::Event::Tick {
                        now: payload.get(0),
                    }
                }
                "send" => {
                    crate::emitted::purse::Event::Send {
                        by: payload.get(0),
                        to: payload.state(1),
                    }
                }
                "drain" => {
                    crate::emitted::purse::Event::Drain {
                        by: payload.get(0),
                    }
                }
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::purse::Context {
                coins: context.get(0),
                share: context.get(1),
                rest: context.get(2),
                price: context.get(3),
                rate: context.get(4),
                note: context.get(5),
                remark: context.get(6),
                since: context.get(7),
                flag: context.get(8),
                metal: context.choice(9),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![
            value(&self.context().coins),
            value(&self.context().share),
            value(&self.context().rest),
            value(&self.context().price),
            value(&self.context().rate),
            value(&self.context().note),
            value(&self.context().remark),
            value(&self.context().since),
            value(&self.context().flag),
            choice_value(0, Some(self.context().metal)),
        ]
    }

    fn create(
        event: <Self as Drive>::Event<'_>,
        holds: &Holds,
    ) -> Result<
        (Self, ::statespec::Change<<Self as Drive>::State>),
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        Self::create(event, holds)
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event, holds)
    }

    fn transition_to(
        &mut self,
        to: <Self as Drive>::State,
        holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.transition_to(to, holds)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, holds, log)
    }

    fn run_to(
        &mut self,
        to: <Self as Drive>::State,
        holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run_to(to, holds, log)
    }
}

impl crate::emitted::purse::Predicates<String> for Holds {
    fn may_split(
        &self,
        _: &crate::emitted::purse::Context<String>,
        _: &crate::emitted::purse::Event<&str>,
    ) -> bool {
        self.holds("may_split")
    }
}

impl crate::emitted::purse::Host<String> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::purse::Purse<String>,
        _: &crate::emitted::purse::Change,
    ) -> Result<(), String> {
        self.write()
    }
}

impl Drive for crate::emitted::shelf::Shelf<u64> {
    type State = crate::emitted::shelf::State;

    type Event<'v> = crate::emitted::shelf::Event;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "lift" => {
                    crate::emitted::shelf::Event::Lift {
                        weight: payload.get(0),
                    }
                }
                "lower" => crate::emitted::shelf::Event::Lower,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::shelf::Context {
                owner: context.get(0),
                weight: context.get(1),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![value(&self.context().owner), value(&self.context().weight)]
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, log)
    }
}

impl crate::emitted::shelf::Host<u64> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::shelf::Shelf<u64>,
        _: &crate::emitted::shelf::Change,
    ) -> Result<(), String> {
        self.write()
    }
}

impl Drive for crate::emitted::showcase::Showcase<String, u64> {
    type State = crate::emitted::showcase::State;

    type Event<'v> = crate::emitted::showcase::Event<&'v str, u64>;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "create" => {
                    crate::emitted::showcase::Event::Create {
                        founder: payload.get(0),
                        called: payload.get(1),
                    }
                }
                "move" => crate::emitted::showcase::Event::Move,
                "type" => {
                    crate::emitted::showcase::Event::Type {
                        context: payload.get(0),
                        event: payload.get(1),
                        self_: payload.choice(2),
                        r#match: payload.get(3),
                    }
                }
                "weigh" => {
                    crate::emitted::showcase::Event::Weigh {
                        weight: payload.get(0),
                        amount: payload.get(1),
                    }
                }
                "claim" => {
                    crate::emitted::showcase::Event::Claim {
                        by: payload.get(0),
                        now: payload.get(1),
                        r#for: payload.get(2),
                    }
                }
                "jump" => {
                    crate::emitted::showcase::Event::Jump {
                        target: payload.state(0),
                        wish: payload.optional_state(1),
                    }
                }
                "tick" => {
                    crate::emitted::showcase::Event::Tick {
                        level: payload.get(0),
                    }
                }
                "stop" => crate::emitted::showcase::Event::Stop,
                "nest" => crate::emitted::showcase::Event::Nest,
                "other" => crate::emitted::showcase::Event::Other,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::showcase::Context {
                count: context.get(0),
                r#type: context.choice(1),
                ratio: context.get(2),
                name: context.get(3),
                note: context.get(4),
                owner: context.get(5),
                claimed_at: context.get(6),
                patience: context.get(7),
                favourite: context.state(8),
                wanted: context.optional_state(9),
                done: context.get(10),
                maybe: context.get(11),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![
            value(&self.context().count),
            choice_value(0, Some(self.context().r#type)),
            value(&self.context().ratio),
            value(&self.context().name),
            value(&self.context().note),
            value(&self.context().owner),
            value(&self.context().claimed_at),
            value(&self.context().patience),
            state_value(machine, Some(self.context().favourite)),
            state_value(machine, self.context().wanted),
            value(&self.context().done),
            value(&self.context().maybe),
        ]
    }

    fn create(
        event: <Self as Drive>::Event<'_>,
        holds: &Holds,
    ) -> Result<
        (Self, ::statespec::Change<<Self as Drive>::State>),
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        Self::create(event, holds)
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event, holds)
    }

    fn transition_to(
        &mut self,
        to: <Self as Drive>::State,
        holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.transition_to(to, holds)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, holds, log)
    }

    fn run_to(
        &mut self,
        to: <Self as Drive>::State,
        holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run_to(to, holds, log)
    }
}

impl crate::emitted::showcase::Predicates<String, u64> for Holds {
    fn ready(&self, _: &crate::emitted::showcase::Context<String, u64>) -> bool {
        self.holds("ready")
    }

    fn quiet(
        &self,
        _: &crate::emitted::showcase::Context<String, u64>,
        _: &crate::emitted::showcase::Event<&str, u64>,
    ) -> bool {
        self.holds("quiet")
    }
}

impl crate::emitted::showcase::Host<String, u64> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::showcase::Showcase<String, u64>,
        _: &crate::emitted::showcase::Change,
    ) -> Result<(), String> {
        self.write()
    }

    fn enter_busy(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "enter_busy",
            payload: vec![],
            message: None,
        })
    }

    fn leave_busy(
        &mut self,
        from: Option<crate::emitted::showcase::State>,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), String> {
        self.perform(Effect {
            name: "leave_busy",
            payload: vec![ToValue::to_value(&from.map(|it| ToString::to_string(&it)))],
            message: Some(message.to_string()),
        })
    }

    fn enter_fast(
        &mut self,
        r#type: crate::emitted::showcase::Kind,
        name: &str,
        note: Option<&str>,
        owner: Option<u64>,
        claimed_at: Option<::statespec::Timestamp>,
        wanted: Option<crate::emitted::showcase::State>,
        count: i64,
        from: Option<crate::emitted::showcase::State>,
        to: crate::emitted::showcase::State,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), String> {
        self.perform(Effect {
            name: "enter_fast",
            payload: vec![
                ToValue::to_value(&ToString::to_string(&r#type)),
                ToValue::to_value(&name),
                ToValue::to_value(&note),
                ToValue::to_value(&owner),
                ToValue::to_value(&claimed_at),
                ToValue::to_value(&wanted.map(|it| ToString::to_string(&it))),
                ToValue::to_value(&count),
                ToValue::to_value(&from.map(|it| ToString::to_string(&it))),
                ToValue::to_value(&ToString::to_string(&to)),
            ],
            message: Some(message.to_string()),
        })
    }

    fn leave_fast(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "leave_fast",
            payload: vec![],
            message: None,
        })
    }

    fn tell(
        &mut self,
        context_: &str,
        event_: i64,
        favourite: crate::emitted::showcase::State,
        ratio: ::statespec::Decimal,
        maybe: Option<bool>,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), String> {
        self.perform(Effect {
            name: "tell",
            payload: vec![
                ToValue::to_value(&context_),
                ToValue::to_value(&event_),
                ToValue::to_value(&ToString::to_string(&favourite)),
                ToValue::to_value(&ratio),
                ToValue::to_value(&maybe),
            ],
            message: Some(message.to_string()),
        })
    }

    fn claim_it(
        &mut self,
        by: u64,
        r#for: Option<::statespec::Duration>,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), String> {
        self.perform(Effect {
            name: "claim_it",
            payload: vec![ToValue::to_value(&by), ToValue::to_value(&r#for)],
            message: Some(message.to_string()),
        })
    }

    fn shout(&mut self, message: ::core::fmt::Arguments<'_>) -> Result<(), String> {
        self.perform(Effect {
            name: "shout",
            payload: vec![],
            message: Some(message.to_string()),
        })
    }

    fn unused(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "unused",
            payload: vec![],
            message: None,
        })
    }
}

impl Drive for crate::emitted::single_state::SingleState {
    type State = crate::emitted::single_state::State;

    type Event<'v> = ::statespec::Never;

    fn event<'v>(
        _name: &str,
        _payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        None
    }

    fn at(leaves: &[<Self as Drive>::State], _context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(state)
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }
}

impl crate::emitted::single_state::Host for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::single_state::SingleState,
        _: &crate::emitted::single_state::Change,
    ) -> Result<(), String> {
        self.write()
    }
}

impl Drive for crate::emitted::slot::Slot<String> {
    type State = crate::emitted::slot::State;

    type Event<'v> = crate::emitted::slot::Event<&'v str>;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "set" => {
                    crate::emitted::slot::Event::Set {
                        n: payload.get(0),
                        ratio: payload.get(1),
                    }
                }
                "name" => {
                    crate::emitted::slot::Event::Name {
                        label: payload.get(0),
                        size: payload.get(1),
                    }
                }
                "go" => {
                    crate::emitted::slot::Event::Go {
                        n: payload.get(0),
                    }
                }
                "rest" => crate::emitted::slot::Event::Rest,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::slot::Context {
                metal: context.choice(0),
                n: context.get(1),
                ratio: context.get(2),
                label: context.get(3),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![
            choice_value(0, Some(self.context().metal)),
            value(&self.context().n),
            value(&self.context().ratio),
            value(&self.context().label),
        ]
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, log)
    }
}

impl crate::emitted::slot::Host<String> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::slot::Slot<String>,
        _: &crate::emitted::slot::Change,
    ) -> Result<(), String> {
        self.write()
    }
}

impl Drive for crate::emitted::step::Step<String, u64> {
    type State = crate::emitted::step::State;

    type Event<'v> = crate::emitted::step::Event<&'v str>;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "plan" => {
                    crate::emitted::step::Event::Plan {
                        text: payload.get(0),
                    }
                }
                "bolt_fixed" => crate::emitted::step::Event::BoltFixed,
                "finish" => crate::emitted::step::Event::Finish,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::step::Context {
                job_id: context.get(0),
                remark: context.get(1),
                n_bolts: context.get(2),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![
            value(&self.context().job_id),
            value(&self.context().remark),
            value(&self.context().n_bolts),
        ]
    }

    fn create(
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        (Self, ::statespec::Change<<Self as Drive>::State>),
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        Self::create(event)
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, log)
    }
}

impl crate::emitted::step::Host<String, u64> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::step::Step<String, u64>,
        _: &crate::emitted::step::Change,
    ) -> Result<(), String> {
        self.write()
    }

    fn celebrate(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "celebrate",
            payload: vec![],
            message: None,
        })
    }
}

impl Drive for crate::emitted::studio::Studio {
    type State = crate::emitted::studio::Leaf;

    type Event<'v> = crate::emitted::studio::Event;

    fn event<'v>(
        name: &str,
        _payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "enter" => crate::emitted::studio::Event::Enter,
                "resume" => crate::emitted::studio::Event::Resume,
                "reset" => crate::emitted::studio::Event::Reset,
                "tune" => crate::emitted::studio::Event::Tune,
                "change" => crate::emitted::studio::Event::Change,
                "record" => crate::emitted::studio::Event::Record,
                "leave" => crate::emitted::studio::Event::Leave,
                "wipe" => crate::emitted::studio::Event::Wipe,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let state = joined(leaves).parse().expect("a configuration");
        Self::restore(
            state,
            crate::emitted::studio::Context {
                tone: context.optional_state(0),
                bank: context.optional_state(1),
                tape: context.optional_state(2),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![
            state_value(machine, self.context().tone),
            state_value(machine, self.context().bank),
            state_value(machine, self.context().tape),
        ]
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, log)
    }
}

impl crate::emitted::studio::Host for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::studio::Studio,
        _: &crate::emitted::studio::Change,
    ) -> Result<(), String> {
        self.write()
    }
}

impl Drive for crate::emitted::voucher::Voucher<u64> {
    type State = crate::emitted::voucher::State;

    type Event<'v> = crate::emitted::voucher::Event;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "buy" => {
                    crate::emitted::voucher::Event::Buy {
                        number: payload.get(0),
                        member: payload.get(1),
                    }
                }
                "use" => crate::emitted::voucher::Event::Use,
                "spend" => crate::emitted::voucher::Event::Spend,
                "refund" => crate::emitted::voucher::Event::Refund,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::voucher::Context {
                bay_id: context.get(0),
                number: context.get(1),
                member: context.get(2),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![
            value(&self.context().bay_id),
            value(&self.context().number),
            value(&self.context().member),
        ]
    }

    fn create(
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        (Self, ::statespec::Change<<Self as Drive>::State>),
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        Self::create(event)
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, log)
    }
}

impl crate::emitted::voucher::Host<u64> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::voucher::Voucher<u64>,
        _: &crate::emitted::voucher::Change,
    ) -> Result<(), String> {
        self.write()
    }
}

impl Drive for crate::emitted::yard::Yard {
    type State = crate::emitted::yard::State;

    type Event<'v> = crate::emitted::yard::Event;

    fn event<'v>(
        name: &str,
        _payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "fill" => crate::emitted::yard::Event::Fill,
                "calm" => crate::emitted::yard::Event::Calm,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::yard::Context {
                n_full: context.get(0),
            },
        )
    }

    fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_lang::model::Machine,
    ) -> Vec<::statespec_lang::model::Value> {
        vec![value(&self.context().n_full)]
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: <Self as Drive>::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<<Self as Drive>::State>,
        ::statespec::RunError<<Self as Drive>::State, String>,
    > {
        self.run(event, log)
    }
}

impl crate::emitted::yard::Host for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::yard::Yard,
        _: &crate::emitted::yard::Change,
    ) -> Result<(), String> {
        self.write()
    }
}

/// A unit of work in memory.
#[derive(Debug, Default)]
pub(crate) struct CarWashInMemory {
    log: Log,
    hall: Kept<crate::emitted::hall::Hall>,
    bay: Kept<crate::emitted::bay::Bay>,
    voucher: Kept<crate::emitted::voucher::Voucher<u64>>,
}

impl ::statespec::Unit for CarWashInMemory {
    type Key = u64;

    type Error = String;

    fn begin(&mut self) -> Result<(), String> {
        self.hall.begin();
        self.bay.begin();
        self.voucher.begin();
        Ok(())
    }

    fn commit(&mut self, order: ::statespec::Commit) -> Result<(), String> {
        let written = if order == ::statespec::Commit::MemoryOnly {
            Ok(())
        } else {
            self.log.write()
        };
        if written.is_ok() || order == ::statespec::Commit::MemoryFirst {
            self.hall.commit();
            self.bay.commit();
            self.voucher.commit();
        }
        written
    }

    fn rollback(&mut self) {
        self.hall.begin();
        self.bay.begin();
        self.voucher.begin();
    }
}

impl crate::emitted::car_wash::UnitOfWork for CarWashInMemory {
    fn load_hall(&mut self) -> Result<Option<crate::emitted::hall::Hall>, String> {
        Ok(self.hall.get(1))
    }

    fn save_hall(
        &mut self,
        before: Option<&crate::emitted::hall::Hall>,
        after: &crate::emitted::hall::Hall,
    ) -> Result<(), String> {
        self.hall.put(1, before, after)
    }

    fn load_bay(
        &mut self,
        key: u64,
    ) -> Result<Option<crate::emitted::bay::Bay>, String> {
        Ok(self.bay.get(key))
    }

    fn save_bay(
        &mut self,
        key: u64,
        before: Option<&crate::emitted::bay::Bay>,
        after: &crate::emitted::bay::Bay,
    ) -> Result<(), String> {
        self.bay.put(key, before, after)
    }

    fn perform_bay(
        &mut self,
        key: u64,
        effect: crate::emitted::bay::Effect,
    ) -> Result<(), String> {
        self.log.speak_of("bay", key);
        effect.perform(&mut self.log)
    }

    fn new_voucher(&mut self) -> Result<u64, String> {
        Ok(self.voucher.next_key())
    }

    fn load_voucher(
        &mut self,
        key: u64,
    ) -> Result<Option<crate::emitted::voucher::Voucher<u64>>, String> {
        Ok(self.voucher.get(key))
    }

    fn save_voucher(
        &mut self,
        key: u64,
        before: Option<&crate::emitted::voucher::Voucher<u64>>,
        after: &crate::emitted::voucher::Voucher<u64>,
    ) -> Result<(), String> {
        self.voucher.put(key, before, after)
    }

    fn next_voucher(
        &mut self,
        after: Option<u64>,
    ) -> Result<Option<(u64, crate::emitted::voucher::Voucher<u64>)>, String> {
        Ok(self.voucher.after(after))
    }
}

impl DriveSystem for CarWashInMemory {
    const SYSTEM: &'static str = "car_wash";

    fn log(&mut self) -> &mut Log {
        &mut self.log
    }

    fn named(transaction: &str) -> &'static [&'static str] {
        match transaction {
            "open_up" => &[],
            "close_up" => &[],
            "unlock" => &["bay"],
            "pay" => &[],
            "buy" => &["bay"],
            "wash" => &["voucher"],
            "lift" => &["bay"],
            "drop" => &["bay"],
            "soaped" => &["bay"],
            "rinsed" => &["bay"],
            "leave" => &["voucher"],
            "clear" => &["bay"],
            "move_over" => &["bay", "spare"],
            "jam" => &["bay"],
            "repair" => &["bay"],
            _ => &[],
        }
    }

    fn created(transaction: &str) -> &'static [&'static str] {
        match transaction {
            "buy" => &["voucher"],
            _ => &[],
        }
    }

    fn run(
        &mut self,
        transaction: &str,
        chosen: &Numbers,
        payload: &SystemValues<'_>,
    ) -> Result<(), String> {
        let _ = (chosen, payload);
        match transaction {
            "open_up" => {
                crate::emitted::car_wash::open_up(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "close_up" => {
                crate::emitted::car_wash::close_up(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "unlock" => {
                crate::emitted::car_wash::unlock(self, chosen.number("bay"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "pay" => {
                crate::emitted::car_wash::pay(self, payload.state(0, "hall"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "buy" => {
                self.voucher.want(chosen.0.get("voucher").copied());
                crate::emitted::car_wash::buy(
                        self,
                        chosen.number("bay"),
                        payload.get(0),
                        payload.get(1),
                        payload.state(2, "hall"),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "wash" => {
                crate::emitted::car_wash::wash(self, chosen.number("voucher"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "lift" => {
                crate::emitted::car_wash::lift(self, chosen.number("bay"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "drop" => {
                crate::emitted::car_wash::drop(self, chosen.number("bay"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "soaped" => {
                crate::emitted::car_wash::soaped(self, chosen.number("bay"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "rinsed" => {
                crate::emitted::car_wash::rinsed(self, chosen.number("bay"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "leave" => {
                crate::emitted::car_wash::leave(self, chosen.number("voucher"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "clear" => {
                crate::emitted::car_wash::clear(self, chosen.number("bay"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "move_over" => {
                crate::emitted::car_wash::move_over(
                        self,
                        chosen.number("bay"),
                        chosen.number("spare"),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "jam" => {
                crate::emitted::car_wash::jam(self, chosen.number("bay"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "repair" => {
                crate::emitted::car_wash::repair(self, chosen.number("bay"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            _ => panic!("there is no such transaction"),
        }
    }

    fn instances(
        &self,
        part: &str,
        model: &::statespec_lang::model::Model,
    ) -> Instances {
        match part {
            "hall" => self.hall.told(model, "hall"),
            "bay" => self.bay.told(model, "bay"),
            "voucher" => self.voucher.told(model, "voucher"),
            _ => panic!("there is no such part"),
        }
    }

    fn check(&mut self) -> Result<(), String> {
        crate::emitted::car_wash::check_invariants(self).map_err(|it| it.to_string())
    }
}

/// A unit of work in memory.
#[derive(Debug, Default)]
pub(crate) struct DeskInMemory {
    log: Log,
    tenant: Kept<crate::emitted::outcome::Outcome_<u64>>,
    into: Kept<crate::emitted::outcome::Outcome_<u64>>,
    _1: Kept<crate::emitted::outcome::Outcome_<u64>>,
}

impl ::statespec::Unit for DeskInMemory {
    type Key = u64;

    type Error = String;

    fn begin(&mut self) -> Result<(), String> {
        self.tenant.begin();
        self.into.begin();
        self._1.begin();
        Ok(())
    }

    fn commit(&mut self, order: ::statespec::Commit) -> Result<(), String> {
        let written = if order == ::statespec::Commit::MemoryOnly {
            Ok(())
        } else {
            self.log.write()
        };
        if written.is_ok() || order == ::statespec::Commit::MemoryFirst {
            self.tenant.commit();
            self.into.commit();
            self._1.commit();
        }
        written
    }

    fn rollback(&mut self) {
        self.tenant.begin();
        self.into.begin();
        self._1.begin();
    }
}

impl crate::emitted::desk::UnitOfWork for DeskInMemory {
    fn new_tenant(&mut self) -> Result<u64, String> {
        Ok(self.tenant.next_key())
    }

    fn load_tenant(
        &mut self,
        key: u64,
    ) -> Result<Option<crate::emitted::outcome::Outcome_<u64>>, String> {
        Ok(self.tenant.get(key))
    }

    fn save_tenant(
        &mut self,
        key: u64,
        before: Option<&crate::emitted::outcome::Outcome_<u64>>,
        after: &crate::emitted::outcome::Outcome_<u64>,
    ) -> Result<(), String> {
        self.tenant.put(key, before, after)
    }

    fn new_into(&mut self) -> Result<u64, String> {
        Ok(self.into.next_key())
    }

    fn load_into(
        &mut self,
        key: u64,
    ) -> Result<Option<crate::emitted::outcome::Outcome_<u64>>, String> {
        Ok(self.into.get(key))
    }

    fn save_into(
        &mut self,
        key: u64,
        before: Option<&crate::emitted::outcome::Outcome_<u64>>,
        after: &crate::emitted::outcome::Outcome_<u64>,
    ) -> Result<(), String> {
        self.into.put(key, before, after)
    }

    fn load_part_1(
        &mut self,
    ) -> Result<Option<crate::emitted::outcome::Outcome_<u64>>, String> {
        Ok(self._1.get(1))
    }

    fn save_part_1(
        &mut self,
        before: Option<&crate::emitted::outcome::Outcome_<u64>>,
        after: &crate::emitted::outcome::Outcome_<u64>,
    ) -> Result<(), String> {
        self._1.put(1, before, after)
    }
}

impl DriveSystem for DeskInMemory {
    const SYSTEM: &'static str = "desk";

    fn log(&mut self) -> &mut Log {
        &mut self.log
    }

    fn named(transaction: &str) -> &'static [&'static str] {
        match transaction {
            "move_in" => &[],
            "move_out" => &["tenant"],
            "write" => &["tenant"],
            "close" => &["into"],
            "first" => &[],
            _ => &[],
        }
    }

    fn created(transaction: &str) -> &'static [&'static str] {
        match transaction {
            "move_in" => &["tenant"],
            "write" => &["into"],
            _ => &[],
        }
    }

    fn run(
        &mut self,
        transaction: &str,
        chosen: &Numbers,
        payload: &SystemValues<'_>,
    ) -> Result<(), String> {
        let _ = (chosen, payload);
        match transaction {
            "move_in" => {
                self.tenant.want(chosen.0.get("tenant").copied());
                crate::emitted::desk::move_in(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "move_out" => {
                crate::emitted::desk::move_out(self, chosen.number("tenant"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "write" => {
                self.into.want(chosen.0.get("into").copied());
                crate::emitted::desk::write(self, chosen.number("tenant"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "close" => {
                crate::emitted::desk::close(self, chosen.number("into"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "first" => {
                crate::emitted::desk::first(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            _ => panic!("there is no such transaction"),
        }
    }

    fn instances(
        &self,
        part: &str,
        model: &::statespec_lang::model::Model,
    ) -> Instances {
        match part {
            "tenant" => self.tenant.told(model, "outcome"),
            "into" => self.into.told(model, "outcome"),
            "_1" => self._1.told(model, "outcome"),
            _ => panic!("there is no such part"),
        }
    }
}

/// A unit of work in memory.
#[derive(Debug, Default)]
pub(crate) struct DispatchInMemory {
    log: Log,
    yard: Kept<crate::emitted::yard::Yard>,
    crew: Kept<crate::emitted::crew::Crew<u64>>,
    hand: Kept<crate::emitted::hand::Hand<String, u64>>,
    badge: Kept<crate::emitted::badge::Badge<u64>>,
}

impl ::statespec::Unit for DispatchInMemory {
    type Key = u64;

    type Error = String;

    fn begin(&mut self) -> Result<(), String> {
        self.yard.begin();
        self.crew.begin();
        self.hand.begin();
        self.badge.begin();
        Ok(())
    }

    fn commit(&mut self, order: ::statespec::Commit) -> Result<(), String> {
        let written = if order == ::statespec::Commit::MemoryOnly {
            Ok(())
        } else {
            self.log.write()
        };
        if written.is_ok() || order == ::statespec::Commit::MemoryFirst {
            self.yard.commit();
            self.crew.commit();
            self.hand.commit();
            self.badge.commit();
        }
        written
    }

    fn rollback(&mut self) {
        self.yard.begin();
        self.crew.begin();
        self.hand.begin();
        self.badge.begin();
    }
}

impl crate::emitted::dispatch::UnitOfWork for DispatchInMemory {
    type Text = String;

    fn yard_key(&mut self) -> Result<u64, String> {
        Ok(1)
    }

    fn load_yard(&mut self) -> Result<Option<crate::emitted::yard::Yard>, String> {
        Ok(self.yard.get(1))
    }

    fn save_yard(
        &mut self,
        before: Option<&crate::emitted::yard::Yard>,
        after: &crate::emitted::yard::Yard,
    ) -> Result<(), String> {
        self.yard.put(1, before, after)
    }

    fn new_crew(&mut self) -> Result<u64, String> {
        Ok(self.crew.next_key())
    }

    fn load_crew(
        &mut self,
        key: u64,
    ) -> Result<Option<crate::emitted::crew::Crew<u64>>, String> {
        Ok(self.crew.get(key))
    }

    fn save_crew(
        &mut self,
        key: u64,
        before: Option<&crate::emitted::crew::Crew<u64>>,
        after: &crate::emitted::crew::Crew<u64>,
    ) -> Result<(), String> {
        self.crew.put(key, before, after)
    }

    fn next_crew(
        &mut self,
        after: Option<u64>,
    ) -> Result<Option<(u64, crate::emitted::crew::Crew<u64>)>, String> {
        Ok(self.crew.after(after))
    }

    fn perform_crew(
        &mut self,
        key: u64,
        effect: crate::emitted::crew::Effect,
    ) -> Result<(), String> {
        self.log.speak_of("crew", key);
        effect.perform::<u64, _>(&mut self.log)
    }

    fn new_hand(&mut self) -> Result<u64, String> {
        Ok(self.hand.next_key())
    }

    fn load_hand(
        &mut self,
        key: u64,
    ) -> Result<Option<crate::emitted::hand::Hand<String, u64>>, String> {
        Ok(self.hand.get(key))
    }

    fn save_hand(
        &mut self,
        key: u64,
        before: Option<&crate::emitted::hand::Hand<String, u64>>,
        after: &crate::emitted::hand::Hand<String, u64>,
    ) -> Result<(), String> {
        self.hand.put(key, before, after)
    }

    fn next_hand(
        &mut self,
        after: Option<u64>,
    ) -> Result<Option<(u64, crate::emitted::hand::Hand<String, u64>)>, String> {
        Ok(self.hand.after(after))
    }

    fn perform_hand(
        &mut self,
        key: u64,
        effect: crate::emitted::hand::Effect,
    ) -> Result<(), String> {
        self.log.speak_of("hand", key);
        effect.perform::<String, u64, _>(&mut self.log)
    }

    type HandPredicates = Holds;

    fn hand_predicates(&mut self) -> Result<Holds, String> {
        Ok(self.log.holds.of("hand"))
    }

    fn load_badge(
        &mut self,
        key: u64,
    ) -> Result<Option<crate::emitted::badge::Badge<u64>>, String> {
        Ok(self.badge.get(key))
    }

    fn save_badge(
        &mut self,
        key: u64,
        before: Option<&crate::emitted::badge::Badge<u64>>,
        after: &crate::emitted::badge::Badge<u64>,
    ) -> Result<(), String> {
        self.badge.put(key, before, after)
    }
}

impl DriveSystem for DispatchInMemory {
    const SYSTEM: &'static str = "dispatch";

    fn log(&mut self) -> &mut Log {
        &mut self.log
    }

    fn named(transaction: &str) -> &'static [&'static str] {
        match transaction {
            "found" => &[],
            "hire" => &["crew"],
            "hire_two" => &["crew"],
            "found_two" => &[],
            "take" => &["hand"],
            "give" => &["hand"],
            "hand_over" => &["hand", "other", "third"],
            "praise" => &["crew", "newcomer", "rival"],
            "greet" => &["hand", "other"],
            "compare" => &["hand", "rival"],
            "flip" => &["crew", "badge"],
            "flip_both" => &["crew", "badge", "spare"],
            "calm" => &[],
            _ => &[],
        }
    }

    fn created(transaction: &str) -> &'static [&'static str] {
        match transaction {
            "found" => &["crew"],
            "hire" => &["hand"],
            "hire_two" => &["hand", "mate"],
            "found_two" => &["crew", "second"],
            _ => &[],
        }
    }

    fn run(
        &mut self,
        transaction: &str,
        chosen: &Numbers,
        payload: &SystemValues<'_>,
    ) -> Result<(), String> {
        let _ = (chosen, payload);
        match transaction {
            "found" => {
                self.crew.want(chosen.0.get("crew").copied());
                crate::emitted::dispatch::found(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "hire" => {
                self.hand.want(chosen.0.get("hand").copied());
                crate::emitted::dispatch::hire(
                        self,
                        chosen.number("crew"),
                        payload.get(0),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "hire_two" => {
                self.hand.want(chosen.0.get("hand").copied());
                self.hand.want(chosen.0.get("mate").copied());
                crate::emitted::dispatch::hire_two(
                        self,
                        chosen.number("crew"),
                        payload.get(0),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "found_two" => {
                self.crew.want(chosen.0.get("crew").copied());
                self.crew.want(chosen.0.get("second").copied());
                crate::emitted::dispatch::found_two(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "take" => {
                crate::emitted::dispatch::take(
                        self,
                        chosen.number("hand"),
                        payload.get(0),
                        payload.get(1),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "give" => {
                crate::emitted::dispatch::give(self, chosen.number("hand"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "hand_over" => {
                crate::emitted::dispatch::hand_over(
                        self,
                        chosen.number("hand"),
                        chosen.number("other"),
                        chosen.number("third"),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "praise" => {
                crate::emitted::dispatch::praise(
                        self,
                        chosen.number("crew"),
                        chosen.number("newcomer"),
                        chosen.number("rival"),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "greet" => {
                crate::emitted::dispatch::greet(
                        self,
                        chosen.number("hand"),
                        chosen.number("other"),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "compare" => {
                crate::emitted::dispatch::compare(
                        self,
                        chosen.number("hand"),
                        chosen.number("rival"),
                        payload.get(0),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "flip" => {
                crate::emitted::dispatch::flip(
                        self,
                        chosen.number("crew"),
                        chosen.number("badge"),
                        payload.get(0),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "flip_both" => {
                crate::emitted::dispatch::flip_both(
                        self,
                        chosen.number("crew"),
                        chosen.number("badge"),
                        chosen.number("spare"),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "calm" => {
                crate::emitted::dispatch::calm(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            _ => panic!("there is no such transaction"),
        }
    }

    fn instances(
        &self,
        part: &str,
        model: &::statespec_lang::model::Model,
    ) -> Instances {
        match part {
            "yard" => self.yard.told(model, "yard"),
            "crew" => self.crew.told(model, "crew"),
            "hand" => self.hand.told(model, "hand"),
            "badge" => self.badge.told(model, "badge"),
            _ => panic!("there is no such part"),
        }
    }

    fn check(&mut self) -> Result<(), String> {
        crate::emitted::dispatch::check_invariants(self).map_err(|it| it.to_string())
    }
}

/// A unit of work in memory.
#[derive(Debug, Default)]
pub(crate) struct FailuresInMemory {
    log: Log,
    failing: Kept<crate::emitted::failing::Failing>,
}

impl ::statespec::Unit for FailuresInMemory {
    type Key = u64;

    type Error = String;

    fn begin(&mut self) -> Result<(), String> {
        self.failing.begin();
        Ok(())
    }

    fn commit(&mut self, order: ::statespec::Commit) -> Result<(), String> {
        let written = if order == ::statespec::Commit::MemoryOnly {
            Ok(())
        } else {
            self.log.write()
        };
        if written.is_ok() || order == ::statespec::Commit::MemoryFirst {
            self.failing.commit();
        }
        written
    }

    fn rollback(&mut self) {
        self.failing.begin();
    }
}

impl crate::emitted::failures::UnitOfWork for FailuresInMemory {
    fn load_failing(
        &mut self,
    ) -> Result<Option<crate::emitted::failing::Failing>, String> {
        Ok(self.failing.get(1))
    }

    fn save_failing(
        &mut self,
        before: Option<&crate::emitted::failing::Failing>,
        after: &crate::emitted::failing::Failing,
    ) -> Result<(), String> {
        self.failing.put(1, before, after)
    }

    fn perform_failing(
        &mut self,
        effect: crate::emitted::failing::Effect,
    ) -> Result<(), String> {
        self.log.speak_of("failing", 1);
        effect.perform(&mut self.log)
    }
}

impl DriveSystem for FailuresInMemory {
    const SYSTEM: &'static str = "failures";

    fn log(&mut self) -> &mut Log {
        &mut self.log
    }

    fn named(transaction: &str) -> &'static [&'static str] {
        match transaction {
            "store_first" => &[],
            "move_first" => &[],
            "move_only" => &[],
            _ => &[],
        }
    }

    fn run(
        &mut self,
        transaction: &str,
        chosen: &Numbers,
        payload: &SystemValues<'_>,
    ) -> Result<(), String> {
        let _ = (chosen, payload);
        match transaction {
            "store_first" => {
                crate::emitted::failures::store_first(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "move_first" => {
                crate::emitted::failures::move_first(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "move_only" => {
                crate::emitted::failures::move_only(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            _ => panic!("there is no such transaction"),
        }
    }

    fn instances(
        &self,
        part: &str,
        model: &::statespec_lang::model::Model,
    ) -> Instances {
        match part {
            "failing" => self.failing.told(model, "failing"),
            _ => panic!("there is no such part"),
        }
    }
}

/// A unit of work in memory.
#[derive(Debug, Default)]
pub(crate) struct RackInMemory {
    log: Log,
    base: Kept<crate::emitted::shelf::Shelf<u64>>,
    owner: Kept<crate::emitted::shelf::Shelf<u64>>,
    _1: Kept<crate::emitted::shelf::Shelf<u64>>,
}

impl ::statespec::Unit for RackInMemory {
    type Key = u64;

    type Error = String;

    fn begin(&mut self) -> Result<(), String> {
        self.base.begin();
        self.owner.begin();
        self._1.begin();
        Ok(())
    }

    fn commit(&mut self, order: ::statespec::Commit) -> Result<(), String> {
        let written = if order == ::statespec::Commit::MemoryOnly {
            Ok(())
        } else {
            self.log.write()
        };
        if written.is_ok() || order == ::statespec::Commit::MemoryFirst {
            self.base.commit();
            self.owner.commit();
            self._1.commit();
        }
        written
    }

    fn rollback(&mut self) {
        self.base.begin();
        self.owner.begin();
        self._1.begin();
    }
}

impl crate::emitted::rack::UnitOfWork for RackInMemory {
    fn base_key(&mut self) -> Result<u64, String> {
        Ok(1)
    }

    fn load_base(
        &mut self,
    ) -> Result<Option<crate::emitted::shelf::Shelf<u64>>, String> {
        Ok(self.base.get(1))
    }

    fn save_base(
        &mut self,
        before: Option<&crate::emitted::shelf::Shelf<u64>>,
        after: &crate::emitted::shelf::Shelf<u64>,
    ) -> Result<(), String> {
        self.base.put(1, before, after)
    }

    fn load_owner(
        &mut self,
    ) -> Result<Option<crate::emitted::shelf::Shelf<u64>>, String> {
        Ok(self.owner.get(1))
    }

    fn save_owner(
        &mut self,
        before: Option<&crate::emitted::shelf::Shelf<u64>>,
        after: &crate::emitted::shelf::Shelf<u64>,
    ) -> Result<(), String> {
        self.owner.put(1, before, after)
    }

    fn load_part_1(
        &mut self,
    ) -> Result<Option<crate::emitted::shelf::Shelf<u64>>, String> {
        Ok(self._1.get(1))
    }

    fn save_part_1(
        &mut self,
        before: Option<&crate::emitted::shelf::Shelf<u64>>,
        after: &crate::emitted::shelf::Shelf<u64>,
    ) -> Result<(), String> {
        self._1.put(1, before, after)
    }
}

impl DriveSystem for RackInMemory {
    const SYSTEM: &'static str = "rack";

    fn log(&mut self) -> &mut Log {
        &mut self.log
    }

    fn named(transaction: &str) -> &'static [&'static str] {
        match transaction {
            "lift" => &[],
            "lift_both" => &[],
            "lower" => &[],
            _ => &[],
        }
    }

    fn run(
        &mut self,
        transaction: &str,
        chosen: &Numbers,
        payload: &SystemValues<'_>,
    ) -> Result<(), String> {
        let _ = (chosen, payload);
        match transaction {
            "lift" => {
                crate::emitted::rack::lift(self, payload.get(0))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "lift_both" => {
                crate::emitted::rack::lift_both(self, payload.get(0))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "lower" => {
                crate::emitted::rack::lower(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            _ => panic!("there is no such transaction"),
        }
    }

    fn instances(
        &self,
        part: &str,
        model: &::statespec_lang::model::Model,
    ) -> Instances {
        match part {
            "base" => self.base.told(model, "shelf"),
            "owner" => self.owner.told(model, "shelf"),
            "_1" => self._1.told(model, "shelf"),
            _ => panic!("there is no such part"),
        }
    }

    fn check(&mut self) -> Result<(), String> {
        crate::emitted::rack::check_invariants(self).map_err(|it| it.to_string())
    }
}

/// A unit of work in memory.
#[derive(Debug, Default)]
pub(crate) struct TillInMemory {
    log: Log,
    left: Kept<crate::emitted::slot::Slot<String>>,
    right: Kept<crate::emitted::slot::Slot<String>>,
}

impl ::statespec::Unit for TillInMemory {
    type Key = u64;

    type Error = String;

    fn begin(&mut self) -> Result<(), String> {
        self.left.begin();
        self.right.begin();
        Ok(())
    }

    fn commit(&mut self, order: ::statespec::Commit) -> Result<(), String> {
        let written = if order == ::statespec::Commit::MemoryOnly {
            Ok(())
        } else {
            self.log.write()
        };
        if written.is_ok() || order == ::statespec::Commit::MemoryFirst {
            self.left.commit();
            self.right.commit();
        }
        written
    }

    fn rollback(&mut self) {
        self.left.begin();
        self.right.begin();
    }
}

impl crate::emitted::till::UnitOfWork for TillInMemory {
    type Text = String;

    fn load_left(
        &mut self,
    ) -> Result<Option<crate::emitted::slot::Slot<String>>, String> {
        Ok(self.left.get(1))
    }

    fn save_left(
        &mut self,
        before: Option<&crate::emitted::slot::Slot<String>>,
        after: &crate::emitted::slot::Slot<String>,
    ) -> Result<(), String> {
        self.left.put(1, before, after)
    }

    fn load_right(
        &mut self,
    ) -> Result<Option<crate::emitted::slot::Slot<String>>, String> {
        Ok(self.right.get(1))
    }

    fn save_right(
        &mut self,
        before: Option<&crate::emitted::slot::Slot<String>>,
        after: &crate::emitted::slot::Slot<String>,
    ) -> Result<(), String> {
        self.right.put(1, before, after)
    }
}

impl DriveSystem for TillInMemory {
    const SYSTEM: &'static str = "till";

    fn log(&mut self) -> &mut Log {
        &mut self.log
    }

    fn named(transaction: &str) -> &'static [&'static str] {
        match transaction {
            "set_left" => &[],
            "set_right" => &[],
            "name" => &[],
            "rename" => &[],
            "go" => &[],
            "rest" => &[],
            "rest_right" => &[],
            _ => &[],
        }
    }

    fn run(
        &mut self,
        transaction: &str,
        chosen: &Numbers,
        payload: &SystemValues<'_>,
    ) -> Result<(), String> {
        let _ = (chosen, payload);
        match transaction {
            "set_left" => {
                crate::emitted::till::set_left(self, payload.get(0), payload.get(1))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "set_right" => {
                crate::emitted::till::set_right(self, payload.get(0), payload.get(1))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "name" => {
                crate::emitted::till::name(self, payload.get(0), payload.get(1))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "rename" => {
                crate::emitted::till::rename(self, payload.get(0))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "go" => {
                crate::emitted::till::go(self, payload.get(0))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "rest" => {
                crate::emitted::till::rest(self).map(|_| ()).map_err(|it| it.to_string())
            }
            "rest_right" => {
                crate::emitted::till::rest_right(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            _ => panic!("there is no such transaction"),
        }
    }

    fn instances(
        &self,
        part: &str,
        model: &::statespec_lang::model::Model,
    ) -> Instances {
        match part {
            "left" => self.left.told(model, "slot"),
            "right" => self.right.told(model, "slot"),
            _ => panic!("there is no such part"),
        }
    }

    fn check(&mut self) -> Result<(), String> {
        crate::emitted::till::check_invariants(self).map_err(|it| it.to_string())
    }
}

/// A unit of work in memory.
#[derive(Debug, Default)]
pub(crate) struct WorkshopInMemory {
    log: Log,
    plant: Kept<crate::emitted::plant::Plant<String, u64>>,
    job: Kept<crate::emitted::job::Job<String>>,
    step: Kept<crate::emitted::step::Step<String, u64>>,
    bolt: Kept<crate::emitted::payload_target::PayloadTarget<u64>>,
}

impl ::statespec::Unit for WorkshopInMemory {
    type Key = u64;

    type Error = String;

    fn begin(&mut self) -> Result<(), String> {
        self.plant.begin();
        self.job.begin();
        self.step.begin();
        self.bolt.begin();
        Ok(())
    }

    fn commit(&mut self, order: ::statespec::Commit) -> Result<(), String> {
        let written = if order == ::statespec::Commit::MemoryOnly {
            Ok(())
        } else {
            self.log.write()
        };
        if written.is_ok() || order == ::statespec::Commit::MemoryFirst {
            self.plant.commit();
            self.job.commit();
            self.step.commit();
            self.bolt.commit();
        }
        written
    }

    fn rollback(&mut self) {
        self.plant.begin();
        self.job.begin();
        self.step.begin();
        self.bolt.begin();
    }
}

impl crate::emitted::workshop::UnitOfWork for WorkshopInMemory {
    type Text = String;

    fn load_plant(
        &mut self,
    ) -> Result<Option<crate::emitted::plant::Plant<String, u64>>, String> {
        Ok(self.plant.get(1))
    }

    fn save_plant(
        &mut self,
        before: Option<&crate::emitted::plant::Plant<String, u64>>,
        after: &crate::emitted::plant::Plant<String, u64>,
    ) -> Result<(), String> {
        self.plant.put(1, before, after)
    }

    fn perform_plant(
        &mut self,
        effect: crate::emitted::plant::Effect<&str>,
    ) -> Result<(), String> {
        self.log.speak_of("plant", 1);
        effect.perform::<String, u64, _>(&mut self.log)
    }

    type PlantPredicates = Holds;

    fn plant_predicates(&mut self) -> Result<Holds, String> {
        Ok(self.log.holds.of("plant"))
    }

    fn new_job(&mut self) -> Result<u64, String> {
        Ok(self.job.next_key())
    }

    fn load_job(
        &mut self,
        key: u64,
    ) -> Result<Option<crate::emitted::job::Job<String>>, String> {
        Ok(self.job.get(key))
    }

    fn save_job(
        &mut self,
        key: u64,
        before: Option<&crate::emitted::job::Job<String>>,
        after: &crate::emitted::job::Job<String>,
    ) -> Result<(), String> {
        self.job.put(key, before, after)
    }

    fn next_job(
        &mut self,
        after: Option<u64>,
    ) -> Result<Option<(u64, crate::emitted::job::Job<String>)>, String> {
        Ok(self.job.after(after))
    }

    fn perform_job(
        &mut self,
        key: u64,
        effect: crate::emitted::job::Effect<&str>,
    ) -> Result<(), String> {
        self.log.speak_of("job", key);
        effect.perform::<String, _>(&mut self.log)
    }

    fn new_step(&mut self) -> Result<u64, String> {
        Ok(self.step.next_key())
    }

    fn load_step(
        &mut self,
        key: u64,
    ) -> Result<Option<crate::emitted::step::Step<String, u64>>, String> {
        Ok(self.step.get(key))
    }

    fn save_step(
        &mut self,
        key: u64,
        before: Option<&crate::emitted::step::Step<String, u64>>,
        after: &crate::emitted::step::Step<String, u64>,
    ) -> Result<(), String> {
        self.step.put(key, before, after)
    }

    fn next_step(
        &mut self,
        after: Option<u64>,
    ) -> Result<Option<(u64, crate::emitted::step::Step<String, u64>)>, String> {
        Ok(self.step.after(after))
    }

    fn perform_step(
        &mut self,
        key: u64,
        effect: crate::emitted::step::Effect,
    ) -> Result<(), String> {
        self.log.speak_of("step", key);
        effect.perform::<String, u64, _>(&mut self.log)
    }

    fn new_bolt(&mut self) -> Result<u64, String> {
        Ok(self.bolt.next_key())
    }

    fn load_bolt(
        &mut self,
        key: u64,
    ) -> Result<Option<crate::emitted::payload_target::PayloadTarget<u64>>, String> {
        Ok(self.bolt.get(key))
    }

    fn save_bolt(
        &mut self,
        key: u64,
        before: Option<&crate::emitted::payload_target::PayloadTarget<u64>>,
        after: &crate::emitted::payload_target::PayloadTarget<u64>,
    ) -> Result<(), String> {
        self.bolt.put(key, before, after)
    }

    fn next_bolt(
        &mut self,
        after: Option<u64>,
    ) -> Result<
        Option<(u64, crate::emitted::payload_target::PayloadTarget<u64>)>,
        String,
    > {
        Ok(self.bolt.after(after))
    }
}

impl DriveSystem for WorkshopInMemory {
    const SYSTEM: &'static str = "workshop";

    fn log(&mut self) -> &mut Log {
        &mut self.log
    }

    fn named(transaction: &str) -> &'static [&'static str] {
        match transaction {
            "accept" => &[],
            "begin" => &["job"],
            "plan" => &["job"],
            "make" => &["step"],
            "fix" => &["bolt"],
            "turn" => &["bolt"],
            "reset" => &["bolt"],
            "finish" => &["step"],
            "abandon" => &["job"],
            "check" => &[],
            "match" => &[],
            _ => &[],
        }
    }

    fn created(transaction: &str) -> &'static [&'static str] {
        match transaction {
            "accept" => &["job"],
            "plan" => &["step"],
            "make" => &["bolt"],
            _ => &[],
        }
    }

    fn run(
        &mut self,
        transaction: &str,
        chosen: &Numbers,
        payload: &SystemValues<'_>,
    ) -> Result<(), String> {
        let _ = (chosen, payload);
        match transaction {
            "accept" => {
                self.job.want(chosen.0.get("job").copied());
                crate::emitted::workshop::accept(
                        self,
                        payload.get(0),
                        payload.get(1),
                        payload.choice(2),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "begin" => {
                crate::emitted::workshop::begin(self, chosen.number("job"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "plan" => {
                self.step.want(chosen.0.get("step").copied());
                crate::emitted::workshop::plan_(
                        self,
                        chosen.number("job"),
                        payload.get(0),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "make" => {
                self.bolt.want(chosen.0.get("bolt").copied());
                crate::emitted::workshop::make(self, chosen.number("step"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "fix" => {
                crate::emitted::workshop::fix(self, chosen.number("bolt"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "turn" => {
                crate::emitted::workshop::turn(
                        self,
                        chosen.number("bolt"),
                        payload.state(0, "payload_target"),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "reset" => {
                crate::emitted::workshop::reset(self, chosen.number("bolt"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "finish" => {
                crate::emitted::workshop::finish(self, chosen.number("step"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "abandon" => {
                crate::emitted::workshop::abandon(self, chosen.number("job"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "check" => {
                crate::emitted::workshop::check(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "match" => {
                crate::emitted::workshop::r#match(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            _ => panic!("there is no such transaction"),
        }
    }

    fn instances(
        &self,
        part: &str,
        model: &::statespec_lang::model::Model,
    ) -> Instances {
        match part {
            "plant" => self.plant.told(model, "plant"),
            "job" => self.job.told(model, "job"),
            "step" => self.step.told(model, "step"),
            "bolt" => self.bolt.told(model, "payload_target"),
            _ => panic!("there is no such part"),
        }
    }

    fn check(&mut self) -> Result<(), String> {
        crate::emitted::workshop::check_invariants(self).map_err(|it| it.to_string())
    }
}
