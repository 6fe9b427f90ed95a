//! Follows code with known states: `match` in the order of its arms, `matches!`, comparisons, lists, helpers.
//!
//! ```text
//! match (self, to) { (Merged, _) => false, (_, Withdrawn) => true, (a, b) => a == b }
//! ```
//!
//! With `Merged` and `Withdrawn` this is `false`: what a text means is computed for every pair of states, and
//! is not guessed from its form. A condition that does not depend on the states becomes a guard; whatever
//! depends on them in a way that cannot be followed makes the outcome unknown.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::{BinOp, Expr, Pat, Stmt, Token, UnOp};

use super::items::{Items, range};
use super::pattern::Fit;
use super::value::{Case, Flow, Scope, Value};

/// The maximum depth of calls.
const MAX_CALLS: usize = 12;
/// The maximum number of outcomes of one piece of code.
const MAX_CASES: usize = 64;

pub(super) struct Eval<'e, 'a> {
    pub(super) items: &'e Items<'a>,
    source: &'e str,
    /// The steps that are left.
    fuel: Cell<usize>,
    /// The path whose assignments are recorded: `self.state`.
    pub(super) target: Option<String>,
    /// The last arm that was taken in the function itself.
    pub(super) arm: Option<std::ops::Range<usize>>,
    /// The parsed arguments of `matches!` by their place.
    parsed: BTreeMap<usize, Option<Rc<Matches>>>,
    /// The parsed arguments of `vec!` and `assert!` by their place.
    lists: BTreeMap<usize, Option<Rc<Vec<Expr>>>>,
    /// Variants by the address of their path, which lives as long as the tree.
    resolved: BTreeMap<usize, (usize, usize)>,
    /// The constants that were read.
    pub(super) read: BTreeSet<usize>,
}

/// The arguments of `matches!`.
struct Matches {
    value: Expr,
    pattern: Pat,
    guard: Option<Expr>,
}

impl Parse for Matches {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let value = input.parse()?;
        input.parse::<Token![,]>()?;
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        let guard = if input.peek(Token![if]) {
            input.parse::<Token![if]>()?;
            Some(input.parse()?)
        } else {
            None
        };
        input.parse::<Option<Token![,]>>()?;
        Ok(Matches { value, pattern, guard })
    }
}

/// The elements of `vec![…]`.
struct Elements(Vec<Expr>);

impl Parse for Elements {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let all = syn::punctuated::Punctuated::<Expr, Token![,]>::parse_terminated(input)?;
        Ok(Elements(all.into_iter().collect()))
    }
}

/// The first argument of `assert!`.
struct First(Expr);

impl Parse for First {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let first = input.parse()?;
        input.parse::<proc_macro2::TokenStream>()?;
        Ok(First(first))
    }
}

/// A condition: its guards, whether it holds, and the names that it binds.
struct Holds {
    guards: Vec<String>,
    holds: Value,
    scope: Scope,
}

impl<'e, 'a> Eval<'e, 'a> {
    pub(super) fn new(items: &'e Items<'a>, source: &'e str, fuel: usize) -> Self {
        Eval {
            items,
            source,
            fuel: Cell::new(fuel),
            target: None,
            arm: None,
            parsed: BTreeMap::new(),
            lists: BTreeMap::new(),
            resolved: BTreeMap::new(),
            read: BTreeSet::new(),
        }
    }

    pub(super) fn burn(&self, amount: usize) {
        self.fuel.set(self.fuel.get().saturating_sub(amount));
    }

    /// The source text of a piece of syntax, in one line.
    pub(super) fn text(&self, syntax: &impl ToTokens) -> String {
        let range = range(syntax);
        // A long text takes long, too.
        self.burn(range.len() / 4);
        let text = self.source.get(range).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn unknown(&self, syntax: &impl ToTokens, scope: &Scope) -> Value {
        let text = self.text(syntax);
        let of_state = scope.mentions_state(&text);
        Value::Unknown { text, of_state }
    }

    /// Continues every case that has a value.
    fn then(&mut self, cases: Vec<Case>, mut next: impl FnMut(&mut Self, Value) -> Vec<Case>) -> Vec<Case> {
        let mut all = Vec::new();
        for case in cases {
            let Flow::Value(value) = case.flow else {
                all.push(case);
                continue;
            };
            for behind in next(self, value) {
                let guards = case.guards.iter().cloned().chain(behind.guards).collect();
                all.push(Case { guards, flow: behind.flow, assigned: behind.assigned.or_else(|| case.assigned.clone()) });
            }
        }
        let all = merged(all);
        if all.len() > MAX_CASES { Case::value(Value::lost("too many cases")) } else { all }
    }

    /// The values of several expressions, from left to right.
    fn all<'x>(&mut self, list: impl IntoIterator<Item = &'x Expr>, scope: &Scope, make: fn(Vec<Value>) -> Value) -> Vec<Case> {
        let mut cases = Case::value(Value::List(Vec::new()));
        for element in list {
            cases = self.then(cases, |eval, before| {
                let inner = eval.expr(element, scope);
                eval.then(inner, |_, value| {
                    let mut all = match &before {
                        Value::List(all) => all.clone(),
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
            return Case::value(Value::lost("too much code to follow"));
        }
        self.burn(1);
        match expr {
            Expr::Paren(it) => self.expr(&it.expr, scope),
            Expr::Group(it) => self.expr(&it.expr, scope),
            Expr::Reference(it) => self.expr(&it.expr, scope),
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
            Expr::If(it) => self.if_(it, scope),
            Expr::Let(_) => {
                let cases = self.condition(expr, scope);
                cases.into_iter().map(|it| Case { guards: it.guards, flow: Flow::Value(it.holds), assigned: None }).collect()
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
                    other => Case::value(other),
                })
            }
            Expr::Struct(it) => {
                if let Some(variant) = self.path(&it.path, scope).filter(|it| matches!(it, Value::Variant(..))) {
                    return Case::value(variant);
                }
                let names: Vec<String> = it.fields.iter().map(|it| it.member.to_token_stream().to_string()).collect();
                let values = self.all(it.fields.iter().map(|it| &it.expr), scope, Value::List);
                self.then(values, |_, value| match value {
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
            Expr::Assign(it) => {
                let key = self.text(&it.left);
                let right = self.expr(&it.right, scope);
                let is_target = self.target.as_ref() == Some(&key);
                self.then(right, |_, value| {
                    vec![Case { guards: Vec::new(), flow: Flow::Value(Value::Unit), assigned: is_target.then_some(value) }]
                })
            }
            Expr::ForLoop(it) => self.for_(it, scope),
            Expr::Continue(_) => Case::flow(Flow::Continue),
            Expr::Break(it) if it.expr.is_none() && it.label.is_none() => Case::flow(Flow::Break),
            Expr::Await(it) => self.expr(&it.base, scope),
            Expr::While(_) | Expr::Loop(_) => Case::value(Value::lost(self.text(expr))),
            _ => Case::value(self.unknown(expr, scope)),
        }
    }

    /// The number of a variant.
    fn number(&self, of: usize, idx: usize) -> Option<i128> {
        let variants = &self.items.enums[of].variants;
        let mut number = 0;
        for (at, variant) in variants.iter().enumerate() {
            if let Some(own) = variant.number {
                number = own?;
            }
            if at == idx {
                return Some(number).filter(|_| self.items.enums[of].is_local);
            }
            number += 1;
        }
        None
    }

    /// A variable, a variant, or a constant.
    pub(super) fn path(&mut self, path: &syn::Path, scope: &Scope) -> Option<Value> {
        let address = std::ptr::from_ref(path).addr();
        if path.segments.len() > 1 {
            if let Some((of, idx)) = self.resolved.get(&address) {
                return Some(Value::Variant(*of, *idx));
            }
        } else if let Some(known) = path.get_ident().and_then(|it| scope.get_ident(it)) {
            return Some(known.clone());
        }
        let value = self.resolve(path, scope);
        if let Some(Value::Variant(of, idx)) = value
            && path.segments.len() > 1
        {
            self.resolved.insert(address, (of, idx));
        }
        value
    }

    fn resolve(&mut self, path: &syn::Path, scope: &Scope) -> Option<Value> {
        let names: Vec<String> = path.segments.iter().map(|it| it.ident.to_string().trim_start_matches("r#").to_owned()).collect();
        match names.as_slice() {
            [name] => {
                if let Some(known) = scope.get(name) {
                    return Some(known.clone());
                }
                if name == "None" {
                    return Some(Value::None);
                }
                if let Some((of, idx)) = self.items.bare_variant(name, scope.of.as_deref(), &scope.module) {
                    return Some(Value::Variant(of, idx));
                }
                self.constant(None, name, scope)
            }
            [.., of, name] => {
                let of = if of == "Self" { scope.of.clone()? } else { of.clone() };
                if name == "None" && of == "Option" {
                    return Some(Value::None);
                }
                // The modules of a path say which of two enums is meant.
                let named: Vec<String> = names[..names.len() - 2].to_vec();
                let module = if named.is_empty() { &scope.module } else { &named };
                let variant = self.items.enum_named(&of, module).and_then(|it| self.items.variant(it, name));
                variant.map(|(of, idx)| Value::Variant(of, idx)).or_else(|| self.constant(Some(&of), name, scope))
            }
            [] => None,
        }
    }

    /// The value of a constant.
    pub(super) fn constant(&mut self, of: Option<&str>, name: &str, scope: &Scope) -> Option<Value> {
        if scope.depth > MAX_CALLS {
            return None;
        }
        let idx = self.items.constant(of, name).or_else(|| self.items.constant(None, name))?;
        self.read.insert(idx);
        let constant = &self.items.constants[idx];
        let inner = Scope::new(constant.of.as_ref(), &constant.module, scope.depth + 1);
        match self.expr(constant.value, &inner).as_slice() {
            [Case { guards, flow: Flow::Value(value), .. }] if guards.is_empty() => Some(value.clone()),
            _ => None,
        }
    }

    pub(super) fn block(&mut self, block: &syn::Block, scope: &Scope) -> Vec<Case> {
        self.statements(&block.stmts, &mut scope.clone())
    }

    fn statements(&mut self, statements: &[Stmt], scope: &mut Scope) -> Vec<Case> {
        let Some((first, rest)) = statements.split_first() else { return Case::value(Value::Unit) };
        let cases = match first {
            Stmt::Item(_) => return self.statements(rest, scope),
            Stmt::Local(local) => {
                let Some(init) = &local.init else { return self.statements(rest, scope) };
                let cases = self.expr(&init.expr, scope);
                return self.then(cases, |eval, mut value| {
                    let mut scope = scope.clone();
                    // What cannot be followed may be a variable whose states are tried: `let current = self.load();`.
                    if let (Value::Unknown { .. }, Some(name)) = (&value, name_of(&local.pat))
                        && let Some(known) = scope.get(&format!("let {name}"))
                    {
                        value = known.clone();
                    }
                    match (eval.fit(&local.pat, &value, &mut scope), &init.diverge) {
                        (Fit::Yes, _) | (_, None) => eval.statements(rest, &mut scope),
                        (Fit::No, Some((_, other))) => eval.expr(other, &scope),
                        (Fit::Maybe(guards, false), Some((_, other))) => {
                            let mut cases: Vec<Case> = eval.statements(rest, &mut scope);
                            cases.iter_mut().for_each(|it| it.guards.splice(0..0, guards.iter().cloned()).for_each(drop));
                            cases.extend(eval.expr(other, &scope));
                            cases
                        }
                        (Fit::Maybe(..), Some(_)) => Case::value(Value::lost(eval.text(&init.expr))),
                    }
                });
            }
            Stmt::Expr(expr, semicolon) => {
                let cases = self.expr(expr, scope);
                if rest.is_empty() && semicolon.is_none() {
                    return cases;
                }
                cases
            }
            Stmt::Macro(it) => {
                let cases = self.macro_(&it.mac, &it.mac, scope);
                if rest.is_empty() && it.semi_token.is_none() {
                    return cases;
                }
                cases
            }
        };
        // A statement for its effect: a state that it cannot follow makes what comes after unknown only if it may return.
        let unused = |case: Case| match case.flow {
            Flow::Value(value) if !value.is_of_state() => Case { flow: Flow::Value(Value::Unit), ..case },
            _ => case,
        };
        let mut all = Vec::new();
        for case in merged(cases.into_iter().map(unused).collect()) {
            let lost = matches!(&case.flow, Flow::Value(Value::Unknown { of_state: true, .. })) && returns(first);
            if lost || !matches!(case.flow, Flow::Value(_)) {
                all.push(if lost { Case { flow: Flow::Return(Value::lost("")), ..case } } else { case });
                continue;
            }
            let mut inner = scope.clone();
            if let (Some(assigned), Some(target)) = (&case.assigned, &self.target) {
                inner.set(target.clone(), assigned.clone());
            }
            for behind in self.statements(rest, &mut inner) {
                let guards = case.guards.iter().cloned().chain(behind.guards).collect();
                all.push(Case { guards, flow: behind.flow, assigned: behind.assigned.or_else(|| case.assigned.clone()) });
            }
        }
        let all = merged(all);
        if all.len() > MAX_CASES { Case::flow(Flow::Return(Value::lost("too many cases"))) } else { all }
    }

    fn match_(&mut self, it: &syn::ExprMatch, scope: &Scope) -> Vec<Case> {
        let value = self.expr(&it.expr, scope);
        self.then(value, |eval, value| {
            let arms = it.arms.iter().map(|arm| match &arm.pat {
                Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard), &*arm.body),
                other => (other, None, &*arm.body),
            });
            eval.arms(arms, &value, scope)
        })
    }

    /// The arms of a `match`, in their order.
    fn arms<'x>(&mut self, arms: impl Iterator<Item = (&'x Pat, Option<&'x Expr>, &'x Expr)>, value: &Value, scope: &Scope) -> Vec<Case> {
        let mut all = Vec::new();
        let mut arms = arms.peekable();
        let mut tried = scope.clone();
        'arms: while let Some((pattern, guard, body)) = arms.next() {
            tried.forget_behind(scope);
            let guards = match self.fit(pattern, value, &mut tried) {
                Fit::No => continue,
                Fit::Yes => Vec::new(),
                // The arms cover every value: where no other one matches, the last one does.
                Fit::Maybe(..) if arms.peek().is_none() && guard.is_none() && !all.is_empty() => Vec::new(),
                Fit::Maybe(_, true) => {
                    all.extend(Case::value(Value::lost(self.text(pattern))));
                    return all;
                }
                Fit::Maybe(guards, false) => guards,
            };
            if scope.depth == 0 {
                self.arm = Some(range(pattern));
            }
            let conditions = match guard {
                Some(guard) => self.condition(guard, &tried),
                None => vec![Holds { guards: Vec::new(), holds: Value::Bool(true), scope: tried.clone() }],
            };
            for condition in conditions {
                let mut before: Vec<String> = guards.iter().cloned().chain(condition.guards).collect();
                let falls_through = match condition.holds {
                    Value::Bool(true) => false,
                    Value::Bool(false) if before.is_empty() => continue 'arms,
                    Value::Unknown { text, of_state: false } => {
                        before.push(text);
                        true
                    }
                    // A guard that does not hold sometimes, and leads to the next arm then.
                    _ => {
                        all.extend(Case::value(Value::lost(self.text(pattern))));
                        return all;
                    }
                };
                let body = self.expr(body, &condition.scope);
                let certain = before.is_empty();
                for mut case in body {
                    case.guards.splice(0..0, before.iter().cloned()).for_each(drop);
                    all.push(case);
                }
                if certain {
                    return all;
                }
                if falls_through {
                    continue 'arms;
                }
            }
        }
        all.extend(Case::flow(Flow::Never));
        all
    }

    fn if_(&mut self, it: &syn::ExprIf, scope: &Scope) -> Vec<Case> {
        let mut all = Vec::new();
        for condition in self.condition(&it.cond, scope) {
            let then = |eval: &mut Self| eval.block(&it.then_branch, &condition.scope);
            let other = |eval: &mut Self| match &it.else_branch {
                Some((_, other)) => eval.expr(other, scope),
                None => Case::value(Value::Unit),
            };
            let mut cases = match &condition.holds {
                Value::Bool(true) => then(self),
                Value::Bool(false) => other(self),
                Value::Unknown { text, of_state: false } => {
                    let mut cases = then(self);
                    cases.iter_mut().for_each(|case| case.guards.insert(0, text.clone()));
                    cases.extend(other(self));
                    cases
                }
                _ => Case::value(Value::lost(self.text(&it.cond))),
            };
            cases.iter_mut().for_each(|case| case.guards.splice(0..0, condition.guards.iter().cloned()).for_each(drop));
            all.extend(cases);
        }
        all
    }

    /// A condition, which may bind names: `if let`.
    fn condition(&mut self, expr: &Expr, scope: &Scope) -> Vec<Holds> {
        match expr {
            Expr::Paren(it) => self.condition(&it.expr, scope),
            Expr::Let(it) => {
                let cases = self.expr(&it.expr, scope);
                let mut all = Vec::new();
                for case in cases {
                    let mut inner = scope.clone();
                    let holds = match &case.flow {
                        Flow::Value(value) => match self.fit(&it.pat, value, &mut inner) {
                            Fit::Yes => Value::Bool(true),
                            Fit::No => Value::Bool(false),
                            Fit::Maybe(guards, of_state) => Value::Unknown { text: guards.join(" && "), of_state },
                        },
                        _ => Value::lost(self.text(expr)),
                    };
                    all.push(Holds { guards: case.guards, holds, scope: inner });
                }
                all
            }
            Expr::Binary(it) if matches!(it.op, BinOp::And(_)) => {
                let mut all = Vec::new();
                for left in self.condition(&it.left, scope) {
                    if left.holds == Value::Bool(false) {
                        all.push(left);
                        continue;
                    }
                    for right in self.condition(&it.right, &left.scope) {
                        let guards = left.guards.iter().cloned().chain(right.guards).collect();
                        all.push(Holds { guards, holds: and(&left.holds, &right.holds), scope: right.scope });
                    }
                }
                all
            }
            _ => {
                let cases = self.expr(expr, scope);
                let holds = |case: Case| {
                    let holds = match case.flow {
                        Flow::Value(value) => value,
                        _ => Value::lost(""),
                    };
                    Holds { guards: case.guards, holds, scope: scope.clone() }
                };
                cases.into_iter().map(holds).collect()
            }
        }
    }

    fn binary(&mut self, it: &syn::ExprBinary, expr: &Expr, scope: &Scope) -> Vec<Case> {
        let left = self.expr(&it.left, scope);
        self.then(left, |eval, left| {
            match (&it.op, &left) {
                (BinOp::And(_), Value::Bool(false)) | (BinOp::Or(_), Value::Bool(true)) => return Case::value(left),
                _ => {}
            }
            let right = eval.expr(&it.right, scope);
            eval.then(right, |eval, right| {
                let value = match &it.op {
                    BinOp::And(_) => Some(and(&left, &right)),
                    BinOp::Or(_) => Some(or(&left, &right)),
                    BinOp::Eq(_) => left.equals(&right).map(Value::Bool),
                    BinOp::Ne(_) => left.equals(&right).map(|it| Value::Bool(!it)),
                    op => arithmetic(op, &left, &right),
                };
                let of_state = [&left, &right].iter().any(|it| it.is_of_state() || matches!(it, Value::Variant(..)));
                let unknown = || Value::Unknown { text: eval.text(expr), of_state: of_state || scope.mentions_state(&eval.text(expr)) };
                Case::value(value.unwrap_or_else(unknown))
            })
        })
    }

    fn call_expr(&mut self, it: &syn::ExprCall, expr: &Expr, scope: &Scope) -> Vec<Case> {
        let Expr::Path(path) = &*it.func else { return Case::value(self.unknown(expr, scope)) };
        let names: Vec<String> = path.path.segments.iter().map(|it| it.ident.to_string()).collect();
        let last = names.last().map(String::as_str).unwrap_or_default();
        let arguments = self.all(&it.args, scope, Value::List);
        self.then(arguments, |eval, value| {
            let Value::List(arguments) = value else { return Case::value(value) };
            let first = || Box::new(arguments.first().cloned().unwrap_or(Value::Unit));
            match last {
                "Some" => return Case::value(Value::Some(first())),
                "Ok" => return Case::value(Value::Ok(first())),
                "Err" => return Case::value(Value::Err),
                _ => {}
            }
            if let Some(variant @ Value::Variant(..)) = eval.path(&path.path, scope) {
                return Case::value(variant);
            }
            let of = names.len().checked_sub(2).map(|it| names[it].as_str());
            let of = if of == Some("Self") { scope.of.as_deref() } else { of };
            let of = of.filter(|it| it.starts_with(char::is_uppercase));
            match eval.items.function(of, last) {
                Some(function) => eval.call(function, arguments, None, scope),
                None if matches!(last, "new" | "from" | "Borrowed" | "Owned" | "identity") && arguments.len() == 1 => Case::value(*first()),
                None => {
                    let of_state = arguments.iter().any(|it| matches!(it, Value::Variant(..)) || it.is_of_state());
                    let text = eval.text(expr);
                    let of_state = of_state || scope.mentions_state(&text);
                    Case::value(Value::Unknown { text, of_state })
                }
            }
        })
    }

    /// Calls a function of the file.
    pub(super) fn call(&mut self, function: usize, arguments: Vec<Value>, receiver: Option<Value>, scope: &Scope) -> Vec<Case> {
        let function = &self.items.functions[function];
        if scope.depth > MAX_CALLS || self.fuel.get() == 0 {
            return Case::value(Value::lost(&function.name));
        }
        let mut inner = Scope::new(function.of.as_ref(), &function.module, scope.depth + 1);
        // `Self::allows(from, to)` hands over the receiver as the first argument.
        let n_typed = function.signature.inputs.iter().filter(|it| matches!(it, syn::FnArg::Typed(_))).count();
        let is_explicit = arguments.len() > n_typed;
        let mut arguments = arguments.into_iter();
        let mut receiver = receiver;
        for input in &function.signature.inputs {
            match input {
                syn::FnArg::Receiver(_) => match receiver.take().or_else(|| if is_explicit { arguments.next() } else { None }) {
                    Some(value) => inner.set("self", value),
                    None => scope.of_self().for_each(|(key, value)| inner.set(key.clone(), value.clone())),
                },
                syn::FnArg::Typed(it) => {
                    let value = arguments.next().unwrap_or_else(|| Value::lost(""));
                    let _ = self.fit(&it.pat, &value, &mut inner);
                }
            }
        }
        let cases = self.block(function.block, &inner);
        cases
            .into_iter()
            .map(|case| Case {
                flow: match case.flow {
                    Flow::Return(value) => Flow::Value(value),
                    Flow::Continue | Flow::Break => Flow::Value(Value::lost("")),
                    other => other,
                },
                ..case
            })
            .collect()
    }

    fn method(&mut self, it: &syn::ExprMethodCall, expr: &Expr, scope: &Scope) -> Vec<Case> {
        let name = it.method.to_string();
        if let Some(known) = scope.get(&self.text(expr)) {
            return Case::value(known.clone());
        }
        let is_self = matches!(&*it.receiver, Expr::Path(path) if path.path.is_ident("self"));
        let receiver = self.expr(&it.receiver, scope);
        self.then(receiver, |eval, receiver| {
            let own = match &receiver {
                Value::Variant(of, _) => {
                    eval.items.function(Some(&eval.items.enums[*of].name), &name).map(|it| (it, Some(receiver.clone())))
                }
                Value::Unknown { .. } if is_self => eval.items.function(scope.of.as_deref(), &name).map(|it| (it, None)),
                _ => None,
            };
            if let Some((function, bound)) = own {
                let arguments = eval.all(&it.args, scope, Value::List);
                return eval.then(arguments, |eval, arguments| match arguments {
                    Value::List(arguments) => eval.call(function, arguments, bound.clone(), scope),
                    other => Case::value(other),
                });
            }
            eval.known_method(it, &name, receiver, expr, scope)
        })
    }

    /// Methods of the standard library.
    fn known_method(&mut self, it: &syn::ExprMethodCall, name: &str, receiver: Value, expr: &Expr, scope: &Scope) -> Vec<Case> {
        const SAME: &[&str] = &[
            "clone",
            "copied",
            "cloned",
            "iter",
            "into_iter",
            "to_vec",
            "as_ref",
            "as_mut",
            "as_slice",
            "to_owned",
            "borrow",
            "into",
            "deref",
            "collect",
            "as_str",
            "to_string",
            "map_err",
        ];
        let unknown = |eval: &Self| {
            let text = eval.text(expr);
            let of_state = scope.mentions_state(&text) || matches!(receiver, Value::Variant(..)) || receiver.is_of_state();
            Case::value(Value::Unknown { text, of_state })
        };
        match (name, &receiver) {
            ("map_err" | "ok_or" | "ok_or_else" | "ok", Value::Some(inner) | Value::Ok(inner)) if name != "map_err" => {
                return Case::value(if name == "ok" { Value::Some(inner.clone()) } else { Value::Ok(inner.clone()) });
            }
            ("ok_or" | "ok_or_else", Value::None) => return Case::value(Value::Err),
            ("ok", Value::Err) => return Case::value(Value::None),
            ("unwrap" | "expect", Value::Some(inner) | Value::Ok(inner)) => return Case::value((**inner).clone()),
            ("unwrap" | "expect", Value::None | Value::Err) => return Case::flow(Flow::Never),
            ("is_some" | "is_ok", Value::Some(_) | Value::Ok(_)) | ("is_none" | "is_err", Value::None | Value::Err) => {
                return Case::value(Value::Bool(true));
            }
            ("is_some" | "is_ok", Value::None | Value::Err) | ("is_none" | "is_err", Value::Some(_) | Value::Ok(_)) => {
                return Case::value(Value::Bool(false));
            }
            ("is_empty", Value::List(all)) => return Case::value(Value::Bool(all.is_empty())),
            ("eq" | "ne", _) if it.args.len() == 1 => {
                let other = self.expr(&it.args[0], scope);
                let is_eq = name == "eq";
                return self.then(other, |eval, other| match receiver.equals(&other) {
                    Some(equal) => Case::value(Value::Bool(equal == is_eq)),
                    None => unknown(eval),
                });
            }
            ("then_some" | "then", Value::Bool(holds)) if it.args.len() == 1 => {
                if !holds {
                    return Case::value(Value::None);
                }
                let inner = match &it.args[0] {
                    Expr::Closure(closure) => self.expr(&closure.body, scope),
                    other => self.expr(other, scope),
                };
                return self.then(inner, |_, value| Case::value(Value::Some(Box::new(value))));
            }
            ("contains", Value::List(all)) if it.args.len() == 1 => {
                let wanted = self.expr(&it.args[0], scope);
                return self.then(wanted, |eval, wanted| {
                    let mut open = false;
                    for value in all {
                        match value.equals(&wanted) {
                            Some(true) => return Case::value(Value::Bool(true)),
                            Some(false) => {}
                            None => open = true,
                        }
                    }
                    if open { unknown(eval) } else { Case::value(Value::Bool(false)) }
                });
            }
            ("any" | "all", Value::List(all)) => {
                if let [Expr::Closure(closure)] = it.args.iter().collect::<Vec<_>>().as_slice()
                    && let Some(pattern) = closure.inputs.first()
                {
                    let stops = name == "any";
                    let mut whole = Value::Bool(!stops);
                    for value in all {
                        let mut inner = scope.clone();
                        let fit = self.fit(pattern, value, &mut inner);
                        let one = match (fit, self.expr(&closure.body, &inner).as_slice()) {
                            (Fit::Yes, [Case { guards, flow: Flow::Value(value), .. }]) if guards.is_empty() => value.clone(),
                            _ => Value::lost(self.text(expr)),
                        };
                        whole = if stops { or(&whole, &one) } else { and(&whole, &one) };
                    }
                    return Case::value(whole);
                }
            }
            _ if SAME.contains(&name) && !matches!(receiver, Value::Unknown { .. }) => return Case::value(receiver),
            _ => {}
        }
        unknown(self)
    }

    fn macro_(&mut self, mac: &syn::Macro, whole: &impl ToTokens, scope: &Scope) -> Vec<Case> {
        let name = mac.path.segments.last().map(|it| it.ident.to_string()).unwrap_or_default();
        match name.as_str() {
            "matches" => {
                let place = range(&mac.tokens).start;
                let parse = || syn::parse2::<Matches>(mac.tokens.clone()).ok().map(Rc::new);
                let Some(arguments) = self.parsed.entry(place).or_insert_with(parse).clone() else {
                    return Case::value(Value::lost(self.text(whole)));
                };
                let value = self.expr(&arguments.value, scope);
                self.then(value, |eval, value| {
                    let mut inner = scope.clone();
                    let guards = match eval.fit(&arguments.pattern, &value, &mut inner) {
                        Fit::No => return Case::value(Value::Bool(false)),
                        Fit::Yes => Vec::new(),
                        Fit::Maybe(guards, false) => guards,
                        Fit::Maybe(..) => return Case::value(Value::lost(eval.text(whole))),
                    };
                    let mut holds = match &arguments.guard {
                        Some(guard) => match eval.condition(guard, &inner).as_slice() {
                            [one] if one.guards.is_empty() => one.holds.clone(),
                            _ => Value::lost(eval.text(whole)),
                        },
                        None => Value::Bool(true),
                    };
                    for guard in guards {
                        holds = and(&Value::Unknown { text: guard, of_state: false }, &holds);
                    }
                    Case::value(holds)
                })
            }
            "vec" => {
                let parse = || syn::parse2::<Elements>(mac.tokens.clone()).ok().map(|it| Rc::new(it.0));
                match self.lists.entry(range(&mac.tokens).start).or_insert_with(parse).clone() {
                    Some(all) => self.all(all.iter(), scope, Value::List),
                    None => Case::value(Value::lost(self.text(whole))),
                }
            }
            "panic" | "unreachable" | "todo" | "unimplemented" => Case::flow(Flow::Never),
            "bail" => Case::flow(Flow::Return(Value::Err)),
            "assert" | "ensure" | "debug_assert" => {
                let parse = || syn::parse2::<First>(mac.tokens.clone()).ok().map(|it| Rc::new(vec![it.0]));
                let Some(arguments) = self.lists.entry(range(&mac.tokens).start).or_insert_with(parse).clone() else {
                    return Case::value(Value::Unit);
                };
                let refused = || if name == "ensure" { Flow::Return(Value::Err) } else { Flow::Never };
                let Some(condition) = arguments.first() else { return Case::value(Value::Unit) };
                let cases = self.expr(condition, scope);
                self.then(cases, |_, value| match value {
                    Value::Bool(true) => Case::value(Value::Unit),
                    Value::Bool(false) => Case::flow(refused()),
                    Value::Unknown { text, of_state: false } => {
                        let holds = Case { guards: vec![text], flow: Flow::Value(Value::Unit), assigned: None };
                        vec![holds, Case { guards: Vec::new(), flow: refused(), assigned: None }]
                    }
                    _ => Case::flow(Flow::Return(Value::lost(""))),
                })
            }
            _ => Case::value(self.unknown(whole, scope)),
        }
    }

    fn for_(&mut self, it: &syn::ExprForLoop, scope: &Scope) -> Vec<Case> {
        let list = self.expr(&it.expr, scope);
        self.then(list, |eval, list| {
            let Value::List(all) = list else { return Case::value(Value::lost(eval.text(&it.expr))) };
            let mut open = Case::value(Value::Unit);
            for value in all {
                open = eval.then(open, |eval, _| {
                    let mut inner = scope.clone();
                    match eval.fit(&it.pat, &value, &mut inner) {
                        Fit::Yes => {}
                        _ => return Case::flow(Flow::Return(Value::lost(""))),
                    }
                    let mut cases = eval.block(&it.body, &inner);
                    for case in &mut cases {
                        case.flow = match std::mem::replace(&mut case.flow, Flow::Never) {
                            Flow::Continue => Flow::Value(Value::Unit),
                            Flow::Break => Flow::Return(Value::lost("")),
                            Flow::Value(lost) if lost.is_of_state() => Flow::Return(lost),
                            other => other,
                        };
                    }
                    cases
                });
            }
            open
        })
    }
}

/// Without the cases whose conditions make no difference: `[(a, X), (always, X)]` is `[(always, X)]`.
fn merged(cases: Vec<Case>) -> Vec<Case> {
    let mut kept: Vec<Case> = Vec::new();
    for case in cases.into_iter().rev() {
        let covers =
            |it: &Case| it.flow == case.flow && it.assigned == case.assigned && it.guards.iter().all(|guard| case.guards.contains(guard));
        if !kept.last().is_some_and(covers) {
            kept.push(case);
        }
    }
    kept.reverse();
    kept
}

/// The name of `let x` and `let x: T`.
fn name_of(pattern: &Pat) -> Option<String> {
    match pattern {
        Pat::Ident(it) => Some(it.ident.to_string()),
        Pat::Type(it) => name_of(&it.pat),
        _ => None,
    }
}

/// Whether a statement can leave the function or assign a state.
fn returns(statement: &Stmt) -> bool {
    let text = statement.to_token_stream().to_string();
    text.contains("return") || text.contains('?') || text.contains(" = ") || text.contains("bail") || text.contains("ensure")
}

pub(super) fn literal(literal: &syn::Lit) -> Value {
    match literal {
        syn::Lit::Bool(it) => Value::Bool(it.value),
        syn::Lit::Str(it) => Value::Text(it.value()),
        syn::Lit::Int(it) => it.base10_parse().map_or(Value::Unknown { text: it.to_string(), of_state: false }, Value::Int),
        other => Value::Unknown { text: other.to_token_stream().to_string(), of_state: false },
    }
}

/// `!(a && b)`, in the notation of guards.
pub(super) fn negated(text: &str) -> String {
    let is_word = |it: &str| it.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '.'));
    if let Some(inner) = text.strip_prefix('!').filter(|it| is_word(it)) {
        return inner.to_owned();
    }
    match text.strip_prefix("!(").and_then(|it| it.strip_suffix(')')) {
        Some(inner) if !inner.contains(['(', ')']) => inner.to_owned(),
        _ if is_word(text) => format!("!{text}"),
        _ => format!("!({text})"),
    }
}

fn and(left: &Value, right: &Value) -> Value {
    match (left, right) {
        (Value::Bool(false), _) | (_, Value::Bool(false)) => Value::Bool(false),
        (Value::Bool(true), it) | (it, Value::Bool(true)) => it.clone(),
        (Value::Unknown { text: a, of_state }, Value::Unknown { text: b, of_state: other }) => {
            Value::Unknown { text: format!("{a} && {b}"), of_state: *of_state || *other }
        }
        _ => Value::lost(""),
    }
}

fn or(left: &Value, right: &Value) -> Value {
    match (left, right) {
        (Value::Bool(true), _) | (_, Value::Bool(true)) => Value::Bool(true),
        (Value::Bool(false), it) | (it, Value::Bool(false)) => it.clone(),
        (Value::Unknown { text: a, of_state }, Value::Unknown { text: b, of_state: other }) => {
            Value::Unknown { text: format!("({a}) || ({b})"), of_state: *of_state || *other }
        }
        _ => Value::lost(""),
    }
}

fn arithmetic(op: &BinOp, left: &Value, right: &Value) -> Option<Value> {
    let (Value::Int(left), Value::Int(right)) = (left, right) else { return None };
    Some(match op {
        BinOp::Lt(_) => Value::Bool(left < right),
        BinOp::Le(_) => Value::Bool(left <= right),
        BinOp::Gt(_) => Value::Bool(left > right),
        BinOp::Ge(_) => Value::Bool(left >= right),
        BinOp::Add(_) => Value::Int(left.checked_add(*right)?),
        BinOp::Sub(_) => Value::Int(left.checked_sub(*right)?),
        BinOp::Mul(_) => Value::Int(left.checked_mul(*right)?),
        _ => return None,
    })
}

/// The value and the pattern of `matches!`.
pub(super) fn matches_arguments(mac: &syn::Macro) -> syn::Result<(Expr, Pat)> {
    syn::parse2::<Matches>(mac.tokens.clone()).map(|it| (it.value, it.pattern))
}
