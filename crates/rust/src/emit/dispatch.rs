//! Finding a step: a short match for rows with guards, and a `const` table for the others.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::arm::{expand_arm, expand_outcome};
use super::expr::Scope;
use super::{regions, steps};
use crate::ir::{Arm, Creation, Dispatch, Form, Machine, Reactions, Table};

/// The body that finds the step of `event` in the state of `self`.
pub(super) fn expand_decision(m: &Machine, dispatch: &Dispatch) -> TokenStream {
    if let Some(it) = &m.regions {
        return regions::expand_decision(m, it, dispatch);
    }
    let (State, EventKind, Row, facade) = (&m.types.state, &m.types.event_kind, &m.types.row, &m.env.facade);
    let state = m.state_of(&quote! { self });
    let index = expand_index(m);
    let lookup = match &dispatch.table {
        Table::Empty => {
            quote! { #facade::__private::Outcome::NoTransition.on_event(#state, event.kind()) }
        }
        Table::Dense(inner) => {
            let inner = inner.iter().map(|(from, event, row)| quote! { (#State::#from, #EventKind::#event, #row) });
            quote! { #facade::__table!(#State, #EventKind, #Row, [#(#inner),*] #index).on_event(#state, event.kind()) }
        }
        Table::Sparse(_) => {
            let row = m.index_of(&state);
            quote! { #facade::__private::find(EDGES, #row, event.kind() as usize).on_event(#state, event.kind()) }
        }
    };
    let edges = expand_edges(m, dispatch, |event| quote! { #EventKind::#event as u32 });
    let subject = quote! { (#state, *event) };
    let found = expand_lookup(m, dispatch, &edges, &subject, &lookup, &quote! { on_event(#state, event.kind()) });
    let Refused = &m.types.refused;
    let refusal = quote! { #Refused::of_event(__Some(#state), event.kind(), #facade::Reason::OutOfRange, __None) };
    let fits = steps::converts(&m.on_event).then(|| steps::expand_fits_call(m, &quote! { self }, &quote! { event }, &quote! { refuse }));
    expand_checked(m, dispatch.converts(), found, &refusal, fits.flatten())
}

/// The body that finds a step, and refuses the event if a value is out of range.
fn expand_checked(m: &Machine, converts: bool, found: TokenStream, refusal: &TokenStream, fits: Option<TokenStream>) -> TokenStream {
    if !converts && fits.is_none() {
        return found;
    }
    let (State, Refused, facade) = (&m.types.state, &m.types.refused, &m.env.facade);
    let step = quote! { __Result<#facade::Step<#State>, #Refused> };
    let find = match converts {
        true => quote! {
            let find = || -> __Result<#step, #facade::OutOfRange> { #found };
            let step = find().unwrap_or_else(|error| __Err(refuse(error)))?;
        },
        false => quote! {
            let find = || -> #step { #found };
            let step = find()?;
        },
    };
    quote! {
        let refuse = |error| #refusal.out_of_range(error);
        #find
        #fits
        __Ok(step)
    }
}

/// The body that finds the direct transition to the state `to`.
pub(super) fn expand_direct(m: &Machine, dispatch: &Dispatch) -> TokenStream {
    if let Some(it) = &m.regions {
        return regions::expand_direct(m, it, dispatch);
    }
    let (State, Row, facade) = (&m.types.state, &m.types.row, &m.env.facade);
    let state = m.state_of(&quote! { self });
    let index = expand_index(m);
    let lookup = match &dispatch.table {
        Table::Empty => quote! { #facade::__private::Outcome::NoTransition.on_direct(#state, to) },
        Table::Dense(inner) => {
            let inner = inner.iter().map(|(from, to, row)| quote! { (#State::#from, #State::#to, #row) });
            quote! { #facade::__direct_table!(#State, #Row, [#(#inner),*] #index).on_direct(#state, to) }
        }
        Table::Sparse(_) => {
            let (row, column) = (m.index_of(&state), m.index_of(&quote! { to }));
            quote! { #facade::__private::find(EDGES, #row, #column).on_direct(#state, to) }
        }
    };
    let edges = expand_edges(m, dispatch, |to| {
        let index = m.index_of(&quote! { #State::#to });
        quote! { (#index) as u32 }
    });
    let found = expand_lookup(m, dispatch, &edges, &quote! { (#state, to) }, &lookup, &quote! { on_direct(#state, to) });
    let Refused = &m.types.refused;
    let refusal = quote! { #Refused::of_direct(#state, to, #facade::Reason::OutOfRange, __None) };
    expand_checked(m, dispatch.converts(), found, &refusal, steps::expand_direct_fits(m, &quote! { refuse }))
}

/// The body that finds the step that the machine takes by itself for `cause`.
pub(super) fn expand_reaction(m: &Machine, reactions: &Reactions) -> TokenStream {
    if let Some(it) = &m.regions {
        return regions::expand_reaction(m, it, reactions);
    }
    let (Outcome, import) = m.env.outcome();
    let (state, scope) = (m.state_of(&quote! { self }), m.scope(&quote! { self }, quote! { event }));
    let arms = reactions.arms.iter().map(|arm| expand_arm(m, arm, &scope, &Outcome));
    let converts = reactions.arms.iter().any(Arm::converts);
    let step = quote! { outcome.on_cause(#state) };
    let step = if converts {
        quote! { __Ok(#step) }
    } else {
        step
    };
    let found = quote! {
        #import
        let outcome = match (#state, cause) {
            #(#arms)*
            _ => #Outcome::NoTransition,
        };
        #step
    };
    let (Refused, facade) = (&m.types.refused, &m.env.facade);
    let refusal = quote! { #Refused::of_direct(#state, #state, #facade::Reason::OutOfRange, __None) };
    expand_checked(m, converts, found, &refusal, steps::expand_direct_fits(m, &quote! { refuse }))
}

/// The statements that find the step of `event` at creation.
pub(super) fn expand_creation(m: &Machine, creation: &Creation) -> TokenStream {
    if let Some(it) = &m.regions {
        return regions::expand_creation(m, it, creation);
    }
    let (Outcome, import) = m.env.outcome();
    // The event is a parameter, so predicates borrow it.
    let scope = m.scope(&quote! { machine }, quote! { &event });
    let arms = creation.arms.iter().map(|arm| expand_arm(m, arm, &scope, &Outcome));
    let others = creation.partial.then(|| quote! { _ => #Outcome::NoTransition, });
    let found = quote! { match event { #(#arms)* #others } };
    if !creation.arms.iter().any(Arm::converts) {
        return quote! {
            #import
            let outcome = #found;
            let step = outcome.on_creation(event.kind())?;
        };
    }
    let (State, Refused, facade) = (&m.types.state, &m.types.refused, &m.env.facade);
    quote! {
        #import
        let find = || -> __Result<#Outcome<#State>, #facade::OutOfRange> { __Ok(#found) };
        let refuse = |error| #Refused::of_event(__None, event.kind(), #facade::Reason::OutOfRange, __None).out_of_range(error);
        let outcome = find().map_err(refuse)?;
        let step = outcome.on_creation(event.kind())?;
    }
}

fn expand_index(m: &Machine) -> Option<TokenStream> {
    (!m.is_in_order()).then(|| {
        let index = m.index_tokens();
        quote! { , #index }
    })
}

/// The sorted list that replaces a mostly empty table.
fn expand_edges(m: &Machine, dispatch: &Dispatch, column: impl Fn(&Ident) -> TokenStream) -> Option<TokenStream> {
    let Table::Sparse(edges) = &dispatch.table else { return None };
    let (State, facade) = (&m.types.state, &m.env.facade);
    let (Outcome, import) = m.env.outcome();
    let edges = edges.iter().map(|(from, to, outcome)| {
        let from = m.index_of(&quote! { #State::#from });
        let (column, outcome) = (column(to), expand_outcome(m, outcome, &Scope::constant(&m.env), &Outcome));
        quote! { ((#from) as u32, #column, #outcome) }
    });
    Some(quote! {
        const EDGES: &[(u32, u32, #facade::__private::Outcome<#State>)] = {
            #import
            &[#(#edges),*]
        };
    })
}

/// The match, and the table for the remaining pairs.
fn expand_lookup(
    m: &Machine,
    dispatch: &Dispatch,
    edges: &Option<TokenStream>,
    subject: &TokenStream,
    lookup: &TokenStream,
    finish: &TokenStream,
) -> TokenStream {
    if dispatch.arms.is_empty() {
        return quote! { #edges #lookup };
    }
    // Where guards convert values, a function around the result ends with the first that is out of range.
    let whole = |result: TokenStream| {
        if dispatch.converts() {
            quote! { __Ok(#result) }
        } else {
            result
        }
    };
    let (lookup, found) = (whole(lookup.clone()), whole(quote! { outcome.#finish }));
    let (Outcome, import) = m.env.outcome();
    let scope = m.scope(&quote! { self }, quote! { event });
    let arms = dispatch.arms.iter().map(|arm| expand_arm(m, arm, &scope, &Outcome));
    let others = (!dispatch.total).then(|| quote! { _ => return #lookup, });
    let edges = edges.as_ref().filter(|_| !dispatch.total);
    quote! {
        #import
        #edges
        let outcome = match #subject {
            #(#arms)*
            #others
        };
        #found
    }
}

impl Machine {
    /// The scope of an expression that reads a machine, such as `self`.
    pub(super) fn scope(&self, machine: &TokenStream, event: TokenStream) -> Scope<'_> {
        let context = self.context_of(machine);
        let asked = match (&self.form, self.has_context()) {
            (_, false) => quote! {},
            (Form::Struct(_), true) if machine.to_string() == "self" => quote! { self, },
            (_, true) => quote! { &#context, },
        };
        Scope { env: &self.env, state: self.state_of(machine), context, asked, event }
    }
}
