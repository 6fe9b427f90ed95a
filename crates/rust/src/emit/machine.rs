//! The machine: its state and context, and the methods that change it.

use proc_macro2::TokenStream;
use quote::quote;

use super::dispatch::{expand_decision, expand_direct};
use super::expr::allow_conditions;
use super::generics::angled;
use super::{creation, doc, doc_line, events, host, react, steps};
use crate::ir::{Dispatch, Form, Machine, Part, Table};

/// The number of arms up to which a function is short enough to be inlined.
const MAX_INLINE_ARMS: usize = 8;

/// The struct, its methods and `impl Machine`.
pub(super) fn expand_machine(m: &Machine) -> TokenStream {
    let definition = expand_definition(m);
    let machine = m.has_machine().then(|| {
        let creation = m.has_part(Part::New).then(|| creation::expand_creation(m));
        let methods = expand_methods(m);
        let machine_trait = m.dispatch.as_ref().map(|it| expand_machine_trait(m, it));
        quote! { #creation #methods #machine_trait }
    });
    quote! { #definition #machine }
}

/// The struct, and its accessors; a user's own type is defined by the user.
fn expand_definition(m: &Machine) -> Option<TokenStream> {
    let (Machine, attributes) = (&m.types.machine, &m.env.attributes);
    match &m.form {
        Form::Module => {
            let (definition, access) = (expand_struct(m), expand_access(m));
            Some(quote! { #definition #access })
        }
        Form::Around(_) => {
            let (definition, access, borrowed) = (expand_struct(m), expand_access(m), expand_borrowed(m));
            Some(quote! { #definition #access #borrowed })
        }
        Form::Struct(_) => {
            let (state, arguments, parameters) = (expand_state(m), m.arguments(), angled(m.generics.own.parameters.clone()));
            Some(quote! { #attributes impl #parameters #Machine #arguments { #state } })
        }
        Form::Enum(_) => None,
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

            /// The context, to be changed by hand.
            #[inline]
            #vis const fn context_mut(&mut self) -> &mut #Context #arguments {
                &mut self.context
            }
        }
    });
    let (state, attributes) = (expand_state(m), &m.env.attributes);
    quote! {
        #attributes
        impl #arguments #Machine #arguments {
            /// The machine as it was stored.
            #[inline]
            #vis const fn restore(state: #State #parameter) -> Self {
                #Machine { state #value }
            }

            #state
            #context
        }
    }
}

/// `plan` and `apply` of the user's enum, for a context that is stored elsewhere.
fn expand_borrowed(m: &Machine) -> Option<TokenStream> {
    m.dispatch.as_ref().filter(|_| m.has_machine())?;
    let (Machine, State, Context, Text) = (&m.types.machine, &m.types.state, &m.types.context, &m.generics.text);
    let (Change, Refused, vis, attributes) = (&m.types.change, &m.types.refused, &m.env.visibility, &m.env.attributes);
    let (clone, result, ok) = (&m.env.prelude.clone, &m.env.prelude.result, &m.env.prelude.ok);
    let (arguments, event_ty, (predicates, argument, bound)) = (m.arguments(), m.input_ty(), m.predicates_pieces());
    let (own, reference) = (m.step_parameters(), m.method_reference());
    let parameters = angled(quote! { #own #reference #bound });
    let cloned = m.generics.of_context.text.then(|| quote! { where #Text: #clone });
    let plan = m.env.body(quote! { #Machine::restore(self, #clone::clone(context)).plan(event, #argument) });
    let apply = m.env.body(quote! {
        let mut machine = #Machine::restore(*self, #clone::clone(context));
        let change = machine.apply(event, #argument)?;
        #Machine { state: *self, context: *context } = machine;
        #ok(change)
    });
    Some(quote! {
        #attributes
        impl #State {
            /// The change that an event would make, with this context; nothing changes.
            #vis fn plan #parameters (self, context: &#Context #arguments, event: #event_ty, #predicates) -> #result<#Change, #Refused>
            #cloned {
                #plan
            }

            /// Raises an event: the state and the context change, or the event is refused and nothing changes.
            #vis fn apply #parameters (
                &mut self, context: &mut #Context #arguments, event: #event_ty, #predicates
            ) -> #result<#Change, #Refused>
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
fn expand_methods(m: &Machine) -> Option<TokenStream> {
    let (Machine, attributes, arguments) = (&m.types.machine, &m.env.attributes, m.arguments());
    let parameters = angled(m.step_parameters());
    let on_event = m.dispatch.is_some().then(|| expand_event_methods(m));
    let created = m.creation.is_some() && m.has_part(Part::New);
    let stepped = m.typestate.as_ref().is_some_and(|it| it.states.iter().flat_map(|it| &it.methods).any(|it| it.event.is_some()));
    let take = (m.dispatch.is_some() || created || stepped).then(|| steps::expand_take(m));
    let direct = m.direct.as_ref().map(|it| expand_direct_methods(m, it));
    let run = host::expand_run(m);
    let react = react::expand_methods(m);
    let methods: TokenStream = [on_event, take, direct, react, run].into_iter().flatten().collect();
    // The error of a run holds the change, whose steps are many here.
    let large = m.reactions.is_some().then(|| quote! { #[allow(clippy::result_large_err)] });
    (!methods.is_empty()).then(|| {
        quote! {
            #attributes
            #large
            impl #parameters #Machine #arguments {
                #methods
            }
        }
    })
}

fn expand_event_methods(m: &Machine) -> TokenStream {
    let (Change, Refused, facade, vis) = (&m.types.change, &m.types.refused, &m.env.facade, &m.env.visibility);
    let (result, (predicates, _, bound)) = (&m.env.prelude.result, m.predicates_pieces());
    let (_, predicates_argument) = m.predicates_argument();
    let reference = m.method_reference();
    let parameters = angled(quote! { #reference #bound });
    let (event_ty, recorded) = (m.input_ty(), events::expand_recorded(m));
    let apply_as = m.actors.is_some().then(|| expand_apply_as(m));
    let replay = m.has_timers().then(|| expand_replay(m));
    quote! {
        /// The change that an event would make; nothing changes.
        #[inline]
        #vis fn plan #parameters (&self, event: #event_ty, #predicates) -> #result<#Change, #Refused> {
            #recorded
            #facade::Machine::plan(self, &event, #predicates_argument)
        }

        /// Raises an event: the machine changes, or the event is refused and nothing changes.
        #[inline]
        #vis fn apply #parameters (&mut self, event: #event_ty, #predicates) -> #result<#Change, #Refused> {
            #recorded
            #facade::Machine::apply(self, &event, #predicates_argument)
        }

        #apply_as
        #replay
    }
}

/// `replay`: what a history has recorded happens again.
fn expand_replay(m: &Machine) -> TokenStream {
    let (Change, Refused, facade, vis, result) =
        (&m.types.change, &m.types.refused, &m.env.facade, &m.env.visibility, &m.env.prelude.result);
    let ((predicates, _, bound), (_, argument)) = (m.predicates_pieces(), m.predicates_argument());
    let reference = m.method_reference();
    let (parameters, event_ty) = (angled(quote! { #reference #bound }), m.event_ty());
    quote! {
        /// Takes the next entry of a recorded history: an event, or a timer that has elapsed.
        ///
        /// It asks neither for an actor nor for the time, so it is not for input: callers use `apply`, and `Timers` let timers elapse.
        #[inline]
        #vis fn replay #parameters (&mut self, event: #event_ty, #predicates) -> #result<#Change, #Refused> {
            #facade::Machine::apply(self, &event, #argument)
        }
    }
}

fn expand_apply_as(m: &Machine) -> TokenStream {
    let (Actor, Change, Refused, vis, prelude) = (&m.types.actor, &m.types.change, &m.types.refused, &m.env.visibility, &m.env.prelude);
    let (result, err) = (&prelude.result, &prelude.err);
    let (predicates, forwarded, bound) = m.predicates_pieces();
    let reference = m.method_reference();
    let parameters = angled(quote! { #reference #bound });
    let (event_ty, refused) = (m.input_ty(), expand_wrong_actor(m, Some(&m.state_of(&quote! { self }))));
    let body = m.env.body(quote! {
        if !event.kind().may_be_raised_by(actor) {
            return #err(#refused);
        }
        self.apply(event, #forwarded)
    });
    quote! {
        /// Raises an event in the name of an actor: refused where the actor may not.
        #vis fn apply_as #parameters (&mut self, actor: #Actor, event: #event_ty, #predicates) -> #result<#Change, #Refused> {
            #body
        }
    }
}

/// The refusal of an actor that may not raise the event; `state` is the current one, if there is a machine already.
pub(super) fn expand_wrong_actor(m: &Machine, state: Option<&TokenStream>) -> TokenStream {
    let (Refused, facade, some, none) = (&m.types.refused, &m.env.facade, &m.env.prelude.some, &m.env.prelude.none);
    let from = state.map_or_else(|| quote! { #none }, |state| quote! { #some(#state) });
    quote! { #Refused::of_event(#from, event.kind(), #facade::Reason::Actor, #none) }
}

fn expand_direct_methods(m: &Machine, direct: &Dispatch) -> TokenStream {
    let (State, Change, Refused, facade, vis) = (&m.types.state, &m.types.change, &m.types.refused, &m.env.facade, &m.env.visibility);
    let (result, ok, (predicates, argument, bound)) = (&m.env.prelude.result, &m.env.prelude.ok, m.predicates_pieces());
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
        let (clone, state) = (&m.env.prelude.clone, m.state_of(&quote! { self }));
        let refused = quote! { #Refused::of_direct(#state, to, reason, row) };
        let react = react::expand_call(m, &quote! { next }, &refused);
        let next = quote! {
            let step = self.direct_step(to, #argument)?;
            let mut next = #clone::clone(self);
            next.take_reaction(&step, #facade::__private::Cause::Automatic, #argument);
        };
        let transition = quote! {
            #next
            let (next, change) = #react?;
            *self = next;
            #ok(change)
        };
        (quote! { #next #react.map(|(_, change)| change) }, transition)
    } else {
        let take = steps::expand_take_alone(m, &quote! { self });
        let transition = quote! {
            let step = self.direct_step(to, #argument)?;
            #take
            #ok(#Change::new(step))
        };
        (quote! { self.direct_step(to, #argument).map(#Change::new) }, transition)
    };
    let (plan_to, transition) = (m.env.body(plan_to), m.env.body(transition));
    quote! {
        /// The change that a direct transition to a state would make; nothing changes.
        #[inline]
        #vis fn plan_to #parameters (&self, to: #State, #predicates) -> #result<#Change, #Refused> {
            #plan_to
        }

        /// Takes the direct transition to a state, which needs no event; or it is refused and nothing changes.
        #[inline]
        #allow_assignments
        #vis fn transition_to #parameters (&mut self, to: #State, #predicates) -> #result<#Change, #Refused> {
            #transition
        }

        #docs
        #inline
        #allow
        fn direct_step #parameters (&self, to: #State, #predicates) -> #result<#facade::Step<#State>, #Refused> {
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

fn expand_machine_trait(m: &Machine, dispatch: &Dispatch) -> TokenStream {
    let (Machine, State, EventKind, Refused) = (&m.types.machine, &m.types.state, &m.types.event_kind, &m.types.refused);
    let Configuration = &m.types.configuration;
    let (facade, attributes, result, P) = (&m.env.facade, &m.env.impl_attributes, &m.env.prelude.result, &m.generics.predicates);
    let (event_ty, arguments, (_, _, bound)) = (m.event_ty(), m.arguments(), m.predicates_pieces());
    let parameters = {
        let (own, reference) = (m.step_parameters(), m.method_reference());
        angled(quote! { #own #reference #bound })
    };
    let (predicates_ty, _) = m.predicates_argument();
    let argument = (!m.predicates.is_empty()).then(|| quote! { , #P });
    // Conversions are tried before a step is found.
    let asked = if dispatch.asks || (steps::converts(&m.on_event) && m.assigns_predicates()) {
        quote! { predicates }
    } else {
        quote! { _predicates }
    };
    let assigned = if m.assigns_predicates() {
        quote! { predicates }
    } else {
        quote! { _predicates }
    };
    let decision = m.env.body(expand_decision(m, dispatch));
    let docs = expand_rows_doc(m, dispatch);
    let inline = expand_inline(dispatch);
    let allow = allow_conditions(dispatch.arms.iter().filter_map(|it| it.guard.as_ref()), &m.env);
    let state = m.env.body(m.state_of(&quote! { self }));
    let take = steps::expand_call(m, &quote! { self }, &quote! { step }, &quote! { event });
    let further = match (&m.reactions, dispatch.settling.is_empty()) {
        (Some(_), _) => Some(expand_reacting(m, &predicates_ty)),
        (None, false) => Some(expand_settling(m, dispatch, &predicates_ty)),
        (None, true) => None,
    };
    let converts = (dispatch.converts() || steps::converts(&m.on_event)).then(|| quote! { const CONVERTS: bool = true; });
    let of_input = m.has_timers().then(|| expand_input_trait(m, &converts));
    quote! {
        #attributes
        impl #parameters #facade::Machine<#event_ty #argument> for #Machine #arguments {
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
            fn decide(&self, event: &#event_ty, #asked: &#predicates_ty) -> #result<#facade::Step<#State>, #Refused> {
                #decision
            }

            #[inline]
            fn advance(&mut self, step: &#facade::Step<#State>, event: &#event_ty, #assigned: &#predicates_ty) {
                #take
            }

            #further
        }

        #of_input
    }
}

/// The façade's trait for what a caller can raise: the event is taken as one of all that can happen.
fn expand_input_trait(m: &Machine, converts: &Option<TokenStream>) -> TokenStream {
    let (Machine, State, EventKind, Refused, Change) =
        (&m.types.machine, &m.types.state, &m.types.event_kind, &m.types.refused, &m.types.change);
    let (Configuration, facade, attributes) = (&m.types.configuration, &m.env.facade, &m.env.impl_attributes);
    let (result, P, (_, _, bound)) = (&m.env.prelude.result, &m.generics.predicates, m.predicates_pieces());
    let (event_ty, arguments, (predicates_ty, _)) = (m.input_ty(), m.arguments(), m.predicates_argument());
    let (own, reference) = (m.step_parameters(), m.method_reference());
    let parameters = angled(quote! { #own #reference #bound });
    let argument = (!m.predicates.is_empty()).then(|| quote! { , #P });
    let state = m.env.body(m.state_of(&quote! { self }));
    let recorded = events::expand_recorded_of(m, &quote! { *event });
    quote! {
        #attributes
        impl #parameters #facade::Machine<#event_ty #argument> for #Machine #arguments {
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

            #[inline]
            fn decide(&self, event: &#event_ty, predicates: &#predicates_ty) -> #result<#facade::Step<#State>, #Refused> {
                #recorded
                #facade::Machine::decide(self, &event, predicates)
            }

            #[inline]
            fn advance(&mut self, step: &#facade::Step<#State>, event: &#event_ty, predicates: &#predicates_ty) {
                #recorded
                #facade::Machine::advance(self, step, &event, predicates)
            }

            #[inline]
            fn plan(&self, event: &#event_ty, predicates: &#predicates_ty) -> #result<#Change, #Refused> {
                #recorded
                #facade::Machine::plan(self, &event, predicates)
            }

            #[inline]
            fn apply(&mut self, event: &#event_ty, predicates: &#predicates_ty) -> #result<#Change, #Refused> {
                #recorded
                #facade::Machine::apply(self, &event, predicates)
            }
        }
    }
}

/// Events that settle are planned on a copy.
fn expand_settling(m: &Machine, dispatch: &Dispatch, predicates_ty: &TokenStream) -> TokenStream {
    let (EventKind, Change, Refused, facade) = (&m.types.event_kind, &m.types.change, &m.types.refused, &m.env.facade);
    let (result, ok, matches, event_ty) = (&m.env.prelude.result, &m.env.prelude.ok, &m.env.prelude.matches, m.event_ty());
    let settling = &dispatch.settling;
    let once = |statement: TokenStream| {
        (!dispatch.all_settle).then(|| quote! { if !#matches(event.kind(), #(#EventKind::#settling)|*) { #statement } })
    };
    let plan_once = once(quote! { return self.decide(event, predicates).map(#Change::new); });
    let take = steps::expand_call(m, &quote! { self }, &quote! { &step }, &quote! { event });
    let apply_once = once(quote! {
        let step = self.decide(event, predicates)?;
        #take
        return #ok(#Change::new(step));
    });
    quote! {
        fn plan(&self, event: &#event_ty, predicates: &#predicates_ty) -> #result<#Change, #Refused> {
            #plan_once
            #facade::__private::settle(self, event, predicates).map(|(_, change)| change)
        }

        fn apply(&mut self, event: &#event_ty, predicates: &#predicates_ty) -> #result<#Change, #Refused> {
            #apply_once
            let (settled, change) = #facade::__private::settle(self, event, predicates)?;
            *self = settled;
            #ok(change)
        }
    }
}

/// Events to which further steps are the reaction are planned on a copy.
fn expand_reacting(m: &Machine, predicates_ty: &TokenStream) -> TokenStream {
    let (Change, Refused, result, ok) = (&m.types.change, &m.types.refused, &m.env.prelude.result, &m.env.prelude.ok);
    let (event_ty, clone) = (m.event_ty(), &m.env.prelude.clone);
    let refused = react::expand_refused(m, &quote! { event.kind() });
    let react = react::expand_call(m, &quote! { next }, &refused);
    let take = steps::expand_call(m, &quote! { next }, &quote! { &step }, &quote! { event });
    let unused = (!m.predicates.is_empty()).then(|| quote! { predicates });
    let predicates = unused.unwrap_or_else(|| quote! { _predicates });
    let decide = quote! { self.decide(event, #predicates)? };
    let next = quote! {
        let step = #decide;
        let mut next = #clone::clone(self);
        #take
    };
    quote! {
        fn plan(&self, event: &#event_ty, #predicates: &#predicates_ty) -> #result<#Change, #Refused> {
            #next
            #react.map(|(_, change)| change)
        }

        fn apply(&mut self, event: &#event_ty, #predicates: &#predicates_ty) -> #result<#Change, #Refused> {
            #next
            let (next, change) = #react?;
            *self = next;
            #ok(change)
        }
    }
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
