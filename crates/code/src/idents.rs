//! What the printers of several languages name alike: identifiers and fields by id, types of functions, causes.

use statespec_lang::model::machine::Field;
use statespec_lang::model::{ActorId, ConstantId, EffectId, EnumId, EventId, FieldId, Machine, PayloadId, PredicateId, StateId};
use statespec_lang::program::Cause;

/// The identifiers of a machine in a language; `own` are those that only this language has.
pub(crate) struct Idents<L> {
    pub(crate) machine: String,
    pub(crate) states: Vec<String>,
    pub(crate) enums: Vec<String>,
    pub(crate) values: Vec<Vec<String>>,
    /// The types of events; empty for those of timers.
    pub(crate) events: Vec<String>,
    /// The names of all events.
    pub(crate) kinds: Vec<String>,
    pub(crate) payload: Vec<String>,
    pub(crate) fields: Vec<String>,
    pub(crate) effects: Vec<String>,
    pub(crate) taken: Vec<Vec<String>>,
    pub(crate) constants: Vec<String>,
    pub(crate) actors: Vec<String>,
    pub(crate) predicates: Vec<String>,
    pub(crate) own: L,
}

impl<L> Idents<L> {
    pub(crate) fn state(&self, id: StateId) -> &str {
        &self.states[id.index()]
    }

    pub(crate) fn event(&self, id: EventId) -> &str {
        &self.events[id.index()]
    }

    pub(crate) fn kind(&self, id: EventId) -> &str {
        &self.kinds[id.index()]
    }

    pub(crate) fn payload(&self, id: PayloadId) -> &str {
        &self.payload[id.index()]
    }

    pub(crate) fn field(&self, id: FieldId) -> &str {
        &self.fields[id.index()]
    }

    pub(crate) fn effect(&self, id: EffectId) -> &str {
        &self.effects[id.index()]
    }

    pub(crate) fn taken(&self, effect: EffectId, idx: usize) -> &str {
        &self.taken[effect.index()][idx]
    }

    pub(crate) fn constant(&self, id: ConstantId) -> &str {
        &self.constants[id.index()]
    }

    pub(crate) fn value(&self, of: EnumId, idx: usize) -> &str {
        &self.values[of.index()][idx]
    }

    pub(crate) fn actor(&self, id: ActorId) -> &str {
        &self.actors[id.index()]
    }

    pub(crate) fn predicate(&self, id: PredicateId) -> &str {
        &self.predicates[id.index()]
    }
}

/// A field of a type, with its identifier.
pub(crate) struct Member<'a> {
    pub(crate) ident: &'a str,
    pub(crate) field: &'a Field,
}

/// The types of a machine in a language.
pub(crate) struct Types<'a, L> {
    pub(crate) machine: &'a Machine,
    pub(crate) idents: &'a Idents<L>,
}

impl<'a, L> Types<'a, L> {
    /// The fields of an event.
    pub(crate) fn payload(&self, id: EventId) -> Vec<Member<'a>> {
        self.machine.payload_fields(id).map(|(id, field)| Member { ident: self.idents.payload(id), field }).collect()
    }

    /// The fields of an effect.
    pub(crate) fn taken(&self, id: EffectId) -> Vec<Member<'a>> {
        let fields = self.machine.effect(id).takes.iter().enumerate();
        fields.map(|(idx, it)| Member { ident: self.idents.taken(id, idx), field: &it.field }).collect()
    }

    /// The fields of the context.
    pub(crate) fn context(&self) -> Vec<Member<'a>> {
        let fields = self.machine.fields.iter().enumerate();
        fields.map(|(idx, it)| Member { ident: self.idents.field(FieldId::new(idx)), field: it }).collect()
    }

    /// The events that are no timers.
    pub(crate) fn events(&self) -> Vec<EventId> {
        (0..self.machine.events.len()).map(EventId::new).filter(|it| self.machine.event(*it).timer.is_none()).collect()
    }

    /// The events of timers.
    pub(crate) fn timers(&self) -> Vec<EventId> {
        self.machine.timers().map(|it| it.0).collect()
    }
}

/// The types that the functions of a machine take.
pub(crate) struct Signature {
    pub(crate) context: &'static str,
    pub(crate) predicates: &'static str,
}

impl Signature {
    /// The types by what a machine has; `nothing` is the type of what it does not have.
    pub(crate) fn of(machine: &Machine, nothing: &'static str) -> Signature {
        Signature {
            context: if machine.fields.is_empty() { nothing } else { "Context" },
            predicates: if machine.predicates.is_empty() { nothing } else { "Predicates" },
        }
    }
}

/// A cause in the tables of a machine.
pub(crate) fn cause(machine: &Machine, cause: Cause) -> String {
    let state = |id: StateId| machine.state(id).wire.as_str();
    match cause {
        Cause::Event(id) => machine.event(id).name.clone(),
        Cause::Direct(id) => format!("> {}", state(id)),
        Cause::Automatic => String::from("*"),
        Cause::Done(id) => format!("= {}", state(id)),
    }
}
