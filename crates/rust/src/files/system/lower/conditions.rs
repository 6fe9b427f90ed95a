//! Names for rules and invariants: derived from the names in their conditions, since a changed text must change no code.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Ident;
use statespec_lang::expr::{Arithmetic, Compare, Expr, ExprKind, Var};
use statespec_lang::model::{Literal, PartId, System};
use statespec_lang::names::{ident, upper_camel};

use crate::lower::Lowering;

/// The number of words after which a condition is cut.
const MAX_WORDS: usize = 12;

/// A variant for each rule; rules with the same condition are distinguished by the events that they guard.
pub(super) fn rules(system: &System, machines: &BTreeMap<usize, Lowering<'_>>) -> Vec<Ident> {
    let names: Vec<String> = system.rules.iter().map(|it| condition_name(&it.require, system, machines, "Rule")).collect();
    let named = system.rules.iter().zip(&names).map(|(rule, name)| {
        if names.iter().filter(|it| *it == name).count() == 1 {
            return name.clone();
        }
        let event = |(part, event): &(PartId, statespec_lang::model::EventId)| {
            let machine = machines[&system.part(*part).machine].machine;
            inner_camel(&system.part(*part).name) + &inner_camel(&machine.event(*event).name)
        };
        let parts: BTreeSet<String> = rule.events.iter().map(|(part, _)| inner_camel(&system.part(*part).name)).collect();
        let events = if let [only] = rule.events.as_slice() { event(only) } else { parts.into_iter().collect() };
        format!("{name}Before{events}")
    });
    distinct(named)
}

/// A variant for each invariant.
pub(super) fn invariants(system: &System, machines: &BTreeMap<usize, Lowering<'_>>) -> Vec<Ident> {
    distinct(system.invariants.iter().map(|it| condition_name(&it.require, system, machines, "Invariant")))
}

/// The names, with a number appended if an earlier one is equal.
fn distinct(names: impl Iterator<Item = String>) -> Vec<Ident> {
    let mut taken = BTreeSet::from(["Self".to_owned()]);
    let names = names.map(|name| {
        let mut numbered = std::iter::once(name.clone()).chain((2..).map(|number| format!("{name}{number}")));
        // The iterator of numbers is unlimited.
        let free = numbered.find(|it| !taken.contains(it)).unwrap_or(name);
        taken.insert(free.clone());
        ident(&free)
    });
    names.collect()
}

/// The words of a condition as one name; `kind` is the prefix of a name without an initial letter.
fn condition_name(condition: &Expr, system: &System, machines: &BTreeMap<usize, Lowering<'_>>, kind: &str) -> String {
    let mut words = Words { system, machines, list: Vec::new() };
    words.add(condition, None);
    words.list.truncate(MAX_WORDS);
    let words = words.list.concat();
    let name = upper_camel(&words);
    if name.starts_with(unicode_ident::is_xid_start) { name } else { format!("{kind}{}", inner_camel(&words)) }
}

/// A name within another one: alone, `_17` needs its `_`; after other words, that is no upper camel case.
fn inner_camel(name: &str) -> String {
    upper_camel(name).trim_start_matches('_').to_owned()
}

/// `mission.state == IN_PROGRESS` as `Mission`, `Is`, `InProgress`.
struct Words<'a> {
    system: &'a System,
    machines: &'a BTreeMap<usize, Lowering<'a>>,
    list: Vec<String>,
}

impl Words<'_> {
    fn push(&mut self, word: &str) {
        self.list.push(upper_camel(word));
    }

    /// Adds the words of a condition; `part` determines whose states it names.
    fn add(&mut self, expr: &Expr, part: Option<PartId>) {
        match &expr.kind {
            ExprKind::Var(var) | ExprKind::NonNull(var) => self.add_var(*var),
            ExprKind::Literal(literal) => self.add_literal(literal, part),
            ExprKind::Not(inner) => self.add_all("Not", [inner.as_ref()], part),
            ExprKind::And(left, right) => self.add_between(left, "And", right, part),
            ExprKind::Or(left, right) => self.add_between(left, "Or", right, part),
            ExprKind::Compare(operator, left, right) => {
                let word = match operator {
                    Compare::Eq => "Is",
                    Compare::Ne => "IsNot",
                    Compare::Lt => "Below",
                    Compare::Le => "AtMost",
                    Compare::Gt => "Above",
                    Compare::Ge => "AtLeast",
                };
                self.add_between(left, word, right, part_of(left).or(part_of(right)));
            }
            ExprKind::Arithmetic(operator, left, right) => {
                let word = match operator {
                    Arithmetic::Add => "Plus",
                    Arithmetic::Sub => "Minus",
                    Arithmetic::Mul => "Times",
                    Arithmetic::Div => "Over",
                    Arithmetic::Rem => "Modulo",
                };
                self.add_between(left, word, right, part);
            }
            ExprKind::In(inner, state) => {
                let part = part_of(inner);
                self.add(inner, part);
                self.push("In");
                self.add_literal(&Literal::State(*state), part);
            }
            ExprKind::Len(inner) => self.add_all("Len", [inner.as_ref()], part),
            ExprKind::ToDecimal(inner) => self.add(inner, part),
            // Systems have neither constants nor predicates, and are in no state.
            ExprKind::Constant(_) | ExprKind::Predicate(_) | ExprKind::Active(_) => {}
        }
    }

    fn add_all<'e>(&mut self, word: &str, inner: impl IntoIterator<Item = &'e Expr>, part: Option<PartId>) {
        self.push(word);
        inner.into_iter().for_each(|it| self.add(it, part));
    }

    fn add_between(&mut self, left: &Expr, word: &str, right: &Expr, part: Option<PartId>) {
        self.add(left, part);
        self.add_all(word, [right], part);
    }

    fn add_var(&mut self, var: Var) {
        match var {
            Var::PartState(part) => self.push(&self.system.part(part).name.clone()),
            Var::PartId(part) => self.push(&format!("{}_id", self.system.part(part).name)),
            Var::PartContext(part, field) => {
                let machine = self.machines[&self.system.part(part).machine].machine;
                self.push(&format!("{}_{}", self.system.part(part).name, machine.fields[field.index()].name));
            }
            // Rules and invariants only read parts.
            Var::Context(_) | Var::Payload(_) | Var::Input(_) => {}
        }
    }

    fn add_literal(&mut self, literal: &Literal, part: Option<PartId>) {
        match literal {
            Literal::Null => self.push("null"),
            Literal::Bool(it) => self.push(if *it { "true" } else { "false" }),
            Literal::State(id) => {
                let Some(part) = part else { return };
                let machine = self.machines[&self.system.part(part).machine].machine;
                self.push(&machine.state(*id).name.clone());
            }
            Literal::Enum(id, idx) => {
                let (machine, own) = self.system.enum_origins[id.index()];
                self.push(&self.machines[&machine].machine.enums[own.index()].values[*idx].name.clone());
            }
            Literal::Int(it) => self.push(&format!("n{}", it.unsigned_abs())),
            // Texts are prose, and other numbers are not names.
            Literal::Text(_)
            | Literal::Decimal(_)
            | Literal::Duration(_)
            | Literal::Timestamp(_)
            | Literal::Event(_)
            | Literal::List(_) => {}
        }
    }
}

/// The part that one side of a comparison refers to.
fn part_of(expr: &Expr) -> Option<PartId> {
    expr.parts().first().copied()
}
