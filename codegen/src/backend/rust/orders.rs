//! Sort orders as comparators.

use proc_macro2::{Ident, Literal as RustLiteral, TokenStream};
use quote::quote;

use super::events::angled;
use super::module::number;
use super::types::Place;
use super::{Module, docs};
use crate::model::Type;
use crate::model::machine::{Key, Order};

/// The items that the orders sort.
pub(crate) fn expand_orders(module: &Module<'_>) -> TokenStream {
    let items = module.machine.orders.iter().zip(&module.order_items).map(|(order, ident)| expand_item(module, order, ident));
    quote! { #(#items)* }
}

fn expand_item(module: &Module<'_>, order: &Order, ident: &Ident) -> TokenStream {
    let doc = docs::line(&format!("What the order {} sorts.", docs::code(&order.name)));
    let lifetime = item_has(order, &Type::Text).then(|| quote! { 'e, });
    let reference = item_has(order, &Type::Reference).then(|| quote! { R = u64, });
    let definition = angled(quote! { #lifetime #reference });
    let idents = module.field_idents(&order.item);
    let fields = order.item.iter().zip(&idents).map(|(field, ident)| {
        let doc = docs::attributes(&[docs::sentence_or(field.doc.as_deref(), || format!("The field {}.", docs::code(&field.name)))]);
        let ty = module.field_ty(field, Place::Payload);
        quote! { #doc pub #ident: #ty }
    });
    quote! {
        #doc
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct #ident #definition {
            #(#fields,)*
        }
    }
}

fn item_has(order: &Order, ty: &Type) -> bool {
    order.item.iter().any(|it| it.ty == *ty)
}

/// The methods of `State` that compare two items.
pub(crate) fn expand_comparators(module: &Module<'_>) -> TokenStream {
    let comparators = (0..module.machine.orders.len()).map(|idx| expand_comparator(module, idx));
    quote! { #(#comparators)* }
}

fn expand_comparator(module: &Module<'_>, idx: usize) -> TokenStream {
    let order = &module.machine.orders[idx];
    let (method, item) = (&module.orders[idx], &module.order_items[idx]);
    let doc = docs::attributes(&[
        docs::sentence_or(order.doc.as_deref(), || format!("The order {}.", docs::code(&order.name))),
        "Equal items keep the order they come in, if the sort is stable.".into(),
    ]);
    let lifetime = item_has(order, &Type::Text).then(|| quote! { '_, });
    let reference = item_has(order, &Type::Reference).then(|| quote! { R, });
    let arguments = angled(quote! { #lifetime #reference });
    let parameters = item_has(order, &Type::Reference).then(|| quote! { <R: ::core::cmp::Ord> });
    let common = order.keys.iter().map(|key| expand_key(module, order, key));
    let mut arms: Vec<(Vec<Ident>, &Vec<Key>)> = Vec::new();
    for leaf in &module.leaves {
        let keys = &order.state_keys[leaf.index()];
        let variant = module.states[leaf.index()].clone();
        match arms.iter_mut().find(|(_, it)| *it == keys) {
            Some((variants, _)) => variants.push(variant),
            None => arms.push((vec![variant], keys)),
        }
    }
    let own = if let [(_, keys)] = arms.as_slice() {
        let chain = expand_chain(module, order, keys);
        quote! { #chain }
    } else {
        let arms = arms.iter().map(|(variants, keys)| {
            let chain = expand_chain(module, order, keys);
            quote! { #(State::#variants)|* => #chain }
        });
        quote! { match self { #(#arms,)* } }
    };
    let common: Vec<_> = common.collect();
    let body = match common.split_first() {
        None => own,
        Some((first, others)) => {
            let same_for_all = matches!(arms.as_slice(), [(_, keys)] if keys.is_empty());
            let own = (!same_for_all).then(|| quote! { .then_with(|| #own) });
            quote! { #first #(.then_with(|| #others))* #own }
        }
    };
    quote! {
        #doc
        pub fn #method #parameters (self, a: &#item #arguments, b: &#item #arguments) -> ::core::cmp::Ordering {
            #body
        }
    }
}

fn expand_chain(module: &Module<'_>, order: &Order, keys: &[Key]) -> TokenStream {
    let keys: Vec<_> = keys.iter().map(|key| expand_key(module, order, key)).collect();
    match keys.split_first() {
        Some((first, others)) => quote! { #first #(.then_with(|| #others))* },
        None => quote! { ::core::cmp::Ordering::Equal },
    }
}

fn expand_key(module: &Module<'_>, order: &Order, key: &Key) -> TokenStream {
    let idents = module.field_idents(&order.item);
    match key {
        Key::Field { field, descending } => {
            let field = &idents[*field];
            let (first, second) = if *descending { (quote! { b }, quote! { a }) } else { (quote! { a }, quote! { b }) };
            quote! { ::core::cmp::Ord::cmp(&#first.#field, &#second.#field) }
        }
        Key::Rank { field, first, last, .. } => {
            let Type::Enum(id) = order.item[*field].ty else { return quote! { ::core::cmp::Ordering::Equal } };
            let field = &idents[*field];
            let all_values = 0..module.machine.enums[id.index()].values.len();
            let n_values = number(all_values.len());
            let ranks = all_values.map(|value| {
                let rank = if first.contains(&value) { 0 } else { 1 + u8::from(last.contains(&value)) };
                RustLiteral::u8_unsuffixed(rank)
            });
            quote! {{
                // By the order of the enum: 0 comes first, 1 is neither, 2 comes last.
                const RANKS: &[u8; #n_values] = &[#(#ranks),*];
                ::core::cmp::Ord::cmp(&RANKS[a.#field as usize], &RANKS[b.#field as usize])
            }}
        }
    }
}
