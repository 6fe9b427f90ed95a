//! The variables of a function whose states and events are tried.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, Pat};

use proc_macro2::{TokenStream, TokenTree};

use super::items::{Function, Items, range, type_name};
use super::returned::Returned;

/// A variable, or a path such as `self.state`, whose values are variants of an enum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Variable {
    pub(super) key: String,
    pub(super) of: usize,
    /// Whether it is a parameter.
    pub(super) is_parameter: bool,
}

/// What the values of a function are.
#[derive(Debug, Default)]
pub(super) struct Variables {
    pub(super) all: Vec<Variable>,
    /// Parameters that are texts.
    pub(super) texts: Vec<String>,
    /// The texts that patterns compare with.
    pub(super) literals: Vec<String>,
    /// The paths that are assigned, with the enums of the variants that they get.
    pub(super) assigned: BTreeMap<String, BTreeSet<usize>>,
    /// Those of them that are assigned through a reference: `*state = Running`.
    pub(super) through: BTreeSet<String>,
    /// The functions that are called on `self`.
    pub(super) calls: BTreeSet<usize>,
    /// The names that `let` binds, with the texts of their values.
    pub(super) lets: Vec<(String, String)>,
    /// The places in the code that give something a variant, or a parameter of the enum.
    pub(super) sites: Vec<Site>,
}

/// A place in the code where something gets a variant of an enum.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) range: Range<usize>,
    pub(super) enums: BTreeSet<usize>,
    /// The fields of a new value, which may hold an enum elsewhere in the file, each with the struct.
    pub(super) fields: BTreeSet<(String, String)>,
    /// The function that is called here.
    pub(super) call: Option<usize>,
    /// Whether the function returns the same value behind it: `token.set_state(next); Some(next)`.
    pub(super) is_returned: bool,
}

impl Variables {
    pub(super) fn new(function: &Function<'_>, items: &Items<'_>, text: impl Fn(&Expr) -> String) -> Self {
        let mut found = Variables::default();
        let mut parameters = BTreeSet::new();
        for input in &function.signature.inputs {
            match input {
                syn::FnArg::Receiver(_) => {
                    let of = function.of.as_deref().and_then(|it| items.enum_named(it, &function.module));
                    found.all.extend(of.map(|of| Variable { key: "self".to_owned(), of, is_parameter: true }));
                }
                syn::FnArg::Typed(it) => {
                    let Pat::Ident(name) = &*it.pat else { continue };
                    let name = name.ident.to_string();
                    parameters.insert(name.clone());
                    let ty = type_name(&it.ty);
                    let ty = if ty.as_deref() == Some("Self") { function.of.clone() } else { ty };
                    match ty.as_deref().and_then(|it| items.enum_named(it, &function.module)) {
                        Some(of) => found.all.push(Variable { key: name, of, is_parameter: true }),
                        None if matches!(ty.as_deref(), Some("str" | "String")) => found.texts.push(name),
                        None => {}
                    }
                }
            }
        }
        let returned = Returned::of(function.block);
        let mut reader = Reader { function, items, text: &text, found, parameters, locals: BTreeMap::new(), closed: Vec::new(), returned };
        reader.visit_block(function.block);
        let mut found = reader.found;
        // `let current = self.clone()` is another name of a parameter.
        let parameters: Vec<(String, usize)> = found.all.iter().filter(|it| it.is_parameter).map(|it| (it.key.clone(), it.of)).collect();
        let lets = &found.lets;
        let is_alias = |it: &Variable| {
            let Some(name) = it.key.strip_prefix("let ") else { return false };
            let mut values =
                lets.iter().filter(|it| it.0 == name).map(|it| it.1.trim_start_matches(['*', '&']).trim_end_matches(".clone()"));
            let is_parameter = |value: &str| parameters.iter().any(|(key, of)| key == value && *of == it.of);
            values.next().is_some_and(is_parameter) && values.next().is_none()
        };
        found.all.retain(|it| !is_alias(it));
        found
    }

    /// The variables of one enum.
    pub(super) fn of(&self, of: usize) -> Vec<&Variable> {
        self.all.iter().filter(|it| it.of == of).collect()
    }
}

struct Reader<'f, 'a, T> {
    function: &'f Function<'a>,
    items: &'f Items<'a>,
    text: &'f T,
    found: Variables,
    parameters: BTreeSet<String>,
    /// The variables, with the enums of the variants that they can be at first.
    locals: BTreeMap<String, BTreeSet<usize>>,
    /// The parameters of the closures around.
    closed: Vec<String>,
    returned: Returned,
}

impl<T: Fn(&Expr) -> String> Reader<'_, '_, T> {
    /// Pairs the parts of a value with the parts of a pattern.
    fn compare(&mut self, value: &Expr, pattern: &Pat) {
        match (bare(value), pattern) {
            (Expr::Call(call), pattern) if let Some(place) = replaced(call) => self.compare(place, pattern),
            (value, Pat::Guard(it)) => self.compare(value, &it.pat),
            (value, Pat::Paren(it)) => self.compare(value, &it.pat),
            (value, Pat::Reference(it)) => self.compare(value, &it.pat),
            (value, Pat::Or(it)) => it.cases.iter().for_each(|it| self.compare(value, it)),
            (Expr::Tuple(values), Pat::Tuple(patterns)) => {
                for (value, pattern) in values.elems.iter().zip(&patterns.elems) {
                    self.compare(value, pattern);
                }
            }
            (value, pattern) => {
                if let Some(of) = self.enum_of(pattern) {
                    self.add(value, of);
                }
            }
        }
    }

    fn add(&mut self, value: &Expr, of: usize) {
        // `steps.any(|it| it.outcome == Outcome::Done)` compares many values, not one of the function.
        if base(value).is_some_and(|it| self.closed.contains(&it)) {
            return;
        }
        let key = (self.text)(value);
        let key = match value {
            Expr::Path(it) => match it.path.get_ident().map(ToString::to_string) {
                Some(name) if name == "self" || self.parameters.contains(&name) => {
                    if self.items.enums[of].is_known() || self.found.all.iter().any(|it| it.key == name) {
                        return;
                    }
                    name
                }
                Some(name) if self.locals.contains_key(&name) => format!("let {name}"),
                _ => return,
            },
            Expr::Field(_) | Expr::MethodCall(_) => key,
            _ => return,
        };
        if !self.found.all.iter().any(|it| it.key == key) {
            self.found.all.push(Variable { key, of, is_parameter: false });
        }
    }

    fn site(&mut self, range: Range<usize>, enums: BTreeSet<usize>, value: Option<&Expr>) {
        let fields = match value {
            Some(Expr::Struct(new)) => {
                let of = new.path.segments.last().map(|it| it.ident.to_string()).unwrap_or_default();
                let of = if of == "Self" { self.function.of.clone().unwrap_or_default() } else { of };
                new.fields.iter().map(|it| (of.clone(), it.member.to_token_stream().to_string())).collect()
            }
            _ => BTreeSet::new(),
        };
        if !enums.is_empty() || !fields.is_empty() {
            self.found.sites.push(Site { range, enums, fields, call: None, is_returned: false });
        }
    }

    /// Finds `self.state = State::Variant` in the arguments of a macro, which need be no Rust.
    fn sites_in(&mut self, tokens: TokenStream) {
        let list: Vec<TokenTree> = tokens.into_iter().collect();
        for window in list.windows(7) {
            if let [
                TokenTree::Punct(dot),
                TokenTree::Ident(_),
                TokenTree::Punct(sign),
                TokenTree::Ident(of),
                TokenTree::Punct(colon),
                _,
                TokenTree::Ident(name),
            ] = window
                && (dot.as_char(), sign.as_char(), colon.as_char()) == ('.', '=', ':')
                && let Some((of, _)) =
                    self.items.enum_named(&of.to_string(), &self.function.module).and_then(|it| self.items.variant(it, &name.to_string()))
            {
                self.site(sign.span().byte_range().start..name.span().byte_range().end, BTreeSet::from([of]), None);
            }
        }
        for token in list {
            if let TokenTree::Group(group) = token {
                self.sites_in(group.stream());
            }
        }
    }

    /// Notes that a place gets a value, which `mem::take` does not name; the enums of the value.
    fn assign(&mut self, place: &Expr, value: Option<&Expr>, is_through: bool) -> BTreeSet<usize> {
        let place = (self.text)(bare(place));
        if is_through {
            self.found.through.insert(place.clone());
        }
        let mut given = BTreeSet::new();
        value.into_iter().for_each(|it| self.given(it, &mut given));
        self.found.assigned.entry(place).or_default().extend(&given);
        given
    }

    /// The enums of the variants that a value can be.
    fn given(&self, value: &Expr, found: &mut BTreeSet<usize>) {
        let of_block = |block: &syn::Block, found: &mut BTreeSet<usize>| {
            if let Some(syn::Stmt::Expr(last, None)) = block.stmts.last() {
                self.given(last, found);
            }
        };
        match value {
            Expr::Paren(it) => self.given(&it.expr, found),
            Expr::Group(it) => self.given(&it.expr, found),
            Expr::Path(it) => {
                let parameter = |name: &syn::Ident| self.found.all.iter().find(|it| it.is_parameter && name == &it.key).map(|it| it.of);
                found.extend(self.enum_of_path(&it.path).or_else(|| it.path.get_ident().and_then(parameter)));
            }
            Expr::Struct(it) => match self.enum_of_path(&it.path) {
                Some(of) => _ = found.insert(of),
                // A new value in the place of an old one: `*self = Self { state: State::Open, .. }`.
                None => it.fields.iter().for_each(|it| self.given(&it.expr, found)),
            },
            Expr::Call(it) => {
                let Expr::Path(path) = &*it.func else { return };
                let of = self.enum_of_path(&path.path);
                found.extend(of);
                // `Some(State::Open)`, `Endpoint::In(Bulk::Open)`
                if of.is_some() || path.path.is_ident("Some") {
                    it.args.iter().for_each(|it| self.given(it, found));
                }
            }
            Expr::Block(it) => of_block(&it.block, found),
            Expr::Unsafe(it) => of_block(&it.block, found),
            Expr::If(it) => {
                of_block(&it.then_branch, found);
                it.else_branch.iter().for_each(|(_, other)| self.given(other, found));
            }
            Expr::Match(it) => it.arms.iter().for_each(|arm| self.given(&arm.body, found)),
            _ => {}
        }
    }

    fn enum_of(&self, pattern: &Pat) -> Option<usize> {
        let path = match pattern {
            Pat::Path(it) => &it.path,
            Pat::TupleStruct(it) => &it.path,
            Pat::Struct(it) => &it.path,
            Pat::Ident(it) => {
                let of = self.function.of.as_deref();
                return self.items.bare_variant(&it.ident, of, &self.function.module).map(|(of, _)| of);
            }
            _ => return None,
        };
        self.enum_of_path(path)
    }

    fn enum_of_path(&self, path: &syn::Path) -> Option<usize> {
        let names: Vec<String> = path.segments.iter().map(|it| it.ident.to_string()).collect();
        if let Some(name) = path.get_ident() {
            let of = self.function.of.as_deref();
            return self.items.bare_variant(name, of, &self.function.module).map(|(of, _)| of);
        }
        let [.., of, name] = names.as_slice() else { return None };
        let of = if of == "Self" { self.function.of.as_deref()? } else { of };
        let of = self.items.enum_named(of, &self.function.module)?;
        self.items.variant(of, name).map(|(of, _)| of)
    }
}

impl<'x, T: Fn(&Expr) -> String> Visit<'x> for Reader<'_, '_, T> {
    fn visit_expr_match(&mut self, it: &'x syn::ExprMatch) {
        for arm in &it.arms {
            self.compare(&it.expr, &arm.pat);
        }
        visit::visit_expr_match(self, it);
    }

    fn visit_expr_let(&mut self, it: &'x syn::ExprLet) {
        self.compare(&it.expr, &it.pat);
        visit::visit_expr_let(self, it);
    }

    fn visit_expr_binary(&mut self, it: &'x syn::ExprBinary) {
        let is_assignment = it.op.to_token_stream().to_string().ends_with('=')
            && !matches!(it.op, syn::BinOp::Eq(_) | syn::BinOp::Ne(_) | syn::BinOp::Le(_) | syn::BinOp::Ge(_));
        if is_assignment {
            self.assign(&it.left, None, false);
        }
        if matches!(it.op, syn::BinOp::Eq(_) | syn::BinOp::Ne(_))
            && let Expr::Path(path) = bare(&it.right)
            && let Some(of) = self.enum_of_path(&path.path)
        {
            self.add(bare(&it.left), of);
        }
        visit::visit_expr_binary(self, it);
    }

    fn visit_expr_closure(&mut self, it: &'x syn::ExprClosure) {
        let before = self.closed.len();
        for input in &it.inputs {
            let mut names = Names::default();
            names.visit_pat(input);
            self.closed.append(&mut names.0);
        }
        visit::visit_expr_closure(self, it);
        self.closed.truncate(before);
    }

    fn visit_local(&mut self, it: &'x syn::Local) {
        let pattern = match &it.pat {
            Pat::Type(it) => &it.pat,
            other => other,
        };
        if let Pat::Ident(name) = pattern {
            let name = name.ident.to_string();
            // The value before it is replaced is that of the place: `mem::replace(self, Broken)`.
            let read = |it: &'x Expr| if let Expr::Call(call) = it { replaced(call).unwrap_or(it) } else { it };
            let value = it.init.iter().map(|it| (self.text)(read(&it.expr)));
            self.found.lets.extend(value.map(|it| (name.clone(), it)));
            let mut computed = BTreeSet::new();
            it.init.iter().for_each(|it| self.given(&it.expr, &mut computed));
            self.locals.entry(name).or_default().append(&mut computed);
        }
        visit::visit_local(self, it);
    }

    fn visit_expr_assign(&mut self, it: &'x syn::ExprAssign) {
        let is_through = matches!(&*it.left, Expr::Unary(_));
        let given = self.assign(&it.left, Some(&it.right), is_through);
        // A variable of the function is not what others see.
        if is_through || !matches!(bare(&it.left), Expr::Path(_)) {
            self.site(range(it), given, Some(&it.right));
        }
        visit::visit_expr_assign(self, it);
    }

    fn visit_expr_call(&mut self, it: &'x syn::ExprCall) {
        if let Some(place) = replaced(it) {
            let given = self.assign(place, it.args.get(1), true);
            self.site(range(it), given, it.args.get(1));
        }
        if let Expr::Path(path) = &*it.func
            && let [of, name] = path.path.segments.iter().collect::<Vec<_>>().as_slice()
            && of.ident == "Self"
        {
            self.found.calls.extend(self.items.function(self.function.of.as_deref(), &name.ident.to_string()));
        }
        visit::visit_expr_call(self, it);
    }

    fn visit_expr_method_call(&mut self, it: &'x syn::ExprMethodCall) {
        let is_self = matches!(bare(&it.receiver), Expr::Path(path) if path.path.is_ident("self"));
        let own = self.items.function(self.function.of.as_deref(), &it.method.to_string()).filter(|_| is_self);
        self.found.calls.extend(own);
        self.found.sites.extend(own.map(|called| Site {
            range: range(it),
            enums: BTreeSet::new(),
            fields: BTreeSet::new(),
            call: Some(called),
            is_returned: false,
        }));
        // `token.set_state(Running)`, and `map.insert(id, Entry { state: Running })`
        let name = it.method.to_string();
        let is_insert = name == "insert";
        if own.is_none() && (is_insert || super::words::is_setter(&name)) {
            let mut given = BTreeSet::new();
            let new = it.args.iter().find(|it| matches!(it, Expr::Struct(_)));
            for value in it.args.iter().filter(|it| matches!(it, Expr::Path(_)) || (is_insert && matches!(it, Expr::Struct(_)))) {
                let local =
                    if let Expr::Path(it) = value { it.path.get_ident().and_then(|it| self.locals.get(&it.to_string())) } else { None };
                given.extend(local.into_iter().flatten());
                self.given(value, &mut given);
            }
            let n_before = self.found.sites.len();
            self.site(range(it), given, new.filter(|_| is_insert));
            if let [Expr::Path(value)] = it.args.iter().collect::<Vec<_>>().as_slice() {
                let is_returned = self.returned.gives(&value.path, range(it).start);
                self.found.sites[n_before..].iter_mut().for_each(|it| it.is_returned = is_returned);
            }
        }
        visit::visit_expr_method_call(self, it);
    }

    fn visit_macro(&mut self, it: &'x syn::Macro) {
        self.sites_in(it.tokens.clone());
        if it.path.segments.last().is_some_and(|it| it.ident == "matches")
            && let Ok((value, pattern)) = super::eval::matches_arguments(it)
        {
            self.compare(&value, &pattern);
        }
    }

    fn visit_pat(&mut self, it: &'x Pat) {
        if let Pat::Lit(literal) = it
            && let syn::Lit::Str(text) = &literal.lit
        {
            let text = text.value();
            if !self.found.literals.contains(&text) {
                self.found.literals.push(text);
            }
        }
        visit::visit_pat(self, it);
    }
}

/// The names that a pattern binds.
#[derive(Default)]
pub(super) struct Names(pub(super) Vec<String>);

impl<'x> Visit<'x> for Names {
    fn visit_pat_ident(&mut self, it: &'x syn::PatIdent) {
        self.0.push(it.ident.to_string());
    }
}

/// The name that a path such as `it.job.state` begins with.
fn base(expr: &Expr) -> Option<String> {
    match bare(expr) {
        Expr::Field(it) => base(&it.base),
        Expr::MethodCall(it) => base(&it.receiver),
        Expr::Path(it) => it.path.get_ident().map(ToString::to_string),
        _ => None,
    }
}

/// The place that `mem::replace(&mut place, …)` and `mem::take(&mut place)` set.
pub(super) fn replaced(call: &syn::ExprCall) -> Option<&Expr> {
    let Expr::Path(path) = &*call.func else { return None };
    let mut names = path.path.segments.iter().rev().map(|it| &it.ident);
    let is_replace = names.next().is_some_and(|it| it == "replace" || it == "take") && names.next().is_some_and(|it| it == "mem");
    call.args.first().filter(|_| is_replace)
}

/// Without `&`, `*`, brackets and `.clone()`.
pub(super) fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(it) => bare(&it.expr),
        Expr::Group(it) => bare(&it.expr),
        Expr::Reference(it) => bare(&it.expr),
        Expr::Unary(it) if matches!(it.op, syn::UnOp::Deref(_)) => bare(&it.expr),
        Expr::MethodCall(it) if it.args.is_empty() && (it.method == "clone" || it.method == "as_ref" || it.method == "as_str") => {
            bare(&it.receiver)
        }
        other => other,
    }
}
