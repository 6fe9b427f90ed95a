//! Whose types the machine and its states are: emitted ones, or the user's own.
//!
//! Everything that differs between a checked-in module and a derive is decided here; the emitters
//! ask and never look at the form themselves.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::Module;
use crate::model::{FieldId, Type};

/// What a derive asks for, beside the spec.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shape {
    /// Whose types the machine and its states are.
    pub(crate) form: Form,
    /// What goes before the types and constants that the spec names.
    pub(crate) prefix: String,
    /// What is left out.
    pub(crate) skip: BTreeSet<Part>,
    /// Whether there is a type for each state.
    pub(crate) typestate: bool,
    /// Something is wrong, so that rows may be missing: all methods are there.
    pub(crate) stub: bool,
}

/// What may be left out, since the user may have something of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// `new`, `born` and `born_with`.
    New,
    /// `run` and `run_to`.
    Run,
    /// `plan`, `apply` and all that moves.
    Machine,
    /// `Display` of the user's enum.
    Display,
    /// `FromStr` of the user's enum.
    FromStr,
}

/// Whose types the machine and its states are.
#[derive(Debug, Clone, Default)]
pub(crate) enum Form {
    /// Emitted: a struct that holds the state and a `Context`.
    #[default]
    Emitted,
    /// The user's struct, whose fields are the context.
    Struct(OwnStruct),
    /// The user's enum is the state, and the machine where there is no context.
    Enum(OwnEnum),
}

/// The user's struct.
#[derive(Debug, Clone)]
pub(crate) struct OwnStruct {
    /// The field that holds the state.
    pub(crate) state: Ident,
    /// The fields of the context, by [`FieldId`].
    pub(crate) fields: Vec<Ident>,
    /// The type of references, where a field or an option says so.
    pub(crate) reference: Option<TokenStream>,
    /// The fields that the spec does not know, in order.
    pub(crate) own: Vec<(Ident, TokenStream)>,
}

/// The user's enum.
#[derive(Debug, Clone)]
pub(crate) struct OwnEnum {
    /// The variants of the leaves, in their order.
    pub(crate) variants: Vec<Ident>,
    /// Whether `as usize` yields the position of a state: the order of the spec, counted from 0.
    pub(crate) in_order: bool,
}

impl OwnStruct {
    /// The user's own fields as parameters of a function.
    pub(crate) fn parameters(&self) -> TokenStream {
        let parameters = self.own.iter().map(|(name, ty)| quote! { #name: #ty });
        quote! { #(#parameters,)* }
    }
}

impl Module<'_> {
    pub(crate) fn own_struct(&self) -> Option<&OwnStruct> {
        match &self.shape.form {
            Form::Struct(own) => Some(own),
            _ => None,
        }
    }

    pub(crate) fn has_part(&self, part: Part) -> bool {
        !self.shape.skip.contains(&part)
    }

    pub(crate) fn own_enum(&self) -> Option<&OwnEnum> {
        match &self.shape.form {
            Form::Enum(own) => Some(own),
            _ => None,
        }
    }

    /// Whether there is anything that moves: a state alone does not know the context.
    pub(crate) fn has_machine(&self) -> bool {
        self.has_part(Part::Machine) && (self.own_enum().is_none() || !self.has_context())
    }

    /// Where a machine keeps its state: `self.state`; the user's enum is its own state.
    pub(crate) fn state_of(&self, machine: &TokenStream) -> TokenStream {
        match &self.shape.form {
            Form::Emitted => quote! { #machine.state },
            Form::Struct(own) => {
                let state = &own.state;
                quote! { #machine.#state }
            }
            Form::Enum(_) => quote! { *#machine },
        }
    }

    /// Where a machine keeps its context: `self.context`; the user's struct keeps it itself.
    pub(crate) fn context_of(&self, machine: &TokenStream) -> TokenStream {
        match &self.shape.form {
            Form::Struct(_) => machine.clone(),
            _ => quote! { #machine.context },
        }
    }

    /// The context, for a predicate to look at: `self` is lent already.
    pub(crate) fn context_lent(&self, machine: &TokenStream) -> TokenStream {
        let context = self.context_of(machine);
        if context.to_string() == "self" {
            context
        } else {
            quote! { &#context }
        }
    }

    /// The type of the context, as predicates get it.
    pub(crate) fn context_ty(&self) -> TokenStream {
        match &self.shape.form {
            Form::Struct(_) => {
                let ident = &self.ident;
                quote! { #ident }
            }
            _ => {
                let arguments = self.context_arguments();
                quote! { Context #arguments }
            }
        }
    }

    /// The position of a state.
    pub(crate) fn index_of(&self, state: TokenStream) -> TokenStream {
        match self.own_enum() {
            Some(own) if !own.in_order => quote! { #state.index() },
            _ => quote! { #state as usize },
        }
    }

    /// The same as a `u32`.
    pub(crate) fn word_of(&self, state: TokenStream) -> TokenStream {
        if self.index_argument().is_some() {
            quote! { #state.index() as u32 }
        } else {
            quote! { #state as u32 }
        }
    }

    /// How the façade's table macros find the position of a state.
    pub(crate) fn index_argument(&self) -> Option<TokenStream> {
        self.own_enum().is_some_and(|own| !own.in_order).then(|| quote! { , [.index()] })
    }

    /// The identifiers of the context's fields, by [`FieldId`].
    pub(crate) fn field(&self, id: FieldId) -> &Ident {
        match self.own_struct() {
            Some(own) => &own.fields[id.index()],
            None => &self.fields[id.index()],
        }
    }

    /// Whether types of the module have a parameter for this type because of the context.
    /// The user's struct has settled it.
    pub(crate) fn context_has(&self, ty: &Type) -> bool {
        self.own_struct().is_none() && self.machine.fields.iter().any(|it| it.ty == *ty)
    }

    /// Whether payloads need a lifetime for texts, or a parameter for references.
    pub(crate) fn payload_has(&self, ty: &Type) -> bool {
        let settled = *ty == Type::Reference && self.reference().is_some();
        !settled && self.machine.events.iter().flat_map(|it| &it.payload).any(|it| it.ty == *ty)
    }

    /// The user's type of references.
    pub(crate) fn reference(&self) -> Option<&TokenStream> {
        self.own_struct().and_then(|own| own.reference.as_ref())
    }
}
