//! Expressions of a system: these read the parts in `World`, or in the variables of an invariant.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use statespec_lang::expr::Var;
use statespec_lang::model::system::Input;
use statespec_lang::model::{ConstantId, Literal, PartId, PredicateId, StateId, Type};
use statespec_lang::names::ident;
use statespec_lang::program;

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

    /// The part whose states an expression names.
    fn part_of(&self, subject: Option<&program::Expr>) -> PartId {
        // The check only accepts a state if a part determines its machine; states compared with each other belong to one
        // machine, and any part is valid.
        subject.and_then(|it| it.states_of(self.inputs)).or(self.taker).unwrap_or(PartId::new(0))
    }

    /// The path of the composite that a state is.
    fn composite(&self, part: PartId, state: StateId) -> TokenStream {
        let (path, machine) = (self.lowering.path(part), self.lowering.machine(part));
        let (composite, ident) = (&machine.types.composite, machine.state(state));
        quote! { #path::#composite::#ident }
    }

    /// The path of the leaf that a state is, if it is one.
    fn leaf(&self, part: PartId, state: StateId) -> Option<Expr> {
        let (path, machine) = (self.lowering.path(part), self.lowering.machine(part));
        let leaf = machine.state_path(state);
        machine.machine.is_leaf(state).then(|| Expr::Path(quote! { #path::#leaf }))
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

    fn computed(&self, _: &program::Expr, _: &Literal) -> Option<TokenStream> {
        None
    }

    fn literal(&self, literal: &Literal, subject: Option<&program::Expr>) -> Expr {
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

    fn is_part_in(&self, part: PartId, whole: StateId) -> Expr {
        let state = Box::new(Expr::Place(self.place(Var::PartState(part))));
        match self.leaf(part, whole) {
            Some(leaf) if self.lowering.machine(part).machine.has_regions() => {
                Expr::Method { receiver: state, method: "is_active", argument: Box::new(leaf) }
            }
            Some(leaf) => Expr::Compare("==", state, Box::new(leaf)),
            None => Expr::InComposite { state, composite: self.composite(part, whole), optional: false },
        }
    }

    fn is_in(&self, state: Expr, optional: bool, subject: &program::Expr, whole: StateId) -> Expr {
        let (part, state) = (self.part_of(Some(subject)), Box::new(state));
        match self.leaf(part, whole) {
            Some(leaf) => Expr::Compare("==", state, Box::new(some_if(optional, leaf))),
            None => Expr::InComposite { state, composite: self.composite(part, whole), optional },
        }
    }
}
