//! Links: events that a change of one part raises in another.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::docs;
use super::scope::Scope;
use super::transactions::Firing;
use crate::model::system::{Crossing, Link};
use crate::model::{PartId, StateId};

/// A function for each link, and one for each part that links watch.
pub(super) fn expand_links(scope: &Scope<'_>) -> TokenStream {
    let links = scope.system.links.iter().enumerate().map(|(idx, link)| expand_link(scope, idx, link));
    let follows = scope.system.part_ids().map(|part| expand_follow(scope, part));
    quote! { #(#follows)* #(#links)* }
}

/// The call that follows the links of a change, where there are any.
pub(super) fn follow(scope: &Scope<'_>, part: PartId, change: &TokenStream) -> Option<TokenStream> {
    scope.links_of(part).next()?;
    let function = scope.method("follow", part);
    Some(quote! { #function(world, #change, pass)?; })
}

fn expand_follow(scope: &Scope<'_>, part: PartId) -> Option<TokenStream> {
    scope.links_of(part).next()?;
    let facade = &scope.facade;
    let machine = scope.machine(part).machine;
    let path = scope.path(part);
    let function = scope.method("follow", part);
    let depth = |state: StateId| machine.ancestors(state).count();
    let watched: BTreeSet<StateId> = scope.links_of(part).map(|(_, link)| link.state).collect();
    // On the way out the innermost state comes first, on the way in the outermost.
    let mut crossings: Vec<(Crossing, StateId)> = Vec::new();
    let mut states: Vec<StateId> = watched.into_iter().collect();
    states.sort_by_key(|it| std::cmp::Reverse(depth(*it)));
    crossings.extend(states.iter().map(|it| (Crossing::Exit, *it)));
    states.sort_by_key(|it| depth(*it));
    crossings.extend(states.iter().map(|it| (Crossing::Enter, *it)));
    let blocks = crossings.into_iter().filter_map(|(on, state)| {
        let links: Vec<_> = scope.links_of(part).filter(|(_, link)| link.on == on && link.state == state).collect();
        if links.is_empty() {
            return None;
        }
        let crossed = expand_crossed(scope, part, on, state);
        let calls = links.iter().map(|(idx, link)| expand_call(scope, *idx, link));
        Some(quote! { if #crossed { #(#calls)* } })
    });
    let doc = docs::line(&format!("Follows what a change of {} sets off.", docs::code(&scope.part(part).name)));
    Some(quote! {
        #doc
        #[allow(clippy::collapsible_if)]
        fn #function<U: UnitOfWork>(
            world: &mut World<U>,
            change: &#path::Change,
            pass: &mut #facade::Pass<'_, U>,
        ) -> ::core::result::Result<(), Failure<U::Error>> {
            for step in change.steps() {
                #(#blocks)*
            }
            ::core::result::Result::Ok(())
        }
    })
}

fn expand_crossed(scope: &Scope<'_>, part: PartId, on: Crossing, state: StateId) -> TokenStream {
    let module = scope.machine(part);
    let path = scope.path(part);
    let ident = &module.states[state.index()];
    if module.machine.is_leaf(state) {
        return match on {
            Crossing::Enter => quote! { step.enters(#path::State::#ident) },
            Crossing::Exit => quote! { step.leaves(#path::State::#ident) },
        };
    }
    let composite = quote! { #path::Composite::#ident };
    let was = quote! { step.from().is_some_and(|it| it.is_in(#composite)) };
    let is = quote! { step.to().is_in(#composite) };
    match on {
        Crossing::Enter => quote! { !#was && #is },
        Crossing::Exit => quote! { #was && !#is },
    }
}

fn expand_call(scope: &Scope<'_>, idx: usize, link: &Link) -> TokenStream {
    let function = format_ident!("link_{idx}");
    let further = follow(scope, link.fire.part, &quote! { &change });
    let (some, none) = (quote! { ::core::option::Option::Some }, quote! { ::core::option::Option::None });
    let (ok, err) = (quote! { ::core::result::Result::Ok }, quote! { ::core::result::Result::Err });
    let (taken, not_taken) = match &further {
        Some(further) => (Some(quote! { #ok(#some(change)) => { #further } }), quote! { #ok(#none) }),
        None => (None, quote! { #ok(_) }),
    };
    if link.optional {
        quote! {
            match #function(world, pass) {
                #taken
                // Turned down, and optional: only the link does not happen.
                #not_taken | #err(Failure::Refused(_)) => {}
                #err(failure) => return #err(failure),
            }
        }
    } else {
        match further {
            Some(further) => quote! {
                if let ::core::option::Option::Some(change) = #function(world, pass)? {
                    #further
                }
            },
            None => quote! { #function(world, pass)?; },
        }
    }
}

/// One link: nothing where its condition does not hold.
fn expand_link(scope: &Scope<'_>, idx: usize, link: &Link) -> TokenStream {
    let facade = &scope.facade;
    let function = format_ident!("link_{idx}");
    let locals = scope.locals(&[]);
    let firing = Firing { scope, locals: &locals, inputs: &[] };
    let mut known = BTreeSet::new();
    let when = link.when.as_ref().map(|when| {
        let parts = when.parts();
        let present = firing.expand_present(&parts, &[], &[when], &mut BTreeSet::new());
        let condition = firing.condition(when);
        quote! {
            {
                #present
                if !(#condition) {
                    return ::core::result::Result::Ok(::core::option::Option::None);
                }
            }
        }
    });
    let fire = &link.fire;
    let parts = scope.system.parts_of_fire(fire);
    let present = firing.expand_present(&parts, &[fire], &[], &mut known);
    let (rules, event, step) = (firing.expand_rules(fire), firing.expand_event(fire), firing.expand_step(fire));
    let (effects, put) = (firing.expand_effects(fire), firing.expand_put(fire));
    let path = scope.path(fire.part);
    let change = &locals.changes[fire.part.index()];
    // A condition or a payload may say in two conditions what one could.
    let odd = link.when.is_some() || !fire.payload.is_empty() || scope.system.rules_for(fire.part, fire.event).next().is_some();
    let allow = odd.then(|| quote! { #[allow(clippy::all)] });
    let pass = if effects.is_some() {
        quote! { pass }
    } else {
        quote! { _pass }
    };
    let doc = docs::attributes(&[docs::sentence_or(link.doc.as_deref(), || "A link of the spec.".into())]);
    quote! {
        #doc
        #allow
        fn #function<U: UnitOfWork>(
            world: &mut World<U>,
            #pass: &mut #facade::Pass<'_, U>,
        ) -> ::core::result::Result<::core::option::Option<#path::Change>, Failure<U::Error>> {
            #when
            #present
            #rules
            #event
            #step
            #effects
            #put
            ::core::result::Result::Ok(::core::option::Option::Some(#change))
        }
    }
}
