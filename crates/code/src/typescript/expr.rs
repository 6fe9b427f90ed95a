//! Expressions of TypeScript.

use statespec_lang::expr::{Compare, Var};
use statespec_lang::model::{ConstantId, Literal, Machine, PartId, PredicateId, StateId, Type};
use statespec_lang::program::{Expr, Kind, Operation};

use super::idents::{Idents, access, quoted};
use super::used::Used;

/// The largest whole number that a `number` holds exactly.
const SAFE: i64 = 9_007_199_254_740_991;

/// What the variables and states of expressions are, as texts of TypeScript. Each notes the variables of TypeScript that it reads.
pub(super) trait Reads {
    /// A variable.
    fn var(&self, var: Var, used: &mut Used) -> String;
    /// A constant of the machine.
    fn constant(&self, id: ConstantId) -> String;
    /// A condition that the user's code decides.
    fn predicate(&self, id: PredicateId, used: &mut Used) -> String;
    /// A value; a state is one of this part of a system.
    fn literal(&self, literal: &Literal, states_of: Option<PartId>) -> String;
    /// The part of a system whose states an expression names.
    fn states_of(&self, expr: &Expr) -> Option<PartId>;
    /// Whether the leaf that a text names is a state or lies inside it.
    fn is_in(&self, leaf: &str, whole: StateId, states_of: Option<PartId>) -> String;
    /// Whether a part is in a state.
    fn is_part_in(&self, part: PartId, whole: StateId, used: &mut Used) -> String;
    /// Whether the machine is in a state.
    fn is_active(&self, whole: StateId, used: &mut Used) -> String;
}

/// An expression as text; a state that it is or compares with is one of `states_of`. What the text reads is noted: a part of the
/// expression that is decided is not in the text.
pub(super) fn text(reads: &dyn Reads, expr: &Expr, states_of: Option<PartId>, used: &mut Used) -> String {
    Printer { reads, states_of, used }.at(expr, Level::Or)
}

/// In the place of a value that no call reads: it throws.
pub(super) const UNREACHABLE: &str = "s.unreachable()";

/// What expressions of a machine read.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) machine: &'a Machine,
    pub(super) idents: &'a Idents,
    /// The variable with the event.
    pub(super) event: &'static str,
}

impl Scope<'_> {
    /// An expression as text.
    pub(super) fn expr(&self, expr: &Expr, used: &mut Used) -> String {
        text(self, expr, None, used)
    }

    fn state(&self, id: StateId) -> String {
        quoted(&self.machine.state(id).wire)
    }
}

impl Reads for Scope<'_> {
    fn var(&self, var: Var, used: &mut Used) -> String {
        match var {
            Var::Context(id) => access(used.name("context"), &self.machine.fields[id.index()].name),
            Var::Payload(id) => access(used.name(self.event), &self.idents.payload[id.index()]),
            // Only systems have these variables.
            Var::Input(_) | Var::PartState(_) | Var::PartContext(..) | Var::PartId(_) => UNREACHABLE.to_owned(),
        }
    }

    fn constant(&self, id: ConstantId) -> String {
        self.idents.constants[id.index()].clone()
    }

    fn predicate(&self, id: PredicateId, used: &mut Used) -> String {
        format!("{}.predicates.{}()", used.name("at"), self.idents.predicates[id.index()])
    }

    fn literal(&self, it: &Literal, _: Option<PartId>) -> String {
        literal(self.machine, it)
    }

    fn states_of(&self, _: &Expr) -> Option<PartId> {
        None
    }

    fn is_in(&self, leaf: &str, whole: StateId, _: Option<PartId>) -> String {
        format!("s.isIn(GRAPH, {leaf}, {})", self.state(whole))
    }

    fn is_part_in(&self, _: PartId, _: StateId, _: &mut Used) -> String {
        // Only systems have parts.
        UNREACHABLE.to_owned()
    }

    fn is_active(&self, whole: StateId, used: &mut Used) -> String {
        format!("s.isActive(GRAPH, {}.leaves, {})", used.name("at"), self.state(whole))
    }
}

/// The value of a condition that does not depend on anything: what is beside it must not be printed, because the compiler takes the
/// right side of `true ||` for unreachable, where no type is narrowed.
pub(super) fn decided(expr: &Expr) -> Option<bool> {
    match &expr.kind {
        // A constant is printed as its name.
        Kind::Constant(_) => None,
        Kind::Not(a) => decided(a).map(|it| !it),
        Kind::And(a, b) | Kind::Or(a, b) => {
            let absorbing = matches!(expr.kind, Kind::Or(..));
            match (decided(a), decided(b)) {
                (Some(it), _) | (_, Some(it)) if it == absorbing => Some(it),
                (Some(_), Some(_)) => Some(!absorbing),
                _ => None,
            }
        }
        _ => match expr.value {
            Some(Literal::Bool(it)) => Some(it),
            _ => None,
        },
    }
}

/// The value that an expression is printed as: a constant is printed as its name, and what is computed as what computes it.
pub(super) fn printed_value(expr: &Expr) -> Option<&Literal> {
    match (&expr.kind, &expr.value) {
        (Kind::Constant(_), _) => None,
        (_, Some(value)) | (Kind::Literal(value), None) => Some(value),
        _ => None,
    }
}

/// How strongly an expression binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Compare,
    Unary,
}

struct Printer<'a> {
    reads: &'a dyn Reads,
    states_of: Option<PartId>,
    used: &'a mut Used,
}

impl Printer<'_> {
    fn expr(&mut self, expr: &Expr) -> String {
        self.at(expr, Level::Or)
    }

    fn at(&mut self, expr: &Expr, level: Level) -> String {
        let (text, own) = self.leveled(expr);
        if own < level { format!("({text})") } else { text }
    }

    fn leveled(&mut self, expr: &Expr) -> (String, Level) {
        let reads = self.reads;
        if let Some(value) = printed_value(expr) {
            return (reads.literal(value, self.states_of), Level::Unary);
        }
        if let (Kind::And(..) | Kind::Or(..) | Kind::Not(_), Some(value)) = (&expr.kind, decided(expr)) {
            return (value.to_string(), Level::Unary);
        }
        match &expr.kind {
            Kind::Literal(it) => (reads.literal(it, self.states_of), Level::Unary),
            Kind::Constant(id) => (reads.constant(*id), Level::Unary),
            Kind::Read(var) => (reads.var(*var, self.used), Level::Unary),
            // The checks of the spec have excluded null here.
            Kind::Known(var) => (format!("{}!", reads.var(*var, self.used)), Level::Unary),
            Kind::IsNull(var) => (format!("{} === null", reads.var(*var, self.used)), Level::Compare),
            Kind::Predicate(id) => (reads.predicate(*id, self.used), Level::Unary),
            Kind::And(a, b) if decided(a).is_some() => self.leveled(b),
            Kind::And(a, b) | Kind::Or(a, b) if decided(b).is_some() => self.leveled(a),
            Kind::Or(a, b) if decided(a).is_some() => self.leveled(b),
            Kind::Not(a) => match &a.kind {
                Kind::IsNull(var) => (format!("{} !== null", reads.var(*var, self.used)), Level::Compare),
                _ => (format!("!{}", self.at(a, Level::Unary)), Level::Unary),
            },
            Kind::And(a, b) => (format!("{} && {}", self.at(a, Level::And), self.at(b, Level::And)), Level::And),
            // A mixture of both is easier to read with parentheses.
            Kind::Or(a, b) => (format!("{} || {}", self.alternative(a), self.alternative(b)), Level::Or),
            Kind::Compare(operator, a, b) => {
                let states_of = reads.states_of(a).or_else(|| reads.states_of(b)).or(self.states_of);
                Printer { reads, states_of, used: self.used }.compare(*operator, a, b)
            }
            Kind::Operation(operation, a, b) => self.call(function(*operation, &expr.ty), &[a, b]),
            Kind::Len(a) => self.call("len", &[a]),
            Kind::ToDecimal(a) => self.call("Decimal.of", &[a]),
            Kind::In(a, whole) => (reads.is_in(&self.expr(a), *whole, reads.states_of(a)), Level::Unary),
            Kind::Active(whole) => (reads.is_active(*whole, self.used), Level::Unary),
            Kind::PartIn(part, whole) => (reads.is_part_in(*part, *whole, self.used), Level::Unary),
        }
    }

    fn call(&mut self, name: &str, args: &[&Expr]) -> (String, Level) {
        let args: Vec<String> = args.iter().map(|it| self.expr(it)).collect();
        (format!("s.{name}({})", args.join(", ")), Level::Unary)
    }

    fn alternative(&mut self, expr: &Expr) -> String {
        if matches!(expr.kind, Kind::And(..)) { format!("({})", self.expr(expr)) } else { self.at(expr, Level::Or) }
    }

    fn compare(&mut self, operator: Compare, a: &Expr, b: &Expr) -> (String, Level) {
        // A function and not `===`, which narrows its sides: a guard may compare one value twice.
        let mut equal = || format!("s.eq({}, {})", self.expr(a), self.expr(b));
        let sign = match operator {
            Compare::Eq => return (equal(), Level::Unary),
            Compare::Ne => return (format!("!{}", equal()), Level::Unary),
            Compare::Lt => "<",
            Compare::Le => "<=",
            Compare::Gt => ">",
            Compare::Ge => ">=",
        };
        match a.ty {
            Type::Decimal => (format!("s.compare({}, {}) {sign} 0", self.expr(a), self.expr(b)), Level::Compare),
            _ => (format!("{} {sign} {}", self.at(a, Level::Unary), self.at(b, Level::Unary)), Level::Compare),
        }
    }
}

/// The function of an operation.
fn function(operation: Operation, ty: &Type) -> &'static str {
    let is_decimal = *ty == Type::Decimal;
    match operation {
        Operation::Add if is_decimal => "addDecimal",
        Operation::Sub if is_decimal => "subDecimal",
        Operation::Mul if is_decimal => "mulDecimal",
        Operation::Div if is_decimal => "divDecimal",
        Operation::Rem if is_decimal => "remDecimal",
        Operation::Add | Operation::Later => "add",
        Operation::Sub | Operation::Earlier | Operation::Since => "sub",
        Operation::Mul | Operation::Times => "mul",
        Operation::Div => "div",
        Operation::Rem => "rem",
    }
}

/// A value of a machine as text.
pub(super) fn literal(machine: &Machine, literal: &Literal) -> String {
    match literal {
        Literal::Enum(id, idx) => quoted(&machine.enums[id.index()].values[*idx].wire),
        Literal::State(id) => quoted(&machine.state(*id).wire),
        _ => plain(literal),
    }
}

/// A value as text, unless it is a name of a machine.
pub(super) fn plain(literal: &Literal) -> String {
    match literal {
        Literal::Null => "null".to_owned(),
        Literal::Bool(it) => it.to_string(),
        Literal::Int(it) | Literal::Duration(it) | Literal::Timestamp(it) => whole(*it),
        Literal::Decimal(it) => format!("s.decimal({})", quoted(&it.to_string())),
        Literal::Text(it) => quoted(it),
        // No expression has an event or a list as its value, and names are those of a machine.
        Literal::Event(_) | Literal::List(_) | Literal::Enum(..) | Literal::State(_) => UNREACHABLE.to_owned(),
    }
}

/// A whole number: a `bigint` if it is no safe integer.
fn whole(value: i64) -> String {
    if is_safe(value) { value.to_string() } else { format!("{value}n") }
}

/// Whether a `number` holds a whole number exactly.
pub(super) fn is_safe(value: i64) -> bool {
    value.unsigned_abs() <= SAFE.unsigned_abs()
}
