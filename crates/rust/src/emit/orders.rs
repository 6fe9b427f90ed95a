//! Sort orders as comparators.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{doc, number};
use crate::ir::{Key, Machine, Order};

/// The types of the items that the orders sort.
pub(super) fn expand_orders(m: &Machine) -> TokenStream {
    m.orders.iter().map(|order| expand_item(m, order)).collect()
}

fn expand_item(m: &Machine, order: &Order) -> TokenStream {
    let (Item, vis, attributes) = (&order.item, &m.env.visibility, &m.env.attributes);
    let (docs, definition) = (doc(&order.item_doc), m.generics.lent_definition(order.params));
    let fields = order.fields.iter().map(|field| {
        let (docs, ident, ty) = (doc(&field.doc), &field.ident, &field.ty);
        quote! { #docs #vis #ident: #ty }
    });
    quote! {
        #docs
        #attributes
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #vis struct #Item #definition {
            #(#fields,)*
        }
    }
}

/// The methods of `State` that compare two items.
pub(super) fn expand_comparators(m: &Machine) -> TokenStream {
    m.orders.iter().map(|order| expand_comparator(m, order)).collect()
}

fn expand_comparator(m: &Machine, order: &Order) -> TokenStream {
    let (State, R, Item, method) = (&m.types.state, &m.generics.reference, &order.item, &order.method);
    let (vis, docs) = (&m.env.visibility, doc(&order.doc));
    let arguments = m.generics.lent_arguments(order.params, quote! { '_ });
    let parameters = order.params.reference.then(|| quote! { <#R: __Ord> });
    let own = match order.state_keys.as_slice() {
        [(_, keys)] => expand_chain(keys),
        groups => {
            let arms = groups.iter().map(|(states, keys)| {
                let chain = expand_chain(keys);
                quote! { #(#State::#states)|* => #chain }
            });
            quote! { match self { #(#arms,)* } }
        }
    };
    let same_for_all = matches!(order.state_keys.as_slice(), [(_, keys)] if keys.is_empty());
    let body = match (order.keys.is_empty(), same_for_all) {
        (true, _) => own,
        (false, true) => expand_chain(&order.keys),
        (false, false) => {
            let common = expand_chain(&order.keys);
            quote! { #common.then_with(|| #own) }
        }
    };
    let body = m.env.body(body);
    let compares = !order.keys.is_empty() || order.state_keys.iter().any(|(_, keys)| !keys.is_empty());
    let (a, b) = if compares || m.env.stub { (quote! { a }, quote! { b }) } else { (quote! { _a }, quote! { _b }) };
    quote! {
        #docs
        #vis fn #method #parameters (self, #a: &#Item #arguments, #b: &#Item #arguments) -> ::core::cmp::Ordering {
            #body
        }
    }
}

fn expand_chain(keys: &[Key]) -> TokenStream {
    let keys: Vec<_> = keys.iter().map(expand_key).collect();
    match keys.split_first() {
        Some((first, others)) => quote! { #first #(.then_with(|| #others))* },
        None => quote! { ::core::cmp::Ordering::Equal },
    }
}

fn expand_key(key: &Key) -> TokenStream {
    match key {
        Key::Field { field, descending: false } => quote! { __Ord::cmp(&a.#field, &b.#field) },
        Key::Field { field, descending: true } => quote! { __Ord::cmp(&b.#field, &a.#field) },
        Key::Rank { field, ranks } => {
            let (n_values, ranks) = (number(ranks.len()), ranks.iter().map(|it| Literal::u8_unsuffixed(*it)));
            quote! {{
                // By the order of the enum: 0 comes first, 1 is neither, 2 comes last.
                const RANKS: &[u8; #n_values] = &[#(#ranks),*];
                __Ord::cmp(&RANKS[a.#field as usize], &RANKS[b.#field as usize])
            }}
        }
    }
}
