//! The identifiers of the module of a system, and what its expressions read.

use std::collections::BTreeMap;

use statespec_lang::expr::Var;
use statespec_lang::model::system::Input;
use statespec_lang::model::{ConstantId, Literal, Machine, Model, PartId, PredicateId, StateId, System, Type};
use statespec_lang::program::{Expr, SystemProgram};

use crate::names::{Names as Claimed, camel, pascal};
use crate::systems::{Asked, RequestField, RequestValue, asked, machine, request};
use crate::typescript::expr::{Reads, UNREACHABLE, plain};
use crate::typescript::idents::{Idents, KEYWORDS, access, quoted};

/// What a module declares or uses itself.
const OWN: &[&str] = &[
    "at",
    "checkInvariants",
    "checkInvariantsAsync",
    "decodeRequest",
    "encodeRequest",
    "it",
    "mayTrigger",
    "memory",
    "plan",
    "planAs",
    "planAsAsync",
    "planAsync",
    "predicates",
    "request",
    "s",
    "store",
];

/// The methods of a store for the instances of a part.
pub(super) struct Methods {
    pub(super) load: String,
    pub(super) key: Option<String>,
    pub(super) list: Option<String>,
    pub(super) create: Option<String>,
}

/// A machine of a system: its module, and its constant in the module of the system.
struct Module {
    import: String,
    played: String,
    file: String,
    idents: Idents,
}

/// The identifiers of the module of a system.
pub(super) struct Names<'a> {
    pub(super) model: &'a Model,
    pub(super) program: &'a SystemProgram<'a>,
    modules: BTreeMap<usize, Module>,
    /// By part.
    pub(super) methods: Vec<Methods>,
    /// The fields of requests, by transaction.
    pub(super) requests: Vec<Vec<RequestField>>,
}

impl<'a> Names<'a> {
    pub(super) fn of(model: &'a Model, program: &'a SystemProgram<'a>) -> Self {
        let (system, files) = (program.system, super::super::files(model));
        let mut own = Claimed::besides(KEYWORDS.iter().chain(OWN).copied());
        let mut modules = BTreeMap::new();
        for part in &system.parts {
            let machine = &model.machines[part.machine];
            modules.entry(part.machine).or_insert_with(|| Module {
                import: own.claim(camel(&machine.name)),
                played: own.claim(format!("{}Machine", camel(&machine.name))),
                file: files[&machine.name].clone(),
                idents: Idents::of(machine),
            });
        }
        let mut methods = Claimed::default();
        let mut of_part = |(idx, part): (usize, &statespec_lang::model::system::Part)| {
            let Asked { key, list, create } = asked(program, PartId::new(idx));
            let mut method = |is_asked: bool, name: String| is_asked.then(|| methods.claim(name));
            Methods {
                load: method(true, format!("load{}", pascal(&part.name))).unwrap_or_default(),
                key: method(key, format!("keyOf{}", pascal(&part.name))),
                list: method(list, format!("list{}", pascal(&part.name))),
                create: method(create, format!("new{}", pascal(&part.name))),
            }
        };
        Names {
            model,
            program,
            methods: system.parts.iter().enumerate().map(&mut of_part).collect(),
            requests: (0..system.transactions.len()).map(|it| request(program, it)).collect(),
            modules,
        }
    }

    pub(super) fn system(&self) -> &'a System {
        self.program.system
    }

    /// The modules that are imported, with their files.
    pub(super) fn modules(&self) -> impl Iterator<Item = (&str, &str)> {
        self.modules.values().map(|it| (it.import.as_str(), it.file.as_str()))
    }

    /// The constants of the machines, with their modules.
    pub(super) fn constants(&self) -> impl Iterator<Item = (&str, &str)> {
        self.modules.values().map(|it| (it.played.as_str(), it.import.as_str()))
    }

    /// All parts, then all roles.
    pub(super) fn all(&self) -> impl Iterator<Item = PartId> + '_ {
        self.system().part_ids().chain(self.system().role_ids())
    }

    /// The parts whose machines have predicates.
    pub(super) fn with_predicates(&self) -> impl Iterator<Item = PartId> + '_ {
        self.system().part_ids().filter(|it| !self.machine(*it).predicates.is_empty())
    }

    pub(super) fn name(&self, part: PartId) -> &'a str {
        &self.system().part(part).name
    }

    pub(super) fn machine(&self, part: PartId) -> &'a Machine {
        machine(self.model, self.system(), part)
    }

    fn module(&self, part: PartId) -> &Module {
        &self.modules[&self.system().part(part).machine]
    }

    /// The module of the machine of a part.
    pub(super) fn import(&self, part: PartId) -> &str {
        &self.module(part).import
    }

    /// The constant of the machine of a part.
    pub(super) fn played(&self, part: PartId) -> &str {
        &self.module(part).played
    }

    pub(super) fn idents(&self, part: PartId) -> &Idents {
        &self.module(part).idents
    }

    /// The type of the machine of a part.
    pub(super) fn ty(&self, part: PartId) -> String {
        let Module { import, idents, .. } = self.module(part);
        format!("{import}.{}", idents.machine)
    }

    /// The type of an input.
    pub(super) fn input_ty(&self, input: &Input) -> String {
        let ty = match (&input.field.ty, input.of) {
            (Type::Bool, _) => "boolean".to_owned(),
            (Type::Int | Type::Duration | Type::Timestamp, _) => "s.Int".to_owned(),
            (Type::Decimal, _) => "s.Decimal".to_owned(),
            (Type::Text, _) => "string".to_owned(),
            (Type::Reference, _) => "s.Reference".to_owned(),
            (Type::State, Some(part)) => {
                let leaf = if self.machine(part).has_regions() { "Leaf" } else { "State" };
                format!("{}.{leaf}", self.import(part))
            }
            (Type::Enum(id), _) => {
                let (machine, origin) = self.system().enum_origins[id.index()];
                let Module { import, idents, .. } = &self.modules[&machine];
                format!("{import}.{}", idents.enums[origin.index()].0)
            }
            // No input has another type.
            (Type::State | Type::Event | Type::List(_), _) => "never".to_owned(),
        };
        if input.field.optional { format!("{ty} | null") } else { ty }
    }

    /// How the values of an input are read and written.
    pub(super) fn input_codec(&self, input: &Input) -> String {
        let codec = match (&input.field.ty, input.of) {
            (Type::Bool, _) => "s.BOOL".to_owned(),
            (Type::Int, _) => "s.INT".to_owned(),
            (Type::Duration, _) => "s.DURATION".to_owned(),
            (Type::Timestamp, _) => "s.TIMESTAMP".to_owned(),
            (Type::Decimal, _) => "s.DECIMAL".to_owned(),
            (Type::Text, _) => "s.TEXT".to_owned(),
            (Type::Reference, _) => "s.REFERENCE".to_owned(),
            (Type::State, Some(part)) => format!("s.oneOf(\"state\", {}.graph.leaves)", self.played(part)),
            (Type::Enum(id), _) => {
                let it = &self.system().enums[id.index()];
                let values: Vec<String> = it.values.iter().map(|it| quoted(&it.wire)).collect();
                let ignore_case = if it.ignore_case { ", true" } else { "" };
                format!("s.oneOf({}, [{}]{ignore_case})", quoted(&it.name), values.join(", "))
            }
            (Type::State | Type::Event | Type::List(_), _) => UNREACHABLE.to_owned(),
        };
        if input.field.optional { format!("s.optional({codec})") } else { codec }
    }

    /// What the expressions of a transaction, or those outside of transactions, read.
    pub(super) fn scope(&self, transaction: Option<usize>) -> Scope<'_> {
        Scope { names: self, transaction }
    }
}

/// What expressions of a system read: `at` has the parts, and `it` is the request.
pub(super) struct Scope<'a> {
    names: &'a Names<'a>,
    transaction: Option<usize>,
}

impl Scope<'_> {
    fn part(&self, part: PartId) -> String {
        access("at", self.names.name(part))
    }
}

impl Reads for Scope<'_> {
    fn var(&self, var: Var) -> String {
        match var {
            Var::PartId(part) => format!("{}.id", self.part(part)),
            Var::PartState(part) => format!("{}.state", self.part(part)),
            Var::PartContext(part, field) => {
                access(&format!("{}.context", self.part(part)), &self.names.machine(part).fields[field.index()].name)
            }
            Var::Input(idx) => {
                let fields = self.transaction.map(|it| self.names.requests[it].as_slice()).unwrap_or_default();
                let field = fields.iter().find(|it| it.value == RequestValue::Input(idx));
                field.map_or_else(|| UNREACHABLE.to_owned(), |it| access("it", &it.name))
            }
            // Only machines have these variables.
            Var::Context(_) | Var::Payload(_) => UNREACHABLE.to_owned(),
        }
    }

    fn constant(&self, _: ConstantId) -> String {
        UNREACHABLE.to_owned()
    }

    fn predicate(&self, _: PredicateId) -> String {
        UNREACHABLE.to_owned()
    }

    fn literal(&self, literal: &Literal, states_of: Option<PartId>) -> String {
        match (literal, states_of) {
            (Literal::State(id), Some(part)) => quoted(&self.names.machine(part).state(*id).wire),
            (Literal::Enum(id, idx), _) => quoted(&self.names.system().enums[id.index()].values[*idx].wire),
            _ => plain(literal),
        }
    }

    fn states_of(&self, expr: &Expr) -> Option<PartId> {
        expr.states_of(self.transaction.map(|it| self.names.system().transactions[it].payload.as_slice()).unwrap_or_default())
    }

    fn is_in(&self, leaf: &str, whole: StateId, states_of: Option<PartId>) -> String {
        let Some(part) = states_of else { return UNREACHABLE.to_owned() };
        format!("s.isIn({}.graph, {leaf}, {})", self.names.played(part), quoted(&self.names.machine(part).state(whole).wire))
    }

    fn is_part_in(&self, part: PartId, whole: StateId) -> String {
        let whole = quoted(&self.names.machine(part).state(whole).wire);
        format!("s.isPartIn({}, {}, {whole})", self.names.played(part), self.part(part))
    }

    fn is_active(&self, _: StateId) -> String {
        UNREACHABLE.to_owned()
    }
}
