//! The names in expressions of a machine: in Rust, and in the spec.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use statespec_lang::expr::{Expr as SpecExpr, Names as SpecNames, Var, show_literal};
use statespec_lang::model::machine::Enum;
use statespec_lang::model::names::is_variable;
use statespec_lang::model::{ConstantId, EventId, Literal, PredicateId, StateId, Type};
use statespec_lang::names::ident;
use statespec_lang::program::{self, Kind, Operation};

use super::expr::Resolve;
use super::{Lowering, constant_name, types};
use crate::ir::{Expr, Held, Place};
use crate::names::UniqueNames;

/// The scope of one row's expressions: they read the context, and the payload of `event`.
pub(super) struct RowScope<'a> {
    pub(super) lowering: &'a Lowering<'a>,
    pub(super) event: Option<EventId>,
    /// The values that the guard tested against null, with their variables.
    pub(super) known: BTreeMap<Var, Ident>,
}

impl<'a> RowScope<'a> {
    /// The scope of a guard.
    pub(super) fn new(lowering: &'a Lowering<'a>, event: Option<EventId>) -> Self {
        RowScope { lowering, event, known: BTreeMap::new() }
    }
}

impl Resolve for RowScope<'_> {
    fn place(&self, var: Var) -> Place {
        match var {
            Var::Context(id) => Place::Context(self.lowering.names.fields[id.index()].clone()),
            // The check only lets a row read the payload of its event.
            Var::Payload(id) => {
                let local = self.event.and_then(|it| self.lowering.local(it, id));
                Place::Local(local.unwrap_or_else(|| ident("no_such_field")))
            }
            // The check rejects parts in a machine.
            Var::Input(_) | Var::PartState(_) | Var::PartContext(..) | Var::PartId(_) => Place::Local(ident("no_such_part")),
        }
    }

    fn known(&self, var: Var) -> Option<Ident> {
        self.known.get(&var).cloned()
    }

    fn kept_text(&self, var: Var) -> Option<bool> {
        let Var::Context(id) = var else { return None };
        let field = &self.lowering.machine.fields[id.index()];
        (field.ty == Type::Text).then_some(field.optional)
    }

    fn held(&self, var: Var) -> Option<Held> {
        let lowering = self.lowering;
        match var {
            Var::Context(id) => lowering.held_field(id),
            Var::Payload(id) => lowering.held_payload(self.event, id),
            Var::Input(_) | Var::PartState(_) | Var::PartContext(..) | Var::PartId(_) => None,
        }
    }

    fn predicate(&self, predicate: PredicateId) -> Expr {
        let method = self.lowering.names.predicates[predicate.index()].clone();
        Expr::Predicate { method, takes_event: self.lowering.predicate_takes_event(predicate) }
    }

    fn constant(&self, constant: ConstantId) -> TokenStream {
        let ident = &self.lowering.names.constants[constant.index()];
        quote! { #ident }
    }

    fn computed(&self, expr: &program::Expr, value: &Literal) -> Option<TokenStream> {
        let words = words(expr, self.lowering, 0);
        let mut computed = self.lowering.computed.borrow_mut();
        if let Some((_, ident, _)) = computed.iter().find(|(known, _, _)| *known == words) {
            return Some(quote! { #ident });
        }
        let name = words
            .replace('+', "_plus_")
            .replace('-', "_minus_")
            .replace('*', "_times_")
            .replace('/', "_over_")
            .replace('%', "_modulo_")
            .replace('.', "_point_");
        let name: String = name.chars().map(|it| if unicode_ident::is_xid_continue(it) { it } else { '_' }).collect();
        let mut unique = UniqueNames::default();
        self.lowering.names.constants.iter().chain(computed.iter().map(|it| &it.1)).for_each(|it| unique.reserve(it));
        let ident = unique.claim(constant_name(&self.lowering.options.prefix, &name));
        let tokens = quote! { #ident };
        computed.push((words, ident, value.clone()));
        Some(tokens)
    }

    fn literal(&self, literal: &Literal, _subject: Option<&program::Expr>) -> Expr {
        self.lowering.literal(literal)
    }

    fn is_active(&self, state: StateId) -> Expr {
        let lowering = self.lowering;
        if lowering.machine.is_leaf(state) {
            return Expr::IsActive { leaf: lowering.state_path(state), among: lowering.machine.has_regions() };
        }
        let (composite, ident) = (&lowering.types.composite, lowering.state(state));
        Expr::IsWithin(quote! { #composite::#ident })
    }

    fn is_in(&self, state: Expr, optional: bool, _subject: &program::Expr, whole: StateId) -> Expr {
        let lowering = self.lowering;
        let (ident, types) = (lowering.state(whole), &lowering.types);
        if lowering.machine.is_leaf(whole) {
            let leaf = Expr::Path(lowering.state_path(whole));
            return Expr::Compare("==", Box::new(state), Box::new(types::some_if(optional, leaf)));
        }
        let composite = &types.composite;
        Expr::InComposite { state: Box::new(state), composite: quote! { #composite::#ident }, optional }
    }
}

/// An operation on constants in the words of the spec, in parentheses if it binds less strongly than `least`.
fn words(expr: &program::Expr, names: &dyn SpecNames, least: u8) -> String {
    match &expr.kind {
        Kind::Literal(literal) => show_literal(literal, names, None),
        Kind::Constant(id) => names.constant(*id),
        Kind::ToDecimal(inner) => words(inner, names, least),
        Kind::Len(inner) => format!("len({})", words(inner, names, 0)),
        Kind::Operation(operation, left, right) => {
            let (sign, strength) = match operation {
                Operation::Add | Operation::Later => ("+", 1),
                Operation::Sub | Operation::Earlier | Operation::Since => ("-", 1),
                Operation::Mul | Operation::Times => ("*", 2),
                Operation::Div => ("/", 2),
                Operation::Rem => ("%", 2),
            };
            let text = format!("{} {sign} {}", words(left, names, strength), words(right, names, strength + 1));
            if strength < least { format!("({text})") } else { text }
        }
        // A constant is no condition, and reads nothing.
        _ => String::new(),
    }
}

/// The names of the spec, for texts.
impl SpecNames for Lowering<'_> {
    fn var(&self, var: Var) -> String {
        match var {
            Var::Context(id) => self.machine.fields[id.index()].name.clone(),
            Var::Payload(id) => self.machine.payload_path(id).into_owned(),
            // Only systems have these variables.
            Var::Input(_) | Var::PartState(_) | Var::PartContext(..) | Var::PartId(_) => String::new(),
        }
    }

    fn constant(&self, constant: ConstantId) -> String {
        self.machine.constants[constant.index()].name.clone()
    }

    fn predicate(&self, predicate: PredicateId) -> String {
        self.machine.predicates[predicate.index()].name.clone()
    }

    fn state(&self, _subject: Option<&SpecExpr>, state: StateId) -> String {
        self.machine.state(state).name.clone()
    }

    fn event(&self, event: EventId) -> String {
        self.machine.event(event).name.clone()
    }

    fn enums(&self) -> &[Enum] {
        &self.machine.enums
    }

    fn is_variable(&self, name: &str) -> bool {
        is_variable(self.machine, name)
    }
}
