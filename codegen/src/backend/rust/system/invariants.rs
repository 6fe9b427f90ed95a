//! What holds after every transaction.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::docs;
use super::super::module::number;
use super::scope::{Locals, Scope};
use super::transactions::Firing;
use crate::expr::Var;
use crate::model::PartId;
use crate::model::system::{Invariant, Transaction};

/// The checks after a transaction: those that read what it may have changed.
pub(super) fn after(scope: &Scope<'_>, transaction: &Transaction) -> Vec<TokenStream> {
    let mut changed: BTreeSet<PartId> = transaction.fire.iter().map(|it| it.part).collect();
    let mut open: Vec<PartId> = changed.iter().copied().collect();
    while let Some(part) = open.pop() {
        open.extend(scope.links_of(part).map(|(_, link)| link.fire.part).filter(|it| changed.insert(*it)));
    }
    let read = |it: &Invariant| it.require.parts().iter().any(|part| changed.contains(part));
    let concerned = scope.system.invariants.iter().enumerate().filter(|(_, it)| read(it));
    concerned
        .map(|(idx, _)| {
            let function = format_ident!("invariant_{idx}");
            quote! { #function(unit)?; }
        })
        .collect()
}

/// `check_invariants`, and a function for each.
pub(super) fn expand_invariants(scope: &Scope<'_>) -> Option<TokenStream> {
    let invariants = &scope.system.invariants;
    if invariants.is_empty() {
        return None;
    }
    let names: Vec<_> = (0..invariants.len()).map(|idx| format_ident!("invariant_{idx}")).collect();
    let functions = invariants.iter().enumerate().map(|(idx, it)| expand_invariant(scope, idx, it));
    Some(quote! {
        /// Checks everything that holds after every transaction.
        ///
        /// Transactions check by themselves what they may have changed.
        pub fn check_invariants<U: UnitOfWork>(unit: &mut U) -> ::core::result::Result<(), Failure<U::Error>> {
            #(#names(unit)?;)*
            ::core::result::Result::Ok(())
        }

        #(#functions)*
    })
}

fn expand_invariant(scope: &Scope<'_>, idx: usize, invariant: &Invariant) -> TokenStream {
    let function = format_ident!("invariant_{idx}");
    let locals = scope.locals(&[]);
    let firing = Firing { scope, locals: &locals, inputs: &[] };
    let condition = firing.condition(&invariant.require);
    let position = number(idx);
    let check = quote! {
        if !(#condition) {
            return ::core::result::Result::Err(Refused::Invariant(#position).into());
        }
    };
    let parts = invariant.require.parts();
    let body = expand_loops(scope, &parts, &parts, invariant, &locals, check);
    let doc = docs::attributes(&[docs::sentence(&invariant.doc)]);
    quote! {
        #doc
        #[allow(clippy::all)]
        fn #function<U: UnitOfWork>(unit: &mut U) -> ::core::result::Result<(), Failure<U::Error>> {
            #body
            ::core::result::Result::Ok(())
        }
    }
}

/// The check inside a loop for each part of which there may be many.
fn expand_loops(
    scope: &Scope<'_>,
    parts: &[PartId],
    all: &[PartId],
    invariant: &Invariant,
    locals: &Locals,
    check: TokenStream,
) -> TokenStream {
    let Some((part, rest)) = parts.split_first() else {
        let belonging = all.iter().filter_map(|part| expand_belonging(scope, *part, all, locals));
        return quote! { #(#belonging)* #check };
    };
    let store = quote! { .map_err(Failure::store)? };
    let inner = expand_loops(scope, rest, all, invariant, locals, check);
    let (now, key) = (&locals.now[part.index()], &locals.keys[part.index()]);
    if scope.part(*part).many {
        let (next, cursor) = (scope.method("next", *part), &locals.next[part.index()]);
        return quote! {
            let mut #cursor = ::core::option::Option::None;
            while let ::core::option::Option::Some((#key, #now)) = unit.#next(#cursor)#store {
                #cursor = ::core::option::Option::Some(#key);
                #inner
            }
        };
    }
    let load = scope.method("load", *part);
    let owns = all.iter().any(|it| scope.system.owners(*it).any(|owner| owner == *part));
    let needs_key = owns || invariant.require.vars().contains(&Var::PartId(*part));
    let key = needs_key.then(|| {
        let method = scope.part_method(*part, "key");
        quote! { let #key = unit.#method()#store; }
    });
    if scope.machine(*part).has_birth() {
        quote! {
            if let ::core::option::Option::Some(#now) = unit.#load()#store {
                #key
                #inner
            }
        }
    } else {
        let (path, machine) = (scope.path(*part), &scope.machine(*part).ident);
        quote! {
            let #now = unit.#load()#store.unwrap_or_else(#path::#machine::new);
            #key
            #inner
        }
    }
}

/// Passes over instances that do not belong together.
fn expand_belonging(scope: &Scope<'_>, part: PartId, all: &[PartId], locals: &Locals) -> Option<TokenStream> {
    let chain: Vec<PartId> = scope.system.owners(part).collect();
    let wanted = chain.iter().position(|owner| all.contains(owner))?;
    let now = &locals.now[part.index()];
    let mut statements = Vec::new();
    let mut holder = quote! { ::core::option::Option::Some(&#now) };
    let mut at = part;
    for (idx, owner) in chain[..=wanted].iter().enumerate() {
        let (_, field, declared) = scope.owner_field(at)?;
        let pick = if declared.optional {
            quote! { and_then }
        } else {
            quote! { map }
        };
        let key = quote! { #holder.#pick(|it| it.context().#field) };
        if idx == wanted {
            let owner_key = &locals.keys[owner.index()];
            statements.push(quote! {
                if #key.is_some_and(|it| it != #owner_key) {
                    continue;
                }
            });
        } else {
            // An owner in between, which the condition does not speak of.
            let (load, between) = (scope.method("load", *owner), &locals.events[owner.index()]);
            statements.push(quote! {
                let #between = match #key {
                    ::core::option::Option::Some(key) => unit.#load(key).map_err(Failure::store)?,
                    ::core::option::Option::None => ::core::option::Option::None,
                };
            });
            holder = quote! { #between.as_ref() };
        }
        at = *owner;
    }
    Some(quote! { #(#statements)* })
}
