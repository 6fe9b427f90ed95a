//! IR to tokens: one function per emitted item.
//!
//! Names in the emitted code are interpolated in the same form (`#State::#variant`), so that a `quote!` block
//! resembles the code that it emits. Names of Rust's prelude are written as `__Some`.
#![allow(non_snake_case, reason = "interpolated types are spelled as in the emitted code")]

mod arm;
mod context;
mod creation;
mod data;
mod dispatch;
mod doc;
mod effects;
mod events;
pub mod expr;
pub(crate) mod generics;
mod host;
mod machine;
mod orders;
mod predicates;
pub(crate) mod prelude;
mod react;
mod regions;
mod rows;
mod serde;
mod states;
mod steps;
mod timers;
mod typestate;
pub(crate) mod unit_enum;

pub use doc::module_doc;
pub(crate) use doc::{doc, doc_line};

use proc_macro2::{Literal, TokenStream, TokenTree};

use super::ir::{Env, Machine, Part};
use super::names::{CHOICE, OUTCOME};

/// The items of a machine's module, in reading order.
pub(crate) fn expand(machine: &Machine) -> TokenStream {
    prelude::resolved(expand_items(machine), machine.env.in_file)
}

fn expand_items(machine: &Machine) -> TokenStream {
    if machine.has_own_states() {
        // The derive of the user's enum emits the rest.
        let items = [
            Some(machine::expand_machine(machine)),
            timers::expand_timed(machine).filter(|_| machine.has_machine()),
            effects::expand_values(machine),
            Some(host::expand_hosts(machine)),
            predicates::expand_predicates(machine),
            typestate::expand_typestate(machine),
        ];
        return items.into_iter().flatten().collect();
    }
    let items = [
        Some(machine::expand_machine(machine)),
        timers::expand_timed(machine).filter(|_| machine.has_machine()),
        Some(machine::expand_aliases(machine)),
        timers::expand_alias(machine),
        context::expand_context(machine),
        Some(context::expand_constants(machine)),
        Some(rows::expand_rows(machine)),
        Some(states::expand_states(machine)),
        regions::expand_configurations(machine),
        events::expand_events(machine),
        effects::expand_names(machine),
        effects::expand_values(machine),
        Some(host::expand_hosts(machine)),
        predicates::expand_predicates(machine),
        machine.actors.as_ref().map(|it| unit_enum::expand_unit_enum(it, &machine.env)),
        Some(machine.enums.iter().map(|it| unit_enum::expand_unit_enum(it, &machine.env)).collect()),
        Some(orders::expand_orders(machine)),
        typestate::expand_typestate(machine),
    ];
    items.into_iter().flatten().collect()
}

/// A count or position without a type suffix.
pub(crate) fn number(number: usize) -> Literal {
    Literal::usize_unsuffixed(number)
}

impl Env {
    /// The façade's `Outcome`, and the import that its short name needs.
    fn outcome(&self) -> (TokenStream, Option<TokenStream>) {
        self.imported(OUTCOME)
    }

    /// The façade's `Choice`, and the import that its short name needs.
    fn choice(&self) -> (TokenStream, Option<TokenStream>) {
        self.imported(CHOICE)
    }

    fn imported(&self, name: &str) -> (TokenStream, Option<TokenStream>) {
        let (facade, name) = (&self.facade, statespec_lang::names::ident(name));
        let path = quote::quote! { #facade::__private::#name };
        if self.in_file { (quote::quote! { #name }, Some(quote::quote! { use #path; })) } else { (path, None) }
    }

    /// The façade's `Cause`. It is not imported, because a spec may have a type of this name.
    fn cause(&self) -> TokenStream {
        let facade = &self.facade;
        quote::quote! { #facade::__private::Cause }
    }

    /// The body of a function; omitted if the spec has errors.
    fn body(&self, body: TokenStream) -> TokenStream {
        if self.stub {
            quote::quote! { ::core::panic!("the spec and this type disagree") }
        } else {
            imports_first(body)
        }
    }
}

/// The statements of a function, its imports before the others.
fn imports_first(body: TokenStream) -> TokenStream {
    let (mut imports, mut others) = (TokenStream::new(), TokenStream::new());
    let mut is_import = false;
    for token in body {
        is_import |= matches!(&token, TokenTree::Ident(it) if it == "use");
        let ends = matches!(&token, TokenTree::Punct(it) if it.as_char() == ';');
        if is_import { &mut imports } else { &mut others }.extend([token]);
        is_import &= !ends;
    }
    imports.extend(others);
    imports
}

impl Machine {
    /// Whether a timer may elapse: then what callers raise and what can happen are two types.
    fn has_timers(&self) -> bool {
        !self.timers.is_empty()
    }

    /// Whether some effect takes data: then an effect and its kind are two types.
    fn has_effect_data(&self) -> bool {
        self.effects.iter().any(|it| !it.parameters.is_empty())
    }

    /// Whether the user can run the machine with a host.
    fn has_run(&self) -> bool {
        self.has_machine() && self.has_part(Part::Run)
    }
}
