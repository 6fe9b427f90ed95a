//! Effects: their names, their values, and the method that performs one.

use proc_macro2::TokenStream;
use quote::quote;
use statespec_lang::names::ident;

use super::arm::{expand_binding, expand_event_pattern};
use super::data::{Data, DataVariant, Words};
use super::expr::Scope;
use super::generics::angled;
use super::host::HostKind;
use super::unit_enum::expand_unit_enum;
use crate::ir::{Argument, Effect, Expr, Held, Machine, Parameter, UnitEnum, Variant};

const WORDS: Words = Words {
    ty: "An effect, with the data that it takes.",
    kind: "The effect without its data.",
    borrowed: "The effect with its texts borrowed, as a host takes it: a stored or received effect owns them.",
};

/// `EffectKind`. Where `Effect` is another type, each effect is described there.
pub(super) fn expand_names(m: &Machine) -> Option<TokenStream> {
    let kinds = m.effect_enum.as_ref()?;
    if !m.has_machine() || !m.has_effect_data() {
        return Some(expand_unit_enum(kinds, &m.env));
    }
    let Effect = &m.types.effect;
    let variants = kinds.variants.iter().map(|it| Variant { doc: vec![format!("See [`{Effect}::{}`].", it.ident)], ..it.clone() });
    Some(expand_unit_enum(&UnitEnum { variants: variants.collect(), ..kinds.clone() }, &m.env))
}

/// `Effect`, the values of the effects of a change, and how one is performed; without a machine there is no host.
pub(super) fn expand_values(m: &Machine) -> Option<TokenStream> {
    let kinds = m.effect_enum.as_ref().filter(|_| m.has_machine())?;
    let (definition, values, methods) = (expand_definition(m, kinds), expand_effects(m), expand_methods(m));
    Some(quote! { #definition #values #methods })
}

fn expand_definition(m: &Machine, kinds: &UnitEnum) -> TokenStream {
    let (Effect, EffectKind, vis, attributes) = (&m.types.effect, &m.types.effect_kind, &m.env.visibility, &m.env.attributes);
    if !m.has_effect_data() {
        return quote! {
            /// An effect. No effect takes data, so an effect is its kind.
            #attributes
            #vis type #Effect = #EffectKind;

            #attributes
            impl #EffectKind {
                /// The effect without its data: itself.
                #[inline]
                #vis const fn kind(&self) -> #EffectKind {
                    *self
                }
            }
        };
    }
    let variants = kinds.variants.iter().zip(&m.effects).map(|(variant, effect)| DataVariant {
        variant,
        doc: effect.doc.clone(),
        fields: effect.parameters.iter().map(|it| &it.field).collect(),
    });
    let params = m.generics.of_values;
    Data { ident: Effect, kind: EffectKind, params, words: WORDS, attributes: &m.effect_attributes, variants: variants.collect() }.expand(m)
}

/// The façade's `Effects`: the value of an effect of a step.
fn expand_effects(m: &Machine) -> TokenStream {
    let (facade, State, Machine, EffectKind) = (&m.env.facade, &m.types.state, &m.types.machine, &m.types.effect_kind);
    let (Text, R, attributes) = (&m.generics.text, &m.generics.reference, &m.env.impl_attributes);
    let (of_context, of_event, arguments) = (m.generics.of_context, m.generics.of_event, m.arguments());
    let event_ty = m.happening_ty(quote! { 'e });
    // Not a name that a lifetime of the user's struct is likely to have.
    let value_ty = m.effect_ty(quote! { 'effect });
    let lends_text = m.effects.iter().flat_map(|it| &it.parameters).any(|it| matches!(it.argument, Argument::Machine(Expr::Str { .. })));
    let lent = lends_text.then(|| quote! { : __AsRef<str> });
    let lifetime = of_event.text.then(|| quote! { 'e, });
    let text = of_context.text.then(|| quote! { #Text #lent, });
    let reference = (of_context.reference || of_event.reference).then(|| quote! { #R: __Copy, });
    let own = &m.generics.own.parameters;
    let parameters = quote! { #lifetime #own #text #reference };
    let parameters = angled(parameters);
    let performed = performed(m);
    let body = match m.has_effect_data() {
        true => m.env.body(expand_value(m, &performed)),
        false => quote! { __Some(kind) },
    };
    let takes_step = performed.iter().flat_map(|it| &it.parameters).any(|it| matches!(it.argument, Argument::From | Argument::To));
    let takes_kind = !m.has_effect_data() || !performed.is_empty();
    let used = |name: &str, is_used: bool| if is_used { ident(name) } else { ident(&format!("_{name}")) };
    let (kind, step) = (used("kind", takes_kind), used("step", takes_step));
    let event = used("event", takes_kind && m.effects_take_event);
    quote! {
        #attributes
        impl #parameters #facade::Effects<#event_ty> for #Machine #arguments {
            type State = #State;

            type Effect<'effect> = #value_ty where Self: 'effect, #event_ty: 'effect;

            #[inline]
            fn effect<'effect>(&'effect self, #kind: #EffectKind, #step: &#facade::Step<#State>, #event: __Option<&#event_ty>) -> __Option<Self::Effect<'effect>>
            where
                #event_ty: 'effect,
            {
                #body
            }
        }
    }
}

/// The effects that some row performs: one that takes data from the events of no row is never performed.
fn performed(m: &Machine) -> Vec<&Effect> {
    m.effects.iter().filter(|it| !it.takes_event() || !it.events.is_empty()).collect()
}

/// The value of an effect: `Some(match (kind, event) { … })`.
fn expand_value(m: &Machine, performed: &[&Effect]) -> TokenStream {
    let (Effect, EffectKind) = (&m.types.effect, &m.types.effect_kind);
    let takes_event = m.effects_take_event;
    let scope = Scope { context: m.context_of(&quote! { self }), ..Scope::constant(&m.env) };
    let arms: Vec<_> = performed
        .iter()
        .map(|effect| {
            let variant = &effect.variant;
            let pattern = match (takes_event, effect.takes_event()) {
                (false, _) => quote! { #EffectKind::#variant },
                (true, false) => quote! { (#EffectKind::#variant, _) },
                (true, true) => {
                    let events = effect.events.iter().map(|it| {
                        let pattern = expand_event_pattern(m, it);
                        quote! { __Some(&#pattern) }
                    });
                    quote! { (#EffectKind::#variant, #(#events)|*) }
                }
            };
            let fields = effect.parameters.iter().map(|it| {
                let (field, value) = (&it.field.ident, expand_argument(it, &scope));
                if *field == value.to_string() {
                    value
                } else {
                    quote! { #field: #value }
                }
            });
            let fields: Vec<_> = fields.collect();
            let fields = (!fields.is_empty()).then(|| quote! { { #(#fields),* } });
            quote! { #pattern => #Effect::#variant #fields }
        })
        .collect();
    let subject = if takes_event {
        quote! { (kind, event) }
    } else {
        quote! { kind }
    };
    // An effect with a payload only occurs with events that carry the payload.
    let others = takes_event.then(|| quote! { _ => return __None, });
    if arms.is_empty() {
        quote! { __None }
    } else {
        quote! { __Some(match #subject { #(#arms,)* #others }) }
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

/// `message`, and the `perform` of each kind of host.
fn expand_methods(m: &Machine) -> TokenStream {
    let (Effect, R, attributes) = (&m.types.effect, &m.generics.reference, &m.env.attributes);
    let params = m.generics.of_values;
    let message = expand_message(m);
    // Only the result of `message` names the lifetime.
    let lifetime = (params.text && message.is_some()).then(|| quote! { 'a });
    let display = m.shows_references().then(|| quote! { + ::core::fmt::Display });
    let reference = params.reference.then(|| quote! { #R: __Copy #display });
    let parameters = angled([lifetime.clone(), reference].into_iter().flatten().reduce(|a, b| quote! { #a, #b }).unwrap_or_default());
    let ty = m.ty_of_data(Effect, params, quote! { #lifetime }, quote! { #R });
    let performs = HostKind::of(m).iter().map(|kind| expand_perform(m, *kind));
    quote! {
        #attributes
        impl #parameters #ty {
            #message
            #(#performs)*
        }
    }
}

fn expand_message(m: &Machine) -> Option<TokenStream> {
    let (facade, vis) = (&m.env.facade, &m.env.visibility);
    let (R, params) = (&m.generics.reference, m.generics.of_values);
    let arms = m.effects.iter().filter_map(|effect| {
        let message = effect.message.as_ref()?;
        let (format, shown) = (&message.format, message.arguments.iter().map(|idx| expand_shown(m, &effect.parameters[*idx])));
        let shown: Vec<_> = shown.collect();
        let pattern = expand_pattern(m, effect, |idx| message.arguments.contains(&idx));
        Some(quote! { #pattern => f.write_fmt(__FormatArgs!(#format #(, #shown)*)) })
    });
    let arms: Vec<_> = arms.collect();
    let others = (arms.len() < m.effects.len()).then(|| quote! { _ => __Ok(()), });
    let captured = [params.text.then(|| quote! { 'a }), params.reference.then(|| quote! { #R })].into_iter().flatten();
    let body = quote! { #facade::__private::Message(move |f: &mut ::core::fmt::Formatter<'_>| match self { #(#arms,)* #others }) };
    (!arms.is_empty()).then(|| {
        quote! {
            /// The message of the effect; empty for an effect without one.
            #vis fn message(self) -> impl ::core::fmt::Display + use<#(#captured),*> {
                #body
            }
        }
    })
}

/// `Effect::Report { cause, .. }`
fn expand_pattern(m: &Machine, effect: &Effect, is_wanted: impl Fn(usize) -> bool) -> TokenStream {
    let (Effect, variant) = (&m.types.effect, &effect.variant);
    if effect.parameters.is_empty() {
        return quote! { #Effect::#variant };
    }
    let wanted = effect.parameters.iter().enumerate().filter(|(idx, _)| is_wanted(*idx));
    let bindings: Vec<_> = wanted.map(|(_, it)| expand_binding(&it.field.ident, &it.field.local)).collect();
    let rest = (bindings.len() < effect.parameters.len()).then(|| quote! { .. });
    quote! { #Effect::#variant { #(#bindings,)* #rest } }
}

/// A value in a message, as the spec sees it.
fn expand_shown(m: &Machine, parameter: &Parameter) -> TokenStream {
    let (facade, value) = (&m.env.facade, &parameter.field.local);
    let load = parameter.held.as_ref().map(|Held { own, ty, .. }| quote! { <#own as #facade::Holds<#ty>>::load });
    match (load, parameter.optional) {
        (None, false) => quote! { #value },
        (None, true) => quote! { #facade::__private::OrNull(#value) },
        (Some(load), false) => quote! { #facade::__private::Shown(#load(#value)) },
        (Some(load), true) => quote! { #facade::__private::OrNull(#value.map(|it| #facade::__private::Shown(#load(it)))) },
    }
}

fn expand_perform(m: &Machine, kind: HostKind) -> TokenStream {
    let (Host, H, Text, R) = (kind.host(m), &m.generics.host, &m.generics.text, &m.generics.reference);
    let (perform, asynchronous, wait) = (kind.name("perform"), kind.asynchronous(), kind.wait());
    let vis = &m.env.visibility;
    let (arguments, of_effects) = (m.generics.arguments(m.generics.of_effects), m.generics.of_effects);
    let text = of_effects.text.then(|| quote! { #Text, });
    let reference = (of_effects.reference && !m.generics.of_values.reference).then(|| quote! { #R, });
    let own = &m.generics.own.parameters;
    let arms = m.effects.iter().map(|effect| {
        let (pattern, method) = (expand_pattern(m, effect, |_| true), &effect.method);
        let arguments = effect.parameters.iter().map(|it| {
            let local = &it.field.local;
            quote! { #local }
        });
        let message = effect.message.as_ref().map(|_| match kind {
            HostKind::Blocking => quote! { __FormatArgs!("{}", self.message()) },
            // `Arguments` cannot be held while a task that may change its thread waits.
            HostKind::Async => quote! { self.message() },
        });
        let arguments = arguments.chain(message);
        quote! { #pattern => host.#method(#(#arguments),*) #wait }
    });
    let body = m.env.body(quote! { match self { #(#arms,)* } });
    quote! {
        /// Performs the effect: calls its method of the host.
        #vis #asynchronous fn #perform <#own #text #reference #H: #Host #arguments + ?__Sized> (self, host: &mut #H) -> __Result<(), <#H as #Host #arguments>::Error> {
            #body
        }
    }
}
