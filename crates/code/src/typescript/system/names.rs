//! The identifiers of the module of a system, and what its expressions read.

use std::collections::BTreeMap;

use statespec_lang::expr::Var;
use statespec_lang::model::system::Input;
use statespec_lang::model::{ConstantId, Literal, Model, PartId, PredicateId, StateId, Type};
use statespec_lang::program::{Expr, SystemProgram};

use crate::names::{Names as Claimed, camel, pascal};
use crate::systems::{Module, RequestField, RequestValue, modules, request};
use crate::typescript::expr::{Reads, UNREACHABLE, plain};
use crate::typescript::idents::{Idents, KEYWORDS, access, quoted};
use crate::typescript::used::Used;

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

/// What only TypeScript names in the module of a system.
pub(super) struct Own {
    /// The constants of machines in the module of the system, by the position of the machine in the model.
    played: BTreeMap<usize, String>,
    /// The fields of requests, by transaction.
    pub(super) requests: Vec<Vec<RequestField>>,
}

/// The identifiers of the module of a system.
pub(super) type Names<'a> = crate::systems::Names<'a, Idents, Own>;

impl<'a> Names<'a> {
    pub(super) fn of(model: &'a Model, program: &'a SystemProgram<'a>) -> Self {
        let (system, files) = (program.system, super::super::files(model));
        let mut own = Claimed::besides(KEYWORDS.iter().chain(OWN).copied());
        let (mut played, mut methods) = (BTreeMap::new(), Claimed::default());
        let modules = modules(model, system, |idx, machine| {
            let alias = own.claim(camel(&machine.name));
            played.insert(idx, own.claim(format!("{}Machine", camel(&machine.name))));
            Module { alias, file: files[&machine.name].clone(), idents: Idents::of(machine) }
        });
        Names {
            model,
            program,
            modules,
            methods: crate::systems::methods(program, |verb, part| methods.claim(camel(verb) + &pascal(part))),
            own: Own { played, requests: (0..system.transactions.len()).map(|it| request(program, it)).collect() },
        }
    }

    /// The constants of the machines, with their modules.
    pub(super) fn constants(&self) -> impl Iterator<Item = (&str, &str)> {
        self.own.played.iter().map(|(machine, played)| (played.as_str(), self.modules[machine].alias.as_str()))
    }

    /// The constant of the machine of a part.
    pub(super) fn played(&self, part: PartId) -> &str {
        &self.own.played[&self.system().part(part).machine]
    }

    /// The type of the machine of a part.
    pub(super) fn ty(&self, part: PartId) -> String {
        let Module { alias, idents, .. } = self.module(part);
        format!("{alias}.{}", idents.machine)
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
                format!("{}.{leaf}", self.alias(part))
            }
            (Type::Enum(id), _) => {
                let (machine, origin) = self.system().enum_origins[id.index()];
                let Module { alias, idents, .. } = &self.modules[&machine];
                format!("{alias}.{}", idents.enums[origin.index()].0)
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
    fn part(&self, part: PartId, used: &mut Used) -> String {
        access(used.name("at"), self.names.name(part))
    }
}

impl Reads for Scope<'_> {
    fn var(&self, var: Var, used: &mut Used) -> String {
        match var {
            Var::PartId(part) => format!("{}.id", self.part(part, used)),
            Var::PartState(part) => format!("{}.state", self.part(part, used)),
            Var::PartContext(part, field) => {
                access(&format!("{}.context", self.part(part, used)), &self.names.machine(part).fields[field.index()].name)
            }
            Var::Input(idx) => {
                let fields = self.transaction.map(|it| self.names.own.requests[it].as_slice()).unwrap_or_default();
                let field = fields.iter().find(|it| it.value == RequestValue::Input(idx));
                field.map_or_else(|| UNREACHABLE.to_owned(), |it| access(used.name("it"), &it.name))
            }
            // Only machines have these variables.
            Var::Context(_) | Var::Payload(_) => UNREACHABLE.to_owned(),
        }
    }

    fn constant(&self, _: ConstantId) -> String {
        UNREACHABLE.to_owned()
    }

    fn predicate(&self, _: PredicateId, _: &mut Used) -> String {
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

    fn is_part_in(&self, part: PartId, whole: StateId, used: &mut Used) -> String {
        let whole = quoted(&self.names.machine(part).state(whole).wire);
        format!("s.isPartIn({}, {}, {whole})", self.names.played(part), self.part(part, used))
    }

    fn is_active(&self, _: StateId, _: &mut Used) -> String {
        UNREACHABLE.to_owned()
    }
}
