//! The values that a line can give to a request: for completion, hints and messages.

use statespec_lang::interpret::value;
use statespec_lang::model::machine::{Enum, Field};
use statespec_lang::model::{Machine, Type};

use super::clock::EXAMPLES;

/// The number of values of an enum up to which all of them are shown.
const MAX_SHOWN: usize = 6;

/// A `FIELD=VALUE` that a line can have.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) name: String,
    /// The possible values in words, without brackets.
    pub(super) kind: String,
    /// Values that a line can begin to type.
    pub(super) values: Vec<String>,
    pub(super) is_optional: bool,
}

impl Slot {
    /// The slot of a field; `machine` has the states of its type.
    pub(super) fn new(machine: Option<&Machine>, enums: &[Enum], field: &Field) -> Slot {
        let mut values: Vec<String> = match &field.ty {
            Type::Bool => vec!["true".into(), "false".into()],
            Type::State => machine.iter().flat_map(|it| it.leaves().map(|leaf| it.state(leaf).name.clone())).collect(),
            Type::Enum(id) => enums.get(id.index()).iter().flat_map(|it| &it.values).map(|it| it.name.clone()).collect(),
            Type::Timestamp => vec!["now".into(), "+".into(), "-".into()],
            _ => Vec::new(),
        };
        let kind = match &field.ty {
            Type::Enum(_) if (1..=MAX_SHOWN).contains(&values.len()) => values.join("|"),
            Type::Timestamp => EXAMPLES.trim_start_matches("write ").to_owned(),
            ty => value::kind(enums, ty),
        };
        if field.optional {
            values.push("null".into());
        }
        Slot { name: field.name.clone(), kind, values, is_optional: field.optional }
    }

    /// ` by=<a text>`
    pub(super) fn usage(&self) -> String {
        format!(" {}=<{}>", self.name, self.kind)
    }
}
