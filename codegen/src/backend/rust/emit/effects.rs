//! Effects: their names, and the method that performs one.

use proc_macro2::TokenStream;
use quote::quote;

use super::dispatch::expand_event_pattern;
use super::generics::angled;
use super::host::HostKind;
use super::unit_enum::expand_unit_enum;
use crate::backend::rust::ir::{Effect, Machine};

/// `Effect`.
pub(super) fn expand_names(m: &Machine) -> Option<TokenStream> {
    m.effect_enum.as_ref().map(|it| expand_unit_enum(it, &m.env))
}

/// `Effect::perform`; without a machine there is no host.
pub(super) fn expand_perform(m: &Machine, kind: HostKind) -> Option<TokenStream> {
    m.effect_enum.as_ref().filter(|_| m.has_machine())?;
    let (Effect, Host, H) = (&m.types.effect, kind.host(m), &m.generics.host);
    let (perform, asynchronous) = (kind.name("perform"), kind.asynchronous());
    let (prelude, vis, attributes) = (&m.env.prelude, &m.env.visibility, &m.env.attributes);
    let (option, some, result, ok) = (&prelude.option, &prelude.some, &prelude.result, &prelude.ok);
    let (takes_event, has_direct) = (m.effects_take_event(), m.direct.is_some());
    let arguments = m.generics.arguments(m.generics.of_effects);
    let arms = m.effects.iter().map(|effect| {
        let (variant, call) = (&effect.variant, expand_method_call(m, effect, kind));
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
    let parameters = expand_perform_parameters(m, kind);
    // Without arms, the parameters are unused.
    let (event_name, host) = if arms.is_empty() { (quote! { _event }, quote! { _host }) } else { (quote! { event }, quote! { host }) };
    let event = takes_event.then(|| {
        let event = m.event_ty_for(quote! {});
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
    Some(quote! {
        #attributes
        impl #Effect {
            /// Performs the effect: calls its method with the data that it takes from the event.
            #vis #asynchronous fn #perform #parameters (self, #event #host: &mut #H) -> #result<(), <#H as #Host #arguments>::Error> {
                #body
            }
        }
    })
}

fn expand_perform_parameters(m: &Machine, kind: HostKind) -> TokenStream {
    let (Host, H, Text, R) = (kind.host(m), &m.generics.host, &m.generics.text, &m.generics.reference);
    let (copy, sized) = (&m.env.prelude.copy, &m.env.prelude.sized);
    let arguments = m.generics.arguments(m.generics.of_effects);
    let params = m.perform_params();
    let text = params.text.then(|| quote! { #Text, });
    let display = m.shows_references().then(|| quote! { + ::core::fmt::Display });
    let reference = params.reference.then(|| quote! { #R: #copy #display, });
    angled(quote! { #text #reference #H: #Host #arguments + ?#sized })
}

fn expand_method_call(m: &Machine, effect: &Effect, kind: HostKind) -> TokenStream {
    let (facade, format_args, method) = (&m.env.facade, &m.env.prelude.format_args, &effect.method);
    let message = effect.message.as_ref().map(|message| {
        let format = &message.format;
        let shown = message.arguments.iter().map(|(local, optional)| match optional {
            true => quote! { #facade::__private::OrNull(#local) },
            false => quote! { #local },
        });
        let text = quote! { #format_args(#format #(, #shown)*) };
        match kind {
            HostKind::Blocking => text,
            // `Arguments` cannot be held while a task that may change its thread waits.
            HostKind::Async => quote! { #facade::__private::Message(|f: &mut ::core::fmt::Formatter<'_>| f.write_fmt(#text)) },
        }
    });
    let wait = kind.wait();
    let arguments = effect.payload.iter().map(|it| &it.local).map(|it| quote! { #it }).chain(message);
    quote! { host.#method(#(#arguments),*) #wait }
}
