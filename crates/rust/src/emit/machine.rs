//! The machine: its state and context, and the methods that change it.

use proc_macro2::TokenStream;
use quote::quote;

use super::dispatch::{expand_decision, expand_direct};
use super::expr::allow_conditions;
use super::generics::angled;
use super::{creation, doc, doc_line, host, react, steps, timers};
use crate::ir::{Dispatch, Form, Machine, Part, Table};

/// The number of arms up to which a function is short enough to be inlined.
const MAX_INLINE_ARMS: usize = 8;

/// The struct, its methods and the façade's traits.
pub(super) fn expand_machine(m: &Machine) -> TokenStream {
    let (definition, access) = expand_definition(m);
    let (new, methods) = match m.has_machine() {
        true => (m.has_part(Part::New).then(|| creation::expand_creation(m)), expand_methods(m)),
        false => (None, TokenStream::new()),
    };
    let parts = [access, new, Some((angled(m.step_parameters()), methods))];
    let inherent = expand_inherent(m, parts.into_iter().flatten().filter(|it| !it.1.is_empty()).collect());
    let borrowed = matches!(m.form, Form::Around(_)).then(|| expand_borrowed(m));
    let default = (m.has_machine() && m.has_part(Part::New)).then(|| creation::expand_default(m)).flatten();
    let dispatch = m.dispatch.as_ref().filter(|_| m.has_machine()).map(|it| expand_dispatch(m, it));
    quote! { #definition #inherent #borrowed #default #dispatch }
}

/// The methods of the machine, each part with the parameters of its implementation: parts with the same ones are together.
fn expand_inherent(m: &Machine, parts: Vec<(TokenStream, TokenStream)>) -> TokenStream {
    let (Machine, attributes, arguments) = (&m.types.machine, &m.env.attributes, m.arguments());
    // The error of a run holds the change, whose steps are many here.
    let large = m.reactions.is_some().then(|| quote! { #[allow(clippy::result_large_err)] });
    let alike = parts.chunk_by(|a, b| a.0.to_string() == b.0.to_string()).map(|parts| {
        let (parameters, methods) = (&parts[0].0, parts.iter().map(|it| &it.1));
        quote! {
            #attributes
            #large
            impl #parameters #Machine #arguments {
                #(#methods)*
            }
        }
    });
    alike.collect()
}

/// The struct, and its accessors with the parameters of their implementation; a user's own type is defined by the user.
fn expand_definition(m: &Machine) -> (Option<TokenStream>, Option<(TokenStream, TokenStream)>) {
    match &m.form {
        Form::Module | Form::Around(_) => (Some(expand_struct(m)), Some((m.arguments(), expand_access(m)))),
        Form::Struct(_) => (None, Some((angled(m.generics.own.parameters.clone()), expand_state(m)))),
        Form::Enum(_) => (None, None),
    }
}

fn expand_struct(m: &Machine) -> TokenStream {
    let (Machine, State, Context, vis) = (&m.types.machine, &m.types.configuration, &m.types.context, &m.env.visibility);
    let (definition, arguments) = (m.generics.definition(m.generics.of_context), m.arguments());
    let (docs, serde) = (doc(&m.doc), m.env.serde_derive(false));
    let context = m.has_context().then(|| quote! { context: #Context #arguments, });
    let (attributes, traits, by_name) = (&m.env.attributes, m.data_traits(), m.form.own_enum().map(|_| m.env.serde_own_state(false)));
    quote! {
        #docs
        #attributes
        #[derive(#traits)]
        #serde
        #vis struct #Machine #definition {
            #by_name
            state: #State,
            #context
        }
    }
}

/// The accessors, and restoring from a store.
fn expand_access(m: &Machine) -> TokenStream {
    let (Machine, State, Context, vis) = (&m.types.machine, &m.types.configuration, &m.types.context, &m.env.visibility);
    let arguments = m.arguments();
    let (parameter, value) =
        if m.has_context() { (Some(quote! { , context: #Context #arguments }), Some(quote! { , context })) } else { (None, None) };
    let context = m.has_context().then(|| {
        quote! {
            /// The context: data stored with the state.
            #[inline]
            #vis const fn context(&self) -> &#Context #arguments {
                &self.context
            }

            /// The context, to be changed by hand; what the caller puts into it is not checked.
            #[inline]
            #vis const fn context_mut(&mut self) -> &mut #Context #arguments {
                &mut self.context
            }
        }
    });
    let state = expand_state(m);
    quote! {
        /// The machine as it was stored; what the caller passes is not checked.
        #[inline]
        #vis const fn restore(state: #State #parameter) -> Self {
            #Machine { state #value }
        }

        #state
        #context
    }
}

/// `plan` and `apply` of the user's enum, for a context that is stored elsewhere.
fn expand_borrowed(m: &Machine) -> Option<TokenStream> {
    m.dispatch.as_ref().filter(|_| m.has_machine())?;
    let (Machine, State, Context, Text) = (&m.types.machine, &m.types.state, &m.types.context, &m.generics.text);
    let (Change, Refused, vis, attributes) = (&m.types.change, &m.types.refused, &m.env.visibility, &m.env.attributes);
    let (arguments, event_ty, (predicates, argument, bound)) = (m.arguments(), m.input_ty(), m.predicates_pieces());
    let (own, reference) = (m.step_parameters(), m.method_reference());
    let parameters = angled(quote! { #own #reference #bound });
    let cloned = m.generics.of_context.text.then(|| quote! { where #Text: __Clone });
    let plan = m.env.body(quote! { #Machine::restore(self, __Clone::clone(context)).plan(event, #argument) });
    let apply = m.env.body(quote! {
        let mut machine = #Machine::restore(*self, __Clone::clone(context));
        let change = machine.apply(event, #argument)?;
        #Machine { state: *self, context: *context } = machine;
        __Ok(change)
    });
    Some(quote! {
        #attributes
        impl #State {
            /// The change that an event would make, with this context; nothing changes.
            #vis fn plan #parameters (self, context: &#Context #arguments, event: #event_ty, #predicates) -> __Result<#Change, #Refused>
            #cloned {
                #plan
            }

            /// Raises an event: the state and the context change, or the event is refused and nothing changes.
            #vis fn apply #parameters (
                &mut self, context: &mut #Context #arguments, event: #event_ty, #predicates
            ) -> __Result<#Change, #Refused>
            #cloned {
                #apply
            }
        }
    })
}

fn expand_state(m: &Machine) -> TokenStream {
    let (State, vis, state) = (&m.types.configuration, &m.env.visibility, m.env.body(m.state_of(&quote! { self })));
    quote! {
        /// The current state.
        #[inline]
        #vis const fn state(&self) -> #State {
            #state
        }
    }
}

/// `plan`, `apply`, `transition_to` and `run`.
fn expand_methods(m: &Machine) -> TokenStream {
    let on_event = m.dispatch.is_some().then(|| expand_event_methods(m));
    let take = steps::has_own_take(m).then(|| steps::expand_take(m, false));
    let fits = (take.is_some() || m.dispatch.is_some()).then(|| steps::expand_fits(m)).flatten();
    let direct = m.direct.as_ref().map(|it| expand_direct_methods(m, it));
    let react = react::expand_methods(m);
    let (run, timers) = (host::expand_run(m), timers::expand_method(m));
    [on_event, take, fits, direct, react, run, timers].into_iter().flatten().collect()
}

fn expand_event_methods(m: &Machine) -> TokenStream {
    let (Change, Refused, facade, vis) = (&m.types.change, &m.types.refused, &m.env.facade, &m.env.visibility);
    let (predicates, _, bound) = m.predicates_pieces();
    let (_, predicates_argument) = m.predicates_argument();
    let reference = m.method_reference();
    let parameters = angled(quote! { #reference #bound });
    let event_ty = m.input_ty();
    let apply_as = m.actors.is_some().then(|| expand_apply_as(m));
    let replay = m.has_timers().then(|| expand_replay(m));
    quote! {
        /// The change that an event would make; nothing changes.
        #[inline]
        #vis fn plan #parameters (&self, event: #event_ty, #predicates) -> __Result<#Change, #Refused> {
            #facade::Machine::plan(self, &event, #predicates_argument)
        }

        /// Raises an event: the machine changes, or the event is refused and nothing changes.
        #[inline]
        #vis fn apply #parameters (&mut self, event: #event_ty, #predicates) -> __Result<#Change, #Refused> {
            #facade::Machine::apply(self, &event, #predicates_argument)
        }

        #apply_as
        #replay
    }
}

/// `replay`: what a history has recorded happens again.
fn expand_replay(m: &Machine) -> TokenStream {
    let (Change, Refused, facade, vis) = (&m.types.change, &m.types.refused, &m.env.facade, &m.env.visibility);
    let ((predicates, _, bound), (_, argument)) = (m.predicates_pieces(), m.predicates_argument());
    let reference = m.method_reference();
    let (parameters, event_ty) = (angled(quote! { #reference #bound }), m.event_ty());
    quote! {
        /// Takes the next entry of a recorded history: an event, or a timer that has elapsed.
        ///
        /// It asks neither for an actor nor for the time, so it is not for input: callers use `apply`, and `Timers` let timers elapse.
        #[inline]
        #vis fn replay #parameters (&mut self, event: #event_ty, #predicates) -> __Result<#Change, #Refused> {
            #facade::Machine::apply(self, &event, #argument)
        }
    }
}

fn expand_apply_as(m: &Machine) -> TokenStream {
    let (Actor, Change, Refused, vis, facade) = (&m.types.actor, &m.types.change, &m.types.refused, &m.env.visibility, &m.env.facade);
    let ((predicates, _, bound), (_, argument)) = (m.predicates_pieces(), m.predicates_argument());
    let (reference, event_ty) = (m.method_reference(), m.input_ty());
    let parameters = angled(quote! { #reference #bound });
    let body = m.env.body(quote! { #facade::Machine::apply_as(self, actor, &event, #argument) });
    quote! {
        /// Raises an event in the name of an actor: refused where the actor may not.
        #vis fn apply_as #parameters (&mut self, actor: #Actor, event: #event_ty, #predicates) -> __Result<#Change, #Refused> {
            #body
        }
    }
}

fn expand_direct_methods(m: &Machine, direct: &Dispatch) -> TokenStream {
    let (State, Change, Refused, facade, vis) = (&m.types.state, &m.types.change, &m.types.refused, &m.env.facade, &m.env.visibility);
    let (predicates, argument, bound) = m.predicates_pieces();
    let reference = m.direct_reference();
    let parameters = angled(quote! { #reference #bound });
    // All machines with predicates have the parameter, so that adding a guard changes no signature.
    let unused = (!m.predicates.is_empty() && !direct.asks).then(|| quote! { let _ = predicates; });
    let step = expand_direct(m, direct);
    let step = m.env.body(quote! { #unused #step });
    let (docs, inline) = (expand_rows_doc(m, direct), expand_inline(direct));
    let allow = allow_conditions(direct.arms.iter().filter_map(|it| it.guard.as_ref()), &m.env);
    let allow_assignments = steps::allow_assignments(m, &m.on_direct);
    let (plan_to, transition) = if m.reactions.is_some() {
        let state = m.state_of(&quote! { self });
        let refused = quote! { #Refused::of_direct(#state, to, reason, row) };
        let react = react::expand_call(m, &quote! { next }, &quote! { step }, &refused);
        let next = quote! {
            let step = self.direct_step(to, #argument)?;
            let mut next = __Clone::clone(self);
            next.take_reaction(&step, #facade::__private::Cause::Automatic, #argument);
        };
        let transition = quote! {
            #next
            let (next, change) = #react?;
            *self = next;
            __Ok(change)
        };
        (quote! { #next #react.map(|(_, change)| change) }, transition)
    } else {
        let take = steps::expand_take_alone(m, &quote! { self });
        let transition = quote! {
            let step = self.direct_step(to, #argument)?;
            #take
            __Ok(#Change::new(step))
        };
        (quote! { self.direct_step(to, #argument).map(#Change::new) }, transition)
    };
    let (plan_to, transition) = (m.env.body(plan_to), m.env.body(transition));
    quote! {
        /// The change that a direct transition to a state would make; nothing changes.
        #[inline]
        #vis fn plan_to #parameters (&self, to: #State, #predicates) -> __Result<#Change, #Refused> {
            #plan_to
        }

        /// Takes the direct transition to a state, which needs no event; or it is refused and nothing changes.
        #[inline]
        #allow_assignments
        #vis fn transition_to #parameters (&mut self, to: #State, #predicates) -> __Result<#Change, #Refused> {
            #transition
        }

        #docs
        #inline
        #allow
        fn direct_step #parameters (&self, to: #State, #predicates) -> __Result<#facade::Step<#State>, #Refused> {
            #step
        }
    }
}

fn expand_inline(dispatch: &Dispatch) -> Option<TokenStream> {
    (dispatch.arms.len() <= MAX_INLINE_ARMS).then(|| quote! { #[inline] })
}

/// The place of the rows that the function itself does not name.
fn expand_rows_doc(m: &Machine, dispatch: &Dispatch) -> Option<TokenStream> {
    let from_table = m.regions.is_none() && !dispatch.total && matches!(dispatch.table, Table::Dense(_));
    let which = if dispatch.arms.is_empty() { "The rows" } else { "Rows without a guard" };
    from_table.then(|| doc_line(&format!("{which}: `{}::transitions()`, from which the compiler makes the table.", m.types.state)))
}

/// The façade's traits for machines that take events.
fn expand_dispatch(m: &Machine, dispatch: &Dispatch) -> TokenStream {
    let (Machine, State, EventKind, Refused) = (&m.types.machine, &m.types.state, &m.types.event_kind, &m.types.refused);
    let Configuration = &m.types.configuration;
    let (facade, attributes, P) = (&m.env.facade, &m.env.impl_attributes, &m.generics.predicates);
    let (event_ty, arguments, (_, _, bound)) = (m.event_ty(), m.arguments(), m.predicates_pieces());
    let parameters = {
        let (own, reference) = (m.step_parameters(), m.method_reference());
        angled(quote! { #own #reference #bound })
    };
    let (predicates_ty, _) = m.predicates_argument();
    let argument = if m.predicates.is_empty() {
        quote! { () }
    } else {
        quote! { #P }
    };
    // Conversions are tried before a step is found.
    let asked = if dispatch.asks || (steps::converts(&m.on_event) && m.assigns_predicates()) {
        quote! { predicates }
    } else {
        quote! { _predicates }
    };
    let decision = m.env.body(expand_decision(m, dispatch));
    let docs = expand_rows_doc(m, dispatch);
    let inline = expand_inline(dispatch);
    let allow = allow_conditions(dispatch.arms.iter().filter_map(|it| it.guard.as_ref()), &m.env);
    let state = m.env.body(m.state_of(&quote! { self }));
    let take = match steps::has_own_take(m) {
        true => {
            let (assigned, call) = (m.assigns_predicates(), steps::expand_call(m, &quote! { self }, &quote! { step }, &quote! { event }));
            let predicates = if assigned {
                quote! { predicates }
            } else {
                quote! { _predicates }
            };
            quote! {
                #[inline]
                fn take(&mut self, step: &#facade::Step<#State>, event: &#event_ty, #predicates: &#predicates_ty) {
                    #call
                }
            }
        }
        false => steps::expand_take(m, true),
    };
    let follow = expand_follow(m, dispatch, &predicates_ty);
    let converts = (dispatch.converts() || steps::converts(&m.on_event)).then(|| quote! { const CONVERTS: bool = true; });
    let inputs = expand_inputs(m);
    quote! {
        #inputs

        #attributes
        impl #parameters #facade::__private::Dispatch<#event_ty, #argument> for #Machine #arguments {
            type State = #State;
            #converts

            #[inline]
            fn kind(event: &#event_ty) -> #EventKind {
                event.kind()
            }

            #[inline]
            fn state(&self) -> #Configuration {
                #state
            }

            #docs
            #inline
            #allow
            fn decide(&self, event: &#event_ty, #asked: &#predicates_ty) -> __Result<#facade::Step<#State>, #Refused> {
                #decision
            }

            #take

            #follow
        }
    }
}

/// The events that a machine takes: what callers raise and, where that is another type, everything that can happen.
fn expand_inputs(m: &Machine) -> TokenStream {
    let (Machine, facade, attributes) = (&m.types.machine, &m.env.facade, &m.env.impl_attributes);
    let (arguments, parameters, R) = (m.arguments(), m.event_parameters(true), &m.generics.reference);
    let recorded = m.event_ty_for(quote! { 'e });
    let input = m.has_timers().then(|| m.ty_of_event(&m.types.input, quote! { 'e }, quote! { #R }));
    let inputs = input.iter().chain([&recorded]).map(|event| {
        quote! {
            #attributes
            impl #parameters #facade::__private::Input<#event> for #Machine #arguments {
                type Recorded = #recorded;
            }
        }
    });
    inputs.collect()
}

/// The steps that follow the first one of an event, which settles or to which the machine reacts. They are taken on a copy.
fn expand_follow(m: &Machine, dispatch: &Dispatch, predicates_ty: &TokenStream) -> Option<TokenStream> {
    let (State, Change, Refused, facade) = (&m.types.state, &m.types.change, &m.types.refused, &m.env.facade);
    let (EventKind, event_ty) = (&m.types.event_kind, m.event_ty());
    let (followed, mutable, further) = match (&m.reactions, dispatch.settling.as_slice()) {
        (Some(_), _) => {
            let take = steps::expand_call(m, &quote! { &mut self }, &quote! { &first }, &quote! { event });
            let refused = quote! { #Refused::of_event(first.from(), event.kind(), reason, row) };
            let react = react::expand_call(m, &quote! { self }, &quote! { first }, &refused);
            (None, Some(quote! { mut }), quote! { #take #react })
        }
        (None, []) => return None,
        (None, settling) => {
            let followed = (!dispatch.all_settle).then(|| quote! { __Matches!(event.kind(), #(#EventKind::#settling)|*) });
            (followed, None, quote! { #facade::__private::settle(self, first, event, predicates) })
        }
    };
    let (event, followed) = followed.map_or_else(|| (quote! { _event }, quote! { true }), |it| (quote! { event }, it));
    let (further, plan, apply) = (
        m.env.body(further),
        m.env.body(quote! { #facade::__private::plan_on_copy(self, event, predicates) }),
        m.env.body(quote! { #facade::__private::apply_on_copy(self, event, predicates) }),
    );
    let asked = if m.reactions.is_some() && m.predicates.is_empty() {
        quote! { _predicates }
    } else {
        quote! { predicates }
    };
    Some(quote! {
        #[inline]
        fn is_followed(#event: &#event_ty) -> bool {
            #followed
        }

        fn follow(#mutable self, first: #facade::Step<#State>, event: &#event_ty, #asked: &#predicates_ty) -> __Result<(Self, #Change), #Refused> {
            #further
        }

        fn plan(&self, event: &#event_ty, predicates: &#predicates_ty) -> __Result<#Change, #Refused> {
            #plan
        }

        fn apply(&mut self, event: &#event_ty, predicates: &#predicates_ty) -> __Result<#Change, #Refused> {
            #apply
        }
    })
}

/// The names of changes and refusals.
pub(super) fn expand_aliases(m: &Machine) -> TokenStream {
    let (State, Change, Refused) = (&m.types.state, &m.types.change, &m.types.refused);
    let (facade, vis, attributes) = (&m.env.facade, &m.env.visibility, &m.env.attributes);
    quote! {
        /// The change that an event made.
        #attributes
        #vis type #Change = #facade::Change<#State>;

        /// Why an event was refused.
        #attributes
        #vis type #Refused = #facade::Refused<#State>;
    }
}
