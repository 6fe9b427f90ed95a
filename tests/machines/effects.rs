//! Effects as values, of hosts with one method and of none.

use statespec::{Phase, RunError};
use statespec_machines::mysis::{Change, Effect, EffectHost, EffectKind, Event, Host, Mysis, State};
use statespec_machines::{elevator, order};

/// A database with an outbox, whose effects fail from the given one on.
#[derive(Debug, Default)]
struct Outbox {
    rows: Vec<String>,
    limit: Option<usize>,
}

impl EffectHost<String> for Outbox {
    type Error = usize;

    fn store(&mut self, _: &Mysis<String>, _: &Change) -> Result<(), usize> {
        Ok(())
    }

    fn perform(&mut self, effect: Effect<&str>) -> Result<(), usize> {
        if self.limit == Some(self.rows.len()) {
            return Err(self.rows.len());
        }
        self.rows.push(serde_json::to_string(&effect).expect("an effect is JSON"));
        Ok(())
    }
}

/// A host with a method for each effect, which notes the texts that it gets.
#[derive(Debug, Default)]
struct Texts(Vec<String>);

impl Texts {
    fn note(&mut self, text: impl ToString) -> Result<(), ()> {
        self.0.push(text.to_string());
        Ok(())
    }
}

impl Host<String> for Texts {
    type Error = ();

    fn store(&mut self, _: &Mysis<String>, _: &Change) -> Result<(), ()> {
        Ok(())
    }

    fn store_timeout_result(&mut self, tool: &str, cause: &str, message: std::fmt::Arguments<'_>) -> Result<(), ()> {
        self.note(format!("{tool}, {cause}: {message}"))
    }

    fn store_error_result(&mut self, cause: &str) -> Result<(), ()> {
        self.note(cause)
    }

    fn release_account(&mut self) -> Result<(), ()> {
        self.note("release")
    }

    fn emit_state_changed(&mut self, from: Option<State>, to: State) -> Result<(), ()> {
        self.note(format!("{from:?} {to}"))
    }

    fn signal_attention(&mut self, message: std::fmt::Arguments<'_>) -> Result<(), ()> {
        self.note(message)
    }

    fn store_message(&mut self, body: &str) -> Result<(), ()> {
        self.note(body)
    }

    fn process_waiting(&mut self) -> Result<(), ()> {
        self.note("waiting")
    }

    fn process_message(&mut self) -> Result<(), ()> {
        self.note("message")
    }
}

const TIMED_OUT: Event<&str> = Event::ToolTimedOut { tool: "search", cause: "30s" };
const TIMED_OUT_ROWS: [&str; 2] =
    [r#"{"store_timeout_result":{"tool":"search","cause":"30s"}}"#, r#"{"emit_state_changed":{"from":"running","to":"errored"}}"#];

fn running() -> Mysis<String> {
    let (mut mysis, _) = Mysis::create(Event::Create).unwrap();
    mysis.apply(Event::Start).unwrap();
    mysis
}

#[test]
fn an_outbox_has_one_method_and_its_worker_one_for_each_effect() {
    let (mut mysis, mut outbox) = (running(), Outbox::default());
    mysis.run(TIMED_OUT, &mut outbox).unwrap();
    assert_eq!(outbox.rows, TIMED_OUT_ROWS);
    let mut worker = Texts::default();
    for row in &outbox.rows {
        let effect: Effect<String> = serde_json::from_str(row).unwrap();
        effect.borrowed().perform(&mut worker).unwrap();
    }
    let told = ["search, 30s: Error: tool call search timed out: 30s", "Some(Running) errored"];
    assert_eq!(worker.0, told);
    // A host with a method for each is told the same at once.
    let (mut mysis, mut host) = (running(), Texts::default());
    mysis.run(TIMED_OUT, &mut host).unwrap();
    assert_eq!(host.0, told);
}

#[test]
fn a_change_has_its_effects_as_values_with_their_phases() {
    let mut mysis = running();
    let change = mysis.apply(TIMED_OUT).unwrap();
    let effects: Vec<_> = change.effects_of(&mysis, TIMED_OUT).collect();
    let [(Phase::Before, first), (Phase::After, second)] = effects[..] else { panic!("{effects:?}") };
    assert_eq!(first, Effect::StoreTimeoutResult { tool: "search", cause: "30s" });
    assert_eq!(second, Effect::EmitStateChanged { from: Some(State::Running), to: State::Errored });
    assert_eq!([first.kind(), second.kind()], [EffectKind::StoreTimeoutResult, EffectKind::EmitStateChanged]);
    assert_eq!(first.message().to_string(), "Error: tool call search timed out: 30s");
    assert_eq!(second.message().to_string(), "");
    // What an event does not carry is no value.
    assert_eq!(change.effects_of(&mysis, Event::Nudge).count(), 1);
}

#[test]
fn a_change_shows_its_effects() {
    let mut mysis = running();
    let shown = format!("{:?}", mysis.apply(TIMED_OUT).unwrap());
    assert!(shown.ends_with("row: RunningToolTimedOut, before: [StoreTimeoutResult], after: [EmitStateChanged] }]"), "{shown}");
    let shown = format!("{:?}", running().apply(Event::Nudge).unwrap());
    assert!(shown.ends_with("row: RunningNudge }]"), "{shown}");
}

#[test]
fn an_error_gives_back_what_the_host_said_and_what_remains() {
    let (mut mysis, mut outbox) = (running(), Outbox { limit: Some(1), ..Outbox::default() });
    let error = mysis.run(TIMED_OUT, &mut outbox).unwrap_err();
    assert_eq!(error.host_error(), Some(&1));
    let remaining: Vec<_> = error.remaining_of(&mysis, TIMED_OUT).collect();
    assert_eq!(remaining, [Effect::EmitStateChanged { from: Some(State::Running), to: State::Errored }]);
    assert_eq!(error.into_host_error(), Ok(1));
    let refused = mysis.run(Event::Nudge, &mut outbox).unwrap_err();
    assert_eq!(refused.host_error(), None);
    assert_eq!(refused.remaining_of(&mysis, Event::Nudge).count(), 0);
    let RunError::Refused(expected) = refused else { panic!("{refused:?}") };
    assert_eq!(refused.into_host_error(), Err(expected));
}

/// Of a machine with timers, whose effects are their kinds.
#[test]
fn effects_without_data_are_their_kinds() {
    let mut order = order::Order::restore(order::State::AwaitingPayment, order::Context::default());
    let change = order.apply(order::Event::Cancel).unwrap();
    let effects: Vec<_> = change.effects_of(&order, order::Event::Cancel).collect();
    assert_eq!(effects, [(Phase::After, order::Effect::Release)]);
    assert_eq!(effects[0].1.kind(), order::EffectKind::Release);
}

/// Of a machine with regions, whose effects take values of the context.
#[test]
fn effects_of_regions_are_values_in_the_order_of_the_steps() {
    let mut elevator = elevator::Elevator::new();
    let event = elevator::Event::Call { to: 3 };
    let change = elevator.apply(event).unwrap();
    let kinds: Vec<_> = change.effects().collect();
    let values: Vec<_> = change.effects_of(&elevator, event).map(|(_, it)| it.kind()).collect();
    assert!(!kinds.is_empty());
    assert_eq!(values, kinds);
}
