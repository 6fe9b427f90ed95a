//! A struct and an enum of the user that follow one machine: the enum has the states, the struct has the context.

use statespec::{State, StateMachine};

/// The owner's enum: other names, another order, numbers, and the derives of other crates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, StateMachine)]
#[machine("tests/ui/specs/job.yaml")]
#[serde(rename_all = "kebab-case")]
#[repr(i16)]
enum Status {
    Done = 99,
    Queued = 10,
    #[serde(rename = "running")]
    Working = 20,
    InReview = 30,
}

#[derive(Debug, Clone, StateMachine)]
#[machine("tests/ui/specs/job.yaml", typestate)]
struct Job {
    #[machine(state)]
    status: Status,
    attempts: i64,
    last_error: Option<String>,
    ratio: statespec::Decimal,
    lane: StatusLane,
    /// Of the owner.
    id: u32,
}

#[test]
fn the_struct_moves_the_enum() {
    let mut job = Job::new(7);
    assert_eq!((job.status, job.attempts, job.lane, job.id), (Status::Queued, 0, StatusLane::Slow, 7));
    let change = job.apply(StatusEvent::Start).unwrap();
    assert_eq!((change.from(), change.to(), job.attempts), (Some(Status::Queued), Status::Working, 1));
    job.apply(StatusEvent::Fail { cause: "no network" }).unwrap();
    assert_eq!((job.status, job.last_error.as_deref()), (Status::Queued, Some("no network")));
    let refused: StatusRefused = job.apply(StatusEvent::Finish).unwrap_err();
    assert_eq!(refused.to_string(), "`finish` is refused in `queued`: allowed here is `start`");
    job.attempts = 3;
    job.apply(StatusEvent::Start).unwrap();
    assert_eq!(job.attempts, 4);
    assert!(job.apply(StatusEvent::Fail { cause: "again" }).is_err(), "the guard reads the struct");
    assert_eq!((job.status as i16, job.status.name()), (20, "running"));
    assert_eq!(serde_json::to_string(&job.status).unwrap(), "\"running\"");
    assert_eq!(job.ratio, statespec::decimal(1, 0));
}

#[test]
fn the_enum_has_the_graph() {
    assert!(Status::Queued.allows(Status::Working) && !Status::Queued.allows(Status::Done));
    assert_eq!(Status::ALL.map(State::is_sink), [false, false, false, true]);
}

#[test]
fn the_struct_has_the_typestate() {
    let job = StatusIn::<status_states::Queued>::check(Job::new(1)).expect("a job begins queued");
    assert_eq!(job.start().finish().into_machine().status, Status::InReview);
}

/// The state and the machine of a table, with effects that take values of the event, of the context and of the step.
mod outbox {
    use statespec::{Phase, StateMachine};

    #[derive(Debug, Clone, Copy, PartialEq, Eq, StateMachine)]
    #[machine("tests/ui/specs/subscription.yaml", serde, prefix = "Subscription")]
    enum Status {
        Trialing,
        Active,
        PastDue,
        Suspended,
        Cancelled,
    }

    #[derive(Debug, Clone, StateMachine)]
    #[machine("tests/ui/specs/subscription.yaml", serde, async_host, prefix = "Subscription")]
    struct Subscription {
        #[machine(state)]
        status: Status,
        attempts: i32,
        balance_cents: i64,
        owner: Option<u64>,
        note: Option<String>,
    }

    /// A transaction whose host has one method for all effects.
    #[derive(Default)]
    struct Transaction(Vec<String>);

    impl SubscriptionAsyncEffectHost for Transaction {
        type Error = serde_json::Error;

        async fn store(&mut self, next: &Subscription, _: &SubscriptionChange) -> Result<(), Self::Error> {
            self.0.push(format!("store {}", next.status));
            Ok(())
        }

        async fn perform(&mut self, effect: SubscriptionEffect<&str>) -> Result<(), Self::Error> {
            self.0.push(serde_json::to_string(&effect)?);
            Ok(())
        }
    }

    /// A host with a method for each.
    #[derive(Default)]
    struct Worker(Vec<String>);

    impl SubscriptionAsyncHost for Worker {
        type Error = core::convert::Infallible;

        async fn store(&mut self, next: &Subscription, _: &SubscriptionChange) -> Result<(), Self::Error> {
            self.0.push(format!("store {}", next.status));
            Ok(())
        }

        async fn charge_card(&mut self, cents: i64, owner: Option<u64>, message: impl core::fmt::Display) -> Result<(), Self::Error> {
            self.0.push(format!("{cents} {owner:?}: {message}"));
            Ok(())
        }

        async fn send_mail(
            &mut self,
            reason: &str,
            attempts: i32,
            note: Option<&str>,
            from: Option<Status>,
            to: Status,
            message: impl core::fmt::Display,
        ) -> Result<(), Self::Error> {
            self.0.push(format!("{reason} {attempts} {note:?} {from:?} {to}: {message}"));
            Ok(())
        }

        async fn revoke(&mut self) -> Result<(), Self::Error> {
            self.0.push("revoke".to_owned());
            Ok(())
        }
    }

    const FAILED: SubscriptionEvent<&str> = SubscriptionEvent::Fail { reason: "no money", code: 7 };

    fn active() -> Subscription {
        Subscription { status: Status::Active, attempts: 2, balance_cents: 900, owner: Some(4), note: None }
    }

    /// The futures of both kinds of hosts can be sent, if those of their methods can.
    fn is_sent<T>(future: impl Future<Output = T> + Send) -> T {
        match std::pin::pin!(future).poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
            std::task::Poll::Ready(result) => result,
            std::task::Poll::Pending => panic!("nothing waits here"),
        }
    }

    #[test]
    fn rows_of_an_outbox_are_values_that_a_worker_performs() {
        let (mut subscription, mut transaction) = (active(), Transaction::default());
        is_sent(subscription.run_as_async(SubscriptionActor::Billing, FAILED, &mut transaction)).unwrap();
        let mail = r#"{"send_mail":{"reason":"no money","attempts":3,"note":"no money","from":"active","to":"past_due"}}"#;
        assert_eq!(transaction.0, [mail, "store past_due", r#"{"charge_card":{"balance_cents":900,"owner":4}}"#, r#""revoke""#]);

        let mut worker = Worker::default();
        for row in transaction.0.iter().filter(|it| !it.starts_with("store")) {
            let effect: SubscriptionEffect<String> = serde_json::from_str(row).unwrap();
            is_sent(effect.borrowed().perform_async(&mut worker)).unwrap();
        }
        let told = [
            r#"no money 3 Some("no money") Some(Active) past_due: no money from active (no money)"#,
            "900 Some(4): charge 900 of 4",
            "revoke",
        ];
        assert_eq!(worker.0, told);

        let (mut subscription, mut host) = (active(), Worker::default());
        is_sent(subscription.run_async(FAILED, &mut host)).unwrap();
        host.0.retain(|it| !it.starts_with("store"));
        assert_eq!(host.0, told);
    }

    #[test]
    fn a_timer_has_its_effects_too() {
        let mut subscription = Subscription { status: Status::PastDue, ..active() };
        let timer: SubscriptionRecorded = SubscriptionRecorded::PastDueTimeout;
        let change = subscription.replay(timer).unwrap();
        assert_eq!(change.effects_of(&subscription, timer).collect::<Vec<_>>(), [(Phase::After, SubscriptionEffect::Revoke)]);
    }
}
