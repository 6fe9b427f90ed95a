//! A type for each state, on request: an event that is refused there does not compile.
//!
//! `In<states::Queued>` is a machine known to be queued. It has a method for each edge that no
//! guard decides, which returns the machine in the state that the edge leads to.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::events::angled;
use super::module::Claims;
use super::types::Place;
use super::{Module, docs};
use crate::model::machine::{Edge, Outcome};
use crate::model::{EventId, StateId};
use crate::names::{ident, snake};

/// The markers, the type around a machine, and its methods.
pub(crate) fn expand_typestate(module: &Module<'_>) -> Option<TokenStream> {
    if !module.shape.typestate || !module.has_machine() {
        return None;
    }
    let markers = expand_markers(module);
    let wrapper = expand_wrapper(module);
    let methods = module.leaves.iter().filter_map(|from| expand_methods(module, *from));
    Some(quote! { #markers #wrapper #(#methods)* })
}

/// The module of the markers.
fn states(module: &Module<'_>) -> Ident {
    let prefix = &module.shape.prefix;
    ident(&if prefix.is_empty() { "states".to_owned() } else { snake(prefix) + "_states" })
}

fn marker(module: &Module<'_>, id: StateId) -> TokenStream {
    let (states, variant) = (states(module), &module.states[id.index()]);
    quote! { #states::#variant }
}

fn expand_markers(module: &Module<'_>) -> TokenStream {
    let states = states(module);
    let types = module.leaves.iter().map(|id| {
        let (variant, state) = (&module.states[id.index()], module.machine.state(*id));
        let doc = docs::attributes(&[docs::sentence_or(state.doc.as_deref(), || format!("The state {}.", docs::code(&state.name)))]);
        quote! {
            #doc
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub struct #variant;
        }
    });
    let implementations = module.leaves.iter().map(|id| {
        let (marker, state) = (marker(module, *id), module.state(*id));
        quote! {
            impl Marker for #marker {
                const STATE: State = #state;
            }
        }
    });
    quote! {
        /// A type for each state.
        pub mod #states {
            #(#types)*
        }

        /// A type that stands for a state.
        pub trait Marker {
            /// The state.
            const STATE: State;
        }

        #(#implementations)*
    }
}

fn expand_wrapper(module: &Module<'_>) -> TokenStream {
    let machine = &module.ident;
    let state = module.state_of(&quote! { machine });
    // The user's enum is lent by value.
    let state = if module.own_enum().is_some() {
        quote! { machine }
    } else {
        state
    };
    let name = docs::code(&module.machine.name);
    let doc = docs::line(&format!("A {name} that is known to be in the state `S`."));
    quote! {
        #doc
        #[derive(Debug)]
        pub struct In<S> {
            machine: #machine,
            change: ::core::option::Option<Change>,
            state: ::core::marker::PhantomData<S>,
        }

        impl<S: Marker> In<S> {
            /// Looks at the state: the machine comes back where it is another one.
            pub fn check(machine: #machine) -> ::core::result::Result<Self, #machine> {
                if #state == S::STATE {
                    ::core::result::Result::Ok(In { machine, change: ::core::option::Option::None, state: ::core::marker::PhantomData })
                } else {
                    ::core::result::Result::Err(machine)
                }
            }

            /// The machine.
            pub const fn machine(&self) -> &#machine {
                &self.machine
            }

            /// The machine, of which nothing is known any more.
            pub fn into_machine(self) -> #machine {
                self.machine
            }

            /// The change that led here, with the effects to perform; `None` where the state was only looked at.
            pub const fn change(&self) -> ::core::option::Option<&Change> {
                self.change.as_ref()
            }
        }
    }
}

/// What can be done in one state.
fn expand_methods(module: &Module<'_>, from: StateId) -> Option<TokenStream> {
    let mut claims = Claims::new(&["check", "machine", "into_machine", "change"]);
    let mut methods = Vec::new();
    for edges in module.machine.edges_from(Some(from)).chunk_by(|a, b| a.event == b.event) {
        match edges[0].event {
            Some(event) => methods.extend(expand_event(module, from, event, &edges[0], &mut claims)),
            None => methods.extend(expand_wishes(module, edges, &mut claims)),
        }
    }
    let marker = marker(module, from);
    (!methods.is_empty()).then(|| {
        quote! {
            impl In<#marker> {
                #(#methods)*
            }
        }
    })
}

/// Whether an edge is taken whatever anybody says, and where it leads.
fn certain(module: &Module<'_>, from: StateId, edge: &Edge) -> Option<StateId> {
    if module.machine.transition(edge.transition).guard.is_some() {
        return None;
    }
    match edge.outcome {
        Outcome::Leaf(to) => Some(to),
        Outcome::Stay => Some(from),
        Outcome::Payload(_) | Outcome::Refuse => None,
    }
}

fn expand_event(module: &Module<'_>, from: StateId, id: EventId, edge: &Edge, claims: &mut Claims) -> Option<TokenStream> {
    let facade = &module.facade;
    let event = module.machine.event(id);
    // An event that settles may go anywhere.
    let to = certain(module, from, edge).filter(|_| !event.settles)?;
    let method = claims.claim(snake(&event.name));
    let doc = docs::attributes(&[docs::sentence_or(event.doc.as_deref(), || format!("The event {}.", docs::code(&event.name)))]);
    let fields = module.field_idents(&event.payload);
    let parameters = event.payload.iter().zip(&fields).map(|(field, name)| {
        let (name, ty) = (module.local(name), module.field_ty(field, Place::Argument));
        quote! { #name: #ty }
    });
    let values = fields.iter().map(|it| module.binding(it));
    let payload = (!fields.is_empty()).then(|| quote! { { #(#values),* } });
    let variant = &module.events[id.index()];
    let (from, target, row) = (module.state(from), module.state(to), Literal::u32_unsuffixed(edge.transition.0));
    let marker = marker(module, to);
    let reference = angled(module.method_reference());
    Some(quote! {
        #doc
        pub fn #method #reference (mut self, #(#parameters),*) -> In<#marker> {
            let step = #facade::Step::new(::core::option::Option::Some(#from), #target, #row);
            self.machine.take(&step, &Event::#variant #payload);
            In { machine: self.machine, change: ::core::option::Option::Some(Change::new(step)), state: ::core::marker::PhantomData }
        }
    })
}

/// Edges without an event, by their targets. Guards elsewhere may ask predicates, which a certain edge does not.
fn expand_wishes(module: &Module<'_>, edges: &[Edge], claims: &mut Claims) -> Vec<TokenStream> {
    if module.has_predicates() {
        return Vec::new();
    }
    let mut seen = Vec::new();
    let mut methods = Vec::new();
    for edge in edges {
        let Outcome::Leaf(to) = edge.outcome else { continue };
        if seen.contains(&to) {
            continue;
        }
        seen.push(to);
        if module.machine.transition(edge.transition).guard.is_some() {
            continue;
        }
        let name = &module.machine.state(to).name;
        let method = claims.claim(format!("to_{}", snake(name)));
        let (state, marker) = (module.state(to), marker(module, to));
        let doc = docs::line(&format!("Goes to {}.", docs::code(name)));
        methods.push(quote! {
            #doc
            pub fn #method(mut self) -> In<#marker> {
                let change = self.machine.transition_to(#state).ok();
                In { machine: self.machine, change, state: ::core::marker::PhantomData }
            }
        });
    }
    methods
}
