//! The host: the trait that it implements, and the methods that run a machine with it.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::generics::angled;
use super::{doc, events};
use crate::ir::{Form, Machine, Part};

/// The two kinds of hosts: what they emit differs in names, and in waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HostKind {
    /// `Host`, `run`.
    Blocking,
    /// `AsyncHost`, `run_async`.
    Async,
}

impl HostKind {
    /// The kinds of a machine.
    pub(super) fn of(m: &Machine) -> &'static [HostKind] {
        if m.env.async_host { &[HostKind::Blocking, HostKind::Async] } else { &[HostKind::Blocking] }
    }

    /// The trait.
    pub(super) fn host(self, m: &Machine) -> &Ident {
        match self {
            HostKind::Blocking => &m.types.host,
            HostKind::Async => &m.types.async_host,
        }
    }

    /// The trait that `run` requires: one method for all effects, which each [`HostKind::host`] has, too.
    fn run_host(self, m: &Machine) -> &Ident {
        match self {
            _ if m.effect_enum.is_none() => self.host(m),
            HostKind::Blocking => &m.types.effect_host,
            HostKind::Async => &m.types.async_effect_host,
        }
    }

    /// The name of a method.
    pub(super) fn name(self, method: &str) -> Ident {
        match self {
            HostKind::Blocking => format_ident!("{method}"),
            HostKind::Async => format_ident!("{method}_async"),
        }
    }

    /// `async`, before `fn`.
    pub(super) fn asynchronous(self) -> Option<TokenStream> {
        (self == HostKind::Async).then(|| quote! { async })
    }

    /// `.await`, after a call.
    pub(super) fn wait(self) -> Option<TokenStream> {
        (self == HostKind::Async).then(|| quote! { .await })
    }

    /// The result of a method of the host; its future need not be `Send`.
    fn done(self) -> TokenStream {
        match self {
            HostKind::Blocking => quote! { __Result<(), Self::Error> },
            HostKind::Async => quote! { impl ::core::future::Future<Output = __Result<(), Self::Error>> },
        }
    }
}

/// The hosts of a machine.
pub(super) fn expand_hosts(m: &Machine) -> TokenStream {
    let hosts = HostKind::of(m).iter().flat_map(|kind| [expand_trait(m, *kind), expand_effect_host(m, *kind)]);
    hosts.flatten().collect()
}

/// `EffectHost`, which has one method for all effects, and which every `Host` is.
fn expand_effect_host(m: &Machine, kind: HostKind) -> Option<TokenStream> {
    m.effect_enum.as_ref().filter(|_| m.has_run())?;
    let (facade, attributes) = (&m.env.facade, &m.env.attributes);
    let (Host, Single, H, Text, R) = (kind.run_host(m), kind.host(m), &m.generics.host, &m.generics.text, &m.generics.reference);
    let (Machine, machine_arguments, effect) = (&m.types.machine, m.arguments(), m.effect_ty(quote! {}));
    let (State, Change, done, perform) = (&m.types.state, &m.types.change, kind.done(), kind.name("perform"));
    let (params, own) = (m.generics.of_effects, &m.generics.own.parameters);
    let arguments = m.generics.arguments(params);
    let text = params.text.then(|| quote! { #Text, });
    let display = m.shows_references().then(|| quote! { + ::core::fmt::Display });
    let bounds = m.generics.of_values.reference.then(|| quote! { : __Copy #display });
    let reference = params.reference.then(|| quote! { #R #bounds, });
    let docs = match kind {
        HostKind::Blocking => vec![
            format!("The host that takes each effect as a value: implement it in place of [`{Single}`], which has a method for each."),
            "These are two traits, so that the compiler checks both ways: methods that provide each other could all be left out.".into(),
        ],
        HostKind::Async => vec![format!(
            "The asynchronous host that takes each effect as a value: implement it in place of [`{Single}`], which has a method for each. \
             Implement its methods as `async fn`."
        )],
    };
    let method = quote! {
        /// Performs an effect.
        fn perform(&mut self, effect: #effect) -> #done;
    };
    let definition = expand_host(m, kind, Host, &docs, &method);
    Some(quote! {
        #definition

        #attributes
        impl<#own #text #reference #H: #Single #arguments + ?__Sized> #Host #arguments for #H {
            type Error = <#H as #Single #arguments>::Error;

            #[inline]
            fn store(&mut self, next: &#Machine #machine_arguments, change: &#Change) -> #done {
                #Single::store(self, next, change)
            }

            #[inline]
            fn perform(&mut self, effect: #effect) -> #done {
                effect.#perform(self)
            }

            #[inline]
            fn observe(&mut self, attempt: &#facade::Attempt<'_, #State>) {
                #Single::observe(self, attempt)
            }
        }
    })
}

/// The trait of a host, with its methods for effects.
fn expand_host(m: &Machine, kind: HostKind, Host: &Ident, docs: &[String], methods: &TokenStream) -> TokenStream {
    let (Machine, State, Change) = (&m.types.machine, &m.types.state, &m.types.change);
    let (facade, vis, attributes, docs) = (&m.env.facade, &m.env.visibility, &m.env.attributes, doc(docs));
    let (done, arguments, definition) = (kind.done(), m.arguments(), m.generics.definition(m.generics.of_effects));
    quote! {
        #docs
        #attributes
        #vis trait #Host #definition {
            /// The error of the store or of an effect.
            type Error;

            /// Stores the machine as it is after a change.
            fn store(&mut self, next: &#Machine #arguments, change: &#Change) -> #done;

            #methods

            /// Sees every attempt, after it has ended: for logs, traces and metrics.
            #[inline]
            fn observe(&mut self, _attempt: &#facade::Attempt<'_, #State>) {}
        }
    }
}

/// `Host`; a machine without effects is stored, too.
fn expand_trait(m: &Machine, kind: HostKind) -> Option<TokenStream> {
    if !m.has_machine() || (m.effect_enum.is_none() && !m.has_run()) {
        return None;
    }
    let done = kind.done();
    let methods = m.effects.iter().map(|effect| {
        let (docs, method) = (doc(&effect.doc), &effect.method);
        let parameters = effect.parameters.iter().map(|it| {
            let (local, ty) = (&it.field.local, &it.field.argument);
            quote! { #local: #ty }
        });
        let message = effect.message.is_some().then(|| match kind {
            HostKind::Blocking => quote! { message: ::core::fmt::Arguments<'_> },
            HostKind::Async => quote! { message: impl ::core::fmt::Display },
        });
        let parameters = parameters.chain(message);
        // The spec determines the number of values.
        let n_parameters = 1 + effect.parameters.len() + usize::from(effect.message.is_some());
        let allow = (n_parameters > 7).then(|| quote! { #[allow(clippy::too_many_arguments)] });
        quote! {
            #docs
            #allow
            fn #method(&mut self, #(#parameters),*) -> #done;
        }
    });
    let docs = match kind {
        HostKind::Blocking => "The host: stores the machine, and performs the effects.",
        HostKind::Async => "The asynchronous host: stores the machine, and performs the effects. Implement its methods as `async fn`.",
    };
    let methods: TokenStream = methods.collect();
    Some(expand_host(m, kind, kind.host(m), &[docs.into()], &methods))
}

/// One of the `run` methods: what differs between them.
struct Run {
    /// The statements that plan the change.
    planned: TokenStream,
    /// The façade's run of it.
    run: TokenStream,
    /// The event of which effects take data: an expression of an `Option`.
    event: TokenStream,
    /// The event without its payload.
    kind: TokenStream,
    actor: TokenStream,
}

/// `run`, `run_to` for direct transitions, and `run_created` for a new machine.
pub(super) fn expand_run(m: &Machine) -> Option<TokenStream> {
    m.has_run().then(|| HostKind::of(m).iter().map(|kind| expand_run_of(m, *kind)).collect())
}

fn expand_run_of(m: &Machine, kind: HostKind) -> TokenStream {
    let run = m.dispatch.is_some().then(|| expand_run_event(m, kind));
    let run_to = m.direct.is_some().then(|| expand_run_to(m, kind));
    let run_created = (m.creation.is_some() && m.has_part(Part::New)).then(|| expand_run_created(m, kind));
    quote! { #run #run_to #run_created }
}

fn expand_run_event(m: &Machine, kind: HostKind) -> TokenStream {
    let (run_name, run_as, run_by) = (kind.name("run"), kind.name("run_as"), kind.name("run_by"));
    let (asynchronous, wait) = (kind.asynchronous(), kind.wait());
    let (predicates, argument, bound) = m.predicates_pieces();
    let (reference, host) = (m.method_reference(), expand_host_bound(m, kind));
    let parameters = angled(quote! { #reference #bound #host });
    let (event_ty, recorded_ty, Actor, vis, H) = (m.input_ty(), m.event_ty(), &m.types.actor, &m.env.visibility, &m.generics.host);
    let (result, bounds) = (expand_run_result(m, kind), expand_run_bounds(m));
    let (facade, (_, asked)) = (&m.env.facade, m.predicates_argument());
    let by_actor = m.actors.as_ref().map(|_| quote! { actor: __Option<#Actor>, });
    let actor = by_actor.as_ref().map_or_else(|| quote! { __None }, |_| quote! { actor });
    let body = expand_body(
        m,
        kind,
        &Run {
            planned: quote! { let planned = #facade::__private::copy_after(self, #actor, &event, #asked); },
            run: quote! { new(self, planned) },
            event: quote! { __Some(&event) },
            kind: quote! { __Some(event.kind()) },
            actor,
        },
    );
    // What `run`, `run_as` and `run_due` have in common is a method.
    let is_shared = m.actors.is_some() || m.has_timers();
    let raised = if m.has_timers() {
        quote! { __From::from(event) }
    } else {
        quote! { event }
    };
    let no_actor = by_actor.as_ref().map(|_| quote! { __None, });
    let run = match is_shared {
        true => quote! { self.#run_by(#no_actor #raised, #argument host) #wait },
        false => body.clone(),
    };
    let run_as = by_actor.as_ref().map(|_| {
        quote! {
            /// Raises an event with a host, in the name of an actor: refused where the actor may not.
            #vis #asynchronous fn #run_as #parameters (&mut self, actor: #Actor, event: #event_ty, #predicates host: &mut #H) -> #result
            #bounds
            {
                self.#run_by(__Some(actor), #raised, #argument host) #wait
            }
        }
    });
    let run_due = m.has_timers().then(|| expand_run_due(m, kind));
    let run_by = is_shared.then(|| {
        quote! {
            #asynchronous fn #run_by #parameters (&mut self, #by_actor event: #recorded_ty, #predicates host: &mut #H) -> #result
            #bounds
            {
                #body
            }
        }
    });
    quote! {
        /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
        ///
        /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
        /// where the spec stores first.
        #vis #asynchronous fn #run_name #parameters (&mut self, event: #event_ty, #predicates host: &mut #H) -> #result
        #bounds
        {
            #run
        }

        #run_as

        #run_due

        #run_by
    }
}

/// `run_due`: the timer that is due first elapses with a host.
fn expand_run_due(m: &Machine, kind: HostKind) -> TokenStream {
    let (Timers, facade) = (&m.types.timers, &m.env.facade);
    let (run_due, run_by, asynchronous, wait) = (kind.name("run_due"), kind.name("run_by"), kind.asynchronous(), kind.wait());
    let (predicates, argument, bound) = m.predicates_pieces();
    let (reference, host) = (m.method_reference(), expand_host_bound(m, kind));
    let reference = (!m.has_free_reference()).then_some(reference);
    let parameters = angled(quote! { #reference #bound #host });
    let (vis, H, result, bounds) = (&m.env.visibility, &m.generics.host, expand_run_result(m, kind), expand_run_bounds(m));
    let actor = m.actors.is_some().then(|| quote! { __None, });
    let lifetime = if m.generics.text_needs.from_payload {
        quote! { 'e }
    } else {
        quote! {}
    };
    let event_ty = m.timer_ty(lifetime);
    let body = match m.env.stub {
        true => quote! { __None },
        false => quote! {
            let (event, timer, _): (#event_ty, _, _) = timers.elapsed(self, now)?;
            let result = self.#run_by(#actor event, #argument host) #wait;
            timers.after_run(timer, &result, now);
            __Some(result)
        },
    };
    quote! {
        /// Lets the timer that is due first elapse, with a host; otherwise like `run`. `None` if no timer is due.
        ///
        /// A timer that was refused is over. Where the host failed and the machine did not move, the timer is still due.
        #[allow(clippy::type_complexity)]
        #vis #asynchronous fn #run_due #parameters (
            &mut self, timers: &mut #Timers, now: #facade::Timestamp, #predicates host: &mut #H
        ) -> __Option<#result>
        #bounds
        {
            #body
        }
    }
}

fn expand_run_to(m: &Machine, kind: HostKind) -> TokenStream {
    let (State, R) = (&m.types.state, &m.generics.reference);
    let (predicates, argument, bound) = m.predicates_pieces();
    // An effect may have references that the context does not have.
    let reference = (m.generics.of_effects.reference && !m.generics.of_context.reference).then(|| {
        quote! { #R: __Copy + __PartialEq, }
    });
    let reference = reference.unwrap_or_else(|| m.direct_reference());
    let host = expand_host_bound(m, kind);
    let parameters = angled(quote! { #reference #bound #host });
    // Without an event, the type of its references cannot be inferred; any type is valid if effects take no event.
    let known = m.generics.of_effects.reference || !reference.is_empty() || m.events.is_none();
    let event = if known { m.happening_ty(quote! {}) } else { m.event_ty_of_any_reference() };
    let event = quote! { __Option::<&#event>::None };
    let (vis, H, result, bounds) = (&m.env.visibility, &m.generics.host, expand_run_result(m, kind), expand_run_bounds(m));
    let (run_to, asynchronous) = (kind.name("run_to"), kind.asynchronous());
    let planned = quote! {
        let mut next = __Clone::clone(self);
        let planned = next.transition_to(to, #argument).map(|change| (next, change));
    };
    let run = quote! { new(self, planned) };
    let body = expand_body(m, kind, &Run { planned, run, event, kind: quote! { __None }, actor: quote! { __None } });
    quote! {
        /// Takes the direct transition to a state with a host; otherwise like `run`.
        #vis #asynchronous fn #run_to #parameters (&mut self, to: #State, #predicates host: &mut #H) -> #result
        #bounds
        {
            #body
        }
    }
}

/// A new machine exists already, so it does not move.
fn expand_run_created(m: &Machine, kind: HostKind) -> TokenStream {
    let Change = &m.types.change;
    let (reference, host) = (m.method_reference(), expand_host_bound(m, kind));
    let parameters = angled(quote! { #reference #host });
    let (event_ty, vis, H) = (m.input_ty(), &m.env.visibility, &m.generics.host);
    let result = expand_run_result(m, kind);
    let recorded = events::expand_recorded(m);
    let run = Run {
        planned: quote! { #recorded },
        run: quote! { created(self, change) },
        event: quote! { __Some(&event) },
        kind: quote! { __Some(event.kind()) },
        actor: quote! { __None },
    };
    let body = expand_body(m, kind, &run);
    let (run_created, asynchronous) = (kind.name("run_created"), kind.asynchronous());
    quote! {
        /// Completes the creation of this machine with a host: performs `before` effects, stores, performs the other effects.
        ///
        /// Takes the event that created it, and the change. A machine whose run failed before it `moved` was not created.
        #vis #asynchronous fn #run_created #parameters (&self, change: #Change, event: #event_ty, host: &mut #H) -> #result {
            #body
        }
    }
}

/// The body of a `run` method: the façade knows the order of what the host does.
fn expand_body(m: &Machine, kind: HostKind, Run { planned, run, event, kind: kind_of_event, actor }: &Run) -> TokenStream {
    let facade = &m.env.facade;
    // Without effects, there is none to perform.
    let has_effects = !m.effects.is_empty();
    let result = match kind {
        HostKind::Blocking => {
            let perform = match has_effects {
                true => quote! {
                    |host, next, effect, step| #facade::Effects::effect(next, effect, step, #event).map_or(__Ok(()), |it| host.perform(it))
                },
                false => quote! { |_, _, effect, _| match effect {} },
            };
            quote! {
                let run = #facade::__private::Run::#run;
                let result = #facade::__private::run(run, host, |host, next, change| host.store(next, change), #perform);
            }
        }
        HostKind::Async => {
            let (step, perform) = match has_effects {
                true => (
                    quote! { step },
                    quote! {
                        match #facade::Effects::effect(run.after(), effect, &step, #event) {
                            __Some(effect) => host.perform(effect).await,
                            __None => __Ok(()),
                        }
                    },
                ),
                false => (quote! { _ }, quote! { match effect {} }),
            };
            quote! {
                let mut run = #facade::__private::Run::#run;
                while let __Some(task) = run.task() {
                    let outcome = match task {
                        #facade::__private::Task::Perform(effect, #step) => { #perform }
                        #facade::__private::Task::Store(change) => { host.store(run.after(), &change).await }
                    };
                    run.done(task, outcome);
                }
                let result = run.finish();
            }
        }
    };
    m.env.body(quote! {
        #planned
        #result
        host.observe(&#facade::Attempt::of_run(#kind_of_event, #actor, &result));
        result
    })
}

fn expand_host_bound(m: &Machine, kind: HostKind) -> TokenStream {
    let (Host, H) = (kind.run_host(m), &m.generics.host);
    let arguments = m.generics.arguments(m.generics.of_effects);
    quote! { #H: #Host #arguments + ?__Sized }
}

fn expand_run_result(m: &Machine, kind: HostKind) -> TokenStream {
    let (State, Change, Host, H) = (&m.types.state, &m.types.change, kind.run_host(m), &m.generics.host);
    let (facade, arguments) = (&m.env.facade, m.generics.arguments(m.generics.of_effects));
    quote! { __Result<#Change, #facade::RunError<#State, <#H as #Host #arguments>::Error>> }
}

/// The change is planned on a copy. A struct of the user is not `Clone` unless the user says so; with a lifetime in the bound,
/// the compiler reports that where `run` is called, and not in every struct.
fn expand_run_bounds(m: &Machine) -> Option<TokenStream> {
    let (Text, Machine) = (&m.generics.text, &m.types.machine);
    let copied = match m.form {
        Form::Module | Form::Enum(_) | Form::Around(_) => m.generics.of_context.text.then(|| quote! { #Text: __Clone, }),
        Form::Struct(_) => {
            let arguments = m.arguments();
            Some(quote! { for<'run> #Machine #arguments: __Clone, })
        }
    };
    copied.map(|copied| quote! { where #copied })
}
