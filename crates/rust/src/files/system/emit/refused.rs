//! The reasons of refusals.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::doc_line;
use crate::files::system::ir::System;
use crate::lower::docs;

/// `Refused` and `Failure`.
pub(super) fn expand_refused(system: &System) -> TokenStream {
    let (facade, vis) = (&system.env.facade, &system.env.visibility);
    let variants = system.parts.iter().map(|part| {
        let (variant, path) = (&part.variant, &part.machine.path);
        let docs = doc_line(&format!("The machine of {} refused its event.", docs::code(&part.name)));
        quote! { #docs #variant(#path::Refused) }
    });
    let shown = system.parts.iter().map(|part| {
        let variant = &part.variant;
        quote! { Refused::#variant(refused) => ::core::fmt::Display::fmt(refused, f) }
    });
    let rule = system.rules.is_some().then(|| {
        quote! {
            /// A rule does not hold.
            Rule(Rule),
        }
    });
    let invariant = system.invariant_enum.is_some().then(|| {
        quote! {
            /// An invariant would not hold afterwards.
            Invariant(Invariant),
        }
    });
    let actor = system.has_actor_checks().then(|| {
        quote! {
            /// The actor may not trigger the transaction.
            Actor(Transaction),
        }
    });
    let actor_shown = actor.is_some().then(|| {
        quote! {
            Refused::Actor(transaction) => {
                #facade::__private::write_actors(f, transaction.by())?;
                ::core::write!(f, " may trigger `{}`", transaction.name())
            }
        }
    });
    let same = system.transactions.iter().any(|it| !it.distinct.is_empty()).then(|| {
        quote! {
            /// An instance of the part takes two roles.
            Same(Part),
        }
    });
    let same_shown =
        same.is_some().then(|| quote! { Refused::Same(part) => ::core::write!(f, "the same {} takes two roles", part.name()), });
    let division = system.divides.then(|| {
        quote! {
            /// A value of a payload, or the condition of a link, divides by zero.
            DivisionByZero,
        }
    });
    let division_shown = division.is_some().then(|| quote! { Refused::DivisionByZero => f.write_str("a divisor is zero"), });
    let out_of_range = system.converts.then(|| {
        quote! {
            /// A value is out of the range of the type that is to hold it.
            OutOfRange(#facade::OutOfRange),
        }
    });
    let out_of_range_shown = out_of_range.is_some().then(|| quote! { Refused::OutOfRange(error) => ::core::fmt::Display::fmt(error, f), });
    let rule_shown = rule.is_some().then(|| quote! { Refused::Rule(rule) => f.write_str(rule.doc()), });
    let invariant_shown = invariant.is_some().then(|| quote! { Refused::Invariant(invariant) => f.write_str(invariant.doc()), });
    let reasons = [
        (actor.is_some(), quote! { Refused::Actor(_) => "actor" }),
        (true, quote! { Refused::Missing(_) => "missing" }),
        (same.is_some(), quote! { Refused::Same(_) => "same" }),
        (rule.is_some(), quote! { Refused::Rule(_) => "rule" }),
        (invariant.is_some(), quote! { Refused::Invariant(_) => "invariant" }),
        (division.is_some(), quote! { Refused::DivisionByZero => "division_by_zero" }),
        (out_of_range.is_some(), quote! { Refused::OutOfRange(_) => "out_of_range" }),
    ];
    let reasons = reasons.into_iter().filter_map(|(exists, arm)| exists.then_some(arm));
    let of_machines = system.parts.iter().map(|part| {
        let variant = &part.variant;
        quote! { Refused::#variant(refused) => refused.reason().name() }
    });
    quote! {
        /// Why a transaction was refused; everything is as it was.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #vis enum Refused {
            #actor
            /// A part that the transaction needs is not there.
            Missing(Part),
            #same
            #rule
            #invariant
            #division
            #out_of_range
            #(#variants,)*
        }

        impl Refused {
            /// The kind of the refusal in one word, for metrics.
            #vis fn reason(&self) -> &'static str {
                match self {
                    #(#reasons,)*
                    #(#of_machines,)*
                }
            }
        }

        impl ::core::fmt::Display for Refused {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self {
                    #actor_shown
                    Refused::Missing(part) => ::core::write!(f, "there is no {}", part.name()),
                    #same_shown
                    #rule_shown
                    #invariant_shown
                    #division_shown
                    #out_of_range_shown
                    #(#shown,)*
                }
            }
        }

        impl ::core::error::Error for Refused {}

        /// Why a transaction stopped; `X` is the error of the unit of work.
        #vis type Failure<X> = #facade::Failure<Refused, X>;
    }
}
