//! Type parameters and their bounds.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::ir::{Form, Generics, Machine, Params};

/// Parameters in `<…>`; empty if there are none.
pub(crate) fn angled(parameters: TokenStream) -> TokenStream {
    if parameters.is_empty() {
        parameters
    } else {
        quote! { < #parameters > }
    }
}

impl Generics {
    /// `<Text = &'static str, R = u64>`
    pub(super) fn definition(&self, params: Params) -> TokenStream {
        let (Text, R, default) = (&self.text, &self.reference, &self.default_reference);
        let own = params.own.then_some(&self.own.parameters);
        let text = params.text.then(|| quote! { #Text = &'static str, });
        let reference = params.reference.then(|| quote! { #R = #default, });
        angled(quote! { #own #text #reference })
    }

    /// `<Text, R>`
    pub(super) fn arguments(&self, params: Params) -> TokenStream {
        let (Text, R) = (&self.text, &self.reference);
        let own = params.own.then_some(&self.own.arguments);
        let text = params.text.then(|| quote! { #Text, });
        let reference = params.reference.then(|| quote! { #R, });
        angled(quote! { #own #text #reference })
    }

    /// `<'e, R = u64>`
    pub(super) fn lent_definition(&self, params: Params) -> TokenStream {
        let (R, default) = (&self.reference, &self.default_reference);
        let lifetime = params.text.then(|| quote! { 'e, });
        let reference = params.reference.then(|| quote! { #R = #default, });
        angled(quote! { #lifetime #reference })
    }

    /// `<'e, R>`, with another lifetime on demand.
    pub(super) fn lent_arguments(&self, params: Params, lifetime: TokenStream) -> TokenStream {
        let R = &self.reference;
        let lifetime = params.text.then(|| quote! { #lifetime, });
        let reference = params.reference.then(|| quote! { #R, });
        angled(quote! { #lifetime #reference })
    }
}

impl Machine {
    /// `<Text, R>` of the machine and its context.
    pub(super) fn arguments(&self) -> TokenStream {
        self.generics.arguments(self.generics.of_context)
    }

    /// `Text: FromLiteral, R,` for code that only creates a context.
    pub(super) fn default_parameters(&self) -> TokenStream {
        let (Text, R, facade) = (&self.generics.text, &self.generics.reference, &self.env.facade);
        let bound = self.generics.default_text.then(|| quote! { : #facade::FromLiteral });
        let text = self.generics.of_context.text.then(|| quote! { #Text #bound, });
        let reference = self.generics.of_context.reference.then(|| quote! { #R, });
        angled(quote! { #text #reference })
    }

    /// `'e, Text: …, R: …,` for the methods that take steps.
    pub(super) fn step_parameters(&self) -> TokenStream {
        let (Text, R, facade) = (&self.generics.text, &self.generics.reference, &self.env.facade);
        let needs = &self.generics.text_needs;
        let lifetime = needs.from_payload.then(|| quote! { 'e, });
        let bounds: Vec<TokenStream> = [
            (needs.from_payload, quote! { __From<&'e str> }),
            (needs.from_literal, quote! { #facade::FromLiteral }),
            (needs.clone, quote! { __Clone }),
            (needs.as_str, quote! { __AsRef<str> }),
        ]
        .into_iter()
        .filter_map(|(needed, bound)| needed.then_some(bound))
        .collect();
        let bounds = (!bounds.is_empty()).then(|| quote! { : #(#bounds)+* });
        let text = self.generics.of_context.text.then(|| quote! { #Text #bounds, });
        let reference = self.generics.of_context.reference.then(|| quote! { #R: __Copy + __PartialEq, });
        let own = &self.generics.own.parameters;
        quote! { #lifetime #own #text #reference }
    }

    /// `R: …,` of a method, if only events or predicates have references.
    pub(super) fn method_reference(&self) -> TokenStream {
        let Generics { reference: R, of_context, of_event, of_predicates, .. } = &self.generics;
        let spoken_of = of_event.reference || of_predicates.reference;
        if spoken_of && !of_context.reference {
            quote! { #R: __Copy + __PartialEq, }
        } else {
            TokenStream::new()
        }
    }

    /// `R: …,` of an implementation for events, if only these have references.
    pub(super) fn event_reference(&self) -> TokenStream {
        if self.generics.of_event.reference { self.method_reference() } else { TokenStream::new() }
    }

    /// The parameters of an implementation for a type of events, in which the lifetime of texts is `'e`.
    pub(super) fn event_parameters(&self, with_reference: bool) -> TokenStream {
        let lifetime = (self.generics.of_event.text && !self.generics.text_needs.from_payload).then(|| quote! { 'e, });
        let (own, reference) = (self.step_parameters(), with_reference.then(|| self.event_reference()));
        angled(quote! { #lifetime #own #reference })
    }

    /// The same for a method without an event parameter.
    pub(super) fn direct_reference(&self) -> TokenStream {
        if self.generics.of_predicates.reference { self.method_reference() } else { TokenStream::new() }
    }

    /// `Event<&'e str, R>`, or `Event<&str, R>` if the lifetime needs no name.
    pub(super) fn event_ty(&self) -> TokenStream {
        let lifetime = if self.generics.text_needs.from_payload {
            quote! { 'e }
        } else {
            quote! {}
        };
        self.event_ty_for(lifetime)
    }

    pub(super) fn event_ty_for(&self, lifetime: TokenStream) -> TokenStream {
        let R = &self.generics.reference;
        self.event_ty_of(lifetime, quote! { #R })
    }

    /// `Event<&str, u64>`, for an event without references in its payload: any type is valid, and none can be inferred.
    pub(super) fn event_ty_of_any_reference(&self) -> TokenStream {
        self.event_ty_of(quote! {}, quote! { u64 })
    }

    /// The type of a timer that elapses. Where only payloads have references, nothing determines their type, and any is valid.
    pub(super) fn timer_ty(&self, lifetime: TokenStream) -> TokenStream {
        let R = &self.generics.reference;
        let reference = if self.has_free_reference() {
            quote! { u64 }
        } else {
            quote! { #R }
        };
        self.event_ty_of(lifetime, reference)
    }

    /// Whether only payloads have references.
    pub(super) fn has_free_reference(&self) -> bool {
        let Generics { of_event, of_context, of_predicates, of_effects, .. } = &self.generics;
        of_event.reference && !of_context.reference && !of_predicates.reference && !of_effects.reference
    }

    /// The same for what a caller can raise.
    pub(super) fn input_ty(&self) -> TokenStream {
        let (R, lifetime) = (&self.generics.reference, self.generics.text_needs.from_payload.then(|| quote! { 'e }));
        self.ty_of_event(&self.types.input, quote! { #lifetime }, quote! { #R })
    }

    fn event_ty_of(&self, lifetime: TokenStream, reference: TokenStream) -> TokenStream {
        self.ty_of_event(&self.types.event, lifetime, reference)
    }

    pub(super) fn ty_of_event(&self, Event: &Ident, lifetime: TokenStream, reference: TokenStream) -> TokenStream {
        self.ty_of_data(Event, self.generics.of_event, lifetime, reference)
    }

    /// `Event<&'e str, R>`, `Effect<&'a str, R>`
    pub(super) fn ty_of_data(&self, Enum: &Ident, params: Params, lifetime: TokenStream, reference: TokenStream) -> TokenStream {
        let text = params.text.then(|| quote! { &#lifetime str, });
        let reference = params.reference.then(|| quote! { #reference, });
        let arguments = angled(quote! { #text #reference });
        quote! { #Enum #arguments }
    }

    /// The type of an effect with its data.
    pub(super) fn effect_ty(&self, lifetime: TokenStream) -> TokenStream {
        let R = &self.generics.reference;
        self.ty_of_data(&self.types.effect, self.generics.of_values, lifetime, quote! { #R })
    }

    /// The type of what happens, of which effects take data; `()` in a machine without events.
    pub(super) fn happening_ty(&self, lifetime: TokenStream) -> TokenStream {
        if self.events.is_some() {
            self.event_ty_for(lifetime)
        } else {
            quote! { () }
        }
    }

    /// `Predicates<Text, R>`
    pub(super) fn predicates_bound(&self) -> TokenStream {
        let Predicates = &self.types.predicates;
        let arguments = self.generics.arguments(self.generics.of_predicates);
        quote! { #Predicates #arguments }
    }

    /// `predicates: &P,`, `predicates,` and `P: Predicates<…> + ?Sized,`; empty if there are no predicates.
    pub(super) fn predicates_pieces(&self) -> (TokenStream, TokenStream, TokenStream) {
        if self.predicates.is_empty() {
            return Default::default();
        }
        let (P, bound) = (&self.generics.predicates, self.predicates_bound());
        (quote! { predicates: &#P, }, quote! { predicates, }, quote! { #P: #bound + ?__Sized, })
    }

    /// The type of predicates in the façade's trait, and the argument for it.
    pub(super) fn predicates_argument(&self) -> (TokenStream, TokenStream) {
        let P = &self.generics.predicates;
        if self.predicates.is_empty() { (quote! { () }, quote! { &() }) } else { (quote! { #P }, quote! { predicates }) }
    }

    /// The place of the state: `self.state`; a user's enum is the state itself.
    pub(super) fn state_of(&self, machine: &TokenStream) -> TokenStream {
        match &self.form {
            Form::Module | Form::Around(_) => quote! { #machine.state },
            Form::Struct(own) => {
                let state = &own.state;
                quote! { #machine.#state }
            }
            Form::Enum(_) => quote! { *#machine },
        }
    }

    /// The place of the context: `self.context`; a user's struct is the context itself.
    pub(super) fn context_of(&self, machine: &TokenStream) -> TokenStream {
        match &self.form {
            Form::Struct(_) => machine.clone(),
            Form::Module | Form::Enum(_) | Form::Around(_) => quote! { #machine.context },
        }
    }

    /// The type of the context, as predicates take it.
    pub(super) fn context_ty(&self) -> TokenStream {
        match &self.form {
            Form::Struct(_) => {
                let (Machine, arguments) = (&self.types.machine, self.arguments());
                quote! { #Machine #arguments }
            }
            Form::Module | Form::Enum(_) | Form::Around(_) => {
                let (Context, arguments) = (&self.types.context, self.arguments());
                quote! { #Context #arguments }
            }
        }
    }

    /// The derives of the machine and its context. The user's enum may not have all that ours have.
    pub(super) fn data_traits(&self) -> TokenStream {
        let hash = self.form.own_enum().is_none().then(|| quote! { , Hash });
        quote! { Debug, Clone, PartialEq, Eq #hash }
    }

    /// Whether `as usize` yields the position of a state.
    pub(super) fn is_in_order(&self) -> bool {
        match &self.form {
            Form::Module => true,
            Form::Struct(own) => !own.own_states,
            Form::Enum(own) | Form::Around(own) => own.in_order,
        }
    }

    /// The position of a state: `self as usize`.
    pub(super) fn index_of(&self, state: &TokenStream) -> TokenStream {
        if self.is_in_order() {
            quote! { #state as usize }
        } else {
            // A path is used because the place of a state may be `*self`, and a method call binds more strongly than `*`.
            let State = &self.types.state;
            quote! { #State::index(#state) }
        }
    }

    /// The position of a state or composite among the nodes, by name: `State::Idle as u32`, `Composite::Busy.node()`.
    pub(super) fn node(&self, position: usize) -> TokenStream {
        let (State, Composite) = (&self.types.state, &self.types.composite);
        let composites = self.composites.iter().flat_map(|it| &it.variants);
        let node = self.states.variants.iter().chain(composites).nth(position).map(|it| &it.ident);
        match (position < self.states.variants.len(), self.is_in_order()) {
            (true, true) => quote! { #State::#node as u32 },
            (true, false) => quote! { #State::index(#State::#node) as u32 },
            (false, _) => quote! { #Composite::#node.node() },
        }
    }

    /// A node whose entry completes a composite, and the position of that composite.
    pub(super) fn completion(&self, node: usize, composite: &Ident) -> TokenStream {
        let (node, Composite) = (self.node(node), &self.types.composite);
        quote! { (#node, #Composite::#composite as u32) }
    }

    /// The position of a state in the form that the façade's macros take.
    pub(super) fn index_tokens(&self) -> TokenStream {
        if self.is_in_order() {
            quote! { [as usize] }
        } else {
            quote! { [.index()] }
        }
    }
}
