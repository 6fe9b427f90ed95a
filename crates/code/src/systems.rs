//! Systems, for the printers of all languages: what requests consist of, and what a store is asked for.

use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::model::{Machine, Model, PartId, System};
use statespec_lang::program::system::{Key, Load, SystemProgram};

use crate::names::Names;

/// The systems of a model, each refused at its name: the section `section` has to say that the machines are wanted alone.
pub fn refused(model: &Model, language: &str, section: &str) -> Vec<Diagnostic> {
    let help = format!("write `systems = false` in `[{section}]` for the machines alone");
    let message = |name: &str| format!("no {language} is emitted for systems such as `{name}`");
    model.systems.iter().map(|it| Diagnostic::new(Code::ConfigInvalid, it.span, message(&it.name)).help(help.clone())).collect()
}

/// A field of the request for a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestField {
    /// The name of the field: that of the input, or `PART_id`.
    pub name: String,
    /// Where its value goes.
    pub value: RequestValue,
}

/// What a field of a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestValue {
    /// The key of the instance of this part or role.
    Key(PartId),
    /// The input at this position of the transaction's payload.
    Input(usize),
}

/// The fields of the request for a transaction, keys first. Their names differ from each other and from `type`.
pub fn request(program: &SystemProgram<'_>, transaction: usize) -> Vec<RequestField> {
    let system = program.system;
    let mut names = Names::besides(["type"]);
    let inputs = system.transactions[transaction].payload.iter().enumerate();
    let inputs: Vec<RequestField> =
        inputs.map(|(idx, it)| RequestField { name: names.claim(it.field.name.clone()), value: RequestValue::Input(idx) }).collect();
    let keys = program.transactions[transaction].keys.iter();
    let keys = keys.map(|it| {
        let name = names.claim(format!("{}_id", system.part(*it).name.replace('.', "_")));
        RequestField { name, value: RequestValue::Key(*it) }
    });
    keys.chain(inputs).collect()
}

/// What a store is asked for about the instances of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// The key of the only instance, because a rule reads it or another instance refers to it.
    pub key: bool,
    /// All instances, because an invariant is about each.
    pub list: bool,
    /// The key of a new instance.
    pub create: bool,
}

/// What a store is asked for about the instances of a part.
pub fn asked(program: &SystemProgram<'_>, part: PartId) -> Asked {
    let system = program.system;
    let plays = |it: PartId| system.plays(it) == part;
    let loads = program.transactions.iter().flat_map(|it| &it.loads).chain(program.links.iter().flat_map(|it| &it.loads));
    Asked {
        key: !system.part(part).many && program.uses_key(part),
        list: program.invariants.iter().any(|it| it.each == Some(part)),
        create: loads.into_iter().any(|it: &Load| it.key == Key::New && plays(it.part)),
    }
}

/// The machine of a part or role.
pub fn machine<'m>(model: &'m Model, system: &System, part: PartId) -> &'m Machine {
    &model.machines[system.part(part).machine]
}
