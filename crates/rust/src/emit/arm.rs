//! One arm of a `match`: its pattern, its guard, and what it leads to.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::expr::Scope;
use crate::ir::{Arm, Choice, Destination, EventPattern, Machine, Outcome, Pattern, Recall};

pub(super) fn expand_arm(m: &Machine, arm: &Arm, scope: &Scope<'_>, ty: &TokenStream) -> TokenStream {
    let State = &m.types.state;
    let pattern = match &arm.pattern {
        Pattern::Event(event) => expand_event_pattern(m, event),
        Pattern::StateAndEvent(states, event) => {
            let event = expand_event_pattern(m, event);
            if states.is_empty() {
                quote! { (_, #event) }
            } else {
                quote! { (#(#State::#states)|*, #event) }
            }
        }
        Pattern::StateAndTarget(from, to) => quote! { (#State::#from, #State::#to) },
        Pattern::Automatic(states) => {
            let Cause = m.env.cause();
            quote! { (#(#State::#states)|*, #Cause::Automatic) }
        }
        Pattern::Done(states, _) => {
            let Cause = m.env.cause();
            quote! { (#(#State::#states)|*, #Cause::Done(done)) }
        }
    };
    let is_done = if let Pattern::Done(_, composite) = &arm.pattern {
        let Composite = &m.types.composite;
        Some(quote! { done == #Composite::#composite as usize })
    } else {
        None
    };
    let guard = arm.guard.as_ref().map(|guard| scope.expand(guard));
    let guard = match (is_done, guard) {
        (None, None) => None,
        (Some(condition), None) | (None, Some(condition)) => Some(quote! { if #condition }),
        (Some(is_done), Some(guard)) => Some(quote! { if #is_done && (#guard) }),
    };
    let outcome = expand_outcome(m, &arm.outcome, scope, ty);
    quote! { #pattern #guard => #outcome, }
}

/// The state that a context field remembers, or the default.
fn expand_recall(m: &Machine, recall: &Recall, scope: &Scope<'_>) -> TokenStream {
    let (State, Composite) = (&m.types.state, &m.types.composite);
    let Recall { field, composite, default } = recall;
    let context = &scope.context;
    quote! {
        match #context.#field {
            __Some(last) if last.is_in(#Composite::#composite) => last,
            _ => #State::#default,
        }
    }
}

pub(super) fn expand_outcome(m: &Machine, outcome: &Outcome, scope: &Scope<'_>, ty: &TokenStream) -> TokenStream {
    match outcome {
        Outcome::Chosen(choice) if m.regions.is_some() => expand_choice(m, choice, scope),
        Outcome::Chosen(choice) => {
            let Choice { row, to, refuses, .. } = &**choice;
            match to.first() {
                Some(to) => {
                    let to = expand_destination(m, to, scope);
                    quote! { #ty::To(#to, #row) }
                }
                None if *refuses => quote! { #ty::Refuse(#row) },
                None => quote! { #ty::Stay(#row) },
            }
        }
        Outcome::NoGuard => quote! { #ty::NoGuard },
        Outcome::DivisionByZero => quote! { #ty::DivisionByZero },
    }
}

fn expand_destination(m: &Machine, to: &Destination, scope: &Scope<'_>) -> TokenStream {
    let State = &m.types.state;
    match to {
        Destination::Leaf(leaf) => quote! { #State::#leaf },
        Destination::Local(local) => quote! { #local },
        Destination::History(recall) => expand_recall(m, recall, scope),
    }
}

/// A field and its variable, in a pattern or a value: `now`, or `event: event_`.
pub(super) fn expand_binding(field: &Ident, local: &Ident) -> TokenStream {
    if field == local {
        quote! { #field }
    } else {
        quote! { #field: #local }
    }
}

/// `Event::Error { cause, .. }`
pub(super) fn expand_event_pattern(m: &Machine, pattern: &EventPattern) -> TokenStream {
    let (Event, variant) = (&m.types.event, &pattern.variant);
    if pattern.bindings.is_empty() && !pattern.rest {
        return quote! { #Event::#variant };
    }
    let bindings = pattern.bindings.iter().map(|(field, local)| {
        let binding = expand_binding(field, local);
        quote! { #binding, }
    });
    let rest = pattern.rest.then(|| quote! { .. });
    quote! { #Event::#variant { #(#bindings)* #rest } }
}

/// The row that a leaf chooses: `Choice::row(Row::PowerPress, Some(3)).to(Leaf::On)`.
fn expand_choice(m: &Machine, choice: &Choice, scope: &Scope<'_>) -> TokenStream {
    let Ty = m.env.choice().0;
    let Choice { row, source, to, divides, .. } = choice;
    let source = source.map(|it| m.node(it)).map_or_else(|| quote! { __None }, |it| quote! { __Some(#it) });
    let to = to.iter().map(|it| {
        let leaf = expand_destination(m, it, scope);
        quote! { .to(#leaf) }
    });
    let divides = divides.as_ref().map(|it| {
        let divides = scope.expand(it);
        quote! { .divides(#divides) }
    });
    quote! { #Ty::row(#row, #source) #(#to)* #divides }
}
