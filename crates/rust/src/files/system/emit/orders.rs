//! The functions that compare two instances of a part.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::doc;
use crate::emit::generics::angled;
use crate::files::system::ir::{Compared, ComparedValue, PartOrder, System};

pub(super) fn expand_orders(system: &System) -> Option<TokenStream> {
    (!system.orders.is_empty()).then(|| system.orders.iter().map(expand_order).collect())
}

fn expand_order(order: &PartOrder) -> TokenStream {
    let (docs, ident, by, State, method) = (doc(&order.doc), &order.ident, &order.by, &order.state, &order.method);
    let sorted = expand_sorted(order);
    let parameters = angled(expand_parameters(order));
    let item = expand_item(order);
    quote! {
        #docs
        pub fn #ident #parameters (state: #by::#State, first: &#sorted, second: &#sorted) -> ::core::cmp::Ordering {
            #item
            state.#method(&item(first), &item(second))
        }
    }
}

/// `super::resource::Resource<Text, R>`
fn expand_sorted(order: &PartOrder) -> TokenStream {
    let (path, Machine) = (&order.sorted.path, &order.sorted.ident);
    let text = order.sorted.text.then(|| quote! { Text, });
    let reference = order.sorted.reference.then(|| quote! { R, });
    let arguments = angled(quote! { #text #reference });
    quote! { #path::#Machine #arguments }
}

/// The parameters of the sorted machine's type, with what the order needs of them.
fn expand_parameters(order: &PartOrder) -> TokenStream {
    let as_str = order.params.text.then(|| quote! { : AsRef<str> });
    let ord = order.params.reference.then(|| quote! { : Copy + Ord });
    let text = order.sorted.text.then(|| quote! { Text #as_str, });
    let reference = order.sorted.reference.then(|| quote! { R #ord, });
    quote! { #text #reference }
}

/// The function that takes what the order compares out of a context.
fn expand_item(order: &PartOrder) -> TokenStream {
    let (by, Item, sorted, parameters) = (&order.by, &order.item, expand_sorted(order), expand_parameters(order));
    let lifetime = order.params.text.then(|| quote! { 'e, });
    let (borrowed, parameters) = (order.params.text.then(|| quote! { 'e }), angled(quote! { #lifetime #parameters }));
    let reference = order.params.reference.then(|| quote! { R, });
    let arguments = angled(quote! { #lifetime #reference });
    let fields = order.fields.iter().map(expand_field);
    let context = (!order.fields.is_empty()).then(|| quote! { let context = of.context(); });
    let of = if order.fields.is_empty() {
        quote! { _ }
    } else {
        quote! { of }
    };
    quote! {
        fn item #parameters (#of: &#borrowed #sorted) -> #by::#Item #arguments {
            #context
            #by::#Item { #(#fields,)* }
        }
    }
}

fn expand_field(field: &Compared) -> TokenStream {
    let Compared { item, context, optional, wrapped, value } = field;
    let value = match (value, optional) {
        (ComparedValue::Copied, _) => quote! { context.#context },
        (ComparedValue::Text, false) => quote! { context.#context.as_ref() },
        (ComparedValue::Text, true) => quote! { context.#context.as_ref().map(AsRef::as_ref) },
        // A spec whose two enums differ is refused.
        (ComparedValue::Enum(to), false) => quote! { #to::ALL[context.#context as usize] },
        (ComparedValue::Enum(to), true) => quote! { context.#context.map(|it| #to::ALL[it as usize]) },
    };
    if *wrapped {
        quote! { #item: Some(#value) }
    } else {
        quote! { #item: #value }
    }
}
