//! Creating a machine: `new` if no event is needed, else `create`.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::context::expand_initial_fields;
use super::dispatch::expand_creation as expand_outcome;
use super::expr::allow_conditions;
use super::generics::angled;
use super::machine::expand_wrong_actor;
use super::{doc_line, events, react, steps};
use crate::ir::{Creation, Form, Machine, OwnStruct};
use crate::names::{LOCALS, UniqueNames};

/// `new` and `Default`, or `create` and `create_with`.
pub(super) fn expand_creation(m: &Machine) -> TokenStream {
    match (&m.creation, &m.form) {
        (Some(creation), form) => expand_create(m, creation, form),
        (None, Form::Module | Form::Around(_)) => expand_new(m),
        (None, Form::Struct(own)) => expand_own_new(m, own),
        // The initial state is `State::INITIAL`.
        (None, Form::Enum(_)) => quote! {},
    }
}

fn expand_new(m: &Machine) -> TokenStream {
    let (Machine, State, default, vis) = (&m.types.machine, &m.types.configuration, &m.env.prelude.default, &m.env.visibility);
    let (parameters, arguments) = (m.default_parameters(), m.arguments());
    let attributes = &m.env.attributes;
    if m.starts_by_conversion() {
        let (result, ok, facade, Context) = (&m.env.prelude.result, &m.env.prelude.ok, &m.env.facade, &m.types.context);
        return quote! {
            #attributes
            impl #parameters #Machine #arguments {
                /// A new machine, in its initial state; an error where a value of the spec is out of the range of its type.
                #vis fn new() -> #result<Self, #facade::OutOfRange> {
                    #ok(#Machine { state: #State::INITIAL, context: #Context::initial()? })
                }
            }
        };
    }
    let context = m.has_context().then(|| quote! { context: #default::default(), });
    quote! {
        #attributes
        impl #parameters #Machine #arguments {
            /// A new machine, in its initial state.
            #vis fn new() -> Self {
                #Machine { state: #State::INITIAL, #context }
            }
        }

        impl #parameters #default for #Machine #arguments {
            fn default() -> Self {
                Self::new()
            }
        }
    }
}

fn expand_own_new(m: &Machine, own: &OwnStruct) -> TokenStream {
    let (Machine, vis, attributes) = (&m.types.machine, &m.env.visibility, &m.env.attributes);
    let (parameters, initial) = (expand_own_parameters(own), m.env.body(expand_initial(m, own)));
    let (own_generics, arguments) = (angled(m.generics.own.parameters.clone()), m.arguments());
    let starting = quote! { #vis fn new(#parameters) };
    let new = match m.starts_by_conversion() {
        true => {
            let (result, facade) = (&m.env.prelude.result, &m.env.facade);
            quote! {
                /// A new machine, in its initial state; takes the fields that the spec does not know. An error where a value of
                /// the spec is out of the range of its type.
                #starting -> #result<Self, #facade::OutOfRange> {
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
    };
    quote! {
        #attributes
        impl #own_generics #Machine #arguments {
            #new
        }
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
    let ok = &m.env.prelude.ok;
    if m.starts_by_conversion() {
        quote! { #ok(#initial) }
    } else {
        initial
    }
}

fn expand_create(m: &Machine, creation: &Creation, form: &Form) -> TokenStream {
    let (Machine, State, Change, Refused) = (&m.types.machine, &m.types.configuration, &m.types.change, &m.types.refused);
    let (vis, attributes, prelude) = (&m.env.visibility, &m.env.attributes, &m.env.prelude);
    let (result, default) = (&prelude.result, &prelude.default);
    let (arguments, impl_parameters) = (m.arguments(), angled(m.step_parameters()));
    let (event_ty, (predicates, predicates_argument, bound)) = (m.input_ty(), m.predicates_pieces());
    let reference = m.method_reference();
    let parameters = angled(quote! { #reference #bound });
    let result = quote! { #result<(Self, #Change), #Refused> };
    let docs = doc_line(&creation.doc);
    let allow = allow_conditions(creation.arms.iter().filter_map(|it| it.guard.as_ref()), &m.env);
    let methods = match form {
        Form::Struct(own) => {
            let (own_parameters, initial, state) = (expand_own_parameters(own), expand_initial(m, own), &own.state);
            let machine = match m.starts_by_conversion() {
                true => {
                    let refuse = expand_out_of_range(m);
                    let (result, facade) = (&prelude.result, &m.env.facade);
                    quote! {
                        let initial = || -> #result<Self, #facade::OutOfRange> { #initial };
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
            let body = expand_body(m, creation, &quote! { let mut machine = #Machine { state: #State::INITIAL, context }; });
            let initial = match m.starts_by_conversion() {
                true => {
                    let refuse = expand_out_of_range(m);
                    quote! { #Context::initial().map_err(#refuse)? }
                }
                false => quote! { #default::default() },
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
            let body = expand_body(m, creation, &quote! { let mut machine = #machine; });
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
        let (Actor, refused, err) = (&m.types.actor, expand_wrong_actor(m, None), &prelude.err);
        let body = m.env.body(quote! {
            if !event.kind().may_be_raised_by(actor) {
                return #err(#refused);
            }
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
        #attributes
        impl #impl_parameters #Machine #arguments {
            #methods

            #create_as
        }
    }
}

fn expand_body(m: &Machine, creation: &Creation, machine: &TokenStream) -> TokenStream {
    let (Change, ok) = (&m.types.change, &m.env.prelude.ok);
    // A machine with predicates takes them in every method, so that adding a guard changes no signature.
    let unused =
        (!m.predicates.is_empty() && !creation.asks && !m.assigns_predicates() && creation.settling.is_empty() && m.reactions.is_none())
            .then(|| quote! { let _ = predicates; });
    let outcome = expand_outcome(m, creation);
    let settling = expand_settling(m, creation);
    let take = steps::expand_call(m, &quote! { machine }, &quote! { &step }, &quote! { &event });
    let created = match m.reactions {
        Some(_) => react::expand_call(m, &quote! { machine }, &react::expand_refused(m, &quote! { event.kind() })),
        None => quote! { #ok((machine, #Change::new(step))) },
    };
    let fits = steps::expand_fits_call(m, &quote! { machine }, &quote! { &event }, &expand_out_of_range(m));
    let recorded = events::expand_recorded(m);
    m.env.body(quote! {
        #unused
        #recorded
        #machine
        #outcome
        #fits
        #settling
        #take
        #created
    })
}

/// The function from a value that is out of range to the refusal of the event.
fn expand_out_of_range(m: &Machine) -> TokenStream {
    let (Refused, facade, none) = (&m.types.refused, &m.env.facade, &m.env.prelude.none);
    quote! { |error| #Refused::of_event(#none, event.kind(), #facade::Reason::OutOfRange, #none).out_of_range(error) }
}

/// An event that settles fires again after creation.
fn expand_settling(m: &Machine, creation: &Creation) -> Option<TokenStream> {
    let (EventKind, facade, matches) = (&m.types.event_kind, &m.env.facade, &m.env.prelude.matches);
    let (settling, (_, predicates)) = (&creation.settling, m.predicates_argument());
    (!settling.is_empty()).then(|| {
        quote! {
            if #matches(event.kind(), #(#EventKind::#settling)|*) {
                return #facade::__private::settle_from(machine, step, &event, #predicates);
            }
        }
    })
}
