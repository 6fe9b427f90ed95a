//! Lowers functions to their description: every name is resolved to the variable, variant or function that it means.

use proc_macro2::TokenStream;
use syn::punctuated::Punctuated;
use syn::{Expr as Syn, Pat};

use super::ir::{Arm, At, Body, Expr, Kind, Local, Operator, Pattern, Place, Symbol, Symbols, Variable, Wrap};
use super::items::{Function, Items, paths, type_name};
use super::range::{range, range_of_expr};

/// Lowers the functions of a file one by one.
pub(super) struct Lower<'i, 'a> {
    pub(super) items: &'i Items<'a>,
    pub(super) symbols: Symbols,
    /// The variables of all functions.
    pub(super) variables: Vec<Variable>,
    /// The names in sight, from the outside.
    scope: Vec<(String, Local)>,
    /// The first variable of the alternatives that are read.
    alternative: Option<Local>,
    of: Option<String>,
    module: Vec<String>,
}

impl<'i, 'a> Lower<'i, 'a> {
    pub(super) fn new(items: &'i Items<'a>) -> Self {
        Lower {
            items,
            symbols: Symbols::default(),
            variables: Vec::new(),
            scope: Vec::new(),
            alternative: None,
            of: None,
            module: Vec::new(),
        }
    }

    pub(super) fn function(&mut self, function: &Function<'_>) -> Body {
        self.scope.clear();
        (self.of, self.module) = (function.of.clone(), function.module.clone());
        let first = self.variables.len();
        let mut parameters = Vec::new();
        for input in &function.signature.inputs {
            let (pattern, ty, is_mutable) = match input {
                syn::FnArg::Receiver(it) => {
                    let is_mutable = !matches!(it.kind, syn::ReceiverKind::Reference(_, _, None));
                    let local = self.declare("self", function.of.clone(), is_mutable, true);
                    parameters.push((local, Pattern::Bind(local, None)));
                    continue;
                }
                syn::FnArg::Typed(it) => {
                    (&*it.pat, type_name(&it.ty), !matches!(&*it.ty, syn::Type::Reference(it) if it.mutability.is_none()))
                }
            };
            let ty = ty.map(|it| if it == "Self" { function.of.clone().unwrap_or(it) } else { it });
            match pattern {
                Pat::Ident(it) if it.subpat.is_none() => {
                    let local = self.declare(&plain(&it.ident), ty, is_mutable, true);
                    parameters.push((local, Pattern::Bind(local, None)));
                }
                other => {
                    let local = self.declare("", ty, is_mutable, true);
                    let pattern = self.pattern(other);
                    parameters.push((local, pattern));
                }
            }
        }
        let block = self.block(function.block);
        Body { parameters, block, locals: (first, self.variables.len()) }
    }

    /// The value of a constant.
    pub(super) fn constant(&mut self, of: Option<&String>, module: &[String], value: &Syn) -> Expr {
        self.scope.clear();
        (self.of, self.module) = (of.cloned(), module.to_vec());
        self.expr(value)
    }

    fn declare(&mut self, name: &str, ty: Option<String>, is_mutable: bool, is_parameter: bool) -> Local {
        self.variables.push(Variable { name: name.to_owned(), ty, is_mutable, is_parameter });
        self.scope.push((name.to_owned(), self.variables.len() - 1));
        self.variables.len() - 1
    }

    fn inside<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.scope.len();
        let done = inner(self);
        self.scope.truncate(before);
        done
    }

    fn block(&mut self, block: &syn::Block) -> Expr {
        let braces = block.brace_token.span;
        let at = (braces.open().byte_range().start, braces.close().byte_range().end);
        self.inside(|lower| {
            let mut all = Vec::new();
            let mut has_value = false;
            for statement in &block.stmts {
                has_value = false;
                match statement {
                    syn::Stmt::Local(it) => {
                        let value = it.init.as_ref().map(|init| lower.expr(&init.expr));
                        let other = it.init.as_ref().and_then(|it| it.diverge.as_ref()).map(|it| lower.expr(&it.1));
                        let pattern = lower.pattern(&it.pat);
                        let at = value.as_ref().map_or(at, |it| it.at);
                        all.push(Expr { kind: Kind::Let(pattern, value.map(Box::new), other.map(Box::new)), at });
                    }
                    syn::Stmt::Item(_) => {}
                    syn::Stmt::Expr(it, end) => {
                        all.push(lower.expr(it));
                        has_value = end.is_none();
                    }
                    syn::Stmt::Macro(it) => {
                        all.push(lower.macro_(&it.mac));
                        has_value = it.semi_token.is_none();
                    }
                }
            }
            Expr { kind: Kind::Block(all, has_value), at }
        })
    }

    fn boxed(&mut self, expr: &Syn) -> Box<Expr> {
        Box::new(self.expr(expr))
    }

    fn all<'e>(&mut self, all: impl IntoIterator<Item = &'e Syn>) -> Vec<Expr> {
        all.into_iter().map(|it| self.expr(it)).collect()
    }

    pub(super) fn expr(&mut self, expr: &Syn) -> Expr {
        let whole = range_of_expr(expr);
        let at = (whole.start, whole.end);
        let kind = match expr {
            Syn::Paren(it) => return self.expr(&it.expr),
            Syn::Group(it) => return self.expr(&it.expr),
            Syn::Await(it) => return self.expr(&it.base),
            Syn::Unsafe(it) => return self.block(&it.block),
            Syn::Const(it) => return self.block(&it.block),
            Syn::Macro(it) => return self.macro_(&it.mac),
            Syn::Lit(it) => literal(&it.lit),
            Syn::Path(it) => self.path(&it.path),
            Syn::Field(it) => {
                let base = self.expr(&it.base);
                let symbol = self.symbols.number(&member(&it.member));
                match base.kind {
                    Kind::Place(place) => Kind::Place(place.field(symbol)),
                    Kind::Deref(inner) if matches!(inner.kind, Kind::Place(_)) => match inner.kind {
                        Kind::Place(place) => Kind::Place(place.field(symbol)),
                        _ => Kind::Other(Vec::new()),
                    },
                    kind => Kind::Field(Box::new(Expr { kind, at: base.at }), symbol),
                }
            }
            Syn::Reference(it) => Kind::Borrow(it.mutability.is_some(), self.boxed(&it.expr)),
            Syn::Unary(it) => {
                let inner = self.boxed(&it.expr);
                match (&it.op, &inner.kind) {
                    (syn::UnOp::Deref(_), _) => Kind::Deref(inner),
                    (syn::UnOp::Not(_), _) => Kind::Not(inner),
                    (syn::UnOp::Neg(_), Kind::Int(number)) => Kind::Int(-number),
                    _ => Kind::Other(vec![*inner]),
                }
            }
            Syn::Tuple(it) => Kind::Tuple(self.all(&it.elems)),
            Syn::Array(it) => Kind::List(self.all(&it.elems)),
            Syn::If(it) => self.inside(|lower| {
                let condition = lower.boxed(&it.cond);
                let then = Box::new(lower.block(&it.then_branch));
                Kind::If(condition, then, it.else_branch.as_ref().map(|it| lower.boxed(&it.1)))
            }),
            Syn::Let(it) => {
                let value = self.boxed(&it.expr);
                Kind::Is(value, self.pattern(&it.pat), None)
            }
            Syn::Match(it) => {
                let value = self.boxed(&it.expr);
                let arms = it.arms.iter().map(|arm| {
                    self.inside(|lower| {
                        let (pattern, guard) = match &arm.pat {
                            Pat::Guard(it) => (&*it.pat, Some(&*it.guard)),
                            other => (other, None),
                        };
                        let pattern = lower.pattern(pattern);
                        let guard = guard.map(|it| lower.expr(it));
                        Arm { pattern, guard, body: lower.expr(&arm.body) }
                    })
                });
                Kind::Match(value, arms.collect())
            }
            Syn::Binary(it) => self.binary(it),
            Syn::Assign(it) => {
                let value = self.boxed(&it.right);
                let place = self.boxed(&it.left);
                let is_behind = matches!(place.kind, Kind::Deref(_));
                Kind::Assign(place, value, is_behind)
            }
            Syn::Call(it) => self.call(it),
            Syn::MethodCall(it) => {
                let receiver = self.boxed(&it.receiver);
                Kind::Method(plain(&it.method), receiver, self.all(&it.args))
            }
            Syn::Struct(it) => {
                let rest = it.rest.as_ref().map(|it| self.boxed(it));
                let fields: Vec<(Symbol, Expr)> =
                    it.fields.iter().map(|it| (self.symbols.number(&member(&it.member)), self.expr(&it.expr))).collect();
                match self.path(&it.path) {
                    Kind::Variant(of, idx, _) => Kind::Variant(of, idx, fields.into_iter().map(|it| it.1).collect()),
                    _ => {
                        let name = it.path.segments.last().map(|it| it.ident.to_string()).unwrap_or_default();
                        let name = if name == "Self" { self.of.clone().unwrap_or(name) } else { name };
                        Kind::Struct(name, fields, rest)
                    }
                }
            }
            Syn::Try(it) => Kind::Try(self.boxed(&it.expr)),
            Syn::Return(it) => Kind::Return(it.expr.as_ref().map(|it| self.boxed(it))),
            Syn::Break(it) if it.label.is_some() => Kind::Unfollowed,
            Syn::Continue(it) if it.label.is_some() => Kind::Unfollowed,
            Syn::Break(it) => Kind::Break(it.expr.as_ref().map(|it| self.boxed(it))),
            Syn::Continue(_) => Kind::Continue,
            Syn::Loop(it) => Kind::Loop(None, None, Box::new(self.block(&it.body))),
            Syn::While(it) => self.inside(|lower| {
                let head = lower.boxed(&it.cond);
                Kind::Loop(Some(head), None, Box::new(lower.block(&it.body)))
            }),
            Syn::ForLoop(it) => {
                let head = self.boxed(&it.expr);
                self.inside(|lower| {
                    let pattern = lower.pattern(&it.pat);
                    Kind::Loop(Some(head), Some(pattern), Box::new(lower.block(&it.body)))
                })
            }
            Syn::Closure(it) => self.inside(|lower| {
                it.inputs.iter().for_each(|it| {
                    lower.pattern(it);
                });
                Kind::Closure(lower.boxed(&it.body))
            }),
            Syn::Cast(it) => Kind::Other(vec![self.expr(&it.expr)]),
            Syn::Index(it) => Kind::Other(vec![self.expr(&it.expr), self.expr(&it.index)]),
            Syn::Range(it) => Kind::Other(it.start.iter().chain(&it.end).map(|it| self.expr(it)).collect()),
            Syn::Repeat(it) => Kind::Other(vec![self.expr(&it.expr)]),
            Syn::Async(it) => Kind::Closure(Box::new(self.block(&it.block))),
            Syn::Block(it) => return self.block(&it.block),
            _ => Kind::Other(Vec::new()),
        };
        Expr { kind, at }
    }

    fn binary(&mut self, it: &syn::ExprBinary) -> Kind {
        use syn::BinOp;
        let (left, right) = (self.boxed(&it.left), self.boxed(&it.right));
        let operator = match it.op {
            BinOp::And(_) => return Kind::And(left, right),
            BinOp::Or(_) => return Kind::Or(left, right),
            BinOp::Eq(_) => Operator::Equal,
            BinOp::Ne(_) => Operator::Unequal,
            BinOp::Lt(_) => Operator::Less,
            BinOp::Le(_) => Operator::AtMost,
            BinOp::Gt(_) => Operator::Greater,
            BinOp::Ge(_) => Operator::AtLeast,
            BinOp::Add(_) => Operator::Plus,
            BinOp::Sub(_) => Operator::Minus,
            BinOp::AddAssign(_) | BinOp::SubAssign(_) | BinOp::MulAssign(_) | BinOp::DivAssign(_) | BinOp::RemAssign(_) => {
                return Kind::Change(left, right);
            }
            BinOp::BitXorAssign(_) | BinOp::BitAndAssign(_) | BinOp::BitOrAssign(_) | BinOp::ShlAssign(_) | BinOp::ShrAssign(_) => {
                return Kind::Change(left, right);
            }
            _ => return Kind::Other(vec![*left, *right]),
        };
        Kind::Binary(operator, left, right)
    }

    fn path(&self, path: &syn::Path) -> Kind {
        let names: Vec<String> = path.segments.iter().map(|it| plain(&it.ident)).collect();
        let Some(last) = path.segments.last() else { return Kind::Other(Vec::new()) };
        if let [name] = names.as_slice() {
            if let Some((_, local)) = self.scope.iter().rev().find(|it| it.0 == *name) {
                return Kind::Place(Place::local(*local));
            }
            if let Some((of, idx)) = self.items.bare_variant(&last.ident, self.of.as_deref(), &self.module) {
                return Kind::Variant(of, idx, Vec::new());
            }
            if name == "None" {
                return Kind::None;
            }
            return self.items.constant(None, name).map_or(Kind::Other(Vec::new()), Kind::Constant);
        }
        let [.., of, name] = names.as_slice() else { return Kind::Other(Vec::new()) };
        let of = if of == "Self" { self.of.as_deref().unwrap_or_default() } else { of };
        if let Some(found) = self.items.enum_named(of, &self.module).and_then(|it| self.items.variant(it, name)) {
            return Kind::Variant(found.0, found.1, Vec::new());
        }
        if name == "None" && of == "Option" {
            return Kind::None;
        }
        self.items.constant(Some(of), name).map_or(Kind::Other(Vec::new()), Kind::Constant)
    }

    fn call(&mut self, it: &syn::ExprCall) -> Kind {
        let mut all = self.all(&it.args);
        let Syn::Path(path) = &*it.func else {
            let called = self.expr(&it.func);
            all.insert(0, called);
            return Kind::Other(all);
        };
        match self.path(&path.path) {
            Kind::Variant(of, idx, _) => return Kind::Variant(of, idx, all),
            // A closure may do anything.
            Kind::Place(_) => return Kind::Other(all),
            _ => {}
        }
        let mut names: Vec<String> = path.path.segments.iter().map(|it| plain(&it.ident)).collect();
        if let ([name], true) = (names.as_slice(), path.path.leading_colon.is_none())
            && let Some(whole) = self.items.imported.get(name).filter(|it| it.starts_with("std::") || it.starts_with("core::"))
        {
            names = whole.split("::").map(str::to_owned).collect();
        }
        let texts: Vec<&str> = names.iter().map(String::as_str).collect();
        let wrap = match texts.as_slice() {
            ["Some"] | ["Option", "Some"] => Some(Wrap::Some),
            ["Ok"] | ["Result", "Ok"] => Some(Wrap::Ok),
            ["Err"] | ["Result", "Err"] => Some(Wrap::Err),
            _ => None,
        };
        if let (Some(wrap), 1) = (wrap, all.len()) {
            return Kind::Wrapped(wrap, Box::new(all.remove(0)));
        }
        match (texts.as_slice(), all.as_mut_slice()) {
            ([.., "mem", "replace"], [_, _]) => {
                let value = all.remove(1);
                return Kind::Replace(Box::new(all.remove(0)), Some(Box::new(value)));
            }
            ([.., "mem", "take"], [_]) => return Kind::Replace(Box::new(all.remove(0)), None),
            ([.., "mem", "swap"], [_, _]) => {
                let other = all.remove(1);
                return Kind::Swap(Box::new(all.remove(0)), Box::new(other));
            }
            ([.., "process", "exit"], _) => return Kind::Never,
            _ => {}
        }
        let called = match texts.as_slice() {
            [name] => self.items.function(None, name),
            [.., "Self", name] => self.items.function(self.of.as_deref(), name),
            [.., of, name] => self.items.function(Some(of), name).or_else(|| self.items.function(None, name).filter(|_| is_module(of))),
            [] => None,
        };
        Kind::Call(called, all)
    }

    /// Macros of the standard library that check, leave or compare; of others, the arguments.
    fn macro_(&mut self, mac: &syn::Macro) -> Expr {
        let start = mac.path.segments.first().map_or(0, |it| it.ident.span().byte_range().start);
        let at = (start, mac.delimiter.span().close().byte_range().end);
        let name = mac.path.segments.last().map(|it| it.ident.to_string()).unwrap_or_default();
        let list = |tokens: &TokenStream| {
            let parser = Punctuated::<Syn, syn::Token![,]>::parse_terminated;
            syn::parse::Parser::parse2(parser, tokens.clone()).map(|it| it.into_iter().collect::<Vec<_>>()).unwrap_or_default()
        };
        let make = |kind| Expr { kind, at };
        let kind = match name.as_str() {
            "matches" => match syn::parse2::<Matches>(mac.tokens.clone()) {
                Ok(it) => {
                    let value = self.boxed(&it.value);
                    self.inside(|lower| {
                        let pattern = lower.pattern(&it.pattern);
                        Kind::Is(value, pattern, it.guard.as_ref().map(|it| lower.boxed(it)))
                    })
                }
                Err(_) => self.unread(&mac.tokens),
            },
            "vec" => Kind::List(self.all(&list(&mac.tokens))),
            "panic" | "unreachable" | "todo" | "unimplemented" => Kind::Never,
            "assert" | "assert_eq" | "assert_ne" | "ensure" => {
                let all = list(&mac.tokens);
                let condition = match (name.as_str(), all.as_slice()) {
                    ("assert" | "ensure", [first, ..]) => self.expr(first),
                    (_, [a, b, ..]) => {
                        let operator = if name == "assert_eq" { Operator::Equal } else { Operator::Unequal };
                        let (a, b) = (self.expr(a), self.expr(b));
                        let at = (a.at.0, b.at.1);
                        Expr { kind: Kind::Binary(operator, Box::new(a), Box::new(b)), at }
                    }
                    _ => return make(Kind::Other(Vec::new())),
                };
                let at = condition.at;
                let leave = Expr { kind: if name == "ensure" { Kind::Leave } else { Kind::Never }, at };
                Kind::If(Box::new(Expr { kind: Kind::Not(Box::new(condition)), at }), Box::new(leave), None)
            }
            "ready" => match list(&mac.tokens).as_slice() {
                [one] => Kind::Ready(self.boxed(one)),
                _ => Kind::Other(Vec::new()),
            },
            name if name == "bail" || name.ends_with("_bail") => Kind::Leave,
            _ => {
                let all = list(&mac.tokens);
                if all.is_empty() { self.unread(&mac.tokens) } else { Kind::Other(self.all(&all)) }
            }
        };
        make(kind)
    }

    /// What the words of a macro name.
    fn unread(&self, tokens: &TokenStream) -> Kind {
        let (mut enums, mut calls) = (Vec::new(), Vec::new());
        paths(tokens.clone(), false, &mut |it| {
            let names: Vec<String> = it.names.iter().map(plain).collect();
            calls.extend(names.last().filter(|name| it.is_called && !self.items.is_elsewhere(name)).cloned());
            for pair in names.windows(2) {
                let of = if pair[0] == "Self" { self.of.as_deref().unwrap_or_default() } else { &pair[0] };
                let of = self.items.enum_named(of, &self.module);
                enums.extend(of.filter(|it| self.items.variant(*it, &pair[1]).is_some()));
            }
        });
        Kind::Unread(enums, calls)
    }

    fn patterns<'p>(&mut self, all: impl IntoIterator<Item = &'p Pat>) -> Vec<Pattern> {
        all.into_iter().map(|it| self.pattern(it)).collect()
    }

    fn pattern(&mut self, pattern: &Pat) -> Pattern {
        let whole = range(pattern);
        let at: At = (whole.start, whole.end);
        match pattern {
            Pat::Wild(_) | Pat::Rest(_) => Pattern::Any,
            Pat::Ident(it) => {
                let inner = it.subpat.as_ref().map(|it| Box::new(self.pattern(&it.1)));
                let is_plain = it.by_ref.is_none() && it.mutability.is_none() && inner.is_none();
                if let (true, Some((of, idx))) = (is_plain, self.items.bare_variant(&it.ident, self.of.as_deref(), &self.module)) {
                    return Pattern::Variant(of, idx, Vec::new(), at);
                }
                let name = plain(&it.ident);
                if is_plain && name == "None" {
                    return Pattern::None;
                }
                if is_plain && name.starts_with(char::is_uppercase) {
                    return Pattern::Other(Vec::new());
                }
                // One name of several alternatives is one variable.
                let known = self.scope.iter().rev().find(|known| known.0 == name).map(|it| it.1);
                let known = known.filter(|it| self.alternative.is_some_and(|first| *it >= first));
                Pattern::Bind(known.unwrap_or_else(|| self.declare(&name, None, true, false)), inner)
            }
            Pat::Type(it) => {
                let first = self.variables.len();
                let inner = self.pattern(&it.pat);
                if let (Pattern::Bind(local, _), Some(ty)) = (&inner, type_name(&it.ty))
                    && *local >= first
                {
                    self.variables[*local].ty = Some(if ty == "Self" { self.of.clone().unwrap_or(ty) } else { ty });
                }
                inner
            }
            Pat::Paren(it) => self.pattern(&it.pat),
            Pat::Reference(it) => self.pattern(&it.pat),
            Pat::Or(it) => {
                let before = self.alternative.replace(self.variables.len());
                let all = self.patterns(&it.cases);
                self.alternative = before;
                Pattern::Or(all)
            }
            Pat::Tuple(it) if it.elems.iter().all(|it| !matches!(it, Pat::Rest(_))) => Pattern::Tuple(self.patterns(&it.elems)),
            Pat::Tuple(it) => Pattern::Other(self.patterns(&it.elems)),
            Pat::Lit(it) => match literal(&it.lit) {
                Kind::Bool(it) => Pattern::Bool(it),
                Kind::Int(it) => Pattern::Int(it),
                Kind::Text(it) => Pattern::Text(it),
                _ => Pattern::Other(Vec::new()),
            },
            Pat::Path(it) => match self.path(&it.path) {
                Kind::Variant(of, idx, _) => Pattern::Variant(of, idx, Vec::new(), at),
                Kind::None => Pattern::None,
                _ => Pattern::Other(Vec::new()),
            },
            Pat::TupleStruct(it) => {
                let mut inner = self.patterns(&it.elems);
                if let Kind::Variant(of, idx, _) = self.path(&it.path) {
                    return Pattern::Variant(of, idx, inner, at);
                }
                let name = it.path.segments.last().map(|it| it.ident.to_string()).unwrap_or_default();
                let wrap = match name.as_str() {
                    "Some" => Wrap::Some,
                    "Ok" => Wrap::Ok,
                    "Err" => Wrap::Err,
                    _ => return Pattern::Other(inner),
                };
                match inner.len() {
                    1 => Pattern::Wrapped(wrap, Box::new(inner.remove(0))),
                    _ => Pattern::Other(inner),
                }
            }
            Pat::Struct(it) => {
                let fields: Vec<(Symbol, Pattern)> =
                    it.fields.iter().map(|it| (self.symbols.number(&member(&it.member)), self.pattern(&it.pat))).collect();
                match self.path(&it.path) {
                    Kind::Variant(of, idx, _) => Pattern::Variant(of, idx, fields.into_iter().map(|it| it.1).collect(), at),
                    _ => Pattern::Struct(fields),
                }
            }
            Pat::Slice(it) => Pattern::Other(self.patterns(&it.elems)),
            _ => Pattern::Other(Vec::new()),
        }
    }
}

/// The arguments of `matches!`.
struct Matches {
    value: Syn,
    pattern: Pat,
    guard: Option<Syn>,
}

impl syn::parse::Parse for Matches {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        let value = input.parse()?;
        input.parse::<syn::Token![,]>()?;
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        let guard = if input.parse::<Option<syn::Token![if]>>()?.is_some() { Some(input.parse()?) } else { None };
        input.parse::<Option<syn::Token![,]>>()?;
        Ok(Matches { value, pattern, guard })
    }
}

/// Whether a part of a path is a module: types have a capital letter.
fn is_module(name: &str) -> bool {
    name.starts_with(|it: char| it.is_lowercase())
}

/// A name without `r#`.
pub(super) fn plain(name: &proc_macro2::Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

fn member(member: &syn::Member) -> String {
    match member {
        syn::Member::Named(name) => plain(name),
        syn::Member::Unnamed(at) => at.index.to_string(),
    }
}

fn literal(literal: &syn::Lit) -> Kind {
    match literal {
        syn::Lit::Bool(it) => Kind::Bool(it.value),
        syn::Lit::Int(it) => it.base10_parse().map_or(Kind::Other(Vec::new()), Kind::Int),
        syn::Lit::Str(it) => Kind::Text(it.value()),
        syn::Lit::Char(it) => Kind::Text(it.value().to_string()),
        _ => Kind::Other(Vec::new()),
    }
}
