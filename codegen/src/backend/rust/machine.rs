//! The machine: its state and context, and the methods that move it.

use proc_macro2::TokenStream;
use quote::quote;

use super::assign::{self, TextNeeds};
use super::events::angled;
use super::form::{Form, Part};
use super::long::fixed;
use super::{Module, birth, dispatch, docs, effects};
use crate::model::Type;
use crate::model::machine::{From, Transition};

/// The struct, its methods and `impl Machine`.
pub(crate) fn expand_machine(module: &Module<'_>) -> TokenStream {
    let definition = expand_definition(module);
    let machine = module.has_machine().then(|| {
        let creation = module.has_part(Part::New).then(|| birth::expand_creation(module));
        let steps = expand_steps(module);
        let machine_trait = expand_machine_trait(module);
        quote! { #creation #steps #machine_trait }
    });
    let aliases = expand_aliases(module);
    quote! { #definition #machine #aliases }
}

/// The struct and reading it; what the user has defined is the user's.
fn expand_definition(module: &Module<'_>) -> Option<TokenStream> {
    match &module.shape.form {
        Form::Emitted => {
            let (definition, access) = (expand_struct(module), expand_access(module));
            Some(quote! { #definition #access })
        }
        Form::Struct(_) => {
            let (ident, state) = (&module.ident, expand_state(module));
            Some(quote! { impl #ident { #state } })
        }
        Form::Enum(_) => None,
    }
}

fn expand_struct(module: &Module<'_>) -> TokenStream {
    let ident = &module.ident;
    let definition = module.context_definition();
    let arguments = module.context_arguments();
    let machine = module.machine;
    let doc = docs::attributes(&[docs::sentence(&machine.title), machine.doc.as_deref().map(docs::sentence).unwrap_or_default()]);
    let context = module.has_context().then(|| quote! { context: Context #arguments, });
    quote! {
        #doc
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub struct #ident #definition {
            state: State,
            #context
        }
    }
}

/// Reading, and restoring from a store.
fn expand_access(module: &Module<'_>) -> TokenStream {
    let ident = &module.ident;
    let arguments = module.context_arguments();
    let (restore, context) = if module.has_context() {
        let restore = quote! {
            /// The machine as it was stored.
            #[inline]
            pub const fn restore(state: State, context: Context #arguments) -> Self {
                #ident { state, context }
            }
        };
        let context = fixed!(module.long, members(arguments) => {
            /// What it knows beside its state.
            #[inline]
            pub const fn context(&self) -> &Context #arguments {
                &self.context
            }

            /// What it knows beside its state, to be changed by hand.
            #[inline]
            pub const fn context_mut(&mut self) -> &mut Context #arguments {
                &mut self.context
            }
        });
        (restore, Some(context))
    } else {
        let restore = quote! {
            /// The machine as it was stored.
            #[inline]
            pub const fn restore(state: State) -> Self {
                #ident { state }
            }
        };
        (restore, None)
    };
    let state = expand_state(module);
    quote! {
        impl #arguments #ident #arguments {
            #restore
            #state
            #context
        }
    }
}

fn expand_state(module: &Module<'_>) -> TokenStream {
    let state = module.state_of(&quote! { self });
    fixed!(module.long, members(state) => {
        /// What it is in.
        #[inline]
        pub const fn state(&self) -> State {
            #state
        }
    })
}

/// `plan`, `apply`, `transition_to` and `run`.
fn expand_steps(module: &Module<'_>) -> TokenStream {
    let ident = &module.ident;
    let arguments = module.context_arguments();
    let parameters = module.impl_parameters();
    let on_event = module.has_events().then(|| expand_event_methods(module));
    let on_wish = module.has_wishes().then(|| expand_wish_methods(module));
    let run = effects::expand_run(module);
    quote! {
        impl #parameters #ident #arguments {
            #on_event
            #on_wish
            #run
        }
    }
}

fn expand_event_methods(module: &Module<'_>) -> TokenStream {
    let facade = &module.facade;
    let (predicates, predicates_argument, predicates_bound) = module.predicates_pieces();
    let predicates_argument = if module.has_predicates() {
        predicates_argument
    } else {
        quote! { &() }
    };
    let reference = module.method_reference();
    let parameters = angled(quote! { #reference #predicates_bound });
    let event_ty = module.event_ty();
    let state = module.state_of(&quote! { self });
    let apply_as = (!module.machine.actors.is_empty()).then(|| {
        let forwarded = module.has_predicates().then(|| quote! { predicates });
        fixed!(module.long, members(facade, parameters, event_ty, predicates, state, forwarded) => {
            /// Raises an event in the name of an actor: refused where the actor may not.
            pub fn apply_as #parameters (&mut self, actor: Actor, event: #event_ty, #predicates) -> ::core::result::Result<Change, Refused> {
                if !event.kind().may_be_raised_by(actor) {
                    return ::core::result::Result::Err(Refused::event_in(
                        ::core::option::Option::Some(#state),
                        event.kind(),
                        #facade::Why::Actor,
                    ));
                }
                self.apply(event, #forwarded)
            }
        })
    });
    let methods = module.has_dispatch().then(|| {
        let apply = fixed!(module.long, members(facade, parameters, event_ty, predicates, predicates_argument) => {
            /// What an event would change; nothing changes.
            #[inline]
            pub fn plan #parameters (&self, event: #event_ty, #predicates) -> ::core::result::Result<Change, Refused> {
                #facade::Machine::plan(self, &event, #predicates_argument)
            }

            /// Raises an event: the machine moves, or the event is refused and everything is as it was.
            #[inline]
            pub fn apply #parameters (&mut self, event: #event_ty, #predicates) -> ::core::result::Result<Change, Refused> {
                #facade::Machine::apply(self, &event, #predicates_argument)
            }
        });
        quote! { #apply #apply_as }
    });
    let take = expand_take(module);
    quote! { #methods #take }
}

/// Taking a step: the assignments, then the state.
fn expand_take(module: &Module<'_>) -> TokenStream {
    let facade = &module.facade;
    let assignments = assign::expand_on_event(module);
    // The match has an arm for each group of rows, and may have only one.
    let allow = assignments.is_some().then(|| quote! { #[allow(clippy::single_match, clippy::nonminimal_bool)] });
    let event_ty = module.event_ty();
    let reference = angled(module.method_reference());
    let event = if assignments.as_ref().is_some_and(|it| it.reads_payload) {
        quote! { event }
    } else {
        quote! { _event }
    };
    let assignments = assignments.map(|it| it.tokens);
    let state = module.state_of(&quote! { self });
    quote! {
        #[inline]
        #allow
        fn take #reference (&mut self, step: &#facade::Step<State>, #event: &#event_ty) {
            #assignments
            #state = step.to();
        }
    }
}

fn expand_wish_methods(module: &Module<'_>) -> TokenStream {
    let facade = &module.facade;
    let asks = module.asks(&|row| row.events.is_empty());
    let (predicates, predicates_argument, predicates_bound) = module.predicates_pieces();
    let parameters = angled(predicates_bound);
    let outcome = dispatch::expand_wish(module);
    let state = module.state_of(&quote! { self });
    let assignments = assign::expand_on_wish(module);
    let allow = module.allow_odd_conditions(&|row| row.events.is_empty());
    // As in `take`.
    let allow_match = assignments.is_some().then(|| quote! { #[allow(clippy::single_match, clippy::nonminimal_bool)] });
    // The parameter is there for all machines with predicates, so that adding a guard changes no signature.
    let unused = (module.has_predicates() && !asks).then(|| quote! { let _ = predicates; });
    quote! {
        /// What going to a state by name would change; nothing changes.
        #[inline]
        pub fn plan_to #parameters (&self, to: State, #predicates) -> ::core::result::Result<Change, Refused> {
            self.way_to(to, #predicates_argument).map(Change::new)
        }

        /// Goes to a state by name, along an edge that takes no event; or is refused and everything is as it was.
        #[inline]
        #allow_match
        pub fn transition_to #parameters (&mut self, to: State, #predicates) -> ::core::result::Result<Change, Refused> {
            let step = self.way_to(to, #predicates_argument)?;
            #assignments
            #state = step.to();
            ::core::result::Result::Ok(Change::new(step))
        }

        #[inline]
        #allow
        fn way_to #parameters (&self, to: State, #predicates) -> ::core::result::Result<#facade::Step<State>, Refused> {
            #unused
            #outcome
        }
    }
}

fn expand_machine_trait(module: &Module<'_>) -> Option<TokenStream> {
    if !module.has_dispatch() {
        return None;
    }
    let facade = &module.facade;
    let (ident, arguments) = (&module.ident, module.context_arguments());
    let event_ty = module.event_ty();
    let (_, _, predicates_bound) = module.predicates_pieces();
    let parameters = {
        let (own, reference) = (module.impl_parameter_list(), module.method_reference());
        angled(quote! { #own #reference #predicates_bound })
    };
    let (argument, predicates_ty) = if module.has_predicates() { (Some(quote! { , P }), quote! { P }) } else { (None, quote! { () }) };
    let asks = module.asks(&|row| !row.events.is_empty() && row.from != From::Creation);
    let predicates = if asks {
        quote! { predicates }
    } else {
        quote! { _predicates }
    };
    let decision = dispatch::expand_decision(module);
    let state = module.state_of(&quote! { self });
    let settling = module.settles().then(|| expand_settling(module, &predicates_ty));
    let allow = module.allow_odd_conditions(&|row| !row.events.is_empty() && row.from != From::Creation);
    // Whatever is decided by lists alone is the same in every machine of this size.
    let methods = fixed!(module.long, members(facade, event_ty, state, allow, predicates, predicates_ty, decision) => {
        type State = State;

        #[inline]
        fn kind(event: &#event_ty) -> EventKind {
            event.kind()
        }

        #[inline]
        fn state(&self) -> State {
            #state
        }

        #[inline]
        #allow
        fn decide(&self, event: &#event_ty, #predicates: &#predicates_ty) -> ::core::result::Result<#facade::Step<State>, Refused> {
            #decision
        }

        #[inline]
        fn advance(&mut self, step: &#facade::Step<State>, event: &#event_ty) {
            self.take(step, event);
        }
    });
    Some(quote! {
        impl #parameters #facade::Machine<#event_ty #argument> for #ident #arguments {
            #methods
            #settling
        }
    })
}

/// Events that go on firing are planned on a copy.
fn expand_settling(module: &Module<'_>, predicates_ty: &TokenStream) -> TokenStream {
    let facade = &module.facade;
    let event_ty = module.event_ty();
    let settling: Vec<_> =
        module.machine.events.iter().enumerate().filter(|(_, it)| it.settles).map(|(idx, _)| &module.events[idx]).collect();
    let all = settling.len() == module.machine.events.len();
    let once =
        |statement: TokenStream| (!all).then(|| quote! { if !::core::matches!(event.kind(), #(EventKind::#settling)|*) { #statement } });
    let plan_once = once(quote! { return self.decide(event, predicates).map(Change::new); });
    let apply_once = once(quote! {
        let step = self.decide(event, predicates)?;
        self.take(&step, event);
        return ::core::result::Result::Ok(Change::new(step));
    });
    quote! {
        fn plan(&self, event: &#event_ty, predicates: &#predicates_ty) -> ::core::result::Result<Change, Refused> {
            #plan_once
            #facade::settle(self, event, predicates).map(|(_, change)| change)
        }

        fn apply(&mut self, event: &#event_ty, predicates: &#predicates_ty) -> ::core::result::Result<Change, Refused> {
            #apply_once
            let (settled, change) = #facade::settle(self, event, predicates)?;
            *self = settled;
            ::core::result::Result::Ok(change)
        }
    }
}

fn expand_aliases(module: &Module<'_>) -> TokenStream {
    let facade = &module.facade;
    fixed!(module.long, items(facade) => {
        /// What an event changed.
        pub type Change = #facade::Change<State>;

        /// Why an event was turned down.
        pub type Refused = #facade::Refused<State>;
    })
}

impl Module<'_> {
    /// `'e, Text: …, R: …,` for the methods that take steps.
    fn impl_parameter_list(&self) -> TokenStream {
        let needs = TextNeeds::of(self);
        let lifetime = needs.from_payload.then(|| quote! { 'e, });
        let facade = &self.facade;
        let text = self.context_has(&Type::Text).then(|| {
            let mut bounds = Vec::new();
            if needs.from_payload {
                bounds.push(quote! { ::core::convert::From<&'e str> });
            }
            if needs.from_literal {
                bounds.push(quote! { #facade::FromLiteral });
            }
            if needs.clone || self.settles() {
                bounds.push(quote! { ::core::clone::Clone });
            }
            if needs.as_str {
                bounds.push(quote! { ::core::convert::AsRef<str> });
            }
            if bounds.is_empty() {
                quote! { Text, }
            } else {
                quote! { Text: #(#bounds)+*, }
            }
        });
        let reference = self.context_has(&Type::Reference).then(|| quote! { R: ::core::marker::Copy + ::core::cmp::PartialEq, });
        quote! { #lifetime #text #reference }
    }

    /// The same in angle brackets.
    pub(super) fn impl_parameters(&self) -> TokenStream {
        angled(self.impl_parameter_list())
    }

    /// The parameter for references that only events hold.
    pub(crate) fn method_reference(&self) -> TokenStream {
        let only_events = self.payload_has(&Type::Reference) && !self.context_has(&Type::Reference);
        if only_events {
            quote! { R: ::core::marker::Copy + ::core::cmp::PartialEq, }
        } else {
            quote! {}
        }
    }

    /// `Event<'e, R>`, with `'_` where nobody needs the lifetime's name.
    pub(crate) fn event_ty(&self) -> TokenStream {
        let arguments = if TextNeeds::of(self).from_payload { self.event_arguments() } else { self.event_arguments_elided() };
        quote! { Event #arguments }
    }

    /// `predicates: &P,`, `predicates,` and `P: Predicates<…> + ?Sized,`; nothing where there are none.
    pub(crate) fn predicates_pieces(&self) -> (TokenStream, TokenStream, TokenStream) {
        if !self.has_predicates() {
            return Default::default();
        }
        let arguments = self.predicates_arguments();
        let bound = quote! { P: Predicates #arguments + ?::core::marker::Sized, };
        (quote! { predicates: &P, }, quote! { predicates, }, bound)
    }

    /// Whether a guard of such a row asks a predicate.
    pub(super) fn asks(&self, wanted: &dyn Fn(&Transition) -> bool) -> bool {
        let asking = |row: &Transition| row.guard.as_ref().is_some_and(crate::expr::Expr::has_predicate);
        self.machine.transitions.iter().any(|row| wanted(row) && asking(row))
    }

    /// A spec may compare a value with itself, or say in two conditions what one could.
    pub(super) fn allow_odd_conditions(&self, wanted: &dyn Fn(&Transition) -> bool) -> Option<TokenStream> {
        let has_conditions = self.machine.transitions.iter().any(|row| wanted(row) && row.guard.is_some());
        has_conditions.then(|| quote! { #[allow(clippy::all)] })
    }
}
