//! Expressions.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::expr::{Compare, Var};
use statespec_lang::model::machine::Field;
use statespec_lang::model::{EventId, Literal, Machine, PayloadId, StateId, Type};
use statespec_lang::program::{Expr, Kind, Operation};

use super::idents::{Idents, quoted};

/// How tightly an operator binds: an operand of a lower level is put into parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Compare,
    Atom,
}

/// A field of the payload, as some events carry it: a function reads it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Access {
    pub(super) field: PayloadId,
    pub(super) events: Vec<EventId>,
}

/// Prints expressions of a machine, and collects what they need of the package.
pub(super) struct Exprs<'a> {
    pub(super) machine: &'a Machine,
    pub(super) idents: &'a Idents,
    /// The composites whose leaves are asked for.
    pub(super) wholes: BTreeSet<StateId>,
    /// The decimals, which the package constructs once, by their texts.
    pub(super) decimals: BTreeMap<String, String>,
    /// The functions that read payloads, with their names.
    pub(super) accesses: BTreeMap<Access, String>,
    /// The events of the row that is printed.
    pub(super) events: Vec<EventId>,
}

/// The type of values of a field, null aside.
pub(super) fn plain_type<'a>(idents: &'a Idents, ty: &Type) -> &'a str {
    match ty {
        Type::Bool => "bool",
        Type::Int => "int64",
        Type::Decimal => "statespec.Decimal",
        Type::Text => "string",
        Type::Duration => "statespec.Duration",
        Type::Timestamp => "statespec.Timestamp",
        Type::Reference => "statespec.Reference",
        Type::State => "State",
        Type::Enum(id) => &idents.enums[id.index()],
        // Neither is ever the type of a value.
        Type::Event | Type::List(_) => "any",
    }
}

/// The type of a field.
pub(super) fn field_type(idents: &Idents, field: &Field) -> String {
    let plain = plain_type(idents, &field.ty);
    if field.optional { format!("statespec.Null[{plain}]") } else { plain.to_owned() }
}

impl Exprs<'_> {
    /// An expression.
    pub(super) fn text(&mut self, expr: &Expr) -> String {
        self.print(expr).0
    }

    /// An expression as a value that may be null, or as one that may not.
    pub(super) fn value(&mut self, expr: &Expr, ty: &Type, optional: bool) -> String {
        let plain = plain_type(self.idents, ty);
        if let Kind::Literal(Literal::Null) = expr.kind {
            return format!("statespec.Null[{plain}]{{}}");
        }
        let text = self.text(expr);
        fitted(text, plain, expr.nullable, optional)
    }

    fn at(&mut self, expr: &Expr, level: Level) -> String {
        let (text, own) = self.print(expr);
        if own < level { format!("({text})") } else { text }
    }

    /// A variable as it is, and whether it may be null.
    fn var(&mut self, var: Var) -> (String, bool) {
        match var {
            Var::Context(id) => (format!("c.{}", self.idents.field(id)), self.machine.fields[id.index()].optional),
            Var::Payload(id) => self.payload(id),
            // Expressions of a machine read no parts of systems.
            Var::Input(_) | Var::PartState(_) | Var::PartContext(..) | Var::PartId(_) => (String::from("nil"), false),
        }
    }

    /// A field of the payload of the row's events, and whether it may be null.
    pub(super) fn payload(&mut self, id: PayloadId) -> (String, bool) {
        let machine = self.machine;
        let events: Vec<EventId> = self.events.iter().copied().filter(|it| carries(machine, *it, id)).collect();
        let is_optional = events.iter().any(|it| machine.payload_field(*it, id).is_some_and(|it| it.optional));
        let next = format!("payload{}", self.accesses.len());
        let name = self.accesses.entry(Access { field: id, events }).or_insert(next);
        (format!("{name}(e)"), is_optional)
    }

    fn print(&mut self, expr: &Expr) -> (String, Level) {
        let text = match &expr.kind {
            Kind::Literal(literal) => self.literal(literal),
            Kind::Constant(id) => self.idents.constant(*id).to_owned(),
            Kind::Read(var) => {
                let (text, is_optional) = self.var(*var);
                if is_optional && !expr.nullable { format!("{text}.V") } else { text }
            }
            Kind::Known(var) => {
                let (text, is_optional) = self.var(*var);
                if is_optional { format!("{text}.V") } else { text }
            }
            Kind::IsNull(var) => {
                let (text, is_optional) = self.var(*var);
                if is_optional { format!("!{text}.Valid") } else { String::from("false") }
            }
            Kind::Predicate(id) => format!("p.{}()", self.idents.predicate(*id)),
            Kind::Not(inner) => match &inner.kind {
                Kind::IsNull(var) => {
                    let (text, is_optional) = self.var(*var);
                    if is_optional { format!("{text}.Valid") } else { String::from("true") }
                }
                _ => format!("!{}", self.at(inner, Level::Atom)),
            },
            Kind::And(a, b) => return (format!("{} && {}", self.at(a, Level::And), self.at(b, Level::And)), Level::And),
            Kind::Or(a, b) => return (format!("{} || {}", self.at(a, Level::Or), self.at(b, Level::Or)), Level::Or),
            Kind::Compare(operator, a, b) => return self.compare(*operator, a, b),
            Kind::Operation(operation, a, b) => {
                let (is_decimal, untyped) = (expr.ty == Type::Decimal, matches!((&a.kind, &b.kind), (Kind::Literal(_), Kind::Literal(_))));
                let left_type = plain_type(self.idents, &a.ty);
                let (a, b) = (self.at(a, Level::Or), self.at(b, Level::Or));
                match (is_decimal, untyped) {
                    (true, _) => format!("{a}.{}({b})", function(*operation)),
                    // Two literals have no type of their own.
                    (false, true) => format!("statespec.{}({left_type}({a}), {b})", function(*operation)),
                    (false, false) => format!("statespec.{}({a}, {b})", function(*operation)),
                }
            }
            Kind::Len(inner) => format!("statespec.Len({})", self.at(inner, Level::Or)),
            Kind::ToDecimal(inner) => format!("statespec.DecimalOf({})", self.at(inner, Level::Or)),
            Kind::In(subject, whole) => {
                let text = self.at(subject, Level::Atom);
                let subject = if subject.nullable { format!("{text}.V") } else { text };
                if self.machine.is_leaf(*whole) {
                    return (format!("{subject} == {}", self.idents.state(*whole)), Level::Compare);
                }
                format!("statespec.In({subject}, {})", self.inside(*whole))
            }
            Kind::Active(whole) if self.machine.is_leaf(*whole) => format!("statespec.In({}, at)", self.idents.state(*whole)),
            Kind::Active(whole) => format!("statespec.InAny(at, {})", self.inside(*whole)),
            // Expressions of a machine read no parts of systems.
            Kind::PartIn(..) => String::from("false"),
        };
        (text, Level::Atom)
    }

    /// The list of the leaves inside a composite.
    pub(super) fn inside(&mut self, whole: StateId) -> String {
        self.wholes.insert(whole);
        self.idents.inside(whole)
    }

    fn compare(&mut self, operator: Compare, a: &Expr, b: &Expr) -> (String, Level) {
        let is_decimal = a.ty == Type::Decimal;
        if a.nullable || b.nullable {
            let function = if is_decimal { "SameDecimal" } else { "Same" };
            let not = if operator == Compare::Ne { "!" } else { "" };
            let (a, b) = (self.value(a, &a.ty, true), self.value(b, &a.ty, true));
            return (format!("{not}statespec.{function}({a}, {b})"), Level::Atom);
        }
        let (left, right) = (self.at(a, Level::Atom), self.at(b, Level::Atom));
        let sign = operator.sign();
        let text = if is_decimal { format!("{left}.Cmp({right}) {sign} 0") } else { format!("{left} {sign} {right}") };
        (text, Level::Compare)
    }

    /// A literal in an expression.
    pub(super) fn literal(&mut self, literal: &Literal) -> String {
        if let Literal::Decimal(it) = literal {
            let next = format!("decimal{}", self.decimals.len() + 1);
            return self.decimals.entry(it.to_string()).or_insert(next).clone();
        }
        plain(self.idents, literal)
    }
}

/// A value where one is wanted that may be null, or one that may not.
pub(super) fn fitted(text: String, plain: &str, is_optional: bool, wanted: bool) -> String {
    match (is_optional, wanted) {
        (false, true) => format!("statespec.Some[{plain}]({text})"),
        (true, false) => format!("{text}.V"),
        _ => text,
    }
}

/// Whether an event carries a field, and is no timer.
pub(super) fn carries(machine: &Machine, event: EventId, field: PayloadId) -> bool {
    machine.event(event).timer.is_none() && machine.payload_field(event, field).is_some()
}

/// A literal in a declaration.
pub(super) fn plain(idents: &Idents, literal: &Literal) -> String {
    match literal {
        Literal::Bool(it) => it.to_string(),
        Literal::Int(it) | Literal::Duration(it) | Literal::Timestamp(it) => crate::expr::grouped(*it),
        Literal::Decimal(it) => format!("statespec.MustDecimal(\"{it}\")"),
        Literal::Text(it) => quoted(it),
        Literal::Enum(id, idx) => idents.value(*id, *idx).to_owned(),
        Literal::State(id) => idents.state(*id).to_owned(),
        Literal::Event(id) => idents.kind(*id).to_owned(),
        // No value of a machine is a list, and null stands where its type is known.
        Literal::Null | Literal::List(_) => String::from("nil"),
    }
}

fn function(operation: Operation) -> &'static str {
    match operation {
        Operation::Add => "Add",
        Operation::Sub => "Sub",
        Operation::Mul => "Mul",
        Operation::Div => "Div",
        Operation::Rem => "Rem",
        Operation::Later => "Later",
        Operation::Earlier => "Earlier",
        Operation::Since => "Since",
        Operation::Times => "Times",
    }
}
