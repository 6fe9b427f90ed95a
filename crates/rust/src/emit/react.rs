//! Reactions: the steps that follow a step within the same call.

use proc_macro2::TokenStream;
use quote::quote;

use super::dispatch::expand_reaction;
use super::expr::allow_conditions;
use super::generics::angled;
use super::steps;
use crate::ir::{Machine, Reactions};

/// `react`, `reaction` and `take_reaction`: private methods of a machine that reacts.
pub(super) fn expand_methods(m: &Machine) -> Option<TokenStream> {
    let reactions = m.reactions.as_ref()?;
    let (react, reaction, take) = (expand_react(m), expand_find(m, reactions), expand_take(m, reactions));
    Some(quote! { #react #reaction #take })
}

/// The call of `react`, on a machine that has just taken `step`; `refused` is the refusal of the whole call for `reason` and `row`.
pub(super) fn expand_call(m: &Machine, machine: &TokenStream, step: &TokenStream, refused: &TokenStream) -> TokenStream {
    let (_, predicates, _) = m.predicates_pieces();
    quote! { #machine.react(#step, #predicates |reason, row| #refused) }
}

fn expand_react(m: &Machine) -> TokenStream {
    let (State, Row, Change, Refused, facade) = (&m.types.state, &m.types.row, &m.types.change, &m.types.refused, &m.env.facade);
    let (predicates, argument, bound) = m.predicates_pieces();
    let reference = m.direct_reference();
    let parameters = angled(quote! { #reference #bound });
    let body = m.env.body(quote! {
        #facade::__private::react(
            self,
            step,
            |machine, cause| machine.reaction(cause, #argument),
            |machine, step, cause| machine.take_reaction(step, cause, #argument),
            refuse,
        )
    });
    quote! {
        /// Takes the steps that follow `step`, which the machine has already taken.
        fn react #parameters (
            self,
            step: #facade::Step<#State>,
            #predicates
            refuse: impl ::core::ops::Fn(#facade::Reason, __Option<#Row>) -> #Refused,
        ) -> __Result<(Self, #Change), #Refused> {
            #body
        }
    }
}

/// `reaction`: the step for a cause.
fn expand_find(m: &Machine, reactions: &Reactions) -> TokenStream {
    let (State, Refused, facade) = (&m.types.state, &m.types.refused, &m.env.facade);
    let cause_ty = expand_cause_ty(m);
    let (predicates, _, bound) = m.predicates_pieces();
    let reference = m.direct_reference();
    let parameters = angled(quote! { #reference #bound });
    let (_, decided) = m.predicates_argument();
    let raised = expand_raised(m, reactions, &quote! { #facade::__private::Dispatch::decide(self, &event, #decided) });
    let alone = expand_reaction(m, reactions);
    let unused = (!m.predicates.is_empty() && !reactions.asks && raised.is_none()).then(|| quote! { let _ = predicates; });
    let body = m.env.body(quote! { #unused #raised #alone });
    let allow = allow_conditions(reactions.arms.iter().filter_map(|it| it.guard.as_ref()), &m.env);
    quote! {
        #allow
        fn reaction #parameters (&self, cause: #cause_ty, #predicates) -> __Result<#facade::Step<#State>, #Refused> {
            #body
        }
    }
}

/// `take_reaction`: takes a step that `reaction` found.
fn expand_take(m: &Machine, reactions: &Reactions) -> TokenStream {
    let (State, facade, cause_ty) = (&m.types.state, &m.env.facade, expand_cause_ty(m));
    let (predicates, _, bound) = m.predicates_pieces();
    let reference = m.direct_reference();
    let parameters = angled(quote! { #reference #bound });
    let (_, advanced) = m.predicates_argument();
    let raised = expand_raised(m, reactions, &quote! { #facade::__private::Dispatch::take(self, step, &event, #advanced) });
    let take = steps::expand_take_alone(m, &quote! { self });
    let asks = raised.is_some() || m.on_direct.iter().any(|it| it.asks);
    let unused = (!m.predicates.is_empty() && !asks).then(|| quote! { let _ = predicates; });
    let unused_cause = raised.is_none().then(|| quote! { let _ = cause; });
    let body = m.env.body(quote! { #unused #unused_cause #raised #take });
    let allow = steps::allow_assignments(m, &m.on_direct);
    quote! {
        #allow
        fn take_reaction #parameters (&mut self, step: &#facade::Step<#State>, cause: #cause_ty, #predicates) {
            #body
        }
    }
}

fn expand_cause_ty(m: &Machine) -> TokenStream {
    let (Cause, facade, State) = (m.env.cause(), &m.env.facade, &m.types.state);
    quote! { #Cause<<#State as #facade::State>::Event> }
}

/// The statements that answer an event that the machine raises itself; `answer` is the answer to the variable `event`.
fn expand_raised(m: &Machine, reactions: &Reactions, answer: &TokenStream) -> Option<TokenStream> {
    // An event that no row takes is dropped.
    if reactions.raised.is_empty() || m.dispatch.is_none() {
        return None;
    }
    let (Event, EventKind, raised) = (&m.types.event, &m.types.event_kind, &reactions.raised);
    let Cause = m.env.cause();
    let event_ty = if m.generics.of_event.reference && !m.generics.of_context.reference && !m.generics.of_predicates.reference {
        m.event_ty_of_any_reference()
    } else {
        m.event_ty()
    };
    Some(quote! {
        let raised: __Option<#event_ty> = match cause {
            #(#Cause::Raised(#EventKind::#raised) => __Some(#Event::#raised),)*
            _ => __None,
        };
        if let __Some(event) = raised {
            return #answer;
        }
    })
}
