//! The conversion between values of the interpreter and values of Rust.

use statespec::{Configuration as _, ConfigurationOf, Decimal, Duration, Named, State, Timestamp};
use statespec_lang::model::{Configuration, EnumId, Machine, Model, StateId, Value};

/// The values of a payload or context, by position.
pub struct Values<'v> {
    machine: &'v Machine,
    values: &'v [Value],
}

impl<'v> Values<'v> {
    /// The values of one event or context of a machine.
    pub fn new(machine: &'v Machine, values: &'v [Value]) -> Self {
        Values { machine, values }
    }

    /// A value of a plain type, or an option of one.
    pub fn get<T: FromValue<'v>>(&self, idx: usize) -> T {
        let value = &self.values[idx];
        T::from_value(value).unwrap_or_else(|| panic!("{value:?} is of another type"))
    }

    /// A state.
    pub fn state<S: Named>(&self, idx: usize) -> S {
        self.optional_state(idx).expect("a state")
    }

    /// A state or null.
    pub fn optional_state<S: Named>(&self, idx: usize) -> Option<S> {
        match &self.values[idx] {
            Value::Null => None,
            Value::State(id) => Some(state_of(self.machine, *id)),
            other => panic!("{other:?} is no state"),
        }
    }

    /// A value of an enum.
    pub fn choice<E: Named>(&self, idx: usize) -> E {
        self.optional_choice(idx).expect("a value")
    }

    /// A value of an enum or null.
    pub fn optional_choice<E: Named>(&self, idx: usize) -> Option<E> {
        match &self.values[idx] {
            Value::Null => None,
            Value::Enum(_, idx) => Some(E::ALL[*idx]),
            other => panic!("{other:?} is no value of an enum"),
        }
    }
}

/// The emitted state for one of the model.
pub fn state_of<S: Named>(machine: &Machine, id: StateId) -> S {
    S::ALL[position(machine, id)]
}

/// The position of a leaf among the leaves. What needs no emitted type is compiled once.
fn position(machine: &Machine, id: StateId) -> usize {
    machine.leaves().position(|it| it == id).expect("a leaf")
}

fn leaf(machine: &Machine, position: usize) -> StateId {
    machine.leaves().nth(position).expect("a leaf")
}

fn positions(machine: &Machine, configuration: &Configuration) -> Vec<usize> {
    configuration.leaves().map(|it| position(machine, it)).collect()
}

/// The state of the model for an emitted one.
pub fn state_id<S: Named>(machine: &Machine, state: S) -> StateId {
    leaf(machine, state.index())
}

/// The emitted leaves of a configuration of the model.
pub fn leaves_of<S: Named>(machine: &Machine, configuration: &Configuration) -> Vec<S> {
    let mut leaves = Vec::new();
    for position in positions(machine, configuration) {
        leaves.push(S::ALL[position]);
    }
    leaves
}

/// The configuration of the model for an emitted one.
pub fn configuration_id<S: State>(machine: &Machine, configuration: ConfigurationOf<S>) -> Configuration {
    let mut leaves = Vec::new();
    for state in configuration.leaves() {
        leaves.push(state_id(machine, state));
    }
    machine.configuration(&leaves).expect("a configuration")
}

/// The text of a configuration of several leaves.
pub fn joined<S: Named>(leaves: &[S]) -> String {
    leaves.iter().map(|it| it.name()).collect::<Vec<_>>().join("+")
}

/// All configurations of a machine, or so many of them.
pub fn configurations(machine: &Machine, limit: usize) -> Vec<Configuration> {
    let of_leaves = |leaves: Vec<StateId>| machine.configuration(&leaves).expect("a configuration");
    inside(machine, None, limit).into_iter().map(of_leaves).collect()
}

/// The leaves that are active at once inside a state.
fn inside(machine: &Machine, whole: Option<StateId>, limit: usize) -> Vec<Vec<StateId>> {
    if let Some(leaf) = whole.filter(|it| machine.is_leaf(*it)) {
        return vec![vec![leaf]];
    }
    let children = machine.inside(whole);
    if !machine.is_parallel(whole) {
        return children.iter().flat_map(|it| inside(machine, Some(*it), limit)).collect();
    }
    children.iter().fold(vec![Vec::new()], |all, region| {
        let inside = inside(machine, Some(*region), limit);
        let both = all.iter().flat_map(|a| inside.iter().map(move |b| [a.as_slice(), b].concat()));
        both.take(limit).collect()
    })
}

/// A state as a value.
pub fn state_value<S: Named>(machine: &Machine, state: Option<S>) -> Value {
    state.map_or(Value::Null, |it| Value::State(state_id(machine, it)))
}

/// A value of an enum as a value.
pub fn choice_value<E: Named>(id: u32, value: Option<E>) -> Value {
    value.map_or(Value::Null, |it| Value::Enum(EnumId(id), it.index()))
}

/// Any other type as a value.
pub fn value<T: ToValue>(it: &T) -> Value {
    it.to_value()
}

/// The conversion to Rust from values.
pub trait FromValue<'v>: Sized {
    /// The value; `None` if it is of another type.
    fn from_value(value: &'v Value) -> Option<Self>;
}

/// The conversion from Rust to values.
pub trait ToValue {
    /// The value.
    fn to_value(&self) -> Value;
}

// The lifetime belongs to the one type that has a lifetime parameter.
macro_rules! plain {
    ($($ty:ty: $pattern:pat => $from:expr, $it:ident => $to:expr;)*) => {$(
        impl<'v> FromValue<'v> for $ty {
            fn from_value(value: &'v Value) -> Option<Self> {
                match value {
                    $pattern => Some($from),
                    _ => None,
                }
            }
        }

        impl<'v> ToValue for $ty {
            fn to_value(&self) -> Value {
                let $it = self;
                $to
            }
        }
    )*};
}

plain! {
    bool: Value::Bool(it) => *it, it => Value::Bool(*it);
    i64: Value::Int(it) => *it, it => Value::Int(*it);
    u64: Value::Reference(it) => *it, it => Value::Reference(*it);
    Decimal: Value::Decimal(it) => *it, it => Value::Decimal(*it);
    Duration: Value::Duration(it) => Duration::from_micros(*it), it => Value::Duration(it.as_micros());
    Timestamp: Value::Timestamp(it) => Timestamp::from_micros(*it), it => Value::Timestamp(it.as_micros());
    String: Value::Text(it) => it.clone(), it => Value::Text(it.clone());
    &'v str: Value::Text(it) => it.as_str(), it => Value::Text((*it).to_owned());
}

impl<'v, T: FromValue<'v>> FromValue<'v> for Option<T> {
    fn from_value(value: &'v Value) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

impl<T: ToValue> ToValue for Option<T> {
    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::to_value)
    }
}

/// The values of a transaction's payload, by position.
pub struct SystemValues<'v> {
    model: &'v Model,
    values: &'v [Value],
}

impl<'v> SystemValues<'v> {
    /// The payload of one transaction.
    pub fn new(model: &'v Model, values: &'v [Value]) -> Self {
        SystemValues { model, values }
    }

    fn plain(&self) -> Values<'v> {
        Values { machine: &self.model.machines[0], values: self.values }
    }

    fn of(&self, machine: &str) -> Values<'v> {
        Values { machine: self.model.machine(machine).expect("a machine"), values: self.values }
    }

    /// A value of a plain type, or an option of one.
    pub fn get<T: FromValue<'v>>(&self, idx: usize) -> T {
        self.plain().get(idx)
    }

    /// A state of a machine.
    pub fn state<S: Named>(&self, idx: usize, machine: &str) -> S {
        self.of(machine).state(idx)
    }

    /// A state of a machine or null.
    pub fn optional_state<S: Named>(&self, idx: usize, machine: &str) -> Option<S> {
        self.of(machine).optional_state(idx)
    }

    /// A value of an enum.
    pub fn choice<E: Named>(&self, idx: usize) -> E {
        self.plain().choice(idx)
    }

    /// A value of an enum or null.
    pub fn optional_choice<E: Named>(&self, idx: usize) -> Option<E> {
        self.plain().optional_choice(idx)
    }
}
