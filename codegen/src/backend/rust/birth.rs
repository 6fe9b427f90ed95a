//! How a machine comes into being: `new` where no event is needed, else `born`.

use proc_macro2::TokenStream;
use quote::quote;

use super::events::angled;
use super::form::{Form, OwnStruct};
use super::{Module, dispatch, docs, introspect};
use crate::model::machine::From;
use crate::model::{Literal, Type};

/// `new` and `Default` where no event is needed, else `born`.
pub(super) fn expand_creation(module: &Module<'_>) -> TokenStream {
    if module.has_birth() {
        return expand_birth(module);
    }
    match &module.shape.form {
        Form::Emitted => expand_new(module),
        Form::Struct(own) => {
            let (ident, parameters, literal) = (&module.ident, own.parameters(), expand_initial(module, own));
            quote! {
                impl #ident {
                    /// A new machine, in its initial state; takes what the spec does not know.
                    pub fn new(#parameters) -> Self {
                        #literal
                    }
                }
            }
        }
        // Where a machine starts is `State::INITIAL`.
        Form::Enum(_) => quote! {},
    }
}

/// The user's struct in the initial state; its own fields are parameters.
fn expand_initial(module: &Module<'_>, own: &OwnStruct) -> TokenStream {
    let (ident, state) = (&module.ident, &own.state);
    let names = own.own.iter().map(|(name, _)| name);
    let values = module.machine.fields.iter().zip(&own.fields).map(|(field, ident)| {
        let value = module.owned_literal(field.default.as_ref().unwrap_or(&Literal::Null), field.optional);
        quote! { #ident: #value }
    });
    quote! { #ident { #state: State::INITIAL, #(#values,)* #(#names,)* } }
}

fn expand_new(module: &Module<'_>) -> TokenStream {
    let ident = &module.ident;
    let arguments = module.context_arguments();
    let context = module.has_context().then(|| quote! { context: ::core::default::Default::default(), });
    let text = module.context_has(&Type::Text).then(|| {
        let bound = module.default_bound();
        quote! { Text #bound, }
    });
    let reference = module.context_has(&Type::Reference).then(|| quote! { R, });
    let parameters = angled(quote! { #text #reference });
    quote! {
        impl #parameters #ident #arguments {
            /// A new machine, in its initial state.
            pub fn new() -> Self {
                #ident { state: State::INITIAL, #context }
            }
        }

        impl #parameters ::core::default::Default for #ident #arguments {
            fn default() -> Self {
                Self::new()
            }
        }
    }
}

fn expand_birth(module: &Module<'_>) -> TokenStream {
    let ident = &module.ident;
    let arguments = module.context_arguments();
    let parameters = module.impl_parameters();
    let event_ty = module.event_ty();
    let (predicates, predicates_argument, predicates_bound) = module.predicates_pieces();
    let method_parameters = {
        let reference = module.method_reference();
        angled(quote! { #reference #predicates_bound })
    };
    let outcome = dispatch::expand_birth(module);
    let settling = expand_settling_birth(module);
    let allow = module.allow_odd_conditions(&|row| row.from == From::Creation);
    let events = introspect::birth_events(module);
    let names = docs::code_list(events.iter().map(|id| module.machine.event(*id).name.as_str()), "or");
    let doc = docs::line(&format!("Brings a machine into being by {names}."));
    // Whoever asks no predicates gets them all the same, so that adding a guard changes no signature.
    let unused = (module.has_predicates() && !module.asks(&|row| row.from == From::Creation)).then(|| quote! { let _ = predicates; });
    let body = |machine: TokenStream| {
        quote! {
            #unused
            #machine
            #outcome
            let step = outcome.at_birth(event.kind())?;
            #settling
            machine.take(&step, &event);
            ::core::result::Result::Ok((machine, Change::new(step)))
        }
    };
    let result = quote! { ::core::result::Result<(Self, Change), Refused> };
    let methods = if let Form::Struct(own) = &module.shape.form {
        let (own_parameters, literal, state) = (own.parameters(), expand_initial(module, own), &own.state);
        let body = body(quote! {});
        quote! {
            #doc
            pub fn born #method_parameters (#own_parameters event: #event_ty, #predicates) -> #result {
                #literal.born_with(event, #predicates_argument)
            }

            /// The same, with a context that the caller has prepared: the machine itself, whose state is of no account.
            #allow
            pub fn born_with #method_parameters (self, event: #event_ty, #predicates) -> #result {
                let mut machine = self;
                machine.#state = State::INITIAL;
                #body
            }
        }
    } else if module.has_context() {
        let body = body(quote! { let mut machine = #ident { state: State::INITIAL, context }; });
        quote! {
            #doc
            pub fn born #method_parameters (event: #event_ty, #predicates) -> #result {
                Self::born_with(::core::default::Default::default(), event, #predicates_argument)
            }

            /// The same, with a context that the caller has prepared.
            #allow
            pub fn born_with #method_parameters (
                context: Context #arguments,
                event: #event_ty,
                #predicates
            ) -> #result {
                #body
            }
        }
    } else {
        let machine = match &module.shape.form {
            Form::Enum(_) => quote! { State::INITIAL },
            _ => quote! { #ident { state: State::INITIAL } },
        };
        let body = body(quote! { let mut machine = #machine; });
        quote! {
            #doc
            #allow
            pub fn born #method_parameters (event: #event_ty, #predicates) -> #result {
                #body
            }
        }
    };
    quote! {
        impl #parameters #ident #arguments {
            #methods
        }
    }
}

/// An event that settles goes on firing after the birth.
fn expand_settling_birth(module: &Module<'_>) -> Option<TokenStream> {
    let facade = &module.facade;
    let settling: Vec<_> = introspect::birth_events(module)
        .into_iter()
        .filter(|id| module.machine.event(*id).settles && module.has_dispatch())
        .map(|id| module.event(id))
        .collect();
    let predicates = if module.has_predicates() {
        quote! { predicates }
    } else {
        quote! { &() }
    };
    (!settling.is_empty()).then(|| {
        quote! {
            if ::core::matches!(event.kind(), #(#settling)|*) {
                return #facade::settle_from(machine, step, &event, #predicates);
            }
        }
    })
}
