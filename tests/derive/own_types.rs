//! Types of a program that hold the numbers and times of a spec, and structs with parameters.
//!
//! The tests of `statespec-codegen` compare emitted modules of this kind with the interpreter.
#![cfg(all(feature = "std", feature = "chrono", feature = "jiff"))]

use std::time::{Duration as StdDuration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Utc};
use statespec::{Decimal, Holds, Reason, RunError, StateMachine, Timestamp};
use uuid::Uuid;

/// A number of the user's own, up to 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Percent(u8);

impl Holds<i64> for Percent {
    fn load(self) -> Option<i64> {
        Some(self.0.into())
    }

    fn store(value: i64) -> Option<Self> {
        u8::try_from(value).ok().filter(|it| *it <= 100).map(Percent)
    }
}

mod with_jiff {
    use super::*;

    #[derive(Debug, Clone, PartialEq, StateMachine)]
    #[machine("tests/own_types/subscription.yaml", types(timestamp = "jiff::Timestamp", duration = "jiff::SignedDuration", int = "u64"))]
    pub(super) struct Subscription {
        pub(super) state: SubscriptionState,
        pub(super) attempts: u32,
        #[machine(held)]
        pub(super) credit: Percent,
        pub(super) paid_until: Option<jiff::Timestamp>,
        pub(super) grace: jiff::SignedDuration,
        pub(super) price: Decimal,
        pub(super) owner: Option<Uuid>,
    }
}

use with_jiff::{Subscription, SubscriptionEvent, SubscriptionHost, SubscriptionState};

fn jiff(second: i64) -> jiff::Timestamp {
    jiff::Timestamp::from_second(second).unwrap()
}

fn subscription() -> Subscription {
    Subscription::new().unwrap()
}

fn pay(now: i64) -> SubscriptionEvent {
    SubscriptionEvent::Pay { now: jiff(now), lasts: jiff::SignedDuration::from_secs(30), by: Uuid::from_u128(7) }
}

#[test]
fn fields_decide_by_their_types() {
    let mut subscription = subscription();
    assert_eq!((subscription.credit, subscription.grace), (Percent(10), jiff::SignedDuration::from_secs(60)));
    subscription.apply(SubscriptionEvent::Miss { count: 2 }).unwrap();
    assert_eq!(subscription.attempts, 2);
    subscription.apply(pay(100)).unwrap();
    assert_eq!((subscription.paid_until, subscription.owner), (Some(jiff(130)), Some(Uuid::from_u128(7))));
    assert_eq!(subscription.apply(SubscriptionEvent::Check { now: jiff(190) }).unwrap_err().reason(), Reason::Guard);
    subscription.apply(SubscriptionEvent::Check { now: jiff(191) }).unwrap();
    assert_eq!(subscription.state(), SubscriptionState::Lapsed);
}

/// Every way to a value that does not fit: the event is refused, says why, and changes nothing.
#[test]
fn a_value_that_does_not_fit_refuses_the_event() {
    let mut machine = Subscription { attempts: u32::MAX, ..subscription() };
    let refuse = |machine: &mut Subscription, event: SubscriptionEvent, field: &str| {
        let before = machine.clone();
        assert_eq!(machine.plan(event).unwrap_err().field(), Some(field));
        let refused = machine.apply(event).unwrap_err();
        assert_eq!((refused.reason(), refused.field()), (Reason::OutOfRange, Some(field)));
        assert_eq!(refused.reason().name(), "out_of_range");
        assert_eq!(refused.to_string(), format!("`{}` is refused in `{}`: `{field}` is out of range", event.kind(), machine.state()));
        assert_eq!(*machine, before);
    };
    // A payload that a guard reads, and that one cannot read.
    refuse(&mut machine, SubscriptionEvent::Miss { count: u64::MAX }, "event.count");
    // The new value of a field, in a type of Rust and in one of the user.
    machine.attempts = 900;
    refuse(&mut machine, SubscriptionEvent::Credit { amount: 91 }, "credit");
    machine.apply(SubscriptionEvent::Credit { amount: 90 }).unwrap();
    assert_eq!(machine.credit, Percent(100));
    // The latest time of jiff, and later.
    let late = SubscriptionEvent::Pay { now: jiff::Timestamp::MAX, lasts: jiff::SignedDuration::MAX, by: Uuid::nil() };
    refuse(&mut machine, late, "event.lasts");
    let late = SubscriptionEvent::Pay { now: jiff::Timestamp::MAX, lasts: jiff::SignedDuration::from_secs(1), by: Uuid::nil() };
    refuse(&mut machine, late, "paid_until");
    // A value that is only passed on needs no conversion.
    machine.apply(SubscriptionEvent::Prolong { until: jiff::Timestamp::MAX }).unwrap();
    assert_eq!(machine.paid_until, Some(jiff::Timestamp::MAX));
}

#[test]
fn a_direct_transition_is_refused_as_well() {
    let mut machine = Subscription { credit: Percent(0), ..subscription() };
    let refused = machine.transition_to(SubscriptionState::Lapsed).unwrap_err();
    assert_eq!(refused.to_string(), "`trial` does not go to `lapsed`: `credit` is out of range");
    assert_eq!(machine.plan_to(SubscriptionState::Lapsed), Err(refused));
    assert_eq!(machine, Subscription { credit: Percent(0), ..subscription() });
    machine.credit = Percent(1);
    machine.transition_to(SubscriptionState::Lapsed).unwrap();
    machine.transition_to(SubscriptionState::Trial).unwrap();
    assert_eq!(machine.credit, Percent(0));
}

/// An event that settles is refused as a whole, also if a later step does not fit.
#[test]
fn an_event_that_settles_is_refused_as_a_whole() {
    let mut machine = Subscription { attempts: u32::MAX - 150, ..subscription() };
    let before = machine.clone();
    let refused = machine.apply(SubscriptionEvent::Grow).unwrap_err();
    assert_eq!((refused.from(), refused.field()), (Some(SubscriptionState::Trial), Some("attempts")));
    assert_eq!(machine, before);
    machine.attempts = 0;
    assert_eq!(machine.apply(SubscriptionEvent::Grow).unwrap().to(), SubscriptionState::Lapsed);
    assert_eq!(machine.attempts, 200);
}

/// Remembers what it is told.
#[derive(Default)]
struct Reminders(Vec<String>);

impl SubscriptionHost for Reminders {
    type Error = String;

    fn store(&mut self, next: &Subscription, _: &with_jiff::SubscriptionChange) -> Result<(), String> {
        self.0.push(format!("stored {:?}", next.state()));
        Ok(())
    }

    fn remind(
        &mut self,
        now: jiff::Timestamp,
        paid_until: Option<jiff::Timestamp>,
        attempts: u32,
        message: std::fmt::Arguments<'_>,
    ) -> Result<(), String> {
        assert_eq!((now, paid_until, attempts), (jiff(1_000), Some(jiff(130)), 0));
        self.0.push(message.to_string());
        Ok(())
    }
}

/// Effects take the types of the program; messages show the values of the spec.
#[test]
fn effects_take_the_types_of_the_program() {
    let (mut machine, mut host) = (subscription(), Reminders::default());
    machine.apply(pay(100)).unwrap();
    machine.run(SubscriptionEvent::Check { now: jiff(1_000) }, &mut host).unwrap();
    let message = "0 reminders, paid until 1970-01-01T00:02:10Z, now 1970-01-01T00:16:40Z";
    assert_eq!(host.0, ["stored Lapsed", message]);
    let error = machine.run(SubscriptionEvent::Credit { amount: 1_000 }, &mut host).unwrap_err();
    assert!(matches!(error, RunError::Refused(refused) if refused.field() == Some("credit")));
    assert_eq!(host.0.len(), 2);
}

mod with_chrono {
    use super::*;

    #[derive(Debug, Clone, PartialEq, StateMachine)]
    #[machine(
        "tests/own_types/subscription.yaml",
        types(timestamp = "DateTime<Utc>", duration = "chrono::TimeDelta"),
        fields("event.count" = "u8")
    )]
    pub(super) struct Subscription {
        pub(super) state: SubscriptionState,
        pub(super) attempts: usize,
        pub(super) credit: i64,
        pub(super) paid_until: Option<DateTime<Utc>>,
        pub(super) grace: std::time::Duration,
        pub(super) price: Decimal,
        pub(super) owner: Option<u64>,
    }

    #[test]
    fn times_of_chrono_and_of_the_standard_library() {
        // Every default fits for certain, so that `new` cannot fail.
        let mut machine = Subscription::new();
        assert_eq!(machine.grace, StdDuration::from_secs(60));
        let now = DateTime::from_timestamp(100, 999).unwrap();
        machine.apply(SubscriptionEvent::Pay { now, lasts: chrono::TimeDelta::seconds(30), by: 1 }).unwrap();
        // Microseconds are the resolution of a spec.
        assert_eq!(machine.paid_until, DateTime::from_timestamp(130, 0));
        machine.apply(SubscriptionEvent::Prolong { until: now }).unwrap();
        assert_eq!(machine.paid_until, Some(now));
        machine.apply(SubscriptionEvent::Miss { count: 255_u8 }).unwrap();
        assert_eq!(machine.attempts, 255);
        machine.grace = StdDuration::MAX;
        let refused = machine.apply(SubscriptionEvent::Check { now }).unwrap_err();
        assert_eq!(refused.field(), Some("grace"));
    }
}

/// The user's own enum has the states; what holds payloads is an option of the enum.
mod with_own_states {
    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, StateMachine)]
    #[machine("tests/own_types/subscription.yaml", types(timestamp = "SystemTime", int = "i32"), reference = "Uuid")]
    pub(super) enum Status {
        Trial,
        Active,
        Lapsed,
    }

    #[derive(Debug, Clone, PartialEq, StateMachine)]
    #[machine("tests/own_types/subscription.yaml", types(timestamp = "SystemTime", int = "i32"))]
    pub(super) struct Subscription {
        #[machine(state)]
        pub(super) status: Status,
        pub(super) attempts: u8,
        pub(super) credit: i16,
        pub(super) paid_until: Option<SystemTime>,
        pub(super) grace: statespec::Duration,
        pub(super) price: Decimal,
        pub(super) owner: Option<Uuid>,
    }

    #[test]
    fn an_enum_and_a_struct_share_the_types_of_payloads() {
        let mut machine = Subscription::new();
        let now = UNIX_EPOCH + StdDuration::from_secs(5);
        machine.apply(StatusEvent::Pay { now, lasts: statespec::Duration::from_seconds(1), by: Uuid::nil() }).unwrap();
        assert_eq!(machine.paid_until, Some(now + StdDuration::from_secs(1)));
        machine.apply(StatusEvent::Miss { count: 255 }).unwrap();
        let refused = machine.apply(StatusEvent::Miss { count: 1 }).unwrap_err();
        assert_eq!((refused.field(), machine.attempts), (Some("attempts"), 255));
        machine.attempts = 200;
        let refused = Subscription { status: Status::Trial, ..machine.clone() }.apply(StatusEvent::Grow).unwrap_err();
        assert_eq!((refused.from(), refused.reason()), (Some(Status::Trial), Reason::OutOfRange));
    }
}

/// An enum with a context: the options say which types its fields have.
mod around_an_enum {
    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, StateMachine)]
    #[machine(
        "tests/own_types/subscription.yaml",
        context,
        types(timestamp = "SystemTime", int = "u32", reference = "Uuid"),
        fields(grace = "StdDuration", credit = "Percent")
    )]
    pub(super) enum Plan {
        Trial,
        Active,
        Lapsed,
    }

    #[test]
    fn a_context_has_the_types_of_the_options() {
        let mut context = PlanContext::initial().unwrap();
        assert_eq!((context.attempts, context.credit, context.grace), (0_u32, Percent(10), StdDuration::from_secs(60)));
        let mut plan = Plan::Trial;
        let refused = plan.apply(&mut context, PlanEvent::Credit { amount: 91 }).unwrap_err();
        assert_eq!((refused.field(), context.credit), (Some("credit"), Percent(10)));
        plan.apply(&mut context, PlanEvent::Pay { now: UNIX_EPOCH, lasts: statespec::Duration::ZERO, by: Uuid::nil() }).unwrap();
        assert_eq!((plan, context.paid_until), (Plan::Active, Some(UNIX_EPOCH)));
        assert_eq!(PlanMachine::new().unwrap().state(), Plan::Trial);
    }
}

/// Structs with parameters: fields of the user have them, fields of the spec do not.
mod generic {
    use super::*;

    #[derive(Debug, Clone, PartialEq, StateMachine)]
    #[machine("tests/own_types/subscription.yaml", async_host)]
    pub(super) struct Subscription<'a, T: Clone, const N: usize = 2>
    where
        T: std::fmt::Debug,
    {
        pub(super) state: SubscriptionState,
        pub(super) attempts: u32,
        pub(super) credit: i64,
        pub(super) paid_until: Option<Timestamp>,
        pub(super) grace: statespec::Duration,
        pub(super) price: Decimal,
        pub(super) owner: Option<u64>,
        pub(super) payload: T,
        pub(super) names: [&'a str; N],
    }

    #[derive(Default)]
    struct Stored(usize);

    impl<'a, T: Clone + std::fmt::Debug, const N: usize> SubscriptionHost<'a, T, N> for Stored {
        type Error = ();

        fn store(&mut self, next: &Subscription<'a, T, N>, _: &SubscriptionChange) -> Result<(), ()> {
            self.0 += next.names.len();
            Ok(())
        }

        fn remind(&mut self, _: Timestamp, _: Option<Timestamp>, _: u32, _: std::fmt::Arguments<'_>) -> Result<(), ()> {
            Ok(())
        }
    }

    #[test]
    fn a_struct_may_have_parameters() {
        let mut machine = Subscription::new(vec!["any"], ["a", "b", "c"]);
        machine.apply(SubscriptionEvent::Miss { count: 1 }).unwrap();
        let mut host = Stored::default();
        machine.run(SubscriptionEvent::Miss { count: 2 }, &mut host).unwrap();
        assert_eq!((host.0, machine.attempts, machine.payload.as_slice()), (3, 3, ["any"].as_slice()));
        machine.run_to(SubscriptionState::Lapsed, &mut host).unwrap();
        assert_eq!((machine.state(), machine.names[2]), (SubscriptionState::Lapsed, "c"));
    }
}
