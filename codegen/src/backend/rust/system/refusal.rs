//! Why a transaction is turned down.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::docs;
use super::super::module::number;
use super::scope::Scope;

/// `Refused`, and the texts of rules and invariants.
pub(super) fn expand_refusal(scope: &Scope<'_>) -> TokenStream {
    let facade = &scope.facade;
    let parts: Vec<_> = scope.system.part_ids().collect();
    let variants = parts.iter().map(|part| {
        let variant = &scope.part_variants[part.index()];
        let path = scope.path(*part);
        let doc = docs::line(&format!("The machine of {} turned its event down.", docs::code(&scope.part(*part).name)));
        quote! { #doc #variant(#path::Refused) }
    });
    let shown = parts.iter().map(|part| {
        let variant = &scope.part_variants[part.index()];
        quote! { Refused::#variant(refused) => ::core::fmt::Display::fmt(refused, f) }
    });
    let rules = scope.system.rules.iter().map(|it| &it.doc);
    let invariants = scope.system.invariants.iter().map(|it| &it.doc);
    let (n_rules, n_invariants) = (number(scope.system.rules.len()), number(scope.system.invariants.len()));
    let rules = (!scope.system.rules.is_empty()).then(|| {
        quote! {
            /// What must hold before events, in the order of the spec.
            pub const RULES: [&str; #n_rules] = [#(#rules),*];
        }
    });
    let invariants = (!scope.system.invariants.is_empty()).then(|| {
        quote! {
            /// What holds after every transaction, in the order of the spec.
            pub const INVARIANTS: [&str; #n_invariants] = [#(#invariants),*];
        }
    });
    let (rule, rule_shown) = match rules.is_some() {
        true => (
            Some(quote! {
                /// A rule does not hold: its position in [`RULES`].
                Rule(usize),
            }),
            Some(quote! { Refused::Rule(rule) => f.write_str(RULES.get(*rule).copied().unwrap_or_default()), }),
        ),
        false => (None, None),
    };
    let (invariant, invariant_shown) = match invariants.is_some() {
        true => (
            Some(quote! {
                /// An invariant would not hold afterwards: its position in [`INVARIANTS`].
                Invariant(usize),
            }),
            Some(quote! { Refused::Invariant(invariant) => f.write_str(INVARIANTS.get(*invariant).copied().unwrap_or_default()), }),
        ),
        false => (None, None),
    };
    quote! {
        /// Why a transaction was turned down; everything is as it was.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Refused {
            /// A part that the transaction speaks of is not there.
            Missing(Part),
            #rule
            #invariant
            #(#variants,)*
        }

        impl ::core::fmt::Display for Refused {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self {
                    Refused::Missing(part) => ::core::write!(f, "there is no {}", part.name()),
                    #rule_shown
                    #invariant_shown
                    #(#shown,)*
                }
            }
        }

        impl ::core::error::Error for Refused {}

        /// Why a transaction stopped; `X` is the error of the unit of work.
        pub type Failure<X> = #facade::Failure<Refused, X>;

        #rules
        #invariants
    }
}
