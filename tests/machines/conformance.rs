//! The generated conformance tests: emitted machines pass them, a hand-written one passes them,
//! and one with a mistake does not.

use statespec::{Configuration as _, Named, State as _};
use statespec_lang::model::{EnumId, Machine, Type, Value};

use crate::support::{Drive, Holds, Values, joined, model_of};

#[rustfmt::skip]
#[path = "../../generated/conformance/mod.rs"]
mod generated;

use generated::{Fields, Implementation, Request, Value as Given, assert_conformance, conformance, elevator, mission};

/// Tests every emitted machine.
macro_rules! emitted_machines_conform {
    ($($module:ident: $emitted:ty,)*) => {
        #[test]
        fn emitted_machines_conform() {
            let mut names = Vec::new();
            $(
                assert_conformance::<Emitted<$emitted>>(&generated::$module::TESTS);
                names.push(generated::$module::TESTS.machine);
            )*
            // No machine of this project is left out.
            let all: Vec<String> = model_of("machines").machines.iter().map(|it| it.name.clone()).collect();
            assert_eq!(names, all);
        }
    };
}

emitted_machines_conform! {
    agent_run: statespec_machines::agent_run::AgentRun,
    elevator: statespec_machines::elevator::Elevator,
    eviction_policy: statespec_machines::eviction_policy::EvictionPolicy,
    hop: statespec_machines::hop::Hop<u64>,
    media_player: statespec_machines::media_player::MediaPlayer,
    mission: statespec_machines::mission::Mission<u64>,
    mysis: statespec_machines::mysis::Mysis<String>,
    mysis_activity: statespec_machines::mysis_activity::MysisActivity,
    order: statespec_machines::order::Order,
    pressure: statespec_machines::pressure::Pressure,
    resource: statespec_machines::resource::Resource,
    run_job: statespec_machines::run_job::RunJob,
    session: statespec_machines::session::Session,
    traffic_light: statespec_machines::traffic_light::TrafficLight,
}

/// An emitted machine, or none before it is created.
struct Emitted<D> {
    now: Option<D>,
    machine: Machine,
}

fn machine<D: Drive>() -> Machine {
    thread_local! {
        static MODEL: statespec_lang::model::Model = model_of("machines");
    }
    MODEL.with(|it| it.machine(D::State::MACHINE).expect("a machine").clone())
}

/// The active leaves by the text of a state: that of a configuration, if the machine has regions.
fn leaves<D: Drive>(machine: &Machine, state: &str) -> Vec<D::State> {
    let parse = |leaf| Named::parse(leaf).expect("a leaf");
    if machine.has_regions() { state.split('+').map(parse).collect() } else { vec![parse(state)] }
}

/// A value of a field of this type.
fn typed(machine: &Machine, ty: &Type, value: Given) -> Value {
    match (value, ty) {
        (Given::Null, _) => Value::Null,
        (Given::Bool(it), _) => Value::Bool(it),
        (Given::Int(it), _) => Value::Int(it),
        (Given::Decimal(it), _) => Value::Decimal(it.parse().expect("a decimal")),
        (Given::Text(it), _) => Value::Text(it.to_owned()),
        (Given::Duration(it), _) => Value::Duration(it),
        (Given::Timestamp(it), _) => Value::Timestamp(it),
        (Given::Reference(it), _) => Value::Reference(it),
        (Given::Name(name), Type::Enum(id)) => {
            let values = &machine.enums[id.index()].values;
            Value::Enum(EnumId(id.0), values.iter().position(|it| it.name == name).expect("a value"))
        }
        (Given::Name(name), _) => Value::State(machine.leaves().find(|it| machine.state(*it).wire == name).expect("a leaf")),
    }
}

impl<D: Drive> Implementation for Emitted<D> {
    fn start() -> Self {
        Self::new(D::start())
    }

    fn at(state: &'static str, context: Fields) -> Self {
        let machine = machine::<D>();
        let given = |name: &str| context.iter().find(|it| it.0 == name).map_or(Given::Null, |it| it.1);
        let values: Vec<Value> = machine.fields.iter().map(|it| typed(&machine, &it.ty, given(&it.name))).collect();
        let leaves = leaves::<D>(&machine, state);
        Self::new(Some(D::at(&leaves, &Values::new(&machine, &values))))
    }

    fn handle(&mut self, request: Request, holds: &[&str]) -> bool {
        match request {
            Request::Direct(state) => self.transition_to(state, holds),
            Request::Event(event, payload) => self.raise(event, payload, holds),
            Request::Elapsed(timer) => self.raise(timer, &[], holds),
        }
    }

    fn state(&self) -> Option<String> {
        self.now.as_ref().map(|it| joined(&it.state_now().leaves().collect::<Vec<_>>()))
    }

    fn has(&self, field: &str, value: Given) -> bool {
        let idx = self.machine.fields.iter().position(|it| it.name == field).expect("a field");
        let now = self.now.as_ref().map(|it| it.context_now(&self.machine)).unwrap_or_default();
        now.get(idx) == Some(&typed(&self.machine, &self.machine.fields[idx].ty, value))
    }

    fn allows(from: &str, to: &str) -> Option<bool> {
        let to = <D::State as Named>::parse(to).expect("a leaf");
        Some(leaves::<D>(&machine::<D>(), from).into_iter().any(|it| it.allows(to)))
    }
}

impl<D: Drive> Emitted<D> {
    fn new(now: Option<D>) -> Self {
        Emitted { now, machine: machine::<D>() }
    }

    fn raise(&mut self, name: &str, payload: Fields, holds: &[&str]) -> bool {
        let event = self.machine.event(self.machine.event_named(name).expect("an event"));
        let values = event.payload.iter().zip(payload).map(|(field, (_, it))| typed(&self.machine, &field.ty, *it));
        let values: Vec<Value> = values.collect();
        let holds = Holds(holds.iter().map(|it| (*it).to_owned()).collect());
        let event = D::event(name, &Values::new(&self.machine, &values)).expect("an event");
        match &mut self.now {
            Some(it) => it.raise(event, &holds).is_ok(),
            None => match D::create(event, &holds) {
                Ok((created, _)) => {
                    self.now = Some(created);
                    true
                }
                Err(_) => false,
            },
        }
    }

    fn transition_to(&mut self, state: &str, holds: &[&str]) -> bool {
        let holds = Holds(holds.iter().map(|it| (*it).to_owned()).collect());
        let to = Named::parse(state).expect("a state");
        self.now.as_mut().is_some_and(|it| it.transition_to(to, &holds).is_ok())
    }
}

/// Missions as a hand-written implementation, independent of the spec.
struct Mission<const MISTAKE: u8> {
    state: Option<&'static str>,
    current_hop: Option<u64>,
    /// Whether it was created by an event of the test.
    is_new: bool,
}

impl<const MISTAKE: u8> Implementation for Mission<MISTAKE> {
    fn start() -> Self {
        Mission { state: None, current_hop: None, is_new: true }
    }

    fn at(state: &'static str, context: Fields) -> Self {
        let current = context.iter().find_map(|it| if let ("current_hop_id", Given::Reference(it)) = it { Some(*it) } else { None });
        Mission { state: Some(state), current_hop: current, is_new: false }
    }

    fn handle(&mut self, request: Request, _: &[&str]) -> bool {
        use Given::{Bool, Reference};
        let Request::Event(event, payload) = request else { return false };
        match (self.state, event, payload) {
            (None, "propose", []) => self.state = Some("AWAITING_APPROVAL"),
            (Some("AWAITING_APPROVAL"), "approve", []) if MISTAKE == 4 && self.is_new => return false,
            (Some("AWAITING_APPROVAL"), "approve", []) => self.state = Some("IN_PROGRESS"),
            (Some("IN_PROGRESS"), "link_hop", [(_, Reference(hop))]) if self.current_hop.is_none() || MISTAKE == 1 => {
                self.current_hop = Some(*hop)
            }
            (Some("IN_PROGRESS"), "hop_completed", [(_, Bool(true))]) => self.state = Some("COMPLETED"),
            (Some("IN_PROGRESS"), "hop_completed", [(_, Bool(false))]) if MISTAKE == 2 => {}
            (Some("IN_PROGRESS"), "hop_completed", [(_, Bool(false))]) => self.current_hop = None,
            // The mission is approved a second time.
            (Some("IN_PROGRESS"), "approve", []) if MISTAKE == 3 => {}
            _ => return false,
        }
        true
    }

    fn state(&self) -> Option<String> {
        self.state.map(str::to_owned)
    }

    fn has(&self, field: &str, value: Given) -> bool {
        let current = self.current_hop.map_or(Given::Null, Given::Reference);
        field != "current_hop_id" || value == current
    }
}

#[test]
fn an_implementation_by_hand_conforms() {
    assert_conformance::<Mission<0>>(&mission::TESTS);
}

#[test]
fn planted_mistakes_are_found() {
    let one = conformance::<Mission<1>>(&mission::TESTS);
    assert_eq!(
        one,
        ["IN_PROGRESS [(\"current_hop_id\", Reference(1))], Event(\"link_hop\", [(\"hop_id\", Reference(1))]): \
             must be refused, and was taken"]
    );
    let two = conformance::<Mission<2>>(&mission::TESTS);
    assert_eq!(two.len(), 1, "{two:#?}");
    assert!(two[0].ends_with("afterwards current_hop_id must be Null"), "{}", two[0]);
    let three = conformance::<Mission<3>>(&mission::TESTS);
    assert_eq!(three.len(), 1, "{three:#?}");
    assert!(three[0].contains("Event(\"approve\", [])") && three[0].ends_with("must be refused, and was taken"), "{}", three[0]);
    let four = conformance::<Mission<4>>(&mission::TESTS);
    let step = "step 2 (Event(\"approve\", [])) must lead to IN_PROGRESS, and was refused";
    let expected = [format!("the path to IN_PROGRESS: {step}"), format!("the path to COMPLETED: {step}")];
    assert_eq!(four, expected);
}

/// An elevator whose door can be opened on the way.
struct Careless(Emitted<statespec_machines::elevator::Elevator>);

impl Implementation for Careless {
    fn start() -> Self {
        Careless(Implementation::start())
    }

    fn at(state: &'static str, context: Fields) -> Self {
        Careless(Implementation::at(state, context))
    }

    fn handle(&mut self, request: Request, holds: &[&str]) -> bool {
        let is_moving = self.state().is_some_and(|it| it.starts_with("up+") || it.starts_with("down+"));
        Implementation::handle(&mut self.0, request, holds) || is_moving && request == Request::Event("hold", &[])
    }

    fn state(&self) -> Option<String> {
        Implementation::state(&self.0)
    }
}

#[test]
fn a_mistake_of_one_region_is_found_beside_the_state_of_the_other() {
    let wrong = conformance::<Careless>(&elevator::TESTS);
    let found: Vec<&str> = wrong.iter().map(|it| it.split(' ').next().unwrap()).collect();
    assert_eq!(found, ["up+shut", "down+shut"], "{wrong:#?}");
    assert!(wrong.iter().all(|it| it.ends_with("Event(\"hold\", []): must be refused, and was taken")), "{wrong:#?}");
}
