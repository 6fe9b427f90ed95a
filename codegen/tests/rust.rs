//! Emitted Rust of specs that use every feature: compiled without warnings, and compared with the interpreter.
//!
//! The module `emitted_files` of the other test program holds the files against the emitters, and writes them.
#![deny(warnings)]

use statespec::State;
use statespec_codegen::model::Model;

use support::{
    Drive, DriveSystem, VisitMachines, VisitSystems, compare_everywhere, compare_on_walks, compare_transactions, compare_walkthroughs,
    compare_worlds, model_of, one_in, sample,
};

#[path = "emitted/drive.rs"]
#[rustfmt::skip]
mod drive;
/// The emitted modules, as in a user's crate.
#[deny(missing_docs, unreachable_pub)]
#[rustfmt::skip]
pub mod emitted {
    #[path = "badge.rs"]
    pub mod badge;
    #[path = "bay.rs"]
    pub mod bay;
    #[path = "bookmark.rs"]
    pub mod bookmark;
    #[path = "car_wash.rs"]
    pub mod car_wash;
    #[path = "consignment.rs"]
    pub mod consignment;
    #[path = "creation.rs"]
    pub mod creation;
    #[path = "crew.rs"]
    pub mod crew;
    #[path = "deck.rs"]
    pub mod deck;
    #[path = "desk.rs"]
    pub mod desk;
    #[path = "dispatch.rs"]
    pub mod dispatch;
    #[path = "failing.rs"]
    pub mod failing;
    #[path = "failures.rs"]
    pub mod failures;
    #[path = "fair.rs"]
    pub mod fair;
    #[path = "hall.rs"]
    pub mod hall;
    #[path = "hand.rs"]
    pub mod hand;
    #[path = "option.rs"]
    pub mod option;
    #[path = "outcome.rs"]
    pub mod outcome;
    #[path = "single_state.rs"]
    pub mod single_state;
    #[path = "direct.rs"]
    pub mod direct;
    #[path = "payload_target.rs"]
    pub mod payload_target;
    #[path = "kiln.rs"]
    pub mod kiln;
    #[path = "knot.rs"]
    pub mod knot;
    #[path = "lease.rs"]
    pub mod lease;
    #[path = "lift.rs"]
    pub mod lift;
    #[path = "ferry.rs"]
    pub mod ferry;
    #[path = "fn.rs"]
    pub mod r#fn;
    #[path = "job.rs"]
    pub mod job;
    #[path = "plant.rs"]
    pub mod plant;
    #[path = "showcase.rs"]
    pub mod showcase;
    #[path = "purse.rs"]
    pub mod purse;
    #[path = "rack.rs"]
    pub mod rack;
    #[path = "shelf.rs"]
    pub mod shelf;
    #[path = "slot.rs"]
    pub mod slot;
    #[path = "step.rs"]
    pub mod step;
    #[path = "studio.rs"]
    pub mod studio;
    #[path = "till.rs"]
    pub mod till;
    #[path = "voucher.rs"]
    pub mod voucher;
    #[path = "workshop.rs"]
    pub mod workshop;
    #[path = "yard.rs"]
    pub mod yard;
}
mod failures;
#[path = "../../tests/support/mod.rs"]
mod support;

fn model() -> Model {
    model_of("tests/fixtures/rust")
}

#[test]
fn serde_speaks_of_names() {
    use emitted::showcase::{Kind, State};
    let text = serde_json::to_string(&(State::InProgress, State::Crawling, Kind::DailyLogs)).unwrap();
    assert_eq!(text, r#"["in-progress","slow | <down>","Daily logs"]"#);
    assert_eq!(serde_json::from_str::<(State, State, Kind)>(&text).unwrap(), (State::InProgress, State::Crawling, Kind::DailyLogs));
    let error = serde_json::from_str::<Kind>("\"x\"").unwrap_err();
    assert_eq!(error.to_string(), "`x` is no kind: expected `Self`, `type` or `Daily logs` at line 1 column 3");
}

#[test]
fn a_configuration_is_a_type_of_its_own() {
    use emitted::deck::{Composite, Deck, Event, EventKind, Leaf, Lit, Meter, On, Panel, State, Tape};
    let lit = State::On(On { tape: Tape::Running, panel: Panel::Lit(Lit { meter: Meter::Needles, ..Lit::INITIAL }) });
    assert_eq!(lit.to_string(), "playing+time+needles");
    assert_eq!("playing+time+needles".parse(), Ok(lit));
    assert_eq!((State::INITIAL.to_string(), "off".parse()), ("off".to_owned(), Ok(State::Off)));
    let refused = |text: &str| text.parse::<State>().unwrap_err().to_string();
    assert_eq!(refused("playing"), "a machine `deck` is never in these states at once");
    assert_eq!(refused("playing+off"), "`off` comes before `playing`");
    assert_eq!(refused("off+playing+dark"), "a machine `deck` is never in these states at once");
    assert_eq!(refused("playing+dusk"), "`dusk` is no state");

    let json = serde_json::to_string(&lit).unwrap();
    assert_eq!(json, r#"{"on":{"tape":"playing","panel":{"lit":{"clock":"time","meter":"needles"}}}}"#);
    assert_eq!(serde_json::from_str::<State>(&json).unwrap(), lit);

    assert!(lit.leaves().eq([Leaf::Running, Leaf::Time, Leaf::Needles]));
    assert_eq!([lit.is_in(Composite::Loaded), lit.is_in(Composite::Lit), State::Off.is_in(Composite::On)], [true, true, false]);
    assert_eq!([lit.is_active(Leaf::Time), lit.is_active(Leaf::Dark)], [true, false]);
    assert_eq!(
        [lit.allows(Leaf::Ended), lit.allows(Leaf::Bars), lit.allows(Leaf::Broken), State::Off.allows(Leaf::Broken)],
        [true, true, true, false]
    );
    assert!(State::Off.events().eq([EventKind::Press, EventKind::Resume]));

    let mut deck: Deck<String> = Deck::restore(lit, Default::default());
    let change = deck.apply(Event::Press, &support::Holds::default()).unwrap();
    assert_eq!((change.to_string(), deck.state()), ("playing+time+needles → off".to_owned(), State::Off));
    assert_eq!(
        serde_json::to_value(change).unwrap(),
        serde_json::json!({
            "machine": "deck",
            "from": "playing+time+needles",
            "to": "off",
            "steps": [{ "from": "playing+time+needles", "to": "off" }],
            "effects": ["rewind", "rewind", "click"],
        })
    );
    let change = deck.apply(Event::Resume, &support::Holds::default()).unwrap();
    assert_eq!(deck.state().to_string(), "playing+time+plain", "the meter starts anew, the tape goes on");
    assert_eq!([change.steps()[0].enters(Leaf::Running), change.steps()[0].leaves(Leaf::Off)], [true, true]);
    let change = deck.apply(Event::Play, &support::Holds::default()).unwrap();
    assert_eq!(change.steps()[0].rows().count(), 1);
}

/// A store that is full once, for a host of either kind.
struct Full(bool);

impl emitted::ferry::Host for Full {
    type Error = &'static str;

    fn store(&mut self, _: &emitted::ferry::Ferry, _: &emitted::ferry::Change) -> Result<(), Self::Error> {
        if std::mem::take(&mut self.0) { Err("full") } else { Ok(()) }
    }
}

impl emitted::ferry::AsyncHost for Full {
    type Error = &'static str;

    async fn store(&mut self, next: &emitted::ferry::Ferry, change: &emitted::ferry::Change) -> Result<(), Self::Error> {
        emitted::ferry::Host::store(self, next, change)
    }
}

#[test]
fn a_timer_elapses_with_an_asynchronous_host_as_with_a_blocking_one() {
    use emitted::ferry::{Ferry, State, Timers};
    let minute = |minutes: i64| statespec::Timestamp::from_micros(0) + statespec::Duration::from_seconds(60 * minutes);
    let begin = || (Ferry::new(), Timers::start(State::Moored, minute(0)), Full(true));
    let ((mut blocking, mut timers, mut host), (mut awaited, mut awaited_timers, mut awaited_host)) = (begin(), begin());
    // It is not due, its store fails and it is still due, it elapses, it is over, and the next one elapses.
    let expected = [(9, "None", "moored"), (10, "full", "moored"), (10, "moored → crossing", "crossing"), (10, "None", "crossing")];
    let last = (15, "crossing → moored", "moored");
    for (minutes, outcome, state) in expected.into_iter().chain([last]) {
        let result = blocking.run_due(&mut timers, minute(minutes), &mut host);
        let also = failures::now(awaited.run_due_async(&mut awaited_timers, minute(minutes), &mut awaited_host));
        let shown = match &result {
            None => "None".to_owned(),
            Some(Ok(change)) => change.to_string(),
            Some(Err(statespec::RunError::Store { error, .. })) => (*error).to_owned(),
            Some(Err(other)) => panic!("{other:?}"),
        };
        assert_eq!((shown.as_str(), blocking.state().name()), (outcome, state));
        assert_eq!((also, awaited.state(), awaited_timers), (result, blocking.state(), timers));
    }
}

struct Machines(Model);

impl VisitMachines for Machines {
    fn machine<D: Drive>(&mut self) {
        let machine = self.0.machine(D::State::MACHINE).unwrap();
        // A machine with regions has many configurations.
        let (limit, n_walks) = if machine.has_regions() { (sample(4), sample(15)) } else { (one_in(8, 60), one_in(12, 60)) };
        compare_everywhere::<D>(machine, limit);
        compare_on_walks::<D>(machine, n_walks as u64, 150);
    }
}

#[test]
fn emitted_machines_do_what_the_interpreter_does() {
    drive::each_machine(&mut Machines(model()));
}

struct Systems(Model);

impl VisitSystems for Systems {
    fn system<D: DriveSystem>(&mut self) {
        compare_walkthroughs::<D>(&self.0);
        let went_through = compare_transactions::<D>(&self.0, one_in(6, 100) as u64, 80);
        assert!(went_through.values().all(|it| *it > 0), "{went_through:?}");
    }
}

/// Several instances of one part in one transaction, and parts with regions, in every world that is reached first.
struct Worlds(Model);

impl VisitSystems for Worlds {
    fn system<D: DriveSystem>(&mut self) {
        if matches!(D::SYSTEM, "dispatch" | "car_wash") {
            let n_worlds = compare_worlds::<D>(&self.0, one_in(8, 150));
            assert_eq!(n_worlds, one_in(8, 150));
        }
    }
}

#[test]
fn several_instances_of_one_part_in_every_reachable_world() {
    drive::each_system(&mut Worlds(model()));
}

#[test]
fn emitted_systems_do_what_the_interpreter_does() {
    drive::each_system(&mut Systems(model()));
}
