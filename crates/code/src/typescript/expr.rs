//! Expressions of TypeScript.

use statespec_lang::expr::{Compare, Var};
use statespec_lang::model::{Literal, Machine, PayloadId, StateId, Type};
use statespec_lang::program::{Expr, Kind, Operation};

use super::idents::{Idents, access, quoted};

/// The largest whole number that a `number` holds exactly.
pub(super) const SAFE: i64 = 9_007_199_254_740_991;

/// What expressions of a machine read.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) machine: &'a Machine,
    pub(super) idents: &'a Idents,
    /// The variable with the event.
    pub(super) event: &'a str,
    /// The variable with the context.
    pub(super) context: &'a str,
}

/// How strongly an expression binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Compare,
    Unary,
}

impl Scope<'_> {
    /// An expression as text.
    pub(super) fn expr(&self, expr: &Expr) -> String {
        self.at(expr, Level::Or)
    }

    /// The name of a leaf or composite, as a text of TypeScript.
    pub(super) fn state(&self, id: StateId) -> String {
        quoted(&self.machine.state(id).wire)
    }

    fn at(&self, expr: &Expr, level: Level) -> String {
        let (text, own) = self.leveled(expr);
        if own < level { format!("({text})") } else { text }
    }

    fn leveled(&self, expr: &Expr) -> (String, Level) {
        if let (Some(value), false) = (&expr.value, matches!(expr.kind, Kind::Constant(_))) {
            return (literal(self.machine, value), Level::Unary);
        }
        let call = |name: &str, args: &[&Expr]| {
            let args: Vec<String> = args.iter().map(|it| self.expr(it)).collect();
            (format!("s.{name}({})", args.join(", ")), Level::Unary)
        };
        match &expr.kind {
            Kind::Literal(it) => (literal(self.machine, it), Level::Unary),
            Kind::Constant(id) => (self.idents.constants[id.index()].clone(), Level::Unary),
            Kind::Read(var) => (self.var(*var), Level::Unary),
            // The checks of the spec have excluded null here.
            Kind::Known(var) => (format!("{}!", self.var(*var)), Level::Unary),
            Kind::IsNull(var) => (format!("{} === null", self.var(*var)), Level::Compare),
            Kind::Predicate(id) => (format!("at.predicates.{}()", self.idents.predicates[id.index()]), Level::Unary),
            Kind::Not(a) => match &a.kind {
                Kind::IsNull(var) => (format!("{} !== null", self.var(*var)), Level::Compare),
                _ => (format!("!{}", self.at(a, Level::Unary)), Level::Unary),
            },
            Kind::And(a, b) => (format!("{} && {}", self.at(a, Level::And), self.at(b, Level::And)), Level::And),
            // A mixture of both is easier to read with parentheses.
            Kind::Or(a, b) => (format!("{} || {}", self.alternative(a), self.alternative(b)), Level::Or),
            Kind::Compare(operator, a, b) => self.compare(*operator, a, b),
            Kind::Operation(operation, a, b) => call(function(*operation, &expr.ty), &[a, b]),
            Kind::Len(a) => call("len", &[a]),
            Kind::ToDecimal(a) => call("Decimal.of", &[a]),
            Kind::In(a, whole) => (format!("s.isIn(GRAPH, {}, {})", self.expr(a), self.state(*whole)), Level::Unary),
            Kind::Active(whole) => (format!("s.isActive(GRAPH, at.leaves, {})", self.state(*whole)), Level::Unary),
            // Only systems have parts.
            Kind::PartIn(..) => ("false".to_owned(), Level::Unary),
        }
    }

    fn alternative(&self, expr: &Expr) -> String {
        if matches!(expr.kind, Kind::And(..)) { format!("({})", self.expr(expr)) } else { self.at(expr, Level::Or) }
    }

    fn compare(&self, operator: Compare, a: &Expr, b: &Expr) -> (String, Level) {
        // A function and not `===`, which narrows its sides: a guard may compare one value twice.
        let equal = || format!("s.eq({}, {})", self.expr(a), self.expr(b));
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

    fn var(&self, var: Var) -> String {
        match var {
            Var::Context(id) => access(self.context, &self.machine.fields[id.index()].name),
            Var::Payload(id) => self.payload(id),
            // Only systems have these variables.
            Var::Input(_) | Var::PartState(_) | Var::PartContext(..) | Var::PartId(_) => "null".to_owned(),
        }
    }

    /// The payload field of the event.
    pub(super) fn payload(&self, id: PayloadId) -> String {
        access(self.event, &self.idents.payload[id.index()])
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

/// A value as text.
pub(super) fn literal(machine: &Machine, literal: &Literal) -> String {
    match literal {
        Literal::Null | Literal::Event(_) | Literal::List(_) => "null".to_owned(),
        Literal::Bool(it) => it.to_string(),
        Literal::Int(it) | Literal::Duration(it) | Literal::Timestamp(it) => whole(*it),
        Literal::Decimal(it) => format!("s.decimal({})", quoted(&it.to_string())),
        Literal::Text(it) => quoted(it),
        Literal::Enum(id, idx) => quoted(&machine.enums[id.index()].values[*idx].wire),
        Literal::State(id) => quoted(&machine.state(*id).wire),
    }
}

/// A whole number: a `bigint` if it is no safe integer.
pub(super) fn whole(value: i64) -> String {
    if value.unsigned_abs() <= SAFE.unsigned_abs() { value.to_string() } else { format!("{value}n") }
}
