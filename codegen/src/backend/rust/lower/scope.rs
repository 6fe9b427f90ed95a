//! The names in expressions of a machine: in Rust, and in the spec.

use proc_macro2::TokenStream;
use quote::quote;

use super::expr::Resolve;
use super::{Lowering, constant_name, types};
use crate::backend::rust::ir::{Expr, Place};
use crate::backend::rust::names::UniqueNames;
use crate::expr::{Expr as SpecExpr, Names as SpecNames, Var};
use crate::model::machine::{Constant, Enum, Event, Transition};
use crate::model::{ConstantId, EventId, Literal, PredicateId, StateId, Type};
use crate::names::ident;

/// The scope of one row's expressions: they read the context, and the payload of `event`.
pub(super) struct RowScope<'a> {
    pub(super) lowering: &'a Lowering<'a>,
    pub(super) event: Option<&'a Event>,
}

impl Resolve for RowScope<'_> {
    fn place(&self, var: Var) -> Place {
        match var {
            Var::Context(id) => Place::Context(self.lowering.names.fields[id.index()].clone()),
            Var::Payload(idx) => {
                let payload = self.event.map(|it| self.lowering.payload(&it.payload)).unwrap_or_default();
                // The check only lets a row read the payload of its event.
                Place::Local(payload.get(idx).map_or_else(|| ident("no_such_field"), |it| it.1.clone()))
            }
            // The check rejects parts in a machine.
            Var::PartState(_) | Var::PartContext(..) | Var::PartId(_) => Place::Local(ident("no_such_part")),
        }
    }

    fn kept_text(&self, var: Var) -> Option<bool> {
        let Var::Context(id) = var else { return None };
        let field = &self.lowering.machine.fields[id.index()];
        (field.ty == Type::Text).then_some(field.optional)
    }

    fn predicate(&self, predicate: PredicateId) -> Expr {
        let method = self.lowering.names.predicates[predicate.index()].clone();
        Expr::Predicate { method, takes_event: self.lowering.predicate_takes_event(predicate) }
    }

    fn constant(&self, constant: ConstantId) -> TokenStream {
        let ident = &self.lowering.names.constants[constant.index()];
        quote! { #ident }
    }

    fn constants(&self) -> &[Constant] {
        &self.lowering.machine.constants
    }

    fn computed(&self, expr: &SpecExpr, value: &Literal) -> Option<TokenStream> {
        let words = expr.show(self.lowering);
        let mut computed = self.lowering.computed.borrow_mut();
        if let Some((_, ident, _)) = computed.iter().find(|(known, _, _)| *known == words) {
            return Some(quote! { #ident });
        }
        let name = words.replace('+', "_plus_").replace('-', "_minus_").replace('*', "_times_").replace('.', "_point_");
        let name: String = name.chars().map(|it| if unicode_ident::is_xid_continue(it) { it } else { '_' }).collect();
        let mut unique = UniqueNames::default();
        self.lowering.names.constants.iter().chain(computed.iter().map(|it| &it.1)).for_each(|it| unique.reserve(it));
        let ident = unique.claim(constant_name(&self.lowering.options.prefix, &name));
        let tokens = quote! { #ident };
        computed.push((words, ident, value.clone()));
        Some(tokens)
    }

    fn literal(&self, literal: &Literal, _subject: Option<&SpecExpr>) -> Expr {
        self.lowering.literal(literal)
    }

    fn is_in(&self, state: Expr, optional: bool, _subject: &SpecExpr, whole: StateId) -> Expr {
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

/// The names of the spec, for texts.
impl SpecNames for Lowering<'_> {
    fn var(&self, var: Var) -> String {
        match var {
            Var::Context(id) => self.machine.fields[id.index()].name.clone(),
            // A payload only has names in a row.
            _ => String::new(),
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
}

/// The names of the spec in one row.
pub(super) struct RowNames<'a> {
    pub(super) lowering: &'a Lowering<'a>,
    pub(super) row: &'a Transition,
}

impl RowNames<'_> {
    pub(super) fn payload(&self, idx: usize) -> String {
        let event = self.row.events.first().map(|id| self.lowering.machine.event(*id));
        event.and_then(|it| it.payload.get(idx)).map_or_else(String::new, |it| it.name.clone())
    }
}

impl SpecNames for RowNames<'_> {
    fn var(&self, var: Var) -> String {
        match var {
            Var::Payload(idx) => self.payload(idx),
            var => self.lowering.var(var),
        }
    }

    fn constant(&self, constant: ConstantId) -> String {
        SpecNames::constant(self.lowering, constant)
    }

    fn predicate(&self, predicate: PredicateId) -> String {
        SpecNames::predicate(self.lowering, predicate)
    }

    fn state(&self, subject: Option<&SpecExpr>, state: StateId) -> String {
        SpecNames::state(self.lowering, subject, state)
    }

    fn event(&self, event: EventId) -> String {
        SpecNames::event(self.lowering, event)
    }

    fn enums(&self) -> &[Enum] {
        &self.lowering.machine.enums
    }
}
