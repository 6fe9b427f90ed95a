//! Follows code with known states: `match` in the order of its arms, `matches!`, comparisons, lists, helpers.
//!
//! ```text
//! match (self, to) { (Merged, _) => false, (_, Withdrawn) => true, (a, b) => a == b }
//! ```
//!
//! With `Merged` and `Withdrawn` this is `false`: what a text means is computed for every pair of states, and
//! is not guessed from its form. A condition that does not depend on the states becomes a guard; whatever
//! depends on them in a way that cannot be followed makes the outcome unknown.

mod arms;
mod asked;
mod calls;
mod changes;
mod fields;
mod flow;
mod handed;
mod locals;
mod macros;
mod operators;
mod paths;
mod texts;
mod unfollowed;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::Visit;
use syn::{BinOp, Expr, Pat, Stmt, Token, UnOp};

use super::items::Items;
use super::pattern::Fit;
use super::range::{place, range, range_of_expr, start_of};
use super::value::{Case, Effects, Flow, Place, Scope, Value, names};
use super::variables::{bare, replaced};
pub(super) use fields::carried;
use fields::forget_bound;
use macros::Matches;
pub(super) use macros::{arguments, elements, matches_arguments};
pub(super) use operators::{all_of, literal, merged, negated};
use operators::{and, is_constant, lost_at, name_of, or};

/// The steps of code that are followed for one file.
const FUEL: usize = 1_000_000;
/// The steps that are followed for one of its functions, so that a long one leaves some for the others.
const FUEL_OF_FUNCTION: usize = 500_000;
/// The maximum depth of calls.
const MAX_CALLS: usize = 12;
/// The maximum number of outcomes of one piece of code.
const MAX_CASES: usize = 64;

pub(super) struct Eval<'e, 'a> {
    pub(super) items: &'e Items<'a>,
    source: &'e str,
    /// The steps that are left for the function that is read.
    fuel: Cell<usize>,
    /// The steps that are left for the functions behind it.
    reserve: usize,
    /// The path whose assignments are recorded: `self.state`.
    pub(super) target: Option<String>,
    /// The enum whose states are tried.
    pub(super) about: Option<usize>,
    /// The function that is read.
    pub(super) root: Option<usize>,
    /// The functions that may set the state.
    pub(super) setting: Rc<BTreeSet<usize>>,
    /// The methods that may set a field of the name of the state in their receiver: `reset` of `guard.reset()`.
    pub(super) setting_in: Rc<BTreeSet<usize>>,
    /// The code of the variable with the state, if it begins at `self`, and the path of the state from there: `self.inner.lock()`, `.state`.
    pub(super) shared: Option<(String, String)>,
    /// The parsed arguments of `matches!` by their place.
    parsed: BTreeMap<usize, Option<Rc<Matches>>>,
    /// The parsed arguments of `vec!` and `assert!` by their place.
    lists: BTreeMap<usize, Option<Rc<Vec<Expr>>>>,
    /// The texts of expressions by their address, which live as long as the tree.
    texts: RefCell<BTreeMap<usize, Rc<str>>>,
    /// Variants by the address of their path, which lives as long as the tree.
    resolved: BTreeMap<usize, (usize, usize)>,
    pub(super) seen: Seen,
    /// The calls that are being followed, each with its arguments.
    calls: Vec<(usize, Scope)>,
    /// The names that `let` gives to different values.
    pub(super) ambiguous: BTreeSet<String>,
    /// The variables that functions of the file assign after they were declared.
    pub(super) assigned: BTreeSet<String>,
    /// The names that each function binds, once they were asked for.
    bound: BTreeMap<usize, Rc<BTreeSet<String>>>,
    /// The fields that the statements still to be followed ask about, those of the innermost block last.
    later: Vec<Rc<BTreeSet<String>>>,
    asked: asked::Asked,
}

/// What was come across in the code that was followed.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    /// The constants that were read.
    pub(super) constants: BTreeSet<usize>,
    /// The functions that others call, each with the enum whose states were tried.
    pub(super) called: BTreeSet<(usize, usize)>,
    /// The starts of the places where the state was set.
    pub(super) reached: BTreeSet<usize>,
    /// The places of `.await` between two of them.
    pub(super) between: BTreeSet<Place>,
}

/// A condition: its guards, whether it holds, and the names that it binds.
#[derive(Clone)]
struct Holds {
    guards: Vec<String>,
    effects: Effects,
    holds: Value,
    scope: Scope,
    /// How the condition leaves the function instead: `if is_ready()? { … }`.
    exit: Option<Flow>,
    arm: Option<Place>,
}

impl Default for Holds {
    fn default() -> Self {
        Holds { guards: Vec::new(), effects: Effects::default(), holds: Value::Unit, scope: Scope::default(), exit: None, arm: None }
    }
}

impl<'e, 'a> Eval<'e, 'a> {
    pub(super) fn new(items: &'e Items<'a>, source: &'e str) -> Self {
        Eval {
            items,
            source,
            fuel: Cell::new(0),
            reserve: FUEL,
            target: None,
            about: None,
            root: None,
            setting: Rc::default(),
            setting_in: Rc::default(),
            shared: None,
            parsed: BTreeMap::new(),
            lists: BTreeMap::new(),
            texts: RefCell::default(),
            resolved: BTreeMap::new(),
            seen: Seen::default(),
            calls: Vec::new(),
            ambiguous: BTreeSet::new(),
            assigned: BTreeSet::new(),
            bound: BTreeMap::new(),
            later: Vec::new(),
            asked: asked::Asked::default(),
        }
    }

    /// Begins with another function, or with the constants behind all of them.
    pub(super) fn begin(&mut self, root: Option<usize>) {
        self.root = root;
        self.reserve += self.fuel.replace(0);
        let share = self.reserve.min(FUEL_OF_FUNCTION);
        self.reserve -= share;
        self.fuel.set(share);
    }

    pub(super) fn burn(&self, amount: usize) {
        self.fuel.set(self.fuel.get().saturating_sub(amount));
    }

    /// Whether a piece of code assigns the state whose assignments are recorded.
    fn sets(&self, expr: &Expr) -> bool {
        struct Sets<'t>(&'t str, bool);
        impl Sets<'_> {
            fn place(&mut self, place: &Expr) {
                self.1 |= bare(place).to_token_stream().to_string().replace(' ', "") == self.0;
            }
        }
        impl<'x> Visit<'x> for Sets<'_> {
            fn visit_expr_assign(&mut self, it: &'x syn::ExprAssign) {
                self.place(&it.left);
                syn::visit::visit_expr_assign(self, it);
            }
            fn visit_expr_call(&mut self, it: &'x syn::ExprCall) {
                replaced(it).into_iter().for_each(|it| self.place(it));
                syn::visit::visit_expr_call(self, it);
            }
        }
        let Some(target) = &self.target else { return false };
        let mut found = Sets(target, false);
        found.visit_expr(expr);
        found.1
    }

    /// Continues every case that has a value.
    fn then(&mut self, cases: Vec<Case>, mut next: impl FnMut(&mut Self, Value) -> Vec<Case>) -> Vec<Case> {
        let mut all = Vec::new();
        for mut case in cases {
            let value = match std::mem::replace(&mut case.flow, Flow::Never) {
                Flow::Value(value) => value,
                flow => {
                    all.push(Case { flow, ..case });
                    continue;
                }
            };
            all.extend(next(self, value).into_iter().map(|behind| case.before(behind)));
        }
        few(merged(all))
    }

    /// [`Eval::then`], with what is known behind each case.
    fn then_in(&mut self, cases: Vec<Case>, scope: &Scope, mut next: impl FnMut(&mut Self, Value, &Scope) -> Vec<Case>) -> Vec<Case> {
        let mut inner = |eval: &mut Self, case: Case| {
            let scope = eval.behind(&case, scope);
            eval.then(vec![case], |eval, value| next(eval, value, &scope))
        };
        few(merged(cases.into_iter().flat_map(|case| inner(self, case)).collect()))
    }

    /// The values of several expressions, from left to right.
    fn all<'x>(&mut self, list: impl IntoIterator<Item = &'x Expr>, scope: &Scope, make: fn(Vec<Value>) -> Value) -> Vec<Case> {
        let mut cases = Case::value(Value::List(Vec::new()));
        for element in list {
            cases = self.then(cases, |eval, before| {
                let inner = eval.expr(element, scope);
                // The last of the cases takes the values before it: nearly always there is one, and a list can be long.
                let (mut before, mut n_left) = (Some(before), inner.len());
                eval.then(inner, |_, value| {
                    n_left = n_left.saturating_sub(1);
                    let values = if n_left == 0 { before.take() } else { before.clone() };
                    let mut all = match values {
                        Some(Value::List(all)) => all,
                        _ => Vec::new(),
                    };
                    all.push(value);
                    Case::value(Value::List(all))
                })
            });
        }
        self.then(cases, |_, value| match value {
            Value::List(all) => Case::value(make(all)),
            other => Case::value(other),
        })
    }

    pub(super) fn expr(&mut self, expr: &Expr, scope: &Scope) -> Vec<Case> {
        if self.fuel.get() == 0 {
            // Behind it, the state may be set.
            return if self.target.is_some() { lost_at(expr) } else { Case::value(Value::lost("too much code to follow")) };
        }
        self.burn(1);
        match expr {
            Expr::Paren(it) => self.expr(&it.expr, scope),
            Expr::Group(it) => self.expr(&it.expr, scope),
            Expr::Reference(it) => {
                let cases = self.expr(&it.expr, scope);
                if it.mutability.is_some() { self.touched(cases, &[&it.expr], expr, scope) } else { cases }
            }
            Expr::Unary(it) if matches!(it.op, UnOp::Deref(_)) => self.expr(&it.expr, scope),
            Expr::Unary(it) => {
                let inner = self.expr(&it.expr, scope);
                let is_not = matches!(it.op, UnOp::Not(_));
                self.then(inner, |eval, value| {
                    Case::value(match value {
                        Value::Bool(value) if is_not => Value::Bool(!value),
                        Value::Int(value) if !is_not => Value::Int(-value),
                        Value::Unknown { text, of_state } if is_not => Value::Unknown { text: negated(&text), of_state },
                        _ => eval.unknown(expr, scope),
                    })
                })
            }
            Expr::Lit(it) => Case::value(literal(&it.lit)),
            Expr::Path(it) => match self.path(&it.path, scope) {
                Some(value) => Case::value(value),
                None => Case::value(self.unknown(expr, scope)),
            },
            Expr::Field(it) => {
                if let Some(known) = scope.get(&self.text(expr)) {
                    return Case::value(known.clone());
                }
                let base = self.expr(&it.base, scope);
                self.then(base, |eval, value| {
                    let named = match (&value, &it.member) {
                        (Value::Tuple(all), syn::Member::Unnamed(idx)) => all.get(idx.index as usize).cloned(),
                        (Value::Struct(fields), syn::Member::Named(name)) => {
                            fields.iter().find(|(it, _)| name == it).map(|(_, value)| value.clone())
                        }
                        _ => None,
                    };
                    Case::value(named.unwrap_or_else(|| eval.unknown(expr, scope)))
                })
            }
            Expr::Tuple(it) if it.elems.is_empty() => Case::value(Value::Unit),
            Expr::Tuple(it) => self.all(&it.elems, scope, Value::Tuple),
            Expr::Array(it) => self.all(&it.elems, scope, Value::List),
            Expr::Block(it) => self.block(&it.block, scope),
            Expr::Unsafe(it) => self.block(&it.block, scope),
            Expr::Const(it) => self.block(&it.block, scope),
            Expr::Match(it) => self.match_(it, scope),
            Expr::If(it) => self.if_(it, expr, scope),
            Expr::Let(_) => {
                let cases = self.condition(expr, scope);
                cases
                    .into_iter()
                    .map(|it| Case { guards: it.guards, flow: it.exit.unwrap_or(Flow::Value(it.holds)), effects: it.effects, arm: it.arm })
                    .collect()
            }
            Expr::Binary(it) => self.binary(it, expr, scope),
            Expr::Call(it) => self.call_expr(it, expr, scope),
            Expr::MethodCall(it) => self.method(it, expr, scope),
            Expr::Macro(it) => self.macro_(&it.mac, expr, scope),
            Expr::Return(it) => match &it.expr {
                Some(inner) => {
                    let inner = self.expr(inner, scope);
                    self.then(inner, |_, value| Case::flow(Flow::Return(value)))
                }
                None => Case::flow(Flow::Return(Value::Unit)),
            },
            Expr::Try(it) => {
                let inner = self.expr(&it.expr, scope);
                self.then(inner, |_, value| match value {
                    Value::Ok(inner) | Value::Some(inner) => Case::value(*inner),
                    Value::Err => Case::flow(Flow::Return(Value::Err)),
                    Value::None => Case::flow(Flow::Return(Value::None)),
                    // What fails before the state is set refuses the step; behind it, the step has been taken.
                    Value::Unknown { text, of_state } if !text.is_empty() => {
                        let (goes_on, failed) = if scope.returns_option { ("Some", Value::None) } else { ("Ok", Value::Err) };
                        let guards = vec![format!("{text} is {goes_on}(_)")];
                        let mut cases = vec![Case { guards, ..Case::of(Flow::Value(Value::Unknown { text, of_state })) }];
                        cases.extend(Case::flow(Flow::Return(failed)));
                        cases
                    }
                    other => Case::value(other),
                })
            }
            Expr::Struct(it) => {
                let variant = self.path(&it.path, scope).filter(|it| matches!(it, Value::Variant(..)));
                let names: Vec<String> = it.fields.iter().map(|it| it.member.to_token_stream().to_string()).collect();
                let values = self.all(it.fields.iter().map(|it| &it.expr), scope, Value::List);
                self.then(values, |_, value| match value {
                    // A `?` in a field refuses before there is a value.
                    Value::List(_) if let Some(variant) = &variant => Case::value(variant.clone()),
                    Value::List(all) => Case::value(Value::Struct(names.iter().cloned().zip(all).collect())),
                    other => Case::value(other),
                })
            }
            Expr::Cast(it) => {
                let inner = self.expr(&it.expr, scope);
                self.then(inner, |eval, value| {
                    Case::value(match value {
                        Value::Variant(of, idx) => eval.number(of, idx).map_or_else(|| eval.unknown(expr, scope), Value::Int),
                        Value::Int(it) => Value::Int(it),
                        _ => eval.unknown(expr, scope),
                    })
                })
            }
            Expr::Assign(it) => self.assignment(it, scope),
            Expr::ForLoop(it) => self.for_(it, expr, scope),
            Expr::Continue(it) if it.label.is_none() => Case::flow(Flow::Continue),
            Expr::Break(it) if it.expr.is_none() && it.label.is_none() => Case::flow(Flow::Break),
            Expr::Break(_) | Expr::Continue(_) => lost_at(expr),
            Expr::Await(it) => {
                let mut cases = self.expr(&it.base, scope);
                for case in cases.iter_mut().filter(|it| scope.is_set || it.effects.assigned.is_some()) {
                    case.effects.awaited = Some(place(&it.await_token));
                }
                cases
            }
            // Code that runs many times, or later, and sets the state: where that leads is not known.
            Expr::Closure(_) | Expr::Async(_) if self.sets(expr) => lost_at(expr),
            Expr::While(_) | Expr::Loop(_) => self.not_followed(&[expr], self.unknown(expr, scope), expr, scope),
            _ => {
                let cases = Case::value(self.unknown(expr, scope));
                self.unfollowed(cases, expr, scope)
            }
        }
    }
}

/// The outcomes of a piece of code, if they are few.
fn few(cases: Vec<Case>) -> Vec<Case> {
    if cases.len() <= MAX_CASES {
        return cases;
    }
    let sets = |it: &Case| it.effects.assigned.is_some() || !matches!(it.flow, Flow::Value(_));
    Case::flow(if cases.iter().any(sets) { Flow::Lost(None) } else { Flow::Value(Value::lost("too many cases")) })
}
