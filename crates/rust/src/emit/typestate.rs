//! A type for each state, on request: an event that is refused there does not compile.
//!
//! `In<states::Queued>` is a machine known to be queued. It has a method for each transition without
//! a guard; the method returns the machine in the target state.

use proc_macro2::TokenStream;
use quote::quote;

use super::arm::expand_binding;
use super::generics::angled;
use super::{doc, steps};
use crate::ir::{Form, Machine, Typestate, TypestateMethod, TypestateState};

/// The markers, the type around a machine, and its methods.
pub(super) fn expand_typestate(m: &Machine) -> Option<TokenStream> {
    let typestate = m.typestate.as_ref().filter(|_| m.has_machine())?;
    let markers = expand_markers(m, typestate);
    let wrapper = expand_wrapper(m);
    let methods = typestate.states.iter().filter(|it| !it.methods.is_empty()).map(|it| expand_methods(m, typestate, it));
    Some(quote! { #markers #wrapper #(#methods)* })
}

fn expand_markers(m: &Machine, typestate: &Typestate) -> TokenStream {
    let (State, Marker, states) = (&m.types.state, &m.types.marker, &typestate.module);
    let (vis, attributes, impl_attributes) = (&m.env.visibility, &m.env.attributes, &m.env.impl_attributes);
    let types = typestate.states.iter().map(|it| {
        let (docs, variant) = (doc(&it.doc), &it.variant);
        quote! {
            #docs
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub struct #variant;
        }
    });
    let variants = typestate.states.iter().map(|it| &it.variant);
    quote! {
        /// A type for each state.
        #attributes
        #vis mod #states {
            #(#types)*
        }

        /// A type-level state.
        #attributes
        #vis trait #Marker {
            /// The state.
            const STATE: #State;
        }

        #(
            #impl_attributes
            impl #Marker for #states::#variants {
                const STATE: #State = #State::#variants;
            }
        )*
    }
}

fn expand_wrapper(m: &Machine) -> TokenStream {
    let (Machine, Marker, In, Change, vis, attributes) =
        (&m.types.machine, &m.types.marker, &m.types.in_state, &m.types.change, &m.env.visibility, &m.env.attributes);
    // A user's enum is the state itself, and is passed by value.
    let state = if matches!(m.form, Form::Enum(_)) {
        quote! { machine }
    } else {
        m.state_of(&quote! { machine })
    };
    quote! {
        /// The machine while it is known to be in the state `S`.
        #attributes
        #[derive(Debug)]
        #vis struct #In<S> {
            machine: #Machine,
            change: __Option<#Change>,
            state: ::core::marker::PhantomData<S>,
        }

        #attributes
        impl<S: #Marker> #In<S> {
            /// Checks the state: a machine in another state is returned as the error.
            #vis fn check(machine: #Machine) -> __Result<Self, #Machine> {
                if #state == S::STATE {
                    __Ok(#In { machine, change: __None, state: ::core::marker::PhantomData })
                } else {
                    __Err(machine)
                }
            }

            /// The machine.
            #vis const fn machine(&self) -> &#Machine {
                &self.machine
            }

            /// The machine, without its state in the type.
            #vis fn into_machine(self) -> #Machine {
                self.machine
            }

            /// The change that led here, with the effects to perform; `None` where the state was only checked.
            #vis const fn change(&self) -> __Option<&#Change> {
                self.change.as_ref()
            }
        }
    }
}

fn expand_methods(m: &Machine, typestate: &Typestate, state: &TypestateState) -> TokenStream {
    let (In, states, variant, attributes) = (&m.types.in_state, &typestate.module, &state.variant, &m.env.attributes);
    let methods = state.methods.iter().map(|it| expand_method(m, typestate, state, it));
    quote! {
        #attributes
        impl #In<#states::#variant> {
            #(#methods)*
        }
    }
}

fn expand_method(m: &Machine, typestate: &Typestate, from: &TypestateState, method: &TypestateMethod) -> TokenStream {
    let (In, State, Event, Change) = (&m.types.in_state, &m.types.state, &m.types.event, &m.types.change);
    let (facade, vis, states) = (&m.env.facade, &m.env.visibility, &typestate.module);
    let TypestateMethod { method: name, to, row, event, .. } = method;
    let (docs, from) = (doc(&method.doc), &from.variant);
    let Some((variant, fields)) = event else {
        return quote! {
            #docs
            #vis fn #name(mut self) -> #In<#states::#to> {
                let change = self.machine.transition_to(#State::#to).ok();
                #In { machine: self.machine, change, state: ::core::marker::PhantomData }
            }
        };
    };
    let parameters = fields.iter().map(|field| {
        let (local, ty) = (&field.local, &field.argument);
        quote! { #local: #ty }
    });
    let values = fields.iter().map(|field| expand_binding(&field.ident, &field.local));
    let payload = (!fields.is_empty()).then(|| quote! { { #(#values),* } });
    // If the payload has no reference, the event's parameter for references may be any type.
    let take = steps::expand_call(m, &quote! { &mut self.machine }, &quote! { &step }, &quote! { &event });
    let (reference, event_ty) = if method.takes_reference {
        (angled(m.method_reference()), m.event_ty_for(quote! {}))
    } else {
        (quote! {}, m.event_ty_of_any_reference())
    };
    quote! {
        #docs
        #vis fn #name #reference (mut self, #(#parameters),*) -> #In<#states::#to> {
            let step = #facade::Step::new(__Some(#State::#from), #State::#to, #row);
            let event: #event_ty = #Event::#variant #payload;
            #take
            #In { machine: self.machine, change: __Some(#Change::new(step)), state: ::core::marker::PhantomData }
        }
    }
}
