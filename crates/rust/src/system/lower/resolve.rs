//! Expressions of a system: these read the parts in `World`, or in the variables of an invariant.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use statespec_lang::expr::{Expr as SpecExpr, ExprKind, Var};
use statespec_lang::model::machine::Constant;
use statespec_lang::model::system::Input;
use statespec_lang::model::{ConstantId, Literal, PartId, PredicateId, StateId, Type};
use statespec_lang::names::ident;

use super::SystemLowering;
use crate::ir::{Expr, Held, Place};
use crate::lower::expr::Resolve;
use crate::lower::types::some_if;

/// The scope of an expression.
pub(super) struct Reads<'a> {
    pub(super) lowering: &'a SystemLowering<'a>,
    pub(super) reader: Reader<'a>,
    pub(super) inputs: &'a [Input],
    /// The variables of the inputs.
    pub(super) input_locals: &'a [Ident],
    /// The part whose event takes the value: a state outside a comparison is one of its states.
    pub(super) taker: Option<PartId>,
}

/// The source from which parts are read.
pub(super) enum Reader<'a> {
    /// A world: `before` or `self`.
    World(TokenStream),
    /// Variables: instances and keys, by part.
    Locals(&'a [Ident], &'a [Ident]),
}

impl Reads<'_> {
    /// The machine of a part: `before.hop()?`.
    fn instance(&self, part: PartId) -> TokenStream {
        match &self.reader {
            Reader::World(world) => {
                let get = self.lowering.get(part);
                quote! { #world.#get()? }
            }
            Reader::Locals(instances, _) => {
                let local = &instances[part.index()];
                quote! { #local }
            }
        }
    }

    fn key(&self, part: PartId) -> TokenStream {
        match &self.reader {
            Reader::World(world) => {
                let id = self.lowering.id(part);
                quote! { #world.#id()? }
            }
            Reader::Locals(_, keys) => {
                let local = &keys[part.index()];
                quote! { #local }
            }
        }
    }

    /// The part whose states an expression refers to.
    fn part_of(&self, subject: Option<&SpecExpr>) -> PartId {
        let part = match subject.map(|it| &it.kind) {
            Some(ExprKind::Var(var) | ExprKind::NonNull(var)) => match var {
                Var::PartState(part) | Var::PartContext(part, _) | Var::PartId(part) => Some(*part),
                Var::Input(idx) => self.inputs[*idx].of,
                Var::Context(_) | Var::Payload(_) => None,
            },
            _ => None,
        };
        // The check only accepts a state if a part determines its machine; states compared with each other belong to one
        // machine, and any part is valid.
        part.or(self.taker).unwrap_or(PartId::new(0))
    }
}

impl Resolve for Reads<'_> {
    fn place(&self, var: Var) -> Place {
        Place::Other(match var {
            Var::PartState(part) => {
                let instance = self.instance(part);
                quote! { #instance.state() }
            }
            Var::PartContext(part, field) => {
                let (instance, field) = (self.instance(part), &self.lowering.machine(part).names.fields[field.index()]);
                quote! { #instance.context().#field }
            }
            Var::PartId(part) => self.key(part),
            Var::Input(idx) => {
                let input = &self.input_locals[idx];
                quote! { #input }
            }
            // The check only lets a system read contexts through its parts.
            Var::Context(_) | Var::Payload(_) => return Place::Local(ident("no_such_field")),
        })
    }

    fn kept_text(&self, var: Var) -> Option<bool> {
        let Var::PartContext(part, field) = var else { return None };
        let field = &self.lowering.machine(part).machine.fields[field.index()];
        (field.ty == Type::Text).then_some(field.optional)
    }

    fn held(&self, var: Var) -> Option<Held> {
        let held = match var {
            Var::PartContext(part, id) => {
                let lowering = self.lowering.machine(part);
                let field = &lowering.machine.fields[id.index()];
                let name = format!("{}.{}", self.lowering.part(part).name, field.name);
                lowering.held(lowering.own_field(id)?, &field.ty, &name)
            }
            Var::Input(idx) => {
                let field = &self.inputs[idx].field;
                self.lowering.machine(PartId::new(0)).held(self.lowering.own_input(field)?, &field.ty, &field.name)
            }
            Var::PartState(_) | Var::PartId(_) | Var::Context(_) | Var::Payload(_) => return None,
        };
        Some(match &self.reader {
            Reader::World(_) => SystemLowering::refusing(held),
            Reader::Locals(..) => held,
        })
    }

    fn predicate(&self, _: PredicateId) -> Expr {
        // The check only lets machines ask predicates.
        Expr::Place(Place::Local(ident("no_such_predicate")))
    }

    fn constant(&self, _: ConstantId) -> TokenStream {
        // Systems have no constants.
        quote! { no_such_constant }
    }

    fn constants(&self) -> &[Constant] {
        &[]
    }

    fn computed(&self, _: &SpecExpr, _: &Literal) -> Option<TokenStream> {
        None
    }

    fn literal(&self, literal: &Literal, subject: Option<&SpecExpr>) -> Expr {
        match literal {
            Literal::State(id) => {
                let part = self.part_of(subject);
                let (path, state) = (self.lowering.path(part), self.lowering.machine(part).state_path(*id));
                Expr::Path(quote! { #path::#state })
            }
            Literal::Enum(id, idx) => {
                let (machine, own) = self.lowering.enum_origin(*id);
                let (path, value) = (self.lowering.module_path(&machine.machine.name), machine.enum_value(own, *idx));
                Expr::Path(quote! { #path::#value })
            }
            Literal::List(items) => Expr::List(items.iter().map(|it| self.literal(it, subject)).collect()),
            // Other literals are the same in every module.
            literal => self.lowering.machine(PartId::new(0)).literal(literal),
        }
    }

    fn is_in(&self, state: Expr, optional: bool, subject: &SpecExpr, whole: StateId) -> Expr {
        let part = self.part_of(Some(subject));
        let (path, machine) = (self.lowering.path(part), self.lowering.machine(part));
        if machine.machine.is_leaf(whole) {
            let leaf = machine.state_path(whole);
            if subject.part_state().is_some() && machine.machine.has_regions() {
                let argument = Box::new(Expr::Path(quote! { #path::#leaf }));
                return Expr::Method { receiver: Box::new(state), method: "is_active", argument };
            }
            return Expr::Compare("==", Box::new(state), Box::new(some_if(optional, Expr::Path(quote! { #path::#leaf }))));
        }
        let (composite, ident) = (&machine.types.composite, machine.state(whole));
        Expr::InComposite { state: Box::new(state), composite: quote! { #path::#composite::#ident }, optional }
    }
}
