//! Systems, for the printers of all languages: what requests consist of, and what a store is asked for.

use std::collections::BTreeMap;

use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::model::system::Part;
use statespec_lang::model::{Machine, Model, PartId, System};
use statespec_lang::program::system::{Key, Load, SystemProgram};

use crate::names::Names as Claimed;

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
    let mut names = Claimed::besides(["type"]);
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

/// Where the key of an instance comes from, in the tables of a system.
pub(crate) fn key_name(key: Key) -> &'static str {
    match key {
        Key::Single => "single",
        Key::Named => "named",
        Key::New => "new",
        Key::Owned => "owned",
    }
}

/// The methods of a store for the instances of a part.
pub(crate) struct Methods {
    pub(crate) load: String,
    pub(crate) key: Option<String>,
    pub(crate) list: Option<String>,
    pub(crate) create: Option<String>,
}

/// The machine of some parts: the name under which a module of a system imports its module, the file of that, and its identifiers.
pub(crate) struct Module<I> {
    pub(crate) alias: String,
    pub(crate) file: String,
    pub(crate) idents: I,
}

/// What the module of a system names: machines with identifiers `I`, and what only one language has.
pub(crate) struct Names<'a, I, L> {
    pub(crate) model: &'a Model,
    pub(crate) program: &'a SystemProgram<'a>,
    /// By the position of the machine in the model.
    pub(crate) modules: BTreeMap<usize, Module<I>>,
    /// By part.
    pub(crate) methods: Vec<Methods>,
    pub(crate) own: L,
}

/// The modules of the machines of a system; `module` is asked once for each machine, with its position in the model.
pub(crate) fn modules<I>(
    model: &Model,
    system: &System,
    mut module: impl FnMut(usize, &Machine) -> Module<I>,
) -> BTreeMap<usize, Module<I>> {
    let mut modules = BTreeMap::new();
    for part in &system.parts {
        modules.entry(part.machine).or_insert_with(|| module(part.machine, &model.machines[part.machine]));
    }
    modules
}

/// The methods of a store by part; `name` makes a name of a verb in snake case and the name of the part.
pub(crate) fn methods(program: &SystemProgram<'_>, mut name: impl FnMut(&str, &str) -> String) -> Vec<Methods> {
    let of_part = |(idx, part): (usize, &Part)| {
        let Asked { key, list, create } = asked(program, PartId::new(idx));
        Methods {
            load: name("load", &part.name),
            key: key.then(|| name("key_of", &part.name)),
            list: list.then(|| name("list", &part.name)),
            create: create.then(|| name("new", &part.name)),
        }
    };
    program.system.parts.iter().enumerate().map(of_part).collect()
}

impl<'a, I, L> Names<'a, I, L> {
    pub(crate) fn system(&self) -> &'a System {
        self.program.system
    }

    /// The names of the modules that are imported, with their files.
    pub(crate) fn modules(&self) -> impl Iterator<Item = (&str, &str)> {
        self.modules.values().map(|it| (it.alias.as_str(), it.file.as_str()))
    }

    /// All parts, then all roles.
    pub(crate) fn all(&self) -> impl Iterator<Item = PartId> + '_ {
        self.system().part_ids().chain(self.system().role_ids())
    }

    /// The parts whose machines have predicates.
    pub(crate) fn with_predicates(&self) -> impl Iterator<Item = PartId> + '_ {
        self.system().part_ids().filter(|it| !self.machine(*it).predicates.is_empty())
    }

    pub(crate) fn name(&self, part: PartId) -> &'a str {
        &self.system().part(part).name
    }

    /// The machine of a part or role.
    pub(crate) fn machine(&self, part: PartId) -> &'a Machine {
        &self.model.machines[self.system().part(part).machine]
    }

    /// The module of the machine of a part.
    pub(crate) fn module(&self, part: PartId) -> &Module<I> {
        &self.modules[&self.system().part(part).machine]
    }

    /// The name under which the module of the machine of a part is imported.
    pub(crate) fn alias(&self, part: PartId) -> &str {
        &self.module(part).alias
    }

    pub(crate) fn idents(&self, part: PartId) -> &I {
        &self.module(part).idents
    }
}
