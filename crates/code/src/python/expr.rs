//! Expressions.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::expr::{Compare, Var};
use statespec_lang::model::{ConstantId, Literal, Machine, PartId, PayloadId, PredicateId, StateId, Type};
use statespec_lang::program::{Expr, Kind, Operation};

use super::idents::{Idents, UNREACHABLE, quoted};
use super::imports::DECIMAL;
use crate::expr::grouped;
use crate::writer::Imports;

/// How tightly an operator binds: an operand of a lower level is put into parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Or,
    And,
    Not,
    Compare,
    Atom,
}

/// What the variables and states of expressions are, as texts of Python.
pub(super) trait Reads {
    /// A variable.
    fn var(&self, var: Var) -> String;
    /// Whether a variable that a test for null protects may be null for a type checker.
    fn may_be_null(&self, var: Var) -> bool;
    /// A constant of the machine.
    fn constant(&self, id: ConstantId) -> String;
    /// A condition that the user's code decides.
    fn predicate(&self, id: PredicateId) -> String;
    /// A value; a state is one of this part of a system.
    fn literal(&self, literal: &Literal, states_of: Option<PartId>, imports: &mut Imports) -> String;
    /// The part of a system whose states an expression names.
    fn states_of(&self, expr: &Expr) -> Option<PartId>;
    /// A leaf as an expression; `None` for a composite.
    fn leaf(&self, id: StateId, states_of: Option<PartId>) -> Option<String>;
    /// Whether the leaf that a text names is inside a composite; `wholes` are the composites whose leaves the module lists.
    fn is_inside(&self, leaf: &str, whole: StateId, states_of: Option<PartId>, wholes: &mut BTreeSet<StateId>) -> (String, Level);
    /// Whether a part is in a state.
    fn is_part_in(&self, part: PartId, whole: StateId) -> (String, Level);
    /// Whether the machine is in a state.
    fn is_active(&self, whole: StateId, wholes: &mut BTreeSet<StateId>) -> (String, Level);
}

/// What expressions of a machine read.
pub(super) struct OfMachine<'a> {
    pub(super) machine: &'a Machine,
    pub(super) idents: &'a Idents,
}

impl Reads for OfMachine<'_> {
    fn var(&self, var: Var) -> String {
        self.idents.var(var)
    }

    fn may_be_null(&self, var: Var) -> bool {
        match var {
            Var::Context(id) => self.machine.fields[id.index()].optional,
            _ => true,
        }
    }

    fn constant(&self, id: ConstantId) -> String {
        self.idents.constant(id).to_owned()
    }

    fn predicate(&self, id: PredicateId) -> String {
        format!("p.{}()", self.idents.predicate(id))
    }

    fn literal(&self, literal: &Literal, _: Option<PartId>, imports: &mut Imports) -> String {
        plain(self.idents, literal, imports)
    }

    fn states_of(&self, _: &Expr) -> Option<PartId> {
        None
    }

    fn leaf(&self, id: StateId, _: Option<PartId>) -> Option<String> {
        self.machine.is_leaf(id).then(|| self.idents.leaf(id))
    }

    fn is_inside(&self, leaf: &str, whole: StateId, _: Option<PartId>, wholes: &mut BTreeSet<StateId>) -> (String, Level) {
        wholes.insert(whole);
        (format!("{leaf} in {}", self.idents.inside(whole)), Level::Compare)
    }

    fn is_part_in(&self, _: PartId, _: StateId) -> (String, Level) {
        // Expressions of a machine read no parts of systems.
        (UNREACHABLE.to_owned(), Level::Atom)
    }

    fn is_active(&self, whole: StateId, wholes: &mut BTreeSet<StateId>) -> (String, Level) {
        if self.machine.is_leaf(whole) {
            return (format!("{} in at", self.idents.leaf(whole)), Level::Compare);
        }
        wholes.insert(whole);
        (format!("not {}.isdisjoint(at)", self.idents.inside(whole)), Level::Not)
    }
}

/// Prints expressions, and collects what they need of the module.
pub(super) struct Exprs<'a> {
    pub(super) reads: &'a dyn Reads,
    /// The composites whose leaves are asked for.
    pub(super) wholes: BTreeSet<StateId>,
    /// The decimals, which the module constructs once, by their texts.
    pub(super) decimals: BTreeMap<String, String>,
    pub(super) imports: Imports,
    /// The part of a system whose state an expression is or is compared with.
    states_of: Option<PartId>,
}

/// The fields of the payload that an expression reads.
pub(super) fn payload_of(expr: &Expr, found: &mut BTreeSet<PayloadId>) {
    expr.walk(&mut |it| {
        if let Kind::Read(Var::Payload(id)) | Kind::Known(Var::Payload(id)) | Kind::IsNull(Var::Payload(id)) = it.kind {
            found.insert(id);
        }
    });
}

impl<'a> Exprs<'a> {
    pub(super) fn of(reads: &'a dyn Reads) -> Self {
        Exprs { reads, wholes: BTreeSet::new(), decimals: BTreeMap::new(), imports: Imports::default(), states_of: None }
    }

    /// An expression.
    pub(super) fn text(&mut self, expr: &Expr) -> String {
        // A checker that has narrowed the type of a variable in one test may object to another test of it.
        let is_plain = self.narrowing(expr).values().all(|it| *it < 2);
        self.print(expr, is_plain).0
    }

    /// An expression that is a state of a part of a system, or contains one.
    pub(super) fn text_of(&mut self, expr: &Expr, states_of: PartId) -> String {
        self.states_of = Some(states_of);
        let text = self.text(expr);
        self.states_of = None;
        text
    }

    fn at(&mut self, expr: &Expr, level: Level, is_plain: bool) -> String {
        let (text, own) = self.print(expr, is_plain);
        if own < level { format!("({text})") } else { text }
    }

    fn print(&mut self, expr: &Expr, is_plain: bool) -> (String, Level) {
        let reads = self.reads;
        let text = match &expr.kind {
            Kind::Literal(literal) => self.literal(literal),
            Kind::Constant(id) => reads.constant(*id),
            Kind::Read(var) => reads.var(*var),
            Kind::Known(var) => match reads.may_be_null(*var) {
                true if expr.ty == Type::Reference => format!("statespec.known_reference({})", reads.var(*var)),
                true => format!("statespec.known({})", reads.var(*var)),
                false => reads.var(*var),
            },
            Kind::IsNull(var) if is_plain => return (format!("{} is None", reads.var(*var)), Level::Compare),
            Kind::IsNull(var) => format!("statespec.is_null({})", reads.var(*var)),
            Kind::Predicate(id) => reads.predicate(*id),
            Kind::Not(inner) => {
                if let (Kind::IsNull(var), true) = (&inner.kind, is_plain) {
                    return (format!("{} is not None", reads.var(*var)), Level::Compare);
                }
                return (format!("not {}", self.at(inner, Level::Not, is_plain)), Level::Not);
            }
            Kind::And(a, b) => {
                return (format!("{} and {}", self.at(a, Level::And, is_plain), self.at(b, Level::And, is_plain)), Level::And);
            }
            Kind::Or(a, b) => {
                return (format!("{} or {}", self.at(a, Level::Or, is_plain), self.at(b, Level::Or, is_plain)), Level::Or);
            }
            Kind::Compare(operator, a, b) => {
                let outer = self.states_of;
                self.states_of = reads.states_of(a).or_else(|| reads.states_of(b)).or(outer);
                let compared = self.compare(*operator, a, b, is_plain);
                self.states_of = outer;
                return compared;
            }
            Kind::Operation(operation, a, b) => {
                let suffix = if expr.ty == Type::Decimal { "_decimal" } else { "" };
                let (a, b) = (self.at(a, Level::Or, is_plain), self.at(b, Level::Or, is_plain));
                format!("statespec.{}{suffix}({a}, {b})", function(*operation))
            }
            Kind::Len(inner) => format!("len({})", self.at(inner, Level::Or, is_plain)),
            Kind::ToDecimal(inner) => format!("{}({})", self.imports.name(DECIMAL), self.at(inner, Level::Or, is_plain)),
            Kind::In(subject, whole) => {
                let part = reads.states_of(subject);
                let subject = self.at(subject, Level::Atom, is_plain);
                return match reads.leaf(*whole, part) {
                    Some(leaf) if is_plain => (format!("{subject} == {leaf}"), Level::Compare),
                    Some(leaf) => (format!("statespec.equal({subject}, {leaf})"), Level::Atom),
                    None => reads.is_inside(&subject, *whole, part, &mut self.wholes),
                };
            }
            Kind::Active(whole) => return reads.is_active(*whole, &mut self.wholes),
            Kind::PartIn(part, whole) => return reads.is_part_in(*part, *whole),
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
        (format!("{a} {} {b}", operator.sign()), Level::Compare)
    }

    /// How often a test narrows the type of each variable.
    fn narrowing(&self, expr: &Expr) -> BTreeMap<Var, usize> {
        let mut narrowed = Vec::new();
        let tested = |it: &Expr| match it.kind {
            Kind::Read(var) => Some(var),
            // Otherwise a function takes it.
            Kind::Known(var) if !self.reads.may_be_null(var) => Some(var),
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

    /// A literal in an expression.
    pub(super) fn literal(&mut self, literal: &Literal) -> String {
        if let Literal::Decimal(it) = literal {
            let next = format!("_DECIMAL_{}", self.decimals.len() + 1);
            return self.decimals.entry(it.to_string()).or_insert(next).clone();
        }
        self.reads.literal(literal, self.states_of, &mut self.imports)
    }
}

/// A literal in a declaration.
pub(super) fn plain(idents: &Idents, literal: &Literal, imports: &mut Imports) -> String {
    match literal {
        Literal::Bool(true) => String::from("True"),
        Literal::Bool(false) => String::from("False"),
        Literal::Int(it) | Literal::Duration(it) | Literal::Timestamp(it) => grouped(*it),
        Literal::Decimal(it) => format!("{}(\"{it}\")", imports.name(DECIMAL)),
        Literal::Text(it) => quoted(it),
        Literal::Enum(id, idx) => idents.member(*id, *idx),
        Literal::State(id) => idents.leaf(*id),
        Literal::Event(id) => format!("EventKind.{}", idents.kind(*id)),
        Literal::Null => String::from("None"),
        Literal::List(items) => super::idents::tuple(items.iter().map(|it| plain(idents, it, imports))),
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
