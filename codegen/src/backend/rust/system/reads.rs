//! Expressions of a system: they read parts through locals.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::expr::Reads;
use super::scope::{Locals, Scope};
use crate::expr::{Expr, ExprKind, Var};
use crate::model::machine::Constant;
use crate::model::system::Input;
use crate::model::{ConstantId, Literal, PartId, PredicateId, StateId, Type};

/// Reading inside the function of a transaction, link or invariant.
pub(super) struct SystemReads<'a> {
    pub(super) scope: &'a Scope<'a>,
    pub(super) locals: &'a Locals,
    pub(super) inputs: &'a [Input],
    /// The part whose event takes the value: states without another side are its states.
    pub(super) taker: Option<PartId>,
}

impl SystemReads<'_> {
    /// The part that an expression speaks of.
    fn part_of(&self, subject: Option<&Expr>) -> Option<PartId> {
        let part = match subject.map(|it| &it.kind) {
            Some(ExprKind::Var(var) | ExprKind::NonNull(var)) => match var {
                Var::PartState(part) | Var::PartContext(part, _) | Var::PartId(part) => Some(*part),
                Var::Payload(idx) => self.inputs.get(*idx).and_then(|it| it.of),
                Var::Context(_) => None,
            },
            _ => None,
        };
        part.or(self.taker)
    }

    fn is_optional(&self, var: Var) -> bool {
        match var {
            Var::PartContext(part, field) => self.scope.machine(part).machine.fields[field.index()].optional,
            Var::Payload(idx) => self.inputs.get(idx).is_some_and(|it| it.field.optional),
            _ => false,
        }
    }
}

impl Reads for SystemReads<'_> {
    fn var(&self, var: Var, ty: &Type) -> TokenStream {
        let place = self.place(var);
        match (var, ty, self.is_optional(var)) {
            (Var::PartContext(..), Type::Text, true) => quote! { #place.as_ref().map(::core::convert::AsRef::<str>::as_ref) },
            (Var::PartContext(..), Type::Text, false) => quote! { ::core::convert::AsRef::<str>::as_ref(&#place) },
            _ => place,
        }
    }

    fn place(&self, var: Var) -> TokenStream {
        let locals = self.locals;
        match var {
            Var::PartState(part) => {
                let now = &locals.now[part.index()];
                quote! { #now.state() }
            }
            Var::PartContext(part, field) => {
                let (now, field) = (&locals.now[part.index()], &self.scope.machine(part).fields[field.index()]);
                quote! { #now.context().#field }
            }
            Var::PartId(part) => {
                let key = &locals.keys[part.index()];
                quote! { #key }
            }
            Var::Payload(idx) => {
                let input = locals.inputs.get(idx);
                quote! { #input }
            }
            Var::Context(_) => quote! {},
        }
    }

    fn predicate(&self, _: PredicateId) -> TokenStream {
        quote! { false }
    }

    fn facade(&self) -> &TokenStream {
        &self.scope.facade
    }

    fn constant(&self, _: ConstantId) -> TokenStream {
        quote! {}
    }

    fn constants(&self) -> &[Constant] {
        &[]
    }

    fn literal(&self, literal: &Literal, subject: Option<&Expr>) -> TokenStream {
        match literal {
            Literal::State(id) => match self.part_of(subject) {
                Some(part) => {
                    let path = self.scope.path(part);
                    let state = self.scope.machine(part).state(*id);
                    quote! { #path::#state }
                }
                None => quote! {},
            },
            Literal::Enum(id, idx) => {
                let (module, own) = self.scope.enum_module(*id);
                let path = crate::names::ident(&crate::names::snake(&module.machine.name));
                let value = module.enum_value(own, *idx);
                quote! { super::#path::#value }
            }
            literal => self.scope.machines[0].literal(literal),
        }
    }

    fn is_in(&self, state: TokenStream, subject: &Expr, whole: StateId) -> TokenStream {
        let Some(part) = self.part_of(Some(subject)) else { return quote! { false } };
        let path = self.scope.path(part);
        let machine = self.scope.machine(part);
        let ident = &machine.states[whole.index()];
        if machine.machine.is_leaf(whole) {
            quote! { #state == #path::State::#ident }
        } else {
            quote! { #state.is_in(#path::Composite::#ident) }
        }
    }
}
