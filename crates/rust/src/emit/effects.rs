//! Effects: their names, and the method that performs one.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::dispatch::expand_event_pattern;
use super::expr::Scope;
use super::generics::angled;
use super::host::HostKind;
use super::unit_enum::expand_unit_enum;
use crate::ir::{Argument, Effect, EventPattern, Expr, Held, Machine, Parameter};

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
    let (result, ok) = (&prelude.result, &prelude.ok);
    let arguments = m.generics.arguments(m.generics.of_effects);
    // An effect that takes data from the events of no row is never performed.
    let performed: Vec<_> = m.effects.iter().filter(|it| !it.takes_event() || !it.events.is_empty()).collect();
    let arms: Vec<_> = performed.iter().map(|it| expand_arm(m, it, kind)).collect();
    let subject = match (m.effects_take.event, m.direct.is_some()) {
        (false, _) => quote! { self },
        (true, true) => quote! { (self, event.copied()) },
        (true, false) => quote! { (self, *event) },
    };
    // An effect with a payload only occurs with events that carry the payload.
    let others = m.effects.iter().any(|it| !it.complete).then(|| quote! { _ => #ok(()), });
    let body = match arms.is_empty() {
        true => quote! { #ok(()) },
        false => quote! { match #subject { #(#arms,)* #others } },
    };
    let (type_parameters, parameters) = (expand_type_parameters(m, kind), expand_parameters(m, &performed));
    Some(quote! {
        #attributes
        impl #Effect {
            /// Performs the effect: calls its method with the values that it takes.
            #vis #asynchronous fn #perform #type_parameters (self, #parameters) -> #result<(), <#H as #Host #arguments>::Error> {
                #body
            }
        }
    })
}

/// `Effect::Report => host.report(),`
fn expand_arm(m: &Machine, effect: &Effect, kind: HostKind) -> TokenStream {
    let (Effect, variant, call) = (&m.types.effect, &effect.variant, expand_method_call(m, effect, kind));
    if !m.effects_take.event {
        return quote! { #Effect::#variant => #call };
    }
    if !effect.takes_event() {
        return quote! { (#Effect::#variant, _) => #call };
    }
    let patterns = effect.events.iter().map(|it| expand_pattern(m, it));
    quote! { (#Effect::#variant, #(#patterns)|*) => #call }
}

/// A direct transition has no event.
fn expand_pattern(m: &Machine, pattern: &EventPattern) -> TokenStream {
    let (some, pattern) = (&m.env.prelude.some, expand_event_pattern(m, pattern));
    if m.direct.is_some() {
        quote! { #some(#pattern) }
    } else {
        pattern
    }
}

/// The parameters of `perform`: the machine after the change, the step, the event, and the host.
fn expand_parameters(m: &Machine, performed: &[&Effect]) -> TokenStream {
    let (facade, State, H, option) = (&m.env.facade, &m.types.state, &m.generics.host, &m.env.prelude.option);
    let name = |name: &str, is_used: bool| if is_used { format_ident!("{name}") } else { format_ident!("_{name}") };
    let takes = |wanted: fn(&Argument) -> bool| performed.iter().flat_map(|it| &it.parameters).any(|it| wanted(&it.argument));
    let machine_name = name("machine", takes(|it| matches!(it, Argument::Machine(_))));
    let step_name = name("step", takes(|it| matches!(it, Argument::From | Argument::To)));
    let (event_name, host_name) = (name("event", !performed.is_empty()), name("host", !performed.is_empty()));
    let machine = m.effects_take.machine.then(|| {
        let (Machine, arguments) = (&m.types.machine, m.arguments());
        quote! { #machine_name: &#Machine #arguments, }
    });
    let step = m.effects_take.step.then(|| quote! { #step_name: &#facade::Step<#State>, });
    let event = m.effects_take.event.then(|| {
        let event = m.event_ty_for(quote! {});
        let ty = if m.direct.is_some() {
            quote! { #option<&#event> }
        } else {
            quote! { &#event }
        };
        quote! { #event_name: #ty, }
    });
    quote! { #machine #step #event #host_name: &mut #H }
}

fn expand_type_parameters(m: &Machine, kind: HostKind) -> TokenStream {
    let (Host, H, Text, R) = (kind.host(m), &m.generics.host, &m.generics.text, &m.generics.reference);
    let (copy, sized, as_ref) = (&m.env.prelude.copy, &m.env.prelude.sized, &m.env.prelude.as_ref);
    let arguments = m.generics.arguments(m.generics.of_effects);
    let params = m.perform_params();
    let lends_text = m.effects.iter().flat_map(|it| &it.parameters).any(|it| matches!(it.argument, Argument::Machine(Expr::Str { .. })));
    let lent = lends_text.then(|| quote! { : #as_ref<str> });
    let text = params.text.then(|| quote! { #Text #lent, });
    let display = m.shows_references().then(|| quote! { + ::core::fmt::Display });
    let reference = params.reference.then(|| quote! { #R: #copy #display, });
    let own = &m.generics.own.parameters;
    angled(quote! { #own #text #reference #H: #Host #arguments + ?#sized })
}

fn expand_method_call(m: &Machine, effect: &Effect, kind: HostKind) -> TokenStream {
    let (facade, format_args, method) = (&m.env.facade, &m.env.prelude.format_args, &effect.method);
    let scope = Scope { context: m.context_of(&quote! { machine }), ..Scope::constant(&m.env) };
    let arguments: Vec<TokenStream> = effect.parameters.iter().map(|it| expand_argument(it, &scope)).collect();
    let message = effect.message.as_ref().map(|message| {
        let format = &message.format;
        let shown = message.arguments.iter().map(|idx| expand_shown(m, &effect.parameters[*idx], &arguments[*idx]));
        let text = quote! { #format_args(#format #(, #shown)*) };
        match kind {
            HostKind::Blocking => text,
            // `Arguments` cannot be held while a task that may change its thread waits.
            HostKind::Async => quote! { #facade::__private::Message(|f: &mut ::core::fmt::Formatter<'_>| f.write_fmt(#text)) },
        }
    });
    let wait = kind.wait();
    let arguments = arguments.iter().chain(&message);
    quote! { host.#method(#(#arguments),*) #wait }
}

/// A value in a message, as the spec sees it.
fn expand_shown(m: &Machine, parameter: &Parameter, value: &TokenStream) -> TokenStream {
    let facade = &m.env.facade;
    let load = parameter.held.as_ref().map(|Held { own, ty, .. }| quote! { <#own as #facade::Holds<#ty>>::load });
    match (load, parameter.optional) {
        (None, false) => value.clone(),
        (None, true) => quote! { #facade::__private::OrNull(#value) },
        (Some(load), false) => quote! { #facade::__private::Shown(#load(#value)) },
        (Some(load), true) => quote! { #facade::__private::OrNull(#value.map(|it| #facade::__private::Shown(#load(it)))) },
    }
}

fn expand_argument(parameter: &Parameter, scope: &Scope<'_>) -> TokenStream {
    match &parameter.argument {
        Argument::Event => {
            let local = &parameter.field.local;
            quote! { #local }
        }
        Argument::Machine(value) => scope.expand(value),
        Argument::From => quote! { step.from() },
        Argument::To => quote! { step.to() },
    }
}
