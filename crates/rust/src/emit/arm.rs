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
    let outcome = match &arm.outcome {
        Outcome::ToHistory(recall, row) => {
            let to = expand_recall(m, recall, scope);
            quote! { #ty::To(#to, #row) }
        }
        Outcome::Chosen(choice) => expand_choice(m, choice, scope),
        outcome => expand_outcome(m, outcome, ty),
    };
    quote! { #pattern #guard => #outcome, }
}

/// The state that a context field remembers, or the default.
fn expand_recall(m: &Machine, recall: &Recall, scope: &Scope<'_>) -> TokenStream {
    let (State, Composite, some) = (&m.types.state, &m.types.composite, &m.env.prelude.some);
    let Recall { field, composite, default } = recall;
    let context = &scope.context;
    quote! {
        match #context.#field {
            #some(last) if last.is_in(#Composite::#composite) => last,
            _ => #State::#default,
        }
    }
}

pub(super) fn expand_outcome(m: &Machine, outcome: &Outcome, ty: &TokenStream) -> TokenStream {
    let State = &m.types.state;
    match outcome {
        Outcome::To(to, row) => quote! { #ty::To(#State::#to, #row) },
        Outcome::ToLocal(to, row) => quote! { #ty::To(#to, #row) },
        Outcome::Stay(row) => quote! { #ty::Stay(#row) },
        Outcome::Refuse(row) => quote! { #ty::Refuse(#row) },
        // What the context remembers is read in an arm.
        Outcome::ToHistory(..) | Outcome::Chosen(_) | Outcome::NoGuard => quote! { #ty::NoGuard },
        Outcome::DivisionByZero => quote! { #ty::DivisionByZero },
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
    let (Ty, Leaf, some, none) = (m.env.choice().0, &m.types.state, &m.env.prelude.some, &m.env.prelude.none);
    let Choice { row, source, to, divides } = choice;
    let source = source.map(|it| m.node(it)).map_or_else(|| none.clone(), |it| quote! { #some(#it) });
    let to = to.iter().map(|it| {
        let leaf = match it {
            Destination::Leaf(leaf) => quote! { #Leaf::#leaf },
            Destination::Local(local) => quote! { #local },
            Destination::History(recall) => expand_recall(m, recall, scope),
        };
        quote! { .to(#leaf) }
    });
    let divides = divides.as_ref().map(|it| {
        let divides = scope.expand(it);
        quote! { .divides(#divides) }
    });
    quote! { #Ty::row(#row, #source) #(#to)* #divides }
}
