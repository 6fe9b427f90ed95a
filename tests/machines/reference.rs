//! The emitted machines from a user's point of view.

use std::cmp::Ordering;
use std::fmt;

use statespec::{Commit, Duration, Named, Reason, RunError, Target, Timestamp, Trigger, decimal};
use statespec_machines::eviction_policy::{Category, EvictionItem};
use statespec_machines::{
    agent_run, context_os, elevator, eviction_policy, hop, media_player, mission, mysis, order, pressure, resource, run_job, session,
    traffic_light,
};

/// A host that records its calls, and fails on request.
#[derive(Default)]
struct Host {
    log: Vec<String>,
    fails: Vec<&'static str>,
}

impl Host {
    fn note(&mut self, what: &str) -> Result<(), String> {
        self.log.push(what.to_owned());
        if self.fails.contains(&what) { Err(format!("no {what}")) } else { Ok(()) }
    }
}

impl mysis::Host<String> for Host {
    type Error = String;

    fn store(&mut self, next: &mysis::Mysis<String>, _: &mysis::Change) -> Result<(), String> {
        self.note(&format!("store {}", next.state()))
    }

    fn store_timeout_result(&mut self, _: &str, _: &str, message: fmt::Arguments<'_>) -> Result<(), String> {
        self.note(&message.to_string())
    }

    fn store_error_result(&mut self, cause: &str) -> Result<(), String> {
        self.note(cause)
    }

    fn release_account(&mut self) -> Result<(), String> {
        self.note("release_account")
    }

    fn emit_state_changed(&mut self, from: Option<mysis::State>, to: mysis::State) -> Result<(), String> {
        self.note(&format!("from {} to {to}", from.map_or("nothing", mysis::State::name)))
    }

    fn signal_attention(&mut self, message: fmt::Arguments<'_>) -> Result<(), String> {
        self.note(&message.to_string())
    }

    fn store_message(&mut self, body: &str) -> Result<(), String> {
        self.note(body)
    }

    fn process_waiting(&mut self) -> Result<(), Self::Error> {
        self.note("process_waiting")
    }

    fn process_message(&mut self) -> Result<(), String> {
        self.note("process_message")
    }
}

fn running() -> mysis::Mysis<String> {
    let (mut mysis, _) = mysis::Mysis::create(mysis::Event::Create).unwrap();
    mysis.apply(mysis::Event::Start).unwrap();
    mysis
}

#[test]
fn three_failed_nudges_in_a_row_make_a_mysis_idle() {
    let mut mysis = running();
    for event in [mysis::Event::NudgeFailed, mysis::Event::NudgeFailed, mysis::Event::TurnCompleted] {
        assert!(mysis.apply(event).unwrap().stays());
    }
    mysis.apply(mysis::Event::NudgeFailed).unwrap();
    mysis.apply(mysis::Event::NudgeFailed).unwrap();
    assert_eq!(mysis.state(), mysis::State::Running);
    let mut host = Host::default();
    let change = mysis.run(mysis::Event::NudgeFailed, &mut host).unwrap();
    assert_eq!(change.to(), mysis::State::Idle);
    assert_eq!(change.commit(), Commit::MemoryFirst);
    assert_eq!(change.steps()[0].transition().label(), Some("3 nudges failed"));
    assert_eq!(host.log, ["store idle", "from running to idle", "Failed to respond after 3 nudges"]);
}

#[test]
fn refusals_say_what_is_allowed() {
    let mut mysis = running();
    mysis.apply(mysis::Event::Stop).unwrap();
    let refused = mysis.apply(mysis::Event::Message { body: "hello" }).unwrap_err();
    assert_eq!(refused.to_string(), "mysis stopped - press 'r' to relaunch");
    let refused = mysis.apply(mysis::Event::Stop).unwrap_err();
    assert_eq!(refused.to_string(), "`stop` is refused in `stopped`: allowed here is `start`");
    assert_eq!((refused.from(), refused.reason()), (Some(mysis::State::Stopped), Reason::NoTransition));
    assert!(refused.allowed().eq([mysis::EventKind::Start]));
    let refused = mysis.apply_as(mysis::Actor::Runtime, mysis::Event::Start).unwrap_err();
    assert_eq!(refused.to_string(), "`start` is refused in `stopped`: only `commander` may raise it");
    assert_eq!(mysis.state(), mysis::State::Stopped);
    let refused = agent_run::AgentRun::new().transition_to(agent_run::State::Complete).unwrap_err();
    assert_eq!(refused.to_string(), "`queued` does not go to `complete`: from here it goes to `running`, `failed` or `cancelled`");
    let refused = agent_run::AgentRun::restore(agent_run::State::Failed).transition_to(agent_run::State::Queued).unwrap_err();
    assert_eq!(refused.to_string(), "`failed` does not go to `queued`: that takes an event");
}

#[test]
fn a_failing_store_leaves_a_start_undone_and_a_stop_done() {
    let (mut mysis, _) = mysis::Mysis::<String>::create(mysis::Event::Load).unwrap();
    let before = mysis.clone();
    let mut host = Host { fails: vec!["store running"], ..Host::default() };
    let error = mysis.run(mysis::Event::Start, &mut host).unwrap_err();
    let change = mysis.plan(mysis::Event::Start).unwrap();
    assert_eq!(error, RunError::Store { change, moved: false, error: "no store running".to_owned() });
    assert_eq!(mysis, before);
    mysis.apply(mysis::Event::Start).unwrap();
    let mut host = Host { fails: vec!["store stopped"], ..Host::default() };
    let error = mysis.run(mysis::Event::Stop, &mut host).unwrap_err();
    assert_eq!(error.to_string(), "the state moved, but the store failed");
    assert_eq!(mysis.state(), mysis::State::Stopped);
    assert_eq!(host.log, ["store stopped", "release_account", "from running to stopped"]);
}

#[test]
fn an_effect_that_fails_hides_no_other_failure_and_keeps_the_change() {
    let (mut mysis, mut host) = (running(), Host { fails: vec!["store stopped", "release_account"], ..Host::default() });
    let error = mysis.run(mysis::Event::Stop, &mut host).unwrap_err();
    assert_eq!(error.to_string(), "the state moved, but the store and `release_account` failed");
    let RunError::After { change, effect, done, error: failure, store } = &error else { panic!("{error:?}") };
    assert_eq!((change.to(), *effect, *done), (mysis::State::Stopped, mysis::EffectKind::ReleaseAccount, 0));
    assert_eq!((failure.as_str(), store.as_deref()), ("no release_account", Some("no store stopped")));
    assert_eq!(error.remaining().collect::<Vec<_>>(), [mysis::EffectKind::ReleaseAccount, mysis::EffectKind::EmitStateChanged]);
    assert!(error.moved() && mysis.state() == mysis::State::Stopped);
    assert_eq!(host.log, ["store stopped", "release_account"]);
}

#[test]
fn actors_are_refused_where_they_may_not_act() {
    use mysis::{Actor, Event, EventKind, Mysis, State};

    let refused = Mysis::<String>::create_as(Actor::Runtime, Event::Create).unwrap_err();
    assert_eq!((refused.from(), refused.reason()), (None, Reason::Actor));
    let (mut mysis, _) = Mysis::<String>::create_as(Actor::Commander, Event::Create).unwrap();
    let mut host = Host::default();
    let error = mysis.run_as(Actor::Runtime, Event::Start, &mut host).unwrap_err();
    assert!(matches!(&error, RunError::Refused(refused) if refused.reason() == Reason::Actor));
    assert_eq!((mysis.state(), host.log.len()), (State::Idle, 0));
    mysis.run_as(Actor::Commander, Event::Start, &mut host).unwrap();
    assert_eq!((mysis.state(), host.log[0].as_str()), (State::Running, "store running"));
    // What is allowed is what this actor may raise.
    let refused = mysis.apply_as(Actor::Runtime, Event::Stop).unwrap_err();
    let allowed: Vec<EventKind> = refused.allowed().collect();
    assert!(allowed.contains(&EventKind::Nudge), "{allowed:?}");
    assert!(allowed.iter().all(|it| it.may_be_raised_by(Actor::Runtime)), "{allowed:?}");
}

#[test]
fn a_tool_error_is_stored_before_the_mysis_is_errored() {
    let mut mysis = running();
    let event = mysis::Event::ToolTimedOut { tool: "mine", cause: "deadline exceeded" };
    let text = "Error: tool call mine timed out: deadline exceeded";
    let mut host = Host { fails: vec![text], ..Host::default() };
    assert!(matches!(mysis.run(event, &mut host), Err(RunError::Before { effect: mysis::EffectKind::StoreTimeoutResult, .. })));
    assert_eq!(mysis.state(), mysis::State::Running);
    let mut host = Host::default();
    mysis.run(event, &mut host).unwrap();
    assert_eq!(host.log, [text, "store errored", "from running to errored"]);
    assert_eq!(mysis.context().last_error.as_deref(), Some("deadline exceeded"));
}

#[test]
fn one_sample_settles_over_several_levels() {
    let mut pressure = pressure::Pressure::new();
    let change = pressure.apply(pressure::Event::Observe { sample: decimal(90, 2) }).unwrap();
    let path: Vec<_> = change.steps().iter().map(|it| it.to()).collect();
    use pressure::State::{Critical, High, Low, Medium};
    assert_eq!(path, [Medium, High, Critical, Critical]);
    // Within the buffer nothing moves; 0.85 - 0.05 is exactly 0.80.
    assert!(pressure.apply(pressure::Event::Observe { sample: decimal(80, 2) }).unwrap().stays());
    assert_eq!(pressure.plan(pressure::Event::Observe { sample: decimal(7999, 4) }).unwrap().to(), High);
    assert_eq!(pressure.apply(pressure::Event::Observe { sample: decimal(0, 0) }).unwrap().to(), Low);
    assert_eq!(Low.compression(), "Verbose (L1)");
}

#[test]
fn states_know_where_they_are() {
    let mut resource = resource::Resource::new();
    for event in [resource::Event::Discover, resource::Event::PageIn, resource::Event::SetAttention { weight: decimal(2, 0) }] {
        resource.apply(event).unwrap();
    }
    let hot = resource.state();
    assert_eq!((hot, hot.path(), hot.parent()), (resource::State::Hot, "ACTIVE/HOT", Some(resource::Composite::Active)));
    let refused = resource.apply(resource::Event::Discover).unwrap_err().to_string();
    assert!(refused.starts_with("`discover` is refused in `ACTIVE/HOT`: allowed here are "), "{refused}");
    assert!(hot.is_in(resource::Composite::Active) && !resource::State::Cold.is_in(resource::Composite::Active));
    assert_eq!(resource::Composite::Active.default_state(), resource::State::Loaded);
    for state in resource::State::ALL {
        assert!(state.allows(resource::State::Offline), "{state}");
    }
    assert!(session::State::Ended.is_sink() && session::State::Ended.is_terminal());
    assert!(agent_run::State::Failed.is_terminal() && !agent_run::State::Failed.is_sink());
    assert_eq!(agent_run::State::Complete.successors(), []);
}

#[test]
fn names_are_read_and_written() {
    assert_eq!("lru".parse(), Ok(eviction_policy::State::Lru));
    assert_eq!(eviction_policy::State::KeepRelational.to_string(), "keep_relational");
    assert_eq!("broadcast".parse(), Ok(mysis::EventKind::Message));
    assert_eq!("soul".parse(), Ok(Category::Soul));
    assert_eq!("Daily Logs".parse(), Ok(Category::DailyLogs), "the source's own words");
    assert_eq!(Category::TechnicalFiles.to_string(), "technical files");
    let unknown = "LRU".parse::<eviction_policy::State>().unwrap_err();
    assert_eq!(unknown.to_string(), "`LRU` is no state: expected `lru`, `size_first`, `keep_relational` or `keep_technical`",);
    assert!(mysis::EventKind::Start.may_be_raised_by(mysis::Actor::Commander));
    assert_eq!(hop::EventKind::Create.performer(), Some(hop::Actor::Agent));
}

#[test]
fn orders_depend_on_the_policy() {
    let soul = EvictionItem { attention_weight: decimal(1, 0), last_accessed: None, size_tokens: 10, category: Category::Soul };
    let tool = EvictionItem { category: Category::Tools, size_tokens: 20, last_accessed: Some(Timestamp::EPOCH), ..soul };
    let loved = EvictionItem { attention_weight: decimal(2, 0), ..tool };
    use eviction_policy::State;
    assert_eq!(State::KeepRelational.eviction(&tool, &soul), Ordering::Less);
    assert_eq!(State::KeepTechnical.eviction(&tool, &soul), Ordering::Greater);
    assert_eq!(State::SizeFirst.eviction(&tool, &soul), Ordering::Less);
    assert_eq!(State::Lru.eviction(&tool, &soul), Ordering::Greater);
    let resource = |item: EvictionItem| {
        let EvictionItem { attention_weight, last_accessed, size_tokens, category } = item;
        let category = category.to_string().parse().unwrap();
        resource::Resource::restore(resource::State::Loaded, resource::Context { attention_weight, last_accessed, size_tokens, category })
    };
    let by_policy = |policy: State, first, second| context_os::eviction_of_resource(policy, &resource(first), &resource(second));
    for policy in State::ALL {
        assert_eq!(by_policy(policy, tool, soul), policy.eviction(&tool, &soul), "the resources themselves are sorted");
    }
    for state in State::ALL {
        assert_eq!(state.eviction(&soul, &loved), Ordering::Less, "low attention goes first");
    }
}

#[test]
fn references_are_of_any_type() {
    let (mut mission, change) = mission::Mission::<&str>::create(mission::Event::Propose).unwrap();
    assert_eq!(change.effects().collect::<Vec<_>>(), [mission::Effect::CreateAssets]);
    mission.apply(mission::Event::Approve).unwrap();
    mission.apply(mission::Event::LinkHop { hop_id: "hop-1" }).unwrap();
    assert_eq!(mission.context().current_hop_id, Some("hop-1"));
    let refused = mission.apply(mission::Event::LinkHop { hop_id: "hop-2" }).unwrap_err();
    assert_eq!(refused.to_string(), "the mission has a current hop");
}

#[test]
fn the_graph_is_data() {
    use statespec::State as _;
    let rows = mysis::State::transitions();
    let relaunch = rows.iter().find(|it| it.label() == Some("relaunch")).unwrap();
    assert!(relaunch.starts_in(mysis::State::Stopped) && relaunch.is_on(mysis::EventKind::Start));
    assert_eq!(relaunch.target(), Target::To(mysis::State::Running));
    assert!(rows.iter().any(|it| it.guard() == Some("nudge_failures + 1 >= nudge_limit")));
    let by_name = agent_run::State::transitions().iter().filter(|it| it.trigger() == Trigger::Direct).count();
    assert_eq!((by_name, agent_run::State::MACHINE, agent_run::State::KIND), (5, "agent_run", "state"));
    assert_eq!(mysis::State::CREATION_EVENTS, [mysis::EventKind::Create, mysis::EventKind::Load]);
}

#[test]
fn a_lease_is_set_by_its_claim_renewed_and_gone_when_it_is_reclaimed() {
    use run_job::{Event, RunJob, State};
    let at = |seconds: i64| Timestamp::from_micros(seconds * 1_000_000);
    let mut job = RunJob::new();
    job.apply(Event::Claim { until: at(10) }).unwrap();
    assert_eq!((job.state(), job.context().lease_expires_at), (State::Claimed, Some(at(10))));
    job.transition_to(State::Running).unwrap();
    job.apply(Event::Renew { until: at(20) }).unwrap();
    assert!(State::Running.allows(State::Claimed), "the graph has the edge");
    assert_eq!(job.transition_to(State::Claimed).unwrap_err().to_string(), "`running` does not go to `claimed`: that takes an event");
    assert_eq!(job.plan(Event::Reclaim { now: at(20) }).unwrap_err().text(), Some("the lease has not expired"));
    job.apply(Event::Reclaim { now: at(21) }).unwrap();
    assert_eq!((job.state(), job.context().lease_expires_at), (State::Claimed, None));
}

#[test]
fn the_cabin_moves_only_while_its_door_is_shut() {
    use elevator::{Cabin, Door, Elevator, InService, Recorded, State};
    let calls = (0..=7).map(|to| Recorded::Call { to });
    let others = [Recorded::Hold, Recorded::FloorReached, Recorded::DoorMoved, Recorded::LetOut];
    let timers = [Recorded::StandingTimeout, Recorded::OpenTimeout];
    let events: Vec<Recorded> = calls.chain(others).chain(timers).chain([Recorded::SwitchOff, Recorded::SwitchOn]).collect();
    let mut seen = vec![Elevator::new()];
    let mut next = 0;
    while let Some(at) = seen.get(next).cloned() {
        let state = at.state();
        if let State::InService(InService { cabin: Cabin::Up | Cabin::Down, door }) = state {
            assert_eq!(door, Door::Shut, "{state}");
        }
        assert!((0..=7).contains(&at.context().floor), "{at:?}");
        for event in &events {
            let mut after = at.clone();
            if after.replay(*event).is_ok() && !seen.contains(&after) {
                seen.push(after);
            }
        }
        next += 1;
    }
    assert!(seen.len() > 100, "{}", seen.len());
}

#[test]
fn an_interrupted_player_goes_on_where_it_was() {
    use media_player::{Event, Leaf, MediaPlayer, State, Timers};
    let start = Timestamp::from_micros(0);
    let mut player = MediaPlayer::new();
    let mut timers = Timers::start(player.state(), start);
    for event in [Event::Open, Event::Play, Event::ToggleSound, Event::ToggleScreen] {
        timers.observe(&player.apply(event).unwrap(), start);
    }
    assert!(timers.elapse(&mut player, start + Duration::from_seconds(3)).is_some_and(|it| it.result.is_ok()));
    let before = player.state();
    assert_eq!(before.to_string(), "playing+muted+picture");
    player.apply(Event::Interrupt).unwrap();
    assert_eq!((player.state(), player.context().screen_was), (State::Interrupted, Some(Leaf::Picture)));
    player.apply(Event::Resume).unwrap();
    assert_eq!((player.state(), "playing+muted+picture".parse()), (before, Ok(before)));
}

#[test]
fn every_level_of_pressure_tells_what_to_do() {
    use pressure::{EffectKind, Event, Pressure};
    let mut pressure = Pressure::new();
    let mut effects = |sample| -> Vec<EffectKind> { pressure.apply(Event::Observe { sample }).unwrap().effects().collect() };
    assert_eq!(effects(decimal(90, 2)).len(), 7, "one sample leads over every level");
    assert_eq!(effects(decimal(70, 2)), [EffectKind::RecommendPaging, EffectKind::ProvideEvictionCandidates]);
    assert_eq!(effects(decimal(60, 2)), [EffectKind::RecommendDenseFormat, EffectKind::MonitorClosely]);
    assert_eq!(effects(decimal(10, 2)), []);
}

#[test]
fn nobody_raises_a_timer() {
    use order::{Actor, Event, EventKind, Order, Recorded, State};
    // A request from outside cannot name one; a recorded history can, in the form that it always had.
    for timer in ["payment_deadline", "reminder", "shipping_deadline"] {
        let json = format!("{timer:?}");
        let error = serde_json::from_str::<Event>(&json).unwrap_err().to_string();
        assert!(error.starts_with(&format!("unknown variant `{timer}`, expected one of `place`, `extend`")), "{error}");
        let recorded: Recorded = serde_json::from_str(&json).unwrap();
        assert_eq!((serde_json::to_string(&recorded).unwrap(), recorded.kind().name()), (json, timer));
        assert!(recorded.kind().is_timer());
        for actor in Actor::ALL {
            assert!(!recorded.kind().may_be_raised_by(actor));
        }
    }
    let placed = r#"{"place":{"window":259200000000}}"#;
    let (event, recorded) = (serde_json::from_str::<Event>(placed).unwrap(), serde_json::from_str::<Recorded>(placed).unwrap());
    assert_eq!(Recorded::from(event), recorded);
    let history: Vec<Recorded> = serde_json::from_str(&format!("[{placed},\"reminder\",\"payment_deadline\"]")).unwrap();
    let mut order = Order::new();
    history.into_iter().for_each(|it| _ = order.replay(it).unwrap());
    assert_eq!(order.state(), State::Expired);
    // A refusal says what a caller can do.
    let mut order = Order::restore(State::AwaitingPayment, order::Context::default());
    let refused = order.apply(Event::Ship).unwrap_err();
    assert_eq!(refused.to_string(), "`ship` is refused in `awaiting_payment`: allowed here are `extend`, `pay` and `cancel`");
    assert_eq!(refused.allowed().collect::<Vec<_>>(), [EventKind::Extend, EventKind::Pay, EventKind::Cancel]);
}

#[test]
fn without_payloads_nobody_raises_a_timer_either() {
    use traffic_light::{Event, EventKind, Recorded, TrafficLight};
    assert_eq!((Event::ALL, Event::Press.kind()), ([Event::Press], EventKind::Press));
    assert_eq!("red_timeout".parse::<Event>().unwrap_err().to_string(), "`red_timeout` is no event: expected `press`");
    assert!(serde_json::from_str::<Event>("\"red_timeout\"").is_err());
    let mut light = TrafficLight::new();
    light.replay(serde_json::from_str::<Recorded>("\"red_timeout\"").unwrap()).unwrap();
    // The trait that generic code uses takes an event, too.
    let change = statespec::Machine::apply(&mut light, &Event::Press, &()).unwrap();
    assert_eq!((change.to(), light.state()), (traffic_light::State::Requested, traffic_light::State::Requested));
}

#[test]
fn a_timer_elapses_once_and_only_when_it_is_due() {
    use traffic_light::{Event, EventKind, State, Timers, TrafficLight};
    let (start, second) = (Timestamp::from_micros(0), Duration::from_seconds(1));
    let mut light = TrafficLight::restore(State::Green);
    let mut timers = Timers::start(light.state(), start);
    let looked = timers.next_due(&light).unwrap();
    assert_eq!(looked, (EventKind::GoTimeout, start + Duration::from_seconds(120)));
    // While the program waited for a lock, someone else moved the light.
    timers.observe(&light.apply(Event::Press).unwrap(), start + second);
    let elapsed = timers.elapse(&mut light, start + Duration::from_seconds(11)).unwrap();
    assert_eq!((elapsed.timer, elapsed.due), (EventKind::RequestedTimeout, start + Duration::from_seconds(11)));
    assert_eq!(light.state(), State::Amber);
    // The timer that the program looked at is over, and the new one is not due.
    assert_eq!(timers.elapse(&mut light, looked.1.min(start + Duration::from_seconds(13))), None);
    assert_eq!(light.state(), State::Amber);
    assert_eq!(timers.elapse(&mut light, start + Duration::from_seconds(14)).unwrap().timer, EventKind::AmberTimeout);
    assert_eq!(timers.elapse(&mut light, start + Duration::from_seconds(14)), None);
}

/// A host whose store fails a number of times.
struct Failing(usize);

impl order::Host for Failing {
    type Error = &'static str;

    fn store(&mut self, _: &order::Order, _: &order::Change) -> Result<(), Self::Error> {
        let Some(left) = self.0.checked_sub(1) else { return Ok(()) };
        self.0 = left;
        Err("disk full")
    }

    fn remind(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    fn release(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    fn alert(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

#[test]
fn a_timer_whose_store_failed_is_still_due() {
    use order::{Order, State, Timers};
    let (start, day) = (Timestamp::from_micros(0), Duration::from_seconds(86_400));
    let mut order = Order::restore(State::Paid, order::Context::default());
    let (mut timers, mut host) = (Timers::start(order.state(), start), Failing(1));
    assert!(order.run_due(&mut timers, start, &mut host).is_none());
    let error = order.run_due(&mut timers, start + day, &mut host).unwrap().unwrap_err();
    assert_eq!((error.moved(), order.state()), (false, State::Paid));
    order.run_due(&mut timers, start + day, &mut host).unwrap().unwrap();
    assert_eq!(order.state(), State::Late);
    assert!(order.run_due(&mut timers, start + day, &mut host).is_none());
}

#[test]
fn a_run_ends_a_timer_unless_the_host_failed_before_the_machine_moved() {
    use order::{Effect, EventKind, Order, Recorded, State, Timers};
    let paid = Order::restore(State::Paid, order::Context::default());
    let change = paid.clone().replay(Recorded::ShippingDeadline).unwrap();
    let refused = paid.clone().replay(Recorded::Reminder).unwrap_err();
    let error = "broken";
    let before = RunError::Before { change, effect: Effect::Alert, done: 0, error };
    let after = RunError::After { change, effect: Effect::Alert, done: 0, error, store: None };
    let outcomes = [
        (Ok(change), false),
        (Err(RunError::Refused(refused)), false),
        (Err(before), true),
        (Err(RunError::Store { change, moved: false, error }), true),
        (Err(RunError::Store { change, moved: true, error }), false),
        (Err(after), false),
    ];
    let (start, day) = (Timestamp::from_micros(0), Duration::from_seconds(86_400));
    for (outcome, is_due) in outcomes {
        let mut timers = Timers::start(paid.state(), start);
        timers.after_run(EventKind::ShippingDeadline, &outcome, start + day);
        assert_eq!(timers.next_due(&paid).is_some(), is_due, "{outcome:?}");
    }
}
