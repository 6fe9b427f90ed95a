//! The conditions that hold after every transaction.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::doc;
use crate::emit::expr::{Scope, allow_conditions};
use crate::files::system::ir::{Each, FindOwner, Invariant, Single, System};

/// `check_invariants`, `Invariant::check` and a function for each.
pub(super) fn expand_invariants(system: &System) -> Option<TokenStream> {
    if system.invariants.is_empty() {
        return None;
    }
    let vis = &system.env.visibility;
    let arms = system.invariants.iter().map(|Invariant { variant, function, .. }| quote! { Invariant::#variant => #function(unit) });
    let functions = system.invariants.iter().map(|it| expand_invariant(system, it));
    Some(quote! {
        /// Checks all invariants; transactions check those that they may break.
        #vis fn check_invariants<U: UnitOfWork>(unit: &mut U) -> __Result<(), Failure<U::Error>> {
            Invariant::ALL.into_iter().try_for_each(|it| it.check(unit))
        }

        impl Invariant {
            /// Returns an error if the invariant does not hold.
            fn check<U: UnitOfWork>(self, unit: &mut U) -> __Result<(), Failure<U::Error>> {
                let holds = match self {
                    #(#arms,)*
                };
                if holds.map_err(Failure::store)? { __Ok(()) } else { __Err(Refused::Invariant(self).into()) }
            }
        }

        #(#functions)*
    })
}

fn expand_invariant(system: &System, invariant: &Invariant) -> TokenStream {
    let (docs, function) = (doc(&invariant.doc), &invariant.function);
    let condition = Scope::constant(&system.env).expand(&invariant.condition);
    let condition = match invariant.condition.converts() {
        false => condition,
        // What cannot be read does not hold.
        true => {
            let facade = &system.env.facade;
            quote! { (|| -> __Result<bool, #facade::OutOfRange> { __Ok(#condition) })().unwrap_or(false) }
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
            quote! { #body __Ok(true) }
        }
        None => quote! { __Ok(#condition) },
    };
    quote! {
        #docs
        #allow
        fn #function<U: UnitOfWork>(#unit: &mut U) -> __Result<bool, U::Error> {
            #singles
            #body
        }
    }
}

/// A part without `many`; if its instance does not exist, the invariant is not checked.
fn expand_single(system: &System, single: &Single) -> TokenStream {
    let part = &system.parts[single.part];
    let load = &part.methods.load;
    let key = single.key.as_ref().map(|key| {
        let method = &part.methods.key;
        quote! { let #key = unit.#method()?; }
    });
    let found = match (&single.local, part.machine.has_creation) {
        (Some(local), true) => quote! { let __Some(#local) = unit.#load()? else { return __Ok(true) }; },
        (None, true) => quote! {
            if unit.#load()?.is_none() {
                return __Ok(true);
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
    let (path, Machine) = (&machine.path, &machine.ident);
    match &single.owner {
        None => (quote! {}, quote! { #path::#Machine::new }),
        Some((owner, by, rest)) => {
            let method = &system.parts[*owner].methods.key;
            let rest = rest.then(|| quote! { , ..__Default::default() });
            let context = quote! { #path::Context { #by: __Some(owner) #rest } };
            (quote! { let owner = unit.#method()?; }, quote! { || #path::#Machine::restore(#path::State::INITIAL, #context) })
        }
    }
}

fn expand_each(system: &System, each: &Each, condition: &TokenStream) -> TokenStream {
    let (next, key, local) = (&system.parts[each.part].methods.next, &each.key, &each.local);
    let instance = if each.is_read {
        quote! { #local }
    } else {
        quote! { _ }
    };
    let owners = each.owners.iter().map(|it| expand_owner(system, it));
    quote! {
        let mut after = __None;
        while let __Some((#key, #instance)) = unit.#next(after)? {
            after = __Some(#key);
            #(#owners)*
            let holds = #condition;
            if !holds {
                return __Ok(false);
            }
        }
    }
}

/// The search for an owner; an instance whose owner does not exist is skipped.
fn expand_owner(system: &System, owner: &FindOwner) -> TokenStream {
    match owner {
        FindOwner::Load { part, of, by, key, local } => {
            let load = &system.parts[*part].methods.load;
            let found = match local {
                Some(local) => quote! { let __Some(#local) = unit.#load(#key)? else { continue }; },
                None => quote! {
                    if unit.#load(#key)?.is_none() {
                        continue;
                    }
                },
            };
            quote! {
                let __Some(#key) = #of.context().#by else { continue };
                #found
            }
        }
        FindOwner::Is { of, by, key, required: true } => quote! {
            if #of.context().#by != __Some(#key) {
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
