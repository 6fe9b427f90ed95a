//! The timers: their table, the type that remembers when they started, and their durations.

use proc_macro2::TokenStream;
use quote::quote;

use super::expr::Scope;
use super::generics::angled;
use super::number;
use crate::ir::Machine;

/// `const TIMERS` of the trait `State`.
pub(super) fn expand_table(m: &Machine) -> Option<TokenStream> {
    let (EventKind, facade) = (&m.types.event_kind, &m.env.facade);
    let timers = m.timers.iter().map(|timer| {
        let (event, nodes) = (&timer.event, timer.nodes.iter().map(|it| m.node(*it)));
        quote! { #facade::__private::Timer::new(#EventKind::#event, &[#(#nodes),*]) }
    });
    (!m.timers.is_empty()).then(|| quote! { const TIMERS: &'static [#facade::__private::Timer<#EventKind>] = &[#(#timers),*]; })
}

/// `Timers`
pub(super) fn expand_alias(m: &Machine) -> Option<TokenStream> {
    let (Timers, State, facade) = (&m.types.timers, &m.types.state, &m.env.facade);
    let (vis, attributes, n_timers) = (&m.env.visibility, &m.env.attributes, number(m.timers.len()));
    (!m.timers.is_empty()).then(|| {
        quote! {
            /// The running timers of a machine, with the moments at which they started.
            #attributes
            #vis type #Timers = #facade::Timers<#State, #n_timers>;
        }
    })
}

/// `timers`
pub(super) fn expand_method(m: &Machine) -> Option<TokenStream> {
    let (EventKind, facade, vis) = (&m.types.event_kind, &m.env.facade, &m.env.visibility);
    // A function that returns some iterator needs one in a stub, too.
    let running = if m.env.stub {
        quote! { ::core::iter::empty() }
    } else {
        quote! { #facade::__private::running(self) }
    };
    m.has_timers().then(|| {
        quote! {
            /// The timers of the current state, each with the time after which it elapses, from the moment when its state was
            /// entered.
            #vis fn timers(&self) -> impl ::core::iter::Iterator<Item = (#EventKind, #facade::Duration)> + '_ {
                #running
            }
        }
    })
}

/// The traits that `timers` and `Timers` read.
pub(super) fn expand_timed(m: &Machine) -> Option<TokenStream> {
    if !m.has_timers() {
        return None;
    }
    let (Machine, State, EventKind, facade) = (&m.types.machine, &m.types.state, &m.types.event_kind, &m.env.facade);
    let Configuration = &m.types.configuration;
    let (impl_attributes, arguments, parameters) = (&m.env.impl_attributes, m.arguments(), angled(m.step_parameters()));
    let (timed, elapse) = (expand_durations(m), expand_elapse(m));
    let state = m.env.body(m.state_of(&quote! { self }));
    let timed = m.env.body(quote! { __Ok(#timed) });
    Some(quote! {
        #impl_attributes
        impl #parameters #facade::__private::Durations for #Machine #arguments {
            type Of = #State;

            #[inline]
            fn state(&self) -> #Configuration {
                #state
            }

            fn after(&self, timer: #EventKind) -> __Result<__Option<#facade::Duration>, #facade::OutOfRange> {
                #timed
            }
        }

        #elapse
    })
}

/// `match timer { … }`: the duration of each.
fn expand_durations(m: &Machine) -> TokenStream {
    let EventKind = &m.types.event_kind;
    let scope = Scope { context: m.context_of(&quote! { self }), ..Scope::constant(&m.env) };
    let arms = m.timers.iter().map(|timer| {
        let (event, after) = (&timer.event, scope.expand(&timer.after));
        quote! { #EventKind::#event => __Some(#after), }
    });
    let other = expand_other(m);
    quote! { match timer { #(#arms)* #other } }
}

/// The arm of events that are no timers.
fn expand_other(m: &Machine) -> Option<TokenStream> {
    let n_events = m.events.as_ref().map_or(0, |it| it.kinds.variants.len());
    (m.timers.len() < n_events).then(|| quote! { _ => __None, })
}

/// The events with which timers elapse.
fn expand_elapse(m: &Machine) -> TokenStream {
    let (Machine, Event, EventKind, facade) = (&m.types.machine, &m.types.event, &m.types.event_kind, &m.env.facade);
    let impl_attributes = &m.env.impl_attributes;
    let (event_ty, arguments) = (m.timer_ty(quote! { 'e }), m.arguments());
    let parameters = m.event_parameters(!m.has_free_reference());
    let arms = m.timers.iter().map(|timer| {
        let event = &timer.event;
        quote! { #EventKind::#event => __Some(#Event::#event), }
    });
    let other = expand_other(m);
    let body = m.env.body(quote! { match timer { #(#arms)* #other } });
    quote! {
        #impl_attributes
        impl #parameters #facade::__private::Elapses<#event_ty> for #Machine #arguments {
            fn elapsed(timer: #EventKind) -> __Option<#event_ty> {
                #body
            }
        }
    }
}
