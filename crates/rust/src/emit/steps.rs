//! Taking a step: the assignments, then the state.

use proc_macro2::TokenStream;
use quote::quote;

use super::arm::expand_event_pattern;
use super::expr::allow_conditions;
use super::generics::angled;
use crate::ir::{Assignment, History, Machine, Part};

/// `take`: takes a step that was found for an event. It is a method of the façade's trait, or of the machine.
pub(super) fn expand_take(m: &Machine, of_trait: bool) -> TokenStream {
    let (State, facade) = (&m.types.state, &m.env.facade);
    let (event_ty, state, step) = (m.event_ty(), m.state_of(&quote! { self }), quote! { step: &#facade::Step<#State> });
    let reads_event = m.on_event.iter().any(|it| !it.events.is_empty() || it.set.iter().any(|(_, value)| value.asks_with_event()));
    let event = if reads_event {
        quote! { event }
    } else {
        quote! { _event }
    };
    let (assignments, remember) = (expand_assignments(m, &m.on_event), expand_histories(m, &quote! { self }));
    let allow = allow_assignments(m, &m.on_event);
    let body = m.env.body(quote! {
        #assignments
        #remember
        #state = step.to();
    });
    let (parameters, predicates) = match (of_trait, m.assigns_predicates()) {
        (true, asks) => {
            let (name, ty) = (
                if asks {
                    quote! { predicates }
                } else {
                    quote! { _predicates }
                },
                m.predicates_argument().0,
            );
            (quote! {}, quote! { #name: &#ty })
        }
        (false, true) => {
            let ((predicates, _, bound), reference) = (m.predicates_pieces(), m.method_reference());
            (angled(quote! { #reference #bound }), predicates)
        }
        (false, false) => (angled(m.method_reference()), quote! {}),
    };
    let unused = m.env.stub.then(|| quote! { #[allow(unused_variables)] });
    quote! {
        #[inline]
        #allow
        #unused
        fn take #parameters (&mut self, #step, #event: &#event_ty, #predicates) {
            #body
        }
    }
}

/// Whether `take` is a method of the machine: there are no predicates at hand where a typestate takes a step, and without events
/// after creation there is no implementation of the façade's trait.
pub(super) fn has_own_take(m: &Machine) -> bool {
    let created = m.creation.is_some() && m.has_part(Part::New);
    let stepped = m.typestate.as_ref().is_some_and(|it| it.states.iter().flat_map(|it| &it.methods).any(|it| it.event.is_some()));
    match m.dispatch {
        Some(_) => stepped && !m.predicates.is_empty(),
        None => created || stepped,
    }
}

/// Whether an assignment converts a value.
pub(super) fn converts(assignments: &[Assignment]) -> bool {
    assignments.iter().any(Assignment::converts)
}

/// `fits`: an error if a value that a step assigns is out of the range of the type that is to hold it.
pub(super) fn expand_fits(m: &Machine) -> Option<TokenStream> {
    let tried = expand_trial(m, &m.on_event)?;
    let (State, facade, event_ty) = (&m.types.state, &m.env.facade, m.event_ty());
    let (predicates, _, bound) = if m.assigns_predicates() { m.predicates_pieces() } else { Default::default() };
    let reference = m.method_reference();
    let parameters = angled(quote! { #reference #bound });
    let body = m.env.body(tried);
    let allow = allow_conditions(m.on_event.iter().flat_map(|it| &it.set).map(|(_, value)| value), &m.env);
    Some(quote! {
        #[inline]
        #allow
        #[allow(unused_variables, clippy::single_match, clippy::collapsible_match)]
        fn fits #parameters (&self, step: &#facade::Step<#State>, event: &#event_ty, #predicates) -> __Result<(), #facade::OutOfRange> {
            #body
        }
    })
}

/// The call of `fits`, if there is one; `refuse` is the function from the error to a refusal.
pub(super) fn expand_fits_call(m: &Machine, machine: &TokenStream, event: &TokenStream, refuse: &TokenStream) -> Option<TokenStream> {
    let predicates = m.assigns_predicates().then(|| quote! { , predicates });
    converts(&m.on_event).then(|| quote! { #machine.fits(&step, #event #predicates).map_err(#refuse)?; })
}

/// The same for direct transitions, which have no method for it.
pub(super) fn expand_direct_fits(m: &Machine, refuse: &TokenStream) -> Option<TokenStream> {
    let (facade, tried) = (&m.env.facade, expand_trial(m, &m.on_direct)?);
    Some(quote! {
        #[allow(unused_variables, clippy::single_match, clippy::collapsible_match)]
        let fits = || -> __Result<(), #facade::OutOfRange> { #tried };
        fits().map_err(#refuse)?;
    })
}

/// The conversions of a step, without the assignments.
fn expand_trial(m: &Machine, assignments: &[Assignment]) -> Option<TokenStream> {
    let converting: Vec<&Assignment> = assignments.iter().filter(|it| it.converts()).collect();
    let tried = expand_match(m, &converting, true)?;
    Some(quote! {
        #tried
        __Ok(())
    })
}

/// The assignments of the row that a step takes.
pub(super) fn expand_assignments(m: &Machine, assignments: &[Assignment]) -> Option<TokenStream> {
    let assigned = expand_match(m, &assignments.iter().collect::<Vec<_>>(), false)?;
    if !converts(assignments) {
        return Some(assigned);
    }
    let facade = &m.env.facade;
    // The step was found by a search that has tried the conversions.
    Some(quote! {
        #[allow(clippy::collapsible_match)]
        let mut assign = || -> __Result<(), #facade::OutOfRange> {
            #assigned
            __Ok(())
        };
        let _ = assign();
    })
}

/// The clippy lints that assignments violate: a match on the row may have one arm, and values are as in the spec.
pub(super) fn allow_assignments(m: &Machine, assignments: &[Assignment]) -> TokenStream {
    let values = assignments.iter().flat_map(|it| &it.set).map(|(_, value)| value);
    let conditions = allow_conditions(values, &m.env);
    let single = (assignments.len() == 1).then(|| quote! { #[allow(clippy::single_match)] });
    quote! { #single #conditions }
}

/// The call of `take` for a step and an event; `machine` is a reference.
pub(super) fn expand_call(m: &Machine, machine: &TokenStream, step: &TokenStream, event: &TokenStream) -> TokenStream {
    if has_own_take(m) {
        let (Machine, predicates) = (&m.types.machine, m.assigns_predicates().then(|| quote! { , predicates }));
        return quote! { #Machine::take(#machine, #step, #event #predicates); };
    }
    let (facade, (_, predicates)) = (&m.env.facade, m.predicates_argument());
    quote! { #facade::__private::Dispatch::take(#machine, #step, #event, #predicates); }
}

/// The statements that take a step without an event.
pub(super) fn expand_take_alone(m: &Machine, machine: &TokenStream) -> TokenStream {
    let (assignments, state, remember) = (expand_assignments(m, &m.on_direct), m.state_of(machine), expand_histories(m, machine));
    quote! {
        #assignments
        #remember
        #state = step.to();
    }
}

/// The statements that remember where the machine was in each composite that the step leaves.
fn expand_histories(m: &Machine, machine: &TokenStream) -> TokenStream {
    let (State, Composite, context) = (&m.types.state, &m.types.composite, m.context_of(machine));
    let histories = m.histories.iter().map(|history| {
        let History { field, composite, node, shallow, unless } = history;
        let last_leaf = match m.regions {
            Some(_) => quote! { step.from().and_then(|from| from.leaves().find(|it| it.is_in(#Composite::#composite))) },
            None => quote! { step.from() },
        };
        let left = match node.map(|it| m.node(it)) {
            Some(node) => quote! { step.leaves_node(#node) },
            None => quote! { step.leaves_composite(|it| it.is_in(#Composite::#composite)) },
        };
        let unless = (!unless.is_empty()).then(|| match m.regions {
            Some(_) => quote! { !step.rows().any(|row| __Matches!(row, #(#unless)|*)) && },
            None => quote! { !__Matches!(step.row(), #(#unless)|*) && },
        });
        let last = if shallow.is_empty() {
            last_leaf
        } else {
            let arms = shallow.iter().map(|(leaves, default)| quote! { #(#State::#leaves)|* => #State::#default, });
            let n_leaves: usize = shallow.iter().map(|(leaves, _)| leaves.len()).sum();
            let other = (n_leaves < m.states.variants.len()).then(|| quote! { _ => from, });
            quote! { #last_leaf.map(|from| match from { #(#arms)* #other }) }
        };
        quote! {
            if #unless #left {
                #context.#field = #last;
            }
        }
    });
    histories.collect()
}

/// The assignments of the row that a step takes, or only their conversions.
fn expand_match(m: &Machine, assignments: &[&Assignment], only_tries: bool) -> Option<TokenStream> {
    if assignments.is_empty() {
        return None;
    }
    let reads_payload = assignments.iter().any(|it| !it.events.is_empty());
    let arms = assignments.iter().map(|it| {
        let rows = &it.rows;
        let set = expand_set(m, it, only_tries);
        if !reads_payload {
            return quote! { #(#rows)|* => { #set } };
        }
        let events: Vec<_> = it.events.iter().map(|event| expand_event_pattern(m, event)).collect();
        let event = if events.is_empty() {
            quote! { _ }
        } else {
            quote! { #(#events)|* }
        };
        quote! { (#(#rows)|*, #event) => { #set } }
    });
    // A machine with regions takes several rows at once: all of them read the machine as it was.
    let (row, before) = match m.regions {
        Some(_) if only_tries => (quote! { row }, None),
        Some(_) => (quote! { row }, reads_before(assignments).then(expand_before)),
        None => (quote! { step.row() }, None),
    };
    let subject = if reads_payload {
        quote! { (#row, *event) }
    } else {
        row
    };
    // If the arms are exhaustive, a last arm is unreachable.
    let n_events = m.events.as_ref().map_or(0, |it| it.kinds.variants.len());
    let whole = assignments.iter().filter(|it| it.events.is_empty() || it.events.len() == n_events);
    let is_total = m.rows.named && whole.map(|it| it.rows.len()).sum::<usize>() == m.rows.list.len();
    let rest = (!is_total).then(|| quote! { _ => {} });
    let found = quote! {
        match #subject {
            #(#arms)*
            #rest
        }
    };
    Some(match m.regions {
        Some(_) => quote! { #before for row in step.rows() { #found } },
        None => found,
    })
}

/// Whether an assignment reads the machine.
fn reads_before(assignments: &[&Assignment]) -> bool {
    assignments.iter().any(|it| !it.known.is_empty() || it.set.iter().any(|(_, value)| value.reads_machine()))
}

/// The machine before the step.
fn expand_before() -> TokenStream {
    quote! { let before = __Clone::clone(&*self); }
}

/// The assignments of one group of rows; right sides read the values before the step.
fn expand_set(m: &Machine, assignment: &Assignment, only_tries: bool) -> TokenStream {
    let machine = match m.regions {
        Some(_) if !only_tries => quote! { before },
        _ => quote! { self },
    };
    let (scope, context) = (m.scope(&machine, quote! { event }), &m.context_of(&quote! { self }));
    let fields: Vec<_> = assignment.set.iter().map(|(field, _)| field).collect();
    let values = assignment.set.iter().map(|(_, value)| scope.expand(value));
    let new: Vec<_> = (0..fields.len()).map(|idx| quote::format_ident!("new_{idx}")).collect();
    let set = if only_tries {
        let converted = assignment.set.iter().filter(|(_, value)| value.converts()).map(|(_, value)| scope.expand(value));
        quote! { #(let _ = #converted;)* }
    } else if assignment.simultaneous {
        quote! {
            let (#(#new,)*) = (#(#values,)*);
            #(#context.#fields = #new;)*
        }
    } else {
        quote! { #(#context.#fields = #values;)* }
    };
    let known = assignment.known.iter().map(|it| {
        let (place, local) = (scope.place(&it.place), &it.local);
        let place = if it.by_reference {
            quote! { &#place }
        } else {
            place
        };
        (place, quote! { __Some(#local) })
    });
    let (places, patterns): (Vec<_>, Vec<_>) = known.unzip();
    match (places.as_slice(), patterns.as_slice()) {
        ([], _) => set,
        ([place], [pattern]) => quote! { if let #pattern = #place { #set } },
        _ => quote! { if let (#(#patterns),*) = (#(#places),*) { #set } },
    }
}
