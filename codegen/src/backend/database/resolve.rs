//! The names of a section, looked up in the model: the mapping of a machine to its table.

use std::collections::BTreeMap;

use statespec_lang::diagnostic::suggest;
use statespec_lang::model::{EventId, FieldId, Machine, Model, PartId, PayloadId, StateId, System, Type};
use statespec_lang::read::Text;
use statespec_lang::source::Span;
use statespec_sql::{Column, Kind, Mapping, Part};

use super::Database;

/// The system and the part of `shop.parcel`.
pub(super) fn system_of<'m>(written: &Text, model: &'m Model) -> Option<(&'m System, PartId)> {
    let (system, part) = written.value.split_once('.')?;
    let system = model.systems.iter().find(|it| it.name == system)?;
    Some((system, system.part_id(part)?))
}

impl Database {
    /// The mapping of the machine to the table; names that the model lacks are reported.
    pub(super) fn mapping(&self, model: &Model, machine: &Machine, error: &mut dyn FnMut(Span, String, String)) -> Mapping {
        let fields = || machine.fields.iter().map(|it| it.name.as_str());
        let field = |name: &Text, error: &mut dyn FnMut(Span, String, String)| {
            let found = machine.fields.iter().position(|it| it.name == name.value).map(FieldId::new);
            if found.is_none() {
                let message = format!("the context of `{}` has no field `{}`", machine.name, name.value);
                error(name.span, message, suggest(&name.value, fields()).unwrap_or_default());
            }
            found
        };
        let mut columns = BTreeMap::new();
        for (name, column) in self.columns.iter() {
            if let Some(id) = field(name, error) {
                columns.insert(id, Column { name: column.value.clone(), unit: None });
            }
        }
        for (name, unit) in &self.units {
            let Some(id) = field(name, error) else { continue };
            match columns.get_mut(&id) {
                _ if !matches!(machine.fields[id.index()].ty, Type::Timestamp | Type::Duration) => {
                    error(name.span, format!("`{}` is no time", name.value), "remove it from `units`".to_owned());
                }
                Some(column) => column.unit = Some(*unit),
                None => {
                    error(name.span, format!("`{}` has no column", name.value), format!("write `columns = {{ {} = \"…\" }}`", name.value))
                }
            }
        }
        Mapping {
            engine: self.engine,
            table: self.table.clone(),
            key: self.key.iter().map(|it| it.value.clone()).collect(),
            unique: self.unique.clone(),
            state: self.state.clone(),
            kind: self.kind,
            values: self.stored(machine, error),
            version: self.version.clone(),
            columns,
            births: self.births,
            deletes: self.deletes,
            journal: self.journal,
            payload: self.payload.iter().filter_map(|it| recorded(it, machine, error)).collect(),
            timers: self.due(machine, error),
            store: self.store.is_some(),
            clock: self.clock.iter().filter_map(|it| clock(it, machine, error)).collect(),
            parts: Part::of(model, machine, self.part.as_ref().and_then(|it| system_of(it, model)).map(|it| it.0.name.as_str())),
            membership: None,
        }
    }

    /// The columns that say when timers are due.
    fn due(&self, machine: &Machine, error: &mut dyn FnMut(Span, String, String)) -> BTreeMap<EventId, String> {
        let mut due = BTreeMap::new();
        for (name, column) in self.timers.iter() {
            match machine.event_named(&name.value).filter(|it| machine.timer(*it).is_some()) {
                Some(event) => _ = due.insert(event, column.value.clone()),
                None => {
                    let timers: Vec<&str> = machine.timers().map(|(event, _)| machine.event(event).name.as_str()).collect();
                    let help = suggest(&name.value, timers.iter().copied()).unwrap_or_default();
                    error(name.span, format!("`{}` has no timer `{}`", machine.name, name.value), help);
                }
            }
        }
        due
    }

    /// The part is one of a system, and has the machine.
    pub(super) fn check_part(&self, model: &Model, error: &mut dyn FnMut(Span, String, String)) {
        let Some(written) = &self.part else { return };
        let named = |machine: usize| model.machines[machine].name == self.machine.value;
        let parts: Vec<String> = model
            .systems
            .iter()
            .flat_map(|system| system.parts.iter().filter(|it| named(it.machine)).map(|it| format!("{}.{}", system.name, it.name)))
            .collect();
        if parts.contains(&written.value) {
            return;
        }
        let message = format!("`{}` is no part of a system with the machine `{}`", written.value, self.machine.value);
        let help = match parts.is_empty() {
            true => "remove `part`: no system has this machine".to_owned(),
            false => format!("write the system and the part: {}", parts.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")),
        };
        error(written.span, message, help);
    }

    /// The values of states: those of the configuration, and for a column of numbers those of the spec.
    pub(super) fn stored(&self, machine: &Machine, error: &mut dyn FnMut(Span, String, String)) -> BTreeMap<StateId, String> {
        let number = |id: StateId| Some((id, machine.state(id).number?.to_string()));
        let mut values: BTreeMap<StateId, String> = match self.kind {
            Kind::Integer => machine.leaves().filter_map(number).collect(),
            Kind::Text | Kind::Enum => BTreeMap::new(),
        };
        for (name, value) in self.values.iter() {
            match machine.state_named(&name.value).filter(|it| machine.is_leaf(*it)) {
                Some(id) => _ = values.insert(id, value.value.clone()),
                None => {
                    let leaves: Vec<&str> = machine.leaves().map(|it| machine.state(it).name.as_str()).collect();
                    let message = format!("a row of `{}` is in no state `{}`", machine.name, name.value);
                    error(name.span, message, suggest(&name.value, leaves.iter().copied()).unwrap_or_default());
                }
            }
        }
        values
    }
}

/// A field of a payload: `claim.until`.
fn field_of<'t>(written: &'t Text, machine: &Machine) -> Option<(EventId, PayloadId, Type, &'t str, &'t str)> {
    let (event, name) = written.value.split_once('.')?;
    let id = machine.event_named(event)?;
    let (payload, field) = machine.payload_fields(id).find(|(_, field)| field.name == name)?;
    Some((id, payload, field.ty.clone(), event, name))
}

/// A field of a payload that the journal records.
fn recorded(written: &Text, machine: &Machine, error: &mut dyn FnMut(Span, String, String)) -> Option<(String, String)> {
    let found = field_of(written, machine);
    if found.is_none() {
        not_carried(written, machine, "claim.until", error);
    }
    found.map(|(_, _, _, event, name)| (event.to_owned(), name.to_owned()))
}

fn not_carried(written: &Text, machine: &Machine, example: &str, error: &mut dyn FnMut(Span, String, String)) {
    let message = format!("no event of `{}` carries `{}`", machine.name, written.value);
    error(written.span, message, format!("write the event and the field of its payload, such as `{example}`"));
}

/// The field of a payload that is the time of the database: `reclaim.now`.
fn clock(written: &Text, machine: &Machine, error: &mut dyn FnMut(Span, String, String)) -> Option<(EventId, PayloadId)> {
    match field_of(written, machine) {
        Some((event, id, Type::Timestamp, ..)) => Some((event, id)),
        Some(_) => {
            error(written.span, format!("`{}` is no timestamp", written.value), "remove it from `clock`".to_owned());
            None
        }
        None => {
            not_carried(written, machine, "reclaim.now", error);
            None
        }
    }
}
