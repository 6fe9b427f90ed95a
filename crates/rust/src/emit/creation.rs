//! Creating a machine: `new` if no event is needed, else `create`.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::context::expand_initial_fields;
use super::dispatch::expand_creation as expand_outcome;
use super::expr::allow_conditions;
use super::generics::angled;
use super::{doc_line, events, react, steps};
use crate::ir::{Creation, Form, Machine, OwnStruct};
use crate::names::{LOCALS, UniqueNames};

/// `new`, or `create` and `create_with`: the parameters of their implementation, and the methods.
pub(super) fn expand_creation(m: &Machine) -> (TokenStream, TokenStream) {
    match (&m.creation, &m.form) {
        (Some(creation), form) => (angled(m.step_parameters()), expand_create(m, creation, form)),
        (None, Form::Module | Form::Around(_)) => (m.default_parameters(), expand_new(m)),
        (None, Form::Struct(own)) => (angled(m.generics.own.parameters.clone()), expand_own_new(m, own)),
        // The initial state is `State::INITIAL`.
        (None, Form::Enum(_)) => Default::default(),
    }
}

/// `Default` of a machine that `new` creates.
pub(super) fn expand_default(m: &Machine) -> Option<TokenStream> {
    let is_new = m.creation.is_none() && matches!(m.form, Form::Module | Form::Around(_)) && !m.starts_by_conversion();
    let (Machine, attributes) = (&m.types.machine, &m.env.attributes);
    let (parameters, arguments) = (m.default_parameters(), m.arguments());
    is_new.then(|| {
        quote! {
            #attributes
            impl #parameters __Default for #Machine #arguments {
                fn default() -> Self {
                    Self::new()
                }
            }
        }
    })
}

fn expand_new(m: &Machine) -> TokenStream {
    let (Machine, State, vis) = (&m.types.machine, &m.types.configuration, &m.env.visibility);
    if m.starts_by_conversion() {
        let (facade, Context) = (&m.env.facade, &m.types.context);
        return quote! {
            /// A new machine, in its initial state; an error where a value of the spec is out of the range of its type.
            #vis fn new() -> __Result<Self, #facade::OutOfRange> {
                __Ok(#Machine { state: #State::INITIAL, context: #Context::initial()? })
            }
        };
    }
    let context = m.has_context().then(|| quote! { context: __Default::default(), });
    quote! {
        /// A new machine, in its initial state.
        #vis fn new() -> Self {
            #Machine { state: #State::INITIAL, #context }
        }
    }
}

fn expand_own_new(m: &Machine, own: &OwnStruct) -> TokenStream {
    let (parameters, initial) = (expand_own_parameters(own), m.env.body(expand_initial(m, own)));
    let vis = &m.env.visibility;
    let starting = quote! { #vis fn new(#parameters) };
    match m.starts_by_conversion() {
        true => {
            let facade = &m.env.facade;
            quote! {
                /// A new machine, in its initial state; takes the fields that the spec does not know. An error where a value of
                /// the spec is out of the range of its type.
                #starting -> __Result<Self, #facade::OutOfRange> {
                    #initial
                }
            }
        }
        false => quote! {
            /// A new machine, in its initial state; takes the fields that the spec does not know.
            #starting -> Self {
                #initial
            }
        },
    }
}

/// The user's own fields as parameters. Their names differ from those of other variables.
fn expand_own_parameters(own: &OwnStruct) -> TokenStream {
    own.own.iter().zip(own_locals(own)).map(|((_, ty), local)| quote! { #local: #ty, }).collect()
}

fn own_locals(own: &OwnStruct) -> Vec<Ident> {
    let mut locals = UniqueNames::besides(LOCALS.iter().copied());
    own.own.iter().map(|(name, _)| locals.claim_like(name)).collect()
}

/// The user's struct in the initial state; its own fields are parameters.
fn expand_initial(m: &Machine, own: &OwnStruct) -> TokenStream {
    let (Machine, State, state) = (&m.types.machine, &m.types.configuration, &own.state);
    let fields = expand_initial_fields(m);
    let own = own.own.iter().zip(own_locals(own)).map(|((name, _), local)| {
        if *name == local {
            quote! { #name, }
        } else {
            quote! { #name: #local, }
        }
    });
    let initial = quote! { #Machine { #state: #State::INITIAL, #fields #(#own)* } };
    if m.starts_by_conversion() {
        quote! { __Ok(#initial) }
    } else {
        initial
    }
}

fn expand_create(m: &Machine, creation: &Creation, form: &Form) -> TokenStream {
    let (Machine, State, Change, Refused) = (&m.types.machine, &m.types.configuration, &m.types.change, &m.types.refused);
    let vis = &m.env.visibility;
    let arguments = m.arguments();
    let (event_ty, (predicates, predicates_argument, bound)) = (m.input_ty(), m.predicates_pieces());
    let reference = m.method_reference();
    let parameters = angled(quote! { #reference #bound });
    let result = quote! { __Result<(Self, #Change), #Refused> };
    let docs = doc_line(&creation.doc);
    let mutable = m.dispatch.is_none().then(|| quote! { mut });
    let allow = allow_conditions(creation.arms.iter().filter_map(|it| it.guard.as_ref()), &m.env);
    let methods = match form {
        Form::Struct(own) => {
            let (own_parameters, initial, state) = (expand_own_parameters(own), expand_initial(m, own), &own.state);
            let machine = match m.starts_by_conversion() {
                true => {
                    let refuse = expand_out_of_range(m);
                    let facade = &m.env.facade;
                    quote! {
                        let initial = || -> __Result<Self, #facade::OutOfRange> { #initial };
                        initial().map_err(#refuse)?
                    }
                }
                false => initial,
            };
            let initial = m.env.body(quote! { #machine.create_with(event, #predicates_argument) });
            let body = expand_body(
                m,
                creation,
                &quote! {
                    let mut machine = self;
                    machine.#state = #State::INITIAL;
                },
            );
            quote! {
                #docs
                #vis fn create #parameters (#own_parameters event: #event_ty, #predicates) -> #result {
                    #initial
                }

                /// The same for a machine that the caller has prepared; its state is ignored.
                #allow
                #vis fn create_with #parameters (self, event: #event_ty, #predicates) -> #result {
                    #body
                }
            }
        }
        Form::Module | Form::Around(_) if m.has_context() => {
            let Context = &m.types.context;
            let body = expand_body(m, creation, &quote! { let #mutable machine = #Machine { state: #State::INITIAL, context }; });
            let initial = match m.starts_by_conversion() {
                true => {
                    let refuse = expand_out_of_range(m);
                    quote! { #Context::initial().map_err(#refuse)? }
                }
                false => quote! { __Default::default() },
            };
            quote! {
                #docs
                #vis fn create #parameters (event: #event_ty, #predicates) -> #result {
                    Self::create_with(#initial, event, #predicates_argument)
                }

                /// The same with a context that the caller has prepared.
                #allow
                #vis fn create_with #parameters (context: #Context #arguments, event: #event_ty, #predicates) -> #result {
                    #body
                }
            }
        }
        Form::Module | Form::Enum(_) | Form::Around(_) => {
            let machine = if matches!(form, Form::Enum(_)) {
                quote! { #State::INITIAL }
            } else {
                quote! { #Machine { state: #State::INITIAL } }
            };
            let body = expand_body(m, creation, &quote! { let #mutable machine = #machine; });
            quote! {
                #docs
                #allow
                #vis fn create #parameters (event: #event_ty, #predicates) -> #result {
                    #body
                }
            }
        }
    };
    let create_as = m.actors.as_ref().map(|_| {
        let (own_parameters, own_arguments) = match form {
            Form::Struct(own) => (expand_own_parameters(own), own_locals(own)),
            Form::Module | Form::Enum(_) | Form::Around(_) => Default::default(),
        };
        let (Actor, Leaf, facade) = (&m.types.actor, &m.types.state, &m.env.facade);
        let body = m.env.body(quote! {
            #facade::__private::permit::<#Leaf>(__None, event.kind(), actor)?;
            Self::create(#(#own_arguments,)* event, #predicates_argument)
        });
        quote! {
            /// The same in the name of an actor: refused where the actor may not raise the event.
            #vis fn create_as #parameters (actor: #Actor, #own_parameters event: #event_ty, #predicates) -> #result {
                #body
            }
        }
    });
    quote! {
        #methods

        #create_as
    }
}

fn expand_body(m: &Machine, creation: &Creation, machine: &TokenStream) -> TokenStream {
    let Change = &m.types.change;
    // A machine with predicates takes them in every method, so that adding a guard changes no signature.
    let unused = (!m.predicates.is_empty() && !creation.asks && !m.assigns_predicates() && m.dispatch.is_none())
        .then(|| quote! { let _ = predicates; });
    let outcome = expand_outcome(m, creation);
    let created = match m.dispatch {
        Some(_) => {
            let (facade, (_, argument)) = (&m.env.facade, m.predicates_argument());
            quote! { #facade::__private::Dispatch::follow(machine, step, &event, #argument) }
        }
        None => {
            let take = steps::expand_call(m, &quote! { &mut machine }, &quote! { &step }, &quote! { &event });
            let created = match m.reactions {
                Some(_) => {
                    let Refused = &m.types.refused;
                    let refused = quote! { #Refused::of_event(step.from(), event.kind(), reason, row) };
                    react::expand_call(m, &quote! { machine }, &quote! { step }, &refused)
                }
                None => quote! { __Ok((machine, #Change::new(step))) },
            };
            quote! { #take #created }
        }
    };
    let fits = steps::expand_fits_call(m, &quote! { machine }, &quote! { &event }, &expand_out_of_range(m));
    let recorded = events::expand_recorded(m);
    m.env.body(quote! {
        #unused
        #recorded
        #machine
        #outcome
        #fits
        #created
    })
}

/// The function from a value that is out of range to the refusal of the event.
fn expand_out_of_range(m: &Machine) -> TokenStream {
    let (Refused, facade) = (&m.types.refused, &m.env.facade);
    quote! { |error| #Refused::of_event(__None, event.kind(), #facade::Reason::OutOfRange, __None).out_of_range(error) }
}
