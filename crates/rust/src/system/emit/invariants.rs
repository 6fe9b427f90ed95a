//! The conditions that hold after every transaction.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::doc;
use crate::emit::expr::{Scope, allow_conditions};
use crate::system::ir::{Each, FindOwner, Invariant, Single, System};

/// `check_invariants`, `Invariant::check` and a function for each.
pub(super) fn expand_invariants(system: &System) -> Option<TokenStream> {
    if system.invariants.is_empty() {
        return None;
    }
    let (prelude, vis) = (&system.env.prelude, &system.env.visibility);
    let (result, ok, err) = (&prelude.result, &prelude.ok, &prelude.err);
    let arms = system.invariants.iter().map(|Invariant { variant, function, .. }| quote! { Invariant::#variant => #function(unit) });
    let functions = system.invariants.iter().map(|it| expand_invariant(system, it));
    Some(quote! {
        /// Checks all invariants; transactions check those that they may break.
        #vis fn check_invariants<U: UnitOfWork>(unit: &mut U) -> #result<(), Failure<U::Error>> {
            Invariant::ALL.into_iter().try_for_each(|it| it.check(unit))
        }

        impl Invariant {
            /// Returns an error if the invariant does not hold.
            fn check<U: UnitOfWork>(self, unit: &mut U) -> #result<(), Failure<U::Error>> {
                let holds = match self {
                    #(#arms,)*
                };
                if holds.map_err(Failure::store)? { #ok(()) } else { #err(Refused::Invariant(self).into()) }
            }
        }

        #(#functions)*
    })
}

fn expand_invariant(system: &System, invariant: &Invariant) -> TokenStream {
    let (result, ok) = (&system.env.prelude.result, &system.env.prelude.ok);
    let (docs, function) = (doc(&invariant.doc), &invariant.function);
    let condition = Scope::constant(&system.env).expand(&invariant.condition);
    let condition = match invariant.condition.converts() {
        false => condition,
        // What cannot be read does not hold.
        true => {
            let facade = &system.env.facade;
            quote! { (|| -> #result<bool, #facade::OutOfRange> { #ok(#condition) })().unwrap_or(false) }
        }
    };
    let allow = allow_conditions(std::iter::once(&invariant.condition), &system.env);
    let singles: TokenStream = invariant.singles.iter().map(|it| expand_single(system, it)).collect();
    // A condition may read no part.
    let unit = if singles.is_empty() && invariant.each.is_none() {
        quote! { _unit }
    } else {
        quote! { unit }
    };
    let body = match &invariant.each {
        Some(each) => {
            let body = expand_each(system, each, &condition);
            quote! { #body #ok(true) }
        }
        None => quote! { #ok(#condition) },
    };
    quote! {
        #docs
        #allow
        fn #function<U: UnitOfWork>(#unit: &mut U) -> #result<bool, U::Error> {
            #singles
            #body
        }
    }
}

/// A part without `many`; if its instance does not exist, the invariant is not checked.
fn expand_single(system: &System, single: &Single) -> TokenStream {
    let part = &system.parts[single.part];
    let (some, ok, load) = (&system.env.prelude.some, &system.env.prelude.ok, &part.methods.load);
    let key = single.key.as_ref().map(|key| {
        let method = &part.methods.key;
        quote! { let #key = unit.#method()?; }
    });
    let found = match (&single.local, part.machine.has_creation) {
        (Some(local), true) => quote! { let #some(#local) = unit.#load()? else { return #ok(true) }; },
        (None, true) => quote! {
            if unit.#load()?.is_none() {
                return #ok(true);
            }
        },
        (Some(local), false) => {
            let (owner, begin) = expand_begin(system, single);
            quote! { #owner let #local = unit.#load()?.unwrap_or_else(#begin); }
        }
        // The instance exists from the start.
        (None, false) => quote! {},
    };
    quote! { #found #key }
}

/// The creation of a machine without a creation event: the key of its owner, and a function.
fn expand_begin(system: &System, single: &Single) -> (TokenStream, TokenStream) {
    let machine = &system.parts[single.part].machine;
    let (path, Machine, some) = (&machine.path, &machine.ident, &system.env.prelude.some);
    match &single.owner {
        None => (quote! {}, quote! { #path::#Machine::new }),
        Some((owner, by, rest)) => {
            let (method, default) = (&system.parts[*owner].methods.key, &system.env.prelude.default);
            let rest = rest.then(|| quote! { , ..#default::default() });
            let context = quote! { #path::Context { #by: #some(owner) #rest } };
            (quote! { let owner = unit.#method()?; }, quote! { || #path::#Machine::restore(#path::State::INITIAL, #context) })
        }
    }
}

fn expand_each(system: &System, each: &Each, condition: &TokenStream) -> TokenStream {
    let (some, none, ok) = (&system.env.prelude.some, &system.env.prelude.none, &system.env.prelude.ok);
    let (next, key, local) = (&system.parts[each.part].methods.next, &each.key, &each.local);
    let instance = if each.is_read {
        quote! { #local }
    } else {
        quote! { _ }
    };
    let owners = each.owners.iter().map(|it| expand_owner(system, it));
    quote! {
        let mut after = #none;
        while let #some((#key, #instance)) = unit.#next(after)? {
            after = #some(#key);
            #(#owners)*
            let holds = #condition;
            if !holds {
                return #ok(false);
            }
        }
    }
}

/// The search for an owner; an instance whose owner does not exist is skipped.
fn expand_owner(system: &System, owner: &FindOwner) -> TokenStream {
    let some = &system.env.prelude.some;
    match owner {
        FindOwner::Load { part, of, by, key, local } => {
            let load = &system.parts[*part].methods.load;
            let found = match local {
                Some(local) => quote! { let #some(#local) = unit.#load(#key)? else { continue }; },
                None => quote! {
                    if unit.#load(#key)?.is_none() {
                        continue;
                    }
                },
            };
            quote! {
                let #some(#key) = #of.context().#by else { continue };
                #found
            }
        }
        FindOwner::Is { of, by, key, required: true } => quote! {
            if #of.context().#by != #some(#key) {
                continue;
            }
        },
        FindOwner::Is { of, by, key, required: false } => quote! {
            if #of.context().#by.is_some_and(|it| it != #key) {
                continue;
            }
        },
    }
}
