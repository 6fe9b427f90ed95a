//! Effects: their names, the trait that performs them, and the methods that run a machine with a host.

use proc_macro2::TokenStream;
use quote::quote;

use super::dispatch::expand_event_pattern;
use super::doc;
use super::generics::angled;
use super::machine::expand_wrong_actor;
use super::unit_enum::expand_unit_enum;
use crate::backend::rust::ir::{Effect, Machine};

/// `Effect`.
pub(super) fn expand_names(m: &Machine) -> Option<TokenStream> {
    m.effect_enum.as_ref().map(|it| expand_unit_enum(it, &m.env))
}

/// `Effects` and `Effect::perform`; without a machine there is nothing to store.
pub(super) fn expand_host(m: &Machine) -> Option<TokenStream> {
    m.effect_enum.as_ref().filter(|_| m.has_machine())?;
    let (host, perform) = (expand_trait(m), expand_perform(m));
    Some(quote! { #host #perform })
}

fn expand_trait(m: &Machine) -> TokenStream {
    let (Effects, Machine, Change, vis, attributes) =
        (&m.types.effects, &m.types.machine, &m.types.change, &m.env.visibility, &m.env.attributes);
    let (result, arguments, definition) = (&m.env.prelude.result, m.arguments(), m.generics.definition(m.generics.of_effects));
    let methods = m.effects.iter().map(|effect| {
        let (docs, method) = (doc(&effect.doc), &effect.method);
        let parameters = effect.payload.iter().map(|field| {
            let (local, ty) = (&field.local, &field.argument);
            quote! { #local: #ty }
        });
        let message = effect.message.is_some().then(|| quote! { message: ::core::fmt::Arguments<'_> });
        let parameters = parameters.chain(message);
        quote! {
            #docs
            fn #method(&mut self, #(#parameters),*) -> #result<(), Self::Error>;
        }
    });
    quote! {
        /// The host: performs the effects, and stores the machine.
        #attributes
        #vis trait #Effects #definition {
            /// The error of an effect or of the store.
            type Error;

            /// Stores the machine as it is after a change.
            fn store(&mut self, next: &#Machine #arguments, change: &#Change) -> #result<(), Self::Error>;

            #(#methods)*
        }
    }
}

fn expand_perform(m: &Machine) -> TokenStream {
    let (Effect, Effects, H) = (&m.types.effect, &m.types.effects, &m.generics.host);
    let (prelude, vis, attributes) = (&m.env.prelude, &m.env.visibility, &m.env.attributes);
    let (option, some, result, ok) = (&prelude.option, &prelude.some, &prelude.result, &prelude.ok);
    let (takes_event, has_direct) = (m.effects_take_event(), m.direct.is_some());
    let arguments = m.generics.arguments(m.generics.of_effects);
    let arms = m.effects.iter().map(|effect| {
        let (variant, call) = (&effect.variant, expand_method_call(m, effect));
        if !takes_event {
            return quote! { #Effect::#variant => #call };
        }
        if effect.payload.is_empty() {
            return quote! { (#Effect::#variant, _) => #call };
        }
        let patterns = effect.events.iter().map(|pattern| {
            let pattern = expand_event_pattern(m, pattern);
            if has_direct {
                quote! { #some(#pattern) }
            } else {
                pattern
            }
        });
        quote! { (#Effect::#variant, #(#patterns)|*) => #call }
    });
    // An effect without rows is never performed with a payload.
    let arms: Vec<_> = arms.zip(&m.effects).filter(|(_, it)| it.payload.is_empty() || !it.events.is_empty()).map(|(arm, _)| arm).collect();
    let subject = match (takes_event, has_direct) {
        (false, _) => quote! { self },
        (true, true) => quote! { (self, event.copied()) },
        (true, false) => quote! { (self, *event) },
    };
    // An effect with a payload only occurs with events that carry the payload.
    let others = m.effects.iter().any(|it| !it.complete).then(|| quote! { _ => #ok(()), });
    let parameters = expand_perform_parameters(m);
    // Without arms, the parameters are unused.
    let (event_name, host) = if arms.is_empty() { (quote! { _event }, quote! { _host }) } else { (quote! { event }, quote! { host }) };
    let event = takes_event.then(|| {
        let event = m.event_ty_for(quote! { '_ });
        if has_direct {
            quote! { #event_name: #option<&#event>, }
        } else {
            quote! { #event_name: &#event, }
        }
    });
    let body = if arms.is_empty() {
        quote! { #ok(()) }
    } else {
        quote! { match #subject { #(#arms,)* #others } }
    };
    quote! {
        #attributes
        impl #Effect {
            /// Performs the effect: calls its method with the data that it takes from the event.
            #vis fn perform #parameters (self, #event #host: &mut #H) -> #result<(), <#H as #Effects #arguments>::Error> {
                #body
            }
        }
    }
}

fn expand_perform_parameters(m: &Machine) -> TokenStream {
    let (Effects, H, Text, R) = (&m.types.effects, &m.generics.host, &m.generics.text, &m.generics.reference);
    let (copy, sized) = (&m.env.prelude.copy, &m.env.prelude.sized);
    let arguments = m.generics.arguments(m.generics.of_effects);
    let params = m.perform_params();
    let text = params.text.then(|| quote! { #Text, });
    let display = m.shows_references().then(|| quote! { + ::core::fmt::Display });
    let reference = params.reference.then(|| quote! { #R: #copy #display, });
    angled(quote! { #text #reference #H: #Effects #arguments + ?#sized })
}

fn expand_method_call(m: &Machine, effect: &Effect) -> TokenStream {
    let (facade, format_args, method) = (&m.env.facade, &m.env.prelude.format_args, &effect.method);
    let message = effect.message.as_ref().map(|message| {
        let format = &message.format;
        let shown = message.arguments.iter().map(|(local, optional)| match optional {
            true => quote! { #facade::__private::OrNull(#local) },
            false => quote! { #local },
        });
        quote! { #format_args(#format #(, #shown)*) }
    });
    let arguments = effect.payload.iter().map(|it| &it.local).map(|it| quote! { #it }).chain(message);
    quote! { host.#method(#(#arguments),*) }
}

/// `run`, and `run_to` for direct transitions.
pub(super) fn expand_run(m: &Machine) -> Option<TokenStream> {
    if !m.has_run() {
        return None;
    }
    let run = m.dispatch.is_some().then(|| expand_run_event(m));
    let run_as = (m.dispatch.is_some() && m.actors.is_some()).then(|| expand_run_as(m));
    let run_to = m.direct.is_some().then(|| expand_run_to(m));
    Some(quote! { #run #run_as #run_to })
}

fn expand_run_event(m: &Machine) -> TokenStream {
    let some = &m.env.prelude.some;
    let (predicates, argument, bound) = m.predicates_pieces();
    let reference = m.method_reference();
    let host = expand_host_bound(m);
    let parameters = angled(quote! { #reference #bound #host });
    let event_ty = m.event_ty();
    let event = match (m.effects_take_event(), m.direct.is_some()) {
        (false, _) => quote! {},
        (true, true) => quote! { #some(&event), },
        (true, false) => quote! { &event, },
    };
    let (vis, H, result, bounds) = (&m.env.visibility, &m.generics.host, expand_run_result(m), expand_run_bounds(m));
    let body = expand_run_body(m, &quote! { apply(event, #argument) }, &event);
    quote! {
        /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
        ///
        /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
        /// where the spec stores first.
        #vis fn run #parameters (&mut self, event: #event_ty, #predicates host: &mut #H) -> #result
        #bounds
        {
            #body
        }
    }
}

fn expand_run_as(m: &Machine) -> TokenStream {
    let (predicates, argument, bound) = m.predicates_pieces();
    let (reference, host) = (m.method_reference(), expand_host_bound(m));
    let parameters = angled(quote! { #reference #bound #host });
    let (event_ty, Actor, vis, H) = (m.event_ty(), &m.types.actor, &m.env.visibility, &m.generics.host);
    let (result, bounds) = (expand_run_result(m), expand_run_bounds(m));
    let (refused, err, from) = (expand_wrong_actor(m, Some(&m.state_of(&quote! { self }))), &m.env.prelude.err, &m.env.prelude.from);
    let body = m.env.body(quote! {
        if !event.kind().may_be_raised_by(actor) {
            return #err(#from::from(#refused));
        }
        self.run(event, #argument host)
    });
    quote! {
        /// Raises an event with a host, in the name of an actor: refused where the actor may not.
        #vis fn run_as #parameters (&mut self, actor: #Actor, event: #event_ty, #predicates host: &mut #H) -> #result
        #bounds
        {
            #body
        }
    }
}

fn expand_run_to(m: &Machine) -> TokenStream {
    let (State, option, R) = (&m.types.state, &m.env.prelude.option, &m.generics.reference);
    let (predicates, argument, bound) = m.predicates_pieces();
    // An effect may have references that the context does not have.
    let reference = (m.generics.of_effects.reference && !m.generics.of_context.reference).then(|| {
        let (copy, partial_eq) = (&m.env.prelude.copy, &m.env.prelude.partial_eq);
        quote! { #R: #copy + #partial_eq, }
    });
    let reference = reference.unwrap_or_else(|| m.direct_reference());
    let host = expand_host_bound(m);
    let parameters = angled(quote! { #reference #bound #host });
    // Without an event, the type of its references cannot be inferred; any type is valid if effects take no event.
    let event = m.effects_take_event().then(|| {
        let event = m.event_ty_for(quote! { '_ });
        let Event = &m.types.event;
        let known = m.generics.of_effects.reference || !reference.is_empty() || !m.generics.of_event.reference;
        let lifetime = m.generics.of_event.text.then(|| quote! { '_, });
        let event = if known {
            event
        } else {
            quote! { #Event<#lifetime u64> }
        };
        quote! { #option::<&#event>::None, }
    });
    let (vis, H, result, bounds) = (&m.env.visibility, &m.generics.host, expand_run_result(m), expand_run_bounds(m));
    let body = expand_run_body(m, &quote! { transition_to(to, #argument) }, &event.unwrap_or_default());
    quote! {
        /// Takes the direct transition to a state with a host; otherwise like `run`.
        #vis fn run_to #parameters (&mut self, to: #State, #predicates host: &mut #H) -> #result
        #bounds
        {
            #body
        }
    }
}

fn expand_run_body(m: &Machine, step: &TokenStream, event: &TokenStream) -> TokenStream {
    let (facade, clone) = (&m.env.facade, &m.env.prelude.clone);
    m.env.body(quote! {
        let mut next = #clone::clone(self);
        let change = next.#step?;
        #facade::__private::commit(
            self,
            next,
            change,
            host,
            |host, next, change| host.store(next, change),
            |host, effect| effect.perform(#event host),
        )
    })
}

fn expand_host_bound(m: &Machine) -> TokenStream {
    let (Effects, H, sized) = (&m.types.effects, &m.generics.host, &m.env.prelude.sized);
    let arguments = m.generics.arguments(m.generics.of_effects);
    quote! { #H: #Effects #arguments + ?#sized }
}

fn expand_run_result(m: &Machine) -> TokenStream {
    let (State, Change, Effects, H) = (&m.types.state, &m.types.change, &m.types.effects, &m.generics.host);
    let (facade, result, arguments) = (&m.env.facade, &m.env.prelude.result, m.generics.arguments(m.generics.of_effects));
    quote! { #result<#Change, #facade::RunError<#State, <#H as #Effects #arguments>::Error>> }
}

fn expand_run_bounds(m: &Machine) -> Option<TokenStream> {
    let (Text, R, clone) = (&m.generics.text, &m.generics.reference, &m.env.prelude.clone);
    let text = m.generics.of_context.text.then(|| quote! { #Text: #clone, });
    let shown = (m.shows_references() && (m.generics.of_effects.reference || m.generics.of_event.reference))
        .then(|| quote! { #R: ::core::fmt::Display, });
    (text.is_some() || shown.is_some()).then(|| quote! { where #text #shown })
}
