//! Expressions.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::expr::{Compare, Var};
use statespec_lang::model::{Literal, Machine, PayloadId, StateId, Type};
use statespec_lang::program::{Expr, Kind, Operation};

use super::idents::{Idents, quoted};
use crate::expr::{grouped, sign};

/// How tightly an operator binds: an operand of a lower level is put into parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Not,
    Compare,
    Atom,
}

/// Prints expressions of a machine, and collects what they need of the module.
pub(super) struct Exprs<'a> {
    pub(super) machine: &'a Machine,
    pub(super) idents: &'a Idents,
    /// The composites whose leaves are asked for.
    pub(super) wholes: BTreeSet<StateId>,
    /// The decimals, which the module constructs once, by their texts.
    pub(super) decimals: BTreeMap<String, String>,
}

/// The fields of the payload that an expression reads.
pub(super) fn payload_of(expr: &Expr, found: &mut BTreeSet<PayloadId>) {
    expr.walk(&mut |it| {
        if let Kind::Read(Var::Payload(id)) | Kind::Known(Var::Payload(id)) | Kind::IsNull(Var::Payload(id)) = it.kind {
            found.insert(id);
        }
    });
}

impl Exprs<'_> {
    /// An expression.
    pub(super) fn text(&mut self, expr: &Expr) -> String {
        // A checker that has narrowed the type of a variable in one test may object to another test of it.
        let is_plain = self.narrowing(expr).values().all(|it| *it < 2);
        self.print(expr, is_plain).0
    }

    fn at(&mut self, expr: &Expr, level: Level, is_plain: bool) -> String {
        let (text, own) = self.print(expr, is_plain);
        if own < level { format!("({text})") } else { text }
    }

    fn print(&mut self, expr: &Expr, is_plain: bool) -> (String, Level) {
        let text = match &expr.kind {
            Kind::Literal(literal) => self.literal(literal),
            Kind::Constant(id) => self.idents.constant(*id).to_owned(),
            Kind::Read(var) => self.idents.var(*var),
            Kind::Known(var) => match self.may_be_null(*var) {
                true if expr.ty == Type::Reference => format!("statespec.known_reference({})", self.idents.var(*var)),
                true => format!("statespec.known({})", self.idents.var(*var)),
                false => self.idents.var(*var),
            },
            Kind::IsNull(var) if is_plain => return (format!("{} is None", self.idents.var(*var)), Level::Compare),
            Kind::IsNull(var) => format!("statespec.is_null({})", self.idents.var(*var)),
            Kind::Predicate(id) => format!("p.{}()", self.idents.predicate(*id)),
            Kind::Not(inner) => {
                if let (Kind::IsNull(var), true) = (&inner.kind, is_plain) {
                    return (format!("{} is not None", self.idents.var(*var)), Level::Compare);
                }
                return (format!("not {}", self.at(inner, Level::Not, is_plain)), Level::Not);
            }
            Kind::And(a, b) => {
                return (format!("{} and {}", self.at(a, Level::And, is_plain), self.at(b, Level::And, is_plain)), Level::And);
            }
            Kind::Or(a, b) => {
                return (format!("{} or {}", self.at(a, Level::Or, is_plain), self.at(b, Level::Or, is_plain)), Level::Or);
            }
            Kind::Compare(operator, a, b) => return self.compare(*operator, a, b, is_plain),
            Kind::Operation(operation, a, b) => {
                let suffix = if expr.ty == Type::Decimal { "_decimal" } else { "" };
                let (a, b) = (self.at(a, Level::Or, is_plain), self.at(b, Level::Or, is_plain));
                format!("statespec.{}{suffix}({a}, {b})", function(*operation))
            }
            Kind::Len(inner) => format!("len({})", self.at(inner, Level::Or, is_plain)),
            Kind::ToDecimal(inner) => format!("Decimal({})", self.at(inner, Level::Or, is_plain)),
            Kind::In(subject, whole) if self.machine.is_leaf(*whole) => {
                let leaf = self.idents.leaf(*whole);
                let subject = self.at(subject, Level::Atom, is_plain);
                return match is_plain {
                    true => (format!("{subject} == {leaf}"), Level::Compare),
                    false => (format!("statespec.equal({subject}, {leaf})"), Level::Atom),
                };
            }
            Kind::In(subject, whole) => {
                self.wholes.insert(*whole);
                return (format!("{} in {}", self.at(subject, Level::Atom, is_plain), self.idents.inside(*whole)), Level::Compare);
            }
            Kind::Active(whole) if self.machine.is_leaf(*whole) => return (format!("{} in at", self.idents.leaf(*whole)), Level::Compare),
            Kind::Active(whole) => {
                self.wholes.insert(*whole);
                return (format!("not {}.isdisjoint(at)", self.idents.inside(*whole)), Level::Not);
            }
            // Expressions of a machine read no parts of systems.
            Kind::PartIn(..) => String::from("False"),
        };
        (text, Level::Atom)
    }

    fn compare(&mut self, operator: Compare, a: &Expr, b: &Expr, is_plain: bool) -> (String, Level) {
        let is_equality = matches!(operator, Compare::Eq | Compare::Ne);
        // Two values that are known to a checker differ for it, too.
        let is_plain = is_plain && !(a.value.is_some() && b.value.is_some());
        if is_equality && !is_plain {
            let name = if operator == Compare::Eq { "equal" } else { "unlike" };
            return (format!("statespec.{name}({}, {})", self.at(a, Level::Or, is_plain), self.at(b, Level::Or, is_plain)), Level::Atom);
        }
        let (a, b) = (self.at(a, Level::Atom, is_plain), self.at(b, Level::Atom, is_plain));
        (format!("{a} {} {b}", sign(operator)), Level::Compare)
    }

    /// How often a test narrows the type of each variable.
    fn narrowing(&self, expr: &Expr) -> BTreeMap<Var, usize> {
        let mut narrowed = Vec::new();
        let tested = |it: &Expr| match it.kind {
            Kind::Read(var) => Some(var),
            // Otherwise a function takes it.
            Kind::Known(var) if !self.may_be_null(var) => Some(var),
            _ => None,
        };
        expr.walk(&mut |it| match &it.kind {
            Kind::Compare(Compare::Eq | Compare::Ne, a, b) => narrowed.extend(tested(a).into_iter().chain(tested(b))),
            Kind::In(subject, _) => narrowed.extend(tested(subject)),
            Kind::IsNull(var) => narrowed.push(*var),
            _ => {}
        });
        let mut counts = BTreeMap::new();
        narrowed.into_iter().for_each(|it| *counts.entry(it).or_default() += 1);
        counts
    }

    fn may_be_null(&self, var: Var) -> bool {
        match var {
            Var::Context(id) => self.machine.fields[id.index()].optional,
            _ => true,
        }
    }

    /// A literal in an expression.
    pub(super) fn literal(&mut self, literal: &Literal) -> String {
        if let Literal::Decimal(it) = literal {
            let next = format!("_DECIMAL_{}", self.decimals.len() + 1);
            return self.decimals.entry(it.to_string()).or_insert(next).clone();
        }
        plain(self.idents, literal)
    }
}

/// A literal in a declaration.
pub(super) fn plain(idents: &Idents, literal: &Literal) -> String {
    match literal {
        Literal::Bool(true) => String::from("True"),
        Literal::Bool(false) => String::from("False"),
        Literal::Int(it) | Literal::Duration(it) | Literal::Timestamp(it) => grouped(*it),
        Literal::Decimal(it) => format!("Decimal(\"{it}\")"),
        Literal::Text(it) => quoted(it),
        Literal::Enum(id, idx) => idents.value(*id, *idx),
        Literal::State(id) => idents.leaf(*id),
        Literal::Event(id) => format!("EventKind.{}", idents.kind(*id)),
        Literal::Null => String::from("None"),
        Literal::List(items) => super::idents::tuple(items.iter().map(|it| plain(idents, it))),
    }
}

fn function(operation: Operation) -> &'static str {
    match operation {
        Operation::Add | Operation::Later => "add",
        Operation::Sub | Operation::Earlier | Operation::Since => "sub",
        Operation::Mul | Operation::Times => "mul",
        Operation::Div => "div",
        Operation::Rem => "rem",
    }
}
