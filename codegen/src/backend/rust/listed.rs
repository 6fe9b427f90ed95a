//! What costs the compiler too much the plain way: constants that wait, and graphs as text.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use super::Module;
use super::module::number;
use crate::names::ident;

/// Above so many states lists are emitted as text: paths, and a slice for each state, take the compiler longer than
/// everything else about a machine.
const MAX_PATHS: usize = 64;

/// The places that five columns can tell.
const MAX_PLACES: usize = 99_999;

impl Module<'_> {
    /// Whether the graph is emitted as text.
    pub(crate) fn is_listed(&self) -> bool {
        (MAX_PATHS + 1..=MAX_PLACES).contains(&self.leaves.len()) && self.machine.events.len() <= MAX_PLACES
    }
}

/// A function whose value is computed where code is made of it, and the call of it. A constant elsewhere would be computed by
/// every `cargo check`; one in a generic function waits for the parameters, which are sizes in `ty`.
pub(crate) fn expand_deferred(
    name: &str,
    parameters: &[(&str, usize)],
    ty: &TokenStream,
    value: &TokenStream,
) -> (TokenStream, TokenStream) {
    let name = ident(name);
    let (sizes, values): (Vec<_>, Vec<_>) = parameters.iter().map(|(name, value)| (ident(name), number(*value))).unzip();
    let item = quote! {
        #[inline]
        const fn #name<#(const #sizes: usize),*>() -> &'static #ty {
            const { &#value }
        }
    };
    (item, quote! { #name::<#(#values),*>() })
}

/// The list of `self` among lists for all states: places among `item::ALL`.
pub(crate) fn expand_lists(module: &Module<'_>, item: &TokenStream, lists: &[Vec<usize>]) -> (TokenStream, TokenStream) {
    let (facade, index) = (&module.facade, module.index_of(quote! { self }));
    let parameters = [("LISTS", lists.len()), ("ITEMS", lists.iter().map(Vec::len).sum())];
    let text = module.long.literal(text(lists));
    let ty = quote! { #facade::__private::Lists<#item, LISTS, ITEMS> };
    let value = quote! { #facade::__private::Lists::read(&#item::ALL, #text.as_bytes()) };
    let (items, lists) = expand_deferred("lists", &parameters, &ty, &value);
    (items, quote! { #lists.of(#index) })
}

/// A line for each list, as the façade's `listed` reads it. The lines are lines of the emitted file as well.
pub(crate) fn text(lines: &[impl AsRef<[usize]>]) -> String {
    let mut text = String::from("\"");
    for line in lines {
        text.push('\n');
        for place in line.as_ref() {
            let _ = write!(text, "{place:5}");
        }
    }
    text.push('"');
    text
}
