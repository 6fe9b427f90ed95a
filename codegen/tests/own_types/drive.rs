//! Drives every emitted machine and system by name.

use crate::support::*;

/// Visits every machine.
pub(crate) fn each_machine(visit: &mut impl VisitMachines) {
    visit.machine::<crate::emitted::account::Account<String>>();
    visit.machine::<crate::emitted::lease::Lease<String, u64>>();
    visit.machine::<crate::emitted::vault::Vault>();
}

/// Visits every system.
pub(crate) fn each_system(visit: &mut impl VisitSystems) {
    visit.system::<BankInMemory>();
}

impl Drive for crate::emitted::account::Account<String> {
    type State = crate::emitted::account::State;

    type Event<'v> = crate::emitted::account::Recorded<&'v str>;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "create" => {
                    crate::emitted::account::Recorded::Create {
                        balance: payload.get(0),
                        at: payload.get(1),
                    }
                }
                "deposit" => {
                    crate::emitted::account::Recorded::Deposit {
                        amount: payload.get(0),
                        why: payload.get(1),
                    }
                }
                "draw" => {
                    crate::emitted::account::Recorded::Draw {
                        amount: payload.get(0),
                        at: payload.get(1),
                    }
                }
                "count" => crate::emitted::account::Recorded::Count,
                "rate" => {
                    crate::emitted::account::Recorded::Rate {
                        rate: payload.get(0),
                        wait: payload.get(1),
                    }
                }
                "frozen_timeout" => crate::emitted::account::Recorded::FrozenTimeout,
                "idle" => crate::emitted::account::Recorded::Idle,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::account::Context {
                balance: context.get(0),
                reserve: context.get(1),
                opened_at: context.get(2),
                waited: context.get(3),
                rate: context.get(4),
                step: context.get(5),
                remark: context.get(6),
                trusted: context.get(7),
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
            value(&self.context().balance),
            value(&self.context().reserve),
            value(&self.context().opened_at),
            value(&self.context().waited),
            value(&self.context().rate),
            value(&self.context().step),
            value(&self.context().remark),
            value(&self.context().trusted),
        ]
    }

    fn create(
        event: <Self as Drive>::Event<'_>,
        holds: &Holds,
    ) -> Result<
        (Self, ::statespec::Change<<Self as Drive>::State>),
        ::statespec::Refused<<Self as Drive>::State>,
    > {
        let Some(event) = input_of_account(event) else {
            return Err(
                ::statespec::Refused::of_event(
                    None,
                    event.kind(),
                    ::statespec::Reason::NoTransition,
                    None,
                ),
            );
        };
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
        match input_of_account(event) {
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
        if let Some(event) = input_of_account(event) {
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
fn input_of_account(
    event: crate::emitted::account::Recorded<&str>,
) -> Option<crate::emitted::account::Event<&str>> {
    match event {
        crate::emitted::account::Recorded::Create { balance, at } => {
            Some(crate::emitted::account::Event::Create {
                balance,
                at,
            })
        }
        crate::emitted::account::Recorded::Deposit { amount, why } => {
            Some(crate::emitted::account::Event::Deposit {
                amount,
                why,
            })
        }
        crate::emitted::account::Recorded::Draw { amount, at } => {
            Some(crate::emitted::account::Event::Draw {
                amount,
                at,
            })
        }
        crate::emitted::account::Recorded::Count => {
            Some(crate::emitted::account::Event::Count)
        }
        crate::emitted::account::Recorded::Rate { rate, wait } => {
            Some(crate::emitted::account::Event::Rate {
                rate,
                wait,
            })
        }
        _ => None,
    }
}

impl crate::emitted::account::Predicates<String> for Holds {
    fn known(&self, _: &crate::emitted::account::Context<String>) -> bool {
        self.holds("known")
    }
}

impl crate::emitted::account::Host<String> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::account::Account<String>,
        _: &crate::emitted::account::Change,
    ) -> Result<(), String> {
        self.write()
    }

    fn report(
        &mut self,
        amount: i128,
        balance: i64,
        opened_at: Option<std::time::SystemTime>,
        waited: jiff::SignedDuration,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), String> {
        self.perform(Effect {
            name: "report",
            payload: vec![
                ToValue::to_value(&amount),
                ToValue::to_value(&balance),
                ToValue::to_value(&opened_at),
                ToValue::to_value(&waited),
            ],
            message: Some(message.to_string()),
        })
    }

    fn note(&mut self, balance: i64, reserve: Option<i128>) -> Result<(), String> {
        self.perform(Effect {
            name: "note",
            payload: vec![ToValue::to_value(&balance), ToValue::to_value(&reserve)],
            message: None,
        })
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
        Self::new().ok()
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

impl Drive for crate::emitted::vault::Vault {
    type State = crate::emitted::vault::State;

    type Event<'v> = crate::emitted::vault::Event;

    fn event<'v>(
        name: &str,
        payload: &Values<'v>,
    ) -> Option<<Self as Drive>::Event<'v>> {
        Some(
            match name {
                "add" => {
                    crate::emitted::vault::Event::Add {
                        amount: payload.get(0),
                        at: payload.get(1),
                    }
                }
                "shut" => crate::emitted::vault::Event::Shut,
                _ => return None,
            },
        )
    }

    fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
        let [state] = *leaves else { panic!("one leaf") };
        Self::restore(
            state,
            crate::emitted::vault::Context {
                total: context.get(0),
                seen_at: context.get(1),
                opened_for: context.get(2),
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
            value(&self.context().total),
            value(&self.context().seen_at),
            value(&self.context().opened_for),
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

impl crate::emitted::vault::Host for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &crate::emitted::vault::Vault,
        _: &crate::emitted::vault::Change,
    ) -> Result<(), String> {
        self.write()
    }
}

/// A unit of work in memory.
#[derive(Debug, Default)]
pub(crate) struct BankInMemory {
    log: Log,
    vault: Kept<crate::emitted::vault::Vault>,
    account: Kept<crate::emitted::account::Account<String>>,
}

impl ::statespec::Unit for BankInMemory {
    type Key = u64;

    type Error = String;

    fn begin(&mut self) -> Result<(), String> {
        self.vault.begin();
        self.account.begin();
        Ok(())
    }

    fn commit(&mut self, order: ::statespec::Commit) -> Result<(), String> {
        let written = if order == ::statespec::Commit::MemoryOnly {
            Ok(())
        } else {
            self.log.write()
        };
        if written.is_ok() || order == ::statespec::Commit::MemoryFirst {
            self.vault.commit();
            self.account.commit();
        }
        written
    }

    fn rollback(&mut self) {
        self.vault.begin();
        self.account.begin();
    }
}

impl crate::emitted::bank::UnitOfWork for BankInMemory {
    type Text = String;

    fn load_vault(&mut self) -> Result<Option<crate::emitted::vault::Vault>, String> {
        Ok(self.vault.get(1))
    }

    fn save_vault(
        &mut self,
        before: Option<&crate::emitted::vault::Vault>,
        after: &crate::emitted::vault::Vault,
    ) -> Result<(), String> {
        self.vault.put(1, before, after)
    }

    fn new_account(&mut self) -> Result<u64, String> {
        Ok(self.account.next_key())
    }

    fn load_account(
        &mut self,
        key: u64,
    ) -> Result<Option<crate::emitted::account::Account<String>>, String> {
        Ok(self.account.get(key))
    }

    fn save_account(
        &mut self,
        key: u64,
        before: Option<&crate::emitted::account::Account<String>>,
        after: &crate::emitted::account::Account<String>,
    ) -> Result<(), String> {
        self.account.put(key, before, after)
    }

    fn next_account(
        &mut self,
        after: Option<u64>,
    ) -> Result<Option<(u64, crate::emitted::account::Account<String>)>, String> {
        Ok(self.account.after(after))
    }

    fn perform_account(
        &mut self,
        key: u64,
        effect: crate::emitted::account::Effect,
    ) -> Result<(), String> {
        self.log.speak_of("account", key);
        effect.perform::<String, _>(&mut self.log)
    }

    type AccountPredicates = Holds;

    fn account_predicates(&mut self) -> Result<Holds, String> {
        Ok(self.log.holds.of("account"))
    }
}

impl DriveSystem for BankInMemory {
    const SYSTEM: &'static str = "bank";

    fn log(&mut self) -> &mut Log {
        &mut self.log
    }

    fn named(transaction: &str) -> &'static [&'static str] {
        match transaction {
            "open" => &[],
            "deposit" => &["account"],
            "draw" => &["account"],
            "rate" => &["account"],
            _ => &[],
        }
    }

    fn created(transaction: &str) -> &'static [&'static str] {
        match transaction {
            "open" => &["account"],
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
            "open" => {
                self.account.want(chosen.0.get("account").copied());
                crate::emitted::bank::open(self, payload.get(0), payload.get(1))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "deposit" => {
                crate::emitted::bank::deposit(
                        self,
                        chosen.number("account"),
                        payload.get(0),
                        payload.get(1),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "draw" => {
                crate::emitted::bank::draw(
                        self,
                        chosen.number("account"),
                        payload.get(0),
                        payload.get(1),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "rate" => {
                crate::emitted::bank::rate(
                        self,
                        chosen.number("account"),
                        payload.get(0),
                        payload.get(1),
                    )
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
            "vault" => self.vault.told(model, "vault"),
            "account" => self.account.told(model, "account"),
            _ => panic!("there is no such part"),
        }
    }

    fn check(&mut self) -> Result<(), String> {
        crate::emitted::bank::check_invariants(self).map_err(|it| it.to_string())
    }
}
