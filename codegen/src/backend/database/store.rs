//! `store` of `[[database]]`: the facts of the table for `statespec-store`, as a constant of Rust.

use statespec_lang::model::{FieldId, Machine, StateId, Type};
use statespec_lang::read::Text;
use statespec_lang::source::Span;
use statespec_sql::{Engine, Kind, Mapping, Unit};

use super::Attached;
use crate::backend::Reader;

/// The columns of a store, as the configuration has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Store {
    pub(super) out: Text,
    /// The kinds of the columns of the key, as Rust; empty if all are integers.
    pub(super) key: Vec<(Text, &'static str)>,
    pub(super) rest: Option<Text>,
    pub(super) timers: Option<Text>,
    pub(super) next_due: Option<Text>,
}

/// The kinds of the columns of a key.
pub(super) fn kinds(written: Vec<Text>, reader: &mut Reader<'_>) -> Vec<(Text, &'static str)> {
    let kinds = [("integer", "Integer"), ("text", "Text"), ("uuid", "Uuid")];
    let kind = |it: Text| {
        let kind = reader.choice("key", &it, &kinds);
        (it, kind)
    };
    written.into_iter().map(kind).collect()
}

/// Whether the machine has timers.
fn has_timers(machine: &Machine) -> bool {
    machine.events.iter().any(|it| it.timer.is_some())
}

impl Store {
    pub(super) fn check(&self, machine: &Machine, mapping: &Mapping, error: &mut dyn FnMut(Span, String, String)) {
        let name = &machine.name;
        let at = self.out.span;
        if mapping.version.is_none() {
            error(at, "a store compares versions, and the table has none".to_owned(), "write `version = \"…\"` in the section".to_owned());
        }
        if !self.key.is_empty() && self.key.len() != mapping.key.len() {
            let (given, expected) = (self.key.len(), mapping.key.len());
            let help = "name the kind of each column of the key, in the same order".to_owned();
            error(self.key[0].0.span, format!("`key` has {given} kinds, and the key {expected} columns"), help);
        }
        let left: Vec<&str> = fields(machine).filter(|it| !mapping.columns.contains_key(&it.0)).map(|it| it.1).collect();
        match (&self.rest, left.first()) {
            (None, Some(first)) => {
                let help = format!("write `rest = \"…\"` in `store`, or `columns = {{ {first} = \"…\" }}`");
                error(at, format!("no column has the field `{first}` of `{name}`"), help);
            }
            (Some(rest), None) => {
                error(rest.span, format!("every field of `{name}` has a column"), "remove `rest`".to_owned());
            }
            _ => {}
        }
        let columns = [("timers", &self.timers), ("next_due", &self.next_due)];
        for (key, column) in columns {
            match (has_timers(machine), column) {
                (true, None) => error(at, format!("`{name}` has timers"), format!("write `{key} = \"…\"` in `store`")),
                (false, Some(it)) => error(it.span, format!("`{name}` has no timers"), format!("remove `{key}`")),
                _ => {}
            }
        }
    }

    /// The file.
    pub(super) fn rust(&self, attached: &Attached<'_>) -> String {
        let (machine, mapping) = (attached.machine, &attached.mapping);
        let mut key = mapping.key.iter().enumerate().map(|(idx, name)| {
            let kind = self.key.get(idx).map_or("Integer", |it| it.1);
            format!("Column::new({}, Kind::{kind})", literal(name))
        });
        let columns = mapping.columns.iter().map(|(field, column)| {
            let field = &machine.fields[field.index()];
            format!(
                "Column {{ field: {}, name: {}, kind: Kind::{} }}",
                literal(&field.name),
                literal(&column.name),
                kind(&field.ty, column.unit)
            )
        });
        let values = mapping.values.iter().map(|(state, value)| format!("({}, {})", literal(&machine.state(*state).wire), literal(value)));
        let states = |it: &mut dyn Iterator<Item = StateId>| it.map(|it| literal(&machine.state(it).wire)).collect::<Vec<_>>().join(", ");
        let resolved = attached.database.lease.as_ref().and_then(|it| Some((it, it.resolve(machine, &mut |_, _, _| {})?)));
        let lease = resolved.map(|(lease, it)| {
            let (free, held) = (states(&mut it.free().into_iter()), states(&mut it.held().into_iter()));
            format!("Lease {{ expires: {}, free: &[{free}], held: &[{held}] }}", literal(&lease.expires.value))
        });
        let timers =
            self.timers.as_ref().zip(self.next_due.as_ref()).map(|(started, next)| {
                format!("TimerColumns {{ started: {}, next_due: {} }}", literal(&started.value), literal(&next.value))
            });
        let (engine, state_kind) = match (mapping.engine, mapping.kind) {
            (Engine::Sqlite, Kind::Integer) => ("Sqlite", "Integer"),
            (Engine::Sqlite, _) => ("Sqlite", "Text"),
            (Engine::Postgres, Kind::Text) => ("Postgres", "Text"),
            (Engine::Postgres, Kind::Enum) => ("Postgres", "Enum"),
            (Engine::Postgres, Kind::Integer) => ("Postgres", "Integer"),
        };
        let mut used = vec!["Column", "Engine", "Kind", "Layout"];
        used.extend(lease.as_ref().map(|_| "Lease"));
        used.push("Table");
        used.extend(timers.as_ref().map(|_| "TimerColumns"));
        let or_none = |it: Option<String>| it.map_or_else(|| "None".to_owned(), |it| format!("Some({it})"));
        let name = |it: &Option<Text>| or_none(it.as_ref().map(|it| literal(&it.value)));
        let entries = [
            ("machine", literal(&machine.name)),
            ("engine", format!("Engine::{engine}")),
            ("schema", or_none(mapping.table.schema.as_deref().map(literal))),
            ("name", literal(&mapping.table.name)),
            ("key", list(&mut key)),
            ("state", literal(&mapping.state)),
            ("kind", format!("Kind::{state_kind}")),
            ("values", list(&mut values.into_iter())),
            ("version", literal(mapping.version.as_deref().unwrap_or_default())),
            ("columns", list(&mut columns.into_iter())),
            ("rest", name(&self.rest)),
            ("timers", or_none(timers)),
            ("lease", or_none(lease)),
            ("journal", mapping.journal.to_string()),
            ("layout", "Layout::Emitted".to_owned()),
        ];
        let entries: String = entries.iter().map(|(key, value)| format!("    {key}: {value},\n")).collect();
        format!(
            "//! The table of `{0}`, for `statespec_store::Store`.\n\nuse statespec_store::{{{1}}};\n\n\
             /// The table of `{0}` in {2}.\n#[rustfmt::skip]\npub const TABLE: Table = Table {{\n{entries}}};\n",
            machine.name,
            used.join(", "),
            mapping.engine.name()
        )
    }
}

/// The fields of the context, by name.
fn fields(machine: &Machine) -> impl Iterator<Item = (FieldId, &str)> {
    machine.fields.iter().enumerate().map(|(idx, it)| (FieldId::new(idx), it.name.as_str()))
}

/// The kind of the column of a field.
fn kind(ty: &Type, unit: Option<Unit>) -> &'static str {
    match (ty, unit) {
        (Type::Timestamp | Type::Duration, Some(Unit::Seconds)) => "Seconds",
        (Type::Timestamp | Type::Duration, Some(Unit::Millis)) => "Millis",
        (Type::Timestamp | Type::Duration, Some(Unit::Micros)) => "Micros",
        (Type::Timestamp, None) => "Timestamp",
        (Type::Duration, None) => "Duration",
        (Type::Bool, _) => "Bool",
        (Type::Decimal, _) => "Decimal",
        (Type::Int | Type::Reference, _) => "Integer",
        (Type::Text | Type::Enum(_) | Type::State | Type::Event, _) => "Text",
        (Type::List(_), _) => "Json",
    }
}

/// A list of Rust.
fn list(items: &mut dyn Iterator<Item = String>) -> String {
    format!("&[{}]", items.collect::<Vec<_>>().join(", "))
}

/// A text of Rust.
fn literal(text: &str) -> String {
    format!("\"{}\"", text.escape_default())
}
