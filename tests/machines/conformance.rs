//! The generated conformance tests: emitted machines pass them, a hand-written one passes them,
//! and one with a mistake does not.

use statespec::{Configuration as _, Named, State as _};
use statespec_lang::model::{EnumId, Machine, Type, Value};

use crate::support::{Drive, Holds, Values, joined, model_of};

/// Includes a generated file as a module, with an emitted machine as the tested implementation.
macro_rules! conformance {
    ($($module:ident: $emitted:ty, $path:literal;)*) => {$(
        #[rustfmt::skip]
        #[path = $path]
        #[allow(unreachable_pub)]
        mod $module;

        impl $module::Implementation for Emitted<$emitted> {
            fn start() -> Self {
                Self::new(<$emitted as Drive>::start())
            }

            fn at(state: &'static str, context: $module::Fields) -> Self {
                let machine = machine::<$emitted>();
                let given = |name: &str| context.iter().find(|it| it.0 == name).map_or(Value::Null, |it| plain(&machine, it.1.into()));
                let values: Vec<Value> = machine.fields.iter().map(|it| typed(&machine, &it.ty, given(&it.name))).collect();
                let leaves = leaves::<$emitted>(&machine, state);
                Self::new(Some(<$emitted as Drive>::at(&leaves, &Values::new(&machine, &values))))
            }

            fn handle(&mut self, request: $module::Request, holds: &[&str]) -> bool {
                match request {
                    $module::Request::Direct(state) => self.transition_to(state, holds),
                    $module::Request::Event(event, payload) => {
                        let payload: Vec<_> = payload.iter().map(|it| (it.0, it.1.into())).collect();
                        self.raise(event, &payload, holds)
                    }
                    $module::Request::Elapsed(timer) => self.raise(timer, &[], holds),
                }
            }

            fn state(&self) -> Option<String> {
                self.now.as_ref().map(|it| joined(&it.state_now().leaves().collect::<Vec<_>>()))
            }

            fn has(&self, field: &str, value: $module::Value) -> bool {
                self.holds_value(field, value.into())
            }

            fn allows(from: &str, to: &str) -> Option<bool> {
                let to = <<$emitted as Drive>::State as Named>::parse(to).expect("a leaf");
                Some(leaves::<$emitted>(&machine::<$emitted>(), from).into_iter().any(|it| it.allows(to)))
            }
        }

        impl From<$module::Value> for Plain {
            fn from(value: $module::Value) -> Plain {
                match value {
                    $module::Value::Null => Plain::Value(Value::Null),
                    $module::Value::Bool(it) => Plain::Value(Value::Bool(it)),
                    $module::Value::Int(it) => Plain::Value(Value::Int(it)),
                    $module::Value::Decimal(it) => Plain::Value(Value::Decimal(it.parse().expect("a decimal"))),
                    $module::Value::Text(it) => Plain::Value(Value::Text(it.to_owned())),
                    $module::Value::Duration(it) => Plain::Value(Value::Duration(it)),
                    $module::Value::Timestamp(it) => Plain::Value(Value::Timestamp(it)),
                    $module::Value::Reference(it) => Plain::Value(Value::Reference(it)),
                    $module::Value::Name(it) => Plain::Name(it),
                }
            }
        }
    )*

        #[test]
        fn emitted_machines_conform() {
            let mut n_cases = 0;
            $(
                $module::assert_conformance::<Emitted<$emitted>>();
                n_cases += $module::STATES.len();
            )*
            // No machine of this project is left out.
            assert_eq!(n_cases, model_of("machines").machines.iter().map(|it| it.leaves().count()).sum::<usize>());
        }
    };
}

conformance! {
    agent_run: statespec_machines::agent_run::AgentRun, "../../generated/conformance/agent_run.rs";
    elevator: statespec_machines::elevator::Elevator, "../../generated/conformance/elevator.rs";
    eviction_policy: statespec_machines::eviction_policy::EvictionPolicy, "../../generated/conformance/eviction_policy.rs";
    hop: statespec_machines::hop::Hop<u64>, "../../generated/conformance/hop.rs";
    media_player: statespec_machines::media_player::MediaPlayer, "../../generated/conformance/media_player.rs";
    mission: statespec_machines::mission::Mission<u64>, "../../generated/conformance/mission.rs";
    mysis: statespec_machines::mysis::Mysis<String>, "../../generated/conformance/mysis.rs";
    mysis_activity: statespec_machines::mysis_activity::MysisActivity, "../../generated/conformance/mysis_activity.rs";
    order: statespec_machines::order::Order, "../../generated/conformance/order.rs";
    pressure: statespec_machines::pressure::Pressure, "../../generated/conformance/pressure.rs";
    resource: statespec_machines::resource::Resource, "../../generated/conformance/resource.rs";
    run_job: statespec_machines::run_job::RunJob, "../../generated/conformance/run_job.rs";
    session: statespec_machines::session::Session, "../../generated/conformance/session.rs";
    traffic_light: statespec_machines::traffic_light::TrafficLight, "../../generated/conformance/traffic_light.rs";
}

/// An emitted machine, or none before it is created.
struct Emitted<D> {
    now: Option<D>,
    machine: Machine,
}

/// A value in the form of the generated files.
enum Plain {
    Value(Value),
    Name(&'static str),
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

/// Converts a value; names are resolved by the field that uses them.
fn plain(_: &Machine, value: Plain) -> Value {
    match value {
        Plain::Value(it) => it,
        Plain::Name(it) => Value::Text(it.to_owned()),
    }
}

fn typed(machine: &Machine, ty: &Type, value: Value) -> Value {
    match (ty, &value) {
        (Type::State, Value::Text(name)) => Value::State(machine.leaves().find(|it| machine.state(*it).wire == *name).expect("a leaf")),
        (Type::Enum(id), Value::Text(name)) => {
            let values = &machine.enums[id.index()].values;
            Value::Enum(EnumId(id.0), values.iter().position(|it| it.name == *name).expect("a value"))
        }
        _ => value,
    }
}

impl<D: Drive> Emitted<D> {
    fn new(now: Option<D>) -> Self {
        Emitted { now, machine: machine::<D>() }
    }

    fn raise(&mut self, name: &str, payload: &[(&str, Plain)], holds: &[&str]) -> bool {
        let event = self.machine.event(self.machine.event_named(name).expect("an event"));
        let value = |it: &Plain| match it {
            Plain::Value(it) => it.clone(),
            Plain::Name(it) => Value::Text((*it).to_owned()),
        };
        let values = event.payload.iter().zip(payload).map(|(field, (_, it))| typed(&self.machine, &field.ty, value(it)));
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

    fn holds_value(&self, field: &str, value: Plain) -> bool {
        let idx = self.machine.fields.iter().position(|it| it.name == field).expect("a field");
        let now = self.now.as_ref().map(|it| it.context_now(&self.machine)).unwrap_or_default();
        now.get(idx) == Some(&typed(&self.machine, &self.machine.fields[idx].ty, plain(&self.machine, value)))
    }
}

/// Missions as a hand-written implementation, independent of the spec.
struct Mission<const MISTAKE: u8> {
    state: Option<&'static str>,
    current_hop: Option<u64>,
}

impl<const MISTAKE: u8> mission::Implementation for Mission<MISTAKE> {
    fn start() -> Self {
        Mission { state: None, current_hop: None }
    }

    fn at(state: &'static str, context: mission::Fields) -> Self {
        let current =
            context.iter().find_map(|it| if let ("current_hop_id", mission::Value::Reference(it)) = it { Some(*it) } else { None });
        Mission { state: Some(state), current_hop: current }
    }

    fn handle(&mut self, request: mission::Request, _: &[&str]) -> bool {
        use mission::Value::{Bool, Reference};
        let mission::Request::Event(event, payload) = request else { return false };
        match (self.state, event, payload) {
            (None, "propose", []) => self.state = Some("AWAITING_APPROVAL"),
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

    fn has(&self, field: &str, value: mission::Value) -> bool {
        let current = self.current_hop.map_or(mission::Value::Null, mission::Value::Reference);
        field != "current_hop_id" || value == current
    }
}

#[test]
fn an_implementation_by_hand_conforms() {
    mission::assert_conformance::<Mission<0>>();
}

#[test]
fn planted_mistakes_are_found() {
    let one = mission::conformance::<Mission<1>>();
    assert_eq!(
        one,
        ["IN_PROGRESS [(\"current_hop_id\", Reference(1))], Event(\"link_hop\", [(\"hop_id\", Reference(1))]): \
             must be refused, and was taken"]
    );
    let two = mission::conformance::<Mission<2>>();
    assert_eq!(two.len(), 1, "{two:#?}");
    assert!(two[0].ends_with("afterwards current_hop_id must be Null"), "{}", two[0]);
    let three = mission::conformance::<Mission<3>>();
    assert_eq!(three.len(), 1, "{three:#?}");
    assert!(three[0].contains("Event(\"approve\", [])") && three[0].ends_with("must be refused, and was taken"), "{}", three[0]);
}

/// An elevator whose door can be opened on the way.
struct Careless(Emitted<statespec_machines::elevator::Elevator>);

impl elevator::Implementation for Careless {
    fn start() -> Self {
        Careless(elevator::Implementation::start())
    }

    fn at(state: &'static str, context: elevator::Fields) -> Self {
        Careless(elevator::Implementation::at(state, context))
    }

    fn handle(&mut self, request: elevator::Request, holds: &[&str]) -> bool {
        let is_moving = self.state().is_some_and(|it| it.starts_with("up+") || it.starts_with("down+"));
        elevator::Implementation::handle(&mut self.0, request, holds) || is_moving && request == elevator::Request::Event("hold", &[])
    }

    fn state(&self) -> Option<String> {
        elevator::Implementation::state(&self.0)
    }
}

#[test]
fn a_mistake_of_one_region_is_found_beside_the_state_of_the_other() {
    let wrong = elevator::conformance::<Careless>();
    let found: Vec<&str> = wrong.iter().map(|it| it.split(' ').next().unwrap()).collect();
    assert_eq!(found, ["up+shut", "down+shut"], "{wrong:#?}");
    assert!(wrong.iter().all(|it| it.ends_with("Event(\"hold\", []): must be refused, and was taken")), "{wrong:#?}");
}
