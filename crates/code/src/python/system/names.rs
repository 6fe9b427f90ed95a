//! The identifiers of the module of a system, and what its expressions read.

use std::collections::BTreeSet;

use statespec_lang::expr::Var;
use statespec_lang::model::system::Input;
use statespec_lang::model::{ConstantId, Literal, Model, PartId, PredicateId, StateId, Type};
use statespec_lang::program::{Expr, SystemProgram};

use crate::names::Names as Claimed;
use crate::python::expr::{Level, Reads, plain};
use crate::python::idents::{Idents, UNREACHABLE, in_class, pascal, quoted, shouty, snake};
use crate::python::imports::{DECIMAL, NEVER};
use crate::systems::{Module, RequestField, RequestValue, modules, request};
use crate::writer::Imports;

/// The classes that a module declares or imports.
const OWN: &[&str] = &[
    "Actor",
    "AsyncStore",
    "ClassVar",
    "Decimal",
    "Effect",
    "Final",
    "Iterable",
    "Memory",
    "Never",
    "Planned",
    "Predicates",
    "Protocol",
    "Refused",
    "Request",
    "Store",
    "StrEnum",
    "SYSTEM",
    "TypeAlias",
    "Write",
    "False",
    "None",
    "True",
];

/// What only Python names in the module of a system.
pub(super) struct Own {
    /// By part: the class of its writes.
    pub(super) writes: Vec<String>,
    /// By part: its member of `Predicates`.
    pub(super) members: Vec<String>,
    /// By part and role: its constant.
    constants: Vec<String>,
    /// By transaction: the class of its requests, and its fields with their identifiers.
    pub(super) requests: Vec<String>,
    pub(super) fields: Vec<Vec<(String, RequestField)>>,
    pub(super) actors: Vec<String>,
}

/// The identifiers of the module of a system.
pub(super) type Names<'a> = crate::systems::Names<'a, Idents, Own>;

impl<'a> Names<'a> {
    pub(super) fn of(model: &'a Model, program: &'a SystemProgram<'a>) -> Self {
        let (system, files) = (program.system, crate::python::files(model));
        let (mut aliases, mut methods) = (Claimed::default(), Claimed::besides(["self", "put"]));
        let mut classes = Claimed::besides(OWN.iter().copied());
        let all = || system.part_ids().chain(system.role_ids());
        let fields = (0..system.transactions.len()).map(|it| {
            let (fields, mut names) = (request(program, it), in_class());
            fields.into_iter().map(|it| (names.claim(snake(&it.name)), it)).collect()
        });
        Names {
            model,
            program,
            modules: modules(model, system, |_, machine| {
                let file = files[&machine.name].clone();
                Module { alias: aliases.claim(format!("_m_{file}")), file, idents: Idents::of(machine) }
            }),
            methods: crate::systems::methods(program, |verb, part| methods.claim(format!("{verb}_{}", snake(part)))),
            own: Own {
                writes: classes.claim_all(system.parts.iter().map(|it| it.name.as_str()), |it| format!("{}Write", pascal(it))),
                members: in_class().claim_all(system.parts.iter().map(|it| it.name.as_str()), snake),
                constants: Claimed::default()
                    .claim_all(all().map(|it| system.part(it).name.as_str()), |it| format!("_PART_{}", shouty(it))),
                requests: classes.claim_all(system.transactions.iter().map(|it| it.name.as_str()), pascal),
                fields: fields.collect(),
                actors: Claimed::default().claim_all(system.actors.iter().map(|it| it.name.as_str()), shouty),
            },
        }
    }

    /// The class of the machine of a part.
    pub(super) fn class(&self, part: PartId) -> String {
        let Module { alias, idents, .. } = self.module(part);
        format!("{alias}.{}", idents.machine)
    }

    /// The type of what is raised in an instance of a part.
    pub(super) fn event_ty(&self, part: PartId) -> String {
        let (alias, events) = (self.alias(part), &self.machine(part).events);
        match [false, true].map(|timed| events.iter().any(|it| it.timer.is_some() == timed)) {
            [true, true] => format!("{alias}.Event | {alias}.Timer"),
            [false, true] => format!("{alias}.Timer"),
            [_, false] => format!("{alias}.Event"),
        }
    }

    /// The constant of a part or role.
    pub(super) fn constant(&self, part: PartId) -> &str {
        &self.own.constants[part.index()]
    }

    /// The module and class of an enum of the system.
    fn enum_class(&self, id: statespec_lang::model::EnumId) -> String {
        let (machine, origin) = self.system().enum_origins[id.index()];
        let Module { alias, idents, .. } = &self.modules[&machine];
        format!("{alias}.{}", idents.enums[origin.index()])
    }

    /// The type of an input.
    pub(super) fn input_ty(&self, input: &Input, imports: &mut Imports) -> String {
        let ty = match (&input.field.ty, input.of) {
            (Type::Bool, _) => "bool".to_owned(),
            (Type::Int, _) => "int".to_owned(),
            (Type::Duration, _) => "statespec.Duration".to_owned(),
            (Type::Timestamp, _) => "statespec.Timestamp".to_owned(),
            (Type::Decimal, _) => imports.name(DECIMAL).to_owned(),
            (Type::Text, _) => "str".to_owned(),
            (Type::Reference, _) => "statespec.Reference".to_owned(),
            (Type::State, Some(part)) => format!("{}.State", self.alias(part)),
            (Type::Enum(id), _) => self.enum_class(*id),
            // No input has another type.
            (Type::State | Type::Event | Type::List(_), _) => imports.name(NEVER).to_owned(),
        };
        if input.field.optional { format!("{ty} | None") } else { ty }
    }

    /// The function that reads an input.
    pub(super) fn input_reader(&self, input: &Input) -> String {
        match (&input.field.ty, input.of) {
            (Type::Bool, _) => "statespec.read_bool".to_owned(),
            (Type::Int | Type::Duration | Type::Timestamp, _) => "statespec.read_int".to_owned(),
            (Type::Decimal, _) => "statespec.read_decimal".to_owned(),
            (Type::Text, _) => "statespec.read_text".to_owned(),
            (Type::Reference, _) => "statespec.read_reference".to_owned(),
            (Type::State, Some(part)) => format!("statespec.read_state({}.State)", self.alias(part)),
            (Type::Enum(id), _) => {
                let of = &self.system().enums[id.index()];
                let ignores = if of.ignore_case { ", ignore_case=True" } else { "" };
                format!("statespec.read_name({}, {}{ignores})", self.enum_class(*id), quoted(&of.name))
            }
            // No input has another type.
            (Type::State | Type::Event | Type::List(_), _) => UNREACHABLE.to_owned(),
        }
    }

    /// What the expressions of a transaction, or those outside of transactions, read.
    pub(super) fn scope(&self, transaction: Option<usize>) -> Scope<'_> {
        Scope { names: self, transaction }
    }
}

/// What expressions of a system read: `v` has the parts, and `r` is the request.
pub(super) struct Scope<'a> {
    names: &'a Names<'a>,
    transaction: Option<usize>,
}

impl Scope<'_> {
    fn of(&self, part: PartId) -> String {
        format!("v.of({})", self.names.constant(part))
    }

    fn inputs(&self) -> &[Input] {
        self.transaction.map(|it| self.names.system().transactions[it].payload.as_slice()).unwrap_or_default()
    }
}

impl Reads for Scope<'_> {
    fn var(&self, var: Var) -> String {
        match var {
            Var::PartId(part) => format!("v.id({})", self.names.constant(part)),
            Var::PartState(part) => format!("{}.state", self.of(part)),
            Var::PartContext(part, field) => format!("{}.context.{}", self.of(part), self.names.idents(part).field(field)),
            Var::Input(idx) => {
                let fields = self.transaction.map(|it| self.names.own.fields[it].as_slice()).unwrap_or_default();
                let field = fields.iter().find(|it| it.1.value == RequestValue::Input(idx));
                field.map_or_else(|| UNREACHABLE.to_owned(), |it| format!("r.{}", it.0))
            }
            // Only machines have these variables.
            Var::Context(_) | Var::Payload(_) => UNREACHABLE.to_owned(),
        }
    }

    fn may_be_null(&self, var: Var) -> bool {
        match var {
            Var::PartContext(part, field) => self.names.machine(part).fields[field.index()].optional,
            Var::Input(idx) => self.inputs().get(idx).is_none_or(|it| it.field.optional),
            _ => false,
        }
    }

    fn constant(&self, _: ConstantId) -> String {
        UNREACHABLE.to_owned()
    }

    fn predicate(&self, _: PredicateId) -> String {
        UNREACHABLE.to_owned()
    }

    fn literal(&self, literal: &Literal, states_of: Option<PartId>, imports: &mut Imports) -> String {
        match literal {
            Literal::State(id) => self.leaf(*id, states_of).unwrap_or_else(|| UNREACHABLE.to_owned()),
            Literal::Enum(id, idx) => {
                let (machine, origin) = self.names.system().enum_origins[id.index()];
                let Module { alias, idents, .. } = &self.names.modules[&machine];
                format!("{alias}.{}", idents.member(origin, *idx))
            }
            Literal::Event(_) | Literal::List(_) => UNREACHABLE.to_owned(),
            // The other values have no names.
            other => self.names.modules.values().next().map_or_else(|| UNREACHABLE.to_owned(), |it| plain(&it.idents, other, imports)),
        }
    }

    fn states_of(&self, expr: &Expr) -> Option<PartId> {
        expr.states_of(self.inputs())
    }

    fn leaf(&self, id: StateId, states_of: Option<PartId>) -> Option<String> {
        let part = states_of.filter(|it| self.names.machine(*it).is_leaf(id))?;
        Some(format!("{}.{}", self.names.alias(part), self.names.idents(part).leaf(id)))
    }

    fn is_inside(&self, leaf: &str, whole: StateId, states_of: Option<PartId>, _: &mut BTreeSet<StateId>) -> (String, Level) {
        let Some(part) = states_of else { return (UNREACHABLE.to_owned(), Level::Atom) };
        let wire = quoted(&self.names.machine(part).state(whole).wire);
        (format!("{}.CHART.is_in(({leaf},), {wire})", self.names.alias(part)), Level::Atom)
    }

    fn is_part_in(&self, part: PartId, whole: StateId) -> (String, Level) {
        let machine = self.names.machine(part);
        match self.leaf(whole, Some(part)) {
            Some(leaf) if !machine.has_regions() => (format!("{}.state == {leaf}", self.of(part)), Level::Compare),
            Some(leaf) => (format!("{}.is_in({leaf})", self.of(part)), Level::Atom),
            None => {
                let composite = format!("{}.Composite.{}", self.names.alias(part), self.names.idents(part).state(whole));
                (format!("{}.is_in({composite})", self.of(part)), Level::Atom)
            }
        }
    }

    fn is_active(&self, _: StateId, _: &mut BTreeSet<StateId>) -> (String, Level) {
        (UNREACHABLE.to_owned(), Level::Atom)
    }
}
