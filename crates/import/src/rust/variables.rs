//! The variables of a function whose states and events are tried.

mod reader;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, Pat};

use super::items::{Function, Items, type_name};
use super::range::{range_of_assign, range_of_call, range_of_method};
use super::value::mentions;
use reader::Reader;

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
    /// The names and paths that the code compares with variants, in patterns or with `==`.
    pub(super) compared: BTreeSet<String>,
    /// Those of them that a `match` tells apart.
    pub(super) matched: BTreeSet<String>,
    /// The variables and fields that are handed to functions.
    pub(super) handed: BTreeSet<Handed>,
    /// Parameters that are texts.
    pub(super) texts: Vec<String>,
    /// The texts that patterns compare with.
    pub(super) literals: Vec<String>,
    /// The paths that are assigned, with the enums of the variants that they get.
    pub(super) assigned: BTreeMap<String, BTreeSet<usize>>,
    /// Those of them that are assigned through a reference: `*state = Running`.
    pub(super) through: BTreeSet<String>,
    /// Those of them that get a value which does not come from the one before: `self.state = Default::default()`.
    pub(super) replaced: BTreeSet<String>,
    /// The functions that are called on `self`.
    pub(super) calls: BTreeSet<usize>,
    /// The enums whose variants closures compare with their parameters.
    pub(super) closed: BTreeSet<usize>,
    /// The names of the functions whose values are assigned: `self.state = next(self.state, event)`.
    pub(super) assigned_from: BTreeSet<String>,
    /// The names of the functions that are called.
    pub(super) called: BTreeSet<String>,
    /// The methods that are called on fields, each with the field and its name.
    pub(super) methods: BTreeSet<(String, String)>,
    /// The names that `let` binds, with the texts of their values.
    pub(super) lets: Vec<(String, String)>,
    /// The places in the code that give something a variant, or a parameter of the enum.
    pub(super) sites: Vec<Site>,
}

/// A variable or field that a function gets.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Handed {
    pub(super) place: String,
    /// The name of the function.
    pub(super) to: String,
    /// The function, if it is one of the same type that is called on `self`.
    pub(super) own: Option<usize>,
    /// The position; `None` for the receiver.
    pub(super) at: Option<usize>,
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

impl Site {
    fn call(range: Range<usize>, called: usize) -> Self {
        Site { range, enums: BTreeSet::new(), fields: BTreeSet::new(), call: Some(called), is_returned: false }
    }
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
        let mut found = Reader::read(function, items, &text, found, parameters);
        // `let current = self.clone()` is another name of a parameter, and `let old = mem::replace(&mut self.state, Broken)` of a
        // field; what a call makes of the state or of the event is none of them.
        let others: Vec<(String, usize)> =
            found.all.iter().filter(|it| !it.key.starts_with("let ")).map(|it| (it.key.clone(), it.of)).collect();
        let lets = &found.lets;
        let is_alias = |it: &Variable| {
            let Some(name) = it.key.strip_prefix("let ") else { return false };
            let mut values = lets
                .iter()
                .filter(|it| it.0 == name)
                .map(|it| it.1.trim_start_matches(['*', '&']).trim_start_matches("mut ").trim_end_matches(".clone()"));
            let Some(value) = values.next().filter(|_| values.next().is_none()) else { return false };
            let is_it = others.iter().any(|(key, of)| key == value && *of == it.of);
            is_it || (value.ends_with(')') && others.iter().any(|(key, _)| key != "self" && mentions(value, key)))
        };
        found.all.retain(|it| !is_alias(it));
        found
    }

    /// Whether a value that is no parameter is taken as an event: a `match` tells it apart, and it is no field of `self`.
    pub(super) fn takes(&self, it: &Variable) -> bool {
        self.matched.contains(it.key.trim_start_matches("let ")) && !it.key.starts_with("self.")
    }

    /// The variables of one enum.
    pub(super) fn of(&self, of: usize) -> Vec<&Variable> {
        self.all.iter().filter(|it| it.of == of).collect()
    }
}

/// The name of the function that a value comes from: `next` of `next(self.state)?`.
fn called(value: &Expr) -> Option<String> {
    match bare(value) {
        Expr::Try(it) => called(&it.expr),
        Expr::Await(it) => called(&it.base),
        Expr::MethodCall(it) => Some(it.method.to_string()),
        Expr::Call(it) => match &*it.func {
            Expr::Path(it) => it.path.segments.last().map(|it| it.ident.to_string()),
            _ => None,
        },
        _ => None,
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
